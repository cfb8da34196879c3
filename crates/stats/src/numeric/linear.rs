//! Symmetric systems of linear equations, such as those of Newton steps.

use super::dot;

/// A symmetric matrix, of which only the lower triangle is kept, row by row.
#[derive(Clone, PartialEq, Debug)]
pub struct Symmetric {
    size: usize,
    lower: Vec<f64>,
}

impl Symmetric {
    /// Of this many rows and columns, all 0.
    #[must_use]
    pub fn zero(size: usize) -> Symmetric {
        Symmetric { size, lower: vec![0.0; size * (size + 1) / 2] }
    }

    /// Rows, and as many columns.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// The beginning of a row, up to and with the diagonal.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    #[inline]
    pub fn row_mut(&mut self, row: usize) -> &mut [f64] {
        let start = row * (row + 1) / 2;
        &mut self.lower[start..=start + row]
    }

    /// An element, of either triangle.
    ///
    /// # Panics
    ///
    /// If there is no such row or column.
    #[must_use]
    pub fn get(&self, row: usize, column: usize) -> f64 {
        let (row, column) = (row.max(column), row.min(column));
        self.lower[row * (row + 1) / 2 + column]
    }

    /// Adds a matrix of the same size.
    pub fn add(&mut self, other: &Symmetric) {
        self.lower.iter_mut().zip(&other.lower).for_each(|(own, other)| *own += other);
    }

    /// Adds to the diagonal element of a row.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    pub fn add_to_diagonal(&mut self, row: usize, value: f64) {
        self.row_mut(row)[row] += value;
    }

    /// Divides every element.
    pub fn divide_by(&mut self, divisor: f64) {
        self.lower.iter_mut().for_each(|own| *own /= divisor);
    }

    /// The factor L of L L' by Cholesky; `None` if the matrix is not positive definite, or so nearly not that a pivot keeps
    /// less than 1e-14 of its diagonal element.
    #[must_use]
    pub fn cholesky(mut self) -> Option<Cholesky> {
        for i in 0..self.size {
            for j in 0..=i {
                let (ri, rj) = (i * (i + 1) / 2, j * (j + 1) / 2);
                let dot = dot(&self.lower[ri..ri + j], &self.lower[rj..rj + j]);
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

/// The lower triangle L of a positive definite matrix L L'.
#[derive(Clone, PartialEq, Debug)]
pub struct Cholesky(Symmetric);

impl Cholesky {
    /// The solution x of L L' x = right.
    ///
    /// # Panics
    ///
    /// If the right side is shorter than the matrix; so do the others.
    #[must_use]
    pub fn solve(&self, right: &[f64]) -> Vec<f64> {
        self.backward(&self.forward(right))
    }

    /// The solution x of L x = right.
    #[must_use]
    pub fn forward(&self, right: &[f64]) -> Vec<f64> {
        let Symmetric { size, lower } = &self.0;
        let mut x = right.to_vec();
        for i in 0..*size {
            let row = i * (i + 1) / 2;
            let dot = dot(&lower[row..row + i], &x);
            x[i] = (x[i] - dot) / lower[row + i];
        }
        x
    }

    /// The solution x of L' x = right.
    #[must_use]
    pub fn backward(&self, right: &[f64]) -> Vec<f64> {
        let Symmetric { size, lower } = &self.0;
        let mut x = right.to_vec();
        for i in (0..*size).rev() {
            let row = i * (i + 1) / 2;
            x[i] /= lower[row + i];
            let value = x[i];
            x[..i].iter_mut().zip(&lower[row..row + i]).for_each(|(x, a)| *x -= a * value);
        }
        x
    }

    /// L' x: what [`backward`](Self::backward) undoes.
    #[must_use]
    pub fn transposed_times(&self, x: &[f64]) -> Vec<f64> {
        let size = self.0.size;
        (0..size).map(|i| (i..size).map(|k| self.0.lower[k * (k + 1) / 2 + i] * x[k]).sum()).collect()
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
            let factor = matrix.clone().cholesky().expect("positive definite");
            for (back, right) in factor.backward(&factor.transposed_times(&right)).iter().zip(&right) {
                prop_assert!((back - right).abs() < 1e-9);
            }
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

    #[test]
    fn sums_and_products_by_hand() {
        let of = |[a, b, c]: [f64; 3]| {
            let mut matrix = Symmetric::zero(2);
            matrix.row_mut(0)[0] = a;
            matrix.row_mut(1).copy_from_slice(&[b, c]);
            matrix
        };
        let elements =
            |matrix: &Symmetric| [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(row, column)| matrix.get(row, column));
        let mut sum = of([2.0, 1.0, 3.0]);
        sum.add(&of([5.0, -2.0, 4.0]));
        assert_eq!(elements(&sum), [7.0, -1.0, -1.0, 7.0]);
        sum.add_to_diagonal(1, 2.0);
        sum.divide_by(2.0);
        assert_eq!(elements(&sum), [3.5, -0.5, -0.5, 4.5]);
        // 4 2 2 10 times 1 1 is 6 12.
        let solved = of([4.0, 2.0, 10.0]).cholesky().expect("positive definite").solve(&[6.0, 12.0]);
        assert!(solved.iter().all(|x| (x - 1.0).abs() < 1e-15), "{solved:?}");
    }
}
