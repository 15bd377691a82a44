//! Threads that make families while one thread owns the tree.
//!
//! ```text
//!   the owner:   begin(a)  begin(b)  begin(c)    finish() is a's family    begin(d)    finish() is b's ...
//!   a helper:              takes b                          takes d
//! ```
//!
//! Every job is a line of positions of its own, so nothing of the tree is shared. Whoever is free takes the oldest job: a
//! helper, or the owner where it would have to wait. Families are handed out in the order in which they were begun, so that
//! the tree does not depend on who was faster. Where a family is made faster than a thread is woken, the owner makes them
//! all.

use super::prepared::PreparedFamily;
use super::{FamilyGenerator, Needs, Refusal};
use crate::evaluator::{Game, Line, NodeId, Watch};
use std::collections::VecDeque;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Families that are made faster than this are not worth handing over to a helper.
pub const WORTH_A_HELPER: Duration = Duration::from_micros(5);
/// How long somebody looks out for work before it goes to sleep: to be woken takes longer.
const LOOK_OUT: Duration = Duration::from_micros(50);
/// How long the owner sleeps before it looks at the clock.
const NAP: Duration = Duration::from_millis(2);

/// A leaf whose family is to be made: its number in the order of beginning, and the positions from the root to it.
struct FamilyJob<P> {
    number: u64,
    leaf: NodeId,
    line: Vec<P>,
    needs: Needs,
}

/// What a job has come to: a family or why there is none, or a panic.
type Outcome<P> = thread::Result<Result<PreparedFamily<P>, Refusal>>;

/// What is to be done, and what has been done and not been handed out.
struct Desk<P> {
    jobs: VecDeque<FamilyJob<P>>,
    done: Vec<(u64, Outcome<P>)>,
    /// How many jobs helpers are at.
    taken: usize,
    closed: bool,
}

struct Workroom<P> {
    desk: Mutex<Desk<P>>,
    /// There is a job, or no more will come; something has been done.
    work: Condvar,
    news: Condvar,
    /// How many jobs wait, and how many are done: to look at without the lock.
    waiting: AtomicUsize,
    ready: AtomicUsize,
    /// Whether families take long enough to be handed over.
    worth: AtomicBool,
    /// What is being made is not wanted any more.
    stopped: AtomicBool,
    /// What the helpers' evaluators remember, and how much each of them may.
    bytes: Vec<AtomicUsize>,
    most_bytes: AtomicUsize,
}

impl<P> Workroom<P> {
    fn desk(&self) -> MutexGuard<'_, Desk<P>> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, desk: &mut Desk<P>) -> Option<FamilyJob<P>> {
        let job = desk.jobs.pop_front();
        self.waiting.store(desk.jobs.len(), Ordering::Relaxed);
        job
    }

    fn put(&self, desk: &mut Desk<P>, number: u64, outcome: Outcome<P>) {
        desk.done.push((number, outcome));
        self.ready.store(desk.done.len(), Ordering::Relaxed);
    }
}

/// Looks out for a while until something is so. Whoever else wants the core may have it meanwhile.
fn look_out(is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() && begun.elapsed() < LOOK_OUT {
        thread::yield_now();
    }
}

/// The helpers of one search.
pub(super) struct Helpers<G: Game> {
    shared: Arc<Workroom<G::Position>>,
    threads: Vec<JoinHandle<()>>,
    /// The numbers of the next job to begin, and of the next to be handed out.
    next: u64,
    oldest: u64,
    /// What a family took the owner on average.
    family_time: Option<Duration>,
}

impl<G: Game> Helpers<G> {
    /// One helper for each generator.
    pub fn new(generators: Vec<FamilyGenerator<G>>) -> std::io::Result<Helpers<G>> {
        let zeros = || generators.iter().map(|_| AtomicUsize::new(0)).collect();
        let desk = Desk { jobs: VecDeque::new(), done: Vec::new(), taken: 0, closed: false };
        let shared = Arc::new(Workroom {
            desk: Mutex::new(desk),
            work: Condvar::new(),
            news: Condvar::new(),
            waiting: AtomicUsize::new(0),
            ready: AtomicUsize::new(0),
            worth: AtomicBool::new(false),
            stopped: AtomicBool::new(false),
            bytes: zeros(),
            most_bytes: AtomicUsize::new(usize::MAX),
        });
        let mut helpers =
            Helpers { shared, threads: Vec::new(), next: 0, oldest: 0, family_time: None };
        for (at, generator) in generators.into_iter().enumerate() {
            let shared = helpers.shared.clone();
            let name = format!("conspirator helper {at}");
            let help = move || help(&shared, generator, at);
            helpers.threads.push(thread::Builder::new().name(name).spawn(help)?);
        }
        Ok(helpers)
    }

