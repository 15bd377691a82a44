//! Hex on bitboards.
//!
//! `bits` is a set of cells, `board` the board's shape, positions and who has won, `notation` how all of it is written.

pub(crate) mod bits;
pub(crate) mod board;
pub(crate) mod notation;
mod planes;
#[cfg(test)]
mod tests;

use crate::error::Error;
use crate::game::{CellBoard, Child, NetworkShape, Notation, Rules, Shortcuts};
use crate::mix::{key_of, splitmix64, GOLDEN_RATIO};
use crate::params::{Info, Kind, Param, Params};
use bits::Bits;
pub(crate) use board::HexPosition;
use board::{Board, BLACK};

/// The longest side.
const LARGEST: i64 = 19;

/// Hex: Black, who is Max and moves first, joins top and bottom; White joins left and right.
///
/// The type of a position depends on the size of the board, so this is one of several games.
pub enum Hex {
    /// Up to 7 rows.
    Small(HexGame<1>),
    /// Up to 11.
    Usual(HexGame<2>),
    /// Up to 13.
    Large(HexGame<3>),
    /// Up to 19.
    Huge(HexGame<6>),
}

impl Hex {
    /// The game's entry in the tables.
    pub const INFO: Info = Info {
        name: "hex",
        paper: "Anshelevich 2002; Pawlewicz and Hayward 2015, Section 4",
        summary: "place stones; Black joins top and bottom, White left and right",
        params: &[
            Param { name: "size", default: Kind::Int(11, 1), meaning: "rows and columns, 1 to 19" },
            Param {
                name: "swap",
                default: Kind::Bool(false),
                meaning: "White may take over Black's first stone, mirrored, instead of moving",
            },
        ],
    };

    /// The game with these parameters, which have been checked against [`Hex::INFO`].
    pub fn new(params: &Params) -> Result<Hex, Error> {
        let (size, swap) = (params.int("size").unwrap_or(11), params.bool("swap"));
        if !(1..=LARGEST).contains(&size) {
            return Err(Error::Argument(format!("size must be from 1 to {LARGEST}, not {size}")));
        }
        let size = size as usize;
        Ok(match size {
            0..=7 => Hex::Small(HexGame::new(size, swap)),
            8..=11 => Hex::Usual(HexGame::new(size, swap)),
            12..=13 => Hex::Large(HexGame::new(size, swap)),
            _ => Hex::Huge(HexGame::new(size, swap)),
        })
    }
}

/// Hex on a board whose cells, and one bit more, fit into `W` words.
#[derive(Clone, Debug)]
pub struct HexGame<const W: usize> {
    pub(crate) board: Board<W>,
    swap: bool,
}

/// A cell; or the number of cells, which is the swap.
pub(crate) type HexMove = u16;

impl<const W: usize> HexGame<W> {
    pub(crate) fn new(size: usize, swap: bool) -> HexGame<W> {
        HexGame { board: Board::new(size), swap }
    }

    /// Whether there is the swap rule.
    pub(crate) fn has_swap(&self) -> bool {
        self.swap
    }

    /// The move that takes over the first stone.
    pub(crate) fn swap_move(&self) -> HexMove {
        (self.board.size * self.board.size) as HexMove
    }

    /// Whether the player to move may swap: White, after Black's first stone, unless that stone has won.
    #[inline(always)]
    pub(crate) fn may_swap(&self, position: &HexPosition<W>) -> bool {
        self.swap && !position.white_began() && position.ply() == 1 && !position.over()
    }

    /// Which value a game has that this colour has won.
    #[inline(always)]
    pub(crate) fn win(colour: usize) -> f64 {
        if colour == BLACK {
            1.0
        } else {
            -1.0
        }
    }
}

impl<const W: usize> Rules for HexGame<W> {
    type Position = HexPosition<W>;
    type Move = HexMove;

    fn start(&self) -> Result<HexPosition<W>, Error> {
        Ok(HexPosition::empty(false))
    }

    #[inline]
    fn max_to_move(&self, position: &HexPosition<W>) -> bool {
        position.mover() == BLACK
    }

    #[inline]
    fn moves(&self, position: &HexPosition<W>, moves: &mut Vec<HexMove>) -> Result<(), Error> {
        if position.over() {
            return Ok(());
        }
        let empty = self.board.all & !position.taken();
        moves.extend(empty.cells().map(|cell| cell as HexMove));
        if self.may_swap(position) {
            moves.push(self.swap_move());
        }
        Ok(())
    }

    #[inline]
    fn play(&self, position: &HexPosition<W>, mv: &HexMove) -> Result<HexPosition<W>, Error> {
        if *mv == self.swap_move() {
            return Ok(self.board.exchanged(position));
        }
        let (mover, cell) = (position.mover(), usize::from(*mv));
        let over = self.board.wins(position.stones(mover), mover, cell);
        Ok(position.with(mover, cell, over))
    }

    #[inline]
    fn outcome(&self, position: &HexPosition<W>) -> Result<Option<f64>, Error> {
        Ok(position.over().then(|| Self::win(1 - position.mover())))
    }

