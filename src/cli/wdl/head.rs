//! `drawish wdl head`: games with evaluations to a WDL head, beside the model of Stockfish on the same positions.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Error, Result, anyhow, bail, ensure};
use serde_json::json;

use super::collect::{check_engine, whole};
use crate::cli::args::ThreadsArg;
use crate::cli::args::choice::{Choice, by_name, choice};
use crate::cli::args::rule::{WITHOUT_GAMES, refuse};
use crate::cli::args::writer::{VIEWS, check_view};
use crate::cli::heads::{self, Places};
use crate::cli::progress::{moved, progress_bar};
use crate::cli::{done, output, picture, problems};
use drawish::fit::export::HeadsOf;
use drawish::fit::wdl_head::{
    CompareWdl, Positions, TuneWdl, WdlHeadError, WdlTerms, Weighting, rescale, threshold_terms,
};
use drawish::heads::WdlHead;
use drawish::pgn::{Input, VariantChoice, View, expand_inputs};
use drawish::report::pictures::reliability::reliability;
use drawish::report::text::wdl_head as text;
use drawish::rows::Gather;
use drawish::sample::{Rule, Sampling};

/// Fit a WDL head: W, D and L from an engine's evaluation and the position on the board
///
/// `wdl fit` reads the material only; the head reads all features of the board and the side to move. It takes
/// the games directly, with evaluations in any style that `wdl collect` reads. With --compare it is judged on games held out
/// by opening and event, beside Stockfish's model at its own optimum; with --of a fitted head is fitted to another
/// engine by two numbers.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    drawish wdl head games.pgn -o head.toml -o head.heads -o head.h\n  \
    drawish wdl head games.pgn --compare --steps --every 8 --weigh position\n  \
    drawish wdl head games-of-my-engine.pgn --of head.toml -o mine.toml\n  \
    drawish wdl head head.toml --with pooled.heads.toml -o all.heads\n  \
    drawish wdl show head.toml --fen \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\" --eval 150")]
pub(super) struct Args {
    /// PGN files, plain or compressed (gzip, zstd, bzip2), directories, .tar archives, patterns like "*.pgn", training data
    /// (.binpack, .viri, .bullet), or - for standard input; or one .toml of a WDL head, which is written in other forms
    #[arg(required = true, value_name = "FILES")]
    files: Vec<PathBuf>,
    /// Where to write the head: .toml to read and keep, .heads for engines, .rs the same as a Rust module, .h as a C header;
    /// several are possible
    #[arg(short, long, value_name = "FILE", required_unless_present = "compare")]
    output: Vec<PathBuf>,
    /// Put the draw head and the gain head of this .toml by `drawish tune` into the same .heads, .rs and .h
    #[arg(long, value_name = "HEADS", requires = "output")]
    with: Option<PathBuf>,
    /// Judge the head on games held out by opening and event, beside Stockfish's model
    #[arg(long)]
    compare: bool,
    /// With --compare: draw how far win, draw and loss are from what happened, as .svg or .png
    #[arg(long, value_name = "FILE", requires = "compare")]
    picture: Option<PathBuf>,
    /// With --compare: judge each step from the evaluation alone to the whole head
    #[arg(long, requires = "compare", conflicts_with = "of")]
    steps: bool,
    /// Take this head and fit only how much an evaluation is worth and the width of the draw zone; with --compare judge it, on games that
    /// it was not fitted to: where about one in twenty of these is among them, that is noticed
    #[arg(long, value_name = "HEAD")]
    of: Option<PathBuf>,
    /// Hold weights back towards those of this head instead of towards 0, for an engine with few games; it must not have seen them,
    /// which is noticed where about one in twenty of its games is among them
    #[arg(long, value_name = "HEAD", conflicts_with = "of")]
    towards: Option<PathBuf>,
    /// Terms of the threshold instead of the built-in ones, one on each line
    #[arg(long, value_name = "FILE", conflicts_with = "of")]
    terms: Option<PathBuf>,
    /// Only evaluations of engines whose White or Black tag this regular expression matches as a whole
    #[arg(long, value_name = "REGEX")]
    match_engine: Option<String>,
    /// From whose view the evaluations in comments are
    #[arg(long, value_parser = choice(&VIEWS), default_value = "auto", value_name = "VIEW")]
    eval_view: std::option::Option<View>,
    /// Positions count from this FEN move number on [default: 8]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..), value_name = "MOVE")]
    from: Option<u32>,
    /// Take every N-th position of each game, of those whose evaluation counts [default: 1]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1000), value_name = "N")]
    every: Option<u16>,
    /// Largest evaluation that counts, in centipawns [default: 1000]
    #[arg(long, value_parser = clap::value_parser!(i32).range(50..=2000), value_name = "CP")]
    max_eval: Option<i32>,
    /// What has equal weight [default: game]
    #[arg(long, value_parser = choice(&WEIGHTINGS))]
    weigh: Option<Weighting>,
    /// Folds of openings and folds of events, with --compare
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u8).range(2..=20), value_name = "K", requires = "compare")]
    folds: u8,
    /// What the folds hold out, with --compare
    #[arg(long = "folds-by", value_name = "FOLDS_BY", value_parser = choice(&FOLDS), default_value = "opening-event", requires = "compare", action = clap::ArgAction::Set)]
    by_game: bool,
    /// Which variants of chess count; chess960 and any take every start position [default: standard]
    #[arg(long, value_parser = by_name(&VariantChoice::ALL, VariantChoice::name))]
    variant: Option<VariantChoice>,
    /// Leave out games of standard chess that start from a FEN
    #[arg(long)]
    no_fen_starts: bool,
    /// Count games that start from a FEN, as by default
    #[arg(long, conflicts_with = "no_fen_starts")]
    fen_starts: bool,
    #[command(flatten)]
    threads: ThreadsArg,
    /// Print as JSON
    #[arg(long)]
    json: bool,
    /// Print nothing but warnings and errors
    #[arg(short, long)]
    quiet: bool,
}

