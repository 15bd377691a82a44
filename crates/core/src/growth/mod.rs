//! Growth rules: which leaf next. One paper per file; this file has the trait and the only list.

mod best_first;
pub(crate) mod bounds;
mod conspiracy;
mod contest;
pub(crate) mod functions;
pub(crate) mod goal;
mod least_certainty;
mod minmax_approximation;
mod penalties;
mod pool;
pub(crate) mod proof_number;
mod puct;
pub mod robustness;
mod sequence;
mod sequences;
mod sibling_conspiracy;
pub(crate) mod staircase;
mod staircases;
mod successor;
mod swings;
mod triples;
mod uct;

pub use best_first::BestFirst;
pub use conspiracy::Conspiracy;
pub use least_certainty::LeastCertainty;
pub use minmax_approximation::MinmaxApproximation;
pub use proof_number::ProofNumber;
pub use puct::Puct;
pub use sibling_conspiracy::SiblingConspiracy;
pub use uct::Uct;

use crate::error::{damaged, Error};
use crate::params::{Info, Params};
use crate::search::{Leaves, Status};
use crate::tree::{NodeId, Path, Tree};

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

/// A rule for growing a tree: it chooses leaves and keeps its own numbers per node.
///
/// The loop in [`crate::search::Growth`] calls, for every expansion: `choose`, then `initialise` for the
/// new children, then `back_up`, which by default calls `update` for the nodes of the path from the
/// expanded leaf up to the root and stops at the first one where nothing changed.
///
/// A rule reads the tree and never changes it. The tree is lent mutably only so that an adapter can
/// pass it on to foreign code without a copy; everything that changes a tree is private to this crate.
pub trait GrowthRule: Send {
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

    /// Keeps numbers without a limit, unless the user has set one: for a tree that is given as a whole.
    fn keep_all(&mut self) {}

    /// Writes what a rule's own `back_up` has put off: called before anybody looks at the tree.
    fn settle(&mut self, tree: &mut Tree, path: &Path) {
        let _ = (tree, path);
    }

