//! Matches: two players, a list of openings, each played twice with colours swapped, or a series.
//!
//! The games of a round go on in step, so that a player is asked for many decisions at once. The
//! arena knows neither who plays nor what a result is worth in Elo.

mod board;
mod check;
mod ending;
mod opening;
mod record;
mod tally;
#[cfg(test)]
mod tests;

use damma_env::{Game, State};
use rand_pcg::Pcg64;

use crate::error::EvalError;
use crate::player::{Decision, Player};
use board::Board;
pub use check::RecordFault;
pub use ending::{Adjudicate, Ending, Verdict, VerdictCause};
pub use opening::{Opening, OpeningFault};
pub use record::{MatchGame, MatchResult, Seat, Thought};
pub use tally::{PairCounts, Tally};

/// A game is cut off after so many actions and counted as capped: only rulesets without draw
/// limits ever get there.
pub const ACTION_CAP: usize = 2_000;

/// How far a round of a match has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Games of the round.
    pub games: usize,
    /// Games that are over.
    pub finished: usize,
    /// Their results as the first player sees them.
    pub tally: Tally,
    /// Actions played in all games, those of the openings not among them.
    pub actions: u64,
}

/// Which games a match has, and in which order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// Every opening twice, the first player with White, then with Black.
    Pairs {
        /// How many pairs are played together in a round, at least 1.
        together: usize,
    },
    /// Games of the first opening one after another: the first player begins with White, the
    /// winner has White in the next one, and a draw leaves the colours (pages S0 and S3).
    Series {
        /// How many games.
        games: usize,
    },
}

/// A game to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// Its number in the match, from 0.
    pub number: usize,
    /// The number of its opening, from 0.
    pub opening: usize,
    /// Who has White.
    pub white: Seat,
}

/// Where a match is played, round by round.
///
/// The stream of game `n` is `Pcg64::new(seed, n)`, and which games make a round depends on their
/// numbers alone. So a round has the same games whether the ones before were played just now or
/// long ago, unless a player measures time.
pub struct Arena<'a> {
    game: &'a Game,
    openings: &'a [Opening],
    /// Where each opening leads.
    states: Vec<State>,
    seed: u64,
    order: Order,
    adjudicate: Option<&'a Adjudicate<'a>>,
}

impl<'a> Arena<'a> {
    /// Makes an arena, in which games end by the rules alone.
    ///
    /// # Errors
    /// An opening cannot be played.
    pub fn new(game: &'a Game, openings: &'a [Opening], seed: u64, order: Order) -> Result<Self, EvalError> {
        let state = |(number, opening): (usize, &Opening)| {
            opening.state(game).map_err(|fault| EvalError::BadOpening { number, fault })
        };
        let states = openings.iter().enumerate().map(state).collect::<Result<_, _>>()?;
        Ok(Self { game, openings, states, seed, order, adjudicate: None })
    }

    /// Lets a judge break games off, asked at the start of each turn.
    #[must_use]
    pub fn adjudicated_by(self, judge: &'a Adjudicate<'a>) -> Self {
        Self { adjudicate: Some(judge), ..self }
    }

    /// Counts the games of the match.
    #[must_use]
    pub fn games(&self) -> usize {
        match self.order {
            Order::Pairs { .. } => 2 * self.openings.len(),
            Order::Series { games } => games,
        }
    }

    /// Lists the games of the next round, after those played so far; empty at the end.
    #[must_use]
    pub fn next_round(&self, played: &[MatchGame]) -> Vec<Fixture> {
        let first = played.len();
        match self.order {
            Order::Pairs { together } => {
                let last = self.games().min(first + 2 * together);
                let white = |number: usize| if number.is_multiple_of(2) { Seat::A } else { Seat::B };
                let fixture = |number| Fixture { number, opening: number / 2, white: white(number) };
                (first..last).map(fixture).collect()
            }
            Order::Series { games } => {
                let white = played.last().map_or(Seat::A, MatchGame::white_next);
                (first..games.min(first + 1)).map(|number| Fixture { number, opening: 0, white }).collect()
            }
        }
    }

    /// Plays a round. `progress` hears of every round of decisions.
    ///
    /// # Errors
    /// A player answers with actions that are not legal or too few.
    pub fn play(
        &self,
        round: &[Fixture],
        a: &mut dyn Player,
        b: &mut dyn Player,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Vec<MatchGame>, EvalError> {
        let mut boards: Vec<Board> = round.iter().map(|fixture| self.board(fixture)).collect();
        let mut report = Progress { games: boards.len(), finished: 0, tally: Tally::default(), actions: 0 };
        loop {
            let before = report.actions;
            report.actions += self.decide(&mut boards, Seat::A, a)?;
            report.actions += self.decide(&mut boards, Seat::B, b)?;
            if report.actions == before {
                break;
            }
            report.tally =
                boards.iter().filter_map(|board| Some(board.ending?.half_points(board.side(Seat::A)))).collect();
            report.finished = report.tally.games() as usize;
            progress(report);
        }
        Ok(boards.into_iter().filter_map(Board::finished).collect())
    }

    /// Sets a game up, behind its opening.
    fn board(&self, fixture: &Fixture) -> Board {
        let opening = &self.openings[fixture.opening];
        let start = opening.start(self.game).expect("the arena was made with openings that can be played");
        let rng = Pcg64::new(u128::from(self.seed), fixture.number as u128);
        let mut board = Board::new(*fixture, opening, start, self.states[fixture.opening].clone(), rng);
        board.judge(self.game, self.adjudicate);
        board
    }

    /// Asks a player for an action in every game where the decision is theirs; says in how many.
    fn decide(&self, boards: &mut [Board], seat: Seat, player: &mut dyn Player) -> Result<u64, EvalError> {
        let mut mine: Vec<(usize, &mut Board)> =
            boards.iter_mut().enumerate().filter(|(_, board)| board.to_decide() == Some(seat)).collect();
        if mine.is_empty() {
            return Ok(0);
        }
        let mut rngs: Vec<Pcg64> = mine.iter().map(|(_, board)| board.rng.clone()).collect();
        let decisions: Vec<Decision> = mine.iter().map(|(slot, board)| board.decision(*slot)).collect();
        let answers = player.decide(self.game, &decisions, &mut rngs);
        if answers.len() != mine.len() {
            return Err(EvalError::WrongCount { player: player.name(), wanted: mine.len(), found: answers.len() });
        }
        let count = answers.len() as u64;
        for (((_, board), answer), rng) in mine.iter_mut().zip(answers).zip(rngs) {
            board.rng = rng;
            board.take(self.game, answer).map_err(|illegal| EvalError::IllegalChoice {
                player: player.name(),
                action: illegal.0.0,
                position: self.game.position_text(board.state.position()),
            })?;
            board.judge(self.game, self.adjudicate);
        }
        Ok(count)
    }
}

/// Plays every opening twice, `a` first with White, then with Black, all games together.
///
/// # Errors
/// As [`Arena::new`] and [`Arena::play`].
pub fn play_match(
    game: &Game,
    a: &mut dyn Player,
    b: &mut dyn Player,
    openings: &[Opening],
    seed: u64,
    progress: &mut dyn FnMut(Progress),
) -> Result<MatchResult, EvalError> {
    let arena = Arena::new(game, openings, seed, Order::Pairs { together: openings.len() })?;
    let games = arena.play(&arena.next_round(&[]), a, b, progress)?;
    Ok(MatchResult { a: a.name(), b: b.name(), seed, series: false, games })
}
