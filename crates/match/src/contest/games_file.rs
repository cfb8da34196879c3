//! The files of games, as PGN, and of their final positions. They can always be made again from the log.
//!
//! A file to which games are appended holds those of other matches, which stay as they are: what a resumed match has written into it
//! is found by its text.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::error::ContestError;
use super::terms::Openings;
use crate::arena::{Figures, Made, Opening, PgnTags, in_turn, is_special, lock, tag};
use drawish_artefact::in_words;
use drawish_artefact::outfile::check_named;

/// How games are written down.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Writing {
    /// What log and games have of each search beside score, depth, nodes and time. It differs from run to run, and so do log and games
    /// with it.
    pub figures: Figures,
    /// Whether games have no comments, and only the seven tags that PGN requires and those of the position in which they begin.
    pub brief: bool,
    /// Whether games are appended to those that the file holds already.
    pub append: bool,
}

/// What the first game of a match must begin with, by which the file of a run is known that was killed in its first pair.
pub(crate) struct FirstGame {
    /// The tags from Event to Black.
    tags: String,
    /// The tag of the position in which it begins; `None` for the standard one.
    fen: Option<String>,
}

impl FirstGame {
    /// The first game of a pair of these openings, which are played in turn.
    pub(crate) fn of(tags: &PgnTags<'_>, pair: u64, openings: &[Opening]) -> FirstGame {
        let opening = (!openings.is_empty()).then(|| in_turn(openings, pair - 1));
        FirstGame { tags: tags.beginning(pair, 0), fen: opening.and_then(Opening::fen).map(|fen| tag("FEN", fen)) }
    }

    /// Whether a file may begin with the game, or holds a beginning of it.
    fn begins(&self, text: &[u8]) -> bool {
        let all_tags = text.windows(2).position(|two| two == b"\n\n").map(|end| String::from_utf8_lossy(&text[..=end]));
        let is_of_opening = all_tags.is_none_or(|all| match &self.fen {
            Some(fen) => all.contains(fen),
            None => !all.contains("\n[FEN "),
        });
        is_of_opening && (text.starts_with(self.tags.as_bytes()) || self.tags.as_bytes().starts_with(text))
    }
}

/// Games of a pair: so many a killed run has written more than its log has.
const A_PAIR: usize = 2;

/// How a game begins.
const EVENT: &[u8] = b"[Event \"";

/// Makes sure that log, games and final positions are files of their own, and none of them that of the openings.
pub(crate) fn check_files(
    openings: &Openings,
    [log, games, positions]: [Option<&PathBuf>; 3],
) -> Result<(), ContestError> {
    let book = match openings {
        Openings::File { input, .. } => input.file().map(Path::to_owned),
        _ => None,
    };
    let named =
        [("the openings", book.as_ref()), ("the log", log), ("the games", games), ("the final positions", positions)];
    Ok(check_named(named.into_iter().filter_map(|(what, path)| Some((what, path?))))?)
}

/// A file that games, or their final positions, are written to.
pub(crate) struct GamesFile {
    /// Dropped first, while the file is open.
    _made: Made,
    path: PathBuf,
    file: File,
    /// What stands once in each entry.
    mark: &'static [u8],
    /// Whether a match is resumed.
    resume: bool,
    /// Whether the file may hold games of other matches.
    append: bool,
}

impl GamesFile {
    /// Opens the file for the games of an event. It must be empty, or, if a match is resumed, hold games of the same event; or any
    /// games, to `append` to them.
    pub(crate) fn open(path: &Path, resume: bool, append: bool, event: &str) -> Result<GamesFile, ContestError> {
        let made = Made::new(path);
        let own = if append { "[".to_owned() } else { tag("Event", event) };
        let file = GamesFile::of(path, resume || append, own.as_bytes()).map_err(|error| match error {
            ContestError::OtherGames { path } if append => ContestError::NoGames { path },
            error => error,
        })?;
        if append {
            // Two runs would write over each other.
            lock(path, &file)?;
        }
        Ok(GamesFile { _made: made, path: path.to_owned(), file, mark: EVENT, resume, append })
    }

    /// Opens the file for final positions, a line each. It must be empty unless a match is resumed.
    pub(crate) fn open_positions(path: &Path, resume: bool) -> Result<GamesFile, ContestError> {
        let made = Made::new(path);
        let file = GamesFile::of(path, resume, b"").map_err(|error| match error {
            ContestError::GamesExist { path } => ContestError::PositionsExist { path },
            error => error,
        })?;
        Ok(GamesFile { _made: made, path: path.to_owned(), file, mark: b"\n", resume, append: false })
    }

