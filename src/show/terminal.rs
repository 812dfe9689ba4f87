//! The board in characters, for a terminal or a text file.

use std::fmt::Write as _;

use damma_env::Side;

use damma_serve::picture::{Board, Mark, Piece};

/// What a character is, and so its colour.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ink {
    Plain,
    Line,
    White,
    Black,
    Mark,
}

impl Ink {
    /// Gives the parameters of the escape sequence; readable on dark and on light grounds.
    const fn code(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Line => "2",
            Self::White => "1",
            Self::Black => "1;31",
            Self::Mark => "1;35",
        }
    }
}

/// A sheet of characters to draw on.
struct Sheet(Vec<Vec<(char, Ink)>>);

/// Characters left of the first point: the rank's number and room for a mark.
const LEFT: usize = 4;

/// Gives the place of a column and a row on the sheet; across and down are about equally long.
///
/// Points joined by lines have room for the lines between them; squares touch.
fn place(board: &Board, column: usize, row: usize) -> (usize, usize) {
    if board.has_squares() { (LEFT + 3 * column, row) } else { (LEFT + 4 * column, 2 * row) }
}

/// Draws the board. `coloured` adds escape sequences for colour.
pub fn draw(board: &Board, coloured: bool) -> String {
    let size = board.size();
    let (right, bottom) = place(board, size - 1, size - 1);
    let mut sheet = Sheet(vec![vec![(' ', Ink::Plain); right + 2]; bottom + 2]);
    for (column, row) in (0..size).flat_map(|column| (0..size).map(move |row| (column, row))) {
        let (x, y) = place(board, column, row);
        match board.point(column, row) {
            None => {}
            Some(_) if board.has_squares() => sheet.write(x - 1, y, "░░░", Ink::Line),
            Some(_) => draw_lines(&mut sheet, board, column, row),
        }
        sheet.write(0, y, &format!("{:>2}", board.rank_name(row)), Ink::Plain);
        sheet.put(x, bottom + 1, board.file_name(column), Ink::Plain);
    }
    for (column, row) in (0..size).flat_map(|column| (0..size).map(move |row| (column, row))) {
        if let Some(piece) = board.point(column, row).and_then(|square| board.piece(square)) {
            draw_piece(&mut sheet, place(board, column, row), piece);
        }
    }
    sheet.text(coloured)
}

/// Draws a point as a crossing, and the lines from it to the right and down.
fn draw_lines(sheet: &mut Sheet, board: &Board, column: usize, row: usize) {
    let last = board.size() - 1;
    let (x, y) = place(board, column, row);
    let crossing = match ((row == 0, row == last), (column == 0, column == last)) {
        ((true, _), (true, _)) => '┌',
        ((true, _), (_, true)) => '┐',
        ((true, _), _) => '┬',
        ((_, true), (true, _)) => '└',
        ((_, true), (_, true)) => '┘',
        ((_, true), _) => '┴',
        (_, (true, _)) => '├',
        (_, (_, true)) => '┤',
        _ => '┼',
    };
    sheet.put(x, y, crossing, Ink::Line);
    if board.joins((column, row), (column + 1, row)) {
        sheet.write(x + 1, y, "───", Ink::Line);
    }
    if board.joins((column, row), (column, row + 1)) {
        sheet.put(x, y + 1, '│', Ink::Line);
    }
    let falling = board.joins((column, row), (column + 1, row + 1));
    let rising = board.joins((column, row + 1), (column + 1, row));
    let diagonal = match (falling, rising) {
        (true, true) => '╳',
        (true, false) => '╲',
        (false, true) => '╱',
        (false, false) => return,
    };
    sheet.put(x + 2, y + 1, diagonal, Ink::Line);
}

fn draw_piece(sheet: &mut Sheet, (x, y): (usize, usize), piece: Piece) {
    let ink = if piece.side == Side::White { Ink::White } else { Ink::Black };
    sheet.put(x, y, glyph(piece.side, piece.is_king), ink);
    if let Some(mark) = piece.mark {
        let (left, right) = brackets(mark);
        sheet.put(x - 1, y, left, Ink::Mark);
        sheet.put(x + 1, y, right, Ink::Mark);
    }
}

/// Circles and chess kings: draughts pieces (⛀ to ⛃) are missing from most monospaced fonts.
const fn glyph(side: Side, is_king: bool) -> char {
    match (side, is_king) {
        (Side::White, false) => '○',
        (Side::White, true) => '♔',
        (Side::Black, false) => '●',
        (Side::Black, true) => '♚',
    }
}

const fn brackets(mark: Mark) -> (char, char) {
    match mark {
        Mark::Chaining => ('[', ']'),
        Mark::AtFault => ('!', '!'),
        Mark::Waiting => ('(', ')'),
    }
}

/// Explains the pieces, and the marks that are on the board.
pub fn legend(board: &Board) -> String {
    let mut text = String::from("○ White man  ♔ White king  ● Black man  ♚ Black king\n");
    for mark in Mark::ALL {
        let points: Vec<String> = board.marked(mark).into_iter().map(|square| board.name(square)).collect();
        if !points.is_empty() {
            let (left, right) = brackets(mark);
            let _ = writeln!(text, "{left} {right} {}: {}", mark.meaning(), points.join(", "));
        }
    }
    text
}

impl Sheet {
    fn put(&mut self, x: usize, y: usize, letter: char, ink: Ink) {
        self.0[y][x] = (letter, ink);
    }

    fn write(&mut self, x: usize, y: usize, text: &str, ink: Ink) {
        for (offset, letter) in text.chars().enumerate() {
            self.put(x + offset, y, letter, ink);
        }
    }

    fn text(&self, coloured: bool) -> String {
        let mut text = String::new();
        for row in &self.0 {
            let end = row.iter().rposition(|(letter, _)| *letter != ' ').map_or(0, |last| last + 1);
            for run in row[..end].chunk_by(|a, b| a.1 == b.1) {
                let letters: String = run.iter().map(|(letter, _)| letter).collect();
                match run[0].1.code() {
                    code if coloured && !code.is_empty() => {
                        let _ = write!(text, "\x1b[{code}m{letters}\x1b[0m");
                    }
                    _ => text.push_str(&letters),
                }
            }
            text.push('\n');
        }
        text
    }
}
