//! Results in words, with the test that stands beside them.

use std::collections::BTreeMap;

use super::{NamedTest, Remark, ResultsError, Run, TestPlace};
use crate::arena::Conduct;
use drawish_stats::{
    Counted, Decision, Model, NoFigure, PrintedTest, Results, Sprt, Strength, Tested, numbers, plain_text,
    ratio_of_unnamed_test, read_printed, says_stopped,
};

/// The results of a text, with the test that is printed beside them.
pub(super) fn read(name: String, text: &str) -> Result<Run, ResultsError> {
    let text = &plain_text(text);
    let found = read_printed(text).map_err(|cause| ResultsError::Text { name: name.clone(), cause })?;
    if let Some(said) = text.lines().find_map(dependence) {
        return Err(ResultsError::Dependent { name, said });
    }
    let (test, of_test) = match found.test.map(|test| test_of(&test, found.counted)) {
        Some(Ok((sprt, other_llr))) => (Some(NamedTest { sprt, place: TestPlace::Printed }), other_llr),
        Some(Err(why)) => (None, Some(Remark::UnusableTest(why))),
        None => (None, found.other_tests.map(|[first, second]| Remark::SeveralTests { first, second })),
    };
    let is_undecided = text.lines().any(says_undecided);
    let ended = match (test, &found.test, &of_test) {
        (Some(named), Some(printed), None) if !is_undecided => ended(printed, &named.sprt, found.counted),
        _ => None,
    };
    let of_end = ended
        .filter(|ended| ended.is_before_bound)
        .map(|Ended { decision, is_early, .. }| Remark::Ended { decision, is_early });
    let earlier = (found.earlier > 0).then_some(Remark::Earlier(found.earlier));
    let unread = found.unread_test.map(Remark::UnreadTest);
    let outside = outside_pairs(found.counted).map(Remark::OutsidePairs);
    let conducts = conducts(text, found.counted).map(Remark::Conduct);
    let other_error = other_error(text, found.counted);
    let remarks = earlier
        .into_iter()
        .chain(of_test)
        .chain(unread)
        .chain(of_end)
        .chain(other_error)
        .chain(outside)
        .chain(conducts)
        .collect();
    let is_part = text.lines().any(has_no_stop);
    let is_stopped = ended.is_some() || text.lines().any(says_stopped);
    let ended = ended.map(|ended| ended.decision);
    let sides = found.sides.or_else(|| own_sides(text));
    // More games may stand behind it.
    let ratio = text.lines().rev().take_while(|line| !line.contains("Score of ")).find_map(ratio_of_unnamed_test);
    Ok(Run { ratio, sides, remarks, test, is_part, is_stopped, ended, ..Run::of_counts(name, found.counted) })
}

/// How the line begins that this program prints of all results.
const FIXED: &str = "Elo, as if the number of games had been fixed";

/// The sides in the title of what this program prints of results: `a against b`.
fn own_sides(text: &str) -> Option<[String; 2]> {
    let above: Vec<&str> = text.lines().take_while(|line| !line.starts_with("Elo: ")).collect();
    // Remarks on sources have a colon behind the name, and so have headings by hand.
    let title = above.iter().rev().find(|line| line.contains(" against ") && !line.contains(':'))?;
    let (first, second) = title.split_once(" against ")?;
    let is_own = !second.contains(" against ") && text.lines().any(|line| line.starts_with(FIXED));
    (is_own && first != second).then(|| [first, second].map(|side| side.trim().to_owned()))
}

/// How many games are in no pair, where pairs and games are printed: those whose partner had not ended, or has no result.
fn outside_pairs(counted: Counted) -> Option<u64> {
    let in_pairs = Results::Pairs(counted.pairs?).games();
    Results::Games(counted.games?).games().checked_sub(in_pairs).filter(|games| *games > 0)
}

/// Whether this program says in a line that the test goes on.
fn says_undecided(line: &str) -> bool {
    line.starts_with("Undecided: ") || line.starts_with("The test is undecided.")
}

/// Whether this program says in a line that these results are not those at which a test stopped them.
fn has_no_stop(line: &str) -> bool {
    let is_unknown = |rest: &str| rest.trim_start().starts_with("not known");
    ["Elo, corrected for the stop:", "Elo, if it ended here:"]
        .into_iter()
        .any(|begin| line.strip_prefix(begin).is_some_and(is_unknown))
        || line.starts_with("Decided after ") && line.contains(" more pair")
        || line.split_once(" runs added: ").is_some_and(|(runs, _)| runs.parse::<u64>().is_ok())
}

