//! What the values of new leaves are.
//!
//! Static values of leaves at odd and at even plies are hard to compare: whoever moved last looks better than he is.
//! A depth-first search does not notice, because all its leaves are equally deep; a growing tree's are not.

use crate::error::Error;
use crate::game::{check_moves, Child, Game};
use crate::mix::{splitmix64, GOLDEN_RATIO};

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
    /// By the static value of their parent: nothing is valued before it is expanded.
    Inherited,
    /// By the mean result of so many random games.
    Playouts {
        /// How many.
        count: u32,
        /// Where the random numbers begin.
        seed: u64,
    },
}

/// Random games that go on for longer end with a static value.
const LONGEST_GAME: u32 = 1_000;

/// Values the children of `position` as the rule wants, and returns how many positions it has looked at for that.
/// `ply` is the children's distance from the root, `place` where they will stand in the tree.
pub(super) fn value<G: Game>(
    leaves: Leaves,
    game: &G,
    (ply, place): (usize, usize),
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
        Leaves::Playouts { count, seed } => {
            let mut looked = 0;
            for (place, child) in (place as u64..).zip(children) {
                if !child.terminal {
                    // the same for a node of this place, whenever it is made
                    let mut random = splitmix64(seed ^ splitmix64(place));
                    child.value =
                        play_out(game, &child.position, count, &mut random, moves, &mut looked)?;
                }
            }
            Ok(looked)
        }
        _ => Ok(0),
    }
}

/// The mean result of random games from a position.
fn play_out<G: Game>(
    game: &G,
    start: &G::Position,
    count: u32,
    random: &mut u64,
    moves: &mut Vec<G::Move>,
    looked: &mut u64,
) -> Result<f64, Error> {
    let mut sum = 0.0;
    for _ in 0..count {
        let mut position = start.clone();
        let mut left = LONGEST_GAME;
        let result = loop {
            if let Some(result) = game.outcome(&position)? {
                break result;
            }
            if let Some(result) = game.play_at_random(&position, random) {
                *looked += 1;
                break result;
            }
            if left == 0 {
                break game.evaluate(&position)?;
            }
            left -= 1;
            moves.clear();
            game.moves(&position, moves)?;
            check_moves(moves.len())?;
            *random = random.wrapping_add(GOLDEN_RATIO);
            let place = splitmix64(*random) % moves.len() as u64;
            position = game.play(&position, &moves[place as usize])?;
            *looked += 1;
        };
        // an infinity is a win or a loss, of which the mean of a leaf must stay finite
        sum += result.clamp(-FAR, FAR) / f64::from(count);
    }
    let (low, high) = game.value_range();
    Ok(sum.clamp(low, high))
}

/// What an infinite result counts.
const FAR: f64 = 1e300;

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
