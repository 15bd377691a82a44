//! One node of the tree, in 16 bytes.

use super::NodeId;
use crate::expander::Leaf;
use std::ops::Range;

const MAX_TO_MOVE: u8 = 1;
const TERMINAL: u8 = 2;
pub(super) const SOLVED: u8 = 4;
/// Of a leaf: its result is what an evaluator claims without proof.
pub(super) const CLAIMED: u8 = 8;
/// Of an inner node: moves were left out without proof.
pub(super) const NARROWED: u8 = 16;
/// Of a leaf: its expansion is under way, and until then it counts as a game that is over. Of an inner node: it is solved only
/// as long as such leaves are.
pub(super) const HELD: u8 = 32;
/// What a leaf is while it is held.
pub(super) const HELD_LEAF: u8 = TERMINAL | SOLVED | HELD;

/// One position of the tree: its value, its children and three facts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    /// Minimax value from Max's side; the static value while the node is a leaf.
    pub value: f64,
    pub(super) first: NodeId,
    pub(super) count: u16,
    pub(super) flags: u8,
}

impl Node {
    /// A leaf: `value` is its static value, or the game's result if it is `terminal`.
    pub fn leaf(value: f64, max_to_move: bool, terminal: bool) -> Node {
        let mut flags = if max_to_move { MAX_TO_MOVE } else { 0 };
        if terminal {
            flags |= TERMINAL | SOLVED;
        }
        // + 0.0 makes a zero of -0.0, so that equal values are the same value
        Node { value: value + 0.0, first: 0, count: 0, flags }
    }

    pub(super) fn of(leaf: &Leaf) -> Node {
        Node::leaf(leaf.value, leaf.max_to_move, leaf.terminal)
    }

    /// Whether the result of a leaf is what an evaluator claims without proof.
    #[inline]
    pub(crate) fn is_claimed(&self) -> bool {
        self.flags & CLAIMED != 0
    }

    /// Whether it is solved only because leaves are held whose expansion is under way.
    #[inline]
    pub fn is_held(&self) -> bool {
        self.flags & HELD != 0
    }

    /// Whether it is solved, and not only held.
    #[inline]
    pub(crate) fn is_solved_for_good(&self) -> bool {
        self.flags & (SOLVED | HELD) == SOLVED
    }

    /// Whether moves were left out without proof.
    #[inline]
    pub(crate) fn is_narrowed(&self) -> bool {
        self.flags & NARROWED != 0
    }

    /// What the node is beyond its value, as bits that can be written to a file.
    pub(crate) fn marks(&self) -> u8 {
        self.flags & (TERMINAL | CLAIMED | NARROWED)
    }

    /// The children's indices, in the game's order; empty for a leaf.
    #[inline]
    pub fn children(&self) -> Range<NodeId> {
        self.first..self.first + NodeId::from(self.count)
    }

    /// Whether the node has no children (yet).
    #[inline]
    pub fn is_leaf(&self) -> bool {
        self.count == 0
    }

    /// Whether Max, who wants high values, is to move.
    #[inline]
    pub fn max_to_move(&self) -> bool {
        self.flags & MAX_TO_MOVE != 0
    }

    /// Whether the game is over here.
    #[inline]
    pub fn is_terminal(&self) -> bool {
        self.flags & TERMINAL != 0
    }

    /// Whether the value can no longer change, however far the tree grows.
    #[inline]
    pub fn is_solved(&self) -> bool {
        self.flags & SOLVED != 0
    }

    /// A leaf that can still be expanded.
    #[inline]
    pub fn is_open(&self) -> bool {
        (self.count == 0) & (self.flags & TERMINAL == 0)
    }

    /// The value for the player who moved into this node under a parent whose mover is `max`.
    #[inline]
    pub fn value_for(&self, max: bool) -> f64 {
        if max {
            self.value
        } else {
            -self.value
        }
    }
}
