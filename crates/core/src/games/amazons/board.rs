//! A position, how amazons move on it, and who gets where first.
//!
//! ```text
//!    :
//!  3  33 34 .. 42   43        square = 11 * (row + 1) + column
//!  2  22 23 .. 31   32
//!  1  11 12 .. 20   21        the last column and the rows below and above are never free: no step and
//!      0  1 ..  9   10        no line of steps by 1, 10, 11 or 12 leaves the board
//!      a  b      j
//!
//!            bit 127             bits of squares
//!   white    Black is to move    White's amazons, and all squares that are burnt or off the board
//!   black    zero                Black's amazons, and the same
//! ```
//!
//! Every size of board has this one layout, in its lower left corner: what lies beyond a smaller board is like
//! burnt squares.

pub(crate) const WHITE: usize = 0;
pub(crate) const BLACK: usize = 1;
/// The longest side.
pub(crate) const LARGEST: usize = 10;
const STRIDE: usize = LARGEST + 1;
const SIDE: u128 = 1 << 127;

/// The square of a column and a row, from 0 up.
pub(crate) const fn square(column: usize, row: usize) -> u8 {
    (STRIDE * (row + 1) + column) as u8
}

/// Column and row of a square.
pub(crate) const fn place(square: u8) -> (usize, usize) {
    (square as usize % STRIDE, square as usize / STRIDE - 1)
}

/// The squares of a board of this size.
pub(crate) const fn board(size: usize) -> u128 {
    let (mut all, mut row) = (0, 0);
    while row < size {
        all |= ((1 << size) - 1) << square(0, row);
        row += 1;
    }
    all
}

/// The squares of a set in order.
#[inline(always)]
pub(crate) fn squares(set: u128) -> impl Iterator<Item = u8> {
    let words = [(set as u64, 0), ((set >> 64) as u64, 64)];
    words.into_iter().flat_map(|(mut word, first)| {
        std::iter::from_fn(move || {
            let square = first + word.trailing_zeros() as u8;
            let some = word != 0;
            word &= word.wrapping_sub(1);
            some.then_some(square)
        })
    })
}

/// An amazon goes from one square to another and shoots an arrow at a third.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AmazonsMove {
    pub(crate) from: u8,
    pub(crate) to: u8,
    pub(crate) arrow: u8,
}

/// A position: the amazons, the burnt squares and the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AmazonsPosition([u128; 2]);

impl AmazonsPosition {
    /// A board of this size, with White to move: amazons of both colours, and burnt squares.
    pub fn new(size: usize, amazons: [u128; 2], burnt: u128) -> AmazonsPosition {
        let burnt = !SIDE & (burnt | !board(size));
        AmazonsPosition(amazons.map(|amazons| amazons | burnt))
    }

    #[inline(always)]
    pub fn mover(&self) -> usize {
        usize::from(self.0[WHITE] & SIDE != 0)
    }

    /// With the other player to move.
    pub fn passed(&self) -> AmazonsPosition {
        AmazonsPosition([self.0[WHITE] ^ SIDE, self.0[BLACK]])
    }

    /// With the colours exchanged.
    pub fn exchanged(&self) -> AmazonsPosition {
        let side = !self.0[WHITE] & SIDE;
        AmazonsPosition([self.0[BLACK] | side, self.0[WHITE] & !SIDE])
    }

    #[inline(always)]
    pub fn amazons(&self, colour: usize) -> u128 {
        self.0[colour] & !self.0[1 - colour] & !SIDE
    }

    /// The burnt squares, those off the board included.
    pub fn burnt(&self) -> u128 {
        self.0[WHITE] & self.0[BLACK]
    }

    /// The squares that an amazon or an arrow may enter.
    #[inline(always)]
    pub fn empty(&self) -> u128 {
        !(self.0[WHITE] | self.0[BLACK] | SIDE)
    }

    #[inline(always)]
    pub fn after(&self, mv: AmazonsMove) -> AmazonsPosition {
        let mover = self.mover();
        let arrow = BIT[usize::from(mv.arrow & 127)];
        let mut next = AmazonsPosition(self.0.map(|set| set | arrow));
        // an arrow may land where the amazon came from
        let gone = BIT[usize::from(mv.from & 127)] & !arrow;
        next.0[mover] = next.0[mover] & !gone | BIT[usize::from(mv.to & 127)];
        next.0[1 - mover] &= !gone;
        next.0[WHITE] ^= SIDE;
        next
    }

    /// Whether the player to move cannot: then the other has won.
    #[inline(always)]
    pub fn over(&self) -> bool {
        around(self.amazons(self.mover())) & self.empty() == 0
    }

