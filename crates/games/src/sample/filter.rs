//! What the tags of a game must say.

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::SkipReason;
use crate::pgn::{Pattern, PatternError, TagName, Tags};

/// Which values of the Termination tag are accepted.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TerminationFilter {
    /// All but games lost on time, abandoned, interrupted or against the rules, see [`Tags::ended_abnormally`].
    #[default]
    Regular,
    /// All.
    Any,
    /// Those that match; a game without the tag does not.
    Matching(Pattern),
}

impl FromStr for TerminationFilter {
    type Err = PatternError;

    /// `regular`, `any`, or a regular expression, which is not empty.
    fn from_str(text: &str) -> Result<TerminationFilter, PatternError> {
        match text {
            _ if text.eq_ignore_ascii_case("regular") => Ok(TerminationFilter::Regular),
            _ if text.eq_ignore_ascii_case("any") => Ok(TerminationFilter::Any),
            _ => Pattern::searched(text).map(TerminationFilter::Matching),
        }
    }
}

/// Why a text is not the first or last date of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("expected YYYY, YYYY.MM or YYYY.MM.DD, as in 1999.06")]
pub struct DateError;

/// Makes sure that a text is a date as [`Filters`] take it: a year, year.month or year.month.day.
///
/// # Errors
///
/// If it is anything else, a thirteenth month included.
pub fn check_date(text: &str) -> Result<(), DateError> {
    let parts: Vec<_> = text.split('.').collect();
    let digits = |part: &str, len| part.len() == len && part.bytes().all(|byte| byte.is_ascii_digit());
    let within = |at: usize, last: u8| {
        let number = |part: &&str| part.parse().is_ok_and(|number: u8| (1..=last).contains(&number));
        parts.get(at).is_none_or(|part| digits(part, 2) && number(part))
    };
    let fits = parts.len() <= 3 && digits(parts[0], 4) && within(1, 12) && within(2, 31);
    if fits { Ok(()) } else { Err(DateError) }
}

/// Year, month and day as far as they are known: also of `1999.6.1`, `1999-06-01` and `1999/06/??`. Nothing where the year does not stand
/// first.
fn numbers(date: &str) -> Vec<u16> {
    let parts = date.split(['.', '-', '/']).map(str::trim).enumerate();
    // A zero stands for a month or a day that is not known, and so does one that cannot be: a day in the place of the month.
    let last = |at: usize| [u16::MAX, 12, 31].get(at).copied().unwrap_or(0);
    let known = |at: usize, part: &str| {
        part.parse().ok().filter(|&number| (1..=last(at)).contains(&number) && (at > 0 || part.len() == 4))
    };
    parts.map_while(|(at, part)| known(at, part)).collect()
}

/// Limits that leave no game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum FilterError {
    #[error("the lowest rating, {lowest}, is above the highest, {highest}: no game could count")]
    Ratings { lowest: u32, highest: u32 },
    #[error("the first date, {first}, is after the last, {last}: no game could count")]
    Dates { first: String, last: String },
}

/// Limits on the tags; all that are set must hold. A game whose tag is absent does not pass a limit on it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Filters {
    /// Neither player is rated lower.
    pub min_elo: Option<u32>,
    /// Neither player is rated higher.
    pub max_elo: Option<u32>,
    /// The ratings differ by no more.
    pub max_elo_difference: Option<u32>,
    /// White's or Black's name matches.
    pub player: Option<Pattern>,
    /// White's name matches.
    pub white: Option<Pattern>,
    /// Black's name matches.
    pub black: Option<Pattern>,
    /// The event matches.
    pub event: Option<Pattern>,
    /// Not before this date: a year, year.month or year.month.day as in the Date tag.
    pub date_from: Option<String>,
    /// Not after this date, to the end of the year or month if it names only that.
    pub date_to: Option<String>,
    /// The time control matches.
    pub time_control: Option<Pattern>,
    /// How the game may have ended.
    pub termination: TerminationFilter,
    /// At least this many half-moves were played in the game as given.
    pub min_plies: u32,
}

