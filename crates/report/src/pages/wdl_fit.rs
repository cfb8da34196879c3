//! A WDL model: what an evaluation means, and how that changes with material or moves.

use serde_json::{Value, json};

use crate::data::{ReportData, WdlData};
use crate::document::{Block, Figure, Height, Section, Table, choice};
use crate::pictures::palette::RESULTS;
use crate::pictures::plot::{Legend, Plot, Scale, WIDTH, percent, plain};
use crate::pictures::spec::{layers, short, tooltip, values};
use crate::pictures::svg::Svg;
use crate::pictures::wdl::{self, PARAMETERS};
use drawish_games::wdl::CurvePoint;
use drawish_stats::model::wdl::Curve;
use drawish_stats::numbers::grouped;
use drawish_stats::{Z95, reach_of_95_percent};

/// Evaluations are shown this far from 0, in pawns of the anchor.
const REACH: f64 = 4.0;
const STEPS: u32 = 60;

pub(super) fn wdl_fit(data: &ReportData) -> Section {
    let mut section = Section::new("wdl", "WDL models: win, draw and loss by evaluation");
    let options =
        data.wdl.iter().enumerate().map(|(place, model)| (model.name.clone(), of_model(place, model))).collect();
    section.blocks = choice("wdl", "Model", options);
    section
}

fn of_model(place: usize, finding: &WdlData) -> Vec<Block> {
    let model = &finding.model;
    let error = |of: Option<f64>| of.map_or_else(String::new, |error| format!(" ± {error:.2}"));
    let errors = model.errors.as_ref();
    let retained = model.retained;
    let mut table = Table::new(1, &["figure", "value ± standard error"]);
    table.row([
        "pawn value (internal units for a win rate of 1/2)".to_owned(),
        format!("{:.2}{}", model.pawn_value, error(errors.map(|errors| errors.pawn_value))),
    ]);
    table.row(["spread".to_owned(), format!("{:.2}{}", model.spread, error(errors.map(|errors| errors.spread)))]);
    let positions = retained.wins + retained.draws + retained.losses;
    table.row(["positions".to_owned(), grouped(positions as u64)]);
    if let Some(loss) = model.held_out_log_loss {
        table.row(["log loss held out".to_owned(), format!("{loss:.6}")]);
    }
    let mut blocks = vec![Block::Table(table)];
    if let Some(anchor) = model.anchor() {
        blocks.push(Block::Figure(rates(place, finding, anchor)));
    }
    if model.curve.len() > 1 {
        blocks.push(Block::Figure(curves(place, finding)));
    }
    blocks
}

fn evaluations() -> impl Iterator<Item = f64> {
    (0..=STEPS).map(|step| REACH * (2.0 * f64::from(step) / f64::from(STEPS) - 1.0))
}

fn rates(place: usize, finding: &WdlData, anchor: &CurvePoint) -> Figure {
    let rows = evaluations().flat_map(|x| {
        let rates = finding.rates(anchor, x);
        RESULTS
            .into_iter()
            .zip([rates.win, rates.draw, rates.loss])
            .map(move |((name, _), rate)| json!({ "x": short(x), "result": name, "rate": short(rate) }))
    });
    let spec = rates_spec(rows.collect(), "evaluation of the side to move, pawns", "+.2f");
    let plot =
        Plot { place: [64.0, 34.0, 660.0, 270.0], across: Scale::Linear(-REACH, REACH), up: Scale::Linear(0.0, 1.0) };
    let mut svg = Svg::new(WIDTH, 356.0);
    plot.draw(&mut svg, "evaluation of the side to move, pawns", "rate", [plain, percent]);
    wdl::rates(&mut svg, &plot, Curve::new(anchor.a, anchor.b), finding.model.pawn_value);
    Legend::new(RESULTS.map(|(name, hue)| (hue.fill, 4.0, name)), WIDTH).draw(&mut svg, (64.0, 6.0));
    Figure {
        name: format!("wdl-{}-rates", place + 1),
        title: format!("Rates by evaluation at {} {}, {}", finding.model.mom_type, plain(anchor.mom), finding.name),
        caption: "A pawn is the evaluation with a win rate of 1/2.".to_owned(),
        picture: svg,
        spec: Some(spec),
        height: Height::Pixels(320),
    }
}

/// Rates of results, rows of `x`, `result` and `rate`, as lines over what `across` names.
pub(super) fn rates_spec(rows: Vec<Value>, across: &str, format: &str) -> Value {
    let names = RESULTS.map(|(name, _)| name);
    let colours = json!({ "domain": names, "range": ["var(--blue)", "var(--green)", "var(--orange)"] });
    layers(
        values(rows),
        vec![json!({ "mark": { "type": "line", "strokeWidth": 2 }, "encoding": {
            "x": { "field": "x", "type": "quantitative", "title": across },
            "y": { "field": "rate", "type": "quantitative", "title": "rate", "axis": { "format": ".0%" }, "scale": { "domain": [0, 1] } },
            "color": { "field": "result", "type": "nominal", "scale": colours, "title": null, "legend": { "orient": "top" } },
            "strokeDash": { "field": "result", "type": "nominal", "scale": { "domain": names, "range": [[1, 0], [6, 3], [2, 2]] }, "title": null },
            "tooltip": tooltip(&[("result", "result", ""), ("x", "evaluation", format), ("rate", "rate", ".1%")]),
        } })],
    )
}

