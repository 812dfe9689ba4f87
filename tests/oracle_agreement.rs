//! The engine against a slow, separately written oracle: random rulesets, random games.

mod oracle;

use std::collections::BTreeMap;

use damma_env::{
    Capture, Chain, DrawCause, Game, King, KingLanding, Lines, ManCaptures, ManSteps, Middle, Outcome, Priority,
    Promotion, Removal, Ruleset, Side, State, Symmetry,
};
use oracle::{OracleGame, Verdict};
use proptest::prelude::*;
use proptest::sample::select;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

fn rulesets() -> impl Strategy<Value = Ruleset> {
    let board = (
        4_u8..=10,
        1_u8..=4,
        select(vec![Middle::Right, Middle::Left]),
        select(vec![Lines::Full, Lines::Alquerque, Lines::Diagonal]),
    );
    let men = (
        select(vec![ManSteps::Forward, ManSteps::All]),
        select(vec![ManCaptures::All, ManCaptures::Forward, ManCaptures::ForwardOffDiagonal]),
        select(vec![King::Flying, King::Short, King::None]),
        select(vec![KingLanding::Any, KingLanding::Next]),
    );
    let captures = (
        select(vec![Capture::Forced, Capture::Huff]),
        select(vec![Chain::Mandatory, Chain::Mandatory, Chain::None]),
        select(vec![Priority::Free, Priority::Maximum]),
        select(vec![Removal::Hop, Removal::TurnEnd]),
        select(vec![Promotion::TurnEnd, Promotion::Immediate]),
    );
    let ends = (
        select(vec![Side::White, Side::Black]),
        0_u16..12,
        select(vec![0_u16, 2, 3]),
        any::<bool>(),
        select(vec![0_u32, 40]),
    );
    (board, men, captures, ends)
        .prop_map(|(board, men, captures, ends)| Ruleset {
            size: board.0,
            home_rows: board.1,
            middle: board.2,
            lines: board.3,
            man_steps: men.0,
            man_captures: men.1,
            king: men.2,
            king_landing: men.3,
            capture: captures.0,
            chain: captures.1,
            priority: captures.2,
            removal: captures.3,
            promotion: captures.4,
            first: ends.0,
            no_progress_limit: ends.1,
            repetition_limit: ends.2,
            lone_kings_draw: ends.3,
            max_turns: ends.4,
        })
        .prop_filter("only rulesets that make sense", |ruleset| ruleset.validate().is_ok())
}

fn verdict(outcome: Option<Outcome>) -> Option<Verdict> {
    Some(match outcome? {
        Outcome::Win { winner, .. } => Verdict::Win(winner),
        Outcome::Draw(DrawCause::NoProgress) => Verdict::Draw("no_progress"),
        Outcome::Draw(DrawCause::Repetition) => Verdict::Draw("repetition"),
        Outcome::Draw(DrawCause::LoneKings) => Verdict::Draw("lone_kings"),
        Outcome::Truncated => Verdict::Truncated,
    })
}

/// Plays one random game by both, and compares everything at every decision.
fn compare(ruleset: &Ruleset, seed: u64) -> Result<(), TestCaseError> {
    let game = Game::new(ruleset.clone()).expect("a valid ruleset");
    let symmetries = Symmetry::all(&game);
    let mut rng = Pcg64::seed_from_u64(seed);
    let mut state = State::new(&game);
    let mut reference = OracleGame::new(ruleset);
    for _ in 0..150 {
        let position = *state.position();
        let text = game.position_text(&position);
        prop_assert_eq!(&text, &reference.oracle().print(reference.board()));
        prop_assert_eq!(verdict(state.outcome()), reference.verdict(), "{}", &text);
        let Some(expected) = reference.oracle().actions(reference.board()) else { return Ok(()) };
        let expected: BTreeMap<String, String> =
            expected.iter().map(|(action, after)| (action.clone(), reference.oracle().print(after))).collect();
        let legal = position.legal_actions(&game);
        let found: BTreeMap<String, String> = legal
            .iter()
            .map(|&action| (game.action_text(&position, action), game.position_text(&position.play(&game, action))))
            .collect();
        prop_assert_eq!(found, expected, "{}", &text);
        for symmetry in &symmetries {
            let turned = symmetry.position(&game, &position);
            let mut images: Vec<_> = legal.iter().map(|&action| symmetry.action(action)).collect();
            images.sort_unstable();
            prop_assert_eq!(turned.legal_actions(&game), images, "a symmetry changes what is legal in {}", &text);
        }
        if state.outcome().is_some() {
            return Ok(());
        }
        let action = legal[rng.random_range(0..legal.len())];
        let name = game.action_text(&position, action);
        prop_assert_eq!(game.parse_action(&position, &name), Some(action));
        for symmetry in &symmetries {
            let turned = symmetry.position(&game, &position);
            let after = turned.play(&game, symmetry.action(action));
            let played = position.play(&game, action);
            // Half a turn commutes with every symmetry, so it is one of the other player's view too.
            prop_assert_eq!(after, symmetry.position(&game, &played));
        }
        reference.play(&name);
        state.play(&game, action);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_games_of_random_rulesets_are_those_of_the_oracle(ruleset in rulesets(), seed in any::<u64>()) {
        compare(&ruleset, seed)?;
    }

    #[test]
    fn random_games_of_the_presets_are_those_of_the_oracle(
        preset in select(damma_env::PRESETS.to_vec()),
        seed in any::<u64>(),
    ) {
        compare(&Ruleset::preset(preset.name).expect("a preset"), seed)?;
    }
}
