//! Where parameters are best, as the results of all steps say: a second opinion on the averages.
//!
//! Near the best values x* the strength falls with the square of the distance, so that the logit of the score of a step is
//! the sum over the parameters of -b d (x - x*), where x is the middle of the two values and d half of their difference: linear in d and
//! d x. A logistic fit to the results of all steps has a line for each parameter; where it crosses 0 is x*. Unlike the spread of the
//! values themselves, this knows how flat the summit is. All lines are fitted together, since one parameter that decides the games of a
//! step leaves less of them to the others, and on the scale of logits, since scores end at 1.
//!
//! In simulations with a known optimum (`tests/spsa.rs`) its intervals hold what they promise, while those by the means of parts of the
//! path are too narrow as long as the values are on their way.
//!
//! The values are the sum of the results before them. Where a parameter does not matter they walk at random, and a walk seems to be drawn
//! back to its middle: the ratio of the slope to its error has the law of Dickey and Fuller (1979), not Student's, and is beyond 3 in one of
//! thirty such parameters. So the line must fall more clearly than that, and the interval is made for lines that were [seen to](line). Its
//! errors are by the residuals of the steps (White 1980), so that they hold for draws and for pairs of any law, each
//! divided by what its own step leaves free (HC3 of MacKinnon and White 1985).
//!
//! Strength need not be a parabola, and a parameter may change which value of another is best. Where the results lie on a curve, where they
//! show that a line moves with another parameter, or the line crosses 0 where nothing was played, it says nothing. Whether lines move they
//! show badly where all values are on their way at once: the products of all parameters, fitted with the lines, would leave most runs
//! without any interval. So intervals hold under a condition that results say with them.

mod line;

use drawish_stats::numeric::{Cholesky, Derivatives, Symmetric, dot, newton, sigmoid, softplus};
use drawish_stats::reach_of_95_percent;

use self::line::Line;
use super::parameter::Parameter;

/// The results of all steps.
#[derive(Clone, PartialEq, Debug)]
pub struct Response {
    parameters: Vec<Parameter>,
    /// Of each step and parameter: half of the difference of the two values, and their middle less the first value, in `c_end`.
    played: Vec<[f64; 2]>,
    /// Of each step: the score of the side `plus`, from 0 to 1.
    scores: Vec<f64>,
}

/// Where a parameter is best.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Best {
    /// The value; it may be beyond its bounds.
    pub value: f64,
    /// The lower end of its 95 % interval.
    pub low: f64,
    /// The upper end, which need not be as far away.
    pub high: f64,
}

/// A slope of fewer standard errors is not told from 0, and a line that hardly falls crosses 0 anywhere. Of parameters that do not
/// matter one in a thousand falls so clearly (`tests/spsa.rs`).
const CLEAR: f64 = 4.1;
/// So many standard errors away from a line the results do not lie on one, as where the strength is flat far away from the best value, or
/// where another parameter moves it.
const BENT: f64 = 3.0;
/// Of fewer steps for each parameter the lines say nothing.
const LEAST_STEPS: usize = 30;
/// The least score that a side is expected to make in a step that says something.
const OPEN: f64 = 0.02;
/// By how much, relative to 1 + itself, the likelihood may still grow.
const PRECISION: f64 = 1e-12;

impl Response {
    /// Of no step.
    #[must_use]
    pub fn new(parameters: &[Parameter]) -> Response {
        Response { parameters: parameters.to_vec(), played: Vec::new(), scores: Vec::new() }
    }

    /// Adds a step in which the side with the values `plus` scored so much against the side `minus`, from 0 to 1.
    pub fn add(&mut self, plus: &[f64], minus: &[f64], score: f64) {
        let values = self.parameters.iter().zip(plus).zip(minus);
        self.played.extend(values.map(|((Parameter { value, c_end, .. }, plus), minus)| {
            [(plus - minus) / 2.0 / c_end, ((plus + minus) / 2.0 - value) / c_end]
        }));
        self.scores.push(score);
    }

