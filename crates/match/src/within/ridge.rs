//! A linear fit within roots, held back by normal priors, with errors by games.
//!
//! Some moves lose a piece to what only a search sees. They say nothing about evaluations, and squares of their errors would outweigh
//! all others: so the fit is Huber's, which counts errors beyond 1.345 standard deviations of the bulk by their size, not their square.
//! Labels of endgame tables are fitted by least squares.
//! Source: P. J. Huber, Robust estimation of a location parameter, Annals of Mathematical Statistics 35 (1964).

use std::collections::HashMap;
use std::num::NonZero;

use drawish_games::fit::Priors;
use drawish_heads::heads::Term;
use drawish_stats::numeric::{Cholesky, Symmetric, dot, in_order};
use drawish_stats::{FEWEST_EVENTS, jackknife_errors};

use super::siblings::{Design, Family, Target, median};

/// Games are put into so many parts to be held out in turn.
pub(super) const FOLDS: u64 = 5;
/// Errors beyond so many standard deviations count by their size.
const HUBER: f64 = 1.345;
/// The standard deviation of a normal law in medians of its absolute value.
const OF_MEDIAN: f64 = 1.4826;
/// Times that moves are weighed anew by their errors; and the same for the effect of a root.
const ROUNDS: usize = 8;
const ROUNDS_OF_ROOT: usize = 10;
/// Parts over which sums are taken, on any number of threads.
const PARTS: usize = 64;

/// The moves that are fitted to, sorted by game.
#[derive(Debug)]
pub(super) struct Moves<'a> {
    families: &'a [Family],
    target: Target,
    /// Means of what each weight is multiplied by.
    means: Vec<f64>,
    /// Standard deviations of the priors of the weights.
    priors: Vec<f64>,
    /// Weights that nothing is multiplied by, or the same everywhere.
    pub idle: Vec<bool>,
    /// Weights that differ between enough games for an error.
    spread: Vec<bool>,
    /// Errors beyond this count by their size; infinite for least squares.
    reach: f64,
    threads: NonZero<usize>,
}

/// What a weight is multiplied by, and how strongly it is held back.
#[derive(Clone, Copy, Debug)]
enum Column {
    /// A feature: standard deviations, in logits, of what a typical value and of what the largest one does.
    Feature { typical: f64, most: f64 },
    /// Centipawns for each unit of a number: standard deviation of what it typically does.
    Centipawns(f64),
    /// Standard deviation of the weight itself.
    Fixed(f64),
}

/// All weights.
#[derive(Debug)]
pub(super) struct Columns(Vec<Column>);

impl Columns {
    pub fn of_terms(terms: &[Term], priors: Priors) -> Columns {
        let column = |term: &Term| match term {
            Term::Linear(_) => Column::Feature { typical: priors.linear, most: priors.largest },
            Term::Bands(_) => Column::Fixed(priors.bands),
            Term::Pair(..) => Column::Fixed(priors.pairs),
        };
        Columns(terms.iter().flat_map(|term| std::iter::repeat_n(column(term), term.weights())).collect())
    }

    /// Numbers of an evaluation, each of which is expected to do so many centipawns.
    pub fn of_numbers(count: usize, typical: f64) -> Columns {
        Columns(vec![Column::Centipawns(typical); count])
    }
}

/// A fit.
#[derive(Clone, Debug)]
pub(super) struct Weights {
    /// What a static difference of 1 is worth to the search, in an average position.
    pub slope: f64,
    /// The weights of the head.
    pub head: Vec<f64>,
    /// All coefficients.
    all: Vec<f64>,
    /// Variance that the priors were weighed against.
    noise: f64,
}

/// Sums over moves.
#[derive(Clone, Debug)]
struct Sums {
    xx: Symmetric,
    xy: Vec<f64>,
    yy: f64,
    moves: f64,
}

impl Sums {
    fn zero(size: usize) -> Sums {
        Sums { xx: Symmetric::zero(size), xy: vec![0.0; size], yy: 0.0, moves: 0.0 }
    }

    fn add(&mut self, other: &Sums) {
        self.xx.add(&other.xx);
        self.xy.iter_mut().zip(&other.xy).for_each(|(own, other)| *own += other);
        self.yy += other.yy;
        self.moves += other.moves;
    }
}

/// In which part a game is held out.
pub(super) fn fold(game: u64) -> u64 {
    game % FOLDS
}

