//! Pictures of the WDL model: what was observed, what is fitted, and how they compare.

use super::panel::Panel;
use super::svg::{Anchor, Svg};
use drawish_core::Wdl;
use drawish_games::wdl::fit::{Fit, Normalization, reach_of_95_percent};
use drawish_stats::model::wdl::{Cubic, Curve};

const WIN: &str = "#1f5fbf";
const DRAW: &str = "#4f9d45";
const LOSS: &str = "#c0392b";
/// Shares at which the colour of the maps changes, as in the original, and the colours between them.
const LEVELS: [f64; 9] = [0.0, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.97, 1.0];
const COLOURS: [&str; 8] = ["#440154", "#46327e", "#365c8d", "#277f8e", "#1fa187", "#4ac16d", "#a0da39", "#fde725"];
/// Cells of the observed maps with fewer positions stay white: their shares are mostly chance.
const FEWEST: f64 = 5.0;
/// Columns of the observed maps.
const COLUMNS: usize = 60;
/// Columns of the maps of the model.
const FINE_COLUMNS: usize = 240;

/// What a summary shows.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// Least and largest material or move.
    pub mom: (f64, f64),
    /// The material or move of the slice.
    pub target: f64,
}

/// Six panels: the slice at one mom, observed shares of wins and draws, the curves a and b, and the model's shares.
///
/// Without a fit the panels of the model stay empty.
#[must_use]
pub fn summary(fit: &Fit, view: View) -> String {
    let mut svg = titled(1500.0, 940.0, "Win-draw-loss model");
    let place = |column: f64, row: f64| [80.0 + 480.0 * column, 90.0 + 440.0 * row, 390.0, 330.0];
    let fitted = fit.estimate.as_ref().map(|estimate| estimate.pawn_value).filter(|&pawn| pawn > 0.0);
    let pawn = fitted.unwrap_or_else(|| fit.options.normalization.pawn_value());
    slice(&mut svg, fit, view, pawn, place(0.0, 0.0));
    curves(&mut svg, fit, view, place(0.0, 1.0));
    let observed = Observed::new(fit);
    type Share = fn(Wdl<f64>) -> f64;
    let kinds: [(&str, Share); 2] = [("win", |rates| rates.wins), ("draw", |rates| rates.draws)];
    for (column, (name, share)) in (1..).zip(kinds) {
        let reach = f64::from(fit.density.eval_max);
        let panel = |row: f64| Panel { place: place(f64::from(column), row), across: (-reach, reach), up: view.mom };
        let of_data = |mom: usize, cell: usize| observed.share(mom, cell, share);
        map(&mut svg, panel(0.0), fit, pawn, &format!("Observed share of {name}s"), COLUMNS, of_data);
        let of_model = |mom: usize, cell: usize| {
            let x = reach * ((2 * cell + 1) as f64 / FINE_COLUMNS as f64 - 1.0);
            let estimate = fit.estimate.as_ref()?;
            let rates = Curve::new(estimate.a_at[mom], estimate.b_at[mom]).rates(x);
            Some(share(Wdl { wins: rates.win, draws: rates.draw, losses: rates.loss }))
        };
        map(&mut svg, panel(1.0), fit, pawn, &format!("Modelled share of {name}s"), FINE_COLUMNS, of_model);
    }
    legend(&mut svg);
    svg.finish("Win-draw-loss model")
}

