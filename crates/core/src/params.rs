//! Named parameters with defaults, shared by searches and games: checked once, in one place.

use crate::error::{unknown, Error};
use std::collections::BTreeMap;

/// A parameter's value as it comes from a user.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Not given, or given as nothing.
    None,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A real number.
    Real(f64),
    /// A word.
    Text(String),
}

/// What a parameter is if nobody gives it; it also fixes which kind of value is accepted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// True or false.
    Bool(bool),
    /// A whole number, not below the second.
    Int(i64, i64),
    /// A whole number not below this one, or nothing.
    MaybeInt(i64),
    /// A finite real number.
    Real(f64),
    /// A whole number not below the second, or infinity.
    Count(i64, i64),
    /// A finite real number not below this one, or nothing.
    MaybeReal(f64),
    /// One of the words; the first is the default.
    Choice(&'static [&'static str]),
    /// One of the words, or nothing.
    MaybeChoice(&'static [&'static str]),
}

impl Kind {
    /// The default as a value; `None` where there is nothing.
    pub fn value(&self) -> Value {
        match *self {
            Kind::Bool(value) => Value::Bool(value),
            Kind::Int(value, _) | Kind::Count(value, _) => Value::Int(value),
            Kind::MaybeInt(_) | Kind::MaybeReal(_) | Kind::MaybeChoice(_) => Value::None,
            Kind::Real(value) => Value::Real(value),
            Kind::Choice(words) => Value::Text(words[0].into()),
        }
    }

    /// What would be accepted, in words.
    fn wants(&self) -> String {
        match self {
            Kind::Bool(_) => "true or false".into(),
            Kind::Int(_, least) => {
                format!("a whole number from {least} up")
            }
            Kind::MaybeInt(least) => format!("a whole number from {least} up, or nothing"),
            Kind::Real(_) => "a finite number".into(),
            Kind::Count(_, least) => format!("a whole number from {least} up, or infinity"),
            Kind::MaybeReal(least) if least.is_finite() => {
                format!("a finite number from {least} up, or nothing")
            }
            Kind::MaybeReal(_) => "a finite number, or nothing".into(),
            Kind::Choice(words) => format!("one of {}", words.join(", ")),
            Kind::MaybeChoice(words) => format!("one of {}, or nothing", words.join(", ")),
        }
    }

    fn accepts(&self, value: &Value) -> bool {
        match (self, value) {
            (Kind::Bool(_), Value::Bool(_))
            | (Kind::MaybeInt(_) | Kind::MaybeReal(_) | Kind::MaybeChoice(_), Value::None) => true,
            (Kind::MaybeReal(least), Value::Int(value)) => *value as f64 >= *least,
            (Kind::MaybeReal(least), Value::Real(value)) => value.is_finite() && value >= least,
            (Kind::Count(..), Value::Real(value)) => *value == f64::INFINITY,
            (Kind::Count(..), Value::Text(word)) => word == "inf",
            (Kind::Int(_, least) | Kind::Count(_, least), Value::Int(value))
            | (Kind::MaybeInt(least), Value::Int(value)) => value >= least,
            (Kind::Real(_), Value::Int(_)) => true,
            (Kind::Real(_), Value::Real(value)) => value.is_finite(),
            (Kind::Choice(words) | Kind::MaybeChoice(words), Value::Text(word)) => {
                words.contains(&word.as_str())
            }
            _ => false,
        }
    }
}

/// One parameter.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// Its name.
    pub name: &'static str,
    /// Its default, and so its kind.
    pub default: Kind,
    /// One line for people.
    pub meaning: &'static str,
}

/// A search's or a game's entry in the tables: everything a front end needs to offer it.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// The public name.
    pub name: &'static str,
    /// Where it comes from.
    pub paper: &'static str,
    /// One line for people.
    pub summary: &'static str,
    /// Its parameters.
    pub params: &'static [Param],
}

/// A complete set of checked parameters.
#[derive(Clone, Debug, Default)]
pub struct Params {
    values: BTreeMap<&'static str, Value>,
}

impl Params {
    /// Checks what a user gave against what `info` lists, and fills in the defaults.
    pub fn new(info: &Info, given: &[(String, Value)]) -> Result<Params, Error> {
        let mut values: BTreeMap<&'static str, Value> =
            info.params.iter().map(|param| (param.name, param.default.value())).collect();
        for (name, value) in given {
            let Some(param) = info.params.iter().find(|param| param.name == name) else {
                let what = format!("parameter of {}", info.name);
                return Err(unknown(&what, name, info.params.iter().map(|param| param.name)));
            };
            if !param.default.accepts(value) {
                return Err(Error::Argument(format!(
                    "{} of {} must be {}, not {}",
                    name,
                    info.name,
                    param.default.wants(),
                    value.in_words()
                )));
            }
            values.insert(param.name, value.clone());
        }
        Ok(Params { values })
    }

    fn get(&self, name: &str) -> &Value {
        self.values.get(name).unwrap_or(&Value::None)
    }

    /// A parameter that is listed as true or false.
    pub fn bool(&self, name: &str) -> bool {
        matches!(self.get(name), Value::Bool(true))
    }

    /// A parameter that is listed as a whole number; `None` if it was left out.
    pub fn int(&self, name: &str) -> Option<i64> {
        match self.get(name) {
            Value::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// A parameter that is listed as a count; infinity is as much as there is.
    pub fn count(&self, name: &str) -> u32 {
        match self.get(name) {
            Value::Int(value) => u32::try_from(*value).unwrap_or(u32::MAX),
            _ => u32::MAX,
        }
    }

    /// A parameter that is listed as a real number or nothing.
    pub fn maybe_real(&self, name: &str) -> Option<f64> {
        Some(self.real(name)).filter(|value| !value.is_nan())
    }

    /// A parameter that is listed as a real number.
    pub fn real(&self, name: &str) -> f64 {
        match self.get(name) {
            Value::Real(value) => *value,
            Value::Int(value) => *value as f64,
            _ => f64::NAN,
        }
    }

    /// A parameter that is listed as a real number, and must not be negative.
    pub fn amount(&self, name: &str) -> Result<f64, Error> {
        let amount = self.real(name);
        if amount < 0.0 {
            return Err(Error::Argument(format!("{name} must not be negative, not {amount}")));
        }
        Ok(amount)
    }

    /// A parameter that is listed as one of several words.
    pub fn text(&self, name: &str) -> &str {
        match self.get(name) {
            Value::Text(value) => value,
            _ => "",
        }
    }
}

impl Value {
    fn in_words(&self) -> String {
        match self {
            Value::None => "nothing".into(),
            Value::Bool(value) => value.to_string(),
            Value::Int(value) => value.to_string(),
            Value::Real(value) => value.to_string(),
            Value::Text(value) => format!("'{value}'"),
        }
    }
}
