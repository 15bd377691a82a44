//! What the selective form remembers of moves: which have cut elsewhere are tried first here.

/// How many kinds of moves are told apart.
pub(in crate::search::alpha_beta) const SLOTS: usize = 768;
/// How many kinds of the move before are told apart: in chess, the squares.
const BEFORE: usize = 64;
/// The kind of no move at all: before the root, and a pass.
pub(super) const NO_MOVE: usize = SLOTS;
/// How good or bad the record of a kind of moves can be.
const MOST: i32 = 1 << 14;

/// What is remembered, most of it for every ply.
pub(in crate::search::alpha_beta) struct OrderMemory {
    /// How well moves of a kind have done; then the same after each kind of move.
    history: Vec<i16>,
    /// The kind of move that last answered one of another kind.
    answers: Vec<usize>,
    /// The kinds of the last two moves that cut, at each ply.
    killers: Vec<[usize; 2]>,
    /// The kind of the move that was made at each ply of the current line.
    made: Vec<usize>,
    /// The static values along the current line, for the player to move; NaN where nobody asked.
    values: Vec<f64>,
    /// The best line of an iteration that is not complete.
    pub unfinished: Vec<u32>,
}

impl OrderMemory {
    pub fn new() -> OrderMemory {
        OrderMemory {
            history: vec![0; SLOTS * (BEFORE + 1)],
            answers: vec![NO_MOVE; SLOTS + 1],
            killers: Vec::new(),
            made: Vec::new(),
            values: Vec::new(),
            unfinished: Vec::new(),
        }
    }

    /// Makes room for lines of this length.
    pub fn reach(&mut self, plies: usize) {
        if self.made.len() < plies {
            self.killers.resize(plies, [NO_MOVE; 2]);
            self.made.resize(plies, NO_MOVE);
            self.values.resize(plies, f64::NAN);
        }
    }

    /// A move of this kind is made at this ply.
    #[inline]
    pub fn make(&mut self, ply: usize, slot: usize) {
        self.made[ply] = slot;
    }

    /// The kind of the move before this ply.
    #[inline]
    fn before(&self, ply: usize) -> usize {
        ply.checked_sub(1).map_or(NO_MOVE, |ply| self.made[ply])
    }

    /// Whether the move before this ply was a pass.
    #[inline]
    pub fn after_a_pass(&self, ply: usize) -> bool {
        ply > 0 && self.made[ply - 1] == NO_MOVE
    }

    /// Notes the static value at a ply; tells whether the player to move has gained since its last move.
    #[inline]
    pub fn improves(&mut self, ply: usize, value: f64) -> bool {
        self.values[ply] = value;
        ply >= 2 && value > self.values[ply - 2]
    }

    /// How early to try a quiet move of a kind: the greater, the earlier.
    #[inline]
    pub fn merit(&self, ply: usize, slot: usize) -> i32 {
        match () {
            () if self.killers[ply][0] == slot => 4 * MOST,
            () if self.killers[ply][1] == slot => 4 * MOST - 1,
            () if self.answers[self.before(ply)] == slot => 3 * MOST,
            () => self.sum(ply, slot),
        }
    }

    /// Whether a move of this kind has cut at this ply of late.
    #[inline]
    pub fn kills(&self, ply: usize, slot: usize) -> bool {
        self.killers[ply].contains(&slot)
    }

    /// The places of the records of a kind: by itself, and after the move before this ply.
    #[inline]
    fn records(&self, ply: usize, slot: usize) -> [usize; 2] {
        [slot, SLOTS * (1 + self.before(ply) % BEFORE) + slot]
    }

    #[inline]
    fn sum(&self, ply: usize, slot: usize) -> i32 {
        self.records(ply, slot).map(|at| i32::from(self.history[at])).into_iter().sum()
    }

    /// What moves of a kind have done, from -1 to 1.
    #[inline]
    pub fn record(&self, ply: usize, slot: usize) -> f64 {
        f64::from(self.sum(ply, slot)) / f64::from(2 * MOST)
    }

    /// A quiet move of this kind has cut, and those that were tried before it have not.
    pub fn reward(&mut self, ply: usize, depth: u32, slot: usize, tried: &[usize]) {
        if self.killers[ply][0] != slot {
            self.killers[ply] = [slot, self.killers[ply][0]];
        }
        let before = self.before(ply);
        self.answers[before] = slot;
        let bonus = (16 * (depth * depth) as i32).min(MOST / 8);
        self.note(ply, slot, bonus);
        tried.iter().for_each(|slot| self.note(ply, *slot, -bonus));
    }

    /// The better a record is, the less another success adds to it.
    fn note(&mut self, ply: usize, slot: usize, bonus: i32) {
        for at in self.records(ply, slot) {
            let score = i32::from(self.history[at]);
            self.history[at] = (score + bonus - score * bonus.abs() / MOST) as i16;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_cut_comes_first_and_records_stay_in_bounds() {
        let mut memory = OrderMemory::new();
        memory.reach(4);
        for _ in 0..1000 {
            memory.reward(1, 20, 7, &[8, 9]);
        }
        let (good, bad) = (memory.record(1, 7), memory.record(1, 8));
        assert!((0.5..=1.0).contains(&good) && (-1.0..=-0.5).contains(&bad), "{good} {bad}");
        memory.reward(1, 1, 5, &[]);
        let merits = [5, 7, 6, 8].map(|slot| memory.merit(1, slot));
        assert!(merits.is_sorted_by(|one, two| one > two), "{merits:?}");
        assert!(memory.merit(3, 7) < memory.merit(1, 7));
    }
}
