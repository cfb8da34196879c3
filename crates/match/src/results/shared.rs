//! Games that several sources have in common: a match that is given as its log and as PGN must not count twice.

use std::collections::{HashMap, HashSet};

use super::copies::{Known, settle};
use super::{Remark, ResultsError, Run};
use crate::arena::{Course, PairRecord, SeenPairs, add_game, add_pair};
use drawish_stats::{Counted, FEWEST_DIFFERING, Pentanomial, Results, Trinomial};

/// What tells the games of a run from others.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Prints {
    /// The games, until [`settle`](super::copies::settle) has taken `units` and `games` from them.
    pub known: Vec<Known>,
    /// Which of these are a pair, or one where games are not paired.
    pub members: Vec<Vec<usize>>,
    /// Of each of these pairs or games what is equal for the same ones, behind the opening and from the start of the games.
    pub units: Vec<[u64; 2]>,
    /// Which of these are pairs that chance has put together: in other pairs their games may have other partners.
    pub by_chance: HashSet<usize>,
    /// Those among them of which a game was read before.
    pub again: HashSet<usize>,
    /// What tells the games of each of these from others.
    pub games_of_units: Vec<Vec<u64>>,
    /// Half points of the first side in the games of each of these.
    pub points: Vec<Vec<u8>>,
    /// The place of each of these among all pairs or games of the run, those in which nobody has moved among them.
    pub places: Vec<usize>,
    /// The numbers of the pairs, of a log.
    pub numbers: Option<Vec<u64>>,
    /// The same of each game as of `units`.
    pub games: Vec<[u64; 2]>,
    /// Games that cannot be looked for in other sources: nobody has moved, or their moves are kept as checksums.
    pub unknown: u64,
    /// Games that are found in other sources only as they stand, since some of their moves cannot be read.
    pub broken: u64,
}

impl Prints {
    /// Whether single games are known, be it without their moves.
    fn has_games(&self) -> bool {
        !self.games.is_empty() || self.unknown > 0
    }

    /// The same for the other side.
    pub(super) fn reversed(self) -> Prints {
        let points = self.points.into_iter().map(|points| points.into_iter().map(|halves| 2 - halves).collect());
        Prints { points: points.collect(), ..self }
    }

    /// Adds games that belong together, with the half points of the first side in each of them, and of those that chance has put together
    /// whether one was read before.
    pub(super) fn add(&mut self, place: usize, games: &[usize], points: Vec<u8>, by_chance: Option<bool>) {
        if games.iter().any(|&game| self.known[game].may_repeat()) {
            self.by_chance.extend(by_chance.map(|_| self.members.len()));
            self.again.extend(by_chance.filter(|again| *again).map(|_| self.members.len()));
            self.members.push(games.to_vec());
            self.places.push(place);
            self.points.push(points);
        }
    }

    /// Those of games that are added to nothing yet.
    pub(super) fn of_games(known: Vec<Known>) -> Prints {
        let unknown = known.iter().filter(|game| game.is_unknown()).count() as u64;
        let broken = known.iter().filter(|game| game.is_broken()).count() as u64;
        Prints { known, unknown, broken, ..Prints::default() }
    }

    /// Those of logged pairs, each between players of these names; where `first` is not the name of the first of them, of the results of
    /// the second.
    pub(super) fn of_pairs<'a>(
        pairs: impl Iterator<Item = (&'a PairRecord, [&'a str; 2])> + Clone,
        first: &str,
    ) -> Prints {
        let mut prints =
            Prints::of_games(pairs.clone().flat_map(|(pair, names)| Known::of_pair(pair, names)).collect());
        for (place, (pair, names)) in pairs.clone().enumerate() {
            let course = Course::of([pair]);
            let course = if names[0] == first { course } else { course.reversed() };
            prints.add(place, &[2 * place, 2 * place + 1], course.halves().flatten().collect(), None);
        }
        let numbers: Vec<u64> = pairs.map(|(pair, _)| pair.pair).collect();
        prints.numbers = Some(prints.places.iter().map(|&place| numbers[place]).collect());
        prints
    }
}

