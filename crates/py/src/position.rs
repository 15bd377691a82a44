//! Games and positions as Python sees them.

use crate::data::read_tree;
use crate::error::{checked, foreign, one_line, ArgumentError, PositionError};
use crate::fact;
use crate::html::html;
use crate::params::{read, table, text};
use crate::python_evaluator::evaluation;
use crate::python_game::PythonGame;
use conspirator_core::any::{self, AnyGame, AnyPosition, Located};
use conspirator_core::Error;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use std::sync::Arc;

/// A game of the Rust core.
#[pyclass(frozen, module = "conspirator._native")]
pub struct NativeGame {
    inner: Arc<dyn AnyGame>,
}

#[pymethods]
impl NativeGame {
    /// A game by its public name.
    #[staticmethod]
    fn make(name: &Bound<'_, PyString>, params: &Bound<'_, PyDict>) -> PyResult<NativeGame> {
        Ok(NativeGame { inner: checked(name.py(), any::make(&text(name), &read(params)?))? })
    }

    /// A tree given as nested dictionaries.
    #[staticmethod]
    fn explicit(data: &Bound<'_, PyAny>) -> PyResult<NativeGame> {
        Ok(NativeGame { inner: Arc::new(Arc::new(read_tree(data)?)) })
    }

    /// The start position; `game` is the Python object that the position belongs to.
    fn start(&self, py: Python<'_>, game: Py<PyAny>) -> PyResult<Position> {
        Ok(Position { inner: checked(py, self.inner.start())?, game })
    }

    /// The game's evaluators by name, with their parameters; the first is the usual one.
    fn evaluators<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        table(py, self.inner.evaluators().iter())
    }

    /// A position in the game's notation.
    fn position(&self, game: Py<PyAny>, notation: &Bound<'_, PyString>) -> PyResult<Position> {
        let position = self.inner.position(&text(notation));
        Ok(Position { inner: checked(notation.py(), position)?, game })
    }
}

/// A position of any game, native or written in Python. Immutable.
#[pyclass(frozen, module = "conspirator")]
pub struct Position {
    pub inner: Arc<dyn AnyPosition>,
    pub game: Py<PyAny>,
}

impl Position {
    fn with(&self, py: Python<'_>, inner: Arc<dyn AnyPosition>) -> Position {
        Position { inner, game: self.game.clone_ref(py) }
    }

    /// Whether the game is written in Python.
    pub fn is_python(&self) -> bool {
        self.python().is_some()
    }

    fn python(&self) -> Option<&Located<PythonGame>> {
        self.inner.as_any().downcast_ref()
    }

    /// The place of a legal move in the game's order.
    pub fn place_of(&self, py: Python<'_>, r#move: &Bound<'_, PyAny>) -> PyResult<usize> {
        let moves = self.moves(py)?;
        let wanted = match self.python() {
            Some(_) => r#move.clone(),
            None => r#move.str()?.into_any(),
        };
        for (place, candidate) in moves.iter().enumerate() {
            if candidate.eq(&wanted)? {
                return Ok(place);
            }
        }
        if let Ok(name) = wanted.cast::<PyString>() {
            let found = match self.python() {
                None => checked(py, self.inner.find_move(&text(name)))?,
                Some(_) => self.meant(py, name, &moves)?,
            };
            if let Some(place) = found {
                return Ok(place);
            }
        }
        if moves.is_empty() {
            return Err(PositionError::new_err("the game is over: there are no moves"));
        }
        let mut names = Vec::new();
        for candidate in moves.iter().take(50) {
            names.push(self.name_of(py, &candidate)?);
        }
        let dots = if moves.len() > names.len() { ", ..." } else { "" };
        let names = names.join(", ");
        let text = format!("'{move}' is not a legal move here; legal: {names}{dots}");
        Err(PositionError::new_err(one_line(text)))
    }

    /// The place of the move that a text means in a game written in Python.
    fn meant(
        &self,
        py: Python<'_>,
        text: &Bound<'_, PyString>,
        moves: &Bound<'_, PyList>,
    ) -> PyResult<Option<usize>> {
        let Some(located) = self.python() else { return Ok(None) };
        let state = located.position.state.bind(py);
        let found = self.game.bind(py).call_method1("parse_move", (state, text))?;
        for (place, candidate) in moves.iter().enumerate() {
            if !found.is_none() && candidate.eq(&found)? {
                return Ok(Some(place));
            }
        }
        Ok(None)
    }

