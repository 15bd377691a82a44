//! The one growing loop: choose a leaf, expand it, back up, check the budget.

use super::batch::Trial;
use super::budget::{ending, evaluator_share, Halt, Meter};
use super::sharing::Sharing;
use super::{Budget, Control, Counts, Limit, Report, Search, Trace};
use crate::error::Error;
use crate::expander::{Allowance, Expander, Family, Refusal};
use crate::growth::{GrowthRule, Number, RuleNeeds, Status};
use crate::leaves::Leaves;
use crate::numbers::distributions::Certainty;
use crate::scores::Units;
use crate::spare::guarded;
use crate::tree::{Node, NodeId, Path, Tree};
use std::cmp::Reverse;
use std::collections::VecDeque;

/// A tree, the positions of its nodes, and the rule that makes it grow.
pub struct Growth<R: GrowthRule + ?Sized> {
    pub(super) expander: Box<dyn Expander>,
    pub(super) tree: Tree,
    pub(super) needs: RuleNeeds,
    pub(super) path: Path,
    pub(super) counts: Counts,
    pub(super) status: Status,
    pub(super) limit: Option<Limit>,
    pub(super) trace: Option<Trace>,
    pub(super) sharing: Option<Sharing>,
    pub(super) family: Family,
    /// How many leaves are under way at the same time, and the paths to them.
    pub(super) batch: usize,
    pub(super) underway: VecDeque<Path>,
    /// Whether several threads make families, and what is still to be seen before they do.
    pub(super) flows: bool,
    pub(super) trial: Option<Trial>,
    /// How far the leaves' values can be trusted.
    pub(super) certainty: Option<Certainty>,
    /// How likely the chosen move must be a best one, and after which expansion to look whether it is.
    pub(super) sure: Option<f64>,
    pub(super) look_at: u64,
    /// What an expansion costs, in parts of the range of outcomes.
    pub(super) cost: Option<f64>,
    /// What the rule has been charged for besides.
    pub(super) traversed: u64,
    /// Ply of the deepest node.
    pub(super) deepest: usize,
    /// Up to how many nodes there is memory.
    pub(super) reserved: usize,
    /// Up to how many nodes there is room for certain, within the budget.
    pub(super) roomy: usize,
    /// The sizes of all subtrees after so many expansions, for [`Search::replies`].
    sizes: (u64, Vec<u64>),
    pub(super) rule: Box<R>,
}

impl<R: GrowthRule + ?Sized> Growth<R> {
    /// A tree of one node: the expander's root, which must not be over, with its static value.
    pub fn new(
        mut expander: Box<dyn Expander>,
        rule: Box<R>,
        record: bool,
    ) -> Result<Growth<R>, Error> {
        let needs = rule.needs();
        let root = expander.root(&needs.leaves)?;
        let root = Node::leaf(root.value, root.max_to_move, false);
        let tree = Tree::new(root, expander.value_range());
        let mut growth = Growth::with(expander, tree, rule);
        growth.set_bounds()?;
        growth.compute(&[])?;
        growth.trace = record.then(Trace::default);
        Ok(growth)
    }

