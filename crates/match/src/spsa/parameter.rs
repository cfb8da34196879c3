//! Parameters: numbers of an engine, as OpenBench writes them, a line each.

// What a file holds must not wrap.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

use std::collections::HashSet;

use drawish_artefact::entries;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What a gain may be.
const GAINS: std::ops::RangeInclusive<f64> = 1e-9..=1e9;

/// Decimals of a float, and of one with the least gain: its quarter, the shortest step, is seen in them.
const DECIMALS: usize = 6;
const MOST_DECIMALS: u8 = 11;

/// So many times the distance of neighbouring numbers is seen by a quarter of it to either side.
const SEEN: f64 = 16.0;

/// The largest value of a parameter.
const FARTHEST: f64 = 1e30;

/// A number of an engine that games are to tune.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Parameter {
    /// The name: of a UCI option, or of a number of an arm.
    pub name: String,
    /// Which values it takes.
    pub kind: Kind,
    /// Where tuning begins.
    pub value: f64,
    /// The least value that is played.
    pub min: f64,
    /// The greatest value that is played.
    pub max: f64,
    /// By how much it is changed to either side in the last step.
    pub c_end: f64,
    /// The learning rate of the last step: a game that one side won moves the value by `r_end * c_end`.
    pub r_end: f64,
}

/// Which values a parameter takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Whole numbers.
    Int,
    /// Any number.
    Float,
}

/// What is wrong with a line of parameters.
#[derive(Clone, PartialEq, Debug, Error)]
#[error("line {line}: {what}")]
pub struct ParameterError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub what: Objection,
}

/// What is wrong with a parameter.
#[derive(Clone, PartialEq, Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
#[non_exhaustive]
pub enum Objection {
    #[error("expected 7 fields, name, int or float, value, min, max, c_end, r_end, with commas between; found {0}")]
    Fields(usize),
    #[error("expected int or float as the second field, found {0:?}")]
    Kind(String),
    #[error("{field} is {found:?}, expected a number")]
    Number { field: &'static str, found: String },
    #[error("{field} of an int is {found}, expected a whole number")]
    Whole { field: &'static str, found: f64 },
    #[error("a parameter needs a name without line breaks")]
    Name,
    #[error("{field} is {found:?}, expected a number from -1e30 to 1e30")]
    Far { field: &'static str, found: f64 },
    #[error("min {min} is not below max {max}")]
    Bounds { min: f64, max: f64 },
    #[error("the value {value} is not from {min} to {max}")]
    Outside { value: f64, min: f64, max: f64 },
    #[error("{field} is {found:?}, expected a number above 0, from 1e-9 to 1e9")]
    Gain { field: &'static str, found: f64 },
    #[error(
        "c_end {c_end} is more than half of the way from min {min} to max {max}: both sides would play the bounds; expected less"
    )]
    Wide { c_end: f64, min: f64, max: f64 },
    #[error(
        "c_end {c_end} is too small beside values up to {farthest}: both sides would play the same number; expected at least {least:e}"
    )]
    Unseen { c_end: f64, farthest: f64, least: f64 },
    #[error("{0:?} has a line already")]
    Twice(String),
    #[error("expected at least one parameter: name, int or float, value, min, max, c_end, r_end")]
    None,
}

impl Parameter {
    /// Reads parameters, a line each: `name, int, value, min, max, c_end, r_end`. Blank lines and what follows a `#` are skipped.
    ///
    /// ```
    /// use drawish_match::spsa::Parameter;
    ///
    /// let read = Parameter::read("# margins\nRazorMargin, int, 220, 50, 400, 20, 0.002\n")?;
    /// assert_eq!((read[0].name.as_str(), read[0].c_end), ("RazorMargin", 20.0));
    /// assert!(Parameter::read("RazorMargin, int, 220, 400, 50, 20, 0.002").is_err());
    /// # Ok::<(), drawish_match::spsa::ParameterError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The first line that is none of a parameter, or if there is no parameter at all.
    pub fn read(text: &str) -> Result<Vec<Parameter>, ParameterError> {
        let mut parameters: Vec<Parameter> = Vec::new();
        // Names of UCI options do not depend on the case.
        let mut names = HashSet::new();
        for (line, text) in entries(text) {
            let error = |what| ParameterError { line, what };
            let parameter = Parameter::from_line(text).map_err(error)?;
            if !names.insert(parameter.name.to_lowercase()) {
                return Err(error(Objection::Twice(parameter.name)));
            }
            parameters.push(parameter);
        }
        if parameters.is_empty() {
            return Err(ParameterError { line: 1, what: Objection::None });
        }
        Ok(parameters)
    }

