//! Results against several opponents, who are met from the same openings, be it in one source or in several.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::{Remark, Run, colours, stopped};
use drawish_stats::{
    Analysis, AnalysisError, Clustered, Counted, FEWEST_DIFFERING, Pentanomial, Pool, Results, Sprt, Trinomial,
    design_effect,
};

/// The pairs of a run, or its games where none are paired: whom they were played against, from which opening, and with which share of the points.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Met {
    opponents: Vec<String>,
    /// The place of each opponent.
    places: HashMap<String, usize>,
    pairs: Vec<MetPair>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct MetPair {
    /// By its place among the opponents.
    opponent: usize,
    /// `None` where nothing names it: it is shared with no other pair.
    opening: Option<u64>,
    /// Of the points, 0 to 1.
    score: f64,
    /// Whether it is left out of all that judges.
    is_repeated: bool,
}

/// Pairs of several opponents, and what they have in common.
#[derive(Clone, PartialEq, Debug, Default)]
struct Together {
    /// Those that are named, and pairs that name none.
    openings: u64,
    /// How many clusters the pairs make.
    clusters: u64,
    /// Whether these openings are few and come again: what others would give they cannot show, so that errors are for just these.
    are_few: bool,
    /// Those of an opponent are a stratum, those from an opening a cluster.
    pairs: Vec<Clustered>,
}

impl Met {
    /// Adds a pair against this opponent, with this share of its points.
    pub(super) fn add(&mut self, opponent: &str, opening: Option<u64>, score: f64) {
        let opponent = self.place(opponent);
        self.pairs.push(MetPair { opponent, opening, score, is_repeated: false });
    }

    /// Names an opponent, of whom single pairs need not be known.
    pub(super) fn name(&mut self, opponent: &str) {
        self.place(opponent);
    }

    fn place(&mut self, opponent: &str) -> usize {
        *self.places.entry(opponent.to_owned()).or_insert_with(|| {
            self.opponents.push(opponent.to_owned());
            self.opponents.len() - 1
        })
    }

    /// Leaves out the pairs at these places: they are the same games as others.
    fn leave_out(&mut self, places: Vec<usize>) {
        for place in places {
            if let Some(pair) = self.pairs.get_mut(place) {
                pair.is_repeated = true;
            }
        }
    }

    /// Whether there are more than one.
    pub(super) fn has_several_opponents(&self) -> bool {
        self.opponents.len() > 1
    }

    /// The same for the opponent, where there is only one, who has met this side.
    pub(super) fn reversed(self, side: &str) -> Met {
        let pairs = self.pairs.into_iter().map(|pair| MetPair { score: 1.0 - pair.score, ..pair });
        let opponents: Vec<String> = self.opponents.iter().map(|_| side.to_owned()).collect();
        let places = opponents.iter().cloned().zip(0..).collect();
        Met { pairs: pairs.collect(), opponents, places }
    }

    /// How many pairs are worth an independent one, and what is to be said where opponents share openings.
    pub(super) fn effect(&self, noun: &'static str) -> (f64, Option<Remark>) {
        let Together { openings, clusters, are_few, pairs } = together([(self, 1.0)]);
        let effect = design_effect(&pairs, &[], &results(self.distinct(), noun == PAIR));
        let pairs = pairs.len() as u64;
        let remark = Remark::ByOpening { openings, are_few, pairs, noun };
        // Of one opponent errors are as if its openings did not come again.
        (effect, (self.has_several_opponents() && (are_few || clusters < pairs)).then_some(remark))
    }

    fn distinct(&self) -> impl Iterator<Item = &MetPair> {
        self.pairs.iter().filter(|pair| !pair.is_repeated)
    }
}

/// What is counted, in remarks.
const PAIR: &str = "pair";

