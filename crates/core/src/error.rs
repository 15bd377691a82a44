//! What can go wrong, in words that name the fix.

use std::fmt;

/// Every error of the library. Each variant is one kind of mistake, so that a binding can map it to
/// an exception type of its own; the text is one clear line.
#[derive(Debug)]
pub enum Error {
    /// An unknown name, a parameter of the wrong kind or out of range, an impossible budget.
    Argument(String),
    /// A position or a move that cannot be read, is impossible, or is already over.
    Position(String),
    /// A game that breaks the contract of [`crate::Game`]: no moves in a position that is not over,
    /// a static value that is not a number.
    Game(String),
    /// An error raised by foreign code, to be passed on whole.
    Foreign(Box<dyn std::error::Error + Send + Sync>),
    /// Foreign code asked to stop (Ctrl-C inside a user's method): not a failure.
    Interrupted,
    /// Any of the above, and the line of moves at which it happened.
    Line {
        /// Moves from the root of the search.
        line: Vec<String>,
        /// What happened there.
        source: Box<Error>,
    },
}

/// A saved tree that was not written like that.
pub(crate) fn damaged(what: &str) -> Error {
    Error::Argument(format!("the saved tree is damaged: {what}"))
}

impl Error {
    /// Adds the move that led to where it happened, in front of the others.
    pub(crate) fn after(self, name: impl FnOnce() -> String) -> Error {
        match self {
            Error::Line { mut line, source } => {
                line.insert(0, name());
                Error::Line { line, source }
            }
            other @ (Error::Game(_) | Error::Foreign(_)) => other.at_root().after(name),
            other => other,
        }
    }

    /// Says that it happened at the root of the search, if it is an error of the game's.
    pub fn at_root(self) -> Error {
        match self {
            Error::Game(_) | Error::Foreign(_) => {
                Error::Line { line: Vec::new(), source: Box::new(self) }
            }
            other => other,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Argument(text) | Error::Position(text) | Error::Game(text) => f.write_str(text),
            Error::Foreign(source) => source.fmt(f),
            Error::Interrupted => f.write_str("interrupted"),
            Error::Line { line, source } => {
                write!(f, "{source} ({})", describe_line(line))
            }
        }
    }
}

impl std::error::Error for Error {}

/// "at the root of the search" or "after the moves 4 4 5".
pub fn describe_line(line: &[String]) -> String {
    if line.is_empty() {
        "at the root of the search".into()
    } else {
        format!("after the moves {}", line.join(" "))
    }
}

/// `unknown game 'conect-four'; did you mean 'connect-four'?` or, with nothing near, the choices.
pub fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str>) -> Error {
    let known: Vec<&str> = known.collect();
    let nearest = known
        .iter()
        .filter(|_| name.len() < 100) // the distance to a whole book takes too long
        .map(|candidate| (strsim::damerau_levenshtein(candidate, name), candidate))
        .min()
        .filter(|(distance, candidate)| *distance <= 1 + candidate.len().max(name.len()) / 3);
    Error::Argument(match nearest {
        Some((_, candidate)) => format!("unknown {what} '{name}'; did you mean '{candidate}'?"),
        None if known.is_empty() => format!("unknown {what} '{name}'; there are none"),
        None => format!("unknown {what} '{name}'; known: {}", known.join(", ")),
    })
}
