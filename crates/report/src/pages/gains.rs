//! What each model gains over a constant on games held out, and over the model that it builds on.

use serde_json::{Value, json};

use crate::data::ReportData;
use crate::document::{Block, Figure, Height, Section, Table, choice};
use crate::pictures::palette::{BLUE, ORANGE};
use crate::pictures::plot::{Plot, WIDTH, nothing, plain};
use crate::pictures::spec::{layers, short, tooltip, values};
use crate::pictures::svg::{Anchor, Svg};
use drawish_games::fit::{Evaluation, Gain, Quality, Target};
use drawish_stats::Z95;
use drawish_stats::numbers::{counted, grouped, signed};

use crate::text::{FITS_VARY, LOOSE, LOOSE_ERRORS, positions_of, results};

/// The targets with their titles and short names.
pub(super) const TARGETS: [(Target, &str, &str); 3] = [
    (Target::Draw, "Draw or not", "draw"),
    (Target::WinDrawLoss, "Win, draw or loss", "wdl"),
    (Target::Score, "Expected score", "score"),
];

/// A losing model is cut at so many times the best gain: its figure stands in the table.
const WORST: f64 = -0.5;

pub(super) fn gains(data: &ReportData) -> Section {
    let mut section = Section::new("gains", "What each kind of knowledge gains");
    let options = data
        .evaluations
        .iter()
        .enumerate()
        .map(|(place, (name, title, evaluation))| (format!("{name}, {title}"), of_evaluation(place, evaluation)))
        .collect();
    section.blocks = choice("evaluation", "Evaluation", options);
    section
}

fn of_evaluation(place: usize, evaluation: &Evaluation) -> Vec<Block> {
    let a_row = if is_one_a_game(evaluation) { "game" } else { "position" };
    let unit = format!("thousandths of a bit a {a_row}");
    let mut blocks =
        vec![Block::Text(format!("{}. Gains in {unit}{}.", judged(evaluation), said_of_intervals(evaluation)))];
    for (target, title, short) in TARGETS {
        let rows = predictors(evaluation, target);
        if !rows.is_empty() {
            let bars: Vec<_> = rows
                .iter()
                .map(|(name, _, of)| Bar { name, gain: of.gain, loss: of.loss, brier: Some(of.brier) })
                .collect();
            let title = format!("{title}: gain over the constant");
            blocks.push(Block::Figure(figure(&format!("gains-{}-{short}", place + 1), title, &unit, &bars)));
            blocks.push(Block::Table(table(&rows)));
        }
    }
    blocks
}

/// Whether each row is a game, as far as is known.
pub(super) fn is_one_a_game(evaluation: &Evaluation) -> bool {
    evaluation.games == Some(evaluation.rows)
}

/// What models are judged on.
fn judged(evaluation: &Evaluation) -> String {
    let rows = positions_of(evaluation.rows, evaluation.games);
    let openings = counted(evaluation.skeletons as u64, "opening");
    let events = counted(evaluation.events as u64, "event");
    let results = results(evaluation.results);
    let (loose, is_held_out) = (evaluation.boards, evaluation.folds > 1);
    // Of a position without its game, the structure on the board stands for the opening and for the event.
    let what = match (loose, is_held_out) {
        (0, true) => format!("{rows} held out by {openings} and {events}"),
        (0, false) => format!("{rows} of {openings} and {events}"),
        (loose, _) if loose < evaluation.rows => format!("{rows}, {} of them {LOOSE}", grouped(loose as u64)),
        (_, true) => format!("{rows} {LOOSE}, held out by structure"),
        (_, false) => format!("{rows} {LOOSE}"),
    };
    format!("{what}: {results}")
}

/// How far the intervals of gains can be trusted, if there are any.
fn said_of_intervals(evaluation: &Evaluation) -> String {
    let fits = if evaluation.folds > 1 { FITS_VARY } else { "" };
    let mut qualities = evaluation.verdicts.iter().skip(1).flat_map(|verdict| &verdict.qualities);
    match (qualities.any(|quality| quality.gain.error.is_some()), evaluation.boards) {
        (false, _) => ", without intervals".to_owned(),
        (true, 0) => format!(
            ", with 95 % intervals that are robust to dependence within events and among games that begin alike{fits}"
        ),
        (true, _) => format!(", with 95 % intervals that {LOOSE_ERRORS}{fits}"),
    }
}

/// Everything that predicts a target, but the constant.
pub(super) fn predictors(evaluation: &Evaluation, target: Target) -> Vec<(&str, Option<&str>, &Quality)> {
    let quality = |qualities: &[Quality]| qualities.iter().position(|quality| quality.target == target);
    evaluation
        .verdicts
        .iter()
        .skip(1)
        .filter_map(|verdict| {
            let place = quality(&verdict.qualities)?;
            Some((verdict.name.as_str(), verdict.over.as_deref(), &verdict.qualities[place]))
        })
        .collect()
}

/// What a model gains over the one that all are held against.
pub(super) struct Bar<'a> {
    pub(super) name: &'a str,
    pub(super) gain: Gain,
    /// Mean loss in bits.
    pub(super) loss: f64,
    pub(super) brier: Option<f64>,
}

