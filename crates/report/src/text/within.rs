//! Heads fitted within roots: what they stand on, their weights, and how they order moves.

use std::fmt::Write;

use drawish_games::sample::GamesAgain;
use drawish_heads::heads::{Head, Weighted};
use drawish_match::within::{Beside, Compared, Estimate, FitFigures, Fitted, FormFit, HeldOut, RootSkip, WithinFit};
use drawish_stats::numbers::{grouped, percent};
use drawish_stats::{FEWEST_DIFFERING, FEWEST_EVENTS, reach_of_95_percent};
use serde_json::{Value, json};

use super::counts::{self, Hint};
use super::ledger::row;
use super::{columns, ledger};

/// Games, positions and moves, then for each head its weights, or for a form its numbers, and the figures on held-out games.
#[must_use]
pub fn text(fitted: &Fitted, hint: Hint) -> String {
    match fitted {
        Fitted::Heads(fitted) => heads_text(fitted, hint),
        Fitted::Form(fitted) => form_text(fitted, hint),
    }
}

fn heads_text(fitted: &WithinFit, hint: Hint) -> String {
    let mut out = ledger_of(&fitted.compared, hint);
    for (name, about, head, figures) in heads(fitted) {
        let _ = write!(
            out,
            "\n{name}, {}\n{}",
            stands_on(&fitted.compared),
            weights(head, reach_of_95_percent(fitted.compared.games))
        );
        let _ =
            writeln!(out, "{about} is worth {} to the search", interval(figures.slope, |value| format!("{value:.3}")));
        out += &held_out(&figures.held_out, ["plain", "with head"]);
    }
    out + &note()
        + "how far priors hold weights back is in no CI: those of rare features may be nearer to 0 than the truth\n"
}

fn form_text(fitted: &FormFit, hint: Hint) -> String {
    let mut out = ledger_of(&fitted.compared, hint);
    let mut rows = vec![["number", "before", "fitted", "95 % CI"].map(str::to_owned)];
    for number in &fitted.numbers {
        let value = number.value.value;
        let of = |value: f64| format!("{value:.2}");
        let interval = number.value.error.map_or_else(|| "-".to_owned(), |error| from_to(value, error, of));
        rows.push([number.name.clone(), of(number.before), of(value), interval]);
    }
    let slope = interval(fitted.figures.slope, |value| format!("{value:.3}"));
    let _ = writeln!(
        out,
        "\nform, {}\n{}a static difference of one centipawn is worth {slope} to the search",
        stands_on(&fitted.compared),
        columns(&rows, &[0])
    );
    out += &held_out(&fitted.figures.held_out, ["before", "fitted"]);
    out + &note()
}

/// What intervals are, and why some are absent.
fn note() -> String {
    format!(
        "CI: 95 %, by games; - where a weight differs in fewer than {FEWEST_EVENTS} games from most, or a figure held out in fewer than {FEWEST_DIFFERING}\n\
         held out: each game by the fit to the games of the other folds\n"
    )
}

fn ledger_of(compared: &Compared, hint: Hint) -> String {
    let mut out = counts::tally(&compared.tally, compared.anomalies, &GamesAgain::default(), hint);
    let (positions, moves) = accounts(compared);
    for (account, of) in [(positions, compared.roots.total()), (moves, compared.moves.total())] {
        out.push('\n');
        account.into_iter().for_each(|(label, count, remark)| row(&mut out, &label, count, of, remark));
    }
    out
}

fn stands_on(compared: &Compared) -> String {
    let labels = match compared.syzygy {
        Some(tables) => format!("labels by {tables}"),
        None => format!("{} nodes each", grouped(compared.nodes)),
    };
    format!(
        "fitted to {} moves of {} roots of {} games, {labels}",
        grouped(compared.moves.labelled),
        grouped(compared.roots.compared),
        grouped(compared.games as u64)
    )
}

fn heads(fitted: &WithinFit) -> [(&'static str, &'static str, &Head, &FitFigures); 2] {
    [
        ("gain head", "a static difference of one centipawn", &fitted.heads.gain, &fitted.gain),
        ("draw head", "a static difference of 1 in the probability of a draw", &fitted.heads.draw, &fitted.draw),
    ]
}

