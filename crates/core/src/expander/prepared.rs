//! Families of several leaves, made at once.
//!
//! First an evaluator from elsewhere is asked about all positions that it has to value, in one call. Then the families are
//! made, by one thread or by several: each has an evaluator of its own and takes the next leaf that nobody has
//! taken. A family depends on the line to its leaf only, so that it is the same whoever makes it. Where families are made
//! faster than threads are started, one thread makes them all.

use super::{Allowance, Family, FamilyGenerator, Needs, NodePositions, Refusal};
use crate::error::Error;
use crate::evaluator::{Game, Line, NodeId, Watch};
use crate::game::Child;
use crate::judge::Foreseen;
use crate::leaves::Leaves;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The least work for which other threads are started: starting and joining one takes some 30 microseconds.
const WORTH_A_THREAD: Duration = Duration::from_micros(100);

/// The family of a leaf, with its positions.
pub(super) struct PreparedFamily<P> {
    leaf: NodeId,
    family: Family,
    children: Vec<Child<P>>,
}

/// What a thread makes: families, or why there is none, by their places.
type Made<P> = Vec<(usize, Result<PreparedFamily<P>, Refusal>)>;

/// Where the first child of a leaf counts as standing, for random numbers: nobody knows yet where it will.
fn first_of(leaf: NodeId) -> usize {
    (leaf as usize + 1) << 16
}

impl<G: Game> NodePositions<G> {
    /// Hands out a family that has been made.
    #[cold]
    pub(super) fn hand_out(
        &mut self,
        leaf: NodeId,
        allowance: Allowance,
        family: &mut Family,
    ) -> Result<(), Refusal> {
        let Some(made) = self.prepared.pop_front().filter(|made| made.leaf == leaf) else {
            self.prepared.clear();
            return Err(Error::Game("a family was made for another leaf".into()).into());
        };
        let count = made.family.leaves.len() as u64;
        let calls = count + made.family.looked;
        if count > allowance.nodes || calls > allowance.move_calls {
            self.prepared.clear();
            return Err(Refusal::TooLarge(count, calls));
        }
        if self.positions.try_reserve(made.children.len()).is_err() {
            self.prepared.clear();
            return Err(Refusal::NoMemory);
        }
        self.positions.extend(made.children.into_iter().map(|child| child.position));
        *family = made.family;
        Ok(())
    }

    pub(super) fn take_helpers(&mut self, threads: usize) -> Result<(), Error> {
        if threads > 1 && self.generator.judge.is_foreign() {
            return Err(Error::Argument(
                "threads need a game and an evaluator of our own: with yours, give batch= and let it use \
                 the cores"
                    .into(),
            ));
        }
        self.helpers.clear();
        for _ in 1..threads {
            let judge = self.generator.judge.fork();
            let judge =
                judge.ok_or_else(|| Error::Argument("this evaluator has one thread".into()))?;
            self.helpers.push(FamilyGenerator::new(self.generator.game.clone(), judge));
        }
        Ok(())
    }

