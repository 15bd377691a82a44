//! The procedure to find a best successor (McAllester 1988, Section 9).
//!
//! A successor is best under N-way conspiracies if its lower bound is not below the upper bound of any other.
//! While there is none for N, either raise the lower bound of one that is best for N - 1 (prove-best), or lower
//! the upper bounds of the others (disprove-rest).

use super::bounds::{Bounds, Side};
use super::staircase::INFINITE;
use crate::tree::{rank, NodeId, Rank, Tree};

/// Which of the two ways is tried first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strategy {
    Prove,
    Disprove,
    Alternate,
    Fewest,
}

/// The state of the procedure.
#[derive(Clone, Debug)]
pub(crate) struct Successor {
    strategy: Strategy,
    /// The successor that is best as far as is known.
    best: Option<u32>,
    /// For taking turns: whose turn it is, and how far the tree had grown when it was decided.
    prove: bool,
    grown: u64,
}

/// Where to go down from the root.
pub(crate) enum NextStep {
    /// Below this child, to rule out the value `x` of this side.
    Below { child: NodeId, side: Side, x: Rank },
    /// Nothing can change: the best successor is proven.
    Nowhere,
    /// The bounds' cap is too low to tell.
    Unknown,
}

/// The root's children from the side of its player, in whose coordinate all bounds are.
struct RootChildren<'a> {
    tree: &'a Tree,
    bounds: &'a Bounds,
    /// The direction in which the player wants values to go.
    better: Side,
}

impl RootChildren<'_> {
    /// The best that a child can become with `n` conspirators.
    fn upper(&self, id: NodeId, n: u32) -> Rank {
        self.bounds.limit_rank(self.tree, id, self.better, n)
    }

    /// The worst.
    fn lower(&self, id: NodeId, n: u32) -> Rank {
        !self.bounds.limit_rank(self.tree, id, self.better.other(), n)
    }

    fn value(&self, id: NodeId) -> Rank {
        rank(self.tree.node(id).value) ^ self.better.flip()
    }

    /// The leftmost best successor under `n` conspirators: at least as good at its worst as any other
    /// at its best. The two greatest upper bounds tell for all of them.
    fn best(&self, n: u32) -> Option<NodeId> {
        let children = self.tree.root().children();
        let (mut first, mut first_at, mut second) = (Rank::MIN, NodeId::MAX, Rank::MIN);
        for id in children.clone() {
            let upper = self.upper(id, n);
            if upper > first {
                second = first;
                (first, first_at) = (upper, id);
            } else {
                second = second.max(upper);
            }
        }
        children.into_iter().find(|&id| {
            let others = if id == first_at { second } else { first };
            self.lower(id, n) >= others
        })
    }
}

impl Successor {
    pub fn new(strategy: Strategy) -> Successor {
        Successor { strategy, best: None, prove: false, grown: 0 }
    }

    /// What growth depends on, in words: the best successor, whose turn it is, and since when.
    pub fn memory(&self) -> [u64; 3] {
        [self.best.map_or(0, |best| u64::from(best) + 1), u64::from(self.prove), self.grown]
    }

    pub fn remember(&mut self, best: u64, prove: u64, grown: u64) {
        self.best = u32::try_from(best).ok().and_then(|best| best.checked_sub(1));
        (self.prove, self.grown) = (prove != 0, grown);
    }

    /// The best successor so far, as a place among the root's children.
    pub fn best(&self) -> Option<u32> {
        self.best
    }

    /// The next step.
    pub fn next(&mut self, tree: &Tree, bounds: &Bounds) -> NextStep {
        let better = if tree.root().max_to_move() { Side::Up } else { Side::Down };
        let family = RootChildren { tree, bounds, better };
        let first = tree.root().children().start;
        if let Some(best) = family.best(INFINITE - 1) {
            self.best = Some(best - first);
            return NextStep::Nowhere;
        }
        // with no conspirators the child of the best value is best: so there is one for n - 1
        let mut best = None;
        for n in 0..bounds.cap() {
            match family.best(n) {
                found @ Some(id) => {
                    best = found;
                    self.best = Some(id - first);
                }
                None => {
                    let Some(best) = best else { return NextStep::Unknown };
                    self.best = Some(best - first);
                    return self.decide(&family, best, n).unwrap_or(NextStep::Unknown);
                }
            }
        }
        NextStep::Unknown
    }

    /// Chooses between proving the best and disproving the rest.
    fn decide(&mut self, family: &RootChildren, best: NodeId, n: u32) -> Option<NextStep> {
        let children = family.tree.root().children();
        let low = family.lower(best, n);
        let prove = (low < family.value(best)).then_some(NextStep::Below {
            child: best,
            side: family.better.other(),
            x: !low,
        });
        let mut rival: Option<(Rank, NodeId)> = None;
        let mut needed = 0u32; // leaves that must change for all rivals to get where they threaten to
        for id in children.filter(|&id| id != best) {
            let upper = family.upper(id, n);
            if upper > low {
                let number = family.bounds.number(family.tree, id, family.better, upper);
                needed = needed.saturating_add(number);
                if upper > family.value(id) && rival.is_none_or(|(most, _)| upper > most) {
                    rival = Some((upper, id));
                }
            }
        }
        let disprove = rival.map(|(x, child)| NextStep::Below { child, side: family.better, x });
        let prove_first = match self.strategy {
            Strategy::Prove => true,
            Strategy::Disprove => false,
            Strategy::Alternate => {
                // asked twice of the same tree, the answer is the same
                if self.grown != family.tree.expansions() {
                    self.grown = family.tree.expansions();
                    self.prove = !self.prove;
                }
                self.prove
            }
            Strategy::Fewest => {
                let side = family.better.other();
                family.bounds.number(family.tree, best, side, !low) <= needed
            }
        };
        if prove_first {
            prove.or(disprove)
        } else {
            disprove.or(prove)
        }
    }
}
