//! Monte Carlo tree search with a policy (PUCT): C. Rosin, "Multi-armed bandits with episode context" (2011), in the form
//! of D. Silver et al., "Mastering the game of Go without human knowledge" (2017).
//!
//! A position is valued when it is expanded, and not before: one static value and one list of scores for each expansion.
//! A node's reward is the mean over the positions expanded below it, itself included, each of them one visit. From
//! the root the search goes down to the child of the greatest
//!
//! ```text
//!   reward for the player to move  +  exploration * prior * sqrt(visits of the node) / (1 + visits of the child)
//! ```
//!
//! among those that are not solved; a child without visits has the node's own reward. Priors are the scores of the moves
//! to the power `sharpness`, as parts of their sum. Beyond the papers: moves that are proven to lose no longer
//! count for the mean, because nobody will make them; and the answer is the move of the greatest lower bound, as in Leela
//! Zero, unless `choice` says otherwise. With `root="gumbel"` moves and answer at the root are those of [`super::gumbel`].

use super::gumbel::{softmax, Arm, GumbelRoot, CONSIDERED, C_SCALE, C_VISIT, NOISE, PLAN};
use super::uct::{best_move, go_down, is_lost, reward, value_of, SEED};
use super::{GrowthRule, Number, RuleNeeds, Status, Verdict};
use crate::error::{damaged, Error};
use crate::expander::Needs;
use crate::leaves::Leaves;
use crate::params::{Info, Kind, Param, Params};
use crate::scores::UNIT;
use crate::spare::{Reused, Room};
use crate::tree::{NodeId, Path, Tree};
use std::collections::VecDeque;

/// The rule `puct`.
pub struct Puct {
    exploration: f64,
    sharpness: f64,
    /// Whether moves are compared by a lower bound of their rewards.
    cautious: bool,
    /// The plan for the root, if there is one.
    gumbel: Option<GumbelRoot>,
    numbers: Reused<Visits>,
    remembered: Remembered,
}

/// What few visits take from a move's reward when one is chosen: this by the square root of visits.
const CAUTION: f64 = 0.5;
/// How often a choice may come to leaves of its own batch before the batch ends.
const AGAIN: usize = 8;

/// What the rule knows of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Visits {
    /// How likely the move to it was thought to be.
    prior: f64,
    /// Max's reward by the static value of the position, once it is expanded.
    own: f64,
    /// The positions expanded below the node, itself included.
    visits: f64,
    /// Those of them that count for the mean, and the sum of Max's rewards there.
    weight: f64,
    sum: f64,
}

impl Visits {
    /// The mean reward of a player; of nothing, `unknown` of Max's.
    #[inline]
    fn mean(self, max: bool, unknown: f64) -> f64 {
        let mean = if self.weight > 0.0 { self.sum / self.weight } else { unknown };
        if max {
            mean
        } else {
            1.0 - mean
        }
    }
}

impl Puct {
    /// The rule's entry in the tables.
    pub const INFO: Info = Info {
        name: "puct",
        paper: "Rosin 2011; Silver et al. 2017",
        summary:
            "goes where the scores of moves and the mean of static values lead: AlphaZero's search",
        params: &[
            Param {
                name: "exploration",
                default: Kind::Real(0.75),
                meaning: "how much promising moves with few visits count, where a win counts 1",
            },
            Param {
                name: "sharpness",
                default: Kind::Real(0.6),
                meaning: "the power of a move's score that says how likely it is",
            },
            Param {
                name: "choice",
                default: Kind::Choice(&["bound", "visits"]),
                meaning: "the answer: the greatest reward - 0.5 / sqrt(visits), or most visits",
            },
            Param {
                name: "root",
                default: Kind::Choice(&["puct", "gumbel"]),
                meaning: "how the root's moves are chosen: as everywhere, or by sequential halving with Gumbel noise",
            },
            CONSIDERED,
            PLAN,
            C_VISIT,
            C_SCALE,
            NOISE,
            SEED,
        ],
    };

    /// The rule with these parameters, which have been checked against [`Puct::INFO`].
    pub fn new(params: &Params) -> Result<Puct, Error> {
        Ok(Puct {
            exploration: params.amount("exploration")?,
            sharpness: params.amount("sharpness")?,
            cautious: params.text("choice") == "bound",
            gumbel: match params.text("root") {
                "gumbel" => Some(GumbelRoot::new(params)?),
                _ => None,
            },
            numbers: Reused::default(),
            remembered: Remembered::default(),
        })
    }

