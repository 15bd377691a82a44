//! Knots of a table: where a number lies between them, found without a look at all of them.

/// The parts of a grid for each knot, at the least and at the most.
const PARTS: (usize, usize) = (8, 128);

/// Knots in rising order, at least one, with a grid that says where to look.
#[derive(Debug)]
pub(super) struct Knots {
    /// The knots, and one beyond all numbers.
    at: Vec<f64>,
    /// For each gap its lower end and one by its length: gap g lies between the knots g - 1 and g. The last one has no end.
    gaps: Vec<(f64, f64)>,
    /// For each of equal parts of the range: how many knots lie in the parts before it.
    grid: Vec<u32>,
    scale: f64,
    /// How many knots lie in the same part at the most. One, where parts can be so small.
    together: usize,
}

impl Knots {
    pub fn new(at: Vec<f64>) -> Knots {
        let (first, last) = (at[0], at[at.len() - 1]);
        let gridded = |parts: usize| {
            let scale = if last > first { parts as f64 / (last - first) } else { 0.0 };
            let part_of = |x: f64| ((x - first) * scale) as u32;
            let before = |part: u32| at.partition_point(|knot| part_of(*knot) < part) as u32;
            let mut grid: Vec<u32> = (0..=part_of(last)).map(before).collect();
            grid.push(at.len() as u32);
            let together = grid.windows(2).map(|pair| pair[1] - pair[0]).max();
            grid.pop();
            (grid, scale, together.unwrap_or(0) as usize)
        };
        let mut parts = PARTS.0;
        let (mut grid, mut scale, mut together) = gridded(parts * at.len());
        while together > 1 && parts < PARTS.1 {
            parts *= 2;
            (grid, scale, together) = gridded(parts * at.len());
        }
        let mut gaps: Vec<(f64, f64)> = vec![(first, 1.0)];
        gaps.extend(at.windows(2).map(|pair| (pair[0], (1.0 / (pair[1] - pair[0])).min(f64::MAX))));
        gaps.push((last, 1.0));
        let at = at.into_iter().chain([f64::INFINITY]).collect();
        Knots { at, gaps, grid, scale, together }
    }

    pub fn len(&self) -> usize {
        self.at.len() - 1
    }

    /// The knots around x and how far it is on the way from the first to the second. Beyond the ends it is as at them.
    #[inline(always)]
    pub fn between(&self, x: f64) -> (usize, usize, f64) {
        let (gap, share) = self.gap(x);
        (gap - 1, gap.min(self.len() - 1), share)
    }

    /// The gap that x lies in, from 1, and how far it is on the way through it.
    ///
    /// Parts rise with x, so a knot in an earlier part than that of x lies below it: only those of the same part are left.
    /// They are counted without a branch that depends on x, which nobody could predict.
    #[inline(always)]
    pub fn gap(&self, x: f64) -> (usize, f64) {
        let (first, last) = (self.at[0], self.at[self.at.len() - 2]);
        let x = if x > first { x } else { first };
        let x = if x < last { x } else { last };
        let part = (((x - first) * self.scale) as u32 as usize).min(self.grid.len() - 1);
        let mut gap = self.grid[part] as usize;
        for _ in 0..self.together {
            gap += usize::from(self.at[gap] <= x);
        }
        let (low, by_length) = self.gaps[gap];
        (gap, (x - low) * by_length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn between_knots() {
        let knots = Knots::new(vec![0.0, 2.0, 3.0]);
        assert_eq!(knots.between(-1.0), (0, 1, 0.0));
        assert_eq!(knots.between(1.0), (0, 1, 0.5));
        assert_eq!(knots.between(2.0), (1, 2, 0.0));
        assert_eq!(knots.between(3.0), (2, 2, 0.0));
        assert_eq!(knots.between(f64::INFINITY), (2, 2, 0.0));
        assert_eq!(knots.between(f64::NEG_INFINITY), (0, 1, 0.0));
        assert_eq!(Knots::new(vec![5.0]).between(7.0), (0, 0, 0.0));
    }

    #[test]
    fn the_grid_finds_what_a_search_of_all_knots_finds() {
        let at: Vec<f64> =
            (0..40).map(|i| f64::from(i * i % 97) / 7.0 + f64::from(i * 3)).collect();
        let mut at = at;
        at.sort_by(f64::total_cmp);
        at.dedup();
        let knots = Knots::new(at.clone());
        for step in -50..2000 {
            let x = f64::from(step) / 11.0;
            let place = at.partition_point(|knot| *knot <= x).max(1);
            assert_eq!(knots.gap(x).0, place, "{x}");
        }
        for (place, x) in at.iter().enumerate() {
            assert_eq!(knots.gap(*x), (place + 1, 0.0));
        }
    }
}
