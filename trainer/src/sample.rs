//! Training samples: a decision of a recorded game, encoded anew.

use damma_env::{Action, Encoder, Game, Outcome, State, Symmetry};
use rayon::prelude::*;

use crate::learner::Batch;
use crate::record::{Decision, GameRecord};
use crate::value::Value;

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
}

impl Sampler<'_> {
    /// Encodes decisions, each under the symmetry of the given index, as one batch.
    #[must_use]
    pub fn batch(&self, drawn: &[(&GameRecord, &Decision, usize)]) -> Batch {
        let samples: Vec<Sample> = drawn
            .par_iter()
            .map(|&(record, decision, symmetry)| self.sample(record, decision, &self.symmetries[symmetry]))
            .collect();
        let mut batch = Batch {
            observations: Vec::with_capacity(samples.len() * self.encoder.len()),
            value: Vec::with_capacity(samples.len() * 3),
            ..Batch::default()
        };
        for sample in samples {
            batch.observations.extend(sample.observation);
            batch.value.extend(sample.value);
            batch.actions.extend(sample.legal);
            batch.policy.extend(sample.policy);
            batch.ends.push(batch.actions.len());
        }
        batch
    }

    fn sample(&self, record: &GameRecord, decision: &Decision, symmetry: &Symmetry) -> Sample {
        let mut state = State::new(self.game);
        for action in record.actions().take(decision.ply as usize) {
            state.play(self.game, action);
        }
        let position = symmetry.position(self.game, state.position());
        let mut observation = vec![0.0; self.encoder.len()];
        self.encoder.encode_position(self.game, &position, state.repetitions(), state.turns(), &mut observation);
        let legal = position.legal_actions(self.game);
        let visits: u32 = decision.visits.iter().map(|&(_, visits)| u32::from(visits)).sum();
        let mut policy = vec![0.0; legal.len()];
        for &(action, count) in &decision.visits {
            let action = symmetry.action(Action(action));
            let place = legal.binary_search(&action).expect("what was tried is legal");
            policy[place] = f32::from(count) / visits.max(1) as f32;
        }
        let side = position.side();
        // A truncated game has no result to learn from.
        let share = if record.outcome == Outcome::Truncated { 0.0 } else { self.outcome_share };
        let value = Value::from_outcome(record.outcome).mix(share, decision.value).wdl(side);
        Sample { observation, legal, policy, value }
    }
}
