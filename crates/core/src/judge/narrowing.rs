//! Which moves of a position a search looks at, and in which order: what the evaluators say, then *width* and *sort*.

use super::Judge;
use crate::error::Error;
use crate::evaluator::{Candidates, Evaluator, Game, LeftOut, Line};

impl<G: Game> Judge<G> {
    /// Leaves only the moves to look at, of all legal ones; [`Judge::places`] tells which these are. To be called before
    /// anything else is asked about a position.
    #[inline]
    pub fn consider(
        &mut self,
        line: &Line<G::Position>,
        moves: &mut Vec<G::Move>,
    ) -> Result<(), Error> {
        if self.plain {
            return Ok(());
        }
        self.narrow(line, moves, self.sort)
    }

    /// The same for a search that has an order of its own.
    #[inline]
    pub fn consider_unsorted(
        &mut self,
        line: &Line<G::Position>,
        moves: &mut Vec<G::Move>,
    ) -> Result<(), Error> {
        if self.plain {
            return Ok(());
        }
        self.narrow(line, moves, false)
    }

    /// Looks at all moves of a position, whatever else could be said of it.
    pub fn consider_all(&mut self) {
        self.places.clear();
        self.left = false;
        self.opinion = None;
    }

    fn narrow(
        &mut self,
        line: &Line<G::Position>,
        moves: &mut Vec<G::Move>,
        sort: bool,
    ) -> Result<(), Error> {
        self.consider_all();
        let listed = self.own.candidates(&self.game, line, moves, &mut self.places)?;
        if listed == Candidates::All && self.foreign.is_none() && self.width >= moves.len() && !sort
        {
            return Ok(());
        }
        if listed == Candidates::All {
            self.places.extend(0..moves.len() as u16);
        }
        if let Some(foreign) = &mut self.foreign {
            if let Some(kept) = foreign.candidates(&self.game, line.position)? {
                if self.places.iter().any(|place| kept.contains(place)) {
                    self.places.retain(|place| kept.contains(place));
                } else {
                    self.places = kept; // the two have nothing in common
                }
            }
        }
        let pick = |places: &[u16]| -> Vec<G::Move> {
            places.iter().map(|place| moves[usize::from(*place)].clone()).collect()
        };
        let mut kept = pick(&self.places);
        let first = listed == Candidates::Listed && self.own.best_first() && self.foreign.is_none();
        if first {
            kept.truncate(self.width);
            self.places.truncate(self.width);
        } else if self.width < kept.len() || sort {
            let mut ranks = std::mem::take(&mut self.ranks);
            self.rank(line, &kept, &mut ranks)?;
            let mut order: Vec<usize> = (0..kept.len()).collect();
            order.sort_by(|one, two| ranks[*two].total_cmp(&ranks[*one]));
            self.ranks = ranks;
            order.truncate(self.width);
            if !sort {
                order.sort_unstable();
            }
            self.places = order.iter().map(|at| self.places[*at]).collect();
            kept = pick(&self.places);
        }
        self.left = self.places.len() < moves.len();
        if !self.left && self.places.is_sorted() {
            self.places.clear(); // all of them
        }
        *moves = kept;
        Ok(())
    }

    /// How good each of these moves looks to the player to move.
    fn rank(
        &mut self,
        line: &Line<G::Position>,
        moves: &[G::Move],
        ranks: &mut Vec<f64>,
    ) -> Result<(), Error> {
        ranks.clear();
        if self.foreign.is_none() {
            return self.own.ranks(&self.game, line, moves, ranks);
        }
        if self.gives_scores() {
            return self.scores(line, moves, ranks);
        }
        let sign = if self.game.max_to_move(line.position) { 1.0 } else { -1.0 };
        self.visit(line, moves, |child| {
            ranks.push(sign * child.value);
            true
        })
    }

    /// The places of the moves to look at among the legal ones, in the position considered last; none: all of them.
    #[inline]
    pub fn places(&self) -> &[u16] {
        &self.places
    }

    /// Whether any move of the position considered last is left out.
    #[inline]
    pub fn leaves_out(&self) -> bool {
        self.left
    }

    /// Why moves of a position are left out.
    pub fn left_out(
        &mut self,
        line: &Line<G::Position>,
        moves: &[G::Move],
    ) -> Result<Vec<LeftOut>, Error> {
        let mut left = self.own.left_out(&self.game, line, moves)?;
        let mut kept = moves.to_vec();
        self.consider(line, &mut kept)?;
        if !self.places.is_empty() {
            let known: Vec<u16> = left.iter().map(|(place, _)| *place).collect();
            let further = (0..moves.len() as u16)
                .filter(|place| !known.contains(place) && !self.places.contains(place));
            left.extend(further.map(|place| (place, "not among the best")));
        }
        left.sort_unstable();
        Ok(left)
    }
}
