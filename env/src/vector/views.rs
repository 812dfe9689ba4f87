//! What a batch shows: its outputs as arrays, without a copy.

use ndarray::{ArrayView1, ArrayView2, ArrayView4};

use super::VectorEnv;

const PADDED: &str = "columns hold at least as many rows as there are boards";

impl VectorEnv {
    /// Gives the packed action masks, `[N, W]`: action `a` is bit `a % 64` of word `a / 64`, and
    /// no bit is set where the game is over.
    #[must_use]
    pub fn packed_masks(&self) -> ArrayView2<'_, u64> {
        let words = self.start_mask.len();
        ArrayView2::from_shape((self.boards, words), &self.columns.masks[..self.boards * words]).expect(PADDED)
    }

    /// Gives the dense action masks, `[N, A]` of 0 and 1, if they are kept.
    #[must_use]
    pub fn dense_masks(&self) -> Option<ArrayView2<'_, u8>> {
        let actions = self.game.action_count();
        let masks = self.columns.dense.get(..self.boards * actions)?;
        Some(ArrayView2::from_shape((self.boards, actions), masks).expect(PADDED))
    }

    /// Gives the observations as numbers, `[N, C, H, W]`, if they are written so.
    #[must_use]
    pub fn observations(&self) -> Option<ArrayView4<'_, f32>> {
        self.observation_view(&self.columns.planes)
    }

    /// Gives the observations as counts, `[N, C, H, W]`, if they are written so.
    #[must_use]
    pub fn byte_observations(&self) -> Option<ArrayView4<'_, u8>> {
        self.observation_view(&self.columns.bytes)
    }

    fn observation_view<'a, T>(&self, all: &'a [T]) -> Option<ArrayView4<'a, T>> {
        let [channels, height, width] = self.encoder.shape();
        let all = all.get(..self.boards * self.encoder.len())?;
        Some(ArrayView4::from_shape((self.boards, channels, height, width), all).expect(PADDED))
    }

    /// Gives what the last step earned White and Black, `[N, 2]`: 1 won, -1 lost, else 0.
    #[must_use]
    pub fn rewards(&self) -> ArrayView2<'_, f32> {
        let rewards = self.columns.rewards[..self.boards].as_flattened();
        ArrayView2::from_shape((self.boards, 2), rewards).expect(PADDED)
    }

    /// Says who decides, `[N]`: 0 White, 1 Black.
    #[must_use]
    pub fn current_players(&self) -> ArrayView1<'_, u8> {
        ArrayView1::from(&self.columns.players[..self.boards])
    }

    /// Says whose game the last step won, lost or drew, `[N]` of 0 and 1.
    #[must_use]
    pub fn terminated(&self) -> ArrayView1<'_, u8> {
        ArrayView1::from(&self.columns.terminated[..self.boards])
    }

    /// Says whose game the last step cut off at `max_turns`, `[N]` of 0 and 1.
    #[must_use]
    pub fn truncated(&self) -> ArrayView1<'_, u8> {
        ArrayView1::from(&self.columns.truncated[..self.boards])
    }

    /// Says why games ended, `[N]`, each as the number of a [`Cause`](crate::Cause).
    #[must_use]
    pub fn causes(&self) -> ArrayView1<'_, u8> {
        ArrayView1::from(&self.columns.causes[..self.boards])
    }
}
