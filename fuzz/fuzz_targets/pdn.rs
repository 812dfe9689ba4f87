//! PDN: reading always ends, what is read is written and read back as the same, and a game that
//! the rules allow is recorded as one that they allow.

#![no_main]

use damma_env::{Game, PdnGame, PdnReader, PdnResult};
use damma_fuzz::GAMES;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for game in PdnReader::new(text) {
        match game {
            Ok(pdn) => {
                check_text(&pdn);
                if let Ok(Some(ruleset)) = pdn.ruleset() {
                    replay(&Game::new(ruleset).expect("a ruleset that was checked"), &pdn);
                }
                GAMES.iter().for_each(|game| replay(game, &pdn));
            }
            Err(error) => assert!(error.line > 0 && error.column > 0 && !error.to_string().is_empty()),
        }
    }
});

/// Writes a game and reads it back: the same but for what `Display` of a game says.
fn check_text(pdn: &PdnGame) {
    let written = pdn.to_string();
    let mut read = PdnGame::read_all(&written).unwrap_or_else(|error| panic!("{error} in our own\n{written}"));
    assert_eq!(read.len(), 1, "{written}");
    assert_eq!(normal(read.remove(0)), normal(pdn.clone()), "{written}");
}

/// Takes away places, the order of tags, runs of blanks and `}` in comments.
fn normal(mut pdn: PdnGame) -> PdnGame {
    let blanks = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let remark = |text: Option<String>| text.map(|text| blanks(&text.replace('}', ")")));
    pdn.tags.iter_mut().for_each(|(_, value)| *value = blanks(value));
    pdn.tags.sort();
    pdn.comment = remark(pdn.comment);
    (pdn.line, pdn.is_cut) = (0, false);
    for played in &mut pdn.moves {
        played.comment = remark(played.comment.take());
        (played.line, played.column) = (0, 0);
    }
    // A game without an end is written as an unfinished one.
    pdn.result = pdn.result.or(Some(PdnResult::Unknown)).filter(|_| !pdn.moves.is_empty());
    pdn
}

fn replay(game: &Game, pdn: &PdnGame) {
    match game.replay_pdn(pdn) {
        Ok(replay) => {
            assert_eq!(replay.turns.len(), pdn.moves.len());
            let actions = replay.turns.concat();
            let again = game.record_pdn(&replay.start, &actions, PdnResult::Unknown, &[]);
            let again = PdnGame::read_all(&again.to_string()).expect("our own text").remove(0);
            let end = game.replay_pdn(&again).unwrap_or_else(|fault| panic!("{fault} in our own\n{again}")).end;
            assert_eq!(end.key(), replay.end.key(), "{again}");
        }
        Err(fault) => assert!(!fault.to_string().is_empty()),
    }
}
