//! `arm=gain-head heads=FILE`: an evaluation of this program's engine, as words or a file of settings describe it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};

use drawish::arena::{Player, SearchPlayer};
use drawish::eval::{Arm, Cells, Config, Evaluator, Heads, MAX_CONTEMPT};
use drawish::search::{Searcher, bench};

/// MiB of the transposition table of an arm that says nothing of it. Some thousand nodes a move do not fill more, and what is not
/// there need not be cleared before each game.
const HASH: u32 = 4;

/// An arm with all that belongs to it, not yet read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ArmArg {
    /// [`Arm::name`].
    pub(super) arm: String,
    /// A file of heads.
    pub(super) heads: Option<PathBuf>,
    /// The name of a table that is built in, or a file.
    pub(super) table: Option<String>,
    /// Whether a table counts the more the fewer officers there are.
    pub(super) taper: bool,
    /// Pseudo-Elo.
    pub(super) contempt: i32,
    /// MiB.
    pub(super) hash: u32,
}

impl Default for ArmArg {
    fn default() -> ArmArg {
        ArmArg { arm: String::new(), heads: None, table: None, taper: true, contempt: 0, hash: HASH }
    }
}

/// What [`ArmArg::set`] knows.
pub(super) const KEYS: [&str; 6] = ["arm", "heads", "table", "taper", "contempt", "hash"];

impl ArmArg {
    /// Sets one of [`KEYS`].
    pub(super) fn set(&mut self, key: &str, value: &str) -> Result<()> {
        let number = || value.parse::<i32>().with_context(|| format!("expected a whole number, found {value:?}"));
        match key {
            "arm" => self.arm = value.to_owned(),
            "heads" => self.heads = Some(PathBuf::from(value)),
            "table" => self.table = Some(value.to_owned()),
            "taper" => {
                self.taper = value.parse().with_context(|| format!("expected true or false, found {value:?}"))?
            }
            "contempt" => self.contempt = number()?,
            "hash" => {
                self.hash =
                    u32::try_from(number()?).with_context(|| format!("expected MiB above 0, found {value:?}"))?;
            }
            _ => bail!("an arm has no setting {key:?}; known are {}", KEYS.join(", ")),
        }
        Ok(())
    }

    /// Reads what belongs to the arm.
    pub(super) fn read(&self) -> Result<ReadArm> {
        let known = || Arm::ALL.iter().map(|arm| arm.name()).collect::<Vec<_>>().join(", ");
        let arm = Arm::from_name(&self.arm)
            .with_context(|| format!("no arm is called {:?}; there are {}", self.arm, known()))?;
        ensure!(self.contempt.abs() <= MAX_CONTEMPT, "contempt is at most {MAX_CONTEMPT} either way");
        ensure!((1..=4096).contains(&self.hash), "hash is from 1 to 4096 MiB");
        let table = self.table.as_deref().map_or_else(|| Ok(Cells::built_in(Cells::DEFAULT)), read_table)?;
        let heads = self.heads.as_deref().map(read_heads).transpose()?.map(Arc::new);
        let config = Config { arm, table, heads, taper: self.taper, contempt: self.contempt };
        config.check()?;
        let checksum = bench::checksum(&mut Searcher::new(Evaluator::new(&config)?, self.hash as usize));
        Ok(ReadArm { config, hash: self.hash as usize, checksum })
    }

    /// What is set, by name; files without their directories.
    pub(super) fn options(&self) -> Vec<(String, String)> {
        let file = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut options = vec![("Hash".to_owned(), self.hash.to_string())];
        let mut add = |name: &str, value: String| options.push((name.to_owned(), value));
        if let Some(heads) = &self.heads {
            add("Heads", file(heads));
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
pub(super) struct ReadArm {
    config: Config,
    hash: usize,
    /// [`bench::checksum`]: arms with the same play the same.
    pub(super) checksum: u128,
}

impl ReadArm {
    /// Its evaluation.
    pub(super) fn evaluator(&self) -> Result<Evaluator> {
        Ok(Evaluator::new(&self.config)?)
    }

    /// A player of its own for a worker.
    pub(super) fn player(&self) -> Result<Box<dyn Player>> {
        Ok(Box::new(SearchPlayer::new(Searcher::new(self.evaluator()?, self.hash))))
    }
}

/// A file of heads.
pub(super) fn read_heads(path: &Path) -> Result<Heads> {
    let name = path.display().to_string();
    let text =
        std::fs::read_to_string(path).with_context(|| format!("{name}: expected a file made by drawish tune"))?;
    Heads::from_toml(&name, &text).context(name)
}

/// A table that is part of the program, or a file.
fn read_table(name: &str) -> Result<Arc<Cells>> {
    if let Some(number) = Cells::BUILT_IN.iter().position(|built_in| *built_in == name) {
        return Ok(Cells::built_in(number));
    }
    let known = Cells::BUILT_IN.join(", ");
    let bytes = std::fs::read(name).with_context(|| format!("{name}: expected one of {known}, or a .table file"))?;
    Cells::from_bytes(name, &bytes).map(Arc::new).with_context(|| name.to_owned())
}
