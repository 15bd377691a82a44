//! Monotone step functions with whole heights: how many leaves must change for a node to reach a value.
//!
//! ```text
//!   height                      . . . . infinite: a finished game stands in the way
//!     2           +-----------o
//!     1     +-----o                     steps [(x0, 1), (x1, 2), (x2, infinite)]
//!     0 ----o
//!           x0    x1          x2   value
//! ```
//!
//! The function is 0 up to and including the first `x`, and has the height `h` of a step from just above its
//! `x` to the next one. Run-length encoded, it is McAllester's bounds sequence: the entries of the sequence,
//! in order, are the values `x`, each as often as the height rises there. So the sum of two functions is the
//! union of two sequences, and the minimum of two functions the maximum of two sequences, entry by entry: the
//! Bounds Multiset Theorem (McAllester 1988, Section 4) in one picture.
//!
//! Heights up to a cap are exact; a finite height above it is stored as the cap ("too many to matter"). This
//! is exact too, because a sum or a minimum up to the cap depends only on heights up to the cap.

use crate::tree::Rank;

/// A height that no number of leaves can buy.
pub(crate) const INFINITE: u32 = u32::MAX;

/// From just above `x`, the height is `h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub x: Rank,
    pub h: u32,
}

/// The height at `x`: how many leaves must change to get there.
#[inline]
pub(crate) fn height(steps: &[Step], x: Rank) -> u32 {
    let mut height = 0;
    for step in steps {
        if step.x >= x {
            break;
        }
        height = step.h;
    }
    height
}

/// The furthest value that at most `n` leaves can reach; `None` if there is no end to it.
#[inline]
pub(crate) fn reach(steps: &[Step], n: u32) -> Option<Rank> {
    steps.iter().find(|step| step.h > n).map(|step| step.x)
}

/// The sum of functions: all of them must be bought.
///
/// The increments are collected in order of `x`, and no more of them than make up the cap.
#[inline]
pub(crate) fn sum<'a>(parts: impl Iterator<Item = &'a [Step]>, cap: u32, total: &mut Vec<Step>) {
    total.clear();
    let mut wall = Rank::MAX; // where the first part becomes infinite
    let mut collected = 0u32; // the sum of all increments in `total`
    for part in parts {
        let (mut finite, mut below) = (part, 0);
        if let [before @ .., Step { x, h: INFINITE }] = part {
            wall = wall.min(*x);
            finite = before;
        }
        for step in finite {
            let rise = step.h - below;
            below = step.h;
            // once the cap is reached, nothing from the last increment on can matter
            if collected >= cap && total.last().is_some_and(|last| step.x >= last.x) {
                break;
            }
            insert(total, Step { x: step.x, h: rise });
            collected = collected.saturating_add(rise);
            while let Some(last) = total.last() {
                if collected - last.h < cap {
                    break;
                }
                collected -= last.h;
                total.pop();
            }
        }
    }
    // increments to heights; those behind the wall do not count
    let mut height = 0u32;
    let mut kept = 0;
    for at in 0..total.len() {
        let Step { x, h } = total[at];
        if x >= wall {
            break;
        }
        height = height.saturating_add(h).min(cap);
        total[kept] = Step { x, h: height };
        kept += 1;
    }
    total.truncate(kept);
    if wall != Rank::MAX {
        total.push(Step { x: wall, h: INFINITE });
    }
}

/// Inserts an increment in order of `x`, joining it with one at the same place.
#[inline]
fn insert(total: &mut Vec<Step>, new: Step) {
    let mut at = total.len();
    while at > 0 && total[at - 1].x > new.x {
        at -= 1;
    }
    if at > 0 && total[at - 1].x == new.x {
        total[at - 1].h = total[at - 1].h.saturating_add(new.h);
    } else {
        total.insert(at, new);
    }
}

/// The minimum of functions: the cheapest of them is bought.
#[inline]
pub(crate) fn minimum<'a>(
    mut parts: impl Iterator<Item = &'a [Step]>,
    least: &mut Vec<Step>,
    scratch: &mut Vec<Step>,
) {
    least.clear();
    least.extend_from_slice(parts.next().unwrap_or(&[]));
    for part in parts {
        if least.is_empty() {
            return; // 0 everywhere, and nothing is below that
        }
        lower(least, part, scratch);
        std::mem::swap(least, scratch);
    }
}

/// The minimum of two functions.
#[inline]
fn lower(one: &[Step], two: &[Step], least: &mut Vec<Step>) {
    least.clear();
    let (mut i, mut j) = (0, 0);
    let (mut h1, mut h2) = (0, 0);
    let mut below = 0;
    // a function that has no steps left has reached its last height
    while i < one.len() || j < two.len() {
        let x1 = one.get(i).map_or(Rank::MAX, |step| step.x);
        let x2 = two.get(j).map_or(Rank::MAX, |step| step.x);
        let x = x1.min(x2);
        if x1 == x {
            h1 = one[i].h;
            i += 1;
        }
        if x2 == x {
            h2 = two[j].h;
            j += 1;
        }
        let height = h1.min(h2);
        if height > below {
            least.push(Step { x, h: height });
            below = height;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A function as a sorted sequence of entries and perhaps a wall.
    fn steps(mut entries: Vec<i8>, wall: Option<i8>) -> Vec<Step> {
        entries.sort_unstable();
        let mut steps: Vec<Step> = Vec::new();
        for (n, entry) in (1..).zip(entries) {
            let x = Rank::from(entry);
            if wall.is_some_and(|wall| x >= Rank::from(wall)) {
                break;
            }
            match steps.last_mut() {
                Some(last) if last.x == x => last.h = n,
                _ => steps.push(Step { x, h: n }),
            }
        }
        steps.extend(wall.map(|wall| Step { x: Rank::from(wall), h: INFINITE }));
        steps
    }

    fn function() -> impl Strategy<Value = Vec<Step>> {
        (prop::collection::vec(-9i8..9, 1..6), prop::option::of(-9i8..9))
            .prop_map(|(entries, wall)| steps(entries, wall))
    }

    fn capped(height: u64, cap: u32) -> u32 {
        if height >= u64::from(INFINITE) {
            INFINITE
        } else {
            (height as u32).min(cap)
        }
    }

    proptest! {
        #[test]
        fn sums_and_minima_are_pointwise(parts in prop::collection::vec(function(), 1..5), cap in 1u32..9) {
            let (mut total, mut least, mut scratch) = (Vec::new(), Vec::new(), Vec::new());
            sum(parts.iter().map(Vec::as_slice), cap, &mut total);
            minimum(parts.iter().map(Vec::as_slice), &mut least, &mut scratch);
            for x in -11..11 {
                let heights = parts.iter().map(|part| u64::from(height(part, x)));
                prop_assert_eq!(height(&total, x), capped(heights.clone().sum(), cap), "sum at {}", x);
                prop_assert_eq!(Some(u64::from(height(&least, x))), heights.min(), "minimum at {}", x);
            }
            for steps in [&total, &least] {
                prop_assert!(steps.windows(2).all(|w| w[0].x < w[1].x && w[0].h <= w[1].h));
            }
        }

        #[test]
        fn reach_inverts_height(part in function(), n in 0u32..8) {
            match reach(&part, n) {
                Some(x) => {
                    prop_assert!(height(&part, x) <= n);
                    prop_assert!(height(&part, x + 1) > n);
                }
                None => prop_assert!(height(&part, Rank::MAX) <= n),
            }
        }
    }
}
