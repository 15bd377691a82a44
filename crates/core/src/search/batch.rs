//! Many leaves at once: a growing search chooses several leaves before any of them is expanded.
//!
//! ```text
//!   a batch:   choose a leaf, hold it, choose the next ...  ->  make their families at once  ->  expand and back up one by one
//!   threads:   choose a leaf, hold it, have its family made;  while so many are under way: expand and back up the first
//! ```
//!
//! A leaf that has been chosen is *held*: until its family is there, it counts as a game that is over, with the value that
//! it has. The rule gives it numbers that say so ([`GrowthRule::renew`]), and they are backed up, so that the rule's next
//! choice is the one that it would make if that leaf could not be expanded. A batch is full when there are so
//! many, when the budget allows no more, or when the rule has nothing left to choose.
//!
//! An evaluator from elsewhere wants whole batches. Where several threads make families, all of them would wait for the last
//! family of a batch. So there is always the same number of leaves under way: when the first of them has been expanded, one
//! more is chosen. The tree depends on that number only, not on who was faster.

use super::budget::{Halt, Meter};
use super::Growth;
use crate::error::Error;
use crate::expander::{Refusal, WORTH_A_HELPER};
use crate::growth::{GrowthRule, Status};
use crate::tree::{NodeId, Path, Tree};
use std::time::{Duration, Instant};

/// Leaves that are under way for each thread: one that it is at, and some to go on with while the first of all takes long.
const FOR_EACH_THREAD: usize = 4;
/// How many expansions show whether other threads would gain anything. The median counts: the first ones are often slow.
const TRIAL: usize = 9;

/// The first expansions of a search for which threads are wanted: one thread makes them, and looks how long they take.
pub struct Trial {
    threads: usize,
    times: Vec<Duration>,
}

impl Trial {
    pub fn new(threads: usize) -> Trial {
        Trial { threads, times: Vec::with_capacity(TRIAL) }
    }
}

impl<R: GrowthRule + ?Sized> Growth<R> {
    /// Finds out whether an expansion takes long enough for several threads, if that is still open.
    pub(super) fn try_out(&mut self, meter: &mut Meter) -> Result<Option<Status>, Halt> {
        while let Some(Trial { threads, times }) = &mut self.trial {
            if times.len() == TRIAL {
                times.sort_unstable();
                if times[TRIAL / 2] >= WORTH_A_HELPER {
                    (self.flows, self.batch) = (true, FOR_EACH_THREAD * *threads);
                }
                self.trial = None;
                break;
            }
            let begun = Instant::now();
            if let Some(status) = self.step(meter)? {
                return Ok(Some(status));
            }
            if let Some(trial) = &mut self.trial {
                trial.times.push(begun.elapsed());
            }
        }
        Ok(None)
    }

    /// The loop with batches.
    pub(super) fn grow_in_batches(&mut self, meter: &mut Meter) -> Result<Status, Halt> {
        self.rule.settle(&mut self.tree, &self.path);
        self.restart();
        let flows = self.flows;
        loop {
            let end = self.choose_batch(meter)?;
            if self.underway.is_empty() {
                return Ok(end.unwrap_or(Status::Converged));
            }
            // what is asked of the tree is asked of one without held leaves
            let count = match flows && !self.wants_to_be_sure(meter) {
                true => 1,
                false => self.underway.len(),
            };
            match flows {
                true => self.expand_first(count, meter)?,
                false => self.expand_batch(meter)?,
            }
            if self.is_sure_enough(meter) {
                return Ok(Status::Decided);
            }
            if meter.is_due_after(count as u32) {
                self.look(meter)?;
            }
        }
    }

    fn restart(&mut self) {
        self.rule.restart();
        self.path.truncate(1);
    }

    /// Chooses leaves and holds them, and has their families made by other threads, if there are any; the status is the rule's, where it
    /// has nothing more to choose.
    fn choose_batch(&mut self, meter: &Meter) -> Result<Option<Status>, Halt> {
        let most = meter.expansions_left().clamp(1, self.batch as u64) as usize;
        while self.underway.len() < most {
            let status = self.rule.choose(&mut self.tree, &mut self.path)?;
            let leaf = self.path[self.path.len() - 1];
            // a rule that comes to a held leaf has no better one
            if status.is_some() || !self.tree.node(leaf).is_open() {
                self.restart();
                return Ok(status);
            }
            if self.underway.is_empty() {
                meter.afford(1, 1, 1)?;
            }
            if self.flows {
                self.expander.begin(&self.path, &self.needs.leaves);
            }
            self.underway.push_back(self.path.clone());
            self.set_held(leaf, true)?;
            self.restart();
        }
        Ok(None)
    }

