//! What can be known of a position without searching it: cells that do not matter, who is connected with what, which
//! moves are left to consider, and how promising each of them is.
//!
//! All of it is found together and remembered for a while, because it takes hundreds of microseconds: longer than
//! anything that a search does with it.

mod findings;
#[cfg(test)]
mod tests;

use super::bits::Bits;
use super::board::{Board, BLACK};
use super::connection_circuit::ConnectionCircuit;
use super::connections::Connections;
use super::facts;
use super::grounds;
use super::inferior::{inferior, Inferior};
use super::neural::Neural;
use super::Terrain;
use crate::evaluator::{Area, Grounds, Line};
use crate::fact::Fact;
use crate::games::hex::{HexMove, HexPosition};
use crate::mix::key_of;
use findings::{Findings, MOST_BYTES};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What a search needs to know of a position that is not over.
#[derive(Debug)]
pub struct Known {
    /// The colour that wins, if that is known.
    pub winner: Option<usize>,
    /// The moves to consider, best first. One, if the winner is known: a winning one, or one that resists.
    pub moves: Vec<HexMove>,
    /// How good each of them is, in comparison.
    pub scores: Vec<f32>,
    /// The static value, from Black's side.
    pub value: f64,
    /// What the result rests on, unless the board is too large.
    pub grounds: Option<Arc<Grounds>>,
}

/// Everything that was found, from which that of a later position can be found.
#[derive(Debug)]
pub(super) struct State<const W: usize> {
    /// The stones of the position itself.
    pub placed: [Bits<W>; 2],
    pub inferior: Inferior<W>,
    pub connections: [Connections<W>; 2],
    /// The cells one of which the player to move must take.
    pub must_play: Option<Bits<W>>,
    /// The moves to consider if nobody is known to win.
    pub moves: Bits<W>,
    /// The colour that wins, if that is known.
    pub winner: Option<usize>,
}

/// Finds out about the positions of one search, and remembers some of what it has found.
///
/// Connections take long to find from nothing, and less from those of an earlier position on the way: its *anchor*, the
/// last position of the line whose distance from the root is a multiple of [`STRIDE`]. So what is found depends on the
/// line alone, and not on what was asked before.
#[derive(Debug)]
pub struct Knower<const W: usize> {
    terrain: Arc<Terrain<W>>,
    /// What values moves and positions, if not the circuits.
    neural: Option<&'static Neural>,
    /// What all threads of a search share.
    findings: Arc<Mutex<Findings<W>>>,
    /// Memory that can be used again.
    spare: Option<State<W>>,
}

/// How far anchors are apart.
const STRIDE: usize = 3;
/// The least score of a move.
const LEAST: f32 = 1e-6;

/// What an evaluator asks of what is known, whatever the sets of cells that it is kept in.
pub trait Knows<const V: usize>: Send {
    /// What is known of the position at the end of a line.
    fn known(&mut self, line: &Line<HexPosition<V>>) -> Arc<Known>;
    /// What is known of a position, in full, by itself.
    fn facts(&self, position: &HexPosition<V>) -> Fact;
    /// Why a cell is not to be looked at, if it is not.
    fn reasons(&mut self, line: &Line<HexPosition<V>>) -> Reasons;
    /// Bytes of what is remembered.
    fn bytes(&self) -> usize;
    /// Remembers no more than so many bytes of anchors from now on.
    fn shrink(&mut self, bytes: usize);
    /// The same with nothing remembered.
    fn fresh(&self) -> Box<dyn Knows<V>>;
    /// One for another thread of the same search.
    fn fork(&self) -> Box<dyn Knows<V>>;
}

/// Why a cell is not to be looked at, if it is not.
pub type Reasons = Box<dyn Fn(usize) -> Option<&'static str>>;

/// What knows positions of `V` words on a board of this size. The cells of 8x8 need one word, and its positions two.
pub(super) fn knower<const V: usize>(
    size: usize,
    neural: Option<&'static Neural>,
) -> Box<dyn Knows<V>> {
    if size * size <= 64 {
        Box::new(Knower::<1>::new(&Board::new(size), neural))
    } else {
        Box::new(Knower::<V>::new(&Board::new(size), neural))
    }
}

/// The stones of both colours.
fn placed<const W: usize, const V: usize>(position: &HexPosition<V>) -> [Bits<W>; 2] {
    [0, 1].map(|colour| position.stones(colour).within())
}

/// What a line is known by: its positions in order.
fn key_of_line<const V: usize>(line: &Line<HexPosition<V>>) -> u64 {
    let above = line.above().map_or(0, |above| key_of_line(&above));
    key_of(std::iter::once(above).chain(line.position.words()))
}

impl<const W: usize> Knower<W> {
    pub(super) fn new(board: &Board<W>, neural: Option<&'static Neural>) -> Knower<W> {
        Knower::with(Arc::new(Terrain::new(board)), neural)
    }

