//! How much results are worth that share something, such as the opening, and that are of several strata, such as the opponents.

use std::collections::BTreeMap;

use super::distribution::UNSEEN;
use super::enough::{FEWEST_DIFFERING, differing, too_few};
use super::jackknife::{reach_of_95_percent, reach_of_95_percent_of_worth};
use super::normal::Z95;
use super::results::Results;
use super::scores::{Mean, clustered_mean};

/// A result, and what it shares with others.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Clustered {
    /// Share of the points, 0 to 1.
    pub value: f64,
    /// How much it counts in the mean, above 0: a pair beside single games counts twice.
    pub weight: f64,
    /// Results of a stratum, such as those against one opponent, have a mean of their own, which is no matter of chance.
    pub stratum: u32,
    /// Results of a cluster, such as those from one opening, depend on each other, also those of different strata.
    pub cluster: u32,
}

/// A stratum's results in one cluster.
#[derive(Clone, Copy, Debug)]
struct Cell {
    cluster: u32,
    stratum: usize,
    weight: f64,
    /// The weighted sum of its values.
    sum: f64,
}

#[derive(Clone, Copy, Default, Debug)]
struct Stratum {
    weight: f64,
    sum: f64,
    squares: f64,
    clusters: f64,
}

impl Stratum {
    fn mean(&self) -> f64 {
        self.sum / self.weight
    }

    /// Of its values about its own mean.
    fn variance(&self) -> f64 {
        (self.squares / self.weight - self.mean().powi(2)).max(0.0)
    }

    /// What makes the squared sum of residuals in a cluster of this weight as large as it is on average about the true mean: the jackknife
    /// within the stratum, for the part of the weight is by how much its mean follows the cluster.
    fn correction(&self, weight: f64) -> f64 {
        ((self.clusters - 1.0) / self.clusters).sqrt() / (1.0 - weight / self.weight)
    }
}

/// The mean of all results, where the mean of each stratum is its own and clusters are independent of each other. With the residuals e =
/// value less the mean of its stratum, E = their weighted sum over what a stratum k has in a cluster, w its weight there, W_k that of the
/// stratum, C_k its number of clusters, and W the weight of all, the error is
///
/// ```text
/// sqrt(sum over clusters of (sum over strata of E sqrt((C_k - 1) / C_k) / (1 - w / W_k))^2) / W
/// ```
///
/// With one stratum it is that of [`clustered_mean`]. Strata with results in one cluster only do not say how much they vary: they are taken
/// together, and a single such one with that of the fewest clusters, so that their differences count as chance. Degrees of freedom, one less
/// than [`Mean::worth`], are those of R. M. Bell and D. F. McCaffrey (2002) for independent results with the variance of their stratum: with
/// all strata in all clusters one less than there are clusters. `None` without results.
#[must_use]
pub fn stratified_mean(results: &[Clustered]) -> Option<Mean> {
    let (cells, strata) = joined(results)?;
    let all: f64 = strata.iter().map(|stratum| stratum.weight).sum();
    let mean = strata.iter().map(|stratum| stratum.sum).sum::<f64>() / all;
    let sums = residuals(&cells, &strata);
    let is_known = strata.iter().all(|stratum| stratum.clusters > 1.0);
    let error = is_known.then(|| sums.iter().map(|sum| sum * sum).sum::<f64>().sqrt() / all);
    Some(Mean { mean, error, clusters: sums.len(), worth: 1.0 + freedom(&cells, &strata) })
}

/// The corrected sums of residuals of the clusters.
fn residuals(cells: &[Cell], strata: &[Stratum]) -> Vec<f64> {
    let residual = |cell: &Cell| {
        let stratum = &strata[cell.stratum];
        (cell.sum - cell.weight * stratum.mean()) * stratum.correction(cell.weight)
    };
    clusters(cells).map(|cells| cells.iter().map(residual).sum()).collect()
}

fn clusters(cells: &[Cell]) -> impl Iterator<Item = &[Cell]> {
    cells.chunk_by(|one, next| one.cluster == next.cluster)
}

