//! The forms in which counts are written.

use std::io::{self, Write};
use std::path::Path;

use super::{WdlFile, write_json};

/// The form of a file of counts. Parquet is not among them: see the crate `drawish-frames`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CountsFormat {
    /// `.json`: that of scoreWDLstat, which knows no blocks.
    Json,
    /// `.wdl`: all of it, with the blocks that errors are estimated from.
    Wdl,
}

impl CountsFormat {
    /// The form that the ending of a file's name asks for.
    #[must_use]
    pub fn of(path: &Path) -> Option<CountsFormat> {
        match path.extension()?.to_str()? {
            "json" => Some(CountsFormat::Json),
            "wdl" => Some(CountsFormat::Wdl),
            _ => None,
        }
    }
}

impl WdlFile {
    /// Writes counts in a form.
    ///
    /// # Errors
    ///
    /// Those of writing.
    pub fn write(&self, format: CountsFormat, out: &mut impl Write) -> io::Result<()> {
        match format {
            CountsFormat::Json => write_json(&self.counts, out),
            CountsFormat::Wdl => out.write_all(&self.to_bytes()),
        }
    }
}
