//! Output files that are either complete or as they were before: written beside their place and then renamed.
//!
//! A file that is replaced hands its permissions on, and its owner where the system allows that; links are followed, those that
//! lead nowhere yet too. Other hard links to a replaced file keep its old content.
//!
//! On Linux a file in the making has no name where the file system allows that, so that whatever ends the process leaves nothing
//! behind. Elsewhere, and for an instant when it replaces another, it is called `.drawish-PROCESS-...`. Whoever makes such a name, and
//! [`check_writable`], removes such files when their process is gone: at once where it ran on this machine, else when they are a day old.

mod check;
mod remains;
#[cfg(target_os = "linux")]
mod unnamed;

use std::fs;
#[cfg(target_os = "linux")]
use std::io::Seek;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

pub use check::{NamedTwice, OutputError, check_named, check_outputs};

/// Makes sure that a file can be written, before the work whose result it shall hold. Leaves nothing behind, and removes what
/// killed processes left beside it.
///
/// # Errors
///
/// If the place is a directory, the links to it form a loop, or nothing can be created in the directory around it.
pub fn check_writable(path: &Path) -> io::Result<()> {
    let path = &target(path)?;
    if path.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory, name a file in it"));
    }
    if fs::metadata(path).is_ok_and(|metadata| metadata.permissions().readonly()) {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is there and is read-only"));
    }
    if !is_special(path) {
        WholeFile::create(path)?;
        remains::remove(directory_of(path));
    }
    Ok(())
}

/// Writes a file as a whole: whoever reads it finds the old content or the new, never a part. A link is followed;
/// devices and pipes, which cannot be replaced, are written to.
///
/// # Errors
///
/// Those of creating, writing and renaming; then the old content is still there.
pub fn write_whole(path: &Path, content: &[u8]) -> io::Result<()> {
    write_with(path, |out| out.write_all(content))
}

/// As [`write_whole`], by a function that writes part after part.
///
/// # Errors
///
/// Those of creating, of the function and of renaming; then the old content is still there.
pub fn write_with(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::new(WholeFile::create(path)?);
    write(&mut out)?;
    out.into_inner().map_err(io::IntoInnerError::into_error)?.finish()
}

/// As [`write_whole`], packed by zstd at a level from 1 to 22.
///
/// # Errors
///
/// Those of packing, writing and renaming; then the old content is still there.
pub fn write_packed(path: &Path, content: &[u8], level: i32) -> io::Result<()> {
    write_with(path, |out| {
        let mut packer = zstd::Encoder::new(out, level)?;
        packer.include_checksum(true)?;
        packer.write_all(content)?;
        packer.finish().map(drop)
    })
}

/// A directory for files that nobody keeps: it vanishes with this.
#[derive(Debug)]
pub struct ScratchDirectory(tempfile::TempDir);

