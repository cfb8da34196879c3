//! Expected score by advantage in material (S. Fischer and P. Kannan, 2007, as cited on the Chess Programming Wiki's page
//! on the pawn advantage).
//!
//! ```text
//! W = 1 / (1 + 10^(-P / K))
//! ```
//!
//! P is the advantage in pawns, W the expected score (win 1, draw ½) and K = 4 in the original. Assumed is that material
//! has been settled: the configuration is taken when five half-moves have passed without a capture.

/// K of the original, in pawns.
pub const K: f64 = 4.0;

/// Expected score of the side with the advantage `pawns`, for a scale `k` above 0 in pawns; from 0 to 1.
#[must_use]
pub fn expected_score(pawns: f64, k: f64) -> f64 {
    super::wdl::logistic(pawns / k * std::f64::consts::LN_10)
}

/// The advantage in pawns with an expected score: K log10(w / (1 - w)). `None` outside of 0 to 1.
#[must_use]
pub fn advantage(score: f64, k: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| k * (score / (1.0 - score)).log10())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_by_the_scale_of_the_original() {
        // In whole percents, by hand: 1 / (1 + 10^(-P/4)).
        for (pawns, percent) in [(0.0, 50.0), (1.0, 64.0), (2.0, 76.0), (3.0, 85.0), (4.0, 91.0)] {
            let score = 100.0 * expected_score(pawns, K);
            assert!((score - percent).abs() < 0.5, "{pawns}: {score}");
            assert!((expected_score(-pawns, K) + expected_score(pawns, K) - 1.0).abs() < 1e-15);
            let back = advantage(expected_score(pawns, 3.3), 3.3).expect("a score");
            assert!((back - pawns).abs() < 1e-12);
        }
        assert_eq!(advantage(1.0, K), None);
    }
}
