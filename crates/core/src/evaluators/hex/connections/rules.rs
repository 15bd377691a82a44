//! The rules by which connections are found: V. Anshelevich's H-search (2002).
//!
//! AND: two full connections that meet in a point. Through a stone they are one full connection; through an empty
//! cell a semi connection, with that cell as its key. Their carriers are disjoint, or overlap only in cells that a
//! stone on the key would capture.
//!
//! OR: semi connections of a pair that no single cell is common to: whatever the opponent plays, one of them is left,
//! so that together they are a full connection.
//!
//! What is kept (J. Pawlewicz and others, "Stronger virtual connections in Hex", 2015): no carrier that contains
//! another one of its pair, and after the first few of a kind only those that bring something new to what is common
//! to all of them. Nothing is joined at an edge: who has reached an edge has no need to go on from it.
//! Without these limits, `exact`, what is found does not depend on the order in which it is found, but there is far
//! too much of it on boards of a real game's size.

use super::store::{Carrier, FULL, NONE, NO_KEY, SEMI};
use super::Connections;
use crate::games::hex::bits::Bits;

/// The most semi connections that make one full one.
const MOST_OR: usize = 5;
/// How often OR looks further before it gives up on a semi connection.
const PATIENCE: usize = 16;

impl<const W: usize> Connections<W> {
    /// Applies the rules until nothing new comes of them. ANDs first: they find small carriers.
    pub(super) fn close(&mut self) {
        loop {
            if let Some(slot) = self.store.waiting(FULL) {
                self.apply_and(slot);
            } else if let Some(slot) = self.store.waiting(SEMI) {
                self.apply_or(slot);
            } else {
                return;
            }
            // a won game needs no further connections
            if self.joined() && !self.exact {
                return;
            }
        }
    }

    /// A full carrier between two points, which the caller may not know to be new.
    #[inline(always)]
    pub(super) fn add_full(&mut self, one: usize, two: usize, cells: Bits<W>) {
        let slot = self.store.slot(one, two);
        let store = &mut self.store;
        let some = store.has(slot, FULL);
        if some && store.covers(slot, FULL, cells) {
            return;
        }
        let replaces = some && store.drop_around(slot, FULL, cells);
        if some && !replaces && !self.exact && store.is_redundant(slot, FULL, cells) {
            return;
        }
        if store.has(slot, SEMI) {
            store.drop_around(slot, SEMI, cells);
        }
        store.push(slot, FULL, cells, NO_KEY, false);
    }

    /// A semi carrier between two points, which contains its key.
    #[inline(always)]
    pub(super) fn add_semi(&mut self, one: usize, two: usize, cells: Bits<W>, key: u16) {
        let slot = self.store.slot(one, two);
        let store = &mut self.store;
        // a full connection is a semi one too
        for kind in [FULL, SEMI] {
            if store.has(slot, kind) && store.covers(slot, kind, cells) {
                return;
            }
        }
        let some = store.has(slot, SEMI);
        let replaces = some && store.drop_around(slot, SEMI, cells);
        if some && !replaces && !self.exact && store.is_redundant(slot, SEMI, cells) {
            return;
        }
        store.push(slot, SEMI, cells, key, false);
    }

    fn apply_and(&mut self, slot: usize) {
        let [one, two] = self.store.slots[slot].ends.map(usize::from);
        let mut at = self.store.slots[slot].first[FULL];
        while at != NONE {
            let carrier = &mut self.store.arena[at as usize];
            let (cells, next) = (carrier.cells, carrier.next);
            if !std::mem::replace(&mut carrier.done, true) {
                self.and_through(one, two, cells);
                self.and_through(two, one, cells);
            }
            at = next;
        }
    }

    /// Joins a full connection from `end` to `through` with all others from there.
    fn and_through(&mut self, end: usize, through: usize, cells: Bits<W>) {
        if through >= self.cells() && !self.exact {
            return;
        }
        let others = self.store.further(end, through, cells);
        for other in others.cells.cells() {
            self.and_one(end, through, other, cells);
        }
        for edge in (0..2).filter(|edge| others.edges >> edge & 1 == 1) {
            self.and_one(end, through, self.cells() + edge, cells);
        }
    }

