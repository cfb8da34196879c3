//! Results of a match and what they mean.

use std::fmt::Write;

use drawish_match::arena::{MatchScore, elo_lines_with, fixed, games_line, later_text, llr_line};
use drawish_match::results::{Remark, Run, TestPlace, have_several_opponents, named_test, stopped};
use drawish_stats::numbers::{counted, elo_interval, p_value};
use drawish_stats::{
    Analysis, Decision, NoFigure, Pentanomial, Pool, Results, SequentialEstimate, Sprt, Tested, Trinomial,
};
use serde_json::{Value, json};

use super::confirm::quoted;

/// What was found about these runs: the lines of match runners, the verdict of the test, Elo with its intervals.
#[must_use]
pub fn text(found: &Analysis, runs: &[Run]) -> String {
    let Analysis { runs: added, results, pool, strength, test, equivalence } = found;
    let mut out = origin(runs) + &elo_lines_with(results, strength) + &games_line(results, games(found, runs).as_ref());
    if let Results::Pairs(pairs) = results {
        let Pentanomial { ll, ld, wl_dd, wd, ww } = pairs;
        let _ = writeln!(out, "Ptnml(0-2): [{ll}, {ld}, {wl_dd}, {wd}, {ww}]");
    }
    if let Some(test) = test {
        out += &tested(test);
        // Single games of PGN are looked at all at once, and so is what is a part of a match.
        let is_at_once = |remark: &Remark| matches!(remark, Remark::Single | Remark::FewPairs(_) | Remark::NoRounds);
        let is_unordered =
            runs.iter().any(|run| run.remarks.iter().any(is_at_once)) || test.estimate == Err(NoFigure::OrderUnknown);
        if test.decision != Decision::Continue && is_unordered {
            out +=
                "The LLR is that of all games: it may have crossed a bound earlier, which the log of the match says.\n";
        }
        out.extend(caveat(&test.sprt, runs).map(|caveat| format!("{caveat}\n")));
        out.extend(other_verdict_of_runner(test, runs).map(|said| said + "\n"));
        let judged = (results.games() / 2).saturating_sub(test.later);
        out.extend(later_text(judged, test.later).map(|text| text + "\n"));
    }
    let given = test.as_ref().map(|test| test.sprt);
    let is_stopped = test.as_ref().is_some_and(|test| test.decision != Decision::Continue)
        || runs.iter().any(|run| run.is_shifted(given));
    let _ = writeln!(
        out,
        "{}Elo, as if the number of games had been fixed{}: {} ({})",
        if test.is_none() { "\n" } else { "" },
        if is_stopped { " (so are nElo and LOS)" } else { "" },
        fixed(strength.elo),
        interval(strength.elo_low, strength.elo_high)
    );
    if let Some(test) = equivalence {
        let margin = test.margin;
        let verdict = if test.p() < 0.05 { "shown at the 5 % level" } else { "not shown" };
        let as_if = if is_stopped { ", as if the number of games had been fixed" } else { "" };
        let p = p_value(test.p(), 4);
        let _ = writeln!(out, "A difference of less than {margin} Elo either way: {verdict} ({p}){as_if}.");
    }
    out += &match (stopped(runs, given), pool.same_match) {
        (0, _) => together(*added, pool, have_several_opponents(runs)),
        (stopped, Some(p)) => format!(
            "{added} runs added: they do not look like the same match ({}): tests have stopped {}, but up to five runs of one match differ so \
             much by that in 2 of 1,000 sums at most.\n",
            p_value(p, 5),
            if stopped == *added { "all".to_owned() } else { stopped.to_string() }
        ),
        (stopped, None) => format!(
            "{added} runs added: whether they fit together is not known, since tests have stopped {}, each where its score looked best or worst.\n",
            if stopped == *added { "all".to_owned() } else { stopped.to_string() }
        ),
    };
    out
}

