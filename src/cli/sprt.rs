//! `drawish sprt`: what the results of a match mean, and what a match will take.

mod plan;

use std::fmt::Write;
use std::process::ExitCode;

use anyhow::Result;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::{Value, json};

use super::{done, output, wrong_usage};
use drawish::arena::{MatchScore, elo_lines, fixed, games_line, llr_line};
use drawish::stats::{
    Analysis, AnalysisError, Decision, LARGEST_ELO, Model, Pentanomial, Results, SequentialEstimate, Sprt, Trinomial,
};

/// Tell what the results of a match mean: Elo, LOS, LLR and the verdict; plan a match
///
/// Results are pairs of games (one opening with both colours) counted from the worst to the best, or single games as
/// wins, draws, losses. Every figure is finite; what the results do not give yet is absent, with the reason. Several runs, each with
/// its own --penta or --wdl, are added, and it is said whether they fit together.
#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    allow_negative_numbers = true,
    group(clap::ArgGroup::new("results").required(true).args(["penta", "wdl"])),
    after_help = "Examples:\n  \
        drawish sprt --penta 50 287 610 387 73 --elo0 0 --elo1 5\n  \
        drawish sprt --wdl 716 2163 591 --elo0 0 --elo1 6 --model logistic --json\n  \
        drawish sprt --penta 39 2226 31451 2412 40 --elo0 -3 --elo1 1 --equivalence 2\n  \
        drawish sprt plan --elo0 0 --elo1 5 --draw-ratio 0.6 --bias 60"
)]
pub(super) struct Args {
    #[command(subcommand)]
    verb: Option<Verb>,
    /// Pairs with 0, 1/2, 1, 3/2 and 2 points for the first side
    #[arg(long, num_args = 5, value_parser = count(), value_names = ["LL", "LD", "WLDD", "WD", "WW"])]
    penta: Vec<u64>,
    /// Games won, drawn and lost by the first side
    #[arg(long, num_args = 3, value_parser = count(), value_names = ["W", "D", "L"])]
    wdl: Vec<u64>,
    #[command(flatten)]
    test: Option<Test>,
    /// Also tell whether the difference is smaller than this many Elo either way (two one-sided tests)
    #[arg(long, value_name = "ELO")]
    equivalence: Option<f64>,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

#[derive(clap::Subcommand)]
enum Verb {
    Plan(plan::Args),
}

/// Which hypotheses a test decides between.
#[derive(clap::Args, Clone, Copy)]
pub(super) struct Test {
    /// H0: the difference is this
    #[arg(long, value_name = "ELO")]
    elo0: f64,
    /// H1: the difference is this; above elo0
    #[arg(long, value_name = "ELO")]
    elo1: f64,
    /// How often H1 may be accepted though H0 is true
    #[arg(long, default_value_t = 0.05, value_name = "P")]
    alpha: f64,
    /// How often H0 may be accepted though H1 is true
    #[arg(long, default_value_t = 0.05, value_name = "P")]
    beta: f64,
    /// The scale of elo0 and elo1: normalized gives drawish and sharp openings tests of the same length, logistic is Elo as ratings
    /// have it, bayesian is BayesElo, only for single games
    #[arg(long, default_value = Model::Normalized.name(), value_parser = model())]
    model: Model,
}

/// A model by its name.
fn model() -> impl TypedValueParser<Value = Model> {
    let named = |name: String| Model::ALL.into_iter().find(|model| model.name() == name).unwrap_or(Model::Normalized);
    PossibleValuesParser::new(Model::ALL.map(Model::name)).map(named)
}

impl Test {
    pub(super) fn sprt(&self) -> Result<Sprt, drawish::stats::SprtError> {
        Sprt::new(self.model, self.elo0, self.elo1, self.alpha, self.beta)
    }
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    if let Some(Verb::Plan(plan)) = args.verb {
        return plan::run(plan);
    }
    match answer(&args) {
        Ok(answer) if args.json => output::print(format!("{:#}\n", answer.json()))?,
        Ok(answer) => output::print(answer.text())?,
        Err(error) => return wrong_usage(error),
    }
    done()
}

/// A number of pairs or games: more than anybody has played, and small enough to be added up.
fn count() -> clap::builder::RangedU64ValueParser {
    clap::value_parser!(u64).range(..=1_000_000_000_000_000)
}

/// The runs that `--penta` and `--wdl` give.
fn runs(penta: &[u64], wdl: &[u64]) -> Vec<Results> {
    let pairs = penta.chunks_exact(5).map(|counts| {
        Results::Pairs(Pentanomial { ll: counts[0], ld: counts[1], wl_dd: counts[2], wd: counts[3], ww: counts[4] })
    });
    let games = wdl
        .chunks_exact(3)
        .map(|counts| Results::Games(Trinomial { wins: counts[0], draws: counts[1], losses: counts[2] }));
    pairs.chain(games).collect()
}

fn answer(args: &Args) -> Result<Answer> {
    let test = args.test.ok_or_else(|| anyhow::anyhow!("--elo0 and --elo1 say what is tested: give both"))?;
    let runs = runs(&args.penta, &args.wdl);
    Ok(Answer(Analysis::of(&runs, test.sprt()?, args.equivalence).map_err(with_option)?))
}

/// The error with the option that it is about.
fn with_option(error: AnalysisError) -> anyhow::Error {
    match error {
        AnalysisError::NoResults => anyhow::anyhow!("no results: give --penta or --wdl"),
        AnalysisError::Margin(_) => anyhow::anyhow!("--equivalence {error}"),
        error => error.into(),
    }
}

/// The analysis, as it is printed.
struct Answer(Analysis);

impl Answer {
    fn text(&self) -> String {
        let Analysis { runs, pool, strength, sprt, llr, decision, estimate, equivalence } = &self.0;
        let results = &pool.results;
        let mut out = elo_lines(results) + &games_line(results, None);
        if let Results::Pairs(pairs) = results {
            let Pentanomial { ll, ld, wl_dd, wd, ww } = pairs;
            let _ = writeln!(out, "Ptnml(0-2): [{ll}, {ld}, {wl_dd}, {wd}, {ww}]");
        }
        out += &llr_line(sprt, *llr);
        let [elo0, elo1] = sprt.bounds().map(fixed);
        let _ = match decision {
            Decision::H0 => {
                writeln!(out, "\nH0 is accepted: the difference is rather {elo0} than {elo1} ({} Elo).", self.model())
            }
            Decision::H1 => {
                writeln!(out, "\nH1 is accepted: the difference is rather {elo1} than {elo0} ({} Elo).", self.model())
            }
            Decision::Continue => writeln!(out, "\nUndecided: go on until the LLR reaches one of its bounds."),
        };
        let stop = match decision {
            Decision::Continue => "should it end here",
            Decision::H0 | Decision::H1 => "with account taken of the stop",
        };
        let _ = match *estimate {
            Ok(SequentialEstimate { elo, low, high }) => {
                writeln!(out, "Elo, {stop}: {} ({})", fixed(elo), interval(low, high))
            }
            Err(why) => writeln!(out, "Elo, {stop}: not known, {why}."),
        };
        let _ = writeln!(
            out,
            "Elo, had the number of games been fixed: {} ({})",
            fixed(strength.elo),
            interval(strength.elo_low, strength.elo_high)
        );
        if let Some(test) = equivalence {
            let margin = test.margin;
            let verdict = if test.p() < 0.05 { "shown at the 5 % level" } else { "not shown" };
            let _ =
                writeln!(out, "A difference of less than {margin} Elo either way: {verdict} (p = {:.4}).", test.p());
        }
        if let Some(p) = pool.same_match {
            let fit = if p < 0.01 { "they do not look like the same match" } else { "no sign that they differ" };
            let _ = writeln!(out, "{runs} runs added: {fit} (p = {p:.4}, taken seriously below 0.01).");
        }
        out
    }

