//! How a head orders the moves of games that it was not fitted to.

use drawish_stats::{FEWEST_DIFFERING, differing, jackknife_errors, reach_of_95_percent};

use super::ridge::{FOLDS, Weights, fold};
use super::siblings::{Family, Target, median, stretched};

/// A number with half of its 95 % interval, by games.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// Half of its interval; `None` while fewer than [`FEWEST_DIFFERING`] games have another number than most.
    pub error: Option<f64>,
}

/// A figure of the plain evaluation and of the evaluation with a head; or of a form before and after the fit.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct Beside {
    /// Of the plain static evaluation; of the form before.
    pub plain: Estimate,
    /// With the head as the engine plays by it, but for what it makes of the root as a whole; of the form with its new numbers,
    /// linearised.
    pub head: Estimate,
    /// This one less the plain one.
    pub difference: Estimate,
}

/// Figures of games that the head was not fitted to: each game by the fit to the other folds.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
#[non_exhaustive]
pub struct HeldOut {
    /// In so many parts games were held out.
    pub folds: u64,
    /// Pairs of moves of one root which the search tells apart.
    pub pairs: u64,
    /// Share of these pairs that the evaluation orders as the search does; a tie counts half.
    pub ordered: Option<Beside>,
    /// Mean squared difference of search and evaluation within roots, in squared centipawns of a level position, the evaluation being
    /// multiplied by what makes it least.
    pub squared_error: Option<Beside>,
    /// Mean difference of search and evaluation within roots, around the median of each, in centipawns of a level position: what some
    /// odd moves do not decide. The evaluation is multiplied by what a difference is worth to the search in the fit. `None` of a draw head.
    pub difference: Option<Beside>,
    /// What the search loses by the move that the evaluation likes best, in centipawns of a level position, per root.
    pub loss: Option<Beside>,
}

/// Sums over the roots of a game.
#[derive(Clone, Copy, Default, Debug)]
struct Sums {
    pairs: f64,
    ordered: [f64; 2],
    moves: f64,
    yy: f64,
    /// With the prediction, and of its squares.
    yp: [f64; 2],
    pp: [f64; 2],
    roots: f64,
    loss: [f64; 2],
    sizes: [f64; 2],
}

impl HeldOut {
    /// `fits` are those to the games outside of each fold; `families` are sorted by game.
    pub(super) fn of(families: &[Family], target: Target, fits: &[Weights]) -> HeldOut {
        let games: Vec<Sums> = families
            .chunk_by(|one, other| one.game == other.game)
            .map(|game| {
                let mut sums = Sums::default();
                for family in game {
                    let fold = fold(family.game) as usize;
                    sums.add(family, target, &fits[fold]);
                }
                sums
            })
            .collect();
        let total = |of: &dyn Fn(&Sums) -> f64| games.iter().map(of).sum::<f64>();
        // What makes the squared error least is one number, taken from all games.
        let best = [0, 1].map(|which| total(&|game| game.yp[which]) / total(&|game| game.pp[which]).max(1e-9));
        let squares = |game: &Sums, which: usize| {
            game.yy - 2.0 * best[which] * game.yp[which] + best[which] * best[which] * game.pp[which]
        };
        HeldOut {
            folds: FOLDS,
            pairs: total(&|game| game.pairs) as u64,
            ordered: beside(&games, |game, which| game.ordered[which], |game| game.pairs),
            squared_error: beside(&games, squares, |game| game.moves),
            // A draw head changes the scale of evaluations, too, and its slope is one of probabilities.
            difference: beside(&games, |game, which| game.sizes[which], |game| game.moves)
                .filter(|_| target.is_relative()),
            loss: beside(&games, |game, which| game.loss[which], |game| game.roots),
        }
    }
}

impl Sums {
    fn add(&mut self, family: &Family, target: Target, fit: &Weights) {
        let sign = if family.is_white { 1.0 } else { -1.0 };
        let n = family.children.len() as f64;
        let y: Vec<f64> = family.children.iter().map(|child| sign * stretched(child.score)).collect();
        let plain = family.children.iter().map(|child| sign * stretched(child.eval)).collect();
        // What a head makes of the whole root is no choice between its moves.
        let of_root = match target {
            Target::Form => 0.0,
            Target::Gain | Target::Draw { .. } => {
                family.children.iter().map(|child| child.sum(&fit.head)).sum::<f64>() / n
            }
        };
        let played =
            family.children.iter().map(|child| sign * target.played(child.eval, child.sum(&fit.head) - of_root));
        let by: [Vec<f64>; 2] = [plain, played.collect()];
        let centred = |values: &[f64]| {
            let mean = values.iter().sum::<f64>() / n;
            values.iter().map(|value| value - mean).collect::<Vec<f64>>()
        };
        let product = |one: &[f64], other: &[f64]| one.iter().zip(other).map(|(one, other)| one * other).sum::<f64>();
        let yc = centred(&y);
        self.yy += product(&yc, &yc);
        self.moves += n;
        self.roots += 1.0;
        let most = y.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        for (which, by) in by.iter().enumerate() {
            let pc = centred(by);
            self.yp[which] += product(&yc, &pc);
            self.pp[which] += product(&pc, &pc);
            let rests: Vec<f64> = y.iter().zip(by).map(|(y, by)| y - fit.slope * by).collect();
            let middle = median(&rests);
            self.sizes[which] += rests.iter().map(|rest| (rest - middle).abs()).sum::<f64>();
            let best = by.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let liked: Vec<f64> = by.iter().zip(&y).filter(|(by, _)| **by >= best).map(|(_, y)| *y).collect();
            self.loss[which] += most - liked.iter().sum::<f64>() / liked.len() as f64;
        }
        for one in 0..y.len() {
            for other in 0..one {
                let wanted = y[one] - y[other];
                if wanted == 0.0 {
                    continue;
                }
                self.pairs += 1.0;
                for (which, by) in by.iter().enumerate() {
                    let found = (by[one] - by[other]) * wanted.signum();
                    self.ordered[which] += if found == 0.0 { 0.5 } else { f64::from(u8::from(found > 0.0)) };
                }
            }
        }
    }
}