/// Counts the pairs of each run that were played before, in it or in a run before it, and says which runs share games.
///
/// # Errors
///
/// If all games of a run are in another one.
pub(super) fn compare(runs: &mut [Run]) -> Result<(), ResultsError> {
    settle(runs);
    // Pairs; of runs before games that are in none or in one that chance has put together, and all games.
    let (mut seen, mut loose, mut played) = (SeenPairs::default(), HashSet::new(), HashSet::new());
    // Which runs have a game or pair: there may be thousands of runs, of which few have any in common.
    let mut having: HashMap<u64, Vec<usize>> = HashMap::new();
    for at in 0..runs.len() {
        let (before, rest) = runs.split_at_mut(at);
        let run = &mut rest[0];
        let (mut in_others, mut same) = (Vec::new(), Vec::new());
        let prints: HashSet<u64> = run.prints.games.iter().chain(&run.prints.units).flatten().copied().collect();
        let near: HashSet<usize> = prints.iter().filter_map(|print| having.get(print)).flatten().copied().collect();
        prints.into_iter().for_each(|print| having.entry(print).or_default().push(at));
        for (place, other) in before.iter().enumerate() {
            let games = if near.contains(&place) { shared(run, other)? } else { 0 };
            in_others.extend((games > 0).then(|| (other.name.clone(), games)));
            same.extend(is_same_count(run, other).then(|| Remark::SameCounts(other.name.clone())));
        }
        run.remarks.extend((!in_others.is_empty()).then_some(Remark::Shared(in_others)));
        run.remarks.extend(same);
        let mut are_new: Vec<bool> = run.prints.units.iter().map(|&unit| seen.add(unit)).collect();
        let games = |unit: usize| run.prints.games_of_units.get(unit).into_iter().flatten().copied();
        let is_single = |unit: usize| run.prints.members.get(unit).is_some_and(|members| members.len() == 1);
        let is_by_chance = |unit: usize| run.prints.by_chance.contains(&unit);
        let is_sure = |unit: &usize| !is_by_chance(*unit) && !is_single(*unit);
        let sure: HashSet<u64> = (0..are_new.len()).filter(is_sure).flat_map(games).collect();
        let is_known = |unit: usize| {
            let others = if is_single(unit) { &played } else { &loose };
            run.prints.again.contains(&unit)
                || games(unit).any(|game| others.contains(&game) || is_by_chance(unit) && sure.contains(&game))
        };
        let by_chance: Vec<usize> = (0..are_new.len()).filter(|&unit| are_new[unit] && is_known(unit)).collect();
        let is_loose = |unit: &usize| !is_sure(unit);
        loose.extend((0..are_new.len()).filter(is_loose).flat_map(games));
        played.extend((0..are_new.len()).flat_map(games));
        for &unit in &by_chance {
            are_new[unit] = false;
            run.course.iter_mut().for_each(|course| course.leave_out(run.prints.places[unit]));
        }
        run.repeated += are_new.iter().filter(|is_new| !**is_new).count() as u64;
        for (points, _) in run.prints.points.iter().zip(&are_new).filter(|(_, is_new)| !**is_new) {
            let (pairs, games) = &mut run.repeats;
            points.iter().for_each(|&halves| add_game(games, halves));
            if let [one, two] = points[..] {
                add_pair(pairs, [one, two]);
            }
        }
        let left_out = run.prints.places.iter().zip(&are_new).filter(|(_, is_new)| !**is_new).map(|(place, _)| *place);
        run.leave_out(left_out.collect());
        let (all, noun) = match run.counted {
            Counted { pairs: Some(pairs), .. } => (Results::Pairs(pairs).games() / 2, "pair"),
            Counted { games, .. } => (games.map_or(0, |games| Results::Games(games).games()), "game"),
        };
        let (repeated, by_chance) = (run.repeated, noun == "pair" && !by_chance.is_empty());
        run.remarks.extend((repeated > 0).then_some(Remark::Repeated { repeated, all, noun, by_chance }));
    }
    remark_on_unknown(runs);
    Ok(())
}

impl Run {
    /// The results without pairs that are the same games as an earlier pair, also of a run before; games where games are not paired. These
    /// add no evidence, so all that judges leaves them out.
    #[must_use]
    pub fn distinct(&self) -> Counted {
        let (pairs, games) = &self.repeats;
        Counted {
            pairs: self.counted.pairs.map(|Pentanomial { ll, ld, wl_dd, wd, ww }| Pentanomial {
                ll: ll.saturating_sub(pairs.ll),
                ld: ld.saturating_sub(pairs.ld),
                wl_dd: wl_dd.saturating_sub(pairs.wl_dd),
                wd: wd.saturating_sub(pairs.wd),
                ww: ww.saturating_sub(pairs.ww),
            }),
            games: self.counted.games.map(|Trinomial { wins, draws, losses }| Trinomial {
                wins: wins.saturating_sub(games.wins),
                draws: draws.saturating_sub(games.draws),
                losses: losses.saturating_sub(games.losses),
            }),
        }
    }
}

