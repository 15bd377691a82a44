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
use super::frame::{Branch, Frame, NOWHERE};
use super::store::Store;
use crate::error::Error;
use crate::game::{check_moves, valid};
use crate::game::{middle, Child, Game};
use crate::growth::goal::Goal;
use crate::growth::proof_number::Pair;
use crate::scores::{self, Units};
use crate::search::budget::Halt;
use crate::tree::Rank;
use std::collections::HashMap;

/// How many expansions something new is good for.
const HOPE: u64 = 32;

/// Everything that workers share.
pub(crate) struct Shared<'a, G: Game, E: Evidence> {
    pub game: &'a G,
    pub evidence: &'a E,
    pub goal: Goal,
    pub foresight: bool,
    pub epsilon: f64,
    /// The share of a node's moves that count at a time.
    pub focus: f64,
    pub table: &'a E::Store,
}

impl<G: Game, E: Evidence> Shared<'_, G, E> {
    /// What a position has cost, as far as the table knows.
    pub fn work(&self, key: u64) -> u64 {
        self.table.get(key).map_or(0, |(_, work)| work.into())
    }

    /// A position's static value on the scale of errors, if it counts: an unfinished game's.
    pub fn anchor(&self, position: &G::Position) -> Result<Rank, Error> {
        let Some(weight) = self.evidence.anchor() else { return Ok(0) };
        let value = self.game.evaluate(position)?;
        valid(value, false, self.game.value_range())?;
        Ok(scores::anchor(value, self.game.value_range(), weight))
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
    /// It has been made.
    fn spend(&mut self, nodes: u64, depth: u32) -> Result<(), Halt>;
    /// There is nothing to expand for a while: whether to go on.
    fn wait(&mut self) -> Result<(), Halt>;
}

/// A descent.
pub(crate) struct Worker<G: Game, E: Evidence> {
    /// Reused: only the first `depth` are at work.
    pub frames: Vec<Frame<G::Position, E::Known>>,
    pub depth: usize,
    /// The plies of the positions on the path, where positions can come back.
    plies: HashMap<u64, u32>,
    moves: Vec<G::Move>,
    children: Vec<Child<G::Position>>,
    errors: Vec<Units>,
    keys: Vec<u64>,
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
}

impl<G: Game, E: Evidence> Worker<G, E> {
    pub fn new() -> Worker<G, E> {
        Worker {
            frames: Vec::new(),
            depth: 0,
            plies: HashMap::new(),
            moves: Vec::new(),
            children: Vec::new(),
            errors: Vec::new(),
            keys: Vec::new(),
            filled: 0,
            room: usize::MAX,
            patience: u64::MAX,
            hope: u64::MAX,
            left: u64::MAX,
        }
    }

    /// Searches a position until a limit is passed or it is solved; goes on with what was begun before a pause.
    pub fn descend(
        &mut self,
        shared: &Shared<G, E>,
        (root, key): (&G::Position, u64),
        (targets, limits): (Targets, Pair),
        purse: &mut dyn Purse,
    ) -> Result<E::Known, Pause> {
        if self.depth == 0 {
            self.enter(shared, (root, key), (targets, limits), purse)?;
        }
        self.search(shared, 0, purse)
    }

    /// Searches the position of the frame at this depth, with those below it, until that is done.
    pub fn search(
        &mut self,
        shared: &Shared<G, E>,
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
        shared: &Shared<G, E>,
        pair: Pair,
        purse: &mut dyn Purse,
    ) -> Result<(), Pause> {
        let frame = &mut self.frames[self.depth - 1];
        let (next, limits) = frame.select(pair, shared);
        frame.next = next;
        frame.correct(shared, next)?;
        let branch = &frame.branches[next];
        let targets = shared.evidence.below(frame.max, branch.error, frame.targets);
        let (position, key) = (branch.position.clone(), branch.key);
        self.enter(shared, (&position, key), (targets, limits), purse)
    }