/// The results of pairs, or of games.
fn results<'a>(met: impl Iterator<Item = &'a MetPair>, of_pairs: bool) -> Results {
    let [mut pairs, mut games] = [[0_u64; 5], [0; 5]];
    for MetPair { score, .. } in met {
        // Quarters of the points of a pair, halves of those of a game.
        let count = |steps: f64| (0..5_u8).find(|&step| (score * steps - f64::from(step)).abs() < 0.5).unwrap_or(0);
        pairs[usize::from(count(4.0))] += 1;
        games[usize::from(count(2.0))] += 1;
    }
    let ([ll, ld, wl_dd, wd, ww], [losses, draws, wins, ..]) = (pairs, games);
    if of_pairs {
        Results::Pairs(Pentanomial { ll, ld, wl_dd, wd, ww })
    } else {
        Results::Games(Trinomial { wins, draws, losses })
    }
}

/// What all of these have in common, each with the weight of its pairs. Pairs of several opponents from one opening depend on each other, however often
/// it was played. Of a few openings that come again pairs are independent, given these openings, and so are those from openings of one opponent.
fn together<'a>(runs: impl IntoIterator<Item = (&'a Met, f64)>) -> Together {
    let runs: Vec<(&Met, f64)> = runs.into_iter().collect();
    let met = || runs.iter().flat_map(|&(met, weight)| met.distinct().map(move |pair| (met, weight, pair)));
    let mut met_by: HashMap<u64, HashSet<&str>> = HashMap::new();
    for (met, _, pair) in met() {
        if let Some(opening) = pair.opening {
            met_by.entry(opening).or_default().insert(&met.opponents[pair.opponent]);
        }
    }
    let of_named = met().filter(|(.., pair)| pair.opening.is_some()).count();
    let openings = met_by.len() + met().count() - of_named;
    let once: usize = met_by.values().map(HashSet::len).sum();
    let are_few = openings as u64 <= FEWEST_DIFFERING && of_named > once;
    let (mut clusters, mut numbers) = (0.., HashMap::new());
    let mut new = || clusters.next().expect("fewer pairs than 2^32");
    let mut opponents: HashMap<&str, u32> = HashMap::new();
    let mut pairs = Vec::new();
    for (met, weight, &MetPair { opponent, opening, score: value, .. }) in met() {
        let more = u32::try_from(opponents.len()).expect("fewer opponents than 2^32");
        let stratum = *opponents.entry(met.opponents[opponent].as_str()).or_insert(more);
        let cluster = match opening.filter(|opening| !are_few && met_by[opening].len() > 1) {
            None => new(),
            Some(opening) => *numbers.entry(opening).or_insert_with(&mut new),
        };
        pairs.push(Clustered { value, weight, stratum, cluster });
    }
    Together { openings: openings as u64, clusters: u64::from(new()), are_few, pairs }
}

/// Whether runs together are results against several opponents.
#[must_use]
pub fn have_several_opponents(runs: &[Run]) -> bool {
    let named = |remark: &Remark| match remark {
        Remark::Against(opponents) => opponents.iter().map(|(name, _)| name.clone()).collect(),
        _ => Vec::new(),
    };
    // Games that are in no pairs are named in remarks alone.
    let unpaired = runs.iter().flat_map(|run| run.remarks.iter().flat_map(named));
    let met = runs.iter().flat_map(|run| run.met.opponents.iter().cloned());
    unpaired.chain(met).collect::<BTreeSet<String>>().len() > 1
}

/// Says of the last of several runs that opponents of different ones are met from the same openings.
pub(super) fn remark_on(runs: &mut [Run]) {
    if runs.len() < 2 || !have_several_opponents(runs) {
        return;
    }
    let Together { openings, clusters, are_few, pairs } = together(runs.iter().map(|run| (&run.met, 1.0)));
    let pairs = pairs.len() as u64;
    let apart: u64 = runs.iter().map(|run| together([(&run.met, 1.0)]).clusters).sum();
    let noun = if runs.iter().any(|run| run.counted.pairs.is_some()) { PAIR } else { "game" };
    if let Some(last) = runs.last_mut().filter(|_| are_few || clusters < apart) {
        last.remarks.push(Remark::Together { openings, are_few, pairs, noun });
    }
}

