//! What the selective form does not look at, or not as deep as the rest. Everything here is a guess: whatever it cuts
//! short counts as a static value, and is no part of a proof.

use super::{Visited, NO_MOVE};
use crate::evaluator::{Game, Line};
use crate::search::alpha_beta::AlphaBeta;
use crate::search::budget::{Halt, Meter};
use crate::search::end_game::above;
use std::sync::LazyLock;

/// A hundredth of the pawn of chess, in parts of the value range.
const UNIT: f64 = 1.0 / 40_000.0;
/// How far ahead a player must be for each ply that is left, to be left alone.
const AHEAD: f64 = 80.0;
/// How far behind, for each ply that is left, so that quiet moves do not help.
const BEHIND: f64 = 90.0;
/// How far behind, so that only a search of captures can tell.
const FAR_BEHIND: f64 = 250.0;
/// What an exchange may lose for each ply that is left.
const LOSS: f64 = 90.0;
/// Plies before the horizon where all this applies.
const NEAR: u32 = 7;

/// Natural logarithms of small numbers.
static LOGARITHM: LazyLock<[f64; 64]> =
    LazyLock::new(|| std::array::from_fn(|n| (n.max(1) as f64).ln()));

impl<G: Game> AlphaBeta<G> {
    /// So many hundredths of a pawn, in the game's own unit.
    pub(super) fn units(&self, count: f64) -> f64 {
        let (low, high) = self.game.value_range();
        count * UNIT * (high - low)
    }

    /// Ends a line that cannot matter: the player to move is far ahead, or far behind, or could even pass.
    pub(super) fn cut_early(
        &mut self,
        meter: &mut Meter,
        line: &Line<G::Position>,
        node: &Visited,
    ) -> Result<Option<f64>, Halt> {
        if !node.cuttable {
            return Ok(None);
        }
        let Visited { depth, value, beta, .. } = *node;
        let margin =
            self.units(AHEAD) * f64::from(depth - u32::from(node.improving).min(depth - 1));
        if depth <= NEAR && value - margin >= beta {
            self.horizon = true;
            return Ok(Some(value));
        }
        if depth <= 2 && value + self.units(FAR_BEHIND) * f64::from(depth) <= node.alpha {
            let found = self.quiet_value(line, node.max, (node.alpha, beta))?;
            if found <= node.alpha {
                return Ok(Some(found));
            }
        }
        self.pass(meter, line, node)
    }

    /// A player who is ahead even after a pass needs no closer look: D. Beal (1989), C. Donninger (1993).
    fn pass(
        &mut self,
        meter: &mut Meter,
        line: &Line<G::Position>,
        node: &Visited,
    ) -> Result<Option<f64>, Halt> {
        let Visited { depth, ply, value, alpha, beta, .. } = *node;
        if depth < 3 || value < beta || self.memory.after_a_pass(ply) {
            return Ok(None);
        }
        let Some(passed) = self.game.pass(line.position) else { return Ok(None) };
        if self.game.outcome(&passed)?.is_some() {
            return Ok(None); // the other player could not move
        }
        let ahead = ((value - beta) / self.units(200.0)).clamp(0.0, 2.0) as u32;
        let less = (3 + depth / 4 + ahead).min(depth - 1);
        self.memory.make(ply, NO_MOVE);
        let below = line.then(&passed);
        let found = -self.search(meter, &below, depth - less, ply + 1, -beta, -alpha)?;
        self.horizon = true;
        self.lines[ply].clear();
        // a win after a pass is no win
        Ok((found >= beta).then_some(found.min(-above(-node.high))))
    }

    /// Whether a move is not worth a look: too late, too quiet for a player who is behind, or a loss by exchanges.
    pub(super) fn is_hopeless(&self, node: &Visited, promise: Option<f64>, quiets: usize) -> bool {
        if node.ply == 0 || node.urgent || node.depth > NEAR {
            return false;
        }
        let depth = f64::from(node.depth);
        if let Some(promise) = promise {
            return promise < -self.units(LOSS) * depth;
        }
        let late = (3 + node.depth * node.depth) as usize / if node.improving { 1 } else { 2 };
        quiets > late || node.value + self.units(BEHIND) * (depth + 1.0) <= node.alpha
    }
}

/// How many plies less deep a move is searched that comes late: common to all strong chess programs since 2005.
/// `record` says what moves of its kind have done, from -1 to 1.
pub(in crate::search::alpha_beta) fn reduction(
    node: &Visited,
    index: usize,
    quiet: bool,
    record: f64,
) -> u32 {
    if node.depth < 3 || index < 2 || node.urgent || !(quiet || index >= 6) {
        return 0;
    }
    let [plies, moves] = [node.depth as usize, index].map(|n| LOGARITHM[n.min(63)]);
    let mut less = 0.6 + plies * moves / 2.3;
    less -= record;
    less -= if node.narrow { 0.0 } else { 1.0 };
    less += if node.improving { 0.0 } else { 0.5 };
    less -= if quiet { 0.0 } else { 1.0 };
    less.max(0.0) as u32
}
