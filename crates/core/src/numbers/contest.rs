//! The contest of the root's children in least-certainty search: who is first, and what must happen for another to
//! be (Utgoff and Cochran 2001, Section 4).

use super::swings::SwingGoal;
use crate::tree::{NodeId, Tree};

/// The root's first child, and the goals that would change it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contest {
    pub first: NodeId,
    /// The first must fall to the second's value.
    fall: SwingGoal,
    /// The others must rise to the first's value.
    rise: SwingGoal,
    /// How many goals there have been.
    goals: u32,
}

impl Default for Contest {
    fn default() -> Contest {
        let none = SwingGoal { value: 0.0, up: true, stamp: 0 };
        Contest { first: NodeId::MAX, fall: none, rise: none, goals: 0 }
    }
}

impl Contest {
    /// The goal of a child of the root and of all nodes below it.
    #[inline]
    pub fn goal(&self, child: NodeId) -> &SwingGoal {
        if child == self.first {
            &self.fall
        } else {
            &self.rise
        }
    }

    /// Looks who is first and second; tells whether that or their values have changed, and the goals with them.
    pub fn look(&mut self, tree: &Tree) -> bool {
        let root = tree.root();
        let max = root.max_to_move();
        let worst = if max { f64::NEG_INFINITY } else { f64::INFINITY };
        let better = |a: f64, b: f64| if max { a > b } else { a < b };
        let (mut first, mut first_value, mut second_value) = (root.children().start, worst, worst);
        for (id, child) in root.children().zip(tree.children(root)) {
            if better(child.value, first_value) || id == root.children().start {
                (first, second_value, first_value) = (id, first_value, child.value);
            } else if better(child.value, second_value) {
                second_value = child.value;
            }
        }
        let same = std::mem::replace(&mut self.first, first) == first;
        let mut changed = false;
        let goals = [(&mut self.fall, second_value, !max), (&mut self.rise, first_value, max)];
        for (goal, value, up) in goals {
            if !same || goal.value != value {
                self.goals += 1;
                *goal = SwingGoal { value, up, stamp: self.goals };
                changed = true;
            }
        }
        changed
    }
}
