//! Results of matches from what people have: logs of this program, PGN of any match runner, and results as runners print them.
//!
//! ```
//! use drawish_match::results::{Choice, Source, read_all};
//! use drawish_stats::{Counted, Results, Strength};
//!
//! let runs = read_all(&[Source::Text("Ptnml(0-2): 50, 287, 610, 387, 73".to_owned())], &Choice::default())?;
//! let counted: Vec<Counted> = runs.iter().map(|run| run.counted).collect();
//! let results: Vec<Results> = Counted::results(&counted, false)?;
//! assert_eq!(format!("{:.2}", Strength::of(&results[0]).elo), "18.04");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// What a file holds must not wrap.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

mod by_opening;
mod choice;
mod colours;
mod copies;
mod games;
mod judged;
mod of_tournament;
mod one_match;
mod pairing;
mod printed;
mod ranges;
mod reader;
mod remark;
mod rounds;
mod shared;
mod source;
mod words;

use std::collections::HashMap;
use std::io;

use thiserror::Error;

use crate::arena::{Course, LoggedError, Setup, Side};
use by_opening::Met;
pub use by_opening::have_several_opponents;
pub use choice::{Against, Choice};
use colours::Colours;
use copies::Seen;
use drawish_games::pgn::Input;
use drawish_stats::numbers::counted;
use drawish_stats::{Counted, Decision, Pentanomial, PrintedError, Sprt, Trinomial};
pub use games::GamesError;
pub use judged::{judge, named_test, stopped};
pub use remark::Remark;
use rounds::Gaps;
use shared::Prints;
pub use words::SourceWordsError;

/// Where results come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// The log of a match or a tournament, PGN, or a text with printed results; packed with gzip, zstd or bzip2 or not.
    Input(Input),
    /// Printed results themselves.
    Text(String),
    /// The counts themselves.
    Counts(Counted),
}

/// The results of one source.
#[derive(Clone, PartialEq, Debug)]
pub struct Run {
    /// Its name, for messages.
    pub name: String,
    /// The sides, where the source names them: the results are for the first. Several opponents taken together have one name.
    pub sides: Option<[String; 2]>,
    /// The results.
    pub counted: Counted,
    /// How they were found, and what was left out.
    pub remarks: Vec<Remark>,
    /// The test that the source names.
    pub test: Option<NamedTest>,
    /// Its pairs in their order, where the source has them so: as the log of a match, or PGN of two engines, in which a pair stands where
    /// its second game does. A test of one run ends with the pair that decides it.
    pub course: Option<Course>,
    /// Whether these games are, or may be, not one match as a test has ended it: PGN whose rounds begin later or again, or with several
    /// events, or a text that says so.
    is_part: bool,
    /// Whether the source says that a test has stopped them.
    is_stopped: bool,
    /// A test that was taken away was decided near its end.
    was_decided: bool,
    /// What the runner has decided by the printed test.
    ended: Option<Decision>,
    /// The ratio of a test whose hypotheses are not printed, with its bounds, the lower one first.
    ratio: Option<[f64; 3]>,
    /// The match of which these are the pairs from [`Setup::first_pair`] on, of a log.
    setup: Option<Setup>,
    /// The engines, of a log.
    engines: Vec<Side>,
    /// Pairs that are the same games as an earlier pair, also of a run before; games where games are not paired. Nothing is known of
    /// printed results.
    pub repeated: u64,
    /// These by their points.
    repeats: (Pentanomial, Trinomial),
    /// So many pairs are worth an independent one, see [`drawish_stats::design_effect()`]: more than one where several opponents fare alike
    /// from the same openings, fewer where opponents differ, and one against a single opponent.
    pub design_effect: f64,
    met: Met,
    /// Of games in PGN; those of a log are even, and nobody knows those of a text.
    colours: Colours,
    gaps: Gaps,
    prints: Prints,
}

/// A test that a source names beside its results.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NamedTest {
    /// The test.
    pub sprt: Sprt,
    /// Where it stands.
    pub place: TestPlace,
}