    #[inline]
    fn each_successor(
        &self,
        position: &HexPosition<W>,
        mut show: impl FnMut(&HexPosition<W>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if position.over() {
            return Ok(());
        }
        let mover = position.mover();
        let winning = self.board.winning(position.stones(mover), mover);
        let mut empty = (self.board.all & !position.taken()).cells();
        empty.try_for_each(|cell| show(&position.with(mover, cell, winning.has(cell))))?;
        if self.may_swap(position) {
            show(&self.board.exchanged(position))?;
        }
        Ok(())
    }

    fn successors(
        &self,
        position: &HexPosition<W>,
        moves: &[HexMove],
        unknown: f64,
        children: &mut Vec<Child<HexPosition<W>>>,
    ) -> Result<(), Error> {
        let (mover, swap) = (position.mover(), self.swap_move());
        let winning = self.board.winning(position.stones(mover), mover);
        let won = Self::win(mover);
        children.extend(moves.iter().map(|mv| {
            if *mv == swap {
                let position = self.board.exchanged(position);
                return Child { position, value: unknown, terminal: false };
            }
            let cell = usize::from(*mv);
            let terminal = winning.has(cell);
            let value = if terminal { won } else { unknown };
            Child { position: position.with(mover, cell, terminal), value, terminal }
        }));
        Ok(())
    }

    fn value_range(&self) -> (f64, f64) {
        (-1.0, 1.0)
    }

    #[inline]
    fn key(&self, position: &HexPosition<W>) -> Result<Option<u64>, Error> {
        Ok(Some(key_of(position.words())))
    }
}

impl<const W: usize> Shortcuts for HexGame<W> {
    /// The cell, and whose stone it is; boards of more than 19 rows share some.
    fn move_slot(&self, position: &HexPosition<W>, mv: &HexMove) -> usize {
        2 * usize::from(*mv) + position.mover()
    }

    fn phase(&self, position: &HexPosition<W>) -> u32 {
        (self.board.all & !position.taken()).count()
    }

    /// A winning cell stays one until somebody takes it.
    fn foresee(
        &self,
        position: &HexPosition<W>,
        moves: &[HexMove],
        children: &mut [Child<HexPosition<W>>],
    ) -> Result<(), Error> {
        let (mover, swap) = (position.mover(), self.swap_move());
        let opponent = 1 - mover;
        let taken = position.stones(mover) | position.stones(opponent);
        let winning = self.board.winning(position.stones(opponent), opponent);
        let winning = winning & self.board.all & !taken;
        for (mv, child) in moves.iter().zip(children).filter(|(_, child)| !child.terminal) {
            if *mv != swap && (winning & !Bits::one(usize::from(*mv))) != Bits::NONE {
                (child.value, child.terminal) = (Self::win(opponent), true);
            }
        }
        Ok(())
    }

    fn results(&self) -> Option<Vec<f64>> {
        Some(vec![-1.0, 1.0])
    }

    fn cell_board(&self, position: &HexPosition<W>, max: bool) -> Option<CellBoard> {
        let size = self.board.size as u32;
        if size > CellBoard::LARGEST || self.swap || position.over() {
            return None;
        }
        let colour = if max { BLACK } else { 1 - BLACK };
        let bits = |set: Bits<W>| set.cells().fold(0u128, |all, cell| all | 1 << cell);
        Some(CellBoard {
            size,
            own: bits(position.stones(colour)),
            free: bits(self.board.all & !position.taken()),
            rows: max,
            moves: position.mover() == colour,
        })
    }

    /// The player to move gets half of the empty cells, rounded up, and the other one the rest: whoever is joined then
    /// has won, as if they had been taken in turn. Nobody swaps.
    fn play_at_random(&self, position: &HexPosition<W>, random: &mut u64) -> Option<f64> {
        if position.over() {
            return None;
        }
        let mut cells: Vec<usize> = (self.board.all & !position.taken()).cells().collect();
        let mover = position.mover();
        let mut stones = position.stones(mover);
        for taken in 0..cells.len().div_ceil(2) {
            *random = random.wrapping_add(GOLDEN_RATIO);
            let left = cells.len() - taken;
            let pick = taken + (splitmix64(*random) % left as u64) as usize;
            cells.swap(taken, pick);
            stones = stones | Bits::one(cells[taken]);
        }
        let wins = self.board.joined(stones, mover);
        Some(Self::win(if wins { mover } else { 1 - mover }))
    }

    /// Where a swap is or was possible the players differ in more than their colours until the second stone.
    fn swapped(&self, position: &HexPosition<W>) -> Option<HexPosition<W>> {
        let alike = !self.swap || position.ply() > 1;
        alike.then(|| self.board.exchanged(position))
    }
}

impl<const W: usize> Notation for HexGame<W> {
    fn network_shape(&self) -> Option<NetworkShape> {
        Some(planes::shape(self))
    }

    fn write_planes(&self, position: &HexPosition<W>, planes: &mut [f32]) {
        planes::write(self, position, planes);
    }

    fn policy_places(&self, position: &HexPosition<W>, mv: &HexMove, places: &mut Vec<u32>) {
        planes::places(self, position, *mv, places);
    }

    fn move_name(&self, _: &HexPosition<W>, mv: &HexMove) -> String {
        if *mv == self.swap_move() {
            "swap".into()
        } else {
            notation::cell_name(self.board.size, usize::from(*mv))
        }
    }

    /// Reads the moves from the empty board, `b2 c3` or `b2 swap c3`; `white b2 c3` if White began.
    fn parse(&self, text: &str) -> Result<HexPosition<W>, Error> {
        self.read(text).map_err(Error::Position)
    }

    fn notation(&self, position: &HexPosition<W>) -> String {
        self.write(position)
    }

    fn picture(&self, position: &HexPosition<W>) -> String {
        notation::picture(&self.board, position)
    }
}
