//! Conspiracy numbers: D. A. McAllester, "Conspiracy numbers for min-max search", Artificial Intelligence 35
//! (1988); and the improved conspiracy numbers of L. Lister and J. Schaeffer, "An analysis of the conspiracy
//! numbers algorithm", Computers and Mathematics with Applications 27 (1994).
//!
//! The value of the root is *likely* to be in [Vmin(N), Vmax(N)] if fewer than N + 1 leaves can be wrong. Grow the
//! tree until the interval is narrow enough: try to rule out the end that is farther from the minimax value,
//! by expanding a leaf of a set of leaves that must all change for that end to be reached.
//!
//! Where one child is enough to change a node, the child that needs the fewest leaves is followed; where all
//! children must change, McAllester follows the leftmost that has to and Lister and Schaeffer the one that
//! needs the fewest leaves. That is the whole difference between the two rules.

use super::bounds::{Bounds, Side};
use super::staircase::{Step, INFINITE};
use super::successor::{Strategy, Successor};
use super::{GrowthRule, Number};
use crate::error::Error;
use crate::params::{Info, Kind, Param, Params};
use crate::search::Status;
use crate::tree::{rank, unrank, NodeId, Path, Rank, Siblings, Tree};

/// The rules `conspiracy` and `improved-conspiracy`.
#[derive(Clone, Debug)]
pub struct Conspiracy<const IMPROVED: bool> {
    bounds: Bounds,
    /// N_t of the basic procedure; the largest N of the iterative one. Nothing: until it is proven.
    threshold: Option<u32>,
    delta: f64,
    iterative: bool,
    /// The procedure to find a best successor, if that is the goal.
    successor: Option<Successor>,
    /// For every node of the last path but its end; what is behind `depth` is only space to be used again.
    levels: Vec<Level>,
    depth: usize,
    transpositions: bool,
}

/// A node of the path: its child on the path, and what is known of the other children. It stays true as long as
/// the path goes through both, because then nothing else in the family changes.
#[derive(Clone, Debug)]
struct Level {
    child: NodeId,
    /// Why the child was chosen.
    choice: Choice,
    /// What the other children come to: their values and their numbers. It is worked out when a level is
    /// passed for the second time; most are passed once.
    siblings: Option<Siblings>,
    rest: [Vec<Step>; 2],
    passed: bool,
}

/// A child was followed on the way to the value `x` of a side; another would be as soon as the child's number
/// is not below `limit` any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Choice {
    side: Side,
    x: Rank,
    limit: u32,
}

const PARAMS: &[Param] = &[
    Param {
        name: "threshold",
        default: Kind::MaybeInt(1),
        meaning: "McAllester's N_t: stop when no conspiracy of so many leaves can change the answer; nothing: go on until it is proven",
    },
    Param {
        name: "ct",
        default: Kind::MaybeInt(2),
        meaning: "the same as Lister and Schaeffer count it: CT = N_t + 1",
    },
    Param {
        name: "delta",
        default: Kind::Real(0.0),
        meaning: "tolerated width of the interval of likely values",
    },
    Param {
        name: "iterative",
        default: Kind::Bool(true),
        meaning: "begin with one conspirator and raise the threshold as the interval closes; false: the basic procedure of Section 5",
    },
    Param {
        name: "goal",
        default: Kind::Choice(&["value", "move"]),
        meaning: "determine the root's value, or its best move (Section 9)",
    },
    Param {
        name: "strategy",
        default: Kind::Choice(&["prove", "disprove", "alternate", "fewest"]),
        meaning: "for the best move: prove it, disprove the rest, in turn, or what needs the fewest leaves",
    },
    Param {
        name: "leaf_delta",
        default: Kind::MaybeReal(0.0),
        meaning: "treat every static value V as bounds V, V+delta and V, V, V-delta (Section 10)",
    },
    Param {
        name: "transpositions",
        default: Kind::Bool(false),
        meaning: "positions reached by different orders of moves share one subtree; numbers are then upper bounds",
    },
];

