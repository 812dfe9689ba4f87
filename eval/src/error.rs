//! What can go wrong in an evaluation, with what the reader needs to mend it.

use thiserror::Error;

use crate::arena::OpeningFault;

/// Why players, openings, a match or a rating could not be made.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum EvalError {
    /// A text names no player.
    #[error(
        "`{text}` names no player; use random, ab-1 to ab-12, ab:dDEPTH, ab:nNODES, ab:tMILLISECONDS, mcts:PATH[@SIMULATIONS, @TIMEms or @levelN] or engine:COMMAND"
    )]
    UnknownPlayer {
        /// What was asked for.
        text: String,
    },
    /// A text names no level of the baseline.
    #[error(
        "`{text}` is no level of the baseline; use ab-1 to ab-12, ab:dDEPTH (1 to 32), ab:nNODES or ab:tMILLISECONDS (at least 1)"
    )]
    UnknownLevel {
        /// What was asked for.
        text: String,
    },
    /// A player from a checkpoint was asked of this crate's texts alone.
    #[error("`{path}` is a checkpoint: its network must be loaded before it can play")]
    NeedsCheckpoint {
        /// Where the checkpoint is.
        path: String,
    },
    /// Random play found too few different openings.
    #[error("only {found} of {wanted} openings were found in {turns} random turns; ask for fewer, or for more turns")]
    TooFewOpenings {
        /// How many were asked for.
        wanted: usize,
        /// How many there are.
        found: usize,
        /// The range of turns, as text.
        turns: String,
    },
    /// An opening cannot be played.
    #[error("opening {number} cannot be played: {fault}")]
    BadOpening {
        /// Its number, from 0.
        number: usize,
        /// What is wrong with it.
        fault: OpeningFault,
    },
    /// A line of a file of openings is none.
    #[error("line {line}: {what}; write moves from the start such as `{example}`, or a position and `moves ...`")]
    BadLine {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        what: String,
        /// A line that would do.
        example: String,
    },
    /// A game of a PDN file is no opening.
    #[error("line {line}: {what}; cut every game to its first moves, which are the opening, such as `1. 9-14 23-18 *`")]
    BadGame {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// The ballots are openings of another game.
    #[error(
        "the three-move ballots are openings of English draughts: they need 8x8, played on the diagonals, Black first, as in damma8 ({0})"
    )]
    NoBallots(String),
    /// A player that is a program was asked of this crate's texts alone.
    #[error("`{command}` is a program: only `damma match` starts it")]
    NeedsProcess {
        /// How it is started.
        command: String,
    },
    /// A program does not work as an engine.
    #[error("engine `{command}`: {what}; give a program that speaks UGI, as `damma engine` does")]
    Engine {
        /// How it was started.
        command: String,
        /// What went wrong.
        what: String,
    },
    /// A player answered with the wrong number of actions.
    #[error("{player} gave {found} actions for {wanted} games")]
    WrongCount {
        /// Its name.
        player: String,
        /// How many it was asked for.
        wanted: usize,
        /// How many it gave.
        found: usize,
    },
    /// A player chose an action that is not legal.
    #[error("{player} chose action {action}, which is not legal in `{position}`")]
    IllegalChoice {
        /// Its name.
        player: String,
        /// The action's number.
        action: u16,
        /// The position as text.
        position: String,
    },
    /// A rating was asked for without a result or without an anchor.
    #[error(
        "no result connects {name} with the anchor {anchor}, so there is no rating; add a match between the two sides, or choose another anchor"
    )]
    Unconnected {
        /// Who; several names are parted by commas.
        name: String,
        /// Whose rating is given.
        anchor: String,
    },
    /// A rating list was asked for with an anchor that played no game.
    #[error("the anchor {anchor} has no result; choose one of {players}")]
    NoAnchor {
        /// Whose rating was to be given.
        anchor: String,
        /// Who has results.
        players: String,
    },
    /// A sequential test cannot be made so.
    #[error("no sequential test: {reason}")]
    BadSprt {
        /// What is wrong and what would be right.
        reason: String,
    },
}
