//! Rating lists: many players, draws, colours, and how sure every difference is.

use serde::{Deserialize, Serialize};

use super::davidson::{self, Expected};
use super::fit::{Cluster, Fit, Terms};
use super::graph::Connected;
use super::matrix::Matrix;
use super::{POINTS, Results, Z95, normal_below};
use crate::error::EvalError;

/// Virtual drawn pairs for every two players who met, where a prior is asked for.
const PRIOR: f64 = 0.5;

/// Ratings of everybody in some results, the strongest first.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RatingList {
    /// Whose rating is given.
    pub anchor: String,
    /// The players; those without a finite rating stand where their bound puts them.
    pub players: Vec<RatedPlayer>,
    /// The share of games that equals draw, 0 to 1.
    pub draw_rate: f64,
    /// What White is worth in Elo points.
    pub white: f64,
    /// Half the width of the 95 % interval of `white`.
    pub white_plus_minus: f64,
    /// The covariances of the ratings in squared Elo points, in the order of `players`; 0 for the
    /// anchor and for those without a finite rating.
    pub covariance: Vec<Vec<f64>>,
}

/// A player of a rating list.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RatedPlayer {
    /// Who.
    pub name: String,
    /// Elo points; nothing where results put no end to it.
    pub elo: Option<f64>,
    /// Half the width of the 95 % interval of the difference from the anchor.
    pub plus_minus: Option<f64>,
    /// The lower end of that interval, or of a one-sided one (97.5 %) where there is no rating.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// Games played.
    pub games: u32,
    /// The share of the points, 0 to 1.
    pub score: f64,
    /// The share of drawn games, 0 to 1.
    pub draws: f64,
    /// How probable it is that the player is stronger than the next with a rating, 0 to 1.
    pub los: Option<f64>,
    /// Why there is no rating, and what would give one.
    pub note: Option<String>,
}

/// How much stronger one player of a list is than another.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Difference {
    /// Elo points.
    pub elo: f64,
    /// Half the width of the 95 % interval.
    pub plus_minus: f64,
    /// The likelihood of superiority, 0 to 1.
    pub los: f64,
}

impl RatingList {
    /// Rates everybody in `results`, with `anchor` at `elo`.
    ///
    /// Maximum likelihood of Davidson's model with an advantage for White; errors from the spread
    /// of pairs. Players whom points do not connect with the anchor in both directions have no
    /// finite rating: they get a bound and a note, or with `prior` a rating pulled by half a drawn
    /// pair against each of their opponents.
    ///
    /// # Errors
    /// [`EvalError::NoAnchor`]: the anchor has no result. [`EvalError::Unconnected`]: others have
    /// none that leads to it.
    pub fn fit(results: &Results, anchor: &str, elo: f64, prior: bool) -> Result<Self, EvalError> {
        let names = results.players();
        let start = names
            .binary_search(&anchor)
            .map_err(|_| EvalError::NoAnchor { anchor: anchor.to_owned(), players: names.join(", ") })?;
        let clusters = results.clusters(&names);
        let connected = Connected::new(&clusters, names.len(), start);
        let lost: Vec<&str> =
            names.iter().zip(&connected.met).filter(|(_, met)| !**met).map(|(name, _)| *name).collect();
        if !lost.is_empty() {
            return Err(EvalError::Unconnected { name: lost.join(", "), anchor: anchor.to_owned() });
        }
        let core: Vec<usize> =
            (0..names.len()).filter(|&place| prior || connected.above[place] && connected.below[place]).collect();
        let fitted = Core::fit(&clusters, &core, start, prior);
        let mut players: Vec<(RatedPlayer, Option<usize>)> = Vec::with_capacity(names.len());
        for (place, name) in names.iter().enumerate() {
            let mut player = tally(name, place, &clusters);
            let inside = core.binary_search(&place).ok();
            match inside {
                Some(inside) => {
                    let (rating, plus_minus) = (elo + fitted.ratings[inside], Z95 * fitted.error(inside, inside));
                    (player.elo, player.plus_minus) = (Some(rating), Some(plus_minus));
                    (player.low, player.high) = (Some(rating - plus_minus), Some(rating + plus_minus));
                }
                None => fitted.bound(&mut player, place, &clusters, &connected, elo),
            }
            players.push((player, inside));
        }
        players.sort_by(|(a, _), (b, _)| standing(b).total_cmp(&standing(a)).then_with(|| a.name.cmp(&b.name)));
        Ok(fitted.list(anchor, players))
    }