    /// Opens a file that is empty, or may hold something that begins like this.
    fn of(path: &Path, may_hold: bool, own: &[u8]) -> Result<File, ContestError> {
        let failed = |cause| ContestError::Write { path: path.to_owned(), cause: in_words(cause) };
        if is_special(path) {
            // Nothing can be looked at there.
            return OpenOptions::new().write(true).open(path).map_err(failed);
        }
        let file = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path);
        let mut file = file.map_err(failed)?;
        let is_empty = file.metadata().map_err(failed)?.len() == 0;
        let mut beginning = Vec::new();
        (&file).take(own.len() as u64).read_to_end(&mut beginning).map_err(failed)?;
        if !(is_empty || may_hold && own.starts_with(&beginning)) {
            let path = path.to_owned();
            let is_first_run = !may_hold;
            return Err(if is_first_run {
                ContestError::GamesExist { path }
            } else {
                ContestError::OtherGames { path }
            });
        }
        file.rewind().map_err(failed)?;
        Ok(file)
    }

    /// Begins with the games of the log, in the place of what a run has written that was interrupted. Such a run has written a pair more
    /// than its log has, and no more: games of the same event may be those of another match, and are not replaced. Before the log has a
    /// pair, the file must be empty or begin as the match does. Nothing says of whose games positions are: with no `first` game the
    /// file must then be empty.
    pub(crate) fn begin(mut self, games: String, first: Option<&FirstGame>) -> Result<GamesFile, ContestError> {
        if is_special(&self.path) {
            self.done(|file| file.write_all(games.as_bytes()))?;
            return Ok(self);
        }
        if self.append {
            self.begin_behind(games.as_bytes(), first)?;
            return Ok(self);
        }
        let mut before = Vec::new();
        self.done(|file| file.read_to_end(&mut before).and_then(|_| file.rewind()))?;
        let games = games.as_bytes();
        if before.is_empty() && games.is_empty() {
            return Ok(self);
        }
        let is_ours = if games.is_empty() {
            first.is_some_and(|first| first.begins(&before))
        } else {
            before.starts_with(games) || games.starts_with(&before)
        };
        let more = self.entries(before.get(games.len()..).unwrap_or_default()).count();
        if !is_ours || more > A_PAIR {
            let path = self.path;
            let holds_positions = self.mark != EVENT;
            return Err(match is_ours {
                _ if holds_positions => ContestError::OtherPositions { path },
                true => ContestError::MoreGames { path, games: more as u64 },
                false => ContestError::OtherGames { path },
            });
        }
        self.done(|file| file.set_len(0).and_then(|()| file.write_all(games)))?;
        Ok(self)
    }

    /// The same behind the games of other matches.
    fn begin_behind(&mut self, games: &[u8], first: Option<&FirstGame>) -> Result<(), ContestError> {
        let mut before = Vec::new();
        let mut end = self.file.seek(SeekFrom::End(0)).map_err(|cause| self.failed(cause))?;
        if self.resume {
            self.done(|file| file.rewind().and_then(|()| file.read_to_end(&mut before)).map(drop))?;
            let begins = |start: &usize| match first {
                Some(first) if games.is_empty() => first.begins(&before[*start..]),
                _ => before[*start..].starts_with(games),
            };
            let whole = self.entries(&before).filter(begins).last();
            // The system may have lost the end of what was written.
            let cut = || self.entries(&before).find(|&start| games.starts_with(&before[start..]));
            if let Some(start) = whole.or_else(cut) {
                // A killed run has written a pair more than its log has.
                let surplus = before.get(start + games.len()..).unwrap_or_default();
                if self.entries(surplus).count() <= A_PAIR {
                    end = start as u64;
                } else if !games.is_empty() {
                    return Err(ContestError::OtherGames { path: self.path.clone() });
                }
            }
        }
        let mut tail = Vec::new();
        self.done(|file| {
            file.seek(SeekFrom::Start(end.saturating_sub(2)))?;
            file.take(end.min(2)).read_to_end(&mut tail)?;
            // Games are apart by an empty line.
            let gap: &[u8] = match tail.as_slice() {
                [] | b"\n\n" => b"",
                [.., b'\n'] => b"\n",
                _ => b"\n\n",
            };
            file.set_len(end)?;
            file.write_all(gap)?;
            file.write_all(games)
        })
    }

    /// Where entries begin, or end if that is their mark.
    fn entries<'a>(&self, text: &'a [u8]) -> impl Iterator<Item = usize> + use<'a> {
        let mark = self.mark;
        text.windows(mark.len()).enumerate().filter(move |(_, window)| *window == mark).map(|(at, _)| at)
    }

    /// Appends games.
    pub(crate) fn append(&mut self, games: &str) -> Result<(), ContestError> {
        self.done(|file| file.write_all(games.as_bytes()))
    }

    fn done(&mut self, write: impl FnOnce(&mut File) -> io::Result<()>) -> Result<(), ContestError> {
        write(&mut self.file).map_err(|cause| self.failed(cause))
    }

    fn failed(&self, cause: io::Error) -> ContestError {
        ContestError::Write { path: self.path.clone(), cause }
    }
}