    /// The rule's numbers of a node, by the paper's names.
    fn numbers(&self, tree: &Tree, path: &[NodeId]) -> Vec<(&'static str, Number)>;

    /// The move to play at an inner node, as a place among its children, if the rule has a reason to choose
    /// another than the leftmost of the best value. At the root it is the search's answer, below it the line's.
    fn answer(&self, tree: &Tree, node: NodeId) -> Option<u32> {
        let _ = (tree, node);
        None
    }

    /// The root's value, if it is another to the rule than the minimax value of the leaves.
    fn value(&self, tree: &Tree) -> Option<f64> {
        let _ = tree;
        None
    }

    /// For a rule that asks whether Max gets a goal: the answer at a node, once it is known.
    fn won(&self, tree: &Tree, node: NodeId) -> Option<bool> {
        let _ = (tree, node);
        None
    }

    /// Whether the rule looks at the relative errors of moves: [`Tree::error`].
    fn uses_errors(&self) -> bool {
        false
    }

    /// Whether the rule looks at static values, in a game that scores its moves or not. If it does not, nobody
    /// computes any.
    fn uses_values(&self, scores: bool) -> bool {
        let _ = scores;
        true
    }

    /// The width of McAllester's bounds for open leaves, if the rule assumes any.
    fn leaf_delta(&self) -> Option<f64> {
        None
    }

    /// Whether new leaves are looked at one move further: [`crate::Game::foresee`].
    fn foresees(&self) -> bool {
        false
    }

    /// What the values of new leaves are.
    fn leaves(&self) -> Leaves {
        Leaves::Static
    }

    /// Whether the search pays a call of `play` for every step down to the leaf that it expands, as a program
    /// does that keeps no positions.
    fn walks_down(&self) -> bool {
        false
    }

    /// How many nodes the rule has looked at so far beyond the families on the way down and up, for budgets of
    /// artificial time.
    fn traversals(&self) -> u64 {
        0
    }

    /// Whether positions that are reached by different orders of moves are to share their subtrees. Then the
    /// loop backs up along all parents, by `update` alone.
    fn shares_positions(&self) -> bool {
        false
    }

    /// Makes room for the numbers of this many more nodes, if the machine has it.
    fn reserve(&mut self, nodes: usize) {
        let _ = nodes;
    }

    /// Bytes in use for the rule's numbers.
    fn bytes(&self) -> usize {
        0
    }

    /// The most that an expansion at the end of a path of this many nodes can add to that.
    fn bytes_for(&self, path: usize, children: usize) -> usize {
        let _ = (path, children);
        0
    }

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

    /// Whether growth goes on from the end of this path, where it was left, and not just may.
    fn keeps_path(&self, path: &Path) -> bool {
        let _ = path;
        false
    }

    /// Recomputes the rule's numbers from the leaves and compares; the text names the first difference.
    fn check(&self, tree: &Tree) -> Result<(), String> {
        let _ = tree;
        Ok(())
    }
}

impl GrowthRule for Box<dyn GrowthRule> {
    fn choose(&mut self, tree: &mut Tree, path: &mut Path) -> Result<Option<Status>, Error> {
        (**self).choose(tree, path)
    }
    fn initialise(&mut self, tree: &mut Tree, node: Option<NodeId>) -> Result<(), Error> {
        (**self).initialise(tree, node)
    }
    fn update(&mut self, tree: &mut Tree, node: NodeId) -> Result<bool, Error> {
        (**self).update(tree, node)
    }
    fn mirror(&mut self, tree: &mut Tree, same: NodeId, node: NodeId) -> Result<(), Error> {
        (**self).mirror(tree, same, node)
    }
    fn back_up(&mut self, tree: &mut Tree, path: &mut Path) -> Result<(), Error> {
        (**self).back_up(tree, path)
    }
    fn keep_all(&mut self) {
        (**self).keep_all();
    }
    fn settle(&mut self, tree: &mut Tree, path: &Path) {
        (**self).settle(tree, path);
    }
    fn numbers(&self, tree: &Tree, path: &[NodeId]) -> Vec<(&'static str, Number)> {
        (**self).numbers(tree, path)
    }
    fn answer(&self, tree: &Tree, node: NodeId) -> Option<u32> {
        (**self).answer(tree, node)
    }
    fn value(&self, tree: &Tree) -> Option<f64> {
        (**self).value(tree)
    }
    fn won(&self, tree: &Tree, node: NodeId) -> Option<bool> {
        (**self).won(tree, node)
    }
    fn uses_errors(&self) -> bool {
        (**self).uses_errors()
    }
    fn uses_values(&self, scores: bool) -> bool {
        (**self).uses_values(scores)
    }
    fn leaf_delta(&self) -> Option<f64> {
        (**self).leaf_delta()
    }
    fn foresees(&self) -> bool {
        (**self).foresees()
    }
    fn leaves(&self) -> Leaves {
        (**self).leaves()
    }
    fn walks_down(&self) -> bool {
        (**self).walks_down()
    }
    fn traversals(&self) -> u64 {
        (**self).traversals()
    }
    fn shares_positions(&self) -> bool {
        (**self).shares_positions()
    }
    fn reserve(&mut self, nodes: usize) {
        (**self).reserve(nodes);
    }
    fn bytes(&self) -> usize {
        (**self).bytes()
    }
    fn bytes_for(&self, path: usize, children: usize) -> usize {
        (**self).bytes_for(path, children)
    }
    fn memory(&self, tree: &Tree) -> Vec<u64> {
        (**self).memory(tree)
    }
    fn remember(&mut self, memory: &[u64]) -> Result<(), Error> {
        (**self).remember(memory)
    }
    fn keeps_path(&self, path: &Path) -> bool {
        (**self).keeps_path(path)
    }
    fn check(&self, tree: &Tree) -> Result<(), String> {
        (**self).check(tree)
    }
}

/// Something that can be done with a rule of any type, once its name has been read.
pub trait WithRule {
    /// What it gives.
    type Output;
    /// Does it.
    fn with<R: GrowthRule + 'static>(self, rule: R) -> Self::Output;
}

/// The list of rules: `name => type`. A rule has `INFO` (its entry in the tables) and `new(&Params)`.
macro_rules! rules {
    ($($rule:ty),* $(,)?) => {
        /// What is known of every rule, in the order of the docs' tables.
        pub const RULES: &[Info] = &[$(<$rule>::INFO),*];

        /// Makes the rule that `name` names and hands it to `action`; `None` if there is none.
        pub fn with_rule<A: WithRule>(
            name: &str,
            params: &Params,
            action: A,
        ) -> Result<Option<A::Output>, Error> {
            $(if name == <$rule>::INFO.name {
                return Ok(Some(action.with(<$rule>::new(params)?)));
            })*
            Ok(None)
        }
    };
}

rules![
    BestFirst,
    Conspiracy<false>,
    Conspiracy<true>,
    MinmaxApproximation,
    LeastCertainty,
    SiblingConspiracy,
    ProofNumber,
    Uct,
    Puct,
];
