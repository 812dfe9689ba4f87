//! Intervals of one match cover the truth.

use damma_eval::{Elo, score_of};
use rand::RngExt as _;
use rand_pcg::Pcg64;

use crate::simulate::{Coverage, World};

/// Worlds without draws, with usual ones, with decisive openings, and with mostly draws.
const WORLDS: [World; 4] = [
    World { nu: 0.0, white: 0.0, opening: 0.0 },
    World { nu: 0.7, white: 50.0, opening: 0.2 },
    World { nu: 0.7, white: 50.0, opening: 0.7 },
    World { nu: 3.0, white: 30.0, opening: 0.3 },
];

fn coverage(world: &World, elo: f64, pairs: usize, trials: usize) -> Coverage {
    let mut rng = Pcg64::new(41, pairs as u128);
    let mut coverage = Coverage::default();
    for _ in 0..trials {
        // The true difference varies a little, or the steps of few pairs would decide.
        let elo = elo + rng.random_range(-20.0..20.0);
        let truth = world.score(elo);
        let found = Elo::estimate(&world.table(elo, pairs, &mut rng).counts()).expect("there are pairs");
        let above = found.low.is_none_or(|low| score_of(low) <= truth);
        coverage.add(above && found.high.is_none_or(|high| truth <= score_of(high)));
    }
    coverage
}

#[test]
fn intervals_of_a_match_hold_in_93_to_97_of_100_cases() {
    for world in &WORLDS {
        for (elo, pairs) in [(0.0, 50), (0.0, 500), (200.0, 100), (400.0, 100)] {
            let percent = coverage(world, elo, pairs, 3000).percent();
            println!("nu {} opening {} Elo {elo} pairs {pairs}: {percent:.1} %", world.nu, world.opening);
            assert!((93.0..97.0).contains(&percent), "{world:?}, Elo {elo}, {pairs} pairs: {percent} %");
        }
    }
}

#[test]
fn intervals_of_few_or_lopsided_pairs_are_never_too_short() {
    for world in &WORLDS {
        for (elo, pairs) in [(0.0, 5), (0.0, 20), (150.0, 10), (400.0, 20), (600.0, 10), (600.0, 100), (800.0, 20)] {
            let percent = coverage(world, elo, pairs, 3000).percent();
            println!("nu {} opening {} Elo {elo} pairs {pairs}: {percent:.1} %", world.nu, world.opening);
            assert!(percent > 93.0, "{world:?}, Elo {elo}, {pairs} pairs: {percent} %");
        }
    }
}
