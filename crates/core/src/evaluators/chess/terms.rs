//! What counts in a position, as numbered terms whose weights are in `weights`: pieces on their squares, mobility, pawns,
//! threats, the king's safety. Terms that all chess programs know (C. Shannon 1950 names most of them).

use cozy_chess::{
    get_bishop_moves, get_king_moves, get_knight_moves, get_rook_moves, BitBoard, Board, Color,
    File, Piece, Square,
};

/// Kinds of terms; each has as many weights as [`TermKind::COUNTS`] says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TermKind {
    /// By piece, rank and distance of the file from the edge: 32 for each piece.
    Places,
    /// By how many squares a piece can go to.
    Knight,
    Bishop,
    Rook,
    Queen,
    Doubled,
    Isolated,
    /// A pawn that no other can defend, and that cannot go forward.
    Backward,
    /// Pawns beside each other or defended, and passed pawns: by rank.
    Connected,
    Passed,
    /// A passed pawn whose next square is free and not attacked.
    Free,
    /// By the distance of the king from the square before a passed pawn.
    OwnKing,
    OtherKing,
    TwoBishops,
    OpenFile,
    HalfOpenFile,
    /// A knight or bishop that a pawn defends and no pawn can attack.
    Outpost,
    /// On the files of the king: the nearest own and other pawn before it, by distance; 0: none.
    Shelter,
    Storm,
    /// By how many pieces attack around the king, and can check.
    Danger,
    /// Attacks on a knight, bishop, rook, queen by less valuable pieces.
    ByPawn,
    ByMinor,
    ByRook,
    /// A piece that is attacked and not defended.
    Hanging,
    Tempo,
}

