//! A node at work: its children with what is known of them, and limits for its numbers.
//!
//! *The limits of a child* (Max to move, best child c, second best p2): its proof number may rise a little above
//! p2, by the 1 + epsilon trick of J. Pawlewicz and L. Lew (2007), so that the search does not jump to and fro; its
//! disproof number may rise by what the node's own limit leaves.
//!
//! *The focus*: if a game gives its best moves first, only some of a node's moves count at a time, by P. Henderson,
//! B. Arneson and R. Hayward, "Solving 8x8 Hex" (2009): the first ones that are not known to fail. The others follow
//! when those have failed, so that the sum of a node's numbers is not one of moves that nobody would try.
//!
//! *The area*: a move that is known to lose may lose because of a few cells only. Then so do the moves elsewhere.
//!
//! *The anchor*: what is known of a position is relative to its own value. Unless static values count that is what the
//! errors on the way to it say, and so a child is moved by the error of the move. Where they count, the error is
//! a guess that holds until the child is expanded: from then on it is the difference of the two static values.

use super::evidence::{Evidence, Targets};
use super::store::Remembers;
use super::worker::Shared;
use crate::error::Error;
use crate::evaluator::{Area, Grounds};
use crate::expander::Walker;
use crate::numbers::proof_pair::{add, Pair};
use crate::numbers::staircase::INFINITE;
use crate::tree::Rank;
use std::sync::Arc;

/// The ply of nothing.
pub(super) const NOWHERE: u32 = u32::MAX;

/// A move of a frame's node, and what is known of where it leads.
pub(crate) struct Branch<K> {
    /// Whether Max is to move there.
    pub(super) max_to_move: bool,
    pub key: u64,
    pub known: K,
    pub pair: Pair,
    /// The relative error of the move, as its player sees it.
    pub error: Rank,
    /// Whether that is the difference of static values, or what the scores of moves say.
    pub(super) anchored: bool,
    /// Expansions below it when it was last searched.
    pub work: u64,
    /// And all of them since the frame was made.
    pub effort: u64,
    /// The ply of the repeated position that the result rests on, if it is a result.
    pub(super) rests_on: u32,
}

/// A node at work.
pub(crate) struct SolverFrame<K> {
    pub key: u64,
    pub max: bool,
    /// The static value, on the scale of errors, if it counts.
    pub(super) anchor: Rank,
    pub targets: Targets,
    pub(super) limits: Pair,
    pub(super) focus: f64,
    pub branches: Vec<Branch<K>>,
    /// The branch being searched.
    pub next: usize,
    /// Whether anything below has been expanded since the frame was made.
    pub searched: bool,
    pub work: u64,
    /// What the node's result rests on, if the evaluator knows, and the node's key.
    pub(super) grounds: Option<(u64, Arc<Grounds>)>,
}

impl<K> SolverFrame<K> {
    /// The node's numbers at its targets.
    #[inline]
    pub fn pair(&self) -> Pair {
        Pair::of_family(self.max, self.counting().iter().map(|branch| branch.pair))
    }

    /// The branches that count.
    #[inline]
    pub(super) fn counting(&self) -> &[Branch<K>] {
        &self.branches[..self.count(|branch| branch.pair)]
    }

    /// How many branches count, from the first one on, if they have these numbers.
    #[inline]
    pub fn count(&self, pair: impl Fn(&Branch<K>) -> Pair) -> usize {
        if self.focus >= 1.0 {
            return self.branches.len();
        }
        let hopes = |branch: &Branch<K>| pair(branch).own(self.max) != INFINITE;
        let all = self.branches.iter().filter(|branch| hopes(branch)).count();
        let most = (self.focus * all as f64).ceil() as usize;
        let places = self.branches.iter().enumerate().filter(|(_, branch)| hopes(branch));
        // one more, so that there is a second best
        places.map(|(place, _)| place + 1).nth(most).unwrap_or(self.branches.len())
    }

    /// Learns what the table has about the branches, and what that comes to at the targets.
    #[inline]
    pub fn refresh<E: Evidence<Known = K>>(
        &mut self,
        shared: &Shared<E>,
        walker: &mut dyn Walker,
        ply: usize,
    ) -> Result<(), Error> {
        if E::AREAS && self.grounds.as_ref().is_none_or(|(key, _)| *key != self.key) {
            self.grounds = walker.grounds(ply)?.map(|grounds| (self.key, grounds));
        }
        for place in 0..self.branches.len() {
            let branch = &mut self.branches[place];
            if shared.evidence.solved(&branch.known).is_none() {
                if let Some((known, work)) = shared.table.get(branch.key) {
                    let open = shared.evidence.solved(&known).is_none();
                    (branch.known, branch.work) = (known, u64::from(work));
                    if open {
                        self.correct(shared, walker, (ply, place))?;
                    }
                }
            }
            let branch = &mut self.branches[place];
            let targets = shared.evidence.below(self.max, branch.error, self.targets);
            branch.pair = shared.evidence.pair(&branch.known, targets);
        }
        for place in 0..self.branches.len() {
            self.refute_others(shared.evidence, place);
        }
        Ok(())
    }

