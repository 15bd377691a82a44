//! Chess as a network sees it: 18 x 8 x 8, from the side of the player to move.
//!
//! | planes | 1 where |
//! |---|---|
//! | 0 to 5 | the player to move has a pawn, knight, bishop, rook, queen, king |
//! | 6 to 11 | the other one has |
//! | 12, 13 | everywhere, if the player to move may still castle short, long |
//! | 14, 15 | everywhere, if the other one may |
//! | 16 | a pawn can be taken in passing: the square behind it |
//! | 17 | everywhere: halfmoves since the last capture or pawn's move, divided by 100 |
//!
//! Row 0 is the first rank of the player to move, column 0 file a: where Black is to move the board is turned upside down, and files
//! stay. A policy has 64 * 64 outputs, `64 * from + to` with squares as `8 * row + column`, which queens by promotion share;
//! then 72 for other promotions, `4096 + 24 * piece + 3 * file + direction`: knight, bishop or rook; the file that the pawn
//! comes from; captures towards file a, straight on, captures towards file h. A king that castles goes to its rook's square.

use super::board::passing;
use super::{Chess, ChessPosition};
use crate::game::NetworkShape;
use cozy_chess::{Color, Move, Piece, Square};

const PLANES: usize = 18;
const SQUARES: usize = 64;

pub(super) fn shape(_: &Chess) -> NetworkShape {
    let policy = SQUARES * SQUARES + 72;
    NetworkShape { planes: [PLANES, 8, 8], policy, parts: 1 }
}

/// Where a square is for the player to move.
fn seen(mover: Color, square: Square) -> usize {
    match mover {
        Color::White => square as usize,
        Color::Black => square as usize ^ 56,
    }
}

pub(super) fn write(_: &Chess, position: &ChessPosition, planes: &mut [f32]) {
    let (board, mover) = (&position.board, position.mover());
    let mut rows = planes.chunks_exact_mut(SQUARES);
    for colour in [mover, !mover] {
        for (piece, plane) in Piece::ALL.into_iter().zip(rows.by_ref()) {
            for square in board.colored_pieces(colour, piece) {
                plane[seen(mover, square)] = 1.0;
            }
        }
    }
    for colour in [mover, !mover] {
        let rights = board.castle_rights(colour);
        for (right, plane) in [rights.short, rights.long].into_iter().zip(rows.by_ref()) {
            plane.fill(if right.is_some() { 1.0 } else { 0.0 });
        }
    }
    if let (Some(square), Some(plane)) = (passing(board), rows.next()) {
        plane[seen(mover, square)] = 1.0;
    }
    planes[(PLANES - 1) * SQUARES..].fill(f32::from(board.halfmove_clock()) / 100.0);
}

pub(super) fn places(_: &Chess, position: &ChessPosition, mv: Move, places: &mut Vec<u32>) {
    let mover = position.mover();
    let piece = match mv.promotion {
        Some(Piece::Knight) => 0,
        Some(Piece::Bishop) => 1,
        Some(Piece::Rook) => 2,
        _ => {
            places.push((SQUARES * seen(mover, mv.from) + seen(mover, mv.to)) as u32);
            return;
        }
    };
    let (from, to) = (mv.from.file() as u32, mv.to.file() as u32);
    places.push((SQUARES * SQUARES) as u32 + 24 * piece + 3 * from + (to + 1 - from));
}
