//! Several matches side by side: what each arm is worth, and what is still open.

use serde_json::json;

use crate::data::MatchData;
use crate::document::{Block, Figure, Height, Section, Table};
use crate::pictures::palette::{BLUE, GREY};
use crate::pictures::plot::{Plot, WIDTH, nothing, plain};
use crate::pictures::spec::{layers, short, tooltip, values};
use crate::pictures::svg::{Anchor, Svg};
use drawish_stats::numbers::{elo_interval, grouped, part, probability, signed};

/// The column that is left out where no pair is repeated.
const REPEATED: &str = "repeated pairs";

/// Elo of the first side of each match with its interval, equivalence, and games still to be played; nothing for fewer than two
/// matches.
#[must_use]
pub fn comparison(matches: &[MatchData]) -> Section {
    let mut section = Section::new("comparison", "Matches compared");
    if matches.len() < 2 {
        return section;
    }
    let played: Vec<&MatchData> = matches.iter().filter(|one| one.strength.is_some()).collect();
    if !played.is_empty() {
        section.blocks.push(Block::Figure(forest(&played)));
    }
    section.blocks.push(Block::Table(table(matches)));
    if has_repeats(matches) {
        let text = "Repeated pairs are the same games as an earlier pair of their match, and add no evidence: Elo, its interval, LOS and tests leave them out.";
        section.blocks.push(Block::Text(text.to_owned()));
    }
    // As the rows of the table name them.
    let stopped: Vec<String> =
        labels(&played).into_iter().zip(&played).filter(|(_, one)| one.was_stopped()).map(|(label, _)| label).collect();
    if !stopped.is_empty() {
        section.blocks.push(Block::Text(format!(
            "A test has stopped {}: Elo, interval and p of equivalence in the table are as if the number of games had been fixed, so that \
             Elo is too far from 0, and no games still needed follow from them. Elo corrected for the stop stands with each match.",
            stopped.join(", ")
        )));
    }
    if let Some((found, equivalence)) = played.iter().find_map(|one| Some((one, one.equivalence?))) {
        let (margin, level) = (equivalence.margin, found.level);
        let at_any_time = if played.iter().all(|one| one.is_final) {
            ""
        } else {
            " Where pairs of the plan are still to be played, p is valid however often it is looked at, and no difference is excluded yet."
        };
        let has_reached = played.iter().any(|one| still_needed(one) == NONE_IF_EQUAL);
        let if_equal = if has_reached {
            "; none if equal: so many have been played, but the score is too far from even"
        } else {
            ""
        };
        section.blocks.push(Block::Text(format!(
            "Equivalence: p is the probability of results that speak so clearly for a difference below {margin} Elo if there were one of \
             {margin}. Games still needed: until that is shown at the level {level} with a probability of 0.8 if there is no difference, for a \
             number of games that was fixed beforehand; none, equivalent: p is below {level}; none, not equivalent: the 95 % interval lies \
             beyond {margin} Elo{if_equal}.{at_any_time}"
        )));
    }
    section
}

/// What each match is called in a row: its sides, and its file where others have the same sides.
fn labels(matches: &[&MatchData]) -> Vec<String> {
    let same = |found: &MatchData| matches.iter().filter(|other| other.sides() == found.sides()).count() > 1;
    let label = |found: &&MatchData| {
        let [first, second] = found.sides();
        if same(found) { format!("{first} - {second} ({})", found.name) } else { format!("{first} - {second}") }
    };
    matches.iter().map(label).collect()
}

fn has_repeats(matches: &[MatchData]) -> bool {
    matches.iter().any(|found| found.tally.repeated() > 0)
}

fn table(matches: &[MatchData]) -> Table {
    let has_repeats = has_repeats(matches);
    let head = [
        "match",
        "pairs",
        "Elo",
        "95 % interval",
        "drawn games",
        "identical pairs",
        REPEATED,
        "p of equivalence",
        "games still needed",
    ];
    // A column for what hardly a match has.
    let is_shown = |column: usize| has_repeats || head[column] != REPEATED;
    let shown: Vec<_> = (0..head.len()).filter(|&column| is_shown(column)).map(|column| head[column]).collect();
    let mut table = Table::new(1, &shown);
    for (found, label) in matches.iter().zip(labels(&matches.iter().collect::<Vec<_>>())) {
        let tally = &found.tally;
        let pairs = tally.pairs_played();
        let none = || "-".to_owned();
        let cells = [
            label,
            grouped(pairs),
            found.strength.map_or_else(none, |strength| signed(strength.elo, 1)),
            found
                .strength
                .map_or_else(none, |strength| elo_interval(strength.elo_low, strength.elo_high, |elo| signed(elo, 1))),
            part(tally.games.draws, 2 * pairs),
            part(tally.identical, pairs),
            part(tally.repeated(), pairs),
            found.equivalence.map_or_else(none, |equivalence| probability(equivalence.p(), 3)),
            still_needed(found),
        ];
        table.row(cells.into_iter().enumerate().filter(|(column, _)| is_shown(*column)).map(|(_, cell)| cell));
    }
    table
}

const NONE_IF_EQUAL: &str = "none if equal";

