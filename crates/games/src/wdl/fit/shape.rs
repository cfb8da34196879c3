//! How a and b depend on material or move: the families of curves that can be fitted.

use serde::{Deserialize, Serialize};

use drawish_stats::numeric::{Cholesky, Symmetric};

use super::table::Row;

/// A family of curves.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Shape {
    /// Polynomials of degree 3 in mom / target, as in Stockfish.
    Cubic,
    /// (c0 + c1 u + c2 u²) / (1 + c3 u), as many parameters as the cubic but without its turns at the ends.
    Rational,
    /// Cubic B-splines with this many segments that only rise or only fall, their second differences penalised.
    Spline {
        /// Number of segments.
        segments: usize,
        /// Weight of the penalty; found by held-out loss if it is not given.
        smoothing: Option<f64>,
    },
}

/// A shape over the rows of a table: the value of a curve in each row and its derivatives by the parameters.
#[derive(Clone, Debug)]
pub(super) struct Curves {
    /// Where curves are linear in their parameters, their basis in each row; the parameters of rational curves are not.
    basis: Vec<Vec<f64>>,
    /// Of rational curves: what the search takes for u.
    centred: Option<Centred>,
    /// Parameters of one curve.
    pub(super) len: usize,
    /// L with basis = L · given basis, so that the basis is orthonormal over the rows by their weights.
    gram: Option<Cholesky>,
    /// Whether the last parameter is the one of the time control.
    by_speed: bool,
    pub(super) penalty: Option<Penalty>,
}

/// u moved and stretched to v = (u - mid) / half, which goes from -1 to 1 over the rows. A rational curve without a pole between
/// them is (d0 + d1 v + d2 v²) / (1 + d3 v) with d3 between -1 and 1, while c3 of 1 + c3 u has no bounds: where the denominator nears 0 at
/// u = 0, far from all rows, all of c grow without end, and a search in them stands still.
#[derive(Clone, Copy, Debug)]
struct Centred {
    mid: f64,
    half: f64,
}

impl Centred {
    /// A denominator at u = 0 is taken for no smaller than this: it changes no curve by more, and all coefficients are finite.
    const LEAST_AT_ZERO: f64 = 1e-9;

    fn of(us: impl Iterator<Item = f64>) -> Centred {
        let (least, most) = us.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), u| (least.min(u), most.max(u)));
        Centred { mid: 0.5 * (least + most), half: if most > least { 0.5 * (most - least) } else { 1.0 } }
    }

    fn place(&self, u: f64) -> f64 {
        (u - self.mid) / self.half
    }

    /// c from d.
    fn told(&self, d: &[f64]) -> Vec<f64> {
        let (shift, half) = (self.mid / self.half, self.half);
        let at_zero = 1.0 - d[3] * shift;
        let at_zero = at_zero.abs().max(Self::LEAST_AT_ZERO).copysign(at_zero);
        let c0 = d[0] - d[1] * shift + d[2] * shift * shift;
        let c1 = (d[1] - 2.0 * d[2] * shift) / half;
        let mut told = [c0, c1, d[2] / (half * half), d[3] / half].map(|c| c / at_zero).to_vec();
        told.extend(&d[4..]);
        told
    }

    /// d from c.
    fn searched(&self, c: &[f64]) -> Vec<f64> {
        let Centred { mid, half } = *self;
        let at_mid = 1.0 + c[3] * mid;
        let d0 = c[0] + c[1] * mid + c[2] * mid * mid;
        let d1 = half * (c[1] + 2.0 * c[2] * mid);
        let mut searched = [d0, d1, c[2] * half * half, c[3] * half].map(|d| d / at_mid).to_vec();
        searched.extend(&c[4..]);
        searched
    }
}

/// What is added to the objective so that a spline is smooth and monotone, in units of the mean objective.
#[derive(Clone, Copy, Debug)]
pub(super) struct Penalty {
    /// Of squared second differences.
    pub(super) smoothing: f64,
    /// The direction of a and of b: 1 rising, -1 falling, 0 any.
    pub(super) directions: [f64; 2],
    /// Number of coefficients of the spline in each curve.
    pub(super) len: usize,
}

/// Weight of steps in the wrong direction: large enough that what is left of them is far below rounding of coefficients
/// in print.
const WRONG_DIRECTION: f64 = 1e3;

/// The value of a curve in a row, with its derivatives.
pub(super) struct Point {
    pub(super) value: f64,
    pub(super) gradient: Vec<f64>,
    /// Second derivatives, row after row; none where they are zero.
    pub(super) hessian: Option<Vec<f64>>,
}

