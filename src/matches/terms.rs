//! The terms of a match: all that its games depend on, so that a match is only gone on with as it
//! was begun.

use damma_env::{EndgameTables, Game, Ruleset};
use damma_eval::{Opening, Order, Sprt, VERSION};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::MatchArgs;
use super::players::Entrant;

/// All that the games of a match depend on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Terms {
    /// The first player.
    a: String,
    /// The second player.
    b: String,
    /// Checksums of their networks.
    networks: [Option<u32>; 2],
    /// Their programs.
    engines: [Option<String>; 2],
    /// What programs are told.
    budget: Option<String>,
    /// Seconds after which programs that are told no time have lost.
    patience: Option<u64>,
    /// The version of the baseline.
    baseline: String,
    /// The rules.
    ruleset: Ruleset,
    /// The seed.
    seed: u64,
    /// How many games.
    games: usize,
    /// Whether the winner has White in the next game.
    series: bool,
    /// Pieces up to which the players know tables, and whether games end there.
    tables: Option<(usize, bool)>,
    /// The test that may end the match.
    sprt: Option<Sprt>,
    /// Pairs played together.
    together: usize,
    /// Checksum of the openings.
    openings: u32,
    /// Whether the choices' times and opinions are kept.
    thoughts: bool,
}

impl Terms {
    /// Notes the terms of a match.
    ///
    /// # Errors
    /// A checkpoint cannot be opened.
    pub fn new(
        args: &MatchArgs,
        game: &Game,
        entrants: [&Entrant; 2],
        [a, b]: [String; 2],
        openings: &[Opening],
        order: Order,
        tables: Option<&EndgameTables>,
    ) -> anyhow::Result<Self> {
        let (games, together) = match order {
            Order::Pairs { together } => (2 * openings.len(), together),
            Order::Series { games } => (games, 1),
        };
        let programs = entrants.iter().any(|entrant| entrant.is_engine());
        Ok(Self {
            a,
            b,
            networks: [entrants[0].network()?, entrants[1].network()?],
            engines: entrants.map(|entrant| entrant.command().map(str::to_owned)),
            budget: programs.then(|| args.programs.budget().to_string()),
            patience: (programs && args.programs.time.is_none()).then_some(args.programs.patience),
            baseline: VERSION.to_owned(),
            ruleset: game.ruleset().clone(),
            seed: args.seed,
            games,
            series: args.series,
            tables: tables.map(|tables| (tables.covered(), args.tables.adjudicate)),
            sprt: args.sprt,
            together,
            openings: crc32fast::hash(&serde_json::to_vec(openings)?),
            thoughts: args.thoughts,
        })
    }

    /// Says in what these terms differ from older ones, for people.
    #[must_use]
    pub fn difference(&self, older: &Self) -> String {
        let text = |terms: &Self| serde_json::to_value(terms).unwrap_or(Value::Null);
        let (new, old) = (text(self), text(older));
        let fields = new.as_object().into_iter().flatten();
        let other = fields.filter(|(name, value)| old.get(name) != Some(value));
        let said = other.map(|(name, value)| match name.as_str() {
            "openings" => "the openings are others".to_owned(),
            "networks" => "the network of a checkpoint is another".to_owned(),
            "ruleset" => "the rules are others".to_owned(),
            name => format!("{} was {} and is {value}", asked_by(name), old[name]),
        });
        said.collect::<Vec<_>>().join("; ")
    }
}

/// Gives the words of the command line that a term comes from.
fn asked_by(term: &str) -> &str {
    match term {
        "a" => "player A",
        "b" => "player B",
        "engines" => "the engine's command",
        "budget" => "what engines are told (--time, --nodes, --depth)",
        "together" => "the number of pairs played together (half of --concurrency)",
        "tables" => "what the tables cover (--tables, --adjudicate)",
        other => other,
    }
}
