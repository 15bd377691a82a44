//! Amazons in text: the moves, or the rows of a board.

use super::board::{place, square, AmazonsMove, AmazonsPosition, BLACK, WHITE};

/// The usual start. On 6 x 6 it has three amazons a side; on the others four, as far from the corners as a third
/// of a side.
pub(super) fn start(size: usize) -> AmazonsPosition {
    let third = (size - 1) / 3;
    let white = match size {
        6 => vec![(1, 0), (3, 0), (5, 2)],
        _ => vec![(third, 0), (size - 1 - third, 0), (0, third), (size - 1, third)],
    };
    let set = |turn: bool| {
        let far = |at: usize| if turn { size - 1 - at } else { at };
        white.iter().fold(0, |set, &(column, row)| set | 1 << square(far(column), far(row)))
    };
    AmazonsPosition::new(size, [set(false), set(true)], 0)
}

/// Column letter and row number: a1 is the corner at the lower left.
fn square_name(square: u8) -> String {
    let (column, row) = place(square);
    format!("{}{}", (b'a' + column as u8) as char, row + 1)
}

pub(super) fn move_name(mv: AmazonsMove) -> String {
    [mv.from, mv.to, mv.arrow].map(square_name).join("-")
}

fn read_square(size: usize, name: &str) -> Option<u8> {
    let mut rest = name.chars();
    let column = rest.next()?.to_ascii_lowercase() as usize;
    let column = column.checked_sub('a' as usize)?;
    let digits = rest.as_str();
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
    let row: usize = digits.parse().ok().filter(|_| plain)?;
    (column < size && (1..=size).contains(&row)).then(|| square(column, row - 1))
}

pub(super) fn read(size: usize, text: &str) -> Result<AmazonsPosition, String> {
    if text.contains('-') || text.trim().is_empty() {
        read_moves(size, text)
    } else {
        read_board(size, text)
    }
}

/// Reads moves from the start, with spaces or commas between them.
fn read_moves(size: usize, text: &str) -> Result<AmazonsPosition, String> {
    let mut position = start(size);
    let words = text.split(|letter: char| letter.is_whitespace() || letter == ',');
    for (number, word) in (1..).zip(words.filter(|word| !word.is_empty())) {
        let parts = word.split(['-', '/']).map(|part| read_square(size, part));
        let Some(&[from, to, arrow]) = parts.collect::<Option<Vec<u8>>>().as_deref() else {
            return Err(format!(
                "bad move '{}' at move {number}; write from, to and arrow, such as {}",
                word.escape_debug(),
                example(size)
            ));
        };
        if position.over() {
            return Err(format!(
                "the game was already over at move {number}, {word}; leave out the moves from there"
            ));
        }
        let mv = AmazonsMove { from, to, arrow };
        check_move(&position, mv).map_err(|wrong| format!("{word} at move {number}: {wrong}"))?;
        position = position.after(mv);
    }
    Ok(position)
}

/// The first move of the start position.
fn example(size: usize) -> String {
    let mut first = None;
    start(size).each_move(|mv| {
        first.get_or_insert(mv);
    });
    first.map(move_name).unwrap_or_default()
}

/// What is wrong with a move.
fn check_move(position: &AmazonsPosition, mv: AmazonsMove) -> Result<(), String> {
    let (mut found, mut goes) = (false, false);
    position.each_move(|legal| {
        found |= legal == mv;
        goes |= (legal.from, legal.to) == (mv.from, mv.to);
    });
    let [from, to, arrow] = [mv.from, mv.to, mv.arrow].map(square_name);
    let player = ["White", "Black"][position.mover()];
    if found {
        Ok(())
    } else if position.amazons(position.mover()) >> mv.from & 1 == 0 {
        Err(format!("{player} has no amazon on {from}; begin with one of {player}'s"))
    } else if !goes {
        Err(format!("{from} to {to} is no free line; choose a square that the amazon reaches"))
    } else {
        Err(format!("{to} to {arrow} is no free line; choose a square that the arrow reaches"))
    }
}

