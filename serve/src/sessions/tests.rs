//! What each seat may do when.

use damma_env::{Game, Ruleset, Side, State};

use super::clock::ClockTerms;
use super::messages::{Answer, Create, Status, Tokens};
use super::seat::Seat;
use super::session::Session;
use crate::spec::GameSpec;

const BOTH: [Side; 2] = [Side::White, Side::Black];

fn human() -> Seat {
    Seat::Human { name: None }
}

fn bot() -> Seat {
    Seat::Bot { bot: "ab-1".to_owned(), level: None, visits: None, milliseconds: None }
}

fn asked(preset: &str, white: Seat, black: Seat) -> Create {
    let game = GameSpec { preset: preset.to_owned(), options: std::collections::BTreeMap::new() };
    Create { game, white, black, position: None, clock: None, series: None }
}

fn create(asked: Create) -> (Session, Tokens) {
    Session::create(asked).unwrap()
}

/// Plays the first legal action for whoever decides.
fn step(session: &mut Session, now: u64) {
    let action = session.line.state.position().legal_actions(&session.game)[0];
    let word = session.game.action_text(session.line.state.position(), action);
    let side = session.side();
    session.play(&[side], session.line.actions.len() as u32, &word, now).unwrap();
}

#[test]
fn a_move_that_comes_twice_or_out_of_turn_does_nothing() {
    let (mut session, tokens) = create(asked("zamma", human(), human()));
    let white = session.sides_of(&tokens.white.unwrap()).unwrap();
    session.play(&white, 0, "d4-e5", 0).unwrap();
    let before = session.record.clone();

    assert_eq!(session.play(&white, 0, "d4-e5", 0).unwrap_err().kind, "stale-ply");
    assert_eq!(session.play(&white, 1, "f6xd4", 0).unwrap_err().kind, "not-your-turn");
    assert_eq!(session.play(&[Side::Black], 1, "a9-a8", 0).unwrap_err().kind, "illegal-move");
    assert_eq!(session.sides_of("guess").unwrap_err().status, 403);
    assert_eq!(session.record, before);
}

#[test]
fn an_undo_is_free_against_a_bot_and_needs_consent_against_a_person() {
    let (mut session, _) = create(asked("zamma", human(), bot()));
    assert_eq!(session.undo(&[Side::White], 0).unwrap_err().kind, "nothing-to-undo");
    step(&mut session, 0);
    let answer = session.line.state.position().legal_actions(&session.game)[0];
    session.play_bot(&[answer], 0);
    session.undo(&[Side::White], 0).unwrap();
    assert_eq!(session.line.actions.len(), 0);

    let (mut session, _) = create(asked("zamma", human(), human()));
    step(&mut session, 0);
    session.undo(&[Side::White], 0).unwrap();
    assert_eq!((session.line.actions.len(), session.view(false, 0).undo_offer), (1, Some(Side::White.into())));
    session.undo(&[Side::Black], 0).unwrap();
    assert_eq!((session.line.actions.len(), session.view(false, 0).undo_offer), (0, None));
}

#[test]
fn a_draw_needs_both_and_lapses_with_a_move() {
    let (mut session, _) = create(asked("damma8", human(), human()));
    assert_eq!(session.draw(&[Side::White], Answer::Accept, 0).unwrap_err().kind, "no-offer");
    session.draw(&[Side::Black], Answer::Offer, 0).unwrap();
    assert_eq!(session.draw(&[Side::Black], Answer::Accept, 0).unwrap_err().kind, "no-offer");
    // Black moves and the offer stands; White moves and it has lapsed.
    step(&mut session, 0);
    assert!(session.record.draw_offer.is_some());
    step(&mut session, 0);
    assert!(session.record.draw_offer.is_none());

    session.draw(&[Side::White], Answer::Offer, 0).unwrap();
    session.draw(&[Side::Black], Answer::Accept, 0).unwrap();
    let ended = session.ended().unwrap();
    assert_eq!((ended.winner, ended.cause.as_str(), session.status()), (None, "agreed", Status::Over));
    assert!(session.pdn().contains("1/2-1/2"));
}

#[test]
fn the_winner_takes_white_in_the_next_game_and_tokens_go_with_their_persons() {
    let (mut session, tokens) = create(Create { series: Some(2), ..asked("zamma", human(), human()) });
    assert_eq!(session.next().unwrap_err().kind, "not-over");
    session.resign(&[Side::White], 0).unwrap();
    session.next().unwrap();

    assert_eq!(session.sides_of(&tokens.black.unwrap()).unwrap(), [Side::White]);
    let series = session.view(false, 0).series;
    assert_eq!((series.number, series.scores.white, series.scores.black), (2, 1.0, 0.0));
    assert!(series.swapped);
    assert_eq!(session.expect_number(Some(1)).unwrap_err().kind, "another-game");
    assert!(session.expect_number(Some(2)).is_ok() && session.expect_number(None).is_ok());
    session.resign(&[Side::Black], 0).unwrap();
    assert_eq!(session.next().unwrap_err().kind, "series-over");
    assert_eq!(session.series_pdn().matches("[Round ").count(), 2);
}

