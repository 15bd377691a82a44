#![allow(clippy::unwrap_used)]

use super::*;
use crate::evaluators::hex::brute::{random_stones, with, BruteForce, Memory, Winners};
use crate::mix::splitmix64;
use std::collections::HashMap;

/// Everything that is claimed about a position, against the solver.
fn check(solver: &mut impl BruteForce, stones: [Bits<1>; 2]) {
    let board = solver.board().clone();
    let empty = board.all & !(stones[BLACK] | stones[WHITE]);
    for mover in [BLACK, WHITE] {
        let found = inferior(&board, stones, mover);
        let full = [BLACK, WHITE].map(|colour| stones[colour] | found.filled[colour]);
        let winner = solver.winner(stones, mover);
        assert!(!found.filled[BLACK].meets(found.filled[WHITE]));
        assert_eq!(
            found.filled[BLACK] | found.filled[WHITE],
            found.dead | found.captured[BLACK] | found.captured[WHITE]
        );
        assert_eq!(winner, solver.winner(full, mover), "fill-in: {stones:?} {mover} {found:?}");
        let left = empty & !(found.filled[BLACK] | found.filled[WHITE]);
        assert!(left | found.pruned == left, "filled and pruned");
        assert!(left.is_empty() || left != found.pruned, "nothing is left: {stones:?} {mover}");
        let over = board.joined(full[BLACK], BLACK) || board.joined(full[WHITE], WHITE);
        if winner == mover && !over {
            let wins: Vec<usize> = left
                .cells()
                .filter(|&cell| solver.winner(with(stones, mover, cell), 1 - mover) == mover)
                .collect();
            for (name, pruned) in [
                ("all", found.pruned),
                ("vulnerable", found.vulnerable),
                ("dominated", found.dominated),
            ] {
                let kept = wins.iter().any(|cell| !pruned.has(*cell));
                assert!(kept, "{name}: {stones:?} {mover} {wins:?} {found:?}");
            }
        }
        let captures = captures(&board, stones, mover);
        for cell in empty.cells() {
            let captured = captures[cell];
            let after = with(stones, mover, cell);
            let mut more = after;
            more[mover] = more[mover] | captured;
            for next in [BLACK, WHITE] {
                assert_eq!(
                    solver.winner(after, next),
                    solver.winner(more, next),
                    "captures: {stones:?} {mover} {cell}"
                );
            }
        }
    }
}

#[test]
fn dead_patterns_of_six_neighbours_are_those_of_the_file() {
    let lines: Vec<String> =
        derive::dead(6).iter().map(|stones| format!("dead {}", derive::written(stones))).collect();
    assert_eq!(lines, ["dead WW.BB.", "dead WWW.B.", "dead WWWW.."]);
    let file: Vec<&str> =
        ring::PATTERNS.lines().filter(|line| line.ends_with("............")).collect();
    assert_eq!(file, lines.iter().map(|line| format!("{line}............")).collect::<Vec<_>>());
}

/// `cargo test --release -p conspirator-core inferior -- --ignored`: seconds.
#[test]
#[ignore = "looks at 387 million neighbourhoods: seconds"]
fn the_files_are_what_is_derived() {
    assert_eq!(derive::file(), ring::PATTERNS);
    assert_eq!(derive_templates::file(4), templates::TEMPLATES);
}

#[test]
fn templates_of_two_rows_are_those_of_the_file() {
    let derived = derive_templates::file(3);
    assert_eq!(derived.lines().count(), 7);
    assert!(templates::TEMPLATES.starts_with(&derived));
}

/// Whether a colour that answers joins a stone to an edge, all that is not open being the opponent's.
fn holds<const W: usize>(
    board: &Board<W>,
    template: &Template<W>,
    own: Bits<W>,
    open: Bits<W>,
    known: &mut HashMap<[Bits<W>; 2], bool>,
) -> bool {
    let edge = board.edges[template.colour][template.edge];
    let reach = |within: Bits<W>| board.flood(Bits::one(template.cell), within).meets(edge);
    if reach(own) || !reach(own | open) {
        return reach(own);
    }
    if let Some(holds) = known.get(&[own, open]) {
        return *holds;
    }
    let result = open.cells().all(|intrusion| {
        let left = open & !Bits::one(intrusion);
        // an answer next to the intrusion is likely to do
        let near = board.around(Bits::one(intrusion));
        let answers = (left & near).cells().chain((left & !near).cells());
        let mut answers =
            answers.map(|answer| (own | Bits::one(answer), left & !Bits::one(answer)));
        answers.any(|(own, open)| holds(board, template, own, open, known))
    });
    known.insert([own, open], result);
    result
}

fn check_template<const W: usize>(board: &Board<W>, template: &Template<W>) {
    let mut known = HashMap::new();
    let mut try_out =
        |carrier| holds(board, template, Bits::one(template.cell), carrier, &mut known);
    assert!(try_out(template.carrier), "{template:?}");
    for cell in template.carrier.cells() {
        assert!(
            !try_out(template.carrier & !Bits::one(cell)),
            "{cell} can be spared: {template:?}"
        );
    }
}

