//! Searches: the growing loop, the depth-first searches beside it, and the only list of both.

mod alpha_beta;
mod any;
mod budget;
mod depth_first;
mod end_game;
mod grow;
mod leaves;
mod report;
mod sharing;
mod table;
mod trace;

pub use alpha_beta::AlphaBeta;
pub use any::{tree_from_data, tree_with_rule, AnyPosition, Located};
pub use budget::{Budget, Control, Costs, Counts, Limit, Unattended};
pub use depth_first::TABLE_BYTES;
pub(crate) use depth_first::{Numbers, Solver};
pub use end_game::EndGame;
pub use grow::Growth;
pub use leaves::Leaves;
pub use report::{Iteration, Report};
pub use trace::Trace;

use crate::error::{unknown, Error};
use crate::growth::{Number, RULES};
use crate::params::Info;
use crate::tree::{NodeId, Tree};

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

/// A search that can be run, asked, and run on.
pub trait Search: Send {
    /// Works until the budget, which counts from now, is spent or the goal is reached.
    fn run(&mut self, budget: &Budget, control: &mut dyn Control) -> Result<(), Error>;

    /// The best answer so far.
    fn report(&self) -> Report;

    /// The moves that keep what has been proven, after a line of such moves from the root: for the side that wins
    /// the quickest first, for the other the most stubborn. None if nothing is proven there, the line is no such
    /// line, or the budget is too small to find them again.
    fn replies(
        &mut self,
        line: &[u32],
        budget: &Budget,
        control: &mut dyn Control,
    ) -> Result<Vec<u32>, Error> {
        let _ = (line, budget, control);
        Ok(Vec::new())
    }

    /// The tree, if the search keeps one.
    fn tree(&self) -> Option<&Tree> {
        None
    }

    /// The rule's own numbers of the node at the end of `path`.
    fn numbers(&self, path: &[NodeId]) -> Vec<(&'static str, Number)> {
        let _ = path;
        Vec::new()
    }

    /// The width of the bounds that the rule assumes for open leaves, for [`crate::growth::robustness`].
    fn leaf_delta(&self) -> Option<f64> {
        None
    }

    /// The key of a node's position, if the search tells equal positions apart from different ones.
    fn key(&self, id: NodeId) -> Option<u64> {
        let _ = id;
        None
    }

    /// The expansions so far, if they were recorded.
    fn trace(&self) -> Option<&Trace> {
        None
    }

    /// Recomputes everything from the leaves and compares; the text names the first difference.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }
}

/// Every search by name: growth rules first, then the depth-first searches.
pub fn searches() -> impl Iterator<Item = &'static Info> {
    use crate::games::UniformTree;
    RULES.iter().chain([
        &Solver::<UniformTree, Numbers>::INFO,
        &AlphaBeta::<UniformTree>::INFO,
        &EndGame::<UniformTree>::INFO,
    ])
}

/// The search with this name.
pub fn find(name: &str) -> Result<&'static Info, Error> {
    searches()
        .find(|info| info.name == name)
        .ok_or_else(|| unknown("search", name, searches().map(|info| info.name)))
}
