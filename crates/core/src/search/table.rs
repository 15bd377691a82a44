//! A transposition table for depth-first search.

use super::Budget;
use crate::error::Error;
use bytemuck::allocation::try_zeroed_vec;

/// What a stored value says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

/// The result of searching a position, from the side of the player to move there.
#[derive(Clone, Copy, Debug)]
pub(super) struct TableEntry {
    pub value: f64,
    /// Place of the best move among the position's moves.
    pub best: u16,
    /// Plies searched; [`COMPLETE`] if no line ended at the horizon.
    pub depth: u16,
    pub bound: Bound,
}

/// The depth of a result that no deeper search can change.
pub(super) const COMPLETE: u16 = u16::MAX;

/// An entry as it is stored: key, value, and the rest in one word. A word of 0 is an empty slot, so that a
/// new table is memory that the machine has not even touched.
type PackedEntry = [u64; 3];

fn pack(key: u64, entry: TableEntry) -> PackedEntry {
    let rest =
        u64::from(entry.best) | u64::from(entry.depth) << 16 | (entry.bound as u64 + 1) << 32;
    [key, entry.value.to_bits(), rest]
}

fn unpack([_, value, rest]: PackedEntry) -> TableEntry {
    let bound = match rest >> 32 {
        1 => Bound::Exact,
        2 => Bound::AtLeast,
        _ => Bound::AtMost,
    };
    TableEntry {
        value: f64::from_bits(value),
        best: rest as u16,
        depth: (rest >> 16) as u16,
        bound,
    }
}

/// Buckets of two: the first keeps the deeper result, the second the newer.
pub(super) struct Table {
    buckets: Vec<[PackedEntry; 2]>,
    shift: u32,
    used: usize,
    /// How many buckets it may have, if it grows.
    most: usize,
}

/// The first buckets of a table that grows.
const FEW: usize = 1 << 12;

impl Table {
    /// A table of at most this many bytes (and at least two buckets), if the machine has them.
    pub fn new(bytes: usize) -> Result<Table, Error> {
        let bits = (bytes / size_of::<[PackedEntry; 2]>()).max(2).ilog2();
        let lacking = |_| {
            Error::Argument(format!("no memory for a table of {bytes} bytes: lower table_bytes"))
        };
        let buckets = try_zeroed_vec(1 << bits).map_err(lacking)?;
        Ok(Table { buckets, shift: 64 - bits, used: 0, most: 0 })
    }

    /// A table that begins small and grows up to that: a short search need not touch all the memory of a long one.
    pub fn growing(budget: &Budget, bytes: usize) -> Result<Table, Error> {
        let bytes = budget.memory.map_or(bytes, |limit| bytes.min(limit as usize));
        let mut table = Table::new(bytes.min(FEW * size_of::<[PackedEntry; 2]>()))?;
        table.most = bytes / size_of::<[PackedEntry; 2]>();
        Ok(table)
    }

    /// Four times as many buckets, if they are allowed and there is memory for them.
    #[cold]
    fn grow(&mut self) {
        let larger = (4 * self.buckets.len()).min(self.most);
        let larger = Table::new(larger * size_of::<[PackedEntry; 2]>());
        let Ok(mut larger) = larger else {
            self.most = 0;
            return;
        };
        for slot in self.buckets.iter().flatten().filter(|slot| slot[2] != 0) {
            larger.put(slot[0], unpack(*slot));
        }
        larger.most = self.most;
        *self = larger;
    }

    /// The same within a budget.
    pub fn within(budget: &Budget, bytes: usize) -> Result<Table, Error> {
        Table::new(budget.memory.map_or(bytes, |limit| bytes.min(limit as usize)))
    }

    #[inline]
    fn bucket(&self, key: u64) -> usize {
        // keys may be plain bit patterns: Fibonacci hashing spreads them
        (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift) as usize
    }

    #[inline]
    pub fn get(&self, key: u64) -> Option<TableEntry> {
        let slots = &self.buckets[self.bucket(key)];
        slots.iter().find(|slot| slot[0] == key && slot[2] != 0).map(|slot| unpack(*slot))
    }

    #[inline]
    pub fn put(&mut self, key: u64, entry: TableEntry) {
        let at = self.bucket(key);
        let [deep, recent] = &mut self.buckets[at];
        let deeper = deep[2] == 0 || deep[0] == key || unpack(*deep).depth <= entry.depth;
        let slot = if deeper { deep } else { recent };
        self.used += usize::from(slot[2] == 0);
        *slot = pack(key, entry);
        if self.used > self.buckets.len() / 2 && 2 * self.buckets.len() <= self.most {
            self.grow();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deeper_results_survive_newer_ones() -> Result<(), Error> {
        let mut table = Table::new(1)?;
        table.put(1, TableEntry { value: 0.5, best: 3, depth: 9, bound: Bound::AtLeast });
        for key in 2..100 {
            table.put(key, TableEntry { value: 0.0, best: 0, depth: 1, bound: Bound::AtMost });
        }
        let entry = table.get(1).map(|entry| (entry.value, entry.best, entry.depth, entry.bound));
        assert_eq!(entry, Some((0.5, 3, 9, Bound::AtLeast)));
        assert!(table.get(1000).is_none());
        Ok(())
    }

    #[test]
    fn a_table_that_grows_forgets_little() -> Result<(), Error> {
        let bytes = 1 << 23;
        let mut table = Table::growing(&Budget::default(), bytes)?;
        assert_eq!(table.buckets.len(), FEW);
        for key in 1..50_000 {
            table.put(key, TableEntry { value: 0.5, best: 3, depth: 1, bound: Bound::Exact });
        }
        let kept = (1..50_000).filter(|key| table.get(*key).is_some()).count();
        assert!(kept > 45_000, "{kept}");
        assert!(table.buckets.len() * size_of::<[PackedEntry; 2]>() <= bytes);
        Ok(())
    }

    #[test]
    fn a_table_that_does_not_fit_is_refused() {
        assert!(Table::new(1 << 62).is_err());
    }
}
