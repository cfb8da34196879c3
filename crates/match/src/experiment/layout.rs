//! Where an experiment keeps its files: the book beside its file, a log for each arm in a directory with its name.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use drawish_artefact::outfile;
use drawish_engine::eval::Heads;
use drawish_games::pgn::Input;

use super::error::RunError;
use super::{ArmPlan, Experiment};
use crate::arena::{Logged, Tally};
use crate::contest::{ArmSettings, Engine, LoadedArm};
use drawish_artefact::in_words;

/// An experiment and the places of its files. The logs of `experiments/pilot.toml` are in `experiments/pilot/`, one for each arm,
/// packed when the arm is complete.
#[derive(Clone, Debug)]
pub struct Layout {
    experiment: Experiment,
    file: PathBuf,
    /// What the file says.
    text: String,
    /// The directory of the file.
    beside: PathBuf,
    /// The directory of the logs.
    logs: PathBuf,
}

/// How far an arm is.
#[derive(Debug)]
pub struct ArmStatus<'a> {
    /// The arm.
    pub plan: &'a ArmPlan,
    /// What its log holds, or why it cannot be read; `None` if nothing has been played.
    pub logged: Option<Result<Logged, RunError>>,
    /// The score of the pairs in the log.
    pub tally: Tally,
}

/// How hard zstd tries with logs that are kept.
const LEVEL: i32 = 19;

impl Layout {
    /// Reads the file of an experiment.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is not the file of an experiment, or leaves no name for the directory of its logs.
    pub fn open(file: &Path) -> Result<Layout, RunError> {
        let text = fs::read_to_string(file)
            .map_err(|cause| RunError::NoFile { path: file.to_owned(), cause: in_words(cause) })?;
        Layout::of_text(file, text)
    }

    /// The same of what the file says, or will say.
    pub(super) fn of_text(file: &Path, text: String) -> Result<Layout, RunError> {
        let path = || file.to_owned();
        let experiment = Experiment::from_toml(&text).map_err(|cause| RunError::File { path: path(), cause })?;
        let beside = file.parent().unwrap_or(Path::new("")).to_owned();
        let logs = file.with_extension("");
        if logs == file {
            return Err(RunError::NoEnding { path: path() });
        }
        Ok(Layout { experiment, file: path(), text, beside, logs })
    }

    /// What is asked, and how it is played.
    #[must_use]
    pub fn experiment(&self) -> &Experiment {
        &self.experiment
    }

    /// The file of the experiment.
    pub(super) fn file(&self) -> &Path {
        &self.file
    }

    /// What the file says, as it stands there.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The directory of the logs.
    pub(super) fn logs(&self) -> &Path {
        &self.logs
    }

    /// The arm as a side of a match; its files are beside the experiment's.
    ///
    /// # Errors
    ///
    /// If one of its settings is not known.
    pub fn engine(&self, plan: &ArmPlan) -> Result<Engine, RunError> {
        Ok(Engine::from(self.settings(plan)?).named(plan.name.as_str()))
    }

    pub(super) fn settings(&self, plan: &ArmPlan) -> Result<ArmSettings, RunError> {
        let value = |(key, value): (&String, &toml::Value)| {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let is_built_in = Heads::BUILT_IN.contains(&text.as_str());
            let is_file = (key == "heads" && !is_built_in) || key == "form" || (key == "table" && text.contains('.'));
            let text = if is_file { self.beside.join(text).display().to_string() } else { text };
            (key.clone(), text)
        };
        let pairs: Vec<(String, String)> = plan.settings.iter().map(value).collect();
        ArmSettings::from_pairs(pairs.iter().map(|(key, value)| (key.as_str(), value.as_str())))
            .map_err(|cause| RunError::Arm { arm: plan.name.clone(), cause })
    }

    /// The arm with all that belongs to it.
    ///
    /// # Errors
    ///
    /// If one of its settings is not known, or a file cannot be read.
    pub fn load(&self, plan: &ArmPlan) -> Result<LoadedArm, RunError> {
        self.settings(plan)?.load().map_err(|cause| RunError::Arm { arm: plan.name.clone(), cause })
    }

    /// How far each arm is.
    #[must_use]
    pub fn status(&self) -> Vec<ArmStatus<'_>> {
        let of = |plan| {
            let logged = self.logged(plan).transpose();
            let mut tally = Tally::default();
            if let Some(Ok(logged)) = &logged {
                logged.pairs.iter().for_each(|pair| tally.add(pair));
            }
            ArmStatus { plan, logged, tally }
        };
        self.experiment.arms.iter().map(of).collect()
    }

    /// The log of an arm, if it has one: packed when the arm is complete.
    #[must_use]
    pub fn log(&self, arm: &ArmPlan) -> Option<PathBuf> {
        [self.plain(arm), self.packed(arm)].into_iter().find(|path| path.exists())
    }

    /// What an arm has played; `None` if it has not begun. The log of another match, or with more pairs than planned, is an error.
    pub(super) fn logged(&self, arm: &ArmPlan) -> Result<Option<Logged>, RunError> {
        let Some(path) = self.log(arm) else { return Ok(None) };
        let text = read(&path)?;
        if !text.contains(&b'\n') && path == self.plain(arm) {
            // A run that was cut off in the first line has not begun; the next one makes sure that it was one.
            return Ok(None);
        }
        match Logged::read(&text) {
            Ok(logged) => self.check_own(&path, arm, &logged).map(|()| Some(logged)),
            Err(cause) => Err(RunError::Log { path, cause }),
        }
    }

    /// The book, which must be the one that the file names.
    pub(super) fn book(&self, books: Option<&Path>) -> PathBuf {
        books.unwrap_or(&self.beside).join(&self.experiment.game.book)
    }

    fn plain(&self, arm: &ArmPlan) -> PathBuf {
        self.logs.join(format!("{}.jsonl", arm.name))
    }

    fn packed(&self, arm: &ArmPlan) -> PathBuf {
        self.logs.join(format!("{}.jsonl.zst", arm.name))
    }

    /// Whether the log of an arm is packed: then the arm is complete.
    #[must_use]
    pub fn is_packed(&self, arm: &ArmPlan) -> bool {
        self.log(arm).is_some_and(|path| path == self.packed(arm))
    }

    /// The log of an arm as a plain file that can be resumed, whether or not it is there; a packed one is unpacked.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn unpacked(&self, arm: &ArmPlan) -> Result<PathBuf, RunError> {
        let (plain, packed) = (self.plain(arm), self.packed(arm));
        let cannot = |cause| RunError::Write { path: plain.clone(), cause };
        fs::create_dir_all(&self.logs).map_err(cannot)?;
        if !plain.exists() && packed.exists() {
            outfile::write_whole(&plain, &read(&packed)?).map_err(cannot)?;
        }
        Ok(plain)
    }

    /// Packs the log of a complete arm.
    ///
    /// # Errors
    ///
    /// If the packed log cannot be written, or the plain one not removed.
    pub fn pack(&self, arm: &ArmPlan) -> Result<(), RunError> {
        let (plain, packed) = (self.plain(arm), self.packed(arm));
        let bytes = read(&plain)?;
        outfile::write_packed(&packed, &bytes, LEVEL).map_err(|cause| RunError::Write { path: packed, cause })?;
        fs::remove_file(&plain).map_err(|cause| RunError::Remove { path: plain, cause })
    }
}

/// A log as bytes, unpacked.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, RunError> {
    let unpack = || -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        Input::File(path.to_owned()).open()?.read_to_end(&mut text)?;
        Ok(text)
    };
    unpack().map_err(|cause| RunError::Read { path: path.to_owned(), cause })
}
