//! Least-certainty search: P. E. Utgoff and R. P. Cochran, "A least-certainty heuristic for selective search"
//! (2001).
//!
//! How little would have to be wrong for another move to be best? The first child of the root would have to fall to
//! the second's value, or another rise to the first's. The swing of a node is the least total change of the values of
//! leaves below it that reaches such a goal:
//!
//! ```text
//!   leaf                       its distance from the goal; 0 if the goal is met
//!   one child is enough        the least swing of the children       (swing below)
//!   all children must change   the sum of the swings of the children (swing above)
//! ```
//!
//! The search follows the least swing to a leaf: where the decision is least certain. Values are from Max's side
//! here, so that the goal of a whole subtree is one number and one direction.

use super::swings::{Goal, Swing, Swings};
use super::{GrowthRule, Number};
use crate::error::Error;
use crate::games::random_tree::{splitmix64, GOLDEN_RATIO};
use crate::params::{Info, Kind, Param, Params};
use crate::search::{Leaves, Status};
use crate::tree::{Node, NodeId, Path, Tree};

/// What having the move is worth in the best variant, as a part of what a move gains on average: an unexpanded leaf
/// otherwise looks a move too good for the player who made the last one.
const TEMPO: f64 = 0.35;

/// The rule `least-certainty`.
#[derive(Clone, Debug)]
pub struct LeastCertainty {
    threshold: Option<f64>,
    random: bool,
    /// The state of the random numbers after the last expansion, and after the choice that follows it.
    state: [u64; 2],
    published: bool,
    /// Whether it is the first child's turn, in the best variant.
    first_next: bool,
    contest: Contest,
    /// How many goals there have been.
    goals: u32,
    swings: Swings,
    /// Nodes that the plain form would have looked at to give all of them new swings.
    updated: u64,
    tied: Vec<NodeId>,
}

/// The root's first and second child, and what must happen for them to change places.
#[derive(Clone, Copy, Debug)]
struct Contest {
    first: NodeId,
    /// The first must fall to the second's value.
    fall: Goal,
    /// The others must rise to the first's value.
    rise: Goal,
}

impl Contest {
    /// The goal of a child of the root and of all nodes below it.
    #[inline]
    fn goal(&self, child: NodeId) -> &Goal {
        if child == self.first {
            &self.fall
        } else {
            &self.rise
        }
    }
}

impl LeastCertainty {
    /// The rule's entry in the tables.
    pub const INFO: Info = Info {
        name: "least-certainty",
        paper: "Utgoff and Cochran 2001",
        summary: "expands where the least change of values would make another move best",
        params: &[
            Param {
                name: "ties",
                default: Kind::Choice(&["random", "leftmost"]),
                meaning: "which of several children of the least swing: any, by the seed, or the leftmost",
            },
            Param { name: "seed", default: Kind::Int(0, 0), meaning: "for random ties" },
            Param {
                name: "swing_threshold",
                default: Kind::MaybeReal(0.0),
                meaning: "stop, decided, once the least swing is greater; nothing: never",
            },
            Param {
                name: "variant",
                default: Kind::Choice(&["best", "published"]),
                meaning: "what is strongest at equal time, or the paper's own form",
            },
        ],
    };

    /// The rule with these parameters, which have been checked against [`LeastCertainty::INFO`].
    pub fn new(params: &Params) -> Result<LeastCertainty, Error> {
        let nobody = Goal { value: 0.0, up: true, stamp: 0 };
        Ok(LeastCertainty {
            threshold: params.maybe_real("swing_threshold"),
            random: params.text("ties") == "random",
            state: [params.int("seed").unwrap_or(0) as u64; 2],
            published: params.text("variant") == "published",
            first_next: true,
            contest: Contest { first: NodeId::MAX, fall: nobody, rise: nobody },
            goals: 0,
            swings: Swings::default(),
            updated: 0,
            tied: Vec::new(),
        })
    }

