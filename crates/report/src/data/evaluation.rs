//! Comparisons of models, as `evaluate` writes them.

use drawish_artefact::Kind;
use drawish_artefact::provenance::in_comment;
use drawish_games::fit::Evaluation;
use serde_json::Value;

use super::ReportData;
use super::input::{InputFile, ReadError};

impl ReportData {
    /// Adds evaluations that have just been written as this text: what reading the file again would add.
    pub(crate) fn add_evaluations(
        &mut self,
        name: &str,
        text: &[u8],
        evaluations: impl IntoIterator<Item = (String, Evaluation)>,
    ) {
        let mut input = InputFile::new(name, text);
        self.evaluations_of(&mut input, evaluations);
        self.inputs.push(input);
    }

    /// Adds the evaluations of a file by their titles.
    pub(super) fn evaluation(&mut self, input: &mut InputFile, value: Value) -> Result<(), ReadError> {
        let Value::Object(map) = value else { return Err(ReadError::Unknown) };
        let read = |(title, one)| match serde_json::from_value(one) {
            Ok(evaluation) => Ok((title, evaluation)),
            Err(error) => Err(ReadError::Json(format!(
                "an evaluation that this version does not read ({error}); make it again by `drawish evaluate`"
            ))),
        };
        let evaluations: Vec<_> = map.into_iter().map(read).collect::<Result<_, _>>()?;
        self.evaluations_of(input, evaluations);
        Ok(())
    }

    fn evaluations_of(&mut self, input: &mut InputFile, evaluations: impl IntoIterator<Item = (String, Evaluation)>) {
        input.kind = Kind::Evaluation.name();
        let (mut drawn, mut of_earlier) = (false, false);
        let mut warnings: Vec<String> = Vec::new();
        for (title, evaluation) in evaluations {
            for line in evaluation.warnings.iter().map(|line| in_comment(line)) {
                if !warnings.contains(&line) {
                    warnings.push(line);
                }
            }
            let mut qualities = evaluation.verdicts.iter().flat_map(|verdict| &verdict.qualities);
            drawn |= qualities.any(|quality| quality.calibration.is_some());
            of_earlier |= evaluation.games.is_none() && evaluation.boards == 0;
            input.origin.push(match evaluation.boards {
                0 => format!(
                    "{title}: {} rows, {} events, {} openings, {} folds of each",
                    evaluation.rows, evaluation.events, evaluation.skeletons, evaluation.folds
                ),
                boards => format!(
                    "{title}: {} rows, of which {boards} positions without their games, {} structures, {} folds of each",
                    evaluation.rows, evaluation.skeletons, evaluation.folds
                ),
            });
            self.evaluations.push((input.name.clone(), title, evaluation));
        }
        warnings.into_iter().for_each(|warning| self.remark(&input.name, warning));
        if !drawn {
            self.remark(
                &input.name,
                "an evaluation of an earlier version, without the bins of calibration; make it again by `drawish \
                 evaluate` to have their pictures",
            );
        } else if of_earlier {
            self.remark(
                &input.name,
                "an evaluation of an earlier version, which records neither of how many games its rows are nor its warnings: of positions without \
                 their games errors are too small; make it again by `drawish evaluate`",
            );
        }
    }
}
