//! A position: the board, and the earlier positions that could come back.

use cozy_chess::{get_pawn_attacks, BitBoard, Board, Color, Move, Piece, Rank, Square};
use std::sync::Arc;

/// An earlier position and the move made in it: 48 bits of the position's hash, then the two squares.
/// Never 0, because the squares differ.
type HistoryEntry = u64;

const HASH: u64 = !0 << 16;

/// A mark on the newest entry, or in its place: a draw that could be claimed has not been, and the game goes on.
const UNCLAIMED: HistoryEntry = 1 << 12;

/// Entries that no longer fit into a position itself: older ones behind newer ones.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Past {
    entries: [HistoryEntry; 2],
    older: Option<Arc<Past>>,
}

/// The board, and what came before it since the last move that cannot be taken back: a capture, a move of a pawn, or
/// one that gives up a right to castle or to capture in passing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChessPosition {
    pub(crate) board: Board,
    /// The latest entries, the newest last; 0 where there is none.
    recent: [HistoryEntry; 2],
    older: Option<Arc<Past>>,
}

impl ChessPosition {
    /// A position without a past.
    pub(crate) fn new(board: Board) -> ChessPosition {
        ChessPosition { board, recent: [0; 2], older: None }
    }

    /// To play several moves of this position.
    #[inline(always)]
    pub(crate) fn family(&self, keeps_past: bool) -> ChessFamily<'_> {
        let (hash, lasting) = if keeps_past { hash(&self.board) } else { (0, false) };
        ChessFamily { parent: self, hash, lasting, spilled: None }
    }

    /// The position after a legal move.
    #[inline(always)]
    pub(crate) fn after(&self, mv: Move, keeps_past: bool) -> ChessPosition {
        self.family(keeps_past).after(mv)
    }

    /// Whose move it is.
    pub(crate) fn mover(&self) -> Color {
        self.board.side_to_move()
    }

    /// The same position, in which nobody claims a draw.
    pub(crate) fn unclaimed(&self) -> ChessPosition {
        let mut position = self.clone();
        position.recent[1] |= UNCLAIMED;
        position
    }

    /// Whether nobody claims a draw here.
    #[inline]
    pub(crate) fn is_unclaimed(&self) -> bool {
        self.recent[1] & UNCLAIMED != 0
    }

    /// The entries, the newest first.
    fn entries(&self) -> impl Iterator<Item = HistoryEntry> + '_ {
        let chunks = std::iter::successors(self.older.as_deref(), |past| past.older.as_deref());
        let older = chunks.flat_map(|past| past.entries.iter().rev().copied());
        self.recent.iter().rev().copied().filter(|entry| entry & !UNCLAIMED != 0).chain(older)
    }

    /// Whether the position was there before, at least so many times.
    pub(crate) fn repeats(&self, times: usize) -> bool {
        // it takes four moves to come back
        if self.older.is_none() || self.board.halfmove_clock() < 4 {
            return false;
        }
        let now = hash(&self.board).0 & HASH;
        self.entries()
            .skip(1)
            .step_by(2)
            .filter(|entry| entry & HASH == now)
            .nth(times - 1)
            .is_some()
    }

    /// Equal boards have equal keys, whatever came before.
    pub(crate) fn board_key(&self) -> u64 {
        hash(&self.board).0
    }

    /// Equal boards have equal keys if the same positions came before, in any order, and the draw by fifty moves is as
    /// near: then the game can go on in the same ways.
    pub(crate) fn history_key(&self) -> u64 {
        let past = self.entries().fold(0u64, |sum, entry| sum.wrapping_add(mixed(entry & HASH)));
        self.board_key() ^ mixed(past ^ u64::from(self.board.halfmove_clock()))
    }

    /// The moves since the last one that cannot be taken back, the newest first.
    pub(crate) fn past_moves(&self) -> impl Iterator<Item = (Square, Square)> + '_ {
        let square = |bits: u64| Square::index((bits & 63) as usize);
        self.entries().map(move |entry| (square(entry >> 6), square(entry)))
    }
}

/// A position whose moves are played one after another.
pub(crate) struct ChessFamily<'a> {
    parent: &'a ChessPosition,
    hash: u64,
    /// Whether the position can come back, and anybody cares.
    lasting: bool,
    /// The parent's entries, where they have to make room for the next.
    spilled: Option<Arc<Past>>,
}

impl ChessFamily<'_> {
    /// The position after a legal move.
    #[inline(always)]
    pub fn after(&mut self, mv: Move) -> ChessPosition {
        let mut child = self.copy();
        self.play(&mut child, mv);
        child
    }

    /// The position without its past.
    #[inline(always)]
    pub fn copy(&self) -> ChessPosition {
        ChessPosition::new(self.parent.board.clone())
    }

    /// Makes a legal move on such a copy, where it is: to take it elsewhere just after costs as much as the move.
    #[inline(always)]
    pub fn play(&mut self, child: &mut ChessPosition, mv: Move) {
        let parent = self.parent;
        child.board.play_unchecked(mv);
        let rights = |board: &Board| Color::ALL.map(|color| *board.castle_rights(color));
        if self.lasting
            && child.board.halfmove_clock() > 0
            && rights(&child.board) == rights(&parent.board)
        {
            let entry = self.hash & HASH | (mv.from as u64) << 6 | mv.to as u64;
            let [first, last] = parent.recent;
            if first == 0 {
                child.recent = [last & !UNCLAIMED, entry];
                child.older.clone_from(&parent.older);
            } else {
                child.recent = [0, entry];
                child.older = Some(self.spill());
            }
        }
    }

    #[cold]
    fn spill(&mut self) -> Arc<Past> {
        let ChessPosition { recent: [first, last], older, .. } = self.parent;
        let entries = [*first, last & !UNCLAIMED];
        let spill = || Arc::new(Past { entries, older: older.clone() });
        self.spilled.get_or_insert_with(spill).clone()
    }
}

/// The hash of a board, in which a capture in passing counts only if it can be made; and whether the same position
/// can come back: not if there is such a capture.
#[inline]
fn hash(board: &Board) -> (u64, bool) {
    if board.en_passant().is_some() && passing(board).is_some() {
        (board.hash(), false)
    } else {
        (board.hash_without_ep(), true)
    }
}

/// The square to which a pawn can capture in passing.
pub(crate) fn passing(board: &Board) -> Option<Square> {
    let mover = board.side_to_move();
    let to = Square::new(board.en_passant()?, Rank::Sixth.relative_to(mover));
    let pawns = get_pawn_attacks(to, !mover) & board.colored_pieces(mover, Piece::Pawn);
    pawns.into_iter().any(|from| board.is_legal(Move { from, to, promotion: None })).then_some(to)
}

/// Whether neither side can mate, by whatever moves: bare kings, one knight, or bishops on squares of one colour.
pub(crate) fn is_dead(board: &Board) -> bool {
    let [pawns, knights, bishops, rooks, queens, _] = Piece::ALL.map(|piece| board.pieces(piece));
    if !(pawns | rooks | queens).is_empty() {
        return false;
    }
    if !knights.is_empty() {
        return board.occupied().len() == 3;
    }
    (bishops & BitBoard::DARK_SQUARES).is_empty() || (bishops & BitBoard::LIGHT_SQUARES).is_empty()
}

/// Turns all bits.
fn mixed(bits: u64) -> u64 {
    let bits = (bits ^ bits >> 32).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ bits >> 29).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 32
}
