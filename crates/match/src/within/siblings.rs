//! Moves of one root beside each other: what is explained, and by what.

use drawish_heads::features;
use drawish_heads::heads::{Input, Term};
use drawish_stats::numeric::sigmoid;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position};

use super::label::Labelled;

/// C = ln(10)/400 for each centipawn, as the evaluation has it.
const LOGITS: f64 = std::f64::consts::LN_10 / 400.0;
/// The gain head's factors lie between these, as the engine has them.
const FACTORS: (f64, f64) = (0.125, 1.375);

/// A probability of 1, in logits, as far as it matters.
const CERTAIN: f64 = 40.0;

/// The moves of a root.
#[derive(Clone, Debug)]
pub(super) struct Family {
    /// The game of the root, or what games have in common that depend on each other.
    pub game: u64,
    /// Whether White moves there.
    pub is_white: bool,
    pub children: Vec<Child>,
}

/// A move and the position behind it.
#[derive(Clone, Debug)]
pub(super) struct Child {
    /// Static evaluation in centipawns for White.
    pub eval: f64,
    /// Score of the search.
    pub score: f64,
    /// The score is no guess: endgame tables know it.
    pub known: bool,
    /// Which weights of the terms the position uses, and how many times.
    pub uses: Vec<(usize, f64)>,
}

/// Which head is fitted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Target {
    /// The evaluation is multiplied by e^v.
    Gain,
    /// D = sigmoid(v - ln(2 cosh(w/2))), with this v on average.
    Draw { level: f64 },
    /// Numbers of a form are added to what they are.
    Form,
}

/// A row for each move.
#[derive(Debug)]
pub(super) struct Design {
    pub y: Vec<f64>,
    pub x: Vec<Vec<f64>>,
}

impl Design {
    /// What weights leave unexplained of each move.
    pub fn rests(&self, weights: &[f64]) -> Vec<f64> {
        let rest = |(y, x): (&f64, &Vec<f64>)| y - x.iter().zip(weights).map(|(x, weight)| x * weight).sum::<f64>();
        self.y.iter().zip(&self.x).map(rest).collect()
    }

    /// Takes the mean of the root away from every number, each move weighing so much.
    pub fn centre(&mut self, weights: &[f64]) {
        let total: f64 = weights.iter().sum();
        let mean = self.y.iter().zip(weights).map(|(y, weight)| y * weight).sum::<f64>() / total;
        self.y.iter_mut().for_each(|y| *y -= mean);
        for column in 0..self.x.first().map_or(0, Vec::len) {
            let mean = self.x.iter().zip(weights).map(|(row, weight)| row[column] * weight).sum::<f64>() / total;
            self.x.iter_mut().for_each(|row| row[column] -= mean);
        }
    }
}

/// The median; 0 of nothing.
pub(super) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let half = sorted.len() / 2;
    match sorted.as_slice() {
        [] => 0.0,
        sorted if sorted.len().is_multiple_of(2) => (sorted[half - 1] + sorted[half]) / 2.0,
        sorted => sorted[half],
    }
}

/// The expected score of a number of centipawns, stretched so that near 0 it counts centipawns: ±347 are a certain win.
pub(super) fn stretched(centipawns: f64) -> f64 {
    (sigmoid(LOGITS * centipawns) - 0.5) * 4.0 / LOGITS
}

/// Its slope, 1 at 0.
fn slope(centipawns: f64) -> f64 {
    let p = sigmoid(LOGITS * centipawns);
    4.0 * p * (1.0 - p)
}

/// ln(2 cosh(w/2)), w being so many centipawns in logits; without overflow.
fn spread(centipawns: f64) -> f64 {
    let half = (LOGITS * centipawns / 2.0).abs();
    half + (-2.0 * half).exp().ln_1p()
}

impl Target {
    /// The probability of a draw at an evaluation, for a draw score.
    fn draws(v: f64, centipawns: f64) -> f64 {
        sigmoid(v - spread(centipawns))
    }

    /// What is explained of a move.
    fn found(self, child: &Child) -> f64 {
        match self {
            Target::Draw { .. } if child.known => f64::from(u8::from(child.score == 0.0)),
            _ => self.of(child.score),
        }
    }

    /// What is explained of the score of a search, and as the first column of a static evaluation.
    fn of(self, centipawns: f64) -> f64 {
        match self {
            Target::Gain | Target::Form => stretched(centipawns),
            Target::Draw { level } => Target::draws(level, centipawns),
        }
    }

    /// Whether the search believes what weights do as much as it believes the evaluation.
    pub fn is_relative(self) -> bool {
        !matches!(self, Target::Draw { .. })
    }

    /// How it changes with v, of a form with centipawns.
    fn change(self, centipawns: f64) -> f64 {
        match self {
            Target::Gain => slope(centipawns) * centipawns,
            Target::Form => slope(centipawns),
            Target::Draw { level } => {
                let draws = Target::draws(level, centipawns);
                draws * (1.0 - draws)
            }
        }
    }

    /// What a head says of a move whose v differs by this from its mean, and what the search says: the expected score or the
    /// probability of a draw, in logits.
    pub fn logits(self, child: &Child, v: f64) -> (f64, f64) {
        match self {
            Target::Gain => (LOGITS * child.eval * v.exp().clamp(FACTORS.0, FACTORS.1), LOGITS * child.score),
            Target::Form => (LOGITS * (child.eval + v), LOGITS * child.score),
            Target::Draw { level } => {
                let found = match child.known {
                    true if child.score == 0.0 => CERTAIN,
                    true => -CERTAIN,
                    false => level - spread(child.score),
                };
                (level + v - spread(child.eval), found)
            }
        }
    }

