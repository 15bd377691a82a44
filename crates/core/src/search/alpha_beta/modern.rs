//! The modern form for every game: principal variation search with what strong programs share.
//!
//! - Null windows after the first move: J. Pearl, "Scout: a simple game-searching algorithm" (1980); A. Reinefeld, "An
//!   improvement to the Scout tree search algorithm" (1983), Section 3.
//! - Iterative deepening, each iteration with a window around the last value.
//! - The table's move first, before the others are even made; then by static values, killers (S. Akl and M. Newborn 1977)
//!   and the history of moves of a kind (J. Schaeffer, "The history heuristic and alpha-beta search enhancements in
//!   practice", 1989, Section III).
//! - Late moves less deep, and again if they turn out well; a pass as a test where the game has one.
//!
//! It is made of the same parts as the selective form, without what was found for chess: no margins, no moves left out. A
//! game with margins is searched by the selective form instead.
//!
//! Reductions and passes are guesses. What they cut short ends at a static value, like every line at the horizon, so a
//! value that is proven rests on finished games alone: either no line of the search ended at the horizon, or the value is
//! an end of the range, which only finished games have.

use super::selective::memory::SLOTS;
use super::selective::pruning::reduction;
use super::selective::{Ranked, Visited, UNKNOWN};
use super::{legal, looked_at, AlphaBeta, Ply};
use crate::error::Error;
use crate::evaluator::{Game, Line};
use crate::game::{valid, Child};
use crate::params::Params;
use crate::search::budget::{Halt, Meter};
use crate::search::end_game::above;

/// What a move's record weighs against its static value, whose best and worst in a family are one apart.
const RECORD: f64 = 0.2;
/// What a killer is worth.
const KILLER: f64 = 0.1;
/// The window around the last value: so many of the usual changes from one iteration to the next.
const CHANGES: f64 = 2.0;

/// Whether the modern form is wanted, with nothing that contradicts it.
pub(super) fn is_wanted(params: &Params) -> Result<bool, Error> {
    if params.text("variant") != "modern" {
        return Ok(false);
    }
    let stray = match () {
        () if params.bool("selective") => "selective",
        () if params.text("ordering") == "all" => "ordering",
        () => return Ok(true),
    };
    let text = format!("variant='modern' reduces and orders in its own way: leave {stray} out");
    Err(Error::Argument(text))
}

impl<G: Game> AlphaBeta<G> {
    /// By how much values change from one iteration to the next.
    pub(super) fn usual_change(&self) -> f64 {
        let done = &self.iterations;
        let changes = done.windows(2).map(|pair| (pair[1].value - pair[0].value).abs());
        CHANGES * changes.sum::<f64>() / done.len().max(1) as f64
    }

    /// Any node of depth 2 or more.
    pub(super) fn inner_modern(
        &mut self,
        meter: &mut Meter,
        line: &Line<G::Position>,
        family: &mut Ply<G>,
        (depth, ply): (u32, usize),
        (alpha, beta): (f64, f64),
    ) -> Result<f64, Halt> {
        let key = self.game.key(line.position)?;
        let entry = match self.known(key, depth, ply, alpha, beta) {
            Some(Ok(entry)) => return Ok(entry.value),
            entry => entry.and_then(Result::err),
        };
        let first = match ply {
            0 => self.line.first().map(|place| *place as u16),
            _ => entry.map(|entry| entry.best),
        };
        let max = self.game.max_to_move(line.position);
        let (low, high) = self.game.value_range();
        let (low, high) = if max { (low, high) } else { (-high, -low) };
        let mut node = Visited {
            depth,
            ply,
            max,
            alpha,
            beta,
            low,
            high,
            urgent: self.game.is_urgent(line.position),
            narrow: beta <= above(alpha),
            cuttable: false,
            value: f64::NAN,
            improving: true,
        };
        if first.is_none() && depth >= UNKNOWN && ply > 0 {
            node.depth -= 1; // the next iteration will know its best move
        }
        self.game.moves(line.position, &mut family.moves)?;
        let outside = std::mem::take(&mut self.horizon);
        if let Some(value) = self.list_moves(meter, line, family, ply)? {
            self.horizon |= outside;
            return Ok(value);
        }
        let first = first.and_then(|first| looked_at(&family.places, first));
        let (value, place) = self.best_of_family(meter, line, family, &node, first)?;
        self.keep(key, node.depth, (alpha, beta), value, legal(&family.places, place));
        self.horizon |= outside;
        Ok(value)
    }

