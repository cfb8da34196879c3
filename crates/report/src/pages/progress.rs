//! The course of a match: the test with its bounds, Elo with its band, pairs by their points, how games ended.

use serde_json::{Value, json};

use crate::data::{MatchData, MatchTest, Step};
use crate::document::{Block, Figure, Height, Section, Table, choice};
use crate::pictures::palette::BLUE;
use crate::pictures::plot::{Plot, SMALL, Scale, WIDTH, plain, width_of};
use crate::pictures::spec::{layers, short, tooltip, values};
use crate::pictures::svg::{Anchor, Svg};
use crate::text::sprt::words_of_stop;
use drawish_stats::numbers::{counted, elo_interval, grouped, percent, signed};
use drawish_stats::{Decision, Model};

/// The course of each match, and how it stands.
#[must_use]
pub fn progress(matches: &[MatchData]) -> Section {
    let mut section = Section::new("matches", if matches.len() == 1 { "The match" } else { "Each match" });
    let options = matches
        .iter()
        .enumerate()
        .map(|(place, one)| {
            let [first, second] = one.sides();
            (format!("{first} against {second} ({})", one.name), of_match(place, one))
        })
        .collect();
    section.blocks = choice("match", "Match", options);
    section
}

fn of_match(place: usize, found: &MatchData) -> Vec<Block> {
    let [first, second] = found.sides();
    let setup = &found.setup;
    let limits = match &setup.sides {
        [one, two] if one.limits == two.limits => one.limits.to_string(),
        [one, two] => format!("{} against {}", one.limits, two.limits),
    };
    let mut blocks = vec![Block::Text(format!("{first} against {second}: {limits}, openings {}.", setup.book))];
    if found.strength.is_none() {
        blocks.push(Block::Text("No pair of games is finished yet, so there is nothing to show.".to_owned()));
        return blocks;
    }
    blocks.push(Block::Table(summary(found)));
    let caveat = found.test.as_ref().and_then(|test| test.sprt.model().caveat());
    blocks.extend(caveat.map(|caveat| Block::Text(caveat.to_owned())));
    let name = |what: &str| format!("match-{}-{what}", place + 1);
    if let Some(test) = &found.test {
        blocks.push(Block::Figure(llr(&name("llr"), found, test)));
    }
    blocks.push(Block::Figure(elo(&name("elo"), found)));
    blocks.push(Block::Grid(vec![pentanomial(&name("pairs"), found), ends(&name("draws"), found)]));
    blocks
}

