//! Whether results are of one match: what the tags of games and the first lines of logs say of it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::games::Decided;
use super::reader::Played;
use super::{Remark, Run};
use crate::arena::{Side, add_game, add_pair};
use drawish_artefact::identity::Difference;
use drawish_artefact::provenance::in_comment;
use drawish_stats::numbers::grouped;
use drawish_stats::{Pentanomial, Pool, Results, Trinomial};

/// Gives a few games that lack an event or a time control the one that all others have: a tag may be broken off. Runners write none where
/// nodes or the depth limit an engine, so that many without are another match.
pub(super) fn settle_tags(games: &mut [Decided]) {
    settle(games, |game| std::slice::from_mut(&mut game.event), |event| matches!(event, "" | "?"));
    settle(games, |game| &mut game.limits, str::is_empty);
}

fn settle(games: &mut [Decided], texts: impl Fn(&mut Played) -> &mut [String], is_none: impl Fn(&str) -> bool) {
    let (mut known, mut without) = (BTreeSet::new(), 0);
    for game in games.iter_mut() {
        let texts = texts(&mut game.game);
        known.extend(texts.iter().filter(|text| !is_none(text)).cloned());
        without += usize::from(texts.iter().any(|text| is_none(text)));
        if known.len() > 1 {
            return;
        }
    }
    if without * FEW_IN > games.len() {
        return;
    }
    let Some(only) = known.pop_first() else { return };
    for text in games.iter_mut().flat_map(|game| texts(&mut game.game)).filter(|text| is_none(text)) {
        text.clone_from(&only);
    }
}

/// What limits a side and its opponent in a game.
pub(super) fn limits_of(game: &Decided, side: &str) -> [String; 2] {
    let [white, black] = game.game.limits.clone();
    if game.black(side) { [black, white] } else { [white, black] }
}

/// That games are of several matches, by their time controls and events; those of a match with several opponents are not compared. Events
/// that differ in their numbers alone are one, and so are time controls that are scaled to the speed of each machine, as fishtest writes
/// both, unless results show that they differ, or a few stand one behind another, as where a runner appends to a file.
pub(super) fn of_several(
    games: &[Decided],
    pairs: &[[usize; 2]],
    side: &str,
    has_several_opponents: bool,
) -> Option<Remark> {
    let limits: Vec<String> = games.iter().map(|game| in_words(limits_of(game, side))).collect();
    let scales = scales(limits.iter().map(String::as_str).collect());
    let parted = |part: &dyn Fn(usize) -> (String, String)| {
        let mut parts: BTreeMap<(String, String, usize), Vec<usize>> = BTreeMap::new();
        for (at, game) in games.iter().enumerate() {
            let (event, limits) = part(at);
            parts.entry((event, limits, game.of_match)).or_default().push(at);
        }
        parts
    };
    let event = |at: usize| games[at].game.event.as_str();
    let without_digits =
        |text: &str| -> String { text.to_lowercase().chars().filter(|letter| !letter.is_ascii_digit()).collect() };
    let scale = |at: usize| scales[limits[at].as_str()].clone();
    let coarse = parted(&|at| (without_digits(event(at)), scale(at)));
    // Some write the name of the opening into the event.
    let mut coarse =
        if FEWEST * coarse.len() > games.len() { parted(&|at| (String::new(), scale(at))) } else { coarse };
    // A few games whose tags are spelled otherwise are no match of their own.
    coarse.retain(|_, those| those.len() >= FEWEST);
    let p_of = |parts: &BTreeMap<_, Vec<usize>>| {
        if has_several_opponents { None } else { same_match(games, pairs, side, parts.values()) }
    };
    let fine = parted(&|at| (event(at).to_owned(), limits[at].clone()));
    // Fishtest's own name for a part of one test.
    let is_batch = |at: usize| event(at).get(..6).is_some_and(|begin| begin.eq_ignore_ascii_case("batch "));
    let appended = appended(&fine).filter(|_| !(0..games.len()).all(is_batch));
    let (parts, p) = if let Some(parts) = Some(coarse).filter(|coarse| coarse.len() > 1).or(appended) {
        let p = p_of(&parts);
        (parts, p)
    } else {
        let p = p_of(&fine).filter(|&p| p < SERIOUS && FEWEST * fine.len() <= games.len())?;
        (fine, Some(p))
    };
    // Of several opponents each may have an event of its own.
    let mut met: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for (part, those) in parts.values().enumerate() {
        those.iter().for_each(|&at| _ = met.entry(games[at].opponent(side)).or_default().insert(part));
    }
    if has_several_opponents && met.values().all(|parts| parts.len() == 1) {
        return None;
    }
    let differ = |of: fn(&(String, String, usize)) -> &str| parts.keys().map(of).collect::<BTreeSet<_>>().len() > 1;
    let (by_event, by_limits) = (differ(|part| &part.0), differ(|part| &part.1));
    let are_numbered = games.iter().any(|game| game.of_match > 0);
    let name = |((_, limits, _), those): (&(String, String, usize), &Vec<usize>)| {
        let of = |at: usize| grouped(games[at].number);
        let words = [
            by_event.then(|| event(those[0]).to_owned()),
            by_limits.then(|| limits.clone()),
            are_numbered.then(|| format!("games {} to {}", of(those[0]), of(those[those.len() - 1]))),
        ];
        words.into_iter().flatten().collect::<Vec<_>>().join(", ")
    };
    let parts = parts.iter().map(|part| (name(part), part.1.len() as u64)).collect();
    let by_rounds = !by_event && !by_limits;
    // Runs of a test on several machines, as its framework writes them.
    let is_of_framework = by_rounds && games.iter().all(|game| game.game.is_scaled);
    (!is_of_framework || p.is_some_and(|p| p < SERIOUS)).then_some(Remark::SeveralMatches { parts, p, by_rounds })
}

