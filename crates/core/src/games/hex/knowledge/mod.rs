//! What can be known of a position without searching it: cells that do not matter, who is connected with what, which
//! moves are left to consider, and how promising each of them is.
//!
//! All of it is found together and kept by position, because it takes hundreds of microseconds: longer than
//! anything that a search does with it. Connections are found from those of an earlier position on the way.

#[cfg(test)]
mod tests;

use super::bits::Bits;
use super::board::{Board, Position, BLACK};
use super::connections::Connections;
use super::facts;
use super::inferior::{inferior, Inferior};
use super::network::Network;
use super::neural::Neural;
use super::Move;
use crate::mix::key_of;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::thread::{self, ThreadId};

/// What a search needs to know of a position that is not over.
#[derive(Debug)]
pub(super) struct Known {
    /// The colour that wins, if that is known.
    pub winner: Option<usize>,
    /// The moves to consider, best first. One, if the winner is known: a winning one, or one that resists.
    pub moves: Vec<Move>,
    /// How good each of them is, in comparison.
    pub scores: Vec<f32>,
    /// The static value, from Black's side.
    pub value: f64,
}

/// Everything that was found, from which that of a later position can be found.
#[derive(Debug)]
pub(super) struct State<const W: usize> {
    /// The stones of the position itself.
    placed: [Bits<W>; 2],
    pub inferior: Inferior<W>,
    pub connections: [Connections<W>; 2],
    /// The cells one of which the player to move must take.
    pub must_play: Option<Bits<W>>,
    /// The moves to consider if nobody is known to win.
    pub moves: Bits<W>,
    /// The colour that wins, if that is known.
    pub winner: Option<usize>,
}

/// A position by its key, and what is known of it.
type Remembered = Option<(u64, Arc<Known>)>;

/// The last state for each number of stones, on one thread.
type Path<const W: usize> = Vec<Option<State<W>>>;

/// Finds out about positions and remembers what it has found.
#[derive(Debug)]
pub(super) struct Knower<const W: usize> {
    board: Board<W>,
    /// What values moves and positions, if not the circuits.
    neural: Option<&'static Neural>,
    /// By key; a later position may take the place of an earlier one.
    table: Vec<Mutex<Remembered>>,
    paths: Mutex<HashMap<ThreadId, Path<W>>>,
}

/// How many positions are remembered, at the most.
const MOST_REMEMBERED: usize = 1 << 17;
/// The least score of a move.
const LEAST: f32 = 1e-6;

impl<const W: usize> Knower<W> {
    pub fn new(board: Board<W>, neural: Option<&'static Neural>) -> Knower<W> {
        let table = (0..MOST_REMEMBERED).map(|_| Mutex::new(None)).collect();
        Knower { board, neural, table, paths: Mutex::default() }
    }

    /// What is known of a position that is not over.
    pub fn known(&self, position: &Position<W>) -> Arc<Known> {
        let key = key_of(position.words());
        let place = &self.table[key as usize % MOST_REMEMBERED];
        if let Some((_, known)) = lock(place).as_ref().filter(|(owner, _)| *owner == key) {
            return Arc::clone(known);
        }
        let thread = thread::current().id();
        let mut path = lock(&self.paths).remove(&thread).unwrap_or_default();
        let stones = [0, 1].map(|colour| position.stones(colour));
        let ply = position.ply() as usize;
        path.resize_with(path.len().max(ply + 1), || None);
        let spare = path[ply].take();
        // the nearest position on the way here
        let before = path[..ply].iter().rev().flatten().find(|state| state.leads_to(stones));
        let state = State::new(&self.board, stones, position.mover(), before, spare);
        let known = Arc::new(state.summary(&self.board, position.mover(), self.neural));
        path[ply] = Some(state);
        lock(&self.paths).insert(thread, path);
        *lock(place) = Some((key, Arc::clone(&known)));
        known
    }

    /// What is known of a position that is not over, in full, as JSON.
    pub fn facts(&self, position: &Position<W>) -> String {
        let stones = [0, 1].map(|colour| position.stones(colour));
        let state = State::new(&self.board, stones, position.mover(), None, None);
        let known = state.summary(&self.board, position.mover(), None);
        let learnt = self.neural.map(|it| state.summary(&self.board, position.mover(), Some(it)));
        facts::write(&self.board, position, &state, &known, learnt.as_ref())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
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
        board: &Board<W>,
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

    /// The circuits of both colours.
    pub fn circuits(&self) -> [Network; 2] {
        self.connections.each_ref().map(Network::solve)
    }

    fn summary(&self, board: &Board<W>, mover: usize, neural: Option<&Neural>) -> Known {
        if let Some(winner) = self.winner {
            let cell = self.connections[winner].decisive(mover == winner);
            let moves = vec![cell.unwrap_or_else(|| self.last_step(board, winner)) as Move];
            let value = if winner == BLACK { 1.0 } else { -1.0 };
            return Known { winner: Some(winner), moves, scores: vec![1.0], value };
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
        let scored = self.moves.cells().map(|cell| (score(cell).max(LEAST), cell as Move));
        let mut scored: Vec<(f32, Move)> = scored.collect();
        scored.sort_by(|one, two| two.0.total_cmp(&one.0).then(one.1.cmp(&two.1)));
        let (scores, moves) = scored.into_iter().unzip();
        Known { winner: None, moves, scores, value }
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
