//! Matches of small players, whole.

use std::sync::Arc;

use damma_env::{Action, Ruleset, Side};

use super::*;
use crate::player::{Choice, Fault, Forfeit, RandomPlayer};

fn game(preset: &str, overrides: &[&str]) -> Arc<Game> {
    let ruleset = Ruleset::preset(preset).unwrap().with_overrides(overrides.iter().copied()).unwrap();
    Game::new(ruleset).unwrap()
}

fn random_match(game: &Game, openings: &[Opening]) -> MatchResult {
    play_match(game, &mut RandomPlayer::new(), &mut RandomPlayer::new(), openings, 5, &mut |_| ()).unwrap()
}

/// Always answers with the same actions.
struct Stubborn(Vec<Action>);

impl Player for Stubborn {
    fn name(&self) -> String {
        "stubborn".to_owned()
    }

    fn choose(&mut self, _: &Game, _: &[&State], _: &mut [Pcg64]) -> Vec<Action> {
        self.0.clone()
    }
}

#[test]
fn every_opening_is_played_twice_with_colours_swapped() {
    let game = game("zamma", &[]);
    let first = game.start().legal_actions(&game)[0];
    let openings = [Opening::default(), Opening::new(&[first])];

    let result = random_match(&game, &openings);

    let seats: Vec<_> = result.games.iter().map(|game| (game.opening, game.white)).collect();
    assert_eq!(seats, [(0, Seat::A), (0, Seat::B), (1, Seat::A), (1, Seat::B)]);
    assert!(result.games[2..].iter().all(|game| game.actions[0] == first.0 && game.opening_actions == 1));
    assert_eq!(result.pairs().total(), 2);
    for record in &result.games {
        let mut state = State::new(&game);
        record.actions().for_each(|action| state.try_play(&game, action).unwrap());
        assert_eq!((Some(record.ending), record.turns), (state.outcome().map(Ending::Over), state.turns()));
    }
}

#[test]
fn a_match_is_the_same_for_the_same_seed_and_every_game_has_its_own_stream() {
    let game = game("khreibga", &[]);
    let openings = vec![Opening::default(); 20];

    let result = random_match(&game, &openings);

    assert_eq!(result, random_match(&game, &openings));
    assert!(result.games.iter().any(|other| other.actions != result.games[0].actions));
}

#[test]
fn a_player_who_answers_nonsense_ends_the_match_with_an_error() {
    let game = game("damma8", &[]);
    let play = |actions: Vec<Action>| {
        let openings = [Opening::default()];
        play_match(&game, &mut Stubborn(actions), &mut RandomPlayer::new(), &openings, 1, &mut |_| ()).unwrap_err()
    };
    assert!(matches!(play(vec![]), EvalError::WrongCount { wanted: 1, found: 0, .. }));
    assert!(matches!(play(vec![Action(60_000)]), EvalError::IllegalChoice { action: 60_000, .. }));
}

#[test]
fn an_opening_that_is_not_legal_is_an_error_that_names_it() {
    let game = game("damma8", &[]);
    let openings = [Opening::default(), Opening::new(&[Action(9_999)])];
    let error = play_match(&game, &mut RandomPlayer::new(), &mut RandomPlayer::new(), &openings, 1, &mut |_| ());
    let fault = OpeningFault::Illegal { ply: 0, action: 9_999 };
    assert_eq!(error.unwrap_err(), EvalError::BadOpening { number: 1, fault });
}

#[test]
fn a_match_in_rounds_has_the_games_of_a_match_in_one_piece() {
    let game = game("khreibga", &[]);
    let openings = vec![Opening::default(); 5];
    let arena = Arena::new(&game, &openings, 5, Order::Pairs { together: 2 }).unwrap();
    let mut played = Vec::new();
    let mut rounds = Vec::new();
    loop {
        let round = arena.next_round(&played);
        if round.is_empty() {
            break;
        }
        rounds.push(round.len());
        let (mut a, mut b) = (RandomPlayer::new(), RandomPlayer::new());
        played.extend(arena.play(&round, &mut a, &mut b, &mut |_| ()).unwrap());
    }
    assert_eq!(rounds, [4, 4, 2]);
    assert_eq!(played, random_match(&game, &openings).games);
}

#[test]
fn in_a_series_the_winner_has_white_next_and_a_draw_leaves_the_colours() {
    let game = game("khreibga", &["no_progress_limit=12"]);
    let openings = [Opening::default()];
    let arena = Arena::new(&game, &openings, 3, Order::Series { games: 60 }).unwrap();
    let mut played: Vec<MatchGame> = Vec::new();
    while played.len() < arena.games() {
        let round = arena.next_round(&played);
        let (mut a, mut b) = (RandomPlayer::new(), RandomPlayer::new());
        played.extend(arena.play(&round, &mut a, &mut b, &mut |_| ()).unwrap());
    }
    let mut seen = [0; 3];
    for pair in played.windows(2) {
        let expected = match pair[0].ending.winner() {
            Some(Side::Black) => pair[0].white.other(),
            Some(Side::White) | None => pair[0].white,
        };
        assert_eq!(pair[1].white, expected);
        seen[usize::from(pair[0].half_points(Seat::A))] += 1;
    }
    assert!(played[0].white == Seat::A && seen.iter().all(|count| *count > 0), "{seen:?}");
    let result = MatchResult { a: String::new(), b: String::new(), seed: 3, series: true, games: played };
    assert_eq!((result.pairs().total(), result.tally().games()), (0, 60));
}

