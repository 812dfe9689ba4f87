//! Matches: two players, a list of openings, each played twice with colours swapped.
//!
//! All games go on in step, so that a player is asked for many decisions at once. The arena knows
//! neither who plays nor what a result is worth in Elo.

mod record;

use damma_env::{Action, Game, Side, State};
use rand_pcg::Pcg64;

use crate::error::EvalError;
use crate::player::Player;
pub use record::{Ending, MatchGame, MatchResult, Opening, PairCounts, Seat, Tally};

/// A game is cut off after so many actions and counted as capped: only rulesets without draw
/// limits ever get there.
pub const ACTION_CAP: usize = 2_000;

/// How far a match has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Games of the match.
    pub games: usize,
    /// Games that are over.
    pub finished: usize,
    /// Their results as the first player sees them.
    pub tally: Tally,
    /// Actions played in all games, those of the openings not among them.
    pub actions: u64,
}

/// Plays every opening twice, `a` first with White, then with Black.
///
/// The stream of game `n` is `Pcg64::new(seed, n)`, so the result depends on the players, the
/// openings and the seed alone. `progress` hears of every round of decisions.
///
/// # Errors
/// An opening cannot be played, or a player answers with actions that are not legal or too few.
pub fn play_match(
    game: &Game,
    a: &mut dyn Player,
    b: &mut dyn Player,
    openings: &[Opening],
    seed: u64,
    progress: &mut dyn FnMut(Progress),
) -> Result<MatchResult, EvalError> {
    let mut boards = Vec::with_capacity(2 * openings.len());
    for (number, opening) in openings.iter().enumerate() {
        let state = opening.state(game).map_err(|(ply, action)| EvalError::BadOpening { number, ply, action })?;
        for white in [Seat::A, Seat::B] {
            let rng = Pcg64::new(u128::from(seed), boards.len() as u128);
            boards.push(Board::new(number, white, opening, state.clone(), rng));
        }
    }
    let names = (a.name(), b.name());
    let mut report = Progress { games: boards.len(), finished: 0, tally: Tally::default(), actions: 0 };
    loop {
        let before = report.actions;
        report.actions += decide(game, &mut boards, Seat::A, a)?;
        report.actions += decide(game, &mut boards, Seat::B, b)?;
        if report.actions == before {
            break;
        }
        report.tally =
            boards.iter().filter_map(|board| Some(board.ending()?.half_points(board.side(Seat::A)))).collect();
        report.finished = report.tally.games() as usize;
        progress(report);
    }
    let games = boards.iter().filter_map(Board::finished).collect();
    Ok(MatchResult { a: names.0, b: names.1, seed, games })
}

/// Asks a player for an action in every game where the decision is theirs; says in how many.
fn decide(game: &Game, boards: &mut [Board], seat: Seat, player: &mut dyn Player) -> Result<u64, EvalError> {
    let mut mine: Vec<&mut Board> = boards.iter_mut().filter(|board| board.to_decide() == Some(seat)).collect();
    if mine.is_empty() {
        return Ok(0);
    }
    let mut rngs: Vec<Pcg64> = mine.iter().map(|board| board.rng.clone()).collect();
    let states: Vec<&State> = mine.iter().map(|board| &board.state).collect();
    let actions = player.choose(game, &states, &mut rngs);
    if actions.len() != mine.len() {
        return Err(EvalError::WrongCount { player: player.name(), wanted: mine.len(), found: actions.len() });
    }
    for ((board, action), rng) in mine.iter_mut().zip(&actions).zip(rngs) {
        board.rng = rng;
        board.state.try_play(game, *action).map_err(|illegal| EvalError::IllegalChoice {
            player: player.name(),
            action: illegal.0.0,
            position: game.position_text(board.state.position()),
        })?;
        board.actions.push(*action);
    }
    Ok(actions.len() as u64)
}

/// A game of the match, over or not.
struct Board {
    opening: usize,
    opening_actions: usize,
    white: Seat,
    state: State,
    actions: Vec<Action>,
    rng: Pcg64,
}

impl Board {
    fn new(number: usize, white: Seat, opening: &Opening, state: State, rng: Pcg64) -> Self {
        let actions: Vec<Action> = opening.actions().collect();
        Self { opening: number, opening_actions: actions.len(), white, state, actions, rng }
    }

    fn ending(&self) -> Option<Ending> {
        let capped = self.actions.len() - self.opening_actions >= ACTION_CAP;
        self.state.outcome().map(Ending::Over).or(capped.then_some(Ending::Capped))
    }

    fn side(&self, seat: Seat) -> Side {
        if self.white == seat { Side::White } else { Side::Black }
    }

