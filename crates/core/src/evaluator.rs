//! Room two, the evaluator: what a position is worth, how its moves rank, which moves need not be looked at, and who has
//! won although the game goes on.
//!
//! An evaluator belongs to one search, or to one player's game, and may remember what it has found. It never changes what
//! is legal. Of everything that it leaves out or decides it says whether that is proven (*sound*) or a guess: proofs
//! rest on rules and on sound evaluators only. What it says of a position depends on the position, and on the line from
//! the search's root to it, and on nothing that was searched before.

use crate::error::Error;
use crate::fact::Fact;
use crate::game::{Child, Notation, Rules, Shortcuts};
use crate::params::{Info, Params};
use crate::scores::{self, Units};
use std::sync::Arc;

/// Index of a node of a tree; the root is 0.
pub type NodeId = u32;

/// A position and those before it, back to the root of the search.
#[derive(Debug)]
pub struct Line<'a, P> {
    /// The position at the end.
    pub position: &'a P,
    above: Above<'a, P>,
}

impl<P> Clone for Line<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for Line<'_, P> {}

#[derive(Debug)]
enum Above<'a, P> {
    Root,
    /// One move more than another line.
    Line(&'a Line<'a, P>),
    /// Positions of nodes, and the nodes from the root to the last position's.
    Path(&'a [P], &'a [NodeId]),
}

impl<P> Clone for Above<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for Above<'_, P> {}

impl<'a, P> Line<'a, P> {
    /// A line without moves.
    #[inline]
    pub fn root(position: &'a P) -> Line<'a, P> {
        Line { position, above: Above::Root }
    }

    /// The line along a path of nodes, which has a root, with these positions.
    #[inline]
    pub fn along(positions: &'a [P], path: &'a [NodeId]) -> Line<'a, P> {
        let (last, above) = (path[path.len() - 1], &path[..path.len() - 1]);
        Line { position: &positions[last as usize], above: Above::Path(positions, above) }
    }

    /// The same with one move more.
    #[inline]
    pub fn then(&'a self, position: &'a P) -> Line<'a, P> {
        Line { position, above: Above::Line(self) }
    }

    /// The line without its last move, if it has any.
    pub fn above(&self) -> Option<Line<'a, P>> {
        match self.above {
            Above::Root => None,
            Above::Line(line) => Some(*line),
            Above::Path(positions, path) => {
                (!path.is_empty()).then(|| Line::along(positions, path))
            }
        }
    }

    /// How many moves it has.
    pub fn plies(&self) -> usize {
        match self.above {
            Above::Root => 0,
            Above::Line(line) => line.plies() + 1,
            Above::Path(_, path) => path.len(),
        }
    }
}

/// What an evaluator may say of a position beyond its value (McAllester 1988, Section 10): how far the value
/// can go up and down with 0, 1, 2, ... conspirators; with more than the lists have, without limit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LeafBounds {
    /// Begins with the value and does not fall.
    pub upper: Vec<f64>,
    /// Begins with the value and does not rise.
    pub lower: Vec<f64>,
}

impl LeafBounds {
    /// Whether the lists are what they should be for a position of this value.
    pub fn check(&self, value: f64) -> Result<(), Error> {
        let bad = |what: &str, list: &[f64]| {
            Err(Error::Game(format!("{what} of a position of value {value} cannot be {list:?}")))
        };
        let wrong = |list: &[f64], falls: fn(&f64, &f64) -> bool| {
            list.first() != Some(&value)
                || list.iter().any(|entry| entry.is_nan())
                || list.windows(2).any(|pair| falls(&pair[0], &pair[1]))
        };
        if wrong(&self.upper, |a, b| a > b) {
            return bad("upper bounds (they begin with the value and do not fall)", &self.upper);
        }
        if wrong(&self.lower, |a, b| a < b) {
            return bad("lower bounds (they begin with the value and do not rise)", &self.lower);
        }
        Ok(())
    }
}

/// Which moves are to be looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Candidates {
    /// All, in the game's order.
    All,
    /// Those that were listed, in that order.
    Listed,
}

