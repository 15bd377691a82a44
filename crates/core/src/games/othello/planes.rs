//! Othello as a network sees it: 2 x 8 x 8.
//!
//! | plane | 1 where |
//! |---|---|
//! | 0 | the player to move has a disc |
//! | 1 | the other one has a disc |
//!
//! Row 0 is rank 1 and column 0 file a, as in the picture. A policy has one output for each square, a1, b1, ... h8, and one
//! more for a pass.

use super::board::PASS;
use super::{Othello, OthelloPosition};
use crate::game::NetworkShape;

pub(super) fn shape(_: &Othello) -> NetworkShape {
    NetworkShape { planes: [2, 8, 8], policy: usize::from(PASS) + 1, parts: 1 }
}

pub(super) fn write(_: &Othello, position: &OthelloPosition, planes: &mut [f32]) {
    let discs = position.discs();
    for (plane, set) in planes.chunks_exact_mut(64).zip([discs.mover, discs.other]) {
        for (square, cell) in plane.iter_mut().enumerate() {
            *cell = (set >> square & 1) as f32;
        }
    }
}

pub(super) fn places(_: &Othello, _: &OthelloPosition, mv: u8, places: &mut Vec<u32>) {
    places.push(mv.into());
}
