//! What the rounds of games say: which are pairs, in which order they were played, and which are missing.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::Hasher as _;

use twox_hash::XxHash3_64;
use twox_hash::xxhash3_64::Hasher;

use super::games::Decided;
use super::{Remark, Run};
use drawish_stats::Results;

/// The parts of a round, of which the first is its own and the next that of the game in it: `1.2`, `1-2` and `01/2` are the same.
pub(super) fn parts(round: &str) -> impl Iterator<Item = &str> {
    round.split(['.', '-', '/', ':']).map(|part| {
        let part = part.trim();
        let digits = part.trim_start_matches('0');
        if digits.starts_with(|first: char| first.is_ascii_digit()) { digits } else { part }
    })
}

/// Equal for rounds of equal parts, of which some may have thousands.
fn print(round: &str) -> u64 {
    let mut hasher = Hasher::new();
    for part in parts(round) {
        hasher.write(part.as_bytes());
        hasher.write(&[0]);
    }
    hasher.finish()
}

/// The number of a round, without that of the game in it.
pub(super) fn round_number(round: &str) -> Option<u64> {
    parts(round).next()?.parse().ok()
}

/// Of each game which match it is of by its round, from 0: a runner that appends to a file begins its rounds again. A game that has the event,
/// the time control, the round and the colours of an earlier one may begin another match. It does not where that one stands in the later half of the
/// match that goes on, as where rounds have several games, where the games from there to the next such one lack the first round, or half of those that
/// were there, as those behind a game that was played again, nor where those before it are of one round.
/// All are one match where most such games begin none: then rounds are something else.
pub(super) fn matches(games: &[Decided]) -> Vec<usize> {
    let mut seen = HashMap::new();
    // With the earlier game.
    let mut starts = vec![[0; 2]];
    for (at, Decided { game, .. }) in games.iter().enumerate() {
        let key = (&game.event, &game.limits, &game.players, print(&game.round));
        if let Some(&earlier) = seen.get(&key) {
            seen.clear();
            starts.push([at, earlier]);
        }
        seen.insert(key, at);
    }
    // Where all games are of one round, as c-chess-cli numbers them (1.1, 1.2, 1.3), that of the game is as good.
    let first_parts: HashSet<u64> = games.iter().map(|game| game.place()[0]).collect();
    let part = usize::from(first_parts.len() == 1);
    let numbers = |from: usize, to: usize| games[from..to].iter().map(|game| game.place()[part]);
    let first = numbers(0, games.len()).min();
    let mut found = vec![0];
    // The numbers of the match that goes on, and how many such games begin none. Of one that was given up in its first round nobody knows.
    let (mut before, mut seen_to, mut others) = (BTreeSet::new(), 0, 0);
    for (place, &[start, earlier]) in starts.iter().enumerate().skip(1) {
        before.extend(numbers(seen_to, start));
        seen_to = start;
        let end = starts.get(place + 1).map_or(games.len(), |next| next[0]);
        let next: BTreeSet<u64> = numbers(start, end).collect();
        let again = next.intersection(&before).count();
        let begin = found[found.len() - 1];
        let is_far = 2 * (start - earlier) >= start - begin;
        if is_far && before.len() > 1 && next.first().copied() == first && 2 * again >= next.len().min(before.len()) {
            found.push(start);
            before.clear();
        } else {
            others += usize::from(before.len() > 1);
        }
    }
    if others > 3 * (found.len() - 1) {
        return vec![0; games.len()];
    }
    (0..games.len()).map(|at| found.partition_point(|&start| start <= at) - 1).collect()
}

