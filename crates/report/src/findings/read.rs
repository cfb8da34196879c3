//! Reading an input: what it is, by its content, and what is found in it.

use std::io::{self, Read};
use std::path::Path;

use drawish_core::{DrawTable, Scheme, TableError};
use serde_json::Value;
use thiserror::Error;
use twox_hash::XxHash3_128;

use super::matches::Wanted;
use super::{Bands, Findings, MatchFindings, Structures, WdlFinding};
use drawish_games::counts::{CountsError, CountsFile};
use drawish_games::fit::{Evaluation, Subject};
use drawish_games::pgn::{Input, file_digest};
use drawish_games::smooth::{Estimator, SmoothError};
use drawish_heads::heads::{HeadError, HeadsFile};
use drawish_match::arena::{Logged, LoggedError};
use drawish_stats::SprtError;

/// An input that was read, for the account at the end of a report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputFile {
    /// Name without directories.
    pub name: String,
    /// What it is, as in `counts`.
    pub kind: &'static str,
    /// Length in bytes, packed as it is.
    pub bytes: u64,
    /// XXH3-128 of the file, packed as it is.
    pub digest: u128,
    /// The program that made it, where the file says so.
    pub made_by: String,
    /// Where its numbers come from: rule, inputs, book, limits.
    pub origin: Vec<String>,
}

impl InputFile {
    fn new(name: &str, bytes: &[u8]) -> InputFile {
        InputFile {
            name: name.to_owned(),
            kind: "",
            bytes: bytes.len() as u64,
            digest: XxHash3_128::oneshot(bytes),
            made_by: String::new(),
            origin: Vec::new(),
        }
    }
}

