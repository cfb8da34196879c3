//! `drawish relevance estimate`: the parameters from games.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use regex::Regex;
use serde_json::{Value, json};

use super::{WriterArg, read};
use crate::cli::args::ThreadsArg;
use crate::cli::{output, problems};
use drawish::estimate::{Count, Interval, Intervals, Pair, Peak, Reading, Record, bootstrap, count};
use drawish::model::relevance::Relevance;
use drawish::pgn::Style;
use drawish::report::grouped;

/// Count the parameters of players in games with evaluations
///
/// A player with n wins looks at the games that were not won and takes the best evaluation of each: the n-th highest
/// of them is e(=0.75), since as many games were won as were not although that evaluation was reached. Losses among them
/// are corrected for. Intervals hold 90 % of the estimates from games drawn again with replacement.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    drawish relevance estimate superfinal.pgn --player Stockfish\n  \
    drawish relevance estimate tournament.pgn.zst --event Superfinal --json")]
pub(super) struct Args {
    /// PGN files, directories, patterns, - for standard input; packed or not
    #[arg(required = true, value_name = "GAMES")]
    files: Vec<PathBuf>,
    /// Players whose name matches; without it all players, together and one by one
    #[arg(long, value_name = "REGEX")]
    player: Option<Regex>,
    /// Only games of events that match
    #[arg(long, value_name = "REGEX")]
    event: Option<Regex>,
    /// Whose evaluations the comments hold
    #[arg(long, value_enum, default_value_t = WriterArg::Auto)]
    evals: WriterArg,
    /// How often games are drawn again for the intervals; 0 for none
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(..=1_000_000))]
    bootstrap: u32,
    /// Seed of these draws
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: ThreadsArg,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

