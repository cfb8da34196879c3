//! Files that have no name until they are whole.

use super::{directory_of, inherit, remains};
use std::fs::{self, File};
use std::io;
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, Mode, OFlags, linkat, openat};
use rustix::io::Errno;

/// A file without a name in the directory of `path`; `None` where there are none, or none that could be given a name.
pub(super) fn create(path: &Path) -> io::Result<Option<File>> {
    let old = fs::metadata(path).ok();
    // A replaced file may be secret, and so is what takes its place.
    let mode = Mode::from_bits_truncate(if old.is_some() { 0o600 } else { 0o666 });
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    let file = match openat(CWD, directory_of(path), flags, mode) {
        Ok(file) => File::from(file),
        // Unknown to the file system, or to the kernel.
        Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::NOENT | Errno::INVAL) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    if !by_number(&file).exists() {
        return Ok(None);
    }
    if let Some(old) = old {
        inherit(&old, &file)?;
    }
    Ok(Some(file))
}

/// Gives a file its name, and takes it from the file that has it.
pub(super) fn place(file: &File, path: &Path) -> io::Result<()> {
    let link = |name: &Path| linkat(CWD, by_number(file), CWD, name, AtFlags::SYMLINK_FOLLOW);
    match link(path) {
        Ok(()) => return Ok(()),
        Err(Errno::EXIST) => {}
        Err(error) => return Err(error.into()),
    }
    // Only renaming replaces a file.
    remains::remove(directory_of(path));
    let prefix = remains::prefix();
    for attempt in 0..1_000_000_u32 {
        let name = directory_of(path).join(format!("{prefix}{attempt:06}"));
        match link(&name) {
            Ok(()) => {
                return fs::rename(&name, path).inspect_err(|_| {
                    let _ = fs::remove_file(&name);
                });
            }
            Err(Errno::EXIST) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

fn by_number(file: &File) -> PathBuf {
    PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()))
}
