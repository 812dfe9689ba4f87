//! Endings of English draughts whose values were published, asked of tables made here.
//!
//! Sources, each with its own analysis or tables: the standard positions of the American Checker Federation
//! (<http://www.acfcheckers.com/std2.html>), two columns of the Checker Maven, checked there with the tables of
//! `KingsRow` (<http://www.bobnewell.net/nucleus/checkers.php>, items 131 and 1071), and a page that gives the length
//! of perfect play (<http://brainwagon.org/2008/05/11/on-the-futility-of-expert-checkers-play-through-deep-searches-alone/>).

use std::sync::LazyLock;

use damma_env::{EndgameTables, EndgameValue, Game, Position, Ruleset};
use damma_eval::parse_turns;

/// All positions with up to four pieces.
static TABLES: LazyLock<EndgameTables> = LazyLock::new(|| {
    let mut tables = EndgameTables::new(&Ruleset::preset("damma8").expect("a preset"));
    for class in tables.classes(4) {
        tables.solve(class, |_| ());
    }
    tables
});

fn game() -> &'static Game {
    TABLES.game()
}

fn position(fen: &str) -> Position {
    game().parse_fen(fen).expect("a position")
}

fn value(position: &Position) -> EndgameValue {
    TABLES.probe(position).expect("at most four pieces")
}

/// Plays a turn written by numbers.
fn after(position: &Position, turn: &str) -> Position {
    let actions = parse_turns(game(), position, [turn]).expect("a legal turn");
    actions.iter().fold(*position, |position, &action| position.play(game(), action))
}

/// Plays a published line of the winner, who decides first, and expects every position of it to be won for them.
fn won_all_along(fen: &str, line: &str) -> Position {
    let mut position = position(fen);
    let winner = position.side();
    for turn in line.split_whitespace() {
        let value = value(&position);
        let won = if position.side() == winner { value } else { value.turn_earlier() };
        assert!(matches!(won, EndgameValue::Win(_)), "before {turn}: {value:?}");
        position = after(&position, turn);
    }
    position
}

/// The turns that keep a win.
fn winning(position: &Position) -> Vec<String> {
    let turns = game().turns(position, 100).expect("few turns");
    let keeps = |actions: &Vec<_>| {
        let next = actions.iter().fold(*position, |position, &action| position.play(game(), action));
        matches!(value(&next), EndgameValue::Loss(_))
    };
    turns.iter().filter(|actions| keeps(actions)).map(|actions| game().turn_text(position, actions)).collect()
}

#[test]
fn the_first_position_is_won_and_perfect_play_takes_93_turns() {
    assert_eq!(value(&position("W:W6,11:B3,K25")), EndgameValue::Win(93));
}

#[test]
fn the_first_position_is_won_by_the_published_line_and_drawn_by_the_published_slip() {
    let before_the_slip = won_all_along(
        "W:WK15,20:BK28,12",
        "15-19 28-32 20-16 32-28 16-11 28-32 11-7 32-28 7-3 28-32 3-7 32-28 7-10 28-32 10-15 32-28 15-18 28-32 \
         18-23 32-28 23-27 28-32 19-23 32-28 27-32 28-24 23-18 24-28 18-15 28-24 32-28 24-27 15-18 12-16 28-32 27-24 \
         18-15 24-28",
    );
    assert!(matches!(value(&before_the_slip), EndgameValue::Win(_)));
    won_all_along("W:WK15,K32:BK28,16", "15-11 16-19 32-27 28-32 27-31 32-28 11-15");
    let slip = after(&after(&before_the_slip, "15-18"), "16-19");
    assert_eq!(value(&slip), EndgameValue::Draw);
}

#[test]
fn the_first_position_without_the_move_is_won_by_one_turn_only() {
    let fen = "B:W22,K5:BK15,K6";
    assert_eq!(winning(&position(fen)), ["e5-d6"]);
    won_all_along(fen, "15-10 5-1 6-9 1-5 9-14 5-1 10-15 1-6 15-19 6-1 19-23 22-18 14-10");
}

#[test]
fn slocums_king_and_man_beat_two_men() {
    won_all_along(
        "B:W27,29:BK4,11",
        "4-8 27-23 11-16 29-25 16-20 25-21 20-24 23-18 24-27 18-14 27-31 21-17 31-26 17-13 26-22 14-9 22-17 9-5 8-11 \
         5-1 17-14 1-6 11-15 6-1 15-10",
    );
}
