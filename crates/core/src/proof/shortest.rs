//! The shortest way to an end of the game that keeps a claim, by the rules alone.
//!
//! Depth after depth: does the prover get there within so many moves, whatever the other does? A table remembers for
//! every position within how many it does, and within how many it does not. A position that comes back is of no use to
//! whoever is in a hurry, so the answer holds in games where positions can come back, and its moves never go round in
//! circles.

use super::{Adviser, Pulse};
use crate::error::Error;
use crate::evaluator::Game;
use crate::search::{Claim, Control};
use std::collections::HashMap;

/// Deeper is not looked.
const DEEPEST: u16 = 400;

/// An adviser by distance.
pub(crate) struct Shortest<'a, G: Game> {
    game: &'a G,
    claim: Claim,
    pulse: Pulse<'a>,
    /// By key: the least number of moves that is known to do, and the greatest that is known not to.
    known: HashMap<u64, (u16, u16)>,
}

impl<'a, G: Game> Shortest<'a, G> {
    pub fn new(game: &'a G, claim: Claim, control: &'a mut dyn Control) -> Self {
        Shortest { game, claim, pulse: Pulse::new(control), known: HashMap::new() }
    }

    /// How many moves it takes, if the claim can be kept at all within [`DEEPEST`].
    pub fn distance(&mut self, position: &G::Position) -> Result<Option<u16>, Error> {
        for depth in 0..=DEEPEST {
            if self.within(position, depth)? {
                return Ok(Some(depth));
            }
        }
        Ok(None)
    }

    /// The place of a move on the shortest way.
    pub fn best(&mut self, position: &G::Position) -> Result<Option<u32>, Error> {
        let Some(depth) = self.distance(position)? else { return Ok(None) };
        let Some(left) = depth.checked_sub(1) else { return Ok(None) };
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves)?;
        for (place, mv) in moves.iter().enumerate() {
            let next = self.game.play(position, mv)?;
            if self.within(&next, left)? {
                return Ok(Some(place as u32));
            }
        }
        Ok(None)
    }

    /// Whether so many moves do.
    fn within(&mut self, position: &G::Position, depth: u16) -> Result<bool, Error> {
        self.pulse.beat()?;
        if let Some(value) = self.game.outcome(position)? {
            return Ok(self.claim.holds(value));
        }
        if depth == 0 {
            return Ok(false);
        }
        let key = self.game.proof_key(position)?;
        let (yes, no) = key.and_then(|key| self.known.get(&key)).copied().unwrap_or((u16::MAX, 0));
        if depth >= yes || depth <= no {
            return Ok(depth >= yes);
        }
        let mine = self.game.max_to_move(position) == self.claim.at_least;
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves)?;
        let mut all = true;
        for mv in &moves {
            let next = self.game.play(position, mv)?;
            all = self.within(&next, depth - 1)?;
            if all == mine {
                break;
            }
        }
        let answer = all;
        if let Some(key) = key {
            let entry = self.known.entry(key).or_insert((u16::MAX, 0));
            if answer {
                entry.0 = entry.0.min(depth);
            } else {
                entry.1 = entry.1.max(depth);
            }
        }
        Ok(answer)
    }
}

impl<G: Game> Adviser<G> for Shortest<'_, G> {
    fn advise(&mut self, position: &G::Position, _: &[u32]) -> Result<Option<u32>, Error> {
        self.best(position)
    }
}
