//! Positions that wait for an evaluation, in few numbers each.

use std::ops::Range;

use damma_env::{Action, Encoder, Game, State};

/// A batch of positions: what is 1 in each observation, its constants, and the legal actions.
///
/// Rows are as long as they need to be; all of one kind lie in one list.
#[derive(Clone, Debug)]
pub struct Leaves {
    encoder: Encoder,
    constant_places: Vec<Range<usize>>,
    ones: Vec<u16>,
    ones_ends: Vec<usize>,
    constants: Vec<f32>,
    actions: Vec<Action>,
    actions_ends: Vec<usize>,
}

impl Leaves {
    /// Makes an empty batch of observations as `encoder` writes them.
    #[must_use]
    pub fn new(encoder: &Encoder) -> Self {
        Self {
            encoder: encoder.clone(),
            constant_places: encoder.constant_places().collect(),
            ones: Vec::new(),
            ones_ends: Vec::new(),
            constants: Vec::new(),
            actions: Vec::new(),
            actions_ends: Vec::new(),
        }
    }

    /// Forgets the positions, keeping the memory.
    pub fn clear(&mut self) {
        self.ones.clear();
        self.ones_ends.clear();
        self.constants.clear();
        self.actions.clear();
        self.actions_ends.clear();
    }

    /// Adds a position; `legal` are its legal actions, whose logits are asked for.
    pub fn push(&mut self, game: &Game, state: &State, legal: &[Action]) {
        self.encoder.list(game, state, &mut self.ones, &mut self.constants);
        self.ones_ends.push(self.ones.len());
        self.actions.extend_from_slice(legal);
        self.actions_ends.push(self.actions.len());
    }

    /// Takes the last position out again.
    pub(super) fn pop(&mut self) {
        let last = |ends: &mut Vec<usize>| {
            ends.pop();
            ends.last().copied().unwrap_or_default()
        };
        self.ones.truncate(last(&mut self.ones_ends));
        self.actions.truncate(last(&mut self.actions_ends));
        self.constants.truncate(self.len() * self.constant_places.len());
    }

    /// Counts the positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ones_ends.len()
    }

    /// Says whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ones_ends.is_empty()
    }

    /// Gives the places of the ones in the observation of a position, constants not among them.
    #[must_use]
    pub fn ones(&self, row: usize) -> &[u16] {
        &self.ones[span(&self.ones_ends, row)]
    }

    /// Gives the constants of a position, each with the places where an observation repeats it.
    pub fn constants(&self, row: usize) -> impl Iterator<Item = (Range<usize>, f32)> + '_ {
        let width = self.constant_places.len();
        self.constant_places.iter().cloned().zip(self.constants[row * width..][..width].iter().copied())
    }

    /// Gives the legal actions of a position.
    #[must_use]
    pub fn actions(&self, row: usize) -> &[Action] {
        &self.actions[span(&self.actions_ends, row)]
    }

    /// Gives the place of a position's first action among those of all positions.
    #[must_use]
    pub fn first_action(&self, row: usize) -> usize {
        span(&self.actions_ends, row).start
    }

    /// Counts the legal actions of all positions.
    #[must_use]
    pub fn action_count(&self) -> usize {
        self.actions.len()
    }

    /// Writes all observations in full, `[B, C, H, W]`, row-major.
    #[must_use]
    pub fn observations(&self) -> Vec<f32> {
        let width = self.encoder.len();
        let mut observations = vec![0.0; self.len() * width];
        for (row, observation) in observations.chunks_exact_mut(width).enumerate() {
            for &place in self.ones(row) {
                observation[usize::from(place)] = 1.0;
            }
            for (places, constant) in self.constants(row) {
                observation[places].fill(constant);
            }
        }
        observations
    }
}

/// Gives the places of a row among those of all rows, of which each ends at one of `ends`.
pub(crate) fn span(ends: &[usize], row: usize) -> Range<usize> {
    row.checked_sub(1).map_or(0, |before| ends[before])..ends[row]
}
