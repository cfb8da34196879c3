//! Games of two engines in PGN, or of one against others, put together in pairs: the same opening with both colours.
//!
//! Two games make a pair if they are of the same two engines, which have exchanged colours, and share the event, the time control, the round
//! and the opening. The round is what stands before the first dot, hyphen, slash or colon (`12.1` and `12.2` are round 12). The opening is the
//! position behind the FEN and the moves that are marked as `{book}`, without its clocks and however both are written; where neither is
//! there, the round must have exactly two games. Where rounds number the games (1, 2, 3 or 1.1, 1.2, 1.3), partners are two successive ones, first those
//! of an odd and the next number. Games that find no partner in their round are paired with games of the same opening in other rounds, in the
//! order of rounds. Where rounds do not tell several such partners apart, chance does. Games without a result are left out first.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};

use shakmaty::Chess;
use thiserror::Error;

use super::by_opening::Met;
use super::choice::without_nameless;
use super::colours::Colours;
use super::copies::{FORMS, Known, Seen};
use super::one_match::{of_several, settle_tags};
use super::pairing::{Pairs, pair_up, part};
use super::reader::{Played, Reader};
use super::rounds::{self, Gaps, Order, Rounds, parts, round_number};
use super::shared::Prints;
use super::{Choice, Remark, Run};
use crate::arena::{Conducts, Course, add_game, add_pair, opening_print};
use drawish_core::Outcome;
use drawish_games::pgn::{ChunkBuffer, Chunks, read_games};
use drawish_stats::numbers::counted;
use drawish_stats::{Counted, Pentanomial, Trinomial};

/// Why games give no results.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum GamesError {
    #[error("{0}")]
    Io(io::Error),
    #[error("no game found; is it PGN?")]
    NoGames,
    #[error("{}", no_results(*games))]
    NoResults { games: u64 },
    #[error("expected the games of two engines, found {}; {}", listed(names), advice(names))]
    Engines {
        names: Vec<String>,
        /// Two who met, those with most games first; empty where all met all.
        met: Vec<[String; 2]>,
    },
    #[error("no engine is called {wanted:?}; there are {}", listed(names))]
    NoSuchEngine { wanted: String, names: Vec<String> },
    #[error("no game of {first:?} against {opponents} has a result")]
    NeverMet { first: String, opponents: String },
}

fn no_results(games: u64) -> String {
    if games == 1 {
        "the only game has no result".to_owned()
    } else {
        format!("none of {} has a result", counted(games, "game"))
    }
}

/// Names that are listed.
const LISTED: usize = 20;

fn listed(names: &[String]) -> String {
    let more = if names.len() > LISTED { ", ..." } else { "" };
    let all: Vec<_> = names.iter().take(LISTED).map(|name| format!("{name:?}")).collect();
    match names {
        [one] => format!("{one:?} on both sides"),
        _ => format!("{} engines: {}{more}", names.len(), all.join(", ")),
    }
}

fn advice(names: &[String]) -> &'static str {
    if names.len() == 1 {
        "give both sides names of their own"
    } else {
        "choose two of them, or one against all others"
    }
}

/// Reads the results of the games in a text; some games of other sources may have been seen.
pub(super) fn read(name: &str, source: impl Read, choice: &Choice, seen: &mut Seen) -> Result<Run, GamesError> {
    let mut chunks = Chunks::new(source);
    let mut buffer = ChunkBuffer::default();
    let mut games: Vec<Played> = Vec::new();
    let mut rescued = 0;
    while chunks.next(&mut buffer) {
        let (reader, anomalies) = read_games(buffer.text(), chunks.is_cut_off(), Reader::default);
        games.extend(reader.games);
        rescued += anomalies.rescued_games;
    }
    let error = chunks.take_error();
    if games.is_empty() {
        return Err(error.map_or(GamesError::NoGames, GamesError::Io));
    }
    // Programs may write this FEN into every game; beside others it is an opening like them.
    let of_fens = games.iter().any(|game| game.names_start && game.start.is_some());
    for game in games.iter_mut().filter(|game| of_fens && game.names_start) {
        game.start.get_or_insert_with(|| opening_print(&Chess::default()));
    }
    let rounds = || games.iter().filter_map(|game| round_number(&game.round));
    let begins_later = rounds().min().is_some_and(|first| first > 1);
    let (number, read) = (games.len() as u64, (1..).zip(games));
    let (mut unfinished, mut decided, mut first) = (0, Vec::new(), None);
    for (number, game) in read {
        match game.outcome {
            Some(outcome) => decided.push(Decided { number, game, outcome, of_match: 0, is_copy: false }),
            None => {
                unfinished += u64::from(choice.takes_game(&game.players));
                first = first.into_iter().chain([(place_of(&game.round), number, game.players)]).min();
            }
        }
    }
    if decided.is_empty() {
        return Err(GamesError::NoResults { games: number });
    }
    let nameless = without_nameless(&mut decided);
    settle_tags(&mut decided);
    let missing = rounds::missing(&decided);
    let all = decided.len();
    let (sides, chosen) = match choice.opponents().zip(choice.first.as_ref()) {
        Some((opponents, first)) => ([first.clone(), opponents], keep(&mut decided, first, choice)?),
        None => {
            let sides = sides(&decided, number, first.as_ref())?;
            let is_guess = choice.first.is_none() && is_guess(&decided, &sides, first.as_ref());
            let guessed = is_guess.then(|| Remark::FirstSide(sides[0].clone()));
            (sides, guessed.into_iter().collect())
        }
    };
    part(&mut decided, &sides[0]);
    let known: Vec<Known> = decided.iter().map(Decided::known).collect();
    seen.begin_source();
    let mut crowds: BTreeMap<_, u32> = BTreeMap::new();
    decided.iter().for_each(|game| *crowds.entry(game.crowd()).or_default() += 1);
    let places: Vec<_> = decided.iter().map(|game| game.known_place(crowds[&game.crowd()])).collect();
    let copies = known.iter().zip(places).map(|(known, place)| seen.again(known, place));
    decided.iter_mut().zip(copies).for_each(|(game, is_copy)| game.is_copy = is_copy);
    let has_others = decided.len() < all;
    let mut run = count(name, &decided, known, sides, missing, has_others);
    run.is_part |= begins_later;
    run.remarks.splice(0..0, chosen);
    let differing = decided.iter().filter(|game| game.game.token_differs).count() as u64;
    let numbers = [
        (unfinished > 0).then_some(Remark::Unfinished(unfinished)),
        (differing > 0).then_some(Remark::TokenDiffers(differing)),
        (rescued > 0).then_some(Remark::Rescued(rescued)),
        (nameless > 0).then_some(Remark::Nameless(nameless)),
    ];
    run.remarks.extend(numbers.into_iter().flatten());
    if error.is_some() {
        run.remarks.push(Remark::BrokenOff);
    }
    Ok(run)
}

/// So many games two players have in one round at most.
const LARGEST_ROUND: u32 = 8;

