//! Minimax values and solved flags, from the children to the parent.

use super::node::SOLVED;
use super::{Node, NodeId, Tree};

/// What a node's value and solved flag must be, given its children.
///
/// A node is solved if all its children are, or if one of them is proven to have the best value
/// that the game's range allows the player to move: then nothing below the others matters.
#[inline]
pub(super) fn backed_up(max: bool, children: &[Node], range: (f64, f64)) -> (f64, bool) {
    let (mut best, end) = if max { (f64::NEG_INFINITY, range.1) } else { (f64::INFINITY, range.0) };
    let mut all = true;
    let mut decided = false;
    for child in children {
        // not `f64::min` and `f64::max`, which care for NaN: values never are
        let better = if max { child.value > best } else { child.value < best };
        best = if better { child.value } else { best };
        all &= child.is_solved();
        decided |= child.is_solved() & (child.value == end);
    }
    (best, all | decided)
}

impl Tree {
    /// Recomputes an inner node from its children; tells whether anything changed.
    #[inline]
    pub(crate) fn back_up(&mut self, id: NodeId) -> bool {
        let node = self.nodes[id as usize];
        let (value, solved) = backed_up(node.max_to_move(), self.children(&node), self.range);
        let changed = self.set(id, value, solved);
        if self.holds {
            return self.mark_held(id) | changed;
        }
        changed
    }

    /// The same for a node that may still be a leaf.
    pub(crate) fn back_up_inner(&mut self, id: NodeId) {
        if !self.nodes[id as usize].is_leaf() {
            self.back_up(id);
        }
    }

    /// Whether a node's children prove it.
    #[inline]
    pub(crate) fn is_proven(&self, id: NodeId) -> bool {
        let node = self.node(id);
        backed_up(node.max_to_move(), self.children(node), self.range).1
    }

    /// Gives an inner node what its children make of it; tells whether anything changed.
    #[inline]
    pub(crate) fn set(&mut self, id: NodeId, value: f64, solved: bool) -> bool {
        let node = self.nodes[id as usize];
        let changed = value != node.value || solved != node.is_solved();
        if changed {
            let node = &mut self.nodes[id as usize];
            node.value = value;
            if solved {
                node.flags |= SOLVED;
            } else {
                node.flags &= !SOLVED;
            }
        }
        changed
    }

    /// Backs up along a path from its end; returns the place in the path of the last node looked
    /// at: the first whose numbers stayed the same, or the root.
    #[cfg(test)]
    pub(crate) fn back_up_along(&mut self, path: &[NodeId]) -> usize {
        path.iter().rposition(|&id| !self.back_up(id)).unwrap_or(0)
    }
}
