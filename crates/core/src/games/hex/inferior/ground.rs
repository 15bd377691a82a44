//! A position as its cells see it: what is next to each of them, kept up to date as stones are placed.

use super::super::bits::Bits;
use super::super::board::{Board, BLACK, WHITE};
use super::ring::{entries, Entry};
use super::STEPS;
use std::sync::OnceLock;

/// The neighbours of all cells of a board, and what an empty board has around them.
pub(super) struct Shape {
    /// In the order of the directions; the number of cells stands for a neighbour beyond an edge.
    pub neighbours: Vec<[u16; 6]>,
    /// The codes of an empty board: beyond the top and the bottom everything is black, else white.
    codes: Vec<u16>,
}

impl Shape {
    fn new(size: usize) -> Shape {
        let inside = |at: i32| (0..size as i32).contains(&at);
        let mut shape = Shape { neighbours: Vec::new(), codes: Vec::new() };
        for cell in 0..size * size {
            let mut neighbours = [(size * size) as u16; 6];
            let mut code = 0;
            for (at, (right, down)) in STEPS.into_iter().enumerate() {
                let (column, row) = ((cell % size) as i32 + right, (cell / size) as i32 + down);
                match (inside(column), inside(row)) {
                    (true, true) => neighbours[at] = (row * size as i32 + column) as u16,
                    // beyond both stands between a black and a white one, and either colour will do
                    (_, false) => code |= 1 << at,
                    _ => code |= 64 << at,
                }
            }
            shape.neighbours.push(neighbours);
            shape.codes.push(code);
        }
        shape
    }

    /// The one of this size.
    pub fn of(size: usize) -> &'static Shape {
        static SHAPES: [OnceLock<Shape>; 32] = [const { OnceLock::new() }; 32];
        SHAPES[size].get_or_init(|| Shape::new(size))
    }
}

/// Cells that have been filled, and why.
#[derive(Clone, Copy)]
pub(super) struct Fill<const W: usize> {
    pub dead: Bits<W>,
    pub captured: [Bits<W>; 2],
}

impl<const W: usize> Fill<W> {
    pub const NONE: Fill<W> = Fill { dead: Bits::NONE, captured: [Bits::NONE; 2] };

    pub fn all(&self) -> Bits<W> {
        self.dead | self.captured[BLACK] | self.captured[WHITE]
    }
}

/// Stones, and for each cell the code of its neighbours.
#[derive(Clone)]
pub(super) struct Ground<const W: usize> {
    pub shape: &'static Shape,
    entries: &'static [Entry; 4096],
    pub stones: [Bits<W>; 2],
    pub empty: Bits<W>,
    codes: [[u16; 64]; W],
}

impl<const W: usize> Ground<W> {
    pub fn new(board: &Board<W>, stones: [Bits<W>; 2]) -> Ground<W> {
        let shape = Shape::of(board.size);
        let mut ground = Ground {
            shape,
            entries: entries(),
            stones: [Bits::NONE; 2],
            empty: board.all,
            codes: [[0; 64]; W],
        };
        for (cell, code) in shape.codes.iter().enumerate() {
            ground.codes[cell / 64][cell % 64] = *code;
        }
        for colour in [BLACK, WHITE] {
            for cell in stones[colour].cells() {
                ground.place(colour, cell);
            }
        }
        ground
    }

    #[inline(always)]
    fn entry(&self, cell: usize) -> Entry {
        self.entries[self.codes[cell / 64][cell % 64] as usize & 4095]
    }

    /// A stone on an empty cell.
    #[inline(always)]
    pub fn place(&mut self, colour: usize, cell: usize) {
        self.stones[colour] = self.stones[colour] | Bits::one(cell);
        self.empty = self.empty & !Bits::one(cell);
        for (at, &next) in self.shape.neighbours[cell].iter().enumerate() {
            let next = next as usize;
            self.codes[next / 64][next % 64] |= 1 << ((at + 3) % 6 + 6 * colour);
        }
    }

    #[inline(always)]
    fn take(&mut self, colour: usize, cell: usize) {
        self.stones[colour] = self.stones[colour] & !Bits::one(cell);
        self.empty = self.empty | Bits::one(cell);
        for (at, &next) in self.shape.neighbours[cell].iter().enumerate() {
            let next = next as usize;
            self.codes[next / 64][next % 64] &= !(1 << ((at + 3) % 6 + 6 * colour));
        }
    }

    #[inline(always)]
    pub fn around(&self, cell: usize) -> Bits<W> {
        self.shape.neighbours[cell]
            .iter()
            .fold(Bits::NONE, |all, &next| all | Bits::one(next as usize))
            & self.empty
    }

    /// Fills what is dead or captured by one of these colours, beginning with cells that have changed.
    ///
    /// Two neighbours are captured if a stone on either kills the other. Dead cells go to `owner`.
    pub fn settle(&mut self, changed: Bits<W>, colours: &[usize], owner: Option<usize>) -> Fill<W> {
        let mut fill = Fill::NONE;
        let mut waiting = changed & self.empty;
        while let Some(cell) = waiting.cells().next() {
            waiting = waiting & !Bits::one(cell);
            let entry = self.entry(cell);
            if entry.dead() {
                let owner = owner.unwrap_or_else(|| self.majority(cell));
                self.place(owner, cell);
                fill.dead = fill.dead | Bits::one(cell);
                waiting = waiting | self.around(cell);
                continue;
            }
            for &colour in colours {
                if let Some(other) = self.partner(cell, entry, colour) {
                    self.place(colour, cell);
                    self.place(colour, other);
                    fill.captured[colour] =
                        fill.captured[colour] | Bits::one(cell) | Bits::one(other);
                    waiting = (waiting | self.around(cell) | self.around(other)) & self.empty;
                    break;
                }
            }
        }
        fill
    }

    /// A neighbour that is captured together with this cell.
    #[inline(always)]
    fn partner(&self, cell: usize, entry: Entry, colour: usize) -> Option<usize> {
        let mut killers = entry.killers(colour);
        while killers != 0 {
            let at = killers.trailing_zeros() as usize;
            let other = self.shape.neighbours[cell][at] as usize;
            if self.entry(other).killers(colour) >> ((at + 3) % 6) & 1 == 1 {
                return Some(other);
            }
            killers &= killers - 1;
        }
        None
    }

    /// Who has more stones next to a cell.
    fn majority(&self, cell: usize) -> usize {
        let code = self.codes[cell / 64][cell % 64];
        if (code & 63).count_ones() >= (code >> 6 & 63).count_ones() {
            BLACK
        } else {
            WHITE
        }
    }

    /// What a stone on an empty cell of a settled ground would make dead or capture for its owner.
    #[inline]
    pub fn effect(&mut self, colour: usize, cell: usize) -> Fill<W> {
        let stirs = self.shape.neighbours[cell].iter().enumerate().any(|(at, &next)| {
            let next = next as usize;
            let code = self.codes[next / 64][next % 64] as usize;
            let entry = |code: usize| self.entries[code & 4095];
            self.empty.has(next)
                && entry(code | 1 << ((at + 3) % 6 + 6 * colour)).tells_more(entry(code), colour)
        });
        if !stirs {
            return Fill::NONE;
        }
        self.place(colour, cell);
        let fill = self.settle(self.around(cell), &[colour], Some(colour));
        self.take(colour, cell);
        for cell in fill.all().cells() {
            self.take(colour, cell);
        }
        fill
    }
}
