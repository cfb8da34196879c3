//! `drawish gauntlet`: two engines against the same opponents, compared opening by opening.

use std::fmt::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use serde_json::{Value, json};

use super::args::contest::{complain, with_options};
use super::args::engines::{EngineWords, OpponentWords};
use super::args::play::PlayArgs;
use super::{done, output, wrong_usage};
use drawish::arena::fixed;
use drawish::contest::{Gauntlet, GauntletEvent, GauntletPlayed};
use drawish::stats::numbers::{percent, signed};
use drawish::stats::{PairedDifference, elo_of_score};

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
    let gauntlet = match args.gauntlet() {
        Ok(gauntlet) => gauntlet,
        Err(error) => return wrong_usage(format!("{error:#}")),
    };
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
    let played = played.map_err(with_options)?;
    if args.play.json {
        output::print(format!("{}\n", in_json(&played)))?;
    } else {
        output::print(in_text(&played))?;
    }
    done()
}

impl Args {
    /// The gauntlet that is asked for.
    fn gauntlet(&self) -> Result<Gauntlet> {
        let (engines, opponents) = (self.engines.pair()?, self.engines.opponents(&self.opponents)?);
        let mut gauntlet = Gauntlet::with_terms(engines, opponents, self.play.terms()?, self.logs.clone());
        gauntlet.allow_equal = self.play.allow_equal;
        self.play.check_pairs()?;
        gauntlet.check().map_err(with_options)?;
        Ok(gauntlet)
    }
}

fn in_text(played: &GauntletPlayed) -> String {
    let [one, two] = &played.names;
    let mut rows = vec![["opponent", "pairs", one, two, "Elo more", "more/same/less"].map(str::to_owned)];
    let all = played.difference();
    let each = played.opponents.iter().map(|against| (against.name.as_str(), against.difference()));
    let several = (played.opponents.len() > 1).then_some(("all", all));
    for (name, found) in each.chain(several) {
        let Some(found) = found else { continue };
        let side = |score: f64| format!("{} ({})", percent(score), signed(elo_of_score(score), 0));
        let [more, same, less] = found.more_same_less;
        rows.push([
            name.to_owned(),
            found.tasks.to_string(),
            side(found.scores[0]),
            side(found.scores[1]),
            format!("{}{}", signed(found.elo, 2), error(found.elo_error)),
            format!("{more}/{same}/{less}"),
        ]);
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..6).map(width).collect();
    let mut text = format!("{one} and {two} against the same opponents from the same openings, seed {}\n", played.seed);
    for row in &rows {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
            if column == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        let _ = writeln!(text, "{}", cells.collect::<Vec<_>>().join("  ").trim_end());
    }
    if let Some(PairedDifference { elo_error: Some(paired), elo_error_unpaired: Some(apart), .. }) = all {
        let _ = writeln!(
            text,
            "Elo more: {one} less {two}, compared opening by opening, with 95 % intervals. Without the same openings the error \
             would be {} in the place of {}.",
            fixed(apart),
            fixed(paired)
        );
    }
    text
}

fn error(error: Option<f64>) -> String {
    error.map_or(String::new(), |error| format!(" +/- {}", fixed(error)))
}

fn in_json(played: &GauntletPlayed) -> Value {
    let figures = |found: Option<PairedDifference>| {
        found.map(|found| {
            let [more, same, less] = found.more_same_less;
            json!({
                "pairs": found.tasks, "scores": found.scores, "difference": found.difference, "error": found.error,
                "elo": found.elo, "elo_error": found.elo_error, "elo_error_unpaired": found.elo_error_unpaired,
                "more": more, "same": same, "less": less,
            })
        })
    };
    let opponents = played
        .opponents
        .iter()
        .map(|against| json!({ "opponent": against.name, "result": figures(against.difference()) }));
    json!({
        "arms": played.names, "seed": played.seed, "opponents": opponents.collect::<Vec<_>>(),
        "all": figures(played.difference()),
    })
}