/// Whether the last error of Elo that is printed is far larger than these counts have, of pairs or of games: games that depend on each other
/// or are repeated may be among them.
fn other_error(text: &str, counted: Counted) -> Option<Remark> {
    let errors = [counted.pairs.map(Results::Pairs), counted.games.map(Results::Games)].into_iter().flatten();
    let largest = errors.filter_map(|results| Strength::of(&results).elo_error).max_by(f64::total_cmp)?;
    let printed = text.lines().rev().find_map(error_of_elo)?;
    let is_larger = printed.is_none_or(|printed| printed > FAR_LARGER * largest);
    is_larger.then_some(Remark::OtherError { printed, found: largest })
}

/// Errors of the same counts differ by less: those of pairs and games, and of other ways to the ends of an interval.
const FAR_LARGER: f64 = 1.4;

/// The number behind `Elo: 3.01 +/-` or its relatives, if the line is one of these; `None` within it for the dash of no error.
fn error_of_elo(line: &str) -> Option<Option<f64>> {
    let line = line.trim();
    let of_elo = line.get(..3).filter(|word| word.eq_ignore_ascii_case("elo")).map(|_| &line[3..])?;
    let (value, error) =
        of_elo.split_once("+/-").or_else(|| of_elo.split_once('±')).or_else(|| of_elo.split_once("+-"))?;
    let value = value.split_whitespace().next_back()?.trim_start_matches([':', '|']);
    value.parse::<f64>().ok()?;
    let error = error.trim_start();
    let end = error.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(error.len());
    // `+- 99%: 14.94` names the confidence first.
    if error[end..].starts_with('%') {
        return None;
    }
    match error[..end].parse::<f64>() {
        Ok(error) => Some(Some(error)),
        Err(_) if error.starts_with("-,") => Some(None),
        Err(_) => None,
    }
}

/// Games lost by faults, by player: as fastchess counts them behind a match, and as this program says it of a match and of results. What stands
/// last counts.
fn conducts(text: &str, counted: Counted) -> impl Iterator<Item = Conduct> {
    let of_pairs = counted.pairs.map(|pairs| Results::Pairs(pairs).games());
    let all = of_pairs.or(counted.games.map(|games| Results::Games(games).games())).unwrap_or_default();
    let of = |name: &str, games, faults| Conduct { name: name.to_owned(), games, faults, overran: 0 };
    let number = |text: &str| text.trim().replace(',', "").parse::<u64>().ok();
    let mut found: BTreeMap<String, Conduct> = BTreeMap::new();
    let mut player = "";
    for line in text.lines().map(str::trim) {
        let noted = if let Some(name) = line.strip_prefix("Player: ") {
            player = name;
            Some(of(name, all, 0))
        } else if let Some(faults) = line.strip_prefix("Timeouts:").or(line.strip_prefix("Crashed:")).and_then(number) {
            found.get(player).map(|before| of(player, all, faults.saturating_add(before.faults)))
        } else if let Some((name, faults)) =
            line.strip_prefix("Lost by faults of ").and_then(|rest| rest.rsplit_once(": "))
        {
            let each = faults.split(", ").map(|fault| fault.split(' ').next().and_then(number).unwrap_or_default());
            Some(of(name, all, each.fold(0, u64::saturating_add)))
        } else if let Some((begin, _)) = line.split_once(" by a fault (")
            && let Some((name, rest)) = begin.split_once(" lost ")
            && let Some((faults, games)) = rest.split_once(" of ")
        {
            let games = games.split(' ').next().and_then(number);
            number(faults).zip(games).map(|(faults, games)| of(name, games, faults))
        } else {
            None
        };
        found.extend(noted.map(|conduct| (conduct.name.clone(), conduct)));
    }
    found.into_values().filter(|conduct| conduct.faults > 0)
}