fn curves(place: usize, finding: &WdlData) -> Figure {
    let model = &finding.model;
    // As far as the interval of the pawn value. Files of earlier builds do not say how many blocks their errors come from.
    let of_pawn = model.errors.as_ref().zip(model.intervals_95.as_ref());
    let reach = of_pawn.map(|(errors, of)| (of.pawn_value[1] - of.pawn_value[0]) / 2.0 / errors.pawn_value);
    let by_blocks = if model.blocks > 1 { reach_of_95_percent(model.blocks) } else { Z95 };
    let reach = reach.filter(|reach| reach.is_finite()).unwrap_or(by_blocks);
    let [of_a, of_b] = wdl::INTERVALS;
    let lines = |row: &CurvePoint| {
        let [a, b] = [row.a_error, row.b_error].map(|error| error.unwrap_or(0.0));
        [("a", row.a, of_a(row.a, a, reach)), ("b", row.b, of_b(row.b, b, reach))]
    };
    let rows = model.curve.iter().flat_map(|row| {
        lines(row).map(|(name, value, [low, high])| json!({ "mom": row.mom, "parameter": name, "value": short(value), "low": short(low), "high": short(high) }))
    });
    let colours = json!({ "domain": ["a", "b"], "range": ["var(--blue)", "var(--orange)"] });
    let across =
        json!({ "field": "mom", "type": "quantitative", "title": model.mom_type.name(), "scale": { "zero": false } });
    let colour = json!({ "field": "parameter", "type": "nominal", "scale": colours, "title": null, "legend": { "orient": "top" } });
    let spec = layers(
        values(rows.collect()),
        vec![
            json!({ "mark": { "type": "area", "opacity": 0.2 }, "encoding": { "x": across, "y": { "field": "low", "type": "quantitative",
                "title": "internal units" }, "y2": { "field": "high" }, "color": colour } }),
            json!({ "mark": { "type": "line", "strokeWidth": 2 }, "encoding": { "x": across, "y": { "field": "value", "type": "quantitative" }, "color": colour,
                "tooltip": tooltip(&[("parameter", "parameter", ""), ("mom", model.mom_type.name(), ""), ("value", "value", ".1f"), ("low", "from", ".1f"), ("high", "to", ".1f")]) } }),
        ],
    );
    let moms = || model.curve.iter().map(|row| row.mom);
    let values = || model.curve.iter().flat_map(lines);
    let (first, last) = (moms().fold(f64::INFINITY, f64::min), moms().fold(f64::NEG_INFINITY, f64::max));
    let (low, high) =
        values().fold((0.0_f64, 1.0_f64), |(low, high), (.., ends)| (low.min(ends[0]), high.max(ends[1])));
    let plot =
        Plot { place: [64.0, 34.0, 660.0, 230.0], across: Scale::Linear(first, last), up: Scale::Linear(low, high) };
    let mut svg = Svg::new(WIDTH, 316.0);
    plot.draw(&mut svg, model.mom_type.name(), "internal units", [plain, plain]);
    let of = |row: &CurvePoint| [(row.a, row.a_error), (row.b, row.b_error)];
    for ((which, (_, hue)), interval) in PARAMETERS.into_iter().enumerate().zip(wdl::INTERVALS) {
        let rows: Vec<_> = model
            .curve
            .iter()
            .map(|row| (row.mom, of(row)[which]))
            .map(|(mom, (value, error))| (mom, value, error.map(|error| interval(value, error, reach))))
            .collect();
        wdl::parameter(&mut svg, &plot, hue, &rows);
    }
    Legend::new(PARAMETERS.map(|(name, hue)| (hue.fill, 4.0, name)), WIDTH).draw(&mut svg, (64.0, 6.0));
    Figure {
        name: format!("wdl-{}-curves", place + 1),
        title: format!("The curves a and b by {}, {}", model.mom_type, finding.name),
        caption:
            "a is the evaluation with a win rate of 1/2, b how slowly rates change with the evaluation; bands are 95 % \
                  intervals where the fit has errors."
                .to_owned(),
        picture: svg,
        spec: Some(spec),
        height: Height::Pixels(290),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drawish_games::wdl::{Errors, Intervals, Model, spread_interval};
    use drawish_stats::model::wdl::Mom;

    /// The interval of b is by its logarithm where it is printed, and so it is drawn.
    #[test]
    fn bands_are_the_intervals_of_the_model() {
        let mut model =
            Model::from_coefficients(Mom::Material, 58.0, [-60.0, 150.0, -180.0, 190.0], [10.0, -30.0, 40.0, 25.0]);
        let (error, reach) = (15.0, 2.04);
        let spread = spread_interval(45.0, error, reach);
        assert!(spread[0] > 45.0 - 0.8 * reach * error && spread[1] > 45.0 + 1.2 * reach * error, "{spread:?}");
        let pawn_value = [100.0 - reach * error, 100.0 + reach * error];
        model.errors = Some(Errors { pawn_value: error, spread: error, objective: None, a: Vec::new(), b: Vec::new() });
        model.intervals_95 = Some(Intervals { pawn_value, spread, a: Vec::new(), b: Vec::new() });
        let point = |mom| CurvePoint { mom, a: 100.0, b: 45.0, a_error: Some(error), b_error: Some(error) };
        model.curve = vec![point(58.0), point(60.0)];
        let figure = curves(0, &WdlData { name: "x".to_owned(), model });
        let spec = figure.spec.expect("a specification").to_string();
        for [low, high] in [pawn_value, spread] {
            let ends = format!("\"low\":{},\"high\":{}", short(low), short(high));
            assert!(spec.contains(&ends), "{ends}: {spec}");
        }
    }
}