impl Args {
    /// Says something beside the head and the picture.
    fn say(&self, text: String) -> Result<()> {
        output::print_beside(self.output.iter().chain(&self.picture), text)
    }
}

const WEIGHTINGS: [Choice<Weighting>; 2] = [
    (&["game"], "Each game: a long one does not outvote a short one", Weighting::Game),
    (&["position"], "Each position", Weighting::Position),
];

/// Whether games alone are held out.
const FOLDS: [Choice<bool>; 2] = [
    (&["opening-event"], "Openings and events at once: games of other openings at other events", false),
    (&["game"], "Games: other games of the same openings and events", true),
];

pub(super) fn run(args: Args) -> Result<ExitCode> {
    let places = Places::of(&args.output)?;
    args.picture.as_deref().map(picture::check_name).transpose()?;
    output::check(
        args.output.iter().chain(&args.picture),
        args.files.iter().chain(&args.of).chain(&args.towards).chain(&args.terms).chain(&args.with),
    )?;
    ensure!(
        args.with.is_none() || !places.are_texts(),
        "--with is about .heads, .rs and .h, and no output is one: add one or leave it out"
    );
    let with = args.with.as_deref().map(heads::read).transpose()?;
    if let Some(file) = heads::only_text(&args.files) {
        ensure!(
            !args.compare && args.of.is_none() && args.towards.is_none() && args.terms.is_none(),
            "{} holds a head, which is written in another form and not fitted: leave out --compare, --of, --towards and --terms",
            file.display()
        );
        let of_games = [
            ("--match-engine", args.match_engine.is_some()),
            ("--eval-view", args.eval_view.is_some()),
            ("--from", args.from.is_some()),
            ("--every", args.every.is_some()),
            ("--max-eval", args.max_eval.is_some()),
            ("--weigh", args.weigh.is_some()),
            ("--variant", args.variant.is_some()),
            ("--no-fen-starts", args.no_fen_starts),
            ("--fen-starts", args.fen_starts),
        ];
        if let Some((option, _)) = of_games.iter().find(|(_, is_given)| *is_given) {
            bail!(
                "{} holds a head, which is written in another form: {option} is about games, leave it out",
                file.display()
            );
        }
        places.write(HeadsOf { heads: with.as_ref(), wdl: Some(&heads::read_wdl(file)?) })?;
        return done();
    }
    let of = args.of.as_deref().map(heads::read_wdl).transpose()?;
    let towards = args.towards.as_deref().map(heads::read_wdl).transpose()?;
    let (positions, failed) = positions(&args)?;
    for seen in of.iter().flat_map(|head| positions.known_to(head)) {
        let what = if args.compare {
            "these figures flatter it; compare on other games"
        } else {
            "its scale on them is its own; take games of the engine that is to use it"
        };
        output::warn(format!("{}: the head of --of was fitted to games of this file: {what}", seen.name));
    }
    for (option, head) in [("--of", &of), ("--towards", &towards)] {
        let remark = head.as_ref().and_then(|head| positions.known_games(head));
        remark.iter().for_each(|remark| output::warn(format!("{option}: {remark}")));
    }
    if args.compare || of.is_some() {
        positions.remarks().iter().for_each(output::warn);
    }
    if args.compare {
        let mut compare = CompareWdl::new(&positions).folds(usize::from(args.folds)).threads(args.threads.number());
        compare = compare.by_game(args.by_game).towards(towards.clone());
        if !args.steps {
            compare = compare.contenders(vec![("WDL head".to_owned(), terms(&args)?)]);
        }
        if let (Some(head), Some(path)) = (&of, &args.of) {
            compare = compare.contenders(Vec::new()).given(vec![(path.display().to_string(), head.clone())]);
        }
        let compared = compare.run().map_err(advised)?;
        if let Some(path) = &args.picture {
            picture::write(path, &reliability(&compared).finish("Reliability of win, draw and loss"))?;
        }
        if args.json {
            args.say(format!("{:#}\n", json!(compared)))?;
        } else if !args.quiet {
            args.say(text::compared(&compared))?;
        }
    }
    if !args.output.is_empty() {
        let head = match of {
            Some(head) => rescaled(&positions, &head, &args)?,
            None => tuned(&positions, towards, &args)?,
        };
        places.write(HeadsOf { heads: with.as_ref(), wdl: Some(&head) })?;
        if args.json && !args.compare {
            args.say(format!("{:#}\n", json!(head)))?;
        } else if !args.quiet && !args.json && args.of.is_none() {
            args.say(text::fitted(&head))?;
        }
    }
    if failed { Ok(ExitCode::FAILURE) } else { done() }
}

