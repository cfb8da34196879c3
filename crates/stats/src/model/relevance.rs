//! Evaluation relevance reduction (konrod.info, 2018-2020): from an engine's number of pawns to an expected result,
//! and from there to the symbols of annotators.
//!
//! Losing a queen in a lost position costs nine pawns and hardly any chances. So each evaluation x gets a *relevance*
//! between 1 at x = 0 and 0 at infinity, and differences of evaluations are weighed by it: the relevant difference of
//! two evaluations is the integral of the relevance between them. Three parameters say how fast it falls, in three
//! sectors of |x|:
//!
//! | sector | |x| | relevance | expected result for White, x >= 0 |
//! |---|---|---|---|
//! | first | 0 to e75 | 1 - \|x\| / (2 e75) | 1/2 + x / (4 e75) |
//! | second | e75 to e+ | straight from 1/2 to r | 1 - relevance / 2 |
//! | third | from e+ | r^(\|x\| / e+) | 1 - r^(x / e+) / 2 |
//!
//! e75 is the evaluation at which games end with 0.75 points on average, e+ a larger one, and r = 2 (1 - result at e+).
//! Everything is symmetric: relevance(-x) = relevance(x), expected(-x) = 1 - expected(x).
//!
//! The article's antiderivatives differ by constants from sector to sector, so that a difference of two of them is
//! wrong across a joint; here the antiderivative is continuous and 0 at 0.

mod comparison;
mod moves;
mod positions;
mod text;

use thiserror::Error;

pub use comparison::{Comparison, Expected, OrderError};
pub use moves::{MoveScheme, MoveSymbol, MoveThresholds};
pub use positions::{Advantage, PositionScheme, PositionSymbol};
pub use text::{EvaluationError, evaluation_text, parse_evaluation};

/// Who moves, or who has the advantage.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the two sides of chess")]
pub enum Side {
    White,
    Black,
}

/// The part of the curve in which an evaluation lies; each includes its lower end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Sector {
    /// |x| < e75.
    First,
    /// e75 <= |x| < e+.
    Second,
    /// |x| >= e+.
    Third,
}

/// To this many parts of a pawn.
fn rounded(number: f64, parts: f64) -> f64 {
    (parts * number).round() / parts
}

/// Hundredths, unless they do not tell two numbers apart; then without the digits that only sums of decimals have.
fn apart(one: f64, other: f64) -> f64 {
    let is_enough = one == other || rounded(one, 1e2) != rounded(other, 1e2);
    if is_enough { 1e2 } else { 1e6 }
}

/// Why three numbers are no parameters.
#[derive(Clone, Copy, PartialEq, Debug, Error)]
pub enum ParameterError {
    /// An infinity or no number at all.
    #[error("{name} is {value}: expected a finite number")]
    NotFinite {
        /// Which parameter.
        name: &'static str,
        /// What was given.
        value: f64,
    },
    /// e75 is zero or below.
    #[error(
        "e(=0.75) is {0}: expected more than 0, the evaluation in pawns at which White scores 0.75 points on average"
    )]
    NotPositive(f64),
    /// e+ is not above e75.
    #[error(
        "e(>0.75) is {} and e(=0.75) is {}: expected e(>0.75) to be the larger of the two, since its result is above 0.75",
        rounded(*e_plus, apart(*e75, *e_plus)),
        rounded(*e75, apart(*e75, *e_plus))
    )]
    Order {
        /// The evaluation with the result 0.75.
        e75: f64,
        /// The one that should be larger.
        e_plus: f64,
    },
    /// An evaluation so small or so large that nothing can be computed from it.
    #[error("{name} is {value:e}: expected 0.000001 to 1,000,000 pawns")]
    Scale {
        /// Which parameter.
        name: &'static str,
        /// What was given.
        value: f64,
    },
    /// The result at e+ is not between 0.75 and 1.
    #[error("the result at e(>0.75) is {0}: expected more than 0.75 and less than 1 points, as in 0.875")]
    Result(f64),
}

