use std::sync::Arc;

use damma_env::{Game, Ruleset, Side, State};

use super::plot::number;
use super::*;
use crate::arena::{Ending, MatchGame, MatchResult, Opening, Seat, Tally, Verdict, VerdictCause, play_match};
use crate::openings::{OpeningConfig, draw_openings};
use crate::player::{Fault, RandomPlayer};
use crate::statistics::Rating;

fn game() -> Arc<Game> {
    Game::new(Ruleset::preset("khreibga").unwrap()).unwrap()
}

fn played(game: &Game) -> MatchResult {
    let openings: Vec<Opening> = draw_openings(game, 2, 1, &OpeningConfig::default()).unwrap().openings;
    play_match(game, &mut RandomPlayer::new(), &mut RandomPlayer::new(), &openings, 1, &mut |_| ()).unwrap()
}

fn shown(game: &Game, played: &MatchGame) -> ShownGame {
    ShownGame::new(game, "a game".to_owned(), ["<i>&", "ab-1"], played).unwrap()
}

fn point(iteration: u64, elo: f64) -> Point {
    let opponents =
        vec![Opponent { name: "ab-1".to_owned(), tally: Tally { wins: 5, draws: 3, losses: 2 }, mean_turns: 40.0 }];
    let rating = Some(Rating { elo, plus_minus: 50.0 });
    let games = Some(100 * iteration);
    Point { iteration, games, cpu_hours: Some(0.1 * iteration as f64), rating, opponents, measured: vec![] }
}

fn page(points: Vec<Point>, games: Vec<ShownGame>) -> String {
    let facts = Facts {
        list: vec![("network".to_owned(), "<mlp>".to_owned())],
        anchor: "ab-1".to_owned(),
        texts: vec![("config".to_owned(), "seed = 1".to_owned())],
    };
    let board = BoardDrawing { view_box: "0 0 9 9".to_owned(), points: vec![(1, 1); 25], ..BoardDrawing::default() };
    Page { title: "runs/<x>".to_owned(), facts, points, games, board }.html()
}

#[test]
fn every_frame_is_the_position_that_the_engine_has_after_the_turn() {
    let game = game();
    for record in played(&game).games {
        let shown = shown(&game, &record);
        let mut state = State::new(&game);
        let mut boards = vec![shown.frames[0].board.clone()];
        for frame in &shown.frames[1..] {
            assert_eq!(frame.side, state.position().side().letter());
            let turn = game.parse_turn(state.position(), &frame.turn).unwrap();
            for action in turn {
                state.play(&game, action);
            }
            let setup = state.position().setup(&game);
            let board: String = game.squares().into_iter().map(|square| setup.letter(square).unwrap_or('.')).collect();
            assert_eq!(frame.board, board);
            assert!(frame.trail.len() > 1 && frame.trail.iter().all(|place| *place < 25));
            boards.push(board);
        }
        let ending = state.outcome().map(crate::arena::Ending::Over);
        assert_eq!(ending, Some(record.ending), "every turn has its frame");
        assert!((4..=8).contains(&shown.opening));
        assert!(boards.windows(2).all(|pair| pair[0] != pair[1]));
    }
}

#[test]
fn a_game_begins_where_it_was_begun_and_says_how_it_ended() {
    let game = game();
    let position = "5/5/5/1b3/w4 w";
    let state = State::from_position(&game, game.parse_position(position).unwrap());
    let action = state.position().legal_actions(&game)[0];
    let with = |ending: Ending| {
        let record = MatchGame {
            opening: 0,
            opening_actions: 0,
            white: Seat::A,
            start: Some(position.to_owned()),
            actions: vec![action.0],
            turns: 1,
            ending,
            note: None,
            thoughts: vec![],
        };
        shown(&game, &record)
    };
    let tables = |winner| Ending::Adjudicated(Verdict { winner, cause: VerdictCause::Tables });
    for (ending, words) in [
        (tables(Some(Side::White)), "White won: known from endgame tables"),
        (tables(None), "Drawn: known from endgame tables"),
        (
            Ending::Forfeited { loser: Side::White, fault: Fault::IllegalMove },
            "Black won: the other player failed (illegal move)",
        ),
        (Ending::Capped, "Drawn: cut off after 2000 actions"),
    ] {
        let shown = with(ending);
        assert_eq!((shown.result.as_str(), shown.frames.len()), (words, 2));
        assert_eq!(shown.frames[0].board.matches(['w', 'b']).count(), 2, "two pieces stand at the start");
    }
}

