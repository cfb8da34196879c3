//! The files from which an engine plays, and whether they are still the same.

use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use drawish_games::pgn::file_digest;

use super::engine::EngineSpec;
use super::named::{Named, Written, named_files, program_file};

/// The files from which an engine plays, as they were when its match began.
#[derive(Debug)]
pub(crate) struct EngineFiles {
    /// The program; `None` if it cannot be read.
    program: Option<Known>,
    /// Those that its arguments and options name, as they are written there.
    named: Vec<(String, Known)>,
}

/// A file and what tells whether it is still the same.
#[derive(Debug)]
struct Known {
    path: PathBuf,
    digest: u128,
    /// While this stays the file need not be read again.
    stamp: Option<Stamp>,
    written: Written,
}

impl EngineFiles {
    /// Those of an engine, found and read.
    pub fn of(spec: &EngineSpec) -> EngineFiles {
        let program = program_file(&spec.command, spec.dir.as_deref());
        let named = named_files(spec, program.as_deref());
        let known = |Named { word, file, written }: Named| Some((word, Known { written, ..Known::of(file).ok()? }));
        let named = named.into_iter().filter_map(known).collect();
        EngineFiles { program: program.and_then(|file| Known::of(file).ok()), named }
    }

    /// XXH3-128 of the program.
    pub fn build(&self) -> Option<u128> {
        self.program.as_ref().map(|known| known.digest)
    }

    /// XXH3-128 of the other files, by what names them.
    pub fn named(&self) -> impl Iterator<Item = (&str, u128)> {
        self.named.iter().map(|(word, known)| (word.as_str(), known.digest))
    }

    /// A file of this engine that is another one by now, be it by its place, or that has come or gone.
    pub fn replaced(&self, spec: &EngineSpec) -> Option<PathBuf> {
        let known = self.program.as_ref();
        let elsewhere = known.and_then(|known| {
            program_file(&spec.command, spec.dir.as_deref())
                .filter(|found| *found != known.path && known.is_other(found))
        });
        let named = self.named.iter().map(|(_, known)| known);
        let mut files = known.into_iter().chain(named.filter(|known| known.written != Written::Perhaps));
        let replaced = elsewhere.or_else(|| files.find(|known| known.is_replaced()).map(|known| known.path.clone()));
        replaced.or_else(|| self.come_or_gone(spec))
    }

    /// A script or network that was not there, or that is not there any more: engines that lack theirs play on with another one.
    fn come_or_gone(&self, spec: &EngineSpec) -> Option<PathBuf> {
        let program = self.program.as_ref().map(|known| known.path.as_path());
        let named = named_files(spec, program).into_iter().filter(|named| named.written == Written::Never);
        let is_known = |named: &Named, word: &str, known: &Known| named.word == *word && named.file == known.path;
        let is_new = |named: &Named| !self.named.iter().any(|(word, known)| is_known(named, word, known));
        // One that could not be read then cannot be now, or has come.
        let mut new = named.filter(|named| is_new(named) && File::open(&named.file).is_ok());
        let is_gone = |known: &Known| known.written == Written::Never && !known.path.exists();
        let gone = || self.named.iter().find(|(_, known)| is_gone(known)).map(|(_, known)| known.path.clone());
        new.next().map(|named| named.file).or_else(gone)
    }
}

impl Known {
    fn of(path: PathBuf) -> io::Result<Known> {
        // Taken before, so that a change while it is read is noticed.
        let stamp = path.metadata().ok().map(|found| stamp(&found));
        Ok(Known { digest: file_digest(&path)?.0, stamp, path, written: Written::Never })
    }

    /// Whether it can be read and holds something else.
    fn is_replaced(&self) -> bool {
        let is_untouched = self.path.metadata().is_ok_and(|found| Some(stamp(&found)) == self.stamp);
        !is_untouched && self.is_other(&self.path)
    }

    /// Whether a file can be read and holds something else.
    fn is_other(&self, file: &Path) -> bool {
        file_digest(file).is_ok_and(|(digest, _)| digest != self.digest)
    }
}

/// What no change of a file's content leaves as it is.
#[cfg(unix)]
type Stamp = (u64, i64, i64);

#[cfg(unix)]
fn stamp(found: &Metadata) -> Stamp {
    use std::os::unix::fs::MetadataExt;
    (found.ino(), found.ctime(), found.ctime_nsec())
}

#[cfg(not(unix))]
type Stamp = (u64, Option<std::time::SystemTime>);

#[cfg(not(unix))]
fn stamp(found: &Metadata) -> Stamp {
    (found.len(), found.modified().ok())
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// Its stamp is another one where only its date is, and it is read again then.
    #[test]
    fn a_file_that_is_replaced_is_noticed() {
        let root = std::env::temp_dir().join(format!("drawish-replaced-{}", std::process::id()));
        fs::create_dir_all(&root).expect("a directory");
        let [program, script, book] = ["eng", "a.py", "learned.bin"].map(|name| root.join(name));
        for file in [&program, &script, &book] {
            fs::write(file, "old").expect("a file");
            fs::set_permissions(file, fs::Permissions::from_mode(0o755)).expect("it is ours");
        }
        let args = [&script, &book].map(|file| file.display().to_string()).to_vec();
        let spec = EngineSpec { command: program.clone(), args, ..EngineSpec::default() };
        let files = EngineFiles::of(&spec);
        assert_eq!(files.named().map(|(_, digest)| Some(digest)).collect::<Vec<_>>(), [files.build(); 2]);
        let again = |file: &Path, text: &str| {
            fs::write(root.join("other"), text).expect("a file");
            fs::rename(root.join("other"), file).expect("it is ours");
        };
        again(&program, "old");
        again(&book, "new");
        assert_eq!(files.replaced(&spec), None);
        again(&script, "new");
        assert_eq!(files.replaced(&spec), Some(script.clone()));
        again(&script, "old");
        again(&program, "new");
        assert_eq!(files.replaced(&spec), Some(program.clone()));
        fs::remove_file(&program).expect("it is there");
        assert_eq!(files.replaced(&spec), None, "that it is gone is noticed when it is started");
        again(&program, "old");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("it is ours");
        fs::remove_file(&book).expect("it is there");
        assert_eq!(files.replaced(&spec), None, "what the engine itself may write or remove");
        fs::remove_file(&script).expect("it is there");
        assert_eq!(files.replaced(&spec), Some(script.clone()), "it is gone");
        let without = EngineFiles::of(&spec);
        assert_eq!(without.replaced(&spec), None);
        again(&book, "new");
        assert_eq!(without.replaced(&spec), None);
        again(&script, "old");
        assert_eq!(without.replaced(&spec), Some(script), "it has come");
        fs::remove_dir_all(&root).expect("it goes");
    }
}
