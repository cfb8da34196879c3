//! Names of logs that nobody has named, which of them is resumed, and the seed that a log has.

use std::fmt;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value;
use shakmaty::CastlingMode;

use super::engine::Engine;
use super::error::ContestError;
use super::gauntlet::file_name;
use super::players::Making;
use super::terms::{Ground, Openings, Terms};
use super::{Contest, new_seed};
use crate::arena::{Book, BookRule, Logged, Setup, Side, difference};
use drawish_games::pgn::{EvalDoubts, OddWords};

/// The log of games for which none is named.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct DefaultLog {
    /// The log.
    pub path: PathBuf,
    /// Older logs that are resumed by the same setup: of several the newest is taken.
    pub others: Vec<PathBuf>,
}

/// A sentence without its full stop: which of several logs is resumed.
impl fmt::Display for DefaultLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let others: Vec<_> = self.others.iter().map(|path| path.display().to_string()).collect();
        let path = self.path.display();
        write!(f, "resuming {path}, the newest log with this setup; it is also that of {}", others.join(", "))
    }
}

/// The seed of a match that has been logged, if it can be read.
pub(crate) fn seed_of(log: &Path) -> Option<u64> {
    let text = fs::read_to_string(log).ok()?;
    serde_json::from_str::<Value>(text.lines().next()?).ok()?["seed"].as_u64()
}

/// `stem.jsonl` where the program runs, or with the first number from 2 whose file is not there. What is resumed has the newest of
/// the files that are there and whose first line differs in nothing; `differs` says how a first line does, and is only made to
/// choose between several.
///
/// # Errors
///
/// If there are several and none of them fits.
pub(crate) fn default_log<Differs: Fn(&[u8]) -> Option<String>>(
    stem: &str,
    resume: bool,
    differs: impl FnOnce() -> Result<Differs, ContestError>,
) -> Result<DefaultLog, ContestError> {
    let name = |number: u32| match number {
        1 => PathBuf::from(format!("{stem}.jsonl")),
        _ => PathBuf::from(format!("{stem}-{number}.jsonl")),
    };
    let there: Vec<PathBuf> = (1..).map(name).take_while(|path| path.exists()).collect();
    let taken = |path| Ok(DefaultLog { path, others: Vec::new() });
    match (resume, there.as_slice()) {
        (false, _) | (true, []) => taken(name(u32::try_from(there.len()).unwrap_or(u32::MAX).saturating_add(1))),
        (true, [only]) => taken(only.clone()),
        (true, _) => choose(there, differs()?),
    }
}

/// The newest of these logs that fits.
fn choose(logs: Vec<PathBuf>, differs: impl Fn(&[u8]) -> Option<String>) -> Result<DefaultLog, ContestError> {
    let (mut fitting, mut differences) = (Vec::new(), Vec::new());
    for path in logs {
        match first_line(&path).map_or_else(|error| Some(error.to_string()), |line| differs(&line)) {
            None => fitting.push(path),
            Some(difference) => differences.push(format!("{}: {difference}", path.display())),
        }
    }
    match fitting.pop() {
        Some(path) => Ok(DefaultLog { path, others: fitting }),
        None => Err(ContestError::NoLogFits { differences: differences.join("; ") }),
    }
}

fn first_line(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut line = Vec::new();
    BufReader::new(File::open(path)?).read_until(b'\n', &mut line)?;
    Ok(line)
}

/// How what was logged differs from what is asked for, in the first field.
pub(crate) fn difference_in_words<T: Serialize>(logged: &T, asked: &T) -> Option<String> {
    difference(logged, asked).map(|difference| difference.to_string())
}