/// The relevance of evaluations, by three valid parameters.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Relevance {
    e75: f64,
    e_plus: f64,
    /// Relevance at e+, between 0 and 1/2.
    r: f64,
    /// The third sector is exp(-x / decay), so this is e+ / -ln r.
    decay: f64,
}

/// 0.75 points at 1.5 pawns and 0.875 at 3: of no engine in particular.
impl Default for Relevance {
    fn default() -> Relevance {
        Relevance::new(1.5, 3.0, 0.875).expect("a curve by hand, which a test asks for")
    }
}

impl Relevance {
    /// The curve through (e75, 0.75) and (e+, result); evaluations in pawns, results in points.
    ///
    /// # Errors
    ///
    /// - anything not finite;
    /// - e75 <= 0, e+ <= e75, either below 0.000001 or above 1,000,000 pawns: far from there areas overflow or vanish;
    /// - a result at e+ that is not between 0.75 and 1, both excluded.
    pub fn new(e75: f64, e_plus: f64, result: f64) -> Result<Relevance, ParameterError> {
        for (name, value) in [("e(=0.75)", e75), ("e(>0.75)", e_plus), ("the result at e(>0.75)", result)] {
            if !value.is_finite() {
                return Err(ParameterError::NotFinite { name, value });
            }
        }
        if e75 <= 0.0 {
            return Err(ParameterError::NotPositive(e75));
        }
        if e_plus <= e75 {
            return Err(ParameterError::Order { e75, e_plus });
        }
        for (name, value) in [("e(=0.75)", e75), ("e(>0.75)", e_plus)] {
            if !(1e-6..=1e6).contains(&value) {
                return Err(ParameterError::Scale { name, value });
            }
        }
        let r = 2.0 * (1.0 - result);
        if !(r > 0.0 && r < 0.5) {
            return Err(ParameterError::Result(result));
        }
        Ok(Relevance { e75, e_plus, r, decay: -e_plus / r.ln() })
    }

    /// The evaluation with an expected result of 0.75, in pawns.
    #[must_use]
    pub fn e75(&self) -> f64 {
        self.e75
    }

    /// The evaluation e(>0.75), in pawns.
    #[must_use]
    pub fn e_plus(&self) -> f64 {
        self.e_plus
    }

    /// The relevance at e(>0.75), r = 2 (1 - result).
    #[must_use]
    pub fn r(&self) -> f64 {
        self.r
    }

    /// The expected result at e(>0.75), in points.
    #[must_use]
    pub fn result(&self) -> f64 {
        1.0 - self.r / 2.0
    }

    /// The sector of an evaluation.
    #[must_use]
    pub fn sector(&self, evaluation: f64) -> Sector {
        match evaluation.abs() {
            x if x < self.e75 => Sector::First,
            x if x < self.e_plus => Sector::Second,
            _ => Sector::Third,
        }
    }

    /// By how much the relevance falls per pawn in the second sector.
    fn second_slope(&self) -> f64 {
        (0.5 - self.r) / (self.e_plus - self.e75)
    }

    /// The relevance of an evaluation in pawns: 1 at 0, 1/2 at e75, r at e+, 0 at infinity, which stands for a mate.
    #[must_use]
    pub fn relevance(&self, evaluation: f64) -> f64 {
        let x = evaluation.abs();
        match self.sector(x) {
            Sector::First => 1.0 - x / (2.0 * self.e75),
            Sector::Second => self.r + self.second_slope() * (self.e_plus - x),
            Sector::Third => (-x / self.decay).exp(),
        }
    }

    /// The evaluation of 0 or more with this relevance; `None` unless 0 < relevance <= 1.
    #[must_use]
    pub fn evaluation_at_relevance(&self, relevance: f64) -> Option<f64> {
        if !(relevance > 0.0 && relevance <= 1.0) {
            return None;
        }
        Some(if relevance > 0.5 {
            2.0 * self.e75 * (1.0 - relevance)
        } else if relevance > self.r {
            self.e_plus - (relevance - self.r) / self.second_slope()
        } else {
            -self.decay * relevance.ln()
        })
    }

