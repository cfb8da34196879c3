//! Standard errors of weights.

use std::collections::{BTreeSet, HashMap};
use std::num::NonZero;

use drawish_stats::numeric::{Cholesky, Symmetric};
use drawish_stats::{FEWEST_EVENTS, are_enough};

use super::moments::Moments;
use super::objective::OfGroup;
use super::{Data, Fitted, Kernel, Objective, Priors, Rows};

/// With fewer events for a weight that the rows decide there are no standard errors.
const EVENTS_PER_WEIGHT: f64 = 2.0;
/// Groups that standard errors are computed from, at most, beside events of a large share: of more, those share one whose hashes say so, which
/// keeps errors valid, and the same for games in any order.
const GROUPS: usize = 2048;
/// From this share of the rows on, a fit follows an event so much that its gradient is corrected for that.
const LARGE_SHARE: f64 = 1.0 / 30.0;

/// Standard errors of the weights, robust to dependence within events and among games that begin alike: the sandwich H^-1 (sum of g g') H^-1
/// over the gradients g of the events (Liang and Zeger 1986), with the products of different events within a line, if these together are
/// above 0 (Cameron, Gelbach and Miller 2011). The fit has followed each event a bit, so that its gradient is too small: H is that of
/// the rows without the event, as in a jackknife of one step (MacKinnon, Nielsen and Webb 2023), for events with a thirtieth of all rows or
/// more; for smaller ones, and for lines, H is taken to be less by their share.
/// They are errors of the weights as the priors hold them back: how far these do so, the bias of the estimate, is not in them.
/// `None` with fewer than [`FEWEST_EVENTS`], if these or the lines are [worth](drawish_stats::Mean::worth) fewer than
/// [`LEAST_WORTH`](drawish_stats::LEAST_WORTH) of equal size, or
/// with fewer than two for each weight that the rows decide and not the priors: such a fit follows the results of the very events whose
/// differences it is to be measured by, so that the gradients left over, and errors from them, are too small. `None` also where the
/// information has no inverse. The error is 0 where there is none: of a weight that rows of fewer than [`FEWEST_EVENTS`] events take part in.
#[must_use]
pub fn standard_errors(
    data: &Data,
    rows: Rows<'_>,
    fitted: &Fitted,
    priors: Priors,
    threads: NonZero<usize>,
) -> Option<Vec<f64>> {
    // Held at the end of its range kappa is no better known than elsewhere, nor is what it was found together with.
    let (mut weights, mut kernel) = (fitted.weights.clone(), fitted.kernel);
    if fitted.is_kappa_held {
        weights.push(0.0);
        kernel = Kernel::WinDrawLoss { kappa: None };
    }
    let precision = Moments::of(data, rows, &fitted.spec).precisions(&fitted.spec, kernel, priors);
    let objective = Objective { data, rows, kernel, precision, threads };
    let information = objective.sums(&weights, true).information?;
    let factor = information.clone().cholesky()?;
    let shares = data.shares_of_events(rows);
    let events = data.events() as f64;
    let is_decided = || EVENTS_PER_WEIGHT * decided(&factor, &objective.precision) > events;
    let is_few = !are_enough(shares.iter().filter(|share| **share > 0.0).count(), data.worth(rows));
    if is_few || (EVENTS_PER_WEIGHT * objective.weights() as f64 > events && is_decided()) {
        return None;
    }
    let fit = Fit { objective: &objective, weights: &weights, information: &information, factor: &factor };
    let mut squares = fit.squares_of_events(&shares);
    squares.iter_mut().zip(fit.squares_of_lines()).for_each(|(sum, lacking)| *sum += lacking.max(0.0));
    let mut errors: Vec<f64> = squares.into_iter().map(f64::sqrt).collect();
    errors.truncate(fitted.weights.len());
    errors.iter_mut().zip(events_of_weights(data, rows, fitted)).for_each(|(error, events)| {
        if events < FEWEST_EVENTS {
            *error = 0.0;
        }
    });
    Some(errors)
}

/// A fit at its end.
struct Fit<'a> {
    objective: &'a Objective<'a>,
    weights: &'a [f64],
    information: &'a Symmetric,
    factor: &'a Cholesky,
}