/// A game with a result.
pub(super) struct Decided {
    /// In the source, from 1.
    pub(super) number: u64,
    pub(super) game: Played,
    outcome: Outcome,
    /// Of several matches in one file, whose [rounds begin again](rounds::matches), which one it is of.
    pub(super) of_match: usize,
    /// Whether it was read before, in this source or another.
    pub(super) is_copy: bool,
}

impl Decided {
    /// The round without the number of the game in it; `None` if the tag says nothing.
    pub(super) fn round(&self) -> Option<&str> {
        parts(&self.game.round).next().filter(|round| !matches!(*round, "" | "?"))
    }

    /// The number of the round, and that of the game in it; none is behind all others.
    pub(super) fn place(&self) -> [u64; 2] {
        place_of(&self.game.round)
    }

    /// The games of the same players in the same place.
    fn crowd(&self) -> (usize, [u64; 2], BTreeSet<&str>) {
        (self.of_match, self.place(), self.game.players.iter().map(String::as_str).collect())
    }

    /// Its place among so many games, if it is one, and how many parts the round has. Programs that count no rounds write the same into all games.
    fn known_place(&self, crowd: u32) -> (Option<[u64; 2]>, usize) {
        match self.place() {
            [u64::MAX, _] => (None, 0),
            _ if crowd > LARGEST_ROUND => (None, 0),
            place => (Some(place), parts(&self.game.round).count().min(FORMS)),
        }
    }

    /// Whether this side had Black.
    pub(super) fn black(&self, side: &str) -> bool {
        self.game.players[0] != side
    }

    /// The one against whom a side has played.
    pub(super) fn opponent(&self, side: &str) -> &str {
        &self.game.players[usize::from(!self.black(side))]
    }

    /// What tells it from others.
    fn known(&self) -> Known {
        let Played { start, players, moves, is_broken, from_start, .. } = &self.game;
        Known::of_pgn(*start, players.each_ref().map(String::as_str), moves, self.outcome, *from_start)
            .broken(*is_broken)
    }

    /// Half points of a side.
    pub(super) fn halves(&self, side: &str) -> u8 {
        match (self.outcome, self.black(side)) {
            (Outcome::Draw, _) => 1,
            (Outcome::WhiteWin, false) | (Outcome::BlackWin, true) => 2,
            _ => 0,
        }
    }
}

/// The number of a round, and that of the game in it; none is behind all others.
fn place_of(round: &str) -> [u64; 2] {
    let mut parts = parts(round).map(|part| part.parse().unwrap_or(u64::MAX));
    [parts.next().unwrap_or(u64::MAX), parts.next().unwrap_or_default()]
}

/// Keeps the games of an engine against those that are chosen, and says what that leaves.
fn keep(games: &mut Vec<Decided>, first: &str, choice: &Choice) -> Result<Vec<Remark>, GamesError> {
    let names: BTreeSet<&String> = games.iter().flat_map(|game| &game.game.players).collect();
    let names: Vec<String> = names.into_iter().cloned().collect();
    if let Some(wanted) = choice.missing(&names) {
        return Err(GamesError::NoSuchEngine { wanted: wanted.clone(), names });
    }
    let all = games.len();
    games.retain(|game| choice.takes_game(&game.game.players));
    if games.is_empty() {
        let opponents = choice.opponents().unwrap_or_default();
        return Err(GamesError::NeverMet { first: first.to_owned(), opponents });
    }
    let mut opponents: BTreeMap<&str, u64> = BTreeMap::new();
    games.iter().for_each(|game| *opponents.entry(game.opponent(first)).or_default() += 1);
    let opponents = opponents.into_iter().map(|(name, games)| (name.to_owned(), games)).collect();
    Ok(Remark::of_choice(opponents, (all - games.len()) as u64).collect())
}

/// Two engines who met, those with most games first.
fn met(games: &[Decided]) -> Vec<[String; 2]> {
    let mut counts: BTreeMap<[&String; 2], u64> = BTreeMap::new();
    for game in games {
        let [white, black] = &game.game.players;
        *counts.entry([white.min(black), white.max(black)]).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, games)| std::cmp::Reverse(*games));
    counts.into_iter().map(|(two, _)| two.map(String::clone)).collect()
}

/// The two engines; first the one that has White in the first game of the first round, which may be the `unfinished` one.
fn sides(games: &[Decided], read: u64, unfinished: Option<&Unfinished>) -> Result<[String; 2], GamesError> {
    let decided = games.iter().map(|game| (game.place(), game.number, &game.game.players)).min();
    let (place, number, first) = decided.ok_or(GamesError::NoResults { games: read })?;
    let names: BTreeSet<&String> = games.iter().flat_map(|game| &game.game.players).collect();
    if names.len() != 2 || games.iter().any(|game| game.game.players[0] == game.game.players[1]) {
        return Err(GamesError::Engines { names: names.into_iter().cloned().collect(), met: met(games) });
    }
    let is_between =
        |players: &[String; 2]| players[0] != players[1] && players.iter().all(|name| names.contains(name));
    let earlier = unfinished.filter(|(its, at, players)| (*its, *at) < (place, number) && is_between(players));
    Ok(earlier.map_or(first, |(.., players)| players).clone())
}

/// A game without a result: its place, its number in the source and its players.
type Unfinished = ([u64; 2], u64, [String; 2]);

/// Whether another game may have been the first, in which the other side had White, be it one that is missing: many runners write games in the
/// order of their ends, and fastchess does not number those of a round.
fn is_guess(games: &[Decided], sides: &[String; 2], unfinished: Option<&Unfinished>) -> bool {
    let mut colours: BTreeMap<[u64; 2], [u64; 2]> = BTreeMap::new();
    games.iter().for_each(|game| colours.entry(game.place()).or_default()[usize::from(game.black(&sides[0]))] += 1);
    if let Some((place, _, players)) =
        unfinished.filter(|(.., players)| players.iter().all(|name| sides.contains(name)))
    {
        colours.entry(*place).or_default()[usize::from(players[0] != sides[0])] += 1;
    }
    let are_shared = |colours: &[u64; 2]| !colours.contains(&0);
    let Some((&place, &first)) = colours.first_key_value() else { return false };
    // In every other game the colours are exchanged: `1.2` and, where each game has a round, 2 are not the first.
    let is_second = match place {
        [u64::MAX, _] => false,
        [round, 0] => round > 0 && round % 2 == 0,
        [_, game] => game % 2 == 0,
    };
    is_second || are_shared(&first) || first == [1, 0] && colours.values().any(are_shared)
}

