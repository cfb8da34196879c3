//! The match that must confirm tuned values, as a command.

use std::fmt::Write;
use std::path::Path;

use drawish::arena::{Limits, Rules};
use drawish::contest::{Openings, Plays};
use drawish::spsa::{Spsa, SpsaPlayed};

/// Bounds in normalized Elo: worth having, and found in games that one can wait for.
const SPRT: &str = "elo0=0 elo1=3";

/// A match of the averaged values against the first ones, from openings behind those that tuning used.
pub(super) fn command(
    words: &[String],
    tuned: Option<&Path>,
    openings: &Path,
    spsa: &Spsa,
    played: &SpsaPlayed,
) -> String {
    let mut text = "drawish match".to_owned();
    let _ = write!(text, "{}", engine(words, "tuned", |text| with_values(text, tuned, spsa, played)));
    text += &engine(words, "before", |text| first_values(text, spsa, played));
    let _ = write!(text, " \\\n    --openings {}", quoted(&openings.display().to_string()));
    let seed = played.setup.games.seed;
    match spsa.terms.openings {
        // Random openings of another seed are other openings.
        Openings::Random(_) => {
            let _ = write!(text, " --seed {} --pairs 20000", seed.wrapping_add(1));
        }
        _ => {
            let next = spsa.terms.passed_over + played.pairs() + 1;
            let _ = write!(text, " --seed {seed} --start {next}");
        }
    }
    let _ =
        write!(text, "{}{} --sprt {SPRT} --log confirm.jsonl", limits(&spsa.terms.limits), rules(&spsa.terms.rules));
    text
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
        // The last of two words counts.
        Plays::Arm(_) => {
            let file = tuned.map_or_else(|| "tuned.toml".to_owned(), |path| path.display().to_string());
            *text += &format!(" {}", quoted(&format!("form={file}")));
        }
        Plays::Program(_) => {
            for found in played.found() {
                let value = found.parameter.in_words(found.average.mean);
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
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=,:+%@".contains(c);
    if word.chars().all(is_plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_needs_it() {
        assert_eq!(
            [quoted("option.A=1"), quoted("option.My A=1"), quoted("it's")],
            ["option.A=1", "'option.My A=1'", r"'it'\''s'"]
        );
    }
}
