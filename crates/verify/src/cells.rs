//! The walk of Hex: places are joined by bridges, in two parts, or by an answer to every reply that matters.

use crate::{Choices, Rejected};
use std::collections::HashMap;

/// An edge, or a stone.
type Place = u128;
const NEAR: Place = 0;
const FAR: Place = u128::MAX;
/// Steps round a cell: rows down, columns right.
const WAYS: [(i32, i32); 6] = [(0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0)];

/// What a strategy needs: empty cells, its carrier, and stones.
#[derive(Clone, Copy, Default)]
struct Needs {
    cells: u128,
    stones: u128,
}

impl Needs {
    fn and(self, other: Needs) -> Needs {
        Needs { cells: self.cells | other.cells, stones: self.stones | other.stones }
    }
}

struct Walk<'a> {
    size: i32,
    /// Whether rows are joined, by Black; else columns, by White.
    rows: bool,
    choices: &'a mut Choices,
    met: HashMap<(Place, Place, u128, u128), Needs>,
    answered: HashMap<(Place, Place, u128, u128), Needs>,
    /// The strategies that were walked where the opponent was to move.
    shown: Vec<(Place, Place, Needs)>,
}

/// Walks a strategy that joins the edges; returns how many problems there are.
pub fn walk(
    size: u32,
    text: &str,
    (value, rows): (f64, bool),
    choices: &mut Choices,
) -> Result<u64, Rejected> {
    if if rows { value > 1.0 } else { value < -1.0 } {
        return Err("nobody gets so much".into());
    }
    let mut black = !text.starts_with("white");
    let mut stones = [0u128; 2];
    for word in text.split(' ').filter(|word| !["", "white"].contains(word)) {
        let column = u32::from(word.as_bytes()[0]).wrapping_sub(u32::from(b'a'));
        let row =
            word.get(1..).and_then(|row| row.parse::<u32>().ok()).unwrap_or(0).wrapping_sub(1);
        if column >= size
            || row >= size
            || (stones[0] | stones[1]) >> (size * row + column) & 1 == 1
        {
            return Err(format!("no empty cell {word}"));
        }
        stones[usize::from(!black)] |= 1 << (size * row + column);
        black = !black;
    }
    let (own, free) =
        (stones[usize::from(!rows)], u128::MAX >> (128 - size * size) & !(stones[0] | stones[1]));
    let (met, answered, shown) = (HashMap::new(), HashMap::new(), Vec::new());
    let mut walk = Walk { size: size as i32, rows, choices, met, answered, shown };
    if black == rows {
        walk.answer((NEAR, FAR, own, free), 0)?;
    } else {
        walk.meet((NEAR, FAR, own, free), 0)?;
    }
    Ok((walk.met.len() + walk.answered.len()) as u64)
}

