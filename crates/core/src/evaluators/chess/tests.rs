#![allow(clippy::unwrap_used)]

use super::value::{sign, Score};
use crate::evaluator::{LeafBounds, Line};
use crate::game::{Notation, Rules};
use crate::games::chess::tests::{legal, random_game, rules};
use crate::testing::Valued;
use cozy_chess::{Board, Color};

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
fn the_structure_is_the_same_for_both_sides() {
    for (fen, mirrored) in [
        ("4k3/pp6/8/3P4/8/8/1P4PP/R3K2R w - - 0 1", "r3k2r/1p4pp/8/8/3p4/8/PP6/4K3 b - - 0 1"),
        ("2r1k3/5ppp/8/8/8/5N2/BB3PPP/6K1 b - - 0 1", "6k1/bb3ppp/5n2/8/8/8/5PPP/2R1K3 w - - 0 1"),
    ] {
        let value = |fen: &str| super::structure::structure(&fen.parse().unwrap());
        assert_eq!(value(fen), -value(mirrored), "{fen}");
        assert_ne!(value(fen), 0);
    }
}
