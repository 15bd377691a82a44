//! Budgets, the clock, and the way to stop a search from outside.

use crate::error::Error;
use crate::growth::Status;
use std::time::{Duration, Instant};

/// How much a search may spend; the first limit that would be passed ends it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Budget {
    /// Leaves expanded, the root included.
    pub expansions: Option<u64>,
    /// Nodes generated, the root included.
    pub nodes: Option<u64>,
    /// Calls of the game's `play`.
    pub move_calls: Option<u64>,
    /// Wall-clock seconds.
    pub seconds: Option<f64>,
    /// Seconds of the processor that the calling thread uses; wall-clock seconds where the system cannot tell.
    pub cpu_seconds: Option<f64>,
    /// Bytes for the tree, its positions and the rule's numbers.
    pub memory: Option<u64>,
    /// Units of artificial time: a step begins while any are left.
    pub artificial_time: Option<u64>,
    /// How likely the chosen move must be a best one for a growing search to stop, if it has an error model.
    pub confidence: Option<f64>,
    /// What an expansion costs, in parts of the range of outcomes: a growing search with an error model stops when more
    /// expansions are not worth it.
    pub cost: Option<f64>,
    /// What units of artificial time buy.
    pub costs: Costs,
}

/// The price of a search's work in artificial time (Utgoff and Cochran 2001, Section 5.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Costs {
    /// For looking at a node: on the way down, on the way up, or for any other reason.
    pub traversal: u64,
    /// For generating and evaluating a node.
    pub generation: u64,
}

impl Default for Costs {
    fn default() -> Costs {
        Costs { traversal: 1, generation: 100 }
    }
}

/// The limit that ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Leaves expanded.
    Expansions,
    /// Nodes generated.
    Nodes,
    /// Calls of `play`.
    MoveCalls,
    /// Time.
    Seconds,
    /// Time of the processor.
    CpuSeconds,
    /// Bytes, by the budget or by the machine.
    Memory,
    /// Units of artificial time.
    ArtificialTime,
}

impl Limit {
    /// The budget's name.
    pub fn name(self) -> &'static str {
        match self {
            Limit::Expansions => "expansions",
            Limit::Nodes => "nodes",
            Limit::MoveCalls => "move_calls",
            Limit::Seconds => "seconds",
            Limit::CpuSeconds => "cpu_seconds",
            Limit::Memory => "memory",
            Limit::ArtificialTime => "artificial_time",
        }
    }
}

/// What a search has spent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counts {
    /// Leaves expanded; inner nodes visited by a depth-first search.
    pub expansions: u64,
    /// Nodes generated.
    pub nodes: u64,
    /// Calls of `play`.
    pub move_calls: u64,
    /// Time over all runs.
    pub seconds: f64,
    /// Ply of the deepest node.
    pub depth: u32,
    /// Artificial time, over all runs with a budget of it.
    pub artificial_time: u64,
}

/// How many bytes an evaluator may remember things in: a third of what there is.
pub(super) fn evaluator_share(budget: &Budget) -> usize {
    (budget.memory.unwrap_or(u64::MAX) / 3) as usize
}

/// The caller's side of a running search, asked every few milliseconds.
pub trait Control {
    /// Whether to go on; `value` tells the root's value so far, which may cost a walk up the tree. An error
    /// ends the search and is passed on.
    fn poll(&mut self, counts: &Counts, value: &mut dyn FnMut() -> f64) -> Result<bool, Error>;

    /// An iteration is complete: the value, and the line as places among siblings. Says whether to go on.
    fn completed(&mut self, counts: &Counts, value: f64, line: &[u32]) -> Result<bool, Error> {
        let _ = (counts, value, line);
        Ok(true)
    }
}

/// Nobody watches: never stops.
#[derive(Clone, Copy, Debug)]
pub struct Unattended;

impl Control for Unattended {
    fn poll(&mut self, _: &Counts, _: &mut dyn FnMut() -> f64) -> Result<bool, Error> {
        Ok(true)
    }
}

/// Why a run ends before its goal.
#[derive(Debug)]
pub(crate) enum Halt {
    Spent(Limit),
    Interrupted,
    /// Boxed, so that the results of every step stay small.
    Failed(Box<Error>),
}

impl Halt {
    /// An error happened one move further down.
    pub fn after(self, name: impl FnOnce() -> String) -> Halt {
        match self {
            Halt::Failed(error) => Halt::Failed(Box::new(error.after(name))),
            other => other,
        }
    }

