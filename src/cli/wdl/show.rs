//! `drawish wdl show`: a model applied to an evaluation, and the inverse.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use super::options::parse_normalization;
use crate::cli::{done, output};
use drawish::model::WinDrawLoss;
use drawish::model::wdl::{Cubic, Curve, Mom, WdlModel};
use drawish::wdl::fit::Normalization;

/// Show W, D, L, score and displayed evaluation of a model, or the evaluation with a given win rate, score or draw rate
///
/// The model is one that `wdl fit --json` wrote, or the coefficients of an engine. --internal takes an engine's own units,
/// --eval centipawns as Stockfish shows them: 100 are an even chance to win at that move or material (--static: at the anchor).
#[derive(clap::Args)]
#[command(
    group = clap::ArgGroup::new("question").required(true).args(["eval", "internal", "win", "score", "draw"]),
    after_help = "Examples:\n  \
    drawish wdl show model.json --eval 100 --material 58\n  \
    drawish wdl show model.json --internal 250 --material 30 --json\n  \
    drawish wdl show model.json --score 0.75 --move 32\n  \
    drawish wdl show --as 9.09,97.91,-280.45,266.18 --bs 66.08,-104.89,36.73,49.23 --eval 150 --material 40"
)]
pub(super) struct Args {
    /// A model by `drawish wdl fit --json`; - for standard input
    #[arg(value_name = "MODEL", required_unless_present = "coefficients_a")]
    model: Option<PathBuf>,
    /// Instead of a model: the four coefficients of p_a from the highest, as in an engine's as[]
    #[arg(long = "as", value_name = "C3,C2,C1,C0", value_parser = parse_four, allow_hyphen_values = true, requires = "coefficients_b", conflicts_with = "model")]
    coefficients_a: Option<[f64; 4]>,
    /// The four coefficients of p_b
    #[arg(long = "bs", value_name = "C3,C2,C1,C0", value_parser = parse_four, allow_hyphen_values = true, requires = "coefficients_a")]
    coefficients_b: Option<[f64; 4]>,
    /// With --as: the anchor
    #[arg(long, alias = "momTarget", default_value_t = 58.0, value_parser = super::options::parse_positive, value_name = "N", conflicts_with = "model")]
    mom_target: f64,

    /// Material on the board: 9 Q + 5 R + 3 B + 3 N + P of both sides
    #[arg(long, value_name = "N", conflicts_with = "move_number", value_parser = clap::value_parser!(u32).range(..=255))]
    material: Option<u32>,
    /// Move number
    #[arg(long = "move", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    move_number: Option<u32>,

    /// An evaluation in centipawns as an engine shows it
    #[arg(long, value_name = "CP", value_parser = super::options::parse_eval, allow_hyphen_values = true)]
    eval: Option<f64>,
    /// An evaluation in the engine's own units
    #[arg(long, value_name = "X", value_parser = super::options::parse_eval, allow_hyphen_values = true)]
    internal: Option<f64>,
    /// A win rate between 0 and 1: which evaluation has it?
    #[arg(long, value_name = "RATE")]
    win: Option<f64>,
    /// An expected score between 0 and 1: which evaluation has it?
    #[arg(long, value_name = "SCORE")]
    score: Option<f64>,
    /// A draw rate between 0 and 1: which evaluation of at least 0 has it?
    #[arg(long, value_name = "RATE")]
    draw: Option<f64>,
    /// With --eval: 100 centipawns are the same number of internal units everywhere
    #[arg(long = "static", requires = "eval")]
    is_static: bool,
    /// With --eval: the engine shows centipawns by this other normalization: a pawn value, or JSON as for `wdl fit --normalize-data`
    #[arg(long, value_name = "N|JSON", requires = "eval", conflicts_with = "is_static")]
    shown_by: Option<String>,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    let model = Model::read(&args)?;
    let asked = match (args.material, args.move_number) {
        (Some(material), _) => Some((Mom::Material, material)),
        (None, Some(number)) => Some((Mom::Move, number)),
        (None, None) => None,
    };
    let at = match asked {
        Some((mom, at)) => {
            ensure!(
                args.model.is_none() || mom == model.mom,
                "this model depends on {}, not on {mom}: give --{}",
                model.mom,
                model.mom
            );
            f64::from(at)
        }
        None => model.target,
    };
    let curve = model.curve(at);
    let pawn = model.curve(model.target).a;
    let x = internal(&args, curve, pawn, at)?;
    let rates = curve.rates(x);
    let text = if args.json {
        format!("{:#}\n", to_json(&model, at, curve, pawn, x, rates))
    } else {
        to_text(&model, at, curve, pawn, x, rates)
    };
    output::print(text)?;
    done()
}

