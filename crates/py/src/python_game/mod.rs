//! A game written in Python behind the core's one interface: the boundary where the adapter attaches
//! to the interpreter, once per expansion.

mod own_methods;

use crate::answers::{hash_key, mover, number, numbers};
use crate::error::{foreign, one_line, GameError};
use conspirator_core::evaluator::LeafBounds;
use conspirator_core::game::{Child, Notation, Rules, Shortcuts};
use conspirator_core::Error;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use std::hash::{DefaultHasher, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

/// More moves of one position than this are refused.
const MOST_MOVES: usize = 0xFFFF;

/// A user's state object, whose turn it is, and its moves where they had to be looked at already.
pub struct PythonState {
    pub state: Py<PyAny>,
    max: bool,
    moves: Option<Py<PyTuple>>,
    /// What `evaluate` said beyond the value, once it has been asked.
    bounds: Option<Option<Box<LeafBounds>>>,
}

impl Clone for PythonState {
    fn clone(&self) -> PythonState {
        Python::attach(|py| PythonState {
            state: self.state.clone_ref(py),
            max: self.max,
            moves: self.moves.as_ref().map(|moves| moves.clone_ref(py)),
            bounds: self.bounds.clone(),
        })
    }
}

/// A user's move object.
pub struct PythonMove(pub Py<PyAny>);

impl Clone for PythonMove {
    fn clone(&self) -> PythonMove {
        Python::attach(|py| PythonMove(self.0.clone_ref(py)))
    }
}

/// The user's methods, looked up once.
pub struct PythonGame {
    game: Py<PyAny>,
    moves: Py<PyAny>,
    play: Py<PyAny>,
    outcome: Option<Py<PyAny>>,
    evaluate: Option<Py<PyAny>>,
    evaluate_many: Option<Py<PyAny>>,
    move_scores: Option<Py<PyAny>>,
    to_move: Option<Py<PyAny>>,
    key: Option<Py<PyAny>>,
    range: (f64, f64),
    results: Option<Vec<f64>>,
    tempo: f64,
    /// Whether any call of `evaluate` has returned bounds.
    gives_bounds: Arc<AtomicBool>,
}

impl PythonGame {
    /// Looks up the methods of a `conspirator.Game`. Its base class has all of them; one that the
    /// user did not write is marked as such and not called.
    pub fn new(game: &Bound<'_, PyAny>) -> PyResult<PythonGame> {
        let written = |name: &str| -> PyResult<Option<Py<PyAny>>> {
            let method = game.getattr(name)?;
            let absent = method.getattr_opt(intern!(game.py(), "_not_written"))?.is_some();
            Ok((!absent).then(|| method.unbind()))
        };
        let required = |name: &str| {
            written(name)?.ok_or_else(|| {
                let class = game.get_type();
                GameError::new_err(format!("{class} needs a method {name}(self, state, ...)"))
            })
        };
        let (outcome, evaluate) = (written("outcome")?, written("evaluate")?);
        let evaluate_many = written("evaluate_many")?;
        if outcome.is_none() && evaluate.is_none() && evaluate_many.is_none() {
            return Err(GameError::new_err(format!(
                "{} needs a method evaluate(self, state) or outcome(self, state)",
                game.get_type()
            )));
        }
        let range = game.getattr("value_range")?;
        let range: (f64, f64) = range.extract().map_err(|_| {
            GameError::new_err(format!(
                "value_range must be (least value, greatest value), not {range:?}"
            ))
        })?;
        if range.0.is_nan() || range.1.is_nan() || range.0 >= range.1 {
            return Err(GameError::new_err("value_range must be (least value, greatest value)"));
        }
        let results: Option<Vec<f64>> = game.getattr("results")?.extract().map_err(|_| {
            GameError::new_err("results must be the list of all values that `outcome` can return")
        })?;
        let results = results.map(|mut values| {
            values.sort_by(f64::total_cmp);
            values
        });
        let tempo = game.getattr("tempo")?;
        let tempo =
            tempo.extract().ok().filter(|tempo: &f64| tempo.is_finite()).ok_or_else(|| {
                GameError::new_err(format!(
                    "tempo must be what a move gains, a number, not {tempo:?}"
                ))
            })?;
        Ok(PythonGame {
            game: game.clone().unbind(),
            moves: required("moves")?,
            play: required("play")?,
            outcome,
            evaluate,
            evaluate_many,
            move_scores: written("move_scores")?,
            to_move: written("to_move")?,
            key: written("key")?,
            range,
            results,
            tempo,
            gives_bounds: Arc::default(),
        })
    }

    /// Wraps a state; `max` says who moves unless the game has a method for that.
    pub fn place(&self, py: Python<'_>, state: Py<PyAny>, max: bool) -> PyResult<PythonState> {
        let max = match &self.to_move {
            None => max,
            Some(to_move) => mover(to_move.bind(py).call1((&state,))?)?,
        };
        Ok(PythonState { state, max, moves: None, bounds: None })
    }

    /// The user's moves in a position that is not over.
    pub fn list_moves(&self, py: Python<'_>, at: &PythonState) -> PyResult<Vec<Py<PyAny>>> {
        let mut moves = Vec::new();
        self.append_moves(py, at, &mut moves)?;
        Ok(moves.into_iter().map(|mv| mv.0).collect())
    }

    fn append_moves(
        &self,
        py: Python<'_>,
        at: &PythonState,
        moves: &mut Vec<PythonMove>,
    ) -> PyResult<()> {
        if let Some(known) = &at.moves {
            moves.extend(known.bind(py).iter().map(|mv| PythonMove(mv.unbind())));
            return Ok(());
        }
        let answer = self.moves.bind(py).call1((&at.state,))?;
        match answer.cast::<PyList>() {
            Ok(list) => moves.extend(list.iter().map(|mv| PythonMove(mv.unbind()))),
            Err(_) => {
                let items = answer.try_iter().map_err(|_| {
                    GameError::new_err(format!(
                        "moves must return the moves in a list, not {answer:?}"
                    ))
                })?;
                for item in items {
                    if moves.len() == MOST_MOVES {
                        return Err(GameError::new_err(format!(
                            "more than {MOST_MOVES} moves in one position: does `moves` ever end?"
                        )));
                    }
                    moves.push(PythonMove(item?.unbind()));
                }
            }
        }
        Ok(())
    }

    fn next(&self, py: Python<'_>, at: &PythonState, mv: &PythonMove) -> PyResult<PythonState> {
        let state = self.play.bind(py).call1((&at.state, &mv.0))?.unbind();
        self.place(py, state, !at.max)
    }

    /// The game's value if it is over. A game without `outcome` is over where it has no moves; these
    /// are kept, because an expansion will ask for them again.
    fn result(&self, py: Python<'_>, at: &mut PythonState) -> PyResult<Option<f64>> {
        match &self.outcome {
            Some(outcome) => {
                let answer = outcome.bind(py).call1((&at.state,))?;
                if answer.is_none() {
                    return Ok(None);
                }
                number(&answer, "outcome").map(Some)
            }
            None => {
                if at.moves.is_none() {
                    let moves = self.list_moves(py, at)?;
                    at.moves = Some(PyTuple::new(py, moves)?.unbind());
                }
                let over = at.moves.as_ref().is_some_and(|moves| moves.bind(py).is_empty());
                if over {
                    self.value(py, at).map(Some)
                } else {
                    Ok(None)
                }
            }
        }
    }

    /// The static value; `evaluate` may return it alone or with bounds: (value, upper list, lower list).
    fn value(&self, py: Python<'_>, at: &mut PythonState) -> PyResult<f64> {
        if let Some(evaluate) = &self.evaluate {
            let answer = evaluate.bind(py).call1((&at.state,))?;
            at.bounds = Some(None);
            let Ok(parts) = answer.cast::<PyTuple>() else { return number(&answer, "evaluate") };
            let (value, upper, lower) = parts.extract().map_err(|_| {
                GameError::new_err(format!(
                    "evaluate must return a number or (value, upper list, lower list), not {answer:?}"
                ))
            })?;
            at.bounds = Some(Some(Box::new(LeafBounds { upper, lower })));
            self.gives_bounds.store(true, Ordering::Relaxed);
            Ok(value)
        } else if self.evaluate_many.is_some() {
            let values = self.values(py, &[&at.state])?;
            Ok(values[0])
        } else {
            Ok(0.0) // a game that knows only its results
        }
    }

    /// One call for many states.
    fn values(&self, py: Python<'_>, states: &[&Py<PyAny>]) -> PyResult<Vec<f64>> {
        let Some(evaluate_many) = &self.evaluate_many else { return Ok(vec![0.0; states.len()]) };
        let answer = evaluate_many.bind(py).call1((PyList::new(py, states)?,))?;
        numbers(answer, "evaluate_many", "values", states.len(), "positions")
    }

    fn family(
        &self,
        py: Python<'_>,
        at: &PythonState,
        moves: &[PythonMove],
        unknown: Option<f64>,
        children: &mut Vec<Child<PythonState>>,
    ) -> PyResult<()> {
        let batch = self.evaluate_many.is_some() && unknown.is_none();
        for mv in moves {
            let mut position = self.next(py, at, mv)?;
            let outcome = self.result(py, &mut position)?;
            let value = match outcome.or(unknown) {
                Some(value) => value,
                None if batch => f64::NAN, // below, all at once
                None => self.value(py, &mut position)?,
            };
            children.push(Child { position, value, terminal: outcome.is_some() });
        }
        if batch {
            let open: Vec<_> =
                children.iter().filter(|c| !c.terminal).map(|c| &c.position.state).collect();
            if !open.is_empty() {
                let mut values = self.values(py, &open)?.into_iter();
                for child in children.iter_mut().filter(|child| !child.terminal) {
                    child.value = values.next().unwrap_or(f64::NAN);
                }
            }
        }
        Ok(())
    }
}

/// The one boundary: attach, call, and carry an exception through the core.
fn attached<T>(call: impl FnOnce(Python<'_>) -> PyResult<T>) -> Result<T, Error> {
    Python::attach(|py| call(py).map_err(|error| foreign(py, error)))
}

impl Rules for PythonGame {
    type Position = PythonState;
    type Move = PythonMove;
    const FOREIGN: bool = true;

    fn start(&self) -> Result<PythonState, Error> {
        Err(Error::Game("a game written in Python starts through its own class".into()))
    }

    fn max_to_move(&self, at: &PythonState) -> bool {
        at.max
    }

    fn moves(&self, at: &PythonState, moves: &mut Vec<Self::Move>) -> Result<(), Error> {
        attached(|py| self.append_moves(py, at, moves))
    }

    fn play(&self, at: &PythonState, mv: &Self::Move) -> Result<PythonState, Error> {
        attached(|py| self.next(py, at, mv))
    }

    fn outcome(&self, at: &PythonState) -> Result<Option<f64>, Error> {
        attached(|py| self.result(py, &mut at.clone()))
    }

    fn successors(
        &self,
        at: &PythonState,
        moves: &[Self::Move],
        unknown: f64,
        children: &mut Vec<Child<PythonState>>,
    ) -> Result<(), Error> {
        attached(|py| self.family(py, at, moves, Some(unknown), children))
    }

    fn key(&self, at: &PythonState) -> Result<Option<u64>, Error> {
        let Some(method) = &self.key else { return Ok(None) };
        attached(|py| {
            let mut hasher = DefaultHasher::new();
            hash_key(&method.bind(py).call1((&at.state,))?, &mut hasher)?;
            hasher.write_u8(u8::from(at.max));
            Ok(Some(hasher.finish()))
        })
    }

    fn value_range(&self) -> (f64, f64) {
        self.range
    }
}

impl Shortcuts for PythonGame {
    fn results(&self) -> Option<Vec<f64>> {
        self.results.clone()
    }

    fn repeats(&self) -> bool {
        self.key.is_some()
    }

    /// Moves are told apart where they are numbers, texts, or tuples of them.
    fn move_slot(&self, at: &PythonState, mv: &PythonMove) -> usize {
        Python::attach(|py| {
            let mut hasher = DefaultHasher::new();
            hasher.write_u8(u8::from(at.max));
            hash_key(mv.0.bind(py), &mut hasher).map_or(0, |()| hasher.finish() as usize)
        })
    }
}

impl Notation for PythonGame {
    fn move_name(&self, at: &PythonState, mv: &Self::Move) -> String {
        Python::attach(|py| {
            let name = self.game.bind(py).call_method1("move_name", (&at.state, &mv.0));
            match name.and_then(|name| name.extract::<String>()) {
                Ok(name) => one_line(name),
                // a name must not stop a search
                Err(_) => mv.0.bind(py).str().map_or_else(|_| "?".into(), |name| name.to_string()),
            }
        })
    }

    fn parse(&self, _: &str) -> Result<PythonState, Error> {
        Err(Error::Game("a game written in Python reads positions through its own class".into()))
    }

    fn notation(&self, at: &PythonState) -> String {
        Python::attach(|py| at.state.bind(py).to_string())
    }

    fn picture(&self, at: &PythonState) -> String {
        Python::attach(|py| {
            match self
                .game
                .bind(py)
                .call_method1("show", (&at.state,))
                .and_then(|text| text.extract())
            {
                Ok(text) => text,
                Err(_) => at.state.bind(py).to_string(),
            }
        })
    }
}
