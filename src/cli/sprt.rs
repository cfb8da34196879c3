//! `drawish sprt`: what the results of a match mean, and what a match will take.

mod plan;
mod sources;

use std::process::ExitCode;

use anyhow::{Result, bail};

use super::args::choice::by_name;
use super::args::sprt::sprt as of_words;
use super::{Usage, done, output, usage};
use drawish::report::text::{sprt as text, tournament};
use drawish::results::{Against, Choice, Run, judge, named_test};
use drawish::stats::{AnalysisError, EloZero, Model, Sprt, SprtError};

/// Judge the results of a match: Elo, LOS, LLR and the verdict; plan a match
///
/// RESULTS are match logs of drawish, PGN, or what fastchess, cutechess, OpenBench and fishtest print: as files
/// (plain or compressed), from standard input, or pasted as arguments. Games in PGN are paired by round and opening (FEN or book
/// moves) with colours reversed. Several runs are added, and it is reported whether they fit together. With --elo0 and --elo1 the
/// results are also judged by an SPRT; without, by the one that a match log names or that is printed with them, if there is one. Of PGN or of the log of a
/// tournament with more than two engines, --first and --against choose two, or one against others; of the log of a tournament alone,
/// without that choice, the table of Elo is printed.
#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    allow_negative_numbers = true,
    group(clap::ArgGroup::new("results").required(true).args(["sources", "penta", "wdl"])),
    after_help = "Examples:\n  \
        drawish sprt match.jsonl --sprt elo0=0 elo1=5\n  \
        drawish sprt games.pgn.gz\n  \
        drawish sprt roundrobin.pgn --first new --against all\n  \
        drawish sprt '[50, 287, 610, 387, 73]'\n  \
        drawish sprt 'W: 716 L: 591 D: 2163' --elo0 0 --elo1 6 --model logistic --json\n  \
        drawish sprt --penta 39 2226 31451 2412 40 --elo0 -3 --elo1 1 --equivalence 2\n  \
        drawish sprt plan --elo0 0 --elo1 5 --draw-ratio 0.6 --bias 60 --games-per-hour 2000\n\n\
        Exit codes: 0 judged, whatever the verdict, which is in the text and in the JSON; 1 failed, 2 wrong usage."
)]
pub(super) struct Args {
    #[command(subcommand)]
    verb: Option<Verb>,
    /// Match logs, PGN, or printed results, as files or as they are; - for standard input
    #[arg(value_name = "RESULTS")]
    sources: Vec<String>,
    /// Side whose Elo is reported [default: the first side of a log; in PGN, White of the first game of the first round]
    #[arg(long, value_name = "NAME")]
    first: Option<String>,
    /// Opponent of --first, where there are more than two engines; several are taken together, and "all" is every other engine
    #[arg(long, value_name = "NAME", requires = "first")]
    against: Vec<String>,
    /// Pairs with 0, 1/2, 1, 3/2 and 2 points for the first side, with blanks or commas between
    #[arg(long, num_args = 1..=5, value_names = ["LL", "LD", "WLDD", "WD", "WW"])]
    penta: Vec<String>,
    /// Games won, drawn and lost by the first side, with blanks or commas between
    #[arg(long, num_args = 1..=3, value_names = ["W", "D", "L"])]
    wdl: Vec<String>,
    /// H0: the difference is this; with --elo1 the results are judged by a test
    #[arg(long, value_name = "ELO")]
    elo0: Option<f64>,
    /// H1: the difference is this; above elo0
    #[arg(long, value_name = "ELO")]
    elo1: Option<f64>,
    #[command(flatten)]
    errors: Errors,
    /// The same test as match has it: elo0= elo1= [alpha=] [beta=] [model=]
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE", conflicts_with_all = ["elo0", "elo1", "alpha", "beta", "model"], value_parser = key_value)]
    sprt: Vec<String>,
    /// Also report whether the difference is smaller than this many Elo either way (two one-sided tests)
    #[arg(long, value_name = "ELO")]
    equivalence: Option<f64>,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

/// RESULTS behind these words would be taken for one of them.
fn key_value(word: &str) -> Result<String, &'static str> {
    let is_key = word.contains('=') || word == "none";
    is_key.then(|| word.to_owned()).ok_or("expected KEY=VALUE, or none; RESULTS stand before --sprt")
}