    /// Makes a frame of a position, if there is patience left.
    pub fn enter(
        &mut self,
        shared: &Shared<G, E>,
        (position, key): (&G::Position, u64),
        (targets, limits): (Targets, Pair),
        purse: &mut dyn Purse,
    ) -> Result<(), Pause> {
        if self.patience == 0 || self.hope == 0 {
            return Err(Pause::Stuck);
        }
        self.push(shared, position, key, targets, limits, purse)?;
        for left in [&mut self.patience, &mut self.hope, &mut self.left] {
            *left -= 1;
        }
        Ok(())
    }

    /// Makes a frame of a position: the one that was left behind at this place, if it is of the same position, or a
    /// new one, for which the position is expanded.
    fn push(
        &mut self,
        shared: &Shared<G, E>,
        position: &G::Position,
        key: u64,
        targets: Targets,
        limits: Pair,
        purse: &mut dyn Purse,
    ) -> Result<(), Pause> {
        let Shared { game, evidence, goal, table, .. } = shared;
        let left = self.frames.get_mut(self.depth);
        if let Some(frame) = left.filter(|frame| frame.key == key && !game.repeats()) {
            (frame.targets, frame.limits) = (targets, limits);
            (frame.next, frame.searched, frame.work) = (0, false, 1);
            frame.refresh(shared)?;
            self.depth += 1;
            return Ok(());
        }
        self.moves.clear();
        self.children.clear();
        self.errors.clear();
        game.moves(position, &mut self.moves)?;
        let count = check_moves(self.moves.len())?;
        purse.afford(count)?;
        let middle = middle(game.value_range());
        if evidence.uses_errors() && !game.gives_scores() {
            game.children(position, &self.moves, &mut self.children)?;
        } else {
            game.successors(position, &self.moves, middle, &mut self.children)?;
        }
        if shared.foresight {
            game.foresee(position, &self.moves, &mut self.children)?;
        }
        if G::FOREIGN {
            for child in &self.children {
                valid(child.value, child.terminal, game.value_range())?;
            }
        }
        if evidence.uses_errors() {
            game.relative_errors(position, &self.moves, &self.children, &mut self.errors)?;
        }
        self.keys.clear();
        for (place, child) in self.children.iter().enumerate() {
            self.keys.push(game.key(&child.position)?.unwrap_or_else(|| path_key(key, place)));
        }
        let (max, anchor) = (game.max_to_move(position), shared.anchor(position)?);
        if self.depth == self.frames.len() {
            self.frames.push(Frame {
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
            });
        }
        if game.repeats() {
            self.plies.insert(key, self.depth as u32);
        }
        // a position that nobody has seen is searched by being expanded
        let searched = table.get(key).is_none();
        let frame = &mut self.frames[self.depth];
        (frame.key, frame.max, frame.targets, frame.limits) = (key, max, targets, limits);
        (frame.next, frame.searched, frame.work) = (0, searched, 1);
        frame.anchor = anchor;
        frame.branches.clear();
        for (place, child) in self.children.drain(..).enumerate() {
            let Child { position, value, terminal } = child;
            let error = Rank::from(self.errors.get(place).copied().unwrap_or(0));
            let key = self.keys[place];
            let mut rests_on = NOWHERE;
            let known = if terminal {
                evidence.result(goal.is_won(value))
            } else if let Some(&ply) = self.plies.get(&key).filter(|_| game.repeats()) {
                rests_on = ply;
                evidence.result(goal.is_won(middle))
            } else {
                evidence.open()
            };
            let (pair, anchored, work, effort) = (Pair::OPEN, false, 0, 0);
            let branch =
                Branch { position, key, known, pair, error, anchored, work, effort, rests_on };
            frame.branches.push(branch);
        }
        frame.refresh(shared)?;
        self.depth += 1;
        purse.spend(count, self.depth as u32)?;
        Ok(())
    }

    /// Hands the last frame's result to the table and to the frame above.
    pub fn pop(&mut self, shared: &Shared<G, E>, known: &E::Known, rests_on: u32) {
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
        if shared.game.repeats() {
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
