//! The forms that turn an evaluation into an expected score, and their fit.

use std::f64::consts::LN_2;

use drawish_core::Wdl;
use drawish_stats::model::draw::{Family, RaoKupper, WinDrawLoss};
use drawish_stats::model::pawn_advantage;
use drawish_stats::model::relevance::Relevance;
use drawish_stats::numeric::{nelder_mead, sigmoid};

/// Results for the side ahead at each evaluation in hundredths of a pawn, from 0 on: the two sides are treated alike, so
/// an evaluation below 0 is one above 0 for Black. At 0 White counts as ahead.
pub(super) type Cells = Vec<Wdl<f64>>;

/// What the side ahead scores by each result.
pub(super) const POINTS: Wdl<f64> = Wdl { wins: 1.0, draws: 0.5, losses: 0.0 };

/// A form with its parameters.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Form {
    /// The three parameters of evaluation relevance.
    Relevance(Relevance),
    /// The one of Fischer and Kannan, K in pawns.
    PawnAdvantage {
        /// Pawns for odds of ten to one.
        k: f64,
    },
    /// The two of a WDL model, a logistic function each for wins and losses: W = s((x - a) / b), L = s((-x - a) / b).
    WinDrawLoss {
        /// The evaluation with which half of the games are won, in pawns.
        a: f64,
        /// Pawns per logit.
        b: f64,
    },
    /// The three of the draw model: w = slope x, u = base - kappa ln(2 cosh(w/2)).
    DrawModel {
        /// Logits of w per pawn.
        slope: f64,
        /// Logits of u, without the part that depends on w.
        base: f64,
        /// How much u falls with w.
        kappa: f64,
    },
}

/// What is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "see the fields of Form, and the names")]
pub enum Kind {
    Relevance,
    RelevanceCounted,
    PawnAdvantage,
    PawnAdvantagePublished,
    WinDrawLoss,
    WinDrawLossByOutcomes,
    DrawModel,
    DrawModelByOutcomes,
}

impl Kind {
    /// All; the first is what the others are compared with.
    pub const ALL: [Kind; 8] = [
        Kind::Relevance,
        Kind::RelevanceCounted,
        Kind::PawnAdvantage,
        Kind::PawnAdvantagePublished,
        Kind::WinDrawLoss,
        Kind::WinDrawLossByOutcomes,
        Kind::DrawModel,
        Kind::DrawModelByOutcomes,
    ];

    /// The name in tables and JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Relevance => "relevance",
            Kind::RelevanceCounted => "relevance-counted",
            Kind::PawnAdvantage => "pawn-advantage",
            Kind::PawnAdvantagePublished => "pawn-advantage-k4",
            Kind::WinDrawLoss => "wdl",
            Kind::WinDrawLossByOutcomes => "wdl-by-outcomes",
            Kind::DrawModel => "draw-model",
            Kind::DrawModelByOutcomes => "draw-model-by-outcomes",
        }
    }

    /// What it is, in words.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Kind::Relevance => {
                "evaluation relevance, three parameters fitted to all evaluations by log-loss: another e75 than counting gives"
            }
            Kind::RelevanceCounted => {
                "evaluation relevance, its parameters by the article's counting, as `drawish relevance estimate` finds them"
            }
            Kind::PawnAdvantage => "Fischer and Kannan's sigmoid, K fitted",
            Kind::PawnAdvantagePublished => "Fischer and Kannan's sigmoid, K = 4 as published",
            Kind::WinDrawLoss => "WDL model: a and b fitted, the same for all material",
            Kind::WinDrawLossByOutcomes => "the same, fitted to tell wins, draws and losses apart",
            Kind::DrawModel => "draw model: slope, base and kappa fitted",
            Kind::DrawModelByOutcomes => "the same, fitted to tell wins, draws and losses apart",
        }
    }

    /// Parameters that are estimated.
    #[must_use]
    pub const fn parameters(self) -> usize {
        match self {
            Kind::Relevance | Kind::RelevanceCounted | Kind::DrawModel | Kind::DrawModelByOutcomes => 3,
            Kind::PawnAdvantage => 1,
            Kind::PawnAdvantagePublished => 0,
            Kind::WinDrawLoss | Kind::WinDrawLossByOutcomes => 2,
        }
    }
}

impl Form {
    /// The expected score of the side that is ahead by this many pawns.
    #[must_use]
    pub fn expected(&self, pawns: f64) -> f64 {
        match *self {
            Form::Relevance(curve) => curve.expected(pawns),
            Form::PawnAdvantage { k } => pawn_advantage::expected_score(pawns, k),
            Form::WinDrawLoss { a, b } => rao_kupper(a, b, pawns).expected_score(),
            Form::DrawModel { slope, base, kappa } => draw_model(slope, base, kappa, pawns).expected_score(),
        }
    }

