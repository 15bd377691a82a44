//! Positions that are reached by different orders of moves share their subtrees.
//!
//! Nodes of one position at the same distance from the root are *twins*. When one of them is expanded, all get the
//! same children, and a new node whose twins have children gets them at once. So a position is expanded once,
//! a family can have several parents, and a change goes up along all of them, ply by ply: nodes of one ply have
//! their children in the next, so that each position is computed once, for the first of its nodes, after
//! everything below it.

use super::first_nodes::FirstNodes;
use crate::error::Error;
use crate::growth::GrowthRule;
use crate::spare::Room;
use crate::tree::{NodeId, Tree};

/// Who shares what.
#[derive(Debug, Default)]
pub(super) struct Sharing {
    /// The first node of a position: by its key and its ply.
    first: FirstNodes,
    /// The next of a node's twins, in a circle.
    twins: Vec<NodeId>,
    /// The first of a node's twins.
    leaders: Vec<NodeId>,
    /// The first of a node's parents; the others are its twins.
    parents: Vec<NodeId>,
    /// New nodes that got the children of twins.
    born: Vec<NodeId>,
    /// New leaves whose twins are held.
    late: Vec<NodeId>,
    /// Scratch space: the nodes of a ply to be computed, and those above.
    ply: Vec<NodeId>,
    above: Vec<NodeId>,
}

impl Sharing {
    /// Of a tree of one node.
    pub fn new() -> Sharing {
        let root = vec![Tree::ROOT];
        let (twins, leaders, parents) = (root.clone(), root.clone(), root);
        Sharing { twins, leaders, parents, ..Sharing::default() }
    }

    /// Takes note of the children of `parent`, which has just been expanded at this ply: its twins get them too,
    /// and they get those of their own twins. `keys` tell their positions apart, where
    /// the game is not over.
    pub fn add(&mut self, tree: &mut Tree, parent: NodeId, ply: usize, keys: &[Option<u64>]) {
        self.twins.extend(tree.node(parent).children());
        self.leaders.extend(tree.node(parent).children());
        self.parents.resize(tree.len(), self.leaders[parent as usize]);
        for (child, key) in tree.node(parent).children().zip(keys) {
            let Some(key) = key else { continue };
            let key = key ^ (ply as u64).wrapping_mul(0xD134_2543_DE82_EF95);
            let first = self.first.find_or_add(key, child);
            if first != child {
                self.leaders[child as usize] = first;
                self.twins[child as usize] = self.twins[first as usize];
                self.twins[first as usize] = child;
                let node = tree.node(first);
                if !node.is_leaf() {
                    tree.link(child, first);
                    self.born.push(child);
                } else if node.is_held() {
                    self.late.push(child);
                }
            }
        }
        let mut twin = self.twins[parent as usize];
        while twin != parent {
            tree.link(twin, parent);
            twin = self.twins[twin as usize];
        }
    }

    /// The first node of the position of `id`.
    pub fn leader(&self, id: NodeId) -> NodeId {
        self.leaders[id as usize]
    }

    /// Nothing is left to do for nodes that got the children of twins.
    pub fn forget_born(&mut self) {
        self.born.clear();
    }

    /// The new leaves whose twins are held: they are to be held too.
    pub fn take_late(&mut self) -> Vec<NodeId> {
        std::mem::take(&mut self.late)
    }

    /// All nodes of the position of `id`.
    pub fn circle(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let next = move |at: &NodeId| Some(self.twins[*at as usize]).filter(|twin| *twin != id);
        std::iter::successors(Some(id), next)
    }

    /// Carries the change at `leaf`, which was expanded last, up to the root along all parents; stops where nothing
    /// changes. Returns how many plies above the leaf that is.
    pub fn back_up<R: GrowthRule + ?Sized>(
        &mut self,
        tree: &mut Tree,
        rule: &mut R,
        leaf: NodeId,
    ) -> Result<usize, Error> {
        for id in self.born.drain(..) {
            let leader = self.leaders[id as usize];
            tree.mirror(leader, id);
            rule.mirror(tree, leader, id)?;
        }
        let mut ply = std::mem::take(&mut self.ply);
        ply.clear();
        ply.push(self.leaders[leaf as usize]);
        self.climb(tree, rule, ply)
    }

    /// The same for a leaf that has not been expanded, but held or released with all of its twins.
    pub fn carry<R: GrowthRule + ?Sized>(
        &mut self,
        tree: &mut Tree,
        rule: &mut R,
        leaf: NodeId,
    ) -> Result<usize, Error> {
        if leaf == Tree::ROOT {
            return Ok(0);
        }
        let mut above: Vec<NodeId> =
            self.circle(leaf).map(|id| self.parents[id as usize]).collect();
        above.sort_unstable();
        above.dedup();
        self.climb(tree, rule, above)
    }

    /// Carries what has changed below the nodes of one ply, the first of their positions, up to the root.
    fn climb<R: GrowthRule + ?Sized>(
        &mut self,
        tree: &mut Tree,
        rule: &mut R,
        mut ply: Vec<NodeId>,
    ) -> Result<usize, Error> {
        let mut above = std::mem::take(&mut self.above);
        let mut climbed = 0;
        loop {
            above.clear();
            for &leader in &ply {
                if !(tree.back_up(leader) | rule.update(tree, leader)?) || leader == Tree::ROOT {
                    continue;
                }
                for id in self.circle(leader) {
                    if id != leader {
                        tree.mirror(leader, id);
                        rule.mirror(tree, leader, id)?;
                    }
                    above.push(self.parents[id as usize]);
                }
            }
            if above.is_empty() {
                break;
            }
            climbed += 1;
            above.sort_unstable();
            above.dedup();
            std::mem::swap(&mut ply, &mut above);
        }
        (self.ply, self.above) = (ply, above);
        Ok(climbed)
    }

    /// Three links, a key, the number of its node, and a place in a table that may be half empty: about.
    pub const BYTES_PER_NODE: usize = 3 * 4 + 8 + 4 + 2 * 4;

    /// Bytes with this many more nodes.
    pub fn bytes(&self, more: usize) -> usize {
        3 * (self.twins.len() + more) * size_of::<NodeId>() + self.first.bytes(more)
    }

    /// Makes sure that there is memory for this many more nodes.
    pub fn reserve(&mut self, nodes: usize) -> Room {
        self.twins.try_reserve_exact(nodes)?;
        self.leaders.try_reserve_exact(nodes)?;
        self.parents.try_reserve_exact(nodes)?;
        self.first.reserve(nodes)
    }
}
