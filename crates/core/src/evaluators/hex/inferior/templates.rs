//! Edge templates: where a stone is connected to an edge of its colour, though the opponent moves first.

use super::super::bits::Bits;
use super::super::board::{Board, BLACK, WHITE};

/// The derived templates; the file says which command writes it.
pub(super) const TEMPLATES: &str = include_str!("../data/templates.txt");

/// A stone of this colour on `cell` is connected to an edge if the carrier's cells are empty or of its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::evaluators::hex) struct Template<const W: usize> {
    pub colour: usize,
    pub cell: usize,
    /// 0: the top or left edge, 1: the bottom or right one.
    pub edge: usize,
    pub carrier: Bits<W>,
}

/// All templates wherever they fit on a board, those with the smallest carriers of a row first.
pub(in crate::evaluators::hex) fn templates<const W: usize>(board: &Board<W>) -> Vec<Template<W>> {
    let size = board.size as i32;
    let last = board.size * board.size - 1;
    let mut placed = Vec::new();
    for (row, cells) in read() {
        for colour in [BLACK, WHITE] {
            for edge in [0, 1] {
                for along in 0..size {
                    // as it is written the edge is the bottom one; half a turn leads to the top, the other diagonal
                    // half to White's edges
                    let place = |(right, down): (i32, i32)| {
                        let (column, row) = (along + right, size - row + down);
                        let inside = (0..size).contains(&column) && (0..size).contains(&row);
                        inside.then(|| {
                            let cell = (row * size + column) as usize;
                            let turned = if edge == 1 { cell } else { last - cell };
                            if colour == BLACK {
                                turned
                            } else {
                                board.transposed(turned)
                            }
                        })
                    };
                    let carrier = cells
                        .iter()
                        .try_fold(Bits::NONE, |all, cell| Some(all | Bits::one(place(*cell)?)));
                    if let (Some(cell), Some(carrier)) = (place((0, 0)), carrier) {
                        placed.push(Template { colour, cell, edge, carrier });
                    }
                }
            }
        }
    }
    placed
}

/// The templates of the file: the stone's row, counted from 1 at the edge below, and the cells as (column, row) from
/// the stone.
pub(super) fn read() -> Vec<(i32, Vec<(i32, i32)>)> {
    let numbers = |line: &str| {
        line.split([' ', ',']).map_while(|number| number.parse().ok()).collect::<Vec<i32>>()
    };
    let lines = TEMPLATES.lines().map(numbers).filter(|numbers| !numbers.is_empty());
    lines
        .map(|numbers| {
            (numbers[0], numbers[1..].chunks_exact(2).map(|cell| (cell[0], cell[1])).collect())
        })
        .collect()
}