/// The parts, if they are a few that stand one behind another.
fn appended<Key: Ord + Clone>(parts: &BTreeMap<Key, Vec<usize>>) -> Option<BTreeMap<Key, Vec<usize>>> {
    let mut parts = parts.clone();
    parts.retain(|_, those| those.len() >= FEWEST);
    let mut ends: Vec<[usize; 2]> = parts.values().map(|those| [those[0], those[those.len() - 1]]).collect();
    ends.sort_unstable();
    let are_apart = ends.windows(2).all(|two| two[0][1] < two[1][0]);
    ((2..=MOST_APPENDED).contains(&parts.len()) && are_apart).then_some(parts)
}

/// Of one game in so many a tag may be missing.
const FEW_IN: usize = 10;
/// More matches than that are not appended to a file as a rule, but machines and batches of a test are more.
const MOST_APPENDED: usize = 4;
/// Fewer games are no match of their own.
const FEWEST: usize = 4;
/// A probability below this is taken for a difference.
const SERIOUS: f64 = 0.01;

/// The p-value of [`Pool::same_match`] for parts of the games.
fn same_match<'a>(
    games: &[Decided],
    pairs: &[[usize; 2]],
    side: &str,
    parts: impl Iterator<Item = &'a Vec<usize>>,
) -> Option<f64> {
    let mut part_of = vec![None; games.len()];
    let mut sums = Vec::new();
    for those in parts {
        those.iter().for_each(|&at| part_of[at] = Some(sums.len()));
        sums.push((Pentanomial::default(), Trinomial::default()));
    }
    for &[one, two] in pairs {
        // A pair is of the match of its later game.
        if let Some(part) = part_of[one.max(two)] {
            add_pair(&mut sums[part].0, [one, two].map(|at| games[at].halves(side)));
        }
    }
    for (game, part) in games.iter().zip(&part_of) {
        if let Some(part) = *part {
            add_game(&mut sums[part].1, game.halves(side));
        }
    }
    let results = |(of_pairs, of_games): &(Pentanomial, Trinomial)| {
        if pairs.is_empty() { Results::Games(*of_games) } else { Results::Pairs(*of_pairs) }
    };
    Pool::of(&sums.iter().map(results).collect::<Vec<_>>()).ok().flatten()?.same_match
}

/// The limits of a side and its opponent.
fn in_words([own, other]: [String; 2]) -> String {
    match (own == other, own.is_empty()) {
        (true, true) => "no time control".to_owned(),
        (true, false) => own,
        _ => format!("{own} against {other}"),
    }
}

