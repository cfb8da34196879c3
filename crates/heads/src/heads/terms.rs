//! What a head is made of: terms over features, written as text.
//!
//! ```text
//! npm                          a weight for each unit of a feature
//! rams @ 1,2,4                 a weight for each band: below 1, 1, 2 to 3, 4 and more
//! pawns @ 4,8 * phase @ 6,14   a weight for each pair of bands
//! ```
//!
//! A band begins with each number of its list; the first band is everything below the first number.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::features::{self, Parity};

/// What a term reads: a feature, or a covariate of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Input {
    /// A feature by its place.
    Feature(usize),
    /// The evaluation in centipawns for White, at most ±2,000. Odd.
    Eval,
    /// The size of it. Even.
    EvalSize,
    /// The mean of both ratings less 2,400, in units of 10; rows without one are left out. Even.
    MeanElo,
    /// The difference of the ratings White minus Black, at most ±800; rows without one are left out. Odd.
    EloDifference,
}

const COVARIATES: [(&str, Input); 4] = [
    ("eval", Input::Eval),
    ("eval_size", Input::EvalSize),
    ("mean_elo", Input::MeanElo),
    ("elo_difference", Input::EloDifference),
];

impl Input {
    /// The name in texts.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Input::Feature(place) => features::all()[place].name,
            other => COVARIATES.iter().find(|(_, input)| *input == other).map_or("", |(name, _)| name),
        }
    }

    /// How it behaves when the colours are exchanged.
    #[must_use]
    pub fn parity(self) -> Parity {
        match self {
            Input::Feature(place) => features::all()[place].parity,
            Input::Eval | Input::EloDifference => Parity::Odd,
            Input::EvalSize | Input::MeanElo => Parity::Even,
        }
    }
}

/// A feature cut into bands, which begin with the numbers of the list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bands {
    /// The feature.
    pub input: Input,
    /// Ascending, at least one.
    pub starts: Vec<i16>,
}

impl Bands {
    /// The number of the band of a value.
    #[must_use]
    #[inline]
    pub fn band(&self, value: i16) -> usize {
        self.starts.partition_point(|&start| start <= value)
    }

    /// How many there are.
    #[must_use]
    #[inline]
    pub fn count(&self) -> usize {
        self.starts.len() + 1
    }
}

/// A part of a head.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Term {
    /// A weight times the feature.
    Linear(Input),
    /// A weight for each band.
    Bands(Bands),
    /// A weight for each pair of bands, the first feature's bands outside.
    Pair(Bands, Bands),
}

impl Term {
    /// How many weights it has.
    #[must_use]
    pub fn weights(&self) -> usize {
        match self {
            Term::Linear(_) => 1,
            Term::Bands(bands) => bands.count(),
            Term::Pair(first, second) => first.count() * second.count(),
        }
    }

    /// What it reads.
    pub fn inputs(&self) -> impl Iterator<Item = Input> {
        let (first, second) = match self {
            Term::Linear(input) => (*input, None),
            Term::Bands(bands) => (bands.input, None),
            Term::Pair(first, second) => (first.input, Some(second.input)),
        };
        std::iter::once(first).chain(second)
    }

    /// Which of its weights a row uses, and how many times.
    #[must_use]
    pub fn of_row(&self, value: impl Fn(Input) -> i16) -> (usize, i16) {
        match self {
            Term::Linear(input) => (0, value(*input)),
            Term::Bands(bands) => (bands.band(value(bands.input)), 1),
            Term::Pair(first, second) => {
                (first.band(value(first.input)) * second.count() + second.band(value(second.input)), 1)
            }
        }
    }
}

/// Why a text is no term.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum TermError {
    #[error("no feature is called {0:?}; `drawish positions --list-features` lists them")]
    Unknown(String),
    #[error("{0:?}: expected ascending whole numbers apart by commas, as in `rams @ 1,2,4`")]
    Bands(String),
    #[error("{0:?}: a product needs bands on both sides, as in `pawns @ 4,8 * phase @ 6,14`")]
    Product(String),
}

impl FromStr for Input {
    type Err = TermError;

    fn from_str(text: &str) -> Result<Input, TermError> {
        let covariate = COVARIATES.iter().find(|(name, _)| *name == text).map(|(_, input)| *input);
        covariate
            .or_else(|| features::place(text).map(Input::Feature))
            .ok_or_else(|| TermError::Unknown(text.to_owned()))
    }
}

impl FromStr for Bands {
    type Err = TermError;

    fn from_str(text: &str) -> Result<Bands, TermError> {
        let wrong = || TermError::Bands(text.to_owned());
        let (input, starts) = text.split_once('@').ok_or_else(wrong)?;
        let starts: Vec<i16> =
            starts.split(',').map(|start| start.trim().parse()).collect::<Result<_, _>>().map_err(|_| wrong())?;
        if starts.is_sorted_by(|a, b| a < b) {
            Ok(Bands { input: input.trim().parse()?, starts })
        } else {
            Err(wrong())
        }
    }
}

impl FromStr for Term {
    type Err = TermError;

    fn from_str(text: &str) -> Result<Term, TermError> {
        match text.split_once('*') {
            Some((first, second)) if first.contains('@') && second.contains('@') => {
                Ok(Term::Pair(first.trim().parse()?, second.trim().parse()?))
            }
            Some(_) => Err(TermError::Product(text.to_owned())),
            None if text.contains('@') => Ok(Term::Bands(text.trim().parse()?)),
            None => Ok(Term::Linear(text.trim().parse()?)),
        }
    }
}

impl fmt::Display for Bands {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let starts: Vec<_> = self.starts.iter().map(ToString::to_string).collect();
        write!(f, "{} @ {}", self.input.name(), starts.join(","))
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Term::Linear(input) => f.write_str(input.name()),
            Term::Bands(bands) => bands.fmt(f),
            Term::Pair(first, second) => write!(f, "{first} * {second}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_terms() {
        for text in ["npm", "rams @ 1,2,4", "pawns @ 4,8 * phase @ 6,14", "eval_size @ 20,50"] {
            assert_eq!(text.parse::<Term>().expect("a term").to_string(), text);
        }
        for (text, said) in [
            ("rammed", "no feature is called \"rammed\""),
            ("rams @ 2,1", "ascending"),
            ("rams @ x", "ascending"),
            ("rams * npm", "both sides"),
        ] {
            let error = text.parse::<Term>().expect_err(text).to_string();
            assert!(error.contains(said), "{error}");
        }
    }

    #[test]
    fn bands_begin_with_their_numbers() {
        let term: Term = "rams @ 1,2,4".parse().expect("a term");
        let bands: Vec<_> = (-1..6).map(|rams| term.of_row(|_| rams)).collect();
        assert_eq!(bands, [(0, 1), (0, 1), (1, 1), (2, 1), (2, 1), (3, 1), (3, 1)]);
        let pair: Term = "rams @ 1 * npm @ 10,20".parse().expect("a term");
        assert_eq!(pair.weights(), 6);
        let npm = features::place("npm").map(Input::Feature);
        let place = |rams, pieces| pair.of_row(|input| if Some(input) == npm { pieces } else { rams }).0;
        assert_eq!([place(0, 0), place(0, 10), place(0, 20), place(1, 0), place(1, 99)], [0, 1, 2, 3, 5]);
    }
}
