//! Reading and writing models.

use std::io;
use std::path::Path;

use drawish_artefact::outfile;
use thiserror::Error;

use super::{CalibrationBin, Model, Retained};
use crate::wdl::file::blocks::ALIKE;
use drawish_stats::FEWEST_EVENTS;
use drawish_stats::model::wdl::{Cubic, Mom, SMALLEST_B};

/// Why a file is no WDL model.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum ModelError {
    #[error(transparent)]
    Read(#[from] io::Error),
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    #[error("version {found} of the format, this program reads version {known}; use the program that made it")]
    Version { found: u32, known: u32 },
    #[error("the limits of {0} are the wrong way round, or its anchor is not above 0")]
    Limits(Mom),
    #[error("expected four coefficients of a and of b, or their curve from the least {0} to the most; found neither")]
    NoCurve(Mom),
    #[error("the model contradicts itself: {0}; make it again by `drawish wdl fit`")]
    Contradiction(String),
    #[error("the fit has no parameters, since none were asked for; choose a method")]
    NotFitted,
    #[error(
        "the model has a pawn value of {0:.1}: expected 1 to 100,000 internal units, so this is no code for an engine; \
         check the sign and the units of the evaluations, collect more games or choose another shape"
    )]
    PawnValue(f64),
}

/// An interval of 95 % reaches 1.96 standard errors to each side, or more; one by logarithms as far in the mean.
const LEAST_REACH: f64 = 1.95;

pub(super) const FORMAT: &str = "wdl-model";

pub(super) fn no_limit() -> u32 {
    u32::MAX
}

impl Model {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is no WDL model of a known version.
    pub fn load(path: &Path) -> Result<Model, ModelError> {
        Model::from_json(&std::fs::read_to_string(path)?)
    }

    /// Writes a file, whole or not at all.
    ///
    /// # Errors
    ///
    /// Those of writing.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        outfile::write_whole(path, self.to_json().as_bytes())
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    ///
    /// If it is no WDL model of a known version.
    pub fn from_json(text: &str) -> Result<Model, ModelError> {
        serde_json::from_str::<Model>(text)?.checked()
    }

    /// The same from JSON that has been read already.
    ///
    /// # Errors
    ///
    /// If it is no WDL model of a known version.
    pub fn from_value(value: serde_json::Value) -> Result<Model, ModelError> {
        serde_json::from_value::<Model>(value)?.checked()
    }

    fn checked(self) -> Result<Model, ModelError> {
        let model = self;
        if model.version > Model::VERSION {
            return Err(ModelError::Version { found: model.version, known: Model::VERSION });
        }
        let mom = model.mom_type;
        if model.mom_min > model.mom_max || model.mom_target.is_nan() || model.mom_target <= 0.0 {
            return Err(ModelError::Limits(mom));
        }
        let has_curve = !model.curve.is_empty() && model.curve.is_sorted_by_key(|point| point.mom);
        if model.cubics().is_none() && !has_curve {
            return Err(ModelError::NoCurve(mom));
        }
        model.check_figures().map_err(ModelError::Contradiction)?;
        Ok(Model { format: FORMAT.to_owned(), version: Model::VERSION, ..model })
    }

