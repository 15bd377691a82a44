//! The one growing loop: choose a leaf, expand it, back up, check the budget.

use super::budget::{ending, Halt, Meter};
use super::saved::Saved;
use super::sharing::Sharing;
use super::{leaves, Budget, Control, Counts, Leaves, Limit, Report, Search, Status, Trace};
use crate::error::Error;
use crate::game::{check_moves, middle, valid, Child, Game, LeafBounds};
use crate::growth::{GrowthRule, Number};
use crate::scores::Units;
use crate::spare::Reused;
use crate::tree::{Node, NodeId, Path, Tree};
use std::cmp::Reverse;
use std::sync::Arc;

/// A tree, the positions of its nodes, and the rule that makes it grow.
pub struct Growth<G: Game, R: GrowthRule> {
    pub(super) game: Arc<G>,
    pub(super) tree: Tree,
    pub(super) positions: Reused<G::Position>,
    pub(super) rule: R,
    pub(super) path: Path,
    pub(super) counts: Counts,
    pub(super) status: Status,
    pub(super) limit: Option<Limit>,
    pub(super) trace: Option<Trace>,
    pub(super) sharing: Option<Sharing>,
    pub(super) moves: Vec<G::Move>,
    children: Vec<Child<G::Position>>,
    pub(super) keys: Vec<Option<u64>>,
    bounds: Vec<(NodeId, LeafBounds)>,
    errors: Vec<Units>,
    pub(super) uses_errors: bool,
    pub(super) uses_values: bool,
    /// Positions looked at to value the children, in the expansion under way.
    looked: u64,
    /// What the rule has been charged for besides.
    pub(super) traversed: u64,
    /// The moves of positions looked at.
    further: Vec<G::Move>,
    /// The sizes of all subtrees after so many expansions, for [`Search::replies`].
    sizes: (u64, Vec<u64>),
}

impl<G: Game, R: GrowthRule> Growth<G, R> {
    /// A tree of one node: the position, which must not be over, with its static value.
    pub fn new(
        game: Arc<G>,
        position: G::Position,
        rule: R,
        record: bool,
    ) -> Result<Growth<G, R>, Error> {
        let value = if rule.uses_values(game.gives_scores()) {
            valid(game.evaluate(&position)?, false, game.value_range())?
        } else {
            middle(game.value_range())
        };
        let root = Node::leaf(value, game.max_to_move(&position), false);
        let tree = Tree::new(root, game.value_range());
        let mut growth = Growth::with(game, tree, vec![position], rule);
        growth.set_bounds()?;
        growth.compute(&[])?;
        growth.trace = record.then(Trace::default);
        Ok(growth)
    }

    /// A tree that is already there: `positions[id]` belongs to node `id`. All numbers are computed.
    pub fn from_tree(
        game: Arc<G>,
        mut tree: Tree,
        positions: Vec<G::Position>,
        mut rule: R,
    ) -> Result<Growth<G, R>, Error> {
        rule.keep_all();
        if rule.uses_errors() {
            tree.set_errors(relative_errors(&*game, &tree, &positions)?);
        }
        let mut growth = Growth::with(game, tree, positions, rule);
        (growth.sharing, growth.uses_values) = (None, true);
        let expanded = growth.tree.expanded();
        growth.compute(&expanded)?;
        growth.counts = Counts {
            expansions: expanded.len() as u64,
            nodes: growth.tree.len() as u64,
            depth: growth.tree.depth_histogram().len() as u32 - 1,
            ..Counts::default()
        };
        Ok(growth)
    }

    /// A tree whose numbers have not been computed yet.
    pub(super) fn with(
        game: Arc<G>,
        tree: Tree,
        positions: Vec<G::Position>,
        rule: R,
    ) -> Growth<G, R> {
        let mut kept = Reused::default();
        kept.extend(positions);
        Growth {
            uses_errors: rule.uses_errors(),
            uses_values: rule.uses_values(game.gives_scores()),
            sharing: rule.shares_positions().then(Sharing::new),
            game,
            tree,
            positions: kept,
            rule,
            path: vec![Tree::ROOT],
            counts: Counts { nodes: 1, ..Counts::default() },
            status: Status::Budget,
            limit: None,
            trace: None,
            moves: Vec::new(),
            children: Vec::new(),
            keys: Vec::new(),
            bounds: Vec::new(),
            errors: Vec::new(),
            looked: 0,
            traversed: 0,
            further: Vec::new(),
            sizes: (u64::MAX, Vec::new()),
        }
    }

