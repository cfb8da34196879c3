//! Which games are pairs, and of which match of their file.

use std::collections::{HashMap, HashSet, VecDeque};

use twox_hash::XxHash3_64;

use super::games::Decided;
use super::one_match::limits_of;
use super::rounds;

/// Tells the matches of a file apart whose [rounds begin again](rounds::matches); not where that parts many pairs, as in a file that is sorted by
/// results or by names.
pub(super) fn part(games: &mut [Decided], side: &str) {
    let pairs = |games: &[Decided]| {
        let Pairs { by_round, by_opening, .. } = pair_up(games, side);
        by_round.len() + by_opening.len()
    };
    let matches = rounds::matches(games);
    let Some(&last) = matches.last().filter(|&&last| last > 0) else { return };
    let together = pairs(games);
    games.iter_mut().zip(matches).for_each(|(game, of_match)| game.of_match = of_match);
    // One is lost where a run was broken off.
    if together > pairs(games) + last + together / 20 {
        games.iter_mut().for_each(|game| game.of_match = 0);
    }
}

/// Indices of games.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    pub by_round: Vec<[usize; 2]>,
    pub by_opening: Vec<[usize; 2]>,
    pub alone: Vec<usize>,
    /// Games with partners that rounds do not say: among more or fewer games their partner may be another.
    pub by_chance: HashSet<usize>,
}

/// Puts games in pairs, as [`games`](super::games) says; `side` is the one whose results they are.
pub(super) fn pair_up(games: &[Decided], side: &str) -> Pairs {
    let terms = |game: &Decided| (game.game.other_variant.clone(), limits_of(game, side), game.of_match);
    let key = |game: &Decided| {
        let round = game.round()?.to_owned();
        Some((game.opponent(side).to_owned(), game.game.event.clone(), round, terms(game), game.game.start))
    };
    let mut sizes: HashMap<_, usize> = HashMap::new();
    for key in games.iter().filter_map(key) {
        *sizes.entry(key).or_default() += 1;
    }
    let group = |game: &Decided| (game.opponent(side).to_owned(), game.game.event.clone(), terms(game));
    let mut numberings: HashMap<_, Numbering> = HashMap::new();
    for game in games {
        numberings.entry(group(game)).or_default().add(game, side);
    }
    let are_numbered = |game: &Decided| numberings[&group(game)].are_numbered();
    let by_number = |game: &Decided| {
        let start = game.game.start?;
        Some((group(game), start, numberings[&group(game)].pair(game)?))
    };
    let (by_number, rest) = matched(games, side, in_fair_order(games), by_number);
    // Without an opening more than two games of a round do not say which of them belong together.
    let by_round = |game: &Decided| key(game).filter(|key| key.4.is_some() || sizes[key] == 2);
    let (mut by_round, rest) = matched(games, side, rest, by_round);
    let opening =
        |game: &Decided| Some((game.opponent(side).to_owned(), limits_of(game, side), game.of_match, game.game.start?));
    let (by_opening, mut alone) = matched(games, side, rest, opening);
    alone.sort_unstable();
    let mut places: HashMap<_, HashSet<[u64; 2]>> = HashMap::new();
    for game in games {
        places.entry(key(game)).or_default().insert(game.place());
    }
    // Of games that their numbers have not put in pairs the partner is missing, so that another one of the round is any.
    let is_tied = |at: usize, are_numbered: bool| {
        let key = key(&games[at]);
        key.as_ref().is_none_or(|round| sizes[round] > if are_numbered { 2 } else { 2.max(places[&key].len()) })
    };
    let numbered = by_number.iter().flatten().copied().filter(|&at| is_tied(at, false));
    let in_rounds = by_round.iter().flatten().copied().filter(|&at| is_tied(at, are_numbered(&games[at])));
    let by_chance = numbered.chain(in_rounds).chain(by_opening.iter().flatten().copied()).collect();
    let (of_one_round, mut of_two): (Vec<_>, Vec<_>) =
        by_number.into_iter().partition(|[one, two]| key(&games[*one]) == key(&games[*two]));
    by_round.extend(of_one_round);
    of_two.extend(by_opening);
    Pairs { by_round, by_opening: of_two, alone, by_chance }
}

/// What the rounds of games that may be partners say of their numbers.
#[derive(Default)]
struct Numbering {
    /// Who had White in each place.
    colours: HashMap<[u64; 2], bool>,
    /// Both sides had White in one place: rounds are of pairs.
    are_of_pairs: bool,
    /// Second parts of rounds that have one.
    seconds: HashSet<u64>,
}

impl Numbering {
    fn add(&mut self, game: &Decided, side: &str) {
        let (place, is_black) = (game.place(), game.black(side));
        self.are_of_pairs |= *self.colours.entry(place).or_insert(is_black) != is_black;
        self.seconds.extend(has_second(game).then_some(place[1]));
    }

    fn are_numbered(&self) -> bool {
        !self.are_of_pairs
    }

    /// In which two successive games, those of a round or those of all, a game is: numbers begin with 1 or, where there is one, with 0.
    fn pair(&self, game: &Decided) -> Option<[u64; 2]> {
        // `1.1`, `2.1`, `3.1` number games as 1, 2, 3 do.
        let of_round = self.seconds.len() > 1;
        let place = game.place();
        if !self.are_numbered() || place[0] == u64::MAX || has_second(game) == self.seconds.is_empty() {
            return None;
        }
        let number = place[usize::from(of_round)];
        let from_0 = if of_round { self.seconds.contains(&0) } else { self.colours.keys().any(|place| place[0] == 0) };
        let pair = if from_0 { number / 2 } else { number.div_ceil(2) };
        Some([if of_round { place[0] } else { 0 }, pair])
    }
}

/// Whether the round has the number of the game in it.
fn has_second(game: &Decided) -> bool {
    rounds::parts(&game.game.round).nth(1).is_some()
}

/// The games in the order of their rounds, and by chance where these say nothing: in a file that is sorted by results games would find partners
/// that ended as they did, where an opening comes again. Copies find their partners last, so that the others have the same ones without them.
fn in_fair_order(games: &[Decided]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..games.len()).collect();
    order.sort_by_cached_key(|&at| {
        (games[at].is_copy, games[at].place(), XxHash3_64::oneshot(games[at].game.moves.as_bytes()))
    });
    order
}

/// Pairs each game with the first one before it that has the same key, the colours reversed and no partner yet; and what is left, in
/// their order.
fn matched<K: std::hash::Hash + Eq>(
    games: &[Decided],
    side: &str,
    those: Vec<usize>,
    key: impl Fn(&Decided) -> Option<K>,
) -> (Vec<[usize; 2]>, Vec<usize>) {
    let mut waiting: HashMap<K, [VecDeque<usize>; 2]> = HashMap::new();
    let (mut pairs, mut has_partner) = (Vec::new(), HashSet::new());
    for &at in &those {
        let black = usize::from(games[at].black(side));
        let Some(key) = key(&games[at]) else { continue };
        let waiting = waiting.entry(key).or_default();
        match waiting[1 - black].pop_front() {
            Some(other) => {
                has_partner.extend([at, other]);
                pairs.push([other.min(at), other.max(at)]);
            }
            None => waiting[black].push_back(at),
        }
    }
    (pairs, those.into_iter().filter(|at| !has_partner.contains(at)).collect())
}