impl Terms {
    /// What games are on these terms, without playing them: random openings are counted and not made. `sides` makes sides of engines.
    pub(crate) fn outline<Sides>(
        &self,
        sides: impl FnOnce(&dyn Fn(&Engine) -> Result<Side, ContestError>) -> Result<Sides, ContestError>,
    ) -> Result<Setup<Sides>, ContestError> {
        let seed = self.seed.unwrap_or_else(new_seed);
        let book = match &self.openings {
            Openings::Random(plies) => Book {
                name: format!("random:{plies}"),
                digest: 0,
                rule: BookRule::default(),
                openings: Vec::new(),
                castling: CastlingMode::Standard,
                chess960: 0,
                duplicates: 0,
                rejected: Vec::new(),
                odd_words: OddWords::default(),
                eval_doubts: EvalDoubts::default(),
            },
            _ => self.book(seed, self.pairs)?,
        };
        let making = Making::new(self, book.castling)?;
        let sides = sides(&|engine| Ok(making.players(engine)?.side(self.limits_of(engine)?)))?;
        let mut setup = Ground { book, seed, syzygy: self.syzygy()? }.setup_of(sides, self);
        if let (Openings::Random(_), Some(pairs)) = (&self.openings, self.pairs) {
            setup.openings = pairs;
        }
        Ok(setup)
    }

    /// The outline as games begun with the setup of a log would have it: with its seed, unless another is asked for, and with its
    /// random openings, which follow from seed and number.
    pub(crate) fn begun_as<Sides: Clone>(&self, outline: &Setup<Sides>, logged: &Setup<Sides>) -> Setup<Sides> {
        let mut setup = outline.clone();
        setup.seed = self.seed.unwrap_or(logged.seed);
        if matches!(self.openings, Openings::Random(_)) {
            setup.book_digest.clone_from(&logged.book_digest);
        }
        setup
    }
}

impl Contest {
    /// The log of a match for which none is named: it is called after both engines and lies where the program runs, with a number if
    /// a log of that name is there. A match that is resumed has the newest of these logs whose setup is its own.
    ///
    /// # Errors
    ///
    /// If the match is resumed and there are several logs, but none of this setup; or the match cannot begin as it is described.
    pub fn default_log(&self) -> Result<DefaultLog, ContestError> {
        let [one, two] = self.engines.each_ref().map(|engine| file_name(&engine.name));
        default_log(&format!("{one}-{two}"), self.resume, || {
            let [one, two] = &self.engines;
            let outline = self.terms.outline(|side| Ok([side(one)?, side(two)?]))?;
            Ok(move |line: &[u8]| match Logged::read(line) {
                Ok(Logged { setup, .. }) => difference_in_words(&setup, &self.terms.begun_as(&outline, &setup)),
                Err(error) => Some(error.to_string()),
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_log_that_fits_is_taken() {
        let directory = std::env::temp_dir().join(format!("drawish-default-log-{}", std::process::id()));
        fs::create_dir_all(&directory).expect("a directory");
        let stem = directory.join("a-b");
        let path = |name: &str| directory.join(name);
        let log = |resume, wanted: &'static str| {
            let differs = |line: &[u8]| {
                let line = String::from_utf8_lossy(line).trim().to_owned();
                (line != wanted).then(|| format!("it was {line}"))
            };
            default_log(&stem.display().to_string(), resume, || Ok(differs))
        };
        let taken = |path: PathBuf, others: &[PathBuf]| DefaultLog { path, others: others.to_vec() };
        assert_eq!(log(true, "x").expect("a name"), taken(path("a-b.jsonl"), &[]), "a new one");
        fs::write(path("a-b.jsonl"), "x\n").expect("a file");
        assert_eq!(log(true, "y").expect("a name"), taken(path("a-b.jsonl"), &[]), "the only one says how it differs");
        fs::write(path("a-b-2.jsonl"), "y\nmore\n").expect("a file");
        fs::write(path("a-b-3.jsonl"), "x\n").expect("a file");
        assert_eq!(log(false, "x").expect("a name"), taken(path("a-b-4.jsonl"), &[]));
        assert_eq!(log(true, "y").expect("a name"), taken(path("a-b-2.jsonl"), &[]));
        let both = log(true, "x").expect("a name");
        assert_eq!(both, taken(path("a-b-3.jsonl"), &[path("a-b.jsonl")]));
        assert!(
            both.to_string().contains("a-b-3.jsonl, the newest log with this setup; it is also that of "),
            "{both}"
        );
        let error = log(true, "z").expect_err("none fits").to_string();
        for said in ["a-b.jsonl: it was x; ", "a-b-2.jsonl: it was y; ", "a-b-3.jsonl: it was x; repeat"] {
            assert!(error.contains(said), "{error}");
        }
        fs::remove_dir_all(&directory).expect("it goes");
    }
}