impl<'a> Moves<'a> {
    /// `families` are sorted by game.
    pub fn new(families: &'a [Family], target: Target, columns: &Columns, threads: NonZero<usize>) -> Moves<'a> {
        let weights = columns.0.len();
        let children = || families.iter().flat_map(|family| &family.children);
        let n = children().count().max(1) as f64;
        let (mut sums, mut squares, mut largest) = (vec![0.0; weights], vec![0.0; weights], vec![0.0_f64; weights]);
        for &(weight, times) in children().flat_map(|child| &child.uses) {
            sums[weight] += times;
            squares[weight] += times * times;
            largest[weight] = largest[weight].max(times.abs());
        }
        let means: Vec<f64> = sums.iter().map(|sum| sum / n).collect();
        let spreads: Vec<f64> =
            means.iter().zip(&squares).map(|(mean, square)| (square / n - mean * mean).max(0.0).sqrt()).collect();
        let prior = |(weight, column): (usize, &Column)| match *column {
            Column::Feature { typical, most } => {
                (typical / spreads[weight].max(1e-9)).min(most / largest[weight].max(1e-9))
            }
            Column::Centipawns(typical) => typical / (squares[weight] / n).sqrt().max(1e-9),
            Column::Fixed(prior) => prior,
        };
        let priors = columns.0.iter().enumerate().map(prior).collect();
        let idle = spreads.iter().map(|&spread| spread < 1e-9).collect();
        // What is in centipawns has no mean position.
        let means = if target == Target::Form { vec![0.0; weights] } else { means };
        let reach = reach(families, target, &means);
        Moves { families, target, means, priors, idle, spread: spread(families, weights), reach, threads }
    }

    /// The rows of a root around its effect, and what each weighs: 1 unless its error is beyond the reach.
    fn centred(&self, family: &Family, weights: &[f64]) -> (Design, Vec<f64>, Vec<f64>) {
        let mut design = family.design(self.target, &self.means);
        let mut rests = design.rests(weights);
        let mut effect = median(&rests);
        let weigh = |rest: f64, effect: f64| (self.reach / (rest - effect).abs().max(1e-12)).min(1.0);
        for _ in 0..ROUNDS_OF_ROOT {
            let weights = rests.iter().map(|&rest| weigh(rest, effect));
            let (sum, total) = rests
                .iter()
                .zip(weights)
                .fold((0.0, 0.0), |(sum, total), (rest, weight)| (sum + rest * weight, total + weight));
            effect = sum / total;
        }
        let weighs: Vec<f64> = rests.iter().map(|&rest| weigh(rest, effect)).collect();
        design.centre(&weighs);
        rests.iter_mut().for_each(|rest| *rest -= effect);
        (design, weighs, rests)
    }

    /// The sum of a head's weights in the average position.
    pub fn mean(&self, head: &[f64]) -> f64 {
        self.means.iter().zip(head).map(|(mean, weight)| mean * weight).sum()
    }

    fn size(&self) -> usize {
        1 + 2 * self.means.len()
    }

    /// Parts of whole games.
    fn parts(&self) -> Vec<&'a [Family]> {
        let wanted = self.families.len().div_ceil(PARTS).max(1);
        let (mut parts, mut begin, mut end) = (Vec::new(), 0, 0);
        for game in self.families.chunk_by(|one, other| one.game == other.game) {
            end += game.len();
            if end - begin >= wanted {
                parts.push(&self.families[begin..end]);
                begin = end;
            }
        }
        parts.push(&self.families[begin..end]);
        parts
    }

    /// Fits to all games, and to the games outside each fold. `None` if the evaluations do not explain what searches say.
    pub fn fit(&self) -> Option<(Weights, Vec<Weights>)> {
        // At first evaluations are believed as they are.
        let mut at = vec![0.0; self.size()];
        at[0] = 1.0;
        for _ in 1..ROUNDS {
            at = self.solve(&self.sums(&at), None)?.all;
        }
        // The folds share the weights that the moves have in the fit to all: these hold back what is odd and know no head.
        let folds = self.sums(&at);
        let held_out = (0..folds.len()).map(|fold| self.solve(&folds, Some(fold))).collect::<Option<_>>()?;
        Some((self.solve(&folds, None)?, held_out))
    }