    /// The stretched expected score that the engine compares when it plays by a head whose v differs by this from its mean.
    pub fn played(self, eval: f64, v: f64) -> f64 {
        match self {
            Target::Gain => stretched(eval * v.exp().clamp(FACTORS.0, FACTORS.1)),
            Target::Form => stretched(eval + v),
            Target::Draw { level } => stretched(eval) * (1.0 - Target::draws(level + v, eval)),
        }
    }
}

impl Child {
    /// The sum of the weights that the position uses.
    pub fn sum(&self, weights: &[f64]) -> f64 {
        self.uses.iter().map(|&(weight, times)| weights[weight] * times).sum()
    }
}

impl Family {
    /// The moves of a labelled root, whose labels endgame tables `known` or searches found. `look` is given the position behind each and its static evaluation.
    pub fn with(
        labelled: &Labelled,
        known: bool,
        mut look: impl FnMut(&Chess, f64) -> (f64, Vec<(usize, f64)>),
    ) -> Result<Family, String> {
        let game = u64::from_str_radix(&labelled.game, 16).map_err(|_| "its game is no number".to_owned())?;
        let root: Chess = labelled
            .root
            .parse::<Fen>()
            .ok()
            .and_then(|fen| fen.into_position(CastlingMode::Chess960).ok())
            .ok_or_else(|| format!("{:?} is no position", labelled.root))?;
        let children = labelled.children.iter().map(|(text, eval, score)| {
            let illegal = || format!("{text:?} is no move of {}", labelled.root);
            let played =
                text.parse::<UciMove>().ok().and_then(|played| played.to_move(&root).ok()).ok_or_else(illegal)?;
            let mut child = root.clone();
            child.play_unchecked(played);
            let (eval, uses) = look(&child, f64::from(*eval));
            Ok(Child { eval, score: f64::from(*score), known, uses })
        });
        Ok(Family { game, is_white: root.turn().is_white(), children: children.collect::<Result<_, String>>()? })
    }

    /// The columns are the static evaluation, then what each weight does to its root on average, then what it does to the move.
    ///
    /// The second kind takes up that a difference in evaluation is worth more in some positions than in others: it is no advice
    /// which position to choose, but would be mistaken for it.
    pub fn design(&self, target: Target, means: &[f64]) -> Design {
        let (n, weights) = (self.children.len() as f64, means.len());
        let mut own = vec![vec![0.0; weights]; self.children.len()];
        let mut average: Vec<f64> = means.iter().map(|mean| -mean).collect();
        for (child, own) in self.children.iter().zip(&mut own) {
            own.iter_mut().zip(means).for_each(|(own, mean)| *own = -mean);
            for &(weight, times) in &child.uses {
                own[weight] += times;
                average[weight] += times / n;
            }
        }
        let y: Vec<f64> = self.children.iter().map(|child| target.found(child)).collect();
        let row = |(child, own): (&Child, &Vec<f64>)| {
            let (base, change) = (target.of(child.eval), target.change(child.eval));
            let of_root = average.iter().map(|value| match target {
                Target::Gain => value * change,
                Target::Draw { .. } => value * base,
                Target::Form => 0.0,
            });
            let own = own.iter().map(|value| value * change);
            std::iter::once(base).chain(of_root).chain(own).collect::<Vec<f64>>()
        };
        let x: Vec<Vec<f64>> = self.children.iter().zip(&own).map(row).collect();
        Design { y, x }
    }
}

/// Which weights of terms a position uses, and how many times.
pub(super) fn uses(position: &Chess, terms: &[Term]) -> Vec<(usize, f64)> {
    let mut values = [0; features::COUNT];
    features::fill(&features::view(position), &mut values);
    let (mut first, mut uses) = (0, Vec::new());
    for term in terms {
        let (weight, times) = term.of_row(|input| if let Input::Feature(place) = input { values[place] } else { 0 });
        if times != 0 {
            uses.push((first + weight, f64::from(times)));
        }
        first += term.weights();
    }
    uses
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stretched_score_counts_centipawns_near_level() {
        for centipawns in [-10.0, 0.0, 10.0] {
            assert!((stretched(centipawns) - centipawns).abs() < 0.01, "{centipawns}");
        }
        assert!(stretched(20_000.0) < 347.5 && stretched(20_000.0) > 347.0);
        let (step, at) = (1e-4, 130.0);
        assert!(((stretched(at + step) - stretched(at - step)) / (2.0 * step) - slope(at)).abs() < 1e-6);
    }

    #[test]
    fn the_change_is_the_slope_by_v() {
        let step = 1e-5;
        for eval in [-250.0, 40.0, 600.0] {
            let gain = |v: f64| stretched(eval * v.exp());
            let draw = |v: f64| Target::draws(0.3 + v, eval);
            for (target, found) in [
                (Target::Gain, (gain(step) - gain(-step)) / (2.0 * step)),
                (Target::Draw { level: 0.3 }, (draw(step) - draw(-step)) / (2.0 * step)),
            ] {
                assert!((target.change(eval) - found).abs() < 1e-4 * (1.0 + found.abs()), "{target:?} {eval}: {found}");
            }
        }
    }
}
