//! Results against several opponents, who are met from the same openings, be it in one source or in several.

use std::collections::{BTreeSet, HashMap};

use super::{Remark, Run};
use drawish_stats::{Analysis, AnalysisError, Counted, Pool, Results, Sprt, design_effect};

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

/// How much pairs of several opponents have in common.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Together {
    openings: u64,
    pairs: u64,
    /// So many pairs are worth an independent one.
    effect: f64,
}

impl Met {
    /// Adds a pair against this opponent, with this share of its points.
    pub(super) fn add(&mut self, opponent: &str, opening: Option<u64>, score: f64) {
        let opponent = *self.places.entry(opponent.to_owned()).or_insert_with(|| {
            self.opponents.push(opponent.to_owned());
            self.opponents.len() - 1
        });
        self.pairs.push(MetPair { opponent, opening, score, is_repeated: false });
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

    /// How many pairs are worth an independent one, and what is to be said where this is more than one.
    pub(super) fn effect(&self, noun: &'static str) -> (f64, Option<Remark>) {
        let Together { openings, pairs, effect } = together([self]);
        (effect, (openings < pairs).then_some(Remark::ByOpening { openings, pairs, noun }))
    }
}

/// What all of these have in common. Pairs from one opening depend on each other, but the same opponent plays an opening again where a
/// book begins anew.
fn together<'a>(runs: impl IntoIterator<Item = &'a Met>) -> Together {
    let mut times: HashMap<(&str, u64), u64> = HashMap::new();
    let mut numbers: HashMap<(u64, u64), u32> = HashMap::new();
    let (mut scores, mut clusters, mut openings) = (Vec::new(), Vec::new(), 0);
    let mut new = || {
        openings += 1;
        openings - 1
    };
    for met in runs {
        for &MetPair { opponent, opening, score, .. } in met.pairs.iter().filter(|pair| !pair.is_repeated) {
            scores.push(score);
            clusters.push(match opening {
                None => new(),
                Some(opening) => {
                    let again = times.entry((&met.opponents[opponent], opening)).or_default();
                    *again += 1;
                    *numbers.entry((opening, *again)).or_insert_with(&mut new)
                }
            });
        }
    }
    Together { openings: openings.into(), pairs: scores.len() as u64, effect: design_effect(&scores, &clusters) }
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
    let Together { openings, pairs, .. } = together(runs.iter().map(|run| &run.met));
    let apart: u64 = runs.iter().map(|run| together([&run.met]).openings).sum();
    let noun = if runs.iter().any(|run| run.counted.pairs.is_some()) { "pair" } else { "game" };
    if let Some(last) = runs.last_mut().filter(|_| openings < apart) {
        last.remarks.push(Remark::Together { openings, pairs, noun });
    }
}

impl Run {
    /// Leaves the pairs at these places out of what depends on openings: they are the same games as others.
    pub(super) fn leave_out(&mut self, places: Vec<usize>) {
        if places.is_empty() {
            return;
        }
        self.met.leave_out(places);
        let is_of_openings = |remark: &Remark| matches!(remark, Remark::ByOpening { .. });
        let Some(at) = self.remarks.iter().position(is_of_openings) else { return };
        let (effect, remark) = self.met.effect(if self.counted.pairs.is_some() { "pair" } else { "game" });
        self.design_effect = effect;
        self.remarks.splice(at..=at, remark);
    }

    fn count(&self) -> f64 {
        let Counted { pairs, games } = self.distinct();
        let of_games = games.map_or(0, |games| Results::Games(games).games());
        pairs.map_or(of_games, |pairs| Results::Pairs(pairs).games()) as f64
    }
}

/// What results mean by a test and a margin, as [`Analysis::of`]: those that were read, without what is the same games twice, and
/// counts beside them, with `as_games` by games also where they are of pairs. Of results against several opponents, in one run or in
/// several, errors are by opening.
///
/// # Errors
///
/// As [`Analysis::of`], or if results against several opponents are to be tested.
pub fn analysed(
    counts: &[Counted],
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
        let all: Vec<Counted> = counts.iter().copied().chain(runs.iter().map(of)).collect();
        Counted::results(&all, as_games)
    };
    let effect = if are_of_several { effect(counts, runs) } else { 1.0 };
    let found = Analysis::of_dependent(&with(Run::distinct)?, effect, sprt, margin)?;
    let results = Pool::of(&with(|run| run.counted)?)?.map_or(found.results, |all| all.results);
    Ok(Analysis { results, ..found })
}

/// How many pairs are worth an independent one, of runs against several opponents and of counts beside them, of which nothing is known.
fn effect(counts: &[Counted], runs: &[Run]) -> f64 {
    let effect = together(runs.iter().map(|run| &run.met)).effect;
    // Rounding makes no results dependent.
    if effect == 1.0 {
        return 1.0;
    }
    let is_known = |run: &&Run| !run.met.pairs.is_empty();
    let known: f64 = runs.iter().filter(is_known).map(Run::count).sum();
    let unknown: f64 = runs.iter().filter(|run| !is_known(run)).map(Run::count).sum();
    let of = |one: &Counted| one.pairs.map(Results::Pairs).or(one.games.map(Results::Games));
    let counted: u64 = counts.iter().filter_map(of).map(|results| results.games()).sum();
    let others = unknown + counted as f64;
    (known + others) / (known / effect + others)
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
        let found = analysed(&[], runs, false, None, Some(3.0)).expect("results");
        found.strength.elo_error.expect("an error")
    }

    #[test]
    fn opponents_from_one_opening_are_worth_one() {
        let independent = error(&[Run { met: Met::default(), remarks: Vec::new(), ..run(true, &[0, 1, 2]) }]);
        let ratio = error(&[run(true, &[0, 1, 2])]) / independent;
        assert!((3f64.sqrt()..1.1 * 3f64.sqrt()).contains(&ratio), "{ratio}");
        let remark = "180 pairs from 60 openings: errors by opening";
        assert_eq!(run(true, &[0, 1, 2]).remarks[1].to_string(), remark);
        let ratio = error(&[run(false, &[0, 1, 2])]) / independent;
        assert!((1.0..1.1).contains(&ratio), "{ratio}");
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
        let found = analysed(&[], &runs, false, None, None).expect("results");
        assert_eq!((found.results.games(), found.pool.results.games()), (720, 360));
    }

    #[test]
    fn no_test_of_several_opponents() {
        let sprt = Sprt::new(drawish_stats::Model::Normalized, 0.0, 5.0, 0.05, 0.05).expect("a test");
        for runs in [vec![run(false, &[0, 1, 2])], vec![run(false, &[0]), run(false, &[1])]] {
            let refused = analysed(&[], &runs, false, Some(sprt), None).expect_err("refused").to_string();
            assert!(refused.contains("choose one opponent"), "{refused}");
        }
        assert!(analysed(&[], &[run(false, &[1])], false, Some(sprt), None).is_ok());
        assert!(analysed(&[], &[run(false, &[1]), run(false, &[1])], false, Some(sprt), None).is_ok());
    }
}
