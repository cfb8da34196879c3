//! All structures at once: 64 sets of White's files by 64 of Black's.

use serde_json::json;

use crate::data::{Cell, ReportData, Structures};
use crate::document::{Block, Figure, Height, Section, choice};
use crate::pictures::palette::VIRIDIS;
use crate::pictures::spec::{self, tooltip};
use crate::pictures::svg::{Anchor, Look, Svg};
use drawish_stats::numbers::percent;

/// The sets of the files e, f, g in the order of the index: a group of eight rows or columns each.
const GROUPS: [&str; 8] = ["none", "e", "f", "e f", "g", "e g", "f g", "e f g"];

pub(super) fn heat(data: &ReportData) -> Section {
    let mut section = Section::new("heat", "All structures at once");
    let options = data
        .structures
        .iter()
        .enumerate()
        .map(|(place, source)| (source.name.clone(), vec![Block::Figure(figure(place, source))]))
        .collect();
    section.blocks = choice("structures", "Source", options);
    section
}

fn is_seen(cell: &Cell) -> bool {
    cell.games != Some(0)
}

/// The draw probabilities between which colours change: all but the outermost hundredth of the cells with games.
fn span(source: &Structures) -> (f64, f64) {
    let mut seen: Vec<f64> = source.cells.iter().filter(|cell| is_seen(cell)).map(|cell| cell.probability).collect();
    seen.sort_by(f64::total_cmp);
    let at = |share: f64| seen.get(((seen.len().max(1) - 1) as f64 * share) as usize).copied().unwrap_or(0.5);
    let (low, high) = (at(0.01), at(0.99));
    if high > low { (low, high) } else { (low - 0.01, high + 0.01) }
}

fn figure(place: usize, source: &Structures) -> Figure {
    let (low, high) = span(source);
    let labels = json!({
        "values": (0..8).map(|group| 8 * group).collect::<Vec<_>>(),
        "labelExpr": "['none','e','f','e f','g','e g','f g','e f g'][datum.value / 8]",
        "labelAngle": 0, "labelAlign": "left", "labelOverlap": true, "ticks": false, "domain": false, "grid": false
    });
    let mut upward = labels.clone();
    upward["labelAlign"] = json!("right");
    let spec = json!({
        "$schema": spec::SCHEMA,
        "data": spec::structures(place),
        "transform": [{ "filter": "datum.n !== 0" }],
        "view": { "fill": "var(--faint)", "stroke": null },
        "mark": { "type": "rect", "clip": true },
        "encoding": {
            "x": { "field": "black", "type": "ordinal", "scale": { "domain": (0..64).collect::<Vec<_>>(), "paddingInner": 0, "paddingOuter": 0 },
                "title": "Black's pawns: e f g, then b c d", "axis": labels },
            "y": { "field": "white", "type": "ordinal", "scale": { "domain": (0..64).rev().collect::<Vec<_>>(), "paddingInner": 0, "paddingOuter": 0 },
                "title": "White's pawns: e f g, then b c d", "axis": upward },
            "color": { "field": "p", "type": "quantitative", "title": "draw probability",
                "scale": { "scheme": "viridis", "domain": [spec::short(low), spec::short(high)], "clamp": true },
                "legend": { "format": ".0%", "orient": "top", "gradientLength": 160, "direction": "horizontal" } },
            "tooltip": tooltip(&[("words", "structure", ""), ("p", "draw probability", ".1%"), ("low", "from", ".1%"),
                ("high", "to", ".1%"), ("n", "games", ","), ("cell", "cell", "d")]),
        },
    });
    Figure {
        name: format!("heat-{}", place + 1),
        title: format!("Draw probability of each structure, {}", source.name),
        caption: "Each small square is one structure: White's files upwards, Black's to the right, in the order of the index: eight \
                  groups by the files e f g, and in each all sets of b c d. On \
                  the diagonal both sides have pawns on the same files. Structures that were never seen are grey."
            .to_owned(),
        picture: picture(source, low, high),
        spec: Some(spec),
        height: Height::Share(0.98),
    }
}

fn picture(source: &Structures, low: f64, high: f64) -> Svg {
    const SQUARE: f64 = 9.0;
    const LEFT: f64 = 70.0;
    const TOP: f64 = 44.0;
    const SIDE: f64 = 64.0 * SQUARE;
    let mut svg = Svg::new(LEFT + SIDE + 14.0, TOP + SIDE + 46.0);
    svg.block((LEFT, TOP), (SIDE, SIDE), "blank");
    // One path for each colour, a run of equal squares at a time.
    let mut paths = vec![String::new(); VIRIDIS.len()];
    let colour = |white: usize, black: usize| {
        let cell = source.cells.get(black << 6 | white).filter(|cell| is_seen(cell))?;
        let share = ((cell.probability - low) / (high - low)).clamp(0.0, 1.0);
        Some(((share * VIRIDIS.len() as f64) as usize).min(VIRIDIS.len() - 1))
    };
    for white in 0..64 {
        let mut black = 0;
        while black < 64 {
            let first = black;
            let own = colour(white, black);
            while black < 64 && colour(white, black) == own {
                black += 1;
            }
            if let Some(own) = own {
                let (x, y) = (LEFT + first as f64 * SQUARE, TOP + (63 - white) as f64 * SQUARE);
                let width = (black - first) as f64 * SQUARE;
                paths[own] += &format!("M{x} {y}h{width}v{SQUARE}h-{width}z");
            }
        }
    }
    for (path, colour) in paths.iter().zip(VIRIDIS) {
        if !path.is_empty() {
            svg.path(path, Look::Fill(colour));
        }
    }
    for (group, name) in GROUPS.iter().enumerate() {
        let at = group as f64 * 8.0 * SQUARE;
        svg.text((LEFT + at, TOP + SIDE + 15.0), Anchor::Start, "small", name);
        svg.text((LEFT - 6.0, TOP + SIDE - at - 3.0), Anchor::End, "small", name);
    }
    svg.text((LEFT + SIDE / 2.0, TOP + SIDE + 36.0), Anchor::Middle, "small", "Black's pawns: e f g, then b c d");
    svg.upright((16.0, TOP + SIDE / 2.0), "small", "White's pawns: e f g, then b c d");
    let width = 14.0;
    for (place, colour) in VIRIDIS.iter().enumerate() {
        svg.bar((LEFT + 48.0 + place as f64 * width, 14.0), (width, 12.0), colour);
    }
    svg.text((LEFT + 42.0, 24.0), Anchor::End, "small", &percent(low));
    svg.text(
        (LEFT + 54.0 + width * VIRIDIS.len() as f64, 24.0),
        Anchor::Start,
        "small",
        &format!("{}, draw probability", percent(high)),
    );
    svg
}
