//! One plot as SVG: lines over a common axis, with bands.
//!
//! `plotters` places axes and labels. It writes fixed colours; those of ink become `currentColor`,
//! so that the page's light or dark colours hold, and lines have colours that both can show. A
//! title for each dot is added for whoever points at it.

use std::fmt::Write as _;

use plotters::coord::Shift;
use plotters::prelude::*;

use super::escape;

/// Width and height in units of the picture; narrow, so that text stays legible on a phone.
const SIZE: (u32, u32) = (420, 270);

/// Stands for the colour of text in what plotters writes.
const INK: RGBColor = RGBColor(1, 2, 3);

/// Colours of lines, seen well on white and on black.
const COLOURS: [RGBColor; 8] = [
    RGBColor(0x2F, 0x7F, 0xD1),
    RGBColor(0xD9, 0x73, 0x1A),
    RGBColor(0x2E, 0x9E, 0x5B),
    RGBColor(0xB8, 0x52, 0xA5),
    RGBColor(0xC9, 0x4A, 0x4A),
    RGBColor(0x7A, 0x72, 0xD6),
    RGBColor(0x98, 0x85, 0x22),
    RGBColor(0x23, 0x96, 0xA0),
];

/// A dot of a line, with the ends of its interval if it has one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dot {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) band: Option<(f64, f64)>,
    /// What the dot is called.
    pub(super) iteration: u64,
}

/// A line and its name.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) name: String,
    pub(super) dots: Vec<Dot>,
}

/// A plot to draw.
#[derive(Clone, Debug)]
pub(super) struct Plot {
    pub(super) title: &'static str,
    /// What the axes are, with their units.
    pub(super) axes: [&'static str; 2],
    /// The range of the upright axis; nothing where the dots decide.
    pub(super) range: Option<(f64, f64)>,
    pub(super) lines: Vec<Line>,
}

impl Plot {
    /// Draws the plot with its title and legend; nothing without dots.
    pub(super) fn figure(&self) -> Option<String> {
        self.lines.iter().find(|line| !line.dots.is_empty())?;
        let mut svg = String::new();
        let marks = self.draw(&mut svg).expect("drawing into memory does not fail");
        let label = format!("{}: {} over {}", self.title, self.axes[1], self.axes[0]);
        let svg = svg
            .replacen("<svg ", &format!("<svg class=\"plot\" role=\"img\" aria-label=\"{}\" ", escape(&label)), 1)
            .replace("\"#010203\"", "\"currentColor\"")
            .replacen("</svg>", &format!("{marks}</svg>"), 1);
        let mut legend = String::new();
        if self.lines.len() > 1 {
            for (line, colour) in self.lines.iter().zip(COLOURS.iter().cycle()) {
                let RGBColor(red, green, blue) = colour;
                let _ = write!(
                    legend,
                    "<span><svg class=\"swatch\" viewBox=\"0 0 10 10\" aria-hidden=\"true\">\
                     <circle cx=\"5\" cy=\"5\" r=\"5\" fill=\"#{red:02X}{green:02X}{blue:02X}\"/></svg>{}</span> ",
                    escape(&line.name)
                );
            }
            legend = format!("<div class=\"legend\">{legend}</div>");
        }
        Some(format!("<figure>\n<figcaption>{}{legend}</figcaption>\n{svg}</figure>\n", escape(self.title)))
    }

    /// Draws the plot as a file of its own, black on white; nothing without dots.
    pub(super) fn file(&self) -> Option<String> {
        self.lines.iter().find(|line| !line.dots.is_empty())?;
        let mut svg = String::new();
        self.draw(&mut svg).expect("drawing into memory does not fail");
        let start = svg.find('>').expect("a picture has a first tag") + 1;
        svg.insert_str(start, "\n<rect width=\"100%\" height=\"100%\" fill=\"#FFFFFF\"/>");
        Some(svg.replace("\"#010203\"", "\"#000000\""))
    }

