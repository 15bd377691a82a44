//! The one interface between games and searches.
//!
//! A game is a stateless description of rules; positions are plain values. Searches see nothing but
//! this trait, and a game never sees a tree. All values are from Max's side: Max is the player who
//! moves first in the game's usual start position.

use crate::error::Error;
use crate::scores::{self, Units};

/// The position after one move, with everything a new leaf needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Child<P> {
    /// The position itself.
    pub position: P,
    /// Static value from Max's side; the exact result if `terminal`.
    pub value: f64,
    /// Whether the game is over here.
    pub terminal: bool,
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

/// Rules, notation and evaluation of a two-player zero-sum game with perfect information.
///
/// `moves`, `play`, `max_to_move`, `outcome` and `evaluate` make a game; the other methods have
/// defaults. An error can only come from a game that runs foreign code (a game written in Python):
/// the native games never return one from these methods.
pub trait Game: Send + Sync {
    /// A position; small and cheap to copy, because a search keeps one per node.
    type Position: Clone + Send + Sync + 'static;
    /// A move, meaningful only together with the position it is made in.
    type Move: Clone + Send + Sync;

    /// Whether values come from code that is not tested here, and so have to be checked.
    const FOREIGN: bool = false;

    /// The usual start position.
    fn start(&self) -> Result<Self::Position, Error>;

    /// Whether Max, the player who wants high values, is to move.
    fn max_to_move(&self, position: &Self::Position) -> bool;

    /// Appends the legal moves in the game's own fixed order; none if the game is over.
    fn moves(&self, position: &Self::Position, moves: &mut Vec<Self::Move>) -> Result<(), Error>;

    /// The position after a legal move.
    fn play(&self, position: &Self::Position, mv: &Self::Move) -> Result<Self::Position, Error>;

    /// `None` while the game goes on, else its exact value from Max's side.
    fn outcome(&self, position: &Self::Position) -> Result<Option<f64>, Error>;

    /// Static value of a position that is not over, from Max's side; always finite.
    fn evaluate(&self, position: &Self::Position) -> Result<f64, Error>;

    /// Makes all legal moves in order and shows what each leads to, and nothing more: no values, no list of moves.
    ///
    /// Games override it where making a move is cheaper together with finding it.
    fn each_successor(
        &self,
        position: &Self::Position,
        mut show: impl FnMut(&Self::Position) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if self.outcome(position)?.is_some() {
            return Ok(());
        }
        let mut moves = Vec::new();
        self.moves(position, &mut moves)?;
        moves.iter().try_for_each(|mv| show(&self.play(position, mv)?))
    }

    /// Plays the moves in order and shows what each leads to, with its value, until `visit` says no.
    ///
    /// Games override it where a whole family is cheaper than the sum of its members; what they show
    /// must be the same as what this default shows.
    fn visit(
        &self,
        position: &Self::Position,
        moves: &[Self::Move],
        mut visit: impl FnMut(Child<Self::Position>) -> bool,
    ) -> Result<(), Error> {
        for mv in moves {
            let position = self.play(position, mv)?;
            let outcome = self.outcome(&position)?;
            let value = match outcome {
                Some(value) => value,
                None => self.evaluate(&position)?,
            };
            if !visit(Child { position, value, terminal: outcome.is_some() }) {
                break;
            }
        }
        Ok(())
    }

    /// All of them at once: the work of one expansion. Games that evaluate in batches override it.
    fn children(
        &self,
        position: &Self::Position,
        moves: &[Self::Move],
        children: &mut Vec<Child<Self::Position>>,
    ) -> Result<(), Error> {
        self.visit(position, moves, |child| {
            children.push(child);
            true
        })
    }

    /// All of them, with no other value than the results of finished games: the work of one expansion for a
    /// search that never looks at static values. Open positions get the value `unknown`.
    fn successors(
        &self,
        position: &Self::Position,
        moves: &[Self::Move],
        unknown: f64,
        children: &mut Vec<Child<Self::Position>>,
    ) -> Result<(), Error> {
        for mv in moves {
            let position = self.play(position, mv)?;
            let outcome = self.outcome(&position)?;
            let value = outcome.unwrap_or(unknown);
            children.push(Child { position, value, terminal: outcome.is_some() });
        }
        Ok(())
    }

    /// The best value that the player to move can reach by one of these moves, and whether it wins at once, by the
    /// greatest margin there is.
    fn best_successor(
        &self,
        position: &Self::Position,
        moves: &[Self::Move],
    ) -> Result<(f64, bool), Error> {
        let (low, high) = self.value_range();
        let max = self.max_to_move(position);
        let (mut best, end) = if max { (f64::NEG_INFINITY, high) } else { (f64::INFINITY, low) };
        let mut won = false;
        self.visit(position, moves, |next| {
            let better = if max { next.value > best } else { next.value < best };
            best = if better { next.value } else { best };
            won = next.terminal && next.value == end;
            !won
        })?;
        Ok((best, won))
    }

