//! Weights from data: games of the search against itself, and what its quiet positions led to.
//!
//! The games are played with guessed weights that never change, so the same command makes the
//! same weights whatever the frozen ones are by then.

mod features;
mod regression;

use damma_env::{Action, Game, King, State};
use rand::RngExt as _;
use rand_pcg::Pcg64;
use rayon::prelude::*;

use super::evaluation::Evaluation;
use super::level::Level;
use super::weights::{MAN, Weights};
use super::{AlphaBeta, VERSION};
pub use features::FEATURES;
use features::{Features, names};
use regression::{Sample, fitted, log_loss, scaled};

/// Games are cut off after so many actions, and not learnt from.
const ACTION_CAP: usize = 600;

/// How likely any decision of a game is drawn at random, so that no two games are the same.
const RANDOM_SHARE: f64 = 0.05;

/// How likely a quiet position of a game is taken.
const TAKEN_SHARE: f64 = 0.25;

/// No position is taken after so many quiet turns: where kings go to and fro until the draw, there
/// is nothing to learn.
const MOST_QUIET: u16 = 4;

/// The part of the games whose positions are held out: every fifth.
const HELD_OUT: usize = 5;

/// What a fit is made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FitConfig {
    /// Games to play.
    pub games: usize,
    /// Seed of the games.
    pub seed: u64,
    /// How deep both players look, in turns.
    pub depth: u8,
    /// Features of [`FEATURES`] to leave out.
    pub without: Vec<String>,
}

