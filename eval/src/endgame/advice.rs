//! What endgame tables say of games in progress: what to play, and who wins.

use damma_env::{Action, EndgameTables, EndgameValue, Game, Outcome, Side, State};

use crate::arena::{Verdict, VerdictCause};

/// Gives the action that wins soonest, draws, or loses latest; nothing where the tables do not
/// cover the position, or know of the best only that it takes very long, so that it might go round
/// in circles. Among equals the lowest number.
#[must_use]
pub fn best_action(tables: &EndgameTables, game: &Game, state: &State) -> Option<Action> {
    if !tables.covers(state.position()) {
        return None;
    }
    let valued = |action: Action| Some((value_of(tables, game, state, action)?, std::cmp::Reverse(action)));
    let (value, best) = state.position().legal_actions(game).into_iter().filter_map(valued).max()?;
    (!value.is_saturated()).then_some(best.0)
}

/// Says who wins a game that is not over, where the tables leave no doubt, and neither do the
/// game's counters and the positions that it has seen.
#[must_use]
pub fn verdict(tables: &EndgameTables, game: &Game, state: &State) -> Option<Verdict> {
    let decider = state.position().side();
    let winner = match tables.probe_in(game, state)? {
        EndgameValue::Win(_) => Some(decider),
        EndgameValue::Draw => None,
        EndgameValue::Loss(_) => Some(decider.opponent()),
    };
    Some(Verdict { winner, cause: VerdictCause::Tables })
}

/// Gives what an action is worth to whoever plays it.
fn value_of(tables: &EndgameTables, game: &Game, state: &State, action: Action) -> Option<EndgameValue> {
    let side = state.position().side();
    let mut after = state.clone();
    after.play(game, action);
    match after.outcome() {
        Some(outcome) => Some(ended(outcome, side)),
        None if after.position().side() == side => tables.probe(after.position()),
        None => tables.probe(after.position()).map(EndgameValue::turn_earlier),
    }
}

fn ended(outcome: Outcome, side: Side) -> EndgameValue {
    match outcome.winner() {
        Some(winner) if winner == side => EndgameValue::Win(1),
        Some(_) => EndgameValue::Loss(0),
        None => EndgameValue::Draw,
    }
}

#[cfg(test)]
mod tests {
    use damma_env::Ruleset;

    use super::*;

    /// Tables of English draughts with up to three pieces.
    fn tables(game: &Game) -> EndgameTables {
        let mut tables = EndgameTables::new(game.ruleset());
        for class in tables.classes(3) {
            tables.solve(class, |_| ());
        }
        tables
    }

    #[test]
    fn play_from_tables_wins_in_as_many_turns_as_they_say() {
        let game = Game::new(Ruleset::preset("damma8").unwrap()).unwrap();
        let tables = tables(&game);
        let mut state = State::from_position(&game, game.parse_position("8/8/8/4B3/8/2W5/8/W7 w").unwrap());
        let EndgameValue::Win(turns) = tables.probe(state.position()).unwrap() else { panic!("two kings win") };

        assert_eq!(verdict(&tables, &game, &state).unwrap().winner, Some(Side::White));
        while state.outcome().is_none() {
            let action = best_action(&tables, &game, &state).unwrap();
            state.play(&game, action);
        }

        assert_eq!(state.turns(), u32::from(turns));
        assert_eq!(state.outcome().unwrap().winner(), Some(Side::White));
    }

    #[test]
    fn a_win_that_the_counter_cuts_off_is_no_verdict() {
        let position = "8/8/8/4B3/8/2W5/8/W7 w";
        let long = Game::new(Ruleset::preset("damma8").unwrap()).unwrap();
        let short = ["no_progress_limit=2"];
        let short = Game::new(Ruleset::preset("damma8").unwrap().with_overrides(short).unwrap()).unwrap();
        let tables = tables(&long);
        let judge = |game: &Game| {
            let state = State::from_position(game, game.parse_position(position).unwrap());
            verdict(&tables, game, &state)
        };
        assert!(judge(&long).is_some());
        assert_eq!(judge(&short), None);
    }

    #[test]
    fn a_win_that_one_more_repetition_could_draw_is_no_verdict() {
        let game = Game::new(Ruleset::preset("damma8").unwrap()).unwrap();
        let limit = game.ruleset().repetition_limit;
        let tables = tables(&game);
        let mut state = State::from_position(&game, game.parse_position("8/8/8/4B3/8/2W5/8/W7 w").unwrap());
        for time in 1..limit {
            assert!(verdict(&tables, &game, &state).is_some() == (time + 1 < limit), "{time} of {limit}");
            for turn in ["a1-b2", "e5-f6", "b2-a1", "f6-e5"] {
                if time + 1 < limit {
                    let action = game.parse_turn(state.position(), turn).unwrap()[0];
                    state.play(&game, action);
                }
            }
        }
    }

    #[test]
    fn tables_know_nothing_of_more_pieces_than_they_cover() {
        let game = Game::new(Ruleset::preset("damma8").unwrap()).unwrap();
        let (tables, state) = (tables(&game), State::new(&game));
        assert_eq!((best_action(&tables, &game, &state), verdict(&tables, &game, &state)), (None, None));
    }
}
