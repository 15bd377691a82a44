//! Amazons as a network sees it: 3 x size x size.
//!
//! | plane | 1 where |
//! |---|---|
//! | 0 | the player to move has an amazon |
//! | 1 | the other one has an amazon |
//! | 2 | an arrow has burnt the square |
//!
//! Row 0 is rank 1 and column 0 file a. A policy has three boards of outputs, row by row: where an amazon comes from, where it
//! goes, where it shoots. The logit of a move is the sum of its three.

use super::board::{board, place, squares};
use super::{Amazons, AmazonsMove, AmazonsPosition};
use crate::game::NetworkShape;

pub(super) fn shape(game: &Amazons) -> NetworkShape {
    let cells = game.size * game.size;
    NetworkShape { planes: [3, game.size, game.size], policy: 3 * cells, parts: 3 }
}

fn cell(game: &Amazons, square: u8) -> usize {
    let (column, row) = place(square);
    game.size * row + column
}

pub(super) fn write(game: &Amazons, position: &AmazonsPosition, planes: &mut [f32]) {
    let mover = position.mover();
    let burnt = position.burnt() & board(game.size); // the frame around it counts as burnt too
    let sets = [position.amazons(mover), position.amazons(1 - mover), burnt];
    for (plane, set) in planes.chunks_exact_mut(game.size * game.size).zip(sets) {
        for square in squares(set) {
            plane[cell(game, square)] = 1.0;
        }
    }
}

pub(super) fn places(game: &Amazons, _: &AmazonsPosition, mv: AmazonsMove, places: &mut Vec<u32>) {
    for (part, square) in [mv.from, mv.to, mv.arrow].into_iter().enumerate() {
        places.push((part * game.size * game.size + cell(game, square)) as u32);
    }
}