#[test]
fn a_page_needs_nothing_from_outside_and_says_so_to_the_browser() {
    let game = game();
    let games = vec![shown(&game, &played(&game).games[0])];
    let html = page(vec![point(1, -20.0), point(2, 130.0)], games);
    assert!(html.contains("default-src 'none'"));
    assert!(html.contains(&format!("script-src '{}'", hash(SCRIPT))));
    let outside = html.replace("http://www.w3.org/2000/svg", "");
    for word in ["http://", "https://", "src=", "@import", "url(//", " style=\"", "onclick"] {
        assert!(!outside.contains(word), "{word}");
    }
    assert!(!html.contains("<i>&") && !html.contains("<x>") && !html.contains("<mlp>"), "texts are escaped");
}

#[test]
fn a_page_plots_the_rating_with_its_band_and_lists_the_checkpoints() {
    let html = page(vec![point(1, -20.0), point(2, 130.0)], vec![]);
    assert!(html.contains("<strong>130 ± 50</strong>"));
    for title in
        ["Elo by CPU time", "Elo by games", "Elo by iterations", "Score against each opponent", "Draws", "Length"]
    {
        assert!(html.contains(title), "{title}");
    }
    assert!(!html.contains("Mistakes"), "nothing was measured");
    assert!(html.contains("checkpoint 2: 130 [80, 180] at 0.2 CPU-hours of training"));
    assert!(html.contains("<polygon"), "the band");
    assert!(!html.contains("#010203"), "ink is the page's colour of text");
    assert_eq!(html.matches("<tr><th scope=\"row\">").count(), 2);
    assert!(!html.contains("id=\"viewer\""), "there are no games");
}

#[test]
fn measures_of_quality_are_plotted_by_their_kind() {
    let mut points = vec![point(1, 0.0), point(2, 10.0)];
    for (point, percent) in points.iter_mut().zip([12.5, 7.0]) {
        point.measured.push(Measured { kind: Kind::Mistakes, name: "1 simulation".to_owned(), percent });
        point.measured.push(Measured { kind: Kind::Puzzles, name: "50 simulations".to_owned(), percent });
    }
    let html = page(points, vec![]);
    assert!(html.contains("Mistakes against endgame tables") && html.contains("Puzzles solved"));
    assert!(html.contains("errs with 1 simulation, %"));
    assert!(!html.contains("Agreement"));
    assert!(html.contains("1 simulation, checkpoint 2: 7 at 200 self-play games"));
}

#[test]
fn one_checkpoint_or_none_makes_a_page_too() {
    assert!(page(vec![], vec![]).contains("No checkpoint is rated yet."));
    let html = page(vec![point(0, 0.0)], vec![]);
    assert!(html.contains("Elo by games") && !html.contains("NaN"));
    let unrated = Point { rating: None, cpu_hours: None, opponents: vec![], ..point(3, 0.0) };
    assert!(page(vec![unrated], vec![]).contains("has no rating"));
    let unknown = Point { games: None, cpu_hours: None, ..point(3, 0.0) };
    let html = page(vec![unknown], vec![]);
    assert!(!html.contains("Elo by games") && html.contains("Elo by iterations") && html.contains("<td>–</td>"));
}

#[test]
fn numbers_are_short() {
    for (value, text) in [
        (0.0, "0"),
        (-0.0, "0"),
        (1_234_567.0, "1.23M"),
        (12_340.0, "12.3k"),
        (130.4, "130"),
        (1.25, "1.2"),
        (0.05, "0.05"),
    ] {
        assert_eq!(number(value), text);
    }
}
