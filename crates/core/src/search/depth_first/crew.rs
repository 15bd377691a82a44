//! Several workers below one root, after J. Pawlewicz and R. Hayward, Scalable Parallel DFPN Search (2013).
//!
//! A worker walks down from the root to a position that has not cost much yet. That is its *job*: a depth-first
//! search of limited size. Then it takes the result back up.
//!
//! While it is at its job, the position counts as solved, the way that looks easier, and so does whatever follows
//! from that further up. These are *virtual* results. All walk by them, and so come to what is to be done next if the
//! others succeed: another part of the same proof rather than another attempt. The table is told only what is true.
//!
//! A worker keeps to its way: the walk goes where the last one went, as long as the numbers there have not passed the
//! limits with which it was entered. Without this, the end of every job would be an occasion to change one's mind.
//!
//! ```text
//!         root         walk and come back, one at a time, by virtual results
//!        /    \
//!      ...    ...
//!      /        \
//!    job        job    search at the same time: only the table is shared
//! ```

use super::evidence::{Evidence, Targets};
use super::frame::{Branch, SolverFrame};
use super::store::Remembers;
use super::worker::{Pause, Purse, Shared, Worker};
use crate::error::Error;
use crate::expander::Walker;
use crate::mix::splitmix64;
use crate::numbers::proof_pair::Pair;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::RangeInclusive;
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// How long a job should take: then the walks to jobs are a small part of the whole.
const JOB_TIME: Duration = Duration::from_millis(2);
/// But no fewer expansions, and no more. A position that has cost as many is not a job any more, but its children are.
/// With larger jobs, all but one of the workers do what turns out to be of no use; with smaller ones, they walk.
const JOB: RangeInclusive<u64> = 50..=600;
/// A table that has been filled so many times over has forgotten the smaller jobs: from then on they are larger, in the
/// end large enough to need no memory.
const FILLED: u64 = 4;
/// How long to wait for somebody to come back before looking at the budget.
const WAIT: Duration = Duration::from_millis(1);

/// Those who work together.
pub(crate) struct Crew<K> {
    virtuals: Mutex<Virtuals<K>>,
    back: Condvar,
}

/// Virtual results, by key: of the positions on the way to a job.
struct Virtuals<K> {
    by_key: HashMap<u64, Virtual<K>, BuildHasherDefault<KeyHasher>>,
    /// The expansions of all jobs, and the time that they took.
    spent: u64,
    time: Duration,
}

/// Hashes a key, which may be a plain bit pattern.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |hash, byte| splitmix64(hash ^ u64::from(*byte)));
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = splitmix64(key);
    }
}

struct Virtual<K> {
    /// How many are at work there or below.
    workers: u32,
    known: K,
}

impl<K> Crew<K> {
    pub fn new() -> Crew<K> {
        let virtuals = Virtuals { by_key: HashMap::default(), spent: 0, time: Duration::ZERO };
        Crew { virtuals: Mutex::new(virtuals), back: Condvar::new() }
    }

    /// Virtual results lead the way, no more: what a thread that failed left behind will do.
    fn lock(&self) -> MutexGuard<'_, Virtuals<K>> {
        self.virtuals.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Waits for somebody to come back, if anybody is away.
    fn wait(&self, virtuals: MutexGuard<'_, Virtuals<K>>) {
        if !virtuals.by_key.is_empty() {
            drop(self.back.wait_timeout(virtuals, WAIT));
        }
    }
}

/// A worker is away at its job; when this is dropped, however that ended, it no longer is.
struct Away<'a, K> {
    crew: &'a Crew<K>,
    path: Vec<u64>,
}

impl<K> Drop for Away<'_, K> {
    fn drop(&mut self) {
        let mut virtuals = self.crew.lock();
        for key in &self.path {
            let Some(entry) = virtuals.by_key.get_mut(key) else { continue };
            entry.workers -= 1;
            if entry.workers == 0 {
                virtuals.by_key.remove(key);
            }
        }
    }
}