    /// The numbers of an expanded node, from its children's; a solved one is worth what it is worth.
    fn of_family(&self, tree: &Tree, id: NodeId) -> Visits {
        let node = tree.node(id);
        let Visits { prior, own, .. } = self.numbers[id as usize];
        let (mut visits, mut weight, mut sum) = (1.0, 1.0, own);
        for child in node.children() {
            let numbers = self.numbers[child as usize];
            visits += numbers.visits;
            if !is_lost(tree, child, node.max_to_move()) {
                weight += numbers.weight;
                sum += numbers.sum;
            }
        }
        if node.is_solved_for_good() {
            sum = weight * reward(node.value, tree.value_range());
        }
        Visits { prior, own, visits, weight, sum }
    }

    /// The root's own reward for its player, and its moves.
    fn arms(&self, tree: &Tree) -> (f64, Vec<Arm>) {
        let max = tree.root().max_to_move();
        let own = Visits { weight: 1.0, sum: self.numbers[0].own, ..Visits::default() };
        let arm = |child: NodeId| {
            let numbers = self.numbers[child as usize];
            let q = (numbers.weight > 0.0).then(|| numbers.mean(max, 0.0));
            Arm { prior: numbers.prior, visits: numbers.visits, q }
        };
        (own.mean(max, 0.0), tree.root().children().map(arm).collect())
    }

    /// The scores of the root's moves, with their noise.
    fn scores(&self, tree: &Tree, plan: &GumbelRoot) -> Vec<f64> {
        let (own, arms) = self.arms(tree);
        let noise = |place: u64| plan.gumbel(self.numbers[0].own, place);
        let completed = plan.completed(own, &arms).into_iter();
        completed.zip(0..).map(|(score, place)| noise(place) + score).collect()
    }

    /// The root's child by the plan: one that has as many visits as are due, or the nearest number below; of the best
    /// score among these.
    fn planned(&self, tree: &Tree, plan: &GumbelRoot) -> Option<NodeId> {
        let children = tree.root().children();
        let visits = |child: NodeId| self.numbers[child as usize].visits;
        let t: f64 = children.clone().map(visits).sum();
        let due = plan.due(t as u64, children.len() as u64) as f64;
        let open = || children.clone().filter(|child| !tree.node(*child).is_solved());
        let below = open().map(visits).filter(|count| *count <= due).reduce(f64::max);
        let wanted = below.or_else(|| open().map(visits).reduce(f64::min))?;
        let scores = self.scores(tree, plan);
        let score = |child: NodeId| scores[(child - children.start) as usize];
        let mut equal = open().filter(|child| visits(*child) == wanted);
        let first = equal.next()?;
        Some(equal.fold(first, |best, child| if score(child) > score(best) { child } else { best }))
    }

    /// The most promising child that is not solved, the leftmost among equals. It can be one that is held.
    fn preferred(&self, tree: &Tree, id: NodeId) -> Option<NodeId> {
        if let (Some(plan), Tree::ROOT) = (&self.gumbel, id) {
            return self.planned(tree, plan);
        }
        let node = tree.node(id);
        let above = self.numbers[id as usize];
        let (unknown, most) = (above.mean(true, above.own), above.visits.sqrt());
        let (mut best, mut chosen) = (f64::NEG_INFINITY, None);
        for child in node.children().filter(|child| !tree.node(*child).is_solved_for_good()) {
            let numbers = self.numbers[child as usize];
            let bound = numbers.mean(node.max_to_move(), unknown)
                + self.exploration * numbers.prior * most / (1.0 + numbers.visits);
            if bound > best {
                (best, chosen) = (bound, Some(child));
            }
        }
        chosen
    }
}

/// Max's reward by the static value of a position that has just been expanded: its children have that value until
/// they are expanded themselves.
pub(super) fn own_reward(tree: &Tree, id: NodeId) -> f64 {
    let node = tree.node(id);
    let open = node.children().find(|child| tree.node(*child).is_open());
    reward(tree.node(open.unwrap_or(id)).value, tree.value_range())
}

/// The rewards of expanded positions by their own values, from a file, in the order of expansion: no leaf has them any
/// more once all of a family are expanded.
#[derive(Default)]
pub(super) struct Remembered(VecDeque<f64>);

impl Remembered {
    /// Reads what a rule's `memory` has written.
    pub fn read(memory: &[u64]) -> Result<Remembered, Error> {
        let rewards: VecDeque<f64> = memory.iter().map(|bits| f64::from_bits(*bits)).collect();
        match rewards.iter().all(|own| (0.0..=1.0).contains(own)) {
            true => Ok(Remembered(rewards)),
            false => Err(damaged("a reward that is none")),
        }
    }

    /// The next of them, or else what it is now.
    pub fn next(&mut self, now: impl FnOnce() -> f64) -> f64 {
        self.0.pop_front().unwrap_or_else(now)
    }

    /// All have been taken up.
    pub fn forget(&mut self) {
        self.0.clear();
    }
}