    /// Figures beside the parameters are theirs: who reads a file believes either.
    fn check_figures(&self) -> Result<(), String> {
        // With a time control the parameters are those of another one than the figures.
        if let Some(cubics) = self.cubics().filter(|_| !self.by_time_control) {
            let of = |coefficients: [f64; 4]| coefficients.into_iter().sum::<f64>();
            let spread = of(cubics.b.0).max(SMALLEST_B);
            for (name, said, is) in [("pawn value", self.pawn_value, of(cubics.a.0)), ("spread", self.spread, spread)] {
                let near = (said - is).abs() <= 0.01 + 1e-3 * is.abs();
                let is_none = name == "spread" && said < SMALLEST_B;
                if !(near || is_none) {
                    return Err(format!("a {name} of {said} beside coefficients whose {name} is {is}"));
                }
            }
        }
        let errors = self.errors.iter().flat_map(|of| [of.pawn_value, of.spread].into_iter().chain(of.objective));
        let of_points = self.curve.iter().flat_map(|point| point.a_error.into_iter().chain(point.b_error));
        let of_weights = self.errors.iter().flat_map(|of| of.a.iter().chain(&of.b).flatten().copied());
        if let Some(error) = errors.chain(of_points).chain(of_weights).find(|error| *error < 0.0) {
            return Err(format!("a standard error of {error}"));
        }
        let losses = self.shapes.iter().filter_map(|shape| shape.held_out_log_loss).chain(self.held_out_log_loss);
        if let Some(loss) = losses.into_iter().find(|loss| *loss < 0.0) {
            return Err(format!("a log loss of {loss} on games held out, expected 0 or more"));
        }
        self.check_derived()?;
        self.check_sizes()?;
        self.check_calibration()?;
        if let Some((errors, of)) = self.errors.as_ref().zip(self.intervals_95.as_ref()) {
            for (error, [low, high]) in [(errors.pawn_value, of.pawn_value), (errors.spread, of.spread)] {
                if high - low < 2.0 * LEAST_REACH * error {
                    return Err(format!("an interval of {low} to {high} beside a standard error of {error}"));
                }
            }
        }
        let around = |[low, high]: [f64; 2], value: f64| low <= value && value <= high;
        if let Some(of) = &self.intervals_95
            && !(around(of.pawn_value, self.pawn_value) && around(of.spread, self.spread))
        {
            return Err("an interval that does not hold its figure".to_owned());
        }
        // A model that has run away has negative draw rates.
        let is_rate = |rate: f64| (-1.0..=1.0 + 1e-9).contains(&rate);
        let rates = self.calibration.iter().flat_map(rates_of);
        if let Some(rate) = rates.chain(self.draw_rate_at_0).find(|rate| !is_rate(*rate)) {
            return Err(format!("a rate of {rate}"));
        }
        let Retained { wins, draws, losses } = self.retained;
        match [wins, draws, losses].into_iter().find(|count| *count < 0.0) {
            Some(count) => Err(format!("{count} positions")),
            None => Ok(()),
        }
    }

    /// No fit of so many positions is surer than if each was a game of its own. Where blocks are few or may be alike, an error can be
    /// anything; where b is at its least, or the search has not moved, it does not vary.
    fn check_sizes(&self) -> Result<(), String> {
        let Some(errors) = &self.errors else { return Ok(()) };
        let Retained { wins, draws, losses } = self.retained;
        let positions = wins + draws + losses;
        let b = self.curve.iter().fold(self.spread, |least, point| least.min(point.b));
        if !self.converged
            || self.blocks < FEWEST_EVENTS
            || positions <= self.blocks as f64 * ALIKE as f64
            || b <= SMALLEST_B
        {
            return Ok(());
        }
        // A result tells at most 1/(2 b^2) of a, and less than 1/b^2 of b; a tenth leaves room for errors that are low by chance.
        let least = 0.1 * b / positions.sqrt();
        match [errors.pawn_value, errors.spread].into_iter().find(|error| *error < least) {
            Some(error) => Err(format!(
                "a standard error of {error} from {positions} positions, which tell nothing that exactly: expected {least:.3} at the very least"
            )),
            None => Ok(()),
        }
    }

    /// The bins of the calibration are of all positions, each from both sides, from the least predicted win rate to the highest.
    fn check_calibration(&self) -> Result<(), String> {
        let bins = &self.calibration;
        let Retained { wins, draws, losses } = self.retained;
        let positions = wins + draws + losses;
        if bins.is_empty() || positions <= 0.0 {
            return Ok(());
        }
        if let Some(sides) = bins.iter().map(|bin| bin.sides).find(|sides| *sides <= 0.0) {
            return Err(format!("a calibration over {sides} sides of positions"));
        }
        if !bins.is_sorted_by(|one, other| one.predicted_win <= other.predicted_win) {
            return Err("a calibration whose bins are not in the order of what they predict".to_owned());
        }
        let sum = |of: fn(&CalibrationBin) -> f64| bins.iter().map(|bin| bin.sides * of(bin)).sum::<f64>();
        for (name, said, is) in [
            ("sides", sum(|_| 1.0), 2.0 * positions),
            ("wins", sum(|bin| bin.observed_win), wins + losses),
            ("draws", sum(|bin| bin.observed_draw), 2.0 * draws),
        ] {
            // As exact as sums of billions are.
            if (said - is).abs() > 1e-6 * positions {
                return Err(format!(
                    "a calibration with {said:.0} {name} where its positions, each from both sides, have {is:.0}"
                ));
            }
        }
        Ok(())
    }

