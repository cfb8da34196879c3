//! Where every number comes from.

use crate::assets::SCRIPTS;
use crate::data::ReportData;
use crate::document::{Block, Section, Table};
use drawish_stats::numbers::grouped;

/// The column of the programs.
const MADE_BY: usize = 3;

pub(super) fn provenance(data: &ReportData) -> Section {
    let mut section = Section::new("provenance", "Where this comes from");
    if data.inputs.is_empty() {
        return section;
    }
    // Tables and logs do not name their program.
    let names_programs = data.inputs.iter().any(|input| !input.made_by.is_empty());
    let mut head = vec!["file", "kind", "XXH3-128 of the file", "made by", "bytes"];
    if !names_programs {
        head.remove(MADE_BY);
    }
    let mut table = Table::new(head.len() - 1, &head);
    for input in &data.inputs {
        let made_by = if input.made_by.is_empty() { "the file does not say" } else { &input.made_by };
        let mut row = vec![
            input.name.clone(),
            input.kind.to_owned(),
            format!("{:032x}", input.digest),
            made_by.to_owned(),
            grouped(input.bytes),
        ];
        if !names_programs {
            row.remove(MADE_BY);
        }
        table.row(row);
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
