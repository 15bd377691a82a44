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

    /// The stones that a place has: those at an edge, or the group of a stone.
    fn stones(&self, place: u128, own: u128) -> u128 {
        match place {
            NEAR => self.flood(own & self.near, own),
            FAR => self.flood(own & self.far, own),
            cell => self.flood(cell, own),
        }
    }

    /// The cells of bridges by which stones join two places, each cell in one bridge only; None if they do not.
    ///
    /// Groups are reached one after another from the first place: by stones, by the first of the six bridges that leads
    /// anywhere, and to the lowest cell that it leads to. docs/proofs.md fixes that order, because checkers follow it.
    fn linked(&self, (from, to): CellPlaces, own: u128, mut free: u128) -> Option<u128> {
        let goal = self.stones(to, own);
        // groups, and the cells of bridges on the way to each
        let mut groups = vec![(self.stones(from, own), 0u128)];
        let mut reached = groups[0].0;
        let used = |groups: &[(u128, u128)], cell: u128| {
            groups.iter().find(|(group, _)| group & cell != 0).map_or(0, |group| group.1)
        };
        loop {
            if reached & goal != 0 {
                return Some(used(&groups, goal));
            }
            if to == FAR {
                let last = reached & self.at_edge(1, free);
                if last != 0 {
                    return Some(used(&groups, lowest(last)) | self.edge_bridge(1, lowest(last)));
                }
            }
            let (cell, bridge, start) = self.next(own & !reached, reached, free, from == NEAR)?;
            let group = self.flood(cell, own);
            groups.push((group, used(&groups, start) | bridge));
            reached |= group;
            free &= !bridge;
        }
    }

    /// The cells next to an edge that have a bridge to it.
    fn at_edge(&self, edge: usize, free: u128) -> u128 {
        let [one, two] = self.to_edge[edge].map(|way| self.step(free, opposite(way)));
        self.next_to[edge] & one & two
    }

    fn edge_bridge(&self, edge: usize, cell: u128) -> u128 {
        let [one, two] = self.to_edge[edge].map(|way| self.step(cell, way));
        one | two
    }

    /// The next stone that a bridge leads to, the bridge, and where it begins; 0 at the edge.
    fn next(&self, own: u128, reached: u128, free: u128, edge: bool) -> Option<(u128, u128, u128)> {
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
        let found = if edge { own & self.at_edge(0, free) } else { 0 };
        (found != 0).then(|| (lowest(found), self.edge_bridge(0, lowest(found)), 0))
    }

    /// A carrier by which two places are joined although the other is to move: by bridges, or by moves after which they
    /// are, no cell being needed by all of them.
    fn joined(&self, places: CellPlaces, own: u128, free: u128) -> Option<u128> {
        if let Some(carrier) = self.linked(places, own, free) {
            return Some(carrier);
        }
        let after = |cell: u128| Some(cell | self.linked(places, own | cell, free & !cell)?);
        let mut ways: Vec<u128> = cells(free).filter_map(after).collect();
        ways.sort_by_key(|carrier| carrier.count_ones());
        let (mut common, mut carrier) = (u128::MAX, 0);
        while common != 0 {
            let best = ways.iter().min_by_key(|way| (*way & common).count_ones())?;
            if best & common == common {
                return None;
            }
            common &= best;
            carrier |= best;
        }
        Some(carrier)
    }
}

/// Into how many parts a connection is taken apart, at the most.
const PARTS: u32 = 4;

/// Two places that are to be joined: the edges, or stones.
type CellPlaces = (u128, u128);
const NEAR: u128 = 0;
const FAR: u128 = u128::MAX;

fn cells(set: u128) -> impl Iterator<Item = u128> {
    let left = std::iter::successors(Some(set), |left| Some(left & left.wrapping_sub(1)));
    left.take_while(|left| *left != 0).map(lowest)
}

fn opposite(way: usize) -> usize {
    (way + 3) % 6
}

fn lowest(set: u128) -> u128 {
    set & set.wrapping_neg()
}

