//! Chess in text: boards in Forsyth-Edwards notation, moves from square to square or in algebraic notation.

use super::board::{passing, ChessPosition};
use super::Chess;
use crate::game::Rules;
use cozy_chess::util::{display_san_move, display_uci_move};
use cozy_chess::{Board, BoardBuilder, Color, FenParseError, File, Move, Piece, Square};

/// `e2e4`, `e1g1`, `e7e8q`; in Chess960 a king that castles takes its own rook, `e1h1`.
pub(super) fn move_name(game: &Chess, position: &ChessPosition, mv: Move) -> String {
    match game.is_960() {
        true => mv.to_string(),
        false => display_uci_move(&position.board, mv).to_string(),
    }
}

/// `e4`, `O-O`, `e8=Q+`.
pub(super) fn move_text(position: &ChessPosition, mv: Move) -> String {
    display_san_move(&position.board, mv).to_string()
}

/// The place of the move that a text means: from square to square, or in algebraic notation with as much as is needed
/// to tell it from the others.
pub(super) fn find_move(
    game: &Chess,
    position: &ChessPosition,
    moves: &[Move],
    text: &str,
) -> Option<usize> {
    let named = |name: &str| moves.iter().position(|mv| move_name(game, position, *mv) == name);
    let algebraic = || {
        let wanted = Algebraic::read(text)?;
        let mut fitting = (0..).zip(moves).filter(|(_, mv)| wanted.fits(&position.board, **mv));
        match (fitting.next(), fitting.next()) {
            (Some((place, _)), None) => Some(place),
            _ => None,
        }
    };
    // B6b7 is a bishop's move and b6b7 a pawn's; but E2E4 is what it looks like
    named(text).or_else(algebraic).or_else(|| named(&text.to_ascii_lowercase()))
}

/// What a move in algebraic notation says.
enum Algebraic {
    Castling {
        short: bool,
    },
    Piece {
        piece: Piece,
        file: Option<File>,
        rank: Option<char>,
        to: Square,
        promotion: Option<Piece>,
    },
}

impl Algebraic {
    fn read(text: &str) -> Option<Algebraic> {
        let text = text.trim_end_matches(['+', '#', '!', '?']);
        match text {
            "O-O" | "0-0" | "o-o" => return Some(Algebraic::Castling { short: true }),
            "O-O-O" | "0-0-0" | "o-o-o" => return Some(Algebraic::Castling { short: false }),
            _ => {}
        }
        let mut letters: Vec<char> =
            text.chars().filter(|letter| !"x:-=".contains(*letter)).collect();
        let promotion = letters.last().copied().filter(char::is_ascii_uppercase).and_then(piece);
        if promotion.is_some() {
            letters.pop();
        }
        let piece = letters.first().copied().filter(char::is_ascii_uppercase);
        let piece = match piece {
            Some(letter) => {
                letters.remove(0);
                self::piece(letter)?
            }
            None => Piece::Pawn,
        };
        let (rank, file) = (letters.pop()?, letters.pop()?);
        let to = format!("{file}{rank}").parse().ok()?;
        let (mut file, mut rank) = (None, None);
        for hint in letters {
            match hint {
                'a'..='h' if file.is_none() => file = hint.try_into().ok(),
                '1'..='8' if rank.is_none() => rank = Some(hint),
                _ => return None,
            }
        }
        Some(Algebraic::Piece { piece, file, rank, to, promotion })
    }

    fn fits(&self, board: &Board, mv: Move) -> bool {
        let castling = board.colors(board.side_to_move()).has(mv.to);
        match *self {
            Algebraic::Castling { short } => castling && short == (mv.to.file() > mv.from.file()),
            Algebraic::Piece { piece, file, rank, to, promotion } => {
                !castling
                    && board.piece_on(mv.from) == Some(piece)
                    && (mv.to, mv.promotion) == (to, promotion)
                    && file.is_none_or(|file| file == mv.from.file())
                    && rank.is_none_or(|rank| char::from(mv.from.rank()) == rank)
            }
        }
    }
}

/// The piece that a letter stands for, a pawn excepted.
fn piece(letter: char) -> Option<Piece> {
    letter.to_ascii_lowercase().try_into().ok().filter(|piece| *piece != Piece::Pawn)
}

const EXAMPLE: &str =
    "write a board in Forsyth-Edwards notation, or moves such as e2e4 e7e5 or e4 e5";

pub(super) fn read(game: &Chess, text: &str) -> Result<ChessPosition, String> {
    let mut words: Vec<&str> =
        text.split([' ', ',', '\t', '\n']).filter(|word| !word.is_empty()).collect();
    if matches!(words.first(), Some(&"fen" | &"startpos")) {
        words.remove(0);
    }
    let has_board = words.first().is_some_and(|word| word.contains('/') && word.len() > 7);
    let (board, moves) =
        if has_board { read_board(game, &words)? } else { (game.first_board(), &words[..]) };
    let moves = match moves {
        ["moves", rest @ ..] => rest,
        rest => rest,
    };
    read_moves(game, ChessPosition::new(board), moves)
}

