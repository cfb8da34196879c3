//! Rows, which are read by data frames.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use drawish_artefact::Kind;
use drawish_core::Scheme;
use drawish_frames::RowsReader;
use drawish_games::pgn::file_digest;
use drawish_games::rows::{RowSource, Wanted};

use super::ReportData;
use super::bands::Counted;
use super::input::{InputFile, ReadError};

/// Whether a file is Parquet, by its first bytes.
pub(super) fn is_rows(path: &Path) -> bool {
    let mut magic = [0; 4];
    File::open(path).and_then(|mut file| file.read_exact(&mut magic)).is_ok() && Kind::of(&magic) == Some(Kind::Rows)
}

impl ReportData {
    /// Adds draw rates by structure and evaluation, counted from a row file; a remark if none of its positions has an evaluation.
    pub(super) fn rows(&mut self, path: &Path, name: &str) -> Result<Option<InputFile>, ReadError> {
        let reader = RowsReader::open(path)?;
        let mut counted = Counted::default();
        let wanted = Wanted { features: Vec::new(), cells: vec![Scheme::Bg] };
        reader.read(&wanted, &mut |rows| counted.add(&rows))?;
        let bands = counted.bands(name);
        if bands.rows == 0 {
            self.remark(name, "none of its positions has an evaluation, so there are no bands to show");
            return Ok(None);
        }
        self.bands.push(bands);
        let (digest, bytes) = file_digest(path)?;
        let provenance = reader.provenance();
        Ok(Some(InputFile {
            name: name.to_owned(),
            kind: Kind::Rows.name(),
            bytes,
            digest,
            made_by: provenance.made_by.clone(),
            origin: vec![format!("rule {}", provenance.rule)],
        }))
    }
}
