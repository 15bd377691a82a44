//! The selective form: moves that look bad are searched less deep, a player who could even pass is ahead, and lines that
//! cannot matter end early. It plays better and proves as much: a win is still a line to the end of the game against
//! every reply, because whatever is cut short counts as a static value.
//!
//! Null windows after the first move: J. Pearl (1980). `pruning` has what is cut short, `memory` what moves have done
//! elsewhere. It has an order of its own: the table's move, forcing moves that seem to gain, quiet moves by what their
//! kind has done, forcing moves that seem to lose.

pub(super) mod memory;
pub(super) mod pruning;

use super::{legal, looked_at, AlphaBeta, Ply};
use crate::evaluator::{Game, Line};
use crate::game::{check_moves, middle, valid};
use crate::search::budget::{Halt, Meter};
use crate::search::end_game::above;
use crate::search::table::{Bound, TableEntry};
pub(super) use memory::OrderMemory;
use memory::{NO_MOVE, SLOTS};
use pruning::reduction;

/// Nodes this deep whose best move nobody knows are searched one ply less: the next iteration will know it.
pub(super) const UNKNOWN: u32 = 4;
/// The first window around the value of the last iteration, in hundredths of a pawn.
const ASPIRATION: f64 = 25.0;

/// A node of the search, from the side of the player to move.
pub(super) struct Visited {
    pub depth: u32,
    pub ply: usize,
    pub max: bool,
    pub alpha: f64,
    pub beta: f64,
    /// The least and the greatest value.
    pub low: f64,
    pub high: f64,
    /// Whether the player is under attack: then everything is looked at.
    pub urgent: bool,
    /// Whether the window is empty, so that only its side matters.
    pub narrow: bool,
    /// Whether the line may end here for a guess.
    pub cuttable: bool,
    /// The static value; NaN in urgent positions.
    pub value: f64,
    /// Whether that is more than two plies before.
    pub improving: bool,
}

impl Visited {
    /// A value from the table is better than a static one, if it is on the right side.
    fn learn(&mut self, entry: TableEntry) {
        let better = match entry.bound {
            Bound::Exact => true,
            Bound::AtLeast => entry.value > self.value,
            Bound::AtMost => entry.value < self.value,
        };
        if better && entry.value > self.low && entry.value < self.high {
            self.value = entry.value;
        }
    }
}

/// A move with what its order is made of.
#[derive(Clone, Copy)]
pub(super) struct Ranked {
    pub rank: f64,
    pub place: u16,
    pub slot: u16,
    /// What a forcing move promises.
    pub promise: Option<f64>,
}

impl<G: Game> AlphaBeta<G> {
    /// One iteration: a window around the last value, wider until the value lies in it.
    pub(super) fn aspire(
        &mut self,
        meter: &mut Meter,
        line: &Line<G::Position>,
        depth: u32,
        (alpha, beta): (f64, f64),
    ) -> Result<f64, Halt> {
        self.memory.unfinished.clear();
        self.memory.reach(self.families.len() + 1);
        let max = self.game.max_to_move(line.position);
        let last = self.iterations.last().filter(|_| depth > UNKNOWN);
        let last = last.map(|done| if max { done.value } else { -done.value });
        let mut reach = if self.modern { self.usual_change() } else { self.units(ASPIRATION) };
        let most = 40.0 * reach;
        let (mut low, mut high) = match last {
            Some(last) if reach.is_finite() && reach > 0.0 => {
                (alpha.max(last - reach), beta.min(last + reach))
            }
            _ => (alpha, beta),
        };
        loop {
            let value = self.search(meter, line, depth, 0, low, high)?;
            reach *= 4.0;
            if value <= low && low > alpha {
                low = if reach > most { alpha } else { alpha.max(value - reach) };
            } else if value >= high && high < beta {
                high = if reach > most { beta } else { beta.min(value + reach) };
            } else {
                return Ok(value);
            }
        }
    }

    /// A value for the player to move, inside the ends of the range: those are for games that are over.
    fn guess(&self, value: f64, max: bool) -> f64 {
        let (low, high) = self.game.value_range();
        let value = value.max(above(low)).min(-above(-high));
        if max {
            value
        } else {
            -value
        }
    }

    /// The static value at the horizon, for the player to move.
    fn quiet_value(
        &mut self,
        line: &Line<G::Position>,
        max: bool,
        (alpha, beta): (f64, f64),
    ) -> Result<f64, Halt> {
        self.horizon = true;
        let window = if max { (alpha, beta) } else { (-beta, -alpha) };
        let value = self.judge.value_within(line, window)?;
        Ok(self.guess(value, max))
    }

