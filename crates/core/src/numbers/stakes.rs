//! What is at stake at a leaf: how much of what the player to move at the root expects depends on it (Baum and Smith 1997).

/// What a leaf's being wrong is measured by.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Measure {
    /// The change of E[max over moves].
    #[default]
    Step,
    /// The change of E[max over moves] - max over moves of E.
    Qss,
}

/// More than rounding can add to a relevance, in parts of what an influence is worth.
const ROUNDING: f64 = 1e-12;

/// What a change of one root move's S means for the player to move.
#[derive(Debug, Default)]
pub struct Stake {
    /// What counts.
    pub measure: Measure,
    /// What it is worth to pass each threshold.
    pub weights: Vec<f64>,
    /// d E[max] / d S_k of the move.
    pub of_best: Vec<f64>,
    /// What the other moves promise at the most, in parts of the range. This and the move's own only for [`Measure::Qss`].
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

    /// No leaf below a node with this influence and this reach is more relevant.
    #[inline(always)]
    pub fn bound(&self, width: usize, g: &[f64], reach: &[f64]) -> f64 {
        let mut sum = 0.0;
        for k in 0..width {
            let own = if self.measure == Measure::Qss { self.weights[k] } else { 0.0 };
            sum += (self.of_best[k] + own) * g[k] * (reach[k] + ROUNDING);
        }
        sum
    }
}

/// The reach of an open leaf: how far its S lies from what it turns out to be, in the mean, for each threshold. That of a
/// node is the most of what is left of its influence at a leaf below, times the reach there.
#[inline(always)]
pub fn reach_of_leaf(s: &[f64], reach: &mut [f64]) {
    for (reach, s) in reach.iter_mut().zip(s) {
        *reach = 2.0 * s * (1.0 - s);
    }
}

/// The reach of an inner node, given what [`derive`] says of its children, and theirs.
#[inline(always)]
pub fn reach_of(derivatives: &[f64], below: &[f64], width: usize, reach: &mut [f64]) {
    reach[..width].fill(0.0);
    for (derivatives, below) in derivatives.chunks_exact(width).zip(below.chunks_exact(width)) {
        for k in 0..width {
            let through = derivatives[k] * below[k];
            reach[k] = if through > reach[k] { through } else { reach[k] };
        }
    }
}

/// d node / d child for every child and threshold, and S of the node itself, as [`super::distributions::join`] gives it.
/// `K` is the width, for the compiler; 0: any.
#[inline(always)]
pub fn derive<const K: usize>(
    family: &[f64],
    width: usize,
    max: bool,
    rho: f64,
    derivatives: &mut Vec<f64>,
    joined: &mut [f64],
) {
    derivatives.resize(family.len(), 0.0);
    if K == 0 {
        return derive_any(family, width, max, rho, derivatives, joined);
    }
    // all thresholds side by side, so that they are worked out at once
    let (base, sign) = if max { (1.0, -1.0) } else { (0.0, 1.0) };
    let (mut product, mut least, mut at) = ([1.0; K], [f64::INFINITY; K], [0; K]);
    let mut place = 0;
    for (own, derivatives) in family.chunks_exact(K).zip(derivatives.chunks_exact_mut(K)) {
        for k in 0..K {
            let q = base + sign * own[k];
            derivatives[k] = product[k];
            product[k] *= q;
            at[k] = if q < least[k] { place } else { at[k] };
            least[k] = if q < least[k] { q } else { least[k] };
        }
        place += K;
    }
    for k in 0..K {
        joined[k] = base + sign * ((1.0 - rho) * product[k] + rho * least[k]);
    }
    product = [1.0 - rho; K];
    for (own, derivatives) in family.chunks_exact(K).zip(derivatives.chunks_exact_mut(K)).rev() {
        for k in 0..K {
            derivatives[k] *= product[k];
            product[k] *= base + sign * own[k];
        }
    }
    for k in 0..K {
        derivatives[at[k] + k] += rho;
    }
}

fn derive_any(
    family: &[f64],
    width: usize,
    max: bool,
    rho: f64,
    derivatives: &mut [f64],
    joined: &mut [f64],
) {
    let children = family.len() / width;
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
        let own = (1.0 - rho) * product + rho * least;
        joined[k] = if max { 1.0 - own } else { own };
        product = 1.0 - rho;
        for i in (0..children).rev() {
            derivatives[i * width + k] *= product;
            product *= q(i);
        }
        derivatives[at * width + k] += rho;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_side_by_side_are_those_one_by_one() {
        let family: Vec<f64> = (0..40).map(|i| f64::from(i * 7 % 11) / 11.0).collect();
        for (max, rho) in [(true, 0.0), (false, 0.5), (true, 1.0)] {
            let (mut a, mut b) = (Vec::new(), Vec::new());
            let (mut s, mut t) = ([0.0; 8], [0.0; 8]);
            derive::<8>(&family, 8, max, rho, &mut a, &mut s);
            derive::<0>(&family, 8, max, rho, &mut b, &mut t);
            assert_eq!((a, s), (b, t));
        }
    }
}
