//! Heads as files: fitted weights with their errors, where they come from, and their quantised form.

use std::ops::RangeInclusive;

use drawish_core::{Scheme, StructureIndex, Wdl};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::sketch::GameSketch;
use super::spec::Spec;
use super::terms::{Input, Term, TermError};
use drawish_artefact::Kind;
use drawish_artefact::provenance::InputRecord;

/// The version of head files.
pub const VERSION: u32 = 1;

/// What `tune` makes: the draw head, the gain head, and where they come from.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct HeadsFile {
    /// Always `heads`.
    pub format: String,
    /// [`VERSION`].
    pub version: u32,
    /// The program that made it.
    pub made_by: String,
    /// Rows that the heads were fitted to.
    pub rows: usize,
    /// Events among them.
    pub events: usize,
    /// Results of the rows, White's; in the file an array of White wins, draws, Black wins.
    #[serde(with = "wdl_array")]
    pub results: Wdl,
    /// The rule by which positions were sampled, of each row file.
    pub rules: Vec<String>,
    /// What was said at the fit, to know before trusting the heads, a line each; files of earlier builds have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// By which the games of the rows are known in other files; nothing in files of earlier builds.
    #[serde(default, skip_serializing_if = "GameSketch::is_empty")]
    pub sketch: GameSketch,
    /// The games.
    pub inputs: Vec<InputRecord>,
    /// The draw head: D = sigmoid(v - kappa ln(2 cosh(w/2))), Wp = sigmoid(w).
    pub draw: Head,
    /// The gain head: P = sigmoid(e^v w).
    pub gain: Head,
}

/// Wins, draws and losses as an array in this order: what files have kept from the beginning.
pub mod wdl_array {
    use drawish_core::Wdl;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    /// Writes `[wins, draws, losses]`.
    ///
    /// # Errors
    ///
    /// Those of the serializer.
    pub fn serialize<S: Serializer>(wdl: &Wdl, serializer: S) -> Result<S::Ok, S::Error> {
        <[u64; 3]>::from(*wdl).serialize(serializer)
    }

    /// Reads it back.
    ///
    /// # Errors
    ///
    /// If there are not three counts.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Wdl, D::Error> {
        <[u64; 3]>::deserialize(deserializer).map(Wdl::from)
    }
}

/// One head: the terms of its two scores with their weights.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Head {
    /// kappa of the draw head.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kappa: Option<f64>,
    /// Standard error of kappa.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kappa_error: Option<f64>,
    /// Constant of the draw score; none of the gain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub constant: Option<f64>,
    /// Its standard error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub constant_error: Option<f64>,
    /// Mean loss of a row in bits, on the rows of the fit.
    pub loss: f64,
    /// Mean loss with the score's weights quantised.
    pub quantised_loss: f64,
    /// The weights of the score are quantised to 1 / 2^shift logit.
    pub shift: u32,
    /// The win/loss score w, on the logit scale.
    pub win: Vec<Weighted>,
    /// The draw score or the logarithm of the gain, v.
    pub score: Vec<Weighted>,
    /// What each structure adds. `tune` gives one to the gain head only: `.heads` files and engines have no place for one of the draw
    /// head, which older files may hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub residual: Option<CellShifts>,
}

/// A term with its weights.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Weighted {
    /// The term as text.
    pub term: String,
    /// Its weights: one for a feature, one for each band or pair of bands.
    pub weights: Vec<f64>,
    /// Their standard errors, robust to dependence within events and among games that begin alike; empty if there were too few events, 0 for a weight that has none
    /// because it varies in too few of them.
    pub errors: Vec<f64>,
}

/// A shift for each cell of a scheme.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CellShifts {
    /// The scheme.
    pub scheme: String,
    /// Variance of the prior.
    pub variance: f64,
    /// In 1/64 logit.
    pub shifts: Vec<i8>,
}

/// Why a text is no heads file.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum HeadError {
    #[error("not a heads file: {0}; make one by `drawish tune` or `drawish wdl head`, ending in .toml")]
    Text(String),
    #[error("expected {expected}; found {found}")]
    Elsewhere { expected: &'static str, found: &'static str },
    #[error("heads of version {0}, this program reads version {VERSION}; make them again by `drawish tune`")]
    Version(u32),
    #[error("{0}")]
    Term(#[from] TermError),
    #[error("the term {term:?} has {expected} weights, found {found}; make the heads again by `drawish tune`")]
    Weights { term: String, expected: usize, found: usize },
    #[error(
        "a weight of {term:?} is {weight}, expected a number within ±{most}; make the heads again by `drawish tune`"
    )]
    Weight { term: String, weight: f64, most: f64 },
    #[error("the term {0:?} reads what a position on the board does not have; tune without it")]
    NotOnTheBoard(String),
    #[error("what structures add is for the scheme {scheme:?} with {found} cells, which this program does not have")]
    Cells { scheme: String, found: usize },
    #[error(
        "{0:?} has a band that begins beyond ±16,382, or more bands than a file for engines holds; tune without it"
    )]
    Starts(String),
    #[error(transparent)]
    Binary(#[from] drawish_core::HeadsError),
    #[error(
        "the term {0:?} does not belong there: threshold and slope take even terms, the shift odd features as they are"
    )]
    Parity(String),
    #[error("the line of a WDL head: expected {0}; make the head again by `drawish tune`")]
    Line(&'static str),
    #[error("it contradicts itself: {0}; make the heads again by `drawish tune`")]
    Contradiction(String),
    #[error("{name} is {value}, expected {expected}; make the heads again by `drawish tune`")]
    Range { name: &'static str, value: f64, expected: &'static str },
}

