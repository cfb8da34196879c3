//! Numbers within limits.

/// Evaluations beyond it mean nothing.
const GREATEST_EVAL: f64 = 1e6;

/// An evaluation in an engine's units or centipawns.
pub(in crate::cli) fn evaluation(text: &str) -> Result<f64, String> {
    let value: Option<f64> = text.parse().ok().filter(|value: &f64| value.abs() <= GREATEST_EVAL);
    value.ok_or_else(|| format!("expected a number from -{GREATEST_EVAL} to {GREATEST_EVAL}"))
}

/// Fractions below it are pawns that somebody takes for centipawns.
const LIKE_PAWNS: f64 = 10.0;

/// An evaluation in centipawns.
pub(in crate::cli) fn centipawns(text: &str) -> Result<f64, String> {
    let value = evaluation(text)?;
    if value.abs() < LIKE_PAWNS && value.fract() != 0.0 {
        return Err(format!("this looks like pawns; expected centipawns, {:.0} for {value} pawns", 100.0 * value));
    }
    Ok(value)
}

/// A number above 0.
pub(in crate::cli) fn positive(text: &str) -> Result<f64, String> {
    let value = text.parse().ok().filter(|value: &f64| *value > 0.0 && value.is_finite());
    value.ok_or_else(|| "expected a number above 0".to_owned())
}

/// A number of at least 0.
#[cfg_attr(not(feature = "download"), expect(dead_code, reason = "only downloads need it"))]
pub(in crate::cli) fn not_negative(text: &str) -> Result<f64, String> {
    let value = text.parse().ok().filter(|value| (0.0..=1e9).contains(value));
    value.ok_or_else(|| "expected a number of at least 0".to_owned())
}
