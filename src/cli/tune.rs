//! `drawish tune`: rows to heads.

mod within;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Error, Result, anyhow, ensure};
use serde_json::json;

use self::within::WithinArgs;
use super::args::{SummaryArgs, ThreadsArg};
use super::heads::{self, Places};
use super::progress::{fit_bar, fitting};
use super::{output, rows};
use drawish::fit::export::HeadsOf;
use drawish::fit::{Priors, Remark, Tune, TuneError, specs};
use drawish::frames::open_rows;
use drawish::heads::Term;
use drawish::report::text::heads::fitted;

/// Fit the draw head and the gain head to rows
///
/// The draw head is fitted to win, draw and loss together with a win/loss score of its own: D = sigmoid(v - kappa ln(2
/// cosh(w/2))), where v is the sum of its terms. It is calibrated: use it for display, contempt and analysis. The gain head is
/// fitted to the expected score: P = sigmoid(e^v w). It depends on how much a lead counts, never on who leads; in the project's
/// matches it played worse than no head. Standard errors are robust to dependence within events and among games that begin
/// alike; how far priors hold weights back is not in them.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    drawish tune rows.parquet -o heads.toml\n  \
    drawish tune human.parquet tcec.parquet -o heads.toml -o heads.heads -o heads.h\n  \
    drawish tune heads.toml -o heads.heads\n  \
    drawish tune rows.parquet -o mine.toml --terms mine.terms --residual\n  \
    drawish tune --within games.pgn.zst --labels labels.jsonl -o heads.toml\n\n\
    A file of terms has one on each line: `npm`, `rams @ 1,2,4` (a weight for each band), or\n\
    `pawns @ 4,8 * phase @ 6,14` (a weight for each pair of bands).")]
pub(super) struct Args {
    /// Row files of `drawish positions`; or one .toml of heads, which is written in other forms; with --within games
    #[arg(required = true, value_name = "ROWS")]
    files: Vec<PathBuf>,
    /// Where to write the heads: .toml to read and keep, .heads for engines, .rs the same as a Rust module, .h as a C header;
    /// several are possible
    #[arg(short, long, required = true, value_name = "FILE")]
    output: Vec<PathBuf>,
    /// Terms of the draw head instead of the built-in ones
    #[arg(long, value_name = "FILE")]
    terms: Option<PathBuf>,
    /// Terms of the gain head instead of the built-in ones
    #[arg(long, value_name = "FILE")]
    gain_terms: Option<PathBuf>,
    /// Fit the gain head to these rows, and to the evaluations in them instead of a win/loss score of its own: for an
    /// engine with that evaluation (positions --static)
    #[arg(long, num_args = 1.., value_name = "ROWS")]
    gain_on: Vec<PathBuf>,
    /// kappa of the draw head: fit, or a number (0 is van Kervinck's model, 1 Davidson's)
    #[arg(long, default_value = "fit", value_parser = parse_kappa, value_name = "KAPPA")]
    kappa: Kappa,
    /// Take the players' ratings as covariates: the mean in the draw score, the difference in the win/loss score
    #[arg(long)]
    ratings: bool,
    /// Add what each structure adds to the gain head (bg-sym, 1,072 classes), with a normal prior
    #[arg(long)]
    residual: bool,
    /// Standard deviation of the prior of what one standard deviation of a feature does, in logits [default: 0.5; with --within: 0.1]; those of
    /// what the largest value of a feature does (4 times as wide), of bands and of pairs of bands become as many times as wide
    #[arg(long, value_parser = parse_prior, value_name = "LOGITS")]
    prior: Option<f64>,
    #[command(flatten)]
    within: WithinArgs,
    #[command(flatten)]
    threads: ThreadsArg,
    #[command(flatten)]
    summary: SummaryArgs,
}

#[derive(Clone, Copy)]
struct Kappa(Option<f64>);

fn parse_kappa(text: &str) -> Result<Kappa, &'static str> {
    match text.parse() {
        _ if text == "fit" => Ok(Kappa(None)),
        Ok(kappa) if (0.0..=16.0).contains(&kappa) => Ok(Kappa(Some(kappa))),
        _ => Err("expected fit or a number from 0 to 16"),
    }
}

impl Args {
    /// Priors with the one that is asked for.
    fn priors(&self, usual: Priors) -> Priors {
        self.prior.map_or(usual, |linear| usual.with_linear(linear))
    }
}

fn parse_prior(text: &str) -> Result<f64, &'static str> {
    let prior = text.parse().ok().filter(|prior: &f64| prior.is_finite() && *prior > 0.0);
    prior.ok_or("expected a number above 0, as in 0.3")
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    if args.within.within {
        return within::run(&args);
    }
    let places = Places::of(&args.output)?;
    let terms = args.terms.iter().chain(&args.gain_terms);
    output::check(&args.output, args.files.iter().chain(&args.gain_on).chain(terms))?;
    if let Some(file) = heads::only_text(&args.files) {
        return convert(file, &places, &args);
    }
    ensure!(
        !args.ratings || places.are_texts(),
        "an engine knows no ratings: heads by --ratings are written as .toml only"
    );
    let files = open_rows(&args.files)?;
    let gain_files = open_rows(&args.gain_on)?;
    [&files, &gain_files].into_iter().for_each(rows::warn_of_rules);
    let bar = fit_bar(args.summary.quiet);
    let progress = fitting(&bar);
    let mut tune = Tune::new(&files)
        .progress(&progress)
        .ratings(args.ratings)
        .residual(args.residual)
        .priors(args.priors(Priors::default()))
        .draw_terms(read_terms(args.terms.as_deref())?)
        .gain_terms(read_terms(args.gain_terms.as_deref())?)
        .threads(args.threads.number());
    if let Kappa(Some(kappa)) = args.kappa {
        tune = tune.kappa(kappa);
    }
    if !args.gain_on.is_empty() {
        tune = tune.gain_on(&gain_files);
    }
    let tuned = tune.run().map_err(advised)?;
    bar.finish_and_clear();
    places.write(HeadsOf::from(&tuned.heads))?;
    for remark in &tuned.remarks {
        let option = if matches!(remark, Remark::NotConverged { .. }) { " by --prior" } else { "" };
        output::warn(format!("{remark}{option}"));
    }
    output::print_beside(&args.output, args.summary.text(|| json!(tuned.heads), || fitted(&tuned.heads)))?;
    super::done()
}

/// Heads that are fitted already, in other forms.
fn convert(file: &Path, places: &Places<'_>, args: &Args) -> Result<ExitCode> {
    let fits = args.terms.is_some() || args.gain_terms.is_some() || !args.gain_on.is_empty();
    if fits || args.prior.is_some() || args.ratings || args.residual || args.kappa.0.is_some() {
        return Err(anyhow!(
            "{} holds heads, which are written in another form and not fitted: leave out what is about the fit",
            file.display()
        ));
    }
    places.write(HeadsOf::from(&heads::read(file)?))?;
    super::done()
}

/// The terms of a file, if one is named.
fn read_terms(path: Option<&Path>) -> Result<Option<Vec<Term>>> {
    let read = |path: &Path| specs::parse_terms(&output::read_text(path)?).with_context(|| path.display().to_string());
    path.map(read).transpose()
}

fn advised(error: TuneError) -> Error {
    match error {
        TuneError::Unlearnable(error) => rows::unlearnable(error),
        TuneError::NoFiniteEnd => anyhow!("{error}, as in --prior 0.1"),
        _ => error.into(),
    }
}
