//! A WDL model: what an evaluation means, and how that changes with material or moves.

use drawish_stats::model::WinDrawLoss;
use serde_json::json;

use crate::findings::{Findings, WdlFinding, WdlRow};
use crate::report::axes::{Axes, Scale, percent, plain};
use crate::report::numbers::grouped;
use crate::report::spec::{layers, short, tooltip, values};
use crate::report::story::{Block, Figure, Height, Section, Table, choice};
use crate::report::svg::{Anchor, Svg};

/// Evaluations are shown this far from 0, in pawns of the anchor.
const REACH: f64 = 4.0;
const STEPS: u32 = 60;
const NAMES: [&str; 3] = ["win", "draw", "loss"];

pub(super) fn wdl_fit(findings: &Findings) -> Section {
    let mut section = Section::new("wdl", "Win, draw and loss by evaluation");
    let options =
        findings.wdl.iter().enumerate().map(|(place, model)| (model.name.clone(), of_model(place, model))).collect();
    section.blocks = choice("wdl", "Model", options);
    section
}

fn of_model(place: usize, model: &WdlFinding) -> Vec<Block> {
    let error = |of: Option<f64>| of.map_or_else(String::new, |error| format!(" ± {error:.2}"));
    let errors = model.errors;
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
        blocks.push(Block::Figure(rates(place, model, anchor)));
    }
    if model.curve.len() > 1 {
        blocks.push(Block::Figure(curves(place, model)));
    }
    blocks
}

fn evaluations() -> impl Iterator<Item = f64> {
    (0..=STEPS).map(|step| REACH * (2.0 * f64::from(step) / f64::from(STEPS) - 1.0))
}

fn rates(place: usize, model: &WdlFinding, anchor: &WdlRow) -> Figure {
    let rows = evaluations().flat_map(|x| {
        let WinDrawLoss { win, draw, loss } = model.rates(anchor, x);
        NAMES
            .into_iter()
            .zip([win, draw, loss])
            .map(move |(name, rate)| json!({ "x": short(x), "result": name, "rate": short(rate) }))
    });
    let colours = json!({ "domain": NAMES, "range": ["var(--blue)", "var(--green)", "var(--orange)"] });
    let spec = layers(
        values(rows.collect()),
        vec![json!({ "mark": { "type": "line", "strokeWidth": 2 }, "encoding": {
            "x": { "field": "x", "type": "quantitative", "title": "evaluation of the side to move, pawns" },
            "y": { "field": "rate", "type": "quantitative", "title": "rate", "axis": { "format": ".0%" } },
            "color": { "field": "result", "type": "nominal", "scale": colours, "title": null, "legend": { "orient": "top" } },
            "strokeDash": { "field": "result", "type": "nominal", "scale": { "domain": NAMES, "range": [[1, 0], [6, 3], [2, 2]] }, "title": null },
            "tooltip": tooltip(&[("result", "result", ""), ("x", "pawns", "+.2f"), ("rate", "rate", ".1%")]),
        } })],
    );
    let axes =
        Axes { place: [64.0, 34.0, 660.0, 270.0], across: Scale::Linear(-REACH, REACH), up: Scale::Linear(0.0, 1.0) };
    let mut svg = Svg::new(744.0, 356.0);
    axes.draw(&mut svg, "evaluation of the side to move, pawns", "rate", [plain, percent]);
    type Rate = fn(WinDrawLoss) -> f64;
    let lines: [(Rate, &str, &str); 3] =
        [(|rates| rates.win, "l1", "f1"), (|rates| rates.draw, "l3", "f3"), (|rates| rates.loss, "l2", "f2")];
    for (result, (rate, line, dot)) in lines.into_iter().enumerate() {
        let points: Vec<_> = evaluations().map(|x| axes.at(x, rate(model.rates(anchor, x)))).collect();
        svg.curve(&points, line);
        let x = 70.0 + 90.0 * result as f64;
        svg.spot((x, 16.0), 4.0, dot);
        svg.text((x + 10.0, 20.0), Anchor::Start, "small", NAMES[result]);
    }
    Figure {
        name: format!("wdl-{}-rates", place + 1),
        title: format!("Rates by evaluation at {} {}, {}", model.mom_type, plain(anchor.mom), model.name),
        caption: "A pawn is the evaluation with a win rate of 1/2.".to_owned(),
        picture: svg,
        spec: Some(spec),
        height: Height::Pixels(320),
    }
}

