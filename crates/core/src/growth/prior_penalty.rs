//! Penalties on a policy: the min/max approximation of R. L. Rivest, "Game tree searching by min/max approximation"
//! (1988), for values with noise and moves with scores, such as a network gives.
//!
//! Rivest expands the tip of least penalty: the sum over the moves to it of -ln D, where D is the derivative of a
//! generalized mean of the siblings' values, and a constant for each ply (Section 3). Here the scores of moves weigh the
//! mean, and a node's value is no maximum, which would be that of the luckiest leaf, but an average that leans towards the
//! better moves. Rewards are from 0 to 1; for the player to move at a node with `n` visits, `u` is its own static reward,
//! `q_i` and `n_i` are reward and visits of a move, `P_i` is its prior:
//!
//! ```text
//!   m    = (u + sum n_i q_i) / n                          the plain mean
//!   s_i  = (shrink m + n_i q_i) / (shrink + n_i)          few visits say little
//!   a_i  = n_i exp(lean (s_i - max s))
//!   V    = (u + sum a_i q_i) / (1 + sum a_i)              the node's reward
//!   D_i  = P_i exp(beta s_i) / sum P_j exp(beta s_j)      beta = steepness + rise sqrt(n); s_i = V without visits
//!   pen  = min( -ln D_i of moves without visits,  -ln D_i + ply + pen_i of the others )
//! ```
//!
//! A position is valued when it is expanded, and not before. Moves that are proven to lose count nowhere, and solved ones
//! have no penalty. The answer is the move with the greatest `q_i - caution / sqrt(n_i)`.

use super::puct::{own_reward, Remembered};
use super::uct::{best_move, go_down, is_lost, reward, value_of};
use super::{GrowthRule, Number, RuleNeeds, Status, Verdict};
use crate::error::Error;
use crate::expander::Needs;
use crate::leaves::Leaves;
use crate::params::{Info, Kind, Param, Params};
use crate::scores::UNIT;
use crate::spare::{Reused, Room};
use crate::tree::{NodeId, Path, Tree};

/// The rule `prior-penalty`.
pub struct PriorPenalty {
    sharpness: f64,
    shrink: f64,
    lean: f64,
    steepness: f64,
    rise: f64,
    ply: f64,
    caution: f64,
    numbers: Reused<Leaning>,
    remembered: Remembered,
}

/// What the rule knows of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Leaning {
    /// The logarithm of how likely the move to it was thought to be.
    prior: f64,
    /// Max's reward by the static value of the position, once it is expanded.
    own: f64,
    /// The positions expanded below the node, itself included.
    visits: f64,
    /// Max's reward.
    reward: f64,
    /// The penalty of the best leaf below, and the child on the way to it.
    penalty: f64,
    next: Option<NodeId>,
}

impl Leaning {
    const LEAF: Leaning =
        Leaning { prior: 0.0, own: 0.0, visits: 0.0, reward: 0.0, penalty: 0.0, next: None };

    /// The reward of a player.
    #[inline]
    fn of(self, max: bool) -> f64 {
        seen_by(self.reward, max)
    }
}

/// A reward of Max's, or what the other player has of it.
#[inline]
fn seen_by(reward: f64, max: bool) -> f64 {
    if max {
        reward
    } else {
        1.0 - reward
    }
}

const fn amount(name: &'static str, usual: f64, meaning: &'static str) -> Param {
    Param { name, default: Kind::Real(usual), meaning }
}

impl PriorPenalty {
    /// The rule's entry in the tables.
    pub const INFO: Info = Info {
        name: "prior-penalty",
        paper: "Rivest 1988, Section 3, with a policy",
        summary: "expands the leaf of least penalty, where scores of moves weigh the penalties: for networks",
        params: &[
            amount("sharpness", 1.0, "the power of a move's score that says how likely it is"),
            amount("shrink", 3.0, "how many visits of its parent's mean a move begins with"),
            amount("lean", 6.0, "how much better moves count more in a node's reward"),
            amount("steepness", 32.0, "how much better moves have a smaller penalty"),
            amount("rise", 1.0, "how much that grows with the square root of visits"),
            amount("ply", 0.15, "penalty of each ply"),
            amount("caution", 0.5, "what few visits take from a move's reward when one is chosen"),
        ],
    };

