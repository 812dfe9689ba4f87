//! How the search explores.

use serde::{Deserialize, Serialize};

use crate::keys::{self, SettingError};

/// How the search chooses where to look and what it recommends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Algorithm {
    /// PUCT with noise at the root, as in `AlphaZero`; recommends by visits.
    Puct,
    /// Gumbel `AlphaZero` (Danihelka et al. 2022): sequential halving at the root, and a policy that is
    /// better than the priors at any number of simulations.
    Gumbel,
}

/// Settings of the search. Defaults follow `AlphaZero` (Silver et al. 2018) and `KataGo` (Wu 2019).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SearchConfig {
    /// How the search chooses.
    pub algorithm: Algorithm,
    /// Weight of the priors against the values, above 0 and up to 10.
    pub c_puct: f32,
    /// Visits at which `c_puct` has grown by ln 2, at least 1.
    pub c_base: f32,
    /// How much worse than its parent an unvisited action is taken to be, 0 to 2; 0 at the root.
    pub fpu_reduction: f32,
    /// Share of Dirichlet noise in the root priors of self-play, 0 to 1.
    pub noise_share: f32,
    /// Total of the Dirichlet parameters, shared by the legal actions; above 0.
    pub noise_total: f32,
    /// Exponent 1 / t that flattens the root priors of self-play, t from 0.1 to 10.
    pub root_temperature: f32,
    /// How much noise forces a root action to be tried, 0 (not at all) to 10; 2 in `KataGo`. What is
    /// only forced is taken out of the policy target.
    pub forced_playouts: f32,
    /// Whether self-play goes on in the part of the tree that the game took; never with Gumbel.
    pub reuse_tree: bool,
    /// Whether an evaluation is looked up where the same position came before.
    pub cache: bool,
    /// Folder of endgame tables that self-play looks positions up in; empty uses none.
    pub tables: String,
    /// Root actions that Gumbel search begins with at most, 1 to 1,000.
    pub gumbel_actions: u32,
    /// Visits added to those of the most visited action in the weight of values, 0 to 10,000.
    pub gumbel_visits: f32,
    /// Weight of values against logits in Gumbel search, above 0 and up to 10.
    pub gumbel_scale: f32,
}

impl Default for SearchConfig {
    fn default() -> Self {
        Self {
            algorithm: Algorithm::Puct,
            c_puct: 1.5,
            c_base: 10_000.0,
            fpu_reduction: 0.2,
            noise_share: 0.25,
            noise_total: 10.0,
            root_temperature: 1.1,
            forced_playouts: 0.0,
            reuse_tree: true,
            cache: false,
            tables: String::new(),
            gumbel_actions: 16,
            gumbel_visits: 50.0,
            gumbel_scale: 1.0,
        }
    }
}

impl SearchConfig {
    /// Checks that every setting is in its range.
    ///
    /// # Errors
    /// The first that is not, with its range.
    pub fn validate(&self) -> Result<(), SettingError> {
        keys::check_section("search", self)
    }
}
