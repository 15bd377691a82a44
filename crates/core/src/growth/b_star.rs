//! B*: H. Berliner, "The B* tree search algorithm: a best-first proof procedure", Artificial Intelligence 12 (1979).
//!
//! A position has an optimistic and a pessimistic value, between which its true value is thought to lie. Both are
//! backed up as minimax values; here they are `low` and `high`, from Max's side. The search is over when one move at the
//! root is separated from the others: its pessimistic value is at least as good as the optimistic value of every other.
//! Two strategies at the root lead there:
//!
//! ```text
//!   PROVEBEST      expand below the move of the best optimistic value, to raise its pessimistic value
//!   DISPROVEREST   expand below the best alternative, to lower its optimistic value
//! ```
//!
//! Berliner's criterion compares the depths from which optimistic values were backed up: DISPROVEREST if the sum of
//! their squares over the best alternatives is less than the square for the best move. Below the root both players
//! go to their best optimistic value.

use super::uct::best_move;
use super::{GrowthRule, Number, Status, Verdict};
use crate::error::Error;
use crate::params::{Info, Kind, Param, Params};
use crate::spare::{Reused, Room};
use crate::tree::{NodeId, Path, Tree};
use std::cmp::Ordering;

/// The rule `b-star`.
pub struct BStar {
    width: Option<f64>,
    strategy: RootStrategy,
    alternatives: usize,
    ranges: Reused<TwoValues>,
}

/// How the root is worked on.
#[derive(Clone, Copy, Debug, PartialEq)]
enum RootStrategy {
    Depth,
    Prove,
    Disprove,
}

/// A value from Max's side, and the depth below the node that it was backed up from.
#[derive(Clone, Copy, Debug, PartialEq)]
struct DeepValue {
    value: f64,
    depth: u32,
}

/// What the rule knows of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
struct TwoValues {
    low: DeepValue,
    high: DeepValue,
}

impl TwoValues {
    /// The optimistic and the pessimistic value for a player.
    #[inline]
    fn views(self, max: bool) -> (f64, f64) {
        if max {
            (self.high.value, self.low.value)
        } else {
            (-self.low.value, -self.high.value)
        }
    }

    /// The depth of a player's optimistic value.
    fn depth(self, max: bool) -> u32 {
        if max {
            self.high.depth
        } else {
            self.low.depth
        }
    }
}

impl BStar {
    /// The rule's entry in the tables.
    pub const INFO: Info = Info {
        name: "b-star",
        paper: "Berliner 1979",
        summary: "expands until one move is certainly better than the others, by optimistic and pessimistic values",
        params: &[
            Param {
                name: "width",
                default: Kind::MaybeReal(0.0),
                meaning: "how far a static value can be wrong, where the evaluator gives no bounds; None: a twentieth of the value range, or 1 if it has no ends",
            },
            Param {
                name: "strategy",
                default: Kind::Choice(&["depth", "prove", "disprove"]),
                meaning: "at the root: by Berliner's criterion of depths, always the best move, or always the alternatives",
            },
            Param {
                name: "alternatives",
                default: Kind::Int(2, 1),
                meaning: "how many alternatives the criterion of depths compares with the best move",
            },
        ],
    };

    /// The rule with these parameters, which have been checked against [`BStar::INFO`].
    pub fn new(params: &Params) -> Result<BStar, Error> {
        Ok(BStar {
            width: params.maybe_real("width"),
            strategy: match params.text("strategy") {
                "prove" => RootStrategy::Prove,
                "disprove" => RootStrategy::Disprove,
                _ => RootStrategy::Depth,
            },
            alternatives: params.int("alternatives").map_or(1, |count| count as usize),
            ranges: Reused::default(),
        })
    }

    fn leaf(&self, tree: &Tree, id: NodeId) -> TwoValues {
        let leaf = tree.node(id);
        let (least, most) = tree.value_range();
        let usual = if (most - least).is_finite() { (most - least) / 20.0 } else { 1.0 };
        let width = self.width.unwrap_or(usual);
        let (low, high) = match tree.leaf_bounds(id) {
            _ if leaf.is_terminal() => (leaf.value, leaf.value),
            None => (leaf.value - width, leaf.value + width),
            Some(bounds) => {
                let last = |list: &[f64]| list.last().copied().unwrap_or(leaf.value);
                (last(&bounds.lower), last(&bounds.upper))
            }
        };
        let at_once = |value: f64| DeepValue { value, depth: 0 };
        match leaf.is_terminal() {
            true => TwoValues { low: at_once(low), high: at_once(high) },
            false => TwoValues { low: at_once(low.max(least)), high: at_once(high.min(most)) },
        }
    }

    fn family(&self, tree: &Tree, id: NodeId) -> TwoValues {
        let node = tree.node(id);
        let max = node.max_to_move();
        let backed_up = |part: fn(&TwoValues) -> DeepValue| {
            let mut children = node.children().map(|child| part(&self.ranges[child as usize]));
            let first = children.next().unwrap_or(DeepValue { value: node.value, depth: 0 });
            let better = |a: f64, b: f64| if max { a > b } else { a < b };
            let best =
                children.fold(first, |best, c| if better(c.value, best.value) { c } else { best });
            DeepValue { value: best.value, depth: best.depth + 1 }
        };
        let mut both = TwoValues { low: backed_up(|c| c.low), high: backed_up(|c| c.high) };
        if node.is_solved_for_good() {
            (both.low.value, both.high.value) = (node.value, node.value);
        }
        both
    }

