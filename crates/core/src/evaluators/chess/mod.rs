//! Chess: material and places, as they are or after a search of captures; and all that counts in a position.

mod exchange;
mod positional;
mod terms;
#[cfg(test)]
mod tests;
mod value;
mod weights;

use crate::error::Error;
use crate::evaluator::{Evaluator, Game, LeafBounds, Line};
use crate::fact::Fact;
use crate::game::Child;
use crate::games::chess::ChessPosition;
use crate::games::Chess;
use crate::judge::{SORT, WIDTH};
use crate::params::{Info, Params};
use cozy_chess::{Board, Color, Move};
use positional::Positional;
use value::{sign, Captures, Score};

/// The evaluators `material`, `captures`, `positional` and `threats`.
pub struct ChessValues {
    kind: ChessValuing,
    /// Whether bounds say what the other threatens.
    threats: bool,
}

/// Where static values come from.
enum ChessValuing {
    /// The pieces on their squares.
    Material,
    /// The same after a search of captures.
    Captures(Captures),
    /// All terms, after a search of captures.
    Positional(Positional),
}

impl Game for Chess {
    type Evaluator = ChessValues;

    const EVALUATORS: &'static [Info] = &[
        Info {
            name: "material",
            paper: "Michniewski 2008",
            summary: "what the pieces are worth on their squares, in centipawns",
            params: &[WIDTH, SORT],
        },
        Info {
            name: "captures",
            paper: "McAllester 1988, Section 10",
            summary: "the same after a search of captures, in which a player may always stop",
            params: &[WIDTH, SORT],
        },
        Info {
            name: "positional",
            paper: "Shannon 1950",
            summary: "mobility, pawns, threats, the king's safety and much more, after captures that do not lose",
            params: &[WIDTH, SORT],
        },
        Info {
            name: "threats",
            paper: "McAllester 1988, Section 10",
            summary:
                "the same, with what the other side threatens as a bound, for conspiracy numbers",
            params: &[WIDTH, SORT],
        },
    ];

    fn evaluator(&self, name: &str, _: &Params) -> Result<ChessValues, Error> {
        let kind = match name {
            "material" => ChessValuing::Material,
            "positional" => ChessValuing::Positional(Positional::new()),
            _ => ChessValuing::Captures(Captures::default()),
        };
        Ok(ChessValues { kind, threats: name == "threats" })
    }
}

impl ChessValues {
    #[inline]
    fn of(&mut self, board: &Board, score: Score) -> f64 {
        f64::from(match &mut self.kind {
            ChessValuing::Material => score.value(),
            ChessValuing::Captures(captures) => captures.value(board, score),
            ChessValuing::Positional(positional) => positional.value(board),
        })
    }
}

impl Evaluator<Chess> for ChessValues {
    fn value(&mut self, _: &Chess, line: &Line<ChessPosition>) -> Result<f64, Error> {
        let board = &line.position.board;
        Ok(self.of(board, Score::of(board)))
    }

    fn glance(&mut self, _: &Chess, line: &Line<ChessPosition>) -> Result<f64, Error> {
        let board = &line.position.board;
        Ok(f64::from(match &mut self.kind {
            ChessValuing::Positional(positional) => positional.glance(board),
            _ => Score::of(board).value(),
        }))
    }

    fn value_within(
        &mut self,
        _: &Chess,
        line: &Line<ChessPosition>,
        (low, high): (f64, f64),
    ) -> Result<f64, Error> {
        let board = &line.position.board;
        let sign = sign(line.position.mover());
        // values are whole numbers
        let (low, high) = (low.floor() as i32, high.ceil() as i32);
        let (alpha, beta) = if sign > 0 { (low, high) } else { (-high, -low) };
        Ok(f64::from(match &mut self.kind {
            ChessValuing::Material => Score::of(board).value(),
            ChessValuing::Captures(captures) => {
                sign * captures.search(board, Score::of(board), alpha, beta)
            }
            ChessValuing::Positional(positional) => sign * positional.within(board, alpha, beta),
        }))
    }

