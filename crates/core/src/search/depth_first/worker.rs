//! The descent of a depth-first proof search (Nagai 2002), without recursion.
//!
//! A frame is a node at work: its children with what is known of them, and limits for its numbers. The worker
//! follows the best child of the last frame into a new one, until a frame's numbers pass a limit or it is solved;
//! then the frame's result goes to the frame above and to the table. Frames keep what they know themselves: a
//! table that forgets costs time, not truth.
//!
//! *Cycles*: a child that is already on the path is a draw by repetition. A result that rests on such a draw holds
//! only below the repeated position: it is not put in the table, until that position itself is reached. Numbers
//! can then go round in circles without anything new in the table: the search notices, and stays longer in each
//! subtree from then on.

use super::evidence::{Evidence, Targets};
use super::frame::{Branch, SolverFrame, NOWHERE};
use super::store::Remembers;
use crate::error::Error;
use crate::expander::{Allowance, Family, Needs, Refusal, Walker};
use crate::game::middle;
use crate::numbers::goal::Goal;
use crate::numbers::proof_pair::Pair;
use crate::scores;
use crate::search::budget::Halt;
use crate::search::Limit;
use crate::tree::Rank;
use std::collections::HashMap;

/// How many expansions something new is good for.
const HOPE: u64 = 32;

/// Everything that workers share.
pub(crate) struct Shared<'a, E: Evidence> {
    pub evidence: &'a E,
    pub goal: Goal,
    pub needs: Needs,
    /// Whether positions can come back.
    pub repeats: bool,
    pub range: (f64, f64),
    pub epsilon: f64,
    /// The share of a node's moves that count at a time.
    pub focus: f64,
    pub table: &'a E::Store,
}

impl<E: Evidence> Shared<'_, E> {
    /// What a position has cost, as far as the table knows.
    pub fn work(&self, key: u64) -> u64 {
        self.table.get(key).map_or(0, |(_, work)| work.into())
    }

    /// A static value on the scale of errors, if it counts.
    pub fn anchor(&self, value: f64) -> Rank {
        let weight = self.evidence.anchor().unwrap_or(0.0);
        scores::anchor(value, self.range, weight)
    }
}

/// Why a descent pauses.
pub(crate) enum Pause {
    Halt(Halt),
    /// The table should be larger.
    Full,
    /// So much has been expanded that the table must have forgotten what matters.
    Stuck,
}

impl From<Halt> for Pause {
    fn from(halt: Halt) -> Pause {
        Pause::Halt(halt)
    }
}

impl From<Error> for Pause {
    fn from(error: Error) -> Pause {
        Pause::Halt(error.into())
    }
}

/// Whoever counts what is spent.
pub(crate) trait Purse {
    /// Whether an expansion with so many children may be made.
    fn afford(&mut self, nodes: u64) -> Result<(), Halt>;
    /// How large an expansion may be.
    fn allowance(&self) -> Allowance;
    /// Asked in the course of an expansion: whether to go on.
    fn goes_on(&mut self) -> bool;
    /// Why it was not to go on.
    fn stopped(&mut self) -> Halt;
    /// It has been made.
    fn spend(&mut self, nodes: u64, depth: u32) -> Result<(), Halt>;
    /// There is nothing to expand for a while: whether to go on.
    fn wait(&mut self) -> Result<(), Halt>;
}

/// A descent.
pub(crate) struct Worker<E: Evidence> {
    /// The positions of the line at work.
    pub walker: Box<dyn Walker>,
    /// Reused: only the first `depth` are at work.
    pub frames: Vec<SolverFrame<E::Known>>,
    pub depth: usize,
    /// The plies of the positions on the path, where positions can come back.
    plies: HashMap<u64, u32>,
    family: Family,
    /// Bytes of frames and of the positions in them, and how many there may be.
    frame_bytes: usize,
    pub most_bytes: usize,
    /// How many empty places of the table were taken.
    pub filled: usize,
    /// How many may be.
    pub room: usize,
    /// How many expansions a descent may take.
    pub patience: u64,
    /// The same where positions can come back; everything new for the table adds to it.
    pub hope: u64,
    /// How many expansions the job may still take.
    pub left: u64,
    /// The way to the last job: the branches, and the limits with which they were entered.
    pub way: Vec<(usize, u64, Pair)>,
}

impl<E: Evidence> Worker<E> {
    /// A descent from a walker's root.
    pub fn new(walker: Box<dyn Walker>) -> Worker<E> {
        Worker {
            walker,
            frames: Vec::new(),
            depth: 0,
            plies: HashMap::new(),
            family: Family::default(),
            frame_bytes: 0,
            most_bytes: usize::MAX,
            filled: 0,
            room: usize::MAX,
            patience: u64::MAX,
            hope: u64::MAX,
            left: u64::MAX,
            way: Vec::new(),
        }
    }