    /// Sums over the moves of each fold, weighed by what these weights leave unexplained.
    fn sums(&self, at: &[f64]) -> Vec<Sums> {
        let zero = || vec![Sums::zero(self.size()); FOLDS as usize];
        let mut folds = zero();
        let work = |_: usize, part: &&[Family]| {
            let mut folds = zero();
            for family in *part {
                let sums = &mut folds[fold(family.game) as usize];
                let (design, weighs, _) = self.centred(family, at);
                for ((y, x), weight) in design.y.iter().zip(&design.x).zip(weighs) {
                    for (row, &value) in x.iter().enumerate().filter(|(_, value)| **value != 0.0) {
                        let value = weight * value;
                        sums.xx.row_mut(row).iter_mut().zip(x).for_each(|(sum, other)| *sum += value * other);
                        sums.xy[row] += value * y;
                    }
                    sums.yy += weight * y * y;
                    sums.moves += weight;
                }
            }
            folds
        };
        let take = |part: Vec<Sums>| folds.iter_mut().zip(&part).for_each(|(sums, part)| sums.add(part));
        in_order(&self.parts(), self.threads, work, take);
        folds
    }

    fn solve(&self, folds: &[Sums], left_out: Option<usize>) -> Option<Weights> {
        let mut sums = Sums::zero(self.size());
        folds.iter().enumerate().filter(|(fold, _)| Some(*fold) != left_out).for_each(|(_, fold)| sums.add(fold));
        // What the evaluation alone leaves unexplained is the noise that the priors are weighed against.
        let first = sums.xx.get(0, 0);
        if first <= 0.0 {
            return None;
        }
        let noise = ((sums.yy - sums.xy[0] * sums.xy[0] / first) / sums.moves.max(1.0)).max(1e-9);
        let mut system = sums.xx.clone();
        self.hold_back(&mut system, noise);
        let all = system.cholesky()?.solve(&sums.xy);
        let (slope, head) = self.slope_and_head(&all);
        (slope > 0.0).then_some(Weights { slope, head, all, noise })
    }

    /// What all coefficients say.
    fn slope_and_head(&self, all: &[f64]) -> (f64, Vec<f64>) {
        // What changes evaluations is believed as they are.
        let scale = if self.target.is_relative() { all[0] } else { 1.0 };
        let weights = &all[1 + self.means.len()..];
        let head = weights.iter().zip(&self.idle).map(|(x, idle)| if *idle { 0.0 } else { x / scale });
        (all[0], head.collect())
    }

    /// Adds what the priors know.
    fn hold_back(&self, system: &mut Symmetric, noise: f64) {
        for (weight, prior) in self.priors.iter().enumerate() {
            system.add_to_diagonal(1 + weight, noise / (prior * prior));
            system.add_to_diagonal(1 + self.means.len() + weight, noise / (prior * prior));
        }
    }

    /// Standard errors of the slope and of the head's weights by the jackknife over games: the fits without one game after another, in which moves
    /// weigh what they do in the fit to all; `None` if one game decides them alone. The error of a weight is 0 where there is none: nothing is multiplied by it, or
    /// what is differs in fewer than [`FEWEST_EVENTS`] games from most, so that a few games decide it and its error alike.
    pub fn errors(&self, fitted: &Weights) -> Option<(f64, Vec<f64>)> {
        let mut sums = Sums::zero(self.size());
        self.sums(&fitted.all).iter().for_each(|fold| sums.add(fold));
        self.hold_back(&mut sums.xx, fitted.noise);
        let factor = sums.xx.cholesky()?;
        let without = |_: usize, part: &&[Family]| -> Option<(Vec<Vec<f64>>, f64)> {
            let (mut estimates, mut within) = (Vec::new(), 0.0);
            for game in part.chunk_by(|one, other| one.game == other.game) {
                let mut moves = Vec::new();
                for family in game {
                    let (design, weighs, rests) = self.centred(family, &fitted.all);
                    within += weighs.iter().filter(|weight| **weight >= 1.0).count() as f64;
                    moves.extend(
                        design.x.into_iter().zip(weighs).zip(rests).map(|((x, weight), rest)| (x, weight, rest)),
                    );
                }
                let (slope, head) = self.slope_and_head(&self.without(&moves, &factor, fitted)?);
                estimates.push(std::iter::once(slope).chain(head).collect());
            }
            Some((estimates, within))
        };
        let (mut estimates, mut within) = (Some(Vec::new()), 0.0);
        let take = |part: Option<(Vec<Vec<f64>>, f64)>| {
            estimates = estimates.take().zip(part).map(|(mut all, (part, some))| {
                all.extend(part);
                within += some;
                all
            });
        };
        in_order(&self.parts(), self.threads, without, take);
        // Beyond the reach an error pulls no more when it grows, so that the weights would follow the others farther.
        let farther = sums.moves / within;
        let mut errors = jackknife_errors(&estimates?)?.into_iter().map(|error| farther * error);
        let slope = errors.next()?;
        let known = self.idle.iter().zip(&self.spread).map(|(idle, spread)| !idle && *spread);
        Some((slope, errors.zip(known).map(|(error, is_known)| if is_known { error } else { 0.0 }).collect()))
    }

