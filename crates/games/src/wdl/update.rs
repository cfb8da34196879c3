//! From the games of an engine's revisions to its new constants: what updateWDL.sh of Stockfish's WDL_model does.

use std::num::NonZero;

use thiserror::Error;

use super::fit::{Fit, FitError, Normalization, Options, fit};
use super::{Collect, CollectError, Collected, FileFilter, Model, ModelError, Rule, WdlFile};
use crate::pgn::{Input, Pattern, PatternError, Progress};

/// Which games make the new constants, and what they are compared with. Patterns are regular expressions for whole values.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Update {
    /// Games of fishtest with their metadata beside them.
    pub inputs: Vec<Input>,
    /// Revisions in the metadata, and engines whose evaluations count.
    pub revisions: String,
    /// Opening book.
    pub book: String,
    /// Time control.
    pub time_control: String,
    /// Threads of the engines.
    pub engine_threads: u32,
    /// Largest normalized Elo of a test, to both sides.
    pub elo_diff_max: f64,
    /// How the revisions show their evaluations.
    pub old: Normalization,
    /// Least material of the fit.
    pub material_min: u32,
    /// How many threads read games.
    pub threads: NonZero<usize>,
}

/// New constants, and what they are compared with.
#[derive(Clone, Debug)]
pub struct Updated {
    /// The fit.
    pub fit: Fit,
    /// The same as a model.
    pub model: Model,
    /// Games behind it.
    pub games: u64,
    /// Positions behind it.
    pub positions: f64,
    /// Internal units of a pawn, as they were.
    pub old: f64,
    /// As they should be: a whole number.
    pub new: f64,
}

/// Why there are no new constants.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum UpdateError {
    #[error("{what} {pattern}: not a valid regular expression")]
    Pattern { what: &'static str, pattern: String, source: PatternError },
    #[error(transparent)]
    Collect(#[from] CollectError),
    #[error("the games were not all counted; no constants are derived from a part of them")]
    Incomplete,
    #[error(transparent)]
    Fit(#[from] FitError),
    #[error(transparent)]
    Model(#[from] ModelError),
}

impl Update {
    /// By the rules of updateWDL.sh: tests at 60+0.6 with one thread from the book UHO_Lichess, within 5 normalized Elo.
    #[must_use]
    pub fn new(inputs: Vec<Input>, revisions: impl Into<String>) -> Update {
        Update {
            inputs,
            revisions: revisions.into(),
            book: "UHO_Lichess_4852_v..epd".to_owned(),
            time_control: r"60\+0.6".to_owned(),
            engine_threads: 1,
            elo_diff_max: 5.0,
            old: Normalization::DEFAULT,
            material_min: 17,
            threads: std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN),
        }
    }

    /// Counts the games.
    ///
    /// # Errors
    ///
    /// If a pattern is none, or the inputs name the same games twice.
    pub fn collect(&self, progress: &Progress<'_>) -> Result<Collected, UpdateError> {
        Ok(self.collecting()?.progress(progress).run()?)
    }

    /// Fits the model to what was counted.
    ///
    /// # Errors
    ///
    /// If games are missing in the counts, or too few positions are left to fit anything.
    pub fn fit(&self, collected: &Collected) -> Result<Updated, UpdateError> {
        let problems = &collected.problems;
        let is_whole = problems.broken.is_empty() && problems.without_games.iter().all(Input::is_empty);
        if !is_whole || collected.tally.positions == 0 {
            return Err(UpdateError::Incomplete);
        }
        let WdlFile { counts, provenance } = &collected.file;
        let options = Options { normalization: self.old, material_min: self.material_min, ..Options::default() };
        let fit = fit(counts, &options)?;
        let model = Model::new(&fit, provenance)?;
        Ok(Updated {
            games: collected.tally.counted,
            positions: fit.retained.total(),
            old: self.old.pawn_value(),
            new: (model.pawn_value + 0.5).trunc(),
            model,
            fit,
        })
    }

    /// The run that counts.
    fn collecting(&self) -> Result<Collect<'static>, UpdateError> {
        let files = FileFilter {
            book: whole("the book", &self.book)?,
            revision: whole("the revisions", &self.revisions)?,
            time_control: pattern("the time control", &self.time_control, Pattern::whole_time_control)?,
            threads: Some(self.engine_threads),
            elo_min: Some(-self.elo_diff_max),
            elo_max: Some(self.elo_diff_max),
            ..FileFilter::default()
        };
        let rule = Rule { engine: whole("the revisions", &self.revisions)?, ..Rule::default() };
        Ok(Collect::new(self.inputs.clone()).files(files).rule(rule).threads(self.threads))
    }
}

impl Updated {
    /// Whether the constant should change.
    #[must_use]
    pub fn is_change(&self) -> bool {
        self.new != self.old
    }
}

/// A pattern for whole values; an empty one asks for nothing.
fn whole(what: &'static str, pattern: &str) -> Result<Option<Pattern>, UpdateError> {
    self::pattern(what, pattern, Pattern::whole)
}

fn pattern(
    what: &'static str,
    text: &str,
    compile: fn(&str) -> Result<Pattern, PatternError>,
) -> Result<Option<Pattern>, UpdateError> {
    let failed = |source| UpdateError::Pattern { what, pattern: text.to_owned(), source };
    (!text.is_empty()).then(|| compile(text)).transpose().map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_for_whole_values() {
        let pattern = whole("the book", "a|b").expect("a pattern").expect("not empty");
        assert!(pattern.fits("b") && !pattern.fits("ab"));
        assert!(whole("the book", "").expect("a pattern").is_none());
        let error = Update::new(Vec::new(), "(").collect(&|_, _| {}).map(|_| ()).expect_err("no pattern");
        assert_eq!(error.to_string(), "the revisions (: not a valid regular expression");
    }
}