/// The results of games, of which rounds may say what is missing, and beside which a file may have games of others.
fn count(
    name: &str,
    games: &[Decided],
    known: Vec<Known>,
    sides: [String; 2],
    missing: Option<Rounds>,
    has_others: bool,
) -> Run {
    let Pairs { by_round, by_opening, alone, by_chance } = pair_up(games, &sides[0]);
    // Without rounds a test looks at a pair when its second game has ended.
    let mut all: Vec<[usize; 2]> = by_round.iter().chain(&by_opening).copied().collect();
    all.sort_by_key(|pair| pair[0].max(pair[1]));
    // Two games may share a round by chance, where a file was added to another: most games would be left out for them.
    let few = all.len() as u64;
    if 4 * all.len() < games.len() {
        all.clear();
    }
    // Two tournaments of different players have other rounds for the same two, so that rounds restore nothing.
    let order = match rounds::order(games, &mut all) {
        Order::Restored if has_others => Order::Unknown,
        order => order,
    };
    let mut remarks = Vec::new();
    let (mut pairs, mut singles) = (Pentanomial::default(), Trinomial::default());
    for &[one, two] in &all {
        add_pair(&mut pairs, [games[one].halves(&sides[0]), games[two].halves(&sides[0])]);
    }
    let has_pairs = !all.is_empty();
    // Games without a partner are left out where there are pairs: a bayesian test has the same games as another.
    let those: Vec<usize> = if has_pairs { all.concat() } else { (0..games.len()).collect() };
    for &at in &those {
        add_game(&mut singles, games[at].halves(&sides[0]));
    }
    let colours = Colours::of(those.iter().map(|&at| &games[at]), &sides[0]);
    let mut met = Met::default();
    for &[one, two] in &all {
        let played = &games[one];
        let score = f64::from(played.halves(&sides[0]) + games[two].halves(&sides[0])) / 4.0;
        met.add(played.opponent(&sides[0]), played.game.start, score);
    }
    for game in games.iter().filter(|_| !has_pairs) {
        met.add(game.opponent(&sides[0]), game.game.start, f64::from(game.halves(&sides[0])) / 2.0);
    }
    let (design_effect, of_openings) = met.effect(if has_pairs { "pair" } else { "game" });
    if has_pairs {
        remarks.push(Remark::Paired { by_round: by_round.len() as u64, by_opening: by_opening.len() as u64 });
        if !alone.is_empty() {
            let named = alone.iter().map(|&at| (games[at].number, games[at].game.round.clone()));
            remarks.push(Remark::Alone(named.collect()));
            let opponents = |those: &[usize]| -> BTreeSet<String> {
                those.iter().map(|&at| games[at].opponent(&sides[0]).to_owned()).collect()
            };
            let without: Vec<String> = opponents(&alone).difference(&opponents(&all.concat())).cloned().collect();
            remarks.extend((!without.is_empty()).then_some(Remark::WithoutPairs(without)));
        }
    } else if few > 0 {
        remarks.push(Remark::FewPairs(few));
    } else {
        remarks.push(Remark::Single);
    }
    // Of several opponents each plays the rounds, and no test is made.
    remarks.extend(order.remark().filter(|_| !met.has_several_opponents()));
    remarks.extend(of_openings);
    let mut conducts = Conducts::default();
    for game in games {
        for (player, loses) in game.game.players.iter().zip([Outcome::BlackWin, Outcome::WhiteWin]) {
            conducts.add(player, game.game.is_abnormal && game.outcome == loses, 0);
        }
    }
    remarks.extend(conducts.noted().map(Remark::Conduct));
    let counted = Counted { pairs: has_pairs.then_some(pairs), games: Some(singles) };
    let halves = |pair: [usize; 2]| pair.map(|at| games[at].halves(&sides[0]));
    let mut prints = Prints::of_games(known);
    if has_pairs {
        for (place, pair) in all.iter().enumerate() {
            let chance = pair.iter().any(|at| by_chance.contains(at));
            prints.add(place, pair, halves(*pair).to_vec(), chance.then(|| pair.iter().any(|&at| games[at].is_copy)));
        }
    } else {
        (0..games.len()).for_each(|at| prints.add(at, &[at], vec![games[at].halves(&sides[0])], None));
    }
    let is_streaky = rounds::are_streaky(all.iter().map(|&pair| halves(pair)));
    // Against each of several opponents an engine has other results.
    remarks.extend((is_streaky && !met.has_several_opponents()).then_some(Remark::Streaky));
    let has_course = has_pairs && order.is_known() && !is_streaky && !met.has_several_opponents();
    let course = has_course.then(|| Course::of_halves(all.iter().map(|&pair| (halves(pair), None))));
    let partners = || rounds::missing_partners(alone.len() as u64, all.len() as u64).filter(|_| has_pairs);
    remarks.extend(missing.and_then(|rounds| rounds.remark(has_others)).or_else(partners));
    let gaps = Gaps::of(missing, games, if has_pairs { &alone } else { &[] });
    let several = of_several(games, &all, &sides[0], met.has_several_opponents());
    let is_part = is_streaky || several.is_some() || rounds::are_of_several_matches(games, &all);
    remarks.extend(several);
    let sides = Some(sides);
    Run { sides, colours, gaps, remarks, met, prints, design_effect, course, is_part, ..Run::of_counts(name, counted) }
}

#[cfg(test)]
mod tests {
    use drawish_stats::Results;

    use super::super::Against;
    use super::*;

    fn read(name: &str, source: impl Read, choice: &Choice) -> Result<Run, GamesError> {
        super::read(name, source, choice, &mut Seen::default())
    }

    fn game(round: &str, white: &str, black: &str, result: &str, more: &str, moves: &str) -> String {
        format!(
            "[Event \"e\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n{more}\n{moves} {result}\n\n"
        )
    }

    fn of(text: &str) -> Run {
        read("a.pgn", text.as_bytes(), &Choice::default()).unwrap_or_else(|error| panic!("{error}"))
    }

    fn pairs(run: &Run) -> Option<[u64; 5]> {
        run.counted.pairs.map(|pairs| [pairs.ll, pairs.ld, pairs.wl_dd, pairs.wd, pairs.ww])
    }

    const FEN: &str = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n";

    /// As a runner writes them that plays several at once: in the order in which they end, so that the other side begins the file.
    #[test]
    fn rounds_make_pairs_in_any_order() {
        let text = game("2.2", "b", "a", "1-0", FEN, "1. e4 {+0.1/1 1s}")
            + &game("1.2", "b", "a", "1/2-1/2", FEN, "1. e4 {+0.1/1 1s}")
            + &game("2.1", "a", "b", "1-0", FEN, "1. e4 {+0.1/1 1s}")
            + &game("1.1", "a", "b", "1-0", FEN, "1. e4 {+0.1/1 1s}")
            + &game("3.1", "a", "b", "0-1", FEN, "1. e4 {+0.1/1 1s}");
        let run = of(&text);
        assert_eq!(run.sides, Some(["a".to_owned(), "b".to_owned()]));
        assert_eq!(pairs(&run), Some([0, 0, 1, 1, 0]), "1.5 of round 1, 1 of round 2");
        assert_eq!(run.counted.games, Some(Trinomial { wins: 2, draws: 1, losses: 1 }));
        let remarks: Vec<_> = run.remarks.iter().map(ToString::to_string).collect();
        let expected = ["2 pairs by round and opening", "1 game left out, without a partner: game 5 (round 3.1)"];
        assert_eq!(remarks, expected);
    }

