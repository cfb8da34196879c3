//! Heads: what a file of them holds, what they say of a position, and how a fit has ended.

use std::fmt::Write;

use drawish_core::expect::WdlPermille;
use drawish_core::features::Family;
use drawish_core::head::{Gain, Sum, VERSION, values};
use drawish_core::{Board, Centipawns, Color, DrawScore, Heads, Wdl};
use drawish_games::sample::is_of_positions;
use drawish_heads::features::{self, View};
use drawish_heads::heads::{
    DECIDED, HeadsFile, LARGEST_SHIFT, SLOPE_RANGE, THRESHOLD_RANGE, WdlModel, WdlScores, Weighted, permille,
};
use drawish_stats::numbers::{counted, grouped};

use super::{KAPPA_IS_BIASED, LOOSE, results};
use serde_json::{Value, json};

/// The heads of a file by name: `draw head, gain head`.
#[must_use]
pub fn names(heads: &Heads<'_>) -> String {
    let present = present(heads);
    if present.is_empty() { "none".to_owned() } else { present.join(", ") }
}

fn present(heads: &Heads<'_>) -> Vec<&'static str> {
    let all = [
        ("draw head", heads.draw().is_some()),
        ("gain head", heads.gain_head().is_some()),
        ("WDL head", heads.wdl_head().is_some()),
    ];
    all.into_iter().filter(|(_, is_there)| *is_there).map(|(name, _)| name).collect()
}

/// The sums of a file, each with the name of its head and of itself.
fn sums<'a>(heads: &'a Heads<'a>) -> Vec<(&'static str, &'static str, &'a Sum<'a>)> {
    let draw = heads.draw().map(|draw| ("draw head", "drawScore", draw.sum()));
    let gain = heads.gain_head().map(|gain| ("gain head", "logarithm of the gain", gain.score()));
    let wdl = heads.wdl_head().map(|wdl| {
        let [threshold, slope, shift] = wdl.sums();
        [("WDL head", "threshold", threshold), ("WDL head", "slope", slope), ("WDL head", "shift", shift)]
    });
    draw.into_iter().chain(gain).chain(wdl.into_iter().flatten()).collect()
}

