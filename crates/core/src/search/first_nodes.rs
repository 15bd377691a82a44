//! The first node of every position of a tree, by a key of 64 bits.
//!
//! A hash table of numbers alone. The keys stand in an array beside it, so that a larger table is made from them after the
//! old one is gone: the two never need memory at the same time.

use crate::spare::Room;
use crate::tree::NodeId;

/// The nodes by key.
#[derive(Debug, Default)]
pub(super) struct FirstNodes {
    keys: Vec<u64>,
    nodes: Vec<NodeId>,
    /// Indices into `keys` and `nodes`, or `FREE`; a power of two of them, at most three in four in use.
    slots: Vec<u32>,
}

const FREE: u32 = u32::MAX;

impl FirstNodes {
    /// The first node with this key: the one given, if there is none yet.
    pub fn find_or_add(&mut self, key: u64, node: NodeId) -> NodeId {
        if FirstNodes::slots_for(self.keys.len() + 1) > self.slots.len() {
            self.make_slots(FirstNodes::slots_for(self.keys.len() + 1));
        }
        let slot = self.slot(key);
        if self.slots[slot] != FREE {
            return self.nodes[self.slots[slot] as usize];
        }
        self.slots[slot] = self.keys.len() as u32;
        self.keys.push(key);
        self.nodes.push(node);
        node
    }

    /// Where a key is, or belongs.
    #[inline]
    fn slot(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mixed = (key ^ key >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut slot = (mixed >> 32) as usize & mask;
        while self.slots[slot] != FREE && self.keys[self.slots[slot] as usize] != key {
            slot = (slot + 1) & mask;
        }
        slot
    }

    #[cold]
    fn make_slots(&mut self, count: usize) {
        self.slots = Vec::new();
        self.slots.resize(count, FREE);
        for index in 0..self.keys.len() {
            let slot = self.slot(self.keys[index]);
            self.slots[slot] = index as u32;
        }
    }

    fn slots_for(keys: usize) -> usize {
        (keys * 4 / 3 + 1).next_power_of_two().max(1 << 4)
    }

    /// Makes sure that there is memory for this many more keys.
    pub fn reserve(&mut self, keys: usize) -> Room {
        self.keys.try_reserve_exact(keys)?;
        self.nodes.try_reserve_exact(keys)?;
        let count = FirstNodes::slots_for(self.keys.len() + keys);
        if count > self.slots.len() {
            let mut slots: Vec<u32> = Vec::new();
            slots.try_reserve_exact(count)?; // only to see whether there is room
        }
        Ok(())
    }

    /// Bytes with this many more keys.
    pub fn bytes(&self, more: usize) -> usize {
        let keys = self.keys.len() + more;
        keys * (size_of::<u64>() + size_of::<NodeId>())
            + FirstNodes::slots_for(keys).max(self.slots.len()) * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn the_first_is_remembered() {
        let (mut ours, mut theirs) = (FirstNodes::default(), HashMap::new());
        let mut key = 1_u64;
        for node in 0..20_000 {
            key = key.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1) % 9_973;
            let first = *theirs.entry(key << 40).or_insert(node);
            assert_eq!(ours.find_or_add(key << 40, node), first);
        }
        assert_eq!(ours.keys.len(), theirs.len());
    }
}
