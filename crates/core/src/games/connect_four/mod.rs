//! Connect-Four on bitboards. A position carries the sum of its segments with it, which its evaluator wants.
//!
//! A board is 49 bits, seven to a column, lowest row first. The top bit of a column is always
//! empty: it keeps a line from running out of one column into the next.
//!
//! ```text
//!   6 13 20 27 34 41 48    always empty
//!   5 12 19 26 33 40 47    top row
//!   4 11 18 25 32 39 46
//!   3 10 17 24 31 38 45    bit = 7 * column + row
//!   2  9 16 23 30 37 44
//!   1  8 15 22 29 36 43
//!   0  7 14 21 28 35 42    bottom row
//!
//!            63            62 .. 49      48 .. 0
//!   black    Red to move   zero          Black's stones
//!   red      score, a signed number      Red's stones
//! ```
//!
//! Speed comes from never summing the 69 segments of a board: a position carries its sum in bits it
//! has to spare, and a move changes only the lines through one cell. Those lines are read column by
//! column. A column's content is a 7-bit code, its occupied cells plus the mover's stones, and a
//! table says what a column at distance 1, 2 or 3 shows to a stone that lands in a given row: a
//! cell of the level line and one of each diagonal. Six lookups give three lines at once, three
//! more what they gain; the upright line is a lookup of the stone's own column. The tables are from
//! the mover's side, so that one set serves both colours.

mod end;
mod gains;
mod notation;
mod planes;
#[cfg(test)]
mod tests;

use crate::error::Error;
use crate::game::{Child, NetworkShape, Notation, Rules, Shortcuts, Specialist};
use crate::params::{Info, Params};
pub(crate) use gains::FOUR;
use gains::{GAIN, LANDING, NO_COLUMN, VIEW, WORTH};
use notation::{letter, parse_board, parse_moves};

const COLUMNS: usize = 7;
const ROWS: usize = 6;
const BOTTOM: u64 = 0x0408_1020_4081;
const CELLS: u64 = BOTTOM * 0x3f;
const RED_TO_MOVE: u64 = 1 << 63;
const SCORE_SHIFT: u32 = 49;

/// The score of a game that Black has won; beyond any sum of 69 segments.
const WON: i32 = 4096;
/// A position: the stones, the player to move and the running sum of the segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ConnectFourPosition {
    black: u64,
    red: u64,
}

impl ConnectFourPosition {
    const START: ConnectFourPosition = ConnectFourPosition { black: 0, red: 0 };

    fn new(black: u64, red: u64, black_to_move: bool, score: i32) -> ConnectFourPosition {
        let mover = if black_to_move { 0 } else { RED_TO_MOVE };
        ConnectFourPosition { black: black | mover, red: red | (score as u64) << SCORE_SHIFT }
    }

    pub(crate) fn black_to_move(self) -> bool {
        self.black & RED_TO_MOVE == 0
    }

    /// The stones of the player to move, and of the other one.
    #[inline]
    pub(crate) fn mover_and_other(self) -> (u64, u64) {
        let (black, red) = self.stones();
        if self.black_to_move() {
            (black, red)
        } else {
            (red, black)
        }
    }

    fn stones(self) -> (u64, u64) {
        (self.black & CELLS, self.red & CELLS)
    }

    /// Sum of the segments from Black's side, or `WON` or `-WON`.
    fn score(self) -> i32 {
        (self.red as i64 >> SCORE_SHIFT) as i32
    }

    fn full(self) -> bool {
        (self.black | self.red) & CELLS == CELLS
    }

    fn won(self) -> bool {
        self.score().abs() == WON
    }

    /// The exact value if the game is over, else the static one.
    pub(crate) fn value(self) -> f64 {
        f64::from(match self.score() {
            WON => 1023,
            score if score == -WON => 1,
            _ if self.full() => 512,
            score => (512 + score + if self.black_to_move() { 16 } else { -16 }).clamp(2, 1022),
        })
    }

