//! The maximum rule where it is hardest: a flying king among many scattered men.

use std::collections::HashMap;

use damma_env::{Action, Game, Position, Ruleset};

fn srand(option: Option<&str>) -> std::sync::Arc<Game> {
    Game::new(Ruleset::preset("srand").expect("a preset").with_overrides(option).expect("a ruleset")).expect("a game")
}

/// Follows the first legal action until the turn ends, and counts the captures.
fn captures(game: &Game, start: &Position) -> u32 {
    let mut position = *start;
    while position.side() == start.side() {
        position = position.play(game, position.legal_actions(game)[0]);
    }
    start.enemy().len() - position.own().len()
}

/// Exhaustive search took minutes for these; the counts of legal first hops are from it.
#[test]
fn a_king_among_thirty_men_is_answered_exactly() {
    let game = srand(None);
    let text = "9/1b1bb1b2/b1b1b2b1/1b2bbbb1/2bb1b1bb/1Wb2b1b1/b2b1bbb1/bb1b5/9 w - - - 0";
    let position = game.parse_position(text).expect("a position");
    assert_eq!(position.legal_actions(&game).len(), 5);

    let full = srand(Some("lines=full"));
    let text = "9/b2b3b1/b1b3b2/4bb1b1/b1b2b3/1bWb1bbbb/3b5/b2bbb1b1/9 w - - - 0";
    let position = full.parse_position(text).expect("a position");
    assert_eq!(position.legal_actions(&full).len(), 6);
}

#[test]
fn every_longest_first_hop_leads_to_a_chain_of_the_same_length() {
    let game = srand(None);
    let text = "9/1b1bb1b2/b1b1b2b1/1b2bbbb1/2bb1b1bb/1Wb2b1b1/b2b1bbb1/bb1b5/9 w - - - 0";
    let position = game.parse_position(text).expect("a position");
    let lengths: Vec<u32> = position
        .legal_actions(&game)
        .into_iter()
        .map(|action| {
            let next = position.play(&game, action);
            if next.side() == position.side() { 1 + captures(&game, &next) } else { 1 }
        })
        .collect();
    assert!(lengths[0] > 5);
    assert!(lengths.iter().all(|length| *length == lengths[0]), "{lengths:?}");
}

/// Counts the captures of the longest chain by playing all of them where nothing but capturing
/// binds; positions that come up again are looked up by key.
fn longest(free: &Game, position: &Position, known: &mut HashMap<u64, u32>) -> u32 {
    if let Some(&length) = known.get(&position.key()) {
        return length;
    }
    let hops = position.legal_actions(free);
    let length = hops.into_iter().map(|hop| 1 + rest(free, position, hop, known)).max().unwrap_or(0);
    known.insert(position.key(), length);
    length
}

/// Counts the captures that can follow a hop in the same turn.
fn rest(free: &Game, position: &Position, hop: Action, known: &mut HashMap<u64, u32>) -> u32 {
    let next = position.play(free, hop);
    if next.chain().is_some() { longest(free, &next, known) } else { 0 }
}

/// Lists the hops that begin a chain of the greatest length, from all chains.
fn longest_first_hops(free: &Game, position: &Position, known: &mut HashMap<u64, u32>) -> Vec<Action> {
    let hops = position.legal_actions(free);
    let lengths: Vec<u32> = hops.iter().map(|hop| rest(free, position, *hop, known)).collect();
    let most = lengths.iter().max().expect("a capture");
    hops.iter().zip(&lengths).filter(|(_, length)| *length == most).map(|(hop, _)| *hop).collect()
}

/// Scatters up to ten pieces over a board; `None` where the pieces do not make a position.
fn scatter(game: &Game, seed: &mut u64) -> Option<Position> {
    let mut below = |count: u64| {
        *seed = seed.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        (*seed >> 33) % count
    };
    let size = game.size() as u8;
    let (mut left, density) = (10, 15 + below(35));
    let mut point = |file, rank| {
        if left == 0 || game.square_at(file, rank).is_none() || below(100) >= density {
            return '.';
        }
        left -= 1;
        ['w', 'W', 'b', 'b', 'b', 'B', 'b', 'b'][below(8) as usize]
    };
    let ranks: Vec<String> = (0..size).rev().map(|rank| (0..size).map(|file| point(file, rank)).collect()).collect();
    let mut text = format!("{} w", ranks.join("/"));
    for gap in (1..=usize::from(size)).rev() {
        text = text.replace(&".".repeat(gap), &gap.to_string());
    }
    game.parse_position(&text).ok()
}

#[test]
fn the_longest_first_hops_are_those_that_playing_all_chains_finds() {
    let mut seed = 1;
    let mut checked = 0;
    for ruleset in 0..96 {
        let pick = |values: &[&'static str], weight: usize| values[ruleset / weight % values.len()];
        let options = [
            format!("king={}", pick(&["flying", "short"], 1)),
            format!("king_landing={}", pick(&["any", "next"], 2)),
            format!("removal={}", pick(&["hop", "turn_end"], 4)),
            format!("promotion={}", pick(&["turn_end", "immediate"], 8)),
            format!("lines={}", pick(&["alquerque", "full", "diagonal"], 16)),
            format!("man_captures={}", pick(&["all", "forward", "forward_off_diagonal"], 32)),
            format!("size={}", 5 + ruleset % 5),
            "home_rows=1".to_owned(),
        ];
        let options = options.iter().map(String::as_str);
        let build = |priority| {
            let ruleset = Ruleset::preset("srand").expect("a preset");
            Game::new(ruleset.with_overrides(options.clone().chain([priority])).expect("a ruleset")).expect("a game")
        };
        let (maximum, free) = (build("priority=maximum"), build("priority=free"));
        for _ in 0..30 {
            let Some(mut position) = scatter(&free, &mut seed).filter(|position| position.can_capture(&free)) else {
                continue;
            };
            let mut known = HashMap::new();
            loop {
                let expected = longest_first_hops(&free, &position, &mut known);
                assert_eq!(position.legal_actions(&maximum), expected, "{}", free.position_text(&position));
                checked += 1;
                let hops = position.legal_actions(&free);
                position = position.play(&free, hops[checked % hops.len()]);
                if position.chain().is_none() {
                    break;
                }
            }
        }
    }
    assert!(checked > 1000, "{checked}");
}

#[test]
fn two_kings_that_make_the_same_captures_differ_by_the_squares_they_left() {
    let options = ["lines=full", "man_captures=forward", "promotion=immediate"];
    let ruleset = Ruleset::preset("srand").expect("a preset").with_overrides(options).expect("a ruleset");
    let maximum = Game::new(ruleset.clone()).expect("a game");
    let free = Game::new(ruleset.with_overrides(["priority=free"]).expect("a ruleset")).expect("a game");
    let text = "6bWB/wB1BB4/5b1W1/2Bb1BbW1/9/9/9/9/9 w - - - 1";
    let position = free.parse_position(text).expect("a position");
    assert_eq!(position.legal_actions(&maximum), longest_first_hops(&free, &position, &mut HashMap::new()));
}