/// Whether two runs have the same counts of pairs, or of games where one has no pairs, and their games cannot be compared, as printed
/// results have none. Of few that is chance.
fn is_same_count(run: &Run, other: &Run) -> bool {
    let are_comparable = run.prints.has_games() && other.prints.has_games();
    let (own, others) = (run.counted, other.counted);
    let is_same = match (own.pairs.zip(others.pairs), own.games.zip(others.games)) {
        (Some((own, others)), _) => own == others && are_telling(&Results::Pairs(own)),
        (None, Some((own, others))) => own == others && are_telling(&Results::Games(own)),
        (None, None) => false,
    };
    !are_comparable && is_same
}

/// Whether results are so many, and so different, that they are hardly ever the same twice: one match of 12 pairs in about 200.
fn are_telling(results: &Results) -> bool {
    let counts = results.counts();
    let all: u64 = counts.iter().sum();
    let most = counts.into_iter().max().unwrap_or(0);
    let fewest = if matches!(results, Results::Pairs(_)) { FEWEST_PAIRS } else { FEWEST_GAMES };
    all >= fewest && all - most >= FEWEST_DIFFERING
}

/// Fewer are the same by chance.
const FEWEST_PAIRS: u64 = 8;
const FEWEST_GAMES: u64 = 20;

/// How many games of a run are in one before it.
fn shared(run: &Run, other: &Run) -> Result<u64, ResultsError> {
    let within =
        |one: &Run, two: &Run, games| ResultsError::Within { name: one.name.clone(), other: two.name.clone(), games };
    let (own, others) = (&run.prints, &other.prints);
    if let (Some(numbers), Some(other_numbers)) = (&own.numbers, &others.numbers) {
        // Two logs are compared as they are, since they may keep moves as checksums. A pair that comes again under another number is no
        // copy: openings may be repeated.
        let pairs = |prints: &Prints, numbers: &[u64]| -> Vec<(u64, u64)> {
            prints.units.iter().map(|[behind_opening, _]| *behind_opening).zip(numbers.iter().copied()).collect()
        };
        let (own, others) = (pairs(own, numbers), pairs(others, other_numbers));
        for (one, pairs, two, among) in [(run, &own, other, &others), (other, &others, run, &own)] {
            if all_in(pairs, among) {
                return Err(within(one, two, 2 * pairs.len() as u64));
            }
        }
        let units: HashSet<_> = others.iter().map(|pair| pair.0).collect();
        return Ok(2 * own.iter().filter(|pair| units.contains(&pair.0)).count() as u64);
    }
    for (one, two) in [(run, other), (other, run)] {
        let is_known = among(&two.prints.games);
        if one.prints.unknown == 0 && !one.prints.games.is_empty() && one.prints.games.iter().all(is_known) {
            return Err(within(one, two, one.prints.games.len() as u64));
        }
    }
    let is_known = among(&others.games);
    Ok(own.games.iter().filter(|game| is_known(game)).count() as u64)
}

/// Says of the last of all runs which of them have games that cannot be looked for in others.
fn remark_on_unknown(runs: &mut [Run]) {
    let known = || runs.iter().filter(|run| run.prints.has_games());
    let logs = known().filter(|run| run.prints.numbers.is_some()).count();
    let (all, others_of_logs) = (known().count(), known().count() - logs);
    let (mut games, mut sources) = (0, Vec::new());
    for run in known() {
        let unknown = run.prints.unknown + run.prints.broken;
        // Two logs are compared as they are.
        let others = if run.prints.numbers.is_some() { others_of_logs } else { all - 1 };
        if unknown > 0 && others > 0 {
            games += unknown;
            sources.push(run.name.clone());
        }
    }
    if let Some(last) = runs.last_mut().filter(|_| games > 0) {
        last.remarks.push(Remark::NotCompared { games, sources });
    }
}

/// Whether a game is among these, behind its opening or from its start.
fn among(games: &[[u64; 2]]) -> impl Fn(&[u64; 2]) -> bool {
    let known: HashSet<u64> = games.iter().flatten().copied().collect();
    move |game| game.iter().any(|print| known.contains(print))
}

/// Whether there are any of these, and all of them are among others.
fn all_in<T: std::hash::Hash + Eq>(these: &[T], others: &[T]) -> bool {
    let others: HashSet<&T> = others.iter().collect();
    !these.is_empty() && these.iter().all(|one| others.contains(one))
}

#[cfg(test)]
mod tests {
    use drawish_stats::{Decision, Model, NoFigure, Sprt};

    use super::super::by_opening::analysed;
    use super::super::copies::Seen;
    use super::super::{Choice, Source, judge, read_all, stopped};
    use super::*;

