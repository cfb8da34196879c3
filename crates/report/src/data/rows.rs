//! Rows, which are read by data frames.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use drawish_artefact::Kind;
use drawish_core::Scheme;
use drawish_frames::RowsReader;
use drawish_games::export::DEPENDENT;
use drawish_games::fit::EACH_LINE_ONCE;
use drawish_games::pgn::file_digest;
use drawish_games::rows::{RowSource, Wanted};
use drawish_stats::numbers::counted;

use super::Bands;
use super::ReportData;
use super::bands::Counted;
use super::input::{InputFile, ReadError};

/// Whether a file is Parquet, by its first bytes.
pub(super) fn is_rows(path: &Path) -> bool {
    let mut magic = [0; 4];
    File::open(path).and_then(|mut file| file.read_exact(&mut magic)).is_ok() && Kind::of(&magic) == Some(Kind::Rows)
}

/// What to know of the intervals, if positions depend on each other in ways that the file does not tell, or games come again.
fn dependence(bands: &Bands) -> impl Iterator<Item = String> {
    let boards =
        (bands.boards > 0).then(|| format!("{} without their games: {DEPENDENT}", counted(bands.boards, "position")));
    let copies = (bands.copies > 0).then(|| {
        format!(
            "{} with the moves of an earlier one, or its first 60 half-moves: they are counted again in rates and numbers of positions, but \
             not as independent in intervals; {EACH_LINE_ONCE}",
            counted(bands.copies, "game")
        )
    });
    boards.into_iter().chain(copies)
}

impl ReportData {
    /// Adds draw rates by structure and evaluation, counted from a row file; a remark if none of its positions has an evaluation.
    pub(super) fn rows(&mut self, path: &Path, name: &str) -> Result<Option<InputFile>, ReadError> {
        let reader = RowsReader::open(path)?;
        let mut bands = Counted::default();
        let provenance = reader.provenance();
        let wanted = Wanted { features: Vec::new(), cells: vec![Scheme::Bg] };
        reader.read(&wanted, &mut |rows| bands.add(&rows, &provenance.rule))?;
        let bands = bands.bands(name);
        if bands.rows == 0 {
            self.remark(name, "none of its positions has an evaluation, so there are no bands to show");
            return Ok(None);
        }
        dependence(&bands).for_each(|remark| self.remark(name, remark));
        self.bands.push(bands);
        let (digest, bytes) = file_digest(path)?;
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
