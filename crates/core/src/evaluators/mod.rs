//! The evaluators: what is known of each game, one folder or file a game. [`crate::evaluator::Game`] of a game is the only
//! list of its evaluators.

mod amazons;
mod chess;
mod connect_four;
mod hex;
mod othello;
mod trees;
mod tuples;

#[cfg(test)]
pub(crate) use hex::brute;
pub use hex::{measure_connections, measure_network};
