//! How strong a bot is to play for a person: ten levels, each a search and how freely it chooses.
//!
//! A level never plays what is not legal, and never what its own search thinks absurd: an action that
//! has next to no share of the search is not chosen at any temperature.

use damma_env::Action;
use damma_trainer::search::RootAction;
use rand::RngExt as _;
use rand_pcg::Pcg64;
use thiserror::Error;

/// A level of play, 1 (for a beginner) to 10.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BotLevel(u8);

/// A number that is no level.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("level {0} is outside 1 to {most}", most = BotLevel::MOST)]
pub struct NoSuchLevel(pub u8);

/// What a level means.
struct Terms {
    /// Simulations a decision; 1 is the network alone.
    visits: u32,
    /// Temperature of the choice; 0 takes the best.
    temperature: f32,
    /// Actions with less than this share of the best one's are not chosen.
    least: f32,
}

/// `damma ratings` of matches between levels, and between them and the baseline, is in docs/serving.md.
const LEVELS: [Terms; 10] = [
    Terms { visits: 1, temperature: 3.0, least: 0.005 },
    Terms { visits: 1, temperature: 1.5, least: 0.02 },
    Terms { visits: 1, temperature: 0.8, least: 0.05 },
    Terms { visits: 1, temperature: 0.4, least: 0.1 },
    Terms { visits: 4, temperature: 0.3, least: 0.15 },
    Terms { visits: 16, temperature: 0.25, least: 0.2 },
    Terms { visits: 60, temperature: 0.2, least: 0.2 },
    Terms { visits: 200, temperature: 0.15, least: 0.3 },
    Terms { visits: 800, temperature: 0.0, least: 1.0 },
    Terms { visits: 3_000, temperature: 0.0, least: 1.0 },
];

impl BotLevel {
    /// The strongest level.
    pub const MOST: u8 = LEVELS.len() as u8;

    /// Makes a level.
    ///
    /// # Errors
    /// The number is none.
    pub const fn new(number: u8) -> Result<Self, NoSuchLevel> {
        if number >= 1 && number <= Self::MOST { Ok(Self(number)) } else { Err(NoSuchLevel(number)) }
    }

    /// Lists all levels, the weakest first.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..=Self::MOST).map(Self)
    }

    /// Gives its number.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Gives the simulations of a decision.
    #[must_use]
    pub fn visits(self) -> u32 {
        self.terms().visits
    }

    /// Chooses among the actions of a root that was searched at this level; `None` where there are none.
    ///
    /// An action's share of the search is that of its visits, with its prior as one visit more; what is
    /// proved lost is taken only where all is.
    #[must_use]
    pub fn choose(self, actions: &[RootAction], decider: damma_env::Side, rng: &mut Pcg64) -> Option<Action> {
        let Terms { temperature, least, .. } = *self.terms();
        let is_lost = |action: &RootAction| action.proof.is_some_and(|proof| proof.is_lost(decider));
        let is_won = |action: &RootAction| action.proof.is_some_and(|proof| proof.value().for_side(decider) > 0.5);
        if let Some(won) = actions.iter().find(|action| is_won(action)) {
            return Some(won.action);
        }
        let all_lost = actions.iter().all(is_lost);
        let share = |action: &RootAction| {
            if is_lost(action) && !all_lost { 0.0 } else { action.visits as f32 + action.prior.max(f32::MIN_POSITIVE) }
        };
        let best = actions.iter().max_by(|a, b| share(a).total_cmp(&share(b)))?;
        if temperature == 0.0 {
            return Some(best.action);
        }
        let most = share(best);
        let weight = |action: &RootAction| {
            let share = share(action) / most;
            if share >= least { share.powf(1.0 / temperature) } else { 0.0 }
        };
        let mut left = rng.random::<f32>() * actions.iter().map(weight).sum::<f32>();
        let chosen = actions.iter().find(|action| {
            left -= weight(action);
            left < 0.0
        });
        Some(chosen.unwrap_or(best).action)
    }

    const fn terms(self) -> &'static Terms {
        &LEVELS[self.0 as usize - 1]
    }
}

#[cfg(test)]
mod tests {
    use damma_env::{Game, Ruleset, Side, State};
    use damma_trainer::value::Value;

    use super::*;

    /// The root of the Arabic Damma's start, whose seven actions have these visits and priors.
    fn root(shares: &[(u32, f32)]) -> Vec<RootAction> {
        let game = Game::new(Ruleset::preset("damma8").unwrap()).unwrap();
        let legal = State::new(&game).position().legal_actions(&game);
        let row = |(&action, &(visits, prior)): (&Action, &(u32, f32))| RootAction {
            action,
            visits,
            prior,
            value: Value::default(),
            proof: None,
        };
        assert!(shares.len() <= legal.len());
        legal.iter().zip(shares).map(row).collect()
    }

    #[test]
    fn a_low_level_varies_but_never_plays_what_the_network_thinks_absurd() {
        let actions = root(&[(0, 0.6), (0, 0.3), (0, 0.0999), (0, 0.0001)]);
        let mut rng = Pcg64::new(1, 1);
        let mut counts = [0; 4];
        for _ in 0..2_000 {
            let chosen = BotLevel(1).choose(&actions, Side::Black, &mut rng).unwrap();
            counts[actions.iter().position(|action| action.action == chosen).unwrap()] += 1;
        }
        assert!(counts[..3].iter().all(|count| *count > 300), "{counts:?}");
        assert_eq!(counts[3], 0, "{counts:?}");
    }

    #[test]
    fn the_highest_level_takes_what_was_visited_most() {
        let actions = root(&[(10, 0.1), (300, 0.2), (90, 0.7)]);
        let mut rng = Pcg64::new(1, 1);
        assert!((0..50).all(|_| BotLevel(10).choose(&actions, Side::Black, &mut rng) == Some(actions[1].action)));
    }

    #[test]
    fn a_number_beyond_the_levels_is_none() {
        assert_eq!(BotLevel::new(0), Err(NoSuchLevel(0)));
        assert!(BotLevel::new(11).unwrap_err().to_string().contains("1 to 10"));
        assert_eq!(BotLevel::all().count(), 10);
    }
}
