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
use std::ops::Deref;

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

/// The number of leaves to look at: `n`, or if that is to get anywhere at all the least height there is (`strict`).
#[inline]
pub(crate) fn enough(steps: &[Step], n: u32, strict: bool) -> u32 {
    let first = steps.first().map_or(0, |step| step.h);
    let n = if strict && first != INFINITE { n.max(first) } else { n };
    n.min(INFINITE - 1)
}

/// The furthest value that at most `n` leaves can reach; `None` if there is no end to it.
#[inline]
pub(crate) fn reach(steps: &[Step], n: u32) -> Option<Rank> {
    steps.iter().find(|step| step.h > n).map(|step| step.x)
}

/// The sum of functions: all of them must be bought.
///
/// Increments are kept in order of `x`, and no more of them than make up the cap.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sum {
    cap: u32,
    /// Where the first part becomes infinite.
    wall: Rank,
    /// From here on nothing matters any more: the cap is reached before.
    end: Rank,
    /// The sum of all increments.
    collected: u32,
    /// `h` is an increment here, not a height.
    steps: Vec<Step>,
}

impl Sum {
    #[inline]
    pub fn start(&mut self, cap: u32) {
        (self.cap, self.wall, self.end, self.collected) = (cap, Rank::MAX, Rank::MAX, 0);
        self.steps.clear();
    }

    /// Adds a part that is infinite above `x`.
    #[inline]
    pub fn add_wall(&mut self, x: Rank) {
        self.wall = self.wall.min(x);
    }

    /// Adds a part that rises by `rise` above `x`, and does not end there.
    #[inline]
    pub fn add(&mut self, x: Rank, rise: u32) {
        if x >= self.end {
            return;
        }
        let steps = &mut self.steps;
        let mut at = steps.len();
        while at > 0 && steps[at - 1].x > x {
            at -= 1;
        }
        self.collected = self.collected.saturating_add(rise);
        if at > 0 && steps[at - 1].x == x {
            steps[at - 1].h = steps[at - 1].h.saturating_add(rise);
        } else {
            steps.push(Step { x, h: rise });
            let mut to = steps.len() - 1;
            while to > at {
                steps[to] = steps[to - 1];
                to -= 1;
            }
            steps[at] = Step { x, h: rise };
        }
        while let Some(last) = steps.last() {
            if self.collected - last.h < self.cap {
                break;
            }
            self.collected -= last.h;
            steps.pop();
        }
        if self.collected >= self.cap {
            self.end = steps[steps.len() - 1].x;
        }
    }

    /// Adds a part.
    #[inline]
    pub fn add_steps(&mut self, part: &[Step]) {
        let mut finite = part;
        if let [before @ .., Step { x, h: INFINITE }] = part {
            self.add_wall(*x);
            finite = before;
        }
        let mut below = 0;
        for step in finite {
            if step.x >= self.end {
                break;
            }
            self.add(step.x, step.h - below);
            below = step.h;
        }
    }

    /// Writes the sum.
    #[inline]
    pub fn finish(&self, total: &mut Vec<Step>) {
        total.clear();
        let mut height = 0u32;
        for step in self.steps.iter().take_while(|step| step.x < self.wall) {
            height = height.saturating_add(step.h).min(self.cap);
            total.push(Step { x: step.x, h: height });
        }
        if self.wall != Rank::MAX {
            total.push(Step { x: self.wall, h: INFINITE });
        }
    }
}

/// The sum of many long functions: sorted at once, not entry by entry. Parts come as their increments.
#[derive(Clone, Debug, Default)]
pub(crate) struct LongSum {
    increments: Vec<Step>,
    wall: Option<Rank>,
}

impl LongSum {
    pub fn start(&mut self) {
        self.increments.clear();
        self.wall = None;
    }

    /// Adds a part, moved along the values.
    #[inline]
    pub fn add_moved(&mut self, part: &[Step], by: Rank) {
        let mut below = 0;
        for step in part {
            let x = shifted(step.x, by);
            if step.h == INFINITE {
                self.wall = Some(self.wall.map_or(x, |wall| wall.min(x)));
            } else {
                self.increments.push(Step { x, h: step.h - below });
                below = step.h;
            }
        }
    }