/// Ratios of sums over games; `None` if there is nothing to divide by.
fn beside(games: &[Sums], value: impl Fn(&Sums, usize) -> f64, weight: impl Fn(&Sums) -> f64) -> Option<Beside> {
    let ratio = |value: &dyn Fn(&Sums) -> f64| -> Option<Estimate> {
        let (sum, weights) =
            games.iter().fold((0.0, 0.0), |(sum, weights), game| (sum + value(game), weights + weight(game)));
        let mean = (weights > 0.0).then(|| sum / weights)?;
        let numbers = games.iter().filter(|game| weight(game) > 0.0).map(|game| value(game) / weight(game));
        let error = (differing(numbers.collect()) >= FEWEST_DIFFERING).then(|| {
            let without: Vec<_> =
                games.iter().map(|game| vec![(sum - value(game)) / (weights - weight(game))]).collect();
            jackknife_errors(&without)
        });
        let reach = reach_of_95_percent(games.len());
        let error = error.flatten().map(|errors| reach * errors[0]);
        Some(Estimate { value: mean, error })
    };
    Some(Beside {
        plain: ratio(&|game| value(game, 0))?,
        head: ratio(&|game| value(game, 1))?,
        difference: ratio(&|game| value(game, 1) - value(game, 0))?,
    })
}

#[cfg(test)]
mod tests {
    use std::num::NonZero;

    use drawish_games::fit::Priors;

    use super::super::ridge::{Columns, Moves};
    use super::super::siblings::Child;
    use super::*;

    /// Few games that differ do not tell how much games differ.
    #[test]
    fn no_interval_where_games_hardly_differ() {
        let games = |others: usize| {
            let of =
                |at: usize| Sums { roots: 2.0, loss: [4.0, if at < others { 3.0 } else { 4.0 }], ..Sums::default() };
            let games: Vec<Sums> = (0..46).map(of).collect();
            beside(&games, |game, which| game.loss[which], |game| game.roots).expect("roots").difference.error
        };
        let fewest = FEWEST_DIFFERING as usize;
        assert!((0..fewest).all(|others| games(others).is_none()) && games(fewest).is_some_and(|error| error > 0.0));
    }

    /// By hand: three moves of which the evaluation likes the second best move of the search, in every game.
    #[test]
    fn figures_are_those_by_hand() {
        let child = |eval, score, value| Child { eval, score, known: false, uses: vec![(0, value)] };
        let families: Vec<Family> = (0..10)
            .map(|game| Family {
                game,
                is_white: game % 2 == 0,
                children: vec![child(10.0, 4.0, 1.0), child(12.0, 2.0, 0.0), child(-3.0, -5.0, 2.0)],
            })
            .map(|mut family| {
                let sign = if family.is_white { 1.0 } else { -1.0 };
                for child in &mut family.children {
                    (child.eval, child.score) = (sign * child.eval, sign * child.score);
                }
                family
            })
            .collect();
        let columns = Columns::of_terms(&["pawns".parse().expect("a term")], Priors::default());
        let moves = Moves::new(&families, Target::Gain, &columns, NonZero::<usize>::MIN);
        let (_, fits) = moves.fit().expect("a fit");
        let found = HeldOut::of(&families, Target::Gain, &fits);
        let (ordered, loss) = (found.ordered.expect("pairs"), found.loss.expect("roots"));
        assert_eq!(found.pairs, 30);
        assert!((ordered.plain.value - 2.0 / 3.0).abs() < 1e-9, "{ordered:?}");
        assert!((loss.plain.value - (stretched(4.0) - stretched(2.0))).abs() < 1e-9, "{loss:?}");
        // All games lose the same, which is no interval of width 0.
        assert_eq!((loss.plain.error, loss.difference.error), (None, None));
        // A head that knows the value which the evaluation misjudges orders them better, for White and for Black.
        assert!((ordered.difference.value - (ordered.head.value - ordered.plain.value)).abs() < 1e-9);
        assert!(ordered.head.value >= ordered.plain.value, "{ordered:?}");
        let squared = found.squared_error.expect("moves");
        assert!(squared.head.value < squared.plain.value, "{squared:?}");
    }
}
