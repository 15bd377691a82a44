//! Selective game-tree search: trees that grow where it matters.
//!
//! Four rooms. A fact travels in one direction only, and a module knows only those that stand above it:
//!
//! 1. [`game`] and [`games`]: what is legal, and who has won;
//! 2. [`evaluator`] and the evaluators: what a position is worth, how its moves rank, which of them need not be looked
//!    at; [`judge`] is the evaluator of one search;
//! 3. [`expander`]: game, evaluator and the positions of all nodes behind one object-safe interface;
//! 4. [`tree`]: numbers of nodes in one arena; `numbers`: what rules share;
//! 5. [`growth`]: a rule chooses the leaf to expand, one paper per file;
//! 6. [`search`]: the loop expands the leaf, backs values up while they change, looks at the budget and
//!    goes on from 5; depth-first searches stand beside it;
//! 7. [`registry`]: the only list of searches; [`any`]: all of this for a game that is known at run time only;
//! 8. [`proof`]: a strategy that a checker can follow by the rules alone;
//! 9. [`search::Report`]: the move, the value, the line, and what was spent.
//!
//! The fourth room, the player, is a search with its parameters, an evaluator and a budget, and is not in this crate.
//!
//! ```
//! use conspirator_core::{any, registry, search::{Budget, Unattended}};
//!
//! let game = any::make("connect-four", &[])?;
//! let position = game.position("4453")?;
//! let mut search = registry::start(&*position, "best-first", &[], Default::default(), false)?;
//! search.run(&Budget { expansions: Some(1000), ..Budget::default() }, &mut Unattended)?;
//! let report = search.report();
//! assert_eq!(report.counts.expansions, 1000);
//! assert_eq!(search.check(), Ok(()));
//! # Ok::<(), conspirator_core::Error>(())
//! ```

pub mod error;
pub mod fact;
mod mix;
pub mod params;
pub mod scores;
pub mod spare;

pub mod game;
pub mod games;

pub mod evaluator;
mod evaluators;
pub mod judge;

pub mod expander;
pub mod leaves;

pub mod tree;

pub mod numbers;

pub mod growth;

pub mod search;

mod perft;

pub mod proof;

pub mod any;
pub mod registry;
#[cfg(test)]
mod testing;

pub use error::Error;
pub use evaluators::{measure_connections, measure_network};
pub use perft::{perft, survey, Poll};
