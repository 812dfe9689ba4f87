//! Strength over training time as a picture of its own, for documents that show files.

use super::plot::{Dot, Line, Plot};

/// Strength after some training.
#[derive(Clone, Copy, Debug)]
pub struct CurvePoint {
    /// Minutes of CPU time, all threads together.
    pub cpu_minutes: f64,
    /// Elo, and the ends of whatever interval goes with it.
    pub elo: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// Draws a curve as an SVG file, black on white; nothing without points.
#[must_use]
pub fn curve_svg(points: &[CurvePoint]) -> Option<String> {
    let dot = |(place, point): (usize, &CurvePoint)| Dot {
        x: point.cpu_minutes,
        y: point.elo,
        band: Some((point.low, point.high)),
        iteration: place as u64 + 1,
    };
    let dots = points.iter().enumerate().map(dot).collect();
    let plot = Plot {
        title: "Elo by CPU time",
        axes: ["CPU-minutes of training", "Elo"],
        range: None,
        lines: vec![Line { name: String::new(), dots }],
    };
    plot.file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_is_one_whole_picture() {
        assert_eq!(curve_svg(&[]), None);
        let point = |cpu_minutes, elo: f64| CurvePoint { cpu_minutes, elo, low: elo - 30.0, high: elo + 20.0 };
        let svg = curve_svg(&[point(10.0, 250.0), point(60.0, 700.0)]).expect("there are points");
        assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"), "{svg}");
        assert!(svg.contains("CPU-minutes of training") && svg.contains("http://www.w3.org/2000/svg"));
        assert!(!svg.contains("currentColor"), "nothing around a file gives it a colour");
    }
}
