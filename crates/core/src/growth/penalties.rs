//! The weights of edges for [`super::MinmaxApproximation`], as functions of the values of a family.
//!
//! Every value is kept as its logarithm x (or what the scale makes of it), so that the generalized mean
//!
//! ```text
//!   M_q(v_1, ..., v_n) = ((v_1^q + ... + v_n^q) / n)^(1/q)        Rivest 1988, equation 1
//! ```
//!
//! is a sum of exponentials from which the dominant one is factored out: no power overflows.

use crate::error::Error;
use crate::tree::{Node, Tree};

/// Which weight an edge has: the paper's equations 12 and 15, Section 5.5, and Floyd's proposal in Section 6.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Means {
    /// Values and derivatives of generalized means.
    Exact,
    /// Derivatives of generalized means, of minimax values.
    Reverse,
    /// A constant for descending a level instead of ln n, and p = 2 on both sides.
    Constant,
    /// The logarithm of the probability of the move, which does not depend on any values.
    Floyd,
}

impl Means {
    pub const WORDS: &'static [&'static str] = &["constant", "exact", "reverse", "floyd"];

    pub fn new(word: &str) -> Means {
        match word {
            "exact" => Means::Exact,
            "reverse" => Means::Reverse,
            "floyd" => Means::Floyd,
            _ => Means::Constant,
        }
    }
}

/// How a value v becomes the x whose differences are penalties.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Scale {
    /// x = ln(v + shift), as published.
    Log { shift: f64 },
    /// x = ln((v - low) / (high - v)): the same step from a win as from a loss.
    Logit { low: f64, high: f64 },
    /// x = v / unit, for values without ends.
    Linear { unit: f64 },
}

/// How far beyond the ends of the range the logit's lie, as a part of it: a won game stays finite.
const MARGIN: f64 = 1e-3;

/// How many times the spread of the root's moves a value without ends must change to change x by one. On
/// Connect-Four's opening moves it gives about what the logit gives.
const SPREADS: f64 = 12.0;

impl Scale {
    /// The published scale of a game with values in this range.
    pub fn log(shift: Option<f64>, (low, _): (f64, f64)) -> Scale {
        let needed = if low.is_finite() && low <= 0.0 { 1.0 - low } else { 0.0 };
        Scale::Log { shift: shift.unwrap_or(needed) }
    }

    /// The scale that treats both players alike, if the values have two ends.
    pub fn logit((low, high): (f64, f64)) -> Option<Scale> {
        let width = high - low;
        let margin = MARGIN * width;
        (width.is_finite() && width > 0.0)
            .then_some(Scale::Logit { low: low - margin, high: high + margin })
    }

    /// The scale of values without ends: as far apart as the root's moves lie, they differ by little.
    pub fn linear(moves: &[Node]) -> Scale {
        let finite = || moves.iter().map(|node| node.value).filter(|value| value.is_finite());
        let spread =
            finite().fold(f64::NEG_INFINITY, f64::max) - finite().fold(f64::INFINITY, f64::min);
        Scale::Linear { unit: if spread > 0.0 { SPREADS * spread } else { 1.0 } }
    }

    #[inline]
    pub fn of(self, value: f64) -> Result<f64, Error> {
        match self {
            Scale::Log { shift } => {
                let positive = value + shift;
                // a lost game may be worth minus infinity
                if positive <= 0.0 && positive != f64::NEG_INFINITY {
                    return Err(not_positive(value, shift));
                }
                Ok(positive.max(0.0).ln())
            }
            Scale::Logit { low, high } => Ok(((value - low) / (high - value)).ln()),
            Scale::Linear { unit } => Ok(value / unit),
        }
    }
}

#[cold]
fn not_positive(value: f64, shift: f64) -> Error {
    Error::Argument(format!(
        "min/max approximation takes logarithms of values, which must be positive, but a position has the \
         value {value}{}: add a constant with shift=",
        if shift == 0.0 { String::new() } else { format!(" and shift is {shift}") }
    ))
}

/// |a - b|, also where both are the same infinity.
#[inline]
fn distance(a: f64, b: f64) -> f64 {
    if a == b {
        0.0
    } else {
        (a - b).abs()
    }
}

/// The weight of every edge of a family, given the children's x.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    pub means: Means,
    pub p: f64,
    pub step: f64,
}

impl Weights {
    /// The x of a node from its children's: the generalized mean's, or the best child's.
    pub fn back_up(&self, max: bool, xs: &[f64]) -> f64 {
        let best = best(max, xs);
        if self.means != Means::Exact || best.is_infinite() {
            return best;
        }
        let q = if max { self.p } else { -self.p };
        let sum: f64 = xs.iter().map(|x| (q * (x - best)).exp()).sum();
        best + (sum / xs.len() as f64).ln() / q
    }

    /// The weights of the edges to children with these x, under a node with this one, in order.
    #[inline]
    pub fn of_family<'a>(
        &self,
        max: bool,
        x: f64,
        xs: &'a [f64],
    ) -> impl Iterator<Item = f64> + use<'a> {
        let n = xs.len() as f64;
        // w = base + slope |x_best - x_d|: eq. 15, or with the mean's x in the best one's place eq. 12
        let (base, slope, from) = match self.means {
            Means::Exact => (n.ln(), if max { self.p - 1.0 } else { self.p + 1.0 }, x),
            Means::Reverse => {
                (n.ln(), if max { self.p - 1.0 } else { self.p + 1.0 }, best(max, xs))
            }
            Means::Constant => (self.step, 1.0, best(max, xs)),
            Means::Floyd => (0.0, 1.0, 0.0),
        };
        let signed = self.means == Means::Exact;
        xs.iter().map(move |&child| {
            // a child may be better than the mean of all
            let worse = if !signed {
                distance(from, child)
            } else if from == child {
                0.0
            } else if max {
                from - child
            } else {
                child - from
            };
            base + slope * worse
        })
    }
}

/// The best x for the player to move.
#[inline]
fn best(max: bool, xs: &[f64]) -> f64 {
    if max {
        xs.iter().fold(f64::NEG_INFINITY, |a, &b| if b > a { b } else { a })
    } else {
        xs.iter().fold(f64::INFINITY, |a, &b| if b < a { b } else { a })
    }
}

/// Floyd's weights, -ln p, of the children that stand at these places: probabilities are as the moves' scores.
pub(super) fn of_errors(
    tree: &Tree,
    children: std::ops::Range<u32>,
) -> impl Iterator<Item = f64> + '_ {
    let error = |id: u32| f64::from(tree.error(id)) / crate::scores::UNIT;
    let sum: f64 = children.clone().map(|id| (-error(id)).exp()).sum();
    children.map(move |id| error(id) + sum.ln())
}
