//! Openings as text: one a line, or as the games of a PDN file; and the ballots of English draughts.
//!
//! A line holds turns from the start position, `9-13 21-17 5-9` or `a3-b4 f6-e5`; or a position,
//! as six fields or as the FEN of PDN, with or without `moves` and turns behind it; or `startpos`.
//! `#` begins a remark.

use damma_env::{Game, PdnGame, Side};

use crate::arena::Opening;
use crate::error::EvalError;
use crate::turn_line::{parse_turns, turn_words};

const BALLOTS: &str = include_str!("ballots.txt");

/// Reads openings, one a line.
///
/// # Errors
/// The first line that is none, or that leaves nothing to play.
///
/// ```
/// use damma_env::{Game, Ruleset};
/// let game = Game::new(Ruleset::preset("damma8")?)?;
/// let openings = damma_eval::openings_from_text(&game, "9-13 21-17\nB:WK1,K2:BK31 # an ending\n")?;
/// assert_eq!(damma_eval::opening_line(&game, &openings[0]), "b6-a5 a3-b4");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn openings_from_text(game: &Game, text: &str) -> Result<Vec<Opening>, EvalError> {
    let mut openings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let opening = parse_line(game, line).and_then(|opening| {
            opening.state(game).map_err(|fault| fault.to_string())?;
            Ok(opening)
        });
        openings.push(opening.map_err(|what| {
            let example = game.turn_text(&game.start(), &game.start().legal_actions(game)[..1]);
            EvalError::BadLine { line: index + 1, what, example }
        })?);
    }
    Ok(openings)
}

/// Reads the games of a PDN text as openings: each from its start to its last move.
///
/// # Errors
/// The first game that cannot be read or played, or that leaves nothing to play.
pub fn openings_from_pdn(game: &Game, text: &str) -> Result<Vec<Opening>, EvalError> {
    let bad = |line, what: String| EvalError::BadGame { line, what };
    let games = PdnGame::read_all(text).map_err(|error| bad(error.line, error.to_string()))?;
    let opening = |pdn: &PdnGame| {
        let replay = game.replay_pdn(pdn).map_err(|fault| bad(fault.line, fault.to_string()))?;
        let opening = Opening::from_position(game, &replay.start, &replay.turns.concat());
        opening.state(game).map_err(|fault| bad(pdn.line, fault.to_string()))?;
        Ok(opening)
    };
    games.iter().map(opening).collect()
}

/// Gives the three-move ballots of English draughts.
///
/// # Errors
/// [`EvalError::NoBallots`]: the game has another board, or rules that do not allow one of them.
pub fn ballots(game: &Game) -> Result<Vec<Opening>, EvalError> {
    if !game.has_numbered_squares() || game.ruleset().first != Side::Black {
        return Err(EvalError::NoBallots("this game is another".to_owned()));
    }
    openings_from_text(game, BALLOTS).map_err(|error| EvalError::NoBallots(error.to_string()))
}

/// Writes an opening as a line that reads back as the same.
///
/// # Panics
/// The opening cannot be played.
#[must_use]
pub fn opening_line(game: &Game, opening: &Opening) -> String {
    let start = opening.start(game).expect("an opening that can be played has a start");
    let turns = turn_words(game, &start, &opening.actions().collect::<Vec<_>>()).join(" ");
    match (opening.start_text(), turns.is_empty()) {
        (None, true) => "startpos".to_owned(),
        (None, false) => turns,
        (Some(start), true) => start.to_owned(),
        (Some(start), false) => format!("{start} moves {turns}"),
    }
}

