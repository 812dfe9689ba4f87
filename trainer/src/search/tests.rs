#![expect(clippy::float_cmp, reason = "what should be the same sum has the same bits")]

use std::sync::{Arc, LazyLock};

use damma_env::{Action, Encoder, EndgameTables, EndgameValue, Game, Position, Ruleset, Setup, Side, State};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::*;
use crate::value::Value;

fn game(preset: &str) -> Arc<Game> {
    Game::new(Ruleset::preset(preset).unwrap()).unwrap()
}

fn gumbel() -> SearchConfig {
    SearchConfig { algorithm: Algorithm::Gumbel, ..SearchConfig::default() }
}

/// Knows nothing: all actions alike, every result alike.
struct Ignorant;

impl Evaluator for Ignorant {
    fn evaluate(&self, leaves: &Leaves) -> Evaluations {
        Evaluations { logits: vec![0.0; leaves.action_count()], wdl: vec![1.0 / 3.0; leaves.len() * 3] }
    }
}

/// Counts pieces: the decider's men come first in an observation, the enemy's men third or second.
struct Counting {
    points: usize,
    enemy: usize,
}

impl Counting {
    fn new(game: &Game) -> Self {
        let planes = Encoder::flat(game);
        let enemy = planes.planes().iter().position(|plane| *plane == damma_env::Plane::EnemyMen).unwrap();
        Self { points: game.squares().len() as usize, enemy }
    }

    fn wdl(own: usize, enemy: usize) -> [f32; 3] {
        let win = (0.5 + 0.05 * (own as f32 - enemy as f32)).clamp(0.0, 1.0);
        [win, 0.0, 1.0 - win]
    }
}

impl Evaluator for Counting {
    fn evaluate(&self, leaves: &Leaves) -> Evaluations {
        let count = |row: usize, plane: usize| {
            leaves.ones(row).iter().filter(|place| usize::from(**place) / self.points == plane).count()
        };
        let wdl = (0..leaves.len()).flat_map(|row| Self::wdl(count(row, 0), count(row, self.enemy)));
        Evaluations { logits: vec![0.0; leaves.action_count()], wdl: wdl.collect() }
    }
}

/// A search of one position.
struct One(Option<Lockstep>, Option<Tree>);

impl Task for One {
    fn search(&mut self) -> Option<&mut Lockstep> {
        self.0.as_mut()
    }

    fn root_evaluated(&mut self, config: &SearchConfig) {
        let search = self.0.as_mut().unwrap();
        search.tree.prepare_root(config, search.simulations, None);
    }

    fn finished(&mut self) {
        self.1 = self.0.take().map(|search| search.tree);
    }
}

fn searched(config: &SearchConfig, game: &Game, state: &State, simulations: u32, evaluator: &dyn Evaluator) -> Tree {
    let search = Lockstep { state: state.clone(), tree: Tree::default(), simulations };
    let mut task = One(Some(search), None);
    run(&mut task, config, game, evaluator);
    task.1.unwrap()
}

fn run(task: &mut One, config: &SearchConfig, game: &Game, evaluator: &dyn Evaluator) {
    let encoder = Encoder::flat(game);
    Batcher { config, game, encoder: &encoder, evaluator, tables: None }.run(std::slice::from_mut(task), &|| false);
}

fn best(config: &SearchConfig, tree: &Tree) -> Action {
    tree.choose(config, 0.0, &mut Pcg64::new(0, 0)).unwrap()
}

/// Tables of English draughts with up to three pieces, made by retrograde analysis.
static ENDINGS: LazyLock<EndgameTables> = LazyLock::new(|| {
    let mut tables = EndgameTables::new(&Ruleset::preset("damma8").unwrap());
    for class in tables.classes(3) {
        tables.solve(class, |_| ());
    }
    tables
});

/// Positions with three pieces in which somebody has a choice.
fn endings(game: &Game, count: usize) -> Vec<Position> {
    let mut rng = Pcg64::seed_from_u64(7);
    let mut found = Vec::new();
    while found.len() < count {
        let mut squares: Vec<_> = game.squares().into_iter().collect();
        let mut draw = || squares.swap_remove(rng.random_range(0..squares.len())).bit();
        let (white, black, other) = (draw(), draw(), draw());
        let setup = Setup {
            white: white | other,
            black,
            kings: white | if rng.random() { black } else { other },
            side: if rng.random() { Side::White } else { Side::Black },
            chain: None,
            huffable: damma_env::Bitboard::EMPTY,
            captured: damma_env::Bitboard::EMPTY,
            no_progress: 0,
        };
        let Ok(position) = setup.position(game) else { continue };
        if position.winner(game).is_none() && position.legal_actions(game).len() > 1 {
            found.push(position);
        }
    }
    found
}

