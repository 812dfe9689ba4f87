//! The board as a picture: one self-contained SVG.

use std::fmt::Write as _;

use damma_env::{Game, Side};
use damma_eval::BoardDrawing;

use super::board::{Board, Mark, Piece};

/// Distance from point to point, in units of the picture.
const PITCH: usize = 60;
/// From the edge of the picture to the first point.
const MARGIN: usize = 66;

/// Names and shapes used more than once; a piece is drawn around 0, 0.
const DEFS: &str = r##"<defs>
<radialGradient id="white" cx=".38" cy=".32" r=".8"><stop offset="0" stop-color="#ffffff"/><stop offset="1" stop-color="#e2d6bf"/></radialGradient>
<radialGradient id="black" cx=".38" cy=".32" r=".8"><stop offset="0" stop-color="#5d5049"/><stop offset="1" stop-color="#231c19"/></radialGradient>
<path id="crown" d="M-12 9 L-15 -7 L-7 0 L0 -12 L7 0 L15 -7 L12 9 Z" stroke-linejoin="round" stroke-width="1.5"/>
</defs>
"##;

const STYLE: &str = "\
.ground{fill:#f6eedd}.board{fill:#e5cfa1}.dark{fill:#b98a57}.light{fill:#f1e1bf}
.line{stroke:#7a5a33;stroke-width:2;stroke-linecap:round}.frame{fill:none;stroke:#7a5a33;stroke-width:2}
.name{font:16px sans-serif;fill:#5b452a;text-anchor:middle;dominant-baseline:central}
.caption{font:15px sans-serif;fill:#5b452a;text-anchor:middle}
.w{fill:url(#white);stroke:#6d5f4b;stroke-width:1.5}.b{fill:url(#black);stroke:#120d0b;stroke-width:1.5}
.wr{fill:none;stroke:#b7a98f;stroke-width:1.5}.br{fill:none;stroke:#7d6f66;stroke-width:1.5}
.wk{fill:#b3262b;stroke:#7d1418}.bk{fill:#f2c14e;stroke:#b98a1c}
.chaining{fill:none;stroke:#1f8a4c;stroke-width:4}.fault{fill:none;stroke:#cf2a2a;stroke-width:4;stroke-dasharray:7 4}
.waiting{stroke:#cf2a2a;stroke-width:5;stroke-linecap:round}.faded{opacity:.45}
";

/// Draws the board. `title` names it, `caption` stands below it, `text` is the position as text.
#[must_use]
pub fn draw(board: &Board, title: &str, caption: &str, text: &str) -> String {
    let width = 2 * MARGIN + PITCH * (board.size() - 1);
    let height = width + 26;
    let mut svg = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" aria-labelledby="title desc">
<title id="title">{}</title>
<desc id="desc">{}</desc>
{DEFS}<style>
{STYLE}</style>
<rect class="ground" width="{width}" height="{height}"/>
"#,
        escape(title),
        escape(text)
    );
    ground(&mut svg, board);
    for row in 0..board.size() {
        for column in 0..board.size() {
            let square = board.point(column, row);
            if let Some((square, piece)) = square.and_then(|square| Some((square, board.piece(square)?))) {
                draw_piece(&mut svg, (at(column), at(row)), piece, &board.name(square));
            }
        }
    }
    let _ = writeln!(svg, r#"<text class="caption" x="{}" y="{}">{}</text>"#, width / 2, height - 14, escape(caption));
    svg.push_str("</svg>\n");
    svg
}

/// Gives the empty board, the pieces as definitions, and where each square is.
#[must_use]
pub fn parts(game: &Game, board: &Board) -> BoardDrawing {
    let width = 2 * MARGIN + PITCH * (board.size() - 1);
    let mut svg = format!("{DEFS}<defs>");
    for (id, side, is_king) in
        [('w', Side::White, false), ('W', Side::White, true), ('b', Side::Black, false), ('B', Side::Black, true)]
    {
        let _ = write!(svg, r#"<g id="piece-{id}">"#);
        draw_shape(&mut svg, side, is_king);
        svg.push_str("</g>");
    }
    let _ = writeln!(svg, r#"</defs><rect class="ground" width="{width}" height="{width}"/>"#);
    ground(&mut svg, board);
    let place = |square| {
        let (file, rank) = game.coordinates(square);
        (at(usize::from(file)), at(board.size() - 1 - usize::from(rank)))
    };
    BoardDrawing {
        view_box: format!("0 0 {width} {width}"),
        ground: svg,
        style: STYLE.to_owned(),
        points: game.squares().into_iter().map(place).collect(),
    }
}

/// Draws all that does not move.
fn ground(svg: &mut String, board: &Board) {
    if board.has_squares() {
        squares(svg, board);
    } else {
        lines(svg, board);
    }
    names(svg, board);
}

const fn at(index: usize) -> usize {
    MARGIN + PITCH * index
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn squares(svg: &mut String, board: &Board) {
    let (corner, side) = (MARGIN - PITCH / 2, PITCH * board.size());
    let _ = writeln!(svg, r#"<rect class="light" x="{corner}" y="{corner}" width="{side}" height="{side}"/>"#);
    for (column, row) in points(board).filter(|&(column, row)| board.point(column, row).is_some()) {
        let (x, y) = (at(column) - PITCH / 2, at(row) - PITCH / 2);
        let _ = writeln!(svg, r#"<rect class="dark" x="{x}" y="{y}" width="{PITCH}" height="{PITCH}"/>"#);
    }
    let _ = writeln!(svg, r#"<rect class="frame" x="{corner}" y="{corner}" width="{side}" height="{side}"/>"#);
}

fn lines(svg: &mut String, board: &Board) {
    let (corner, side) = (MARGIN - PITCH / 2, PITCH * board.size());
    let _ = writeln!(svg, r#"<rect class="board" x="{corner}" y="{corner}" width="{side}" height="{side}" rx="10"/>"#);
    let mut path = String::new();
    for (column, row) in points(board) {
        let ends = [(column + 1, row), (column, row + 1), (column + 1, row + 1)];
        let rising = ((column, row + 1), (column + 1, row));
        for (from, to) in ends.map(|to| ((column, row), to)).into_iter().chain([rising]) {
            if board.joins(from, to) {
                let _ = write!(path, "M{} {}L{} {}", at(from.0), at(from.1), at(to.0), at(to.1));
            }
        }
    }
    let _ = writeln!(svg, r#"<path class="line" d="{path}"/>"#);
}

fn points(board: &Board) -> impl Iterator<Item = (usize, usize)> + use<> {
    let size = board.size();
    (0..size).flat_map(move |row| (0..size).map(move |column| (column, row)))
}

fn names(svg: &mut String, board: &Board) {
    let edge = MARGIN - PITCH / 2;
    let far = 2 * MARGIN + PITCH * (board.size() - 1) - edge / 2;
    for index in 0..board.size() {
        let (place, file, rank) = (at(index), board.file_name(index), board.rank_name(index));
        let _ = writeln!(svg, r#"<text class="name" x="{place}" y="{far}">{file}</text>"#);
        let _ = writeln!(svg, r#"<text class="name" x="{}" y="{place}">{rank}</text>"#, edge / 2);
    }
}

fn draw_piece(svg: &mut String, (x, y): (usize, usize), piece: Piece, point: &str) {
    let faded = if piece.mark == Some(Mark::Waiting) { r#" class="faded""# } else { "" };
    let meaning = piece.mark.map_or_else(String::new, |mark| format!(", {}", mark.meaning()));
    let _ = write!(svg, r#"<g transform="translate({x} {y})"><title>{} on {point}{meaning}</title>"#, piece.name());
    let _ = write!(svg, "<g{faded}>");
    draw_shape(svg, piece.side, piece.is_king);
    svg.push_str("</g>");
    svg.push_str(match piece.mark {
        Some(Mark::Chaining) => r#"<circle class="chaining" r="27"/>"#,
        Some(Mark::AtFault) => r#"<circle class="fault" r="27"/>"#,
        Some(Mark::Waiting) => r#"<path class="waiting" d="M-15 -15L15 15M-15 15L15 -15"/>"#,
        None => "",
    });
    svg.push_str("</g>\n");
}

/// Draws a piece around 0, 0.
fn draw_shape(svg: &mut String, side: Side, is_king: bool) {
    let letter = side.letter();
    let _ = write!(svg, r#"<circle class="{letter}" r="23"/>"#);
    if is_king {
        let _ = write!(svg, r##"<use href="#crown" class="{letter}k"/>"##);
    } else {
        let _ = write!(svg, r#"<circle class="{letter}r" r="15"/>"#);
    }
}