fn positions(args: &Args) -> Result<(Positions, bool)> {
    let inputs = expand_inputs(&args.files)?;
    let bar = progress_bar(&inputs, args.quiet);
    let progress = moved(&bar);
    let rule = rule(args, &inputs)?;
    let engine = whole(args.match_engine.as_ref(), "--match-engine")?;
    check_engine(engine.as_ref(), &inputs)?;
    check_view(args.eval_view, &inputs)?;
    let usual = drawish::fit::wdl_head::Choice::default();
    let choice = drawish::fit::wdl_head::Choice {
        largest_eval: args.max_eval.unwrap_or(usual.largest_eval),
        every: args.every.unwrap_or(usual.every),
        weighting: args.weigh.unwrap_or(usual.weighting),
    };
    let run = Gather::new(inputs)
        .rule(rule)
        .engine(engine)
        .view(args.eval_view)
        .threads(args.threads.number())
        .progress(&progress);
    let (positions, gathered) = Positions::of_games(run, choice).map_err(advised)?;
    bar.finish_and_clear();
    if !args.quiet && !args.json {
        args.say(text::account(&positions, &gathered, problems::hint::<Args>) + "\n")?;
    } else {
        problems::complain_of_skipped::<Args>(&gathered.tally);
    }
    Ok((positions, problems::complain(&gathered.problems, "used")))
}

fn rule(args: &Args, inputs: &[Input]) -> Result<Rule> {
    let (loose, of_games): (Vec<_>, Vec<_>) = inputs.iter().partition(|input| input.is_of_positions());
    let Some(loose) = loose.first() else {
        let mut rule = Rule { fen_starts: !args.no_fen_starts, ..Rule::of_wdl_head() };
        rule.variant = args.variant.unwrap_or(rule.variant);
        rule.sampling = args.from.map_or(rule.sampling, |from| Sampling::Every { from });
        return Ok(rule);
    };
    let about_games = [
        ("--from", args.from.is_some()),
        ("--variant", args.variant.is_some()),
        ("--no-fen-starts", args.no_fen_starts),
        ("--fen-starts", args.fen_starts),
    ];
    refuse(&about_games, loose, WITHOUT_GAMES)?;
    ensure!(
        of_games.is_empty(),
        "{loose} holds positions without games, other inputs hold games, and they are weighed by other rules: take one kind"
    );
    Ok(Rule::of_positions())
}

fn tuned(positions: &Positions, towards: Option<WdlHead>, args: &Args) -> Result<WdlHead> {
    let tune = TuneWdl::new(positions).terms(terms(args)?).towards(towards).threads(args.threads.number());
    let tuned = tune.run().map_err(advised)?;
    tuned.remarks.iter().for_each(output::warn);
    Ok(tuned.head)
}

fn terms(args: &Args) -> Result<WdlTerms> {
    let Some(path) = &args.terms else { return Ok(WdlTerms::built_in()) };
    threshold_terms(&output::read_text(path)?).with_context(|| path.display().to_string())
}

fn rescaled(positions: &Positions, head: &WdlHead, args: &Args) -> Result<WdlHead> {
    let found = rescale(positions, head, args.threads.number())?;
    found.remarks().iter().for_each(output::warn);
    if !args.quiet && !args.json {
        args.say(text::rescaled(positions, &found))?;
    }
    Ok(found.head)
}

fn advised(error: WdlHeadError) -> Error {
    match error {
        WdlHeadError::OfGames { cause, gathered } => {
            problems::complain(&gathered.problems, "used");
            if problems::complain_of_nothing::<Args>(&gathered.tally, "used") {
                anyhow!("there is nothing to fit")
            } else {
                problems::complain_of_skipped::<Args>(&gathered.tally);
                advised(*cause)
            }
        }
        WdlHeadError::NoEngine { .. } => anyhow!("{error}; check --match-engine"),
        error => error.into(),
    }
}
