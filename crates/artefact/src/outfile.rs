//! Output files that are either complete or as they were before: written beside their place and then renamed.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

/// Makes sure that a file can be written, before the work whose result it shall hold. Leaves nothing behind.
///
/// # Errors
///
/// If the place is a directory, or nothing can be created in the directory around it.
pub fn check_writable(path: &Path) -> io::Result<()> {
    let path = &target(path);
    if path.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory, name a file in it"));
    }
    if fs::metadata(path).is_ok_and(|metadata| metadata.permissions().readonly()) {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is there and is read-only"));
    }
    if is_special(path) { Ok(()) } else { beside(path).map(drop) }
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
    Beside(NamedTempFile, PathBuf),
    Special(fs::File),
}

impl WholeFile {
    /// Begins a file, see [`write_whole`].
    ///
    /// # Errors
    ///
    /// Those of creating a file beside it, or of opening a device or pipe.
    pub fn create(path: &Path) -> io::Result<WholeFile> {
        let path = target(path);
        Ok(WholeFile(if is_special(&path) {
            Making::Special(fs::OpenOptions::new().write(true).open(&path)?)
        } else {
            Making::Beside(beside(&path)?, path)
        }))
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    ///
    /// Those of writing what is left and of renaming; then the old content is still there.
    pub fn finish(self) -> io::Result<()> {
        match self.0 {
            Making::Special(_) => Ok(()),
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
            Making::Beside(file, _) => file.write(content),
            Making::Special(file) => file.write(content),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Making::Beside(file, _) => file.flush(),
            Making::Special(file) => file.flush(),
        }
    }
}

/// Where a path leads in the end; itself if nothing is there yet.
fn target(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// Whether something is there that is no ordinary file.
fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file())
}

/// A temporary file in the directory of `path`, so that renaming stays within one file system.
fn beside(path: &Path) -> io::Result<NamedTempFile> {
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = Builder::new();
    builder.prefix(".drawish-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As for any new file; the umask takes away what it must.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    // The name of the temporary file would puzzle in a message.
    builder.tempfile_in(directory).map_err(|error| error.kind().into())
}
