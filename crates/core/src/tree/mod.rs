//! The one tree: an arena of index-addressed nodes with contiguous children.
//!
//! ```text
//!   nodes   [root | children of root | children of the 2nd expanded node | ...]
//!             0     1 .. b             b+1 ..
//! ```
//!
//! A node is 16 bytes and knows nothing of games or rules. Positions and a rule's own numbers live
//! in arrays of their owners, indexed by the same [`NodeId`]. Children always have greater indices
//! than their first parent, so that one sweep from the end of the arena recomputes a whole tree without
//! recursion. There are no parent links: every update goes up the path that the search came down.

mod back_up;
mod check;
mod hold;
mod line;
mod node;
mod overview;
mod rank;
mod siblings;

pub use check::Mismatch;
pub use node::Node;
pub use overview::{overview, Pane};
pub(crate) use rank::{rank, unrank, Rank};
pub(crate) use siblings::Siblings;

pub use crate::evaluator::NodeId;

use crate::evaluator::LeafBounds;
use crate::expander::Family;
use crate::scores::Units;
use crate::spare::{Reused, Room};
use node::{CLAIMED, NARROWED};
use std::collections::{HashMap, HashSet};

/// The nodes from the root to the node under consideration, both included.
pub type Path = Vec<NodeId>;

/// What bounds of a leaf take, with two entries each.
const BYTES_OF_BOUNDS: usize =
    2 * (size_of::<LeafBounds>() + size_of::<NodeId>() + 4 * size_of::<f64>());

/// A game tree as far as it has been grown.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Reused<Node>,
    range: (f64, f64),
    /// Bounds from the evaluator (McAllester 1988, Section 10), where it gives any: a leaf's numbers up and
    /// down. They are forgotten when the leaf is expanded.
    leaf_bounds: HashMap<NodeId, LeafBounds>,
    /// The relative error of the move to each node, if the rule asks for it.
    errors: Reused<Units>,
    /// The place of the move to each node among the legal ones, if any node has not all of them in order.
    places: Reused<u16>,
    /// Whether any nodes share their children.
    shared: bool,
    /// Whether any leaves are held.
    holds: bool,
    expansions: u64,
}

impl Default for Tree {
    fn default() -> Tree {
        Tree::new(Node::leaf(0.0, true, false), (f64::NEG_INFINITY, f64::INFINITY))
    }
}

impl Tree {
    /// The index of the root.
    pub const ROOT: NodeId = 0;