/// What each stratum has in each cluster, those of a cluster side by side, and the strata, of which those in a single cluster are joined.
fn joined(results: &[Clustered]) -> Option<(Vec<Cell>, Vec<Stratum>)> {
    let mut names: Vec<u32> = results.iter().map(|result| result.stratum).collect();
    names.sort_unstable();
    names.dedup();
    let own: Vec<usize> = results.iter().map(|result| names.partition_point(|name| *name < result.stratum)).collect();
    let (_, strata) = gathered(results, &own, names.len());
    let fewest = strata.iter().map(|stratum| stratum.clusters).filter(|&clusters| clusters > 1.0).reduce(f64::min);
    let is_single = |place: usize| strata[place].clusters < 2.0;
    let single: Vec<usize> = (0..strata.len()).filter(|&place| is_single(place)).collect();
    let Some(&first) = single.first() else {
        return (!results.is_empty()).then(|| gathered(results, &own, names.len()));
    };
    let together = |place: usize| if is_single(place) { first } else { place };
    let (cells, strata) = gathered(results, &own.iter().map(|&place| together(place)).collect::<Vec<_>>(), names.len());
    // All of them may be in the same cluster.
    let other = strata.iter().position(|stratum| Some(stratum.clusters) == fewest);
    let (cells, strata) = match other.filter(|_| strata[first].clusters < 2.0) {
        None => (cells, strata),
        Some(other) => {
            let place = |&place: &usize| if is_single(place) { other } else { place };
            gathered(results, &own.iter().map(place).collect::<Vec<_>>(), names.len())
        }
    };
    Some(without_empty(cells, &strata))
}

fn without_empty(mut cells: Vec<Cell>, strata: &[Stratum]) -> (Vec<Cell>, Vec<Stratum>) {
    let mut used = Vec::new();
    let mut places = vec![0; strata.len()];
    for (place, stratum) in strata.iter().enumerate().filter(|(_, stratum)| stratum.clusters > 0.0) {
        places[place] = used.len();
        used.push(*stratum);
    }
    cells.iter_mut().for_each(|cell| cell.stratum = places[cell.stratum]);
    (cells, used)
}

/// Cells in the order of their clusters, and strata, whose places stand beside the results.
fn gathered(results: &[Clustered], places: &[usize], count: usize) -> (Vec<Cell>, Vec<Stratum>) {
    let cell = |(result, &stratum): (&Clustered, &usize)| {
        let Clustered { value, weight, cluster, .. } = *result;
        Cell { cluster, stratum, weight, sum: weight * value }
    };
    let mut cells: Vec<Cell> = results.iter().zip(places).map(cell).collect();
    cells.sort_by_key(|cell| (cell.cluster, cell.stratum));
    cells.dedup_by(|next, one| {
        let is_same = (next.cluster, next.stratum) == (one.cluster, one.stratum);
        if is_same {
            one.weight += next.weight;
            one.sum += next.sum;
        }
        is_same
    });
    let mut strata = vec![Stratum::default(); count];
    for (result, &place) in results.iter().zip(places) {
        let stratum = &mut strata[place];
        stratum.weight += result.weight;
        stratum.sum += result.weight * result.value;
        stratum.squares += result.weight * result.value * result.value;
    }
    cells.iter().for_each(|cell| strata[cell.stratum].clusters += 1.0);
    (cells, strata)
}

/// The degrees of freedom of the sum of the squares: (trace G)^2 / trace G^2, G being the covariance of the corrected residuals of clusters
/// if results are independent with the variance of their stratum. At least 1.
fn freedom(cells: &[Cell], strata: &[Stratum]) -> f64 {
    // Where nothing varies, as if all varied alike.
    let varies = strata.iter().any(|stratum| stratum.variance() > 1e-12);
    let variance = |stratum: &Stratum| if varies { stratum.variance() } else { 1.0 };
    // G = D - sum over strata of u u', D being diagonal.
    let (mut trace, mut square) = (0.0, 0.0);
    let mut all = Vec::with_capacity(cells.len());
    for (cluster, cells) in clusters(cells).enumerate() {
        let of = |cell: &Cell| {
            let stratum = &strata[cell.stratum];
            let own = cell.weight * stratum.correction(cell.weight).powi(2) * variance(stratum);
            (cell.stratum, own, (own * cell.weight / stratum.weight).sqrt())
        };
        let parts: Vec<(usize, f64, f64)> = cells.iter().map(of).filter(|(_, own, _)| own.is_finite()).collect();
        let diagonal: f64 = parts.iter().map(|(_, own, _)| own).sum();
        let taken: f64 = parts.iter().map(|(.., u)| u * u).sum();
        trace += diagonal - taken;
        square += diagonal * (diagonal - 2.0 * taken);
        all.extend(parts.into_iter().map(|(stratum, _, u)| (cluster, stratum, u)));
    }
    square += squared_norm_of_products(all);
    let freedom = trace * trace / square;
    if freedom.is_finite() { freedom.max(1.0) } else { 1.0 }
}