/// What the first threshold of a search without limit is; it is doubled when it is passed.
const FIRST_THRESHOLD: u32 = 8;

impl Conspiracy<false> {
    /// The rule's entry in the tables.
    pub const INFO: Info = Info {
        name: "conspiracy",
        paper: "McAllester 1988",
        summary: "expands where fewest leaves would have to be wrong for the value to change",
        params: PARAMS,
    };
}

impl Conspiracy<true> {
    /// The rule's entry in the tables.
    pub const INFO: Info = Info {
        name: "improved-conspiracy",
        paper: "Lister and Schaeffer 1994",
        summary: "conspiracy numbers that follow the fewest conspirators at every node",
        params: PARAMS,
    };
}

impl<const IMPROVED: bool> Conspiracy<IMPROVED> {
    /// The rule with these parameters, which have been checked against its entry.
    pub fn new(params: &Params) -> Result<Self, Error> {
        let threshold = match (params.int("threshold"), params.int("ct")) {
            (Some(_), Some(_)) => {
                return Err(Error::Argument(
                    "give threshold or ct = threshold + 1, not both".into(),
                ))
            }
            (threshold, ct) => threshold.or(ct.map(|ct| ct - 1)),
        };
        let threshold = threshold.map(|n| n.min(1 << 30) as u32);
        let iterative = params.bool("iterative");
        if !iterative && threshold.is_none() {
            return Err(Error::Argument("iterative=False needs a threshold".into()));
        }
        let delta = params.real("delta");
        if delta < 0.0 {
            return Err(Error::Argument(format!("delta must not be negative, not {delta}")));
        }
        let first = if iterative { FIRST_THRESHOLD } else { u32::MAX };
        let largest = threshold.unwrap_or(FIRST_THRESHOLD).min(first);
        let strategy = match params.text("strategy") {
            "disprove" => Strategy::Disprove,
            "alternate" => Strategy::Alternate,
            "fewest" => Strategy::Fewest,
            _ => Strategy::Prove,
        };
        let successor = (params.text("goal") == "move").then(|| Successor::new(strategy));
        let bounds = Bounds::new(largest.saturating_add(1), params.maybe_real("leaf_delta"));
        let transpositions = params.bool("transpositions");
        Ok(Conspiracy {
            bounds,
            threshold,
            delta,
            iterative,
            successor,
            levels: Vec::new(),
            depth: 0,
            transpositions,
        })
    }

    /// The interval of likely values of the root under `n` conspirators: (Vmin, Vmax).
    fn interval(&self, tree: &Tree, n: u32) -> (f64, f64) {
        let limit = |side| self.bounds.limit(tree, Tree::ROOT, side, n);
        (limit(Side::Down), limit(Side::Up))
    }

    fn is_wide(&self, (low, high): (f64, f64)) -> bool {
        distance(low, high) > self.delta
    }

    /// The threshold to work at now, or why there is nothing left to do (Section 8, Step 2).
    fn working_threshold(&mut self, tree: &Tree) -> Result<u32, Status> {
        if !self.iterative {
            let n = self.threshold.unwrap_or(FIRST_THRESHOLD);
            return if self.is_wide(self.interval(tree, n)) {
                Ok(n)
            } else {
                Err(Status::Converged)
            };
        }
        let mut least = 1;
        loop {
            let largest = self.bounds.cap() - 1;
            if let Some(n) = (least..=largest).find(|&n| self.is_wide(self.interval(tree, n))) {
                return Ok(n);
            }
            let last = |side| self.bounds.last_limit(tree, Tree::ROOT, side);
            if !self.is_wide((last(Side::Down), last(Side::Up))) {
                return Err(Status::Proven);
            }
            if self.threshold.is_some_and(|threshold| largest >= threshold) {
                return Err(Status::Converged);
            }
            least = largest + 1;
            self.raise(tree);
        }
    }

    /// Doubles the largest threshold in use: all numbers are computed anew.
    fn raise(&mut self, tree: &Tree) {
        let largest = (self.bounds.cap() - 1).saturating_mul(2);
        let largest = largest.min(self.threshold.unwrap_or(1 << 30));
        self.bounds = self.bounds.raised(tree, largest + 1);
        self.depth = 0;
    }