    /// As an arbiter leaves a game whose tag was put right.
    #[test]
    fn results_that_contradict_each_other_are_those_of_the_tag() {
        let other = game("1.2", "b", "a", "1-0", FEN, "1. e4").replace(" 1-0\n", " 0-1\n");
        let run =
            of(&(game("1.1", "a", "b", "1-0", FEN, "1. e4") + &other + &game("2.1", "a", "b", "*", FEN, "1. e4")));
        assert_eq!(pairs(&run), Some([0, 0, 1, 0, 0]));
        assert_eq!(run.remarks[1..], [Remark::Unfinished(1), Remark::TokenDiffers(1)]);
        assert_eq!(
            run.remarks[2].to_string(),
            "1 game has another result behind the moves than in the Result tag, which is taken"
        );
    }

    #[test]
    fn openings_make_pairs_where_rounds_do_not() {
        let book = |first: &str| format!("1. {first} {{book}} e5 {{book, line 3}} 2. Nf3 {{+0.3/9 1s}} Nc6 {{book}}");
        let (open, closed) = (book("e4"), book("d4"));
        let text = game("1", "a", "b", "1-0", "", &open)
            + &game("2", "b", "a", "0-1", "", &closed)
            + &game("3", "b", "a", "0-1", "", &open)
            + &game("4", "a", "b", "1/2-1/2", "", &closed)
            + &game("5", "a", "b", "*", "", &closed);
        let run = of(&text);
        assert_eq!(pairs(&run), Some([0, 0, 0, 1, 1]));
        assert_eq!(run.remarks, [Remark::Paired { by_round: 0, by_opening: 2 }, Remark::Unfinished(1)]);
        // One opening in two rounds: the round decides.
        let text = game("1", "a", "b", "1-0", "", &open)
            + &game("2", "a", "b", "0-1", "", &open)
            + &game("2", "b", "a", "1-0", "", &open)
            + &game("1", "b", "a", "0-1", "", &open);
        assert_eq!(pairs(&of(&text)), Some([1, 0, 0, 0, 1]));
    }

    /// A file that is sorted by results, of a match without a difference, would accept whatever stands first.
    #[test]
    fn sorted_files_are_judged_by_rounds() {
        let results = |round: u64| [["1-0", "1-0"], ["0-1", "1-0"], ["1-0", "0-1"]][round as usize % 3];
        let text = |rounds: &mut dyn Iterator<Item = u64>| {
            let pair = |round: u64| {
                let [one, two] = results(round);
                game(&format!("{round}.1"), "a", "b", one, FEN, "1. e4 {+0.1/1 1s}")
                    + &game(&format!("{round}.2"), "b", "a", two, FEN, "1. e4 {+0.1/1 1s}")
            };
            rounds.map(pair).collect::<String>()
        };
        let course = |run: &Run| run.course.clone().expect("a course");
        let played = of(&text(&mut (1..=60)));
        assert!(!played.remarks.contains(&Remark::Sorted));
        let mut sorted: Vec<u64> = (1..=60).collect();
        sorted.sort_by_key(|round| round % 3);
        let sorted_text = text(&mut sorted.into_iter());
        let sorted = of(&sorted_text);
        assert!(sorted.remarks.contains(&Remark::Sorted));
        assert_eq!(course(&sorted), course(&played));
        // Beside games of others it may be two tournaments, in which the two have other rounds.
        let choice = Choice { first: Some("a".to_owned()), against: Against::Named(vec!["b".to_owned()]) };
        let with_others = sorted_text + &game("1", "c", "d", "1-0", FEN, "1. e4 {+0.1/1 1s}");
        let with_others = read("a.pgn", with_others.as_bytes(), &choice).expect("games");
        assert!(with_others.remarks.contains(&Remark::NoRounds) && with_others.course.is_none());
        // Eight at once, and rounds that begin again.
        let at_once = (0..60).map(|at| at / 8 * 8 + 7 - at % 8 + 1);
        assert!(!of(&text(&mut at_once.into_iter())).remarks.contains(&Remark::Sorted));
        assert!(!of(&text(&mut (1..=30).chain(1..=30))).remarks.contains(&Remark::Sorted));
    }

    /// A few openings that come again and again: who is whose partner does not follow from where games stand.
    #[test]
    fn results_do_not_choose_partners() {
        let games = |round: &dyn Fn(u64) -> String| -> Vec<(String, String)> {
            let of = |number: u64| {
                let (white, black) = if number.is_multiple_of(2) { ("a", "b") } else { ("b", "a") };
                let result = ["1-0", "0-1", "1/2-1/2"][(number * 2_654_435_761 / 4096 % 3) as usize];
                let opening = FEN.replace("4k3", ["k7", "1k6", "2k5", "3k4"][(number / 2 % 4) as usize]);
                let moves = (0..8).map(|bit| if number >> bit & 1 == 0 { "Kd1 " } else { "Kf1 " }).collect::<String>();
                (result.to_owned(), game(&round(number), white, black, result, &opening, &moves))
            };
            (0..240).map(of).collect()
        };
        for round in [|number: u64| (number + 1).to_string(), |_| "?".to_owned()] {
            let mut all = games(&round);
            let text = |all: &[(String, String)]| all.iter().map(|(_, game)| game.as_str()).collect::<String>();
            let played = pairs(&of(&text(&all))).expect("pairs");
            assert!(played[0] > 0 && played[4] > 0, "{played:?}");
            all.sort();
            assert_eq!(pairs(&of(&text(&all))), Some(played), "round {}", round(0));
        }
    }

    /// Without rounds the results themselves show it.
    #[test]
    fn files_sorted_by_results_have_no_order_of_play() {
        let opening = |number: u64| {
            FEN.replace("4k3", ["k7", "1k6", "2k5", "3k4", "4k3", "5k2", "6k1", "7k"][number as usize % 8])
        };
        let pair = |number: u64, results: [&str; 2]| {
            game("?", "a", "b", results[0], &opening(number), "1. e4")
                + &game("?", "b", "a", results[1], &opening(number), "1. e4")
        };
        let results = |number: u64| {
            [["1-0", "0-1"], ["0-1", "1-0"], ["1/2-1/2", "1/2-1/2"]][(number * number + number / 7) as usize % 3]
        };
        let mut numbers: Vec<u64> = (1..=120).collect();
        let text = |numbers: &[u64]| numbers.iter().map(|&number| pair(number, results(number))).collect::<String>();
        let played = of(&text(&numbers));
        // They may stand in the order in which they ended, or be sorted by length, which nothing shows.
        assert!(played.remarks.contains(&Remark::NoRounds) && played.course.is_none() && !played.is_part);
        assert!(!played.remarks.contains(&Remark::Streaky));
        assert!(of(&text(&numbers[..15])).course.is_some(), "few pairs may all be played at once");
        numbers.sort_by_key(|&number| results(number));
        let sorted = of(&text(&numbers));
        assert!(sorted.remarks.contains(&Remark::Streaky) && sorted.course.is_none() && sorted.is_part);
        assert_eq!(pairs(&sorted), pairs(&played));
    }

