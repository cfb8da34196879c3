//! WDL heads on positions held out, beside the model of Stockfish.

use super::gains::{Bar, figure, with_error};
use crate::data::ReportData;
use crate::document::{Block, Figure, Height, Section, Table, choice};
use crate::pictures::reliability;
use crate::text::FITS_VARY;
use crate::text::wdl_head::{folds, judged, said_of_errors};
use drawish_games::fit::wdl_head::ComparedWdl;
use drawish_stats::numbers::grouped;

pub(super) fn wdl_heads(data: &ReportData) -> Section {
    let is_loose = data.wdl_heads.iter().any(|(_, compared)| compared.is_of_positions());
    let title = if is_loose { "WDL heads compared" } else { "WDL heads compared on games that no fit has seen" };
    let mut section = Section::new("wdl-heads", title);
    let options = data
        .wdl_heads
        .iter()
        .enumerate()
        .map(|(place, (name, compared))| (name.clone(), of_comparison(place, name, compared)));
    section.blocks = choice("wdl-heads", "Comparison", options.collect());
    section
}

fn of_comparison(place: usize, name: &str, compared: &ComparedWdl) -> Vec<Block> {
    let text = format!(
        "{}, |evaluation| up to {} centipawns, held out in {}. Gains over Stockfish's model at \
         its own optimum, with errors that {}{FITS_VARY}.",
        judged(compared),
        compared.largest_eval,
        folds(compared),
        said_of_errors(compared)
    );
    let mut blocks = vec![Block::Text(text)];
    let heads = compared.verdicts.get(1..).unwrap_or_default();
    let bars: Vec<Bar<'_>> = heads
        .iter()
        .map(|verdict| Bar { name: &verdict.name, gain: verdict.gain, loss: verdict.bits, brier: None })
        .collect();
    if bars.len() > 1 {
        let title = format!("Gain over Stockfish's model, {name}");
        let unit = "thousandths of a bit a position";
        blocks.push(Block::Figure(figure(&format!("wdl-heads-{}-gains", place + 1), title, unit, &bars)));
    }
    blocks.push(Block::Table(table(compared)));
    blocks.extend(compared.in_sample().map(Block::Text));
    blocks.push(Block::Figure(Figure {
        name: format!("wdl-heads-{}-reliability", place + 1),
        title: format!("Whether what was forecast has happened as often, {name}"),
        caption:
            "Ten bins of equal mass with 95 % intervals; grey: Stockfish's model, blue: the last model of the table."
                .to_owned(),
        picture: reliability::reliability(compared),
        spec: None,
        height: Height::Pixels(reliability::HEIGHT as u32),
    }));
    blocks
}

fn table(compared: &ComparedWdl) -> Table {
    let head = [
        "model",
        "weights",
        "bits",
        "gain a position, mbit",
        "gain a game, mbit",
        "over the row before, mbit",
        "ECE of W, D, L",
    ];
    let mut table = Table::new(1, &head);
    for (place, verdict) in compared.verdicts.iter().enumerate() {
        let [gain, by_game, over_last] = [&verdict.gain, &verdict.gain_by_game, &verdict.over_last]
            .map(|gain| if place == 0 { String::new() } else { with_error(gain, 1) });
        // Each position was counted as a game.
        let by_game = if compared.is_of_positions() { String::new() } else { by_game };
        let errors = verdict.calibration.each_ref().map(|class| format!("{:.4}", class.ece)).join(" ");
        let bits = format!("{:.4}", verdict.bits);
        table.row([verdict.name.clone(), grouped(verdict.weights as u64), bits, gain, by_game, over_last, errors]);
    }
    table
}
