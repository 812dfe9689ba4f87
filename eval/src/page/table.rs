//! The table of checkpoints.

use std::fmt::Write as _;

use super::data::{Kind, Point};
use super::{escape, plot};

/// Writes the table, newest checkpoint first.
pub(super) fn section(points: &[Point]) -> String {
    let Some(last) = points.last() else { return String::new() };
    let names: Vec<&str> = last.opponents.iter().map(|opponent| opponent.name.as_str()).collect();
    let mut measures: Vec<(Kind, &str)> = Vec::new();
    for measured in points.iter().flat_map(|point| &point.measured) {
        if !measures.contains(&(measured.kind, measured.name.as_str())) {
            measures.push((measured.kind, &measured.name));
        }
    }
    let mut html = "<section aria-labelledby=\"table-title\">\n<h2 id=\"table-title\">Checkpoints</h2>\n\
                    <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-labelledby=\"table-title\">\n<table>\n<thead><tr>"
        .to_owned();
    let head = ["iteration", "games", "CPU-hours", "Elo"].into_iter().map(str::to_owned);
    let scores = names.iter().map(|name| format!("{}, %", escape(name)));
    let measures_head = measures.iter().map(|(kind, name)| format!("{} {}, %", kind.verb(), escape(name)));
    let tail = ["drawn, %", "turns"].into_iter().map(str::to_owned).chain(measures_head);
    for cell in head.chain(scores).chain(tail) {
        let _ = write!(html, "<th scope=\"col\">{cell}</th>");
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    for point in points.iter().rev() {
        let number = |value: Option<f64>, digits: usize| {
            value.map_or_else(|| "–".to_owned(), |value| format!("{value:.digits$}"))
        };
        let rating = point
            .rating
            .map_or_else(|| "–".to_owned(), |rating| format!("{:.0} ± {:.0}", rating.elo, rating.plus_minus));
        let score = |name: &&str| {
            let opponent = point.opponents.iter().find(|opponent| opponent.name == **name);
            number(opponent.map(|opponent| 100.0 * opponent.tally.score()), 1)
        };
        let games = point.games.map_or_else(|| "–".to_owned(), |games| games.to_string());
        let mut cells = vec![games, point.cpu_hours.map_or_else(|| "–".to_owned(), plot::number), rating];
        cells.extend(names.iter().map(score));
        cells.push(number(point.draws().map(|share| 100.0 * share), 1));
        cells.push(number(point.mean_turns(), 1));
        cells.extend(measures.iter().map(|(kind, name)| {
            let found = point.measured.iter().find(|measured| measured.kind == *kind && measured.name == *name);
            number(found.map(|measured| measured.percent), 1)
        }));
        let _ = write!(html, "<tr><th scope=\"row\">{}</th>", point.iteration);
        for cell in cells {
            let _ = write!(html, "<td>{cell}</td>");
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody>\n</table>\n</div>\n</section>\n");
    html
}