fn parse_line(game: &Game, line: &str) -> Result<Opening, String> {
    let placed = line.split_whitespace().next().is_some_and(|word| word.contains(['/', ':']));
    let (start, turns) = if placed {
        let (position, turns) = line.split_once("moves").unwrap_or((line, ""));
        (game.parse_fen(position.trim()).map_err(|error| error.to_string())?, turns)
    } else {
        (game.start(), line.strip_prefix("startpos").unwrap_or(line))
    };
    let turns = turns.trim().strip_prefix("moves").unwrap_or(turns);
    let actions = parse_turns(game, &start, turns.split_whitespace()).map_err(|error| error.to_string())?;
    Ok(Opening::from_position(game, &start, &actions))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use damma_env::{PRESETS, Ruleset};
    use rustc_hash::FxHashSet;

    use super::*;
    use crate::{OpeningConfig, draw_openings};

    fn game(preset: &str) -> Arc<Game> {
        Game::new(Ruleset::preset(preset).unwrap()).unwrap()
    }

    #[test]
    fn every_ballot_is_legal_and_leads_somewhere_else() {
        let game = game("damma8");
        let ballots = ballots(&game).unwrap();
        let keys: FxHashSet<u64> =
            ballots.iter().map(|opening| opening.state(&game).unwrap().position().key()).collect();
        assert_eq!((ballots.len(), keys.len()), (157, 157));
        assert!(ballots.iter().all(|opening| opening.state(&game).unwrap().turns() == 3));
    }

    #[test]
    fn other_games_have_no_ballots() {
        for preset in ["zamma", "khreibga"] {
            assert!(matches!(ballots(&game(preset)), Err(EvalError::NoBallots(_))));
        }
    }

    #[test]
    fn drawn_openings_of_every_preset_come_back_from_their_lines() {
        for preset in PRESETS {
            let game = game(preset.name);
            let config = OpeningConfig { level: crate::Level::Depth(1), ..OpeningConfig::default() };
            let openings = draw_openings(&game, 8, 5, &config).unwrap().openings;
            let text: Vec<String> = openings.iter().map(|opening| opening_line(&game, opening)).collect();
            assert_eq!(openings_from_text(&game, &text.join("\n")).unwrap(), openings, "{}", preset.name);
        }
    }

    #[test]
    fn lines_of_every_form_are_read() {
        let game = game("damma8");
        let text = "# remarks\n\nstartpos\n9-13 21-17 5-9 # 1\nB:WK1,K2:BK31\n\
                    7W/8/1b6/8/8/8/8/8 b moves a1-b2\nstartpos moves d6-e5\n";
        let error = openings_from_text(&game, text).unwrap_err().to_string();
        assert!(error.starts_with("line 6: "), "{error}");

        let openings = openings_from_text(&game, &text.replace("b moves a1-b2", "w moves h8-g7")).unwrap();

        let lines: Vec<String> = openings.iter().map(|opening| opening_line(&game, opening)).collect();
        let placed = openings[2].start_text().unwrap();
        assert_eq!(lines[..3], ["startpos", "b6-a5 a3-b4 a7-b6", placed]);
        assert_eq!(lines[4], "d6-e5");
        assert!(lines[3].ends_with("moves h8-g7"));
    }

    #[test]
    fn a_bad_line_is_an_error_with_its_number_and_what_would_do() {
        let game = game("khreibga");
        let message = |text: &str| openings_from_text(&game, text).unwrap_err().to_string();
        assert!(message("startpos\nb2-c3 oops").starts_with("line 2: turn 2, `oops`: not an action"));
        assert!(message("5/5/5/5/w4 w").starts_with("line 1: the game is over"));
        assert!(message("5/5 w").starts_with("line 1: field 1 (board)"));
        assert!(message("oops").contains("such as `"));
    }

    #[test]
    fn games_of_a_pdn_text_are_openings() {
        let game = game("damma8");
        let openings = openings_from_pdn(&game, "1. 9-14 23-18 *\n[FEN \"W:WK1:BK32\"]\n1... 1-6 *\n").unwrap();
        let turns: Vec<u32> = openings.iter().map(|opening| opening.state(&game).unwrap().turns()).collect();
        assert_eq!(turns, [2, 1]);
        let error = openings_from_pdn(&game, "1. 9-14 *\n1. 9-18 *").unwrap_err().to_string();
        assert!(error.starts_with("line 2: "), "{error}");
        let over = "[FEN \"B:W22:BK17\"]\n1. 17x26 1-0\n";
        let error = openings_from_pdn(&game, over).unwrap_err().to_string();
        assert!(error.contains("over at its end; cut every game to its first moves"), "{error}");
    }
}
