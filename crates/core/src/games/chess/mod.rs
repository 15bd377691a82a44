//! Chess on the boards of `cozy-chess`.
//!
//! `board` is a position with its past, `value` the heuristics, `notation` how all of it is written.

mod board;
mod notation;
#[cfg(test)]
mod tests;
mod value;

use crate::error::Error;
use crate::game::{Child, Game, LeafBounds};
use crate::params::{Info, Kind, Param, Params};
use board::is_dead;
pub use board::Position;
use cozy_chess::{Board, Color, Move};
use value::{sign, Captures, Score};

/// What a win is worth, in centipawns.
const WIN: f64 = 20_000.0;

/// Chess: White, who is Max, moves first; values are centipawns.
#[derive(Clone, Copy, Debug)]
pub struct Chess {
    /// Whether static values come from a search of captures.
    captures: bool,
    /// Whether evaluations say what the other threatens.
    threats: bool,
    /// Whether there are draws by repetition, by fifty moves and by material.
    draws: bool,
    /// How often a position must occur for a draw.
    repetitions: usize,
    /// Whether keys tell positions apart by what came before.
    history: bool,
    /// Whether the moves that look best come first.
    sort: bool,
}

impl Chess {
    /// The game's entry in the tables.
    pub const INFO: Info = Info {
        name: "chess",
        paper: "Shannon 1950",
        summary: "checkmate the king; values are centipawns",
        params: &[
            Param {
                name: "captures",
                default: Kind::Bool(false),
                meaning: "static values from a search of captures (McAllester 1988, Section 10)",
            },
            Param {
                name: "threats",
                default: Kind::Bool(false),
                meaning: "the same, with what the other side threatens as a bound, for conspiracy numbers",
            },
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
                name: "sort",
                default: Kind::Bool(false),
                meaning: "moves in the order of what they gain at once, best first for the player to move",
            },
        ],
    };

    /// The game with these parameters.
    pub fn new(params: &Params) -> Result<Chess, Error> {
        let threats = params.bool("threats");
        Ok(Chess {
            captures: params.bool("captures") || threats,
            threats,
            draws: params.bool("draws"),
            repetitions: params.int("repetitions").unwrap_or(3) as usize,
            history: params.text("keys") == "history",
            sort: params.bool("sort"),
        })
    }

    /// The value of a finished game.
    #[inline]
    fn end(&self, position: &Position) -> Option<f64> {
        let board = &position.board;
        if !board.generate_moves(|_| true) {
            let lost = if position.mover() == Color::White { -WIN } else { WIN };
            return Some(if board.checkers().is_empty() { 0.0 } else { lost });
        }
        self.is_drawn(position).then_some(0.0)
    }

    /// Whether the game is drawn, though there are moves.
    #[inline]
    fn is_drawn(&self, position: &Position) -> bool {
        self.draws
            && !position.is_unclaimed()
            && (position.board.halfmove_clock() >= 100
                || is_dead(&position.board)
                || position.repeats(self.repetitions - 1))
    }

    #[inline]
    fn static_value(&self, board: &Board, score: Score, captures: &mut Captures) -> f64 {
        f64::from(if self.captures { captures.value(board, score) } else { score.value() })
    }
}

impl Game for Chess {
    type Position = Position;
    /// Castling is written as the king's capture of the rook.
    type Move = Move;

    fn start(&self) -> Result<Position, Error> {
        Ok(Position::new(Board::default()))
    }

    #[inline]
    fn max_to_move(&self, position: &Position) -> bool {
        position.mover() == Color::White
    }

