//! Pictures of the WDL model: what was observed, what is fitted, and how they compare.

use std::collections::BTreeMap;

use super::palette::{BLUE, GREY, Hue, ORANGE, RESULTS, viridis};
use super::plot::{Legend, Plot, Scale, WIDTH, percent, plain};
use super::svg::{Anchor, Look, Svg};
use drawish_core::Wdl;
use drawish_games::wdl::fit::{Fit, Normalization, Options};
use drawish_games::wdl::spread_interval;
use drawish_stats::model::wdl::{Cubic, Curve};
use drawish_stats::numbers::grouped;

/// Shares at which the colour of the maps changes, as in scoreWDL.py.
const LEVELS: [f64; 9] = [0.0, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.97, 1.0];
/// Cells of the observed maps with fewer positions stay empty: their shares are mostly chance.
const FEWEST: f64 = 5.0;
/// Columns of the observed maps.
const COLUMNS: usize = 60;
/// Columns of the maps of the model.
const FINE_COLUMNS: usize = 240;
/// a and b, as they are drawn everywhere.
pub(crate) const PARAMETERS: [(&str, Hue); 2] = [("a", BLUE), ("b", ORANGE)];

/// What a summary shows.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// Least and largest material or move.
    pub mom: (f64, f64),
    /// The material or move of the slice.
    pub target: f64,
}

impl View {
    /// The limits of a fit and its anchor.
    #[must_use]
    pub fn of(options: &Options) -> View {
        let (least, most) = options.mom_limits();
        View { mom: (f64::from(least), f64::from(most)), target: options.mom_target }
    }
}

/// Draws the rates of a model over a plot whose lower scale counts so many internal units as 1.
pub(crate) fn rates(svg: &mut Svg, plot: &Plot, curve: Curve, unit: f64) {
    let Scale::Linear(first, last) = plot.across else { return };
    for (result, (_, hue)) in RESULTS.into_iter().enumerate() {
        let points = (0..=120).map(|step| first + (last - first) * f64::from(step) / 120.0).map(|x| {
            let rates = curve.rates(x * unit);
            (x, [rates.win, rates.draw, rates.loss][result])
        });
        plot.curve(svg, points, hue.line);
    }
}

/// The interval of a where the curve of a is drawn, and that of b where that of b is: of its value, its standard error and how many of
/// these it reaches.
pub(crate) type IntervalOf = fn(f64, f64, f64) -> [f64; 2];
/// Those of a and b, as [`PARAMETERS`] has them: what is drawn is what models hold.
pub(crate) const INTERVALS: [IntervalOf; 2] =
    [|a, error, reach| [a - reach * error, a + reach * error], spread_interval];

/// Draws a parameter along material or moves: where it is, its value, and its interval.
pub(crate) fn parameter(svg: &mut Svg, plot: &Plot, hue: Hue, rows: &[(f64, f64, Option<[f64; 2]>)]) {
    let ends = rows.iter().filter_map(|&(x, _, interval)| interval.map(|[low, high]| (x, low, high)));
    plot.band(svg, ends, hue.band);
    plot.curve(svg, rows.iter().map(|&(x, value, _)| (x, value)), hue.line);
}

/// Six panels: the slice at one mom, the curves a and b, and the shares of wins and draws as observed and as modelled.
///
/// Without a fit the panels of the model stay empty.
#[must_use]
pub fn summary(fit: &Fit, view: View) -> String {
    let mut svg = titled(1090.0, "Win-draw-loss model");
    Legend::new(RESULTS.map(|(name, hue)| (hue.fill, 4.0, name)), 290.0).draw(&mut svg, (64.0, 44.0));
    Legend::new(PARAMETERS.map(|(name, hue)| (hue.fill, 4.0, name)), 290.0).draw(&mut svg, (430.0, 44.0));
    svg.text((WIDTH - 24.0, 57.0), Anchor::End, "small", "dots: observed, lines: modelled");
    let place = |column: usize, row: usize| [64.0 + 366.0 * column as f64, 104.0 + 320.0 * row as f64, 290.0, 220.0];
    let fitted = fit.estimate.as_ref().map(|estimate| estimate.pawn_value).filter(|&pawn| pawn > 0.0);
    let pawn = fitted.unwrap_or_else(|| fit.options.normalization.pawn_value());
    slice(&mut svg, fit, view, pawn, place(0, 0));
    curves(&mut svg, fit, view, place(1, 0));
    let observed = Observed::new(fit);
    type Share = fn(Wdl<f64>) -> f64;
    let kinds: [(&str, Share); 2] = [("wins", |rates| rates.wins), ("draws", |rates| rates.draws)];
    let reach = f64::from(fit.density.eval_max);
    for (column, (name, share)) in kinds.into_iter().enumerate() {
        let plot = |row: usize| Plot {
            place: place(column, row),
            across: Scale::Linear(-reach, reach),
            up: Scale::Linear(view.mom.0, view.mom.1),
        };
        let of_data = |mom: usize, cell: usize| observed.share(mom, cell, share);
        map(&mut svg, plot(1), fit, pawn, &format!("Observed share of {name}"), COLUMNS, of_data);
        let of_model = |mom: usize, cell: usize| {
            let x = reach * ((2 * cell + 1) as f64 / FINE_COLUMNS as f64 - 1.0);
            let estimate = fit.estimate.as_ref()?;
            let rates = Curve::new(estimate.a_at[mom], estimate.b_at[mom]).rates(x);
            Some(share(Wdl { wins: rates.win, draws: rates.draw, losses: rates.loss }))
        };
        map(&mut svg, plot(2), fit, pawn, &format!("Modelled share of {name}"), FINE_COLUMNS, of_model);
    }
    scale_of_shares(&mut svg, 1044.0);
    svg.finish("Win-draw-loss model")
}

