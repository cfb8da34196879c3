//! What is counted, and how evaluations are rounded.

use std::fmt::{self, Write};

use serde::{Deserialize, Serialize};

use super::cell::{EVAL_LIMIT, MATE};
use super::fens::{FenCounters, FenSource};
use super::metadata::FileFilter;
use crate::pgn::{EvalValue, Pattern, VariantChoice, View};
use drawish_artefact::identity::Difference;

/// What is counted.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Which variants.
    pub variant: VariantChoice,
    /// Only evaluations of engines whose White or Black tag this pattern fits; for whole names, [`Pattern::whole`].
    pub engine: Option<Pattern>,
    /// From whose view evaluations are; `None` for that of their style.
    pub view: Option<View>,
    /// Evaluations are rounded to multiples of this many centipawns, at least 1.
    pub bin_width: u16,
    /// Cut decimals as scoreWDLstat does, `0.53` to 52, instead of reading them exactly.
    pub truncate: bool,
    /// Move counters for start positions that are written with `0 1`.
    pub fens: Option<FenCounters>,
    /// Leave out a position when the engine's evaluation, other than 0, is the same for this many of its moves in a row.
    pub drop_repeated: Option<u32>,
    /// Follow games by every rule of chess.
    pub replay: bool,
}

impl Default for Rule {
    fn default() -> Self {
        Rule {
            variant: VariantChoice::Any,
            engine: None,
            view: None,
            bin_width: 5,
            truncate: false,
            fens: None,
            drop_repeated: None,
            replay: false,
        }
    }
}

/// What was counted in which files: [`Rule`] and [`FileFilter`] as WDL counts keep them. How games are followed is not part of
/// it, for it changes nothing in the counts.
///
/// # Stability
///
/// Fields may be added, with a default that counts as before.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RuleRecord {
    /// Which variants.
    pub variant: VariantChoice,
    /// Whose evaluations.
    pub engine: Option<Pattern>,
    /// From which views evaluations were read, in order and each once, if any but that of their style, which is `None`: how games are
    /// read, not which count, so that counts of several views are added.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub views: Vec<Option<View>>,
    /// Evaluations are multiples of this many centipawns.
    pub bin_width: u16,
    /// Decimals are cut as scoreWDLstat does.
    pub truncate: bool,
    /// The list that move counters came from.
    pub fens: Option<FenSource>,
    /// How often an evaluation in a row is left out.
    pub drop_repeated: Option<u32>,
    /// What the metadata of files had to say.
    pub files: FileFilter,
}

impl RuleRecord {
    /// The record of a rule and a filter.
    #[must_use]
    pub fn of(rule: &Rule, files: &FileFilter) -> RuleRecord {
        RuleRecord {
            variant: rule.variant,
            engine: rule.engine.clone(),
            views: rule.view.map(Some).into_iter().collect(),
            bin_width: rule.bin_width,
            truncate: rule.truncate,
            fens: rule.fens.as_ref().map(|fens| fens.source().clone()),
            drop_repeated: rule.drop_repeated,
            files: files.clone(),
        }
    }

    /// What else counts by the other rule, if anything does; counts of equal rules can be added.
    pub(super) fn difference(&self, other: &RuleRecord) -> Option<Difference> {
        let [one, other] = [self, other].map(|rule| RuleRecord { views: Vec::new(), ..rule.clone() });
        Difference::between(&one, &other)
    }

    /// Notes how the games of counts were read that are added.
    pub(super) fn add_views(&mut self, other: &RuleRecord) {
        if self.views == other.views {
            return;
        }
        let of = |rule: &RuleRecord| if rule.views.is_empty() { vec![None] } else { rule.views.clone() };
        self.views = [of(self), of(other)].concat();
        self.views.sort();
        self.views.dedup();
    }
}

/// One line in the order of the fields, what is not asked for being left out; the form in which version 1 of WDL counts kept it.
impl fmt::Display for RuleRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FileFilter { sprt_only, book, book_invert, revision, time_control, threads, elo_min, elo_max } =
            &self.files;
        let mut line = format!("--bin-width {}", self.bin_width);
        let mut say = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                let _ = write!(line, " --{name}{}{value}", if value.is_empty() { "" } else { " " });
            }
        };
        let flag = |set: bool| set.then(String::new);
        let pattern = |pattern: &Option<Pattern>| pattern.as_ref().map(|pattern| pattern.inner().to_owned());
        say("truncate", flag(self.truncate));
        say("variant", (self.variant != VariantChoice::Any).then(|| self.variant.name().to_owned()));
        // Revisions asked for are those of the engine, too, if no other is named.
        say("match-engine", pattern(&self.engine).filter(|_| self.engine != *revision));
        let views: Vec<&str> = self.views.iter().map(|view| view.map_or("auto", View::name)).collect();
        say("eval-view", (!views.is_empty()).then(|| views.join(",")));
        say("fix-fen-source", self.fens.as_ref().map(|source| source.name.clone()));
        say("drop-repeated", self.drop_repeated.map(|times| times.to_string()));
        say("match-rev", pattern(revision));
        say("match-tc", pattern(time_control));
        say("match-threads", threads.map(|threads| threads.to_string()));
        say("match-book", pattern(book));
        say("match-book-invert", flag(*book_invert));
        say("elo-diff-max", elo_max.map(|elo| elo.to_string()));
        // The least is the negative of the largest, if no other is asked for.
        say("elo-diff-min", elo_min.filter(|least| *elo_max != Some(-least)).map(|elo| elo.to_string()));
        say("sprt-only", flag(*sprt_only));
        f.write_str(&line)
    }
}

