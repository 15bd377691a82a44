//! Hex in text: the moves, and a slanted board.

use super::board::{Board, HexPosition, BLACK, WHITE};
use super::HexGame;
use crate::game::Rules;

/// Column letter and row number: the second cell of the first row is b1.
pub(crate) fn cell_name(size: usize, cell: usize) -> String {
    let (row, column) = (cell / size, cell % size);
    format!("{}{}", (b'a' + column as u8) as char, row + 1)
}

/// The cell of this name, if it has the form of one: column and row from 0 up, on the board or not.
fn read_cell(name: &str) -> Option<(usize, usize)> {
    let mut rest = name.chars();
    let letter = rest.next().filter(char::is_ascii_alphabetic)?.to_ascii_lowercase();
    let digits = rest.as_str();
    let plain = (1..=3).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    let row: usize = digits.parse().ok().filter(|&row| plain && row > 0)?;
    Some((letter as usize - 'a' as usize, row - 1))
}

impl<const W: usize> HexGame<W> {
    /// The position after the moves of a text, in which spaces or commas stand between them.
    pub(crate) fn read(&self, text: &str) -> Result<HexPosition<W>, String> {
        let size = self.board.size;
        let mut words = text
            .split(|character: char| character.is_whitespace() || character == ',')
            .filter(|word| !word.is_empty())
            .peekable();
        let white_begins = words.next_if(|word| word.eq_ignore_ascii_case("white")).is_some();
        if white_begins && self.swap {
            return Err("White cannot begin where swap is allowed; write the moves from Black's \
                        first, such as b2 swap"
                .into());
        }
        let mut position = HexPosition::empty(white_begins);
        for (number, word) in (1..).zip(words) {
            // a long text is shown up to here: what matters is at its end
            let here = format!("at move {number}");
            let mv = if word.eq_ignore_ascii_case("swap") {
                if !self.swap {
                    return Err(format!(
                        "swap {here} is not allowed in this game; make it with swap=true"
                    ));
                }
                if !self.may_swap(&position) {
                    return Err(format!(
                        "swap {here} is not possible; only White's first move can be a swap"
                    ));
                }
                self.swap_move()
            } else {
                let Some((column, row)) = read_cell(word) else {
                    return Err(format!(
                        "bad move '{}' {here}; write column and row, such as {}, with spaces between \
                         moves",
                        word.escape_debug(),
                        cell_name(size, size * size / 2)
                    ));
                };
                if column >= size || row >= size {
                    return Err(format!(
                        "cell {word} {here} is outside the board; it has the cells a1 to {}",
                        cell_name(size, size * size - 1)
                    ));
                }
                (size * row + column) as u16
            };
            if position.over() {
                return Err(format!(
                    "the game was already over {here}, {word}; leave out the moves from there"
                ));
            }
            if position.taken().has(usize::from(mv)) {
                return Err(format!("cell {word} {here} is occupied; choose an empty one"));
            }
            position = self.play(&position, &mv).map_err(|error| error.to_string())?;
        }
        Ok(position)
    }

    /// Moves that lead to a position: the stones of each colour in order, in turns, but last a stone without
    /// which the game would not be over.
    pub(crate) fn write(&self, position: &HexPosition<W>) -> String {
        let board = &self.board;
        let mut stones = [BLACK, WHITE].map(|colour| {
            let cells: Vec<usize> = position.stones(colour).cells().collect();
            cells
        });
        if position.over() {
            let winner = 1 - position.mover();
            let all = position.stones(winner);
            let decides = |cell: &usize| {
                let without = all & !super::Bits::one(*cell);
                !board.joined(without, winner)
            };
            if let Some(place) = stones[winner].iter().position(decides) {
                let last = stones[winner].remove(place);
                stones[winner].push(last);
            }
        }
        let first = if position.white_began() { WHITE } else { BLACK };
        let mut words = Vec::new();
        if position.white_began() && !self.swap {
            words.push("white".into());
        }
        for turn in 0..stones[first].len() {
            let cell = stones[first][turn];
            if turn == 0 && position.white_began() && self.swap {
                words.push(cell_name(board.size, board.transposed(cell)));
                words.push("swap".into());
            } else {
                words.push(cell_name(board.size, cell));
            }
            words.extend(stones[1 - first].get(turn).map(|&cell| cell_name(board.size, cell)));
        }
        words.join(" ")
    }
}

/// A slanted board: Black's stones are X, White's O.
pub(crate) fn picture<const W: usize>(board: &Board<W>, position: &HexPosition<W>) -> String {
    let mut text = String::from("  ");
    for column in 0..board.size {
        text.extend([' ', (b'a' + column as u8) as char]);
    }
    for row in 0..board.size {
        text.push('\n');
        text.push_str(&" ".repeat(row));
        text.push_str(&format!("{:2} ", row + 1));
        for column in 0..board.size {
            let cell = board.size * row + column;
            let has = |colour| position.stones(colour).has(cell);
            text.extend([
                ' ',
                if has(BLACK) {
                    'X'
                } else if has(WHITE) {
                    'O'
                } else {
                    '.'
                },
            ]);
        }
    }
    text
}
