//! What the values of new leaves are.
//!
//! Static values of leaves at odd and at even plies are hard to compare: whoever moved last looks better than the other.
//! A depth-first search does not notice, because all its leaves are equally deep; a growing tree's are not.

use crate::error::Error;
use crate::evaluator::{Game, Line, Watch};
use crate::expander::Refusal;
use crate::game::{check_moves, Child};
use crate::judge::Judge;
use crate::mix::{splitmix64, GOLDEN_RATIO};

/// How a rule wants new leaves to be valued.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Leaves {
    /// By their static values.
    Static,
    /// At odd plies by the best static value one move further: all values are those of positions with the same
    /// player to move.
    Aligned,
    /// By their static values and this part of [`crate::evaluator::Evaluator::tempo`] for the player to move.
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

/// Where new leaves are: the line to their parent, and where the first of them will stand in the tree.
pub(crate) struct LeafPlace<'a, P> {
    pub line: &'a Line<'a, P>,
    pub first: usize,
}

/// Values the children of a position as the rule wants, and returns how many positions it has looked at for that.
pub(crate) fn value<G: Game>(
    leaves: Leaves,
    judge: &mut Judge<G>,
    game: &G,
    LeafPlace { line, first }: LeafPlace<G::Position>,
    moves: &mut Vec<G::Move>,
    watch: Watch,
    children: &mut [Child<G::Position>],
) -> Result<u64, Refusal> {
    match leaves {
        Leaves::Aligned if line.plies() % 2 == 0 => {
            look_further(judge, game, line, moves, watch, children)
        }
        Leaves::Tempo(part) => {
            let (low, high) = game.value_range();
            for child in children.iter_mut().filter(|child| !child.terminal) {
                let tempo = part * judge.tempo(&child.position);
                let tempo = if game.max_to_move(&child.position) { tempo } else { -tempo };
                child.value = (child.value + tempo).clamp(low, high);
            }
            Ok(0)
        }
        Leaves::Playouts { count, seed } => {
            let mut looked = 0;
            for (place, child) in (first as u64..).zip(children) {
                if !child.terminal {
                    // the same for a node of this place, whenever it is made
                    let random = splitmix64(seed ^ splitmix64(place));
                    let line = line.then(&child.position);
                    child.value =
                        play_out(judge, game, &line, (count, random), moves, watch, &mut looked)?;
                }
            }
            Ok(looked)
        }
        _ => Ok(0),
    }
}

/// The mean result of random games from a position.
fn play_out<G: Game>(
    judge: &mut Judge<G>,
    game: &G,
    line: &Line<G::Position>,
    (count, mut random): (u32, u64),
    moves: &mut Vec<G::Move>,
    watch: Watch,
    looked: &mut u64,
) -> Result<f64, Refusal> {
    let mut sum = 0.0;
    for _ in 0..count {
        let mut position = line.position.clone();
        let mut left = LONGEST_GAME;
        let result = loop {
            if let Some(result) = game.outcome(&position)? {
                break result;
            }
            if let Some(result) = game.play_at_random(&position, &mut random) {
                *looked += 1;
                break result;
            }
            if left == 0 {
                break judge.value(&Line::root(&position))?;
            }
            left -= 1;
            moves.clear();
            game.moves(&position, moves)?;
            check_moves(moves.len())?;
            random = random.wrapping_add(GOLDEN_RATIO);
            let place = splitmix64(random) % moves.len() as u64;
            position = game.play(&position, &moves[place as usize])?;
            *looked += 1;
        };
        // an infinity is a win or a loss, of which the mean of a leaf must stay finite
        sum += result.clamp(-FAR, FAR) / f64::from(count);
        if !watch() {
            return Err(Refusal::Stopped);
        }
    }
    let (low, high) = game.value_range();
    Ok(sum.clamp(low, high))
}

/// What an infinite result counts.
const FAR: f64 = 1e300;

/// Gives every child that is not over the value of its best successor. One whose player wins at once counts as over.
fn look_further<G: Game>(
    judge: &mut Judge<G>,
    game: &G,
    line: &Line<G::Position>,
    moves: &mut Vec<G::Move>,
    watch: Watch,
    children: &mut [Child<G::Position>],
) -> Result<u64, Refusal> {
    let mut looked = 0;
    for child in children.iter_mut().filter(|child| !child.terminal) {
        moves.clear();
        game.moves(&child.position, moves)?;
        check_moves(moves.len())?;
        let line = line.then(&child.position);
        let (value, won) = judge.best_successor(&line, moves, watch)?;
        // a value without end is that of a game that is over: all replies lose
        (child.value, child.terminal) = (value, won || !value.is_finite());
        looked += moves.len() as u64;
        if !watch() {
            return Err(Refusal::Stopped);
        }
    }
    Ok(looked)
}

impl From<Refusal> for Error {
    /// For expansions without limits, which can only fail.
    fn from(refusal: Refusal) -> Error {
        match refusal {
            Refusal::Failed(error) => *error,
            Refusal::NoMemory => Error::Argument("no memory for an expansion".into()),
            Refusal::TooLarge(..) | Refusal::Stopped => Error::Interrupted,
        }
    }
}
