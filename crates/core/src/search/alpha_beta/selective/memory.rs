//! What the selective form remembers of moves: which have cut elsewhere are tried first here.

/// How many kinds of moves are told apart.
pub(super) const SLOTS: usize = 1024;
/// The kind of no move at all: before the root, and a pass.
pub(super) const NO_MOVE: usize = SLOTS;
/// How good or bad the record of a kind of moves can be.
const MOST: i32 = 1 << 14;

/// What is remembered, most of it for every ply.
pub(in crate::search::alpha_beta) struct Memory {
    /// How well moves of a kind have done.
    history: Vec<i32>,
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

impl Memory {
    pub fn new() -> Memory {
        Memory {
            history: vec![0; SLOTS],
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
    pub fn make(&mut self, ply: usize, slot: usize) {
        self.made[ply] = slot;
    }

    /// The kind of the move before this ply.
    fn before(&self, ply: usize) -> usize {
        ply.checked_sub(1).map_or(NO_MOVE, |ply| self.made[ply])
    }

    /// Whether the move before this ply was a pass.
    pub fn after_a_pass(&self, ply: usize) -> bool {
        ply > 0 && self.made[ply - 1] == NO_MOVE
    }

    /// Notes the static value at a ply; tells whether the player to move has gained since its last move.
    pub fn improves(&mut self, ply: usize, value: f64) -> bool {
        self.values[ply] = value;
        ply >= 2 && value > self.values[ply - 2]
    }

    /// How early to try a quiet move of a kind: the greater, the earlier.
    pub fn merit(&self, ply: usize, slot: usize) -> i32 {
        match () {
            () if self.killers[ply][0] == slot => 3 * MOST,
            () if self.killers[ply][1] == slot => 3 * MOST - 1,
            () if self.answers[self.before(ply)] == slot => 2 * MOST,
            () => self.history[slot],
        }
    }

    /// What moves of a kind have done, from -1 to 1.
    pub fn record(&self, slot: usize) -> f64 {
        f64::from(self.history[slot]) / f64::from(MOST)
    }

    /// A quiet move of this kind has cut, and those that were tried before it have not.
    pub fn reward(&mut self, ply: usize, depth: u32, slot: usize, tried: &[usize]) {
        if self.killers[ply][0] != slot {
            self.killers[ply] = [slot, self.killers[ply][0]];
        }
        let before = self.before(ply);
        self.answers[before] = slot;
        let bonus = (16 * (depth * depth) as i32).min(MOST / 8);
        self.note(slot, bonus);
        tried.iter().for_each(|slot| self.note(*slot, -bonus));
    }

    /// The better a record is, the less another success adds to it.
    fn note(&mut self, slot: usize, bonus: i32) {
        let score = &mut self.history[slot];
        *score += bonus - *score * bonus.abs() / MOST;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_cut_comes_first_and_records_stay_in_bounds() {
        let mut memory = Memory::new();
        memory.reach(4);
        for _ in 0..1000 {
            memory.reward(1, 20, 7, &[8, 9]);
        }
        assert!((MOST / 2..=MOST).contains(&memory.history[7]));
        assert!((-MOST..=-MOST / 2).contains(&memory.history[8]));
        memory.reward(1, 1, 5, &[]);
        let merits = [5, 7, 6, 8].map(|slot| memory.merit(1, slot));
        assert!(merits.is_sorted_by(|one, two| one > two), "{merits:?}");
        assert!(memory.merit(3, 7) < memory.merit(1, 7));
    }
}