    #[test]
    fn games_of_other_variants_are_no_partners() {
        let one = game("7", "a", "b", "1-0", FEN, "1. e4 e5");
        for (more, expected) in [("", Some([0, 0, 0, 1, 0])), ("[Variant \"Atomic\"]\n", None)] {
            let two = game("7", "b", "a", "1/2-1/2", &format!("{FEN}{more}"), "1. e4 e5");
            assert_eq!(pairs(&of(&(one.clone() + &two))), expected, "{more}");
            let plain = game("7", "a", "b", "1-0", "", "1. e4 e5") + &game("7", "b", "a", "1/2-1/2", more, "1. e4 e5");
            assert_eq!(pairs(&of(&plain)), expected, "{more}");
            let without = game("-", "a", "b", "1-0", more, "1. e4") + &game("-", "b", "a", "1-0", more, "1. d4");
            assert_eq!(pairs(&of(&without)), None, "{more}: neither opening nor round");
        }
        let crazyhouse = |name: &str| format!("{FEN}[Variant \"{name}\"]\n");
        let two = [("a", "b", "Crazyhouse"), ("b", "a", "crazyhouse")]
            .map(|(white, black, name)| game("7", white, black, "1-0", &crazyhouse(name), "1. e4 e5"));
        assert_eq!(pairs(&of(&two.concat())), Some([0, 0, 1, 0, 0]), "capitals");
    }

    /// Where a match still runs, its long games are missing.
    #[test]
    fn rounds_without_their_games_are_named() {
        let round = |round: u64, games: usize| {
            let sides = [("a", "b"), ("b", "a")];
            let text = |(at, (white, black)): (usize, &(&str, &str))| {
                game(&format!("{round}.{}", at + 1), white, black, "1-0", FEN, "1. e4")
            };
            sides.iter().take(games).enumerate().map(text).collect::<String>()
        };
        let missing = |text: &str| of(text).remarks.into_iter().find(|remark| matches!(remark, Remark::Missing { .. }));
        let all = |games: fn(u64) -> usize| (11..=60).map(|number| round(number, games(number))).collect::<String>();
        assert_eq!(missing(&all(|_| 2)), None);
        assert_eq!(missing(&all(|number| if number % 7 == 0 { 1 } else { 2 })), None, "seven");
        let expected = |rounds| Some(Remark::Missing { rounds, first: 11, last: 60, of_others: false });
        assert_eq!(missing(&all(|number| if number % 5 == 3 { 1 } else { 2 })), expected(10));
        assert_eq!(missing(&all(|number| if number % 5 == 3 { 0 } else { 2 })), expected(10));
        // One round was played again, or all are of several openings.
        let text = all(|number| if number % 5 == 3 { 1 } else { 2 });
        assert_eq!(missing(&(text.clone() + &round(20, 2))), expected(10));
        assert_eq!(missing(&text.repeat(2)), None);
        // In a file with another match.
        let partners =
            |text: &str| of(text).remarks.into_iter().find(|remark| matches!(remark, Remark::Partners { .. }));
        let another = (1..=9).map(|number| round(number, 2)).collect::<String>().repeat(2);
        assert_eq!(
            (missing(&(another.clone() + &text)), partners(&(another.clone() + &text))),
            (None, Some(Remark::Partners { games: 10, of_several: false }))
        );
        assert_eq!(partners(&text), None, "rounds say it");
        // The same rounds by five machines.
        let files = |lacking: u64| {
            let of_file = |file: u64| {
                (0..10)
                    .map(move |number| 11 + 10 * file + number)
                    .map(move |number| round(number, if number % lacking == 3 { 1 } else { 2 }))
            };
            let mut runs: Vec<Run> = (0..5).map(|file| of(&of_file(file).collect::<String>())).collect();
            rounds::remark_on(&mut runs);
            let mut said = runs.into_iter().flat_map(|run| run.remarks);
            said.find(|said| matches!(said, Remark::Partners { .. } | Remark::Missing { .. }))
        };
        assert_eq!(files(4), Some(Remark::Partners { games: 13, of_several: true }));
        assert_eq!(files(11), None, "five");
        assert_eq!(partners(&(another + &all(|_| 2))), None);
        // One match in parts: what a part lacks is in the next one.
        let said = |texts: Vec<String>| {
            let mut runs: Vec<Run> = texts.iter().map(|text| of(text)).collect();
            rounds::remark_on(&mut runs);
            let all: Vec<Remark> = runs.into_iter().flat_map(|run| run.remarks).collect();
            all.into_iter().find(|said| {
                matches!(
                    said,
                    Remark::Partners { .. } | Remark::Missing { .. } | Remark::MissingOfSeveral(_) | Remark::Ranges(_)
                )
            })
        };
        let one = |round: u64, white: &str, black: &str| game(&round.to_string(), white, black, "1-0", FEN, "1. e4");
        let part = |first: u64| -> String {
            let whole = (first..first + 20).map(|number| round(number, 2)).collect::<String>();
            let begun = (first + 20..first + 23).map(|number| one(number, "a", "b")).collect::<String>();
            let ended = (first - 3..first).map(|number| one(number, "b", "a")).collect::<String>();
            if first > 11 { ended + &whole + &begun } else { whole + &begun }
        };
        assert_eq!(said((0..6).map(|at| part(11 + 23 * at)).collect()), None);
        // Single games of a match that still runs on several machines, each of which counts from 1.
        let single = |lacking: &[u64]| -> String {
            let those = (1..=30).filter(|number| !lacking.contains(number));
            those.map(|number| game(&number.to_string(), "a", "b", "1-0", "", "1. e4")).collect()
        };
        assert_eq!(said(vec![single(&[13, 21, 24, 27]); 4]), Some(Remark::MissingOfSeveral(16)));
        assert_eq!(said(vec![single(&[]); 4]), None);
        // So of a long one and short ones, and beside results without rounds.
        let short = || game("1", "a", "b", "1-0", "", "1. e4") + &game("3", "a", "b", "1-0", "", "1. d4");
        let few: Vec<String> = std::iter::once(single(&[13, 21, 24, 27])).chain((0..6).map(|_| short())).collect();
        assert_eq!(said(few), Some(Remark::MissingOfSeveral(10)));
        let without = game("?", "a", "b", "1-0", "", "1. e4");
        let beside = [vec![single(&[13, 21, 24, 27]); 4], vec![without]].concat();
        assert_eq!(said(beside), Some(Remark::MissingOfSeveral(16)));
        // Ranges that still run.
        let range = |at: u64| (1..=5).map(|number| round(20 * at + number, 2)).collect::<String>();
        assert_eq!(said((0..12).map(range).collect()), Some(Remark::Ranges(11)));
        // Single games.
        assert_eq!(missing(&all(|_| 1)), None);
        let far = all(|_| 2) + &round(0, 1) + &round(u64::MAX, 1);
        assert_eq!(
            missing(&far),
            Some(Remark::Missing { rounds: u64::MAX - 49, first: 0, last: u64::MAX, of_others: false })
        );
        assert_eq!(missing(&all(|number| u64::from(number % 5 != 3) as usize)), expected(10));
    }

