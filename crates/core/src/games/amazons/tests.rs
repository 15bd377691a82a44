#![allow(clippy::unwrap_used)]

use super::*;
use crate::any::make;
use crate::evaluator::Line;
use crate::game::check_successors;
use crate::mix::splitmix64;
use crate::params::Value;
use crate::perft::perft;
use crate::testing::Valued;
use board::{place, square, BLACK};
use proptest::prelude::*;
use std::collections::{HashMap, HashSet};

fn game(size: usize) -> Amazons {
    Amazons { size }
}

fn legal(game: &Amazons, position: &AmazonsPosition) -> Vec<AmazonsMove> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves).unwrap();
    moves
}

/// The positions of one random game, from the start to the end.
fn random_game(game: &Amazons, mut seed: u64) -> Vec<AmazonsPosition> {
    let mut line = vec![game.start().unwrap()];
    loop {
        let position = line[line.len() - 1];
        let moves = legal(game, &position);
        if moves.is_empty() {
            return line;
        }
        seed = splitmix64(seed);
        line.push(game.play(&position, &moves[seed as usize % moves.len()]).unwrap());
    }
}

/// A board as letters by row from the bottom, and the letter of the player to move: the game by its definition.
#[derive(Clone, Debug, PartialEq)]
struct SlowAmazons {
    rows: Vec<Vec<char>>,
    mover: char,
}

type BoardPlace = (usize, usize);

impl SlowAmazons {
    fn of(game: &Amazons, position: &AmazonsPosition) -> SlowAmazons {
        let picture = game.picture(position);
        let rows = picture.lines().take(game.size).map(|line| {
            line.split_whitespace().skip(1).map(|word| word.chars().next().unwrap()).collect()
        });
        let mut rows: Vec<Vec<char>> = rows.collect();
        rows.reverse();
        SlowAmazons { rows, mover: ['W', 'B'][position.mover()] }
    }

    /// The places that a queen reaches, step by step.
    fn reach(&self, (column, row): BoardPlace) -> Vec<BoardPlace> {
        let size = self.rows.len() as i32;
        let mut found = Vec::new();
        for (right, up) in (-1..=1).flat_map(|x: i32| (-1..=1).map(move |y: i32| (x, y))) {
            let (mut x, mut y) = (column as i32 + right, row as i32 + up);
            while (right, up) != (0, 0)
                && (0..size).contains(&x)
                && (0..size).contains(&y)
                && self.rows[y as usize][x as usize] == '.'
            {
                found.push((x as usize, y as usize));
                (x, y) = (x + right, y + up);
            }
        }
        found.sort_by_key(|&(column, row)| (row, column));
        found
    }

    fn places(&self, letter: char) -> Vec<BoardPlace> {
        let size = self.rows.len();
        let all = (0..size).flat_map(|row| (0..size).map(move |column| (column, row)));
        all.filter(|&(column, row)| self.rows[row][column] == letter).collect()
    }

    fn with(&self, (column, row): BoardPlace, letter: char) -> SlowAmazons {
        let mut next = self.clone();
        next.rows[row][column] = letter;
        next
    }

    /// Moves with what they lead to, in order.
    fn children(&self) -> Vec<([BoardPlace; 3], SlowAmazons)> {
        let mut found = Vec::new();
        for from in self.places(self.mover) {
            let lifted = self.with(from, '.');
            for to in self.reach(from) {
                for arrow in lifted.reach(to) {
                    let mut next = lifted.with(to, self.mover).with(arrow, 'x');
                    next.mover = if self.mover == 'W' { 'B' } else { 'W' };
                    found.push(([from, to, arrow], next));
                }
            }
        }
        found
    }