    /// Gives the difference of two players' ratings; nothing where one has no finite rating.
    #[must_use]
    pub fn difference(&self, a: &str, b: &str) -> Option<Difference> {
        let place = |name: &str| self.players.iter().position(|player| player.name == name);
        let (a, b) = (place(a)?, place(b)?);
        let elo = self.players[a].elo? - self.players[b].elo?;
        let covariance = &self.covariance;
        let variance = covariance[a][a] + covariance[b][b] - 2.0 * covariance[a][b];
        let error = variance.max(0.0).sqrt();
        let los = if error > 0.0 { normal_below(elo / error) } else { 0.5 };
        Some(Difference { elo, plus_minus: Z95 * error, los })
    }
}

/// The players with a finite rating.
struct Core {
    /// Their places among all, in order.
    places: Vec<usize>,
    fit: Fit,
    /// Elo points relative to the anchor.
    ratings: Vec<f64>,
    /// The covariance of `ratings`, then of White's advantage, in squared Elo points.
    covariance: Matrix,
}

impl Core {
    fn fit(clusters: &[Cluster], places: &[usize], anchor: usize, prior: bool) -> Self {
        let inside = |place: usize| places.binary_search(&place).ok();
        // Games against anybody outside were won or lost without exception: at the maximum of the
        // likelihood, with those players infinitely far, they say nothing about anybody here.
        let clusters: Vec<Cluster> = clusters
            .iter()
            .filter_map(|cluster| {
                let mut cluster = cluster.clone();
                for game in &mut cluster.games {
                    (game.white, game.black) = (inside(game.white)?, inside(game.black)?);
                }
                Some(cluster)
            })
            .collect();
        let known: Vec<Option<f64>> = places.iter().map(|&place| (place == anchor).then_some(0.0)).collect();
        let prior = if prior { PRIOR } else { 0.0 };
        let fit = Fit::new(&clusters, &known, Terms { draws_and_colours: true, prior });
        let (nu, size) = (fit.nu(), places.len());
        let scale = POINTS * davidson::scale(nu);
        // The slope of a scaled rating in the logarithm of the weight of draws, by rating.
        let bend = -nu / (2.0 + nu);
        let rows = (0..=size).map(|row| {
            let (place, strength) = if row < size { (row, fit.strengths[row]) } else { (size + 1, fit.white) };
            let mut slopes = vec![0.0; size + 2];
            slopes[size] = scale * strength * bend;
            slopes[place] = scale;
            slopes
        });
        let covariance = Matrix(rows.collect()).around(&fit.covariance);
        let ratings = fit.strengths.iter().map(|strength| scale * strength).collect();
        Self { places: places.to_vec(), fit, ratings, covariance }
    }

    fn error(&self, row: usize, column: usize) -> f64 {
        self.covariance.0[row][column].max(0.0).sqrt()
    }