    pub fn count(&self) -> usize {
        self.threads.len()
    }

    /// Bytes of what their evaluators remember.
    pub fn bytes(&self) -> usize {
        self.shared.bytes.iter().map(|bytes| bytes.load(Ordering::Relaxed)).sum()
    }

    /// Lets each evaluator remember no more than this many bytes.
    pub fn shrink(&self, bytes: usize) {
        self.shared.most_bytes.store(bytes, Ordering::Relaxed);
    }

    /// The family of the leaf at the end of a path is to be made.
    pub fn begin(&mut self, positions: &[G::Position], path: &[NodeId], needs: &Needs) {
        let line = path.iter().map(|id| positions[*id as usize].clone()).collect();
        let job = FamilyJob { number: self.next, leaf: path[path.len() - 1], line, needs: *needs };
        self.next += 1;
        let mut desk = self.shared.desk();
        desk.jobs.push_back(job);
        self.shared.waiting.store(desk.jobs.len(), Ordering::Relaxed);
        drop(desk);
        if self.shared.worth.load(Ordering::Relaxed) {
            self.shared.work.notify_one();
        }
    }

    /// The family that was begun first, once it is made; the owner helps meanwhile, with its own generator.
    pub fn finish(
        &mut self,
        generator: &mut FamilyGenerator<G>,
        watch: Watch,
    ) -> Result<PreparedFamily<G::Position>, Refusal> {
        let shared = self.shared.clone();
        let mut desk = shared.desk();
        loop {
            if let Some(at) = desk.done.iter().position(|(number, _)| *number == self.oldest) {
                self.oldest += 1;
                let (_, outcome) = desk.done.swap_remove(at);
                shared.ready.store(desk.done.len(), Ordering::Relaxed);
                drop(desk);
                return outcome.unwrap_or_else(|panic| resume_unwind(panic));
            }
            if let Some(job) = shared.take(&mut desk) {
                drop(desk);
                let begun = Instant::now();
                let made = make(generator, &job, watch);
                self.learn(begun.elapsed());
                desk = shared.desk();
                shared.put(&mut desk, job.number, Ok(made));
                continue;
            }
            let ready = desk.done.len();
            drop(desk);
            look_out(|| shared.ready.load(Ordering::Relaxed) > ready);
            desk = shared.desk();
            if desk.done.len() == ready {
                let nap = shared.news.wait_timeout(desk, NAP);
                drop(nap.unwrap_or_else(PoisonError::into_inner));
                if !watch() {
                    return Err(Refusal::Stopped);
                }
                desk = shared.desk();
            }
        }
    }

    /// Nothing that was begun is wanted any more.
    pub fn abandon(&mut self) {
        let mut desk = self.shared.desk();
        desk.jobs.clear();
        self.shared.waiting.store(0, Ordering::Relaxed);
        self.shared.stopped.store(true, Ordering::Relaxed);
        while desk.taken > 0 {
            desk = self.shared.news.wait(desk).unwrap_or_else(PoisonError::into_inner);
        }
        desk.done.clear();
        self.shared.ready.store(0, Ordering::Relaxed);
        self.shared.stopped.store(false, Ordering::Relaxed);
        self.oldest = self.next;
    }

    /// Takes note of how long a family took.
    fn learn(&mut self, time: Duration) {
        let known = self.family_time.unwrap_or(time);
        self.family_time = Some((known * 7 + time) / 8);
        self.shared.worth.store(known >= WORTH_A_HELPER, Ordering::Relaxed);
    }
}

impl<G: Game> Drop for Helpers<G> {
    fn drop(&mut self) {
        self.abandon();
        self.shared.desk().closed = true;
        self.shared.work.notify_all();
        for thread in self.threads.drain(..) {
            let _ = thread.join(); // what a job threw has been handed out
        }
    }
}

/// The family that a job asks for.
fn make<G: Game>(
    generator: &mut FamilyGenerator<G>,
    job: &FamilyJob<G::Position>,
    watch: Watch,
) -> Result<PreparedFamily<G::Position>, Refusal> {
    let path: Vec<NodeId> = (0..job.line.len() as NodeId).collect();
    generator.make(&Line::along(&job.line, &path), job.leaf, &job.needs, None, watch)
}

