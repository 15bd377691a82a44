//! Alpha-beta with iterative deepening: the baseline that the papers measure against.
//!
//! The plain form is R. L. Rivest's, "Game tree searching by min/max approximation" (1988), Section
//! 5.4, and serves for D. McAllester's Section 8: a depth bound from `first_depth` up, the answer of the
//! last *completed* iteration, nothing carried over between iterations, children in the order of their
//! static values, best first. Its calls of `play` are counted as such a program makes them:
//!
//! - at a node of depth 2 or more it plays every move once to see the static values, and once more to
//!   search it;
//! - at depth 1 the `lean` form plays the moves from left to right, with cut-offs, once; the form that
//!   orders `all` nodes plays them twice there too, and begins with an open window: it goes on after a
//!   win.
//!
//! `table=True` has a transposition table that is kept over iterations, the table's move first, and no move played
//! twice. `selective=True` is the form for chess, and `variant="modern"` the same for every game: see `selective`
//! and `modern`.

mod info;
mod last_ply;
mod modern;
pub(crate) mod mtd;
mod order;
mod selective;

use super::budget::{ending, evaluator_share, Halt, Meter};
use super::report::Iteration;
use super::table::{Bound, Table, TableEntry, COMPLETE};
use super::{Budget, Control, Counts, Limit, Report, Search};
use crate::error::Error;
use crate::evaluator::{Game, Line};
use crate::game::{check_moves, valid, Child, MAX_DEPTH};
use crate::growth::Status;
use crate::judge::Judge;
use crate::params::Params;
pub(crate) use info::INFO;
use mtd::Driver;
use order::Order;
use selective::{OrderMemory, Ranked};
use std::sync::Arc;

/// Scratch space of one ply, kept so that the search allocates nothing on its way.
struct Ply<G: Game> {
    moves: Vec<G::Move>,
    /// The places of the moves among the legal ones; none if they are all of them.
    places: Vec<u16>,
    children: Vec<Child<G::Position>>,
    order: Order,
    /// The same for the selective form, and the kinds of quiet moves that it has tried.
    ranked: Vec<Ranked>,
    tried: Vec<usize>,
}

impl<G: Game> Default for Ply<G> {
    fn default() -> Self {
        Ply {
            moves: Vec::new(),
            places: Vec::new(),
            children: Vec::new(),
            order: Order::default(),
            ranked: Vec::new(),
            tried: Vec::new(),
        }
    }
}

/// The place among the legal moves of the move at a place among those looked at.
#[inline]
fn legal(places: &[u16], at: u16) -> u16 {
    places.get(usize::from(at)).copied().unwrap_or(at)
}

/// And back, if it is one of them.
fn looked_at(places: &[u16], legal: u16) -> Option<u16> {
    match places.is_empty() {
        true => Some(legal),
        false => places.iter().position(|place| *place == legal).map(|at| at as u16),
    }
}

/// The window of all values.
const WHOLE: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);

/// The search `alpha-beta`.
pub struct AlphaBeta<G: Game> {
    game: Arc<G>,
    judge: Judge<G>,
    root: G::Position,
    static_value: f64,
    last_depth: u32,
    next_depth: u32,
    order_all: bool,
    table: Option<Table>,
    /// How large a table to make when the search begins, if any.
    table_bytes: Option<i64>,
    /// Whether results of depth 1 are worth a place in the table.
    keeps_last_ply: bool,
    /// One for each ply; away while its node is searched.
    families: Vec<Option<Box<Ply<G>>>>,
    last_moves: Vec<G::Move>,
    lines: Vec<Vec<u32>>,
    /// Whether a line of the current subtree ended at the depth bound.
    horizon: bool,
    selective: bool,
    /// Whether whole families are looked at in the modern way: see `modern`.
    modern: bool,
    /// How null windows alone find the value of a depth, if they do: see `mtd`.
    driver: Option<Driver>,
    memory: OrderMemory,
    /// Whether a static value ever stood at an end of the value range: then reaching it proves nothing.
    vague: bool,
    line: Vec<u32>,
    iterations: Vec<Iteration>,
    counts: Counts,
    status: Status,
    limit: Option<Limit>,
}

