//! What has been found so far, for all threads of a search.
//!
//! It depends on lines alone, so it does not matter which thread has found it.

use super::{Known, State};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// How many bytes of anchors are worth remembering for each thread: some hundreds of anchors.
pub(super) const MOST_BYTES: usize = 192 << 20;
/// How many lines are remembered.
const MOST_KNOWN: usize = 1 << 12;

/// The states that others are found from, and what is known at the ends of lines.
#[derive(Debug)]
pub(super) struct Findings<const W: usize> {
    /// The states of anchors, by the keys of the lines to them, and when each was last used.
    anchors: HashMap<u64, (Arc<State<W>>, u64)>,
    /// The keys of anchors, by when they were last used.
    used: BTreeMap<u64, u64>,
    clock: u64,
    /// The bytes of anchors, and how many there may be.
    held: usize,
    most_bytes: usize,
    /// What is known, by the keys of lines; a later one may take the place of an earlier one.
    known: Vec<Option<(u64, Arc<Known>)>>,
    /// Their bytes.
    known_bytes: usize,
}

impl<const W: usize> Default for Findings<W> {
    fn default() -> Findings<W> {
        Findings {
            anchors: HashMap::new(),
            used: BTreeMap::new(),
            clock: 0,
            held: 0,
            most_bytes: MOST_BYTES,
            known: Vec::new(),
            known_bytes: 0,
        }
    }
}

impl<const W: usize> Findings<W> {
    /// The state of an anchor.
    pub fn anchor(&mut self, key: u64) -> Option<Arc<State<W>>> {
        let (state, used) = self.anchors.get_mut(&key)?;
        self.clock += 1;
        self.used.remove(used);
        self.used.insert(self.clock, key);
        *used = self.clock;
        Some(state.clone())
    }

    /// Keeps the state of an anchor, in the place of those that were not used for longest; the last of them, if any.
    pub fn keep_anchor(&mut self, key: u64, state: Arc<State<W>>) -> Option<Arc<State<W>>> {
        self.clock += 1;
        self.held += state.bytes();
        self.used.insert(self.clock, key);
        if let Some((old, used)) = self.anchors.insert(key, (state, self.clock)) {
            self.held -= old.bytes();
            self.used.remove(&used);
        }
        self.forget()
    }

    /// Remembers no more than so many bytes of anchors from now on.
    pub fn shrink(&mut self, bytes: usize) {
        self.most_bytes = bytes;
        self.forget();
    }

    fn forget(&mut self) -> Option<Arc<State<W>>> {
        let mut forgotten = None;
        while self.held > self.most_bytes && self.anchors.len() > 1 {
            let (_, oldest) = self.used.pop_first()?;
            forgotten = self.anchors.remove(&oldest).map(|(state, _)| state);
            self.held -= forgotten.as_ref().map_or(0, |state| state.bytes());
        }
        forgotten
    }

    /// What is known at the end of a line.
    pub fn known(&self, key: u64) -> Option<Arc<Known>> {
        let found = self.known.get(key as usize % MOST_KNOWN)?.as_ref();
        found.filter(|(owner, _)| *owner == key).map(|(_, known)| Arc::clone(known))
    }

    /// Keeps what is known at the end of a line.
    pub fn keep_known(&mut self, key: u64, known: Arc<Known>) {
        self.known.resize_with(MOST_KNOWN, || None);
        self.known_bytes += known.bytes();
        if let Some((_, old)) = self.known[key as usize % MOST_KNOWN].replace((key, known)) {
            self.known_bytes -= old.bytes();
        }
    }

    /// Bytes of everything.
    pub fn bytes(&self) -> usize {
        self.held + self.known_bytes + self.known.len() * size_of::<Option<(u64, Arc<Known>)>>()
    }
}
