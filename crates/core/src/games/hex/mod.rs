//! Hex on bitboards, valued by electric circuits.
//!
//! `bits` is a set of cells, `board` the board's shape, positions and who has won, `circuit` the heuristic,
//! `notation` how all of it is written. With knowledge, `inferior` finds cells that do not matter, `connections` what
//! is joined whatever the opponent does, `network` is the circuit over that, `neural` what has been learnt instead,
//! `knowledge` all of it for a position, and `facts` tells it.

mod bits;
mod board;
#[cfg(test)]
mod brute;
mod circuit;
mod connections;
mod facts;
mod inferior;
mod knowledge;
mod network;
mod neural;
mod notation;
#[cfg(test)]
mod tests;

use super::{AnyGame, Made};
use crate::error::Error;
use crate::game::{Child, Game};
use crate::mix::{key_of, splitmix64, GOLDEN_RATIO};
use crate::params::{Info, Kind, Param, Params};
use bits::Bits;
use board::{Board, Position, BLACK, WHITE};
use circuit::{Cell, Circuit};
pub use connections::measure as measure_connections;
use knowledge::{Knower, Known};
use neural::Neural;
use std::sync::Arc;

/// The longest side.
const LARGEST: i64 = 19;

/// Hex: Black, who is Max and moves first, joins top and bottom; White joins left and right.
///
/// The type of a position depends on the size of the board, so this is not a game itself: it makes one.
pub struct Hex(Arc<dyn AnyGame>);

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
            Param {
                name: "knowledge",
                default: Kind::Bool(false),
                meaning: "for searches: only moves that virtual connections leave to consider, decided games seen early",
            },
            Param {
                name: "network",
                default: Kind::Bool(false),
                meaning: "with knowledge: a neural network that has learnt values moves and positions, and not circuits",
            },
            Param {
                name: "width",
                default: Kind::MaybeInt(1),
                meaning: "with knowledge: only so many moves of a position, the best by score; proofs then prove nothing",
            },
        ],
    };

    /// The game with these parameters, which have been checked against [`Hex::INFO`].
    pub fn new(params: &Params) -> Result<Hex, Error> {
        let (size, swap) = (params.int("size").unwrap_or(11), params.bool("swap"));
        let knowledge = params.bool("knowledge");
        if swap && knowledge {
            let message = "knowledge does not say when to swap: leave swap or knowledge out";
            return Err(Error::Argument(message.into()));
        }
        let (width, network) = (params.int("width"), params.bool("network"));
        for (name, given) in [("width", width.is_some()), ("network", network)] {
            if given && !knowledge {
                let message = format!("{name} needs knowledge: say knowledge too");
                return Err(Error::Argument(message));
            }
        }
        if !(1..=LARGEST).contains(&size) {
            return Err(Error::Argument(format!("size must be from 1 to {LARGEST}, not {size}")));
        }
        let size = size as usize;
        let neural = network.then(Neural::learnt);
        let width = knowledge.then(|| width.map_or(usize::MAX, |width| width as usize));
        Ok(Hex(match size {
            0..=7 => HexGame::<1>::new(size, swap).knowing(width, neural).any(),
            8..=11 => HexGame::<2>::new(size, swap).knowing(width, neural).any(),
            12..=13 => HexGame::<3>::new(size, swap).knowing(width, neural).any(),
            _ => HexGame::<6>::new(size, swap).knowing(width, neural).any(),
        }))
    }
}

impl Made for Hex {
    fn any(self) -> Arc<dyn AnyGame> {
        self.0
    }
}

/// Hex on a board whose cells, and one bit more, fit into `W` words.
#[derive(Clone, Debug)]
pub struct HexGame<const W: usize> {
    board: Board<W>,
    swap: bool,
    /// What finds out about positions, if the game is played with knowledge.
    knower: Option<Arc<Knower<W>>>,
    /// How many moves are considered, at the most, with knowledge.
    width: usize,
}

/// A cell; or the number of cells, which is the swap.
type Move = u16;

impl<const W: usize> HexGame<W> {
    fn new(size: usize, swap: bool) -> HexGame<W> {
        HexGame { board: Board::new(size), swap, knower: None, width: usize::MAX }
    }

    /// The game with knowledge, if there is a width, valued by a network or else by circuits.
    fn knowing(self, width: Option<usize>, neural: Option<&'static Neural>) -> HexGame<W> {
        let Some(width) = width else { return self };
        let knower = Some(Arc::new(Knower::new(self.board.clone(), neural)));
        HexGame { knower, width, ..self }
    }

    /// What is known of a position that is not over, if the game is played with knowledge.
    #[inline(always)]
    fn known(&self, position: &Position<W>) -> Option<Arc<Known>> {
        self.knower.as_ref().map(|knower| knower.known(position))
    }