    /// The loop. It ends with a status of the rule's, or with a halt.
    fn grow(&mut self, meter: &mut Meter) -> Result<Status, Halt> {
        loop {
            if let Some(status) = self.rule.choose(&mut self.tree, &mut self.path)? {
                return Ok(status);
            }
            self.expand(meter)?;
            match &mut self.sharing {
                None => self.rule.back_up(&mut self.tree, &mut self.path)?,
                Some(sharing) => {
                    let leaf = self.path[self.path.len() - 1];
                    let climbed = sharing.back_up(&mut self.tree, &mut self.rule, leaf)?;
                    self.path.truncate(self.path.len() - climbed);
                }
            }
            if meter.is_due() {
                let Growth { rule, tree, path, .. } = self;
                meter.look(|| {
                    rule.settle(tree, path);
                    tree.root().value
                })?;
            }
        }
    }

    /// Expands the leaf at the end of the path, or leaves everything as it was.
    fn expand(&mut self, meter: &mut Meter) -> Result<(), Halt> {
        let leaf = self.path[self.path.len() - 1];
        self.generate(leaf, meter).map_err(|halt| match halt {
            Halt::Failed(source) => {
                Halt::Failed(Box::new(Error::Line { line: self.line_to(leaf), source }))
            }
            halt => halt,
        })?;
        self.record();
        let added = self.children.len();
        self.tree.expand(
            leaf,
            self.children.iter().map(|child| {
                Node::leaf(child.value, self.game.max_to_move(&child.position), child.terminal)
            }),
        );
        if self.uses_errors {
            self.tree.add_errors(&self.errors);
        }
        let first = self.tree.node(leaf).children().start;
        for (place, bounds) in self.bounds.drain(..) {
            self.tree.set_leaf_bounds(first + place, &bounds);
        }
        self.positions.extend(self.children.drain(..).map(|child| child.position));
        meter.counts.expansions += 1;
        meter.counts.nodes += added as u64;
        meter.counts.move_calls += added as u64 + self.looked + self.walk();
        self.charge(meter, added);
        meter.counts.depth = meter.counts.depth.max(self.path.len() as u32);
        if let Some(sharing) = &mut self.sharing {
            sharing.add(&mut self.tree, leaf, self.path.len(), &self.keys);
        }
        self.rule.initialise(&mut self.tree, Some(leaf))?;
        Ok(())
    }

    /// Notes in the trace that the leaf at the end of the path is expanded.
    fn record(&mut self) {
        if let Some(trace) = &mut self.trace {
            trace.push(self.tree.places(&self.path));
        }
    }

    /// Fills `self.children` with the successors of `leaf`, and `self.bounds` with what the evaluator says
    /// of them beyond their values, if the budget allows them.
    fn generate(&mut self, leaf: NodeId, meter: &Meter) -> Result<(), Halt> {
        let position = &self.positions[leaf as usize];
        self.moves.clear();
        self.children.clear();
        self.game.moves(position, &mut self.moves)?;
        let count = self.moves.len();
        let cost = check_moves(count)?;
        meter.afford(1, cost, cost + self.walk())?;
        self.room(count, meter)?;
        let position = &self.positions[leaf as usize];
        let unknown = match self.rule.leaves() {
            Leaves::Inherited => {
                let range = self.tree.value_range();
                Some(valid(self.game.evaluate(position)?, false, range)?)
            }
            _ => (!self.uses_values).then(|| middle(self.tree.value_range())),
        };
        match unknown {
            None => self.game.children(position, &self.moves, &mut self.children)?,
            Some(unknown) => {
                self.game.successors(position, &self.moves, unknown, &mut self.children)?;
            }
        }
        if self.rule.foresees() {
            self.game.foresee(position, &self.moves, &mut self.children)?;
        }
        let ply = self.path.len();
        let (children, further) = (&mut self.children, &mut self.further);
        let place = (ply, self.tree.len());
        self.looked = leaves::value(self.rule.leaves(), &*self.game, place, further, children)?;
        meter.afford(1, cost, cost + self.looked + self.walk())?;
        if self.uses_errors {
            self.errors.clear();
            let (moves, children) = (&self.moves, &self.children);
            self.game.relative_errors(position, moves, children, &mut self.errors)?;
        }
        if G::FOREIGN {
            for child in &self.children {
                valid(child.value, child.terminal, self.tree.value_range())?;
            }
        }
        self.keys.clear();
        if self.sharing.is_some() {
            for child in &self.children {
                let key = if child.terminal { None } else { self.game.key(&child.position)? };
                self.keys.push(key);
            }
        }
        self.bounds.clear();
        // bounds are about static values
        let plain = self.uses_values && self.rule.leaves() == Leaves::Static;
        if plain && self.game.gives_bounds() {
            for (place, child) in (0..).zip(&self.children).filter(|(_, child)| !child.terminal) {
                if let Some(bounds) = self.game.bounds(&child.position) {
                    bounds.check(child.value)?;
                    self.bounds.push((place, bounds));
                }
            }
        }
        Ok(())
    }