/// Where a source names its test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TestPlace {
    /// In the first line of the log of a match: the test that was to end it.
    Log,
    /// Beside printed results.
    Printed,
}

impl TestPlace {
    /// `log` or `printed`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            TestPlace::Log => "log",
            TestPlace::Printed => "printed",
        }
    }
}

/// Why a source gives no results. Every message but the last four begins with the name of the source.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum ResultsError {
    #[error("{name}: {cause}; check that it is a match log, PGN or text, and that it is whole")]
    Unreadable { name: String, cause: io::Error },
    #[error("{name}: {cause}")]
    Log { name: String, cause: LoggedError },
    #[error("{name}: line {line} is damaged: {what}; remove it and all lines after it, or take an undamaged copy")]
    Damaged { name: String, line: usize, what: String },
    #[error("{name}: {cause}")]
    Games { name: String, cause: GamesError },
    #[error("{name}: {cause}")]
    Text { name: String, cause: PrintedError },
    #[error(
        "{name} says of its results that {said}, which their counts do not show: give the log or the PGN of these games"
    )]
    Dependent { name: String, said: &'static str },
    #[error("{name}: expected results, found {what}; give a match log, PGN, or results as a match runner prints them")]
    OtherKind { name: String, what: &'static str },
    #[error(
        "{name}: longer than {mebibytes} MiB, and no PGN: expected a match log, or results as a match runner prints them; give its last lines"
    )]
    TooLong { name: String, mebibytes: u64 },
    #[error("{name} holds the same as {other}: its games would be counted twice; leave one of them out")]
    Copy { name: String, other: String },
    #[error("{name}: {} in {other} as well and would be counted twice; leave {name} out", all_of(*games))]
    Within { name: String, other: String, games: u64 },
    #[error(
        "{name} is a match of {} and {}, {other} one of {} and {}; results are added only where the sides have the same names: give each alone",
        sides[0], sides[1], others[0], others[1]
    )]
    OtherSides { name: String, sides: Box<[String; 2]>, other: String, others: Box<[String; 2]> },
    #[error("{name} has no side {wanted:?}; it has {:?} and {:?}", sides[0], sides[1])]
    NoSuchSide { name: String, wanted: String, sides: [String; 2] },
    #[error("opponents are chosen for a side that is named: name the side, too")]
    WhoseOpponents,
    #[error("{side:?} is chosen for both sides: choose another opponent")]
    Itself { side: String },
    #[error("no side is called {wanted:?}: these results name no sides")]
    NoSides { wanted: String },
}

