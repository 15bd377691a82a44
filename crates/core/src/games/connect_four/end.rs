//! Who wins, exactly: a search for the one question whether the player to move gets at least a draw, or a win.
//!
//! A node is the mover's stones and the other's, and the cells where the other would complete four, his *threats*. The
//! mover has no four at once: that was looked at before. Most of the work is saved by what can be read off a board:
//!
//! - The mover must take a threat that can be played, and never plays below one. With two to take he loses.
//! - *Following up* (J. D. Allis, A Knowledge-based Approach of Connect-Four, 1988, claimeven). Number the rows from 1.
//!   The other answers every move in the same column, so that he gets the even rows. Columns of odd height are taken in
//!   pairs: if the mover plays in one of them, the other plays in another one. That works if their number is even, which
//!   means that the number of stones is even. The mover gets at most the empty cells of odd rows and the lowest cells of
//!   columns of odd height. If that makes no four with his stones, he cannot win; and he loses if the other then gets a four.
//!   He never gets a cell above an even threat of the other.
//! - With an odd number of stones it works if the other has a threat in an odd row of a column of odd height. This column
//!   is left alone, and the mover runs out of other moves. In it he gets the even rows below the threat.
//!
//! ```text
//!   6  . . . . . . .
//!   5  . . . . . . .     X to move: all columns are of even height. O follows up.
//!   4  . . . O . . .     X gets the odd rows and O the even ones. If no four of X
//!   3  . . . X . . .     fits into its stones and the odd rows, X cannot win.
//!   2  . . . O . . .
//!   1  . . . X . . .
//! ```
//!
//! The order of moves is by threats that they make, lines of four through the cell, and a history of what has been good.

mod board;
mod table;

use super::{ConnectFourPosition, BOTTOM, CELLS};
use crate::game::{Allowed, Specialist};
use board::{completing, few, has_four, lowest, mirrored, FourBoard, EVEN, ODD};
use table::{FourKnown, FourTable};

/// Lines of four through each cell.
static LINES: [i32; 49] = [
    3, 4, 5, 5, 4, 3, 0, 4, 6, 8, 8, 6, 4, 0, 5, 8, 11, 11, 8, 5, 0, 7, 10, 13, 13, 10, 7, 0, 5, 8,
    11, 11, 8, 5, 0, 4, 6, 8, 8, 6, 4, 0, 3, 4, 5, 5, 4, 3, 0,
];
/// What a line, a threat, and a threat in a row of the mover's parity count for; measured on positions of ten stones.
const LINE: i32 = 64;
const THREAT: i32 = 256;
const RIGHT_ROW: i32 = 256;

/// With fewer stones, positions that mirror each other are one; and the table is asked about children too.
const MIRRORED: u32 = 24;
const CHILDREN: u32 = 26;

/// The specialist for Connect-Four.
pub(super) struct FourSolver {
    table: FourTable,
    /// By parity of the stones and cell: how much more often a move was enough than not.
    history: [[i32; 49]; 2],
    expansions: u64,
    nodes: u64,
    /// Expansions and nodes that have been told, and the expansions at which to ask whether to go on.
    told: (u64, u64),
    look: u64,
}

/// Expansions between two looks at what is allowed.
const STRIDE: u64 = 256;

impl FourSolver {
    /// A solver with a table of at most so many bytes.
    pub fn new(bytes: usize) -> FourSolver {
        FourSolver {
            table: FourTable::new(bytes),
            history: [[0; 49]; 2],
            expansions: 0,
            nodes: 0,
            told: (0, 0),
            look: 0,
        }
    }

    /// The key of a position, and whether it is the mirrored one's.
    #[inline(always)]
    fn key(board: FourBoard, stones: u32) -> (u64, bool) {
        // never 0, which is an empty entry
        let key = board.own + board.taken() + BOTTOM;
        if stones >= MIRRORED {
            return (key, false);
        }
        let other = mirrored(key);
        (key.min(other), other < key)
    }

