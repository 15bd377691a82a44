//! What further stones do to connections.
//!
//! The opponent's stone ends what needs its cell. An own stone shrinks what needs its cell, makes full connections of
//! semi ones whose key it takes, and joins groups, so that what began at either begins at both. What has changed is
//! new to the rules, and they go on from there.
//!
//! The old connections stay as they are: to take a move back is to go on with them.

use super::store::{Store, FULL, NO_KEY, SEMI};
use super::{points, Connections, NOWHERE};
use crate::evaluators::hex::inferior::captures;
use crate::evaluators::hex::Terrain;
use crate::games::hex::bits::Bits;

impl<const W: usize> Connections<W> {
    /// The connections in a position that has all stones of this one and some more; `None` if it has not. They take
    /// the place of some that are no longer needed, on a board of the same size.
    pub fn after(
        &self,
        board: &Terrain<W>,
        stones: [Bits<W>; 2],
        spare: Option<Connections<W>>,
    ) -> Option<Connections<W>> {
        let gone = |colour: usize| !(self.stones[colour] & !stones[colour]).is_empty();
        if gone(0) || gone(1) {
            return None;
        }
        let fresh = |colour: usize| stones[colour] & !self.stones[colour];
        let (own, other) = (fresh(self.colour), fresh(1 - self.colour));
        let mut next = Connections {
            colour: self.colour,
            size: self.size,
            stones,
            point: points(board, stones, self.colour),
            captured: if self.exact { Vec::new() } else { captures(board, stones, self.colour) },
            exact: self.exact,
            store: match spare {
                Some(spare) => spare.store.reuse(),
                None => Store::new(self.cells() + 2, self.store.arena.len() * 5 / 4),
            },
        };
        let lost = next.inherit(self, own, other);
        next.find_again(&lost);
        if !self.exact {
            next.seed_templates(board, own);
        }
        next.close();
        Some(next)
    }

    /// Takes over what is left of the connections before these stones; the pairs that have lost full ones.
    fn inherit(
        &mut self,
        before: &Connections<W>,
        own: Bits<W>,
        other: Bits<W>,
    ) -> Vec<[usize; 2]> {
        let heir = self.heirs(before);
        let old = &before.store;
        let mut changed = Vec::new();
        let mut lost = Vec::new();
        for (place, pair) in old.slots.iter().enumerate() {
            let [one, two] = pair.ends.map(|end| self.point[usize::from(end)]);
            if one == NOWHERE || two == NOWHERE || one == two {
                continue;
            }
            let [one, two] = [one, two].map(usize::from);
            let kept = heir[one] == pair.ends[0] && heir[two] == pair.ends[1]
                || heir[one] == pair.ends[1] && heir[two] == pair.ends[0];
            let slot = if kept { self.store.slot(one, two) } else { 0 };
            if kept && !old.touches(place, own | other) {
                self.store.take_over(slot, old, place);
                continue;
            }
            let mut loses = false;
            for kind in [FULL, SEMI] {
                for carrier in old.carriers(place, kind) {
                    let (cells, key) = (carrier.cells, carrier.key);
                    if cells.meets(other) {
                        loses |= kind == FULL;
                    } else if kept && !cells.meets(own) {
                        self.store.push(slot, kind, cells, key, carrier.done);
                    } else {
                        let taken = key != NO_KEY && own.has(key.into());
                        let kind = if taken { FULL } else { kind };
                        changed.push((kind, one, two, cells & !own, key));
                    }
                }
            }
            if loses {
                lost.push([one, two]);
            }
        }
        for (kind, one, two, cells, key) in changed {
            if kind == FULL {
                self.add_full(one, two, cells);
            } else {
                self.add_semi(one, two, cells, key);
            }
        }
        lost
    }

    /// For each point the point before whose connections the rules need not look at again: itself if it is an empty
    /// cell, else the largest of the groups that it was made of.
    fn heirs(&self, before: &Connections<W>) -> Vec<u16> {
        let mut heir = vec![NOWHERE; self.point.len()];
        for old in 0..before.point.len() {
            if usize::from(before.point[old]) != old || self.point[old] == NOWHERE {
                continue;
            }
            let new = usize::from(self.point[old]);
            if !self.is_stone(new) {
                heir[new] = old as u16;
            } else if before.is_stone(old) {
                let reach = |point: u16| before.store.reach[usize::from(point)].count();
                if heir[new] == NOWHERE || reach(heir[new]) < reach(old as u16) {
                    heir[new] = old as u16;
                }
            }
        }
        heir
    }

    /// Looks again for full connections of pairs that have lost some: what was not worth keeping may be now.
    fn find_again(&mut self, lost: &[[usize; 2]]) {
        if self.exact {
            return;
        }
        for &[one, two] in lost {
            let [from, to] = [one, two].map(|point| self.store.reach[point].cells);
            let through = from & to & self.stones[self.colour];
            for by in through.cells() {
                let Some(slot) = self.store.find(one, by) else { continue };
                let carriers: Vec<Bits<W>> =
                    self.store.carriers(slot, FULL).map(|carrier| carrier.cells).collect();
                for cells in carriers.into_iter().filter(|cells| !cells.has(two)) {
                    self.and_one(one, by, two, cells);
                }
            }
            if let Some(slot) = self.store.find(one, two) {
                self.reopen(slot);
            }
        }
    }

    /// Lets the OR rule look at all semi connections of a pair again.
    fn reopen(&mut self, slot: usize) {
        let mut at = self.store.slots[slot].first[SEMI];
        let first = at;
        while at != super::store::NONE {
            let carrier = &mut self.store.arena[at as usize];
            carrier.done = false;
            at = carrier.next;
        }
        if first != super::store::NONE {
            self.store.queue(slot, SEMI);
        }
    }
}