    /// Joins a full connection from `end` to `through` with all those from there to one other point.
    #[inline(always)]
    pub(super) fn and_one(&mut self, end: usize, through: usize, other: usize, cells: Bits<W>) {
        let Some(slot) = self.store.find(through, other) else { return };
        let stone = self.is_stone(through);
        // neither end may be among the cells that a stone on the key would capture
        let captured = self.captured.get(through).filter(|set| !set.has(end) && !set.has(other));
        let captured = captured.copied().filter(|_| !stone).unwrap_or(Bits::NONE);
        // what the other carrier may not have
        let taken = cells & !captured | Bits::one(end);
        if self.store.slots[slot].meet[FULL].meets(taken) {
            return;
        }
        let mut at = self.store.slots[slot].first[FULL];
        while at != NONE {
            let Carrier { cells: more, next, done, .. } = self.store.arena[at as usize];
            at = next;
            // those that are still to come will be joined with this one
            if !done || more.meets(taken) {
                continue;
            }
            let overlap = if cells.meets(more) { captured } else { Bits::NONE };
            let both = cells | more | overlap;
            if stone {
                self.add_full(end, other, both);
            } else {
                self.add_semi(end, other, both | Bits::one(through), through as u16);
            }
        }
    }

    fn apply_or(&mut self, slot: usize) {
        let mut at = self.store.slots[slot].first[SEMI];
        let [one, two] = self.store.slots[slot].ends.map(usize::from);
        while at != NONE {
            let carrier = &mut self.store.arena[at as usize];
            let (cells, next) = (carrier.cells, carrier.next);
            if !std::mem::replace(&mut carrier.done, true)
                && self.store.slots[slot].meet[SEMI].is_empty()
            {
                // those that are still to come will be joined with this one
                let done = self.store.carriers(slot, SEMI).filter(|semi| semi.done);
                let semis: Vec<Bits<W>> = done.map(|semi| semi.cells).collect();
                let (most, mut patience) =
                    if self.exact { (usize::MAX, usize::MAX) } else { (MOST_OR, PATIENCE) };
                self.or_with((one, two), &semis, (cells, cells), most - 1, &mut patience);
            }
            at = next;
        }
    }

    /// Adds at most so many further semi connections to those which have `meet` in common and need `all`.
    fn or_with(
        &mut self,
        (one, two): (usize, usize),
        semis: &[Bits<W>],
        (meet, all): (Bits<W>, Bits<W>),
        most: usize,
        patience: &mut usize,
    ) {
        let Some(left) = patience.checked_sub(1) else { return };
        *patience = left;
        // of any set that is enough, one member is without this cell: the one that leaves the least choice
        let without = |cell: &usize| semis.iter().filter(|semi| !semi.has(*cell)).count();
        let Some(cell) = meet.cells().min_by_key(without) else { return };
        // first those that are enough
        for finish in [true, false] {
            for &semi in semis.iter().filter(|semi| !semi.has(cell)) {
                let (left, more) = (meet & semi, all | semi);
                if left.is_empty() != finish || !self.is_news(one, two, more) {
                    continue;
                }
                if finish {
                    self.add_full(one, two, more);
                } else if most > 1 {
                    self.or_with((one, two), semis, (left, more), most - 1, patience);
                }
            }
        }
    }

    /// Whether a full connection that needs these cells could still be one to keep.
    fn is_news(&self, one: usize, two: usize, cells: Bits<W>) -> bool {
        let Some(slot) = self.store.find(one, two) else { return true };
        if !self.store.has(slot, FULL) {
            return true;
        }
        let redundant = !self.exact && self.store.is_redundant(slot, FULL, cells);
        !redundant && !self.store.covers(slot, FULL, cells)
    }
}
