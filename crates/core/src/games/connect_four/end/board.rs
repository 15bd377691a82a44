//! What can be read off a board of Connect-Four: see [`super`].

use super::super::{BOTTOM, CELLS};

pub(super) const ODD: u64 = BOTTOM * 0b01_0101;
pub(super) const EVEN: u64 = BOTTOM * 0b10_1010;

/// Whether there are four in a line.
#[inline(always)]
pub(super) fn has_four(stones: u64) -> bool {
    let pairs = |step: u32| stones & stones >> step;
    let four = |pairs: u64, step: u32| pairs & pairs >> (2 * step);
    four(pairs(1), 1) | four(pairs(6), 6) | four(pairs(7), 7) | four(pairs(8), 8) != 0
}

/// The cells that complete four, whether they are empty or not.
#[inline(always)]
pub(super) fn completing(stones: u64) -> u64 {
    let along = |step: u32| {
        let (up, down) = (stones << step, stones >> step);
        up & stones << (2 * step) & (stones << (3 * step) | down)
            | down & stones >> (2 * step) & (up | stones >> (3 * step))
    };
    stones << 1 & stones << 2 & stones << 3 | along(6) | along(7) | along(8)
}

/// The number of bits, where there are few.
#[inline(always)]
pub(super) fn few(mut bits: u64) -> i32 {
    let mut count = 0;
    while bits != 0 {
        bits &= bits - 1;
        count += 1;
    }
    count
}

#[inline(always)]
pub(super) fn lowest(bits: u64) -> u64 {
    bits & bits.wrapping_neg()
}

pub(super) fn mirrored(key: u64) -> u64 {
    let column = |from: u32| key >> (7 * from) & 0x7f;
    (0..7).fold(0, |all, from| all | column(from) << (7 * (6 - from)))
}

/// The stones before a move: the mover's, the other's, and the cells where the other completes four.
#[derive(Clone, Copy)]
pub(super) struct FourBoard {
    pub own: u64,
    pub other: u64,
    pub threats: u64,
}

impl FourBoard {
    pub fn new(own: u64, other: u64) -> FourBoard {
        FourBoard { own, other, threats: completing(other) & CELLS & !(own | other) }
    }

    #[inline(always)]
    pub fn taken(self) -> u64 {
        self.own | self.other
    }

    #[inline(always)]
    pub fn playable(self) -> u64 {
        (self.taken() + BOTTOM) & CELLS
    }

    #[inline(always)]
    pub fn after(self, stone: u64) -> FourBoard {
        FourBoard::new(self.other, self.own | stone)
    }

    /// What following up shows: whether the mover cannot win, and whether he loses.
    #[inline(always)]
    pub fn followed_up(self, stones: u32) -> (bool, bool) {
        let FourBoard { own, other, threats } = self;
        let (empty, playable) = (CELLS ^ self.taken(), self.playable());
        let lows = playable & EVEN;
        let even = threats & EVEN & !lows;
        // odd rows above even threats
        let cut = even << 1 | even << 3;
        if stones % 2 == 0 {
            if has_four(own | empty & ODD & !cut | lows) {
                return (false, false);
            }
            return (true, even != 0 || has_four(other | empty & EVEN & !lows));
        }
        let mut odd = threats & ODD & !playable;
        while odd != 0 {
            let threat = lowest(odd);
            odd ^= threat;
            let column = 0x3f << (threat.trailing_zeros() / 7 * 7);
            let low = lows & column;
            let below = (threat - 1) & column & EVEN & empty;
            let rest = empty & ODD & !column & !cut | lows & !low;
            if low != 0 && !has_four(own | rest | below) {
                return (true, true);
            }
        }
        (false, false)
    }
}