    /// The best value of each parameter, if no parameter changes which value of another is best. `None` where results do not clearly fall
    /// with the value, where they do not lie on a line or on one that another parameter moves, and where the line crosses 0 beyond all
    /// values that were played; for all parameters with fewer than 30 steps for each.
    #[must_use]
    pub fn best(&self) -> Vec<Option<Best>> {
        let nothing = || vec![None; self.parameters.len()];
        // What has not moved has no line, and would leave the others without one.
        let moved: Vec<usize> = (0..self.parameters.len()).filter(|&parameter| self.has_moved(parameter)).collect();
        if moved.is_empty() || self.scores.len() < LEAST_STEPS * self.parameters.len() {
            return nothing();
        }
        let middles: Vec<f64> = moved.iter().map(|&parameter| self.middle(parameter)).collect();
        let rows = self.rows(&moved, &middles);
        let Some(lines) = Lines::fit(&rows, &self.scores) else { return nothing() };
        if lines.open_steps() < LEAST_STEPS * self.parameters.len() {
            return nothing();
        }
        let mut found = nothing();
        for (at, (parameter, middle)) in moved.into_iter().zip(middles).enumerate() {
            let crossing = lines.crossing(at).map(|crossing| crossing.map(|x| middle + x));
            let holds = |[value, ..]: &[f64; 3]| self.has_played(parameter, *value) && lines.are_straight(at);
            let Parameter { value: first, c_end, .. } = &self.parameters[parameter];
            found[parameter] = crossing.filter(holds).map(|crossing| {
                let [value, low, high] = crossing.map(|x| first + c_end * x);
                Best { value, low, high }
            });
        }
        found
    }

    /// Half of the difference and the middle of a parameter in each step.
    fn steps_of(&self, parameter: usize) -> impl Iterator<Item = &[f64; 2]> {
        self.played.iter().skip(parameter).step_by(self.parameters.len())
    }

    /// Whether a parameter was played with different values, around more than one.
    fn has_moved(&self, parameter: usize) -> bool {
        let mut middles = self.steps_of(parameter).filter(|[half, _]| *half != 0.0).map(|[_, middle]| middle);
        middles.next().is_some_and(|first| middles.any(|middle| middle != first))
    }

    /// Whether a value, less the first in `c_end`, is between values of this parameter that were played.
    fn has_played(&self, parameter: usize, value: f64) -> bool {
        self.steps_of(parameter).any(|[half, middle]| middle - half.abs() <= value)
            && self.steps_of(parameter).any(|[half, middle]| value <= middle + half.abs())
    }

    /// The mean of the middles of a parameter. A line through it is all but uncorrelated with its height there.
    fn middle(&self, parameter: usize) -> f64 {
        let (mut weights, mut sum) = (0.0, 0.0);
        for [half, middle] in self.steps_of(parameter) {
            weights += half * half;
            sum += half * half * middle;
        }
        sum / weights
    }

    /// The design of the fit: of each step d and d x of each of these parameters, x from its mean.
    fn rows(&self, parameters: &[usize], means: &[f64]) -> Vec<f64> {
        let of = |step: &[[f64; 2]]| {
            let columns = parameters.iter().zip(means).map(|(&parameter, mean)| {
                let [half, middle] = step[parameter];
                [half, half * (middle - mean)]
            });
            columns.flatten().collect::<Vec<_>>()
        };
        self.played.chunks(self.parameters.len()).flat_map(of).collect()
    }
}

/// The line of each parameter: the logit of the score by d is the height less the fall times x.
struct Lines<'a> {
    rows: &'a [f64],
    scores: &'a [f64],
    /// Of each parameter the height and minus the fall.
    at: Vec<f64>,
    /// Of the information.
    factor: Cholesky,
    /// The variances and covariances of the heights and falls.
    errors: Symmetric,
}