/// What this program says in a line of printed results that their counts do not show: games that count less than others, or not at all.
fn dependence(line: &str) -> Option<&'static str> {
    let words = [
        (" the same games as an earlier ", "some are the same games as others"),
        (" the same game as an earlier ", "one is the same game as another"),
        (": errors by opening", "games of one opening depend on each other"),
        (": errors for just this opening", "games of one opening depend on each other"),
        (": errors for just these openings", "games of one opening depend on each other"),
        (": taken together: ", "they are against several opponents"),
    ];
    words.into_iter().find_map(|(sign, said)| line.contains(sign).then_some(said))
}

/// The test that is printed beside results: in the scale that is named, or in the one of normalized, logistic and bayesian Elo that gives
/// the printed ratio best. If several give its decimals it is the first of these, but where single games were tested the last; if none does, normalized
/// Elo, with what must be said then.
///
/// # Errors
///
/// Why there is no such test, or none for these results.
fn test_of(printed: &PrintedTest, counted: Counted) -> Result<(Sprt, Option<Remark>), String> {
    let PrintedTest { elo0, elo1, alpha, beta, model, llr, .. } = *printed;
    let of = |model| -> Result<(Sprt, Option<f64>), String> {
        let sprt = Sprt::new(model, elo0, elo1, alpha, beta).map_err(|error| error.to_string())?;
        let results = Counted::results(&[counted], model == Model::Bayesian).map_err(|error| error.to_string())?;
        Ok((sprt, results.first().and_then(|results| sprt.llr(results).ok())))
    };
    let (usual, found) = of(model.unwrap_or(Model::Normalized))?;
    let (Some(llr), Some(found)) = (llr, found) else {
        return Ok((usual, (llr.is_none() && model.is_none()).then_some(Remark::NoRatio)));
    };
    // Tests of single games are those of fishtest, until 2020, and of OpenBench.
    let is_bayesian = counted.pairs.is_none() && printed.percentage.is_none();
    let models = match &model {
        Some(model) => std::slice::from_ref(model),
        None if is_bayesian => &[Model::Bayesian, Model::Normalized, Model::Logistic],
        None => &[Model::Normalized, Model::Logistic, Model::Bayesian],
    };
    let all = models.iter().filter_map(|&model| of(model).ok());
    let agreeing = all.filter_map(|(sprt, found)| Some((sprt, found.filter(|found| agree(*found, llr))?)));
    // What two decimals leave out says nothing.
    let distance = |found: f64| (found - llr).abs().max(0.005 + 1e-9);
    let nearest = agreeing.min_by(|(_, one), (_, other)| distance(*one).total_cmp(&distance(*other)));
    Ok(nearest.map_or((usual, Some(Remark::OtherLlr { printed: llr, found })), |(sprt, _)| (sprt, None)))
}

/// How a runner has ended the test that it prints.
#[derive(Clone, Copy)]
struct Ended {
    decision: Decision,
    /// The ratio of the results is not at a bound.
    is_before_bound: bool,
    /// Nor is the printed one.
    is_early: bool,
}

fn ended(printed: &PrintedTest, sprt: &Sprt, counted: Counted) -> Option<Ended> {
    let results = Counted::results(&[counted], sprt.model() == Model::Bayesian).ok()?;
    let results = results.first()?;
    let decision = printed.decision(sprt, results).ok().filter(|decision| *decision != Decision::Continue)?;
    let is_before_bound = sprt.decide(sprt.llr(results).ok()?) == Decision::Continue;
    Some(Ended { decision, is_before_bound, is_early: !printed.is_at_bound() })
}

/// What the runner has decided by this test, where the ratio of the results, which has no more than its decimals, or is of a runner that
/// ends tests early, is not yet at a bound.
pub(super) fn ended_by_runner(run: &Run, tested: &Tested) -> Option<Decision> {
    let is_own = run.test.is_some_and(|named| are_same(&tested.sprt, &named.sprt));
    run.ended.filter(|_| is_own && tested.decision == Decision::Continue)
}

