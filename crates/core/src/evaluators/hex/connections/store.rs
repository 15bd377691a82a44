//! Where the connections of one colour are kept: for every pair of points its full and its semi carriers.
//!
//! Pairs that have connections get a slot; a slot has two lists of carriers in one arena, and what is common to all
//! carriers of a list. A carrier that is taken out of its list stays in the arena until the next move is made,
//! which writes a new one.

use crate::games::hex::bits::Bits;
use std::collections::VecDeque;

/// No carrier, no slot, no key.
pub(super) const NONE: u32 = u32::MAX;
pub(super) const NO_KEY: u16 = u16::MAX;

/// The two kinds of connections.
pub(super) const FULL: usize = 0;
pub(super) const SEMI: usize = 1;

/// So many connections of each kind are kept for a pair whatever they bring.
const FEW: [usize; 2] = [5, 20];

/// The cells that a connection needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Carrier<const W: usize> {
    pub cells: Bits<W>,
    /// The next one of the list.
    pub next: u32,
    /// Of a semi connection: where its colour plays to make it full, if that is known.
    pub key: u16,
    /// Whether the rules have been applied to it.
    pub done: bool,
}

/// The connections of a pair of points.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairSlot<const W: usize> {
    pub ends: [u16; 2],
    /// The first carrier of each kind.
    pub first: [u32; 2],
    /// The cells that are in all carriers of a kind; nothing if there is none.
    pub meet: [Bits<W>; 2],
    /// Whether the pair waits for each of the rules.
    queued: [bool; 2],
}

/// All connections of a colour.
#[derive(Clone, Debug)]
pub(super) struct Store<const W: usize> {
    points: usize,
    /// The slot of each pair, in both orders.
    index: Vec<u32>,
    pub slots: Vec<PairSlot<W>>,
    pub arena: Vec<Carrier<W>>,
    /// For each point, those with which it has a full connection.
    pub reach: Vec<Bits<W>>,
    /// Pairs with new carriers of each kind.
    queues: [VecDeque<u32>; 2],
}

impl<const W: usize> Store<W> {
    pub fn new(points: usize, room: usize) -> Store<W> {
        Store {
            points,
            index: vec![NONE; points * points],
            slots: Vec::with_capacity(room / 2),
            arena: Vec::with_capacity(room),
            reach: vec![Bits::NONE; points],
            queues: Default::default(),
        }
    }

    /// Bytes, used or not.
    pub fn bytes(&self) -> usize {
        self.index.capacity() * size_of::<u32>()
            + self.slots.capacity() * size_of::<PairSlot<W>>()
            + self.arena.capacity() * size_of::<Carrier<W>>()
            + self.reach.capacity() * size_of::<Bits<W>>()
            + self.queues.iter().map(|queue| queue.capacity() * size_of::<u32>()).sum::<usize>()
    }

    /// An empty one, in the memory of one that is no longer needed: to ask for new memory takes longer than to find
    /// connections in it.
    pub fn reuse(mut self) -> Store<W> {
        self.index.fill(NONE);
        self.slots.clear();
        self.arena.clear();
        self.reach.fill(Bits::NONE);
        self.queues.iter_mut().for_each(VecDeque::clear);
        self
    }

    #[inline(always)]
    pub fn find(&self, one: usize, two: usize) -> Option<usize> {
        let slot = self.index[one * self.points + two];
        (slot != NONE).then_some(slot as usize)
    }

    /// The slot of a pair, which is made if there is none.
    #[inline(always)]
    pub fn slot(&mut self, one: usize, two: usize) -> usize {
        if let Some(slot) = self.find(one, two) {
            return slot;
        }
        let slot = self.slots.len();
        let ends = [one as u16, two as u16];
        let (first, meet) = ([NONE; 2], [Bits::NONE; 2]);
        self.slots.push(PairSlot { ends, first, meet, queued: [false; 2] });
        self.index[one * self.points + two] = slot as u32;
        self.index[two * self.points + one] = slot as u32;
        slot
    }

    /// The carriers of a kind.
    #[inline(always)]
    pub fn carriers(&self, slot: usize, kind: usize) -> impl Iterator<Item = &Carrier<W>> + '_ {
        let mut at = self.slots[slot].first[kind];
        std::iter::from_fn(move || {
            if at == NONE {
                return None;
            }
            let carrier = &self.arena[at as usize];
            at = carrier.next;
            Some(carrier)
        })
    }

    #[inline(always)]
    pub fn has(&self, slot: usize, kind: usize) -> bool {
        self.slots[slot].first[kind] != NONE
    }

    /// Whether one of the carriers lies inside these cells.
    #[inline(always)]
    pub fn covers(&self, slot: usize, kind: usize, cells: Bits<W>) -> bool {
        // what all of them have, each of them has
        (self.slots[slot].meet[kind] & !cells).is_empty()
            && self.carriers(slot, kind).any(|carrier| (carrier.cells & !cells).is_empty())
    }

    /// Whether a carrier brings nothing new to what is common to all of its kind, which are no longer few.
    #[inline(always)]
    pub fn is_redundant(&self, slot: usize, kind: usize, cells: Bits<W>) -> bool {
        (self.slots[slot].meet[kind] & !cells).is_empty()
            && self.carriers(slot, kind).nth(FEW[kind] - 1).is_some()
    }

    /// Puts a carrier at the head of its list.
    #[inline(always)]
    pub fn push(&mut self, slot: usize, kind: usize, cells: Bits<W>, key: u16, done: bool) {
        let place = self.arena.len() as u32;
        let PairSlot { ends, first, meet, .. } = &mut self.slots[slot];
        let alone = first[kind] == NONE;
        meet[kind] = if alone { cells } else { meet[kind] & cells };
        self.arena.push(Carrier { cells, next: first[kind], key, done });
        first[kind] = place;
        let [one, two] = ends.map(usize::from);
        if kind == FULL && alone {
            self.reach[one] = self.reach[one] | Bits::one(two);
            self.reach[two] = self.reach[two] | Bits::one(one);
        }
        if !done {
            self.queue(slot, kind);
        }
    }

    pub fn queue(&mut self, slot: usize, kind: usize) {
        if !std::mem::replace(&mut self.slots[slot].queued[kind], true) {
            self.queues[kind].push_back(slot as u32);
        }
    }

    /// The next pair with new carriers of a kind.
    pub fn waiting(&mut self, kind: usize) -> Option<usize> {
        let slot = self.queues[kind].pop_front()? as usize;
        self.slots[slot].queued[kind] = false;
        Some(slot)
    }

    /// Takes the carriers out of a list that contain all of these cells. Whether there were any.
    #[inline(always)]
    pub fn drop_around(&mut self, slot: usize, kind: usize, cells: Bits<W>) -> bool {
        let (mut at, mut before) = (self.slots[slot].first[kind], NONE);
        let (mut meet, mut dropped, mut left) = (Bits::ALL, false, false);
        while at != NONE {
            let Carrier { cells: larger, next, .. } = self.arena[at as usize];
            if (cells & !larger).is_empty() {
                dropped = true;
                match before {
                    NONE => self.slots[slot].first[kind] = next,
                    _ => self.arena[before as usize].next = next,
                }
            } else {
                (meet, left) = (meet & larger, true);
                before = at;
            }
            at = next;
        }
        if dropped {
            self.slots[slot].meet[kind] = if left { meet } else { Bits::NONE };
        }
        dropped
    }
}
