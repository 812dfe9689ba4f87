//! PDN games as text.

use std::fmt;

use super::PdnGame;

/// Letters a line at most, as the standard for chess games recommends (PGN, 8.2.1).
const WIDTH: usize = 79;
/// The order of the tags that every program knows; others follow.
const ROSTER: [&str; 12] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "Result",
    "GameType",
    "Ruleset",
    "RulesetOverrides",
    "SetUp",
    "FEN",
];

/// Puts tags in the order of the roster; those that it does not know keep theirs, at the end.
pub(super) fn sort(tags: &mut [(String, String)]) {
    tags.sort_by_key(|(name, _)| ROSTER.iter().position(|known| known == name).unwrap_or(ROSTER.len()));
}

/// Writes tags and moves, with an empty line behind neither: separate games as you like.
///
/// [`PdnReader`](super::PdnReader) reads the same game back, but for places, tags out of order,
/// runs of blanks, and `}` in comments, which becomes `)`.
impl fmt::Display for PdnGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut tags = self.tags.clone();
        sort(&mut tags);
        for (name, value) in tags {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(['\r', '\n'], " ");
            writeln!(f, "[{name} \"{value}\"]")?;
        }
        let mut lines = Lines { f, column: 0 };
        if let Some(comment) = &self.comment {
            lines.comment(comment)?;
        }
        let second = usize::from(self.second_begins());
        for (index, played) in self.moves.iter().enumerate() {
            let ply = index + second;
            let number = match (ply % 2, index) {
                (0, _) => format!("{}. ", ply / 2 + 1),
                (_, 0) => format!("{}... ", ply / 2 + 1),
                _ => String::new(),
            };
            lines.word(&format!("{number}{}{}", played.text, played.strength))?;
            for nag in &played.nags {
                lines.word(&format!("${nag}"))?;
            }
            if let Some(comment) = &played.comment {
                lines.comment(comment)?;
            }
        }
        match self.result {
            Some(result) => lines.word(result.text())?,
            None if self.moves.is_empty() => {}
            None => lines.word("*")?,
        }
        writeln!(f)
    }
}

impl PdnGame {
    /// Says whether the game starts from a position where the side that usually starts does not decide.
    fn second_begins(&self) -> bool {
        let Some(fen) = self.tag("FEN") else { return false };
        let side = if fen.contains(':') { fen.trim_start().get(..1) } else { fen.split_whitespace().nth(1) };
        let first = self.tag("GameType").and_then(|value| value.split(',').nth(1)).unwrap_or("B");
        side.is_some_and(|side| !side.eq_ignore_ascii_case(first.trim()))
    }
}

/// Words put into lines.
struct Lines<'a, 'f> {
    f: &'a mut fmt::Formatter<'f>,
    column: usize,
}

impl Lines<'_, '_> {
    fn word(&mut self, word: &str) -> fmt::Result {
        let length = word.chars().count();
        if self.column > 0 {
            let fits = self.column + 1 + length <= WIDTH;
            self.f.write_str(if fits { " " } else { "\n" })?;
            self.column = if fits { self.column + 1 } else { 0 };
        }
        self.column += length;
        self.f.write_str(word)
    }

    fn comment(&mut self, text: &str) -> fmt::Result {
        let text = format!("{{{}}}", text.replace('}', ")"));
        text.split_whitespace().try_for_each(|word| self.word(word))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rand::seq::IndexedRandom;
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    use super::*;
    use crate::pdn::{PdnMove, PdnResult};
    use crate::{Game, PRESETS, Ruleset, State};

    /// Plays at random, and gives the game as PDN from a random turn on.
    fn random_game(game: &Arc<Game>, rng: &mut Pcg64Mcg) -> (PdnGame, crate::Position) {
        let mut state = State::new(game);
        let skipped = rng.random_range(0..12);
        let (mut start, mut actions) = (*state.position(), Vec::new());
        while state.outcome().is_none() && actions.len() < 400 {
            let action = *state.position().legal_actions(game).choose(rng).unwrap();
            actions.push(action);
            let side = state.position().side();
            state.play(game, action);
            if state.turns() <= skipped && state.position().side() != side {
                start = *state.position();
                actions.clear();
            }
        }
        let end = *state.position();
        // A game cut off within a turn loses that turn.
        let whole = state.outcome().is_some() || end.chain().is_none() && !end.has_progressed();
        let tags = [("Event".to_owned(), "a \"b\" \\ c".to_owned()), ("Opening".to_owned(), "é".to_owned())];
        let pdn = game.record_pdn(&start, &actions, PdnResult::of(game, state.outcome()), &tags);
        let last = if whole { end } else { game.replay_pdn(&pdn).unwrap().end };
        (pdn, last)
    }

    fn without_places(mut pdn: PdnGame) -> PdnGame {
        pdn.line = 0;
        for played in &mut pdn.moves {
            (played.line, played.column) = (0, 0);
        }
        pdn
    }

    fn check(ruleset: Ruleset, games: u64) {
        let game = Game::new(ruleset).unwrap();
        for seed in 0..games {
            let (pdn, end) = random_game(&game, &mut Pcg64Mcg::seed_from_u64(seed));
            let text = pdn.to_string();
            assert!(
                text.lines().filter(|line| !line.starts_with('[')).all(|line| line.chars().count() <= 79),
                "{text}"
            );
            let read = PdnGame::read_all(&text).unwrap();
            assert_eq!(read.len(), 1);
            let read = without_places(read.into_iter().next().unwrap());
            assert_eq!(read, pdn);
            assert_eq!(game.replay_pdn(&read).unwrap().end.key(), end.key(), "seed {seed}\n{text}");
        }
    }

    #[test]
    fn random_games_of_every_preset_come_back_from_their_text() {
        for preset in PRESETS {
            check(Ruleset::preset(preset.name).unwrap(), 12);
        }
    }

    #[test]
    fn random_games_on_numbered_squares_with_other_rules_come_back_from_their_text() {
        for overrides in [["capture=huff", "king=flying"], ["first=white", "man_captures=all"]] {
            check(Ruleset::preset("damma8").unwrap().with_overrides(overrides).unwrap(), 12);
        }
    }

    #[test]
    fn remarks_marks_and_annotations_come_back() {
        let played = |text: &str, strength: &str, nags: &[u16], comment: Option<&str>| PdnMove {
            text: text.to_owned(),
            strength: strength.to_owned(),
            nags: nags.to_vec(),
            comment: comment.map(str::to_owned),
            ..PdnMove::default()
        };
        let long = "word ".repeat(40);
        let pdn = PdnGame {
            tags: vec![("GameType".to_owned(), "21".to_owned()), ("FEN".to_owned(), "W:W32:B1".to_owned())],
            comment: Some("an ending".to_owned()),
            moves: vec![played("32-28", "!?", &[1, 14], Some(long.trim())), played("1-5", "*", &[], None)],
            result: Some(PdnResult::BothLost),
            line: 0,
            is_cut: false,
        };
        let text = pdn.to_string();
        assert!(text.contains("{an ending} 1... 32-28!? $1 $14 {word"));
        assert!(text.contains("2. 1-5*") || text.contains("1-5* 0-0"));
        assert_eq!(without_places(PdnGame::read_all(&text).unwrap().remove(0)), pdn);
    }
}