    /// A tree that is already there, of whose nodes the expander has the positions. All numbers are computed.
    pub fn from_tree(
        mut expander: Box<dyn Expander>,
        mut tree: Tree,
        mut rule: Box<R>,
    ) -> Result<Growth<R>, Error> {
        rule.keep_all();
        if rule.needs().leaves.errors {
            let errors = errors_of(&mut *expander, &tree)?;
            tree.set_errors(errors);
        }
        let mut growth = Growth::with(expander, tree, rule);
        growth.sharing = None;
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
    pub(super) fn with(expander: Box<dyn Expander>, tree: Tree, rule: Box<R>) -> Growth<R> {
        let mut needs = rule.needs();
        needs.leaves.keys = needs.shares_positions;
        Growth {
            expander,
            tree,
            sharing: needs.shares_positions.then(Sharing::new),
            needs,
            rule,
            path: vec![Tree::ROOT],
            counts: Counts { nodes: 1, ..Counts::default() },
            status: Status::Budget,
            limit: None,
            trace: None,
            family: Family::default(),
            batch: 1,
            underway: VecDeque::new(),
            flows: false,
            trial: None,
            certainty: None,
            sure: None,
            look_at: u64::MAX,
            cost: None,
            traversed: 0,
            deepest: 0,
            reserved: 0,
            roomy: 0,
            sizes: (u64::MAX, Vec::new()),
        }
    }

    /// The loop. It ends with a status of the rule's, or with a halt.
    fn grow(&mut self, meter: &mut Meter) -> Result<Status, Halt> {
        if let Some(status) = self.try_out(meter)? {
            return Ok(status);
        }
        if self.batch > 1 || self.flows {
            return self.grow_in_batches(meter);
        }
        loop {
            if let Some(status) = self.step(meter)? {
                return Ok(status);
            }
        }
    }

    /// One leaf more.
    #[inline(always)]
    pub(super) fn step(&mut self, meter: &mut Meter) -> Result<Option<Status>, Halt> {
        if let Some(status) = self.rule.choose(&mut self.tree, &mut self.path)? {
            return Ok(Some(status));
        }
        self.expand(meter)?;
        match &mut self.sharing {
            None => self.rule.back_up(&mut self.tree, &mut self.path)?,
            Some(sharing) => {
                let leaf = self.path[self.path.len() - 1];
                let climbed = sharing.back_up(&mut self.tree, &mut *self.rule, leaf)?;
                self.path.truncate(self.path.len() - climbed);
            }
        }
        if self.is_sure_enough(meter) {
            return Ok(Some(Status::Decided));
        }
        if meter.is_due() {
            self.look(meter)?;
        }
        Ok(None)
    }

    /// Looks at the clock, with the root's value for whoever asks.
    pub(super) fn look(&mut self, meter: &mut Meter) -> Result<(), Halt> {
        let Growth { rule, tree, path, .. } = self;
        meter.look(|| {
            rule.settle(tree, path);
            tree.root().value
        })
    }

    /// Expands the leaf at the end of the path, or leaves everything as it was.
    #[inline]
    pub(super) fn expand(&mut self, meter: &mut Meter) -> Result<(), Halt> {
        let leaf = self.path[self.path.len() - 1];
        let walk = self.walk();
        meter.afford(1, 1, 1 + walk)?;
        let most = self.room(meter)?;
        let allowance = meter.allowance(most, walk);
        let (path, needs) = (&self.path[..], &self.needs.leaves);
        let watch = &mut || meter.goes_on();
        if let Err(refusal) = self.expander.expand(path, needs, allowance, watch, &mut self.family)
        {
            return Err(self.refused(refusal, meter));
        }
        if let Some(trace) = &mut self.trace {
            trace.push(self.tree.places(&self.path));
        }
        let added = self.family.leaves.len();
        self.tree.grow(leaf, &self.family);
        meter.counts.expansions += 1;
        meter.counts.nodes += added as u64;
        meter.counts.move_calls += added as u64 + self.family.looked + walk;
        self.charge(meter, added);
        self.deepest = self.deepest.max(self.path.len());
        meter.counts.depth = self.deepest as u32;
        if let Some(sharing) = &mut self.sharing {
            sharing.add(&mut self.tree, leaf, self.path.len(), &self.family.keys);
        }
        self.rule.initialise(&mut self.tree, Some(leaf))?;
        Ok(())
    }

    /// Why there is no expansion: in terms of the budget, or with the line to the leaf.
    #[cold]
    pub(super) fn refused(&self, refusal: Refusal, meter: &mut Meter) -> Halt {
        match refusal {
            Refusal::TooLarge(nodes, calls) => {
                let afford = meter.afford(1, nodes, calls + self.walk());
                afford.err().unwrap_or(Halt::Spent(Limit::Memory))
            }
            Refusal::NoMemory => Halt::Spent(Limit::Memory),
            Refusal::Stopped => meter.stopped(),
            Refusal::Failed(source) => match *source {
                Error::Interrupted => Halt::Interrupted,
                source => Halt::Failed(Box::new(Error::Line {
                    line: self.line_to_end(),
                    source: Box::new(source),
                })),
            },
        }
    }

    /// Calls of `play` on the way to the leaf at the end of the path, if the rule pays for them.
    #[inline]
    fn walk(&self) -> u64 {
        if self.needs.walks_down {
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
            meter.charge(traversed, added as u64 + self.family.looked);
        }
    }

    /// The moves that lead from the root to the end of the path.
    fn line_to_end(&self) -> Vec<String> {
        let step = |step: &[NodeId]| {
            let first = self.tree.node(step[0]).children().start;
            self.expander.move_name(step[0], self.tree.place(step[1], first))
        };
        self.path.windows(2).map(step).collect()
    }

    /// Asks the evaluator what it knows of open leaves beyond their values.
    pub(super) fn set_bounds(&mut self) -> Result<(), Error> {
        let needs = &self.needs.leaves;
        let plain = needs.leaves == Leaves::Static && self.expander.wants_values(needs);
        if !(needs.bounds && plain && self.expander.gives_bounds()) {
            return Ok(());
        }
        for path in self.tree.open_paths() {
            let id = path[path.len() - 1];
            if let Some(bounds) = self.expander.bounds(&path)? {
                bounds.check(self.tree.node(id).value)?;
                self.tree.set_leaf_bounds(id, &bounds);
            }
        }
        Ok(())
    }

    /// Computes values and numbers from the leaves, which were expanded in this order.
    pub(super) fn compute(&mut self, expanded: &[NodeId]) -> Result<(), Error> {
        let Growth { tree, rule, sharing, .. } = self;
        rule.initialise(tree, None)?;
        for &id in expanded {
            rule.initialise(tree, Some(id))?;
        }
        match sharing {
            Some(sharing) => sharing.compute(tree, &mut **rule),
            None => {
                for id in tree.bottom_up() {
                    tree.back_up(id);
                    rule.update(tree, id)?;
                }
                Ok(())
            }
        }
    }

    /// A proof holds as far as the evaluator's word does: what it leaves out or decides by guess proves nothing.
    fn honest(&self, status: Status) -> Status {
        let claimed = matches!(status, Status::Proven) || self.verdict().won.is_some();
        if claimed && !self.expander.is_sound() && !self.tree.is_certain() {
            return match status {
                Status::Proven | Status::Decided => Status::Converged,
                other => other,
            };
        }
        status
    }

    fn verdict(&self) -> crate::growth::Verdict {
        self.rule.verdict(&self.tree, Tree::ROOT)
    }
}

impl<R: GrowthRule + ?Sized> Search for Growth<R> {
    fn run(&mut self, budget: &Budget, control: &mut dyn Control) -> Result<(), Error> {
        let mut meter = Meter::start(budget, self.counts, control);
        (self.roomy, self.deepest) = (0, self.counts.depth as usize);
        self.expander.shrink(evaluator_share(budget));
        (self.sure, self.cost) = (budget.confidence, budget.cost);
        let looks = self.sure.is_some() || self.cost.is_some();
        self.look_at = if looks { 1 } else { u64::MAX };
        meter.tell(self.tree.root().value);
        let end = guarded(|| self.grow(&mut meter));
        self.give_up_batch();
        let end = end?;
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
        self.status = self.honest(self.status);
        Ok(())
    }

