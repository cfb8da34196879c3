//! The sections of a report, a file for each: from data to text, tables and figures.

mod calibration;
mod classes;
mod comparison;
mod experiment;
mod funnel;
mod gains;
mod heads;
mod heat;
mod missing;
mod progress;
mod provenance;
mod structures;
mod tournament;
mod tuning;
mod wdl_curves;
mod wdl_fit;
mod wdl_heads;

pub use comparison::comparison;
pub use experiment::experiment;
pub use progress::progress;

use crate::data::ReportData;
use crate::document::Section;

/// The sections for which there is something to show, what is missing first and where everything comes from last.
#[must_use]
pub fn sections(data: &ReportData) -> Vec<Section> {
    let all = [
        missing::missing(data),
        structures::structures(data),
        heat::heat(data),
        funnel::funnel(data),
        classes::classes(data),
        gains::gains(data),
        calibration::calibration(data),
        heads::heads(data),
        wdl_fit::wdl_fit(data),
        wdl_curves::wdl_curves(data),
        wdl_heads::wdl_heads(data),
        comparison(&data.matches),
        progress(&data.matches),
        tournament::tournament(data),
        tuning::tuning(data),
        provenance::provenance(data),
    ];
    all.into_iter().filter(|section| !section.blocks.is_empty()).collect()
}
