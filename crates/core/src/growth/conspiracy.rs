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

use super::{GrowthRule, Number, RuleNeeds, Status, Verdict};
use crate::error::{damaged, Error};
use crate::numbers::best_successor::{NextStep, Strategy, Successor};
use crate::numbers::bounds::{Bounds, Side};
use crate::params::{Info, Kind, Param, Params};
use crate::spare::Room;
use crate::tree::{rank, Node, NodeId, Path, Rank, Tree};

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
    /// What the path is to rule out, if it may go on from where it was left.
    target: Option<(Side, Rank)>,
    /// For every place in a path, the last choice there.
    levels: Vec<Level>,
    transpositions: bool,
}

/// A node and its child on the path. The choice holds as long as no path through the node turns off to another
/// child: then nothing else in the family changes.
#[derive(Clone, Copy, Debug)]
struct Level {
    id: NodeId,
    child: NodeId,
    choice: Choice,
}

/// A child was followed on the way to the value `x` of a side; so it will be while its number is below `limit`.
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
            target: None,
            levels: Vec::new(),
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

    /// The interval to narrow now, or why there is nothing left to do (Section 8, Step 2).
    fn working_interval(&mut self, tree: &Tree) -> Result<(f64, f64), Status> {
        if !self.iterative {
            let n = self.threshold.unwrap_or(FIRST_THRESHOLD);
            return Some(self.interval(tree, n))
                .filter(|interval| self.is_wide(*interval))
                .ok_or(Status::Converged);
        }
        let mut least = 1;
        loop {
            let largest = self.bounds.cap() - 1;
            let mut intervals = (least..=largest).map(|n| self.interval(tree, n));
            if let Some(interval) = intervals.find(|interval| self.is_wide(*interval)) {
                return Ok(interval);
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
        let delta = self.bounds.leaf_delta();
        self.bounds = Bounds::new(1, delta); // the old numbers go before the new ones come
        self.bounds = Bounds::of(tree, largest + 1, delta);
        self.levels.clear();
    }

    /// Section 9: the leaf to expand next on the way to a best successor of the root.
    fn choose_for_move(&mut self, tree: &Tree, path: &mut Path) -> Option<Status> {
        if tree.root().is_leaf() {
            return None; // the procedure begins with the root expanded
        }
        loop {
            match self.successor.as_mut()?.next(tree, &self.bounds) {
                NextStep::Below { child, side, x } => {
                    self.follow(path, child, Choice { side, x, limit: 0 });
                    self.descend(tree, path, side, x);
                    return None;
                }
                NextStep::Nowhere => return Some(Status::Proven),
                NextStep::Unknown => {}
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
            let known = self.levels.get(path.len() - 1).filter(|level| {
                let Choice { limit, .. } = level.choice;
                let number = || self.bounds.number(tree, level.child, side, x);
                level.id == id
                    && level.choice == (Choice { side, x, limit })
                    && (1..limit).contains(&number())
            });
            id = match known {
                Some(level) => {
                    path.push(level.child);
                    level.child
                }
                None => {
                    let (child, limit) = self.preferred(tree, id, side, x);
                    self.follow(path, child, Choice { side, x, limit });
                    child
                }
            }
        }
    }

    /// The child to follow, and a number: while the child's is below, it is to be followed again.
    fn preferred(&self, tree: &Tree, id: NodeId, side: Side, x: Rank) -> (NodeId, u32) {
        let node = tree.node(id);
        let mut family = node.children().zip(tree.children(node));
        let there = |child: &Node| rank(child.value) ^ side.flip() >= x;
        let all = !side.any(node);
        if all && !IMPROVED {
            // McAllester: the leftmost that has to change
            let first = family.find(|(_, child)| !there(child));
            return first.map_or((id, 0), |(candidate, _)| (candidate, u32::MAX));
        }
        // where all children must change, those that have the value already have no part in it
        let family = family.filter(|(_, child)| !(all && there(child)));
        if let Some(child) = self.bounds.first_of_one(tree, family.clone(), side, x) {
            return (child, 2); // none has fewer, whatever the others have
        }
        let (mut child, mut fewest, mut limit) = (id, u32::MAX, u32::MAX);
        for (candidate, _) in family {
            let number = self.bounds.number(tree, candidate, side, x);
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

    /// Extends the path by a child.
    fn follow(&mut self, path: &mut Path, child: NodeId, choice: Choice) {
        let at = path.len() - 1;
        let level = Level { id: path[at], child, choice };
        if at == self.levels.len() {
            self.levels.push(level);
        } else {
            self.levels[at] = level;
        }
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
        if let Some((side, x)) = self.target.filter(|_| path.len() > 1) {
            self.descend(tree, path, side, x); // nothing above has changed
            return Ok(None);
        }
        path.truncate(1);
        if self.successor.is_some() {
            return Ok(self.choose_for_move(tree, path));
        }
        let (low, high) = match self.working_interval(tree) {
            Ok(interval) => interval,
            Err(status) => return Ok(Some(status)),
        };
        let value = tree.root().value;
        let (side, target) = if distance(high, value) > distance(value, low) {
            (Side::Up, high)
        } else {
            (Side::Down, low)
        };
        let x = rank(target) ^ side.flip();
        self.target = Some((side, x));
        self.descend(tree, path, side, x);
        Ok(None)
    }

    fn initialise(&mut self, tree: &mut Tree, _: Option<NodeId>) -> Result<(), Error> {
        self.bounds.grow(tree);
        Ok(())
    }

    fn update(&mut self, tree: &mut Tree, node: NodeId) -> Result<bool, Error> {
        // not along the path: what is known of it may no longer hold
        self.target = None;
        self.levels.clear();
        self.bounds.forget();
        Ok(self.bounds.update(tree, node))
    }

    fn back_up(&mut self, tree: &mut Tree, path: &mut Path) -> Result<(), Error> {
        let at = self.bounds.back_up(tree, path);
        path.truncate(at + 1);
        Ok(())
    }

    /// A held leaf takes no part in any conspiracy.
    fn restart(&mut self) {
        self.target = None;
        self.levels.clear();
        self.bounds.forget();
    }

    /// `upper` and `lower`: the entries of the bounds sequences up to the threshold in use; `upper_tail` and
    /// `lower_tail`: what all further entries are at the most.
    fn numbers(&self, tree: &Tree, path: &[NodeId]) -> Vec<(&'static str, Number)> {
        let Some(&id) = path.last() else { return Vec::new() };
        let list = |side| Number::List(self.bounds.entries(tree, id, side));
        let tail = |side| Number::Real(self.bounds.last_limit(tree, id, side));
        vec![
            ("upper", list(Side::Up)),
            ("upper_tail", tail(Side::Up)),
            ("lower", list(Side::Down)),
            ("lower_tail", tail(Side::Down)),
        ]
    }

    fn bytes(&self, path: usize, children: usize) -> usize {
        let more = if children == 0 { 0 } else { self.bounds.bytes_for(path, children) };
        self.bounds.bytes() + more
    }

    fn reserve(&mut self, nodes: usize) -> Room {
        self.bounds.reserve(nodes)
    }

    fn memory(&self, _: &Tree) -> Vec<u64> {
        let successor = self.successor.as_ref().map(Successor::memory);
        [u64::from(self.bounds.cap())].into_iter().chain(successor.into_iter().flatten()).collect()
    }

    fn remember(&mut self, memory: &[u64]) -> Result<(), Error> {
        let (cap, rest) = match memory {
            [] => return Ok(()),
            [cap, rest @ ..] => (u32::try_from(*cap).unwrap_or(0), rest),
        };
        match (&mut self.successor, rest) {
            (None, []) => {}
            (Some(successor), [best, prove, grown]) => successor.remember(*best, *prove, *grown),
            _ => return Err(damaged("it is another rule's")),
        }
        if cap == 0 || cap >= 1 << 31 {
            return Err(damaged("an impossible threshold"));
        }
        self.bounds = Bounds::new(cap, self.bounds.leaf_delta());
        Ok(())
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

    fn needs(&self) -> RuleNeeds {
        let leaf_delta = self.bounds.leaf_delta();
        RuleNeeds {
            shares_positions: self.transpositions,
            leaf_delta,
            bytes_per_ply: size_of::<Level>() + self.bounds.bytes_per_ply(),
            ..RuleNeeds::default()
        }
    }

    fn verdict(&self, _: &Tree, node: NodeId) -> Verdict {
        let successor = self.successor.as_ref().filter(|_| node == Tree::ROOT);
        Verdict::answer(successor.and_then(Successor::best))
    }
}