    /// Whether the mover gets at least this much: a draw (1) or a win (2). `None`: it was stopped.
    fn search(
        &mut self,
        board: FourBoard,
        stones: u32,
        need: u64,
        allowed: &mut Allowed,
    ) -> Option<bool> {
        if self.expansions >= self.look && !self.ask(allowed) {
            return None;
        }
        self.expansions += 1;
        let playable = board.playable();
        let forced = playable & board.threats;
        let mut moves = playable & !(board.threats >> 1);
        if forced != 0 {
            moves &= if forced == lowest(forced) { forced } else { 0 };
        }
        if moves == 0 {
            return Some(false);
        }
        if stones >= 40 {
            return Some(need == 1);
        }
        let empty = CELLS ^ board.taken();
        if need == 2 && !has_four(board.own | empty) {
            return Some(false);
        }
        if need == 1 && !has_four(board.other | empty) {
            return Some(true);
        }
        if forced != 0 {
            self.nodes += 1;
            return Some(!self.search(board.after(moves), stones + 1, 3 - need, allowed)?);
        }
        let (key, turned) = FourSolver::key(board, stones);
        let mut first = 7;
        if let Some(known) = self.table.get(key) {
            if known.at_least() >= need || known.at_most() < need {
                return Some(known.at_least() >= need);
            }
            first = if turned { 6 - known.column() } else { known.column() };
        }
        let before = self.expansions;
        let mut ordered = [(0, 0, board); 7];
        let Ok(count) = self.order(board, moves, stones, need, first, &mut ordered) else {
            return Some(true);
        };
        let mut best = None;
        for &(_, stone, next) in &ordered[..count] {
            if !self.search(next, stones + 1, 3 - need, allowed)? {
                best = Some(stone);
                break;
            }
        }
        let history = &mut self.history[stones as usize & 1];
        if let Some(stone) = best {
            let mut missed = 0;
            for (_, before, _) in ordered.iter().take_while(|(_, before, _)| *before != stone) {
                history[before.trailing_zeros() as usize] -= 1;
                missed += 1;
            }
            history[stone.trailing_zeros() as usize] += missed;
        }
        let column = best.unwrap_or(ordered[0].1).trailing_zeros() / 7;
        let column = if turned { 6 - column } else { column };
        let (at_least, at_most) = if best.is_some() { (need, 2) } else { (0, need - 1) };
        let work = u64::from((self.expansions - before + 1).ilog2()) + 1;
        self.table.put(key, column, at_least, at_most, work);
        Some(best.is_some())
    }

    /// The moves with what they lead to, best first, and their number; or one that is seen to be enough.
    #[inline(always)]
    fn order(
        &mut self,
        board: FourBoard,
        mut moves: u64,
        stones: u32,
        need: u64,
        first: u32,
        ordered: &mut [(i32, u64, FourBoard); 7],
    ) -> Result<usize, u64> {
        let side = stones as usize & 1;
        let rows = [ODD, EVEN][side];
        let mut count = 0;
        while moves != 0 {
            let stone = lowest(moves);
            moves ^= stone;
            self.nodes += 1;
            let next = board.after(stone);
            let twofold = next.playable() & next.threats;
            let (no_win, lost) = next.followed_up(stones + 1);
            if twofold != lowest(twofold) || lost || no_win && need == 1 {
                return Err(stone);
            }
            if stones < CHILDREN {
                let known = self.table.get(FourSolver::key(next, stones + 1).0);
                if known.is_some_and(|known| known.at_most() < 3 - need) {
                    return Err(stone);
                }
            }
            let cell = stone.trailing_zeros();
            let threats = THREAT * few(next.threats) + RIGHT_ROW * few(next.threats & rows);
            let known = if cell / 7 == first { 1 << 24 } else { 0 };
            let score = threats
                + known
                + LINE * LINES[cell as usize]
                + self.history[side][cell as usize].clamp(-(1 << 20), 1 << 20);
            let mut at = count;
            while at > 0 && ordered[at - 1].0 < score {
                ordered[at] = ordered[at - 1];
                at -= 1;
            }
            ordered[at] = (score, stone, next);
            count += 1;
        }
        Ok(count)
    }

