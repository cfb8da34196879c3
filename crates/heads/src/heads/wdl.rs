//! The WDL head: win, draw and loss from an engine's evaluation and the features of the position.
//!
//! Everything in White's view, x the evaluation in centipawns. Three scores are sums of terms: the *threshold* v and the
//! *slope* s of even terms, the *shift* o of odd ones. One broken line P, the same for all positions, bends the evaluation; it
//! never falls, and P(x) + P(-x) is never above 0.
//!
//! ```text
//! W = sigmoid(e^s P(x) + o - e^v)   L = sigmoid(e^s P(-x) - o - e^v)   D = 1 - W - L
//! ```
//!
//! So W never falls and L never rises with the evaluation, their sum stays below 1, and exchanging the colours exchanges
//! them: by the form, whatever the weights are. Stockfish's WDL model is the case P(x) = x, o = 0, e^s = 1/b, e^v = a/b.
//!
//! # Stability
//!
//! Files name their version, [`WDL_HEAD_VERSION`]. A change to the form or to a range is a new version.

use drawish_artefact::Kind;
use drawish_artefact::provenance::InputRecord;
use drawish_core::Wdl;
use serde::{Deserialize, Serialize};

use super::file::{HeadError, Weighted, shift_for};
use super::sketch::GameSketch;
use super::terms::{Input, Term};
use super::wdl_binary::quantised_line;
use crate::features::Parity;

/// The version of files of WDL heads.
pub const WDL_HEAD_VERSION: u32 = 1;

/// From this evaluation on, in centipawns, a game counts as decided: mates and tablebase scores of engines lie beyond.
pub const DECIDED: i32 = 10_000;

/// The ranges into which the sums are clamped, in logits: threshold, slope, and the size of the shift.
pub const THRESHOLD_RANGE: (f64, f64) = (-6.0, 4.0);
/// See [`THRESHOLD_RANGE`].
pub const SLOPE_RANGE: (f64, f64) = (-4.0, 4.0);
/// See [`THRESHOLD_RANGE`].
pub const LARGEST_SHIFT: f64 = 16.0;

/// Constants and weights are smaller than this, in logits.
const MOST_LOGIT: f64 = 128.0;

/// A WDL head as a file: weights, and where they come from.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WdlHead {
    /// Always `wdl-head`.
    pub format: String,
    /// [`WDL_HEAD_VERSION`].
    pub version: u32,
    /// The program that made it.
    pub made_by: String,
    /// Games that it was fitted to; of positions without their games each counts as one.
    pub games: usize,
    /// Positions of these games.
    pub rows: usize,
    /// Events of these games.
    pub events: usize,
    /// How much a position counts: `game` if each game counts the same, `position` if each position does.
    pub weighting: String,
    /// Evaluations beyond this size, in centipawns, were left out of the fit.
    pub largest_eval: i32,
    /// Results of the positions, White's; in the file an array of White wins, draws, Black wins.
    #[serde(with = "super::wdl_array")]
    pub results: Wdl,
    /// Mean loss in bits on the positions of the fit, weighted as they were.
    pub loss: f64,
    /// The same with weights in 16 bits.
    pub quantised_loss: f64,
    /// Evaluations in centipawns where the line bends, ascending and the same on both sides of 0.
    pub knots: Vec<i16>,
    /// The line P at the knots, never falling; beyond them it is constant.
    pub line: Vec<f64>,
    /// The rule by which positions were sampled, of each source.
    pub rules: Vec<String>,
    /// What was said at the fit, to know before trusting the head, a line each; files of earlier builds have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// By which its games are known in other files; nothing in files of earlier builds.
    #[serde(default, skip_serializing_if = "GameSketch::is_empty")]
    pub sketch: GameSketch,
    /// The games.
    pub inputs: Vec<InputRecord>,
    /// v: half the width of the draw zone is e^v.
    pub threshold: WeightedSum,
    /// s: an evaluation counts e^s times.
    pub slope: WeightedSum,
    /// o: who is better beyond the evaluation.
    pub shift: WeightedSum,
}

/// A sum of terms with their weights, in logits.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WeightedSum {
    /// Added to the terms; 0 for the shift.
    pub constant: f64,
    /// The weights are quantised to 1 / 2^shift logit.
    pub shift: u32,
    /// The terms.
    pub terms: Vec<Weighted>,
}

