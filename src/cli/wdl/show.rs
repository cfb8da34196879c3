//! `drawish wdl show`: a model applied to an evaluation, and the inverse.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};

use super::show_head;
use crate::cli::args::numbers::{centipawns, evaluation, positive};
use crate::cli::{done, output};
use drawish::Kind;
use drawish::model::wdl::Mom;
use drawish::report::text::wdl_shown::{Shown, beware, overview, overview_json};
use drawish::wdl::fit::Normalization;
use drawish::wdl::{AskedEval, Model, parse_coefficients};

/// Show W, D, L, score and displayed evaluation of a model, or the evaluation with a given win rate, score or draw rate
///
/// A model by `wdl fit` (.json), or the coefficients of an engine, answers by material or move; a head by `wdl head` (.toml, .heads)
/// answers for one position, given by --fen. For models --internal takes an engine's own units, --eval centipawns as Stockfish shows
/// them: 100 are an even chance to win at that move or material (--static: at the anchor). Without a question some evaluations are
/// shown.
#[derive(clap::Args)]
#[command(
    group = clap::ArgGroup::new("question").args(["eval", "internal", "win", "score", "draw"]),
    after_help = "Examples:\n  \
    drawish wdl show model.json --eval 100 --material 58\n  \
    drawish wdl show model.json --internal 250 --material 30 --json\n  \
    drawish wdl show model.json --score 0.75 --move 32\n  \
    drawish wdl show head.toml --fen \"8/5k2/8/4b3/3p4/1B1P4/5K2/8 w - - 0 60\" --eval 90\n  \
    drawish wdl show --as 9.09,97.91,-280.45,266.18 --bs 66.08,-104.89,36.73,49.23 \\\n      \
        --eval 150 --material 40"
)]
pub(super) struct Args {
    /// A model by `drawish wdl fit` (.json), or with --fen a WDL head by `drawish wdl head` (.toml, .heads); - for standard input
    #[arg(value_name = "MODEL", required_unless_present = "coefficients_a")]
    model: Option<PathBuf>,
    /// Instead of a model: the four coefficients of p_a from the highest, as in an engine's as[]
    #[arg(long = "as", value_name = "C3,C2,C1,C0", value_parser = parse_coefficients, allow_hyphen_values = true, requires = "coefficients_b", conflicts_with = "model")]
    coefficients_a: Option<[f64; 4]>,
    /// The four coefficients of p_b
    #[arg(long = "bs", value_name = "C3,C2,C1,C0", value_parser = parse_coefficients, allow_hyphen_values = true, requires = "coefficients_a")]
    coefficients_b: Option<[f64; 4]>,
    /// With --as: the anchor
    #[arg(long, alias = "momTarget", default_value_t = 58.0, value_parser = positive, value_name = "N", conflicts_with = "model")]
    mom_target: f64,

    /// Material on the board: 9 Q + 5 R + 3 B + 3 N + P of both sides
    #[arg(long, value_name = "N", conflicts_with = "move_number", value_parser = clap::value_parser!(u32).range(..=255))]
    material: Option<u32>,
    /// Move number
    #[arg(long = "move", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    move_number: Option<u32>,