/// The families of curves, without what else a [`Shape`] says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "see `Shape`")]
pub enum Family {
    #[default]
    Cubic,
    Rational,
    Spline,
}

impl Family {
    /// All of them.
    pub const ALL: [Family; 3] = [Family::Cubic, Family::Rational, Family::Spline];

    /// The name in files and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Family::Cubic => "cubic",
            Family::Rational => "rational",
            Family::Spline => "spline",
        }
    }
}

impl Shape {
    /// Segments of a spline where nobody asks for others.
    pub const SEGMENTS: usize = 8;

    /// Which family it is of.
    #[must_use]
    pub fn family(self) -> Family {
        match self {
            Shape::Cubic => Family::Cubic,
            Shape::Rational => Family::Rational,
            Shape::Spline { .. } => Family::Spline,
        }
    }

    /// Parameters of one curve without the one of the time control.
    pub(super) fn len(self) -> usize {
        match self {
            Shape::Cubic | Shape::Rational => 4,
            Shape::Spline { segments, .. } => segments + 3,
        }
    }
}

impl Curves {
    /// Curves over rows with these weights.
    pub(super) fn new(shape: Shape, rows: &[Row], weights: &[f64], target: f64, by_speed: bool) -> Curves {
        let span = rows
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), row| (least.min(row.mom), most.max(row.mom)));
        let centred = Centred::of(rows.iter().map(|row| row.mom / target));
        let basis: Vec<Vec<f64>> = rows
            .iter()
            .map(|row| {
                let u = row.mom / target;
                let v = centred.place(u);
                let mut basis = match shape {
                    Shape::Cubic => vec![u * u * u, u * u, u, 1.0],
                    Shape::Rational => vec![1.0, v, v * v],
                    Shape::Spline { segments, .. } => b_splines(row.mom, span, segments),
                };
                if by_speed {
                    basis.push(row.speed);
                }
                basis
            })
            .collect();
        let len = shape.len() + usize::from(by_speed);
        let centred = (shape == Shape::Rational).then_some(centred);
        let mut curves = Curves { basis, centred, len, gram: None, by_speed, penalty: None };
        if shape == Shape::Cubic {
            curves.orthogonalize(weights);
        }
        if let Shape::Spline { smoothing, .. } = shape {
            let smoothing = smoothing.unwrap_or_default();
            curves.penalty = Some(Penalty { smoothing, directions: [0.0; 2], len: shape.len() });
        }
        curves
    }

    fn orthogonalize(&mut self, weights: &[f64]) {
        let n = self.len;
        let total: f64 = weights.iter().sum();
        let mut gram = Symmetric::zero(n);
        for (basis, weight) in self.basis.iter().zip(weights) {
            add_square(&mut gram, weight / total, basis);
        }
        if let Some(factor) = gram.cholesky() {
            for basis in &mut self.basis {
                *basis = factor.forward(basis);
            }
            self.gram = Some(factor);
        }
    }

    /// The parameters as they are told, from those of the search.
    pub(super) fn told(&self, parameters: &[f64]) -> Vec<f64> {
        match (&self.gram, &self.centred) {
            (Some(factor), _) => factor.backward(parameters),
            (None, Some(centred)) => centred.told(parameters),
            (None, None) => parameters.to_vec(),
        }
    }

    /// The parameters of the search, from those that are told: Lᵀ told.
    pub(super) fn searched(&self, told: &[f64]) -> Vec<f64> {
        match (&self.gram, &self.centred) {
            (Some(factor), _) => factor.transposed_times(told),
            (None, Some(centred)) => centred.searched(told),
            (None, None) => told.to_vec(),
        }
    }

    /// Whether a curve with these parameters has no pole in any row.
    pub(super) fn are_defined(&self, parameters: &[f64]) -> bool {
        // Below it a pole, or the other side of one.
        const LEAST_DENOMINATOR: f64 = 0.01;
        self.centred.is_none() || self.basis.iter().all(|basis| 1.0 + parameters[3] * basis[1] >= LEAST_DENOMINATOR)
    }

    /// The value of a curve in a row, which has a meaning where [`are_defined`](Self::are_defined) holds.
    pub(super) fn value(&self, row: usize, parameters: &[f64]) -> f64 {
        let basis = &self.basis[row];
        if self.centred.is_none() {
            return basis.iter().zip(parameters).map(|(basis, parameter)| basis * parameter).sum();
        }
        let denominator = 1.0 + parameters[3] * basis[1];
        let numerator = parameters[0] + parameters[1] * basis[1] + parameters[2] * basis[2];
        numerator / denominator + if self.by_speed { parameters[4] * basis[3] } else { 0.0 }
    }

    pub(super) fn point(&self, row: usize, parameters: &[f64]) -> Point {
        let value = self.value(row, parameters);
        let basis = &self.basis[row];
        if self.centred.is_none() {
            return Point { value, gradient: basis.clone(), hessian: None };
        }
        let u = basis[1];
        let inverse = 1.0 / (1.0 + parameters[3] * u);
        let fraction = (parameters[0] + parameters[1] * u + parameters[2] * u * u) * inverse;
        let mut gradient = vec![inverse, u * inverse, u * u * inverse, -u * fraction * inverse];
        if self.by_speed {
            gradient.push(basis[3]);
        }
        let n = self.len;
        let mut hessian = vec![0.0; n * n];
        for i in 0..3 {
            let mixed = -u * gradient[i] * inverse;
            hessian[i * n + 3] = mixed;
            hessian[3 * n + i] = mixed;
        }
        hessian[3 * n + 3] = 2.0 * u * u * fraction * inverse * inverse;
        Point { value, gradient, hessian: Some(hessian) }
    }

    /// Parameters of a curve with about these values in the rows, by least squares; constant where that fails.
    pub(super) fn near(&self, values: &[(usize, f64, f64)]) -> Vec<f64> {
        let weights: f64 = values.iter().map(|value| value.2).sum();
        let mean = values.iter().map(|(_, value, weight)| value * weight / weights).sum::<f64>();
        if self.centred.is_some() {
            let mut start = vec![0.0; self.len];
            start[0] = mean;
            return start;
        }
        let n = self.len;
        let mut gram = Symmetric::zero(n);
        let mut right = vec![0.0; n];
        for &(row, value, weight) in values {
            let basis = &self.basis[row];
            add_square(&mut gram, weight / weights, basis);
            right.iter_mut().zip(basis).for_each(|(sum, basis)| *sum += weight / weights * basis * value);
        }
        for (i, right) in right.iter_mut().enumerate() {
            // Where splines see no data, they stay near the mean.
            let ridge = if self.penalty.is_some() { 1e-6 } else { 0.0 };
            gram.add_to_diagonal(i, ridge);
            *right += ridge * mean;
        }
        match gram.cholesky() {
            Some(factor) => factor.solve(&right),
            None => self.constant(mean),
        }
    }

    /// Parameters of a constant curve.
    pub(super) fn constant(&self, value: f64) -> Vec<f64> {
        let mut told = vec![0.0; self.len];
        if self.centred.is_some() {
            told[0] = value;
        } else if let Some(penalty) = self.penalty {
            told[..penalty.len].fill(value);
        } else {
            told[3] = value;
        }
        self.searched(&told)
    }
}

