#![allow(clippy::unwrap_used)]

use super::*;
use crate::game::check_successors;
use crate::perft::perft;
use crate::testing::Valued;
use std::collections::HashMap;

const GAME: ConnectFour = ConnectFour;

fn splitmix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn legal(position: &ConnectFourPosition) -> Vec<u8> {
    let mut moves = Vec::new();
    GAME.moves(position, &mut moves).unwrap();
    moves
}

/// Every position of many games of random moves.
fn random_positions() -> Vec<ConnectFourPosition> {
    let (mut positions, mut seed) = (Vec::new(), 1988);
    while positions.len() < 40_000 {
        let mut position = ConnectFourPosition::START;
        loop {
            positions.push(position);
            let moves = legal(&position);
            if moves.is_empty() {
                break;
            }
            let pick = splitmix(&mut seed) as usize % moves.len();
            position = GAME.play(&position, &moves[pick]).unwrap();
        }
    }
    positions
}

/// Value and whether the game is over, by the definition: a grid and its 69 segments.
fn by_definition(position: ConnectFourPosition) -> (f64, bool) {
    let at = |column: i32, row: i32| letter(&position, column as usize, row as usize);
    let (mut segments, mut empty, mut sum, mut won) = (0, 0, 0, None);
    for (column, row) in (0..7).flat_map(|column| (0..6).map(move |row| (column, row))) {
        empty += usize::from(at(column, row) == '.');
        for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            if column + 3 * dx > 6 || !(0..6).contains(&(row + 3 * dy)) {
                continue;
            }
            segments += 1;
            let cells: Vec<char> = (0..4).map(|i| at(column + i * dx, row + i * dy)).collect();
            let count = |stone| cells.iter().filter(|&&cell| cell == stone).count();
            match (count('X'), count('O')) {
                (4, 0) => won = Some(1023.0),
                (0, 4) => won = Some(1.0),
                (x, 0) => sum += [0, 1, 10, 50][x],
                (0, o) => sum -= [0, 1, 10, 50][o],
                _ => {}
            }
        }
    }
    assert_eq!(segments, 69);
    let tempo = if GAME.max_to_move(&position) { 16 } else { -16 };
    match won {
        Some(value) => (value, true),
        None if empty == 0 => (512.0, true),
        None => (f64::from((512 + tempo + sum).clamp(2, 1022)), false),
    }
}

/// What the default of [`Game::children`] gives.
fn default_children(
    position: &ConnectFourPosition,
    moves: &[u8],
) -> Vec<Child<ConnectFourPosition>> {
    let child = |mv| {
        let position = GAME.play(position, mv).unwrap();
        let outcome = GAME.outcome(&position).unwrap();
        let value = outcome.unwrap_or_else(|| GAME.evaluate(&position).unwrap());
        Child { position, value, terminal: outcome.is_some() }
    };
    moves.iter().map(child).collect()
}

fn mirrored(position: ConnectFourPosition) -> ConnectFourPosition {
    let flip = |stones: u64| {
        (0..7).fold(0, |flipped, i| flipped | (stones >> (7 * i) & 0x7f) << (7 * (6 - i)))
    };
    let (black, red) = position.stones();
    ConnectFourPosition::from_stones(flip(black), flip(red), position.black_to_move()).unwrap()
}

#[test]
fn known_values() {
    for (columns, value) in [
        ("", 528.0),
        ("44", 525.0),
        ("4434", 534.0),
        ("4455366271", 513.0),
        ("41414", 566.0),
        ("3636363", 1023.0),
        ("1234567765432112345677", 1.0),
    ] {
        assert_eq!(GAME.evaluate(&GAME.parse(columns).unwrap()).unwrap(), value, "{columns}");
    }
    assert_eq!(std::mem::size_of::<ConnectFourPosition>(), 16);
}

#[test]
fn values_are_those_of_the_definition() {
    let mut draws = 0;
    for position in random_positions() {
        let (value, over) = by_definition(position);
        assert_eq!(GAME.evaluate(&position).unwrap(), value);
        assert_eq!(GAME.outcome(&position).unwrap(), over.then_some(value));
        assert!(!over || legal(&position).is_empty());
        draws += u32::from(over && value == 512.0);
    }
    assert!(draws > 0, "no full board among the positions");
}

