//! Growth rules: which leaf next. One paper per file; this file has the trait.

mod b_star;
mod best_first;
mod conspiracy;
mod doubts;
mod gumbel;
mod least_certainty;
mod minmax_approximation;
mod pn_mcts;
mod prior_penalty;
mod product_propagation;
mod proof_number;
mod puct;
mod relevance;
mod sibling_conspiracy;
mod uct;
mod unbounded_minimax;

pub use b_star::BStar;
pub use best_first::BestFirst;
pub use conspiracy::Conspiracy;
pub use doubts::{doubts, Doubt};
pub use least_certainty::LeastCertainty;
pub use minmax_approximation::MinmaxApproximation;
pub use pn_mcts::PnMcts;
pub use prior_penalty::PriorPenalty;
pub use product_propagation::ProductPropagation;
pub use proof_number::ProofNumber;
pub use puct::Puct;
pub use relevance::Relevance;
pub use sibling_conspiracy::SiblingConspiracy;
pub use uct::Uct;
pub use unbounded_minimax::UnboundedMinimax;

use crate::error::{damaged, Error};
use crate::expander::Needs;
use crate::numbers::distributions::Certainty;
use crate::spare::Room;
use crate::tree::{NodeId, Path, Tree};

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The root's value can no longer change.
    Proven,
    /// The rule's own goal is reached, or it has nothing left to expand.
    Converged,
    /// The move can no longer change, by the rule's measure.
    Decided,
    /// The budget is spent.
    Budget,
    /// Somebody asked to stop.
    Interrupted,
}

impl Status {
    /// The public name.
    pub fn name(self) -> &'static str {
        match self {
            Status::Proven => "proven",
            Status::Converged => "converged",
            Status::Decided => "decided",
            Status::Budget => "budget",
            Status::Interrupted => "interrupted",
        }
    }
}

/// One of a rule's own numbers, for people and for tests.
#[derive(Clone, Debug, PartialEq)]
pub enum Number {
    /// A real number, infinities included.
    Real(f64),
    /// A list of numbers, such as a bounds sequence.
    List(Vec<f64>),
    /// The steps (x, h) of a step function.
    Steps(Vec<(f64, f64)>),
    /// Something that is no number.
    Word(&'static str),
    /// There is none.
    Nothing,
}

/// What a rule needs, read once when a search begins.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RuleNeeds {
    /// What it wants to know of new leaves.
    pub leaves: Needs,
    /// Whether positions that are reached by different orders of moves are to share their subtrees. Then the
    /// loop backs up along all parents, by `update` alone.
    pub shares_positions: bool,
    /// Whether the search pays a call of `play` for every step down to the leaf that it expands, as a program
    /// does that keeps no positions.
    pub walks_down: bool,
    /// Whether growth goes on from the end of the path where it was left, and not just may.
    pub keeps_path: bool,
    /// Bytes that it keeps for every node of a path.
    pub bytes_per_ply: usize,
    /// Whether it cannot do without an error model of the evaluator: see [`GrowthRule::inform`].
    pub certainty: bool,
    /// The width of McAllester's bounds for open leaves, if the rule assumes any.
    pub leaf_delta: Option<f64>,
}

/// What a rule says of a node beyond the tree's own values.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Verdict {
    /// The move to play at an inner node, as a place among its children, if the rule has a reason to choose
    /// another than the leftmost of the best value. At the root it is the search's answer, below it the line's.
    pub answer: Option<u32>,
    /// Of the root: its value, if it is another to the rule than the minimax value of the leaves.
    pub value: Option<f64>,
    /// For a rule that asks whether Max gets a goal: the answer, once it is known.
    pub won: Option<bool>,
}

impl Verdict {
    /// This move, and nothing else.
    pub fn answer(answer: Option<u32>) -> Verdict {
        Verdict { answer, ..Verdict::default() }
    }
}

/// A rule for growing a tree: it chooses leaves and keeps its own numbers per node.
///
/// The loop in [`crate::search::Growth`] calls, for every expansion: `choose`, then `initialise` for the
/// new children, then `back_up`, which by default calls `update` for the nodes of the path from the
/// expanded leaf up to the root and stops at the first one where nothing changed.
///
/// A rule reads the tree and never changes it. The tree is lent mutably only so that an adapter can
/// pass it on to foreign code without a copy; everything that changes a tree is private to this crate.
pub trait GrowthRule: Send {
    /// What the rule needs.
    fn needs(&self) -> RuleNeeds {
        RuleNeeds::default()
    }

    /// Brings the error model of the evaluator, if there is one, before anything else.
    fn inform(&mut self, certainty: &Certainty) {
        let _ = certainty;
    }

