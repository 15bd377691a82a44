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
use crate::tree::{Node, NodeId, Tree};

/// Which weight an edge has: the paper's equations 12 and 15, Section 5.5, and Floyd's proposal in Section 6.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Means {
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
pub(crate) enum Scale {
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

/// The x of values, with those of whole numbers in a small range kept in a table, as the paper's Section 4 proposes.
#[derive(Clone, Debug)]
pub(crate) struct Logs {
    pub scale: Scale,
    low: f64,
    table: Vec<f64>,
}

impl Default for Logs {
    fn default() -> Logs {
        Logs { scale: Scale::Log { shift: 0.0 }, low: 0.0, table: Vec::new() }
    }
}

impl Logs {
    /// The widest range that gets a table.
    const WIDEST: f64 = 2048.0;

    pub fn new(scale: Scale, (low, high): (f64, f64)) -> Logs {
        let small = high - low <= Logs::WIDEST && low.fract() == 0.0;
        let places = if small { (high - low) as usize + 1 } else { 0 };
        Logs { scale, low, table: vec![f64::NAN; places] }
    }

    #[inline]
    pub fn of(&mut self, value: f64) -> Result<f64, Error> {
        let place = (value - self.low) as usize; // saturates
        match self.table.get_mut(place) {
            Some(x) if place as f64 == value - self.low => {
                if x.is_nan() {
                    *x = self.scale.of(value)?;
                }
                Ok(*x)
            }
            _ => self.scale.of(value),
        }
    }
}

/// What a node has: see [`super::MinmaxApproximation`]. Side by side, because a family is read as a whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Penalty {
    pub x: f64,
    pub pi: f64,
    pub arrow: NodeId,
}

/// The weight of every edge of a family, given the children's x.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weights {
    pub means: Means,
    pub p: f64,
    pub step: f64,
    /// The step for moves of the other player than the root's.
    pub reply: f64,
    pub root_max: bool,
}

impl Weights {
    /// The x of the generalized mean of these children.
    pub fn mean(&self, max: bool, family: &[Penalty]) -> f64 {
        let xs = || family.iter().map(|child| child.x);
        let better = |a: f64, b: f64| if (b > a) == max && b != a { b } else { a };
        let best = xs().reduce(better).unwrap_or(f64::NAN);
        if best.is_infinite() {
            return best;
        }
        let q = if max { self.p } else { -self.p };
        let sum: f64 = xs().map(|x| (q * (x - best)).exp()).sum();
        best + (sum / family.len() as f64).ln() / q
    }

    /// The parts of a weight, w = base + slope * (how much worse the child is), in a family of n.
    #[inline]
    fn parts(&self, max: bool, n: usize) -> (f64, f64) {
        match self.means {
            Means::Exact | Means::Reverse => {
                ((n as f64).ln(), if max { self.p - 1.0 } else { self.p + 1.0 })
            }
            Means::Constant => (if max == self.root_max { self.step } else { self.reply }, 1.0),
            Means::Floyd => (0.0, 1.0),
        }
    }

    /// The weights of the edges to these children, under a node with this x, in order.
    pub fn of_family<'a>(
        &self,
        max: bool,
        x: f64,
        family: &'a [Penalty],
    ) -> impl Iterator<Item = f64> + use<'a> {
        let (base, slope) = self.parts(max, family.len());
        let floyd = self.means == Means::Floyd;
        family.iter().map(move |child| match floyd {
            true => child.x,
            // equal infinities are no distance apart
            false => base + slope * if x == child.x { 0.0 } else { worse(max, x, child.x) },
        })
    }

    /// The least sum of a child's pi and the weight of its edge, and the leftmost place that has it; none if all
    /// are infinite.
    #[inline]
    pub fn least(&self, max: bool, x: f64, family: &[Penalty]) -> (f64, Option<u32>) {
        let (base, slope) = self.parts(max, family.len());
        match self.means {
            Means::Floyd => leftmost(family.iter().map(|d| d.pi + d.x)),
            // where x and the child's are the same infinity the sum is not a number, and never the least: nothing below
            // such a child is open
            _ if max => leftmost(family.iter().map(|d| d.pi + (base + slope * (x - d.x)))),
            _ => leftmost(family.iter().map(|d| d.pi + (base + slope * (d.x - x)))),
        }
    }
}

/// How much worse a child is than its parent's x, for the player to move: below 0 if it is better than the mean.
#[inline]
fn worse(max: bool, x: f64, child: f64) -> f64 {
    if max {
        x - child
    } else {
        child - x
    }
}

#[inline]
fn leftmost(penalties: impl Iterator<Item = f64>) -> (f64, Option<u32>) {
    let (mut least, mut place) = (f64::INFINITY, None);
    for (at, penalty) in (0..).zip(penalties) {
        if penalty < least {
            (least, place) = (penalty, Some(at));
        }
    }
    (least, place)
}

/// Floyd's weights, -ln p, of the children that stand at these places: probabilities are as the moves' scores.
pub(crate) fn of_errors(
    tree: &Tree,
    children: std::ops::Range<u32>,
) -> impl Iterator<Item = f64> + '_ {
    let error = |id: u32| f64::from(tree.error(id)) / crate::scores::UNIT;
    let sum: f64 = children.clone().map(|id| (-error(id)).exp()).sum();
    children.map(move |id| error(id) + sum.ln())
}
