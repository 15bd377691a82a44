//! Which cells the result of a position rests on: see [`Grounds`].
//!
//! Why an *area* of a loss is one (the winner is the opponent of the player to move, and all empty cells outside the area
//! are the mover's):
//!
//! - What is captured for the winner belongs to the area, so that it is captured still. What is dead does not matter,
//!   and what is captured for the mover may as well be his.
//! - A move outside the mustplay misses a threat. If nothing else meets it, the cells of threats belong to the area.
//! - A move that is dominated by another is met as the other is, which may be by a threat: after the other it would
//!   change nothing.
//! - A vulnerable move is answered by a stone that makes it dead. Then the winner has a stone more, and the mover is to
//!   move again. The cells of the answer belong to the area if that of the move does.

use super::bits::Bits;
use super::board::Board;
use super::knowledge::State;
use crate::evaluator::{Area, Grounds, AREA_CELLS};
use crate::games::hex::HexMove;
use std::sync::Arc;

/// The grounds of a position with these candidates; none on a large board.
pub(super) fn of<const W: usize>(
    board: &Board<W>,
    state: &State<W>,
    mover: usize,
    moves: &[HexMove],
) -> Option<Arc<Grounds>> {
    if board.size * board.size > AREA_CELLS {
        return None;
    }
    let empty = board.all & !(state.placed[0] | state.placed[1]);
    let winner = state.winner.unwrap_or(1 - mover);
    let inferior = &state.inferior;
    let captured = inferior.filled[winner] & !inferior.dead & empty;
    let mut grounds = Grounds { cells: moves.to_vec(), ..Grounds::default() };
    if winner == mover {
        let carrier = state.connections[mover].winning_carrier(true)?;
        grounds.decided = Some(area(carrier | captured));
        return Some(Arc::new(grounds));
    }
    grounds.spare = area((inferior.filled[mover] | inferior.dead) & !captured);
    grounds.captured = area(captured);
    let connections = &state.connections[winner];
    if let Some(carrier) = connections.winning_carrier(false) {
        grounds.decided = Some(area(carrier | captured));
        return Some(Arc::new(grounds));
    }
    grounds.threats = area(connections.threats());
    let missing = state.must_play.map_or(Bits::NONE, |must| empty & !must);
    grounds.outside = area(missing | inferior.dominated);
    grounds.answers =
        inferior.answers.iter().map(|(cell, needed)| (*cell, area(*needed))).collect();
    grounds.decided = state.winner.map(|_| grounds.of_loss(grounds.threats, Area::MAX));
    Some(Arc::new(grounds))
}

fn area<const W: usize>(cells: Bits<W>) -> Area {
    cells.0.iter().take(2).rev().fold(0, |area, word| area << 64 | Area::from(*word))
}
