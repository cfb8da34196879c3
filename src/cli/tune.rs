//! `drawish tune`: rows to heads.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};
use drawish_core::{Scheme, Wdl};

use super::progress::ThreadsArg;
use super::{output, rows};
use drawish::features::Parity;
use drawish::fit::{
    Data, Fitted, Kernel, Objective, Priors, Shift, contenders, export, fit, mean_loss, residual, specs,
    standard_errors,
};
use drawish::heads::{CellShifts, Head, HeadsFile, Spec, Term, VERSION};
use drawish::provenance::made_by;

/// Fit the draw head and the gain head to rows
///
/// The draw head is fitted to win, draw and loss together with a win/loss score of its own: D = sigmoid(v - kappa
/// ln(2 cosh(w/2))), where v is the sum of its terms. It is calibrated: for display, contempt and analysis. The gain head is
/// fitted to the expected score: P = sigmoid(e^v w). It says how much a lead counts and never who leads: for play. Standard
/// errors are robust to dependence within events.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    drawish tune rows.parquet -o heads.toml\n  \
    drawish tune human.parquet tcec.parquet -o heads.toml -o heads.rs -o heads.h\n  \
    drawish tune rows.parquet -o mine.toml --terms mine.terms --residual\n\n\
    A file of terms has one on each line: `npm`, `rams @ 1,2,4` (a weight for each band), or\n\
    `pawns @ 4,8 * phase @ 6,14` (a weight for each pair of bands).")]
pub(super) struct Args {
    /// Row files of `drawish positions`
    #[arg(required = true, value_name = "ROWS")]
    files: Vec<PathBuf>,
    /// Where to write the heads: .toml to read and keep, .rs a Rust module, .h a C header; several are possible
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
    /// Add what each structure adds to both heads (bg-sym, 1,072 classes), with a normal prior
    #[arg(long)]
    residual: bool,
    /// Standard deviation of the prior of what one standard deviation of a feature does, in logits
    #[arg(long, default_value_t = Priors::default().linear, value_name = "LOGITS")]
    prior: f64,
    #[command(flatten)]
    threads: ThreadsArg,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
    /// Print nothing but errors
    #[arg(short, long, conflicts_with = "json")]
    quiet: bool,
}

#[derive(Clone, Copy)]
struct Kappa(Option<f64>);

fn parse_kappa(text: &str) -> Result<Kappa, String> {
    match text.parse() {
        _ if text == "fit" => Ok(Kappa(None)),
        Ok(kappa) if (0.0..=16.0).contains(&kappa) => Ok(Kappa(Some(kappa))),
        _ => Err("expected fit or a number from 0 to 16".to_owned()),
    }
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    ensure!(args.prior.is_finite() && args.prior > 0.0, "--prior: expected a number above 0, as in 0.3");
    for path in &args.output {
        ensure!(
            matches!(ending(path), "toml" | "rs" | "h"),
            "{}: no format of that ending; heads are written as .toml, .rs or .h",
            path.display()
        );
        output::check(path, &args.files)?;
    }
    let draw_terms = args.terms.as_deref().map_or_else(|| Ok(specs::tables()), read_terms)?;
    let gain_terms = args.gain_terms.as_deref().map_or_else(|| Ok(contenders::gain_terms()), read_terms)?;
    let files = rows::open(&args.files)?;
    let priors = Priors { linear: args.prior, ..Priors::default() };
    let threads = args.threads.number();
    let (mut draw_spec, _) = specs::joint(specs::win(), draw_terms);
    let (mut gain_spec, _) = specs::gain(specs::win(), gain_terms);
    let on_eval = !args.gain_on.is_empty();
    if on_eval {
        gain_spec.win = vec!["eval".parse()?];
        if args.gain_terms.is_none() {
            gain_spec.draw = specs::play();
        }
    }
    if args.ratings {
        draw_spec.win.push("elo_difference".parse()?);
        draw_spec.draw.push("mean_elo".parse()?);
        gain_spec.win.push("elo_difference".parse()?);
    }
    let draw_kernel = Kernel::WinDrawLoss { kappa: args.kappa.0 };
    let mut remarks = Vec::new();
    let mut facts = None;
    let mut tune = |files: &[_], spec: &Spec, kernel: Kernel, shift: Shift| -> Result<Head> {
        let data = rows::load(files, spec)?;
        rows::check(data.results())?;
        facts.get_or_insert((data.len(), data.events(), data.results()));
        let fitted = fit(&data, None, spec, kernel, priors, None, threads);
        ensure!(
            fitted.weights.iter().all(|weight| weight.is_finite()),
            "the fit has no finite end; take a narrower prior, as in --prior 0.1"
        );
        remarks.extend(rows::remarks(data.len(), data.events(), data.named_like("opening "), fitted.weights.len()));
        remarks.extend(remarks_of(&fitted, &data));
        let errors = standard_errors(&data, None, &fitted, priors, threads);
        let mut head = fit::head(&fitted, errors.as_deref());
        let (_, rounded) = head.quantised().model()?;
        let rounded_kernel = if kernel == Kernel::Gain { kernel } else { Kernel::of_draw_head(&head) };
        head.quantised_loss = mean_loss(&data, None, rounded_kernel, &rounded, threads);
        if args.residual {
            head.residual = Some(residual_of(&rows::load_one_a_game(files, spec)?, &fitted, shift));
        }
        Ok(head)
    };
    let draw = tune(&files, &draw_spec, draw_kernel, Shift::DrawScore)?;
    let gain_files = if on_eval { rows::open(&args.gain_on)? } else { Vec::new() };
    let gain = tune(if on_eval { &gain_files } else { &files }, &gain_spec, Kernel::Gain, Shift::Slope)?;
    remarks.sort();
    remarks.dedup();
    let (count, events, results) = facts.unwrap_or_default();
    let heads = HeadsFile {
        format: "heads".to_owned(),
        version: VERSION,
        made_by: made_by(),
        rows: count,
        events,
        results,
        rules: files.iter().chain(&gain_files).map(|(_, reader)| reader.provenance().rule.clone()).collect(),
        inputs: files.iter().chain(&gain_files).flat_map(|(_, reader)| reader.provenance().inputs.clone()).collect(),
        draw,
        gain,
    };
    for path in &args.output {
        let text = match ending(path) {
            "toml" => heads.to_toml()?,
            "rs" => export::to_rust(&heads)?,
            _ => export::to_c(&heads)?,
        };
        output::write(path, text.as_bytes())?;
    }
    for remark in &remarks {
        output::complain(format!("drawish: {remark}\n"));
    }
    if args.json {
        output::print(format!("{}\n", serde_json::to_string_pretty(&heads)?))?;
    } else if !args.quiet {
        output::print(summary(&heads))?;
    }
    super::done()
}