impl<G: Game> AlphaBeta<G> {
    /// The search with these parameters, which have been checked against [`INFO`].
    pub fn new(
        game: Arc<G>,
        mut judge: Judge<G>,
        root: G::Position,
        params: &Params,
    ) -> Result<Self, Error> {
        let depth = |name| params.int(name).map(|n| n.min(i64::from(MAX_DEPTH)) as u32);
        let last_depth = depth("depth").unwrap_or(MAX_DEPTH);
        let modern = modern::is_wanted(params)?;
        let driver = Driver::wanted(params);
        let table = modern || driver.is_some() || params.bool("table");
        // where its margins hold, the selective form is the modern one
        let selective = params.bool("selective") || (modern && game.has_margins());
        Ok(AlphaBeta {
            static_value: valid(judge.value(&Line::root(&root))?, false, game.value_range())?,
            game,
            judge,
            root,
            last_depth,
            next_depth: depth("first_depth").unwrap_or(1).min(last_depth),
            order_all: params.text("ordering") == "all",
            table: None,
            keeps_last_ply: params.int("table_depth") == Some(1),
            table_bytes: params.int("table_bytes").filter(|_| table),
            families: Vec::new(),
            last_moves: Vec::new(),
            lines: Vec::new(),
            horizon: false,
            selective,
            modern: modern && !selective,
            driver,
            memory: OrderMemory::new(),
            vague: false,
            line: Vec::new(),
            iterations: Vec::new(),
            counts: Counts { nodes: 1, ..Counts::default() },
            status: Status::Budget,
            limit: None,
        })
    }

    /// Completes one depth after another.
    fn deepen(&mut self, meter: &mut Meter) -> Result<Status, Halt> {
        let max = self.game.max_to_move(&self.root);
        let (low, high) = self.game.value_range();
        while self.next_depth <= self.last_depth {
            let depth = self.next_depth;
            let before = meter.counts.move_calls;
            // checks make lines of the selective form longer
            let plies = if self.selective { 3 * depth as usize + 8 } else { depth as usize + 1 };
            if self.families.len() < plies {
                self.families.resize_with(plies, Default::default);
                self.lines.resize_with(plies + 1, Vec::new);
            }
            self.horizon = false;
            let root = self.root.clone();
            // the wasteful form takes no advantage of the ends of the range: a win found is no reason to stop
            let (low, high) = if self.order_all { WHOLE } else { (low, high) };
            let (alpha, beta) = if max { (low, high) } else { (-high, -low) };
            let (start, window) = (Line::root(&root), (alpha, beta));
            let value = match self.driver {
                Some(driver) => self.drive(meter, &start, depth, window, driver),
                None if self.selective || self.modern => self.aspire(meter, &start, depth, window),
                None => self.search(meter, &start, depth, 0, alpha, beta),
            };
            let value = value.map_err(Halt::at_root)?;
            let value = if max { value } else { -value };
            self.line.clone_from(&self.lines[0]);
            meter.counts.depth = depth;
            self.iterations.push(Iteration {
                depth,
                best: self.line.first().copied().unwrap_or(0),
                value,
                move_calls: meter.counts.move_calls - before,
            });
            self.next_depth += 1;
            if !self.horizon || (!self.vague && (value == low || value == high)) {
                // what an evaluator leaves out by guess proves nothing
                let sound = self.judge.is_sound();
                return Ok(if sound { Status::Proven } else { Status::Converged });
            }
            meter.complete(value, &self.line)?;
        }
        Ok(Status::Converged)
    }