    /// The expected ("probabilistic") result for White, in points from 0 to 1: 1 - relevance / 2 for evaluations in
    /// White's favour, relevance / 2 for the others. It counts a draw as half a win; it is no probability of winning.
    #[must_use]
    pub fn expected(&self, evaluation: f64) -> f64 {
        let half = self.relevance(evaluation) / 2.0;
        if evaluation < 0.0 { half } else { 1.0 - half }
    }

    /// The evaluation with this expected result for White; `None` unless it is above 0 and below 1.
    #[must_use]
    pub fn evaluation_at_result(&self, expected: f64) -> Option<f64> {
        if expected >= 0.5 {
            self.evaluation_at_relevance(2.0 * (1.0 - expected))
        } else {
            self.evaluation_at_relevance(2.0 * expected).map(|x| -x)
        }
    }

    /// The integral of the relevance over all evaluations, in pawns:
    /// 2 (3/4 e75 + (1/2 + r) (e+ - e75) / 2 - e+ r / ln r).
    #[must_use]
    pub fn total_integral(&self) -> f64 {
        2.0 * self.tail(0.0)
    }

    /// The integral from 0 to an evaluation, in pawns: odd, continuous, 3/4 e75 at e75, half the total at infinity.
    #[must_use]
    pub fn antiderivative(&self, evaluation: f64) -> f64 {
        let x = evaluation.abs();
        let area = match self.sector(x) {
            Sector::First => x - x * x / (4.0 * self.e75),
            Sector::Second | Sector::Third => self.tail(0.0) - self.tail(x),
        };
        area.copysign(evaluation)
    }

    /// The integral from one evaluation to another, in pawns, negative if the first is the larger one. Infinite
    /// evaluations are allowed.
    #[must_use]
    pub fn integral(&self, from: f64, to: f64) -> f64 {
        let first = |x| self.sector(x) == Sector::First;
        // Far out the antiderivatives agree in nearly all their digits, while what is left beyond does not.
        if from >= 0.0 && to >= 0.0 && !(first(from) && first(to)) {
            self.tail(from) - self.tail(to)
        } else if from <= 0.0 && to <= 0.0 && !(first(from) && first(to)) {
            self.tail(-to) - self.tail(-from)
        } else {
            self.antiderivative(to) - self.antiderivative(from)
        }
    }

    /// The integral from an evaluation to infinity, in pawns.
    #[must_use]
    pub fn integral_above(&self, evaluation: f64) -> f64 {
        if evaluation >= 0.0 { self.tail(evaluation) } else { self.total_integral() - self.tail(-evaluation) }
    }

    /// The evaluation above which the integral is this large; `None` unless it is above 0 and below the total.
    #[must_use]
    pub fn evaluation_with_integral_above(&self, area: f64) -> Option<f64> {
        let total = self.total_integral();
        if !(area > 0.0 && area < total) {
            return None;
        }
        Some(if area <= total / 2.0 { self.inverse_tail(area) } else { -self.inverse_tail(total - area) })
    }

    /// The evaluation up to which the integral from 0 is this large; `None` unless it lies between plus and minus
    /// half the total.
    #[must_use]
    pub fn evaluation_at_integral(&self, area: f64) -> Option<f64> {
        let half = self.tail(0.0);
        let evaluation = if area.abs() < 0.75 * self.e75 {
            self.inverse_first(area.abs())
        } else if area.abs() < half {
            self.inverse_tail(half - area.abs())
        } else {
            return None;
        };
        Some(evaluation.copysign(area))
    }

    /// The evaluation from which on every further increase to infinity changes relevant differences with so many
    /// decimals by half a unit of the last one at most, and the sector in which it lies.
    ///
    /// What is left beyond it is half a unit: in the third sector, where it normally falls,
    /// e+ / ln r * ln(-ln r / (2 * 10^decimals * e+)). `None` if even all that lies above 0 is less than that.
    #[must_use]
    pub fn irrelevance_start(&self, decimals: u8) -> Option<(f64, Sector)> {
        let half_unit = 0.5 * 10.0_f64.powi(-i32::from(decimals));
        (half_unit <= self.tail(0.0)).then(|| self.inverse_tail(half_unit)).map(|start| (start, self.sector(start)))
    }