    /// How many moves a player's amazons are away from every place.
    fn distances(&self, player: char) -> HashMap<BoardPlace, usize> {
        let mut found = HashMap::new();
        let mut border: HashSet<BoardPlace> = self.places(player).into_iter().collect();
        for distance in 1.. {
            let next: HashSet<BoardPlace> =
                border.iter().flat_map(|&place| self.reach(place)).collect();
            border = next.into_iter().filter(|place| !found.contains_key(place)).collect();
            if border.is_empty() {
                break;
            }
            found.extend(border.iter().map(|&place| (place, distance)));
        }
        found
    }

    /// Territory, places that are as near for both, and places within one move.
    fn value(&self) -> f64 {
        let (white, black) = (self.distances('W'), self.distances('B'));
        let mut value = 0.0;
        for place in self.places('.') {
            let far = usize::MAX;
            let [own, other] = [&white, &black].map(|all| *all.get(&place).unwrap_or(&far));
            value += f64::from(own < other) - f64::from(other < own);
            value += (f64::from(own == 1) - f64::from(other == 1)) / 4.0;
            if own == other && own < far {
                value += if self.mover == 'W' { 0.25 } else { -0.25 };
            }
        }
        value
    }
}

/// What must hold at every position of a game.
fn check(game: &Amazons, position: &AmazonsPosition) {
    let before = *position;
    let (slow, moves) = (SlowAmazons::of(game, position), legal(game, position));
    let expected = slow.children();
    let outcome = game.outcome(position).unwrap();
    assert_eq!(outcome.is_some(), expected.is_empty());
    assert!(outcome.is_none_or(|value| (value > 0.0) == (slow.mover == 'B')));
    assert_eq!(game.parse(&game.notation(position)).unwrap(), *position);

    let (mut children, mut successors) = (Vec::new(), Vec::new());
    game.children(position, &moves, &mut children).unwrap();
    game.successors(position, &moves, 0.25, &mut successors).unwrap();
    assert_eq!(moves.len(), expected.len());
    check_successors(game, position).unwrap();
    for (at, (mv, (places, after))) in moves.iter().zip(&expected).enumerate() {
        assert_eq!([mv.from, mv.to, mv.arrow].map(place), *places);
        let next = game.play(position, mv).unwrap();
        // the slow board is slow: all moves, but not all boards
        if at % 17 == 0 {
            assert_eq!(SlowAmazons::of(game, &next), *after);
        }
        let outcome = game.outcome(&next).unwrap();
        let terminal = outcome.is_some();
        let value = outcome.unwrap_or_else(|| game.evaluate(&next).unwrap());
        assert_eq!(children[at], Child { position: next, value, terminal });
        let value = outcome.unwrap_or(0.25);
        assert_eq!(successors[at], Child { position: next, value, terminal });
        assert_ne!(game.max_to_move(&next), game.max_to_move(position));
        assert_ne!(game.key(&next).unwrap(), game.key(position).unwrap());
    }
    assert_eq!(*position, before);

    let value = game.evaluate(position).unwrap();
    assert!(value.abs() < game.win() || outcome.is_some(), "{value}");
    if outcome.is_none() {
        assert_eq!(value, slow.value());
    }
    let swapped = game.swapped(position).unwrap();
    assert_eq!(game.evaluate(&swapped).unwrap(), -value);
    assert_eq!(game.swapped(&swapped).unwrap(), *position);
    assert_eq!(legal(game, &swapped), moves);

    let mut scores = Vec::new();
    game.move_scores(position, &moves, &mut scores).unwrap();
    assert!(scores.iter().all(|score| score.is_finite() && *score > 0.0));
    assert_eq!(scores.len(), moves.len());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn random_games_are_those_of_the_slow_game(size in 4usize..=10, seed: u64) {
        let game = game(size);
        let line = random_game(&game, seed);
        line.iter().step_by(1 + size / 3).for_each(|position| check(&game, position));
        check(&game, &line[line.len() - 1]);
    }

    #[test]
    fn random_boards_are_those_of_the_slow_game(size in 4usize..=10, mut seed: u64, arrows in 0u64..8) {
        let game = game(size);
        let (mut amazons, mut burnt) = ([0u128; 2], 0);
        for (column, row) in (0..size).flat_map(|row| (0..size).map(move |column| (column, row))) {
            seed = splitmix64(seed);
            let bit = 1 << square(column, row);
            match seed % 32 {
                0 => amazons[WHITE] |= bit,
                1 => amazons[BLACK] |= bit,
                other if other % 8 < arrows => burnt |= bit,
                _ => {}
            }
        }
        prop_assume!(amazons[WHITE] != 0 && amazons[BLACK] != 0);
        let position = AmazonsPosition::new(size, amazons, burnt);
        check(&game, &position);
        check(&game, &position.passed());
    }

    #[test]
    fn foresight_is_that_of_the_rules(size in 4usize..=5, seed: u64) {
        let game = game(size);
        let line = random_game(&game, seed);
        for position in &line[line.len().saturating_sub(6)..] {
            let moves = legal(&game, position);
            let mut children = Vec::new();
            game.children(position, &moves, &mut children).unwrap();
            let mut foreseen = children.clone();
            game.foresee(position, &moves, &mut foreseen).unwrap();
            for (child, seen) in children.iter().zip(&foreseen) {
                let wins = |mv: &AmazonsMove| child.position.after(*mv).over();
                let wins = !child.terminal && legal(&game, &child.position).iter().any(wins);
                let value = if wins { game.lost(position.mover()) } else { child.value };
                assert_eq!((seen.value, seen.terminal), (value, wins || child.terminal));
            }
        }
    }

    #[test]
    fn a_width_keeps_the_best_moves(size in 4usize..=6, width in 1usize..40, seed: u64) {
        let all = game(size);
        let mut judge = all.judge("territory", Some(width as i64));
        for position in random_game(&all, seed).iter().step_by(3).filter(|at| !at.over()) {
            let moves = legal(&all, position);
            let mut kept = moves.clone();
            judge.consider(&Line::root(position), &mut kept).unwrap();
            assert_eq!(kept.len(), width.min(moves.len()));
            assert!(!judge.is_sound());
            let mut rest = moves.iter();
            assert!(kept.iter().all(|mv| rest.any(|other| other == mv)), "in the game's order");
            let sign = if all.max_to_move(position) { 1.0 } else { -1.0 };
            let value = |mv: &AmazonsMove| sign * all.evaluate(&all.play(position, mv).unwrap()).unwrap();
            let least = kept.iter().map(value).fold(f64::INFINITY, f64::min);
            let better = moves.iter().filter(|mv| value(mv) > least).count();
            assert!(better <= width);
            assert!(moves.iter().all(|mv| value(mv) <= least || kept.contains(mv)));
        }
    }

    #[test]
    fn any_text_is_a_position_or_one_clear_line(
        text in "[a-d1-4/ -]{0,30}|[wbx.1-4]{2,4}(/[wbx.1-4]{2,4}){3} [wb]|\\PC{0,12}",
    ) {
        let game = game(4);
        match game.parse(&text) {
            Ok(position) => check(&game, &position),
            Err(Error::Position(line)) => assert!(line.lines().count() == 1, "{line}"),
            Err(other) => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn positions_are_small_and_keys_differ() {
    assert_eq!(std::mem::size_of::<AmazonsPosition>(), 32);
    assert_eq!(std::mem::size_of::<AmazonsMove>(), 3);
    let (game, mut keys) = (game(5), HashMap::new());
    for seed in 0..3_000 {
        for position in random_game(&game, seed) {
            for position in [position, position.exchanged(), position.passed()] {
                assert_eq!(*keys.entry(game.key(&position).unwrap()).or_insert(position), position);
            }
        }
    }
    assert!(keys.len() > 50_000);
}

/// Counted by two other programs: see tests/data/perft/amazons.txt. A smaller board is one with burnt edges.
const PERFT: [(usize, &str, &[u64]); 6] = [
    (4, "1bb1/b2b/w2w/1ww1 w", &[88, 4_336, 139_500, 2_918_258]),
    (5, "1b1b1/b3b/5/w3w/1w1w1 w", &[260, 50_422, 7_940_210]),
    (6, "1b1b1x/b3bx/5x/5x/w3wx/1w1w1x w", &[410, 129_436]),
    (6, "1b2b1/b4b/6/w4w/1w2w1/xxxxxx w", &[410, 128_094]),
    (6, "2b1b1/6/b5/5w/6/1w1w2 w", &[490, 193_568]),
    (10, "3b2b3/10/10/b8b/10/10/w8w/10/10/3w2w3 w", &[2_176, 4_307_152]),
];

fn check_perft(depths: std::ops::RangeInclusive<u64>) {
    for (size, board, counts) in PERFT {
        let game = game(size);
        let position = game.parse(board).unwrap();
        if !board.contains('x') {
            assert_eq!(position, game.start().unwrap());
        }
        for (ply, count) in (1..).zip(counts) {
            if depths.contains(count) {
                assert_eq!(perft(&game, &position, ply, &mut || Ok(())).unwrap(), *count);
            }
        }
    }
}

#[test]
fn perft_counts() {
    check_perft(0..=3_000_000);
}

#[test]
#[ignore = "takes a while: make verify"]
fn deep_perft_counts() {
    check_perft(3_000_000..=u64::MAX);
}

#[test]
fn sizes() {
    for size in 4..=10 {
        let game = make("amazons", &[("size".into(), Value::Int(size))]).unwrap();
        assert!(!game.start().unwrap().moves().unwrap().is_empty());
    }
    for size in [0, 3, 11, i64::MAX] {
        assert!(make("amazons", &[("size".into(), Value::Int(size))]).is_err());
    }
}

#[test]
fn moves_and_pictures() {
    let game = game(4);
    let position = game.parse("b1-b2-b1, A3-a4-a3").unwrap();
    assert_eq!(game.notation(&position), "bbb1/x2b/ww1w/1xw1 w");
    assert_eq!(
        game.picture(&position),
        " 4  B B B .\n 3  x . . B\n 2  W W . W\n 1  . x W .\n    a b c d"
    );
    assert_eq!(game.parse("b1-b2/b1 a3-a4/a3").unwrap(), position);
    assert_eq!(game.parse("bbb./x..b/ww.w/.xw. w").unwrap(), position);
}

#[test]
fn errors_name_the_fix() {
    let game = game(4);
    for (text, part) in [
        ("b1-b2", "bad move 'b1-b2' at move 1; write from, to and arrow, such as b1-a1-"),
        ("b1-b2-e1", "bad move 'b1-b2-e1'"),
        ("b1-b2-b01", "bad move"),
        ("b1-é2-b1", "bad move 'b1-é2-b1'"),
        ("a3-a4-a3", "a3-a4-a3 at move 1: White has no amazon on a3; begin with one of White's"),
        ("b1-b2-b1 b1-b2-b3", "at move 2: Black has no amazon on b1"),
        ("b1-d2-b1", "b1 to d2 is no free line"),
        ("b1-b2-b4", "b2 to b4 is no free line"),
        ("4/4", "the board has 2 rows; write 4, top row first"),
        ("4/4/4/5 w", "5 squares, not 4, in row 1, '5'"),
        ("4/4/4/1q2 w", "bad character 'q'"),
        ("4/4/99999999999999999999/4 w", "100 squares, not 4, in row 2"),
        ("w3/4/4/4 w", "Black has no amazon; write b for each"),
        ("4/4/4/3b w", "White has no amazon"),
        ("w3/4/4/3b", "write the side to move after the board and a space: w or b"),
        ("w3/4/4/3b w w", "write the side to move"),
    ] {
        match game.parse(text) {
            Err(Error::Position(line)) => {
                assert!(line.contains(part) && !line.contains('\n'), "{text}: {line}")
            }
            other => panic!("{text}: {other:?}"),
        }
    }
}
