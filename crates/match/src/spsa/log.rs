//! The log of tuning: a line of JSON for what is tuned and how, then a line for each step. It is only ever appended to, so a killed
//! run loses the steps that were being played and nothing else.
//!
//! # Stability
//!
//! The first line has `"spsa":1`, the number of the format, and the fields of [`SpsaSetup`]; the others are [`StepRecord`]s, each with
//! `chain` as the last field: XXH3-64 of the line without it, with the link of the line before as the seed, as in the log of a match.
//! A change to either is a new number of the format. `identical` counts the pairs of a step with the same moves in both games; logs of
//! early builds do not have it.

// What a file holds must not wrap.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path as FilePath, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use super::parameter::Parameter;
use crate::arena::{Chain, Difference, LogError, Setup, cut, difference, held, lock, open_to_append};
use drawish_artefact::in_words;

/// The format of logs that this program writes.
pub(super) const FORMAT: u64 = 1;

/// More games, or faults, than anything can have played: sums of these fit.
const MOST: u64 = 1 << 53;

/// What is tuned and how: two runs with the same setup continue each other.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SpsaSetup {
    /// The parameters with their first values.
    pub parameters: Vec<Parameter>,
    /// Steps at most, by which the gains are reckoned.
    pub steps: u64,
    /// Pairs of games in each step.
    pub pairs_per_step: u64,
    /// Each step is played from the values that stood so many steps before its end.
    pub lag: u64,
    /// What plays, from which openings, by which rules. Both sides are the engine that is tuned.
    #[serde(flatten)]
    pub games: Setup,
}

/// A step: what was played and where it has led.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StepRecord {
    /// Its number, from 1.
    pub step: u64,
    /// The values of one side, in the order of the parameters.
    #[serde(serialize_with = "short")]
    pub plus: Vec<f64>,
    /// The values of the other.
    #[serde(serialize_with = "short")]
    pub minus: Vec<f64>,
    /// The result of each game for the first, `W`, `D` or `L`: of each opening first the game in which it had White.
    pub games: String,
    /// Games that ended by a fault of the engine, whose pairs were played again.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub faults: u64,
    /// Pairs in which both games had the same moves; `None` where an early build has not written it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identical: Option<u64>,
    /// The values after the step.
    pub values: Vec<f64>,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// Whole numbers without a point.
fn short<S: serde::Serializer>(values: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(values.iter().map(|&value| {
        let is_whole = value.fract() == 0.0 && value.abs() < 1e15;
        #[cfg_attr(not(test), expect(clippy::cast_possible_truncation, reason = "whole and below 10^15"))]
        if is_whole { Value::from(value as i64) } else { Value::from(value) }
    }))
}

/// Why a log of tuning cannot be used.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum SpsaLogError {
    #[error("{}: {cause}; choose a place that can be written, with room on the disk", path.display())]
    Io { path: PathBuf, cause: io::Error },
    #[error("{} holds tuning already: choose another log, or resume it", path.display())]
    Exists { path: PathBuf },
    #[error(transparent)]
    Lock(LogError),
    #[error("{} is not the log of a tuning run; choose another file", path.display())]
    Foreign { path: PathBuf },
    #[error("{}: expected format {FORMAT}, found {found}; use the drawish that wrote it", path.display())]
    Format { path: PathBuf, found: String },
    #[error(
        "{} is the log of another tuning run: {difference}; repeat the same arguments and parameters, or choose another log",
        path.display()
    )]
    Other { path: PathBuf, difference: Difference },
    #[error("{}: line {line} is damaged: {what}; remove it and all lines after it to play these steps again", path.display())]
    Damaged { path: PathBuf, line: usize, what: String },
}

/// An open log, locked while it is open.
#[derive(Debug)]
pub(super) struct SpsaLog {
    path: PathBuf,
    file: File,
    chain: Chain,
}

impl SpsaSetup {
    /// Whether the games of all steps can be counted.
    pub(super) fn is_countable(&self) -> bool {
        self.steps.checked_mul(self.pairs_per_step).is_some_and(|pairs| pairs <= MOST / 2)
    }

    /// The first line of the log, without its end.
    fn header(&self) -> String {
        #[derive(Serialize)]
        struct Header<'a> {
            spsa: u64,
            #[serde(flatten)]
            setup: &'a SpsaSetup,
        }
        serde_json::to_string(&Header { spsa: FORMAT, setup: self }).expect("finite numbers and texts are always JSON")
    }
}

impl SpsaLog {
    /// Opens a log and reads its steps; begins one where there is none. A line that was not written to its end is cut off.
    pub(super) fn open(
        path: &FilePath,
        setup: &SpsaSetup,
        resume: bool,
    ) -> Result<(SpsaLog, Vec<StepRecord>), SpsaLogError> {
        let failed = |cause| SpsaLogError::Io { path: path.to_owned(), cause: in_words(cause) };
        let mut file = open_to_append(path).map_err(failed)?;
        lock(path, &file).map_err(SpsaLogError::Lock)?;
        let text = held(&mut file).map_err(failed)?;
        if !resume && !text.is_empty() {
            return Err(SpsaLogError::Exists { path: path.to_owned() });
        }
        let header = setup.header();
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        if whole == 0 && !header.as_bytes().starts_with(&text) {
            return Err(SpsaLogError::Foreign { path: path.to_owned() });
        }
        let mut chain = Chain::new(header.as_bytes());
        let records = read(path, &text[..whole], setup, &header, &mut chain)?;
        cut(&file, whole as u64).map_err(failed)?;
        let mut log = SpsaLog { path: path.to_owned(), file, chain };
        if whole == 0 {
            log.line(&header)?;
        }
        Ok((log, records))
    }

