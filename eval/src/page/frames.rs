//! A game as frames: what stands where after each turn, made by the engine once and for all.

use damma_env::{Action, ActionKind, Game, Outcome, Position, Square, State, WinCause};
use serde::Serialize;

use crate::arena::{ACTION_CAP, Ending, MatchGame, Seat, Verdict, VerdictCause};

/// The board after a turn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Frame {
    /// A letter a square, in the order of [`Game::squares`]: `.`, `w`, `W`, `b` or `B`, kings in capitals.
    pub board: String,
    /// The turn as text; empty in the first frame.
    pub turn: String,
    /// Who played it, `w` or `b`.
    pub side: char,
    /// The squares that the piece went over, from first to last, as places in `board`.
    pub trail: Vec<usize>,
    /// The pieces that may be huffed, as places in `board`.
    pub faults: Vec<usize>,
}

/// A game of a match, ready to be shown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ShownGame {
    /// What it is called in the list.
    pub title: String,
    /// Who had White.
    pub white: String,
    /// Who had Black.
    pub black: String,
    /// How it ended.
    pub result: String,
    /// How many of the turns were the random opening.
    pub opening: usize,
    /// The start and the board after each turn.
    pub frames: Vec<Frame>,
}

impl ShownGame {
    /// Plays a game of a match through the engine; `names` are the players, the first one's first.
    ///
    /// Nothing where the start or the actions are not legal in this game.
    #[must_use]
    pub fn new(game: &Game, title: String, names: [&str; 2], played: &MatchGame) -> Option<Self> {
        let squares: Vec<Square> = game.squares().into_iter().collect();
        let mut state = match &played.start {
            Some(text) => State::from_position(game, game.parse_position(text).ok()?),
            None => State::new(game),
        };
        let mut frames = vec![frame(game, &squares, state.position(), state.position(), &[])];
        let (mut before, mut turn) = (*state.position(), Vec::new());
        let mut opening = 0;
        for (number, action) in played.actions().enumerate() {
            state.try_play(game, action).ok()?;
            turn.push(action);
            if state.position().side() != before.side() || state.outcome().is_some() {
                frames.push(frame(game, &squares, &before, state.position(), &turn));
                opening += usize::from(number < played.opening_actions);
                before = *state.position();
                turn.clear();
            }
        }
        let [a, b] = names.map(str::to_owned);
        let (white, black) = if played.white == Seat::A { (a, b) } else { (b, a) };
        Some(Self { title, white, black, result: result(played.ending), opening, frames })
    }
}

/// Says how a game ended.
fn result(ending: Ending) -> String {
    match ending {
        Ending::Over(Outcome::Win { winner, cause }) => {
            let cause = match cause {
                WinCause::NoPieces => "has no piece left",
                WinCause::Blocked => "has no legal action",
            };
            format!("{winner} won: {} {cause}", winner.opponent())
        }
        Ending::Over(outcome) => format!("Drawn: {}", outcome.cause().replace('_', " ")),
        Ending::Adjudicated(Verdict { winner, cause: VerdictCause::Tables }) => {
            let result = winner.map_or_else(|| "Drawn".to_owned(), |winner| format!("{winner} won"));
            format!("{result}: known from endgame tables")
        }
        Ending::Forfeited { loser, .. } => {
            format!("{} won: the other player failed ({})", loser.opponent(), ending.cause().replace('_', " "))
        }
        Ending::Capped => format!("Drawn: cut off after {ACTION_CAP} actions"),
    }
}

fn frame(game: &Game, squares: &[Square], before: &Position, after: &Position, turn: &[Action]) -> Frame {
    let setup = after.setup(game);
    let place = |square: Square| squares.iter().position(|other| *other == square).expect("the square is on the board");
    let mut trail = Vec::new();
    for action in turn {
        if let Some(ActionKind::Move { from, to, .. }) = game.action_kind(*action) {
            let seen = |square| place(game.view_square(before.side(), square));
            if trail.is_empty() {
                trail.push(seen(from));
            }
            trail.push(seen(to));
        }
    }
    Frame {
        board: squares.iter().map(|square| setup.letter(*square).unwrap_or('.')).collect(),
        turn: game.turn_text(before, turn),
        side: before.side().letter(),
        trail,
        faults: setup.huffable.into_iter().map(place).collect(),
    }
}