    fn from_line(line: &str) -> Result<Parameter, Objection> {
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        let [name, kind, value, min, max, c_end, r_end] = fields[..] else {
            return Err(Objection::Fields(fields.len()));
        };
        let kind = match kind {
            "int" => Kind::Int,
            "float" => Kind::Float,
            _ => return Err(Objection::Kind(kind.to_owned())),
        };
        let number = |field, found: &str| {
            let number = found.parse().ok().filter(|number: &f64| number.is_finite());
            number.ok_or_else(|| Objection::Number { field, found: found.to_owned() })
        };
        let parameter = Parameter {
            name: name.to_owned(),
            kind,
            value: number("value", value)?,
            min: number("min", min)?,
            max: number("max", max)?,
            c_end: number("c_end", c_end)?,
            r_end: number("r_end", r_end)?,
        };
        parameter.check().map(|()| parameter)
    }

    /// Looks whether it can be tuned.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong with it.
    pub fn check(&self) -> Result<(), Objection> {
        let Parameter { name, kind, value, min, max, c_end, r_end } = self;
        if name.is_empty() || name.chars().any(char::is_control) {
            return Err(Objection::Name);
        }
        for (field, &found) in [("value", value), ("min", min), ("max", max)] {
            if !found.is_finite() {
                return Err(Objection::Number { field, found: found.to_string() });
            }
            // Squares and sums of greater ones would not be numbers.
            if found.abs() > FARTHEST {
                return Err(Objection::Far { field, found });
            }
            if *kind == Kind::Int && found.fract() != 0.0 {
                return Err(Objection::Whole { field, found });
            }
        }
        if min >= max {
            return Err(Objection::Bounds { min: *min, max: *max });
        }
        if !(min..=max).contains(&value) {
            return Err(Objection::Outside { value: *value, min: *min, max: *max });
        }
        for (field, &found) in [("c_end", c_end), ("r_end", r_end)] {
            // Beyond these a gain, which is a product of both, or its square would not be a number.
            if !GAINS.contains(&found) {
                return Err(Objection::Gain { field, found });
            }
        }
        if *c_end > (max - min) / 2.0 {
            return Err(Objection::Wide { c_end: *c_end, min: *min, max: *max });
        }
        let farthest = min.abs().max(max.abs());
        let least = SEEN * farthest * f64::EPSILON;
        if *c_end < least {
            return Err(Objection::Unseen { c_end: *c_end, farthest, least });
        }
        Ok(())
    }

    /// A value as an engine is told it: whole numbers for an int, else with at most six decimals, or two digits behind the first of a
    /// smaller `c_end`, so that the engine sees each step, and more where rounding would lead out of the bounds.
    #[must_use]
    pub fn in_words(&self, value: f64) -> String {
        let text = match self.kind {
            Kind::Int => format!("{:.0}", value.round()),
            Kind::Float => {
                let rounded = |decimals: usize| format!("{value:.decimals$}");
                let is_within =
                    |text: &String| text.parse::<f64>().is_ok_and(|sent| (self.min..=self.max).contains(&sent));
                let decimals = self.decimals().max(DECIMALS);
                // All digits are the value itself, which may lie outside.
                let text = (decimals..=2 * usize::from(MOST_DECIMALS))
                    .map(rounded)
                    .find(is_within)
                    .unwrap_or_else(|| value.to_string());
                let is_fraction = text.contains('.');
                if is_fraction { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
            }
        };
        // What is rounded to zero from below has a sign.
        if text == "-0" { "0".to_owned() } else { text }
    }

    /// Decimals that show changes of a hundredth of `c_end`, as far as an engine is told them.
    #[must_use]
    pub fn decimals(&self) -> usize {
        #[cfg_attr(
            not(test),
            expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole and within the range")
        )]
        let decimals = (2.0 - self.c_end.log10().floor()).clamp(0.0, MOST_DECIMALS.into()) as usize;
        decimals
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_openbench_writes_them() {
        let text = "\u{feff}# search\r\n\r\nRFP, int, 75, 0, 200, 7.5, 0.002\r\n  Scale ,float, 0.5, -1, 1, 0.05, 0.002 # slope\n";
        let read = Parameter::read(text).expect("two parameters");
        assert_eq!(read.len(), 2);
        assert_eq!((read[0].kind, read[0].c_end, read[1].min), (Kind::Int, 7.5, -1.0));
        assert_eq!((read[1].name.as_str(), read[1].kind), ("Scale", Kind::Float));
        assert_eq!([read[0].in_words(74.6), read[1].in_words(0.25), read[1].in_words(-1.0)], ["75", "0.25", "-1"]);
        assert_eq!([read[0].in_words(-0.4), read[1].in_words(-1e-9)], ["0", "0"]);
    }

