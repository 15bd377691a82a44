//! Alpha-beta to the end of the game: the exact value, without a depth bound.
//!
//! Null windows and a table (J. Pearl's Scout, 1980, in the form of A. Reinefeld, 1983). A position is left at once
//! if a glance tells that the result lies outside the window, or if the game has means of its own for its last
//! moves. What makes the search small is the order of moves, and towards the end the best order is another one than
//! in play: first the move that leaves the other the fewest replies, because it makes the smallest tree. The game's
//! move scores say so where the end is near; where it is far, a search of a few plies does.

mod glance;
mod line;
mod special;

use super::budget::{ending, evaluator_share, Halt, Meter};
use super::table::{Bound, Table, TableEntry};
use super::{Budget, Claim, Control, Counts, Limit, Report, Search};
use crate::error::Error;
use crate::evaluator::{Game, Line};
use crate::game::{check_moves, valid, Child, Specialist, MAX_DEPTH};
use crate::growth::Status;
use crate::judge::Judge;
use crate::params::{Info, Kind, Param, Params};
use crate::scores::check as check_scores;
use crate::tree::{rank, unrank};
use std::sync::Arc;

/// With at least so many moves left, moves are ordered by a search; it is a ply deeper every `DEEPER` moves, up to
/// `DEEPEST`.
const FAR: u32 = 12;
const DEEPER: u32 = 3;
const DEEPEST: u32 = 4;

/// The search's entry in the tables.
pub(crate) const INFO: Info = Info {
    name: "end-game",
    paper: "Pearl 1980; Reinefeld 1983",
    summary: "alpha-beta to the end of the game with null windows and a table: the exact value",
    params: &[
        Param {
            name: "goal",
            default: Kind::MaybeReal(f64::NEG_INFINITY),
            meaning: "the least result that counts as won for Max, if only that is asked; None: the exact value",
        },
        Param {
            name: "table_bytes",
            default: Kind::Int(super::TABLE_BYTES as i64, 1024),
            meaning: "memory for the transposition table",
        },
    ],
};

/// The search `end-game`.
pub struct EndGame<G: Game> {
    game: Arc<G>,
    judge: Judge<G>,
    root: G::Position,
    table: Option<Table>,
    /// Who takes the place of this search, if the game has one.
    specialist: Option<Box<dyn Specialist<G::Position>>>,
    table_bytes: usize,
    /// What is asked, and the answer.
    goal: Option<f64>,
    won: Option<bool>,
    families: Vec<EndFamily<G>>,
    /// The best of the root's moves so far, and its value.
    best: (u32, f64),
    line: Vec<u32>,
    counts: Counts,
    status: Status,
    limit: Option<Limit>,
}

/// One position's moves, in scratch space that is kept.
struct EndFamily<G: Game> {
    moves: Vec<G::Move>,
    children: Vec<Child<G::Position>>,
    scores: Vec<f64>,
    /// Places of the children, best first.
    order: Vec<u16>,
}

impl<G: Game> Default for EndFamily<G> {
    fn default() -> Self {
        EndFamily { moves: Vec::new(), children: Vec::new(), scores: Vec::new(), order: Vec::new() }
    }
}

/// A value from Max's side for the player to move, or back.
#[inline(always)]
fn signed(value: f64, max: bool) -> f64 {
    if max {
        value
    } else {
        0.0 - value
    }
}

/// A window from one side for the other.
#[inline(always)]
fn turned((alpha, beta): (f64, f64), same: bool) -> (f64, f64) {
    if same {
        (alpha, beta)
    } else {
        (-beta, -alpha)
    }
}

