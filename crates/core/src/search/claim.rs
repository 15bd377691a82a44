//! What a strategy guarantees.

/// One side's guarantee: Max gets at least so much, or at most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Claim {
    /// The bound, from Max's side.
    pub value: f64,
    /// Whether it is Max who proves it, so that it is a lower bound.
    pub at_least: bool,
}

impl Claim {
    /// Whether a game that ends with this value keeps it.
    pub fn holds(&self, value: f64) -> bool {
        if self.at_least {
            value >= self.value
        } else {
            value <= self.value
        }
    }
}
