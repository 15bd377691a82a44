//! The walk of a certificate for a game of connection, where a stone too many never hurts.
//!
//! A strategy there needs only some cells, its *carrier*. A reply outside the carrier of an answer is met by the same
//! answer: so of all replies only those are walked that no answer so far leaves alone. The walk stops where the prover's
//! stones join the edges, or do so by *bridges*: two empty cells of which the prover gets one, whatever the other does.

mod geometry;
#[cfg(test)]
mod tests;

use super::{no_advice, Exported, Writer};
use crate::error::Error;
use crate::game::CellBoard;
use geometry::{cells, lowest, CellPlaces, Geometry, StrategyNeeds, FAR, NEAR};
use std::collections::HashMap;

/// Strategies by the places that they join, each with something to find it by.
type Shown = HashMap<CellPlaces, Vec<(StrategyNeeds, u32)>>;

/// The one of those that fit which needs the fewest cells.
fn fitting(shown: &Shown, (places, own, free): CellProblem) -> Option<(StrategyNeeds, u32)> {
    let fit = shown.get(&places)?.iter().filter(|(needs, _)| needs.fits(own, free));
    fit.min_by_key(|(needs, _)| needs.cells.count_ones()).copied()
}

/// What a problem was put down as.
#[derive(Clone, Copy, PartialEq)]
enum Put {
    /// The prover is to move, and the answer may do elsewhere.
    Answered,
    /// The other is to move, and the strategy may do elsewhere.
    Met,
    /// The other is to move, and a strategy that was shown before fits.
    Fitted,
}

/// Into how many parts a connection is taken apart, at the most.
const PARTS: u32 = 4;

/// What is to be joined, with which stones and cells.
type CellProblem = (CellPlaces, u128, u128);

/// A depth-first walk that writes down the answers.
pub(super) struct CellWalk<'a, 'b> {
    geometry: Geometry,
    board: CellBoard,
    writer: &'a mut Writer<'b>,
    /// What is needed in problems where the other is to move, and in those where the prover is.
    met: HashMap<CellProblem, StrategyNeeds>,
    answered: HashMap<CellProblem, StrategyNeeds>,
    /// The strategies that were walked, by number, and the answers to begin with.
    shown: Shown,
    answers: Shown,
    count: u32,
    /// What was put there last, so that it can be taken back.
    recent: Vec<(Put, CellProblem)>,
    choices: u64,
}

impl<'a, 'b> CellWalk<'a, 'b> {
    pub fn new(board: CellBoard, writer: &'a mut Writer<'b>) -> Self {
        CellWalk {
            geometry: Geometry::new(board.size, board.rows),
            board,
            writer,
            met: HashMap::new(),
            answered: HashMap::new(),
            shown: HashMap::new(),
            answers: HashMap::new(),
            count: 0,
            recent: Vec::new(),
            choices: 0,
        }
    }

    /// Walks from the board; `ask` knows the best moves after a line of places.
    pub fn run(mut self, ask: Ask) -> Result<Exported, Error> {
        self.walk(ask)?;
        let positions = (self.met.len() + self.answered.len()) as u64;
        Ok(Exported { positions, choices: self.choices })
    }

    fn walk(&mut self, ask: Ask) -> Result<(), Error> {
        let CellBoard { own, free, moves, .. } = self.board;
        let (problem, mut line) = (((NEAR, FAR), own, free), Vec::new());
        if moves {
            self.answer(problem, Some((&mut line, ask)))?;
        } else {
            self.meet(problem, PARTS, Some((&mut line, ask)))?;
        }
        Ok(())
    }

