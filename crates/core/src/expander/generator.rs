//! How families are made: the moves of a position, which of them to look at, and what the positions after them are worth.

use super::{Allowance, Family, Leaf, Needs, Refusal, Values};
use crate::error::Error;
use crate::evaluator::{Game, Line, Watch};
use crate::game::{check_moves, middle, valid, Child};
use crate::judge::{Foreseen, Judge};
use crate::leaves::{self, Leaves};
use std::sync::Arc;

/// Makes families.
pub struct FamilyGenerator<G: Game> {
    pub(crate) game: Arc<G>,
    pub(crate) judge: Judge<G>,
    moves: Vec<G::Move>,
    pub(super) children: Vec<Child<G::Position>>,
    /// The moves of positions looked at besides.
    further: Vec<G::Move>,
    /// What has been asked about the next position before.
    pub(super) foreseen: Option<Foreseen<G>>,
}

impl<G: Game> FamilyGenerator<G> {
    /// With an evaluator for the game.
    pub fn new(game: Arc<G>, judge: Judge<G>) -> FamilyGenerator<G> {
        let (moves, children, further) = (Vec::new(), Vec::new(), Vec::new());
        FamilyGenerator { game, judge, moves, children, further, foreseen: None }
    }

    /// Whether static values are computed.
    pub(super) fn wants_values(&self, needs: &Needs) -> bool {
        match needs.values {
            Values::Always => true,
            Values::WithoutScores => !self.judge.gives_scores(),
            Values::Never => false,
        }
    }

    /// The leaf that a root is.
    pub(super) fn root(&mut self, position: &G::Position, needs: &Needs) -> Result<Leaf, Error> {
        let range = self.game.value_range();
        let value = match self.wants_values(needs) {
            true => valid(self.judge.value(&Line::root(position))?, false, range)?,
            false => middle(range),
        };
        Ok(Leaf { value, max_to_move: self.game.max_to_move(position), terminal: false })
    }

    /// Fills in the family of the position at the end of a line, and leaves the children's positions in `self.children`.
    /// `first` is where they will stand in the tree.
    #[inline]
    pub(super) fn generate(
        &mut self,
        line: &Line<G::Position>,
        first: usize,
        needs: &Needs,
        allowance: Allowance,
        watch: Watch,
        family: &mut Family,
    ) -> Result<(), Refusal> {
        family.clear();
        if self.judge.is_plain() && *needs == Needs::default() {
            return self.generate_plainly(line, allowance, watch, family);
        }
        let FamilyGenerator { game, judge, moves, children, further, foreseen } = self;
        moves.clear();
        children.clear();
        match foreseen.take() {
            Some(foreseen) => judge.reconsider(foreseen, moves),
            None => {
                game.moves(line.position, moves)?;
                judge.consider(line, moves)?;
            }
        }
        let count = check_moves(moves.len())?;
        if count > allowance.nodes || count > allowance.move_calls {
            return Err(Refusal::TooLarge(count, count));
        }
        let range = game.value_range();
        let decided = judge.decided(line)?;
        let mut known = false;
        let values = match needs.values {
            Values::Always => true,
            Values::WithoutScores => !judge.gives_scores(),
            Values::Never => false,
        };
        if let Some(value) = decided {
            game.successors(line.position, moves, value, children)?;
            for child in children.iter_mut() {
                (child.value, child.terminal) = (value, true);
            }
        } else {
            match needs.leaves {
                Leaves::Inherited => {
                    let unknown = valid(judge.considered_value(line)?, false, range)?;
                    game.successors(line.position, moves, unknown, children)?;
                }
                _ if values => judge.children(line, moves, watch, children)?,
                _ => game.successors(line.position, moves, middle(range), children)?,
            }
            if (children.len() as u64) < count {
                return Err(Refusal::Stopped);
            }
            known = judge.mark_known(children)?;
            if needs.foresight {
                game.foresee(line.position, moves, children)?;
            }
            if needs.leaves != Leaves::Static && needs.leaves != Leaves::Inherited {
                let place = leaves::LeafPlace { line, first };
                family.looked =
                    leaves::value(needs.leaves, judge, &**game, place, further, watch, children)?;
                if family.looked > allowance.move_calls - count {
                    return Err(Refusal::TooLarge(count, count + family.looked));
                }
            }
        }
        if judge.is_foreign() {
            for child in children.iter() {
                valid(child.value, child.terminal, range)?;
            }
        }
        if needs.errors {
            judge.errors(line, moves, children, &mut family.errors)?;
        }
        if needs.keys {
            for child in children.iter() {
                let key = if child.terminal { None } else { game.key(&child.position)? };
                family.keys.push(key);
            }
        }
        // bounds are about static values
        if needs.bounds && values && needs.leaves == Leaves::Static && judge.gives_bounds() {
            for (place, child) in (0..).zip(children.iter()).filter(|(_, child)| !child.terminal) {
                if let Some(bounds) = judge.bounds(&line.then(&child.position))? {
                    bounds.check(child.value)?;
                    family.bounds.push((place, bounds));
                }
            }
        }
        family.places.extend_from_slice(judge.places());
        let sound = judge.is_sound();
        family.narrowed = judge.leaves_out() && !sound;
        family.claimed = (decided.is_some() || known) && !sound;
        self.list_leaves(family);
        Ok(())
    }

    /// The same where the game's own values of all moves are all that is wanted: most searches, all of the time.
    #[inline(always)]
    fn generate_plainly(
        &mut self,
        line: &Line<G::Position>,
        allowance: Allowance,
        watch: Watch,
        family: &mut Family,
    ) -> Result<(), Refusal> {
        let FamilyGenerator { game, judge, moves, children, .. } = self;
        moves.clear();
        children.clear();
        game.moves(line.position, moves)?;
        let count = check_moves(moves.len())?;
        if count > allowance.nodes || count > allowance.move_calls {
            return Err(Refusal::TooLarge(count, count));
        }
        judge.children(line, moves, watch, children)?;
        if (children.len() as u64) < count {
            return Err(Refusal::Stopped);
        }
        self.list_leaves(family);
        Ok(())
    }

    #[inline(always)]
    fn list_leaves(&self, family: &mut Family) {
        family.leaves.extend(self.children.iter().map(|child| Leaf {
            value: child.value,
            max_to_move: self.game.max_to_move(&child.position),
            terminal: child.terminal,
        }));
    }

    /// The legal moves of a position.
    pub(super) fn legal(&self, position: &G::Position) -> Result<Vec<G::Move>, Error> {
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves)?;
        Ok(moves)
    }

    /// Where the winning move stands in a position that was called won for the player to move, with this value.
    pub(super) fn winning_move(&self, position: &G::Position, value: f64) -> Option<u32> {
        // a game that fails here has no such move to show
        if self.game.outcome(position).ok()?.is_some() {
            return None;
        }
        let wins = |mv: &G::Move| {
            let next = self.game.play(position, mv).and_then(|next| self.game.outcome(&next));
            next.is_ok_and(|outcome| outcome == Some(value))
        };
        self.legal(position).ok()?.iter().position(wins).map(|place| place as u32)
    }

    /// The name of a legal move; its place, where the game fails.
    pub(super) fn name(&self, position: &G::Position, place: u32) -> String {
        match self.legal(position).as_ref().map(|moves| moves.get(place as usize)) {
            Ok(Some(mv)) => self.game.move_name(position, mv),
            _ => format!("[{place}]"),
        }
    }
}
