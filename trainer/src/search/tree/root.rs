//! The root: noise, what the search recommends, and what the network is to learn from it.

use damma_env::{Action, Side};
use rand::RngExt;
use rand_distr::{Distribution, Gamma, Gumbel as GumbelNoise};
use rand_pcg::Pcg64;

use super::select::{Row, exploration, highest, improved_choice, improved_logits, improved_policy};
use super::{Edge, Node, Proof, Tree, edge_range};
use crate::search::{Algorithm, SearchConfig};
use crate::value::Value;

/// A choice at the root and what the search found out about it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RootAction {
    /// The action.
    pub action: Action,
    /// How often it was tried.
    pub visits: u32,
    /// Its prior probability, after noise.
    pub prior: f32,
    /// Its value: what was proved, or else the average; an even game of nothing where it was not tried.
    pub value: Value,
    /// What it was proved to be worth, if it was.
    pub proof: Option<Proof>,
}

/// The weight that stands for a probability of 1.
const CERTAIN: f32 = 50_000.0;

/// The weight of a root action in what the policy is to learn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Target {
    /// The action.
    pub action: Action,
    /// Its weight, above 0; only ratios matter.
    pub weight: u16,
}

/// Sequential halving at the root (Danihelka et al. 2022): who is tried when, and the noise.
#[derive(Clone, Debug, Default)]
pub(super) struct Gumbel {
    /// Visits that the action tried next has so far, one entry for each simulation.
    schedule: Vec<u32>,
    noise: Vec<f32>,
}

impl Gumbel {
    pub(super) fn clear(&mut self) {
        self.schedule.clear();
        self.noise.clear();
    }

    /// Chooses the root edge that the next simulation tries; never one that is proved lost.
    pub(super) fn next(&self, config: &SearchConfig, node: &Node, edges: &[Edge]) -> usize {
        let made = node.value.count() as usize - 1;
        let Some(&wanted) = self.schedule.get(made) else { return improved_choice(config, node, edges) };
        let planned = edges.iter().any(|edge| edge.value.count() == wanted && !edge.is_lost(node.side));
        // Where losses were proved the plan has gaps; the best of the rest takes their simulations.
        if planned { self.best(config, node, edges, Some(wanted)) } else { self.winner(config, node, edges) }
    }

    /// Chooses the best of the most tried actions that are not proved lost.
    fn winner(&self, config: &SearchConfig, node: &Node, edges: &[Edge]) -> usize {
        let open = edges.iter().filter(|edge| !edge.is_lost(node.side));
        self.best(config, node, edges, open.map(|edge| edge.value.count()).max())
    }

    /// Chooses the best action of so many visits that is not proved lost.
    fn best(&self, config: &SearchConfig, node: &Node, edges: &[Edge], visits: Option<u32>) -> usize {
        let scores = self.scores(config, node, edges);
        highest(edges.iter().zip(scores).map(|(edge, score)| {
            let fits = Some(edge.value.count()) == visits && !edge.is_lost(node.side);
            if fits { score } else { f32::NEG_INFINITY }
        }))
    }

    fn scores(&self, config: &SearchConfig, node: &Node, edges: &[Edge]) -> Row {
        let mut scores = improved_logits(config, node, edges);
        scores.iter_mut().zip(&self.noise).for_each(|(score, noise)| *score += noise);
        scores
    }
}

/// Lists for each simulation how often the action that it tries was tried before.
fn schedule(considered: usize, simulations: usize) -> Vec<u32> {
    let rounds = considered.max(2).next_power_of_two().ilog2() as usize;
    let mut visits = vec![0; considered];
    let mut left = considered;
    let mut schedule = Vec::with_capacity(simulations);
    while schedule.len() < simulations {
        for _ in 0..(simulations / (rounds * left)).max(1) {
            schedule.extend_from_slice(&visits[..left]);
            visits[..left].iter_mut().for_each(|visits| *visits += 1);
        }
        left = (left / 2).max(considered.min(2));
    }
    schedule.truncate(simulations);
    schedule
}

impl Tree {
    /// Prepares a root that was evaluated for `simulations` more simulations; with a stream of
    /// random numbers, the search explores for the sake of learning.
    pub fn prepare_root(&mut self, config: &SearchConfig, simulations: u32, rng: Option<&mut Pcg64>) {
        let Some(root) = self.nodes.first() else { return };
        let range = edge_range(root);
        self.explores = rng.is_some();
        self.root_priors.clear();
        self.root_priors.extend(self.edges[range.clone()].iter().map(|edge| edge.prior));
        match config.algorithm {
            Algorithm::Puct => {
                if let Some(rng) = rng {
                    add_noise(&mut self.edges[range], config, rng);
                }
            }
            Algorithm::Gumbel => {
                let considered = range.len().min(config.gumbel_actions as usize);
                self.gumbel.schedule = schedule(considered, simulations as usize);
                let noise = GumbelNoise::new(0.0, 1.0).expect("a scale of 1 is valid");
                self.gumbel.noise = match rng {
                    Some(rng) => range.map(|_| noise.sample(rng)).collect(),
                    None => vec![0.0; range.len()],
                };
            }
        }
    }

