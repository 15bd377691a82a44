//! What a depth-first proof search is about.

use super::evidence::Evidence;
use super::store::Remembers;
use super::worker::Shared;
use crate::expander::{Needs, Walker};
use crate::numbers::goal::Goal;

/// What is to be solved, and what is known of it: all that workers share.
pub(super) struct Problem<E: Evidence> {
    /// The root, from which others begin.
    pub walker: Box<dyn Walker>,
    pub root_key: u64,
    pub evidence: E,
    pub goal: Goal,
    pub needs: Needs,
    pub repeats: bool,
    pub focus: f64,
    /// Made when the search begins.
    pub table: Option<E::Store>,
}

impl<E: Evidence> Problem<E> {
    /// Nothing before there is a table.
    pub fn shared(&self, epsilon: f64) -> Option<Shared<'_, E>> {
        Some(Shared {
            evidence: &self.evidence,
            goal: self.goal,
            needs: self.needs,
            repeats: self.repeats,
            range: self.walker.value_range(),
            epsilon,
            focus: self.focus,
            table: self.table.as_ref()?,
        })
    }

    /// Entries that the table has.
    pub fn entries(&self) -> usize {
        self.table.as_ref().map_or(0, Remembers::capacity)
    }
}
