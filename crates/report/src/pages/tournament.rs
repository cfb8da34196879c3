//! Tournaments: Elo of every engine with its interval, the table, and the results of each against each.

use serde_json::{Value, json};

use crate::data::{ReportData, TournamentData};
use crate::document::{Block, Figure, Height, Section, Table, choice};
use crate::pictures::palette::BLUE;
use crate::pictures::plot::{Plot, WIDTH, nothing, plain};
use crate::pictures::spec::{layers, short, tooltip, values};
use crate::pictures::svg::{Anchor, Svg};
use crate::text::tournament::{Shown, capital, clusters};
use drawish_match::tournament::Standing;
use drawish_stats::numbers::{counted, grouped, signed};
use drawish_stats::{EloZero, RatedElo};

/// What the axis of Elo is called.
const AXIS: &str = "Elo, with its 95 % interval; the mean is 0";

pub(super) fn tournament(data: &ReportData) -> Section {
    let mut section = Section::new("tournament", "Tournament");
    let options = data.tournaments.iter().enumerate().map(|(place, one)| (one.name.clone(), of_log(place, one)));
    section.blocks = choice("tournament", "Tournament", options.collect());
    section
}

fn of_log(place: usize, TournamentData { name, setup, standing }: &TournamentData) -> Vec<Block> {
    let games = &setup.games;
    let mut blocks = vec![Block::Text(format!(
        "{}: {} engines, {}, openings {}, each with both colours. What ends games: {}.",
        capital(&setup.schedule.to_string()),
        grouped(games.sides.len() as u64),
        counted(2 * standing.pairs(), "game"),
        games.book,
        games.rules_text()
    ))];
    if standing.pairs() == 0 {
        blocks.push(Block::Text("No pair of games is finished: there is nothing to show yet.".to_owned()));
        return blocks;
    }
    let shown = Shown::of(standing, EloZero::Mean);
    let rows = rows(&shown, standing);
    if rows.iter().any(|row| row.interval().is_some() || row.elo().is_some()) {
        blocks.push(Block::Figure(figure(place, name, &rows, &clusters(standing))));
    }
    let mut table = Table::new(1, &["engine", "Elo", "95 %", "games", "points", "score", "drawn", "LOS"]);
    shown.table().into_iter().for_each(|row| table.row(cells(row)));
    blocks.push(Block::Table(table));
    blocks.push(Block::List(shown.notes()));
    blocks.push(Block::Text("Won, drawn and lost games of each engine against the one in that place:".to_owned()));
    let mut cross = Table::new(1, &["engine"]);
    cross.head.extend(shown.places());
    shown.cross_table().into_iter().for_each(|row| cross.row(cells(row)));
    blocks.push(Block::Table(cross));
    blocks
}

/// The cells of a row, of which the first two are place and name.
fn cells(row: Vec<String>) -> impl Iterator<Item = String> {
    let mut row = row.into_iter();
    let engine = row.next().zip(row.next()).map(|(place, name)| format!("{place}. {name}"));
    engine.into_iter().chain(row.map(|cell| cell.replace("+/-", "±")))
}

/// An engine in the picture.
struct Row<'a> {
    name: &'a str,
    elo: Option<RatedElo>,
    games: u64,
}

fn rows<'a>(shown: &Shown<'_>, standing: &'a Standing) -> Vec<Row<'a>> {
    let row = |&engine: &usize| Row {
        name: &standing.names()[engine],
        elo: shown.ratings.as_ref().map(|ratings| ratings.elos()[engine]),
        games: standing.of_engine(engine).count(),
    };
    shown.order.iter().map(row).collect()
}

impl Row<'_> {
    /// Elo where it is known.
    fn elo(&self) -> Option<f64> {
        match self.elo? {
            RatedElo::Likeliest { elo, .. } => Some(elo),
            RatedElo::AtLeast(_) | RatedElo::AtMost(_) | RatedElo::Unknown => None,
        }
    }

    /// From where to where Elo may be: of an engine that has won or lost every game, one end is open; `None` where the error is not known.
    fn interval(&self) -> Option<(Option<f64>, Option<f64>)> {
        match self.elo? {
            RatedElo::Likeliest { elo, error } => error.map(|error| (Some(elo - error), Some(elo + error))),
            RatedElo::AtLeast(bound) => bound.map(|bound| (Some(bound), None)),
            RatedElo::AtMost(bound) => bound.map(|bound| (None, Some(bound))),
            RatedElo::Unknown => None,
        }
    }

    /// What stands behind the row.
    fn figure(&self) -> String {
        match self.elo {
            Some(RatedElo::Likeliest { elo, error }) => {
                error.map_or(signed(elo, 1), |error| format!("{} ± {error:.1}", signed(elo, 1)))
            }
            Some(RatedElo::AtLeast(Some(bound))) => format!("≥ {}", signed(bound, 1)),
            Some(RatedElo::AtMost(Some(bound))) => format!("≤ {}", signed(bound, 1)),
            _ => "-".to_owned(),
        }
    }
}

