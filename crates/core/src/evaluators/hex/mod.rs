//! Hex: circuits, connections, inferior cells, and a network that has learnt.
//!
//! ```text
//!   resistance          the evaluator without knowledge: circuits whose resistors are the cells
//!     cell_circuit      such a circuit
//!   knowledge           what can be known of a position without searching it
//!     inferior          cells that do not matter
//!     connections       what is joined whatever the opponent does
//!     connection_circuit  circuits whose wires are connections
//!     neural            the network
//!     grounds           which cells a result rests on
//!     facts             all of it for people
//! ```

#[cfg(test)]
pub(crate) mod brute;
mod cell_circuit;
mod connection_circuit;
mod connections;
mod facts;
mod grounds;
mod inferior;
mod knowledge;
mod neural;
mod resistance;

pub use connections::measure as measure_connections;
pub use neural::measure as measure_network;

use crate::error::Error;
use crate::evaluator::{Candidates, Evaluator, Game, Grounds, LeftOut, Line};
use crate::fact::Fact;
use crate::game::Rules;
use crate::games::hex::{bits, board, notation, HexGame, HexMove, HexPosition};
use crate::judge::{SORT, WIDTH};
use crate::params::{Info, Params};
use bits::Bits;
use board::Board;
use inferior::{templates, Template};
use knowledge::{knower, Known, Knows};
use neural::Neural;
use std::sync::Arc;

/// The least score of a move.
const LEAST: f64 = 1.0 / (1 << 24) as f64;
/// A win is worth 1 and -1; nothing else is.
const MOST: f64 = 1.0 - LEAST;

/// A board, and where a stone on it is connected to an edge of its colour.
#[derive(Clone, Debug)]
struct Terrain<const W: usize> {
    board: Board<W>,
    templates: Vec<Template<W>>,
}

impl<const W: usize> Terrain<W> {
    fn new(board: &Board<W>) -> Terrain<W> {
        Terrain { templates: templates(board), board: board.clone() }
    }
}

impl<const W: usize> std::ops::Deref for Terrain<W> {
    type Target = Board<W>;

    #[inline(always)]
    fn deref(&self) -> &Board<W> {
        &self.board
    }
}

/// The evaluators `resistance`, `knowledge` and `network`.
pub enum HexEvaluator<const W: usize> {
    /// Circuits over cells.
    Resistance,
    /// Connections and inferior cells, with circuits over connections or with the network.
    Knowledge(Box<dyn Knows<W>>),
}

const EVALUATORS: &[Info] = &[
    Info {
        name: "resistance",
        paper: "Anshelevich 2002",
        summary: "electric circuits of both colours: who is nearer to joining the edges, and where the current flows",
        params: &[WIDTH, SORT],
    },
    Info {
        name: "knowledge",
        paper: "Anshelevich 2002; Hayward and van Rijswijck 2006; Pawlewicz and Hayward 2015",
        summary: "virtual connections and inferior cells leave few moves and see decided games early; circuits over them",
        params: &[WIDTH, SORT],
    },
    Info {
        name: "network",
        paper: "Silver et al. 2017; Danihelka et al. 2022",
        summary: "the same moves, ranked and valued by a network that has learnt by playing itself",
        params: &[WIDTH, SORT],
    },
];

impl<const W: usize> Game for HexGame<W> {
    type Evaluator = HexEvaluator<W>;

    const EVALUATORS: &'static [Info] = EVALUATORS;

    fn evaluator(&self, name: &str, _: &Params) -> Result<HexEvaluator<W>, Error> {
        let neural = (name == "network").then(Neural::learnt);
        Ok(match name {
            "resistance" => HexEvaluator::Resistance,
            _ => HexEvaluator::Knowledge(knower(self.board.size, neural)),
        })
    }
}

impl<const W: usize> HexEvaluator<W> {
    /// What is known of a position, as if nobody could swap.
    fn known(&mut self, line: &Line<HexPosition<W>>) -> Option<Arc<Known>> {
        match self {
            HexEvaluator::Resistance => None,
            HexEvaluator::Knowledge(knower) => Some(knower.known(line)),
        }
    }

    /// The value of a position if nobody could swap.
    fn plain_value(&mut self, game: &HexGame<W>, line: &Line<HexPosition<W>>) -> f64 {
        let value = match self.known(line) {
            Some(known) => known.value,
            None => resistance::value(&game.board, line.position),
        };
        value.clamp(-MOST, MOST)
    }

    /// How fair each opening is, where the other side may swap: its score is the greater, the nearer chances are to even.
    fn fairness(
        &mut self,
        game: &HexGame<W>,
        line: &Line<HexPosition<W>>,
        moves: &[HexMove],
    ) -> Result<Vec<f64>, Error> {
        let mut scores = Vec::with_capacity(moves.len());
        for mv in moves {
            let opened = game.play(line.position, mv)?;
            let value =
                if opened.over() { 1.0 } else { self.plain_value(game, &line.then(&opened)) };
            scores.push((-10.0 * value.abs()).exp());
        }
        Ok(scores)
    }

    /// The score of a swap where the best move has this one: both leave Black to move, and what the mover expects of
    /// each has the ratio of the scores.
    fn swap_score(&mut self, game: &HexGame<W>, line: &Line<HexPosition<W>>, best: f64) -> f64 {
        let swapped = game.board.exchanged(line.position);
        // White is to move, and has Black's part after a swap
        let odds = |value: f64| (1.0 - value) / (1.0 + value);
        let staying = self.plain_value(game, line);
        let swapping = self.plain_value(game, &line.then(&swapped));
        (best * odds(swapping) / odds(staying)).max(LEAST)
    }
}