impl Filters {
    /// Makes sure that limits leave room between them.
    ///
    /// # Errors
    ///
    /// If no game could pass two of them.
    pub fn check(&self) -> Result<(), FilterError> {
        if let (Some(lowest), Some(highest)) = (self.min_elo, self.max_elo)
            && lowest > highest
        {
            return Err(FilterError::Ratings { lowest, highest });
        }
        if let (Some(first), Some(last)) = (&self.date_from, &self.date_to) {
            let common = first.len().min(last.len());
            if first.as_bytes()[..common] > last.as_bytes()[..common] {
                return Err(FilterError::Dates { first: first.clone(), last: last.clone() });
            }
        }
        Ok(())
    }

    /// The first limit that the tags do not pass.
    pub(super) fn refuse(&self, tags: &Tags) -> Option<SkipReason> {
        if !self.accepts_termination(tags) {
            Some(SkipReason::Termination)
        } else if !self.accepts_ratings(tags) {
            Some(SkipReason::Rating)
        } else if !self.accepts_players(tags) {
            Some(SkipReason::Player)
        } else if !matches(self.event.as_ref(), tags, TagName::Event) {
            Some(SkipReason::Event)
        } else if !self.accepts_date(tags) {
            Some(SkipReason::Date)
        } else if !self.accepts_time_control(tags) {
            Some(SkipReason::TimeControl)
        } else {
            None
        }
    }

    fn accepts_termination(&self, tags: &Tags) -> bool {
        match &self.termination {
            TerminationFilter::Any => true,
            TerminationFilter::Regular => !tags.ended_abnormally(),
            TerminationFilter::Matching(pattern) => matches(Some(pattern), tags, TagName::Termination),
        }
    }

    fn accepts_time_control(&self, tags: &Tags) -> bool {
        let fits = |pattern: &Pattern| tags.time_control().is_some_and(|value| pattern.fits(value));
        self.time_control.as_ref().is_none_or(fits)
    }

    fn accepts_ratings(&self, tags: &Tags) -> bool {
        if self.min_elo.is_none() && self.max_elo.is_none() && self.max_elo_difference.is_none() {
            return true;
        }
        let (Some(white), Some(black)) = (tags.rating(TagName::WhiteElo), tags.rating(TagName::BlackElo)) else {
            return false;
        };
        self.min_elo.is_none_or(|least| white.min(black) >= least)
            && self.max_elo.is_none_or(|most| white.max(black) <= most)
            && self.max_elo_difference.is_none_or(|most| white.abs_diff(black) <= most)
    }

    fn accepts_players(&self, tags: &Tags) -> bool {
        let either = self.player.is_none()
            || matches(self.player.as_ref(), tags, TagName::White)
            || matches(self.player.as_ref(), tags, TagName::Black);
        either
            && matches(self.white.as_ref(), tags, TagName::White)
            && matches(self.black.as_ref(), tags, TagName::Black)
    }

    fn accepts_date(&self, tags: &Tags) -> bool {
        if self.date_from.is_none() && self.date_to.is_none() {
            return true;
        }
        let Some(date) = tags.date() else {
            return false;
        };
        let date = numbers(&String::from_utf8_lossy(date));
        // Of a date that is known in part all its days must be within: nobody knows which it is.
        let Some(&year) = date.first() else { return false };
        let day = |month: u16, day: u16| [year, *date.get(1).unwrap_or(&month), *date.get(2).unwrap_or(&day)];
        let (earliest, latest) = (day(1, 1), day(12, 31));
        // A limit is compared as far as it goes: 1999.06 is a whole month.
        let order = |day: [u16; 3], limit: &str| {
            let limit = numbers(limit);
            day.iter().take(limit.len()).cmp(&limit)
        };
        self.date_from.as_ref().is_none_or(|from| order(earliest, from).is_ge())
            && self.date_to.as_ref().is_none_or(|to| order(latest, to).is_le())
    }
}

