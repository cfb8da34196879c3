//! What a match has shown: as text for a terminal, and as Markdown for a page or a pull request.

mod of_match;

use std::fmt::Write;

use drawish_artefact::provenance::harmless;
use drawish_core::Wdl;
use drawish_stats::Proportion;
use drawish_stats::numbers::{counted, fixed, grouped, percent, percents};

use crate::text::columns;

/// A match that has ended or was stopped, in words and figures that need no more work.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MatchSummary {
    /// The names of both sides; strength is reported for the first.
    pub names: [String; 2],
    /// Limits, threads, hash and book, as runners head their results.
    pub conditions: String,
    /// Elo, normalized Elo, likelihood of superiority, games, pairs and the test, in the lines of match runners.
    pub standing: String,
    /// What the test says, sentence by sentence.
    pub verdict: Vec<String>,
    /// What else is to be known, sentence by sentence: identical play, faults.
    pub notes: Vec<String>,
    /// All games.
    pub games: u64,
    /// Games that a rule of the match has ended and not the rules of chess.
    pub adjudicated: u64,
    /// How drawn games came to be drawn.
    pub causes: Vec<Cause>,
    /// The move at which games are put into classes of pawn structures.
    pub class_move: usize,
    /// Whether some pairs are the same games as an earlier one.
    pub has_repeats: bool,
    /// Results by the class of their pawns, without pairs that are the same games as an earlier one, and without classes that did not occur.
    pub structures: Vec<StructureResults>,
    /// What was played by whom, and with what: names and values.
    pub provenance: Vec<(String, String)>,
}

/// Drawn games with the same end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cause {
    /// The end, as logs name it.
    pub name: &'static str,
    /// Games in which the first side had White, and in which the second had.
    pub games: [u64; 2],
}

/// Results of games with pawns of one class.
#[derive(Clone, PartialEq, Debug)]
pub struct StructureResults {
    /// The class.
    pub name: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// Games, seen by the first side.
    pub games: Wdl,
    /// The share of drawn games with its 95 % interval.
    pub drawn: Proportion,
    /// How they came to be drawn.
    pub causes: Vec<Cause>,
}

const RULE: &str = "--------------------------------------------------\n";

impl MatchSummary {
    /// Drawn games.
    #[must_use]
    pub fn drawn(&self) -> u64 {
        self.causes.iter().flat_map(|cause| cause.games).sum()
    }

    fn head(&self) -> String {
        let line = |text: &str| harmless(&text.replace(['\n', '\r'], " ")).into_owned();
        let [one, two] = self.names.each_ref().map(|name| line(name));
        format!("Results of {one} vs {two} ({}):\n", line(&self.conditions))
    }

    /// The block that people paste, and below it what it leaves out.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!("{RULE}{}{}{RULE}", self.head(), self.standing);
        for sentence in &self.verdict {
            let _ = writeln!(text, "{sentence}");
        }
        let of = if self.causes.is_empty() { String::new() } else { format!(" ({})", listed(&self.causes)) };
        let (drawn, games) = (grouped(self.drawn()), grouped(self.games));
        let _ =
            writeln!(text, "Drawn games: {drawn} of {games}{of}; adjudicated games: {}.", grouped(self.adjudicated));
        text += &self.structures_text();
        for sentence in &self.notes {
            let _ = writeln!(text, "{sentence}");
        }
        text
    }

    /// Results by class of structure, with a head if there are any.
    fn structures_text(&self) -> String {
        if self.structures.is_empty() {
            return String::new();
        }
        let without = if self.has_repeats { ", without repeats" } else { "" };
        let title = format!("Pawns at move {}{without}", self.class_move);
        let mut rows = vec![[title, "games".into(), "won".into(), "lost".into(), "drawn".into(), "by".into()]];
        rows.extend(self.structures.iter().map(|row| {
            let Wdl { wins, draws, losses } = row.games;
            [
                row.name.to_owned(),
                grouped(wins + draws + losses),
                grouped(wins),
                grouped(losses),
                format!("{} = {} ({})", grouped(draws), percent(row.drawn.share), whole(&row.drawn)),
                listed(&row.causes),
            ]
        }));
        columns(&rows, &[0, 5])
    }

    /// The same as Markdown, with everything that it takes to play the match again.
    #[must_use]
    pub fn markdown(&self) -> String {
        let [one, two] = self.names.each_ref().map(|name| escaped(name));
        let mut text = format!("# {one} against {two}\n\n```\n{}{}```\n", self.head(), self.standing);
        let sentences: Vec<_> = self.verdict.iter().chain(&self.notes).collect();
        if !sentences.is_empty() {
            text.push('\n');
        }
        for sentence in sentences {
            let _ = writeln!(text, "- {}", escaped(sentence));
        }
        let _ = write!(
            text,
            "\n## Draws\n\n{} of {} games were drawn; {} adjudicated.\n",
            grouped(self.drawn()),
            grouped(self.games),
            if self.adjudicated == 1 { "1 game was".to_owned() } else { counted(self.adjudicated, "game") + " were" }
        );
        if !self.causes.is_empty() {
            let _ = write!(text, "\n| drawn by | games | {one} had White | {two} had White |\n|---|--:|--:|--:|\n");
            for Cause { name, games: [first, second] } in &self.causes {
                let _ = writeln!(text, "| {name} | {} |", [first + second, *first, *second].map(grouped).join(" | "));
            }
        }
        if !self.structures.is_empty() {
            let _ = write!(
                text,
                "\n## Pawns at move {}\n\nGames that were shorter stand under the pawns of their last position; intervals are 95 %.{}\n\n\
                 | structure | games | {one} won | {two} won | drawn | share of draws | drawn by |\n|---|--:|--:|--:|--:|--:|---|\n",
                self.class_move,
                if self.has_repeats { " Pairs that repeat an earlier one are left out." } else { "" }
            );
            for row in &self.structures {
                let Wdl { wins, draws, losses } = row.games;
                let games = [wins + draws + losses, wins, losses, draws].map(grouped).join(" | ");
                let (share, causes) = (share(&row.drawn), listed(&row.causes));
                let _ = writeln!(text, "| {}: {} | {games} | {share} | {causes} |", row.name, row.meaning);
            }
        }
        text += "\n## What was played\n\n| | |\n|---|---|\n";
        for (name, value) in &self.provenance {
            let _ = writeln!(text, "| {} | {} |", escaped(name), escaped(value));
        }
        text
    }
}

