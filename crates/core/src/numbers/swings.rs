//! Swings, computed when somebody asks for them.
//!
//! A new value of the first or the second child of the root makes every swing of the tree wrong. Instead of
//! computing them all again, a swing carries the number of the goal it was computed for; one of another goal counts
//! as unknown. Unknown swings have a lower bound, the node's own distance from the goal, because no change of
//! leaves moves a value by more than they change in total. That is enough for most of them: a node is looked into
//! only if its bound is among the least, and only until it is not any more.
//!
//! While the goals stay the same, the swings on the path of an expansion are computed again on the way up.

use crate::spare::{Reused, Room};
use crate::tree::{Node, NodeId, Tree};
use std::ops::Range;

/// What a subtree of the root must do for another move to be best: values of at least, or of at most, `value`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SwingGoal {
    pub value: f64,
    pub up: bool,
    /// Its number: no other goal has had it.
    pub stamp: u32,
}

impl SwingGoal {
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
pub(crate) struct Swing {
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

/// How far sums of the same numbers in another order may differ, generously.
pub(crate) const SLACK: f64 = 1e-9;

const LEAST_ABOVE_ZERO: f64 = f64::from_bits(1);

/// The greatest number below a positive one.
fn below(x: f64) -> f64 {
    f64::from_bits(x.to_bits() - 1)
}

/// The swings with which a node is chosen again, all the way down from the root.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SwingWindow {
    pub low: f64,
    pub high: f64,
}

impl SwingWindow {
    pub const EVERYTHING: SwingWindow = SwingWindow { low: 0.0, high: f64::MAX };
    pub const NOTHING: SwingWindow = SwingWindow { low: 1.0, high: -1.0 };
    /// A node that has met its goal, and is chosen for want of anything better to do.
    pub const IDLE: SwingWindow = SwingWindow { low: 0.0, high: 0.0 };

    #[inline]
    pub fn contains(&self, swing: f64) -> bool {
        self.low <= swing && swing <= self.high
    }

    /// The window of a child, chosen from a node of this swing and with this window, given the one that its siblings
    /// leave it.
    #[inline]
    pub fn narrow(
        &self,
        swing: f64,
        child: f64,
        siblings: SwingWindow,
        one_is_enough: bool,
    ) -> SwingWindow {
        if one_is_enough && swing < child {
            return siblings; // one of them has met the goal: the node's swing is zero whatever happens here
        }
        let others = if one_is_enough { 0.0 } else { swing - child };
        if !others.is_finite() {
            return SwingWindow::NOTHING;
        }
        // sums are computed again, in order, when the window is left: it may be too small, but not too large
        let slack = SLACK * (others + child);
        let low = (self.low - others + slack).max(siblings.low);
        let high = (self.high - others - slack).min(siblings.high);
        SwingWindow { low, high }
    }
}

/// Set in a stamp if the number beside it is only a bound.
const BOUND: u32 = 1 << 31;

/// The next thing to do about a family.
enum Next {
    Done(Swing),
    Look(NodeId, f64),
}

/// The swings of a tree's nodes, as far as they are known.
#[derive(Clone, Debug, Default)]
pub(crate) struct Swings {
    least: Reused<f64>,
    stamp: Reused<u32>,
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

    /// Makes room for this many more nodes, if the machine has it.
    pub fn reserve(&mut self, nodes: usize) -> Room {
        // failing here is no failure: the vectors grow when they must
        self.least.try_reserve_exact(nodes)?;
        self.stamp.try_reserve_exact(nodes)
    }

    /// Takes new leaves in, with their swings if their goal is known.
    pub fn add(&mut self, leaves: &[Node], goal: Option<&SwingGoal>) {
        for leaf in leaves {
            let swing = goal.map_or(0.0, |goal| Swings::of_leaf(leaf, goal));
            self.least.push(swing);
            self.stamp.push(goal.map_or(0, |goal| goal.stamp));
        }
    }

    /// A finished game cannot change any more.
    #[inline]
    fn of_leaf(leaf: &Node, goal: &SwingGoal) -> f64 {
        match goal.distance(leaf.value) {
            unmet if unmet > 0.0 && leaf.is_terminal() => f64::INFINITY,
            distance => distance,
        }
    }

    /// Forgets a node's swing, because something below it has changed.
    #[inline]
    pub fn forget(&mut self, id: NodeId) {
        self.stamp[id as usize] = 0;
    }

