//! Positions to ask about, from games of a player and from random play.

use damma_env::{Game, State};
use rand::RngExt as _;
use rand_pcg::Pcg64;
use rustc_hash::FxHashSet;

use super::decide;
use crate::arena::ACTION_CAP;
use crate::error::EvalError;
use crate::player::{Player, RandomPlayer};

/// Sets the streams of these games apart from those of matches and openings.
const STREAMS: u128 = 1 << 65;

/// Games that go on at once.
const ROUND: usize = 64;

/// The most random turns that a game opens with.
const OPENING: u32 = 8;

/// How many positions are wanted, and from how much play.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// How many.
    pub count: usize,
    /// At most so many from one game, or one game would fill the list with its neighbours.
    pub per_game: usize,
    /// At most so many games are played to find them.
    pub games: usize,
}

/// Collects different positions that offer a choice and that `keep` takes; the same for the same seed.
///
/// Every other game is the player's against itself after random turns, and the rest is random
/// play, which goes where good play never does. There may be fewer than were wanted. The states
/// have no history.
///
/// # Errors
/// The player answers with actions that are not legal or too few.
pub fn sample_states(
    game: &Game,
    player: &mut dyn Player,
    wanted: Wanted,
    seed: u64,
    keep: &dyn Fn(&State) -> bool,
) -> Result<Vec<State>, EvalError> {
    let mut found = Vec::new();
    let mut known = FxHashSet::default();
    let mut first = 0;
    while first < wanted.games && found.len() < wanted.count {
        let last = wanted.games.min(first + ROUND);
        let mut boards: Vec<Board> = (first..last).map(|number| Board::new(game, seed, number)).collect();
        while step(game, &mut boards, player, keep)? {}
        for mut board in boards {
            for _ in 0..wanted.per_game.min(board.kept.len()) {
                let place = board.rng.random_range(0..board.kept.len());
                let state = board.kept.swap_remove(place);
                if found.len() < wanted.count && known.insert(state.position().key()) {
                    found.push(state);
                }
            }
        }
        first = last;
    }
    Ok(found)
}

struct Board {
    state: State,
    rng: Pcg64,
    /// Random turns at its beginning.
    random_turns: u32,
    actions: usize,
    kept: Vec<State>,
}

impl Board {
    fn new(game: &Game, seed: u64, number: usize) -> Self {
        let mut rng = Pcg64::new(u128::from(seed), STREAMS | number as u128);
        let random_turns = if number.is_multiple_of(2) { rng.random_range(1..=OPENING) } else { u32::MAX };
        Self { state: State::new(game), rng, random_turns, actions: 0, kept: Vec::new() }
    }

    fn goes_on(&self) -> bool {
        self.state.outcome().is_none() && self.actions < ACTION_CAP
    }

    fn is_random(&self) -> bool {
        self.state.turns() < self.random_turns
    }
}

/// Plays an action in every game that goes on; `false` when there is none.
fn step(
    game: &Game,
    boards: &mut [Board],
    player: &mut dyn Player,
    keep: &dyn Fn(&State) -> bool,
) -> Result<bool, EvalError> {
    for board in boards.iter_mut().filter(|board| board.goes_on()) {
        if board.state.position().legal_actions(game).len() > 1 && keep(&board.state) {
            board.kept.push(State::from_position(game, *board.state.position()));
        }
    }
    let mut moved = false;
    for random in [true, false] {
        let mut mine: Vec<&mut Board> =
            boards.iter_mut().filter(|board| board.goes_on() && board.is_random() == random).collect();
        let mut rngs: Vec<Pcg64> = mine.iter().map(|board| board.rng.clone()).collect();
        let states: Vec<&State> = mine.iter().map(|board| &board.state).collect();
        let actions = if random {
            decide(game, &mut RandomPlayer::new(), &states, &mut rngs)?
        } else {
            decide(game, player, &states, &mut rngs)?
        };
        for ((board, action), rng) in mine.iter_mut().zip(actions).zip(rngs) {
            board.state.play(game, action);
            board.actions += 1;
            board.rng = rng;
            moved = true;
        }
    }
    Ok(moved)
}
