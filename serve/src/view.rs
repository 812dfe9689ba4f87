//! Boards and positions as clients draw them: what stands where, and what may be done.
//!
//! Everything comes from the rules engine, so that no client needs to know a rule.

use damma_env::{Action, ActionKind, Bitboard, Direction, Game, Lines, Outcome, Position, Setup, Side, Square, State};
use damma_eval::turn_words;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::spec::Colour;

/// What a board looks like; it does not change during a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Board {
    /// Points a side.
    pub size: u8,
    /// Whether points on lines are played on or squares.
    pub style: Style,
    /// Who has the first turn.
    pub first: Colour,
    /// The start as text.
    pub start: String,
    /// The points; their numbers in this list are the places that everything else is told in.
    pub points: Vec<Point>,
    /// The lines, as pairs of places; none of a chequered board.
    pub lines: Vec<[usize; 2]>,
}

/// How a board is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Style {
    /// Points and the lines between them.
    Lines,
    /// The dark squares of a chequered board.
    Squares,
}

/// A point of a board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Point {
    /// Its name, as in moves.
    #[schema(example = "a1")]
    pub name: String,
    /// Its file from 0, from the left.
    pub file: u8,
    /// Its rank from 0, from the bottom.
    pub rank: u8,
    /// Its number in PDN, where it has one.
    pub number: Option<u8>,
}

/// A position, and what may be done in it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct View {
    /// The position as text.
    pub position: String,
    /// A letter a place: `w` or `b`, kings in capitals, `.` where nothing stands.
    pub board: String,
    /// Who decides.
    pub side: Colour,
    /// The place of the piece that goes on capturing.
    pub chain: Option<usize>,
    /// The places of pieces that may be huffed.
    pub faults: Vec<usize>,
    /// The places of pieces that are captured and not yet taken off.
    pub captured: Vec<usize>,
    /// Turns in a row without progress.
    pub no_progress: u16,
    /// How often the position has stood.
    pub repetitions: u32,
    /// What may be done; nothing once the game is over.
    pub actions: Vec<Legal>,
    /// How the game ended, if it did.
    pub outcome: Option<Ended>,
}

/// A legal action.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Legal {
    /// The action in words.
    pub action: String,
    /// What kind of action.
    pub kind: LegalKind,
    /// The place of the piece that moves, or of the piece that is huffed.
    pub from: Option<usize>,
    /// Where it goes.
    pub to: Option<usize>,
    /// The place of the piece that it captures.
    pub over: Option<usize>,
}

/// Kinds of actions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum LegalKind {
    /// A move without a capture.
    Step,
    /// One capture.
    Hop,
    /// The removal of an enemy piece at fault.
    Huff,
    /// The end of a chain that could go on.
    Stop,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Ended {
    /// Who won; null for a draw.
    pub winner: Option<Colour>,
    /// `no_pieces`, `blocked`, `repetition`, `no_progress`, `lone_kings`, `max_turns`, `resigned`, `time` or `agreed`.
    pub cause: String,
}

impl From<Outcome> for Ended {
    fn from(outcome: Outcome) -> Self {
        let cause = if outcome == Outcome::Truncated { "max_turns" } else { outcome.cause() };
        Self { winner: outcome.winner().map(Colour::from), cause: cause.to_owned() }
    }
}

/// The turn that was played last, or the part of it that was.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Last {
    /// Who played it.
    pub side: Colour,
    /// The turn in words.
    pub turn: String,
    /// The places that the piece went over, from first to last.
    pub trail: Vec<usize>,
    /// The places of the pieces that it captured.
    pub captured: Vec<usize>,
    /// The place of the piece that it huffed.
    pub huffed: Option<usize>,
}

/// Numbers the points of a game.
pub struct Places<'g> {
    game: &'g Game,
    squares: Vec<Square>,
}

impl<'g> Places<'g> {
    /// Numbers the points as [`Game::squares`] lists them.
    #[must_use]
    pub fn new(game: &'g Game) -> Self {
        Self { game, squares: game.squares().into_iter().collect() }
    }

    /// Gives the number of a point, as White sees it.
    #[must_use]
    pub fn of(&self, square: Square) -> usize {
        self.squares.iter().position(|other| *other == square).expect("the square is on the board")
    }

    /// Names a point as PDN does: by number where it has one.
    #[must_use]
    pub fn name(&self, place: usize) -> String {
        let square = self.squares[place];
        self.game.square_number(square).map_or_else(|| self.game.point(square), |number| number.to_string())
    }

