//! The files of models that were held against games.

use std::path::Path;

use drawish_games::fit::Compared;

use super::{Outputs, ReportError, write_whole};
use crate::data::ReportData;
use crate::document::Document;
use crate::pages::sections;
use crate::pictures::PictureFormat;

/// Writes a comparison of models into a directory that is there: `evaluation.json`, the page `evaluation.html`, and in `pictures` all
/// diagrams as SVG, and as PNG where this build has it.
///
/// # Errors
///
/// If a file cannot be written.
pub fn write_comparison(compared: &Compared, directory: &Path) -> Result<(), ReportError> {
    let json = compared.to_json();
    write_whole(&directory.join("evaluation.json"), json.as_bytes())?;
    let mut data = ReportData::default();
    let evaluations =
        compared.tables.iter().map(|(subject, evaluation)| (subject.name().to_owned(), evaluation.clone()));
    data.add_evaluations("evaluation.json", json.as_bytes(), evaluations);
    // Every diagram is a file: beside the page they would bury it.
    let pictures = directory.join("pictures");
    let mut outputs =
        Outputs::default().text(directory.join("evaluation.html"))?.pictures(&pictures, PictureFormat::Svg);
    if PictureFormat::Png.check().is_ok() {
        outputs = outputs.pictures(&pictures, PictureFormat::Png);
    }
    outputs.write(&Document::new("Models held against games", sections(&data), &data))
}
