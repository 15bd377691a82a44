//! The core's errors as Python exceptions, and Python's exceptions through the core.

use conspirator_core::error::describe_line;
use conspirator_core::Error;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

pyo3::import_exception!(conspirator._errors, ArgumentError);
pyo3::import_exception!(conspirator._errors, PositionError);
pyo3::import_exception!(conspirator._errors, GameError);

/// An exception from foreign code on its way through the core. Ctrl-C is not a failure.
pub fn foreign(py: Python<'_>, error: PyErr) -> Error {
    if error.is_instance_of::<PyKeyboardInterrupt>(py) {
        Error::Interrupted
    } else {
        Error::Foreign(Box::new(error))
    }
}

/// A message is one line, whatever the user's text in it contains.
pub fn one_line(text: impl AsRef<str>) -> String {
    let mut line = String::new();
    for character in text.as_ref().chars() {
        if character.is_control() || matches!(character, '\u{2028}' | '\u{2029}') {
            line.extend(character.escape_default());
        } else {
            line.push(character);
        }
    }
    line
}

/// The exception that the user sees. One of the user's own is passed on whole, with a note that tells
/// where in the search it was raised.
pub fn raise(py: Python<'_>, error: Error) -> PyErr {
    match error {
        Error::Argument(text) => ArgumentError::new_err(one_line(text)),
        Error::Position(text) => PositionError::new_err(one_line(text)),
        Error::Game(text) => GameError::new_err(one_line(text)),
        Error::Interrupted => PyKeyboardInterrupt::new_err("interrupted"),
        Error::Foreign(source) => match source.downcast::<PyErr>() {
            Ok(error) => *error,
            Err(other) => GameError::new_err(other.to_string()),
        },
        Error::Line { line, source } => match *source {
            foreign @ Error::Foreign(_) => {
                let error = raise(py, foreign);
                // one that the adapter made has no traceback: its message can tell the line
                if error.get_type(py).is(py.get_type::<GameError>())
                    && error.traceback(py).is_none()
                {
                    let text = format!("{} ({})", error.value(py), describe_line(&line));
                    return GameError::new_err(one_line(text));
                }
                let note = one_line(format!("raised in the search, {}", describe_line(&line)));
                // without the note the exception is still the user's own
                let _ = error.value(py).call_method1("add_note", (note,));
                error
            }
            Error::Game(text) => {
                GameError::new_err(one_line(format!("{text} ({})", describe_line(&line))))
            }
            other => raise(py, other),
        },
    }
}

/// A result of the core as a result of Python's.
pub fn checked<T>(py: Python<'_>, result: Result<T, Error>) -> PyResult<T> {
    result.map_err(|error| raise(py, error))
}