impl HeadError {
    /// What is wrong with a text that should be of this kind: that it is of another, or what its reader says.
    pub(super) fn of_text(text: &str, expected: Kind, message: &str) -> HeadError {
        match Kind::of(text.as_bytes()) {
            Some(kind) if kind != expected => {
                let expected = match expected {
                    Kind::WdlHead => {
                        "the text of a WDL head, a .toml with format = \"wdl-head\" that `drawish wdl head` writes"
                    }
                    _ => "the text of a draw head and a gain head, a .toml that `drawish tune` writes",
                };
                HeadError::Elsewhere { expected, found: kind.uses() }
            }
            _ if text.trim().is_empty() => HeadError::Text("it is empty".to_owned()),
            _ => HeadError::Text(message.to_owned()),
        }
    }
}

impl HeadsFile {
    /// Reads a heads file.
    ///
    /// # Errors
    ///
    /// If it is none, or of another version, or its terms and weights do not fit together.
    pub fn from_toml(text: &str) -> Result<HeadsFile, HeadError> {
        #[derive(Deserialize)]
        struct Header {
            format: String,
            version: u32,
        }
        let foreign = |error: toml::de::Error| HeadError::of_text(text, Kind::Heads, error.message());
        let header: Header = toml::from_str(text).map_err(foreign)?;
        if header.format != "heads" {
            return Err(HeadError::of_text(text, Kind::Heads, &format!("its format is {:?}", header.format)));
        }
        if header.version != VERSION {
            return Err(HeadError::Version(header.version));
        }
        let file: HeadsFile = toml::from_str(text).map_err(foreign)?;
        file.draw.model()?;
        file.gain.model()?;
        file.check()?;
        Ok(file)
    }

    /// The file as text.
    ///
    /// # Errors
    ///
    /// Those of the TOML writer.
    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        toml::to_string(self)
    }
}

impl Head {
    /// The terms with their weights, in the order of [`Spec::names`].
    ///
    /// # Errors
    ///
    /// If the terms are none, or have other numbers of weights, or a number is beyond what an engine computes with.
    pub fn model(&self) -> Result<(Spec, Vec<f64>), HeadError> {
        let within = |name, value: f64, range: RangeInclusive<f64>, expected| {
            if range.contains(&value) { Ok(()) } else { Err(HeadError::Range { name, value, expected }) }
        };
        within("shift", f64::from(self.shift), 8.0..=15.0, "8 to 15")?;
        within("kappa", self.kappa.unwrap_or(0.0), 0.0..=255.0, "0 to 255")?;
        within("constant", self.constant.unwrap_or(0.0), -MOST_LOGIT..=MOST_LOGIT, "a number within ±128")?;
        let mut weights = Vec::new();
        let terms = |list: &[Weighted], weights: &mut Vec<f64>| -> Result<Vec<Term>, HeadError> {
            list.iter()
                .map(|weighted| {
                    let term: Term = weighted.term.parse()?;
                    if term.weights() != weighted.weights.len() {
                        return Err(HeadError::Weights {
                            term: weighted.term.clone(),
                            expected: term.weights(),
                            found: weighted.weights.len(),
                        });
                    }
                    if let Some(&weight) =
                        weighted.weights.iter().find(|weight| weight.is_nan() || weight.abs() > MOST_LOGIT)
                    {
                        return Err(HeadError::Weight { term: weighted.term.clone(), weight, most: MOST_LOGIT });
                    }
                    weights.extend(&weighted.weights);
                    Ok(term)
                })
                .collect()
        };
        let win = terms(&self.win, &mut weights)?;
        weights.extend(self.constant);
        let draw = terms(&self.score, &mut weights)?;
        let spec = Spec { win, draw, constant: self.constant.is_some() };
        Ok((spec, weights))
    }