/// `2 stalemate, 13 repetition`.
fn listed(causes: &[Cause]) -> String {
    let each = causes.iter().map(|cause| format!("{} {}", grouped(cause.games.iter().sum()), cause.name));
    each.collect::<Vec<_>>().join(", ")
}

/// `40.0 % (16.8 to 68.7)`.
fn share(found: &Proportion) -> String {
    format!("{} ({})", percent(found.share), percents(found.low, found.high))
}

/// `17 to 69`: a terminal is narrow.
fn whole(found: &Proportion) -> String {
    format!("{} to {}", fixed(100.0 * found.low, 0), fixed(100.0 * found.high, 0))
}

/// Text in which Markdown sees no tables, emphasis or tags.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    let text = text.replace(['\n', '\r'], " ");
    for c in harmless(&text).chars() {
        match c {
            '|' | '*' | '_' | '`' | '[' | ']' | '\\' | '#' => out.extend(['\\', c]),
            '<' => out.push_str("&lt;"),
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary() -> MatchSummary {
        let cause = |name, games| Cause { name, games };
        MatchSummary {
            names: ["new|_x_".to_owned(), "old".to_owned()],
            conditions: "5000 nodes, book.epd".to_owned(),
            standing: "Elo: 1.00 +/- 2.00\n".to_owned(),
            verdict: vec!["The test is undecided.".to_owned()],
            notes: vec!["Identical play: in 1 of 5 pairs.".to_owned()],
            games: 10,
            adjudicated: 1,
            causes: vec![cause("repetition", [2, 1]), cause("tablebase", [0, 1])],
            class_move: 40,
            has_repeats: false,
            structures: vec![StructureResults {
                name: "blocked",
                meaning: "blocked pawns",
                games: Wdl { losses: 5, draws: 4, wins: 1 },
                drawn: Proportion::of(4, 10).expect("tries"),
                causes: vec![cause("repetition", [2, 1]), cause("tablebase", [0, 1])],
            }],
            provenance: vec![("book".to_owned(), "a|b".to_owned())],
        }
    }

    #[test]
    fn text_for_a_terminal() {
        let expected = format!(
            "{RULE}Results of new|_x_ vs old (5000 nodes, book.epd):\nElo: 1.00 +/- 2.00\n{RULE}The test is undecided.\n\
             Drawn games: 4 of 10 (3 repetition, 1 tablebase); adjudicated games: 1.\n\
             Pawns at move 40  games  won  lost                  drawn  by\n\
             blocked              10    1     5  4 = 40.0 % (17 to 69)  3 repetition, 1 tablebase\n\
             Identical play: in 1 of 5 pairs.\n"
        );
        assert_eq!(summary().text(), expected);
    }

    #[test]
    fn names_steer_nothing() {
        let names = ["a\n```\n# b".to_owned(), "c\u{1b}[2J\u{202e}".to_owned()];
        let summary = MatchSummary { names, ..summary() };
        assert!(summary.text().contains("Results of a ``` # b vs c\\u{1b}[2J\\u{202e} (5000"), "{}", summary.text());
        let text = summary.markdown();
        assert!(text.starts_with("# a \\`\\`\\` \\# b against c\\\\u{1b}\\[2J\\\\u{202e}\n"), "{text}");
        assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text}");
    }

    #[test]
    fn markdown_for_a_page() {
        let text = summary().markdown();
        for part in [
            "# new\\|\\_x\\_ against old\n\n```\nResults of new|_x_ vs old (5000 nodes, book.epd):\nElo: 1.00 +/- 2.00\n```\n\n- The test",
            "| repetition | 3 | 2 | 1 |\n| tablebase | 1 | 0 | 1 |\n",
            "| blocked: blocked pawns | 10 | 1 | 5 | 4 | 40.0 % (16.8 to 68.7) | 3 repetition, 1 tablebase |\n",
            "| book | a\\|b |\n",
        ] {
            assert!(text.contains(part), "{part:?} is not in {text}");
        }
        // Every row of a table has as many cells as its head.
        for table in text.split("\n\n").filter(|part| part.starts_with('|')) {
            let cells: Vec<usize> = table.lines().map(|line| line.replace("\\|", "").matches('|').count()).collect();
            assert!(cells.iter().all(|&count| count == cells[0]), "{table}");
        }
    }
}