    /// Writes the sum; finite heights above the cap are stored as the cap.
    pub fn finish(&mut self, cap: u32, total: &mut Vec<Step>) {
        total.clear();
        self.increments.sort_unstable_by_key(|step| step.x);
        let mut height = 0u32;
        for step in &self.increments {
            if height >= cap || self.wall.is_some_and(|wall| wall <= step.x) {
                break;
            }
            height = height.saturating_add(step.h).min(cap);
            match total.last_mut() {
                Some(last) if last.x == step.x => last.h = height,
                _ => total.push(Step { x: step.x, h: height }),
            }
        }
        total.extend(self.wall.map(|x| Step { x, h: INFINITE }));
    }
}

/// Makes neighbouring steps one where they differ by a part of `eta` or less (Pawlewicz and Hayward 2015,
/// equation 7): from the highest step H down, every lower step h with h (1 + eta) >= H becomes H. Neither 0 nor
/// infinity is merged. What is left rises by more than 1 + eta with every step (Lemma 1), and so has few of them
/// (Theorem 1).
pub(crate) fn merge(steps: &mut Vec<Step>, eta: f64) {
    let finite = steps.iter().take_while(|step| step.h != INFINITE).count();
    let mut kept = finite; // steps[kept..finite] is what is left, as it is found from the top
    for at in (0..finite).rev() {
        let step = steps[at];
        if kept < finite && f64::from(step.h) * (1.0 + eta) >= f64::from(steps[kept].h) {
            steps[kept].x = step.x;
        } else {
            kept -= 1;
            steps[kept] = step;
        }
    }
    steps.drain(..kept);
}

/// The minimum of functions: the cheapest of them is bought.
///
/// As sequences: the entry number n is the greatest of the parts' entries number n. Parts come one after
/// another, and each can only raise what the earlier ones left.
#[derive(Clone, Debug, Default)]
pub(crate) struct Least {
    part: Vec<Step>,
    scratch: Vec<Step>,
}

impl Least {
    /// Writes the minimum of the parts.
    #[inline]
    pub fn of<S: Deref<Target = [Step]>>(
        &mut self,
        parts: impl Iterator<Item = S>,
        least: &mut Vec<Step>,
    ) {
        least.clear();
        for (place, part) in parts.enumerate() {
            if place == 0 {
                least.extend_from_slice(&part);
            } else {
                self.add(&part, least);
            }
        }
    }

    /// Writes the minimum of the parts, each moved along the values by its own shift.
    #[inline]
    pub fn of_moved<'a>(
        &mut self,
        parts: impl Iterator<Item = (&'a [Step], Rank)>,
        least: &mut Vec<Step>,
    ) {
        least.clear();
        for (place, (part, by)) in parts.enumerate() {
            let mut moved = std::mem::take(&mut self.part);
            moved.clear();
            moved.extend(part.iter().map(|step| Step { x: shifted(step.x, by), ..*step }));
            if place == 0 {
                std::mem::swap(least, &mut moved);
            } else {
                self.add(&moved, least);
            }
            self.part = moved;
        }
    }

    #[inline]
    fn add(&mut self, part: &[Step], least: &mut Vec<Step>) {
        if !is_below(least, part) {
            lower(least, part, &mut self.scratch);
            std::mem::swap(least, &mut self.scratch);
        }
    }
}

/// The coordinate of a win; a loss is at minus it.
pub(crate) const FAR: Rank = Rank::MAX;

/// Moves a value; infinities stay where they are.
#[inline]
pub(crate) fn shifted(x: Rank, by: Rank) -> Rank {
    if x == FAR || x == -FAR {
        x
    } else {
        x + by
    }
}

/// The minimum of a function and one that is 0 up to the floor and infinite above; of nothing and that
/// one, if there are no steps.
#[inline]
pub(crate) fn raise(steps: &mut Vec<Step>, floor: Rank) {
    let below = steps.iter().take_while(|step| step.x <= floor).count();
    if steps.is_empty() {
        steps.push(Step { x: floor, h: INFINITE });
    } else if below > 0 {
        steps.drain(..below - 1);
        steps[0].x = floor;
    }
}

