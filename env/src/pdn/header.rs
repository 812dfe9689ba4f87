//! The tags that say which game is played: `GameType`, `Ruleset` and `RulesetOverrides`.

use super::PdnGame;
use super::replay::ReplayReason;
use crate::geometry::Game;
use crate::outcome::Side;
use crate::ruleset::{OPTIONS, PRESETS, Ruleset, RulesetError};

/// The game type of English draughts.
pub(super) const ENGLISH: u32 = 21;
/// The game type of all other games of this engine, free in the standard.
const OURS: u32 = 42;
/// The preset that English draughts are.
const ENGLISH_PRESET: &str = "damma8";
/// Options that decide when a game is drawn or cut off, not what may be played.
const ENDINGS: [&str; 4] = ["no_progress_limit", "repetition_limit", "lone_kings_draw", "max_turns"];

impl PdnGame {
    /// Gives the ruleset that the tags name, or `None` if they name none.
    ///
    /// # Errors
    /// The tags name an unknown preset or impossible overrides.
    pub fn ruleset(&self) -> Result<Option<Ruleset>, RulesetError> {
        let preset = match (self.tag("Ruleset"), type_number(self)) {
            (Some(name), _) => name,
            (None, Some(ENGLISH)) => ENGLISH_PRESET,
            (None, _) => return Ok(None),
        };
        let overrides = self.tag("RulesetOverrides").unwrap_or_default();
        let overrides = overrides.split([' ', ',', ';']).filter(|text| !text.is_empty());
        Ruleset::preset(preset)?.with_overrides(overrides).map(Some)
    }
}

/// Gives the number of the game type that a file names.
pub(super) fn type_number(pdn: &PdnGame) -> Option<u32> {
    pdn.tag("GameType")?.split(',').next()?.trim().parse().ok()
}

/// Says whose win `1-0` is in the game type that `game` is written with.
pub(super) fn side_of_first_result(game: &Game) -> Side {
    if game.has_numbered_squares() { Side::Black } else { Side::White }
}

/// Writes the tags that say which game is played.
pub(super) fn tags(game: &Game) -> Vec<(String, String)> {
    let tag = |name: &str, value: String| (name.to_owned(), value);
    let mut tags = vec![tag("GameType", game_type(game))];
    let (preset, overrides) = nearest_preset(game.ruleset());
    if preset != ENGLISH_PRESET || !overrides.is_empty() {
        tags.push(tag("Ruleset", preset.to_owned()));
    }
    if !overrides.is_empty() {
        tags.push(tag("RulesetOverrides", overrides.join(" ")));
    }
    tags
}

/// Checks that a file is of the game that it shall be played with.
pub(super) fn check(game: &Game, pdn: &PdnGame) -> Result<(), ReplayReason> {
    if let Some(found) = pdn.tag("GameType") {
        let fields: Vec<&str> = found.split(',').map(str::trim).collect();
        let size = game.size().to_string();
        let sized = fields.len() < 4 || fields[2] == size && fields[3] == size;
        let playable = match type_number(pdn) {
            Some(ENGLISH) => game.has_numbered_squares(),
            Some(OURS) => sized,
            _ => false,
        };
        if !playable {
            return Err(ReplayReason::GameType { found: found.to_owned(), expected: game_type(game) });
        }
    }
    // English draughts without a ruleset are played with what the caller asks for: house rules of that board.
    if pdn.tag("Ruleset").is_none() {
        return Ok(());
    }
    let Some(theirs) = pdn.ruleset()? else { return Ok(()) };
    let other = differences(game.ruleset(), &theirs);
    let other: Vec<String> = other
        .into_iter()
        .filter(|(name, _)| !ENDINGS.contains(name))
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    if other.is_empty() { Ok(()) } else { Err(ReplayReason::OtherRuleset(other.join(", "))) }
}

fn game_type(game: &Game) -> String {
    if game.has_numbered_squares() {
        return ENGLISH.to_string();
    }
    let (first, size) = (game.ruleset().first.letter().to_uppercase(), game.size());
    format!("{OURS},{first},{size},{size},A0,0")
}

/// Finds the preset with the fewest options that differ, and those as overrides.
fn nearest_preset(ruleset: &Ruleset) -> (&'static str, Vec<String>) {
    PRESETS
        .iter()
        .map(|preset| {
            let base = Ruleset::preset(preset.name).expect("presets exist by their names");
            let overrides: Vec<String> =
                differences(&base, ruleset).into_iter().map(|(name, value)| format!("{name}={value}")).collect();
            (preset.name, overrides)
        })
        .min_by_key(|(_, overrides)| overrides.len())
        .expect("there are presets")
}

/// Lists the options whose values differ, with those of `other`.
fn differences(ruleset: &Ruleset, other: &Ruleset) -> Vec<(&'static str, String)> {
    let table = |ruleset| toml::Table::try_from(ruleset).expect("a ruleset is plain data");
    let (ours, theirs) = (table(ruleset), table(other));
    OPTIONS
        .iter()
        .filter(|option| ours.get(option.name) != theirs.get(option.name))
        .filter_map(|option| {
            let value = theirs.get(option.name)?;
            Some((option.name, value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned)))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tag_lines(preset: &str, overrides: &[&str]) -> Vec<String> {
        let ruleset = Ruleset::preset(preset).unwrap().with_overrides(overrides.iter().copied()).unwrap();
        let game = Game::new(ruleset.clone()).unwrap();
        let pdn = PdnGame { tags: tags(&game), ..PdnGame::default() };
        assert_eq!(pdn.ruleset(), Ok(Some(ruleset)));
        assert!(check(&game, &pdn).is_ok());
        pdn.tags.into_iter().map(|(name, value)| format!("{name} {value}")).collect()
    }

    #[test]
    fn every_ruleset_comes_back_from_its_tags() {
        assert_eq!(tag_lines("damma8", &[]), ["GameType 21"]);
        assert_eq!(tag_lines("zamma", &[]), ["GameType 42,W,9,9,A0,0", "Ruleset zamma"]);
        assert_eq!(tag_lines("zamma", &["capture=forced"])[2], "RulesetOverrides capture=forced");
        assert_eq!(tag_lines("khreibga", &["first=black"])[0], "GameType 42,B,5,5,A0,0");
        assert_eq!(tag_lines("damma8", &["king=flying", "max_turns=90"]).len(), 3);
        tag_lines("kharberg", &["size=10", "home_rows=3", "king=short", "lone_kings_draw=true"]);
    }

    #[test]
    fn a_file_of_another_game_is_refused() {
        let game = Game::new(Ruleset::preset("zamma").unwrap()).unwrap();
        let reason =
            |tags: &str| check(&game, &PdnGame::read_all(tags).unwrap()[0]).map_err(|reason| reason.to_string());
        assert!(reason("[GameType \"21\"]").unwrap_err().contains("is of game type 21"));
        assert!(reason("[GameType \"42,W,5,5,A0,0\"]").is_err());
        assert!(reason("[GameType \"42\"]\n[Ruleset \"srand\"]").unwrap_err().contains("capture=forced"));
        assert!(reason("[Ruleset \"zama\"]").unwrap_err().contains("did you mean `zamma`"));
        assert!(reason("[Ruleset \"zamma\"]\n[RulesetOverrides \"no_progress_limit=7\"]").is_ok());
        assert!(reason("[Event \"?\"]").is_ok());
    }
}
