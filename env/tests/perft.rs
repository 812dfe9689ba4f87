//! Perft counts what a plain recursion over single positions counts.

use std::sync::Arc;

use damma_env::{Game, PRESETS, Position, Ruleset, perft_actions, perft_divide, perft_turns};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

fn game(preset: &str, overrides: &[&str]) -> Arc<Game> {
    let ruleset = Ruleset::preset(preset).expect("a preset");
    Game::new(ruleset.with_overrides(overrides.iter().copied()).expect("a ruleset")).expect("a game")
}

/// Counts one by one, as perft is defined.
fn plain(game: &Game, position: &Position, depth: u32, by_actions: bool) -> u64 {
    if depth == 0 {
        return 1;
    }
    let actions = position.legal_actions(game);
    let after = |&action| {
        let next = position.play(game, action);
        let ended = next.side() != position.side() || next.enemy().is_empty();
        plain(game, &next, depth - u32::from(by_actions || ended), by_actions)
    };
    actions.iter().map(after).sum()
}

/// Compares the counts of positions from random games, as deep as a plain count of some thousands goes.
fn compare(game: &Game, positions: usize, rng: &mut Pcg64) {
    let mut position = game.start();
    for _ in 0..positions {
        for by_actions in [false, true] {
            let fast = if by_actions { perft_actions } else { perft_turns };
            for depth in 0..=5 {
                let count = plain(game, &position, depth, by_actions);
                let described = || format!("{:?} {} depth {depth}", game.ruleset(), game.position_text(&position));
                assert_eq!(fast(game, &position, depth), count, "{}", described());
                if depth > 0 {
                    let shares = perft_divide(game, &position, depth, by_actions);
                    assert_eq!(shares.iter().map(|(_, share)| share).sum::<u64>(), count, "{}", described());
                }
                if count > 200 {
                    break;
                }
            }
        }
        for _ in 0..rng.random_range(1..8) {
            let actions = position.legal_actions(game);
            position = match actions.len() {
                0 => game.start(),
                count => position.play(game, actions[rng.random_range(0..count)]),
            };
        }
    }
}

#[test]
fn every_preset_counts_as_a_plain_recursion() {
    let mut rng = Pcg64::seed_from_u64(3);
    for preset in PRESETS {
        compare(&game(preset.name, &[]), 30, &mut rng);
    }
}

#[test]
fn random_rulesets_count_as_a_plain_recursion() {
    let mut rng = Pcg64::seed_from_u64(5);
    let mut compared = 0;
    while compared < 40 {
        let size: usize = rng.random_range(4..=10);
        let rows = rng.random_range(1..=(size - 1) / 2);
        let options = [
            ("lines", &["full", "alquerque", "diagonal"][..]),
            ("man_steps", &["forward", "all"]),
            ("man_captures", &["all", "forward", "forward_off_diagonal"]),
            ("king", &["flying", "short", "none"]),
            ("king_landing", &["any", "next"]),
            ("capture", &["forced", "huff"]),
            ("chain", &["mandatory", "mandatory", "none"]),
            ("priority", &["free", "maximum"]),
            ("removal", &["hop", "turn_end"]),
            ("promotion", &["turn_end", "immediate"]),
        ];
        let mut overrides = vec![format!("size={size}"), format!("home_rows={rows}")];
        overrides.extend(options.map(|(name, values)| format!("{name}={}", values[rng.random_range(0..values.len())])));
        let base = Ruleset::preset("damma").expect("a preset");
        // Some draws make no sense together.
        let Ok(ruleset) = base.with_overrides(overrides.iter().map(String::as_str)) else { continue };
        compare(&Game::new(ruleset).expect("a game"), 15, &mut rng);
        compared += 1;
    }
}

#[test]
fn the_known_numbers_hold() {
    let known: [(_, &[_], &[u64]); 4] = [
        ("damma8", &[], &[7, 49, 302, 1469, 7361, 36768, 179_740, 845_931, 3_963_680]),
        ("srand", &[], &[3, 5, 7, 14, 56, 130, 381, 1351, 5677, 28082, 140_425]),
        ("zamma", &["capture=forced"], &[3, 5, 7, 15, 60, 199, 754, 3364, 15241, 83005]),
        ("khreibga", &[], &[4, 5, 6, 12, 29, 111, 553, 2781, 14602, 84190, 517_421]),
    ];
    for (preset, overrides, counts) in known {
        let game = game(preset, overrides);
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(perft_turns(&game, &game.start(), depth), count, "{preset} depth {depth}");
        }
    }
}

#[test]
fn a_depth_beyond_the_end_of_the_game_counts_nothing() {
    let game = game("kharberg", &[]);
    let won = game.parse_position("5/5/5/5/3w1 b").expect("a position");
    assert_eq!(perft_turns(&game, &won, u32::MAX), 0);
    assert_eq!(perft_turns(&game, &won, 0), 1);
}
