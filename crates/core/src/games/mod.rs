//! The games: rules and notation, and nothing else. This file is the only list.

pub(crate) mod amazons;
pub(crate) mod chess;
pub(crate) mod connect_four;
mod explicit_tree;
pub(crate) mod hex;
pub(crate) mod othello;
pub(crate) mod random_tree;
mod uniform_tree;

pub use amazons::Amazons;
pub use chess::Chess;
pub use connect_four::ConnectFour;
pub use explicit_tree::{ExplicitTree, Scored, TreeNode};
pub use hex::{Hex, HexGame};
pub use othello::Othello;
pub use random_tree::RandomTree;
pub use uniform_tree::UniformTree;

use crate::error::{unknown, Error};
use crate::evaluator::Game;
use crate::params::{Info, Params, Value};

/// Something that can be done with a game of any type, once its name has been read.
pub trait WithGame {
    /// What it gives.
    type Output;
    /// Does it.
    fn with<G: Game>(self, game: G) -> Self::Output;
}

/// What `new` of an entry of the list gives: a game, or one of several types of game.
trait MadeGame {
    fn handed_to<A: WithGame>(self, action: A) -> A::Output;
}

impl<G: Game> MadeGame for G {
    fn handed_to<A: WithGame>(self, action: A) -> A::Output {
        action.with(self)
    }
}

impl MadeGame for Hex {
    fn handed_to<A: WithGame>(self, action: A) -> A::Output {
        match self {
            Hex::Small(game) => action.with(game),
            Hex::Usual(game) => action.with(game),
            Hex::Large(game) => action.with(game),
            Hex::Huge(game) => action.with(game),
        }
    }
}

/// The list of games that are made from parameters. A game has `INFO` and `new(&Params)`.
/// ([`ExplicitTree`] is made from data instead.)
macro_rules! games {
    ($($game:ty),* $(,)?) => {
        /// What is known of every game, in the order of the docs' tables.
        pub const GAMES: &[Info] = &[$(<$game>::INFO),*];

        /// Makes the game that `name` names and hands it to `action`.
        pub fn with_game<A: WithGame>(
            name: &str,
            params: &[(String, Value)],
            action: A,
        ) -> Result<A::Output, Error> {
            $(if name == <$game>::INFO.name {
                let params = Params::new(&<$game>::INFO, params)?;
                return Ok(<$game>::new(&params)?.handed_to(action));
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
