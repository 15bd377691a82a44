//! Depth-first proof searches from outside: parameters, budgets, threads, the answer and its line.

#[cfg(test)]
mod areas;
mod line;

use super::crew::Crew;
use super::evidence::{Evidence, ProofNumbers, SiblingFunctions};
use super::frame::{Branch, SolverFrame};
use super::problem::Problem;
use super::purse::{Helper, Main, Others};
use super::store::Remembers;
use super::worker::{path_key, Pause, Purse, Worker};
use crate::error::Error;
use crate::expander::{Needs, Values, Walker};
use crate::game::middle;
use crate::growth::Status;
use crate::numbers::functions::{check_eta, LeafFunctions};
use crate::numbers::functions::{CAP, DELTA, DMAX, ETA, INTERVAL, PMAX};
use crate::numbers::goal::{Goal, EPSILON, FOCUS, FORESIGHT, GOAL, THREADS, TIES};
use crate::numbers::proof_pair::Pair;
use crate::params::{Info, Kind, Param, Params};
use crate::search::budget::{ending, Halt, Meter};
use crate::search::{Budget, Control, Counts, Limit, Report, Search, Standing};
use std::cmp::Reverse;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::Mutex;

/// The searches `df-pn` and `sibling-conspiracy-table`.
pub(crate) struct Solver<E: Evidence> {
    problem: Problem<E>,
    epsilon: f64,
    /// How often the search has gone round in circles.
    circles: u32,
    /// How many leaves may be wrong: raised when the table is too small to get anywhere with so few.
    most: [u32; 2],
    threads: usize,
    table_bytes: usize,
    /// Whether the table may be smaller, because nobody has said how large it should be.
    shrinks: bool,
    worker: Worker<E>,
    /// Whether what is proven is so: it rests on rules and on what is proven.
    sound: bool,
    known: E::Known,
    /// Whether several threads are at work.
    hard: bool,
    line: Vec<u32>,
    /// Whether the line has come to its end.
    drawn: bool,
    value: f64,
    counts: Counts,
    status: Status,
    limit: Option<Limit>,
}

impl Solver<ProofNumbers> {
    /// The entry of `df-pn` in the tables.
    pub const INFO: Info = Info {
        name: "df-pn",
        paper: "Nagai 2002; Pawlewicz and Lew 2007; Henderson, Arneson and Hayward 2009",
        summary: "depth-first proof-number search in a table of fixed size, on several threads",
        params: &[GOAL, TIES, FORESIGHT, EPSILON, FOCUS, TABLE, THREADS],
    };

    /// The search with these parameters, which have been checked against the entry.
    pub fn new(walker: Box<dyn Walker>, params: &Params) -> Result<Self, Error> {
        let evidence = ProofNumbers { by_scores: params.text(TIES.name) == "scores" };
        let usual = if walker.best_first() { USUAL_FOCUS } else { 1.0 };
        let focus = params.maybe_real(FOCUS.name).unwrap_or(usual);
        if !(focus > 0.0 && focus <= 1.0) {
            let text = format!("focus must be above 0 and at most 1, not {focus}");
            return Err(Error::Argument(text));
        }
        Solver::with((evidence, focus), walker, params, [u32::MAX; 2])
    }
}

impl Solver<SiblingFunctions> {
    /// The entry of `sibling-conspiracy-table` in the tables.
    pub const INFO: Info = Info {
        name: "sibling-conspiracy-table",
        paper: "Pawlewicz and Hayward 2015",
        summary: "sibling conspiracy numbers depth-first, in a table of fixed size, on several threads",
        params: &[
            PMAX,
            DMAX,
            DELTA,
            CAP,
            ETA,
            INTERVAL,
            Param {
                name: "anchor",
                default: Kind::MaybeReal(0.0),
                meaning: "once a move's position has been expanded, its error is so many times the difference of static values; None: it stays what scores say (equation 12)",
            },
            GOAL,
            FORESIGHT,
            EPSILON,
            TABLE,
            THREADS,
        ],
    };

