//! `damma show`: one position for people, on the terminal or as a picture.

mod terminal;

use std::io::{self, IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use damma_env::{Game, Position};
use damma_eval::BoardDrawing;
use damma_serve::picture::{self, Board, status};
use serde_json::json;

use crate::files::write_beside;
use crate::rules_args::GameArgs;

/// Show a position: the board, whose decision it is, and the legal actions.
///
/// Colour is used on terminals only, and not where `NO_COLOR` is set.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ShowArgs {
    /// The position in quotes: fields as shown below a board, or the FEN of PDN [default: the start].
    position: Option<String>,
    /// Write a picture to a file instead, or to standard output with `-`.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Look from Black's side.
    #[arg(long)]
    flip: bool,
    /// Write {"position", "side", "winner", "legal"} as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    game: GameArgs,
}

const EXAMPLES: &str = "\
Examples:
  damma show
  damma show --preset srand --flip
  damma show --preset kharberg 'bb3/5/5/5/3ww w'
  damma show --preset zamma --svg board.svg";

/// Runs the subcommand.
///
/// # Errors
/// The rules or the position are wrong, or the output cannot be written.
pub fn run(args: &ShowArgs) -> anyhow::Result<ExitCode> {
    let game = args.game.game()?;
    let position = match &args.position {
        Some(text) => game.parse_fen(text).with_context(|| format!("position `{text:.200}`"))?,
        None => game.start(),
    };
    let board = Board::new(&game, &position, args.flip);
    let mut out = io::stdout().lock();
    if let Some(path) = &args.svg {
        let text = game.position_text(&position);
        let status = status(&game, &position);
        let svg = picture::draw(&board, &format!("Draughts position, {status}"), &status, &text);
        if path == Path::new("-") {
            out.write_all(svg.as_bytes())?;
        } else {
            write_beside(path, svg.as_bytes())?;
        }
    }
    if args.json {
        writeln!(out, "{}", json(&game, &position))?;
    } else if args.svg.is_none() {
        write_text(&mut out, &game, &position, &board)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Draws the board with the marks that it needs explained.
#[must_use]
pub fn board(game: &Game, position: &Position, flip: bool, coloured: bool) -> String {
    let board = Board::new(game, position, flip);
    format!("{}\n{}", terminal::draw(&board, coloured), terminal::legend(&board))
}

/// Gives a game's board for pages that set the pieces on it themselves.
#[must_use]
pub fn drawing(game: &Game) -> BoardDrawing {
    picture::parts(game, &Board::new(game, &game.start(), false))
}

fn write_text(out: &mut impl Write, game: &Game, position: &Position, board: &Board) -> io::Result<()> {
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let coloured = io::stdout().is_terminal() && !no_color;
    writeln!(out, "{}\n{}", terminal::draw(board, coloured), terminal::legend(board))?;
    writeln!(out, "{}", status(game, position))?;
    writeln!(out, "position: {}", game.position_text(position))?;
    let legal = legal(game, position);
    if !legal.is_empty() {
        writeln!(out, "legal ({}):", legal.len())?;
        for line in legal.chunks(10) {
            writeln!(out, "  {}", line.join(" "))?;
        }
    }
    Ok(())
}

fn json(game: &Game, position: &Position) -> serde_json::Value {
    json!({
        "position": game.position_text(position),
        "side": position.side().letter(),
        "winner": position.winner(game).map(|(side, _)| side.letter()),
        "legal": legal(game, position),
    })
}

/// Lists the legal actions as text, sorted.
fn legal(game: &Game, position: &Position) -> Vec<String> {
    let mut texts: Vec<String> =
        position.legal_actions(game).into_iter().map(|action| game.action_text(position, action)).collect();
    texts.sort();
    texts
}
