//! The test of a match that is resumed.

use std::fmt;

use drawish_stats::numbers::counted;
use drawish_stats::{Decision, Sprt};

use super::{Contest, Event, Observer};
use crate::arena::{Course, PairRecord};

/// How the test of a log and the test that is asked for when its match is resumed differ.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum TestOfLog {
    /// None is asked for: that of the log ends the match.
    Taken(Sprt),
    /// Another one is asked for, and ends the match.
    Other {
        /// That of the log.
        logged: Sprt,
        /// The one that is asked for.
        asked: Sprt,
        /// That of the log was decided after one of its pairs, so it has, or may have, stopped the match.
        is_decided: bool,
    },
    /// The log has pairs and names no test; this one ends the match.
    Late(Sprt),
    /// No test is to end the match any more, but that of the log is decided after so many of its pairs.
    LeftOut {
        /// That of the log.
        logged: Sprt,
        /// From the first to the one that decides it.
        pairs: u64,
    },
}

impl TestOfLog {
    /// The difference between the test that the log of these pairs names and the one that is asked for, if there is any.
    #[must_use]
    pub fn of(logged: Option<Sprt>, asked: Option<Sprt>, pairs: &[PairRecord]) -> Option<TestOfLog> {
        let is_decided = |test| Course::of(pairs).judge(test).is_ok_and(|tested| tested.decision != Decision::Continue);
        match (logged, asked) {
            (Some(logged), None) => Some(TestOfLog::Taken(logged)),
            (Some(logged), Some(asked)) if logged != asked => {
                Some(TestOfLog::Other { logged, asked, is_decided: is_decided(logged) })
            }
            (None, Some(asked)) if !pairs.is_empty() => Some(TestOfLog::Late(asked)),
            _ => None,
        }
    }

    /// The test of the log that is left out, if it may have stopped the match at these pairs.
    fn left_out(logged: Sprt, pairs: &[PairRecord]) -> Option<TestOfLog> {
        let played = pairs.len() as u64;
        let tested = Course::of(pairs).judge(logged).ok().filter(|tested| tested.is_near_end(played))?;
        Some(TestOfLog::LeftOut { logged, pairs: played - tested.later })
    }

    /// What must be said beside the verdict of a test that was chosen, or may have been, after games were seen, or beside Elo without one: a
    /// sentence without its full stop.
    #[must_use]
    pub fn caveat(self) -> Option<String> {
        (!matches!(self, TestOfLog::Taken(_))).then(|| self.to_string())
    }
}

/// A sentence without its full stop.
impl fmt::Display for TestOfLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TestOfLog::Taken(logged) => write!(f, "the test of the log applies: {logged}"),
            TestOfLog::Other { logged, asked, .. } => write!(
                f,
                "the log was begun with the test {logged}, now it is {asked}; error rates do not hold for a test that is chosen \
                 after games were seen"
            ),
            TestOfLog::Late(asked) => write!(
                f,
                "the log names no test, now it is {asked}; its error rates hold only if it was chosen before the first game"
            ),
            TestOfLog::LeftOut { logged, pairs } => write!(
                f,
                "the test of the log, {logged}, was decided after {}: until a few times as many are played, Elo, nElo and LOS, which are as \
                 if the number of games had been fixed, are too far from 0",
                counted(*pairs, "pair")
            ),
        }
    }
}

impl Contest {
    /// The test that ends the match when its log names this one and has these pairs, and how it differs from that, which is reported.
    pub(super) fn test_after(
        &self,
        logged: Option<Sprt>,
        pairs: &[PairRecord],
        observe: &mut Observer<'_>,
    ) -> (Option<Sprt>, Option<TestOfLog>) {
        // A test judges no range.
        if self.range.is_some() {
            return (None, None);
        }
        // Who asks for none learns of it beside Elo.
        if self.untested {
            return (None, logged.and_then(|logged| TestOfLog::left_out(logged, pairs)));
        }
        let differs = TestOfLog::of(logged, self.sprt, pairs);
        if let Some(test) = differs {
            let _ = observe(Event::Test(test));
        }
        (self.sprt.or(logged), differs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two games with this result for the first side.
    fn pair(result: &str) -> PairRecord {
        let game = |result: &str| format!(r#"{{"result":"{result}","end":"mate","moves":"e7e5","said":"//"}}"#);
        let other = match result {
            "1-0" => "0-1",
            "0-1" => "1-0",
            drawn => drawn,
        };
        let line = format!(r#"{{"pair":1,"book":"e2e4","games":[{},{}]}}"#, game(result), game(other));
        serde_json::from_str(&line).expect("a pair")
    }

    /// A test may be decided by the pairs that it saw and open again with those that another test had played.
    #[test]
    fn the_test_of_the_log_is_asked_pair_by_pair() {
        let test = |words: [&str; 4]| Sprt::from_words(words).ok();
        let (short, long) = (
            test(["elo0=-90", "elo1=90", "alpha=0.4", "beta=0.4"]),
            test(["elo0=0", "elo1=5", "alpha=0.01", "beta=0.01"]),
        );
        let pairs = [vec![pair("1-0"); 3], vec![pair("1/2-1/2"); 5], vec![pair("0-1"); 3]].concat();
        let judged = Course::of(&pairs).counted();
        let whole =
            short.expect("a test").llr(&drawish_stats::Results::Pairs(judged.pairs.expect("pairs"))).expect("an LLR");
        assert_eq!(
            short.expect("a test").decide(whole),
            Decision::Continue,
            "all pairs together decide nothing: {whole}"
        );
        let is_decided = |pairs: &[PairRecord]| match TestOfLog::of(short, long, pairs) {
            Some(TestOfLog::Other { is_decided, .. }) => is_decided,
            other => panic!("{other:?}"),
        };
        assert!(is_decided(&pairs) && !is_decided(&pairs[3..8]) && !is_decided(&[]));
    }

    #[test]
    fn only_another_test_is_worth_a_word() {
        let test = |elo1: &str| Sprt::from_words(["elo0=0", elo1]).ok();
        let (five, three) = (test("elo1=5"), test("elo1=3"));
        for (logged, asked, pairs, said) in [
            (None, None, 2, None),
            (None, five, 0, None),
            (five, five, 2, None),
            (
                None,
                five,
                2,
                Some("the log names no test, now it is 0 against 5 normalized Elo (alpha 0.05, beta 0.05); its"),
            ),
            (five, None, 0, Some("the test of the log applies: 0 against 5 normalized Elo (alpha 0.05, beta 0.05)")),
            (
                five,
                three,
                2,
                Some("begun with the test 0 against 5 normalized Elo (alpha 0.05, beta 0.05), now it is 0 against 3"),
            ),
        ] {
            let found = TestOfLog::of(logged, asked, &vec![pair("1-0"); pairs]).map(|test| test.to_string());
            match said {
                None => assert_eq!(found, None),
                Some(said) => assert!(found.as_ref().is_some_and(|found| found.contains(said)), "{found:?}"),
            }
        }
    }
}
