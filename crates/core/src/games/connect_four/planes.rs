//! Connect-Four as a network sees it: 2 x 6 x 7.
//!
//! | plane | 1 where |
//! |---|---|
//! | 0 | the player to move has a stone |
//! | 1 | the other one has a stone |
//!
//! Row 0 is the top row and column 0 the left one, as in the picture. A policy has one output for each column.

use super::{ConnectFour, ConnectFourPosition, COLUMNS, ROWS};
use crate::game::NetworkShape;

pub(super) fn shape(_: &ConnectFour) -> NetworkShape {
    NetworkShape { planes: [2, ROWS, COLUMNS], policy: COLUMNS, parts: 1 }
}

pub(super) fn write(_: &ConnectFour, position: &ConnectFourPosition, planes: &mut [f32]) {
    let (black, red) = position.stones();
    let sides = if position.black_to_move() { [black, red] } else { [red, black] };
    for (plane, stones) in planes.chunks_exact_mut(ROWS * COLUMNS).zip(sides) {
        for (at, cell) in plane.iter_mut().enumerate() {
            let bit = 7 * (at % COLUMNS) + (ROWS - 1 - at / COLUMNS);
            *cell = (stones >> bit & 1) as f32;
        }
    }
}

pub(super) fn places(_: &ConnectFour, _: &ConnectFourPosition, mv: u8, places: &mut Vec<u32>) {
    places.push(mv.into());
}
