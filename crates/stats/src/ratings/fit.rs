//! The likeliest ratings of engines that can be compared, and how much they vary.

use super::rounds::{Part, middle};
use super::{Encounter, FEWEST_DIFFERING};
use crate::numeric::{Derivatives, Symmetric, neg_ln_sigmoid, newton, sigmoid};

/// Residuals of a pair whose leverage is nearer to 1 say nothing: it is fitted exactly, whatever it was.
const LARGEST_LEVERAGE: f64 = 1.0 - 1e-9;

/// So much of the variance of a difference may be carried by encounters whose results hardly vary: without it the error is at most a
/// tenth too small.
const UNKNOWN_SHARE: f64 = 0.2;

/// A variance this much smaller than that of the model is rounding: residuals of engines that play exactly alike cancel in every round.
const ROUNDING: f64 = 1e-12;

/// Ratings as logits.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Fit {
    /// The place of each engine in what follows, if it is rated.
    places: Vec<Option<usize>>,
    logits: Vec<f64>,
    /// Of the ratings less that of the last engine; `None` where the results say nothing of it.
    covariance: Option<Vec<Vec<f64>>>,
    carriers: Vec<Carrier>,
    /// The place of the engine that has 0, or the mean of all.
    zero: Option<usize>,
}

/// An encounter of rated engines: their places, the pairs by points.
struct Met {
    places: [usize; 2],
    counts: [f64; 5],
}

/// What an encounter does to the ratings.
#[derive(Clone, PartialEq, Debug)]
struct Carrier {
    /// What a point more of its first side moves each rating by.
    moves: Vec<f64>,
    /// The variance of its points if the model were right, which tells how much of an error it would carry.
    variance: f64,
    pairs: f64,
    /// Pairs that differ from the most common result.
    differing: f64,
}

impl Met {
    fn differing(&self) -> f64 {
        self.pairs() - self.counts.iter().copied().fold(0.0, f64::max)
    }

    fn pairs(&self) -> f64 {
        self.counts.iter().sum()
    }

    /// The points of the first side in pairs of each kind.
    fn kinds(&self) -> impl Iterator<Item = (f64, f64)> {
        self.counts.into_iter().zip([0.0, 0.5, 1.0, 1.5, 2.0])
    }
}

impl Fit {
    /// Fits the engines that are `rated`, by their games against each other; `zero` is one of them. The pairs of a round are
    /// one cluster, without rounds each pair is one.
    pub(super) fn of(rated: &[bool], met: &[Encounter], rounds: Option<&[Vec<Part>]>, zero: Option<usize>) -> Fit {
        let mut count = 0;
        let place = |&is_rated: &bool| is_rated.then(|| (count, count += 1).0);
        let places: Vec<Option<usize>> = rated.iter().map(place).collect();
        let both = |met: &Encounter| {
            let [one, two] = met.engines.map(|engine| places[engine]);
            Some(Met { places: [one?, two?], counts: met.by_points().map(|count| count as f64) })
        };
        let both: Vec<Option<Met>> = met.iter().map(both).collect();
        let rounds = rounds.map(|rounds| among(&both, rounds));
        let met: Vec<Met> = both.into_iter().flatten().collect();
        // The last engine stays at 0 until the end.
        let free = count.saturating_sub(1);
        let found = newton(vec![0.0; free], 1e-14, |at| derivatives(at, &met));
        let mut logits = found.at;
        logits.resize(count, 0.0);
        let (covariance, carriers) = covariance(&logits, free, &met, rounds.as_deref()).unzip();
        let zero = zero.and_then(|engine| places[engine]);
        let level = match zero {
            Some(place) => logits[place],
            None => logits.iter().sum::<f64>() / count.max(1) as f64,
        };
        logits.iter_mut().for_each(|logit| *logit -= level);
        Fit { places, logits, covariance, carriers: carriers.unwrap_or_default(), zero }
    }

    /// The rating of an engine.
    pub(super) fn logit(&self, engine: usize) -> Option<f64> {
        Some(self.logits[self.place(engine)?])
    }

    /// Its standard error, and how many pairs this is from; `None` if the results that it depends on hardly vary.
    pub(super) fn error(&self, engine: usize) -> Option<(f64, f64)> {
        let place = self.place(engine)?;
        let mut weights = vec![0.0; self.logits.len()];
        match self.zero {
            Some(zero) => weights[zero] = -1.0,
            None => weights.fill(-1.0 / self.logits.len() as f64),
        }
        weights[place] += 1.0;
        self.error_of(&weights)
    }

    /// The standard error of a difference, and how many pairs this is from; `None` if the results that it depends on hardly vary.
    pub(super) fn error_of_difference(&self, one: usize, other: usize) -> Option<(f64, f64)> {
        let (one, other) = (self.place(one)?, self.place(other)?);
        let mut weights = vec![0.0; self.logits.len()];
        weights[one] += 1.0;
        weights[other] -= 1.0;
        self.error_of(&weights)
    }

    fn place(&self, engine: usize) -> Option<usize> {
        self.places.get(engine).copied().flatten()
    }

