//! Archives (`.tar`) read as directories are: each member with the name of a PGN file is an input of its own, read where it
//! lies in the archive, so that nothing is unpacked to disk and a member may be larger than memory.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Take};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use drawish_artefact::provenance::in_one_line;

use super::expand::{has_pgn_name, hidden_parts};

/// Headers and the data of members fill whole blocks of this many bytes.
const BLOCK: u64 = 512;
/// Metadata longer than this is none.
const LONGEST_TEXT: u64 = 16 << 20;

/// An archive, as far as its members need it.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Archive {
    path: PathBuf,
    /// Members that are not read: files of other kinds, links, and those that a later member of the same name replaces.
    passed_over: Vec<PathBuf>,
    /// Where the JSON files in it lie: begin and length.
    metadata: BTreeMap<PathBuf, (u64, u64)>,
}

/// A member of an archive that is read as a file of games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member {
    archive: Arc<Archive>,
    /// Its path within the archive.
    name: PathBuf,
    begin: u64,
    /// How many bytes of it are there.
    len: u64,
    /// How many are missing behind them: the archive is cut.
    missing: u64,
    /// Why it cannot be read: it stands for what is lost behind the place where its archive breaks.
    lost: Option<String>,
}

impl Member {
    /// The file that it lies in.
    #[must_use]
    pub fn archive(&self) -> &Path {
        &self.archive.path
    }

    /// Its path within the archive.
    #[must_use]
    pub fn name(&self) -> &Path {
        &self.name
    }

    /// Its length in bytes, packed as it is.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether it has no bytes at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The members of the same archive that are not read.
    pub(super) fn passed_over(&self) -> &[PathBuf] {
        &self.archive.passed_over
    }

    /// Whether the archive holds a JSON file of this path.
    pub(crate) fn has_metadata(&self, path: &Path) -> bool {
        self.archive.metadata.contains_key(path)
    }

    /// The JSON file of this path in the same archive.
    pub(crate) fn metadata(&self, path: &Path) -> Option<io::Result<Vec<u8>>> {
        let &(begin, len) = self.archive.metadata.get(path)?;
        let read = || {
            let mut text = Vec::new();
            part(&self.archive.path, begin, len.min(LONGEST_TEXT))?.read_to_end(&mut text)?;
            Ok(text)
        };
        Some(read())
    }

    /// Its bytes, packed as they are.
    pub(super) fn open(&self) -> io::Result<impl Read + Send + use<>> {
        match &self.lost {
            Some(reason) => Err(io::Error::new(io::ErrorKind::InvalidData, reason.clone())),
            None => Ok(Cut { source: part(&self.archive.path, self.begin, self.len)?, missing: self.missing }),
        }
    }
}

/// `archive.tar: dir/games.pgn.bz2`, the archive with its whole path.
impl fmt::Display for Member {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [archive, name] = [&self.archive.path, &self.name].map(|path| path.to_string_lossy());
        write!(f, "{}: {}", in_one_line(&archive), in_one_line(&name))
    }
}

/// Some bytes of a file.
fn part(path: &Path, begin: u64, len: u64) -> io::Result<Take<File>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(begin))?;
    Ok(file.take(len))
}

/// Ends with an error if something is missing.
struct Cut {
    source: Take<File>,
    missing: u64,
}

impl Read for Cut {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        if count == 0 && !buffer.is_empty() && self.missing > 0 {
            let cause = format!("the archive is cut: the last {} bytes of this member are missing", self.missing);
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, cause));
        }
        Ok(count)
    }
}

/// What an archive holds.
pub(super) struct Contents {
    /// The members that are files of games.
    pub members: Vec<Member>,
    /// What is lost where the archive is cut or damaged: a member that cannot be read.
    pub lost: Option<Member>,
}

impl Contents {
    /// Why nothing can be read of it, if that is because it is cut or damaged.
    pub fn broken(&self) -> Option<String> {
        self.lost.as_ref().filter(|_| self.members.is_empty()).and_then(|lost| lost.lost.clone())
    }

    /// All inputs that it stands for.
    pub fn into_members(self) -> impl Iterator<Item = Member> {
        self.members.into_iter().chain(self.lost)
    }
}

/// Whether a file is called as archives are.
pub(super) fn has_archive_name(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("tar"))
}

/// Whether a file is called as compressed archives are.
pub(super) fn has_packed_archive_name(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    [".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.zst", ".tzst", ".tar.xz", ".txz"]
        .iter()
        .any(|ending| name.ends_with(ending))
}

