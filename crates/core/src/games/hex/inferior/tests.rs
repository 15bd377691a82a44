#![allow(clippy::unwrap_used)]

use super::*;
use crate::mix::splitmix64;
use std::collections::HashMap;

/// Who wins every position of a small board, stones of both colours in any number: for each player to move, a bit
/// that is set where Black wins. A position is a number in base 3.
struct Winners {
    board: Board<1>,
    black: [Vec<u64>; 2],
    powers: Vec<usize>,
}

impl Winners {
    fn new(size: usize) -> Winners {
        let cells = size * size;
        let powers: Vec<usize> = (0..=cells as u32).map(|power| 3usize.pow(power)).collect();
        let words = powers[cells] / 64 + 1;
        let mut winners =
            Winners { board: Board::new(size), black: [vec![0; words], vec![0; words]], powers };
        // every move leads to a greater number
        for code in (0..winners.powers[cells]).rev() {
            let (mut rest, mut full, mut wins) = (code, true, [false, true]);
            for cell in 0..cells {
                if rest % 3 == 0 {
                    full = false;
                    wins[BLACK] |= winners.has(WHITE, code + winners.powers[cell]);
                    wins[WHITE] &= winners.has(BLACK, code + 2 * winners.powers[cell]);
                }
                rest /= 3;
            }
            if full {
                let joined = winners.board.joined(winners.stones(code)[BLACK], BLACK);
                wins = [joined; 2];
            }
            for mover in [BLACK, WHITE] {
                winners.black[mover][code / 64] |= u64::from(wins[mover]) << (code % 64);
            }
        }
        winners
    }

    fn has(&self, mover: usize, code: usize) -> bool {
        self.black[mover][code / 64] >> (code % 64) & 1 == 1
    }

    fn stones(&self, mut code: usize) -> [Bits<1>; 2] {
        let mut stones = [Bits::NONE; 2];
        for cell in 0..self.powers.len() - 1 {
            if code % 3 > 0 {
                stones[code % 3 - 1].0[0] |= 1 << cell;
            }
            code /= 3;
        }
        stones
    }
}

impl Solver for Winners {
    fn board(&self) -> &Board<1> {
        &self.board
    }

    fn winner(&mut self, stones: [Bits<1>; 2], mover: usize) -> usize {
        let value =
            |colour: usize| stones[colour].cells().map(|cell| self.powers[cell]).sum::<usize>();
        usize::from(!self.has(mover, value(BLACK) + 2 * value(WHITE)))
    }
}

/// Who wins, by trying all moves and remembering.
struct Memory {
    board: Board<1>,
    known: HashMap<([Bits<1>; 2], usize), usize>,
}

impl Memory {
    fn new(size: usize) -> Memory {
        Memory { board: Board::new(size), known: HashMap::new() }
    }
}

impl Solver for Memory {
    fn board(&self) -> &Board<1> {
        &self.board
    }

    fn winner(&mut self, stones: [Bits<1>; 2], mover: usize) -> usize {
        if let Some(colour) =
            [BLACK, WHITE].into_iter().find(|&colour| self.board.joined(stones[colour], colour))
        {
            return colour;
        }
        if let Some(winner) = self.known.get(&(stones, mover)) {
            return *winner;
        }
        let empty = self.board.all & !(stones[BLACK] | stones[WHITE]);
        let wins =
            empty.cells().any(|cell| self.winner(with(stones, mover, cell), 1 - mover) == mover);
        let winner = if wins { mover } else { 1 - mover };
        self.known.insert((stones, mover), winner);
        winner
    }
}

trait Solver {
    fn board(&self) -> &Board<1>;
    fn winner(&mut self, stones: [Bits<1>; 2], mover: usize) -> usize;
}

fn with<const W: usize>(mut stones: [Bits<W>; 2], colour: usize, cell: usize) -> [Bits<W>; 2] {
    stones[colour] = stones[colour] | Bits::one(cell);
    stones
}

/// Everything that is claimed about a position, against the solver.
fn check(solver: &mut impl Solver, stones: [Bits<1>; 2]) {
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
        assert_eq!(fill_in(&board, stones), found.filled);
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
        for cell in empty.cells() {
            let captured = captures(&board, stones, mover, cell);
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

/// A position with about so many stones, of both colours alike or not.
fn random_stones(size: usize, count: usize, seed: &mut u64) -> [Bits<1>; 2] {
    let mut stones = [Bits::NONE; 2];
    for _ in 0..count {
        *seed = splitmix64(*seed);
        let (cell, colour) = (*seed as usize % (size * size), (*seed >> 40) as usize & 1);
        if !(stones[BLACK] | stones[WHITE]).has(cell) {
            stones = with(stones, colour, cell);
        }
    }
    stones
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
fn the_file_is_what_is_derived() {
    assert_eq!(derive::file(), ring::PATTERNS);
}

#[test]
fn every_position_of_3x3() {
    let mut winners = Winners::new(3);
    for code in 0..winners.powers[9] {
        let stones = winners.stones(code);
        check(&mut winners, stones);
    }
}

#[test]
fn some_positions_of_4x4_and_5x5() {
    let mut seed = 1;
    let mut memory = Memory::new(4);
    for at in 0..2_000 {
        let stones = random_stones(4, 4 + at % 14, &mut seed);
        check(&mut memory, stones);
    }
    let mut memory = Memory::new(5);
    for at in 0..200 {
        let stones = random_stones(5, 20 + at % 14, &mut seed);
        check(&mut memory, stones);
    }
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
