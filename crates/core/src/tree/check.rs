//! Invariants: everything that is kept up to date step by step, recomputed from the leaves.

use super::back_up::backed_up;
use super::{NodeId, Tree};
use std::fmt;

/// A number that differs from what its definition gives.
#[derive(Clone, Debug, PartialEq)]
pub struct Mismatch {
    /// Where.
    pub node: NodeId,
    /// What, with both values.
    pub what: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "node {}: {}", self.node, self.what)
    }
}

impl Tree {
    /// Recomputes every value and solved flag from the leaves, and checks the shape of the arena:
    /// every node but the root is the child of exactly one node, which stands before it.
    pub fn check(&self) -> Result<(), Mismatch> {
        let fail = |node: usize, what: String| Err(Mismatch { node: node as NodeId, what });
        let mut parents = vec![0u8; self.nodes.len()];
        for (id, node) in self.nodes.iter().enumerate() {
            if node.is_leaf() {
                if node.is_solved() != node.is_terminal() {
                    return fail(id, "a leaf is solved exactly if it is terminal".into());
                }
                continue;
            }
            if node.is_terminal() {
                return fail(id, "a terminal node has children".into());
            }
            let behind = node.first as usize > id || self.shared;
            if !behind || node.children().end as usize > self.nodes.len() {
                return fail(id, format!("children {:?} out of place", node.children()));
            }
            for child in node.children() {
                parents[child as usize] = parents[child as usize].saturating_add(1);
            }
            let (value, solved) =
                backed_up(node.max_to_move(), self.children(node), self.value_range());
            if value != node.value {
                return fail(id, format!("value {} should be {value}", node.value));
            }
            if solved != node.is_solved() {
                return fail(id, format!("solved {} should be {solved}", node.is_solved()));
            }
        }
        let alone = |&count: &u8| count == 1 || (self.shared && count > 1);
        match parents.iter().skip(1).position(|count| !alone(count)) {
            Some(id) => fail(id + 1, "not the child of exactly one node".into()),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::sample;

    #[test]
    fn notices_a_value_that_was_not_backed_up() {
        let mut tree = sample();
        assert!(tree.check().is_err(), "nothing was backed up yet");
        tree.back_up_along(&[0, 2]);
        assert_eq!(tree.check(), Ok(()));
        tree.nodes[4].value = 0.0;
        let mismatch = tree.check().expect_err("node 2 is stale now");
        assert_eq!(mismatch.node, 2);
    }
}
