//! Rating checkpoints, and remembering what was played.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use damma_env::Game;
use damma_eval::{EloReport, Ladder, MatchGame, MatchReport, MctsPlayer, PlayerSpec, VERSION};
use damma_trainer::Checkpoint;
use damma_trainer::checkpoint::{self, RunState};
use damma_trainer::config::EvaluationConfig;
use damma_trainer::learner::MODEL_FILE;
use serde::{Deserialize, Serialize};

use super::pace::Pace;
use super::{ladder, lock, round};
use crate::contest::{self, Terms};
use crate::files;

/// The file of ratings in a run's folder, or beside a checkpoint that was given away.
pub const FILE: &str = "elo.json";

/// A rated checkpoint.
#[derive(Clone, Serialize, Deserialize)]
pub struct Rated {
    /// The iteration after which it was made.
    pub iteration: u64,
    /// Simulations a decision.
    pub simulations: u32,
    /// Checksum of the network, so that no other is taken for it.
    pub crc32: u32,
    /// What training had done by then.
    #[serde(default)]
    pub training: Training,
    /// The matches and the rating.
    #[serde(flatten)]
    pub report: EloReport,
    /// Some games of each match.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub samples: Vec<Sample>,
}

/// What training had done when a checkpoint was made.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
pub struct Training {
    /// Self-play games.
    pub games: u64,
    /// Seconds of training.
    pub elapsed_seconds: f64,
    /// CPU seconds of training; 0 where they were not measured.
    pub cpu_seconds: f64,
}

/// Games of a match.
#[derive(Clone, Serialize, Deserialize)]
pub struct Sample {
    /// The opponent.
    pub opponent: String,
    /// The games; the checkpoint is the first player.
    pub games: Vec<MatchGame>,
}

/// Rates checkpoints and remembers what was played.
pub struct Rater<'g> {
    run: PathBuf,
    file: PathBuf,
    game: &'g Game,
    terms: EvaluationConfig,
    ladder: Ladder,
    pace: &'g Pace,
}

impl<'g> Rater<'g> {
    /// Reads what was played before and plays what the ladder still needs.
    ///
    /// # Errors
    /// A file of ratings is damaged or cannot be written, or an opponent's name means nobody.
    pub fn new(run: &Path, game: &'g Game, mut terms: EvaluationConfig, pace: &'g Pace) -> anyhow::Result<Self> {
        let file = run.join(FILE);
        known(&file)?;
        // Before hours of play whose result could not be kept.
        files::check(&file)?;
        // Every opponent once, by the one name that the ladder knows: `ab:d4` is `ab-4`.
        let mut opponents = Vec::new();
        for opponent in &terms.opponents {
            let name = opponent.parse::<PlayerSpec>()?.to_string();
            if !opponents.contains(&name) {
                opponents.push(name);
            }
        }
        terms.opponents = opponents;
        let ladder = ladder::ladder(run, game, &terms, pace)?;
        Ok(Self { run: run.to_owned(), file, game, terms, ladder, pace })
    }

    /// Rates a checkpoint; says also whether a match had to be played for it.
    ///
    /// # Errors
    /// The checkpoint is of another game, an opponent cannot play, or the ratings cannot be written.
    pub fn rate(&self, checkpoint: &Checkpoint) -> anyhow::Result<(Rated, bool)> {
        let state = &checkpoint.state;
        let simulations = self.terms.simulations;
        let mut player = MctsPlayer::new(checkpoint, self.game, simulations)?;
        let name = format!("checkpoint {}, {simulations} simulations", state.iteration);
        let mut rated = Rated {
            iteration: state.iteration,
            simulations,
            crc32: network_sum(state),
            training: Training {
                games: state.games,
                elapsed_seconds: state.elapsed_seconds,
                cpu_seconds: state.cpu_seconds,
            },
            report: EloReport::new(&name, Vec::new(), self.ladder.clone()),
            samples: Vec::new(),
        };
        let old = known(&self.file)?.into_iter().find(|old| old.is_of(state.iteration, simulations));
        let (mut matches, samples) = old
            .filter(|old| old.crc32 == rated.crc32)
            .map_or_else(Default::default, |old| (old.report.matches, old.samples));
        matches.retain(|report| self.is_ours(report));
        rated.samples = samples;
        let mut new = false;
        for opponent in &self.terms.opponents {
            let wanted = self.terms.games as u32;
            if matches.iter().any(|report| report.b == *opponent && report.total.games() >= wanted) {
                continue;
            }
            let mut other = contest::player(opponent, self.game, simulations, None)?;
            let terms = Terms { games: self.terms.games, seed: 1 };
            let (mut report, games) = round::play(self.game, &mut player, other.as_mut(), terms, self.pace)?;
            report.a.clone_from(&name);
            report.b.clone_from(opponent);
            matches.retain(|report| report.b != *opponent);
            matches.push(report);
            rated.samples.retain(|sample| sample.opponent != *opponent);
            rated.samples.push(Sample { opponent: opponent.clone(), games });
            // Kept after each match: a kill costs no more than the match in hand.
            rated.report = EloReport::new(&name, matches.clone(), self.ladder.clone());
            self.keep(&rated)?;
            new = true;
        }
        rated.report = EloReport::new(&name, matches, self.ladder.clone());
        self.keep(&rated)?;
        Ok((rated, new))
    }

