//! What a depth-first proof search is about.

use super::evidence::Evidence;
use super::store::Store;
use super::worker::Shared;
use crate::game::Game;
use crate::growth::goal::Goal;
use std::sync::Arc;

/// What is to be solved, and what is known of it: all that a worker reads.
pub(super) struct Problem<G: Game, E: Evidence> {
    pub game: Arc<G>,
    pub root: G::Position,
    pub root_key: u64,
    pub evidence: E,
    pub goal: Goal,
    pub foresight: bool,
    pub focus: f64,
    /// Made when the search begins.
    pub table: Option<E::Store>,
}

impl<G: Game, E: Evidence> Problem<G, E> {
    /// Nothing before there is a table.
    pub fn shared<'a>(&'a self, epsilon: f64) -> Option<Shared<'a, G, E>> {
        let Problem { game, evidence, table, .. } = self;
        let (goal, foresight, focus) = (self.goal, self.foresight, self.focus);
        let table = table.as_ref()?;
        Some(Shared { game, evidence, goal, foresight, epsilon, focus, table })
    }

    /// The root, and the key of its position.
    pub fn root(&self) -> (&G::Position, u64) {
        (&self.root, self.root_key)
    }

    /// Entries that the table has.
    pub fn entries(&self) -> usize {
        self.table.as_ref().map_or(0, Store::capacity)
    }
}
