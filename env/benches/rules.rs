//! Speed of the rules: perft and random play for every preset.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use damma_env::{Action, Game, PRESETS, Ruleset, State, perft_turns};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// Plays random games until so many actions are played.
fn random_play(game: &Game, actions: u64) -> u64 {
    let mut rng = Pcg64::seed_from_u64(1);
    let mut legal: Vec<Action> = Vec::new();
    let mut played = 0;
    while played < actions {
        let mut state = State::new(game);
        while state.outcome().is_none() && played < actions {
            state.position().legal_actions_into(game, &mut legal);
            state.play(game, legal[rng.random_range(0..legal.len())]);
            played += 1;
        }
    }
    played
}

fn rules(criterion: &mut Criterion) {
    let mut play = criterion.benchmark_group("random play");
    play.throughput(Throughput::Elements(10_000));
    for preset in PRESETS {
        let game = Game::new(Ruleset::preset(preset.name).expect("a preset")).expect("a game");
        play.bench_with_input(BenchmarkId::from_parameter(preset.name), &game, |bencher, game| {
            bencher.iter(|| random_play(black_box(game), 10_000));
        });
    }
    play.finish();
    let game = Game::new(Ruleset::preset("damma8").expect("a preset")).expect("a game");
    let mut perft = criterion.benchmark_group("perft");
    perft.throughput(Throughput::Elements(179_740));
    perft.bench_function("damma8 depth 7", |bencher| bencher.iter(|| perft_turns(&game, black_box(&game.start()), 7)));
    perft.finish();
}

criterion_group!(benches, rules);
criterion_main!(benches);
