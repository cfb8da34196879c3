//! How the centipawns that engines show become internal units.

use std::fmt;
use std::str::FromStr;

use serde_json::{Value, json};
use thiserror::Error;

use drawish_stats::model::wdl::{Cubic, Mom};

/// How an engine's centipawns become internal units.
///
/// As text it is what scoreWDL.py takes: a pawn value, or JSON with `momType`, `momMin`, `momMax`, `momTarget` and `as`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Normalization {
    /// 100 centipawns are always this many.
    Static(f64),
    /// 100 centipawns are p_a(mom / target), mom within limits.
    Dynamic {
        /// What the conversion depends on.
        mom: Mom,
        /// Smaller values count as this one.
        min: f64,
        /// Larger values count as this one.
        max: f64,
        /// The anchor.
        target: f64,
        /// Coefficients of p_a from the highest.
        a: [f64; 4],
    },
}

/// Why a text is no normalization.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum NormalizationError {
    #[error("expected JSON: {0}")]
    Json(#[from] serde_json::Error),
    #[error("expected a number for {0:?}")]
    Number(&'static str),
    #[error("expected a list of four numbers for \"as\"")]
    Coefficients,
    #[error("expected \"move\" or \"material\" for \"momType\", found {0}")]
    Mom(Value),
    #[error("expected momMin <= momMax and momTarget > 0")]
    Limits,
    #[error("expected a pawn value above 0, found {0}")]
    PawnValue(f64),
}

impl Normalization {
    /// The conversion that scoreWDL.py takes when it is told nothing: Stockfish's of 2025.
    pub const DEFAULT: Normalization = Normalization::Dynamic {
        mom: Mom::Material,
        min: 17.0,
        max: 78.0,
        target: 58.0,
        a: [-72.325_658_36, 185.938_320_38, -144.588_621_93, 416.449_504_46],
    };

    /// Internal units of a pawn at the anchor, a whole number.
    #[must_use]
    pub fn pawn_value(&self) -> f64 {
        match self {
            Normalization::Static(value) => *value,
            Normalization::Dynamic { a, .. } => (Cubic(*a).sum() + 0.5).trunc(),
        }
    }

    /// Internal units of 100 centipawns at a material count or move.
    #[must_use]
    pub fn pawn_at(&self, at: f64) -> f64 {
        match self {
            Normalization::Static(value) => *value,
            Normalization::Dynamic { min, max, target, a, .. } => Cubic(*a).at(at.clamp(*min, *max) / target),
        }
    }

    /// The internal evaluation of a number of centipawns that an engine has shown.
    #[must_use]
    pub fn internal(&self, centipawns: f64, move_number: u8, material: u8) -> f64 {
        let at = match self {
            Normalization::Dynamic { mom: Mom::Move, .. } => move_number,
            Normalization::Dynamic { mom: Mom::Material, .. } | Normalization::Static(_) => material,
        };
        (centipawns * self.pawn_at(f64::from(at)) / 100.0).round_ties_even()
    }
}

impl fmt::Display for Normalization {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Normalization::Static(value) => write!(f, "NormalizeToPawnValue = {value}"),
            Normalization::Dynamic { mom, min, max, target, a } => {
                let data =
                    json!({ "momType": mom.to_string(), "momMin": min, "momMax": max, "momTarget": target, "as": a });
                write!(f, "NormalizeData = {data}")
            }
        }
    }
}

impl FromStr for Normalization {
    type Err = NormalizationError;

    fn from_str(text: &str) -> Result<Normalization, NormalizationError> {
        let value: Value = serde_json::from_str(text)?;
        if let Some(pawn) = value.as_f64() {
            return if pawn > 0.0 { Ok(Normalization::Static(pawn)) } else { Err(NormalizationError::PawnValue(pawn)) };
        }
        // scoreWDL.py takes numbers in quotes, too.
        let to_number = |value: &Value| value.as_f64().or_else(|| value.as_str()?.parse().ok());
        let number = |name: &'static str| to_number(&value[name]).ok_or(NormalizationError::Number(name));
        let list = value["as"].as_array().ok_or(NormalizationError::Coefficients)?;
        let list: Vec<f64> = list.iter().filter_map(to_number).collect();
        let a = <[f64; 4]>::try_from(list).map_err(|_| NormalizationError::Coefficients)?;
        let mom = match value.get("momType") {
            None => Mom::Material,
            Some(mom) => mom.as_str().and_then(Mom::of_name).ok_or_else(|| NormalizationError::Mom(mom.clone()))?,
        };
        let (min, max, target) = (number("momMin")?, number("momMax")?, number("momTarget")?);
        if min > max || target <= 0.0 || [min, max, target].iter().any(|limit| limit.is_nan()) {
            return Err(NormalizationError::Limits);
        }
        Ok(Normalization::Dynamic { mom, min, max, target, a })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_go_to_the_even_number_as_in_scorewdl() {
        let half = Normalization::Static(50.0);
        let internal = [1.0, 3.0, 5.0, -1.0, -3.0].map(|centipawns| half.internal(centipawns, 1, 78));
        assert_eq!(internal, [0.0, 2.0, 2.0, 0.0, -2.0]);
        let table = Normalization::DEFAULT;
        assert_eq!(
            (table.pawn_value(), table.internal(100.0, 1, 58), table.internal(100.0, 1, 17)),
            (385.0, 385.0, 388.0)
        );
        // Beyond the limits the last value holds.
        assert_eq!(table.internal(100.0, 1, 5), table.internal(100.0, 1, 17));
    }

    #[test]
    fn texts_are_those_of_scorewdl() {
        let shown = Normalization::DEFAULT.to_string();
        let data = shown.strip_prefix("NormalizeData = ").expect("a name");
        assert_eq!(data.parse::<Normalization>().expect("JSON"), Normalization::DEFAULT);
        assert_eq!("328".parse::<Normalization>().expect("a number"), Normalization::Static(328.0));
        let data = r#"{"momMin": "8", "momMax": "120", "momTarget": "32", "momType": "move", "as": [1, "2", 3, 4]}"#;
        let Normalization::Dynamic { mom, a, .. } = data.parse().expect("JSON") else { panic!("it has coefficients") };
        assert_eq!((mom, a), (Mom::Move, [1.0, 2.0, 3.0, 4.0]));
        for (text, said) in [
            ("x", "expected JSON"),
            ("{}", "\"as\""),
            ("-1", "above 0"),
            (r#"{"as": [1, 2, 3]}"#, "four numbers"),
            (r#"{"as": [1, 2, 3, 4]}"#, "\"momMin\""),
            (r#"{"as": [1, 2, 3, 4], "momType": "phase"}"#, "found \"phase\""),
            (r#"{"as": [1, 2, 3, 4], "momMin": 9, "momMax": 8, "momTarget": 1}"#, "momMin <= momMax"),
        ] {
            let error = text.parse::<Normalization>().expect_err(text).to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
