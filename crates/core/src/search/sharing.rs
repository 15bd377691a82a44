//! Positions that are reached by different orders of moves share their subtrees.
//!
//! When a leaf is to be expanded whose position has been expanded elsewhere, at the same distance from the root,
//! it gets that node's children instead of copies of them. Then a node can have several parents, and a change
//! goes up along all of them, ply by ply: nodes of one ply have their children in the next, so that each is
//! computed once, after everything below it.

use crate::error::Error;
use crate::growth::GrowthRule;
use crate::tree::{NodeId, Tree};
use std::collections::{BTreeSet, HashMap};

/// Who shares what.
#[derive(Debug, Default)]
pub(super) struct Sharing {
    /// The first node expanded for a position: by its key and its ply.
    expanded: HashMap<(u64, usize), NodeId>,
    /// The beginnings of all families, in order.
    families: Vec<NodeId>,
    /// The parents of a family, by its place in `families`.
    parents: Vec<Vec<NodeId>>,
}

impl Sharing {
    /// The node that has the children of this position already.
    pub fn find(&self, key: u64, ply: usize) -> Option<NodeId> {
        self.expanded.get(&(key, ply)).copied()
    }

    /// Remembers a node that got children of its own.
    pub fn add(&mut self, tree: &Tree, id: NodeId, key: Option<u64>, ply: usize) {
        self.families.push(tree.node(id).children().start);
        self.parents.push(vec![id]);
        if let Some(key) = key {
            self.expanded.insert((key, ply), id);
        }
    }

    /// Remembers a node that got the children of another.
    pub fn share(&mut self, tree: &Tree, id: NodeId) {
        let family = self.family_of(tree.node(id).children().start);
        self.parents[family].push(id);
    }

    /// The place of the family that a node belongs to.
    fn family_of(&self, id: NodeId) -> usize {
        self.families.partition_point(|&first| first <= id) - 1
    }

    /// Carries a change at `leaf` up to the root along all parents; stops where nothing changes.
    pub fn back_up<R: GrowthRule>(
        &self,
        tree: &mut Tree,
        rule: &mut R,
        leaf: NodeId,
    ) -> Result<(), Error> {
        let mut ply = BTreeSet::from([leaf]);
        while !ply.is_empty() {
            let mut above = BTreeSet::new();
            for id in ply {
                let changed = tree.back_up(id) | rule.update(tree, id)?;
                if changed && id != Tree::ROOT {
                    above.extend(&self.parents[self.family_of(id)]);
                }
            }
            ply = above;
        }
        Ok(())
    }

    /// A map's entry, a family's beginning, a list of usually one parent.
    pub const BYTES_PER_FAMILY: usize = 32 + 4 + 24 + 8;

    pub fn bytes(&self) -> usize {
        self.families.len() * Sharing::BYTES_PER_FAMILY
    }
}