impl Fit<'_> {
    /// The sum over events of the square of how far each moves a weight.
    fn squares_of_events(&self, shares: &[f64]) -> Vec<f64> {
        let groups = shares.len().clamp(1, GROUPS);
        // Behind the groups a place for each large event.
        let large: Vec<usize> = (0..shares.len()).filter(|&event| shares[event] > LARGE_SHARE).collect();
        let mut group_of = groups_of(&self.objective.data.numbered_events().digests());
        large.iter().enumerate().for_each(|(place, &event)| group_of[event] = groups + place);
        let of_row: Vec<usize> = self.objective.data.clusters().map(|event| group_of[event as usize]).collect();
        let gradients = self.objective.gradients(self.weights, groups + large.len(), |row| Some(of_row[row]));
        let without = |of: &OfGroup| {
            let event = *large.get(of.group.checked_sub(groups)?)?;
            self.objective.without(event, self.weights, self.information)?.cholesky()
        };
        let count = gradients.len();
        self.squares(&gradients, count, without)
    }

    /// The sum over lines of the square of how far each moves a weight, without what the events within it have of that already.
    fn squares_of_lines(&self) -> Vec<f64> {
        let data = self.objective.data;
        let rows: Vec<(u32, u32)> = data.lines().zip(data.clusters()).collect();
        let mut first: HashMap<u32, (u32, bool)> = HashMap::new();
        for &(line, event) in &rows {
            let (of, meets_several) = first.entry(line).or_insert((event, false));
            *meets_several |= *of != event;
        }
        let meets_several = |line: u32| first[&line].1;
        let met: BTreeSet<(u32, u32)> = rows.iter().copied().filter(|&(line, _)| meets_several(line)).collect();
        let met: Vec<(u32, u32)> = met.into_iter().collect();
        let [of_lines, of_events] = [data.numbered_events().line_digests(), data.numbered_events().digests()];
        let digest = |&(line, event): &(u32, u32)| of_lines[line as usize].rotate_left(1) ^ of_events[event as usize];
        let [of_line, of_part] = [groups_of(&of_lines), groups_of(&met.iter().map(digest).collect::<Vec<_>>())];
        let place = |row: usize| met.binary_search(&rows[row]).ok();
        let group_of_line = |row: usize| place(row).map(|_| of_line[rows[row].0 as usize]);
        let lines = self.objective.gradients(self.weights, GROUPS, group_of_line);
        let parts = self.objective.gradients(self.weights, GROUPS, |row| place(row).map(|at| of_part[at]));
        let [lines, parts] = [lines, parts].map(|groups| self.squares(&groups, first.len().min(GROUPS), |_| None));
        lines.into_iter().zip(parts).map(|(line, parts)| line - parts).collect()
    }

    /// The sum over groups, of `count` in all, of the square of how far each moves a weight, by the information `without` it where that is known.
    fn squares(&self, groups: &[OfGroup], count: usize, without: impl Fn(&OfGroup) -> Option<Cholesky>) -> Vec<f64> {
        let all = self.objective.count() as f64;
        let mut squares = vec![0.0; self.objective.weights()];
        for of in groups {
            let (solved, share) = match without(of) {
                Some(factor) => (factor.solve(&of.gradient), 0.0),
                None => (self.factor.solve(&of.gradient), of.rows as f64 / all),
            };
            squares.iter_mut().zip(&solved).for_each(|(sum, change)| *sum += (change / (1.0 - share)).powi(2));
        }
        let count = count as f64;
        squares.into_iter().map(|sum| sum * (count - 1.0) / count).collect()
    }
}

/// The group of each of those with these hashes: one for each if they are few.
fn groups_of(digests: &[u64]) -> Vec<usize> {
    match digests.len() {
        ..=GROUPS => (0..digests.len()).collect(),
        _ => digests.iter().map(|digest| (digest % GROUPS as u64) as usize).collect(),
    }
}

/// How many weights the rows decide: the share of the information on each that is not its prior's.
fn decided(factor: &Cholesky, precision: &[f64]) -> f64 {
    let mut unit = vec![0.0; precision.len()];
    let shares = precision.iter().enumerate().map(|(place, precision)| {
        unit.fill(0.0);
        unit[place] = 1.0;
        1.0 - precision * factor.solve(&unit)[place]
    });
    shares.sum()
}

/// In how many events rows take part in each weight but kappa, counted up to [`FEWEST_EVENTS`].
fn events_of_weights(data: &Data, rows: Rows<'_>, fitted: &Fitted) -> Vec<usize> {
    let mut events: Vec<Vec<u32>> = vec![Vec::new(); fitted.spec.win_weights() + fitted.spec.draw_weights()];
    for (block, row) in data.chosen(rows) {
        let (entries, event) = (block.entries(row), block.clusters[row]);
        for &place in entries.win.0.iter().chain(entries.draw.0) {
            let known = &mut events[usize::from(place)];
            if known.len() < FEWEST_EVENTS && !known.contains(&event) {
                known.push(event);
            }
        }
    }
    events.into_iter().map(|events| events.len()).collect()
}