impl Rule {
    /// The evaluation as it is counted.
    fn binned(&self, value: EvalValue) -> i16 {
        let centipawns = match value {
            EvalValue::Mate(moves) => return binned_mate(moves),
            EvalValue::Centipawns(value) if self.truncate => truncated(value),
            EvalValue::Centipawns(value) => value,
        };
        let limited = centipawns.clamp(-i32::from(EVAL_LIMIT), i32::from(EVAL_LIMIT));
        let width = i32::from(self.bin_width);
        // Halves go away from zero; an odd width has none.
        let bins = (limited.abs() + width / 2) / width;
        let binned = (limited.signum() * bins * width).clamp(-i32::from(EVAL_LIMIT), i32::from(EVAL_LIMIT));
        i16::try_from(binned).unwrap_or_default()
    }
}

/// A mate as it is counted: no side that has just moved is mated by 0.
fn binned_mate(moves: i32) -> i16 {
    if moves < 0 { -MATE } else { MATE }
}

/// Evaluations as a rule counts them, reckoned once: the division for each position took a twentieth of a run's time.
pub(super) struct Bins(Vec<i16>);

impl Bins {
    pub(super) fn new(rule: &Rule) -> Bins {
        Bins((-EVAL_LIMIT..=EVAL_LIMIT).map(|value| rule.binned(EvalValue::Centipawns(value.into()))).collect())
    }

    /// The evaluation as it is counted.
    #[inline]
    pub(super) fn of(&self, value: EvalValue) -> i16 {
        let limit = i32::from(EVAL_LIMIT);
        match value {
            EvalValue::Mate(moves) => binned_mate(moves),
            EvalValue::Centipawns(value) => self.0[(value.clamp(-limit, limit) + limit).unsigned_abs() as usize],
        }
    }
}

/// `int(100 * x)` in single precision, which loses a centipawn on 62 of the values from 0.00 to 10.00.
#[expect(clippy::cast_possible_truncation, reason = "single precision is the point, and `as` saturates")]
fn truncated(hundredths: i32) -> i32 {
    (100.0 * (f64::from(hundredths) / 100.0) as f32) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations_are_exact_or_cut_as_scorewdlstat_cuts_them() {
        let exact = Rule { bin_width: 1, ..Rule::default() };
        let cut = Rule { truncate: true, ..exact.clone() };
        let differ: Vec<i32> = (0..=1000)
            .filter(|&value| {
                assert_eq!(i32::from(exact.binned(EvalValue::Centipawns(value))), value);
                let truncated = cut.binned(EvalValue::Centipawns(value));
                assert_eq!(cut.binned(EvalValue::Centipawns(-value)), -truncated);
                i32::from(truncated) != value
            })
            .collect();
        assert_eq!(differ.len(), 62, "the number that the study of scoreWDLstat found");
        assert!([53, 118, 418].iter().all(|value| differ.contains(value)));
        let fives = |rule: &Rule, value| Rule { bin_width: 5, ..rule.clone() }.binned(EvalValue::Centipawns(value));
        let moved = (0..=1000).filter(|&value| fives(&exact, value) != fives(&cut, value)).count();
        assert_eq!(moved, 14, "values in another bin");
    }

    #[test]
    fn bins_round_halves_away_from_zero_and_mates_are_kept_apart() {
        let rule = |bin_width| Rule { bin_width, ..Rule::default() };
        for (width, value, bin) in
            [(5, 2, 0), (5, 3, 5), (5, -3, -5), (10, 5, 10), (10, -5, -10), (4, 2, 4), (7, 998, 1000), (5, 15235, 1000)]
        {
            assert_eq!(rule(width).binned(EvalValue::Centipawns(value)), bin, "{value} by {width}");
        }
        assert_eq!(rule(5).binned(EvalValue::Mate(5)), MATE);
        assert_eq!(rule(5).binned(EvalValue::Mate(-1)), -MATE);
    }

    /// Games of several files are read from several views, and counted together.
    #[test]
    fn views_are_no_part_of_what_counts() {
        let record =
            |view, bin_width| RuleRecord::of(&Rule { view, bin_width, ..Rule::default() }, &FileFilter::default());
        let (auto, white) = (record(None, 5), record(Some(View::White), 5));
        assert!(auto.difference(&white).is_none() && auto.difference(&record(Some(View::White), 10)).is_some());
        let together = |rules: &[&RuleRecord]| {
            let mut sum = rules[0].clone();
            rules[1..].iter().for_each(|other| sum.add_views(other));
            sum.to_string()
        };
        assert_eq!(together(&[&auto, &auto]), "--bin-width 5");
        assert_eq!(together(&[&white, &white]), "--bin-width 5 --eval-view white");
        assert_eq!(together(&[&white, &auto]), together(&[&auto, &white]));
        assert_eq!(
            together(&[&white, &auto, &record(Some(View::Mover), 5), &white]),
            "--bin-width 5 --eval-view auto,mover,white"
        );
        // Whoever knew no views reads what has none, and wrote what is read so.
        let text = serde_json::to_string(&auto).expect("JSON");
        assert!(!text.contains("views"), "{text}");
        let text = serde_json::to_string(&white).expect("JSON");
        assert_eq!(serde_json::from_str::<RuleRecord>(&text).expect("the record"), white);
    }

    #[test]
    fn bins_reckoned_once_are_those_of_each_evaluation() {
        for bin_width in [1, 2, 5, 7, 100] {
            for truncate in [false, true] {
                let rule = Rule { bin_width, truncate, ..Rule::default() };
                let bins = Bins::new(&rule);
                let values = (-1100..=1100).chain([i32::MIN, i32::MAX]).map(EvalValue::Centipawns);
                for value in values.chain([-3, 3].map(EvalValue::Mate)) {
                    assert_eq!(bins.of(value), rule.binned(value), "{value:?} by {bin_width}, {truncate}");
                }
            }
        }
    }
}
