//! What a page is told: facts, rated checkpoints, and how a board is drawn.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use super::escape;
use crate::arena::Tally;
use crate::statistics::Rating;

/// What was trained and how it was rated.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Names and values, in the order shown.
    pub list: Vec<(String, String)>,
    /// The opponent that stands at 0 Elo.
    pub anchor: String,
    /// Longer texts, such as the config, with their names; folded away at first.
    pub texts: Vec<(String, String)>,
}

impl Facts {
    pub(super) fn section(&self) -> String {
        let mut html =
            "<section aria-labelledby=\"facts-title\">\n<h2 id=\"facts-title\">The run</h2>\n<dl>\n".to_owned();
        for (name, value) in &self.list {
            let _ = writeln!(html, "<div><dt>{}</dt><dd>{}</dd></div>", escape(name), escape(value));
        }
        html.push_str("</dl>\n");
        for (name, text) in &self.texts {
            let (name, text) = (escape(name), escape(text));
            let _ = writeln!(html, "<details><summary>{name}</summary><pre tabindex=\"0\">{text}</pre></details>");
        }
        html.push_str("</section>\n");
        html
    }
}

/// How a checkpoint did against one opponent.
#[derive(Clone, Debug)]
pub struct Opponent {
    /// Its name.
    pub name: String,
    /// The checkpoint's games against it.
    pub tally: Tally,
    /// Turns of these games on average.
    pub mean_turns: f64,
}

/// A rated checkpoint.
#[derive(Clone, Debug)]
pub struct Point {
    /// The iteration after which it was made.
    pub iteration: u64,
    /// Self-play games up to then; nothing where they were not kept.
    pub games: Option<u64>,
    /// CPU-hours of training up to then; nothing where they were not measured.
    pub cpu_hours: Option<f64>,
    /// The rating; nothing where no opponent is on the ladder.
    pub rating: Option<Rating>,
    /// The matches.
    pub opponents: Vec<Opponent>,
    /// What was measured of it beside games.
    pub measured: Vec<Measured>,
}

/// A kind of quality beyond Elo.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Decisions that lost value against endgame tables.
    Mistakes,
    /// Decisions that a deep search agrees with.
    Agreement,
    /// Puzzles solved.
    Puzzles,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Mistakes, Self::Agreement, Self::Puzzles];

    /// Gives the title of its plot.
    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::Mistakes => "Mistakes against endgame tables",
            Self::Agreement => "Agreement with a deep search",
            Self::Puzzles => "Puzzles solved",
        }
    }

    /// Gives the beginning of its column's head.
    pub(super) const fn verb(self) -> &'static str {
        match self {
            Self::Mistakes => "errs with",
            Self::Agreement => "agrees with",
            Self::Puzzles => "solves with",
        }
    }

    /// Gives its unit.
    pub(super) const fn unit(self) -> &'static str {
        match self {
            Self::Mistakes | Self::Agreement => "of decisions, %",
            Self::Puzzles => "solved, %",
        }
    }
}

/// A figure of quality beyond Elo.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Measured {
    /// What was measured.
    pub kind: Kind,
    /// With what, such as `50 simulations`.
    pub name: String,
    /// The figure, 0 to 100.
    pub percent: f64,
}

impl Point {
    /// Counts all its games.
    pub(super) fn total(&self) -> Tally {
        self.opponents.iter().fold(Tally::default(), |sum, opponent| Tally {
            wins: sum.wins + opponent.tally.wins,
            draws: sum.draws + opponent.tally.draws,
            losses: sum.losses + opponent.tally.losses,
        })
    }

    /// Gives the share of draws, 0 to 1; nothing without games.
    pub(super) fn draws(&self) -> Option<f64> {
        let total = self.total();
        (total.games() > 0).then(|| f64::from(total.draws) / f64::from(total.games()))
    }

    /// Gives the turns of a game on average; nothing without games.
    pub(super) fn mean_turns(&self) -> Option<f64> {
        let turns: f64 =
            self.opponents.iter().map(|opponent| opponent.mean_turns * f64::from(opponent.tally.games())).sum();
        let games = self.total().games();
        (games > 0).then(|| turns / f64::from(games))
    }
}

/// How a board is drawn.
#[derive(Clone, Debug, Default)]
pub struct BoardDrawing {
    /// The part of the plane that is seen, as SVG's `viewBox` takes it.
    pub view_box: String,
    /// Definitions and everything that never moves, as SVG. It defines the pieces as `piece-w`,
    /// `piece-W`, `piece-b` and `piece-B` around 0, 0.
    pub ground: String,
    /// Style sheet of all that.
    pub style: String,
    /// Where each square of the game is, in the order of [`damma_env::Game::squares`].
    pub points: Vec<(usize, usize)>,
}
