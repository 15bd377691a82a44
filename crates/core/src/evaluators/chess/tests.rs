#![allow(clippy::unwrap_used)]

use super::exchange::{exchange, promise, victim};
use super::positional::{occurrences, Positional};
use super::value::{sign, Score};
use crate::evaluator::{LeafBounds, Line};
use crate::game::{Notation, Rules};
use crate::games::chess::tests::{legal, random_game, rules};
use crate::testing::Valued;
use cozy_chess::{Board, Color, Move, Piece, Square};

#[test]
fn scores_by_difference_are_scores() {
    for seed in 0..40 {
        for position in random_game(seed) {
            let score = Score::of(&position.board);
            for mv in legal(&position) {
                let after = rules().play(&position, &mv).unwrap();
                assert_eq!(score.after(&position.board, mv), Score::of(&after.board));
            }
        }
    }
}

/// The definition of the search of captures: no window, no order.
fn captures_by_definition(board: &Board) -> i32 {
    let mover = board.side_to_move();
    let mut best = sign(mover) * Score::of(board).value();
    let mut moves = Vec::new();
    board.generate_moves(|set| {
        moves.extend(set);
        false
    });
    for mv in moves {
        let mut after = board.clone();
        after.play_unchecked(mv);
        let captures = after.colors(!mover).len() < board.colors(!mover).len();
        let promotes = mv.promotion == Some(cozy_chess::Piece::Queen);
        if promotes || (captures && mv.promotion.is_none()) {
            best = best.max(-captures_by_definition(&after));
        }
    }
    best
}

#[test]
fn the_search_of_captures_follows_its_definition() {
    let rules = rules();
    for board in [
        "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1",
        "4k3/1P6/8/8/3pP3/8/8/4K3 b - e3 0 1",
        "r2qkb1r/ppp2ppp/2n5/3np3/2B5/5Q2/PPPP1PPP/RNB1K2R w KQkq - 0 6",
        "4k2r/6P1/8/2q5/3P4/8/8/4K3 w k - 0 1",
        "3r2k1/5p2/2p1b1p1/1q1pP1P1/3P1P2/2P1Q3/3R2K1/4B3 b - - 3 40",
    ] {
        let position = rules.parse(board).unwrap();
        let value = rules.judge("captures", None).value(&Line::root(&position)).unwrap();
        let expected = sign(position.mover()) * captures_by_definition(&position.board);
        assert_eq!(value, f64::from(expected), "{board}");
        let bounds = rules.bounds("threats", &position).unwrap();
        bounds.check(value).unwrap();
        let passed = position.board.null_move().unwrap();
        let threat = f64::from(sign(passed.side_to_move()) * captures_by_definition(&passed));
        let (alone, both) = (vec![value], vec![value, threat]);
        let white = position.mover() == Color::White;
        let (upper, lower) = if white { (alone, both) } else { (both, alone) };
        assert_eq!(bounds, LeafBounds { upper, lower });
    }
    let in_check = rules.parse("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1").unwrap();
    assert_eq!(rules.bounds("threats", &in_check), None);
}

/// A position and its mirror image, with the colours exchanged, are worth the opposite.
#[test]
fn all_terms_are_the_same_for_both_sides() {
    for (fen, mirrored) in [
        ("4k3/pp6/8/3P4/8/8/1P4PP/R3K2R w - - 0 1", "r3k2r/1p4pp/8/8/3p4/8/PP6/4K3 b - - 0 1"),
        ("2r1k3/5ppp/8/8/8/5N2/BB3PPP/6K1 b - - 0 1", "6k1/bb3ppp/5n2/8/8/8/5PPP/2R1K3 w - - 0 1"),
    ] {
        let value = |fen: &str| Positional::new().glance(&fen.parse().unwrap());
        assert_eq!(value(fen), -value(mirrored), "{fen}");
        assert_ne!(value(fen), 0);
        let count = |fen: &str| occurrences(&fen.parse().unwrap());
        let negative: Vec<_> =
            count(mirrored).iter().map(|(term, times)| (*term, -times)).collect();
        assert_eq!(count(fen), negative, "{fen}");
    }
}

/// What is remembered changes no value, however little room there is.
#[test]
fn positional_values_do_not_depend_on_what_came_before() {
    let (mut old, mut small) = (Positional::new(), Positional::new());
    small.shrink(0);
    assert!(small.bytes() < 200);
    for position in (0..10).flat_map(random_game) {
        let value = Positional::new().value(&position.board);
        assert_eq!((old.value(&position.board), small.value(&position.board)), (value, value));
    }
}

/// A player may always stop, and never has to begin an exchange that loses.
#[test]
fn exchanges_are_worth_what_they_win() {
    for (fen, from, to, worth) in [
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", Square::E4, Square::D5, None),
        ("4k3/8/2p5/3p4/8/8/3R4/3RK3 w - - 0 1", Square::D2, Square::D5, Some(100 - 500 + 100)),
        ("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", Square::D2, Square::D5, Some(100)),
        ("3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", Square::D2, Square::D5, Some(100 - 500)),
        ("4k3/8/8/3p4/8/4K3/8/3Q4 w - - 0 1", Square::D1, Square::D5, Some(100)),
        ("8/8/4k3/3p4/3K4/8/8/3Q4 w - - 0 1", Square::D1, Square::D3, Some(0)),
    ] {
        let board: Board = fen.parse().unwrap();
        assert_eq!(exchange(&board, Move { from, to, promotion: None }), worth, "{fen}");
    }
    let board: Board = "4k3/1P6/8/8/3pP3/8/8/4K3 b - e3 0 1".parse().unwrap();
    let take = Move { from: Square::D4, to: Square::E3, promotion: None };
    assert_eq!(victim(&board, take), Some(Piece::Pawn));
    assert!(promise(&board, take).is_some_and(|promise| promise > 0));
    assert_eq!(promise(&board, Move { to: Square::D3, ..take }), None);
}
