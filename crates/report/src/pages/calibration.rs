//! Whether what was forecast has happened as often as was said.

use serde_json::{Value, json};

use super::gains::{is_one_a_game, predictors};
use crate::data::{ReportData, WdlData};
use crate::document::{Block, Figure, Height, Section, choice};
use crate::pictures::palette::{BLUE, ORANGE};
use crate::pictures::plot::{Plot, Scale, percent};
use crate::pictures::spec::{layers, short, tooltip, values};
use crate::pictures::svg::Svg;
use drawish_games::fit::{FEWEST_EVENTS, Target};
use drawish_games::wdl::fit::CalibrationBin;

/// A point of a diagram: forecast, rate, its interval where there is one, how many.
type Bin = (f64, f64, Option<(f64, f64)>, f64);

pub(super) fn calibration(data: &ReportData) -> Section {
    let mut section = Section::new("calibration", "Calibration");
    let (mut options, mut without) = (Vec::new(), false);
    for (place, (name, title, evaluation)) in data.evaluations.iter().enumerate() {
        let mut figures = Vec::new();
        for (target, what) in [(Target::Draw, "draws"), (Target::Score, "expected score")] {
            for (model, _, quality) in predictors(evaluation, target) {
                let Some(calibration) = &quality.calibration else { continue };
                let bins: Vec<Bin> = calibration
                    .bins
                    .iter()
                    .map(|bin| {
                        let interval = bin.interval().map(|(low, high)| (bin.forecast + low, bin.forecast + high));
                        (bin.forecast, bin.rate, interval, bin.count as f64)
                    })
                    .collect();
                without |= bins.iter().any(|(_, _, interval, _)| interval.is_none());
                let caption = format!("{what}; calibration error {:.4}", calibration.ece);
                let name = format!("calibration-{}-{}", place + 1, figures.len() + 1);
                figures.push(figure(&name, model, &caption, &bins));
            }
        }
        if !figures.is_empty() {
            options.push((format!("{name}, {title}"), vec![Block::Grid(figures)]));
        }
    }
    if !options.is_empty() {
        let is_of_games = data.evaluations.iter().all(|(.., evaluation)| is_one_a_game(evaluation));
        let rows = if is_of_games { "the games held out" } else { "the positions that were judged" };
        section.blocks.push(Block::Text(format!(
            "Across the mean forecast of a tenth of {rows}, upwards what happened, with its 95 % interval: on the \
             dashed line a forecast keeps its word. Orange: the interval does not reach the line."
        )));
    }
    if without {
        section.blocks.push(Block::Text(format!(
            "Points without an interval have games of fewer than {FEWEST_EVENTS} events, which do not tell how much events differ; they are never \
             orange."
        )));
    }
    section.blocks.extend(choice("evaluation", "Evaluation", options));
    for (place, finding) in data.wdl.iter().enumerate().filter(|(_, wdl)| !wdl.model.calibration.is_empty()) {
        let held_out = if finding.model.calibration_held_out { "on games held out" } else { "on the games of the fit" };
        section.blocks.push(Block::Text(format!(
            "WDL model {}, {held_out}, for the side to move and its opponent.",
            finding.name
        )));
        section.blocks.push(Block::Grid(of_wdl(place, finding)));
    }
    section
}

fn of_wdl(place: usize, finding: &WdlData) -> Vec<Figure> {
    let bins = |of: fn(&CalibrationBin) -> (f64, f64)| -> Vec<Bin> {
        let bins = finding.model.calibration.iter().filter(|bin| bin.sides > 0.0);
        bins.map(|bin| (of(bin).0, of(bin).1, None, bin.sides)).collect()
    };
    let wins = bins(|bin| (bin.predicted_win, bin.observed_win));
    let draws = bins(|bin| (bin.predicted_draw, bin.observed_draw));
    let name = |what: &str| format!("calibration-wdl-{}-{what}", place + 1);
    vec![figure(&name("wins"), "Wins", &finding.name, &wins), figure(&name("draws"), "Draws", &finding.name, &draws)]
}