    fn with(terrain: Arc<Terrain<W>>, neural: Option<&'static Neural>) -> Knower<W> {
        Knower { terrain, neural, findings: Arc::default(), spare: None }
    }

    /// Everything about the position at the end of a line, from its anchor.
    fn state<const V: usize>(&mut self, line: &Line<HexPosition<V>>) -> State<W> {
        let (plies, mover) = (line.plies(), line.position.mover());
        let stones = placed(line.position);
        let Some(mut anchor) = line.above() else {
            return State::new(&self.terrain, stones, mover, None, self.spare.take());
        };
        for _ in 0..(plies - 1) % STRIDE {
            anchor = anchor.above().unwrap_or(anchor);
        }
        let key = key_of_line(&anchor);
        let found = self.findings().anchor(key);
        let before = found.unwrap_or_else(|| {
            let state = Arc::new(self.state(&anchor));
            self.remember(key, state.clone());
            state
        });
        let before = Some(&*before).filter(|state| state.leads_to(stones));
        State::new(&self.terrain, stones, mover, before, self.spare.take())
    }

    fn findings(&self) -> MutexGuard<'_, Findings<W>> {
        // nobody panics while it changes them
        self.findings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps the state of an anchor; the memory of one that is forgotten for it can be used again.
    fn remember(&mut self, key: u64, state: Arc<State<W>>) {
        let forgotten = self.findings().keep_anchor(key, state);
        self.spare = forgotten.and_then(Arc::into_inner).or(self.spare.take());
    }
}

impl<const W: usize, const V: usize> Knows<V> for Knower<W> {
    fn known(&mut self, line: &Line<HexPosition<V>>) -> Arc<Known> {
        let key = key_of_line(line);
        if let Some(known) = self.findings().known(key) {
            return known;
        }
        let state = self.state(line);
        let mover = line.position.mover();
        let mut known = state.summary(&self.terrain.board, mover, self.neural);
        known.grounds = grounds::of(&self.terrain.board, &state, mover, &known.moves);
        let known = Arc::new(known);
        if line.plies() % STRIDE == 0 {
            self.remember(key, Arc::new(state));
        } else {
            self.spare = Some(state);
        }
        self.findings().keep_known(key, Arc::clone(&known));
        known
    }

    fn facts(&self, position: &HexPosition<V>) -> Fact {
        let (board, mover) = (&self.terrain.board, position.mover());
        let state = State::new(&self.terrain, placed(position), mover, None, None);
        let known = state.summary(board, mover, None);
        let learnt = self.neural.map(|neural| state.summary(board, mover, Some(neural)));
        facts::write(board, &state, &known, learnt.as_ref())
    }

    fn reasons(&mut self, line: &Line<HexPosition<V>>) -> Reasons {
        let state = self.state(line);
        let kept = state.summary(&self.terrain.board, line.position.mover(), None).moves;
        Box::new(move |cell| {
            if kept.contains(&(cell as HexMove)) {
                return None;
            }
            let kinds = facts::kinds(&state.inferior);
            let inferior = kinds.into_iter().find(|(set, _)| set.has(cell)).map(|(_, why)| why);
            let filled = state.inferior.filled.iter().any(|set| set.has(cell));
            let must = state.must_play.is_some_and(|must| !must.has(cell));
            Some(match inferior {
                Some(why) => why,
                None if filled => "filled in",
                None if must => "outside the mustplay",
                None => "the game is decided",
            })
        })
    }

    /// Its part of what all threads share, and what is its own.
    fn bytes(&self) -> usize {
        self.findings().bytes() / Arc::strong_count(&self.findings)
            + self.spare.as_ref().map_or(0, State::bytes)
    }

    fn shrink(&mut self, bytes: usize) {
        self.findings().shrink(bytes.min(MOST_BYTES) * Arc::strong_count(&self.findings));
        self.spare = None;
    }

    fn fresh(&self) -> Box<dyn Knows<V>> {
        Box::new(Knower::with(self.terrain.clone(), self.neural))
    }

    fn fork(&self) -> Box<dyn Knows<V>> {
        let mut fork = Knower::with(self.terrain.clone(), self.neural);
        fork.findings = self.findings.clone();
        Box::new(fork)
    }
}

impl Known {
    fn bytes(&self) -> usize {
        let grounds = self.grounds.as_ref().map_or(0, |grounds| {
            size_of::<Grounds>()
                + grounds.cells.len() * size_of::<u16>()
                + grounds.answers.len() * size_of::<(u16, Area)>()
        });
        size_of::<Known>() + self.moves.len() * (size_of::<HexMove>() + size_of::<f32>()) + grounds
    }
}

impl<const W: usize> State<W> {
    /// Whether a position has all stones of this one, and none where this one has filled in another colour.
    fn leads_to(&self, stones: [Bits<W>; 2]) -> bool {
        (0..2).all(|colour| {
            (self.placed[colour] & !stones[colour]).is_empty()
                && !self.inferior.filled[colour].meets(stones[1 - colour])
        })
    }