    /// A tree of one node, for a game whose values lie in `range`.
    pub fn new(root: Node, range: (f64, f64)) -> Tree {
        let mut nodes = Reused::default();
        nodes.push(root);
        Tree {
            nodes,
            range,
            leaf_bounds: HashMap::new(),
            errors: Reused::default(),
            places: Reused::default(),
            shared: false,
            holds: false,
            expansions: 0,
        }
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never true: a tree has a root.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The root.
    pub fn root(&self) -> &Node {
        &self.nodes[0]
    }

    /// The node with this index, which must exist.
    #[inline]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    /// The children of a node as a slice.
    #[inline]
    pub fn children(&self, node: &Node) -> &[Node] {
        &self.nodes[node.first as usize..node.first as usize + node.count as usize]
    }

    /// All nodes in the order of their creation.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The least and the greatest value that the game declares possible.
    pub fn value_range(&self) -> (f64, f64) {
        self.range
    }

    /// Turns the open leaf `id` into an inner node with these children. Values are backed up
    /// separately, because only the caller knows the path.
    pub(crate) fn expand(&mut self, id: NodeId, children: impl ExactSizeIterator<Item = Node>) {
        let first = self.nodes.len() as NodeId;
        let leaf = &mut self.nodes[id as usize];
        leaf.first = first;
        leaf.count = children.len() as u16;
        self.expansions += 1;
        self.nodes.extend(children);
        if self.has_leaf_bounds() {
            self.leaf_bounds.remove(&id);
        }
    }

    /// Gives the open leaf `id` a family.
    #[inline]
    pub(crate) fn grow(&mut self, id: NodeId, family: &Family) {
        let first = self.nodes.len();
        self.expand(id, family.leaves.iter().map(Node::of));
        if !family.errors.is_empty() {
            self.add_errors(&family.errors);
        }
        if !(family.places.is_empty() && self.places.is_empty()) {
            self.add_places(first, family);
        }
        for (place, bounds) in &family.bounds {
            self.set_leaf_bounds(first as NodeId + place, bounds);
        }
        if family.narrowed {
            self.nodes[id as usize].flags |= NARROWED;
        }
        if family.claimed {
            self.nodes[first..].iter_mut().for_each(|leaf| leaf.flags |= CLAIMED);
        }
    }

    #[cold]
    fn add_places(&mut self, first: usize, family: &Family) {
        // all that came before had all of their moves: the places among siblings
        if self.places.is_empty() {
            self.places.resize(first, 0);
            for id in 0..first {
                for (place, child) in (0..).zip(self.nodes[id].children()) {
                    if (child as usize) < first {
                        self.places[child as usize] = place;
                    }
                }
            }
        }
        match family.places.is_empty() {
            true => self.places.extend(0..family.leaves.len() as u16),
            false => self.places.extend_from_slice(&family.places),
        }
    }

    /// The place of the move to a node among the legal ones of its parent, whose children begin at `first`.
    pub fn place(&self, id: NodeId, first: NodeId) -> u32 {
        match self.places.get(id as usize) {
            Some(place) => u32::from(*place),
            None => id - first,
        }
    }

    /// The places of a node's moves among the legal ones; none if they are all of them in order.
    pub(crate) fn places_of(&self, id: NodeId) -> &[u16] {
        let children = self.node(id).children();
        self.places.get(children.start as usize..children.end as usize).unwrap_or(&[])
    }

    /// A line of places among siblings as places among the legal moves, as far as the tree goes.
    pub fn legal_places(&self, line: &[u32]) -> Vec<u32> {
        let mut id = Tree::ROOT;
        let step = |place: &u32| {
            let first = self.node(id).children().start;
            if self.node(id).children().len() <= *place as usize {
                return *place;
            }
            id = first + place;
            self.place(id, first)
        };
        line.iter().map(step).collect()
    }

    /// How many more nodes there is room for without asking the machine.
    pub(crate) fn spare_room(&self) -> usize {
        self.nodes.capacity() - self.nodes.len()
    }

    /// The node that a line of places among the legal moves leads to.
    pub(crate) fn node_after(&self, line: &[u32]) -> Option<NodeId> {
        line.iter().try_fold(Tree::ROOT, |id, place| {
            let children = self.node(id).children();
            let first = children.start;
            children.into_iter().find(|child| self.place(*child, first) == *place)
        })
    }

    /// A path from the root to every node for which `wanted` is true, in the order of the nodes.
    fn paths_to(&self, wanted: impl Fn(&Node) -> bool) -> impl Iterator<Item = Path> {
        let mut parents = vec![Tree::ROOT; self.nodes.len()];
        for id in (0..self.nodes.len()).rev() {
            for child in self.nodes[id].children() {
                parents[child as usize] = id as NodeId;
            }
        }
        let ids: Vec<NodeId> = (0..)
            .zip(self.nodes.iter())
            .filter(|(_, node)| wanted(node))
            .map(|(id, _)| id)
            .collect();
        ids.into_iter().map(move |id| {
            let mut path = vec![id];
            while path[path.len() - 1] != Tree::ROOT {
                path.push(parents[path[path.len() - 1] as usize]);
            }
            path.reverse();
            path
        })
    }

    /// A path to every open leaf.
    pub(crate) fn open_paths(&self) -> impl Iterator<Item = Path> {
        self.paths_to(Node::is_open)
    }

    /// A path to every inner node.
    pub(crate) fn inner_paths(&self) -> impl Iterator<Item = Path> {
        self.paths_to(|node| !node.is_leaf())
    }

    /// The node that a line of places among siblings leads to.
    pub fn node_at(&self, line: &[u32]) -> Option<NodeId> {
        line.iter().try_fold(Tree::ROOT, |id, place| self.node(id).children().nth(*place as usize))
    }

    /// Gives a node its marks again: see [`Node::marks`].
    pub(crate) fn set_marks(&mut self, id: NodeId, marks: u8) {
        self.nodes[id as usize].flags |= marks & (CLAIMED | NARROWED);
    }

    /// How often the tree has grown.
    pub(crate) fn expansions(&self) -> u64 {
        self.expansions
    }

    /// Turns the open leaf `id` into an inner node with the children of another node of the same position.
    pub(crate) fn link(&mut self, id: NodeId, same: NodeId) {
        let Node { first, count, .. } = self.nodes[same as usize];
        let leaf = &mut self.nodes[id as usize];
        (leaf.first, leaf.count) = (first, count);
        self.shared = true;
        self.expansions += 1;
        self.leaf_bounds.remove(&id);
    }

    /// Gives a node the value of another that has the same children.
    pub(crate) fn mirror(&mut self, same: NodeId, id: NodeId) {
        let Node { value, flags, .. } = self.nodes[same as usize];
        let node = &mut self.nodes[id as usize];
        (node.value, node.flags) = (value, flags);
    }

    /// Whether any nodes share their children; else children always have greater indices than their parent.
    pub fn is_shared(&self) -> bool {
        self.shared
    }

    /// Every inner node, behind its children: the order in which to recompute a whole tree.
    pub fn bottom_up(&self) -> Vec<NodeId> {
        let inner = |id: &NodeId| !self.node(*id).is_leaf();
        let mut order: Vec<NodeId> = (0..self.nodes.len() as NodeId).rev().filter(inner).collect();
        if self.shared {
            // a node may stand behind children that it shares: its ply tells
            let plies = self.plies();
            order.sort_by_key(|&id| std::cmp::Reverse(plies[id as usize]));
        }
        order
    }

    /// The distance of every node from the root. Nodes that share children have the same.
    fn plies(&self) -> Vec<u32> {
        let mut plies = vec![0; self.nodes.len()];
        for (id, node) in self.nodes.iter().enumerate() {
            for child in node.children() {
                plies[child as usize] = plies[id] + 1;
            }
        }
        plies
    }

    /// Makes sure that there is memory for this many more nodes, with errors or without.
    pub(crate) fn reserve(&mut self, nodes: usize, errors: bool) -> Room {
        if errors {
            self.errors.try_reserve_exact(nodes)?;
        }
        if !self.places.is_empty() {
            self.places.try_reserve_exact(nodes)?;
        }
        self.nodes.try_reserve_exact(nodes)
    }

    /// What the evaluator said of a leaf beyond its value, as far as the range of values goes.
    #[inline]
    pub fn leaf_bounds(&self, id: NodeId) -> Option<&LeafBounds> {
        self.leaf_bounds.get(&id).filter(|_| !self.node(id).is_held())
    }

    /// Whether it said anything of any leaf.
    #[inline]
    pub(crate) fn has_leaf_bounds(&self) -> bool {
        !self.leaf_bounds.is_empty()
    }

    /// Keeps what the evaluator said of a leaf.
    pub(crate) fn set_leaf_bounds(&mut self, id: NodeId, bounds: &LeafBounds) {
        let (low, high) = self.range;
        let clipped = |list: &[f64]| list.iter().map(|v| v.clamp(low, high) + 0.0).collect();
        let (upper, lower) = (clipped(&bounds.upper), clipped(&bounds.lower));
        self.leaf_bounds.insert(id, LeafBounds { upper, lower });
    }

    /// The relative error of the move to a node, in units of 1/4096; 0 where nobody asked for it.
    #[inline]
    pub fn error(&self, id: NodeId) -> Units {
        self.errors.get(id as usize).copied().unwrap_or(0)
    }

    /// The errors of the nodes made last, in their order.
    pub(crate) fn add_errors(&mut self, errors: &[Units]) {
        self.errors.resize(self.nodes.len() - errors.len(), 0);
        self.errors.extend_from_slice(errors);
    }

    /// The errors of the moves to all nodes; none if nobody asked for them.
    pub(crate) fn errors(&self) -> &[Units] {
        &self.errors
    }

    /// The nodes that were expanded, in that order; of several that share a family, the first.
    pub(crate) fn expanded(&self) -> Vec<NodeId> {
        let ids = 0..self.nodes.len() as NodeId;
        let mut expanded: Vec<NodeId> = ids.filter(|id| !self.node(*id).is_leaf()).collect();
        expanded.sort_by_key(|id| (self.node(*id).first, *id));
        expanded.dedup_by_key(|id| self.node(*id).first);
        expanded
    }

    /// The errors of all nodes.
    pub(crate) fn set_errors(&mut self, errors: Vec<Units>) {
        self.errors = errors.into();
    }

    /// The places among siblings that lead along `path` from the root.
    pub fn places(&self, path: &[NodeId]) -> Vec<u32> {
        path.windows(2).map(|step| step[1] - self.node(step[0]).first).collect()
    }

    /// Number of nodes at every ply, the root's first.
    pub fn depth_histogram(&self) -> Vec<u64> {
        let mut histogram: Vec<u64> = Vec::new();
        for depth in self.plies() {
            let depth = depth as usize;
            if histogram.len() <= depth {
                histogram.resize(depth + 1, 0);
            }
            histogram[depth] += 1;
        }
        histogram
    }

    /// The inner nodes of a node's subtree, itself included, one for each family: parents before children.
    pub(crate) fn inner_below(&self, id: NodeId) -> Vec<NodeId> {
        let mut families = HashSet::new();
        let mut below = vec![id];
        let mut inner = Vec::new();
        while let Some(id) = below.pop() {
            let node = self.node(id);
            if !node.is_leaf() && (!self.shared || families.insert(node.first)) {
                below.extend(node.children());
                inner.push(id);
            }
        }
        inner
    }

    /// For every node, how many nodes its subtree has, itself included; shared ones count every time.
    pub fn subtree_sizes(&self) -> Vec<u64> {
        let mut sizes = vec![1u64; self.nodes.len()];
        for id in self.bottom_up() {
            let below = self.node(id).children().map(|child| sizes[child as usize]);
            sizes[id as usize] = below.fold(1, u64::saturating_add);
        }
        sizes
    }

    /// Bytes that one node takes here, positions and rules not included.
    pub const BYTES_PER_NODE: usize = size_of::<Node>();

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node>()
            + self.errors.len() * size_of::<Units>()
            + self.places.len() * size_of::<u16>()
            + self.leaf_bounds.len() * BYTES_OF_BOUNDS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_is_sixteen_bytes() {
        assert_eq!(Tree::BYTES_PER_NODE, 16);
    }

    /// ```text
    ///        max 0
    ///       /     \
    ///   min 3     min 1
    ///             /   \
    ///            2     5
    /// ```
    pub(super) fn sample() -> Tree {
        let mut tree = Tree::default();
        let leaf = |value, max| Node::leaf(value, max, false);
        tree.expand(0, [leaf(3.0, false), leaf(1.0, false)].into_iter());
        tree.expand(2, [leaf(2.0, true), leaf(5.0, true)].into_iter());
        tree
    }

    #[test]
    fn lines_and_shape() {
        let mut tree = sample();
        assert_eq!(tree.back_up_along(&[0, 2]), 0);
        assert_eq!(tree.principal_line(false, |_| None), [0]);
        assert_eq!(tree.depth_histogram(), [1, 2, 2]);
        assert_eq!(tree.places(&[0, 2, 4]), [1, 1]);
        assert_eq!(tree.root().value, 3.0);
    }
}