    /// Finds a point by its number or name.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<usize> {
        let by_number = || self.game.numbered_square(name.parse().ok()?);
        let square = self.game.parse_point(name).or_else(by_number)?;
        self.squares.iter().position(|other| *other == square)
    }

    /// Lists the numbers of points.
    #[must_use]
    pub fn all_of(&self, set: Bitboard) -> Vec<usize> {
        set.into_iter().map(|square| self.of(square)).collect()
    }

    /// Draws a board without pieces.
    #[must_use]
    pub fn board(&self) -> Board {
        let game = self.game;
        let point = |&square: &Square| {
            let (file, rank) = game.coordinates(square);
            Point { name: game.point(square), file, rank, number: game.square_number(square) }
        };
        let is_chequered = game.ruleset().lines == Lines::Diagonal;
        let lines = if is_chequered { Vec::new() } else { self.lines() };
        Board {
            size: game.ruleset().size,
            style: if is_chequered { Style::Squares } else { Style::Lines },
            first: game.ruleset().first.into(),
            start: game.position_text(&game.start()),
            points: self.squares.iter().map(point).collect(),
            lines,
        }
    }

    /// Lists the lines between neighbours.
    fn lines(&self) -> Vec<[usize; 2]> {
        let mut lines = Vec::new();
        for (place, &square) in self.squares.iter().enumerate() {
            let (file, rank) = self.game.coordinates(square);
            for (to_file, to_rank) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
                let direction = Direction::from_delta(to_file, to_rank).expect("a step to a neighbour");
                if self.game.origins(direction, 1).contains(square) {
                    let end = self.game.square_at(file.wrapping_add_signed(to_file), rank + to_rank as u8);
                    lines.push([place, self.of(end.expect("a step from here stays on the board"))]);
                }
            }
        }
        lines
    }

    /// Shows a state.
    #[must_use]
    pub fn view(&self, state: &State) -> View {
        let (game, position) = (self.game, state.position());
        let setup = position.setup(game);
        let legal = if state.outcome().is_some() { Vec::new() } else { position.legal_actions(game) };
        View {
            position: game.position_text(position),
            board: self.squares.iter().map(|square| setup.letter(*square).unwrap_or('.')).collect(),
            side: position.side().into(),
            chain: setup.chain.map(|square| self.of(square)),
            faults: self.all_of(setup.huffable),
            captured: self.all_of(setup.captured),
            no_progress: setup.no_progress,
            repetitions: state.repetitions(),
            actions: legal.into_iter().map(|action| self.legal(position, action)).collect(),
            outcome: state.outcome().map(Ended::from),
        }
    }

    /// Shows a legal action.
    #[must_use]
    pub fn legal(&self, position: &Position, action: Action) -> Legal {
        let game = self.game;
        let text = game.action_text(position, action);
        let place = |square| Some(self.of(game.view_square(position.side(), square)));
        let (kind, from, to) = match game.action_kind(action).expect("a legal action is one of the game's") {
            ActionKind::Move { from, to, .. } if game.is_hop(position, action) => {
                (LegalKind::Hop, place(from), place(to))
            }
            ActionKind::Move { from, to, .. } => (LegalKind::Step, place(from), place(to)),
            ActionKind::Huff { victim } => (LegalKind::Huff, place(victim), None),
            ActionKind::Stop => (LegalKind::Stop, None, None),
        };
        let over = (kind == LegalKind::Hop).then(|| self.taken(position, action).first().copied()).flatten();
        Legal { action: text, kind, from, to, over }
    }

    /// Lists the places of enemy pieces that an action takes: those that are off the board afterwards, or wait to be.
    fn taken(&self, position: &Position, action: Action) -> Vec<usize> {
        let side = position.side();
        let (before, after) = (position.setup(self.game), position.play(self.game, action).setup(self.game));
        let enemy = |setup: &Setup| if side == Side::White { setup.black } else { setup.white };
        let standing = |setup: &Setup| enemy(setup) & !setup.captured;
        self.all_of(standing(&before) & !standing(&after))
    }

    /// Tells of the last turn of a game, or of what was played of it; `None` before the first.
    #[must_use]
    pub fn last(&self, start: &Position, actions: &[Action]) -> Option<Last> {
        let game = self.game;
        let (mut now, mut begin, mut from) = (*start, *start, 0);
        for (index, action) in actions.iter().enumerate() {
            if now.side() != begin.side() || index == 0 {
                (begin, from) = (now, index);
            }
            now = now.play(game, *action);
        }
        let turn = actions.get(from..).filter(|turn| !turn.is_empty())?;
        let mut last = Last {
            side: begin.side().into(),
            turn: turn_words(game, &begin, turn).concat(),
            trail: Vec::new(),
            captured: Vec::new(),
            huffed: None,
        };
        let mut now = begin;
        for action in turn {
            let shown = self.legal(&now, *action);
            match shown.kind {
                LegalKind::Huff => last.huffed = shown.from,
                LegalKind::Stop => {}
                LegalKind::Step | LegalKind::Hop => {
                    if last.trail.is_empty() {
                        last.trail.extend(shown.from);
                    }
                    last.trail.extend(shown.to);
                    last.captured.extend(shown.over);
                }
            }
            now = now.play(game, *action);
        }
        Some(last)
    }
}