impl<K> Virtuals<K> {
    /// How large a job is, with a table of so many entries.
    fn job(&self, entries: usize) -> u64 {
        let worth = JOB_TIME.as_nanos() * u128::from(self.spent) / self.time.as_nanos().max(1);
        let job = (worth as u64).clamp(*JOB.start(), *JOB.end());
        job + job * (self.spent / (FILLED * entries as u64))
    }

    /// What is known of the end of a branch, virtually.
    fn of<'a>(&'a self, branch: &'a Branch<K>) -> &'a K {
        self.by_key.get(&branch.key).map_or(&branch.known, |entry| &entry.known)
    }

    /// The same as numbers, for a node with these targets.
    fn pair<E: Evidence<Known = K>>(
        &self,
        evidence: &E,
        (max, targets): (bool, Targets),
        branch: &Branch<K>,
    ) -> Pair {
        evidence.pair(self.of(branch), evidence.below(max, branch.error, targets))
    }

    /// Makes the node's virtual result, if it has one, what follows from its children's.
    fn renew<E: Evidence<Known = K>>(&mut self, evidence: &E, frame: &SolverFrame<K>) {
        if self.by_key.contains_key(&frame.key) {
            let at = (frame.max, frame.targets);
            let count = frame.count(|branch| self.pair(evidence, at, branch));
            let counting = &frame.branches[..count];
            let children = counting.iter().map(|branch| (branch.error, self.of(branch)));
            let known = evidence.combine(frame.max, children);
            self.by_key.entry(frame.key).and_modify(|entry| entry.known = known);
        }
    }
}

impl<E: Evidence> Worker<E> {
    /// Does one job, with the way there and back, and gives what is known of the root then. Nothing may be left to do
    /// until somebody comes back.
    pub fn work(
        &mut self,
        shared: &Shared<E>,
        crew: &Crew<E::Known>,
        root: u64,
        most: [u32; 2],
        purse: &mut dyn Purse,
    ) -> Result<E::Known, Pause> {
        let evidence = shared.evidence;
        let mut virtuals = crew.lock();
        let real = shared.table.get(root).map_or(evidence.open(), |(known, _)| known);
        let known = virtuals.by_key.get(&root).map_or(&real, |entry| &entry.known).clone();
        let pair = match evidence.solved(&known) {
            None => self.walk(shared, &mut virtuals, root, (known, most), purse)?,
            Some(_) => None,
        };
        let Some(pair) = pair else {
            if evidence.solved(&real).is_none() {
                crew.wait(virtuals);
                purse.wait()?;
            }
            return Ok(real);
        };
        self.expect(evidence, &mut virtuals, pair);
        let steps = self.frames[..self.depth].windows(2);
        self.way = steps.map(|pair| (pair[0].next, pair[1].key, pair[1].limits)).collect();
        let path = self.frames[..self.depth].iter().map(|frame| frame.key).collect();
        let away = Away { crew, path };
        self.left = virtuals.job(shared.table.capacity());
        drop(virtuals);
        let begun = Instant::now();
        let spent = self.search_job(shared, most, purse)?;
        let time = begun.elapsed();
        drop(away);
        let mut virtuals = crew.lock();
        virtuals.spent += spent;
        virtuals.time += time;
        let mut known = real;
        while self.depth > 0 {
            let ply = self.depth - 1;
            let frame = &mut self.frames[ply];
            frame.refresh(shared, &mut *self.walker, ply)?;
            frame.work = shared.work(frame.key) + spent;
            virtuals.renew(evidence, frame);
            let rests_on;
            (known, rests_on) = frame.result(evidence, ply as u32);
            self.pop(shared, &known, rests_on);
        }
        crew.back.notify_all();
        Ok(known)
    }

    /// Searches the job that the last frame is, for as long as there is something left; gives the expansions.
    fn search_job(
        &mut self,
        shared: &Shared<E>,
        most: [u32; 2],
        purse: &mut dyn Purse,
    ) -> Result<u64, Pause> {
        let (evidence, ply, size) = (shared.evidence, self.depth - 1, self.left);
        let key = self.frames[ply].key;
        loop {
            self.frames[ply].work += shared.work(key);
            let known = self.search(shared, ply, purse)?;
            if !E::TIGHT || self.left == 0 || evidence.solved(&known).is_some() {
                break;
            }
            // the job is the root of a search of its own
            self.enter(shared, key, evidence.aim(&known, most), purse)?;
        }
        Ok(size - std::mem::replace(&mut self.left, u64::MAX))
    }

