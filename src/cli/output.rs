//! Where results go and where files come from: `-` is standard output and input.

use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;

use anyhow::{Context, Result};

use crate::counts::CountsFile;
use crate::outfile;

/// Whether a path stands for standard output or input.
pub(super) fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// Makes sure, before the work, that a result can be written there.
pub(super) fn check(path: &Path) -> Result<()> {
    if is_standard(path) {
        return Ok(());
    }
    outfile::check_writable(path)
        .with_context(|| format!("{} cannot be written; choose another place for -o", path.display()))
}

/// Writes a result as a whole.
pub(super) fn write(path: &Path, content: &[u8]) -> Result<()> {
    if is_standard(path) {
        return print(content);
    }
    outfile::write_whole(path, content).with_context(|| format!("{} cannot be written", path.display()))
}

/// Writes to standard output; a reader that has gone away is told by the error's kind.
pub(super) fn print(content: impl AsRef<[u8]>) -> Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(content.as_ref())?;
    stdout.flush()?;
    Ok(())
}

/// Reads a file as a whole.
pub(super) fn read(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = if is_standard(path) {
        io::stdin().read_to_end(&mut bytes)
    } else {
        fs::File::open(path).and_then(|mut file| file.read_to_end(&mut bytes))
    };
    read.with_context(|| format!("{} cannot be read; check the name", path.display()))?;
    Ok(bytes)
}

/// Reads and checks a counts file.
pub(super) fn read_counts(path: &Path) -> Result<CountsFile> {
    CountsFile::from_bytes(&read(path)?).with_context(|| path.display().to_string())
}
