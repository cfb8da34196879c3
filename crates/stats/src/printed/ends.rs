//! Where a match ends between two standings: what follows is another one, be it of the same names.

use super::sides::title_of;

/// Whether one match ends within these lines, which stand behind a standing and include the title of the next: by the verdict of a test or
/// the words of a runner, or where somebody has written above the title what it is of, behind a blank line.
pub(super) fn is_ended(lines: &[&str]) -> bool {
    const WORDS: [&str; 5] = [" was accepted", "H0 accepted", "H1 accepted", " is accepted: ", "Finished match"];
    let title = lines.iter().rposition(|line| title_of(line).is_some()).unwrap_or_default();
    let is_labelled =
        matches!(&lines[..title], [.., blank, label] if blank.trim().is_empty() && is_label(label.trim()));
    is_labelled || lines.iter().any(|line| WORDS.iter().any(|words| line.contains(words)))
}

/// Whether somebody has written it: there a runner tells of games, or rules a line.
fn is_label(line: &str) -> bool {
    !(line.is_empty() || line.contains(" game ") || line.starts_with(['-', '=', '[']))
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
        ] {
            assert!(!is_ended(going_on), "{going_on}");
        }
    }
}