    /// Goes from the root to a job, whose frame is the last one then, and gives its numbers. Gives nothing if the root
    /// is done, really or virtually.
    fn walk(
        &mut self,
        shared: &Shared<E>,
        virtuals: &mut Virtuals<E::Known>,
        key: u64,
        (known, most): (E::Known, [u32; 2]),
        purse: &mut dyn Purse,
    ) -> Result<Option<Pair>, Pause> {
        let evidence = shared.evidence;
        let job = virtuals.job(shared.table.capacity());
        let (targets, limits) = evidence.aim(&known, most);
        self.enter(shared, key, (targets, limits), purse)?;
        let (mut pair, mut work) = (evidence.pair(&known, targets), shared.work(key));
        while work >= job {
            let ply = self.depth - 1;
            self.frames[ply].look(shared, virtuals, (&mut *self.walker, ply))?;
            loop {
                let frame = &mut self.frames[self.depth - 1];
                pair = frame.pair();
                if !frame.is_done(pair) {
                    break;
                }
                frame.work = shared.work(frame.key);
                virtuals.renew(evidence, frame);
                let (known, rests_on) = frame.result(evidence, self.depth as u32 - 1);
                self.pop(shared, &known, rests_on);
                if self.depth == 0 {
                    return Ok(None);
                }
                let above = &mut self.frames[self.depth - 1];
                above.branches[above.next].pair = pair;
                above.searched = false;
            }
            match self.kept() {
                Some(chosen) => self.follow_to(shared, chosen, purse)?,
                None => self.follow(shared, pair, purse)?,
            }
            let above = &self.frames[self.depth - 2];
            let branch = &above.branches[above.next];
            (pair, work) = (branch.pair, branch.work);
        }
        Ok(Some(pair))
    }

    /// The next step of the way to the last job, and its limits: if this walk has followed that way so far, and the
    /// numbers there are still inside the limits.
    fn kept(&self) -> Option<(usize, Pair)> {
        let ply = self.depth - 1;
        let &(next, key, limits) = self.way.get(ply)?;
        let same = (0..ply).all(|at| self.frames[at + 1].key == self.way[at].1);
        let branch =
            self.frames[ply].branches.get(next).filter(|branch| same && branch.key == key)?;
        let Pair { pn, dn } = branch.pair;
        (0 < pn && pn < limits.pn && 0 < dn && dn < limits.dn).then_some((next, limits))
    }

    /// Enters virtual results on the way to the job: it is solved the way that looks easier or, if nothing would be
    /// left to do then, the other way.
    fn expect(&self, evidence: &E, virtuals: &mut Virtuals<E::Known>, pair: Pair) {
        let path = &self.frames[..self.depth];
        for frame in path {
            let open = || Virtual { workers: 0, known: evidence.open() };
            virtuals.by_key.entry(frame.key).or_insert_with(open).workers += 1;
        }
        let likely = pair.pn <= pair.dn;
        for won in [likely, !likely] {
            let result = evidence.result(won);
            virtuals
                .by_key
                .entry(path[path.len() - 1].key)
                .and_modify(|entry| entry.known = result);
            path[..path.len() - 1].iter().rev().for_each(|frame| virtuals.renew(evidence, frame));
            let root = virtuals.by_key.get(&path[0].key);
            if root.is_some_and(|entry| evidence.solved(&entry.known).is_none()) {
                return;
            }
        }
    }
}

impl<K> SolverFrame<K> {
    /// Sees the branches by their virtual results. Numbers of 0 do not matter: nothing is searched on the way.
    fn look<E: Evidence<Known = K>>(
        &mut self,
        shared: &Shared<E>,
        virtuals: &Virtuals<K>,
        (walker, ply): (&mut dyn Walker, usize),
    ) -> Result<(), Error> {
        self.refresh(shared, walker, ply)?;
        self.searched = false;
        for branch in &mut self.branches {
            branch.pair = virtuals.pair(shared.evidence, (self.max, self.targets), branch);
        }
        Ok(())
    }
}
