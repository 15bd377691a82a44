//! Room one, the game: what is legal, and who has won. No opinion, no memory, no tree.
//!
//! A game is a stateless description of rules; positions are plain values. Three small traits: [`Rules`] is what every
//! search needs, [`Shortcuts`] what a game may tell or do beyond that, and [`Notation`] how people write it. All values
//! are from Max's side: Max is the player who moves first in the game's usual start position.

use crate::error::Error;

/// The position after one move, with everything a new leaf needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Child<P> {
    /// The position itself.
    pub position: P,
    /// Static value from Max's side; the exact result if `terminal`.
    pub value: f64,
    /// Whether the game is over here, or as good as over.
    pub terminal: bool,
}

/// Rules of a two-player zero-sum game with perfect information.
///
/// `start`, `max_to_move`, `moves`, `play` and `outcome` make a game; the other methods have defaults. An error can only
/// come from a game that runs foreign code (a game written in Python): the native games never return one.
pub trait Rules: Send + Sync + 'static {
    /// A position; small and cheap to copy, because a search keeps one per node.
    type Position: Clone + Send + Sync + 'static;
    /// A move, meaningful only together with the position it is made in.
    type Move: Clone + Send + Sync + 'static;

    /// Whether the rules run code that is not tested here, so that what they say has to be checked.
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

    /// The least and the greatest value that any position can have.
    ///
    /// A proven child at the mover's end of this range proves its parent, whatever its siblings
    /// are worth. Games without such values keep the default.
    fn value_range(&self) -> (f64, f64) {
        (f64::NEG_INFINITY, f64::INFINITY)
    }

    /// A key that is equal for equal positions (same stones, same player to move) and, for all
    /// practical purposes, only for them. `None`: the game has no transpositions worth a table.
    fn key(&self, position: &Self::Position) -> Result<Option<u64>, Error> {
        let _ = position;
        Ok(None)
    }

    /// Bytes that a position takes beside itself, on average.
    fn heap_bytes(&self) -> usize {
        0
    }

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

    /// Plays the moves in order, with no other value than the results of finished games: the work of one expansion for
    /// a search that never looks at static values. Open positions get the value `unknown`.
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
}

/// A board of cells as one side sees it: cell `size * row + column`, up to [`CellBoard::LARGEST`] rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellBoard {
    /// Rows and columns.
    pub size: u32,
    /// The stones of the side that proves.
    pub own: u128,
    /// The empty cells.
    pub free: u128,
    /// Whether that side joins the first row with the last; else the first column with the last.
    pub rows: bool,
    /// Whether that side is to move.
    pub moves: bool,
}

impl CellBoard {
    /// How many rows there may be.
    pub const LARGEST: u32 = 11;
}

/// What a game may tell or do beyond its rules; a search asks for it. Every method has a default.
pub trait Shortcuts: Rules {
    /// All results that a finished game can have, in rising order, if they are few and known. A proof that leaves
    /// only one of them gives the exact value.
    fn results(&self) -> Option<Vec<f64>> {
        None
    }