    /// The probabilities of the side that is ahead by this many pawns, where the form tells draws apart.
    #[must_use]
    pub fn win_draw_loss(&self, pawns: f64) -> Option<WinDrawLoss> {
        match *self {
            Form::Relevance(_) | Form::PawnAdvantage { .. } => None,
            Form::WinDrawLoss { a, b } => Some(rao_kupper(a, b, pawns)),
            Form::DrawModel { slope, base, kappa } => Some(draw_model(slope, base, kappa, pawns)),
        }
    }

    /// The parameters by their names.
    #[must_use]
    pub fn parameters(&self) -> Vec<(&'static str, f64)> {
        match *self {
            Form::Relevance(curve) => {
                vec![("e75", curve.e75()), ("eplus", curve.e_plus()), ("result", curve.result())]
            }
            Form::PawnAdvantage { k } => vec![("k", k)],
            Form::WinDrawLoss { a, b } => vec![("a", a), ("b", b)],
            Form::DrawModel { slope, base, kappa } => vec![("slope", slope), ("base", base), ("kappa", kappa)],
        }
    }

    /// Whether e(=0.75) and e(>0.75) of relevance come together to less than a hundredth of a pawn: the games do not determine the
    /// curve between them, and two digits of these parameters are no curve.
    #[must_use]
    pub fn is_degenerate(&self) -> bool {
        matches!(self, Form::Relevance(curve) if curve.e_plus() - curve.e75() < 0.01)
    }

    /// Fits a form to results: by the least log-loss of its expected score, the measure by which all are compared, or
    /// by that of its probabilities for the three outcomes. `None` for a kind that is not fitted to cells.
    pub(super) fn fit(kind: Kind, cells: &Cells) -> Option<Form> {
        // Any real numbers are parameters, in ranges that no sensible fit leaves: nothing overflows.
        type Make = fn(&[f64]) -> Option<Form>;
        let (starts, make): (&[&[f64]], Make) = match kind {
            // More than one valley, some of them without a second sector to speak of.
            Kind::Relevance => (&VALLEYS, |free| {
                let e75 = bounded(free[0]).exp();
                let r = 0.5 * sigmoid(bounded(free[2]));
                Relevance::new(e75, e75 + bounded(free[1]).exp(), 1.0 - r / 2.0).ok().map(Form::Relevance)
            }),
            Kind::PawnAdvantage => (&[&[1.0]], |free| Some(Form::PawnAdvantage { k: bounded(free[0]).exp() })),
            Kind::WinDrawLoss | Kind::WinDrawLossByOutcomes => (&[&[0.0, -1.0]], |free| {
                Some(Form::WinDrawLoss { a: bounded(free[0]).exp(), b: bounded(free[1]).exp() })
            }),
            Kind::DrawModel | Kind::DrawModelByOutcomes => (&[&[0.5, 1.0, 1.0]], |free| {
                // Below 0 the expected score need not rise with the evaluation.
                let kappa = bounded(free[2]).max(0.0);
                Some(Form::DrawModel { slope: bounded(free[0]).exp(), base: free[1], kappa })
            }),
            Kind::RelevanceCounted | Kind::PawnAdvantagePublished => return None,
        };
        let by_outcomes = matches!(kind, Kind::WinDrawLossByOutcomes | Kind::DrawModelByOutcomes);
        let loss = |free: &[f64]| make(free).map_or(f64::INFINITY, |form| form.loss(cells, by_outcomes));
        let found = starts.iter().map(|start| nelder_mead(start, 0.5, loss));
        found.min_by(|a, b| loss(a).total_cmp(&loss(b))).and_then(|best| make(&best))
    }

    /// The summed log-loss in bits, of the expected score or of the outcomes.
    fn loss(&self, cells: &Cells, by_outcomes: bool) -> f64 {
        let mut sum = 0.0;
        for (centipawns, results) in cells.iter().enumerate() {
            if results.total() > 0.0 {
                let pawns = centipawns as f64 / 100.0;
                let losses = match self.win_draw_loss(pawns).filter(|_| by_outcomes) {
                    Some(WinDrawLoss { win, draw, loss }) => {
                        Wdl { wins: win, draws: draw, losses: loss }.map(|share| -share.max(SMALLEST).log2())
                    }
                    None => log_losses(self.expected(pawns)),
                };
                sum += results.wins * losses.wins + results.draws * losses.draws + results.losses * losses.losses;
            }
        }
        sum
    }
}

fn rao_kupper(a: f64, b: f64, pawns: f64) -> WinDrawLoss {
    RaoKupper { x: pawns / b, a: a / b }.win_draw_loss()
}

fn draw_model(slope: f64, base: f64, kappa: f64, pawns: f64) -> WinDrawLoss {
    let w = slope * pawns;
    WinDrawLoss::new(w, Family { kappa }.draw_score(base, w))
}

