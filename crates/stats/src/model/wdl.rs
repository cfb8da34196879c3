//! The win-draw-loss model of Stockfish's WDL_model (seed 002, "Background").
//!
//! For the internal evaluation x of the side to move, in an engine's own units:
//!
//! ```text
//! W(x) = 1 / (1 + exp(-(x - a) / b))      L(x) = W(-x)      D(x) = 1 - W(x) - L(x)
//! ```
//!
//! a is the evaluation with which half of the games are won, b how much more is needed for much more. Both are
//! functions of the material on the board or of the move number. It is assumed that the model is the same for White
//! and Black and for every position of equal evaluation and material.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::WinDrawLoss;
use crate::numeric::sigmoid;

/// b is never taken smaller than this, in internal units: a slope of 0 or below has no meaning.
pub const SMALLEST_B: f64 = 1e-8;

/// What a and b depend on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mom {
    /// Full-move number.
    Move,
    /// 9 Q + 5 R + 3 B + 3 N + P of both sides.
    Material,
}

impl Mom {
    /// Both.
    pub const ALL: [Mom; 2] = [Mom::Move, Mom::Material];

    /// The name in files and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Mom::Move => "move",
            Mom::Material => "material",
        }
    }

    /// The one with this name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Mom> {
        Mom::ALL.into_iter().find(|mom| mom.name() == name)
    }
}

impl fmt::Display for Mom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The model at one material count or move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Curve {
    /// Evaluation with a win rate of one half, internal units.
    pub a: f64,
    /// Width of the change, internal units, above 0.
    pub b: f64,
}

impl Curve {
    /// A curve; b below [`SMALLEST_B`] is taken as that.
    #[must_use]
    pub fn new(a: f64, b: f64) -> Curve {
        Curve { a, b: b.max(SMALLEST_B) }
    }

    /// W(x).
    #[must_use]
    pub fn win(self, x: f64) -> f64 {
        sigmoid((x - self.a) / self.b)
    }

    /// W, D and L of the side to move at x. D is negative where a is, which is outside the model's meaning.
    #[must_use]
    pub fn rates(self, x: f64) -> WinDrawLoss {
        let (win, loss) = (self.win(x), self.win(-x));
        // 1 - W - L by the rates of not winning of the side that is ahead: small numbers keep their digits.
        let behind = -x.abs();
        let not_won = sigmoid((behind + self.a) / self.b);
        WinDrawLoss { win, draw: not_won - self.win(behind), loss }
    }

    /// The evaluation with a win rate, which lies between 0 and 1: x = a + b ln(w / (1 - w)). `None` for any other rate.
    #[must_use]
    pub fn eval_of_win(self, win: f64) -> Option<f64> {
        (win > 0.0 && win < 1.0).then(|| self.a + self.b * (win / (1.0 - win)).ln())
    }

    /// The evaluation with an expected score W + D/2 between 0 and 1. `None` for any other score.
    ///
    /// With y = x/b and c = a/b: S - 1/2 = (W - L)/2 = ½ sinh y / (cosh y + cosh c), so that with t = 2S - 1
    /// sinh y - t cosh y = t cosh c, which is solved by y = asinh(t cosh c / √(1 - t²)) + atanh t.
    #[must_use]
    pub fn eval_of_score(self, score: f64) -> Option<f64> {
        if !(score > 0.0 && score < 1.0) {
            return None;
        }
        let t = 2.0 * score - 1.0;
        let y = (t * (self.a / self.b).cosh() / (1.0 - t * t).sqrt()).asinh() + t.atanh();
        y.is_finite().then_some(self.b * y)
    }

    /// The evaluation of at least 0 with a draw rate: D = sinh c / (cosh y + cosh c) with y = x/b, c = a/b. `None` above the
    /// draw rate at 0, and where there are no draws.
    #[must_use]
    pub fn eval_of_draw(self, draw: f64) -> Option<f64> {
        let c = self.a / self.b;
        let cosh = c.sinh() / draw - c.cosh();
        (draw > 0.0 && c > 0.0 && cosh >= 1.0 && cosh.is_finite()).then(|| self.b * cosh.acosh())
    }
}

/// ((c3 u + c2) u + c1) u + c0, coefficients from the highest.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cubic(pub [f64; 4]);

impl Cubic {
    /// The value at u.
    #[must_use]
    pub fn at(self, u: f64) -> f64 {
        self.0.into_iter().fold(0.0, |sum, coefficient| sum * u + coefficient)
    }

