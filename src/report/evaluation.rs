//! Pictures of an evaluation: gains with their errors, and reliability diagrams.

use super::svg::{Anchor, BLUE, GREY, ORANGE, Svg, ticks};
use crate::fit::{Evaluation, Quality, Target, Verdict};

const TARGETS: [(Target, &str); 3] =
    [(Target::Draw, "Draw or not"), (Target::WinDrawLoss, "Win, draw or loss"), (Target::Score, "Expected score")];

/// Everything that predicts a target, but the constant.
fn predictors(evaluation: &Evaluation, target: Target) -> Vec<(&Verdict, &Quality)> {
    let quality = |verdict: &Verdict| verdict.qualities.iter().position(|quality| quality.target == target);
    evaluation
        .verdicts
        .iter()
        .skip(1)
        .filter_map(|verdict| quality(verdict).map(|place| (verdict, &verdict.qualities[place])))
        .collect()
}

/// Gains over the constant in millibits with 95 % intervals, one panel for each target. Losses are cut at the left edge,
/// where their figure stands.
#[must_use]
pub fn gains(evaluation: &Evaluation) -> String {
    const ROW: f64 = 22.0;
    const LABELS: f64 = 310.0;
    const WIDTH: f64 = 470.0;
    let panels: Vec<_> = TARGETS
        .into_iter()
        .map(|(target, title)| (title, predictors(evaluation, target)))
        .filter(|(_, rows)| !rows.is_empty())
        .collect();
    let rows: usize = panels.iter().map(|(_, rows)| rows.len()).sum();
    let mut svg = Svg::new(LABELS + WIDTH + 90.0, 60.0 + rows as f64 * ROW + panels.len() as f64 * 74.0);
    svg.text((16.0, 26.0), Anchor::Start, "title", "Gain over the constant, thousandths of a bit a game");
    let subtitle = format!(
        "{} rows, {} events, {} openings; 95 % intervals, robust to dependence within events",
        evaluation.rows, evaluation.events, evaluation.skeletons
    );
    svg.text((16.0, 44.0), Anchor::Start, "small", &subtitle);
    let mut top = 76.0;
    for (title, rows) in panels {
        let highest = rows.iter().map(|(_, quality)| high(quality)).fold(1.0, f64::max);
        let lowest = rows.iter().map(|(_, quality)| low(quality)).fold(0.0, f64::min).max(-0.35 * highest);
        let x = |value: f64| LABELS + WIDTH * (value.clamp(lowest, highest) - lowest) / (highest - lowest);
        svg.text((16.0, top), Anchor::Start, "title", title);
        top += 14.0;
        let bottom = top + rows.len() as f64 * ROW;
        for tick in ticks(lowest, highest, 8) {
            svg.line((x(tick), top), (x(tick), bottom), if tick == 0.0 { "axis" } else { "grid" });
            svg.text((x(tick), bottom + 15.0), Anchor::Middle, "small", &format!("{tick}"));
        }
        for (number, (verdict, quality)) in rows.into_iter().enumerate() {
            let y = top + number as f64 * ROW;
            let value = quality.gain.millibits;
            svg.text((LABELS - 10.0, y + 15.0), Anchor::End, "label", &verdict.name);
            let (from, to) = (x(value.min(0.0)), x(value.max(0.0)));
            svg.bar((from, y + 4.0), ((to - from).max(0.5), ROW - 8.0), if value < 0.0 { ORANGE } else { BLUE });
            if quality.gain.error.is_some() {
                svg.line((x(low(quality)), y + ROW / 2.0), (x(high(quality)), y + ROW / 2.0), "whisker");
            }
            svg.text((x(highest) + 12.0, y + 15.0), Anchor::Start, "small", &format!("{value:+.1}"));
        }
        top = bottom + 60.0;
    }
    svg.finish("Gains of models over a constant")
}

fn low(quality: &Quality) -> f64 {
    quality.gain.millibits - 1.96 * quality.gain.error.unwrap_or(0.0)
}

fn high(quality: &Quality) -> f64 {
    quality.gain.millibits + 1.96 * quality.gain.error.unwrap_or(0.0)
}

/// A reliability diagram for each model and target: forecast against rate, with the 95 % interval of each bin.
#[must_use]
pub fn calibration(evaluation: &Evaluation) -> String {
    const SIDE: f64 = 190.0;
    const GAP: (f64, f64) = (62.0, 78.0);
    const COLUMNS: usize = 4;
    let panels: Vec<_> = [(Target::Draw, "draws"), (Target::Score, "expected score")]
        .into_iter()
        .flat_map(|(target, what)| {
            predictors(evaluation, target)
                .into_iter()
                .filter_map(move |(verdict, quality)| Some((what, verdict, quality.calibration.as_ref()?)))
        })
        .collect();
    let lines = panels.len().div_ceil(COLUMNS);
    let mut svg = Svg::new(90.0 + COLUMNS as f64 * (SIDE + GAP.0), 70.0 + lines as f64 * (SIDE + GAP.1));
    svg.text((16.0, 26.0), Anchor::Start, "title", "Calibration on held-out games");
    svg.text(
        (16.0, 44.0),
        Anchor::Start,
        "small",
        "across: mean forecast of a tenth of the games; up: what happened, with its 95 % interval",
    );
    for (number, (what, verdict, calibration)) in panels.into_iter().enumerate() {
        let left = 46.0 + (number % COLUMNS) as f64 * (SIDE + GAP.0);
        let top = 96.0 + (number / COLUMNS) as f64 * (SIDE + GAP.1);
        let at = |forecast: f64, rate: f64| {
            (left + SIDE * forecast.clamp(0.0, 1.0), top + SIDE * (1.0 - rate.clamp(0.0, 1.0)))
        };
        svg.text((left, top - 22.0), Anchor::Start, "label", &verdict.name);
        svg.text(
            (left, top - 8.0),
            Anchor::Start,
            "small",
            &format!("{what}, calibration error {:.4}", calibration.ece),
        );
        for tick in [0.0, 0.5, 1.0] {
            svg.line(at(tick, 0.0), at(tick, 1.0), "grid");
            svg.line(at(0.0, tick), at(1.0, tick), "grid");
            let ((x, y), (left, middle)) = (at(tick, 0.0), at(0.0, tick));
            svg.text((x, y + 14.0), Anchor::Middle, "small", &format!("{tick}"));
            svg.text((left - 6.0, middle + 4.0), Anchor::End, "small", &format!("{tick}"));
        }
        svg.line(at(0.0, 0.0), at(1.0, 1.0), "axis");
        for bin in &calibration.bins {
            svg.line(at(bin.forecast, bin.forecast + bin.low), at(bin.forecast, bin.forecast + bin.high), "whisker");
            let fill = if bin.low <= 0.0 && 0.0 <= bin.high { BLUE } else { ORANGE };
            svg.dot(at(bin.forecast, bin.rate), 3.4, if bin.count == 0 { GREY } else { fill });
        }
    }
    svg.finish("Calibration of models")
}