impl Lines<'_> {
    /// `None` if the results do not determine all lines, as where a value never changed, or where one side won all of its games.
    fn fit<'a>(rows: &'a [f64], scores: &'a [f64]) -> Option<Lines<'a>> {
        let size = rows.len() / scores.len();
        let minimum = newton(vec![0.0; size], PRECISION, |at| derivatives(rows, scores, at));
        if !minimum.converged {
            return None;
        }
        let factor = derivatives(rows, scores, &minimum.at).hessian.cholesky()?;
        let mut lines = Lines { rows, scores, at: minimum.at, factor, errors: Symmetric::zero(size) };
        lines.errors = lines.errors();
        Some(lines)
    }

    /// Each step with its score, and with the score that the lines expect.
    fn steps(&self) -> impl Iterator<Item = (&[f64], f64, f64)> {
        let of = |(row, &score): (_, &f64)| (row, score, sigmoid(dot(row, &self.at)));
        self.rows.chunks(self.at.len()).zip(self.scores).map(of)
    }

    /// Steps in which neither side is expected to score nearly everything: the others have hardly any residual, so that few of them seem
    /// certain.
    fn open_steps(&self) -> usize {
        self.steps().filter(|(_, _, expected)| (OPEN..=1.0 - OPEN).contains(expected)).count()
    }

    /// The inverse information times the outer products of the slopes of the steps times the inverse information.
    fn errors(&self) -> Symmetric {
        let mut found = Symmetric::zero(self.at.len());
        for (row, score, expected) in self.steps() {
            let moved = self.factor.solve(row);
            let leverage = expected * (1.0 - expected) * dot(row, &moved);
            add_square(&mut found, &moved, ((score - expected) / (1.0 - leverage)).powi(2));
        }
        found
    }

    /// Whether the results of a parameter lie on no parabola, and on no line that moves with another parameter, as far as they say.
    fn are_straight(&self, parameter: usize) -> bool {
        let x = |row: &[f64], at: usize| if row[2 * at] == 0.0 { 0.0 } else { row[2 * at + 1] / row[2 * at] };
        let fits = |of: &dyn Fn(&[f64]) -> f64| self.lack(of).abs() <= BENT;
        let stays = |other: usize| fits(&|row| row[2 * parameter] * x(row, other) + row[2 * other] * x(row, parameter));
        let mut others = (0..self.at.len() / 2).filter(|&other| other != parameter);
        fits(&|row| row[2 * parameter] * x(row, parameter).powi(2)) && others.all(stays)
    }

    /// By how many standard errors something of a step is missing in the fit: its score test.
    fn lack(&self, of: impl Fn(&[f64]) -> f64) -> f64 {
        let mut shared = vec![0.0; self.at.len()];
        for (row, _, expected) in self.steps() {
            let weight = expected * (1.0 - expected) * of(row);
            shared.iter_mut().zip(row).for_each(|(sum, x)| *sum += weight * x);
        }
        // What the lines explain of it is theirs.
        let by = self.factor.solve(&shared);
        let (mut sum, mut squares) = (0.0, 0.0);
        for (row, score, expected) in self.steps() {
            let part = (of(row) - dot(row, &by)) * (score - expected);
            sum += part;
            squares += part * part;
        }
        sum / squares.sqrt()
    }

    /// Where the line of a parameter crosses 0, and the ends of the 95 % interval; `None` unless it clearly falls.
    fn crossing(&self, parameter: usize) -> Option<[f64; 3]> {
        let (i, j) = (2 * parameter, 2 * parameter + 1);
        let line = Line {
            height: self.at[i],
            fall: -self.at[j],
            height_variance: self.errors.get(i, i),
            fall_variance: self.errors.get(j, j),
            both: -self.errors.get(i, j),
        };
        line.crossing(CLEAR, reach_of_95_percent(self.scores.len() - self.at.len() + 1))
    }
}

/// Minus the logarithm of the likelihood, as if each step were one game.
fn derivatives(rows: &[f64], scores: &[f64], at: &[f64]) -> Derivatives {
    let size = at.len();
    let mut found = Derivatives { value: 0.0, gradient: vec![0.0; size], hessian: Symmetric::zero(size) };
    for (row, score) in rows.chunks(size).zip(scores) {
        let logit = dot(row, at);
        let expected = sigmoid(logit);
        found.value += softplus(logit) - score * logit;
        found.gradient.iter_mut().zip(row).for_each(|(sum, x)| *sum += (expected - score) * x);
        add_square(&mut found.hessian, row, expected * sigmoid(-logit));
    }
    found
}

