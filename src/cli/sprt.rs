//! `drawish sprt`: what the results of a match mean, and what a match will take.

mod plan;
mod sources;

use std::fmt::Write;
use std::process::ExitCode;

use anyhow::Result;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::{Value, json};

use super::{done, output, wrong_usage};
use drawish::arena::{MatchScore, elo_lines, fixed, games_line, llr_line};
use drawish::results::Run;
use drawish::stats::{
    Analysis, AnalysisError, Counted, Decision, LARGEST_ELO, Model, Pentanomial, Results, SequentialEstimate, Sprt,
    SprtError, Tested, Trinomial,
};

/// Judge the results of a match: Elo, LOS, LLR and the verdict; plan a match
///
/// RESULTS are match logs of drawish, PGN of two engines, or what fastchess, cutechess, OpenBench and fishtest print: as files
/// (plain or compressed), from standard input, or pasted as arguments. Games in PGN are paired by round and opening (FEN or book
/// moves) with colours reversed. Several runs are added, and it is reported whether they fit together. With --elo0 and --elo1 the
/// results are also judged by an SPRT.
#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    allow_negative_numbers = true,
    group(clap::ArgGroup::new("results").required(true).args(["sources", "penta", "wdl"])),
    after_help = "Examples:\n  \
        drawish sprt match.jsonl --elo0 0 --elo1 5\n  \
        drawish sprt games.pgn.gz\n  \
        drawish sprt '[50, 287, 610, 387, 73]'\n  \
        drawish sprt 'W: 716 L: 591 D: 2163' --elo0 0 --elo1 6 --model logistic --json\n  \
        drawish sprt --penta 39 2226 31451 2412 40 --elo0 -3 --elo1 1 --equivalence 2\n  \
        drawish sprt plan --elo0 0 --elo1 5 --draw-ratio 0.6 --bias 60 --games-per-hour 2000"
)]
pub(super) struct Args {
    #[command(subcommand)]
    verb: Option<Verb>,
    /// Match logs, PGN, or printed results, as files or as they are; - for standard input
    #[arg(value_name = "RESULTS")]
    sources: Vec<String>,
    /// Side whose Elo is reported [default: the first side of a log; in PGN, White of the first game]
    #[arg(long, value_name = "NAME")]
    first: Option<String>,
    /// Pairs with 0, 1/2, 1, 3/2 and 2 points for the first side, with blanks or commas between
    #[arg(long, num_args = 1..=5, value_names = ["LL", "LD", "WLDD", "WD", "WW"])]
    penta: Vec<String>,
    /// Games won, drawn and lost by the first side, with blanks or commas between
    #[arg(long, num_args = 1..=3, value_names = ["W", "D", "L"])]
    wdl: Vec<String>,
    /// H0: the difference is this; with --elo1 the results are judged by a test
    #[arg(long, value_name = "ELO", requires = "elo1")]
    elo0: Option<f64>,
    /// H1: the difference is this; above elo0
    #[arg(long, value_name = "ELO", requires = "elo0")]
    elo1: Option<f64>,
    #[command(flatten)]
    errors: Errors,
    /// Also report whether the difference is smaller than this many Elo either way (two one-sided tests)
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
    #[arg(long, default_value = Model::Normalized.name(), value_parser = model(), requires = "elo0")]
    model: Model,
}

/// A model by its name.
fn model() -> impl TypedValueParser<Value = Model> {
    let named = |name: String| Model::ALL.into_iter().find(|model| model.name() == name).unwrap_or(Model::Normalized);
    PossibleValuesParser::new(Model::ALL.map(Model::name)).map(named)
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
    let runs = sources::runs(&args.sources, args.first.as_deref(), &args.penta, &args.wdl)?;
    match answer(&args, runs) {
        Ok(answer) if args.json => output::print(format!("{:#}\n", answer.json()))?,
        Ok(answer) => output::print(answer.text())?,
        Err(error) => return wrong_usage(error),
    }
    done()
}

fn answer(args: &Args, runs: Vec<Run>) -> Result<Answer> {
    let counted: Vec<Counted> = runs.iter().map(|run| run.counted).collect();
    let results = Counted::results(&counted, args.errors.model == Model::Bayesian)?;
    let sprt = args.elo0.zip(args.elo1).map(|(elo0, elo1)| args.errors.sprt(elo0, elo1)).transpose()?;
    Ok(Answer { found: Analysis::of(&results, sprt, args.equivalence).map_err(with_option)?, runs })
}

/// The error with the option that it is about.
fn with_option(error: AnalysisError) -> anyhow::Error {
    match error {
        AnalysisError::NoResults => anyhow::anyhow!("no results: give files, --penta or --wdl"),
        AnalysisError::Margin(_) => anyhow::anyhow!("--equivalence {error}"),
        error => error.into(),
    }
}

