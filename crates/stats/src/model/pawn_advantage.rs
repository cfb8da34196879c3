//! The sigmoid of S. Fischer and P. Kannan ("Pawn Advantage, Win Percentage, and Elo", Chess Programming Wiki), with one
//! parameter: W = 1 / (1 + 10^(-P / K)).
//!
//! W is called a win probability there, but it is 1/2 for P = 0 and counts draws as half a win: an expected score.

/// The K of the source, from 405,460 games, in pawns: four pawns are odds of ten to one.
pub const K: f64 = 4.0;

/// The expected score, between 0 and 1, of an advantage in pawns; `k` > 0 pawns.
#[must_use]
pub fn expected_score(pawns: f64, k: f64) -> f64 {
    1.0 / (1.0 + 10.0_f64.powf(-pawns / k))
}

/// The advantage in pawns with this expected score, P = K log10(W / (1 - W)); `None` unless it is above 0 and below 1.
#[must_use]
pub fn pawns(expected_score: f64, k: f64) -> Option<f64> {
    (expected_score > 0.0 && expected_score < 1.0).then(|| k * (expected_score / (1.0 - expected_score)).log10())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// konrod.info: with K = 4 a result of 0.75 is an evaluation of 1.91.
    #[test]
    fn figures() {
        assert_eq!(format!("{:.2}", pawns(0.75, K).expect("a score")), "1.91");
        assert_eq!((expected_score(0.0, K), expected_score(4.0, K)), (0.5, 10.0 / 11.0));
        assert!((expected_score(-1.3, 2.0) + expected_score(1.3, 2.0) - 1.0).abs() < 1e-15);
        assert_eq!((pawns(0.0, K), pawns(1.0, K), pawns(f64::NAN, K)), (None, None, None));
        assert!((pawns(expected_score(2.5, 3.0), 3.0).expect("a score") - 2.5).abs() < 1e-12);
    }
}
