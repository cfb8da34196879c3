//! The parameters of relevance, counted in games, as lines and tables.

use std::fmt::Write;

use drawish_games::estimate::{Doubt, Draws, Estimate, Estimated, Interval, Intervals, Peak, Reading};
use drawish_stats::model::relevance::Relevance;
use drawish_stats::numbers::counted;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

/// How a program writes parameters, as its user gives them to it.
pub type InWords = fn(&Relevance) -> String;

/// The figures of one player, or of all together and each in a table. `of_mixed` is what a program adds where several are together.
#[must_use]
pub fn text(Estimated { all, each }: &Estimated, reading: &Reading, parameters: InWords, of_mixed: &str) -> String {
    let mut out = match &each[..] {
        [one] => details(one, parameters, true),
        _ => {
            let players = counted(each.len() as u64, "player");
            let mixed = format!(
                "No parameters: the evaluations of {players} are mixed; parameters are those of one engine{of_mixed}."
            );
            details(all, parameters, false) + &mixed + "\n\n" + &table(each)
        }
    };
    if all.count.without_evaluations > 0 {
        let _ = writeln!(
            out,
            "\nLeft out: {} of sides without an evaluation in their game.",
            counted(all.count.without_evaluations, "result")
        );
    }
    if reading.without_result > 0 {
        let _ = writeln!(out, "\nLeft out: {} without a result.", counted(reading.without_result, "game"));
    }
    out
}

/// Counting uses one evaluation of each game.
const FOR_FEW_GAMES: &str = "\n  few games: `drawish relevance compare` fits e75 to every evaluation of them instead of counting one of each game";

/// A figure with its interval.
fn figure(value: Option<f64>, interval: Option<Interval>) -> String {
    // In the few samples in which it is defined it is nobody's.
    let Some(value) = value else { return "    -".to_owned() };
    let value = format!("{value:5.2}");
    match interval {
        Some(found) if found.defined < 0.995 => {
            format!(
                "{value}  ({:.2} to {:.2}, defined in {:.0} % of the bootstrap samples)",
                found.low,
                found.high,
                100.0 * found.defined
            )
        }
        Some(found) => format!("{value}  ({:.2} to {:.2})", found.low, found.high),
        None => value,
    }
}

/// `is_of_one`: of one player, whose evaluations nothing is mixed with.
fn details(estimate: &Estimate, parameters: InWords, is_of_one: bool) -> String {
    let Estimate { name, count, intervals } = estimate;
    let interval = |of: fn(&Intervals) -> Option<Interval>| intervals.as_ref().and_then(of);
    let is_of_both = count.wins + count.draws + count.losses > count.games;
    let mut out = format!(
        "{}: {}{}, {}, {}, {}\n\n",
        if name.is_empty() { "players without a name" } else { name },
        counted(count.games, "game"),
        if is_of_both { ", counted from both sides" } else { "" },
        counted(count.wins, "win"),
        counted(count.draws, "draw"),
        counted(count.losses, "loss")
    );
    let _ = writeln!(out, "e(=0.75) by counting          {}", figure(count.e75, interval(|all| all.e75)));
    let corrected = figure(count.e75_corrected, interval(|all| all.e75_corrected));
    let losses = format_losses(count.losses_at_e75);
    let _ = writeln!(out, "  corrected for losses        {corrected}  {losses} among {}", counted(count.wins, "game"));
    let highest = match count.max_without_win {
        Some(Peak::Mate) => " mate".to_owned(),
        peak => figure(peak.and_then(Peak::pawns), None),
    };
    let _ = writeln!(out, "highest without a win         {highest}{}", result(count.result_at_max));
    let nearest = count.nearest();
    let at = figure(nearest.map(|pair| pair.evaluation), interval(|all| all.nearest));
    let _ = writeln!(out, "nearest to a result of 0.875  {at}{}", result(nearest.map(|pair| pair.result)));
    if let Some(why) = count.too_few() {
        let _ = writeln!(out, "no intervals: {why}");
    }
    out.push('\n');
    let doubts = estimate.doubts();
    let found = count.e75_corrected.zip(nearest).map(|(e75, at)| Relevance::new(e75, at.evaluation, at.result));
    let _ = match found {
        // Nobody should paste parameters of mixed players.
        Some(Ok(_)) if !is_of_one => Ok(()),
        Some(Ok(found)) if doubts.is_empty() => writeln!(out, "parameters: {}", parameters(&found)),
        Some(Ok(found)) => {
            let why = doubts.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
            writeln!(
                out,
                "parameters, not to be trusted: {}\n  {why}: take more games with wins, or keep the default parameters{FOR_FEW_GAMES}",
                parameters(&found)
            )
        }
        Some(Err(why)) => {
            let of_one = if is_of_one { "" } else { ", or games of one engine," };
            writeln!(
                out,
                "no parameters: {why}; more games{of_one} may tell; until then `drawish relevance annotate` takes the default parameters{FOR_FEW_GAMES}"
            )
        }
        None => writeln!(
            out,
            "no parameters: {} and {} without a win but with an evaluation above 0 are too few; until then `drawish relevance annotate` takes the default parameters{FOR_FEW_GAMES}",
            counted(count.wins, "win"),
            counted(count.pairs.last().map_or(0, |pair| pair.without_win), "game")
        ),
    };
    out
}

