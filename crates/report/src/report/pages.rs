//! The sections of a report, a file for each.

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
mod wdl_fit;

pub use comparison::comparison;
pub use experiment::experiment;
pub use progress::progress;
pub(super) use structures::table as ends_of_structures;

use super::story::Section;
use crate::findings::Findings;

/// The sections for which there is something to show, what is missing first and where everything comes from last.
#[must_use]
pub fn sections(findings: &Findings) -> Vec<Section> {
    let all = [
        missing::missing(findings),
        structures::structures(findings),
        heat::heat(findings),
        funnel::funnel(findings),
        classes::classes(findings),
        gains::gains(findings),
        calibration::calibration(findings),
        heads::heads(findings),
        wdl_fit::wdl_fit(findings),
        comparison(&findings.matches),
        progress(&findings.matches),
        provenance::provenance(findings),
    ];
    all.into_iter().filter(|section| !section.blocks.is_empty()).collect()
}
