//! What is known of a position: proof and disproof numbers, or whole functions.

use super::store::{Functions, Pairs, Store};
use crate::growth::functions::{shifted, FAR};
use crate::growth::proof_number::Pair;
use crate::growth::staircase::{height, is_below, lower, merge, reach, LongSum, Step, INFINITE};
use crate::scores::Units;
use crate::tree::Rank;
use std::sync::Arc;

/// vmax and -vmin, in the coordinate of some node.
pub(crate) type Targets = [Rank; 2];

/// A kind of knowledge that a depth-first search can be led by.
pub(crate) trait Evidence: Clone + Send + Sync {
    /// What is known of one position.
    type Known: Clone + Send + Sync;
    /// Where it is kept.
    type Store: Store<Self::Known>;

    /// Nothing is known yet.
    fn open(&self) -> Self::Known;
    /// The game is over.
    fn result(&self, won: bool) -> Self::Known;
    /// Who wins, if it is known.
    fn solved(&self, known: &Self::Known) -> Option<bool>;
    /// Whether moves have errors.
    fn uses_errors(&self) -> bool;
    /// The numbers at a node's own targets.
    fn pair(&self, known: &Self::Known, targets: Targets) -> Pair;
    /// A node's targets as a child sees them, after a move of this error.
    fn below(&self, max: bool, error: Units, targets: Targets) -> Targets;
    /// What is known of a node from what is known of its children.
    fn combine<'a>(
        &self,
        max: bool,
        children: impl Iterator<Item = (Units, &'a Self::Known)> + Clone,
    ) -> Self::Known
    where
        Self::Known: 'a;
    /// What a search from the root aims at, and how far its numbers may go, if `most` leaves may be wrong.
    fn aim(&self, known: &Self::Known, most: [u32; 2]) -> (Targets, Pair);
}

/// Two numbers: df-pn. The scores of moves may break ties.
#[derive(Clone, Debug)]
pub(crate) struct Numbers {
    pub by_scores: bool,
}

impl Evidence for Numbers {
    type Known = Pair;
    type Store = Pairs;

    fn open(&self) -> Pair {
        Pair::OPEN
    }
    fn result(&self, won: bool) -> Pair {
        Pair::of_result(won)
    }
    #[inline]
    fn solved(&self, known: &Pair) -> Option<bool> {
        known.is_solved().then_some(known.pn == 0)
    }
    fn uses_errors(&self) -> bool {
        self.by_scores
    }
    #[inline]
    fn pair(&self, known: &Pair, _: Targets) -> Pair {
        *known
    }
    #[inline]
    fn below(&self, _: bool, _: Units, targets: Targets) -> Targets {
        targets
    }
    #[inline]
    fn combine<'a>(
        &self,
        max: bool,
        children: impl Iterator<Item = (Units, &'a Pair)> + Clone,
    ) -> Pair {
        Pair::of_family(max, children.map(|(_, pair)| *pair))
    }
    fn aim(&self, _: &Pair, _: [u32; 2]) -> (Targets, Pair) {
        ([FAR; 2], Pair { pn: INFINITE, dn: INFINITE })
    }
}

/// A pair of functions, relative to the node: the steps of p, and of d mirrored.
pub(crate) type Pairwise = Arc<[Vec<Step>; 2]>;

/// Two staircases: sibling conspiracy numbers.
#[derive(Clone, Debug)]
pub(crate) struct Staircases {
    open: Pairwise,
    won: Pairwise,
    lost: Pairwise,
    eta: f64,
    strict: bool,
}

impl Staircases {
    /// With the steps of an open leaf.
    pub fn new(leaf: Vec<Step>, eta: f64, strict: bool) -> Staircases {
        let wall = vec![Step { x: -FAR, h: INFINITE }];
        Staircases {
            open: Arc::new([leaf.clone(), leaf]),
            won: Arc::new([Vec::new(), wall.clone()]),
            lost: Arc::new([wall, Vec::new()]),
            eta,
            strict,
        }
    }
}

impl Evidence for Staircases {
    type Known = Pairwise;
    type Store = Functions;

    fn open(&self) -> Pairwise {
        self.open.clone()
    }
    fn result(&self, won: bool) -> Pairwise {
        if won {
            self.won.clone()
        } else {
            self.lost.clone()
        }
    }
    fn solved(&self, known: &Pairwise) -> Option<bool> {
        (known[0].is_empty() || known[1].is_empty()).then(|| known[0].is_empty())
    }
    fn uses_errors(&self) -> bool {
        true
    }
    fn pair(&self, known: &Pairwise, targets: Targets) -> Pair {
        Pair { pn: height(&known[0], targets[0]), dn: height(&known[1], targets[1]) }
    }
    fn below(&self, max: bool, error: Units, targets: Targets) -> Targets {
        let e = Rank::from(error);
        let (up, down) = if max { (e, -e) } else { (-e, e) };
        [shifted(targets[0], up), shifted(targets[1], down)]
    }

    fn combine<'a>(
        &self,
        max: bool,
        children: impl Iterator<Item = (Units, &'a Pairwise)> + Clone,
    ) -> Pairwise {
        let (any, all) = if max { (0, 1) } else { (1, 0) };
        let mut functions: [Vec<Step>; 2] = Default::default();
        let (mut part, mut least) = (Vec::new(), Vec::new());
        let mut sum = LongSum::default();
        for (place, (error, known)) in children.enumerate() {
            let e = Rank::from(error);
            part.clear();
            part.extend(known[any].iter().map(|s| Step { x: shifted(s.x, -e), ..*s }));
            let total = &mut functions[any];
            if place == 0 {
                std::mem::swap(total, &mut part);
            } else if !is_below(total, &part) {
                lower(total, &part, &mut least);
                std::mem::swap(total, &mut least);
            }
            sum.add_steps(&known[all], |x| shifted(x, e));
        }
        sum.finish(INFINITE - 1, &mut functions[all]);
        for steps in &mut functions {
            if self.eta > 0.0 {
                merge(steps, self.eta);
            }
            fit(steps);
        }
        if functions[0].is_empty() {
            self.won.clone()
        } else if functions[1].is_empty() {
            self.lost.clone()
        } else {
            Arc::new(functions)
        }
    }

    fn aim(&self, known: &Pairwise, most: [u32; 2]) -> (Targets, Pair) {
        let most = [0, 1].map(|side| {
            let first = known[side].first().map_or(0, |step| step.h);
            let n =
                if self.strict && first != INFINITE { most[side].max(first) } else { most[side] };
            n.min(INFINITE - 1)
        });
        let limit = |side: usize| reach(&known[side], most[side]).unwrap_or(FAR);
        let [pn, dn] = most.map(|n| n + 1);
        ([limit(0), limit(1)], Pair { pn, dn })
    }
}

/// No function in a table has more steps.
pub(crate) const MOST_STEPS: usize = 16;

/// Merges steps, more and more boldly, until there are few enough. Heights only guide the search: none is lowered,
/// and neither 0 nor infinity is touched.
fn fit(steps: &mut Vec<Step>) {
    let mut eta = 0.125;
    while steps.len() > MOST_STEPS {
        merge(steps, eta);
        eta *= 2.0;
    }
}
