//! Random game trees: any node can be visited in any order, and is the same on every machine.
//!
//! Two generators, both built on [`splitmix64`], which maps 64-bit words to 64-bit words one to one:
//!
//! - `mcallester` (McAllester 1988, Section 8): the static value of a child is its parent's plus a
//!   random whole number in [-n, n], where n = max(spread_min, spread - ply of the child). Keys:
//!   key(root) = seed, key(child c) = splitmix64(key(parent) xor (c + 1) * 0xD1342543DE82EF95); the random
//!   number is key mod (2n + 1) - n.
//! - `utgoff` (Korf and Chickering 1996; Utgoff and Cochran 2001): every edge has a value in
//!   [-2^14, 2^14) by the index of the node it leads to, and a position is worth the sum of the edges from
//!   the root. Indices run breadth-first modulo 2^32: child j of i is i * b + j + 1. The edge's value is the
//!   top 15 bits of splitmix64(seed * 0x9E3779B97F4A7C15 + i + 0x632BE59BD9B4E019), minus 2^14.

use super::parse_places;
use crate::error::Error;
use crate::game::{Notation, Rules, Shortcuts};
use crate::mix::{splitmix64, GOLDEN_RATIO};
use crate::params::{Info, Kind, Param, Params};

#[derive(Clone, Copy, Debug, PartialEq)]
enum TreeGenerator {
    McAllester { spread: i64, spread_min: i64 },
    Utgoff,
}

/// A random tree of fixed branching; positions at ply `depth` are over.
#[derive(Clone, Debug)]
pub struct RandomTree {
    branching: u16,
    depth: u32,
    seed: u64,
    generator: TreeGenerator,
    sort: bool,
}

/// A node of the random tree: 16 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RandomNode {
    /// The node's key (`mcallester`) or index (`utgoff`).
    key: u64,
    pub(crate) value: i32,
    ply: u32,
}

impl RandomTree {
    /// The game's entry in the tables.
    pub const INFO: Info = Info {
        name: "random-tree",
        paper: "McAllester 1988, Section 8; Utgoff and Cochran 2001",
        summary: "reproducible random tree of fixed branching and depth",
        params: &[
            Param {
                name: "branching",
                default: Kind::Int(10, 1),
                meaning: "moves in every position",
            },
            Param {
                name: "depth",
                default: Kind::MaybeInt(0),
                meaning:
                    "ply at which games end; 0: never. Nothing: 6 for mcallester, 64 for utgoff",
            },
            Param { name: "seed", default: Kind::Int(1, 0), meaning: "which tree" },
            Param {
                name: "kind",
                default: Kind::Choice(&["mcallester", "utgoff"]),
                meaning: "the generator",
            },
            Param {
                name: "spread",
                default: Kind::Int(7, 0),
                meaning: "mcallester: values vary by up to spread - ply",
            },
            Param {
                name: "spread_min",
                default: Kind::Int(1, 0),
                meaning: "mcallester: but by at least this much",
            },
            Param {
                name: "sort",
                default: Kind::Bool(false),
                meaning: "moves in the order of static values, best first for the player to move",
            },
        ],
    };

    /// The game with these parameters, which have been checked against [`RandomTree::INFO`].
    pub fn new(params: &Params) -> Result<RandomTree, Error> {
        let int = |name| params.int(name).unwrap_or(0);
        let limit = |name: &str, most: i64| match params.int(name) {
            Some(value) if value > most => {
                Err(Error::Argument(format!("{name} must be at most {most}, not {value}")))
            }
            _ => Ok(()),
        };
        // sums of edge values stay exact in 32 bits: the longest lines are those of the finite trees
        limit("branching", i64::from(u16::MAX))?;
        limit("depth", 60_000)?;
        limit("spread", 1_000)?;
        limit("spread_min", 1_000)?;
        let utgoff = params.text("kind") == "utgoff";
        let generator = if utgoff {
            TreeGenerator::Utgoff
        } else {
            TreeGenerator::McAllester { spread: int("spread"), spread_min: int("spread_min") }
        };
        let usual_depth = if utgoff { 64 } else { 6 };
        Ok(RandomTree {
            branching: int("branching") as u16,
            depth: params.int("depth").unwrap_or(usual_depth) as u32,
            seed: int("seed") as u64,
            generator,
            sort: params.bool("sort"),
        })
    }

