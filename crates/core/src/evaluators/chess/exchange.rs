//! What a series of captures on one square is worth, if each player takes with the least valuable piece and may stop.

use super::value::WORTH;
use cozy_chess::{
    get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks, get_rook_moves, BitBoard,
    Board, Color, Move, Piece, Rank, Square,
};

/// What a capture or promotion promises: the greater, the earlier to try it; less than 0 if it loses by exchanges.
/// `None`: the move is quiet.
pub(super) fn promise(board: &Board, mv: Move) -> Option<i32> {
    let (piece, victim) = (board.piece_on(mv.from)?, victim(board, mv));
    match mv.promotion {
        None if victim.is_none() => return None,
        None | Some(Piece::Queen) => {}
        Some(_) => return Some(-1), // hardly ever better than a queen
    }
    let gain = victim.map_or(0, |piece| WORTH[piece as usize]) + promoted(mv);
    let lost = exchange(board, mv).filter(|won| *won < 0);
    Some(lost.unwrap_or(8 * gain - piece as i32))
}

/// The piece that a move captures.
#[inline]
pub(super) fn victim(board: &Board, mv: Move) -> Option<Piece> {
    if board.colors(board.side_to_move()).has(mv.to) {
        return None; // castling is written as the king's capture of the rook
    }
    let passing = || {
        let pawn = board.piece_on(mv.from) == Some(Piece::Pawn);
        (pawn && mv.from.file() != mv.to.file()).then_some(Piece::Pawn)
    };
    board.piece_on(mv.to).or_else(passing)
}

/// What a pawn gains by becoming another piece.
#[inline]
pub(super) fn promoted(mv: Move) -> i32 {
    mv.promotion.map_or(0, |piece| WORTH[piece as usize] - WORTH[Piece::Pawn as usize])
}

/// What a move wins by captures on its square; `None` where a glance shows that it does not lose.
pub(super) fn exchange(board: &Board, mv: Move) -> Option<i32> {
    let piece = mv.promotion.or(board.piece_on(mv.from))?;
    let gain = victim(board, mv).map_or(0, |piece| WORTH[piece as usize]) + promoted(mv);
    if gain >= WORTH[piece as usize] && piece != Piece::King {
        return None;
    }
    let mut occupied = board.occupied() & !mv.from.bitboard() | mv.to.bitboard();
    let sliders = [
        board.pieces(Piece::Bishop) | board.pieces(Piece::Queen),
        board.pieces(Piece::Rook) | board.pieces(Piece::Queen),
    ];
    let mut attackers = attackers(board, mv.to, occupied) & occupied;
    let mut mover = !board.side_to_move();
    // what each side is ahead if the other stops after its capture
    let (mut gains, mut depth) = ([0; 33], 0);
    gains[0] = gain;
    let mut standing = WORTH[piece as usize];
    while depth < 32 {
        let Some((taker, square)) = least(board, attackers & board.colors(mover)) else { break };
        let last = taker == Piece::King && !(attackers & board.colors(!mover)).is_empty();
        if last {
            break; // a king cannot take what is defended
        }
        depth += 1;
        gains[depth] = standing - gains[depth - 1];
        standing = WORTH[taker as usize];
        occupied &= !square.bitboard();
        attackers |= get_bishop_moves(mv.to, occupied) & sliders[0];
        attackers |= get_rook_moves(mv.to, occupied) & sliders[1];
        attackers &= occupied;
        mover = !mover;
    }
    while depth > 0 {
        gains[depth - 1] = -gains[depth].max(-gains[depth - 1]);
        depth -= 1;
    }
    Some(gains[0])
}

/// All pieces of both sides that attack a square.
fn attackers(board: &Board, square: Square, occupied: BitBoard) -> BitBoard {
    let pieces = |piece| board.pieces(piece);
    let queens = pieces(Piece::Queen);
    Color::ALL
        .into_iter()
        .map(|color| get_pawn_attacks(square, !color) & board.colored_pieces(color, Piece::Pawn))
        .fold(BitBoard::EMPTY, |all, pawns| all | pawns)
        | get_knight_moves(square) & pieces(Piece::Knight)
        | get_king_moves(square) & pieces(Piece::King)
        | get_bishop_moves(square, occupied) & (pieces(Piece::Bishop) | queens)
        | get_rook_moves(square, occupied) & (pieces(Piece::Rook) | queens)
}

/// The least valuable of some pieces.
fn least(board: &Board, among: BitBoard) -> Option<(Piece, Square)> {
    Piece::ALL
        .into_iter()
        .find_map(|piece| (among & board.pieces(piece)).next_square().map(|square| (piece, square)))
}

/// Shows the moves to these squares, captures in passing, and promotions to a queen, each with the piece that moves.
#[inline]
pub(super) fn each_capture(board: &Board, victims: BitBoard, mut show: impl FnMut(Piece, Move)) {
    let mover = board.side_to_move();
    let last = Rank::Eighth.relative_to(mover);
    let passing = board.en_passant().map(|file| Square::new(file, Rank::Sixth.relative_to(mover)));
    let for_pawns = victims | last.bitboard() | passing.map(Square::bitboard).unwrap_or_default();
    board.generate_moves(|mut moves| {
        moves.to &= if moves.piece == Piece::Pawn { for_pawns } else { victims };
        for mv in moves {
            if matches!(mv.promotion, None | Some(Piece::Queen)) {
                show(moves.piece, mv);
            }
        }
        false
    });
}
