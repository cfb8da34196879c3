//! Files that a run makes before it is sure to be played.

use std::fs;
use std::path::{Path, PathBuf};

/// A file that is removed again if it is still empty at the end, unless it was there before: a run that is refused leaves nothing.
#[derive(Debug)]
pub(crate) struct Made(Option<PathBuf>);

impl Made {
    /// To be called before the file is opened.
    pub(crate) fn new(path: &Path) -> Made {
        // A link that leads nowhere yet is there, too.
        Made(path.symlink_metadata().is_err().then(|| path.to_owned()))
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        if let Some(path) = &self.0
            && path.metadata().is_ok_and(|file| file.is_file() && file.len() == 0)
        {
            // An empty file does no harm.
            let _ = fs::remove_file(path);
        }
    }
}
