//! An evaluation with its meaning by a WDL model.

use drawish_games::wdl::Model;
use drawish_stats::model::WinDrawLoss;
use drawish_stats::model::wdl::{Curve, Mom, SMALLEST_B};
use serde_json::{Value, json};

/// What a WDL model says of an evaluation at one material count or move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Shown {
    /// Whether it is a material count or a move.
    pub mom: Mom,
    /// Which.
    pub at: f64,
    /// a and b there, in internal units.
    pub curve: Curve,
    /// a at the anchor of the model.
    pub pawn: f64,
    /// The evaluation in internal units.
    pub internal: f64,
    /// The chances of the results.
    pub rates: WinDrawLoss,
}

/// Evaluations of an overview, in centipawns.
const CENTIPAWNS: [f64; 5] = [0.0, 50.0, 100.0, 200.0, 400.0];

/// What a model says of some evaluations at these material counts or moves; without any, at four from its least to its anchor and
/// one beyond. A line for each.
#[must_use]
pub fn overview(model: &Model, at: Option<f64>) -> String {
    let mom = model.mom_type;
    let mut out = format!("W, D and L in % by {mom}; the anchor is {mom} {}\n{:>8}", model.mom_target, mom.name());
    out += &format!("{:>9}{:>9}", "a", "b");
    out.extend(CENTIPAWNS.map(|centipawns| format!("{:>14}", format!("{centipawns} cp"))));
    for at in places(model, at) {
        let Shown { curve, .. } = Shown::of(model, at, 0.0);
        out += &format!("\n{at:>8.0} {:>8.2} {:>8.2}", curve.a, curve.b);
        out.extend(CENTIPAWNS.map(|centipawns| {
            let WinDrawLoss { win, draw, loss } = curve.rates(centipawns * curve.a / 100.0);
            let [win, draw, loss] = [win, draw, loss].map(|rate| (100.0 * rate).round());
            format!("{:>14}", format!("{win}/{draw}/{loss}"))
        }));
    }
    out + "\n"
}

/// Rounded, without the sign of a number that is 0 then.
fn whole(centipawns: f64) -> f64 {
    centipawns.round() + 0.0
}

/// The same for programs, in full precision.
#[must_use]
pub fn overview_json(model: &Model, at: Option<f64>) -> Value {
    let shown = |at: f64| {
        let a = model.win_rate_params(at).a;
        CENTIPAWNS.map(|centipawns| Shown::of(model, at, centipawns * a / 100.0).json())
    };
    places(model, at).into_iter().flat_map(shown).collect()
}

fn places(model: &Model, at: Option<f64>) -> Vec<f64> {
    let (least, most) = limits(model);
    let quarters =
        [1.0, 2.0, 3.0, 4.0, 5.0].map(|quarters| (quarters * model.mom_target / 4.0).round().max(least).min(most));
    let mut quarters = quarters.to_vec();
    quarters.dedup();
    at.map_or(quarters, |at| vec![at])
}

/// The least and the largest material or move by which the model tells evaluations apart.
fn limits(model: &Model) -> (f64, f64) {
    (f64::from(model.mom_min), f64::from(model.mom_max))
}

