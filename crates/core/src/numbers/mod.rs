//! What rules for growing trees share: numbers of nodes, and how they follow from those of the children.
//!
//! ```text
//!   staircase, staircases   step functions: how many leaves must change to reach a value
//!   sequence, sequences     the same up to a few leaves, as sequences of a fixed length
//!   bounds                  conspiracy numbers of all nodes, in either form
//!   best_successor          McAllester's procedure to find a best move
//!   robustness              questions about conspiracies that any grown tree can answer
//!   penalties               Rivest's generalized means and penalties
//!   swings, contest         Utgoff and Cochran's swings, and the contest of the root's children
//!   error_model, knots      how the truth is distributed, given what an evaluator says
//!   distributions, stakes   how likely each outcome is at every node, and what depends on a leaf
//!   functions, triples      Pawlewicz and Hayward's proof and disproof functions
//!   proof_pair, goal        proof and disproof numbers, and the question that a proof answers
//!   pool                    memory for lists of many lengths
//! ```

pub(crate) mod best_successor;
pub(crate) mod bounds;
pub(crate) mod contest;
pub mod distributions;
mod error_model;
pub(crate) mod functions;
pub(crate) mod goal;
mod knots;
mod leaf_rows;
pub(crate) mod penalties;
mod pool;
pub(crate) mod proof_pair;
pub mod robustness;
mod root_pass;
mod sequence;
mod sequences;
pub(crate) mod staircase;
mod staircases;
pub(crate) mod stakes;
pub(crate) mod swings;
pub(crate) mod triples;
