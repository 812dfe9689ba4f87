//! What a quiet position is worth without looking ahead.
//!
//! In hundredths of a man, from the decider's view. Material decides nearly everything; the rest
//! only tells equal positions apart. Weights are guesses by the family's common wisdom, fixed for
//! `alphabeta-v0`; a better set is a new version, or old Elo figures would lie.

use damma_env::{Bitboard, Capture, Game, King, ManSteps, Position, Square};

/// What a man is worth.
const MAN: i32 = 100;

/// What it costs to leave a piece open to a huff, as a quiet step does where a capture is due: a
/// man, less the hope that nobody sees it.
pub(super) const FAULT: i32 = 90;

/// The evaluation of a game's positions, compiled from its ruleset.
#[derive(Clone, Debug)]
pub(super) struct Evaluation {
    king: i32,
    huff: bool,
    own_men: Weights,
    enemy_men: Weights,
    own_kings: Weights,
    enemy_kings: Weights,
}

impl Evaluation {
    pub(super) fn new(game: &Game) -> Self {
        let ruleset = game.ruleset();
        // Flying kings are worth about three men, kings of English draughts about 1.3.
        let king = match ruleset.king {
            King::Flying => 300,
            King::Short => 135,
            King::None => MAN,
        };
        let last = game.size() as i32 - 1;
        let step = match (ruleset.king, ruleset.man_steps) {
            (King::None, _) => 0,
            (_, ManSteps::Forward) => 2,
            (_, ManSteps::All) => 3,
        };
        let guard = if ruleset.king == King::None { 0 } else { 10 };
        let man = |_: i32, rank: i32| if rank == 0 { guard } else { step * rank };
        // Short kings do more in the centre; a flying king reaches everything from anywhere.
        let centre = if ruleset.king == King::Short { 2 } else { 0 };
        let king_weight =
            |file: i32, rank: i32| centre * [file, rank, last - file, last - rank].into_iter().min().unwrap_or(0);
        Self {
            king,
            huff: ruleset.capture == Capture::Huff,
            own_men: Weights::new(game, man),
            enemy_men: Weights::new(game, |file, rank| man(last - file, last - rank)),
            own_kings: Weights::new(game, king_weight),
            enemy_kings: Weights::new(game, king_weight),
        }
    }

    /// Says how much better the decider stands, in hundredths of a man.
    pub(super) fn evaluate(&self, position: &Position) -> i32 {
        let (own, enemy, kings) = (position.own(), position.enemy(), position.kings());
        let count = |set: Bitboard| set.len() as i32;
        let material = |all: Bitboard| MAN * count(all.without(kings)) + self.king * count(all & kings);
        let ahead = material(own) - material(enemy);
        // Fewer pieces make an advantage weigh more, so the better side trades.
        let mut score = ahead + 3 * ahead / (count(own) + count(enemy)).max(1);
        score += self.own_men.sum(own.without(kings)) - self.enemy_men.sum(enemy.without(kings));
        score += self.own_kings.sum(own & kings) - self.enemy_kings.sum(enemy & kings);
        if self.huff && !position.at_fault().is_empty() {
            score += if (position.at_fault() & kings).is_empty() { FAULT } else { self.king - MAN + FAULT };
        }
        score
    }
}

/// A weight of 0 to 31 for each square, kept as binary digits so that a set is summed by counting.
#[derive(Clone, Copy, Debug)]
struct Weights([Bitboard; 5]);

impl Weights {
    /// Takes the weight of each file and rank, from 0 at the decider's left and first rank.
    fn new(game: &Game, weight: impl Fn(i32, i32) -> i32) -> Self {
        let weight = |square: Square| {
            let (file, rank) = game.coordinates(square);
            weight(i32::from(file), i32::from(rank))
        };
        Self(std::array::from_fn(|digit| {
            game.squares().into_iter().filter(|&square| weight(square) >> digit & 1 == 1).collect()
        }))
    }

    fn sum(&self, set: Bitboard) -> i32 {
        self.0.iter().enumerate().map(|(digit, plane)| ((set & *plane).len() as i32) << digit).sum()
    }
}

#[cfg(test)]
mod tests {
    use damma_env::{PRESETS, Ruleset};

    use super::*;

    #[test]
    fn the_start_is_even_in_every_preset() {
        for preset in PRESETS {
            let game = Game::new(Ruleset::preset(preset.name).unwrap()).unwrap();
            assert_eq!(Evaluation::new(&game).evaluate(&game.start()), 0, "{}", preset.name);
        }
    }

    #[test]
    fn a_position_is_worth_the_opposite_to_the_other_side() {
        let game = Game::new(Ruleset::preset("damma8").unwrap()).unwrap();
        let evaluation = Evaluation::new(&game);
        let board = "8/8/3W4/8/5b2/8/1w6/8";
        let white = evaluation.evaluate(&game.parse_position(&format!("{board} w")).unwrap());
        let black = evaluation.evaluate(&game.parse_position(&format!("{board} b")).unwrap());
        assert!(white > MAN);
        assert_eq!(white, -black);
    }

    #[test]
    fn a_piece_at_fault_is_good_for_whoever_may_huff_it() {
        let game = Game::new(Ruleset::preset("kharberg").unwrap()).unwrap();
        let evaluation = Evaluation::new(&game);
        let quiet = evaluation.evaluate(&game.parse_position("5/1b3/5/3w1/5 w - -").unwrap());
        let open = evaluation.evaluate(&game.parse_position("5/1b3/5/3w1/5 w - b4").unwrap());
        assert_eq!(open - quiet, FAULT);
    }
}
