//! How long a player may think.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Moves in a time and an increment: `40/60+0.6` is 40 moves in 60 seconds and 0.6 seconds for each move, `8+0.08` is sudden
/// death, `1:30+1` is 90 seconds and 1 for each move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// Moves until the time is given again; `None` for the whole game.
    pub moves: Option<u32>,
    /// The time for them.
    pub base: Duration,
    /// Added after each move.
    pub increment: Duration,
}

impl TimeControl {
    /// A year: no game takes longer.
    pub const LONGEST: Duration = Duration::from_secs(365 * 24 * 3600);

    /// Reads a time control as match runners spell it: `inf` and `infinite` are no clock at all, hence `None`.
    ///
    /// # Errors
    ///
    /// If it is neither that nor a time control.
    pub fn or_infinite(text: &str) -> Result<Option<TimeControl>, TimeControlError> {
        if matches!(text, "inf" | "infinite") { Ok(None) } else { text.parse().map(Some) }
    }

    /// Reads a time for a move: seconds above 0, at most [`LONGEST`](Self::LONGEST); `None` for anything else.
    #[must_use]
    pub fn seconds(text: &str) -> Option<Duration> {
        seconds(text).filter(|time| !time.is_zero() && *time <= TimeControl::LONGEST)
    }
}

/// Seconds as a decimal number. To the nanosecond they are read as they stand: by way of a floating-point number, long times would not
/// come back as they were written.
fn seconds(text: &str) -> Option<Duration> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if fraction.len() > 9 || !are_digits(whole) || !are_digits(fraction) || whole.len() + fraction.len() == 0 {
        return text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    }
    let whole = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    Some(Duration::new(whole, format!("{fraction:0<9}").parse().ok()?))
}

/// A time as it is read.
struct Seconds(Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{}.{:09}", self.0.as_secs(), self.0.subsec_nanos());
        f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

/// What ends the search for a move; several together end it at the first that is reached.
///
/// Logs hold them as text, see [`Display`](fmt::Display).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Limits {
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Depth in half-moves.
    pub depth: Option<u32>,
    /// Time for each move.
    pub movetime: Option<Duration>,
    /// Time for the game.
    pub tc: Option<TimeControl>,
}

impl Limits {
    /// So many positions for each move.
    #[must_use]
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// Whether nothing limits the search.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Limits::default()
    }

    /// The value of the tag `TimeControl` in PGN: `8+0.08`, `0.1/move`, and `-` where no time limits the search.
    #[must_use]
    pub fn time_control_tag(&self) -> String {
        match (self.tc, self.movetime) {
            (Some(tc), _) => tc.to_string(),
            (None, Some(time)) => format!("{}/move", Seconds(time)),
            (None, None) => "-".to_owned(),
        }
    }

    /// Whether games depend on how fast the machine is.
    #[must_use]
    pub fn by_time(&self) -> bool {
        self.movetime.is_some() || self.tc.is_some()
    }
}

/// A time control that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "{0:?} is not a time control: expected seconds as in 8+0.08, minutes as in 1:30, or moves and seconds as in 40/60+0.6"
)]
pub struct TimeControlError(String);

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<TimeControl, TimeControlError> {
        let wrong = || TimeControlError(text.to_owned());
        let seconds = |part: &str| seconds(part).filter(|time| *time <= TimeControl::LONGEST).ok_or_else(wrong);
        let clock = |part: &str| {
            let (minutes, rest) = part.split_once(':').unwrap_or(("0", part));
            let minutes: u32 = minutes.parse().map_err(|_| wrong())?;
            let time = Duration::from_secs(60 * u64::from(minutes)) + seconds(rest)?;
            if time <= TimeControl::LONGEST { Ok(time) } else { Err(wrong()) }
        };
        let (moves, time) = match text.split_once('/') {
            Some((moves, time)) => (Some(moves.parse().ok().filter(|&moves| moves > 0).ok_or_else(wrong)?), time),
            None => (None, text),
        };
        let (base, increment) = time.split_once('+').unwrap_or((time, "0"));
        let control = TimeControl { moves, base: clock(base)?, increment: seconds(increment)? };
        if control.base.is_zero() { Err(wrong()) } else { Ok(control) }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", Seconds(self.base))?;
        if !self.increment.is_zero() {
            write!(f, "+{}", Seconds(self.increment))?;
        }
        Ok(())
    }
}

/// As results are headed: `8+0.08`, `5000 nodes`, `depth 9`, `0.1 s a move`, and several of them with commas.
impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.tc.map(|tc| tc.to_string()),
            self.movetime.map(|time| format!("{} s a move", Seconds(time))),
            self.nodes.map(|nodes| format!("{nodes} nodes")),
            self.depth.map(|depth| format!("depth {depth}")),
        ];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
    }
}

/// Text that is not one of limits.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "{0:?} is not a limit of a search: expected as in 5000 nodes, depth 9, 0.1 s a move, or a time control as in 8+0.08"
)]
pub struct LimitsError(String);

