#![allow(clippy::unwrap_used)]

use super::board::WHITE;
use super::*;
use crate::any::make;
use crate::game::check_successors;
use crate::mix::splitmix64;
use crate::params::Value;
use crate::perft::perft;
use crate::scores::GREATEST;
use crate::testing::Valued;
use proptest::prelude::*;
use std::collections::HashMap;

/// The positions of one random game, from the empty board to the end.
fn random_game<const W: usize>(game: &HexGame<W>, mut seed: u64) -> Vec<HexPosition<W>> {
    let mut line = vec![game.start().unwrap()];
    loop {
        let position = line[line.len() - 1];
        let moves = legal(game, &position);
        if moves.is_empty() {
            return line;
        }
        seed = splitmix64(seed);
        // a swap is one of many moves: take it often enough to be seen
        let swap = seed >> 60 < 8 && moves.last() == Some(&game.swap_move());
        let pick = if swap { moves.len() - 1 } else { seed as usize % moves.len() };
        line.push(game.play(&position, &moves[pick]).unwrap());
    }
}

fn legal<const W: usize>(game: &HexGame<W>, position: &HexPosition<W>) -> Vec<HexMove> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves).unwrap();
    moves
}

fn scores<const W: usize>(game: &HexGame<W>, position: &HexPosition<W>) -> Vec<f64> {
    let mut scores = Vec::new();
    game.move_scores(position, &legal(game, position), &mut scores).unwrap();
    scores
}

/// Turned by half: the same position for both players.
fn turned<const W: usize>(game: &HexGame<W>, position: &HexPosition<W>) -> HexPosition<W> {
    let last = game.board.size * game.board.size - 1;
    let mut other = HexPosition::empty(position.white_began());
    for colour in [BLACK, WHITE] {
        for cell in position.stones(colour).cells() {
            other = other.with(colour, last - cell, false);
        }
    }
    other
}