    /// A move as the game writes it.
    fn name_of(&self, py: Python<'_>, r#move: &Bound<'_, PyAny>) -> PyResult<String> {
        match self.python() {
            None => Ok(r#move.str()?.to_string()),
            Some(located) => {
                let state = located.position.state.bind(py);
                let name = self.game.bind(py).call_method1("move_name", (state, r#move))?;
                Ok(one_line(name.str()?.to_string()))
            }
        }
    }

    /// The position after the move at this place in the game's order.
    pub fn after(&self, py: Python<'_>, place: usize) -> PyResult<Position> {
        Ok(self.with(py, checked(py, self.inner.play(place))?))
    }
}

/// A depth as a user gives it.
fn plies(depth: &Bound<'_, PyAny>) -> PyResult<u32> {
    depth.extract::<u32>().map_err(|_| {
        let text = format!("depth must be a whole number from 0 to 256, not {depth:?}");
        ArgumentError::new_err(one_line(text))
    })
}

/// Lets Ctrl-C through to work that takes long.
fn signals() -> Result<(), Error> {
    Python::attach(|py| py.check_signals().map_err(|error| foreign(py, error)))
}

#[pymethods]
impl Position {
    /// A position of a game that is written in Python.
    #[staticmethod]
    #[pyo3(signature = (game, state, max_to_move=None))]
    fn of_python(
        py: Python<'_>,
        game: Py<PyAny>,
        state: Py<PyAny>,
        max_to_move: Option<bool>,
    ) -> PyResult<Position> {
        let adapter = Arc::new(PythonGame::new(game.bind(py))?);
        let state = adapter.place(py, state, max_to_move.unwrap_or(true))?;
        Ok(Position { inner: Located::any(&adapter, state), game })
    }

    /// The game that the position belongs to.
    #[getter]
    pub fn game(&self, py: Python<'_>) -> Py<PyAny> {
        self.game.clone_ref(py)
    }

    /// The state object of a game written in Python; None for a native game.
    #[getter]
    fn state(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.python().map(|located| located.position.state.clone_ref(py))
    }

    /// The legal moves in the game's fixed order; none if the game is over.
    ///
    /// Native games name their moves by strings in the game's notation; a game written in Python uses
    /// whatever objects it likes.
    pub fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        match self.python() {
            Some(located) => {
                if checked(py, self.inner.outcome())?.is_some() {
                    return Ok(PyList::empty(py));
                }
                PyList::new(py, located.game.list_moves(py, &located.position)?)
            }
            None => PyList::new(py, checked(py, self.inner.moves())?),
        }
    }

    /// The place of a legal move among `moves()`, in any of its notations.
    #[pyo3(name = "place")]
    fn place_among_moves(&self, py: Python<'_>, r#move: &Bound<'_, PyAny>) -> PyResult<usize> {
        self.place_of(py, r#move)
    }

    /// The position after a legal move.
    #[pyo3(name = "play")]
    fn play(&self, py: Python<'_>, r#move: &Bound<'_, PyAny>) -> PyResult<Position> {
        let place = self.place_of(py, r#move)?;
        self.after(py, place)
    }

    /// A legal move as people write it: in chess `'Nf3'` for `'g1f3'`; in most games the move itself.
    fn describe(&self, py: Python<'_>, r#move: &Bound<'_, PyAny>) -> PyResult<String> {
        let place = self.place_of(py, r#move)?;
        match self.python() {
            Some(_) => self.name_of(py, &self.moves(py)?.get_item(place)?),
            None => checked(py, self.inner.move_text(place)),
        }
    }

    /// Who moves: 'max', the player who wants high values and usually moves first, or 'min'.
    #[getter]
    fn to_move(&self) -> &'static str {
        if self.inner.max_to_move() {
            "max"
        } else {
            "min"
        }
    }

    /// None while the game goes on, else its value from Max's side.
    #[getter]
    fn outcome(&self, py: Python<'_>) -> PyResult<Option<f64>> {
        checked(py, self.inner.outcome())
    }

    /// The position as it is when the game goes on there although a player could claim a draw, as in chess after three
    /// repetitions: it has moves, and can be searched. Itself where the game is not over.
    fn play_on(&self, py: Python<'_>) -> PyResult<Position> {
        match checked(py, self.inner.play_on())? {
            Some(position) => Ok(self.with(py, position)),
            None => Err(PositionError::new_err("the game is over for good: nobody can play on")),
        }
    }

    /// The evaluators of the game by name, with their parameters; the first is the usual one.
    fn _evaluators<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        table(py, self.inner.evaluators().iter())
    }

    /// The static value from Max's side, by one of the game's evaluators or yours; the outcome if the game is over.
    #[pyo3(signature = (evaluator=None))]
    fn evaluate(&self, py: Python<'_>, evaluator: Option<&Bound<'_, PyAny>>) -> PyResult<f64> {
        let evaluation = evaluation(self, evaluator)?;
        checked(py, self.inner.evaluate(evaluation))
    }

    /// The position in a form that the game's `position` method reads back.
    fn notation<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        match self.python() {
            Some(located) => located.position.state.bind(py).clone(),
            None => PyString::new(py, &self.inner.notation()).into_any(),
        }
    }

    /// A number that is equal for equal positions; None if the game has no transpositions.
    #[getter]
    fn key(&self, py: Python<'_>) -> PyResult<Option<u64>> {
        checked(py, self.inner.key())
    }

    /// The same position with the players' roles exchanged; None where the game lacks that symmetry.
    fn swapped(&self, py: Python<'_>) -> Option<Position> {
        Some(self.with(py, self.inner.swapped()?))
    }

    /// The least and the greatest value that any position of the game can have.
    #[getter]
    fn value_range(&self) -> (f64, f64) {
        self.inner.value_range()
    }

    /// All results that a finished game can have, in rising order; None if they are not known.
    #[getter]
    fn results(&self) -> Option<Vec<f64>> {
        self.inner.results()
    }

    /// At most how many moves can still be made, passes apart; None if that is not known.
    #[getter]
    fn moves_left(&self) -> Option<u32> {
        self.inner.moves_left()
    }

    /// How far the game is from its end, for error models: 0 where no move brings the end nearer for sure.
    #[getter]
    fn phase(&self) -> u32 {
        self.inner.phase()
    }

    /// What an evaluator knows of the position without searching it: plain data, and what it says depends on the
    /// evaluator. None if it knows nothing but a value.
    #[pyo3(signature = (evaluator=None))]
    fn facts<'py>(
        &self,
        py: Python<'py>,
        evaluator: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let evaluation = evaluation(self, evaluator)?;
        let facts = checked(py, self.inner.facts(evaluation))?;
        facts.map(|facts| fact::shown(py, facts)).transpose()
    }

    /// The moves that an evaluator would look at, in that order.
    #[pyo3(signature = (evaluator=None))]
    fn candidates<'py>(
        &self,
        py: Python<'py>,
        evaluator: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyList>> {
        let evaluation = evaluation(self, evaluator)?;
        let (moves, kept) = (self.moves(py)?, PyList::empty(py));
        for place in checked(py, self.inner.candidates(evaluation))?.places {
            kept.append(moves.get_item(place as usize)?)?;
        }
        Ok(kept)
    }

    /// The other moves, each with the reason why it need not be looked at.
    #[pyo3(signature = (evaluator=None))]
    fn left_out<'py>(
        &self,
        py: Python<'py>,
        evaluator: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let evaluation = evaluation(self, evaluator)?;
        let (moves, left) = (self.moves(py)?, PyDict::new(py));
        for (place, why) in checked(py, self.inner.candidates(evaluation))?.left_out {
            left.set_item(moves.get_item(place as usize)?, why)?;
        }
        Ok(left)
    }

