//! What is said of results, in words.

use std::fmt;

use drawish_artefact::identity::Difference;
use drawish_artefact::provenance::in_comment;
use drawish_stats::numbers::{counted, grouped, p_value};

use super::super::by_opening::BEYOND_STOPS;
use super::Remark;
use crate::arena::repeats_text;

/// What it means that games are missing, and what to do.
const STILL_RUNNING: &str = "if the match is still running, the missing games are the long ones and the others a biased sample; wait for its \
                             end, or add the missing games";

/// Games that are named one by one.
const NAMED: usize = 5;
/// Opponents are: more than a gauntlet has, fewer than a server.
const MANY: usize = 40;

fn of_openings(openings: u64, are_few: bool) -> &'static str {
    match (are_few, openings) {
        (false, _) => "by opening",
        (true, 1) => "for just this opening, which comes again",
        (true, _) => "for just these openings, which are few and come again",
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Remark::Cut => f.write_str("the last pair is unfinished and not counted"),
            Remark::Earlier(count) => write!(f, "the last of {} standings of one match", grouped(*count as u64 + 1)),
            Remark::FirstSide(name) => write!(
                f,
                "the first game is not here, or rounds do not say which it is: {} is taken for the first side, having White in the one that \
                 stands first; --first names it",
                in_comment(name)
            ),
            Remark::OutsidePairs(games) => write!(
                f,
                "{} of the wins, losses and draws {} in no pair, and {} left out where pairs are judged",
                grouped(*games),
                if *games == 1 { "is" } else { "are" },
                if *games == 1 { "is" } else { "are" },
            ),
            Remark::Paired { by_round, by_opening: 0 } => {
                write!(f, "{} by round and opening", counted(*by_round, "pair"))
            }
            Remark::Paired { by_round: 0, by_opening } => write!(f, "{} by opening", counted(*by_opening, "pair")),
            Remark::Paired { by_round, by_opening } => {
                write!(f, "{} by round and opening, {} by opening", counted(*by_round, "pair"), grouped(*by_opening))
            }
            Remark::Sorted => f.write_str(
                "the pairs do not stand in the order in which they were played: they are taken in the order of their rounds",
            ),
            Remark::NoRounds => f.write_str(
                "the Round tags do not give the order in which the pairs were played: a test judges all of them at once",
            ),
            Remark::Missing { rounds, first, last, of_others } => write!(
                f,
                "{} of the rounds {} to {} lack a game with a result{}: {STILL_RUNNING}",
                grouped(*rounds),
                grouped(*first),
                grouped(*last),
                if *of_others { ", of these engines or of others" } else { "" },
            ),
            Remark::MissingOfSeveral(rounds) => {
                write!(f, "{} rounds of all files together lack a game with a result: {STILL_RUNNING}", grouped(*rounds))
            }
            Remark::Ranges(ranges) => {
                write!(f, "{} parts of the match end before the next one begins: {STILL_RUNNING}", grouped(*ranges))
            }
            Remark::Partners { games, of_several } => write!(
                f,
                "the partners of {}{} are missing: {STILL_RUNNING}",
                counted(*games, "game"),
                if *of_several { ", of all files together," } else { "" }
            ),
            Remark::Unnamed(side) => write!(
                f,
                "names no sides: its results are taken for those of {side}; if they are those of the other side, put a line \"Results of A vs B:\" \
                 before them, A being the side of these wins"
            ),
            Remark::Streaky => f.write_str(
                "pairs side by side ended alike far more often than by chance, as in a file that is sorted by results: a test judges them all \
                 at once",
            ),
            Remark::Colours { white, games, of_several } => write!(
                f,
                "White in {} of {}{}: the advantage of White is in Elo, LOS and tests; take games with both colours",
                grouped(*white),
                counted(*games, "game"),
                if *of_several { " in PGN" } else { "" }
            ),
            Remark::ColoursApart => f.write_str(
                "some of the sources have one colour far more often: they differ from others by the advantage of White, so that they are not compared",
            ),
            Remark::Single => f.write_str(
                "no pairs: no two games with colours reversed share a round, or a FEN or book moves; each game counts by itself",
            ),
            Remark::FewPairs(pairs) => {
                write!(f, "only {}, less than half of the games: each game counts by itself", counted(*pairs, "pair"))
            }
            Remark::Alone(games) => {
                let noun = if games.len() == 1 { "game" } else { "games" };
                let count = grouped(games.len() as u64);
                write!(f, "{count} {noun} left out, without a partner: {}", few(games, NAMED, named))
            }
            Remark::WithoutPairs(opponents) => write!(
                f,
                "no game against {} has a partner: results are those against the others only",
                few(opponents, MANY, |name| in_comment(name))
            ),
            Remark::Unfinished(1) => f.write_str("1 game without a result is left out"),
            Remark::Unfinished(count) => write!(f, "{} games without a result are left out", grouped(*count)),
            Remark::TokenDiffers(count) => write!(
                f,
                "{} another result behind the moves than in the Result tag, which is taken",
                match count {
                    1 => "1 game has".to_owned(),
                    _ => format!("{} games have", grouped(*count)),
                }
            ),
            Remark::PrintedAbove(games) => write!(
                f,
                "printed results {}stand above the games of this text and are not counted; to count them, give them alone",
                games.map(|games| format!("({}) ", counted(games, "game"))).unwrap_or_default()
            ),
            Remark::Rescued(1) => f.write_str("1 game was swallowed by the one before it (an unclosed comment?) and found again"),
            Remark::Rescued(count) => write!(
                f,
                "{} games were swallowed by those before them (an unclosed comment?) and found again",
                grouped(*count)
            ),
            Remark::Nameless(count) => write!(
                f,
                "{} without the names of players left out: an engine's words in a comment may have ended a game",
                match count {
                    1 => "1 game is".to_owned(),
                    _ => format!("{} games are", grouped(*count)),
                }
            ),
            Remark::Against(opponents) => {
                let named = few(opponents, MANY, |(name, games)| format!("{name} ({})", counted(*games, "game")));
                write!(f, "taken together: {named}")?;
                if opponents.len() > MANY {
                    write!(f, ", {} in all", counted(opponents.len() as u64, "opponent"))?;
                }
                Ok(())
            }
            Remark::ByOpening { openings, are_few, pairs, noun } => {
                let errors = of_openings(*openings, *are_few);
                let (pairs, openings) = (counted(*pairs, noun), counted(*openings, "opening"));
                write!(f, "{pairs} from {openings}: errors {errors}")
            }
            Remark::Together { openings, are_few, pairs, noun } => {
                let errors = of_openings(*openings, *are_few);
                let (pairs, openings) = (counted(*pairs, noun), counted(*openings, "opening"));
                write!(f, "with the sources before it {pairs} from {openings}: errors {errors}")
            }
            Remark::Others(1) => f.write_str("1 game of other engines left out"),
            Remark::Others(count) => write!(f, "{} games of other engines left out", grouped(*count)),
            Remark::Repeated { repeated, all, noun, by_chance } => {
                let text = repeats_text(*repeated, *all, noun).unwrap_or_default();
                let more = if *by_chance { ", whole or in one game" } else { "" };
                f.write_str(&text.replacen(": they add", &format!("{more}: they add"), 1))
            }
            Remark::Shared(others) => {
                match &others[..] {
                    [(other, games)] => {
                        let are = if *games == 1 { "is" } else { "are" };
                        write!(f, "{} {are} in {other} as well; if both are from one match, ", counted(*games, "game"))?;
                    }
                    _ => {
                        let named = few(others, NAMED, |(other, games)| format!("{other} ({})", grouped(*games)));
                        write!(f, "games are in {} other sources as well, {named}; if two are from one match, ", others.len())?;
                    }
                }
                f.write_str("leave one of them out: games that are the same count once in Elo and tests, but stand twice in the counts")
            }
            Remark::NotCompared { games, sources } => {
                let named = few(sources, NAMED, String::clone);
                let of = match sources.len() {
                    0..=NAMED => named,
                    all => format!("{} ({named})", counted(all as u64, "source")),
                };
                let have = if *games == 1 { "has" } else { "have" };
                write!(
                    f,
                    "{} of {of} {have} no moves that can be compared with those of other sources: if two sources are from one match, leave one \
                     of them out",
                    counted(*games, "game")
                )
            }
            Remark::SameCounts(other) => write!(
                f,
                "the same counts as {other}; if both are from one match, its games count twice: leave one of them out"
            ),
            Remark::PairsAsGames(other) => write!(
                f,
                "its pairs count as independent games here, since {other} has none: the error leaves out how games of a pair depend on each other; \
                 judge this source alone"
            ),
            Remark::SeveralMatches { parts, p, by_rounds } => {
                let named = few(parts, NAMED, |(name, games)| format!("{name} ({})", counted(*games, "game")));
                let differ = p.is_some_and(|p| p < 0.01);
                // What stops do to scores is not known of games whose test nobody names.
                let chance = match p {
                    Some(p) if differ && *p >= BEYOND_STOPS => ", which may be chance where tests have stopped them",
                    _ => "",
                };
                let fit = match p.map(|p| p_value(p, 4)) {
                    Some(p) if differ => format!(", and they do not look like one ({p}{chance})"),
                    Some(p) => format!(", although there is no sign that they differ ({p})"),
                    None => String::new(),
                };
                let number = grouped(parts.len() as u64);
                let (what, remedy) = if *by_rounds && !differ {
                    (
                        format!("rounds begin again, as in {number} runs"),
                        "judge each by itself, unless they are of one test that several machines have played",
                    )
                } else {
                    (format!("games of {number} matches, by their tags"), "judge each by itself")
                };
                write!(f, "{what}: {named}; Elo and test take them for one{fit}: {remedy}")
            }
            Remark::OtherEngine { engine, what: Difference { field, expected, found }, other } => write!(
                f,
                "{engine} is another engine than in {other}, by {field}: {found} here, {expected} there; if both are not to count as one, \
                 judge each source by itself"
            ),
            Remark::Conduct(conduct) => conduct.fmt(f),
            Remark::BrokenOff => f.write_str("the text breaks off; what stands before is counted"),
            Remark::NoRatio => f.write_str(
                "no LLR that can be read stands beside the bounds of the test, so that their scale is not known: normalized Elo is taken; give \
                 the test and its scale yourself",
            ),
            Remark::Ended { decision, is_early: true } => write!(
                f,
                "the printed test has accepted {}: fishtest ends a test before the bound of the LLR, by what tests go beyond it on average",
                decision.name()
            ),
            Remark::Ended { decision, is_early: false } => {
                write!(f, "the printed test has accepted {}: the LLR that is printed is at its bound", decision.name())
            }
            Remark::UnusableTest(why) => write!(f, "the test that is printed beside these results is not used: {why}"),
            Remark::SeveralTests { first, second } => write!(
                f,
                "lines {first} and {second} hold different tests, and neither is used: give the test of these results yourself"
            ),
            Remark::UnreadTest(line) => write!(
                f,
                "line {line} begins like a test, but its bounds cannot be read, and it is not used: expected \
                 LLR: 2.95 (-2.94, 2.94) [0.00, 2.00], or give the test yourself"
            ),
            Remark::OtherError { printed, found } => {
                let printed = printed.map_or("no error".to_owned(), |printed| format!("an error of {printed:.2} Elo"));
                write!(
                    f,
                    "{printed} is printed, but these counts have one of {found:.2}: some of the games may be repeated or depend on each \
                     other; give the log or the PGN"
                )
            }
            Remark::OtherLlr { printed, found } => write!(
                f,
                "an LLR of {printed:.2} is printed, but these results have one of {found:.2} by the bounds beside it; give the test and its scale yourself"
            ),
        }
    }
}

/// The first of many, with dots for the others.
fn few<T>(all: &[T], most: usize, name: impl Fn(&T) -> String) -> String {
    let more = if all.len() > most { ", ..." } else { "" };
    all.iter().take(most).map(name).collect::<Vec<_>>().join(", ") + more
}

fn named((number, round): &(u64, String)) -> String {
    if round.is_empty() { format!("game {number}") } else { format!("game {number} (round {round})") }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A bot on a server has played thousands.
    #[test]
    fn the_first_of_many_opponents_are_named() {
        let against = |count: u64| Remark::Against((0..count).map(|at| (format!("o{at}"), at)).collect()).to_string();
        assert!(against(40).ends_with("o38 (38 games), o39 (39 games)"));
        let many = against(30_000);
        assert!(many.starts_with("taken together: o0 (0 games), o1 (1 game), "), "{many}");
        assert!(many.ends_with("o39 (39 games), ..., 30,000 opponents in all"), "{many}");
    }
}
