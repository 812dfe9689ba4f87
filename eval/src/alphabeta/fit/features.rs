//! The features of a position as numbers, in the order of the coefficients that are fitted.

use damma_env::{Bitboard, Game, King, Position, Square};

use crate::alphabeta::evaluation::Geometry;
use crate::alphabeta::weights::{MAN, Weights};

/// The features that a fit can leave out, as the fields of [`Weights`] are called.
pub const FEATURES: [&str; 11] = [
    "ranks",
    "man_centre",
    "man_off_diagonal",
    "king_centre",
    "king_off_diagonal",
    "share",
    "tempo",
    "mobility",
    "exposure",
    "fault",
    "fault_king",
];

/// The most that a man at fault is taken to be worth: a man, less the hope that nobody sees it.
/// Players leave few pieces at fault and not by chance, so outcomes alone say too much of it.
const MOST_FAULT: i32 = 90;

/// How many coefficients come before those of the ranks: men and kings.
const PIECES: usize = 2;

/// Names the feature that each coefficient belongs to.
pub(super) fn names(size: usize) -> Vec<&'static str> {
    let ranks = std::iter::repeat_n(FEATURES[0], size);
    ["man", "king"].into_iter().chain(ranks).chain(FEATURES.into_iter().skip(1)).collect()
}

/// Computes the features of a game's positions.
pub(super) struct Features {
    geometry: Geometry,
}

impl Features {
    pub(super) fn new(game: &Game) -> Self {
        Self { geometry: Geometry::new(game) }
    }

    /// Gives the features of a position where a turn begins, from the decider's view.
    pub(super) fn of(&self, game: &Game, position: &Position) -> Vec<f64> {
        let (own, enemy, kings) = (position.own(), game.flip(position.enemy()), position.kings());
        let (own_kings, enemy_kings) = (own & kings, enemy & game.flip(kings));
        let (own_men, enemy_men) = (own.without(own_kings), enemy.without(enemy_kings));
        let count = |set: Bitboard| f64::from(set.len());
        let sum = |set: Bitboard, value: &dyn Fn(Square) -> i32| f64::from(set.into_iter().map(value).sum::<i32>());
        let differ =
            |own: Bitboard, enemy: Bitboard, value: &dyn Fn(Square) -> i32| sum(own, value) - sum(enemy, value);
        let men = |value: &dyn Fn(Square) -> i32| differ(own_men, enemy_men, value);
        let royal = |value: &dyn Fn(Square) -> i32| differ(own_kings, enemy_kings, value);
        let off_diagonal = |square: Square| i32::from(self.geometry.off_diagonal.contains(square));
        let at_fault = position.at_fault();
        let mut features = vec![men(&|_| 1), royal(&|_| 1)];
        features.extend(
            (0..game.size()).map(|rank| men(&|square| i32::from(usize::from(game.coordinates(square).1) == rank))),
        );
        features.extend([
            men(&|square| self.geometry.edge_distance(game, square)),
            men(&off_diagonal),
            royal(&|square| self.geometry.ring(game, square)),
            royal(&off_diagonal),
            (count(own) - count(enemy)) / (count(own) + count(enemy)).max(1.0),
            1.0,
            f64::from(self.geometry.mobility(game, position)),
            count(position.threats(game)),
            f64::from(u8::from(!at_fault.is_empty())),
            f64::from(u8::from(!(at_fault & kings).is_empty())),
        ]);
        features
    }

    /// Gives the coefficients that weights stand for.
    #[expect(clippy::unused_self, reason = "the reverse of `weights`")]
    pub(super) fn vector(&self, game: &Game, weights: &Weights) -> Vec<f64> {
        let ranks = (0..game.size() as u8).map(|rank| weights.rank(rank, game.size()));
        let rest = [
            weights.man_centre,
            weights.man_off_diagonal,
            weights.king_centre,
            weights.king_off_diagonal,
            weights.share,
            weights.tempo,
            weights.mobility,
            weights.exposure,
            weights.fault,
            weights.fault_king,
        ];
        [MAN, weights.king].into_iter().chain(ranks).chain(rest).map(f64::from).collect()
    }

    /// Rounds coefficients to weights, in units where a man is worth [`MAN`] on average over the ranks.
    #[expect(clippy::unused_self, reason = "the reverse of `vector`")]
    pub(super) fn weights(&self, game: &Game, coefficients: &[f64], version: &str) -> Weights {
        let size = game.size();
        let ranks = &coefficients[PIECES..PIECES + size];
        let promotes = game.ruleset().king != King::None;
        let stood_on = if promotes { size - 1 } else { size };
        let mean = ranks[..stood_on].iter().sum::<f64>() / stood_on as f64;
        let unit = f64::from(MAN) / (coefficients[0] + mean);
        let weight = |coefficient: f64| (coefficient * unit).round() as i32;
        let rest: Vec<i32> = coefficients[PIECES + size..].iter().map(|&coefficient| weight(coefficient)).collect();
        // No man stands on the far rank of a game with promotion.
        let rank = |number: usize| if number < stood_on { weight(ranks[number] - mean) } else { 0 };
        Weights {
            version: version.to_owned(),
            command: String::new(),
            king: if promotes { weight(coefficients[1]) } else { MAN },
            ranks: (0..size).map(rank).collect(),
            man_centre: rest[0],
            man_off_diagonal: rest[1],
            king_centre: rest[2],
            king_off_diagonal: rest[3],
            share: rest[4],
            tempo: rest[5],
            mobility: rest[6],
            exposure: rest[7],
            fault: rest[8].clamp(0, MOST_FAULT),
            fault_king: if promotes { rest[9].clamp(0, (weight(coefficients[1]) - MAN).max(0)) } else { 0 },
        }
    }
}
