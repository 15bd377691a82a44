//! Monte Carlo tree search by upper confidence bounds (UCT): L. Kocsis and C. Szepesvári, "Bandit based Monte-Carlo
//! planning" (2006); solved nodes are kept apart as in M. Winands et al., "Monte-Carlo tree search solver" (2008).
//!
//! A leaf's reward is Max's chance of winning as far as its value tells: 0 for the least value of the game, 1 for the
//! greatest. A node's reward is the mean over the leaves below it; every leaf is one visit. From the root the
//! search goes down to the child of the greatest
//!
//! ```text
//!   reward for the player to move  +  exploration * sqrt(ln(visits of the node) / visits of the child)
//! ```
//!
//! among those that are not solved. An expansion adds a whole family, each member with one visit. All numbers are
//! sums over the children, so that they can be computed again from the leaves.

use super::{GrowthRule, Number, RuleNeeds, Status, Verdict};
use crate::error::Error;
use crate::expander::{Needs, Values};
use crate::leaves::Leaves;
use crate::params::{Info, Kind, Param, Params};
use crate::spare::{Reused, Room};
use crate::tree::{Node, NodeId, Path, Tree};
use std::f64::consts::PI;

/// More would keep a search from stopping when it should.
const MOST_PLAYOUTS: i64 = 1_000;

/// The parameter `playouts`.
pub(super) const PLAYOUTS: Param = Param {
    name: "playouts",
    default: Kind::Int(1, 0),
    meaning: "random games that value a new leaf; 0: its static value",
};

/// The parameter `seed`.
pub(super) const SEED: Param = Param {
    name: "seed",
    default: Kind::Int(0, i64::MIN),
    meaning: "where the random numbers begin",
};

/// The rule `uct`.
pub struct Uct {
    exploration: f64,
    playouts: u32,
    seed: u64,
    numbers: Reused<Rewards>,
}

/// The leaves below a node, and the sum of Max's rewards there.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Rewards {
    visits: f64,
    sum: f64,
}

impl Rewards {
    /// The mean reward of a player.
    #[inline]
    fn mean(self, max: bool) -> f64 {
        let mean = self.sum / self.visits;
        if max {
            mean
        } else {
            1.0 - mean
        }
    }
}

/// Max's reward for a value: its place in the range; if that has no ends, how far it is on the way to them.
pub(super) fn reward(value: f64, (low, high): (f64, f64)) -> f64 {
    if has_ends((low, high)) {
        (value - low) / (high - low)
    } else {
        0.5 + value.atan() / PI
    }
}

/// The value that has this reward.
pub(super) fn value_of(reward: f64, (low, high): (f64, f64)) -> f64 {
    if has_ends((low, high)) {
        low + reward * (high - low)
    } else {
        (PI * (reward - 0.5)).tan().clamp(low, high)
    }
}

/// Whether a range of values has two ends, and a width that is a number.
fn has_ends((low, high): (f64, f64)) -> bool {
    low < high && (high - low).is_finite()
}

/// Goes down from the root by preferred children to a leaf, or says why there is none.
pub(super) fn go_down(
    tree: &Tree,
    path: &mut Path,
    preferred: impl Fn(NodeId) -> Option<NodeId>,
) -> Option<Status> {
    if tree.root().is_solved() {
        return Some(Status::Proven);
    }
    path.truncate(1);
    let mut id = Tree::ROOT;
    while !tree.node(id).is_leaf() {
        let Some(child) = preferred(id) else { return Some(Status::Converged) };
        path.push(child);
        id = child;
    }
    None
}

/// Whether a move to a node loses by the greatest margin there is.
pub(super) fn is_lost(tree: &Tree, id: NodeId, max: bool) -> bool {
    let (low, high) = tree.value_range();
    let child = tree.node(id);
    child.is_solved_for_good() && child.value == if max { low } else { high }
}

/// Of the moves that are not lost the one with the greatest key, the leftmost among equals; nothing if the node is
/// solved, where the best value decides.
pub(super) fn best_move<K: PartialOrd>(
    tree: &Tree,
    node: NodeId,
    key: impl Fn(NodeId) -> K,
) -> Option<u32> {
    let parent = tree.node(node);
    if parent.is_solved() {
        return None;
    }
    let merit = |child: NodeId| (!is_lost(tree, child, parent.max_to_move()), key(child));
    let mut children = parent.children();
    let mut best = children.next()?;
    for child in children {
        if merit(child) > merit(best) {
            best = child;
        }
    }
    Some(best - parent.children().start)
}

impl Uct {
    /// The rule's entry in the tables.
    pub const INFO: Info = Info {
        name: "uct",
        paper: "Kocsis and Szepesvári 2006",
        summary: "expands where rewards are high or visits few: Monte Carlo tree search",
        params: &[
            Param {
                name: "exploration",
                default: Kind::Real(0.5),
                meaning: "how much few visits count, where a win counts 1",
            },
            PLAYOUTS,
            SEED,
        ],
    };

    /// The rule with these parameters, which have been checked against [`Uct::INFO`].
    pub fn new(params: &Params) -> Result<Uct, Error> {
        Uct::exploring(params, "exploration")
    }