#[test]
fn a_judge_breaks_games_off_with_the_cause_named() {
    let game = game("damma8", &[]);
    let openings = [Opening::default()];
    let judge = |_: &Game, state: &State| {
        (state.turns() >= 6).then_some(Verdict { winner: Some(Side::Black), cause: VerdictCause::Tables })
    };
    let arena = Arena::new(&game, &openings, 3, Order::Pairs { together: 1 }).unwrap().adjudicated_by(&judge);
    let (mut a, mut b) = (RandomPlayer::new(), RandomPlayer::new());
    let games = arena.play(&arena.next_round(&[]), &mut a, &mut b, &mut |_| ()).unwrap();
    for (record, points) in games.iter().zip([0, 2]) {
        assert_eq!((record.turns, record.ending.cause()), (6, "tables"));
        assert_eq!(record.half_points(Seat::A), points);
    }
}

/// Plays the first legal action, and fails at its third decision in a game.
struct Feeble;

impl Player for Feeble {
    fn name(&self) -> String {
        "feeble".to_owned()
    }

    fn choose(&mut self, game: &Game, states: &[&State], _: &mut [Pcg64]) -> Vec<Action> {
        states.iter().map(|state| state.position().legal_actions(game)[0]).collect()
    }

    fn decide(&mut self, game: &Game, decisions: &[Decision<'_>], _: &mut [Pcg64]) -> Vec<Result<Choice, Forfeit>> {
        let fail = || Err(Forfeit { fault: Fault::Timeout, detail: "asleep".to_owned() });
        let one = |decision: &Decision<'_>| {
            let first = decision.state.position().legal_actions(game)[0];
            if decision.actions.len() < 4 { Ok(Choice { nodes: Some(1), ..Choice::of(first) }) } else { fail() }
        };
        decisions.iter().map(one).collect()
    }
}

#[test]
fn a_player_who_fails_loses_that_game_and_the_match_goes_on() {
    let game = game("damma8", &[]);
    let openings = [Opening::default(), Opening::default()];

    let result = play_match(&game, &mut RandomPlayer::new(), &mut Feeble, &openings, 1, &mut |_| ()).unwrap();

    assert_eq!(result.tally(), Tally { wins: 4, draws: 0, losses: 0 });
    assert_eq!(result.causes().into_iter().collect::<Vec<_>>(), [("timeout of feeble".to_owned(), 4)]);
    assert!(result.games.iter().all(|game| game.note.as_deref() == Some("asleep") && game.thoughts.len() == 2));
}

#[test]
fn games_from_a_position_keep_it() {
    let game = game("khreibga", &[]);
    let position = game.parse_position("b4/5/5/5/w4 w").unwrap();
    let result = random_match(&game, &[Opening::from_position(&game, &position, &[])]);
    for record in &result.games {
        let mut state = State::from_position(&game, record.start(&game).unwrap());
        record.actions().for_each(|action| state.try_play(&game, action).unwrap());
        assert_eq!(Some(record.ending), state.outcome().map(Ending::Over));
    }
}

#[test]
fn a_record_that_was_changed_is_no_game_of_its_match() {
    let game = game("khreibga", &[]);
    let first = game.start().legal_actions(&game)[0];
    let openings = [Opening::new(&[first]), Opening::default()];
    let arena = Arena::new(&game, &openings, 5, Order::Pairs { together: 2 }).unwrap();
    let games = random_match(&game, &openings).games;
    let round = arena.next_round(&[]);
    for (fixture, record) in round.iter().zip(&games) {
        assert_eq!(arena.check(fixture, record), Ok(()));
    }

    let fault = |change: &dyn Fn(&mut MatchGame)| {
        let mut record = games[0].clone();
        change(&mut record);
        arena.check(&round[0], &record).unwrap_err()
    };

    assert_eq!(fault(&|record| record.opening = 99_999), RecordFault::Opening { wanted: 1 });
    assert_eq!(fault(&|record| record.opening_actions = 0), RecordFault::Opening { wanted: 1 });
    assert_eq!(fault(&|record| record.actions.clear()), RecordFault::Opening { wanted: 1 });
    assert_eq!(fault(&|record| record.white = Seat::B), RecordFault::Colours);
    assert_eq!(fault(&|record| record.actions[3] = 9_999), RecordFault::Illegal { ply: 3, action: 9_999 });
    assert_eq!(fault(&|record| record.actions.push(first.0)), RecordFault::GoesOn { ply: games[0].actions.len() });
    assert_eq!(fault(&|record| record.actions.truncate(record.actions.len() - 1)), RecordFault::Ending);
    assert_eq!(fault(&|record| record.ending = Ending::Capped), RecordFault::Ending);
    assert!(matches!(fault(&|record| record.turns += 1), RecordFault::Turns { .. }));
    let thought = Thought { action: 9_999, opinion: None, nodes: None, milliseconds: None };
    assert_eq!(fault(&|record| record.thoughts.push(thought)), RecordFault::Thoughts);
    // A program may fail whenever it is to decide, and only then.
    let failed = |loser| Ending::Forfeited { loser, fault: Fault::Timeout };
    let side = game.start().side().opponent();
    let mut record = MatchGame { actions: vec![first.0], turns: 1, ending: failed(side), ..games[0].clone() };
    assert_eq!(arena.check(&round[0], &record), Ok(()));
    record.ending = failed(side.opponent());
    assert_eq!(arena.check(&round[0], &record), Err(RecordFault::Ending));
}