impl WeightedSum {
    /// Terms with their weights, one after the other, and the finest unit that they fit.
    #[must_use]
    pub fn new(constant: f64, terms: &[Term], weights: &[f64]) -> WeightedSum {
        let mut rest = weights;
        let mut take = |term: &Term| {
            let (own, others) = rest.split_at(term.weights());
            rest = others;
            Weighted { term: term.to_string(), weights: own.to_vec(), errors: Vec::new() }
        };
        let terms = terms.iter().map(&mut take).collect();
        let largest = weights.iter().copied().chain([constant]).collect::<Vec<_>>();
        WeightedSum { constant, shift: shift_for(&largest), terms }
    }

    fn quantised(&self) -> WeightedSum {
        let unit = f64::from(1_u32 << self.shift);
        let round = |weight: f64| (weight * unit).round() / unit;
        let terms = self.terms.iter().map(|weighted| Weighted {
            weights: weighted.weights.iter().copied().map(round).collect(),
            ..weighted.clone()
        });
        WeightedSum { constant: round(self.constant), shift: self.shift, terms: terms.collect() }
    }

    fn sum(&self, parity: Parity) -> Result<Sum, HeadError> {
        range("shift", f64::from(self.shift), 8.0, 15.0, "8 to 15")?;
        range("constant", self.constant, -MOST_LOGIT, MOST_LOGIT, "a number within ±128")?;
        if parity == Parity::Odd {
            range("constant", self.constant, 0.0, 0.0, "0: the shift changes its sign with the colours")?;
        }
        let mut terms = Vec::new();
        for weighted in &self.terms {
            let term: Term = weighted.term.parse()?;
            let (expected, found) = (term.weights(), weighted.weights.len());
            if expected != found {
                return Err(HeadError::Weights { term: weighted.term.clone(), expected, found });
            }
            if let Some(&weight) = weighted.weights.iter().find(|weight| weight.is_nan() || weight.abs() > MOST_LOGIT) {
                return Err(HeadError::Weight { term: weighted.term.clone(), weight, most: MOST_LOGIT });
            }
            let is_feature = |input| matches!(input, Input::Feature(_));
            if !term.inputs().all(is_feature) {
                return Err(HeadError::NotOnTheBoard(weighted.term.clone()));
            }
            if term.inputs().any(|input| input.parity() != parity)
                || (parity == Parity::Odd && !matches!(term, Term::Linear(_)))
            {
                return Err(HeadError::Parity(weighted.term.clone()));
            }
            terms.push((term, weighted.weights.clone()));
        }
        Ok(Sum { constant: self.constant, terms })
    }
}

fn range(name: &'static str, value: f64, low: f64, high: f64, expected: &'static str) -> Result<(), HeadError> {
    if (low..=high).contains(&value) { Ok(()) } else { Err(HeadError::Range { name, value, expected }) }
}

impl WdlHead {
    /// Reads a WDL head.
    ///
    /// # Errors
    ///
    /// If the text is none, or of another version, or its parts do not fit together.
    pub fn from_toml(text: &str) -> Result<WdlHead, HeadError> {
        #[derive(Deserialize)]
        struct Header {
            format: String,
            version: u32,
        }
        let foreign = |error: toml::de::Error| HeadError::of_text(text, Kind::WdlHead, error.message());
        let header: Header = toml::from_str(text).map_err(foreign)?;
        if header.format != "wdl-head" {
            let message = format!("its format is {:?}, expected \"wdl-head\"", header.format);
            return Err(HeadError::of_text(text, Kind::WdlHead, &message));
        }
        if header.version != WDL_HEAD_VERSION {
            return Err(HeadError::Version(header.version));
        }
        let head: WdlHead = toml::from_str(text).map_err(foreign)?;
        head.model()?;
        head.check()?;
        Ok(head)
    }