#[test]
fn what_the_search_proves_is_what_the_tables_say() {
    let game = game("damma8");
    for config in [SearchConfig::default(), gumbel()] {
        let mut proved = 0;
        for position in endings(&game, 120) {
            let exact = ENDINGS.probe(&position).unwrap();
            let state = State::from_position(&game, position);
            let tree = searched(&config, &game, &state, 600, &Ignorant);
            if let Some(proof) = tree.proof() {
                proved += 1;
                assert_eq!(proof, Proof::of_endgame(position.side(), exact).with_length_of(proof), "{exact:?}");
            }
            if let EndgameValue::Win(turns @ 1..=3) = exact {
                assert!(tree.proof().is_some(), "a win in {turns} turns is found");
                let mut next = state.clone();
                next.play(&game, best(&config, &tree));
                let kept = next.position().winner(&game).is_some_and(|(side, _)| side == position.side())
                    || matches!(
                        (next.position().side() == position.side(), ENDINGS.probe(next.position())),
                        (true, Some(EndgameValue::Win(_))) | (false, Some(EndgameValue::Loss(_)))
                    );
                assert!(kept, "the action played keeps a win in {turns} turns");
            }
        }
        assert!(proved > 20, "{proved} of 120");
    }
}

#[test]
fn a_value_is_its_players_after_one_two_and_three_hops() {
    let game = game("damma");
    let evaluator = Counting::new(&game);
    // A White man that may hop three times in a row, with a choice at every hop, as captures are not forced to go on.
    let mut state = State::from_position(&game, game.parse_position("b8/9/9/4b4/9/4b4/9/b3b3b/4w4 w").unwrap());
    for hop in 1..=3 {
        let pieces = |position: &Position| {
            let (own, enemy) = (position.own().len() as usize, position.enemy().len() as usize);
            if position.side() == Side::White { (own, enemy) } else { (enemy, own) }
        };
        let tree = searched(&SearchConfig::default(), &game, &state, 60, &evaluator);

        for choice in tree.root_actions().filter(|choice| choice.visits == 1 && choice.proof.is_none()) {
            let mut after = state.clone();
            after.play(&game, choice.action);
            tree::play_forced(&game, &mut after, &mut Vec::new(), |_| ());
            let (white, black) = pieces(after.position());
            let expected = Value::from_wdl(Side::White, Counting::wdl(white, black));
            assert!((choice.value.for_side(Side::White) - expected.for_side(Side::White)).abs() < 1e-6, "hop {hop}");
        }
        let hops: Vec<_> = tree.root_actions().collect();
        assert!(hops.len() > 1 && tree.simulations() == 61, "hop {hop} is a choice");
        let capture = state.position().legal_actions(&game).into_iter().max_by_key(|&action| {
            let mut after = state.clone();
            after.play(&game, action);
            let (white, black) = pieces(after.position());
            white as i64 - black as i64
        });
        let before = pieces(state.position());
        state.play(&game, capture.unwrap());
        assert!(pieces(state.position()).1 < before.1, "hop {hop} captures");
    }
}

/// The same position with colours and ends of the board exchanged.
fn swapped(game: &Game, position: &Position) -> Position {
    let last = game.size() as u8 - 1;
    let turned = |set: damma_env::Bitboard| -> damma_env::Bitboard {
        let turn = |square| {
            let (file, rank) = game.coordinates(square);
            game.square_at(last - file, last - rank).unwrap()
        };
        set.into_iter().map(turn).collect()
    };
    let setup = position.setup(game);
    let other = Setup {
        white: turned(setup.black),
        black: turned(setup.white),
        kings: turned(setup.kings),
        side: setup.side.opponent(),
        huffable: turned(setup.huffable),
        captured: turned(setup.captured),
        chain: setup.chain.map(|square| turned(square.bit()).into_iter().next().unwrap()),
        ..setup
    };
    other.position(game).unwrap()
}

#[test]
fn swapping_colours_negates_every_value() {
    for preset in ["damma8", "zamma", "khreibga", "damma"] {
        let game = game(preset);
        let evaluator = Counting::new(&game);
        let mut rng = Pcg64::seed_from_u64(9);
        let mut state = State::new(&game);
        for _ in 0..12 {
            let legal = state.position().legal_actions(&game);
            if state.outcome().is_some() {
                break;
            }
            if legal.len() > 1 {
                let position = *state.position();
                let here = State::from_position(&game, position);
                let there = State::from_position(&game, swapped(&game, &position));
                for config in [SearchConfig::default(), gumbel()] {
                    let (one, two) = (
                        searched(&config, &game, &here, 100, &evaluator),
                        searched(&config, &game, &there, 100, &evaluator),
                    );
                    assert_eq!(one.value().for_side(Side::White), two.value().for_side(Side::Black), "{preset}");
                    for (one, two) in one.root_actions().zip(two.root_actions()) {
                        assert_eq!((one.action, one.visits), (two.action, two.visits), "{preset}");
                        assert_eq!(one.value.for_side(Side::White), two.value.for_side(Side::Black), "{preset}");
                    }
                }
            }
            state.play(&game, legal[rng.random_range(0..legal.len())]);
        }
    }
}