/// Time controls by what they are but for the speed of a machine: those for as many moves with the same share of increment, each at most
/// [`NEXT`] times as long as another.
fn scales(limits: BTreeSet<&str>) -> BTreeMap<&str, String> {
    let (mut found, mut known) = (BTreeMap::new(), Vec::new());
    for limit in limits {
        match seconds_for(limit) {
            Some((moves, base, increment)) => known.push((base, increment / base, moves, limit)),
            None => drop(found.insert(limit, limit.to_owned())),
        }
    }
    known.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut groups: Vec<Vec<(f64, f64, &str, &str)>> = Vec::new();
    // Those that may go on, by their moves and share: limits come by their base, so that one that is left behind stays so. Shares are not
    // negative and have the order of their bits.
    let mut open: BTreeMap<(&str, u64), usize> = BTreeMap::new();
    for limit in known {
        // Increments are written with two decimals, of which the last may be all there is.
        let is_alike = |one: f64, other: f64| (one - other).abs() <= ROUNDING * one.max(other);
        let [least, most] = [limit.1 * (0.99 - ROUNDING), limit.1 / (0.99 - ROUNDING)].map(f64::to_bits);
        let near: Vec<_> = open.range((limit.2, least)..=(limit.2, most)).map(|(&key, &group)| (key, group)).collect();
        let mut found = None;
        for (key, group) in near {
            let (first, last) = (groups[group][0], groups[group][groups[group].len() - 1]);
            if limit.0 > NEXT * last.0 {
                open.remove(&key);
            } else if is_alike(first.1, limit.1) {
                found = Some(found.map_or(group, |earlier: usize| earlier.min(group)));
            }
        }
        match found {
            Some(group) => groups[group].push(limit),
            None => {
                open.insert((limit.2, limit.1.to_bits()), groups.len());
                groups.push(vec![limit]);
            }
        }
    }
    for group in groups {
        let name = match &group[..] {
            [(.., only)] => (*only).to_owned(),
            [(.., first), .., (.., last)] => format!("{first} to {last}"),
            [] => String::new(),
        };
        found.extend(group.iter().map(|(.., limit)| (*limit, name.clone())));
    }
    found
}

/// For which moves the time of a time control is (`40/`, `/move`, or nothing for the game), its base and its increment.
fn seconds_for(limit: &str) -> Option<(&str, f64, f64)> {
    let (moves, time) = match (limit.strip_suffix("/move"), limit.find('/')) {
        (Some(time), _) => ("/move", time),
        (None, Some(at)) => limit.split_at(at + 1),
        (None, None) => ("", limit),
    };
    seconds(time).map(|(base, increment)| (moves, base, increment))
}

/// Base and increment of a time control that is nothing else.
fn seconds(limit: &str) -> Option<(f64, f64)> {
    let (base, increment) = limit.split_once('+').unwrap_or((limit, "0"));
    let number = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0);
    Some((number(base).filter(|base| *base > 0.0)?, number(increment)?))
}

/// Machines of a test differ by less from the next faster one.
const NEXT: f64 = 1.6;
/// What rounding makes of the share of an increment.
const ROUNDING: f64 = 0.15;

/// What limits White and Black by the tags of a game for both, for White and for Black, in their words; empty where they say nothing.
pub(super) fn limits([both, white, black]: [Option<Vec<u8>>; 3]) -> [String; 2] {
    let text = |value: Vec<u8>| in_comment(String::from_utf8_lossy(&value).trim());
    let is_some = |text: &String| !matches!(&*text.to_lowercase(), "?" | "-" | "*" | "unknown" | "none");
    // 10+0.10 is 10+0.1.
    let plain = |text: String| match seconds(&text) {
        Some((base, increment)) if text.contains('+') => format!("{base}+{increment}"),
        Some((base, _)) => base.to_string(),
        None => text,
    };
    [white, black].map(|own| own.or_else(|| both.clone()).map(text).filter(is_some).map(plain).unwrap_or_default())
}

