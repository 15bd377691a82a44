//! A position as its cells see it: what is next to each of them, kept up to date as stones are placed.

use super::super::bits::Bits;
use super::super::board::{Board, BLACK, WHITE};
use super::ring::{entries, RingEntry};
use super::wide::Wide;
use super::STEPS;
use std::sync::OnceLock;

/// The neighbours of all cells of a board, and what an empty board has around them.
pub(super) struct Shape {
    /// In the order of the directions; the number of cells stands for a neighbour beyond an edge.
    pub neighbours: Vec<[u16; 6]>,
    /// The neighbours on the board, as sets.
    around: Vec<[u64; 6]>,
    /// The codes of an empty board: beyond the top and the bottom everything is black, else white.
    codes: Vec<u16>,
    /// The cells at distance two, and what an empty board has there.
    pub further: Vec<[u16; 12]>,
    pub outer: Vec<u32>,
}

impl Shape {
    fn new(size: usize) -> Shape {
        let mut shape = Shape {
            neighbours: vec![],
            around: vec![],
            codes: vec![],
            further: vec![],
            outer: vec![],
        };
        let beyond = (size * size) as u16;
        for cell in 0..size * size {
            let (mut neighbours, mut around, mut code) = ([beyond; 6], [0; 6], 0);
            for (at, step) in STEPS.into_iter().enumerate() {
                match place(size, cell, step) {
                    Ok(next) => {
                        neighbours[at] = next as u16;
                        around[next / 64] |= 1 << (next % 64);
                    }
                    Err(colour) => code |= 1 << (at + 6 * colour),
                }
            }
            let (mut further, mut outer) = ([beyond; 12], 0);
            for at in 0..12 {
                let (a, b) = (STEPS[at / 2], STEPS[(at / 2 + at % 2) % 6]);
                match place(size, cell, (a.0 + b.0, a.1 + b.1)) {
                    Ok(next) => further[at] = next as u16,
                    Err(colour) => outer |= 1 << (at + 12 * colour),
                }
            }
            shape.neighbours.push(neighbours);
            shape.around.push(around);
            shape.codes.push(code);
            shape.further.push(further);
            shape.outer.push(outer);
        }
        shape
    }

    /// The one of this size.
    pub fn of(size: usize) -> &'static Shape {
        static SHAPES: [OnceLock<Shape>; 32] = [const { OnceLock::new() }; 32];
        SHAPES[size].get_or_init(|| Shape::new(size))
    }
}