/// Positions won, drawn and lost at each material or move, one above the other.
#[must_use]
pub fn distribution(fit: &Fit) -> String {
    let mut svg = titled(440.0, "Positions by result");
    Legend::new(RESULTS.map(|(name, hue)| (hue.fill, 4.0, name)), 400.0).draw(&mut svg, (76.0, 40.0));
    let sums: Vec<Wdl<f64>> =
        fit.density.rows.iter().map(|cells| cells.iter().fold(Wdl::default(), |sum, (_, more)| sum + *more)).collect();
    let highest = sums.iter().map(|sum| sum.total()).fold(1.0, f64::max);
    let edge = |end: Option<&f64>, by: f64| end.copied().unwrap_or_default() + by;
    let plot = Plot {
        place: [76.0, 70.0, 644.0, 320.0],
        across: Scale::Linear(edge(fit.moms.first(), -1.0), edge(fit.moms.last(), 1.0)),
        up: Scale::Linear(0.0, 1.05 * highest),
    };
    plot.draw(&mut svg, &fit.options.mom.to_string(), "positions", [plain, plain]);
    let mut bars = [const { String::new() }; 3];
    for (&mom, sum) in fit.moms.iter().zip(&sums) {
        let mut below = 0.0;
        for (count, bars) in <[f64; 3]>::from(*sum).into_iter().zip(&mut bars).filter(|(count, _)| *count > 0.0) {
            plot.cell(bars, (mom - 0.4, mom + 0.4), (below, below + count));
            below += count;
        }
    }
    for (bars, (_, hue)) in bars.iter().zip(RESULTS) {
        svg.path(bars, Look::Class(hue.fill));
    }
    svg.finish("Positions by result")
}

/// An empty picture with its name above.
fn titled(height: f64, title: &str) -> Svg {
    let mut svg = Svg::new(WIDTH, height);
    svg.text((WIDTH / 2.0, 26.0), Anchor::Middle, "title", title);
    svg
}

/// Shares at one mom: dots for what was observed, lines for the model.
fn slice(svg: &mut Svg, fit: &Fit, view: View, pawn: f64, place: [f64; 4]) {
    let reach = 3.0 * pawn;
    let plot = Plot { place, across: Scale::Linear(-reach, reach), up: Scale::Linear(0.0, 1.0) };
    plot.draw(svg, "evaluation, internal units", "share", [plain, percent]);
    plot.scale_above(svg, pawn, "pawns");
    let mut positions = 0.0;
    if let Some(row) = fit.moms.iter().position(|mom| *mom == view.target) {
        let cells = &fit.density.rows[row];
        let within = cells.iter().filter(|(x, _)| x.abs() <= reach);
        positions = within.map(|cell| cell.1.total()).sum();
        type Count = fn(&Wdl<f64>) -> f64;
        let counts: [Count; 3] = [|of| of.wins, |of| of.draws, |of| of.losses];
        for (count, (_, hue)) in counts.into_iter().zip(RESULTS) {
            let shares = cells.iter().map(|(x, counts)| (*x, count(counts) / counts.total()));
            plot.dots(svg, shares, hue.dots);
        }
        if let Some(estimate) = &fit.estimate {
            rates(svg, &plot, Curve::new(estimate.a_at[row], estimate.b_at[row]), 1.0);
        }
    }
    plot.title(svg, &format!("Shares at {} {}, {} positions", fit.options.mom, view.target, grouped(positions as u64)));
}