/// Reads the results of several sources, all for the same side: the one that is chosen, else the first side of the first source that
/// names its sides. In PGN that is White of the first game of the first round.
///
/// # Errors
///
/// If a side is chosen against itself, or if a source cannot be read, holds no results or those of other sides than the sources before,
/// or of more than two engines without a choice among them; or if two sources hold the same bytes, packed or not, or all games of one
/// are in another as well, be it a log or PGN.
pub fn read_all(sources: &[Source], choice: &Choice) -> Result<Vec<Run>, ResultsError> {
    let first = choice.first.as_deref();
    if first.is_none() && choice.against != Against::Only {
        return Err(ResultsError::WhoseOpponents);
    }
    if let Some(side) = choice.against_itself() {
        return Err(ResultsError::Itself { side: side.to_owned() });
    }
    let mut runs = Vec::with_capacity(sources.len());
    let mut seen: HashMap<u128, String> = HashMap::new();
    let mut games_seen = Seen::default();
    let mut reference: Option<(String, [String; 2])> = None;
    for (number, source) in (1..).zip(sources) {
        let (mut run, digest) = source::read(source, number, choice, sources.len() > 1, &mut games_seen)?;
        games_seen.remember(&run.prints.known);
        let name = run.name.clone();
        if let Some(other) = digest.and_then(|digest| seen.insert(digest, name.clone())) {
            return Err(ResultsError::Copy { name, other });
        }
        if let Some(sides) = run.sides.clone() {
            let wanted = match (&reference, first) {
                (Some((other, others)), _) if others.iter().any(|side| !sides.contains(side)) => {
                    let (sides, others) = (Box::new(sides), Box::new(others.clone()));
                    return Err(ResultsError::OtherSides { name, sides, other: other.clone(), others });
                }
                (Some((_, others)), _) => others[0].clone(),
                (None, Some(wanted)) if !sides.iter().any(|side| side == wanted) => {
                    return Err(ResultsError::NoSuchSide { name, wanted: wanted.to_owned(), sides });
                }
                (None, Some(wanted)) => wanted.to_owned(),
                (None, None) => sides[0].clone(),
            };
            if sides[0] != wanted {
                run = run.reversed();
            }
            // The side of a source before is no guess.
            if reference.is_some() {
                run.remarks.retain(|remark| !matches!(remark, Remark::FirstSide(_)));
            }
            reference = reference.or_else(|| run.sides.clone().map(|sides| (name, sides)));
        }
        runs.push(run);
    }
    if let Some((_, [side, _])) = &reference {
        let unnamed = runs.iter_mut().filter(|run| run.sides.is_none());
        unnamed.for_each(|run| run.remarks.insert(0, Remark::Unnamed(side.clone())));
    }
    shared::compare(&mut runs)?;
    by_opening::remark_on(&mut runs);
    colours::remark_on(&mut runs);
    rounds::remark_on(&mut runs);
    ranges::remark_on(&mut runs);
    one_match::compare_engines(&mut runs);
    remark_on_pairs(&mut runs);
    match first {
        Some(wanted) if reference.is_none() => Err(ResultsError::NoSides { wanted: wanted.to_owned() }),
        _ => Ok(runs),
    }
}

/// Says of runs with pairs that these are no pairs beside runs that have none.
fn remark_on_pairs(runs: &mut [Run]) {
    let without = runs.iter().find(|run| run.counted.pairs.is_none()).map(|run| run.name.clone());
    let is_sum_of_games = runs.iter().all(|run| run.counted.games.is_some());
    if let Some(other) = without.filter(|_| is_sum_of_games) {
        let with_pairs = runs.iter_mut().filter(|run| run.counted.pairs.is_some());
        with_pairs.for_each(|run| run.remarks.push(Remark::PairsAsGames(other.clone())));
    }
}

impl Run {
    /// A run of which only the counts are known.
    #[must_use]
    pub fn of_counts(name: impl Into<String>, counted: Counted) -> Run {
        Run {
            name: name.into(),
            sides: None,
            counted,
            remarks: Vec::new(),
            test: None,
            course: None,
            is_part: false,
            is_stopped: false,
            was_decided: false,
            ended: None,
            ratio: None,
            setup: None,
            engines: Vec::new(),
            repeated: 0,
            repeats: Default::default(),
            design_effect: 1.0,
            met: Met::default(),
            colours: Colours::default(),
            gaps: Gaps::default(),
            prints: Prints::default(),
        }
    }

    /// The same for the other side.
    fn reversed(self) -> Run {
        let sides = self.sides.map(|[first, second]| [second, first]);
        let opponent = sides.as_ref().map_or("", |[_, opponent]| opponent);
        let met = self.met.reversed(opponent);
        let prints = self.prints.reversed();
        let test = self.test.map(|named| NamedTest { sprt: named.sprt.reversed(), ..named });
        Run {
            sides,
            counted: self.counted.reversed(),
            test,
            ended: self.ended.map(Decision::reversed),
            ratio: self.ratio.map(|[llr, lower, upper]| [-llr, -upper, -lower]),
            remarks: self.remarks.into_iter().map(Remark::reversed).collect(),
            course: self.course.map(Course::reversed),
            met,
            colours: self.colours.reversed(),
            prints,
            ..self
        }
    }
}

fn all_of(games: u64) -> String {
    if games == 1 { "its only game is".to_owned() } else { format!("all of its {} are", counted(games, "game")) }
}
