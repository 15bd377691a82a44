//! A family without one of its children.
//!
//! While a node and one of its children are both on the path, nothing else in the family can change. So
//! what the others come to can be kept, and backing up through the node takes a few comparisons instead of a
//! look at the whole family.

use super::{rank, NodeId, Rank, Tree};

/// What the other children come to, for the player to move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Siblings {
    /// The player to move: 0 for Max, all ones for Min. `rank ^ player` is the rank from that side.
    pub player: Rank,
    /// The best of their values.
    pub best: Rank,
    /// Whether the value of any of them can still change.
    pub open: bool,
    /// Whether one of them alone proves the node.
    pub decided: bool,
}

impl Siblings {
    /// Worse than any value.
    pub const NOTHING: Rank = Rank::MIN;

    /// The node's value and solved flag, given those of the child; `ends` as in [`Tree::ends`].
    #[inline]
    pub fn with(&self, value: Rank, solved: bool, ends: [Rank; 2]) -> (Rank, bool) {
        let best = (value ^ self.player).max(self.best);
        let wins = value == ends[usize::from(self.player == 0)];
        (best ^ self.player, self.decided || (solved && (wins || !self.open)))
    }
}

impl Tree {
    /// The ranks of the least and the greatest value of the game.
    #[inline]
    pub(crate) fn ends(&self) -> [Rank; 2] {
        [rank(self.range.0), rank(self.range.1)]
    }

    /// The family of a node without one child.
    pub(crate) fn siblings(&self, id: NodeId, without: NodeId) -> Siblings {
        let node = self.node(id);
        let player: Rank = if node.max_to_move() { 0 } else { -1 };
        let end = self.ends()[usize::from(player == 0)] ^ player;
        let mut siblings =
            Siblings { player, best: Siblings::NOTHING, open: false, decided: false };
        for (at, child) in node.children().zip(self.children(node)) {
            if at != without {
                let value = rank(child.value) ^ player;
                siblings.best = siblings.best.max(value);
                siblings.open |= !child.is_solved();
                siblings.decided |= child.is_solved() & (value == end);
            }
        }
        siblings
    }
}