/// Whether the first function is nowhere above the second.
#[inline]
fn is_below(one: &[Step], two: &[Step]) -> bool {
    // to be above, the first would have to take a step before the second has reached that height
    let mut at = 0;
    let mut reached = 0;
    for step in one {
        while at < two.len() && two[at].x <= step.x {
            reached = two[at].h;
            at += 1;
        }
        if reached < step.h {
            return false;
        }
    }
    true
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

    #[test]
    fn proof_numbers_around_a_thousand_need_few_steps() {
        let mut steps: Vec<Step> = (1..=1000).map(|h| Step { x: Rank::from(h), h }).collect();
        merge(&mut steps, 0.25);
        assert_eq!(steps.len(), 26); // "around 25", Section 2.8
    }

    proptest! {
        #[test]
        fn sums_and_minima_are_pointwise(parts in prop::collection::vec(function(), 1..5), cap in 1u32..9) {
            let (mut total, mut least) = (Vec::new(), Vec::new());
            let mut sum = Sum::default();
            sum.start(cap);
            parts.iter().for_each(|part| sum.add_steps(part));
            sum.finish(&mut total);
            Least::default().of(parts.iter().map(Vec::as_slice), &mut least);
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
        fn long_sums_are_sums(parts in prop::collection::vec(function(), 1..5), cap in 1u32..9) {
            let (mut total, mut expected) = (Vec::new(), Vec::new());
            let (mut sum, mut long) = (Sum::default(), LongSum::default());
            sum.start(cap);
            long.start();
            for part in &parts {
                let moved: Vec<Step> = part.iter().map(|step| Step { x: step.x + 3, ..*step }).collect();
                sum.add_steps(&moved);
                long.add_moved(part, 3);
            }
            sum.finish(&mut expected);
            long.finish(cap, &mut total);
            for x in -9..16 {
                prop_assert_eq!(height(&total, x), height(&expected, x), "at {}", x);
            }
        }

        /// Lemma 1 and Theorem 1, and what the approximation may cost.
        #[test]
        fn merged_steps_differ(rises in prop::collection::vec(1u32..40, 0..60), wall: bool, eta in 0.0..1.0f64) {
            let mut exact = Vec::new();
            let mut height_so_far = 0;
            for (x, rise) in (0..).zip(rises) {
                height_so_far += rise;
                exact.push(Step { x, h: height_so_far });
            }
            if wall {
                exact.push(Step { x: 100, h: INFINITE });
            }
            let mut merged = exact.clone();
            merge(&mut merged, eta);
            let finite: Vec<f64> =
                merged.iter().filter(|s| s.h != INFINITE).map(|s| f64::from(s.h)).collect();
            prop_assert!(finite.windows(2).all(|pair| pair[0] * (1.0 + eta) < pair[1]));
            if eta > 0.0 {
                let most = f64::from(height_so_far.max(1)).ln() / (1.0 + eta).ln() + 1.0;
                prop_assert!(finite.len() as f64 <= most + 1e-9);
            }
            for x in -1..102 {
                let (one, two) = (height(&exact, x), height(&merged, x));
                prop_assert!(one <= two, "an upper bound");
                prop_assert!((one == 0) == (two == 0) && (one == INFINITE) == (two == INFINITE));
                prop_assert!(two == INFINITE || f64::from(two) <= f64::from(one) * (1.0 + eta));
            }
        }

        #[test]
        fn a_floor_is_a_part_of_the_minimum(part in function(), floor in -9i8..9) {
            let floor = Rank::from(floor);
            let wall = vec![Step { x: floor, h: INFINITE }];
            let (mut expected, mut raised) = (Vec::new(), part.clone());
            Least::default().of([part.as_slice(), &wall].into_iter(), &mut expected);
            raise(&mut raised, floor);
            prop_assert_eq!(raised, expected);
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