    /// If a move is known to lose, so do all others outside the area of that result: the winner goes on as if the
    /// opponent had made this one as well.
    pub(super) fn refute_others<E: Evidence<Known = K>>(&mut self, evidence: &E, place: usize) {
        let Some((_, grounds)) = &self.grounds else { return };
        let Branch { known, pair, rests_on, .. } = &self.branches[place];
        let (area, pair, rests_on) = (evidence.area(known), *pair, *rests_on);
        if area == Area::MAX || evidence.solved(known) != Some(!self.max) {
            return;
        }
        let lost = || evidence.resting_on(evidence.result(!self.max), area);
        for (branch, cell) in self.branches.iter_mut().zip(&grounds.cells) {
            if area >> cell & 1 == 0 && evidence.solved(&branch.known).is_none() {
                (branch.known, branch.pair, branch.rests_on) = (lost(), pair, rests_on);
            }
        }
    }

    /// The area of the node's result.
    fn area<E: Evidence<Known = K>>(&self, evidence: &E, won: bool) -> Area {
        let Some((_, grounds)) = &self.grounds else { return Area::MAX };
        if let Some(area) = grounds.decided {
            return area;
        }
        let branches = self.branches.iter().zip(&grounds.cells);
        let solved = branches.filter(|(branch, _)| evidence.solved(&branch.known) == Some(won));
        let mut areas: Vec<(Area, Area)> =
            solved.map(|(branch, cell)| (evidence.area(&branch.known), 1 << cell)).collect();
        areas.sort_unstable_by_key(|(area, _)| area.count_ones());
        if won == self.max {
            return areas.first().map_or(Area::MAX, |(area, cell)| area | cell);
        }
        // the smallest first: they meet most of the others
        let (mut unmet, mut all) = (Area::MAX, 0);
        for (area, cell) in areas {
            if unmet & cell != 0 {
                (unmet, all) = (unmet & area, all | area);
            }
        }
        if all == Area::MAX {
            all
        } else {
            grounds.of_loss(all, unmet)
        }
    }

    /// Makes the error of a move the difference of static values, where they count: the position behind it is
    /// expanded, and what is known of it is relative to its own value from now on.
    #[inline]
    pub(super) fn correct<E: Evidence<Known = K>>(
        &mut self,
        shared: &Shared<E>,
        walker: &mut dyn Walker,
        (ply, place): (usize, usize),
    ) -> Result<(), Error> {
        let branch = &mut self.branches[place];
        if shared.evidence.anchor().is_some() && !branch.anchored {
            let gain = shared.anchor(walker.child_value(ply, place)?) - self.anchor;
            branch.error = if self.max { -gain } else { gain };
            branch.anchored = true;
        }
        Ok(())
    }

    /// Whether to go back up. Numbers of 0 that are no results mean that the root should aim elsewhere, once
    /// something has been expanded.
    #[inline]
    pub fn is_done(&self, Pair { pn, dn }: Pair) -> bool {
        let solved = pn == INFINITE || dn == INFINITE;
        solved
            || pn >= self.limits.pn
            || dn >= self.limits.dn
            || (self.searched && (pn == 0 || dn == 0))
    }

    /// What is known of the node now, and the repeated position that this rests on, if it is a result that does.
    pub fn result<E: Evidence<Known = K>>(&self, evidence: &E, ply: u32) -> (K, u32) {
        let children = self.counting().iter().map(|branch| (branch.error, &branch.known));
        let known = evidence.combine(self.max, children);
        let rests_on = match evidence.solved(&known) {
            None => NOWHERE,
            // one good move is enough: the one that rests on the least
            Some(won) if won == self.max => {
                let good = |branch: &&Branch<K>| evidence.solved(&branch.known) == Some(won);
                self.branches.iter().filter(good).map(|branch| branch.rests_on).max()
            }
            .unwrap_or(NOWHERE),
            Some(_) => self.branches.iter().map(|branch| branch.rests_on).min().unwrap_or(NOWHERE),
        };
        let known = match evidence.solved(&known) {
            Some(won) if E::AREAS => evidence.resting_on(known, self.area(evidence, won)),
            _ => known,
        };
        (known, if rests_on >= ply { NOWHERE } else { rests_on })
    }

    /// The branch to search, and its limits: the least number for the player to move; then the least error; then
    /// the leftmost.
    pub fn select<E>(&self, pair: Pair, shared: &Shared<E>) -> (usize, Pair)
    where
        E: Evidence<Known = K>,
    {
        let (mut best, mut next) = ((INFINITE, Rank::MAX), 0);
        let (mut least, mut second) = (INFINITE, INFINITE);
        for (place, branch) in self.counting().iter().enumerate() {
            let own = branch.pair.own(self.max);
            second = second.min(own.max(least));
            least = least.min(own);
            if (own, branch.error) < best {
                (best, next) = ((own, branch.error), place);
            }
        }
        let chosen = self.branches[next].pair;
        let own = chosen.own(self.max);
        let rival = if own == least { second } else { least };
        let limit = self.limits.own(self.max);
        let own_limit = limit.min(beyond(rival, shared.epsilon)).max(own.saturating_add(1));
        let limit = self.limits.own(!self.max);
        let rest = pair.own(!self.max).saturating_sub(chosen.own(!self.max));
        let other_limit = if limit == INFINITE { INFINITE } else { limit.saturating_sub(rest) };
        let limits = if self.max {
            Pair { pn: own_limit, dn: other_limit }
        } else {
            Pair { pn: other_limit, dn: own_limit }
        };
        (next, limits)
    }
}

/// How far a number may rise above the second best.
#[inline]
fn beyond(second: u32, epsilon: f64) -> u32 {
    if second == INFINITE {
        return INFINITE;
    }
    let further = (f64::from(second) * (1.0 + epsilon)).ceil().min(f64::from(INFINITE - 1)) as u32;
    further.max(add(second, 1))
}
