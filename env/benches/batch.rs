//! Speed of many boards in step: what is written after each step, and drawing actions.
//!
//! One thread and 1,024 boards; `damma bench env` sweeps over boards and threads. Steps are
//! replayed from recorded actions, so that the policy is not counted.

mod boards;

use std::hint::black_box;

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use damma_env::{Observations, VectorEnv, VectorOptions};

use boards::{play, warm};

const BOARDS: usize = 1024;

/// Steps of all boards that are recorded.
const STEPS: usize = 16;

/// The cheapest game, the dearest rule, and two of the largest action spaces.
const NAMES: [&str; 4] = ["damma8", "srand", "zamma", "khreibga"];

/// What is written after each step beside packed masks.
fn kinds() -> [(&'static str, VectorOptions); 3] {
    let packed = VectorOptions { seed: 1, threads: 1, ..VectorOptions::default() };
    let dense = VectorOptions { dense_masks: true, ..packed.clone() };
    let planes = VectorOptions { observations: Observations::Planes, ..packed.clone() };
    [("packed masks", packed), ("dense masks", dense), ("f32 observations", planes)]
}

fn steps(criterion: &mut Criterion) {
    for (kind, options) in kinds() {
        let mut group = criterion.benchmark_group(format!("step, {kind}"));
        group.throughput(Throughput::Elements((BOARDS * STEPS) as u64));
        for name in NAMES {
            let batch = warm(name, BOARDS, options.clone());
            let mut tape = vec![0; BOARDS * STEPS];
            play(&mut batch.clone(), &mut tape);
            let again = |batch: &mut VectorEnv| {
                for actions in tape.chunks_exact(BOARDS) {
                    batch.step(black_box(actions)).expect("legal actions");
                }
            };
            group.bench_function(BenchmarkId::from_parameter(name), |bencher| {
                bencher.iter_batched_ref(|| batch.clone(), again, BatchSize::LargeInput);
            });
        }
        group.finish();
    }
}

fn sampling(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("sample legal actions");
    group.throughput(Throughput::Elements(BOARDS as u64));
    for name in NAMES {
        let mut batch = warm(name, BOARDS, VectorOptions { seed: 1, threads: 1, ..VectorOptions::default() });
        let mut actions = vec![0; BOARDS];
        group.bench_function(BenchmarkId::from_parameter(name), |bencher| {
            bencher.iter(|| batch.sample_legal(black_box(&mut actions)));
        });
    }
    group.finish();
}

criterion_group!(benches, steps, sampling);
criterion_main!(benches);