    /// Shows all moves of the player to move, in order: by amazon, square and arrow.
    #[inline(always)]
    pub fn each_move(&self, mut show: impl FnMut(AmazonsMove)) {
        let empty = self.empty();
        for from in squares(self.amazons(self.mover())) {
            let blocked = !(empty | BIT[usize::from(from)]);
            for to in squares(reach(from, blocked)) {
                for arrow in squares(reach(to, blocked)) {
                    show(AmazonsMove { from, to, arrow });
                }
            }
        }
    }

    /// Shows what they lead to, in the same order. What an amazon's move changes is the same for all its arrows.
    #[inline(always)]
    pub fn each_successor<E>(
        &self,
        mut show: impl FnMut(&AmazonsPosition) -> Result<(), E>,
    ) -> Result<(), E> {
        let (mover, empty) = (self.mover(), self.empty());
        for from in squares(self.amazons(mover)) {
            let blocked = !(empty | BIT[usize::from(from)]);
            let mut left = self.passed();
            left.0[mover] &= !BIT[usize::from(from)];
            for to in squares(reach(from, blocked)) {
                let mut moved = left;
                moved.0[mover] |= BIT[usize::from(to)];
                for arrow in squares(reach(to, blocked)) {
                    show(&AmazonsPosition(moved.0.map(|set| set | BIT[usize::from(arrow)])))?;
                }
            }
        }
        Ok(())
    }

    /// All of it as words, for a key.
    pub fn words(&self) -> [u64; 4] {
        let [white, black] = self.0;
        [white as u64, (white >> 64) as u64, black as u64, (black >> 64) as u64]
    }
}

/// The neighbours of all squares of a set.
#[inline(always)]
pub(crate) fn around(set: u128) -> u128 {
    let row = set << 1 | set >> 1;
    let three = row | set;
    row | three << STRIDE | three >> STRIDE
}

/// The squares that an amazon on this one reaches, where these are blocked.
#[inline(always)]
fn reach(square: u8, blocked: u128) -> u128 {
    let square = usize::from(square & 127);
    let mut reached = 0;
    for rays in &UP {
        let ray = rays[square];
        // behind the first obstacle; bit 127 is off the board and stands for none
        let first = (ray & blocked | SIDE).trailing_zeros() as usize;
        reached |= ray & !(rays[first & 127] | BIT[first & 127]);
    }
    for rays in &DOWN {
        let ray = rays[square];
        let first = 127 ^ (ray & blocked | 1).leading_zeros() as usize;
        reached |= ray & !(rays[first & 127] | BIT[first & 127]);
    }
    reached
}

/// The squares that amazons on any of these reach, and they themselves.
#[inline(always)]
pub(crate) fn slide(from: u128, empty: u128) -> u128 {
    up::<1>(from, empty)
        | up::<10>(from, empty)
        | up::<11>(from, empty)
        | up::<12>(from, empty)
        | down::<1>(from, empty)
        | down::<10>(from, empty)
        | down::<11>(from, empty)
        | down::<12>(from, empty)
}

/// In one direction, by doubling: lines of 1, 3, 7 and 15 steps.
#[inline(always)]
fn up<const STEP: u32>(mut from: u128, mut empty: u128) -> u128 {
    from |= empty & from << STEP;
    empty &= empty << STEP;
    from |= empty & from << (2 * STEP);
    empty &= empty << (2 * STEP);
    from |= empty & from << (4 * STEP);
    empty &= empty << (4 * STEP);
    from | empty & from << (8 * STEP)
}

#[inline(always)]
fn down<const STEP: u32>(mut from: u128, mut empty: u128) -> u128 {
    from |= empty & from >> STEP;
    empty &= empty >> STEP;
    from |= empty & from >> (2 * STEP);
    empty &= empty >> (2 * STEP);
    from |= empty & from >> (4 * STEP);
    empty &= empty >> (4 * STEP);
    from | empty & from >> (8 * STEP)
}

/// One square each.
static BIT: [u128; 128] = {
    let mut table = [0; 128];
    let mut square = 0;
    while square < 128 {
        table[square] = 1 << square;
        square += 1;
    }
    table
};

/// The squares from one square to the edge, by direction towards higher bits and by square.
static UP: [[u128; 128]; 4] = [rays(1, 0), rays(-1, 1), rays(0, 1), rays(1, 1)];
static DOWN: [[u128; 128]; 4] = [rays(-1, 0), rays(1, -1), rays(0, -1), rays(-1, -1)];

const fn rays(right: i32, up: i32) -> [u128; 128] {
    let mut table = [0; 128];
    let mut from = 0;
    while from < (LARGEST * LARGEST) as i32 {
        let (column, row) = (from % 10, from / 10);
        let (mut x, mut y) = (column + right, row + up);
        let at = square(column as usize, row as usize) as usize;
        while x >= 0 && x < 10 && y >= 0 && y < 10 {
            table[at] |= 1 << square(x as usize, y as usize);
            (x, y) = (x + right, y + up);
        }
        from += 1;
    }
    table
}