fn families(sum: &Sum<'_>) -> Vec<&'static str> {
    Family::ALL.into_iter().filter(|family| sum.reads(*family)).map(Family::name).collect()
}

/// The knots of the WDL head's line.
fn line(heads: &Heads<'_>) -> Vec<(i16, i16)> {
    heads.wdl_head().map(|head| head.knots().collect()).unwrap_or_default()
}

/// What a file of heads for engines says of itself.
#[must_use]
pub fn contents(heads: &Heads<'_>) -> String {
    let mut out = format!(
        "heads for engines, format version {VERSION}: {}\nfitted to  {}\nsize       {} bytes\nmade from  {:032x} (XXH3-128 of the text)\n",
        names(heads),
        counted(heads.rows(), "row"),
        grouped(heads.size() as u64),
        heads.source_digest()
    );
    for (head, name, sum) in sums(heads) {
        let _ = writeln!(
            out,
            "{head}: {name}, {} in 1/{} logit; reads {}",
            counted(sum.weights() as u64, "weight"),
            1_u32 << sum.shift(),
            families(sum).join(", ")
        );
    }
    let line = line(heads);
    if let (Some((first, _)), Some((last, _))) = (line.first(), line.last()) {
        let _ = writeln!(out, "WDL head: line of {} knots, {first} to {last} centipawns", line.len());
    }
    out
}

/// The same for programs.
#[must_use]
pub fn contents_json(heads: &Heads<'_>) -> Value {
    let of_sum = |(head, name, sum): (&str, &str, &Sum<'_>)| {
        json!({
            "head": head, "sum": name, "weights": sum.weights(), "unit": 1_u32 << sum.shift(), "families": families(sum),
        })
    };
    let line: Vec<_> = line(heads).into_iter().map(|(knot, value)| json!([knot, f64::from(value) / 1024.0])).collect();
    json!({
        "version": VERSION,
        "heads": present(heads),
        "rows": heads.rows(),
        "bytes": heads.size(),
        "sums": sums(heads).into_iter().map(of_sum).collect::<Vec<_>>(),
        "line": line,
        "text_xxh3_128": format!("{:032x}", heads.source_digest()),
    })
}

/// What heads for engines say of a position, for White. What needs a head that is not there is `None`.
#[derive(Clone, Copy, Debug)]
pub struct Opinion {
    /// The evaluation that was given, in centipawns for White.
    pub eval: i32,
    /// Whether it was left out, and 0 was taken.
    pub is_default: bool,
    /// Who is to move.
    pub turn: Color,
    /// The draw head's score.
    pub draw: Option<DrawScore>,
    /// White's expected score by the draw head, 0 to 1.
    pub expected: Option<f64>,
    /// What the gain head makes of evaluations.
    pub gain: Option<Gain>,
    /// White's W, D and L by the WDL head.
    pub wdl: Option<WdlPermille>,
    /// Threshold, slope and shift of the WDL head, in logits.
    pub sums: Option<[f64; 3]>,
}

impl Opinion {
    /// Asks heads about a position with this evaluation, in centipawns for White; without one with 0.
    #[must_use]
    pub fn of(heads: &Heads<'_>, board: &Board, eval: Option<i32>) -> Opinion {
        let (is_default, eval) = (eval.is_none(), eval.unwrap_or(0));
        let is_white = board.turn() == Color::White;
        let own = Centipawns(if is_white { eval } else { eval.saturating_neg() });
        let expected = heads.expected(board, own);
        let for_white = |wdl: WdlPermille| WdlPermille { win: wdl.loss, draw: wdl.draw, loss: wdl.win };
        let sums = heads.wdl_head().map(|head| {
            let values = values(board, head.sums());
            head.sums().map(|sum| sum.raw(&values) as f64 / f64::from(1_u32 << sum.shift()))
        });
        Opinion {
            eval,
            is_default,
            turn: board.turn(),
            draw: heads.draw_score(board),
            expected: expected.map(|own| if is_white { own.to_f64() } else { own.flip().to_f64() }),
            gain: heads.gain(board),
            wdl: heads.wdl(board, own).map(|wdl| if is_white { wdl } else { for_white(wdl) }),
            sums,
        }
    }

    /// In lines, one or two for each head. `remark` is what a program adds to an evaluation that was not given.
    #[must_use]
    pub fn text(&self, remark: &str) -> String {
        let remark = if self.is_default { remark } else { "" };
        let mut out = format!("evaluation {} centipawns for White{remark}{}\n", self.eval, whose(self.turn));
        if let (Some(score), Some(expected)) = (self.draw, self.expected) {
            let _ = writeln!(
                out,
                "draw head  drawScore {:+.3} logit ({} / 256), expected score {:.1} % for White",
                score.to_logit(),
                score.0,
                100.0 * expected
            );
        }
        if let Some(gain) = self.gain {
            let _ = writeln!(
                out,
                "gain head  {:.3} times its mean: the evaluation becomes {}",
                f64::from(gain.gain) / f64::from(gain.mean.max(1)),
                gain.apply(Centipawns(self.eval)).0
            );
        }
        if let (Some(wdl), Some([threshold, slope, shift])) = (self.wdl, self.sums) {
            let _ = writeln!(out, "WDL head   wdl {} {} {} for White", wdl.win, wdl.draw, wdl.loss);
            let _ = writeln!(
                out,
                "           sums: threshold {threshold:+.3}, slope {slope:+.3}, shift {shift:+.3} logits"
            );
        }
        out
    }

    /// The same for programs.
    #[must_use]
    pub fn json(&self) -> Value {
        let Opinion { eval, draw, expected, gain, wdl, sums, .. } = self;
        let sums = sums.map(|[threshold, slope, shift]| numbers(WdlScores { threshold, slope, shift }));
        json!({
            "eval": eval,
            "draw_score": draw.map(|score| score.0),
            "expected": expected,
            "gain": gain.map(|gain| f64::from(gain.gain) / f64::from(gain.mean)),
            "gain_eval": gain.map(|gain| gain.apply(Centipawns(*eval)).0),
            "threshold": sums.map(|[threshold, _, _]| threshold),
            "slope": sums.map(|[_, slope, _]| slope),
            "shift": sums.map(|[_, _, shift]| shift),
            "wdl": wdl.map(|wdl| [wdl.win, wdl.draw, wdl.loss]),
        })
    }
}

/// Engines give evaluations for the side to move, so that Black's sign is easily mistaken.
fn whose(turn: Color) -> &'static str {
    if turn == Color::Black { "; Black is to move, and the evaluation is White's" } else { "" }
}

/// Threshold and slope as factors, the shift in logits, each within its limits.
fn numbers(scores: WdlScores) -> [f64; 3] {
    let WdlScores { threshold, slope, shift } = scores;
    [
        threshold.clamp(THRESHOLD_RANGE.0, THRESHOLD_RANGE.1).exp(),
        slope.clamp(SLOPE_RANGE.0, SLOPE_RANGE.1).exp(),
        shift.clamp(-LARGEST_SHIFT, LARGEST_SHIFT),
    ]
}

