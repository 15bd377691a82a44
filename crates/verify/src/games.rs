//! The rules of games, written once more.

use std::hash::Hash;

/// What the walk needs of a game.
pub trait Rules {
    /// A position, with whose turn it is.
    type State: Copy + Eq + Hash;
    /// From the certificate's text.
    fn read(&self, text: &str) -> Option<Self::State>;
    fn max_to_move(&self, state: &Self::State) -> bool;
    fn outcome(&self, state: &Self::State) -> Option<f64>;
    /// The states after all moves, in the certificate's order.
    fn after(&self, state: &Self::State) -> Vec<Self::State>;
    /// What the player who is not to move gets at least, as far as it can be seen.
    fn settled(&self, _state: &Self::State) -> Option<f64> {
        None
    }
}

/// The sets of some letters in rows of a board, the last row first: bit = width * row + column.
fn sets<const N: usize>(
    rows: &[&str],
    width: usize,
    stride: usize,
    letters: [char; N],
) -> Option<[u128; N]> {
    let mut sets = [0; N];
    for (row, text) in rows.iter().rev().enumerate() {
        for (column, letter) in text.chars().enumerate() {
            match letters.iter().position(|other| *other == letter) {
                Some(place) => sets[place] |= 1 << (stride * row + column),
                None if letter == '.' || letter == '-' => {}
                None => return None,
            }
        }
        (text.len() == width).then_some(())?;
    }
    Some(sets)
}

/// The places of a set, the lowest first.
fn places(set: u128) -> impl Iterator<Item = u32> {
    let left = std::iter::successors(Some(set), |left| Some(left & left.wrapping_sub(1)));
    left.take_while(|left| *left != 0).map(u128::trailing_zeros)
}

/// Stones of the player to move, of the other, and whether Max is to move. Here bit = 8 * row + column.
pub struct ConnectFour;

impl Rules for ConnectFour {
    type State = (u64, u64, bool);

    fn read(&self, text: &str) -> Option<Self::State> {
        let (board, mover) = text.split_once(' ')?;
        let rows: Vec<&str> = board.split('/').collect();
        let [x, o] = sets(&rows, 7, 8, ['X', 'O'])?.map(|set| set as u64);
        let floats = (x | o) & !0xFF & !((x | o) << 8);
        let state = if mover == "X" { (x, o, true) } else { (o, x, false) };
        (rows.len() == 6 && floats == 0 && (mover == "X" || mover == "O")).then_some(state)
    }

    fn max_to_move(&self, state: &Self::State) -> bool {
        state.2
    }

    fn outcome(&self, &(own, other, x): &Self::State) -> Option<f64> {
        let four = |set: u64| {
            [1, 7, 8, 9].iter().any(|by| set & set >> by & set >> (2 * by) & set >> (3 * by) != 0)
        };
        match (four(own), four(other)) {
            (_, true) => Some(if x { 1.0 } else { 1023.0 }),
            (true, _) => Some(if x { 1023.0 } else { 1.0 }),
            _ => ((own | other).count_ones() == 42).then_some(512.0),
        }
    }

    fn after(&self, &(own, other, x): &Self::State) -> Vec<Self::State> {
        let fall = |column: u32| {
            (0..6).map(|row| 1u64 << (8 * row + column)).find(|cell| (own | other) & cell == 0)
        };
        (0..7).filter_map(fall).map(|cell| (other, own | cell, !x)).collect()
    }

    /// Following up: docs/proofs.md.
    fn settled(&self, &(own, other, x): &Self::State) -> Option<f64> {
        const ODD: u64 = 0x007F_007F_007F;
        const EVEN: u64 = ODD << 8;
        const COLUMN: u64 = 0x0101_0101_0101;
        let four = |set: u64| {
            [1, 7, 8, 9].iter().any(|by| set & set >> by & set >> (2 * by) & set >> (3 * by) != 0)
        };
        let (taken, win) = (own | other, if x { 1.0 } else { 1023.0 });
        let empty = (ODD | EVEN) & !taken;
        let lows = empty & EVEN & taken << 8;
        let wins = |cell: &u64| four(other | cell);
        let threats: u64 =
            (0..48).map(|bit| 1 << bit & empty).filter(|cell| *cell != 0).filter(wins).sum();
        let even = threats & EVEN & !lows;
        let free = empty & ODD & !(even << 8 | even << 24);
        if taken.count_ones() % 2 == 0 {
            let lost = even != 0 || four(other | empty & EVEN & !lows);
            return (!four(own | free | lows)).then_some(if lost { win } else { 512.0 });
        }
        let held = |column: u64| {
            let odd = threats & ODD & column;
            let below = (odd & odd.wrapping_neg()).wrapping_sub(1) & column & EVEN & empty;
            let gets = own | free & !column | lows & !column | below;
            odd != 0 && lows & column != 0 && !four(gets)
        };
        (0..7).any(|column| held(COLUMN << column)).then_some(win)
    }
}