    /// Lists the choices at the root, in ascending order of actions.
    pub fn root_actions(&self) -> impl Iterator<Item = RootAction> + '_ {
        let range = self.nodes.first().map_or(0..0, edge_range);
        self.edges[range].iter().map(|edge| RootAction {
            action: edge.action,
            visits: edge.value.count(),
            prior: edge.prior,
            value: edge.proof.map_or(edge.value.mean(), Proof::value),
            proof: edge.proof,
        })
    }

    /// Lists the choices at the root, best first: by what was proved where the root is, or else by visits,
    /// with what is proved lost at the end.
    #[must_use]
    pub fn ranked_actions(&self) -> Vec<RootAction> {
        let Some(root) = self.nodes.first() else { return Vec::new() };
        let is_proved = root.proof.is_some();
        let rank = |choice: &RootAction| match choice.proof {
            Some(proof) if is_proved => proof.rank(root.side),
            Some(proof) if proof.is_lost(root.side) => -1,
            _ => 0,
        };
        let mut choices: Vec<RootAction> = self.root_actions().collect();
        // Stable, so that ties go to the lower number.
        choices.sort_by(|a, b| (rank(b), b.visits).cmp(&(rank(a), a.visits)).then(b.prior.total_cmp(&a.prior)));
        choices
    }

    /// Gives the line of play that the search expects after a root action: that action, what has to follow it,
    /// and so on by visits, as far as the tree goes.
    #[must_use]
    pub fn line(&self, first: Action) -> Vec<Action> {
        let mut line = Vec::new();
        let mut edge = self.nodes.first().and_then(|_| self.edges(0).iter().find(|edge| edge.action == first));
        while let Some(taken) = edge {
            line.push(taken.action);
            let Some(node) = self.nodes.get(taken.child as usize) else { break };
            line.extend_from_slice(&self.ways[node.way as usize..][..usize::from(node.way_length)]);
            let rank = |edge: &Edge| (edge.proof.map_or(0, |proof| proof.for_side(node.side)), edge.value.count());
            let tried =
                self.edges[edge_range(node)].iter().filter(|edge| edge.value.count() > 0 || edge.proof.is_some());
            edge = tried.reduce(|best, next| if rank(next) > rank(best) { next } else { best });
        }
        line
    }

    /// Chooses a root action: by visits to the power of 1 / `temperature`, or the best at 0.
    ///
    /// What is proved best is played, and what is proved lost only if all is. At 0 ties go to the
    /// better value, then to the lower number. Gumbel searches draw by their own noise instead.
    #[must_use]
    pub fn choose(&self, config: &SearchConfig, temperature: f32, rng: &mut Pcg64) -> Option<Action> {
        let root = self.nodes.first()?;
        let side = root.side;
        if root.proof.is_some() {
            let proved = self.root_actions().filter_map(|choice| Some((choice.proof?.rank(side), choice.action)));
            return proved.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, action)| action);
        }
        if config.algorithm == Algorithm::Gumbel {
            return Some(self.edges(0)[self.gumbel.winner(config, root, self.edges(0))].action);
        }
        let open = || self.root_actions().filter(|choice| choice.proof.is_none_or(|proof| !proof.is_lost(side)));
        if temperature > 0.0 {
            let most = open().map(|choice| choice.visits).max()?.max(1) as f32;
            let weight = |choice: &RootAction| (choice.visits as f32 / most).powf(1.0 / temperature);
            let total: f32 = open().map(|choice| weight(&choice)).sum();
            let mut at = rng.random::<f32>() * total;
            for choice in open() {
                at -= weight(&choice);
                if at < 0.0 {
                    return Some(choice.action);
                }
            }
        }
        let rank = |choice: &RootAction| (choice.visits, choice.value.for_side(side));
        open().reduce(|best, next| if rank(&next) > rank(&best) { next } else { best }).map(|choice| choice.action)
    }

    /// Lists what the policy is to learn from this search.
    #[must_use]
    pub fn targets(&self, config: &SearchConfig) -> Vec<Target> {
        let Some(root) = self.nodes.first() else { return Vec::new() };
        let edges = self.edges(0);
        let best = root.proof.map(|proof| proof.for_side(root.side));
        let weights: Vec<f32> = match (best, config.algorithm) {
            // Only what keeps the proved result, each as often as it was tried.
            (Some(best), _) => edges.iter().map(|edge| kept(edge, root.side, best)).collect(),
            (None, Algorithm::Gumbel) => {
                improved_policy(config, root, edges).into_iter().map(|share| share * CERTAIN).collect()
            }
            (None, Algorithm::Puct) => pruned(config, root, edges),
        };
        let targets = edges.iter().zip(weights);
        targets
            .map(|(edge, weight)| Target { action: edge.action, weight: weight.round().min(65_535.0) as u16 })
            .filter(|target| target.weight > 0)
            .collect()
    }

    /// Says how far targets are from what the network said of the root, before noise: the Kullback-Leibler
    /// divergence in nats, 0 and more.
    #[must_use]
    pub fn surprise(&self, targets: &[Target]) -> f32 {
        let total: f32 = targets.iter().map(|target| f32::from(target.weight)).sum();
        let term = |(action, prior): (RootAction, &f32)| {
            let target = targets.iter().find(|target| target.action == action.action)?;
            let share = f32::from(target.weight) / total;
            Some(share * (share / prior.max(f32::MIN_POSITIVE)).ln())
        };
        self.root_actions().zip(&self.root_priors).filter_map(term).sum::<f32>().max(0.0)
    }
}