    /// fastchess numbers rounds only, and writes games when they end.
    #[test]
    fn a_first_side_that_is_a_guess_is_named() {
        let text = |rounds: [&str; 2], whites: [&str; 2]| {
            let both = rounds.iter().zip(whites).map(|(round, white)| {
                game(round, white, if white == "a" { "b" } else { "a" }, "1-0", FEN, "1. e4 {+0.1/1 1s}")
            });
            both.collect::<String>()
        };
        let guessed = |text: &str, choice: &Choice| {
            let run = read("a.pgn", text.as_bytes(), choice).expect("games");
            run.remarks.into_iter().find(|remark| matches!(remark, Remark::FirstSide(_)))
        };
        let any = Choice::default();
        let named = Choice { first: Some("b".to_owned()), ..Choice::default() };
        let shared = text(["1", "1"], ["b", "a"]);
        assert_eq!(guessed(&shared, &any), Some(Remark::FirstSide("b".to_owned())));
        assert_eq!(guessed(&shared, &named), None);
        for rounds in [["1.1", "1.2"], ["1.2", "1.1"], ["1", "2"]] {
            assert_eq!(guessed(&text(rounds, ["b", "a"]), &any), None, "{rounds:?}");
        }
        assert_eq!(guessed(&text(["1", "1"], ["b", "b"]), &any), None);
        // The other game of the first round is missing.
        let lonely = text(["1", "2"], ["b", "b"]) + &text(["2", "3"], ["a", "a"]);
        assert_eq!(guessed(&lonely, &any), Some(Remark::FirstSide("b".to_owned())));
        for rounds in [["1.2", "2.1"], ["2", "3"]] {
            let without_first = text(rounds, ["b", "a"]);
            assert_eq!(guessed(&without_first, &any), Some(Remark::FirstSide("b".to_owned())), "{rounds:?}");
            // If it is there without a result, nothing is guessed.
            let with_first = game("1.1", "a", "b", "*", FEN, "1. e4") + &without_first.replace("\"2\"", "\"1.2\"");
            assert_eq!(
                (of(&with_first).sides, guessed(&with_first, &any)),
                (Some(["a", "b"].map(str::to_owned)), None)
            );
        }
        assert_eq!(guessed(&text(["0", "1"], ["b", "a"]), &any), None);
    }

    /// Those of others say nothing of the two that are chosen.
    #[test]
    fn games_without_a_result_are_those_of_the_two() {
        let text = game("1.1", "a", "b", "1-0", FEN, "1. e4")
            + &game("1.2", "b", "a", "1-0", FEN, "1. e4")
            + &game("2.1", "b", "a", "*", FEN, "1. e4")
            + &game("1.1", "a", "c", "*", FEN, "1. e4")
            + &game("1.1", "b", "c", "*", FEN, "1. e4");
        let unfinished = |against| {
            let choice = Choice { first: Some("a".to_owned()), against };
            let run = read("a.pgn", text.as_bytes(), &choice).expect("games");
            run.remarks.into_iter().find(|remark| matches!(remark, Remark::Unfinished(_)))
        };
        assert_eq!(unfinished(Against::Named(vec!["b".to_owned()])), Some(Remark::Unfinished(1)));
        assert_eq!(unfinished(Against::All), Some(Remark::Unfinished(2)));
    }

    /// In a tournament a round is of several pairings, or the other rounds are those of others; some pairings may end before others.
    #[test]
    fn rounds_of_a_tournament_that_lack_games_are_named() {
        let choice = Choice { first: Some("a".to_owned()), against: Against::Named(vec!["b".to_owned()]) };
        let missing = |rounds: &[(u64, &str, &str, u64)]| {
            let both = |&(round, one, other, games): &(u64, &str, &str, u64)| {
                let sides = [(one, other), (other, one)];
                let text = |(at, (white, black))| game(&format!("{round}.{at}"), white, black, "1-0", FEN, "1. e4");
                (1..=games).zip(sides).map(text).collect::<String>()
            };
            let text: String = rounds.iter().map(both).collect();
            let run = read("a.pgn", text.as_bytes(), &choice).expect("games");
            run.remarks.into_iter().find(|remark| matches!(remark, Remark::Missing { .. }))
        };
        const PAIRINGS: [(&str, &str); 3] = [("a", "b"), ("a", "c"), ("b", "c")];
        type Games = fn(u64, usize) -> u64;
        let shared = |games: Games| -> Vec<_> {
            let of =
                |round| PAIRINGS.iter().zip(0..).map(move |((one, other), at)| (round, *one, *other, games(round, at)));
            (1..=60).flat_map(of).collect()
        };
        assert_eq!(missing(&shared(|_, _| 2)), None);
        let expected = |rounds, last| Some(Remark::Missing { rounds, first: 1, last, of_others: true });
        assert_eq!(missing(&shared(|round, at| if round > 50 && at == 1 { 1 } else { 2 })), expected(10, 60));
        assert_eq!(
            missing(&shared(|round, at| if round > 30 && round % 3 == at as u64 { 0 } else { 2 })),
            expected(29, 60)
        );
        // One pairing has fewer rounds.
        assert_eq!(missing(&shared(|round, at| if round > 40 && at == 2 { 0 } else { 2 })), None);
        assert_eq!(missing(&shared(|round, at| if round > 20 && at == 2 { 0 } else { 2 })), None);
        // Each pairing has rounds of its own.
        let own = |games: fn(u64) -> u64| -> Vec<_> {
            let of = |round: u64| {
                let (one, other) = PAIRINGS[round as usize % 3];
                (round, one, other, games(round))
            };
            (1..=90).map(of).collect()
        };
        assert_eq!(missing(&own(|_| 2)), None);
        assert_eq!(missing(&own(|round| if round > 75 && round < 87 { 1 } else { 2 })), expected(11, 90));
        assert_eq!(missing(&own(|round| if round > 75 && round < 87 { 0 } else { 2 })), expected(11, 90));
    }

