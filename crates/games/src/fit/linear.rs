//! The symmetric systems of Newton steps.

/// A symmetric matrix, of which only the lower triangle is kept, row by row.
#[derive(Clone, Debug)]
pub(super) struct Symmetric {
    size: usize,
    lower: Vec<f64>,
}

impl Symmetric {
    pub fn zero(size: usize) -> Symmetric {
        Symmetric { size, lower: vec![0.0; size * (size + 1) / 2] }
    }

    pub fn size(&self) -> usize {
        self.size
    }

    /// The beginning of a row of the triangle, up to and with the diagonal.
    #[inline]
    pub fn row_mut(&mut self, row: usize) -> &mut [f64] {
        let start = row * (row + 1) / 2;
        &mut self.lower[start..=start + row]
    }

    pub fn get(&self, row: usize, column: usize) -> f64 {
        let (row, column) = (row.max(column), row.min(column));
        self.lower[row * (row + 1) / 2 + column]
    }

    pub fn add(&mut self, other: &Symmetric) {
        self.lower.iter_mut().zip(&other.lower).for_each(|(own, other)| *own += other);
    }

    pub fn add_to_diagonal(&mut self, row: usize, value: f64) {
        self.row_mut(row)[row] += value;
    }

    /// The factor L of L L' by Cholesky; `None` if the matrix is not positive definite.
    pub fn cholesky(mut self) -> Option<Cholesky> {
        for i in 0..self.size {
            for j in 0..=i {
                let (ri, rj) = (i * (i + 1) / 2, j * (j + 1) / 2);
                let dot: f64 = self.lower[ri..ri + j].iter().zip(&self.lower[rj..rj + j]).map(|(a, b)| a * b).sum();
                let rest = self.lower[ri + j] - dot;
                if i == j {
                    if rest.is_nan() || rest <= 1e-14 * self.lower[ri + j].abs() || rest <= 0.0 {
                        return None;
                    }
                    self.lower[ri + j] = rest.sqrt();
                } else {
                    self.lower[ri + j] = rest / self.lower[rj + j];
                }
            }
        }
        Some(Cholesky(self))
    }
}

/// The factor of a positive definite matrix.
#[derive(Clone, Debug)]
pub(super) struct Cholesky(Symmetric);

impl Cholesky {
    /// Solves the system for this right side.
    pub fn solve(&self, right: &[f64]) -> Vec<f64> {
        let Symmetric { size, lower } = &self.0;
        let mut x = right.to_vec();
        for i in 0..*size {
            let row = i * (i + 1) / 2;
            let dot: f64 = lower[row..row + i].iter().zip(&x).map(|(a, b)| a * b).sum();
            x[i] = (x[i] - dot) / lower[row + i];
        }
        for i in (0..*size).rev() {
            let row = i * (i + 1) / 2;
            x[i] /= lower[row + i];
            let value = x[i];
            x[..i].iter_mut().zip(&lower[row..row + i]).for_each(|(x, a)| *x -= a * value);
        }
        x
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn solutions_solve(values in prop::collection::vec(-1.0..1.0f64, 30), right in prop::collection::vec(-1.0..1.0f64, 5)) {
            let mut matrix = Symmetric::zero(5);
            for i in 0..5 {
                for j in 0..=i {
                    let dot: f64 = (0..6).map(|k| values[6 * i + k] * values[6 * j + k]).sum();
                    matrix.row_mut(i)[j] = dot + f64::from(u8::from(i == j));
                }
            }
            let x = matrix.clone().cholesky().expect("positive definite").solve(&right);
            for (i, right) in right.iter().enumerate() {
                let left: f64 = x.iter().enumerate().map(|(j, x)| matrix.get(i, j) * x).sum();
                prop_assert!((left - right).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn what_is_not_positive_definite_is_refused() {
        let mut matrix = Symmetric::zero(2);
        matrix.row_mut(0)[0] = 1.0;
        matrix.row_mut(1).copy_from_slice(&[1.0, 1.0]);
        assert!(matrix.cholesky().is_none());
        assert!(Symmetric::zero(1).cholesky().is_none());
    }
}