/// Whether a colour's stones join its edges, by a walk from cell to cell.
fn joined_by_definition<const W: usize>(
    game: &HexGame<W>,
    position: &HexPosition<W>,
    colour: usize,
) -> bool {
    let size = game.board.size as i32;
    let has = |row: i32, column: i32| {
        let inside = (0..size).contains(&row) && (0..size).contains(&column);
        inside && position.stones(colour).has((size * row + column) as usize)
    };
    let along = |row: i32, column: i32| if colour == BLACK { row } else { column };
    let cells = (0..size).flat_map(|row| (0..size).map(move |column| (row, column)));
    let mut open: Vec<(i32, i32)> =
        cells.filter(|&(row, column)| along(row, column) == 0 && has(row, column)).collect();
    let mut seen = open.clone();
    while let Some((row, column)) = open.pop() {
        if along(row, column) == size - 1 {
            return true;
        }
        for (down, right) in [(0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (1, -1)] {
            let next = (row + down, column + right);
            if has(next.0, next.1) && !seen.contains(&next) {
                seen.push(next);
                open.push(next);
            }
        }
    }
    false
}

/// What must hold at every position of a game.
fn check<const W: usize>(game: &HexGame<W>, position: &HexPosition<W>) {
    let outcome = game.outcome(position).unwrap();
    let joined = [BLACK, WHITE].map(|colour| joined_by_definition(game, position, colour));
    assert_eq!(
        outcome,
        [[None, Some(-1.0)], [Some(1.0), None]][usize::from(joined[0])][usize::from(joined[1])]
    );
    assert_eq!(game.parse(&game.notation(position)).unwrap(), *position);

    let moves = legal(game, position);
    assert_eq!(moves.is_empty(), outcome.is_some());
    check_successors(game, position).unwrap();
    let mut children = Vec::new();
    game.successors(position, &moves, 0.25, &mut children).unwrap();
    for (mv, child) in moves.iter().zip(&children) {
        let after = game.play(position, mv).unwrap();
        let outcome = game.outcome(&after).unwrap();
        let value = outcome.unwrap_or(0.25);
        assert_eq!(*child, Child { position: after, value, terminal: outcome.is_some() });
        assert_ne!(game.max_to_move(&after), game.max_to_move(position));
        assert_ne!(game.key(&after).unwrap(), game.key(position).unwrap());
    }
    assert_eq!(children.len(), moves.len());

    let swapped = game.swapped(position);
    assert_eq!(swapped.is_none(), game.swap && position.ply() < 2);
    if let Some(swapped) = swapped {
        assert_eq!(game.swapped(&swapped).unwrap(), *position);
        assert_eq!(game.parse(&game.notation(&swapped)).unwrap(), swapped);
        assert_eq!(game.outcome(&swapped).unwrap(), outcome.map(|value| -value));
        assert_ne!(game.max_to_move(&swapped), game.max_to_move(position));
    }
}

/// What must hold of the heuristic at every position that is not over.
fn check_heuristic<const W: usize>(game: &HexGame<W>, position: &HexPosition<W>) {
    if position.over() {
        return;
    }
    let value = game.evaluate(position).unwrap();
    assert!(-1.0 < value && value < 1.0, "{value}");
    let turned = turned(game, position);
    assert_eq!(game.evaluate(&turned).unwrap(), value);
    let (moves, given) = (legal(game, position), scores(game, position));
    assert!(given.iter().all(|score| score.is_finite() && *score > 0.0), "{given:?}");
    let there: HashMap<HexMove, f64> =
        legal(game, &turned).into_iter().zip(scores(game, &turned)).collect();
    let last = game.swap_move() - 1;
    for (mv, score) in moves.iter().zip(&given) {
        let image = if *mv > last { *mv } else { last - mv };
        assert_eq!(there[&image], *score, "{}", game.notation(position));
    }
    if let Some(swapped) = game.swapped(position) {
        assert_eq!(game.evaluate(&swapped).unwrap(), -value);
        let there: HashMap<HexMove, f64> =
            legal(game, &swapped).into_iter().zip(scores(game, &swapped)).collect();
        for (mv, score) in moves.iter().zip(&given) {
            assert_eq!(there[&(game.board.transposed((*mv).into()) as HexMove)], *score);
        }
    }
    let mut errors = Vec::new();
    game.relative_errors(position, &moves, &mut errors).unwrap();
    assert!(errors.contains(&0) && errors.iter().all(|error| *error <= GREATEST));
    assert_eq!(errors.len(), moves.len());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn random_games_of_one_word(size in 1usize..=7, swap: bool, seed: u64) {
        let game = HexGame::<1>::new(size, swap);
        for position in random_game(&game, seed) {
            check(&game, &position);
            check_heuristic(&game, &position);
        }
    }

    #[test]
    fn random_games_of_two_words(size in 8usize..=11, swap: bool, seed: u64) {
        let game = HexGame::<2>::new(size, swap);
        let line = random_game(&game, seed);
        line.iter().for_each(|position| check(&game, position));
        line.iter().step_by(7).for_each(|position| check_heuristic(&game, position));
    }

    #[test]
    fn more_words_than_needed_change_nothing(size in 2usize..=7, swap: bool, seed: u64) {
        // a shift by nothing passes nothing from word to word, so a size of 1 needs a single word
        let (one, six) = (HexGame::<1>::new(size, swap), HexGame::<6>::new(size, swap));
        for (small, large) in random_game(&one, seed).iter().zip(random_game(&six, seed)) {
            assert_eq!(one.notation(small), six.notation(&large));
            assert_eq!(one.outcome(small).unwrap(), six.outcome(&large).unwrap());
            if !small.over() {
                assert_eq!(one.evaluate(small).unwrap(), six.evaluate(&large).unwrap());
                assert_eq!(scores(&one, small), scores(&six, &large));
            }
        }
    }

    #[test]
    fn one_colour_joins_its_edges_on_a_full_board(size in 1usize..=19, seed: u64) {
        let game = HexGame::<6>::new(size.max(2), false);
        let (mut position, mut seed) = (HexPosition::empty(false), seed);
        for cell in game.board.all.cells() {
            seed = splitmix64(seed);
            position = position.with(seed as usize & 1, cell, false);
        }
        let joined = [BLACK, WHITE].map(|colour| joined_by_definition(&game, &position, colour));
        assert!(joined[BLACK] != joined[WHITE]);
        for colour in [BLACK, WHITE] {
            assert_eq!(game.board.joined(position.stones(colour), colour), joined[colour]);
        }
    }

    #[test]
    fn any_text_is_a_position_or_an_error_of_one_line(
        size in 1usize..=7,
        swap: bool,
        text in "([a-h][0-8]?[0-9]|swap|white|[ ,.\n]|\\PC){0,12}",
    ) {
        let game = HexGame::<1>::new(size, swap);
        match game.parse(&text) {
            Ok(position) => check(&game, &position),
            Err(Error::Position(text)) => assert!(text.lines().count() == 1),
            Err(other) => panic!("{other}"),
        }
    }
}

#[test]
fn random_games_of_six_words() {
    for (size, seed) in [(12, 1), (13, 2), (19, 3), (19, 4)] {
        let game = HexGame::<6>::new(size, seed % 2 == 0);
        let line = random_game(&game, seed);
        line.iter().step_by(9).for_each(|position| check(&game, position));
        check(&game, &line[line.len() - 1]);
        line.iter().step_by(40).for_each(|position| check_heuristic(&game, position));
    }
}

#[test]
fn positions_are_small_and_keys_differ() {
    assert_eq!(std::mem::size_of::<HexPosition<1>>(), 16);
    assert_eq!(std::mem::size_of::<HexPosition<2>>(), 32);
    assert_eq!(std::mem::size_of::<HexPosition<6>>(), 96);
    let game = HexGame::<1>::new(5, true);
    let mut keys = HashMap::new();
    for seed in 0..2_000 {
        for position in random_game(&game, seed) {
            let other = *keys.entry(game.key(&position).unwrap()).or_insert(position);
            assert_eq!(other, position);
        }
    }
    assert!(keys.len() > 20_000);
}

#[test]
fn perft_counts() {
    // counted by tests/test_hex.py
    for (size, counts) in
        [(1, vec![1, 0]), (2, vec![4, 12, 24, 12, 0]), (3, vec![9, 72, 504, 3_024, 15_120, 54_720])]
    {
        let game = HexGame::<1>::new(size, false);
        for (ply, count) in (1..).zip(counts) {
            assert_eq!(perft(&game, &game.start().unwrap(), ply, &mut || Ok(())).unwrap(), count);
        }
    }
}

/// The winner by brute force.
fn solve(game: &HexGame<1>, position: &HexPosition<1>, known: &mut HashMap<u64, f64>) -> f64 {
    let key = game.key(position).unwrap().unwrap();
    if let Some(value) = known.get(&key) {
        return *value;
    }
    let won = HexGame::<1>::win(position.mover());
    let moves = legal(game, position);
    let mut children = Vec::new();
    game.successors(position, &moves, 0.0, &mut children).unwrap();
    let wins = children.iter().any(|child| child.terminal && child.value == won)
        || children.iter().any(|child| solve(game, &child.position, known) == won);
    let value = if wins { won } else { -won };
    known.insert(key, value);
    value
}

/// From tests/data/hex/solved_openings.json.
const OPENINGS_THAT_WIN: [(usize, &str); 4] =
    [(1, "a1"), (2, "b1 a2"), (3, "c1 a2 b2 c2 a3"), (4, "d1 c2 b3 a4")];

#[test]
fn openings_of_small_boards() {
    for (size, expected) in OPENINGS_THAT_WIN {
        for swap in [false, true] {
            let (game, mut known) = (HexGame::<1>::new(size, swap), HashMap::new());
            let start = game.start().unwrap();
            let mut winners = Vec::new();
            for mv in legal(&game, &start) {
                let after = game.play(&start, &mv).unwrap();
                let value = game.outcome(&after).unwrap();
                if value.unwrap_or_else(|| solve(&game, &after, &mut known)) == 1.0 {
                    winners.push(game.move_name(&start, &mv));
                }
            }
            // White swaps whatever would win
            let expected = if swap && size > 1 { "" } else { expected };
            assert_eq!(winners.join(" "), expected, "{size}");
        }
    }
}

#[test]
fn swap_is_for_strong_openings() {
    let game = HexGame::<1>::new(5, true);
    for (opening, good) in [("c3", true), ("a1", false)] {
        let position = game.parse(opening).unwrap();
        let given = scores(&game, &position);
        let (swap, cells) = given.split_last().unwrap();
        assert_eq!(cells.iter().all(|score| score < swap), good, "{opening} {given:?}");
    }
}

#[test]
fn sizes_and_names() {
    for (size, text) in [(1, "a1"), (2, "b2"), (8, "h8"), (11, "k11"), (12, "l12"), (19, "s19")] {
        let game = make("hex", &[("size".into(), Value::Int(size))]).unwrap();
        let start = game.start().unwrap();
        assert_eq!(start.moves().unwrap().last().unwrap(), text);
        assert_eq!(start.moves().unwrap().len() as i64, size * size);
        assert_eq!(game.position(text).unwrap().notation(), text);
    }
    for size in [0, 20, i64::MAX] {
        assert!(make("hex", &[("size".into(), Value::Int(size))]).is_err());
    }
}

#[test]
fn pictures_and_notation() {
    let game = HexGame::<1>::new(3, true);
    for (text, notation, picture) in [
        ("", "", "   a b c\n 1  . . .\n  2  . . .\n   3  . . ."),
        ("C1,b2", "c1 b2", "   a b c\n 1  . . X\n  2  . O .\n   3  . . ."),
        ("c1 swap", "c1 swap", "   a b c\n 1  . . .\n  2  . . .\n   3  O . ."),
        ("c1 swap\tb2", "c1 swap b2", "   a b c\n 1  . . .\n  2  . X .\n   3  O . ."),
        // the stone that ends the game comes last
        (
            "b1 a1 b2 a2 c3 a3 b3",
            "b2 a1 b3 a2 c3 a3 b1",
            "   a b c\n 1  O X .\n  2  O X .\n   3  O X X",
        ),
    ] {
        let position = game.parse(text).unwrap();
        assert_eq!(game.notation(&position), notation);
        assert_eq!(game.picture(&position), picture);
    }
    let game = HexGame::<1>::new(3, false);
    assert_eq!(game.notation(&game.parse("white b2 a1").unwrap()), "white b2 a1");
}

#[test]
fn errors_name_the_fix() {
    let (plain, swap) = (HexGame::<1>::new(3, false), HexGame::<1>::new(3, true));
    for (game, notation, part) in [
        (&plain, "a1 d1", "cell d1 at move 2 is outside the board; it has the cells a1 to c3"),
        (&plain, "a4", "outside the board"),
        (&plain, "z999", "outside the board"),
        (&plain, "a1 b2 a1", "cell a1 at move 3 is occupied; choose an empty one"),
        (&plain, "a1 c1 a2 c2 a3 c3", "already over at move 6, c3; leave out"),
        (&plain, "a1b2", "bad move 'a1b2' at move 1; write column and row, such as b2"),
        (&plain, "a0", "bad move 'a0'"),
        (&plain, "a+1", "bad move 'a+1'"),
        (&plain, "é1", "bad move 'é1'"),
        (&plain, "7", "bad move '7'"),
        (&plain, "a1 white", "bad move 'white' at move 2"),
        (&plain, "b2 swap", "make it with swap=true"),
        (&swap, "swap", "swap at move 1 is not possible; only White's first move"),
        (&swap, "b2 a1 swap", "swap at move 3 is not possible"),
        (&swap, "white b2", "White cannot begin where swap is allowed"),
        (&HexGame::new(1, true), "a1 swap", "swap at move 2 is not possible"),
    ] {
        match game.parse(notation) {
            Err(Error::Position(text)) => {
                assert!(text.contains(part) && !text.contains('\n'), "{notation}: {text}")
            }
            other => panic!("{notation}: {other:?}"),
        }
    }
}

/// The best move by score wins in most of the positions of random play that can be won.
#[test]
fn the_best_score_wins_on_a_small_board() {
    let (game, mut known) = (HexGame::<1>::new(4, false), HashMap::new());
    let (mut hits, mut winnable, mut chance) = (0, 0, 0.0);
    for seed in 0..3_000 {
        let line = random_game(&game, seed);
        let position = line[2 + seed as usize % 4];
        if solve(&game, &position, &mut known) != HexGame::<1>::win(position.mover()) {
            continue;
        }
        let (moves, given) = (legal(&game, &position), scores(&game, &position));
        let wins = |mv: &HexMove| {
            let after = game.play(&position, mv).unwrap();
            let value = game.outcome(&after).unwrap();
            value.unwrap_or_else(|| solve(&game, &after, &mut known))
                == HexGame::<1>::win(position.mover())
        };
        let wins: Vec<bool> = moves.iter().map(wins).collect();
        let best = (0..moves.len()).max_by(|&a, &b| given[a].total_cmp(&given[b])).unwrap();
        winnable += 1;
        hits += u32::from(wins[best]);
        chance += wins.iter().filter(|wins| **wins).count() as f64 / wins.len() as f64;
    }
    let (rate, chance) = (f64::from(hits) / f64::from(winnable), chance / f64::from(winnable));
    assert!(winnable > 1_000 && chance < 0.45 && rate > 0.8, "{winnable} {chance} {rate}");
}