/// How a match stands.
fn summary(found: &MatchData) -> Table {
    let mut table = Table::new(1, &["figure", "value"]);
    let tally = &found.tally;
    let mut row = |name: &str, value: String| table.row([name.to_owned(), value]);
    let [first, second] = found.sides();
    if let Some(strength) = &found.strength {
        row(
            "Elo (95 % interval, number of games fixed)",
            format!(
                "{} ({})",
                signed(strength.elo, 2),
                elo_interval(strength.elo_low, strength.elo_high, |elo| signed(elo, 2))
            ),
        );
        let nelo =
            strength.nelo.zip(strength.nelo_error).map(|(nelo, error)| format!("{} ± {error:.2}", signed(nelo, 2)));
        let absent = || strength.not_yet.map_or_else(|| "-".to_owned(), |why| format!("not yet: {why}"));
        row("normalized Elo (number of games fixed)", nelo.unwrap_or_else(absent));
        row(
            &format!("likelihood that {first} is stronger (number of games fixed)"),
            strength.los.map_or_else(absent, percent),
        );
    }
    if let Some(test) = &found.test {
        let [elo0, elo1] = test.sprt.bounds();
        let judged = tally.pairs_played() - test.later;
        // Without a stop all pairs have been played as planned.
        let is_fixed = test.estimate.is_none();
        let place = if test.is_of_log { ", the test of the log" } else { "" };
        let of = if is_fixed { ", of all pairs" } else { "" };
        row(
            &format!("log-likelihood ratio, {} Elo {elo0} against {elo1}{place}{of}", test.sprt.model().name()),
            format!("{:.2}", test.llr),
        );
        let decision = match test.decision {
            Decision::H0 => "H0 is accepted",
            Decision::H1 => "H1 is accepted",
            Decision::Continue => "undecided",
        };
        match test.estimate {
            None => {
                let after = format!(" after {}", counted(judged, "pair"));
                let after = if test.decision == Decision::Continue { String::new() } else { after };
                row("decision of the test, had it been watched; it stopped nothing", format!("{decision}{after}"));
            }
            Some(estimate) => {
                row("decision of the test", decision.to_owned());
                let corrected = match estimate {
                    Ok(found) => format!(
                        "{} ({})",
                        signed(found.elo, 2),
                        elo_interval(found.low, found.high, |elo| signed(elo, 2))
                    ),
                    Err(why) => format!("not known: {why}"),
                };
                row(&format!("Elo {} (95 % interval)", words_of_stop(test.decision)), corrected);
                if test.later > 0 {
                    let after = format!("{}, {}", grouped(judged), grouped(test.later));
                    row("pairs up to the decision of the test, and after it", after);
                }
            }
        }
    }
    row("pairs of games", grouped(tally.pairs_played()));
    row(
        "games won, drawn, lost",
        format!("{}, {}, {}", grouped(tally.games.wins), grouped(tally.games.draws), grouped(tally.games.losses)),
    );
    row("pairs with the same moves in both games", grouped(tally.identical));
    if tally.repeated() > 0 {
        let what = "pairs that are the same games as an earlier pair, left out of Elo, its interval and all tests";
        row(what, grouped(tally.repeated()));
    }
    row("adjudicated games", grouped(tally.adjudicated()));
    for (side, name) in [first, second].into_iter().enumerate() {
        for (end, games) in &tally.faults[side] {
            row(&format!("games that {name} lost by {}", end.name()), grouped(*games));
        }
        if tally.overran[side] > 0 {
            row(&format!("moves in which {name} went far beyond its limit"), grouped(tally.overran[side]));
        }
    }
    table
}

fn across() -> Value {
    json!({ "field": "pairs", "type": "quantitative", "title": "pairs of games", "axis": { "grid": false } })
}

/// The plot over the pairs of a match.
fn over_pairs(course: &[Step], up: (f64, f64)) -> Plot {
    let pairs = course.last().map_or(1, |step| step.pairs);
    Plot { place: [64.0, 12.0, 660.0, 240.0], across: Scale::Linear(0.0, pairs as f64), up: Scale::Linear(up.0, up.1) }
}

