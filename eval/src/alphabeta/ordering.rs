//! Which action to try first: the sooner the best one, the less is searched.

use damma_env::{Action, ActionKind, Game, Position, Side};

const TABLE: i32 = i32::MAX;
const CAPTURE: i32 = 1 << 28;
const PROMOTION: i32 = 1 << 26;
const KILLER: i32 = 1 << 25;
const COUNTER: i32 = 1 << 24;

/// No quiet action is remembered for better or worse than this.
const HISTORY_LIMIT: i32 = 1 << 14;

/// What this search has learnt about actions, whatever the position.
#[derive(Debug, Default)]
pub(super) struct Ordering {
    /// By turns from the root: the last two quiet actions that were good enough there.
    killers: Vec<[Option<Action>; 2]>,
    /// By side and action number: how much quiet actions have cut, less how often they have not.
    history: [Vec<i32>; 2],
    /// By side and the action that passed the turn to it: the last quiet answer that was good enough.
    counters: [Vec<Option<Action>>; 2],
}

/// What led to a node, as far as ordering asks.
#[derive(Clone, Copy)]
pub(super) struct Lead {
    /// Turns from the root.
    pub(super) ply: usize,
    /// The action that passed the turn to whoever decides; none at the root.
    pub(super) answered: Option<Action>,
}

impl Ordering {
    /// Forgets everything.
    pub(super) fn clear(&mut self, game: &Game) {
        self.killers.clear();
        for side in &mut self.history {
            side.clear();
            side.resize(game.action_count(), 0);
        }
        for side in &mut self.counters {
            side.clear();
            side.resize(game.action_count(), None);
        }
    }

    /// Remembers a quiet action that was good enough, and those tried before it that were not.
    pub(super) fn reward(&mut self, side: Side, action: Action, failed: &[Action], lead: Lead, depth: u32) {
        if self.killers.len() <= lead.ply {
            self.killers.resize(lead.ply + 1, [None; 2]);
        }
        let killers = &mut self.killers[lead.ply];
        if killers[0] != Some(action) {
            *killers = [Some(action), killers[0]];
        }
        if let Some(answered) = lead.answered {
            self.counters[side.index()][answered.index()] = Some(action);
        }
        let weight = 8 * (depth * depth).clamp(1, 400) as i32;
        let history = &mut self.history[side.index()];
        let mut add = |action: Action, weight: i32| {
            // The nearer the limit, the less is added, so that none ever passes it.
            let count = &mut history[action.index()];
            *count += weight - *count * weight.abs() / HISTORY_LIMIT;
        };
        add(action, weight);
        for &other in failed {
            add(other, -weight);
        }
    }

    /// Says how early an action should be tried; captures of kings first, then captures and huffs.
    fn rank(&self, game: &Game, position: &Position, action: Action, lead: Lead) -> i32 {
        match kind(game, position, action) {
            Kind::Takes { king } => CAPTURE + i32::from(king),
            Kind::Stop => -HISTORY_LIMIT - 1,
            Kind::Step { promotes: true } => PROMOTION,
            Kind::Step { promotes: false } => {
                let side = position.side().index();
                if self.killers.get(lead.ply).is_some_and(|killers| killers.contains(&Some(action))) {
                    KILLER
                } else if lead.answered.is_some_and(|answered| self.counters[side][answered.index()] == Some(action)) {
                    COUNTER
                } else {
                    self.history[side][action.index()]
                }
            }
        }
    }
}

/// What ordering and quiescence must know of an action.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A hop or a huff.
    Takes {
        /// Whether it takes a king.
        king: bool,
    },
    /// A step.
    Step {
        /// Whether a man reaches the far rank.
        promotes: bool,
    },
    /// The end of a chain.
    Stop,
}

/// Says what an action is in a position.
pub(super) fn kind(game: &Game, position: &Position, action: Action) -> Kind {
    match game.action_kind(action).expect("legal actions are the game's own numbers") {
        ActionKind::Huff { victim } => Kind::Takes { king: position.kings().contains(victim) },
        ActionKind::Stop => Kind::Stop,
        ActionKind::Move { from, to, between, .. } => {
            let victims = between & position.enemy();
            if victims.is_empty() {
                Kind::Step { promotes: game.far_rank().contains(to) && !position.kings().contains(from) }
            } else {
                Kind::Takes { king: !(victims & position.kings()).is_empty() }
            }
        }
    }
}

/// The actions of one node, given out best first.
#[derive(Debug, Default)]
pub(super) struct Picker {
    actions: Vec<Action>,
    ranks: Vec<i32>,
    next: usize,
}

impl Picker {
    /// Takes the legal actions of a position; says how many there are.
    pub(super) fn fill(&mut self, game: &Game, position: &Position) -> usize {
        self.next = 0;
        position.legal_actions_into(game, &mut self.actions);
        self.actions.len()
    }

    /// Takes the legal hops and huffs of a position; says how many there are.
    pub(super) fn fill_captures(&mut self, game: &Game, position: &Position) -> usize {
        self.next = 0;
        position.legal_captures_into(game, &mut self.actions);
        self.actions.len()
    }

    /// Keeps only the actions that `keep` wants; says how many are left.
    pub(super) fn retain(&mut self, keep: impl FnMut(&Action) -> bool) -> usize {
        self.actions.retain(keep);
        self.actions.len()
    }

    /// Ranks the actions; `first` comes first if it is among them.
    pub(super) fn order(
        &mut self,
        ordering: &Ordering,
        game: &Game,
        position: &Position,
        lead: Lead,
        first: Option<Action>,
    ) {
        self.ranks.clear();
        if self.actions.len() == 1 {
            self.ranks.push(0);
            return;
        }
        self.ranks.extend(
            self.actions
                .iter()
                .map(|&action| if Some(action) == first { TABLE } else { ordering.rank(game, position, action, lead) }),
        );
    }

    /// Gives the actions given out before the last one.
    pub(super) fn earlier(&self) -> &[Action] {
        &self.actions[..self.next.saturating_sub(1)]
    }
}

impl Iterator for Picker {
    type Item = Action;

    /// Gives the best action not yet given; among equals, the one with the lowest number.
    fn next(&mut self) -> Option<Action> {
        let start = self.next;
        let best = (start..self.actions.len())
            .max_by_key(|&index| (self.ranks[index], std::cmp::Reverse(self.actions[index])))?;
        self.actions.swap(start, best);
        self.ranks.swap(start, best);
        self.next += 1;
        Some(self.actions[start])
    }
}
