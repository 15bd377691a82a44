//! Connect-Four: `segments`, the static evaluator of Rivest (1988, Section 5.2), a sum over the 69 segments of four cells;
//! `network`, by what has been learnt of small parts of the board.
//!
//! Positions carry the sum of segments with them, and a move changes only the lines through one cell: see the game.

use super::tuples::{no_room, TupleNetwork};
use crate::error::Error;
use crate::evaluator::{Evaluator, Game, Line, Watch};
use crate::game::Child;
use crate::games::connect_four::{ConnectFourPosition, Expansion, FOUR};
use crate::games::ConnectFour;
use crate::judge::{SORT, WIDTH};
use crate::params::{Info, Params};
use std::sync::OnceLock;

/// What has been learnt of parts of the board: `training/train.py`.
const LEARNT: &[u8] = include_bytes!("data/connect_four.bin");

/// One of the evaluators of Connect-Four.
#[derive(Clone, Copy, Debug)]
pub enum ConnectFourEvaluator {
    /// The evaluator `segments`.
    Segments,
    /// The evaluator `network`.
    Network(&'static Parts),
}

/// A network of 62 parts of eight cells: two rows by four columns, four by two, and diagonals with what is below them.
#[derive(Debug)]
pub struct Parts(TupleNetwork<64>);

impl Parts {
    fn learnt() -> Result<&'static Parts, Error> {
        static NETWORK: OnceLock<Parts> = OnceLock::new();
        if let Some(network) = NETWORK.get() {
            return Ok(network);
        }
        let network = TupleNetwork::read(LEARNT).ok_or_else(no_room)?;
        Ok(NETWORK.get_or_init(|| Parts(network)))
    }

    /// The value of a position in which the game goes on: 512 for even chances.
    #[inline]
    fn value(&self, position: ConnectFourPosition) -> f64 {
        let (mover, other) = position.mover_and_other();
        let odds = self.0.value(mover, other);
        // as tanh(odds / 2), but by operations that give the same on every machine
        let reward = odds / (odds * odds + 4.0).sqrt();
        let value = (510.0 * reward).round();
        512.0 + if position.black_to_move() { value } else { -value }
    }
}

impl Game for ConnectFour {
    type Evaluator = ConnectFourEvaluator;

    const EVALUATORS: &'static [Info] = &[
        Info {
            name: "segments",
            paper: "Rivest 1988, Section 5.2",
            summary: "counts what stands in each of the 69 segments of four cells; values from 1 to 1023, 512 is a draw",
            params: &[WIDTH, SORT],
        },
        Info {
            name: "network",
            paper: "Lucas 2008; Thill, Koch and Konen 2012",
            summary:
                "parts of eight cells: an n-tuple network that has learnt from games against itself",
            params: &[WIDTH, SORT],
        },
    ];

    fn evaluator(&self, name: &str, _: &Params) -> Result<ConnectFourEvaluator, Error> {
        Ok(match name {
            "network" => ConnectFourEvaluator::Network(Parts::learnt()?),
            _ => ConnectFourEvaluator::Segments,
        })
    }
}

impl ConnectFourEvaluator {
    /// A child with the value that this evaluator gives it.
    #[inline(always)]
    fn valued(self, child: Child<ConnectFourPosition>) -> Child<ConnectFourPosition> {
        match self {
            ConnectFourEvaluator::Network(parts) if !child.terminal => {
                Child { value: parts.value(child.position), ..child }
            }
            _ => child,
        }
    }
}

impl Evaluator<ConnectFour> for ConnectFourEvaluator {
    fn value(&mut self, _: &ConnectFour, line: &Line<ConnectFourPosition>) -> Result<f64, Error> {
        Ok(match self {
            ConnectFourEvaluator::Segments => line.position.value(),
            ConnectFourEvaluator::Network(parts) => parts.value(*line.position),
        })
    }

    #[inline]
    fn visit(
        &mut self,
        _: &ConnectFour,
        line: &Line<ConnectFourPosition>,
        moves: &[u8],
        mut visit: impl FnMut(Child<ConnectFourPosition>) -> bool,
    ) -> Result<(), Error> {
        let expansion = Expansion::new(*line.position);
        let gains = expansion.gains();
        for mv in moves {
            let at = usize::from(*mv & 7);
            if !visit(self.valued(expansion.child(at, gains[at]))) {
                break;
            }
        }
        Ok(())
    }

    /// Not by `visit`: a vector that knows how many come grows once and checks no more.
    #[inline]
    fn children(
        &mut self,
        _: &ConnectFour,
        line: &Line<ConnectFourPosition>,
        moves: &[u8],
        _: Watch,
        children: &mut Vec<Child<ConnectFourPosition>>,
    ) -> Result<(), Error> {
        let expansion = Expansion::new(*line.position);
        let gains = expansion.gains();
        children.extend(moves.iter().map(|mv| {
            let at = usize::from(*mv & 7);
            self.valued(expansion.child(at, gains[at]))
        }));
        Ok(())
    }

    /// The stone that gains most.
    #[inline]
    fn best_successor(
        &mut self,
        _: &ConnectFour,
        line: &Line<ConnectFourPosition>,
        moves: &[u8],
        _: Watch,
    ) -> Result<(f64, bool), Error> {
        let expansion = Expansion::new(*line.position);
        let gains = expansion.gains();
        let gain = |mv: &u8| (gains[usize::from(*mv & 7)], usize::from(*mv & 7));
        let (gain, at) = moves.iter().map(gain).max().unwrap_or_default();
        let won = gain >= i32::from(FOUR);
        let ConnectFourEvaluator::Network(_) = self else {
            return Ok((expansion.child(at, gain).value, won));
        };
        let max = line.position.black_to_move();
        let values = moves.iter().map(|mv| {
            let at = usize::from(*mv & 7);
            self.valued(expansion.child(at, gains[at])).value
        });
        let best = if max {
            values.fold(f64::NEG_INFINITY, f64::max)
        } else {
            values.fold(f64::INFINITY, f64::min)
        };
        Ok((best, won))
    }

    fn fresh(&self) -> ConnectFourEvaluator {
        *self
    }
}