/// The sum of the squares of U'U, and so of UU', of a matrix that has these numbers at these rows and columns, in the order of its rows. The
/// products are taken along the side that takes fewer: thousands of opponents may be met from two openings, or two from thousands.
fn squared_norm_of_products(mut entries: Vec<(usize, usize, f64)>) -> f64 {
    let pairs = |lines: &[(usize, usize, f64)]| -> usize {
        lines.chunk_by(|one, next| one.0 == next.0).map(|line| line.len() * line.len()).sum()
    };
    let by_row = pairs(&entries);
    let mut turned: Vec<_> = entries.iter().map(|&(row, column, value)| (column, row, value)).collect();
    turned.sort_by_key(|&(column, row, _)| (column, row));
    if pairs(&turned) < by_row {
        entries = turned;
    }
    let mut products: BTreeMap<(usize, usize), f64> = BTreeMap::new();
    for line in entries.chunk_by(|one, next| one.0 == next.0) {
        for (at, &(_, one, u)) in line.iter().enumerate() {
            for &(_, other, v) in &line[at..] {
                *products.entry((one, other)).or_default() += u * v;
            }
        }
    }
    let times = |one: usize, other: usize| if one == other { 1.0 } else { 2.0 };
    products.iter().map(|(&(one, other), product)| times(one, other) * product * product).sum()
}

/// How many times as large the variance of the mean is as that of as many independent results with the distribution of `all` (L. Kish 1965):
/// so many results are worth an independent one. It is above 1 where results of a cluster go alike, and below 1 where strata differ, for
/// what is between them is no chance. The quantile of Student's distribution is in it, so that 1.96 standard errors of so many fewer or
/// more results are a 95 % interval.
///
/// `beside` are independent results of strata of their own, and `all` is the sum of both.
///
/// Results that hardly vary within their strata do not say how much they vary. To the strata of which fewer than [`FEWEST_DIFFERING`] differ
/// from the most common one belong two thirds of a result more, for what was not seen, times the share of five that they lack together. If
/// fewer differ in all strata, or if fewer clusters go otherwise than most, all results are taken as one stratum, and no result is worth
/// more than one. Fewer than [`FEWEST_DIFFERING`] clusters agree too often by chance: they are worth at most so many independent results. It
/// is 1 where each result of a single stratum is a cluster of its own, and without results.
///
/// ```
/// use drawish_stats::{Clustered, Pentanomial, Results, design_effect};
///
/// // The same openings against a weak opponent and a strong one.
/// let met = |cluster: u32, stratum: u32| {
///     let halves = if stratum == 0 { [4, 3, 4, 2][cluster as usize % 4] } else { [0, 2, 1, 1, 0][cluster as usize % 5] };
///     Clustered { value: f64::from(halves) / 4.0, weight: 1.0, stratum, cluster }
/// };
/// let results: Vec<Clustered> = (0..20).flat_map(|opening| [met(opening, 0), met(opening, 1)]).collect();
/// let all = Results::Pairs(Pentanomial { ll: 8, ld: 8, wl_dd: 9, wd: 5, ww: 10 });
/// assert!(design_effect(&results, &[], &all) < 0.5);
/// ```
#[must_use]
pub fn design_effect(results: &[Clustered], beside: &[Results], all: &Results) -> f64 {
    let are_independent =
        beside.is_empty() && results.iter().all(|result| result.stratum == results[0].stratum) && are_apart(results);
    if are_independent {
        return 1.0;
    }
    let (count, distribution) = all.distribution();
    let independent = distribution.moment(2) / count;
    match squared_error(results, beside) {
        Some(squared) if independent > 1e-12 => squared / independent,
        Some(_) => 1.0,
        None => effect_of_one_stratum(results),
    }
}

