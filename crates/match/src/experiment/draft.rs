//! A new experiment's file: the digests that only a program can know, and sensible values to be looked at before the first game.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use drawish_artefact::provenance::made_by;
use drawish_engine::eval::Arm;
use drawish_games::pgn::Input;

use super::Layout;
use super::error::RunError;
use crate::arena::{Book, BookRule};
use crate::contest::{ArmSettings, NamedArm};

/// What a new experiment is to ask. Its file is for this build of the engine, and all that it says can be changed until the first game.
#[derive(Clone, PartialEq, Debug)]
pub struct Draft {
    /// The book of openings.
    pub book: PathBuf,
    /// Half-moves taken from each game of a PGN book.
    pub plies: Option<usize>,
    /// Of the order of openings.
    pub seed: u64,
    /// Nodes for each move.
    pub nodes: u64,
    /// Pairs of games for each arm.
    pub pairs: u64,
    /// Differences below this many Elo count as none.
    pub margin: f64,
    /// The arms. The control is added to them.
    pub arms: Vec<NamedArm>,
}

impl Draft {
    /// The text of the experiment's file, which will be at `file`: files of its arms are looked for beside it.
    ///
    /// # Errors
    ///
    /// If the book or a file of an arm cannot be read, an arm is not known, or there are too few openings.
    pub fn text(&self, file: &Path) -> Result<String, RunError> {
        let rule = BookRule { plies: self.plies, ..BookRule::default() };
        let book = Book::read(&Input::File(self.book.clone()), &rule)?;
        let (openings, pairs) = (book.openings.len() as u64, self.pairs);
        if pairs > openings {
            return Err(RunError::FewOpenings { pairs, openings, start: 1 });
        }
        let baseline = ArmSettings::new(Arm::None).load();
        let baseline = baseline.map_err(|cause| RunError::Arm { arm: "none".to_owned(), cause })?;
        let layout = Layout::of_text(file, self.written(file, book.digest, baseline.checksum()))?;
        for arm in &layout.experiment().arms {
            layout.load(arm)?;
        }
        Ok(layout.text().to_owned())
    }

    fn written(&self, file: &Path, digest: u128, checksum: u128) -> String {
        let quoted = |text: &str| toml::Value::from(text).to_string();
        let title = file.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        let book = self.book.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let plies = self.plies.map_or_else(String::new, |plies| format!("plies = {plies}\n"));
        let Draft { seed, nodes, pairs, margin, .. } = self;
        let mut text = format!(
            "title = {}\n\
             question = \"Is any of these arms worth Elo?\"\n\
             registered = \"before the first game: all that stands below\"\n\n\
             [engine]\n\
             build = {}\n\
             checksum = \"{checksum:032x}\"\n\n\
             [match]\n\
             book = {}\n\
             book-xxh3 = \"{digest:032x}\"\n\
             {plies}seed = {seed}\n\
             nodes = {nodes}\n\
             pairs = {pairs}   # of each arm; an arm may have a number of its own\n\
             moves-of-every = 20   # moves are kept of every 20th pair, of the others a checksum\n\n\
             [judgement]\n\
             margin = {margin:?}   # differences below so many Elo count as none\n\
             level = 0.05\n\
             elo0 = 0.0   # the sequential test that is shown, in normalized Elo; it stops nothing\n\
             elo1 = {margin:?}\n\n\
             [baseline]\n\
             name = \"none\"\n\
             what = \"The evaluation as it is.\"\n\
             settings = {{ arm = \"none\" }}\n\n\
             [[arm]]\n\
             name = \"constant\"\n\
             role = \"control\"\n\
             what = \"The evaluation times one factor: it must play the same moves.\"\n\
             settings = {{ arm = \"constant\" }}\n",
            quoted(&title),
            quoted(&made_by()),
            quoted(&book),
        );
        for NamedArm { name, settings } in &self.arms {
            let settings: Vec<String> =
                settings.iter().map(|(key, value)| format!("{key} = {}", quoted(value))).collect();
            let _ = write!(
                text,
                "\n[[arm]]\nname = {}\nwhat = \"What it does, and what is expected of it.\"\nsettings = {{ {} }}\n",
                quoted(name),
                settings.join(", ")
            );
        }
        text
    }
}
