//! Where an experiment keeps its files.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::cli::arms::ArmArg;
use crate::cli::engines::EngineArg;
use drawish::arena::{Limits, Logged, LoggedError, Rules};
use drawish::experiment::{ArmPlan, Experiment};
use drawish::outfile;
use drawish::pgn::Input;

/// An experiment and its places.
pub(super) struct Place {
    pub(super) experiment: Experiment,
    /// The directory of the file.
    beside: PathBuf,
    /// The directory of the logs.
    logs: PathBuf,
}

/// How much zstd takes pains over logs that are kept.
const LEVEL: i32 = 19;

impl Place {
    pub(super) fn open(file: &Path) -> Result<Place> {
        let name = file.display();
        let text = fs::read_to_string(file)
            .with_context(|| format!("{name}: expected the file of an experiment, as in experiments/pilot.toml"))?;
        let experiment = Experiment::from_toml(&text).with_context(|| name.to_string())?;
        let beside = file.parent().unwrap_or(Path::new("")).to_owned();
        let logs = file.with_extension("");
        ensure!(logs != file, "{name}: the name needs an ending, as in {name}.toml: the logs stand in {name}");
        Ok(Place { experiment, beside, logs })
    }

    /// The arm as a side of a match; its files are beside the experiment's.
    pub(super) fn engine(&self, plan: &ArmPlan) -> Result<EngineArg> {
        let mut arm = ArmArg::default();
        for (key, value) in &plan.settings {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let is_file = key == "heads" || (key == "table" && text.contains('.'));
            let text = if is_file { self.beside.join(text).display().to_string() } else { text };
            arm.set(key, &text).with_context(|| format!("arm {}, {key} = {value}", plan.name))?;
        }
        Ok(EngineArg { name: plan.name.clone(), arm: Some(arm), limits: self.limits(), ..EngineArg::default() })
    }

    pub(super) fn limits(&self) -> Limits {
        Limits { nodes: Some(self.experiment.game.nodes), ..Limits::default() }
    }

    /// The rules of chess and nothing else.
    pub(super) fn rules() -> Rules {
        Rules { time_margin: std::time::Duration::from_millis(20), ..Rules::default() }
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

    /// The log of an arm, if it has one: packed when the arm is complete.
    pub(super) fn log(&self, arm: &ArmPlan) -> Option<PathBuf> {
        [self.plain(arm), self.packed(arm)].into_iter().find(|path| path.exists())
    }

    /// The log as bytes.
    pub(super) fn read(path: &Path) -> Result<Vec<u8>> {
        let mut text = Vec::new();
        let read = Input::File(path.to_owned()).open().and_then(|mut open| open.read_to_end(&mut text));
        read.with_context(|| format!("{} cannot be read", path.display()))?;
        Ok(text)
    }

    /// What an arm has played.
    pub(super) fn logged(&self, arm: &ArmPlan) -> Result<Option<Logged>> {
        let Some(path) = self.log(arm) else { return Ok(None) };
        let text = Place::read(&path)?;
        if !text.contains(&b'\n') && path == self.plain(arm) {
            // A run that was cut off in the first line has not begun; the next one makes sure that it was one.
            return Ok(None);
        }
        let logged = Logged::read(&text).map_err(|error: LoggedError| anyhow::anyhow!(error));
        logged.with_context(|| path.display().to_string()).map(Some)
    }

    /// The log as a plain file that can be gone on with.
    pub(super) fn unpacked(&self, arm: &ArmPlan) -> Result<PathBuf> {
        let (plain, packed) = (self.plain(arm), self.packed(arm));
        let cannot = || format!("{} cannot be written; choose a place with room on the disk", plain.display());
        fs::create_dir_all(&self.logs).with_context(cannot)?;
        if !plain.exists() && packed.exists() {
            outfile::write_whole(&plain, &Place::read(&packed)?).with_context(cannot)?;
        }
        Ok(plain)
    }

    /// Packs the log of a complete arm.
    pub(super) fn pack(&self, arm: &ArmPlan) -> Result<()> {
        let (plain, packed) = (self.plain(arm), self.packed(arm));
        let bytes = fs::read(&plain).with_context(|| plain.display().to_string())?;
        let cannot = || format!("{} cannot be written; the log stays as it is", packed.display());
        outfile::write_packed(&packed, &bytes, LEVEL).with_context(cannot)?;
        fs::remove_file(&plain).with_context(|| format!("{} cannot be removed", plain.display()))
    }
}