    /// The file as text.
    ///
    /// # Errors
    ///
    /// Those of the TOML writer.
    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        toml::to_string(self)
    }

    /// The head with its weights in 16 bits, as engines have it.
    #[must_use]
    pub fn quantised(&self) -> WdlHead {
        WdlHead {
            line: quantised_line(&self.line),
            threshold: self.threshold.quantised(),
            slope: self.slope.quantised(),
            shift: self.shift.quantised(),
            ..self.clone()
        }
    }

    /// How many weights there are, those of the line among them; each takes two bytes in an engine.
    #[must_use]
    pub fn weights(&self) -> usize {
        let of = |sum: &WeightedSum| 1 + sum.terms.iter().map(|weighted| weighted.weights.len()).sum::<usize>();
        of(&self.threshold) + of(&self.slope) + of(&self.shift) + self.line.len()
    }

    /// How many of the weights a fit is free to choose: without the constant of the shift and the line at the evaluation 0, which are
    /// 0 by definition.
    #[must_use]
    pub fn free_weights(&self) -> usize {
        self.weights() - 1 - self.knots.iter().filter(|knot| **knot == 0).count()
    }

    /// The head for another engine: what its line makes of evaluations times `scale`, the width of the draw zone times `width`.
    ///
    /// Both are positive; they only move the constants, so that an engine needs nothing new.
    #[must_use]
    pub fn rescaled(&self, scale: f64, width: f64) -> WdlHead {
        let moved = |sum: &WeightedSum, by: f64| {
            let weights: Vec<f64> = sum.terms.iter().flat_map(|weighted| weighted.weights.clone()).collect();
            let constant = sum.constant + by;
            WeightedSum { constant, shift: shift_for(&[weights, vec![constant]].concat()), ..sum.clone() }
        };
        WdlHead { slope: moved(&self.slope, scale.ln()), threshold: moved(&self.threshold, width.ln()), ..self.clone() }
    }

    /// The head, ready to be asked.
    ///
    /// # Errors
    ///
    /// If a term is none or does not belong where it stands, a number is beyond its range, or the line falls.
    pub fn model(&self) -> Result<WdlModel, HeadError> {
        let mirrored =
            self.knots.iter().zip(self.knots.iter().rev()).all(|(one, other)| i32::from(*one) == -i32::from(*other));
        let line_is = |right: bool, what| if right { Ok(()) } else { Err(HeadError::Line(what)) };
        line_is(self.knots.len() == self.line.len(), "as many values as knots")?;
        line_is((3..=63).contains(&self.knots.len()), "3 to 63 knots")?;
        line_is(
            self.knots.is_sorted_by(|one, next| one < next) && mirrored,
            "ascending knots, the same on both sides of 0",
        )?;
        line_is(
            self.line.iter().all(|p| p.abs() <= 31.0) && self.line.is_sorted(),
            "values that never fall, within ±31",
        )?;
        let opposite = self.line.iter().zip(self.line.iter().rev());
        line_is(opposite.map(|(one, other)| one + other).all(|sum| sum <= 0.01), "P(x) + P(-x) of at most 0")?;
        Ok(WdlModel {
            knots: self.knots.iter().map(|&knot| f64::from(knot)).collect(),
            line: self.line.clone(),
            threshold: self.threshold.sum(Parity::Even)?,
            slope: self.slope.sum(Parity::Even)?,
            shift: self.shift.sum(Parity::Odd)?,
        })
    }
}

/// A sum of terms, parsed.
#[derive(Clone, Debug)]
struct Sum {
    constant: f64,
    terms: Vec<(Term, Vec<f64>)>,
}

impl Sum {
    fn of(&self, values: &[i16]) -> f64 {
        let value = |input: Input| if let Input::Feature(place) = input { values[place] } else { 0 };
        let of_term = |(term, weights): &(Term, Vec<f64>)| {
            let (weight, count) = term.of_row(value);
            weights[weight] * f64::from(count)
        };
        self.constant + self.terms.iter().map(of_term).sum::<f64>()
    }
}

/// A WDL head that can be asked: the definition in `f64`, of which engines have a faster one in integers.
#[derive(Clone, Debug)]
pub struct WdlModel {
    knots: Vec<f64>,
    line: Vec<f64>,
    threshold: Sum,
    slope: Sum,
    shift: Sum,
}

/// The three scores of a position, in logits.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WdlScores {
    /// v, even.
    pub threshold: f64,
    /// s, even.
    pub slope: f64,
    /// o, odd.
    pub shift: f64,
}

impl WdlModel {
    /// What a position says beside its evaluation. `values` are those that [`features::fill`](crate::features::fill) gives.
    #[must_use]
    pub fn scores(&self, values: &[i16]) -> WdlScores {
        WdlScores { threshold: self.threshold.of(values), slope: self.slope.of(values), shift: self.shift.of(values) }
    }

