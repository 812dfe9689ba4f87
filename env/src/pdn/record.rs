//! PDN of games that were played.

use super::{PdnGame, PdnMove, PdnResult, fen, header, squares, writer};
use crate::action::Action;
use crate::geometry::Game;
use crate::position::Position;

impl Game {
    /// Makes PDN of the actions of a game from a position on.
    ///
    /// `tags` are names of players, event and so on. The tags that follow from the game (result,
    /// game type, ruleset, start) are added, in place of those of the same name. An unfinished
    /// turn at the end is left out: PDN has no way to write it.
    ///
    /// # Panics
    /// An action is none of the game's numbers. In debug builds, an action is not legal.
    ///
    /// ```
    /// use damma_env::{Game, PdnResult, Ruleset};
    /// let game = Game::new(Ruleset::preset("damma8")?)?;
    /// let action = game.parse_action(&game.start(), "d6-e5").expect("legal at the start");
    /// let pdn = game.record_pdn(&game.start(), &[action], PdnResult::Unknown, &[]);
    /// assert_eq!(pdn.to_string(), "[Result \"*\"]\n[GameType \"21\"]\n1. 10-15 *\n");
    /// # Ok::<(), damma_env::RulesetError>(())
    /// ```
    #[must_use]
    pub fn record_pdn(
        &self,
        start: &Position,
        actions: &[Action],
        result: PdnResult,
        tags: &[(String, String)],
    ) -> PdnGame {
        let mut own = vec![("Result".to_owned(), result.text().to_owned())];
        own.extend(header::tags(self));
        if *start != self.start() {
            own.push(("SetUp".to_owned(), "1".to_owned()));
            own.push(("FEN".to_owned(), fen::text(self, start)));
        }
        let follows = |name: &str| own.iter().any(|(tag, _)| tag == name) || ["SetUp", "FEN"].contains(&name);
        let mut all: Vec<_> = tags.iter().filter(|(name, _)| !follows(name)).cloned().collect();
        all.extend(own);
        writer::sort(&mut all);

        let mut moves = Vec::new();
        let (mut turn_start, mut now) = (*start, *start);
        let mut turn = Vec::new();
        for &action in actions {
            turn.push(action);
            now = now.play(self, action);
            if now.side() != turn_start.side() || now.winner(self).is_some() {
                moves.push(PdnMove { text: self.pdn_move_text(&turn_start, &turn), ..PdnMove::default() });
                turn.clear();
                turn_start = now;
            }
        }
        PdnGame { tags: all, moves, result: Some(result), ..PdnGame::default() }
    }

    /// Writes a complete turn as PDN does: where squares are numbers, captures with first and last
    /// square if that leads to the same position, else with every landing square.
    #[must_use]
    pub fn pdn_move_text(&self, position: &Position, turn: &[Action]) -> String {
        let full = squares::turn_text(self, position, turn);
        if !self.has_numbered_squares() {
            return full;
        }
        let path = full.rsplit_once(',').map_or(full.as_str(), |(_, path)| path);
        let (Some(first), Some(last)) = (path.find('x'), path.rfind('x')) else { return full };
        if first == last {
            return full;
        }
        let huff = full.len() - path.len();
        let short = format!("{}{}", &full[..huff + first], &path[last..]);
        let after = |turn: &[Action]| turn.iter().fold(*position, |position, &action| position.play(self, action));
        let same = self.parse_pdn_move(position, &short).is_ok_and(|other| after(&other) == after(turn));
        if same { short } else { full }
    }
}
