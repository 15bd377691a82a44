//! Relative errors of moves: J. Pawlewicz and R. Hayward, "Sibling conspiracy number search" (2015), Section 3.
//!
//! A local heuristic gives every move of a position a positive score E; only the scores of siblings can be
//! compared. The relative error of a move (equation 9) is e = ln(E_best / E): 0 for the best. Errors are kept as
//! whole multiples of 1/4096, so that sums of them are exact and do not depend on their order.

use crate::error::Error;

/// A relative error in units of 1/[`UNIT`].
pub type Units = u32;

/// How many units make an error of one.
pub const UNIT: f64 = 4096.0;

/// The greatest error, in units: the worst move's score is at least e^-20 of the best.
pub const GREATEST: Units = 20 * 4096;

/// An error in units, halves rounded up.
pub fn units(error: f64) -> Units {
    (UNIT * error + 0.5).floor().clamp(0.0, f64::from(GREATEST)) as Units
}

/// A static value on the scale of errors, in units: the logarithm of Max's odds of winning, as far as the value tells
/// them, or the value itself where it has no ends; so many times over.
///
/// ```
/// use conspirator_core::scores::anchor;
/// assert_eq!(anchor(0.5, (-1.0, 1.0), 2.0), 9000); // 4096 * 2 ln 3
/// assert_eq!(anchor(-0.25, (f64::NEG_INFINITY, f64::INFINITY), 1.0), -1024);
/// ```
pub fn anchor(value: f64, (low, high): (f64, f64), weight: f64) -> i64 {
    let bounded = low.is_finite() && high.is_finite() && low < high;
    let worth = if bounded { ((value - low) / (high - value)).ln() } else { value };
    let most = f64::from(GREATEST);
    (UNIT * weight * worth + 0.5).floor().clamp(-most, most) as i64
}

/// Scores must be finite and not negative.
pub(crate) fn check(scores: &[f64]) -> Result<(), Error> {
    match scores.iter().find(|score| !score.is_finite() || **score < 0.0) {
        Some(bad) => {
            Err(Error::Game(format!("the score of a move must be a positive number, not {bad}")))
        }
        None => Ok(()),
    }
}

/// Appends the errors of moves with these scores, which are finite and not negative.
///
/// ```
/// let mut errors = Vec::new();
/// conspirator_core::scores::of_scores(&[0.5, 1.0, 0.0], &mut errors).unwrap();
/// assert_eq!(errors, [2839, 0, 20 * 4096]); // 4096 ln 2; the best; no score at all
/// ```
pub fn of_scores(scores: &[f64], errors: &mut Vec<Units>) -> Result<(), Error> {
    check(scores)?;
    let best = scores.iter().copied().fold(0.0, f64::max);
    let error = |score: f64| if score == best { 0.0 } else { (best / score).ln() };
    errors.extend(scores.iter().map(|&score| units(error(score))));
    Ok(())
}

/// Appends the errors of moves to positions of these values, where there are no scores.
///
/// Where the values have two ends, a move's score is the part of the range that the player who makes it gets: a
/// probability of winning, if the values mean that. Where they have none, the score is e^value, so that the
/// error is the difference of the values.
pub fn of_values(
    values: impl Iterator<Item = f64> + Clone,
    max: bool,
    (low, high): (f64, f64),
    errors: &mut Vec<Units>,
) {
    let bounded = low.is_finite() && high.is_finite() && low < high;
    let worth = |value: f64| match (bounded, max) {
        (true, true) => value - low,
        (true, false) => high - value,
        (false, true) => value,
        (false, false) => -value,
    };
    let best = values.clone().map(worth).fold(f64::NEG_INFINITY, f64::max);
    errors.extend(values.map(worth).map(|worth| {
        if worth == best {
            0
        } else if bounded {
            units((best / worth).ln())
        } else {
            units(best - worth)
        }
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_from_values() {
        let family = [1.0, 0.5, -1.0];
        for (max, range, expected) in [
            (true, (-1.0, 1.0), [0, units((2.0f64 / 1.5).ln()), GREATEST]),
            (false, (-1.0, 1.0), [GREATEST, units(4.0f64.ln()), 0]),
            (true, (f64::NEG_INFINITY, f64::INFINITY), [0, 2048, 8192]),
            (false, (f64::NEG_INFINITY, f64::INFINITY), [8192, 6144, 0]),
        ] {
            let mut errors = Vec::new();
            of_values(family.into_iter(), max, range, &mut errors);
            assert_eq!(errors, expected);
        }
        let mut errors = Vec::new();
        let ends = [f64::INFINITY, f64::INFINITY, 0.0, f64::NEG_INFINITY];
        of_values(ends.into_iter(), true, (f64::NEG_INFINITY, f64::INFINITY), &mut errors);
        assert_eq!(errors, [0, 0, GREATEST, GREATEST]);
    }

    #[test]
    fn bad_scores_are_refused() {
        for bad in [f64::NAN, f64::INFINITY, -1.0] {
            assert!(of_scores(&[1.0, bad], &mut Vec::new()).is_err());
        }
        let mut errors = Vec::new();
        assert!(of_scores(&[0.0, 0.0], &mut errors).is_ok());
        assert_eq!(errors, [0, 0]);
    }
}
