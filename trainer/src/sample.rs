//! Training samples: a decision of a recorded game, encoded anew.

use damma_env::{Action, Encoder, Game, Outcome, State, Symmetry};
use rayon::prelude::*;

use crate::learner::Batch;
use crate::replay::{Draw, Stood};
use crate::value::{Value, ValueSum};

/// Turns recorded decisions into training batches.
pub struct Sampler<'a> {
    /// The game, as the records were played.
    pub game: &'a Game,
    /// Its observations.
    pub encoder: &'a Encoder,
    /// The symmetries of the game.
    pub symmetries: &'a [Symmetry],
    /// Share of the game's result in the value target, 0 to 1; the rest is the search's value.
    pub outcome_share: f32,
}

/// One position to learn from.
struct Sample {
    observation: Vec<f32>,
    legal: Vec<Action>,
    /// One number for each legal action.
    policy: Vec<f32>,
    value: [f32; 3],
    turns_left: f32,
}

impl Sampler<'_> {
    /// Encodes decisions, each under the symmetry of the given index, as one batch.
    #[must_use]
    pub fn batch(&self, drawn: &[(Draw<'_>, usize)]) -> Batch {
        let samples: Vec<Sample> =
            drawn.par_iter().map(|(draw, symmetry)| self.sample(draw, &self.symmetries[*symmetry])).collect();
        let mut batch = Batch {
            observations: Vec::with_capacity(samples.len() * self.encoder.len()),
            value: Vec::with_capacity(samples.len() * 3),
            turns_left: Vec::with_capacity(samples.len()),
            ..Batch::default()
        };
        for sample in samples {
            batch.observations.extend(sample.observation);
            batch.value.extend(sample.value);
            batch.turns_left.push(sample.turns_left);
            batch.actions.extend(sample.legal);
            batch.policy.extend(sample.policy);
            batch.ends.push(batch.actions.len());
        }
        batch
    }

    fn sample(&self, draw: &Draw<'_>, symmetry: &Symmetry) -> Sample {
        let Stood { record, decision } = draw.stood;
        let mut state = State::new(self.game);
        for action in record.actions().take(decision.ply as usize) {
            state.play(self.game, action);
        }
        let position = symmetry.position(self.game, state.position());
        let mut observation = vec![0.0; self.encoder.len()];
        self.encoder.encode_position(self.game, &position, state.repetitions(), state.turns(), &mut observation);
        let legal = position.legal_actions(self.game);
        let mut policy = vec![0.0; legal.len()];
        let (mut values, mut turns_left) = (ValueSum::default(), 0.0);
        let share = 1.0 / (1 + draw.others.len()) as f32;
        for &(stood, turns) in std::iter::once(&(draw.stood, record.turns_left(&state))).chain(&draw.others) {
            let visits: u32 = stood.decision.visits.iter().map(|&(_, visits)| u32::from(visits)).sum();
            for &(action, count) in &stood.decision.visits {
                let action = symmetry.action(Action(action));
                let place = legal.binary_search(&action).expect("what was tried is legal");
                policy[place] += share * (f32::from(count) / visits.max(1) as f32);
            }
            values.add(self.value(&stood));
            turns_left += share * turns as f32;
        }
        Sample { observation, legal, policy, value: values.mean().wdl(position.side()), turns_left }
    }

    /// Gives the value to learn of a position: the game's result and what the search found.
    fn value(&self, stood: &Stood<'_>) -> Value {
        // A truncated game has no result to learn from.
        let share = if stood.record.outcome == Outcome::Truncated { 0.0 } else { self.outcome_share };
        Value::from_outcome(stood.record.outcome).mix(share, stood.decision.value)
    }
}

#[cfg(test)]
mod tests {
    use damma_env::{Ruleset, Side};

    use super::*;
    use crate::record::{Decision, GameRecord};

    /// A game that ended at its start position, where the search found something.
    fn game(visits: &[(u16, u16)], turns: u32, outcome: Outcome, wdl: [f32; 3]) -> GameRecord {
        let value = Value::from_wdl(Side::White, wdl);
        let decisions = vec![Decision { ply: 0, visits: visits.to_vec(), value, surprise: 0.0 }];
        GameRecord { decisions, outcome, turns, ..GameRecord::empty(0) }
    }

    #[test]
    fn the_targets_of_a_position_that_stood_twice_are_averages() {
        let rules = Game::new(Ruleset::preset("khreibga").expect("a preset")).expect("a game");
        let encoder = Encoder::flat(&rules);
        let legal = rules.start().legal_actions(&rules);
        let (first, second) = (legal[0].0, legal[1].0);
        assert_eq!(rules.start().side(), Side::White);
        let drawn = Outcome::Draw(damma_env::DrawCause::Repetition);
        let one = game(&[(first, 30), (second, 10)], 30, drawn, [1.0, 0.0, 0.0]);
        let two = game(&[(second, 7)], 40, Outcome::Truncated, [0.0, 0.0, 1.0]);
        let stood = |record| Stood { record, decision: &record.decisions[0] };
        let symmetries = Symmetry::all(&rules);
        let sampler = Sampler { game: &rules, encoder: &encoder, symmetries: &symmetries, outcome_share: 0.5 };

        let alone = sampler.batch(&[(Draw { stood: stood(&one), others: Vec::new() }, 0)]);
        let both = sampler.batch(&[(Draw { stood: stood(&one), others: vec![(stood(&two), 40)] }, 0)]);

        assert_eq!((alone.policy[..2].to_vec(), alone.value), (vec![0.75, 0.25], vec![0.5, 0.5, 0.0]));
        assert_eq!((both.policy[..2].to_vec(), both.value), (vec![0.375, 0.625], vec![0.25, 0.25, 0.5]));
        assert_eq!((alone.turns_left, both.turns_left), (vec![30.0], vec![35.0]));
        assert_eq!(both.observations, alone.observations);
    }
}
