//! On which terms ratings are played: those of a run's config, or what the command line says instead.

use clap::Args;
use damma_trainer::config::EvaluationConfig;

use crate::contest;

/// What the command line may say instead of `[evaluation]` in the config.
#[derive(Debug, Args)]
pub struct TermsArgs {
    /// Opponents, separated by commas, instead of the config's: random, ab-1 to ab-12, ab:nNODES.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    opponents: Option<Vec<String>>,
    /// Games against each, an even number, instead of the config's.
    #[arg(long, value_name = "COUNT")]
    games: Option<usize>,
    /// Simulations a decision, instead of the config's.
    #[arg(long, value_name = "COUNT")]
    simulations: Option<u32>,
}

impl TermsArgs {
    /// Puts the arguments on top of a config's terms.
    ///
    /// # Errors
    /// A count is out of range, or an opponent's name means nobody.
    pub fn over(&self, config: &EvaluationConfig) -> anyhow::Result<EvaluationConfig> {
        let mut terms = config.clone();
        if let Some(names) = &self.opponents {
            terms.opponents = names.iter().map(|name| name.trim().to_owned()).collect();
        }
        terms.games = self.games.unwrap_or(terms.games);
        terms.simulations = self.simulations.unwrap_or(terms.simulations);
        contest::check(terms.games, terms.simulations)?;
        contest::check_names(&terms.opponents)?;
        Ok(terms)
    }
}
