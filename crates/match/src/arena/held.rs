//! What an output holds already. Pipes and devices hold nothing: to read one of them ends never, or when all memory is used.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

/// Whether something is there that is no ordinary file, such as a pipe.
pub(crate) fn is_special(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| !found.is_file())
}

/// Opens a file to read what it holds and to append to it; it need not be there. What is no ordinary file is opened to be written only,
/// so that whoever writes to a pipe learns that nobody reads it any more.
pub(crate) fn open_to_append(path: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).read(!is_special(path)).append(true).open(path)
}

/// All that a file holds.
pub(crate) fn held(file: &mut File) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    if file.metadata()?.is_file() {
        file.read_to_end(&mut text)?;
    }
    Ok(text)
}

/// Cuts off what a file holds behind so many bytes.
pub(crate) fn cut(file: &File, len: u64) -> io::Result<()> {
    if file.metadata()?.is_file() { file.set_len(len) } else { Ok(()) }
}