/// Whether games are of several events, or their pairs of rounds that begin again.
pub(super) fn are_of_several_matches(games: &[Decided], pairs: &[[usize; 2]]) -> bool {
    let events: BTreeSet<&str> = games.iter().map(|game| game.game.event.as_str()).collect();
    let mut rounds: Vec<Option<u64>> = pairs.iter().map(|pair| round_number(&games[pair[1]].game.round)).collect();
    // Pairs of one round may stand one behind the other.
    rounds.dedup();
    let mut seen = BTreeSet::new();
    events.len() > 1 || rounds.into_iter().flatten().any(|round| !seen.insert(round))
}

/// The match of a pair, its round and the game in it: those of its later game. `None` without rounds.
fn place_of(games: &[Decided], pair: [usize; 2]) -> Option<(usize, [u64; 2])> {
    pair.iter().all(|&at| round_number(&games[at].game.round).is_some()).then_some(())?;
    pair.into_iter().map(|at| (games[at].of_match, games[at].place())).max()
}

/// What rounds say of the order in which pairs were played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Order {
    /// That in which they stand.
    AsTheyStand,
    /// That of their rounds, far from the one in which they stand.
    Restored,
    /// Nothing: pairs have no rounds, or many of them share one. Games may stand in the order in which they ended, where quick wins come first, or be sorted.
    Unknown,
}

impl Order {
    /// What is to be said of it.
    pub fn remark(self) -> Option<Remark> {
        match self {
            Order::AsTheyStand => None,
            Order::Restored => Some(Remark::Sorted),
            Order::Unknown => Some(Remark::NoRounds),
        }
    }

    /// Whether pairs can be judged one after another.
    pub fn is_known(self) -> bool {
        self != Order::Unknown
    }
}

/// Brings pairs into the order of their rounds, if nearly each has one of its own: in the order in which games end, short ones come first, so
/// that of many games at a time the side that wins quickly seems to win more. In a file that is sorted by results they stand far from there: at
/// random a pair is a third of all pairs away.
pub(super) fn order(games: &[Decided], pairs: &mut Vec<[usize; 2]>) -> Order {
    let are_many = pairs.len() >= FEWEST_SORTED;
    let unknown = if are_many { Order::Unknown } else { Order::AsTheyStand };
    let rounds: Option<Vec<_>> = pairs.iter().map(|&pair| place_of(games, pair)).collect();
    let Some(rounds) = rounds else { return unknown };
    let different = rounds.iter().collect::<BTreeSet<_>>().len();
    if 10 * different < 9 * pairs.len() {
        return unknown;
    }
    let mut order: Vec<usize> = (0..rounds.len()).collect();
    order.sort_by_key(|&at| rounds[at]);
    *pairs = order.iter().map(|&at| pairs[at]).collect();
    let away: usize = order.iter().enumerate().map(|(place, &at)| place.abs_diff(at)).sum();
    if are_many && 6 * away > pairs.len() * pairs.len() { Order::Restored } else { Order::AsTheyStand }
}

/// What is missing of a run, also where it is too little to be said of this run alone.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Gaps {
    pub rounds: Option<Rounds>,
    alone: Vec<Alone>,
}

/// A game beside pairs that has no partner.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Alone {
    /// What its partner would share with it.
    key: u64,
    /// Who has White.
    white: u64,
}

impl Gaps {
    /// Those of games of which these have no partner.
    pub fn of(rounds: Option<Rounds>, games: &[Decided], alone: &[usize]) -> Gaps {
        let hash = |text: &str| XxHash3_64::oneshot(text.as_bytes());
        let of = |&at: &usize| {
            let game = &games[at];
            let [white, black] = game.game.players.each_ref().map(|name| hash(name));
            let key = format!("{:?} {:?} {:?}", game.round(), game.game.start, (white.min(black), white.max(black)));
            Alone { key: hash(&key), white }
        };
        Gaps { rounds, alone: alone.iter().map(of).collect() }
    }
}

/// Rounds of one match, two games each or one, or of a tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Rounds {
    /// Without a game, or with one of two.
    missing: u64,
    whole: u64,
    first: u64,
    last: u64,
}

