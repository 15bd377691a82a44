//! Bounds sequences of a fixed length, for small numbers of conspirators.
//!
//! A sequence is what McAllester writes: the furthest values within 0, 1, 2, ... conspirators, in order, and in the
//! last lane the furthest value however many conspire. It says the same as a staircase up to the cap. Where that is
//! low, all lanes are compared at once, and there is no branch that could be guessed wrong.
//!
//! Values are in the coordinate of their side: mirrored for `Down`. Without end is infinity.

use super::staircase::{Step, INFINITE};
use crate::tree::unrank;

/// The entries up to the cap, and the one for however many conspirators.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sequence<const LANES: usize>([f64; LANES]);

// one instruction each, unlike `f64::min` and `f64::max`, which care for NaN: values never are
#[inline(always)]
pub(crate) fn lesser(a: f64, b: f64) -> f64 {
    if a < b {
        a
    } else {
        b
    }
}

#[inline(always)]
pub(crate) fn greater(a: f64, b: f64) -> f64 {
    if a > b {
        a
    } else {
        b
    }
}

impl<const LANES: usize> Sequence<LANES> {
    const LAST: usize = LANES - 1;
    /// What an open leaf is at least.
    const OPEN: [f64; LANES] = {
        let mut lanes = [f64::INFINITY; LANES];
        lanes[0] = f64::NEG_INFINITY;
        lanes
    };

    /// What all of no children come to: they are everywhere already.
    pub const EVERYWHERE: Self = Sequence([f64::INFINITY; LANES]);
    /// What any of no children comes to: there is none to get anywhere.
    pub const NOWHERE: Self = Sequence([f64::NEG_INFINITY; LANES]);

    /// A finished game.
    #[inline(always)]
    pub fn over(value: f64) -> Self {
        Sequence([value; LANES])
    }

    /// An open leaf of the number 1.
    #[inline(always)]
    pub fn open(value: f64) -> Self {
        // lane by lane, so that all lanes are written as one
        Sequence::over(value).or(&Sequence(Self::OPEN))
    }

    /// The sequence that a staircase stands for.
    #[inline(never)]
    pub fn of(steps: &[Step]) -> Self {
        let mut lanes = [f64::INFINITY; LANES];
        let mut below = 0;
        for step in steps {
            let height = if step.h == INFINITE { LANES } else { Self::LAST.min(step.h as usize) };
            lanes[below..height].fill(unrank(step.x));
            below = height;
        }
        Sequence(lanes)
    }

    /// The value without conspirators.
    #[inline(always)]
    pub fn value(&self) -> f64 {
        self.0[0]
    }

    /// All entries but that for however many conspirators.
    pub fn entries(&self) -> &[f64] {
        &self.0[..Self::LAST]
    }

    /// The furthest value within `n` conspirators; of more than there are entries for, within all.
    #[inline(always)]
    pub fn reach(&self, n: u32) -> f64 {
        self.0[Self::LAST.min(n as usize)]
    }

    /// The last entry before the one for all.
    #[inline(always)]
    pub fn end(&self) -> f64 {
        self.0[Self::LAST - 1]
    }

    /// The furthest value however many conspire.
    #[inline(always)]
    pub fn last(&self) -> f64 {
        self.0[Self::LAST]
    }

    /// How many conspirators it takes to get to `x`.
    #[inline(always)]
    pub fn number(&self, x: f64) -> u32 {
        let number = self.0[..Self::LAST].iter().map(|&entry| u32::from(entry < x)).sum();
        if self.0[Self::LAST] < x {
            INFINITE
        } else {
            number
        }
    }

    /// One of the two is enough: the greater entry in every lane.
    #[inline(always)]
    pub fn or(&self, other: &Self) -> Self {
        Sequence(std::array::from_fn(|n| greater(self.0[n], other.0[n])))
    }

    /// Both are needed: the least entries of the two together.
    #[inline(always)]
    pub fn and(&self, other: &Self) -> Self {
        let (a, b) = (&self.0, &other.0);
        let entry = |n: usize| {
            // the greatest of n + 1: some of the first sequence and the others of the second, at best
            let mixed = (0..n).map(|i| greater(a[n - 1 - i], b[i]));
            mixed.fold(lesser(a[n], b[n]), lesser)
        };
        Sequence(std::array::from_fn(|n| match n {
            n if n == Self::LAST => lesser(a[n], b[n]),
            n => entry(n),
        }))
    }