    /// What is worked out of the pawn value, the spread and the coefficients is what they give.
    fn check_derived(&self) -> Result<(), String> {
        let is_near = |said: f64, is: f64| (said - is).abs() <= 1e-3 * (1.0 + is.abs());
        if self.pawn_value.is_finite() && self.spread >= SMALLEST_B {
            let bare = Model::bare(self.mom_type, self.mom_target, self.pawn_value, self.spread);
            let draw_rate = ("draw rate", " at 0", self.draw_rate_at_0, bare.draw_rate_at_0);
            let spread = ("normalised spread", "", self.normalized_spread, bare.normalized_spread);
            for (name, place, said, is) in [draw_rate, spread] {
                if let (Some(said), Some(is)) = (said, is)
                    && !is_near(said, is)
                {
                    return Err(format!("a {name} of {said}{place} where pawn value and spread give {is}"));
                }
            }
        }
        // With a time control the coefficients are those of another one than the curve.
        let Some(cubics) = self.cubics().filter(|_| !self.by_time_control) else { return Ok(()) };
        for point in &self.curve {
            let at = point.mom / self.mom_target;
            for (name, said, cubic) in [("an a", point.a, cubics.a), ("a b", point.b, cubics.b)] {
                let is = cubic.at(at);
                // A model that has run away has large coefficients that nearly cancel each other.
                let rounded = 1e-9 * Cubic(cubic.0.map(f64::abs)).at(at.abs());
                if !(is_near(said, is) || (said - is).abs() <= rounded || name == "a b" && is < SMALLEST_B) {
                    return Err(format!("a curve with {name} of {said} where its coefficients give {is}"));
                }
            }
        }
        Ok(())
    }

    /// The text of the file.
    #[must_use]
    pub fn to_json(&self) -> String {
        let text = serde_json::to_string_pretty(self).expect("named fields of numbers and texts are JSON");
        text + "\n"
    }
}

fn rates_of(bin: &CalibrationBin) -> [f64; 4] {
    [bin.predicted_win, bin.observed_win, bin.predicted_draw, bin.observed_draw]
}

#[cfg(test)]
mod tests {
    use super::super::{CurvePoint, Errors, Intervals};
    use super::*;

    const A: [f64; 4] = [-60.0, 150.0, -180.0, 190.0];
    const B: [f64; 4] = [10.0, -30.0, 40.0, 25.0];

    #[test]
    fn a_model_comes_back_from_its_file() {
        let model = Model::from_coefficients(Mom::Material, 58.0, A, B);
        let text = model.to_json();
        assert!(
            text.starts_with("{\n  \"format\": \"wdl-model\",\n  \"version\": 1,\n  \"pawn_value\": 100.0"),
            "{text}"
        );
        assert_eq!(Model::from_json(&text).expect("a model"), model);
        assert_eq!(model.to_cp(58.0, 100.0), 100.0);
        assert_eq!(model.to_internal(30.0, model.to_cp(30.0, 77.0)).round(), 77.0);
        assert_eq!(model.wdl(58.0, 100.0).win, 0.5);
        assert!(model.constants().contains("as[] = {-60.00000000, 150.00000000, -180.00000000, 190.00000000};"));
    }

