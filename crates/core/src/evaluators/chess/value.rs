//! What a position is worth by its looks, in centipawns from White's side, and which of its moves look good.
//!
//! Material and places, by T. Michniewski, "Simplified evaluation function" (2008), with both halves of the board
//! alike; the king's place counts by how much material there is left.

use super::exchange::each_capture;
use cozy_chess::{get_pawn_attacks, Board, Color, File, Move, Piece, Square};

/// What the pieces are worth: pawn, knight, bishop, rook, queen, king.
pub(super) const WORTH: [i32; 6] = [100, 320, 330, 500, 900, 0];
/// How much of a middle game each piece makes; 24 are a whole one.
const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];
const WHOLE: i32 = 24;

/// The places of White's piece: ranks from the eighth to the first, files from the edge to the middle.
type Places = [[i32; 4]; 8];

const PAWN: Places = [
    [0, 0, 0, 0],
    [50, 50, 50, 50],
    [10, 10, 20, 30],
    [5, 5, 10, 25],
    [0, 0, 0, 20],
    [5, -5, -10, 0],
    [5, 10, 10, -20],
    [0, 0, 0, 0],
];
const KNIGHT: Places = [
    [-50, -40, -30, -30],
    [-40, -20, 0, 0],
    [-30, 0, 10, 15],
    [-30, 5, 15, 20],
    [-30, 0, 15, 20],
    [-30, 5, 10, 15],
    [-40, -20, 0, 5],
    [-50, -40, -30, -30],
];
const BISHOP: Places = [
    [-20, -10, -10, -10],
    [-10, 0, 0, 0],
    [-10, 0, 5, 10],
    [-10, 5, 5, 10],
    [-10, 0, 10, 10],
    [-10, 10, 10, 10],
    [-10, 5, 0, 0],
    [-20, -10, -10, -10],
];
const ROOK: Places = [
    [0, 0, 0, 0],
    [5, 10, 10, 10],
    [-5, 0, 0, 0],
    [-5, 0, 0, 0],
    [-5, 0, 0, 0],
    [-5, 0, 0, 0],
    [-5, 0, 0, 0],
    [0, 0, 0, 5],
];
const QUEEN: Places = [
    [-20, -10, -10, -5],
    [-10, 0, 0, 0],
    [-10, 0, 5, 5],
    [-5, 0, 5, 5],
    [-5, 0, 5, 5],
    [-10, 0, 5, 5],
    [-10, 0, 0, 0],
    [-20, -10, -10, -5],
];
const KING: Places = [
    [-30, -40, -40, -50],
    [-30, -40, -40, -50],
    [-30, -40, -40, -50],
    [-30, -40, -40, -50],
    [-20, -30, -30, -40],
    [-10, -20, -20, -20],
    [20, 20, 0, 0],
    [20, 30, 10, 0],
];
const KING_AT_THE_END: Places = [
    [-50, -40, -30, -20],
    [-30, -20, -10, 0],
    [-30, -10, 20, 30],
    [-30, -10, 30, 40],
    [-30, -10, 30, 40],
    [-30, -10, 20, 30],
    [-30, -30, 0, 0],
    [-50, -30, -30, -30],
];

/// What all pieces are worth together: in the middle game, in the end game, and how far between them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Score {
    middle: i32,
    end: i32,
    phase: i32,
}

/// By colour, piece and square.
static SCORES: [[[Score; 64]; 6]; 2] = scores();

const fn scores() -> [[[Score; 64]; 6]; 2] {
    let mut scores = [[[Score { middle: 0, end: 0, phase: 0 }; 64]; 6]; 2];
    let middles = [PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING];
    let ends = [PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING_AT_THE_END];
    let mut at = 0;
    while at < 6 * 64 {
        let (piece, square) = (at / 64, at % 64);
        let (rank, file) = (square / 8, square % 8);
        let file = if file < 4 { file } else { 7 - file };
        let middle = WORTH[piece] + middles[piece][7 - rank][file];
        let end = WORTH[piece] + ends[piece][7 - rank][file];
        scores[0][piece][square] = Score { middle, end, phase: PHASE[piece] };
        // Black's squares are White's, seen from the other side
        scores[1][piece][square ^ 56] = Score { middle: -middle, end: -end, phase: PHASE[piece] };
        at += 1;
    }
    scores
}

impl Score {
    pub fn of(board: &Board) -> Score {
        let mut score = Score::default();
        for color in Color::ALL {
            for piece in Piece::ALL {
                for square in board.colored_pieces(color, piece) {
                    score.add(color, piece, square, 1);
                }
            }
        }
        score
    }

    /// From White's side.
    #[inline]
    pub fn value(self) -> i32 {
        let phase = self.phase.min(WHOLE);
        (self.middle * phase + self.end * (WHOLE - phase)) / WHOLE
    }

