//! Experiments: what is asked, written down before anything is played, and what the games say about it.
//!
//! An experiment is a file of settings. Every arm plays the baseline from the same openings; the questions, the margins and
//! the number of games stand in the file, so that nobody can choose them after having seen the results.

// What a file holds must not wrap.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

mod draft;
mod error;
mod judgement;
mod layout;
mod own;
mod registered;
mod runner;
mod slopes;

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU64;
use std::path::PathBuf;

use drawish_artefact::Kind;
use serde::Deserialize;
use thiserror::Error;

pub use draft::Draft;
pub use error::RunError;
pub use judgement::{ArmResult, Judged, Judgement, Verdict, judge};
pub use layout::{ArmStatus, Layout};
pub use runner::{CheckOutcome, Checked, Progress, Runner};
pub use slopes::ArmFound;

use drawish_stats::{Model, Sprt, SprtError};

/// What a file of an experiment says.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Experiment {
    /// A title.
    pub title: String,
    /// What is asked, in a sentence or more.
    pub question: String,
    /// What was fixed when, as the author tells it: nothing can check it.
    pub registered: String,
    /// Where the numbers of tables and heads come from.
    #[serde(default, rename = "corpus")]
    pub corpora: Vec<Corpus>,
    /// The engine for which it was registered; any that there is if the file does not say.
    #[serde(default)]
    pub engine: Option<EnginePlan>,
    /// How games are played.
    #[serde(rename = "match")]
    pub game: GamePlan,
    /// How results are judged.
    pub judgement: JudgementPlan,
    /// What every arm plays against.
    pub baseline: ArmPlan,
    /// The arms.
    #[serde(rename = "arm")]
    pub arms: Vec<ArmPlan>,
}

/// Games from which tables or heads were made.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Corpus {
    /// What it is called here.
    pub name: String,
    /// The file.
    pub file: String,
    /// XXH3-128 of the file, in hexadecimal.
    pub xxh3: String,
    /// Games in it.
    pub games: u64,
    /// What was made from it, by which commands.
    pub made: Vec<String>,
}

/// The engine that plays.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct EnginePlan {
    /// The build to get, in words: a version, a commit.
    pub build: String,
    /// What the log says of the baseline's build, in hexadecimal: a checksum of what it searches in the positions of the bench.
    pub checksum: String,
}

/// How games are played.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct GamePlan {
    /// The file of openings, looked for beside the experiment's file.
    pub book: PathBuf,
    /// XXH3-128 of it, in hexadecimal.
    pub book_xxh3: String,
    /// Half-moves taken from each game of a PGN book.
    #[serde(default)]
    pub plies: Option<usize>,
    /// Of the order of openings.
    pub seed: u64,
    /// The first opening that is played, from 1 in that order: those before it, which tuning may have used, are not.
    #[serde(default)]
    pub start: Option<NonZeroU64>,
    /// Nodes for each move.
    pub nodes: u64,
    /// Pairs of games for each arm that does not ask for another number.
    pub pairs: u64,
    /// Every so many pairs are written down with their moves, beginning with the first; all if the file does not say. Of the others
    /// a checksum is kept, by which [`Runner::check`] knows the games again.
    #[serde(default)]
    pub moves_of_every: Option<NonZeroU64>,
}

/// How results are judged.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct JudgementPlan {
    /// Differences below this many Elo count as none.
    pub margin: f64,
    /// The level of all tests, as in 0.05.
    pub level: f64,
    /// Bounds of the sequential test that is shown, in normalized Elo. The number of games is fixed: it stops nothing.
    pub elo0: f64,
    /// See `elo0`.
    pub elo1: f64,
}

/// What an arm is there for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// It must come out at 0: if it does not, something is wrong with the experiment.
    Control,
    /// What it is worth is asked.
    Question,
}

/// An arm, and why it is there.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ArmPlan {
    /// The name in logs and reports.
    pub name: String,
    /// What it is there for.
    #[serde(default = "question")]
    pub role: Role,
    /// What it does and what is expected of it.
    pub what: String,
    /// Pairs of games, if not as many as other arms play.
    #[serde(default)]
    pub pairs: Option<u64>,
    /// Its settings: `arm`, `heads`, `form`, `table`, `taper`, `contempt`, `hash`; files are looked for beside the experiment's file.
    pub settings: BTreeMap<String, toml::Value>,
}

fn question() -> Role {
    Role::Question
}

/// Why a file is no experiment.
#[derive(Clone, PartialEq, Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum ExperimentError {
    #[error("{0}")]
    Toml(String),
    #[error("expected the file of an experiment, found {0}")]
    Elsewhere(&'static str),
    #[error(
        "not the file of an experiment, which has a title, [baseline] and [[arm]]: `drawish experiment new` writes one"
    )]
    Foreign,
    #[error("two arms are called {0:?}; their logs would be one file: give each a name of its own")]
    SameName(String),
    #[error("{0:?} is not a file name: expected letters, digits, - + and _")]
    Name(String),
    #[error("there are no arms; add some as [[arm]]")]
    NoArms,
    #[error("{name} = {value} is not possible: expected {expected}")]
    Value { name: &'static str, value: f64, expected: &'static str },
    #[error("the test of [judgement] is not possible: {0}")]
    Sprt(#[from] SprtError),
}