/// Why an input cannot be shown.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum ReadError {
    #[error("cannot be read: {0}; check the name")]
    Io(#[from] io::Error),
    #[error(transparent)]
    Counts(#[from] CountsError),
    #[error(transparent)]
    Table(#[from] TableError),
    #[error(transparent)]
    Heads(#[from] HeadError),
    #[error(transparent)]
    Log(#[from] LoggedError),
    #[error(transparent)]
    Smooth(#[from] SmoothError),
    #[error("the test cannot be made of its results: {0}")]
    Sprt(#[from] SprtError),
    #[error("{0}")]
    Json(String),
    #[error("the file is empty; make it again")]
    Empty,
    #[error("these are {what}, which are not shown as they are; {remedy}")]
    Step { what: &'static str, remedy: &'static str },
    #[error(
        "expected counts, a table, heads, a WDL fit, an evaluation or the log of a match, found something else; see \
         `drawish report --help`"
    )]
    Unknown,
}

/// Results that are shown for one scheme only.
const SCHEME: Scheme = Scheme::Bg;

/// All structures of so many inputs are shown, each about 0.17 MB: with more a page would be larger than 2 MB.
const MOST_STRUCTURES: usize = 6;

impl Findings {
    /// Reads an input, recognised by its content, and adds what it tells; or a note that says why it tells nothing. Row files are
    /// not read here.
    pub fn read(&mut self, path: &Path, estimator: Estimator, wanted: Wanted) {
        let name = Input::File(path.to_owned()).name();
        let read = std::fs::read(path)
            .map_err(ReadError::Io)
            .and_then(|bytes| self.take(path, &name, &bytes, estimator, wanted));
        match read {
            Ok(input) => self.inputs.push(input),
            Err(error @ ReadError::Step { .. }) => self.remark(&name, error.to_string()),
            Err(error) => self.fault(&name, error.to_string()),
        }
    }

    /// Adds draw rates by structure and evaluation, which are counted from a row file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read for its digest.
    pub fn add_bands(&mut self, path: &Path, bands: Bands, made_by: &str, rule: &str) -> Result<(), ReadError> {
        let (digest, bytes) = file_digest(path)?;
        self.inputs.push(InputFile {
            name: bands.name.clone(),
            kind: "rows",
            bytes,
            digest,
            made_by: made_by.to_owned(),
            origin: vec![format!("rule {rule}")],
        });
        self.bands.push(bands);
        Ok(())
    }

    /// Adds comparisons of models; `bytes` is the file that holds them, for the account of the inputs.
    pub fn add_evaluations(&mut self, name: &str, bytes: &[u8], tables: Vec<(Subject, Evaluation)>) {
        let mut input = InputFile::new(name, bytes);
        let tables = tables.into_iter().map(|(subject, evaluation)| (subject.name().to_owned(), evaluation)).collect();
        self.evaluations(&mut input, tables);
        self.inputs.push(input);
    }

    fn take(
        &mut self,
        path: &Path,
        name: &str,
        bytes: &[u8],
        estimator: Estimator,
        wanted: Wanted,
    ) -> Result<InputFile, ReadError> {
        let mut input = InputFile::new(name, bytes);
        match bytes {
            [] => return Err(ReadError::Empty),
            [b'D', b'R', b'A', b'W', b'C', b'N', b'T', ..] => self.counts(&mut input, bytes, estimator)?,
            [b'D', b'R', b'A', b'W', b'T', b'B', b'L', ..] => self.table(&mut input, bytes)?,
            [b'D', b'R', b'A', b'W', b'W', b'D', b'L', ..] => {
                return Err(ReadError::Step {
                    what: "WDL counts",
                    remedy: "fit a model to them by `drawish wdl fit FILE --json > model.json` and give that",
                });
            }
            [b'P', b'A', b'R', b'1', ..] => {
                return Err(ReadError::Step {
                    what: "rows",
                    remedy: "this build has no data frames: build drawish with the feature `frames`",
                });
            }
            _ => {
                let mut text = Vec::new();
                let mut open = Input::File(path.to_owned()).open()?;
                // A packed log that is still being written has no end: what stands in it so far is used.
                let ended = open.read_to_end(&mut text);
                match ended {
                    Err(error) if text.is_empty() => return Err(error.into()),
                    Err(_) => self.remark(name, "the packed file breaks off; what can be unpacked of it is shown"),
                    Ok(_) => {}
                }
                self.text(&mut input, &text, wanted)?;
            }
        }
        Ok(input)
    }

    fn text(&mut self, input: &mut InputFile, text: &[u8], wanted: Wanted) -> Result<(), ReadError> {
        let beginning = text.trim_ascii_start();
        if beginning.starts_with(b"[Event ") {
            return Err(ReadError::Step {
                what: "games",
                remedy: "count them by `drawish collect FILE -o games.counts` and give the counts",
            });
        }
        if !beginning.starts_with(b"{") {
            let text = std::str::from_utf8(text).map_err(|_| ReadError::Unknown)?;
            if text.contains("[[inputs]]") && !text.contains("format = \"heads\"") && text.contains("rule = ") {
                return Err(ReadError::Step {
                    what: "lines of provenance",
                    remedy: "give the table or the counts that they belong to",
                });
            }
            return if text.contains("format = ") { self.heads(input, text) } else { Err(ReadError::Unknown) };
        }
        match Logged::read(text) {
            Ok(logged) => return self.log(input, &logged, wanted),
            Err(LoggedError::Foreign) => {}
            Err(error) => return Err(error.into()),
        }
        let value: Value = serde_json::from_slice(text).map_err(|error| {
            ReadError::Json(format!("JSON that breaks off or is damaged ({error}); make the file again"))
        })?;
        if value.get("pawn_value").is_some() {
            self.wdl(input, value)
        } else if value.as_object().is_some_and(|map| map.values().any(|one| one.get("verdicts").is_some())) {
            self.evaluation(input, value)
        } else {
            Err(ReadError::Unknown)
        }
    }

    fn counts(&mut self, input: &mut InputFile, bytes: &[u8], estimator: Estimator) -> Result<(), ReadError> {
        let file = CountsFile::from_bytes(bytes)?;
        input.kind = "counts";
        input.made_by = file.made_by.join(", ");
        input.origin.push(format!("rule {}", file.rule));
        for shard in &file.shards {
            let (counted, games) = (shard.tally.counted(), shard.tally.games());
            let broken = shard.broken.as_ref().map_or(String::new(), |why| format!("; broken: {why}"));
            input.origin.push(format!(
                "{}, {counted} of {games} games counted, XXH3-128 {:032x}{broken}",
                shard.name, shard.digest
            ));
        }
        if file.counts.scheme() != SCHEME {
            self.other_scheme(&input.name, file.counts.scheme(), "collect with --scheme bg");
            return Ok(());
        }
        let found = Structures::of_counts(&input.name, &file.counts, estimator)?;
        self.add_structures(found);
        Ok(())
    }

    fn table(&mut self, input: &mut InputFile, bytes: &[u8]) -> Result<(), ReadError> {
        let table = DrawTable::from_bytes(bytes)?;
        table.verify()?;
        input.kind = "table";
        let estimator = Estimator::from_id(table.estimator()).map_or("unknown", Estimator::name);
        input.origin.push(format!(
            "scheme {}, estimate {estimator}, from counts with XXH3-128 {:032x}",
            table.scheme(),
            table.source_digest()
        ));
        if table.scheme() != SCHEME {
            self.other_scheme(&input.name, table.scheme(), "make one from counts of --scheme bg");
            return Ok(());
        }
        let found = Structures::of_table(&input.name, &table);
        if found.cells.iter().all(|cell| cell.games.is_none()) {
            self.remark(&input.name, "a slim table: it holds neither intervals nor numbers of games");
        }
        self.add_structures(found);
        Ok(())
    }

    fn add_structures(&mut self, found: Structures) {
        if self.structures.len() < MOST_STRUCTURES {
            self.structures.push(found);
        } else {
            self.remark(
                &found.name,
                format!("structures of {MOST_STRUCTURES} inputs fill a page; make another report for this one"),
            );
        }
    }

    fn other_scheme(&mut self, name: &str, scheme: Scheme, remedy: &str) {
        self.remark(
            name,
            format!(
                "its scheme is {scheme}, {}; pictures of structures are made for {SCHEME}, so it is left out: {remedy}",
                scheme.summary()
            ),
        );
    }

    fn heads(&mut self, input: &mut InputFile, text: &str) -> Result<(), ReadError> {
        let heads = HeadsFile::from_toml(text)?;
        input.kind = "heads";
        input.made_by.clone_from(&heads.made_by);
        let mut rules = heads.rules.clone();
        rules.dedup();
        input.origin.extend(rules.iter().map(|rule| format!("rule {rule}")));
        input.origin.extend(
            heads
                .inputs
                .iter()
                .map(|of| format!("{}, {} of {} games, XXH3-128 {}", of.name, of.counted, of.games, of.xxh3_128)),
        );
        self.heads.push((input.name.clone(), heads));
        Ok(())
    }

    fn log(&mut self, input: &mut InputFile, logged: &Logged, wanted: Wanted) -> Result<(), ReadError> {
        let setup = &logged.setup;
        input.kind = "match log";
        input.origin.push(format!(
            "openings {}: {} different, XXH3-128 {}, seed {}; rules: {}",
            setup.book, setup.openings, setup.book_digest, setup.seed, setup.rules
        ));
        for side in &setup.sides {
            let options: String = side.options.iter().map(|(name, value)| format!(", {name}={value}")).collect();
            let build = side.build.as_ref().map_or(String::new(), |build| format!(", XXH3-128 {build}"));
            input.origin.push(format!("{}: {}, {}{options}{build}", side.name, side.player, side.limits));
        }
        let pairs = logged.pairs.len();
        if let Some((line, what)) = &logged.damage {
            self.fault(
                &input.name,
                format!("line {line} of the log is damaged ({what}); the {pairs} pairs before it are shown"),
            );
        }
        if logged.is_cut {
            let what = "the last line has no end: the match is still being played, or was broken off; it is left out";
            self.remark(&input.name, format!("{what}, {pairs} finished pairs are shown"));
        }
        if pairs == 0 {
            let [one, two] = setup.sides.each_ref().map(|side| &side.name);
            self.remark(
                &input.name,
                format!("no pair of games between {one} and {two} is finished, so there is nothing to say about them"),
            );
        }
        self.matches.push(MatchFindings::of(&input.name, logged, wanted)?);
        Ok(())
    }

    fn wdl(&mut self, input: &mut InputFile, value: Value) -> Result<(), ReadError> {
        let old = |error: serde_json::Error| {
            ReadError::Json(format!("a WDL fit that this version does not read ({error}); fit again with `--json`"))
        };
        let model: WdlFinding = serde_json::from_value(value).map_err(old)?;
        input.kind = "WDL fit";
        input.made_by.clone_from(&model.made_by);
        input.origin.extend(model.inputs.iter().cloned());
        for warning in &model.warnings {
            self.remark(&input.name, warning.clone());
        }
        self.wdl.push(WdlFinding { name: input.name.clone(), ..model });
        Ok(())
    }

    fn evaluation(&mut self, input: &mut InputFile, value: Value) -> Result<(), ReadError> {
        let Value::Object(map) = value else { return Err(ReadError::Unknown) };
        let read = |(title, one): (String, Value)| {
            let evaluation = serde_json::from_value(one).map_err(|error| {
                ReadError::Json(format!(
                    "an evaluation that this version does not read ({error}); make it again by `drawish evaluate --json`"
                ))
            })?;
            Ok((title, evaluation))
        };
        let tables = map.into_iter().map(read).collect::<Result<_, ReadError>>()?;
        self.evaluations(input, tables);
        Ok(())
    }

    fn evaluations(&mut self, input: &mut InputFile, tables: Vec<(String, Evaluation)>) {
        input.kind = "evaluation";
        let mut drawn = false;
        for (title, evaluation) in tables {
            let mut qualities = evaluation.verdicts.iter().flat_map(|verdict| &verdict.qualities);
            drawn |= qualities.any(|quality| quality.calibration.is_some());
            input.origin.push(format!(
                "{title}: {} rows, {} events, {} openings, {} folds of each",
                evaluation.rows, evaluation.events, evaluation.skeletons, evaluation.folds
            ));
            self.evaluations.push((input.name.clone(), title, evaluation));
        }
        if !drawn {
            self.remark(
                &input.name,
                "an evaluation of an earlier version, without the bins of calibration; make it again by `drawish evaluate \
                 --json` to have their pictures",
            );
        }
    }
}
