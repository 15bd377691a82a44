//! Moves that keep what has been proven: the line of the answer, and the strategy of a certificate.

use super::{longer, Evidence, Halt, Main, Meter, Pause, Solver, Worker, LONGEST_LINE};
use std::cmp::Reverse;
use std::collections::HashSet;

impl<E: Evidence> Solver<E> {
    /// The moves at a worker's root, of this key, that keep its result, by place, which the worker's first frame has
    /// afterwards: a winner's quickest first, a loser's most stubborn, as far as work tells.
    pub(super) fn keeping(
        &self,
        worker: &mut Worker<E>,
        key: u64,
        meter: &mut Meter,
    ) -> Result<Vec<usize>, Halt> {
        let aim = self.problem.evidence.aim(&self.problem.evidence.open(), [u32::MAX; 2]);
        let (mut epsilon, mut hope) = (self.epsilon, self.hope());
        let known = loop {
            let Some(shared) = self.problem.shared(epsilon) else { return Ok(Vec::new()) };
            let mut purse = Main { meter: &mut *meter, others: None, value: self.value };
            worker.restart();
            worker.hope = hope;
            match worker.descend(&shared, key, aim, &mut purse) {
                Ok(known) => break known,
                Err(Pause::Halt(halt)) => return Err(halt),
                Err(Pause::Full) => return Ok(Vec::new()),
                Err(Pause::Stuck) => (epsilon, hope) = (longer(epsilon), hope.saturating_mul(2)),
            }
        };
        let frame = &worker.frames[0];
        let wins = self.problem.evidence.solved(&known) == Some(frame.max);
        let good = |place: &usize| {
            !wins || self.problem.evidence.solved(&frame.branches[*place].known) == Some(frame.max)
        };
        let work = |place: &usize| frame.branches[*place].work;
        let mut places: Vec<usize> = (0..frame.branches.len()).filter(good).collect();
        if wins {
            places.sort_by_key(work);
        } else {
            places.sort_by_key(|place| Reverse(work(place)));
        }
        Ok(places)
    }

    /// The moves of a proven win, with the longest resistance that has been met, as far as the budget goes. The end
    /// of the line is the end of the game, or a position that came before.
    pub(super) fn draw_line(&mut self, meter: &mut Meter) -> Result<(), Halt> {
        let mut key = self.problem.root_key;
        let mut before = HashSet::new();
        self.line.clear();
        loop {
            let Some(walker) = self.problem.walker.after(&self.line)? else { return Ok(()) };
            if let Some(value) = walker.outcome()? {
                self.value = value;
                return Ok(());
            }
            if self.line.len() >= LONGEST_LINE || (self.problem.repeats && !before.insert(key)) {
                return Ok(());
            }
            let mut worker = Worker::new(walker);
            let places = self.keeping(&mut worker, key, meter)?;
            let branches = worker.frames.first().map(|frame| &frame.branches);
            let (Some(&place), Some(branches)) = (places.first(), branches) else { return Ok(()) };
            key = branches[place].key;
            self.line.push(worker.walker.legal_place(0, place));
        }
    }
}
