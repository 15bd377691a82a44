//! Discs on the board: where a player can move, and what a move turns over.
//!
//! ```text
//!     a  b  c  d  e  f  g  h
//!  1   0  1  2  3  4  5  6  7
//!  2   8  9 10 11 12 13 14 15      bit = 8 * row + column
//!  :
//!  8  56 57 58 59 60 61 62 63
//!
//!            bit 27, which is d4         all other bits
//!   mover    as the others               discs of the player to move
//!   other    whether White is to move    discs of the other player
//! ```
//!
//! The squares in the middle are never empty, so that one set of discs tells whose disc is on d4, and the other
//! set has room for the player to move. Discs are the mover's and the other's, not Black's and White's: rules and
//! heuristics are the same for both, and a position with the colours exchanged differs in that one bit.

/// d4, e4, d5 and e5.
pub(crate) const MIDDLE: u64 = 0x0000_0018_1800_0000;
const D4: u64 = 1 << 27;
/// All squares but those of the first and of the last column.
const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;
const FIRST_COLUMN: u64 = 0x0101_0101_0101_0101;

/// The move of a player who has no other.
pub(crate) const PASS: u8 = 64;

/// A position: the discs and the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OthelloPosition {
    mover: u64,
    other: u64,
}

impl OthelloPosition {
    /// White on d4 and e5, Black on e4 and d5 and to move.
    pub(crate) const START: OthelloPosition =
        OthelloPosition::new(Discs { mover: 1 << 28 | 1 << 35, other: 1 << 27 | 1 << 36 }, true);

    /// The caller sees to it that the middle is occupied.
    #[inline(always)]
    pub(crate) const fn new(discs: Discs, black_to_move: bool) -> OthelloPosition {
        let colour = if black_to_move { 0 } else { D4 };
        OthelloPosition { mover: discs.mover, other: discs.other & !D4 | colour }
    }

    #[inline(always)]
    pub(crate) fn discs(self) -> Discs {
        Discs { mover: self.mover, other: self.other & !D4 | !self.mover & D4 }
    }

    #[inline(always)]
    pub(crate) fn black_to_move(self) -> bool {
        self.other & D4 == 0
    }

    /// With the colours exchanged.
    pub(crate) fn exchanged(self) -> OthelloPosition {
        OthelloPosition { mover: self.mover, other: self.other ^ D4 }
    }

    /// Both words, each turning all bits of the key.
    #[inline(always)]
    pub(crate) fn key(self) -> u64 {
        let mix = |word: u64| {
            let word = (word ^ word >> 32).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            (word ^ word >> 29).wrapping_mul(0x94d0_49bb_1331_11eb)
        };
        let key = mix(self.other.wrapping_add(mix(self.mover.wrapping_add(0x9e37_79b9_7f4a_7c15))));
        key ^ key >> 32
    }
}

/// The discs of the player to move and of the other one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Discs {
    pub mover: u64,
    pub other: u64,
}

impl Discs {
    /// From the other player's side: also what a pass leads to.
    #[inline(always)]
    pub fn passed(self) -> Discs {
        Discs { mover: self.other, other: self.mover }
    }

    #[inline(always)]
    pub fn empty(self) -> u64 {
        !(self.mover | self.other)
    }

    /// The squares that the mover can move to.
    #[inline(always)]
    pub fn moves(self) -> u64 {
        let inner = self.other & INNER;
        let found = self.lines::<1>(inner)
            | self.lines::<8>(self.other)
            | self.lines::<7>(inner)
            | self.lines::<9>(inner);
        found & self.empty()
    }

    /// The squares behind lines of `through` that begin beside the mover's discs, in both directions of a step.
    /// Lines of up to six are found by doubling: one, one more, then two and two more at once.
    #[inline(always)]
    fn lines<const STEP: u32>(self, through: u64) -> u64 {
        let mut up = through & (self.mover << STEP);
        up |= through & (up << STEP);
        let pairs = through & (through << STEP);
        up |= pairs & (up << (2 * STEP));
        up |= pairs & (up << (2 * STEP));
        let mut down = through & (self.mover >> STEP);
        down |= through & (down >> STEP);
        let pairs = pairs >> STEP;
        down |= pairs & (down >> (2 * STEP));
        down |= pairs & (down >> (2 * STEP));
        up << STEP | down >> STEP
    }

    /// The discs that a move to an empty square turns over: none if it is no move.
    ///
    /// Towards higher bits: with everything outside the ray filled, one added at the bottom carries through the
    /// other's discs to the first square that has none. Towards lower bits that square is the highest one left.
    #[inline(always)]
    pub fn turned(self, square: usize) -> u64 {
        let rays = &RAYS[square & 63];
        let mut turned = 0;
        for ray in rays.up {
            let end = (self.other | !ray).wrapping_add(1) & self.mover & ray;
            turned |= end.wrapping_sub(u64::from(end != 0)) & ray;
        }
        for ray in rays.down {
            let free = ray & !self.other;
            let end = 1 << 63 >> (free | 1).leading_zeros() & self.mover & free;
            turned |= end.wrapping_mul(2).wrapping_neg() & ray;
        }
        turned
    }

    /// The discs after a move, or a pass, from the side of the player who moves then.
    #[inline(always)]
    pub fn after(self, mv: u8) -> Discs {
        if mv == PASS {
            return self.passed();
        }
        let turned = self.turned(usize::from(mv));
        Discs { mover: self.other ^ turned, other: self.mover | turned | 1 << (mv & 63) }
    }
}

/// The neighbours of all squares of a set, and the set.
#[inline(always)]
pub(crate) fn around(set: u64) -> u64 {
    let last_column = FIRST_COLUMN << 7;
    let row = set | set << 1 & !FIRST_COLUMN | set >> 1 & !last_column;
    row | row << 8 | row >> 8
}

/// The squares from one square to the edge, by direction.
struct Rays {
    /// Towards higher bits: right, down, and the diagonals between.
    up: [u64; 4],
    down: [u64; 4],
}

static RAYS: [Rays; 64] = {
    const BLANK: Rays = Rays { up: [0; 4], down: [0; 4] };
    let mut table = [BLANK; 64];
    let mut square = 0;
    while square < 64 {
        let steps = [(1, 0), (-1, 1), (0, 1), (1, 1)];
        let mut i = 0;
        while i < steps.len() {
            let (right, down) = steps[i];
            table[square].up[i] = ray(square as i32, right, down);
            table[square].down[i] = ray(square as i32, -right, -down);
            i += 1;
        }
        square += 1;
    }
    table
};

const fn ray(square: i32, right: i32, down: i32) -> u64 {
    let (mut column, mut row) = (square % 8 + right, square / 8 + down);
    let mut ray = 0;
    while column >= 0 && column < 8 && row >= 0 && row < 8 {
        ray |= 1 << (8 * row + column);
        (column, row) = (column + right, row + down);
    }
    ray
}