fn matches(pattern: Option<&Pattern>, tags: &Tags, name: TagName) -> bool {
    pattern.is_none_or(|pattern| tags.text(name).is_some_and(|value| pattern.fits(value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags(pairs: &[(&str, &str)]) -> Tags {
        let mut tags = Tags::default();
        for (name, value) in pairs {
            tags.insert(name.as_bytes(), value.as_bytes());
        }
        tags
    }

    #[test]
    fn dates_and_limits_are_checked() {
        for good in ["1999", "1999.06", "1999.12.31"] {
            assert_eq!(check_date(good), Ok(()), "{good}");
        }
        for bad in ["", "99", "1999.13", "1999.00", "1999.1", "1999.06.32", "1999-06", "1999.06.01.1", "١٩٩٩"] {
            assert_eq!(check_date(bad), Err(DateError), "{bad}");
        }
        let between = |first: &str, last: &str| Filters {
            date_from: Some(first.to_owned()),
            date_to: Some(last.to_owned()),
            ..Filters::default()
        };
        assert_eq!(between("1999.06", "1999").check(), Ok(()));
        assert!(between("2000", "1999.06").check().is_err());
        let ratings = |lowest, highest| Filters { min_elo: lowest, max_elo: highest, ..Filters::default() };
        assert_eq!(ratings(Some(2000), Some(2000)).check(), Ok(()));
        assert_eq!(ratings(Some(2000), Some(1999)).check(), Err(FilterError::Ratings { lowest: 2000, highest: 1999 }));
    }

    #[test]
    fn terminations_from_words() {
        let read = |text: &str| text.parse::<TerminationFilter>().expect("a filter");
        assert_eq!((read("regular"), read("any")), (TerminationFilter::Regular, TerminationFilter::Any));
        assert_eq!((read("Regular"), read("ANY")), (TerminationFilter::Regular, TerminationFilter::Any));
        assert_eq!(read("norm"), TerminationFilter::Matching(Pattern::new("norm").unwrap()));
        assert!("(".parse::<TerminationFilter>().is_err());
    }

    #[test]
    fn every_limit_has_its_reason() {
        let game = tags(&[
            ("White", "A"),
            ("Black", "B"),
            ("WhiteElo", "2500"),
            ("BlackElo", "2400"),
            ("Event", "C"),
            ("Date", "1999.06.15"),
            ("TimeControl", "60+1"),
            ("Termination", "normal"),
        ]);
        let pattern = |text: &str| Some(Pattern::new(text).unwrap());
        let none = Filters::default;
        for (filters, reason) in [
            (none(), None),
            (Filters { max_elo: Some(2499), ..none() }, Some(SkipReason::Rating)),
            (Filters { max_elo: Some(2500), ..none() }, None),
            (Filters { max_elo_difference: Some(99), ..none() }, Some(SkipReason::Rating)),
            (Filters { max_elo_difference: Some(100), ..none() }, None),
            (Filters { white: pattern("A"), black: pattern("B"), ..none() }, None),
            (Filters { white: pattern("B"), ..none() }, Some(SkipReason::Player)),
            (Filters { black: pattern("A"), ..none() }, Some(SkipReason::Player)),
            (Filters { player: pattern("A"), ..none() }, None),
            (Filters { player: pattern("B"), ..none() }, None),
            (Filters { player: pattern("A"), black: pattern("A"), ..none() }, Some(SkipReason::Player)),
            (Filters { event: pattern("C"), time_control: pattern("60"), ..none() }, None),
            (Filters { time_control: pattern("180"), ..none() }, Some(SkipReason::TimeControl)),
            (Filters { date_from: Some("1999.06.15".to_owned()), ..none() }, None),
            (Filters { date_from: Some("1999.06.16".to_owned()), ..none() }, Some(SkipReason::Date)),
            (Filters { date_to: Some("1999.06.15".to_owned()), ..none() }, None),
            (Filters { date_to: Some("1999.05".to_owned()), ..none() }, Some(SkipReason::Date)),
        ] {
            assert_eq!(filters.refuse(&game), reason, "{filters}");
        }
        let nobody = tags(&[]);
        for (filters, reason) in [
            (Filters { event: pattern("C"), ..none() }, SkipReason::Event),
            (Filters { player: pattern("A"), ..none() }, SkipReason::Player),
            (Filters { date_to: Some("1999".to_owned()), ..none() }, SkipReason::Date),
            (Filters { max_elo_difference: Some(100), ..none() }, SkipReason::Rating),
        ] {
            assert_eq!(filters.refuse(&nobody), Some(reason), "without the tag");
        }
        let apart = |black: &str| tags(&[("WhiteTimeControl", "60+1"), ("BlackTimeControl", black)]);
        let filters = Filters { time_control: pattern("^60"), ..none() };
        assert_eq!(filters.refuse(&apart("60+1")), None);
        let both = [("WhiteTimeControl", "60+1"), ("BlackTimeControl", "60+1"), ("TimeControl", "?")];
        assert_eq!(filters.refuse(&tags(&both)), None, "one of both is known, though that of the game is not");
        for game in [apart("60+2"), tags(&[("WhiteTimeControl", "60+1")]), nobody] {
            assert_eq!(filters.refuse(&game), Some(SkipReason::TimeControl), "not that of both");
        }
        // Of several limits the first in the order of the reasons.
        let all = Filters { min_elo: Some(2600), event: pattern("D"), date_to: Some("1998".to_owned()), ..none() };
        assert_eq!(all.refuse(&game), Some(SkipReason::Rating));
        assert_eq!(Filters { min_elo: None, ..all }.refuse(&game), Some(SkipReason::Event));
    }

    #[test]
    fn abnormal_endings_are_out_unless_asked_for() {
        let by_default = Filters::default();
        for (value, refused) in [
            ("Time forfeit", true),
            ("abandoned", true),
            ("STALLED CONNECTION", true),
            ("illegal move", true),
            ("unterminated", true),
            ("Rules infraction", true),
            ("death", true),
            ("emergency", true),
            ("Timeout", true),
            ("Crash", true),
            ("Won on time", true),
            ("Engine malfunction", true),
            ("Engine error", true),
            ("Engine error: bad move e2-e4", true),
            ("因时间获胜", true),
            ("disconnects", true),
            ("White engine died", true),
            ("Победа по времени", true),
            ("Auf Zeit gewonnen", true),
            ("Motore malfunzionante", true),
            ("Mat", false),
            ("won on time won on time", true),
            ("Game abandoned", true),
            ("Hikaru won - game abandoned", true),
            ("Game drawn by timeout vs insufficient material", true),
            ("Hikaru won by resignation", false),
            ("Game drawn by repetition", false),
            ("won on time or not", false),
            ("lost on time or not", false),
            // In one TCEC game; `time` in sixteen.
            ("time", false),
            ("Black loses on time", true),
            ("adjudication", false),
            ("normal", false),
            ("", false),
        ] {
            let reason = by_default.refuse(&tags(&[("Termination", value)]));
            assert_eq!(reason, refused.then_some(SkipReason::Termination), "{value}");
        }
        assert_eq!(by_default.refuse(&tags(&[])), None);
        for name in ["ICCResult", "ResultDescription", "LongResult"] {
            let said = |value| by_default.refuse(&tags(&[(name, value)]));
            assert_eq!(
                [said("a forfeits on time"), said("a resigns")],
                [Some(SkipReason::Termination), None],
                "{name}"
            );
        }
        let any = Filters { termination: TerminationFilter::Any, ..Filters::default() };
        assert_eq!(any.refuse(&tags(&[("Termination", "abandoned")])), None);
        let forfeits = Filters {
            termination: TerminationFilter::Matching(Pattern::new("(?i)forfeit").unwrap()),
            ..Filters::default()
        };
        assert_eq!(forfeits.refuse(&tags(&[("Termination", "Time forfeit")])), None);
        assert_eq!(forfeits.refuse(&tags(&[])), Some(SkipReason::Termination));
    }

    #[test]
    fn rating_limits_hold_for_both_players() {
        let game = |white, black| tags(&[("WhiteElo", white), ("BlackElo", black)]);
        let least = Filters { min_elo: Some(2400), ..Filters::default() };
        assert_eq!(least.refuse(&game("2400", "2500")), None);
        assert_eq!(least.refuse(&game("2399", "2500")), Some(SkipReason::Rating));
        assert_eq!(least.refuse(&tags(&[("WhiteElo", "2500")])), Some(SkipReason::Rating));
        let most = Filters { max_elo: Some(2400), max_elo_difference: Some(100), ..Filters::default() };
        assert_eq!(most.refuse(&game("2400", "2300")), None);
        assert_eq!(most.refuse(&game("2401", "2400")), Some(SkipReason::Rating));
        assert_eq!(most.refuse(&game("2299", "2400")), Some(SkipReason::Rating));
        for (white, black) in [("0", "2400"), ("2400", "0"), ("0", "0")] {
            assert_eq!(most.refuse(&game(white, black)), Some(SkipReason::Rating), "{white} {black}");
        }
    }

    #[test]
    fn dates_compare_over_the_length_of_the_limit() {
        let game = |date| tags(&[("Date", date)]);
        let nineties =
            Filters { date_from: Some("1990".into()), date_to: Some("1999.06".into()), ..Filters::default() };
        for (date, reason) in [
            ("1990.??.??", None),
            ("1999.??.??", Some(SkipReason::Date)),
            ("1999.06.??", None),
            ("1990.01.??", None),
            ("1990.01.01", None),
            ("1999.06.30", None),
            ("1999.07.01", Some(SkipReason::Date)),
            ("1989.12.31", Some(SkipReason::Date)),
            ("????.??.??", Some(SkipReason::Date)),
            ("1995", None),
            ("1989", Some(SkipReason::Date)),
            ("1999.6.1", None),
            ("1999.12.1", Some(SkipReason::Date)),
            ("1999/06/30", None),
            ("1999-07-01", Some(SkipReason::Date)),
            ("30.06.1999", Some(SkipReason::Date)),
            ("June 1999", Some(SkipReason::Date)),
            ("1999.00.00", Some(SkipReason::Date)),
        ] {
            assert_eq!(nineties.refuse(&game(date)), reason, "{date}");
        }
        // Day and month exchanged: only the year is known.
        let winter = Filters { date_from: Some("1999.12".into()), date_to: Some("1999".into()), ..Filters::default() };
        for (date, is_refused) in [("1999.20.11", true), ("1999.12.40", false), ("1999.12", false)] {
            assert_eq!(winter.refuse(&game(date)).is_some(), is_refused, "{date}");
        }
        let whole =
            Filters { date_from: Some("1999.01.01".into()), date_to: Some("1999.12.31".into()), ..Filters::default() };
        let refused =
            ["1999.??.??", "1999", "1999.12.??", "1998.??.??", "2000"].map(|date| whole.refuse(&game(date)).is_some());
        assert_eq!(refused, [false, false, false, true, true]);
        // What does not begin with the year is no date, even where its first number is small.
        let until_1999 = Filters { date_to: Some("1999".into()), ..Filters::default() };
        assert_eq!(until_1999.refuse(&game("30.06.1999")), Some(SkipReason::Date));
        let from_1990 = Filters { date_from: Some("1990".into()), ..Filters::default() };
        assert_eq!(from_1990.refuse(&game("1990.??.??")), None);
    }

    #[test]
    fn names_match_by_regular_expression() {
        let game = tags(&[("White", "Carlsen, Magnus"), ("Black", "Anand, V"), ("Event", "WCC")]);
        let player = |pattern| Filters { player: Some(Pattern::new(pattern).unwrap()), ..Filters::default() };
        assert_eq!(player("^Anand").refuse(&game), None);
        assert_eq!(player("Topalov").refuse(&game), Some(SkipReason::Player));
        let white = Filters { white: Some(Pattern::new("Anand").unwrap()), ..Filters::default() };
        assert_eq!(white.refuse(&game), Some(SkipReason::Player));
        let event = Filters { event: Some(Pattern::new("^Linares").unwrap()), ..Filters::default() };
        assert_eq!(event.refuse(&game), Some(SkipReason::Event));
    }
}
