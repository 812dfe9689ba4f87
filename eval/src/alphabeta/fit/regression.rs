//! Logistic regression with a penalty on the squares of the coefficients, by Newton's method.
//!
//! Plain sums in a fixed order: the same samples give the same coefficients, bit by bit.

use rayon::prelude::*;

/// The penalty for each sample, on coefficients of features scaled to a variance of 1.
const PENALTY: f64 = 1e-4;

/// Steps of Newton's method; the loss is convex, and these are more than it takes.
const STEPS: usize = 12;

/// Samples summed in one piece, so that sums do not depend on the number of threads.
const PIECE: usize = 4096;

/// A quiet position and what came of it.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Sample {
    /// From the view of whoever decides.
    pub(super) features: Vec<f64>,
    /// 1 if the decider won, 0 if not, a half where nobody did.
    pub(super) result: f64,
}

/// Fits coefficients; those not `allowed` stay 0. `start` is a guess, as near as there is.
pub(super) fn fitted(samples: &[Sample], allowed: &[bool], start: Option<&[f64]>) -> Vec<f64> {
    let count = allowed.len();
    let variances: Vec<f64> = (0..count)
        .map(|index| samples.iter().map(|sample| sample.features[index].powi(2)).sum::<f64>() / samples.len() as f64)
        .collect();
    let used: Vec<usize> = (0..count).filter(|&index| allowed[index] && variances[index] > 0.0).collect();
    let mut coefficients = vec![0.0; count];
    for &index in &used {
        coefficients[index] = start.map_or(0.0, |start| start[index]);
    }
    let steps = if start.is_some() { STEPS / 4 } else { STEPS };
    for _ in 0..steps {
        let (mut gradient, mut curvature) = sums(samples, &used, &coefficients);
        for (row, &index) in used.iter().enumerate() {
            let penalty = PENALTY * samples.len() as f64 * variances[index];
            gradient[row] -= penalty * coefficients[index];
            curvature[row][row] += penalty;
        }
        for (&index, step) in used.iter().zip(solved(curvature, gradient)) {
            coefficients[index] += step;
        }
    }
    coefficients
}

/// Scales coefficients as a whole so that they fit the samples best.
pub(super) fn scaled(samples: &[Sample], coefficients: &[f64]) -> Vec<f64> {
    let sums: Vec<Sample> = samples
        .iter()
        .map(|sample| Sample { features: vec![dot(&sample.features, coefficients)], result: sample.result })
        .collect();
    let scale = fitted(&sums, &[true], None)[0];
    coefficients.iter().map(|coefficient| coefficient * scale).collect()
}

/// Gives the mean log-loss of samples, in nats.
pub(super) fn log_loss(samples: &[Sample], coefficients: &[f64]) -> f64 {
    let loss = |sample: &Sample| {
        let chance = probability(dot(&sample.features, coefficients)).clamp(1e-9, 1.0 - 1e-9);
        -sample.result * chance.ln() - (1.0 - sample.result) * (1.0 - chance).ln()
    };
    samples.iter().map(loss).sum::<f64>() / samples.len() as f64
}

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn probability(score: f64) -> f64 {
    1.0 / (1.0 + (-score).exp())
}

/// Sums the gradient and the curvature of the log-likelihood over all samples.
fn sums(samples: &[Sample], used: &[usize], coefficients: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let size = used.len();
    let piece = |samples: &[Sample]| {
        let (mut gradient, mut curvature) = (vec![0.0; size], vec![vec![0.0; size]; size]);
        for sample in samples {
            let chance = probability(dot(&sample.features, coefficients));
            let (error, weight) = (sample.result - chance, (chance * (1.0 - chance)).max(1e-6));
            for (row, &index) in used.iter().enumerate() {
                let feature = sample.features[index];
                if feature != 0.0 {
                    gradient[row] += error * feature;
                    for (column, &other) in used[..=row].iter().enumerate() {
                        curvature[row][column] += weight * feature * sample.features[other];
                    }
                }
            }
        }
        (gradient, curvature)
    };
    let pieces: Vec<_> = samples.par_chunks(PIECE).map(piece).collect();
    let (mut gradient, mut curvature) = (vec![0.0; size], vec![vec![0.0; size]; size]);
    for (part, table) in pieces {
        for row in 0..size {
            gradient[row] += part[row];
            for column in 0..=row {
                curvature[row][column] += table[row][column];
            }
        }
    }
    for row in 0..size {
        let (above, below) = curvature.split_at_mut(row);
        for (column, line) in above.iter_mut().enumerate() {
            line[row] = below[0][column];
        }
    }
    (gradient, curvature)
}

/// Solves linear equations whose matrix is symmetric and positive, by Gauss.
fn solved(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for pivot in 0..size {
        let line = matrix[pivot].clone();
        for row in pivot + 1..size {
            let factor = matrix[row][pivot] / line[pivot];
            for column in pivot..size {
                matrix[row][column] -= factor * line[column];
            }
            right[row] -= factor * right[pivot];
        }
    }
    for row in (0..size).rev() {
        let known = dot(&matrix[row][row + 1..], &right[row + 1..]);
        right[row] = (right[row] - known) / matrix[row][row];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coefficients_that_made_the_results_are_found_again() {
        let grid = (-10..=10).flat_map(|x| (-10..=10).map(move |y| [f64::from(x) / 5.0, f64::from(y) / 5.0, 1.0]));
        let truth = [1.5, -0.7, 0.3];
        let samples: Vec<Sample> = grid
            .map(|features| Sample { features: features.to_vec(), result: probability(dot(&features, &truth)) })
            .collect();

        let found = fitted(&samples, &[true; 3], None);

        assert!(found.iter().zip(truth).all(|(found, truth)| (found - truth).abs() < 0.02), "{found:?}");
        let fewer = fitted(&samples, &[true, false, true], Some(&found));
        assert!(fewer[1] == 0.0 && log_loss(&samples, &fewer) > log_loss(&samples, &found));
    }

    #[test]
    fn scaling_finds_the_unit() {
        let sample = |x: i32| {
            let x = f64::from(x);
            Sample { features: vec![x, 2.0 * x], result: probability(0.05 * x) }
        };
        let samples: Vec<Sample> = (-20..=20).map(sample).collect();
        let scaled = scaled(&samples, &[1.0, 2.0]);
        assert!((scaled[0] - 0.01).abs() < 0.001, "{scaled:?}");
    }
}