/// Says of runs whose logs name other engines under the names of runs before them that they do, each once.
pub(super) fn compare_engines(runs: &mut [Run]) {
    for at in 1..runs.len() {
        let (before, rest) = runs.split_at_mut(at);
        let run = &mut rest[0];
        let found = before.iter().find_map(|other| {
            let both =
                |side: &Side| other.engines.iter().find(|own| own.name == side.name).map(|own| (own, side.clone()));
            let mut same = run.engines.iter().filter_map(both);
            same.find_map(|(own, side)| {
                // Early logs do not say what the files hold.
                let are_known = own.files.is_some() && side.files.is_some();
                let both = [own, &side].map(|side| match are_known {
                    true => what_plays(side),
                    false => what_plays(&Side { files: None, ..side.clone() }),
                });
                let what = Difference::between(&both[0], &both[1])?;
                Some(Remark::OtherEngine { engine: in_comment(&side.name), what, other: other.name.clone() })
            })
        });
        run.remarks.extend(found);
    }
}

/// What makes an engine another one, wherever it lies.
fn what_plays(side: &Side) -> Value {
    let files: BTreeSet<&String> = side.files.iter().flatten().map(|(_, digest)| digest).collect();
    // Where the program lies is no matter, but what it is called with is. So it is with files, if a digest says what they hold.
    let placed = |value: &str| {
        let is_known = side.files.iter().flatten().any(|(file, _)| file == value);
        let place = if is_known { value.rfind(['/', '\\']).map_or(0, |at| at + 1) } else { 0 };
        value[place..].to_owned()
    };
    let argument = |word: &str| match word.split_once('=') {
        Some((name, value)) => format!("{name}={}", placed(value)),
        None => placed(word),
    };
    let arguments: Vec<String> = side.player.split_whitespace().skip(1).map(argument).collect();
    let program = side.build.as_ref().map_or_else(
        || json!({ "command": side.player }),
        |build| json!({ "build": build, "arguments": (!arguments.is_empty()).then(|| arguments.join(" ")) }),
    );
    let options: BTreeMap<&String, String> = side.options.iter().map(|(name, value)| (name, placed(value))).collect();
    json!({
        "program": program, "files": files, "options": options, "limits": side.limits_text(), "restart": side.restart,
    })
}

#[cfg(test)]
mod tests {
    use super::super::copies::Seen;
    use super::super::{Against, Choice, Run, Source, games, read_all};
    use super::*;

    /// Pairs of games between a and b, from an opening each, of which a wins as many as it says.
    fn pairs(
        rounds: std::ops::RangeInclusive<usize>,
        won: usize,
        event: &str,
        tags: impl Fn(bool) -> String,
    ) -> String {
        let game = |round: usize, first: bool| {
            let [white, black] = if first { ["a", "b"] } else { ["b", "a"] };
            let result = match (round % 10 < won, round.is_multiple_of(3)) {
                (true, _) if first => "1-0",
                (false, true) if first => "0-1",
                _ => "1/2-1/2",
            };
            let fen = format!("4k3/8/8/8/8/8/{}/4K3 w - - 0 1", ["4P3", "3P4", "2P5", "1P6"][round % 4]);
            format!(
                "[Event \"{event}\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n[FEN \"{fen}\"]\n{}\n1. Kd1 {result}\n\n",
                tags(first)
            )
        };
        rounds.map(|round| game(round, true) + &game(round, false)).collect()
    }

    fn of(text: &str) -> Run {
        games::read("a.pgn", text.as_bytes(), &Choice::default(), &mut Seen::default()).expect("games")
    }

    fn said(run: &Run) -> Option<String> {
        run.remarks.iter().find(|remark| matches!(remark, Remark::SeveralMatches { .. })).map(ToString::to_string)
    }