impl Run {
    /// What is to be said, in a sentence, if a test that was given is decided and that of the runner, by the ratio and the bounds that it prints, is not, or
    /// otherwise.
    #[must_use]
    pub fn other_verdict_of_runner(&self, tested: &Tested) -> Option<String> {
        // cutechess prints 0 where wins, draws or losses are 0.
        let [llr, lower, upper] = self.ratio.filter(|[llr, ..]| *llr != 0.0)?;
        let (of_runner, decided) = match llr {
            llr if llr <= lower => (Decision::H0, "otherwise"),
            llr if llr >= upper => (Decision::H1, "otherwise"),
            _ => (Decision::Continue, "nothing"),
        };
        let [llr, lower, upper] = [llr, lower, upper].map(|value| numbers::fixed(value, 2));
        (tested.decision != Decision::Continue && tested.decision != of_runner).then(|| {
            format!(
                "The runner prints an LLR of {llr} with the bounds {lower} and {upper}: its own test has decided {decided}. Its hypotheses, their scale (logistic Elo in cutechess-cli), alpha or beta are others."
            )
        })
    }
}

/// Whether a ratio is the one that is printed: with two decimals, and runners differ in what they do with counts of 0.
fn agree(found: f64, printed: f64) -> bool {
    (found - printed).abs() <= 0.02 + 0.03 * printed.abs()
}

/// Whether a test is the one that is printed: bounds of either kind have two decimals there.
fn are_same(one: &Sprt, printed: &Sprt) -> bool {
    let bounds = |test: &Sprt| [test.bounds(), [test.lower(), test.upper()]].concat();
    one.model() == printed.model()
        && bounds(one).iter().zip(bounds(printed)).all(|(one, other)| (one - other).abs() < 0.011)
}

/// Why printed results were not stopped by the test that has judged them, if that is known: another test is printed with them and
/// decided, or a ratio that is not theirs, as after more games.
pub(super) fn other_stop(run: &Run, tested: &Tested) -> Option<NoFigure> {
    let Some(named) = run.test.filter(|named| named.place == TestPlace::Printed) else {
        let is_other = run.is_stopped && tested.decision == Decision::Continue;
        let is_other_verdict = || run.other_verdict_of_runner(tested).is_some();
        // It may have decided alike by hypotheses in another scale, and stopped elsewhere.
        let is_other_ratio = || {
            let ratio = run.ratio.map(|[llr, ..]| llr).filter(|llr| *llr != 0.0);
            tested.decision != Decision::Continue && ratio.is_some_and(|llr| !agree(tested.llr, llr))
        };
        if is_other {
            return Some(NoFigure::UnnamedStop);
        }
        return (is_other_verdict() || is_other_ratio()).then_some(NoFigure::OtherRatio);
    };
    let printed = run.remarks.iter().find_map(|remark| match remark {
        Remark::OtherLlr { printed, .. } => Some(*printed),
        _ => None,
    });
    if let Some(printed) = printed {
        return (!agree(tested.llr, printed)).then_some(NoFigure::OtherRatio);
    }
    if are_same(&tested.sprt, &named.sprt) {
        return None;
    }
    let results = Counted::results(&[run.counted], named.sprt.model() == Model::Bayesian).ok()?;
    let other = Tested::of(results.first()?, named.sprt).ok()?;
    (run.ended.is_some() || other.decision != Decision::Continue).then_some(NoFigure::OtherStop)
}

#[cfg(test)]
mod tests {
    use super::super::judge;
    use super::*;

    /// What this program has printed is read again: whose results they are, and that those of several sources were not stopped where they end.
    #[test]
    fn own_results_are_read_again() {
        let text = "a against b\na.pgn: 60 pairs by round and opening\nElo: -43.66 +/- 46.86, nElo: -58.90 +/- 63.98\nLOS: 3.60 %, DrawRatio: 35.00 \
                    %, PairsRatio: 0.56\nGames: 120, Wins: 31, Losses: 46, Draws: 43, Points: 52.5 (43.75 %)\nPtnml(0-2): [7, 18, 21, 11, 3]\n\n\
                    Elo, as if the number of games had been fixed: -43.66 (95 % interval -90.96 to 3.38)\n";
        let of = |text: &str| read("printed".to_owned(), text).expect("results");
        assert_eq!((of(text).sides, of(text).is_part), (Some(["a".to_owned(), "b".to_owned()]), false));
        let sum =
            of(&format!("{text}2 runs added: no sign that they differ (p = 0.6644, taken seriously below 0.01).\n"));
        assert!(sum.is_part);
        assert_eq!(of(&text.replace("a against b\n", "a against b against c\n")).sides, None);
        assert_eq!(of(&text.replace("a against b\n", "")).sides, None);
        assert_eq!(of(&format!("My new build against master, at 8+0.08:\n{text}")).sides, of(text).sides);
        assert_eq!(
            of(&text.replace("a against b\n", "My new build against master:\n").replace(FIXED, "Elo: ")).sides,
            None
        );
    }