    /// An evaluation in centipawns as an engine shows it
    #[arg(long, alias = "cp", value_name = "CP", value_parser = centipawns, allow_hyphen_values = true)]
    eval: Option<f64>,
    /// An evaluation in the engine's own units
    #[arg(long, value_name = "X", value_parser = evaluation, allow_hyphen_values = true)]
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
    /// A position in quotes, of which a WDL head is asked; --eval is White's evaluation of it [default: 0]
    #[arg(long, value_name = "FEN", requires = "model", conflicts_with_all = OF_MODELS)]
    fen: Option<String>,
    /// The same as --fen
    #[arg(value_name = "FEN", hide = true, conflicts_with = "fen", conflicts_with_all = OF_MODELS)]
    position: Option<String>,
    /// With --eval: 100 centipawns are the same number of internal units everywhere
    #[arg(long = "static", requires = "eval", conflicts_with_all = NOT_SHOWN)]
    is_static: bool,
    /// With --eval: the engine shows centipawns by this other normalization: a pawn value, or JSON as for `wdl fit --normalize-data`
    #[arg(long, value_name = "N|JSON", requires = "eval", conflicts_with = "is_static", conflicts_with_all = NOT_SHOWN)]
    shown_by: Option<Normalization>,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

/// Questions without centipawns. Where one is given, clap no longer asks for the --eval that it excludes.
const NOT_SHOWN: [&str; 4] = ["internal", "win", "score", "draw"];

/// What is asked of models only: a head has neither a curve by material or move nor an inverse.
const OF_MODELS: [&str; 9] =
    ["coefficients_a", "material", "move_number", "is_static", "shown_by", "internal", "win", "score", "draw"];

pub(super) fn run(args: Args) -> Result<ExitCode> {
    if let (Some(fen), Some(path)) = (args.fen.as_ref().or(args.position.as_ref()), &args.model) {
        show_head::print(path, fen, args.eval, args.json)?;
        return done();
    }
    let asked = match (args.material, args.move_number) {
        (Some(material), _) => Some((Mom::Material, material)),
        (None, Some(number)) => Some((Mom::Move, number)),
        (None, None) => None,
    };
    let model = match (&args.model, args.coefficients_a.zip(args.coefficients_b)) {
        (Some(path), _) => load(path)?,
        (None, Some((a, b))) => {
            Model::from_coefficients(asked.map_or(Mom::Material, |(mom, _)| mom), args.mom_target, a, b)
        }
        (None, None) => bail!("give a model, or --as and --bs"),
    };
    let mom = model.mom_type;
    if let Some((asked, _)) = asked {
        ensure!(asked == mom, "this model depends on {mom}, not on {asked}: give --{mom}");
    }
    let at = asked.map_or(model.mom_target, |(_, at)| f64::from(at));
    let internal = internal(&args, &model, at)?;
    beware(&model, asked.map(|_| at), internal.is_some()).iter().for_each(output::warn);
    let Some(internal) = internal else {
        let at = asked.map(|_| at);
        output::print_as(args.json, || overview_json(&model, at), || overview(&model, at))?;
        return done();
    };
    let shown = Shown::of(&model, at, internal);
    output::print_as(args.json, || shown.json(), || shown.text())?;
    done()
}

fn load(path: &Path) -> Result<Model> {
    let bytes = output::read_bytes(path)?;
    let name = if output::is_standard(path) { "standard input".to_owned() } else { path.display().to_string() };
    match Kind::of(&bytes) {
        Some(Kind::WdlHead | Kind::EngineHeads) => bail!("{name}: a WDL head is asked about a position: give --fen"),
        Some(Kind::WdlModel) => Model::from_json(&String::from_utf8_lossy(&bytes)).with_context(|| name),
        kind => {
            let found = kind.map_or_else(String::new, |kind| format!("; found {}", kind.uses()));
            bail!("{name}: expected a WDL model, the .json that `drawish wdl fit -o` writes beside other forms{found}")
        }
    }
}

/// The internal evaluation that is asked about or asked for.
fn internal(args: &Args, model: &Model, at: f64) -> Result<Option<f64>> {
    let asked = match (args.internal, args.eval, args.win, args.score, args.draw) {
        (Some(x), ..) => AskedEval::Internal(x),
        (_, Some(eval), ..) => match &args.shown_by {
            Some(normalization) => AskedEval::ShownBy(eval, *normalization),
            None if args.is_static => AskedEval::Anchored(eval),
            None => AskedEval::Centipawns(eval),
        },
        (_, _, Some(win), ..) => AskedEval::Win(win),
        (.., Some(score), _) => AskedEval::Score(score),
        (.., Some(draw)) => AskedEval::Draw(draw),
        _ => return Ok(None),
    };
    Ok(Some(model.ask(asked, at)?))
}
