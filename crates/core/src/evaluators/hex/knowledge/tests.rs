use super::*;
use crate::evaluators::hex::brute::{random_stones, with, BruteForce, Memory, Winners};
use crate::games::hex::board::WHITE;

/// What is known of a position against who really wins.
fn check(solver: &mut impl BruteForce, state: &State<1>, mover: usize) {
    let board = solver.board().clone();
    let stones = state.placed;
    let winner = solver.winner(stones, mover);
    let known = state.summary(&board, mover, None);
    let wins = |solver: &mut dyn FnMut([Bits<1>; 2]) -> usize, mv: &HexMove| {
        solver(with(stones, mover, usize::from(*mv))) == mover
    };
    let mut after = |stones| solver.winner(stones, 1 - mover);
    let said = || format!("{stones:?} {mover} {known:?} {state:?}");
    if let Some(known_winner) = known.winner {
        assert_eq!(known_winner, winner, "{}", said());
        assert_eq!(known.moves.len(), 1, "{}", said());
    }
    let keeps = known.moves.iter().any(|mv| wins(&mut after, mv));
    assert_eq!(keeps, winner == mover, "{}", said());
}

fn is_over(board: &Board<1>, stones: [Bits<1>; 2]) -> bool {
    [BLACK, WHITE].into_iter().any(|colour| board.joined(stones[colour], colour))
        || (board.all & !(stones[BLACK] | stones[WHITE])).is_empty()
}

/// The position by itself, and after others on the way to it.
fn check_stones(solver: &mut impl BruteForce, stones: [Bits<1>; 2]) {
    let board = solver.board().clone();
    if is_over(&board, stones) {
        return;
    }
    for mover in [BLACK, WHITE] {
        check(solver, &State::new(&Terrain::new(&board), stones, mover, None, None), mover);
    }
}

/// A game of random moves, each position found from the one before.
fn check_game(solver: &mut impl BruteForce, size: usize, seed: &mut u64) {
    let board = solver.board().clone();
    let mut stones = random_stones(size, 2 * size, seed);
    let mut mover = BLACK;
    let mut before: Option<State<1>> = None;
    while !is_over(&board, stones) {
        let from = before.as_ref().filter(|state| state.leads_to(stones));
        let state = State::new(&Terrain::new(&board), stones, mover, from, None);
        check(solver, &state, mover);
        // now and then a move that nobody would consider
        let empty = board.all & !(stones[BLACK] | stones[WHITE]);
        *seed = crate::mix::splitmix64(*seed);
        let choice = if *seed % 4 == 0 || state.moves.is_empty() { empty } else { state.moves };
        let cell = choice.cells().nth((*seed >> 8) as usize % choice.count() as usize);
        stones = with(stones, mover, cell.expect("a move"));
        mover = 1 - mover;
        before = Some(state);
    }
}

#[test]
fn every_position_of_3x3_is_known_rightly() {
    let mut winners = Winners::new(3);
    for code in 0..winners.powers[9] {
        let stones = winners.stones(code);
        check_stones(&mut winners, stones);
    }
}

#[test]
fn positions_of_4x4_and_5x5_are_known_rightly() {
    let mut seed = 1;
    let mut solver = Memory::new(4);
    for round in 0..600 {
        let stones = random_stones(4, 7 + round % 6, &mut seed);
        check_stones(&mut solver, stones);
    }
    (0..100).for_each(|_| check_game(&mut solver, 4, &mut seed));
    let mut solver = Memory::new(5);
    for round in 0..60 {
        let stones = random_stones(5, 16 + round % 6, &mut seed);
        check_stones(&mut solver, stones);
    }
}

/// Goes on from a line with random moves, as long as nobody has won, and compares what two knowers know.
fn compare(knowers: &mut [Box<dyn Knows<2>>; 2], line: &Line<HexPosition<2>>, seed: &mut u64) {
    let board = Board::<2>::new(8);
    let [narrow, wide] = knowers.each_mut().map(|knower| knower.known(line));
    assert_eq!(format!("{narrow:?}"), format!("{wide:?}"), "{line:?}");
    let empty = board.all & !line.position.taken();
    if narrow.winner.is_some() || empty.is_empty() {
        return;
    }
    *seed = crate::mix::splitmix64(*seed);
    // now and then a move that nobody would consider
    let cell = match *seed % 4 {
        0 => empty.cells().nth((*seed >> 8) as usize % empty.count() as usize).expect("a cell"),
        _ => usize::from(narrow.moves[(*seed >> 8) as usize % narrow.moves.len().min(4)]),
    };
    let mover = line.position.mover();
    let over = board.wins(line.position.stones(mover), mover, cell);
    if !over {
        compare(knowers, &line.then(&line.position.with(mover, cell, over)), seed);
    }
}

/// Cells of 8x8 fill one word, and its two edges have no place there.
#[test]
fn one_word_knows_of_8x8_what_two_know() {
    let mut seed = 3;
    for _ in 0..6 {
        let two: Box<dyn Knows<2>> = Box::new(Knower::<2>::new(&Board::new(8), None));
        let mut knowers = [knower(8, None), two];
        compare(&mut knowers, &Line::root(&HexPosition::empty(false)), &mut seed);
    }
}

/// What a thread has found is what another one would have found.
#[test]
fn threads_of_a_search_share_what_they_find() {
    let mut seed = 5;
    for _ in 0..3 {
        let first: Box<dyn Knows<2>> = knower(8, None);
        let mut others = [first.fork(), first.fresh()];
        compare(&mut others, &Line::root(&HexPosition::empty(false)), &mut seed);
        let mut forks = [first, others[0].fork()];
        let (line, before) = (HexPosition::empty(false), forks[0].bytes());
        let [one, two] = forks.each_mut().map(|fork| fork.known(&Line::root(&line)));
        assert!(Arc::ptr_eq(&one, &two) && forks[0].bytes() == before);
    }
}

/// `cargo test --release -p conspirator-core knowledge -- --ignored`.
#[test]
#[ignore = "all positions of 4x4 that a game can reach: minutes"]
fn every_position_of_4x4_is_known_rightly() {
    let mut winners = Winners::new(4);
    let board = winners.board().clone();
    for code in 0..winners.powers[16] {
        let stones = winners.stones(code);
        let (black, white) = (stones[BLACK].count(), stones[WHITE].count());
        if (black == white || black == white + 1) && !is_over(&board, stones) {
            let mover = if black == white { BLACK } else { WHITE };
            check(
                &mut winners,
                &State::new(&Terrain::new(&board), stones, mover, None, None),
                mover,
            );
        }
    }
}

#[test]
#[ignore = "thousands of positions of 5x5 and 6x6, against a solver that remembers: minutes"]
fn many_positions_of_5x5_and_6x6_are_known_rightly() {
    let mut seed = 2;
    for (size, stones, rounds) in [(5, 18, 10_000), (6, 44, 4_000)] {
        for round in 0..rounds {
            let mut solver = Memory::new(size);
            let stones = random_stones(size, stones + round % 8, &mut seed);
            check_stones(&mut solver, stones);
        }
    }
}