/// The ends of the axis: all that is known, 0, and some room beyond ends that are open.
fn span(rows: &[Row<'_>]) -> (f64, f64) {
    let ends = || rows.iter().filter_map(Row::interval).flat_map(|(low, high)| [low, high]).flatten();
    let known = || ends().chain(rows.iter().filter_map(Row::elo));
    let (low, high) = known().fold((0.0_f64, 0.0_f64), |(low, high), end| (low.min(end), high.max(end)));
    let room = 0.06 * (high - low).max(1.0);
    (low - room, high + room)
}

fn figure(place: usize, name: &str, rows: &[Row<'_>], clusters: &str) -> Figure {
    let (lowest, highest) = span(rows);
    let marks = rows.iter().map(|row| {
        let number = |of: Option<f64>| of.map_or(Value::Null, short);
        let (low, high) = row.interval().map_or((None, None), |(low, high)| {
            (Some(low.unwrap_or(lowest)), Some(high.unwrap_or(highest)))
        });
        json!({ "engine": row.name, "elo": number(row.elo()), "low": number(low), "high": number(high), "text": row.figure(),
            "games": row.games })
    });
    let order: Vec<_> = rows.iter().map(|row| row.name).collect();
    let up = json!({ "field": "engine", "type": "nominal", "sort": order, "title": null });
    let across = |field: &str| {
        json!({ "field": field, "type": "quantitative", "title": AXIS, "axis": { "tickCount": 7 },
            "scale": { "domain": [short(lowest), short(highest)], "nice": false } })
    };
    let said = tooltip(&[("engine", "engine", ""), ("text", "Elo", ""), ("games", "games", ",")]);
    let spec = layers(
        values(marks.collect()),
        vec![
            json!({ "data": values(vec![json!({ "zero": 0 })]), "mark": { "type": "rule", "strokeDash": [4, 3], "color": "var(--ink)" },
                "encoding": { "x": across("zero") } }),
            json!({ "mark": { "type": "rule", "strokeWidth": 2, "color": "var(--blue)" },
                "encoding": { "y": up, "x": across("low"), "x2": { "field": "high" }, "tooltip": said } }),
            json!({ "transform": [{ "filter": "datum.elo !== null && datum.low !== null" }],
                "mark": { "type": "circle", "size": 70, "opacity": 1, "color": "var(--blue)" },
                "encoding": { "y": up, "x": across("elo"), "tooltip": said } }),
            json!({ "transform": [{ "filter": "datum.elo !== null && datum.low === null" }],
                "mark": { "type": "point", "shape": "circle", "filled": false, "size": 70, "opacity": 1, "color": "var(--blue)" },
                "encoding": { "y": up, "x": across("elo"), "tooltip": said } }),
        ],
    );
    let is_unknown = rows.iter().any(|row| row.elo().is_some() && row.interval().is_none());
    let is_open = rows.iter().filter_map(Row::interval).any(|(low, high)| low.is_none() || high.is_none());
    Figure {
        name: format!("tournament-{}", place + 1),
        title: format!("Elo of the engines, {name}"),
        caption: caption(clusters, is_open, is_unknown),
        picture: picture(rows),
        spec: Some(spec),
        height: Height::Pixels(64 + 26 * rows.len() as u32),
    }
}

/// What lines and points are, where there are such.
fn caption(clusters: &str, is_open: bool, is_unknown: bool) -> String {
    let mut caption = format!("With 95 % intervals by {clusters}.");
    if is_open {
        caption += " A line without a point goes on beyond the edge: that engine has won, or lost, every game against the others.";
    }
    if is_unknown {
        caption += " A hollow point has no line because its error is not known yet.";
    }
    caption
}

fn picture(rows: &[Row<'_>]) -> Svg {
    const ROW: f64 = 26.0;
    let (lowest, highest) = span(rows);
    let plot = Plot::of_rows(rows.iter().map(|row| row.name), (ROW, 8.0, 104.0), (lowest, highest));
    let [left, top, width, height] = plot.place;
    let x = |value: f64| plot.at(value, 0.0).0;
    let mut svg = Svg::new(WIDTH, top + height + 48.0);
    plot.draw(&mut svg, AXIS, "", [plain, nothing]);
    svg.line((x(0.0), top), (x(0.0), top + height), "mark");
    for (at, row) in rows.iter().enumerate() {
        let y = plot.row(at, rows.len());
        plot.row_name(&mut svg, y, row.name);
        if let Some((low, high)) = row.interval() {
            svg.line((x(low.unwrap_or(lowest)), y), (x(high.unwrap_or(highest)), y), BLUE.line);
        }
        if let Some(elo) = row.elo() {
            svg.spot((x(elo), y), 4.2, if row.interval().is_some() { BLUE.fill } else { BLUE.line });
        }
        svg.text((left + width + 12.0, y + 4.0), Anchor::Start, "small", &row.figure());
    }
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No line is no exact Elo: such a point is hollow, and the caption says why.
    #[test]
    fn an_elo_without_an_error_is_a_hollow_point() {
        let row = |name, error| Row { name, elo: Some(RatedElo::Likeliest { elo: 50.0, error }), games: 10 };
        let drawn = |rows: &[Row<'_>]| {
            let figure = figure(0, "t.jsonl", rows, "openings");
            let svg = figure.picture.finish("t");
            let of = |class: &str| {
                svg.split("<circle").skip(1).filter(|rest| rest[..rest.find('>').unwrap_or(0)].contains(class)).count()
            };
            (of("\"f1\""), of("\"l1\""), figure.caption.contains("A hollow point"))
        };
        assert_eq!(drawn(&[row("a", Some(20.0)), row("b", Some(30.0))]), (2, 0, false));
        assert_eq!(drawn(&[row("a", Some(20.0)), row("b", None)]), (1, 1, true));
    }
}