#[test]
fn templates_hold_and_need_all_their_cells() {
    let count = |size, colour| {
        templates(&Board::<1>::new(size))
            .iter()
            .filter(|template| template.colour == colour)
            .count()
    };
    // for each edge: row 2 fits 4 times, the three of row 3 twice, twice and once
    assert_eq!([count(5, BLACK), count(5, WHITE)], [18, 18]);
    let board = Board::<1>::new(5);
    templates(&board).iter().for_each(|template| check_template(&board, template));
}

/// The same by the deriving program's solver, without the help of templates: it leaves out what a proof shows to be
/// pointless, and so reaches the fourth row.
#[test]
fn templates_hold_and_need_all_their_cells_in_every_row() {
    for (row, cells) in templates::read() {
        let mut region = derive_templates::Region::of(cells, row);
        let all = region.all();
        assert!(region.connects(0, all, false).0);
        for at in 0..region.cells.len() {
            assert!(!region.connects(0, all & !(1 << at), false).0, "{row}: {at} can be spared");
        }
    }
}

#[test]
fn every_position_of_3x3() {
    let mut winners = Winners::new(3);
    for code in 0..winners.powers[9] {
        let stones = winners.stones(code);
        check(&mut winners, stones);
    }
}

/// What must hold on a board of any size, where nobody knows the winner.
fn check_shape<const W: usize>(size: usize, seed: &mut u64) {
    let board = Board::<W>::new(size);
    let mut stones = [Bits::NONE; 2];
    for _ in 0..size * size / 2 {
        *seed = splitmix64(*seed);
        let cell = (*seed >> 8) as usize % (size * size);
        if !(stones[BLACK] | stones[WHITE]).has(cell) {
            stones = with(stones, *seed as usize & 1, cell);
        }
    }
    let empty = board.all & !(stones[BLACK] | stones[WHITE]);
    for mover in [BLACK, WHITE] {
        let found = inferior(&board, stones, mover);
        let filled = found.filled[BLACK] | found.filled[WHITE];
        assert_eq!(filled & !empty, Bits::NONE);
        assert_eq!(found.pruned & !(empty & !filled), Bits::NONE);
        assert!(filled == empty || (found.pruned | filled) != empty);
        // what has been filled leaves nothing more to fill
        let full = [BLACK, WHITE].map(|colour| stones[colour] | found.filled[colour]);
        assert_eq!(inferior(&board, full, mover).filled, [Bits::NONE; 2]);
    }
}

#[test]
fn boards_of_all_sizes() {
    let mut seed = 5;
    for _ in 0..20 {
        (1..=7).for_each(|size| check_shape::<1>(size, &mut seed));
        (8..=11).for_each(|size| check_shape::<2>(size, &mut seed));
        (12..=19).for_each(|size| check_shape::<6>(size, &mut seed));
    }
}

#[test]
fn what_is_known_of_a_stone_in_the_second_row() {
    // d6 on 7x7: the two cells below it are Black's, whoever moves
    let board = Board::<1>::new(7);
    let below = Bits::one(44) | Bits::one(45);
    assert_eq!(captures(&board, [Bits::NONE; 2], BLACK)[38], below);
    assert_eq!(inferior(&board, [Bits::one(38), Bits::NONE], WHITE).filled, [below, Bits::NONE]);
}

/// Positions of a board with about so many stones or more.
fn check_some(size: usize, count: usize, stones: usize, mut seed: u64) {
    let mut memory = Memory::new(size);
    for at in 0..count {
        let stones = random_stones(size, stones + at % 12, &mut seed);
        check(&mut memory, stones);
    }
}

#[test]
fn some_positions_of_4x4_and_5x5() {
    check_some(4, 300, 10, 1);
    check_some(5, 100, 36, 2);
}

#[test]
#[ignore = "a minute"]
fn more_positions_of_5x5_and_6x6() {
    check_some(5, 1_000, 22, 3);
    check_some(6, 200, 60, 4);
}

/// `cargo test --release -p conspirator-core inferior -- --ignored`: minutes.
#[test]
#[ignore = "all 43 million positions: minutes"]
fn every_position_of_4x4() {
    let mut winners = Winners::new(4);
    for code in 0..winners.powers[16] {
        let stones = winners.stones(code);
        check(&mut winners, stones);
    }
}

#[test]
fn stones_at_distance_two() {
    let (board, mut seed) = (Board::<2>::new(9), 3);
    for _ in 0..50 {
        let stones = random_stones(7, 30, &mut seed).map(|set| Bits([set.0[0], seed]) & board.all);
        let stones = [stones[BLACK], stones[WHITE] & !stones[BLACK]];
        let ground = Ground::new(&board, stones);
        for cell in 0..81 {
            let mut outer = ground.shape.outer[cell];
            for (at, &next) in ground.shape.further[cell].iter().enumerate() {
                outer |= u32::from(stones[BLACK].has(next as usize)) << at;
                outer |= u32::from(stones[WHITE].has(next as usize)) << (12 + at);
            }
            assert_eq!(ground.outer(cell), outer);
        }
    }
}
