//! The order in which children are searched: the table's move, then by static values.

use crate::game::Child;
use crate::tree::{rank, Rank};

/// A family's children in the order to search them: best first for the player to move, equals in the
/// game's order, the table's move before all.
#[derive(Default)]
pub(super) struct Order {
    /// What remains, the least first; small families are not sorted but selected from, because most
    /// nodes need only their first child.
    ranks: Vec<Rank>,
    sorted: Vec<u16>,
    next: usize,
}

impl Order {
    const SMALL: usize = 16;
    const TAKEN: Rank = Rank::MAX;

    pub(super) fn set<P>(&mut self, children: &[Child<P>], max: bool, first: Option<u16>) {
        self.next = 0;
        self.ranks.clear();
        for child in children {
            let rank = rank(child.value + 0.0);
            self.ranks.push(if max { !rank } else { rank });
        }
        if let Some(rank) = first.and_then(|place| self.ranks.get_mut(usize::from(place))) {
            *rank = Rank::MIN;
        }
        if self.ranks.len() > Order::SMALL {
            self.sorted.clear();
            self.sorted.extend(0..self.ranks.len() as u16);
            self.sorted.sort_by_key(|&place| self.ranks[usize::from(place)]);
        }
    }

    /// The next child's place.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<u16> {
        if self.ranks.len() > Order::SMALL {
            self.next += 1;
            return self.sorted.get(self.next - 1).copied();
        }
        let (mut least, mut place) = (Order::TAKEN, None);
        for (at, &rank) in self.ranks.iter().enumerate() {
            place = if rank < least { Some(at as u16) } else { place };
            least = least.min(rank);
        }
        if let Some(place) = place {
            self.ranks[usize::from(place)] = Order::TAKEN;
        }
        place
    }
}
