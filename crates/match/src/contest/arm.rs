//! Arms: evaluations of this program's engine, as settings describe them.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use drawish_artefact::Kind;
use drawish_core::TableError;
use drawish_engine::eval::{Arm, Cells, Config, ConfigError, Evaluator, Heads, HeadsError, MAX_CONTEMPT};
use drawish_engine::form::{Form, FormError};
use drawish_engine::search::{Searcher, bench};
use thiserror::Error;

use crate::arena::{Player, SearchPlayer};
use drawish_artefact::in_words;

/// MiB of the transposition table of an arm that says nothing of it. Some thousand nodes a move do not fill more, and what is not
/// there need not be cleared before each game.
const HASH: u32 = 4;
/// The largest transposition table, in MiB.
const LARGEST_HASH: u32 = 4096;

/// An evaluation of this program's engine: what is done with its score, and the files that takes.
///
/// ```
/// use drawish_match::contest::ArmSettings;
///
/// let arm = ArmSettings::from_pairs([("arm", "draw-table"), ("table", "rival"), ("hash", "1")])?;
/// assert_eq!(arm.load()?.hash(), 1);
/// assert!(ArmSettings::from_pairs([("arm", "draw-table"), ("taper", "perhaps")]).is_err());
/// # Ok::<(), drawish_match::contest::ArmError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArmSettings {
    /// What is done with the win/loss score.
    pub arm: Arm,
    /// The name of heads that are built in, or a file of heads, for the arms that need some.
    pub heads: Option<PathBuf>,
    /// A file of a form, for the arm that needs one.
    pub form: Option<PathBuf>,
    /// The name of a table that is built in, or a file; the default table without it.
    pub table: Option<String>,
    /// Whether a table counts the more the fewer pieces there are.
    pub taper: bool,
    /// Pseudo-Elo, at most [`MAX_CONTEMPT`] either way.
    pub contempt: i32,
    /// Transposition table in MiB, 1 to 4096.
    pub hash: u32,
}