    /// Builds a position from its stones, summing all segments: for positions read from outside.
    fn from_stones(
        black: u64,
        red: u64,
        black_to_move: bool,
    ) -> Result<ConnectFourPosition, String> {
        let (mut score, mut black_won, mut red_won) = (0, false, false);
        for start in 0..7 * COLUMNS {
            for step in [1, 6, 7, 8] {
                let cells = (1 | 1 << step | 1 << (2 * step) | 1 << (3 * step)) << start;
                // A segment that leaves the board touches an always empty bit or one beyond 48.
                if cells & !u128::from(CELLS) != 0 {
                    continue;
                }
                let count = |stones: u64| (stones & cells as u64).count_ones() as usize;
                match (count(black), count(red)) {
                    (4, _) => black_won = true,
                    (_, 4) => red_won = true,
                    (own, 0) => score += i32::from(WORTH[own]),
                    (0, own) => score -= i32::from(WORTH[own]),
                    _ => {}
                }
            }
        }
        let score = match (black_won, red_won) {
            (true, true) => return Err("X and O both have four in a line; keep only one".into()),
            (true, false) => WON,
            (false, true) => -WON,
            (false, false) => score,
        };
        Ok(ConnectFourPosition::new(black, red, black_to_move, score))
    }
}

/// The full columns as the bits of a number. The product moves the seven top cells, which are seven bits
/// apart, next to each other: cell 7c times 2^(36 - 6c) is bit 36 + c, and no two terms meet.
#[inline(always)]
fn full_columns(taken: u64) -> usize {
    const GATHER: u64 = 1 | 1 << 6 | 1 << 12 | 1 << 18 | 1 << 24 | 1 << 30 | 1 << 36;
    let tops = taken >> (ROWS - 1) & BOTTOM;
    (tops.wrapping_mul(GATHER) >> 36) as usize & 127
}

/// The columns that are not full, and how many they are, by the full ones.
static OPEN: [([u8; 8], u8); 128] = {
    let mut table = [([0; 8], 0); 128];
    let mut full = 0;
    while full < table.len() {
        let mut column = 0;
        while column < COLUMNS {
            if full >> column & 1 == 0 {
                table[full].0[table[full].1 as usize] = column as u8;
                table[full].1 += 1;
            }
            column += 1;
        }
        full += 1;
    }
    table
};

/// What all moves from a position have in common.
pub(crate) struct Expansion {
    position: ConnectFourPosition,
    taken: u64,
    /// The columns' codes, with three columns that are off the board on either side.
    codes: [u8; 16],
}

impl Expansion {
    #[inline(always)]
    pub fn new(position: ConnectFourPosition) -> Expansion {
        let (black, red) = position.stones();
        let taken = black | red;
        // No column carries into the next: its code is at most 63 + 63.
        let all = taken + if position.black_to_move() { black } else { red };
        let mut codes = [NO_COLUMN as u8; 16];
        for column in 0..COLUMNS {
            codes[column + 3] = (all >> (7 * column)) as u8 & 127;
        }
        Expansion { position, taken, codes }
    }

    /// How much a stone in a column gains for the mover. Always inlined, so that a column known to
    /// the compiler costs no lookups beyond the edge. The masks on indices change none of them:
    /// they spare the checks of bounds.
    #[inline(always)]
    fn gain(&self, at: usize) -> i32 {
        let code = |distance: usize| usize::from(self.codes[(at + distance) & 15] & 127);
        let (row, upright) = LANDING[code(3)];
        let row = usize::from(row & 7);
        let to_right = |distance: usize| VIEW[code(3 - distance)].to_right[distance - 1][row];
        let to_left = |distance: usize| VIEW[code(3 + distance)].to_left[distance - 1][row];
        let left = to_right(1) | to_right(2) | to_right(3);
        let right = to_left(1) | to_left(2) | to_left(3);
        let lines = u64::from(left) | u64::from(right) << 6;
        let gain = |line: u32| i32::from(GAIN[(lines >> (12 * line)) as usize & 4095]);
        i32::from(upright) + gain(0) + gain(1) + gain(2)
    }

