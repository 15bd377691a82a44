//! Leaves whose expansion is under way.
//!
//! A search that chooses several leaves before any of them is expanded *holds* those that it has chosen: their values stay, and
//! they count as games that are over, which no rule chooses and which nothing can change. A node that is solved only for
//! that reason is held too. When the leaves are expanded, or given up, they are released one by one.

use super::node::{HELD, HELD_LEAF};
use super::{NodeId, Tree};

impl Tree {
    /// Holds an open leaf.
    pub(crate) fn hold(&mut self, id: NodeId) {
        self.nodes[id as usize].flags |= HELD_LEAF;
        self.holds = true;
    }

    /// Makes a held leaf an open one again.
    pub(crate) fn release(&mut self, id: NodeId) {
        self.nodes[id as usize].flags &= !HELD_LEAF;
    }

    /// Whether any leaves are held.
    pub fn holds_any(&self) -> bool {
        self.holds
    }

    /// All leaves have been released, and that has been backed up.
    pub(crate) fn holds_none(&mut self) {
        self.holds = false;
    }

    /// Marks an inner node that is solved only because leaves are held, or takes the mark away; tells whether that has
    /// changed.
    #[cold]
    pub(super) fn mark_held(&mut self, id: NodeId) -> bool {
        let node = self.nodes[id as usize];
        let end = if node.max_to_move() { self.range.1 } else { self.range.0 };
        let (mut all, mut decided) = (true, false);
        for child in self.children(&node) {
            all &= child.is_solved_for_good();
            decided |= child.is_solved_for_good() & (child.value == end);
        }
        let held = node.is_solved() && !(all || decided);
        let flags = &mut self.nodes[id as usize].flags;
        let before = *flags;
        *flags = if held { before | HELD } else { before & !HELD };
        *flags != before
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::sample;

    #[test]
    fn held_leaves_close_their_parents_until_they_are_released() {
        let mut tree = sample();
        tree.back_up_along(&[0, 2]);
        let before = tree.clone();
        for leaf in [3, 4] {
            tree.hold(leaf);
            tree.back_up(2);
        }
        assert!(tree.node(2).is_solved() && tree.node(2).is_held() && !tree.node(3).is_open());
        tree.back_up(0);
        assert!(!tree.root().is_solved());
        for leaf in [3, 4] {
            tree.release(leaf);
            tree.back_up(2);
        }
        tree.back_up(0);
        tree.holds_none();
        assert_eq!(tree.nodes(), before.nodes());
    }
}