    /// Appends a step.
    pub(super) fn append(&mut self, record: &StepRecord) -> Result<(), SpsaLogError> {
        let line = serde_json::to_string(record).expect("finite numbers and texts are always JSON");
        let line = self.chain.link(&line);
        self.line(&line)
    }

    fn line(&mut self, line: &str) -> Result<(), SpsaLogError> {
        let failed = |cause| SpsaLogError::Io { path: self.path.clone(), cause };
        self.file.write_all(format!("{line}\n").as_bytes()).and_then(|()| self.file.flush()).map_err(failed)
    }
}

fn read(
    path: &FilePath,
    text: &[u8],
    setup: &SpsaSetup,
    header: &str,
    chain: &mut Chain,
) -> Result<Vec<StepRecord>, SpsaLogError> {
    let mut lines = text.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    let Some(first) = lines.next() else { return Ok(Vec::new()) };
    if first != header.as_bytes() {
        return Err(other(path, first, header));
    }
    let (records, damage) = steps(lines, setup, chain);
    match damage {
        Some((line, what)) => Err(SpsaLogError::Damaged { path: path.to_owned(), line, what }),
        None => Ok(records),
    }
}

/// The steps in the lines behind the first; up to a damaged line, with its number and what is wrong with it.
pub(super) fn steps<'a>(
    lines: impl Iterator<Item = &'a [u8]>,
    setup: &SpsaSetup,
    chain: &mut Chain,
) -> (Vec<StepRecord>, Option<(usize, String)>) {
    let mut records: Vec<StepRecord> = Vec::new();
    let mut faults = 0_u64;
    for (line, number) in lines.zip(2..) {
        match step(line, records.len() as u64 + 1, setup, chain) {
            Ok(record) => {
                faults = faults.saturating_add(record.faults);
                if faults > MOST {
                    return (records, Some((number, format!("more than {MOST} games that ended by a fault in all"))));
                }
                records.push(record);
            }
            Err(what) => return (records, Some((number, what))),
        }
    }
    (records, None)
}

/// The step of this number in a line; else what is wrong with the line.
fn step(line: &[u8], expected: u64, setup: &SpsaSetup, chain: &mut Chain) -> Result<StepRecord, String> {
    let record: StepRecord = serde_json::from_slice(line).map_err(|error| error.to_string())?;
    if record.step != expected {
        return Err(format!("expected step {expected}, found step {}", record.step));
    }
    let parameters = setup.parameters.len();
    let has_all = [&record.plus, &record.minus, &record.values].iter().all(|values| values.len() == parameters);
    if !has_all || record.games.len() as u64 != 2 * setup.pairs_per_step {
        return Err(format!("expected {parameters} values and {} games", 2 * setup.pairs_per_step));
    }
    if record.games.bytes().any(|game| !matches!(game, b'W' | b'D' | b'L')) {
        return Err(format!("expected W, D and L for its games, found {:?}", record.games));
    }
    if record.identical.is_some_and(|identical| identical > setup.pairs_per_step) {
        return Err(format!("expected {} pairs with the same moves at most", setup.pairs_per_step));
    }
    if !chain.holds(line) {
        return Err("it was changed after it was written, or a line before it".to_owned());
    }
    Ok(record)
}

/// Why a first line is not that of this run.
fn other(path: &FilePath, first: &[u8], header: &str) -> SpsaLogError {
    let path = path.to_owned();
    let (before, now) = (serde_json::from_slice::<Value>(first), serde_json::from_str::<Value>(header));
    let (Ok(before), Ok(now)) = (before, now) else { return SpsaLogError::Foreign { path } };
    match before.get("spsa") {
        None => SpsaLogError::Foreign { path },
        Some(format) if *format != FORMAT => SpsaLogError::Format { path, found: format.to_string() },
        Some(_) => match difference(&before, &now) {
            Some(difference) => SpsaLogError::Other { path, difference },
            None => SpsaLogError::Damaged { path, line: 1, what: "its fields are in another order".to_owned() },
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setup() -> SpsaSetup {
        let side = r#"{"name":"a","player":"a","build":null,"options":[],"limits":"10 nodes"}"#;
        let games =
            r#""book":"book","book_digest":"00","openings":3,"plies":null,"seed":1,"rules":{"time_margin_ms":20}"#;
        let text =
            format!(r#"{{"parameters":[],"steps":9,"pairs_per_step":1,"lag":1,"sides":[{side},{side}],{games}}}"#);
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
    }

    #[test]
    fn faults_that_nothing_can_have_counted_are_damage() {
        let mut chain = Chain::new(b"header");
        let mut line = |step, faults| {
            let games = "WD".to_owned();
            let record =
                StepRecord { step, plus: vec![], minus: vec![], games, faults, identical: Some(0), values: vec![] };
            chain.link(&serde_json::to_string(&record).expect("JSON"))
        };
        let lines = [line(1, 7), line(2, u64::MAX - 3), line(3, 9)];
        let (records, damage) = steps(lines.iter().map(String::as_bytes), &setup(), &mut Chain::new(b"header"));
        assert_eq!(records.len(), 1);
        let (line, what) = damage.expect("damage");
        assert!(line == 3 && what.contains("more than 9007199254740992 games that ended by a fault"), "{line}: {what}");
    }

    #[test]
    fn games_beyond_64_bits_are_seen() {
        let of = |steps, pairs_per_step| SpsaSetup { steps, pairs_per_step, ..setup() }.is_countable();
        assert!(of(1 << 40, 1) && of(1, 1 << 52));
        assert!(!of(2, 1 << 63) && !of(1, 1 << 63) && !of(1 << 53, 1));
    }
}