/// Lists an archive by its headers; the data of its members are passed over.
pub(super) fn contents(path: &Path) -> io::Result<Contents> {
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    let mut listing = Listing::default();
    let lost = listing.read(file, length).err();
    listing.pass_over_hidden();
    let Listing { games, passed_over, metadata, next } = listing;
    let archive = Arc::new(Archive { path: path.to_owned(), passed_over, metadata });
    let member = |name, (begin, len): (u64, u64), lost| {
        let there = len.min(length.saturating_sub(begin));
        Member { archive: Arc::clone(&archive), name, begin, len: there, missing: len - there, lost }
    };
    let members: Vec<_> = games.into_iter().map(|(name, place)| member(name, place, None)).collect();
    // A last member that is cut says so itself.
    let lost = lost.filter(|_| members.iter().all(|member| member.missing == 0)).map(|reason| {
        let begin = next.min(length);
        member(PathBuf::from(format!("from byte {begin} on")), (begin, length - begin), Some(reason))
    });
    Ok(Contents { members, lost })
}

/// What was found in the headers so far.
#[derive(Default)]
struct Listing {
    games: BTreeMap<PathBuf, (u64, u64)>,
    passed_over: Vec<PathBuf>,
    metadata: BTreeMap<PathBuf, (u64, u64)>,
    /// Where the next header should be.
    next: u64,
}

impl Listing {
    /// Passes over what is hidden below the directory that holds all games, which may itself be hidden, unless all is.
    fn pass_over_hidden(&mut self) {
        let mut directories = self.games.keys().filter_map(|name| name.parent());
        let mut common = directories.next().map_or_else(PathBuf::new, Path::to_owned);
        for directory in directories {
            while !directory.starts_with(&common) && common.pop() {}
        }
        let is_seen = |name: &PathBuf| name.strip_prefix(&common).is_ok_and(|below| hidden_parts(below) == 0);
        if self.games.keys().any(is_seen) {
            self.passed_over.extend(self.games.keys().filter(|name| !is_seen(name)).cloned());
            self.games.retain(|name, _| is_seen(name));
        }
    }

    /// Reads the headers; an error says where and why they end too early.
    fn read(&mut self, file: File, length: u64) -> Result<(), String> {
        let mut archive = tar::Archive::new(file);
        // What the reader of headers says quotes the bytes that it did not expect.
        let damaged = |at: u64, cause: &io::Error| {
            let cause = cause.raw_os_error().map_or(String::new(), |_| format!(" ({cause})"));
            format!("the archive is cut or damaged at byte {at}{cause}; what follows is lost: get the whole archive")
        };
        for entry in archive.entries_with_seek().map_err(|cause| damaged(0, &cause))? {
            let mut entry = entry.map_err(|cause| damaged(self.next, &cause))?;
            let place = (entry.raw_file_position(), entry.size());
            self.next =
                place.1.checked_next_multiple_of(BLOCK).and_then(|len| len.checked_add(place.0)).unwrap_or(u64::MAX);
            let kind = entry.header().entry_type();
            if kind.is_dir() || kind.is_pax_global_extensions() {
                continue;
            }
            let name = plain(&entry.path().map_err(|cause| damaged(place.0, &cause))?);
            let is_plain_file = (kind.is_file() || kind.is_contiguous()) && !is_sparse(&mut entry);
            if is_plain_file && has_pgn_name(&name) {
                // As with unpacked files, the last of several members of one name stays.
                if self.games.insert(name.clone(), place).is_some() {
                    self.passed_over.push(name);
                }
            } else {
                if is_plain_file && name.extension().is_some_and(|ending| ending == "json") {
                    self.metadata.insert(name.clone(), place);
                }
                self.passed_over.push(name);
            }
        }
        // The end mark is two blocks of zeros, and nothing but zeros may follow it.
        if self.next.saturating_add(2 * BLOCK) > length && length > 0 {
            let at = self.next.min(length);
            return Err(format!(
                "the archive ends at byte {at} without its end mark: it is cut; get the whole archive"
            ));
        }
        let more = first_byte(&mut archive.into_inner(), self.next).map_err(|cause| damaged(self.next, &cause))?;
        more.map_or(Ok(()), |at| {
            Err(format!(
                "the archive goes on at byte {at} behind its end mark, at byte {}: a header is damaged, or several archives stand in \
                 one file; what follows is lost: get the whole archive, or each for itself",
                self.next
            ))
        })
    }
}

/// Where the first byte other than 0 stands from here on.
fn first_byte(file: &mut File, from: u64) -> io::Result<Option<u64>> {
    file.seek(SeekFrom::Start(from))?;
    let mut block = [0; 1 << 16];
    let mut at = from;
    loop {
        let len = file.read(&mut block)?;
        if let Some(place) = block[..len].iter().position(|&byte| byte != 0) {
            return Ok(Some(at + place as u64));
        }
        if len == 0 {
            return Ok(None);
        }
        at += len as u64;
    }
}

/// Whether the data of a member are not its text but pieces of it.
fn is_sparse<R: Read>(entry: &mut tar::Entry<'_, R>) -> bool {
    let Ok(Some(extensions)) = entry.pax_extensions() else { return false };
    extensions.flatten().any(|extension| extension.key_bytes().starts_with(b"GNU.sparse"))
}

