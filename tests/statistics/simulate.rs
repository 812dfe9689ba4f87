//! Simulated pairs of games with known strengths, written from the model alone.
//!
//! The two games of a pair depend on each other through their opening, which favours one colour
//! (a Gaussian copula), while each game alone has exactly the probabilities of Davidson's model.

use damma_eval::PairTable;
use rand::RngExt as _;
use rand_pcg::Pcg64;

/// Elo points of one natural logarithm of the odds.
pub const POINTS: f64 = 173.717_792_761;

/// How games come out between players of given Elo.
#[derive(Clone, Copy, Debug)]
pub struct World {
    /// The weight of draws.
    pub nu: f64,
    /// What White is worth, Elo.
    pub white: f64,
    /// The share of the variance that openings make, 0 to 1.
    pub opening: f64,
}

impl World {
    /// Gives the probabilities of loss, draw and win with an advantage in Elo.
    pub fn chances(&self, elo: f64) -> [f64; 3] {
        let x = elo / POINTS * (2.0 + self.nu) / 2.0;
        let terms = [(-x / 2.0).exp(), self.nu, (x / 2.0).exp()];
        let sum: f64 = terms.iter().sum();
        terms.map(|term| term / sum)
    }

    /// Gives the expected score of a pair, 0 to 1.
    pub fn score(&self, elo: f64) -> f64 {
        let one = |elo: f64| self.chances(elo)[2] + self.chances(elo)[1] / 2.0;
        f64::midpoint(one(elo + self.white), one(elo - self.white))
    }

    /// Plays a pair: half points with White and with Black.
    pub fn pair(&self, elo: f64, rng: &mut Pcg64) -> (u8, u8) {
        let bias = normal(rng) * self.opening.sqrt();
        // Both games see the opening from White's side.
        let mut game = |elo: f64| {
            let luck = bias + normal(rng) * (1.0 - self.opening).sqrt();
            let quantile = below(luck);
            let [loss, draw, _] = self.chances(elo);
            u8::from(quantile > loss) + u8::from(quantile > loss + draw)
        };
        (game(elo + self.white), 2 - game(self.white - elo))
    }

    /// Plays a match.
    pub fn table(&self, elo: f64, pairs: usize, rng: &mut Pcg64) -> PairTable {
        let mut table = PairTable::default();
        for _ in 0..pairs {
            let (white, black) = self.pair(elo, rng);
            table.add(white, black);
        }
        table
    }
}

/// Draws from the standard normal distribution (Box and Muller).
fn normal(rng: &mut Pcg64) -> f64 {
    let radius = (-2.0 * (1.0 - rng.random::<f64>()).ln()).sqrt();
    radius * (std::f64::consts::TAU * rng.random::<f64>()).cos()
}

/// The standard normal distribution function (Abramowitz and Stegun, formula 7.1.26).
fn below(x: f64) -> f64 {
    let z = x.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * z);
    let terms = [1.061_405_429, -1.453_152_027, 1.421_413_741, -0.284_496_736, 0.254_829_592];
    let tail = terms.iter().fold(0.0, |sum, term| (sum + term) * t) * (-z * z).exp() / 2.0;
    if x < 0.0 { tail } else { 1.0 - tail }
}

/// Counts how often an interval held.
#[derive(Clone, Copy, Debug, Default)]
pub struct Coverage {
    held: u32,
    all: u32,
}

impl Coverage {
    /// Counts one interval.
    pub fn add(&mut self, held: bool) {
        self.held += u32::from(held);
        self.all += 1;
    }

    /// Gives the share, in per cent.
    pub fn percent(self) -> f64 {
        100.0 * f64::from(self.held) / f64::from(self.all)
    }
}