    #[test]
    fn a_model_that_has_run_away_is_no_code() {
        use crate::wdl::ModelFormat;
        for (pawn, is_code) in [(100.0, true), (4.2e12, false), (-3.0, false), (f64::NAN, false)] {
            let model = Model { pawn_value: pawn, ..Model::from_coefficients(Mom::Material, 58.0, A, B) };
            for format in [ModelFormat::Header, ModelFormat::Rust] {
                match format.text(&model) {
                    Ok(text) => assert!(is_code && text.contains("190.0"), "{pawn}"),
                    Err(error) => {
                        assert!(
                            !is_code && error.to_string().contains("expected 1 to 100,000 internal units"),
                            "{error}"
                        );
                    }
                }
            }
            assert!(ModelFormat::Json.text(&model).is_ok());
        }
    }

    #[test]
    fn files_of_earlier_programs_are_read() {
        let text = r#"{ "pawn_value": 100.0, "spread": 45.0, "errors": null, "mom_type": "move", "mom_target": 32.0,
            "shape": "spline", "curve": [{ "mom": 10, "a": 50.0, "b": 40.0 }, { "mom": 20, "a": 70.0, "b": 44.0 }] }"#;
        let model = Model::from_json(text).expect("a model");
        let at = |mom| (model.win_rate_params(mom).a, model.win_rate_params(mom).b);
        assert_eq!((at(5.0), at(10.0), at(15.0), at(99.0)), ((50.0, 40.0), (50.0, 40.0), (60.0, 42.0), (70.0, 44.0)));
        assert_eq!(model.constants(), "");
        assert_eq!(model.anchor().map(|point| point.mom), Some(20.0));
    }

    /// A model of 32 blocks with figures beside its parameters, all of which agree, and what is said where one of them does not.
    #[test]
    fn figures_that_are_not_those_of_the_model_are_refused() {
        let good = Model {
            errors: Some(Errors { pawn_value: 5.0, spread: 4.0, objective: None, a: Vec::new(), b: Vec::new() }),
            intervals_95: Some(Intervals {
                pawn_value: [89.8, 110.2],
                spread: [37.5, 54.0],
                a: Vec::new(),
                b: Vec::new(),
            }),
            curve: vec![CurvePoint { mom: 58.0, a: 100.0, b: 45.0, a_error: None, b_error: None }],
            ..Model::from_coefficients(Mom::Material, 58.0, A, B)
        };
        assert!(Model::from_json(&good.to_json()).is_ok());
        let refused = |change: fn(&mut Model), said: &str| {
            let mut model = good.clone();
            change(&mut model);
            let error = Model::from_json(&model.to_json()).expect_err(said).to_string();
            assert!(error.contains(said), "{error}");
        };
        let narrow = "an interval of 99.9 to 100.1 beside a standard error of 5";
        refused(|model| model.intervals_95.as_mut().expect("intervals").pawn_value = [99.9, 100.1], narrow);
        let narrow = "an interval of 44.9 to 45.1 beside a standard error of 4";
        refused(|model| model.intervals_95.as_mut().expect("intervals").spread = [44.9, 45.1], narrow);
        refused(
            |model| model.draw_rate_at_0 = Some(0.05),
            "a draw rate of 0.05 at 0 where pawn value and spread give 0.",
        );
        refused(
            |model| model.normalized_spread = Some(0.01),
            "a normalised spread of 0.01 where pawn value and spread give 0.45",
        );
        refused(
            |model| model.held_out_log_loss = Some(-0.1),
            "a log loss of -0.1 on games held out, expected 0 or more",
        );
        refused(|model| model.curve[0].a = 300.0, "a curve with an a of 300 where its coefficients give 100");
        refused(|model| model.curve[0].b = 30.0, "a curve with a b of 30 where its coefficients give 45");
    }

    #[test]
    fn what_is_no_model_is_refused() {
        let good = Model::from_coefficients(Mom::Material, 58.0, A, B).to_json();
        for (text, said) in [
            ("{}".to_owned(), "missing field `pawn_value`"),
            (good.replace("\"version\": 1", "\"version\": 2"), "version 2 of the format, this program reads version 1"),
            (good.replace("\"mom_min\": 0", "\"mom_min\": 79").replace("4294967295", "78"), "the wrong way round"),
            (good.replace("58.0", "0.0"), "its anchor is not above 0"),
            (good.replace("\"as\"", "\"cs\""), "expected four coefficients of a and of b, or their curve"),
            (good.replace("\"material\"", "\"phase\""), "unknown variant `phase`"),
            (
                good.replace("\"pawn_value\": 100.0", "\"pawn_value\": 300.0"),
                "a pawn value of 300 beside coefficients whose pawn value is 100",
            ),
            (
                good.replace("\"spread\": 45.0", "\"spread\": 54.0"),
                "a spread of 54 beside coefficients whose spread is 45",
            ),
            (
                good.replace("\"errors\": null", "\"errors\": { \"pawn_value\": -1.0, \"spread\": 1.0 }"),
                "a standard error of -1",
            ),
            (good.replace("\"draw_rate_at_0\": 0", "\"draw_rate_at_0\": 7"), "a draw rate of 7.8"),
            (good.replace("\"wins\": 0.0", "\"wins\": -5.0"), "-5 positions"),
        ] {
            let error = Model::from_json(&text).expect_err(said).to_string();
            assert!(error.contains(said), "{error}");
        }
    }

    /// Errors that no games can give, and a calibration of other positions than those of the fit.
    #[test]
    fn errors_and_calibrations_that_no_positions_have_are_refused() {
        let bin = |sides, predicted_win, observed_win, observed_draw| CalibrationBin {
            sides,
            predicted_win,
            observed_win,
            predicted_draw: 0.5,
            observed_draw,
        };
        let good = Model {
            errors: Some(Errors { pawn_value: 5.0, spread: 4.0, objective: None, a: Vec::new(), b: Vec::new() }),
            blocks: 32,
            converged: true,
            retained: Retained { wins: 25_000.0, draws: 50_000.0, losses: 25_000.0 },
            calibration: vec![bin(100_000.0, 0.05, 0.0, 0.5), bin(100_000.0, 0.55, 0.5, 0.5)],
            ..Model::from_coefficients(Mom::Material, 58.0, A, B)
        };
        let read = |change: fn(&mut Model)| {
            let mut model = good.clone();
            change(&mut model);
            Model::from_json(&model.to_json()).map(|_| ()).map_err(|error| error.to_string())
        };
        assert_eq!(read(|_| ()), Ok(()));
        let refused = |change, said: &str| {
            let error = read(change).expect_err(said);
            assert!(error.contains(said), "{error}");
        };
        // 45 / sqrt(100,000) / 10
        let exact = "a standard error of 0 from 100000 positions, which tell nothing that exactly: expected 0.014 at the very least";
        refused(|model| model.errors.as_mut().expect("errors").pawn_value = 0.0, exact);
        refused(|model| model.errors.as_mut().expect("errors").spread = 0.0, exact);
        // Few positions may be alike in all blocks, two blocks by chance, and a search that has not moved does not vary.
        for change in [
            (|model| {
                model.retained = Retained { wins: 5_000.0, draws: 10_000.0, losses: 5_000.0 };
                model.calibration.clear();
            }) as fn(&mut Model),
            |model| model.blocks = 2,
            |model| model.converged = false,
        ] {
            let mut model = good.clone();
            change(&mut model);
            model.errors.as_mut().expect("errors").pawn_value = 0.0;
            assert!(Model::from_json(&model.to_json()).is_ok());
        }
        let said = "a calibration with 60000 wins where its positions, each from both sides, have 50000";
        refused(|model| model.calibration[0].observed_win = 0.1, said);
        let said = "a calibration with 120000 draws where its positions, each from both sides, have 100000";
        refused(|model| model.calibration[1].observed_draw = 0.7, said);
        let said = "a calibration with 250000 sides where its positions, each from both sides, have 200000";
        refused(|model| model.calibration[1].sides = 150_000.0, said);
        refused(|model| model.calibration[0].predicted_win = 0.6, "not in the order of what they predict");
    }
}