    /// cutechess prints neither hypotheses nor scale, but the ratio and its bounds.
    #[test]
    fn a_runner_that_has_decided_nothing_shows_another_test() {
        let judged = |score: &str, behind: &str, model, risk| {
            let text = format!("Score of new vs old: {score}\n{behind}\n");
            let run = read("printed".to_owned(), &text).expect("results");
            let sprt = Sprt::new(model, 0.0, 5.0, risk, risk).expect("a test");
            let found = judge(std::slice::from_ref(&run), Some(sprt), None).expect("judged");
            let tested = found.test.expect("a test");
            let said = run.other_verdict_of_runner(&tested);
            let reversed = run.reversed();
            let other = Sprt::new(model, -5.0, 0.0, risk, risk).expect("a test");
            let other =
                judge(std::slice::from_ref(&reversed), Some(other), None).expect("judged").test.expect("a test");
            assert_eq!(said.is_some(), reversed.other_verdict_of_runner(&other).is_some());
            let is_known = tested.estimate != Err(NoFigure::OtherRatio);
            assert!(said.is_none() || !is_known, "{tested:?}");
            (said, is_known)
        };
        let score = "3704 - 3480 - 16824  [0.505] 24008";
        let said = |behind: &str, model, risk| judged(score, behind, model, risk).0;
        let line = "SPRT: llr 2.47 (83.9%), lbound -2.94, ubound 2.94";
        assert!(said(line, Model::Normalized, 0.05).is_some_and(|said| said.contains("has decided nothing")));
        assert_eq!(said(line, Model::Logistic, 0.05), None, "it is not decided by this test, either");
        let wide = "SPRT: llr 3.93 (85.5%), lbound -4.6, ubound 4.6";
        assert!(said(wide, Model::Normalized, 0.05).is_some());
        assert_eq!(said(wide, Model::Normalized, 0.01), None);
        let other = "SPRT: llr -2.95 (-100.2%), lbound -2.94, ubound 2.94";
        assert!(said(other, Model::Normalized, 0.05).is_some_and(|said| said.contains("has decided otherwise")));
        // A ratio that is decided alike, none, and one of fewer games.
        for behind in [
            "SPRT: llr 2.95 (100.2%), lbound -2.94, ubound 2.94",
            "Elo difference: 3.2 +/- 2.4",
            "SPRT: llr 0 (0.0%), lbound -2.94, ubound 2.94",
        ] {
            assert_eq!(said(behind, Model::Normalized, 0.05), None, "{behind}");
        }
        let later = format!("{line}\nScore of new vs old: 3704 - 3480 - 16824  [0.505] 24008");
        assert_eq!(said(&later, Model::Normalized, 0.05), None);
        // Decided alike, but stopped by another test than by the one that is given.
        let at_bound = "SPRT: llr 2.95 (100.2%), lbound -2.94, ubound 2.94";
        for (model, is_known) in [(Model::Normalized, false), (Model::Logistic, true)] {
            let score = "4424 - 4156 - 20093  [0.505] 28673";
            assert_eq!(judged(score, at_bound, model, 0.05), (None, is_known), "{model:?}");
        }
    }

    /// What a log or PGN shows is gone where only its counts are left: 12 pairs that were played ten times would be 120.
    #[test]
    fn printed_results_that_depend_on_each_other_are_not_judged() {
        let said = |remark: &str| {
            let text = format!("a.pgn: {remark}\nPtnml(0-2): [10, 0, 70, 0, 40]\n");
            read("printed".to_owned(), &text).map(|_| ()).map_err(|error| error.to_string())
        };
        assert_eq!(said(&Remark::Paired { by_round: 120, by_opening: 0 }.to_string()), Ok(()));
        let dependent = [
            Remark::Repeated { repeated: 108, all: 120, noun: "pair", by_chance: false },
            Remark::Repeated { repeated: 1, all: 120, noun: "pair", by_chance: false },
            Remark::Repeated { repeated: 1, all: 120, noun: "game", by_chance: false },
            Remark::ByOpening { openings: 60, are_few: false, pairs: 120, noun: "pair" },
            Remark::ByOpening { openings: 4, are_few: true, pairs: 120, noun: "pair" },
            Remark::ByOpening { openings: 1, are_few: true, pairs: 120, noun: "pair" },
            Remark::Together { openings: 60, are_few: false, pairs: 120, noun: "pair" },
            Remark::Against(vec![("b".to_owned(), 120), ("c".to_owned(), 120)]),
        ];
        for remark in dependent {
            let said = said(&remark.to_string()).expect_err(&remark.to_string());
            assert!(said.ends_with("give the log or the PGN of these games"), "{said}");
        }
    }