impl Run {
    /// Leaves the pairs at these places out of what depends on openings: they are the same games as others.
    pub(super) fn leave_out(&mut self, places: Vec<usize>) {
        if places.is_empty() {
            return;
        }
        self.met.leave_out(places);
        let (effect, remark) = self.met.effect(if self.counted.pairs.is_some() { PAIR } else { "game" });
        self.design_effect = effect;
        let is_of_openings = |remark: &Remark| matches!(remark, Remark::ByOpening { .. });
        if let Some(at) = self.remarks.iter().position(is_of_openings) {
            self.remarks.splice(at..=at, remark);
        }
    }
}

/// What results mean by a test and a margin, as [`Analysis::of`], without what is the same games twice; with `as_games` by games also where they
/// are of pairs. Of results against several opponents, in one run or in
/// several, errors are by opening, and what is between opponents is none; whether runs fit together is judged within each opponent, and
/// where tests have [stopped] some only said if they differ by more than stops explain.
///
/// # Errors
///
/// As [`Analysis::of`], or if results against several opponents are to be tested.
pub(super) fn analysed(
    runs: &[Run],
    as_games: bool,
    sprt: Option<Sprt>,
    margin: Option<f64>,
) -> Result<Analysis, AnalysisError> {
    let are_of_several = have_several_opponents(runs);
    if sprt.is_some() && are_of_several {
        return Err(AnalysisError::Dependent);
    }
    let with = |of: fn(&Run) -> Counted| {
        let all: Vec<Counted> = runs.iter().map(of).collect();
        Counted::results(&all, as_games)
    };
    let distinct = with(Run::distinct)?;
    let effect = if are_of_several { effect(&distinct, runs)? } else { 1.0 };
    let mut found = Analysis::of_dependent(&distinct, effect, sprt, margin)?;
    if are_of_several {
        (found.pool.same_match, found.pool.too_short) = within_opponents(&distinct, runs);
    }
    if colours::differ(runs) {
        (found.pool.same_match, found.pool.too_short) = (None, 0);
    }
    if stopped(runs, sprt) > 0 {
        found.pool.same_match = found.pool.same_match.filter(|&p| p < BEYOND_STOPS);
    }
    let results = Pool::of(&with(|run| run.counted)?)?.map_or(found.results, |all| all.results);
    Ok(Analysis { results, ..found })
}

/// Two to five runs of one match that tests have stopped are told apart below this in 0 to 2 of 1,000 simulated sums.
pub(super) const BEYOND_STOPS: f64 = 1e-5;

/// How many of these results are worth an independent one: those of counts of which nothing is known, and behind them those of runs
/// against several opponents.
fn effect(results: &[Results], runs: &[Run]) -> Result<f64, AnalysisError> {
    let all = Pool::of(results)?.ok_or(AnalysisError::NoResults)?.results;
    let (counts, of_runs) = results.split_at(results.len() - runs.len());
    let is_known = |run: &Run| !run.met.pairs.is_empty();
    let unknown = of_runs.iter().zip(runs).filter(|(_, run)| !is_known(run)).map(|(results, _)| *results);
    let beside: Vec<Results> = counts.iter().copied().chain(unknown).collect();
    // Where games are counted, a pair is two of them.
    let is_two = |run: &Run| matches!(all, Results::Games(_)) && run.counted.pairs.is_some();
    let met = runs.iter().map(|run| (&run.met, if is_two(run) { 2.0 } else { 1.0 }));
    Ok(design_effect(&together(met).pairs, &beside, &all))
}