    fn views(&self, id: NodeId, max: bool) -> (f64, f64) {
        self.ranges[id as usize].views(max)
    }

    /// The child that is not solved with the best optimistic value, then pessimistic value, then the leftmost.
    fn hopeful(&self, tree: &Tree, id: NodeId) -> Option<NodeId> {
        let node = tree.node(id);
        let max = node.max_to_move();
        let mut open = node.children().filter(|child| !tree.node(*child).is_solved());
        let first = open.next()?;
        let better = |a: NodeId, b: NodeId| self.views(a, max) > self.views(b, max);
        Some(open.fold(first, |best, child| if better(child, best) { child } else { best }))
    }

    /// The move at the root to expand below; or why there is none.
    fn at_root(&self, tree: &Tree) -> Result<NodeId, Status> {
        let max = tree.root().max_to_move();
        let mut moves: Vec<NodeId> = tree.root().children().collect();
        let views = |id: &NodeId| self.views(*id, max);
        moves.sort_by(|a, b| {
            views(b).partial_cmp(&views(a)).unwrap_or(Ordering::Equal) // there is no NaN
        });
        let Some((best, rest)) = moves.split_first() else { return Err(Status::Converged) };
        let rivals = rest.iter().filter(|child| views(child).0 > views(best).1);
        if rivals.clone().next().is_none() {
            return Err(Status::Decided);
        }
        let square = |id: &NodeId| {
            let depth = u64::from(self.ranges[*id as usize].depth(max)) + 1;
            depth * depth
        };
        let disproves = match self.strategy {
            RootStrategy::Prove => false,
            RootStrategy::Disprove => true,
            RootStrategy::Depth => {
                rest.iter().take(self.alternatives).map(square).sum::<u64>() < square(best)
            }
        };
        let open = |id: &&NodeId| !tree.node(**id).is_solved();
        let mut rivals = rivals.filter(open);
        let best = Some(best).filter(open);
        let chosen =
            if disproves { rivals.next().or(best) } else { best.or_else(|| rivals.next()) };
        chosen.copied().ok_or(Status::Converged)
    }
}

impl GrowthRule for BStar {
    fn choose(&mut self, tree: &mut Tree, path: &mut Path) -> Result<Option<Status>, Error> {
        if tree.root().is_solved() {
            return Ok(Some(Status::Proven));
        }
        path.truncate(1);
        if tree.root().is_leaf() {
            return Ok(None);
        }
        let mut id = match self.at_root(tree) {
            Ok(id) => id,
            Err(status) => return Ok(Some(status)),
        };
        path.push(id);
        while let Some(child) = self.hopeful(tree, id) {
            path.push(child);
            id = child;
        }
        Ok(None)
    }

    fn initialise(&mut self, tree: &mut Tree, _: Option<NodeId>) -> Result<(), Error> {
        for id in self.ranges.len()..tree.len() {
            let leaf = self.leaf(tree, id as NodeId);
            self.ranges.push(leaf);
        }
        Ok(())
    }

    fn update(&mut self, tree: &mut Tree, node: NodeId) -> Result<bool, Error> {
        let fresh = self.family(tree, node);
        Ok(std::mem::replace(&mut self.ranges[node as usize], fresh) != fresh)
    }

    /// Of the moves that are not lost, the one of the best pessimistic value.
    fn verdict(&self, tree: &Tree, node: NodeId) -> Verdict {
        let max = tree.node(node).max_to_move();
        Verdict::answer(best_move(tree, node, |id| {
            let (optimistic, pessimistic) = self.views(id, max);
            (pessimistic, optimistic)
        }))
    }

    fn reserve(&mut self, nodes: usize) -> Room {
        self.ranges.try_reserve_exact(nodes)
    }

    fn bytes(&self, _: usize, children: usize) -> usize {
        (self.ranges.len() + children) * size_of::<TwoValues>()
    }

    /// `low` and `high`: both values, from Max's side.
    fn numbers(&self, _: &Tree, path: &[NodeId]) -> Vec<(&'static str, Number)> {
        let Some(&id) = path.last() else { return Vec::new() };
        let TwoValues { low, high } = self.ranges[id as usize];
        vec![("low", Number::Real(low.value)), ("high", Number::Real(high.value))]
    }

    fn check(&self, tree: &Tree) -> Result<(), String> {
        for (id, node) in (0..).zip(tree.nodes()) {
            let fresh = match node.is_leaf() {
                true => self.leaf(tree, id),
                false => self.family(tree, id),
            };
            let kept = self.ranges[id as usize];
            if kept != fresh {
                return Err(format!("node {id}: {kept:?} instead of {fresh:?}"));
            }
        }
        Ok(())
    }
}
