//! The test of a match that is resumed.

use std::fmt;

use drawish_stats::Sprt;

use super::{Contest, Event, Observer};

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
    },
    /// The log has pairs and names no test; this one ends the match.
    Late(Sprt),
}

impl TestOfLog {
    /// The difference between the test that the log of so many pairs names and the one that is asked for, if there is any.
    #[must_use]
    pub fn of(logged: Option<Sprt>, asked: Option<Sprt>, pairs: usize) -> Option<TestOfLog> {
        match (logged, asked) {
            (Some(logged), None) => Some(TestOfLog::Taken(logged)),
            (Some(logged), Some(asked)) if logged != asked => Some(TestOfLog::Other { logged, asked }),
            (None, Some(asked)) if pairs > 0 => Some(TestOfLog::Late(asked)),
            _ => None,
        }
    }

    /// What must be said beside the verdict of a test that was chosen, or may have been, after games were seen: a sentence without its
    /// full stop.
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
            TestOfLog::Other { logged, asked } => write!(
                f,
                "the log was begun with the test {logged}, now it is {asked}; error rates do not hold for a test that is chosen \
                 after games were seen"
            ),
            TestOfLog::Late(asked) => write!(
                f,
                "the log names no test, now it is {asked}; its error rates hold only if it was chosen before the first game"
            ),
        }
    }
}

impl Contest {
    /// The test that ends the match when its log names this one and has so many pairs, and how it differs from that, which is reported.
    pub(super) fn test_after(
        &self,
        logged: Option<Sprt>,
        pairs: usize,
        observe: &mut Observer<'_>,
    ) -> (Option<Sprt>, Option<TestOfLog>) {
        // A test judges no range.
        if self.untested || self.range.is_some() {
            return (None, None);
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
            let found = TestOfLog::of(logged, asked, pairs).map(|test| test.to_string());
            match said {
                None => assert_eq!(found, None),
                Some(said) => assert!(found.as_ref().is_some_and(|found| found.contains(said)), "{found:?}"),
            }
        }
    }
}
