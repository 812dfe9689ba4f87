//! Who plays: names and programs of the command line made into players.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use clap::Args;
use damma_env::{EndgameTables, Game, Ruleset};
use damma_eval::{EngineBudget, EnginePlayer, Player, PlayerSpec};
use damma_trainer::{Checkpoint, learner};

use crate::contest;

/// Pairs that are played together where no program plays: enough for a network's batches, few
/// enough that a kill costs little.
const TOGETHER: usize = 64;

/// Seconds of a day: longer nobody waits for a program.
const A_DAY: u64 = 86_400;

/// Programs that play, and how long they may think.
#[derive(Clone, Debug, Args)]
pub struct ProgramArgs {
    /// Give a program a name to use as A or B; may be repeated.
    #[arg(long, value_name = "NAME=COMMAND", help_heading = "Engines")]
    pub engine: Vec<String>,
    /// Milliseconds a turn of a program; two seconds late, and it has lost.
    #[arg(long, value_name = "MILLISECONDS", help_heading = "Engines")]
    pub time: Option<u64>,
    /// Nodes a decision of a program.
    #[arg(long, value_name = "COUNT", help_heading = "Engines")]
    pub nodes: Option<u64>,
    /// Depth of a program's search.
    #[arg(long, value_name = "TURNS", help_heading = "Engines")]
    pub depth: Option<u32>,
    /// Seconds after which a program that was told no time has lost.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, help_heading = "Engines")]
    pub patience: u64,
    /// Games at once, an even number, each with a copy of the program.
    #[arg(long, value_name = "COUNT", default_value_t = 2, help_heading = "Engines")]
    pub concurrency: usize,
}

impl ProgramArgs {
    /// Finds who the two names of the command line mean.
    ///
    /// # Errors
    /// Nobody, an --engine is written wrongly, takes a name that is taken or is not used, or a number
    /// is out of range.
    pub fn entrants(&self, names: [&str; 2]) -> anyhow::Result<[Entrant; 2]> {
        let engines = self.engines()?;
        if let Some((own, _)) = engines.iter().find(|(own, _)| !names.contains(own)) {
            bail!("--engine {own}=...: neither player is {own}; name it as A or B, or leave it out");
        }
        let entrant = |name: &str| -> anyhow::Result<Entrant> {
            let spec = match engines.iter().find(|(own, _)| *own == name) {
                Some((_, command)) => PlayerSpec::Engine { command: (*command).to_owned() },
                None => name.parse()?,
            };
            Ok(Entrant { name: name.to_owned(), spec })
        };
        let [a, b] = [entrant(names[0])?, entrant(names[1])?];
        self.check(&[&a, &b])?;
        Ok([a, b])
    }

    /// Lists names and commands.
    fn engines(&self) -> anyhow::Result<Vec<(&str, &str)>> {
        let mut engines: Vec<(&str, &str)> = Vec::new();
        for engine in &self.engine {
            let Some((own, command)) =
                engine.split_once('=').filter(|(own, command)| !own.is_empty() && !command.is_empty())
            else {
                bail!("--engine {engine}: write NAME=COMMAND, such as mine='./engine --quiet'");
            };
            ensure!(
                own.parse::<PlayerSpec>().is_err(),
                "--engine {engine}: {own} is a player already; give another name"
            );
            ensure!(engines.iter().all(|(other, _)| *other != own), "--engine {engine}: {own} is given twice");
            engines.push((own, command));
        }
        Ok(engines)
    }

