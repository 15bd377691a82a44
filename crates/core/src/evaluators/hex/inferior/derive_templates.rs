//! Derives the edge templates of `data/templates.txt`: the fewest empty cells in which a stone is connected to the
//! edge below it, though the opponent moves first and has everything else.
//!
//! It stands alone, like `derive`. A local game is solved by trying all moves, with the proofs' own cells as the only
//! moves to try next: what a player needs to win after one move of the opponent's shows which other moves could
//! change that. Cells are then taken away as long as the connection holds, in many orders, because there are many
//! such sets.

use std::collections::{BTreeSet, HashMap, VecDeque};

const STEPS: [(i32, i32); 6] = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)];

/// How many positions to look at for one template.
const BUDGET: u32 = 100_000;

/// Who wins, and the empty cells that the proof needs: if White has all others, Black still wins, and the other way
/// round.
type Proof = (bool, u64);

/// The cells below and beside a stone, down to the edge; the stone is not among them.
pub struct Region {
    /// (column, row) from the stone; the edge is below the last row.
    pub cells: Vec<(i32, i32)>,
    adjacent: Vec<u64>,
    /// The cells next to the stone, and those along the edge.
    start: u64,
    edge: u64,
    known: [HashMap<(u64, u64), Proof>; 2],
    /// How many more positions may be looked at.
    budget: u32,
    /// For every cell the templates of lower rows that lead from there to the edge.
    lower: Vec<Vec<u64>>,
}

impl Region {
    /// Around a stone in this row, counted from 1 at the edge: so many cells to either side of it, and one more with
    /// every row below that is needed.
    pub fn new(row: i32, width: i32) -> Region {
        let mut cells = Vec::new();
        for down in 0..row {
            // a row lies half a cell to the left of the one above it: the middle is at -down / 2
            let reach = 2 * width + down;
            cells.extend(
                (-30..30)
                    .filter(|column| (2 * column + down).abs() <= reach)
                    .map(|column| (column, down)),
            );
        }
        cells.retain(|cell| *cell != (0, 0));
        Region::of(cells, row)
    }

    /// These cells around a stone in this row.
    pub fn of(cells: Vec<(i32, i32)>, row: i32) -> Region {
        let set = |belongs: &dyn Fn(&(i32, i32)) -> bool| -> u64 {
            (0..cells.len()).filter(|at| belongs(&cells[*at])).map(|at| 1 << at).sum()
        };
        let next = |a: (i32, i32), b: (i32, i32)| STEPS.contains(&(b.0 - a.0, b.1 - a.1));
        Region {
            adjacent: cells.iter().map(|a| set(&|b| next(*a, *b))).collect(),
            start: set(&|cell| next((0, 0), *cell)),
            edge: set(&|cell| cell.1 + 1 == row),
            known: [HashMap::new(), HashMap::new()],
            budget: u32::MAX,
            lower: vec![Vec::new(); cells.len()],
            cells,
        }
    }

    /// Has templates of a lower row at hand, which shortens proofs.
    pub fn learn(&mut self, row: i32, below: i32, templates: &[DerivedTemplate]) {
        for (at, cell) in self.cells.iter().enumerate().filter(|(_, cell)| row - cell.1 == below) {
            for template in templates {
                let place = |(right, down): &(i32, i32)| {
                    self.cells.iter().position(|other| *other == (cell.0 + right, cell.1 + down))
                };
                let places: Option<Vec<usize>> = template.iter().map(place).collect();
                self.lower[at]
                    .extend(places.map(|places| places.iter().map(|at| 1 << at).sum::<u64>()));
            }
        }
    }