    /// The gains of all columns. Spelled out: with the columns known at compile time this is half
    /// again as fast as a loop over the moves.
    #[inline(always)]
    pub fn gains(&self) -> [i32; 8] {
        let gain = |at| self.gain(at);
        [gain(0), gain(1), gain(2), gain(3), gain(4), gain(5), gain(6), 0]
    }

    /// The result of a stone in a column, given what it gains. It works out the value itself: here
    /// the mover and whether this is the last stone are the same for all moves.
    #[inline(always)]
    pub fn child(&self, at: usize, gain: i32) -> Child<ConnectFourPosition> {
        let by_black = self.position.black_to_move();
        let (mut black, mut red) = self.position.stones();
        let cell = (self.taken + BOTTOM) & 0x7f << (7 * at);
        *(if by_black { &mut black } else { &mut red }) |= cell;
        let (sign, tempo) = if by_black { (1, -16) } else { (-1, 16) };
        let won = gain >= i32::from(FOUR);
        let last = self.taken.count_ones() as usize == COLUMNS * ROWS - 1;
        let score = if won { sign * WON } else { self.position.score() + sign * gain };
        let value = match (won, last) {
            (true, _) => 512 + sign * 511,
            (_, true) => 512,
            _ => (512 + tempo + score).clamp(2, 1022),
        };
        let position = ConnectFourPosition::new(black, red, !by_black, score);
        Child { position, value: f64::from(value), terminal: won || last }
    }
}

/// Connect-Four, 7 columns by 6 rows; Black (X) is Max and moves first.
#[derive(Clone, Copy, Debug, Default)]
pub struct ConnectFour;

impl ConnectFour {
    /// The game's entry in the tables.
    pub const INFO: Info = Info {
        name: "connect-four",
        paper: "Rivest 1988, Section 5",
        summary: "drop stones into 7 columns of 6; four in a line win",
        params: &[],
    };

    /// The game; it has no parameters.
    pub fn new(_: &Params) -> Result<ConnectFour, Error> {
        Ok(ConnectFour)
    }
}

impl Rules for ConnectFour {
    type Position = ConnectFourPosition;
    type Move = u8;

    fn start(&self) -> Result<ConnectFourPosition, Error> {
        Ok(ConnectFourPosition::START)
    }

    fn max_to_move(&self, position: &ConnectFourPosition) -> bool {
        position.black_to_move()
    }

    #[inline]
    fn moves(&self, position: &ConnectFourPosition, moves: &mut Vec<u8>) -> Result<(), Error> {
        if !position.won() {
            let taken = position.black | position.red;
            let (list, count) = OPEN[full_columns(taken)];
            let before = moves.len();
            moves.extend_from_slice(&list);
            moves.truncate(before + usize::from(count));
        }
        Ok(())
    }

    fn play(&self, position: &ConnectFourPosition, mv: &u8) -> Result<ConnectFourPosition, Error> {
        let (expansion, at) = (Expansion::new(*position), usize::from(*mv & 7));
        Ok(expansion.child(at, expansion.gain(at)).position)
    }

    fn outcome(&self, position: &ConnectFourPosition) -> Result<Option<f64>, Error> {
        Ok((position.won() || position.full()).then(|| position.value()))
    }

    #[inline]
    fn each_successor(
        &self,
        position: &ConnectFourPosition,
        mut show: impl FnMut(&ConnectFourPosition) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if position.won() {
            return Ok(());
        }
        let expansion = Expansion::new(*position);
        let gains = expansion.gains();
        let (columns, count) = OPEN[full_columns(expansion.taken)];
        columns.iter().take(usize::from(count)).try_for_each(|column| {
            let at = usize::from(*column & 7);
            show(&expansion.child(at, gains[at]).position)
        })
    }

