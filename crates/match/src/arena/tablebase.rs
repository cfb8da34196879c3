//! Endgame tables: games whose result is known are not played to their end.

use std::collections::BTreeSet;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use drawish_artefact::in_words;
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Color, Position};
use shakmaty_syzygy::{AmbiguousWdl, SyzygyError, Tablebase, Wdl};
use thiserror::Error;

/// What perfect play makes of a position under the fifty-move rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// The winner; `None` for a draw.
    pub winner: Option<Color>,
}

/// A table that is there and cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("the {metric} table {material} cannot be read: {cause}; fetch it again, or leave it out")]
pub struct ProbeError {
    /// What the table tells: `WDL` or `DTZ`.
    pub metric: String,
    /// Its material, as in `KQvKR`.
    pub material: String,
    /// What went wrong.
    pub cause: String,
}

/// Whoever knows results. All workers of a match ask the same one.
pub trait Tablebases: Sync {
    /// The result of a position in which the game is not over; `None` if it is not known.
    ///
    /// # Errors
    ///
    /// If a table is there and cannot be read.
    fn verdict(&self, position: &Chess) -> Result<Option<Verdict>, ProbeError>;
}

/// Syzygy tables: win, draw and loss (`.rtbw`), and the distance to the next capture or pawn move (`.rtbz`).
///
/// Directly after a capture or a pawn's move the first kind says all: what is won only beyond the fifty-move rule is a
/// draw. Later in the game the second kind is needed, and where its rounding leaves open whether the fifty moves are
/// enough, nothing is known.
pub struct Syzygy {
    tables: Tablebase<Chess>,
    /// Men of the largest that are asked.
    men: usize,
    wdl: usize,
    dtz: usize,
    missing: Vec<String>,
}

/// Why tables cannot be used.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum TablebaseError {
    #[error(
        "{}: no directory of Syzygy tables: {cause}; expected files like KQvKR.rtbw in it, and whole ones: fetch again what \
         was cut off",
        path.display()
    )]
    Unreadable { path: PathBuf, cause: io::Error },
    #[error(
        "no Syzygy tables of wins and losses in {directories}; expected files like KQvKR.rtbw, and KQvKR.rtbz beside them"
    )]
    NoTables { directories: String },
}

impl fmt::Debug for Syzygy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Syzygy").field("tables", &self.tables()).field("missing", &self.missing).finish()
    }
}

impl Syzygy {
    /// Finds the tables in some directories. They are read when they are first needed.
    ///
    /// # Errors
    ///
    /// If a directory cannot be listed, a table has been cut off, or there are none.
    pub fn open(directories: &[PathBuf]) -> Result<Syzygy, TablebaseError> {
        let mut tables = Tablebase::new();
        let (mut wdl, mut dtz) = (BTreeSet::new(), BTreeSet::new());
        for path in directories {
            let unreadable = |cause| TablebaseError::Unreadable { path: path.clone(), cause: in_words(cause) };
            tables.add_directory(path).map_err(unreadable)?;
            for entry in path.read_dir().map_err(unreadable)? {
                let file = entry.map_err(unreadable)?.path();
                match (file.extension().and_then(|ending| ending.to_str()), material_of(&file)) {
                    (Some("rtbw"), Some(material)) => wdl.insert(material),
                    (Some("rtbz"), Some(material)) => dtz.insert(material),
                    _ => false,
                };
            }
        }
        if wdl.is_empty() {
            let directories = directories.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ");
            return Err(TablebaseError::NoTables { directories });
        }
        let missing = materials(tables.max_pieces()).into_iter().filter(|material| !wdl.contains(material)).collect();
        Ok(Syzygy { men: tables.max_pieces(), wdl: wdl.len(), dtz: dtz.len(), missing, tables })
    }

    /// Asks only tables of up to so many men, kings included.
    #[must_use]
    pub fn up_to(mut self, men: usize) -> Syzygy {
        self.men = men.min(self.men);
        self.missing = materials(self.men).into_iter().filter(|material| self.missing.contains(material)).collect();
        self
    }

    /// Tables of wins and losses that are missing up to the largest number of men: games that reach them are played on.
    #[must_use]
    pub fn missing(&self) -> &[String] {
        &self.missing
    }

    /// Which tables they are.
    #[must_use]
    pub fn tables(&self) -> SyzygyTables {
        SyzygyTables { men: self.men, wdl: self.wdl, dtz: self.dtz }
    }

