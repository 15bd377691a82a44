//! Cells that need not be considered: dead, captured, vulnerable, dominated.
//!
//! - A cell is *dead* if no stone on it can ever matter, *captured* by a colour if that colour may have it for
//!   free. Both can be filled without changing who wins: *fill-in*.
//! - A cell is *vulnerable* for the mover if one answer makes it dead. All vulnerable cells can be left out at
//!   once: where the mover wins with one, he also wins after the answer, with the opponent's stones on both cells,
//!   and so with any move that wins there. Taking that step again and again leaves fewer and fewer cells, so it
//!   must end with a winning move that is not vulnerable.
//! - A cell is *dominated* by another on which a stone of the mover's makes it dead or captures it: then the other
//!   is as good as both. The last of such a chain of cells is kept, and is not vulnerable.
//!
//! The notions are those of Y. Bjornsson, R. Hayward, M. Johanson and J. van Rijswijck, "Dead cell analysis in Hex and
//! the Shannon game" (2007).
//!
//! `derive` finds the local patterns, `ring` and `wide` are the tables made from them, `ground` applies them to a
//! position, `chains` adds what only whole chains show. `templates` are connections to the edge, derived too.

mod chains;
#[cfg(test)]
mod derive;
#[cfg(test)]
mod derive_templates;
mod ground;
mod ring;
mod templates;
#[cfg(test)]
mod tests;
mod wide;

use super::bits::Bits;
use super::board::{Board, BLACK, WHITE};
use ground::{Colours, Fill, Ground};
pub(super) use templates::{templates, Template};

/// The steps to the six neighbours, (column, row), around a cell.
const STEPS: [(i32, i32); 6] = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)];

/// What is known about the cells of a position.
#[derive(Clone, Debug)]
pub(super) struct Inferior<const W: usize> {
    /// Cells that may be filled for each colour without changing who wins (dead cells are filled for either one).
    pub filled: [Bits<W>; 2],
    /// Cells which the player to move need not consider; filled cells are not among them. If he has a winning move
    /// on a cell that is not filled, then also one that is not pruned. At least one empty cell is not pruned.
    pub pruned: Bits<W>,
    /// Why, for display: dead, captured per colour, vulnerable, dominated.
    pub dead: Bits<W>,
    pub captured: [Bits<W>; 2],
    pub vulnerable: Bits<W>,
    pub dominated: Bits<W>,
    /// For each vulnerable cell the cells of an answer that makes it dead.
    pub answers: Vec<(u16, Bits<W>)>,
}

/// Fill-in to a fixed point, then the mover's moves that are not needed.
///
/// Fill-in may join a colour's edges: that colour has won, wherever the mover plays.
pub(super) fn inferior<const W: usize>(
    board: &Board<W>,
    stones: [Bits<W>; 2],
    mover: usize,
) -> Inferior<W> {
    let mut ground = Ground::new(board, stones);
    let fill = fill(board, &mut ground);
    let filled = [BLACK, WHITE].map(|colour| ground.stones[colour] & !stones[colour]);
    let (mut vulnerable, mut answers) = (Bits::NONE, Vec::new());
    let (killers, stirred) = ground.stirring(1 - mover);
    for cell in killers.cells() {
        let effect = ground.effect(1 - mover, cell, stirred[cell / 64][cell % 64]);
        let needed = Bits::one(cell) | effect.captured[1 - mover];
        answers.extend((effect.dead & !vulnerable).cells().map(|dead| (dead as u16, needed)));
        vulnerable = vulnerable | effect.dead;
    }
    for cell in (ground.empty & !vulnerable).cells() {
        if let Some(killer) = ground.wide_killers(1 - mover, cell).next() {
            vulnerable = vulnerable | Bits::one(cell);
            answers.push((cell as u16, Bits::one(killer)));
        }
    }
    let dominated = dominated(&mut ground, vulnerable, mover);
    let mut pruned = vulnerable | dominated;
    if let (Some(first), true) = (ground.empty.cells().next(), pruned == ground.empty) {
        pruned = pruned & !Bits::one(first);
    }
    let Fill { dead, captured } = fill;
    Inferior { filled, pruned, dead, captured, vulnerable, dominated, answers }
}

/// Fills what is dead or captured, until nothing is.
fn fill<const W: usize>(board: &Board<W>, ground: &mut Ground<W>) -> Fill<W> {
    let mut fill = ground.settle(ground.empty, Colours::BOTH, None);
    loop {
        let mut found = ground.wide_fill();
        if found.all().is_empty() {
            found.dead = chains::dead(board, ground, BLACK) | chains::dead(board, ground, WHITE);
        }
        if found.all().is_empty() {
            return fill;
        }
        let found = ground.bury(found);
        fill.dead = fill.dead | found.dead;
        fill.captured = [BLACK, WHITE].map(|colour| fill.captured[colour] | found.captured[colour]);
    }
}

/// Cells that are dominated by others which are neither vulnerable nor dominated themselves.
fn dominated<const W: usize>(ground: &mut Ground<W>, vulnerable: Bits<W>, mover: usize) -> Bits<W> {
    let mut dominated = Bits::NONE;
    // the cell that is kept instead
    let mut instead = [[0u16; 64]; W];
    let mut prefer = |better: usize, worse: Bits<W>| {
        let mut kept = better;
        while dominated.has(kept) {
            kept = instead[kept / 64][kept % 64] as usize;
        }
        for worse in (worse & !(vulnerable | dominated | Bits::one(kept))).cells() {
            dominated = dominated | Bits::one(worse);
            instead[worse / 64][worse % 64] = kept as u16;
        }
    };
    let (dominating, stirred) = ground.stirring(mover);
    for cell in (dominating & !vulnerable).cells() {
        prefer(cell, ground.effect(mover, cell, stirred[cell / 64][cell % 64]).all());
    }
    for cell in (ground.empty & !vulnerable).cells() {
        for better in ground.wide_killers(mover, cell).filter(|better| !vulnerable.has(*better)) {
            prefer(better, Bits::one(cell));
        }
    }
    dominated
}

/// For every empty cell what a stone of `colour` on it would capture at once, dead ones included; nothing is left to
/// fill in.
pub(super) fn captures<const W: usize>(
    board: &Board<W>,
    stones: [Bits<W>; 2],
    colour: usize,
) -> Vec<Bits<W>> {
    let mut ground = Ground::new(board, stones);
    let mut captures = vec![Bits::NONE; board.size * board.size];
    let (stirring, stirred) = ground.stirring(colour);
    for cell in stirring.cells() {
        captures[cell] = ground.effect(colour, cell, stirred[cell / 64][cell % 64]).all();
    }
    captures
}