/// Whole, unless several games share the last peak.
fn format_losses(losses: f64) -> String {
    if losses.fract() == 0.0 { counted(losses as u64, "loss") } else { format!("{losses:.1} losses") }
}

fn result(result: Option<f64>) -> String {
    result.map_or(String::new(), |result| format!("  result {result:.4}"))
}

fn table(each: &[Estimate]) -> String {
    let width = each.iter().map(|estimate| estimate.name.chars().count()).max().unwrap_or(0).clamp(6, 40);
    let mut out = format!(
        "{:<width$}{:>7}{:>6}{:>6}{:>7}  {:>5}  {:<14}{:>9}{:>8}  {:<16}\n",
        "player", "games", "wins", "draws", "losses", "e75", "90 %", "corrected", "max", "nearest to 0.875"
    );
    let number = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.2}"));
    for estimate in each {
        let Estimate { name, count, intervals } = estimate;
        let doubt = if estimate.doubts().is_empty() { "" } else { "?" };
        // Those samples that give no figure are not in it.
        let interval = intervals.and_then(|all| all.e75).filter(|found| found.defined >= Doubt::FEWEST_DEFINED);
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
            "{name:<width$}{:>7}{:>6}{:>6}{:>7}  {:>5}  {interval:<14}{:>9}{doubt:<1}{max:>7}  {nearest}",
            count.games,
            count.wins,
            count.draws,
            count.losses,
            number(count.e75),
            number(count.e75_corrected)
        );
    }
    if each.iter().any(|estimate| !estimate.doubts().is_empty()) {
        out.push_str("\n? not to be trusted: too few games, or an interval or value too far beyond what was seen\n");
    }
    out
}

/// All figures for programs, with the draws that the intervals are made of.
#[must_use]
pub fn json(draws: Draws, Estimated { all, each }: &Estimated, reading: &Reading) -> impl Serialize {
    let mut value = estimate_json(all);
    value["players"] = Value::Null;
    value["bootstrap"] = json!({ "replicates": draws.replicates, "seed": draws.seed, "confidence": 0.9 });
    value["reading"] = super::reading::json(reading);
    WithPlayers { value, each }
}

/// An object whose `players` are made while they are written: there may be a million, and as values they are ten times as large as in text.
struct WithPlayers<'a> {
    value: Value,
    each: &'a [Estimate],
}

impl Serialize for WithPlayers<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = self.value.as_object().into_iter().flatten();
        let mut map = serializer.serialize_map(None)?;
        for (name, value) in fields {
            match name.as_str() {
                "players" => map.serialize_entry(name, &Players(self.each))?,
                _ => map.serialize_entry(name, value)?,
            }
        }
        map.end()
    }
}

struct Players<'a>(&'a [Estimate]);

impl Serialize for Players<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(estimate_json))
    }
}