    /// What is to be known of a node before its moves.
    fn survey(
        &mut self,
        line: &Line<G::Position>,
        (depth, ply): (u32, usize),
        (alpha, beta): (f64, f64),
    ) -> Result<Visited, Halt> {
        let max = self.game.max_to_move(line.position);
        let (low, high) = self.game.value_range();
        let (low, high) = if max { (low, high) } else { (-high, -low) };
        let urgent = self.game.is_urgent(line.position);
        let narrow = beta <= above(alpha);
        let cuttable = ply > 0 && narrow && !urgent && beta < high && beta > low;
        let value = match urgent {
            true => f64::NAN,
            false => {
                let value = self.judge.glance(line)?;
                self.guess(value, max)
            }
        };
        let improving = self.memory.improves(ply, value);
        Ok(Visited {
            depth,
            ply,
            max,
            alpha,
            beta,
            low,
            high,
            urgent,
            narrow,
            cuttable,
            value,
            improving,
        })
    }

    /// Any node that is not at the horizon.
    pub(super) fn inner_selectively(
        &mut self,
        meter: &mut Meter,
        line: &Line<G::Position>,
        family: &mut Ply<G>,
        (depth, ply): (u32, usize),
        window: (f64, f64),
    ) -> Result<f64, Halt> {
        let key = if self.table.is_some() { self.game.key(line.position)? } else { None };
        let entry = match self.known(key, depth, ply, window.0, window.1) {
            Some(Ok(entry)) => return Ok(entry.value),
            entry => entry.and_then(Result::err),
        };
        let first = match ply {
            0 => self.line.first().map(|place| *place as u16),
            _ => entry.map(|entry| entry.best),
        };
        let outside = std::mem::take(&mut self.horizon);
        let mut node = self.survey(line, (depth, ply), window)?;
        if let Some(entry) = entry {
            node.learn(entry);
        }
        if let Some(value) = self.cut_early(meter, line, &node)? {
            return Ok(value);
        }
        if first.is_none() && depth >= UNKNOWN && ply > 0 {
            node.depth -= 1;
        }
        self.game.moves(line.position, &mut family.moves)?;
        self.judge.consider_unsorted(line, &mut family.moves)?;
        family.places.clear();
        family.places.extend_from_slice(self.judge.places());
        check_moves(family.moves.len())?;
        if let Some(value) = self.judge.decided(line)? {
            self.lines[ply].push(u32::from(legal(&family.places, 0)));
            self.horizon |= outside;
            return Ok(if node.max { value } else { -value });
        }
        let first = first.and_then(|first| looked_at(&family.places, first));
        let (value, place) = self.best_move(meter, line, family, &node, first)?;
        self.keep(key, node.depth, window, value, legal(&family.places, place));
        self.horizon |= outside;
        Ok(value)
    }

    /// Tries the moves one after another: the best value and its place.
    fn best_move(
        &mut self,
        meter: &mut Meter,
        line: &Line<G::Position>,
        family: &mut Ply<G>,
        node: &Visited,
        first: Option<u16>,
    ) -> Result<(f64, u16), Halt> {
        let ply = node.ply;
        let (mut best, mut best_place, mut alpha) = (f64::NEG_INFINITY, 0, node.alpha);
        family.tried.clear();
        family.ranked.clear();
        for index in 0..family.moves.len() {
            // where the table's move cuts, nobody asks for the others
            let ranked = match first {
                Some(place) if index == 0 => self.rank_move(line, family, ply, place),
                _ => {
                    if family.ranked.is_empty() {
                        self.rank_moves(line, family, ply, first);
                    }
                    family.pick(index)
                }
            };
            let mv = &family.moves[usize::from(ranked.place)];
            let (slot, quiet) = (usize::from(ranked.slot), ranked.promise.is_none());
            meter.afford(0, 1, 1)?;
            let child = self.game.play(line.position, mv)?;
            let attacks = self.game.is_urgent(&child);
            // a player who seems lost has to look at everything
            let hopeless = !attacks && best > node.low;
            if hopeless && self.is_hopeless(node, ranked.promise, family.tried.len()) {
                self.horizon = true;
                continue;
            }
            meter.counts.nodes += 1;
            meter.counts.move_calls += 1;
            meter.charge(1, 1);
            self.lines[ply + 1].clear();
            let value = match self.game.outcome(&child)? {
                Some(value) => {
                    let value = valid(value, true, self.game.value_range())?;
                    if node.max {
                        value
                    } else {
                        -value
                    }
                }
                None if self.game.recurs(&child) => {
                    self.horizon = true;
                    let draw = middle(self.game.value_range());
                    if node.max {
                        draw
                    } else {
                        -draw
                    }
                }
                None => {
                    let record = if quiet { self.memory.record(ply, slot) } else { 0.0 };
                    let less = if attacks { 0 } else { reduction(node, index, quiet, record) };
                    let sound = ranked.promise.is_none_or(|promise| promise >= 0.0);
                    let further = attacks && sound && ply < 2 * self.next_depth as usize;
                    let depth = node.depth - 1 + u32::from(further);
                    self.memory.make(ply, slot);
                    let below = line.then(&child);
                    let window = (alpha, node.beta);
                    self.look(meter, &below, node, index == 0, (depth, less), window)
                        .map_err(|halt| halt.after(|| self.game.move_name(line.position, mv)))?
                }
            };
            if value > best {
                (best, best_place) = (value, ranked.place);
                if value > alpha || ply == 0 {
                    self.lengthen(ply, legal(&family.places, ranked.place));
                }
                if value > alpha && ply == 0 {
                    self.memory.unfinished.clone_from(&self.lines[0]);
                }
            }
            alpha = alpha.max(best);
            if alpha >= node.beta {
                if quiet {
                    self.memory.reward(ply, node.depth, slot, &family.tried);
                }
                break;
            }
            if quiet {
                family.tried.push(slot);
            }
        }
        Ok((best, best_place))
    }