    /// Checks that the numbers are in range, and that somebody uses them.
    ///
    /// # Errors
    /// The first that is not.
    fn check(&self, entrants: &[&Entrant]) -> anyhow::Result<()> {
        let given = self.time.is_some() || self.nodes.is_some() || self.depth.is_some();
        let used = entrants.iter().any(|entrant| entrant.is_engine());
        ensure!(used || !given, "--time, --nodes and --depth are for engines, and neither player is one");
        ensure!(
            self.time != Some(0) && self.nodes != Some(0) && self.depth != Some(0),
            "--time, --nodes and --depth begin at 1"
        );
        ensure!(
            self.time.is_none_or(|time| time <= 1_000 * A_DAY),
            "--time {}: give milliseconds up to {}, a day",
            self.time.unwrap_or(0),
            1_000 * A_DAY
        );
        ensure!(
            (1..=A_DAY).contains(&self.patience),
            "--patience {}: give seconds from 1 to {A_DAY}, a day",
            self.patience
        );
        ensure!(
            (2..=256).contains(&self.concurrency) && self.concurrency.is_multiple_of(2),
            "--concurrency {}: give an even number from 2 to 256, since openings are played in pairs",
            self.concurrency
        );
        Ok(())
    }

    /// Says how many pairs are played together.
    #[must_use]
    pub fn together(&self, entrants: &[&Entrant]) -> usize {
        if entrants.iter().any(|entrant| entrant.is_engine()) { self.concurrency / 2 } else { TOGETHER }
    }

    /// Gives what an engine is told.
    #[must_use]
    pub fn budget(&self) -> EngineBudget {
        EngineBudget {
            time: self.time.map(Duration::from_millis),
            nodes: self.nodes,
            depth: self.depth,
            patience: Duration::from_secs(self.patience),
        }
    }
}

/// Who plays: the name of the command line, and what it means.
#[derive(Clone, Debug)]
pub struct Entrant {
    name: String,
    spec: PlayerSpec,
}

impl Entrant {
    /// Says whether a program plays.
    #[must_use]
    pub const fn is_engine(&self) -> bool {
        matches!(self.spec, PlayerSpec::Engine { .. })
    }

    /// Gives the program that plays, if one does.
    #[must_use]
    pub fn command(&self) -> Option<&str> {
        match &self.spec {
            PlayerSpec::Engine { command } => Some(command),
            PlayerSpec::Random | PlayerSpec::AlphaBeta(_) | PlayerSpec::Checkpoint { .. } => None,
        }
    }

    /// Makes the player; a program is started, and knows nothing of the tables.
    ///
    /// # Errors
    /// The checkpoint is damaged or of another game, or the program is no engine.
    pub fn player(
        &self,
        game: &Game,
        simulations: u32,
        engines: &ProgramArgs,
        tables: Option<&Arc<EndgameTables>>,
    ) -> anyhow::Result<Box<dyn Player>> {
        match &self.spec {
            PlayerSpec::Engine { command } => {
                Ok(Box::new(EnginePlayer::start(&self.name, command, game, engines.budget())?))
            }
            _ => contest::player(&self.name, game, simulations, tables),
        }
    }

    /// Gives the checksum of the network that plays, if one does.
    ///
    /// # Errors
    /// The checkpoint cannot be opened.
    pub fn network(&self) -> anyhow::Result<Option<u32>> {
        let Some(checkpoint) = self.checkpoint()? else { return Ok(None) };
        let file = checkpoint.state.files.iter().find(|file| file.name == learner::MODEL_FILE);
        Ok(Some(file.with_context(|| format!("{} names no network", checkpoint.path.display()))?.crc32))
    }

    fn checkpoint(&self) -> anyhow::Result<Option<Checkpoint>> {
        match &self.spec {
            PlayerSpec::Checkpoint { path, .. } => Ok(Some(Checkpoint::open(path)?)),
            PlayerSpec::Random | PlayerSpec::AlphaBeta(_) | PlayerSpec::Engine { .. } => Ok(None),
        }
    }
}

/// Finds the rules of the first player that has some.
///
/// # Errors
/// A checkpoint cannot be opened.
pub fn own_rules(entrants: &[&Entrant]) -> anyhow::Result<Option<Ruleset>> {
    for entrant in entrants {
        if let Some(checkpoint) = entrant.checkpoint()? {
            return Ok(Some(checkpoint.ruleset().clone()));
        }
    }
    Ok(None)
}