    /// The score of a position, the drawScore v or the logarithm of the gain, in logits: the constant and all terms of
    /// [`score`](Self::score). The [`residual`](Self::residual) is not in it.
    ///
    /// `values` are those that [`features::fill`](crate::features::fill) gives. The terms are read from their texts each time:
    /// this is the definition, engines have faster ways.
    ///
    /// # Errors
    ///
    /// Those of [`model`](Self::model), and [`HeadError::NotOnTheBoard`] if a term reads the game rather than the position.
    pub fn score_of(&self, values: &[i16]) -> Result<f64, HeadError> {
        let (spec, weights) = self.model()?;
        let mut own = &weights[spec.win_weights() + usize::from(spec.constant)..];
        let mut sum = self.constant.unwrap_or(0.0);
        for term in &spec.draw {
            if term.inputs().any(|input| !matches!(input, Input::Feature(_))) {
                return Err(HeadError::NotOnTheBoard(term.to_string()));
            }
            let (weight, times) =
                term.of_row(|input| if let Input::Feature(place) = input { values[place] } else { 0 });
            sum += own[weight] * f64::from(times);
            own = &own[term.weights()..];
        }
        Ok(sum)
    }

    /// The same head with the weights of its score as an engine holds them: whole multiples of 1 / 2^shift. The win/loss score
    /// stays: an engine has its own.
    #[must_use]
    pub fn quantised(&self) -> Head {
        let unit = f64::from(1_u32 << self.shift);
        let round = |list: &[Weighted]| {
            let of = |weighted: &Weighted| Weighted {
                weights: weighted.weights.iter().map(|weight| (weight * unit).round() / unit).collect(),
                ..weighted.clone()
            };
            list.iter().map(of).collect()
        };
        Head {
            constant: self.constant.map(|constant| (constant * unit).round() / unit),
            score: round(&self.score),
            ..self.clone()
        }
    }

    /// A weight as a whole number of 1 / 2^shift.
    #[must_use]
    #[cfg_attr(
        not(test),
        expect(clippy::cast_possible_truncation, reason = "`as` saturates, and weights of a head have a range")
    )]
    pub fn whole(&self, weight: f64) -> i32 {
        (weight * f64::from(1_u32 << self.shift)).round() as i32
    }
}

impl CellShifts {
    /// Shifts of the draw score or the logarithm of the gain (logit), one for each cell, in the units of an engine.
    #[must_use]
    pub fn new(scheme: Scheme, variance: f64, shifts: &[f64]) -> CellShifts {
        #[cfg_attr(not(test), expect(clippy::cast_possible_truncation, reason = "whole and within the range"))]
        let whole = |shift: &f64| (64.0 * shift).round().clamp(-127.0, 127.0) as i8;
        CellShifts { scheme: scheme.name().to_owned(), variance, shifts: shifts.iter().map(whole).collect() }
    }

    /// The scheme.
    ///
    /// # Errors
    ///
    /// [`HeadError::Cells`] if this program does not have it, or it has another number of cells.
    pub fn scheme(&self) -> Result<Scheme, HeadError> {
        let scheme = Scheme::from_name(&self.scheme).filter(|scheme| scheme.cells() as usize == self.shifts.len());
        scheme.ok_or_else(|| HeadError::Cells { scheme: self.scheme.clone(), found: self.shifts.len() })
    }

    /// The scheme and the shift of each of its cells in logits, as engines apply them: the mean of a structure's shift and that with
    /// the colours exchanged.
    ///
    /// # Errors
    ///
    /// Those of [`scheme`](Self::scheme).
    pub fn logits(&self) -> Result<(Scheme, Vec<f64>), HeadError> {
        let scheme = self.scheme()?;
        let of = |cell: StructureIndex| f64::from(self.shifts[cell.0 as usize]);
        let cells = (0..scheme.cells()).map(StructureIndex);
        Ok((scheme, cells.map(|cell| (of(cell) + of(scheme.flip_colors(cell))) / 128.0).collect()))
    }
}

/// Weights are kept in 16 bits, in units of 1/2^8 logit at the coarsest.
const MOST_LOGIT: f64 = 128.0;

/// The shift of a head: the finest unit in which all weights fit 16 bits, 1/2^8 to 1/2^15 logit.
pub fn shift_for(weights: &[f64]) -> u32 {
    let largest = weights.iter().fold(0.0_f64, |largest, weight| largest.max(weight.abs()));
    (8..=15).rev().find(|&shift| largest * f64::from(1_u32 << shift) < 32_767.0).unwrap_or(8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_no_engine_computes_with_are_refused() {
        let text = drawish_tables::POOLED_HEADS_TEXT;
        assert!(HeadsFile::from_toml(text).is_ok());
        let with = |name: &str, value: &str| {
            let line = text.lines().find(|line| line.starts_with(&format!("{name} = "))).expect("a line");
            HeadsFile::from_toml(&text.replacen(line, &format!("{name} = {value}"), 1))
        };
        for (name, value) in [("shift", "3"), ("shift", "40"), ("kappa", "nan"), ("kappa", "-3.0"), ("constant", "inf")]
        {
            let error = with(name, value).expect_err(value).to_string();
            assert!(error.starts_with(&format!("{name} is ")) && error.contains("drawish tune"), "{error}");
        }
        let error = with("weights", "[1e9]").expect_err("a weight").to_string();
        assert!(error.contains("weight"), "{error}");
    }
}