    /// The search with these parameters, which have been checked against the entry.
    pub fn new(walker: Box<dyn Walker>, params: &Params) -> Result<Self, Error> {
        let (delta, eta) = (params.maybe_real("delta"), params.real("eta"));
        check_eta(eta)?;
        let leaf = LeafFunctions::steps(delta, params.count("cap"), eta);
        let strict = params.text("interval") == "strict";
        let evidence = SiblingFunctions::new(leaf, eta, strict, params.maybe_real("anchor"));
        let most = [params.count("pmax"), params.count("dmax")];
        Solver::with((evidence, 1.0), walker, params, most)
    }
}

impl<E: Evidence> Solver<E> {
    fn with(
        (evidence, focus): (E, f64),
        walker: Box<dyn Walker>,
        params: &Params,
        most: [u32; 2],
    ) -> Result<Self, Error> {
        let epsilon = params.real("epsilon");
        if epsilon < 0.0 {
            return Err(Error::Argument(format!("epsilon must not be negative, not {epsilon}")));
        }
        let mut goal = Goal::new(params);
        goal.ask(walker.max_to_move(), walker.value_range());
        // code that is not ours may not run on several threads at once
        let another = walker.after(&[])?;
        let threads = if walker.is_foreign() { 1 } else { params.count("threads") as usize };
        let scored = evidence.uses_errors() && !walker.gives_scores();
        let needs = Needs {
            values: if scored { Values::Always } else { Values::Never },
            errors: evidence.uses_errors(),
            foresight: params.bool(FORESIGHT.name),
            keys: true,
            bounds: false,
            ..Needs::default()
        };
        Ok(Solver {
            known: evidence.open(),
            value: middle(walker.value_range()),
            sound: walker.is_sound(),
            problem: Problem {
                root_key: walker.root_key().map_err(Error::at_root)?.unwrap_or(0),
                repeats: walker.repeats(),
                evidence,
                goal,
                needs,
                focus,
                table: None,
                walker: match another {
                    Some(another) => another,
                    None => return Err(Error::Argument("this evaluator serves one search".into())),
                },
            },
            epsilon,
            circles: 0,
            most,
            threads: threads.min(MOST_THREADS),
            table_bytes: params.int("table_bytes").map_or(TABLE_BYTES, |bytes| bytes as usize),
            shrinks: params.int("table_bytes").is_none(),
            worker: Worker::new(walker),
            hard: false,
            line: Vec::new(),
            drawn: false,
            counts: Counts { nodes: 1, ..Counts::default() },
            status: Status::Budget,
            limit: None,
        })
    }

    /// Entries that the table may have.
    fn most_entries(&self) -> usize {
        self.table_bytes / E::Store::BYTES
    }

    /// A table of so many entries, with everything that is known.
    fn enlarge(&mut self, entries: usize) -> Result<(), Error> {
        let table = E::Store::new(entries.min(self.most_entries()))?;
        if let Some(old) = &self.problem.table {
            old.copy_to(&table);
        }
        let largest = table.capacity().saturating_mul(2) > self.most_entries();
        // this thread's part of three quarters; a single one stops where several are worth it
        let part = match (self.hard, self.threads) {
            (true, threads) => self.worker.filled + table.capacity() / 2 / threads,
            (false, 1) => table.capacity() / 4 * 3,
            (false, _) => HARD_ENTRIES.min(table.capacity() / 4 * 3),
        };
        self.worker.room = if largest { usize::MAX } else { part };
        self.problem.table = Some(table);
        self.worker.patience = self.patience();
        Ok(())
    }

