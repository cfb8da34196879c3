//! `drawish spsa`: numbers of an engine, tuned by games.

mod live;

use std::num::NonZeroU64;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Error, Result, anyhow, ensure};

use self::live::Live;
use super::args::contest::with_options;
use super::args::engines::TunedWords;
use super::args::log::LogArgs;
use super::args::play::PlayArgs;
use super::{done, output, picture, usage};
use drawish::contest::Engine;
use drawish::report::pictures;
use drawish::report::text::{confirm, spsa as text};
use drawish::spsa::{Parameter, Spsa, SpsaError, SpsaLogError};

/// Tune numbers of an engine by games: SPSA, as OpenBench and fishtest do it
///
/// Each step changes all parameters at once, by +c or -c at random, and plays the engine with these values against the engine
/// with the opposite ones: one opening, both colours. The values move towards the side that wins more games. Every finished step is
/// written to a log: after any interruption the same command with --resume plays what is missing. The number of games at a time
/// changes nothing in the result.
///
/// FILE has a line for each parameter, in OpenBench's format: name, int or float, value, min, max, c_end, r_end. The names are
/// those of UCI options, or of numbers of an arm (arm=form, see drawish form). c_end is the change in the last step, best one
/// that is worth 2 to 5 Elo; r_end the learning rate there, often 0.002.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    drawish spsa --engine cmd=./engine option.Hash=16 --parameters margins.txt --openings book.epd \\\n      \
        --nodes 5000 --pairs 20000 --log margins.jsonl --plot margins.svg\n  \
    drawish spsa --engine arm=form form=form.toml --parameters form.txt --openings book.epd \\\n      \
        --nodes 1000 --pairs 50000 --log form.jsonl -o tuned.toml\n\n\
    Tuned values are no proof: play the match that is printed at the end, on openings that tuning did\n\
    not see.\n\n\
    Exit codes: 0 all steps were played, or the values came to rest (--stop); 1 failed; 2 wrong usage;\n\
    130 interrupted.")]
pub(super) struct Args {
    #[command(flatten)]
    engine: TunedWords,
    /// Parameters, a line each: name, int|float, value, min, max, c_end, r_end
    #[arg(long, value_name = "FILE")]
    parameters: PathBuf,
    #[command(flatten)]
    play: PlayArgs,
    /// Repeat the openings from the first if there are fewer than pairs
    #[arg(long)]
    repeat_openings: bool,
    /// Pairs in each step
    #[arg(long, value_name = "N", default_value = "1")]
    pairs_per_step: NonZeroU64,
    /// Play step k from the values after step k - N, so that up to N steps can be played at a time; 1 is SPSA without delay
    #[arg(long, value_name = "N", default_value = "16")]
    lag: NonZeroU64,
    /// Stop when all averages moved by less than SHARE of their c_end during the last quarter of the steps
    #[arg(long, value_name = "SHARE", value_parser = super::args::numbers::positive)]
    stop: Option<f64>,
    #[command(flatten)]
    log: LogArgs,
    /// Where the averaged values go: for an arm the file of its form, else a line each, name, value
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Where the path of each parameter is drawn: .svg or .png
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    let mut spsa = args.spsa().map_err(usage)?;
    spsa.terms.engine_log = args.play.engine_log.open([&spsa.engine], spsa.resume)?;
    let mut live = Live::begin(args.log.shown(spsa.log.as_ref(), &args.play));
    let played = spsa.run(|event| live.observe(event));
    live.end();
    let played = played.map_err(with_flags)?;
    if let Some(path) = &args.plot {
        let svg = pictures::spsa::paths(&played.setup.parameters, &played.path, 2 * played.setup.pairs_per_step);
        picture::write(path, &svg.finish("Parameters by games"))?;
    }
    if let Some(path) = &args.output {
        output::write(path, played.averages(&spsa.engine)?.as_bytes())?;
    }
    let said = if args.play.json {
        format!("{}\n", text::json(&played))
    } else {
        let tuned = args.output.as_deref().filter(|path| !output::is_standard(path));
        let openings = args.play.openings.file()?;
        text::text(&played) + &confirm::text(args.engine.words(), tuned, &openings, &spsa, &played)
    };
    output::print_beside(args.output.iter().chain(&args.plot), said)?;
    done()
}

impl Args {
    /// The tuning that is asked for.
    fn spsa(&self) -> Result<Spsa> {
        let mut terms = self.play.terms()?;
        self.play.check_pairs()?;
        terms.repeat_openings = self.repeat_openings;
        ensure!(!self.play.allow_equal, "--allow-equal has no meaning here: both sides are the same engine");
        let engine = self.engine.engine()?;
        terms.limits_of(&engine).map_err(with_options::<Args>)?;
        let file = self.parameters.display();
        let text = std::fs::read_to_string(&self.parameters)
            .map_err(drawish::in_words)
            .with_context(|| format!("--parameters {file}: expected a file with a line for each parameter"))?;
        let parameters = Parameter::read(&text).with_context(|| file.to_string())?;
        let mut spsa = Spsa::with_terms(engine, parameters, terms);
        (spsa.pairs_per_step, spsa.lag, spsa.stop) = (self.pairs_per_step, self.lag, self.stop);
        spsa.resume = self.log.resume;
        spsa.log = self.log.path(|| spsa.default_log(&self.parameters)).map_err(with_options::<Args>)?;
        self.check_outputs(&spsa.engine)?;
        Ok(spsa)
    }

    fn check_outputs(&self, engine: &Engine) -> Result<()> {
        if let Some(path) = &self.plot {
            picture::check_name(path).context("--plot")?;
        }
        ensure!(!self.log.log.as_deref().is_some_and(output::is_standard), "--log needs a file, not standard output");
        let openings = self.play.openings.file()?;
        let inputs = [("--openings", &openings), ("--parameters", &self.parameters)];
        let named = [
            ("--log", &self.log.log),
            ("--output", &self.output),
            ("--plot", &self.plot),
            ("--engine-log", &self.play.engine_log.engine_log),
        ];
        let named = named.into_iter().filter_map(|(option, path)| Some((option, path.as_ref()?)));
        output::check_named(inputs.into_iter().chain(named))?;
        output::check(
            self.output.iter().chain(&self.plot),
            [&self.parameters, &openings].into_iter().chain(&self.log.log).map(PathBuf::as_path).chain(engine.files()),
        )
    }
}

/// The error with the option that would help.
fn with_flags(error: SpsaError) -> Error {
    match error {
        SpsaError::Contest(error) => with_options::<Args>(error),
        SpsaError::Log(SpsaLogError::Exists { .. }) => anyhow!("{error}, by --resume"),
        SpsaError::Faults { .. } => anyhow!("{error} by --resume, or allow more by --fault-limit"),
        SpsaError::WholeNumbers { .. } => anyhow!("{error} of --parameters"),
        SpsaError::SetToo { ref name } => anyhow!("{error}: option.{name}= of --engine, or its line in --parameters"),
        SpsaError::NoStep { .. } => anyhow!("{error}: see --pairs and --pairs-per-step"),
        error => error.into(),
    }
}