    /// An error happened at the root, unless it says where.
    pub fn at_root(self) -> Halt {
        match self {
            Halt::Failed(error) => Halt::Failed(Box::new(error.at_root())),
            other => other,
        }
    }
}

/// How a run ended: its status, and the limit if one ended it; or the error to pass on.
pub(crate) fn ending(end: Result<Status, Halt>) -> Result<(Status, Option<Limit>), Error> {
    match end {
        Ok(status) => Ok((status, None)),
        Err(Halt::Spent(limit)) => Ok((Status::Budget, Some(limit))),
        Err(Halt::Interrupted) => Ok((Status::Interrupted, None)),
        Err(Halt::Failed(error)) => Err(*error),
    }
}

impl From<Error> for Halt {
    fn from(error: Error) -> Halt {
        match error {
            Error::Interrupted => Halt::Interrupted,
            error => Halt::Failed(Box::new(error)),
        }
    }
}

impl Budget {
    /// A budget of nothing is a mistake, not a search.
    pub fn check(&self) -> Result<(), Error> {
        let whole = [
            ("expansions", self.expansions),
            ("nodes", self.nodes),
            ("move_calls", self.move_calls),
            ("memory", self.memory),
            ("artificial_time", self.artificial_time),
        ];
        if let Some((name, _)) = whole.iter().find(|(_, limit)| *limit == Some(0)) {
            return Err(Error::Argument(format!("{name} must be at least 1, not 0")));
        }
        for (name, seconds) in [("seconds", self.seconds), ("cpu_seconds", self.cpu_seconds)] {
            if seconds.is_some_and(|seconds| !(seconds > 0.0 && seconds.is_finite())) {
                let given = seconds.unwrap_or_default();
                let text = format!("{name} must be a positive finite number, not {given}");
                return Err(Error::Argument(text));
            }
        }
        Ok(())
    }
}

/// Compares what a run spends with its budget. Looking at the clock costs more than a small
/// expansion, so the number of steps between two looks adapts to about a tenth of a millisecond, or less if the whole
/// time is short.
pub(crate) struct Meter<'a> {
    pub counts: Counts,
    /// What the counts may reach; without a limit, more than they ever will.
    expansions: u64,
    nodes: u64,
    move_calls: u64,
    memory: u64,
    artificial_time: u64,
    costs: Costs,
    seconds: f64,
    cpu_seconds: f64,
    /// What the thread had used at the start, if anybody asks.
    cpu_begun: f64,
    look_every: Duration,
    earlier: f64,
    begun: Instant,
    looked: Instant,
    polled: Instant,
    countdown: u32,
    stride: u32,
    watch: StepWatch,
    control: &'a mut dyn Control,
}

/// Looks at the clock in the course of one step.
struct StepWatch {
    countdown: u32,
    stride: u32,
    looked: Instant,
    /// The root's value as it was told last.
    value: f64,
    /// Why the step was stopped.
    halt: Option<Halt>,
}

/// Steps between two looks at the clock at the most: the next ones may take far longer than those before.
const MOST_STEPS: u32 = 256;
const LOOK_EVERY: Duration = Duration::from_micros(100);
/// How often at least the clock is looked at in the course of a run.
const LOOKS: u32 = 50;
/// Rarely enough that a busy interpreter, which may take its time to answer, does not slow the search down;
/// often enough that nobody waits for Ctrl-C.
const POLL_EVERY: Duration = Duration::from_millis(4);

