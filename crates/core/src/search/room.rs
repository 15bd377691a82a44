//! Room for a growing tree: how much memory it takes, and whether there is enough for one expansion more.

use super::budget::{Halt, Meter};
use super::sharing::Sharing;
use super::{Growth, Limit, Trace};
use crate::game::MOST_MOVES;
use crate::growth::GrowthRule;
use crate::scores::Units;
use crate::spare::Room;
use crate::tree::{NodeId, Tree};

/// Lines of this length cost next to nothing.
const USUAL_PLIES: usize = 1_000;
/// A ply of a longer line: in the path, and in the answer that is made of it, here and in the user's hands.
const BYTES_PER_PLY: usize = 3 * size_of::<NodeId>() + 2 * size_of::<usize>();

impl<R: GrowthRule + ?Sized> Growth<R> {
    pub(super) fn bytes_per_node(&self) -> usize {
        let error = if self.needs.leaves.errors { size_of::<Units>() } else { 0 };
        Tree::BYTES_PER_NODE + error + self.expander.bytes_per_node()
    }

    /// Bytes after one more expansion with so many children.
    #[inline]
    pub(super) fn bytes_with(&self, children: usize) -> usize {
        let path = if children == 0 { 0 } else { self.path.len() };
        let plies = (self.deepest.max(self.path.len()) + 1).saturating_sub(USUAL_PLIES);
        let plies = if children == 0 { 0 } else { plies };
        self.tree.bytes()
            + self.expander.bytes()
            + self.rule.bytes(path, children)
            + self.trace.as_ref().map_or(0, Trace::bytes)
            + self.sharing.as_ref().map_or(0, |sharing| sharing.bytes(children))
            + children * self.bytes_per_node()
            + plies * (BYTES_PER_PLY + self.needs.bytes_per_ply)
            + self.trace.as_ref().filter(|_| path > 0).map_or(0, |_| Trace::bytes_for(path))
    }

    /// How many children there is room for, within the budget and the machine's memory.
    #[inline]
    pub(super) fn room(&mut self, meter: &Meter) -> Result<u64, Halt> {
        let most = NodeId::MAX as usize - self.tree.len();
        if self.tree.len() < self.roomy {
            return Ok(most as u64);
        }
        self.look_for_room(meter, most)
    }

    /// The same, in earnest. Where memory is scarce an evaluator forgets what it can find again first; where it is not,
    /// nobody need look again before the tree has grown by a good part of what is left.
    #[cold]
    fn look_for_room(&mut self, meter: &Meter, most: usize) -> Result<u64, Halt> {
        if self.reserved < self.tree.len() + 2 * MOST_MOVES {
            self.more_room(meter).map_err(|_| Halt::Spent(Limit::Memory))?;
        }
        let large = self.bytes_with(MOST_MOVES);
        if meter.afford_bytes(large).is_ok() {
            let left = meter.bytes() - large as u64;
            let a_node = self.bytes_with(0) / self.tree.len();
            let soon = (left / (8 * a_node as u64)).min(u64::from(NodeId::MAX)) as usize;
            self.roomy = self.tree.len() + soon.min(self.reserved - self.tree.len() - MOST_MOVES);
            return Ok(most as u64);
        }
        let others = self.bytes_with(0) - self.expander.bytes();
        self.expander.shrink((meter.bytes() as usize).saturating_sub(others) / 2);
        let (mut fits, mut fails) = (0, MOST_MOVES + 1);
        while fits + 1 < fails {
            let middle = (fits + fails) / 2;
            match meter.afford_bytes(self.bytes_with(middle)) {
                Ok(()) => fits = middle,
                Err(_) => fails = middle,
            }
        }
        match fits.min(most) {
            0 => Err(Halt::Spent(Limit::Memory)),
            fits => Ok(fits as u64),
        }
    }

    /// Address space for nodes to come: a modest amount first, which the allocator can use again for the
    /// next search, then more, and then at once for all that the budget allows. Memory that is never touched
    /// costs nothing; moving large arrays does. If the machine refuses that much, what one expansion needs is enough.
    #[cold]
    fn more_room(&mut self, meter: &Meter) -> Room {
        const MODEST: u64 = 1 << 16;
        const LARGE: u64 = 1 << 20;
        let shared = if self.sharing.is_some() { Sharing::BYTES_PER_NODE } else { 0 };
        let a_node = (self.bytes_per_node() + shared).max(self.bytes_with(0) / self.tree.len());
        let left = meter.affordable_nodes(self.bytes_with(0), a_node);
        let nodes = match self.tree.len() as u64 {
            1 => left.min(MODEST),
            ..LARGE => left.min(LARGE),
            _ => left,
        };
        let nodes = nodes.min(u64::from(NodeId::MAX)) as usize + 2 * MOST_MOVES;
        let sizes = std::iter::successors(Some(nodes), |nodes| Some(nodes / 2));
        for nodes in sizes.take_while(|nodes| *nodes > 2 * MOST_MOVES) {
            if self.reserve(nodes).is_ok() {
                return Ok(());
            }
        }
        self.reserve(2 * MOST_MOVES)
    }

    /// Makes sure that there is memory for this many more nodes, with all that belongs to them.
    pub(super) fn reserve(&mut self, nodes: usize) -> Room {
        self.tree.reserve(nodes, self.needs.leaves.errors)?;
        self.expander.reserve(nodes)?;
        if let Some(sharing) = &mut self.sharing {
            sharing.reserve(nodes)?;
        }
        self.rule.reserve(nodes)?;
        self.reserved = self.tree.len() + nodes;
        Ok(())
    }
}
