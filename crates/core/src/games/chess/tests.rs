#![allow(clippy::unwrap_used)]

use super::*;
use crate::evaluator::Line;
use crate::game::check_successors;
use crate::mix::splitmix64;
use crate::params::Value;
use crate::perft::perft;
use crate::testing::Valued;
use proptest::prelude::*;

fn game(params: &[(&str, Value)]) -> Chess {
    let params: Vec<_> =
        params.iter().map(|(name, value)| (name.to_string(), value.clone())).collect();
    Chess::new(&Params::new(&Chess::INFO, &params).unwrap()).unwrap()
}

pub(crate) fn rules() -> Chess {
    game(&[])
}

pub(crate) fn legal(position: &ChessPosition) -> Vec<Move> {
    let mut moves = Vec::new();
    rules().moves(position, &mut moves).unwrap();
    moves
}

/// The positions of one random game, from the start to the end or for 300 plies.
pub(crate) fn random_game(mut seed: u64) -> Vec<ChessPosition> {
    let mut line = vec![rules().start().unwrap()];
    for _ in 0..300 {
        let moves = legal(&line[line.len() - 1]);
        if moves.is_empty() {
            break;
        }
        seed = splitmix64(seed);
        let mv = moves[(seed % moves.len() as u64) as usize];
        line.push(rules().play(&line[line.len() - 1], &mv).unwrap());
    }
    line
}

/// The counts of the suite, up to this many lines each.
fn count_lines(most: u64) {
    let suite = include_str!("../../../../../tests/data/perft/chess.epd");
    let rules = game(&[("draws", Value::Bool(false))]);
    let mut counted = 0;
    for line in suite.lines().filter(|line| !line.starts_with('#')) {
        let (board, counts) = line.split_once(" D").unwrap();
        let position = rules.parse(board).unwrap();
        for entry in counts.split(';').map(|entry| entry.trim().trim_start_matches('D')) {
            let Some((ply, count)) = entry.split_once(' ') else { continue };
            let (ply, count): (u32, u64) = (ply.parse().unwrap(), count.trim().parse().unwrap());
            if count <= most {
                assert_eq!(
                    perft(&rules, &position, ply, &mut || Ok(())).unwrap(),
                    count,
                    "{board}"
                );
                counted += 1;
            }
        }
    }
    assert!(counted > 500);
}

#[test]
fn perft_counts() {
    count_lines(20_000);
}

#[test]
#[ignore = "takes minutes: make verify"]
fn deep_perft_counts() {
    count_lines(200_000_000);
}

#[test]
fn a_family_is_the_sum_of_its_members() {
    let rules = rules();
    for name in ["material", "captures"] {
        let mut judge = rules.judge(name, None);
        for position in random_game(7).iter().take(120) {
            check_successors(&rules, position).unwrap();
            let (moves, line) = (legal(position), Line::root(position));
            let mut children = Vec::new();
            judge.children(&line, &moves, &mut || true, &mut children).unwrap();
            for (mv, child) in moves.iter().zip(children) {
                assert_eq!(child.position, rules.play(position, mv).unwrap());
                let outcome = rules.outcome(&child.position).unwrap();
                assert_eq!(child.terminal, outcome.is_some());
                let below = line.then(&child.position);
                let value = outcome.unwrap_or_else(|| judge.value(&below).unwrap());
                assert_eq!(child.value, value);
            }
        }
    }
}

#[test]
fn foresight_sees_mates_in_one() {
    let position = rules().parse("f3 e5").unwrap();
    let moves = legal(&position);
    let mut children = Vec::new();
    rules().children(&position, &moves, &mut children).unwrap();
    rules().foresee(&position, &moves, &mut children).unwrap();
    for (mv, child) in moves.iter().zip(children) {
        let loses = rules().move_text(&position, mv) == "g4";
        assert_eq!((child.terminal, child.value == -WIN), (loses, loses));
    }
}

#[test]
fn keys_know_what_came_before() {
    let [history, board] =
        ["history", "board"].map(|keys| game(&[("keys", Value::Text(keys.into()))]));
    let key = |game: &Chess, moves: &str| game.key(&game.parse(moves).unwrap()).unwrap().unwrap();
    for (one, two, same) in [
        ("", "Nf3 Nf6 Ng1 Ng8", false), // a repetition is nearer
        ("Nf3 Nf6 Nc3 Nc6", "Nc3 Nc6 Nf3 Nf6", false), // other positions can come back
        ("Nf3 Nf6 Nc3 Nc6 e4", "Nc3 Nc6 Nf3 Nf6 e4", true), // none of them can
        ("Nf3 Nf6 Ng1 Ng8 Nf3 e6", "Nf3 e6", true),
    ] {
        assert_eq!(key(&board, one), key(&board, two));
        assert_eq!(key(&history, one) == key(&history, two), same, "{one}, {two}");
    }
    // a capture in passing that can be made is a right; one that cannot is none
    assert_ne!(key(&board, "e4 a6 e5 d5"), key(&board, "e4 d6 e5 a6 Nf3 d5 Ng1 Nf6 Nf3 Ng8 Ng1"));
    assert_eq!(key(&board, "e4 e5 Nf3"), key(&board, "Nf3 e5 e4"));
    assert!(!history.repeats() && board.repeats());
}

#[test]
fn a_position_is_128_bytes() {
    assert_eq!(size_of::<ChessPosition>(), 128);
}

proptest! {
    #[test]
    fn notation_is_read_back(seed: u64) {
        for position in random_game(seed).iter().step_by(7) {
            let text = rules().notation(position);
            let back = rules().parse(&text).unwrap();
            prop_assert_eq!(&rules().notation(&back), &text);
            prop_assert_eq!(rules().key(&back).unwrap(), rules().key(position).unwrap());
            prop_assert_eq!(legal(&back), legal(position));
            for mv in legal(position) {
                for name in [rules().move_name(position, &mv), rules().move_text(position, &mv)] {
                    let place = rules().find_move(position, &legal(position), &name).unwrap();
                    prop_assert_eq!(legal(position)[place], mv);
                }
            }
            let swapped = rules().swapped(position).unwrap();
            prop_assert_eq!(rules().notation(&rules().swapped(&swapped).unwrap()), text);
            prop_assert_eq!(rules().evaluate(&swapped).unwrap(), -rules().evaluate(position).unwrap());
        }
    }

    #[test]
    fn any_text_is_read_or_refused_in_one_line(text in "[a-hA-H1-8NBRQKPpnbrqkwx=+#O/ .;-]{0,90}|\\PC{0,40}") {
        if let Err(error) = rules().parse(&text) {
            prop_assert_eq!(error.to_string().lines().count(), 1);
        }
    }

    #[test]
    fn boards_with_one_letter_changed(seed: u64, at in 0usize..60, letter in "[1-8pnbrqkPNBRQKw/ -]") {
        for position in random_game(seed).iter().step_by(20) {
            let mut text = rules().notation(position);
            if text.is_char_boundary(at) && at < text.len() {
                text.replace_range(at..=at, &letter);
            }
            if let Ok(position) = rules().parse(&text) {
                let moves = legal(&position);
                prop_assert_eq!(moves.is_empty(), rules().outcome(&position).unwrap().is_some());
                for mv in &moves {
                    rules().outcome(&rules().play(&position, mv).unwrap()).unwrap();
                }
            }
        }
    }
}
