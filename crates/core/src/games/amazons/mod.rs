//! The Game of the Amazons on bitboards.
//!
//! `board` is a position and how amazons move, `notation` how all of it is written.

mod board;
mod notation;
mod planes;
#[cfg(test)]
mod tests;

use crate::error::Error;
use crate::game::{Child, NetworkShape, Notation, Rules, Shortcuts};
use crate::mix::key_of;
use crate::params::{Info, Kind, Param, Params};
use board::{around, LARGEST};
pub(crate) use board::{slide, AmazonsMove, AmazonsPosition, BLACK, WHITE};

/// The shortest side.
const SMALLEST: usize = 4;

/// Amazons: White, who is Max, moves first; who cannot move loses.
#[derive(Clone, Copy, Debug)]
pub struct Amazons {
    size: usize,
}

impl Amazons {
    /// The game's entry in the tables.
    pub const INFO: Info = Info {
        name: "amazons",
        paper: "Utgoff and Cochran 2001; Lieberum 2005",
        summary:
            "move like a queen, then shoot an arrow that burns a square; the last to move wins",
        params: &[Param {
            name: "size",
            default: Kind::Int(10, SMALLEST as i64),
            meaning: "rows and columns, 4 to 10",
        }],
    };

    /// The game with these parameters, which have been checked against [`Amazons::INFO`].
    pub fn new(params: &Params) -> Result<Amazons, Error> {
        let size = params.int("size").unwrap_or(LARGEST as i64);
        if !(SMALLEST as i64..=LARGEST as i64).contains(&size) {
            return Err(Error::Argument(format!(
                "size must be from {SMALLEST} to {LARGEST}, not {size}"
            )));
        }
        Ok(Amazons { size: size as usize })
    }

    /// What a game is worth that White has won: all squares of the board.
    #[inline(always)]
    pub(crate) fn win(&self) -> f64 {
        (self.size * self.size) as f64
    }

    /// The value of a finished game, which the player to move has lost.
    #[inline(always)]
    pub(crate) fn lost(&self, mover: usize) -> f64 {
        if mover == WHITE {
            -self.win()
        } else {
            self.win()
        }
    }
}

impl Rules for Amazons {
    type Position = AmazonsPosition;
    type Move = AmazonsMove;

    fn start(&self) -> Result<AmazonsPosition, Error> {
        Ok(notation::start(self.size))
    }

    #[inline]
    fn max_to_move(&self, position: &AmazonsPosition) -> bool {
        position.mover() == WHITE
    }

    #[inline]
    fn moves(&self, position: &AmazonsPosition, moves: &mut Vec<AmazonsMove>) -> Result<(), Error> {
        position.each_move(|mv| moves.push(mv));
        Ok(())
    }

    #[inline]
    fn play(&self, position: &AmazonsPosition, mv: &AmazonsMove) -> Result<AmazonsPosition, Error> {
        Ok(position.after(*mv))
    }

    #[inline]
    fn outcome(&self, position: &AmazonsPosition) -> Result<Option<f64>, Error> {
        Ok(position.over().then(|| self.lost(position.mover())))
    }

    #[inline]
    fn each_successor(
        &self,
        position: &AmazonsPosition,
        show: impl FnMut(&AmazonsPosition) -> Result<(), Error>,
    ) -> Result<(), Error> {
        position.each_successor(show)
    }

    fn value_range(&self) -> (f64, f64) {
        (-self.win(), self.win())
    }

    #[inline]
    fn key(&self, position: &AmazonsPosition) -> Result<Option<u64>, Error> {
        Ok(Some(key_of(position.words())))
    }
}

impl Shortcuts for Amazons {
    /// The square that is shot at, and whose move it is: there are too many moves to tell all apart.
    fn move_slot(&self, position: &AmazonsPosition, mv: &AmazonsMove) -> usize {
        usize::from(mv.arrow) + 128 * position.mover() + 256 * usize::from(mv.to % 3)
    }

    fn phase(&self, position: &AmazonsPosition) -> u32 {
        position.empty().count_ones()
    }

    /// To leave the other without a move takes two squares at most: where there are more, nobody need look.
    fn foresee(
        &self,
        _: &AmazonsPosition,
        _: &[AmazonsMove],
        children: &mut [Child<AmazonsPosition>],
    ) -> Result<(), Error> {
        for child in children.iter_mut().filter(|child| !child.terminal) {
            let mover = child.position.mover();
            let free = around(child.position.amazons(1 - mover)) & child.position.empty();
            if free.count_ones() > 2 {
                continue;
            }
            let mut wins = false;
            child.position.each_move(|mv| wins |= child.position.after(mv).over());
            if wins {
                (child.value, child.terminal) = (self.lost(1 - mover), true);
            }
        }
        Ok(())
    }

    fn results(&self) -> Option<Vec<f64>> {
        Some(vec![-self.win(), self.win()])
    }

    fn swapped(&self, position: &AmazonsPosition) -> Option<AmazonsPosition> {
        Some(position.exchanged())
    }
}

impl Notation for Amazons {
    fn network_shape(&self) -> Option<NetworkShape> {
        Some(planes::shape(self))
    }

    fn write_planes(&self, position: &AmazonsPosition, planes: &mut [f32]) {
        planes::write(self, position, planes);
    }

    fn policy_places(&self, position: &AmazonsPosition, mv: &AmazonsMove, places: &mut Vec<u32>) {
        planes::places(self, position, *mv, places);
    }

    fn move_name(&self, _: &AmazonsPosition, mv: &AmazonsMove) -> String {
        notation::move_name(*mv)
    }

    /// Reads the moves from the start, `d1-d7-g7 a7-b7-b1`, or the rows of a board and the side to move.
    fn parse(&self, text: &str) -> Result<AmazonsPosition, Error> {
        notation::read(self.size, text).map_err(Error::Position)
    }

    fn notation(&self, position: &AmazonsPosition) -> String {
        notation::write(self.size, position)
    }

    fn picture(&self, position: &AmazonsPosition) -> String {
        notation::picture(self.size, position)
    }
}