    /// Draws into `svg` and gives the titles of the dots as SVG.
    fn draw(&self, svg: &mut String) -> Result<String, Box<dyn std::error::Error + '_>> {
        let root: DrawingArea<SVGBackend<'_>, Shift> = SVGBackend::with_string(svg, SIZE).into_drawing_area();
        let (x, y) = self.ranges();
        let mut chart = ChartBuilder::on(&root)
            .margin(6)
            .margin_top(14)
            .margin_right(18)
            .x_label_area_size(52)
            .y_label_area_size(74)
            .build_cartesian_2d(x.0..x.1, y.0..y.1)?;
        // plotters makes text a quarter smaller than it is told.
        let text = |size: i32| ("sans-serif", size).into_font().color(&INK);
        chart
            .configure_mesh()
            .axis_style(INK.mix(0.6))
            .bold_line_style(INK.mix(0.16))
            .light_line_style(TRANSPARENT)
            .label_style(text(19))
            .axis_desc_style(text(19))
            .x_labels(5)
            .y_labels(6)
            .x_label_formatter(&|value| number(*value))
            .y_label_formatter(&|value| number(*value))
            .x_desc(self.axes[0])
            .y_desc(self.axes[1])
            .draw()?;
        let mut marks = String::new();
        for (line, colour) in self.lines.iter().zip(COLOURS.iter().cycle()) {
            let band = band(&line.dots);
            chart.draw_series((band.len() > 3).then(|| Polygon::new(band, colour.mix(0.2))))?;
            for dot in line.dots.iter().filter(|_| line.dots.len() == 1) {
                let ends = dot.band.map(|(low, high)| vec![(dot.x, low), (dot.x, high)]);
                chart.draw_series(ends.map(|ends| PathElement::new(ends, colour.mix(0.5).stroke_width(3))))?;
            }
            chart.draw_series(LineSeries::new(line.dots.iter().map(|dot| (dot.x, dot.y)), colour.stroke_width(3)))?;
            chart.draw_series(line.dots.iter().map(|dot| Circle::new((dot.x, dot.y), 4, colour.filled())))?;
            for dot in &line.dots {
                let (x, y) = chart.backend_coord(&(dot.x, dot.y));
                let _ = writeln!(
                    marks,
                    "<circle class=\"dot\" cx=\"{x}\" cy=\"{y}\" r=\"8\"><title>{}</title></circle>",
                    escape(&self.title_of(line, dot))
                );
            }
        }
        root.present()?;
        Ok(marks)
    }

    fn title_of(&self, line: &Line, dot: &Dot) -> String {
        let band = dot.band.map_or_else(String::new, |(low, high)| format!(" [{}, {}]", number(low), number(high)));
        let name = if line.name.is_empty() { String::new() } else { format!("{}, ", line.name) };
        format!("{name}checkpoint {}: {}{band} at {} {}", dot.iteration, number(dot.y), number(dot.x), self.axes[0])
    }

    fn ranges(&self) -> ((f64, f64), (f64, f64)) {
        let dots = || self.lines.iter().flat_map(|line| &line.dots);
        let right = dots().map(|dot| dot.x).fold(0.0, f64::max);
        let right = if right > 0.0 { right * 1.03 } else { 1.0 };
        let heights =
            || dots().flat_map(|dot| [dot.y, dot.band.map_or(dot.y, |b| b.0), dot.band.map_or(dot.y, |b| b.1)]);
        let (low, high) = (heights().fold(f64::INFINITY, f64::min), heights().fold(f64::NEG_INFINITY, f64::max));
        let air = (0.06 * (high - low)).max(f64::EPSILON * high.abs()).max(if high > low { 0.0 } else { 1.0 });
        ((0.0, right), self.range.unwrap_or((low - air, high + air)))
    }
}

/// Gives the outline of the band of a line.
fn band(dots: &[Dot]) -> Vec<(f64, f64)> {
    let end = |dot: &Dot, upper: bool| dot.band.map(|(low, high)| (dot.x, if upper { high } else { low }));
    dots.iter().filter_map(|dot| end(dot, true)).chain(dots.iter().rev().filter_map(|dot| end(dot, false))).collect()
}

/// Writes a number for an axis or a title, to three digits or so.
pub(super) fn number(value: f64) -> String {
    let size = value.abs();
    let trimmed = |text: String| {
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
    };
    let text = match size {
        1e6.. => format!("{}M", trimmed(format!("{:.2}", value / 1e6))),
        1e4.. => format!("{}k", trimmed(format!("{:.1}", value / 1e3))),
        20.0.. => format!("{value:.0}"),
        1.0.. => trimmed(format!("{value:.1}")),
        0.01.. => trimmed(format!("{value:.3}")),
        _ => trimmed(format!("{value:.5}")),
    };
    // Nothing is a negative zero.
    if text == "-0" { "0".to_owned() } else { text }
}
