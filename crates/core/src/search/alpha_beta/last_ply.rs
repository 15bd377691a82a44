//! The last ply: moves are played from left to right for their static values, with cut-offs, and nothing is ordered.

use super::{legal, AlphaBeta};
use crate::evaluator::{Game, Line};
use crate::game::{check_moves, valid};
use crate::search::budget::{Halt, Meter};

impl<G: Game> AlphaBeta<G> {
    /// Depth 1, unless the table knows the answer.
    #[inline]
    pub(super) fn last_ply_once(
        &mut self,
        meter: &mut Meter,
        line: &Line<G::Position>,
        ply: usize,
        alpha: f64,
        beta: f64,
    ) -> Result<f64, Halt> {
        let wanted = self.keeps_last_ply && self.table.is_some();
        let key = if wanted { self.game.key(line.position)? } else { None };
        if let Some(entry) = self.known(key, 1, ply, alpha, beta).and_then(Result::ok) {
            return Ok(entry.value);
        }
        let outside = std::mem::take(&mut self.horizon);
        let (value, place) = self.last_ply(meter, line, alpha, beta)?;
        self.lines[ply].push(place);
        self.keep(key, 1, (alpha, beta), value, place as u16);
        self.horizon |= outside;
        Ok(value)
    }

    /// Depth 1: static values from left to right, with cut-offs; and the place of the best.
    #[inline]
    fn last_ply(
        &mut self,
        meter: &mut Meter,
        line: &Line<G::Position>,
        alpha: f64,
        beta: f64,
    ) -> Result<(f64, u32), Halt> {
        self.last_moves.clear();
        self.game.moves(line.position, &mut self.last_moves)?;
        self.judge.consider(line, &mut self.last_moves)?;
        let count = check_moves(self.last_moves.len())?;
        let affordable = meter.affordable().min(count);
        let max = self.game.max_to_move(line.position);
        if let Some(value) = self.judge.decided(line)? {
            let value = if max { value } else { -value };
            return Ok((value, u32::from(legal(self.judge.places(), 0))));
        }
        let foreign = self.judge.is_foreign();
        let mut seen = LastPly::new(max, (alpha, beta), affordable);
        let mut stopped = false;
        if foreign {
            (seen, stopped) = self.see_with_care(meter, line, seen)?;
        } else if affordable > 0 {
            // `seen` stays in registers: nothing but this closure knows where it is
            self.judge.visit_own(line, &self.last_moves, |child| {
                let more = seen.see(child.value, child.terminal);
                stopped = more && seen.visited & 15 == 0 && !meter.goes_on();
                more && !stopped
            })?;
        }
        self.horizon |= seen.horizon;
        meter.counts.nodes += seen.visited;
        meter.counts.move_calls += seen.visited;
        meter.charge(seen.visited, seen.visited);
        if seen.cut || seen.visited == count {
            return Ok((seen.best, u32::from(legal(self.judge.places(), seen.place as u16))));
        }
        if stopped {
            return Err(meter.stopped());
        }
        Err(meter.afford(0, 1, 1).err().unwrap_or(Halt::Interrupted))
    }

    /// The same where values come from elsewhere and have to be checked.
    #[cold]
    fn see_with_care(
        &mut self,
        meter: &mut Meter,
        line: &Line<G::Position>,
        mut seen: LastPly,
    ) -> Result<(LastPly, bool), Halt> {
        let range = self.game.value_range();
        let (mut wrong, mut vague, mut stopped) = (None, false, false);
        if seen.affordable > 0 {
            self.judge.visit(line, &self.last_moves, |child| {
                if let Err(error) = valid(child.value, child.terminal, range) {
                    wrong = Some(error);
                    return false;
                }
                vague |= !child.terminal & (child.value == range.0 || child.value == range.1);
                let more = seen.see(child.value, child.terminal);
                stopped = more && !meter.goes_on();
                more && !stopped
            })?;
        }
        self.vague |= vague;
        match wrong {
            Some(error) => Err(error.into()),
            None => Ok((seen, stopped)),
        }
    }
}

/// What has been seen of a family at depth 1.
struct LastPly {
    max: bool,
    alpha: f64,
    beta: f64,
    affordable: u64,
    best: f64,
    place: u32,
    visited: u64,
    horizon: bool,
    cut: bool,
}

impl LastPly {
    fn new(max: bool, (alpha, beta): (f64, f64), affordable: u64) -> LastPly {
        LastPly {
            max,
            alpha,
            beta,
            affordable,
            best: f64::NEG_INFINITY,
            place: 0,
            visited: 0,
            horizon: false,
            cut: false,
        }
    }

    /// Takes note of a child; tells whether to look at the next.
    #[inline(always)]
    fn see(&mut self, value: f64, terminal: bool) -> bool {
        self.horizon |= !terminal;
        let value = if self.max { value } else { -value };
        if value > self.best {
            (self.best, self.place) = (value, self.visited as u32);
        }
        self.visited += 1;
        self.cut = self.best.max(self.alpha) >= self.beta;
        !self.cut && self.visited < self.affordable
    }
}