    fn model(&self) -> &'static str {
        self.0.sprt.model().name()
    }

    fn json(&self) -> Value {
        let Analysis { runs, pool, sprt, llr, decision, estimate, equivalence, .. } = &self.0;
        let results = &pool.results;
        let [elo0, elo1] = sprt.bounds();
        let mut value = json!({
            "model": self.model(),
            "elo0": elo0,
            "elo1": elo1,
            "counts": results.counts(),
            "llr": llr,
            "lower": sprt.lower(),
            "upper": sprt.upper(),
            "decision": decision.name(),
        });
        let more = json!({
            "sequential": estimate.ok().map(|SequentialEstimate { elo, low, high }| json!({ "elo": elo, "low": low, "high": high })),
            "sequential_absent": estimate.err().map(|why| why.to_string()),
            "runs": runs,
            "same_match": pool.same_match,
            "equivalence": equivalence.map(|test| json!({
                "margin": test.margin, "p": test.p(), "p_below": test.p_below, "p_above": test.p_above,
            })),
        });
        for part in [json!(MatchScore::of(results)), more] {
            for (name, figure) in part.as_object().into_iter().flatten() {
                value[name] = figure.clone();
            }
        }
        value
    }
}

/// An interval in words; its ends may be those of the scale.
fn interval(low: f64, high: f64) -> String {
    let end = |elo: f64| match elo {
        elo if elo > LARGEST_ELO - 1e-6 => format!(">= {}", fixed(elo)),
        elo if elo < 1e-6 - LARGEST_ELO => format!("<= {}", fixed(elo)),
        elo => fixed(elo),
    };
    format!("95 % interval {} to {}", end(low), end(high))
}