/// a and b along mom: dots for each by itself, lines and intervals for the model, dashes for the old a.
fn curves(svg: &mut Svg, fit: &Fit, view: View, place: [f64; 4]) {
    let along = fit.estimate.iter().flat_map(|estimate| estimate.a_at.iter().copied());
    let highest = fit.local.iter().map(|row| row.a.max(row.b)).chain(along);
    let mut values: Vec<f64> = highest.filter(|value| value.is_finite() && *value > 0.0).collect();
    values.sort_by(f64::total_cmp);
    // One wild row must not squeeze all others.
    let most = values.get(values.len().saturating_sub(1 + values.len() / 50)).copied().unwrap_or(100.0);
    let plot = Plot { place, across: Scale::Linear(view.mom.0, view.mom.1), up: Scale::Linear(0.0, 1.15 * most) };
    plot.draw(svg, &fit.options.mom.to_string(), "internal units", [plain, plain]);
    if let Normalization::Dynamic { mom, min, max, target, a } = fit.options.normalization
        && mom == fit.options.mom
    {
        let old = fit.moms.iter().map(|mom| (*mom, Cubic(a).at(mom.clamp(min, max) / target)));
        plot.curve(svg, old, &format!("{} dashed", GREY.line));
    }
    let reach = fit.reach_of_95_percent();
    let errors = fit.errors.as_ref();
    let of_model = fit.estimate.iter().flat_map(|estimate| {
        [(&estimate.a_at, errors.map(|errors| &errors.a_at)), (&estimate.b_at, errors.map(|errors| &errors.b_at))]
    });
    for (((_, hue), (values, errors)), interval) in PARAMETERS.into_iter().zip(of_model).zip(INTERVALS) {
        let ends = |row: usize| errors.map(|errors| interval(values[row], errors[row], reach));
        let rows: Vec<_> =
            fit.moms.iter().zip(values).enumerate().map(|(row, (&mom, &value))| (mom, value, ends(row))).collect();
        parameter(svg, &plot, hue, &rows);
    }
    plot.dots(svg, fit.local.iter().map(|row| (row.mom, row.a)), BLUE.dots);
    plot.dots(svg, fit.local.iter().map(|row| (row.mom, row.b)), ORANGE.dots);
    plot.title(svg, if errors.is_some() { "a and b, with 95 % intervals" } else { "a and b" });
}

/// A map of shares over evaluation and mom.
fn map(
    svg: &mut Svg,
    plot: Plot,
    fit: &Fit,
    pawn: f64,
    title: &str,
    columns: usize,
    share: impl Fn(usize, usize) -> Option<f64>,
) {
    plot.draw(svg, "evaluation, internal units", &fit.options.mom.to_string(), [plain, plain]);
    plot.scale_above(svg, pawn, "pawns");
    plot.title(svg, title);
    let (Scale::Linear(left, right), Scale::Linear(one, other)) = (plot.across, plot.up) else { return };
    let (least, most) = (one.min(other), one.max(other));
    let edge = |column: usize| left + (right - left) * column as f64 / columns as f64;
    let level = |value: f64| LEVELS[1..8].iter().filter(|limit| value > **limit).count();
    // One path for each colour, a run of equal cells at a time.
    let mut paths: BTreeMap<usize, String> = BTreeMap::new();
    for (place, &mom) in fit.moms.iter().enumerate().filter(|(_, mom)| (least..=most).contains(*mom)) {
        let rows = ((mom - 0.5).max(least), (mom + 0.5).min(most));
        let mut column = 0;
        while column < columns {
            let first = column;
            let own = share(place, column).map(level);
            while column < columns && share(place, column).map(level) == own {
                column += 1;
            }
            if let Some(own) = own {
                plot.cell(paths.entry(own).or_default(), (edge(first), edge(column)), rows);
            }
        }
    }
    for (level, path) in &paths {
        svg.path(path, Look::Fill(colour(*level)));
    }
}

fn colour(level: usize) -> &'static str {
    viridis(level as f64 / (LEVELS.len() - 2) as f64)
}

/// The colours of the maps with the shares between them.
fn scale_of_shares(svg: &mut Svg, top: f64) {
    const STEP: f64 = 66.0;
    let left = (WIDTH - STEP * 8.0) / 2.0;
    for (level, &limit) in LEVELS.iter().enumerate() {
        let x = left + STEP * level as f64;
        if level < 8 {
            svg.bar((x, top), (STEP, 12.0), colour(level));
        }
        svg.text((x, top + 26.0), Anchor::Middle, "small", &percent(limit));
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