    /// Section 9: the leaf to expand next on the way to a best successor of the root.
    fn choose_for_move(&mut self, tree: &Tree, path: &mut Path) -> Option<Status> {
        if tree.root().is_leaf() {
            return None; // the procedure begins with the root expanded
        }
        loop {
            match self.successor.as_mut()?.next(tree, &self.bounds) {
                Ok(Some(step)) => {
                    let choice = Choice { side: step.side, x: step.x, limit: 0 };
                    self.follow(path, step.child, choice);
                    self.descend(tree, path, step.side, step.x);
                    return None;
                }
                Err(status) => return Some(status),
                Ok(None) => {}
            }
            if self.threshold.is_some_and(|threshold| self.bounds.cap() > threshold) {
                return Some(Status::Decided);
            }
            self.raise(tree);
        }
    }

    /// Goes down from the end of the path to an open leaf of a smallest set of leaves that must change for
    /// the value to be reached; `x` is that value in the side's coordinate.
    fn descend(&mut self, tree: &Tree, path: &mut Path, side: Side, x: Rank) {
        let mut id = path[path.len() - 1];
        while !tree.node(id).is_leaf() {
            let at = path.len() - 1;
            let known = self.levels[..self.depth].get(at).filter(|level| {
                let Choice { limit, .. } = level.choice;
                let number = || self.bounds.number(tree, level.child, side, x);
                level.choice == (Choice { side, x, limit }) && (1..limit).contains(&number())
            });
            match known {
                Some(level) => {
                    id = level.child;
                    path.push(id);
                }
                None => {
                    let (child, limit) = self.preferred(tree, id, side, x);
                    self.follow(path, child, Choice { side, x, limit });
                    id = child;
                }
            }
        }
    }

    /// The child to follow, and the number that it must not reach to be followed again.
    fn preferred(&self, tree: &Tree, id: NodeId, side: Side, x: Rank) -> (NodeId, u32) {
        let node = tree.node(id);
        // where all children must change, those that have the value already have no part in it
        let least = if side.any(node) { 0 } else { 1 };
        let (mut child, mut fewest, mut limit) = (id, u32::MAX, u32::MAX);
        for candidate in node.children() {
            let number = self.bounds.number(tree, candidate, side, x);
            if number < least {
                continue;
            }
            if least == 1 && !IMPROVED {
                return (candidate, u32::MAX); // McAllester: the leftmost
            }
            if number < fewest {
                // at equal numbers the left one is preferred: the old favourite
                limit = fewest.min(limit);
                (child, fewest) = (candidate, number);
            } else {
                limit = limit.min(number.saturating_add(1));
            }
        }
        (child, limit)
    }

    /// Extends the path by a child, and forgets what was known below if it turns off from the last one.
    fn follow(&mut self, path: &mut Path, child: NodeId, choice: Choice) {
        let at = path.len() - 1;
        if at == self.levels.len() {
            let rest = Default::default();
            self.levels.push(Level { child, choice, siblings: None, rest, passed: false });
        }
        let level = &mut self.levels[at];
        if at >= self.depth || level.child != child {
            self.depth = at + 1;
            (level.siblings, level.passed) = (None, false);
        }
        (level.child, level.choice) = (child, choice);
        path.push(child);
    }
}

/// The distance of two values of which one is infinite is infinite, unless they are equal.
fn distance(a: f64, b: f64) -> f64 {
    if a == b {
        0.0
    } else {
        (b - a).abs()
    }
}

impl<const IMPROVED: bool> GrowthRule for Conspiracy<IMPROVED> {
    fn choose(&mut self, tree: &mut Tree, path: &mut Path) -> Result<Option<Status>, Error> {
        path.truncate(1);
        if self.successor.is_some() {
            return Ok(self.choose_for_move(tree, path));
        }
        let n = match self.working_threshold(tree) {
            Ok(n) => n,
            Err(status) => return Ok(Some(status)),
        };
        let value = tree.root().value;
        let (low, high) = self.interval(tree, n);
        let (side, target) = if distance(high, value) > distance(value, low) {
            (Side::Up, high)
        } else {
            (Side::Down, low)
        };
        self.descend(tree, path, side, rank(target) ^ side.flip());
        Ok(None)
    }

