//! Evaluations as people write them, and as tables show them.

use thiserror::Error;

/// A text that is no evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("expected pawns from White's view like 1.25 or -0.3, or a mate like M5, -M3 or #-3")]
pub struct EvaluationError;

/// Reads an evaluation in pawns, or a mate, which is infinite: `1.25`, `-0.3`, `M5`, `-M3`, `#-3`.
///
/// # Errors
///
/// If it is neither.
pub fn parse_evaluation(text: &str) -> Result<f64, EvaluationError> {
    let (sign, rest) = match text.as_bytes() {
        [b'-', ..] => (-1.0, &text[1..]),
        [b'+', ..] => (1.0, &text[1..]),
        _ => (1.0, text),
    };
    if let Some(moves) = rest.strip_prefix(['M', '#']) {
        let (sign, moves) = moves.strip_prefix('-').map_or((sign, moves), |moves| (-sign, moves));
        if !moves.is_empty() && moves.bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok(sign * f64::INFINITY);
        }
    }
    text.parse().ok().filter(|pawns: &f64| pawns.is_finite()).ok_or(EvaluationError)
}

/// An evaluation with fixed decimals, and a word for mates; no minus before a zero.
#[must_use]
pub fn evaluation_text(evaluation: f64, decimals: u8) -> String {
    match evaluation {
        f64::INFINITY => "mate".to_owned(),
        f64::NEG_INFINITY => "-mate".to_owned(),
        _ => {
            let text = format!("{evaluation:.*}", usize::from(decimals));
            let is_zero = text.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.'));
            if is_zero { text.trim_start_matches('-').to_owned() } else { text }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations_as_people_write_them() {
        let infinity = f64::INFINITY;
        for (text, expected) in [
            ("1.25", 1.25),
            ("-0.3", -0.3),
            ("+2", 2.0),
            ("M5", infinity),
            ("+M5", infinity),
            ("-M3", -infinity),
            ("#4", infinity),
            ("#-3", -infinity),
        ] {
            assert_eq!(parse_evaluation(text), Ok(expected), "{text}");
        }
        for text in ["", "-", "M", "#-", "Mx", "inf", "nan", "1,5", "mate", "1.5e400"] {
            assert_eq!(parse_evaluation(text), Err(EvaluationError), "{text}");
        }
    }

    #[test]
    fn evaluations_in_tables() {
        assert_eq!((evaluation_text(-0.004, 2).as_str(), evaluation_text(-0.006, 2).as_str()), ("0.00", "-0.01"));
        let mates = [f64::INFINITY, f64::NEG_INFINITY].map(|mate| evaluation_text(mate, 2));
        assert_eq!(mates, ["mate", "-mate"]);
    }
}
