//! What must be said of results that were read.

mod display;

use drawish_artefact::identity::Difference;
use drawish_stats::Decision;

use crate::arena::Conduct;

/// What must be said of the results of a source.
#[derive(Clone, PartialEq, Debug)]
pub enum Remark {
    /// The log's last line is not finished: the match is running, or was killed.
    Cut,
    /// So many earlier standings of the same match stand before the one that was read.
    Earlier(usize),
    /// So many of the printed wins, draws and losses are in none of the printed pairs.
    OutsidePairs(u64),
    /// No tag says which game was the first: this engine is taken for the side whose results these are, since it has White in the game of the
    /// first round that stands first.
    FirstSide(String),
    /// The results name no sides, beside others that do: they are taken for those of this one.
    Unnamed(String),
    /// Games were paired: how many pairs by round and opening, and by opening alone.
    Paired {
        /// Pairs that share round and opening, or the round where openings are not marked.
        by_round: u64,
        /// Pairs that share an opening but no round.
        by_opening: u64,
    },
    /// Pairs do not stand in the order in which they ended: a test looks at them in the order of their rounds.
    Sorted,
    /// Pairs side by side ended alike more often than by chance: a test judges all of them at once.
    Streaky,
    /// The side has had White in so many of games that are in no pairs, far more or less than half: the advantage of White is in its Elo.
    Colours {
        /// With White.
        white: u64,
        /// All.
        games: u64,
        /// Whether they are those of several sources.
        of_several: bool,
    },
    /// Of several sources some have one colour far more often than all together, so that the advantage of White tells them apart.
    ColoursApart,
    /// No two games make a pair, so each counts by itself.
    Single,
    /// So few pairs are among the games that they may be pairs by chance: each game counts by itself.
    FewPairs(u64),
    /// These decided games have no partner, by their number in the source and their round, and are in no pair.
    Alone(Vec<(u64, String)>),
    /// No game against these opponents has a partner, so that nothing of them counts.
    WithoutPairs(Vec<String>),
    /// So many games have no result.
    Unfinished(u64),
    /// In so many games the token behind the moves says another result than the tag.
    TokenDiffers(u64),
    /// Results are printed above the games that are read, and not counted: of so many games, if they can be read.
    PrintedAbove(Option<u64>),
    /// So many games were swallowed by the ones before them and found again.
    Rescued(u64),
    /// So many games without names among others are left out.
    Nameless(u64),
    /// The results are those against these opponents taken together: their names and games.
    Against(Vec<(String, u64)>),
    /// Several opponents are met from the same openings, by which errors are.
    ByOpening {
        /// Openings, and pairs that name none.
        openings: u64,
        /// Whether these are few and come again, so that errors are for just these.
        are_few: bool,
        /// Pairs of games, or games where none are paired.
        pairs: u64,
        /// `pair` or `game`.
        noun: &'static str,
    },
    /// Several opponents are met from the same openings in this source and in those before it, by which errors are.
    Together {
        /// Openings of all of them, and pairs that name none.
        openings: u64,
        /// Whether these are few and come again, so that errors are for just these.
        are_few: bool,
        /// Pairs of all of them, or games where none are paired.
        pairs: u64,
        /// `pair` or `game`.
        noun: &'static str,
    },
    /// So many games are of engines that were not chosen.
    Others(u64),
    /// So many of all pairs, or of all games where they are not paired, are the same games as an earlier one.
    Repeated {
        /// Those that were seen before.
        repeated: u64,
        /// All.
        all: u64,
        /// `pair` or `game`.
        noun: &'static str,
        /// Whether some of them have only one such game: rounds do not say whose partner it is.
        by_chance: bool,
    },
    /// Games are in other sources as well, which come before: their names, and how many.
    Shared(Vec<(String, u64)>),
    /// Moves of so many games are kept as checksums, cannot be read, or there are none: whether these games are in another source as well is not
    /// known.
    NotCompared {
        /// Games.
        games: u64,
        /// The sources that have them.
        sources: Vec<String>,
    },
    /// Another source, which comes before, has the same counts of pairs or games, and the games of one of both are not known.
    SameCounts(String),
    /// Another source has no pairs, so that those of this one count as two games each.
    PairsAsGames(String),
    /// Pairs have no rounds, or many of them share one, so that the order in which they were played is not known.
    NoRounds,
    /// So many of these rounds have no game or one.
    Missing {
        /// Rounds.
        rounds: u64,
        /// The first that has a game.
        first: u64,
        /// The last.
        last: u64,
        /// Whether games of other engines are among those that show it.
        of_others: bool,
    },
    /// So many rounds of several sources together lack a game that it matters.
    MissingOfSeveral(u64),
    /// So many parts of a match, by their numbers of pairs or rounds, end before the next one begins that it matters.
    Ranges(u64),
    /// So many games have no partner that it matters, whatever their rounds say.
    Partners {
        /// Games.
        games: u64,
        /// Whether they are those of several sources together.
        of_several: bool,
    },
    /// The games are of several matches, by their events and time controls.
    SeveralMatches {
        /// Event or time control, or both, of each, with its games.
        parts: Vec<(String, u64)>,
        /// The p-value of [`Pool::same_match`](drawish_stats::Pool::same_match) for them, where it is known.
        p: Option<f64>,
        /// Whether only rounds that begin again tell them apart.
        by_rounds: bool,
    },
    /// An engine is another one than that of the same name in a source before: the first in which they differ.
    OtherEngine {
        /// Its name.
        engine: String,
        /// What of it is another.
        what: Difference,
        /// The other source.
        other: String,
    },
    /// An engine has lost games by a fault, or searched beyond its limits.
    Conduct(Conduct),
    /// The text breaks off in a game, or in the packed file.
    BrokenOff,
    /// Beside the bounds of a test stands no ratio that can be read and shows its scale.
    NoRatio,
    /// The ratio that stands beside the results is not that of the test beside them.
    OtherLlr {
        /// The ratio that is printed.
        printed: f64,
        /// That of the test for these results.
        found: f64,
    },
    /// The runner has decided so by the test beside the results, though the ratio of these is not quite at a bound.
    Ended {
        /// What it has decided.
        decision: Decision,
        /// Whether the ratio that it prints is not at a bound either.
        is_early: bool,
    },
    /// The error of Elo that is printed is far larger than these results have.
    OtherError {
        /// The printed half width of the 95 % interval; `None` if it says that there is none.
        printed: Option<f64>,
        /// That of these results.
        found: f64,
    },
    /// A test stands beside the results that cannot be made for them: why.
    UnusableTest(String),
    /// Different tests stand in one text: the lines of two of them.
    SeveralTests {
        /// The line of the first.
        first: usize,
        /// The line of the first that is another one.
        second: usize,
    },
    /// The line of this number begins like a test, but its bounds cannot be read.
    UnreadTest(usize),
}

impl Remark {
    /// The same of the results of the other side.
    pub(super) fn reversed(self) -> Remark {
        match self {
            Remark::Ended { decision, is_early } => Remark::Ended { decision: decision.reversed(), is_early },
            Remark::OtherLlr { printed, found } => Remark::OtherLlr { printed: -printed, found: -found },
            other => other,
        }
    }

    /// What is said of opponents, with their games, of whom several may be taken together, and of the games of others.
    pub(super) fn of_choice(opponents: Vec<(String, u64)>, others: u64) -> impl Iterator<Item = Remark> {
        let against = (opponents.len() > 1).then_some(Remark::Against(opponents));
        against.into_iter().chain((others > 0).then_some(Remark::Others(others)))
    }
}
