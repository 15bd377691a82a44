//! The walk of a certificate for a game of connection, where a stone too many never hurts.
//!
//! A strategy there needs only some cells, its *carrier*. A reply outside the carrier of an answer is met by the same
//! answer: so of all replies only those are walked that no answer so far leaves alone. The walk stops where the prover's
//! stones join the edges, or do so by *bridges*: two empty cells of which the prover gets one, whatever the other does.

use super::{no_advice, Exported, Writer};
use crate::error::Error;
use crate::game::CellBoard;
use std::collections::HashMap;

/// Steps to the six neighbours, round a cell.
#[derive(Clone, Copy, Debug)]
struct Geometry {
    size: u32,
    all: u128,
    first_column: u128,
    last_column: u128,
    near: u128,
    far: u128,
    /// The rows or columns next to the edges, and the two directions of a bridge from there to the edge.
    next_to: [u128; 2],
    to_edge: [[usize; 2]; 2],
}

const EAST: usize = 0;
const NORTH_EAST: usize = 1;
const NORTH: usize = 2;
const WEST: usize = 3;
const SOUTH_WEST: usize = 4;
const SOUTH: usize = 5;

impl Geometry {
    fn new(size: u32, rows: bool) -> Geometry {
        let all = u128::MAX >> (128 - size * size);
        let row = u128::MAX >> (128 - size);
        let column = (0..size).fold(0, |set, row| set | 1 << (size * row));
        let (near, step) = if rows { (row, size) } else { (column, 1) };
        // on a board of one row there is none next to the edge
        let next = if size > 1 { near << step } else { 0 };
        let last = size.saturating_sub(2);
        Geometry {
            size,
            all,
            first_column: column,
            last_column: column << (size - 1),
            near,
            far: near << (step * (size - 1)),
            next_to: [next, if size > 1 { near << (step * last) } else { 0 }],
            to_edge: if rows {
                [[NORTH, NORTH_EAST], [SOUTH, SOUTH_WEST]]
            } else {
                [[WEST, SOUTH_WEST], [EAST, NORTH_EAST]]
            },
        }
    }

    /// All cells of a set, one step further.
    fn step(&self, set: u128, direction: usize) -> u128 {
        let (size, east) = (self.size, set & !self.last_column);
        let west = set & !self.first_column;
        self.all
            & match direction {
                EAST => east << 1,
                NORTH_EAST => east >> (size - 1),
                NORTH => set >> size,
                WEST => west >> 1,
                SOUTH_WEST => west << (size - 1),
                _ => set << size,
            }
    }

    /// All stones that are joined with some of them.
    fn flood(&self, mut set: u128, own: u128) -> u128 {
        loop {
            let around = (0..6).fold(set, |all, direction| all | self.step(set, direction));
            let more = around & own;
            if more == set {
                return set;
            }
            set = more;
        }
    }

    /// The cells of bridges by which stones join the edges, each cell in one bridge only; nothing if they do not.
    ///
    /// Groups are reached one after another from the near edge: by stones, by the first of the six bridges that leads
    /// anywhere, and to the lowest cell that it leads to. docs/proofs.md fixes that order, because checkers follow it.
    fn linked(&self, own: u128, free: u128) -> Option<u128> {
        // groups, and the cells of bridges on the way to each
        let mut groups = vec![(self.flood(own & self.near, own), 0u128)];
        let (mut reached, mut free) = (groups[0].0, free);
        loop {
            if reached & self.far != 0 {
                let (_, used) = groups.iter().find(|(group, _)| group & self.far != 0)?;
                return Some(*used);
            }
            let [one, two] = self.to_edge[1].map(|way| self.step(free, opposite(way)));
            let last = reached & self.next_to[1] & one & two;
            if last != 0 {
                let cell = lowest(last);
                let (_, used) = groups.iter().find(|(group, _)| group & cell != 0)?;
                let [one, two] = self.to_edge[1].map(|way| self.step(cell, way));
                return Some(used | one | two);
            }
            let (cell, bridge, from) = self.next(own & !reached, reached, free)?;
            let used = groups.iter().find(|(group, _)| group & from != 0).map_or(0, |group| group.1);
            let group = self.flood(cell, own);
            groups.push((group, used | bridge));
            reached |= group;
            free &= !bridge;
        }
    }

