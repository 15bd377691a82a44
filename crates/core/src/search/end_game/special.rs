//! Where the game has a specialist, it answers for the search: one question whether a value is reached after another.

use super::{signed, Budget, Child, EndGame, Error, Halt, Line, Meter, Table};
use crate::evaluator::Game;
use crate::game::{Allowed, Specialist};

impl<G: Game> EndGame<G> {
    /// Makes the table, or the specialist, when the budget is known.
    pub(super) fn prepare(&mut self, budget: &Budget) -> Result<(), Error> {
        if self.table.is_some() || self.specialist.is_some() {
            return Ok(());
        }
        let bytes =
            budget.memory.map_or(self.table_bytes, |limit| self.table_bytes.min(limit as usize));
        self.specialist =
            if self.game.results().is_some() { self.game.specialist(bytes) } else { None };
        if self.specialist.is_none() {
            self.table = Some(Table::within(budget, self.table_bytes)?);
            return Ok(());
        }
        // until something is known, the move that looks best
        let mut children: Vec<Child<G::Position>> = Vec::new();
        let mut moves = Vec::new();
        self.game.moves(&self.root, &mut moves)?;
        self.judge.children(&Line::root(&self.root), &moves, &mut || true, &mut children)?;
        let max = self.game.max_to_move(&self.root);
        let value = |place: &usize| signed(children[*place].value, max);
        let best = (0..children.len()).rev().max_by(|a, b| value(a).total_cmp(&value(b)));
        self.best.0 = best.unwrap_or(0) as u32;
        Ok(())
    }

    /// What [`EndGame::search`] returns, by the specialist.
    pub(super) fn ask_specialist(
        &mut self,
        meter: &mut Meter,
        position: &G::Position,
        (alpha, beta): (f64, f64),
    ) -> Result<f64, Halt> {
        let results = self.game.results().unwrap_or_default();
        let max = self.game.max_to_move(position);
        let (low, high) = if max { (alpha, beta) } else { (-beta, -alpha) };
        // results that are at least the lower end of the window and at most the upper one, with the next outside
        let mut least = results.partition_point(|value| *value <= low).saturating_sub(1);
        let mut most = results.partition_point(|value| *value < high).min(results.len() - 1);
        // first whether the player to move wins
        let mut middle = if max { most } else { least + 1 };
        while least < most {
            if self.asks(meter, position, results[middle])? {
                least = middle;
            } else {
                most = middle - 1;
            }
            middle = if max { most } else { least + 1 };
        }
        Ok(signed(results[least], max))
    }

    /// One question, inside the budget.
    fn asks(&mut self, meter: &mut Meter, position: &G::Position, goal: f64) -> Result<bool, Halt> {
        self.within(meter, |specialist, allowed| specialist.reaches(position, goal, allowed))
    }

    /// What [`EndGame::keeping`] finds, by the specialist.
    pub(super) fn advised(
        &mut self,
        meter: &mut Meter,
        position: &G::Position,
        value: f64,
    ) -> Result<Option<u16>, Halt> {
        let found =
            self.within(meter, |specialist, allowed| specialist.keeps(position, value, allowed));
        Ok(found?.map(|place| place as u16))
    }

    fn within<T>(
        &mut self,
        meter: &mut Meter,
        ask: impl FnOnce(&mut dyn Specialist<G::Position>, &mut Allowed) -> Option<T>,
    ) -> Result<T, Halt> {
        meter.afford(1, 1, 1)?;
        let value = self.best.1;
        let mut halt = None;
        let mut allowed = |expansions: u64, nodes: u64| {
            meter.counts.expansions += expansions;
            meter.counts.nodes += nodes;
            meter.counts.move_calls += nodes;
            let ended = match meter.afford(1, 7, 7) {
                Ok(()) if meter.is_due_after(expansions.clamp(1, 1 << 16) as u32) => {
                    meter.look(|| value)
                }
                other => other,
            };
            match ended {
                Ok(()) => (meter.expansions_left(), meter.affordable()),
                Err(reason) => {
                    halt = Some(reason);
                    (0, 0)
                }
            }
        };
        let Some(specialist) = &mut self.specialist else { return Err(Halt::Interrupted) };
        match (ask(specialist.as_mut(), &mut allowed), halt) {
            (Some(answer), _) => Ok(answer),
            (None, Some(halt)) => Err(halt),
            (None, None) => Err(Halt::Interrupted),
        }
    }
}
