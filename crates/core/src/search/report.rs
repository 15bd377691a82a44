//! What a search answers.

use super::{Counts, Limit};
use crate::growth::Status;

/// One completed iteration of an iteratively deepened search.
#[derive(Clone, Debug, PartialEq)]
pub struct Iteration {
    /// Its depth in plies.
    pub depth: u32,
    /// The chosen move's place among the root's moves.
    pub best: u32,
    /// The root's value.
    pub value: f64,
    /// Calls of `play` in this iteration alone.
    pub move_calls: u64,
}

/// How far a proof has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// How many leaves must be won, at the least, to prove that Max gets the goal; and to disprove it.
    pub proof: u32,
    /// The same for the other answer.
    pub disproof: u32,
    /// How many of the root's moves are settled.
    pub settled: u32,
    /// Of how many that count.
    pub moves: u32,
}

/// The best answer so far. Moves are places among siblings in the game's order.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Why the last run ended.
    pub status: Status,
    /// Which limit ended it, if one did.
    pub limit: Option<Limit>,
    /// The chosen move.
    pub best: u32,
    /// The root's minimax value, from Max's side.
    pub value: f64,
    /// For a search that asks whether Max gets the goal: the answer, once it is known.
    pub won: Option<bool>,
    /// The principal variation; it begins with `best`.
    pub line: Vec<u32>,
    /// What was spent.
    pub counts: Counts,
    /// Memory in use per node of the tree, positions and rule's numbers included.
    pub bytes_per_node: Option<f64>,
    /// Completed iterations, for searches that deepen.
    pub iterations: Vec<Iteration>,
}