impl GrowthRule for Puct {
    fn choose(&mut self, tree: &mut Tree, path: &mut Path) -> Result<Option<Status>, Error> {
        self.remembered.forget(); // all that was saved has been taken up
        for _ in 0..AGAIN {
            let status = go_down(tree, path, |id| self.preferred(tree, id));
            if status.is_some() || !tree.node(path[path.len() - 1]).is_held() {
                return Ok(status);
            }
            // what is next best there may be far worse: with more visits, another way down may be best
            for id in path.iter() {
                self.numbers[*id as usize].visits += 1.0;
            }
        }
        Ok(go_down(tree, path, |id| self.preferred(tree, id)))
    }

    fn initialise(&mut self, tree: &mut Tree, node: Option<NodeId>) -> Result<(), Error> {
        self.numbers.resize(tree.len(), Visits::default());
        let Some(id) = node else {
            self.numbers[Tree::ROOT as usize].prior = 1.0;
            return Ok(());
        };
        self.numbers[id as usize].own = self.remembered.next(|| own_reward(tree, id));
        let mut sum = 0.0;
        for child in tree.node(id).children() {
            let likely = (-self.sharpness * f64::from(tree.error(child)) / UNIT).exp();
            self.numbers[child as usize].prior = likely;
            sum += likely;
        }
        for child in tree.node(id).children() {
            self.numbers[child as usize].prior /= sum; // at least 1: the best move's error is 0
        }
        Ok(())
    }

    fn update(&mut self, tree: &mut Tree, node: NodeId) -> Result<bool, Error> {
        let fresh = self.of_family(tree, node);
        Ok(std::mem::replace(&mut self.numbers[node as usize], fresh) != fresh)
    }

    /// A held leaf has one visit that does not count for the mean (A. Liu et al., "Watch the unobserved", 2020), and another
    /// each time that a choice comes to it again. None is left when it is released.
    fn renew(&mut self, tree: &mut Tree, leaf: NodeId) -> Result<(), Error> {
        self.numbers[leaf as usize].visits = f64::from(u8::from(tree.node(leaf).is_held()));
        Ok(())
    }

    fn numbers(&self, tree: &Tree, path: &[NodeId]) -> Vec<(&'static str, Number)> {
        let Some(&id) = path.last() else { return Vec::new() };
        let numbers = self.numbers[id as usize];
        let mean = (numbers.weight > 0.0).then(|| numbers.mean(true, 0.0));
        let mut said = vec![
            ("visits", Number::Real(numbers.visits)),
            ("reward", mean.map_or(Number::Nothing, Number::Real)),
            ("prior", Number::Real(numbers.prior)),
        ];
        if let (Some(plan), 2) = (&self.gumbel, path.len()) {
            let (own, arms) = self.arms(tree);
            let policy = softmax(&plan.completed(own, &arms));
            let place = (id - tree.root().children().start) as usize;
            said.push(("policy", Number::Real(policy[place])));
        }
        said
    }

    /// A win; else, of the moves that are not lost, the one of the greatest lower bound or with most visits, and among
    /// equals the most likely. The value is the mean over all positions that count, of which the best says little.
    fn verdict(&self, tree: &Tree, node: NodeId) -> Verdict {
        let max = tree.node(node).max_to_move();
        let plan = self.gumbel.as_ref().filter(|_| node == Tree::ROOT && !tree.root().is_leaf());
        let scores = plan.map(|plan| self.scores(tree, plan));
        let answer = best_move(tree, node, |id| {
            let numbers = self.numbers[id as usize];
            if let Some(scores) = &scores {
                return (numbers.visits, scores[(id - tree.root().children().start) as usize]);
            }
            let merit = match (self.cautious, numbers.visits > 0.0) {
                (true, true) => numbers.mean(max, 0.0) - CAUTION / numbers.visits.sqrt(),
                (true, false) => f64::NEG_INFINITY,
                (false, _) => numbers.visits,
            };
            (merit, numbers.prior)
        });
        let numbers = self.numbers[Tree::ROOT as usize];
        let counts = numbers.weight > 0.0 && node == Tree::ROOT && !tree.root().is_solved();
        let value = counts.then(|| value_of(numbers.mean(true, 0.0), tree.value_range()));
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
        (self.numbers.len() + children) * size_of::<Visits>()
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
                true => Visits { prior: kept.prior, ..Visits::default() },
                false => self.of_family(tree, id),
            };
            let priors = node.children().map(|child| self.numbers[child as usize].prior);
            if kept != fresh || !node.is_leaf() && (priors.sum::<f64>() - 1.0).abs() > 1e-9 {
                return Err(format!("node {id}: {kept:?} instead of {fresh:?}"));
            }
        }
        Ok(())
    }
}