/// The internal evaluation that is asked about or asked for.
fn internal(args: &Args, curve: Curve, pawn: f64, at: f64) -> Result<f64> {
    let none = |what: &str, rate: f64| {
        format!(
            "no evaluation has {what} of {rate} there: a = {:.2}, b = {:.2}; expected a number between 0 and 1 that the model reaches",
            curve.a, curve.b
        )
    };
    if let Some(x) = args.internal {
        return Ok(x);
    }
    if let Some(centipawns) = args.eval {
        let per_pawn = match &args.shown_by {
            Some(text) => match text.parse() {
                Ok(value) => value,
                Err(_) => match parse_normalization(text).with_context(|| format!("--shown-by {text}"))? {
                    Normalization::Static(value) => value,
                    Normalization::Dynamic { min, max, target, a, .. } => Cubic(a).at(at.clamp(min, max) / target),
                },
            },
            None if args.is_static => pawn,
            None => curve.a,
        };
        return Ok(centipawns * per_pawn / 100.0);
    }
    let (found, what, rate) = match (args.win, args.score, args.draw) {
        (Some(win), ..) => (curve.eval_of_win(win), "a win rate", win),
        (_, Some(score), _) => (curve.eval_of_score(score), "a score", score),
        (_, _, Some(draw)) => (curve.eval_of_draw(draw), "a draw rate", draw),
        _ => bail!("give --eval, --internal, --win, --score or --draw"),
    };
    found.with_context(|| none(what, rate))
}

/// A model of any shape: its curve at each value of mom, or its cubics.
struct Model {
    mom: Mom,
    target: f64,
    kind: Kind,
}

enum Kind {
    Cubic(WdlModel),
    /// mom, a and b, in rising order.
    Curve(Vec<(f64, f64, f64)>),
}

impl Model {
    fn read(args: &Args) -> Result<Model> {
        let Some(path) = &args.model else {
            let (Some(a), Some(b)) = (args.coefficients_a, args.coefficients_b) else {
                bail!("give a model, or --as and --bs")
            };
            let (a, b) = (Cubic(a), Cubic(b));
            let mom = if args.move_number.is_some() { Mom::Move } else { Mom::Material };
            let target = args.mom_target;
            let model = WdlModel { mom, min: 0.0, max: f64::INFINITY, target, a, b };
            return Ok(Model { mom, target, kind: Kind::Cubic(model) });
        };
        let text = if output::is_standard(path) {
            std::io::read_to_string(std::io::stdin())
        } else {
            std::fs::read_to_string(path)
        };
        let text = text.with_context(|| format!("{} cannot be read; check the name", path.display()))?;
        Model::of_json(&text)
            .with_context(|| format!("{}: expected what `drawish wdl fit --json` writes", display(path)))
    }

