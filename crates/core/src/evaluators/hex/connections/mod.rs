//! Virtual connections: which points of a board a colour can join whatever the opponent does.
//!
//! Points are empty cells, groups of the colour's stones, each named by one of its cells, and the colour's two edges.
//! A *full* connection joins two points even if the opponent moves first; a *semi* connection if its colour does.
//! Each has a carrier, the empty cells that it needs.
//!
//! ```text
//!   store   carriers for every pair of points
//!   rules   AND and OR: how connections are found
//!   mod     where they begin, and what they say about the game
//!   update  what a further stone does to them
//!   measure how fast all this is
//! ```

mod measure;
mod rules;
mod store;
#[cfg(test)]
mod tests;
mod update;

use super::bits::Bits;
use super::board::Board;
use super::inferior::captures;
use super::Terrain;
pub use measure::measure;
use store::{Store, FULL, NO_KEY, SEMI};

/// A cell that is no point: the opponent's, or a stone of a group that is named by another.
const NOWHERE: u16 = u16::MAX;

/// The connections of one colour in a position.
#[derive(Clone, Debug)]
pub(super) struct Connections<const W: usize> {
    colour: usize,
    size: usize,
    /// The stones of both colours.
    stones: [Bits<W>; 2],
    /// The point that each cell, and each of the two edges, belongs to.
    point: Vec<u16>,
    /// For each empty cell what a stone on it would capture.
    captured: Vec<Bits<W>>,
    /// Whether all minimal connections are kept.
    exact: bool,
    store: Store<W>,
}

/// A connection as people are told of it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Connection<const W: usize> {
    /// Cells; or, from the number of cells on, the colour's first and second edge.
    pub ends: [usize; 2],
    pub full: bool,
    pub carrier: Bits<W>,
    /// Where to play to make a semi connection full.
    pub key: Option<usize>,
}

impl<const W: usize> Connections<W> {
    /// Bytes of what is kept.
    pub fn bytes(&self) -> usize {
        self.store.bytes()
            + self.point.len() * size_of::<u16>()
            + self.captured.len() * size_of::<Bits<W>>()
    }

    /// All connections of a colour, from nothing.
    pub fn new(board: &Terrain<W>, stones: [Bits<W>; 2], colour: usize) -> Connections<W> {
        Self::build(board, stones, colour, false)
    }

    pub(super) fn build(
        board: &Terrain<W>,
        stones: [Bits<W>; 2],
        colour: usize,
        exact: bool,
    ) -> Connections<W> {
        let cells = board.size * board.size;
        let mut this = Connections {
            colour,
            size: board.size,
            stones,
            point: points(board, stones, colour),
            captured: if exact { Vec::new() } else { captures(board, stones, colour) },
            exact,
            store: Store::new(cells + 2, 16 * cells),
        };
        this.seed(board);
        this.close();
        this
    }

    /// Neighbours are connected without needing anything.
    fn seed(&mut self, board: &Terrain<W>) {
        let cells = self.size * self.size;
        let empty = board.all & !(self.stones[0] | self.stones[1]);
        let own = self.stones[self.colour];
        for cell in empty.cells() {
            for near in (board.around(Bits::one(cell)) & (empty | own)).cells() {
                let point = usize::from(self.point[near]);
                self.add_full(cell, point, Bits::NONE);
            }
            for (edge, along) in board.edges[self.colour].iter().enumerate() {
                if along.has(cell) {
                    self.add_full(cell, usize::from(self.point[cells + edge]), Bits::NONE);
                }
            }
        }
        if !self.exact {
            self.seed_templates(board, own);
        }
    }

    /// The connections to an edge that the rules do not find, for some of the stones.
    fn seed_templates(&mut self, board: &Terrain<W>, among: Bits<W>) {
        let (own, other) = (self.stones[self.colour], self.stones[1 - self.colour]);
        for template in board.templates.iter().filter(|template| among.has(template.cell)) {
            let needs = template.carrier | Bits::one(template.cell);
            let ends = [self.point[template.cell], self.point[self.cells() + template.edge]];
            if template.colour == self.colour && !needs.meets(other) && ends[0] != ends[1] {
                let [one, two] = ends.map(usize::from);
                self.add_full(one, two, template.carrier & !own);
            }
        }
    }

    /// The number of cells; points from there on are edges.
    #[inline(always)]
    fn cells(&self) -> usize {
        self.size * self.size
    }

    /// How many points there could be.
    pub fn points(&self) -> usize {
        self.point.len()
    }

    /// Whether a point is a group or an edge.
    #[inline(always)]
    pub fn is_stone(&self, point: usize) -> bool {
        point >= self.cells() || self.stones[self.colour].has(point)
    }

    /// The points of the two edges.
    #[inline(always)]
    pub fn edges(&self) -> [usize; 2] {
        [0, 1].map(|edge| usize::from(self.point[self.cells() + edge]))
    }