    /// The open cells of a connection that is made of bridges and one template, if there is one.
    fn plain(&self, black: u64, open: u64) -> Option<u64> {
        let (mut group, mut used) = (self.flood(self.start, black), 0);
        loop {
            let mut rest = group;
            while rest != 0 {
                let cells = &self.lower[rest.trailing_zeros() as usize];
                let free = |cells: &&u64| *cells & !(black | open & !used) == 0;
                if let Some(cells) = cells.iter().find(free) {
                    return Some(cells & open | used);
                }
                rest &= rest - 1;
            }
            let touch = (self.start | self.around(group)) & open & !used;
            let mut rest = black & !group;
            let grown = loop {
                if rest == 0 {
                    return None;
                }
                let between = self.adjacent[rest.trailing_zeros() as usize] & touch;
                if between.count_ones() >= 2 {
                    let first = between & between.wrapping_neg();
                    let others = between & !first;
                    used |= first | others & others.wrapping_neg();
                    break rest & rest.wrapping_neg();
                }
                rest &= rest - 1;
            };
            group |= self.flood(grown, black);
        }
    }

    pub fn all(&self) -> u64 {
        if self.cells.len() == 64 {
            u64::MAX
        } else {
            (1 << self.cells.len()) - 1
        }
    }

    fn around(&self, mut set: u64) -> u64 {
        let mut around = 0;
        while set != 0 {
            around |= self.adjacent[set.trailing_zeros() as usize];
            set &= set - 1;
        }
        around
    }

    fn flood(&self, from: u64, within: u64) -> u64 {
        let mut reached = from & within;
        let mut fresh = reached;
        while fresh != 0 {
            fresh = self.around(fresh) & within & !reached;
            reached |= fresh;
        }
        reached
    }

    /// How many stones Black lacks on the way from some cells to each cell, that cell included.
    fn distances(&self, from: u64, black: u64, open: u64) -> Vec<u32> {
        let mut distance = vec![99; self.cells.len()];
        let mut reached = self.flood(from, black);
        let mut front = (from | self.around(reached)) & open;
        let mut steps = 0;
        while front != 0 {
            steps += 1;
            reached |= front;
            for at in (0..self.cells.len()).filter(|at| front >> at & 1 == 1) {
                distance[at] = steps;
            }
            let joined = self.flood(self.around(front), black & !reached);
            reached |= joined;
            front = self.around(front | joined) & open & !reached;
        }
        distance
    }

    /// The cell of a set on the shortest way to the edge.
    fn best(&self, black: u64, open: u64, set: u64) -> usize {
        let (down, up) =
            (self.distances(self.start, black, open), self.distances(self.edge, black, open));
        let cells = (0..self.cells.len()).filter(|at| set >> at & 1 == 1);
        cells.min_by_key(|&at| (down[at] + up[at], down[at].abs_diff(up[at]))).unwrap_or(0)
    }

    /// Whether Black joins the stone to the edge if he has these cells and White all that are not open.
    pub fn connects(&mut self, black: u64, open: u64, black_moves: bool) -> Proof {
        if self.flood(self.start, black) & self.edge != 0 {
            return (true, 0);
        }
        if self.flood(self.start, black | open) & self.edge == 0 {
            return (false, 0);
        }
        if let Some(cells) = self.plain(black, open) {
            return (true, cells);
        }
        if let Some(proof) = self.known[usize::from(black_moves)].get(&(black, open)) {
            return *proof;
        }
        if self.budget == 0 {
            return (false, 0);
        }
        self.budget -= 1;
        // Black's threats: he carries one out, White must stop them all
        let (mut left, mut need) = (open, 0);
        for at in (0..self.cells.len()).filter(|at| open >> at & 1 == 1) {
            let cell = 1 << at;
            if let Some(cells) = self.plain(black | cell, open & !cell) {
                if black_moves {
                    return (true, cells | cell);
                }
                left &= cells | cell;
                need |= cells | cell;
            }
        }
        let proof = loop {
            if left == 0 {
                break (!black_moves, need);
            }
            let at = self.best(black, open, left);
            let cell = 1 << at;
            let black = if black_moves { black | cell } else { black };
            let (connects, cells) = self.connects(black, open & !cell, !black_moves);
            if connects == black_moves {
                break (connects, cells | cell);
            }
            // a move elsewhere changes nothing
            left &= cells & !cell;
            need |= cells;
        };
        if self.budget > 0 {
            self.known[usize::from(black_moves)].insert((black, open), proof);
        }
        proof
    }