/// A cell some steps away, or whose stones stand there beyond the edge. In the corners they meet, between the stones
/// of both colours, and either will do.
fn place(size: usize, cell: usize, (right, down): (i32, i32)) -> Result<usize, usize> {
    let inside = |at: i32| (0..size as i32).contains(&at);
    let (column, row) = ((cell % size) as i32 + right, (cell / size) as i32 + down);
    match (inside(column), inside(row)) {
        (true, true) => Ok(row as usize * size + column as usize),
        (_, false) => Err(BLACK),
        _ => Err(WHITE),
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

/// For which colours to look for captured cells.
#[derive(Clone, Copy)]
pub(super) struct Colours(u16);

impl Colours {
    pub const BOTH: Colours = Colours(4095);

    pub fn one(colour: usize) -> Colours {
        Colours(63 << (6 * colour))
    }
}

/// No board has as many cells.
pub(super) const CELLS: usize = 384;

/// Stones, and for each cell the code of its neighbours.
#[derive(Clone)]
pub(super) struct Ground<const W: usize> {
    pub shape: &'static Shape,
    entries: &'static [RingEntry; 4096],
    pub stones: [Bits<W>; 2],
    pub empty: Bits<W>,
    /// By cell; the number of cells stands for all that is beyond an edge.
    codes: [u16; CELLS],
}

impl<const W: usize> Ground<W> {
    pub fn new(board: &Board<W>, stones: [Bits<W>; 2]) -> Ground<W> {
        let shape = Shape::of(board.size);
        let mut ground = Ground {
            shape,
            entries: entries(),
            stones: [Bits::NONE; 2],
            empty: board.all,
            codes: [0; CELLS],
        };
        ground.codes[..shape.codes.len()].copy_from_slice(&shape.codes);
        for colour in [BLACK, WHITE] {
            for cell in stones[colour].cells() {
                ground.place(colour, cell);
            }
        }
        ground
    }

    #[inline(always)]
    fn entry(&self, cell: usize) -> RingEntry {
        self.entries[self.codes[cell] as usize & 4095]
    }

    /// A stone on an empty cell.
    #[inline(always)]
    pub fn place(&mut self, colour: usize, cell: usize) {
        self.stones[colour] = self.stones[colour] | Bits::one(cell);
        self.empty = self.empty & !Bits::one(cell);
        for (at, &next) in self.shape.neighbours[cell].iter().enumerate() {
            let next = next as usize;
            self.codes[next] |= 1 << ((at + 3) % 6 + 6 * colour);
        }
    }

    #[inline(always)]
    fn take(&mut self, colour: usize, cell: usize) {
        self.stones[colour] = self.stones[colour] & !Bits::one(cell);
        self.empty = self.empty | Bits::one(cell);
        for (at, &next) in self.shape.neighbours[cell].iter().enumerate() {
            let next = next as usize;
            self.codes[next] &= !(1 << ((at + 3) % 6 + 6 * colour));
        }
    }

    #[inline(always)]
    pub fn around(&self, cell: usize) -> Bits<W> {
        let around = &self.shape.around[cell];
        Bits(std::array::from_fn(|at| around[at])) & self.empty
    }

    /// Fills what is dead or captured by one of these colours, beginning with cells that have changed.
    ///
    /// Two neighbours are captured if a stone on either kills the other. Dead cells go to `owner`.
    #[inline]
    pub fn settle(&mut self, changed: Bits<W>, colours: Colours, owner: Option<usize>) -> Fill<W> {
        let mut fill = Fill::NONE;
        let mut waiting = changed;
        while let Some(cell) = waiting.first() {
            waiting = waiting & !Bits::one(cell);
            let entry = self.entry(cell);
            if entry.dead() {
                self.place(owner.unwrap_or_else(|| self.majority(cell)), cell);
                fill.dead = fill.dead | Bits::one(cell);
                waiting = waiting | self.around(cell);
            } else if let Some((colour, other)) = self.captor(cell, entry.killers() & colours.0) {
                self.place(colour, cell);
                self.place(colour, other);
                fill.captured[colour] = fill.captured[colour] | Bits::one(cell) | Bits::one(other);
                waiting = waiting & self.empty | self.around(cell) | self.around(other);
            }
        }
        fill
    }

    /// Fills cells that are known to be dead or captured, and what follows from that.
    pub fn bury(&mut self, fill: Fill<W>) -> Fill<W> {
        let mut changed = Bits::NONE;
        for cell in fill.all().cells() {
            let captor = [BLACK, WHITE].into_iter().find(|&colour| fill.captured[colour].has(cell));
            self.place(captor.unwrap_or_else(|| self.majority(cell)), cell);
            changed = changed | self.around(cell);
        }
        let more = self.settle(changed & self.empty, Colours::BOTH, None);
        Fill {
            dead: fill.dead | more.dead,
            captured: [BLACK, WHITE].map(|colour| fill.captured[colour] | more.captured[colour]),
        }
    }

    /// Who captures this cell, and the neighbour that is captured with it.
    #[inline(always)]
    fn captor(&self, cell: usize, mut killers: u16) -> Option<(usize, usize)> {
        while killers != 0 {
            let at = killers.trailing_zeros() as usize;
            let (colour, at) = (at / 6, at % 6);
            let other = self.shape.neighbours[cell][at] as usize;
            if self.entry(other).killers() >> ((at + 3) % 6 + 6 * colour) & 1 == 1 {
                return Some((colour, other));
            }
            killers &= killers - 1;
        }
        None
    }

    /// The empty cells that have neighbours closed to this colour, and those of them around which what is open falls
    /// into two parts or more.
    pub fn narrow(&self, colour: usize) -> [Bits<W>; 2] {
        let (mut narrow, mut passages) = (Bits::NONE, Bits::NONE);
        for cell in self.empty.cells() {
            let closed = self.codes[cell] >> (6 * (1 - colour)) & 63;
            let ends = closed & !(closed << 1 | closed >> 5);
            if closed != 0 {
                narrow = narrow | Bits::one(cell);
            }
            if ends.count_ones() > 1 {
                passages = passages | Bits::one(cell);
            }
        }
        [narrow, passages]
    }

    /// The stones at distance two from a cell: twelve bits for Black, twelve for White.
    ///
    /// The neighbour in direction `d` has three of those cells next to it, in directions `d - 1` to `d + 1`: the
    /// places `2d - 1` to `2d + 1` of the twelve.
    #[inline(always)]
    pub fn outer(&self, cell: usize) -> u32 {
        let beyond = self.shape.neighbours.len();
        let mut outer = [0u32; 2];
        for (at, &next) in self.shape.neighbours[cell].iter().enumerate() {
            let next = next as usize;
            let code = u32::from(self.codes[next]);
            let code = if next == beyond { 0 } else { code };
            for (colour, outer) in outer.iter_mut().enumerate() {
                let six = code >> (6 * colour) & 63;
                let three = (six | six << 6) >> ((at + 5) % 6) & 7;
                *outer |= three << ((2 * at + 11) % 12);
            }
        }
        // what was moved beyond the twelfth place belongs to the first ones
        let [black, white] = outer.map(|outer| (outer | outer >> 12) & 4095);
        self.shape.outer[cell] | black | white << 12
    }

    /// Cells that are dead or captured for what is at distance two, on a settled ground.
    pub fn wide_fill(&self) -> Fill<W> {
        let mut fill = Fill::NONE;
        for cell in self.empty.cells() {
            let Some(rule) = Wide::get().fills(self.codes[cell] & 4095, || self.outer(cell)) else {
                continue;
            };
            let Some(colour) = rule.captor else {
                fill.dead = fill.dead | Bits::one(cell) & !fill.all();
                continue;
            };
            let others = (0..6).filter(|at| rule.others >> at & 1 == 1);
            let set = others.fold(Bits::one(cell), |all, at| {
                all | Bits::one(self.shape.neighbours[cell][at] as usize)
            });
            if !fill.all().meets(set) {
                fill.captured[colour] = fill.captured[colour] | set;
            }
        }
        fill
    }

    /// Empty cells around where a stone of this colour kills a cell, for what is at distance two.
    pub fn wide_killers(&self, colour: usize, cell: usize) -> impl Iterator<Item = usize> + '_ {
        let rules = Wide::get().kills(colour, self.codes[cell] & 4095, move || self.outer(cell));
        rules.map(move |rule| match rule.at as usize {
            at @ 0..6 => self.shape.neighbours[cell][at] as usize,
            at => self.shape.further[cell][at - 6] as usize,
        })
    }

    /// Who has more stones next to a cell.
    fn majority(&self, cell: usize) -> usize {
        let code = self.codes[cell];
        if (code & 63).count_ones() >= (code >> 6 & 63).count_ones() {
            BLACK
        } else {
            WHITE
        }
    }

    /// The cells where a stone of this colour may have an effect, on a settled ground, and which neighbours it
    /// would stir: a bit for each direction.
    pub fn stirring(&self, colour: usize) -> (Bits<W>, [[u8; 64]; W]) {
        let (mut stirring, mut stirred) = (Bits::NONE, [[0; 64]; W]);
        for cell in self.empty.cells() {
            let mut from = self.entry(cell).stirred(colour);
            while from != 0 {
                let at = from.trailing_zeros() as usize;
                let next = self.shape.neighbours[cell][at] as usize;
                stirring = stirring | Bits::one(next);
                stirred[next / 64][next % 64] |= 1 << ((at + 3) % 6);
                from &= from - 1;
            }
        }
        (stirring, stirred)
    }

    /// What a stone on an empty cell would make dead or capture for its owner, by stirring these neighbours.
    #[inline]
    pub fn effect(&mut self, colour: usize, cell: usize, stirred: u8) -> Fill<W> {
        let mut changed = Bits::NONE;
        for at in (0..6).filter(|at| stirred >> at & 1 == 1) {
            if self.takes_hold(colour, cell, at) {
                changed = changed | Bits::one(self.shape.neighbours[cell][at] as usize);
            }
        }
        if changed.is_empty() {
            return Fill::NONE;
        }
        self.place(colour, cell);
        let fill = self.settle(changed, Colours::one(colour), Some(colour));
        self.take(colour, cell);
        for cell in fill.all().cells() {
            self.take(colour, cell);
        }
        fill
    }

    /// Whether the empty neighbour in this direction would be dead or captured after a stone on the cell: what
    /// `settle` would find, without placing the stone.
    #[inline(always)]
    fn takes_hold(&self, colour: usize, cell: usize, at: usize) -> bool {
        // a neighbour's entry with the stone, which stands in this direction from it
        let with = |next: usize, from: usize| {
            self.entries[(self.codes[next] as usize | 1 << (from % 6 + 6 * colour)) & 4095]
        };
        let next = self.shape.neighbours[cell][at] as usize;
        if !self.empty.has(next) {
            return false;
        }
        let entry = with(next, at + 3);
        let mut killers = entry.killers() >> (6 * colour) & 63;
        while killers != 0 {
            let to = killers.trailing_zeros() as usize;
            let other = self.shape.neighbours[next][to] as usize;
            // the other one may be a neighbour of the stone too, one direction further to either side
            let entry = match (to + 6 - at) % 6 {
                2 => with(other, at + 4),
                4 => with(other, at + 2),
                _ => self.entry(other),
            };
            if entry.killers() >> ((to + 3) % 6 + 6 * colour) & 1 == 1 {
                return true;
            }
            killers &= killers - 1;
        }
        entry.dead()
    }
}