    /// Each step changes what is sent, the shortest at a bound and the last one, too.
    #[test]
    fn small_steps_are_sent() {
        for c_end in [1e-9, 3.3e-8, 9.99e-7, 1e-6, 1e-5, 0.02] {
            let line = format!("a, float, 0.123456789, 0, 1, {c_end}, 1");
            let parameter = &Parameter::read(&line).expect("a parameter")[0];
            for value in [0.123_456_789, 0.999_999, 0.5] {
                let [sent, more] = [value, value + c_end / 4.0].map(|value| parameter.in_words(value));
                assert_ne!(sent, more, "{c_end}");
                let off = sent.parse::<f64>().expect("a number") - value;
                assert!(off.abs() < c_end / 8.0, "{c_end}: {sent}");
            }
        }
    }

    #[test]
    fn no_value_is_rounded_out_of_its_bounds() {
        for (line, value, sent) in [
            ("a, float, 0.5, 0.0000001, 1, 0.02, 1", 0.000_000_1, "0.0000001"),
            ("a, float, 0.5, 0.0000001, 1, 0.02, 1", 0.000_000_23, "0.0000002"),
            ("a, float, 0.5, 0, 0.9999996, 0.02, 1", 0.999_999_6, "0.9999996"),
            ("a, float, 0.5, 0.0000001, 1, 0.02, 1", 0.25, "0.25"),
            ("a, float, 20, 0, 100, 1, 1", 100.0, "100"),
            ("a, float, -0.5, -1, -0.0000003, 0.02, 1", -0.000_000_3, "-0.0000003"),
            ("a, float, 0.5, 1e-25, 1, 0.02, 1", 1e-25, "0.0000000000000000000000001"),
        ] {
            assert_eq!(Parameter::read(line).expect("a parameter")[0].in_words(value), sent, "{line}");
        }
    }

    #[test]
    fn errors_name_the_line() {
        let said = |line: &str| {
            Parameter::read(&format!("a, int, 1, 0, 2, 1, 1\n\n{line}")).expect_err("a wrong line").to_string()
        };
        for (line, expected) in [
            ("b, int, 1, 0, 2, 1", "line 3: expected 7 fields"),
            ("b, whole, 1, 0, 2, 1, 1", "line 3: expected int or float as the second field, found \"whole\""),
            ("b, int, x, 0, 2, 1, 1", "line 3: value is \"x\", expected a number"),
            ("b, float, nan, 0, 2, 1, 1", "line 3: value is \"nan\""),
            ("b, int, 1.5, 0, 2, 1, 1", "line 3: value of an int is 1.5"),
            ("b, float, 1, 0, 1e300, 1, 1", "line 3: max is 1e300, expected a number from -1e30 to 1e30"),
            ("b, int, 1, 2, 0, 1, 1", "line 3: min 2 is not below max 0"),
            ("b, int, 1, 1, 1, 1, 1", "line 3: min 1 is not below max 1"),
            ("b, int, 3, 0, 2, 1, 1", "line 3: the value 3 is not from 0 to 2"),
            ("b, int, 1, 0, 2, 0, 1", "line 3: c_end is 0.0, expected a number above 0"),
            ("b, int, 1, 0, 2, 1, -1", "line 3: r_end is -1.0, expected a number above 0"),
            ("b, float, 1, 0, 1e9, 1e-9, 1", "line 3: c_end 0.000000001 is too small beside values up to 1000000000"),
            (", int, 1, 0, 2, 1, 1", "line 3: a parameter needs a name"),
            ("A, int, 1, 0, 2, 1, 1", "line 3: \"A\" has a line already"),
        ] {
            assert!(said(line).starts_with(expected), "{line}: {}", said(line));
        }
        assert!(Parameter::read("# nothing\n").expect_err("nothing").to_string().contains("at least one parameter"));
    }
}