/// Reads the fields of a board; returns what follows. The last two may be left out, as in collections of
/// positions, whose remarks are not read.
fn read_board<'a>(game: &Chess, words: &'a [&'a str]) -> Result<(Board, &'a [&'a str]), String> {
    let number = |word: &&&str| word.bytes().all(|byte| byte.is_ascii_digit());
    let counters = words.iter().skip(4).take(2).take_while(number).count();
    let (fields, rest) = words.split_at(words.len().min(4 + counters));
    let mut written = fields.to_vec();
    let rights = fields.get(2).map(|rights| rooks(fields[0], rights)).unwrap_or_default();
    if game.is_960() && written.len() > 2 {
        written[2] = &rights;
    }
    let mut fen = written.join(" ");
    match fields.len() {
        6 => {}
        4 => fen.push_str(" 0 1"),
        5 => {
            return Err(
                "after the clock of moves without capture, write the number of the move".into()
            )
        }
        _ => {
            return Err(
                "a board has squares, side to move, castling, en passant: write - for nothing"
                    .into(),
            )
        }
    }
    let board = Board::from_fen(&fen, game.is_960()).map_err(|error| wrong(error, fields))?;
    for color in Color::ALL {
        let rights = board.castle_rights(color);
        let some = rights.short.is_some() || rights.long.is_some();
        if some && board.king(color).file() != File::E && !game.is_960() {
            return Err(wrong(FenParseError::InvalidCastlingRights, fields));
        }
    }
    let remarks = !rest.is_empty() && rest[0] != "moves";
    if remarks && !rest.iter().any(|word| word.ends_with(';')) {
        let word = rest[0].escape_debug();
        return Err(format!(
            "'{word}' after the board: write moves before the moves played from there"
        ));
    }
    Ok((board, if remarks { &[] } else { rest }))
}

/// The rights to castle in Chess960, by the files of the rooks: K and Q, k and q stand for the outermost ones.
fn rooks(board: &str, rights: &str) -> String {
    let file = |right: char| {
        let (white, color) = (right.is_ascii_uppercase(), |piece: char| match right {
            'K' | 'Q' => piece.to_ascii_uppercase(),
            _ => piece,
        });
        let rank = if white { board.rsplit('/').next() } else { board.split('/').next() };
        let mut squares = String::new();
        for letter in rank?.chars() {
            match letter.to_digit(10) {
                Some(empty) => squares.extend(std::iter::repeat_n('.', empty as usize)),
                None => squares.push(letter),
            }
        }
        let (king, rook) = (squares.find(color('k'))?, color('r'));
        let place = match right {
            'K' | 'k' => squares.rfind(rook).filter(|place| *place > king)?,
            'Q' | 'q' => squares.find(rook).filter(|place| *place < king)?,
            _ => return None,
        };
        let letter = char::from(b'a' + u8::try_from(place).ok().filter(|place| *place < 8)?);
        Some(if white { letter.to_ascii_uppercase() } else { letter })
    };
    rights.chars().map(|right| file(right).unwrap_or(right)).collect()
}

/// What is wrong with a board, and what to write.
fn wrong(error: FenParseError, fields: &[&str]) -> String {
    let field = |at: usize| fields.get(at).copied().unwrap_or_default().escape_debug().to_string();
    match error {
        FenParseError::InvalidSideToMove => format!("the side to move is '{}': write w or b", field(1)),
        FenParseError::InvalidCastlingRights => format!(
            "the rights to castle are '{}': write those of KQkq whose king and rook are at home, or -",
            field(2)
        ),
        FenParseError::InvalidEnPassant => {
            format!("'{}' is not the square that a pawn has just passed: write it, or -", field(3))
        }
        FenParseError::InvalidHalfMoveClock => {
            format!("the clock of moves without capture is '{}': write 0 to 100", field(4))
        }
        FenParseError::InvalidFullmoveNumber => {
            format!("the number of the move is '{}': write 1 to 65535", field(5))
        }
        _ => format!(
            "the board '{}' is not possible: write eight ranks of eight squares, one king a side, no pawns on the \
             first and last rank, and nobody in check who is not to move",
            field(0)
        ),
    }
}

/// Plays the moves; numbers of moves and results of games are passed over.
fn read_moves(
    game: &Chess,
    mut position: ChessPosition,
    words: &[&str],
) -> Result<ChessPosition, String> {
    let mut count = 0;
    for word in words {
        let digits = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let text = if digits.starts_with('.') { digits.trim_start_matches('.') } else { word };
        let result = matches!(text, "1-0" | "0-1" | "1/2-1/2" | "*");
        if text.is_empty() || result {
            continue;
        }
        count += 1;
        let text_shown = text.escape_debug();
        let mut moves = Vec::new();
        // a game that goes on has not been called a draw; the game itself never fails
        let unclaimed = position.unclaimed();
        game.moves(&unclaimed, &mut moves).map_err(|error| error.to_string())?;
        if moves.is_empty() {
            return Err(format!(
                "the game was already over at move {count}, '{text_shown}'; leave out the moves from there"
            ));
        }
        let Some(place) = find_move(game, &position, &moves, text) else {
            let names: Vec<String> = moves.iter().map(|mv| move_text(&position, *mv)).collect();
            return Err(match Algebraic::read(text).is_some() || text.parse::<Move>().is_ok() {
                true => format!(
                    "'{text_shown}' at move {count} is not a legal move, or not the only one; the moves there are {}",
                    names.join(" ")
                ),
                false => format!("bad move '{text_shown}' at move {count}; {EXAMPLE}"),
            });
        };
        position = game.play(&position, &moves[place]).map_err(|error| error.to_string())?;
    }
    Ok(position)
}

/// The board before the moves that can be taken back, and those moves.
fn origin(position: &ChessPosition) -> (BoardBuilder, Vec<String>) {
    let mut board = BoardBuilder::from_board(&position.board);
    board.en_passant = passing(&position.board);
    let mut moves = Vec::new();
    for (from, to) in position.past_moves() {
        moves.push(format!("{from}{to}"));
        board.board[from as usize] = board.board[to as usize].take();
        board.en_passant = None;
        board.side_to_move = !board.side_to_move;
        board.halfmove_clock = board.halfmove_clock.saturating_sub(1);
        if board.side_to_move == Color::Black {
            board.fullmove_number = board.fullmove_number.saturating_sub(1).max(1);
        }
    }
    moves.reverse();
    (board, moves)
}

fn letter(square: Option<(Piece, Color)>) -> char {
    square.map_or('.', |(piece, color)| match color {
        Color::White => char::from(piece).to_ascii_uppercase(),
        Color::Black => char::from(piece),
    })
}

/// The board as it was after the last move that cannot be taken back, and the moves since, if any.
pub(super) fn write(game: &Chess, position: &ChessPosition) -> String {
    let (board, moves) = origin(position);
    let mut text = String::new();
    for rank in (0..8).rev() {
        let mut empty = 0;
        for file in 0..8 {
            let square = board.board[8 * rank + file];
            if square.is_none() {
                empty += 1;
                continue;
            }
            if empty > 0 {
                text.push_str(&std::mem::take(&mut empty).to_string());
            }
            text.push(letter(square));
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
        }
        text.push(if rank > 0 { '/' } else { ' ' });
    }
    text.push(if board.side_to_move == Color::White { 'w' } else { 'b' });
    let mut rights = String::new();
    for (color, letters) in Color::ALL.into_iter().zip([['K', 'Q'], ['k', 'q']]) {
        let rook = board.castle_rights(color);
        for (file, letter) in [rook.short, rook.long].into_iter().zip(letters) {
            let own = |file: File| match color {
                Color::White => char::from(file).to_ascii_uppercase(),
                Color::Black => char::from(file),
            };
            rights.extend(file.map(|file| if game.is_960() { own(file) } else { letter }));
        }
    }
    let or_dash = |text: String| if text.is_empty() { "-".into() } else { text };
    let passing = board.en_passant.map(|square| square.to_string()).unwrap_or_default();
    let (clock, number) = (board.halfmove_clock, board.fullmove_number);
    text.push_str(&format!(" {} {} {clock} {number}", or_dash(rights), or_dash(passing)));
    if !moves.is_empty() {
        text.push_str(&format!(" moves {}", moves.join(" ")));
    }
    text
}

/// The notation of the position with the colours exchanged and the board seen from the other side.
pub(super) fn swapped(game: &Chess, position: &ChessPosition) -> String {
    let text = write(game, position);
    let mut words = text.split(' ');
    let mut fields = Vec::new();
    let exchange = |letter: char| match letter {
        _ if letter.is_ascii_uppercase() => letter.to_ascii_lowercase(),
        _ => letter.to_ascii_uppercase(),
    };
    let board: String = words.next().unwrap_or_default().chars().map(exchange).collect();
    fields.push(board.split('/').rev().collect::<Vec<_>>().join("/"));
    fields.push(if words.next() == Some("w") { "b" } else { "w" }.into());
    fields.push(words.next().unwrap_or_default().chars().map(exchange).collect());
    let turned = |letter: char| match letter {
        '1'..='8' => (b'1' + b'8' - letter as u8) as char,
        _ => letter,
    };
    fields.push(words.next().unwrap_or_default().chars().map(turned).collect());
    fields.extend(words.by_ref().take(2).map(String::from));
    fields.extend(words.map(|word| word.chars().map(turned).collect()));
    fields.join(" ")
}

pub(super) fn picture(position: &ChessPosition) -> String {
    let board = BoardBuilder::from_board(&position.board);
    let mut text = String::new();
    for rank in (0..8).rev() {
        text.push_str(&format!(" {}", rank + 1));
        for file in 0..8 {
            text.extend([' ', letter(board.board[8 * rank + file])]);
        }
        text.push('\n');
    }
    text.push_str("   a b c d e f g h");
    text
}