/// What a fit found.
#[derive(Clone, PartialEq, Debug)]
pub struct Fit {
    /// The weights, without the command that asked for them.
    pub weights: Weights,
    /// Positions learnt from.
    pub learnt: usize,
    /// Positions held out.
    pub held_out: usize,
    /// Log-loss of the held-out positions by the guessed weights, in nats.
    pub before: f64,
    /// The same by the fitted weights.
    pub after: f64,
    /// By feature that is not left out: by how much the held-out log-loss is greater without it.
    pub gains: Vec<(&'static str, f64)>,
}

/// Plays games and fits the weights to them; `played` hears of every game that is over.
///
/// The result depends on the game and the configuration alone.
#[must_use]
pub fn fit(game: &Game, config: &FitConfig, played: &(dyn Fn() + Sync)) -> Fit {
    let guess = guess(game);
    let features = Features::new(game);
    let games: Vec<Vec<Sample>> = (0..config.games)
        .into_par_iter()
        .with_max_len(1)
        .map(|number| {
            let samples = play(game, &guess, &features, config, number);
            played();
            samples
        })
        .collect();
    let of = |held: bool| -> Vec<Sample> {
        let part = games.iter().enumerate().filter(|(number, _)| (number % HELD_OUT == 0) == held);
        part.flat_map(|(_, samples)| samples).cloned().collect()
    };
    let (training, held_out) = (of(false), of(true));
    let names = names(game.size());
    let allowed: Vec<bool> = names.iter().map(|name| !config.without.iter().any(|out| out == name)).collect();
    let full = fitted(&training, &allowed, None);
    let weights = features.weights(game, &full, VERSION);
    let kept = FEATURES.into_iter().filter(|name| !config.without.iter().any(|out| out == name));
    let gains = kept.map(|feature| {
        let fewer: Vec<bool> = names.iter().zip(&allowed).map(|(name, allowed)| *allowed && *name != feature).collect();
        let without = fitted(&training, &fewer, Some(&full));
        (feature, log_loss(&held_out, &without) - log_loss(&held_out, &full))
    });
    let loss = |weights: &Weights| log_loss(&held_out, &scaled(&training, &features.vector(game, weights)));
    Fit {
        gains: gains.collect(),
        before: loss(&guess),
        after: loss(&weights),
        learnt: training.len(),
        held_out: held_out.len(),
        weights,
    }
}

/// Gives the weights that the games are played with: the family's common wisdom.
fn guess(game: &Game) -> Weights {
    let king = match game.ruleset().king {
        King::Flying => 300,
        King::Short => 135,
        King::None => MAN,
    };
    let promotes = game.ruleset().king != King::None;
    let rank = |rank: i32| if rank == 0 { 10 } else { 2 * rank };
    Weights {
        version: VERSION.to_owned(),
        command: String::new(),
        king,
        ranks: (0..game.size() as i32).map(|number| if promotes { rank(number) } else { 0 }).collect(),
        man_centre: 0,
        man_off_diagonal: 0,
        // Without it short kings go to and fro in won endings, and every game is drawn.
        king_centre: if game.ruleset().king == King::Short { 2 } else { 0 },
        king_off_diagonal: 0,
        share: 100,
        tempo: 0,
        mobility: 0,
        exposure: 0,
        fault: 90,
        fault_king: king - MAN,
    }
}

/// Plays a game and gives some of its quiet positions; none where it does not end.
fn play(game: &Game, guess: &Weights, features: &Features, config: &FitConfig, number: usize) -> Vec<Sample> {
    let mut rng = Pcg64::new(u128::from(config.seed), number as u128);
    let player = AlphaBeta::with_weights(Level::Depth(config.depth), guess.clone());
    let evaluation = Evaluation::new(game, guess);
    let random_turns = rng.random_range(2..=10);
    let mut state = State::new(game);
    let mut taken = Vec::new();
    let mut actions: Vec<Action> = Vec::new();
    for _ in 0..ACTION_CAP {
        if let Some(outcome) = state.outcome() {
            let sample = |(side, features)| Sample { features, result: f64::from(outcome.reward(side) + 1.0) / 2.0 };
            return taken.into_iter().map(sample).collect();
        }
        let position = state.position();
        position.legal_actions_into(game, &mut actions);
        let opening = state.turns() < random_turns;
        let quiet = position.quiet_turns() <= MOST_QUIET && !position.has_progressed() && !position.can_capture(game);
        if quiet && !opening && rng.random_bool(TAKEN_SHARE) {
            taken.push((position.side(), features.of(game, position)));
        }
        let action = if actions.len() == 1 {
            actions[0]
        } else if opening || rng.random_bool(RANDOM_SHARE) {
            actions[rng.random_range(0..actions.len())]
        } else {
            player.search(game, &state, &evaluation).action
        };
        state.play(game, action);
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use damma_env::Ruleset;

    use super::*;

    #[test]
    fn a_fit_is_the_same_for_the_same_seed_and_finds_that_men_and_kings_matter() {
        let game = Game::new(Ruleset::preset("khreibga").unwrap()).unwrap();
        let config = FitConfig { games: 200, seed: 3, depth: 1, without: vec!["mobility".to_owned()] };

        let found = fit(&game, &config, &|| ());

        assert_eq!(found, fit(&game, &config, &|| ()));
        assert!(found.weights.king > MAN && found.weights.mobility == 0, "{found:?}");
        assert!(
            found.after < std::f64::consts::LN_2 && found.gains.iter().all(|(name, _)| *name != "mobility"),
            "{found:?}"
        );
    }

    #[test]
    fn features_times_weights_are_the_evaluation() {
        for preset in damma_env::PRESETS {
            let game = Game::new(Ruleset::preset(preset.name).unwrap()).unwrap();
            let weights = Weights { mobility: 3, exposure: -7, tempo: 5, ..Weights::frozen(&game) };
            let (features, evaluation) = (Features::new(&game), Evaluation::new(&game, &weights));
            let mut state = State::new(&game);
            let mut rng = Pcg64::new(1, 1);
            while state.outcome().is_none() {
                let position = state.position();
                if !position.has_progressed() {
                    let product = regression::dot(&features.of(&game, position), &features.vector(&game, &weights));
                    let value = evaluation.evaluate(&game, position, evaluation.placement(position));
                    assert!((product - f64::from(value)).abs() < 1.0, "{} {product} {value}", preset.name);
                }
                let actions = position.legal_actions(&game);
                state.play(&game, actions[rng.random_range(0..actions.len())]);
            }
        }
    }
}
