//! Players named in text, as commands, files and reports write them.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use crate::alphabeta::{AlphaBeta, Level};
use crate::bot_level::BotLevel;
use crate::error::EvalError;
use crate::player::{Player, RandomPlayer};

/// Which player a text names.
///
/// ```
/// use damma_eval::{Level, PlayerSpec};
/// assert_eq!("ab:d4".parse::<PlayerSpec>()?, PlayerSpec::AlphaBeta(Level::Depth(4)));
/// assert_eq!("ab:d4".parse::<PlayerSpec>()?.to_string(), "ab-4");
/// # Ok::<(), damma_eval::EvalError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlayerSpec {
    /// `random`: any legal action.
    Random,
    /// `ab-4`, `ab:d4`, `ab:n10000`: the baseline at a level.
    AlphaBeta(Level),
    /// `mcts:PATH`, `mcts:PATH@200`, `mcts:PATH@500ms` or `mcts:PATH@level3`: tree search with a network.
    Checkpoint {
        /// Where the checkpoint is.
        path: PathBuf,
        /// Simulations a decision; without it, what whoever makes the player says.
        simulations: Option<u32>,
        /// Milliseconds a decision, instead of simulations.
        milliseconds: Option<u32>,
        /// A level of play instead of simulations.
        level: Option<BotLevel>,
    },
    /// `engine:COMMAND`: a program that speaks UGI.
    Engine {
        /// The program and its arguments, as a shell would take them.
        command: String,
    },
}

impl PlayerSpec {
    /// Makes the player, where that needs no checkpoint and no program.
    ///
    /// # Errors
    /// [`EvalError::NeedsCheckpoint`] or [`EvalError::NeedsProcess`]: whoever can load the network
    /// or start the program must make that player.
    pub fn build(&self) -> Result<Box<dyn Player>, EvalError> {
        match self {
            Self::Random => Ok(Box::new(RandomPlayer::new())),
            Self::AlphaBeta(level) => Ok(Box::new(AlphaBeta::new(*level))),
            Self::Checkpoint { path, .. } => {
                Err(EvalError::NeedsCheckpoint { path: path.to_string_lossy().into_owned() })
            }
            Self::Engine { command } => Err(EvalError::NeedsProcess { command: command.clone() }),
        }
    }
}

impl FromStr for PlayerSpec {
    type Err = EvalError;

    fn from_str(text: &str) -> Result<Self, EvalError> {
        let unknown = || EvalError::UnknownPlayer { text: text.to_owned() };
        if text == "random" {
            return Ok(Self::Random);
        }
        if let Some(command) = text.strip_prefix("engine:") {
            let command = command.trim().to_owned();
            return if command.is_empty() { Err(unknown()) } else { Ok(Self::Engine { command }) };
        }
        let Some(checkpoint) = text.strip_prefix("mcts:") else {
            return text.parse().map(Self::AlphaBeta).map_err(|_| unknown());
        };
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let number = |text: &str| text.parse().ok().filter(|count: &u32| *count > 0).ok_or_else(unknown).map(Some);
        let mut level = None;
        let (path, simulations, milliseconds) = match checkpoint.rsplit_once('@') {
            Some((path, count)) if is_number(count) => (path, number(count)?, None),
            Some((path, word)) if word.strip_prefix("level").is_some_and(is_number) => {
                let number = word.trim_start_matches("level").parse().map_err(|_| unknown())?;
                level = Some(BotLevel::new(number).map_err(|_| unknown())?);
                (path, None, None)
            }
            Some((path, time)) if time.strip_suffix("ms").is_some_and(is_number) => {
                (path, None, number(time.trim_end_matches("ms"))?)
            }
            _ => (checkpoint, None, None),
        };
        if path.is_empty() {
            return Err(unknown());
        }
        Ok(Self::Checkpoint { path: PathBuf::from(path), simulations, milliseconds, level })
    }
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random => f.write_str("random"),
            Self::AlphaBeta(level) => level.fmt(f),
            Self::Checkpoint { path, simulations, milliseconds, level } => {
                write!(f, "mcts:{}", path.display())?;
                simulations.map_or(Ok(()), |count| write!(f, "@{count}"))?;
                milliseconds.map_or(Ok(()), |time| write!(f, "@{time}ms"))?;
                level.map_or(Ok(()), |level| write!(f, "@level{}", level.number()))
            }
            Self::Engine { command } => write!(f, "engine:{command}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_reads_back_from_its_text() {
        for text in [
            "random",
            "ab-1",
            "ab-12",
            "ab:d14",
            "ab:n10000",
            "ab:t500",
            "mcts:runs/a",
            "mcts:runs/a@b@200",
            "mcts:runs/a@500ms",
            "mcts:runs/a@level10",
            "engine:damma engine --level ab-2",
        ] {
            let spec: PlayerSpec = text.parse().unwrap();
            assert_eq!(spec.to_string(), text);
        }
        let spec: PlayerSpec = "mcts:runs/a@b@200".parse().unwrap();
        assert_eq!(
            spec,
            PlayerSpec::Checkpoint { path: "runs/a@b".into(), simulations: Some(200), milliseconds: None, level: None }
        );
    }

    #[test]
    fn a_text_that_names_nobody_is_an_error_that_says_what_would() {
        for text in [
            "",
            "ab",
            "ab-0",
            "ab-33",
            "ab:d0",
            "ab:n0",
            "ab:n-1",
            "ab:t0",
            "mcts:",
            "mcts:@5",
            "mcts:a@0",
            "mcts:a@0ms",
            "mcts:a@level0",
            "mcts:a@level11",
            "engine: ",
            "Random",
        ] {
            let error = text.parse::<PlayerSpec>().unwrap_err();
            assert!(error.to_string().contains("ab-1 to ab-12"), "{text}: {error}");
        }
    }
}
