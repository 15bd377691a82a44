//! The selective form: moves that look bad are searched less deep, a player who could even pass is ahead, and lines that
//! cannot matter end early. It plays better and proves as much: a win is still a line to the end of the game against
//! every reply, because whatever is cut short counts as a static value.
//!
//! Null windows after the first move: J. Pearl (1980). Passing: D. Beal (1989), C. Donninger (1993). Late moves less
//! deep: common to all strong chess programs since 2005.

use super::{legal, looked_at, AlphaBeta, Ply};
use crate::evaluator::{Game, Line};
use crate::game::middle;
use crate::search::budget::{Halt, Meter};
use crate::search::end_game::above;

/// What a ply may gain, in parts of the value range: a pawn and a half in chess.
const MARGIN: f64 = 150.0 / 40_000.0;
/// Moves that are searched to the full depth.
const EARLY: usize = 3;
/// How many kinds of moves the history tells apart.
const SLOTS: usize = 2048;

/// What the selective form remembers.
pub(super) struct Selection {
    /// How well moves of a kind have done: those that cut.
    history: Vec<u32>,
    /// The kind of the last move that cut, at each ply.
    killers: Vec<usize>,
    /// The ply at which somebody passed last.
    passed: usize,
    scores: Vec<(u64, u16)>,
}

impl Selection {
    pub fn new() -> Selection {
        Selection {
            history: vec![0; SLOTS],
            killers: Vec::new(),
            passed: usize::MAX,
            scores: Vec::new(),
        }
    }

    /// A move of this kind has cut.
    fn reward(&mut self, slot: usize, ply: usize, depth: u32) {
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, SLOTS);
        }
        self.killers[ply] = slot;
        self.history[slot] += depth * depth;
        if self.history[slot] > 1 << 20 {
            self.history.iter_mut().for_each(|score| *score /= 2);
        }
    }
}

impl<G: Game> AlphaBeta<G> {
    /// What a ply may gain at the most, as far as anybody expects.
    fn margin(&self) -> f64 {
        let (low, high) = self.game.value_range();
        MARGIN * (high - low)
    }

    /// The static value for the player to move, inside the ends of the range: those are for games that are over.
    fn static_value(&mut self, line: &Line<G::Position>, max: bool) -> Result<f64, Halt> {
        let (low, high) = self.game.value_range();
        let value = self.judge.value(line)?.max(above(low)).min(-above(-high));
        Ok(if max { value } else { -value })
    }

    /// Ends a line early if it cannot matter: the player to move is far ahead, or could even pass.
    #[allow(clippy::too_many_arguments)] // the window and the place of one node
    pub(super) fn cut_early(
        &mut self,
        meter: &mut Meter,
        line: &Line<G::Position>,
        depth: u32,
        ply: usize,
        max: bool,
        (alpha, beta): (f64, f64),
    ) -> Result<Option<f64>, Halt> {
        let (low, high) = self.game.value_range();
        let (low, high) = if max { (low, high) } else { (-high, -low) };
        let null = beta <= above(alpha);
        if ply == 0 || !null || beta >= high || beta <= low || self.game.is_urgent(line.position) {
            return Ok(None);
        }
        let value = self.static_value(line, max)?;
        if depth <= 3 && value - self.margin() * f64::from(depth) >= beta {
            self.horizon = true;
            return Ok(Some(value));
        }
        let after_a_pass = self.selection.passed.checked_add(1) == Some(ply);
        if depth < 3 || value < beta || after_a_pass {
            return Ok(None);
        }
        let Some(passed) = self.game.pass(line.position) else { return Ok(None) };
        if self.game.outcome(&passed)?.is_some() {
            return Ok(None); // the other player could not move
        }
        let before = std::mem::replace(&mut self.selection.passed, ply);
        let less = (3 + depth / 4).min(depth - 1);
        let below = line.then(&passed);
        let found = self.search(meter, &below, depth - less, ply + 1, -beta, -alpha);
        self.selection.passed = before;
        let value = -found?;
        self.horizon = true;
        self.lines[ply].clear();
        Ok((value >= beta).then_some(value.min(-above(-high))))
    }

    /// The order to look at the children: the table's move, then forcing moves as they come, then by what moves of their
    /// kind have done.
    fn arrange(
        &mut self,
        line: &Line<G::Position>,
        family: &Ply<G>,
        ply: usize,
        first: Option<u16>,
    ) -> Vec<u16> {
        let mut scores = std::mem::take(&mut self.selection.scores);
        scores.clear();
        let killer = self.selection.killers.get(ply).copied().unwrap_or(SLOTS);
        for (at, mv) in (0u16..).zip(&family.moves) {
            let slot = self.game.move_slot(line.position, mv) % SLOTS;
            let score = match () {
                () if Some(at) == first => u64::MAX,
                () if !self.game.is_quiet(line.position, mv) => (1 << 40) - u64::from(at),
                () if slot == killer => 1 << 30,
                () => u64::from(self.selection.history[slot]),
            };
            scores.push((score, at));
        }
        scores.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        let order = scores.iter().map(|(_, at)| *at).collect();
        self.selection.scores = scores;
        order
    }