    /// The value of a child for the player at the node: with an empty window unless it is the first, and less deep at
    /// first if it comes late.
    pub(super) fn look(
        &mut self,
        meter: &mut Meter,
        line: &Line<G::Position>,
        node: &Visited,
        first: bool,
        (depth, less): (u32, u32),
        (alpha, beta): (f64, f64),
    ) -> Result<f64, Halt> {
        let max = self.game.max_to_move(line.position);
        let same = max == node.max;
        let mut search = |depth: u32, alpha: f64, beta: f64| {
            let (low, high) = if same { (alpha, beta) } else { (-beta, -alpha) };
            let value = match depth {
                0 => self.quiet_value(line, max, (low, high))?,
                _ => self.search(meter, line, depth, node.ply + 1, low, high)?,
            };
            Ok::<f64, Halt>(if same { value } else { -value })
        };
        let narrow = if first { beta } else { beta.min(above(alpha)) };
        let less = less.min(depth.saturating_sub(1));
        let mut value = search(depth - less, alpha, narrow)?;
        if value > alpha && less > 0 {
            value = search(depth, alpha, narrow)?;
        }
        if value > alpha && value < beta && narrow < beta {
            value = search(depth, alpha, beta)?;
        }
        Ok(value)
    }

    /// What the place of a move in the order is made of.
    fn rank_move(
        &self,
        line: &Line<G::Position>,
        family: &Ply<G>,
        ply: usize,
        place: u16,
    ) -> Ranked {
        let mv = &family.moves[usize::from(place)];
        // elsewhere this form tells no moves apart: the modern one does
        let told = self.game.has_margins();
        let slot = if told { self.game.move_slot(line.position, mv) % SLOTS } else { 0 };
        let promise = self.judge.promise(line.position, mv);
        let rank = match promise {
            Some(promise) if promise >= 0.0 => 1e6 + promise,
            Some(promise) => -1e6 + promise,
            None => f64::from(self.memory.merit(ply, slot)),
        };
        Ranked { rank, place, slot: slot as u16, promise }
    }

    /// The same of all moves; the table's is the first.
    fn rank_moves(
        &self,
        line: &Line<G::Position>,
        family: &mut Ply<G>,
        ply: usize,
        first: Option<u16>,
    ) {
        for place in 0..family.moves.len() as u16 {
            let mut ranked = self.rank_move(line, family, ply, place);
            if Some(place) == first {
                ranked.rank = f64::INFINITY;
            }
            family.ranked.push(ranked);
        }
        if first.is_some() {
            family.pick(0);
        }
    }
}

impl<G: Game> Ply<G> {
    /// The next move in order, which then stands at its place. Most nodes need only the first, so nothing is sorted.
    #[inline]
    pub(super) fn pick(&mut self, index: usize) -> Ranked {
        let mut next = index;
        for at in index + 1..self.ranked.len() {
            if self.ranked[at].rank > self.ranked[next].rank {
                next = at;
            }
        }
        self.ranked[index..=next].rotate_right(1);
        self.ranked[index]
    }
}
