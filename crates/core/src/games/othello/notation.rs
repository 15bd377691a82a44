//! Othello in text: the moves played, or a board.

use super::board::{Discs, OthelloPosition, MIDDLE, PASS};
use super::over;

/// Column letter and row number: a1 is the corner at the top left.
pub(super) fn move_name(mv: u8) -> String {
    match mv {
        PASS => "pass".into(),
        _ => format!("{}{}", (b'a' + mv % 8) as char, mv / 8 + 1),
    }
}

/// `X` for Black, `O` for White.
fn letter(position: OthelloPosition, square: usize) -> char {
    let Discs { mover, other } = position.discs();
    let names = if position.black_to_move() { ['X', 'O'] } else { ['O', 'X'] };
    match (mover >> square & 1, other >> square & 1) {
        (1, _) => names[0],
        (_, 1) => names[1],
        _ => '-',
    }
}

/// Whether a letter stands for Black, if for a player at all.
fn is_black(letter: char) -> Option<bool> {
    match letter {
        'X' | 'x' | '*' => Some(true),
        'O' | 'o' => Some(false),
        _ => None,
    }
}

pub(super) fn read(text: &str) -> Result<OthelloPosition, String> {
    let board = |letter: char| matches!(letter, '-' | '.') || is_black(letter).is_some();
    if text.contains(board) {
        read_board(text)
    } else {
        read_moves(text)
    }
}

/// Reads moves from the start; spaces or commas may stand between them, and passes may be left out.
fn read_moves(text: &str) -> Result<OthelloPosition, String> {
    let mut position = OthelloPosition::START;
    let separator = |letter: &char| letter.is_whitespace() || *letter == ',';
    let mut letters = text.chars().filter(|letter| !separator(letter)).peekable();
    let mut number = 0;
    while letters.peek().is_some() {
        number += 1;
        // a word is a square, of two letters, or a pass
        let length = if letters.peek().is_some_and(|first| "pP".contains(*first)) { 4 } else { 2 };
        let word: String = letters.by_ref().take(length).collect();
        let Some(mv) = read_move(&word) else {
            return Err(format!(
                "bad move '{}' at move {number}; write squares a1 to h8, such as f5d6, or a board of 64 \
                 squares",
                word.escape_debug()
            ));
        };
        let discs = position.discs();
        if over(discs) {
            return Err(format!(
                "the game was already over at move {number}, {word}; leave out the moves from there"
            ));
        }
        let must_pass = discs.moves() == 0;
        if must_pass && mv != PASS {
            position = OthelloPosition::new(discs.passed(), !position.black_to_move());
        }
        let (discs, black) = (position.discs(), position.black_to_move());
        if !(must_pass && mv == PASS) {
            check_move(discs, mv).map_err(|wrong| format!("{word} at move {number} {wrong}"))?;
        }
        position = OthelloPosition::new(discs.after(mv), !black);
    }
    Ok(position)
}

fn read_move(word: &str) -> Option<u8> {
    if word.eq_ignore_ascii_case("pass") {
        return Some(PASS);
    }
    let &[column, row] = word.as_bytes() else { return None };
    let column = column.to_ascii_lowercase();
    let inside = (b'a'..=b'h').contains(&column) && (b'1'..=b'8').contains(&row);
    inside.then(|| 8 * (row - b'1') + column - b'a')
}

/// What is wrong with a move in a position whose player need not pass.
fn check_move(discs: Discs, mv: u8) -> Result<(), String> {
    let moves = discs.moves();
    if mv != PASS && moves >> mv & 1 == 1 {
        return Ok(());
    }
    let names: Vec<String> = (0..64).filter(|mv| moves >> mv & 1 == 1).map(move_name).collect();
    let wrong = match mv {
        PASS => "is not allowed",
        _ if discs.empty() >> mv & 1 == 0 => "is on a disc",
        _ => "turns over no disc",
    };
    Err(format!("{wrong}; the moves there are {}", names.join(" ")))
}

/// Reads 64 squares from a1 to h8 and the side to move; what follows a ';' is not read.
fn read_board(text: &str) -> Result<OthelloPosition, String> {
    let text = text.split(';').next().unwrap_or_default();
    let mut words = text.split_whitespace();
    let (board, side) = (words.next().unwrap_or_default(), words.next());
    let length = board.chars().count();
    if length != 64 {
        return Err(format!("the board has {length} squares; write 64, row by row from a1 to h8"));
    }
    let (mut black, mut white) = (0u64, 0u64);
    for (square, letter) in (0u8..).zip(board.chars()) {
        match (letter, is_black(letter)) {
            ('-' | '.', _) => {}
            (_, Some(true)) => black |= 1 << square,
            (_, Some(false)) => white |= 1 << square,
            _ => {
                return Err(format!(
                    "bad character '{}' at {} of the board; write X, O or '-'",
                    letter.escape_debug(),
                    move_name(square)
                ))
            }
        }
    }
    let hole = MIDDLE & !(black | white);
    if hole != 0 {
        let square = move_name(hole.trailing_zeros() as u8);
        return Err(format!("{square} is empty; d4, e4, d5 and e5 always have discs"));
    }
    let mut letters = side.unwrap_or_default().chars();
    let side = match (letters.next().and_then(is_black), letters.next(), words.next()) {
        (Some(side), None, None) => side,
        _ => return Err("write the side to move after the board and a space: X or O".into()),
    };
    let discs = Discs { mover: black, other: white };
    Ok(OthelloPosition::new(if side { discs } else { discs.passed() }, side))
}

/// As in collections of end games: 64 squares and the side to move.
pub(super) fn write(position: OthelloPosition) -> String {
    let board: String = (0..64).map(|square| letter(position, square)).collect();
    format!("{board} {}", if position.black_to_move() { 'X' } else { 'O' })
}

pub(super) fn picture(position: OthelloPosition) -> String {
    let mut text = String::from("   a b c d e f g h");
    for row in 0..8 {
        text.push_str(&format!("\n {}", row + 1));
        for column in 0..8 {
            let letter = letter(position, 8 * row + column);
            text.extend([' ', if letter == '-' { '.' } else { letter }]);
        }
    }
    text
}