    fn successors(
        &self,
        position: &ConnectFourPosition,
        moves: &[u8],
        unknown: f64,
        children: &mut Vec<Child<ConnectFourPosition>>,
    ) -> Result<(), Error> {
        let expansion = Expansion::new(*position);
        let gains = expansion.gains();
        children.extend(moves.iter().map(|mv| {
            let at = usize::from(*mv & 7);
            let child = expansion.child(at, gains[at]);
            let value = if child.terminal { child.value } else { unknown };
            Child { value, ..child }
        }));
        Ok(())
    }

    fn value_range(&self) -> (f64, f64) {
        (1.0, 1023.0)
    }

    /// Exact: a column's stones and height are its code, and the top bit is the mover.
    fn key(&self, position: &ConnectFourPosition) -> Result<Option<u64>, Error> {
        let (black, red) = position.stones();
        Ok(Some((black + (black | red)) | position.black & RED_TO_MOVE))
    }
}

impl Shortcuts for ConnectFour {
    /// The cell where the stone comes to rest.
    fn move_slot(&self, position: &ConnectFourPosition, mv: &u8) -> usize {
        let (black, red) = position.stones();
        let column = (black | red) >> (7 * usize::from(*mv)) & 63;
        let cell = 7 * usize::from(*mv) + column.count_ones() as usize;
        cell + 49 * usize::from(position.black_to_move())
    }

    fn phase(&self, position: &ConnectFourPosition) -> u32 {
        let (black, red) = position.stones();
        (COLUMNS * ROWS) as u32 - (black | red).count_ones()
    }

    fn results(&self) -> Option<Vec<f64>> {
        Some(vec![1.0, 512.0, 1023.0])
    }

    fn claimed(&self, position: &ConnectFourPosition) -> Option<f64> {
        end::claimed(position)
    }

    fn specialist(&self, bytes: usize) -> Option<Box<dyn Specialist<ConnectFourPosition>>> {
        Some(Box::new(end::FourSolver::new(bytes)))
    }

    fn swapped(&self, position: &ConnectFourPosition) -> Option<ConnectFourPosition> {
        let (black, red) = position.stones();
        Some(ConnectFourPosition::new(red, black, !position.black_to_move(), -position.score()))
    }
}

impl Notation for ConnectFour {
    fn network_shape(&self) -> Option<NetworkShape> {
        Some(planes::shape(self))
    }

    fn write_planes(&self, position: &ConnectFourPosition, planes: &mut [f32]) {
        planes::write(self, position, planes);
    }

    fn policy_places(&self, position: &ConnectFourPosition, mv: &u8, places: &mut Vec<u32>) {
        planes::places(self, position, *mv, places);
    }

    fn move_name(&self, _position: &ConnectFourPosition, mv: &u8) -> String {
        (mv + 1).to_string()
    }

    /// Reads the columns played (`4453`) or a board from the top row down, with the side to move if
    /// the stones do not tell: `......./......./......./......./...O.../...X... X`.
    fn parse(&self, notation: &str) -> Result<ConnectFourPosition, Error> {
        if notation.contains('/') {
            parse_board(notation).map_err(Error::Position)
        } else {
            parse_moves(notation).map_err(Error::Position)
        }
    }

    fn notation(&self, position: &ConnectFourPosition) -> String {
        let rows: Vec<String> = (0..ROWS)
            .rev()
            .map(|row| (0..COLUMNS).map(|column| letter(position, column, row)).collect())
            .collect();
        format!("{} {}", rows.join("/"), if position.black_to_move() { 'X' } else { 'O' })
    }

    fn picture(&self, position: &ConnectFourPosition) -> String {
        let mut text = String::new();
        for row in (0..ROWS).rev() {
            for column in 0..COLUMNS {
                text.extend([' ', letter(position, column, row), ' ']);
            }
            text.push('\n');
        }
        text + " 1  2  3  4  5  6  7 "
    }
}
