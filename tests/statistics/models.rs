//! The rating list against other algorithms: minorise and maximise, and numerical derivatives.

use damma_eval::{PairTable, RatingList, Results};

use crate::simulate::POINTS;

/// Three players and their pairs, the first of each two with White and with Black.
const TABLES: [(usize, usize, [[u32; 3]; 3]); 3] = [
    (1, 0, [[300, 250, 500], [400, 900, 650], [1200, 1500, 1300]]),
    (2, 0, [[150, 150, 420], [230, 500, 710], [1100, 1900, 2840]]),
    (2, 1, [[400, 350, 700], [500, 800, 600], [1700, 1400, 1150]]),
];

/// The games of a pair: White, Black and White's half points.
type Pair = [(usize, usize, u8); 2];

/// Lists all pairs with how often they came up.
fn pairs() -> Vec<(Pair, f64)> {
    let mut pairs = Vec::new();
    for (a, b, table) in TABLES {
        for (white, row) in (0_u8..).zip(table) {
            for (black, count) in (0_u8..).zip(row) {
                pairs.push(([(a, b, white), (b, a, 2 - black)], f64::from(count)));
            }
        }
    }
    pairs
}

fn list() -> RatingList {
    let mut results = Results::default();
    for (a, b, table) in TABLES {
        results.add_pairs(&a.to_string(), &b.to_string(), &PairTable(table));
    }
    RatingList::fit(&results, "0", 0.0, false).expect("connected")
}

/// Elo points of one logit of strength, given the weight of draws.
fn scale(nu: f64) -> f64 {
    POINTS * 2.0 / (2.0 + nu)
}

/// Maximises the likelihood by minorisation (Hunter 2004, here for Davidson's model with
/// an advantage for White): worths of the players, the weight of draws, White's factor.
fn minorise_maximise() -> ([f64; 3], f64, f64) {
    let (mut worth, mut nu, mut home) = ([1.0_f64; 3], 1.0_f64, 1.0_f64);
    for _ in 0..20_000 {
        let (mut points, mut shares) = ([0.0; 3], [0.0; 3]);
        // The library's one virtual game each for draws and colours, or the results would differ.
        let (mut drawn, mut draw_share) = (0.5, 1.0 / (2.0 + nu));
        let (mut home_points, mut home_share) = (0.5, 1.0 / (1.0 + home));
        for (games, count) in pairs() {
            for (white, black, half_points) in games {
                let score = f64::from(half_points) / 2.0;
                let root = (home * worth[white] * worth[black]).sqrt();
                let sum = home * worth[white] + worth[black] + nu * root;
                points[white] += count * score;
                points[black] += count * (1.0 - score);
                home_points += count * score;
                drawn += count * f64::from(u8::from(half_points == 1));
                shares[white] += count * (home + nu * root / worth[white] / 2.0) / sum;
                shares[black] += count * (1.0 + nu * root / worth[black] / 2.0) / sum;
                home_share += count * (worth[white] + nu * root / home / 2.0) / sum;
                draw_share += count * root / sum;
            }
        }
        let next: [f64; 3] = std::array::from_fn(|player| points[player] / shares[player]);
        let moved = worth.iter().zip(next).map(|(old, new)| (new / next[0] / (old / worth[0])).ln().abs()).sum::<f64>();
        worth = next.map(|value| value / next[0]);
        (nu, home) = (drawn / draw_share, home_points / home_share);
        if moved < 1e-14 {
            break;
        }
    }
    (worth, nu, home)
}

/// The log likelihood of a pair; parameters are two strengths, `ln nu` and White's advantage.
fn log_likelihood(games: &Pair, at: &[f64; 4]) -> f64 {
    let strengths = [0.0, at[0], at[1]];
    let one = |&(white, black, half_points): &(usize, usize, u8)| {
        let x = strengths[white] - strengths[black] + at[3];
        let terms = [-x / 2.0, at[2], x / 2.0];
        terms[usize::from(half_points)] - terms.iter().map(|term| term.exp()).sum::<f64>().ln()
    };
    games.iter().map(one).sum()
}