#[test]
fn a_followed_tree_is_the_part_that_was_searched() {
    let game = game("damma8");
    let evaluator = Counting::new(&game);
    let config = SearchConfig::default();
    let mut state = State::new(&game);
    let mut tree = searched(&config, &game, &state, 400, &evaluator);
    let mut spare = Tree::default();
    for _ in 0..6 {
        let chosen = best(&config, &tree);
        let expected = tree.root_actions().find(|choice| choice.action == chosen).unwrap();
        state.play(&game, chosen);
        tree::play_forced(&game, &mut state, &mut Vec::new(), |_| ());
        if !tree.follow(chosen, &mut spare) {
            break;
        }
        assert_eq!(tree.simulations(), expected.visits);
        let legal: Vec<Action> = tree.root_actions().map(|choice| choice.action).collect();
        assert_eq!(legal, state.position().legal_actions(&game));
        assert!((tree.value().for_side(Side::White) - expected.value.for_side(Side::White)).abs() < 1e-5);
        // It can be searched on from there.
        let mut task = One(Some(Lockstep { state: state.clone(), tree: tree.clone(), simulations: 300 }), None);
        run(&mut task, &config, &game, &evaluator);
        tree = task.1.unwrap();
        assert!(tree.simulations() >= 300 || tree.proof().is_some());
    }
}

#[test]
fn a_proved_loss_is_not_learnt_and_a_proved_win_alone_is() {
    let game = game("damma8");
    let forced = SearchConfig { forced_playouts: 2.0, ..SearchConfig::default() };
    for config in [forced, gumbel()] {
        for position in endings(&game, 60) {
            let state = State::from_position(&game, position);
            let tree = searched(&config, &game, &state, 200, &Ignorant);
            let targets = tree.targets(&config);
            assert!(!targets.is_empty());
            let side = position.side();
            let best = tree.proof().map(|proof| proof.for_side(side));
            let proved = |action: Action| {
                let choice = tree.root_actions().find(|choice| choice.action == action).unwrap();
                choice.proof.map(|proof| proof.for_side(side))
            };
            let played = self::best(&config, &tree);
            for action in targets.into_iter().map(|target| target.action).chain([played]) {
                match best {
                    Some(best) => assert_eq!(proved(action), Some(best)),
                    None => assert_ne!(proved(action), Some(-1)),
                }
            }
        }
    }
}

#[test]
fn looking_evaluations_up_changes_nothing() {
    let game = game("zamma");
    let evaluator = Counting::new(&game);
    let plain = SearchConfig::default();
    let cached = SearchConfig { cache: true, ..SearchConfig::default() };
    let mut state = State::new(&game);
    for ply in 0..6 {
        let (one, two) =
            (searched(&plain, &game, &state, 300, &evaluator), searched(&cached, &game, &state, 300, &evaluator));
        assert!(one.root_actions().eq(two.root_actions()), "after {ply} actions");
        state.play(&game, best(&plain, &one));
        tree::play_forced(&game, &mut state, &mut Vec::new(), |_| ());
    }
}

#[test]
fn surprise_is_told_from_the_priors_before_noise() {
    let (game, config) = (game("damma8"), SearchConfig::default());
    let (mut tree, mut state) = (Tree::default(), State::new(&game));
    assert_eq!(tree.descend(&config, &game, None, &mut state), Descent::Leaf);
    let actions = tree.leaf_actions().to_vec();
    tree.expand(&mut state, &vec![0.0; actions.len()], [0.3, 0.4, 0.3]);
    tree.prepare_root(&config, 8, Some(&mut Pcg64::new(0, 0)));
    let even = 1.0 / actions.len() as f32;
    assert!(tree.root_actions().any(|choice| (choice.prior - even).abs() > 0.01), "there is noise");
    let target = |action: &Action| Target { action: *action, weight: 30 };

    let all: Vec<Target> = actions.iter().map(target).collect();
    assert!(tree.surprise(&all).abs() < 1e-5);
    assert!((tree.surprise(&all[1..2]) + even.ln()).abs() < 1e-5);
    assert!((tree.surprise(&all[..2]) + (2.0 * even).ln()).abs() < 1e-5);
    assert_eq!(tree.surprise(&[]), 0.0);
}