    #[inline]
    fn add(&mut self, color: Color, piece: Piece, square: Square, times: i32) {
        let score = SCORES[color as usize][piece as usize][square as usize];
        self.middle += times * score.middle;
        self.end += times * score.end;
        self.phase += times * score.phase;
    }

    /// After a legal move on the board that this is the score of.
    #[inline]
    pub fn after(mut self, board: &Board, mv: Move) -> Score {
        let (mover, Some(piece)) = (board.side_to_move(), board.piece_on(mv.from)) else {
            return self;
        };
        self.add(mover, piece, mv.from, -1);
        if board.colors(mover).has(mv.to) {
            // castling is written as the king's capture of the rook
            let short = mv.to.file() > mv.from.file();
            let (king, rook) = if short { (File::G, File::F) } else { (File::C, File::D) };
            self.add(mover, Piece::Rook, mv.to, -1);
            self.add(mover, Piece::King, Square::new(king, mv.from.rank()), 1);
            self.add(mover, Piece::Rook, Square::new(rook, mv.from.rank()), 1);
            return self;
        }
        self.add(mover, mv.promotion.unwrap_or(piece), mv.to, 1);
        if let Some(victim) = board.piece_on(mv.to) {
            self.add(!mover, victim, mv.to, -1);
        } else if piece == Piece::Pawn && mv.from.file() != mv.to.file() {
            self.add(!mover, Piece::Pawn, Square::new(mv.to.file(), mv.from.rank()), -1);
        }
        self
    }
}

/// The player's sign: values are from White's side.
pub(super) fn sign(color: Color) -> i32 {
    match color {
        Color::White => 1,
        Color::Black => -1,
    }
}

/// A search of captures and promotions to a queen, in which a player may always stop: D. McAllester, "Conspiracy
/// numbers for min-max search" (1988), Section 10.
#[derive(Default)]
pub(super) struct Captures {
    /// The moves that are left, of all boards on the line, with what takes them to the front.
    stack: Vec<(i32, Move)>,
}

impl Captures {
    /// The value from White's side.
    pub fn value(&mut self, board: &Board, score: Score) -> i32 {
        let sign = sign(board.side_to_move());
        sign * self.search(board, score, -i32::MAX, i32::MAX)
    }

    /// Alpha-beta from the mover's side.
    pub fn search(&mut self, board: &Board, score: Score, mut alpha: i32, beta: i32) -> i32 {
        let mover = sign(board.side_to_move());
        let mut best = mover * score.value();
        if best >= beta {
            return best;
        }
        alpha = alpha.max(best);
        let first = self.stack.len();
        self.generate(board);
        while self.stack.len() > first {
            let left = first..self.stack.len();
            let next = left.max_by_key(|&at| self.stack[at].0).unwrap_or(first);
            let (_, mv) = self.stack.swap_remove(next);
            let mut after = board.clone();
            after.play_unchecked(mv);
            best = best.max(-self.search(&after, score.after(board, mv), -beta, -alpha));
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        self.stack.truncate(first);
        best
    }

    /// The most valuable victim first, by the least valuable attacker.
    fn generate(&mut self, board: &Board) {
        each_capture(board, board.colors(!board.side_to_move()), |piece, mv| {
            let victim = board.piece_on(mv.to).map_or(0, |piece| WORTH[piece as usize]);
            let gain = victim + mv.promotion.map_or(0, |_| WORTH[Piece::Queen as usize]);
            self.stack.push((8 * gain - piece as i32, mv));
        });
    }
}

/// What a move gains at once, by material and places. A piece that goes where a pawn can take it counts as lost.
pub(super) fn gain(board: &Board, score: Score, mv: Move) -> i32 {
    let mover = board.side_to_move();
    let gain = sign(mover) * (score.after(board, mv).value() - score.value());
    let pawns = board.colored_pieces(!mover, Piece::Pawn) & !mv.to.bitboard();
    let piece = board.piece_on(mv.from).filter(|_| !board.colors(mover).has(mv.to));
    if (get_pawn_attacks(mv.to, mover) & pawns).is_empty() {
        return gain;
    }
    gain - mv.promotion.or(piece).map_or(0, |piece| WORTH[piece as usize])
}

/// How good a move looks: twice as good for every two pawns that it gains at once, and the better the fewer replies it
/// leaves.
pub(super) fn move_score(board: &Board, score: Score, mv: Move) -> f64 {
    let mut after = board.clone();
    after.play_unchecked(mv);
    let mut replies = 0;
    after.generate_moves(|set| {
        replies += set.len();
        false
    });
    (f64::from(gain(board, score, mv)) / 200.0).exp2() / (1 + replies) as f64
}
