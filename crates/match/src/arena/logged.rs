//! Reading the log of a match without going on with it: also one that is still being written, or is damaged in the middle.

use std::num::NonZeroU64;

use drawish_stats::{Sprt, SprtError, Tested};
use serde_json::Value;
use thiserror::Error;

use super::chain::Chain;
use super::course::Course;
use super::record::PairRecord;
use super::rules::End;
use super::setup::{FORMAT, Origin, Setup, SetupError};

/// What could be read of a log.
#[derive(Clone, PartialEq, Debug)]
pub struct Logged {
    /// What is played.
    pub setup: Setup,
    /// When it was begun, and what the engines call themselves.
    pub origin: Origin,
    /// The pairs up to the first damage.
    pub pairs: Vec<PairRecord>,
    /// Whether the last line has no end: the match is still running, or was killed while it wrote.
    pub is_cut: bool,
    /// Where the log is damaged, and how; nothing behind it was read.
    pub damage: Option<(usize, String)>,
}

/// Why a text is no log that this program reads.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum LoggedError {
    #[error("not the log of a match: it does not begin with a line that says what is played")]
    Foreign,
    #[error(
        "expected a match log of a format from 1 to {FORMAT}, found {0}: play the match again, or read it with the drawish that wrote it"
    )]
    Format(String),
    #[error("the first line of the log cannot be read: {0}")]
    Setup(String),
}

impl From<SetupError> for LoggedError {
    fn from(error: SetupError) -> LoggedError {
        match error {
            SetupError::Foreign => LoggedError::Foreign,
            SetupError::Format(format) => LoggedError::Format(format),
            SetupError::Content(what) => LoggedError::Setup(what),
        }
    }
}

impl Logged {
    /// Reads a log. Whether its moves are legal is not looked at: see [`PairRecord::is_legal`].
    ///
    /// # Errors
    ///
    /// If the first line does not say what is played, or is of another format.
    pub fn read(text: &[u8]) -> Result<Logged, LoggedError> {
        let mut lines = text.split_inclusive(|&byte| byte == b'\n').zip(1..);
        let (first, _) = lines.next().ok_or(LoggedError::Foreign)?;
        let header: Value = serde_json::from_slice(first).map_err(|_| LoggedError::Foreign)?;
        let (setup, origin, format) = Setup::from_header(header)?;
        let mut chain = chain(format, first);
        let mut logged = Logged { setup, origin, pairs: Vec::new(), is_cut: false, damage: None };
        for (line, number) in lines {
            if !line.ends_with(b"\n") {
                logged.is_cut = true;
            } else if !line.trim_ascii().is_empty() {
                let expected = logged.setup.first_pair.get() + logged.pairs.len() as u64;
                match pair(line, expected, chain.as_mut()) {
                    Ok(pair) => logged.pairs.push(pair),
                    Err(damage) => {
                        logged.damage = Some((number, damage.to_string()));
                        break;
                    }
                }
            }
        }
        Ok(logged)
    }

    /// What a test says of the match, which looks at it after each pair; of the log of a range, which has no beginning, what it says of all
    /// pairs at once, without an Elo corrected for the stop.
    ///
    /// # Errors
    ///
    /// If the test is not made for pairs and games.
    pub fn judge(&self, sprt: Sprt) -> Result<Tested, SprtError> {
        let course = Course::of(&self.pairs);
        match self.setup.first_pair {
            NonZeroU64::MIN => course.judge_beside(sprt, self.origin.test),
            _ => course.judge_part(sprt),
        }
    }
}

/// What is wrong with a line that should be a pair.
#[derive(Debug, Error)]
pub(crate) enum LineError {
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    #[error("expected pair {expected}, found pair {found}")]
    Number { expected: u64, found: u64 },
    #[error("it was changed after it was written, or a line before it")]
    Changed,
    #[error("a game was {} by {}, which cannot be", if *is_won { "won" } else { "drawn" }, end.name())]
    Contradiction { is_won: bool, end: End },
    #[error("its games cannot be played")]
    Illegal,
}

