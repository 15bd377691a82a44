//! Chess on the boards of `cozy-chess`.
//!
//! `board` is a position with its past, `notation` how all of it is written.

mod board;
mod notation;
mod planes;
#[cfg(test)]
pub(crate) mod tests;

use crate::error::Error;
use crate::game::{Child, NetworkShape, Notation, Rules, Shortcuts};
use crate::params::{Info, Kind, Param, Params};
use board::is_dead;
pub(crate) use board::ChessPosition;
use cozy_chess::{Board, Color, Move, Piece};

/// What a win is worth, in centipawns.
const WIN: f64 = 20_000.0;

/// Chess: White, who is Max, moves first; values are centipawns.
#[derive(Clone, Copy, Debug)]
pub struct Chess {
    /// Whether there are draws by repetition, by fifty moves and by material.
    draws: bool,
    /// How often a position must occur for a draw.
    repetitions: usize,
    /// Whether keys tell positions apart by what came before.
    history: bool,
    /// Whether kings and rooks castle from wherever they stood at the start.
    chess960: bool,
    /// The number of the position at the start.
    start: u32,
}

/// The number of the usual position at the start among the 960.
const USUAL: u32 = 518;

impl Chess {
    /// The game's entry in the tables.
    pub const INFO: Info = Info {
        name: "chess",
        paper: "Shannon 1950",
        summary: "checkmate the king; values are centipawns",
        params: &[
            Param {
                name: "draws",
                default: Kind::Bool(true),
                meaning: "draws by repetition, by fifty moves and by material; false: by stalemate only",
            },
            Param {
                name: "repetitions",
                default: Kind::Int(3, 2),
                meaning: "how often a position occurs until it is a draw: 3 by the rules, 2 in many programs",
            },
            Param {
                name: "keys",
                default: Kind::Choice(&["history", "board"]),
                meaning: "what makes positions equal in a table: all that can still matter, or the board alone",
            },
            Param {
                name: "chess960",
                default: Kind::Bool(false),
                meaning: "kings castle with rooks from wherever they stood; a king that castles takes its own rook",
            },
            Param {
                name: "start",
                default: Kind::Int(USUAL as i64, 0),
                meaning: "the number of the position at the start, up to 959; 518 is the usual one",
            },
        ],
    };

    /// The game with these parameters.
    pub fn new(params: &Params) -> Result<Chess, Error> {
        let (chess960, start) = (params.bool("chess960"), params.int("start").unwrap_or(0));
        let start = u32::try_from(start).unwrap_or(u32::MAX);
        if start >= 960 || (start != USUAL && !chess960) {
            return Err(Error::Argument(format!(
                "start is a number up to 959, and needs chess960=True if it is not {USUAL}, not {start}"
            )));
        }
        Ok(Chess {
            chess960,
            start,
            draws: params.bool("draws"),
            repetitions: params.int("repetitions").unwrap_or(3) as usize,
            history: params.text("keys") == "history",
        })
    }

    /// The value of a finished game.
    #[inline]
    pub(crate) fn end(&self, position: &ChessPosition) -> Option<f64> {
        let board = &position.board;
        if !board.generate_moves(|_| true) {
            let lost = if position.mover() == Color::White { -WIN } else { WIN };
            return Some(if board.checkers().is_empty() { 0.0 } else { lost });
        }
        self.is_drawn(position).then_some(0.0)
    }

    /// Whether the game is drawn, though there are moves.
    #[inline]
    fn is_drawn(&self, position: &ChessPosition) -> bool {
        self.draws
            && !position.is_unclaimed()
            && (position.board.halfmove_clock() >= 100
                || is_dead(&position.board)
                || position.repeats(self.repetitions - 1))
    }
}

impl Chess {
    /// Whether kings and rooks castle from wherever they stood.
    fn is_960(&self) -> bool {
        self.chess960
    }

    /// The board at the start.
    fn first_board(&self) -> Board {
        Board::chess960_startpos(self.start)
    }

    /// Whether positions have to know what came before.
    pub(crate) fn keeps_past(&self) -> bool {
        self.draws
    }
}

impl Rules for Chess {
    type Position = ChessPosition;
    /// Castling is written as the king's capture of the rook.
    type Move = Move;

    fn start(&self) -> Result<ChessPosition, Error> {
        Ok(ChessPosition::new(self.first_board()))
    }

    #[inline]
    fn max_to_move(&self, position: &ChessPosition) -> bool {
        position.mover() == Color::White
    }

    #[inline]
    fn moves(&self, position: &ChessPosition, moves: &mut Vec<Move>) -> Result<(), Error> {
        if !self.is_drawn(position) {
            position.board.generate_moves(|set| {
                moves.extend(set);
                false
            });
        }
        Ok(())
    }

    #[inline(always)]
    fn play(&self, position: &ChessPosition, mv: &Move) -> Result<ChessPosition, Error> {
        Ok(position.after(*mv, self.draws))
    }

    #[inline]
    fn outcome(&self, position: &ChessPosition) -> Result<Option<f64>, Error> {
        Ok(self.end(position))
    }