    /// Searches until the root is solved.
    fn prove(&mut self, meter: &mut Meter) -> Result<(), Halt> {
        if self.problem.table.is_none() {
            self.enlarge(FIRST_ENTRIES)?;
            self.worker.hope = self.hope();
        }
        while self.problem.evidence.solved(&self.known).is_none() {
            let end = if self.hard { self.together(meter) } else { self.alone(meter) };
            match end {
                Ok(known) => self.known = known,
                Err(Pause::Stuck) => self.look_further(),
                Err(Pause::Full) => {
                    self.hard = self.threads > 1;
                    self.enlarge(self.problem.entries().saturating_mul(4))?;
                }
                Err(Pause::Halt(halt)) => return Err(halt),
            }
        }
        Ok(())
    }

    /// A search that has gone through its table many times over will not get anywhere by remembering: it must look
    /// further ahead at once. In the end this is df-pn, whose limits rise until no memory is needed.
    ///
    /// The same is true of one that goes round in circles, in a game where positions come back. There it is df-pn at
    /// once, which stays longer in each subtree every time, in the end until that is solved.
    fn look_further(&mut self) {
        self.worker.restart();
        let times = if self.problem.repeats { u32::MAX } else { 4 };
        self.most = self.most.map(|n| n.saturating_mul(times));
        self.worker.patience = self.patience();
        if self.problem.repeats {
            self.circles += 1;
            self.epsilon = longer(self.epsilon);
            self.worker.hope = self.hope();
        }
    }

    /// How many expansions may pass before the table must have got something new.
    fn hope(&self) -> u64 {
        if self.problem.repeats {
            HOPE << self.circles.min(32)
        } else {
            u64::MAX
        }
    }

    /// How many expansions it takes to go through the table many times over, if that can do harm.
    fn patience(&self) -> u64 {
        match &self.problem.table {
            Some(table) if self.worker.room == usize::MAX && self.most != [u32::MAX; 2] => {
                PATIENCE * table.capacity() as u64
            }
            _ => u64::MAX,
        }
    }

    fn alone(&mut self, meter: &mut Meter) -> Result<E::Known, Pause> {
        let Some(shared) = self.problem.shared(self.epsilon) else { return Err(Pause::Full) };
        let aim = self.problem.evidence.aim(&self.known, self.most);
        let mut purse = Main { meter, others: None, value: self.value };
        self.worker.descend(&shared, self.problem.root_key, aim, &mut purse)
    }

    /// One descent on this thread, which holds the purse, while others go their own ways below the same root.
    fn together(&mut self, meter: &mut Meter) -> Result<E::Known, Pause> {
        let Some(shared) = self.problem.shared(self.epsilon) else { return Err(Pause::Full) };
        let crew = Crew::new();
        let others = Others::default();
        let answer: Mutex<Option<E::Known>> = Mutex::new(None);
        let (evidence, root, most) = (&self.problem.evidence, self.problem.root_key, self.most);
        let (begun, worker, value) = (&self.known, &mut self.worker, self.value);
        worker.restart();
        // evaluators share what they remember, and each counts its part of it
        let whole = worker.most_bytes;
        worker.most_bytes /= self.threads;
        let solve = |worker: &mut Worker<E>, purse: &mut dyn Purse| {
            let mut known = begun.clone();
            while evidence.solved(&known).is_none() {
                known = worker.work(&shared, &crew, root, most, purse)?;
            }
            Ok(known)
        };
        let end = std::thread::scope(|scope| {
            for _ in 1..self.threads {
                let Some(walker) = worker.walker.fork() else { break };
                let mut helper = Worker::new(walker);
                helper.most_bytes = worker.most_bytes;
                let (others, answer, solve) = (&others, &answer, &solve);
                scope.spawn(move || {
                    let mut purse = Helper { others, expansions: 0, nodes: 0 };
                    // an error of the game's will meet the main thread too
                    if let Ok(known) = solve(&mut helper, &mut purse) {
                        let mut answer = answer.lock().unwrap_or_else(|lock| lock.into_inner());
                        *answer = Some(known);
                        others.stop.store(true, Relaxed);
                    }
                });
            }
            let mut purse = Main { meter, others: Some(&others), value };
            let end = solve(worker, &mut purse);
            others.stop.store(true, Relaxed);
            end
        });
        self.worker.most_bytes = whole;
        end.or_else(|pause: Pause| {
            let answer = answer.into_inner().unwrap_or_else(|lock| lock.into_inner());
            answer.ok_or(pause)
        })
    }

