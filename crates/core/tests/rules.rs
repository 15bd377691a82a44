//! Every rule by itself, on small explicit trees: numbers that are kept up to date equal those computed from the leaves
//! after every expansion, and what is proven is the minimax value.

use conspirator_core::any::Evaluation;
use conspirator_core::any::Located;
use conspirator_core::games::{ExplicitTree, Scored, TreeNode};
use conspirator_core::growth::Status;
use conspirator_core::numbers::distributions::{Certainty, ErrorModel};
use conspirator_core::params::Value;
use conspirator_core::registry;
use conspirator_core::search::{Budget, Unattended};
use std::sync::Arc;

/// Numbers that look random: enough for trees.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}

/// A tree of at most so many nodes, in breadth-first order, with small whole values.
fn random_tree(seed: u64, most: usize) -> Vec<TreeNode> {
    let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let leaf = |dice: &mut Dice| TreeNode {
        value: dice.below(9) as f64 + 1.0,
        max_to_move: true,
        first: 0,
        count: 0,
        terminal: true,
        bounds: None,
        scored: Scored::No,
        likely: None,
    };
    let mut nodes = vec![leaf(&mut dice)];
    let mut at = 0;
    while at < nodes.len() {
        let count = if at == 0 { 2 + dice.below(2) } else { dice.below(4) };
        if count > 0 && nodes.len() + count as usize <= most {
            nodes[at].first = nodes.len() as u32;
            nodes[at].count = count as u16;
            nodes[at].terminal = false;
            let max_to_move = !nodes[at].max_to_move;
            for _ in 0..count {
                let child = leaf(&mut dice);
                nodes.push(TreeNode { max_to_move, ..child });
            }
        }
        at += 1;
    }
    nodes
}

/// The minimax value of every node.
fn minimax(nodes: &[TreeNode]) -> Vec<f64> {
    let mut values: Vec<f64> = nodes.iter().map(|node| node.value).collect();
    for id in (0..nodes.len()).rev().filter(|id| nodes[*id].count > 0) {
        let first = nodes[id].first as usize;
        let family = &values[first..first + usize::from(nodes[id].count)];
        let best = if nodes[id].max_to_move { f64::max } else { f64::min };
        values[id] = family.iter().copied().reduce(best).unwrap_or(values[id]);
    }
    values
}

/// An evaluator that may always be wrong.
fn unsure() -> Evaluation {
    let outcomes: Vec<f64> = (-10..=10).map(f64::from).collect();
    let above: Vec<f64> = (1..=20).map(|k| 1.0 - f64::from(k) / 21.0).collect();
    let table = [above.clone(), above].concat();
    let model = ErrorModel::table(outcomes, vec![0.0], vec![0.0], table).expect("a model");
    let certainty = Certainty { model: Arc::new(model), phase: 0.0, rho: 0.0, root_rho: 0.0 };
    Evaluation { certainty: Some(certainty), ..Evaluation::default() }
}

/// Grows many trees by one rule, an expansion at a time, with everything checked after each.
fn holds(rule: &str, params: &[(&str, Value)], exact: bool) {
    let params: Vec<(String, Value)> =
        params.iter().map(|(name, value)| ((*name).to_string(), value.clone())).collect();
    let mut proofs = 0;
    for seed in 0..150 {
        let nodes = random_tree(seed, 40);
        let values = minimax(&nodes);
        let first = nodes[0].first as usize;
        let game = Arc::new(ExplicitTree::new(nodes).expect("breadth-first"));
        let root = Located::any(&game, 0);
        let mut search = registry::start(&*root, rule, &params, unsure(), true)
            .unwrap_or_else(|error| panic!("{rule}: {error:?}"));
        for expansions in 1..=60 {
            let budget = Budget { expansions: Some(1), ..Budget::default() };
            search.run(&budget, &mut Unattended).expect("nothing can fail here");
            assert_eq!(search.check(), Ok(()), "{rule}, tree {seed}, {expansions} expansions");
            let report = search.report();
            if report.status != Status::Budget {
                if report.status == Status::Proven && exact {
                    proofs += 1;
                    assert_eq!(report.value, values[0], "{rule}, tree {seed}");
                    assert_eq!(values[first + report.best as usize], values[0], "{rule}, {seed}");
                }
                break;
            }
        }
    }
    assert!(!exact || proofs > 20, "{rule} has proven {proofs} trees only");
}

macro_rules! rules {
    ($($test:ident: $rule:literal, $params:expr, $exact:literal;)*) => {
        $(#[test]
        fn $test() {
            holds($rule, $params, $exact);
        })*

        /// A new rule must be listed here.
        #[test]
        fn every_rule_is_here() {
            for name in registry::growing() {
                assert!([$($rule),*].contains(&name), "{name} has no test");
            }
        }
    };
}

rules! {
    best_first: "best-first", &[], true;
    unbounded_minimax: "unbounded-minimax", &[], true;
    descent: "descent", &[], true;
    b_star: "b-star", &[], false;
    conspiracy: "conspiracy", &[], true;
    conspiracy_with_threshold: "conspiracy", &[("threshold", Value::Int(3))], false;
    improved_conspiracy: "improved-conspiracy", &[], true;
    minmax_approximation: "minmax-approximation", &[], true;
    minmax_published: "minmax-approximation", &[("variant", Value::Text("published".into()))], true;
    least_certainty: "least-certainty", &[], true;
    sibling_conspiracy: "sibling-conspiracy", &[], false;
    proof_number: "proof-number", &[], false;
    product_propagation: "product-propagation", &[], false;
    uct: "uct", &[("playouts", Value::Int(0))], false;
    pn_mcts: "pn-mcts", &[("playouts", Value::Int(0))], false;
    puct: "puct", &[], false;
    puct_gumbel: "puct", &[("root", Value::Text("gumbel".into()))], false;
    prior_penalty: "prior-penalty", &[], false;
    relevance: "relevance", &[], false;
    relevance_one_leaf: "relevance", &[("gulp", Value::Real(0.0)), ("rho", Value::Real(0.5))], false;
}
