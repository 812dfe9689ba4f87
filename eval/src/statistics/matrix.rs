//! Small dense matrices, as much as fits need.

/// A square matrix.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Matrix(pub Vec<Vec<f64>>);

impl Matrix {
    pub(super) fn zero(size: usize) -> Self {
        Self(vec![vec![0.0; size]; size])
    }

    pub(super) fn apply(&self, vector: &[f64]) -> Vec<f64> {
        self.0.iter().map(|row| dot(row, vector)).collect()
    }

    /// Gives `self * other * self^T`.
    pub(super) fn around(&self, other: &Self) -> Self {
        let half: Vec<Vec<f64>> = self.0.iter().map(|row| other.apply(row)).collect();
        Self(half.iter().map(|row| self.apply(row)).collect())
    }

    /// Adds `weight` times the product of a sparse vector with itself.
    pub(super) fn add_outer(&mut self, vector: &[(usize, f64)], weight: f64) {
        for &(row, a) in vector {
            for &(column, b) in vector {
                self.0[row][column] += weight * a * b;
            }
        }
    }

    /// Inverts a positive definite matrix (Gauss and Jordan; such a one needs no pivoting).
    pub(super) fn inverse(&self) -> Self {
        let size = self.0.len();
        let mut left = self.0.clone();
        let mut right = Self::zero(size).0;
        for (index, row) in right.iter_mut().enumerate() {
            row[index] = 1.0;
        }
        for pivot in 0..size {
            let scale = 1.0 / left[pivot][pivot];
            for side in [&mut left, &mut right] {
                side[pivot].iter_mut().for_each(|value| *value *= scale);
            }
            for row in (0..size).filter(|row| *row != pivot) {
                let factor = left[row][pivot];
                if factor == 0.0 {
                    continue;
                }
                for side in [&mut left, &mut right] {
                    let source = side[pivot].clone();
                    side[row].iter_mut().zip(source).for_each(|(value, by)| *value -= factor * by);
                }
            }
        }
        Self(right)
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_times_its_inverse_is_one() {
        let matrix = Matrix(vec![vec![4.0, 1.0, 0.5], vec![1.0, 3.0, -1.0], vec![0.5, -1.0, 2.0]]);
        let inverse = matrix.inverse();
        for column in 0..3 {
            let image = matrix.apply(&inverse.0[column]);
            for (row, value) in image.iter().enumerate() {
                assert!((value - f64::from(u8::from(row == column))).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn a_form_around_a_matrix_is_the_sum_over_its_terms() {
        let (left, middle) =
            (Matrix(vec![vec![1.0, 2.0], vec![0.0, 1.0]]), Matrix(vec![vec![3.0, 1.0], vec![1.0, 2.0]]));
        assert_eq!(left.around(&middle), Matrix(vec![vec![15.0, 5.0], vec![5.0, 2.0]]));
    }
}