    #[inline]
    fn moves(&self, position: &Position, moves: &mut Vec<Move>) -> Result<(), Error> {
        if !self.is_drawn(position) {
            position.board.generate_moves(|set| {
                moves.extend(set);
                false
            });
            if self.sort {
                let (board, score) = (&position.board, Score::of(&position.board));
                moves.sort_by_cached_key(|mv| -value::gain(board, score, *mv));
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn play(&self, position: &Position, mv: &Move) -> Result<Position, Error> {
        Ok(position.after(*mv, self.draws))
    }

    #[inline]
    fn outcome(&self, position: &Position) -> Result<Option<f64>, Error> {
        Ok(self.end(position))
    }

    fn evaluate(&self, position: &Position) -> Result<f64, Error> {
        let score = Score::of(&position.board);
        Ok(self.static_value(&position.board, score, &mut Captures::default()))
    }

    #[inline]
    fn each_successor(
        &self,
        position: &Position,
        mut show: impl FnMut(&Position) -> Result<(), Error>,
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

    #[inline]
    fn visit(
        &self,
        position: &Position,
        moves: &[Move],
        mut visit: impl FnMut(Child<Position>) -> bool,
    ) -> Result<(), Error> {
        let (mut family, mut captures) = (position.family(self.draws), Captures::default());
        let score = Score::of(&position.board);
        for mv in moves {
            let child = family.after(*mv);
            let end = self.end(&child);
            let value = end.unwrap_or_else(|| {
                let score = score.after(&position.board, *mv);
                self.static_value(&child.board, score, &mut captures)
            });
            if !visit(Child { position: child, value, terminal: end.is_some() }) {
                break;
            }
        }
        Ok(())
    }

    /// Only a check can mate.
    fn foresee(
        &self,
        _: &Position,
        _: &[Move],
        children: &mut [Child<Position>],
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
                let win = f64::from(sign(child.position.mover())) * WIN;
                (child.value, child.terminal) = (win, true);
            }
        }
        Ok(())
    }

    fn value_range(&self) -> (f64, f64) {
        (-WIN, WIN)
    }

    fn results(&self) -> Option<Vec<f64>> {
        Some(vec![-WIN, 0.0, WIN])
    }

    fn gives_bounds(&self) -> bool {
        self.threats
    }

    /// What the other would get if he could move now is the worst that one conspirator can do (McAllester 1988, Section
    /// 10). A player in check has no such choice: then nothing is known.
    fn bounds(&self, position: &Position) -> Option<LeafBounds> {
        let (board, score) = (&position.board, Score::of(&position.board));
        let passed = board.null_move()?;
        let mut captures = Captures::default();
        let value = f64::from(captures.value(board, score));
        let threat = f64::from(captures.value(&passed, score));
        let (alone, both) = (vec![value], vec![value, threat]);
        Some(match position.mover() {
            Color::White => LeafBounds { upper: alone, lower: both },
            Color::Black => LeafBounds { upper: both, lower: alone },
        })
    }

    fn gives_scores(&self) -> bool {
        true
    }

    fn move_scores(
        &self,
        position: &Position,
        moves: &[Move],
        scores: &mut Vec<f64>,
    ) -> Result<(), Error> {
        let (board, score) = (&position.board, Score::of(&position.board));
        scores.extend(moves.iter().map(|mv| value::move_score(board, score, *mv)));
        Ok(())
    }

    #[inline]
    fn key(&self, position: &Position) -> Result<Option<u64>, Error> {
        Ok(Some(if self.history { position.history_key() } else { position.board_key() }))
    }

    /// Where keys hold the past, the rules see to repetitions, and no key comes back.
    fn repeats(&self) -> bool {
        !(self.draws && self.history)
    }

    /// Repetitions and fifty moves have to be claimed; where nobody does, the game goes on as long as there are moves.
    fn play_on(&self, position: &Position) -> Result<Option<Position>, Error> {
        Ok(position.board.generate_moves(|_| true).then(|| position.unclaimed()))
    }

    fn swapped(&self, position: &Position) -> Option<Position> {
        self.parse(&notation::swapped(position)).ok()
    }

    /// As in the protocol of engines: from, to, and what a pawn becomes.
    fn move_name(&self, position: &Position, mv: &Move) -> String {
        notation::move_name(position, *mv)
    }

    fn move_text(&self, position: &Position, mv: &Move) -> String {
        notation::move_text(position, *mv)
    }

    fn find_move(&self, position: &Position, moves: &[Move], text: &str) -> Option<usize> {
        notation::find_move(position, moves, text)
    }

    /// Reads a board in Forsyth-Edwards notation, moves from the start, or both: `<board> moves e2e4 e7e5`.
    fn parse(&self, text: &str) -> Result<Position, Error> {
        notation::read(self, text).map_err(Error::Position)
    }

    fn notation(&self, position: &Position) -> String {
        notation::write(position)
    }

    fn picture(&self, position: &Position) -> String {
        notation::picture(position)
    }
}
