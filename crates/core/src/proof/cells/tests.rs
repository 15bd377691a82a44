//! Strategies against brute force: with what they need the prover wins, though all other cells are the opponent's.

use super::*;
use crate::evaluators::brute::{random_stones, with, BruteForce, Memory};
use crate::games::hex::bits::Bits;
use crate::games::hex::board::{BLACK, WHITE};

fn set_of(stones: Bits<1>) -> u128 {
    stones.cells().fold(0, |set, cell| set | 1 << cell)
}

fn stones_of(set: u128) -> Bits<1> {
    cells(set).fold(Bits::NONE, |stones, cell| stones | Bits::one(cell.trailing_zeros() as usize))
}

/// Writes the strategy of a position, and holds all that it is made of against brute force; tells how many strategies
/// there were, and how often one was used again.
fn check(solver: &mut Memory, size: u32, stones: [Bits<1>; 2], mover: usize) -> (usize, usize) {
    let winner = solver.winner(stones, mover);
    let all = u128::MAX >> (128 - size * size);
    let empty = |stones: [Bits<1>; 2]| all & !set_of(stones[BLACK] | stones[WHITE]);
    let (own, free) = (set_of(stones[winner]), empty(stones));
    let board = CellBoard { size, own, free, rows: winner == BLACK, moves: mover == winner };
    let mut ask = |line: &[u32]| {
        let (mut stones, mut mover) = (stones, mover);
        for &place in line {
            let cell = cell_at(empty(stones), place).expect("an empty cell");
            (stones, mover) = (with(stones, mover, cell.trailing_zeros() as usize), 1 - mover);
        }
        let wins = |cell: &u128| {
            let next = with(stones, mover, cell.trailing_zeros() as usize);
            mover != winner || solver.winner(next, 1 - mover) == winner
        };
        let places = cells(empty(stones)).filter(wins);
        Ok(places.map(|cell| place_of(empty(stones), cell)).collect())
    };
    let mut ignored = |_: &[u8]| Ok(true);
    let mut writer = Writer::new(&mut ignored);
    let mut walk = CellWalk::new(board, &mut writer);
    walk.walk(&mut ask).expect("a strategy");
    let shown: usize = walk.shown.values().map(Vec::len).sum();
    for (strategies, mover) in [(&walk.shown, 1 - winner), (&walk.answers, winner)] {
        for (needs, _) in strategies.get(&(NEAR, FAR)).into_iter().flatten() {
            let mut given = [Bits::NONE; 2];
            given[winner] = stones_of(needs.stones);
            given[1 - winner] = stones_of(all & !(needs.stones | needs.cells));
            assert_eq!(solver.winner(given, mover), winner, "{stones:?} {needs:?}");
        }
    }
    (shown, walk.met.len() - shown)
}

#[test]
fn what_strategies_need_is_enough() {
    let (mut shown, mut again, mut seed) = (0, 0, 1);
    let mut solvers = [Memory::new(3), Memory::new(4)];
    for round in 0..200 {
        let size = 3 + round % 2;
        let stones = random_stones(size, [round / 2 % 4, 6 + round / 2 % 4][size - 3], &mut seed);
        let solver = &mut solvers[size - 3];
        if [BLACK, WHITE].iter().any(|&colour| solver.board().joined(stones[colour], colour)) {
            continue;
        }
        let found = check(solver, size as u32, stones, round / 8 % 2);
        (shown, again) = (shown + found.0, again + found.1);
    }
    assert!(shown > 100 && again > 10, "{shown} strategies, {again} used again");
}
