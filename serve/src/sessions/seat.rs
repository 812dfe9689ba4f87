//! Who sits where: a person with a secret, nobody yet, or a bot.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;
use utoipa::ToSchema;

/// The longest name of a person.
pub const LONGEST_NAME: usize = 40;

/// Who sits on a side.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Seat {
    /// A person.
    Human {
        /// The person's name, at most 40 characters.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(max_length = 40)]
        name: Option<String>,
    },
    /// Nobody yet; whoever has the session's id may join.
    Open {},
    /// A bot, or the baseline.
    Bot {
        /// Its name.
        #[schema(example = "zamma")]
        bot: String,
        /// Its level of play, 1 to 10.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(minimum = 1, maximum = 10)]
        level: Option<u8>,
        /// Simulations of a decision, in place of a level.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(minimum = 1, maximum = 60000)]
        visits: Option<u32>,
        /// Time of a decision, in place of a level.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(minimum = 1, maximum = 60000)]
        milliseconds: Option<u32>,
    },
}

impl Seat {
    /// Says what to call who sits here.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Human { name } => name.clone().unwrap_or_else(|| "?".to_owned()),
            Self::Open {} => "?".to_owned(),
            Self::Bot { bot, level: Some(level), .. } => format!("{bot} level {level}"),
            Self::Bot { bot, .. } => bot.clone(),
        }
    }
}

/// A seat with what only the server knows of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Taken {
    /// Who sits there.
    pub seat: Seat,
    /// The digest of the person's token.
    pub secret: Option<String>,
    /// Half points in the series.
    pub points: u32,
}

impl Taken {
    /// Takes a seat, and gives the token if a person sits there.
    #[must_use]
    pub fn new(seat: Seat) -> (Self, Option<String>) {
        let token = matches!(seat, Seat::Human { .. }).then(random_word);
        (Self { seat, secret: token.as_deref().map(digest), points: 0 }, token)
    }

    /// Says whether a token is this person's; takes as long whatever the token.
    #[must_use]
    pub fn is_of(&self, token: &str) -> bool {
        self.secret.as_ref().is_some_and(|secret| secret.as_bytes().ct_eq(digest(token).as_bytes()).into())
    }
}

/// Makes a word that nobody guesses: 128 bits.
#[must_use]
pub fn random_word() -> String {
    format!("{:032x}", rand::random::<u128>())
}

/// Gives the digest that a token is kept as.
fn digest(token: &str) -> String {
    format!("{:x}", Sha256::digest(token.as_bytes()))
}