    /// The value of a position that is not over, for the player to move.
    ///
    /// Returns a value in the open window exactly; one that is at most `alpha` as an upper bound; one
    /// that is at least `beta` as a lower bound. `self.lines[ply]` is the best line if it is exact.
    fn search(
        &mut self,
        meter: &mut Meter,
        line: &Line<G::Position>,
        depth: u32,
        ply: usize,
        alpha: f64,
        beta: f64,
    ) -> Result<f64, Halt> {
        meter.afford(1, 0, 0)?;
        meter.counts.expansions += 1;
        if meter.is_due() {
            meter.look(|| self.iterations.last().map_or(self.static_value, |done| done.value))?;
        }
        self.lines[ply].clear();
        if ply > 0 {
            if let Some(value) = self.judge.known_result(line.position)? {
                let max = self.game.max_to_move(line.position);
                return Ok(if max { value } else { -value });
            }
        }
        // somebody else is asked about a whole family at once
        let once = if self.selective { self.judge.is_foreign() } else { !self.order_all };
        if depth == 1 && once {
            return self.last_ply_once(meter, line, ply, alpha, beta);
        }
        let mut family = self.families[ply].take().unwrap_or_default();
        family.moves.clear();
        let window = (alpha, beta);
        let value = match () {
            () if self.selective => {
                self.inner_selectively(meter, line, &mut family, (depth, ply), window)
            }
            () if self.modern => self.inner_modern(meter, line, &mut family, (depth, ply), window),
            () => match self.game.moves(line.position, &mut family.moves) {
                Ok(()) => self.inner(meter, line, &mut family, depth, ply, alpha, beta),
                Err(error) => Err(error.into()),
            },
        };
        self.families[ply] = Some(family);
        value
    }

    /// What the table has of a position, if anything: an entry that answers for this depth and window, or one whose
    /// best move may be good here too.
    #[inline]
    fn known(
        &mut self,
        key: Option<u64>,
        depth: u32,
        ply: usize,
        alpha: f64,
        beta: f64,
    ) -> Option<Result<TableEntry, TableEntry>> {
        let entry = self.table.as_ref()?.get(key?)?;
        let decided = match entry.bound {
            Bound::Exact => true,
            Bound::AtLeast => entry.value >= beta,
            Bound::AtMost => entry.value <= alpha,
        };
        if u32::from(entry.depth) < depth || !decided || ply == 0 {
            return Some(Err(entry));
        }
        self.horizon |= entry.depth != COMPLETE;
        self.lines[ply].push(u32::from(entry.best));
        Some(Ok(entry))
    }

    /// Stores a result that was found with this window.
    #[inline]
    fn keep(
        &mut self,
        key: Option<u64>,
        depth: u32,
        (alpha, beta): (f64, f64),
        value: f64,
        best: u16,
    ) {
        if let Some((key, table)) = key.zip(self.table.as_mut()) {
            let bound = match value {
                value if value >= beta => Bound::AtLeast,
                value if value <= alpha => Bound::AtMost,
                _ => Bound::Exact,
            };
            let depth = if self.horizon { depth as u16 } else { COMPLETE };
            table.put(key, TableEntry { value, best, depth, bound });
        }
    }

    /// Keeps the moves to look at, in their order; or tells the value for the player to move, where it is known.
    #[inline]
    fn list_moves(
        &mut self,
        meter: &Meter,
        line: &Line<G::Position>,
        family: &mut Ply<G>,
        ply: usize,
    ) -> Result<Option<f64>, Halt> {
        self.judge.consider(line, &mut family.moves)?;
        family.places.clear();
        if !self.judge.places().is_empty() {
            family.places.extend_from_slice(self.judge.places());
        }
        let count = check_moves(family.moves.len())?;
        meter.afford(0, count, count)?;
        let Some(value) = self.judge.decided(line)? else { return Ok(None) };
        self.lines[ply].push(u32::from(legal(&family.places, 0)));
        Ok(Some(if self.game.max_to_move(line.position) { value } else { -value }))
    }

    /// Counts the children that were made, and checks those of foreign code.
    #[inline]
    fn count_children(&self, meter: &mut Meter, family: &Ply<G>) -> Result<(), Error> {
        let count = family.children.len() as u64;
        meter.counts.nodes += count;
        meter.counts.move_calls += count;
        meter.charge(count, count);
        if self.judge.is_foreign() {
            for child in &family.children {
                valid(child.value, child.terminal, self.game.value_range())?;
            }
        }
        Ok(())
    }

    /// The best line of a node is this move and the line after it.
    #[inline]
    fn lengthen(&mut self, ply: usize, place: u16) {
        let (above, below) = self.lines.split_at_mut(ply + 1);
        above[ply].clear();
        above[ply].push(u32::from(place));
        above[ply].extend_from_slice(&below[0]);
    }

