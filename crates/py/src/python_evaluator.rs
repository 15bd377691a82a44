//! Which evaluator a search has: one of the game's own by name, or one written in Python, for games of any kind.

use crate::answers::{number, numbers};
use crate::error::{foreign, raise, GameError};
use crate::params::{read, text};
use crate::position::Position;
use conspirator_core::any::{AnyForeign, AnyPosition, Evaluation};
use conspirator_core::judge::{Opinion, Wanted};
use conspirator_core::Error;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};
use std::sync::Arc;

/// The evaluator that a user means, in whatever form it is given: the package knows them all, and makes of it
/// (name or None, its parameters, an object or None).
pub fn evaluation(position: &Position, given: Option<&Bound<'_, PyAny>>) -> PyResult<Evaluation> {
    let Some(given) = given.filter(|given| !given.is_none()) else {
        return Ok(Evaluation::default());
    };
    let package = given.py().import(intern!(given.py(), "conspirator._evaluator"))?;
    let given = package.call_method1(intern!(given.py(), "resolve"), (given,))?;
    let (name, params, object): (Option<Bound<PyString>>, Bound<PyDict>, Bound<PyAny>) =
        given.extract()?;
    let own = Wanted { name: name.as_ref().map(text), params: read(&params)? };
    if object.is_none() {
        return Ok(Evaluation { own, ..Evaluation::default() });
    }
    let foreign = PythonEvaluator::new(position, &object)?;
    Ok(Evaluation { own, foreign: Some(Box::new(foreign)), certainty: None })
}

/// The user's object: its methods, looked up once, and what it has turned out to give.
struct PythonEvaluator {
    /// The game object that positions belong to.
    game: Py<PyAny>,
    evaluate: Py<PyAny>,
    candidates: Option<Py<PyAny>>,
    outcome: Option<Py<PyAny>>,
    /// What it remembers, and how to make it remember less.
    memory: Option<[Py<PyAny>; 2]>,
    sound: bool,
    scored: bool,
    /// The user's own range of values, and the game's.
    ranges: Option<[(f64, f64); 2]>,
}

impl PythonEvaluator {
    /// Asks about the position, if the game goes on there, to see whether there are scores.
    fn new(position: &Position, object: &Bound<'_, PyAny>) -> PyResult<PythonEvaluator> {
        let py = object.py();
        let written = |name: &str| -> PyResult<Option<Py<PyAny>>> {
            let Some(method) = object.getattr_opt(name)? else { return Ok(None) };
            let absent = method.getattr_opt(intern!(py, "_not_written"))?.is_some();
            Ok((!absent).then(|| method.unbind()))
        };
        // a function is asked itself
        let evaluate = written("evaluate")?.unwrap_or_else(|| object.clone().unbind());
        let range: Option<(f64, f64)> = match object.getattr_opt("value_range")? {
            Some(range) => range.extract().map_err(|_| {
                let text = "value_range of an evaluator must be (least, greatest) or None";
                GameError::new_err(format!("{text}, not {range:?}"))
            })?,
            None => None,
        };
        if range.is_some_and(|(low, high)| !(low < high && (high - low).is_finite())) {
            let text = "value_range of an evaluator must be (least, greatest), both finite";
            return Err(GameError::new_err(text));
        }
        let ranges = match (range, position.inner.value_range()) {
            (Some(own), game) if (game.1 - game.0).is_finite() => Some([own, game]),
            (Some(_), _) => {
                let text = "an evaluator with a value_range needs a game with one: give the game \
                    its least and greatest value";
                return Err(GameError::new_err(text));
            }
            (None, _) => None,
        };
        let sound = match object.getattr_opt("sound")? {
            Some(sound) => sound.is_truthy()?,
            None => false,
        };
        let mut this = PythonEvaluator {
            game: position.game(py),
            evaluate,
            candidates: written("candidates")?,
            outcome: written("outcome")?,
            memory: written("bytes")?
                .zip(written("shrink")?)
                .map(|(bytes, shrink)| [bytes, shrink]),
            sound,
            scored: false,
            ranges,
        };
        if position.inner.outcome().is_ok_and(|outcome| outcome.is_none()) {
            let first = this.opinions(py, vec![position.inner.clone()], None);
            let first = first.map_err(|error| raise(py, foreign(py, error).at_root()))?;
            this.scored = first.first().is_some_and(|opinion| opinion.scores.is_some());
        }
        Ok(this)
    }