    /// The integral from `x` >= 0 to infinity.
    fn tail(&self, x: f64) -> f64 {
        let trapezoid = |from: f64, to: f64, end: f64| (self.relevance(from) + end) / 2.0 * (to - from);
        let third = self.decay * self.r;
        let second = (0.5 + self.r) / 2.0 * (self.e_plus - self.e75);
        match self.sector(x) {
            Sector::First => trapezoid(x, self.e75, 0.5) + second + third,
            Sector::Second => trapezoid(x, self.e_plus, self.r) + third,
            Sector::Third => self.decay * (-x / self.decay).exp(),
        }
    }

    /// The `x` >= 0 with this integral from there to infinity, which must not exceed that from 0.
    fn inverse_tail(&self, area: f64) -> f64 {
        let third = self.decay * self.r;
        let half = self.tail(0.0);
        if area <= third {
            -self.decay * (area / self.decay).ln()
        } else if half - area >= 0.75 * self.e75 {
            // r u + slope u^2 / 2 = area for u = e+ - x, solved without the difference of nearly equal numbers.
            let (area, slope) = (area - third, self.second_slope());
            self.e_plus - 2.0 * area / (self.r + (self.r * self.r + 2.0 * slope * area).sqrt())
        } else {
            self.inverse_first(half - area)
        }
    }

