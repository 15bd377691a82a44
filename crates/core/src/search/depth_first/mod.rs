//! Depth-first proof search with a table: memory that does not grow with the search.
//!
//! A. Nagai's df-pn (2002) searches like proof-number search but stays in a subtree while it can: a node has limits
//! for its proof and its disproof number, and only when one is passed does the search go back up. What is known of
//! a position is kept in a table, where it may be overwritten; then it is found again.
//!
//! ```text
//!   worker    the descent: frames from the root to the node at work, with limits
//!   frame     a node at work, and which of its branches to follow
//!   crew      several workers, each with its job
//!   evidence  what is known of a position: two numbers, or two staircases
//!   store     the table, shared by threads
//!   purse     what is spent, by whom
//!   problem   what is to be solved, and what is known of it
//!   solver    budgets, threads, the answer and its line
//! ```
//!
//! The descent is the same for both kinds of evidence, because staircases at the values that the root asks for
//! are two numbers.

mod crew;
mod evidence;
mod frame;
mod problem;
mod purse;
mod solver;
mod store;
mod worker;

pub(crate) use evidence::{ProofNumbers, SiblingFunctions};
pub(crate) use solver::Solver;
pub use solver::TABLE_BYTES;