    fn between_edges(&self) -> Option<usize> {
        let [near, far] = self.edges();
        self.store.find(near, far)
    }

    /// Whether the colour joins its edges even if the opponent moves first.
    pub fn joined(&self) -> bool {
        let [near, far] = self.edges();
        near == far || self.between_edges().is_some_and(|slot| self.store.has(slot, FULL))
    }

    /// Where the colour plays to win, if it is known to win when it moves first.
    pub fn winning_move(&self) -> Option<usize> {
        let semis = self.store.carriers(self.between_edges()?, SEMI);
        let keys = semis.filter(|semi| semi.key != NO_KEY);
        // the fewer cells it needs the sooner it is over
        keys.min_by_key(|semi| semi.cells.count()).map(|semi| usize::from(semi.key))
    }

    /// A cell that the colour's win depends on: where it plays, if it moves first, or where the opponent intrudes.
    pub fn decisive(&self, moves_first: bool) -> Option<usize> {
        let key = self.winning_move().filter(|_| moves_first);
        let carrier = || {
            let fulls = self.store.carriers(self.between_edges()?, FULL);
            fulls.map(|full| full.cells).min_by_key(|cells| cells.count())?.first()
        };
        key.or_else(carrier)
    }

    /// The cells one of which the opponent must take, or lose; nothing if there is no threat.
    pub fn must_play(&self) -> Option<Bits<W>> {
        let slot = self.between_edges()?;
        self.store.has(slot, SEMI).then(|| self.store.slots[slot].meet[SEMI])
    }

    /// The cells that a win needs, if the colour is known to win, with the first move or without it.
    pub fn winning_carrier(&self, moves_first: bool) -> Option<Bits<W>> {
        let [near, far] = self.edges();
        if near == far {
            return Some(Bits::NONE);
        }
        let slot = self.between_edges()?;
        let smallest = |kind: usize| {
            let ready = move |key: u16| kind == FULL || key != NO_KEY;
            let carriers = self.store.carriers(slot, kind).filter(move |one| ready(one.key));
            carriers.map(|carrier| carrier.cells).min_by_key(|cells| cells.count())
        };
        smallest(FULL).or_else(|| smallest(SEMI).filter(|_| moves_first))
    }

    /// The cells of threats that have no more in common than all of them.
    pub fn threats(&self) -> Bits<W> {
        let Some(slot) = self.between_edges() else { return Bits::NONE };
        let mut threats: Vec<Bits<W>> =
            self.store.carriers(slot, SEMI).map(|semi| semi.cells).collect();
        threats.sort_by_key(|cells| cells.count());
        let (mut common, mut all) = (Bits::ALL, Bits::NONE);
        for cells in threats {
            if !(common & !cells).is_empty() {
                (common, all) = (common & cells, all | cells);
            }
        }
        all
    }

    /// The pairs of points with a full connection, and how many cells are in all of its carriers.
    pub fn links(&self) -> impl Iterator<Item = ([usize; 2], u32)> + '_ {
        let slots = self.store.slots.iter();
        let full = slots.filter(|slot| slot.first[FULL] != store::NONE);
        full.map(|slot| (slot.ends.map(usize::from), slot.meet[FULL].count()))
    }

    /// All of them, for people and tests.
    pub fn all(&self) -> Vec<Connection<W>> {
        let mut all = Vec::new();
        for (slot, pair) in self.store.slots.iter().enumerate() {
            let [one, two] = pair.ends.map(usize::from);
            for kind in [FULL, SEMI] {
                all.extend(self.store.carriers(slot, kind).map(|carrier| Connection {
                    ends: [one.min(two), one.max(two)],
                    full: kind == FULL,
                    carrier: carrier.cells,
                    key: (carrier.key != NO_KEY).then_some(carrier.key.into()),
                }));
            }
        }
        all
    }
}

/// The point of every cell and edge: groups that touch an edge are that edge.
fn points<const W: usize>(board: &Board<W>, stones: [Bits<W>; 2], colour: usize) -> Vec<u16> {
    let cells = board.size * board.size;
    let mut point: Vec<u16> = (0..cells as u16 + 2).collect();
    for cell in stones[1 - colour].cells() {
        point[cell] = NOWHERE;
    }
    let mut left = stones[colour];
    if board.joined(left, colour) {
        point[cells + 1] = cells as u16;
    }
    for (edge, along) in board.edges[colour].into_iter().enumerate() {
        let group = board.flood(along, left);
        for cell in group.cells() {
            point[cell] = point[cells + edge];
        }
        left = left & !group;
    }
    while let Some(first) = left.first() {
        let group = board.flood(Bits::one(first), left);
        for cell in group.cells() {
            point[cell] = first as u16;
        }
        left = left & !group;
    }
    point
}