/// Positions won, drawn and lost at each material or move, one above the other.
#[must_use]
pub fn distribution(fit: &Fit) -> String {
    let mut svg = titled(900.0, 520.0, "Positions by result");
    let sums: Vec<Wdl<f64>> =
        fit.density.rows.iter().map(|cells| cells.iter().fold(Wdl::default(), |sum, (_, more)| sum + *more)).collect();
    let highest = sums.iter().map(|sum| sum.total()).fold(1.0, f64::max);
    let edge = |end: Option<&f64>, by: f64| end.copied().unwrap_or_default() + by;
    let across = (edge(fit.moms.first(), -1.0), edge(fit.moms.last(), 1.0));
    let panel = Panel { place: [90.0, 70.0, 770.0, 380.0], across, up: (0.0, 1.05 * highest) };
    panel.grid(&mut svg);
    for (&mom, sum) in fit.moms.iter().zip(&sums) {
        let mut below = 0.0;
        for (count, colour) in [(sum.wins, WIN), (sum.draws, DRAW), (sum.losses, LOSS)] {
            if count > 0.0 {
                panel.cell(&mut svg, (mom - 0.4, mom + 0.4), (below, below + count), colour);
            }
            below += count;
        }
    }
    panel.draw(&mut svg, "", &fit.options.mom.to_string(), "positions");
    for (at, (name, colour)) in [("wins", WIN), ("draws", DRAW), ("losses", LOSS)].into_iter().enumerate() {
        let x = 100.0 + 80.0 * at as f64;
        svg.bar((x, 46.0), (12.0, 12.0), colour);
        svg.text((x + 17.0, 56.0), Anchor::Start, "label", name);
    }
    svg.finish("Positions by result")
}

/// An empty picture with its name above.
fn titled(width: f64, height: f64, title: &str) -> Svg {
    let mut svg = Svg::new(width, height);
    svg.text((width / 2.0, 26.0), Anchor::Middle, "title", title);
    svg
}

/// Shares at one mom: dots for what was observed, lines for the model.
fn slice(svg: &mut Svg, fit: &Fit, view: View, pawn: f64, place: [f64; 4]) {
    let reach = 3.0 * pawn;
    let panel = Panel { place, across: (-reach, reach), up: (0.0, 1.0) };
    panel.grid(svg);
    let row = fit.moms.iter().position(|mom| *mom == view.target);
    let mut positions = 0.0;
    if let Some(row) = row {
        let cells = &fit.density.rows[row];
        let within = cells.iter().filter(|(x, _)| x.abs() <= reach);
        positions = within.map(|cell| cell.1.total()).sum();
        type Count = fn(&Wdl<f64>) -> f64;
        let kinds: [(Count, &str); 3] =
            [(|counts| counts.wins, WIN), (|counts| counts.draws, DRAW), (|counts| counts.losses, LOSS)];
        for (count, colour) in kinds {
            let shares = cells.iter().map(|(x, counts)| (*x, count(counts) / counts.total()));
            panel.dots(svg, shares, colour, 1.8);
        }
        let curve = fit.estimate.as_ref().map(|estimate| Curve::new(estimate.a_at[row], estimate.b_at[row]));
        type Share = fn(&Curve, f64) -> f64;
        let lines: [(Share, &str); 3] = [
            (|curve, x| curve.rates(x).win, WIN),
            (|curve, x| curve.rates(x).draw, DRAW),
            (|curve, x| curve.rates(x).loss, LOSS),
        ];
        for (curve, (share, colour)) in curve.iter().flat_map(|curve| lines.map(|line| (curve, line))) {
            let points: Vec<_> =
                (0..=120).map(|step| reach * (f64::from(step) / 60.0 - 1.0)).map(|x| (x, share(curve, x))).collect();
            panel.curve(svg, &points, colour, "");
        }
    }
    let title = format!("W (blue), D (green), L (red) at {} {}, {positions} positions", fit.options.mom, view.target);
    panel.draw(svg, &title, "evaluation, internal units", "share: dots observed, lines modelled");
    panel.scale_above(svg, pawn, "pawns");
}