    /// A move after which the mover still gets so much, if there is one: where it can be read off the board, the move
    /// that shows it, because it makes the strategies short.
    fn keeping(
        &mut self,
        board: FourBoard,
        need: u64,
        allowed: &mut Allowed,
    ) -> Option<Option<u64>> {
        let (playable, stones) = (board.playable(), board.taken().count_ones());
        let wins = completing(board.own) & playable;
        let forced = playable & board.threats;
        if wins != 0 || forced != 0 || need == 0 {
            let stone = lowest(if wins != 0 {
                wins
            } else if forced != 0 {
                forced
            } else {
                playable
            });
            let holds = wins != 0 || need == 0 || {
                let next = board.after(stone);
                let lost = next.playable() & completing(next.own) != 0;
                !lost && !self.search(next, stones + 1, 3 - need, allowed)?
            };
            return Some(holds.then_some(stone));
        }
        let moves = playable & !(board.threats >> 1);
        if stones >= 40 {
            return Some((need == 1 && moves != 0).then(|| lowest(moves)));
        }
        let mut known = None;
        let mut rest = moves;
        while rest != 0 {
            let stone = lowest(rest);
            rest ^= stone;
            let next = board.after(stone);
            let twofold = next.playable() & next.threats;
            let (no_win, lost) = next.followed_up(stones + 1);
            if twofold != lowest(twofold) {
                return Some(Some(stone));
            }
            if lost || no_win && need == 1 {
                known = Some(stone);
            }
        }
        if known.is_some() || moves == 0 {
            return Some(known);
        }
        let (key, turned) = FourSolver::key(board, stones);
        let first = self.table.get(key).map_or(7, FourKnown::column);
        let first = if turned { 6u32.wrapping_sub(first) } else { first };
        let mut ordered = [(0, 0, board); 7];
        let count = match self.order(board, moves, stones, need, first, &mut ordered) {
            Ok(count) => count,
            Err(stone) => return Some(Some(stone)),
        };
        for &(_, stone, next) in &ordered[..count] {
            if !self.search(next, stones + 1, 3 - need, allowed)? {
                return Some(Some(stone));
            }
        }
        Some(None)
    }

    /// Tells what has been done, and asks whether to go on and how far.
    #[cold]
    fn ask(&mut self, allowed: &mut Allowed) -> bool {
        let more = allowed(self.expansions - self.told.0, self.nodes - self.told.1);
        self.told = (self.expansions, self.nodes);
        // seven nodes at most for an expansion
        self.look = self.expansions + more.0.min(more.1 / 7).min(STRIDE);
        self.look > self.expansions
    }
}

/// The least that the player who is not to move gets by following up, from Max's side, if that shows anything.
pub(super) fn claimed(position: &ConnectFourPosition) -> Option<f64> {
    let (own, other) = position.mover_and_other();
    let board = FourBoard::new(own, other);
    match board.followed_up(board.taken().count_ones()) {
        (_, true) => Some(if position.black_to_move() { 1.0 } else { 1023.0 }),
        (true, false) => Some(512.0),
        _ => None,
    }
}

/// How much the mover must get for a value from Max's side: nothing (0), a draw (1) or a win (2); 3 is too much.
fn need_of(value: f64, max: bool) -> u64 {
    let (low, middle, high) = if max { (1.0, 512.0, 1023.0) } else { (-1023.0, -512.0, -1.0) };
    let value = if max { value } else { -value };
    u64::from(value > low) + u64::from(value > middle) + u64::from(value > high)
}

impl Specialist<ConnectFourPosition> for FourSolver {
    fn keeps(
        &mut self,
        position: &ConnectFourPosition,
        value: f64,
        allowed: &mut Allowed,
    ) -> Option<Option<u32>> {
        self.look = self.expansions;
        let need = need_of(value, position.black_to_move());
        let (own, other) = position.mover_and_other();
        let board = FourBoard::new(own, other);
        let found = self.keeping(board, need, allowed);
        self.ask(allowed);
        // the places are those of the columns that are not full
        let before = |stone: u64| (board.playable() & (stone - 1)).count_ones();
        found.map(|found| found.map(before))
    }

    fn reaches(
        &mut self,
        position: &ConnectFourPosition,
        goal: f64,
        allowed: &mut Allowed,
    ) -> Option<bool> {
        self.look = self.expansions;
        let (own, other) = position.mover_and_other();
        let board = FourBoard::new(own, other);
        let max = position.black_to_move();
        // Max gets at least a draw, or a win, if Min gets no win, or no draw
        let need = need_of(goal, true);
        let need = if max { need } else { 3 - need };
        let won = completing(own) & board.playable() != 0;
        let gets = match need {
            0 => Some(true),
            3 => Some(false),
            _ if won => Some(true),
            _ => self.search(board, board.taken().count_ones(), need, allowed),
        };
        self.ask(allowed);
        gets.map(|gets| gets == max)
    }

    fn bytes(&self) -> usize {
        self.table.bytes()
    }
}