fn estimate_json(estimate: &Estimate) -> Value {
    let Estimate { name, count, intervals } = estimate;
    let interval = |of: fn(&Intervals) -> Option<Interval>| intervals.as_ref().and_then(of);
    json!({
        "player": name,
        "games": count.games,
        "wins": count.wins,
        "draws": count.draws,
        "losses": count.losses,
        "without_evaluations": count.without_evaluations,
        "no_intervals": count.too_few().map(|why| why.to_string()),
        "not_to_be_trusted": estimate.doubts().iter().map(ToString::to_string).collect::<Vec<_>>(),
        "e75": count.e75,
        "e75_interval": interval(|intervals| intervals.e75),
        "losses_at_e75": count.losses_at_e75,
        "e75_corrected": count.e75_corrected,
        "e75_corrected_interval": interval(|intervals| intervals.e75_corrected),
        "max_without_win": count.max_without_win.and_then(Peak::pawns),
        "max_without_win_is_mate": count.max_without_win == Some(Peak::Mate),
        "result_at_max": count.result_at_max,
        "nearest_pair": count.nearest(),
        "nearest_pair_interval": interval(|intervals| intervals.nearest),
        "pairs": count.pairs,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use drawish_games::estimate::{Count, Record, Score, count};

    #[test]
    fn figures_say_how_often_they_could_be_told() {
        let interval = |defined| Some(Interval { low: 0.4, high: 0.6, defined });
        assert_eq!(figure(Some(0.5), interval(1.0)), " 0.50  (0.40 to 0.60)");
        assert_eq!(
            figure(Some(0.5), interval(0.25)),
            " 0.50  (0.40 to 0.60, defined in 25 % of the bootstrap samples)"
        );
        assert_eq!(figure(None, None), "    -");
        assert_eq!(figure(None, interval(0.004)), "    -");
        assert_eq!(result(None), "");
        let lost = Record { game: 0, opening: 0, score: Score::Loss, peak: None };
        // A decided game, from both sides.
        let seen = Record { peak: Some(Peak::Centipawns(30)), ..lost };
        let both = [seen, Record { score: Score::Win, ..seen }];
        let both = Estimate { name: "all".to_owned(), count: count(&both), intervals: None };
        let said = details(&both, |_| String::new(), false);
        assert!(said.starts_with("all: 1 game, counted from both sides, 1 win, 0 draws, 1 loss\n"), "{said}");
        let peak = |centipawns| Some(Peak::Centipawns(centipawns));
        let games = (1..40).map(|game: i32| {
            let score = if game % 3 == 0 { Score::Draw } else { Score::Win };
            Record { game: game as _, opening: game as _, score, peak: peak(20 * game) }
        });
        let all = Estimate { name: "all".to_owned(), count: count(&games.collect::<Vec<_>>()), intervals: None };
        let all = Estimate { count: Count { e75_corrected: Some(1.5), ..all.count }, ..all };
        let options: InWords = |_| "--e75 1".to_owned();
        assert!(details(&all, options, true).contains("--e75"), "{}", details(&all, options, true));
        let estimated = Estimated { each: vec![all.clone(), all.clone()], all };
        let said = text(&estimated, &Reading::default(), options, "");
        assert!(
            !said.contains("--e75") && said.contains("\nNo parameters: the evaluations of 2 players are mixed"),
            "{said}"
        );
        let nothing = Estimate { name: "A".to_owned(), count: count(&[lost]), intervals: None };
        assert!(
            details(&nothing, |_| String::new(), true).contains(
                "no parameters: 0 wins and 0 games without a win but with an evaluation above 0 are too few; until then `drawish relevance annotate` takes the default parameters\n  few games: `drawish relevance compare`"
            )
        );
        let with = |defined| {
            let e75 = interval(defined);
            let intervals = Intervals { e75, e75_corrected: None, nearest: None };
            table(&[Estimate { intervals: Some(intervals), ..nothing.clone() }])
        };
        assert!(with(0.96).contains("0.40 to 0.60") && !with(0.36).contains("0.40"), "{}", with(0.36));
    }
}