    fn to_decide(&self) -> Option<Seat> {
        let seat = if self.state.position().side() == Side::White { self.white } else { self.white.other() };
        self.ending().is_none().then_some(seat)
    }

    fn finished(&self) -> Option<MatchGame> {
        self.ending().map(|ending| MatchGame {
            opening: self.opening,
            opening_actions: self.opening_actions,
            white: self.white,
            actions: self.actions.iter().map(|action| action.0).collect(),
            turns: self.state.turns(),
            ending,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use damma_env::Ruleset;

    use super::*;
    use crate::player::RandomPlayer;

    fn game(preset: &str, overrides: &[&str]) -> Arc<Game> {
        let ruleset = Ruleset::preset(preset).unwrap().with_overrides(overrides.iter().copied()).unwrap();
        Game::new(ruleset).unwrap()
    }

    fn random_match(game: &Game, openings: &[Opening]) -> MatchResult {
        play_match(game, &mut RandomPlayer::new(), &mut RandomPlayer::new(), openings, 5, &mut |_| ()).unwrap()
    }

    /// Always answers with the same actions.
    struct Stubborn(Vec<Action>);

    impl Player for Stubborn {
        fn name(&self) -> String {
            "stubborn".to_owned()
        }

        fn choose(&mut self, _: &Game, _: &[&State], _: &mut [Pcg64]) -> Vec<Action> {
            self.0.clone()
        }
    }

    #[test]
    fn every_opening_is_played_twice_with_colours_swapped() {
        let game = game("zamma", &[]);
        let first = game.start().legal_actions(&game)[0];
        let openings = [Opening::default(), Opening::new(&[first])];

        let result = random_match(&game, &openings);

        let seats: Vec<_> = result.games.iter().map(|game| (game.opening, game.white)).collect();
        assert_eq!(seats, [(0, Seat::A), (0, Seat::B), (1, Seat::A), (1, Seat::B)]);
        assert!(result.games[2..].iter().all(|game| game.actions[0] == first.0 && game.opening_actions == 1));
        assert_eq!(result.pairs().total(), 2);
        for record in &result.games {
            let mut state = State::new(&game);
            record.actions().for_each(|action| state.try_play(&game, action).unwrap());
            assert_eq!((Some(record.ending), record.turns), (state.outcome().map(Ending::Over), state.turns()));
        }
    }

    #[test]
    fn a_match_is_the_same_for_the_same_seed_and_every_game_has_its_own_stream() {
        let game = game("khreibga", &[]);
        let openings = vec![Opening::default(); 20];

        let result = random_match(&game, &openings);

        assert_eq!(result, random_match(&game, &openings));
        assert!(result.games.iter().any(|other| other.actions != result.games[0].actions));
    }

    #[test]
    fn a_game_without_end_is_capped_and_counted_as_such() {
        let game = game("damma8", &["no_progress_limit=0", "repetition_limit=0"]);
        let mut board = Board::new(0, Seat::B, &Opening::default(), State::new(&game), Pcg64::new(1, 1));

        board.actions = vec![Action(0); ACTION_CAP - 1];
        assert_eq!((board.ending(), board.to_decide()), (None, Some(Seat::A)));
        board.actions.push(Action(0));

        assert_eq!((board.ending(), board.to_decide()), (Some(Ending::Capped), None));
        let record = board.finished().unwrap();
        assert_eq!((record.half_points(Seat::A), record.ending.cause()), (1, "capped"));
    }

    #[test]
    fn a_player_who_answers_nonsense_ends_the_match_with_an_error() {
        let game = game("damma8", &[]);
        let play = |actions: Vec<Action>| {
            let openings = [Opening::default()];
            play_match(&game, &mut Stubborn(actions), &mut RandomPlayer::new(), &openings, 1, &mut |_| ()).unwrap_err()
        };
        assert!(matches!(play(vec![]), EvalError::WrongCount { wanted: 1, found: 0, .. }));
        assert!(matches!(play(vec![Action(60_000)]), EvalError::IllegalChoice { action: 60_000, .. }));
    }

    #[test]
    fn an_opening_that_is_not_legal_is_an_error_that_names_it() {
        let game = game("damma8", &[]);
        let openings = [Opening::default(), Opening::new(&[Action(9_999)])];
        let error = play_match(&game, &mut RandomPlayer::new(), &mut RandomPlayer::new(), &openings, 1, &mut |_| ());
        assert_eq!(error.unwrap_err(), EvalError::BadOpening { number: 1, ply: 0, action: 9_999 });
    }
}
