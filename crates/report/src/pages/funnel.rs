//! Observed draw rates against the number of games: how much of what is seen is chance.

use serde_json::{Value, json};

use crate::data::{Cell, Funnel, FunnelPoint, ReportData, Structures};
use crate::document::{Block, Figure, Height, Section, choice};
use crate::pictures::palette::{BLUE, GREY};
use crate::pictures::plot::{Plot, Scale, WIDTH, percent, plain};
use crate::pictures::spec::{self, layers, number, short, tooltip, values};
use crate::pictures::svg::Svg;

pub(super) fn funnel(data: &ReportData) -> Section {
    let mut section = Section::new("funnel", "How much of it is chance");
    let options = data
        .structures
        .iter()
        .enumerate()
        .filter_map(|(place, source)| Some((source.name.clone(), of_source(place, source, source.funnel.as_ref()?))))
        .collect();
    section.blocks = choice("funnel", "Source", options);
    section
}

fn of_source(place: usize, source: &Structures, funnel: &Funnel) -> Vec<Block> {
    let Funnel { prior, basis, .. } = funnel;
    let whose = if source.is_symmetric() { "with its mirror images and colour swap" } else { "of its own" };
    let mut text = format!(
        "How the draw probabilities of structures scatter, {}: {prior} (beta distribution fitted to {basis}). A structure needs {:.0} \
         games {whose} to speak as loudly as this prior.",
        source.name, prior.strength
    );
    // What the section of structures says already is not said again.
    if let Some(remark) = funnel.remark.filter(|&remark| source.remark != Some(remark)) {
        text += &format!(" Beware: {remark}.");
    }
    let figure = Figure {
        name: format!("funnel-{}", place + 1),
        title: format!("Observed draw rate against games, {}", source.name),
        caption: "Each dot is a structure with its own games. The grey band holds 90 % of them if only chance told them apart, the blue one if they \
                  differ as the prior says; dashed: the mean of the prior."
            .to_owned(),
        picture: picture(source, funnel),
        spec: Some(specification(place, funnel)),
        height: Height::Pixels(380),
    };
    vec![Block::Text(text), Block::Figure(figure)]
}

fn specification(place: usize, funnel: &Funnel) -> Value {
    let band = funnel.band.iter().map(|point| {
        json!({ "n": point.games, "low": short(point.spread.0), "high": short(point.spread.1),
            "chance_low": short(point.chance.0), "chance_high": short(point.chance.1) })
    });
    let band = values(band.collect());
    let games = json!({ "field": "n", "type": "quantitative", "scale": { "type": "log" }, "title": "games of a structure",
        "axis": { "format": ",", "tickCount": 5, "grid": false } });
    let rate = |field: &str| {
        json!({ "field": field, "type": "quantitative", "title": "draw rate", "axis": { "format": ".0%" },
            "scale": { "domain": [0, 1] } })
    };
    let area = |low: &str, high: &str, colour: &str, opacity: f64| {
        json!({ "data": band.clone(), "mark": { "type": "area", "color": colour, "opacity": opacity },
            "encoding": { "x": games.clone(), "y": rate(low), "y2": { "field": high } } })
    };
    layers(
        spec::structures(place),
        vec![
            area("low", "high", "var(--blue)", 0.16),
            area("chance_low", "chance_high", "var(--grey)", 0.25),
            json!({ "data": values(vec![json!({ "mean": short(funnel.prior.mean) })]),
                "mark": { "type": "rule", "strokeDash": [4, 3], "color": "var(--ink)" },
                "encoding": { "y": number("mean", "draw rate") } }),
            json!({
                "transform": [{ "filter": "datum.n > 0 && datum.rate !== null" }],
                "mark": { "type": "circle", "size": 10, "opacity": 0.5, "color": "var(--blue)" },
                "encoding": { "x": games.clone(), "y": rate("rate"),
                    "tooltip": tooltip(&[("words", "structure", ""), ("rate", "draw rate", ".1%"), ("n", "games", ","),
                        ("p", "draw probability", ".1%"), ("cell", "cell", "d")]) },
            }),
        ],
    )
}

fn picture(source: &Structures, funnel: &Funnel) -> Svg {
    let most = funnel.band.last().map_or(2, |point| point.games).max(2);
    let plot =
        Plot { place: [64.0, 16.0, 660.0, 320.0], across: Scale::Ratio(1.0, most as f64), up: Scale::Linear(0.0, 1.0) };
    let mut svg = Svg::new(WIDTH, 386.0);
    plot.draw(&mut svg, "games of a structure", "draw rate", [plain, percent]);
    let line = |of: fn(&FunnelPoint) -> (f64, f64)| {
        funnel.band.iter().map(move |point| (point.games as f64, of(point).0, of(point).1))
    };
    plot.band(&mut svg, line(|point| point.spread), BLUE.band);
    plot.band(&mut svg, line(|point| point.chance), GREY.band);
    plot.level(&mut svg, funnel.prior.mean, "mean of the prior");
    let rate = |cell: &Cell| {
        let (games, draws) = (cell.games.filter(|&games| games > 0)? as f64, cell.draws? as f64);
        Some((games, draws / games))
    };
    plot.dots(&mut svg, source.cells.iter().filter_map(rate), BLUE.dots);
    svg
}