/// Reads the rows of a board from the top, joined by '/', and the side to move.
fn read_board(size: usize, text: &str) -> Result<AmazonsPosition, String> {
    let mut words = text.split_whitespace();
    let board = words.next().unwrap_or_default();
    let rows: Vec<&str> = board.split('/').collect();
    if rows.len() != size {
        return Err(format!(
            "the board has {} rows; write {size}, top row first, or moves such as {}",
            rows.len(),
            example(size)
        ));
    }
    let (mut amazons, mut burnt) = ([0u128; 2], 0u128);
    for (row, text) in (0..size).rev().zip(rows) {
        let bad =
            |what: String| Err(format!("{what} in row {}, '{}'", row + 1, text.escape_debug()));
        let (mut column, mut number) = (0usize, 0usize);
        for letter in text.chars() {
            if let Some(digit) = letter.to_digit(10) {
                // a number may have two digits; one that is too great stays so
                number = (10 * number + digit as usize).min(100);
                continue;
            }
            column += std::mem::take(&mut number);
            let bit = if column < size { 1u128 << square(column, row) } else { 0 };
            match letter {
                'w' | 'W' => amazons[WHITE] |= bit,
                'b' | 'B' => amazons[BLACK] |= bit,
                'x' | 'X' => burnt |= bit,
                '.' => {}
                _ => {
                    return bad(format!(
                    "bad character '{}', which is not w, b, x, '.' or a number of empty squares,",
                    letter.escape_debug()
                ))
                }
            }
            column += 1;
        }
        column += number;
        if column != size {
            return bad(format!("{column} squares, not {size},"));
        }
    }
    if let Some(missing) = [WHITE, BLACK].into_iter().find(|&colour| amazons[colour] == 0) {
        let (name, letter) = [("White", 'w'), ("Black", 'b')][missing];
        return Err(format!("{name} has no amazon; write {letter} for each"));
    }
    let position = AmazonsPosition::new(size, amazons, burnt);
    match (words.next(), words.next()) {
        (Some("w" | "W"), None) => Ok(position),
        (Some("b" | "B"), None) => Ok(position.passed()),
        _ => Err("write the side to move after the board and a space: w or b".into()),
    }
}

/// `w` and `b` for amazons, `x` for a burnt square, `.` for an empty one.
fn letter(position: &AmazonsPosition, column: usize, row: usize) -> char {
    let at = square(column, row);
    let has = |set: u128| set >> at & 1 == 1;
    if has(position.amazons(WHITE)) {
        'w'
    } else if has(position.amazons(BLACK)) {
        'b'
    } else if has(position.burnt()) {
        'x'
    } else {
        '.'
    }
}

/// The rows from the top, with numbers for empty squares, and the side to move.
pub(super) fn write(size: usize, position: &AmazonsPosition) -> String {
    let row = |row: usize| {
        let (mut text, mut empty) = (String::new(), 0);
        for column in 0..=size {
            let letter = (column < size).then(|| letter(position, column, row));
            if letter == Some('.') {
                empty += 1;
                continue;
            }
            if empty > 0 {
                text.push_str(&std::mem::take(&mut empty).to_string());
            }
            text.extend(letter);
        }
        text
    };
    let rows: Vec<String> = (0..size).rev().map(row).collect();
    format!("{} {}", rows.join("/"), ['w', 'b'][position.mover()])
}

pub(super) fn picture(size: usize, position: &AmazonsPosition) -> String {
    let mut text = String::new();
    for row in (0..size).rev() {
        text.push_str(&format!("{:2} ", row + 1));
        for column in 0..size {
            text.extend([' ', letter(position, column, row).to_ascii_uppercase()]);
        }
        text.push('\n');
    }
    text.push_str("   ");
    for column in 0..size {
        text.extend([' ', (b'a' + column as u8) as char]);
    }
    text.replace('X', "x")
}