type Account = Vec<(String, u64, &'static str)>;

/// Positions and moves by what became of them; the first of each is all of them.
fn accounts(compared: &Compared) -> (Account, Account) {
    let (roots, moves) = (&compared.roots, &compared.moves);
    let skipped =
        RootSkip::ALL.iter().zip(roots.skipped).map(|(reason, count)| (format!("  {}", reason.name()), count, ""));
    let mut positions = vec![
        ("positions sampled".to_owned(), roots.total(), ""),
        ("  roots compared".to_owned(), roots.compared, ""),
        ("  not drawn".to_owned(), roots.not_drawn, "there were as many as wanted without them"),
        ("  repeated".to_owned(), roots.repeated, "in games before"),
    ];
    positions.extend(skipped);
    let moves = vec![
        ("moves of these roots".to_owned(), moves.total(), ""),
        (
            if compared.syzygy.is_some() { "  known to endgame tables" } else { "  searched" }.to_owned(),
            moves.labelled,
            "",
        ),
        ("  outside the window".to_owned(), moves.outside, "too far below the best by the static evaluation"),
        ("  not quiet".to_owned(), moves.hanging, "captures would change the evaluation"),
        ("  give check".to_owned(), moves.check, ""),
        ("  end the game".to_owned(), moves.over, ""),
    ];
    let there = |list: Account| {
        list.into_iter().enumerate().filter(|(at, line)| *at < 2 || line.1 > 0).map(|(_, line)| line).collect()
    };
    (there(positions), there(moves))
}

fn weights(head: &Head, reach: f64) -> String {
    let mut rows = vec![["term", "weight", "95 % CI", "in errors"].map(str::to_owned)];
    for Weighted { term, weights, errors } in &head.score {
        for (at, weight) in weights.iter().enumerate() {
            let name = if weights.len() == 1 { term.clone() } else { format!("{term} [{at}]") };
            let error = errors.get(at).copied().filter(|error| *error > 0.0);
            let interval =
                error.map_or_else(|| "-".to_owned(), |error| from_to(*weight, reach * error, |x| format!("{x:+.4}")));
            let ratio = error.map_or_else(|| "-".to_owned(), |error| format!("{:+.1}", weight / error));
            rows.push([name, format!("{weight:+.4}"), interval, ratio]);
        }
    }
    columns(&rows, &[0])
}

fn held_out(found: &HeldOut, [plain, with]: [&str; 2]) -> String {
    let mut rows = vec![["held out", plain, with, "difference", "95 % CI"].map(str::to_owned)];
    type Form = fn(f64) -> String;
    let figures: [(&str, Option<Beside>, Form, Form); 4] = [
        ("pairs ordered as by the search", found.ordered, percent, |x| format!("{:+.3} %", 100.0 * x)),
        ("squared error, cp²", found.squared_error, |x| format!("{x:.1}"), |x| format!("{x:+.2}")),
        ("difference, cp", found.difference, |x| format!("{x:.2}"), |x| format!("{x:+.3}")),
        ("loss by the best move, cp", found.loss, |x| format!("{x:.2}"), |x| format!("{x:+.3}")),
    ];
    for (name, beside, number, change) in figures {
        let Some(Beside { plain, head, difference }) = beside else { continue };
        let interval =
            difference.error.map_or_else(|| "-".to_owned(), |error| from_to(difference.value, error, change));
        rows.push([name.to_owned(), number(plain.value), number(head.value), change(difference.value), interval]);
    }
    format!("{} pairs in {} folds\n{}", grouped(found.pairs), found.folds, columns(&rows, &[0]))
}

fn from_to(value: f64, error: f64, form: impl Fn(f64) -> String) -> String {
    format!("{} to {}", form(value - error), form(value + error))
}

fn interval(found: Estimate, form: impl Fn(f64) -> String) -> String {
    match found.error {
        Some(error) => format!("{} ({})", form(found.value), from_to(found.value, error, form)),
        None => form(found.value),
    }
}

/// The same for programs.
#[must_use]
pub fn json(fitted: &Fitted) -> Value {
    match fitted {
        Fitted::Heads(fitted) => heads_json(fitted),
        Fitted::Form(fitted) => form_json(fitted),
    }
}

fn heads_json(fitted: &WithinFit) -> Value {
    let mut value = ledger_json(&fitted.compared);
    for (key, (_, _, head, figures)) in ["gain", "draw"].into_iter().zip(heads(fitted)) {
        value[key] = json!({ "head": head, "slope": figures.slope, "held_out": figures.held_out });
    }
    value
}

fn form_json(fitted: &FormFit) -> Value {
    let mut value = ledger_json(&fitted.compared);
    let numbers = fitted.numbers.iter().map(|number| {
        json!({ "name": number.name, "before": number.before, "value": number.value.value, "error": number.value.error })
    });
    value["numbers"] = numbers.collect();
    value["slope"] = json!(fitted.figures.slope);
    value["held_out"] = json!(fitted.figures.held_out);
    value
}

fn ledger_json(compared: &Compared) -> Value {
    let mut value = counts::tally_json(&compared.tally, compared.anomalies);
    ledger::add_problems(&compared.problems, &mut value);
    let roots = &compared.roots;
    let skipped = RootSkip::ALL.iter().zip(roots.skipped).map(|(skip, count)| (skip.name(), count));
    value["roots"] = json!({
        "sampled": roots.total(), "compared": roots.compared, "not_drawn": roots.not_drawn, "repeated": roots.repeated,
        "skipped": ledger::by_name(skipped),
    });
    value["moves"] = json!({ "compared_roots": compared.moves, "other_roots": compared.moves_left_out });
    value["games_compared"] = json!(compared.games);
    value["nodes"] = json!(compared.nodes);
    value
}
