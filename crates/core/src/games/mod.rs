//! The games: one file each. This file is the only list.

mod amazons;
mod chess;
mod connect_four;
mod explicit_tree;
mod hex;
mod othello;
pub(crate) mod random_tree;
mod uniform_tree;

pub use amazons::Amazons;
pub use chess::Chess;
pub use connect_four::ConnectFour;
pub use explicit_tree::{ExplicitTree, Scored, TreeNode};
pub use hex::{measure_connections, Hex, HexGame};
pub use othello::Othello;
pub use random_tree::RandomTree;
pub use uniform_tree::UniformTree;

use crate::error::{unknown, Error};
use crate::game::Game;
use crate::params::{Info, Params, Value};
use crate::search::{AnyPosition, Located};
use std::sync::Arc;

/// A game whose type is not known at compile time.
pub trait AnyGame: Send + Sync {
    /// The usual start position.
    fn start(&self) -> Result<Arc<dyn AnyPosition>, Error>;
    /// A position in the game's usual notation.
    fn position(&self, notation: &str) -> Result<Arc<dyn AnyPosition>, Error>;
}

impl<G: Game + 'static> AnyGame for Arc<G> {
    fn start(&self) -> Result<Arc<dyn AnyPosition>, Error> {
        Ok(Located::any(self, Game::start(&**self)?))
    }

    fn position(&self, notation: &str) -> Result<Arc<dyn AnyPosition>, Error> {
        Ok(Located::any(self, self.parse(notation)?))
    }
}

/// What `new` of an entry of the list gives: a game, or something that has chosen among several types of game.
trait Made {
    fn any(self) -> Arc<dyn AnyGame>;
}

impl<G: Game + 'static> Made for G {
    fn any(self) -> Arc<dyn AnyGame> {
        Arc::new(Arc::new(self))
    }
}

/// The list of games that are made from parameters. A game has `INFO` and `new(&Params)`.
/// ([`ExplicitTree`] is made from data instead.)
macro_rules! games {
    ($($game:ty),* $(,)?) => {
        /// What is known of every game, in the order of the docs' tables.
        pub const GAMES: &[Info] = &[$(<$game>::INFO),*];

        /// Makes the game that `name` names.
        pub fn make(name: &str, params: &[(String, Value)]) -> Result<Arc<dyn AnyGame>, Error> {
            $(if name == <$game>::INFO.name {
                let params = Params::new(&<$game>::INFO, params)?;
                return Ok(<$game>::new(&params)?.any());
            })*
            Err(unknown("game", name, GAMES.iter().map(|info| info.name)))
        }
    };
}

games![ConnectFour, Hex, Othello, Amazons, Chess, RandomTree, UniformTree];

/// Reads a line of places among siblings, such as "0.2.1"; the empty line is the root.
pub(crate) fn parse_places(notation: &str) -> Result<Vec<u64>, Error> {
    let notation = notation.trim();
    if notation.is_empty() {
        return Ok(Vec::new());
    }
    let bad = |part: &str| {
        Error::Position(format!(
            "'{part}' is not a move of a tree: write places among siblings from 0 up, such as 0.2.1"
        ))
    };
    notation.split(['.', ' ']).map(|part| part.parse().map_err(|_| bad(part))).collect()
}
