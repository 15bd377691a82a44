//! Othello on bitboards.
//!
//! `board` is a position, its moves and what they turn over, `end` the last moves of a game, `notation` how all of it is
//! written.

mod board;
mod end;
mod notation;
mod planes;
#[cfg(test)]
mod tests;

use crate::error::Error;
use crate::game::{Child, NetworkShape, Notation, Rules, Shortcuts};
use crate::params::{Info, Params};
use board::PASS;
pub(crate) use board::{around, Discs, OthelloPosition};
use end::result;
pub(crate) use end::CORNERS;

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

    /// Disc difference of a game that is over, from Black's side.
    #[inline(always)]
    pub(crate) fn result(&self, discs: Discs, black_to_move: bool) -> f64 {
        for_black(f64::from(result(discs)), black_to_move)
    }
}

/// What a player gets, as a value from Black's side.
#[inline(always)]
pub(crate) fn for_black(value: f64, black_to_move: bool) -> f64 {
    // not -0.0
    if black_to_move {
        value
    } else {
        0.0 - value
    }
}

/// Whether neither player can move.
#[inline(always)]
fn over(discs: Discs) -> bool {
    discs.moves() == 0 && discs.passed().moves() == 0
}

impl Rules for Othello {
    type Position = OthelloPosition;
    /// A square; or 64, which is a pass.
    type Move = u8;

    fn start(&self) -> Result<OthelloPosition, Error> {
        Ok(OthelloPosition::START)
    }

    #[inline]
    fn max_to_move(&self, position: &OthelloPosition) -> bool {
        position.black_to_move()
    }

    #[inline]
    fn moves(&self, position: &OthelloPosition, moves: &mut Vec<u8>) -> Result<(), Error> {
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
    fn play(&self, position: &OthelloPosition, mv: &u8) -> Result<OthelloPosition, Error> {
        Ok(OthelloPosition::new(position.discs().after(*mv), !position.black_to_move()))
    }

    /// Disc difference from Black's side; squares that stay empty go to the winner.
    #[inline]
    fn outcome(&self, position: &OthelloPosition) -> Result<Option<f64>, Error> {
        let discs = position.discs();
        Ok(over(discs).then(|| self.result(discs, position.black_to_move())))
    }

    #[inline]
    fn each_successor(
        &self,
        position: &OthelloPosition,
        mut show: impl FnMut(&OthelloPosition) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let (discs, black_next) = (position.discs(), !position.black_to_move());
        let mut squares = discs.moves();
        if squares == 0 && discs.passed().moves() != 0 {
            show(&OthelloPosition::new(discs.passed(), black_next))?;
        }
        while squares != 0 {
            let square = squares.trailing_zeros() as u8;
            show(&OthelloPosition::new(discs.after(square), black_next))?;
            squares &= squares - 1;
        }
        Ok(())
    }

    fn successors(
        &self,
        position: &OthelloPosition,
        moves: &[u8],
        unknown: f64,
        children: &mut Vec<Child<OthelloPosition>>,
    ) -> Result<(), Error> {
        let (discs, black_next) = (position.discs(), !position.black_to_move());
        children.extend(moves.iter().map(|mv| {
            let discs = discs.after(*mv);
            let terminal = over(discs);
            let value = if terminal { self.result(discs, black_next) } else { unknown };
            Child { position: OthelloPosition::new(discs, black_next), value, terminal }
        }));
        Ok(())
    }

    fn value_range(&self) -> (f64, f64) {
        (-64.0, 64.0)
    }

    #[inline]
    fn key(&self, position: &OthelloPosition) -> Result<Option<u64>, Error> {
        Ok(Some(position.key()))
    }
}

impl Shortcuts for Othello {
    fn move_slot(&self, position: &OthelloPosition, mv: &u8) -> usize {
        usize::from(*mv) + 65 * usize::from(position.black_to_move())
    }

    /// Nothing: a move that leaves the other no disc at all is too rare to look for.
    fn foresee(
        &self,
        _: &OthelloPosition,
        _: &[u8],
        _: &mut [Child<OthelloPosition>],
    ) -> Result<(), Error> {
        Ok(())
    }

    /// With the empty squares for the winner the difference is even.
    fn results(&self) -> Option<Vec<f64>> {
        Some((-32..=32).map(|half| f64::from(2 * half)).collect())
    }

    fn moves_left(&self, position: &OthelloPosition) -> Option<u32> {
        Some(position.discs().empty().count_ones())
    }

    /// Discs that can never be turned stay.
    fn result_bounds(&self, position: &OthelloPosition) -> (f64, f64) {
        let discs = position.discs();
        let least = 2 * end::stable(discs) - 64;
        let most = 64 - 2 * end::stable(discs.passed());
        if position.black_to_move() {
            (f64::from(least), f64::from(most))
        } else {
            (f64::from(-most), f64::from(-least))
        }
    }

    fn settle(
        &self,
        position: &OthelloPosition,
        window: (f64, f64),
        nodes: &mut u64,
    ) -> Option<f64> {
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

    fn swapped(&self, position: &OthelloPosition) -> Option<OthelloPosition> {
        Some(position.exchanged())
    }
}

impl Notation for Othello {
    fn network_shape(&self) -> Option<NetworkShape> {
        Some(planes::shape(self))
    }

    fn write_planes(&self, position: &OthelloPosition, planes: &mut [f32]) {
        planes::write(self, position, planes);
    }

    fn policy_places(&self, position: &OthelloPosition, mv: &u8, places: &mut Vec<u32>) {
        planes::places(self, position, *mv, places);
    }

    fn move_name(&self, _: &OthelloPosition, mv: &u8) -> String {
        notation::move_name(*mv)
    }

    /// Reads the moves from the start, `f5d6c3`, or 64 squares and the side to move.
    fn parse(&self, text: &str) -> Result<OthelloPosition, Error> {
        notation::read(text).map_err(Error::Position)
    }

    fn notation(&self, position: &OthelloPosition) -> String {
        notation::write(*position)
    }

    fn picture(&self, position: &OthelloPosition) -> String {
        notation::picture(*position)
    }
}
