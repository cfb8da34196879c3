//! What is not in the report, and why: at its beginning, where it is seen.

use crate::data::ReportData;
use crate::document::{Block, Section};

pub(super) fn missing(data: &ReportData) -> Section {
    let mut section = Section::new("missing", "What to know first");
    let lines: Vec<_> = data.notes.iter().map(ToString::to_string).collect();
    if !lines.is_empty() {
        section.blocks.push(Block::List(lines));
    }
    section
}