    /// Looks one move further: a child whose player wins at once, by the greatest margin there is, gets that result
    /// as if the game were over.
    fn foresee(
        &self,
        position: &Self::Position,
        moves: &[Self::Move],
        children: &mut [Child<Self::Position>],
    ) -> Result<(), Error> {
        let _ = (position, moves);
        let (low, high) = self.value_range();
        let mut replies = Vec::new();
        for child in children.iter_mut().filter(|child| !child.terminal) {
            let best = if self.max_to_move(&child.position) { high } else { low };
            replies.clear();
            self.moves(&child.position, &mut replies)?;
            for reply in &replies {
                if self.outcome(&self.play(&child.position, reply)?)? == Some(best) {
                    (child.value, child.terminal) = (best, true);
                    break;
                }
            }
        }
        Ok(())
    }

    /// The least and the greatest value that any position can have.
    ///
    /// A proven child at the mover's end of this range proves its parent, whatever its siblings
    /// are worth. Games without such values keep the default.
    fn value_range(&self) -> (f64, f64) {
        (f64::NEG_INFINITY, f64::INFINITY)
    }

    /// All results that a finished game can have, in rising order, if they are few and known. A proof that leaves
    /// only one of them gives the exact value.
    fn results(&self) -> Option<Vec<f64>> {
        None
    }

    /// At most how many moves can still be made, passes apart, if that is known.
    fn moves_left(&self, position: &Self::Position) -> Option<u32> {
        let _ = position;
        None
    }

    /// Between which values the game is bound to end, from Max's side, as far as a glance tells.
    fn result_bounds(&self, position: &Self::Position) -> (f64, f64) {
        let _ = position;
        self.value_range()
    }

    /// The result with best play from a position that is not over, from Max's side, where the game has means of its
    /// own to find it: near the end. It is exact if it lies in the open window, else a bound; the positions that
    /// were looked at are added to `nodes`.
    fn settle(
        &self,
        position: &Self::Position,
        window: (f64, f64),
        nodes: &mut u64,
    ) -> Option<f64> {
        let _ = (position, window, nodes);
        None
    }

    /// What the game knows of a position that is not over, for people to look at, as JSON.
    fn facts(&self, position: &Self::Position) -> Option<String> {
        let _ = position;
        None
    }

    /// The result of one random game from a position that is not over, where the game has a faster way to it than move
    /// by move; `random` is the state of the random numbers.
    fn play_at_random(&self, position: &Self::Position, random: &mut u64) -> Option<f64> {
        let _ = (position, random);
        None
    }

    /// Whether [`Game::bounds`] is worth asking.
    fn gives_bounds(&self) -> bool {
        false
    }

    /// What the evaluator knows beyond the value of a position that is not over.
    fn bounds(&self, position: &Self::Position) -> Option<LeafBounds> {
        let _ = position;
        None
    }

    /// Whether moves are given with the most promising first.
    fn best_first(&self) -> bool {
        false
    }

    /// Whether the game has a local heuristic: [`Game::move_scores`].
    fn gives_scores(&self) -> bool {
        false
    }

    /// Appends a positive score for each of the moves: how good it is, for the player who makes it, in
    /// comparison with the others.
    fn move_scores(
        &self,
        position: &Self::Position,
        moves: &[Self::Move],
        scores: &mut Vec<f64>,
    ) -> Result<(), Error> {
        let _ = (position, moves, scores);
        Ok(())
    }

    /// Appends the relative error of each of the moves, which lead to these children: from the scores, or from
    /// the children's values if there are none.
    fn relative_errors(
        &self,
        position: &Self::Position,
        moves: &[Self::Move],
        children: &[Child<Self::Position>],
        errors: &mut Vec<Units>,
    ) -> Result<(), Error> {
        if self.gives_scores() {
            let mut scores = Vec::with_capacity(moves.len());
            self.move_scores(position, moves, &mut scores)?;
            if scores.len() != moves.len() {
                let (scores, moves) = (scores.len(), moves.len());
                return Err(Error::Game(format!("{scores} scores for {moves} moves")));
            }
            return scores::of_scores(&scores, errors);
        }
        scores::of_values(children, self.max_to_move(position), self.value_range(), errors);
        Ok(())
    }