    /// The child at place `c` in the generator's own order.
    fn child(&self, parent: &RandomNode, c: u16) -> RandomNode {
        let ply = parent.ply.saturating_add(1);
        let c = u64::from(c);
        let (key, edge) = match self.generator {
            TreeGenerator::McAllester { spread, spread_min } => {
                let key = splitmix64(parent.key ^ (c + 1).wrapping_mul(0xD134_2543_DE82_EF95));
                let n = spread_min.max(spread - i64::from(ply));
                (key, (key % (2 * n as u64 + 1)) as i32 - n as i32)
            }
            TreeGenerator::Utgoff => {
                let index = parent.key.wrapping_mul(u64::from(self.branching)) + c + 1;
                let index = index & 0xFFFF_FFFF;
                let z = self.seed.wrapping_mul(GOLDEN_RATIO);
                let z = z.wrapping_add(index).wrapping_add(0x632B_E59B_D9B4_E019);
                (index, (splitmix64(z) >> 49) as i32 - 16384)
            }
        };
        RandomNode { key, value: parent.value.saturating_add(edge), ply }
    }

    /// The children in the game's order.
    pub(crate) fn family(&self, parent: &RandomNode) -> impl Iterator<Item = RandomNode> + '_ {
        let parent = *parent;
        let plain = (0..self.branching).map(move |c| self.child(&parent, c));
        if self.sort {
            let mut sorted: Vec<RandomNode> = plain.collect();
            let max = self.max_to_move(&parent);
            sorted.sort_by_key(|child| if max { -child.value } else { child.value });
            ChildrenInOrder::Sorted(sorted.into_iter())
        } else {
            ChildrenInOrder::Plain(plain)
        }
    }
}

/// Children in either order, without an allocation where none is needed.
enum ChildrenInOrder<P> {
    Plain(P),
    Sorted(std::vec::IntoIter<RandomNode>),
}

impl<P: Iterator<Item = RandomNode>> Iterator for ChildrenInOrder<P> {
    type Item = RandomNode;
    fn next(&mut self) -> Option<RandomNode> {
        match self {
            ChildrenInOrder::Plain(plain) => plain.next(),
            ChildrenInOrder::Sorted(sorted) => sorted.next(),
        }
    }
}

impl Rules for RandomTree {
    type Position = RandomNode;
    type Move = u16;

    fn start(&self) -> Result<RandomNode, Error> {
        let key = if self.generator == TreeGenerator::Utgoff { 0 } else { self.seed };
        Ok(RandomNode { key, value: 0, ply: 0 })
    }

    fn max_to_move(&self, position: &RandomNode) -> bool {
        position.ply % 2 == 0
    }

    fn moves(&self, position: &RandomNode, moves: &mut Vec<u16>) -> Result<(), Error> {
        if !self.is_over(position) {
            moves.extend(0..self.branching);
        }
        Ok(())
    }

    fn play(&self, position: &RandomNode, place: &u16) -> Result<RandomNode, Error> {
        if !self.sort {
            return Ok(self.child(position, *place));
        }
        self.family(position).nth(usize::from(*place)).ok_or_else(|| {
            Error::Position(format!("there is no move {place}: there are {}", self.branching))
        })
    }

    fn outcome(&self, position: &RandomNode) -> Result<Option<f64>, Error> {
        Ok(self.is_over(position).then_some(f64::from(position.value)))
    }
}

impl Shortcuts for RandomTree {
    fn phase(&self, position: &RandomNode) -> u32 {
        self.depth.saturating_sub(position.ply)
    }
}

impl Notation for RandomTree {
    fn move_name(&self, _: &RandomNode, place: &u16) -> String {
        place.to_string()
    }

