//! `drawish gauntlet`: two engines against the same opponents, compared opening by opening.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;

use super::args::contest::{complain, with_options};
use super::args::engines::{EngineWords, OpponentWords};
use super::args::play::PlayArgs;
use super::{done, output, usage};
use drawish::contest::{Gauntlet, GauntletEvent};
use drawish::report::text::gauntlet as text;

/// Play two engines against the same opponents from the same openings, and compare them opening by opening
///
/// Both engines play a match against each opponent, always with the same openings in the same order. What an opening gives to
/// both says nothing about the difference between them, so it is taken away: the error of the comparison is that of the
/// differences. Every match has its log in --logs, and the same command resumes after any interruption.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  \
    drawish gauntlet --engine cmd=./new name=new --engine cmd=./old name=old \\\n      \
        --opponent cmd=weaker --opponent cmd=stronger --openings book.epd --nodes 5000 --logs gauntlet\n\n\
    Exit codes: 0 all was played, 1 failed, 2 wrong usage.")]
pub(super) struct Args {
    #[command(flatten)]
    engines: EngineWords,
    #[command(flatten)]
    opponents: OpponentWords,
    #[command(flatten)]
    play: PlayArgs,
    /// Directory for the log of each match, so that it can be resumed
    #[arg(long, value_name = "DIR")]
    logs: PathBuf,
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    let mut gauntlet = args.gauntlet().map_err(usage)?;
    let engines = gauntlet.engines.iter().chain(&gauntlet.opponents);
    gauntlet.terms.engine_log = args.play.engine_log.open(engines, true)?;
    let played = gauntlet.run(|event| {
        match event {
            GauntletEvent::Match { engine, opponent, log } if !args.play.quiet => {
                output::complain(format!("{engine} against {opponent}, log {}\n", log.display()));
            }
            GauntletEvent::Within(event) => complain(&event),
            _ => {}
        }
        ControlFlow::Continue(())
    });
    let played = played.map_err(with_options::<Args>)?;
    output::print(if args.play.json { format!("{}\n", text::json(&played)) } else { text::text(&played) })?;
    done()
}

impl Args {
    /// The gauntlet that is asked for.
    fn gauntlet(&self) -> Result<Gauntlet> {
        let (engines, opponents) = (self.engines.pair()?, self.engines.opponents(&self.opponents)?);
        let mut gauntlet = Gauntlet::with_terms(engines, opponents, self.play.terms()?, self.logs.clone());
        gauntlet.allow_equal = self.play.allow_equal;
        self.play.check_pairs()?;
        gauntlet.check().map_err(with_options::<Args>)?;
        let openings = self.play.openings.file()?;
        let engine_log = self.play.engine_log.engine_log.iter().map(|path| ("--engine-log", path));
        output::check_named(std::iter::once(("--openings", &openings)).chain(engine_log))?;
        Ok(gauntlet)
    }
}
