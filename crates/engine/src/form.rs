//! Forms: knowledge about endings with few numbers, as a file says them.

// What a file holds must not wrap.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

mod margins;

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Deserialize;
use thiserror::Error;

pub use self::margins::Margins;

macro_rules! numbers {
    ($($name:ident = $default:literal, $meaning:literal;)+) => {
        /// The numbers of a form.
        #[derive(Clone, Copy, PartialEq, Debug)]
        struct Numbers {
            $($name: f64,)+
        }

        /// The same in 1/16, as the evaluation reckons with them.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) struct Fixed {
            $(pub(crate) $name: i32,)+
        }

        impl Numbers {
            const NAMES: &'static [(&'static str, &'static str)] = &[$((stringify!($name), $meaning)),+];
            const STOCKFISH_11: Numbers = Numbers { $($name: $default),+ };

            fn by_name(&mut self, name: &str) -> Option<&mut f64> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)+
                    _ => None,
                }
            }

            #[cfg_attr(not(test), expect(clippy::cast_possible_truncation, reason = "within what a form may say"))]
            fn fixed(&self) -> Fixed {
                Fixed { $($name: (self.$name * 16.0).round() as i32),+ }
            }
        }
    };
}

numbers! {
    endgame = 64.0, "How far the factor counts for the endgame's part of the score: 64 is wholly";
    middlegame = 0.0, "How far it counts for the middlegame's part";
    base = 36.0, "The factor without pawns of the stronger side, in 64ths; never above 64";
    per_pawn = 7.0, "What each pawn of the stronger side adds";
    opposite_base = 36.0, "The same with bishops of opposite colours and other pieces";
    opposite_per_pawn = 2.0, "What each pawn adds then";
    opposite_pure = 22.0, "The factor with bishops of opposite colours and no other piece";
    opposite_pure_passed = 0.0, "What each passed pawn adds then";
    pawnless_rook = 14.0, "The factor without pawns and ahead by no more than a bishop, with a rook or more against two minor pieces or more";
    pawnless_minor = 4.0, "The same against a minor piece at most";
    pawnless_light = 0.0, "The same with less than a rook";
    one_flank = 0.0, "Added to the factor where all pawns stand on one half of the board";
    pawn_ending = 0.0, "Added to the factor where only pawns are left";
    queen_ending = 0.0, "Added to the factor where only queens and pawns are left";
    clock = 0.25, "Taken from the factor for each half-move of the fifty-move clock beyond the first";
    clock_from = 12.0, "Half-moves of the clock that count for nothing";
    complexity_passed = 4.2, "Complexity in centipawns: each passed pawn";
    complexity_pawn = 5.2, "Complexity: each pawn";
    complexity_outflanking = 4.2, "Complexity: files less ranks between the kings";
    complexity_infiltration = 5.6, "Complexity: a king beyond its half of the board";
    complexity_both_flanks = 9.9, "Complexity: pawns on both halves of the board";
    complexity_pawn_ending = 23.9, "Complexity: only pawns are left";
    complexity_unwinnable = -20.2, "Complexity: no passed pawn, kings that face each other, pawns on one half of the board";
    complexity = -46.9, "Complexity: in every position. The sum is added to the lead in the endgame's part";
    complexity_middlegame = 23.5, "Added to the complexity for the middlegame's part, where it only ever takes";
}

/// What a form knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// Nothing: the plain evaluation, perhaps with other margins of the search.
    None,
    /// Factors of the score and complexity.
    Scale,
}

/// What a form does to serve as a control of itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Control {
    /// Factors and complexity are mirrored at their means: what was less is more.
    Reversed,
    /// They are mirrored in every other pawn structure, at random: as much spread, no knowledge.
    Noise,
}