    fn swap_move(&self) -> Move {
        (self.board.size * self.board.size) as Move
    }

    /// Whether the player to move may swap: White, after Black's first stone, unless that stone has won.
    #[inline(always)]
    fn may_swap(&self, position: &Position<W>) -> bool {
        self.swap && !position.white_began() && position.ply() == 1 && !position.over()
    }

    /// Which value a game has that this colour has won.
    #[inline(always)]
    fn win(colour: usize) -> f64 {
        if colour == BLACK {
            1.0
        } else {
            -1.0
        }
    }

    /// A colour's circuit in a position that is not over, in lines from one of its edges to the other: White's
    /// is the circuit that Black would have with the roles exchanged.
    fn circuit(&self, position: &Position<W>, colour: usize) -> Circuit {
        let board = &self.board;
        let own = position.stones(colour);
        // what no pole is connected with would leave the equations without a unique solution
        let open = board.all & !position.stones(1 - colour);
        let [near, far] = board.edges[colour];
        let open = board.flood(near | far, open);
        let cell = |at: usize| {
            let cell = if colour == BLACK { at } else { board.transposed(at) };
            match (open.has(cell), own.has(cell)) {
                (false, _) => Cell::Out,
                (_, true) => Cell::Own,
                _ => Cell::Empty,
            }
        };
        let cells = (0..board.size * board.size).map(cell).collect();
        // rows that are long enough for any board of so many words
        match W {
            1 => Circuit::solve::<8>(board.size, cells),
            2 => Circuit::solve::<12>(board.size, cells),
            _ => Circuit::solve::<20>(board.size, cells),
        }
    }

    /// One over the resistance of each colour.
    fn conductances(&self, position: &Position<W>) -> [f64; 2] {
        [BLACK, WHITE].map(|colour| self.circuit(position, colour).current)
    }
}

/// The least score of a move.
const LEAST: f64 = 1.0 / (1 << 24) as f64;

impl<const W: usize> Game for HexGame<W> {
    type Position = Position<W>;
    type Move = Move;

    fn start(&self) -> Result<Position<W>, Error> {
        Ok(Position::empty(false))
    }

    #[inline]
    fn max_to_move(&self, position: &Position<W>) -> bool {
        position.mover() == BLACK
    }

    #[inline]
    fn moves(&self, position: &Position<W>, moves: &mut Vec<Move>) -> Result<(), Error> {
        if position.over() {
            return Ok(());
        }
        if let Some(known) = self.known(position) {
            moves.extend(known.moves.iter().take(self.width));
            return Ok(());
        }
        let empty = self.board.all & !position.taken();
        moves.extend(empty.cells().map(|cell| cell as Move));
        if self.may_swap(position) {
            moves.push(self.swap_move());
        }
        Ok(())
    }

    #[inline]
    fn play(&self, position: &Position<W>, mv: &Move) -> Result<Position<W>, Error> {
        if *mv == self.swap_move() {
            return Ok(self.board.exchanged(position));
        }
        let (mover, cell) = (position.mover(), usize::from(*mv));
        let over = self.board.wins(position.stones(mover), mover, cell);
        Ok(position.with(mover, cell, over))
    }

    #[inline]
    fn outcome(&self, position: &Position<W>) -> Result<Option<f64>, Error> {
        Ok(position.over().then(|| Self::win(1 - position.mover())))
    }

    /// (R_white - R_black) / (R_white + R_black), where R is the resistance of a colour's circuit.
    fn evaluate(&self, position: &Position<W>) -> Result<f64, Error> {
        let value = match self.known(position) {
            Some(known) => known.value,
            None => {
                let [black, white] = self.conductances(position);
                (black - white) / (black + white)
            }
        };
        // a win is worth 1 and -1; nothing else is
        const MOST: f64 = 1.0 - LEAST;
        Ok(value.clamp(-MOST, MOST))
    }

