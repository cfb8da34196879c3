//! The match that must confirm tuned values, as a command.

use std::fmt::Write;
use std::path::Path;

use drawish_match::arena::{BookRule, Limits, Order, Rules};
use drawish_match::contest::{ArmSettings, Openings, Plays, Terms, read_form};
use drawish_match::spsa::{Parameter, Spsa, SpsaPlayed};

/// Bounds in normalized Elo: worth having, and found in games that one can wait for.
const SPRT: &str = "elo0=0 elo1=3";

/// A match of the averaged values against the first ones, from openings that tuning has not used; with what to know of them.
///
/// `words` are those of the engine as it was given, `tuned` is where the tuned form of an arm is, and `openings` where the book is.
#[must_use]
pub fn text(words: &[String], tuned: Option<&Path>, openings: &Path, spsa: &Spsa, played: &SpsaPlayed) -> String {
    let moved =
        |parameter: &Parameter, average: f64| parameter.in_words(average) != parameter.in_words(parameter.value);
    if !played.found().any(|found| moved(found.parameter, found.average)) {
        return "\nAll values round to those they began with, so there is nothing to confirm: play more pairs, or try larger steps (c_end, r_end).\n"
            .to_owned();
    }
    let seed = played.setup.games.seed;
    let all = played.setup.games.openings;
    let left = all.saturating_sub(played.pairs());
    let (mut about, mut place) =
        ("Confirm on openings that tuning did not use", quoted(&openings.display().to_string()));
    let order = match spsa.terms.order {
        Order::Random => "",
        Order::Sequential => " --order sequential",
    };
    let which = match spsa.terms.openings {
        // Random openings of another seed are other openings.
        Openings::Random(_) => format!(" --seed {} --pairs 20000", seed.wrapping_add(1)),
        // A book is played in a circle.
        _ if left > 0 => {
            let next = (spsa.terms.passed_over + played.pairs()) % all + 1;
            format!("{order} --seed {seed} --start {next} --pairs {left}")
        }
        _ => {
            about = "Tuning has used all openings of its book. Confirm on another book, here OTHER.epd";
            "OTHER.epd".clone_into(&mut place);
            order.to_owned()
        }
    };
    let is_arm = matches!(spsa.engine.plays, Plays::Arm(_));
    let unwritten = if is_arm && tuned.is_none() {
        "; write tuned.toml first, by the same command with --resume -o tuned.toml"
    } else {
        ""
    };
    let mut text = format!("\n{about}{unwritten}:\ndrawish match");
    // The form that was tuned stands in for the first one.
    let others: Vec<String> = words.iter().filter(|word| !word.starts_with("form=")).cloned().collect();
    let of_tuned = if is_arm { &others } else { words };
    text += &engine(of_tuned, "tuned", |text| with_values(text, tuned, spsa, played));
    text += &engine(words, "before", |text| first_values(text, spsa, played));
    let _ = write!(text, " \\\n    --openings {place}{}{which}", rule(&spsa.terms.openings));
    let (limits, rules) = (limits(&spsa.terms.limits), rules(&spsa.terms.rules));
    let _ = writeln!(text, "{limits}{rules}{} --sprt {SPRT} --log confirm.jsonl", others_of(&spsa.terms));
    text + &other_first_values(spsa, played).unwrap_or_default()
}

/// Numbers that were tuned from other values than those that the form of `before` has: the match does not say what tuning has gained.
fn other_first_values(spsa: &Spsa, played: &SpsaPlayed) -> Option<String> {
    let Plays::Arm(ArmSettings { form: Some(path), .. }) = &spsa.engine.plays else { return None };
    let form = read_form(path).ok()?;
    let other = |parameter: &Parameter| {
        let of_form = form.number(&parameter.name).filter(|&number| number != parameter.value)?;
        let [first, of_form] = [parameter.value, of_form].map(|value| parameter.in_words(value));
        (first != of_form).then(|| format!("{} {first}, not {of_form}", parameter.name))
    };
    let others: Vec<String> = played.setup.parameters.iter().filter_map(other).collect();
    (!others.is_empty()).then(|| {
        format!(
            "Tuning began elsewhere than {} stands ({}), so this match is not against the first values; for that, give \"before\" a form with \
             them: drawish form --set\n",
            path.display(),
            others.join(", ")
        )
    })
}