    /// What the player to move gains by a move on average, as far as the static value does not know it: 0 if it is
    /// as good an estimate for him as for the other.
    fn tempo(&self, position: &Self::Position) -> f64 {
        let _ = position;
        0.0
    }

    /// A key that is equal for equal positions (same stones, same player to move) and, for all
    /// practical purposes, only for them. `None`: the game has no transpositions worth a table.
    fn key(&self, position: &Self::Position) -> Result<Option<u64>, Error> {
        let _ = position;
        Ok(None)
    }

    /// Whether a position can come back in the course of a game. Then a search that knows positions by their keys
    /// looks out for it, and takes a repetition for a draw.
    fn repeats(&self) -> bool {
        false
    }

    /// The position as it is when the game goes on there: itself unless the game is over. Where a player could claim a
    /// draw, and nobody does, the same position without its end; `None` where the game is over for good.
    fn play_on(&self, position: &Self::Position) -> Result<Option<Self::Position>, Error> {
        Ok(self.outcome(position)?.is_none().then(|| position.clone()))
    }

    /// The same position with the players' roles exchanged, where the game has that symmetry: its
    /// value is the other one mirrored in the middle of the value range.
    fn swapped(&self, position: &Self::Position) -> Option<Self::Position> {
        let _ = position;
        None
    }

    /// The move in the game's usual notation.
    fn move_name(&self, position: &Self::Position, mv: &Self::Move) -> String;

    /// The move as people write it, where that is not its name.
    fn move_text(&self, position: &Self::Position, mv: &Self::Move) -> String {
        self.move_name(position, mv)
    }

    /// The place of the one move that a text means, where moves can be written in other ways than by their names.
    fn find_move(
        &self,
        position: &Self::Position,
        moves: &[Self::Move],
        text: &str,
    ) -> Option<usize> {
        let _ = (position, moves, text);
        None
    }

    /// Reads a position in the game's usual notation.
    fn parse(&self, notation: &str) -> Result<Self::Position, Error>;

    /// The position in the notation that [`Game::parse`] reads.
    fn notation(&self, position: &Self::Position) -> String;

    /// A picture of the position for people: one line a row.
    fn picture(&self, position: &Self::Position) -> String {
        self.notation(position)
    }
}

/// The middle of a range of values: a draw, and what an open position is worth to a search that asks for no static
/// values.
pub(crate) fn middle((low, high): (f64, f64)) -> f64 {
    let middle = low / 2.0 + high / 2.0;
    if middle.is_finite() {
        middle
    } else {
        0.0_f64.clamp(low, high)
    }
}

/// A static value must be a finite number inside the game's range; only a finished game may be worth an
/// infinity.
pub(crate) fn valid(value: f64, terminal: bool, range: (f64, f64)) -> Result<f64, Error> {
    if !(value.is_finite() || (terminal && !value.is_nan())) {
        return Err(Error::Game(format!(
            "the value of a position must be a finite number{}, not {value}",
            if terminal { " or an infinity" } else { " while the game goes on" }
        )));
    }
    if value < range.0 || value > range.1 {
        let (low, high) = range;
        return Err(Error::Game(format!(
            "the value {value} is outside the game's range {low} to {high}"
        )));
    }
    Ok(value)
}

/// A position that is not over has moves, and not too many of them.
pub(crate) fn check_moves(count: usize) -> Result<u64, Error> {
    match count {
        0 => Err(Error::Game(
            "no moves in a position that is not over: return a move or give it an outcome".into(),
        )),
        1..=0xFFFF => Ok(count as u64),
        _ => Err(Error::Game(format!("{count} moves in one position; at most 65535 are possible"))),
    }
}

/// Recursions over positions go no deeper than this: it must fit into the stack of any thread.
pub(crate) const MAX_DEPTH: u32 = 256;

/// For the tests of the games: the successors of a position are what its moves lead to, in their order.
#[cfg(test)]
pub(crate) fn check_successors<G: Game>(game: &G, position: &G::Position) -> Result<(), Error>
where
    G::Position: PartialEq + std::fmt::Debug,
{
    let (mut moves, mut shown) = (Vec::new(), Vec::new());
    game.moves(position, &mut moves)?;
    game.each_successor(position, |next| {
        shown.push(next.clone());
        Ok(())
    })?;
    let played: Result<Vec<_>, Error> = moves.iter().map(|mv| game.play(position, mv)).collect();
    assert_eq!(shown, played?);
    let mut calls = 0;
    let refused = game.each_successor(position, |_| {
        calls += 1;
        Err(Error::Game("enough".into()))
    });
    assert_eq!((calls, refused.is_err()), (moves.len().min(1), !moves.is_empty()));
    Ok(())
}
