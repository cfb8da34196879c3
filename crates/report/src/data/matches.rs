//! The course of a match and what it means.

use std::collections::HashSet;

use drawish_match::arena::{Logged, Setup, Tally};
use drawish_match::experiment::Judged;
use drawish_stats::numbers::{counted, grouped};
use drawish_stats::{Decision, Equivalence, NoFigure, SequentialEstimate, Spread, Sprt, SprtError, Strength, Tested};

/// What a reader wants to know of matches.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Wanted {
    /// The test by which matches are judged; that of each log if `None`.
    pub sprt: Option<Sprt>,
    /// Whether the number of games was fixed: then the test has stopped nothing, and no Elo is corrected for a stop.
    pub fixed: bool,
    /// The margin of equivalence, in Elo, above 0.
    pub margin: f64,
}

/// A match, from its log.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct MatchData {
    /// The name of the file.
    pub name: String,
    /// What was played.
    pub setup: Setup,
    /// How it stands.
    pub tally: Tally,
    /// The difference between the sides; `None` before the first pair.
    pub strength: Option<Strength>,
    /// How it came to that, at no more than [`STEPS`] numbers of pairs.
    pub course: Vec<Step>,
    /// What the test says.
    pub test: Option<MatchTest>,
    /// Whether the difference lies within the margin.
    pub equivalence: Option<Equivalence>,
    /// The standard deviation of the score of a game, 0 to 1/2; `None` while results do not say how much they vary.
    pub sigma: Option<f64>,
    /// Games after which equivalence within the margin is shown at the level with a probability of 0.8, if there is no difference.
    pub games_for_equivalence: Option<f64>,
    /// Equivalence is shown below this probability: 0.05, or what the plan of an experiment says.
    pub level: f64,
    /// Whether games are taken to be all that were planned; otherwise `equivalence` holds however often it is looked at.
    pub is_final: bool,
    /// Whether the log is still being written, or was cut while it was.
    pub is_cut: bool,
    /// The fingerprint of each pair.
    prints: Vec<[u64; 2]>,
}

/// The standing after some pairs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Step {
    /// Finished pairs.
    pub pairs: u64,
    /// Elo of the first side against the second.
    pub elo: f64,
    /// The 95 % interval of it, had the number of games been fixed.
    pub interval: (f64, f64),
    /// The log-likelihood ratio of the test.
    pub llr: Option<f64>,
}

/// A sequential test of the match.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MatchTest {
    /// The test.
    pub sprt: Sprt,
    /// Whether it is the one that the log names.
    pub is_of_log: bool,
    /// The log-likelihood ratio of the pairs up to the decision; of all pairs where their number was fixed.
    pub llr: f64,
    /// Whether it has ended the match, as far as that can be known: it is the test that the log names, or one that was asked for where the log names
    /// none, and few pairs stand behind its decision.
    pub has_ended: bool,
    /// What it decides, or would have decided where the number of pairs was fixed.
    pub decision: Decision,
    /// Elo corrected for the stop, or why there is none; `None` where the number of pairs was fixed, so that no test stopped them.
    pub estimate: Option<Result<SequentialEstimate, NoFigure>>,
    /// Pairs after the one that decided the test.
    pub later: u64,
}

/// The course of a match is shown at so many numbers of pairs at most.
pub const STEPS: u64 = 240;

/// Equivalence is shown below this probability where no plan says another.
const LEVEL: f64 = 0.05;

impl Default for Wanted {
    /// The tests of the logs, and a margin of 3 Elo.
    fn default() -> Wanted {
        Wanted { sprt: None, fixed: false, margin: 3.0 }
    }
}

impl MatchData {
    /// Whether a test has ended it, so that Elo as if the number of games had been fixed is too far from 0.
    #[must_use]
    pub fn was_stopped(&self) -> bool {
        let stopped = |test: &MatchTest| match test.estimate {
            // The test is another one than that of the log.
            Some(Err(NoFigure::OtherStop)) => true,
            Some(_) => test.has_ended,
            None => false,
        };
        self.test.as_ref().is_some_and(stopped)
    }

