//! What clients and sessions say to each other, over HTTP and WebSocket alike.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::clock::{ClockTerms, ClockView};
use super::seat::Seat;
use crate::analysis::Analysis;
use crate::problem::Problem;
use crate::spec::{Colour, GameSpec};
use crate::view::{Ended, Last, View};

/// Begins a session.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Create {
    /// Which rules.
    pub game: GameSpec,
    /// Who has White.
    pub white: Seat,
    /// Who has Black.
    pub black: Seat,
    /// Where it begins; the start of the game unless given.
    #[serde(default)]
    pub position: Option<String>,
    /// Clocks; none unless given.
    #[serde(default)]
    pub clock: Option<ClockTerms>,
    /// Games of a series at most, 1 to 100; 1 unless given.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 100)]
    pub series: Option<u32>,
}

/// A session that has begun.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Created {
    /// The session.
    pub session: SessionView,
    /// The tokens of its persons.
    pub tokens: Tokens,
}

/// Tokens of persons; who has one may move. A token goes with its person where the sides change.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Tokens {
    /// That of the person with White.
    pub white: Option<String>,
    /// That of the person with Black.
    pub black: Option<String>,
}

/// Takes an open seat.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Join {
    /// Which.
    pub side: Colour,
    /// The person's name, at most 40 characters.
    #[serde(default)]
    #[schema(max_length = 40)]
    pub name: Option<String>,
}

/// A seat that was taken.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Joined {
    /// The session.
    pub session: SessionView,
    /// The person's token.
    pub token: String,
}

/// What a person wants, with the person's token.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
pub struct SignedCommand {
    /// The person's token.
    pub token: String,
    /// The game of the series that is meant, as `series.number`: what comes late does nothing. The one that is played
    /// unless given.
    #[serde(default)]
    pub number: Option<u32>,
    /// What is wanted.
    #[serde(flatten)]
    pub command: Command,
}

/// What a person wants.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "lowercase", deny_unknown_fields)]
pub enum Command {
    /// Plays a turn or an action.
    Move {
        /// The session's ply: what comes twice or late does nothing.
        ply: u32,
        /// The turn or action.
        #[serde(rename = "move")]
        word: String,
        /// Whether the answer waits for the bot's move too.
        #[serde(default)]
        wait: bool,
    },
    /// Takes back to the last own decision.
    Undo {},
    /// Gives the game up.
    Resign {},
    /// Offers a draw or answers an offer.
    Draw {
        /// Which of these.
        answer: Answer,
    },
    /// Asks what a bot would play.
    Hint {},
    /// Begins the next game of a series.
    Next {},
    /// Asks for the session.
    State {},
}

/// What a person says of a draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// Offers one.
    Offer,
    /// Accepts the other's offer.
    Accept,
    /// Declines it.
    Decline,
}

/// What a command came to: the session, or a hint.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
#[expect(clippy::large_enum_variant, reason = "it is written at once")]
pub enum Reply {
    /// The session after the command.
    Session(SessionView),
    /// The answer to `hint`.
    Hint {
        /// What a bot thinks.
        hint: Analysis,
    },
}

/// A message over a WebSocket to the client.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
#[expect(clippy::large_enum_variant, reason = "it is written at once")]
pub enum Push {
    /// The session, first of all and after every change.
    State {
        /// The session.
        session: SessionView,
    },
    /// The answer to `hint`.
    Hint {
        /// The command's.
        id: Option<serde_json::Value>,
        /// What a bot thinks.
        hint: Analysis,
    },
    /// A command that failed.
    Error {
        /// The command's.
        id: Option<serde_json::Value>,
        /// Why.
        problem: Problem,
    },
}

/// Whether a game goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// A seat is open.
    Waiting,
    /// It goes on.
    Playing,
    /// It is over.
    Over,
}

/// A session as everybody may see it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct SessionView {
    /// Its name.
    pub id: String,
    /// Grows with every change.
    pub version: u64,
    /// Which rules.
    pub game: GameSpec,
    /// Who has White.
    pub white: Seat,
    /// Who has Black.
    pub black: Seat,
    /// Where the game began.
    pub start: String,
    /// Whether it goes on.
    pub status: Status,
    /// Actions so far.
    pub ply: u32,
    /// Turns so far, the last maybe unfinished.
    pub turns: Vec<String>,
    /// The position.
    pub view: View,
    /// The turn played last.
    pub last: Option<Last>,
    /// How the game ended.
    pub outcome: Option<Ended>,
    /// Whether a bot thinks about its turn.
    pub thinking: bool,
    /// Who has offered a draw.
    pub draw_offer: Option<Colour>,
    /// Who has asked to take back.
    pub undo_offer: Option<Colour>,
    /// The ply that an undo goes back to.
    pub undo_ply: Option<u32>,
    /// The clocks.
    pub clock: Option<ClockView>,
    /// The series.
    pub series: SeriesView,
}

/// A series of games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct SeriesView {
    /// Games at most.
    pub length: u32,
    /// The number of this game, from 1.
    pub number: u32,
    /// Whether the persons have the sides that they did not have in the first game, and their tokens with them.
    pub swapped: bool,
    /// Points so far.
    pub scores: Scores,
}

/// Points of who sits on the sides now: 1 for a win, half for a draw.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Scores {
    /// White's.
    pub white: f64,
    /// Black's.
    pub black: f64,
}