    /// A runner appends the next match to its file, under the same names, event and time control: only the rounds begin again.
    #[test]
    fn rounds_that_begin_again_are_of_another_match() {
        let match_of =
            |rounds: usize, won: usize| pairs(1..=rounds, won, "e", |_| "[TimeControl \"8+0.08\"]\n".to_owned());
        let (one, other) = (match_of(60, 9), match_of(90, 1));
        let both_text = one.clone() + &other;
        let both = of(&both_text);
        let expected = "games of 2 matches, by their tags: games 1 to 120 (120 games), games 121 to 300 (180 games); Elo and test take them for \
                        one, and they do not look like one (p < 0.0001): judge each by itself";
        assert_eq!(said(&both).as_deref(), Some(expected));
        assert!(
            both.is_part && both.course.is_some() && !both.remarks.contains(&Remark::NoRounds),
            "{:?}",
            both.remarks
        );
        // The pairs are those of either.
        let alone = [&one, &other].map(|text| of(text).counted.pairs.expect("pairs"));
        assert_eq!(both.counted.pairs.expect("pairs"), alone[0] + alone[1]);
        let alike = one.clone() + &match_of(60, 9);
        let expected_alike = "rounds begin again, as in 2 runs: games 1 to 120 (120 games), games 121 to 240 (120 games); Elo and test take them \
                              for one, although there is no sign that they differ (p = 0.9997): judge each by itself, unless they are of one test \
                              that several machines have played";
        assert_eq!(said(&of(&alike)).as_deref(), Some(expected_alike));
        // OpenBench says that they are.
        let scaled = |text: &str| text.replace("[Result", "[ScaleFactor \"0.812\"]\n[Result");
        assert_eq!(said(&of(&scaled(&alike))), None);
        assert_eq!(said(&of(&scaled(&(one.clone() + &other)))).as_deref(), Some(expected));
        let differing = said(&of(&(one.clone() + &match_of(60, 6)))).expect("two runs");
        assert!(differing.contains("which may be chance where tests have stopped them): judge each"), "{differing}");
        // So they are where several games are played at a time.
        let several_at_a_time = |text: &str| {
            let parts: Vec<&str> = text.split_inclusive("\n\n").collect();
            let mut games: Vec<String> = parts.chunks(2).map(<[&str]>::concat).collect();
            games.chunks_mut(7).for_each(<[String]>::reverse);
            games.concat()
        };
        let at_a_time = said(&of(&(one.clone() + &several_at_a_time(&other)))).expect("two matches");
        assert!(at_a_time.starts_with("games of 2 matches, by their tags: games 1 to 1"), "{at_a_time}");
        // So it is where a round has all games, each with its number.
        let numbered = |text: &str| {
            let parts = text.split("[Round \"").enumerate();
            let number = |(at, part): (usize, &str)| match part.split_once('"') {
                Some((_, rest)) if at > 0 => format!("[Round \"1.{at}\"{rest}"),
                _ => part.to_owned(),
            };
            parts.map(number).collect::<String>()
        };
        let (one_numbered, other_numbered) = (numbered(&one), numbered(&other));
        let alone = of(&one_numbered);
        assert!(alone.course.is_some() && said(&alone).is_none(), "{:?}", alone.remarks);
        let both = of(&(one_numbered + &other_numbered));
        assert_eq!(said(&both).as_deref(), Some(expected), "{:?}", both.remarks);
        // In a sorted file pairs would be parted.
        let mut sorted: Vec<String> = {
            let parts: Vec<&str> = both_text.split_inclusive("\n\n").collect();
            parts.chunks(2).map(<[&str]>::concat).collect()
        };
        for key in ["[White", "[Result"] {
            sorted.sort_by_key(|game| {
                game.split(key).nth(1).map(|rest| rest.split('"').nth(1).unwrap_or_default().to_owned())
            });
            let run = of(&sorted.concat());
            assert_eq!(
                (said(&run), run.counted.pairs.map(|of| of.ll + of.ld + of.wl_dd + of.wd + of.ww)),
                (None, Some(150)),
                "{key}"
            );
        }
        // However many there are, and if runs were given up at once before them or between them.
        let many = of(&(match_of(15, 9) + &match_of(15, 1)).repeat(20));
        assert!(
            said(&many).expect("many").starts_with("games of 40 matches, by their tags: games 1 to 30 (30 games), ")
        );
        assert_eq!(many.counted.pairs.expect("pairs").ww, 20 * of(&match_of(15, 9)).counted.pairs.expect("pairs").ww);
        let given_up = match_of(1, 9).repeat(4) + &both_text;
        assert!(
            said(&of(&given_up)).expect("two matches").starts_with("games of 2 matches, by their tags: games 1 to 128")
        );
        let first_game = match_of(1, 9).split_inclusive("\n\n").take(2).collect::<String>();
        let between = one.clone() + &first_game.repeat(4) + &other;
        assert!(
            said(&of(&between)).expect("two matches").starts_with("games of 2 matches, by their tags: games 1 to 120")
        );
        // A round of many games, a game that was played again, and a few games of another match are none.
        for text in [
            one.replace("[Round \"7\"]", "[Round \"6\"]"),
            match_of(1, 1) + &one,
            match_of(40, 9) + &match_of(1, 1) + &pairs(41..=100, 9, "e", |_| "[TimeControl \"8+0.08\"]\n".to_owned()),
            (1..=20).map(|round| pairs(round..=round, 5, "e", |_| String::new()).repeat(3)).collect(),
            (0..40).map(|_| pairs(3..=3, 5, "e", |_| String::new())).collect(),
            several_at_a_time(
                &(1..=50).map(|round| pairs(round..=round, 5, "e", |_| String::new()).repeat(2)).collect::<String>(),
            ),
            several_at_a_time(
                &(1..=20).map(|round| pairs(round..=round, 5, "e", |_| String::new()).repeat(5)).collect::<String>(),
            ),
            several_at_a_time(
                &(1..=4).map(|round| pairs(round..=round, 5, "e", |_| String::new()).repeat(50)).collect::<String>(),
            ),
        ] {
            assert_eq!(said(&of(&text)), None, "{}", &text[..200]);
        }
    }

