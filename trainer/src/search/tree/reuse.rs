//! Going on in the part of a tree that the game took.

use damma_env::Action;

use super::{NONE, Tree};

impl Tree {
    /// Moves the root behind an action and drops what was not played; forgets everything, and says
    /// `false`, where the search had not looked that far.
    ///
    /// The new root stands at the next choice, behind actions without one.
    pub fn follow(&mut self, action: Action, spare: &mut Self) -> bool {
        spare.clear();
        let edges = if self.nodes.is_empty() { &[] } else { self.edges(0) };
        let child = edges.iter().find(|edge| edge.action == action).map_or(NONE, |edge| edge.child);
        if child != NONE {
            self.copy(child, spare);
        }
        std::mem::swap(self, spare);
        !self.nodes.is_empty()
    }

    /// Copies a node and all below it, the nearest to the root first.
    fn copy(&self, from: u32, to: &mut Self) {
        let mut queue = vec![from];
        let mut next = 0;
        while let Some(&old) = queue.get(next) {
            next += 1;
            let node = self.nodes[old as usize];
            let way = &self.ways[node.way as usize..][..usize::from(node.way_length)];
            let first = to.edges.len();
            to.edges.extend_from_slice(self.edges(old));
            for edge in to.edges[first..].iter_mut().filter(|edge| edge.child != NONE) {
                queue.push(edge.child);
                edge.child = queue.len() as u32 - 1;
            }
            to.nodes.push(super::Node { edges: first as u32, way: to.ways.len() as u32, ..node });
            to.ways.extend_from_slice(way);
        }
    }
}
