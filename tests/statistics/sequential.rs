//! The sequential test against published results, brute force and its own promises.

use damma_eval::{EloModel, PairCounts, Sprt, SprtDecision, score_of};
use rand_pcg::Pcg64;

use crate::simulate::World;

use EloModel::{Logistic, Normalized};

/// Where, the pairs, the hypotheses and the log-likelihood ratio.
type Published = (&'static str, [u32; 5], f64, f64, EloModel, f64);

/// Ratios that were published.
///
/// Fishtest's, as quoted in pull requests of github.com/official-stockfish/Stockfish (`{}` are
/// logistic bounds, `<>` normalised ones), and those of fastchess's `app/tests/sprt_test.cpp`.
const PUBLISHED: [Published; 15] = [
    ("PR 2598", [243, 1665, 3339, 1762, 281], -1.5, 0.5, Logistic, 2.95),
    ("PR 2951, STC", [59, 754, 2467, 865, 75], -0.5, 1.5, Logistic, 2.95),
    ("PR 2951, LTC", [33, 1185, 8378, 1302, 50], 0.25, 1.75, Logistic, 2.95),
    ("PR 3209", [253, 4282, 17604, 4431, 286], -0.25, 1.25, Logistic, 2.94),
    ("fastchess, logistic 1", [223, 9863, 21279, 10037, 246], 0.5, 2.5, Logistic, -3.07),
    ("fastchess, logistic 2", [871, 26175, 55983, 26678, 821], 0.0, 2.0, Logistic, -4.98),
    ("PR 4194, STC", [371, 10263, 24989, 10642, 379], 0.0, 2.0, Normalized, 2.95),
    ("PR 4194, LTC", [47, 8181, 25234, 8575, 47], 0.5, 2.5, Normalized, 2.94),
    ("PR 5960, STC", [478, 19228, 42113, 19677, 504], 0.0, 2.0, Normalized, 2.93),
    ("PR 6018, STC", [320, 12431, 27275, 12858, 316], 0.0, 2.0, Normalized, 2.95),
    ("PR 6018, LTC", [197, 45541, 117_722, 46579, 228], 0.5, 2.5, Normalized, 2.96),
    ("PR 6285", [289, 26459, 62934, 26379, 331], -1.75, 0.25, Normalized, 2.94),
    ("PR 6616", [2, 1925, 6607, 2176, 2], 0.0, 2.0, Normalized, 2.94),
    ("fastchess, normalized 1", [365, 16618, 36229, 16974, 390], 0.0, 2.0, Normalized, 2.25),
    ("fastchess, normalized 2", [127, 4883, 10712, 5150, 104], -1.75, 0.25, Normalized, 3.01),
];

fn llr(counts: [u32; 5], elo0: f64, elo1: f64, model: EloModel) -> f64 {
    let sprt = Sprt::with_model(elo0, elo1, 0.05, 0.05, model).expect("a test");
    sprt.state(&PairCounts(counts)).llr
}

#[test]
fn ratios_are_those_that_were_published() {
    for (name, counts, elo0, elo1, model, published) in PUBLISHED {
        let found = llr(counts, elo0, elo1, model);
        println!("{name}: {found:.4}, published {published}");
        assert!((found - published).abs() < 0.01 * published.abs(), "{name}: {found}, published {published}");
    }
}

#[test]
fn the_ratio_of_a_clean_sweep_is_that_of_two_coins() {
    // Nothing but the sweep was seen: each hypothesis puts as much on it as its mean allows, so
    // that the ratio is that of the means. In normalised Elo that of 5 is 0.5 + t / 2 nearly.
    let (score, t) = (score_of(5.0), 5.0 * 10.0_f64.ln() / 800.0 * 2.0_f64.sqrt());
    assert!((llr([0, 0, 0, 0, 104], 0.0, 5.0, Logistic) - 104.0 * (score / 0.5).ln()).abs() < 0.01);
    assert!((llr([0, 0, 0, 0, 104], 0.0, 5.0, Normalized) - 104.0 * (1.0 + t).ln()).abs() < 0.01);
}

/// The log likelihood of the likeliest distribution with a mean and a variance: the dual problem,
/// by damped Newton steps in its two multipliers.
fn with_moments(weights: &[f64; 5], mean: f64, variance: f64) -> f64 {
    let total: f64 = weights.iter().sum();
    let terms: [[f64; 2]; 5] = std::array::from_fn(|kind| {
        let miss = kind as f64 / 4.0 - mean;
        [miss, miss * miss - variance]
    });
    let value = |x: f64, y: f64| -> f64 {
        let logs = weights.iter().zip(terms).map(|(w, [a, b])| w * (1.0 + x * a + y * b).max(0.0).ln());
        logs.sum()
    };
    let (mut x, mut y) = (0.0, 0.0);
    for _ in 0..300 {
        let (mut slope, mut bend) = ([0.0; 2], [0.0; 3]);
        for (weight, [a, b]) in weights.iter().zip(terms) {
            let part = 1.0 + x * a + y * b;
            slope = [slope[0] + weight * a / part, slope[1] + weight * b / part];
            let square = weight / part / part;
            bend = [bend[0] + square * a * a, bend[1] + square * a * b, bend[2] + square * b * b];
        }
        let determinant = bend[0] * bend[2] - bend[1] * bend[1];
        let step = [
            (slope[0] * bend[2] - slope[1] * bend[1]) / determinant,
            (slope[1] * bend[0] - slope[0] * bend[1]) / determinant,
        ];
        let mut length = 1.0;
        // Outside of what is possible the value is minus infinity or no number.
        let better = |length: f64| value(x + length * step[0], y + length * step[1]) > value(x, y);
        while length > 1e-12 && !better(length) {
            length /= 2.0;
        }
        if length <= 1e-12 {
            break;
        }
        (x, y) = (x + length * step[0], y + length * step[1]);
    }
    let seen: f64 = weights.iter().map(|weight| weight * (weight / total).ln()).sum();
    seen - value(x, y)
}

/// Finds the greatest value of a function with one peak (golden section).
fn peak(mut low: f64, mut high: f64, value: impl Fn(f64) -> f64) -> f64 {
    let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
    for _ in 0..80 {
        let (left, right) = (high - golden * (high - low), low + golden * (high - low));
        if value(left) > value(right) { high = right } else { low = left }
    }
    value(f64::midpoint(low, high))
}

/// The same ratio by a search over all means and variances that a hypothesis allows.
fn brute_force(counts: [u32; 5], elo0: f64, elo1: f64, model: EloModel) -> f64 {
    let weights = counts.map(|count| f64::from(count).max(1e-3));
    let best = |elo: f64| match model {
        Logistic => {
            let mean = score_of(elo);
            peak(0.01, 0.99 * mean * (1.0 - mean), |variance| with_moments(&weights, mean, variance))
        }
        Normalized => {
            let t = elo * 10.0_f64.ln() / 800.0 * 2.0_f64.sqrt();
            peak(0.1, 0.45, |deviation| with_moments(&weights, 0.5 + t * deviation, deviation * deviation))
        }
    };
    best(elo1) - best(elo0)
}

#[test]
fn ratios_are_those_of_a_search_by_brute_force() {
    for (counts, elo0, elo1) in [
        ([59, 754, 2467, 865, 75], -5.0, 15.0),
        ([20, 40, 60, 50, 30], 0.0, 40.0),
        ([11, 3, 40, 9, 31], 10.0, 100.0),
        ([5, 30, 80, 10, 5], -60.0, 20.0),
    ] {
        for model in [Logistic, Normalized] {
            let (found, expected) = (llr(counts, elo0, elo1, model), brute_force(counts, elo0, elo1, model));
            assert!((found - expected).abs() < 1e-5, "{counts:?} {model:?}: {found} is not {expected}");
        }
    }
}

/// Plays tests to their end; gives the share where `elo1` was accepted, and the pairs on average.
fn accepted(sprt: &Sprt, world: &World, elo: f64, tests: usize) -> (f64, f64) {
    let (mut others, mut played) = (0, 0_u64);
    for test in 0..tests {
        let mut rng = Pcg64::new(7, test as u128);
        let mut counts = PairCounts::default();
        others += loop {
            let (white, black) = world.pair(elo, &mut rng);
            counts.0[usize::from(white + black)] += 1;
            match sprt.state(&counts).decision {
                SprtDecision::Continue => {}
                SprtDecision::AcceptH0 => break 0,
                SprtDecision::AcceptH1 => break 1,
            }
        };
        played += u64::from(counts.total());
    }
    (f64::from(others) / tests as f64, played as f64 / tests as f64)
}

#[test]
fn errors_of_the_sequential_test_stay_within_what_was_asked() {
    for world in [
        World { nu: 0.7, white: 40.0, opening: 0.4 },
        World { nu: 6.0, white: 0.0, opening: 0.0 },
        World { nu: 0.0, white: 100.0, opening: 0.0 },
    ] {
        let elo = |score: f64| damma_eval::elo_of(score);
        let sprt = Sprt::new(elo(world.score(0.0)), elo(world.score(60.0)), 0.05, 0.05).expect("a test");
        let ((wrong, pairs), (right, _)) = (accepted(&sprt, &world, 0.0, 1000), accepted(&sprt, &world, 60.0, 1000));
        println!("nu {}: {:.1} % and {:.1} % wrong, {pairs:.0} pairs", world.nu, 100.0 * wrong, 100.0 * (1.0 - right));
        // Two standard errors of 1,000 tests above 5 %.
        assert!(wrong < 0.064 && right > 0.936, "{world:?}: {wrong}, {right}");
    }
}
