//! Connect-Four: the static evaluator of Rivest (1988, Section 5.2), a sum over the 69 segments of four cells.
//!
//! Positions carry the sum with them, and a move changes only the lines through one cell: see the game.

use crate::error::Error;
use crate::evaluator::{Evaluator, Game, Line, Watch};
use crate::game::Child;
use crate::games::connect_four::{ConnectFourPosition, Expansion, FOUR};
use crate::games::ConnectFour;
use crate::judge::{SORT, WIDTH};
use crate::params::{Info, Params};

/// The evaluator `segments`.
#[derive(Clone, Copy, Debug)]
pub struct Segments;

impl Game for ConnectFour {
    type Evaluator = Segments;

    const EVALUATORS: &'static [Info] = &[Info {
        name: "segments",
        paper: "Rivest 1988, Section 5.2",
        summary: "counts what stands in each of the 69 segments of four cells; values from 1 to 1023, 512 is a draw",
        params: &[WIDTH, SORT],
    }];

    fn evaluator(&self, _: &str, _: &Params) -> Result<Segments, Error> {
        Ok(Segments)
    }
}

impl Evaluator<ConnectFour> for Segments {
    fn value(&mut self, _: &ConnectFour, line: &Line<ConnectFourPosition>) -> Result<f64, Error> {
        Ok(line.position.value())
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
            if !visit(expansion.child(at, gains[at])) {
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
            expansion.child(at, gains[at])
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
        let best = expansion.child(at, gain);
        Ok((best.value, gain >= i32::from(FOUR)))
    }

    fn fresh(&self) -> Segments {
        Segments
    }
}
