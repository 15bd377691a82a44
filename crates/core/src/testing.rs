//! For tests: a game and its evaluator as one.

#![allow(clippy::unwrap_used)]

use crate::error::Error;
use crate::evaluator::{Game, LeafBounds, Line};
use crate::game::Child;
use crate::judge::{Judge, Wanted};
use crate::params::Value;
use crate::scores::Units;
use std::sync::Arc;

/// What the usual evaluator of a game says.
pub(crate) trait Valued: Game + Clone {
    /// An evaluator by name.
    fn judge(&self, name: &str, width: Option<i64>) -> Judge<Self> {
        let params = width.map(|width| ("width".into(), Value::Int(width))).into_iter().collect();
        let wanted = Wanted { name: Some(name.into()), params };
        Judge::new(&Arc::new(self.clone()), &wanted, None).unwrap()
    }

    fn usual(&self) -> Judge<Self> {
        self.judge(Self::EVALUATORS[0].name, None)
    }

    fn evaluate(&self, position: &Self::Position) -> Result<f64, Error> {
        match self.outcome(position)? {
            Some(value) => Ok(value),
            None => self.usual().value(&Line::root(position)),
        }
    }

    fn children(
        &self,
        position: &Self::Position,
        moves: &[Self::Move],
        children: &mut Vec<Child<Self::Position>>,
    ) -> Result<(), Error> {
        self.usual().children(&Line::root(position), moves, &mut || true, children)
    }

    fn visit(
        &self,
        position: &Self::Position,
        moves: &[Self::Move],
        visit: impl FnMut(Child<Self::Position>) -> bool,
    ) -> Result<(), Error> {
        self.usual().visit(&Line::root(position), moves, visit)
    }

    fn best_successor(
        &self,
        position: &Self::Position,
        moves: &[Self::Move],
    ) -> Result<(f64, bool), Error> {
        self.usual().best_successor(&Line::root(position), moves, &mut || true)
    }

    fn move_scores(
        &self,
        position: &Self::Position,
        moves: &[Self::Move],
        scores: &mut Vec<f64>,
    ) -> Result<(), Error> {
        self.usual().scores(&Line::root(position), moves, scores)
    }

    fn relative_errors(
        &self,
        position: &Self::Position,
        moves: &[Self::Move],
        errors: &mut Vec<Units>,
    ) -> Result<(), Error> {
        self.usual().errors(&Line::root(position), moves, &[], errors)
    }

    fn bounds(&self, name: &str, position: &Self::Position) -> Option<LeafBounds> {
        self.judge(name, None).bounds(&Line::root(position)).unwrap()
    }
}

impl<G: Game + Clone> Valued for G {}
