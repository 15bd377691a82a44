//! The states that others are found from, for all threads of a search.
//!
//! A state depends on its line alone, so it does not matter which thread has found it.

use super::State;
use std::collections::HashMap;
use std::sync::Arc;

/// How many bytes of anchors are worth remembering for each thread: some hundreds of anchors.
pub(super) const MOST_BYTES: usize = 192 << 20;

/// The states of anchors, by the keys of the lines to them, and when each was last used.
#[derive(Debug)]
pub(super) struct Anchors<const W: usize> {
    states: HashMap<u64, (Arc<State<W>>, u64)>,
    /// Their bytes, and how many there may be.
    pub held: usize,
    most_bytes: usize,
    clock: u64,
}

impl<const W: usize> Default for Anchors<W> {
    fn default() -> Anchors<W> {
        Anchors { states: HashMap::new(), held: 0, most_bytes: MOST_BYTES, clock: 0 }
    }
}

impl<const W: usize> Anchors<W> {
    pub fn find(&mut self, key: u64) -> Option<Arc<State<W>>> {
        self.clock += 1;
        let (state, used) = self.states.get_mut(&key)?;
        *used = self.clock;
        Some(state.clone())
    }

    /// Keeps the state of an anchor, in the place of those that were not used for longest; the last of them, if any.
    pub fn remember(&mut self, key: u64, state: Arc<State<W>>) -> Option<Arc<State<W>>> {
        self.clock += 1;
        self.held += state.bytes();
        if let Some((old, _)) = self.states.insert(key, (state, self.clock)) {
            self.held -= old.bytes();
        }
        self.forget()
    }

    /// Remembers no more than so many bytes from now on.
    pub fn shrink(&mut self, bytes: usize) {
        self.most_bytes = bytes;
        self.forget();
    }

    fn forget(&mut self) -> Option<Arc<State<W>>> {
        let mut forgotten = None;
        while self.held > self.most_bytes && self.states.len() > 1 {
            let used = self.states.iter().min_by_key(|(_, (_, used))| *used);
            let oldest = used.map(|(key, _)| *key)?;
            forgotten = self.states.remove(&oldest).map(|(state, _)| state);
            self.held -= forgotten.as_ref().map_or(0, |state| state.bytes());
        }
        forgotten
    }
}
