//! A rule as one line of text: complete and always in the same order, so that equal rules have equal lines.
//!
//! ```text
//! --sample at --at 50 --min-moves 60 --variant standard --termination regular
//! ```
//!
//! # Stability
//!
//! Version 1 of counts files kept its rule in this form. Row files, heads and the provenance of tables show it, and the digest of
//! counts is made of it: so the line of a rule never changes.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{Dedupe, Filters, Rule, Sampling, TerminationFilter};
use crate::pgn::{Pattern, PatternError, VariantChoice};

/// Why a line is not a rule.
#[derive(Clone, PartialEq, Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum LineError {
    #[error("{0:?} is not a part of any rule")]
    Unknown(String),
    #[error("{name} has no value that is known: {value:?}")]
    Value { name: String, value: String },
    #[error("{name}: {cause}")]
    Pattern { name: String, cause: PatternError },
    #[error("the text in quotes has no end")]
    Quote,
}

/// Whether this is the line of the rule for positions without their games, [`Rule::of_positions`]. Other words may stand behind the rule, as
/// in row files. Games can be sampled by a like rule, but one that says which games.
#[must_use]
pub fn is_of_positions(line: &str) -> bool {
    line.replacen(" --replay", "", 1).starts_with(&Rule::of_positions().to_string())
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.sampling {
            Sampling::At { at } => write!(f, "--sample at --at {at}")?,
            Sampling::OneRandomPly { from } => write!(f, "--sample one-random-ply --from {from}")?,
            Sampling::Every { from } => write!(f, "--sample every --from {from}")?,
            Sampling::Positions => f.write_str("--sample positions")?,
        }
        write!(f, " --min-moves {} --variant {}", self.min_moves, self.variant.name())?;
        let (games, lines) = (self.dedupe == Dedupe::Games, self.dedupe == Dedupe::Lines);
        for (name, is_set) in
            [("fen-starts", self.fen_starts), ("dedupe", games), ("dedupe=lines", lines), ("replay", self.replay)]
        {
            if is_set {
                write!(f, " --{name}")?;
            }
        }
        self.filters.fmt(f)
    }
}

/// Those that are set.
impl fmt::Display for Filters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in
            [("min-elo", self.min_elo), ("max-elo", self.max_elo), ("max-elo-diff", self.max_elo_difference)]
        {
            value.map_or(Ok(()), |value| write!(f, " --{name} {value}"))?;
        }
        for (name, pattern) in [
            ("player", &self.player),
            ("white", &self.white),
            ("black", &self.black),
            ("event", &self.event),
            ("time-control", &self.time_control),
        ] {
            pattern.as_ref().map_or(Ok(()), |pattern| write!(f, " --{name} {:?}", pattern.as_str()))?;
        }
        for (name, date) in [("date-from", &self.date_from), ("date-to", &self.date_to)] {
            date.as_ref().map_or(Ok(()), |date| write!(f, " --{name} {date}"))?;
        }
        match &self.termination {
            TerminationFilter::Regular => f.write_str(" --termination regular")?,
            TerminationFilter::Any => f.write_str(" --termination any")?,
            TerminationFilter::Matching(pattern) => write!(f, " --termination {:?}", pattern.as_str())?,
        }
        if self.min_plies > 0 {
            write!(f, " --min-plies {}", self.min_plies)?;
        }
        Ok(())
    }
}

impl FromStr for Rule {
    type Err = LineError;

    fn from_str(line: &str) -> Result<Rule, LineError> {
        let mut rule = Rule { filters: Filters::default(), ..Rule::default() };
        let mut words = words(line)?.into_iter();
        let mut sample = String::new();
        while let Some(Word { text: word, .. }) = words.next() {
            let name = word.strip_prefix("--").ok_or_else(|| LineError::Unknown(word.clone()))?;
            match name {
                "fen-starts" => rule.fen_starts = true,
                "dedupe" => rule.dedupe = Dedupe::Games,
                "dedupe=lines" => rule.dedupe = Dedupe::Lines,
                "replay" => rule.replay = true,
                _ => {
                    let wrong = |value: &str| LineError::Value { name: name.to_owned(), value: value.to_owned() };
                    let Word { text: value, is_quoted } = words.next().ok_or_else(|| wrong(""))?;
                    let number = || value.parse::<u32>().map_err(|_| wrong(&value));
                    let pattern =
                        || Pattern::new(&value).map_err(|cause| LineError::Pattern { name: name.to_owned(), cause });
                    let filters = &mut rule.filters;
                    match name {
                        "sample" => {
                            sample.clone_from(&value);
                            if sample == "positions" {
                                rule.sampling = Sampling::Positions;
                            }
                        }
                        "at" if sample == "at" => rule.sampling = Sampling::At { at: number()? },
                        "from" if sample == "every" => rule.sampling = Sampling::Every { from: number()? },
                        "from" if sample == "one-random-ply" => {
                            rule.sampling = Sampling::OneRandomPly { from: number()? };
                        }
                        "min-moves" => rule.min_moves = number()?,
                        "variant" => {
                            let found = VariantChoice::ALL.into_iter().find(|variant| variant.name() == value);
                            rule.variant = found.ok_or_else(|| wrong(&value))?;
                        }
                        "min-elo" => filters.min_elo = Some(number()?),
                        "max-elo" => filters.max_elo = Some(number()?),
                        "max-elo-diff" => filters.max_elo_difference = Some(number()?),
                        "player" => filters.player = Some(pattern()?),
                        "white" => filters.white = Some(pattern()?),
                        "black" => filters.black = Some(pattern()?),
                        "event" => filters.event = Some(pattern()?),
                        "time-control" => filters.time_control = Some(pattern()?),
                        "date-from" => filters.date_from = Some(value),
                        "date-to" => filters.date_to = Some(value),
                        "termination" if is_quoted => filters.termination = TerminationFilter::Matching(pattern()?),
                        "termination" if value == "regular" => filters.termination = TerminationFilter::Regular,
                        "termination" if value == "any" => filters.termination = TerminationFilter::Any,
                        "min-plies" => filters.min_plies = number()?,
                        "termination" => return Err(wrong(&value)),
                        _ => return Err(LineError::Unknown(word)),
                    }
                }
            }
        }
        Ok(rule)
    }
}

