//! Thinking: the baseline or a network, deeper and deeper until a limit.

use std::time::{Duration, Instant};

use damma_env::{Action, Game, State};
use damma_eval::{AlphaBeta, Analysis, Level, MctsPlayer};

use super::go::Limits;
use super::output::{Answer, Info, Score};

/// Nodes of the first look, from which deeper ones are planned.
const FIRST_LOOK: u64 = 500;

/// Nodes of a decision within a turn whose first one has had the time.
const FOLLOWING: u64 = 2_000;

/// Who thinks.
pub enum Brain {
    /// The baseline, at this level where `go` says nothing.
    Baseline(Level),
    /// A network, with so many simulations where `go` says nothing.
    Network {
        /// The player.
        player: Box<MctsPlayer>,
        /// The simulations.
        simulations: u32,
    },
}

impl Brain {
    /// Thinks about a turn of a game that goes on, and improves the answer until a limit; the time
    /// counts from `begun`.
    pub fn think(&self, game: &Game, state: &State, limits: Limits, answer: &Answer, begun: Instant) {
        let thinking = Thinking { game, state, limits, answer, begun };
        match self {
            Self::Baseline(level) => thinking.baseline(*level),
            Self::Network { player, simulations } => thinking.network(player, *simulations),
        }
    }
}

/// Gives a turn that will do, at once, and whether it is the only one.
#[must_use]
pub fn first_turn(game: &Game, state: &State) -> (Vec<Action>, bool) {
    let mut only = true;
    let turn = whole_turn(game, state, &mut |state| {
        let actions = state.position().legal_actions(game);
        only &= actions.len() == 1;
        *actions.first().expect("a game that goes on has a legal action")
    });
    (turn, only)
}

/// One search.
struct Thinking<'a> {
    game: &'a Game,
    state: &'a State,
    limits: Limits,
    answer: &'a Answer,
    begun: Instant,
}

impl Thinking<'_> {
    fn baseline(&self, own: Level) {
        match self.limits {
            Limits { depth: Some(depth), .. } => {
                let mut levels = (1..=depth).map(Level::Depth);
                while let Some(level) = levels.next().filter(|_| !self.answer.is_given()) {
                    let begun = Instant::now();
                    let nodes = self.show(level, level).nodes;
                    // The next depth is taken to cost four times this one.
                    if !self.has_time(4 * begun.elapsed()) || self.limits.nodes.is_some_and(|most| 4 * nodes > most) {
                        break;
                    }
                }
            }
            Limits { nodes: Some(nodes), time: None, .. } => {
                self.show(Level::Nodes(nodes), Level::Nodes(nodes));
            }
            Limits { time: None, infinite: false, .. } => {
                self.show(own, own);
            }
            Limits { nodes, .. } => self.by_time(nodes.unwrap_or(u64::MAX)),
        }
    }

    /// Looks with twice the nodes each time, as far as the time allows.
    fn by_time(&self, most: u64) {
        let mut nodes = FIRST_LOOK.min(most);
        while !self.answer.is_given() {
            let begun = Instant::now();
            let analysis = self.show(Level::Nodes(nodes), Level::Nodes(nodes.min(FOLLOWING)));
            let spent = begun.elapsed().max(Duration::from_micros(1));
            // All was seen, or nothing deeper is allowed.
            if analysis.winner().is_some() || analysis.nodes < nodes / 2 || nodes >= most {
                return;
            }
            let rate = nodes as f64 / spent.as_secs_f64();
            let affordable = self.left().map_or(u64::MAX, |left| (rate * left.as_secs_f64() * 0.9) as u64);
            let next = nodes.saturating_mul(2).min(most).min(affordable);
            if next < nodes + nodes / 4 {
                return;
            }
            nodes = next;
        }
    }

    fn network(&self, player: &MctsPlayer, own: u32) {
        let unlimited = self.limits.time.is_some() || self.limits.infinite;
        let nodes = self.limits.nodes.map(|nodes| nodes.min(u64::from(u32::MAX)) as u32);
        let most = nodes.unwrap_or(if unlimited { u32::MAX } else { own });
        let show = |tree: &_, following: u32| {
            let mut first = Some(player.best(self.game, tree, self.state));
            let turn = whole_turn(self.game, self.state, &mut |state| {
                first.take().unwrap_or_else(|| {
                    player.best(self.game, &player.search_while(self.game, state, following, &mut |_| true), state)
                })
            });
            let score = Score::Expected(tree.value().for_side(self.state.position().side()));
            let (nodes, time) = (tree.simulations().into(), self.begun.elapsed());
            self.answer.improve(&turn, &Info { depth: None, score, nodes, time });
        };
        let mut next_show = 32;
        let tree = player.search_while(self.game, self.state, most, &mut |tree| {
            if tree.simulations() > next_show && most > tree.simulations() {
                next_show *= 4;
                show(tree, 8);
            }
            !self.answer.is_given() && self.has_time(Duration::ZERO)
        });
        show(&tree, if unlimited { 32 } else { most });
    }

    /// Searches at a level, completes the turn at another, and tells.
    fn show(&self, level: Level, following: Level) -> Analysis {
        let analysis = self.player(level).analyse(self.game, self.state);
        let mut first = Some(analysis.action);
        let turn =
            whole_turn(self.game, self.state, &mut |state| first.take().unwrap_or_else(|| self.look(state, following)));
        let Analysis { depth, score, nodes, .. } = analysis;
        let (depth, score, time) = (Some(depth), Score::Hundredths(score), self.begun.elapsed());
        self.answer.improve(&turn, &Info { depth, score, nodes, time });
        analysis
    }

    /// Chooses in one state: what must be played, or by a search.
    fn look(&self, state: &State, level: Level) -> Action {
        match state.position().legal_actions(self.game)[..] {
            [only] => only,
            _ => self.player(level).analyse(self.game, state).action,
        }
    }

    /// A player that thinks no longer than anybody waits for it.
    fn player(&self, level: Level) -> AlphaBeta {
        AlphaBeta::new(level).stopped_by(self.answer.given())
    }

    fn left(&self) -> Option<Duration> {
        Some(self.limits.time?.saturating_sub(self.begun.elapsed()))
    }

    fn has_time(&self, wanted: Duration) -> bool {
        self.left().is_none_or(|left| left > wanted)
    }
}

/// Chooses until the turn is over.
fn whole_turn(game: &Game, state: &State, choose: &mut dyn FnMut(&State) -> Action) -> Vec<Action> {
    let (side, mut now) = (state.position().side(), state.clone());
    let mut actions = Vec::new();
    while now.outcome().is_none() && now.position().side() == side {
        let action = choose(&now);
        actions.push(action);
        now.play(game, action);
    }
    actions
}