    /// Some of these cells that connect, and are all needed to; nothing if that is too hard to find out.
    fn minimal(&mut self, open: u64) -> Option<u64> {
        self.budget = BUDGET;
        let (connects, mut cells) = self.connects(0, open, false);
        // what is far from the stone goes first
        let mut order: Vec<usize> = (0..self.cells.len()).collect();
        order.sort_by_key(|at| -(2 * self.cells[*at].0 + self.cells[*at].1).abs());
        for at in order {
            if cells >> at & 1 == 1 {
                let (still, fewer) = self.connects(0, cells & !(1 << at), false);
                cells = if still { fewer } else { cells };
            }
        }
        (connects && self.budget > 0).then_some(cells)
    }
}

/// The cells of a template, (column, row) from the stone.
pub type DerivedTemplate = Vec<(i32, i32)>;

/// The templates of a row, with mirror images, found with the help of those of the rows below.
///
/// Every other template lacks a cell of each one that is known: so all ways to lack so many cells are tried.
pub fn templates(
    row: i32,
    width: i32,
    lacking: u32,
    lower: &[Vec<DerivedTemplate>],
) -> Vec<DerivedTemplate> {
    let mut region = Region::new(row, width);
    for (at, templates) in lower.iter().enumerate() {
        region.learn(row, at as i32 + 1, templates);
    }
    let (mut found, mut tried) = (Vec::new(), BTreeSet::from([0u64]));
    let mut queue = VecDeque::from([0u64]);
    while let Some(lack) = queue.pop_front() {
        let known = found.iter().copied().find(|cells: &u64| cells & lack == 0);
        let Some(cells) = known.or_else(|| region.minimal(region.all() & !lack)) else { continue };
        if known.is_none() {
            found.push(cells);
        }
        if lack.count_ones() < lacking {
            let more =
                (0..region.cells.len()).filter(|at| cells >> at & 1 == 1).map(|at| lack | 1 << at);
            queue.extend(more.filter(|lack| tried.insert(*lack)));
        }
    }
    let mut templates = BTreeSet::new();
    for cells in found {
        let kept =
            || (0..region.cells.len()).filter(|at| cells >> at & 1 == 1).map(|at| region.cells[at]);
        templates.insert(sorted(kept()));
        templates.insert(sorted(kept().map(|(column, down)| (-column - down, down))));
    }
    let mut templates: Vec<_> = templates.into_iter().collect();
    templates.sort_by_key(Vec::len);
    templates
}

fn sorted(cells: impl Iterator<Item = (i32, i32)>) -> DerivedTemplate {
    let mut template: Vec<_> = cells.collect();
    template.sort_unstable_by_key(|(column, down)| (*down, *column));
    template
}

/// The whole file, or as far as it is about the rows up to this one.
pub fn file(last: i32) -> String {
    let mut file = String::from(
        "# Written by: cargo run --release -p conspirator-core --example derive_hex_patterns templates\n\
         # The row of a stone, counted from the edge below it, and the empty cells that connect it to that edge though\n\
         # the opponent moves first, as column,row from the stone. No cell can be spared.\n",
    );
    // in the first row a stone touches the edge
    let mut rows = vec![vec![DerivedTemplate::new()]];
    for (row, width, lacking) in
        [(2, 2, 2), (3, 3, 2), (4, 3, 1)].into_iter().take_while(|(row, ..)| *row <= last)
    {
        let templates = templates(row, width, lacking, &rows);
        for template in &templates {
            let cells = template.iter().map(|(column, down)| format!(" {column},{down}"));
            file += &format!("{row}{}\n", cells.collect::<String>());
        }
        rows.push(templates);
    }
    file
}
