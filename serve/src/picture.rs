//! Boards as pictures: what the command, the reports and the server draw.

mod board;
mod svg;

use damma_env::{Game, Position, Side, WinCause};

pub use board::{Board, Mark, Piece};
pub use svg::{draw, parts};

/// Draws a position as one SVG, with a title, and how it stands below it.
#[must_use]
pub fn drawn(game: &Game, position: &Position, title: &str, status: &str) -> String {
    let board = Board::new(game, position, false);
    draw(&board, title, status, &game.position_text(position))
}

/// Says who decides, or who has won and why.
#[must_use]
pub fn status(game: &Game, position: &Position) -> String {
    let lost = |side: Side, reason: &str| format!("{} has won: {side} has no {reason}", side.opponent());
    match position.winner(game) {
        None => format!("{} to decide", position.side()),
        Some((winner, WinCause::NoPieces)) => lost(winner.opponent(), "piece left"),
        Some((winner, WinCause::Blocked)) => lost(winner.opponent(), "legal action"),
    }
}
