//! Draw rates by the kind of structure, and by the evaluation too where there are rows with evaluations.

use serde_json::json;

use crate::data::{BAND_EDGES, BandRate, Bands, CLASSES, ReportData, Structures};
use crate::document::{Block, Figure, Height, Section, Table};
use crate::pictures::palette::IN_TURN;
use crate::pictures::plot::{Legend, Plot, Scale, WIDTH, nothing, percent};
use crate::pictures::spec::{layers, short, tooltip, values};
use crate::pictures::svg::{Anchor, Svg};
use drawish_stats::numbers;
use drawish_stats::{FEWEST_EVENTS, LEAST_WORTH};

/// Rates of fewer games are not drawn: their intervals would fill the picture.
const FEWEST: u64 = 20;

pub(super) fn classes(data: &ReportData) -> Section {
    let mut section = Section::new("classes", "By kind of structure and evaluation");
    let sources: Vec<&Structures> = data.structures.iter().filter(|source| !source.classes.is_empty()).collect();
    if !sources.is_empty() {
        section.blocks.push(Block::Figure(of_sources(&sources)));
        section.blocks.push(Block::Table(table(&sources)));
    }
    for (place, bands) in data.bands.iter().enumerate() {
        let mut text = format!("{}: {} positions with an evaluation.", bands.name, numbers::grouped(bands.rows));
        if bands.without > 0 {
            text += &format!(" {} without one are left out.", numbers::grouped(bands.without));
        }
        let is_shown = |(results, rate): &BandRate| rate.is_some() && results.total() >= FEWEST;
        if bands.classes.iter().flatten().any(is_shown) {
            section.blocks.push(Block::Text(text));
            section.blocks.push(Block::Figure(of_bands(place, bands)));
        } else {
            text += &format!(
                " No kind of structure has {FEWEST} of them, and games enough, in a band of the evaluation, so there is no figure."
            );
            section.blocks.push(Block::Text(text));
        }
    }
    if !section.blocks.is_empty() && data.bands.is_empty() {
        section.blocks.push(Block::Text(
            "Drawish structures are often those in which nobody is ahead, so these rates mix structure and evaluation. Rows with \
             evaluations (drawish positions games.pgn -o rows.parquet) add the rates within bands of the evaluation."
                .to_owned(),
        ));
    }
    section
}

fn of_sources(sources: &[&Structures]) -> Figure {
    let rows = sources
        .iter()
        .flat_map(|source| {
            source.classes.iter().filter_map(|class| {
                let (rate, low, high) = class.rate?;
                Some(json!({ "source": source.name, "class": class.name, "rate": short(rate), "low": short(low),
                    "high": short(high), "n": class.results.total() }))
            })
        })
        .collect();
    let scale = json!({ "domain": sources.iter().map(|source| &source.name).collect::<Vec<_>>() });
    let position = json!({ "field": "class", "type": "nominal", "sort": CLASSES, "title": null });
    let offset = json!({ "field": "source", "scale": scale });
    let colour = json!({ "field": "source", "type": "nominal", "title": null, "scale": scale,
        "legend": if sources.len() > 1 { json!({ "orient": "top", "columns": 3, "labelLimit": 160 }) } else { json!(null) } });
    let rate = |field: &str| {
        json!({ "field": field, "type": "quantitative", "title": "draw rate, with its 90 % interval",
        "axis": { "format": ".0%" }, "scale": { "zero": false } })
    };
    let spec = layers(
        values(rows),
        vec![
            json!({ "mark": { "type": "rule", "strokeWidth": 1.6 }, "encoding": { "y": position, "yOffset": offset, "x": rate("low"),
                "x2": { "field": "high" }, "color": colour } }),
            json!({ "mark": { "type": "circle", "size": 55, "opacity": 1 }, "encoding": { "y": position, "yOffset": offset,
                "x": rate("rate"), "color": colour, "tooltip": tooltip(&[("source", "source", ""), ("class", "class", ""),
                ("rate", "draw rate", ".1%"), ("low", "from", ".1%"), ("high", "to", ".1%"), ("n", "positions", ",")]) } }),
        ],
    );
    Figure {
        name: "classes".to_owned(),
        title: "Draw rate by the files on which one side has a pawn and the other none".to_owned(),
        caption: "From structures with the same files for both sides to those that differ on four or more, with 90 % intervals (Jeffreys), which take positions for independent.".to_owned(),
        picture: picture(sources),
        spec: Some(spec),
        height: Height::Pixels(90 + 6 * (22 + 14 * sources.len() as u32)),
    }
}

fn table(sources: &[&Structures]) -> Table {
    let mut table = Table::new(2, &["structures", "source", "draw rate", "90 % interval", "positions"]);
    for (place, name) in CLASSES.iter().enumerate() {
        for source in sources {
            let class = &source.classes[place];
            if let Some((rate, low, high)) = class.rate {
                table.row([
                    (*name).to_owned(),
                    source.name.clone(),
                    numbers::percent(rate),
                    numbers::percents(low, high),
                    numbers::grouped(class.results.total()),
                ]);
            }
        }
    }
    table
}

