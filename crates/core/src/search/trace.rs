//! The order in which leaves were expanded.

/// One path of places among siblings per expansion, `[]` for the root, kept in one flat list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    places: Vec<u32>,
    ends: Vec<usize>,
}

impl Trace {
    pub(crate) fn push(&mut self, path: impl IntoIterator<Item = u32>) {
        self.places.extend(path);
        self.ends.push(self.places.len());
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> usize {
        self.places.len() * size_of::<u32>() + self.ends.len() * size_of::<usize>()
    }

    /// Bytes that a path of this many nodes takes.
    pub(crate) fn bytes_for(nodes: usize) -> usize {
        nodes.saturating_sub(1) * size_of::<u32>() + size_of::<usize>()
    }

    /// The recorded paths in order.
    pub fn paths(&self) -> impl Iterator<Item = &[u32]> {
        let begins = std::iter::once(0).chain(self.ends.iter().copied());
        begins.zip(&self.ends).map(|(begin, &end)| &self.places[begin..end])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_come_back_in_order() {
        let mut trace = Trace::default();
        for path in [vec![], vec![1], vec![1, 0], vec![0]] {
            trace.push(path);
        }
        let back: Vec<_> = trace.paths().collect();
        assert_eq!(back, [&[] as &[u32], &[1], &[1, 0], &[0]]);
    }
}