#[test]
fn a_clock_at_its_end_loses_and_stands_still_over_a_restart() {
    let clock = Some(ClockTerms { seconds: 10, increment: 0 });
    let (mut session, _) = create(Create { clock, ..asked("zamma", human(), human()) });
    step(&mut session, 1_000);
    assert!(!session.look_at_clock(10_999));

    let mut kept = Session::restore(session.record.clone(), 900_000).unwrap();
    assert_eq!(kept.view(false, 900_000).clock.unwrap().black, 10_000);
    assert!(!kept.look_at_clock(909_999));
    assert!(kept.look_at_clock(910_000));
    let ended = kept.ended().unwrap();
    assert_eq!((ended.winner, ended.cause.as_str()), (Some(Side::White.into()), "time"));
    assert_eq!(kept.play(&BOTH, 1, "f6xd4", 910_000).unwrap_err().kind, "game-over");
}

#[test]
fn a_draw_is_agreed_where_both_have_offered_it() {
    let (mut session, _) = create(asked("kharberg", human(), human()));
    session.draw(&[Side::White], Answer::Offer, 0).unwrap();
    session.draw(&[Side::White], Answer::Offer, 0).unwrap();
    assert_eq!(session.status(), Status::Playing);
    session.draw(&[Side::Black], Answer::Offer, 0).unwrap();
    let ended = session.ended().unwrap();
    assert_eq!((ended.winner, ended.cause.as_str()), (None, "agreed"));
    assert!(session.pdn().contains("[Result \"1/2-1/2\"]"), "{}", session.pdn());
    assert!(session.picture().contains("no winner: agreed"));
}

#[test]
fn an_open_seat_is_taken_once() {
    let (mut session, tokens) = create(asked("kharberg", human(), Seat::Open {}));
    assert_eq!((session.status(), tokens.black), (Status::Waiting, None));
    assert_eq!(session.play(&[Side::White], 0, "a2-a3", 0).unwrap_err().kind, "waiting");
    assert_eq!(session.join(Side::Black, Some(" ".to_owned())).unwrap_err().status, 422);

    let token = session.join(Side::Black, Some("Bilal".to_owned())).unwrap();

    assert_eq!(session.sides_of(&token).unwrap(), [Side::Black]);
    assert_eq!(session.join(Side::Black, None).unwrap_err().kind, "taken");
    assert_eq!(session.status(), Status::Playing);
}

#[test]
fn a_session_reads_back_from_what_is_kept_in_every_game_at_every_ply() {
    for preset in damma_env::PRESETS {
        let (mut session, _) = create(asked(preset.name, human(), human()));
        for _ in 0..120 {
            if session.status() == Status::Over {
                break;
            }
            step(&mut session, 0);
            let text = serde_json::to_string(&session.record).unwrap();
            let kept = Session::restore(serde_json::from_str(&text).unwrap(), 0).unwrap();
            assert_eq!(kept.view(false, 0), session.view(false, 0), "{}", preset.name);
        }
    }
}

#[test]
fn the_last_turn_is_told_with_its_trail_captures_and_huff() {
    let game = Game::new(Ruleset::preset("zamma").unwrap()).unwrap();
    let places = crate::view::Places::new(&game);
    let line = crate::spec::Line::read(&game, None, &["d4-e5".to_owned(), "f6xd4".to_owned()]).unwrap();
    let name = |place: usize| places.board().points[place].name.clone();

    let last = places.last(&line.start, &line.actions).unwrap();

    assert_eq!(last.trail.iter().map(|place| name(*place)).collect::<Vec<_>>(), ["f6", "d4"]);
    assert_eq!(last.captured.iter().map(|place| name(*place)).collect::<Vec<_>>(), ["e5"]);
    assert_eq!((last.turn.as_str(), last.huffed, Side::from(last.side)), ("f6xd4", None, Side::Black));
    assert_eq!(places.last(&line.start, &[]), None);

    // Black did not capture: White may take the piece at fault.
    let mut state = State::new(&game);
    let word = |state: &State, text: &str| game.parse_action(state.position(), text).unwrap();
    let huffs = (0..2_000_u64).find_map(|seed| {
        let mut actions = Vec::new();
        state = State::new(&game);
        let mut pick = seed;
        while state.outcome().is_none() && actions.len() < 40 {
            let legal = state.position().legal_actions(&game);
            let huff = legal.iter().find(|action| game.action_text(state.position(), **action).starts_with('~'));
            if let Some(huff) = huff {
                let text = game.action_text(state.position(), *huff);
                actions.push(word(&state, &text));
                return Some((actions, text));
            }
            pick = pick.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let action = legal[(pick >> 33) as usize % legal.len()];
            actions.push(action);
            state.play(&game, action);
        }
        None
    });
    let (actions, text) = huffs.expect("random play comes to a huff");
    let last = places.last(&game.start(), &actions).unwrap();
    assert_eq!(last.huffed.map(name), Some(text[1..].to_owned()));
}
