#![allow(clippy::unwrap_used)]

use super::*;
use crate::game::check_successors;
use crate::mix::splitmix64;
use crate::perft::perft;
use crate::testing::Valued;
use proptest::prelude::*;
use std::collections::HashMap;

const GAME: Othello = Othello;

fn legal(position: &OthelloPosition) -> Vec<u8> {
    let mut moves = Vec::new();
    GAME.moves(position, &mut moves).unwrap();
    moves
}

/// The positions of one random game, from the start to the end.
fn random_game(mut seed: u64) -> Vec<OthelloPosition> {
    let mut line = vec![OthelloPosition::START];
    loop {
        let position = line[line.len() - 1];
        let moves = legal(&position);
        if moves.is_empty() {
            return line;
        }
        seed = splitmix64(seed);
        line.push(GAME.play(&position, &moves[seed as usize % moves.len()]).unwrap());
    }
}

/// A board as letters, and whether Black is to move: the game by its definition.
#[derive(Clone, Debug, PartialEq)]
struct SlowOthello {
    board: Vec<char>,
    black: bool,
}

impl SlowOthello {
    fn of(position: &OthelloPosition) -> SlowOthello {
        let text = GAME.notation(position);
        SlowOthello { board: text.chars().take(64).collect(), black: text.ends_with('X') }
    }

    /// The squares that a move turns over, found step by step.
    fn turned(&self, square: usize, black: bool) -> Vec<usize> {
        let (own, other) = if black { ('X', 'O') } else { ('O', 'X') };
        let mut turned = Vec::new();
        if self.board[square] != '-' {
            return turned;
        }
        for (right, down) in (-1..=1).flat_map(|x: i32| (-1..=1).map(move |y: i32| (x, y))) {
            let mut line = Vec::new();
            let (mut x, mut y) = ((square % 8) as i32, (square / 8) as i32);
            loop {
                (x, y) = (x + right, y + down);
                if !((0..8).contains(&x) && (0..8).contains(&y)) || (right, down) == (0, 0) {
                    break;
                }
                let at = (8 * y + x) as usize;
                if self.board[at] == other {
                    line.push(at);
                    continue;
                }
                if self.board[at] == own {
                    turned.extend(&line);
                }
                break;
            }
        }
        turned
    }

    fn squares(&self, black: bool) -> Vec<u8> {
        (0..64).filter(|&square| !self.turned(usize::from(square), black).is_empty()).collect()
    }

    fn moves(&self) -> Vec<u8> {
        let own = self.squares(self.black);
        if own.is_empty() && !self.squares(!self.black).is_empty() {
            return vec![PASS];
        }
        own
    }

    fn play(&self, mv: u8) -> SlowOthello {
        let mut next = SlowOthello { board: self.board.clone(), black: !self.black };
        if mv != PASS {
            let turned = self.turned(usize::from(mv), self.black);
            for square in turned.into_iter().chain([usize::from(mv)]) {
                next.board[square] = if self.black { 'X' } else { 'O' };
            }
        }
        next
    }

    fn outcome(&self) -> Option<f64> {
        let count = |disc| self.board.iter().filter(|&&letter| letter == disc).count() as f64;
        let (black, white) = (count('X'), count('O'));
        let rest = (64.0 - black - white) * (black - white).signum();
        let rest = if black == white { 0.0 } else { rest };
        self.moves().is_empty().then_some(black - white + rest)
    }
}

/// Turned over along the long diagonal: a row becomes a column.
fn transposed(position: &OthelloPosition) -> OthelloPosition {
    let turn = |set: u64| {
        (0..64).fold(0, |all, square| all | (set >> square & 1) << (square % 8 * 8 + square / 8))
    };
    let discs = position.discs();
    let discs = Discs { mover: turn(discs.mover), other: turn(discs.other) };
    OthelloPosition::new(discs, position.black_to_move())
}

/// Upside down: the first row becomes the last.
fn upside_down(position: &OthelloPosition) -> OthelloPosition {
    let discs = position.discs();
    let discs = Discs { mover: discs.mover.swap_bytes(), other: discs.other.swap_bytes() };
    OthelloPosition::new(discs, position.black_to_move())
}