/// Where the search for the parameters of relevance begins: ln e75, ln(e+ - e75) and the logit of 2 r.
const VALLEYS: [&[f64]; 8] = [
    &[-0.5, -2.0, 1.0],
    &[-0.5, -2.0, -2.0],
    &[-0.5, 1.0, 1.0],
    &[-0.5, 1.0, -2.0],
    &[0.7, -2.0, 1.0],
    &[0.7, -2.0, -2.0],
    &[0.7, 1.0, 1.0],
    &[0.7, 1.0, -2.0],
];

/// Probabilities below this are taken as this, so that one drawn game from a won position does not decide alone.
const SMALLEST: f64 = 1e-9;

/// Keeps a parameter on the logarithmic scale within e^-8 to e^8.
fn bounded(free: f64) -> f64 {
    free.clamp(-8.0, 8.0)
}

/// -(s log2 P + (1 - s) log2(1 - P)) for a win, a draw and a loss of the side ahead.
pub(super) fn log_losses(expected: f64) -> Wdl<f64> {
    let expected = expected.clamp(SMALLEST, 1.0 - SMALLEST);
    let (win, loss) = (-expected.ln() / LN_2, -(-expected).ln_1p() / LN_2);
    POINTS.map(|points| points * win + (1.0 - points) * loss)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cells whose average results are exactly those of a form.
    fn cells_of(form: Form) -> Cells {
        (0..800)
            .map(|centipawns| {
                let expected = form.expected(f64::from(centipawns) / 100.0);
                Wdl { wins: expected * 100.0, draws: 0.0, losses: (1.0 - expected) * 100.0 }
            })
            .collect()
    }

    #[test]
    fn each_form_is_found_again() {
        let curve = Relevance::new(1.3, 2.9, 0.93).expect("in order");
        for (kind, form) in [
            (Kind::Relevance, Form::Relevance(curve)),
            (Kind::PawnAdvantage, Form::PawnAdvantage { k: 2.7 }),
            (Kind::WinDrawLoss, Form::WinDrawLoss { a: 1.8, b: 0.6 }),
            (Kind::DrawModel, Form::DrawModel { slope: 1.2, base: 1.5, kappa: 1.8 }),
        ] {
            let found = Form::fit(kind, &cells_of(form)).expect("a fit");
            for ((name, value), (_, expected)) in found.parameters().into_iter().zip(form.parameters()) {
                assert!((value - expected).abs() < 1e-3 * expected.abs(), "{kind:?}: {name} {value} for {expected}");
            }
        }
    }

    /// Fitted to outcomes, a form finds its own draws.
    #[test]
    fn outcomes_tell_draws_apart() {
        for (kind, form) in [
            (Kind::WinDrawLossByOutcomes, Form::WinDrawLoss { a: 1.8, b: 0.6 }),
            (Kind::DrawModelByOutcomes, Form::DrawModel { slope: 1.2, base: 1.5, kappa: 1.8 }),
        ] {
            let results = |centipawns| {
                let p = form.win_draw_loss(f64::from(centipawns) / 100.0).expect("it tells draws");
                Wdl { wins: p.win, draws: p.draw, losses: p.loss }
            };
            let found = Form::fit(kind, &(0..800).map(results).collect()).expect("a fit");
            for ((name, value), (_, expected)) in found.parameters().into_iter().zip(form.parameters()) {
                assert!((value - expected).abs() < 1e-4 * expected.abs(), "{kind:?}: {name} {value} for {expected}");
            }
        }
    }

    #[test]
    fn parameters_that_come_together_are_degenerate() {
        let form = |e75, e_plus| Form::Relevance(Relevance::new(e75, e_plus, 0.875).expect("in order"));
        assert!(form(1.3, 1.304).is_degenerate());
        assert!(!form(1.3, 1.35).is_degenerate() && !Form::PawnAdvantage { k: 4.0 }.is_degenerate());
    }

    #[test]
    fn losses_by_hand() {
        assert_eq!(log_losses(0.5), [1.0; 3].into());
        let Wdl { wins: win, draws: draw, losses: loss } = log_losses(0.75);
        assert!((win - (4.0_f64 / 3.0).log2()).abs() < 1e-15 && (loss - 2.0).abs() < 1e-15);
        assert_eq!(draw, (win + loss) / 2.0);
        assert!(log_losses(1.0).total().is_finite());
    }

    /// K = 4 and a result of 0.75 is 1.91 pawns, the article says; and the draw model without draws is a sigmoid of w.
    #[test]
    fn forms_agree_where_they_are_the_same() {
        let without_draws = Form::DrawModel { slope: 10.0_f64.ln() / 4.0, base: -700.0, kappa: 0.0 };
        for pawns in [0.0, 0.3, 1.91, 5.0] {
            let published = Form::PawnAdvantage { k: 4.0 }.expected(pawns);
            assert!((without_draws.expected(pawns) - published).abs() < 1e-12);
            assert_eq!(Form::PawnAdvantage { k: 4.0 }.expected(-pawns) + published, 1.0);
        }
    }
}
