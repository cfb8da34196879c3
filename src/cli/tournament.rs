//! `drawish tournament`: several engines, everybody against everybody, and the Elo of each.

mod live;

use std::num::NonZeroUsize;
use std::process::ExitCode;

use anyhow::{Context, Result};

pub(super) use self::live::play;
use super::args::affinity::AffinityArg;
use super::args::contest::with_options;
use super::args::engines::EntrantWords;
use super::args::play::PlayArgs;
use super::args::written::WrittenArgs;
use super::{done, usage};
use drawish::stats::EloZero;
use drawish::tournament::{Schedule, Tournament};

/// Play a tournament of several engines, everybody against everybody, and estimate the Elo of each
///
/// Each pairing plays every opening with both colours, and all pairings play the same openings in the same order. They take turns: a
/// round is one pair of games of each pairing, so that all are about equally long whenever the tournament stops. --pairs, --games
/// and --rounds are those of each pairing. Every finished pair is written to one log: after any interruption the same command with
/// --resume plays what is missing, and counts nothing twice.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    drawish tournament --engine cmd=./new --engine cmd=./old --engine cmd=./rival \\\n      \
        --each option.Hash=16 --openings book.epd --rounds 500 --tc 8+0.08 --log t.jsonl --pgn t.pgn\n  \
    drawish sprt t.jsonl      prints the table again, also while the tournament runs\n\n\
    Exit codes: 0 all games were played; 1 failed; 2 wrong usage; 130 interrupted.")]
pub(super) struct Args {
    #[command(flatten)]
    engines: EntrantWords,
    /// A gauntlet: only the first N engines play, each against all the others
    #[arg(long, value_name = "N")]
    seeds: Option<NonZeroUsize>,
    #[command(flatten)]
    play: PlayArgs,
    #[command(flatten)]
    affinity: AffinityArg,
    /// Repeat the openings from the first if there are fewer than pairs
    #[arg(long)]
    repeat_openings: bool,
    /// Engine whose Elo is 0 [default: the mean is 0]
    #[arg(long, value_name = "NAME")]
    anchor: Option<String>,
    #[command(flatten)]
    written: WrittenArgs,
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    let mut tournament = args.tournament().map_err(usage)?;
    let zero = args.zero(&tournament).map_err(usage)?;
    tournament.log = args.written.log.path(|| tournament.default_log()).map_err(with_options::<Args>)?;
    tournament.terms.engine_log = args.play.engine_log.open(&tournament.engines, tournament.resume)?;
    let shown = args.written.log.shown(tournament.log.as_ref(), &args.play);
    play(&tournament, shown, zero, with_options::<Args>)?;
    done()
}

impl Args {
    /// The tournament that is asked for.
    fn tournament(&self) -> Result<Tournament> {
        self.written.check(&self.play, None)?;
        let mut terms = self.play.terms()?;
        terms.repeat_openings = self.repeat_openings;
        terms.cores = self.affinity.cores();
        self.play.check_pairs()?;
        let mut tournament = Tournament::with_terms(self.engines.all()?, terms);
        tournament.schedule = self.seeds.map_or(Schedule::RoundRobin, |seeds| Schedule::Gauntlet { seeds });
        tournament.terms.writing = self.written.writing();
        tournament.resume = self.written.log.resume;
        tournament.pgn.clone_from(&self.written.pgn);
        tournament.final_positions.clone_from(&self.written.epd);
        tournament.heading = self.written.heading.heading()?;
        tournament.allow_equal = self.play.allow_equal;
        tournament.check().map_err(with_options::<Args>)?;
        Ok(tournament)
    }

    /// What has Elo 0.
    fn zero(&self, tournament: &Tournament) -> Result<EloZero> {
        let Some(anchor) = &self.anchor else { return Ok(EloZero::Mean) };
        let names: Vec<&str> = tournament.engines.iter().map(|engine| engine.name.as_str()).collect();
        let found = names.iter().position(|name| name == anchor);
        let wrong = || format!("--anchor {anchor}: no engine is called so; there are {}", names.join(", "));
        Ok(EloZero::Engine(found.with_context(wrong)?))
    }
}
