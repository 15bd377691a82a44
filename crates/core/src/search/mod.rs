//! Room three, the search: which leaf next. The growing loop, and the depth-first searches beside it.

pub(crate) mod alpha_beta;
mod batch;
mod budget;
mod claim;
pub(crate) mod depth_first;
pub(crate) mod end_game;
mod first_nodes;
mod grow;
mod report;
mod restore;
mod room;
mod saved;
mod sharing;
mod sure;
mod table;
mod trace;

pub use alpha_beta::AlphaBeta;
pub use budget::{Budget, Control, Costs, Counts, Limit, Unattended};
pub use claim::Claim;
pub use depth_first::TABLE_BYTES;
pub use end_game::EndGame;
pub use grow::Growth;
pub use report::{Iteration, Report, Standing};
pub use saved::Saved;
pub use trace::Trace;

use crate::error::Error;
use crate::growth::Number;
use crate::numbers::distributions::Certainty;
use crate::tree::{NodeId, Tree};

/// A search that can be run, asked, and run on.
pub trait Search: Send {
    /// Works until the budget, which counts from now, is spent or the goal is reached.
    fn run(&mut self, budget: &Budget, control: &mut dyn Control) -> Result<(), Error>;

    /// The best answer so far.
    fn report(&self) -> Report;

    /// The moves that keep what has been proven, after a line of such moves from the root: for the side that wins
    /// the quickest first, for the other the most stubborn. None if nothing is proven there, the line is no such
    /// line, or the budget is too small to find them again. All moves are places among the legal ones.
    fn replies(
        &mut self,
        line: &[u32],
        budget: &Budget,
        control: &mut dyn Control,
    ) -> Result<Vec<u32>, Error> {
        let _ = (line, budget, control);
        Ok(Vec::new())
    }

    /// The place of a move that keeps a claim which this search has proven, for the side that it favours, after any line
    /// of moves by which that side has kept it. None if there is none, or the budget is too small to find it again.
    fn keeps(
        &mut self,
        line: &[u32],
        claim: Claim,
        budget: &Budget,
        control: &mut dyn Control,
    ) -> Result<Option<u32>, Error> {
        let _ = claim; // it is the question that was asked
        Ok(self.replies(line, budget, control)?.first().copied())
    }

    /// All facts in its table, as bytes that [`Search::learn`] takes; none if it has no table, or nothing in it.
    fn facts(&self) -> Vec<u8> {
        Vec::new()
    }

    /// Puts facts about the same question into its table, before the first run.
    fn learn(&mut self, facts: &[u8]) -> Result<(), Error> {
        let _ = facts;
        Err(Error::Argument("this search has no table that could be filled: use df-pn".into()))
    }

    /// How far a proof has come.
    fn standing(&self) -> Option<Standing> {
        None
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

    /// The width of the bounds that the rule assumes for open leaves, for [`crate::numbers::robustness`].
    fn leaf_delta(&self) -> Option<f64> {
        None
    }

    /// From now on so many leaves are under way at the same time, or as many as the threads need, and so many threads expand
    /// them.
    fn arrange(&mut self, batch: Option<usize>, threads: usize) -> Result<(), Error> {
        let _ = (batch, threads);
        Ok(())
    }

    /// Tells the search how far its leaves' values can be trusted.
    fn inform(&mut self, certainty: Certainty) {
        let _ = certainty;
    }

    /// What [`Search::inform`] was told.
    fn certainty(&self) -> Option<&Certainty> {
        None
    }

    /// For each move at the root the probability that it is a best one, if the search has a tree and an error model.
    fn probabilities(&self) -> Option<Vec<f64>> {
        None
    }

    /// The most that any further search can gain, in parts of the range of outcomes, if the search has a tree and an
    /// error model.
    fn gain(&self) -> Option<f64> {
        None
    }

    /// How new leaves are valued, by a word: error models are made for one way.
    fn leaves(&self) -> Option<&'static str> {
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

    /// What is needed to make the tree again, if the search keeps one.
    fn saved(&self) -> Option<Saved> {
        None
    }

    /// The same for the tree below the legal move at this place.
    fn saved_below(&self, place: u32) -> Option<Saved> {
        let _ = place;
        None
    }

    /// Recomputes everything from the leaves and compares; the text names the first difference.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }
}