    /// Writes down what is known of the children's swings, where they are those of another goal.
    #[inline]
    fn touch(&mut self, tree: &Tree, children: Range<NodeId>, goal: &SwingGoal) {
        let within = children.start as usize..children.end as usize;
        if self.stamp[within].iter().any(|stamp| stamp & !BOUND != goal.stamp) {
            for child in children {
                let Swing { least, exact } = self.known(tree, child, goal);
                self.set(child, Swing { least, exact }, goal);
            }
        }
    }

    #[inline]
    fn set(&mut self, id: NodeId, swing: Swing, goal: &SwingGoal) {
        self.least[id as usize] = swing.least;
        self.stamp[id as usize] = goal.stamp | if swing.exact { 0 } else { BOUND };
    }

    /// Computes a node's swing from what is known of its children's.
    #[inline]
    pub fn refresh(&mut self, tree: &Tree, id: NodeId, goal: &SwingGoal) -> Swing {
        let node = tree.node(id);
        let range = node.children();
        self.touch(tree, range.clone(), goal);
        let within = range.start as usize..range.end as usize;
        let (mut least, mut bound) = (f64::INFINITY, f64::INFINITY);
        let (mut sum, mut bounds) = (0.0, 0);
        for (&swing, stamp) in self.least[within.clone()].iter().zip(&self.stamp[within]) {
            sum += swing;
            let is_bound = stamp & BOUND != 0;
            bounds |= stamp & BOUND;
            let (exactly, at_least) =
                if is_bound { (f64::INFINITY, swing) } else { (swing, f64::INFINITY) };
            least = if exactly < least { exactly } else { least };
            bound = if at_least < bound { at_least } else { bound };
        }
        let bound = Swing { least: bound, exact: false };
        let swing = match goal.one_is_enough(node) {
            true if least <= bound.key() => Swing::exactly(least),
            true => bound,
            false => Swing { least: sum, exact: bounds == 0 || sum == f64::INFINITY },
        };
        self.set(id, swing, goal);
        swing
    }

    /// The leftmost child of the least swing above zero, if there is one and it is known; and the swings that it may
    /// have and still be that child.
    #[inline]
    pub fn follow(
        &mut self,
        tree: &Tree,
        id: NodeId,
        goal: &SwingGoal,
    ) -> Option<(NodeId, SwingWindow)> {
        let range = tree.node(id).children();
        self.touch(tree, range.clone(), goal);
        let within = range.start as usize..range.end as usize;
        let (mut least, mut chosen) = (f64::INFINITY, None);
        // the least of the others, to the left and to the right
        let (mut left, mut right) = (f64::INFINITY, f64::INFINITY);
        for ((child, &swing), stamp) in
            range.zip(&self.least[within.clone()]).zip(&self.stamp[within])
        {
            let exact = stamp & BOUND == 0;
            if exact & (swing > 0.0) & (swing < least) {
                left = left.min(least).min(right);
                (least, chosen, right) = (swing, Some(child), f64::INFINITY);
            } else if !exact {
                left = left.min(Swing { least: swing, exact }.key());
            } else if (swing > 0.0) & (swing < right) {
                right = swing;
            }
        }
        // one to the left with the same swing would be chosen
        let chosen = chosen.filter(|_| least < left)?;
        let high = right.min(below(left)).min(f64::MAX);
        Some((chosen, SwingWindow { low: LEAST_ABOVE_ZERO, high }))
    }

    /// What is known of a node's swing.
    #[inline]
    pub fn known(&self, tree: &Tree, id: NodeId, goal: &SwingGoal) -> Swing {
        let stamp = self.stamp[id as usize];
        if stamp & !BOUND == goal.stamp {
            return Swing { least: self.least[id as usize], exact: stamp & BOUND == 0 };
        }
        let node = tree.node(id);
        let distance = goal.distance(node.value);
        if distance == 0.0 {
            Swing::exactly(0.0)
        } else if node.is_solved() {
            Swing::exactly(f64::INFINITY)
        } else {
            Swing { least: distance, exact: node.is_leaf() }
        }
    }

    /// A node's swing if it is at most `limit`; else something greater that it is at least.
    #[inline]
    pub fn find(&mut self, tree: &Tree, id: NodeId, goal: &SwingGoal, limit: f64) -> Swing {
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
                    self.set(id, swing, goal);
                    self.stack.pop();
                }
            }
        }
        self.known(tree, id, goal)
    }

    /// Swing above: all children must reach the goal.
    #[inline]
    fn sum_of(&self, tree: &Tree, node: &Node, goal: &SwingGoal, limit: f64) -> Next {
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
    fn least_of(&self, tree: &Tree, node: &Node, goal: &SwingGoal, limit: f64) -> Next {
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
