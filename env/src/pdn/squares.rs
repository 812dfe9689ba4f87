//! Names of squares in PDN: numbers on the board of English draughts, algebraic elsewhere.

use crate::action::{Action, ActionKind};
use crate::bitboard::Square;
use crate::geometry::Game;
use crate::position::Position;
use crate::ruleset::Lines;

impl Game {
    /// Says whether PDN numbers the squares of this board: 8x8, played on the diagonals.
    #[must_use]
    pub fn has_numbered_squares(&self) -> bool {
        self.size() == 8 && self.ruleset().lines == Lines::Diagonal
    }

    /// Gives the PDN number of a square of White's view, 1 (b8) to 32 (g1).
    ///
    /// ```
    /// use damma_env::{Game, Ruleset};
    /// let game = Game::new(Ruleset::preset("damma8")?)?;
    /// let number = |name| game.parse_point(name).and_then(|square| game.square_number(square));
    /// assert_eq!(["b8", "h8", "a7", "a1", "g1"].map(number), [1, 4, 5, 29, 32].map(Some));
    /// # Ok::<(), damma_env::RulesetError>(())
    /// ```
    #[must_use]
    pub fn square_number(&self, square: Square) -> Option<u8> {
        let (file, rank) = self.coordinates(square);
        self.has_numbered_squares().then(|| (7 - rank) * 4 + file / 2 + 1)
    }

    /// Gives the square of White's view that has a PDN number, 1 to 32.
    #[must_use]
    pub fn numbered_square(&self, number: u8) -> Option<Square> {
        if !self.has_numbered_squares() || !(1..=32).contains(&number) {
            return None;
        }
        let (row, place) = ((number - 1) / 4, (number - 1) % 4);
        let rank = 7 - row;
        self.square_at(2 * place + rank % 2, rank)
    }
}

/// Names a square of White's view.
pub(super) fn name(game: &Game, square: Square) -> String {
    game.square_number(square).map_or_else(|| game.point(square), |number| number.to_string())
}

/// Finds a square of White's view by number or algebraic name.
pub(super) fn find(game: &Game, name: &str) -> Option<Square> {
    match name.parse() {
        Ok(number) => game.numbered_square(number),
        Err(_) => game.parse_point(name),
    }
}

/// Writes an action of a position, its squares named as PDN names them.
pub(super) fn action_text(game: &Game, position: &Position, action: Action) -> String {
    let name = |square| name(game, game.view_square(position.side(), square));
    match game.action_kind(action).expect("actions come from the game's own numbers") {
        ActionKind::Move { from, to, .. } => {
            let sign = if game.is_hop(position, action) { 'x' } else { '-' };
            format!("{}{sign}{}", name(from), name(to))
        }
        ActionKind::Huff { victim } => format!("~{}", name(victim)),
        ActionKind::Stop => ".".to_owned(),
    }
}

/// Writes a complete turn with every landing square: `9-14`, `23x14x7`, `~d4,a3xa5.`.
pub(super) fn turn_text(game: &Game, position: &Position, turn: &[Action]) -> String {
    let mut text = String::new();
    let mut now = *position;
    let mut hopping = false;
    for &action in turn {
        let part = action_text(game, &now, action);
        match part.split_once('x') {
            Some((_, to)) if hopping => text.extend(["x", to]),
            _ if text.is_empty() || part == "." => text.push_str(&part),
            _ => text.extend([",", &part]),
        }
        hopping = game.is_hop(&now, action);
        now = now.play(game, action);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::Ruleset;

    #[test]
    fn numbers_and_squares_are_a_bijection() {
        let game = Game::new(Ruleset::preset("damma8").unwrap()).unwrap();
        for number in 1..=32 {
            let square = game.numbered_square(number).unwrap();
            assert_eq!(game.square_number(square), Some(number));
        }
        assert_eq!((game.numbered_square(0), game.numbered_square(33)), (None, None));
    }

    #[test]
    fn black_starts_on_1_to_12() {
        let game = Game::new(Ruleset::preset("damma8").unwrap()).unwrap();
        let mut numbers: Vec<u8> =
            game.start().setup(&game).black.into_iter().filter_map(|square| game.square_number(square)).collect();
        numbers.sort_unstable();
        assert!(numbers.into_iter().eq(1..=12));
    }

    #[test]
    fn other_boards_have_no_numbers() {
        let game = Game::new(Ruleset::preset("zamma").unwrap()).unwrap();
        assert_eq!(find(&game, "9"), None);
        assert_eq!(find(&game, "i9").map(|square| name(&game, square)), Some("i9".to_owned()));
    }
}