fn moved(at: &[f64; 4], axis: usize, by: f64) -> [f64; 4] {
    let mut at = *at;
    at[axis] += by;
    at
}

/// Solves a system of equations by elimination with pivots.
fn solve(mut rows: [[f64; 5]; 4]) -> [f64; 4] {
    for pivot in 0..4 {
        let best = (pivot..4).max_by(|a, b| rows[*a][pivot].abs().total_cmp(&rows[*b][pivot].abs())).expect("rows");
        rows.swap(pivot, best);
        for row in (0..4).filter(|row| *row != pivot) {
            let (factor, source) = (rows[row][pivot] / rows[pivot][pivot], rows[pivot]);
            rows[row].iter_mut().zip(source).for_each(|(value, by)| *value -= factor * by);
        }
    }
    std::array::from_fn(|row| rows[row][4] / rows[row][row])
}

#[test]
fn ratings_are_those_of_minorisation_and_maximisation() {
    let ((worth, nu, home), list) = (minorise_maximise(), list());
    for (player, worth) in worth.iter().enumerate().skip(1) {
        let found = list.difference(&player.to_string(), "0").expect("rated").elo;
        let expected = scale(nu) * worth.ln();
        assert!((found - expected).abs() < 1e-4, "player {player}: {found} is not {expected}");
    }
    assert!((list.white - scale(nu) * home.ln()).abs() < 1e-4, "{} {home}", list.white);
    assert!((list.draw_rate - nu / (2.0 + nu)).abs() < 1e-6);
}

#[test]
fn covariances_are_those_of_numerical_derivatives() {
    let (worth, nu, home) = minorise_maximise();
    let at = [worth[1].ln(), worth[2].ln(), nu.ln(), home.ln()];
    let (mut bend, mut noise) = ([[0.0; 4]; 4], [[0.0; 4]; 4]);
    for (games, count) in pairs() {
        let value = |at: &[f64; 4]| log_likelihood(&games, at);
        let (near, far) = (1e-5, 1e-3);
        let slope: [f64; 4] = std::array::from_fn(|axis| {
            (value(&moved(&at, axis, near)) - value(&moved(&at, axis, -near))) / (2.0 * near)
        });
        for row in 0..4 {
            for column in 0..4 {
                let corner = |a: f64, b: f64| value(&moved(&moved(&at, row, a), column, b));
                let second = corner(far, far) - corner(far, -far) - corner(-far, far) + corner(-far, -far);
                bend[row][column] -= count * second / (4.0 * far * far);
                noise[row][column] += count * slope[row] * slope[column];
            }
        }
    }
    // The rating of each player is scale(nu) times a strength: its slope in all parameters.
    let rating = |player: usize, at: &[f64; 4]| scale(at[2].exp()) * at[player - 1];
    let spread = |player: usize| -> [f64; 4] {
        let slope: [f64; 4] = std::array::from_fn(|axis| {
            (rating(player, &moved(&at, axis, 1e-6)) - rating(player, &moved(&at, axis, -1e-6))) / 2e-6
        });
        solve(std::array::from_fn(|row| {
            std::array::from_fn(|column| if column < 4 { bend[row][column] } else { slope[row] })
        }))
    };
    let list = list();
    let place = |player: usize| list.players.iter().position(|found| found.name == player.to_string()).expect("listed");
    for (one, other) in [(1, 1), (1, 2), (2, 2)] {
        let (left, right) = (spread(one), spread(other));
        let expected: f64 = (0..16).map(|cell| left[cell / 4] * noise[cell / 4][cell % 4] * right[cell % 4]).sum();
        let found = list.covariance[place(one)][place(other)];
        assert!((found / expected - 1.0).abs() < 2e-3, "{one}, {other}: {found} is not {expected}");
    }
}
