//! What pieces can do where they stand: mobility, pawns, rooks on open files, the king's shelter. In centipawns from
//! White's side. Terms that all chess programs know (C. Shannon 1950 names most of them); the weights are ours.

use super::value::sign;
use cozy_chess::{
    get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks, get_rook_moves, BitBoard,
    Board, Color, File, Piece, Rank, Square,
};

const TWO_BISHOPS: i32 = 30;
const DOUBLED: i32 = -12;
const ISOLATED: i32 = -14;
/// A passed pawn, by the ranks that it has come.
const PASSED: [i32; 8] = [0, 5, 10, 20, 40, 70, 110, 0];
const OPEN_FILE: i32 = 22;
const HALF_OPEN_FILE: i32 = 11;
const SHELTER: i32 = 9;
/// An attacker's square beside the king.
const NEAR_KING: i32 = 6;
const TEMPO: i32 = 10;

/// What a square that a piece can go to is worth, and how many it usually has.
const MOBILITY: [(i32, i32); 4] = [(4, 4), (4, 6), (2, 7), (1, 13)];

/// The value of the whole board.
pub(super) fn structure(board: &Board) -> i32 {
    side(board, Color::White) - side(board, Color::Black) + sign(board.side_to_move()) * TEMPO
}

fn attacked_by_pawns(board: &Board, color: Color) -> BitBoard {
    let pawns = board.colored_pieces(color, Piece::Pawn);
    pawns.into_iter().fold(BitBoard::EMPTY, |all, pawn| all | get_pawn_attacks(pawn, color))
}

fn side(board: &Board, color: Color) -> i32 {
    let own = board.colored_pieces(color, Piece::Pawn);
    let others = board.colored_pieces(!color, Piece::Pawn);
    let mut value = pawns(own, others, color);
    if board.colored_pieces(color, Piece::Bishop).len() >= 2 {
        value += TWO_BISHOPS;
    }
    let occupied = board.occupied();
    let free = !board.colors(color) & !attacked_by_pawns(board, !color);
    let ring = get_king_moves(board.king(!color));
    let pieces = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];
    for (piece, (worth, usual)) in pieces.into_iter().zip(MOBILITY) {
        for square in board.colored_pieces(color, piece) {
            let reach = match piece {
                Piece::Knight => get_knight_moves(square),
                Piece::Bishop => get_bishop_moves(square, occupied),
                Piece::Rook => get_rook_moves(square, occupied),
                _ => get_bishop_moves(square, occupied) | get_rook_moves(square, occupied),
            };
            value += worth * ((reach & free).len() as i32 - usual);
            value += NEAR_KING * (reach & ring).len() as i32;
            if piece == Piece::Rook {
                let file = square.file().bitboard();
                value += match ((file & own).is_empty(), (file & others).is_empty()) {
                    (true, true) => OPEN_FILE,
                    (true, false) => HALF_OPEN_FILE,
                    _ => 0,
                };
            }
        }
    }
    // a shelter matters while there is a queen to hide from
    if !board.colored_pieces(!color, Piece::Queen).is_empty() {
        value += SHELTER * shelter(own, board.king(color), color);
    }
    value
}

/// Doubled, isolated and passed pawns.
fn pawns(own: BitBoard, others: BitBoard, color: Color) -> i32 {
    let mut value = 0;
    for pawn in own {
        let file = pawn.file();
        let beside = file.adjacent();
        if (own & beside).is_empty() {
            value += ISOLATED;
        }
        let ahead = ranks_ahead(pawn, color);
        if !(own & file.bitboard() & ahead).is_empty() {
            value += DOUBLED;
        } else if (others & (file.bitboard() | beside) & ahead).is_empty() {
            value += PASSED[pawn.rank().relative_to(color) as usize];
        }
    }
    value
}

/// All squares of the ranks that a pawn still has to go.
fn ranks_ahead(square: Square, color: Color) -> BitBoard {
    let rank = square.rank() as u32;
    match color {
        Color::White => BitBoard(u64::MAX.checked_shl(8 * (rank + 1)).unwrap_or(0)),
        Color::Black => BitBoard((1 << (8 * rank)) - 1),
    }
}

/// Own pawns in the two ranks before a king, on its file and those beside it.
fn shelter(own: BitBoard, king: Square, color: Color) -> i32 {
    if matches!(king.file(), File::D | File::E) && king.rank() == Rank::First.relative_to(color) {
        return 1; // it may still castle
    }
    let files = king.file().bitboard() | king.file().adjacent();
    let rank = king.rank() as i32;
    let step = sign(color);
    let near = (1..=2).filter_map(|far| Rank::try_index((rank + step * far) as usize));
    let near = near.fold(BitBoard::EMPTY, |all, rank| all | rank.bitboard());
    (own & files & near).len() as i32
}
