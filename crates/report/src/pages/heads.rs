//! Fitted heads: what they stand on, their terms that are best determined, and what single moves change.

use serde_json::json;

use crate::data::{HeadsData, ReportData};
use crate::document::{Block, Figure, Height, Section, Table, choice};
use crate::pictures::palette::BLUE;
use crate::pictures::plot::{Plot, WIDTH, nothing, plain};
use crate::pictures::spec::{layers, short, tooltip, values};
use crate::pictures::svg::{Anchor, Svg};
use crate::text::KAPPA_IS_BIASED;
use drawish_games::sample::is_of_positions;
use drawish_heads::heads::{Changes, Head, KindOfMove, MoveTable};
use drawish_stats::numbers::{grouped, interval, signed};
use drawish_stats::reach_of_95_percent;

/// So many terms of each head are shown.
const SHOWN: usize = 16;

/// A weight of a term, with its standard error.
struct Weight<'a> {
    term: &'a str,
    weight: f64,
    error: f64,
}

pub(super) fn heads(data: &ReportData) -> Section {
    let mut section = Section::new("heads", "Heads");
    if data.heads.is_empty() {
        return section;
    }
    let mut table =
        Table::new(2, &["file", "head", "rows", "events", "terms", "kappa", "loss, bits", "loss quantised"]);
    for HeadsData { name, file, .. } in &data.heads {
        let is_loose = !file.rules.is_empty() && file.rules.iter().all(|rule| is_of_positions(rule));
        for (head, of) in [("draw", &file.draw), ("gain", &file.gain)] {
            let kappa = of.kappa.map_or_else(String::new, |kappa| match of.kappa_error {
                Some(error) => format!("{kappa:.3} ± {error:.3}"),
                None => format!("{kappa:.3}"),
            });
            table.row([
                name.clone(),
                head.to_owned(),
                grouped(file.rows as u64),
                if is_loose { "not known".to_owned() } else { grouped(file.events as u64) },
                format!("{}", of.score.len()),
                kappa,
                format!("{:.4}", of.loss),
                format!("{:.4}", of.quantised_loss),
            ]);
        }
    }
    section.blocks.push(Block::Table(table));
    if data.heads.iter().any(|heads| heads.file.draw.kappa_error.is_some()) {
        section.blocks.push(Block::Text(KAPPA_IS_BIASED.to_owned()));
    }
    let options =
        data.heads.iter().enumerate().map(|(place, heads)| (heads.name.clone(), of_file(place, heads))).collect();
    section.blocks.extend(choice("heads", "Heads", options));
    section
}

fn of_file(place: usize, heads: &HeadsData) -> Vec<Block> {
    let file = &heads.file;
    let titles = [
        ("draw", "Draw head: what makes a draw likelier (right) or less likely (left)", &file.draw),
        ("gain", "Gain head: what makes a lead count more (right) or less (left)", &file.gain),
    ];
    let reach = reach_of_95_percent(file.events);
    let without_errors =
        [("draw", &file.draw), ("gain", &file.gain)].into_iter().filter(|(_, head)| best(head).is_empty());
    let texts: Vec<_> = without_errors
        .map(|(name, _)| {
            Block::Text(format!(
                "The weights of the {name} head have no standard errors, so none are drawn: the file lists them."
            ))
        })
        .collect();
    let figures = titles.into_iter().filter_map(|(which, title, head)| {
        let weights = best(head);
        (!weights.is_empty())
            .then(|| Block::Figure(figure(&format!("heads-{}-{which}", place + 1), title, &weights, reach)))
    });
    texts.into_iter().chain(figures).chain(heads.moves.iter().flat_map(of_moves)).collect()
}

/// What kinds of moves change, a table for each head that says something of them.
fn of_moves(moves: &MoveTable) -> Vec<Block> {
    let text = format!(
        "What one move changes, over all legal moves of {} positions of games, in logits; intervals are by positions. Where ln g rises the \
         evaluation counts more after the move: the side ahead is told to make it, the side behind to avoid it. A head that changes much \
         with moves that mean little will play by that.",
        grouped(moves.positions)
    );
    type Of = fn(&KindOfMove) -> Option<Changes>;
    let heads: [(&str, &str, Option<f64>, Of); 2] = [
        ("change of ln g", "ln g", moves.gain_within, |found| found.gain),
        ("change of drawScore", "the drawScore", moves.draw_within, |found| found.draw),
    ];
    let mut blocks = vec![Block::Text(text)];
    for (title, name, within, of) in heads {
        let Some(within) = within else { continue };
        let mut table = Table::new(1, &["move", "number", title, "95 % interval", "spread"]);
        for (found, changes) in moves.kinds.iter().filter_map(|found| Some((found, of(found)?))) {
            let Changes { mean, error, spread } = changes;
            table.row([
                found.kind.name().to_owned(),
                grouped(found.moves),
                signed(mean, 4),
                interval(mean - error, mean + error, 4),
                format!("{spread:.4}"),
            ]);
        }
        blocks.push(Block::Table(table));
        blocks.push(Block::Text(format!("Standard deviation of {name} among the moves of a position: {within:.4}.")));
    }
    blocks
}