    /// Looks who is first and second, and sets new goals if that or their values have changed.
    fn look_at_root(&mut self, tree: &Tree) {
        let root = tree.root();
        let max = root.max_to_move();
        let worst = if max { f64::NEG_INFINITY } else { f64::INFINITY };
        let better = |a: f64, b: f64| if max { a > b } else { a < b };
        let (mut first, mut g1, mut g2) = (root.children().start, worst, worst);
        for (id, child) in root.children().zip(tree.children(root)) {
            if better(child.value, g1) || id == root.children().start {
                (first, g2, g1) = (id, g1, child.value);
            } else if better(child.value, g2) {
                g2 = child.value;
            }
        }
        let Contest { first: before, fall, rise } = &mut self.contest;
        let same = std::mem::replace(before, first) == first;
        let mut changed = false;
        for (goal, value, up) in [(fall, g2, !max), (rise, g1, max)] {
            if !same || goal.value != value {
                self.goals += 1;
                *goal = Goal { value, up, stamp: self.goals };
                changed = true;
            }
        }
        if changed {
            self.updated += tree.len() as u64 - 1;
        }
    }

    /// The child of least swing, or one of them: at the root a swing of zero is allowed, below it means that there
    /// is nothing to achieve. None if no child has a finite swing.
    fn least(
        &mut self,
        tree: &Tree,
        id: NodeId,
        goal: Option<Goal>,
        among: Among,
    ) -> Option<(NodeId, f64)> {
        let children = tree.node(id).children();
        let contest = self.contest;
        let goal = |child: NodeId| goal.unwrap_or_else(|| *contest.goal(child));
        let least = loop {
            let (mut best, mut second) = (Swing::NONE, f64::INFINITY);
            let mut chosen = None;
            for child in children.clone().filter(|&child| among.includes(&contest, child)) {
                let swing = self.swings.known(tree, child, &goal(child));
                let open = if among == Among::Below {
                    swing.least > 0.0
                } else {
                    !tree.node(child).is_solved()
                };
                if open && swing.key() < best.key() {
                    second = best.key();
                    (best, chosen) = (swing, Some(child));
                } else if open && swing.key() < second {
                    second = swing.key();
                }
            }
            let child = chosen?;
            if best.exact {
                break best.least;
            }
            self.swings.find(tree, child, &goal(child), second.max(best.least));
        };
        let mut tied = std::mem::take(&mut self.tied);
        tied.clear();
        for child in children.filter(|&child| among.includes(&contest, child)) {
            let goal = goal(child);
            if self.swings.known(tree, child, &goal).may_be(least) {
                let swing = self.swings.find(tree, child, &goal, least);
                let open = among == Among::Below || !tree.node(child).is_solved();
                if open && swing.exact && swing.least == least {
                    tied.push(child);
                }
            }
        }
        let chosen = self.pick(&tied);
        self.tied = tied;
        Some((chosen, least))
    }

    /// The root's child to go to, and the least swing.
    fn at_root(&mut self, tree: &Tree) -> Option<(NodeId, f64)> {
        if self.published {
            return self.least(tree, Tree::ROOT, None, Among::Root);
        }
        let turn = if self.first_next { Among::First } else { Among::Others };
        let chosen = self.least(tree, Tree::ROOT, None, turn);
        chosen.or_else(|| self.least(tree, Tree::ROOT, None, Among::Root))
    }

    /// One of the children that tie.
    fn pick(&mut self, tied: &[NodeId]) -> NodeId {
        if tied.len() == 1 || !self.random {
            return tied[0];
        }
        let state = &mut self.state[1];
        let random = splitmix64(*state);
        *state = state.wrapping_add(GOLDEN_RATIO);
        tied[(random % tied.len() as u64) as usize]
    }

    /// The leftmost child whose value can still change, preferably one that has met the goal.
    fn idle(&self, tree: &Tree, id: NodeId, goal: &Goal) -> Result<NodeId, Error> {
        let node = tree.node(id);
        let open = || node.children().filter(|&child| !tree.node(child).is_solved());
        let met = |child: &NodeId| goal.distance(tree.node(*child).value) == 0.0;
        let child = open().find(met).or_else(|| open().next());
        child.ok_or_else(|| Error::Game(format!("node {id} is open, but none of its children is")))
    }

    /// Every node's swing by the definition, from the leaves up.
    fn plain(&self, tree: &Tree, goal: &Goal) -> Vec<f64> {
        let leaf = |node: &Node| match goal.distance(node.value) {
            unmet if unmet > 0.0 && node.is_terminal() => f64::INFINITY,
            distance => distance,
        };
        let mut swings: Vec<f64> = tree.nodes().iter().map(leaf).collect();
        for id in tree.bottom_up() {
            let node = tree.node(id);
            let below = node.children().map(|child| swings[child as usize]);
            swings[id as usize] = if goal.one_is_enough(node) {
                below.fold(f64::INFINITY, f64::min)
            } else {
                below.sum()
            };
        }
        swings
    }
}

