//! Proof and disproof numbers: two numbers a node.

use super::staircase::INFINITE;

/// The two numbers of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pair {
    pub pn: u32,
    pub dn: u32,
}

impl Pair {
    pub const OPEN: Pair = Pair { pn: 1, dn: 1 };
    pub const WON: Pair = Pair { pn: 0, dn: INFINITE };
    pub const LOST: Pair = Pair { pn: INFINITE, dn: 0 };

    pub fn of_result(won: bool) -> Pair {
        if won {
            Pair::WON
        } else {
            Pair::LOST
        }
    }

    /// The numbers of a node from its children's (equation 2).
    #[inline]
    pub fn of_family(max: bool, children: impl Iterator<Item = Pair>) -> Pair {
        let (mut least, mut sum) = (INFINITE, 0);
        for child in children {
            let (one, all) = if max { (child.pn, child.dn) } else { (child.dn, child.pn) };
            least = least.min(one);
            sum = add(sum, all);
        }
        if max {
            Pair { pn: least, dn: sum }
        } else {
            Pair { pn: sum, dn: least }
        }
    }

    /// The number that the player to move wants to be small.
    #[inline]
    pub fn own(self, max: bool) -> u32 {
        if max {
            self.pn
        } else {
            self.dn
        }
    }

    #[inline]
    pub fn is_solved(self) -> bool {
        self.pn == 0 || self.dn == 0
    }
}

/// A sum that is infinite only if a part is: numbers too large to count stay below infinity.
#[inline]
pub(crate) fn add(a: u32, b: u32) -> u32 {
    if a == INFINITE || b == INFINITE {
        INFINITE
    } else {
        a.saturating_add(b).min(INFINITE - 1)
    }
}