/// Whether each of these has a cluster of its own.
fn are_apart(results: &[Clustered]) -> bool {
    let mut clusters: Vec<u32> = results.iter().map(|result| result.cluster).collect();
    clusters.sort_unstable();
    clusters.windows(2).all(|two| two[0] != two[1])
}

/// The square of what 1.96 times is half a 95 % interval; `None` where results do not say how much they vary within strata.
fn squared_error(results: &[Clustered], beside: &[Results]) -> Option<f64> {
    let beside: Vec<&Results> = beside.iter().filter(|results| results.games() > 0).collect();
    let weight: f64 = results.iter().map(|result| result.weight).sum();
    let all = weight + beside.iter().map(|results| results.distribution().0).sum::<f64>();
    if all <= 0.0 {
        return None;
    }
    let of_others = |results: &&Results| {
        let (n, own) = results.distribution();
        let seen = own.moment(2) * n / (n - 1.0).max(1.0);
        let and_unseen = too_few(results).map_or(0.0, |_| own.and_unseen(n, 1.0 - own.mean()).1.moment(2));
        n * seen.max(and_unseen)
    };
    let others: f64 = beside.iter().map(of_others).sum::<f64>();
    let own = if results.is_empty() { 0.0 } else { weight * weight * squared_error_of_clusters(results)? };
    Some((own + others) / (all * all))
}

fn squared_error_of_clusters(results: &[Clustered]) -> Option<f64> {
    let (cells, strata) = joined(results)?;
    let mean = stratified_mean(results)?;
    let sums = residuals(&cells, &strata);
    let are_few = (sums.len() as u64) < FEWEST_DIFFERING;
    let unseen = Unseen::of(results);
    let enough = unseen.differing >= FEWEST_DIFFERING && (are_few || differing(sums) >= FEWEST_DIFFERING);
    let reach = mean.half_width().filter(|_| enough)? / Z95;
    let all: f64 = strata.iter().map(|stratum| stratum.weight).sum();
    let within: f64 = strata.iter().map(|stratum| stratum.weight * stratum.variance()).sum::<f64>() / all;
    let clusters = mean.clusters;
    let of_few = within / clusters as f64 * (reach_of_95_percent(clusters) / Z95).powi(2);
    Some((reach * reach).max(if are_few { of_few } else { 0.0 }) + unseen.squared_error)
}

/// What was not seen of strata whose results hardly vary.
struct Unseen {
    /// Results other than the most common one of their stratum.
    differing: u64,
    squared_error: f64,
}

impl Unseen {
    fn of(results: &[Clustered]) -> Unseen {
        let mut strata: BTreeMap<u32, Vec<&Clustered>> = BTreeMap::new();
        results.iter().for_each(|result| strata.entry(result.stratum).or_default().push(result));
        let strata = strata.into_values().map(|stratum| {
            let differing = differing(stratum.iter().map(|one| one.value).collect());
            (stratum, differing)
        });
        let strata: Vec<(Vec<&Clustered>, u64)> = strata.collect();
        let all: f64 = results.iter().map(|result| result.weight).sum();
        let differing: u64 = strata.iter().map(|(_, differing)| differing).sum();
        // Such strata may be enough together: many of a few results each are often alike by chance.
        let hardly: Vec<_> = strata.into_iter().filter(|(_, differing)| *differing < FEWEST_DIFFERING).collect();
        let seen: u64 = hardly.iter().map(|(_, differing)| differing).sum();
        let lacking = 1.0 - seen.min(FEWEST_DIFFERING) as f64 / FEWEST_DIFFERING as f64;
        // The variance of a share of two thirds of a result among these, at the other end of the scale.
        let share = UNSEEN / (hardly.iter().map(|(stratum, _)| stratum.len()).sum::<usize>() as f64 + UNSEEN);
        let of = |(stratum, _): &(Vec<&Clustered>, u64)| {
            let (weight, squares, sum) = stratum.iter().fold((0.0, 0.0, 0.0), |(weight, squares, sum), one| {
                (weight + one.weight, squares + one.weight * one.weight, sum + one.weight * one.value)
            });
            let mean: f64 = sum / weight;
            squares * share * (1.0 - share) * mean.max(1.0 - mean).powi(2)
        };
        Unseen { differing, squared_error: lacking * hardly.iter().map(of).sum::<f64>() / (all * all) }
    }
}