    /// From a log.
    ///
    /// # Errors
    ///
    /// If the test cannot be made of these results.
    pub fn of(name: &str, logged: &Logged, wanted: Wanted) -> Result<MatchData, SprtError> {
        let wanted = Wanted { sprt: wanted.sprt.or(logged.origin.test), ..wanted };
        let mut tally = Tally::default();
        let mut course = Vec::new();
        let sides = logged.setup.sides.each_ref().map(|side| side.name.as_str());
        let all = logged.pairs.len() as u64;
        let every = all.div_ceil(STEPS).max(1);
        for (pair, pairs) in logged.pairs.iter().zip(1_u64..) {
            tally.add(pair);
            if pairs % every == 0 || pairs == all {
                let strength = Strength::of(&tally.distinct());
                let llr = |sprt: Sprt| sprt.llr(&tally.results_for(sprt.model()));
                course.push(Step {
                    pairs,
                    elo: strength.elo,
                    interval: (strength.elo_low, strength.elo_high),
                    llr: wanted.sprt.map(llr).transpose()?,
                });
            }
        }
        let test = |sprt: Sprt| {
            let tested = logged.judge(sprt)?;
            let is_of_log = logged.origin.test == Some(sprt);
            let has_ended = (is_of_log || logged.origin.test.is_none()) && tested.is_near_end(all);
            let Tested { llr, decision, estimate, later, .. } = tested;
            let llr = if wanted.fixed { sprt.llr(&tally.results_for(sprt.model()))? } else { llr };
            let estimate = (!wanted.fixed).then_some(estimate);
            Ok(MatchTest { sprt, is_of_log, has_ended, llr, decision, estimate, later })
        };
        let results = (all > 0).then(|| tally.distinct());
        let spread = results.as_ref().and_then(|results| Spread::of_results(results).ok());
        Ok(MatchData {
            name: name.to_owned(),
            setup: logged.setup.clone(),
            strength: results.as_ref().map(Strength::of),
            test: wanted.sprt.filter(|_| all > 0).map(test).transpose()?,
            equivalence: results.as_ref().map(|results| Equivalence::of(results, wanted.margin)),
            sigma: spread.map(|spread| spread.sigma()),
            games_for_equivalence: spread.map(|spread| spread.games_for_equivalence(wanted.margin, LEVEL, 0.8)),
            level: LEVEL,
            is_final: true,
            course,
            tally,
            is_cut: logged.is_cut,
            prints: logged.pairs.iter().filter_map(|pair| pair.fingerprint(sides)).collect(),
        })
    }

    /// The match of an arm is judged as the arm is, by the plan of its experiment.
    pub(crate) fn judge_as(&mut self, arm: &Judged, level: f64) {
        self.equivalence = self.equivalence.map(|_| arm.equivalence);
        self.games_for_equivalence = arm.games_for_equivalence;
        self.level = level;
        self.is_final = arm.is_final;
    }

    /// What to say if this match and another one have the same games.
    pub(super) fn shared_with(&self, other: &MatchData) -> Option<String> {
        let others: HashSet<u64> = other.prints.iter().flatten().copied().collect();
        let shared =
            self.prints.iter().filter(|prints| prints.iter().any(|print| others.contains(print))).count() as u64;
        let (of, is) = (counted(self.prints.len() as u64, "pair"), if shared == 1 { "is" } else { "are" });
        (shared > 0).then(|| {
            format!(
                "{} of {of} {is} in {} as well: what both show is not independent; if both are from one match, leave one of them out",
                grouped(shared),
                other.name
            )
        })
    }

    /// The names of both sides.
    #[must_use]
    pub fn sides(&self) -> [&str; 2] {
        self.setup.sides.each_ref().map(|side| side.name.as_str())
    }
}