    #[test]
    fn games_at_other_time_controls_are_of_another_match() {
        let at = |control: &'static str| move |_| format!("[TimeControl \"{control}\"]\n");
        let stc = pairs(1..=60, 9, "e", at("8+0.08"));
        assert_eq!(said(&of(&stc)), None);
        let both = of(&(stc.clone() + &pairs(61..=120, 1, "e", at("60+0.6"))));
        let expected = "games of 2 matches, by their tags: 60+0.6 (120 games), 8+0.08 (120 games); Elo and test take them for one, and they do \
                        not look like one (p < 0.0001): judge each by itself";
        assert_eq!(said(&both).as_deref(), Some(expected));
        assert!(both.is_part);
        let alike = of(&(stc.clone() + &pairs(61..=120, 9, "e", at("60+0.6"))));
        assert!(said(&alike).expect("two matches").contains("although there is no sign that they differ (p = "));
        // The game of a pair that is missing is not the one of the other match.
        let cut: String =
            stc.split_inclusive("\n\n").enumerate().filter(|(part, _)| part % 4 < 2).map(|part| part.1).collect();
        let cut = of(&(cut + &pairs(1..=60, 1, "e", at("60+0.6"))));
        assert!(cut.remarks.contains(&Remark::Paired { by_round: 60, by_opening: 0 }), "{:?}", cut.remarks);
        // Each machine has the time that its speed asks for, and its batches have numbers.
        let scaled = |rounds: std::ops::RangeInclusive<usize>, won: usize, base: f64| -> String {
            let game = |round: usize| {
                let factor = base * (0.7 + 0.1 * (round / 10 % 6) as f64);
                let event = format!("Batch {}: a vs b", round / 10);
                pairs(round..=round, won, &event, move |_| {
                    format!("[TimeControl \"{factor:.2}+{:.2}\"]\n", factor / 100.0)
                })
            };
            rounds.map(game).collect()
        };
        // So it is of a time for each move, or for forty.
        for [before, behind] in [["", "/move"], ["40/", ""]] {
            let game = |round: usize| {
                let time = 10.0 + (round % 7) as f64 / 10.0;
                pairs(round..=round, 9, "e", move |_| format!("[TimeControl \"{before}{time:.2}{behind}\"]\n"))
            };
            assert_eq!(said(&of(&(1..=60).map(game).collect::<String>())), None, "{before}{behind}");
        }
        let machines = scaled(1..=120, 9, 10.0);
        assert_eq!(said(&of(&machines)), None);
        let both = said(&of(&(machines.clone() + &scaled(121..=240, 1, 60.0)))).expect("two matches");
        assert!(
            both.starts_with(
                "games of 2 matches, by their tags: 42+0.42 to 72+0.72 (240 games), 7+0.07 to 12+0.12 (240"
            ),
            "{both}"
        );
        // Two that stand one behind another are appended, and so are versions.
        let appended = said(&of(&(pairs(1..=60, 9, "e", at("8+0.08")) + &pairs(61..=120, 9, "e", at("12+0.12")))));
        assert!(appended.expect("two matches").contains("12+0.12 (120 games), 8+0.08 (120 games)"));
        let batches =
            pairs(1..=60, 9, "Batch 1: a vs b", at("8+0.08")) + &pairs(61..=120, 9, "Batch 2: a vs b", at("9+0.09"));
        assert_eq!(said(&of(&batches)), None);
        let versions = pairs(1..=60, 9, "dev 1.2", at("8+0.08")) + &pairs(1..=60, 9, "dev 1.3", at("8+0.08"));
        assert!(said(&of(&versions)).expect("two matches").contains("by their tags: dev 1.2 (120 games), dev 1.3"));
        // Nodes and depth leave no time control, and an event may be unknown.
        for (one, other) in [("", "8+0.08"), ("-", "8+0.08")] {
            let tag =
                |value: &str| if value.is_empty() { String::new() } else { format!("[TimeControl \"{value}\"]\n") };
            let both = pairs(1..=60, 9, "e", |_| tag(one)) + &pairs(61..=120, 1, "e", |_| tag(other));
            let both = said(&of(&both)).expect("two matches");
            assert!(both.contains("8+0.08 (120 games), no time control (120 games)"), "{both}");
        }
        let unnamed = said(&of(&(pairs(1..=60, 9, "?", at("8+0.08")) + &pairs(61..=120, 1, "e", at("8+0.08")))));
        assert!(unnamed.expect("two matches").contains("? (120 games), e (120 games)"));
        // Unless results show that they differ.
        let other = said(&of(&(machines + &scaled(121..=240, 1, 10.0)))).expect("they differ");
        assert!(other.contains("do not look like one"), "{other}");
        // A tag that is missing or says nothing is none of another match.
        let without = stc.replacen("[TimeControl \"8+0.08\"]\n", "", 3).replacen("\"8+0.08\"", "\"?\"", 3);
        let odd = without.replacen("\"8+0.08\"", "\"8.0+0.080\"", 3).replacen("[Event \"e\"]", "[Event \"?\"]", 3);
        let odd = of(&odd.replacen("[Event \"e\"]\n", "", 1));
        assert_eq!(said(&odd), None);
        assert!(
            odd.remarks.contains(&Remark::Paired { by_round: 60, by_opening: 0 }) && !odd.is_part,
            "{:?}",
            odd.remarks
        );
    }

