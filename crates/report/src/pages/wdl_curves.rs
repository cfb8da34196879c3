//! WDL heads: what they were fitted to, their form, and win, draw and loss by the evaluation on a few boards.

use serde_json::json;

use super::wdl_fit::rates_spec;
use crate::data::{BOARDS, REACH, ReportData, WdlHeadData};
use crate::document::{Block, Figure, Height, Section, Table, choice};
use crate::pictures::palette::RESULTS;
use crate::pictures::plot::{Legend, Plot, Scale, percent, plain};
use crate::pictures::spec::short;
use crate::pictures::svg::Svg;
use drawish_games::sample::is_of_positions;
use drawish_heads::heads::WdlHead;
use drawish_stats::numbers::{counted, grouped, percent as share};

/// Evaluations in the table, in centipawns.
const IN_TABLE: [i32; 5] = [0, 50, 100, 200, 400];

pub(super) fn wdl_curves(data: &ReportData) -> Section {
    let mut section = Section::new("wdl-head", "WDL heads: what an evaluation means on each board");
    let options = data.wdl_head_files.iter().enumerate();
    let options = options.map(|(place, head)| (head.name.clone(), of_head(place, head))).collect();
    section.blocks = choice("wdl-head", "Head", options);
    section
}

fn of_head(place: usize, head: &WdlHeadData) -> Vec<Block> {
    let mut blocks = match &head.fit {
        Some(fit) => vec![Block::Table(figures(fit)), Block::Text(form(fit))],
        None => vec![Block::Text(format!(
            "A file for engines, fitted to {}. It does not record games, engine and losses: the .toml of the head does.",
            counted(head.rows, "position")
        ))],
    };
    blocks.push(Block::Text(
        "The same evaluation means another chance of a draw on another board. Both sides have the same men, and White is to move. \
         `drawish wdl head --compare --json` judges a head on games held out, and a report shows its JSON."
            .to_owned(),
    ));
    blocks.push(Block::Grid((0..BOARDS.len()).map(|board| figure(place, head, board)).collect()));
    blocks.push(Block::Table(draws(head)));
    blocks
}

/// What the head stands on.
fn figures(fit: &WdlHead) -> Table {
    let mut table = Table::new(1, &["figure", "value"]);
    let [wins, draws, losses] = <[u64; 3]>::from(fit.results);
    let positions = (wins + draws + losses).max(1) as f64;
    let results = [wins, draws, losses].map(|count| share(count as f64 / positions));
    let is_loose = fit.rules.first().is_some_and(|rule| is_of_positions(rule));
    let known = |count: usize| if is_loose { "not known".to_owned() } else { grouped(count as u64) };
    for (name, value) in [
        ("games", known(fit.games)),
        ("positions", grouped(fit.rows as u64)),
        ("events", known(fit.events)),
        ("evaluations of", engine(fit).unwrap_or("all players").to_owned()),
        ("largest evaluation, centipawns", grouped(u64::from(fit.largest_eval.unsigned_abs()))),
        ("each counts the same", fit.weighting.clone()),
        ("White won, drawn, lost, of positions", results.join(", ")),
        ("weights", grouped(fit.free_weights() as u64)),
        ("loss on the games of the fit, bits", format!("{:.4}", fit.loss)),
        ("the same with weights in 16 bits", format!("{:.4}", fit.quantised_loss)),
    ] {
        table.row([name.to_owned(), value]);
    }
    table
}

/// Whose evaluations were asked for; `None` if everyone's.
fn engine(fit: &WdlHead) -> Option<&str> {
    fit.rules.iter().find_map(|rule| rule.split_once("--match-engine ")).map(|(_, engine)| engine)
}

/// The form of the head, and what is summed.
fn form(fit: &WdlHead) -> String {
    let terms = |of: &drawish_heads::heads::WeightedSum| counted(of.terms.len() as u64, "term");
    format!(
        "W = sigmoid(e^s P(x) + o - e^v), L = sigmoid(e^s P(-x) - o - e^v), D = 1 - W - L, for White at the evaluation x. The threshold v \
         sums {}, the slope s {}, the shift o {}; P is a line with {} up to {} centipawns.",
        terms(&fit.threshold),
        terms(&fit.slope),
        terms(&fit.shift),
        counted(fit.knots.len() as u64, "knot"),
        grouped(fit.knots.last().map_or(0, |knot| u64::from(knot.unsigned_abs())))
    )
}

fn figure(place: usize, head: &WdlHeadData, board: usize) -> Figure {
    let (name, fen) = BOARDS[board];
    let points = head.boards.get(board).map(Vec::as_slice).unwrap_or_default();
    let rows = points.iter().flat_map(|(eval, rates)| {
        let rates = [rates.win, rates.draw, rates.loss];
        RESULTS
            .into_iter()
            .zip(rates)
            .map(move |((result, _), rate)| json!({ "x": eval, "result": result, "rate": short(rate) }))
    });
    let reach = f64::from(REACH);
    let plot =
        Plot { place: [54.0, 30.0, 210.0, 170.0], across: Scale::Linear(-reach, reach), up: Scale::Linear(0.0, 1.0) };
    let mut svg = Svg::new(282.0, 244.0);
    plot.draw(&mut svg, "evaluation, centipawns", "rate", [plain, percent]);
    for (result, (_, hue)) in RESULTS.into_iter().enumerate() {
        let rate = |(eval, rates): &(i32, drawish_stats::model::WinDrawLoss)| {
            (f64::from(*eval), [rates.win, rates.draw, rates.loss][result])
        };
        plot.curve(&mut svg, points.iter().map(rate), hue.line);
    }
    Legend::new(RESULTS.map(|(name, hue)| (hue.fill, 4.0, name)), 220.0).draw(&mut svg, (54.0, 4.0));
    Figure {
        name: format!("wdl-head-{}-board-{}", place + 1, board + 1),
        title: format!("{}{}", name[..1].to_uppercase(), &name[1..]),
        caption: fen.to_owned(),
        picture: svg,
        spec: Some(rates_spec(rows.collect(), "evaluation, centipawns", "+.0f")),
        height: Height::Pixels(230),
    }
}

/// Chances of a draw, where there are no pictures.
fn draws(head: &WdlHeadData) -> Table {
    let columns = IN_TABLE.map(|eval| format!("draws at {eval} cp"));
    let heads: Vec<&str> = std::iter::once("men").chain(columns.iter().map(String::as_str)).collect();
    let mut table = Table::new(1, &heads);
    for (board, (name, _)) in BOARDS.iter().enumerate() {
        let rates = IN_TABLE.map(|eval| head.rates(board, eval).map_or_else(String::new, |rates| share(rates.draw)));
        table.row(std::iter::once((*name).to_owned()).chain(rates));
    }
    table
}