/// The terms with one weight that is furthest from 0 in standard errors, in that order.
fn best(head: &Head) -> Vec<Weight<'_>> {
    let single = head.score.iter().filter_map(|term| match (term.weights.as_slice(), term.errors.as_slice()) {
        ([weight], [error]) if *error > 0.0 => Some(Weight { term: &term.term, weight: *weight, error: *error }),
        _ => None,
    });
    let mut weights: Vec<_> = single.collect();
    weights.sort_by(|one, other| (other.weight.abs() / other.error).total_cmp(&(one.weight.abs() / one.error)));
    weights.truncate(SHOWN);
    weights
}

/// Weights with their intervals, which reach so many standard errors to each side.
fn figure(name: &str, title: &str, weights: &[Weight<'_>], reach: f64) -> Figure {
    let rows = weights.iter().map(|Weight { term, weight, error }| {
        json!({ "term": term, "z": short(weight / error), "low": short(weight / error - reach),
            "high": short(weight / error + reach), "weight": short(*weight), "error": short(*error) })
    });
    let order: Vec<_> = weights.iter().map(|weight| weight.term).collect();
    let up = json!({ "field": "term", "type": "nominal", "sort": order, "title": null });
    let across = |field: &str| json!({ "field": field, "type": "quantitative", "title": "weight in standard errors" });
    let spec = layers(
        values(rows.collect()),
        vec![
            json!({ "mark": { "type": "rule", "strokeWidth": 1.6, "color": "var(--blue)" },
                "encoding": { "y": up, "x": across("low"), "x2": { "field": "high" } } }),
            json!({ "mark": { "type": "circle", "size": 50, "opacity": 1, "color": "var(--blue)" },
                "encoding": { "y": up, "x": across("z"), "tooltip": tooltip(&[("term", "term", ""), ("weight", "weight, logit", "+.4f"),
                    ("error", "standard error", ".4f")]) } }),
            json!({ "data": values(vec![json!({ "zero": 0 })]), "mark": { "type": "rule", "color": "var(--ink)" },
                "encoding": { "x": { "field": "zero", "type": "quantitative" } } }),
        ],
    );
    Figure {
        name: name.to_owned(),
        title: title.to_owned(),
        caption: format!(
            "The {} linear terms whose weight is furthest from 0 in its standard errors, with 95 % intervals. A weight stands beside the others' in the \
             fit: it is no effect by itself, and how far priors hold it back is not in its error.",
            weights.len()
        ),
        picture: picture(weights, reach),
        spec: Some(spec),
        height: Height::Pixels(60 + 22 * weights.len() as u32),
    }
}

fn picture(weights: &[Weight<'_>], reach: f64) -> Svg {
    let all = || weights.iter().map(|weight| weight.weight / weight.error);
    let ends = (all().fold(0.0, f64::min) - reach, all().fold(0.0, f64::max) + reach);
    let plot = Plot::of_rows(weights.iter().map(|weight| weight.term), (22.0, 8.0, 110.0), ends);
    let [left, top, width, height] = plot.place;
    let mut svg = Svg::new(WIDTH, top + height + 46.0);
    plot.draw(&mut svg, "weight in standard errors", "", [plain, nothing]);
    let x = |z: f64| plot.at(z, 0.0).0;
    svg.line((x(0.0), top), (x(0.0), top + height), "axis");
    for (row, Weight { term, weight, error }) in weights.iter().enumerate() {
        let y = plot.row(row, weights.len());
        plot.row_name(&mut svg, y, term);
        svg.line((x(weight / error - reach), y), (x(weight / error + reach), y), BLUE.line);
        svg.spot((x(weight / error), y), 3.6, BLUE.fill);
        let figure = format!("{} ± {error:.3}", signed(*weight, 3));
        svg.text((left + width + 10.0, y + 4.0), Anchor::Start, "small", &figure);
    }
    svg
}