impl ScratchDirectory {
    /// Makes one where the system has its temporary files.
    ///
    /// # Errors
    ///
    /// If none can be made.
    pub fn new() -> io::Result<ScratchDirectory> {
        tempfile::tempdir().map(ScratchDirectory)
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

/// A file in the making that takes the place of another when it is finished, and vanishes when it is dropped before.
#[derive(Debug)]
pub struct WholeFile(Making);

#[derive(Debug)]
enum Making {
    #[cfg(target_os = "linux")]
    Unnamed(fs::File, PathBuf),
    Beside(NamedTempFile, PathBuf),
    Special(fs::File),
}

impl WholeFile {
    /// Begins a file, see [`write_whole`].
    ///
    /// # Errors
    ///
    /// Those of creating a file beside it, of opening a device or pipe, or of links that form a loop.
    pub fn create(path: &Path) -> io::Result<WholeFile> {
        let path = target(path)?;
        if is_special(&path) {
            return Ok(WholeFile(Making::Special(fs::OpenOptions::new().write(true).open(&path)?)));
        }
        #[cfg(target_os = "linux")]
        if let Some(file) = unnamed::create(&path)? {
            return Ok(WholeFile(Making::Unnamed(file, path)));
        }
        Ok(WholeFile(Making::Beside(beside(&path)?, path)))
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    ///
    /// Those of writing what is left and of renaming; then the old content is still there.
    pub fn finish(self) -> io::Result<()> {
        match self.0 {
            Making::Special(_) => Ok(()),
            #[cfg(target_os = "linux")]
            Making::Unnamed(file, path) => {
                file.sync_all()?;
                unnamed::place(&file, &path).or_else(|_| {
                    // A file system without hard links: the content goes into a file that has a name.
                    let mut named = beside(&path)?;
                    (&file).rewind()?;
                    io::copy(&mut &file, &mut named)?;
                    named.as_file().sync_all()?;
                    named.persist(&path).map(drop).map_err(|error| error.error)
                })
            }
            Making::Beside(file, path) => {
                file.as_file().sync_all()?;
                file.persist(path).map(drop).map_err(|error| error.error)
            }
        }
    }
}

impl Write for WholeFile {
    fn write(&mut self, content: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            #[cfg(target_os = "linux")]
            Making::Unnamed(file, _) => file.write(content),
            Making::Beside(file, _) => file.write(content),
            Making::Special(file) => file.write(content),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            #[cfg(target_os = "linux")]
            Making::Unnamed(file, _) => file.flush(),
            Making::Beside(file, _) => file.flush(),
            Making::Special(file) => file.flush(),
        }
    }
}

/// Where a path leads in the end; itself if nothing is there yet.
fn target(path: &Path) -> io::Result<PathBuf> {
    if let Ok(found) = fs::canonicalize(path) {
        return Ok(found);
    }
    let mut path = path.to_owned();
    // As many links as Linux follows. What can be opened is no dangling link: /dev/stdout leads to a pipe, which has no path.
    for _ in 0..40 {
        match fs::read_link(&path) {
            Ok(next) if fs::metadata(&path).is_err() => path = directory_of(&path).join(next),
            _ => return Ok(path),
        }
    }
    Err(io::Error::other("too many links, or links that form a loop"))
}

/// Whether something is there that is no ordinary file.
fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file())
}

/// The directory that holds `path`.
fn directory_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A temporary file in the directory of `path`, so that renaming stays within one file system.
fn beside(path: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    remains::remove(directory_of(path));
    let prefix = remains::prefix();
    builder.prefix(&prefix);
    #[cfg(unix)]
    let old = fs::metadata(path).ok();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As for any new file, the umask takes away what it must; a replaced one may be secret, and so is what takes its place.
        builder.permissions(fs::Permissions::from_mode(if old.is_some() { 0o600 } else { 0o666 }));
    }
    // The name of the temporary file would puzzle in a message.
    let file = builder.tempfile_in(directory_of(path)).map_err(|error| io::Error::from(error.kind()))?;
    #[cfg(unix)]
    if let Some(old) = old {
        inherit(&old, file.as_file())?;
    }
    Ok(file)
}