    /// Calls of `play` on the way to the leaf at the end of the path, if the rule pays for them.
    #[inline]
    fn walk(&self) -> u64 {
        if self.rule.walks_down() {
            self.path.len() as u64 - 1
        } else {
            0
        }
    }

    /// Charges for the expansion of the leaf at the end of the path: the families on the way down and up again, and
    /// what the rule looks at besides.
    #[inline]
    fn charge(&mut self, meter: &mut Meter, added: usize) {
        if meter.counts_artificial_time() {
            let (_, above) = self.path.split_last().unwrap_or((&Tree::ROOT, &[]));
            let families = above.iter().map(|&id| self.tree.node(id).children().len() as u64);
            let besides = self.rule.traversals() - self.traversed;
            self.traversed += besides;
            let traversed = 2 * families.sum::<u64>() + added as u64 + besides;
            meter.charge(traversed, added as u64 + self.looked);
        }
    }

    fn bytes_per_node(&self) -> usize {
        let error = if self.uses_errors { size_of::<Units>() } else { 0 };
        Tree::BYTES_PER_NODE + size_of::<G::Position>() + error
    }

    /// Room for this many more nodes, within the budget and the machine's memory.
    fn room(&mut self, count: usize, meter: &Meter) -> Result<(), Halt> {
        let path = self.path.len();
        let more = count * self.bytes_per_node()
            + self.rule.bytes_for(path, count)
            + self.trace.as_ref().map_or(0, |_| Trace::bytes_for(path))
            + self.sharing.as_ref().map_or(0, |_| count * Sharing::BYTES_PER_NODE);
        meter.afford_bytes(self.bytes() + more)?;
        if self.tree.len() + count > NodeId::MAX as usize {
            return Err(Halt::Spent(Limit::Memory));
        }
        if self.positions.capacity() - self.positions.len() < count {
            self.more_room(meter);
        }
        if self.tree.reserve(count).is_err() || self.positions.try_reserve(count).is_err() {
            return Err(Halt::Spent(Limit::Memory));
        }
        Ok(())
    }

    /// Address space for nodes to come: a modest amount first, which the allocator can use again for the
    /// next search, then more, and then at once for all that the budget allows. Memory that is never touched
    /// costs nothing; moving large arrays does.
    #[cold]
    fn more_room(&mut self, meter: &Meter) {
        const MODEST: u64 = 1 << 16;
        const LARGE: u64 = 1 << 20;
        let left = meter.affordable_nodes(self.bytes(), self.bytes_per_node());
        let nodes = match self.tree.len() as u64 {
            1 => left.min(MODEST),
            ..LARGE => left.min(LARGE),
            _ => left,
        };
        let nodes = nodes.min(u64::from(NodeId::MAX)) as usize;
        // failing here is no failure: the caller asks for what it needs
        let _ = self.tree.reserve_exact(nodes);
        let _ = self.positions.try_reserve_exact(nodes);
        self.rule.reserve(nodes);
    }

    fn bytes(&self) -> usize {
        self.tree.len() * self.bytes_per_node()
            + self.rule.bytes()
            + self.trace.as_ref().map_or(0, Trace::bytes)
            + self.sharing.as_ref().map_or(0, Sharing::bytes)
    }

    /// The winning move at the end of a line that ends with a foreseen win.
    fn foreseen(&self, line: &[u32]) -> Option<u32> {
        let step = |id: NodeId, place: &u32| self.tree.node(id).children().start + place;
        let end = line.iter().fold(Tree::ROOT, step);
        let (node, position) = (self.tree.node(end), &self.positions[end as usize]);
        // a game that fails here has no such move to show
        if !node.is_terminal() || self.game.outcome(position).ok()?.is_some() {
            return None;
        }
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves).ok()?;
        let wins = |mv: &G::Move| {
            let next = self.game.play(position, mv).and_then(|next| self.game.outcome(&next));
            next.is_ok_and(|outcome| outcome == Some(node.value))
        };
        moves.iter().position(wins).map(|place| place as u32)
    }

    /// The moves that lead from the root to the end of the path.
    fn line_to(&self, leaf: NodeId) -> Vec<String> {
        debug_assert_eq!(self.path.last(), Some(&leaf));
        let places = self.tree.places(&self.path);
        let name = |(&id, place): (&NodeId, u32)| {
            let position = &self.positions[id as usize];
            let mut moves = Vec::new();
            // a game that fails may fail again
            match (self.game.moves(position, &mut moves), moves.get(place as usize)) {
                (Ok(()), Some(mv)) => self.game.move_name(position, mv),
                _ => format!("[{place}]"),
            }
        };
        self.path.iter().zip(places).map(name).collect()
    }
}

