//! Whether what a text of heads says of its fit can be: who reads figures believes them.

use drawish_artefact::provenance::{InputRecord, first_beyond_counting};
use drawish_core::Wdl;

use super::file::{Head, HeadError, HeadsFile, Weighted};
use super::wdl::WdlHead;

/// A standard error below this is none: no rows say so much. 0 stands for one that is not known.
const LEAST_ERROR: f64 = 1e-9;

/// A standard error as files of heads have it: 0 for what is too small to be one, as where all clusters agree but for rounding.
#[must_use]
pub fn error_or_none(error: f64) -> f64 {
    if error >= LEAST_ERROR { error } else { 0.0 }
}

impl HeadsFile {
    /// Losses and errors are numbers from 0, errors as many as weights; results are of no more rows than there are.
    pub(super) fn check(&self) -> Result<(), HeadError> {
        counts(self.results, self.rows, false)?;
        if self.events > self.rows {
            let (rows, events) = (self.rows, self.events);
            return Err(HeadError::Contradiction(format!("{rows} rows of {events} events")));
        }
        inputs(&self.inputs)?;
        self.draw.check()?;
        self.gain.check()
    }
}

impl Head {
    fn check(&self) -> Result<(), HeadError> {
        loss("loss", self.loss)?;
        loss("quantised_loss", self.quantised_loss)?;
        error("kappa_error", self.kappa_error.unwrap_or(0.0))?;
        error("constant_error", self.constant_error.unwrap_or(0.0))?;
        self.win.iter().chain(&self.score).try_for_each(errors)?;
        self.residual.iter().try_for_each(|residual| loss("variance", residual.variance))
    }
}

impl WdlHead {
    /// The same of a WDL head: results are of as many positions as there are.
    pub(super) fn check(&self) -> Result<(), HeadError> {
        loss("loss", self.loss)?;
        loss("quantised_loss", self.quantised_loss)?;
        counts(self.results, self.rows, true)?;
        // The same moves are one game, in however many events they were played.
        if self.games > self.rows || self.events > self.rows {
            let (rows, games, events) = (self.rows, self.games, self.events);
            return Err(HeadError::Contradiction(format!("{rows} positions of {games} games of {events} events")));
        }
        inputs(&self.inputs)?;
        [&self.threshold, &self.slope, &self.shift].into_iter().flat_map(|sum| &sum.terms).try_for_each(errors)
    }
}

fn loss(name: &'static str, value: f64) -> Result<(), HeadError> {
    let is_right = value.is_finite() && value >= 0.0;
    if is_right { Ok(()) } else { Err(HeadError::Range { name, value, expected: "a number from 0" }) }
}

fn error(name: &'static str, value: f64) -> Result<(), HeadError> {
    let is_right = value.is_finite() && (value == 0.0 || value >= LEAST_ERROR);
    if is_right { Ok(()) } else { Err(HeadError::Range { name, value, expected: "a standard error, or 0 for none" }) }
}

fn errors(weighted: &Weighted) -> Result<(), HeadError> {
    let (found, weights) = (weighted.errors.len(), weighted.weights.len());
    if found != 0 && found != weights {
        let term = &weighted.term;
        return Err(HeadError::Contradiction(format!("the term {term:?} has {found} errors for {weights} weights")));
    }
    weighted.errors.iter().try_for_each(|&value| error("an error of a weight", value))
}

fn counts(results: Wdl, rows: usize, all: bool) -> Result<(), HeadError> {
    let Wdl { wins, draws, losses } = results;
    let total = wins.checked_add(draws).and_then(|sum| sum.checked_add(losses));
    match total {
        Some(total) if total == rows as u64 || (!all && total < rows as u64) => Ok(()),
        _ => Err(HeadError::Contradiction(format!("{wins} wins, {draws} draws and {losses} losses in {rows} rows"))),
    }
}

fn inputs(inputs: &[InputRecord]) -> Result<(), HeadError> {
    match first_beyond_counting(inputs) {
        Some(input) => Err(HeadError::Contradiction(format!("more games than can be counted, with {:?}", input.name))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(error: HeadError) -> String {
        error.to_string()
    }

    #[test]
    fn heads_that_contradict_themselves_are_refused() {
        let text = drawish_tables::POOLED_HEADS_TEXT;
        let with = |from: &str, to: &str| {
            assert!(text.contains(from), "{from}");
            HeadsFile::from_toml(&text.replacen(from, to, 1)).map_err(said)
        };
        let line = |name: &str| text.lines().find(|line| line.starts_with(name)).expect("a line").to_owned();
        assert!(HeadsFile::from_toml(text).is_ok());
        for (from, to, why) in [
            (line("loss = "), "loss = nan", "loss is NaN, expected a number from 0"),
            (line("loss = "), "loss = -0.1", "loss is -0.1, expected a number from 0"),
            (line("quantised_loss = "), "quantised_loss = inf", "quantised_loss is inf"),
            (line("kappa_error = "), "kappa_error = nan", "kappa_error is NaN, expected a standard error"),
            (line("kappa_error = "), "kappa_error = 1e-300", "expected a standard error, or 0 for none"),
            (line("errors = "), "errors = [-1.0]", "an error of a weight is -1"),
            (line("errors = "), "errors = [0.1, 0.1]", "has 2 errors for 1 weights"),
            (line("rows = "), "rows = 7", "wins, 38027 draws and"),
            (line("events = "), "events = 96739", "96738 rows of 96739 events"),
            (
                line("results = "),
                "results = [9223372036854775807, 9223372036854775807, 9223372036854775807]",
                "9223372036854775807 losses in 96738 rows",
            ),
        ] {
            let error = with(&from, to).expect_err(to);
            assert!(error.contains(why) && error.ends_with("make the heads again by `drawish tune`"), "{to}: {error}");
        }
    }

    #[test]
    fn wdl_heads_that_contradict_themselves_are_refused() {
        let text = include_str!("../../../../tables/drawish.wdl.toml");
        assert!(WdlHead::from_toml(text).is_ok());
        let games = text.lines().find(|line| line.starts_with("games = ")).expect("a line");
        assert!(WdlHead::from_toml(&text.replacen(games, "games = 1", 1)).is_ok(), "the same moves in many events");
        for (name, to, why) in [
            ("loss = ", "loss = nan", "loss is NaN, expected a number from 0"),
            ("quantised_loss = ", "quantised_loss = -1.0", "quantised_loss is -1"),
            ("results = ", "results = [1, 2, 3]", "1 wins, 2 draws and 3 losses in 238792 rows"),
            ("games = ", "games = 999999", "238792 positions of 999999 games"),
            ("events = ", "events = 400000", "games of 400000 events"),
        ] {
            let line = text.lines().find(|line| line.starts_with(name)).expect("a line");
            let error = WdlHead::from_toml(&text.replacen(line, to, 1)).map_err(said).expect_err(to);
            assert!(error.contains(why), "{to}: {error}");
        }
    }
}