    /// Finds the bound of a player who won, or lost, everything against the rated ones.
    ///
    /// All of them come out so with the product of the probabilities of winning a unit whole. At
    /// the bound that is 2.5 %. An expected score is no less than the probability of a whole win.
    fn bound(&self, player: &mut RatedPlayer, place: usize, all: &[Cluster], connected: &Connected, anchor: f64) {
        let remedy = "more games against players of its strength, or --prior, would give it a rating";
        let meets = |cluster: &&Cluster| cluster.games[0].white == place || cluster.games[0].black == place;
        let opponents: Vec<(f64, f64)> = all
            .iter()
            .filter(meets)
            .filter_map(|cluster| {
                let opponent = cluster.games[0].white + cluster.games[0].black - place;
                let inside = self.places.binary_search(&opponent).ok()?;
                Some((self.fit.strengths[inside], f64::from(cluster.count)))
            })
            .collect();
        let better = connected.above[place];
        if opponents.is_empty() || better == connected.below[place] {
            player.note = Some(format!("has no result that bounds it against the rated players; {remedy}"));
            return;
        }
        let sign = if better { 1.0 } else { -1.0 };
        let log_chance = |strength: f64| -> f64 {
            opponents
                .iter()
                .map(|(other, units)| units * Expected::new(sign * (strength - other), self.fit.nu()).score.ln())
                .sum()
        };
        let (mut weak, mut strong) = (-60.0 * sign, 60.0 * sign);
        for _ in 0..80 {
            let middle = f64::midpoint(weak, strong);
            if log_chance(middle) < 0.025_f64.ln() { weak = middle } else { strong = middle }
        }
        let bound = Some(anchor + POINTS * davidson::scale(self.fit.nu()) * strong);
        let what = if better { "won" } else { "lost" };
        player.note = Some(format!("{what} every game against the rated players; {remedy}"));
        if better { player.low = bound } else { player.high = bound }
    }

    fn list(&self, anchor: &str, players: Vec<(RatedPlayer, Option<usize>)>) -> RatingList {
        let inside: Vec<Option<usize>> = players.iter().map(|(_, inside)| *inside).collect();
        let entry = |row: Option<usize>, column: Option<usize>| match (row, column) {
            (Some(row), Some(column)) => self.covariance.0[row][column],
            _ => 0.0,
        };
        let covariance = inside.iter().map(|&row| inside.iter().map(|&column| entry(row, column)).collect()).collect();
        let (nu, colour) = (self.fit.nu(), self.places.len());
        let mut list = RatingList {
            anchor: anchor.to_owned(),
            players: players.into_iter().map(|(player, _)| player).collect(),
            draw_rate: nu / (2.0 + nu),
            white: POINTS * davidson::scale(nu) * self.fit.white,
            white_plus_minus: Z95 * self.error(colour, colour),
            covariance,
        };
        let rated: Vec<usize> = (0..inside.len()).filter(|&place| inside[place].is_some()).collect();
        for pair in rated.windows(2) {
            let [one, next] = [pair[0], pair[1]].map(|place| list.players[place].name.clone());
            list.players[pair[0]].los = list.difference(&one, &next).map(|difference| difference.los);
        }
        list
    }
}

/// Gives the place of a player in the order: by rating, or by the bound where there is none.
fn standing(player: &RatedPlayer) -> f64 {
    player.elo.or(player.low).or(player.high).unwrap_or(f64::NEG_INFINITY)
}

/// Counts a player's games.
fn tally(name: &str, place: usize, clusters: &[Cluster]) -> RatedPlayer {
    let (mut games, mut points, mut draws) = (0, 0, 0);
    for cluster in clusters {
        for game in cluster.games.iter().filter(|game| game.white == place || game.black == place) {
            let own = if game.white == place { game.half_points } else { 2 - game.half_points };
            games += cluster.count;
            points += cluster.count * u32::from(own);
            draws += cluster.count * u32::from(own == 1);
        }
    }
    let share = |count: u32, of: u32| f64::from(count) / f64::from(of.max(1));
    RatedPlayer {
        name: name.to_owned(),
        elo: None,
        plus_minus: None,
        low: None,
        high: None,
        games,
        score: share(points, 2 * games),
        draws: share(draws, games),
        los: None,
        note: None,
    }
}