    /// The last knot of the line, in centipawns: larger evaluations count as it, up to those that count as decided.
    #[must_use]
    pub fn last_knot(&self) -> f64 {
        self.knots.last().copied().unwrap_or_default()
    }

    /// The line P at an evaluation in centipawns.
    #[must_use]
    pub fn line(&self, eval: f64) -> f64 {
        let after = self.knots.partition_point(|&knot| knot <= eval);
        match (after.checked_sub(1).map(|before| (self.knots[before], self.line[before])), self.knots.get(after)) {
            (Some((x0, p0)), Some(&x1)) => p0 + (self.line[after] - p0) * (eval - x0) / (x1 - x0),
            (Some((_, p)), None) => p,
            (None, _) => self.line[0],
        }
    }

    /// White's probabilities of win, draw and loss; `eval` is White's evaluation in centipawns, mates and tablebase scores
    /// beyond ±[`DECIDED`].
    #[must_use]
    pub fn wdl(&self, values: &[i16], eval: i32) -> Wdl<f64> {
        if eval.saturating_abs() >= DECIDED {
            let [won, lost] = if eval > 0 { [1.0, 0.0] } else { [0.0, 1.0] };
            return Wdl { wins: won, draws: 0.0, losses: lost };
        }
        let eval = f64::from(eval);
        self.scores(values).wdl(self.line(eval), self.line(-eval))
    }
}

impl WdlScores {
    /// White's probabilities of win, draw and loss where the line is `ahead` at the evaluation and `behind` at its
    /// opposite.
    #[must_use]
    pub fn wdl(self, ahead: f64, behind: f64) -> Wdl<f64> {
        let threshold = self.threshold.clamp(THRESHOLD_RANGE.0, THRESHOLD_RANGE.1).exp();
        let slope = self.slope.clamp(SLOPE_RANGE.0, SLOPE_RANGE.1).exp();
        let shift = self.shift.clamp(-LARGEST_SHIFT, LARGEST_SHIFT);
        let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
        let wins = sigmoid(slope * ahead + shift - threshold);
        let losses = sigmoid(slope * behind - shift - threshold);
        Wdl { wins, draws: (1.0 - wins - losses).max(0.0), losses }
    }
}

