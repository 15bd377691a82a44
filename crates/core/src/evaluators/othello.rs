//! Othello: `mobility`, by places, moves and the frontier; `network`, by what has been learnt of patterns.

use super::tuples::{no_room, TupleNetwork};
use crate::error::Error;
use crate::evaluator::{Evaluator, Game, Line};
use crate::game::{Child, Rules};
use crate::games::othello::{around, for_black, Discs, OthelloPosition, CORNERS};
use crate::games::Othello;
use crate::judge::{SORT, WIDTH};
use crate::params::{Info, Params};
use std::sync::OnceLock;

/// The squares diagonally beside the corners, which give them away.
const X_SQUARES: u64 = 0x0042_0000_0000_4200;
/// The edges without the corners and their neighbours.
const EDGES: u64 = 0x3c00_8181_8181_003c;

/// What no position is worth whose game goes on: 64 discs.
const MOST: f64 = 63.0;
/// What has been learnt of patterns: `training/train.py`.
const LEARNT: &[u8] = include_bytes!("data/othello.bin");

/// One of the evaluators of Othello.
#[derive(Clone, Copy, Debug)]
pub enum OthelloEvaluator {
    /// The evaluator `mobility`.
    Mobility,
    /// The evaluator `network`.
    Network(&'static Patterns),
}

/// A network of the 46 edges, rows, diagonals and corners.
#[derive(Debug)]
pub struct Patterns(TupleNetwork<48>);

impl Patterns {
    fn learnt() -> Result<&'static Patterns, Error> {
        static NETWORK: OnceLock<Patterns> = OnceLock::new();
        if let Some(network) = NETWORK.get() {
            return Ok(network);
        }
        let network = TupleNetwork::read(LEARNT).ok_or_else(no_room)?;
        Ok(NETWORK.get_or_init(|| Patterns(network)))
    }
}

impl Game for Othello {
    type Evaluator = OthelloEvaluator;

    const EVALUATORS: &'static [Info] = &[
        Info {
            name: "mobility",
            paper: "Rosenbloom 1982",
            summary: "places, moves and frontier, as an estimate of the final difference of discs",
            params: &[WIDTH, SORT],
        },
        Info {
            name: "network",
            paper: "Buro 1997; Lucas 2008",
            summary:
                "edges, rows, diagonals and corners: an n-tuple network that has learnt from games against itself",
            params: &[WIDTH, SORT],
        },
    ];

    fn evaluator(&self, name: &str, _: &Params) -> Result<OthelloEvaluator, Error> {
        Ok(match name {
            "network" => OthelloEvaluator::Network(Patterns::learnt()?),
            _ => OthelloEvaluator::Mobility,
        })
    }
}

impl OthelloEvaluator {
    /// A position with its value, and whether the game is over.
    #[inline(always)]
    fn valued(self, game: &Othello, discs: Discs, black_to_move: bool) -> Child<OthelloPosition> {
        let (moves, replies) = (discs.moves(), discs.passed().moves());
        let position = OthelloPosition::new(discs, black_to_move);
        if moves | replies == 0 {
            let value = game.result(discs, black_to_move);
            return Child { position, value, terminal: true };
        }
        let value = match self {
            OthelloEvaluator::Mobility => f64::from(estimate(discs, moves, replies)) / 2.0,
            OthelloEvaluator::Network(patterns) => {
                let counts = [moves.count_ones(), replies.count_ones()];
                let Discs { mover, other } = discs;
                patterns.0.value_with_moves(mover, other, counts).clamp(-MOST, MOST)
            }
        };
        Child { position, value: for_black(value, black_to_move), terminal: false }
    }
}

impl Evaluator<Othello> for OthelloEvaluator {
    fn value(&mut self, game: &Othello, line: &Line<OthelloPosition>) -> Result<f64, Error> {
        let position = line.position;
        Ok(self.valued(game, position.discs(), position.black_to_move()).value)
    }

    #[inline]
    fn visit(
        &mut self,
        game: &Othello,
        line: &Line<OthelloPosition>,
        moves: &[u8],
        mut visit: impl FnMut(Child<OthelloPosition>) -> bool,
    ) -> Result<(), Error> {
        let (discs, black_next) = (line.position.discs(), !game.max_to_move(line.position));
        for mv in moves {
            if !visit(self.valued(game, discs.after(*mv), black_next)) {
                break;
            }
        }
        Ok(())
    }

    fn gives_scores(&self) -> bool {
        true
    }

    fn scores(
        &mut self,
        _: &Othello,
        line: &Line<OthelloPosition>,
        moves: &[u8],
        scores: &mut Vec<f64>,
    ) -> Result<(), Error> {
        let discs = line.position.discs();
        scores.extend(moves.iter().map(|mv| score(discs, *mv, discs.after(*mv))));
        Ok(())
    }

    fn fresh(&self) -> OthelloEvaluator {
        *self
    }
}

/// Estimate of the final disc difference from the mover's side, in halves of a disc.
///
/// The terms are those of P. S. Rosenbloom, "A world-championship-level Othello program" (1982), as far as they
/// are cheap: places, mobility, and how much of the other's frontier there is to move to. The weights are a least
/// squares fit, rounded, to the results of games between searches of depth 4, 200,000 positions of them.
#[inline(always)]
fn estimate(discs: Discs, moves: u64, replies: u64) -> i32 {
    let Discs { mover, other } = discs;
    let empty = discs.empty();
    let count = |set: u64| set.count_ones() as i32;
    let ahead = |squares: u64| count(mover & squares) - count(other & squares);
    let near = around(empty & CORNERS);
    let mobility = count(moves) - count(replies);
    let frontier = count(around(other) & empty) - count(around(mover) & empty);
    let places = 22 * ahead(CORNERS) - 15 * ahead(near & X_SQUARES) - 2 * ahead(near & !X_SQUARES)
        + ahead(EDGES);
    // nothing but a finished game is worth 64 discs
    (3 * mobility + frontier + places).clamp(-2 * 63, 2 * 63)
}

/// How good a move looks: its square, and how few replies it leaves.
fn score(discs: Discs, mv: u8, after: Discs) -> f64 {
    let square = 1u64 << (mv & 63);
    let near = around(discs.empty() & CORNERS);
    let place = if square & CORNERS != 0 {
        8.0
    } else if square & near & X_SQUARES != 0 {
        0.25
    } else if square & near != 0 {
        0.5
    } else {
        1.0
    };
    place / (1.0 + f64::from(after.moves().count_ones()))
}
