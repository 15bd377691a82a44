//! Certificates: a strategy for one side, as the choices of a walk that a checker makes again by the rules alone.
//!
//! The walk goes depth-first from a position. Where the prover is to move, it follows one move, its *choice*; where the
//! other is to move, every legal reply; a position that it has been to is not entered again; and the end of the game
//! must keep the claim. So a strategy is the list of its choices in the order in which the walk meets them: positions,
//! replies and sharing follow from the rules. Whatever an evaluator or a table decided early is walked to the end of
//! the game: an *adviser* is asked for a move wherever the prover has one to choose.
//!
//! [`walk`] does this for every game, [`cells`] for games of connection, where replies outside of what a strategy needs
//! are answered by it already. [`shortest`] advises by the distance to the win, which a walk in a game needs whose
//! positions can come back. Layout and rules of the walks: docs/proofs.md.

mod cells;
pub(crate) mod shortest;
mod walk;

use crate::error::Error;
use crate::evaluator::Game;
use crate::search::{Budget, Claim, Control, Counts, Search};
use cells::CellWalk;
use shortest::Shortest;
use walk::Walk;

/// Whoever takes the bytes of a certificate; says whether to go on.
pub type Sink<'a> = &'a mut dyn FnMut(&[u8]) -> Result<bool, Error>;

/// What a certificate came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exported {
    /// Positions that are not over, each counted once.
    pub positions: u64,
    /// Moves that were chosen.
    pub choices: u64,
}

/// Who knows a move where the prover is to move.
pub(crate) trait Adviser<G: Game> {
    /// The place of a move that keeps the claim, in the position at the end of a line of places from the root.
    fn advise(&mut self, position: &G::Position, line: &[u32]) -> Result<Option<u32>, Error>;
}

/// A search that has proven the claim.
struct Proven<'a> {
    search: &'a mut dyn Search,
    claim: Claim,
    control: &'a mut dyn Control,
}

impl Proven<'_> {
    fn best(&mut self, line: &[u32]) -> Result<Vec<u32>, Error> {
        self.search.replies(line, &Budget::default(), self.control)
    }
}

impl<G: Game> Adviser<G> for Proven<'_> {
    fn advise(&mut self, _: &G::Position, line: &[u32]) -> Result<Option<u32>, Error> {
        self.search.keeps(line, self.claim, &Budget::default(), self.control)
    }
}

/// Writes the strategy of the side that a claim favours. With a search that has proven it, by that search's moves;
/// without one, by the shortest way to the end.
pub(crate) fn export<G: Game>(
    game: &G,
    root: &G::Position,
    claim: Claim,
    search: Option<&mut dyn Search>,
    control: &mut dyn Control,
    sink: Sink,
) -> Result<Exported, Error> {
    let mut writer = Writer::new(sink);
    let done = match search {
        None => {
            Walk::new(game, claim, &mut writer).run(root, &mut Shortest::new(game, claim, control))
        }
        Some(search) => {
            let adviser = &mut Proven { search, claim, control };
            match game.cell_board(root, claim.at_least) {
                Some(board) => {
                    CellWalk::new(board, &mut writer).run(&mut |line| adviser.best(line))
                }
                None => Walk::new(game, claim, &mut writer).run(root, adviser),
            }
        }
    }?;
    writer.flush()?;
    Ok(done)
}

/// The choices as numbers of seven bits a byte, the lowest first; the top bit says that more follow.
pub(crate) struct Writer<'a> {
    sink: Sink<'a>,
    bytes: Vec<u8>,
}

const CHUNK: usize = 1 << 16;

impl<'a> Writer<'a> {
    fn new(sink: Sink<'a>) -> Writer<'a> {
        Writer { sink, bytes: Vec::with_capacity(CHUNK + 8) }
    }

    /// Writes a number, which can be taken back until things are settled.
    fn put(&mut self, mut number: u32) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    /// Hands over what there is, if it is worth it.
    fn settle(&mut self) -> Result<(), Error> {
        if self.bytes.len() >= CHUNK {
            self.flush()?;
        }
        Ok(())
    }

    fn number(&mut self, number: u32) -> Result<(), Error> {
        self.put(number);
        self.settle()
    }

    fn flush(&mut self) -> Result<(), Error> {
        let goes_on = (self.sink)(&self.bytes)?;
        self.bytes.clear();
        if goes_on {
            Ok(())
        } else {
            Err(stopped())
        }
    }
}

fn stopped() -> Error {
    Error::Argument("the certificate was stopped before its end".into())
}

fn no_advice() -> Error {
    Error::Argument(
        "no move was found that keeps the claim: solve the position again without a budget".into(),
    )
}

/// Asks now and then whether to go on.
pub(crate) struct Pulse<'a> {
    control: &'a mut dyn Control,
    steps: u32,
}

impl<'a> Pulse<'a> {
    fn new(control: &'a mut dyn Control) -> Pulse<'a> {
        Pulse { control, steps: 0 }
    }

    fn beat(&mut self) -> Result<(), Error> {
        self.steps += 1;
        if self.steps % 1024 == 0 && !self.control.poll(&Counts::default(), &mut || 0.0)? {
            return Err(stopped());
        }
        Ok(())
    }
}