    fn report(&self) -> Report {
        let proven = self.status == Status::Proven;
        let answer = |id| self.rule.verdict(&self.tree, id).answer;
        let line = self.tree.principal_line(proven, answer);
        let mut places = self.tree.legal_places(&line);
        if line.is_empty() {
            places.push(0); // nothing expanded yet: any legal move is better than none
        } else if self.needs.leaves.foresight || self.needs.leaves.leaves == Leaves::Aligned {
            // a line that ends with a foreseen win has one move more
            let end = self.tree.node_at(&line).unwrap_or(Tree::ROOT);
            let node = self.tree.node(end);
            let wins = node.is_terminal().then(|| self.expander.winning_move(end, node.value));
            places.extend(wins.flatten());
        }
        let verdict = self.verdict();
        let won = verdict.won.filter(|_| self.expander.is_sound() || proven);
        Report {
            status: self.status,
            limit: self.limit,
            best: places[0],
            value: verdict.value.unwrap_or(self.tree.root().value),
            won,
            line: places,
            counts: self.counts,
            bytes_per_node: Some(self.bytes_with(0) as f64 / self.tree.len() as f64),
            iterations: Vec::new(),
        }
    }

    fn replies(
        &mut self,
        line: &[u32],
        _: &Budget,
        _: &mut dyn Control,
    ) -> Result<Vec<u32>, Error> {
        let Some(id) = self.tree.node_after(line) else { return Ok(Vec::new()) };
        if self.sizes.0 != self.tree.expansions() {
            self.sizes = (self.tree.expansions(), self.tree.subtree_sizes());
        }
        let Growth { tree, rule, sizes: (_, sizes), .. } = self;
        let node = tree.node(id);
        let won = rule.verdict(tree, id).won;
        let wins = won == Some(node.max_to_move());
        let good = |child: &NodeId| {
            if node.is_solved() {
                tree.keeps_value(id, *child)
            } else if wins {
                rule.verdict(tree, *child).won == won
            } else {
                won.is_some()
            }
        };
        let mut children: Vec<NodeId> = node.children().filter(good).collect();
        if wins {
            children.sort_by_key(|&child| sizes[child as usize]);
        } else {
            children.sort_by_key(|&child| Reverse(sizes[child as usize]));
        }
        let first = node.children().start;
        Ok(children.into_iter().map(|child| tree.place(child, first)).collect())
    }

