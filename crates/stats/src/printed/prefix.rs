//! What mail, lists, tables and logs put in front of lines.

use std::collections::BTreeMap;

use super::names::name_of;

/// The lines of a text, each without what stands in front of its words, if that is one of the usual signs or the same in nearly all lines: in
/// logs of containers, daemons and programs the name of who writes, between times.
pub(super) fn without_prefixes(text: &str) -> impl Iterator<Item = &str> {
    let lines: Vec<&str> = text.split_inclusive('\n').map(without_prefix).collect();
    let common = common(&lines).unwrap_or_default();
    lines.into_iter().map(move |line| behind(line, &common).unwrap_or(line))
}

/// A line without what stands in front of its words: `> `, a bullet, the bar of a table, a date and a time.
fn without_prefix(line: &str) -> &str {
    const SIGNS: [&str; 5] = [">", "| ", "- ", "* ", "\u{2022} "];
    let mut rest = line.trim_start_matches([' ', '\t']);
    while let Some(behind) = SIGNS.iter().find_map(|sign| rest.strip_prefix(sign)).or_else(|| {
        let (word, behind) = rest.split_once(' ')?;
        is_time(word).then_some(behind)
    }) {
        rest = behind.trim_start_matches([' ', '\t']);
    }
    if rest.starts_with(|first: char| first.is_ascii_alphabetic()) || line.starts_with('>') && rest.trim().is_empty() {
        rest
    } else {
        line
    }
}

/// Whether a word is a date or a time.
fn is_time(word: &str) -> bool {
    let is_of_time = |letter: char| letter.is_ascii_digit() || "[]().,:+-/TZ".contains(letter);
    let digits = word.chars().filter(char::is_ascii_digit).count();
    (word.contains(':') || is_date(word)) && digits >= 4 && word.chars().all(is_of_time)
}

/// Whether a word is a date, and no result as `131-90-280`.
fn is_date(word: &str) -> bool {
    let is_below = |text: &str, limit: u32| text.len() == 2 && text.parse().is_ok_and(|number: u32| number < limit);
    let is_year = |text: &str| text.len() == 4 && ["19", "20"].iter().any(|century| text.starts_with(century));
    let word = word.trim_matches(|letter: char| !letter.is_ascii_digit());
    let word = word.split_once('T').map_or(word, |(date, _)| date);
    ['-', '/'].iter().any(|&sign| match word.split(sign).collect::<Vec<_>>()[..] {
        [one, two, three] => {
            let (first, last) = (is_year(one) || is_below(one, 32), is_year(three) || is_below(three, 32));
            first && is_below(two, 32) && last && (is_year(one) != is_year(three))
        }
        _ => false,
    })
}

/// Words with which lines of results begin.
const BEGINNINGS: [&str; 12] =
    ["Elo", "ELO", "LLR", "SPRT", "LOS", "Score of ", "Results of ", "Games", "Ptnml", "Penta", "Lost by ", "Total: "];

/// What stands in front of the words of nearly all lines, with [`TIME`] for times. Labels of several results are in front of few each.
fn common(lines: &[&str]) -> Option<String> {
    // In their order, so that of equally frequent ones the same is taken in every run.
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    for line in lines {
        let places = BEGINNINGS.iter().flat_map(|words| line.match_indices(words));
        let begins = places.map(|(at, _)| at).filter(|&at| !line[..at].ends_with(char::is_alphanumeric)).min();
        if let Some(at) = begins {
            *found.entry(shape(&line[..at])).or_default() += 1;
        }
    }
    let (prefix, _) = found.into_iter().max_by_key(|(prefix, lines)| (*lines, prefix.len()))?;
    let all = lines.iter().filter(|line| !line.trim().is_empty()).count();
    let have_it = lines.iter().filter(|line| behind(line, &prefix).is_some()).count();
    // It is the name of a side, where that has lost.
    let is_name = || lines.iter().any(|line| behind(line, &prefix).is_some_and(|rest| rest.starts_with("lost ")));
    let is_prefix = have_it > 1 && 4 * have_it >= 3 * all && !holds_results(&prefix) && !is_name();
    (!prefix.is_empty() && is_prefix).then_some(prefix)
}

/// Whether results stand in a prefix: a standing that is printed again and again. One letter and a number may be the name of a worker.
fn holds_results(prefix: &str) -> bool {
    let words = prefix.split(|letter: char| !letter.is_alphanumeric() && letter != '.');
    let words: Vec<&str> = words.map(|word| word.trim_end_matches('.')).filter(|word| !word.is_empty()).collect();
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let named = |name: &str, number: &str| (name_of(name).is_some() && is_number(number)).then_some(name.len());
    let counts = words.windows(2).filter_map(|pair| named(pair[0], pair[1]).or_else(|| named(pair[1], pair[0])));
    let counts: Vec<usize> = counts.collect();
    counts.len() > 1
        || counts.iter().any(|&letters| letters > 1)
        || words.windows(3).any(|three| three.iter().all(|word| is_number(word)))
}

/// What stands for a time.
const TIME: &str = "\0";

/// A prefix, with [`TIME`] for times.
fn shape(prefix: &str) -> String {
    let words = prefix.split(' ').map(|word| if is_time(word) { TIME } else { word });
    words.collect::<Vec<_>>().join(" ")
}

