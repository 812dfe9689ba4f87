//! The fit: strengths that explain results best, with the covariance of their errors.
//!
//! Newton's method on the likelihood of games; the errors come from the spread of clusters (the
//! pairs of one opening), the "sandwich" of Liang and Zeger (1986), so they hold where the games
//! of a pair depend on each other. It knows places, not names.

use super::davidson::Expected;
use super::matrix::Matrix;

/// A game between players by their places.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Game {
    pub white: usize,
    pub black: usize,
    /// What White scored, 0 to 2.
    pub half_points: u8,
}

/// Games that may depend on each other, and how often they came out like that.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Cluster {
    pub games: Vec<Game>,
    pub count: u32,
}

/// What is fitted beside strengths.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Terms {
    /// The weight of draws and the advantage of White; without them draws are half points of the
    /// logistic model and colours are all the same.
    pub draws_and_colours: bool,
    /// Virtual drawn pairs for every two players who met.
    pub prior: f64,
}

/// Strengths in logits, and how sure they are.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Fit {
    /// The strength of everybody by place.
    pub strengths: Vec<f64>,
    /// The logarithm of the weight of draws, if fitted.
    pub log_nu: Option<f64>,
    /// The advantage of White, 0 if not fitted.
    pub white: f64,
    /// The covariance of everybody's strength by place (0 for known ones), then of `log_nu` and `white`.
    pub covariance: Matrix,
}

impl Fit {
    /// Fits the strengths that `known` leaves open, in logits by place.
    ///
    /// Points must connect everybody with a known player, in both directions or with a prior.
    pub(super) fn new(clusters: &[Cluster], known: &[Option<f64>], terms: Terms) -> Self {
        let size = known.len();
        // Known strengths keep a place among the parameters, but not in the system of equations.
        let mut open: Vec<usize> = (0..size).filter(|&place| known[place].is_none()).collect();
        if terms.draws_and_colours {
            open.extend([size, size + 1]);
        }
        let mut values: Vec<f64> = known.iter().map(|known| known.unwrap_or(0.0)).chain([0.0, 0.0]).collect();
        let system = System { clusters, meetings: meetings(clusters), size, terms };
        for _ in 0..500 {
            let (gradient, information) = system.slopes(&values);
            let step = reduce(&information, &open).inverse().apply(&pick(&gradient, &open));
            for (&place, by) in open.iter().zip(&step) {
                values[place] += by.clamp(-1.0, 1.0);
            }
            if step.iter().all(|by| by.abs() < 1e-10) {
                break;
            }
        }
        let (_, information) = system.slopes(&values);
        let bread = reduce(&information, &open).inverse();
        let inner = bread.around(&reduce(&system.noise(&values, open.len()), &open));
        let mut covariance = Matrix::zero(size + 2);
        for (&row, from) in open.iter().zip(&inner.0) {
            for (&column, &value) in open.iter().zip(from) {
                covariance.0[row][column] = value;
            }
        }
        let log_nu = terms.draws_and_colours.then_some(values[size]);
        let white = values[size + 1];
        values.truncate(size);
        Self { strengths: values, log_nu, white, covariance }
    }

    /// The weight of draws.
    pub(super) fn nu(&self) -> f64 {
        self.log_nu.map_or(0.0, f64::exp)
    }
}

/// The equations, with the parameters in the order strengths, `log_nu`, `white`.
struct System<'c> {
    clusters: &'c [Cluster],
    /// Who met whom, and how many independent units they played.
    meetings: Vec<(usize, usize, f64)>,
    size: usize,
    terms: Terms,
}