impl TermKind {
    pub const COUNTS: [(&'static str, usize); 25] = [
        ("places", 192),
        ("knight", 9),
        ("bishop", 14),
        ("rook", 15),
        ("queen", 28),
        ("doubled", 1),
        ("isolated", 1),
        ("backward", 1),
        ("connected", 8),
        ("passed", 8),
        ("free", 8),
        ("own_king", 8),
        ("other_king", 8),
        ("two_bishops", 1),
        ("open_file", 1),
        ("half_open_file", 1),
        ("outpost", 2),
        ("shelter", 8),
        ("storm", 8),
        ("danger", 32),
        ("by_pawn", 4),
        ("by_minor", 4),
        ("by_rook", 4),
        ("hanging", 1),
        ("tempo", 1),
    ];

    /// How many weights there are.
    pub const ALL: usize = TermKind::first(TermKind::COUNTS.len());

    const fn first(kind: usize) -> usize {
        let (mut sum, mut at) = (0, 0);
        while at < kind {
            sum += TermKind::COUNTS[at].1;
            at += 1;
        }
        sum
    }

    /// The number of one of its terms.
    #[inline(always)]
    pub fn at(self, index: usize) -> usize {
        const FIRST: [usize; TermKind::COUNTS.len()] = {
            let mut first = [0; TermKind::COUNTS.len()];
            let mut at = 0;
            while at < first.len() {
                first[at] = TermKind::first(at);
                at += 1;
            }
            first
        };
        FIRST[self as usize] + index
    }
}

/// Whoever wants to know how often each term occurs: White's times less Black's.
pub(super) trait Tally {
    fn add(&mut self, term: usize, times: i32);
}

fn north(board: BitBoard) -> BitBoard {
    BitBoard(board.0 << 8)
}

fn south(board: BitBoard) -> BitBoard {
    BitBoard(board.0 >> 8)
}

fn sideways(board: BitBoard) -> BitBoard {
    let (a, h) = (File::A.bitboard().0, File::H.bitboard().0);
    BitBoard((board.0 & !h) << 1 | (board.0 & !a) >> 1)
}

fn forward(board: BitBoard, color: Color) -> BitBoard {
    match color {
        Color::White => north(board),
        Color::Black => south(board),
    }
}

/// These squares and all before them.
fn fill(mut board: BitBoard, color: Color) -> BitBoard {
    for step in [8, 16, 32] {
        board |= match color {
            Color::White => BitBoard(board.0 << step),
            Color::Black => BitBoard(board.0 >> step),
        };
    }
    board
}

fn sign(color: Color) -> i32 {
    match color {
        Color::White => 1,
        Color::Black => -1,
    }
}

/// The place of a piece: rank from its own side, file from the edge.
#[inline(always)]
fn place(piece: Piece, square: Square, color: Color) -> usize {
    let rank = square.rank().relative_to(color) as usize;
    let file = square.file() as usize;
    TermKind::Places.at(32 * piece as usize + 4 * rank + file.min(7 - file))
}

/// Terms that depend on the pawns alone; and the passed pawns of both sides.
pub(super) fn pawns(board: &Board, tally: &mut impl Tally) -> [BitBoard; 2] {
    let mut passed = [BitBoard::EMPTY; 2];
    for color in Color::ALL {
        let (own, other) =
            (board.colored_pieces(color, Piece::Pawn), board.colored_pieces(!color, Piece::Pawn));
        let times = sign(color);
        let guarded = forward(sideways(own), color);
        let held = forward(sideways(other), !color);
        let blocked = fill(forward(other | sideways(other), !color), !color);
        for pawn in own {
            let (at, rank) = (pawn.bitboard(), pawn.rank().relative_to(color) as usize);
            let beside = pawn.file().adjacent();
            let ahead = fill(forward(at, color), color);
            tally.add(place(Piece::Pawn, pawn, color), times);
            let doubled = !(ahead & own).is_empty();
            if doubled {
                tally.add(TermKind::Doubled.at(0), times);
            }
            if (own & beside).is_empty() {
                tally.add(TermKind::Isolated.at(0), times);
            } else if !(at & (guarded | sideways(own))).is_empty() {
                tally.add(TermKind::Connected.at(rank), times);
            } else if (own & beside & !ranks_ahead(pawn, color)).is_empty()
                && !(forward(at, color) & held).is_empty()
            {
                tally.add(TermKind::Backward.at(0), times);
            }
            if !doubled && (at & blocked).is_empty() {
                passed[color as usize] |= at;
                tally.add(TermKind::Passed.at(rank), times);
            }
        }
    }
    passed
}

/// All squares of the ranks that a pawn still has to go.
fn ranks_ahead(square: Square, color: Color) -> BitBoard {
    let rank = square.rank() as u32;
    match color {
        Color::White => BitBoard(u64::MAX.checked_shl(8 * (rank + 1)).unwrap_or(0)),
        Color::Black => BitBoard((1 << (8 * rank)) - 1),
    }
}

/// What a side attacks.
#[derive(Clone, Copy, Default)]
struct Attacks {
    pawns: BitBoard,
    minors: BitBoard,
    rooks: BitBoard,
    all: BitBoard,
    /// How dangerous it is to the other king.
    danger: usize,
}

/// All other terms, where the passed pawns are known.
pub(super) fn pieces(board: &Board, passed: [BitBoard; 2], tally: &mut impl Tally) {
    let mut attacks = [Attacks::default(); 2];
    for color in Color::ALL {
        let pawns = board.colored_pieces(color, Piece::Pawn);
        attacks[color as usize].pawns = forward(sideways(pawns), color);
    }
    for color in Color::ALL {
        let other = attacks[!color as usize].pawns;
        move_about(board, color, other, &mut attacks[color as usize], tally);
    }
    for color in Color::ALL {
        let [own, other] = [attacks[color as usize], attacks[!color as usize]];
        threaten(board, color, &own, &other, tally);
        check(board, color, own, &other, tally);
        hide(board, color, tally);
        advance(board, color, passed[color as usize], &other, tally);
    }
    tally.add(TermKind::Tempo.at(0), sign(board.side_to_move()));
}

/// Where the pieces stand and can go.
fn move_about(
    board: &Board,
    color: Color,
    held: BitBoard,
    attacks: &mut Attacks,
    tally: &mut impl Tally,
) {
    let times = sign(color);
    let [own, other] = [color, !color].map(|color| board.colored_pieces(color, Piece::Pawn));
    let king = board.king(color);
    let ring = get_king_moves(board.king(!color));
    let (occupied, free) = (board.occupied(), !board.colors(color) & !held);
    let never_held = !fill(forward(sideways(other), !color), !color);
    attacks.all = attacks.pawns | get_king_moves(king);
    tally.add(place(Piece::King, king, color), times);
    if board.colored_pieces(color, Piece::Bishop).len() >= 2 {
        tally.add(TermKind::TwoBishops.at(0), times);
    }
    for (piece, kind, weight) in [
        (Piece::Knight, TermKind::Knight, 2),
        (Piece::Bishop, TermKind::Bishop, 2),
        (Piece::Rook, TermKind::Rook, 3),
        (Piece::Queen, TermKind::Queen, 4),
    ] {
        for square in board.colored_pieces(color, piece) {
            tally.add(place(piece, square, color), times);
            let reach = match piece {
                Piece::Knight => get_knight_moves(square),
                Piece::Bishop => get_bishop_moves(square, occupied),
                Piece::Rook => get_rook_moves(square, occupied),
                _ => get_bishop_moves(square, occupied) | get_rook_moves(square, occupied),
            };
            tally.add(kind.at((reach & free).len() as usize), times);
            attacks.all |= reach;
            let near = (reach & ring).len() as usize;
            if near > 0 {
                attacks.danger += weight + near.min(3);
            }
            match piece {
                Piece::Knight | Piece::Bishop => {
                    attacks.minors |= reach;
                    if !(square.bitboard() & attacks.pawns & never_held).is_empty() {
                        tally.add(TermKind::Outpost.at(piece as usize - 1), times);
                    }
                }
                Piece::Rook => {
                    attacks.rooks |= reach;
                    let file = square.file().bitboard();
                    match ((file & own).is_empty(), (file & other).is_empty()) {
                        (true, true) => tally.add(TermKind::OpenFile.at(0), times),
                        (true, false) => tally.add(TermKind::HalfOpenFile.at(0), times),
                        _ => {}
                    }
                }
                _ => {}
            }
        }
    }
}

/// Attacks on more valuable or undefended pieces.
fn threaten(board: &Board, color: Color, own: &Attacks, other: &Attacks, tally: &mut impl Tally) {
    let times = sign(color);
    for piece in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
        let victims = board.colored_pieces(!color, piece);
        for (kind, by) in [
            (TermKind::ByPawn, own.pawns),
            (TermKind::ByMinor, own.minors),
            (TermKind::ByRook, own.rooks),
        ] {
            let count = (victims & by).len() as i32;
            if count > 0 {
                tally.add(kind.at(piece as usize - 1), times * count);
            }
        }
    }
    let king = board.king(!color).bitboard();
    let hanging = board.colors(!color) & own.all & !other.all & !king;
    if !hanging.is_empty() {
        tally.add(TermKind::Hanging.at(0), times * hanging.len() as i32);
    }
}

