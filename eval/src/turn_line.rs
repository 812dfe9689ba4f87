//! Turns in one line: what engines are told and files of openings hold.
//!
//! A turn is one word: the rules page's text with a comma where that has a space, as in
//! `a3-a4 ~d4,a3-a4 a3xa5xc7 a3xa5.`. Squares by PDN number are read too, where the board has them.

use damma_env::{Action, Game, Position, TurnErrorKind};
use thiserror::Error;

/// Which word of a line is no turn, and why.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("turn {number}, `{word}`: {reason}")]
pub struct TurnLineError {
    /// Which turn, from 1.
    pub number: usize,
    /// The word.
    pub word: String,
    /// What is wrong with it.
    pub reason: String,
}

/// Writes actions as words, one a turn; an unfinished turn at the end is one too.
///
/// # Panics
/// An action is none of the game's numbers. In debug builds, an action is not legal.
///
/// ```
/// use damma_env::{Game, Ruleset};
/// use damma_eval::{parse_turns, turn_words};
/// let game = Game::new(Ruleset::preset("damma8")?)?;
/// let actions = parse_turns(&game, &game.start(), ["d6-e5", "24-20"])?;
/// assert_eq!(turn_words(&game, &game.start(), &actions), ["d6-e5", "g3-h4"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn turn_words(game: &Game, start: &Position, actions: &[Action]) -> Vec<String> {
    let mut words = Vec::new();
    let (mut begin, mut now, mut turn) = (*start, *start, Vec::new());
    for (index, &action) in actions.iter().enumerate() {
        turn.push(action);
        now = now.play(game, action);
        if now.side() != begin.side() || index + 1 == actions.len() {
            words.push(game.turn_text(&begin, &turn).replace(' ', ","));
            turn.clear();
            begin = now;
        }
    }
    words
}

/// Reads turns, one a word, from a position on.
///
/// # Errors
/// The first word that is no complete legal turn where it stands.
pub fn parse_turns<'t>(
    game: &Game,
    start: &Position,
    words: impl IntoIterator<Item = &'t str>,
) -> Result<Vec<Action>, TurnLineError> {
    let (mut position, mut actions) = (*start, Vec::new());
    for (index, word) in words.into_iter().enumerate() {
        let turn = parse_turn(game, &position, word).map_err(|reason| TurnLineError {
            number: index + 1,
            word: word.to_owned(),
            reason,
        })?;
        position = turn.iter().fold(position, |position, &action| position.play(game, action));
        actions.extend(turn);
    }
    Ok(actions)
}

fn parse_turn(game: &Game, position: &Position, word: &str) -> Result<Vec<Action>, String> {
    let error = match game.parse_turn(position, &word.replace(',', " ")) {
        Ok(turn) => return Ok(turn),
        Err(error) => error.kind,
    };
    let numbered = game.has_numbered_squares() && error == TurnErrorKind::Malformed;
    if numbered && word.starts_with(|letter: char| letter.is_ascii_digit()) {
        return game.parse_pdn_move(position, word).map_err(|error| error.to_string());
    }
    Err(error.to_string())
}

#[cfg(test)]
mod tests {
    use damma_env::{PRESETS, Ruleset, State};
    use rand::RngExt as _;
    use rand_pcg::Pcg64;

    use super::*;

    #[test]
    fn random_games_of_every_preset_come_back_from_their_words() {
        for preset in PRESETS {
            let game = Game::new(Ruleset::preset(preset.name).unwrap()).unwrap();
            for number in 0..5 {
                let mut rng = Pcg64::new(3, number);
                let (mut state, mut actions) = (State::new(&game), Vec::new());
                while state.outcome().is_none() {
                    let legal = state.position().legal_actions(&game);
                    let action = legal[rng.random_range(0..legal.len())];
                    state.play(&game, action);
                    actions.push(action);
                }

                let words = turn_words(&game, &game.start(), &actions);

                let back = parse_turns(&game, &game.start(), words.iter().map(String::as_str)).unwrap();
                assert_eq!(back, actions, "{}", preset.name);
                assert!(words.iter().all(|word| !word.contains(' ')));
            }
        }
    }

    #[test]
    fn a_word_that_is_no_turn_is_named_with_its_place() {
        let game = Game::new(Ruleset::preset("damma8").unwrap()).unwrap();
        let fault = |words: &[&str]| parse_turns(&game, &game.start(), words.iter().copied()).unwrap_err().to_string();
        assert!(fault(&["9-14", "oops"]).starts_with("turn 2, `oops`: not an action"));
        assert!(fault(&["9-18"]).starts_with("turn 1, `9-18`: not legal here"));
        assert!(fault(&["a1-b2"]).starts_with("turn 1, `a1-b2`: not legal here"));
    }
}