/// The analysis, as it is printed.
struct Answer {
    found: Analysis,
    runs: Vec<Run>,
}

impl Answer {
    fn text(&self) -> String {
        let Analysis { runs, pool, strength, test, equivalence } = &self.found;
        let results = &pool.results;
        let mut out = self.origin() + &elo_lines(results) + &games_line(results, self.games().as_ref());
        if let Results::Pairs(pairs) = results {
            let Pentanomial { ll, ld, wl_dd, wd, ww } = pairs;
            let _ = writeln!(out, "Ptnml(0-2): [{ll}, {ld}, {wl_dd}, {wd}, {ww}]");
        }
        if let Some(test) = test {
            out += &tested(test);
        }
        let _ = writeln!(
            out,
            "{}Elo, as if the number of games had been fixed: {} ({})",
            if test.is_none() { "\n" } else { "" },
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
        if test.is_none() {
            out += "If the match was stopped by a test, give its --elo0 and --elo1: its Elo is too large without.\n";
        }
        out
    }

    /// Whose results these are, and how they were found.
    fn origin(&self) -> String {
        let sides = self.runs.iter().find_map(|run| run.sides.as_ref());
        let mut out = sides.map_or(String::new(), |[first, second]| format!("{first} against {second}\n"));
        for Run { name, remarks, .. } in &self.runs {
            for remark in remarks {
                let _ = writeln!(out, "{name}: {remark}");
            }
        }
        out
    }

    /// Wins, draws and losses, if they are known of all pairs and of nothing else.
    fn games(&self) -> Option<Trinomial> {
        let mut sum = Trinomial::default();
        for run in &self.runs {
            let Trinomial { wins, draws, losses } = run.counted.games?;
            sum = Trinomial { wins: sum.wins + wins, draws: sum.draws + draws, losses: sum.losses + losses };
        }
        (sum.wins + sum.draws + sum.losses == self.found.pool.results.games()).then_some(sum)
    }

    fn json(&self) -> Value {
        let Analysis { runs, pool, test, equivalence, .. } = &self.found;
        let results = &pool.results;
        let bound = |which: usize| test.map(|test| test.sprt.bounds()[which]);
        let estimate = test.map(|test| test.estimate);
        let source = |run: &Run| {
            json!({
                "name": run.name,
                "sides": run.sides,
                "pairs": run.counted.pairs.map(|pairs| Results::Pairs(pairs).counts()),
                "games": run.counted.games.map(|games| Results::Games(games).counts()),
                "remarks": run.remarks.iter().map(ToString::to_string).collect::<Vec<_>>(),
            })
        };
        let mut value = json!({
            "sources": self.runs.iter().map(source).collect::<Vec<_>>(),
            "model": test.map(|test| test.sprt.model().name()),
            "elo0": bound(0),
            "elo1": bound(1),
            "counts": results.counts(),
            "llr": test.map(|test| test.llr),
            "lower": test.map(|test| test.sprt.lower()),
            "upper": test.map(|test| test.sprt.upper()),
            "decision": test.map(|test| test.decision.name()),
        });
        let more = json!({
            "sequential": estimate.and_then(Result::ok)
                .map(|SequentialEstimate { elo, low, high }| json!({ "elo": elo, "low": low, "high": high })),
            "sequential_absent": estimate.and_then(Result::err).map(|why| why.to_string()),
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

/// The LLR, the decision, and Elo corrected for the stop.
fn tested(test: &Tested) -> String {
    let Tested { sprt, llr, decision, estimate } = test;
    let mut out = llr_line(sprt, *llr);
    let ([elo0, elo1], model) = (sprt.bounds().map(fixed), sprt.model().name());
    let _ = match decision {
        Decision::H0 => writeln!(out, "\nH0 is accepted: the difference is rather {elo0} than {elo1} ({model} Elo)."),
        Decision::H1 => writeln!(out, "\nH1 is accepted: the difference is rather {elo1} than {elo0} ({model} Elo)."),
        Decision::Continue => writeln!(out, "\nUndecided: continue until the LLR reaches one of its bounds."),
    };
    let stop = match decision {
        Decision::Continue => "if it ended here",
        Decision::H0 | Decision::H1 => "corrected for the stop",
    };
    let _ = match *estimate {
        Ok(SequentialEstimate { elo, low, high }) => {
            writeln!(out, "Elo, {stop}: {} ({})", fixed(elo), interval(low, high))
        }
        Err(why) => writeln!(out, "Elo, {stop}: not known, {why}."),
    };
    out
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