/// Reads what [`Display`](fmt::Display) writes.
impl FromStr for Limits {
    type Err = LimitsError;

    fn from_str(text: &str) -> Result<Limits, LimitsError> {
        let mut limits = Limits::default();
        for part in text.split(", ").filter(|part| !part.is_empty()) {
            let wrong = || LimitsError(text.to_owned());
            if let Some(nodes) = part.strip_suffix(" nodes") {
                limits.nodes = Some(nodes.parse().map_err(|_| wrong())?);
            } else if let Some(depth) = part.strip_prefix("depth ") {
                limits.depth = Some(depth.parse().map_err(|_| wrong())?);
            } else if let Some(time) = part.strip_suffix(" s a move") {
                limits.movetime = Some(seconds(time).ok_or_else(wrong)?);
            } else {
                limits.tc = Some(part.parse().map_err(|_| wrong())?);
            }
        }
        Ok(limits)
    }
}

impl From<Limits> for String {
    fn from(limits: Limits) -> String {
        limits.to_string()
    }
}

impl TryFrom<String> for Limits {
    type Error = LimitsError;

    fn try_from(text: String) -> Result<Limits, LimitsError> {
        text.parse()
    }
}

/// A player's time within a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Time left.
    pub left: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// Moves until the time is given again.
    pub moves_to_go: Option<u32>,
    control: TimeControl,
}

impl Clock {
    /// At the beginning of a game.
    #[must_use]
    pub fn new(control: TimeControl) -> Clock {
        Clock { left: control.base, increment: control.increment, moves_to_go: control.moves, control }
    }

    /// Takes the time for a move and gives the increment. `false` if it was more than the time left and the margin.
    #[must_use]
    pub fn spend(&mut self, time: Duration, margin: Duration) -> bool {
        if time > self.left + margin {
            return false;
        }
        self.left = self.left.saturating_sub(time) + self.increment;
        if let Some(moves) = &mut self.moves_to_go {
            *moves -= 1;
            if *moves == 0 {
                self.left += self.control.base;
                self.moves_to_go = self.control.moves;
            }
        }
        true
    }
}

/// A time in whole milliseconds, as far as 64 bits reach.
pub(super) fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_read_and_written() {
        for text in ["8+0.08", "40/60+0.6", "10", "40/5"] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
        }
        for (text, same) in [
            ("0:10+0.1", "10+0.1"),
            ("1:30", "90"),
            ("40/1:00+0.6", "40/60+0.6"),
            ("2:0.5", "120.5"),
            (".5+1e-3", "0.5+0.001"),
        ] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), same);
        }
        for text in ["181818:.2+6", "31535999.999999999+0.000000001", "100+10"] {
            let control: TimeControl = text.parse().unwrap();
            assert_eq!(control.to_string().parse(), Ok(control), "{text}");
        }
        assert_eq!(TimeControl::or_infinite("inf"), Ok(None));
        assert_eq!(TimeControl::or_infinite("0:08"), "8".parse().map(Some));
        assert!(TimeControl::or_infinite("infinity").is_err());
        for text in [
            "",
            "x",
            "0+1",
            "0/10",
            "-3",
            "1+",
            "5+nan",
            "1e19",
            "1+1e9",
            ":5",
            "1:",
            "-1:10",
            "1:2:3",
            "4000000000:1",
            "1+0:1",
            "hg",
        ] {
            let error = text.parse::<TimeControl>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("{text:?} is not a time control")), "{error}");
        }
    }

    #[test]
    fn the_tag_of_a_time_control() {
        for (limits, tag) in
            [("8+0.08, 100 nodes", "8+0.08"), ("0.1 s a move", "0.1/move"), ("5000 nodes, depth 9", "-")]
        {
            assert_eq!(limits.parse::<Limits>().unwrap().time_control_tag(), tag);
        }
    }

    #[test]
    fn limits_are_read_as_they_are_written() {
        for text in ["5000 nodes", "8+0.08, 0.1 s a move, 5000 nodes, depth 9", "40/60+0.6", ""] {
            assert_eq!(text.parse::<Limits>().unwrap().to_string(), text);
        }
        for text in ["many nodes", "depth", "fast", "-1 s a move", "5 nodes; 6 nodes"] {
            assert!(text.parse::<Limits>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_clock_runs_down_and_is_wound_up() {
        let mut clock = Clock::new("2/10+1".parse().unwrap());
        let second = Duration::from_secs(1);
        assert!(clock.spend(4 * second, Duration::ZERO));
        assert_eq!((clock.left, clock.moves_to_go), (7 * second, Some(1)));
        assert!(clock.spend(7 * second, Duration::ZERO));
        assert_eq!((clock.left, clock.moves_to_go), (11 * second, Some(2)));
        assert!(!clock.spend(12 * second, Duration::from_millis(999)));
        assert!(clock.spend(12 * second, second));
        assert_eq!(clock.left, second);
    }
}