/// Whether the runs fit together, each of whose results are here behind those of counts, and how many of their results against an opponent
/// are too short to tell. Runs are compared within each opponent who is met in several: who differ are the opponents. Runs that share
/// openings differ alike against several of them, so the p-value is the least one times their number (C. E. Bonferroni 1936).
fn within_opponents(results: &[Results], runs: &[Run]) -> (Option<f64>, usize) {
    let mut met: BTreeMap<&str, Vec<Results>> = BTreeMap::new();
    for (own, run) in results[results.len() - runs.len()..].iter().zip(runs) {
        match &run.met.opponents[..] {
            [one] => met.entry(one).or_default().push(*own),
            // Games of pairs are not known by their opponents.
            _ if matches!(own, Results::Games(_)) && run.counted.pairs.is_some() => {}
            several => {
                let mut against = vec![Vec::new(); several.len()];
                run.met.distinct().for_each(|pair| against[pair.opponent].push(pair));
                for (opponent, pairs) in several.iter().zip(against) {
                    let results = self::results(pairs.into_iter(), matches!(own, Results::Pairs(_)));
                    met.entry(opponent).or_default().push(results);
                }
            }
        }
    }
    let pools = met.values().filter(|of| of.len() > 1).filter_map(|of| Pool::of(of).ok().flatten());
    let pools: Vec<Pool> = pools.collect();
    let least = pools.iter().filter_map(|pool| pool.same_match).reduce(f64::min);
    let compared = pools.iter().filter(|pool| pool.same_match.is_some()).count();
    (least.map(|p| (p * compared as f64).min(1.0)), pools.iter().map(|pool| pool.too_short).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPPONENTS: [&str; 3] = ["b", "c", "d"];

    /// Results of 60 openings against these of three opponents; of each opening alike or not.
    fn run(alike: bool, against: &[usize]) -> Run {
        let mut met = Met::default();
        let mut counts = [0; 5];
        for pair in (0..180_usize).filter(|pair| against.contains(&(pair % 3))) {
            let halves = if alike { pair / 3 } else { pair / 3 + pair % 3 } * 7 % 5;
            counts[halves] += 1;
            met.add(OPPONENTS[pair % 3], Some(pair as u64 / 3), halves as f64 / 4.0);
        }
        let [ll, ld, wl_dd, wd, ww] = counts;
        let pairs = Some(drawish_stats::Pentanomial { ll, ld, wl_dd, wd, ww });
        let (design_effect, remark) = met.effect("pair");
        let mut run = Run { design_effect, met, ..Run::of_counts("a", Counted { pairs, games: None }) };
        let opponents = against.iter().map(|&one| (OPPONENTS[one].to_owned(), 120)).collect();
        run.remarks.extend(Remark::of_choice(opponents, 0).chain(remark));
        run
    }

    fn error(runs: &[Run]) -> f64 {
        let found = analysed(runs, false, None, Some(3.0)).expect("results");
        found.strength.elo_error.expect("an error")
    }

    #[test]
    fn opponents_from_one_opening_are_worth_one() {
        let independent = error(&[Run { met: Met::default(), remarks: Vec::new(), ..run(true, &[0, 1, 2]) }]);
        let ratio = error(&[run(true, &[0, 1, 2])]) / independent;
        assert!((3f64.sqrt()..1.1 * 3f64.sqrt()).contains(&ratio), "{ratio}");
        let remark = "180 pairs from 60 openings: errors by opening";
        assert_eq!(run(true, &[0, 1, 2]).remarks[1].to_string(), remark);
        // Where they do not go alike it is the error of the means of the openings.
        let halves = |opening: usize| (0..3).map(|at| ((opening + at) * 7 % 5) as f64 / 4.0).sum::<f64>() / 3.0;
        let means: Vec<f64> = (0..60).map(halves).collect();
        let wanted = elo_of_means(&means);
        let found = error(&[run(false, &[0, 1, 2])]);
        assert!((found / wanted - 1.0).abs() < 0.01, "{found} {wanted}");
    }

    /// Half the 95 % interval in Elo of the mean of independent values, by the slope of Elo at their mean.
    fn elo_of_means(means: &[f64]) -> f64 {
        let mean = mean_of(means);
        elo_per_score(mean.mean) * mean.half_width().expect("they vary")
    }

    fn mean_of(values: &[f64]) -> drawish_stats::Mean {
        let clusters: Vec<u32> = (0..).take(values.len()).collect();
        drawish_stats::clustered_mean(values, &clusters).expect("values")
    }

    fn elo_per_score(score: f64) -> f64 {
        400.0 / 10f64.ln() / (score * (1.0 - score))
    }

    /// Against a weak opponent and a strong one, from openings of which a half is played by the strong one in a run of its own.
    fn unlike() -> (Run, [Run; 2], Vec<f64>) {
        let halves = |opening: usize, strong: bool| {
            if strong { [0, 2, 1, 0, 1, 0, 0][opening * 3 % 7] } else { [4, 3, 4, 2, 4][opening * 2 % 5] }
        };
        let of = |which: &[bool]| {
            let (mut met, mut counts) = (Met::default(), [0; 5]);
            for (opening, &strong) in (0..60).flat_map(|opening| which.iter().map(move |strong| (opening, strong))) {
                let halves = halves(opening, strong);
                counts[halves] += 1;
                met.add(if strong { "strong" } else { "weak" }, Some(opening as u64), halves as f64 / 4.0);
            }
            let [ll, ld, wl_dd, wd, ww] = counts;
            let pairs = Some(drawish_stats::Pentanomial { ll, ld, wl_dd, wd, ww });
            let design_effect = met.effect(PAIR).0;
            Run { design_effect, met, ..Run::of_counts("a", Counted { pairs, games: None }) }
        };
        let means = (0..60).map(|opening| (halves(opening, false) + halves(opening, true)) as f64 / 8.0);
        (of(&[false, true]), [of(&[false]), of(&[true])], means.collect())
    }

    /// The difference between opponents is no chance: errors are those of the means of the openings, in one source or in two, and who are
    /// compared are runs against the same opponent.
    #[test]
    fn what_is_between_opponents_is_no_error() {
        let (whole, parts, means) = unlike();
        let wanted = elo_of_means(&means);
        let found = error(std::slice::from_ref(&whole));
        assert!((found / wanted - 1.0).abs() < 0.01, "{found} {wanted}");
        assert!((error(&parts) / found - 1.0).abs() < 1e-9 && whole.design_effect < 0.6, "{whole:?}");
        let single = |run: &Run| (run.design_effect - 1.0).abs();
        assert!(parts.iter().all(|run| single(run) < 1e-12), "{parts:?}");
        let judged = |runs: &[Run]| analysed(runs, false, None, Some(30.0)).expect("results");
        let [one, two] = [&parts[..], std::slice::from_ref(&whole)].map(judged);
        assert_eq!((one.pool.same_match, one.pool.too_short), (None, 0));
        assert!((one.equivalence.expect("asked").p() - two.equivalence.expect("asked").p()).abs() < 1e-9);
        assert!((one.strength.los.expect("results") - two.strength.los.expect("results")).abs() < 1e-9);
        let independent = drawish_stats::Equivalence::of(&two.pool.results, 30.0);
        assert!(two.equivalence.expect("asked").p() < 0.5 * independent.p(), "{two:?} {independent:?}");
        // Printed results of either are of an opponent, too.
        let printed = ["weak", "strong"].map(|opponent| {
            let of = &parts[usize::from(opponent == "strong")];
            let mut run = Run { met: Met::default(), ..of.clone() };
            run.met.name(opponent);
            run
        });
        let found = judged(&printed);
        assert_eq!((found.pool.same_match, found.pool.too_short), (None, 0));
        let squared = |run: &Run| {
            let scores: Vec<f64> = run.met.pairs.iter().map(|pair| pair.score).collect();
            mean_of(&scores).error.expect("they vary").powi(2) / 4.0
        };
        let apart = parts.iter().map(squared).sum::<f64>().sqrt() * elo_per_score(mean_of(&means).mean);
        let error = found.strength.elo_error.expect("an error") / drawish_stats::Z95;
        assert!((error / apart - 1.0).abs() < 0.01, "{error} {apart}");
    }

    /// A short book begins again: whatever the order of the games, errors are the same, and of five openings those of just these.
    #[test]
    fn openings_that_come_again_are_one_cluster_in_any_order() {
        let of = |openings: u64, order: &[usize]| {
            let mut met = Met::default();
            for &pair in order {
                let halves = (pair * 7 + pair / 40) % 5;
                met.add(OPPONENTS[pair % 3], Some((pair / 3) as u64 % openings), halves as f64 / 4.0);
            }
            met.effect(PAIR)
        };
        let order: Vec<usize> = (0..120).collect();
        let mut shuffled = order.clone();
        shuffled.sort_by_key(|pair| pair * 37 % 101);
        for (openings, said) in [
            (10, "120 pairs from 10 openings: errors by opening"),
            (5, "120 pairs from 5 openings: errors for just these openings, which are few and come again"),
            (1, "120 pairs from 1 opening: errors for just this opening, which comes again"),
        ] {
            let [(effect, remark), (other, _)] = [&order, &shuffled].map(|order| of(openings, order));
            assert!((effect - other).abs() < 1e-9 && remark.is_some_and(|remark| remark.to_string() == said));
        }
        assert!(of(10, &order).0 != of(5, &order).0);
        // A second opponent that has met only some of few openings makes them no more.
        let mut met = Met::default();
        (0..62)
            .for_each(|pair| met.add(OPPONENTS[usize::from(pair >= 60)], Some(pair % 5), (pair * 7 % 5) as f64 / 4.0));
        let said = met.effect(PAIR).1.map(|remark| remark.to_string());
        assert!(said.is_some_and(|said| said.starts_with("62 pairs from 5 openings: errors for just these")));
        let of_one = of(10, &order.iter().copied().filter(|pair| pair % 3 == 0).collect::<Vec<_>>());
        assert!((of_one.0 - 1.0).abs() < 1e-12 && of_one.1.is_none());
        // Played once against each opponent, five openings are five clusters.
        let once = of(5, &order[..15]).1.map(|remark| remark.to_string());
        assert_eq!(once.as_deref(), Some("15 pairs from 5 openings: errors by opening"));
    }

    /// Runs are compared within each opponent.
    #[test]
    fn runs_against_the_same_opponent_are_compared() {
        let (whole, [weak, strong], _) = unlike();
        let judged = |runs: &[Run]| analysed(runs, false, None, None).expect("results").pool;
        let alike = judged(&[whole.clone(), weak.clone(), strong.clone()]);
        assert_eq!((alike.same_match, alike.too_short), (Some(1.0), 0));
        // Somebody else under the name of the weak one.
        let mut other = strong.clone();
        other.met = other.met.reversed("weak");
        other.met.pairs.iter_mut().for_each(|pair| pair.score = 1.0 - pair.score);
        let differ = judged(&[whole.clone(), other.clone()]);
        assert!(differ.same_match.is_some_and(|p| p < 1e-6), "{differ:?}");
        let pair = |run: &Run| {
            let mut few = Met::default();
            run.met.pairs.iter().take(2).for_each(|pair| few.add("weak", pair.opening, pair.score));
            let pairs = Some(drawish_stats::Pentanomial { wd: 1, ww: 1, ..Default::default() });
            Run { met: few, ..Run::of_counts("few", Counted { pairs, games: None }) }
        };
        let short = judged(&[whole, pair(&weak)]);
        assert_eq!((short.same_match, short.too_short), (None, 1));
    }

    /// Pairs of one run and single games of another are judged by games, of which a pair is two.
    #[test]
    fn pairs_and_single_games_are_judged_by_games() {
        let (_, [weak, strong], _) = unlike();
        let split = |run: &Run, opponent: &str| {
            let mut met = Met::default();
            for pair in &run.met.pairs {
                let halves = (4.0 * pair.score) as u8;
                met.add(opponent, pair.opening, f64::from(halves / 2) / 2.0);
                met.add(opponent, None, f64::from(halves.div_ceil(2)) / 2.0);
            }
            let Results::Games(games) = results(met.distinct(), false) else { panic!("games") };
            (met, Some(games))
        };
        let games = split(&weak, "weak").1;
        let with_games = Run { counted: Counted { games, ..weak.counted }, ..weak };
        let (met, games) = split(&strong, "strong");
        let single = Run { met, ..Run::of_counts("b", Counted { pairs: None, games }) };
        let found = analysed(&[with_games, single], false, None, None).expect("results");
        assert!(matches!(found.results, Results::Games(_)) && found.results.games() == 240);
        assert!(found.strength.elo_error.is_some_and(f64::is_finite), "{found:?}");
        assert!(found.strength.elo_error < drawish_stats::Strength::of(&found.results).elo_error);
    }

    /// The same pairs have the same errors in one source and in one for each opponent.
    #[test]
    fn opponents_may_stand_in_sources_of_their_own() {
        for alike in [true, false] {
            let whole = error(&[run(alike, &[0, 1, 2])]);
            for parts in [&[&[0_usize, 1][..], &[2]][..], &[&[0], &[1], &[2]]] {
                let mut runs: Vec<Run> = parts.iter().map(|part| run(alike, part)).collect();
                assert!((error(&runs) - whole).abs() < 1e-9, "{parts:?}");
                remark_on(&mut runs);
                let said = runs.last().and_then(|run| run.remarks.last()).expect("a remark").to_string();
                assert_eq!(said, "with the sources before it 180 pairs from 60 openings: errors by opening");
            }
            // The same opponent has played the book again.
            let again = [run(alike, &[0]), run(alike, &[0])];
            let pooled = Run { met: Met::default(), ..again[0].clone() };
            assert_eq!(error(&again), error(&[pooled.clone(), pooled]));
        }
    }

    /// A book that is played through again by engines that play the same games says nothing new.
    #[test]
    fn the_same_games_are_left_out() {
        let once = run(false, &[0, 1, 2]);
        let mut twice = once.clone();
        twice.met.pairs.extend(once.met.pairs.iter().copied());
        twice.counted.pairs = once.counted.pairs.map(|pairs| pairs + pairs);
        twice.prints.units = (0..180).chain(0..180).map(|unit| [unit; 2]).collect();
        twice.prints.places = (0..360).collect();
        twice.prints.points = [&once.met.pairs[..]; 2]
            .concat()
            .iter()
            .map(|pair| (4.0 * pair.score) as u8)
            .map(|halves| vec![halves / 2, halves - halves / 2])
            .collect();
        let mut runs = [twice];
        super::super::shared::compare(&mut runs).expect("results");
        let [twice] = &runs;
        assert_eq!((twice.repeated, twice.distinct()), (180, once.counted));
        assert_eq!(error(&runs), error(std::slice::from_ref(&once)));
        assert_eq!(twice.design_effect, once.design_effect);
        let said: Vec<String> = twice.remarks.iter().map(ToString::to_string).collect();
        assert_eq!(said[1], "180 pairs from 60 openings: errors by opening");
        assert!(said[2].starts_with("180 of 360 pairs are the same games"), "{said:?}");
        let found = analysed(&runs, false, None, None).expect("results");
        assert_eq!((found.results.games(), found.pool.results.games()), (720, 360));
    }

    #[test]
    fn no_test_of_several_opponents() {
        let sprt = Sprt::new(drawish_stats::Model::Normalized, 0.0, 5.0, 0.05, 0.05).expect("a test");
        for runs in [vec![run(false, &[0, 1, 2])], vec![run(false, &[0]), run(false, &[1])]] {
            let refused = analysed(&runs, false, Some(sprt), None).expect_err("refused").to_string();
            assert!(refused.contains("choose one opponent"), "{refused}");
        }
        assert!(analysed(&[run(false, &[1])], false, Some(sprt), None).is_ok());
        assert!(analysed(&[run(false, &[1]), run(false, &[1])], false, Some(sprt), None).is_ok());
    }
}
