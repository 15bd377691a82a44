//! Many leaves at once: a growing search chooses several leaves before any of them is expanded.
//!
//! ```text
//!   choose a leaf, hold it, choose the next ...  ->  make their families at once  ->  expand and back up one by one
//! ```
//!
//! A leaf that has been chosen is *held*: until its family is there, it counts as a game that is over, with the value that
//! it has. The rule gives it numbers that say so ([`GrowthRule::renew`]), and they are backed up, so that the rule's next
//! choice is the one that it would make if that leaf could not be expanded. A batch is full when there are so
//! many, when the budget allows no more, or when the rule has nothing left to choose.

use super::budget::{Halt, Meter};
use super::Growth;
use crate::error::Error;
use crate::growth::{GrowthRule, Status};
use crate::tree::{NodeId, Tree};

impl<R: GrowthRule + ?Sized> Growth<R> {
    /// The loop with batches.
    pub(super) fn grow_in_batches(&mut self, meter: &mut Meter) -> Result<Status, Halt> {
        self.rule.settle(&mut self.tree, &self.path);
        self.restart();
        loop {
            let end = self.choose_batch(meter)?;
            if self.underway.is_empty() {
                return Ok(end.unwrap_or(Status::Converged));
            }
            let count = self.underway.len() as u32;
            self.expand_batch(meter)?;
            if self.is_sure_enough(meter) {
                return Ok(Status::Decided);
            }
            if meter.is_due_after(count) {
                self.look(meter)?;
            }
        }
    }

    fn restart(&mut self) {
        self.rule.restart();
        self.path.truncate(1);
    }

    /// Chooses leaves and holds them; the status is the rule's, where it has nothing more to choose.
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
            self.underway.push(self.path.clone());
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
        let needs = &self.needs.leaves;
        let ready = self.expander.prepare(&self.underway, needs, &mut || meter.goes_on());
        if let Err((place, refusal)) = ready {
            self.path.clone_from(&self.underway[place]);
            let halt = self.refused(refusal, meter);
            self.restart();
            return Err(halt);
        }
        let mut paths = std::mem::take(&mut self.underway).into_iter();
        while let Some(path) = paths.next() {
            self.path = path;
            let leaf = self.path[self.path.len() - 1];
            self.set_held(leaf, false)?;
            if let Err(halt) = self.expand(meter) {
                self.underway = paths.collect();
                self.restart();
                return Err(halt);
            }
            self.rule.expanded(&self.tree, &self.path);
            let Growth { tree, rule, sharing, path, .. } = self;
            match sharing {
                Some(sharing) => drop(sharing.back_up(tree, &mut **rule, leaf)?),
                None => carry(tree, &mut **rule, path)?,
            }
            self.restart();
        }
        self.tree.holds_none();
        Ok(())
    }

    /// Releases the leaves that are still under way when a run ends.
    pub(super) fn give_up_batch(&mut self) {
        let _ = self.expander.prepare(&[], &self.needs.leaves, &mut || true); // nothing is prepared any more
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