    pub(super) fn prepare_all(
        &mut self,
        paths: &[Vec<NodeId>],
        needs: &Needs,
        watch: Watch,
    ) -> Result<(), (usize, Refusal)> {
        self.prepared.clear();
        if paths.is_empty() {
            return Ok(());
        }
        let NodePositions { generator, positions, helpers, prepared, family_time } = self;
        let positions: &[G::Position] = positions;
        let mut foreseen = generator.foresee(positions, paths, needs)?;
        let count = paths.len() as u32;
        let is_worth = |time: Duration| time * count >= WORTH_A_THREAD;
        if helpers.is_empty() || count == 1 || !family_time.is_some_and(is_worth) {
            let begun = Instant::now();
            for (place, path) in paths.iter().enumerate() {
                let known = foreseen.get_mut(place).and_then(Option::take);
                let made = generator.make(positions, path, needs, known, watch);
                prepared.push_back(made.map_err(|refusal| (place, refusal))?);
            }
            *family_time = Some(begun.elapsed() / count);
            return Ok(());
        }
        let begun = Instant::now();
        let (next, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
        let go_on = || !stopped.load(Ordering::Relaxed);
        let work = |generator: &mut FamilyGenerator<G>, watch: Watch| {
            let mut made: Made<G::Position> = Vec::new();
            loop {
                let place = next.fetch_add(1, Ordering::Relaxed);
                let Some(path) = paths.get(place) else { return made };
                let family = generator.make(positions, path, needs, None, watch);
                if family.is_err() {
                    stopped.store(true, Ordering::Relaxed);
                }
                made.push((place, family));
            }
        };
        let (work, go_on) = (&work, &go_on);
        let mut made = std::thread::scope(|scope| {
            let others: Vec<_> = helpers
                .iter_mut()
                .map(|helper| scope.spawn(move || work(helper, &mut || go_on())))
                .collect();
            let mut made = work(generator, &mut || go_on() && watch());
            for other in others {
                match other.join() {
                    Ok(more) => made.extend(more),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            made
        });
        *family_time = Some(begun.elapsed() * (1 + helpers.len() as u32) / count);
        made.sort_by_key(|(place, _)| *place);
        // what stopped the others comes first
        let real = |family: &Result<_, Refusal>| !matches!(family, Ok(_) | Err(Refusal::Stopped));
        if let Some(at) = made.iter().position(|(_, family)| real(family)) {
            made.swap(0, at);
        }
        for (place, family) in made {
            prepared.push_back(family.map_err(|refusal| (place, refusal))?);
        }
        Ok(())
    }
}

impl<G: Game> FamilyGenerator<G> {
    /// The family of the leaf at the end of a path, however large it is.
    fn make(
        &mut self,
        positions: &[G::Position],
        path: &[NodeId],
        needs: &Needs,
        foreseen: Option<Foreseen<G>>,
        watch: Watch,
    ) -> Result<PreparedFamily<G::Position>, Refusal> {
        let (leaf, mut family) = (path[path.len() - 1], Family::default());
        let line = Line::along(positions, path);
        self.foreseen = foreseen;
        let made = self.generate(&line, first_of(leaf), needs, Allowance::ANY, watch, &mut family);
        self.foreseen = None;
        self.judge.expect(None);
        made?;
        Ok(PreparedFamily { leaf, family, children: std::mem::take(&mut self.children) })
    }

    /// Asks an evaluator from elsewhere, in one call, for all that it has to say of the leaves at the ends of paths, or of their
    /// children; nothing where there is no such evaluator.
    fn foresee(
        &mut self,
        positions: &[G::Position],
        paths: &[Vec<NodeId>],
        needs: &Needs,
    ) -> Result<Vec<Option<Foreseen<G>>>, (usize, Refusal)> {
        let inherited = needs.leaves == Leaves::Inherited;
        let wants = self.judge.wants_foreseen(inherited, self.wants_values(needs), needs.errors);
        if !(wants.own || wants.family) {
            return Ok(Vec::new());
        }
        let lines: Vec<_> = paths.iter().map(|path| Line::along(positions, path)).collect();
        let mut own = Vec::new();
        if wants.own {
            let asked: Vec<&G::Position> = lines.iter().map(|line| line.position).collect();
            own = self.judge.ask(&asked).map_err(|error| (0, error.into()))?;
        }
        let mut own = own.into_iter();
        let mut foreseen = Vec::with_capacity(lines.len());
        for (place, line) in lines.iter().enumerate() {
            let one = self.judge.look_ahead(line, own.next(), wants.family);
            foreseen.push(one.map_err(|error| (place, error.into()))?);
        }
        if wants.family {
            let open: Vec<&G::Position> = foreseen.iter().flat_map(Foreseen::open).collect();
            let values = match open.is_empty() {
                true => Vec::new(),
                false => self.judge.ask(&open).map_err(|error| (0, error.into()))?,
            };
            let mut values = values.into_iter().map(|opinion| opinion.value);
            for one in &mut foreseen {
                one.take_values(&mut values);
            }
        }
        Ok(foreseen.into_iter().map(Some).collect())
    }
}
