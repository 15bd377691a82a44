//! Doubts: the open leaves of any grown tree whose judgement matters most for the choice, and what follows if one of them
//! is wrong.

use super::relevance::Relevance;
use crate::numbers::distributions::{best_of, Certainty};
use crate::tree::{NodeId, Path, Tree};

/// A leaf that matters.
#[derive(Clone, Debug, PartialEq)]
pub struct Doubt {
    /// The nodes from the root to the leaf.
    pub path: Path,
    /// How much of what is at stake depends on it, in parts of the range of outcomes.
    pub relevance: f64,
    /// For each outcome of the leaf, from Max's worst: how likely it is, the place of the move that is most likely a best
    /// one then, and how likely it is that.
    pub cases: Vec<(f64, u32, f64)>,
}

/// The leaves that matter most, the first one most; at most so many.
pub fn doubts(tree: &Tree, certainty: &Certainty, most: usize) -> Vec<Doubt> {
    if tree.root().is_leaf() || tree.root().is_solved() {
        return Vec::new();
    }
    let rule = Relevance::of_tree(tree, certainty);
    let found = rule.most_relevant(tree, most);
    found.into_iter().map(|(relevance, id)| doubt(tree, certainty, &rule, relevance, id)).collect()
}

fn doubt(
    tree: &Tree,
    certainty: &Certainty,
    rule: &Relevance,
    relevance: f64,
    id: NodeId,
) -> Doubt {
    let mut path = Vec::new();
    rule.way(tree, id, &mut path);
    let g = rule.influence(tree, &path);
    let (root, width) = (tree.root(), g.len());
    let first = root.children().start;
    let at = path.get(1).map_or(0, |root_move| (root_move - first) as usize);
    let s = rule.s_of(id).to_vec();
    let likely = |y: usize| {
        let here = if y == 0 { 1.0 } else { s[y - 1] };
        here - if y == width { 0.0 } else { s[y] }
    };
    let cases = (0..=width).map(|y| {
        let mut family = rule.family_of(tree, Tree::ROOT).to_vec();
        for k in 0..width {
            let passed = f64::from(u8::from(y > k));
            let changed = &mut family[at * width + k];
            *changed = (*changed + g[k] * (passed - s[k])).clamp(0.0, 1.0);
        }
        let best = best_of(&family, width, root.max_to_move(), certainty.root_rho);
        let top = (0..best.len()).fold(0, |top, i| if best[i] > best[top] { i } else { top });
        (likely(y), tree.place(first + top as u32, first), best[top])
    });
    Doubt { relevance, cases: cases.collect(), path }
}