    /// The rule with these parameters, which have been checked against [`PriorPenalty::INFO`].
    pub fn new(params: &Params) -> Result<PriorPenalty, Error> {
        let named = |name| params.amount(name);
        Ok(PriorPenalty {
            sharpness: named("sharpness")?,
            shrink: named("shrink")?,
            lean: named("lean")?,
            steepness: named("steepness")?,
            rise: named("rise")?,
            ply: named("ply")?,
            caution: named("caution")?,
            numbers: Reused::default(),
            remembered: Remembered::default(),
        })
    }

    /// The numbers of an expanded node, from its children's; a solved one is worth what it is worth.
    fn of_family(&self, tree: &Tree, id: NodeId) -> Leaning {
        let node = tree.node(id);
        let max = node.max_to_move();
        let Leaning { prior, own, .. } = self.numbers[id as usize];
        let own_seen = seen_by(own, max);
        let open = || node.children().filter(|child| !is_lost(tree, *child, max));
        let of = |child: NodeId| self.numbers[child as usize];
        let (mut visits, mut weight, mut sum) = (1.0, 1.0, own_seen);
        for child in node.children() {
            visits += of(child).visits;
        }
        for child in open() {
            weight += of(child).visits;
            sum += of(child).visits * of(child).of(max);
        }
        let mean = sum / weight;
        let shrunk = |numbers: Leaning| {
            (self.shrink * mean + numbers.visits * numbers.of(max)) / (self.shrink + numbers.visits)
        };
        let visited = || open().map(of).filter(|numbers| numbers.visits > 0.0);
        let top = visited().map(shrunk).fold(f64::NEG_INFINITY, f64::max);
        let (mut weight, mut sum) = (1.0, own_seen);
        for numbers in visited() {
            let part = numbers.visits * (self.lean * (shrunk(numbers) - top)).exp();
            weight += part;
            sum += part * numbers.of(max);
        }
        let reward = match node.is_solved_for_good() {
            true => reward(node.value, tree.value_range()),
            false => seen_by(sum / weight, max),
        };
        let known = Leaning { prior, own, visits, reward, penalty: f64::INFINITY, next: None };
        if node.is_solved() {
            return known; // or all that is below it is under way
        }
        // logarithms of the terms of D, against the greatest of them
        let beta = self.steepness + self.rise * visits.sqrt();
        let term = |numbers: Leaning| {
            let merit = if numbers.visits > 0.0 { shrunk(numbers) } else { known.of(max) };
            numbers.prior + beta * merit
        };
        let most = open().map(|child| term(of(child))).fold(f64::NEG_INFINITY, f64::max);
        let whole = open().fold(0.0, |whole, child| whole + (term(of(child)) - most).exp());
        let level = most + f64::ln(whole);
        let (mut penalty, mut next) = (f64::INFINITY, None);
        for child in open().filter(|child| !tree.node(*child).is_solved()) {
            let numbers = of(child);
            let below = if numbers.visits > 0.0 { self.ply + numbers.penalty } else { 0.0 };
            let whole = level - term(numbers) + below;
            if next.is_none() || whole < penalty {
                (penalty, next) = (whole, Some(child));
            }
        }
        Leaning { penalty, next, ..known }
    }
}

impl GrowthRule for PriorPenalty {
    fn choose(&mut self, tree: &mut Tree, path: &mut Path) -> Result<Option<Status>, Error> {
        self.remembered.forget(); // all that was saved has been taken up
        Ok(go_down(tree, path, |id| self.numbers[id as usize].next))
    }