    /// A node at least two plies from the horizon.
    #[allow(clippy::too_many_arguments)] // as for `inner`
    pub(super) fn inner_selectively(
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
        let outside = std::mem::take(&mut self.horizon);
        if let Some(value) = self.cut_early(meter, line, depth, ply, max, (alpha, beta))? {
            return Ok(value);
        }
        if let Some(value) = self.list_moves(meter, line, family, ply)? {
            self.horizon |= outside;
            return Ok(value);
        }
        family.children.clear();
        let middle = middle(self.game.value_range());
        self.game.successors(line.position, &family.moves, middle, &mut family.children)?;
        self.count_children(meter, family)?;
        let first = first.and_then(|first| looked_at(&family.places, first));
        let urgent = self.game.is_urgent(line.position);
        let window = (alpha, beta);
        let (mut best, mut best_place) = (f64::NEG_INFINITY, 0);
        for (index, place) in self.arrange(line, family, ply, first).into_iter().enumerate() {
            let (child, mv) =
                (&family.children[usize::from(place)], &family.moves[usize::from(place)]);
            self.lines[ply + 1].clear();
            let quiet = self.game.is_quiet(line.position, mv);
            let value = if child.terminal {
                if max {
                    child.value
                } else {
                    -child.value
                }
            } else {
                let attacks = self.game.is_urgent(&child.position);
                let further = u32::from(attacks && ply < 2 * self.next_depth as usize);
                let next = depth - 1 + further;
                let less = match quiet && !attacks && !urgent && depth >= 3 && index >= EARLY {
                    true => {
                        (1 + u32::from(index >= 3 * EARLY) + u32::from(depth >= 6)).min(next - 1)
                    }
                    false => 0,
                };
                let same = self.game.max_to_move(&child.position) == max;
                let below = line.then(&child.position);
                let mut look = |search: &mut Self, depth, alpha: f64, beta: f64| {
                    let (low, high) = if same { (alpha, beta) } else { (-beta, -alpha) };
                    let value = search.search(meter, &below, depth, ply + 1, low, high);
                    let value = value
                        .map_err(|halt| halt.after(|| search.game.move_name(line.position, mv)))?;
                    Ok::<f64, Halt>(if same { value } else { -value })
                };
                let narrow = if index == 0 { beta } else { beta.min(above(alpha)) };
                let mut value = look(self, next - less, alpha, narrow)?;
                if value > alpha && less > 0 {
                    value = look(self, next, alpha, narrow)?;
                }
                if value > alpha && value < beta && narrow < beta {
                    value = look(self, next, alpha, beta)?;
                }
                value
            };
            if value > best {
                (best, best_place) = (value, place);
                if value > alpha || ply == 0 {
                    self.lengthen(ply, legal(&family.places, place));
                }
            }
            alpha = alpha.max(best);
            if alpha >= beta {
                if quiet {
                    let slot = self.game.move_slot(line.position, mv) % SLOTS;
                    self.selection.reward(slot, ply, depth);
                }
                break;
            }
        }
        self.keep(key, depth, window, best, legal(&family.places, best_place));
        self.horizon |= outside;
        Ok(best)
    }

    /// The last ply: quiet moves of a player who is far behind are not looked at.
    pub(super) fn last_ply_selectively(
        &mut self,
        meter: &mut Meter,
        line: &Line<G::Position>,
        ply: usize,
        (alpha, beta): (f64, f64),
    ) -> Result<f64, Halt> {
        let max = self.game.max_to_move(line.position);
        if let Some(value) = self.cut_early(meter, line, 1, ply, max, (alpha, beta))? {
            return Ok(value);
        }
        let whole = ply == 0 || beta > above(alpha) || self.judge.is_foreign();
        if whole || self.game.is_urgent(line.position) {
            return self.last_ply_once(meter, line, ply, alpha, beta);
        }
        let value = self.static_value(line, max)?;
        if value + self.margin() > alpha {
            return self.last_ply_once(meter, line, ply, alpha, beta);
        }
        self.last_moves.clear();
        self.game.moves(line.position, &mut self.last_moves)?;
        let (game, position) = (&self.game, line.position);
        self.last_moves.retain(|mv| !game.is_quiet(position, mv));
        self.horizon = true;
        let mut best = value;
        let mut visited = 0;
        self.judge.visit(line, &self.last_moves, |child| {
            visited += 1;
            best = best.max(if max { child.value } else { -child.value });
            best < beta
        })?;
        meter.counts.nodes += visited;
        meter.counts.move_calls += visited;
        Ok(best)
    }
}
