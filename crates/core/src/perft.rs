//! Going through all positions of a game down to some depth: to count them, and to see how fast that can be.

use crate::error::Error;
use crate::evaluator::{Game, Line};
use crate::game::{Child, Rules, MAX_DEPTH};
use crate::judge::Judge;
use std::hint::black_box;

/// Something to do now and then during long work; an error ends the work.
pub type Poll<'a> = &'a mut dyn FnMut() -> Result<(), Error>;

fn check_depth(depth: u32) -> Result<(), Error> {
    if depth > MAX_DEPTH {
        return Err(Error::Argument(format!("depth must be at most {MAX_DEPTH}, not {depth}")));
    }
    Ok(())
}

/// Counts the lines of exactly `depth` moves, all of which are made; a finished game has no successors.
pub fn perft<G: Rules>(
    game: &G,
    position: &G::Position,
    depth: u32,
    poll: Poll,
) -> Result<u64, Error> {
    fn count<G: Rules>(
        game: &G,
        position: &G::Position,
        depth: u32,
        poll: Poll,
    ) -> Result<u64, Error> {
        let mut lines = 0;
        if depth == 1 {
            game.each_successor(position, |next| {
                black_box(next); // made, not only counted
                lines += 1;
                Ok(())
            })?;
            return Ok(lines);
        }
        if depth > 2 {
            poll()?;
        }
        game.each_successor(position, |next| {
            lines += count(game, next, depth - 1, poll)?;
            Ok(())
        })?;
        Ok(lines)
    }
    check_depth(depth)?;
    if depth == 0 {
        return Ok(1);
    }
    count(game, position, depth, poll)
}

/// One ply's moves and children.
type Scratch<G> = (Vec<<G as Rules>::Move>, Vec<Child<<G as Rules>::Position>>);

/// Generates and values every position down to `depth` plies, depth first, and keeps nothing: the
/// speed limit of any search of the same game. Returns the number of positions and the sum of their
/// values, which makes sure that they were computed.
pub fn survey<G: Game>(
    game: &G,
    judge: &mut Judge<G>,
    position: &G::Position,
    depth: u32,
    poll: Poll,
) -> Result<(u64, f64), Error> {
    fn visit<G: Game>(
        game: &G,
        judge: &mut Judge<G>,
        line: &Line<G::Position>,
        depth: u32,
        scratch: &mut [Scratch<G>],
        total: &mut (u64, f64),
        poll: Poll,
    ) -> Result<(), Error> {
        let Some(((moves, children), deeper)) = scratch.split_first_mut() else { return Ok(()) };
        if depth > 4 {
            poll()?;
        }
        moves.clear();
        children.clear();
        game.moves(line.position, moves)?;
        judge.children(line, moves, &mut || true, children)?;
        for child in children {
            total.0 += 1;
            total.1 += child.value;
            if depth > 1 && !child.terminal {
                let below = line.then(&child.position);
                visit(game, judge, &below, depth - 1, deeper, total, poll)?;
            }
        }
        Ok(())
    }
    check_depth(depth)?;
    let mut scratch = Vec::new();
    scratch.resize_with(depth as usize, Default::default);
    let mut total = (0, 0.0);
    if game.outcome(position)?.is_none() {
        visit(game, judge, &Line::root(position), depth, &mut scratch, &mut total, poll)?;
    }
    Ok(total)
}
