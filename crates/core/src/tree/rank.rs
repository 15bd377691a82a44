//! Values as whole numbers in the same order, for code that compares far more than it computes:
//! processors select between whole numbers without branches, `!rank` turns the order round, and
//! `rank + 1` is the least value that is greater.

/// The place of a value in the order of all values.
pub(crate) type Rank = i64;

/// Monotone, and one to one for all values but NaN; a node never holds NaN or -0.
#[inline]
pub(crate) fn rank(value: f64) -> Rank {
    let bits = value.to_bits() as i64;
    // positive values are in order already; negative ones are in reverse, and come first
    bits ^ ((bits >> 63) as u64 >> 1) as i64
}

/// The value with this rank.
#[inline]
pub(crate) fn unrank(rank: Rank) -> f64 {
    f64::from_bits((rank ^ ((rank >> 63) as u64 >> 1) as i64) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn keeps_the_order(a in any::<f64>(), b in any::<f64>()) {
            let (a, b) = (a + 0.0, b + 0.0); // no -0
            prop_assume!(!a.is_nan() && !b.is_nan());
            prop_assert_eq!(rank(a).cmp(&rank(b)), a.partial_cmp(&b).unwrap_or(std::cmp::Ordering::Equal));
            prop_assert_eq!(unrank(rank(a)), a);
            prop_assert_eq!(unrank(!(!rank(a))), a);
        }
    }

    #[test]
    fn infinities_are_inside() {
        assert!(Rank::MIN < rank(f64::NEG_INFINITY) && rank(f64::INFINITY) < Rank::MAX);
        assert!(Rank::MIN < !rank(f64::INFINITY) && !rank(f64::NEG_INFINITY) < Rank::MAX);
    }
}