    /// The game's value, if the answer leaves only one of its results.
    fn exact_value(&self) -> Option<f64> {
        let won = self.problem.evidence.solved(&self.known)?;
        let results = self.problem.walker.results()?;
        let mut left = results.iter().filter(|value| self.problem.goal.is_won(**value) == won);
        left.next().copied().filter(|_| left.next().is_none())
    }

    /// The line to the last frame, for an error there.
    fn at_work(&self) -> Vec<String> {
        let depth = self.worker.depth.min(self.worker.frames.len());
        let name = |(ply, frame): (usize, &SolverFrame<E::Known>)| {
            self.worker.walker.move_name(ply, frame.next)
        };
        self.worker.frames[..depth].iter().enumerate().map(name).collect()
    }

    /// The best move so far. With two numbers the easiest to prove, and among equals the one that most work has gone
    /// into; with functions, whose numbers are small, that one of those that are not lost.
    fn best(&self) -> u32 {
        let Some(frame) = self.worker.frames.first() else { return 0 };
        let at_work = &self.worker.frames[1..self.worker.depth.max(1)];
        let key = |place: &usize| {
            let branch = &frame.branches[*place];
            let own = branch.pair.own(frame.max);
            if !E::TIGHT {
                return (own, Reverse(branch.work));
            }
            let begun = if *place == frame.next { at_work.iter().map(|f| f.work).sum() } else { 0 };
            // a proven win comes before what is not known to lose
            let rank = match self.problem.evidence.solved(&branch.known) {
                Some(won) if won == frame.max => 0,
                None => 1,
                Some(_) => 2,
            };
            (rank, Reverse(branch.effort + begun))
        };
        let best = (0..frame.branches.len()).min_by_key(key).unwrap_or(0);
        self.worker.walker.legal_place(0, best)
    }
}

/// The parameter `table_bytes`.
const TABLE: Param = Param {
    name: "table_bytes",
    default: Kind::MaybeInt(1024),
    meaning: "memory for the table, at the most; it begins small; None: 128 MiB, or what there is",
};

/// How long to stay in a subtree after going round in circles.
fn longer(epsilon: f64) -> f64 {
    epsilon.max(0.25) * 2.0
}

/// The focus where a game gives its best moves first.
const USUAL_FOCUS: f64 = 0.5;
/// A game where positions come back gets this many expansions to begin with.
const HOPE: u64 = 1024;
/// How many times over.
const PATIENCE: u64 = 4;
/// A table begins with this many entries.
const FIRST_ENTRIES: usize = 1 << 12;
/// A search that fills so many is worth several threads.
const HARD_ENTRIES: usize = 1 << 8;
/// How large a table may grow if nobody says so.
pub const TABLE_BYTES: usize = 128 << 20;
const MOST_THREADS: usize = 64;
/// A line that is longer is not worth drawing.
const LONGEST_LINE: usize = 10_000;