fn check(position: &OthelloPosition) {
    let before = *position;
    let (slow, moves) = (SlowOthello::of(position), legal(position));
    assert_eq!(moves, slow.moves());
    let outcome = GAME.outcome(position).unwrap();
    assert_eq!(outcome, slow.outcome());
    assert_eq!(GAME.parse(&GAME.notation(position)).unwrap(), *position);

    check_successors(&GAME, position).unwrap();
    let (mut children, mut successors) = (Vec::new(), Vec::new());
    GAME.children(position, &moves, &mut children).unwrap();
    GAME.successors(position, &moves, 0.25, &mut successors).unwrap();
    for ((mv, child), successor) in moves.iter().zip(&children).zip(&successors) {
        let after = GAME.play(position, mv).unwrap();
        assert_eq!(SlowOthello::of(&after), slow.play(*mv));
        let outcome = GAME.outcome(&after).unwrap();
        let value = outcome.unwrap_or_else(|| GAME.evaluate(&after).unwrap());
        assert_eq!(*child, Child { position: after, value, terminal: outcome.is_some() });
        let value = outcome.unwrap_or(0.25);
        assert_eq!(*successor, Child { position: after, value, terminal: outcome.is_some() });
        assert_ne!(GAME.max_to_move(&after), GAME.max_to_move(position));
        assert_ne!(GAME.key(&after).unwrap(), GAME.key(position).unwrap());
    }
    assert_eq!((children.len(), successors.len()), (moves.len(), moves.len()));
    assert_eq!(*position, before);

    let value = GAME.evaluate(position).unwrap();
    assert!(value.abs() < 64.0 || outcome.is_some(), "{value}");
    assert!(GAME.results().unwrap().contains(&outcome.unwrap_or(0.0)));
    for image in [transposed(position), upside_down(position)] {
        assert_eq!(GAME.evaluate(&image).unwrap(), value);
        assert_eq!(legal(&image).len(), moves.len());
    }
    let swapped = GAME.swapped(position).unwrap();
    assert_eq!(GAME.evaluate(&swapped).unwrap(), -value);
    assert_eq!(legal(&swapped), moves);

    let mut scores = Vec::new();
    GAME.move_scores(position, &moves, &mut scores).unwrap();
    assert!(scores.iter().all(|score| score.is_finite() && *score > 0.0));
    assert_eq!(scores.len(), moves.len());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn random_games_are_those_of_the_slow_game(seed: u64) {
        random_game(seed).iter().for_each(check);
    }

    #[test]
    fn passes_may_be_left_out(seed: u64) {
        let line = random_game(seed);
        let (mut all, mut squares) = (String::new(), String::new());
        for pair in line.windows(2) {
            let mv = legal(&pair[0]).into_iter().find(|mv| GAME.play(&pair[0], mv).unwrap() == pair[1]);
            let name = GAME.move_name(&pair[0], &mv.unwrap());
            all.push_str(&name);
            if mv != Some(PASS) {
                squares.push_str(&name);
            }
        }
        assert_eq!(GAME.parse(&all).unwrap(), line[line.len() - 1]);
        assert_eq!(GAME.parse(&squares).unwrap(), line[line.len() - 1]);
    }

    #[test]
    fn random_boards_are_those_of_the_slow_game(one: u64, two: u64, three: u64, black: bool) {
        // a third to two thirds of the squares are empty, the middle never
        let taken = one | board::MIDDLE;
        let discs = Discs { mover: taken & (two | three), other: taken & !(two | three) };
        check(&OthelloPosition::new(discs, black));
    }

    #[test]
    fn any_text_is_a_position_or_one_clear_line(text in "[a-hA-H1-9XO*. ,;-]{0,80}|\\PC{0,12}") {
        match GAME.parse(&text) {
            Ok(position) => check(&position),
            Err(Error::Position(line)) => assert!(line.lines().count() == 1, "{line}"),
            Err(other) => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn positions_are_small_and_keys_differ() {
    assert_eq!(std::mem::size_of::<OthelloPosition>(), 16);
    let mut keys = HashMap::new();
    for seed in 0..1_000 {
        for position in random_game(seed) {
            for position in [position, position.exchanged()] {
                assert_eq!(*keys.entry(GAME.key(&position).unwrap()).or_insert(position), position);
            }
        }
    }
    assert!(keys.len() > 100_000);
}

/// From tests/data/perft/othello.txt.
const PERFT: [u64; 12] = [
    4,
    12,
    56,
    244,
    1_396,
    8_200,
    55_092,
    390_216,
    3_005_288,
    24_571_056,
    212_258_216,
    1_939_879_668,
];

#[test]
fn perft_counts() {
    for (ply, count) in (1..=8).zip(PERFT) {
        assert_eq!(perft(&GAME, &OthelloPosition::START, ply, &mut || Ok(())).unwrap(), count);
    }
}

#[test]
#[ignore = "takes a minute: make verify"]
fn deep_perft_counts() {
    for (ply, count) in (1..=12).zip(PERFT).skip(8) {
        assert_eq!(perft(&GAME, &OthelloPosition::START, ply, &mut || Ok(())).unwrap(), count);
    }
}

#[test]
fn moves_passes_and_pictures() {
    let start = OthelloPosition::START;
    let names = |position: &OthelloPosition| {
        let names: Vec<String> =
            legal(position).iter().map(|mv| GAME.move_name(position, mv)).collect();
        names.join(" ")
    };
    assert_eq!(names(&start), "d3 c4 f5 e6");
    let position = GAME.parse("F5, d6 c3").unwrap();
    assert_eq!(GAME.parse("f5d6c3").unwrap(), position);
    assert_eq!(
        GAME.picture(&position),
        "   a b c d e f g h\n 1 . . . . . . . .\n 2 . . . . . . . .\n 3 . . X . . . . .\n \
         4 . . . X X . . .\n 5 . . . O X X . .\n 6 . . . O . . . .\n 7 . . . . . . . .\n \
         8 . . . . . . . ."
    );
    // the shortest game of all
    let wiped = GAME.parse("e6f4e3f6g5d6e7f5c5").unwrap();
    assert_eq!(GAME.outcome(&wiped).unwrap(), Some(64.0));
    assert!(legal(&wiped).is_empty());
}

#[test]
fn errors_name_the_fix() {
    let middle = format!("{}OX------XO{}", "-".repeat(27), "-".repeat(27));
    for (text, part) in [
        ("f5d6a1", "a1 at move 3 turns over no disc; the moves there are"),
        ("f5f5", "f5 at move 2 is on a disc; the moves there are f4 d6 f6"),
        ("pass", "pass at move 1 is not allowed; the moves there are d3 c4 f5 e6"),
        ("f5i6", "bad move 'i6' at move 2; write squares a1 to h8"),
        ("f5d", "bad move 'd' at move 2"),
        ("f5 é", "bad move 'é' at move 2"),
        ("f5d6pas", "bad move 'pas' at move 3"),
        ("e6f4e3f6g5d6e7f5c5a1", "already over at move 10, a1"),
        ("XO-", "the board has 3 squares; write 64"),
        (&middle, "write the side to move after the board and a space: X or O"),
        (&format!("{middle} Z"), "write the side to move"),
        (&format!("{middle} X X"), "write the side to move"),
        (&format!("{middle} XX"), "write the side to move"),
        (&format!("{} X", "-".repeat(64)), "d4 is empty; d4, e4, d5 and e5 always have discs"),
        (&format!("#{} X", &middle[1..]), "bad character '#' at a1 of the board"),
    ] {
        match GAME.parse(text) {
            Err(Error::Position(line)) => {
                assert!(line.contains(part) && !line.contains('\n'), "{text}: {line}")
            }
            other => panic!("{text}: {other:?}"),
        }
    }
    let position = GAME.parse(&format!("{middle} *; d3:+0;")).unwrap();
    assert_eq!(position, OthelloPosition::START);
}

/// The result with best play, by plain minimax.
fn minimax(position: &OthelloPosition) -> f64 {
    if let Some(value) = GAME.outcome(position).unwrap() {
        return value;
    }
    let values = legal(position).into_iter().map(|mv| minimax(&GAME.play(position, &mv).unwrap()));
    if position.black_to_move() {
        values.fold(f64::NEG_INFINITY, f64::max)
    } else {
        values.fold(f64::INFINITY, f64::min)
    }
}

/// The last positions of random games that are not over.
fn endings(most_empty: u32) -> impl Iterator<Item = OthelloPosition> {
    (0..300).flat_map(random_game).filter(move |position| {
        GAME.outcome(position).unwrap().is_none()
            && position.discs().empty().count_ones() <= most_empty
    })
}

#[test]
fn the_last_squares_are_played_out_exactly() {
    let mut count = 0;
    for (seed, position) in endings(7).enumerate() {
        let exact = minimax(&position);
        let (low, high) = GAME.result_bounds(&position);
        assert!(low <= exact && exact <= high, "{} {low} {exact} {high}", GAME.notation(&position));
        let at = (splitmix64(seed as u64) % 140) as f64 - 70.0;
        for (alpha, beta) in [(-65.0, 65.0), (f64::NEG_INFINITY, f64::INFINITY), (at, at + 0.5)] {
            let mut nodes = 0;
            let value = GAME.settle(&position, (alpha, beta), &mut nodes).unwrap();
            let right = if value <= alpha {
                exact <= value
            } else if value >= beta {
                exact >= value
            } else {
                exact == value
            };
            assert!(right, "{} {alpha} {beta}: {value}", GAME.notation(&position));
        }
        count += 1;
    }
    assert!(count > 1_000);
    assert_eq!(GAME.settle(&OthelloPosition::START, (-65.0, 65.0), &mut 0), None);
}

#[test]
fn stable_discs_are_never_turned() {
    let mut stable = 0;
    for position in (0..200).flat_map(random_game) {
        let (low, high) = GAME.result_bounds(&position);
        stable += usize::from((low, high) != (-64.0, 64.0));
        let mut end = position;
        while GAME.outcome(&end).unwrap().is_none() {
            let moves = legal(&end);
            end = GAME.play(&end, &moves[moves.len() / 2]).unwrap();
        }
        let value = GAME.outcome(&end).unwrap().unwrap();
        assert!(low <= value && value <= high, "{}", GAME.notation(&position));
    }
    assert!(stable > 1_000);
}
