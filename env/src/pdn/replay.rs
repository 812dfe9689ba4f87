//! PDN games played through the rules.

use std::sync::Arc;

use thiserror::Error;

use super::{FenError, PdnGame, PdnMoveError, fen, header};
use crate::action::Action;
use crate::geometry::Game;
use crate::outcome::{Side, WinCause};
use crate::position::Position;
use crate::ruleset::RulesetError;

/// A game of a file that the rules allow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replay {
    /// Where it begins.
    pub start: Position,
    /// The actions of each turn.
    pub turns: Vec<Vec<Action>>,
    /// Where it ends.
    pub end: Position,
    /// Who has won on the board, and why; players also resign and agree to draws.
    pub winner: Option<(Side, WinCause)>,
}

/// Where and why a game of a file is not one that the rules allow.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}, column {column}: {}`{text}`: {reason}", if *.ply == 0 { "tag ".to_owned() } else { format!("ply {ply}, ") })]
pub struct ReplayFault {
    /// The line of the move, or where the game begins.
    pub line: usize,
    /// The column of the move in characters, from 1.
    pub column: usize,
    /// The number of the turn in the game, from 1; 0 for a tag.
    pub ply: usize,
    /// The move or the tag.
    pub text: String,
    /// What is wrong with it.
    pub reason: ReplayReason,
}

/// What can be wrong with a game of a file.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ReplayReason {
    /// The file is of another game.
    #[error("the file is of game type {found} and these rules need {expected}; choose the preset that fits")]
    GameType {
        /// The tag's value.
        found: String,
        /// What would do.
        expected: String,
    },
    /// The file's ruleset does not exist.
    #[error(transparent)]
    Ruleset(Arc<RulesetError>),
    /// The file's ruleset is another.
    #[error("the file was played with {0}; replay it with the same options")]
    OtherRuleset(String),
    /// The start position is none.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// The move cannot be played.
    #[error(transparent)]
    Move(#[from] PdnMoveError),
}

impl From<RulesetError> for ReplayReason {
    fn from(error: RulesetError) -> Self {
        Self::Ruleset(Arc::new(error))
    }
}

impl Game {
    /// Plays a game of a file from its start to its last move.
    ///
    /// Draws are not looked at: files come from games with other draw rules.
    ///
    /// # Errors
    /// The first tag or move that does not fit the rules.
    ///
    /// ```
    /// use damma_env::{Game, PdnGame, Ruleset};
    /// let game = Game::new(Ruleset::preset("damma8")?)?;
    /// let pdn = &PdnGame::read_all("1. 11-15 22-18 2. 15x22 25x18 *")?[0];
    /// assert_eq!(game.replay_pdn(pdn)?.turns.len(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn replay_pdn(&self, pdn: &PdnGame) -> Result<Replay, ReplayFault> {
        let tag_fault = |reason| {
            let tag = match reason {
                ReplayReason::GameType { .. } => "GameType",
                ReplayReason::Fen(_) => "FEN",
                ReplayReason::Ruleset(_) | ReplayReason::OtherRuleset(_) | ReplayReason::Move(_) => "Ruleset",
            };
            ReplayFault { line: pdn.line, column: 1, ply: 0, text: tag.to_owned(), reason }
        };
        header::check(self, pdn).map_err(tag_fault)?;
        let start = self.pdn_start(pdn).map_err(|error| tag_fault(error.into()))?;
        let mut end = start;
        let mut turns = Vec::with_capacity(pdn.moves.len());
        for (index, played) in pdn.moves.iter().enumerate() {
            let turn = self.parse_pdn_move(&end, &played.text).map_err(|error| ReplayFault {
                line: played.line,
                column: played.column,
                ply: index + 1,
                text: played.text.clone(),
                reason: error.into(),
            })?;
            end = turn.iter().fold(end, |position, &action| position.play(self, action));
            turns.push(turn);
        }
        Ok(Replay { start, turns, end, winner: end.winner(self) })
    }

    /// Gives the position that a game of a file starts from; the tag `[SetUp "0"]` makes that the usual one.
    ///
    /// # Errors
    /// The FEN tag is no position of this game.
    pub fn pdn_start(&self, pdn: &PdnGame) -> Result<Position, FenError> {
        match pdn.tag("FEN") {
            Some(text) if pdn.tag("SetUp") != Some("0") => fen::parse(self, text),
            _ => Ok(self.start()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdn::PdnResult;
    use crate::ruleset::Ruleset;
    use crate::state::State;

    fn damma8() -> Arc<Game> {
        Game::new(Ruleset::preset("damma8").unwrap()).unwrap()
    }

    fn fault(text: &str) -> String {
        damma8().replay_pdn(&PdnGame::read_all(text).unwrap()[0]).unwrap_err().to_string()
    }

    #[test]
    fn real_games_of_english_draughts_replay() {
        let game = damma8();
        let text = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/acf-sample.pdn"));
        let games = PdnGame::read_all(text).unwrap();
        assert_eq!(games.len(), 300);
        for pdn in &games {
            let replay = game.replay_pdn(pdn).unwrap();
            assert_eq!(replay.turns.len(), pdn.moves.len());
            assert!(replay.winner.is_none_or(|(winner, _)| pdn.winner(&game) == Some(winner)));
        }
    }

    #[test]
    fn faults_name_place_ply_move_and_reason() {
        let text = "[GameType \"21\"]\n1. 11-15 22-18\n 2. 9-14 25x18 *";
        let reason = "not legal here; legal: 15x22";
        assert_eq!(fault(text), format!("line 3, column 5: ply 3, `9-14`: {reason}"));
        assert!(fault("\n[GameType \"20\"]\n32-28 *").starts_with("line 2, column 1: tag `GameType`: the file is of"));
        assert!(fault("[SetUp \"1\"]\n[FEN \"B:W40\"]\n9-14 *").contains("tag `FEN`: `40` is no square"));
        assert!(fault("[Ruleset \"zamma\"] 9-14 *").contains("tag `Ruleset`: the file was played with size=9"));
    }

    #[test]
    fn a_game_starts_from_its_fen_tag() {
        let game = damma8();
        let pdn =
            &PdnGame::read_all("[SetUp \"1\"]\n[FEN \"W:WK1:B6,9\"]\n1... 1x10 9-14 2. 10x17 1/2-1/2").unwrap()[0];
        let replay = game.replay_pdn(pdn).unwrap();
        assert_eq!(replay.winner, Some((Side::White, WinCause::NoPieces)));
        assert_eq!(pdn.result, Some(PdnResult::Draw));
        assert!(fault("[FEN \"W:WK1:B6\"]\n1x10 9-14 *").ends_with("`9-14`: the game is over: White has won"));
    }

    #[test]
    fn a_game_goes_on_where_our_rules_would_call_it_drawn() {
        let game = damma8();
        let text = format!("[FEN \"B:WK32:BK1\"]\n{}", "1-5 32-28 5-1 28-32 ".repeat(30));
        let replay = game.replay_pdn(&PdnGame::read_all(&text).unwrap()[0]).unwrap();
        let mut state = State::from_position(&game, replay.start);
        let mut actions = replay.turns.iter().flatten();
        while state.outcome().is_none() {
            state.play(&game, *actions.next().unwrap());
        }
        assert!(actions.next().is_some() && replay.winner.is_none());
    }
}