    /// Whether some tables of distances are missing: positions that are not directly behind a capture or a pawn's move may then
    /// be unknown.
    #[must_use]
    pub fn lacks_distances(&self) -> bool {
        self.dtz < self.wdl
    }
}

/// Which Syzygy tables end games. Other tables may end them otherwise, so they belong to what a match is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SyzygyTables {
    /// Men of the largest, kings included.
    pub men: usize,
    /// Tables of wins and losses.
    pub wdl: usize,
    /// Tables of distances.
    pub dtz: usize,
}

impl fmt::Display for SyzygyTables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Syzygy tables of up to {} men ({} rtbw, {} rtbz)", self.men, self.wdl, self.dtz)
    }
}

impl Tablebases for Syzygy {
    fn verdict(&self, position: &Chess) -> Result<Option<Verdict>, ProbeError> {
        if position.board().occupied().count() > self.men || position.castles().any() {
            return Ok(None);
        }
        let probed = if position.halfmoves() == 0 {
            self.tables.probe_wdl_after_zeroing(position).map(Some)
        } else {
            self.tables.probe_wdl(position).map(AmbiguousWdl::unambiguous)
        };
        match probed {
            Ok(value) => Ok(value.map(|value| Verdict {
                winner: match value {
                    Wdl::Win => Some(position.turn()),
                    Wdl::Loss => Some(!position.turn()),
                    Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => None,
                },
            })),
            Err(SyzygyError::ProbeFailed { metric, material, error }) => {
                Err(ProbeError { metric: metric.to_string(), material: material.to_string(), cause: error.to_string() })
            }
            Err(_) => Ok(None),
        }
    }
}

/// `KQvKR` of a file's name, both sides in the order in which [`materials`] has them.
fn material_of(file: &Path) -> Option<String> {
    let (one, two) = file.file_stem()?.to_str()?.split_once('v')?;
    let known = |side: &str| side.starts_with('K') && side[1..].chars().all(|man| "QRBNP".contains(man));
    (known(one) && known(two)).then(|| named(one.to_owned(), two.to_owned()))
}

fn named(one: String, two: String) -> String {
    let worth = |side: &str| -> (usize, Vec<Option<usize>>) {
        (side.len(), side.chars().map(|man| "PNBRQK".find(man)).collect())
    };
    if worth(&one) >= worth(&two) { format!("{one}v{two}") } else { format!("{two}v{one}") }
}

/// All material of 3 to so many men.
fn materials(men: usize) -> BTreeSet<String> {
    // Sides by their number of men: none but the king, then each with a man more that is not worth more than the last.
    let mut sides: Vec<Vec<String>> = vec![vec!["K".to_owned()]];
    for count in 1..men.saturating_sub(1) {
        let longer = sides[count - 1].iter().flat_map(|side| {
            let last = side[1..].chars().last().and_then(|man| "QRBNP".find(man)).unwrap_or(0);
            "QRBNP"[last..].chars().map(move |man| format!("{side}{man}"))
        });
        let longer = longer.collect();
        sides.push(longer);
    }
    let mut all = BTreeSet::new();
    for (one, other) in (0..sides.len()).flat_map(|one| (0..=one).map(move |other| (one, other))) {
        if (3..=men).contains(&(one + other + 2)) {
            all.extend(
                sides[one]
                    .iter()
                    .flat_map(|one| sides[other].iter().map(move |other| named(one.clone(), other.clone()))),
            );
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As many as the generator of the tables makes.
    #[test]
    fn every_material_once() {
        for (men, tables) in [(2, 0), (3, 5), (4, 35), (5, 145), (6, 510), (7, 1511)] {
            assert_eq!(materials(men).len(), tables, "{men} men");
        }
        let four = materials(4);
        assert!(["KQvKR", "KBNvK", "KRvKP", "KPvKP"].iter().all(|name| four.contains(*name)), "{four:?}");
        for (file, material) in [
            ("x/KQvKR.rtbw", Some("KQvKR")),
            ("KRvKQ.rtbz", Some("KQvKR")),
            ("KPvKBN.rtbw", Some("KBNvKP")),
            ("KQKR.rtbw", None),
            ("KXvK.rtbw", None),
        ] {
            assert_eq!(material_of(Path::new(file)).as_deref(), material, "{file}");
        }
    }
}