    /// The next stone that a bridge leads to, the bridge, and where it begins; nothing at the edge.
    fn next(&self, own: u128, reached: u128, free: u128) -> Option<(u128, u128, u128)> {
        for way in 0..6 {
            let other = (way + 1) % 6;
            let over = |one: usize, two: usize| self.step(self.step(reached, one) & free, two);
            let found = over(way, other) & over(other, way) & own;
            if found != 0 {
                let cell = lowest(found);
                let [one, two] = [way, other].map(|way| self.step(cell, opposite(way)));
                return Some((cell, one | two, self.step(one, opposite(other))));
            }
        }
        let [one, two] = self.to_edge[0].map(|way| self.step(free, opposite(way)));
        let found = own & self.next_to[0] & one & two;
        (found != 0).then(|| {
            let cell = lowest(found);
            let [one, two] = self.to_edge[0].map(|way| self.step(cell, way));
            (cell, one | two, 0)
        })
    }
}

fn opposite(way: usize) -> usize {
    (way + 3) % 6
}

fn lowest(set: u128) -> u128 {
    set & set.wrapping_neg()
}

/// A depth-first walk that writes down the answers.
pub(super) struct CellWalk<'a, 'b> {
    geometry: Geometry,
    board: CellBoard,
    writer: &'a mut Writer<'b>,
    /// The carriers of positions where the other is to move, and of those where the prover is.
    met: HashMap<(u128, u128), u128>,
    answered: HashMap<(u128, u128), u128>,
    done: Exported,
}

impl<'a, 'b> CellWalk<'a, 'b> {
    pub fn new(board: CellBoard, writer: &'a mut Writer<'b>) -> Self {
        let geometry = Geometry::new(board.size, board.rows);
        let (met, answered) = (HashMap::new(), HashMap::new());
        CellWalk { geometry, board, writer, met, answered, done: Exported::default() }
    }

    /// Walks from the board; `ask` gives the place of a winning move after a line of places.
    pub fn run(mut self, ask: Ask) -> Result<Exported, Error> {
        let CellBoard { own, free, moves, .. } = self.board;
        let mut line = Vec::new();
        if moves {
            self.answer(own, free, &mut line, ask)?;
        } else {
            self.meet(own, free, &mut line, ask)?;
        }
        Ok(self.done)
    }

    /// The carrier of a strategy where the prover is to move.
    fn answer(
        &mut self,
        own: u128,
        free: u128,
        line: &mut Vec<u32>,
        ask: Ask,
    ) -> Result<u128, Error> {
        if let Some(carrier) = self.answered.get(&(own, free)) {
            return Ok(*carrier);
        }
        self.done.positions += 1;
        let cell = match self.at_once(own, free) {
            Some(cell) => cell,
            None => cell_at(free, ask(line)?.ok_or_else(no_advice)?).ok_or_else(no_advice)?,
        };
        self.writer.number(cell.trailing_zeros())?;
        self.done.choices += 1;
        line.push(place_of(free, cell));
        let carrier = cell | self.meet(own | cell, free & !cell, line, ask)?;
        line.pop();
        self.answered.insert((own, free), carrier);
        Ok(carrier)
    }

    /// The carrier of a strategy where the other is to move: so deep as there are cells, at most.
    fn meet(
        &mut self,
        own: u128,
        free: u128,
        line: &mut Vec<u32>,
        ask: Ask,
    ) -> Result<u128, Error> {
        if let Some(carrier) = self.geometry.linked(own, free) {
            return Ok(carrier);
        }
        if let Some(carrier) = self.met.get(&(own, free)) {
            return Ok(*carrier);
        }
        if free == 0 {
            return Err(no_advice());
        }
        self.done.positions += 1;
        let (mut todo, mut carrier) = (free, 0);
        while todo != 0 {
            let reply = lowest(todo);
            line.push(place_of(free, reply));
            let needed = self.answer(own, free & !reply, line, ask)?;
            line.pop();
            todo &= needed;
            carrier |= needed;
        }
        self.met.insert((own, free), carrier);
        Ok(carrier)
    }

    /// A cell that joins the edges at once, if there is one: that which needs the fewest others.
    fn at_once(&self, own: u128, free: u128) -> Option<u128> {
        let cells = std::iter::successors(Some(free), |left| Some(left & left.wrapping_sub(1)));
        let cells = cells.take_while(|left| *left != 0).map(lowest);
        let needed = |cell: u128| Some((self.geometry.linked(own | cell, free & !cell)?, cell));
        let best = cells.filter_map(needed).min_by_key(|(carrier, _)| carrier.count_ones());
        best.map(|(_, cell)| cell)
    }
}

/// Gives the place of a winning move after a line.
pub(super) type Ask<'a> = &'a mut dyn FnMut(&[u32]) -> Result<Option<u32>, Error>;

fn place_of(free: u128, cell: u128) -> u32 {
    (free & (cell - 1)).count_ones()
}

fn cell_at(mut free: u128, place: u32) -> Option<u128> {
    for _ in 0..place {
        free &= free.wrapping_sub(1);
    }
    Some(lowest(free)).filter(|cell| *cell != 0)
}