impl<G: Game> EndGame<G> {
    /// The search with these parameters, which have been checked against [`INFO`].
    pub fn new(
        game: Arc<G>,
        mut judge: Judge<G>,
        root: G::Position,
        params: &Params,
    ) -> Result<Self, Error> {
        if game.repeats() {
            return Err(Error::Argument(
                "positions of this game can come back, and end-game never would: use df-pn".into(),
            ));
        }
        if !judge.is_sound() {
            return Err(Error::Argument(
                "end-game finds exact values: an evaluator that leaves moves out by guess is no use to it".into(),
            ));
        }
        let value = valid(judge.value(&Line::root(&root))?, false, game.value_range())?;
        Ok(EndGame {
            game,
            judge,
            root,
            table: None,
            specialist: None,
            table_bytes: params.int("table_bytes").unwrap_or(1024) as usize,
            goal: params.maybe_real("goal"),
            won: None,
            families: Vec::new(),
            best: (0, value),
            line: Vec::new(),
            counts: Counts { nodes: 1, ..Counts::default() },
            status: Status::Budget,
            limit: None,
        })
    }

    /// The exact value, then a line that keeps it.
    fn solve(&mut self, meter: &mut Meter) -> Result<Status, Halt> {
        if let Some(goal) = self.goal {
            return self.answer(meter, goal);
        }
        if self.status != Status::Proven {
            let (root, max) = (self.root.clone(), self.game.max_to_move(&self.root));
            let window = (f64::NEG_INFINITY, f64::INFINITY);
            let value = self.search(meter, &root, 0, window).map_err(Halt::at_root)?;
            self.best.1 = signed(value, max);
            self.status = Status::Proven;
        }
        match self.draw(meter) {
            // the value is known, whatever is missing of the line
            Err(Halt::Spent(_)) | Ok(()) => Ok(Status::Proven),
            Err(halt) => Err(halt),
        }
    }

    /// The value of a position that is not over, for the player to move: exact inside the open window, else a
    /// bound.
    fn search(
        &mut self,
        meter: &mut Meter,
        position: &G::Position,
        ply: usize,
        window: (f64, f64),
    ) -> Result<f64, Halt> {
        if self.specialist.is_some() {
            return self.ask_specialist(meter, position, window);
        }
        meter.afford(1, 0, 0)?;
        meter.counts.expansions += 1;
        // a position of a large table is a page that the system may have to make first
        if meter.is_due_after(16) {
            meter.look(|| self.best.1)?;
        }
        let max = self.game.max_to_move(position);
        let (alpha, beta) = window;
        let (low, high) = turned(self.game.result_bounds(position), max);
        if ply > 0 && (low >= beta || high <= alpha) {
            return Ok(if low >= beta { low } else { high });
        }
        // inside a budget of nodes every node is counted before it is made
        if ply > 0 && meter.affordable() >= u64::MAX / 2 {
            let mut nodes = 0;
            let settled = self.game.settle(position, turned(window, max), &mut nodes);
            if let Some(value) = settled {
                meter.counts.nodes += nodes;
                meter.counts.move_calls += nodes;
                return Ok(signed(value, max));
            }
        }
        if ply >= self.families.len() {
            if ply >= MAX_DEPTH as usize {
                let text =
                    format!("lines of more than {MAX_DEPTH} moves are too long for end-game");
                return Err(Error::Argument(format!("{text}: use df-pn")).into());
            }
            self.families.resize_with(ply + 1, EndFamily::default);
        }
        let mut family = std::mem::take(&mut self.families[ply]);
        let value = self.inner(meter, position, &mut family, ply, window);
        self.families[ply] = family;
        value
    }