/// Adds weight times the outer product of a vector with itself.
fn add_square(matrix: &mut Symmetric, weight: f64, vector: &[f64]) {
    for (i, value) in vector.iter().enumerate() {
        matrix.row_mut(i).iter_mut().zip(vector).for_each(|(sum, other)| *sum += weight * value * other);
    }
}

impl Penalty {
    /// Adds the penalty on one curve (0: a, 1: b) and its derivatives, coefficients being measured in `unit`s.
    pub(super) fn add(
        &self,
        curve: usize,
        coefficients: &[f64],
        unit: f64,
        mut gradient: impl FnMut(usize, f64),
        mut hessian: impl FnMut(usize, usize, f64),
    ) -> f64 {
        let mut value = 0.0;
        let mut square = |places: &[(usize, f64)], weight: f64| {
            let sum: f64 = places.iter().map(|(place, factor)| factor * coefficients[*place]).sum();
            value += weight * sum * sum;
            for &(i, factor) in places {
                gradient(i, 2.0 * weight * sum * factor);
                for &(j, other) in places {
                    hessian(i, j, 2.0 * weight * factor * other);
                }
            }
        };
        let scale = 1.0 / (unit * unit);
        for i in 0..self.len.saturating_sub(2) {
            square(&[(i, 1.0), (i + 1, -2.0), (i + 2, 1.0)], self.smoothing * scale);
        }
        for i in 0..self.len - 1 {
            if self.directions[curve] * (coefficients[i + 1] - coefficients[i]) < 0.0 {
                square(&[(i, -1.0), (i + 1, 1.0)], WRONG_DIRECTION * scale);
            }
        }
        value
    }
}