/// The same as if there were one stratum; at least 1.
fn effect_of_one_stratum(results: &[Clustered]) -> f64 {
    let values: Vec<f64> = results.iter().map(|result| result.value).collect();
    let clusters: Vec<u32> = results.iter().map(|result| result.cluster).collect();
    let Some(mean) = clustered_mean(&values, &clusters) else { return 1.0 };
    let (count, used) = (values.len() as f64, mean.clusters as f64);
    if mean.clusters == values.len() {
        return 1.0;
    }
    let independent = values.iter().map(|value| (value - mean.mean).powi(2)).sum::<f64>() / (count * count);
    match mean.error {
        Some(error) if independent > 1e-12 => {
            let reach = error * reach_of_95_percent_of_worth(mean.worth) / Z95;
            let are_few = (mean.clusters as u64) < FEWEST_DIFFERING;
            let of_few = count / used * (reach_of_95_percent(mean.clusters) / Z95).powi(2);
            (reach * reach / independent).max(if are_few { of_few } else { 1.0 })
        }
        _ => count / used,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Pentanomial, Trinomial};

    /// Of one stratum and equal weights, with the counts of its pairs.
    fn of(values: &[f64], clusters: &[u32]) -> (Vec<Clustered>, Results) {
        let results = values.iter().zip(clusters);
        let results = results.map(|(&value, &cluster)| Clustered { value, weight: 1.0, stratum: 0, cluster });
        (results.collect(), counted(values))
    }

    fn counted(values: &[f64]) -> Results {
        let mut counts = [0; 5];
        values.iter().for_each(|value| counts[(4.0 * value) as usize] += 1);
        let [ll, ld, wl_dd, wd, ww] = counts;
        Results::Pairs(Pentanomial { ll, ld, wl_dd, wd, ww })
    }

    fn effect(values: &[f64], clusters: &[u32]) -> f64 {
        let (results, all) = of(values, clusters);
        design_effect(&results, &[], &all)
    }

    #[test]
    fn products_are_the_same_along_either_side() {
        for (rows, columns) in [(1, 1), (2, 7), (7, 2), (5, 5)] {
            let value =
                |row: usize, column: usize| if (row * column) % 3 == 1 { 0.0 } else { (1 + row + 2 * column) as f64 };
            let entries = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
            let entries: Vec<_> = entries.map(|(row, column)| (row, column, value(row, column))).collect();
            let of = |one: usize, other: usize| (0..rows).map(|row| value(row, one) * value(row, other)).sum::<f64>();
            let expected: f64 =
                (0..columns).flat_map(|one| (0..columns).map(move |other| of(one, other).powi(2))).sum();
            assert!((squared_norm_of_products(entries) / expected - 1.0).abs() < 1e-12, "{rows} {columns}");
        }
        // Along the other side these would be 200 million products.
        let wide = (0..2).flat_map(|row| (0..20_000).map(move |column| (row, column, 1.0)));
        assert!((squared_norm_of_products(wide.collect()) - 4.0 * 20_000_f64.powi(2)).abs() < 1.0);
    }

    /// Two openings that happen to go alike do not say that openings do not matter.
    #[test]
    fn few_clusters_are_worth_few_values() {
        let values: Vec<f64> = (0..240).map(|at| f64::from(at % 5) / 4.0).collect();
        for (clusters, least, most) in [(2_u32, 5000.0, 5100.0), (3, 380.0, 420.0), (4, 150.0, 165.0), (5, 1.0, 1.1)] {
            let of: Vec<u32> = (0..240).map(|at| at / (240 / clusters)).collect();
            let effect = effect(&values, &of);
            assert!((least..most).contains(&effect), "{clusters}: {effect}");
        }
    }

    #[test]
    fn values_that_come_alike_are_worth_one() {
        let values: Vec<f64> = (0..600).map(|at| f64::from(at / 3 * 7 % 5) / 4.0).collect();
        let clusters: Vec<u32> = (0..600).map(|at| at / 3).collect();
        let found = effect(&values, &clusters);
        assert!((3.0..3.1).contains(&found), "{found}");
        assert_eq!(effect(&[0.5; 6], &[0, 0, 0, 1, 1, 1]), 3.0);
        assert_eq!((effect(&[0.0, 1.0], &[4, 4]), effect(&[], &[])), (2.0, 1.0));
        let apart: Vec<u32> = (0..600).collect();
        assert_eq!(effect(&values, &apart), 1.0);
    }

    /// Pairs against a weak opponent and a strong one, from the same openings or others.
    fn unlike(openings: u32, apart: bool) -> Vec<Clustered> {
        let of = |opening: u32, stratum: u32| {
            let halves = if stratum == 0 { [4, 3, 4, 2, 4] } else { [0, 2, 1, 0, 1] }
                [(opening * 3 + opening / 5 + stratum) as usize % 5];
            let cluster = if apart { 2 * opening + stratum } else { opening };
            Clustered { value: f64::from(halves) / 4.0, weight: 1.0, stratum, cluster }
        };
        (0..openings).flat_map(|opening| [of(opening, 0), of(opening, 1)]).collect()
    }

    fn all(results: &[Clustered]) -> Results {
        counted(&results.iter().map(|result| result.value).collect::<Vec<_>>())
    }

    /// What is between strata is no chance: with every stratum in every cluster it is the error of the means of the clusters.
    #[test]
    fn strata_have_means_of_their_own() {
        let results = unlike(60, false);
        let means: Vec<f64> = results.chunks(2).map(|two| (two[0].value + two[1].value) / 2.0).collect();
        let plain = clustered_mean(&means, &(0..60).collect::<Vec<u32>>()).expect("means");
        let found = stratified_mean(&results).expect("results");
        assert!((found.mean - plain.mean).abs() < 1e-12 && (found.worth - 60.0).abs() < 1e-6, "{found:?}");
        let errors = found.error.zip(plain.error).expect("clusters");
        assert!((errors.0 - errors.1).abs() < 1e-12, "{errors:?}");
        let (count, distribution) = all(&results).distribution();
        let wanted = plain.half_width().expect("they vary") / (Z95 * (distribution.moment(2) / count).sqrt());
        assert!((design_effect(&results, &[], &all(&results)) / wanted.powi(2) - 1.0).abs() < 1e-9);
        // From openings of their own the variances of both means are added, with 2 (60 - 1) degrees of freedom if both vary alike.
        let found = stratified_mean(&unlike(60, true)).expect("results");
        let of = |stratum: u32| {
            let own: Vec<f64> = results.iter().filter(|one| one.stratum == stratum).map(|one| one.value).collect();
            clustered_mean(&own, &(0..60).collect::<Vec<u32>>()).and_then(|mean| mean.error).expect("they vary")
        };
        let wanted = (of(0).powi(2) + of(1).powi(2)).sqrt() / 2.0;
        assert!((found.error.expect("clusters") - wanted).abs() < 1e-12, "{found:?} {wanted}");
        assert!((110.0..=119.0).contains(&found.worth), "{found:?}");
    }

    /// With one stratum it is the mean of clusters, whatever their sizes.
    #[test]
    fn one_stratum_is_the_mean_of_clusters() {
        let values: Vec<f64> = (0..90).map(|at| f64::from(at * 7 % 5) / 4.0).collect();
        let clusters: Vec<u32> = (0..90).map(|at| f64::from(at).sqrt() as u32).collect();
        let (results, _) = of(&values, &clusters);
        let (found, plain) = (stratified_mean(&results), clustered_mean(&values, &clusters));
        let (found, plain) = found.zip(plain).expect("values");
        assert!((found.mean - plain.mean).abs() < 1e-12, "{found:?} {plain:?}");
        assert!((found.error.expect("clusters") - plain.error.expect("clusters")).abs() < 1e-12);
        assert_eq!((found.clusters, stratified_mean(&[])), (plain.clusters, None));
    }

    /// Of a single result in a stratum nobody can say how much it varies: such strata count as one.
    #[test]
    fn strata_of_one_cluster_are_taken_together() {
        let many: Vec<Clustered> =
            unlike(30, true).into_iter().map(|one| Clustered { stratum: one.cluster, ..one }).collect();
        let one: Vec<Clustered> = many.iter().map(|one| Clustered { stratum: 0, ..*one }).collect();
        assert_eq!(stratified_mean(&many), stratified_mean(&one));
        // One among others is put to the smallest.
        let lone = Clustered { value: 0.5, weight: 1.0, stratum: 7, cluster: 3 };
        let with = |stratum: u32| {
            let mut results = unlike(30, false);
            results.truncate(58);
            results.retain(|one| one.stratum == 0 || one.cluster < 20);
            results.push(Clustered { stratum, ..lone });
            stratified_mean(&results)
        };
        assert_eq!(with(7), with(1));
        let alone = [lone, Clustered { stratum: 8, ..lone }];
        assert_eq!(stratified_mean(&alone).map(|mean| (mean.error, mean.clusters)), Some((None, 1)));
    }

    /// A pair is two games: it counts as one result of twice the weight.
    #[test]
    fn weights_are_those_of_games() {
        let results = unlike(40, false);
        let twice: Vec<Clustered> = results.iter().map(|one| Clustered { weight: 2.0, ..*one }).collect();
        let same = |one: Option<Mean>, other: Option<Mean>| {
            let (one, other) = one.zip(other).expect("results");
            let errors = one.error.zip(other.error).expect("clusters");
            assert!((one.mean - other.mean).abs() < 1e-12 && (errors.0 - errors.1).abs() < 1e-12, "{one:?} {other:?}");
            assert!((one.worth - other.worth).abs() < 1e-6, "{one:?} {other:?}");
        };
        same(stratified_mean(&results), stratified_mean(&twice));
        let halves = results.iter().flat_map(|one| if one.stratum == 0 { vec![*one; 2] } else { vec![*one] });
        let weighted = results.iter().map(|one| Clustered { weight: if one.stratum == 0 { 2.0 } else { 1.0 }, ..*one });
        same(stratified_mean(&halves.collect::<Vec<_>>()), stratified_mean(&weighted.collect::<Vec<_>>()));
    }

    /// All won against one opponent and all lost against another: nothing says how much results vary, and strata are none.
    #[test]
    fn results_that_hardly_vary_within_strata_are_worth_no_more() {
        let of = |differing: u32| -> Vec<Clustered> {
            let value = |opening: u32, stratum: u32| match (stratum, opening < differing) {
                (0, false) => 1.0,
                (0, true) => 0.75,
                _ => 0.0,
            };
            let both = |cluster: u32| {
                [0, 1].map(|stratum| Clustered { value: value(cluster, stratum), weight: 1.0, stratum, cluster })
            };
            (0..60).flat_map(both).collect()
        };
        let effect = |results: &[Clustered]| design_effect(results, &[], &all(results));
        assert_eq!((effect(&of(0)), effect(&of(4))), (1.0, 1.0));
        // Five of 60 are known to vary, but the other opponent has not less than two thirds of a result.
        let (found, independent) = (effect(&of(5)), 0.25 / 120.0);
        let least = (2.0 / 3.0 / 60.0) * 60.0 / (120.0 * 120.0) / independent;
        assert!(0.97 * least < found && found < 2.0 * least, "{found} {least}");
        // Many strata that are alike by chance are known together.
        let few: Vec<Clustered> = unlike(60, false)
            .into_iter()
            .map(|one| Clustered { stratum: one.cluster / 2 * 2 + one.stratum, ..one })
            .collect();
        assert_eq!(Unseen::of(&few).squared_error, 0.0);
    }

    /// Counts of which nothing more is known are independent results of a stratum of their own.
    #[test]
    fn counts_beside_are_strata_of_their_own() {
        let results = unlike(60, true);
        let (one, two): (Vec<Clustered>, Vec<Clustered>) = results.iter().partition(|result| result.stratum == 0);
        let whole = design_effect(&results, &[], &all(&results));
        let beside = design_effect(&one, &[all(&two)], &all(&results));
        assert!((beside / whole - 1.0).abs() < 0.02, "{beside} {whole}");
        let empty = Results::Games(Trinomial::default());
        assert_eq!(design_effect(&[], &[empty], &empty), 1.0);
    }
}
