//! What can go wrong in an evaluation, with what the reader needs to mend it.

use thiserror::Error;

/// Why players, openings, a match or a rating could not be made.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum EvalError {
    /// A text names no player.
    #[error("`{text}` names no player; use random, ab-1 to ab-8, ab:dDEPTH, ab:nNODES or mcts:PATH[@SIMULATIONS]")]
    UnknownPlayer {
        /// What was asked for.
        text: String,
    },
    /// A text names no level of the baseline.
    #[error("`{text}` is no level of the baseline; use ab-1 to ab-8, ab:dDEPTH (1 to 32) or ab:nNODES (at least 1)")]
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
    #[error("opening {number} cannot be played: action {ply} ({action}) is not legal, or the game is over")]
    BadOpening {
        /// Its number, from 0.
        number: usize,
        /// Which of its actions, from 0; the number of its actions where the game is over at its end.
        ply: usize,
        /// The action's number; 0 where the game is over at its end.
        action: u16,
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
