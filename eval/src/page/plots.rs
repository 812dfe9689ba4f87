//! Which plots a page has.

use super::data::{Kind, Point};
use super::plot::{Dot, Line, Plot};

/// Draws all plots that there are figures for.
pub(super) fn section(points: &[Point]) -> String {
    let figures: String = plots(points).iter().filter_map(Plot::figure).collect();
    if figures.is_empty() {
        return String::new();
    }
    format!(
        "<section aria-labelledby=\"plots-title\">\n<h2 id=\"plots-title\">Strength in training</h2>\n<div class=\"plots\">\n{figures}</div>\n</section>\n"
    )
}

fn plots(points: &[Point]) -> Vec<Plot> {
    let games = |point: &Point| point.games.map(|games| games as f64);
    let one = |title, axes, range, x: &dyn Fn(&Point) -> Option<f64>, y: &dyn Fn(&Point) -> Option<f64>| Plot {
        title,
        axes,
        range,
        lines: vec![line(points, x, y)],
    };
    let mut plots = vec![
        rating(points, "Elo by CPU time", "CPU-hours of training", &|point| point.cpu_hours),
        rating(points, "Elo by games", "self-play games", &games),
        rating(points, "Elo by iterations", "iterations", &|point| Some(point.iteration as f64)),
        scores(points),
        one("Draws", ["self-play games", "drawn, %"], Some((0.0, 100.0)), &games, &|point| {
            point.draws().map(|share| 100.0 * share)
        }),
        one("Length of rated games", ["self-play games", "turns on average"], None, &games, &Point::mean_turns),
    ];
    plots.extend(Kind::ALL.into_iter().map(|kind| measured(points, kind)));
    plots
}

fn measured(points: &[Point], kind: Kind) -> Plot {
    let of_kind = |point: &Point| -> Vec<(String, f64)> {
        let measured = point.measured.iter().filter(|measured| measured.kind == kind);
        measured.map(|measured| (measured.name.clone(), measured.percent)).collect()
    };
    let lines = named_lines(points, &of_kind);
    Plot { title: kind.title(), axes: ["self-play games", kind.unit()], range: None, lines }
}

/// Draws a line by self-play games for each name that figures come with.
fn named_lines(points: &[Point], figures: &dyn Fn(&Point) -> Vec<(String, f64)>) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for point in points {
        let Some(games) = point.games else { continue };
        for (name, y) in figures(point) {
            let dot = Dot { x: games as f64, y, band: None, iteration: point.iteration };
            match lines.iter_mut().find(|line| line.name == name) {
                Some(line) => line.dots.push(dot),
                None => lines.push(Line { name, dots: vec![dot] }),
            }
        }
    }
    lines
}

fn line(points: &[Point], x: &dyn Fn(&Point) -> Option<f64>, y: &dyn Fn(&Point) -> Option<f64>) -> Line {
    let dot = |point: &Point| Some(Dot { x: x(point)?, y: y(point)?, band: None, iteration: point.iteration });
    Line { name: String::new(), dots: points.iter().filter_map(dot).collect() }
}

fn rating(points: &[Point], title: &'static str, axis: &'static str, x: &dyn Fn(&Point) -> Option<f64>) -> Plot {
    let dot = |point: &Point| {
        let rating = point.rating?;
        let band = Some((rating.elo - rating.plus_minus, rating.elo + rating.plus_minus));
        Some(Dot { x: x(point)?, y: rating.elo, band, iteration: point.iteration })
    };
    let dots = points.iter().filter_map(dot).collect();
    Plot { title, axes: [axis, "Elo"], range: None, lines: vec![Line { name: String::new(), dots }] }
}

fn scores(points: &[Point]) -> Plot {
    let score = |point: &Point| -> Vec<(String, f64)> {
        point.opponents.iter().map(|opponent| (opponent.name.clone(), 100.0 * opponent.tally.score())).collect()
    };
    Plot {
        title: "Score against each opponent",
        axes: ["self-play games", "score, %"],
        range: Some((0.0, 100.0)),
        lines: named_lines(points, &score),
    }
}