fn llr(name: &str, found: &MatchData, test: &MatchTest) -> Figure {
    let (lower, upper) = (test.sprt.lower(), test.sprt.upper());
    let [elo0, elo1] = test.sprt.bounds();
    let unit = if test.sprt.model() == Model::Normalized { "nElo" } else { "Elo" };
    let points: Vec<(u64, f64)> = found.course.iter().filter_map(|step| Some((step.pairs, step.llr?))).collect();
    let rows = points.iter().map(|&(pairs, llr)| json!({ "pairs": pairs, "llr": short(llr) })).collect();
    let bounds = vec![
        json!({ "bound": short(upper), "name": format!("H1: {elo1} {unit}") }),
        json!({ "bound": short(lower), "name": format!("H0: {elo0} {unit}") }),
    ];
    let up = |field: &str| json!({ "field": field, "type": "quantitative", "title": "log-likelihood ratio" });
    let spec = layers(
        values(rows),
        vec![
            json!({ "data": values(bounds.clone()), "mark": { "type": "rule", "strokeDash": [4, 3], "color": "var(--ink)" }, "encoding": { "y": up("bound") } }),
            json!({ "data": values(bounds), "mark": { "type": "text", "align": "left", "baseline": "bottom", "x": 4, "dy": -3, "color": "var(--soft)" },
                "encoding": { "y": up("bound"), "text": { "field": "name" } } }),
            json!({ "mark": { "type": "line", "strokeWidth": 1.8, "color": "var(--blue)" }, "encoding": { "x": across(), "y": up("llr") } }),
            json!({ "mark": { "type": "circle", "size": 30, "opacity": 0 }, "encoding": { "x": across(), "y": up("llr"),
                "tooltip": tooltip(&[("pairs", "pairs", ","), ("llr", "log-likelihood ratio", ".2f")]) } }),
        ],
    );
    let all = || points.iter().map(|point| point.1);
    let plot = over_pairs(&found.course, (all().fold(lower, f64::min) - 0.4, all().fold(upper, f64::max) + 0.4));
    let mut svg = Svg::new(WIDTH, 300.0);
    plot.draw(&mut svg, "pairs of games", "log-likelihood ratio", [plain, plain]);
    plot.bound(&mut svg, upper, &format!("H1: {elo1} {unit}"));
    plot.bound(&mut svg, lower, &format!("H0: {elo0} {unit}"));
    plot.curve(&mut svg, points.iter().map(|&(pairs, llr)| (pairs as f64, llr)), BLUE.line);
    Figure {
        name: name.to_owned(),
        title: "The test".to_owned(),
        caption: format!(
            "Where the line reaches a bound the test is decided: {} Elo, {elo0} against {elo1}.",
            test.sprt.model().name()
        ),
        picture: svg,
        spec: Some(spec),
        height: Height::Pixels(280),
    }
}

fn elo(name: &str, found: &MatchData) -> Figure {
    // The first pairs say nothing: their band would fill the picture.
    let last = found.course.last().map_or(0, |step| step.pairs);
    let course: Vec<&Step> = found.course.iter().filter(|step| 20 * step.pairs >= last).collect();
    let rows = course.iter().map(|step| {
        json!({ "pairs": step.pairs, "elo": short(step.elo), "low": short(step.interval.0), "high": short(step.interval.1) })
    });
    let up = |field: &str| json!({ "field": field, "type": "quantitative", "title": "Elo" });
    let spec = layers(
        values(rows.collect()),
        vec![
            json!({ "mark": { "type": "area", "opacity": 0.16, "color": "var(--blue)" }, "encoding": { "x": across(), "y": up("low"), "y2": { "field": "high" } } }),
            json!({ "data": values(vec![json!({ "zero": 0 })]), "mark": { "type": "rule", "color": "var(--ink)", "strokeDash": [4, 3] }, "encoding": { "y": up("zero") } }),
            json!({ "mark": { "type": "line", "strokeWidth": 1.8, "color": "var(--blue)" }, "encoding": { "x": across(), "y": up("elo") } }),
            json!({ "mark": { "type": "circle", "size": 30, "opacity": 0 }, "encoding": { "x": across(), "y": up("elo"),
                "tooltip": tooltip(&[("pairs", "pairs", ","), ("elo", "Elo", "+.1f"), ("low", "from", "+.1f"), ("high", "to", "+.1f")]) } }),
        ],
    );
    let low = course.iter().map(|step| step.interval.0).fold(0.0, f64::min);
    let high = course.iter().map(|step| step.interval.1).fold(0.0, f64::max);
    let plot = over_pairs(&found.course, (low, high));
    let mut svg = Svg::new(WIDTH, 300.0);
    plot.draw(&mut svg, "pairs of games", "Elo", [plain, plain]);
    let band = course.iter().map(|step| (step.pairs as f64, step.interval.0, step.interval.1));
    plot.band(&mut svg, band, BLUE.band);
    plot.level(&mut svg, 0.0, "");
    plot.curve(&mut svg, course.iter().map(|step| (step.pairs as f64, step.elo)), BLUE.line);
    let [first, second] = found.sides();
    Figure {
        name: name.to_owned(),
        title: format!("Elo of {first} against {second}"),
        caption: "With the 95 % interval for a fixed number of games; after a test that stops on the result use the \
                  figure of the table. The first twentieth is left out."
            .to_owned(),
        picture: svg,
        spec: Some(spec),
        height: Height::Pixels(280),
    }
}