    /// A gauntlet whose events name the opponents is one, but not where one of them is met at two time controls.
    #[test]
    fn events_of_opponents_are_no_matches() {
        let at = |control: &'static str| move |_| format!("[TimeControl \"{control}\"]\n");
        let own = pairs(1..=30, 9, "a against b", at("8+0.08"));
        let other = pairs(31..=60, 5, "a against c", at("8+0.08")).replace("\"b\"", "\"c\"");
        let choice = Choice { first: Some("a".to_owned()), against: Against::All };
        let of = |text: &str| games::read("a.pgn", text.as_bytes(), &choice, &mut Seen::default()).expect("games");
        let both = own + &other;
        assert_eq!(said(&of(&both)), None);
        let again = both.clone() + &pairs(61..=90, 5, "a against b", at("60+0.6"));
        assert!(said(&of(&again)).expect("several").contains("60+0.6"));
    }

    #[test]
    fn odds_are_of_the_engine_and_not_of_its_colour() {
        let odds = |own: &'static str, other: &'static str| {
            move |first| {
                let [white, black] = if first { [own, other] } else { [other, own] };
                format!("[WhiteTimeControl \"{white}\"]\n[BlackTimeControl \"{black}\"]\n")
            }
        };
        let one = pairs(1..=20, 9, "e", odds("10+0.1", "5+0.05"));
        assert_eq!(said(&of(&one)), None);
        let both = of(&(one + &pairs(21..=40, 9, "e", odds("5+0.05", "10+0.1"))));
        let said = said(&both).expect("two matches");
        assert!(said.contains("10+0.1 against 5+0.05 (40 games), 5+0.05 against 10+0.1 (40 games)"), "{said}");
    }

