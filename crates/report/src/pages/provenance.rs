//! Where every number comes from.

use crate::assets::SCRIPTS;
use crate::data::{InputFile, ReportData};
use crate::document::{Block, Section, Table};
use drawish_artefact::Kind;
use drawish_stats::numbers::grouped;

/// The program that made an input, as far as the file says so: tables and logs name the format, which is ours, and no version.
fn made_by(input: &InputFile) -> String {
    let is_ours = [Kind::Table, Kind::EngineHeads, Kind::MatchLog, Kind::TournamentLog, Kind::TuningLog];
    match &*input.made_by {
        "" if is_ours.iter().any(|kind| kind.name() == input.kind) => {
            "drawish (the file does not record its version)".to_owned()
        }
        "" => "not recorded".to_owned(),
        program => program.to_owned(),
    }
}

pub(super) fn provenance(data: &ReportData) -> Section {
    let mut section = Section::new("provenance", "Where this comes from");
    if data.inputs.is_empty() {
        return section;
    }
    let mut table = Table::new(4, &["file", "kind", "XXH3-128 of the file", "made by", "bytes"]);
    for input in &data.inputs {
        table.row([
            input.name.clone(),
            input.kind.to_owned(),
            format!("{:032x}", input.digest),
            made_by(input),
            grouped(input.bytes),
        ]);
    }
    section.blocks.push(Block::Table(table));
    let with_origin = data.inputs.iter().filter(|input| !input.origin.is_empty());
    let origins: Vec<_> = with_origin.map(|input| format!("{}: {}.", input.name, input.origin.join("; "))).collect();
    if !origins.is_empty() {
        section.blocks.push(Block::List(origins));
    }
    let scripts: Vec<_> = SCRIPTS.iter().map(|script| format!("{} {}", script.name, script.version)).collect();
    section.blocks.push(Block::Text(format!(
        "Figures are drawn by {} (BSD 3-Clause) where scripts run, else as SVG. Nothing is loaded from anywhere.",
        scripts.join(", ")
    )));
    section
}