    fn error_of(&self, weights: &[f64]) -> Option<(f64, f64)> {
        let covariance = self.covariance.as_ref()?;
        let (pairs, of_model) = self.pairs_behind(weights)?;
        let product = |row: &[f64]| row.iter().zip(weights).map(|(value, weight)| value * weight).sum::<f64>();
        let variance: f64 = weights.iter().zip(covariance).map(|(own, row)| own * product(row)).sum();
        Some((if variance > ROUNDING * of_model { variance.sqrt() } else { 0.0 }, pairs))
    }

    /// How many pairs carry a difference of ratings, and the variance that the model gives it. `None` if too few of them differ from the most common result: less than
    /// [`FEWEST_DIFFERING`] of all, or of encounters that carry more than [`UNKNOWN_SHARE`], each counted by how many differing pairs it
    /// lacks. Residuals near 0 say nothing about how much results vary. Such encounters may still be enough together, as in the first
    /// rounds of a tournament of many engines.
    fn pairs_behind(&self, weights: &[f64]) -> Option<(f64, f64)> {
        let carried = |carrier: &Carrier| {
            let moved: f64 = carrier.moves.iter().zip(weights).map(|(moves, weight)| moves * weight).sum();
            carrier.variance * moved * moved
        };
        let carriers: Vec<(f64, &Carrier)> = self.carriers.iter().map(|carrier| (carried(carrier), carrier)).collect();
        let all: f64 = carriers.iter().map(|(carried, _)| carried).sum();
        if all <= 0.0 {
            return Some((0.0, 0.0));
        }
        let fewest = FEWEST_DIFFERING as f64;
        let hardly: Vec<_> = carriers.iter().copied().filter(|(_, carrier)| carrier.differing < fewest).collect();
        let unknown: f64 = hardly.iter().map(|(carried, carrier)| carried * (1.0 - carrier.differing / fewest)).sum();
        let enough = |carriers: &[_]| together(carriers, |one| one.differing) >= fewest;
        let known = enough(&carriers) && (unknown <= UNKNOWN_SHARE * all || enough(&hardly));
        known.then(|| (together(&carriers, |one| one.pairs), all))
    }
}

/// The sum of a count over encounters that carry the same; where one carries nearly all, that of this one.
fn together(carriers: &[(f64, &Carrier)], count: impl Fn(&Carrier) -> f64) -> f64 {
    let sum = |of: &dyn Fn(f64, &Carrier) -> f64| carriers.iter().map(|&(carried, one)| of(carried, one)).sum::<f64>();
    sum(&|carried, one| carried * count(one)) * sum(&|carried, _| carried) / sum(&|carried, _| carried * carried)
}

fn rating(at: &[f64], place: usize) -> f64 {
    at.get(place).copied().unwrap_or(0.0)
}

/// The negative log-likelihood, in which a draw is half a win and half a loss.
fn derivatives(at: &[f64], met: &[Met]) -> Derivatives {
    let mut here = Derivatives { value: 0.0, gradient: vec![0.0; at.len()], hessian: Symmetric::zero(at.len()) };
    for met in met {
        let [one, two] = met.places;
        let difference = rating(at, one) - rating(at, two);
        let share = sigmoid(difference);
        let games = 2.0 * met.pairs();
        let points: f64 = met.kinds().map(|(count, points)| count * points).sum();
        here.value += points * neg_ln_sigmoid(difference) + (games - points) * neg_ln_sigmoid(-difference);
        let slope = games * share - points;
        for (place, slope) in [(one, slope), (two, -slope)] {
            if let Some(own) = here.gradient.get_mut(place) {
                *own += slope;
            }
        }
        add_outer(&mut here.hessian, met.places, games * share * (1.0 - share));
    }
    here
}

/// Adds `value` times the outer product of the difference of two ratings with itself.
fn add_outer(matrix: &mut Symmetric, [one, two]: [usize; 2], value: f64) {
    let size = matrix.size();
    for place in [one, two] {
        if place < size {
            matrix.add_to_diagonal(place, value);
        }
    }
    let (low, high) = (one.min(two), one.max(two));
    if high < size {
        matrix.row_mut(high)[low] -= value;
    }
}

/// The pairs of each round whose encounters are fitted, by the places of these.
fn among(met: &[Option<Met>], rounds: &[Vec<Part>]) -> Vec<Vec<Part>> {
    let mut count = 0;
    let place = |met: &Option<Met>| met.is_some().then(|| (count, count += 1).0);
    let places: Vec<Option<usize>> = met.iter().map(place).collect();
    let part = |part: &Part| Some(Part { encounter: places[part.encounter]?, ..*part });
    rounds.iter().map(|round| round.iter().filter_map(part).collect()).collect()
}

/// What the results say of the ratings, by the model.
pub(super) struct Information<'a> {
    logits: &'a [f64],
    met: &'a [Met],
    hessian: Symmetric,
    /// Of the free ratings.
    inverse: Vec<Vec<f64>>,
}

