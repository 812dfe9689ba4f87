//! Speed of the baseline: its evaluation and its search, for every preset.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use damma_env::{Game, PRESETS, Ruleset};
use damma_eval::{Evaluation, Weights, signature};

fn evaluation(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("evaluation");
    for preset in PRESETS {
        let game = Game::new(Ruleset::preset(preset.name).expect("a preset")).expect("a game");
        let evaluation = Evaluation::new(&game, &Weights::frozen(&game));
        let start = game.start();
        group.bench_function(BenchmarkId::from_parameter(preset.name), |bencher| {
            bencher.iter(|| evaluation.evaluate(&game, black_box(&start), black_box(0)));
        });
    }
    group.finish();
}

fn search(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("search");
    group.sample_size(10);
    for preset in PRESETS {
        let game = Game::new(Ruleset::preset(preset.name).expect("a preset")).expect("a game");
        group.throughput(Throughput::Elements(signature(&game).nodes));
        group.bench_function(BenchmarkId::from_parameter(preset.name), |bencher| {
            bencher.iter(|| signature(black_box(&game)));
        });
    }
    group.finish();
}

criterion_group!(benches, evaluation, search);
criterion_main!(benches);