struct Word {
    text: String,
    is_quoted: bool,
}

/// The words between blanks; what stands in quotes is one word, with its escapes resolved.
fn words(line: &str) -> Result<Vec<Word>, LineError> {
    let mut words = Vec::new();
    let mut rest = line.trim_start();
    while !rest.is_empty() {
        if let Some(quoted) = rest.strip_prefix('"') {
            let mut text = String::new();
            let mut letters = quoted.chars();
            loop {
                match letters.next().ok_or(LineError::Quote)? {
                    '"' => break,
                    '\\' => text.push(escaped(&mut letters).ok_or(LineError::Quote)?),
                    letter => text.push(letter),
                }
            }
            words.push(Word { text, is_quoted: true });
            rest = letters.as_str();
        } else {
            let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
            words.push(Word { text: rest[..end].to_owned(), is_quoted: false });
            rest = &rest[end..];
        }
        rest = rest.trim_start();
    }
    Ok(words)
}

/// The letter that an escape of Rust's `Debug` stands for, its backslash being read.
fn escaped(letters: &mut std::str::Chars<'_>) -> Option<char> {
    Some(match letters.next()? {
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        '0' => '\0',
        'u' => {
            let digits: String = letters.by_ref().skip(1).take_while(|letter| *letter != '}').collect();
            char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?
        }
        letter => letter,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    prop_compose! {
        fn any_filters()(
            elo in any::<Option<u32>>(),
            texts in proptest::collection::vec(proptest::option::of("[^\\[\\](){}\\\\*+?|^$.]{0,9}"), 6),
            min_plies in 0..3_u32,
            termination in 0..3,
        ) -> Filters {
            let pattern = |place: usize| texts[place].as_deref().map(|text| Pattern::new(text).expect("a pattern"));
            Filters {
                min_elo: elo,
                max_elo_difference: elo.map(|elo| elo / 7),
                player: pattern(0),
                white: pattern(1),
                black: pattern(2),
                event: pattern(3),
                time_control: pattern(4),
                date_from: elo.map(|_| "1999.06".to_owned()),
                termination: match (termination, pattern(5)) {
                    (0, Some(pattern)) => TerminationFilter::Matching(pattern),
                    (1, _) => TerminationFilter::Any,
                    _ => TerminationFilter::Regular,
                },
                min_plies,
                ..Filters::default()
            }
        }
    }

    proptest! {
        #[test]
        fn rules_come_back_from_their_lines_and_from_json(
            filters in any_filters(), number in 1..200_u32, kind in 0..4, variant in 0..3_usize, dedupe in 0..3_usize, flags: [bool; 2]
        ) {
            let sampling = match kind {
                0 => Sampling::At { at: number },
                1 => Sampling::OneRandomPly { from: number },
                2 => Sampling::Positions,
                _ => Sampling::Every { from: number },
            };
            let [fen_starts, replay] = flags;
            let dedupe = [Dedupe::No, Dedupe::Games, Dedupe::Lines][dedupe];
            let variant = VariantChoice::ALL[variant];
            let rule = Rule { sampling, min_moves: number / 2, variant, fen_starts, dedupe, replay, filters };
            prop_assert_eq!(rule.to_string().parse::<Rule>(), Ok(rule.clone()), "{}", rule);
            let json = serde_json::to_string(&rule).expect("JSON");
            prop_assert_eq!(serde_json::from_str::<Rule>(&json).expect("a rule"), rule);
        }
    }

    #[test]
    fn a_line_says_all() {
        assert_eq!(
            Rule::default().to_string(),
            "--sample at --at 50 --min-moves 60 --variant standard --termination regular"
        );
        let quoted = Pattern::new("\"a\\\\b\n\u{300}").expect("a pattern");
        let rule = Rule { filters: Filters { white: Some(quoted), ..Filters::default() }, ..Rule::default() };
        assert_eq!(rule.to_string().parse::<Rule>(), Ok(rule));
        let refused = |line: &str| line.parse::<Rule>().expect_err("no rule").to_string();
        assert_eq!(refused("--termination odd"), "termination has no value that is known: \"odd\"");
        assert_eq!(refused("--colour odd"), "\"--colour\" is not a part of any rule");
        for wrong in ["sample", "--sample at --from 5", "--variant xiangqi", "--at", "--min-elo x", "--white \"x"] {
            assert!(wrong.parse::<Rule>().is_err(), "{wrong}");
        }
    }
}
