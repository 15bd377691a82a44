//! The board's shape and a position on it.
//!
//! ```text
//!     a  b  c
//!   1  0  1  2          cell = size * row + column; the neighbours of a cell are the cells
//!     2  3  4  5        beside it, above it and to the right of that, below it and to the
//!       3  6  7  8      left of that: 4 has 1, 2, 3, 5, 6, 7
//!
//!              last bit of all     rest       size * size bits
//!   black      White began         zero       Black's stones
//!   white      the game is over    zero       White's stones
//! ```
//!
//! Who is to move follows from the number of stones and from who began; White owns the first stone after a swap.
//! Whether the game is over is found when a stone is placed, where only the stone's own group matters, and is
//! kept: nothing ever looks at a whole board to see whether somebody has won. These two bits are why a board of
//! 64 cells needs a second word.

use super::bits::Bits;

pub(crate) const BLACK: usize = 0;
pub(crate) const WHITE: usize = 1;

/// A position: the stones, the player to move and whether the game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HexPosition<const W: usize>([Bits<W>; 2]);

const FLAG: u64 = 1 << 63;

impl<const W: usize> HexPosition<W> {
    /// The empty board.
    pub(crate) fn empty(white_begins: bool) -> HexPosition<W> {
        let mut position = HexPosition([Bits::NONE; 2]);
        position.set_flag(BLACK, white_begins);
        position
    }

    fn set_flag(&mut self, colour: usize, on: bool) {
        let word = &mut self.0[colour].0[W - 1];
        *word = *word & !FLAG | if on { FLAG } else { 0 };
    }

    #[inline(always)]
    pub(crate) fn stones(&self, colour: usize) -> Bits<W> {
        let mut stones = self.0[colour];
        stones.0[W - 1] &= !FLAG;
        stones
    }

    #[inline(always)]
    pub(crate) fn white_began(&self) -> bool {
        self.0[BLACK].0[W - 1] & FLAG != 0
    }

    #[inline(always)]
    pub(crate) fn over(&self) -> bool {
        self.0[WHITE].0[W - 1] & FLAG != 0
    }

    #[inline(always)]
    pub(crate) fn taken(&self) -> Bits<W> {
        self.stones(BLACK) | self.stones(WHITE)
    }

    #[inline(always)]
    pub(crate) fn ply(&self) -> u32 {
        self.taken().count()
    }

    /// The colour to move, also where the game is over.
    #[inline(always)]
    pub(crate) fn mover(&self) -> usize {
        (self.ply() as usize + usize::from(self.white_began())) & 1
    }

    /// With a stone of the mover's on an empty cell; it may end the game.
    #[inline(always)]
    pub(crate) fn with(&self, mover: usize, cell: usize, over: bool) -> HexPosition<W> {
        let mut next = *self;
        next.0[mover].0[cell / 64] |= 1 << (cell % 64);
        next.0[WHITE].0[W - 1] |= if over { FLAG } else { 0 };
        next
    }

    /// All of it as words, for a key.
    #[inline(always)]
    pub(crate) fn words(&self) -> impl Iterator<Item = u64> + '_ {
        self.0[BLACK].0.iter().chain(&self.0[WHITE].0).copied()
    }
}

/// The board's shape as sets of cells.
#[derive(Clone, Debug)]
pub(crate) struct Board<const W: usize> {
    pub size: usize,
    /// All cells.
    pub all: Bits<W>,
    /// All cells but the first and but the last column: where a step to the right and to the left can end.
    after_first: Bits<W>,
    before_last: Bits<W>,
    /// The cells along the two edges of each colour.
    pub edges: [[Bits<W>; 2]; 2],
}

impl<const W: usize> Board<W> {
    /// The caller sees to it that size * size cells and a bit more fit into the words.
    pub fn new(size: usize) -> Board<W> {
        let cells = |belongs: &dyn Fn(usize, usize) -> bool| {
            (0..size * size)
                .filter(|cell| belongs(cell / size, cell % size))
                .fold(Bits::NONE, |set, cell| set | Bits::one(cell))
        };
        Board {
            size,
            all: cells(&|_, _| true),
            after_first: cells(&|_, column| column > 0),
            before_last: cells(&|_, column| column + 1 < size),
            edges: [
                [cells(&|row, _| row == 0), cells(&|row, _| row + 1 == size)],
                [cells(&|_, column| column == 0), cells(&|_, column| column + 1 == size)],
            ],
        }
    }

    /// The neighbours of all cells of a set; a cell of the set is among them only if it is a neighbour of another.
    #[inline(always)]
    pub fn around(&self, set: Bits<W>) -> Bits<W> {
        let to_right = set.up(1) | set.down(self.size - 1);
        let to_left = set.down(1) | set.up(self.size - 1);
        let straight = set.up(self.size) | set.down(self.size);
        to_right & self.after_first | to_left & self.before_last | straight & self.all
    }

    /// The cells of `within` that can be reached from those of `from` in it by steps inside `within`.
    #[inline(always)]
    pub fn flood(&self, from: Bits<W>, within: Bits<W>) -> Bits<W> {
        let mut reached = from & within;
        loop {
            let further = reached | self.around(reached) & within;
            if further == reached {
                return reached;
            }
            reached = further;
        }
    }

    /// The cells where a stone of this colour would join its two edges, stones on them or not.
    ///
    /// A stone joins the edges if and only if it touches both: an edge itself, or a stone that is connected with
    /// that edge already. One look at a position so serves all its moves.
    #[inline(always)]
    pub fn winning(&self, stones: Bits<W>, colour: usize) -> Bits<W> {
        let [near, far] = self.edges[colour];
        let touch = |edge: Bits<W>| edge | self.around(self.flood(edge, stones));
        // a line from edge to edge has as many stones as a side has cells
        if (stones.count() as usize) + 1 < self.size {
            return Bits::NONE;
        }
        touch(near) & touch(far)
    }

    /// Whether a further stone joins the edges of its colour: its own group alone can do that.
    #[inline(always)]
    pub fn wins(&self, stones: Bits<W>, colour: usize, cell: usize) -> bool {
        if (stones.count() as usize) + 1 < self.size {
            return false;
        }
        let stone = Bits::one(cell);
        let group = self.flood(stone, stones | stone);
        self.edges[colour].iter().all(|edge| group.meets(*edge))
    }

    /// Whether the stones of a colour join its two edges.
    pub fn joined(&self, stones: Bits<W>, colour: usize) -> bool {
        let [near, far] = self.edges[colour];
        self.flood(near, stones).meets(far)
    }

    /// The cell on the other side of the long diagonal: what is a row for one colour is a column for the other.
    pub fn transposed(&self, cell: usize) -> usize {
        cell % self.size * self.size + cell / self.size
    }

    /// The position with the colours exchanged and the board turned over, so that the roles are exchanged too.
    pub fn exchanged(&self, position: &HexPosition<W>) -> HexPosition<W> {
        let mut other = HexPosition::empty(!position.white_began());
        for colour in [BLACK, WHITE] {
            for cell in position.stones(colour).cells() {
                other = other.with(1 - colour, self.transposed(cell), false);
            }
        }
        other.set_flag(WHITE, position.over());
        other
    }
}
