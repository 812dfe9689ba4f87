//! One search tree, in flat arrays.
//!
//! A node is a state in which the decider has a choice, or the end of a game; actions without a
//! choice are played on the way and cost no evaluation. The tree knows no batches and no network.

use damma_env::{Action, EndgameTables, Game, Mark, Side, State};
use rand::RngExt;
use rand_distr::{Distribution, Gamma};
use rand_pcg::Pcg64;

use super::SearchConfig;
use crate::value::{Value, ValueSum};

const NONE: u32 = u32::MAX;

/// A choice at the root and what the search found out about it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RootAction {
    /// The action.
    pub action: Action,
    /// How often it was tried.
    pub visits: u32,
    /// Its prior probability, after noise.
    pub prior: f32,
    /// Its average value; an even game of nothing where it was not tried.
    pub value: Value,
}

/// What a descent came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Descent {
    /// A leaf that needs an evaluation; the state stands there until [`Tree::expand`].
    Leaf,
    /// The end of a game, or a value that is known; it is already counted and the state is back at
    /// the root.
    Ended,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    edges: u32,
    count: u16,
    side: Side,
    value: ValueSum,
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    prior: f32,
    value: ValueSum,
    child: u32,
    action: Action,
}

/// A search tree for one decision.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// Edges from the root to the leaf of the descent in hand.
    path: Vec<u32>,
    root: Option<Mark>,
    legal: Vec<Action>,
    priors: Vec<f32>,
}