    fn of_json(text: &str) -> Result<Model> {
        let value: Value = serde_json::from_str(text)?;
        let number = |name: &str| value[name].as_f64().with_context(|| format!("no number {name:?}"));
        let mom = match value["mom_type"].as_str() {
            Some("move") => Mom::Move,
            Some("material") => Mom::Material,
            _ => bail!("no \"mom_type\""),
        };
        let target = number("mom_target")?;
        let list = |name: &str| -> Result<Vec<f64>> {
            let list = value[name].as_array().with_context(|| format!("no list {name:?}"))?;
            Ok(list.iter().filter_map(Value::as_f64).collect())
        };
        let cubic = |name: &str| -> Result<Cubic> {
            let list = list(name)?;
            let first = list.get(..4).and_then(|list| <[f64; 4]>::try_from(list).ok());
            first.map(Cubic).with_context(|| format!("{name:?} has fewer than four numbers"))
        };
        let kind = if value["shape"].as_str().is_none_or(|shape| shape == "cubic") {
            let (min, max) = (number("mom_min")?, number("mom_max")?);
            ensure!(min <= max && target > 0.0, "\"mom_min\" is above \"mom_max\", or \"mom_target\" is not above 0");
            Kind::Cubic(WdlModel { mom, min, max, target, a: cubic("as")?, b: cubic("bs")? })
        } else {
            let points = value["curve"].as_array().context("no \"curve\"")?;
            let curve: Vec<_> = points
                .iter()
                .filter_map(|point| Some((point["mom"].as_f64()?, point["a"].as_f64()?, point["b"].as_f64()?)))
                .collect();
            ensure!(!curve.is_empty(), "\"curve\" is empty");
            Kind::Curve(curve)
        };
        Ok(Model { mom, target, kind })
    }

    fn curve(&self, at: f64) -> Curve {
        match &self.kind {
            Kind::Cubic(model) => model.curve(at),
            Kind::Curve(points) => {
                let behind = points.iter().position(|point| point.0 >= at).unwrap_or(points.len() - 1);
                let (before, behind) = (points[behind.saturating_sub(1)], points[behind]);
                let width = behind.0 - before.0;
                let share = if width > 0.0 { ((at - before.0) / width).clamp(0.0, 1.0) } else { 1.0 };
                let between = |one: f64, other: f64| one + share * (other - one);
                Curve::new(between(before.1, behind.1), between(before.2, behind.2))
            }
        }
    }
}

fn display(path: &Path) -> String {
    if output::is_standard(path) { "standard input".to_owned() } else { path.display().to_string() }
}

fn to_text(model: &Model, at: f64, curve: Curve, pawn: f64, x: f64, rates: WinDrawLoss) -> String {
    let [win, draw, loss]: [i32; 3] = rates.permille().into();
    format!(
        "{mom} {at}: a = {:.2}, b = {:.2} internal units\n\
         internal evaluation {x:.2}\n\
         W {:.2} %  D {:.2} %  L {:.2} %  score {:.2} %\n\
         an engine displays  cp {} (by {mom}) or {} (static, {} to the pawn)  wdl {win} {draw} {loss}\n",
        curve.a,
        curve.b,
        100.0 * rates.win,
        100.0 * rates.draw,
        100.0 * rates.loss,
        100.0 * rates.expected_score(),
        (100.0 * x / curve.a).round(),
        (100.0 * x / pawn).round(),
        pawn.round(),
        mom = model.mom,
    )
}

fn to_json(model: &Model, at: f64, curve: Curve, pawn: f64, x: f64, rates: WinDrawLoss) -> Value {
    json!({
        "mom_type": model.mom.to_string(),
        "mom": at,
        "a": curve.a,
        "b": curve.b,
        "internal": x,
        "win": rates.win,
        "draw": rates.draw,
        "loss": rates.loss,
        "score": rates.expected_score(),
        "wdl": <[i32; 3]>::from(rates.permille()),
        "cp": 100.0 * x / curve.a,
        "cp_static": 100.0 * x / pawn,
    })
}

fn parse_four(text: &str) -> Result<[f64; 4], String> {
    let numbers: Vec<f64> = text.split(',').filter_map(|number| number.trim().parse().ok()).collect();
    <[f64; 4]>::try_from(numbers)
        .ok()
        .filter(|_| text.matches(',').count() == 3)
        .ok_or_else(|| "expected four numbers with commas between, as in 9.1,97.9,-280.4,266.2".to_owned())
}