impl Bar<'_> {
    fn interval(&self) -> (f64, f64) {
        let reach = self.gain.half_width.unwrap_or(Z95 * self.gain.error.unwrap_or(0.0));
        (self.gain.millibits - reach, self.gain.millibits + reach)
    }
}

/// The ends of the axis.
fn span(bars: &[Bar<'_>]) -> (f64, f64) {
    let highest = bars.iter().map(|bar| bar.interval().1).fold(1.0, f64::max);
    let lowest = bars.iter().map(|bar| bar.interval().0).fold(0.0, f64::min).max(WORST * highest);
    (lowest, highest)
}

/// Gains as bars with their 95 % intervals, in `unit`.
pub(super) fn figure(name: &str, title: String, unit: &str, bars: &[Bar<'_>]) -> Figure {
    let (lowest, highest) = span(bars);
    let data = bars.iter().map(|bar| {
        let (low, high) = bar.interval();
        let number = |of: Option<f64>| of.map_or(Value::Null, short);
        json!({ "model": bar.name, "gain": short(bar.gain.millibits), "low": short(low), "high": short(high),
            "error": number(bar.gain.error), "loss": short(bar.loss), "brier": number(bar.brier) })
    });
    let mut said = vec![
        ("model", "model", ""),
        ("gain", "gain", "+.1f"),
        ("error", "standard error", ".1f"),
        ("loss", "loss, bits", ".4f"),
    ];
    if bars.iter().any(|bar| bar.brier.is_some()) {
        said.push(("brier", "Brier score", ".4f"));
    }
    let order: Vec<_> = bars.iter().map(|bar| bar.name).collect();
    let model = json!({ "field": "model", "type": "nominal", "sort": order, "title": null });
    let across = |field: &str| {
        json!({ "field": field, "type": "quantitative", "title": unit,
            "scale": { "domain": [short(lowest), short(highest)], "clamp": true } })
    };
    let spec = layers(
        values(data.collect()),
        vec![
            json!({ "mark": { "type": "bar", "height": { "band": 0.6 } }, "encoding": { "y": model, "x": across("gain"),
                "color": { "condition": { "test": "datum.gain < 0", "value": "var(--orange)" }, "value": "var(--blue)" },
                "tooltip": tooltip(&said) } }),
            json!({ "mark": { "type": "rule", "color": "var(--ink)", "strokeWidth": 1.4 }, "encoding": { "y": model, "x": across("low"),
                "x2": { "field": "high" } } }),
        ],
    );
    Figure {
        name: name.to_owned(),
        title,
        caption: "Bars to the left lose; what loses more than fits is cut at the edge, its figure stands in the table."
            .to_owned(),
        picture: picture(bars, unit),
        spec: Some(spec),
        height: Height::Pixels(56 + 22 * bars.len() as u32),
    }
}

fn picture(bars: &[Bar<'_>], unit: &str) -> Svg {
    const ROW: f64 = 22.0;
    let plot = Plot::of_rows(bars.iter().map(|bar| bar.name), (ROW, 6.0, 70.0), span(bars));
    let [left, top, width, height] = plot.place;
    let mut svg = Svg::new(WIDTH, top + height + 44.0);
    plot.draw(&mut svg, unit, "", [plain, nothing]);
    let x = |value: f64| plot.at(value, 0.0).0;
    svg.line((x(0.0), top), (x(0.0), top + height), "axis");
    for (row, bar) in bars.iter().enumerate() {
        let y = plot.row(row, bars.len());
        let value = bar.gain.millibits;
        let (low, high) = bar.interval();
        plot.row_name(&mut svg, y, bar.name);
        let (from, to) = (x(value.min(0.0)), x(value.max(0.0)));
        let hue = if value < 0.0 { ORANGE } else { BLUE };
        svg.block((from, y - 7.0), ((to - from).max(0.5), 14.0), hue.fill);
        if bar.gain.error.is_some() {
            svg.line((x(low), y), (x(high), y), "whisker");
        }
        svg.text((left + width + 10.0, y + 4.0), Anchor::Start, "small", &signed(value, 1));
    }
    svg
}

/// A gain with its standard error.
pub(super) fn with_error(gain: &Gain, decimals: usize) -> String {
    match gain.error {
        Some(error) => format!("{} ± {error:.decimals$}", signed(gain.millibits, decimals)),
        None => signed(gain.millibits, decimals),
    }
}

fn table(rows: &[(&str, Option<&str>, &Quality)]) -> Table {
    let mut table = Table::new(1, &["model", "gain ± standard error", "over its base", "Brier", "calibration error"]);
    for (name, over, quality) in rows {
        table.row([
            (*name).to_owned(),
            with_error(&quality.gain, 1),
            quality
                .over
                .as_ref()
                .zip(*over)
                .map_or_else(String::new, |(gain, base)| format!("{} ({base})", with_error(gain, 2))),
            format!("{:.4}", quality.brier),
            quality.ece.and_then(|[ece, ..]| ece).map_or_else(String::new, |ece| format!("{ece:.4}")),
        ]);
    }
    table
}
