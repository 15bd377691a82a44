//! Moves that keep a value: the line of the answer, and the strategy of a certificate.

use super::{above, signed, turned, EndFamily, EndGame, Error, Halt, Meter, Status};
use crate::evaluator::Game;

impl<G: Game> EndGame<G> {
    /// The family of a position, and the place of a move after which its player still gets at least this value, which is
    /// from Max's side. The first to try is what the table has, unless it is given.
    pub(super) fn keeping(
        &mut self,
        meter: &mut Meter,
        position: &G::Position,
        ply: usize,
        value: f64,
        first: Option<u16>,
    ) -> Result<(EndFamily<G>, Option<u16>), Halt> {
        let max = self.game.max_to_move(position);
        let mut family = EndFamily::<G>::default();
        self.game.moves(position, &mut family.moves)?;
        self.game.successors(position, &family.moves, 0.0, &mut family.children)?;
        if self.specialist.is_some() {
            return Ok((family, self.advised(meter, position, value)?));
        }
        let key = self.game.key(position)?;
        let entry = key.zip(self.table.as_ref()).and_then(|(key, table)| table.get(key));
        self.order(meter, position, &mut family, 0, first.or(entry.map(|entry| entry.best)))?;
        let goal = signed(value, max);
        for &place in &family.order {
            let child = &family.children[usize::from(place)];
            let kept = if child.terminal {
                signed(child.value, max) >= goal
            } else {
                let same = self.game.max_to_move(&child.position) == max;
                let window = turned((-above(-goal), goal), same);
                signed(self.search(meter, &child.position, ply + 1, window)?, same) >= goal
            };
            if kept {
                return Ok((family, Some(place)));
            }
        }
        Ok((family, None))
    }

    /// Goes on with the line, to the end of the game: moves after which the value is still the root's.
    pub(super) fn draw(&mut self, meter: &mut Meter) -> Result<(), Halt> {
        let value = self.best.1;
        self.line.clear();
        let mut position = self.root.clone();
        loop {
            let first = self.line.is_empty().then_some(self.best.0 as u16);
            let (mut family, keeps) =
                self.keeping(meter, &position, self.line.len(), value, first)?;
            let Some(place) = keeps else { return Ok(()) };
            self.line.push(u32::from(place));
            let child = family.children.swap_remove(usize::from(place));
            if child.terminal {
                return Ok(());
            }
            position = child.position;
        }
    }

    /// The position after a line of places, if it can be played and does not end the game.
    pub(super) fn after(&self, line: &[u32]) -> Result<Option<G::Position>, Error> {
        let mut position = self.root.clone();
        let mut moves = Vec::new();
        for &place in line {
            moves.clear();
            self.game.moves(&position, &mut moves)?;
            let Some(mv) = moves.get(place as usize) else { return Ok(None) };
            position = self.game.play(&position, mv)?;
        }
        Ok(self.game.outcome(&position)?.is_none().then_some(position))
    }

    /// The greatest result below a goal.
    pub(super) fn below(&self, goal: f64) -> f64 {
        let results = self.game.results().unwrap_or_default();
        results.into_iter().filter(|value| *value < goal).fold(-above(-goal), |_, value| value)
    }

    /// Whether Max gets the goal, and the exact value if that leaves only one result.
    pub(super) fn answer(&mut self, meter: &mut Meter, goal: f64) -> Result<Status, Halt> {
        let (root, max) = (self.root.clone(), self.game.max_to_move(&self.root));
        if self.won.is_none() {
            let window = turned((-above(-goal), goal), max);
            let value = self.search(meter, &root, 0, window).map_err(Halt::at_root)?;
            self.won = Some(signed(value, max) >= goal);
        }
        let won = self.won == Some(true);
        let results = self.game.results().unwrap_or_default();
        let mut left = results.iter().copied().filter(|value| (*value >= goal) == won);
        let exact = left.next().filter(|_| left.next().is_none());
        self.best.1 = exact.unwrap_or(if won { goal } else { self.below(goal) });
        match self.draw(meter) {
            Err(Halt::Failed(error)) => Err(Halt::Failed(error)),
            _ => Ok(if exact.is_some() { Status::Proven } else { Status::Decided }),
        }
    }
}