/// Knowledge about endings with few numbers, and margins of the search: what an arm file says.
///
/// ```
/// use drawish_engine::form::Form;
///
/// let mut form = Form::from_toml("form = \"scale\"\n[values]\nper_pawn = 5\n[search]\nrazor = 200\n")?;
/// assert_eq!((form.number("per_pawn"), form.number("base"), form.number("search.razor")), (Some(5.0), Some(36.0), Some(200.0)));
/// form.set("base", 40.0)?;
/// assert_eq!(Form::from_toml(&form.to_toml())?, form);
/// # Ok::<(), drawish_engine::form::FormError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Form {
    kind: Kind,
    control: Option<Control>,
    numbers: Numbers,
    margins: Margins,
}

/// Why a text is no form, or a number none of a form.
#[derive(Clone, PartialEq, Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
#[non_exhaustive]
pub enum FormError {
    #[error(
        "line {line}: {what}; expected TOML with form = \"scale\" or \"none\", and numbers in [values] and [search], as `drawish form` writes it"
    )]
    Toml { line: usize, what: String },
    #[error("no form is called {0:?}; there are none and scale")]
    Kind(String),
    #[error("no control is called {0:?}; there are reversed and noise")]
    Control(String),
    #[error("a form has no number {name:?}{}; there are {}", meant(name), Form::names().collect::<Vec<_>>().join(", "))]
    NoNumber { name: String },
    #[error("{name} = {found}: expected a number from {min} to {max}")]
    Range { name: String, found: f64, min: f64, max: f64 },
}

/// A hint to the number that was meant, if only the place of it is missing.
fn meant(name: &str) -> String {
    let is_meant = |own: &String| own.strip_prefix(SEARCH).is_some_and(|rest| rest.eq_ignore_ascii_case(name));
    Form::names().find(is_meant).map_or_else(String::new, |own| format!(", but {own:?}"))
}

/// What stands before the names of margins of the search.
const SEARCH: &str = "search.";
/// Numbers of an evaluation beyond it mean nothing.
const GREATEST: f64 = 1000.0;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    form: String,
    control: Option<String>,
    #[serde(default)]
    values: BTreeMap<String, f64>,
    #[serde(default)]
    search: BTreeMap<String, f64>,
}

impl Default for Form {
    /// The knowledge of Stockfish 11.
    fn default() -> Form {
        let (numbers, margins) = (Numbers::STOCKFISH_11, Margins::default());
        Form { kind: Kind::Scale, control: None, numbers, margins }
    }
}

impl Form {
    /// Reads an arm file. Numbers that it does not name are those of Stockfish 11, margins those of the search.
    ///
    /// # Errors
    ///
    /// If it is no such file, or has a number that no form has.
    pub fn from_toml(text: &str) -> Result<Form, FormError> {
        let in_line = |error: toml::de::Error| {
            let line = error
                .span()
                .map_or(1, |span| 1 + text.as_bytes()[..span.start].iter().filter(|&&byte| byte == b'\n').count());
            FormError::Toml { line, what: error.message().to_owned() }
        };
        let file: File = toml::from_str(text).map_err(in_line)?;
        let kind = match file.form.as_str() {
            "none" => Kind::None,
            "scale" => Kind::Scale,
            _ => return Err(FormError::Kind(file.form)),
        };
        let control = match file.control.as_deref() {
            None => None,
            Some("reversed") => Some(Control::Reversed),
            Some("noise") => Some(Control::Noise),
            Some(other) => return Err(FormError::Control(other.to_owned())),
        };
        let mut form = Form { kind, control, ..Form::default() };
        for (name, value) in file.values {
            form.set(&name, value)?;
        }
        for (name, value) in file.search {
            form.set(&format!("{SEARCH}{name}"), value)?;
        }
        Ok(form)
    }

