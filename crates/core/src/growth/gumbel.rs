//! Sequential halving with Gumbel noise at the root: I. Danihelka et al., "Policy improvement by planning with Gumbel"
//! (2022). A part of the rule `puct`.
//!
//! Every move at the root has a score, with g(a) from the Gumbel distribution:
//!
//! ```text
//!   g(a) + logits(a) + sigma(q(a))      sigma(q) = (c_visit + max N) c_scale q
//! ```
//!
//! The m moves of the best g + logits get the same number of visits; then the better half by score goes on, until two
//! are left. The answer is the move of the best score among those with most visits. A move without visits has the
//! completed value
//!
//! ```text
//!   v_mix = (v + N sum of pi q over visited moves / sum of pi over visited moves) / (1 + N)      N = sum of visits
//! ```

use crate::error::Error;
use crate::mix::splitmix64;
use crate::params::{Kind, Param, Params};

/// The plan for the root.
#[derive(Clone, Debug)]
pub(super) struct GumbelRoot {
    considered: u64,
    plan: u64,
    c_visit: f64,
    c_scale: f64,
    noise: f64,
    seed: u64,
}

/// A move at the root; `q` is its mean reward for the player to move, if it has visits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arm {
    pub prior: f64,
    pub visits: f64,
    pub q: Option<f64>,
}

const fn of_root(name: &'static str, default: Kind, meaning: &'static str) -> Param {
    Param { name, default, meaning }
}

/// The parameters of the plan.
pub(super) const CONSIDERED: Param =
    of_root("considered", Kind::Int(16, 1), "m: moves that root=\"gumbel\" begins with");
pub(super) const PLAN: Param = of_root(
    "plan",
    Kind::Int(200, 1),
    "n: simulations that root=\"gumbel\" divides among its moves; then the last two go on",
);
pub(super) const C_VISIT: Param =
    of_root("c_visit", Kind::Real(50.0), "c_visit of sigma(q) = (c_visit + max N) c_scale q");
pub(super) const C_SCALE: Param = of_root("c_scale", Kind::Real(1.0), "c_scale of sigma(q)");
pub(super) const NOISE: Param =
    of_root("noise", Kind::Real(1.0), "how much Gumbel noise counts at the root; 0: none");

impl GumbelRoot {
    pub fn new(params: &Params) -> Result<GumbelRoot, Error> {
        Ok(GumbelRoot {
            considered: params.int(CONSIDERED.name).unwrap_or(1) as u64,
            plan: params.int(PLAN.name).unwrap_or(1) as u64,
            c_visit: params.amount(C_VISIT.name)?,
            c_scale: params.amount(C_SCALE.name)?,
            noise: params.amount(NOISE.name)?,
            seed: params.int("seed").unwrap_or(0) as u64,
        })
    }

    /// How many visits a move has that is looked at in simulation `t`, beginning with 0.
    pub fn due(&self, t: u64, moves: u64) -> u64 {
        let mut width = self.considered.min(moves).max(1);
        let phases = u64::from(width.next_power_of_two().trailing_zeros()).max(1);
        let (mut visits, mut begin) = (0, 0);
        while width > 2 {
            let each = (self.plan / (phases * width)).max(1);
            if t < begin + each * width {
                break;
            }
            (begin, visits, width) = (begin + each * width, visits + each, (width / 2).max(2));
        }
        visits + (t - begin) / width
    }

    /// g(a): it depends on the seed, on the root's own reward and on the place of the move.
    pub fn gumbel(&self, own: f64, place: u64) -> f64 {
        let word = splitmix64(splitmix64(self.seed ^ own.to_bits()).wrapping_add(place));
        let uniform = ((word >> 12) as f64 + 0.5) / (1_u64 << 52) as f64;
        self.noise * -(-uniform.ln()).ln()
    }

    /// logits + sigma(completed q) of each move; `own` is the root's own reward for its player.
    pub fn completed(&self, own: f64, arms: &[Arm]) -> Vec<f64> {
        let (mut visits, mut weight, mut mean, mut most) = (0.0, 0.0, 0.0, 0.0_f64);
        for arm in arms {
            (visits, most) = (visits + arm.visits, most.max(arm.visits));
            if let Some(q) = arm.q {
                (weight, mean) = (weight + arm.prior, mean + arm.prior * q);
            }
        }
        let mixed =
            if weight > 0.0 { (own + visits * mean / weight) / (1.0 + visits) } else { own };
        let sigma = |q: f64| (self.c_visit + most) * self.c_scale * q;
        arms.iter().map(|arm| arm.prior.ln() + sigma(arm.q.unwrap_or(mixed))).collect()
    }
}

/// The probabilities of logits.
pub(super) fn softmax(logits: &[f64]) -> Vec<f64> {
    let top = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let parts: Vec<f64> = logits.iter().map(|logit| (logit - top).exp()).collect();
    let whole: f64 = parts.iter().sum();
    parts.into_iter().map(|part| part / whole).collect()
}
