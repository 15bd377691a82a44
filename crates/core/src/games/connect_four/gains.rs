//! What a stone gains along the lines through its cell, as tables built at compile time.

use super::ROWS;

/// Worth of a segment that holds 0 to 3 stones, all of one colour.
pub(crate) const WORTH: [i16; 4] = [0, 1, 10, 50];
/// What the table has for a line of four; beyond the gains of four other lines.
pub(crate) const FOUR: i16 = 8192;

/// A cell as two bits of a line's pattern. Off the board is both stones at once, because that
/// spoils a segment for either side.
const OWN: usize = 1;
const OTHER: usize = 2;
const OFF: usize = 3;
/// Code of a column off the board; real columns have codes up to 126.
pub(crate) const NO_COLUMN: usize = 127;

/// What the cell at `row` of a column with this code is to the mover.
const fn cell(code: usize, row: i32) -> usize {
    let height = (code + 1).ilog2();
    if code == NO_COLUMN || row < 0 || row >= ROWS as i32 {
        OFF
    } else if row >= height as i32 {
        0
    } else if (code + 1 - (1 << height)) >> row & 1 == 1 {
        OWN
    } else {
        OTHER
    }
}

/// How much a stone gains for its owner along one line, by the pattern of that line: the three
/// cells to one side of the stone, nearest lowest, then the three to the other side.
pub(crate) static GAIN: [i16; 4096] = {
    let mut table = [0; 4096];
    let mut pattern = 0;
    while pattern < table.len() {
        table[pattern] = gain(pattern);
        pattern += 1;
    }
    table
};

const fn gain(pattern: usize) -> i16 {
    let mut sum = 0;
    let mut before = 0;
    while before < 4 {
        // The segment with `before` cells on the first side and the rest on the second.
        let mut counts = [0; 4];
        let mut i = 0;
        while i < 3 {
            let place = if i < before { i } else { 3 + i - before };
            counts[pattern >> (2 * place) & 3] += 1;
            i += 1;
        }
        sum += match (counts[OWN], counts[OTHER], counts[OFF]) {
            (3, ..) => return FOUR,
            (own, 0, 0) => WORTH[own + 1] - WORTH[own],
            // The other side's segment is worth nothing any more.
            (0, other, 0) => WORTH[other],
            _ => 0,
        };
        before += 1;
    }
    sum
}

/// The row where a column's next stone lands and its gain along that column, by code.
pub(crate) static LANDING: [(u16, i16); 128] = {
    let mut table = [(0, 0); 128];
    let mut code = 0;
    while code < table.len() {
        let row = (code + 1).ilog2() as i32;
        let (mut pattern, mut i) = (0, 0);
        while i < 3 {
            pattern |= cell(code, row - 1 - i) << (2 * i) | cell(code, row + 1 + i) << (6 + 2 * i);
            i += 1;
        }
        table[code] = (row as u16, gain(pattern));
        code += 1;
    }
    table
};

/// What a column shows to a stone in another column, by distance - 1 and the stone's row: a cell of
/// each line (level, rising, falling) in its place in that line's pattern, 12 bits a line. Both
/// tables fill the low half of a pattern; the half for the right side is shifted when used.
pub(crate) struct View {
    pub to_right: [[u32; 8]; 3],
    pub to_left: [[u32; 8]; 3],
}

/// Views by code.
pub(crate) static VIEW: [View; 128] = {
    const BLANK: View = View { to_right: [[0; 8]; 3], to_left: [[0; 8]; 3] };
    let mut table = [BLANK; 128];
    let mut i = 0;
    while i < 128 * 3 * 8 {
        let (code, step, row) = (i / 24, i / 8 % 3, i % 8);
        let level = cell(code, row as i32);
        let below = cell(code, row as i32 - step as i32 - 1);
        let above = cell(code, row as i32 + step as i32 + 1);
        let to_right = level | below << 12 | above << 24;
        let to_left = level | above << 12 | below << 24;
        table[code].to_right[step][row] = (to_right << (2 * step)) as u32;
        table[code].to_left[step][row] = (to_left << (2 * step)) as u32;
        i += 1;
    }
    table
};
