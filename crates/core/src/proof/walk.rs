//! The walk of a certificate, for every game.

use super::{no_advice, Adviser, Exported, Writer};
use crate::error::Error;
use crate::evaluator::Game;
use crate::game::middle;
use crate::search::Claim;
use std::collections::HashSet;

/// A position on the way, with what is left to look at.
struct WalkStep<P> {
    position: P,
    key: Option<u64>,
    /// Places of the moves to follow, in the order of the certificate, and how many have been.
    places: Vec<u32>,
    next: usize,
}

/// A depth-first walk that writes down the prover's choices.
pub(super) struct Walk<'a, 'b, G: Game> {
    game: &'a G,
    claim: Claim,
    writer: &'a mut Writer<'b>,
    /// Where the walk has been, and where it is.
    seen: HashSet<u64>,
    open: HashSet<u64>,
    /// Whether a position that comes back keeps the claim.
    circles: bool,
    steps: Vec<WalkStep<G::Position>>,
    line: Vec<u32>,
    done: Exported,
    moves: Vec<G::Move>,
}

impl<'a, 'b, G: Game> Walk<'a, 'b, G> {
    pub fn new(game: &'a G, claim: Claim, writer: &'a mut Writer<'b>) -> Self {
        Walk {
            game,
            claim,
            writer,
            seen: HashSet::new(),
            open: HashSet::new(),
            circles: game.repeats() && claim.holds(middle(game.value_range())),
            steps: Vec::new(),
            line: Vec::new(),
            done: Exported::default(),
            moves: Vec::new(),
        }
    }

    /// Walks from a position to every end of the game that the strategy allows.
    pub fn run(
        mut self,
        root: &G::Position,
        adviser: &mut dyn Adviser<G>,
    ) -> Result<Exported, Error> {
        self.enter(root.clone(), adviser)?;
        while let Some(step) = self.steps.last_mut() {
            let Some(&place) = step.places.get(step.next) else {
                if let Some(key) = step.key {
                    self.open.remove(&key);
                }
                self.steps.pop();
                self.line.pop();
                continue;
            };
            step.next += 1;
            self.moves.clear();
            self.game.moves(&step.position, &mut self.moves)?;
            let Some(mv) = self.moves.get(place as usize) else { return Err(no_advice()) };
            let next = self.game.play(&step.position, mv)?;
            self.line.push(place);
            if !self.enter(next, adviser)? {
                self.line.pop();
            }
        }
        Ok(self.done)
    }

    /// Comes to a position; tells whether there is anything below it to look at.
    fn enter(
        &mut self,
        position: G::Position,
        adviser: &mut dyn Adviser<G>,
    ) -> Result<bool, Error> {
        if let Some(value) = self.game.outcome(&position)? {
            return if self.claim.holds(value) { Ok(false) } else { Err(no_advice()) };
        }
        let key = self.game.proof_key(&position)?;
        if let Some(key) = key {
            if !self.seen.insert(key) {
                if self.open.contains(&key) && !self.circles {
                    return Err(Error::Argument(
                        "the strategy goes round in circles: ask for the shortest win".into(),
                    ));
                }
                return Ok(false);
            }
            self.open.insert(key);
        }
        self.done.positions += 1;
        self.moves.clear();
        self.game.moves(&position, &mut self.moves)?;
        let mut places = self.game.proof_order(&position, &self.moves);
        let mine = self.game.max_to_move(&position) == self.claim.at_least;
        if mine && places.len() > 1 {
            let place = adviser.advise(&position, &self.line)?.ok_or_else(no_advice)?;
            let at = places.iter().position(|other| *other == place).ok_or_else(no_advice)?;
            let claimed = self.is_claimed(&position, place)?;
            self.writer.number((at + if claimed { places.len() } else { 0 }) as u32)?;
            self.done.choices += 1;
            places = if claimed { Vec::new() } else { vec![place] };
        }
        self.steps.push(WalkStep { position, key, places, next: 0 });
        Ok(true)
    }

    /// Whether the checkers see that a move keeps the claim.
    fn is_claimed(&self, position: &G::Position, place: u32) -> Result<bool, Error> {
        let Some(mv) = self.moves.get(place as usize) else { return Err(no_advice()) };
        let next = self.game.play(position, mv)?;
        Ok(self.game.outcome(&next)?.is_none()
            && self.game.max_to_move(&next) != self.claim.at_least
            && self.game.claimed(&next).is_some_and(|value| self.claim.holds(value)))
    }
}