fn ending(path: &Path) -> &str {
    path.extension().and_then(|ending| ending.to_str()).unwrap_or_default()
}

/// A file of terms, which must be even.
fn read_terms(path: &Path) -> Result<Vec<Term>> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("{} cannot be read; check the name", path.display()))?;
    let terms = match specs::parse_terms(&text) {
        Ok(terms) => terms,
        Err((line, error)) => bail!("{}, line {line}: {error}", path.display()),
    };
    for term in &terms {
        if let Some(input) = term.inputs().find(|input| input.parity() == Parity::Odd) {
            bail!(
                "{}: {} changes its sign when the colours are exchanged and cannot make draws; take an even feature",
                path.display(),
                input.name()
            );
        }
    }
    ensure!(!terms.is_empty(), "{}: no terms", path.display());
    Ok(terms)
}

/// What was odd in a fit.
fn remarks_of(fitted: &Fitted, data: &Data) -> Vec<String> {
    let mut remarks = Vec::new();
    if !fitted.idle.is_empty() {
        remarks.push(format!(
            "the same in all rows, therefore without weight: {}",
            fitted
                .idle
                .iter()
                .map(|name| name.replace("_mg", "").replace("_eg", ""))
                .collect::<std::collections::BTreeSet<_>>()
                .into_iter()
                .collect::<Vec<_>>()
                .join(", ")
        ));
    }
    let separating = fitted.separating(data);
    if !separating.is_empty() {
        remarks.push(format!(
            "these separate the results almost completely, their weights rest on the prior: {}",
            separating.join(", ")
        ));
    }
    if !fitted.converged {
        remarks.push(format!(
            "a fit was ended after {} steps before it had converged; take a narrower --prior",
            fitted.steps
        ));
    }
    remarks
}

fn residual_of(data: &Data, fitted: &Fitted, shift: Shift) -> CellShifts {
    let threads = std::num::NonZero::<usize>::MIN;
    let objective = Objective { data, rows: None, kernel: fitted.kernel, precision: Vec::new(), threads };
    let kappa = fitted.kappa().unwrap_or(0.0);
    let scores: Vec<f64> = objective
        .scores(&fitted.weights)
        .into_iter()
        .map(|(w, v)| shift.score_of(fitted.kernel, w, v, kappa))
        .collect();
    let (outcomes, cells): (Vec<_>, Vec<_>) = (data.outcomes().collect(), data.cells().collect());
    let found = residual(shift, &scores, &outcomes, &cells, Scheme::BgSym.cells());
    CellShifts::new(Scheme::BgSym, found.variance, &found.shifts)
}

fn summary(heads: &HeadsFile) -> String {
    let Wdl { wins: white, draws, losses: black } = heads.results;
    let mut out = format!(
        "{} rows of {} events: {white} white wins, {draws} draws, {black} black wins\n\n",
        heads.rows, heads.events
    );
    for (name, head) in [("draw head", &heads.draw), ("gain head", &heads.gain)] {
        let count = |list: &[drawish::fit::Weighted]| list.iter().map(|weighted| weighted.weights.len()).sum::<usize>();
        out.push_str(&format!(
            "{name}: {} weights over {} terms, and {} of its win/loss score\n  loss {:.5} bits a row; {:+.6} with weights in whole 1/{} logit\n",
            count(&head.score),
            head.score.len(),
            count(&head.win),
            head.loss,
            head.quantised_loss - head.loss,
            1_u32 << head.shift,
        ));
        if let Some(kappa) = head.kappa {
            let error = head.kappa_error.map_or_else(String::new, |error| format!(" +- {error:.3}"));
            out.push_str(&format!("  kappa {kappa:.3}{error}\n"));
        }
        if let Some(residual) = &head.residual {
            out.push_str(&format!(
                "  {} structures shifted, standard deviation of the prior {:.3} logit\n",
                residual.shifts.iter().filter(|&&shift| shift != 0).count(),
                residual.variance.sqrt()
            ));
        }
    }
    out
}