    fn initialise(&mut self, tree: &mut Tree, _: Option<NodeId>) -> Result<(), Error> {
        self.bounds.grow(tree);
        Ok(())
    }

    fn update(&mut self, tree: &mut Tree, node: NodeId) -> Result<bool, Error> {
        self.depth = 0; // not along the path: what is known of it may no longer hold
        Ok(self.bounds.update(tree, node))
    }

    fn back_up(&mut self, tree: &mut Tree, path: &mut Path) -> Result<(), Error> {
        let ends = tree.ends();
        let leaf = path[path.len() - 1];
        let mut changed = tree.back_up(leaf) | self.bounds.update(tree, leaf);
        self.depth = path.len() - 1;
        for (at, level) in self.levels[..self.depth].iter_mut().enumerate().rev() {
            if !changed {
                break;
            }
            let (id, child) = (path[at], level.child);
            if !std::mem::replace(&mut level.passed, true) {
                changed = tree.back_up(id) | self.bounds.update(tree, id);
                continue;
            }
            let siblings = level.siblings.get_or_insert_with(|| {
                self.bounds.without(tree, id, child, &mut level.rest);
                tree.siblings(id, child)
            });
            let node = tree.node(child);
            let (value, solved) = siblings.with(rank(node.value), node.is_solved(), ends);
            changed = tree.set(id, unrank(value), solved)
                | self.bounds.update_with(tree, id, child, &level.rest);
        }
        Ok(())
    }

    /// `upper` and `lower`: the entries of the bounds sequences up to the threshold in use; `upper_tail` and
    /// `lower_tail`: what all further entries are at the most.
    fn numbers(&self, tree: &Tree, path: &[NodeId]) -> Vec<(&'static str, Number)> {
        let Some(&id) = path.last() else { return Vec::new() };
        let list = |side: Side| {
            let tail = self.bounds.last_limit(tree, id, side);
            let mut entries = Vec::new();
            let mut below = 0;
            for step in self.bounds.stairs(tree, id, side).iter() {
                if step.h != INFINITE {
                    let value = unrank(step.x ^ side.flip());
                    entries.extend(std::iter::repeat_n(value, (step.h - below) as usize));
                    below = step.h;
                }
            }
            entries.truncate(self.bounds.cap() as usize);
            entries.retain(|entry| *entry != tail);
            Number::List(entries)
        };
        let tail = |side| Number::Real(self.bounds.last_limit(tree, id, side));
        vec![
            ("upper", list(Side::Up)),
            ("upper_tail", tail(Side::Up)),
            ("lower", list(Side::Down)),
            ("lower_tail", tail(Side::Down)),
        ]
    }

    fn bytes(&self) -> usize {
        self.bounds.bytes()
    }

    fn bytes_for(&self, path: usize, children: usize) -> usize {
        self.bounds.bytes_for(path, children)
    }

    fn check(&self, tree: &Tree) -> Result<(), String> {
        match self.bounds.first_difference(tree) {
            Some(id) => {
                Err(format!("node {id}: bounds sequences differ from those of its children"))
            }
            None => Ok(()),
        }
    }

    fn keep_all(&mut self) {
        if self.threshold.is_none() {
            self.bounds = Bounds::new(1 << 30, self.bounds.leaf_delta());
        }
    }

    fn shares_positions(&self) -> bool {
        self.transpositions
    }

    fn leaf_delta(&self) -> Option<f64> {
        self.bounds.leaf_delta()
    }

    fn answer(&self, _: &Tree, node: NodeId) -> Option<u32> {
        self.successor.as_ref().filter(|_| node == Tree::ROOT).and_then(Successor::best)
    }
}