    /// All coefficients without some moves, each with its weight and with what the fit leaves unexplained of it; L L' is the system of all moves. `None` if nothing
    /// but these moves decides one.
    ///
    /// With the rows of X the moves by the roots of their weights and Y = X L'^-1, without them the system is L (I - Y'Y) L'. Where there are fewer moves than
    /// coefficients, the identity of Woodbury has the inverse of I - Y'Y with a matrix of as many rows as there are moves.
    fn without(&self, moves: &[(Vec<f64>, f64, f64)], factor: &Cholesky, fitted: &Weights) -> Option<Vec<f64>> {
        let rows: Vec<Vec<f64>> = moves
            .iter()
            .map(|(x, weight, _)| factor.forward(&x.iter().map(|x| weight.sqrt() * x).collect::<Vec<_>>()))
            .collect();
        let mut pull = vec![0.0; self.size()];
        for (row, (_, weight, rest)) in rows.iter().zip(moves) {
            pull.iter_mut().zip(row).for_each(|(pull, y)| *pull += weight.sqrt() * rest * y);
        }
        let size = rows.len().min(self.size());
        let mut left = Symmetric::zero(size);
        (0..size).for_each(|at| left.add_to_diagonal(at, 1.0));
        if rows.len() < self.size() {
            for (at, row) in rows.iter().enumerate() {
                left.row_mut(at).iter_mut().zip(&rows).for_each(|(sum, other)| *sum -= dot(row, other));
            }
            let among: Vec<f64> = rows.iter().map(|row| dot(row, &pull)).collect();
            for (row, more) in rows.iter().zip(left.cholesky()?.solve(&among)) {
                pull.iter_mut().zip(row).for_each(|(pull, y)| *pull += more * y);
            }
        } else {
            for y in &rows {
                for (at, &value) in y.iter().enumerate() {
                    left.row_mut(at).iter_mut().zip(y).for_each(|(sum, other)| *sum -= value * other);
                }
            }
            pull = left.cholesky()?.solve(&pull);
        }
        Some(fitted.all.iter().zip(factor.backward(&pull)).map(|(weight, step)| weight - step).collect())
    }
}

/// For each weight whether games differ enough in what it is multiplied by: in [`FEWEST_EVENTS`] of them or more it varies, or is
/// the same in all moves but not the same as in most games. `families` are sorted by game.
fn spread(families: &[Family], weights: usize) -> Vec<bool> {
    // Of each weight the games that differ, and those in which it is the same everywhere, by its value there.
    let mut varied = vec![0_usize; weights];
    let mut same: Vec<HashMap<u64, usize>> = vec![HashMap::new(); weights];
    for game in families.chunk_by(|one, other| one.game == other.game) {
        let (mut first, mut varies, mut now) = (vec![0.0; weights], vec![false; weights], vec![0.0; weights]);
        for (at, child) in game.iter().flat_map(|family| &family.children).enumerate() {
            now.fill(0.0);
            child.uses.iter().for_each(|&(weight, times)| now[weight] += times);
            if at == 0 {
                first.copy_from_slice(&now);
            }
            varies.iter_mut().zip(first.iter().zip(&now)).for_each(|(varies, (first, now))| *varies |= first != now);
        }
        for (weight, (&first, varies)) in first.iter().zip(varies).enumerate() {
            if varies {
                varied[weight] += 1;
            } else {
                // No distinction between 0 and -0.
                *same[weight].entry((first + 0.0_f64).to_bits()).or_default() += 1;
            }
        }
    }
    let differing = |(varied, same): (usize, HashMap<u64, usize>)| {
        varied + same.values().sum::<usize>() - same.values().max().unwrap_or(&0) >= FEWEST_EVENTS
    };
    varied.into_iter().zip(same).map(differing).collect()
}

