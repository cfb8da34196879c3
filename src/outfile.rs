//! Output files that are either complete or as they were before: written beside their place and then renamed.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

/// Makes sure that a file can be written, before the work whose result it shall hold. Leaves nothing behind.
///
/// # Errors
///
/// If the place is a directory, or nothing can be created in the directory around it.
pub fn check_writable(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory, name a file in it"));
    }
    if fs::metadata(path).is_ok_and(|metadata| metadata.permissions().readonly()) {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is there and is read-only"));
    }
    beside(path).map(drop)
}

/// Writes a file as a whole: whoever reads it finds the old content or the new, never a part.
///
/// # Errors
///
/// Those of creating, writing and renaming; then the old content is still there.
pub fn write_whole(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = beside(path)?;
    file.write_all(content)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
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
    builder.tempfile_in(directory)
}