/// A move that is left out, by its place among the legal moves, and why.
pub type LeftOut = (u16, &'static str);

/// Some cells of a board of at most [`AREA_CELLS`].
pub type Area = u128;

/// The largest board whose cells make an [`Area`].
pub const AREA_CELLS: usize = 94;

/// What a result rests on, in a game of cells where a stone too many never hurts its owner.
///
/// The *area* of a result is a set of empty cells that is enough for the winner: he wins although all other empty cells
/// are given to his opponent. A result with the same area holds after every other move of the opponent's outside it.
#[derive(Clone, Debug, Default)]
pub struct Grounds {
    /// The cells of the candidates, in order.
    pub cells: Vec<u16>,
    /// If the result is known: its area.
    pub decided: Option<Area>,
    /// If the player to move loses: what the winner captures anyway, as far as it is empty.
    pub captured: Area,
    /// What the winner can do without if he has that.
    pub spare: Area,
    /// Moves that are left out because of threats.
    pub outside: Area,
    /// The cells of these threats.
    pub threats: Area,
    /// Moves that are left out because of an answer, and the cells that this answer needs.
    pub answers: Vec<(u16, Area)>,
}

impl Grounds {
    /// The area of a loss of the player to move, from areas of losses by his moves: all of their cells, and those that
    /// are in each of them. A move elsewhere is met by one of them.
    pub fn of_loss(&self, all: Area, each: Area) -> Area {
        let mut area = all | self.captured;
        loop {
            let unmet = each & area & !(self.captured | self.spare);
            let threats = if unmet & self.outside == 0 { 0 } else { self.threats };
            let met = self.answers.iter().filter(|(cell, _)| unmet >> cell & 1 == 1);
            let more = met.fold(area | threats, |area, (_, needed)| area | needed);
            if more == area {
                break;
            }
            area = more;
        }
        area &= !self.spare;
        let enough = each & all == 0 && all.count_ones() < area.count_ones();
        if enough {
            all
        } else {
            area
        }
    }
}

/// Asked now and then in the course of long work: whether to go on.
pub type Watch<'a> = &'a mut dyn FnMut() -> bool;

/// What is known of a game's positions. `line.position` is never over.
pub trait Evaluator<G: Rules>: Send {
    /// Whether it ever leaves moves out, puts them in another order, or decides games: see [`Evaluator::candidates`] and
    /// [`Evaluator::decided`], which are not asked otherwise.
    const NARROWS: bool = false;

    /// Static value of a position, from Max's side; always finite.
    fn value(&mut self, game: &G, line: &Line<G::Position>) -> Result<f64, Error>;

    /// Static value at a glance, from Max's side: without a search of its own. A selective search decides by it what
    /// need not be looked at.
    fn glance(&mut self, game: &G, line: &Line<G::Position>) -> Result<f64, Error> {
        self.value(game, line)
    }

    /// Static value where it lies in the open window, from Max's side; elsewhere a bound on the same side of the window
    /// is enough.
    fn value_within(
        &mut self,
        game: &G,
        line: &Line<G::Position>,
        window: (f64, f64),
    ) -> Result<f64, Error> {
        let _ = window;
        self.value(game, line)
    }

    /// What a forcing move, such as a capture, promises to the player who makes it, in the unit of values: less than 0
    /// if it seems to lose. `None`: the move is quiet.
    fn promise(&self, game: &G, position: &G::Position, mv: &G::Move) -> Option<f64> {
        let _ = (game, position, mv);
        None
    }

    /// Plays the moves in order and shows what each leads to, with its value, until `visit` says no.
    ///
    /// Overridden where a whole family is cheaper than the sum of its members; what is shown must be the same.
    fn visit(
        &mut self,
        game: &G,
        line: &Line<G::Position>,
        moves: &[G::Move],
        mut visit: impl FnMut(Child<G::Position>) -> bool,
    ) -> Result<(), Error> {
        for mv in moves {
            let position = game.play(line.position, mv)?;
            let outcome = game.outcome(&position)?;
            let value = match outcome {
                Some(value) => value,
                None => self.value(game, &line.then(&position))?,
            };
            if !visit(Child { position, value, terminal: outcome.is_some() }) {
                break;
            }
        }
        Ok(())
    }

    /// All of them at once: the work of one expansion. If `watch` says no, what there is so far will do.
    fn children(
        &mut self,
        game: &G,
        line: &Line<G::Position>,
        moves: &[G::Move],
        watch: Watch,
        children: &mut Vec<Child<G::Position>>,
    ) -> Result<(), Error> {
        self.visit(game, line, moves, |child| {
            children.push(child);
            watch()
        })
    }

    /// The best value that the player to move can reach by one of these moves, and whether it wins at once, by the
    /// greatest margin there is.
    fn best_successor(
        &mut self,
        game: &G,
        line: &Line<G::Position>,
        moves: &[G::Move],
        watch: Watch,
    ) -> Result<(f64, bool), Error> {
        let (low, high) = game.value_range();
        let max = game.max_to_move(line.position);
        let (mut best, end) = if max { (f64::NEG_INFINITY, high) } else { (f64::INFINITY, low) };
        let mut won = false;
        self.visit(game, line, moves, |next| {
            let better = if max { next.value > best } else { next.value < best };
            best = if better { next.value } else { best };
            won = next.terminal && next.value == end;
            !won && watch()
        })?;
        Ok((best, won))
    }

    /// Lists the places of the moves that are to be looked at, unless it is all of them in their order.
    fn candidates(
        &mut self,
        game: &G,
        line: &Line<G::Position>,
        moves: &[G::Move],
        places: &mut Vec<u16>,
    ) -> Result<Candidates, Error> {
        let _ = (game, line, moves, places);
        Ok(Candidates::All)
    }

    /// Why the other moves are left out.
    fn left_out(
        &mut self,
        game: &G,
        line: &Line<G::Position>,
        moves: &[G::Move],
    ) -> Result<Vec<LeftOut>, Error> {
        let _ = (game, line, moves);
        Ok(Vec::new())
    }

    /// The value of the game with best play, where it is known although the game goes on.
    fn decided(&mut self, game: &G, line: &Line<G::Position>) -> Result<Option<f64>, Error> {
        let _ = (game, line);
        Ok(None)
    }

    /// What the result of a position rests on, if the evaluator knows that of all candidates and of all other moves.
    fn grounds(
        &mut self,
        game: &G,
        line: &Line<G::Position>,
    ) -> Result<Option<Arc<Grounds>>, Error> {
        let _ = (game, line);
        Ok(None)
    }

    /// Whether moves that are left out cannot be better than all others, and games that are decided are.
    fn is_sound(&self) -> bool {
        true
    }

    /// Whether candidates are given with the most promising first.
    fn best_first(&self) -> bool {
        false
    }

    /// Whether there is a local heuristic: [`Evaluator::scores`].
    fn gives_scores(&self) -> bool {
        false
    }

    /// Appends a positive score for each of the moves: how good it is, for the player who makes it, in
    /// comparison with the others.
    fn scores(
        &mut self,
        game: &G,
        line: &Line<G::Position>,
        moves: &[G::Move],
        scores: &mut Vec<f64>,
    ) -> Result<(), Error> {
        let _ = (game, line, moves, scores);
        Ok(())
    }

    /// Appends how good each of the moves looks to the player who makes it: by its score, or else by the value of what it
    /// leads to.
    fn ranks(
        &mut self,
        game: &G,
        line: &Line<G::Position>,
        moves: &[G::Move],
        ranks: &mut Vec<f64>,
    ) -> Result<(), Error> {
        if self.gives_scores() {
            return self.scores(game, line, moves, ranks);
        }
        let sign = if game.max_to_move(line.position) { 1.0 } else { -1.0 };
        self.visit(game, line, moves, |child| {
            ranks.push(sign * child.value);
            true
        })
    }

    /// Appends the relative error of each of the moves, which lead to these children: from the scores, or from
    /// the children's values if there are none.
    fn errors(
        &mut self,
        game: &G,
        line: &Line<G::Position>,
        moves: &[G::Move],
        children: &[Child<G::Position>],
        errors: &mut Vec<Units>,
    ) -> Result<(), Error> {
        if !self.gives_scores() {
            let max = game.max_to_move(line.position);
            let values = children.iter().map(|child| child.value);
            scores::of_values(values, max, game.value_range(), errors);
            return Ok(());
        }
        let mut scores = Vec::with_capacity(moves.len());
        self.scores(game, line, moves, &mut scores)?;
        if scores.len() != moves.len() {
            let (scores, moves) = (scores.len(), moves.len());
            return Err(Error::Game(format!("{scores} scores for {moves} moves")));
        }
        scores::of_scores(&scores, errors)
    }

    /// Whether [`Evaluator::bounds`] is worth asking.
    fn gives_bounds(&self) -> bool {
        false
    }

    /// What is known beyond the value of a position.
    fn bounds(&mut self, game: &G, line: &Line<G::Position>) -> Result<Option<LeafBounds>, Error> {
        let _ = (game, line);
        Ok(None)
    }

    /// What the player to move gains by a move on average, as far as the static value does not know it: 0 if it is
    /// as good an estimate for that player as for the other.
    fn tempo(&self, game: &G, position: &G::Position) -> f64 {
        let _ = (game, position);
        0.0
    }

    /// All that is known of a position, for people to look at.
    fn facts(&mut self, game: &G, line: &Line<G::Position>) -> Result<Option<Fact>, Error> {
        let _ = (game, line);
        Ok(None)
    }

    /// Bytes of what is remembered.
    fn bytes(&self) -> usize {
        0
    }

    /// Forgets what can be found again, and remembers no more than this many bytes from now on, if that is possible.
    fn shrink(&mut self, bytes: usize) {
        let _ = bytes;
    }

    /// The same evaluator with nothing remembered, for another search.
    fn fresh(&self) -> Self
    where
        Self: Sized;

    /// One for another thread of the same search: they may share what they remember.
    fn fork(&self) -> Self
    where
        Self: Sized,
    {
        self.fresh()
    }
}

/// A game with its rules, its notation, and at least one evaluator of its own.
pub trait Game: Shortcuts + Notation + Sized {
    /// What all evaluators of the game are made of: which one it is, it knows itself.
    type Evaluator: Evaluator<Self>;

    /// The game's evaluators; the first is the usual one.
    const EVALUATORS: &'static [Info];

    /// One of them, by its name, with parameters that have been checked against its entry.
    fn evaluator(&self, name: &str, params: &Params) -> Result<Self::Evaluator, Error>;
}