/// Whole permille that sum to 1000, as the UCI protocol's `wdl` has them: W and L to the nearest, halves up, and D the rest;
/// where W and L together would be above 1000, the larger is one less.
#[must_use]
pub fn permille(wdl: Wdl<f64>) -> Wdl<u16> {
    #[cfg_attr(
        not(test),
        expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole and within the range")
    )]
    let round = |p: f64| (1000.0 * p + 0.5).floor().clamp(0.0, 1000.0) as u16;
    let (mut wins, mut losses) = (round(wdl.wins), round(wdl.losses));
    if wins + losses > 1000 {
        if wins > losses { wins = 1000 - losses } else { losses = 1000 - wins }
    }
    Wdl { wins, draws: 1000 - wins - losses, losses }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::features;

    /// A head of a few terms of every kind.
    fn some() -> WdlHead {
        let terms = |texts: &[&str]| texts.iter().map(|text| text.parse().expect("a term")).collect::<Vec<Term>>();
        WdlHead {
            format: "wdl-head".to_owned(),
            version: WDL_HEAD_VERSION,
            made_by: String::new(),
            games: 0,
            rows: 0,
            events: 0,
            weighting: "game".to_owned(),
            largest_eval: 1000,
            results: Wdl::default(),
            loss: 0.0,
            quantised_loss: 0.0,
            knots: vec![-600, -100, 0, 100, 600],
            line: vec![-5.0, -1.2, -0.3, 1.0, 5.0],
            rules: Vec::new(),
            warnings: Vec::new(),
            sketch: GameSketch::default(),
            inputs: Vec::new(),
            threshold: WeightedSum::new(0.4, &terms(&["rams", "pawns @ 4,8"]), &[0.05, 0.2, 0.0, -0.1]),
            slope: WeightedSum::new(0.2, &terms(&["rooks @ 1 * passers @ 1"]), &[0.1, -0.1, 0.3, 0.0]),
            shift: WeightedSum::new(0.0, &terms(&["tempo_mg", "passer_eg"]), &[0.003, 0.01]),
        }
    }

    fn values(fen: &str) -> (Vec<i16>, Vec<i16>) {
        let setup = fen.parse::<shakmaty::fen::Fen>().expect("a FEN").into_setup();
        let mut exchanged = setup.clone();
        exchanged.board.flip_vertical();
        exchanged.board.swap_colors();
        exchanged.swap_turn();
        let of = |setup: &shakmaty::Setup| {
            let mut values = [0; features::COUNT];
            features::fill(&features::view_of_setup(setup), &mut values);
            values.to_vec()
        };
        (of(&setup), of(&exchanged))
    }

    const FEN: &str = "r4rk1/pp3ppp/2p5/3pP3/3P4/P7/1P3PPP/R4RK1 b - - 3 20";

    proptest! {
        #[test]
        fn wins_rise_with_the_evaluation_and_colours_exchange(eval in -2000..2000_i32) {
            let model = some().model().expect("a head");
            let (values, flipped) = values(FEN);
            let (here, next) = (model.wdl(&values, eval), model.wdl(&values, eval + 1));
            prop_assert!(here.wins <= next.wins && here.losses >= next.losses);
            prop_assert!((here.total() - 1.0).abs() < 1e-12 && here.draws > 0.0);
            let other = model.wdl(&flipped, -eval).flip();
            prop_assert!((here.wins - other.wins).abs() < 1e-12 && (here.losses - other.losses).abs() < 1e-12);
            let shown = permille(here);
            prop_assert_eq!(shown.total(), 1000);
            prop_assert_eq!(permille(other), shown);
        }
    }

    #[test]
    fn decided_games_ask_no_features() {
        let model = some().model().expect("a head");
        let (values, _) = values(FEN);
        assert_eq!(permille(model.wdl(&values, DECIDED)), Wdl { wins: 1000, draws: 0, losses: 0 });
        assert_eq!(permille(model.wdl(&values, -i32::MAX)), Wdl { wins: 0, draws: 0, losses: 1000 });
        assert!(model.wdl(&values, DECIDED - 1).draws > 0.0);
    }

    #[test]
    fn permille_sums_to_a_thousand_where_rounding_would_not() {
        let wdl = Wdl { wins: 0.5006, draws: 0.0, losses: 0.4996 };
        assert_eq!(permille(wdl), Wdl { wins: 500, draws: 0, losses: 500 });
        assert_eq!(permille(wdl.flip()), Wdl { wins: 500, draws: 0, losses: 500 });
    }

    #[test]
    fn files_keep_heads_and_refuse_others() {
        let head = some();
        let text = head.to_toml().expect("TOML");
        assert_eq!(WdlHead::from_toml(&text).expect("the head"), head);
        for (from, to, said) in [
            ("wdl-head", "heads", "format = \"wdl-head\""),
            ("version = 1", "version = 9", "version 9"),
            ("[-5.0, -1.2, -0.3", "[-5.0, -1.2, -2.3", "never fall"),
            ("[-5.0, -1.2, -0.3, 1.0", "[-5.0, -1.2, -0.3, 1.3", "at most 0"),
            ("-600,", "-500,", "on both sides of 0"),
            ("\"rams\"", "\"tempo_mg\"", "does not belong there"),
            ("\"passer_eg\"", "\"rams\"", "does not belong there"),
            ("\"rams\"", "\"eval_size\"", "does not have"),
            ("[0.05]", "[0.05, 1.0]", "has 1 weights, found 2"),
            ("[0.05]", "[nan]", "a weight of"),
        ] {
            let changed = text.replacen(from, to, 1).replace("[-5.0, -1.2, -0.3, 1.3", "[-5.0, -0.9, -0.3, 1.3");
            assert_ne!(changed, text, "{from}");
            let error = WdlHead::from_toml(&changed).expect_err(to).to_string();
            assert!(error.contains(said), "{to}: {error}");
        }
    }

    #[test]
    fn two_numbers_move_a_head_to_another_engine() {
        let (head, (values, _)) = (some(), values(FEN));
        let (before, after) = (head.model().expect("a head"), head.rescaled(2.0, 1.5).model().expect("a head"));
        let (before, after) = (before.scores(&values), after.scores(&values));
        assert!((after.slope - before.slope - 2_f64.ln()).abs() < 1e-12);
        assert!((after.threshold - before.threshold - 1.5_f64.ln()).abs() < 1e-12);
    }
}
