//! Who wins on small boards, by brute force: what everything that is claimed is held against.

use super::bits::Bits;
use super::board::{Board, BLACK, WHITE};
use crate::mix::splitmix64;
use std::collections::HashMap;

/// Who wins every position of a small board, stones of both colours in any number: for each player to move, a bit
/// that is set where Black wins. A position is a number in base 3.
pub(crate) struct Winners {
    board: Board<1>,
    black: [Vec<u64>; 2],
    pub powers: Vec<usize>,
}

impl Winners {
    pub fn new(size: usize) -> Winners {
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

    pub fn stones(&self, mut code: usize) -> [Bits<1>; 2] {
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

impl BruteForce for Winners {
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
pub(crate) struct Memory {
    board: Board<1>,
    known: HashMap<([Bits<1>; 2], usize), usize>,
}

impl Memory {
    pub fn new(size: usize) -> Memory {
        Memory { board: Board::new(size), known: HashMap::new() }
    }
}

impl BruteForce for Memory {
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

/// Who wins, by one way or another.
pub(crate) trait BruteForce {
    fn board(&self) -> &Board<1>;
    fn winner(&mut self, stones: [Bits<1>; 2], mover: usize) -> usize;
}

pub(crate) fn with<const W: usize>(
    mut stones: [Bits<W>; 2],
    colour: usize,
    cell: usize,
) -> [Bits<W>; 2] {
    stones[colour] = stones[colour] | Bits::one(cell);
    stones
}

/// A position with about so many stones, of both colours alike or not.
pub(crate) fn random_stones(size: usize, count: usize, seed: &mut u64) -> [Bits<1>; 2] {
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
