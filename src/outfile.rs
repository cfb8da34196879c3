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

/// As [`write_whole`], by a function that writes piece by piece.
///
/// # Errors
///
/// Those of creating, of the function and of renaming; then the old content is still there.
pub fn write_with(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let path = &target(path);
    if is_special(path) {
        let mut out = BufWriter::new(fs::OpenOptions::new().write(true).open(path)?);
        write(&mut out)?;
        return out.flush();
    }
    let mut out = BufWriter::new(beside(path)?);
    write(&mut out)?;
    let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
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