/// What of a book is played.
fn rule(openings: &Openings) -> String {
    let Openings::File { rule: BookRule { plies, castling, band }, .. } = openings else { return String::new() };
    let parts = [
        plies.map(|plies| format!(" --plies {plies}")),
        band.as_ref().map(|band| format!(" --conversion {}..{}", band.start(), band.end())),
        castling.map(|castling| format!(" --variant {}", if castling.is_chess960() { "chess960" } else { "standard" })),
    ];
    parts.into_iter().flatten().collect()
}

/// Tables, and what is not as it is where nothing is said.
fn others_of(terms: &Terms) -> String {
    let usual = Terms::new(Openings::Random(1));
    let tables = std::env::join_paths(&terms.syzygy).ok().filter(|_| !terms.syzygy.is_empty());
    let (margin, patience) = (terms.rules.time_margin, terms.patience);
    let parts = [
        tables.map(|tables| format!(" --syzygy {}", quoted(&tables.to_string_lossy()))),
        terms.syzygy_men.map(|men| format!(" --syzygy-pieces {men}")),
        (margin != usual.rules.time_margin).then(|| format!(" --time-margin {}", margin.as_millis())),
        (patience != usual.patience).then(|| format!(" --patience {}", patience.as_secs())),
    ];
    parts.into_iter().flatten().collect()
}

fn engine(words: &[String], name: &str, values: impl FnOnce(&mut String)) -> String {
    let mut text = " \\\n    --engine".to_owned();
    for word in words.iter().filter(|word| !word.starts_with("name=")) {
        text += &format!(" {}", quoted(word));
    }
    text += &format!(" name={name}");
    values(&mut text);
    text
}

fn with_values(text: &mut String, tuned: Option<&Path>, spsa: &Spsa, played: &SpsaPlayed) {
    match &spsa.engine.plays {
        Plays::Arm(_) => {
            let file = tuned.map_or_else(|| "tuned.toml".to_owned(), |path| path.display().to_string());
            *text += &format!(" {}", quoted(&format!("form={file}")));
        }
        Plays::Program(_) => {
            for found in played.found() {
                let value = found.parameter.in_words(found.average);
                *text += &format!(" {}", quoted(&format!("option.{}={value}", found.parameter.name)));
            }
        }
    }
}

fn first_values(text: &mut String, spsa: &Spsa, played: &SpsaPlayed) {
    if let Plays::Program(_) = &spsa.engine.plays {
        for parameter in &played.setup.parameters {
            let value = parameter.in_words(parameter.value);
            *text += &format!(" {}", quoted(&format!("option.{}={value}", parameter.name)));
        }
    }
}

fn limits(limits: &Limits) -> String {
    let Limits { nodes, depth, movetime, tc } = limits;
    let parts = [
        nodes.map(|nodes| format!(" --nodes {nodes}")),
        depth.map(|depth| format!(" --depth {depth}")),
        movetime.map(|time| format!(" --movetime {}", time.as_secs_f64())),
        tc.map(|tc| format!(" --tc {tc}")),
    ];
    parts.into_iter().flatten().collect()
}

fn rules(rules: &Rules) -> String {
    let parts = [
        rules.resign.map(|rule| {
            let two_sided = if rule.two_sided { " twosided=true" } else { "" };
            format!(" --resign moves={} score={}{two_sided}", rule.moves, rule.score)
        }),
        rules.draw.map(|rule| format!(" --draw from={} moves={} score={}", rule.from_move, rule.moves, rule.score)),
        rules.max_moves.map(|moves| format!(" --max-moves {moves}")),
    ];
    parts.into_iter().flatten().collect()
}

/// A word as a shell takes it.
#[must_use]
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=,:+%@".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_needs_it() {
        assert_eq!(
            [quoted("option.A=1"), quoted("option.My A=1"), quoted("it's"), quoted("")],
            ["option.A=1", "'option.My A=1'", r"'it'\''s'", "''"]
        );
    }
}
