//! The question that a proof answers: does Max get at least so much?
//!
//! Proofs know only wins and losses. A game with more results asks them one at a time: a position is won if
//! Max gets the goal, and lost if not. Here are also the parameters that searches of proofs have in common.

use crate::game::middle;
use crate::params::{Kind, Param, Params};

/// Which results of a game count as won for Max.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Goal {
    given: Option<f64>,
    least: f64,
    /// Whether `least` itself is not enough.
    more: bool,
}

/// The parameter `goal`.
pub(crate) const GOAL: Param = Param {
    name: "goal",
    default: Kind::MaybeReal(f64::NEG_INFINITY),
    meaning: "the least result that counts as won for Max; None: the player to move must win, a draw is not enough",
};

/// The parameter `foresight`.
pub(crate) const FORESIGHT: Param = Param {
    name: "foresight",
    default: Kind::Bool(false),
    meaning:
        "a position whose player wins with the next move counts as won, without being expanded",
};

/// The parameter `ties`.
pub(crate) const TIES: Param = Param {
    name: "ties",
    default: Kind::Choice(&["leftmost", "scores"]),
    meaning: "among equal numbers: the leftmost move, or the one of the best score",
};

/// The parameter `epsilon`: J. Pawlewicz and L. Lew, "Improving depth-first pn-search: 1 + epsilon trick" (2007).
pub(crate) const EPSILON: Param = Param {
    name: "epsilon",
    default: Kind::Real(0.25),
    meaning: "stay in a subtree until its number is 1 + epsilon times the second best",
};

/// The parameter `focus`: P. Henderson, B. Arneson and R. Hayward, "Solving 8x8 Hex" (2009).
pub(crate) const FOCUS: Param = Param {
    name: "focus",
    default: Kind::MaybeReal(0.0),
    meaning: "the share of a position's moves that count at a time, the first ones of those that have not failed, \
        and one more; None: half if the evaluator gives its best moves first, as Hex's knowledge does, else all",
};

/// The parameter `threads`.
pub(crate) const THREADS: Param = Param {
    name: "threads",
    default: Kind::Int(1, 1),
    meaning: "how many threads work on the table; with more than one, runs differ",
};

impl Goal {
    pub fn new(params: &Params) -> Goal {
        let given = params.maybe_real(GOAL.name);
        Goal { given, least: given.unwrap_or(0.0), more: false }
    }

    /// Fixes the question for a root: unless a goal is given, its player must get more than the middle of the
    /// range.
    pub fn ask(&mut self, max_to_move: bool, range: (f64, f64)) {
        if self.given.is_none() {
            (self.least, self.more) = (middle(range), max_to_move);
        }
    }

    /// Whether a finished game of this value is won for Max.
    #[inline]
    pub fn is_won(&self, value: f64) -> bool {
        value > self.least || (value == self.least && !self.more)
    }
}