fn pentanomial(name: &str, found: &MatchData) -> Figure {
    let tally = &found.tally;
    let pairs = tally.pairs;
    let bars = [
        ("0".to_owned(), pairs.ll, "both lost"),
        ("1/2".to_owned(), pairs.ld, "a loss and a draw"),
        ("1".to_owned(), pairs.wl_dd, "a win and a loss, or two draws"),
        ("3/2".to_owned(), pairs.wd, "a win and a draw"),
        ("2".to_owned(), pairs.ww, "both won"),
    ];
    bars_figure(
        name,
        "Pairs by their points",
        &format!(
            "Of the pairs with one point {} are a win and a loss, {} two draws.",
            grouped(tally.win_loss),
            grouped(tally.two_draws)
        ),
        "points of the first side",
        &bars,
    )
}

fn ends(name: &str, found: &MatchData) -> Figure {
    let tally = &found.tally;
    let bars: Vec<_> = tally.draws().map(|(end, games)| (end.name().to_owned(), games, "drawn games")).collect();
    let games = tally.games.draws + tally.games.wins + tally.games.losses;
    let caption = format!("{} of {} games were drawn.", grouped(tally.games.draws), grouped(games));
    bars_figure(name, "Draws by their cause", &caption, "cause", &bars)
}

/// Upright bars with their numbers.
fn bars_figure(name: &str, title: &str, caption: &str, across: &str, bars: &[(String, u64, &str)]) -> Figure {
    let rows = bars.iter().map(|(label, count, what)| json!({ "label": label, "count": count, "what": what }));
    let order: Vec<_> = bars.iter().map(|(label, ..)| label).collect();
    let place = json!({ "field": "label", "type": "nominal", "sort": order, "title": across, "axis": { "labelAngle": if bars.iter().any(|bar| bar.0.len() > 4) { -30 } else { 0 } } });
    let spec = layers(
        values(rows.collect()),
        vec![
            json!({ "mark": { "type": "bar", "color": "var(--blue)", "width": { "band": 0.7 } }, "encoding": { "x": place,
                "y": { "field": "count", "type": "quantitative", "title": null, "axis": { "tickMinStep": 1 } },
                "tooltip": tooltip(&[("what", "what", ""), ("count", "number", ",")]) } }),
            json!({ "mark": { "type": "text", "dy": -7, "color": "var(--soft)" }, "encoding": { "x": place,
                "y": { "field": "count", "type": "quantitative" }, "text": { "field": "count", "format": "," } } }),
        ],
    );
    let widest = bars.iter().map(|bar| width_of(&bar.0, SMALL)).fold(0.0, f64::max);
    let step = (widest + 8.0).max(58.0);
    let width = step * bars.len().max(3) as f64;
    let most = bars.iter().map(|bar| bar.1).max().unwrap_or(0).max(1);
    let mut svg = Svg::new(width + 20.0, 230.0);
    for (at, (label, count, _)) in bars.iter().enumerate() {
        let height = 150.0 * *count as f64 / most as f64;
        let x = 10.0 + step * at as f64;
        svg.block((x + step / 2.0 - 21.0, 180.0 - height), (42.0, height), BLUE.fill);
        svg.text((x + step / 2.0, 174.0 - height), Anchor::Middle, "small", &grouped(*count));
        svg.text((x + step / 2.0, 197.0), Anchor::Middle, "small", label);
    }
    svg.line((10.0, 180.0), (10.0 + width, 180.0), "axis");
    svg.text((10.0 + width / 2.0, 220.0), Anchor::Middle, "small", across);
    Figure {
        name: name.to_owned(),
        title: title.to_owned(),
        caption: caption.to_owned(),
        picture: svg,
        spec: Some(spec),
        height: Height::Pixels(240),
    }
}
