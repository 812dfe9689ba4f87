//! Rating lists cover the truth, and say clearly what cannot be rated.

use damma_eval::{EvalError, PairTable, RatingList, Results};
use rand_pcg::Pcg64;

use crate::simulate::{Coverage, World};

const PLAYERS: [(&str, f64); 6] =
    [("ab-1", 0.0), ("ab-2", 130.0), ("ab-3", 210.0), ("early", -180.0), ("late", 320.0), ("middle", 100.0)];

/// Everybody meets everybody, but the weakest and the strongest.
fn tournament(world: &World, pairs: usize, rng: &mut Pcg64) -> Results {
    let mut results = Results::default();
    for (place, (a, elo)) in PLAYERS.iter().enumerate() {
        for (b, other) in PLAYERS[..place].iter().filter(|(b, _)| (*a, *b) != ("late", "early")) {
            results.add_pairs(a, b, &world.table(elo - other, pairs, rng));
        }
    }
    results
}

#[test]
fn intervals_of_1000_tournaments_hold_in_93_to_97_of_100_cases() {
    let world = World { nu: 0.9, white: 60.0, opening: 0.4 };
    let mut ratings = [Coverage::default(); PLAYERS.len()];
    let (mut differences, mut white, mut draws) = (Coverage::default(), Coverage::default(), 0.0);
    for number in 0..1000 {
        let results = tournament(&world, 30, &mut Pcg64::new(3, number));
        let list = RatingList::fit(&results, "ab-1", 0.0, false).expect("all are connected");
        for (place, (name, elo)) in PLAYERS.iter().enumerate() {
            for (other, theirs) in &PLAYERS[..place] {
                let found = list.difference(name, other).expect("both are rated");
                let held = (found.elo - (elo - theirs)).abs() <= found.plus_minus;
                differences.add(held);
                if *other == "ab-1" {
                    ratings[place].add(held);
                }
            }
        }
        white.add((list.white - world.white).abs() <= list.white_plus_minus);
        draws += list.draw_rate / 1000.0;
    }
    for ((name, _), coverage) in PLAYERS.iter().zip(ratings).skip(1) {
        println!("{name}: {:.1} %", coverage.percent());
        assert!((93.0..97.0).contains(&coverage.percent()), "{name}: {}", coverage.percent());
    }
    println!("differences {:.1} %, White {:.1} %, draws {draws:.3}", differences.percent(), white.percent());
    assert!((93.0..97.0).contains(&differences.percent()) && (93.0..97.0).contains(&white.percent()));
    assert!((draws - 0.9 / 2.9).abs() < 0.01);
}

/// All pairs won by the first player but `lost`, which are lost.
fn won(pairs: u32, lost: u32) -> PairTable {
    PairTable([[lost, 0, 0], [0, 0, 0], [0, 0, pairs - lost]])
}

#[test]
fn a_player_who_won_everything_has_a_bound_and_no_invented_rating() {
    let mut results = Results::default();
    results.add_pairs("b", "a", &won(20, 5));
    results.add_pairs("best", "a", &won(10, 0));
    results.add_pairs("a", "worst", &won(10, 0));
    results.add_pairs("best", "champion", &won(4, 4));

    let list = RatingList::fit(&results, "a", 100.0, false).expect("all have met");

    let player = |name: &str| list.players.iter().find(|player| player.name == name).expect("listed");
    let (best, worst) = (player("best"), player("worst"));
    assert_eq!((best.elo, best.high, worst.elo, worst.low), (None, None, None, None));
    // All of 10 pairs are won with 2.5 % if one is with 0.6915; that score is 140.2 Elo.
    assert!((best.low.expect("a bound") - 240.2).abs() < 2.0, "{best:?}");
    assert!((worst.high.expect("a bound") + 40.2).abs() < 2.0, "{worst:?}");
    assert!(best.note.as_deref().is_some_and(|note| note.starts_with("won every game")), "{best:?}");
    let champion = player("champion");
    assert_eq!((champion.elo, champion.low, champion.high), (None, None, None));
    assert!(champion.note.as_deref().is_some_and(|note| note.contains("--prior")), "{champion:?}");
    assert!(player("b").elo.is_some_and(|elo| (elo - 290.8).abs() < 15.0), "{list:?}");
}

#[test]
fn a_prior_gives_everybody_a_finite_rating() {
    let mut results = Results::default();
    results.add_pairs("best", "a", &won(10, 0));
    results.add_pairs("champion", "best", &won(4, 0));
    let list = RatingList::fit(&results, "a", 0.0, true).expect("all have met");
    let names: Vec<&str> = list.players.iter().map(|player| player.name.as_str()).collect();
    assert_eq!(names, ["champion", "best", "a"]);
    assert!(list.players.iter().all(|player| player.elo.is_some_and(f64::is_finite)));
    assert!(list.covariance.iter().flatten().all(|value| value.is_finite()));
}

#[test]
fn who_never_met_the_anchor_is_named_with_a_remedy() {
    let mut results = Results::default();
    results.add_pairs("a", "b", &won(9, 4));
    results.add_pairs("x", "y", &won(9, 4));
    for prior in [false, true] {
        let error = RatingList::fit(&results, "a", 0.0, prior).expect_err("two groups");
        assert_eq!(error, EvalError::Unconnected { name: "x, y".to_owned(), anchor: "a".to_owned() });
        assert!(error.to_string().contains("add a match between the two sides"), "{error}");
    }
    let error = RatingList::fit(&results, "z", 0.0, false).expect_err("nobody");
    assert!(error.to_string().contains("choose one of a, b, x, y"), "{error}");
}

#[test]
fn nothing_but_draws_or_whites_wins_is_rated_without_nonsense() {
    for table in [PairTable([[0; 3], [0, 30, 0], [0; 3]]), PairTable([[0; 3], [0; 3], [30, 0, 0]])] {
        let mut results = Results::default();
        results.add_pairs("a", "b", &table);
        let list = RatingList::fit(&results, "a", 0.0, false).expect("connected");
        let found = list.difference("b", "a").expect("rated");
        assert!(found.elo.abs() < 1e-6 && found.plus_minus > 1.0 && found.plus_minus.is_finite(), "{found:?}");
        // White's advantage is not certain either.
        assert!(list.white_plus_minus > 1.0);
        assert!(list.white.is_finite() && list.white_plus_minus.is_finite() && (0.0..=1.0).contains(&list.draw_rate));
    }
}
