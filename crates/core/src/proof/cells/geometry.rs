//! Stones and bridges of a game of connection: which places they join, and what they need for it.

/// What a strategy needs: these empty cells, its carrier, and these stones. With them it also works elsewhere.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StrategyNeeds {
    pub cells: u128,
    pub stones: u128,
}

impl StrategyNeeds {
    pub fn and_cells(self, cells: u128) -> StrategyNeeds {
        StrategyNeeds { cells: self.cells | cells, ..self }
    }

    pub fn and(self, other: StrategyNeeds) -> StrategyNeeds {
        StrategyNeeds { cells: self.cells | other.cells, stones: self.stones | other.stones }
    }

    pub fn fits(&self, own: u128, free: u128) -> bool {
        self.stones & !own == 0 && self.cells & !free == 0
    }
}

/// Two places that are to be joined: the edges, or stones.
pub(super) type CellPlaces = (u128, u128);
pub(super) const NEAR: u128 = 0;
pub(super) const FAR: u128 = u128::MAX;

pub(super) fn cells(set: u128) -> impl Iterator<Item = u128> {
    let left = std::iter::successors(Some(set), |left| Some(left & left.wrapping_sub(1)));
    left.take_while(|left| *left != 0).map(lowest)
}

fn opposite(way: usize) -> usize {
    (way + 3) % 6
}

pub(super) fn lowest(set: u128) -> u128 {
    set & set.wrapping_neg()
}

/// Steps to the six neighbours, round a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Geometry {
    size: u32,
    all: u128,
    first_column: u128,
    last_column: u128,
    near: u128,
    far: u128,
    /// The rows or columns next to the edges, and the two directions of a bridge from there to the edge.
    next_to: [u128; 2],
    to_edge: [[usize; 2]; 2],
}

const EAST: usize = 0;
const NORTH_EAST: usize = 1;
const NORTH: usize = 2;
const WEST: usize = 3;
const SOUTH_WEST: usize = 4;
const SOUTH: usize = 5;

impl Geometry {
    pub fn new(size: u32, rows: bool) -> Geometry {
        let all = u128::MAX >> (128 - size * size);
        let row = u128::MAX >> (128 - size);
        let column = (0..size).fold(0, |set, row| set | 1 << (size * row));
        let (near, step) = if rows { (row, size) } else { (column, 1) };
        // on a board of one row there is none next to the edge
        let next = if size > 1 { near << step } else { 0 };
        let last = size.saturating_sub(2);
        Geometry {
            size,
            all,
            first_column: column,
            last_column: column << (size - 1),
            near,
            far: near << (step * (size - 1)),
            next_to: [next, if size > 1 { near << (step * last) } else { 0 }],
            to_edge: if rows {
                [[NORTH, NORTH_EAST], [SOUTH, SOUTH_WEST]]
            } else {
                [[WEST, SOUTH_WEST], [EAST, NORTH_EAST]]
            },
        }
    }

    /// All cells of a set, one step further.
    fn step(&self, set: u128, direction: usize) -> u128 {
        let (size, east) = (self.size, set & !self.last_column);
        let west = set & !self.first_column;
        self.all
            & match direction {
                EAST => east << 1,
                NORTH_EAST => east >> (size - 1),
                NORTH => set >> size,
                WEST => west >> 1,
                SOUTH_WEST => west << (size - 1),
                _ => set << size,
            }
    }

    /// All stones that are joined with some of them.
    pub fn flood(&self, mut set: u128, own: u128) -> u128 {
        loop {
            let around = (0..6).fold(set, |all, direction| all | self.step(set, direction));
            let more = around & own;
            if more == set {
                return set;
            }
            set = more;
        }
    }

    /// The stones that a place has: those at an edge, or the group of a stone.
    pub fn stones(&self, place: u128, own: u128) -> u128 {
        match place {
            NEAR => self.flood(own & self.near, own),
            FAR => self.flood(own & self.far, own),
            cell => self.flood(cell, own),
        }
    }

    /// What joins two places by stones and bridges, each cell in one bridge only; None if they are not joined so.
    ///
    /// Groups are reached one after another from the first place: by stones, by the first of the six bridges that leads
    /// anywhere, and to the lowest cell that it leads to. docs/proofs.md fixes that order, because checkers follow it.
    pub fn linked(
        &self,
        (from, to): CellPlaces,
        own: u128,
        mut free: u128,
    ) -> Option<StrategyNeeds> {
        let goal = self.stones(to, own);
        // groups, and what is needed on the way to each
        let mut groups = vec![(self.stones(from, own), StrategyNeeds::default())];
        let mut reached = groups[0].0;
        let way = |groups: &[(u128, StrategyNeeds)], cells: u128| {
            let found = groups.iter().find(|(group, _)| group & cells != 0);
            found.map_or(StrategyNeeds::default(), |(group, needs)| {
                let stones = self.flood(lowest(group & cells), own);
                StrategyNeeds { stones: needs.stones | stones, ..*needs }
            })
        };
        loop {
            if reached & goal != 0 {
                return Some(way(&groups, goal));
            }
            if to == FAR {
                let last = reached & self.at_edge(1, free);
                if last != 0 {
                    let last = lowest(last);
                    return Some(way(&groups, last).and_cells(self.edge_bridge(1, last)));
                }
            }
            let (cell, bridge, start) = self.next(own & !reached, reached, free, from == NEAR)?;
            let group = self.flood(cell, own);
            groups.push((group, way(&groups, start).and_cells(bridge)));
            reached |= group;
            free &= !bridge;
        }
    }

    /// The cells next to an edge that have a bridge to it.
    fn at_edge(&self, edge: usize, free: u128) -> u128 {
        let [one, two] = self.to_edge[edge].map(|way| self.step(free, opposite(way)));
        self.next_to[edge] & one & two
    }

    fn edge_bridge(&self, edge: usize, cell: u128) -> u128 {
        let [one, two] = self.to_edge[edge].map(|way| self.step(cell, way));
        one | two
    }

    /// The next stone that a bridge leads to, the bridge, and where it begins; 0 at the edge.
    fn next(&self, own: u128, reached: u128, free: u128, edge: bool) -> Option<(u128, u128, u128)> {
        for way in 0..6 {
            let other = (way + 1) % 6;
            let over = |one: usize, two: usize| self.step(self.step(reached, one) & free, two);
            let found = over(way, other) & over(other, way) & own;
            if found != 0 {
                let cell = lowest(found);
                let [one, two] = [way, other].map(|way| self.step(cell, opposite(way)));
                return Some((cell, one | two, self.step(one, opposite(other))));
            }
        }
        let found = if edge { own & self.at_edge(0, free) } else { 0 };
        (found != 0).then(|| (lowest(found), self.edge_bridge(0, lowest(found)), 0))
    }

    /// A carrier by which two places are joined although the other is to move: by bridges, or by moves after which they
    /// are, no cell being needed by all of them.
    pub fn joined(&self, places: CellPlaces, own: u128, free: u128) -> Option<u128> {
        if let Some(needs) = self.linked(places, own, free) {
            return Some(needs.cells);
        }
        let after = |cell: u128| Some(cell | self.linked(places, own | cell, free & !cell)?.cells);
        let mut ways: Vec<u128> = cells(free).filter_map(after).collect();
        ways.sort_by_key(|carrier| carrier.count_ones());
        let (mut common, mut carrier) = (u128::MAX, 0);
        while common != 0 {
            let best = ways.iter().min_by_key(|way| (*way & common).count_ones())?;
            if best & common == common {
                return None;
            }
            common &= best;
            carrier |= best;
        }
        Some(carrier)
    }
}
