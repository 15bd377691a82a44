//! The Game of the Amazons on bitboards.
//!
//! `board` is a position and how amazons move, `value` the heuristic, `notation` how all of it is written.

mod board;
mod notation;
#[cfg(test)]
mod tests;
mod value;

use crate::error::Error;
use crate::game::{Child, Game};
use crate::mix::key_of;
use crate::params::{Info, Kind, Param, Params};
use board::{around, Move, Position, LARGEST, WHITE};

/// The shortest side.
const SMALLEST: usize = 4;

/// Amazons: White, who is Max, moves first; who cannot move loses.
#[derive(Clone, Copy, Debug)]
pub struct Amazons {
    size: usize,
    /// How many moves of a position there are, if not all.
    width: Option<usize>,
}

impl Amazons {
    /// The game's entry in the tables.
    pub const INFO: Info = Info {
        name: "amazons",
        paper: "Utgoff and Cochran 2001; Lieberum 2005",
        summary:
            "move like a queen, then shoot an arrow that burns a square; the last to move wins",
        params: &[
            Param {
                name: "size",
                default: Kind::Int(10, SMALLEST as i64),
                meaning: "rows and columns, 4 to 10",
            },
            Param {
                name: "width",
                default: Kind::MaybeInt(1),
                meaning: "only so many moves of a position, the best by static value; nothing: all",
            },
        ],
    };

    /// The game with these parameters, which have been checked against [`Amazons::INFO`].
    pub fn new(params: &Params) -> Result<Amazons, Error> {
        let size = params.int("size").unwrap_or(LARGEST as i64);
        if !(SMALLEST as i64..=LARGEST as i64).contains(&size) {
            return Err(Error::Argument(format!(
                "size must be from {SMALLEST} to {LARGEST}, not {size}"
            )));
        }
        let width = params.int("width").and_then(|width| usize::try_from(width).ok());
        Ok(Amazons { size: size as usize, width })
    }

    /// What a game is worth that White has won: all squares of the board.
    #[inline(always)]
    fn win(&self) -> f64 {
        (self.size * self.size) as f64
    }

    /// The value of a finished game, which the player to move has lost.
    #[inline(always)]
    fn lost(&self, mover: usize) -> f64 {
        if mover == WHITE {
            -self.win()
        } else {
            self.win()
        }
    }

    #[inline(always)]
    fn static_value(&self, position: &Position) -> f64 {
        let most = self.win() - 1.0;
        (f64::from(value::estimate(position)) / 4.0).clamp(-most, most)
    }

    #[inline(always)]
    fn valued(&self, position: Position) -> Child<Position> {
        let terminal = position.over();
        let value =
            if terminal { self.lost(position.mover()) } else { self.static_value(&position) };
        Child { position, value, terminal }
    }

    /// Leaves only the best moves from `first` on, in the order they are in.
    fn narrow(&self, position: &Position, width: usize, first: usize, moves: &mut Vec<Move>) {
        let all = &moves[first..];
        if all.len() <= width {
            return;
        }
        let sign = if position.mover() == WHITE { -1.0 } else { 1.0 };
        let value = |mv: &Move| sign * self.valued(position.after(*mv)).value;
        let mut ranked: Vec<(f64, usize)> = all.iter().map(value).zip(0..).collect();
        let by_value = |one: &(f64, usize), two: &(f64, usize)| {
            one.0.total_cmp(&two.0).then(one.1.cmp(&two.1))
        };
        ranked.select_nth_unstable_by(width, by_value);
        let mut places: Vec<usize> = ranked[..width].iter().map(|ranked| ranked.1).collect();
        places.sort_unstable();
        for (at, place) in places.into_iter().enumerate() {
            moves[first + at] = moves[first + place];
        }
        moves.truncate(first + width);
    }
}

impl Game for Amazons {
    type Position = Position;
    type Move = Move;

    fn start(&self) -> Result<Position, Error> {
        Ok(notation::start(self.size))
    }

    #[inline]
    fn max_to_move(&self, position: &Position) -> bool {
        position.mover() == WHITE
    }

    #[inline]
    fn moves(&self, position: &Position, moves: &mut Vec<Move>) -> Result<(), Error> {
        let first = moves.len();
        position.each_move(|mv| moves.push(mv));
        if let Some(width) = self.width {
            self.narrow(position, width, first, moves);
        }
        Ok(())
    }

    #[inline]
    fn play(&self, position: &Position, mv: &Move) -> Result<Position, Error> {
        Ok(position.after(*mv))
    }

    #[inline]
    fn outcome(&self, position: &Position) -> Result<Option<f64>, Error> {
        Ok(position.over().then(|| self.lost(position.mover())))
    }

    fn evaluate(&self, position: &Position) -> Result<f64, Error> {
        Ok(self.valued(*position).value)
    }

    #[inline]
    fn each_successor(
        &self,
        position: &Position,
        mut show: impl FnMut(&Position) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if self.width.is_none() {
            return position.each_successor(show);
        }
        let mut moves = Vec::new();
        self.moves(position, &mut moves)?;
        moves.iter().try_for_each(|mv| show(&position.after(*mv)))
    }

    #[inline]
    fn visit(
        &self,
        position: &Position,
        moves: &[Move],
        mut visit: impl FnMut(Child<Position>) -> bool,
    ) -> Result<(), Error> {
        for mv in moves {
            if !visit(self.valued(position.after(*mv))) {
                break;
            }
        }
        Ok(())
    }

    /// To leave the other without a move takes two squares at most: where he has more, nobody need look.
    fn foresee(
        &self,
        _: &Position,
        _: &[Move],
        children: &mut [Child<Position>],
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

    fn value_range(&self) -> (f64, f64) {
        (-self.win(), self.win())
    }

    fn results(&self) -> Option<Vec<f64>> {
        Some(vec![-self.win(), self.win()])
    }

    fn gives_scores(&self) -> bool {
        true
    }

    /// Twice as good for every four squares that it is worth more.
    fn move_scores(
        &self,
        position: &Position,
        moves: &[Move],
        scores: &mut Vec<f64>,
    ) -> Result<(), Error> {
        let sign = if position.mover() == WHITE { 0.25 } else { -0.25 };
        let score = |mv: &Move| (sign * self.valued(position.after(*mv)).value).exp2();
        scores.extend(moves.iter().map(score));
        Ok(())
    }

    #[inline]
    fn key(&self, position: &Position) -> Result<Option<u64>, Error> {
        Ok(Some(key_of(position.words())))
    }

    fn swapped(&self, position: &Position) -> Option<Position> {
        Some(position.exchanged())
    }

    fn move_name(&self, _: &Position, mv: &Move) -> String {
        notation::move_name(*mv)
    }

    /// Reads the moves from the start, `d1-d7-g7 a7-b7-b1`, or the rows of a board and the side to move.
    fn parse(&self, text: &str) -> Result<Position, Error> {
        notation::read(self.size, text).map_err(Error::Position)
    }

    fn notation(&self, position: &Position) -> String {
        notation::write(self.size, position)
    }

    fn picture(&self, position: &Position) -> String {
        notation::picture(self.size, position)
    }
}
