//! When a growing search may stop because its move is sure enough, or because more search is not worth its cost.

use super::budget::Meter;
use super::Growth;
use crate::growth::GrowthRule;
use crate::numbers::distributions::Certainty;

/// What rounding may take off a probability.
const ROUNDING: f64 = 1e-12;

impl<R: GrowthRule + ?Sized> Growth<R> {
    /// Whether it is time to see if the move is sure enough, and it is.
    #[inline]
    pub(super) fn is_sure_enough(&mut self, meter: &Meter) -> bool {
        meter.counts.expansions >= self.look_at && self.is_sure(meter.counts.expansions)
    }

    /// Whether that time comes with the next leaves that are expanded.
    #[inline]
    pub(super) fn wants_to_be_sure(&self, meter: &Meter) -> bool {
        meter.counts.expansions + self.underway.len() as u64 >= self.look_at
    }

    /// Whether the chosen move is as likely a best one as was asked for, or more search is not worth what it costs: to
    /// learn as much again takes as many expansions again, and all that can be gained is too little for that. Looking
    /// costs a pass over the tree, unless the rule keeps distributions; so it is done after every fourth part of growth.
    #[cold]
    fn is_sure(&mut self, expansions: u64) -> bool {
        let part = if self.needs.certainty { 16 } else { 4 };
        self.look_at = expansions + (expansions / part).max(1);
        self.rule.settle(&mut self.tree, &self.path);
        let Some((certainty, family)) = self.root_family() else { return false };
        if self
            .cost
            .is_some_and(|cost| certainty.gain(&self.tree, &family) <= cost * expansions as f64)
        {
            return true;
        }
        let Some(sure) = self.sure else { return false };
        let likely = certainty.best(&self.tree, &family);
        let line = self.tree.principal_line(false, |id| self.rule.verdict(&self.tree, id).answer);
        let chosen = line.first().and_then(|place| likely.get(*place as usize));
        chosen.is_some_and(|likely| *likely >= sure - ROUNDING)
    }

    /// The distributions of the root's moves, and how they were made; None if nobody knows.
    pub(super) fn root_family(&self) -> Option<(&Certainty, Vec<f64>)> {
        if self.tree.root().is_leaf() {
            return None;
        }
        self.rule.root_family(&self.tree).or_else(|| {
            let certainty = self.certainty.as_ref()?;
            Some((certainty, certainty.root_family(&self.tree)))
        })
    }
}
