//! The frozen weights of the evaluation, and which of them a ruleset takes.
//!
//! They are data that `damma fit` has made from games of the baseline against itself, one section
//! a preset. A ruleset that is no preset takes those of the preset that it resembles most.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use damma_env::{Capture, Game, King, Lines, ManCaptures, Ruleset};
use serde::{Deserialize, Serialize};

/// The sections of `weights.toml`, by preset.
static FROZEN: LazyLock<BTreeMap<String, Weights>> =
    LazyLock::new(|| toml::from_str(include_str!("weights.toml")).expect("the frozen weights are valid"));

/// What a man is worth: the unit of all weights is a hundredth of this.
pub(super) const MAN: i32 = 100;

/// What each feature is worth, in hundredths of a man.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weights {
    /// The version of the baseline that these weights belong to.
    pub version: String,
    /// The command that made them.
    pub command: String,
    /// A king.
    pub king: i32,
    /// What a man is worth on each rank beyond 100, from his first rank on.
    pub ranks: Vec<i32>,
    /// A man, for each file between him and the nearest edge.
    pub man_centre: i32,
    /// A man on a point without diagonals.
    pub man_off_diagonal: i32,
    /// A king, for each ring of points between it and the edge.
    pub king_centre: i32,
    /// A king on a point without diagonals.
    pub king_off_diagonal: i32,
    /// The difference in pieces as a share of all pieces: all of them is worth this.
    pub share: i32,
    /// Being the one who decides.
    pub tempo: i32,
    /// Each step that a man can make.
    pub mobility: i32,
    /// Each enemy piece that could capture if the turn passed.
    pub exposure: i32,
    /// An enemy man that may be huffed.
    pub fault: i32,
    /// What it is worth more if a king may be huffed.
    pub fault_king: i32,
}

impl Weights {
    /// Gives the frozen weights for a game.
    #[must_use]
    pub fn frozen(game: &Game) -> Self {
        FROZEN[model(game.ruleset())].clone()
    }

    /// Writes the weights as the section of a preset.
    #[must_use]
    pub fn section(&self, preset: &str) -> String {
        toml::to_string(&BTreeMap::from([(preset, self)])).expect("texts and numbers are TOML")
    }

    /// Gives what a man is worth on a rank of a board of `size`, beyond [`MAN`]. Boards of another
    /// size than the weights' take those of the rank as far up.
    pub(super) fn rank(&self, rank: u8, size: usize) -> i32 {
        let last = self.ranks.len() - 1;
        let place = if size == self.ranks.len() { rank.into() } else { usize::from(rank) * last / (size - 1) };
        self.ranks[place]
    }
}

/// Names the preset whose weights a ruleset takes: by kings, size, captures and lines.
const fn model(ruleset: &Ruleset) -> &'static str {
    match (ruleset.king, ruleset.size, ruleset.capture, ruleset.lines, ruleset.man_captures) {
        (King::None, ..) => "kharberg",
        (King::Short, ..) => "damma8",
        (King::Flying, ..=6, ..) => "khreibga",
        (King::Flying, _, Capture::Forced, ..) => "srand",
        (King::Flying, _, Capture::Huff, Lines::Alquerque, ManCaptures::ForwardOffDiagonal) => "dhamet",
        (King::Flying, _, Capture::Huff, Lines::Alquerque, _) => "zamma",
        (King::Flying, _, Capture::Huff, ..) => "damma",
    }
}

#[cfg(test)]
mod tests {
    use damma_env::PRESETS;

    use super::*;
    use crate::alphabeta::VERSION;

    #[test]
    fn every_preset_has_weights_of_its_own_that_say_where_they_come_from() {
        for preset in PRESETS {
            let game = Game::new(Ruleset::preset(preset.name).unwrap()).unwrap();
            let weights = Weights::frozen(&game);
            assert_eq!(model(game.ruleset()), preset.name);
            assert_eq!((weights.ranks.len(), weights.version.as_str()), (game.size(), VERSION), "{}", preset.name);
            assert!(weights.command.starts_with(&format!("damma fit --preset {} ", preset.name)));
        }
    }

    #[test]
    fn a_ruleset_that_is_no_preset_takes_the_weights_of_one_like_it() {
        for (preset, option, expected) in [
            ("srand", "priority=free", "srand"),
            ("zamma", "capture=forced", "srand"),
            ("khreibga", "king=none", "kharberg"),
            ("damma8", "size=10", "damma8"),
            ("dhamet", "max_turns=99", "dhamet"),
        ] {
            let ruleset = Ruleset::preset(preset).unwrap().with_overrides([option]).unwrap();
            assert_eq!(model(&ruleset), expected, "{preset} {option}");
        }
    }

    #[test]
    fn a_larger_board_takes_its_ranks_from_as_far_up() {
        let game = Game::new(Ruleset::preset("damma8").unwrap()).unwrap();
        let weights = Weights::frozen(&game);
        assert_eq!((weights.rank(0, 10), weights.rank(9, 10)), (weights.ranks[0], weights.ranks[7]));
    }
}