    /// The value of the game as far as an evaluator knows it, over or not; None if it does not.
    #[pyo3(signature = (evaluator=None))]
    fn decided(
        &self,
        py: Python<'_>,
        evaluator: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<f64>> {
        let evaluation = evaluation(self, evaluator)?;
        checked(py, self.inner.decided(evaluation))
    }

    /// The positive scores of the moves by an evaluator, in their order: how good each is in comparison with the others.
    /// None if it has none.
    #[pyo3(signature = (evaluator=None))]
    fn move_scores(
        &self,
        py: Python<'_>,
        evaluator: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<Vec<f64>>> {
        let evaluation = evaluation(self, evaluator)?;
        checked(py, self.inner.move_scores(evaluation))
    }

    /// The number of lines of exactly this many moves; a finished game has no successors.
    fn perft(&self, depth: &Bound<'_, PyAny>) -> PyResult<u64> {
        let (py, depth) = (depth.py(), plies(depth)?);
        let count = py.detach(|| self.inner.perft(depth, &mut signals));
        checked(py, count)
    }

    /// Generates and values every position down to `depth` plies and keeps none: the raw speed of the
    /// game. Returns their number and the sum of their values.
    fn survey(&self, depth: &Bound<'_, PyAny>) -> PyResult<(u64, f64)> {
        let (py, depth) = (depth.py(), plies(depth)?);
        let total = py.detach(|| self.inner.survey(depth, Default::default(), &mut signals));
        checked(py, total)
    }

    fn __str__(&self) -> String {
        self.inner.picture()
    }

    fn _repr_html_<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        html(this, "position")
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let notation = self.notation(py);
        Ok(format!("{}.position({})", self.game.bind(py).repr()?, notation.repr()?))
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<Position>() else { return Ok(false) };
        let other = other.get();
        Ok(self.inner.max_to_move() == other.inner.max_to_move()
            && self.game.bind(py).eq(other.game.bind(py))?
            && self.notation(py).eq(other.notation(py))?)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.notation(py).hash()
    }
}