impl Rounds {
    /// That so many are missing that it matters: while a match still runs these are its long games, and short ones end in the favour of one
    /// side more often than others. What is missing moves the score by its share, and the error falls with the square root of all.
    pub fn remark(self, of_others: bool) -> Option<Remark> {
        let Rounds { missing, whole, first, last } = self;
        are_many(missing, whole).then_some(Remark::Missing { rounds: missing, first, last, of_others })
    }

    /// Whether these go on behind others, as the next part of a file or of a match does, which may begin a little before the end of the one before. Machines
    /// with rounds of their own all begin with the first.
    fn follows(self, before: Rounds) -> bool {
        self.last > before.last && self.first > before.first + (before.last - before.first) / 2
    }
}

/// What rounds say is missing; `None` where they are something else.
pub(super) fn missing(games: &[Decided]) -> Option<Rounds> {
    let mut rounds: BTreeMap<u64, BTreeMap<[&str; 2], u64>> = BTreeMap::new();
    let mut spans: BTreeMap<[&str; 2], [u64; 2]> = BTreeMap::new();
    for Decided { game, .. } in games {
        let round = round_number(&game.round)?;
        let [white, black] = game.players.each_ref().map(String::as_str);
        let pairing = [white.min(black), white.max(black)];
        *rounds.entry(round).or_default().entry(pairing).or_default() += 1;
        let [first, last] = spans.entry(pairing).or_insert([round; 2]);
        (*first, *last) = (round.min(*first), round.max(*last));
    }
    let (&first, &last) = (rounds.first_key_value()?.0, rounds.last_key_value()?.0);
    let [mut begins, mut ends]: [Vec<u64>; 2] = [0, 1].map(|at| spans.values().map(|span| span[at]).collect());
    begins.sort_unstable();
    ends.sort_unstable();
    let before = |all: &[u64], round: u64| all.partition_point(|&at| at < round);
    // Pairings may end sooner than others, or have rounds of their own: of the circle method each round has some of them.
    let usual = most_common(rounds.values().map(BTreeMap::len));
    let expected = |round: u64| usual.min(before(&begins, round.saturating_add(1)) - before(&ends, round));
    let whole_pairings = |pairings: &BTreeMap<_, u64>, size| pairings.values().filter(|&&games| games >= size).count();
    let of_size = |size: u64| {
        rounds.iter().filter(|&(&round, pairings)| whole_pairings(pairings, size) >= expected(round)).count() as u64
    };
    let [all, pairs] = [1, 2].map(of_size);
    // Rounds of many games are no pairs; two games may share a round by chance, where each has one of its own.
    let whole = if pairs >= FEWEST_ROUNDS { pairs } else { all };
    let absent = rounds.keys().zip(rounds.keys().skip(1)).filter(|&(&round, _)| expected(round.saturating_add(1)) > 0);
    let absent: u64 = absent.map(|(&round, &next)| next - round - 1).sum();
    let missing = absent.saturating_add(rounds.len() as u64 - whole);
    let more = rounds.values().filter(|pairings| whole_pairings(pairings, 3) > 0).count();
    (10 * more <= rounds.len()).then_some(Rounds { missing, whole, first, last })
}

/// The games without a partner, if they are so many beside so many pairs that it matters. They show that a match still runs where its
/// rounds do not: in a file that holds another one as well, or where a round is of many pairs.
pub(super) fn missing_partners(alone: u64, pairs: u64) -> Option<Remark> {
    are_many(alone, pairs).then_some(Remark::Partners { games: alone, of_several: false })
}