    /// Tries the moves one after another: the best value and its place.
    fn best_of_family(
        &mut self,
        meter: &mut Meter,
        line: &Line<G::Position>,
        family: &mut Ply<G>,
        node: &Visited,
        first: Option<u16>,
    ) -> Result<(f64, u16), Halt> {
        let ply = node.ply;
        let (mut best, mut best_place, mut alpha) = (f64::NEG_INFINITY, 0, node.alpha);
        family.tried.clear();
        family.ranked.clear();
        family.children.clear();
        for index in 0..family.moves.len() {
            let alone; // where the table's move cuts, nobody asks for the others
            let (ranked, child) = match first {
                Some(place) if index == 0 => {
                    alone = self.play_alone(meter, line, &family.moves[usize::from(place)])?;
                    let slot = self.slot(line, &family.moves[usize::from(place)]);
                    (Ranked { rank: f64::INFINITY, place, slot, promise: None }, &alone)
                }
                _ => {
                    if family.ranked.is_empty() {
                        self.make_family(meter, line, family, node, first)?;
                    }
                    let ranked = family.pick(index);
                    (ranked, &family.children[usize::from(ranked.place)])
                }
            };
            let slot = usize::from(ranked.slot);
            self.lines[ply + 1].clear();
            let value = if child.terminal {
                if node.max {
                    child.value
                } else {
                    -child.value
                }
            } else {
                let record = self.memory.record(ply, slot);
                let less = reduction(node, index, true, record);
                self.memory.make(ply, slot);
                let below = line.then(&child.position);
                let (depth, window) = (node.depth - 1, (alpha, node.beta));
                self.look(meter, &below, node, index == 0, (depth, less), window).map_err(
                    |halt| {
                        let mv = &family.moves[usize::from(ranked.place)];
                        halt.after(|| self.game.move_name(line.position, mv))
                    },
                )?
            };
            if value > best {
                (best, best_place) = (value, ranked.place);
                // a line that fails low is no line; only the root needs some answer in any case
                if value > alpha || ply == 0 {
                    self.lengthen(ply, legal(&family.places, ranked.place));
                }
                if value > alpha && ply == 0 {
                    self.memory.unfinished.clone_from(&self.lines[0]);
                }
            }
            alpha = alpha.max(best);
            if alpha >= node.beta {
                self.memory.reward(ply, node.depth, slot, &family.tried);
                break;
            }
            family.tried.push(slot);
        }
        Ok((best, best_place))
    }

    /// The kind of a move.
    #[inline]
    fn slot(&self, line: &Line<G::Position>, mv: &G::Move) -> u16 {
        (self.game.move_slot(line.position, mv) % SLOTS) as u16
    }

    /// What moves of a kind have done elsewhere, beside the static values of a family.
    #[inline]
    fn bonus(&self, ply: usize, slot: usize) -> f64 {
        let killer = if self.memory.kills(ply, slot) { KILLER } else { 0.0 };
        RECORD * self.memory.record(ply, slot) + killer
    }

    /// One child, without its static value.
    fn play_alone(
        &mut self,
        meter: &mut Meter,
        line: &Line<G::Position>,
        mv: &G::Move,
    ) -> Result<Child<G::Position>, Halt> {
        meter.afford(0, 1, 1)?;
        let position = self.game.play(line.position, mv)?;
        meter.counts.nodes += 1;
        meter.counts.move_calls += 1;
        meter.charge(1, 1);
        let outcome = self.game.outcome(&position)?;
        let value = match outcome {
            Some(value) => valid(value, true, self.game.value_range())?,
            None => f64::NAN,
        };
        Ok(Child { position, value, terminal: outcome.is_some() })
    }

    /// All children with their static values, and their order; the table's move, which was tried before, is its first.
    fn make_family(
        &mut self,
        meter: &mut Meter,
        line: &Line<G::Position>,
        family: &mut Ply<G>,
        node: &Visited,
        first: Option<u16>,
    ) -> Result<(), Halt> {
        let count = family.moves.len() as u64;
        meter.afford(0, count, count)?;
        let watch = &mut || meter.goes_on();
        self.judge.children(line, &family.moves, watch, &mut family.children)?;
        if family.children.len() < family.moves.len() {
            return Err(meter.stopped());
        }
        self.count_children(meter, family)?;
        let sign = if node.max { 1.0 } else { -1.0 };
        let (mut worst, mut best) = (f64::INFINITY, f64::NEG_INFINITY);
        for child in family.children.iter().filter(|child| !child.terminal) {
            (worst, best) = (worst.min(sign * child.value), best.max(sign * child.value));
        }
        let spread = (best - worst).max(f64::MIN_POSITIVE);
        for (place, child) in (0..).zip(&family.children) {
            let slot = self.slot(line, &family.moves[usize::from(place)]);
            let value = sign * child.value;
            let rank = match () {
                () if Some(place) == first => f64::INFINITY,
                () if child.terminal && value > best => f64::MAX,
                () if child.terminal && value < worst => f64::MIN,
                () => (value - worst) / spread + self.bonus(node.ply, usize::from(slot)),
            };
            family.ranked.push(Ranked { rank, place, slot, promise: None });
        }
        if first.is_some() {
            family.pick(0);
        }
        Ok(())
    }
}