    fn run(name: &str, units: &[u64], games: &[u64], unknown: u64, is_log: bool) -> Run {
        let numbers = is_log.then(|| (1..).take(units.len()).collect());
        let both = |prints: &[u64]| prints.iter().map(|&print| [print; 2]).collect();
        let prints = Prints { units: both(units), numbers, games: both(games), unknown, ..Prints::default() };
        Run { prints, ..Run::of_counts(name, Counted { pairs: None, games: None }) }
    }

    #[test]
    fn pairs_beside_single_games_are_named() {
        let [both, games] = ["Games: 6 W: 1 L: 2 D: 3\nPtnml(0-2): 0, 1, 2, 0, 0", "W: 11 L: 22 D: 33"]
            .map(|text| Source::Text(text.to_owned()));
        let said = |sources: &[Source]| {
            let runs = read_all(sources, &Choice::default()).expect("results");
            runs.iter().flat_map(|run| run.remarks.iter().map(ToString::to_string)).collect::<Vec<_>>()
        };
        let expected = "its pairs count as independent games here, since result 2 has none: the error leaves out how games of a pair depend on \
                        each other; judge this source alone";
        assert_eq!(said(&[both.clone(), games.clone()]), [expected]);
        assert_eq!(said(std::slice::from_ref(&both)).len() + said(&[games]).len(), 0);
    }

    /// Whose wins they are nobody knows; the sum is that of one side.
    #[test]
    fn results_without_names_beside_named_ones_are_told() {
        let [named, unnamed] = ["Score of a vs b: 40 - 20 - 60  [0.583] 120", "Games | N: 300 W: 99 L: 81 D: 120"]
            .map(|text| Source::Text(text.to_owned()));
        for first in ["a", "b"] {
            let choice = Choice { first: Some(first.to_owned()), ..Choice::default() };
            for sources in [[named.clone(), unnamed.clone()], [unnamed.clone(), named.clone()]] {
                let runs = read_all(&sources, &choice).expect("results");
                let told = runs
                    .iter()
                    .flat_map(|run| &run.remarks)
                    .filter(|remark| **remark == Remark::Unnamed(first.to_owned()));
                assert_eq!(told.count(), 1);
            }
        }
        let alone = read_all(&[unnamed.clone(), unnamed], &Choice::default());
        assert!(
            alone
                .expect("results")
                .iter()
                .all(|run| !run.remarks.iter().any(|remark| matches!(remark, Remark::Unnamed(_))))
        );
    }

    /// Such runs of one match differ more than chance has it.
    #[test]
    fn runs_that_tests_have_stopped_are_not_compared() {
        let text = |llr: f64, penta: &str| {
            Source::Text(format!("LLR: {llr:.2} (-2.94,2.94) <0.00,80.00>\nPtnml(0-2): {penta}"))
        };
        let found = |sources: &[Source]| {
            let runs = read_all(sources, &Choice::default()).expect("results");
            let same = analysed(&runs, false, None, None).expect("an analysis").pool.same_match;
            (stopped(&runs, None), same.is_some())
        };
        let (quick, slow, open) = ("0, 0, 8, 10, 3", "4, 14, 25, 12, 5", "1, 9, 20, 10, 2");
        assert_eq!(found(&[text(3.1, quick), text(-3.1, slow)]), (2, false));
        assert_eq!(found(&[text(3.1, quick), text(0.2, open)]), (1, false));
        assert_eq!(found(&[text(0.2, open), text(0.3, "1, 8, 20, 10, 2")]), (0, true));
        assert_eq!(found(&[text(3.1, quick)]), (0, false));
        // A test that is given stands in for one that no source names, and is none of a match that has the other one.
        let given = Sprt::new(Model::Normalized, 0.0, 80.0, 0.05, 0.05).expect("a test");
        let unnamed = |penta: &str| Source::Text(format!("Ptnml(0-2): {penta}"));
        let by_given = |sources: &[Source]| {
            let runs = read_all(sources, &Choice::default()).expect("results");
            let same = analysed(&runs, false, Some(given), None).expect("an analysis").pool.same_match;
            (stopped(&runs, Some(given)), same.is_some())
        };
        assert_eq!(by_given(&[unnamed(quick), unnamed(open)]), (1, false));
        assert_eq!(by_given(&[unnamed(open), unnamed("1, 8, 20, 10, 2")]), (0, true));
        assert_eq!(found(&[unnamed(quick), unnamed(open)]), (0, true));
        let cutechess = |wins, llr: f64, end| {
            let score = format!("Score of a vs b: {wins} - 20 - 60  [0.5] {}", wins + 80);
            Source::Text(format!("{score}\nSPRT: llr {llr} (100.4%), lbound -2.94, ubound 2.94{end}"))
        };
        assert_eq!(found(&[cutechess(40, 2.96, " - H1 was accepted"), cutechess(30, 3.0, "")]), (2, false));
        assert_eq!(found(&[cutechess(40, 1.96, ""), cutechess(30, 1.0, "")]), (0, true));
        let c_chess_cli = |wins, llr: f64, end| {
            let score = format!("Score of a vs b: {wins} - 20 - 60  [0.5] {}", wins + 80);
            Source::Text(format!("{score}\nSPRT: LLR = {llr:.3} [-2.944,2.944]{end}"))
        };
        assert_eq!(found(&[c_chess_cli(40, 2.96, ". H1 accepted."), c_chess_cli(30, 3.0, "")]), (2, false));
        // A test in another scale does not tell where the one that has stopped the match has done so.
        let stopped_run = |end| {
            let text = format!(
                "Score of a vs b: 163 - 119 - 200  [0.546] 482\nSPRT: llr 3.01 (102.1%), lbound -2.94, ubound 2.94{end}"
            );
            read_all(&[Source::Text(text)], &Choice::default()).expect("results")
        };
        let wider = Sprt::new(Model::Normalized, 0.0, 20.0, 0.05, 0.05).expect("a test");
        let judged =
            judge(&stopped_run(" - H1 was accepted"), Some(wider), None).expect("an analysis").test.expect("a test");
        assert_eq!((judged.decision, judged.estimate), (Decision::Continue, Err(NoFigure::UnnamedStop)));
        // Beyond what a stop explains.
        let far = |score: &str| Source::Text(format!("Score of a vs b: {score}\nSPRT: LLR = 3.0 [-2.944,2.944]"));
        assert_eq!(found(&[far("90 - 20 - 60"), far("20 - 90 - 60")]), (2, true));
        assert_eq!(found(&[c_chess_cli(40, 1.96, ""), c_chess_cli(30, 1.0, "")]), (0, true));
    }