/// Says of the last of several runs that in all of them so many rounds lack a game, or games a partner, where none shows it by itself: those of
/// one match on many machines.
pub(super) fn remark_on(runs: &mut [Run]) {
    let is_said = |said: &Remark| matches!(said, Remark::Missing { .. } | Remark::Partners { .. });
    if runs.len() < 2 || runs.iter().any(|run| run.remarks.iter().any(is_said)) {
        return;
    }
    let mut rounds: Vec<Rounds> = runs.iter().filter_map(|run| run.gaps.rounds).collect();
    rounds.sort_unstable_by_key(|rounds| rounds.first);
    let are_parts = rounds.len() > 1 && rounds.windows(2).all(|two| two[1].follows(two[0]));
    let sum = |of: fn(&Rounds) -> u64| rounds.iter().map(of).fold(0, u64::saturating_add);
    let [missing, whole] = [sum(|of| of.missing), sum(|of| of.whole)];
    let between = rounds.windows(2).filter(|two| two[0].last.saturating_add(1) < two[1].first).count() as u64;
    let alone = alone(runs, are_parts);
    let pairs = runs.iter().filter_map(|run| run.counted.pairs).map(|pairs| Results::Pairs(pairs).games() / 2).sum();
    let said = if are_parts && are_many(between, whole) {
        Some(Remark::Ranges(between))
    } else if !are_parts && missing <= whole && are_many(missing, whole) {
        // Where rounds of others were left out more are missing than are there.
        Some(Remark::MissingOfSeveral(missing))
    } else {
        are_many(alone, pairs).then_some(Remark::Partners { games: alone, of_several: true })
    };
    if let Some(last) = runs.last_mut() {
        last.remarks.extend(said);
    }
}

/// Games beside pairs without a partner; of parts of one file it may be in another part.
fn alone(runs: &[Run], are_parts: bool) -> u64 {
    let those: Vec<&Alone> = runs.iter().flat_map(|run| &run.gaps.alone).collect();
    if !are_parts {
        return those.len() as u64;
    }
    let mut met: BTreeMap<u64, BTreeMap<u64, u64>> = BTreeMap::new();
    those.iter().for_each(|game| *met.entry(game.key).or_default().entry(game.white).or_default() += 1);
    let left = |by_white: &BTreeMap<u64, u64>| {
        let mut games: Vec<u64> = by_white.values().copied().collect();
        games.sort_unstable();
        match games[..] {
            [fewer, more] => more - fewer,
            _ => games.iter().sum(),
        }
    };
    met.values().map(left).sum()
}

/// Whether what is missing beside what is whole matters.
fn are_many(missing: u64, whole: u64) -> bool {
    whole.min(missing) >= FEWEST_ROUNDS && matter(missing, whole)
}

/// The same of what is never missing by chance.
pub(super) fn matter(missing: u64, whole: u64) -> bool {
    4.0 * (missing as f64).powi(2) > whole as f64 + missing as f64
}

/// The number that comes most often.
fn most_common(numbers: impl Iterator<Item = usize>) -> usize {
    let mut times: BTreeMap<usize, usize> = BTreeMap::new();
    numbers.for_each(|number| *times.entry(number).or_default() += 1);
    times.into_iter().max_by_key(|(_, times)| *times).map_or(0, |(number, _)| number)
}

/// Whether pairs that stand side by side ended so alike that it is no chance: by their scores' correlation with the next, beyond five standard
/// errors. Such a file is sorted by results, or a side failed in many games in a row.
pub(super) fn are_streaky(pairs: impl Iterator<Item = [u8; 2]>) -> bool {
    let points: Vec<f64> = pairs.map(|[one, two]| f64::from(one + two)).collect();
    let mean = points.iter().sum::<f64>() / points.len() as f64;
    let squares: f64 = points.iter().map(|points| (points - mean).powi(2)).sum();
    let with_next: f64 = points.windows(2).map(|two| (two[0] - mean) * (two[1] - mean)).sum();
    with_next > 5.0 / (points.len() as f64).sqrt() * squares
}

/// Fewer pairs may all be played at once, and end in any order.
const FEWEST_SORTED: usize = 16;
/// Fewer rounds or pairs, whole or missing, show nothing.
const FEWEST_ROUNDS: u64 = 8;
