//! Speed of inference and training: `cargo bench -p damma-trainer --bench network`.
//!
//! Figures are positions a second. For one thread, run with `RAYON_NUM_THREADS=1`.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use damma_env::{Encoder, Game, Ruleset, State};
use damma_trainer::learner::{Batch, Learner, LearnerConfig};
use damma_trainer::network::{Network, NetworkConfig, NetworkShape};
use damma_trainer::search::{Evaluator, Leaves};

/// A game, and how a kind of network sees it.
struct Board {
    game: Arc<Game>,
    encoder: Encoder,
}

impl Board {
    fn new(preset: &str, config: &NetworkConfig) -> Self {
        let game = Game::new(Ruleset::preset(preset).expect("a preset")).expect("sound rules");
        Self { encoder: damma_trainer::checkpoint::encoder(config, &game), game }
    }

    fn network(&self, config: &NetworkConfig) -> Network {
        let [planes, size, _] = self.encoder.shape();
        let shape = NetworkShape { planes, size, actions: self.game.action_count() };
        Network::new(config, shape, 1).expect("the settings are in range")
    }

    /// Positions of games in which the first, second, third ... legal action is played.
    fn leaves(&self, rows: usize) -> Leaves {
        let mut leaves = Leaves::new(&self.encoder);
        let mut state = State::new(&self.game);
        for step in 0.. {
            let legal = state.position().legal_actions(&self.game);
            if state.outcome().is_some() {
                state = State::new(&self.game);
                continue;
            }
            if legal.len() > 1 {
                leaves.push(&self.game, &state, &legal);
            }
            if leaves.len() == rows {
                break;
            }
            state.play(&self.game, legal[step * 7 % legal.len()]);
        }
        leaves
    }
}

const MLP: NetworkConfig = NetworkConfig::Mlp { hidden: 256, blocks: 0, inner: 0, products: false, turns_left: false };
const SLIM: NetworkConfig = NetworkConfig::Mlp { hidden: 256, blocks: 1, inner: 32, products: true, turns_left: false };
const DEEP: NetworkConfig = NetworkConfig::Mlp { hidden: 256, blocks: 2, inner: 0, products: false, turns_left: false };
const TOWER: NetworkConfig = NetworkConfig::Tower { channels: 32, blocks: 3, turns_left: false };

/// What search asks for, by the network's own kernel and by burn from the same weights.
fn infer(criterion: &mut Criterion) {
    for (preset, name, config) in [
        ("damma8", "mlp 256x0", MLP),
        ("zamma", "mlp 256x0", MLP),
        ("damma8", "mlp 256x1 of 32, products", SLIM),
        ("zamma", "mlp 256x1 of 32, products", SLIM),
        ("damma8", "mlp 256x2", DEEP),
        ("damma8", "tower 32x3", TOWER),
    ] {
        let board = Board::new(preset, &config);
        let network = board.network(&config);
        let mut group = criterion.benchmark_group(format!("infer {preset} {name}"));
        for rows in [1, 64] {
            let leaves = board.leaves(rows);
            group.throughput(Throughput::Elements(rows as u64));
            group.bench_with_input(BenchmarkId::new("search", rows), &leaves, |bench, leaves| {
                bench.iter(|| network.evaluate(black_box(leaves)));
            });
            group.bench_with_input(BenchmarkId::new("burn", rows), &leaves, |bench, leaves| {
                bench.iter(|| network.infer(&black_box(leaves).observations()));
            });
        }
    }
}

fn train(criterion: &mut Criterion) {
    let rows = 256;
    for (preset, name, config) in [
        ("damma8", "mlp 256x0", MLP),
        ("zamma", "mlp 256x0", MLP),
        ("zamma", "mlp 256x1 of 32, products", SLIM),
        ("damma8", "mlp 256x2", DEEP),
    ] {
        let board = Board::new(preset, &config);
        let network = board.network(&config);
        let leaves = board.leaves(rows);
        let mut batch =
            Batch { observations: leaves.observations(), value: [1.0, 0.0, 0.0].repeat(rows), ..Batch::default() };
        for row in 0..rows {
            let legal = leaves.actions(row);
            batch.policy.extend((0..legal.len()).map(|place| f32::from(u8::from(place == 0))));
            batch.actions.extend_from_slice(legal);
            batch.ends.push(batch.actions.len());
        }
        let mut learner = Learner::new(&LearnerConfig::default(), &network).expect("the settings are in range");
        let mut group = criterion.benchmark_group(format!("train {preset} {name}"));
        group.sample_size(20);
        group.throughput(Throughput::Elements(rows as u64));
        group.bench_function("256", |bench| {
            bench.iter(|| learner.train_batch(&batch, 1e-4).expect("the batch is sound"));
        });
    }
}

criterion_group!(benches, infer, train);
criterion_main!(benches);