/// What is to be joined, with which stones and cells.
type CellProblem = (CellPlaces, u128, u128);

/// A depth-first walk that writes down the answers.
pub(super) struct CellWalk<'a, 'b> {
    geometry: Geometry,
    board: CellBoard,
    writer: &'a mut Writer<'b>,
    /// The carriers of problems where the other is to move, and of those where the prover is.
    met: HashMap<CellProblem, u128>,
    answered: HashMap<CellProblem, u128>,
    /// What was put there last, so that it can be taken back; by whether the prover is to move.
    recent: Vec<(bool, CellProblem)>,
    choices: u64,
}

impl<'a, 'b> CellWalk<'a, 'b> {
    pub fn new(board: CellBoard, writer: &'a mut Writer<'b>) -> Self {
        let geometry = Geometry::new(board.size, board.rows);
        let (met, answered) = (HashMap::new(), HashMap::new());
        CellWalk { geometry, board, writer, met, answered, recent: Vec::new(), choices: 0 }
    }

    /// Walks from the board; `ask` knows the best moves after a line of places.
    pub fn run(mut self, ask: Ask) -> Result<Exported, Error> {
        let CellBoard { own, free, moves, .. } = self.board;
        let (problem, mut line) = (((NEAR, FAR), own, free), Vec::new());
        if moves {
            self.answer(problem, Some((&mut line, ask)))?;
        } else {
            self.meet(problem, PARTS, Some((&mut line, ask)))?;
        }
        let positions = (self.met.len() + self.answered.len()) as u64;
        Ok(Exported { positions, choices: self.choices })
    }

    /// The carrier of a strategy where the prover is to move.
    fn answer(&mut self, problem: CellProblem, mut whole: Whole) -> Result<u128, Error> {
        if let Some(carrier) = self.answered.get(&problem) {
            return Ok(*carrier);
        }
        let (places, own, free) = problem;
        let cell = match (self.at_once(problem), &mut whole) {
            (Some(cell), _) => cell,
            (None, Some((line, ask))) => {
                let place = ask(line)?.first().copied().ok_or_else(no_advice)?;
                cell_at(free, place).ok_or_else(no_advice)?
            }
            (None, None) => return Err(no_advice()),
        };
        self.number(cell.trailing_zeros())?;
        let parts = if whole.is_some() { PARTS } else { 1 };
        let next = (places, own | cell, free & !cell);
        let carrier = cell
            | self
                .after(place_of(free, cell), whole, |walk, whole| walk.meet(next, parts, whole))?;
        self.answered.insert(problem, carrier);
        self.recent.push((true, problem));
        Ok(carrier)
    }

    /// The carrier of a strategy where the other is to move: so deep as there are cells, at most.
    fn meet(&mut self, problem: CellProblem, parts: u32, mut whole: Whole) -> Result<u128, Error> {
        let (places, own, free) = problem;
        if let Some(carrier) = self.geometry.linked(places, own, free) {
            return Ok(carrier);
        }
        if let Some(carrier) = self.met.get(&problem) {
            return Ok(*carrier);
        }
        if free == 0 {
            return Err(no_advice());
        }
        let carrier = match self.split(problem, parts)? {
            Some(carrier) => carrier,
            None => {
                self.number(0)?;
                let (mut todo, mut carrier) = (free, 0);
                // the most stubborn replies first: what answers them answers most of the others
                let mut first = match &mut whole {
                    Some((line, ask)) => ask(line)?.into_iter(),
                    None => Vec::new().into_iter(),
                };
                while todo != 0 {
                    let stubborn = first
                        .find_map(|place| cell_at(free, place).filter(|cell| cell & todo != 0));
                    let reply = stubborn.unwrap_or(lowest(todo));
                    self.number(reply.trailing_zeros())?;
                    let next = (places, own, free & !reply);
                    let again = whole.as_mut().map(|(line, ask)| (&mut **line, &mut **ask as Ask));
                    let place = place_of(free, reply);
                    let needed =
                        self.after(place, again, |walk, whole| walk.answer(next, whole))?;
                    todo &= needed;
                    carrier |= needed;
                }
                carrier
            }
        };
        self.met.insert(problem, carrier);
        self.recent.push((false, problem));
        Ok(carrier)
    }