    fn promise(&self, _: &Chess, position: &ChessPosition, mv: &Move) -> Option<f64> {
        exchange::promise(&position.board, *mv).map(f64::from)
    }

    #[inline]
    fn visit(
        &mut self,
        game: &Chess,
        line: &Line<ChessPosition>,
        moves: &[Move],
        mut visit: impl FnMut(Child<ChessPosition>) -> bool,
    ) -> Result<(), Error> {
        let board = &line.position.board;
        let (mut family, score) = (line.position.family(game.keeps_past()), Score::of(board));
        for mv in moves {
            let position = family.after(*mv);
            let end = game.end(&position);
            let value = match end {
                Some(value) => value,
                None => self.of(&position.board, score.after(board, *mv)),
            };
            if !visit(Child { position, value, terminal: end.is_some() }) {
                break;
            }
        }
        Ok(())
    }

    fn gives_bounds(&self) -> bool {
        self.threats
    }

    /// What the other would get if it could move now is the worst that one conspirator can do (McAllester 1988, Section
    /// 10). A player in check has no such choice: then nothing is known.
    fn bounds(
        &mut self,
        _: &Chess,
        line: &Line<ChessPosition>,
    ) -> Result<Option<LeafBounds>, Error> {
        let (board, score) = (&line.position.board, Score::of(&line.position.board));
        let Some(passed) = board.null_move() else { return Ok(None) };
        let (value, threat) = (self.of(board, score), self.of(&passed, score));
        let (alone, both) = (vec![value], vec![value, threat]);
        Ok(Some(match line.position.mover() {
            Color::White => LeafBounds { upper: alone, lower: both },
            Color::Black => LeafBounds { upper: both, lower: alone },
        }))
    }

    fn gives_scores(&self) -> bool {
        true
    }

    fn scores(
        &mut self,
        _: &Chess,
        line: &Line<ChessPosition>,
        moves: &[Move],
        scores: &mut Vec<f64>,
    ) -> Result<(), Error> {
        let (board, score) = (&line.position.board, Score::of(&line.position.board));
        scores.extend(moves.iter().map(|mv| value::move_score(board, score, *mv)));
        Ok(())
    }

    /// By what they gain at once, which is found faster than scores.
    fn ranks(
        &mut self,
        _: &Chess,
        line: &Line<ChessPosition>,
        moves: &[Move],
        ranks: &mut Vec<f64>,
    ) -> Result<(), Error> {
        let (board, score) = (&line.position.board, Score::of(&line.position.board));
        ranks.extend(moves.iter().map(|mv| f64::from(value::gain(board, score, *mv))));
        Ok(())
    }

    /// What each kind of terms is worth to White, in the middle game and the end game; and how often each term occurs.
    fn facts(&mut self, _: &Chess, line: &Line<ChessPosition>) -> Result<Option<Fact>, Error> {
        let ChessValuing::Positional(_) = self.kind else { return Ok(None) };
        let (worth, terms) = positional::explain(&line.position.board);
        let worth = worth.into_iter().map(|(name, pair)| (name, Fact::list(pair.map(f64::from))));
        let terms = terms.into_iter().map(|(term, times)| (term.to_string(), f64::from(times)));
        Ok(Some(Fact::map([("values", Fact::map(worth)), ("terms", Fact::map(terms))])))
    }

    fn bytes(&self) -> usize {
        match &self.kind {
            ChessValuing::Positional(positional) => positional.bytes(),
            _ => 0,
        }
    }

    fn shrink(&mut self, bytes: usize) {
        if let ChessValuing::Positional(positional) = &mut self.kind {
            positional.shrink(bytes);
        }
    }

    fn fresh(&self) -> ChessValues {
        let kind = match &self.kind {
            ChessValuing::Material => ChessValuing::Material,
            ChessValuing::Captures(_) => ChessValuing::Captures(Captures::default()),
            ChessValuing::Positional(_) => ChessValuing::Positional(Positional::new()),
        };
        ChessValues { kind, threats: self.threats }
    }
}