    /// As an arm file, with the meaning of every number.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let kind = if self.kind == Kind::None { "none" } else { "scale" };
        let mut text = format!("form = \"{kind}\"\n");
        if let Some(control) = self.control {
            let control = if control == Control::Reversed { "reversed" } else { "noise" };
            let _ = writeln!(text, "control = \"{control}\"");
        }
        for (title, names) in [("values", Numbers::NAMES), ("search", Margins::NAMES)] {
            let _ = write!(text, "\n[{title}]\n");
            for (name, meaning) in names {
                let key = if title == "search" { format!("{SEARCH}{name}") } else { (*name).to_owned() };
                let _ = writeln!(text, "{name} = {} # {meaning}", self.number(&key).unwrap_or_default());
            }
        }
        text
    }

    /// The same knowledge as a control of itself.
    #[must_use]
    pub fn as_control(self, control: Control) -> Form {
        Form { control: Some(control), ..self }
    }

    /// The names of all numbers; those of the search begin with `search.`.
    pub fn names() -> impl Iterator<Item = String> {
        let values = Numbers::NAMES.iter().map(|(name, _)| (*name).to_owned());
        values.chain(Margins::NAMES.iter().map(|(name, _)| format!("{SEARCH}{name}")))
    }

    /// A number by its name.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<f64> {
        // Both are few numbers that are copied.
        match name.strip_prefix(SEARCH) {
            Some(name) => self.margins.clone().by_name(name).map(|margin| f64::from(*margin)),
            None => self.numbers.clone().by_name(name).map(|number| *number),
        }
    }

    /// Changes a number; margins of the search are rounded.
    ///
    /// # Errors
    ///
    /// If there is none of the name, or it is beyond what means anything.
    pub fn set(&mut self, name: &str, value: f64) -> Result<(), FormError> {
        let unknown = || FormError::NoNumber { name: name.to_owned() };
        let within = |min: f64, max: f64| {
            let is_within = (min..=max).contains(&value);
            is_within.then_some(value).ok_or_else(|| FormError::Range { name: name.to_owned(), found: value, min, max })
        };
        match name.strip_prefix(SEARCH) {
            Some(margin) => {
                let margin = self.margins.by_name(margin).ok_or_else(unknown)?;
                let value = within(0.0, f64::from(Margins::GREATEST))?.round();
                #[cfg_attr(not(test), expect(clippy::cast_possible_truncation, reason = "whole and within the range"))]
                let whole = value as i32;
                *margin = whole;
            }
            None => *self.numbers.by_name(name).ok_or_else(unknown)? = within(-GREATEST, GREATEST)?,
        }
        Ok(())
    }

    /// The margins for the search.
    #[must_use]
    pub fn margins(&self) -> Margins {
        self.margins
    }

    /// The numbers of the evaluation, if it has any.
    pub(crate) fn fixed(&self) -> Option<(Fixed, Option<Control>)> {
        (self.kind == Kind::Scale).then(|| (self.numbers.fixed(), self.control))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_form_is_told_so() {
        for (text, expected) in [
            ("", "missing field `form`"),
            ("form = \"best\"", "no form is called \"best\""),
            ("form = \"scale\"\ncontrol = \"random\"", "no control is called \"random\""),
            ("form = \"scale\"\nbase = 3", "line 2: unknown field `base`"),
            (
                "form = \"scale\"\n[values]\nbases = 3",
                "a form has no number \"bases\"; there are endgame, middlegame, base",
            ),
            (
                "form = \"scale\"\n[values]\nrazor = 3",
                "a form has no number \"razor\", but \"search.razor\"; there are endgame",
            ),
            ("form = \"scale\"\n[values]\nbase = nan", "expected a number from -1000 to 1000"),
            ("form = \"none\"\n[search]\nrazor = -1", "search.razor = -1: expected a number from 0 to 1500"),
        ] {
            let error = Form::from_toml(text).expect_err(text).to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn a_form_is_read_as_it_is_written() {
        for control in [None, Some(Control::Reversed), Some(Control::Noise)] {
            let mut form = Form { control, ..Form::default() };
            for (at, name) in Form::names().enumerate() {
                form.set(&name, 3.0 + at as f64).expect("a number");
            }
            assert_eq!(Form::from_toml(&form.to_toml()), Ok(form.clone()));
        }
    }
}