/// What the lines of a log are linked by, where its format has links.
pub(super) fn chain(format: u32, first: &[u8]) -> Option<Chain> {
    (format >= 3).then(|| Chain::new(first.trim_ascii_end()))
}

/// The pair of a line, which must have the number that is expected and the link that follows from the lines before.
pub(crate) fn pair(line: &[u8], expected: u64, chain: Option<&mut Chain>) -> Result<PairRecord, LineError> {
    let pair: PairRecord = serde_json::from_slice(line)?;
    if pair.pair != expected {
        return Err(LineError::Number { expected, found: pair.pair });
    }
    if chain.is_some_and(|chain| !chain.holds(line.trim_ascii_end())) {
        return Err(LineError::Changed);
    }
    match pair.games.iter().find(|game| !game.end.allows(game.winner().is_some())) {
        Some(game) => Err(LineError::Contradiction { is_won: game.winner().is_some(), end: game.end }),
        None => Ok(pair),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETUP: &str = r#"{"format":1,"sides":[{"name":"a","player":"a","build":null,"options":[],"limits":"10 nodes"},{"name":"b","player":"b","build":null,"options":[],"limits":"10 nodes"}],"book":"book","book_digest":"00","openings":3,"plies":null,"seed":1,"rules":"rules of chess; time margin 20 ms"}"#;

    fn pair(number: u64, end: &str) -> String {
        let game = |result: &str| format!(r#"{{"result":"{result}","end":"{end}","moves":"e2e4","said":"//"}}"#);
        format!(r#"{{"pair":{number},"games":[{},{}]}}"#, game("1-0"), game("0-1"))
    }

    #[test]
    fn all_that_is_whole_is_read() {
        let text = format!("{SETUP}\n{}\n{}\n", pair(1, "mate"), pair(2, "mate"));
        let logged = Logged::read(text.as_bytes()).expect("a log");
        assert_eq!((logged.pairs.len(), logged.is_cut, logged.damage), (2, false, None));
        let cut = Logged::read(&text.as_bytes()[..text.len() - 5]).expect("a log");
        assert_eq!((cut.pairs.len(), cut.is_cut), (1, true));
        let begun = Logged::read(format!("{SETUP}\n").as_bytes()).expect("a log");
        assert!(begun.pairs.is_empty() && !begun.is_cut);
    }

    #[test]
    fn damage_ends_the_reading_and_is_named() {
        for (second, what) in [
            ("nonsense".to_owned(), "expected"),
            (pair(3, "mate"), "expected pair 2, found pair 3"),
            (pair(2, "boredom"), "\"boredom\" is not an end"),
            (pair(2, "mate").replace("1-0", "1/2-1/2"), "a game was drawn by mate, which cannot be"),
            (pair(2, "repetition"), "a game was won by repetition, which cannot be"),
            (pair(2, "crash").replace("1-0", "1/2-1/2"), "a game was drawn by crash, which cannot be"),
        ] {
            let text = format!("{SETUP}\n{}\n{second}\n{}\n", pair(1, "mate"), pair(2, "mate"));
            let logged = Logged::read(text.as_bytes()).expect("a log");
            let (line, said) = logged.damage.expect("damage");
            assert_eq!((logged.pairs.len(), line), (1, 3));
            assert!(said.contains(what), "{said}");
        }
    }

    #[test]
    fn other_texts_are_no_logs() {
        for text in ["", "{}", "[Event \"x\"]\n", "{\"format\":1"] {
            assert_eq!(Logged::read(text.as_bytes()), Err(LoggedError::Foreign), "{text}");
        }
        let old = SETUP.replace("\"format\":1", "\"format\":0");
        assert_eq!(Logged::read(old.as_bytes()), Err(LoggedError::Format("0".to_owned())));
        let short = SETUP.replace("\"seed\":1,", "");
        assert!(matches!(Logged::read(short.as_bytes()), Err(LoggedError::Setup(what)) if what.contains("seed")));
    }
}
