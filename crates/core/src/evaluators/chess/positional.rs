//! The evaluator `positional`: all terms with their weights, after a search of captures that leaves out what loses by
//! exchanges or cannot reach the window.

use super::exchange::{each_capture, exchange, promoted, victim};
use super::terms::{self, Tally, TermKind};
use super::value::{sign, WORTH};
use super::weights::WEIGHTS;
use cozy_chess::{BitBoard, Board, Color, Move, Piece};

/// How much of a middle game each piece makes; 24 are a whole one.
const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];
const WHOLE: i32 = 24;
/// What a capture may gain beside the captured piece.
const MORE: i32 = 150;
/// The value of a mate that a search of captures sees: not proven, so less than any win.
const MATED: i32 = -15_000;
/// So many checks in a row are answered; then the static value will do.
const CHECKS: u32 = 6;
/// How many values and pawn structures are remembered; powers of two.
const VALUES: usize = 1 << 13;
const STRUCTURES: usize = 1 << 10;

/// A sum of weighted terms, for the middle game and the end game.
#[derive(Clone, Copy, Default)]
struct TermSum {
    middle: i32,
    end: i32,
}

impl Tally for TermSum {
    #[inline(always)]
    fn add(&mut self, term: usize, times: i32) {
        let (middle, end) = WEIGHTS[term];
        self.middle += times * i32::from(middle);
        self.end += times * i32::from(end);
    }
}

/// What the pawns are worth, and which are passed.
#[derive(Clone, Copy, Default)]
struct Structure {
    pawns: [BitBoard; 2],
    sum: TermSum,
    passed: [BitBoard; 2],
}

/// The evaluator's memory: everything in it can be found again.
pub(super) struct Positional {
    /// The moves that are left, of all boards on the line, with what takes them to the front.
    stack: Vec<(i32, Move)>,
    values: Vec<(u64, i32)>,
    structures: Vec<Structure>,
}

impl Positional {
    pub fn new() -> Positional {
        Positional {
            stack: Vec::new(),
            values: vec![(0, 0); VALUES],
            structures: vec![Structure::default(); STRUCTURES],
        }
    }

    /// Bytes that it takes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.values[..]) + size_of_val(&self.structures[..])
    }

    /// Remembers no more than this many bytes from now on.
    pub fn shrink(&mut self, bytes: usize) {
        while self.bytes() > bytes && self.values.len() > 1 {
            self.values = vec![(0, 0); self.values.len() / 2];
            self.structures = vec![Structure::default(); (self.structures.len() / 2).max(1)];
        }
    }

    /// After a search of captures, from White's side.
    pub fn value(&mut self, board: &Board) -> i32 {
        sign(board.side_to_move()) * self.within(board, -i32::MAX, i32::MAX)
    }

    /// As it stands, from White's side.
    pub fn glance(&mut self, board: &Board) -> i32 {
        // no board has the key 0 for all practical purposes
        let (key, at) = (board.hash(), board.hash() as usize & (self.values.len() - 1));
        if self.values[at].0 != key {
            self.values[at] = (key, self.weigh(board));
        }
        self.values[at].1
    }

    fn weigh(&mut self, board: &Board) -> i32 {
        let Structure { mut sum, passed, .. } = self.structure(board);
        terms::pieces(board, passed, &mut sum);
        let phase = Piece::ALL.into_iter().zip(PHASE);
        let phase = phase.map(|(piece, phase)| phase * board.pieces(piece).len() as i32);
        let phase = phase.sum::<i32>().min(WHOLE);
        let value = (sum.middle * phase + sum.end * (WHOLE - phase)) / WHOLE;
        value / if phase < WHOLE / 2 { drawish(board, value) } else { 1 }
    }

    fn structure(&mut self, board: &Board) -> Structure {
        let pawns = Color::ALL.map(|color| board.colored_pieces(color, Piece::Pawn));
        let key = pawns[0].0.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ pawns[1].0;
        let key = key.wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 40;
        let at = key as usize & (self.structures.len() - 1);
        if self.structures[at].pawns != pawns {
            let mut sum = TermSum::default();
            let passed = terms::pawns(board, &mut sum);
            self.structures[at] = Structure { pawns, sum, passed };
        }
        self.structures[at]
    }

    /// After a search of captures, for the player to move: exact in the open window, else a bound, as far as the search
    /// can tell.
    pub fn within(&mut self, board: &Board, alpha: i32, beta: i32) -> i32 {
        self.search(board, alpha, beta, CHECKS)
    }

    fn search(&mut self, board: &Board, mut alpha: i32, beta: i32, checks: u32) -> i32 {
        let checked = checks > 0 && !board.checkers().is_empty();
        let value = match checked {
            true => MATED,
            false => sign(board.side_to_move()) * self.glance(board),
        };
        let mut best = value;
        if best >= beta {
            return best;
        }
        alpha = alpha.max(best);
        let first = self.stack.len();
        self.generate(board, checked);
        while self.stack.len() > first {
            let left = first..self.stack.len();
            let next = left.max_by_key(|&at| self.stack[at].0).unwrap_or(first);
            let (_, mv) = self.stack.swap_remove(next);
            if !checked {
                let most = value.saturating_add(MORE + promise(board, mv));
                if most <= alpha {
                    best = best.max(most);
                    continue;
                }
                if exchange(board, mv).is_some_and(|won| won < 0) {
                    continue;
                }
            }
            let mut after = board.clone();
            after.play_unchecked(mv);
            let checks = checks - u32::from(checked);
            best = best.max(-self.search(&after, -beta, -alpha, checks));
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        self.stack.truncate(first);
        best
    }

    /// Captures and promotions to a queen, or all moves: the most valuable victim first, by the least valuable attacker.
    fn generate(&mut self, board: &Board, all: bool) {
        let victims = if all { BitBoard::FULL } else { board.colors(!board.side_to_move()) };
        each_capture(board, victims, |piece, mv| {
            self.stack.push((8 * promise(board, mv) - piece as i32, mv));
        });
    }
}