    #[test]
    fn printed_results_of_the_same_pairs_are_named() {
        let pairs = |ll| Some(Pentanomial { ll, ld: 3, wl_dd: 10, wd: 5, ww: 4 });
        let of = |name: &str, pairs, games: &[u64]| Run {
            counted: Counted { pairs, games: None },
            ..run(name, &[], games, 0, false)
        };
        let said = |one: Run, two: Run| {
            let mut runs = [one, two];
            compare(&mut runs).expect("results");
            runs[1].remarks.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        let same =
            "the same counts as printed; if both are from one match, its games count twice: leave one of them out";
        assert_eq!(said(of("printed", pairs(2), &[]), of("games", pairs(2), &[1, 2])), [same]);
        assert_eq!(said(of("printed", pairs(2), &[]), of("games", pairs(3), &[1, 2])).len(), 0);
        assert_eq!(said(of("one", pairs(2), &[7, 8]), of("games", pairs(2), &[1, 2])).len(), 0, "other games");
        let games = |name: &str, wins| Run {
            counted: Counted { pairs: None, games: Some(Trinomial { wins, draws: 2, losses: 5 }) },
            ..run(name, &[], &[], 0, false)
        };
        let with_pairs = || {
            let counted = Counted { games: games("", 17).counted.games, ..of("", pairs(2), &[]).counted };
            Run { counted, ..of("log", pairs(2), &[1, 2]) }
        };
        assert_eq!(said(games("printed", 17), games("again", 17)), [same]);
        assert_eq!(said(games("printed", 17), with_pairs()), [same]);
        assert_eq!(said(games("printed", 17), games("other", 18)).len(), 0);
        assert_eq!(said(games("printed", 7), games("few", 7)).len(), 0, "chance");
        let few = Some(Pentanomial { wl_dd: 5, ..Pentanomial::default() });
        assert_eq!(said(of("printed", few, &[]), of("games", few, &[])).len(), 0, "chance");
    }

    /// A log that keeps the moves of its first pair, and checksums of two others.
    #[test]
    fn games_kept_as_checksums_are_no_reason_to_refuse_and_are_named() {
        let log = || run("log", &[1, 2, 3], &[11, 12], 4, true);
        let said = |runs: [Run; 2]| {
            let mut runs = runs;
            compare(&mut runs).map(|()| runs[1].remarks.iter().map(ToString::to_string).collect::<Vec<_>>())
        };
        let part = |games: &[u64]| run("part", &[], games, 0, false);
        let error = said([log(), part(&[11, 12])]).expect_err("all of it is in the log").to_string();
        assert!(error.starts_with("part: all of its 2 games are in log as well"), "{error}");
        let not_compared = "4 games of log have no moves that can be compared with those of other sources: if two sources are from one match, \
                            leave one of them out";
        assert_eq!(said([log(), part(&[11, 12, 13])]).expect("results")[1], not_compared);
        assert_eq!(said([log(), part(&[13])]).expect("results"), [not_compared]);
        assert_eq!(said([run("pasted", &[], &[], 0, false), log()]).expect("results").len(), 0);
        // One line for all, not one for each two.
        let mut files: Vec<Run> = (0..9).map(|file| run(&format!("file {file}"), &[], &[], 1, false)).collect();
        compare(&mut files).expect("results");
        let lines: Vec<String> = files.iter().flat_map(|run| run.remarks.iter().map(ToString::to_string)).collect();
        assert!(lines.len() == 1 && lines[0].starts_with("9 games of 9 sources (file 0, file 1,"), "{lines:?}");
        // The checksums of two logs can be compared.
        let error = said([log(), run("copy", &[1, 2], &[11], 3, true)]).expect_err("a copy").to_string();
        assert!(error.starts_with("copy: all of its 4 games are in log as well"), "{error}");
    }

    /// Of long algebraic notation with hyphens only captures are moves in PGN.
    #[test]
    fn games_in_another_notation_are_known_or_named() {
        let game = |round: &str, players: [&str; 2], moves: &str| {
            let [white, black] = players;
            format!(
                "[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"1-0\"]\n\n{moves} 1-0\n\n"
            )
        };
        let run = |name: &str, [one, two]: [&str; 2]| {
            let text = game("1.1", ["a", "b"], one) + &game("1.2", ["b", "a"], two);
            super::super::games::read(name, text.as_bytes(), &super::super::Choice::default(), &mut Seen::default())
                .expect("games")
        };
        let said = |moves| {
            let mut runs =
                [run("san", ["1. e4 e5 2. Nf3 Nc6 3. Nxe5", "1. d4 d5 2. c4 dxc4 3. Qa4+"]), run("other", moves)];
            let before = runs[1].remarks.len();
            let compared = compare(&mut runs).map_err(|error| error.to_string());
            compared.map(|()| runs[1].remarks[before..].iter().map(ToString::to_string).collect::<Vec<_>>())
        };
        for copies in [
            ["1. e2e4 e7e5 2. Ng1f3 Nb8c6 3. Nf3xe5", "1. d2d4 d7d5 2. c2c4 d5xc4 3. Qd1a4+"],
            ["1. e2e4 e7e5 2. g1f3 b8c6 3. f3e5", "1. d2d4 d7d5 2. c2c4 d5c4 3. d1a4"],
        ] {
            let error = said(copies).expect_err("copies");
            assert!(error.starts_with("other: all of its 2 games are in san as well"), "{error}");
        }
        let hyphens = ["1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6 3. Nf3xe5", "1. d2-d4 d7-d5 2. c2-c4 d5xc4 3. Qd1-a4+"];
        let not_compared = "2 games of other have no moves that can be compared with those of other sources: if two sources are from one match, leave one \
             of them out";
        assert_eq!(said(hyphens).expect("results"), [not_compared]);
        assert_eq!(said(["1. e4 e6", "1. d4 e6"]).expect("results"), [""; 0], "other games");
    }

    /// A game from one of several openings whose moves spell a number below 256.
    fn game_of(round: &str, [white, black]: [&str; 2], opening: usize, number: usize, result: &str) -> String {
        let fen = format!("k7/8/8/8/8/8/{}P{}/K6R w - - 0 1", opening + 1, 6 - opening);
        let of_bit = |bit: usize| if number >> bit & 1 == 1 { "Rg1 Kb8 Rh1 Ka8 " } else { "Rf1 Kb8 Rh1 Ka8 " };
        let moves: String = (0..8).map(of_bit).collect();
        format!(
            "[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[FEN \"{fen}\"]\n[Result \"{result}\"]\n\n{moves}{result}\n\n"
        )
    }

    /// Games without rounds have partners by chance, so that a copy of one is hardly ever in a copy of its pair. With rounds it is.
    #[test]
    fn copies_of_games_without_rounds_count_once() {
        let of = |from: usize, to: usize, round: &str| -> String {
            let game = |number: usize| {
                let (pair, is_second) = (number / 2, number % 2 == 1);
                let round = if round.is_empty() { (pair + 1).to_string() } else { round.to_owned() };
                let (white, black) = if is_second { ("b", "a") } else { ("a", "b") };
                let result = ["1-0", "1/2-1/2", "0-1", "1/2-1/2", "1-0"][(pair * 7 + number * 3) % 5];
                // Five openings, and moves that tell all games apart.
                game_of(&round, [white, black], pair % 5, number, result)
            };
            (from..to).map(game).collect()
        };
        let judged = |texts: &[String]| {
            let mut seen = Seen::default();
            let mut runs: Vec<Run> = (0..)
                .zip(texts)
                .map(|(at, text)| {
                    let choice = Choice { first: Some("a".to_owned()), ..Choice::default() };
                    super::super::games::read(&format!("{at}.pgn"), text.as_bytes(), &choice, &mut seen).expect("games")
                })
                .collect();
            compare(&mut runs).expect("results");
            let distinct = runs.iter().map(|run| run.distinct().pairs.map_or(0, |pairs| Results::Pairs(pairs).games()));
            let said = runs.iter().flat_map(|run| run.remarks.iter().map(ToString::to_string)).collect::<Vec<_>>();
            (distinct.sum::<u64>(), said.join("\n"))
        };
        // Where rounds number games, partners are the same in any part of the match.
        let numbered = |those: &[usize], [prefix, suffix]: [&str; 2]| -> String {
            those.iter().map(|&number| of(number, number + 1, &format!("{prefix}{}{suffix}", number + 1))).collect()
        };
        let [first, last]: [Vec<usize>; 2] = [(0..117).collect(), (63..200).collect()];
        let lacking: Vec<usize> = (0..200).filter(|number| number % 9 != 4).collect();
        for around in [["", ""], ["1.", ""], ["", ".1"]] {
            for (one, other) in [(&first, &last), (&last, &first), (&lacking, &first), (&last, &lacking)] {
                let [one, other] = [one, other].map(|those| numbered(those, around));
                let all = judged(&[numbered(&(0..200).collect::<Vec<_>>(), around)]).0;
                for texts in [vec![one.clone(), other.clone()], vec![one + &other]] {
                    let (games, said) = judged(&texts);
                    assert!(all == 200 && games <= 200, "{around:?}: {games} {said}");
                }
            }
            assert_eq!(judged(&[first.clone(), last.clone()].map(|those| numbered(&those, around))).0, 200);
        }
        // Runners that count no rounds write one and the same.
        for round in ["", "?", "1"] {
            let one = judged(&[of(0, 200, round)]);
            assert!(one.0 == 200 && !one.1.contains("earlier pair"), "{one:?}");
            for texts in [vec![of(0, 120, round), of(80, 200, round)], vec![of(0, 120, round) + &of(80, 200, round)]] {
                let (games, said) = judged(&texts);
                // One of an opening and a colour may have no other partner than a copy.
                assert!(games <= 200 && games >= if round.is_empty() { 200 } else { 180 }, "{games} {said}");
                let by_chance = said.contains(
                    "pairs are the same games as an earlier pair, whole or in one game: they add no evidence",
                );
                assert!(by_chance != round.is_empty() && said.contains("earlier pair"), "{said}");
            }
        }
        // One file has games with White alone, and no pairs.
        let both = of(40, 80, "");
        let with_white: Vec<String> = both
            .split("[Round")
            .filter(|game| game.contains("[White \"a\"]"))
            .map(|game| format!("[Round{game}"))
            .collect();
        for texts in [[of(0, 60, ""), with_white.concat()], [with_white.concat(), of(0, 60, "")]] {
            let mut seen = Seen::default();
            let read = |text: &String| {
                let choice = Choice { first: Some("a".to_owned()), ..Choice::default() };
                super::super::games::read("a.pgn", text.as_bytes(), &choice, &mut seen).expect("games")
            };
            let mut runs: Vec<Run> = texts.iter().map(read).collect();
            compare(&mut runs).expect("results");
            // Of its 20 games ten are in the last ten pairs of the other.
            assert_eq!([runs[0].repeated, runs[1].repeated], [0, 10]);
        }
        // Whichever has the rounds.
        for rounds in [["?", ""], ["", "?"], ["1", ""], ["", "1"]] {
            let (games, said) = judged(&[of(0, 120, rounds[0]), of(80, 200, rounds[1])]);
            assert!((160..=200).contains(&games), "{rounds:?}: {games} {said}");
        }
    }

    /// Games that are exported again with rounds of another form are copies.
    #[test]
    fn games_under_rounds_of_another_form_count_once() {
        let of = |prefix: &str, is_constant: bool| -> String {
            let game = |number: usize| {
                let (white, black) = if number % 2 == 1 { ("b", "a") } else { ("a", "b") };
                let result = ["1-0", "1/2-1/2", "0-1", "1/2-1/2", "1-0"][(number / 2 * 7 + number * 3) % 5];
                let round = if is_constant { prefix.to_owned() } else { format!("{prefix}{}", number + 1) };
                game_of(&round, [white, black], number / 2 % 5, number, result)
            };
            (0..80).map(game).collect()
        };
        let distinct = |text: &str| {
            let choice = Choice { first: Some("a".to_owned()), ..Choice::default() };
            let mut runs =
                [super::super::games::read("a.pgn", text.as_bytes(), &choice, &mut Seen::default()).expect("games")];
            compare(&mut runs).expect("results");
            runs[0].distinct().pairs
        };
        let [parts, numbers] = ["1.", ""].map(|prefix| of(prefix, false));
        let once = distinct(&parts);
        assert!(once.is_some());
        assert_eq!(
            [[&parts, &numbers], [&numbers, &parts]].map(|both| distinct(&both.map(String::as_str).concat())),
            [once; 2]
        );
        // Programs that count no rounds write the same into all games.
        for round in ["0", "1", "?"] {
            assert_eq!(distinct(&(numbers.clone() + &of(round, true))), once, "{round}");
        }
    }

    /// A game of another event, whose round has another form or is 0, says nothing of the numbers of others.
    #[test]
    fn numbers_of_games_are_those_of_their_event() {
        let game = |number: usize| {
            let (white, black) = if number % 2 == 1 { ("b", "a") } else { ("a", "b") };
            let result = ["1-0", "1/2-1/2", "0-1", "1/2-1/2", "1-0"][(number / 2 * 7 + number * 3) % 5];
            game_of(&format!("1.{}", number + 1), [white, black], 0, number, result)
        };
        let pairs = |text: &str| {
            let choice = Choice { first: Some("a".to_owned()), ..Choice::default() };
            super::super::games::read("a.pgn", text.as_bytes(), &choice, &mut Seen::default())
                .expect("games")
                .counted
                .pairs
        };
        let games: String = (0..80).map(game).collect();
        let alone = pairs(&games);
        assert!(alone.is_some());
        for round in ["1", "0", "0.1", "3"] {
            let other = format!("[Event \"other\"]\n{}", game_of(round, ["a", "b"], 3, 200, "1-0"));
            assert_eq!(pairs(&(games.clone() + &other)), alone, "{round}");
        }
    }

    /// Engines without a clock play some games again, in other rounds; pairs with such a game are new ones, whatever rounds say of partners.
    #[test]
    fn games_that_engines_play_again_leave_their_pairs() {
        let game = |number: usize, round: usize| {
            // All games with one colour, then all reversed; those of White come again.
            let (cycle, is_second) = (number / 10, number / 10 % 2 == 1);
            let (white, black) = if is_second { ("b", "a") } else { ("a", "b") };
            let walk = if is_second { 16 + number } else { number % 10 };
            game_of(&(round + cycle * 10).to_string(), [white, black], number % 10 % 7, walk, "1/2-1/2")
        };
        let text: String = (0..60).map(|number| game(number, number % 10)).collect();
        let choice = Choice { first: Some("a".to_owned()), ..Choice::default() };
        let mut runs =
            [super::super::games::read("a.pgn", text.as_bytes(), &choice, &mut Seen::default()).expect("games")];
        compare(&mut runs).expect("results");
        assert_eq!((runs[0].counted.pairs.map(|pairs| pairs.wl_dd), runs[0].repeated), (Some(30), 0));
    }

    /// A game that comes again takes neither the order from the others nor its partner, where rounds say who that is.
    #[test]
    fn a_game_that_comes_again_leaves_the_order_of_pairs() {
        let of = |numbered: bool| {
            let game = |number: usize| {
                let (pair, is_second) = (number / 2, number % 2 == 1);
                let round =
                    if numbered { format!("{}.{}", pair + 1, number % 2 + 1) } else { (number + 1).to_string() };
                let (white, black) = if is_second { ("b", "a") } else { ("a", "b") };
                // White's game of one opening comes again.
                let (result, walk) = if pair % 4 == 0 && !is_second { ("1-0", 0) } else { ("1/2-1/2", number + 1) };
                game_of(&round, [white, black], pair % 2, walk, result)
            };
            let text: String = (0..120).map(game).collect();
            let choice = Choice { first: Some("a".to_owned()), ..Choice::default() };
            let mut runs =
                [super::super::games::read("a.pgn", text.as_bytes(), &choice, &mut Seen::default()).expect("games")];
            compare(&mut runs).expect("results");
            let [run] = runs;
            (run.course.map(|course| course.halves().collect::<Vec<_>>()), run.repeated)
        };
        let (course, repeated) = of(true);
        assert!(course.as_ref().is_some_and(|course| course.len() == 60), "{course:?}");
        assert_eq!(of(false), (course, repeated));
    }
}