/// Adds weight x x'.
fn add_square(matrix: &mut Symmetric, x: &[f64], weight: f64) {
    for (i, own) in x.iter().enumerate() {
        matrix.row_mut(i).iter_mut().zip(x).for_each(|(sum, other)| *sum += weight * own * other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The results of steps from values around these middles, first 100 and `c_end` 2, in which the greater value has this score; the
    /// sides change places.
    fn response(middles: impl IntoIterator<Item = f64>, score: impl Fn(f64) -> f64) -> Response {
        let mut response = Response::new(&Parameter::read("a, float, 100, 0, 200, 2, 0.002\n").expect("a parameter"));
        for (step, middle) in (0..).zip(middles) {
            let (greater, smaller) = ([middle + 2.0], [middle - 2.0]);
            // Noise that cancels.
            let score = score(middle) + if step % 4 < 2 { 0.1 } else { -0.1 };
            match step % 2 {
                0 => response.add(&greater, &smaller, score),
                _ => response.add(&smaller, &greater, 1.0 - score),
            }
        }
        response
    }

    /// Steps to 20 above the first value.
    fn upwards() -> impl Iterator<Item = f64> {
        (0..1000).map(|step| 100.0 + f64::from(step) / 50.0)
    }

    #[test]
    fn a_line_crosses_zero_where_the_value_is_best() {
        let best = response(upwards(), |middle| sigmoid(-0.1 * (middle - 115.0))).best()[0].expect("a clear line");
        assert!(best.low < 115.0 && 115.0 < best.high && best.high - best.low < 2.0, "{best:?}");
        assert!((best.value - 115.0).abs() < 0.1, "{best:?}");
    }

    #[test]
    fn nothing_is_said_without_a_line_that_falls() {
        let best = |score: fn(f64) -> f64| response(upwards(), score).best();
        assert_eq!(best(|middle| sigmoid(0.1 * (middle - 115.0))), [None], "it rises");
        assert_eq!(best(|_| 0.5), [None], "it is level");
        assert_eq!(best(|middle| sigmoid(-0.1 * (middle - 123.0))), [None], "123 was not played");
        // Strength that is flat far away: the nearer to the best value, the steeper, and then it turns.
        let flat = |middle: f64| {
            let away = (117.0 - middle) / 4.0;
            sigmoid(2.0 * away * (-away * away / 2.0).exp())
        };
        assert_eq!(best(flat), [None], "it is no line");
    }

    #[test]
    fn nothing_is_said_where_results_determine_nothing() {
        let score = |middle| sigmoid(-0.1 * (middle - 105.0));
        assert_eq!(response([], score).best(), [None], "no step");
        assert_eq!(response(upwards().take(29), score).best(), [None], "few steps");
        assert_eq!(response([100.0; 99], score).best(), [None], "it never moved");
        let mut won = Response::new(&Parameter::read("a, float, 100, 0, 200, 2, 0.002\n").expect("a parameter"));
        upwards().for_each(|middle| won.add(&[middle + 2.0], &[middle - 2.0], 1.0));
        assert_eq!(won.best(), [None], "all games were won");
        let mut same = Response::new(&Parameter::read("a, float, 100, 0, 200, 2, 0.002\n").expect("a parameter"));
        upwards().for_each(|middle| same.add(&[middle], &[middle], 0.5));
        assert_eq!(same.best(), [None], "both sides had the same value");
    }

    #[test]
    fn a_parameter_that_stays_leaves_the_others_their_lines() {
        let one = response(upwards(), |middle| sigmoid(-0.1 * (middle - 115.0)));
        let parameters = "a, float, 100, 0, 200, 2, 0.002\nb, float, 5, 0, 9, 1, 0.002\n";
        let mut both = Response::new(&Parameter::read(parameters).expect("two parameters"));
        for ([half, middle], score) in one.played.iter().zip(&one.scores) {
            let [plus, minus] = [1.0, -1.0].map(|side| [100.0 + 2.0 * (middle + side * half), 5.0]);
            both.add(&plus, &minus, *score);
        }
        let [best, None] = both.best()[..] else { panic!("{:?}", both.best()) };
        let values = |best: Best| [best.value, best.low, best.high].map(|value| (1e6 * value).round());
        assert_eq!(best.map(values), one.best()[0].map(values));
    }

    /// At the ends of the interval the line is just told from 0; it reaches farther where fewer results are.
    #[test]
    fn the_interval_is_where_the_line_is_not_told_from_zero() {
        let response = response(upwards(), |middle| sigmoid(-0.05 * (middle - 118.0)));
        let best = response.best()[0].expect("a clear line");
        let middle = response.middle(0);
        let rows = response.rows(&[0], &[middle]);
        let lines = Lines::fit(&rows, &response.scores).expect("a line");
        for end in [best.low, best.high] {
            let x = (end - 100.0) / 2.0 - middle;
            let error = lines.errors.get(0, 0) + 2.0 * x * lines.errors.get(0, 1) + x * x * lines.errors.get(1, 1);
            let reach = (lines.at[0] + lines.at[1] * x).abs() / error.sqrt();
            assert!((reach - reach_of_95_percent(999)).abs() < 1e-6, "{end}: {reach}, {best:?}");
        }
        assert!(best.high - best.value > 1.05 * (best.value - best.low), "{best:?}");
    }
}