    /// Holds a leaf, with its twins, or releases it, and backs that up.
    fn set_held(&mut self, leaf: NodeId, held: bool) -> Result<(), Error> {
        let twins = match &self.sharing {
            Some(sharing) => sharing.circle(leaf).collect(),
            None => vec![leaf],
        };
        for id in twins {
            match held {
                true => self.tree.hold(id),
                false => self.tree.release(id),
            }
            self.rule.renew(&mut self.tree, id)?;
        }
        let Growth { tree, rule, sharing, path, .. } = self;
        match sharing {
            Some(sharing) => sharing.carry(tree, &mut **rule, leaf).map(drop),
            None => carry(tree, &mut **rule, &path[..path.len() - 1]),
        }
    }

    /// Expands the leaves that are under way. Those that cannot be expanded stay so.
    fn expand_batch(&mut self, meter: &mut Meter) -> Result<(), Halt> {
        let paths = self.underway.make_contiguous();
        let needs = &self.needs.leaves;
        let ready = self.expander.prepare(paths, needs, &mut || meter.goes_on());
        if let Err((place, refusal)) = ready {
            self.path.clone_from(&self.underway[place]);
            return Err(self.refused_batch(refusal, meter));
        }
        while let Some(path) = self.underway.pop_front() {
            self.absorb(path, meter)?;
        }
        self.tree.holds_none();
        Ok(())
    }

    /// Expands so many of the leaves that were begun first, as soon as their families are made.
    fn expand_first(&mut self, count: usize, meter: &mut Meter) -> Result<(), Halt> {
        for _ in 0..count {
            let Some(first) = self.underway.front() else { break };
            self.path.clone_from(first);
            if let Err(refusal) = self.expander.finish(&mut || meter.goes_on()) {
                return Err(self.refused_batch(refusal, meter));
            }
            if let Some(path) = self.underway.pop_front() {
                self.absorb(path, meter)?;
            }
        }
        if self.underway.is_empty() {
            self.tree.holds_none();
        }
        Ok(())
    }

    /// Why the leaf at the end of the path has no family.
    fn refused_batch(&mut self, refusal: Refusal, meter: &mut Meter) -> Halt {
        let halt = self.refused(refusal, meter);
        self.restart();
        halt
    }

    /// Expands a leaf that was held and whose family has been made, and backs that up.
    fn absorb(&mut self, path: Path, meter: &mut Meter) -> Result<(), Halt> {
        self.path = path;
        let leaf = self.path[self.path.len() - 1];
        self.set_held(leaf, false)?;
        if let Err(halt) = self.expand(meter) {
            self.restart();
            return Err(halt);
        }
        self.rule.expanded(&self.tree, &self.path);
        let Growth { tree, rule, sharing, path, .. } = self;
        match sharing {
            Some(sharing) => {
                for id in sharing.take_late() {
                    tree.hold(id);
                    rule.renew(tree, id)?;
                }
                sharing.back_up(tree, &mut **rule, leaf)?;
            }
            None => carry(tree, &mut **rule, path)?,
        }
        self.restart();
        Ok(())
    }

    /// Releases the leaves that are still under way when a run ends.
    pub(super) fn give_up_batch(&mut self) {
        self.expander.abandon();
        for path in std::mem::take(&mut self.underway) {
            self.path = path;
            let leaf = self.path[self.path.len() - 1];
            if self.set_held(leaf, false).is_err() {
                // a rule of the user's that fails: the values at least are whole
                for &id in self.path[..self.path.len() - 1].iter().rev() {
                    self.tree.back_up(id);
                }
            }
            self.restart();
        }
        self.tree.holds_none();
    }
}

/// Backs values and numbers up along a path of inner nodes, until nothing changes.
fn carry<R: GrowthRule + ?Sized>(
    tree: &mut Tree,
    rule: &mut R,
    path: &[NodeId],
) -> Result<(), Error> {
    for &id in path.iter().rev() {
        let value = tree.back_up(id);
        let numbers = rule.update(tree, id)?;
        if !(value | numbers) {
            break;
        }
    }
    Ok(())
}