    /// What stands around a block may be left behind when it is pasted.
    #[test]
    fn errors_that_are_not_those_of_the_counts_are_noted() {
        let said = |line: &str| {
            let text =
                format!("{line}\nGames: 240, Wins: 130, Losses: 70, Draws: 40\nPtnml(0-2): [10, 0, 70, 0, 40]\n");
            read("printed".to_owned(), &text).expect("results").remarks
        };
        for line in [
            "Elo: 88.72 +/- 131.93, nElo: 103.19 +/- 147.59",
            "Elo difference: 88.7 +/- 131.9, LOS: 89.1 %",
            "ELO: 88.72 +-131.9 (95%) LOS: 89.1%",
            "Elo   | 88.72 ± 131.93 (95%)",
            "Elo: 88.72 +/- -, nElo: - +/- -",
        ] {
            assert!(
                matches!(said(line)[..], [Remark::OtherError { found, .. }] if (found - 41.0).abs() < 3.0),
                "{line}"
            );
        }
        for line in ["Elo: 88.72 +/- 39.66", "Elo: 88.72 +/- 44.00", "nElo: 103.19 +/- 147.59", "Elo: some +/- 200"] {
            assert_eq!(said(line), [], "{line}");
        }
    }

    /// As a runner prints them that counts games when they end, and pairs when both have.
    #[test]
    fn games_outside_pairs_are_noted() {
        let said = |games: &str| {
            read("printed".to_owned(), &format!("{games}\nPtnml(0-2): [1, 2, 3, 4, 5]")).expect("results").remarks
        };
        assert_eq!(said("W: 15 L: 5 D: 10"), []);
        let noted = said("W: 15 L: 5 D: 11").iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(noted, ["1 of the wins, losses and draws is in no pair, and is left out where pairs are judged"]);
        assert_eq!(said("W: 15 L: 5 D: 15"), [Remark::OutsidePairs(5)]);
    }

    /// A verdict over games that were lost by time is none over strength.
    #[test]
    fn games_lost_by_faults_are_noted() {
        let own = Conduct { name: "b c".to_owned(), games: 1200, faults: 37, overran: 0 };
        let text = format!(
            "Timeouts: 7\nPlayer: old\n  Timeouts: 3\n  Crashed: 12\nPlayer: new\n  Timeouts: 0\n{own}\nLost by faults of a: b: 14 crash, 2 late.\n\
             Ptnml(0-2): [10, 0, 70, 0, 40]\n"
        );
        let run = read("printed".to_owned(), &text).expect("results");
        let old = Conduct { name: "old".to_owned(), games: 240, faults: 15, overran: 0 };
        let of_match = Conduct { name: "a: b".to_owned(), games: 240, faults: 16, overran: 0 };
        assert_eq!(run.remarks, [of_match, own, old].map(Remark::Conduct));
    }