impl Tree {
    /// Forgets everything, keeping the memory.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.path.clear();
        self.root = None;
    }

    /// Counts the simulations that came back, the evaluation of the root among them.
    #[must_use]
    pub fn simulations(&self) -> u32 {
        self.nodes.first().map_or(0, |root| root.value.count())
    }

    /// Gives the average value of all simulations.
    #[must_use]
    pub fn value(&self) -> Value {
        self.nodes.first().map_or_else(Value::default, |root| root.value.mean())
    }

    /// Lists the choices at the root, in ascending order of actions.
    pub fn root_actions(&self) -> impl Iterator<Item = RootAction> + '_ {
        let range = self.nodes.first().map_or(0..0, edge_range);
        self.edges[range].iter().map(|edge| RootAction {
            action: edge.action,
            visits: edge.value.count(),
            prior: edge.prior,
            value: edge.value.mean(),
        })
    }

    /// Walks from the root to a leaf or to the end of a game.
    ///
    /// `state` is the root's and must have a choice; after [`Descent::Leaf`] it is the leaf's. A
    /// position that `tables` know is an end like any other.
    pub fn descend(
        &mut self,
        config: &SearchConfig,
        game: &Game,
        tables: Option<&EndgameTables>,
        state: &mut State,
    ) -> Descent {
        self.root = Some(state.mark());
        self.path.clear();
        let mut node = 0;
        while let Some(current) = self.nodes.get(node).copied() {
            let chosen = self.select(config, &current, node == 0);
            self.path.push(chosen as u32);
            state.play(game, self.edges[chosen].action);
            play_forced(game, state, &mut self.legal);
            let known = || Some((state.position().side(), tables?.probe_in(game, state)?));
            let end = state.outcome().map(Value::from_outcome).or_else(|| {
                let (side, value) = known()?;
                Some(Value::from_endgame(side, value))
            });
            if let Some(value) = end {
                self.back_up(None, value);
                self.rewind(state);
                return Descent::Ended;
            }
            node = self.edges[chosen].child as usize;
        }
        Descent::Leaf
    }

    /// Takes the evaluation of the leaf where `state` stands, and brings `state` back to the root.
    ///
    /// `logits` is `[A]`, `wdl` is of the leaf's decider.
    pub fn expand(&mut self, game: &Game, state: &mut State, logits: &[f32], wdl: [f32; 3]) {
        let side = state.position().side();
        state.position().legal_actions_into(game, &mut self.legal);
        softmax_into(self.legal.iter().map(|action| logits[action.index()]), &mut self.priors);
        let node = self.nodes.len() as u32;
        let edges = self.edges.len() as u32;
        self.edges.extend(self.legal.iter().zip(&self.priors).map(|(&action, &prior)| Edge {
            prior,
            value: ValueSum::default(),
            child: NONE,
            action,
        }));
        self.nodes.push(Node { edges, count: self.legal.len() as u16, side, value: ValueSum::default() });
        if let Some(&last) = self.path.last() {
            self.edges[last as usize].child = node;
        }
        self.back_up(Some(node), Value::from_wdl(side, wdl));
        self.rewind(state);
    }

    /// Flattens the root priors and mixes Dirichlet noise into them.
    pub fn add_noise(&mut self, config: &SearchConfig, rng: &mut Pcg64) {
        let Some(root) = self.nodes.first() else { return };
        let edges = &mut self.edges[edge_range(root)];
        let alpha = config.noise_total / edges.len() as f32;
        let gamma = Gamma::new(f64::from(alpha), 1.0).expect("alpha is above 0 in a valid config");
        let noise: Vec<f32> = edges.iter().map(|_| gamma.sample(rng) as f32).collect();
        let total: f32 = noise.iter().sum();
        let flat: Vec<f32> =
            edges.iter().map(|edge| edge.prior.max(1e-8).powf(1.0 / config.root_temperature)).collect();
        let flat_total: f32 = flat.iter().sum();
        for ((edge, noise), flat) in edges.iter_mut().zip(noise).zip(flat) {
            let share = if total > 0.0 { config.noise_share } else { 0.0 };
            let noise = if total > 0.0 { noise / total } else { 0.0 };
            edge.prior = (1.0 - share) * flat / flat_total + share * noise;
        }
    }

    /// Chooses a root action: by visits to the power of 1 / `temperature`, or the most visited at 0.
    ///
    /// Ties at 0 go to the better value, then to the lower number.
    #[must_use]
    pub fn choose(&self, temperature: f32, side: Side, rng: &mut Pcg64) -> Option<Action> {
        if temperature > 0.0 {
            let most = self.root_actions().map(|choice| choice.visits).max()?.max(1) as f32;
            let weight = |choice: &RootAction| (choice.visits as f32 / most).powf(1.0 / temperature);
            let total: f32 = self.root_actions().map(|choice| weight(&choice)).sum();
            let mut at = rng.random::<f32>() * total;
            for choice in self.root_actions() {
                at -= weight(&choice);
                if at < 0.0 {
                    return Some(choice.action);
                }
            }
        }
        self.root_actions()
            .reduce(|best, next| {
                let better = (next.visits, next.value.for_side(side)) > (best.visits, best.value.for_side(side));
                if better { next } else { best }
            })
            .map(|choice| choice.action)
    }

    /// Applies PUCT (Rosin 2011; Silver et al. 2018) with first-play urgency.
    fn select(&self, config: &SearchConfig, node: &Node, is_root: bool) -> usize {
        let range = edge_range(node);
        let edges = &self.edges[range.clone()];
        let visits = node.value.count() as f32;
        let tried: f32 = edges.iter().filter(|edge| edge.value.count() > 0).map(|edge| edge.prior).sum();
        let reduction = if is_root { 0.0 } else { config.fpu_reduction * tried.sqrt() };
        let unvisited = node.value.mean().for_side(node.side) - reduction;
        let growth = config.c_puct + ((visits + config.c_base) / config.c_base).ln();
        let explore = growth * visits.sqrt();
        let score = |edge: &Edge| {
            let count = edge.value.count();
            let value = if count == 0 { unvisited } else { edge.value.mean().for_side(node.side) };
            value + explore * edge.prior / (1.0 + count as f32)
        };
        let mut best = (f32::NEG_INFINITY, 0);
        for (index, edge) in edges.iter().enumerate() {
            let score = score(edge);
            if score > best.0 {
                best = (score, index);
            }
        }
        range.start + best.1
    }

    fn back_up(&mut self, leaf: Option<u32>, value: Value) {
        if let Some(leaf) = leaf {
            self.nodes[leaf as usize].value.add(value);
        }
        let mut node = 0;
        for &edge in &self.path {
            self.nodes[node as usize].value.add(value);
            let edge = &mut self.edges[edge as usize];
            edge.value.add(value);
            node = edge.child;
        }
    }

    fn rewind(&self, state: &mut State) {
        state.rewind(self.root.as_ref().expect("a descent marked the root"));
    }
}

const fn edge_range(node: &Node) -> std::ops::Range<usize> {
    node.edges as usize..node.edges as usize + node.count as usize
}

/// Plays on while the decider has no choice; ends at a choice or at the end of the game.
///
/// Gives the actions played.
pub(crate) fn play_forced(game: &Game, state: &mut State, legal: &mut Vec<Action>) -> usize {
    let mut played = 0;
    while state.outcome().is_none() {
        state.position().legal_actions_into(game, legal);
        let [only] = legal[..] else { break };
        state.play(game, only);
        played += 1;
    }
    played
}

fn softmax_into(logits: impl Iterator<Item = f32> + Clone, out: &mut Vec<f32>) {
    let top = logits.clone().fold(f32::NEG_INFINITY, f32::max);
    out.clear();
    out.extend(logits.map(|logit| (logit - top).exp()));
    let total: f32 = out.iter().sum();
    for probability in out {
        *probability /= total;
    }
}