    /// Searches the root, which has this key, until a limit is passed or it is solved; goes on with what was begun before
    /// a pause.
    pub fn descend(
        &mut self,
        shared: &Shared<E>,
        key: u64,
        (targets, limits): (Targets, Pair),
        purse: &mut dyn Purse,
    ) -> Result<E::Known, Pause> {
        if self.depth == 0 {
            self.enter(shared, key, (targets, limits), purse)?;
        }
        self.search(shared, 0, purse)
    }

    /// Searches the position of the frame at this depth, with those below it, until that is done.
    pub fn search(
        &mut self,
        shared: &Shared<E>,
        floor: usize,
        purse: &mut dyn Purse,
    ) -> Result<E::Known, Pause> {
        loop {
            let frame = &self.frames[self.depth - 1];
            let pair = frame.pair();
            if frame.is_done(pair) || self.left == 0 {
                let (known, rests_on) = frame.result(shared.evidence, self.depth as u32 - 1);
                self.pop(shared, &known, rests_on);
                if self.depth == floor {
                    return Ok(known);
                }
                continue;
            }
            if self.filled >= self.room {
                return Err(Pause::Full);
            }
            self.follow(shared, pair, purse)?;
        }
    }

    /// Makes a frame of the best branch of the last one, which has these numbers.
    pub fn follow(
        &mut self,
        shared: &Shared<E>,
        pair: Pair,
        purse: &mut dyn Purse,
    ) -> Result<(), Pause> {
        let chosen = self.frames[self.depth - 1].select(pair, shared);
        self.follow_to(shared, chosen, purse)
    }

    /// Makes a frame of a branch of the last one, with these limits.
    pub fn follow_to(
        &mut self,
        shared: &Shared<E>,
        (next, limits): (usize, Pair),
        purse: &mut dyn Purse,
    ) -> Result<(), Pause> {
        let ply = self.depth - 1;
        let frame = &mut self.frames[ply];
        frame.next = next;
        frame.correct(shared, &mut *self.walker, (ply, next))?;
        let branch = &frame.branches[next];
        let targets = shared.evidence.below(frame.max, branch.error, frame.targets);
        let key = branch.key;
        self.walker.follow(ply, next);
        self.enter(shared, key, (targets, limits), purse)
    }

    /// Makes a frame of the position that the walker has come to, if there is patience left.
    pub fn enter(
        &mut self,
        shared: &Shared<E>,
        key: u64,
        (targets, limits): (Targets, Pair),
        purse: &mut dyn Purse,
    ) -> Result<(), Pause> {
        if self.patience == 0 || self.hope == 0 {
            return Err(Pause::Stuck);
        }
        self.push(shared, key, targets, limits, purse)?;
        for left in [&mut self.patience, &mut self.hope, &mut self.left] {
            *left -= 1;
        }
        Ok(())
    }

    /// Makes a frame of a position: the one that was left behind at this place, if it is of the same position, or a
    /// new one, for which the position is expanded.
    fn push(
        &mut self,
        shared: &Shared<E>,
        key: u64,
        targets: Targets,
        limits: Pair,
        purse: &mut dyn Purse,
    ) -> Result<(), Pause> {
        let ply = self.depth;
        let left = self.frames.get_mut(ply);
        if let Some(frame) = left.filter(|frame| frame.key == key && !shared.repeats) {
            (frame.targets, frame.limits) = (targets, limits);
            (frame.next, frame.searched, frame.work) = (0, false, 1);
            frame.refresh(shared, &mut *self.walker, ply)?;
            self.depth += 1;
            return Ok(());
        }
        let count = self.expand(shared, ply, purse)?;
        let anchor = match shared.evidence.anchor() {
            Some(_) => shared.anchor(self.walker.value(ply)?),
            None => 0,
        };
        // the family says who is to move, for those who move after
        let max = self.mover_at(ply);
        if ply == self.frames.len() {
            self.frames.push(SolverFrame {
                key,
                max,
                anchor,
                targets,
                limits,
                focus: shared.focus,
                branches: Vec::new(),
                next: 0,
                searched: false,
                work: 0,
                grounds: None,
            });
        }
        if shared.repeats {
            self.plies.insert(key, ply as u32);
        }
        self.fill(shared, ply, key)?;
        let frame = &mut self.frames[ply];
        (frame.key, frame.max, frame.targets, frame.limits) = (key, max, targets, limits);
        // a position that nobody has seen is searched by being expanded
        let searched = shared.table.get(key).is_none();
        (frame.next, frame.searched, frame.work) = (0, searched, 1);
        frame.anchor = anchor;
        frame.refresh(shared, &mut *self.walker, ply)?;
        self.depth += 1;
        purse.spend(count, self.depth as u32)?;
        Ok(())
    }

