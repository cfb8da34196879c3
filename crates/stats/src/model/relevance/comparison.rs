//! Two moves of one position compared: what the article's interactive form answers.

use thiserror::Error;

use super::{Relevance, Side};

/// What the better and the worse of two moves are worth.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Comparison {
    /// The distance of the evaluations in pawns, 0 or more; infinite if just one of them is.
    pub absolute_difference: f64,
    /// The integral of the relevance between them in pawns, 0 or more.
    pub relevant_difference: f64,
    /// How much of what was there the worse move keeps: for White the integral from minus infinity to the worse
    /// evaluation over that to the better one, for Black from plus infinity. From 0 to 1; `None` if there was nothing
    /// to lose, at a mate against the side that moves.
    pub optimum_rate: Option<f64>,
    /// The expected results after the better move.
    pub high: Expected,
    /// The expected results after the worse move.
    pub low: Expected,
}

/// Expected results of one position in points; they add up to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Expected {
    /// White's.
    pub white: f64,
    /// Black's.
    pub black: f64,
}

/// The evaluation that should be worse is better.
#[derive(Clone, Copy, PartialEq, Debug, Error)]
#[error(
    "the high evaluation is {high} and the low one {low}, both seen from White: for a move of {side} the low one must not be the {better} one; swap them, or name the other side"
)]
pub struct OrderError {
    high: f64,
    low: f64,
    side: &'static str,
    better: &'static str,
}

impl Relevance {
    /// Compares two evaluations in pawns, both from White's view, of moves that `side` may choose from.
    ///
    /// # Errors
    ///
    /// If `low` is better than `high` for that side: larger for White, smaller for Black.
    pub fn compare(&self, high: f64, low: f64, side: Side) -> Result<Comparison, OrderError> {
        let (sign, name, better) = match side {
            Side::White => (1.0, "White", "larger"),
            Side::Black => (-1.0, "Black", "smaller"),
        };
        // From the view of the side that moves, White's view and Black's are the same.
        let (own_high, own_low) = (sign * high, sign * low);
        if own_low > own_high {
            return Err(OrderError { high, low, side: name, better });
        }
        let expected =
            |evaluation: f64| Expected { white: self.expected(evaluation), black: self.expected(-evaluation) };
        let below = |evaluation: f64| self.integral_above(-evaluation);
        let whole = below(own_high);
        Ok(Comparison {
            absolute_difference: if own_high == own_low { 0.0 } else { own_high - own_low },
            relevant_difference: self.integral(own_low, own_high),
            optimum_rate: (whole > 0.0).then(|| below(own_low) / whole),
            high: expected(high),
            low: expected(low),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{by_quadrature, curve, curves, far};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_form_of_the_article() {
        let curve = curve(2.0, 3.0, 0.85);
        let white = curve.compare(15.0, 0.0, Side::White).expect("in order");
        assert_eq!(white.absolute_difference, 15.0);
        assert_eq!(format!("{:.2}", white.relevant_difference), "2.64");
        assert_eq!((white.low.white, white.low.black), (0.5, 0.5));
        let black = curve.compare(-15.0, 0.0, Side::Black).expect("in order");
        assert_eq!(black.relevant_difference, white.relevant_difference);
        assert_eq!(black.optimum_rate, white.optimum_rate);
        assert_eq!((black.high.white, black.high.black), (white.high.black, white.high.white));
        let equal = curve.compare(0.3, 0.3, Side::Black).expect("in order");
        assert_eq!((equal.absolute_difference, equal.relevant_difference, equal.optimum_rate), (0.0, 0.0, Some(1.0)));
    }

    #[test]
    fn mates_are_infinite_evaluations() {
        let curve = curve(2.0, 3.0, 0.85);
        let mate = f64::INFINITY;
        let missed = curve.compare(mate, 0.0, Side::White).expect("in order");
        assert_eq!(missed.absolute_difference, mate);
        assert_eq!(missed.relevant_difference, curve.total_integral() / 2.0);
        assert_eq!((missed.optimum_rate, missed.high.white), (Some(0.5), 1.0));
        let lost = curve.compare(-mate, -mate, Side::White).expect("in order");
        assert_eq!((lost.absolute_difference, lost.relevant_difference, lost.optimum_rate), (0.0, 0.0, None));
    }

    #[test]
    fn the_low_evaluation_must_be_the_worse_one() {
        let curve = curve(2.0, 3.0, 0.85);
        let message = |high, low, side| curve.compare(high, low, side).unwrap_err().to_string();
        assert!(message(0.0, 1.0, Side::White).contains("for a move of White the low one must not be the larger one"));
        assert!(message(1.0, 0.0, Side::Black).contains("for a move of Black the low one must not be the smaller one"));
    }

    proptest! {
        #[test]
        fn the_optimum_rate_is_that_by_quadrature(curve in curves(), a in -3.0..3.0, b in -3.0..3.0) {
            let (a, b) = (a * curve.e_plus(), b * curve.e_plus());
            let (low, high) = if a < b { (a, b) } else { (b, a) };
            let far = far(&curve);
            let white = curve.compare(high, low, Side::White).expect("in order").optimum_rate.expect("a rate");
            prop_assert!((white - by_quadrature(&curve, -far, low) / by_quadrature(&curve, -far, high)).abs() < 1e-9);
            let black = curve.compare(low, high, Side::Black).expect("in order").optimum_rate.expect("a rate");
            prop_assert!((black - by_quadrature(&curve, high, far) / by_quadrature(&curve, low, far)).abs() < 1e-9);
        }
    }
}