/// The line behind a prefix, if it has this one.
fn behind<'a>(line: &'a str, prefix: &str) -> Option<&'a str> {
    let (words, last) = prefix.rsplit_once(' ').map_or((None, prefix), |(words, last)| (Some(words), last));
    let mut rest = line;
    for word in words.into_iter().flat_map(|words| words.split(' ')) {
        // Lines without words lack the blank as well.
        let Some((own, behind)) = rest.split_once(' ') else {
            return (rest.trim_end() == word).then(|| &rest[word.len()..]);
        };
        (own == word || word == TIME && is_time(own)).then_some(())?;
        rest = behind;
    }
    rest.strip_prefix(last)
}

#[cfg(test)]
mod tests {
    use super::super::plain_text;

    #[test]
    fn numbers_with_signs_between_are_dates_where_they_can_be() {
        for date in ["2026-11-28", "28/11/2026", "1999-01-31", "[2026-11-28]", "2026-11-28T12"] {
            assert!(super::is_date(date), "{date}");
        }
        for other in [
            "32-11-2026",
            "2026-32-01",
            "2026-11-32",
            "2026-11-2026",
            "11-12-13",
            "1826-11-28",
            "716-591-2163",
            "2026-11",
        ] {
            assert!(!super::is_date(other), "{other}");
        }
    }

    #[test]
    fn lines_are_read_behind_what_stands_before_them() {
        for prefix in [
            "> ",
            ">",
            ">> ",
            "> > ",
            "- ",
            "* ",
            "\u{2022} ",
            "| ",
            "12:30:01 ",
            "[12:30:01.123] ",
            "2026-11-28 12:30:01 ",
            "2026-11-28T12:30:01Z ",
            "> - ",
            "\u{feff}",
            "\u{feff}> ",
            "\u{200b}",
        ] {
            for line in [
                "Elo: 3.2 +/- 1.0\n",
                "Lost by faults of b: 54 crash.\r\n",
                "SPRT: llr 2.95 (100.2%), lbound -2.94, ubound 2.94",
            ] {
                assert_eq!(plain_text(&format!("{prefix}{line}")), line, "{prefix}");
            }
        }
        assert_eq!(plain_text(">\n> LTC\n>\n"), "\nLTC\n\n");
        for line in [
            "716 - 591 - 2163",
            "- 5",
            "[50, 287, 610, 387, 73]",
            "-3.2 +/- 1.0",
            "| 50 | 287 |",
            "10-5-3",
            "1:2 [0.5]",
            "--------",
            "40 games: W: 10 L: 5 D: 25",
        ] {
            assert_eq!(plain_text(line), line);
        }
    }

    #[test]
    fn what_all_lines_have_in_front_is_left_out() {
        let lines =
            ["Results of new vs old (8+0.08):", "Elo: 3.2 +/- 1.0", "", "new lost 54 games by a fault", "LLR: 2.95"];
        let plain = lines.join("\n");
        for (prefix, others) in [
            ("runner-1  | ", "runner-1  | "),
            ("Nov 28 12:00:01 host fastchess[12]: ", "Nov 28 12:00:02 host fastchess[12]: "),
            ("INFO:root:", "INFO:root:"),
            ("[INFO] ", "[INFO] "),
            ("2026-11-28 12:00:01,123 - match - INFO - ", "2026-11-28 12:00:02,001 - match - INFO - "),
            ("+", "+"),
            ("2026-11-28 12:30:01,123 INFO ", "2026-11-28 12:30:02,123 INFO "),
            ("worker1 ", "worker1 "),
            ("\u{2502} ", "\u{2502} "),
            ("&gt; ", "&gt; "),
            ("Nov 28 12:30:01 host w[12]: ", "Nov 28 12:31:01 host w[12]: "),
            ("worker-d 3 ", "worker-d 3 "),
        ] {
            let prefixed = |prefix: &str, line: &&str| format!("{prefix}{line}");
            let text: Vec<String> = [prefixed(prefix, &lines[0])]
                .into_iter()
                .chain(lines[1..].iter().map(|line| prefixed(others, line)))
                .collect();
            assert_eq!(plain_text(&text.join("\n")), plain);
            let trimmed: Vec<&str> = text.iter().map(|line| line.trim_end()).collect();
            let found = plain_text(&trimmed.join("\n"));
            assert!(found.lines().zip(lines).all(|(found, line)| line.is_empty() || found == line), "{found}");
        }
        // A standing that is printed again and again is no prefix.
        for standing in [
            "W: 131 L: 90 D: 280 ",
            "dev vs base  W: 140, L: 92, D: 300, ",
            "2026-11-28 12:05:01 dev W: 150 L: 92 D: 300 ",
            "10 wins, 8 losses, 20 draws, ",
            "[8, 2, 10, 3, 20] ",
            "131-90-280 ",
            "+131 -90 =280 ",
            "Total 38 ",
            "Wins: 22. Losses: 16. Draws: 44. ",
            "W 10 L 8 D 20 ",
        ] {
            let text = plain_text(standing) + "LLR: 2.95\n";
            assert_eq!(plain_text(&text.repeat(3)), text.repeat(3));
        }
        // Each is the label of a result of its own.
        let names = "dev LOS: 99 %\ndev Games: 10 W: 5 L: 3 D: 2\ndev lost 3 of 10 games by a fault (3 crash)";
        assert_eq!(plain_text(names), names);
        let labels = "STC LLR: 2.95\nSTC Games: 10 W: 5 L: 3 D: 2\nLTC LLR: 2.95\nLTC Games: 20 W: 9 L: 3 D: 8\n";
        assert_eq!(plain_text(labels), labels);
    }
}
