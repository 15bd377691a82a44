//! Areas of results against brute force: the winner still wins where all empty cells outside are his opponent's.

#![allow(clippy::unwrap_used)]

use super::*;
use crate::evaluator::Area;
use crate::evaluators::brute::{BruteForce, Memory};
use crate::expander::LinePositions;
use crate::game::Rules;
use crate::games::hex::bits::Bits;
use crate::games::hex::{HexGame, HexPosition};
use crate::mix::splitmix64;
use crate::search::Unattended;
use crate::testing::Valued;
use std::sync::Arc;

/// Larger areas take brute force too long.
const MOST: u32 = 11;

/// Solves a position, and tells how many cells the result needs; none if nobody has said.
fn check(game: &HexGame<1>, position: &HexPosition<1>, solver: &mut Memory) -> Option<u32> {
    let walker =
        LinePositions::new(Arc::new(game.clone()), game.judge("knowledge", None), *position);
    let params = Params::new(&Solver::<ProofNumbers>::INFO, &[]).unwrap();
    let mut search = Solver::<ProofNumbers>::new(Box::new(walker), &params).unwrap();
    search.run(&Budget::default(), &mut Unattended).unwrap();
    let won = search.problem.evidence.solved(&search.known).unwrap();
    let area = search.problem.evidence.area(&search.known);
    if area == Area::MAX || area.count_ones() > MOST {
        return None;
    }
    let mut stones = [0, 1].map(|colour| position.stones(colour));
    let loser = usize::from(won);
    let given = game.board.all & !(stones[0] | stones[1]) & !Bits([area as u64]);
    stones[loser] = stones[loser] | given;
    let winner = solver.winner(stones, position.mover());
    assert_eq!(winner, 1 - loser, "{position:?} {area:b}");
    Some(area.count_ones())
}

fn check_many(size: usize, moves: usize, rounds: u64) {
    let game = HexGame::<1>::new(size, false);
    let mut solver = Memory::new(size);
    let (mut cells, mut areas, mut smaller) = (Vec::new(), 0, 0);
    for round in 0..rounds {
        let mut position = game.start().unwrap();
        let mut seed = round;
        for _ in 0..seed % (moves as u64 + 1) {
            cells.clear();
            game.moves(&position, &mut cells).unwrap();
            seed = splitmix64(seed);
            let next = game.play(&position, &cells[seed as usize % cells.len()]).unwrap();
            if game.outcome(&next).unwrap().is_none() {
                position = next;
            }
        }
        cells.clear();
        game.moves(&position, &mut cells).unwrap();
        if let Some(count) = check(&game, &position, &mut solver) {
            areas += 1;
            smaller += u64::from((count as usize) < cells.len());
        }
    }
    assert!(areas > rounds / 4 && smaller > rounds / 8, "{areas} areas, {smaller} smaller");
}

#[test]
fn winners_need_no_more_than_their_areas() {
    check_many(3, 5, 300);
    check_many(4, 9, 1_000);
    check_many(5, 14, 200);
}

/// `cargo test --release -p conspirator-core areas -- --ignored`.
#[test]
#[ignore = "thousands of positions of 4x4 to 6x6: minutes"]
fn winners_need_no_more_than_their_areas_in_thousands_of_positions() {
    check_many(4, 10, 50_000);
    check_many(5, 16, 20_000);
    check_many(6, 22, 500);
}
