//! Which edge of a node a simulation goes down.

use smallvec::SmallVec;

use super::{Edge, Node, Tree, edge_range};
use crate::search::{Algorithm, SearchConfig, softmax};

/// A number for each edge of a node; few nodes have so many that it needs the heap.
pub(super) type Row = SmallVec<[f32; 32]>;

impl Tree {
    /// Chooses an edge of a node that is not proved.
    pub(super) fn select(&self, config: &SearchConfig, node: u32) -> u32 {
        let current = &self.nodes[node as usize];
        let edges = &self.edges[edge_range(current)];
        let place = match config.algorithm {
            Algorithm::Puct => {
                let forces = node == 0 && self.explores && config.forced_playouts > 0.0;
                puct(config, current, edges, node == 0, forces)
            }
            Algorithm::Gumbel if node == 0 => self.gumbel.next(config, current, edges),
            Algorithm::Gumbel => improved_choice(config, current, edges),
        };
        current.edges + place as u32
    }
}

/// Applies PUCT (Rosin 2011; Silver et al. 2018) with first-play urgency.
fn puct(config: &SearchConfig, node: &Node, edges: &[Edge], is_root: bool, forces: bool) -> usize {
    let visits = node.value.count() as f32;
    if forces {
        // KataGo (Wu 2019): what noise brought up is looked at, or the noise would be for nothing.
        let short = |edge: &Edge| {
            let count = edge.value.count() as f32;
            count > 0.0 && edge.proof.is_none() && count < (config.forced_playouts * edge.prior * visits).sqrt()
        };
        if let Some(place) = edges.iter().position(short) {
            return place;
        }
    }
    let tried: f32 = edges.iter().filter(|edge| edge.value.count() > 0).map(|edge| edge.prior).sum();
    let reduction = if is_root { 0.0 } else { config.fpu_reduction * tried.sqrt() };
    let unvisited = node.value.mean().for_side(node.side) - reduction;
    let explore = exploration(config, visits);
    let score = |edge: &Edge| {
        let count = edge.value.count();
        let value = match edge.proof {
            // A proved loss is never worth a visit while there is anything else.
            Some(proof) if proof.is_lost(node.side) => return f32::MIN,
            None if count == 0 => unvisited,
            _ => edge.worth(node.side),
        };
        value + explore * edge.prior / (1.0 + count as f32)
    };
    highest(edges.iter().map(score))
}

/// Weight of the priors at a node with so many visits, the root of the visits in it.
pub(super) fn exploration(config: &SearchConfig, visits: f32) -> f32 {
    (config.c_puct + ((visits + config.c_base) / config.c_base).ln()) * visits.sqrt()
}

/// Follows the improved policy as closely as whole visits allow (Danihelka et al. 2022, section 5).
pub(super) fn improved_choice(config: &SearchConfig, node: &Node, edges: &[Edge]) -> usize {
    let total: u32 = edges.iter().map(|edge| edge.value.count()).sum();
    let policy = improved_policy(config, node, edges);
    let score = |(edge, share): (&Edge, f32)| {
        if edge.is_lost(node.side) { f32::MIN } else { share - edge.value.count() as f32 / (1.0 + total as f32) }
    };
    highest(edges.iter().zip(policy).map(score))
}

/// Gives the policy that the values found so far improve the priors to.
pub(super) fn improved_policy(config: &SearchConfig, node: &Node, edges: &[Edge]) -> Row {
    let mut policy = improved_logits(config, node, edges);
    softmax(&mut policy);
    policy
}

/// Gives the logits of the priors, each with the advantage that its value gives.
///
/// A value is that of the search where the action was tried, and elsewhere a mixture of the node's
/// evaluation and of the values that were found (equations 10 and 33). Values are not stretched to
/// the range found: where all actions draw that would make something of nothing. What is proved lost has no
/// chance at all; a node that is not proved has something else.
pub(super) fn improved_logits(config: &SearchConfig, node: &Node, edges: &[Edge]) -> Row {
    let value = |edge: &Edge| (edge.proof.is_some() || edge.value.count() > 0).then(|| edge.worth(node.side));
    let (mut total, mut prior, mut weighted, mut most) = (0, 0.0, 0.0, 0);
    for edge in edges {
        let count = edge.value.count();
        if let (Some(value), true) = (value(edge), count > 0) {
            total += count;
            prior += edge.prior;
            weighted += edge.prior * value;
            most = most.max(count);
        }
    }
    let first = node.first.for_side(node.side);
    let found = if prior > 0.0 { weighted / prior } else { first };
    let untried = (first + total as f32 * found) / (1.0 + total as f32);
    // The paper's values lie between 0 and 1, these between -1 and 1.
    let scale = 0.5 * (config.gumbel_visits + most as f32) * config.gumbel_scale;
    let logit = |edge: &Edge| {
        if edge.is_lost(node.side) {
            return f32::NEG_INFINITY;
        }
        edge.prior.max(1e-20).ln() + scale * value(edge).unwrap_or(untried)
    };
    edges.iter().map(logit).collect()
}

/// Gives the place of the highest score, the first among equals.
pub(super) fn highest(scores: impl Iterator<Item = f32>) -> usize {
    let mut best = (f32::NEG_INFINITY, 0);
    for (place, score) in scores.enumerate() {
        if score > best.0 {
            best = (score, place);
        }
    }
    best.1
}