    /// Gives all ratings of these rules, baseline and simulations by the present ladder, oldest first;
    /// not those of a network that another one has taken the place of.
    ///
    /// # Errors
    /// The file is damaged.
    pub fn all(&self) -> anyhow::Result<Vec<Rated>> {
        let mut all = known(&self.file)?;
        all.retain(|rated| rated.simulations == self.terms.simulations);
        // Where the checkpoint is gone the rating is all that is left of it.
        all.retain(|rated| {
            let state = checkpoint::read_state(&checkpoint::folder(&self.run, rated.iteration));
            state.map_or(true, |state| network_sum(&state) == rated.crc32)
        });
        for rated in &mut all {
            let mut matches = std::mem::take(&mut rated.report.matches);
            matches.retain(|report| self.is_ours(report));
            rated.report = EloReport::new(&rated.report.player, matches, self.ladder.clone());
        }
        all.retain(|rated| !rated.report.matches.is_empty());
        Ok(all)
    }

    /// Lists the iterations whose checkpoints, those of [`Rater::all`], have all their games against
    /// every opponent.
    ///
    /// # Errors
    /// The file is damaged.
    pub fn complete(&self) -> anyhow::Result<BTreeSet<u64>> {
        let wanted = self.terms.games as u32;
        let is_complete = |rated: &Rated| {
            let has = |opponent: &String| {
                rated.report.matches.iter().any(|report| report.b == *opponent && report.total.games() >= wanted)
            };
            self.terms.opponents.iter().all(has)
        };
        Ok(self.all()?.iter().filter(|rated| is_complete(rated)).map(|rated| rated.iteration).collect())
    }

    /// Gives the terms.
    pub const fn terms(&self) -> &EvaluationConfig {
        &self.terms
    }

    /// Gives the game.
    pub const fn game(&self) -> &Game {
        self.game
    }

    fn is_ours(&self, report: &MatchReport) -> bool {
        report.baseline == VERSION && report.ruleset == *self.game.ruleset()
    }

    /// Writes a rating among the others, one a line; they are read anew under a lock, since a
    /// training run and `damma elo` may both rate, even the same checkpoint.
    fn keep(&self, rated: &Rated) -> anyhow::Result<()> {
        let _lock = lock::take(&self.run)?;
        let mut all = known(&self.file)?;
        let mut rated = rated.clone();
        if let Some(other) = all.iter().find(|other| other.is_of(rated.iteration, rated.simulations)) {
            rated.merge(other, |report| self.is_ours(report));
            rated.report = EloReport::new(&rated.report.player, rated.report.matches, self.ladder.clone());
        }
        all.retain(|other| !other.is_of(rated.iteration, rated.simulations));
        all.push(rated);
        all.sort_by_key(|rated| (rated.iteration, rated.simulations));
        let mut bytes = b"[\n".to_vec();
        for (number, rated) in all.iter().enumerate() {
            bytes.extend(if number > 0 { b",\n".as_slice() } else { b"" });
            serde_json::to_writer(&mut bytes, rated)?;
        }
        writeln!(bytes, "\n]")?;
        files::write_beside(&self.file, &bytes)
    }
}

impl Rated {
    const fn is_of(&self, iteration: u64, simulations: u32) -> bool {
        self.iteration == iteration && self.simulations == simulations
    }

    /// Takes over what was played of the same network elsewhere: of each opponent the match with
    /// more games, this one's where they are equal.
    fn merge(&mut self, other: &Self, counts: impl Fn(&MatchReport) -> bool) {
        if self.crc32 != other.crc32 {
            return;
        }
        for theirs in other.report.matches.iter().filter(|report| counts(report)) {
            let own = self.report.matches.iter().position(|own| own.b == theirs.b);
            match own {
                Some(place) if self.report.matches[place].total.games() >= theirs.total.games() => continue,
                Some(place) => self.report.matches[place] = theirs.clone(),
                None => self.report.matches.push(theirs.clone()),
            }
            self.samples.retain(|sample| sample.opponent != theirs.b);
            self.samples.extend(other.samples.iter().find(|sample| sample.opponent == theirs.b).cloned());
        }
    }
}

/// Gives the checksum of a checkpoint's network.
pub fn network_sum(state: &RunState) -> u32 {
    state.files.iter().find(|file| file.name == MODEL_FILE).map_or(0, |file| file.crc32)
}

/// Gives what a run's folder knows of the strength of a checkpoint's network, one rating for each
/// number of simulations.
///
/// # Errors
/// The file of ratings is damaged.
pub fn ratings_of(run: &Path, state: &RunState) -> anyhow::Result<Vec<Rated>> {
    let mut all = known(&run.join(FILE))?;
    all.retain(|rated| rated.iteration == state.iteration && rated.crc32 == network_sum(state));
    Ok(all)
}

/// Reads the ratings in a file; none if there is no file.
fn known(file: &Path) -> anyhow::Result<Vec<Rated>> {
    let Some(bytes) = files::read_if_there(file)? else { return Ok(Vec::new()) };
    serde_json::from_slice(&bytes).with_context(|| format!("{} is damaged; remove it to rate anew", file.display()))
}
