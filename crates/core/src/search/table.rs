//! A transposition table for depth-first search.

/// What a stored value says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

/// The result of searching a position, from the side of the player to move there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    key: u64,
    pub value: f64,
    /// Place of the best move among the position's moves.
    pub best: u16,
    /// Plies searched; [`COMPLETE`] if no line ended at the horizon.
    pub depth: u16,
    pub bound: Bound,
}

/// The depth of a result that no deeper search can change.
pub(super) const COMPLETE: u16 = u16::MAX;

/// Buckets of two: the first keeps the deeper result, the second the newer.
pub(super) struct Table {
    buckets: Vec<[Option<Entry>; 2]>,
    shift: u32,
}

impl Table {
    /// A table of at most this many bytes (and at least one bucket).
    pub fn new(bytes: usize) -> Table {
        let count = (bytes / size_of::<[Option<Entry>; 2]>()).max(2);
        let bits = count.ilog2();
        Table { buckets: vec![[None; 2]; 1 << bits], shift: 64 - bits }
    }

    /// Memory in use.
    pub fn bytes(&self) -> usize {
        size_of_val(self.buckets.as_slice())
    }

    fn bucket(&self, key: u64) -> usize {
        // keys may be plain bit patterns: Fibonacci hashing spreads them
        (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift) as usize
    }

    pub fn get(&self, key: u64) -> Option<&Entry> {
        self.buckets[self.bucket(key)].iter().flatten().find(|entry| entry.key == key)
    }

    pub fn put(&mut self, key: u64, value: f64, best: u16, depth: u16, bound: Bound) {
        let at = self.bucket(key);
        let [deep, recent] = &mut self.buckets[at];
        let entry = Entry { key, value, best, depth, bound };
        if deep.is_none_or(|old| old.key == key || old.depth <= depth) {
            *deep = Some(entry);
        } else {
            *recent = Some(entry);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deeper_results_survive_newer_ones() {
        let mut table = Table::new(1);
        table.put(1, 0.5, 3, 9, Bound::Exact);
        for key in 2..100 {
            table.put(key, 0.0, 0, 1, Bound::AtMost);
        }
        let deep: Vec<_> = (1..100).filter(|&key| table.get(key).is_some()).collect();
        assert!(deep.contains(&1));
        assert_eq!(table.get(1).map(|entry| (entry.best, entry.depth)), Some((3, 9)));
    }
}
