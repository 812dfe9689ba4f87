//! Endgame tables in a match: players look positions up, and games may end where all is known.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use damma_env::{EndgameTables, Game};

use crate::contest;

/// Which tables are there, and whether they end games.
#[derive(Clone, Debug, Args)]
pub struct TableArgs {
    /// Endgame tables, made by `damma solve`, that players of this program look up.
    #[arg(long, value_name = "DIR", help_heading = "Endgame tables")]
    pub tables: Option<PathBuf>,
    /// Break games off where the tables know the result.
    #[arg(long, requires = "tables", help_heading = "Endgame tables")]
    pub adjudicate: bool,
}

impl TableArgs {
    /// Loads the tables, if there are any.
    ///
    /// # Errors
    /// They are of other rules, or damaged.
    pub fn load(&self, game: &Game) -> anyhow::Result<Option<Arc<EndgameTables>>> {
        self.tables.as_deref().map(|path| contest::tables(path, game)).transpose()
    }
}