fn curves(place: usize, model: &WdlFinding) -> Figure {
    let band = |value: f64, error: Option<f64>| {
        let reach = 1.96 * error.unwrap_or(0.0);
        (value - reach, value + reach)
    };
    let lines = |row: &WdlRow| [("a", row.a, band(row.a, row.a_error)), ("b", row.b, band(row.b, row.b_error))];
    let rows = model.curve.iter().flat_map(|row| {
        lines(row).map(|(name, value, (low, high))| json!({ "mom": row.mom, "parameter": name, "value": short(value), "low": short(low), "high": short(high) }))
    });
    let colours = json!({ "domain": ["a", "b"], "range": ["var(--blue)", "var(--orange)"] });
    let across = json!({ "field": "mom", "type": "quantitative", "title": model.mom_type, "scale": { "zero": false } });
    let colour = json!({ "field": "parameter", "type": "nominal", "scale": colours, "title": null, "legend": { "orient": "top" } });
    let spec = layers(
        values(rows.collect()),
        vec![
            json!({ "mark": { "type": "area", "opacity": 0.2 }, "encoding": { "x": across, "y": { "field": "low", "type": "quantitative",
                "title": "internal units" }, "y2": { "field": "high" }, "color": colour } }),
            json!({ "mark": { "type": "line", "strokeWidth": 2 }, "encoding": { "x": across, "y": { "field": "value", "type": "quantitative" }, "color": colour,
                "tooltip": tooltip(&[("parameter", "parameter", ""), ("mom", model.mom_type.as_str(), ""), ("value", "value", ".1f"), ("low", "from", ".1f"), ("high", "to", ".1f")]) } }),
        ],
    );
    let moms = || model.curve.iter().map(|row| row.mom);
    let values = || model.curve.iter().flat_map(lines);
    let (first, last) = (moms().fold(f64::INFINITY, f64::min), moms().fold(f64::NEG_INFINITY, f64::max));
    let (low, high) = values().fold((0.0_f64, 1.0_f64), |(low, high), (.., ends)| (low.min(ends.0), high.max(ends.1)));
    let axes =
        Axes { place: [64.0, 34.0, 660.0, 230.0], across: Scale::Linear(first, last), up: Scale::Linear(low, high) };
    let mut svg = Svg::new(744.0, 316.0);
    axes.draw(&mut svg, &model.mom_type, "internal units", [plain, plain]);
    for (which, (line, dot, area)) in [("l1", "f1", "b1"), ("l2", "f2", "b2")].into_iter().enumerate() {
        let of = |end: fn((f64, f64), f64) -> f64| -> Vec<_> {
            model
                .curve
                .iter()
                .map(|row| {
                    let (_, value, ends) = lines(row)[which];
                    axes.at(row.mom, end(ends, value))
                })
                .collect()
        };
        svg.band(&of(|ends, _| ends.0), &of(|ends, _| ends.1), area);
        svg.curve(&of(|_, value| value), line);
        let x = 70.0 + 60.0 * which as f64;
        svg.spot((x, 16.0), 4.0, dot);
        svg.text((x + 10.0, 20.0), Anchor::Start, "small", ["a", "b"][which]);
    }
    Figure {
        name: format!("wdl-{}-curves", place + 1),
        title: format!("The curves a and b by {}, {}", model.mom_type, model.name),
        caption:
            "a is the evaluation with a win rate of 1/2, b how slowly rates change with the evaluation; bands are 95 % \
                  intervals where the fit has errors."
                .to_owned(),
        picture: svg,
        spec: Some(spec),
        height: Height::Pixels(290),
    }
}
