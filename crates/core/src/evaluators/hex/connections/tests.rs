//! Connections against exhaustive play, and updates against builds.

use super::*;
use crate::games::hex::board::{BLACK, WHITE};
use crate::mix::splitmix64;
use std::collections::{BTreeSet, HashMap};

/// Numbers that look random.
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(1);
        (splitmix64(self.0) % count as u64) as usize
    }
}

/// A position with so many stones, turn by turn, that nobody has won.
fn position<const W: usize>(board: &Board<W>, stones: usize, dice: &mut Dice) -> [Bits<W>; 2] {
    loop {
        let mut both = [Bits::NONE; 2];
        for turn in 0..stones {
            let empty: Vec<usize> = (board.all & !(both[0] | both[1])).cells().collect();
            let colour = turn % 2;
            both[colour] = both[colour] | Bits::one(empty[dice.below(empty.len())]);
        }
        if !(board.joined(both[BLACK], BLACK) || board.joined(both[WHITE], WHITE)) {
            return both;
        }
    }
}

/// Whether the colour joins two points inside the carrier, by exhaustive play.
fn holds<const W: usize>(
    board: &Board<W>,
    own: Bits<W>,
    colour: usize,
    ends: [usize; 2],
    carrier: Bits<W>,
    own_turn: bool,
) -> bool {
    let cells = board.size * board.size;
    // an edge is a stone that all cells beside it touch
    let touch = |end: usize, own: Bits<W>| {
        let begin = if end >= cells { board.edges[colour][end - cells] } else { Bits::one(end) };
        let mut reached = board.flood(begin, own);
        let mut through = board.edges[colour].map(|along| begin == along);
        for _ in 0..2 {
            for (edge, along) in board.edges[colour].into_iter().enumerate() {
                through[edge] |= reached.meets(along);
                if through[edge] {
                    reached = reached | board.flood(along, own);
                }
            }
        }
        (reached, through)
    };
    let joined = |own: Bits<W>| {
        let (reached, through) = touch(ends[0], own);
        match ends[1].checked_sub(cells) {
            Some(edge) => through[edge],
            None => reached.has(ends[1]),
        }
    };
    fn play<const W: usize>(
        own: Bits<W>,
        left: Bits<W>,
        turn: bool,
        done: &dyn Fn(Bits<W>) -> bool,
        memo: &mut HashMap<(Bits<W>, Bits<W>, bool), bool>,
    ) -> bool {
        if done(own) {
            return true;
        }
        if !done(own | left) {
            return false;
        }
        if let Some(&known) = memo.get(&(own, left, turn)) {
            return known;
        }
        let mut moves = left.cells();
        let holds = if turn {
            moves.any(|cell| {
                let one = Bits::one(cell);
                play(own | one, left & !one, false, done, memo)
            })
        } else {
            // to pass is never better than to move, but there may be nothing to move to
            moves.all(|cell| play(own, left & !Bits::one(cell), true, done, memo))
                && play(own, left, true, done, memo)
        };
        memo.insert((own, left, turn), holds);
        holds
    }
    let mut own = own;
    for end in ends {
        if end < cells {
            own = own | Bits::one(end);
        }
    }
    play(own, carrier, own_turn, &joined, &mut HashMap::new())
}

fn check_all<const W: usize>(board: &Board<W>, connections: &Connections<W>, most: u32) {
    let own = connections.stones[connections.colour];
    for connection in connections.all() {
        if connection.carrier.count() > most {
            continue;
        }
        let Connection { ends, full, carrier, .. } = connection;
        assert!(
            holds(board, own, connections.colour, ends, carrier, !full),
            "{connection:?} of {} on {:?}",
            connections.colour,
            connections.stones
        );
    }
}

/// What a colour has, for comparison: ends, kind and carrier.
fn claims<const W: usize>(
    connections: &Connections<W>,
) -> BTreeSet<(usize, usize, bool, Vec<usize>)> {
    let claim = |connection: Connection<W>| {
        let [one, two] = connection.ends;
        let cells = connection.carrier.cells().collect();
        (one.min(two), one.max(two), connection.full, cells)
    };
    connections.all().into_iter().map(claim).collect()
}

#[test]
fn what_is_claimed_holds() {
    let mut dice = Dice(1);
    for size in 3..=5 {
        let board = Terrain::new(&Board::<1>::new(size));
        for round in 0..60 {
            let stones = position(&board, round % (size * size / 2), &mut dice);
            for colour in [BLACK, WHITE] {
                check_all(&board, &Connections::new(&board, stones, colour), 8);
            }
        }
    }
}

#[test]
fn what_is_claimed_after_moves_holds() {
    let mut dice = Dice(2);
    let board = Terrain::new(&Board::<1>::new(5));
    for _ in 0..12 {
        let mut stones = position(&board, 2, &mut dice);
        let mut kept = [BLACK, WHITE].map(|colour| Connections::new(&board, stones, colour));
        for turn in 0..8 {
            let empty: Vec<usize> = (board.all & !(stones[0] | stones[1])).cells().collect();
            let cell = Bits::one(empty[dice.below(empty.len())]);
            stones[turn % 2] = stones[turn % 2] | cell;
            for connections in &mut kept {
                *connections = connections.after(&board, stones, None).expect("more stones");
                check_all(&board, connections, 8);
            }
        }
    }
}

#[test]
fn updates_equal_builds() {
    let mut dice = Dice(3);
    for (size, rounds) in [(3, 200), (4, 100)] {
        let board = Terrain::new(&Board::<1>::new(size));
        for _ in 0..rounds {
            let mut stones = position(&board, size * size / 3, &mut dice);
            let build = |stones, colour| Connections::build(&board, stones, colour, true);
            let mut path = vec![[BLACK, WHITE].map(|colour| build(stones, colour))];
            let mut before = vec![stones];
            let mut spare = Vec::new();
            for _ in 0..12 {
                let empty: Vec<usize> = (board.all & !(stones[0] | stones[1])).cells().collect();
                if (dice.below(3) == 0 || empty.is_empty()) && path.len() > 1 {
                    spare.extend(path.pop().into_iter().flatten());
                    before.pop();
                    stones = before[before.len() - 1];
                    continue;
                }
                let colour = dice.below(2);
                stones[colour] = stones[colour] | Bits::one(empty[dice.below(empty.len())]);
                let last = &path[path.len() - 1];
                let next = last
                    .each_ref()
                    .map(|kept| kept.after(&board, stones, spare.pop()).expect("more"));
                for (colour, kept) in next.iter().enumerate() {
                    assert_eq!(claims(kept), claims(&build(stones, colour)), "{stones:?}");
                }
                path.push(next);
                before.push(stones);
            }
        }
    }
}
