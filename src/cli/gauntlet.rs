//! `drawish gauntlet`: two engines against the same opponents, compared opening by opening.

mod args;

use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use serde_json::{Value, json};
use shakmaty::CastlingMode;

pub(super) use self::args::Args;
use super::standing::fixed;
use super::{matches, output, wrong_usage};
use drawish::arena::{Logged, both};
use drawish::stats::{PairedDifference, PairedScore, elo_of_score};

pub(super) fn run(args: Args) -> Result<ExitCode> {
    let (arms, opponents) = match args.players() {
        Ok(players) => players,
        Err(error) => return wrong_usage(format!("{error:#}")),
    };
    if !args.common.allow_equal {
        // Whatever is played, arms that search alike in standard chess do in Chess960.
        let casts = matches::Cast::both(&arms, 0, CastlingMode::Standard)?;
        matches::refuse_equal(&casts, &arms.each_ref().map(|arm| arm.limits))?;
    }
    let names = arms.map(|arm| arm.name);
    std::fs::create_dir_all(&args.logs)
        .with_context(|| format!("{} cannot be made; choose another place for --logs", args.logs.display()))?;
    let log_of =
        |name: &str, opponent: &str| args.logs.join(format!("{}-{}.jsonl", file_name(name), file_name(opponent)));
    // Every match has the seed of the first one that was begun.
    let begun = opponents.iter().flat_map(|opponent| names.iter().map(|name| log_of(name, opponent)));
    let logged = begun.filter_map(|log| matches::seed_of(&log)).next();
    let seed = args.common.seed.or(logged).unwrap_or_else(matches::new_seed);
    let mut results = Vec::new();
    for (opponent, words) in opponents.iter().zip(&args.opponents) {
        let mut logged = Vec::new();
        for (arm, name) in names.iter().enumerate() {
            let log = log_of(name, opponent);
            if !args.common.quiet {
                output::complain(format!("{name} against {opponent}, log {}\n", log.display()));
            }
            let mut own = args.common.clone();
            own.engines = args.common.engines.against(arm, words);
            (own.log, own.resume, own.seed) = (Some(log.clone()), true, Some(seed));
            // An opponent may well be one of the arms: it is the difference between the arms that is asked for.
            (own.json, own.quiet, own.silent, own.allow_equal) = (false, true, true, true);
            let code = matches::run(own)?;
            if code != ExitCode::SUCCESS {
                return Ok(code);
            }
            logged.push(read(&log)?);
        }
        results.push((opponent.clone(), both(&logged[0], &logged[1])?));
    }
    if args.common.json {
        output::print(format!("{}\n", in_json(&names, &results, seed)))?;
    } else {
        output::print(in_text(&names, &results, seed))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn read(path: &Path) -> Result<Logged> {
    let text = std::fs::read(path).with_context(|| path.display().to_string())?;
    Logged::read(&text).with_context(|| path.display().to_string())
}

/// A name without what file systems do not like.
fn file_name(name: &str) -> String {
    name.chars().map(|c| if c.is_alphanumeric() || "._+".contains(c) { c } else { '_' }).collect()
}

/// All opponents together, each opening being one cluster.
fn together(results: &[(String, Vec<PairedScore>)]) -> Vec<PairedScore> {
    results.iter().flat_map(|(_, tasks)| tasks.iter().copied()).collect()
}

fn in_text(names: &[String; 2], results: &[(String, Vec<PairedScore>)], seed: u64) -> String {
    let [one, two] = names;
    let mut rows = vec![["opponent", "pairs", one, two, "Elo more", "more/same/less"].map(str::to_owned)];
    let all = together(results);
    let each = results.iter().map(|(name, tasks)| (name.as_str(), tasks.as_slice()));
    let several = (results.len() > 1).then_some(("all", all.as_slice()));
    for (name, tasks) in each.chain(several) {
        let Some(found) = PairedDifference::of(tasks) else { continue };
        let side = |score: f64| format!("{:.1} % ({:+.0})", 100.0 * score, elo_of_score(score));
        let [more, same, less] = found.more_same_less;
        rows.push([
            name.to_owned(),
            found.tasks.to_string(),
            side(found.scores[0]),
            side(found.scores[1]),
            format!("{}{}", signed(found.elo), error(found.elo_error)),
            format!("{more}/{same}/{less}"),
        ]);
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..6).map(width).collect();
    let mut text = format!("{one} and {two} against the same opponents from the same openings, seed {seed}\n");
    for row in &rows {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
            if column == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        let _ = writeln!(text, "{}", cells.collect::<Vec<_>>().join("  ").trim_end());
    }
    if let Some(PairedDifference { elo_error: Some(paired), elo_error_unpaired: Some(apart), .. }) =
        PairedDifference::of(&all)
    {
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

fn signed(elo: f64) -> String {
    let text = fixed(elo);
    if text.starts_with('-') { text } else { format!("+{text}") }
}

fn error(error: Option<f64>) -> String {
    error.map_or(String::new(), |error| format!(" +/- {}", fixed(error)))
}

fn in_json(names: &[String; 2], results: &[(String, Vec<PairedScore>)], seed: u64) -> Value {
    let figures = |tasks: &[PairedScore]| {
        PairedDifference::of(tasks).map(|found| {
            let [more, same, less] = found.more_same_less;
            json!({
                "pairs": found.tasks, "scores": found.scores, "difference": found.difference, "error": found.error,
                "elo": found.elo, "elo_error": found.elo_error, "elo_error_unpaired": found.elo_error_unpaired,
                "more": more, "same": same, "less": less,
            })
        })
    };
    let opponents = results.iter().map(|(name, tasks)| json!({ "opponent": name, "result": figures(tasks) }));
    json!({
        "arms": names, "seed": seed, "opponents": opponents.collect::<Vec<_>>(), "all": figures(&together(results)),
    })
}
