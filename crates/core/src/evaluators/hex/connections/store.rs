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
const FEW: [u32; 2] = [5, 20];

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
    /// How many carriers of each kind there are.
    count: [u32; 2],
    /// The cells that are in all carriers of a kind; nothing if there is none.
    pub meet: [Bits<W>; 2],
    /// The cells that are in any of them.
    join: [Bits<W>; 2],
    /// Whether the pair waits for each of the rules.
    queued: [bool; 2],
}

/// Points: cells, and a bit for each edge, which may have no place beside 64 cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Points<const W: usize> {
    pub cells: Bits<W>,
    pub edges: u8,
}

impl<const W: usize> Points<W> {
    const NONE: Points<W> = Points { cells: Bits::NONE, edges: 0 };

    pub fn count(self) -> u32 {
        self.cells.count() + self.edges.count_ones()
    }
}

/// All connections of a colour.
#[derive(Clone, Debug)]
pub(super) struct Store<const W: usize> {
    /// The cells of the board, and the two edges.
    points: usize,
    /// The slot of each pair, in both orders.
    index: Vec<u32>,
    pub slots: Vec<PairSlot<W>>,
    pub arena: Vec<Carrier<W>>,
    /// For each point, those with which it has a full connection.
    pub reach: Vec<Points<W>>,
    /// Those with which it needs nothing to have one: no other connection of such a pair is worth a look.
    near: Vec<Points<W>>,
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
            reach: vec![Points::NONE; points],
            near: vec![Points::NONE; points],
            queues: Default::default(),
        }
    }

    /// Bytes, used or not.
    pub fn bytes(&self) -> usize {
        self.index.capacity() * size_of::<u32>()
            + self.slots.capacity() * size_of::<PairSlot<W>>()
            + self.arena.capacity() * size_of::<Carrier<W>>()
            + 2 * self.reach.capacity() * size_of::<Points<W>>()
            + self.queues.iter().map(|queue| queue.capacity() * size_of::<u32>()).sum::<usize>()
    }

    /// An empty one, in the memory of one that is no longer needed: to ask for new memory takes longer than to find
    /// connections in it.
    pub fn reuse(mut self) -> Store<W> {
        self.index.fill(NONE);
        self.slots.clear();
        self.arena.clear();
        self.reach.fill(Points::NONE);
        self.near.fill(Points::NONE);
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
        let none = [Bits::NONE; 2];
        let (first, count, queued) = ([NONE; 2], [0; 2], [false; 2]);
        self.slots.push(PairSlot { ends, first, count, meet: none, join: none, queued });
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
            && self.slots[slot].count[kind] >= FEW[kind]
    }

    /// Puts a carrier at the head of its list.
    #[inline(always)]
    pub fn push(&mut self, slot: usize, kind: usize, cells: Bits<W>, key: u16, done: bool) {
        let place = self.arena.len() as u32;
        let PairSlot { ends, first, count, meet, join, .. } = &mut self.slots[slot];
        let alone = first[kind] == NONE;
        meet[kind] = if alone { cells } else { meet[kind] & cells };
        join[kind] = join[kind] | cells;
        count[kind] += 1;
        self.arena.push(Carrier { cells, next: first[kind], key, done });
        first[kind] = place;
        if kind == FULL && alone {
            let ends = *ends;
            self.reaches(ends, cells.is_empty());
        }
        if !done {
            self.queue(slot, kind);
        }
    }

    /// Two points have a full connection now, which may need nothing.
    #[inline(always)]
    fn reaches(&mut self, ends: [u16; 2], freely: bool) {
        let [one, two] = ends.map(usize::from);
        let cells = self.points - 2;
        for (from, to) in [(one, two), (two, one)] {
            for points in [&mut self.reach, &mut self.near].into_iter().take(1 + freely as usize) {
                match to.checked_sub(cells) {
                    None => points[from].cells = points[from].cells | Bits::one(to),
                    Some(edge) => points[from].edges |= 1 << edge,
                }
            }
        }
    }

    /// The points that a connection from `end` to `through` could go on to, if it needs these cells: those with a full
    /// connection to `through`, without those that `end` is next to.
    #[inline(always)]
    pub fn further(&self, end: usize, through: usize, cells: Bits<W>) -> Points<W> {
        let (reach, near) = (self.reach[through], self.near[end]);
        let itself = end.checked_sub(self.points - 2).map_or(0, |edge| 1 << edge);
        Points {
            cells: reach.cells & !near.cells & !cells & !Bits::one(end),
            edges: reach.edges & !near.edges & !itself,
        }
    }

    /// Whether a pair has a carrier with one of these cells.
    #[inline(always)]
    pub fn touches(&self, slot: usize, cells: Bits<W>) -> bool {
        let [full, semi] = self.slots[slot].join;
        (full | semi).meets(cells)
    }

    /// Takes over all carriers of a pair of other connections: what pushing one after the other comes to.
    pub fn take_over(&mut self, slot: usize, other: &Store<W>, place: usize) {
        let pair = &other.slots[place];
        for kind in [FULL, SEMI] {
            let (mut head, mut waits) = (NONE, false);
            for carrier in other.carriers(place, kind) {
                let next = std::mem::replace(&mut head, self.arena.len() as u32);
                self.arena.push(Carrier { next, ..*carrier });
                waits |= !carrier.done;
            }
            self.slots[slot].first[kind] = head;
            if waits {
                self.queue(slot, kind);
            }
        }
        let new = &mut self.slots[slot];
        (new.count, new.meet, new.join) = (pair.count, pair.meet, pair.join);
        if pair.count[FULL] > 0 {
            let ends = new.ends;
            self.reaches(ends, pair.join[FULL].is_empty());
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
        // what none of them has, no single one has
        if !(cells & !self.slots[slot].join[kind]).is_empty() {
            return false;
        }
        let (mut at, mut before) = (self.slots[slot].first[kind], NONE);
        let (mut meet, mut join, mut left) = (Bits::ALL, Bits::NONE, 0);
        let mut dropped = false;
        while at != NONE {
            let Carrier { cells: larger, next, .. } = self.arena[at as usize];
            if (cells & !larger).is_empty() {
                dropped = true;
                match before {
                    NONE => self.slots[slot].first[kind] = next,
                    _ => self.arena[before as usize].next = next,
                }
            } else {
                (meet, join, left) = (meet & larger, join | larger, left + 1);
                before = at;
            }
            at = next;
        }
        if dropped {
            let pair = &mut self.slots[slot];
            pair.meet[kind] = if left > 0 { meet } else { Bits::NONE };
            (pair.join[kind], pair.count[kind]) = (join, left);
        }
        dropped
    }
}
