//! What a report shows: files of results of every kind, and what follows from them, computed by the rooms that know how.
//!
//! A file is recognised by its content. What cannot be shown is no reason to show nothing: it becomes a [`Note`] in words,
//! and the rest goes on.

mod bands;
mod evaluation;
mod heads;
mod input;
mod inputs;
mod matches;
mod read;
#[cfg(feature = "frames")]
mod rows;
mod shown;
mod structures;
mod tournament;
mod wdl;
mod wdl_head;

pub use bands::{BAND_EDGES, BandRate, Bands, CLASSES, class_of};
pub use heads::HeadsData;
pub use input::InputFile;
pub use matches::{MatchData, MatchTest, STEPS, Step, Wanted};

pub use structures::{Cell, Class, Funnel, FunnelPoint, Structures};
pub use tournament::TournamentData;
pub use wdl::WdlData;
pub use wdl_head::{BOARDS, REACH, WdlHeadData};

use std::fmt;

use drawish_games::fit::Evaluation;
use drawish_games::fit::wdl_head::ComparedWdl;
use drawish_match::spsa::SpsaPlayed;

/// All that a report shows, in the order of the inputs.
#[derive(Clone, Default, Debug)]
#[non_exhaustive]
pub struct ReportData {
    /// Draw probabilities of structures, from counts and tables.
    pub structures: Vec<Structures>,
    /// Draw rates by structure and evaluation, from rows.
    pub bands: Vec<Bands>,
    /// Comparisons of models: the file, the name of the comparison, what was found.
    pub evaluations: Vec<(String, String, Evaluation)>,
    /// Heads.
    pub heads: Vec<HeadsData>,
    /// WDL models.
    pub wdl: Vec<WdlData>,
    /// WDL heads.
    pub wdl_head_files: Vec<WdlHeadData>,
    /// Comparisons of WDL heads, with the file that each is from.
    pub wdl_heads: Vec<(String, ComparedWdl)>,
    /// Matches.
    pub matches: Vec<MatchData>,
    /// Tournaments.
    pub tournaments: Vec<TournamentData>,
    /// Tuning by games, with the file that each is from.
    pub tunings: Vec<(String, SpsaPlayed)>,
    /// Every input that was read.
    pub inputs: Vec<InputFile>,
    /// The names of files of which nothing is shown, whether they were read or not; the notes say why.
    pub left_out: Vec<String>,
    /// What is missing, and why.
    pub notes: Vec<Note>,
}

/// Something that a reader should know about an input.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Note {
    /// The input's name.
    pub input: String,
    /// What is the matter with it, and what to do.
    pub what: String,
    /// Whether the input is broken or missing; else it is as it should be, but not all of it can be shown.
    pub is_fault: bool,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.input, self.what)
    }
}

impl ReportData {
    /// Whether there is nothing to show.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.is_play_alone() && self.matches.is_empty() && self.tournaments.is_empty() && self.tunings.is_empty()
    }

    /// Whether there is nothing but matches, tournaments and tuning.
    pub(crate) fn is_play_alone(&self) -> bool {
        self.structures.is_empty()
            && self.bands.is_empty()
            && self.evaluations.is_empty()
            && self.heads.is_empty()
            && self.wdl.is_empty()
            && self.wdl_head_files.is_empty()
            && self.wdl_heads.is_empty()
    }

    /// Takes down that an input is missing or broken.
    pub fn fault(&mut self, input: &str, what: impl Into<String>) {
        self.notes.push(Note { input: input.to_owned(), what: what.into(), is_fault: true });
    }

    /// Takes down what a reader should know about a sound input.
    pub fn remark(&mut self, input: &str, what: impl Into<String>) {
        self.notes.push(Note { input: input.to_owned(), what: what.into(), is_fault: false });
    }
}