    #[test]
    fn events_are_matches_but_not_where_each_game_has_its_own() {
        let same = |_| String::new();
        let both = of(&(pairs(1..=20, 9, "one", same) + &pairs(1..=20, 9, "two", same)));
        assert!(said(&both).expect("two matches").contains("by their tags: one (40 games), two (40 games)"));
        let own: String = (1..=20).map(|round| pairs(round..=round, 9, &format!("game {round}"), same)).collect();
        assert_eq!(said(&of(&own)), None);
    }

    #[test]
    fn logs_of_other_engines_are_named() {
        let log = |name: &str, change: [&str; 2]| {
            let side = |name: &str| {
                format!(
                    r#"{{"name":"{name}","player":"./{name}","build":"0{name}","options":[["Hash","16"]],"limits":"250 nodes"}}"#
                )
            };
            let head = format!(
                r#"{{"format":2,"sides":[{},{}],"book":"{name}","book_digest":"00","openings":3,"plies":null,"seed":1,"rules":{{"time_margin_ms":20}}}}"#,
                side("a"),
                side("b")
            );
            head.replacen(change[0], change[1], 1)
        };
        let differ = |one: [&str; 2], two: [&str; 2]| {
            let files = [("one", one), ("two", two)].map(|(name, change)| {
                let mut file = tempfile::NamedTempFile::with_suffix(".jsonl").expect("a file");
                std::io::Write::write_all(&mut file, format!("{}\n", log(name, change)).as_bytes()).expect("written");
                file
            });
            let sources =
                files.each_ref().map(|file| Source::Input(drawish_games::pgn::Input::File(file.path().to_owned())));
            let runs = read_all(&sources, &Choice::default()).expect("logs");
            runs[1].remarks.iter().find(|remark| matches!(remark, Remark::OtherEngine { .. })).map(ToString::to_string)
        };
        let said = |change: [&str; 2]| differ(["", ""], change);
        assert_eq!(said(["", ""]), None);
        assert_eq!(said([r#""player":"./a""#, r#""player":"/elsewhere/a""#]), None, "the same build");
        let net = [r#"["Hash","16"]]"#, r#"["Net","/x/a.nnue"]],"files":[["/x/a.nnue","0f"]]"#];
        let other = [net[0], r#"["Net","/y/a.nnue"]],"files":[["/y/a.nnue","0f"]]"#];
        assert_eq!(differ(net, other), None, "the same network elsewhere");
        let early = [net[0], r#"["Net","/x/a.nnue"]]"#];
        assert_eq!([differ(net, early), differ(early, net)], [None, None], "an early log does not know what it held");
        let script = |dir: &str, digest: &str| {
            let files = format!(r#"[["{dir}/a.py","01"],["{dir}/a.pb","{digest}"]]"#);
            format!(r#""player":"./a {dir}/a.py --net={dir}/a.pb","files":{files}"#)
        };
        let scripts = |one: &str, other: &str| differ([r#""player":"./a""#, one], [r#""player":"./a""#, other]);
        assert_eq!(scripts(&script("/x", "02"), &script("/y", "02")), None);
        assert!(scripts(&script("/x", "02"), &script("/y", "03")).is_some_and(|said| said.contains("by files")));
        // Without a digest the place says more, and a slash is not always of a place.
        for [one, other] in [["/x/a.pb", "/y/a.pb"], ["--nets=/x/", "--nets=/y/"], ["--tc=40/60", "--tc=20/60"]] {
            let [one, other] = [one, other].map(|word| format!(r#""player":"./a {word}""#));
            assert!(scripts(&one, &other).is_some_and(|said| said.contains("program.arguments")), "{one} {other}");
        }
        for (change, what) in [
            ([r#""player":"./a""#, r#""player":"./a --no-lmr""#], "by program.arguments: --no-lmr here, nothing there"),
            ([r#""build":"0a""#, r#""build":"0c""#], "a is another engine than in "),
            (["250 nodes", "60 nodes"], "by limits: 60 nodes here, 250 nodes there"),
            ([r#"["Hash","16"]"#, r#"["Hash","32"]"#], "by options.Hash: 32 here, 16 there"),
        ] {
            let said = said(change).unwrap_or_default();
            assert!(said.contains(what), "{change:?}: {said}");
        }
    }
}