    /// Whether a position can come back in the course of a game. Then a search that knows positions by their keys
    /// looks out for it, and takes a repetition for a draw.
    fn repeats(&self) -> bool {
        false
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

    /// The result of one random game from a position that is not over, where the game has a faster way to it than move
    /// by move; `random` is the state of the random numbers.
    fn play_at_random(&self, position: &Self::Position, random: &mut u64) -> Option<f64> {
        let _ = (position, random);
        None
    }

    /// The same as [`Rules::key`] for certificates, whose checkers know positions without their past.
    fn proof_key(&self, position: &Self::Position) -> Result<Option<u64>, Error> {
        self.key(position)
    }

    /// The places of the moves in the order that certificates have.
    fn proof_order(&self, position: &Self::Position, moves: &[Self::Move]) -> Vec<u32> {
        let _ = position;
        (0..moves.len() as u32).collect()
    }

    /// The board as Max or Min sees it, in a game of connection where a stone too many never hurts.
    fn cell_board(&self, position: &Self::Position, max: bool) -> Option<CellBoard> {
        let _ = (position, max);
        None
    }

    /// The value, from Max's side, that the player who is not to move gets at least in a position that is not over, where
    /// the checkers of certificates can see it too.
    fn claimed(&self, position: &Self::Position) -> Option<f64> {
        let _ = position;
        None
    }

    /// At most how many moves can still be made, passes apart, if that is known.
    fn moves_left(&self, position: &Self::Position) -> Option<u32> {
        let _ = position;
        None
    }

    /// How far the game is from its end: how many moves the longest game still has, where every move brings the end
    /// nearer by one; else 0. Error models of evaluators depend on it.
    fn phase(&self, position: &Self::Position) -> u32 {
        self.moves_left(position).unwrap_or(0)
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

    /// Who finds exact results by means of its own from any position, with a table of at most so many bytes.
    fn specialist(&self, bytes: usize) -> Option<Box<dyn Specialist<Self::Position>>> {
        let _ = bytes;
        None
    }

    /// The position as it is when the game goes on there: itself unless the game is over. Where a player could claim a
    /// draw, and nobody does, the same position without its end; `None` where the game is over for good.
    fn play_on(&self, position: &Self::Position) -> Result<Option<Self::Position>, Error> {
        Ok(self.outcome(position)?.is_none().then(|| position.clone()))
    }

    /// Whether the player to move is under such an attack that a selective search looks closely: a check.
    fn is_urgent(&self, position: &Self::Position) -> bool {
        let _ = position;
        false
    }

    /// Whether the position has been there before, and may be so once more, until the game is drawn: a selective search
    /// takes it for a draw already.
    fn recurs(&self, position: &Self::Position) -> bool {
        let _ = position;
        false
    }

    /// The position after a pass, which the rules need not allow, where a player who is ahead then is ahead indeed.
    fn pass(&self, position: &Self::Position) -> Option<Self::Position> {
        let _ = position;
        None
    }

    /// Whether a selective search may end lines early by margins that were found for chess: values are in hundredths of
    /// a pawn, and evaluators tell captures from quiet moves.
    fn has_margins(&self) -> bool {
        false
    }

    /// A small number for moves of a kind, such as the same piece to the same square: what has been good once is tried
    /// first elsewhere.
    fn move_slot(&self, position: &Self::Position, mv: &Self::Move) -> usize {
        let _ = (position, mv);
        0
    }

    /// The same position with the players' roles exchanged, where the game has that symmetry: its
    /// value is the other one mirrored in the middle of the value range.
    fn swapped(&self, position: &Self::Position) -> Option<Self::Position> {
        let _ = position;
        None
    }
}

/// Told what has been done since the last call, in expansions and nodes; says how much may follow before the next, or
/// (0, 0) to stop.
pub type Allowed<'a> = dyn FnMut(u64, u64) -> (u64, u64) + 'a;

/// Solves positions of one game in a way of its own, and remembers what it has found.
pub trait Specialist<P>: Send {
    /// Whether Max gets at least this value from a position that is not over; `None` if it was stopped.
    fn reaches(&mut self, position: &P, goal: f64, allowed: &mut Allowed) -> Option<bool>;

    /// The place of a move after which the player to move still gets this value, which is from Max's side, if there is
    /// one; `None` if it was stopped. A strategy of such moves should be small.
    fn keeps(&mut self, position: &P, value: f64, allowed: &mut Allowed) -> Option<Option<u32>>;

    /// Bytes that it takes.
    fn bytes(&self) -> usize;
}

/// How a network sees the positions of a game and says how likely moves are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetworkShape {
    /// Planes, rows, columns.
    pub planes: [usize; 3],
    /// The outputs of a policy head.
    pub policy: usize,
    /// How many of them a move has: the sum of their logits is the move's.
    pub parts: usize,
}

/// How a game is written: for people, and as numbers for networks.
pub trait Notation: Rules {
    /// The shape of the planes, and of a policy, where the game has usual ones.
    fn network_shape(&self) -> Option<NetworkShape> {
        None
    }

    /// Writes the position into planes of that shape, which are all zero. The player to move comes first.
    fn write_planes(&self, position: &Self::Position, planes: &mut [f32]) {
        let _ = (position, planes);
    }

    /// Appends the places of a move among the outputs of a policy head: as many as it has parts.
    fn policy_places(&self, position: &Self::Position, mv: &Self::Move, places: &mut Vec<u32>) {
        let _ = (position, mv, places);
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

    /// The position in the notation that [`Notation::parse`] reads.
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

/// More moves of one position than this are refused.
pub const MOST_MOVES: usize = 0xFFFF;

/// A position that is not over has moves, and not too many of them.
pub(crate) fn check_moves(count: usize) -> Result<u64, Error> {
    match count {
        0 => Err(Error::Game(
            "no moves in a position that is not over: return a move or give it an outcome".into(),
        )),
        1..=MOST_MOVES => Ok(count as u64),
        _ => Err(Error::Game(format!(
            "{count} moves in one position; at most {MOST_MOVES} are possible"
        ))),
    }
}

/// Recursions over positions go no deeper than this: it must fit into the stack of any thread.
pub(crate) const MAX_DEPTH: u32 = 256;

/// For the tests of the games: the successors of a position are what its moves lead to, in their order.
#[cfg(test)]
pub(crate) fn check_successors<G: Rules>(game: &G, position: &G::Position) -> Result<(), Error>
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
    let mut children = Vec::new();
    game.successors(position, &moves, 0.25, &mut children)?;
    for (child, next) in children.iter().zip(&shown) {
        let outcome = game.outcome(next)?;
        assert_eq!(&child.position, next);
        assert_eq!((child.value, child.terminal), (outcome.unwrap_or(0.25), outcome.is_some()));
    }
    Ok(())
}