/// What must be known before the model is used: the warnings of its fit, and that this material count or move lies beyond what the
/// model was fitted to. `in_short` for one of many questions: a line for all warnings, with the beginning of each.
#[must_use]
pub fn beware(model: &Model, at: Option<f64>, in_short: bool) -> Vec<String> {
    let (mom, (least, most)) = (model.mom_type, limits(model));
    let beyond = at.filter(|at| !(least..=most).contains(at));
    let beyond = beyond.map(|at| {
        let taken = at.max(least).min(most);
        format!("{mom} {at} is taken as {taken}: the model was fitted to {mom} {least} to {most}")
    });
    let place = at.unwrap_or(model.mom_target);
    let Curve { a, b } = model.win_rate_params(place);
    let impossible = (a <= 0.0).then(|| {
        format!(
            "a is {a:.2} at {mom} {place}, where a model needs one above 0: W and L are more than 1 together and D is negative, so \
             do not use it there"
        )
    });
    let narrow = (b <= SMALLEST_B)
        .then(|| format!("b is 0 or less at {mom} {place}, where a model needs one above 0: do not use it there"));
    let at_speed = "a and b are for four minutes a player for 40 moves: this model depends on the time control, too";
    let at_speed = model.by_time_control.then(|| at_speed.to_owned());
    let mut warnings = model.warnings.clone();
    if in_short && !warnings.is_empty() {
        let begins = warnings.iter().map(|warning| warning.split([':', ';']).next().unwrap_or_default());
        // Several doubts may begin alike.
        let mut each: Vec<&str> = Vec::new();
        begins.for_each(|begin| each.extend((!each.contains(&begin)).then_some(begin)));
        warnings = vec![each.join("; ") + " (`drawish wdl show` without --eval says more)"];
    }
    warnings
        .iter()
        .map(|warning| format!("beware of this model: {warning}"))
        .chain(at_speed)
        .chain(beyond)
        .chain(impossible)
        .chain(narrow)
        .collect()
}

impl Shown {
    /// What the model says of an evaluation in internal units.
    #[must_use]
    pub fn of(model: &Model, at: f64, internal: f64) -> Shown {
        let curve = model.win_rate_params(at);
        let pawn = model.pawn_value;
        Shown { mom: model.mom_type, at, curve, pawn, internal, rates: curve.rates(internal) }
    }

    /// Centipawns as the engine shows them at this material count or move, and by the pawn of the anchor.
    #[must_use]
    pub fn centipawns(&self) -> [f64; 2] {
        [self.curve.a, self.pawn].map(|pawn| 100.0 * self.internal / pawn)
    }

    /// In lines.
    #[must_use]
    pub fn text(&self) -> String {
        let Shown { mom, at, curve, pawn, internal, rates } = self;
        let [win, draw, loss]: [i32; 3] = rates.permille().into();
        let [shown, fixed] = self.centipawns();
        format!(
            "{mom} {at}: a = {:.2}, b = {:.2} internal units\n\
             internal evaluation {internal:.2}\n\
             W {:.2} %  D {:.2} %  L {:.2} %  score {:.2} %\n\
             an engine displays  cp {} (by {mom}) or {} (static, {} to the pawn)  wdl {win} {draw} {loss}\n",
            curve.a,
            curve.b,
            100.0 * rates.win,
            100.0 * rates.draw,
            100.0 * rates.loss,
            100.0 * rates.expected_score(),
            whole(shown),
            whole(fixed),
            pawn.round(),
        )
    }

    /// The same for programs.
    #[must_use]
    pub fn json(&self) -> Value {
        let [shown, fixed] = self.centipawns();
        json!({
            "mom_type": self.mom.name(),
            "mom": self.at,
            "a": self.curve.a,
            "b": self.curve.b,
            "internal": self.internal,
            "win": self.rates.win,
            "draw": self.rates.draw,
            "loss": self.rates.loss,
            "score": self.rates.expected_score(),
            "wdl": <[i32; 3]>::from(self.rates.permille()),
            "cp": shown,
            "cp_static": fixed,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(a: f64, b: f64) -> Model {
        Model::from_coefficients(Mom::Material, 58.0, [0.0, 0.0, 0.0, a], [0.0, 0.0, 0.0, b])
    }

    /// 9.47 % is 9 %, not the 10 % of 9.5 %; and nothing is -0.
    #[test]
    fn figures_are_rounded_once() {
        let said = overview(&model(225.75, 100.0), None);
        assert!(said.contains("9/81/9"), "{said}");
        let shown = Shown::of(&model(225.75, 100.0), 58.0, -0.4).text();
        assert!(shown.contains("cp 0 (by material) or 0 (static"), "{shown}");
    }

    #[test]
    fn a_model_by_time_control_says_for_which_it_is_shown() {
        let mut model = model(200.0, 100.0);
        assert_eq!(beware(&model, None, false), Vec::<String>::new());
        model.by_time_control = true;
        assert!(beware(&model, None, true)[0].contains("four minutes"));
    }
}