/// The path of a member as it is called here: no root, and no steps in place. Nothing is written there.
fn plain(path: &Path) -> PathBuf {
    path.components().filter(|part| matches!(part, Component::Normal(_) | Component::ParentDir)).collect()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use tar::{Builder, EntryType, Header};

    use super::*;

    fn archive(members: &[(&str, EntryType, &str)]) -> Vec<u8> {
        let mut builder = Builder::new(Vec::new());
        for &(name, kind, content) in members {
            let mut header = Header::new_gnu();
            header.set_size(content.len() as u64);
            header.set_entry_type(kind);
            builder.append_data(&mut header, name, content.as_bytes()).expect("a member");
        }
        builder.into_inner().expect("an archive in memory")
    }

    fn contents_of(bytes: &[u8]) -> (tempfile::NamedTempFile, Contents) {
        let mut file = tempfile::NamedTempFile::new().expect("a file");
        file.write_all(bytes).expect("an archive");
        let found = contents(file.path()).expect("a list of members");
        (file, found)
    }

    fn read(member: &Member) -> (String, Option<String>) {
        let mut text = Vec::new();
        let ended = member.open().expect("the archive").read_to_end(&mut text);
        (String::from_utf8(text).expect("text"), ended.err().map(|error| error.to_string()))
    }

    #[test]
    fn games_metadata_and_other_members_are_told_apart() {
        let (_file, found) = contents_of(&archive(&[
            ("notes.txt", EntryType::Regular, "notes"),
            ("a.json", EntryType::Regular, "{}"),
            ("link.json", EntryType::Symlink, ""),
            ("a.pgn", EntryType::Regular, "1. e4 *"),
        ]));
        let [member] = &found.members[..] else { panic!("one file of games") };
        assert_eq!((member.name(), read(member)), (Path::new("a.pgn"), ("1. e4 *".to_owned(), None)));
        let metadata =
            ["notes.txt", "a.json", "link.json", "a.pgn", "b.json"].map(|name| member.has_metadata(Path::new(name)));
        assert_eq!(metadata, [false, true, false, false, false]);
        assert_eq!(member.metadata(Path::new("a.json")).and_then(Result::ok).as_deref(), Some(&b"{}"[..]));
        assert_eq!(member.passed_over(), ["notes.txt", "a.json", "link.json"].map(PathBuf::from));
        assert!(found.lost.is_none() && found.broken().is_none());
    }

    #[test]
    fn what_is_hidden_is_passed_over_unless_all_is() {
        let names = |members: [&str; 2]| {
            let (_file, found) = contents_of(&archive(&members.map(|name| (name, EntryType::Regular, "1. e4 *"))));
            found.members.iter().map(|member| member.name().display().to_string()).collect::<Vec<_>>()
        };
        assert_eq!(names(["a.pgn", ".copies/a.pgn"]), ["a.pgn"]);
        assert_eq!(names(["u/.local/.old/a.pgn", "u/.local/a.pgn"]), ["u/.local/a.pgn"]);
        assert_eq!(names(["u/.local/x/a.pgn", "u/.local/y/b.pgn"]), ["u/.local/x/a.pgn", "u/.local/y/b.pgn"]);
        assert_eq!(names([".a.pgn", ".b/c.pgn"]), [".a.pgn", ".b/c.pgn"]);
    }

    #[test]
    fn what_is_cut_and_what_follows_the_end_mark_are_found() {
        let (first, second) = ("1. e4 *\n".repeat(100), "1. d4 *\n".repeat(100));
        let one = archive(&[("1.pgn", EntryType::Regular, &first)]);
        let two = archive(&[("1.pgn", EntryType::Regular, &first), ("2.pgn", EntryType::Regular, &second)]);
        let lost = |found: &Contents| found.lost.as_ref().and_then(|lost| lost.lost.clone()).unwrap_or_default();

        let (_file, found) = contents_of(&two[..two.len() - 1024 - 1024 + 300]);
        let said = "the archive is cut: the last 500 bytes of this member are missing";
        assert_eq!(read(&found.members[0]), (first.clone(), None));
        assert_eq!(read(&found.members[1]), (second[..300].to_owned(), Some(said.to_owned())));
        assert!(found.lost.is_none(), "{}", lost(&found));

        let (_file, found) = contents_of(&one[..one.len() - 1024]);
        assert_eq!(
            lost(&found),
            "the archive ends at byte 1536 without its end mark: it is cut; get the whole archive"
        );
        assert_eq!((found.members.len(), found.broken()), (1, None));
        let (_file, found) = contents_of(b"");
        assert!(found.lost.is_none());

        let (_file, found) = contents_of(first.as_bytes());
        let said = "the archive is cut or damaged at byte 0; what follows is lost: get the whole archive";
        assert_eq!(found.broken().as_deref(), Some(said));

        let (_file, found) = contents_of(&[&one[..], &[0; 200_000], b"x"].concat());
        let said = format!("goes on at byte {} behind its end mark, at byte 1536", one.len() + 200_000);
        assert!(lost(&found).contains(&said), "{}", lost(&found));
    }
}