/// a and b along mom: dots for each by itself, lines and intervals for the model, dashes for the old a.
fn curves(svg: &mut Svg, fit: &Fit, view: View, place: [f64; 4]) {
    let along = fit.estimate.iter().flat_map(|estimate| estimate.a_at.iter().copied());
    let highest = fit.local.iter().map(|row| row.a.max(row.b)).chain(along);
    let mut values: Vec<f64> = highest.filter(|value| value.is_finite() && *value > 0.0).collect();
    values.sort_by(f64::total_cmp);
    // One wild row must not squeeze all others.
    let most = values.get(values.len().saturating_sub(1 + values.len() / 50)).copied().unwrap_or(100.0);
    let panel = Panel { place, across: view.mom, up: (0.0, 1.15 * most) };
    panel.grid(svg);
    if let Normalization::Dynamic { mom, min, max, target, a } = fit.options.normalization
        && mom == fit.options.mom
    {
        let old: Vec<_> = fit.moms.iter().map(|mom| (*mom, Cubic(a).at(mom.clamp(min, max) / target))).collect();
        panel.curve(svg, &old, "#888888", "6 4");
    }
    let lines = fit.estimate.iter().flat_map(|estimate| {
        [
            (&estimate.a_at, fit.errors.as_ref().map(|errors| &errors.a_at), WIN),
            (&estimate.b_at, fit.errors.as_ref().map(|errors| &errors.b_at), LOSS),
        ]
    });
    for (values, errors, colour) in lines {
        if let Some(errors) = errors {
            let reach = reach_of_95_percent(fit.blocks);
            let band: Vec<_> = fit
                .moms
                .iter()
                .zip(values.iter().zip(errors))
                .map(|(mom, (value, error))| (*mom, value - reach * error, value + reach * error))
                .collect();
            panel.band(svg, &band, colour);
        }
        let line: Vec<_> = fit.moms.iter().copied().zip(values.iter().copied()).collect();
        panel.curve(svg, &line, colour, "");
    }
    panel.dots(svg, fit.local.iter().map(|row| (row.mom, row.a)), WIN, 2.5);
    panel.dots(svg, fit.local.iter().map(|row| (row.mom, row.b)), LOSS, 2.5);
    let intervals = if fit.errors.is_some() { ", with intervals of 95 %" } else { "" };
    let title = format!("a (blue) and b (red){intervals}");
    panel.draw(svg, &title, &fit.options.mom.to_string(), "internal units");
}

/// A map of shares over evaluation and mom.
fn map(
    svg: &mut Svg,
    panel: Panel,
    fit: &Fit,
    pawn: f64,
    title: &str,
    columns: usize,
    share: impl Fn(usize, usize) -> Option<f64>,
) {
    let (least, most) = (panel.up.0.min(panel.up.1), panel.up.0.max(panel.up.1));
    let (left, right) = panel.across;
    let edge = |column: usize| left + (right - left) * column as f64 / columns as f64;
    let level = |value: f64| LEVELS[1..8].iter().filter(|limit| value > **limit).count();
    for (place, &mom) in fit.moms.iter().enumerate().filter(|(_, mom)| (least..=most).contains(*mom)) {
        let rows = ((mom - 0.5).max(least), (mom + 0.5).min(most));
        let mut column = 0;
        while column < columns {
            let Some(at) = share(place, column).map(level) else {
                column += 1;
                continue;
            };
            let first = column;
            while column < columns && share(place, column).map(level) == Some(at) {
                column += 1;
            }
            panel.cell(svg, (edge(first), edge(column)), rows, COLOURS[at]);
        }
    }
    panel.draw(svg, title, "evaluation, internal units", &fit.options.mom.to_string());
    panel.scale_above(svg, pawn, "pawns");
}

fn legend(svg: &mut Svg) {
    for (at, colour) in COLOURS.iter().enumerate() {
        let x = 620.0 + 100.0 * at as f64;
        svg.bar((x, 912.0), (16.0, 12.0), colour);
        svg.text((x + 21.0, 922.0), Anchor::Start, "small", &format!("{} to {}", LEVELS[at], LEVELS[at + 1]));
    }
}

/// Observed counts in the columns of the maps.
struct Observed(Vec<Vec<Wdl<f64>>>);

impl Observed {
    fn new(fit: &Fit) -> Observed {
        let reach = f64::from(fit.density.eval_max);
        let column = |x: f64| (((x / reach + 1.0) / 2.0 * COLUMNS as f64) as usize).min(COLUMNS - 1);
        let rows = fit.density.rows.iter().map(|cells| {
            let mut columns = vec![Wdl::default(); COLUMNS];
            for (x, counts) in cells {
                columns[column(*x)] += *counts;
            }
            columns
        });
        Observed(rows.collect())
    }

    fn share(&self, mom: usize, column: usize, share: fn(Wdl<f64>) -> f64) -> Option<f64> {
        let counts = self.0[mom][column];
        let total = counts.total();
        (total >= FEWEST).then(|| share(counts) / total)
    }
}
