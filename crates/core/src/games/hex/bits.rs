//! Sets of cells: `W` words of 64 bits, shifted and masked as a whole.

/// A set of cells; cell `i` is bit `i % 64` of word `i / 64`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Bits<const W: usize>(pub [u64; W]);

impl<const W: usize> Bits<W> {
    pub const NONE: Bits<W> = Bits([0; W]);
    pub const ALL: Bits<W> = Bits([u64::MAX; W]);

    /// The set of one cell, made in registers: what is written to memory as a word and read again as two has to wait.
    #[inline(always)]
    pub fn one(cell: usize) -> Bits<W> {
        Bits(std::array::from_fn(|at| u64::from(cell / 64 == at) << (cell % 64)))
    }

    /// The same set in other words, which have room for its cells.
    #[inline]
    pub fn within<const V: usize>(self) -> Bits<V> {
        Bits(std::array::from_fn(|at| self.0.get(at).copied().unwrap_or(0)))
    }

    /// All cells before this one.
    pub fn below(cell: usize) -> Bits<W> {
        Bits(std::array::from_fn(|at| match (cell / 64).cmp(&at) {
            std::cmp::Ordering::Greater => u64::MAX,
            std::cmp::Ordering::Equal => (1 << (cell % 64)) - 1,
            std::cmp::Ordering::Less => 0,
        }))
    }

    /// Whether a cell is in the set; none beyond its words is.
    #[inline(always)]
    pub fn has(self, cell: usize) -> bool {
        self.0.get(cell / 64).is_some_and(|word| word >> (cell % 64) & 1 == 1)
    }

    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    #[inline(always)]
    pub fn meets(self, other: Bits<W>) -> bool {
        !(self & other).is_empty()
    }

    #[inline(always)]
    pub fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The first cell.
    #[inline(always)]
    pub fn first(self) -> Option<usize> {
        (0..W).find(|&at| self.0[at] != 0).map(|at| 64 * at + self.0[at].trailing_zeros() as usize)
    }

    /// The cells in order.
    #[inline(always)]
    pub fn cells(self) -> Cells<W> {
        Cells { left: self, at: 0 }
    }

    /// Every cell moved up by so many places, fewer than 64. A single word passes nothing on: only a board of
    /// more words needs `by` above 0.
    #[inline(always)]
    pub fn up(self, by: usize) -> Bits<W> {
        let mut moved = Bits::NONE;
        for at in 0..W {
            moved.0[at] = self.0[at] << by;
            if at > 0 {
                moved.0[at] |= self.0[at - 1] >> (64 - by);
            }
        }
        moved
    }

    /// Every cell moved down by so many places, fewer than 64.
    #[inline(always)]
    pub fn down(self, by: usize) -> Bits<W> {
        let mut moved = Bits::NONE;
        for at in 0..W {
            moved.0[at] = self.0[at] >> by;
            if at + 1 < W {
                moved.0[at] |= self.0[at + 1] << (64 - by);
            }
        }
        moved
    }
}

/// The cells of a set, one after the other.
pub(crate) struct Cells<const W: usize> {
    left: Bits<W>,
    at: usize,
}

impl<const W: usize> Iterator for Cells<W> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        while self.at < W {
            let word = &mut self.left.0[self.at];
            if *word != 0 {
                let cell = 64 * self.at + word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(cell);
            }
            self.at += 1;
        }
        None
    }
}

impl<const W: usize> std::ops::BitAnd for Bits<W> {
    type Output = Bits<W>;
    #[inline(always)]
    fn bitand(self, other: Bits<W>) -> Bits<W> {
        Bits(std::array::from_fn(|at| self.0[at] & other.0[at]))
    }
}

impl<const W: usize> std::ops::BitOr for Bits<W> {
    type Output = Bits<W>;
    #[inline(always)]
    fn bitor(self, other: Bits<W>) -> Bits<W> {
        Bits(std::array::from_fn(|at| self.0[at] | other.0[at]))
    }
}

impl<const W: usize> std::ops::Not for Bits<W> {
    type Output = Bits<W>;
    #[inline(always)]
    fn not(self) -> Bits<W> {
        Bits(std::array::from_fn(|at| !self.0[at]))
    }
}