/// Whether so many runs fit together, which are compared within each opponent where they are against several.
fn together(added: usize, pool: &Pool, are_of_several: bool) -> String {
    let short = pool.too_short;
    let (compared, too_short) = match (are_of_several, short) {
        (false, 0) => ("", String::new()),
        (false, _) => ("", format!(", {short} of them too short to tell")),
        (true, 0) => (", compared within each opponent", String::new()),
        (true, _) => {
            (", compared within each opponent", format!(", {} too short to tell", counted(short as u64, "result")))
        }
    };
    if let Some(p) = pool.same_match {
        let fit = if p < 0.01 { "they do not look like the same match" } else { "no sign that they differ" };
        let p = p_value(p, 4);
        format!("{added} runs added{compared}{too_short}: {fit} ({p}, taken seriously below 0.01).\n")
    } else if short > 0 && added > 1 {
        format!("{added} runs added{compared}: whether they fit together is not known, they are too short.\n")
    } else {
        String::new()
    }
}

/// Which test has judged these runs where none was given, or that there was none: a line that names the options of `drawish sprt`. With `left_out`
/// the source names a test, but none was wanted.
#[must_use]
pub fn test_note(runs: &[Run], left_out: bool) -> &'static str {
    let of_several = have_several_opponents(runs);
    match named_test(runs).map(|named| named.place) {
        // No test is made for these.
        None if of_several => "",
        None if stopped(runs, None) > 0 => {
            "Tests have stopped these runs, so that the Elo of each is too far from 0; that of their sum cannot be corrected.\n"
        }
        None if left_out && runs.iter().any(|run| run.is_shifted(None)) => {
            "The test that the results name was decided in the match: its Elo, corrected for the stop, is printed without --sprt none.\n"
        }
        None if left_out => "",
        None if runs.iter().any(|run| run.was_stopped(None)) => {
            "A test has stopped the match: give its --elo0 and --elo1, since the Elo is too far from 0 without.\n"
        }
        None => "If the match was stopped by a test, give its --elo0 and --elo1: its Elo is too far from 0 without.\n",
        Some(TestPlace::Printed) => {
            "The test is the one printed with the results, in the scale that is named or gives the printed LLR, or else in normalized Elo; --elo0 and --elo1 give another test.\n"
        }
        Some(TestPlace::Log) => "The test is the one that the log names; --elo0 and --elo1 give another.\n",
    }
}

/// Commands that choose two of several engines for `drawish sprt` with these arguments, or one against all: of those who `met` the
/// side that was `chosen`, or the two who met first. A line each, behind the end of a line.
#[must_use]
pub fn choosing(arguments: &[String], chosen: Option<&String>, names: &[String], met: &[[String; 2]]) -> String {
    let most = met.first().map_or(&names[0], |[one, _]| one);
    let first = chosen.filter(|first| names.contains(first)).unwrap_or(most);
    let opponents = met.iter().filter(|two| two.contains(first)).flatten().chain(names);
    let other = opponents.into_iter().find(|name| *name != first).map_or("all", |other| other);
    let results: Vec<_> = arguments.iter().map(|argument| quoted(argument)).collect();
    let command =
        |against: &str| format!("\n  drawish sprt {} --first {} --against {against}", results.join(" "), quoted(first));
    command(&quoted(other)) + &command("all")
}

/// Whose results these are, and how they were found.
fn origin(runs: &[Run]) -> String {
    let sides = runs.iter().find_map(|run| run.sides.as_ref());
    let mut out = sides.map_or(String::new(), |[first, second]| format!("{first} against {second}\n"));
    for Run { name, remarks, .. } in runs {
        for remark in remarks {
            let _ = writeln!(out, "{name}: {remark}");
        }
    }
    out
}

/// Wins, draws and losses, if they are known of all pairs and of nothing else.
fn games(found: &Analysis, runs: &[Run]) -> Option<Trinomial> {
    let mut sum = Trinomial::default();
    for run in runs {
        let Trinomial { wins, draws, losses } = run.counted.games?;
        sum = Trinomial { wins: sum.wins + wins, draws: sum.draws + draws, losses: sum.losses + losses };
    }
    (sum.wins + sum.draws + sum.losses == found.results.games()).then_some(sum)
}