impl<E: Evidence> Search for Solver<E> {
    fn run(&mut self, budget: &Budget, control: &mut dyn Control) -> Result<(), Error> {
        let memory = usize::try_from(budget.memory.unwrap_or(u64::MAX)).unwrap_or(usize::MAX);
        if self.shrinks && self.problem.table.is_none() {
            self.table_bytes = self.table_bytes.min(memory / 4 * 3);
        }
        if self.table_bytes > memory {
            return Err(Error::Argument(format!(
                "a table of {} bytes does not fit into the memory: lower table_bytes",
                self.table_bytes
            )));
        }
        self.worker.most_bytes = memory - self.table_bytes;
        let mut meter = Meter::start(budget, self.counts, control);
        let mut end = self.prove(&mut meter).map(|()| Status::Decided);
        if end.is_ok() && !self.drawn {
            // the answer stands, however far the line gets
            match self.draw_line(&mut meter) {
                Ok(()) => self.drawn = true,
                Err(Halt::Failed(error)) => end = Err(Halt::Failed(error)),
                Err(_) => (),
            }
        }
        self.counts = meter.finish();
        let end = end.map_err(|halt| match halt {
            Halt::Failed(source) => {
                Halt::Failed(Box::new(Error::Line { line: self.at_work(), source }))
            }
            halt => halt,
        });
        (self.status, self.limit) = ending(end)?;
        if self.status == Status::Decided && !self.sound {
            // as far as the evaluator's word goes, and that is no proof
            self.status = Status::Converged;
        }
        if let (Status::Decided, Some(value)) = (self.status, self.exact_value()) {
            (self.status, self.value) = (Status::Proven, value);
        }
        Ok(())
    }

    fn report(&self) -> Report {
        let line = if self.line.is_empty() { vec![self.best()] } else { self.line.clone() };
        Report {
            status: self.status,
            limit: self.limit,
            best: line[0],
            value: self.value,
            won: self.problem.evidence.solved(&self.known).filter(|_| self.sound),
            line,
            counts: self.counts,
            bytes_per_node: None,
            iterations: Vec::new(),
        }
    }

    fn facts(&self) -> Vec<u8> {
        self.problem.table.as_ref().map(Remembers::dump).unwrap_or_default()
    }

    fn learn(&mut self, facts: &[u8]) -> Result<(), Error> {
        // as much room again, so that the search need not enlarge it at once
        self.enlarge(FIRST_ENTRIES.max(2 * facts.len() / E::Store::BYTES))?;
        self.worker.hope = self.hope();
        match &self.problem.table {
            Some(table) if table.load(facts) => Ok(()),
            _ => Err(Error::Argument("these facts are not those of such a search".into())),
        }
    }

    fn standing(&self) -> Option<Standing> {
        let frame = self.worker.frames.first()?;
        let evidence = &self.problem.evidence;
        // what is known, and not what others are expected to find out
        let real = |branch: &Branch<E::Known>| {
            let targets = evidence.below(frame.max, branch.error, frame.targets);
            evidence.pair(&branch.known, targets)
        };
        let counting = &frame.branches[..frame.count(real)];
        let pair = Pair::of_family(frame.max, counting.iter().map(real));
        let settled = |branch: &&Branch<E::Known>| evidence.solved(&branch.known).is_some();
        Some(Standing {
            proof: pair.pn,
            disproof: pair.dn,
            settled: frame.branches.iter().filter(settled).count() as u32,
            moves: frame.branches.len() as u32,
        })
    }

    fn replies(
        &mut self,
        line: &[u32],
        budget: &Budget,
        control: &mut dyn Control,
    ) -> Result<Vec<u32>, Error> {
        if self.problem.evidence.solved(&self.known).is_none() {
            return Ok(Vec::new());
        }
        let Some(walker) = self.problem.walker.after(line)? else { return Ok(Vec::new()) };
        if walker.outcome()?.is_some() {
            return Ok(Vec::new());
        }
        let along = |key: u64, place: &u32| path_key(key, *place as usize);
        let key = walker.root_key()?;
        let key = key.unwrap_or_else(|| line.iter().fold(self.problem.root_key, along));
        let mut meter = Meter::start(budget, self.counts, control);
        let mut worker = Worker::new(walker);
        let found = self.keeping(&mut worker, key, &mut meter);
        self.counts = meter.finish();
        match found {
            Ok(places) => {
                Ok(places.iter().map(|&place| worker.walker.legal_place(0, place)).collect())
            }
            Err(Halt::Failed(error)) => Err(*error),
            Err(_) => Ok(Vec::new()),
        }
    }
}
