//! The answer of a tree: a move at the root, and the line of best play behind it.
//!
//! A proven answer is made of proven moves. Where a value is known for certain, a sibling of the same value that can
//! still change is no answer: it may turn out to be worse. So what counts then is what a child is *certain* to be worth,
//! whatever its open leaves turn out to be.

use super::{Node, NodeId, Tree};

/// What every node is certain to be worth at the least and at the most.
struct Certain(Vec<(f64, f64)>);

impl Certain {
    /// From the leaves up: a finished game is worth its result, an open leaf anything.
    fn of(tree: &Tree) -> Certain {
        let exact = |node: &Node| node.is_leaf() && node.is_terminal() && !node.is_claimed();
        let leaf = |node: &Node| match exact(node) {
            true => (node.value, node.value),
            false => tree.value_range(),
        };
        let mut certain: Vec<(f64, f64)> = tree.nodes().iter().map(leaf).collect();
        for id in tree.bottom_up() {
            let node = tree.node(id);
            let best = |a: f64, b: f64| if node.max_to_move() { a.max(b) } else { a.min(b) };
            let family = &certain[node.children().start as usize..node.children().end as usize];
            let both = family.iter().copied().reduce(|a, b| (best(a.0, b.0), best(a.1, b.1)));
            let (mut low, mut high) = both.unwrap_or(certain[id as usize]);
            if node.is_narrowed() {
                // a move that was left out may be better than all others
                (low, high) = match node.max_to_move() {
                    true => (low, tree.value_range().1),
                    false => (tree.value_range().0, high),
                };
            }
            certain[id as usize] = (low, high);
        }
        Certain(certain)
    }

    /// What the player to move gets at the least by going to this child, and what it may get at the most.
    fn for_player(&self, max: bool, child: NodeId) -> (f64, f64) {
        let (low, high) = self.0[child as usize];
        if max {
            (low, high)
        } else {
            (-high, -low)
        }
    }

    /// The child that is certain to be worth most to the player to move, and among equals may be worth most: `wish` if it
    /// is one of several, else the one of the best value. Also whether no other child can turn out to be better.
    fn best(&self, tree: &Tree, id: NodeId, wish: Option<u32>) -> Option<(u32, bool)> {
        let node = tree.node(id);
        let worth = |child: NodeId| self.for_player(node.max_to_move(), child);
        let better = |a: (f64, f64), b: (f64, f64)| if b > a { b } else { a };
        let most = node.children().map(worth).reduce(better)?;
        let place = preferred(tree, id, wish, |child| worth(child) == most)?;
        let chosen = node.children().start + place;
        let mut others = node.children().filter(|child| *child != chosen);
        let (low, high) = self.0[id as usize];
        // a move that is left out is an other too, unless the value is certain without it
        let complete = !node.is_narrowed() || low == high;
        Some((place, complete && others.all(|child| worth(child).1 <= most.0)))
    }
}

/// Of the children that `may` be chosen: `wish` if it is one of them, else the leftmost of the best value.
fn preferred(
    tree: &Tree,
    id: NodeId,
    wish: Option<u32>,
    may: impl Fn(NodeId) -> bool,
) -> Option<u32> {
    let node = tree.node(id);
    let first = node.children().start;
    // a rule that remembers an answer from elsewhere may be wrong about it
    let wish = wish.filter(|place| *place < u32::from(node.count));
    if wish.is_some_and(|place| may(first + place)) {
        return wish;
    }
    let mut best: Option<(u32, f64)> = None;
    for child in node.children().filter(|child| may(*child)) {
        let value = tree.node(child).value_for(node.max_to_move());
        if best.is_none_or(|(_, most)| value > most) {
            best = Some((child - first, value));
        }
    }
    best.map(|(place, _)| place)
}