    fn shown<'py>(
        &self,
        py: Python<'py>,
        inner: Arc<dyn AnyPosition>,
    ) -> PyResult<Bound<'py, Position>> {
        Bound::new(py, Position { inner, game: self.game.clone_ref(py) })
    }

    /// What the user's method says of some positions; `scored` tells whether it gave scores before.
    fn opinions(
        &self,
        py: Python<'_>,
        positions: Vec<Arc<dyn AnyPosition>>,
        scored: Option<bool>,
    ) -> PyResult<Vec<Opinion>> {
        let count = positions.len();
        let shown: PyResult<Vec<_>> =
            positions.into_iter().map(|position| self.shown(py, position)).collect();
        let answer = self.evaluate.bind(py).call1((PyList::new(py, shown?)?,))?;
        let (values, scores) = match answer.cast::<PyTuple>() {
            Ok(pair) if pair.len() == 2 && !is_number(&pair.get_item(0)?) => {
                (pair.get_item(0)?, Some(pair.get_item(1)?))
            }
            _ => (answer, None),
        };
        if scored.is_some_and(|scored| scored != scores.is_some()) {
            let text = "evaluate must return (values, scores) always, or values always";
            return Err(GameError::new_err(text));
        }
        let values = numbers(values, "evaluate", "values", count, "positions")?;
        let values: PyResult<Vec<f64>> =
            values.into_iter().map(|value| self.in_game_units(value)).collect();
        let lists = match scores {
            None => vec![None; count],
            Some(lists) => score_lists(lists, count)?,
        };
        let opinions = values?.into_iter().zip(lists);
        Ok(opinions.map(|(value, scores)| Opinion { value, scores }).collect())
    }

    /// A value on the game's own scale.
    fn in_game_units(&self, value: f64) -> PyResult<f64> {
        let Some([(low, high), (least, most)]) = self.ranges else { return Ok(value) };
        if !(low..=high).contains(&value) {
            return Err(GameError::new_err(format!(
                "the value {value} is outside the evaluator's range {low} to {high}"
            )));
        }
        Ok((least + (value - low) / (high - low) * (most - least)).clamp(least, most))
    }
}

fn is_number(item: &Bound<'_, PyAny>) -> bool {
    item.extract::<f64>().is_ok()
}

/// One list of scores for each of several positions.
fn score_lists(lists: Bound<'_, PyAny>, count: usize) -> PyResult<Vec<Option<Vec<f64>>>> {
    let mut scores = Vec::with_capacity(count);
    let refuse = |what: &Bound<'_, PyAny>| {
        let text = "evaluate must return (values, one list of scores for each position)";
        GameError::new_err(format!("{text}, not {what:?} as scores"))
    };
    for list in lists.try_iter().map_err(|_| refuse(&lists))? {
        let list = list?;
        let items = list.try_iter().map_err(|_| refuse(&lists))?;
        let items: Vec<_> = items.collect::<PyResult<_>>()?;
        let length = items.len();
        let list = PyList::new(list.py(), items)?.into_any();
        scores.push(Some(numbers(list, "evaluate", "scores", length, "moves")?));
    }
    if scores.len() != count {
        let given = scores.len();
        let text = format!("evaluate returned {given} lists of scores for {count} positions");
        return Err(GameError::new_err(text));
    }
    Ok(scores)
}

/// The one boundary: attach, call, and carry an exception through the core.
fn attached<T>(call: impl FnOnce(Python<'_>) -> PyResult<T>) -> Result<T, Error> {
    Python::attach(|py| call(py).map_err(|error| foreign(py, error)))
}

impl AnyForeign for PythonEvaluator {
    fn ask(&mut self, positions: Vec<Arc<dyn AnyPosition>>) -> Result<Vec<Opinion>, Error> {
        attached(|py| self.opinions(py, positions, Some(self.scored)))
    }

    fn gives_scores(&self) -> bool {
        self.scored
    }

    fn narrows(&self) -> bool {
        self.candidates.is_some() || self.outcome.is_some()
    }

    fn candidates(&mut self, position: Arc<dyn AnyPosition>) -> Result<Option<Vec<u16>>, Error> {
        let Some(method) = &self.candidates else { return Ok(None) };
        attached(|py| {
            let shown = self.shown(py, position)?;
            let answer = method.bind(py).call1((&shown,))?;
            if answer.is_none() {
                return Ok(None);
            }
            let mut places = Vec::new();
            let listed = answer.try_iter().map_err(|_| {
                let text = "candidates must return a list of moves, or None for all";
                GameError::new_err(format!("{text}, not {answer:?}"))
            })?;
            for mv in listed {
                places.push(shown.get().place_of(py, &mv?)? as u16);
            }
            if places.is_empty() {
                return Err(GameError::new_err("candidates must keep at least one move"));
            }
            Ok(Some(places))
        })
    }

    fn decided(&mut self, position: Arc<dyn AnyPosition>) -> Result<Option<f64>, Error> {
        let Some(method) = &self.outcome else { return Ok(None) };
        attached(|py| {
            let answer = method.bind(py).call1((self.shown(py, position)?,))?;
            match answer.is_none() {
                true => Ok(None),
                false => number(&answer, "outcome").map(Some),
            }
        })
    }

    fn is_sound(&self) -> bool {
        self.sound || !self.narrows()
    }

    fn bytes(&self) -> usize {
        let Some([bytes, _]) = &self.memory else { return 0 };
        // one that fails is taken for one that remembers nothing
        attached(|py| bytes.bind(py).call0()?.extract()).unwrap_or(0)
    }

    fn shrink(&mut self, bytes: usize) {
        let Some([_, shrink]) = &self.memory else { return };
        // none: as many as it likes
        let room = if bytes >= usize::MAX / 4 { None } else { Some(bytes) };
        let _ = attached(|py| shrink.bind(py).call1((room,)).map(drop));
    }

    fn fork(&self) -> Box<dyn AnyForeign> {
        Python::attach(|py| {
            Box::new(PythonEvaluator {
                game: self.game.clone_ref(py),
                evaluate: self.evaluate.clone_ref(py),
                candidates: self.candidates.as_ref().map(|method| method.clone_ref(py)),
                outcome: self.outcome.as_ref().map(|method| method.clone_ref(py)),
                memory: self
                    .memory
                    .as_ref()
                    .map(|[bytes, shrink]| [bytes.clone_ref(py), shrink.clone_ref(py)]),
                sound: self.sound,
                scored: self.scored,
                ranges: self.ranges,
            })
        })
    }
}