    fn initialise(&mut self, tree: &mut Tree, node: Option<NodeId>) -> Result<(), Error> {
        self.numbers.resize(tree.len(), Leaning::LEAF);
        let Some(id) = node else { return Ok(()) };
        self.numbers[id as usize].own = self.remembered.next(|| own_reward(tree, id));
        let likely = |child| -self.sharpness * f64::from(tree.error(child)) / UNIT;
        let children = || tree.node(id).children();
        let whole = children().fold(0.0, |whole, child| whole + f64::exp(likely(child)));
        let level = f64::ln(whole);
        for child in children() {
            self.numbers[child as usize].prior = likely(child) - level;
        }
        Ok(())
    }

    fn update(&mut self, tree: &mut Tree, node: NodeId) -> Result<bool, Error> {
        let fresh = self.of_family(tree, node);
        Ok(std::mem::replace(&mut self.numbers[node as usize], fresh) != fresh)
    }

    fn numbers(&self, _: &Tree, path: &[NodeId]) -> Vec<(&'static str, Number)> {
        let Some(&id) = path.last() else { return Vec::new() };
        let numbers = self.numbers[id as usize];
        let expanded = numbers.visits > 0.0;
        let known = |number: f64| if expanded { Number::Real(number) } else { Number::Nothing };
        vec![
            ("visits", Number::Real(numbers.visits)),
            ("reward", known(numbers.reward)),
            ("prior", Number::Real(numbers.prior.exp())),
            ("penalty", known(numbers.penalty)),
        ]
    }

    /// A win; else, of the moves that are not lost, the one that is best even if few visits are little reason.
    fn verdict(&self, tree: &Tree, node: NodeId) -> Verdict {
        let max = tree.node(node).max_to_move();
        let answer = best_move(tree, node, |id| {
            let numbers = self.numbers[id as usize];
            let merit = match numbers.visits > 0.0 {
                true => numbers.of(max) - self.caution / numbers.visits.sqrt(),
                false => f64::NEG_INFINITY,
            };
            (merit, numbers.prior)
        });
        let numbers = self.numbers[Tree::ROOT as usize];
        let counts = numbers.visits > 0.0 && node == Tree::ROOT && !tree.root().is_solved();
        let value = counts.then(|| value_of(numbers.reward, tree.value_range()));
        Verdict { answer, value, won: None }
    }

    fn needs(&self) -> RuleNeeds {
        let leaves = Needs { leaves: Leaves::Inherited, errors: true, ..Needs::default() };
        RuleNeeds { leaves, ..RuleNeeds::default() }
    }

    fn reserve(&mut self, nodes: usize) -> Room {
        self.numbers.try_reserve_exact(nodes)
    }

    fn bytes(&self, _: usize, children: usize) -> usize {
        (self.numbers.len() + children) * size_of::<Leaning>()
    }

    fn memory(&self, tree: &Tree) -> Vec<u64> {
        tree.expanded().iter().map(|id| self.numbers[*id as usize].own.to_bits()).collect()
    }

    fn remember(&mut self, memory: &[u64]) -> Result<(), Error> {
        self.remembered = Remembered::read(memory)?;
        Ok(())
    }

    fn check(&self, tree: &Tree) -> Result<(), String> {
        for (id, node) in (0..).zip(tree.nodes()) {
            let kept = self.numbers[id as usize];
            let fresh = match node.is_leaf() {
                true => Leaning { prior: kept.prior, ..Leaning::LEAF },
                false => self.of_family(tree, id),
            };
            let priors = node.children().map(|child| self.numbers[child as usize].prior.exp());
            if kept != fresh || !node.is_leaf() && (priors.sum::<f64>() - 1.0).abs() > 1e-9 {
                return Err(format!("node {id}: {kept:?} instead of {fresh:?}"));
            }
        }
        Ok(())
    }
}
