//! What a position is worth by its looks, and which of its moves look good.

use super::board::{around, Discs};

pub(super) const CORNERS: u64 = 0x8100_0000_0000_0081;
/// The squares diagonally beside the corners, which give them away.
const X_SQUARES: u64 = 0x0042_0000_0000_4200;
/// The edges without the corners and their neighbours.
const EDGES: u64 = 0x3c00_8181_8181_003c;

/// Disc difference of a game that is over, from the mover's side. Squares that stay empty go to the winner.
pub(super) fn result(discs: Discs) -> i32 {
    let (own, other) = (discs.mover.count_ones() as i32, discs.other.count_ones() as i32);
    match own - other {
        0 => 0,
        ahead if ahead > 0 => 64 - 2 * other,
        _ => 2 * own - 64,
    }
}

/// Estimate of the final disc difference from the mover's side, in halves of a disc.
///
/// The terms are those of P. S. Rosenbloom, "A world-championship-level Othello program" (1982), as far as they
/// are cheap: places, mobility, and how much of the other's frontier there is to move to. The weights are a least
/// squares fit, rounded, to the results of games between searches of depth 4, 200,000 positions of them.
#[inline(always)]
pub(super) fn estimate(discs: Discs, moves: u64, replies: u64) -> i32 {
    let Discs { mover, other } = discs;
    let empty = discs.empty();
    let count = |set: u64| set.count_ones() as i32;
    let ahead = |squares: u64| count(mover & squares) - count(other & squares);
    let near = around(empty & CORNERS);
    let mobility = count(moves) - count(replies);
    let frontier = count(around(other) & empty) - count(around(mover) & empty);
    let places = 22 * ahead(CORNERS) - 15 * ahead(near & X_SQUARES) - 2 * ahead(near & !X_SQUARES)
        + ahead(EDGES);
    // nothing but a finished game is worth 64 discs
    (3 * mobility + frontier + places).clamp(-2 * 63, 2 * 63)
}

/// How good a move looks: its square, and how few replies it leaves.
pub(super) fn score(discs: Discs, mv: u8, after: Discs) -> f64 {
    let square = 1u64 << (mv & 63);
    let near = around(discs.empty() & CORNERS);
    let place = if square & CORNERS != 0 {
        8.0
    } else if square & near & X_SQUARES != 0 {
        0.25
    } else if square & near != 0 {
        0.5
    } else {
        1.0
    };
    place / (1.0 + f64::from(after.moves().count_ones()))
}
