//! The evaluator that a game written in Python is to itself.

use super::{attached, PythonGame, PythonMove, PythonState};
use crate::answers::numbers;
use conspirator_core::evaluator::{Evaluator, Game, LeafBounds, Line, Watch};
use conspirator_core::game::Child;
use conspirator_core::params::{Info, Kind, Param, Params};
use conspirator_core::Error;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

/// The evaluator of a game written in Python: its own methods.
pub struct OwnMethods {
    scores: bool,
    bounds: Arc<AtomicBool>,
}

impl Game for PythonGame {
    type Evaluator = OwnMethods;

    const EVALUATORS: &'static [Info] = &[Info {
        name: "own",
        paper: "",
        summary: "the game's methods evaluate, evaluate_many and move_scores",
        params: &[
            Param {
                name: "width",
                default: Kind::MaybeInt(1),
                meaning:
                    "look at only so many moves of a position, the best by their scores or values",
            },
            Param {
                name: "sort",
                default: Kind::Bool(false),
                meaning: "moves in the order of their scores or values, best first",
            },
        ],
    }];

    fn evaluator(&self, _: &str, _: &Params) -> Result<OwnMethods, Error> {
        let scores = self.move_scores.is_some();
        Ok(OwnMethods { scores, bounds: self.gives_bounds.clone() })
    }
}

impl Evaluator<PythonGame> for OwnMethods {
    fn value(&mut self, game: &PythonGame, line: &Line<PythonState>) -> Result<f64, Error> {
        attached(|py| game.value(py, &mut line.position.clone()))
    }

    fn visit(
        &mut self,
        game: &PythonGame,
        line: &Line<PythonState>,
        moves: &[PythonMove],
        mut visit: impl FnMut(Child<PythonState>) -> bool,
    ) -> Result<(), Error> {
        // a method for many gets all of them at once; any other is asked for as many as needed
        let at_once = if game.evaluate_many.is_some() { moves.len().max(1) } else { 1 };
        for part in moves.chunks(at_once) {
            let mut children = Vec::with_capacity(part.len());
            attached(|py| game.family(py, line.position, part, None, &mut children))?;
            for child in children {
                if !visit(child) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn children(
        &mut self,
        game: &PythonGame,
        line: &Line<PythonState>,
        moves: &[PythonMove],
        _: Watch,
        children: &mut Vec<Child<PythonState>>,
    ) -> Result<(), Error> {
        attached(|py| game.family(py, line.position, moves, None, children))
    }

    fn gives_scores(&self) -> bool {
        self.scores
    }

    fn scores(
        &mut self,
        game: &PythonGame,
        line: &Line<PythonState>,
        moves: &[PythonMove],
        scores: &mut Vec<f64>,
    ) -> Result<(), Error> {
        let Some(method) = &game.move_scores else { return Ok(()) };
        attached(|py| {
            let answer = method.bind(py).call1((&line.position.state,))?;
            let legal = game.list_moves(py, line.position)?;
            let all = numbers(answer, "move_scores", "scores", legal.len(), "moves")?;
            if legal.len() == moves.len() {
                scores.extend(all);
                return Ok(());
            }
            // some of the moves only
            for mv in moves {
                for (other, score) in legal.iter().zip(&all) {
                    if other.bind(py).eq(&mv.0)? {
                        scores.push(*score);
                        break;
                    }
                }
            }
            Ok(())
        })
    }

    fn gives_bounds(&self) -> bool {
        self.bounds.load(Ordering::Relaxed)
    }

    fn bounds(
        &mut self,
        game: &PythonGame,
        line: &Line<PythonState>,
    ) -> Result<Option<LeafBounds>, Error> {
        let mut at = line.position.clone();
        if at.bounds.is_none() {
            attached(|py| game.value(py, &mut at))?;
        }
        Ok(at.bounds.flatten().map(|bounds| *bounds))
    }

    fn tempo(&self, game: &PythonGame, _: &PythonState) -> f64 {
        game.tempo
    }

    fn fresh(&self) -> OwnMethods {
        OwnMethods { scores: self.scores, bounds: self.bounds.clone() }
    }
}
