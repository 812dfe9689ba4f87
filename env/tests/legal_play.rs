//! No sequence of legal actions leads to a state that cannot be.
//!
//! Ten million random actions in batches, each board checked after each of them, and a million
//! more in single games. What the rules say is `conformance/`'s affair; here only what holds whatever
//! they say.

use std::sync::Arc;

use damma_env::{
    Action, Bitboard, Capture, Cause, Chain, Final, Game, King, Outcome, PRESETS, Position, Removal, Ruleset, Side,
    Starts, State, VectorEnv, VectorOptions,
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// Actions in batches over all games; a twentieth where every `debug_assert` is checked too.
const BATCH_STEPS: usize = if cfg!(debug_assertions) { 500_000 } else { 10_200_000 };
/// Actions in single games over all games.
const SINGLE_STEPS: usize = BATCH_STEPS / 10;
const BOARDS: usize = 250;

/// Every preset, and rulesets that turn each option.
fn games() -> Vec<Arc<Game>> {
    let more = [
        ("damma", "size=10"),
        ("damma", "capture=forced removal=turn_end king_landing=next no_progress_limit=30"),
        ("zamma", "lines=diagonal middle=left"),
        ("zamma", "chain=none repetition_limit=0"),
        ("dhamet", "size=7 home_rows=3 promotion=turn_end removal=turn_end"),
        ("srand", "lines=full size=7 home_rows=2 removal=turn_end promotion=immediate"),
        ("kharberg", "chain=none capture=forced no_progress_limit=0 max_turns=70"),
        ("kharberg", "king=short size=6 first=black"),
        ("khreibga", "king=short size=4 home_rows=1 lone_kings_draw=true"),
        ("damma8", "capture=huff man_captures=all"),
        ("damma8", "king=flying promotion=immediate priority=maximum lone_kings_draw=true max_turns=150"),
    ];
    let presets = PRESETS.iter().map(|preset| (preset.name, ""));
    presets
        .chain(more)
        .map(|(preset, options)| {
            let ruleset = Ruleset::preset(preset).expect("a preset").with_overrides(options.split_whitespace());
            Game::new(ruleset.expect("a ruleset")).expect("a game")
        })
        .collect()
}

/// What a board held before an action: pieces and kings by side, and whose decision it was.
#[derive(Clone, Copy)]
struct Before {
    pieces: [u32; 2],
    kings: [u32; 2],
    side: Side,
}

impl Before {
    fn of(position: &Position) -> Self {
        let by_side = |own: Bitboard, enemy: Bitboard| match position.side() {
            Side::White => [own.len(), enemy.len()],
            Side::Black => [enemy.len(), own.len()],
        };
        let (own, enemy, kings) = (position.own(), position.enemy(), position.kings());
        Self { pieces: by_side(own, enemy), kings: by_side(own & kings, enemy & kings), side: position.side() }
    }

    /// Checks that an action took nothing from the mover, and from the other no more than it can.
    fn check_change(&self, game: &Game, after: &Position) {
        let after = Self::of(after);
        let (us, them) = (self.side.index(), self.side.opponent().index());
        assert_eq!(after.pieces[us], self.pieces[us], "the mover's pieces stay");
        assert!(after.pieces[them] <= self.pieces[them], "no piece comes back");
        if game.ruleset().removal == Removal::Hop {
            assert!(after.pieces[them] + 1 >= self.pieces[them], "a hop takes one piece");
        }
        assert!([0, 1].contains(&(after.kings[us] - self.kings[us])), "one man at most is promoted");
        assert!(after.kings[them] <= self.kings[them], "only the mover's men are promoted");
    }
}

/// Checks what holds in every position that legal play reaches.
fn check_position(game: &Game, position: &Position) {
    let ruleset = game.ruleset();
    let (own, enemy, kings, chain) = (position.own(), position.enemy(), position.kings(), position.chain());
    assert!((own & enemy).is_empty(), "two pieces on one point");
    assert!((own | enemy).without(game.squares()).is_empty(), "a piece beside the board");
    assert!(kings.without(own | enemy).is_empty(), "a king that is no piece");
    assert!(ruleset.king != King::None || kings.is_empty(), "a king in a game without");
    assert!(position.waiting().without(enemy).is_empty(), "only enemy pieces wait for removal");
    assert!(position.waiting().is_empty() || ruleset.removal == Removal::TurnEnd && chain.is_some());
    assert!(position.at_fault().without(enemy).is_empty(), "only enemy pieces are at fault");
    assert!(position.at_fault().is_empty() || ruleset.capture == Capture::Huff && !position.has_progressed());
    assert!(chain.is_none_or(|piece| own.contains(piece)), "the chain is the decider's");
    assert!(chain.is_none() || ruleset.chain == Chain::Mandatory);
    assert!(chain.is_none() || ruleset.removal == Removal::Hop || !position.waiting().is_empty());
    if ruleset.king != King::None {
        let chaining = chain.map_or(Bitboard::EMPTY, damma_env::Square::bit);
        assert!((own & game.far_rank()).without(kings | chaining).is_empty(), "a man on its far rank");
        assert!((enemy & game.flip(game.far_rank())).without(kings).is_empty(), "a man on its far rank");
    }
}

/// Checks a position whose game goes on.
fn check_running(game: &Game, position: &Position) {
    check_position(game, position);
    let limit = game.ruleset().no_progress_limit;
    assert!(limit == 0 || position.quiet_turns() < limit, "a game is drawn in time");
    assert!(!position.own().is_empty() && !position.enemy().is_empty(), "a game without pieces is over");
}

/// Checks that the words of a mask have a legal action, and none past the game's numbers.
fn check_mask(game: &Game, words: &[u64]) {
    assert!(words.iter().any(|word| *word != 0), "a running game has a legal action");
    let past = game.action_count() % 64;
    assert!(past == 0 || words[words.len() - 1] >> past == 0, "an action past the last number");
}

/// Checks a mask against the list of the position, and the position against its text; dear.
fn check_closely(game: &Game, position: &Position, words: &[u64]) {
    let legal = position.legal_actions(game);
    assert!(legal.iter().all(|action| words[action.index() / 64] >> (action.index() % 64) & 1 == 1));
    assert_eq!(legal.len(), words.iter().map(|word| word.count_ones() as usize).sum::<usize>());
    let text = game.position_text(position);
    let read = game.parse_position(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(read.key(), position.key(), "{text}");
}

/// Checks that a game ended as its cause says.
fn check_final(game: &Game, last: &Final, rewards: [f32; 2]) {
    let (ruleset, position, ending) = (game.ruleset(), &last.position, last.ending);
    check_position(game, position);
    let legal = position.legal_actions(game).len();
    let holds = match ending.cause {
        Cause::NoPieces => position.own().is_empty() || position.enemy().is_empty(),
        Cause::Blocked => legal == 0 && !position.own().is_empty() && !position.enemy().is_empty(),
        Cause::NoProgress => position.quiet_turns() == ruleset.no_progress_limit && legal > 0,
        Cause::Repetition => last.repetitions == u32::from(ruleset.repetition_limit) && legal > 0,
        Cause::LoneKings => ruleset.lone_kings_draw && position.kings().len() == 2 && position.own().len() == 1,
        Cause::Truncated => last.turns == ruleset.max_turns && legal > 0,
        Cause::None | Cause::Illegal => false,
    };
    assert!(holds, "{ending:?} in {}", game.position_text(position));
    let won = matches!(ending.cause, Cause::NoPieces | Cause::Blocked);
    assert_eq!(ending.winner.is_some(), won);
    for side in Side::BOTH {
        let reward = ending.winner.map_or(0.0, |winner| if winner == side { 1.0 } else { -1.0 });
        assert!((rewards[side.index()] - reward).abs() < f32::EPSILON);
    }
}

/// Plays `steps` random actions on a batch and checks every board after each.
fn play_batch(game: &Arc<Game>, steps: usize) {
    let options = VectorOptions { seed: 3, starts: Starts::Random(0..=4), threads: 1, ..VectorOptions::default() };
    let mut batch = VectorEnv::new(game.clone(), BOARDS, options).expect("a batch");
    let position = |batch: &VectorEnv, board| batch.position(board).expect("a board");
    let mut before: Vec<Before> = (0..BOARDS).map(|board| Before::of(&position(&batch, board))).collect();
    let mut lengths = [0; BOARDS];
    let mut actions = [0; BOARDS];
    for step in 0..steps.div_ceil(BOARDS) {
        batch.sample_legal(&mut actions).expect("room");
        batch.step(&actions).expect("legal actions");
        let mut ended = batch.finals().games().iter().peekable();
        for board in 0..BOARDS {
            lengths[board] += 1;
            let now = position(&batch, board);
            let over = [batch.terminated()[board], batch.truncated()[board]];
            let rewards = [batch.rewards()[[board, 0]], batch.rewards()[[board, 1]]];
            assert!((rewards[0] + rewards[1]).abs() < f32::EPSILON, "what one wins the other loses");
            assert_eq!(over == [0, 0], batch.causes()[board] == Cause::None as u8);
            if let Some(last) = ended.next_if(|last| last.board == board) {
                assert_eq!(over, if last.ending.cause == Cause::Truncated { [0, 1] } else { [1, 0] });
                assert_eq!((batch.causes()[board], last.length), (last.ending.cause as u8, lengths[board]));
                before[board].check_change(game, &last.position);
                check_final(game, last, rewards);
                lengths[board] = 0;
            } else {
                assert!(over == [0, 0] && rewards[0] == 0.0, "a game that goes on earns nothing");
                before[board].check_change(game, &now);
            }
            assert_eq!(usize::from(batch.current_players()[board]), now.side().index());
            assert_eq!(batch.episode_length(board).expect("a board"), lengths[board]);
            check_running(game, &now);
            before[board] = Before::of(&now);
        }
        assert!(ended.next().is_none(), "every game that ended is that of a board");
        let words = batch.packed_masks();
        for board in 0..BOARDS {
            let words = words.row(board).to_slice().expect("rows are contiguous");
            check_mask(game, words);
            if (step + board) % 32 == 0 {
                check_closely(game, &position(&batch, board), words);
                assert_eq!(batch.state(board).expect("a board").outcome(), None);
            }
        }
    }
}

/// Plays `steps` random actions in games of their own and checks every state.
fn play_singly(game: &Arc<Game>, steps: usize) {
    let mut rng = Pcg64::seed_from_u64(4);
    let mut legal = Vec::new();
    let mut state = State::new(game);
    for _ in 0..steps {
        state.position().legal_actions_into(game, &mut legal);
        assert!(legal.is_sorted() && legal.iter().all(|action| action.index() < game.action_count()));
        let action: Action = legal[rng.random_range(0..legal.len())];
        let (before, turns) = (Before::of(state.position()), state.turns());
        state.try_play(game, action).expect("a listed action is legal");
        before.check_change(game, state.position());
        assert_eq!(state.turns() - turns, u32::from(state.position().side() != before.side));
        match state.outcome() {
            None => check_running(game, state.position()),
            Some(outcome) => {
                check_position(game, state.position());
                let blocked = !state.position().has_action(game);
                assert_eq!(blocked, matches!(outcome, Outcome::Win { .. }), "{outcome:?}");
                state = State::new(game);
            }
        }
    }
}

#[test]
fn no_legal_play_in_batches_leads_to_an_impossible_state() {
    let games = games();
    let steps = BATCH_STEPS / games.len();
    for game in &games {
        play_batch(game, steps);
    }
    println!("{} actions on {} games", games.len() * steps.div_ceil(BOARDS) * BOARDS, games.len());
}

#[test]
fn no_legal_play_in_single_games_leads_to_an_impossible_state() {
    let games = games();
    let steps = SINGLE_STEPS / games.len();
    for game in &games {
        play_singly(game, steps);
    }
    println!("{} actions on {} games", games.len() * steps, games.len());
}