impl Experiment {
    /// Reads a file and checks that it can be carried out and judged.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn from_toml(text: &str) -> Result<Experiment, ExperimentError> {
        let experiment: Experiment = toml::from_str(text).map_err(|error| match Kind::of(text.as_bytes()) {
            Some(Kind::Experiment) => ExperimentError::Toml(error.to_string().trim_end().to_owned()),
            Some(kind) => ExperimentError::Elsewhere(kind.uses()),
            None if ["[baseline]", "[[arm]]", "title"].iter().any(|part| text.contains(part)) => {
                ExperimentError::Toml(error.to_string().trim_end().to_owned())
            }
            None => ExperimentError::Foreign,
        })?;
        experiment.check()?;
        Ok(experiment)
    }

    fn check(&self) -> Result<(), ExperimentError> {
        let mut names = BTreeSet::from([&self.baseline.name]);
        for name in self.arms.iter().map(|arm| &arm.name) {
            let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-+_".contains(letter);
            if name.is_empty() || !name.chars().all(is_plain) {
                return Err(ExperimentError::Name(name.clone()));
            }
            if !names.insert(name) {
                return Err(ExperimentError::SameName(name.clone()));
            }
        }
        if self.arms.is_empty() {
            return Err(ExperimentError::NoArms);
        }
        let JudgementPlan { margin, level, .. } = self.judgement;
        let value = |name, value, expected| Err(ExperimentError::Value { name, value, expected });
        if !(margin > 0.0 && margin < 1000.0) {
            return value("margin", margin, "a number of Elo above 0 and below 1000");
        }
        if !(level > 0.0 && level < 0.5) {
            return value("level", level, "a probability above 0 and below 0.5, as in 0.05");
        }
        if self.game.pairs == 0 || self.game.nodes == 0 || self.arms.iter().any(|arm| arm.pairs == Some(0)) {
            return value("pairs or nodes", 0.0, "a number above 0");
        }
        self.sprt().map(|_| ()).map_err(ExperimentError::Sprt)
    }

    /// The arm of that name.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn arm(&self, name: &str) -> Result<&ArmPlan, RunError> {
        self.arms.iter().find(|arm| arm.name == name).ok_or_else(|| {
            let known = self.arms.iter().map(|arm| arm.name.clone()).collect();
            RunError::NoArm { name: name.to_owned(), known }
        })
    }

    /// Pairs of games that an arm is to play.
    #[must_use]
    pub fn pairs_of(&self, arm: &ArmPlan) -> u64 {
        arm.pairs.unwrap_or(self.game.pairs)
    }

    /// The test that is shown.
    ///
    /// # Errors
    ///
    /// If its bounds are not possible.
    pub fn sprt(&self) -> Result<Sprt, SprtError> {
        let JudgementPlan { level, elo0, elo1, .. } = self.judgement;
        Sprt::new(Model::Normalized, elo0, elo1, level, level)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) const FILE: &str = r#"
        title = "t"
        question = "q"
        registered = "2026-11-21"
        match = { book = "b.epd", book-xxh3 = "00", seed = 1, nodes = 100, pairs = 10 }
        judgement = { margin = 3.0, level = 0.05, elo0 = 0.0, elo1 = 5.0 }
        baseline = { name = "none", what = "as it is", settings = { arm = "none" } }
        [[arm]]
        name = "table"
        what = "a table"
        settings = { arm = "draw-table", taper = false }
    "#;

    #[test]
    fn a_file_is_read() {
        let experiment = Experiment::from_toml(FILE).expect("an experiment");
        assert_eq!((experiment.arms.len(), experiment.arms[0].role), (1, Role::Question));
        assert_eq!(experiment.arms[0].settings["taper"], toml::Value::Boolean(false));
    }

    #[test]
    fn what_cannot_be_carried_out_is_named() {
        for (from, to, said) in [
            ("margin = 3.0", "margin = 0.0", "margin = 0 is not possible"),
            ("level = 0.05", "level = 0.7", "level = 0.7 is not possible"),
            ("pairs = 10", "pairs = 0", "pairs or nodes"),
            ("elo1 = 5.0", "elo1 = -1.0", "the test of [judgement]"),
            ("name = \"table\"", "name = \"none\"", "two arms are called \"none\""),
            ("name = \"table\"", "name = \"a/b\"", "\"a/b\" is not a file name"),
            ("title = \"t\"", "", "missing field `title`"),
            ("nodes = 100", "nodes = 100, node = 3", "unknown field `node`"),
        ] {
            let error = Experiment::from_toml(&FILE.replace(from, to)).expect_err(said).to_string();
            assert!(error.contains(said), "{error}");
        }
        let none = FILE.split("[[arm]]").next().expect("text").to_owned() + "arm = []";
        assert_eq!(Experiment::from_toml(&none), Err(ExperimentError::NoArms));
    }
}