#[derive(clap::Subcommand)]
enum Verb {
    Plan(plan::Args),
}

/// How a test decides.
#[derive(clap::Args, Clone, Copy)]
pub(super) struct Errors {
    /// How often H1 may be accepted though H0 is true
    #[arg(long, default_value_t = 0.05, value_name = "P", requires = "elo0")]
    alpha: f64,
    /// How often H0 may be accepted though H1 is true
    #[arg(long, default_value_t = 0.05, value_name = "P", requires = "elo0")]
    beta: f64,
    /// The scale of elo0 and elo1: normalized gives drawish and sharp openings tests of the same length, logistic is Elo as ratings
    /// have it, bayesian is BayesElo, only for single games
    #[arg(long, default_value = Model::Normalized.name(), value_parser = by_name(&Model::ALL, Model::name), requires = "elo0")]
    model: Model,
}

impl Errors {
    /// The test between two hypotheses.
    fn sprt(&self, elo0: f64, elo1: f64) -> Result<Sprt, SprtError> {
        Sprt::new(self.model, elo0, elo1, self.alpha, self.beta)
    }
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    if let Some(Verb::Plan(plan)) = args.verb {
        return plan::run(plan);
    }
    let given = test(&args).map_err(usage)?;
    let choice = Choice { first: args.first.clone(), against: Against::of_names(args.against.clone()) };
    if args.first.is_none()
        && let Some(standing) = sources::tournament(&args.sources)?
    {
        if given.is_some() || args.equivalence.is_some() {
            let what = "of the log of a tournament the table is printed; for a test give --first NAME --against NAME";
            return Err(Usage(what.to_owned()).into());
        }
        let zero = EloZero::Mean;
        output::print_as(args.json, || tournament::json(&standing, zero), || tournament::text(&standing, zero))?;
        return done();
    }
    let mut runs = sources::runs(&args.sources, &choice, &args.penta, &args.wdl)?;
    let left_out = args.sprt == ["none"] && named_test(&runs).is_some();
    if args.sprt == ["none"] {
        runs.iter_mut().for_each(Run::forget_test);
    }
    let found = judge(&runs, given, args.equivalence).map_err(|error| usage(with_option(error)))?;
    output::print_as(args.json, || text::json(&found, &runs), || text::text(&found, &runs))?;
    if !args.json && given.is_none() {
        output::print(text::test_note(&runs, left_out))?;
    }
    done()
}

/// The test that is asked for.
fn test(args: &Args) -> Result<Option<Sprt>> {
    if let Some(word) = args.sources.iter().find(|word| Sprt::is_word(word)) {
        bail!("{word} is a test, not results: give it as --sprt elo0=0 elo1=5");
    }
    if args.elo0.is_some() != args.elo1.is_some() {
        bail!("a test needs two bounds: give both, as in --elo0 0 --elo1 3 or --sprt elo0=0 elo1=3");
    }
    let given = args.elo0.zip(args.elo1).map(|(elo0, elo1)| args.errors.sprt(elo0, elo1)).transpose()?;
    given.map_or_else(|| of_words(&args.sprt), |given| Ok(Some(given)))
}

/// The error with the option that it is about.
fn with_option(error: AnalysisError) -> anyhow::Error {
    match error {
        AnalysisError::NoResults => anyhow::anyhow!("no results: give files, --penta or --wdl"),
        AnalysisError::Margin(_) => anyhow::anyhow!("--equivalence {error}"),
        error @ AnalysisError::Dependent => anyhow::anyhow!("{error}: one --against NAME"),
        error => error.into(),
    }
}