    #[inline]
    fn each_successor(
        &self,
        position: &Position<W>,
        mut show: impl FnMut(&Position<W>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if position.over() {
            return Ok(());
        }
        if let Some(known) = self.known(position) {
            let mut moves = known.moves.iter().take(self.width);
            return moves.try_for_each(|mv| show(&self.play(position, mv)?));
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

    fn visit(
        &self,
        position: &Position<W>,
        moves: &[Move],
        mut visit: impl FnMut(Child<Position<W>>) -> bool,
    ) -> Result<(), Error> {
        let mut children = Vec::with_capacity(moves.len());
        self.successors(position, moves, 0.0, &mut children)?;
        for mut child in children {
            if !child.terminal {
                child.value = self.evaluate(&child.position)?;
            }
            if !visit(child) {
                break;
            }
        }
        Ok(())
    }

    fn successors(
        &self,
        position: &Position<W>,
        moves: &[Move],
        unknown: f64,
        children: &mut Vec<Child<Position<W>>>,
    ) -> Result<(), Error> {
        let (mover, swap) = (position.mover(), self.swap_move());
        if let Some(winner) = self.known(position).and_then(|known| known.winner) {
            for mv in moves {
                let (position, value) = (self.play(position, mv)?, Self::win(winner));
                children.push(Child { position, value, terminal: true });
            }
            return Ok(());
        }
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

    /// A winning cell stays one until somebody takes it.
    fn foresee(
        &self,
        position: &Position<W>,
        moves: &[Move],
        children: &mut [Child<Position<W>>],
    ) -> Result<(), Error> {
        if self.knower.is_some() {
            return Ok(());
        }
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

    fn value_range(&self) -> (f64, f64) {
        (-1.0, 1.0)
    }

    fn results(&self) -> Option<Vec<f64>> {
        Some(vec![-1.0, 1.0])
    }

    fn best_first(&self) -> bool {
        self.knower.is_some()
    }

    fn gives_scores(&self) -> bool {
        true
    }

    /// The current through the cell in Black's circuit and in White's: a cell is as good for the one as it would
    /// be for the other.
    fn move_scores(
        &self,
        position: &Position<W>,
        moves: &[Move],
        scores: &mut Vec<f64>,
    ) -> Result<(), Error> {
        if let Some(known) = self.known(position) {
            scores.extend(known.scores.iter().take(self.width).map(|&score| f64::from(score)));
            return Ok(());
        }
        let circuits = [BLACK, WHITE].map(|colour| self.circuit(position, colour));
        let [black, white] = circuits.each_ref().map(Circuit::currents);
        let score = |cell: usize| (black[cell] + white[self.board.transposed(cell)]).max(LEAST);
        let before = scores.len();
        let swap = self.swap_move();
        scores.extend(moves.iter().map(|&mv| if mv == swap { 0.0 } else { score(mv.into()) }));
        if let Some(place) = moves.iter().position(|&mv| mv == swap) {
            scores[before + place] =
                self.swap_score(position, circuits.map(|circuit| circuit.current), &score);
        }
        Ok(())
    }

    /// The player to move gets half of the empty cells, rounded up, and the other one the rest: whoever is joined then
    /// has won, as if they had been taken in turn. Only with knowledge, whose moves take too long for this.
    fn play_at_random(&self, position: &Position<W>, random: &mut u64) -> Option<f64> {
        if self.knower.is_none() || position.over() {
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

    fn facts(&self, position: &Position<W>) -> Option<String> {
        let knower = self.knower.as_ref().filter(|_| !position.over())?;
        Some(knower.facts(position))
    }

    #[inline]
    fn key(&self, position: &Position<W>) -> Result<Option<u64>, Error> {
        Ok(Some(key_of(position.words())))
    }

    /// Where a swap is or was possible the players differ in more than their colours until the second stone.
    fn swapped(&self, position: &Position<W>) -> Option<Position<W>> {
        let alike = !self.swap || position.ply() > 1;
        alike.then(|| self.board.exchanged(position))
    }

    fn move_name(&self, _: &Position<W>, mv: &Move) -> String {
        if *mv == self.swap_move() {
            "swap".into()
        } else {
            notation::cell_name(self.board.size, usize::from(*mv))
        }
    }

    /// Reads the moves from the empty board, `b2 c3` or `b2 swap c3`; `white b2 c3` if White began.
    fn parse(&self, text: &str) -> Result<Position<W>, Error> {
        self.read(text).map_err(Error::Position)
    }

    fn notation(&self, position: &Position<W>) -> String {
        self.write(position)
    }

    fn picture(&self, position: &Position<W>) -> String {
        notation::picture(&self.board, position)
    }
}

impl<const W: usize> HexGame<W> {
    /// How good it is to swap, where a move to a cell is as good as `score` says.
    ///
    /// The best move by score leaves Black to move, and so does the swap: that makes the two comparable. Each
    /// gives White some ratio of Black's resistance to White's, and the scores are made to have the ratio of
    /// those. This happens once in a game, so that it may solve two circuits more.
    fn swap_score(
        &self,
        position: &Position<W>,
        [black, white]: [f64; 2],
        score: &dyn Fn(usize) -> f64,
    ) -> f64 {
        let empty = self.board.all & !position.taken();
        let best = empty.cells().max_by(|&one, &two| score(one).total_cmp(&score(two)));
        let Some(best) = best else { return 1.0 };
        let reply = position.with(WHITE, best, false);
        let [black_then, white_then] = self.conductances(&reply);
        let by_swap = black / white;
        let by_reply = white_then / black_then;
        (score(best) * by_swap / by_reply).max(LEAST)
    }
}