/// Games until equivalence is shown, as long as that is open. Where a test has stopped the match it lies off by chance more often than
/// one of so many games, and nothing is said.
fn still_needed(found: &MatchData) -> String {
    if found.was_stopped() {
        return "-".to_owned();
    }
    let is_shown = found.equivalence.is_some_and(|equivalence| equivalence.p() < found.level);
    let is_excluded = found.equivalence.zip(found.strength).is_some_and(|(equivalence, strength)| {
        found.is_final && (strength.elo_low > equivalence.margin || strength.elo_high < -equivalence.margin)
    });
    match found.games_for_equivalence {
        _ if is_shown => "none, equivalent".to_owned(),
        _ if is_excluded => "none, not equivalent".to_owned(),
        Some(games) => {
            let more = games - found.tally.distinct().games() as f64;
            if more > 0.0 { grouped(more.ceil() as u64) } else { NONE_IF_EQUAL.to_owned() }
        }
        None => "-".to_owned(),
    }
}

fn forest(played: &[&MatchData]) -> Figure {
    let names = labels(played);
    let rows = played.iter().enumerate().filter_map(|(place, found)| {
        let strength = found.strength?;
        Some(json!({ "row": place, "match": names[place], "elo": short(strength.elo), "low": short(strength.elo_low),
            "high": short(strength.elo_high), "pairs": found.tally.pairs_played() }))
    });
    let rows: Vec<_> = rows.collect();
    // Two matches may have the same sides: rows are told apart by their number.
    let text = format!("{}[datum.value]", json!(names));
    let up = json!({ "field": "row", "type": "ordinal", "title": null, "axis": { "labelExpr": text, "ticks": false } });
    let across = |field: &str| json!({ "field": field, "type": "quantitative", "title": "Elo, with its 95 % interval", "scale": { "zero": true } });
    let mut all = vec![];
    let margin = played.iter().find_map(|one| one.equivalence).map(|equivalence| equivalence.margin);
    if let Some(margin) = margin {
        all.push(json!({ "data": values(vec![json!({ "from": -margin, "to": margin })]), "mark": { "type": "rect", "color": "var(--grey)", "opacity": 0.18 },
            "encoding": { "x": across("from"), "x2": { "field": "to" } } }));
    }
    all.extend([
        json!({ "data": values(vec![json!({ "zero": 0 })]), "mark": { "type": "rule", "strokeDash": [4, 3], "color": "var(--ink)" }, "encoding": { "x": across("zero") } }),
        json!({ "mark": { "type": "rule", "strokeWidth": 2, "color": "var(--blue)" }, "encoding": { "y": up, "x": across("low"), "x2": { "field": "high" } } }),
        json!({ "mark": { "type": "circle", "size": 70, "opacity": 1, "color": "var(--blue)" }, "encoding": { "y": up, "x": across("elo"),
            "tooltip": tooltip(&[("match", "match", ""), ("elo", "Elo", "+.1f"), ("low", "from", "+.1f"), ("high", "to", "+.1f"), ("pairs", "pairs", ",")]) } }),
    ]);
    Figure {
        name: "comparison".to_owned(),
        title: "Elo of each first side against its second".to_owned(),
        caption: match margin {
            Some(margin) => {
                format!("With 95 % intervals for a fixed number of games; grey: within {margin} Elo of nothing.")
            }
            None => "With 95 % intervals for a fixed number of games.".to_owned(),
        },
        picture: picture(played, margin),
        spec: Some(layers(values(rows), all)),
        height: Height::Pixels(64 + 26 * played.len() as u32),
    }
}

fn picture(played: &[&MatchData], margin: Option<f64>) -> Svg {
    const ROW: f64 = 26.0;
    let ends =
        || played.iter().filter_map(|found| found.strength).map(|strength| (strength.elo_low, strength.elo_high));
    let reach = margin.unwrap_or(0.0);
    let low = ends().fold(-reach, |low, end| low.min(end.0));
    let high = ends().fold(reach, |high, end| high.max(end.1));
    let names = labels(played);
    let plot = Plot::of_rows(names.iter().map(String::as_str), (ROW, 8.0, 70.0), (low, high));
    let [left, top, width, height] = plot.place;
    let x = |value: f64| plot.at(value, 0.0).0;
    let mut svg = Svg::new(WIDTH, top + height + 48.0);
    plot.draw(&mut svg, "Elo, with its 95 % interval", "", [plain, nothing]);
    svg.block((x(-reach), top), (x(reach) - x(-reach), height), GREY.band);
    svg.line((x(0.0), top), (x(0.0), top + height), "mark");
    for (row, (found, name)) in played.iter().zip(&names).enumerate() {
        let y = plot.row(row, played.len());
        plot.row_name(&mut svg, y, name);
        if let Some(strength) = found.strength {
            svg.line((x(strength.elo_low), y), (x(strength.elo_high), y), BLUE.line);
            svg.spot((x(strength.elo), y), 4.2, BLUE.fill);
            svg.text((left + width + 12.0, y + 4.0), Anchor::Start, "small", &signed(strength.elo, 1));
        }
    }
    svg
}
