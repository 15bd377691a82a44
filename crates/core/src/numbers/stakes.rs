//! What is at stake at a leaf: how much of what the player to move at the root expects depends on it (Baum and Smith 1997).

/// What a leaf's being wrong is measured by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Measure {
    /// The change of E[max over moves].
    Step,
    /// The change of E[max over moves] - max over moves of E.
    Qss,
}

/// What a change of one root move's S means for the player to move.
#[derive(Debug)]
pub struct Stake {
    /// What counts.
    pub measure: Measure,
    /// What it is worth to pass each threshold.
    pub weights: Vec<f64>,
    /// d E[max] / d S_k of the move.
    pub of_best: Vec<f64>,
    /// What the other moves promise at the most, in parts of the range.
    pub rival: f64,
    /// What this one does.
    pub own: f64,
    /// Whether Max is to move at the root.
    pub max: bool,
}

impl Stake {
    /// The relevance of a leaf with this distribution and this influence on a root move.
    #[inline(always)]
    pub fn relevance(&self, width: usize, g: &[f64], s: &[f64]) -> f64 {
        // how much E[max] and the move's own mean lie above their expectation, for each outcome y of the leaf
        let (mut best, mut own) = (0.0, 0.0);
        for k in 0..width {
            best -= self.of_best[k] * g[k] * s[k];
            own -= self.weights[k] * g[k] * s[k];
        }
        let mut sum = 0.0;
        for y in 0..=width {
            let here = if y == 0 { 1.0 } else { s[y - 1] } - if y == width { 0.0 } else { s[y] };
            sum += here * self.change(best, own).abs();
            if y < width {
                best += self.of_best[y] * g[y];
                own += self.weights[y] * g[y];
            }
        }
        sum
    }

    /// The change of what is measured, where E[max] and the mean of the move change by so much on Max's side.
    #[inline(always)]
    fn change(&self, best: f64, own: f64) -> f64 {
        match self.measure {
            Measure::Step => best,
            Measure::Qss => {
                let (best, own) = if self.max { (best, own) } else { (-best, -own) };
                let before = self.own.max(self.rival);
                best - ((self.own + own).max(self.rival) - before)
            }
        }
    }

    /// Half of what a node's influence is worth at the most: no leaf below is more relevant.
    #[inline(always)]
    pub fn bound(&self, width: usize, g: &[f64]) -> f64 {
        let mut sum = 0.0;
        for (k, g) in g[..width].iter().enumerate() {
            let own = if self.measure == Measure::Qss { self.weights[k] } else { 0.0 };
            sum += (self.of_best[k] + own) * g;
        }
        sum / 2.0
    }
}

/// d node / d child for every child and threshold.
#[inline(always)]
pub fn derive(family: &[f64], width: usize, max: bool, rho: f64, derivatives: &mut Vec<f64>) {
    let children = family.len() / width;
    derivatives.resize(family.len(), 0.0);
    for k in 0..width {
        let q = |i: usize| if max { 1.0 - family[i * width + k] } else { family[i * width + k] };
        let (mut product, mut least, mut at) = (1.0, f64::INFINITY, 0);
        for i in 0..children {
            derivatives[i * width + k] = product;
            let q = q(i);
            product *= q;
            if q < least {
                (least, at) = (q, i);
            }
        }
        product = 1.0 - rho;
        for i in (0..children).rev() {
            derivatives[i * width + k] *= product;
            product *= q(i);
        }
        derivatives[at * width + k] += rho;
    }
}