    fn inner(
        &mut self,
        meter: &mut Meter,
        position: &G::Position,
        family: &mut EndFamily<G>,
        ply: usize,
        (mut alpha, beta): (f64, f64),
    ) -> Result<f64, Halt> {
        let before = meter.counts.nodes;
        let key = self.game.key(position)?;
        let mut first = None;
        if let Some(entry) = key.zip(self.table.as_ref()).and_then(|(key, table)| table.get(key)) {
            first = Some(entry.best);
            if ply > 0 && decides(entry, alpha, beta) {
                return Ok(entry.value);
            }
        }
        let max = self.game.max_to_move(position);
        let left = self.game.moves_left(position).unwrap_or(0);
        family.moves.clear();
        self.game.moves(position, &mut family.moves)?;
        let count = check_moves(family.moves.len())?;
        meter.afford(0, count, count)?;
        self.generate(meter, position, family, left)?;
        meter.counts.nodes += count;
        meter.counts.move_calls += count;
        if left >= FAR && ply > 0 {
            if let Some(value) = self.known(family, max, beta)? {
                return Ok(value);
            }
        }
        self.order(meter, position, family, left, first)?;

        let low = alpha;
        let (mut best, mut best_place) = (f64::NEG_INFINITY, 0);
        for &place in &family.order {
            let child = &family.children[usize::from(place)];
            let value = if child.terminal {
                signed(child.value, max)
            } else {
                let same = self.game.max_to_move(&child.position) == max;
                let mut look = |beta| {
                    let value =
                        self.search(meter, &child.position, ply + 1, turned((alpha, beta), same));
                    let value = value.map_err(|halt| {
                        halt.after(|| {
                            self.game.move_name(position, &family.moves[usize::from(place)])
                        })
                    })?;
                    Ok::<f64, Halt>(signed(value, same))
                };
                // a null window first: most moves are no better than the best
                let value = if best == f64::NEG_INFINITY {
                    look(beta)?
                } else {
                    look(above(alpha).min(beta))?
                };
                if value > alpha && value < beta && best != f64::NEG_INFINITY {
                    look(beta)?
                } else {
                    value
                }
            };
            if value > best {
                (best, best_place) = (value, place);
                if ply == 0 {
                    self.best = (u32::from(place), signed(value, max));
                }
            }
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        if let Some((key, table)) = key.zip(self.table.as_mut()) {
            let bound = match best {
                best if best >= beta => Bound::AtLeast,
                best if best <= low => Bound::AtMost,
                _ => Bound::Exact,
            };
            // what took long is kept
            let depth = (meter.counts.nodes - before).ilog2() as u16;
            table.put(key, TableEntry { value: best, best: best_place, depth, bound });
        }
        Ok(best)
    }

    /// The children, with static values if the moves are to be ordered by them.
    fn generate(
        &mut self,
        meter: &mut Meter,
        position: &G::Position,
        family: &mut EndFamily<G>,
        left: u32,
    ) -> Result<(), Halt> {
        let EndFamily { moves, children, .. } = family;
        children.clear();
        if left >= FAR || self.judge.gives_scores() {
            return Ok(self.game.successors(position, moves, 0.0, children)?);
        }
        let watch = &mut || meter.goes_on();
        self.judge.children(&Line::root(position), moves, watch, children)?;
        if children.len() < moves.len() {
            return Err(meter.stopped());
        }
        if self.judge.is_foreign() {
            for child in children {
                valid(child.value, child.terminal, self.game.value_range())?;
            }
        }
        Ok(())
    }

    /// A value that is at least `beta` if the table has one for a child.
    fn known(&self, family: &EndFamily<G>, max: bool, beta: f64) -> Result<Option<f64>, Error> {
        let Some(table) = &self.table else { return Ok(None) };
        for child in family.children.iter().filter(|child| !child.terminal) {
            let Some(key) = self.game.key(&child.position)? else { continue };
            let Some(entry) = table.get(key) else { continue };
            let same = self.game.max_to_move(&child.position) == max;
            let enough = if same { Bound::AtLeast } else { Bound::AtMost };
            let value = signed(entry.value, same);
            if value >= beta && (entry.bound == Bound::Exact || entry.bound == enough) {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }

    /// Puts the children in the order in which they are searched.
    fn order(
        &mut self,
        meter: &mut Meter,
        position: &G::Position,
        family: &mut EndFamily<G>,
        left: u32,
        first: Option<u16>,
    ) -> Result<(), Halt> {
        let EndFamily { moves, children, scores, order } = family;
        let max = self.game.max_to_move(position);
        scores.clear();
        if left >= FAR {
            let depth = ((left - FAR) / DEEPER).min(DEEPEST);
            for child in children.iter() {
                let value = if child.terminal {
                    child.value
                } else {
                    let window = (f64::NEG_INFINITY, f64::INFINITY);
                    self.glance(meter, &child.position, depth, window)?
                };
                scores.push(signed(value, max));
                if !meter.goes_on() {
                    return Err(meter.stopped());
                }
            }
        } else if self.judge.gives_scores() {
            self.judge.consider_all();
            self.judge.scores(&Line::root(position), moves, scores)?;
            if self.judge.is_foreign() {
                check_scores(scores)?;
            }
        } else {
            scores.extend(children.iter().map(|child| signed(child.value, max)));
        }
        if let Some(score) = first.and_then(|place| scores.get_mut(usize::from(place))) {
            *score = f64::INFINITY;
        }
        order.clear();
        order.extend(0..children.len() as u16);
        order.sort_by(|a, b| scores[usize::from(*b)].total_cmp(&scores[usize::from(*a)]));
        Ok(())
    }
}

/// The next value above: between the two there is nothing.
pub(super) fn above(value: f64) -> f64 {
    unrank(rank(value + 0.0) + 1)
}

/// Whether an entry answers for this window.
fn decides(entry: TableEntry, alpha: f64, beta: f64) -> bool {
    match entry.bound {
        Bound::Exact => true,
        Bound::AtLeast => entry.value >= beta,
        Bound::AtMost => entry.value <= alpha,
    }
}

impl<G: Game> Search for EndGame<G> {
    fn run(&mut self, budget: &Budget, control: &mut dyn Control) -> Result<(), Error> {
        self.prepare(budget)?;
        self.judge.shrink(evaluator_share(budget));
        let mut meter = Meter::start(budget, self.counts, control);
        let end = self.solve(&mut meter);
        self.counts = meter.finish();
        (self.status, self.limit) = ending(end)?;
        Ok(())
    }

    fn report(&self) -> Report {
        let line = if self.line.is_empty() { vec![self.best.0] } else { self.line.clone() };
        Report {
            status: self.status,
            limit: self.limit,
            best: line[0],
            value: self.best.1,
            won: self.won,
            line,
            counts: self.counts,
            bytes_per_node: None,
            iterations: Vec::new(),
        }
    }

    fn replies(
        &mut self,
        line: &[u32],
        budget: &Budget,
        control: &mut dyn Control,
    ) -> Result<Vec<u32>, Error> {
        let Some((won, goal)) = self.won.zip(self.goal) else { return Ok(Vec::new()) };
        let Some(position) = self.after(line)? else { return Ok(Vec::new()) };
        let max = self.game.max_to_move(&position);
        if max == won {
            // the side that the answer favours
            let value = if won { goal } else { self.below(goal) };
            let claim = Claim { at_least: won, value };
            return Ok(self.keeps(line, claim, budget, control)?.into_iter().collect());
        }
        let mut moves = Vec::new();
        self.game.moves(&position, &mut moves)?;
        Ok((0..moves.len() as u32).collect())
    }

    fn keeps(
        &mut self,
        line: &[u32],
        claim: Claim,
        budget: &Budget,
        control: &mut dyn Control,
    ) -> Result<Option<u32>, Error> {
        self.prepare(budget)?;
        let Some(position) = self.after(line)? else { return Ok(None) };
        let mut meter = Meter::start(budget, self.counts, control);
        let found = self.keeping(&mut meter, &position, 0, claim.value, None);
        self.counts = meter.finish();
        match found {
            Ok((_, place)) => Ok(place.map(u32::from)),
            Err(Halt::Failed(error)) => Err(*error),
            Err(_) => Ok(None),
        }
    }
}
