//! A game given as data: a tree written out node by node.

use super::parse_places;
use crate::error::Error;
use crate::evaluator::{LeafBounds, NodeId};
use crate::game::{Notation, Rules, Shortcuts};

/// One node of the data.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeNode {
    /// Static value from Max's side; the game's result at the end of a line.
    pub value: f64,
    /// Whether Max is to move.
    pub max_to_move: bool,
    /// Index of the first child; the others follow.
    pub first: NodeId,
    /// Number of children.
    pub count: u16,
    /// As a search tree: whether a node without children is the end of the game.
    pub terminal: bool,
    /// What the evaluator says of the node beyond its value.
    pub bounds: Option<Box<LeafBounds>>,
    /// The score of the move that leads here, or its relative error.
    pub scored: Scored,
    /// How likely each outcome is, from Max's worst to Max's best, as far as anybody says.
    pub likely: Option<Box<[f64]>>,
}

/// How good a move is in comparison with its siblings.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Scored {
    /// As far as the value tells.
    #[default]
    No,
    /// A positive score E.
    Score(f64),
    /// The relative error e = ln(E_best / E) itself.
    Error(f64),
}

/// A tree as a game: a node without children ends the game with its value.
#[derive(Clone, Debug)]
pub struct ExplicitTree {
    nodes: Vec<TreeNode>,
    parents: Vec<NodeId>,
}

impl ExplicitTree {
    /// From nodes in breadth-first order: children are contiguous and stand behind their parent.
    pub fn new(nodes: Vec<TreeNode>) -> Result<ExplicitTree, Error> {
        let bad = |what: &str| Err(Error::Game(format!("a tree as data {what}")));
        let mut next = 1;
        let mut parents = vec![0];
        for (id, node) in nodes.iter().enumerate() {
            if node.value.is_nan() {
                return bad("has a value that is not a number");
            }
            if node.count > 0 && node.first as usize != next {
                return bad("must list its nodes breadth-first");
            }
            if node.count > 0 && !node.value.is_finite() {
                return bad("has an infinite value at a position that is not over");
            }
            if let Some(bounds) = &node.bounds {
                bounds.check(node.value)?;
            }
            next += usize::from(node.count);
            parents.resize(next, id as NodeId);
        }
        if next != nodes.len() {
            return bad("must be one tree, with every node listed once");
        }
        Ok(ExplicitTree { nodes, parents })
    }

    /// Whether any node has bounds.
    pub(crate) fn has_bounds(&self) -> bool {
        self.nodes.iter().any(|node| node.bounds.is_some())
    }

    /// All nodes, the root first.
    pub(crate) fn nodes(&self) -> &[TreeNode] {
        &self.nodes
    }

    /// Where a node is, in words.
    pub(crate) fn place(&self, id: &NodeId) -> String {
        if *id == 0 {
            "the root".into()
        } else {
            format!("node {}", self.notation(id))
        }
    }

    pub(crate) fn node(&self, id: NodeId) -> &TreeNode {
        &self.nodes[id as usize]
    }
}

impl Rules for ExplicitTree {
    /// Index of the node.
    type Position = NodeId;
    type Move = u16;

    fn start(&self) -> Result<NodeId, Error> {
        Ok(0)
    }

    fn max_to_move(&self, id: &NodeId) -> bool {
        self.node(*id).max_to_move
    }

    fn moves(&self, id: &NodeId, moves: &mut Vec<u16>) -> Result<(), Error> {
        moves.extend(0..self.node(*id).count);
        Ok(())
    }

    fn play(&self, id: &NodeId, place: &u16) -> Result<NodeId, Error> {
        Ok(self.node(*id).first + NodeId::from(*place))
    }

    fn outcome(&self, id: &NodeId) -> Result<Option<f64>, Error> {
        let node = self.node(*id);
        Ok((node.count == 0).then_some(node.value))
    }

    fn key(&self, id: &NodeId) -> Result<Option<u64>, Error> {
        Ok(Some(u64::from(*id)))
    }
}

impl Shortcuts for ExplicitTree {
    fn results(&self) -> Option<Vec<f64>> {
        let mut values: Vec<f64> =
            self.nodes.iter().filter(|node| node.count == 0).map(|node| node.value + 0.0).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        Some(values)
    }
}

impl Notation for ExplicitTree {
    fn move_name(&self, _: &NodeId, place: &u16) -> String {
        place.to_string()
    }

    fn parse(&self, notation: &str) -> Result<NodeId, Error> {
        let mut id = 0;
        for place in parse_places(notation)? {
            let node = self.node(id);
            if place >= u64::from(node.count) {
                return Err(Error::Position(format!(
                    "'{notation}' leaves the tree: there is no move {place} where there are {}",
                    node.count
                )));
            }
            id = node.first + place as NodeId;
        }
        Ok(id)
    }

    fn picture(&self, id: &NodeId) -> String {
        let node = self.node(*id);
        format!("{}, value {}, moves {}", self.place(id), node.value, node.count)
    }

    /// The line from the root, such as "0.2.1".
    fn notation(&self, id: &NodeId) -> String {
        let mut places = Vec::new();
        let mut id = *id;
        while id > 0 {
            let parent = self.parents[id as usize];
            places.push((id - self.node(parent).first).to_string());
            id = parent;
        }
        places.reverse();
        places.join(".")
    }
}