    /// What a strategy needs where the prover is to move.
    fn answer(&mut self, problem: CellProblem, mut whole: Whole) -> Result<StrategyNeeds, Error> {
        if let Some(needs) = self.answered.get(&problem) {
            return Ok(*needs);
        }
        let (places, own, free) = problem;
        let known = self.at_once(problem);
        let known = known.or_else(|| Some(1 << fitting(&self.answers, problem)?.1));
        let cell = match (known, &mut whole) {
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
        let then = |walk: &mut Self, whole: Whole| walk.meet(next, parts, whole);
        let StrategyNeeds { cells, stones } = self.after(place_of(free, cell), whole, then)?;
        let needs = StrategyNeeds { cells: cells | cell, stones: stones & !cell };
        self.put(Put::Answered, problem, needs, cell.trailing_zeros());
        Ok(needs)
    }

    /// What a strategy needs where the other is to move: so deep as there are cells, at most.
    fn meet(
        &mut self,
        problem: CellProblem,
        parts: u32,
        whole: Whole,
    ) -> Result<StrategyNeeds, Error> {
        let (places, own, free) = problem;
        if let Some(needs) = self.geometry.linked(places, own, free) {
            return Ok(needs);
        }
        if let Some(needs) = self.met.get(&problem) {
            return Ok(*needs);
        }
        if free == 0 {
            return Err(no_advice());
        }
        if let Some((needs, number)) = fitting(&self.shown, problem) {
            self.number(1 + self.board.size * self.board.size + number)?;
            self.put(Put::Fitted, problem, needs, number);
            return Ok(needs);
        }
        let needs = match self.split(problem, parts)? {
            Some(needs) => needs,
            None => self.meet_all(problem, whole)?,
        };
        self.put(Put::Met, problem, needs, self.count);
        self.count += 1;
        Ok(needs)
    }

    /// Meets one reply after another.
    fn meet_all(&mut self, problem: CellProblem, mut whole: Whole) -> Result<StrategyNeeds, Error> {
        let (places, own, free) = problem;
        self.number(0)?;
        let (mut todo, mut needs) = (free, StrategyNeeds::default());
        // the most stubborn replies first: what answers them answers most of the others
        let mut first = match &mut whole {
            Some((line, ask)) => ask(line)?.into_iter(),
            None => Vec::new().into_iter(),
        };
        while todo != 0 {
            let stubborn =
                first.find_map(|place| cell_at(free, place).filter(|cell| cell & todo != 0));
            let reply = stubborn.unwrap_or(lowest(todo));
            self.number(reply.trailing_zeros())?;
            let next = (places, own, free & !reply);
            let again = whole.as_mut().map(|(line, ask)| (&mut **line, &mut **ask as Ask));
            let place = place_of(free, reply);
            let needed = self.after(place, again, |walk, whole| walk.answer(next, whole))?;
            todo &= needed.cells;
            needs = needs.and(needed);
        }
        Ok(needs)
    }

    /// Puts down what a problem needs, and what to find that by.
    fn put(&mut self, put: Put, problem: CellProblem, needs: StrategyNeeds, number: u32) {
        let (kept, shown) = match put {
            Put::Answered => (&mut self.answered, Some(&mut self.answers)),
            Put::Met => (&mut self.met, Some(&mut self.shown)),
            Put::Fitted => (&mut self.met, None),
        };
        kept.insert(problem, needs);
        if let Some(shown) = shown {
            shown.entry(problem.0).or_default().push((needs, number));
        }
        self.recent.push((put, problem));
    }

    /// Takes back all but so many of those that were put there last.
    fn take_back(&mut self, recent: usize) {
        for (put, problem) in self.recent.drain(recent..).rev() {
            let (kept, shown) = match put {
                Put::Answered => (&mut self.answered, Some(&mut self.answers)),
                Put::Met => (&mut self.met, Some(&mut self.shown)),
                Put::Fitted => (&mut self.met, None),
            };
            kept.remove(&problem);
            shown.and_then(|shown| shown.get_mut(&problem.0)?.pop());
            self.count -= u32::from(put == Put::Met);
        }
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
    fn split(&mut self, problem: CellProblem, parts: u32) -> Result<Option<StrategyNeeds>, Error> {
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
                let rest = ((stone, to), own, free & !first.cells);
                Ok(first.and(self.meet(rest, parts - 1, None)?))
            });
            if let Ok(needs) = second {
                return Ok(Some(needs));
            }
            // the first part took what the second needs
            self.writer.bytes.truncate(bytes);
            self.choices = choices;
            self.take_back(recent);
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
        let best = cells(free).filter_map(needed).min_by_key(|(needs, _)| needs.cells.count_ones());
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