    /// The stones, one of each group, by way of which two places are joined in two parts that have no cell in common:
    /// first the way that needs the fewest cells. The second part may be one of two parts itself, and so on.
    fn ways(&self, ((from, to), own, free): CellProblem, parts: u32) -> Vec<(u32, u128)> {
        let ends = self.geometry.stones(from, own) | self.geometry.stones(to, own);
        let (mut ways, mut left) = (Vec::new(), own & !ends);
        while left != 0 {
            let stone = lowest(left);
            left &= !self.geometry.flood(stone, own);
            let Some(first) = self.geometry.joined((from, stone), own, free) else { continue };
            let rest = ((stone, to), own, free & !first);
            let second = match self.geometry.joined(rest.0, own, rest.2) {
                Some(second) => Some(second.count_ones()),
                None if parts > 2 => self.ways(rest, parts - 1).first().map(|way| way.0),
                None => None,
            };
            ways.extend(second.map(|second| (first.count_ones() + second, stone)));
        }
        ways.sort_unstable();
        ways
    }

    /// Joins the two places in two parts, if that is easy.
    fn split(&mut self, problem: CellProblem, parts: u32) -> Result<Option<u128>, Error> {
        let ((from, to), own, free) = problem;
        if parts < 2 {
            return Ok(None);
        }
        for (_, stone) in self.ways(problem, parts) {
            let (bytes, recent, choices) =
                (self.writer.bytes.len(), self.recent.len(), self.choices);
            self.number(1 + stone.trailing_zeros())?;
            let first = self.meet(((from, stone), own, free), 1, None);
            let second = first.and_then(|first| {
                Ok(first | self.meet(((stone, to), own, free & !first), parts - 1, None)?)
            });
            match second {
                Ok(carrier) => return Ok(Some(carrier)),
                Err(_) => {
                    // the first part took what the second needs
                    self.writer.bytes.truncate(bytes);
                    self.choices = choices;
                    for (mine, problem) in self.recent.drain(recent..) {
                        let kept = if mine { &mut self.answered } else { &mut self.met };
                        kept.remove(&problem);
                    }
                }
            }
        }
        Ok(None)
    }

    /// Goes on after one move more, if the line is that of the whole game.
    fn after<T>(
        &mut self,
        place: u32,
        whole: Whole,
        then: impl FnOnce(&mut Self, Whole) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let Some((line, ask)) = whole else { return then(self, None) };
        // what is written now stays
        self.recent.clear();
        self.writer.settle()?;
        line.push(place);
        let done = then(self, Some((&mut *line, ask)));
        line.pop();
        done
    }

    fn number(&mut self, number: u32) -> Result<(), Error> {
        self.choices += 1;
        self.writer.put(number);
        Ok(())
    }

    /// A cell that joins the places at once, if there is one: that which needs the fewest others.
    fn at_once(&self, (places, own, free): CellProblem) -> Option<u128> {
        let needed =
            |cell: u128| Some((self.geometry.linked(places, own | cell, free & !cell)?, cell));
        let best = cells(free).filter_map(needed).min_by_key(|(carrier, _)| carrier.count_ones());
        best.map(|(_, cell)| cell)
    }
}

/// In the game itself: the line to here, and whom to ask after it. A part of it has neither.
type Whole<'a> = Option<(&'a mut Vec<u32>, Ask<'a>)>;

/// Gives the places of the moves that win, or of those that resist, after a line: the best first.
pub(super) type Ask<'a> = &'a mut dyn FnMut(&[u32]) -> Result<Vec<u32>, Error>;

fn place_of(free: u128, cell: u128) -> u32 {
    (free & (cell - 1)).count_ones()
}

fn cell_at(mut free: u128, place: u32) -> Option<u128> {
    for _ in 0..place {
        free &= free.wrapping_sub(1);
    }
    Some(lowest(free)).filter(|cell| *cell != 0)
}
