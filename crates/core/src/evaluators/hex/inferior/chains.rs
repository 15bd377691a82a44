//! Dead cells that only whole chains show.
//!
//! For one colour let two empty cells be linked if they are neighbours or both next to one chain of its stones. A
//! cell matters only if it lies on a way of links from edge to edge that no link shortens. So a cell is dead if
//!
//! - all that it is linked with is linked among itself (it is *simplicial*);
//! - it touches an edge, or a chain that is joined to one, and so does all that it is linked with;
//! - it lies behind the liberties of a chain: they are all linked, so no way needs to pass two of them; or behind
//!   the liberties of an edge;
//! - it lies behind a single cell.

use super::super::bits::Bits;
use super::super::board::Board;
use super::ground::{Ground, CELLS};

/// The chains of one colour.
struct Chains<const W: usize> {
    /// The empty cells next to each chain that is not joined to an edge.
    liberties: Vec<Bits<W>>,
    /// For a stone, which chain it belongs to, counted from 1; 0 if it is joined to an edge.
    chain: [u8; CELLS],
    /// For both edges, the empty cells next to it or to a chain that is joined to it.
    edges: [Bits<W>; 2],
}

impl<const W: usize> Chains<W> {
    fn new(board: &Board<W>, ground: &Ground<W>, colour: usize) -> Chains<W> {
        let stones = ground.stones[colour];
        let joined = board.edges[colour].map(|edge| board.flood(edge, stones));
        let edges = [0, 1]
            .map(|side| (board.around(joined[side]) | board.edges[colour][side]) & ground.empty);
        let mut chains = Chains { liberties: Vec::with_capacity(32), chain: [0; CELLS], edges };
        let mut rest = stones & !(joined[0] | joined[1]);
        while let Some(stone) = rest.cells().next() {
            let chain = board.flood(Bits::one(stone), rest);
            rest = rest & !chain;
            chains.liberties.push(board.around(chain) & ground.empty);
            for stone in chain.cells() {
                chains.chain[stone] = chains.liberties.len() as u8;
            }
        }
        chains
    }

    /// The empty cells that one is linked with.
    #[inline(always)]
    fn links(&self, ground: &Ground<W>, cell: usize) -> Bits<W> {
        let mut links = ground.around(cell);
        for &next in &ground.shape.neighbours[cell] {
            let chain = self.chain[next as usize];
            if chain > 0 {
                links = links | self.liberties[chain as usize - 1];
            }
        }
        links & !Bits::one(cell)
    }

    fn is_dead(&self, ground: &Ground<W>, cell: usize) -> bool {
        let links = self.links(ground, cell);
        match self.edges.map(|edge| edge.has(cell)) {
            [true, true] => false,
            [true, false] => (links & !self.edges[0]).is_empty(),
            [false, true] => (links & !self.edges[1]).is_empty(),
            [false, false] => links
                .cells()
                .all(|other| (links & !self.links(ground, other) & !Bits::one(other)).is_empty()),
        }
    }
}

/// Empty cells that are dead because of one colour's chains.
pub(super) fn dead<const W: usize>(board: &Board<W>, ground: &Ground<W>, colour: usize) -> Bits<W> {
    let chains = Chains::new(board, ground, colour);
    let [narrow, passages] = ground.narrow(colour);
    let mut dead = Bits::NONE;
    // what is open all around is hardly ever dead
    for cell in narrow.cells() {
        if chains.is_dead(ground, cell) {
            dead = dead | Bits::one(cell);
        }
    }
    let open = ground.empty | ground.stones[colour];
    let [near, far] = board.edges[colour];
    let mut behind = |cut: Bits<W>, from: Bits<W>| {
        dead = dead | ground.empty & !cut & !board.flood(from, open & !cut);
    };
    for liberties in &chains.liberties {
        behind(*liberties, near | far);
    }
    behind(chains.edges[0], far);
    behind(chains.edges[1], near);
    for cell in passages.cells() {
        behind(Bits::one(cell), near | far);
    }
    dead
}
