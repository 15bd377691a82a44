//! What the values of new leaves are.
//!
//! Static values of leaves at odd and at even plies are hard to compare: whoever moved last looks better than he is.
//! A depth-first search does not notice, because all its leaves are equally deep; a growing tree's are not.

use crate::error::Error;
use crate::game::{Child, Game};

/// How a rule wants new leaves to be valued.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Leaves {
    /// By their static values.
    Static,
    /// At odd plies by the best static value one move further: all values are those of positions with the same
    /// player to move.
    Aligned,
    /// By their static values and this part of [`Game::tempo`] for the player to move.
    Tempo(f64),
}

/// Values the children of `position` as the rule wants, and returns how many positions it has looked at for that.
/// `ply` is the children's distance from the root.
pub(super) fn value<G: Game>(
    leaves: Leaves,
    game: &G,
    ply: usize,
    moves: &mut Vec<G::Move>,
    children: &mut [Child<G::Position>],
) -> Result<u64, Error> {
    match leaves {
        Leaves::Aligned if ply % 2 == 1 => look_further(game, moves, children),
        Leaves::Tempo(part) => {
            let (low, high) = game.value_range();
            for child in children.iter_mut().filter(|child| !child.terminal) {
                let tempo = part * game.tempo(&child.position);
                let tempo = if game.max_to_move(&child.position) { tempo } else { -tempo };
                child.value = (child.value + tempo).clamp(low, high);
            }
            Ok(0)
        }
        _ => Ok(0),
    }
}

/// Gives every child that is not over the value of its best successor. One whose player wins at once counts as over.
fn look_further<G: Game>(
    game: &G,
    moves: &mut Vec<G::Move>,
    children: &mut [Child<G::Position>],
) -> Result<u64, Error> {
    let mut looked = 0;
    for child in children.iter_mut().filter(|child| !child.terminal) {
        moves.clear();
        game.moves(&child.position, moves)?;
        (child.value, child.terminal) = game.best_successor(&child.position, moves)?;
        looked += moves.len() as u64;
    }
    Ok(looked)
}