/// Whether the interval, where there is one, holds the forecast.
fn is_kept(&(forecast, _, interval, _): &Bin) -> bool {
    interval.is_none_or(|(low, high)| low <= forecast && forecast <= high)
}

fn figure(name: &str, title: &str, caption: &str, bins: &[Bin]) -> Figure {
    let rows = bins.iter().map(|bin| {
        let (forecast, rate, interval, count) = *bin;
        let (low, high) = interval.unzip();
        let end = |end: Option<f64>| end.map_or(Value::Null, short);
        json!({ "forecast": short(forecast), "rate": short(rate), "low": end(low), "high": end(high), "n": count, "kept": is_kept(bin) })
    });
    let axis = |field: &str, title: &str| {
        json!({ "field": field, "type": "quantitative", "title": title, "axis": { "format": ".0%", "values": [0, 0.5, 1] },
            "scale": { "domain": [0, 1] } })
    };
    let colour = json!({ "condition": { "test": "datum.kept", "value": "var(--blue)" }, "value": "var(--orange)" });
    let spec = layers(
        values(rows.collect()),
        vec![
            json!({ "data": values(vec![json!({ "a": 0 }), json!({ "a": 1 })]), "mark": { "type": "line", "strokeDash": [4, 3], "strokeWidth": 1, "color": "var(--ink)" },
                "encoding": { "x": axis("a", "forecast"), "y": axis("a", "happened") } }),
            json!({ "transform": [{ "filter": "datum.low !== null" }], "mark": { "type": "rule", "strokeWidth": 1.4 }, "encoding": { "x": axis("forecast", "forecast"), "y": axis("low", "happened"),
                "y2": { "field": "high" }, "color": colour } }),
            json!({ "mark": { "type": "circle", "size": 32, "opacity": 1 }, "encoding": { "x": axis("forecast", "forecast"), "y": axis("rate", "happened"),
                "color": colour, "tooltip": tooltip(&[("forecast", "forecast", ".1%"), ("rate", "happened", ".1%"), ("low", "from", ".1%"),
                    ("high", "to", ".1%"), ("n", "positions", ",")]) } }),
        ],
    );
    Figure {
        name: name.to_owned(),
        title: title.to_owned(),
        caption: caption.to_owned(),
        picture: picture(bins),
        spec: Some(spec),
        height: Height::Share(1.0),
    }
}

fn picture(bins: &[Bin]) -> Svg {
    let plot = Plot { place: [60.0, 10.0, 200.0, 200.0], across: Scale::Linear(0.0, 1.0), up: Scale::Linear(0.0, 1.0) };
    let mut svg = Svg::new(282.0, 252.0);
    plot.draw(&mut svg, "forecast", "happened", [percent, percent]);
    svg.line(plot.at(0.0, 0.0), plot.at(1.0, 1.0), "mark");
    for bin in bins {
        let (forecast, rate, interval, _) = *bin;
        let hue = if is_kept(bin) { BLUE } else { ORANGE };
        if let Some((low, high)) = interval {
            svg.line(plot.at(forecast, low), plot.at(forecast, high), hue.line);
        }
        svg.spot(plot.at(forecast, rate), 3.2, hue.fill);
    }
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A point without an interval is never orange, and has nothing drawn as one.
    #[test]
    fn without_an_interval_nothing_is_said_of_the_line() {
        let drawn = |interval| {
            let figure = figure("a", "b", "c", &[(0.3, 0.5, interval, 9.0)]);
            let spec = figure.spec.expect("a spec").to_string();
            let svg = figure.picture.finish("");
            (
                spec.contains(r#""kept":false"#),
                spec.contains(r#""low":null"#),
                svg.contains(&format!("class=\"{}\"", ORANGE.fill)),
            )
        };
        assert_eq!(drawn(Some((0.4, 0.6))), (true, false, true));
        assert_eq!(drawn(None), (false, true, false));
    }
}