/// Why an arm cannot play.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum ArmError {
    #[error("no arm is called {name:?}; there are {}", arms())]
    Unknown { name: String },
    #[error("these are settings of an arm, and none says which arm it is")]
    NoArm,
    #[error("an arm has no setting {key:?}; known are {}", ArmSettings::KEYS.join(", "))]
    NoSetting { key: String },
    #[error("{key} = {value:?} is not possible: expected {expected}")]
    Value { key: &'static str, value: String, expected: &'static str },
    #[error("contempt is at most {MAX_CONTEMPT} either way")]
    Contempt,
    #[error("hash is from 1 to {LARGEST_HASH} MiB")]
    Hash,
    #[error("{}: expected one of {}, or a .toml of heads: {cause}", path.display(), Heads::BUILT_IN.join(", "))]
    NoHeads { path: PathBuf, cause: io::Error },
    #[error("{name}: expected {expected}, found {found}")]
    OtherKind { name: String, expected: &'static str, found: &'static str },
    #[error("{}: {cause}", path.display())]
    Heads { path: PathBuf, cause: HeadsError },
    #[error("{name}: expected one of {}, or a .table file: {cause}", Cells::BUILT_IN.join(", "))]
    NoTable { name: String, cause: io::Error },
    #[error("{name}: {cause}")]
    Table { name: String, cause: TableError },
    #[error("{}: expected the file of a form: {cause}", path.display())]
    NoFormFile { path: PathBuf, cause: io::Error },
    #[error("{}: {cause}", path.display())]
    FormFile { path: PathBuf, cause: FormError },
    #[error("the arm {} has no numbers to tune; the arm form has, with form=", arm.name())]
    NoNumbers { arm: Arm },
    #[error(transparent)]
    Form(#[from] FormError),
    #[error(transparent)]
    Config(#[from] ConfigError),
}

fn arms() -> String {
    Arm::ALL.iter().map(|arm| arm.name()).collect::<Vec<_>>().join(", ")
}

impl ArmSettings {
    /// The names that [`from_pairs`](Self::from_pairs) knows.
    pub const KEYS: [&'static str; 7] = ["arm", "heads", "form", "table", "taper", "contempt", "hash"];

    /// An arm with nothing set.
    #[must_use]
    pub fn new(arm: Arm) -> ArmSettings {
        ArmSettings { arm, heads: None, form: None, table: None, taper: true, contempt: 0, hash: HASH }
    }

    /// From names and values, one of which must be `arm`; of two with the same name the later counts.
    ///
    /// # Errors
    ///
    /// If a name or a value is not known. No file is read.
    pub fn from_pairs<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<ArmSettings, ArmError> {
        let mut settings = ArmSettings::new(Arm::None);
        let mut arm = None;
        for (key, value) in pairs {
            let wrong = |key, expected| ArmError::Value { key, value: value.to_owned(), expected };
            match key {
                "arm" => arm = Some(value),
                "heads" => settings.heads = Some(PathBuf::from(value)),
                "form" => settings.form = Some(PathBuf::from(value)),
                "table" => settings.table = Some(value.to_owned()),
                "taper" => settings.taper = value.parse().map_err(|_| wrong("taper", "true or false"))?,
                "contempt" => {
                    settings.contempt = value.parse().map_err(|_| wrong("contempt", "a whole number"))?;
                    if settings.contempt.abs() > MAX_CONTEMPT {
                        return Err(ArmError::Contempt);
                    }
                }
                "hash" => {
                    settings.hash = value.parse().map_err(|_| wrong("hash", "a whole number of MiB"))?;
                    if !(1..=LARGEST_HASH).contains(&settings.hash) {
                        return Err(ArmError::Hash);
                    }
                }
                _ => return Err(ArmError::NoSetting { key: key.to_owned() }),
            }
        }
        let arm = arm.ok_or(ArmError::NoArm)?;
        settings.arm = Arm::from_name(arm).ok_or_else(|| ArmError::Unknown { name: arm.to_owned() })?;
        Ok(settings)
    }

    /// Reads what belongs to the arm, and searches the positions of the bench for its checksum.
    ///
    /// # Errors
    ///
    /// If a file cannot be read, or the arm lacks what it needs.
    pub fn load(&self) -> Result<LoadedArm, ArmError> {
        let ArmSettings { arm, heads, form, table, taper, contempt, hash } = self;
        let table = table.as_deref().map_or_else(|| Ok(Cells::built_in(Cells::DEFAULT)), read_table)?;
        let heads = heads.as_deref().map(read_heads).transpose()?;
        let form = form.as_deref().map(read_form).transpose()?.map(Arc::new);
        let config = Config { arm: *arm, table, heads, form, taper: *taper, contempt: *contempt };
        config.check()?;
        let mut loaded = LoadedArm { config, hash: *hash as usize, checksum: 0 };
        loaded.checksum = bench::checksum(&mut loaded.searcher()?);
        Ok(loaded)
    }

    /// What plays, as a log has it.
    pub(crate) fn player(&self) -> String {
        format!("arm {}", self.arm.name())
    }

    /// The files that it may be read from.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        [self.heads.as_deref(), self.form.as_deref(), self.table.as_deref().map(Path::new)].into_iter().flatten()
    }

    /// What is set, by the names of UCI options; files without their directories.
    #[must_use]
    pub fn options(&self) -> Vec<(String, String)> {
        let file = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut options = vec![("Hash".to_owned(), self.hash.to_string())];
        let mut add = |name: &str, value: String| options.push((name.to_owned(), value));
        if let Some(heads) = &self.heads {
            add("Heads", file(heads));
        }
        if let Some(form) = &self.form {
            add("Form", file(form));
        }
        if let Some(table) = &self.table {
            add("Table", file(Path::new(table)));
        }
        if !self.taper {
            add("Taper Table", "false".to_owned());
        }
        if self.contempt != 0 {
            add("Contempt", self.contempt.to_string());
        }
        options
    }
}

/// An arm ready to play.
#[derive(Clone, Debug)]
pub struct LoadedArm {
    config: Config,
    hash: usize,
    checksum: u128,
}

impl LoadedArm {
    /// A checksum of what it searches in the positions of the bench: arms with the same play the same.
    #[must_use]
    pub fn checksum(&self) -> u128 {
        self.checksum
    }

    /// Its form, if it plays by one.
    pub(crate) fn form(&self) -> Option<&Form> {
        self.config.form.as_deref().filter(|_| self.config.arm == Arm::Form)
    }

    /// Its transposition table in MiB.
    #[must_use]
    pub fn hash(&self) -> usize {
        self.hash
    }

    /// Its evaluation.
    ///
    /// # Errors
    ///
    /// If the arm lacks what it needs, which loading it has ruled out.
    pub fn evaluator(&self) -> Result<Evaluator, ConfigError> {
        Evaluator::new(&self.config)
    }

    /// A player of its own, for a worker.
    ///
    /// # Errors
    ///
    /// As [`evaluator`](Self::evaluator).
    pub fn player(&self) -> Result<Box<dyn Player>, ConfigError> {
        Ok(Box::new(SearchPlayer::new(self.searcher()?)))
    }

    fn searcher(&self) -> Result<Searcher<Evaluator>, ConfigError> {
        let mut searcher = Searcher::new(self.evaluator()?, self.hash);
        if let Some(form) = &self.config.form {
            searcher.set_margins(form.margins());
        }
        Ok(searcher)
    }

    /// A player whose numbers can be set.
    pub(crate) fn tunable(&self) -> Result<TunableArm, ArmError> {
        let form = self.form().ok_or(ArmError::NoNumbers { arm: self.config.arm })?.clone();
        Ok(TunableArm { player: SearchPlayer::new(self.searcher()?), form })
    }
}

/// An arm whose numbers can be set between games.
#[derive(Debug)]
pub(crate) struct TunableArm {
    player: SearchPlayer<Evaluator>,
    form: Form,
}

impl TunableArm {
    /// Plays with these numbers of its form from the next game on.
    pub(crate) fn set<'a>(&mut self, numbers: impl Iterator<Item = (&'a str, f64)>) -> Result<(), ArmError> {
        for (name, value) in numbers {
            self.form.set(name, value)?;
        }
        let searcher = self.player.searcher();
        searcher.evaluator().set_form(&self.form);
        searcher.set_margins(self.form.margins());
        Ok(())
    }

    pub(crate) fn player(&mut self) -> &mut dyn Player {
        &mut self.player
    }
}