/// The LLR, the decision, and Elo corrected for the stop.
fn tested(test: &Tested) -> String {
    let Tested { sprt, llr, decision, estimate, later: _ } = test;
    let mut out = llr_line(sprt, *llr);
    let ([elo0, elo1], model) = (sprt.bounds().map(fixed), sprt.model().name());
    let _ = match decision {
        Decision::H0 => writeln!(out, "\nH0 is accepted: the difference is rather {elo0} than {elo1} ({model} Elo)."),
        Decision::H1 => writeln!(out, "\nH1 is accepted: the difference is rather {elo1} than {elo0} ({model} Elo)."),
        Decision::Continue => writeln!(out, "\nUndecided: the LLR has reached neither of its bounds."),
    };
    let stop = words_of_stop(*decision);
    let _ = match *estimate {
        Ok(SequentialEstimate { elo, low, high }) => {
            writeln!(out, "Elo, {stop}: {} ({})", fixed(elo), interval(low, high))
        }
        Err(why) => writeln!(out, "Elo, {stop}: not known, {why}."),
    };
    out
}

/// What Elo is beside a test: of a match that goes on, it is what the test would find if it ended there.
pub(crate) fn words_of_stop(decision: Decision) -> &'static str {
    match decision {
        Decision::Continue => "if it ended here",
        Decision::H0 | Decision::H1 => "corrected for the stop",
    }
}

/// What a test leaves out of account.
fn caveat(sprt: &Sprt, runs: &[Run]) -> Option<&'static str> {
    let has_pairs = runs.iter().any(|run| run.counted.pairs.is_some());
    sprt.model().caveat().filter(|_| has_pairs)
}

/// What is to be said of a test that is decided where that of the runner is not, or otherwise.
fn other_verdict_of_runner(test: &Tested, runs: &[Run]) -> Option<String> {
    if let [run] = runs { run.other_verdict_of_runner(test) } else { None }
}

/// An interval in words; its ends may be those of the scale.
fn interval(low: f64, high: f64) -> String {
    format!("95 % interval {}", elo_interval(low, high, fixed))
}

/// All of it for programs, with the runs that were added.
#[must_use]
pub fn json(found: &Analysis, of: &[Run]) -> Value {
    let Analysis { runs, results, pool, strength, test, equivalence } = found;
    let bound = |which: usize| test.map(|test| test.sprt.bounds()[which]);
    let estimate = test.map(|test| test.estimate);
    let source = |run: &Run| {
        json!({
            "name": run.name,
            "sides": run.sides,
            "pairs": run.counted.pairs.map(|pairs| Results::Pairs(pairs).counts()),
            "games": run.counted.games.map(|games| Results::Games(games).counts()),
            "repeated": run.repeated,
            "stopped": run.was_stopped(test.map(|test| test.sprt)),
            "remarks": run.remarks.iter().map(ToString::to_string).collect::<Vec<_>>(),
        })
    };
    let mut value = json!({
        "sources": of.iter().map(source).collect::<Vec<_>>(),
        "test_from": test.map(|test| {
            let named = named_test(of).filter(|named| named.sprt == test.sprt);
            named.map_or("arguments", |named| named.place.name())
        }),
        "model": test.map(|test| test.sprt.model().name()),
        "elo0": bound(0),
        "elo1": bound(1),
        "counts": results.counts(),
        "distinct_counts": pool.results.counts(),
        "llr": test.map(|test| test.llr),
        "other_verdict_of_runner": test.as_ref().and_then(|test| other_verdict_of_runner(test, of)),
        "lower": test.map(|test| test.sprt.lower()),
        "upper": test.map(|test| test.sprt.upper()),
        "decision": test.map(|test| test.decision.name()),
        "pairs_after_decision": test.map(|test| test.later),
        "repeated_pairs": of.iter().map(|run| run.repeated).sum::<u64>(),
    });
    let more = json!({
        "sequential": estimate.and_then(Result::ok)
            .map(|SequentialEstimate { elo, low, high }| json!({ "elo": elo, "low": low, "high": high })),
        "sequential_absent": estimate.and_then(Result::err).map(|why| why.to_string()),
        "runs": runs,
        "same_match": pool.same_match,
        "too_short_runs": pool.too_short,
        "test_caveat": test.and_then(|test| caveat(&test.sprt, of)),
        "stopped_runs": stopped(of, test.map(|test| test.sprt)),
        "equivalence": equivalence.map(|test| json!({
            "margin": test.margin, "p": test.p(), "p_below": test.p_below, "p_above": test.p_above,
        })),
    });
    for part in [json!(MatchScore::with(results, strength)), more] {
        for (name, figure) in part.as_object().into_iter().flatten() {
            value[name] = figure.clone();
        }
    }
    value
}