impl Walk<'_> {
    fn choose(&mut self) -> Result<u128, Rejected> {
        Ok(1u128.checked_shl(self.choices.next()?).unwrap_or(0))
    }

    fn answer(
        &mut self,
        problem: (Place, Place, u128, u128),
        depth: u32,
    ) -> Result<Needs, Rejected> {
        if let Some(needs) = self.answered.get(&problem) {
            return Ok(*needs);
        }
        let (one, two, own, free) = problem;
        let cell = self.choose()?;
        if cell & free == 0 {
            return Err("a choice is no empty cell".into());
        }
        let needs = self.meet((one, two, own | cell, free & !cell), depth + 1)?;
        let needs = Needs { cells: needs.cells | cell, stones: needs.stones & !cell };
        self.answered.insert(problem, needs);
        Ok(needs)
    }

    fn meet(&mut self, problem: (Place, Place, u128, u128), depth: u32) -> Result<Needs, Rejected> {
        let (one, two, own, free) = problem;
        let known = self.met.get(&problem).copied();
        if let Some(needs) = known.or_else(|| self.linked(one, two, own, free)) {
            return Ok(needs);
        }
        if free == 0 || depth > 500 {
            return Err("a line of its strategy does not join the edges".into());
        }
        let (number, cells) = (self.choices.next()?, (self.size * self.size) as u32);
        let mut needs = Needs::default();
        if number > cells {
            let shown = self.shown.get((number - cells - 1) as usize);
            let (from, to, needs) = *shown.ok_or("a choice is no strategy that was shown")?;
            if (from, to) != (one, two) || needs.cells & !free != 0 || needs.stones & !own != 0 {
                return Err("a strategy needs what is not there".into());
            }
            self.met.insert(problem, needs);
            return Ok(needs);
        }
        if number > 0 {
            let middle = 1u128 << (number - 1);
            if middle & own == 0 || middle == one || middle == two {
                return Err("a choice is no stone between".into());
            }
            needs = self.meet((one, middle, own, free), depth + 1)?;
            let rest = (middle, two, own, free & !needs.cells);
            needs = needs.and(self.meet(rest, depth + 1)?);
        } else {
            let mut todo = free;
            while todo != 0 {
                let reply = self.choose()?;
                if reply & todo == 0 {
                    return Err("a reply is met twice, or cannot be made".into());
                }
                let needed = self.answer((one, two, own, free & !reply), depth + 1)?;
                todo &= needed.cells;
                needs = needs.and(needed);
            }
        }
        self.met.insert(problem, needs);
        self.shown.push((one, two, needs));
        Ok(needs)
    }

    /// The cells one step from those of a set.
    fn step(&self, set: u128, way: usize) -> u128 {
        let (size, (down, right)) = (self.size, WAYS[way % 6]);
        let mut moved = 0;
        let mut left = set;
        while left != 0 {
            let (row, column) = (
                left.trailing_zeros() as i32 / size + down,
                left.trailing_zeros() as i32 % size + right,
            );
            if (0..size).contains(&row) && (0..size).contains(&column) {
                moved |= 1 << (size * row + column);
            }
            left &= left - 1;
        }
        moved
    }

    fn flood(&self, mut set: u128, own: u128) -> u128 {
        loop {
            let more = own & (0..6).fold(set, |all, way| all | self.step(set, way));
            if more == set {
                return set;
            }
            set = more;
        }
    }

    /// The cells at a distance from the near edge.
    fn line(&self, distance: i32) -> u128 {
        let cell =
            |at: i32| if self.rows { self.size * distance + at } else { self.size * at + distance };
        if (0..self.size).contains(&distance) {
            (0..self.size).fold(0, |set, at| set | 1 << cell(at))
        } else {
            0
        }
    }

    /// The bridge from a stone to an edge: the near one, or the far one.
    fn edge_bridge(&self, stone: u128, far: bool, free: u128) -> Option<u128> {
        let distance = if far { self.size - 2 } else { 1 };
        let way = match (self.rows, far) {
            (true, false) => 1,
            (true, true) => 4,
            (false, false) => 3,
            (false, true) => 0,
        };
        let cells = self.step(stone, way) | self.step(stone, way + 1);
        let whole = self.size > 1 && cells.count_ones() == 2 && cells & !free == 0;
        (whole && self.line(distance) & stone != 0).then_some(cells)
    }

    /// The cells of bridges by which stones join two places, and these stones, if they do.
    fn linked(&self, one: Place, two: Place, own: u128, mut free: u128) -> Option<Needs> {
        let stones =
            |set: u128| (0..121).map(move |at| 1u128 << at).filter(move |cell| set & cell != 0);
        let goal = self.flood(if two == FAR { own & self.line(self.size - 1) } else { two }, own);
        let mut reached = self.flood(if one == NEAR { own & self.line(0) } else { one }, own);
        let mut groups = vec![(reached, Needs::default())];
        let needed = |groups: &[(u128, Needs)], cells: u128| {
            let (group, needs) = groups.iter().find(|group| group.0 & cells != 0)?;
            let stone = (group & cells) & (group & cells).wrapping_neg();
            Some(needs.and(Needs { cells: 0, stones: self.flood(stone, own) }))
        };
        let and_bridge = |needs: Needs, bridge: u128| needs.and(Needs { cells: bridge, stones: 0 });
        loop {
            if reached & goal != 0 {
                return needed(&groups, goal);
            }
            let last = stones(reached)
                .find_map(|stone| Some((stone, self.edge_bridge(stone, true, free)?)));
            if let Some((stone, bridge)) = last.filter(|_| two == FAR) {
                return Some(and_bridge(needed(&groups, stone)?, bridge));
            }
            let rest = own & !reached;
            let bridges = (0..6).flat_map(|way| stones(rest).map(move |stone| (stone, way)));
            let found = bridges.into_iter().find_map(|(stone, way)| {
                let (near, other) = (self.step(stone, way + 3), self.step(stone, way + 4));
                let start = self.step(near, way + 4);
                let whole = start & reached != 0 && near & free != 0 && other & free != 0;
                let before = if whole { needed(&groups, start) } else { None };
                Some((stone, near | other, before?))
            });
            let edge = || {
                stones(rest).find_map(|stone| {
                    Some((stone, self.edge_bridge(stone, false, free)?, Needs::default()))
                })
            };
            let (stone, bridge, before) =
                found.or_else(|| if one == NEAR { edge() } else { None })?;
            let group = self.flood(stone, own);
            groups.push((group, and_bridge(before, bridge)));
            reached |= group;
            free &= !bridge;
        }
    }
}