/// What a WDL head says of a position by its definition, for White.
#[derive(Clone, Copy, Debug)]
pub struct WdlOpinion {
    eval: i32,
    is_default: bool,
    last_knot: f64,
    turn: Color,
    rates: Wdl<f64>,
    scores: WdlScores,
}

impl WdlOpinion {
    /// Asks the model about a position with this evaluation, in centipawns for White; without one with 0.
    #[must_use]
    pub fn of(model: &WdlModel, view: &View, eval: Option<i32>) -> WdlOpinion {
        let (is_default, eval) = (eval.is_none(), eval.unwrap_or(0));
        let mut values = [0; features::COUNT];
        features::fill(view, &mut values);
        WdlOpinion {
            eval,
            is_default,
            last_knot: model.last_knot(),
            turn: view.board().turn(),
            rates: model.wdl(&values, eval),
            scores: model.scores(&values),
        }
    }

    /// White's expected score.
    fn score(&self) -> f64 {
        self.rates.wins + self.rates.draws / 2.0
    }

    /// In lines. `remark` is what a program adds to an evaluation that was not given.
    #[must_use]
    pub fn text(&self, remark: &str) -> String {
        let (WdlOpinion { eval, rates, .. }, shown) = (self, permille(self.rates));
        let remark = if self.is_default { remark } else { "" };
        let [threshold, slope, shift] = numbers(self.scores);
        let counts_as = match eval.saturating_abs() {
            size if size >= DECIDED => ", which counts as decided".to_owned(),
            size if f64::from(size) > self.last_knot => {
                format!(
                    ", which counts as {}: the head does not tell larger ones apart",
                    self.last_knot.copysign((*eval).into())
                )
            }
            _ => String::new(),
        };
        format!(
            "evaluation {eval} centipawns for White{counts_as}{remark}{}\n\
             width of the draw zone {threshold:.3}, weight of the evaluation {slope:.3} (factors), shift to White {shift:+.3} logit\n\
             W {:.2} %  D {:.2} %  L {:.2} %  score {:.2} %\n\
             an engine displays  wdl {} {} {} for White\n",
            whose(self.turn),
            100.0 * rates.wins,
            100.0 * rates.draws,
            100.0 * rates.losses,
            100.0 * self.score(),
            shown.wins,
            shown.draws,
            shown.losses,
        )
    }

    /// The same for programs.
    #[must_use]
    pub fn json(&self) -> Value {
        let shown = permille(self.rates);
        let [threshold, slope, shift] = numbers(self.scores);
        json!({
            "eval": self.eval,
            "threshold": threshold,
            "slope": slope,
            "shift": shift,
            "win": self.rates.wins,
            "draw": self.rates.draws,
            "loss": self.rates.losses,
            "score": self.score(),
            "wdl": [shown.wins, shown.draws, shown.losses],
        })
    }
}

/// How the fit of a draw head and a gain head has ended.
#[must_use]
pub fn fitted(heads: &HeadsFile) -> String {
    let is_loose = !heads.rules.is_empty() && heads.rules.iter().all(|rule| is_of_positions(rule));
    let events = || format!("of {}", counted(heads.events as u64, "event"));
    let of = if is_loose { LOOSE.to_owned() } else { events() };
    let mut out = format!("{} {of}: {}\n\n", counted(heads.rows as u64, "row"), results(heads.results));
    for (name, head) in [("draw head", &heads.draw), ("gain head", &heads.gain)] {
        let count = |list: &[Weighted]| list.iter().map(|weighted| weighted.weights.len()).sum::<usize>();
        out.push_str(&format!(
            "{name}: {} over {}, and {} of its win/loss score\n  loss {:.5} bits a row; {:+.6} with weights in whole 1/{} logit\n",
            counted(count(&head.score) as u64, "weight"),
            counted(head.score.len() as u64, "term"),
            count(&head.win),
            head.loss,
            head.quantised_loss - head.loss,
            1_u32 << head.shift,
        ));
        if let Some(kappa) = head.kappa {
            let error = head.kappa_error.map_or_else(String::new, |error| format!(" (standard error {error:.3})"));
            out.push_str(&format!("  kappa {kappa:.3}{error}\n"));
        }
        if let Some(residual) = &head.residual {
            out.push_str(&format!(
                "  {} shifted, standard deviation of the prior {:.3} logit\n",
                counted(residual.shifts.iter().filter(|&&shift| shift != 0).count() as u64, "structure"),
                residual.variance.sqrt()
            ));
        }
    }
    if heads.draw.kappa_error.is_some() {
        out.push_str(&format!("\n{KAPPA_IS_BIASED}\n"));
    }
    out
}
