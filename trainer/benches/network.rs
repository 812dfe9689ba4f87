//! Speed of inference and training: `cargo bench -p damma-trainer --bench network`.
//!
//! Figures are positions a second. For one thread, run with `RAYON_NUM_THREADS=1`.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use damma_trainer::learner::{Batch, Learner, LearnerConfig};
use damma_trainer::network::{Network, NetworkConfig, NetworkShape};

/// The 8x8 game on dark squares.
const SHAPE: NetworkShape = NetworkShape { planes: 8, size: 8, actions: 170 };

fn networks() -> [(&'static str, NetworkConfig, &'static [usize]); 2] {
    let mlp = NetworkConfig::Mlp { hidden: 256, blocks: 2 };
    let tower = NetworkConfig::Tower { channels: 32, blocks: 3 };
    [("mlp 256x2", mlp, &[1, 32, 64, 128, 256]), ("tower 32x3", tower, &[64])]
}

/// One value in five is 1, as in real observations, in a fixed pattern.
fn observations(rows: usize) -> Vec<f32> {
    (0..rows * SHAPE.inputs()).map(|place| f32::from(u8::from(place * 2_654_435_761 % 5 == 0))).collect()
}

fn infer(criterion: &mut Criterion) {
    for (name, config, batches) in networks() {
        let network = Network::new(&config, SHAPE, 1).expect("the settings are in range");
        let mut group = criterion.benchmark_group(format!("infer {name}"));
        for &batch in batches {
            let input = observations(batch);
            group.throughput(Throughput::Elements(batch as u64));
            group.bench_with_input(BenchmarkId::from_parameter(batch), &input, |bench, input| {
                bench.iter(|| network.infer(input));
            });
        }
    }
}

fn train(criterion: &mut Criterion) {
    let rows = 256;
    let cells = 0..rows * SHAPE.actions;
    let batch = Batch {
        observations: observations(rows),
        legal: cells.clone().map(|place| place % 17 == 0).collect(),
        policy: cells.map(|place| if place % 170 == 0 { 1.0 } else { 0.0 }).collect(),
        value: [1.0, 0.0, 0.0].repeat(rows),
    };
    for (name, config, _) in networks() {
        let network = Network::new(&config, SHAPE, 1).expect("the settings are in range");
        let mut learner = Learner::new(&LearnerConfig::default(), &network).expect("the settings are in range");
        let mut group = criterion.benchmark_group(format!("train {name}"));
        group.sample_size(20);
        group.throughput(Throughput::Elements(rows as u64));
        group.bench_function("256", |bench| {
            bench.iter(|| learner.train_batch(&batch, 1e-4).expect("the batch is sound"));
        });
    }
}

criterion_group!(benches, infer, train);
criterion_main!(benches);