    fn arrange(&mut self, batch: Option<usize>, threads: usize) -> Result<(), Error> {
        if threads > 1 || batch.is_some_and(|batch| batch > 1) {
            self.rule.can_hold()?;
        }
        self.expander.set_threads(threads)?;
        self.batch = batch.unwrap_or(1);
        self.flows = threads > 1 && batch.is_some();
        self.trial = (threads > 1 && batch.is_none()).then(|| Trial::new(threads));
        Ok(())
    }

    fn tree(&self) -> Option<&Tree> {
        Some(&self.tree)
    }

    fn numbers(&self, path: &[NodeId]) -> Vec<(&'static str, Number)> {
        self.rule.numbers(&self.tree, path)
    }

    fn leaf_delta(&self) -> Option<f64> {
        self.needs.leaf_delta
    }

    fn inform(&mut self, certainty: Certainty) {
        self.certainty = Some(certainty);
    }

    fn certainty(&self) -> Option<&Certainty> {
        self.certainty.as_ref()
    }

    fn probabilities(&self) -> Option<Vec<f64>> {
        let (certainty, family) = self.root_family()?;
        Some(certainty.best(&self.tree, &family))
    }

    fn gain(&self) -> Option<f64> {
        let (certainty, family) = self.root_family()?;
        Some(certainty.gain(&self.tree, &family))
    }

    fn leaves(&self) -> Option<&'static str> {
        Some(match (self.needs.leaves.leaves, self.needs.leaves.foresight) {
            (Leaves::Static | Leaves::Tempo(_), false) => "static",
            (Leaves::Static | Leaves::Tempo(_), true) => "foresight",
            (Leaves::Aligned, _) => "aligned",
            (Leaves::Inherited, _) => "inherited",
            (Leaves::Playouts { .. }, _) => "playouts",
        })
    }

    fn key(&self, id: NodeId) -> Option<u64> {
        self.sharing.as_ref()?;
        self.expander.key(id)
    }

    fn trace(&self) -> Option<&Trace> {
        self.trace.as_ref()
    }

    fn saved(&self) -> Option<super::Saved> {
        Some(self.save())
    }

    fn saved_below(&self, place: u32) -> Option<super::Saved> {
        self.save_below(place)
    }

    fn check(&self) -> Result<(), String> {
        if self.expander.nodes() != self.tree.len() {
            return Err(format!("{} positions, {} nodes", self.expander.nodes(), self.tree.len()));
        }
        self.tree.check().map_err(|mismatch| mismatch.to_string())?;
        self.rule.check(&self.tree)
    }
}

/// The relative errors of all moves of a tree that is given as a whole, by the nodes they lead to.
fn errors_of(expander: &mut dyn Expander, tree: &Tree) -> Result<Vec<Units>, Error> {
    let mut errors = vec![0];
    for path in tree.inner_paths() {
        let node = tree.node(path[path.len() - 1]);
        let children = tree.children(node).iter();
        let children: Vec<_> = children.map(|child| (child.value, child.is_terminal())).collect();
        expander.errors(&path, &children, &mut errors)?;
    }
    Ok(errors)
}

impl Meter<'_> {
    /// What an expansion may need, with so many nodes at the most, after so many steps down.
    #[inline]
    fn allowance(&self, most: u64, walk: u64) -> Allowance {
        let (nodes, calls) = self.left();
        Allowance { nodes: nodes.min(most), move_calls: calls - walk }
    }
}