    fn parse(&self, notation: &str) -> Result<RandomNode, Error> {
        if notation.starts_with('@') {
            return parse_node(notation).ok_or_else(|| {
                Error::Position(format!("'{notation}' is not @key/ply/value of a random tree"))
            });
        }
        let mut position = self.start()?;
        for place in parse_places(notation)? {
            if self.is_over(&position) {
                return Err(Error::Position(format!(
                    "'{notation}' goes on after the end of the game at ply {}",
                    position.ply
                )));
            }
            if place >= u64::from(self.branching) {
                return Err(Error::Position(format!(
                    "there is no move {place}: every position has the moves 0 to {}",
                    self.branching - 1
                )));
            }
            position = self.play(&position, &(place as u16))?;
        }
        Ok(position)
    }

    /// A node knows its key, not its path: `@key/ply/value`, the key in hexadecimal.
    fn notation(&self, position: &RandomNode) -> String {
        format!("@{:x}/{}/{}", position.key, position.ply, position.value)
    }

    fn picture(&self, position: &RandomNode) -> String {
        format!("node {:x} at ply {}, value {}", position.key, position.ply, position.value)
    }
}

/// Reads what [`Notation::notation`] writes.
fn parse_node(notation: &str) -> Option<RandomNode> {
    let mut parts = notation.strip_prefix('@')?.split('/');
    let node = RandomNode {
        key: u64::from_str_radix(parts.next()?, 16).ok()?,
        ply: parts.next()?.parse().ok()?,
        value: parts.next()?.parse().ok()?,
    };
    parts.next().is_none().then_some(node)
}

impl RandomTree {
    /// How many moves every position has.
    pub(crate) fn branching(&self) -> usize {
        usize::from(self.branching)
    }

    /// The mean of the greatest of `branching` edge values.
    pub(crate) fn mean_gain(&self, position: &RandomNode) -> f64 {
        let most = match self.generator {
            TreeGenerator::McAllester { spread, spread_min } => {
                spread_min.max(spread - i64::from(position.ply) - 1) as f64
            }
            TreeGenerator::Utgoff => 16384.0,
        };
        let b = f64::from(self.branching);
        most * (b - 1.0) / (b + 1.0)
    }

    pub(crate) fn is_over(&self, position: &RandomNode) -> bool {
        self.depth != 0 && position.ply >= self.depth
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Value;

    fn tree(params: &[(&str, Value)]) -> RandomTree {
        let given: Vec<_> = params.iter().map(|(k, v)| (k.to_string(), v.clone())).collect();
        RandomTree::new(&Params::new(&RandomTree::INFO, &given).expect("valid")).expect("valid")
    }

    #[test]
    fn edge_values_are_the_published_ones() {
        // seed, index, value; the parent of index i is (i - 1) / b
        for (seed, index, value) in
            [(1, 1u64, -4057), (1, 3, -11848), (7, 12345, 12212), (99, 1_000_000, -728)]
        {
            let game = tree(&[("kind", Value::Text("utgoff".into())), ("seed", Value::Int(seed))]);
            let parent = RandomNode { key: (index - 1) / 10, value: 0, ply: 3 };
            assert_eq!(game.child(&parent, ((index - 1) % 10) as u16).value, value);
        }
    }

    #[test]
    fn sorted_families_are_the_same_families() {
        let plain = tree(&[("seed", Value::Int(5))]);
        let sorted = tree(&[("seed", Value::Int(5)), ("sort", Value::Bool(true))]);
        let root = plain.start().expect("start");
        let mut one: Vec<_> = plain.family(&root).map(|n| n.key).collect();
        let values: Vec<_> = sorted.family(&root).map(|n| n.value).collect();
        let mut two: Vec<_> = sorted.family(&root).map(|n| n.key).collect();
        assert!(values.windows(2).all(|pair| pair[0] >= pair[1]));
        one.sort_unstable();
        two.sort_unstable();
        assert_eq!(one, two);
    }
}
