//! Results counted: by game and by pair of games.

use serde::{Deserialize, Serialize};

/// Games won, drawn and lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Tally {
    /// Games won.
    pub wins: u32,
    /// Games drawn, cut off or capped.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

impl Tally {
    /// Counts the games.
    #[must_use]
    pub const fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Gives the share of the points, 0 to 1; 0.5 of no games.
    #[must_use]
    pub fn score(&self) -> f64 {
        if self.games() == 0 {
            return 0.5;
        }
        f64::midpoint(f64::from(self.wins) * 2.0, f64::from(self.draws)) / f64::from(self.games())
    }

    /// Gives the games as the opponent sees them.
    #[must_use]
    pub const fn turned(self) -> Self {
        Self { wins: self.losses, draws: self.draws, losses: self.wins }
    }
}

impl std::ops::Add for Tally {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { wins: self.wins + other.wins, draws: self.draws + other.draws, losses: self.losses + other.losses }
    }
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

impl FromIterator<u8> for Tally {
    /// Counts the half points of games.
    fn from_iter<I: IntoIterator<Item = u8>>(half_points: I) -> Self {
        let mut tally = Self::default();
        for points in half_points {
            match points {
                0 => tally.losses += 1,
                1 => tally.draws += 1,
                _ => tally.wins += 1,
            }
        }
        tally
    }
}

/// Pairs of games of one opening by what the first player scored in both, 0 to 4 half points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PairCounts(pub [u32; 5]);

impl PairCounts {
    /// Counts the pairs.
    #[must_use]
    pub fn total(&self) -> u32 {
        self.0.iter().sum()
    }

    /// Gives the pairs as the other player sees them.
    #[must_use]
    pub fn reversed(mut self) -> Self {
        self.0.reverse();
        self
    }
}
