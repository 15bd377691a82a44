//! What is known of a position: proof and disproof numbers, or whole functions.

use super::store::{FunctionTable, PairTable, Remembers};
use crate::evaluator::Area;
use crate::numbers::functions::below;
use crate::numbers::proof_pair::Pair;
use crate::numbers::staircase::{
    enough, height, merge, reach, Least, LongSum, Step, FAR, INFINITE,
};
use crate::tree::Rank;
use std::sync::Arc;

/// vmax and -vmin, in the coordinate of some node.
pub(crate) type Targets = [Rank; 2];

/// A kind of knowledge that a depth-first search can be led by.
pub(crate) trait Evidence: Clone + Send + Sync {
    /// What is known of one position.
    type Known: Clone + Send + Sync;
    /// Where it is kept.
    type Store: Remembers<Self::Known>;
    /// Whether limits are so low that they are passed after a few expansions, as `most` is small.
    const TIGHT: bool;

    /// Nothing is known yet.
    fn open(&self) -> Self::Known;
    /// The game is over.
    fn result(&self, won: bool) -> Self::Known;
    /// Who wins, if it is known.
    fn solved(&self, known: &Self::Known) -> Option<bool>;
    /// Whether moves have errors.
    fn uses_errors(&self) -> bool;
    /// What static values count beside errors, if they do.
    fn anchor(&self) -> Option<f64> {
        None
    }
    /// The numbers at a node's own targets.
    fn pair(&self, known: &Self::Known, targets: Targets) -> Pair;
    /// A node's targets as a child sees them, after a move of this error.
    fn below(&self, max: bool, error: Rank, targets: Targets) -> Targets;
    /// What is known of a node from what is known of its children.
    fn combine<'a>(
        &self,
        max: bool,
        children: impl Iterator<Item = (Rank, &'a Self::Known)> + Clone,
    ) -> Self::Known
    where
        Self::Known: 'a;
    /// Whether results have areas.
    const AREAS: bool = false;
    /// The area of a result; everything if nobody has said.
    fn area(&self, known: &Self::Known) -> Area {
        let _ = known;
        Area::MAX
    }
    /// A result with this area.
    fn resting_on(&self, known: Self::Known, area: Area) -> Self::Known {
        let _ = area;
        known
    }
    /// What a search from the root aims at, and how far its numbers may go, if `most` leaves may be wrong.
    fn aim(&self, known: &Self::Known, most: [u32; 2]) -> (Targets, Pair);
}

/// Two numbers, and the area of a result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ProvenPair {
    pub pair: Pair,
    /// Everything, while there is no result.
    pub area: Area,
}

impl ProvenPair {
    /// Without an area.
    pub const fn of(pair: Pair) -> ProvenPair {
        ProvenPair { pair, area: Area::MAX }
    }
}

/// Two numbers: df-pn. The scores of moves may break ties.
#[derive(Clone, Debug)]
pub(crate) struct ProofNumbers {
    pub by_scores: bool,
}

impl Evidence for ProofNumbers {
    type Known = ProvenPair;
    type Store = PairTable;
    const TIGHT: bool = false;
    const AREAS: bool = true;

    fn open(&self) -> ProvenPair {
        ProvenPair::of(Pair::OPEN)
    }
    fn result(&self, won: bool) -> ProvenPair {
        ProvenPair::of(Pair::of_result(won))
    }
    #[inline]
    fn solved(&self, known: &ProvenPair) -> Option<bool> {
        known.pair.is_solved().then_some(known.pair.pn == 0)
    }
    #[inline]
    fn area(&self, known: &ProvenPair) -> Area {
        known.area
    }
    #[inline]
    fn resting_on(&self, known: ProvenPair, area: Area) -> ProvenPair {
        ProvenPair { area, ..known }
    }
    fn uses_errors(&self) -> bool {
        self.by_scores
    }
    #[inline]
    fn pair(&self, known: &ProvenPair, _: Targets) -> Pair {
        known.pair
    }
    #[inline]
    fn below(&self, _: bool, _: Rank, targets: Targets) -> Targets {
        targets
    }
    #[inline]
    fn combine<'a>(
        &self,
        max: bool,
        children: impl Iterator<Item = (Rank, &'a ProvenPair)> + Clone,
    ) -> ProvenPair {
        ProvenPair::of(Pair::of_family(max, children.map(|(_, known)| known.pair)))
    }
    fn aim(&self, _: &ProvenPair, _: [u32; 2]) -> (Targets, Pair) {
        ([FAR; 2], Pair { pn: INFINITE, dn: INFINITE })
    }
}

/// A pair of functions, relative to the node: the steps of p, and of d mirrored.
pub(crate) type Pairwise = Arc<[Vec<Step>; 2]>;

/// Two staircases: sibling conspiracy numbers.
#[derive(Clone, Debug)]
pub(crate) struct SiblingFunctions {
    open: Pairwise,
    won: Pairwise,
    lost: Pairwise,
    eta: f64,
    strict: bool,
    anchor: Option<f64>,
}

impl SiblingFunctions {
    /// With the steps of an open leaf.
    pub fn new(leaf: Vec<Step>, eta: f64, strict: bool, anchor: Option<f64>) -> SiblingFunctions {
        let wall = vec![Step { x: -FAR, h: INFINITE }];
        SiblingFunctions {
            open: Arc::new([leaf.clone(), leaf]),
            won: Arc::new([Vec::new(), wall.clone()]),
            lost: Arc::new([wall, Vec::new()]),
            eta,
            strict,
            anchor,
        }
    }
}

impl Evidence for SiblingFunctions {
    type Known = Pairwise;
    type Store = FunctionTable;
    const TIGHT: bool = true;

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
    fn anchor(&self) -> Option<f64> {
        self.anchor
    }
    fn pair(&self, known: &Pairwise, targets: Targets) -> Pair {
        Pair { pn: height(&known[0], targets[0]), dn: height(&known[1], targets[1]) }
    }
    fn below(&self, max: bool, error: Rank, targets: Targets) -> Targets {
        below(max, error, targets)
    }

    fn combine<'a>(
        &self,
        max: bool,
        children: impl Iterator<Item = (Rank, &'a Pairwise)> + Clone,
    ) -> Pairwise {
        let (any, all) = if max { (0, 1) } else { (1, 0) };
        let mut functions: [Vec<Step>; 2] = Default::default();
        let parts = |side: usize| {
            let by = move |e: Rank| if side == any { -e } else { e };
            children.clone().map(move |(e, known)| (known[side].as_slice(), by(e)))
        };
        Least::default().of_moved(parts(any), &mut functions[any]);
        let mut sum = LongSum::default();
        parts(all).for_each(|(steps, by)| sum.add_moved(steps, by));
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
        let most = [0, 1].map(|side| enough(&known[side], most[side], self.strict));
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
