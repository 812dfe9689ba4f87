//! The report of a run as one HTML page that needs nothing else.
//!
//! Plots, a table of checkpoints, facts, and games to click through. Everything is in the file:
//! a policy in its head forbids the browser to load or run anything that is not. The script shows
//! frames that the engine made beforehand and knows no rules. How a board is drawn is given from
//! outside; so is what the figures mean.

mod curve;
mod data;
mod frames;
mod plot;
mod plots;
mod table;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

pub use curve::{CurvePoint, curve_svg};
pub use data::{BoardDrawing, Facts, Kind, Measured, Opponent, Point};
pub use frames::{Frame, ShownGame};

const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = include_str!("page/viewer.js");
const VIEWER: &str = include_str!("page/viewer.html");

/// Everything that a page shows.
#[derive(Clone, Debug)]
pub struct Page {
    /// What the page is about, such as a run's folder.
    pub title: String,
    /// What was trained and how it was rated.
    pub facts: Facts,
    /// The rated checkpoints, oldest first.
    pub points: Vec<Point>,
    /// Games to look at, in the order of the list.
    pub games: Vec<ShownGame>,
    /// How boards are drawn.
    pub board: BoardDrawing,
}

impl Page {
    /// Writes the page.
    #[must_use]
    pub fn html(&self) -> String {
        let style = format!("{STYLE}\n{}", self.board.style);
        let policy = format!(
            "default-src 'none'; script-src '{}'; style-src '{}'; base-uri 'none'; form-action 'none'",
            hash(SCRIPT),
            hash(&style)
        );
        let title = escape(&self.title);
        let mut html = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <title>{title}: strength</title>\n<style>{style}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n"
        );
        html.push_str(&self.summary());
        html.push_str(&plots::section(&self.points));
        html.push_str(&table::section(&self.points));
        if !self.games.is_empty() {
            self.push_games(&mut html);
        }
        html.push_str(&self.facts.section());
        html.push_str("</main>\n</body>\n</html>\n");
        html
    }

    /// Says the newest result in a sentence.
    fn summary(&self) -> String {
        let Some(last) = self.points.last() else {
            return "<p class=\"lead\">No checkpoint is rated yet.</p>\n".to_owned();
        };
        let rating = last.rating.map_or_else(
            || "has no rating: no opponent is on the ladder".to_owned(),
            |rating| format!("stands at <strong>{:.0} ± {:.0}</strong> Elo", rating.elo, rating.plus_minus),
        );
        format!(
            "<p class=\"lead\">Checkpoint {} {rating}; {} is 0. Bands and ± are 95 % intervals.</p>\n",
            last.iteration,
            escape(&self.facts.anchor)
        )
    }

    fn push_games(&self, html: &mut String) {
        let data = serde_json::to_string(&self.games).expect("games are plain data");
        // `<` could end the element that holds the data.
        let data = data.replace('<', "\\u003c");
        let points = serde_json::to_string(&self.board.points).expect("points are plain data");
        let board = format!(
            "<svg id=\"board\" viewBox=\"{}\" role=\"img\" aria-label=\"Board\" data-points='{points}'>{}<g id=\"trail\"></g><g id=\"pieces\"></g></svg>",
            self.board.view_box, self.board.ground
        );
        let _ = writeln!(html, "{}", VIEWER.replace("<!--board-->", &board));
        let _ = writeln!(html, "<script type=\"application/json\" id=\"games\">{data}</script>");
        let _ = writeln!(html, "<script>{SCRIPT}</script>");
    }
}

/// Gives the hash by which the policy knows an inline script or style (CSP level 3, `sha256-`).
fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}

/// Writes text so that HTML shows it as it is.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&#39;")
}