impl Information<'_> {
    /// Ratings, also the one that stays at 0.
    pub(super) fn size(&self) -> usize {
        self.logits.len()
    }

    fn inverse(&self, one: usize, two: usize) -> f64 {
        self.inverse.get(one).and_then(|row| row.get(two)).copied().unwrap_or(0.0)
    }

    /// The expected share of the points of the first side.
    fn share(&self, met: &Met) -> f64 {
        let [one, two] = met.places;
        sigmoid(self.logits[one] - self.logits[two])
    }

    /// The information of a pair of games.
    fn of_pair(&self, met: &Met) -> f64 {
        let share = self.share(met);
        2.0 * share * (1.0 - share)
    }

    /// How much of what is known of the difference comes from a pair.
    fn leverage(&self, met: &Met) -> f64 {
        let [one, two] = met.places;
        let spread = self.inverse(one, one) + self.inverse(two, two) - 2.0 * self.inverse(one, two);
        self.of_pair(met) * spread
    }

    /// What pairs add to the slopes of the likelihood.
    pub(super) fn slopes(&self, round: &[Part]) -> Vec<f64> {
        let mut slopes = vec![0.0; self.size()];
        for part in round {
            let met = &self.met[part.encounter];
            let residual = part.points - 2.0 * self.share(met);
            slopes[met.places[0]] += residual;
            slopes[met.places[1]] -= residual;
        }
        slopes
    }

    /// The information of these pairs by that of all, times slopes.
    pub(super) fn share_of(&self, round: &[Part], slopes: &[f64]) -> Vec<f64> {
        let moves = self.times_inverse(slopes);
        let mut product = vec![0.0; self.size()];
        for part in round {
            let met = &self.met[part.encounter];
            let [one, two] = met.places;
            let more = self.of_pair(met) * (moves[one] - moves[two]);
            product[one] += more;
            product[two] -= more;
        }
        product
    }

    /// Whether without these pairs some difference would not be known at all.
    pub(super) fn is_all_of(&self, round: &[Part]) -> bool {
        // The sum is at least the largest share of any difference.
        let most: f64 = round.iter().map(|part| self.leverage(&self.met[part.encounter])).sum();
        if most < 0.5 {
            return false;
        }
        let mut rest = self.hessian.clone();
        for part in round {
            let met = &self.met[part.encounter];
            add_outer(&mut rest, met.places, -LARGEST_LEVERAGE.recip() * self.of_pair(met));
        }
        rest.cholesky().is_none()
    }

    fn times_inverse(&self, slopes: &[f64]) -> Vec<f64> {
        let row = |place| (0..self.inverse.len()).map(|other| self.inverse(place, other) * slopes[other]).sum();
        (0..self.size()).map(row).collect()
    }

    /// The middle of the sandwich with each pair as its own cluster, those of an encounter together.
    fn by_pairs(&self) -> Vec<Vec<f64>> {
        let mut middle = vec![vec![0.0; self.size()]; self.size()];
        for met in self.met {
            let [one, two] = met.places;
            let share = self.share(met);
            let squares: f64 = met.kinds().map(|(count, points)| count * (points - 2.0 * share).powi(2)).sum();
            let square = squares / (1.0 - self.leverage(met));
            for (row, column, sign) in [(one, one, 1.0), (two, two, 1.0), (one, two, -1.0), (two, one, -1.0)] {
                middle[row][column] += sign * square;
            }
        }
        middle
    }

    /// The sandwich around a middle, of which the last row and column are 0.
    fn around(&self, middle: &[Vec<f64>]) -> Vec<Vec<f64>> {
        // Both are symmetric: rows of the product on one side are columns of it on the other.
        let half: Vec<Vec<f64>> = middle.iter().map(|row| self.times_inverse(row)).collect();
        let column = |place: usize| half.iter().map(|row| row[place]).collect::<Vec<f64>>();
        (0..self.size()).map(|place| self.times_inverse(&column(place))).collect()
    }
}

/// The sandwich, of which the last row and column are 0, and what each encounter does to the ratings.
fn covariance(
    logits: &[f64],
    free: usize,
    met: &[Met],
    rounds: Option<&[Vec<Part>]>,
) -> Option<(Vec<Vec<f64>>, Vec<Carrier>)> {
    let hessian = derivatives(&logits[..free], met).hessian;
    let factor = hessian.clone().cholesky()?;
    let unit = |place: usize| (0..free).map(|other| f64::from(u8::from(other == place))).collect::<Vec<f64>>();
    let inverse = (0..free).map(|place| factor.solve(&unit(place))).collect();
    let information = Information { logits, met, hessian, inverse };
    if met.iter().any(|met| information.leverage(met) > LARGEST_LEVERAGE) {
        return None;
    }
    let middle = match rounds {
        Some(rounds) => middle(rounds, &information)?,
        None => information.by_pairs(),
    };
    let carrier = |met: &Met| {
        let [one, two] = met.places;
        Carrier {
            moves: (0..logits.len())
                .map(|place| information.inverse(place, one) - information.inverse(place, two))
                .collect(),
            variance: met.pairs() * information.of_pair(met),
            pairs: met.pairs(),
            differing: met.differing(),
        }
    };
    Some((information.around(&middle), met.iter().map(carrier).collect()))
}