#[test]
fn visit_and_children_are_those_of_the_default() {
    for position in random_positions() {
        let moves: Vec<u8> = legal(&position).into_iter().rev().collect();
        let mut children = Vec::new();
        check_successors(&GAME, &position).unwrap();
        GAME.children(&position, &moves, &mut children).unwrap();
        assert_eq!(children, default_children(&position, &moves));
        let (mut visited, stop) = (Vec::new(), moves.len() / 2 + 1);
        let visit = |child| {
            visited.push(child);
            visited.len() < stop
        };
        GAME.visit(&position, &moves, visit).unwrap();
        assert_eq!(visited, children[..stop.min(moves.len())]);
    }
}

#[test]
fn symmetries_keys_and_notation() {
    let mut keys = HashMap::new();
    for position in random_positions() {
        let value = position.value();
        assert_eq!(mirrored(position).value(), value);
        let swapped = GAME.swapped(&position).unwrap();
        assert_eq!(swapped.value(), 1024.0 - value);
        assert_ne!(GAME.max_to_move(&swapped), GAME.max_to_move(&position));
        for mv in legal(&position) {
            let after = GAME.play(&position, &mv).unwrap();
            assert_eq!(GAME.swapped(&after), GAME.play(&swapped, &mv).ok());
        }
        for position in [position, swapped] {
            assert_eq!(GAME.parse(&GAME.notation(&position)).unwrap(), position);
            assert_eq!(*keys.entry(GAME.key(&position).unwrap()).or_insert(position), position);
        }
    }
}

/// The best of all children, and whether it wins at once.
fn best_by_definition(position: &ConnectFourPosition, moves: &[u8]) -> (f64, bool) {
    let children = default_children(position, moves);
    let max = GAME.max_to_move(position);
    let end = if max { 1023.0 } else { 1.0 };
    let values = children.iter().map(|child| child.value);
    let best = if max { values.fold(0.0, f64::max) } else { values.fold(9999.0, f64::min) };
    (best, children.iter().any(|child| child.terminal && child.value == end))
}

#[test]
fn the_best_successor_is_the_best_of_all() {
    let mut state = 7;
    let mut wins = 0;
    for _ in 0..300 {
        let mut position = ConnectFourPosition::START;
        while GAME.outcome(&position).unwrap().is_none() {
            let mut moves = Vec::new();
            GAME.moves(&position, &mut moves).unwrap();
            let fast = GAME.best_successor(&position, &moves).unwrap();
            assert_eq!(fast, best_by_definition(&position, &moves));
            wins += usize::from(fast.1);
            let mv = moves[splitmix(&mut state) as usize % moves.len()];
            position = GAME.play(&position, &mv).unwrap();
        }
    }
    assert!(wins > 300, "{wins}");
}

#[test]
fn perft_counts() {
    assert_eq!(perft(&GAME, &ConnectFourPosition::START, 7, &mut || Ok(())).unwrap(), 823_536);
}

#[test]
fn pictures_and_names() {
    let position = GAME.parse("4453").unwrap();
    let board = "......./......./......./......./...O.../..OXX.. X";
    assert_eq!(GAME.notation(&position), board);
    assert_eq!(GAME.parse(board.trim_end_matches(" X")).unwrap(), position);
    let picture = GAME.picture(&position);
    assert!(picture.ends_with(" .  .  O  X  X  .  . \n 1  2  3  4  5  6  7 "), "{picture}");
    assert_eq!(picture.lines().count(), 7);
    assert_eq!(GAME.move_name(&position, &6), "7");
}

#[test]
fn errors_name_the_fix() {
    for (notation, part) in [
        ("448", "bad character '8' at move 3"),
        ("4x", "bad character 'x' at move 2"),
        ("4444444", "column 4 is full at move 7"),
        ("36363634", "already over at move 8"),
        ("......./.......", "has 2 rows"),
        ("_/_/_/_/....../_", "row 5, '......', has 6 cells"),
        ("_/_/_/_/_/...x...", "bad character 'x' in row 6"),
        ("_/_/_/_/...X.../_", "column 4 has a gap"),
        ("_/_/_/_/_/..XX...", "2 X and 0 O with O to move; X must"),
        ("_/_/_/_/_/...O...", "0 X and 1 O with O to move; X must"),
        ("_/_/_/_/_/...X... X", "1 X and 0 O with X to move; O must"),
        ("_/_/_/_/_/_ R", "bad side to move 'R'"),
        ("_/_/_/_/_/_ X X", "bad side to move 'X X'"),
        ("_/_/_/_/OOOO.../XXXX...", "both have four"),
    ] {
        let notation = &notation.replace('_', ".......");
        match GAME.parse(notation) {
            Err(Error::Position(text)) => {
                assert!(text.contains(part) && !text.contains('\n'), "{notation}: {text}")
            }
            other => panic!("{notation}: {other:?}"),
        }
    }
}