impl<'a> Meter<'a> {
    /// Starts the clock; `counts` is what earlier runs of the same search have spent.
    pub fn start(budget: &Budget, counts: Counts, control: &'a mut dyn Control) -> Meter<'a> {
        let upto =
            |limit: Option<u64>, before: u64| limit.unwrap_or(u64::MAX).saturating_add(before);
        // the root, made before the first run, counts as the first of its nodes
        let nodes_before = if counts.expansions == 0 { 0 } else { counts.nodes };
        let now = Instant::now();
        let shortest = [budget.seconds, budget.cpu_seconds].into_iter().flatten().reduce(f64::min);
        Meter {
            counts,
            expansions: upto(budget.expansions, counts.expansions),
            nodes: upto(budget.nodes, nodes_before),
            move_calls: upto(budget.move_calls, counts.move_calls),
            memory: budget.memory.unwrap_or(u64::MAX),
            artificial_time: upto(budget.artificial_time, counts.artificial_time),
            costs: budget.costs,
            cpu_seconds: budget.cpu_seconds.unwrap_or(f64::INFINITY),
            cpu_begun: budget.cpu_seconds.map_or(0.0, |_| thread_seconds(now)),
            look_every: shortest.map_or(LOOK_EVERY, |seconds| {
                LOOK_EVERY.min(Duration::from_secs_f64(seconds.min(1.0)) / LOOKS)
            }),
            seconds: budget.seconds.unwrap_or(f64::INFINITY),
            earlier: counts.seconds,
            begun: now,
            looked: now,
            polled: now,
            countdown: 1,
            stride: 1,
            watch: StepWatch { countdown: 1, stride: 1, looked: now, value: f64::NAN, halt: None },
            control,
        }
    }

    /// Whether a step of this size would still fit.
    #[inline]
    pub fn afford(&self, expansions: u64, nodes: u64, move_calls: u64) -> Result<(), Halt> {
        if self.counts.expansions + expansions > self.expansions {
            Err(Halt::Spent(Limit::Expansions))
        } else if self.counts.nodes + nodes > self.nodes {
            Err(Halt::Spent(Limit::Nodes))
        } else if self.counts.move_calls + move_calls > self.move_calls {
            Err(Halt::Spent(Limit::MoveCalls))
        } else if self.counts.artificial_time >= self.artificial_time {
            Err(Halt::Spent(Limit::ArtificialTime))
        } else {
            Ok(())
        }
    }

    /// Whether anybody asks for artificial time.
    #[inline]
    pub fn counts_artificial_time(&self) -> bool {
        self.artificial_time != u64::MAX
    }

    /// Charges for nodes looked at and nodes generated.
    #[inline]
    pub fn charge(&mut self, traversed: u64, generated: u64) {
        if self.counts_artificial_time() {
            let Costs { traversal, generation } = self.costs;
            let cost = traversed.saturating_mul(traversal);
            let cost = cost.saturating_add(generated.saturating_mul(generation));
            self.counts.artificial_time = self.counts.artificial_time.saturating_add(cost);
        }
    }

    /// How many nodes can still be generated by one call of `play` each.
    #[inline]
    pub fn affordable(&self) -> u64 {
        let left = |limit: u64, spent: u64| limit.saturating_sub(spent);
        left(self.nodes, self.counts.nodes).min(left(self.move_calls, self.counts.move_calls))
    }

    /// Nodes and calls of `play` that are left.
    #[inline]
    pub fn left(&self) -> (u64, u64) {
        let left = |limit: u64, spent: u64| limit.saturating_sub(spent);
        (left(self.nodes, self.counts.nodes), left(self.move_calls, self.counts.move_calls))
    }

    /// How many leaves may still be expanded.
    pub fn expansions_left(&self) -> u64 {
        self.expansions.saturating_sub(self.counts.expansions)
    }

    /// Bytes that are allowed.
    pub fn bytes(&self) -> u64 {
        self.memory
    }

    /// Asked in the course of a long step: whether to go on. If not, [`Meter::stopped`] tells why.
    #[inline]
    pub fn goes_on(&mut self) -> bool {
        self.watch.countdown -= 1;
        self.watch.countdown > 0 || self.watch_clock()
    }

    #[cold]
    fn watch_clock(&mut self) -> bool {
        if self.watch.halt.is_some() {
            self.watch.countdown = 1;
            return false; // Ctrl-C is told once only
        }
        let now = Instant::now();
        let since = now - self.watch.looked;
        if since < LOOK_EVERY {
            // few, as what comes next may take a thousand times as long
            self.watch.stride = (self.watch.stride * 2).min(64);
        } else if since > 4 * LOOK_EVERY {
            self.watch.stride = 1;
        }
        (self.watch.countdown, self.watch.looked) = (self.watch.stride, now);
        let value = self.watch.value;
        self.watch.halt = self.check_clock(now, &mut || value).err();
        if self.watch.halt.is_some() {
            self.watch.countdown = 1; // whoever asks next is told the same
        }
        self.watch.halt.is_none()
    }

    /// The root's value, for whoever asks in the course of a long step.
    pub fn tell(&mut self, value: f64) {
        self.watch.value = value;
    }

    /// Why a long step was stopped.
    pub fn stopped(&mut self) -> Halt {
        self.watch.halt.take().unwrap_or(Halt::Interrupted)
    }

    /// How many nodes of this size can still come, if `bytes` are in use.
    pub fn affordable_nodes(&self, bytes: usize, per_node: usize) -> u64 {
        let expansions = self.expansions.saturating_sub(self.counts.expansions);
        let room = self.memory.saturating_sub(bytes as u64) / per_node as u64;
        // eight children are as good a guess as any
        self.affordable().min(expansions.saturating_mul(8)).min(room)
    }

    /// Whether this many bytes are allowed.
    #[inline]
    pub fn afford_bytes(&self, bytes: usize) -> Result<(), Halt> {
        if bytes as u64 > self.memory {
            Err(Halt::Spent(Limit::Memory))
        } else {
            Ok(())
        }
    }

    /// To be called once per step: whether it is time to [`Meter::look`].
    #[inline]
    pub fn is_due(&mut self) -> bool {
        self.is_due_after(1)
    }

    /// The same for one that is as large as this many.
    #[inline]
    pub fn is_due_after(&mut self, steps: u32) -> bool {
        self.countdown = self.countdown.saturating_sub(steps);
        self.countdown == 0
    }

    /// Looks at the clock and, now and then, asks the caller; `value` tells the root's.
    #[cold]
    pub fn look(&mut self, mut value: impl FnMut() -> f64) -> Result<(), Halt> {
        // a step that was just about to end when it was stopped
        if let Some(halt) = self.watch.halt.take() {
            return Err(halt);
        }
        let now = Instant::now();
        let since = now - self.looked;
        if since < self.look_every / 2 {
            self.stride = (self.stride * 2).min(MOST_STEPS);
        } else if since > self.look_every * 2 {
            self.stride = (self.stride / 2).max(1);
        }
        self.countdown = self.stride;
        self.looked = now;
        self.watch.looked = now;
        self.check_clock(now, &mut || value())
    }

    fn check_clock(&mut self, now: Instant, value: &mut dyn FnMut() -> f64) -> Result<(), Halt> {
        self.counts.seconds = self.earlier + (now - self.begun).as_secs_f64();
        if now - self.polled >= POLL_EVERY {
            self.polled = now;
            let mut told = self.watch.value;
            let goes_on = self.control.poll(&self.counts, &mut || {
                told = value();
                told
            })?;
            self.watch.value = told;
            if !goes_on {
                return Err(Halt::Interrupted);
            }
        }
        if (now - self.begun).as_secs_f64() >= self.seconds {
            return Err(Halt::Spent(Limit::Seconds));
        }
        // asking the system takes longer than a look at the clock
        if self.cpu_seconds < f64::INFINITY
            && thread_seconds(self.begun) - self.cpu_begun >= self.cpu_seconds
        {
            return Err(Halt::Spent(Limit::CpuSeconds));
        }
        Ok(())
    }

    /// Tells the caller what a completed iteration has found.
    pub fn complete(&mut self, value: f64, line: &[u32]) -> Result<(), Halt> {
        self.counts.seconds = self.earlier + self.begun.elapsed().as_secs_f64();
        match self.control.completed(&self.counts, value, line)? {
            true => Ok(()),
            false => Err(Halt::Interrupted),
        }
    }

    /// Stops the clock.
    pub fn finish(mut self) -> Counts {
        self.counts.seconds = self.earlier + self.begun.elapsed().as_secs_f64();
        self.counts
    }
}

/// What this thread has used of the processor; where the system cannot tell, the time since `begun`.
fn thread_seconds(begun: Instant) -> f64 {
    #[cfg(target_os = "linux")]
    {
        let _ = begun;
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
    }
    #[cfg(not(target_os = "linux"))]
    begun.elapsed().as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Somebody who says once that it is enough, as a signal does.
    struct Once(bool);

    impl Control for Once {
        fn poll(&mut self, _: &Counts, _: &mut dyn FnMut() -> f64) -> Result<bool, Error> {
            Ok(std::mem::replace(&mut self.0, true))
        }
    }

    #[test]
    fn a_step_that_was_interrupted_at_its_end_is_the_last() {
        let mut once = Once(false);
        let mut meter = Meter::start(&Budget::default(), Counts::default(), &mut once);
        meter.polled -= POLL_EVERY;
        assert!(!meter.goes_on());
        assert!(!meter.goes_on());
        assert!(matches!(meter.look(|| 0.0), Err(Halt::Interrupted)));
    }

    #[test]
    fn a_step_that_is_stopped_stays_stopped() {
        let budget = Budget { seconds: Some(0.0), ..Budget::default() };
        let mut unattended = Unattended;
        let mut meter = Meter::start(&budget, Counts::default(), &mut unattended);
        for _ in 0..10 {
            assert!(!meter.goes_on());
        }
        assert!(matches!(meter.stopped(), Halt::Spent(Limit::Seconds)));
    }
}