    /// The `x` >= 0 with x - x^2 / (4 e75) = `area`, which must not exceed 3/4 e75.
    fn inverse_first(&self, area: f64) -> f64 {
        2.0 * area / (1.0 + (1.0 - area / self.e75).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    pub(super) fn curve(e75: f64, e_plus: f64, result: f64) -> Relevance {
        Relevance::new(e75, e_plus, result).expect("parameters in order")
    }

    /// The naive twin: the integral of the relevance by Gauss-Legendre quadrature of order 5 on many short pieces, from
    /// the three equations as the article writes them.
    pub(super) fn by_quadrature(curve: &Relevance, from: f64, to: f64) -> f64 {
        let (e, plus, r) = (curve.e75(), curve.e_plus(), curve.r());
        let relevance = |x: f64| {
            let x = x.abs();
            if x <= e {
                1.0 - x / (2.0 * e)
            } else if x <= plus {
                -(2.0 * e * r - 2.0 * x * r - plus + x) / (2.0 * (plus - e))
            } else {
                r.powf(x / plus)
            }
        };
        const NODES: [(f64, f64); 5] = [
            (0.0, 128.0 / 225.0),
            (0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
            (-0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
            (0.906_179_845_938_664, 0.236_926_885_056_189_08),
            (-0.906_179_845_938_664, 0.236_926_885_056_189_08),
        ];
        // Pieces end at the joints, where the curve has corners, and in the third sector wherever it has fallen to r^k.
        let mut ends = vec![from, to, -e, 0.0, e];
        ends.extend((1..=80).flat_map(|k| [f64::from(k) * plus, f64::from(-k) * plus]));
        ends.retain(|x| (from..=to).contains(x));
        ends.sort_by(f64::total_cmp);
        let mut sum = 0.0;
        for pair in ends.windows(2) {
            let pieces = 16;
            let width = (pair[1] - pair[0]) / f64::from(pieces);
            for piece in 0..pieces {
                let middle = pair[0] + width * (f64::from(piece) + 0.5);
                sum += NODES
                    .iter()
                    .map(|(node, weight)| weight * relevance(middle + node * width / 2.0) * width / 2.0)
                    .sum::<f64>();
            }
        }
        sum
    }

    /// Where the relevance is 1e-22: infinity for the quadrature.
    pub(super) fn far(curve: &Relevance) -> f64 {
        curve.evaluation_at_relevance(1e-22).expect("a relevance")
    }

    #[test]
    fn the_figures_of_the_article() {
        let curve = curve(2.0, 3.0, 0.85);
        let rounded = |x: f64| format!("{x:.2}");
        assert!((curve.r() - 0.3).abs() < 1e-15);
        assert_eq!(rounded(curve.integral(0.0, 15.0)), "2.64");
        assert_eq!(rounded(curve.integral(0.0, 18.0)), "2.65");
        assert_eq!(rounded(curve.integral(0.0, 1000.0)), "2.65");
        for far in [15.0, 18.0, 1000.0] {
            assert_eq!(curve.integral(-far, 0.0), curve.integral(0.0, far));
        }
        let (start, sector) = curve.irrelevance_start(2).expect("there is one");
        assert_eq!((format!("{start:.3}"), sector), ("15.477".to_owned(), Sector::Third));
        // It depends on neither the other evaluation nor e75.
        assert_eq!(super::tests::curve(0.5, 3.0, 0.85).irrelevance_start(2), Some((start, sector)));
        assert_eq!(curve.antiderivative(2.0), 0.75 * 2.0);
        assert_eq!(curve.expected(0.0), 0.5);
        assert_eq!((curve.expected(2.0), curve.expected(-2.0)), (0.75, 0.25));
        assert!((curve.expected(3.0) - 0.85).abs() < 1e-15 && (curve.expected(-3.0) - 0.15).abs() < 1e-15);
        assert!(
            (curve.result() - 0.85).abs() < 1e-15 && (super::tests::curve(0.5, 4.0, 0.9).result() - 0.9).abs() < 1e-15
        );
        for (result, evaluation) in [(0.5, 0.0), (0.625, 1.0), (0.75, 2.0), (0.85, 3.0), (0.25, -2.0), (0.15, -3.0)] {
            let found = curve.evaluation_at_result(result).expect("a result");
            assert!((found - evaluation).abs() < 1e-12, "{result}: {found}");
        }
        // In the third sector the relevance falls by the same factor with each pawn: at 6 pawns it is r squared.
        assert!((curve.evaluation_at_result(1.0 - 0.045).expect("a result") - 6.0).abs() < 1e-12);
        assert_eq!([0.0, 1.0, -0.1, 1.1, f64::NAN].map(|result| curve.evaluation_at_result(result)), [None; 5]);
        assert_eq!((curve.expected(f64::INFINITY), curve.expected(f64::NEG_INFINITY)), (1.0, 0.0));
    }

    /// The article: it slips into the second sector for e+ < 0.978 with a result of 0.99 and for e+ < 0.0277 with 0.875.
    #[test]
    fn where_irrelevance_starts_in_unusual_sectors() {
        let sector =
            |e_plus, result, decimals| curve(0.005, e_plus, result).irrelevance_start(decimals).map(|(_, at)| at);
        assert_eq!((sector(0.9779, 0.99, 2), sector(0.9781, 0.99, 2)), (Some(Sector::Second), Some(Sector::Third)));
        assert_eq!((sector(0.0276, 0.875, 2), sector(0.0278, 0.875, 2)), (Some(Sector::Second), Some(Sector::Third)));
        let tiny = curve(0.0068, 0.0069, 0.9999);
        let (start, sector) = tiny.irrelevance_start(2).expect("there is one");
        assert_eq!(sector, Sector::First);
        assert!((by_quadrature(&tiny, start, far(&tiny)) - 0.005).abs() < 1e-15);
        assert_eq!(tiny.irrelevance_start(1), None);
    }

    #[test]
    fn bad_parameters_are_told_in_words() {
        let message = |e75, e_plus, result| Relevance::new(e75, e_plus, result).unwrap_err().to_string();
        assert!(message(f64::NAN, 3.0, 0.85).starts_with("e(=0.75) is NaN: expected a finite number"));
        assert!(message(2.0, f64::INFINITY, 0.85).starts_with("e(>0.75) is inf: expected a finite number"));
        for e75 in [0.0, -1.0] {
            assert!(message(e75, 3.0, 0.85).contains("expected more than 0"));
        }
        assert!(message(20.195_714, 15.16, 0.85).starts_with("e(>0.75) is 15.16 and e(=0.75) is 20.2: "));
        // Two digits would not tell these apart.
        assert!(message(2.004, 2.003, 0.85).starts_with("e(>0.75) is 2.003 and e(=0.75) is 2.004: "));
        for e_plus in [2.0, 1.0, -3.0] {
            assert!(message(2.0, e_plus, 0.85).contains("the larger of the two"));
        }
        assert!(message(9.569_999_999_999_999, 6.86, 0.85).contains("e(>0.75) is 6.86 and e(=0.75) is 9.57: "));
        assert!(message(5e-324, 1e-323, 0.85).contains("e(=0.75) is 5e-324: expected 0.000001 to 1,000,000 pawns"));
        assert!(message(1.0, 1e307, 0.85).contains("e(>0.75) is 1e307: expected 0.000001 to 1,000,000 pawns"));
        for result in [0.75, 0.5, 1.0, 1.1, -1.0] {
            assert!(message(2.0, 3.0, result).contains("expected more than 0.75 and less than 1"), "{result}");
        }
    }

    prop_compose! {
        pub(super) fn curves()(e75 in 0.05..5.0, more in 0.01..8.0, result in 0.7501..0.9999) -> Relevance {
            curve(e75, e75 + more, result)
        }
    }

    proptest! {
        #[test]
        fn integrals_are_those_by_quadrature(curve in curves(), a in -20.0..20.0, b in -20.0..20.0) {
            let (from, to) = if a < b { (a, b) } else { (b, a) };
            let naive = by_quadrature(&curve, from, to);
            prop_assert!((curve.integral(from, to) - naive).abs() < 1e-12);
            prop_assert_eq!(curve.integral(to, from), -curve.integral(from, to));
            prop_assert!((curve.antiderivative(b) - curve.antiderivative(a) - curve.integral(a, b)).abs() < 1e-12);
            let far = far(&curve);
            prop_assert!((curve.total_integral() - by_quadrature(&curve, -far, far)).abs() < 1e-12);
            prop_assert!((curve.integral_above(a) - by_quadrature(&curve, a, far.max(a))).abs() < 1e-12);
        }

        #[test]
        fn curves_meet_at_the_joints_and_are_symmetric(curve in curves(), x in 0.0..30.0) {
            for (joint, relevance) in [(curve.e75(), 0.5), (curve.e_plus(), curve.r())] {
                for near in [joint * (1.0 - 1e-13), joint, joint * (1.0 + 1e-13)] {
                    prop_assert!((curve.relevance(near) - relevance).abs() < 1e-9);
                    prop_assert!((curve.antiderivative(near) - curve.antiderivative(joint)).abs() < 1e-11);
                }
            }
            prop_assert_eq!(curve.relevance(x), curve.relevance(-x));
            prop_assert_eq!(curve.antiderivative(x), -curve.antiderivative(-x));
            prop_assert!((curve.expected(x) + curve.expected(-x) - 1.0).abs() < 1e-15);
            prop_assert!(curve.expected(x) <= curve.expected(x + 0.1));
        }

        #[test]
        fn inverses_lead_back(curve in curves(), x in -12.0..12.0) {
            let same = |found: Option<f64>, expected: f64| {
                let tolerance = 1e-9 / curve.relevance(x).min(1.0);
                found.is_some_and(|found| (found - expected).abs() < tolerance)
            };
            prop_assert!(same(curve.evaluation_at_relevance(curve.relevance(x)), x.abs()));
            // Far out the antiderivative is half the total in all digits.
            let near = curve.relevance(x) > 1e-4;
            prop_assert!(!near || same(curve.evaluation_at_integral(curve.antiderivative(x)), x));
            prop_assert!(same(curve.evaluation_with_integral_above(curve.integral_above(x.abs())), x.abs()));
            prop_assert!(!near || same(curve.evaluation_with_integral_above(curve.integral_above(-x.abs())), -x.abs()));
            // A result near 1 has lost what distinguishes large evaluations; near 0 it has not.
            prop_assert!(same(curve.evaluation_at_result(curve.expected(-x.abs())), -x.abs()));
        }
    }

    /// The corners of what is allowed: thresholds are finite and in order, and every share is one.
    #[test]
    fn extreme_parameters_have_thresholds() {
        for (e75, e_plus) in [(1e-6, 1.0001e-6), (1e-6, 1e6), (9.99e5, 1e6), (1.0, 1.0 + f64::EPSILON)] {
            for result in [0.75 + 1e-15, 0.85, 1.0 - 1e-15] {
                let curve = curve(e75, e_plus, result);
                for scheme in PositionScheme::ALL {
                    let thresholds = curve.position_thresholds(scheme);
                    assert!(thresholds.iter().all(|(_, at)| at.is_finite() && *at > 0.0), "{curve:?} {thresholds:?}");
                    assert!(thresholds.windows(2).all(|pair| pair[0].1 <= pair[1].1), "{curve:?} {thresholds:?}");
                }
                for (from, to) in [(f64::NEG_INFINITY, f64::INFINITY), (0.0, 1e300), (-1e-300, 1e-300)] {
                    let share = curve.integral(from, to) / curve.total_integral();
                    assert!((0.0..=1.0).contains(&share), "{curve:?} {from} {to} {share}");
                }
            }
        }
    }

    #[test]
    fn inverses_know_their_domains() {
        let curve = curve(1.5, 3.0, 0.875);
        let total = curve.total_integral();
        for relevance in [0.0, -0.1, 1.1, f64::NAN] {
            assert_eq!(curve.evaluation_at_relevance(relevance), None);
        }
        for result in [0.0, 1.0, -0.1, f64::NAN] {
            assert_eq!(curve.evaluation_at_result(result), None);
        }
        for area in [total / 2.0, -total / 2.0, f64::INFINITY, f64::NAN] {
            assert_eq!(curve.evaluation_at_integral(area), None);
        }
        for area in [0.0, total, -1.0, f64::NAN] {
            assert_eq!(curve.evaluation_with_integral_above(area), None);
        }
        assert_eq!(curve.integral(f64::NEG_INFINITY, f64::INFINITY), total);
        assert_eq!(curve.integral(f64::INFINITY, f64::INFINITY), 0.0);
    }

    /// Within each sector the article's antiderivatives give the same differences; across joints they do not.
    #[test]
    fn the_antiderivatives_of_the_article_differ_by_constants() {
        let curve = curve(2.0, 3.0, 0.85);
        let (e, plus, r) = (curve.e75(), curve.e_plus(), curve.r());
        let first = |x: f64| x - x * x.abs() / (4.0 * e);
        let second = |x: f64| -x * (4.0 * e * r - 2.0 * x.abs() * r - 2.0 * plus + x.abs()) / (4.0 * (plus - e));
        let third = |x: f64| plus * r.powf(x / plus) / r.ln();
        let third_negative = |x: f64| -plus / (r.powf(x / plus) * r.ln());
        let check = |antiderivative: &dyn Fn(f64) -> f64, from: f64, to: f64| {
            assert!((antiderivative(to) - antiderivative(from) - curve.integral(from, to)).abs() < 1e-14);
        };
        check(&first, -2.0, 1.7);
        check(&second, 2.0, 3.0);
        check(&second, -2.9, -2.1);
        check(&third, 3.0, 40.0);
        check(&third_negative, -40.0, -3.0);
        assert!((second(2.5) - first(1.0) - curve.integral(1.0, 2.5)).abs() > 0.1);
    }

    /// Black's evaluations weigh as much as White's, also far out, where little is left.
    #[test]
    fn both_sides_have_the_same_integral() {
        let curve = curve(0.5, 3.0, 0.85);
        assert!((curve.result() - 0.85).abs() < 1e-12);
        for (from, to) in [(0.1, 0.4), (0.3, 2.0), (2.0, 9.0), (12.0, 13.0), (20.0, 30.0)] {
            let (white, black) = (curve.integral(from, to), curve.integral(-to, -from));
            assert!(white > 0.0 && (white - black).abs() <= 1e-13 * white, "{from} {to}: {white} {black}");
        }
    }
}