impl System<'_> {
    /// Gives the gradient of the log likelihood and its negative second derivatives.
    fn slopes(&self, values: &[f64]) -> (Vec<f64>, Matrix) {
        let (draws, colour) = (self.size, self.size + 1);
        let mut gradient = vec![0.0; values.len()];
        let mut information = Matrix::zero(values.len());
        for cluster in self.clusters {
            let count = f64::from(cluster.count);
            for game in &cluster.games {
                let expected = self.expected(values, game.white, game.black, true);
                let ends = self.ends(game.white, game.black);
                for &(place, sign) in &ends {
                    gradient[place] += count * sign * (f64::from(game.half_points) / 2.0 - expected.score);
                }
                information.add_outer(&ends, count * expected.variance);
                if self.terms.draws_and_colours {
                    let was_draw = f64::from(u8::from(game.half_points == 1));
                    gradient[draws] += count * (was_draw - expected.draw);
                    information.0[draws][draws] += count * expected.draw_variance();
                    for &(place, sign) in &ends {
                        information.0[place][draws] += count * sign * expected.covariance;
                        information.0[draws][place] += count * sign * expected.covariance;
                    }
                }
            }
        }
        self.add_priors(values, &mut gradient, &mut information);
        debug_assert!(self.terms.draws_and_colours || gradient[colour] == 0.0);
        (gradient, information)
    }

    /// Adds drawn pairs between those who met, and one virtual game each for draws and colours, so
    /// that these have an end where all or no games are drawn or won by one colour.
    fn add_priors(&self, values: &[f64], gradient: &mut [f64], information: &mut Matrix) {
        let (draws, colour) = (self.size, self.size + 1);
        for &(a, b, _) in &self.meetings {
            let expected = Expected::new(values[a] - values[b], 0.0);
            let (games, ends) = (2.0 * self.terms.prior, [(a, 1.0), (b, -1.0)]);
            for (place, sign) in ends {
                gradient[place] += games * sign * (0.5 - expected.score);
            }
            information.add_outer(&ends, games * expected.variance);
        }
        if self.terms.draws_and_colours {
            let even = Expected::new(0.0, values[draws].exp());
            gradient[draws] += 0.5 - even.draw;
            information.0[draws][draws] += even.draw_variance();
            let won = Expected::new(values[colour], 0.0);
            gradient[colour] += 0.5 - won.score;
            information.0[colour][colour] += won.variance;
        }
    }

    /// Gives the sum of the outer products of what clusters add to the gradient.
    ///
    /// Every two players who met get a quarter of a pair of spread on top, an eighth each at 0 %
    /// and at 100 %, or a few equal pairs would look certain, and so does White's advantage, half a game
    /// each won and lost; and the sum is scaled up for the `open` parameters that were fitted to it.
    fn noise(&self, values: &[f64], open: usize) -> Matrix {
        let (draws, mut noise) = (self.size, Matrix::zero(values.len()));
        for cluster in self.clusters {
            let mut slope = vec![0.0; values.len()];
            let mut touched = vec![];
            for game in &cluster.games {
                let expected = self.expected(values, game.white, game.black, true);
                for (place, sign) in self.ends(game.white, game.black) {
                    slope[place] += sign * (f64::from(game.half_points) / 2.0 - expected.score);
                    touched.push(place);
                }
                if self.terms.draws_and_colours {
                    slope[draws] += f64::from(u8::from(game.half_points == 1)) - expected.draw;
                    touched.push(draws);
                }
            }
            touched.sort_unstable();
            touched.dedup();
            let slope: Vec<(usize, f64)> = touched.into_iter().map(|place| (place, slope[place])).collect();
            noise.add_outer(&slope, f64::from(cluster.count));
        }
        for &(a, b, _) in &self.meetings {
            let score = self.expected(values, a, b, false).score;
            for points in [0.0, 1.0] {
                let miss = 2.0 * (points - score);
                noise.add_outer(&[(a, miss), (b, -miss)], 0.125);
            }
        }
        if self.terms.draws_and_colours {
            let won = Expected::new(values[draws + 1], values[draws].exp()).score;
            for points in [0.0, 1.0] {
                noise.add_outer(&[(draws + 1, points - won)], 0.5);
            }
        }
        let units: f64 = self.meetings.iter().map(|(_, _, units)| units).sum();
        let scale = units / (units - open as f64).max(units / 2.0).max(1.0);
        noise.0.iter_mut().flatten().for_each(|value| *value *= scale);
        noise
    }

    fn expected(&self, values: &[f64], white: usize, black: usize, coloured: bool) -> Expected {
        let nu = if self.terms.draws_and_colours { values[self.size].exp() } else { 0.0 };
        let colour = if coloured { values[self.size + 1] } else { 0.0 };
        Expected::new(values[white] - values[black] + colour, nu)
    }

    /// Lists the parameters that a difference is made of, with their signs.
    fn ends(&self, white: usize, black: usize) -> Vec<(usize, f64)> {
        let mut ends = vec![(white, 1.0), (black, -1.0)];
        if self.terms.draws_and_colours {
            ends.push((self.size + 1, 1.0));
        }
        ends
    }
}

/// Lists who met whom, in order, with the number of clusters.
fn meetings(clusters: &[Cluster]) -> Vec<(usize, usize, f64)> {
    let mut meetings = std::collections::BTreeMap::new();
    for cluster in clusters {
        let game = cluster.games[0];
        let key = (game.white.min(game.black), game.white.max(game.black));
        *meetings.entry(key).or_insert(0.0) += f64::from(cluster.count);
    }
    meetings.into_iter().map(|((a, b), units)| (a, b, units)).collect()
}

fn pick(vector: &[f64], places: &[usize]) -> Vec<f64> {
    places.iter().map(|&place| vector[place]).collect()
}

fn reduce(matrix: &Matrix, places: &[usize]) -> Matrix {
    Matrix(places.iter().map(|&row| pick(&matrix.0[row], places)).collect())
}
