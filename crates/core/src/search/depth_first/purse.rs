//! Who pays for expansions: the thread that holds the budget, and those that report to it.

use super::worker::Purse;
use crate::expander::Allowance;
use crate::search::budget::{Halt, Meter};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// What other threads have spent, and the word to stop.
#[derive(Default)]
pub(crate) struct Others {
    expansions: AtomicU64,
    nodes: AtomicU64,
    pub stop: AtomicBool,
}

/// The purse of the thread that the caller waits for: it holds the budget.
pub(crate) struct Main<'a, 'b> {
    pub meter: &'a mut Meter<'b>,
    pub others: Option<&'a Others>,
    pub value: f64,
}

impl Purse for Main<'_, '_> {
    fn afford(&mut self, nodes: u64) -> Result<(), Halt> {
        self.meter.afford(1, nodes, nodes)
    }

    fn allowance(&self) -> Allowance {
        let (nodes, move_calls) = self.meter.left();
        Allowance { nodes, move_calls }
    }

    fn goes_on(&mut self) -> bool {
        self.meter.goes_on()
    }

    fn stopped(&mut self) -> Halt {
        self.meter.stopped()
    }

    fn spend(&mut self, nodes: u64, depth: u32) -> Result<(), Halt> {
        self.meter.charge(nodes, nodes);
        let counts = &mut self.meter.counts;
        counts.expansions += 1;
        counts.nodes += nodes;
        counts.move_calls += nodes;
        counts.depth = counts.depth.max(depth);
        self.wait()
    }

    fn wait(&mut self) -> Result<(), Halt> {
        if let Some(others) = self.others {
            if others.expansions.load(Relaxed) > 0 {
                let nodes = others.nodes.swap(0, Relaxed);
                let counts = &mut self.meter.counts;
                counts.expansions += others.expansions.swap(0, Relaxed);
                counts.nodes += nodes;
                counts.move_calls += nodes;
            }
            if others.stop.load(Relaxed) {
                return Err(Halt::Interrupted); // somebody has the answer
            }
        }
        if self.meter.is_due() {
            self.meter.look(|| self.value)?;
        }
        Ok(())
    }
}

/// The purse of any other thread: it reports now and then.
pub(crate) struct Helper<'a> {
    pub others: &'a Others,
    pub expansions: u64,
    pub nodes: u64,
}

impl Purse for Helper<'_> {
    fn afford(&mut self, _: u64) -> Result<(), Halt> {
        Ok(())
    }

    fn allowance(&self) -> Allowance {
        Allowance::ANY
    }

    fn goes_on(&mut self) -> bool {
        !self.others.stop.load(Relaxed)
    }

    fn stopped(&mut self) -> Halt {
        Halt::Interrupted
    }

    fn spend(&mut self, nodes: u64, _: u32) -> Result<(), Halt> {
        self.expansions += 1;
        self.nodes += nodes;
        if self.expansions >= 64 {
            self.others.nodes.fetch_add(std::mem::take(&mut self.nodes), Relaxed);
            self.others.expansions.fetch_add(std::mem::take(&mut self.expansions), Relaxed);
        }
        self.wait()
    }

    fn wait(&mut self) -> Result<(), Halt> {
        if self.others.stop.load(Relaxed) {
            return Err(Halt::Interrupted);
        }
        Ok(())
    }
}