    /// Without openings only a round of two games with the colours reversed is a pair.
    #[test]
    fn what_shares_nothing_is_no_pair() {
        let moves = "1. e4 {+0.3/9 1s} e5 {0.00/9 1s}";
        let two = game("7", "a", "b", "1-0", "", moves) + &game("7", "b", "a", "1/2-1/2", "", moves);
        assert_eq!(pairs(&of(&two)), Some([0, 0, 0, 1, 0]));
        for round in ["?", "-", "7"] {
            let many = game(round, "a", "b", "1-0", "", moves) + &game(round, "b", "a", "1/2-1/2", "", moves).repeat(2);
            let run = of(&many);
            let expected = [Remark::FirstSide("a".to_owned()), Remark::Single];
            assert_eq!((pairs(&run), &run.remarks[..]), (None, &expected[..]), "{round}");
            assert_eq!(run.counted.games, Some(Trinomial { wins: 1, draws: 2, losses: 0 }));
        }
        let same_colours = game("7", "a", "b", "1-0", FEN, moves).repeat(2);
        assert_eq!(pairs(&of(&same_colours)), None);
    }

    /// A pair is one however its games spell their opening and their round.
    #[test]
    fn spellings_of_an_opening_and_of_a_round_make_pairs() {
        let fen = |fen: &str| format!("[FEN \"{fen}\"]\n");
        let places = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR";
        let spelled = |rounds: [&str; 2], fens: [&str; 2]| {
            let [one, two] = fens.map(|rest| fen(&format!("{places} {rest}")));
            // Another pair, so that its games would be left out.
            game("9.1", "a", "b", "1-0", FEN, "1. Kd2")
                + &game("9.2", "b", "a", "1-0", FEN, "1. Kd2")
                + &game(rounds[0], "a", "b", "1-0", &one, "2. d4")
                + &game(rounds[1], "b", "a", "0-1", &two, "2. d4")
        };
        for fens in [
            ["w KQkq - 0 2", "w KQkq - 1 2"],
            ["w KQkq - 0 2", "w KQkq - 0 1"],
            ["w KQkq - 0 2", "w KQkq e6 0 2"],
            ["w KQkq - 0 2", "w HAha - 0 2"],
            ["w KQkq - 0 2", "w  KQkq -  0 2"],
            ["w KQkq - 0 2", "w QKkq -"],
        ] {
            for rounds in [["1.1", "1.2"], ["1", "2"]] {
                assert_eq!(pairs(&of(&spelled(rounds, fens))), Some([0, 0, 1, 0, 1]), "{rounds:?} {fens:?}");
            }
        }
        for fens in [["w KQkq - 0 2", "b KQkq - 0 2"], ["w KQkq - 0 2", "w KQk - 0 2"]] {
            assert_eq!(pairs(&of(&spelled(["1.1", "1.2"], fens))), Some([0, 0, 1, 0, 0]), "{fens:?}");
        }
        let book = game("1", "a", "b", "1-0", "", "1. e4 {book} e5 {book} 2. d4 {+0.1/1 1s}")
            + &game("1", "b", "a", "0-1", &fen(&format!("{places} w KQkq - 0 2")), "2. d4 {+0.1/1 1s}");
        assert_eq!(pairs(&of(&book)), Some([0, 0, 0, 0, 1]));
        let rounds = |[one, two]: [&str; 2]| {
            pairs(&of(&(game(one, "a", "b", "1-0", "", "1. e4") + &game(two, "b", "a", "0-1", "", "1. e4"))))
        };
        for same in [["1.1", "1.2"], ["1-1", "1-2"], ["1/1", "1/2"], ["1:1", "1:2"], ["01", "1.2"], ["1 - 1", "1-2"]] {
            assert_eq!(rounds(same), Some([0, 0, 0, 0, 1]), "{same:?}");
        }
        for other in [["1.1", "2.1"], ["-", "-"], ["1-1", "11"], ["10", "1"], ["?", "?"]] {
            assert_eq!(rounds(other), None, "{other:?}");
        }
    }

    /// Pairings that share a round and an opening, as runners of tournaments number them, are not mixed up.
    #[test]
    fn games_of_several_engines_are_those_of_a_choice() {
        let choose = |first: &str, against: Against| Choice { first: Some(first.to_owned()), against };
        let named = |names: &[&str]| Against::Named(names.iter().map(|&name| name.to_owned()).collect());
        let pair = |white: &str, black: &str, results: [&str; 2]| {
            game("1", white, black, results[0], FEN, "1. e4") + &game("1", black, white, results[1], FEN, "1. e4")
        };
        let text = pair("a", "b", ["1-0", "1-0"])
            + &pair("c", "a", ["1-0", "0-1"])
            + &pair("b", "c", ["1/2-1/2", "0-1"])
            + &game("2", "a", "c", "0-1", FEN, "1. e4")
            + &game("2", "b", "a", "0-1", FEN, "1. e4");
        let of = |choice: &Choice| read("a.pgn", text.as_bytes(), choice);
        let remarks = |run: &Run| run.remarks.iter().map(ToString::to_string).collect::<Vec<_>>();
        let two = of(&choose("a", named(&["b"]))).expect("results");
        assert_eq!(two.sides, Some(["a".to_owned(), "b".to_owned()]));
        assert_eq!(
            (pairs(&two), two.counted.games),
            (Some([0, 0, 1, 0, 0]), Some(Trinomial { wins: 1, draws: 0, losses: 1 }))
        );
        let said = remarks(&two);
        assert_eq!((&said[0][..], said.len()), ("5 games of other engines left out", 3), "{said:?}");
        // The same from the other side.
        let reversed = of(&choose("b", named(&["a"]))).expect("results");
        assert_eq!(reversed.counted, two.counted.reversed());
        for against in [Against::All, named(&["c", "b"])] {
            let all = of(&choose("a", against)).expect("results");
            // Two games of the second round have no partner, though they share opening and round.
            assert_eq!(pairs(&all), Some([1, 0, 1, 0, 0]));
            assert_eq!(all.counted.games, Some(Trinomial { wins: 1, draws: 0, losses: 3 }));
            assert_eq!(remarks(&all)[0], "taken together: b (3 games), c (3 games)");
        }
        // Games that name neither round nor opening have no partner.
        let alone = |white: &str, black: &str| game("?", white, black, "1-0", "", "1. e4");
        let text = pair("a", "b", ["1-0", "1-0"]) + &alone("a", "c") + &alone("c", "a");
        let left = read("a.pgn", text.as_bytes(), &choose("a", Against::All)).expect("results");
        let said = remarks(&left);
        assert!(
            said.iter().any(|said| said.starts_with("no game against c has a partner: results are those")),
            "{said:?}"
        );
        let refused = |choice: &Choice| of(choice).expect_err("no results").to_string();
        let there = "there are 3 engines: \"a\", \"b\", \"c\"";
        assert_eq!(refused(&choose("d", Against::All)), format!("no engine is called \"d\"; {there}"));
        assert_eq!(refused(&choose("a", named(&["x"]))), format!("no engine is called \"x\"; {there}"));
        assert_eq!(refused(&choose("a", named(&["a"]))), "no game of \"a\" against a has a result");
        assert!(refused(&Choice::default()).starts_with("expected the games of two engines, found 3 engines"));
    }

