//! Why a file cannot be opened, in words.

use std::io::{self, ErrorKind};

/// The same error with the commonest causes in words, where the operating system has a code: a directory in the place of a file, a
/// name that leads nowhere, a file of somebody else.
///
/// ```
/// use std::io;
///
/// let error = std::fs::read_to_string(std::env::temp_dir()).map_err(drawish_artefact::in_words);
/// # #[cfg(unix)]
/// assert_eq!(error.expect_err("a directory").to_string(), "a directory, expected a file");
/// ```
#[must_use]
pub fn in_words(error: io::Error) -> io::Error {
    let what = match error.kind() {
        ErrorKind::IsADirectory => "a directory, expected a file",
        ErrorKind::NotFound => "no such file or directory",
        ErrorKind::NotADirectory => "a part of the path is no directory",
        ErrorKind::PermissionDenied => "permission denied",
        _ => return error,
    };
    // Words of ours stay.
    if error.raw_os_error().is_some() { io::Error::new(error.kind(), what) } else { error }
}
