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
//! another one of its pair, and none that brings nothing new to what is common to all of them. It is that
//! intersection which decides whether a pair can go on to something larger. Without this limit, `exact`, what is
//! found does not depend on the order in which it is found, but there is far too much of it on boards of a real
//! game's size.

use super::store::{Carrier, Slot, FULL, NONE, NO_KEY, SEMI};
use super::Connections;
use crate::games::hex::bits::Bits;

/// The most semi connections that make one full one.
const MOST_OR: usize = 4;

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
        let meet = store.slots[slot].meet[FULL];
        if !self.exact && some && !replaces && (meet & !cells).is_empty() {
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
        if store.has(slot, FULL) {
            // a full connection is a semi one too
            if store.covers(slot, FULL, cells)
                || !self.exact && (store.slots[slot].meet[FULL] & !cells).is_empty()
            {
                return;
            }
        }
        let some = store.has(slot, SEMI);
        if some && store.covers(slot, SEMI, cells) {
            return;
        }
        let replaces = some && store.drop_around(slot, SEMI, cells);
        let meet = store.slots[slot].meet[SEMI];
        let useless = (meet & !cells).is_empty();
        if !self.exact && some && !replaces && useless {
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
        let (key, here) = (Bits::one(through), Bits::one(end));
        let stone = self.is_stone(through);
        let mut others = self.store.reach[through] & !cells & !here;
        if !self.exact {
            let [full, semi] = self.store.settled.each_ref().map(|settled| settled[end]);
            others = others & !(if stone { full } else { full | semi });
        }
        for other in others.cells() {
            if self.exact || stone || !self.is_hopeless(end, other, cells | key) {
                self.and_one(end, through, other, cells);
            }
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
            let Carrier { cells: more, next, .. } = self.store.arena[at as usize];
            at = next;
            if more.meets(taken) {
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

    /// Whether a semi connection that needs at least these cells brings nothing new to a pair.
    #[inline(always)]
    fn is_hopeless(&self, one: usize, two: usize, cells: Bits<W>) -> bool {
        let Some(slot) = self.store.find(one, two) else { return false };
        let Slot { first, meet, .. } = &self.store.slots[slot];
        let fulls = first[FULL] != NONE && (meet[FULL] & !cells).is_empty();
        let semis = first[SEMI] != NONE && (meet[SEMI] & !cells).is_empty();
        fulls || semis
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
                let semis: Vec<Bits<W>> =
                    self.store.carriers(slot, SEMI).map(|semi| semi.cells).collect();
                let most = if self.exact { usize::MAX } else { MOST_OR };
                self.or_with((one, two), &semis, cells, cells, most - 1);
            }
            at = next;
        }
    }

    /// Adds further semi connections to those which have `meet` in common and need `all`.
    fn or_with(
        &mut self,
        (one, two): (usize, usize),
        semis: &[Bits<W>],
        meet: Bits<W>,
        all: Bits<W>,
        most: usize,
    ) {
        // first those that are enough
        for &semi in semis {
            if !semi.meets(meet) {
                self.add_full(one, two, all | semi);
            }
        }
        if most == 1 {
            return;
        }
        for (place, &semi) in semis.iter().enumerate() {
            let (left, more) = (meet & semi, all | semi);
            if left.is_empty() || left == meet || !self.is_news(one, two, more) {
                continue;
            }
            self.or_with((one, two), &semis[place + 1..], left, more, most - 1);
        }
    }

    /// Whether a full connection that needs these cells could still be one to keep.
    fn is_news(&self, one: usize, two: usize, cells: Bits<W>) -> bool {
        let Some(slot) = self.store.find(one, two) else { return true };
        if !self.store.has(slot, FULL) {
            return true;
        }
        let redundant = !self.exact && (self.store.slots[slot].meet[FULL] & !cells).is_empty();
        !redundant && !self.store.covers(slot, FULL, cells)
    }
}