    /// fishtest ends its tests before the bound, others when the ratio that they print is there.
    #[test]
    fn a_test_is_decided_when_its_runner_has_ended_it() {
        let found = |text: &str| {
            let runs = [read("printed".to_owned(), text).expect("results")];
            let tested = judge(&runs, None, None).expect("an analysis").test.expect("a test");
            let above = tested.estimate.is_ok_and(|found| found.low > -0.1);
            (tested.decision, above, runs[0].was_stopped(None), runs[0].remarks.clone())
        };
        let counts = "Total: 151072 W: 39154 L: 38677 D: 73241\nPtnml(0-2): 372, 17511, 39320, 17934, 399";
        let early = |decision| vec![Remark::Ended { decision, is_early: true }];
        for bounds in ["<0.00,2.00>", "{0.00,2.00}"] {
            let text = format!("LLR: 2.93 (-2.94,2.94) {bounds}\n{counts}");
            assert_eq!(found(&text), (Decision::H1, true, true, early(Decision::H1)));
        }
        let text = format!("LLR: 2.93 (-2.94, 2.94) [0.00, 2.00]\n{counts}");
        assert_eq!(found(&text), (Decision::Continue, true, false, Vec::new()), "another runner may go on");
        let text = format!("LLR: 2.94 (-2.94, 2.94) [0.00, 2.00]\n{counts}");
        let ended = vec![Remark::Ended { decision: Decision::H1, is_early: false }];
        assert_eq!(found(&text), (Decision::H1, true, true, ended), "by its rounded ratio");
        // A ratio that is rounded to the bound from below, which its percentage or another line says.
        for going_on in [
            "LLR: 2.94 (99.9%) (-2.94, 2.94) [0.00, 2.00]",
            "LLR: 2.94 (-2.94, 2.94) [0.00, 2.00]\nUndecided: the LLR has reached neither of its bounds.",
        ] {
            assert_eq!(found(&format!("{going_on}\n{counts}")).0, Decision::Continue, "{going_on}");
        }
        let text = format!("LLR: 2.94 (100.0%) (-2.94, 2.94) [0.00, 2.00]\n{counts}");
        assert_eq!(found(&text).0, Decision::H1);
        let reversed = read("printed".to_owned(), &text).expect("results").reversed();
        assert_eq!(reversed.remarks, [Remark::Ended { decision: Decision::H0, is_early: false }]);
        // The other side, and a test that goes on.
        let other = "LLR: -2.93 (-2.94,2.94) <-2.00,0.00>\nPtnml(0-2): 399, 17934, 39320, 17511, 372";
        assert_eq!(found(other), (Decision::H0, false, true, early(Decision::H0)));
        let going_on = "LLR: 1.47 (-2.94,2.94) <0.00,2.00>\nPtnml(0-2): 186, 8756, 19660, 8967, 199";
        assert_eq!(found(going_on), (Decision::Continue, false, false, Vec::new()));
    }

    /// Counts for which a test in either scale gives nearly the printed ratio.
    #[test]
    fn the_scale_is_the_one_that_gives_the_printed_ratio() {
        let model = |llr: &str, name: &str| {
            let text = format!(
                "LLR: {llr} (100.5%) (-2.94, 2.94) [0.00, 5.00]{name}\nPtnml(0-2): [137, 1387, 4064, 1515, 154]\n"
            );
            let run = read("printed".to_owned(), &text).expect("results");
            let others = run.remarks.iter().filter(|remark| matches!(remark, Remark::OtherLlr { .. }));
            (run.test.expect("a test").sprt.model(), others.count())
        };
        assert_eq!(model("2.96", ""), (Model::Logistic, 0));
        assert_eq!(model("2.90", ""), (Model::Normalized, 0));
        assert_eq!(model("2.96", " normalized Elo"), (Model::Normalized, 0));
        assert_eq!(model("1.00", ""), (Model::Normalized, 1));
        // Where several give it, games were tested that are no pairs. (Berserk, 29 October 2021.)
        let of_games = |percent: &str| {
            let text =
                format!("LLR | 2.95 {percent}(-2.94, 2.94) [0.00, 5.00]\nGAMES | N: 30256 W: 4920 L: 4682 D: 20654");
            read("printed".to_owned(), &text).expect("results").test.map(|named| named.sprt.model())
        };
        assert_eq!(["", "(100.2%) "].map(of_games), [Some(Model::Bayesian), Some(Model::Normalized)]);
        let without = read("printed".to_owned(), "LLR: ? (-2.94, 2.94) [0.00, 5.00]\nW: 49 L: 46 D: 20");
        assert_eq!(without.expect("results").remarks, [Remark::NoRatio]);
        // Blanks of another kind hide no ratio.
        let text =
            "LLR\u{a0}|\u{a0}2.95\u{202f}(\u{2212}2.94,\u{a0}2.94)\u{a0}[0.00,\u{a0}5.00]\nW: 4920 L: 4682 D: 20654";
        let test = read("printed".to_owned(), text).expect("results").test.expect("a test");
        assert_eq!(test.sprt.model(), Model::Bayesian);
    }
}
