//! One search tree, in flat arrays.
//!
//! A node is a state in which the decider has a choice; actions without a choice are played on the
//! way and cost no evaluation. The tree knows no batches and no network.

mod proof;
mod reuse;
mod root;
mod select;

use damma_env::{Action, EndgameTables, Game, Mark, Side, State};

use super::{SearchConfig, softmax};
use crate::value::{Value, ValueSum};
pub use proof::Proof;
pub use root::{RootAction, Target};

const NONE: u32 = u32::MAX;

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
    /// Actions without a choice on the way here, in [`Tree::ways`].
    way: u32,
    count: u16,
    way_length: u16,
    side: Side,
    proof: Option<Proof>,
    value: ValueSum,
    /// What the evaluator said.
    first: Value,
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    prior: f32,
    value: ValueSum,
    child: u32,
    action: Action,
    proof: Option<Proof>,
}

/// A search tree for one decision.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    ways: Vec<Action>,
    /// Nodes and edges from the root to the leaf of the descent in hand.
    path: Vec<(u32, u32)>,
    /// Actions without a choice before the leaf in hand.
    way: Vec<Action>,
    /// Legal actions of the leaf in hand.
    legal: Vec<Action>,
    priors: Vec<f32>,
    /// Priors of the root before noise.
    root_priors: Vec<f32>,
    root: Option<Mark>,
    gumbel: root::Gumbel,
    /// Whether the root was prepared to explore.
    explores: bool,
}

impl Edge {
    /// Gives what the action is worth to `side`: what was proved, or the average of what was found.
    fn worth(&self, side: Side) -> f32 {
        self.proof.map_or(self.value.mean(), Proof::value).for_side(side)
    }

    /// Says whether the action is proved lost for `side`.
    fn is_lost(&self, side: Side) -> bool {
        self.proof.is_some_and(|proof| proof.is_lost(side))
    }
}

impl Tree {
    /// Forgets everything, keeping the memory.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.ways.clear();
        self.path.clear();
        self.root_priors.clear();
        self.root = None;
        self.gumbel.clear();
        self.explores = false;
    }

    /// Gives the bytes of so many nodes and edges, in vectors that double when they are full.
    pub(crate) const fn bytes(nodes: u64, edges: u64) -> u64 {
        nodes.next_power_of_two() * size_of::<Node>() as u64 + edges.next_power_of_two() * size_of::<Edge>() as u64
    }

    /// Counts the simulations that came back, the evaluation of the root among them.
    #[must_use]
    pub fn simulations(&self) -> u32 {
        self.nodes.first().map_or(0, |root| root.value.count())
    }

    /// Gives what the root was proved to be worth, if it was.
    #[must_use]
    pub fn proof(&self) -> Option<Proof> {
        self.nodes.first()?.proof
    }

    /// Gives the value of the root: what was proved, or else the average of all simulations.
    #[must_use]
    pub fn value(&self) -> Value {
        self.nodes.first().map_or_else(Value::default, |root| root.proof.map_or(root.value.mean(), Proof::value))
    }

    /// Gives the legal actions of the leaf that waits for an evaluation.
    #[must_use]
    pub fn leaf_actions(&self) -> &[Action] {
        &self.legal
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
        self.way.clear();
        if self.nodes.is_empty() {
            state.position().legal_actions_into(game, &mut self.legal);
            return Descent::Leaf;
        }
        let mut node = 0;
        loop {
            let chosen = self.select(config, node);
            self.path.push((node, chosen));
            let edge = self.edges[chosen as usize];
            if let Some(proof) = edge.proof {
                self.back_up(proof.value());
                self.rewind(state);
                return Descent::Ended;
            }
            state.play(game, edge.action);
            if edge.child == NONE {
                return self.arrive(game, tables, state);
            }
            node = edge.child;
            let Node { way, way_length, .. } = self.nodes[node as usize];
            for action in &self.ways[way as usize..][..usize::from(way_length)] {
                state.play(game, *action);
            }
        }
    }

    /// Plays on to the choice behind a new edge, or counts what is known to come of it.
    fn arrive(&mut self, game: &Game, tables: Option<&EndgameTables>, state: &mut State) -> Descent {
        play_forced(game, state, &mut self.legal, |action| self.way.push(action));
        let ended = state.outcome().map(Proof::of_outcome);
        let known = ended.or_else(|| Some(Proof::of_endgame(state.position().side(), tables?.probe_in(game, state)?)));
        let Some(proof) = known else { return Descent::Leaf };
        self.settle(proof);
        self.back_up(proof.value());
        self.rewind(state);
        Descent::Ended
    }

    /// Takes the evaluation of the leaf where `state` stands, and brings `state` back to the root.
    ///
    /// `logits` are those of [`Tree::leaf_actions`], `wdl` is of the leaf's decider.
    pub fn expand(&mut self, state: &mut State, logits: &[f32], wdl: [f32; 3]) {
        let side = state.position().side();
        let first = Value::from_wdl(side, wdl);
        let node = self.nodes.len() as u32;
        let edges = self.edges.len();
        self.priors.clear();
        self.priors.extend_from_slice(logits);
        softmax(&mut self.priors);
        self.edges.extend(self.legal.iter().zip(&self.priors).map(|(&action, &prior)| Edge {
            prior,
            value: ValueSum::default(),
            child: NONE,
            action,
            proof: None,
        }));
        self.nodes.push(Node {
            edges: edges as u32,
            way: self.ways.len() as u32,
            count: self.legal.len() as u16,
            way_length: self.way.len() as u16,
            side,
            proof: None,
            value: ValueSum::default(),
            first,
        });
        self.ways.extend_from_slice(&self.way);
        if let Some(&(_, last)) = self.path.last() {
            self.edges[last as usize].child = node;
        }
        self.nodes[node as usize].value.add(first);
        self.back_up(first);
        self.rewind(state);
    }

    /// Counts a value along the path.
    fn back_up(&mut self, value: Value) {
        for &(node, edge) in &self.path {
            self.nodes[node as usize].value.add(value);
            self.edges[edge as usize].value.add(value);
        }
    }

    fn rewind(&self, state: &mut State) {
        state.rewind(self.root.as_ref().expect("a descent marked the root"));
    }

    fn edges(&self, node: u32) -> &[Edge] {
        &self.edges[edge_range(&self.nodes[node as usize])]
    }
}

const fn edge_range(node: &Node) -> std::ops::Range<usize> {
    node.edges as usize..node.edges as usize + node.count as usize
}

/// Plays on while the decider has no choice and tells what is played; ends at a choice, whose
/// actions are then in `legal`, or at the end of the game.
pub(crate) fn play_forced(game: &Game, state: &mut State, legal: &mut Vec<Action>, mut played: impl FnMut(Action)) {
    while state.outcome().is_none() {
        state.position().legal_actions_into(game, legal);
        let [only] = legal[..] else { break };
        state.play(game, only);
        played(only);
    }
}
