//! What a log of tuning holds, read to be looked at: of a run that is over, goes on, or was killed.

// What a file holds must not wrap.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

use serde_json::Value;
use thiserror::Error;

use super::log::{FORMAT, SpsaSetup, steps};
use super::path::Path;
use super::{Response, Sameness, SpsaPlayed, replay};
use crate::arena::Chain;

/// The log of a tuning run.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct SpsaLogged {
    /// What came of the steps up to the first damage. Whether a rule has stopped the run, a log does not say.
    pub played: SpsaPlayed,
    /// Whether the last line has no end: the run goes on, or was killed while it wrote.
    pub is_cut: bool,
    /// Where the log is damaged, and how; nothing behind it was read.
    pub damage: Option<(usize, String)>,
}

/// Why a text is no log of tuning that this program reads.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum SpsaLoggedError {
    #[error("not the log of a tuning run: it does not begin with a line that says what is tuned")]
    Foreign,
    #[error("expected the log of a tuning run of format {FORMAT}, found {0}; read it with the drawish that wrote it")]
    Format(String),
    #[error("the first line of the log cannot be read: {0}")]
    Setup(String),
}

impl SpsaLogged {
    /// Reads the log with this content.
    ///
    /// # Errors
    ///
    /// If the first line does not say what is tuned. Damage behind it is no error: see [`damage`](SpsaLogged::damage).
    pub fn read(text: &[u8]) -> Result<SpsaLogged, SpsaLoggedError> {
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let mut lines = text[..whole].split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        let header = lines.next().ok_or(SpsaLoggedError::Foreign)?;
        let value: Value = serde_json::from_slice(header).map_err(|_| SpsaLoggedError::Foreign)?;
        match value.get("spsa") {
            None => return Err(SpsaLoggedError::Foreign),
            Some(format) if *format != FORMAT => return Err(SpsaLoggedError::Format(format.to_string())),
            Some(_) => {}
        }
        let setup: SpsaSetup =
            serde_json::from_value(value).map_err(|error| SpsaLoggedError::Setup(error.to_string()))?;
        for parameter in &setup.parameters {
            parameter.check().map_err(|what| SpsaLoggedError::Setup(format!("{}: {what}", parameter.name)))?;
        }
        if setup.parameters.is_empty() || setup.steps == 0 || setup.lag == 0 || setup.pairs_per_step == 0 {
            return Err(SpsaLoggedError::Setup("expected at least one parameter, step and pair".to_owned()));
        }
        if !setup.is_countable() {
            let text =
                format!("{} steps of {} pairs are more than anything can play", setup.steps, setup.pairs_per_step);
            return Err(SpsaLoggedError::Setup(text));
        }
        let (records, mut damage) = steps(lines, &setup, &mut Chain::new(header));
        let mut path = Path::new(&setup.parameters);
        let mut played = SpsaPlayed {
            best: Vec::new(),
            path: path.clone(),
            faults: 0,
            sameness: Sameness::default(),
            at_rest: false,
            setup,
        };
        let mut response = Response::new(&played.setup.parameters);
        for record in &records {
            if let Err(what) = replay(&mut path, &played.setup, record) {
                damage = Some((usize::try_from(record.step).unwrap_or(usize::MAX).saturating_add(1), what));
                break;
            }
            response.add(&record.plus, &record.minus, record.score());
            played.faults += record.faults;
            played.sameness.recall(record, played.setup.pairs_per_step);
        }
        played.path = path;
        played.best = response.best();
        Ok(SpsaLogged { played, is_cut: whole < text.len(), damage })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Perturbation, StepRecord};
    use super::*;

    /// A log of three steps, whose checksums are right, each step changed by `forge` before it is written.
    fn logged(forge: impl Fn(&mut StepRecord)) -> SpsaLogged {
        let side = r#"{"name":"a","player":"a","build":null,"options":[],"limits":"10 nodes"}"#;
        let parameter = |name, kind| {
            format!(r#"{{"name":"{name}","kind":"{kind}","value":5,"min":0,"max":9,"c_end":1,"r_end":0.01}}"#)
        };
        let header = format!(
            r#"{{"spsa":1,"parameters":[{},{}],"steps":3,"pairs_per_step":1,"lag":1,"sides":[{side},{side}],"book":"book","#,
            parameter("a", "int"),
            parameter("b", "float")
        ) + r#""book_digest":"00","openings":3,"plies":null,"seed":1,"rules":{"time_margin_ms":20}}"#;
        let setup: SpsaSetup = serde_json::from_str(&header).unwrap_or_else(|error| panic!("{error}: {header}"));
        let (mut path, mut chain) = (Path::new(&setup.parameters), Chain::new(header.as_bytes()));
        let mut text = header + "\n";
        for step in 1..=3 {
            let mut values = path.after(step - 1).to_vec();
            let played = Perturbation::at(&setup.parameters, &values, 1, step, 3);
            played.apply(&setup.parameters, &mut values, 1, step, 3);
            path.push(&values);
            let (plus, minus, games) = (played.plus, played.minus, "WD".to_owned());
            let mut record = StepRecord { step, plus, minus, games, faults: 0, identical: Some(0), values };
            forge(&mut record);
            text += &chain.link(&serde_json::to_string(&record).expect("JSON"));
            text.push('\n');
        }
        SpsaLogged::read(text.as_bytes()).expect("the log of a tuning run")
    }

    #[test]
    fn steps_that_the_seed_and_the_games_do_not_lead_to_are_damage() {
        assert_eq!(logged(|_| {}).damage, None);
        let damage = |forge: fn(&mut StepRecord)| {
            let logged = logged(|record| {
                if record.step == 2 {
                    forge(record)
                }
            });
            assert_eq!(logged.played.path.steps(), 1);
            let (line, what) = logged.damage.expect("damage");
            assert_eq!(line, 3);
            what
        };
        assert!(damage(|record| record.values[1] += 0.001).contains("its games lead to"));
        assert!(damage(|record| record.games = "DL".to_owned()).contains("its games lead to"));
        assert!(damage(|record| record.games = "Wx".to_owned()).contains("expected W, D and L"));
        for forge in [
            (|record| record.plus[0] += 1.0) as fn(&mut StepRecord),
            |record| record.minus[1] = 1e308,
            |record| std::mem::swap(&mut record.plus, &mut record.minus),
        ] {
            assert!(damage(forge).contains("its seed leads to"));
        }
    }
}