fn picture(sources: &[&Structures]) -> Svg {
    let step = 12.0 * sources.len() as f64 + 12.0;
    let rates = || sources.iter().flat_map(|source| source.classes.iter().filter_map(|class| class.rate));
    let ends = rates().fold((1.0_f64, 0.0_f64), |(low, high), rate| (low.min(rate.1), high.max(rate.2)));
    let hue = |place: usize| IN_TURN[place % IN_TURN.len()];
    let names = sources.iter().enumerate().map(|(place, source)| (hue(place).fill, 4.0, source.name.as_str()));
    let legend = Legend::new(names, WIDTH - 40.0);
    let plot = Plot::of_rows(CLASSES, (step, legend.height() + 16.0, 24.0), ends);
    let [left, top, width, height] = plot.place;
    let mut svg = Svg::new(WIDTH, top + height + 52.0);
    plot.draw(&mut svg, "draw rate, with its 90 % interval", "", [percent, nothing]);
    legend.draw(&mut svg, (20.0, 4.0));
    for (row, name) in CLASSES.iter().enumerate() {
        plot.row_name(&mut svg, plot.row(row, CLASSES.len()), name);
        let top = top + step * row as f64;
        svg.line((left, top), (left + width, top), "grid");
        for (place, source) in sources.iter().enumerate() {
            if let Some((rate, low, high)) = source.classes[row].rate {
                let y = top + 12.0 * (place as f64 + 1.0);
                let at = |value: f64| (plot.at(value, 0.0).0, y);
                svg.line(at(low), at(high), hue(place).line);
                svg.spot(at(rate), 4.0, hue(place).fill);
            }
        }
    }
    svg
}

fn of_bands(place: usize, bands: &Bands) -> Figure {
    let mut rows = Vec::new();
    for (class, rates) in CLASSES.iter().zip(&bands.classes) {
        for (band, (results, rate)) in rates.iter().enumerate() {
            if let Some((rate, low, high)) = rate.filter(|_| results.total() >= FEWEST) {
                rows.push(
                    json!({ "class": class, "band": Bands::band_name(band), "rate": short(rate), "low": short(low),
                    "high": short(high), "n": results.total() }),
                );
            }
        }
    }
    let names: Vec<_> = (0..BAND_EDGES.len()).map(Bands::band_name).collect();
    let across = json!({ "field": "band", "type": "ordinal", "sort": names, "title": "size of the evaluation, pawns", "axis": { "labelAngle": 0, "labelOverlap": true } });
    let offset = json!({ "field": "class", "sort": CLASSES });
    let colour = json!({ "field": "class", "type": "nominal", "title": null, "scale": { "domain": CLASSES },
        "legend": { "orient": "top", "columns": 3 } });
    let up = |field: &str| json!({ "field": field, "type": "quantitative", "title": "draw rate", "axis": { "format": ".0%" } });
    let spec = layers(
        values(rows),
        vec![
            json!({ "mark": { "type": "rule", "strokeWidth": 1.4 }, "encoding": { "x": across, "xOffset": offset, "y": up("low"), "y2": { "field": "high" }, "color": colour } }),
            json!({ "mark": { "type": "circle", "size": 40, "opacity": 1 }, "encoding": { "x": across, "xOffset": offset, "y": up("rate"), "color": colour,
            "tooltip": tooltip(&[("class", "class", ""), ("band", "evaluation", ""), ("rate", "draw rate", ".1%"), ("low", "from", ".1%"), ("high", "to", ".1%"), ("n", "positions", ",")]) } }),
        ],
    );
    Figure {
        name: format!("bands-{}", place + 1),
        title: format!("Draw rate by kind of structure, at equal size of the evaluation, {}", bands.name),
        caption: if bands.boards > 0 {
            format!(
                "90 % intervals (Jeffreys), which take positions for independent, so that they are too narrow; classes of fewer than \
                 {FEWEST} positions in a band are left out."
            )
        } else {
            format!(
                "90 % intervals (Jeffreys), with positions of one game as dependent; classes of fewer than {FEWEST} positions in a band, \
                 or of fewer than {FEWEST_EVENTS} games worth {LEAST_WORTH} of equal length, are left out."
            )
        },
        picture: picture_of_bands(bands),
        spec: Some(spec),
        height: Height::Pixels(340),
    }
}

fn picture_of_bands(bands: &Bands) -> Svg {
    let count = BAND_EDGES.len() as f64;
    let radius = |class: usize| if class < IN_TURN.len() { 4.0 } else { 2.2 };
    let hue = |class: usize| IN_TURN[class % IN_TURN.len()];
    let names = CLASSES.iter().enumerate().map(|(class, name)| (hue(class).fill, radius(class), *name));
    let legend = Legend::new(names, WIDTH - 84.0);
    let plot = Plot {
        place: [64.0, legend.height() + 16.0, WIDTH - 84.0, 290.0],
        across: Scale::Linear(0.0, count),
        up: Scale::Linear(0.0, 1.0),
    };
    let mut svg = Svg::new(WIDTH, plot.place[1] + 344.0);
    legend.draw(&mut svg, (64.0, 4.0));
    plot.draw(&mut svg, "size of the evaluation, pawns", "draw rate", [nothing, percent]);
    for band in 0..BAND_EDGES.len() {
        let (x, y) = plot.at(band as f64 + 0.5, 0.0);
        svg.text((x, y + 17.0), Anchor::Middle, "small", &Bands::band_name(band));
        for (class, rates) in bands.classes.iter().enumerate() {
            let (results, rate) = rates[band];
            if let Some((rate, low, high)) = rate.filter(|_| results.total() >= FEWEST) {
                let x = band as f64 + 0.15 + 0.14 * class as f64;
                svg.line(plot.at(x, low), plot.at(x, high), hue(class).line);
                svg.spot(plot.at(x, rate), radius(class), hue(class).fill);
            }
        }
    }
    svg
}
