//! Two staircases for each inner node of a tree, in one array.
//!
//! A node's place holds `2 << class` steps, half for either side. When a function outgrows its half, the node
//! moves to a place twice as large, and the old one waits for another node.

use super::staircase::Step;
use crate::spare::{likely, make_room, Reused, Room};
use crate::tree::NodeId;

/// Where a node's steps are: `lens[0]` of them from the start, `lens[1]` from the middle.
#[derive(Clone, Copy, Debug)]
struct PoolPlace {
    start: u32,
    class: u8,
    lens: [u32; 2],
}

const NOWHERE: u32 = u32::MAX;

/// The functions by node; leaves have none.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pool {
    /// Index into `places`, by node; `NOWHERE` for nodes that nothing is stored for.
    index: Reused<u32>,
    places: Reused<PoolPlace>,
    steps: Reused<Step>,
    /// Starts of places that are no longer used, by class.
    free: Vec<Vec<u32>>,
}

impl Pool {
    /// Makes room for a tree of this many nodes.
    #[inline]
    pub fn grow(&mut self, nodes: usize) {
        self.index.resize(nodes, NOWHERE);
    }

    /// A node's function; one must be stored.
    #[inline]
    pub fn get(&self, id: NodeId, side: usize) -> &[Step] {
        let place = &self.places[self.index[id as usize] as usize];
        let start = place.start as usize + (side << place.class);
        &self.steps[start..start + place.lens[side] as usize]
    }

    /// Writes both functions of a node; tells whether they differ from what was there.
    pub fn put(&mut self, id: NodeId, functions: &[Vec<Step>; 2]) -> bool {
        let longest = functions[0].len().max(functions[1].len());
        let class = longest.next_power_of_two().trailing_zeros() as u8;
        let index = self.index[id as usize];
        if index == NOWHERE {
            self.index[id as usize] = self.places.len() as u32;
            let start = self.allocate(class);
            make_room(&mut self.places, 1);
            self.places.push(PoolPlace { start, class, lens: [0; 2] });
        } else {
            let place = self.places[index as usize];
            if place.class < class {
                self.give_back(place);
                let start = self.allocate(class);
                self.places[index as usize] = PoolPlace { start, class, lens: [0; 2] };
            }
        }
        let place = &mut self.places[self.index[id as usize] as usize];
        let mut changed = index == NOWHERE;
        for (side, steps) in functions.iter().enumerate() {
            let start = place.start as usize + (side << place.class);
            let stored = &mut self.steps[start..start + steps.len()];
            if place.lens[side] as usize != steps.len() || stored != steps.as_slice() {
                stored.copy_from_slice(steps);
                place.lens[side] = steps.len() as u32;
                changed = true;
            }
        }
        changed
    }

    fn allocate(&mut self, class: u8) -> u32 {
        if let Some(start) = self.free.get_mut(usize::from(class)).and_then(Vec::pop) {
            return start;
        }
        let start = self.steps.len();
        make_room(&mut self.steps, 2 << class);
        self.steps.resize(start + (2 << class), Step { x: 0, h: 0 });
        start as u32
    }

    fn give_back(&mut self, place: PoolPlace) {
        let class = usize::from(place.class);
        if self.free.len() <= class {
            self.free.resize_with(class + 1, Vec::new);
        }
        self.free[class].push(place.start);
    }

    /// Makes sure that there is memory for this many more nodes, which need as much for each as there is so far, and a
    /// quarter more.
    pub fn reserve(&mut self, nodes: usize) -> Room {
        let [places, steps] = [self.places.len(), self.steps.len()]
            .map(|so_far| likely(nodes, so_far, self.index.len()));
        self.places.try_reserve(places.min(nodes + 1))?;
        self.steps.try_reserve(steps)?;
        self.index.try_reserve_exact(nodes)
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.index.len() * size_of::<u32>()
            + self.places.len() * size_of::<PoolPlace>()
            + self.steps.len() * size_of::<Step>()
    }

    /// The most that this many new leaves, one node that becomes an inner one, and so many changed functions of
    /// at most `steps` steps can add.
    pub fn bytes_for(leaves: usize, nodes: usize, steps: usize) -> usize {
        let place = 2 * steps.next_power_of_two();
        leaves * size_of::<u32>() + size_of::<PoolPlace>() + nodes * place * size_of::<Step>()
    }
}
