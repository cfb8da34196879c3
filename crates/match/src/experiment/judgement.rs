//! What the games of an experiment say about its questions.
//!
//! When an arm has played all pairs of the plan it is judged by tests for a number of games that was fixed beforehand. While it is
//! still playing, by tests that hold however often they are looked at: they ask for about twice the games. So at most a share `level`
//! of arms without a difference is ever called better or worse while they play, and at most as many when they have played.

use super::{Experiment, Role};
use drawish_stats::{
    Decision, Equivalence, Results, Spread, SprtError, Strength, difference_p, difference_p_at_any_time,
};

/// What an arm has played against the baseline.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ArmResult {
    /// Pairs by points.
    pub results: Results,
    /// Those that are not the same games as an earlier pair: all that judges is of these.
    pub distinct: Results,
    /// The others.
    pub repeated: u64,
    /// Pairs in which both games had the same moves.
    pub identical: u64,
    /// Games drawn.
    pub drawn: u64,
    /// The mean slope of the arm's number by the win/loss score over positions of its games, in that of the baseline, with
    /// its standard error; without that for fewer than [`FEWEST_EVENTS`](drawish_stats::FEWEST_EVENTS) positions.
    pub slope: Option<(f64, Option<f64>)>,
    /// What the sequential test of the plan would have accepted, had it been watched, and after how many pairs; `None` if it is
    /// undecided after each of them.
    pub accepted: Option<(Decision, u64)>,
}

/// What is known of an arm.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// No game was played.
    NoGames,
    /// The test of no difference is refused at the level of the plan, and the difference is above 0.
    Better,
    /// The same below 0.
    Worse,
    /// A difference as large as the margin is refuted either way.
    Equivalent,
    /// None of these.
    Open,
}

impl Verdict {
    /// In a word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::NoGames => "no games",
            Verdict::Better => "better",
            Verdict::Worse => "worse",
            Verdict::Equivalent => "equivalent",
            Verdict::Open => "open",
        }
    }
}

/// The judgement of an arm.
#[derive(Clone, PartialEq, Debug)]
pub struct Judged {
    /// Its name.
    pub name: String,
    /// What it is there for.
    pub role: Role,
    /// What it has played.
    pub result: ArmResult,
    /// Its difference to the baseline.
    pub strength: Strength,
    /// What is known.
    pub verdict: Verdict,
    /// Whether all pairs of the plan were played; else `p` and `equivalence` hold at any time, and the verdict is of the day.
    pub is_final: bool,
    /// The two-sided probability of a difference as large as the one found, if there is none; 1 without games.
    pub p: f64,
    /// The same with account taken of the number of questions (S. Holm, 1979); of a control, `p` itself.
    pub p_holm: f64,
    /// The test of equivalence.
    pub equivalence: Equivalence,
    /// Its probability with account taken of the number of questions; of a control, that of `equivalence` itself.
    pub equivalence_holm: f64,
    /// The log-likelihood ratio of the sequential test, of all pairs: it has stopped nothing.
    pub llr: f64,
    /// Standard deviation of the score of a game; `None` while the results do not say how much they vary.
    pub sigma: Option<f64>,
    /// Games that are needed in all to show equivalence with probability 0.8, if there is no difference; `None` while that is
    /// unknown.
    pub games_for_equivalence: Option<f64>,
    /// Whether a control is where it must be; `None` for a question, or without games.
    pub control_holds: Option<bool>,
}

impl Judged {
    /// The probability by which a verdict holds for all questions of the experiment together; `None` where there is none to hold.
    #[must_use]
    pub const fn p_together(&self) -> Option<f64> {
        match self.verdict {
            Verdict::Better | Verdict::Worse => Some(self.p_holm),
            Verdict::Equivalent => Some(self.equivalence_holm),
            Verdict::NoGames | Verdict::Open => None,
        }
    }

    /// The hypothesis that the sequential test would have accepted, had it been watched, and after how many pairs. A test ends with the
    /// first pair that decides it, wherever the ratio of all pairs lies.
    #[must_use]
    pub fn accepted(&self) -> Option<(&'static str, u64)> {
        self.result.accepted.map(|(decision, pairs)| (decision.name(), pairs))
    }
}

