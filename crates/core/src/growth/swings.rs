//! Swings, computed when somebody asks for them.
//!
//! A new value of the first or the second child of the root makes every swing of the tree wrong. Instead of
//! computing them all again, a swing carries the number of the goal it was computed for; one of another goal counts
//! as unknown. Unknown swings have a lower bound, the node's own distance from the goal, because no change of
//! leaves moves a value by more than they change in total. That is enough for most of them: a node is looked into
//! only if its bound is among the least, and only until it is not any more.

use crate::tree::{Node, NodeId, Tree};

/// What a subtree of the root must do for another move to be best: values of at least, or of at most, `value`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Goal {
    pub value: f64,
    pub up: bool,
    /// Its number: no other goal has had it.
    pub stamp: u32,
}

impl Goal {
    /// How far a value is from the goal.
    #[inline]
    pub fn distance(&self, value: f64) -> f64 {
        let missing = if self.up { self.value - value } else { value - self.value };
        // not `f64::max`, and 0 also for two equal infinities
        if missing > 0.0 {
            missing
        } else {
            0.0
        }
    }

    /// Whether one child is enough to bring a node to the goal: its player wants the same.
    #[inline]
    pub fn one_is_enough(&self, node: &Node) -> bool {
        node.max_to_move() == self.up
    }
}

/// A swing, or what it is at least.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Swing {
    pub least: f64,
    pub exact: bool,
}

impl Swing {
    pub const NONE: Swing = Swing { least: f64::INFINITY, exact: true };

    fn exactly(least: f64) -> Swing {
        Swing { least, exact: true }
    }

    /// By which swings are compared: bounds are sums in another order than the swings themselves, and may be wrong
    /// in their last digits.
    #[inline]
    pub fn key(&self) -> f64 {
        if self.exact {
            self.least
        } else {
            self.least * (1.0 - SLACK / 2.0)
        }
    }

    /// Whether the swing may be as small as this.
    #[inline]
    pub fn may_be(&self, swing: f64) -> bool {
        self.least <= if self.exact { swing } else { swing * (1.0 + SLACK) }
    }
}

const SLACK: f64 = 1e-9;

/// Set in a stamp if the number beside it is only a bound.
const BOUND: u32 = 1 << 31;

/// The next thing to do about a family.
enum Next {
    Done(Swing),
    Look(NodeId, f64),
}

/// The swings of a tree's inner nodes, as far as they are known.
#[derive(Clone, Debug, Default)]
pub(super) struct Swings {
    least: Vec<f64>,
    stamp: Vec<u32>,
    stack: Vec<(NodeId, f64)>,
    looked: u64,
}

impl Swings {
    pub const BYTES: usize = size_of::<f64>() + size_of::<u32>();

    /// How many children have been looked at.
    pub fn looked(&self) -> u64 {
        self.looked
    }

    pub fn len(&self) -> usize {
        self.stamp.len()
    }

    /// Makes room for new leaves.
    pub fn grow(&mut self, len: usize) {
        self.least.resize(len, 0.0);
        self.stamp.resize(len, 0);
    }

    /// Forgets a node's swing, because something below it has changed.
    #[inline]
    pub fn forget(&mut self, id: NodeId) {
        self.stamp[id as usize] = 0;
    }

    /// What is known of a node's swing.
    #[inline]
    pub fn known(&self, tree: &Tree, id: NodeId, goal: &Goal) -> Swing {
        let node = tree.node(id);
        let distance = goal.distance(node.value);
        if distance == 0.0 {
            return Swing::exactly(0.0);
        }
        if node.is_solved() {
            return Swing::exactly(f64::INFINITY);
        }
        if node.is_leaf() {
            return Swing::exactly(distance);
        }
        let stamp = self.stamp[id as usize];
        if stamp & !BOUND == goal.stamp {
            return Swing { least: self.least[id as usize], exact: stamp & BOUND == 0 };
        }
        Swing { least: distance, exact: false }
    }

    /// A node's swing if it is at most `limit`; else something greater that it is at least.
    #[inline]
    pub fn find(&mut self, tree: &Tree, id: NodeId, goal: &Goal, limit: f64) -> Swing {
        let known = self.known(tree, id, goal);
        if known.exact || !known.may_be(limit) {
            return known;
        }
        self.stack.push((id, limit));
        while let Some(&(id, limit)) = self.stack.last() {
            let node = tree.node(id);
            self.looked += node.children().len() as u64;
            let next = if goal.one_is_enough(node) {
                self.least_of(tree, node, goal, limit)
            } else {
                self.sum_of(tree, node, goal, limit)
            };
            match next {
                Next::Look(child, limit) => self.stack.push((child, limit)),
                Next::Done(swing) => {
                    self.least[id as usize] = swing.least;
                    self.stamp[id as usize] = goal.stamp | if swing.exact { 0 } else { BOUND };
                    self.stack.pop();
                }
            }
        }
        self.known(tree, id, goal)
    }

    /// Swing above: all children must reach the goal.
    #[inline]
    fn sum_of(&self, tree: &Tree, node: &Node, goal: &Goal, limit: f64) -> Next {
        let mut sum = 0.0;
        let mut unknown = None;
        for child in node.children() {
            let swing = self.known(tree, child, goal);
            sum += swing.least;
            if !swing.exact && unknown.is_none() {
                unknown = Some((child, swing.least));
            }
        }
        let sum = Swing { least: sum, exact: unknown.is_none() || sum == f64::INFINITY };
        match unknown {
            // what the others leave of the limit, but at least one look further
            Some((child, least)) if !sum.exact && sum.may_be(limit) => {
                Next::Look(child, (limit - (sum.least - least)).max(least))
            }
            _ => Next::Done(sum),
        }
    }

    /// Swing below: one child is enough.
    #[inline]
    fn least_of(&self, tree: &Tree, node: &Node, goal: &Goal, limit: f64) -> Next {
        let mut best = Swing::NONE;
        let (mut best_child, mut second) = (node.children().start, f64::INFINITY);
        for child in node.children() {
            let swing = self.known(tree, child, goal);
            if swing.key() < best.key() {
                second = best.key();
                (best, best_child) = (swing, child);
            } else if swing.key() < second {
                second = swing.key();
            }
        }
        if best.exact || !best.may_be(limit) {
            return Next::Done(best);
        }
        Next::Look(best_child, limit.min(second).max(best.least))
    }
}