/// The cubic B-splines on equal segments of a span, at x: four of them are not 0, and their sum is 1.
fn b_splines(x: f64, (least, most): (f64, f64), segments: usize) -> Vec<f64> {
    let mut basis = vec![0.0; segments + 3];
    let place = (x - least) / (most - least).max(1.0) * segments as f64;
    let first = (place.floor().max(0.0) as usize).min(segments - 1);
    let t = place - first as f64;
    let cube = |t: f64| t * t * t;
    basis[first] = cube(1.0 - t) / 6.0;
    basis[first + 1] = (3.0 * cube(t) - 6.0 * t * t + 4.0) / 6.0;
    basis[first + 2] = (-3.0 * cube(t) + 3.0 * t * t + 3.0 * t + 1.0) / 6.0;
    basis[first + 3] = cube(t) / 6.0;
    basis
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<Row> {
        (17..=78).map(|mom| Row { mom: f64::from(mom), speed: f64::from(mom % 3) }).collect()
    }

    #[test]
    fn rational_curves_are_searched_where_they_are_bounded() {
        let rows = rows();
        let curves = Curves::new(Shape::Rational, &rows, &[], 58.0, true);
        for told in [[300.0, -250.0, 90.0, 0.4, 1.5], [10.0, 70.0, 30.0, 50.0, 0.0], [0.0, 1e9, 2e8, 1e8, 2.0]] {
            let searched = curves.searched(&told);
            assert!(searched[3].abs() < 1.0 && curves.are_defined(&searched), "{searched:?}");
            for (row, at) in rows.iter().enumerate() {
                let u = at.mom / 58.0;
                let expected = (told[0] + told[1] * u + told[2] * u * u) / (1.0 + told[3] * u) + told[4] * at.speed;
                assert!((curves.value(row, &searched) / expected - 1.0).abs() < 1e-9);
            }
            let again = curves.told(&searched);
            let close = |(one, other): (&f64, &f64)| (one - other).abs() < 1e-5 * other.abs().max(1.0);
            assert!(again.iter().zip(&told).all(close), "{again:?} {told:?}");
        }
        // A pole at no material at all has no coefficients, only ever larger ones.
        let centred = curves.centred.expect("rational");
        let told = curves.told(&[100.0, 20.0, 3.0, centred.half / centred.mid, 0.0]);
        assert!(told.iter().all(|c| c.is_finite()) && told[0].abs() > 1e6, "{told:?}");
    }

    #[test]
    fn told_and_searched_parameters_are_the_same_curve() {
        let rows = rows();
        let weights = vec![1.0; rows.len()];
        let curves = Curves::new(Shape::Cubic, &rows, &weights, 58.0, false);
        let told = [9.0, 98.0, -280.0, 266.0];
        let searched = curves.searched(&told);
        for (row, at) in rows.iter().enumerate() {
            let u = at.mom / 58.0;
            let expected = ((told[0] * u + told[1]) * u + told[2]) * u + told[3];
            assert!((curves.value(row, &searched) - expected).abs() < 1e-8);
        }
        for (one, other) in curves.told(&searched).into_iter().zip(told) {
            assert!((one - other).abs() < 1e-6);
        }
    }

    #[test]
    fn derivatives_of_rational_curves() {
        let rows = rows();
        let curves = Curves::new(Shape::Rational, &rows, &[], 58.0, true);
        let at = [200.0, -150.0, 60.0, 0.3, 4.0];
        for row in [0, 30, 61] {
            let point = curves.point(row, &at);
            for i in 0..5 {
                let moved = |h: f64| {
                    let mut at = at;
                    at[i] += h;
                    curves.point(row, &at)
                };
                let h = 1e-5;
                let slope = (moved(h).value - moved(-h).value) / (2.0 * h);
                assert!((slope - point.gradient[i]).abs() < 1e-5 * (1.0 + slope.abs()), "{i}: {slope}");
                for j in 0..5 {
                    let second = (moved(h).gradient[j] - moved(-h).gradient[j]) / (2.0 * h);
                    let told = point.hessian.as_ref().expect("not linear")[i * 5 + j];
                    assert!((second - told).abs() < 1e-4 * (1.0 + second.abs()), "{i} {j}: {second} {told}");
                }
            }
        }
        assert!(curves.are_defined(&at) && !curves.are_defined(&[1.0, 1.0, 1.0, -1.1, 0.0]), "a pole within the span");
    }

    #[test]
    fn splines_are_a_partition_of_one() {
        for x in [17.0, 17.1, 40.0, 77.9, 78.0] {
            let basis = b_splines(x, (17.0, 78.0), 8);
            assert!((basis.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            assert!(basis.iter().all(|value| *value >= -1e-12));
        }
    }
}