    /// The distributions of the root's moves, and how they were made, where the rule keeps distributions itself.
    fn root_family(&self, tree: &Tree) -> Option<(&Certainty, Vec<f64>)> {
        let _ = tree;
        None
    }

    /// Extends `path` down to the leaf to expand next, or says why there is none.
    ///
    /// `path` begins with the root. When the last update stopped early, it still holds the nodes down to
    /// the one where it stopped: nothing above has changed since, so a rule whose choice at a node
    /// depends on the children's numbers alone may go on from there instead of from the root.
    fn choose(&mut self, tree: &mut Tree, path: &mut Path) -> Result<Option<Status>, Error>;

    /// Gives the children of `node`, all leaves, their numbers. Called for the root too, with
    /// `node == None`.
    fn initialise(&mut self, tree: &mut Tree, node: Option<NodeId>) -> Result<(), Error>;

    /// Recomputes the numbers of an inner node from its children's; tells whether any changed.
    fn update(&mut self, tree: &mut Tree, node: NodeId) -> Result<bool, Error>;

    /// Gives an inner node the numbers of another that has the same children.
    fn mirror(&mut self, tree: &mut Tree, same: NodeId, node: NodeId) -> Result<(), Error> {
        let _ = same;
        self.update(tree, node).map(drop)
    }

    /// Carries an expansion's change up the path, whose last node was just expanded, and shortens the
    /// path to the part that [`GrowthRule::choose`] may go on from.
    ///
    /// A rule overrides it where it can do better than look at every node's whole family.
    #[inline]
    fn back_up(&mut self, tree: &mut Tree, path: &mut Path) -> Result<(), Error> {
        let mut value = true;
        while let Some(&id) = path.last() {
            value = value && tree.back_up(id);
            let numbers = self.update(tree, id)?;
            if !(value | numbers) || path.len() == 1 {
                break;
            }
            path.pop();
        }
        Ok(())
    }

    /// Writes what a rule's own `back_up` has put off: called before anybody looks at the tree.
    fn settle(&mut self, tree: &mut Tree, path: &Path) {
        let _ = (tree, path);
    }

    /// Gives a leaf its numbers again: it is held now, because its expansion is under way, or no longer: see
    /// [`crate::tree::Node::is_held`]. What "held" means for its numbers is the rule's to say: a leaf that cannot change, unless
    /// it says more.
    fn renew(&mut self, tree: &mut Tree, leaf: NodeId) -> Result<(), Error> {
        let _ = (tree, leaf);
        Ok(())
    }

    /// Forgets what it knows of the path: the next choice begins at the root, and anything may have changed.
    fn restart(&mut self) {}

    /// One of several leaves that were chosen together has been expanded, at the end of this path: for rules that count.
    fn expanded(&mut self, tree: &Tree, path: &[NodeId]) {
        let _ = (tree, path);
    }

    /// Whether the rule can choose several leaves before any is expanded; else how to make it so.
    fn can_hold(&self) -> Result<(), Error> {
        Ok(())
    }

    /// What the rule says of a node beyond the tree's own values.
    fn verdict(&self, tree: &Tree, node: NodeId) -> Verdict {
        let _ = (tree, node);
        Verdict::default()
    }

    /// The rule's numbers of the node at the end of a path, by the paper's names.
    fn numbers(&self, tree: &Tree, path: &[NodeId]) -> Vec<(&'static str, Number)>;

    /// How many nodes the rule has looked at so far beyond the families on the way down and up, for budgets of
    /// artificial time.
    fn traversals(&self) -> u64 {
        0
    }

    /// Bytes in use for the rule's numbers, after one more expansion at the end of a path of so many nodes that gives so
    /// many children: at the most. Nothing more: as it is.
    fn bytes(&self, path: usize, children: usize) -> usize {
        let _ = (path, children);
        0
    }

    /// Makes sure that there is memory for the numbers of this many more nodes.
    fn reserve(&mut self, nodes: usize) -> Room {
        let _ = nodes;
        Ok(())
    }

    /// Keeps numbers without a limit, unless the user has set one: for a tree that is given as a whole.
    fn keep_all(&mut self) {}

    /// What the rule remembers besides its numbers and its parameters, as far as growth depends on it.
    fn memory(&self, tree: &Tree) -> Vec<u64> {
        let _ = tree;
        Vec::new()
    }

    /// Takes up what [`GrowthRule::memory`] gave, before there are any numbers. Nothing to remember: begins
    /// afresh.
    fn remember(&mut self, memory: &[u64]) -> Result<(), Error> {
        match memory {
            [] => Ok(()),
            _ => Err(damaged("it is another rule's")),
        }
    }

    /// Recomputes the rule's numbers from the leaves and compares; the text names the first difference.
    fn check(&self, tree: &Tree) -> Result<(), String> {
        let _ = tree;
        Ok(())
    }
}