/// Which children are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Among {
    /// All of the root's.
    Root,
    /// The root's first.
    First,
    /// All of the root's but the first.
    Others,
    /// Those of a node below the root that have something to achieve.
    Below,
}

impl Among {
    fn includes(self, contest: &Contest, child: NodeId) -> bool {
        match self {
            Among::Root | Among::Below => true,
            Among::First => child == contest.first,
            Among::Others => child != contest.first,
        }
    }
}

impl GrowthRule for LeastCertainty {
    fn choose(&mut self, tree: &mut Tree, path: &mut Path) -> Result<Option<Status>, Error> {
        let root = tree.root();
        if root.is_solved() {
            return Ok(Some(Status::Proven));
        }
        match root.children().len() {
            0 => return Ok(None),
            1 => return Ok(Some(Status::Decided)),
            _ => self.look_at_root(tree),
        }
        self.state[1] = self.state[0]; // the last choice may not have been expanded
        let Some((mut id, least)) = self.at_root(tree) else { return Ok(Some(Status::Decided)) };
        if self.threshold.is_some_and(|threshold| least > threshold) {
            return Ok(Some(Status::Decided));
        }
        let goal = *self.contest.goal(id);
        path.truncate(1);
        path.push(id);
        while !tree.node(id).is_leaf() {
            id = match self.least(tree, id, Some(goal), Among::Below) {
                Some((child, _)) => child,
                // only below a child of the root whose goal is met: any will do that can still change
                None => self.idle(tree, id, &goal)?,
            };
            path.push(id);
        }
        Ok(None)
    }

    fn initialise(&mut self, tree: &mut Tree, _: Option<NodeId>) -> Result<(), Error> {
        self.swings.grow(tree.len());
        Ok(())
    }

    fn update(&mut self, tree: &mut Tree, node: NodeId) -> Result<bool, Error> {
        self.swings.forget(node);
        if node == Tree::ROOT {
            self.look_at_root(tree);
        }
        Ok(true)
    }

    fn back_up(&mut self, tree: &mut Tree, path: &mut Path) -> Result<(), Error> {
        let mut value = true;
        for &id in path.iter().rev() {
            value = value && tree.back_up(id);
            self.swings.forget(id);
        }
        self.state[0] = self.state[1];
        self.first_next = !self.first_next;
        Ok(())
    }

    fn settle(&mut self, tree: &mut Tree, _: &Path) {
        if !tree.root().is_leaf() {
            self.look_at_root(tree);
        }
    }

    fn leaves(&self) -> Leaves {
        if self.published {
            Leaves::Static
        } else {
            Leaves::Tempo(TEMPO)
        }
    }

    fn traversals(&self) -> u64 {
        if self.published {
            self.updated
        } else {
            self.swings.looked()
        }
    }

    /// `lookahead` is the value for the player who moved to the node; `swing` as in the paper.
    fn numbers(&self, tree: &Tree, path: &[NodeId]) -> Vec<(&'static str, Number)> {
        let [.., parent, id] = *path else { return Vec::new() };
        let lookahead = tree.node(id).value_for(tree.node(parent).max_to_move());
        let swing = self.plain(tree, self.contest.goal(path[1]))[id as usize];
        vec![("lookahead", Number::Real(lookahead)), ("swing", Number::Real(swing))]
    }

    fn bytes(&self) -> usize {
        self.swings.len() * Swings::BYTES
    }

    fn bytes_for(&self, _: usize, children: usize) -> usize {
        children * Swings::BYTES
    }

    fn check(&self, tree: &Tree) -> Result<(), String> {
        for child in tree.root().children() {
            let goal = self.contest.goal(child);
            let plain = self.plain(tree, goal);
            for id in tree.inner_below(child) {
                let (swing, plain) = (self.swings.known(tree, id, goal), plain[id as usize]);
                if swing.exact && swing.least != plain || !swing.may_be(plain) {
                    return Err(format!("node {id}: swing {swing:?} instead of {plain}"));
                }
            }
        }
        Ok(())
    }
}
