//! A search of a few plies, for the order of moves.

use super::{signed, EndGame, Halt, Line, Meter};
use crate::evaluator::Game;

impl<G: Game> EndGame<G> {
    /// The value, from Max's side, that a search of a few plies gives.
    pub(super) fn glance(
        &mut self,
        meter: &mut Meter,
        position: &G::Position,
        depth: u32,
        (mut low, mut high): (f64, f64),
    ) -> Result<f64, Halt> {
        if depth == 0 {
            return Ok(self.judge.value(&Line::root(position))?);
        }
        let max = self.game.max_to_move(position);
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves)?;
        let mut children = Vec::new();
        let watch = &mut || meter.goes_on();
        self.judge.children(&Line::root(position), &moves, watch, &mut children)?;
        if children.len() < moves.len() {
            return Err(meter.stopped());
        }
        children.sort_by(|a, b| signed(b.value, max).total_cmp(&signed(a.value, max)));
        let mut best = signed(f64::NEG_INFINITY, max);
        for child in children {
            let value = if child.terminal || depth == 1 {
                child.value
            } else {
                self.glance(meter, &child.position, depth - 1, (low, high))?
            };
            if max {
                best = best.max(value);
                low = low.max(best);
            } else {
                best = best.min(value);
                high = high.min(best);
            }
            if low >= high {
                break;
            }
        }
        Ok(best)
    }
}