    /// The same, where the parameter for exploration has another name.
    pub(super) fn exploring(params: &Params, name: &str) -> Result<Uct, Error> {
        let exploration = params.amount(name)?;
        let playouts = params.int(PLAYOUTS.name).unwrap_or(0);
        if playouts > MOST_PLAYOUTS {
            let text = format!("playouts must be at most {MOST_PLAYOUTS}, not {playouts}");
            return Err(Error::Argument(text));
        }
        let playouts = playouts as u32;
        let seed = params.int(SEED.name).unwrap_or(0) as u64;
        Ok(Uct { exploration, playouts, seed, numbers: Reused::default() })
    }

    /// What makes a move the answer: its visits, then its mean reward.
    pub(super) fn merit(&self, id: NodeId, max: bool) -> (f64, f64) {
        let numbers = self.numbers[id as usize];
        (numbers.visits, numbers.mean(max))
    }

    fn of_leaf(tree: &Tree, leaf: &Node) -> Rewards {
        let visits = if leaf.is_held() { 2.0 } else { 1.0 };
        Rewards { visits, sum: visits * reward(leaf.value, tree.value_range()) }
    }

    /// The numbers of an inner node, from its children's; a solved one is worth what it is worth.
    fn of_family(&self, tree: &Tree, id: NodeId) -> Rewards {
        let node = tree.node(id);
        let range = node.children();
        let (mut visits, mut sum) = (0.0, 0.0);
        for numbers in &self.numbers[range.start as usize..range.end as usize] {
            visits += numbers.visits;
            sum += numbers.sum;
        }
        if node.is_solved_for_good() {
            sum = visits * reward(node.value, tree.value_range());
        }
        Rewards { visits, sum }
    }

    /// The child that is not solved with the greatest upper confidence bound and bonus, the leftmost among equals.
    pub(super) fn preferred(
        &self,
        tree: &Tree,
        id: NodeId,
        bonus: impl Fn(NodeId) -> f64,
    ) -> Option<NodeId> {
        let node = tree.node(id);
        let most = self.numbers[id as usize].visits.ln();
        let (mut best, mut chosen) = (f64::NEG_INFINITY, None);
        for child in node.children().filter(|child| !tree.node(*child).is_solved()) {
            let numbers = self.numbers[child as usize];
            let bound = numbers.mean(node.max_to_move())
                + self.exploration * (most / numbers.visits).sqrt()
                + bonus(child);
            if bound > best {
                (best, chosen) = (bound, Some(child));
            }
        }
        chosen
    }
}

impl GrowthRule for Uct {
    fn choose(&mut self, tree: &mut Tree, path: &mut Path) -> Result<Option<Status>, Error> {
        Ok(go_down(tree, path, |id| self.preferred(tree, id, |_| 0.0)))
    }

    fn initialise(&mut self, tree: &mut Tree, _: Option<NodeId>) -> Result<(), Error> {
        let known = self.numbers.len();
        let leaves = tree.nodes()[known..].iter().map(|leaf| Uct::of_leaf(tree, leaf));
        self.numbers.extend(leaves);
        Ok(())
    }

    fn update(&mut self, tree: &mut Tree, node: NodeId) -> Result<bool, Error> {
        let fresh = self.of_family(tree, node);
        Ok(std::mem::replace(&mut self.numbers[node as usize], fresh) != fresh)
    }

    /// A held leaf has a second visit, with the same reward.
    fn renew(&mut self, tree: &mut Tree, leaf: NodeId) -> Result<(), Error> {
        self.numbers[leaf as usize] = Uct::of_leaf(tree, tree.node(leaf));
        Ok(())
    }

    fn numbers(&self, _: &Tree, path: &[NodeId]) -> Vec<(&'static str, Number)> {
        let Some(&id) = path.last() else { return Vec::new() };
        let numbers = self.numbers[id as usize];
        vec![("visits", Number::Real(numbers.visits)), ("reward", Number::Real(numbers.mean(true)))]
    }

    /// A win; else, of the moves that are not lost, the one with most visits, and among equals with the best reward.
    /// The value is the mean over all leaves, if they were valued by random games, of which the best says little.
    fn verdict(&self, tree: &Tree, node: NodeId) -> Verdict {
        let max = tree.node(node).max_to_move();
        let answer = best_move(tree, node, |id| self.merit(id, max));
        let counts = self.playouts > 0 && node == Tree::ROOT && !tree.root().is_solved();
        let value = counts.then(|| value_of(self.numbers[0].mean(true), tree.value_range()));
        Verdict { answer, value, won: None }
    }

    fn needs(&self) -> RuleNeeds {
        let (values, leaves) = match self.playouts {
            0 => (Values::Always, Leaves::Static),
            count => (Values::Never, Leaves::Playouts { count, seed: self.seed }),
        };
        RuleNeeds { leaves: Needs { values, leaves, ..Needs::default() }, ..RuleNeeds::default() }
    }

    fn reserve(&mut self, nodes: usize) -> Room {
        self.numbers.try_reserve_exact(nodes)
    }

    fn bytes(&self, _: usize, children: usize) -> usize {
        (self.numbers.len() + children) * size_of::<Rewards>()
    }

    fn check(&self, tree: &Tree) -> Result<(), String> {
        for (id, node) in (0..).zip(tree.nodes()) {
            let fresh = match node.is_leaf() {
                true => Uct::of_leaf(tree, node),
                false => self.of_family(tree, id),
            };
            let kept = self.numbers[id as usize];
            if kept != fresh {
                return Err(format!("node {id}: {kept:?} instead of {fresh:?}"));
            }
        }
        Ok(())
    }
}