    /// Expands the position at a ply, if the purse and the memory allow it; returns the number of its children.
    fn expand(
        &mut self,
        shared: &Shared<E>,
        ply: usize,
        purse: &mut dyn Purse,
    ) -> Result<u64, Pause> {
        let allowance = purse.allowance();
        purse.afford(1)?;
        let watch = &mut || purse.goes_on();
        let made = self.walker.expand(ply, &shared.needs, allowance, watch, &mut self.family);
        made.map_err(|refusal| match refusal {
            Refusal::TooLarge(nodes, _) => {
                let afford = purse.afford(nodes).err();
                Pause::Halt(afford.unwrap_or(Halt::Spent(Limit::Memory)))
            }
            Refusal::NoMemory => Pause::Halt(Halt::Spent(Limit::Memory)),
            Refusal::Stopped => Pause::Halt(purse.stopped()),
            Refusal::Failed(error) => Pause::from(*error),
        })?;
        Ok(self.family.leaves.len() as u64)
    }

    /// Whether Max is to move at a ply.
    fn mover_at(&self, ply: usize) -> bool {
        match ply.checked_sub(1) {
            None => self.walker.max_to_move(),
            Some(above) => {
                let frame = &self.frames[above];
                frame.branches[frame.next].max_to_move
            }
        }
    }

    /// Gives the frame at a ply the branches that the family has.
    fn fill(&mut self, shared: &Shared<E>, ply: usize, key: u64) -> Result<(), Pause> {
        let Shared { evidence, goal, .. } = shared;
        let middle = middle(shared.range);
        let branches = &mut self.frames[ply].branches;
        let before = branches.capacity();
        branches.clear();
        for (place, leaf) in self.family.leaves.iter().enumerate() {
            let error = Rank::from(self.family.errors.get(place).copied().unwrap_or(0));
            let key = self.family.keys[place].unwrap_or_else(|| path_key(key, place));
            let mut rests_on = NOWHERE;
            let known = if leaf.terminal {
                evidence.result(goal.is_won(leaf.value))
            } else if let Some(&ply) = self.plies.get(&key).filter(|_| shared.repeats) {
                rests_on = ply;
                evidence.result(goal.is_won(middle))
            } else {
                evidence.open()
            };
            branches.push(Branch {
                max_to_move: leaf.max_to_move,
                key,
                known,
                pair: Pair::OPEN,
                error,
                anchored: false,
                work: 0,
                effort: 0,
                rests_on,
            });
        }
        // frames are kept for the next line: they only grow
        if branches.capacity() > before || before == 0 {
            let more = (branches.capacity() - before) * size_of::<Branch<E::Known>>();
            let more = more + self.walker.family_bytes(branches.capacity() - before);
            self.frame_bytes += more + size_of::<SolverFrame<E::Known>>();
        }
        if self.frame_bytes + self.walker.bytes() > self.most_bytes {
            self.walker.shrink(self.most_bytes.saturating_sub(self.frame_bytes));
            if self.frame_bytes > self.most_bytes {
                return Err(Pause::Halt(Halt::Spent(Limit::Memory)));
            }
        }
        Ok(())
    }

    /// Hands the last frame's result to the table and to the frame above.
    pub fn pop(&mut self, shared: &Shared<E>, known: &E::Known, rests_on: u32) {
        self.depth -= 1;
        let (above, below) = self.frames.split_at_mut(self.depth);
        let frame = &below[0];
        if rests_on == NOWHERE {
            let work = u32::try_from(frame.work).unwrap_or(u32::MAX);
            if shared.table.put(frame.key, known, work) {
                self.filled += 1;
                self.hope = self.hope.saturating_add(HOPE);
            }
        }
        if shared.repeats {
            self.plies.remove(&frame.key);
        }
        if let Some(parent) = above.last_mut() {
            parent.searched = true;
            parent.work += frame.work;
            let branch = &mut parent.branches[parent.next];
            let targets = shared.evidence.below(parent.max, branch.error, parent.targets);
            branch.pair = shared.evidence.pair(known, targets);
            branch.known = known.clone();
            branch.work = frame.work;
            branch.effort += frame.work;
            branch.rests_on = rests_on;
            let place = parent.next;
            parent.refute_others(shared.evidence, place);
        }
    }

    /// The next descent begins anew: no position is on its path.
    pub fn restart(&mut self) {
        self.depth = 0;
        self.left = u64::MAX;
        self.plies.clear();
    }
}

/// In a game without keys every line leads to a position of its own.
pub(crate) fn path_key(above: u64, place: usize) -> u64 {
    let mut z = above.wrapping_add((place as u64 + 1).wrapping_mul(0xD134_2543_DE82_EF95));
    z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}