/// Gives a new file the owner and the permissions of the one that it replaces.
#[cfg(unix)]
fn inherit(old: &fs::Metadata, file: &fs::File) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let new = file.metadata()?;
    if (old.uid(), old.gid()) != (new.uid(), new.gid()) {
        // Only root may give files away; whoever else replaces one owns it.
        let _ = fchown(file, Some(old.uid()), Some(old.gid()));
    }
    file.set_permissions(fs::Permissions::from_mode(old.mode() & 0o777))
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn names(directory: &Path) -> Vec<String> {
        let entries = fs::read_dir(directory).expect("a directory").flatten();
        let mut names: Vec<_> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_link_that_leads_nowhere_yet_is_followed() {
        let place = ScratchDirectory::new().expect("a directory");
        let at = |name: &str| place.path().join(name);
        fs::create_dir(at("data")).expect("a directory");
        symlink("data/x.table", at("relative")).expect("a link");
        symlink(at("data/y.table"), at("absolute")).expect("a link");
        symlink("relative", at("twice")).expect("a link");
        for (link, file) in [("relative", "data/x.table"), ("absolute", "data/y.table"), ("twice", "data/x.table")] {
            check_writable(&at(link)).expect("writable");
            write_whole(&at(link), link.as_bytes()).expect("written");
            assert!(at(link).is_symlink(), "{link}");
            assert_eq!(fs::read(at(file)).expect("the file"), link.as_bytes());
        }
        assert_eq!(names(&at("data")), ["x.table", "y.table"]);
        symlink("absent/z.table", at("astray")).expect("a link");
        assert_eq!(write_whole(&at("astray"), b"").unwrap_err().kind(), io::ErrorKind::NotFound);
        assert!(at("astray").is_symlink());
        symlink("loop", at("loop")).expect("a link");
        for error in [check_writable(&at("loop")).unwrap_err(), write_whole(&at("loop"), b"").unwrap_err()] {
            assert!(error.to_string().contains("links that form a loop"), "{error}");
        }
        assert!(at("loop").is_symlink());
    }

    #[test]
    fn outputs_are_no_inputs_and_named_once() {
        let place = ScratchDirectory::new().expect("a directory");
        let at = |name: &str| place.path().join(name);
        fs::write(at("a"), "").expect("a file");
        symlink("a", at("link")).expect("a link");
        symlink("b", at("to-come")).expect("a link");
        let check = |outputs: &[&str], inputs: &[&str]| {
            let all = |names: &[&str]| names.iter().map(|name| at(name)).collect::<Vec<_>>();
            check_outputs(all(outputs), all(inputs))
        };
        check(&["b", "c"], &["a", "absent/x"]).expect("nothing is written twice");
        for (outputs, inputs) in [(&["b", "a"], &["a"]), (&["b", "link"], &["a"]), (&["b", "a"], &["link"])] {
            assert!(matches!(check(outputs, inputs), Err(OutputError::IsInput { .. })), "{outputs:?} {inputs:?}");
        }
        for outputs in [["b", "b"], ["a", "link"], ["b", "to-come"]] {
            assert!(matches!(check(&outputs, &[]), Err(OutputError::Twice { .. })), "{outputs:?}");
        }
        assert!(matches!(check(&["absent/x"], &["a"]), Err(OutputError::Write { .. })));
    }

    #[test]
    fn permissions_stay() {
        let place = ScratchDirectory::new().expect("a directory");
        let path = place.path().join("x.counts");
        let mode = || fs::metadata(&path).expect("a file").permissions().mode() & 0o777;
        write_whole(&path, b"new").expect("written");
        let usual = mode();
        assert_eq!(usual & 0o600, 0o600);
        for wanted in [0o600, 0o640, 0o755, usual] {
            fs::set_permissions(&path, fs::Permissions::from_mode(wanted)).expect("changed");
            write_whole(&path, b"newer").expect("written");
            assert_eq!(mode(), wanted, "{:o} {wanted:o}", mode());
        }
        // While it is made it is as secret.
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("changed");
        let making = WholeFile(Making::Beside(beside(&path).expect("begun"), path.clone()));
        let beside =
            names(place.path()).into_iter().find(|name| name.starts_with(".drawish-")).expect("a temporary file");
        assert_eq!(fs::metadata(place.path().join(beside)).expect("a file").permissions().mode() & 0o777, 0o600);
        drop(making);
        assert_eq!(names(place.path()), ["x.counts"]);
    }

    #[test]
    fn a_file_with_a_name_in_the_making_is_whole_too() {
        let place = ScratchDirectory::new().expect("a directory");
        let path = place.path().join("x.counts");
        for content in ["new", "newer"] {
            let mut making = WholeFile(Making::Beside(beside(&path).expect("begun"), path.clone()));
            making.write_all(content.as_bytes()).expect("written");
            making.finish().expect("finished");
            assert_eq!(fs::read(&path).expect("a file"), content.as_bytes());
        }
        assert_eq!(names(place.path()), ["x.counts"]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_that_is_killed_leaves_nothing() {
        let place = ScratchDirectory::new().expect("a directory");
        let path = place.path().join("x.counts");
        for old in [false, true] {
            let before = if old { vec!["x.counts".to_owned()] } else { Vec::new() };
            let mut making = WholeFile::create(&path).expect("begun");
            making.write_all(b"half").expect("written");
            if matches!(making.0, Making::Beside(..)) {
                // This file system has no files without names.
                return;
            }
            // What a killed process leaves is what is there now.
            assert_eq!(names(place.path()), before);
            making.finish().expect("finished");
            assert_eq!(names(place.path()), ["x.counts"]);
            assert_eq!(fs::read(&path).expect("a file"), b"half");
        }
    }
}
