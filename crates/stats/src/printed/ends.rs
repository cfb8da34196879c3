//! Where a test or a match ends: what follows is another match, be it of the same names.

use super::sides::title_of;

/// The ratio that a line gives of a test whose hypotheses it does not name, as lines of cutechess and c-chess-cli do, with its lower and its upper bound.
#[must_use]
pub fn ratio_of_unnamed_test(line: &str) -> Option<[f64; 3]> {
    let number = |text: &str| text.trim().parse::<f64>().ok();
    let named = |name: &str| {
        let text = line.split_once(name)?.1.trim_start();
        number(&text[..text.find([' ', ',']).unwrap_or(text.len())])
    };
    let of_cutechess = || Some([named("SPRT: llr ")?, named("lbound ")?, named("ubound ")?]);
    let of_c_chess_cli = || {
        let (llr, bounds) = line.split_once("SPRT: LLR = ")?.1.split_once('[')?;
        let (low, high) = bounds.split_once(']')?.0.split_once(',')?;
        Some([number(llr)?, number(low)?, number(high)?])
    };
    of_cutechess().or_else(of_c_chess_cli)
}

/// Whether a runner says in a line that its test is decided, also where it does not say which test, as cutechess
/// (`SPRT: llr 2.96 (100.4%), lbound -2.94, ubound 2.94 - H1 was accepted`) and c-chess-cli (`SPRT: LLR = 2.960 [-2.944,2.944]. H1 accepted.`).
#[must_use]
pub fn says_stopped(line: &str) -> bool {
    let is_beyond = ratio_of_unnamed_test(line).is_some_and(|[llr, low, high]| llr <= low || llr >= high);
    let words: Vec<&str> = line.split([' ', '\t', '.', ',', ':', ';']).filter(|word| !word.is_empty()).collect();
    let is_accepted =
        |words: &[&str]| matches!(words, ["H0" | "H1", "accepted", ..] | ["H0" | "H1", "is" | "was", "accepted", ..]);
    is_beyond || (0..words.len()).any(|at| is_accepted(&words[at..]))
}

/// Whether one match ends within these lines, which stand behind a standing and include the title of the next: by the verdict of a test or
/// the words of a runner, or where somebody has written above the title what it is of, beside a blank line.
pub(super) fn is_ended(lines: &[&str]) -> bool {
    let has = |words: &str| lines.iter().any(|line| line.contains(words));
    // fastchess says so as well where it will be resumed.
    let is_finished = || has("Finished match") && !has("was interrupted");
    is_labelled(lines) || is_finished() || lines.iter().any(|line| says_stopped(line))
}

/// Whether the last line with words above the title is written by somebody, and a blank one stands beside it.
fn is_labelled(lines: &[&str]) -> bool {
    let is_blank = |at: usize| lines.get(at).is_some_and(|line| line.trim().is_empty());
    let title = lines.iter().rposition(|line| title_of(line).is_some()).unwrap_or_default();
    let label = (0..title).rev().find(|&at| !is_blank(at));
    label.is_some_and(|at| is_label(lines[at].trim()) && (is_blank(at + 1) || at.checked_sub(1).is_some_and(is_blank)))
}

/// Whether somebody has written it. Runners tell of games there, give figures behind a colon, rule a line or name a command.
fn is_label(line: &str) -> bool {
    const WORDS: usize = 8;
    let is_of_runner = [": ", " game ", "=", "Finished match"].iter().any(|sign| line.contains(sign));
    let is_sentence = line.ends_with('.') || line.split_whitespace().count() > WORDS;
    !(is_of_runner || is_sentence || line.starts_with(['-', '[', '.']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_and_labels_end_a_match() {
        let is_ended = |text: &str| is_ended(&text.lines().collect::<Vec<_>>());
        for ended in [
            "SPRT: llr 2.96 (100.4%), lbound -2.94, ubound 2.94 - H1 was accepted\n\nScore of a vs b: 2 - 2 - 2",
            "SPRT: LLR = 2.960 [-2.944,2.944]. H0 accepted.\nScore of a vs b: 2 - 2 - 2",
            "Finished match\n\nScore of a vs b: 2 - 2 - 2",
            "Elo difference: 0.0 +/- 9.0\n\n3+0.03:\nScore of a vs b: 2 - 2 - 2",
            "\n100ms\nResults of a vs b (100ms):\nElo: 0.00",
            "Elo difference: 0.0 +/- 9.0\n\n\nLTC:\n\nScore of a vs b: 2 - 2 - 2",
            "Elo difference: 0.0 +/- 9.0\n### LTC\n\nScore of a vs b: 2 - 2 - 2",
            "SPRT: llr 2.95 (100.2%), lbound -2.94, ubound 2.94\nScore of a vs b: 2 - 2 - 2",
        ] {
            assert!(is_ended(ended), "{ended}");
        }
        for going_on in [
            "Score of a vs b: 2 - 2 - 2",
            "Elo difference: 0.0 +/- 9.0\nFinished game 3 (a vs b): 1-0 {White mates}\nScore of a vs b: 2 - 2 - 2",
            "\nFinished game 3 (a vs b): 1-0 {White mates}\nScore of a vs b: 2 - 2 - 2",
            "\n--------------------\nResults of a vs b (8+0.08):\nElo: 0.00",
            "Elo difference: 0.0 +/- 9.0\n\nScore of a vs b: 2 - 2 - 2",
            "SPRT: llr 1.96 (66.6%), lbound -2.94, ubound 2.94\nScore of a vs b: 2 - 2 - 2",
            "Tournament was interrupted. To resume the tournament, run: fastchess -config file=config.json\n\nFinished match\n\nResults of a vs b (8+0.08):",
        ] {
            assert!(!is_ended(going_on), "{going_on}");
        }
    }
}