/// Gives the weight of an edge at a root that is proved: none unless it keeps the result.
fn kept(edge: &Edge, side: Side, best: i8) -> f32 {
    match edge.proof {
        Some(proof) if proof.for_side(side) == best => edge.value.count().max(1) as f32,
        _ => 0.0,
    }
}

/// Gives the visits without those that were only forced, none where a loss is proved, and one at least to the
/// most tried action.
fn pruned(config: &SearchConfig, root: &Node, edges: &[Edge]) -> Vec<f32> {
    let visits = root.value.count() as f32;
    let explore = exploration(config, visits);
    let tried = |edge: &Edge| if edge.is_lost(root.side) { -1.0 } else { edge.value.count() as f32 };
    let most = highest(edges.iter().map(tried));
    let bar = edges[most].worth(root.side) + explore * edges[most].prior / (1.0 + tried(&edges[most]));
    let weight = |(place, edge): (usize, &Edge)| {
        let count = tried(edge).max(0.0);
        if place == most {
            return count.max(1.0);
        }
        if count == 0.0 || config.forced_playouts <= 0.0 {
            return count;
        }
        let forced = (config.forced_playouts * edge.prior * visits).sqrt().floor();
        // The fewest visits at which PUCT would not have gone there once more.
        let wanted = (explore * edge.prior / (bar - edge.worth(root.side)).max(1e-6) - 1.0).ceil();
        let kept = (count - forced).max(wanted.min(count)).max(0.0);
        if kept <= 1.0 { 0.0 } else { kept }
    };
    edges.iter().enumerate().map(weight).collect()
}

/// Flattens root priors and mixes Dirichlet noise into them.
fn add_noise(edges: &mut [Edge], config: &SearchConfig, rng: &mut Pcg64) {
    let alpha = config.noise_total / edges.len() as f32;
    let gamma = Gamma::new(f64::from(alpha), 1.0).expect("alpha is above 0 in a valid config");
    let noise: Vec<f32> = edges.iter().map(|_| gamma.sample(rng) as f32).collect();
    let total: f32 = noise.iter().sum();
    let flat: Vec<f32> = edges.iter().map(|edge| edge.prior.max(1e-8).powf(1.0 / config.root_temperature)).collect();
    let flat_total: f32 = flat.iter().sum();
    for ((edge, noise), flat) in edges.iter_mut().zip(noise).zip(flat) {
        let share = if total > 0.0 { config.noise_share } else { 0.0 };
        let noise = if total > 0.0 { noise / total } else { 0.0 };
        edge.prior = (1.0 - share) * flat / flat_total + share * noise;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halving_spends_every_simulation_and_ends_with_two() {
        // The published example: 16 actions, 32 simulations.
        let plan = schedule(16, 32);
        assert_eq!(plan.len(), 32);
        assert_eq!(&plan[..16], &[0; 16]);
        assert_eq!(&plan[16..24], &[1; 8]);
        assert_eq!(&plan[24..32], &[2, 2, 2, 2, 3, 3, 3, 3]);
        assert_eq!(schedule(1, 4), [0, 1, 2, 3]);
        assert_eq!(schedule(5, 3), [0; 3]);
    }
}