impl Tree {
    /// A line of places among siblings from the root to a leaf, by the preferred child of every inner node: the
    /// one that `answer` names, or the one of the best value. A solved node is followed by a solved child of its
    /// value. If the answer is `proven`, the line goes as far as every move of it is.
    pub fn principal_line(&self, proven: bool, answer: impl Fn(NodeId) -> Option<u32>) -> Vec<u32> {
        // flags tell only what is so as far as the evaluator's word goes
        let proven_by_bounds = proven && self.rests_on_claims();
        let mut certain: Option<Certain> = None;
        let mut line = Vec::new();
        let mut id = Tree::ROOT;
        while !self.node(id).is_leaf() {
            let (node, wish) = (self.node(id), answer(id));
            let place = if node.is_solved() && !proven_by_bounds {
                preferred(self, id, wish, |child| self.keeps_value(id, child))
            } else if proven {
                // the value of a node can be certain although not all below it is solved
                let certain = certain.get_or_insert_with(|| Certain::of(self));
                match certain.best(self, id, wish) {
                    Some((_, false)) if id != Tree::ROOT => None,
                    best => best.map(|(place, _)| place),
                }
            } else {
                preferred(self, id, wish, |_| true)
            };
            let Some(place) = place else { break };
            line.push(place);
            id = node.first + place;
        }
        line
    }

    /// Whether a node is solved, and a child of it too, with the same value: then the move to it is a best one.
    #[inline]
    pub(crate) fn keeps_value(&self, id: NodeId, child: NodeId) -> bool {
        let (node, child) = (self.node(id), self.node(child));
        node.is_solved() && child.is_solved() && child.value == node.value
    }

    /// Whether any node rests on what an evaluator says without proof.
    fn rests_on_claims(&self) -> bool {
        self.nodes().iter().any(|node| node.is_claimed() || node.is_narrowed())
    }

    /// Whether the root's value is certain up to `delta`, or its best move is: what a rule may call `proven`.
    pub fn may_be_proven(&self, delta: f64) -> bool {
        if self.root().is_solved() && !self.rests_on_claims() {
            return true;
        }
        let certain = Certain::of(self);
        let (low, high) = certain.0[Tree::ROOT as usize];
        let narrow = low == high || high - low <= delta;
        narrow || certain.best(self, Tree::ROOT, None).is_some_and(|(_, proven)| proven)
    }

    /// Whether the root's value is certain by the rules of the game alone.
    pub fn is_certain(&self) -> bool {
        if self.root().is_solved() && !self.rests_on_claims() {
            return true;
        }
        let (low, high) = Certain::of(self).0[Tree::ROOT as usize];
        low == high
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ```text
    ///              max 0
    ///            /       \
    ///        min 0       0, over
    ///        /    \
    ///   0, open   0, over
    /// ```
    fn half_open() -> Tree {
        let mut tree = Tree::default();
        let leaf = |max, over| Node::leaf(0.0, max, over);
        tree.expand(0, [leaf(false, false), leaf(false, true)].into_iter());
        tree.expand(1, [leaf(true, false), leaf(true, true)].into_iter());
        tree.back_up_along(&[0, 1]);
        tree
    }

    #[test]
    fn a_proven_move_is_certain() {
        let tree = half_open();
        assert!(!tree.root().is_solved() && tree.is_certain() && tree.may_be_proven(0.0));
        assert_eq!(tree.principal_line(false, |_| None), [0, 0]);
        assert_eq!(tree.principal_line(true, |_| None), [1]);
        assert_eq!(tree.principal_line(true, |_| Some(0)), [1]);
        assert_eq!(tree.principal_line(true, |_| Some(9)), [1]);
    }

    #[test]
    fn a_solved_node_is_followed_by_a_solved_child() {
        let mut tree = Tree::new(Node::leaf(0.0, true, false), (-1.0, 1.0));
        let win = |over| Node::leaf(1.0, false, over);
        tree.expand(0, [win(false), win(true), win(true)].into_iter());
        tree.back_up_along(&[0]);
        assert!(tree.root().is_solved());
        for (wish, expected) in [(None, 1), (Some(0), 1), (Some(2), 2)] {
            assert_eq!(tree.principal_line(false, |_| wish), [expected]);
        }
    }

    #[test]
    fn an_open_tree_is_not_certain() {
        let mut tree = Tree::default();
        let leaf = |value| Node::leaf(value, false, false);
        tree.expand(0, [leaf(1.0), leaf(2.0)].into_iter());
        tree.back_up_along(&[0]);
        assert!(!tree.is_certain() && !tree.may_be_proven(0.0));
        assert!(tree.may_be_proven(f64::INFINITY));
        tree.expand(1, [Node::leaf(3.0, true, true)].into_iter());
        tree.expand(2, [Node::leaf(2.0, true, true)].into_iter());
        tree.back_up_along(&[0, 1]);
        tree.back_up_along(&[0, 2]);
        assert!(tree.is_certain());
    }
}