/// Reads a file of a form.
///
/// # Errors
///
/// If the file cannot be read, or is none of a form.
pub fn read_form(path: &Path) -> Result<Form, ArmError> {
    let text = std::fs::read_to_string(path)
        .map_err(|cause| ArmError::NoFormFile { path: path.to_owned(), cause: in_words(cause) })?;
    Form::from_toml(&text).map_err(|cause| ArmError::FormFile { path: path.to_owned(), cause })
}

/// Heads that are part of the program, or a file of heads.
///
/// # Errors
///
/// If the file cannot be read, or is no file of heads that an evaluation can use.
pub fn read_heads(path: &Path) -> Result<Arc<Heads>, ArmError> {
    if let Some(number) = Heads::BUILT_IN.iter().position(|built_in| Path::new(built_in) == path) {
        return Ok(Heads::built_in(number));
    }
    let missing = |cause| ArmError::NoHeads { path: path.to_owned(), cause: in_words(cause) };
    let bytes = std::fs::read(path).map_err(missing)?;
    check_kind(&path.display().to_string(), &bytes, Kind::Heads, "the .toml of heads")?;
    let text = String::from_utf8(bytes).map_err(|error| missing(io::Error::new(io::ErrorKind::InvalidData, error)))?;
    Heads::from_toml(&path.display().to_string(), &text)
        .map(Arc::new)
        .map_err(|cause| ArmError::Heads { path: path.to_owned(), cause })
}

/// Makes sure that a file is not of another kind, which the message names.
fn check_kind(name: &str, bytes: &[u8], own: Kind, expected: &'static str) -> Result<(), ArmError> {
    match Kind::of(bytes) {
        Some(kind) if kind != own => Err(ArmError::OtherKind { name: name.to_owned(), expected, found: kind.uses() }),
        _ => Ok(()),
    }
}

/// A table that is part of the program, or a file.
fn read_table(name: &str) -> Result<Arc<Cells>, ArmError> {
    if let Some(number) = Cells::BUILT_IN.iter().position(|built_in| *built_in == name) {
        return Ok(Cells::built_in(number));
    }
    let bytes =
        std::fs::read(name).map_err(|cause| ArmError::NoTable { name: name.to_owned(), cause: in_words(cause) })?;
    check_kind(name, &bytes, Kind::Table, "a .table file")?;
    Cells::from_bytes(name, &bytes).map(Arc::new).map_err(|cause| ArmError::Table { name: name.to_owned(), cause })
}
