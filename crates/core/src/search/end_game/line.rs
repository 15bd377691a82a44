//! Moves that keep a value: the line of the answer, and the strategy of a certificate.

use super::{above, signed, turned, EndFamily, EndGame, Halt, Meter};
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
}