/// Discs of the player to move, of the other, and whether Black is to move.
pub struct Othello;

impl Othello {
    /// What a disc turns over.
    fn turned(own: u64, other: u64, square: u32) -> u64 {
        let mut all = 0;
        for (right, up) in DIRECTIONS {
            let (mut x, mut y, mut line) =
                ((square % 8) as i32 + right, (square / 8) as i32 + up, 0);
            while (0..8).contains(&x) && (0..8).contains(&y) {
                let at = 1u64 << (8 * y + x);
                if other & at == 0 {
                    all |= if own & at != 0 { line } else { 0 };
                    break;
                }
                line |= at;
                (x, y) = (x + right, y + up);
            }
        }
        all
    }

    fn moves(own: u64, other: u64) -> impl Iterator<Item = (u32, u64)> {
        let empty = places(u128::from(!(own | other)));
        empty.map(move |at| (at, Self::turned(own, other, at))).filter(|(_, turned)| *turned != 0)
    }
}

const DIRECTIONS: [(i32, i32); 8] =
    [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

impl Rules for Othello {
    type State = (u64, u64, bool);

    fn read(&self, text: &str) -> Option<Self::State> {
        let (board, mover) = text.split_once(' ')?;
        let rows: Vec<&str> =
            (0..8).rev().map(|row| board.get(8 * row..8 * row + 8)).collect::<Option<_>>()?;
        let [x, o] = sets(&rows, 8, 8, ['X', 'O'])?.map(|set| set as u64);
        let state = if mover == "X" { (x, o, true) } else { (o, x, false) };
        (board.len() == 64 && (mover == "X" || mover == "O")).then_some(state)
    }

    fn max_to_move(&self, state: &Self::State) -> bool {
        state.2
    }

    fn outcome(&self, &(own, other, black): &Self::State) -> Option<f64> {
        if Self::moves(own, other).chain(Self::moves(other, own)).next().is_some() {
            return None;
        }
        let lead = own.count_ones() as i32 - other.count_ones() as i32;
        let lead = lead + lead.signum() * (!(own | other)).count_ones() as i32;
        Some(f64::from(if black { lead } else { -lead }))
    }

    fn after(&self, &(own, other, black): &Self::State) -> Vec<Self::State> {
        let play = |(at, turned): (u32, u64)| (other & !turned, own | turned | 1 << at, !black);
        let all: Vec<_> = Self::moves(own, other).map(play).collect();
        if all.is_empty() {
            vec![(other, own, !black)]
        } else {
            all
        }
    }
}

/// Amazons of the player to move, of the other, burnt squares, and whether White is to move.
pub struct Amazons {
    size: i32,
}

impl Amazons {
    pub fn new(size: u32) -> Amazons {
        Amazons { size: size as i32 }
    }

    /// The squares that a queen reaches.
    fn reach(&self, square: u32, taken: u128) -> u128 {
        let mut found = 0;
        for (right, up) in DIRECTIONS {
            let (mut x, mut y) =
                (square as i32 % self.size + right, square as i32 / self.size + up);
            while (0..self.size).contains(&x) && (0..self.size).contains(&y) {
                let at = 1u128 << (self.size * y + x);
                if taken & at != 0 {
                    break;
                }
                found |= at;
                (x, y) = (x + right, y + up);
            }
        }
        found
    }
}

impl Rules for Amazons {
    type State = (u128, u128, u128, bool);

    fn read(&self, text: &str) -> Option<Self::State> {
        let (board, mover) = text.split_once(' ')?;
        let empty =
            |text: String, number: usize| text.replace(&number.to_string(), &".".repeat(number));
        let board = (1..=10).rev().fold(board.to_string(), empty);
        let rows: Vec<&str> = board.split('/').collect();
        let [white, black, burnt] =
            sets(&rows, self.size as usize, self.size as usize, ['w', 'b', 'x'])?;
        let state =
            if mover == "w" { (white, black, burnt, true) } else { (black, white, burnt, false) };
        (rows.len() == self.size as usize && (mover == "w" || mover == "b")).then_some(state)
    }

    fn max_to_move(&self, state: &Self::State) -> bool {
        state.3
    }

    fn outcome(&self, &(own, other, burnt, white): &Self::State) -> Option<f64> {
        let taken = own | other | burnt;
        let moves = places(own).any(|square| self.reach(square, taken) != 0);
        let all = f64::from(self.size * self.size);
        (!moves).then_some(if white { -all } else { all })
    }

    fn after(&self, &(own, other, burnt, white): &Self::State) -> Vec<Self::State> {
        let mut all = Vec::new();
        for from in places(own) {
            let taken = (own | other | burnt) & !(1 << from);
            for to in places(self.reach(from, taken)) {
                let moved = own & !(1 << from) | 1 << to;
                let shots = places(self.reach(to, taken));
                all.extend(shots.map(|arrow| (other, moved, burnt | 1 << arrow, !white)));
            }
        }
        all
    }
}