impl<G: Game, R: GrowthRule> Search for Growth<G, R> {
    fn run(&mut self, budget: &Budget, control: &mut dyn Control) -> Result<(), Error> {
        let mut meter = Meter::start(budget, self.counts, control);
        let end = self.grow(&mut meter);
        if let Err(Halt::Failed(_)) = end {
            // the rule may have failed half-way: the values at least are whole
            for &id in self.path.iter().rev() {
                self.tree.back_up_inner(id);
            }
        }
        self.rule.settle(&mut self.tree, &self.path);
        self.counts = meter.finish();
        (self.status, self.limit) = ending(end)?;
        if self.tree.root().is_solved() && self.status == Status::Budget {
            (self.status, self.limit) = (Status::Proven, None);
        }
        Ok(())
    }

    fn report(&self) -> Report {
        let proven = self.status == Status::Proven;
        let mut line = self.tree.principal_line(proven, |id| self.rule.answer(&self.tree, id));
        if line.is_empty() {
            line.push(0); // nothing expanded yet: any legal move is better than none
        } else if self.rule.foresees() || self.rule.leaves() == Leaves::Aligned {
            line.extend(self.foreseen(&line));
        }
        Report {
            status: self.status,
            limit: self.limit,
            best: line[0],
            value: self.rule.value(&self.tree).unwrap_or(self.tree.root().value),
            won: self.rule.won(&self.tree, Tree::ROOT),
            line,
            counts: self.counts,
            bytes_per_node: Some(self.bytes() as f64 / self.tree.len() as f64),
            iterations: Vec::new(),
        }
    }

    fn replies(
        &mut self,
        line: &[u32],
        _: &Budget,
        _: &mut dyn Control,
    ) -> Result<Vec<u32>, Error> {
        let mut id = Tree::ROOT;
        for place in line {
            match self.tree.node(id).children().nth(*place as usize) {
                Some(child) => id = child,
                None => return Ok(Vec::new()),
            }
        }
        if self.sizes.0 != self.tree.expansions() {
            self.sizes = (self.tree.expansions(), self.tree.subtree_sizes());
        }
        let Growth { tree, rule, sizes: (_, sizes), .. } = self;
        let node = tree.node(id);
        let won = rule.won(tree, id);
        let wins = won == Some(node.max_to_move());
        let good = |child: &NodeId| {
            if node.is_solved() {
                tree.node(*child).is_solved() && tree.node(*child).value == node.value
            } else if wins {
                rule.won(tree, *child) == won
            } else {
                won.is_some()
            }
        };
        let mut places: Vec<NodeId> = node.children().filter(good).collect();
        if wins {
            places.sort_by_key(|&child| sizes[child as usize]);
        } else {
            places.sort_by_key(|&child| Reverse(sizes[child as usize]));
        }
        Ok(places.iter().map(|child| child - node.children().start).collect())
    }

    fn tree(&self) -> Option<&Tree> {
        Some(&self.tree)
    }

    fn numbers(&self, path: &[NodeId]) -> Vec<(&'static str, Number)> {
        self.rule.numbers(&self.tree, path)
    }

    fn leaf_delta(&self) -> Option<f64> {
        self.rule.leaf_delta()
    }

    fn key(&self, id: NodeId) -> Option<u64> {
        self.sharing.as_ref()?;
        self.game.key(self.positions.get(id as usize)?).ok()?
    }

    fn trace(&self) -> Option<&Trace> {
        self.trace.as_ref()
    }

    fn saved(&self) -> Option<Saved> {
        Some(self.save())
    }

    fn saved_below(&self, place: u32) -> Option<Saved> {
        self.save_below(place)
    }

    fn check(&self) -> Result<(), String> {
        if self.positions.len() != self.tree.len() {
            return Err(format!("{} positions, {} nodes", self.positions.len(), self.tree.len()));
        }
        self.tree.check().map_err(|mismatch| mismatch.to_string())?;
        self.rule.check(&self.tree)
    }
}

/// The relative errors of all moves of a tree that is given as a whole, by the nodes they lead to.
fn relative_errors<G: Game>(
    game: &G,
    tree: &Tree,
    positions: &[G::Position],
) -> Result<Vec<Units>, Error> {
    let mut errors = vec![0];
    let mut moves = Vec::new();
    for (id, position) in (0..).zip(positions).filter(|(id, _)| !tree.node(*id).is_leaf()) {
        let node = tree.node(id);
        let child = |id: NodeId| {
            let node = tree.node(id);
            let position = positions[id as usize].clone();
            Child { position, value: node.value, terminal: node.is_terminal() }
        };
        let children: Vec<_> = node.children().map(child).collect();
        moves.clear();
        game.moves(position, &mut moves)?;
        game.relative_errors(position, &moves, &children, &mut errors)?;
    }
    Ok(errors)
}