    /// What there is to know of a position, from what was known of one before it, in the place of what was known of
    /// some other.
    fn new(
        board: &Terrain<W>,
        placed: [Bits<W>; 2],
        mover: usize,
        before: Option<&State<W>>,
        spare: Option<State<W>>,
    ) -> State<W> {
        // what was filled in stays filled in: later stones change nothing about it
        let earlier = before.map_or([Bits::NONE; 2], |before| before.inferior.filled);
        let join = |one: [Bits<W>; 2], two: [Bits<W>; 2]| [one[0] | two[0], one[1] | two[1]];
        let mut inferior = inferior(board, join(placed, earlier), mover);
        inferior.filled = join(inferior.filled, earlier);
        let stones = join(placed, inferior.filled);
        let mut spare = spare.into_iter().flat_map(|state| state.connections);
        let connections = [0, 1].map(|colour| {
            let earlier = before
                .and_then(|state| state.connections[colour].after(board, stones, spare.next()));
            earlier.unwrap_or_else(|| Connections::new(board, stones, colour))
        });
        let must_play = connections[1 - mover].must_play();
        let empty = board.all & !(stones[0] | stones[1]);
        // if the mover has a winning move, then also one of these
        let moves = empty & must_play.unwrap_or(Bits::ALL) & !inferior.pruned;
        let winner = if connections[mover].joined() || connections[mover].winning_move().is_some() {
            Some(mover)
        } else if connections[1 - mover].joined() || moves.is_empty() {
            Some(1 - mover)
        } else {
            None
        };
        State { placed, inferior, connections, must_play, moves, winner }
    }

    /// Bytes of everything.
    fn bytes(&self) -> usize {
        let connections = self.connections.iter().map(Connections::bytes).sum::<usize>();
        // lists of so many sizes leave gaps between them: half as much again, as measured
        size_of::<State<W>>() + connections * 3 / 2
    }

    /// The circuits of both colours.
    pub fn circuits(&self) -> [ConnectionCircuit; 2] {
        self.connections.each_ref().map(ConnectionCircuit::solve)
    }

    fn summary(&self, board: &Board<W>, mover: usize, neural: Option<&Neural>) -> Known {
        if let Some(winner) = self.winner {
            let cell = self.connections[winner].decisive(mover == winner);
            let moves = vec![cell.unwrap_or_else(|| self.last_step(board, winner)) as HexMove];
            let value = if winner == BLACK { 1.0 } else { -1.0 };
            return Known { winner: Some(winner), moves, scores: vec![1.0], value, grounds: None };
        }
        match neural {
            Some(neural) => self.learnt(neural, board, mover),
            None => self.measured(),
        }
    }

    /// Moves and value by the circuits.
    fn measured(&self) -> Known {
        let [black, white] = self.circuits();
        let value = (black.current - white.current) / (black.current + white.current);
        let score = |cell: usize| black.through[cell] + white.through[cell];
        self.open(score, if value.is_finite() { value } else { 0.0 })
    }

    /// Moves by the network's policy; a value with the network's log odds.
    fn learnt(&self, neural: &Neural, board: &Board<W>, mover: usize) -> Known {
        let opinion = neural.opinion(board, self.placed, mover);
        let most = self.moves.cells().map(|cell| opinion.policy[cell]).fold(f32::MIN, f32::max);
        let value = (f64::from(opinion.value) / 2.0).tanh();
        let score = |cell: usize| (opinion.policy[cell] - most).exp();
        self.open(score, if mover == BLACK { value } else { -value })
    }

    /// What is known where nobody is known to win.
    fn open(&self, score: impl Fn(usize) -> f32, value: f64) -> Known {
        let scored = self.moves.cells().map(|cell| (score(cell).max(LEAST), cell as HexMove));
        let mut scored: Vec<(f32, HexMove)> = scored.collect();
        scored.sort_by(|one, two| two.0.total_cmp(&one.0).then(one.1.cmp(&two.1)));
        let (scores, moves) = scored.into_iter().unzip();
        Known { winner: None, moves, scores, value, grounds: None }
    }

    /// An empty cell where filled cells have decided the game: the last one of a shortest way along the winner's stones
    /// and what is filled for it, so that it comes to an end.
    fn last_step(&self, board: &Board<W>, winner: usize) -> usize {
        let [near, far] = board.edges[winner];
        let own = self.placed[winner];
        let mut reached = board.flood(near, own);
        loop {
            let next = (near | board.around(reached)) & self.inferior.filled[winner] & !reached;
            let ends = |cell: &usize| {
                let step = Bits::one(*cell);
                (step | board.flood(board.around(step), own)).meets(far)
            };
            if let Some(cell) = next.cells().find(ends) {
                return cell;
            }
            if next.is_empty() {
                let [black, white] = self.placed;
                return (board.all & !(black | white)).first().unwrap_or(0);
            }
            reached = reached | next | board.flood(board.around(next), own);
        }
    }
}
