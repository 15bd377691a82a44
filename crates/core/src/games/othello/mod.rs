//! Othello on bitboards.
//!
//! `board` is a position, its moves and what they turn over, `value` the heuristic, `notation` how all of it is
//! written.

mod board;
mod end;
mod notation;
#[cfg(test)]
mod tests;
mod value;

use crate::error::Error;
use crate::game::{Child, Game};
use crate::params::{Info, Params};
use board::{Discs, Position, PASS};

/// Othello: Black, who is Max, moves first; values are disc differences.
#[derive(Clone, Copy, Debug, Default)]
pub struct Othello;

impl Othello {
    /// The game's entry in the tables.
    pub const INFO: Info = Info {
        name: "othello",
        paper: "Rosenbloom 1982",
        summary: "enclose lines of discs to turn them over; most discs win",
        params: &[],
    };

    /// The game; it has no parameters.
    pub fn new(_: &Params) -> Result<Othello, Error> {
        Ok(Othello)
    }
}

/// What a player gets, as a value from Black's side.
#[inline(always)]
fn for_black(value: f64, black_to_move: bool) -> f64 {
    // not -0.0
    if black_to_move {
        value
    } else {
        0.0 - value
    }
}

/// A position with its value, and whether the game is over.
#[inline(always)]
fn valued(discs: Discs, black_to_move: bool) -> Child<Position> {
    let (moves, replies) = (discs.moves(), discs.passed().moves());
    let terminal = moves | replies == 0;
    let value = if terminal {
        f64::from(value::result(discs))
    } else {
        f64::from(value::estimate(discs, moves, replies)) / 2.0
    };
    let position = Position::new(discs, black_to_move);
    Child { position, value: for_black(value, black_to_move), terminal }
}

/// Whether neither player can move.
#[inline(always)]
fn over(discs: Discs) -> bool {
    discs.moves() == 0 && discs.passed().moves() == 0
}

impl Game for Othello {
    type Position = Position;
    /// A square; or 64, which is a pass.
    type Move = u8;

    fn start(&self) -> Result<Position, Error> {
        Ok(Position::START)
    }

    #[inline]
    fn max_to_move(&self, position: &Position) -> bool {
        position.black_to_move()
    }

    #[inline]
    fn moves(&self, position: &Position, moves: &mut Vec<u8>) -> Result<(), Error> {
        let discs = position.discs();
        let mut squares = discs.moves();
        if squares == 0 && discs.passed().moves() != 0 {
            moves.push(PASS);
        }
        moves.reserve(squares.count_ones() as usize);
        while squares != 0 {
            moves.push(squares.trailing_zeros() as u8);
            squares &= squares - 1;
        }
        Ok(())
    }

    #[inline]
    fn play(&self, position: &Position, mv: &u8) -> Result<Position, Error> {
        Ok(Position::new(position.discs().after(*mv), !position.black_to_move()))
    }

    /// Disc difference from Black's side; squares that stay empty go to the winner.
    #[inline]
    fn outcome(&self, position: &Position) -> Result<Option<f64>, Error> {
        let discs = position.discs();
        let value = || for_black(f64::from(value::result(discs)), position.black_to_move());
        Ok(over(discs).then(value))
    }

    fn evaluate(&self, position: &Position) -> Result<f64, Error> {
        Ok(valued(position.discs(), position.black_to_move()).value)
    }

    #[inline]
    fn each_successor(
        &self,
        position: &Position,
        mut show: impl FnMut(&Position) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let (discs, black_next) = (position.discs(), !position.black_to_move());
        let mut squares = discs.moves();
        if squares == 0 && discs.passed().moves() != 0 {
            show(&Position::new(discs.passed(), black_next))?;
        }
        while squares != 0 {
            let square = squares.trailing_zeros() as u8;
            show(&Position::new(discs.after(square), black_next))?;
            squares &= squares - 1;
        }
        Ok(())
    }

    #[inline]
    fn visit(
        &self,
        position: &Position,
        moves: &[u8],
        mut visit: impl FnMut(Child<Position>) -> bool,
    ) -> Result<(), Error> {
        let (discs, black_next) = (position.discs(), !position.black_to_move());
        for mv in moves {
            if !visit(valued(discs.after(*mv), black_next)) {
                break;
            }
        }
        Ok(())
    }

    fn successors(
        &self,
        position: &Position,
        moves: &[u8],
        unknown: f64,
        children: &mut Vec<Child<Position>>,
    ) -> Result<(), Error> {
        let (discs, black_next) = (position.discs(), !position.black_to_move());
        children.extend(moves.iter().map(|mv| {
            let discs = discs.after(*mv);
            let terminal = over(discs);
            let value = if terminal {
                for_black(f64::from(value::result(discs)), black_next)
            } else {
                unknown
            };
            Child { position: Position::new(discs, black_next), value, terminal }
        }));
        Ok(())
    }

    /// Nothing: a move that leaves the other no disc at all is too rare to look for.
    fn foresee(&self, _: &Position, _: &[u8], _: &mut [Child<Position>]) -> Result<(), Error> {
        Ok(())
    }

    fn value_range(&self) -> (f64, f64) {
        (-64.0, 64.0)
    }

    /// With the empty squares for the winner the difference is even.
    fn results(&self) -> Option<Vec<f64>> {
        Some((-32..=32).map(|half| f64::from(2 * half)).collect())
    }

    fn moves_left(&self, position: &Position) -> Option<u32> {
        Some(position.discs().empty().count_ones())
    }

    /// Discs that can never be turned stay.
    fn result_bounds(&self, position: &Position) -> (f64, f64) {
        let discs = position.discs();
        let least = 2 * end::stable(discs) - 64;
        let most = 64 - 2 * end::stable(discs.passed());
        if position.black_to_move() {
            (f64::from(least), f64::from(most))
        } else {
            (f64::from(-most), f64::from(-least))
        }
    }

    fn settle(&self, position: &Position, window: (f64, f64), nodes: &mut u64) -> Option<f64> {
        let discs = position.discs();
        if discs.empty().count_ones() > end::FEW {
            return None;
        }
        let black = position.black_to_move();
        let (alpha, beta) = if black { window } else { (-window.1, -window.0) };
        // results are whole: nothing lies between a bound and the whole number that it is rounded to
        let (alpha, beta) = (alpha.max(-65.0).floor() as i32, beta.min(65.0).ceil() as i32);
        let value = end::play_out(discs, alpha, beta, nodes);
        Some(for_black(f64::from(value), black))
    }

    fn gives_scores(&self) -> bool {
        true
    }

    fn move_scores(
        &self,
        position: &Position,
        moves: &[u8],
        scores: &mut Vec<f64>,
    ) -> Result<(), Error> {
        let discs = position.discs();
        scores.extend(moves.iter().map(|mv| value::score(discs, *mv, discs.after(*mv))));
        Ok(())
    }

    #[inline]
    fn key(&self, position: &Position) -> Result<Option<u64>, Error> {
        Ok(Some(position.key()))
    }

    fn swapped(&self, position: &Position) -> Option<Position> {
        Some(position.exchanged())
    }

    fn move_name(&self, _: &Position, mv: &u8) -> String {
        notation::move_name(*mv)
    }

    /// Reads the moves from the start, `f5d6c3`, or 64 squares and the side to move.
    fn parse(&self, text: &str) -> Result<Position, Error> {
        notation::read(text).map_err(Error::Position)
    }

    fn notation(&self, position: &Position) -> String {
        notation::write(*position)
    }

    fn picture(&self, position: &Position) -> String {
        notation::picture(*position)
    }
}
