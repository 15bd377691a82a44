//! Connect-Four in text: the columns played, or a board.

use super::{ConnectFourPosition, Expansion, BOTTOM, COLUMNS, ROWS};

pub(super) fn letter(position: &ConnectFourPosition, column: usize, row: usize) -> char {
    let bit = 7 * column + row;
    match (position.black >> bit & 1, position.red >> bit & 1) {
        (1, _) => 'X',
        (_, 1) => 'O',
        _ => '.',
    }
}

/// Reads the columns played from the start, as digits; spaces between them do not matter.
pub(super) fn parse_moves(notation: &str) -> Result<ConnectFourPosition, String> {
    let mut position = ConnectFourPosition::START;
    let digits = notation.chars().filter(|character| !character.is_whitespace());
    for (number, digit) in (1..).zip(digits) {
        let here = format!("at move {number} of '{notation}'");
        if !('1'..='7').contains(&digit) {
            return Err(format!(
                "bad character '{digit}' {here}; write columns 1 to 7, or six board rows with '/'"
            ));
        }
        if position.won() || position.full() {
            return Err(format!(
                "the game was already over {here}; leave out the moves from there"
            ));
        }
        let at = digit as usize - '1' as usize;
        let expansion = Expansion::new(position);
        if expansion.taken >> (7 * at + ROWS - 1) & 1 == 1 {
            return Err(format!("column {digit} is full {here}; choose another column"));
        }
        position = expansion.child(at, expansion.gain(at)).position;
    }
    Ok(position)
}

/// Reads six rows from the top, joined by '/', and optionally the side to move.
pub(super) fn parse_board(notation: &str) -> Result<ConnectFourPosition, String> {
    let (board, mover) = notation.trim().split_once(' ').unwrap_or((notation.trim(), ""));
    let rows: Vec<&str> = board.split('/').collect();
    if rows.len() != ROWS {
        return Err(format!("the board has {} rows; write {ROWS}, top row first", rows.len()));
    }
    let mut stones = [0u64; 2];
    for (number, text) in (1..).zip(rows) {
        let width = text.chars().count();
        if width != COLUMNS {
            return Err(format!("row {number}, '{text}', has {width} cells; write {COLUMNS}"));
        }
        for (column, character) in text.chars().enumerate() {
            let cell = 1 << (7 * column + ROWS - number);
            match character {
                'X' => stones[0] |= cell,
                'O' => stones[1] |= cell,
                '.' => {}
                _ => {
                    return Err(format!(
                        "bad character '{character}' in row {number}, '{text}'; write X, O or '.'"
                    ))
                }
            }
        }
    }
    let [black, red] = stones;
    // One added below a column moves up to its lowest empty cell; stones above that stay.
    let floating = (black | red) & ((black | red) + BOTTOM);
    if floating != 0 {
        let column = floating.trailing_zeros() / 7 + 1;
        return Err(format!("column {column} has a gap under a stone; fill it from the bottom"));
    }
    let (x, o) = (black.count_ones(), red.count_ones());
    let black_to_move = match mover.trim() {
        "" => x == o,
        "X" => true,
        "O" => false,
        other => return Err(format!("bad side to move '{other}'; write X or O")),
    };
    // The mover has as many stones as the other or one fewer; Black moves first unless told.
    let ahead = if black_to_move { o.checked_sub(x) } else { x.checked_sub(o) };
    if !matches!(ahead, Some(0 | 1)) {
        let (mover, other) = if black_to_move { ('X', 'O') } else { ('O', 'X') };
        return Err(format!(
            "{x} X and {o} O with {mover} to move; {other} must have as many stones or one more"
        ));
    }
    ConnectFourPosition::from_stones(black, red, black_to_move)
}
