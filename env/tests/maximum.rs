//! The maximum rule where it is hardest: a flying king among many scattered men.

use damma_env::{Game, Position, Ruleset};

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