    /// Any other depth: children generated, ordered, and searched one after another.
    #[allow(clippy::too_many_arguments)] // the window, the place and the scratch space of one node
    fn inner(
        &mut self,
        meter: &mut Meter,
        line: &Line<G::Position>,
        family: &mut Ply<G>,
        depth: u32,
        ply: usize,
        mut alpha: f64,
        beta: f64,
    ) -> Result<f64, Halt> {
        let max = self.game.max_to_move(line.position);
        let key = if self.table.is_some() { self.game.key(line.position)? } else { None };
        let first = match self.known(key, depth, ply, alpha, beta) {
            Some(Ok(entry)) => return Ok(entry.value),
            Some(Err(entry)) => Some(entry.best),
            None => None,
        };
        if let Some(value) = self.list_moves(meter, line, family, ply)? {
            return Ok(value);
        }
        family.children.clear();
        let watch = &mut || meter.goes_on();
        self.judge.children(line, &family.moves, watch, &mut family.children)?;
        if family.children.len() < family.moves.len() {
            return Err(meter.stopped());
        }
        self.count_children(meter, family)?;
        let foreign = self.judge.is_foreign();
        let first = first.and_then(|first| looked_at(&family.places, first));
        family.order.set(&family.children, max, first);

        let outside = std::mem::take(&mut self.horizon);
        let window = (alpha, beta);
        let (mut best, mut best_place) = (f64::NEG_INFINITY, 0);
        while let Some(place) = family.order.pop() {
            let child = &family.children[usize::from(place)];
            if self.table.is_none() {
                meter.afford(0, 0, 1)?; // the move is made again, to be searched
                meter.counts.move_calls += 1;
                meter.charge(1, 0);
            }
            self.lines[ply + 1].clear();
            let value = if child.terminal || depth == 1 {
                self.horizon |= !child.terminal;
                if foreign {
                    let (low, high) = self.game.value_range();
                    self.vague |= !child.terminal && (child.value == low || child.value == high);
                }
                if max {
                    child.value
                } else {
                    -child.value
                }
            } else {
                let (low, high) = (alpha, beta);
                let (depth, ply) = (depth - 1, ply + 1);
                let same = self.game.max_to_move(&child.position) == max;
                let (low, high) = if same { (low, high) } else { (-high, -low) };
                let below = line.then(&child.position);
                let value = self.search(meter, &below, depth, ply, low, high);
                let value = value.map_err(|halt| {
                    let mv = &family.moves[usize::from(place)];
                    halt.after(|| self.game.move_name(line.position, mv))
                })?;
                if same {
                    value
                } else {
                    -value
                }
            };
            if value > best {
                (best, best_place) = (value, place);
                // a line that fails low is no line; only the root needs some answer in any case
                if value > alpha || ply == 0 {
                    self.lengthen(ply, legal(&family.places, place));
                }
            }
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        self.keep(key, depth, window, best, legal(&family.places, best_place));
        self.horizon |= outside;
        Ok(best)
    }
}

impl<G: Game> Search for AlphaBeta<G> {
    fn run(&mut self, budget: &Budget, control: &mut dyn Control) -> Result<(), Error> {
        if let (None, Some(bytes)) = (&self.table, self.table_bytes) {
            self.table = Some(match self.selective || self.modern {
                true => Table::growing(budget, bytes as usize)?,
                false => Table::within(budget, bytes as usize)?,
            });
        }
        self.judge.shrink(evaluator_share(budget));
        let mut meter = Meter::start(budget, self.counts, control);
        let end = self.deepen(&mut meter);
        // the last iteration begins with the best move so far: what it has found since is better
        if end.is_err() && !self.memory.unfinished.is_empty() {
            self.line = std::mem::take(&mut self.memory.unfinished);
        }
        self.counts = meter.finish();
        (self.status, self.limit) = ending(end)?;
        Ok(())
    }

    fn report(&self) -> Report {
        let line = if self.line.is_empty() { vec![0] } else { self.line.clone() };
        Report {
            status: self.status,
            limit: self.limit,
            best: line[0],
            value: self.iterations.last().map_or(self.static_value, |done| done.value),
            won: None,
            line,
            counts: self.counts,
            bytes_per_node: None,
            iterations: self.iterations.clone(),
        }
    }
}
