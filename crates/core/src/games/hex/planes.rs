//! Hex as a network sees it: 2 x size x size.
//!
//! | plane | 1 where |
//! |---|---|
//! | 0 | the player to move has a stone |
//! | 1 | the other one has a stone |
//!
//! The player to move always joins the first row with the last: where White is to move the board is mirrored in the
//! diagonal from a1, so that what was cell (row, column) is cell (column, row). A policy has one output for each cell, row by row,
//! mirrored in the same way; with the swap rule one more for the swap.

use super::board::{BLACK, WHITE};
use super::{HexGame, HexMove, HexPosition};
use crate::game::NetworkShape;

pub(super) fn shape<const W: usize>(game: &HexGame<W>) -> NetworkShape {
    let size = game.board.size;
    let policy = size * size + usize::from(game.has_swap());
    NetworkShape { planes: [2, size, size], policy, parts: 1 }
}

/// Where a cell is for the player to move.
fn seen<const W: usize>(game: &HexGame<W>, mover: usize, cell: usize) -> usize {
    match mover {
        WHITE => game.board.transposed(cell),
        _ => cell,
    }
}

pub(super) fn write<const W: usize>(
    game: &HexGame<W>,
    position: &HexPosition<W>,
    planes: &mut [f32],
) {
    let (mover, cells) = (position.mover(), game.board.size * game.board.size);
    for (plane, colour) in planes.chunks_exact_mut(cells).zip([mover, BLACK + WHITE - mover]) {
        for cell in position.stones(colour).cells() {
            plane[seen(game, mover, cell)] = 1.0;
        }
    }
}

pub(super) fn places<const W: usize>(
    game: &HexGame<W>,
    position: &HexPosition<W>,
    mv: HexMove,
    places: &mut Vec<u32>,
) {
    let place = match mv == game.swap_move() {
        true => usize::from(mv),
        false => seen(game, position.mover(), mv.into()),
    };
    places.push(place as u32);
}