/// The judgement of an experiment.
#[derive(Clone, PartialEq, Debug)]
pub struct Judgement {
    /// In the order of the file.
    pub arms: Vec<Judged>,
}

/// The probability with which equivalence is to be shown.
const POWER: f64 = 0.8;

/// Judges what the arms have played, in the order of the file.
///
/// # Errors
///
/// If the sequential test cannot be made of the results.
pub fn judge(experiment: &Experiment, results: &[ArmResult]) -> Result<Judgement, SprtError> {
    let plan = &experiment.judgement;
    let sprt = experiment.sprt()?;
    let mut arms = Vec::new();
    for (arm, result) in experiment.arms.iter().zip(results) {
        let strength = Strength::of(&result.distinct);
        let spread = Spread::of_results(&result.distinct).ok();
        let played = result.results.games() > 0;
        let is_final = result.results.games() >= experiment.pairs_of(arm).saturating_mul(2);
        let (p, equivalence) = if is_final {
            (difference_p(&result.distinct), Equivalence::of(&result.distinct, plan.margin))
        } else {
            (difference_p_at_any_time(&result.distinct), Equivalence::at_any_time(&result.distinct, plan.margin))
        };
        let verdict = match () {
            () if !played => Verdict::NoGames,
            () if equivalence.p() < plan.level => Verdict::Equivalent,
            () if p < plan.level && strength.elo > 0.0 => Verdict::Better,
            () if p < plan.level => Verdict::Worse,
            () => Verdict::Open,
        };
        let llr = sprt.llr(&result.distinct)?;
        arms.push(Judged {
            name: arm.name.clone(),
            role: arm.role,
            result: *result,
            strength,
            verdict,
            is_final,
            p,
            p_holm: p,
            equivalence_holm: equivalence.p(),
            equivalence,
            llr,
            sigma: spread.map(|spread| spread.sigma()),
            games_for_equivalence: spread.map(|spread| spread.games_for_equivalence(plan.margin, plan.level, POWER)),
            control_holds: (arm.role == Role::Control && played).then_some(p >= plan.level),
        });
    }
    holm(&mut arms, |arm| &mut arm.p_holm);
    holm(&mut arms, |arm| &mut arm.equivalence_holm);
    Ok(Judgement { arms })
}