impl<const W: usize> Evaluator<HexGame<W>> for HexEvaluator<W> {
    const NARROWS: bool = true;

    /// (R_white - R_black) / (R_white + R_black), where R is the resistance of a colour's circuit; or what the network
    /// expects. With the swap rule chances are even at first, and then White chooses.
    fn value(&mut self, game: &HexGame<W>, line: &Line<HexPosition<W>>) -> Result<f64, Error> {
        if matches!(self, HexEvaluator::Knowledge(_)) && game.has_swap() {
            if line.position.ply() == 0 {
                return Ok(0.0);
            }
            if game.may_swap(line.position) {
                return Ok(-self.plain_value(game, line).abs());
            }
        }
        Ok(self.plain_value(game, line))
    }

    fn candidates(
        &mut self,
        game: &HexGame<W>,
        line: &Line<HexPosition<W>>,
        moves: &[HexMove],
        places: &mut Vec<u16>,
    ) -> Result<Candidates, Error> {
        let position = line.position;
        let opens = game.has_swap() && position.ply() == 0;
        let Some(known) = self.known(line).filter(|_| !opens) else { return Ok(Candidates::All) };
        let empty = game.board.all & !position.taken();
        if game.may_swap(position) {
            places.push(moves.len() as u16 - 1); // first, where no width cuts it off
        }
        places.extend(known.moves.iter().map(|mv| {
            // legal moves are the empty cells in order
            (empty & Bits::below(usize::from(*mv))).count() as u16
        }));
        Ok(Candidates::Listed)
    }

    fn left_out(
        &mut self,
        game: &HexGame<W>,
        line: &Line<HexPosition<W>>,
        moves: &[HexMove],
    ) -> Result<Vec<LeftOut>, Error> {
        let HexEvaluator::Knowledge(knower) = self else { return Ok(Vec::new()) };
        if game.has_swap() && line.position.ply() == 0 {
            return Ok(Vec::new());
        }
        let reasons = (0..).zip(moves).filter(|(_, mv)| **mv != game.swap_move());
        let why = knower.reasons(line);
        Ok(reasons.filter_map(|(place, mv)| Some((place, why(usize::from(*mv))?))).collect())
    }

    fn decided(
        &mut self,
        game: &HexGame<W>,
        line: &Line<HexPosition<W>>,
    ) -> Result<Option<f64>, Error> {
        let swaps = game.has_swap() && line.position.ply() <= 1 && !line.position.white_began();
        let known = self.known(line).filter(|_| !swaps);
        Ok(known.and_then(|known| known.winner).map(HexGame::<W>::win))
    }

    /// Stones never hurt in Hex. A swap is no such move.
    fn grounds(
        &mut self,
        game: &HexGame<W>,
        line: &Line<HexPosition<W>>,
    ) -> Result<Option<Arc<Grounds>>, Error> {
        let known = self.known(line).filter(|_| !game.has_swap());
        Ok(known.and_then(|known| known.grounds.clone()))
    }

    fn best_first(&self) -> bool {
        matches!(self, HexEvaluator::Knowledge(_))
    }

    fn gives_scores(&self) -> bool {
        true
    }

    /// The current through the cell in Black's circuit and in White's: a cell is as good for the one as it would
    /// be for the other. Or how likely the network makes it.
    fn scores(
        &mut self,
        game: &HexGame<W>,
        line: &Line<HexPosition<W>>,
        moves: &[HexMove],
        scores: &mut Vec<f64>,
    ) -> Result<(), Error> {
        let known = match self.known(line) {
            None => {
                resistance::scores(game, line.position, moves, scores);
                return Ok(());
            }
            Some(known) => known,
        };
        if game.has_swap() && line.position.ply() == 0 {
            scores.extend(self.fairness(game, line, moves)?);
            return Ok(());
        }
        let best = known.scores.first().map_or(1.0, |&score| f64::from(score));
        for mv in moves {
            scores.push(if *mv == game.swap_move() {
                self.swap_score(game, line, best)
            } else {
                let at = known.moves.iter().position(|known| known == mv);
                at.map_or(LEAST, |at| f64::from(known.scores[at]))
            });
        }
        Ok(())
    }

    fn facts(
        &mut self,
        _: &HexGame<W>,
        line: &Line<HexPosition<W>>,
    ) -> Result<Option<Fact>, Error> {
        Ok(match self {
            HexEvaluator::Resistance => None,
            HexEvaluator::Knowledge(knower) => Some(knower.facts(line.position)),
        })
    }

    fn bytes(&self) -> usize {
        match self {
            HexEvaluator::Resistance => 0,
            HexEvaluator::Knowledge(knower) => knower.bytes(),
        }
    }

    fn shrink(&mut self, bytes: usize) {
        if let HexEvaluator::Knowledge(knower) = self {
            knower.shrink(bytes);
        }
    }

    fn fresh(&self) -> HexEvaluator<W> {
        match self {
            HexEvaluator::Resistance => HexEvaluator::Resistance,
            HexEvaluator::Knowledge(knower) => HexEvaluator::Knowledge(knower.fresh()),
        }
    }

    fn fork(&self) -> HexEvaluator<W> {
        match self {
            HexEvaluator::Resistance => HexEvaluator::Resistance,
            HexEvaluator::Knowledge(knower) => HexEvaluator::Knowledge(knower.fork()),
        }
    }
}