    #[inline]
    fn each_successor(
        &self,
        position: &ChessPosition,
        mut show: impl FnMut(&ChessPosition) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut shown = Ok(());
        if !self.is_drawn(position) {
            let mut family = position.family(self.draws);
            position.board.generate_moves(|set| {
                shown = set.into_iter().try_for_each(|mv| {
                    let mut next = family.copy();
                    family.play(&mut next, mv);
                    show(&next)
                });
                shown.is_err()
            });
        }
        shown
    }

    fn value_range(&self) -> (f64, f64) {
        (-WIN, WIN)
    }

    #[inline]
    fn key(&self, position: &ChessPosition) -> Result<Option<u64>, Error> {
        Ok(Some(if self.history { position.history_key() } else { position.board_key() }))
    }
}

impl Shortcuts for Chess {
    /// Only a check can mate.
    fn foresee(
        &self,
        _: &ChessPosition,
        _: &[Move],
        children: &mut [Child<ChessPosition>],
    ) -> Result<(), Error> {
        for child in children.iter_mut().filter(|child| !child.terminal) {
            let board = &child.position.board;
            let mates = board.generate_moves(|set| {
                set.into_iter().any(|mv| {
                    let mut after = board.clone();
                    after.play_unchecked(mv);
                    !after.checkers().is_empty() && !after.generate_moves(|_| true)
                })
            });
            if mates {
                let win = if child.position.mover() == Color::White { WIN } else { -WIN };
                (child.value, child.terminal) = (win, true);
            }
        }
        Ok(())
    }

    fn is_urgent(&self, position: &ChessPosition) -> bool {
        !position.board.checkers().is_empty()
    }

    fn recurs(&self, position: &ChessPosition) -> bool {
        self.draws && position.repeats(1)
    }

    /// With pawns alone a move is often worse than none.
    fn pass(&self, position: &ChessPosition) -> Option<ChessPosition> {
        let board = &position.board;
        let small = board.pieces(Piece::Pawn) | board.pieces(Piece::King);
        if (board.colors(board.side_to_move()) & !small).is_empty() {
            return None;
        }
        board.null_move().map(ChessPosition::new)
    }

    fn has_margins(&self) -> bool {
        true
    }

    fn move_slot(&self, position: &ChessPosition, mv: &Move) -> usize {
        let board = &position.board;
        let piece = board.piece_on(mv.from).map_or(0, |piece| piece as usize);
        (board.side_to_move() as usize * 6 + piece) * 64 + mv.to as usize
    }

    fn results(&self) -> Option<Vec<f64>> {
        Some(vec![-WIN, 0.0, WIN])
    }

    /// Where keys hold the past, the rules see to repetitions, and no key comes back.
    fn repeats(&self) -> bool {
        !(self.draws && self.history)
    }

    /// The board alone: a strategy that never comes back to one needs no past.
    fn proof_key(&self, position: &ChessPosition) -> Result<Option<u64>, Error> {
        Ok(Some(position.board_key()))
    }

    /// By their names.
    fn proof_order(&self, position: &ChessPosition, moves: &[Move]) -> Vec<u32> {
        let names: Vec<String> = moves.iter().map(|mv| self.move_name(position, mv)).collect();
        let mut places: Vec<u32> = (0..moves.len() as u32).collect();
        places.sort_by(|one, two| names[*one as usize].cmp(&names[*two as usize]));
        places
    }

    /// Repetitions and fifty moves have to be claimed; where nobody does, the game goes on as long as there are moves.
    fn play_on(&self, position: &ChessPosition) -> Result<Option<ChessPosition>, Error> {
        Ok(position.board.generate_moves(|_| true).then(|| position.unclaimed()))
    }

    fn swapped(&self, position: &ChessPosition) -> Option<ChessPosition> {
        self.parse(&notation::swapped(self, position)).ok()
    }
}

impl Notation for Chess {
    fn network_shape(&self) -> Option<NetworkShape> {
        Some(planes::shape(self))
    }

    fn write_planes(&self, position: &ChessPosition, planes: &mut [f32]) {
        planes::write(self, position, planes);
    }

    fn policy_places(&self, position: &ChessPosition, mv: &Move, places: &mut Vec<u32>) {
        planes::places(self, position, *mv, places);
    }

    /// As in the protocol of engines: from, to, and what a pawn becomes.
    fn move_name(&self, position: &ChessPosition, mv: &Move) -> String {
        notation::move_name(self, position, *mv)
    }

    fn move_text(&self, position: &ChessPosition, mv: &Move) -> String {
        notation::move_text(position, *mv)
    }

    fn find_move(&self, position: &ChessPosition, moves: &[Move], text: &str) -> Option<usize> {
        notation::find_move(self, position, moves, text)
    }

    /// Reads a board in Forsyth-Edwards notation, moves from the start, or both: `<board> moves e2e4 e7e5`.
    fn parse(&self, text: &str) -> Result<ChessPosition, Error> {
        notation::read(self, text).map_err(Error::Position)
    }

    fn notation(&self, position: &ChessPosition) -> String {
        notation::write(self, position)
    }

    fn picture(&self, position: &ChessPosition) -> String {
        notation::picture(position)
    }
}