/// The life of a helper.
fn help<G: Game>(shared: &Workroom<G::Position>, mut generator: FamilyGenerator<G>, at: usize) {
    let mut most_bytes = usize::MAX;
    let mut desk = shared.desk();
    loop {
        if desk.closed {
            return;
        }
        let worth = shared.worth.load(Ordering::Relaxed);
        let job = if worth { shared.take(&mut desk) } else { None };
        let Some(job) = job else {
            if worth {
                drop(desk);
                look_out(|| shared.waiting.load(Ordering::Relaxed) > 0);
                desk = shared.desk();
            }
            if (desk.jobs.is_empty() || !worth) && !desk.closed {
                desk = shared.work.wait(desk).unwrap_or_else(PoisonError::into_inner);
            }
            continue;
        };
        desk.taken += 1;
        drop(desk);
        let allowed = shared.most_bytes.load(Ordering::Relaxed);
        if allowed != most_bytes {
            most_bytes = allowed;
            generator.judge.shrink(allowed);
        }
        let go_on = &mut || !shared.stopped.load(Ordering::Relaxed);
        let outcome = catch_unwind(AssertUnwindSafe(|| make(&mut generator, &job, go_on)));
        shared.bytes[at].store(generator.judge.bytes(), Ordering::Relaxed);
        desk = shared.desk();
        desk.taken -= 1;
        shared.put(&mut desk, job.number, outcome);
        shared.news.notify_one();
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::games::ConnectFour;
    use crate::testing::Valued;

    type Position = <ConnectFour as crate::game::Rules>::Position;

    fn generator() -> FamilyGenerator<ConnectFour> {
        FamilyGenerator::new(Arc::new(ConnectFour), ConnectFour.usual())
    }

    /// Positions of a tree: the start, its children, and theirs.
    fn positions() -> (Vec<Position>, Vec<Vec<NodeId>>) {
        use crate::game::Rules;
        let mut positions = vec![ConnectFour.start().unwrap()];
        let mut paths = vec![vec![0]];
        for parent in 0..8 {
            let mut moves = Vec::new();
            ConnectFour.moves(&positions[parent], &mut moves).unwrap();
            for mv in moves {
                let path: Vec<NodeId> =
                    paths[parent].iter().copied().chain([positions.len() as NodeId]).collect();
                positions.push(ConnectFour.play(&positions[parent], &mv).unwrap());
                paths.push(path);
            }
        }
        (positions, paths)
    }

    #[test]
    fn families_come_in_the_order_of_their_leaves_whoever_makes_them() {
        let (positions, paths) = positions();
        let (mut alone, needs) = (generator(), Needs::default());
        for worth in [false, true] {
            let mut helpers = Helpers::new(vec![generator(), generator()]).unwrap();
            helpers.shared.worth.store(worth, Ordering::Relaxed);
            let mut owner = generator();
            for chunk in paths.chunks(7) {
                chunk.iter().for_each(|path| helpers.begin(&positions, path, &needs));
                for path in chunk {
                    let leaf = path[path.len() - 1];
                    let line = Line::along(&positions, path);
                    let expected = alone.make(&line, leaf, &needs, None, &mut || true).unwrap();
                    let made = helpers.finish(&mut owner, &mut || true).unwrap();
                    assert_eq!(made.leaf, leaf);
                    assert_eq!(made.family.leaves, expected.family.leaves);
                }
            }
        }
    }

    #[test]
    fn what_is_abandoned_is_not_handed_out() {
        let (positions, paths) = positions();
        let mut helpers = Helpers::new(vec![generator()]).unwrap();
        helpers.shared.worth.store(true, Ordering::Relaxed);
        for path in &paths {
            helpers.begin(&positions, path, &Needs::default());
        }
        helpers.abandon();
        helpers.begin(&positions, &paths[3], &Needs::default());
        assert_eq!(helpers.finish(&mut generator(), &mut || true).unwrap().leaf, 3);
    }

    #[test]
    fn a_panic_reaches_the_owner() {
        let mut helpers = Helpers::new(vec![generator()]).unwrap();
        let panic =
            catch_unwind(|| -> Result<PreparedFamily<Position>, Refusal> { panic!("{}", 7) });
        helpers.shared.put(&mut helpers.shared.desk(), 0, panic);
        let finish = AssertUnwindSafe(|| helpers.finish(&mut generator(), &mut || true).map(drop));
        assert_eq!(catch_unwind(finish).unwrap_err().downcast_ref::<String>().unwrap(), "7");
    }

    #[test]
    fn an_owner_that_is_told_to_stop_waits_no_longer() {
        let mut helpers = Helpers::new(vec![generator()]).unwrap();
        let stopped = helpers.finish(&mut generator(), &mut || false);
        assert!(matches!(stopped, Err(Refusal::Stopped)));
    }
}