/// How much less an advantage is worth than it seems: without pawns one needs a rook more than the other, and bishops
/// on squares of different colours never meet.
fn drawish(board: &Board, value: i32) -> i32 {
    let better = if value > 0 { Color::White } else { Color::Black };
    let pieces = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];
    let worth = |color| -> i32 {
        let worth = |piece| board.colored_pieces(color, piece).len() as i32 * WORTH[piece as usize];
        pieces.into_iter().map(worth).sum()
    };
    let [own, other] = [better, !better].map(worth);
    if board.colored_pieces(better, Piece::Pawn).is_empty() && own - other < WORTH[3] {
        return 8;
    }
    let bishops = board.pieces(Piece::Bishop);
    let apart = bishops.len() == 2 && (bishops & BitBoard::DARK_SQUARES).len() == 1;
    if apart && own == WORTH[2] && other == WORTH[2] {
        return 2;
    }
    1
}

/// What a move gains at once.
fn promise(board: &Board, mv: Move) -> i32 {
    victim(board, mv).map_or(0, |piece| WORTH[piece as usize]) + promoted(mv)
}

/// How often each term occurs, White's times less Black's: what the weights are fitted with.
pub(super) fn occurrences(board: &Board) -> Vec<(usize, i32)> {
    struct TermCounts(Vec<i32>);
    impl Tally for TermCounts {
        fn add(&mut self, term: usize, times: i32) {
            self.0[term] += times;
        }
    }
    let mut counts = TermCounts(vec![0; TermKind::ALL]);
    let passed = terms::pawns(board, &mut counts);
    terms::pieces(board, passed, &mut counts);
    counts.0.into_iter().enumerate().filter(|(_, count)| *count != 0).collect()
}

/// What a kind of terms is worth to White, in the middle game and the end game.
type Worth = (&'static str, [i32; 2]);

/// The worth of all kinds that occur, and how often each term does: White's times less Black's.
pub(super) fn explain(board: &Board) -> (Vec<Worth>, Vec<(usize, i32)>) {
    let terms = occurrences(board);
    let mut worth = Vec::new();
    let mut first = 0;
    for (name, count) in TermKind::COUNTS {
        let mut sum = TermSum::default();
        let own = terms.iter().filter(|(term, _)| (first..first + count).contains(term));
        own.for_each(|(term, times)| sum.add(*term, *times));
        if (sum.middle, sum.end) != (0, 0) {
            worth.push((name, [sum.middle, sum.end]));
        }
        first += count;
    }
    (worth, terms)
}