    #[test]
    fn other_games_are_refused_in_words() {
        let of = |text: &str| read("a.pgn", text.as_bytes(), &Choice::default()).expect_err("no results").to_string();
        assert_eq!(of(""), "no game found; is it PGN?");
        assert_eq!(of(&game("1", "a", "b", "*", "", "1. e4")), "the only game has no result");
        assert_eq!(
            of(&(game("1", "a", "b", "1-0", "", "1. e4") + &game("1", "c", "a", "1-0", "", "1. e4"))),
            "expected the games of two engines, found 3 engines: \"a\", \"b\", \"c\"; choose two of them, or one against all others"
        );
        assert!(of(&game("1", "a", "a", "1-0", "", "1. e4")).contains("found \"a\" on both sides"));
    }

    /// A test looks at the pairs of PGN in the order of their rounds, unless the file is not one match from its beginning.
    #[test]
    fn pairs_have_the_order_of_their_rounds() {
        let pair = |round: u64, results: [&str; 2]| {
            let [one, two] = results;
            game(&format!("{round}.1"), "a", "b", one, FEN, "1. e4 {+0.1/1 1s}")
                + &game(&format!("{round}.2"), "b", "a", two, FEN, "1. e4 {+0.1/1 1s}")
        };
        let rounds = |rounds: &[u64]| {
            let all = rounds
                .iter()
                .enumerate()
                .map(|(at, &round)| pair(round, if at == 0 { ["1-0", "0-1"] } else { ["0-1", "1-0"] }));
            of(&all.collect::<String>())
        };
        let course = |run: &Run| run.course.clone().map(|course| (course.pairs(), course.counted().pairs));
        for (those, is_part) in [
            (&[1, 2, 3][..], false),
            (&[2, 1, 3], false),
            (&[1, 3], false),
            (&[1, 1, 1], false),
            (&[2, 3], true),
            (&[1, 2, 1, 2], true),
        ] {
            let run = rounds(those);
            assert_eq!(
                (run.is_part, course(&run)),
                (is_part, Some((those.len() as u64, run.counted.pairs))),
                "{those:?}"
            );
        }
        // The second game of round 1 ends last.
        let text = pair(1, ["1-0", "0-1"]);
        let second = 1 + text[1..].find("[Event ").expect("a second game");
        let run = of(&format!("{}{}{}", &text[..second], pair(2, ["0-1", "1-0"]), &text[second..]));
        let course = run.course.map(|course| course.halves().collect::<Vec<_>>());
        assert_eq!(course, Some(vec![[2, 2], [0, 0]]));
        // Without rounds of their own it is the one that ended later.
        let other = pair(1, ["0-1", "1-0"]).replace("/4P3/", "/3P4/");
        let course = of(&format!("{}{other}{}", &text[..second], &text[second..]))
            .course
            .map(|course| course.halves().collect::<Vec<_>>());
        assert_eq!(course, Some(vec![[0, 0], [2, 2]]));
        let other = pair(2, ["0-1", "1-0"]).replace("[Event \"e\"]", "[Event \"f\"]");
        assert!(of(&(pair(1, ["1-0", "0-1"]) + &other)).is_part, "two events");
    }

    /// Of 200 games without openings two may share a round by chance: they are not the match.
    #[test]
    fn a_pair_by_chance_leaves_no_games_out() {
        let one = |number: u64| {
            let (white, black) = if number.is_multiple_of(2) { ("a", "b") } else { ("b", "a") };
            let result = ["1-0", "0-1", "1/2-1/2"][number as usize % 3];
            game(
                &number.to_string(),
                white,
                black,
                result,
                "",
                &format!("1. {} Nf6", ["e4", "d4", "c4"][number as usize % 3]),
            )
        };
        let all: String = (1..=40).map(one).collect();
        let run = of(&(all.clone() + &game("40", "b", "a", "1-0", "", "1. g3")));
        let games = |run: &Run| run.counted.games.map_or(0, |games| Results::Games(games).games());
        assert_eq!((run.counted.pairs, games(&run), games(&of(&all))), (None, 41, 40));
        assert!(run.remarks.contains(&Remark::FewPairs(1)), "{:?}", run.remarks);
    }

    /// Elo, counts and the LLR of a bayesian test are of the same games: those of pairs, where there are pairs.
    #[test]
    fn games_without_a_partner_count_nowhere() {
        let pair = |round: &str, results: [&str; 2]| {
            game(round, "a", "b", results[0], FEN, "1. Kd2") + &game(round, "b", "a", results[1], FEN, "1. Kd2")
        };
        let pairs = pair("1", ["1-0", "1/2-1/2"]) + &pair("2", ["0-1", "1/2-1/2"]) + &pair("3", ["1-0", "0-1"]);
        let alone: String = (4..9)
            .map(|round| {
                game(&round.to_string(), "a", "b", "1-0", "[FEN \"k7/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n", "1. Kd2")
            })
            .collect();
        let test = drawish_stats::Sprt::new(drawish_stats::Model::Bayesian, 0.0, 5.0, 0.05, 0.05).expect("a test");
        let judged = |text: &str| super::super::judge(&[of(text)], Some(test), None).expect("an analysis");
        let (one, other) = (judged(&pairs), judged(&(pairs.clone() + &alone)));
        assert_eq!(one.pool, other.pool);
        assert_eq!(one.strength, other.strength);
        assert_eq!(one.test.map(|test| test.llr), other.test.map(|test| test.llr));
        assert!(
            of(&(pairs + &alone))
                .remarks
                .iter()
                .any(|remark| matches!(remark, Remark::Alone(games) if games.len() == 5))
        );
    }

    /// Without pairs, too, games against several opponents from one opening are worth fewer.
    #[test]
    fn single_games_from_one_opening_depend_on_each_other() {
        let all = || {
            let games = (0..60_usize).map(|number| {
                let (opening, opponent) = (number / 6, number % 6);
                let kings = ["4k3", "3k4", "2k5", "1k6", "k7", "5k2", "6k1", "7k", "3bk3", "2b1k3"];
                let fen = format!("[FEN \"{}/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n", kings[opening]);
                game(
                    "?",
                    "a",
                    &format!("b{opponent}"),
                    ["1-0", "1/2-1/2", "0-1"][opening % 3],
                    &fen,
                    "1. Kd2 {+0.1/1 1s}",
                )
            });
            let choice = Choice { first: Some("a".to_owned()), against: Against::All };
            read("a.pgn", games.collect::<String>().as_bytes(), &choice).unwrap_or_else(|error| panic!("{error}"))
        };
        let run = all();
        assert_eq!(pairs(&run), None);
        let said = run
            .remarks
            .iter()
            .map(ToString::to_string)
            .any(|said| said == "60 games from 10 openings: errors by opening");
        assert!(said && run.design_effect > 5.0, "{run:?}");
        let found = super::super::judge(std::slice::from_ref(&run), None, None).expect("an analysis");
        let alone = drawish_stats::Strength::of(&found.pool.results);
        let ratio = found.strength.elo_error.expect("an error") / alone.elo_error.expect("an error");
        assert!(ratio > 5f64.sqrt(), "{ratio}");
    }
}