/// How far errors of the bulk reach, where evaluations are believed as they are. What endgame tables know is no error, and mostly
/// the same for all moves of a root: the few that give away a win are what there is to learn, and count in full.
fn reach(families: &[Family], target: Target, means: &[f64]) -> f64 {
    if families.iter().flat_map(|family| &family.children).any(|child| child.known) {
        return f64::INFINITY;
    }
    let mut believed = vec![0.0; 1 + 2 * means.len()];
    believed[0] = 1.0;
    let mut sizes = Vec::new();
    for family in families {
        let rests = family.design(target, means).rests(&believed);
        let middle = median(&rests);
        sizes.extend(rests.iter().map(|rest| (rest - middle).abs()));
    }
    (HUBER * OF_MEDIAN * median(&sizes)).max(1e-6)
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::super::siblings::Child;
    use super::*;

    const ONE: NonZero<usize> = NonZero::<usize>::MIN;

    /// Roots of games in which the search adds to the evaluation what `score` says of root lead, evaluation, and the values of a
    /// feature of the root and of the move.
    fn families(seed: u64, score: impl Fn(f64, f64, i16, i16) -> f64) -> Vec<Family> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut families = Vec::new();
        for game in 0..400 {
            for _ in 0..2 {
                let (lead, of_root) = (random.random_range(-150.0..150.0), random.random_range(1..9_i16));
                let children = (0..8).map(|_| {
                    let of_move = of_root + random.random_range(-1..2_i16);
                    let eval = lead + random.random_range(-20.0..20.0);
                    let noise = random.random_range(-15.0..15.0);
                    Child {
                        eval,
                        score: score(lead, eval, of_root, of_move) + noise,
                        known: false,
                        uses: vec![(0, f64::from(of_move))],
                    }
                });
                families.push(Family { game, is_white: true, children: children.collect() });
            }
        }
        families
    }

    fn pawns() -> Columns {
        Columns::of_terms(&["pawns".parse().expect("a term")], Priors::default())
    }

    /// Weight, its error, and the slope.
    fn fitted(families: &[Family], threads: usize) -> (f64, f64, f64) {
        let threads = NonZero::new(threads).expect("not 0");
        let moves = Moves::new(families, Target::Gain, &pawns(), threads);
        let (weights, folds) = moves.fit().expect("a fit");
        assert_eq!(folds.len() as u64, FOLDS);
        let (_, errors) = moves.errors(&weights).expect("games");
        (weights.head[0], errors[0], weights.slope)
    }

    #[test]
    fn a_gain_that_is_there_is_found_with_its_error() {
        let mut within = 0;
        for seed in 0..20 {
            let families =
                families(seed, |lead, eval, _, own| lead / 2.0 + 0.8 * eval * (1.0 + 0.05 * f64::from(own - 5)));
            let (weight, error, slope) = fitted(&families, 1);
            assert!((slope - 0.8).abs() < 0.1, "{slope}");
            assert!(error > 0.001 && error < 0.01, "{error}");
            within += u32::from((weight - 0.05).abs() < 2.0 * error + 0.002);
        }
        assert!(within >= 17, "{within} of 20");
    }

    /// A feature of nine games has a weight but no error, however sure these games seem; of ten games it has one.
    #[test]
    fn what_few_games_have_is_without_an_error() {
        for (rare, is_known) in [(2, false), (FEWEST_EVENTS - 1, false), (FEWEST_EVENTS, true), (200, true)] {
            let mut families =
                families(1, |lead, eval, _, own| lead / 2.0 + 0.8 * eval * (1.0 + 0.05 * f64::from(own - 5)));
            for family in families.iter_mut().filter(|family| family.game >= rare as u64) {
                family.children.iter_mut().for_each(|child| child.uses.clear());
            }
            let (weight, error, _) = fitted(&families, 1);
            assert!(weight != 0.0 && (error > 0.0) == is_known, "{rare}: {weight} {error}");
        }
    }

    /// Most moves keep a win; some give it away, the more of the feature the more of them. Errors that count by their size alone
    /// would overlook them all.
    #[test]
    fn the_few_moves_that_tables_call_drawn_count_in_full() {
        let mut random = ChaCha8Rng::seed_from_u64(5);
        let mut families = families(5, |_, _, _, _| 0.0);
        for child in families.iter_mut().flat_map(|family| &mut family.children) {
            let of_move = child.uses[0].1;
            let is_drawn = random.random_bool((0.04 * of_move).clamp(0.0, 1.0));
            (child.known, child.score) = (true, if is_drawn { 0.0 } else { 20_000.0 });
        }
        let target = Target::Draw { level: 0.0 };
        let moves = Moves::new(&families, target, &pawns(), ONE);
        let (fit, _) = moves.fit().expect("a fit");
        let (_, errors) = moves.errors(&fit).expect("enough games");
        assert!(fit.head[0] > 4.0 * errors[0], "{} +- {}", fit.head[0], errors[0]);
    }

    /// One move in ten loses a piece, as only a search sees: errors stay those of the others.
    #[test]
    fn moves_that_lose_a_piece_hardly_count() {
        let mut within = 0;
        for seed in 0..20 {
            let lost = std::cell::Cell::new(0_u64);
            let families = families(seed, |_, eval, _, own| {
                lost.set(
                    lost.get().wrapping_mul(6_364_136_223_846_793_005).wrapping_add(seed + 1_442_695_040_888_963_407),
                );
                let loss = if (lost.get() >> 40).is_multiple_of(10) { -300.0 } else { 0.0 };
                eval * (1.0 + 0.05 * f64::from(own - 5)) + loss
            });
            let (weight, error, _) = fitted(&families, 1);
            assert!(error < 0.008, "{error}");
            within += u32::from((weight - 0.05).abs() < 2.0 * error + 0.003);
        }
        assert!(within >= 16, "{within} of 20");
    }

    /// Where evaluations are believed less the more pawns there are, nothing follows about which pawn count to choose.
    #[test]
    fn what_evaluations_are_worth_is_no_advice() {
        let mut found = Vec::new();
        for seed in 0..20 {
            let of_root = |root: i16| 1.0 - 0.1 * f64::from(root);
            let families = families(seed, |lead, eval, root, _| lead + of_root(root) * (eval - lead));
            let (weight, error, _) = fitted(&families, 1);
            found.push(weight / error);
        }
        let mean = found.iter().sum::<f64>() / 20.0;
        assert!(mean.abs() < 0.7, "{found:?}");
    }

    /// A move is the same as two of half its weight: by few moves and by many.
    #[test]
    fn what_is_left_without_some_moves_is_found_in_two_ways() {
        let families = families(3, |_, eval, _, own| eval * (1.0 + 0.02 * f64::from(own)));
        let moves = Moves::new(&families, Target::Gain, &pawns(), ONE);
        let (fit, _) = moves.fit().expect("a fit");
        let mut sums = Sums::zero(moves.size());
        moves.sums(&fit.all).iter().for_each(|fold| sums.add(fold));
        moves.hold_back(&mut sums.xx, fit.noise);
        let factor = sums.xx.cholesky().expect("a system");
        let (design, weighs, rests) = moves.centred(&families[0], &fit.all);
        let two: Vec<(Vec<f64>, f64, f64)> =
            design.x.into_iter().zip(weighs).zip(rests).map(|((x, weight), rest)| (x, weight, rest)).take(2).collect();
        let four: Vec<_> = two.iter().flat_map(|(x, weight, rest)| vec![(x.clone(), weight / 2.0, *rest); 2]).collect();
        assert!(two.len() < moves.size() && four.len() > moves.size());
        let [few, many] = [two, four].map(|some| moves.without(&some, &factor, &fit).expect("what is left"));
        for ((few, many), all) in few.iter().zip(&many).zip(&fit.all) {
            assert!((few - many).abs() < 1e-9 && few != all, "{few} {many} {all}");
        }
    }

    #[test]
    fn threads_change_no_digit() {
        let families = families(7, |_, eval, _, own| eval * (1.0 + 0.02 * f64::from(own)));
        assert_eq!(fitted(&families, 1), fitted(&families, 3));
    }

    #[test]
    fn evaluations_that_do_not_differ_explain_nothing() {
        let child = |score| Child { eval: 30.0, score, known: false, uses: vec![(0, 4.0)] };
        let family = |game| Family { game, is_white: true, children: vec![child(10.0), child(20.0)] };
        let families: Vec<Family> = (0..20).map(family).collect();
        let moves = Moves::new(&families, Target::Gain, &pawns(), ONE);
        assert!(moves.fit().is_none() && moves.idle == [true]);
    }
}