/// How many pieces attack around the other king, and where they can check it.
fn check(board: &Board, color: Color, own: Attacks, other: &Attacks, tally: &mut impl Tally) {
    let king = board.king(!color);
    let occupied = board.occupied();
    let safe = !board.colors(color) & !other.all;
    let (lines, diagonals) = (get_rook_moves(king, occupied), get_bishop_moves(king, occupied));
    let mut danger = own.danger;
    if !(own.minors & get_knight_moves(king) & safe).is_empty() {
        let knights = board.colored_pieces(color, Piece::Knight);
        let from = get_knight_moves(king) & safe;
        let can = knights.into_iter().any(|knight| !(get_knight_moves(knight) & from).is_empty());
        danger += 3 * usize::from(can);
    }
    if !(own.rooks & lines & safe).is_empty() {
        danger += 3;
    }
    for queen in board.colored_pieces(color, Piece::Queen) {
        let reach = get_rook_moves(queen, occupied) | get_bishop_moves(queen, occupied);
        danger += 3 * usize::from(!(reach & (lines | diagonals) & safe).is_empty());
    }
    tally.add(TermKind::Danger.at(danger.min(31)), sign(color));
}

/// Pawns before the king, own and other.
fn hide(board: &Board, color: Color, tally: &mut impl Tally) {
    let times = sign(color);
    let king = board.king(color);
    let row = king.rank().relative_to(color) as usize;
    let ahead = ranks_ahead(king, color) | king.rank().bitboard();
    let middle = (king.file() as usize).clamp(1, 6);
    for file in (middle - 1..=middle + 1).map(File::index) {
        for (kind, pawns) in [(TermKind::Shelter, color), (TermKind::Storm, !color)] {
            let pawns = board.colored_pieces(pawns, Piece::Pawn) & file.bitboard() & ahead;
            let ranks = pawns.into_iter().map(|pawn| pawn.rank().relative_to(color) as usize);
            let distance = ranks.min().map_or(0, |rank| (rank - row).max(1));
            tally.add(kind.at(distance.min(7)), times);
        }
    }
}

/// Passed pawns, and the kings near them.
fn advance(board: &Board, color: Color, passed: BitBoard, other: &Attacks, tally: &mut impl Tally) {
    let times = sign(color);
    for pawn in passed {
        let rank = pawn.rank().relative_to(color) as usize;
        let next = forward(pawn.bitboard(), color);
        let Some(stop) = next.next_square().filter(|_| rank >= 3) else { continue };
        if (next & (board.occupied() | other.all)).is_empty() {
            tally.add(TermKind::Free.at(rank), times);
        }
        tally.add(TermKind::OwnKing.at(distance(board.king(color), stop)), times);
        tally.add(TermKind::OtherKing.at(distance(board.king(!color), stop)), times);
    }
}

/// How many moves a king takes from one square to another.
fn distance(one: Square, two: Square) -> usize {
    let apart = |a: usize, b: usize| a.abs_diff(b);
    let files = apart(one.file() as usize, two.file() as usize);
    files.max(apart(one.rank() as usize, two.rank() as usize))
}