/// A player, or all of them together.
struct Estimate {
    name: String,
    count: Count,
    intervals: Option<Intervals>,
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    let mut names: Vec<String> = Vec::new();
    let mut players: BTreeMap<String, Vec<Record>> = BTreeMap::new();
    let mut games = 0;
    let wanted = |name: &str| args.player.as_ref().is_none_or(|player| player.is_match(name));
    let reading = read(&args.files, &args.threads, |game| {
        if args.event.as_ref().is_some_and(|event| !event.is_match(&game.event)) {
            return;
        }
        let Some(records) = Record::of_game(&game, games, args.evals.writer()) else { return };
        games += 1;
        for (name, record) in [game.white, game.black].into_iter().zip(records) {
            if wanted(&name) {
                players.entry(name).or_default().push(record);
            } else if names.len() < 5 && !names.contains(&name) {
                names.push(name);
            }
        }
    })?;
    let failed = report(&reading);
    if players.is_empty() {
        match (&args.player, games) {
            (Some(player), 1..) => {
                bail!("no player's name matches {player}; among the names are {}", names.join(", "))
            }
            _ => bail!(
                "none of {} games can be counted: they need a result{}",
                reading.games,
                match args.event {
                    Some(event) => format!(" and an event that matches {event}"),
                    None => String::new(),
                }
            ),
        }
    }
    if players.values().flatten().all(|record| record.peak.is_none()) {
        bail!(
            "no evaluation of these players in the comments of {games} games; expected comments like {{+0.35/18 1.2s}}, {{[%eval 0.35]}} or {{wv=0.35}} after their moves (see --evals)"
        );
    }
    let estimate = |name: String, records: &[Record]| Estimate {
        name,
        count: count(records),
        intervals: (args.bootstrap > 0).then(|| bootstrap(records, args.bootstrap, args.seed)),
    };
    let everybody: Vec<Record> = players.values().flatten().copied().collect();
    let title = args.player.as_ref().map_or("all players".to_owned(), ToString::to_string);
    let all = estimate(title, &everybody);
    let each: Vec<_> = players.into_iter().map(|(name, records)| estimate(name, &records)).collect();
    let text = if args.json { as_json(&args, &all, &each, &reading) } else { as_text(&all, &each, &reading) };
    output::print(text)?;
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Says on standard error what was wrong with the inputs; `true` if games may be missing.
pub(super) fn report(reading: &Reading) -> bool {
    for (input, game) in &reading.open_comments {
        output::complain(format!(
            "drawish: {input}: game {game}: a comment without a closing brace; its moves up to there are used\n"
        ));
    }
    for input in &reading.mixed_styles {
        output::complain(format!(
            "drawish: {input}: evaluations of more than one style; each is read by its own rule\n"
        ));
    }
    problems::complain(&reading.problems, "used")
}

fn as_json(args: &Args, all: &Estimate, each: &[Estimate], reading: &Reading) -> String {
    let mut value = estimate_json(all);
    value["players"] = each.iter().map(estimate_json).collect();
    value["bootstrap"] = json!({ "replicates": args.bootstrap, "seed": args.seed, "confidence": 0.9 });
    value["reading"] = reading_json(reading);
    format!("{value:#}\n")
}

pub(super) fn reading_json(reading: &Reading) -> Value {
    let styles: Value = Style::ALL
        .iter()
        .zip(reading.styles)
        .map(|(style, count)| (style.name().to_owned(), Value::from(count)))
        .collect();
    let open_comments: Value =
        reading.open_comments.iter().map(|(input, game)| json!({ "input": input, "game": game })).collect();
    let mut value = json!({
        "games": reading.games,
        "without_result": reading.without_result,
        "without_evaluations": reading.without_evaluations,
        "evaluations": styles,
        "mates": reading.mates,
        "mixed_styles": reading.mixed_styles,
        "open_comments": open_comments,
    });
    problems::add_to_json(&reading.problems, &mut value);
    value
}

fn estimate_json(estimate: &Estimate) -> Value {
    let Estimate { name, count, intervals } = estimate;
    let interval = |of: fn(&Intervals) -> Option<Interval>| {
        let found = intervals.as_ref().and_then(of);
        found.map_or(Value::Null, |found| json!({ "low": found.low, "high": found.high, "defined": found.defined }))
    };
    json!({
        "player": name,
        "games": count.games,
        "wins": count.wins,
        "draws": count.draws,
        "losses": count.losses,
        "without_evaluations": count.without_evaluations,
        "e75": count.e75,
        "e75_interval": interval(|intervals| intervals.e75),
        "losses_at_e75": count.losses_at_e75,
        "e75_corrected": count.e75_corrected,
        "e75_corrected_interval": interval(|intervals| intervals.e75_corrected),
        "max_without_win": count.max_without_win.and_then(Peak::pawns),
        "max_without_win_is_mate": count.max_without_win == Some(Peak::Mate),
        "max_without_win_interval": interval(|intervals| intervals.max_without_win),
        "result_at_max": count.result_at_max,
        "nearest_pair": count.nearest().map_or(Value::Null, pair_json),
        "nearest_pair_interval": interval(|intervals| intervals.nearest),
        "pairs": count.pairs.iter().copied().map(pair_json).collect::<Value>(),
    })
}

fn pair_json(pair: Pair) -> Value {
    json!({
        "evaluation": pair.evaluation,
        "result": pair.result,
        "without_win": pair.without_win,
        "losses": pair.losses,
    })
}

fn as_text(all: &Estimate, each: &[Estimate], reading: &Reading) -> String {
    let mut out = match each {
        [one] => details(one),
        _ => details(all) + "\n" + &table(each),
    };
    if all.count.without_evaluations > 0 {
        let _ = writeln!(
            out,
            "\n{} results of sides without an evaluation in their game are left out.",
            grouped(all.count.without_evaluations)
        );
    }
    if reading.without_result > 0 {
        let _ = writeln!(out, "\n{} games without a result are left out.", grouped(reading.without_result));
    }
    out
}

/// A figure with its interval.
fn figure(value: Option<f64>, interval: Option<Interval>) -> String {
    let value = value.map_or("    -".to_owned(), |value| format!("{value:5.2}"));
    match interval {
        Some(found) if found.defined < 0.995 => {
            format!(
                "{value}  ({:.2} to {:.2}, told by {:.0} % of the draws)",
                found.low,
                found.high,
                100.0 * found.defined
            )
        }
        Some(found) => format!("{value}  ({:.2} to {:.2})", found.low, found.high),
        None => value,
    }
}

fn details(estimate: &Estimate) -> String {
    let Estimate { name, count, intervals } = estimate;
    let interval = |of: fn(&Intervals) -> Option<Interval>| intervals.as_ref().and_then(of);
    let mut out = format!(
        "{name}: {} games, {} wins, {} draws, {} losses\n\n",
        grouped(count.games),
        grouped(count.wins),
        grouped(count.draws),
        grouped(count.losses)
    );
    let _ = writeln!(out, "e(=0.75) by counting          {}", figure(count.e75, interval(|all| all.e75)));
    let corrected = figure(count.e75_corrected, interval(|all| all.e75_corrected));
    let losses = format_losses(count.losses_at_e75);
    let _ = writeln!(out, "  corrected for losses        {corrected}  {losses} losses among {}", count.wins);
    let highest = match count.max_without_win {
        Some(Peak::Mate) => " mate".to_owned(),
        peak => figure(peak.and_then(Peak::pawns), interval(|all| all.max_without_win)),
    };
    let _ = writeln!(out, "highest without a win         {highest}{}", result(count.result_at_max));
    let nearest = count.nearest();
    let at = figure(nearest.map(|pair| pair.evaluation), interval(|all| all.nearest));
    let _ = writeln!(out, "nearest to a result of 0.875  {at}{}", result(nearest.map(|pair| pair.result)));
    out.push('\n');
    match (count.e75_corrected, nearest) {
        (Some(e75), Some(pair)) if Relevance::new(e75, pair.evaluation, pair.result).is_ok() => {
            let _ =
                writeln!(out, "parameters: --e75 {e75:.2} --eplus {:.2} --result {:.4}", pair.evaluation, pair.result);
        }
        _ => {
            let _ = writeln!(
                out,
                "no parameters: {} wins and {} games without a win but with an evaluation above 0 are too few",
                count.wins,
                count.pairs.last().map_or(0, |pair| pair.without_win)
            );
        }
    }
    out
}

/// Whole, unless several games share the last peak.
fn format_losses(losses: f64) -> String {
    if losses.fract() == 0.0 { format!("{losses}") } else { format!("{losses:.1}") }
}

fn result(result: Option<f64>) -> String {
    result.map_or(String::new(), |result| format!("  result {result:.4}"))
}

fn table(each: &[Estimate]) -> String {
    let width = each.iter().map(|estimate| estimate.name.chars().count()).max().unwrap_or(0).clamp(6, 40);
    let mut out = format!(
        "{:<width$}{:>7}{:>6}{:>6}{:>7}  {:>5}  {:<14}{:>9}{:>6}  {:<16}\n",
        "player", "games", "wins", "draws", "losses", "e75", "90 %", "corrected", "max", "nearest to 0.875"
    );
    let number = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.2}"));
    for Estimate { name, count, intervals } in each {
        let interval = intervals.and_then(|all| all.e75);
        let interval = interval.map_or(String::new(), |found| format!("{:.2} to {:.2}", found.low, found.high));
        let max = match count.max_without_win {
            Some(Peak::Mate) => "mate".to_owned(),
            peak => number(peak.and_then(Peak::pawns)),
        };
        let nearest =
            count.nearest().map_or("-".to_owned(), |pair| format!("{:.2} / {:.4}", pair.evaluation, pair.result));
        let name: String = name.chars().take(width).collect();
        let _ = writeln!(
            out,
            "{name:<width$}{:>7}{:>6}{:>6}{:>7}  {:>5}  {interval:<14}{:>9}{max:>6}  {nearest}",
            count.games,
            count.wins,
            count.draws,
            count.losses,
            number(count.e75),
            number(count.e75_corrected)
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use drawish::estimate::Score;

    #[test]
    fn figures_say_how_often_they_could_be_told() {
        let interval = |defined| Some(Interval { low: 0.4, high: 0.6, defined });
        assert_eq!(figure(Some(0.5), interval(1.0)), " 0.50  (0.40 to 0.60)");
        assert_eq!(figure(Some(0.5), interval(0.25)), " 0.50  (0.40 to 0.60, told by 25 % of the draws)");
        assert_eq!(figure(None, None), "    -");
        assert_eq!(result(None), "");
        let lost = Record { game: 0, score: Score::Loss, peak: None };
        let nothing = Estimate { name: "A".to_owned(), count: count(&[lost]), intervals: None };
        assert!(
            details(&nothing).ends_with(
                "no parameters: 0 wins and 0 games without a win but with an evaluation above 0 are too few\n"
            )
        );
    }
}
