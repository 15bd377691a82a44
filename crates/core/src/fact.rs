//! What is known of a position, as plain data for people, pictures and tests.

/// A piece of data of any shape.
#[derive(Clone, Debug, PartialEq)]
pub enum Fact {
    /// Not known.
    Nothing,
    /// True or false.
    Truth(bool),
    /// A number.
    Number(f64),
    /// A word.
    Text(String),
    /// Several of them in order.
    List(Vec<Fact>),
    /// Several of them by name, in order.
    Map(Vec<(String, Fact)>),
}

impl Fact {
    /// A list of whatever can be a fact.
    pub fn list<T: Into<Fact>>(entries: impl IntoIterator<Item = T>) -> Fact {
        Fact::List(entries.into_iter().map(Into::into).collect())
    }

    /// Facts by name.
    pub fn map<K: Into<String>, T: Into<Fact>>(entries: impl IntoIterator<Item = (K, T)>) -> Fact {
        let entries = entries.into_iter();
        Fact::Map(entries.map(|(name, fact)| (name.into(), fact.into())).collect())
    }
}

impl From<bool> for Fact {
    fn from(truth: bool) -> Fact {
        Fact::Truth(truth)
    }
}

impl From<f64> for Fact {
    fn from(number: f64) -> Fact {
        Fact::Number(number)
    }
}

impl From<String> for Fact {
    fn from(text: String) -> Fact {
        Fact::Text(text)
    }
}

impl From<&str> for Fact {
    fn from(text: &str) -> Fact {
        Fact::Text(text.into())
    }
}

impl<T: Into<Fact>> From<Option<T>> for Fact {
    fn from(fact: Option<T>) -> Fact {
        fact.map_or(Fact::Nothing, Into::into)
    }
}
