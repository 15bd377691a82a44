//! Selective game-tree search: trees that grow where it matters.
//!
//! One search, as data flows through the modules:
//!
//! 1. [`games`] and [`game`]: rules, notation, static values, behind the one trait [`Game`];
//! 2. [`search::AnyPosition`]: a position of any game; it starts a search by name with [`params`];
//! 3. [`tree`]: the root is created; nodes are 16 bytes in one arena;
//! 4. [`growth`]: a rule chooses the leaf to expand, one paper per file;
//! 5. [`search`]: the loop expands the leaf, backs values up while they change, looks at the budget and
//!    goes on from 4; depth-first searches stand beside it;
//! 6. [`search::Report`]: the move, the value, the line, and what was spent.
//!
//! ```
//! use conspirator_core::{games, search::{Budget, Unattended}};
//!
//! let game = games::make("connect-four", &[])?;
//! let position = game.position("4453")?;
//! let mut search = position.search("best-first", &[], false)?;
//! search.run(&Budget { expansions: Some(1000), ..Budget::default() }, &mut Unattended)?;
//! let report = search.report();
//! assert_eq!(report.counts.expansions, 1000);
//! assert_eq!(search.check(), Ok(()));
//! # Ok::<(), conspirator_core::Error>(())
//! ```

pub mod error;
pub mod game;
pub mod games;
pub mod growth;
mod mix;
pub mod params;
mod perft;
pub mod scores;
pub mod search;
mod spare;
pub mod tree;

pub use error::Error;
pub use game::{Child, Game, LeafBounds};
pub use perft::{perft, survey, Poll};