/// Adjusts a probability of the questions: the k-th smallest of n counts n + 1 - k times, and never less than a smaller one.
fn holm(arms: &mut [Judged], p: impl Fn(&mut Judged) -> &mut f64) {
    let questions = arms.iter_mut().filter(|arm| arm.role == Role::Question);
    let mut all: Vec<&mut f64> = questions.map(p).collect();
    all.sort_by(|one, other| one.total_cmp(other));
    let mut left = all.len();
    let mut least: f64 = 0.0;
    for p in all {
        least = least.max((*p * left as f64).min(1.0));
        *p = least;
        left -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drawish_stats::Pentanomial;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn experiment(arms: &[(&str, &str)]) -> Experiment {
        let arms: String = arms
            .iter()
            .map(|(name, role)| {
                format!("[[arm]]\nname = \"{name}\"\nrole = \"{role}\"\nwhat = \"\"\nsettings = {{ arm = \"none\" }}\n")
            })
            .collect();
        let text = format!(
            "title = \"\"\nquestion = \"\"\nregistered = \"\"\n\
             match = {{ book = \"b\", book-xxh3 = \"\", seed = 1, nodes = 1, pairs = 1 }}\n\
             judgement = {{ margin = 3.0, level = 0.05, elo0 = 0.0, elo1 = 5.0 }}\n\
             baseline = {{ name = \"base\", what = \"\", settings = {{ arm = \"none\" }} }}\n{arms}"
        );
        Experiment::from_toml(&text).expect("an experiment")
    }

    fn result(counts: [u64; 5]) -> ArmResult {
        let [ll, ld, wl_dd, wd, ww] = counts;
        let results = Results::Pairs(Pentanomial { ll, ld, wl_dd, wd, ww });
        ArmResult { results, distinct: results, repeated: 0, identical: 0, drawn: 0, slope: None, accepted: None }
    }

    #[test]
    fn verdicts_follow_intervals_and_margins() {
        let experiment = experiment(&[
            ("better", "question"),
            ("worse", "question"),
            ("open", "question"),
            ("equal", "question"),
            ("none", "question"),
            ("good", "control"),
            ("bad", "control"),
        ]);
        let results = [
            [20, 40, 100, 80, 60],
            [60, 80, 100, 40, 20],
            [40, 60, 100, 62, 41],
            [0, 10_000, 80_000, 10_000, 0],
            [0; 5],
            [40, 60, 100, 60, 40],
            [60, 80, 100, 40, 20],
        ]
        .map(result);
        let judged = judge(&experiment, &results).expect("a judgement").arms;
        let verdicts: Vec<_> = judged.iter().map(|arm| arm.verdict.name()).collect();
        assert_eq!(verdicts, ["better", "worse", "open", "equivalent", "no games", "open", "worse"]);
        let controls: Vec<_> = judged.iter().map(|arm| arm.control_holds).collect();
        assert_eq!(controls, [None, None, None, None, None, Some(true), Some(false)]);
    }

    /// Whether an arm has played all that was planned is asked of its own number of pairs, where it has one.
    #[test]
    fn an_arm_with_more_pairs_than_others_is_not_judged_early() {
        let of = |pairs: u64| {
            let mut plan = experiment(&[("a", "question")]);
            (plan.game.pairs, plan.arms[0].pairs) = (5, Some(pairs));
            let arm = judge(&plan, &[result([2, 3, 10, 9, 6])]).expect("a judgement").arms.remove(0);
            (arm.is_final, arm.p)
        };
        let ((early, early_p), (whole, whole_p)) = (of(200), of(30));
        assert!(!early && whole && early_p > whole_p, "{early_p} {whole_p}");
    }

    #[test]
    fn verdicts_keep_to_the_level_of_the_plan() {
        let mut plan = experiment(&[("a", "question"), ("b", "control")]);
        let results = [result([40, 60, 100, 90, 60]); 2];
        let at = |plan: &Experiment| {
            let judged = judge(plan, &results).expect("a judgement").arms;
            (judged[0].verdict, judged[1].control_holds, judged[0].p)
        };
        let (verdict, holds, p) = at(&plan);
        assert_eq!((verdict, holds), (Verdict::Better, Some(false)));
        plan.judgement.level = p / 2.0;
        assert_eq!(at(&plan), (Verdict::Open, Some(true), p));
    }

    /// Arms that play alike, judged after every pair: at most a share `level` is ever called better or worse before the last pair,
    /// and at most as many after it, however few pairs there are.
    #[test]
    fn verdicts_keep_to_their_level_from_the_first_pair_on() {
        // Pairs without a difference: sharp, usual, drawish, and one in which the first side wins rarely and by much.
        let laws = [
            [0.25, 0.0, 0.5, 0.0, 0.25],
            [0.04, 0.16, 0.6, 0.16, 0.04],
            [0.0, 0.02, 0.96, 0.02, 0.0],
            [0.0, 0.2, 0.7, 0.0, 0.1],
        ];
        let mut random = ChaCha8Rng::seed_from_u64(15);
        for (law, pairs) in laws.iter().flat_map(|law| [1, 2, 5, 10, 40].map(|pairs| (law, pairs))) {
            let mut plan = experiment(&[("arm", "question")]);
            plan.game.pairs = pairs;
            // Sharp enough for equivalence to be called, if it were called too soon: the difference would be 0.
            plan.judgement.margin = 0.5;
            let (mut early, mut late, runs) = (0, 0, 400);
            for _ in 0..runs {
                let (mut counts, mut called) = ([0; 5], false);
                for played in 1..=pairs {
                    let mut left: f64 = random.random();
                    let at = law.iter().position(|share| {
                        left -= share;
                        left < 0.0
                    });
                    counts[at.unwrap_or(2)] += 1;
                    let arm = &judge(&plan, &[result(counts)]).expect("a judgement").arms[0];
                    assert_eq!(arm.is_final, played == pairs);
                    let wrong = matches!(arm.verdict, Verdict::Better | Verdict::Worse);
                    if arm.is_final { late += u32::from(wrong) } else { called |= wrong }
                }
                early += u32::from(called);
            }
            // The level and three standard errors of this simulation.
            let most = 0.05 * f64::from(runs) + 3.0 * (0.05 * 0.95 * f64::from(runs)).sqrt();
            assert!(f64::from(early) <= most && f64::from(late) <= most, "{law:?} {pairs}: {early} {late} of {runs}");
        }
    }

    /// What is judged are the pairs that are not the same games as an earlier one.
    #[test]
    fn the_same_games_are_no_evidence() {
        let experiment = experiment(&[("once", "question"), ("often", "question"), ("many", "question")]);
        let once = result([0, 0, 1, 1, 0]);
        let often = ArmResult { results: result([0, 0, 30, 30, 0]).results, repeated: 58, ..once };
        let judged = judge(&experiment, &[once, often, result([0, 0, 30, 30, 0])]).expect("a judgement").arms;
        let [once, often, many] = judged.as_slice() else { panic!("three arms") };
        let figures = |arm: &Judged| (arm.p, arm.strength, arm.equivalence, arm.verdict, arm.llr, arm.sigma);
        assert_eq!(figures(often), figures(once));
        assert_eq!((often.verdict, many.verdict), (Verdict::Open, Verdict::Better));
    }

    #[test]
    fn a_pair_proves_nothing() {
        let experiment =
            experiment(&[("won", "question"), ("lost", "control"), ("even", "question"), ("none", "question")]);
        let results = [[0, 0, 0, 0, 1], [1, 0, 0, 0, 0], [0, 0, 1, 0, 0], [0; 5]].map(result);
        for arm in judge(&experiment, &results).expect("a judgement").arms {
            assert!((arm.p - 1.0).abs() < 1e-9 && arm.equivalence.p() > 0.05, "{arm:?}");
            assert!(matches!(arm.verdict, Verdict::Open | Verdict::NoGames), "{arm:?}");
            assert_eq!((arm.sigma, arm.games_for_equivalence), (None, None));
        }
    }

    #[test]
    fn many_questions_make_each_answer_less_sure() {
        let experiment = experiment(&[("a", "question"), ("b", "question"), ("c", "question"), ("d", "control")]);
        let results = [[40, 60, 100, 90, 60], [40, 60, 100, 75, 50], [40, 60, 100, 60, 40], [40, 60, 100, 90, 60]];
        let judged = judge(&experiment, &results.map(result)).expect("a judgement").arms;
        let [a, b, c, d] = judged.as_slice() else { panic!("four arms") };
        assert!((a.p_holm - 3.0 * a.p).abs() < 1e-12 && (b.p_holm - 2.0 * b.p).abs() < 1e-12);
        assert!(c.p_holm >= b.p_holm && (c.p - 1.0).abs() < 1e-9 && d.p_holm == d.p);
        assert_eq!([a, b, c].map(Judged::p_together), [Some(a.p_holm), None, None]);

        let results = [[0, 1_000, 8_000, 1_000, 0], [0, 500, 4_000, 500, 0], [40, 60, 100, 60, 40], [0, 2, 8, 2, 0]];
        let judged = judge(&experiment, &results.map(result)).expect("a judgement").arms;
        let [a, b, c, d] = judged.as_slice() else { panic!("four arms") };
        let times = |arm: &Judged| arm.equivalence_holm / arm.equivalence.p();
        assert!((times(a) - 3.0).abs() < 1e-9 && (times(b) - 2.0).abs() < 1e-9 && times(d) == 1.0, "{a:?} {b:?}");
        assert!((c.verdict, c.p_together()) == (Verdict::Open, None) && b.p_together() == Some(b.equivalence_holm));
    }
}
