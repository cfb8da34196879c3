//! Damped Newton: the Hessian with as much added to its diagonal as it takes to go downhill.

/// A function to be minimised.
pub(super) trait Function {
    /// The value; infinite where it is not defined.
    fn value(&self, at: &[f64]) -> f64;
    /// The value, gradient and Hessian, row after row.
    fn derivatives(&self, at: &[f64]) -> (f64, Vec<f64>, Vec<f64>);
}

/// Where the search ended.
#[derive(Clone, Debug)]
pub(super) struct Minimum {
    pub(super) at: Vec<f64>,
    pub(super) value: f64,
    /// Whether a full step would gain less than rounding.
    pub(super) converged: bool,
}

const MOST_STEPS: u32 = 200;
/// Half the Newton decrement, relative to the value, below which the search ends.
const SMALLEST_GAIN: f64 = 1e-16;

/// Goes downhill from `start`.
pub(super) fn minimize(function: &impl Function, start: &[f64]) -> Minimum {
    let mut at = start.to_vec();
    let mut damping = 0.0;
    let mut steps = 0;
    loop {
        let (value, gradient, hessian) = function.derivatives(&at);
        let mut moved = false;
        let mut gain = f64::INFINITY;
        // 1e-12 · 10^40 is beyond any Hessian: then no direction goes down.
        for _ in 0..40 {
            if let Some(step) = damped_step(&gradient, &hessian, damping) {
                let slope: f64 = step.iter().zip(&gradient).map(|(step, derivative)| step * derivative).sum();
                gain = -0.5 * slope;
                let next: Vec<f64> = at.iter().zip(&step).map(|(at, step)| at + step).collect();
                let next_value = function.value(&next);
                // What a step gains below rounding cannot be seen in the value.
                let rounding = 4.0 * f64::EPSILON * value.abs();
                if next_value <= value + 1e-4 * slope + rounding {
                    moved = next_value < value || gain > SMALLEST_GAIN * value.abs();
                    at = next;
                    damping = if damping < 1e-9 { 0.0 } else { damping / 10.0 };
                    break;
                }
            }
            damping = if damping == 0.0 { 1e-6 } else { damping * 10.0 };
        }
        steps += 1;
        let converged = gain <= SMALLEST_GAIN * value.abs() && damping == 0.0;
        if converged || !moved || steps == MOST_STEPS {
            let value = function.value(&at);
            return Minimum { at, value, converged: converged || gain < 1e-13 * value.abs() };
        }
    }
}

/// -(H + damping · diag |H|)⁻¹ g; `None` where that matrix is not positive definite.
fn damped_step(gradient: &[f64], hessian: &[f64], damping: f64) -> Option<Vec<f64>> {
    let n = gradient.len();
    let mut matrix = hessian.to_vec();
    let mean = (0..n).map(|i| hessian[i * n + i].abs()).sum::<f64>() / n as f64;
    for i in 0..n {
        let diagonal = hessian[i * n + i].abs();
        matrix[i * n + i] += damping * diagonal.max(1e-9 * mean);
    }
    let factor = cholesky(matrix, n)?;
    let step = solve(&factor, gradient);
    step.iter().all(|step| step.is_finite()).then(|| step.into_iter().map(|step| -step).collect())
}

/// The lower triangle L with L Lᵀ = matrix; `None` unless it is positive definite.
pub(super) fn cholesky(mut matrix: Vec<f64>, n: usize) -> Option<Vec<f64>> {
    for j in 0..n {
        for k in 0..j {
            let factor = matrix[j * n + k];
            for i in j..n {
                matrix[i * n + j] -= factor * matrix[i * n + k];
            }
        }
        let pivot = matrix[j * n + j];
        if !(pivot > 0.0 && pivot.is_finite()) {
            return None;
        }
        let root = pivot.sqrt();
        for i in j..n {
            matrix[i * n + j] /= root;
        }
    }
    Some(matrix)
}

/// The solution of L Lᵀ x = right.
pub(super) fn solve(factor: &[f64], right: &[f64]) -> Vec<f64> {
    backward(factor, &forward(factor, right))
}

/// The solution of L x = right.
pub(super) fn forward(factor: &[f64], right: &[f64]) -> Vec<f64> {
    let n = right.len();
    let mut x = right.to_vec();
    for i in 0..n {
        let sum: f64 = (0..i).map(|k| factor[i * n + k] * x[k]).sum();
        x[i] = (x[i] - sum) / factor[i * n + i];
    }
    x
}

/// The solution of Lᵀ x = right.
pub(super) fn backward(factor: &[f64], right: &[f64]) -> Vec<f64> {
    let n = right.len();
    let mut x = right.to_vec();
    for i in (0..n).rev() {
        let sum: f64 = (i + 1..n).map(|k| factor[k * n + i] * x[k]).sum();
        x[i] = (x[i] - sum) / factor[i * n + i];
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rosenbrock's valley, whose Hessian is not positive definite everywhere.
    struct Valley;

    impl Function for Valley {
        fn value(&self, at: &[f64]) -> f64 {
            let (x, y) = (at[0], at[1]);
            1.0 + (1.0 - x).powi(2) + 100.0 * (y - x * x).powi(2)
        }
        fn derivatives(&self, at: &[f64]) -> (f64, Vec<f64>, Vec<f64>) {
            let (x, y) = (at[0], at[1]);
            let gradient = vec![-2.0 * (1.0 - x) - 400.0 * x * (y - x * x), 200.0 * (y - x * x)];
            let hessian = vec![2.0 - 400.0 * (y - 3.0 * x * x), -400.0 * x, -400.0 * x, 200.0];
            (self.value(at), gradient, hessian)
        }
    }

    #[test]
    fn the_valley_is_followed_to_its_end() {
        for start in [[-1.2, 1.0], [0.0, 5.0], [3.0, -3.0]] {
            let end = minimize(&Valley, &start);
            assert!(end.converged, "{end:?}");
            assert!((end.at[0] - 1.0).abs() < 1e-7 && (end.at[1] - 1.0).abs() < 1e-7, "{end:?}");
        }
    }

    #[test]
    fn systems_are_solved() {
        let matrix = vec![4.0, 2.0, 0.6, 2.0, 5.0, 1.0, 0.6, 1.0, 3.0];
        let factor = cholesky(matrix.clone(), 3).expect("positive definite");
        let x = solve(&factor, &[1.0, 2.0, 3.0]);
        for (row, right) in matrix.chunks(3).zip([1.0, 2.0, 3.0]) {
            assert!((row.iter().zip(&x).map(|(m, x)| m * x).sum::<f64>() - right).abs() < 1e-12);
        }
        assert!(cholesky(vec![1.0, 2.0, 2.0, 1.0], 2).is_none());
    }
}
