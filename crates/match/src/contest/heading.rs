//! What the games of a match say of it: event, site and date.

use std::time::{SystemTime, UNIX_EPOCH};

use super::{Engine, Plays};
use crate::arena::Limits;

/// What stands in the tags `Event`, `Site` and `Date` of the games.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Heading {
    /// The event; one that names openings and seed if `None`.
    pub event: Option<String>,
    /// The site; `?` in PGN if `None`.
    pub site: Option<String>,
    /// The day on which the match was begun, as PGN writes it: `2026.11.22`.
    ///
    /// If `None` it is today, in universal time, unless all depends on nothing but openings and nodes: arms of the engine of this
    /// program that no time limits play the same games on any day, and log and games then hold no date.
    pub date: Option<String>,
}

impl Heading {
    /// The date of a match between such engines.
    pub(crate) fn date(&self, engines: &[Engine], limits: &[Limits]) -> Option<String> {
        let always_the_same =
            engines.iter().all(|engine| matches!(engine.plays, Plays::Arm(_))) && !limits.iter().any(Limits::by_time);
        self.date.clone().or_else(|| (!always_the_same).then(today))
    }
}

/// The day in universal time, as PGN writes it.
fn today() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    date_of(since.map_or(0, |time| time.as_secs() / 86_400))
}

/// The date so many days after the first of January 1970, in the Gregorian calendar, counted in its periods of 400 years from the
/// first of March of the year 0 (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
fn date_of(days: u64) -> String {
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let march = (5 * day + 2) / 153;
    let month = if march < 10 { march + 3 } else { march - 9 };
    let year = 400 * era + year + u64::from(month <= 2);
    format!("{year:04}.{month:02}.{:02}", day - (153 * march + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_dates() {
        let known = [
            (0, "1970.01.01"),
            (59, "1970.03.01"),
            (11_016, "2000.02.29"),
            (11_017, "2000.03.01"),
            (20_779, "2026.11.22"),
            (20_818, "2026.12.31"),
            (47_540, "2100.02.28"),
            (47_541, "2100.03.01"),
        ];
        for (days, date) in known {
            assert_eq!(date_of(days), date);
        }
    }
}