    /// The same with an open leaf: its value takes its place among the entries.
    #[inline(always)]
    pub fn and_open(&self, value: f64) -> Self {
        let a = &self.0;
        Sequence(std::array::from_fn(|n| match n {
            0 => lesser(a[0], value),
            n if n == Self::LAST => a[n],
            n => lesser(a[n], greater(a[n - 1], value)),
        }))
    }

    /// The reverse of `and_open`, but for the last entry before the one for all: that was forgotten when the
    /// leaf's value took its place. It stays what it is, and was not less.
    #[inline(always)]
    pub fn without_open(&self, value: f64) -> Self {
        let a = &self.0;
        Sequence(std::array::from_fn(|n| match n {
            n if n + 1 < Self::LAST && a[n] >= value => a[n + 1],
            n => a[n],
        }))
    }

    /// The same as `and` with a finished game, beyond which no number of conspirators gets.
    #[inline(always)]
    pub fn and_over(&self, value: f64) -> Self {
        Sequence(std::array::from_fn(|n| lesser(self.0[n], value)))
    }

    /// Whether any entry is another.
    #[inline(always)]
    pub fn differs(&self, other: &Self) -> bool {
        let differences = self.0.iter().zip(&other.0).map(|(a, b)| a.to_bits() ^ b.to_bits());
        differences.fold(0, |one, two| one | two) != 0
    }
}

#[cfg(test)]
mod tests {
    use super::super::staircase::{height, Least, Sum};
    use super::*;
    use crate::tree::{rank, Rank};
    use proptest::prelude::*;

    const CAP: u32 = 5;
    type Short = Sequence<6>;

    /// A staircase up to the cap.
    fn staircase() -> impl Strategy<Value = Vec<Step>> {
        let wall = prop::option::of(-9i8..9);
        (prop::collection::vec(-9i8..9, 1..6), wall).prop_map(|(entries, wall)| {
            let mut sum = Sum::default();
            sum.start(CAP);
            entries.into_iter().for_each(|entry| sum.add(rank(entry.into()), 1));
            wall.into_iter().for_each(|wall| sum.add_wall(rank(wall.into())));
            let mut steps = Vec::new();
            sum.finish(&mut steps);
            steps
        })
    }

    fn total(parts: &[&[Step]]) -> Vec<Step> {
        let (mut sum, mut steps) = (Sum::default(), Vec::new());
        sum.start(CAP);
        parts.iter().for_each(|part| sum.add_steps(part));
        sum.finish(&mut steps);
        steps
    }

    fn leaf(value: i8, h: u32) -> Vec<Step> {
        vec![Step { x: rank(value.into()), h }]
    }

    proptest! {
        #[test]
        fn sequences_say_what_staircases_say(one in staircase(), two in staircase(), value in -9i8..9) {
            let (a, b) = (Short::of(&one), Short::of(&two));
            for x in -11i8..11 {
                prop_assert_eq!(a.number(x.into()), height(&one, rank(x.into())));
            }
            let mut least = Vec::new();
            Least::default().of([one.as_slice(), two.as_slice()].into_iter(), &mut least);
            prop_assert_eq!(a.or(&b), Short::of(&least));
            prop_assert_eq!(a.and(&b), Short::of(&total(&[&one, &two])));
            let (open, over) = (leaf(value, 1), leaf(value, INFINITE));
            prop_assert_eq!(Short::open(value.into()), Short::of(&open));
            prop_assert_eq!(Short::over(value.into()), Short::of(&over));
            prop_assert_eq!(a.and_open(value.into()), Short::of(&total(&[&one, &open])));
            prop_assert_eq!(a.and_over(value.into()), Short::of(&total(&[&one, &over])));
            prop_assert_eq!(a.differs(&b), a != b);
        }

        #[test]
        fn a_leaf_can_be_exchanged_for_a_node_that_is_not_beyond_the_end(
            others in staircase(), value in -9i8..9, node in staircase()
        ) {
            let family = Short::of(&others).and_open(value.into());
            let (rest, node) = (family.without_open(value.into()), Short::of(&node));
            if f64::from(value) > family.end() || node.value() <= family.end() {
                prop_assert_eq!(rest.and(&node), Short::of(&others).and(&node));
            }
        }

        #[test]
        fn reach_is_the_entry(steps in staircase(), n in 0..CAP) {
            let reached = super::super::staircase::reach(&steps, n).unwrap_or(Rank::MAX);
            let end = rank(f64::INFINITY);
            prop_assert_eq!(rank(Short::of(&steps).reach(n)), reached.min(end));
        }
    }
}
