//! Batches at all phases of their games, and random play of them, shared by the benches.

use damma_env::{Game, Ruleset, VectorEnv, VectorOptions};

/// Steps before the measuring, about as many as a random game of Zamma has.
const WARM_UP: usize = 300;

/// Makes a batch of a preset; its boards began anew at different steps of a warm-up, since those
/// that begin at once go through their games together.
pub fn warm(preset: &str, boards: usize, options: VectorOptions) -> VectorEnv {
    let game = Game::new(Ruleset::preset(preset).expect("a preset")).expect("a game");
    let mut batch = VectorEnv::new(game, boards, options).expect("a batch");
    let mut actions = vec![0; boards];
    for step in 0..WARM_UP {
        play(&mut batch, &mut actions);
        let late: Vec<usize> = (step * boards / WARM_UP..(step + 1) * boards / WARM_UP).collect();
        batch.reset_boards(&late, None).expect("boards of the batch");
    }
    batch
}

/// Plays as many random steps as the tape has room for, and leaves their actions on it.
pub fn play(batch: &mut VectorEnv, tape: &mut [u16]) {
    for actions in tape.chunks_exact_mut(batch.len()) {
        batch.sample_legal(actions).expect("one for each board");
        batch.step(actions).expect("legal actions");
    }
}
