//! `drawish tune --within`: heads fitted to what searches say of the moves of one position.

use std::ffi::OsString;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Error, Result, anyhow, ensure};
use indicatif::ProgressBar;

use super::super::heads::Places;
use super::super::progress::{bar_of, moved, progress_bar};
use super::super::{output, problems};
use super::{Args, read_terms};
use drawish::contest::read_form;
use drawish::fit::export::HeadsOf;
use drawish::pgn::{Input, expand_inputs};
use drawish::report::text::counts::{Hint, why_nothing};
use drawish::report::text::within as text;
use drawish::within::{Fitted, PRIORS, Standing, Within, WithinError};

const HEADING: &str = "Within roots";
/// Options for fits to results. Where one is given, clap no longer asks for the --within that it excludes.
const OF_RESULTS: [&str; 4] = ["ratings", "residual", "kappa", "gain_on"];
/// Which games count is no option here.
const NO_OPTION: Hint = |_| None;

/// What is searched.
#[derive(clap::Args)]
pub(super) struct WithinArgs {
    /// Fit to searches of the moves of one position, instead of results: FILES are games
    ///
    /// Roots are drawn from the games, and the position behind each quiet move that is nearly the best is searched by the
    /// engine. The gain head is fitted to how the scores of the moves of one root differ, beside their static evaluations: what
    /// to prefer, not what wins. The draw head is fitted to the probability of a draw that the score stands for.
    #[arg(long, help_heading = HEADING, conflicts_with_all = OF_RESULTS)]
    pub within: bool,
    /// Where labels are written as they are found: a run with the same games and settings, be it with other --roots or terms,
    /// searches only what is missing there
    #[arg(long, value_name = "FILE", requires = "within", help_heading = HEADING, conflicts_with_all = OF_RESULTS)]
    labels: Option<PathBuf>,
    /// Nodes behind each move [default: 2000]
    #[arg(long, value_name = "N", requires = "within", help_heading = HEADING, conflicts_with_all = OF_RESULTS, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Compare moves at most so far below the best one by their static evaluation [default: 150]
    #[arg(long, value_name = "CP", requires = "within", help_heading = HEADING, conflicts_with_all = OF_RESULTS, value_parser = clap::value_parser!(i32).range(1..))]
    window: Option<i32>,
    /// Directories of Syzygy tables: roots have no more men than the largest, and labels are what tables know, not searches
    #[arg(long, value_name = "DIR[:DIR]", requires = "within", help_heading = HEADING, conflicts_with_all = OF_RESULTS)]
    syzygy: Option<OsString>,
    /// Roots at most, drawn at random [default: 10000]
    #[arg(long, value_name = "N", requires = "within", help_heading = HEADING, conflicts_with_all = OF_RESULTS, value_parser = clap::value_parser!(u32).range(1..))]
    roots: Option<u32>,
    /// Roots of each game, at most [default: 1]
    #[arg(long, value_name = "N", requires = "within", help_heading = HEADING, conflicts_with_all = OF_RESULTS)]
    per_game: Option<NonZeroU32>,
    /// Fit the numbers of this form instead of heads, and write a form: one step from where they stand; begin again from the
    /// result, with the same --labels, where it was large
    #[arg(long, value_name = "FILE", requires = "within", help_heading = HEADING, conflicts_with_all = OF_RESULTS, conflicts_with_all = ["terms", "gain_terms", "prior"])]
    form: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> Result<ExitCode> {
    let own = &args.within;
    let form = own.form.as_deref().map(read_form).transpose()?;
    let places = if form.is_some() { None } else { Some(Places::of(&args.output)?) };
    let inputs = expand_inputs(&args.files)?;
    ensure!(!inputs.iter().any(Input::is_of_positions), "--within needs games: files of positions have none");
    check_files(args, &inputs)?;
    let bar = progress_bar(&inputs, args.summary.quiet);
    let progress = moved(&bar);
    let within = configured(args, Within::new(inputs).progress(&progress))?;
    let labelling = bar_of("{bar:40} {pos} of {len} roots searched, {eta} left", None, args.summary.quiet);
    let mut begun = false;
    let observe = |standing: Standing| {
        if !begun {
            begun = true;
            bar.finish_and_clear();
        }
        show(&labelling, standing);
    };
    let fitted = match &form {
        Some(form) => within.run_form(form, observe).map(Fitted::from),
        None => within.run(observe).map(Fitted::from),
    };
    bar.finish_and_clear();
    labelling.finish_and_clear();
    let fitted = match fitted {
        Err(WithinError::NoPositions { tally, problems: of_inputs }) => {
            problems::complain(&of_inputs, "used");
            match why_nothing(&tally, "used", |_| "Roots are positions from move 8 on of standard games with a result.")
            {
                Some(why) => output::warn(why),
                None => {
                    output::warn("no position could be sampled: take games that go beyond move 8, or to so few men")
                }
            }
            return Ok(ExitCode::FAILURE);
        }
        fitted => fitted.map_err(advised)?,
    };
    let failed = problems::complain(&fitted.compared().problems, "used");
    match (&fitted, &places) {
        (Fitted::Heads(fitted), Some(places)) => places.write(HeadsOf::from(&fitted.heads))?,
        (Fitted::Form(fitted), _) => {
            args.output.iter().try_for_each(|path| output::write(path, fitted.form.to_toml().as_bytes()))?;
        }
        (Fitted::Heads(_), None) => {}
    }
    fitted.remarks().iter().for_each(output::warn);
    output::print_beside(&args.output, args.summary.text(|| text::json(&fitted), || text::text(&fitted, NO_OPTION)))?;
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn check_files(args: &Args, inputs: &[Input]) -> Result<()> {
    let own = &args.within;
    ensure!(!own.labels.as_deref().is_some_and(output::is_standard), "--labels needs a file, not standard output");
    let named = args.output.iter().map(|path| ("-o", path)).chain(own.labels.as_ref().map(|path| ("--labels", path)));
    output::check_named(named)?;
    let read = args.terms.iter().chain(&args.gain_terms).chain(&own.form).map(PathBuf::as_path);
    output::check(args.output.iter().chain(&own.labels), output::files(inputs).chain(read))
}

fn configured<'a>(args: &Args, within: Within<'a>) -> Result<Within<'a>> {
    let own = &args.within;
    let within = within.priors(args.priors(PRIORS)).threads(args.threads.number());
    let within = within.draw_terms(read_terms(args.terms.as_deref())?);
    let within = within.gain_terms(read_terms(args.gain_terms.as_deref())?);
    let within = within.nodes(own.nodes).window(own.window).per_game(own.per_game);
    let within = within.roots(own.roots.map(|roots| roots as usize));
    let within = within.syzygy(own.syzygy.iter().flat_map(std::env::split_paths).collect());
    Ok(if let Some(path) = &own.labels { within.labels(path) } else { within })
}

fn show(bar: &ProgressBar, standing: Standing) {
    if standing.roots == standing.found {
        bar.set_length(standing.of as u64);
        bar.reset_eta();
    }
    bar.set_position(standing.roots as u64);
}

fn advised(error: WithinError) -> Error {
    match error {
        WithinError::TooFewGames { .. } => anyhow!("{error}; or widen --window"),
        WithinError::NoNumbers => anyhow!("{error}, as `drawish form` writes it"),
        _ => error.into(),
    }
}