    /// The value at 1: at the anchor.
    #[must_use]
    pub fn sum(self) -> f64 {
        self.at(1.0)
    }
}

/// The model as an engine has it: p_a and p_b of mom / target.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WdlModel {
    /// What u counts.
    pub mom: Mom,
    /// Smaller values are taken as this one, which is where the data ended.
    pub min: f64,
    /// Larger values are taken as this one.
    pub max: f64,
    /// The anchor: 100 centipawns are p_a there.
    pub target: f64,
    /// p_a, internal units.
    pub a: Cubic,
    /// p_b, internal units.
    pub b: Cubic,
}

impl WdlModel {
    /// The curve at a material count or move.
    #[must_use]
    pub fn curve(&self, mom: f64) -> Curve {
        let u = mom.clamp(self.min, self.max) / self.target;
        Curve::new(self.a.at(u), self.b.at(u))
    }

    /// Internal units of 100 centipawns with a static conversion: p_a(target), whole numbers in Stockfish.
    #[must_use]
    pub fn pawn_value(&self) -> f64 {
        self.a.sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn moves_and_material_have_names() {
        assert_eq!(Mom::ALL.map(|mom| mom.to_string()), ["move", "material"]);
        assert_eq!((Mom::of_name("material"), Mom::of_name("men")), (Some(Mom::Material), None));
    }

    #[test]
    fn the_meaning_of_a_and_b() {
        let curve = Curve::new(100.0, 20.0);
        assert_eq!(curve.win(100.0), 0.5);
        assert!((curve.win(120.0) - 1.0 / (1.0 + (-1.0_f64).exp())).abs() < 1e-15);
        let rates = curve.rates(0.0);
        assert!((rates.draw - (1.0 - 2.0 / (1.0 + 5.0_f64.exp()))).abs() < 1e-15);
        assert_eq!(rates.win, rates.loss);
        assert_eq!(<[i32; 3]>::from(rates.permille()), [7, 986, 7]);
        assert_eq!(Curve::new(1.0, -5.0).b, SMALLEST_B);
    }

    #[test]
    fn the_published_model_of_stockfish() {
        // Stockfish pull request 5309's coefficients are those that scoreWDL.py takes by default: 385 at material 58.
        let a = Cubic([-72.325_658_36, 185.938_320_38, -144.588_621_93, 416.449_504_46]);
        assert_eq!((a.sum() + 0.5) as i32, 385);
        let model =
            WdlModel { mom: Mom::Material, min: 17.0, max: 78.0, target: 58.0, a, b: Cubic([0.0, 0.0, 0.0, 80.0]) };
        assert_eq!(model.curve(58.0).a, a.sum());
        assert_eq!(model.pawn_value() as i32, 385);
        assert_eq!(model.curve(5.0), model.curve(17.0));
    }

    proptest! {
        #[test]
        fn inverses_invert(a in 1.0..400.0_f64, b in 10.0..120.0_f64, x in -500.0..500.0_f64) {
            let curve = Curve::new(a, b);
            let rates = curve.rates(x);
            prop_assert!((rates.win + rates.draw + rates.loss - 1.0).abs() < 1e-12);
            prop_assert!(rates.draw > 0.0);
            // A rate nearer to 1 has no digits left to tell its evaluation.
            if rates.win < 1.0 - 1e-9 {
                let of_win = curve.eval_of_win(rates.win).expect("a rate");
                prop_assert!((of_win - x).abs() < 1e-5 * b, "{of_win} for {x}");
            }
            if (0.001..0.999).contains(&rates.expected_score()) && rates.draw < 0.99 {
                let of_score = curve.eval_of_score(rates.expected_score()).expect("a score");
                prop_assert!((of_score - x).abs() < 1e-6 * b, "{of_score} for {x}");
            }
            if x.abs() > b / 10.0 && (0.001..0.99).contains(&rates.draw) {
                let of_draw = curve.eval_of_draw(rates.draw).expect("a rate");
                prop_assert!((of_draw - x.abs()).abs() < 1e-3 * b, "{of_draw} for {x}");
            }
        }
    }

    #[test]
    fn what_no_evaluation_has_is_none() {
        let curve = Curve::new(100.0, 20.0);
        for rate in [0.0, 1.0, -0.1, 1.1, f64::NAN] {
            assert_eq!(curve.eval_of_win(rate), None);
            assert_eq!(curve.eval_of_score(rate), None);
        }
        assert_eq!(curve.eval_of_draw(0.999), None);
        assert_eq!(curve.eval_of_draw(0.0), None);
    }
}
