//! Elo, SPRT and plans against what other programs print for the same results, and the laws that any counts obey.

#![expect(clippy::print_stderr, reason = "a skipped test says so")]

use std::fs;
use std::path::{Path, PathBuf};

use drawish_stats::{
    Decision, Equivalence, Model, NoFigure, Pentanomial, PlanError, Pool, Results, SequentialEstimate, Spread, Sprt,
    SprtError, Strength, Trinomial, difference_p, difference_p_at_any_time,
};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A file beside the project, if it is there.
fn shared(path: &str) -> Option<PathBuf> {
    let full = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(path);
    if full.exists() {
        return Some(full);
    }
    eprintln!("skipped: ../shared/{path} is absent");
    None
}

/// The rows of a golden table: a value by the name of its column.
struct Golden {
    names: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Golden {
    fn read(path: &str) -> Option<Golden> {
        let text = fs::read_to_string(shared(path)?).expect("text");
        let mut lines =
            text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').map(str::to_owned));
        let names = lines.next().expect("names of columns").collect();
        Some(Golden { names, rows: lines.map(Iterator::collect).collect() })
    }

    fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.rows.iter().map(|row| Row { names: &self.names, row })
    }
}

struct Row<'a> {
    names: &'a [String],
    row: &'a [String],
}

impl Row<'_> {
    fn text(&self, name: &str) -> &str {
        let at = self.names.iter().position(|own| own == name).unwrap_or_else(|| panic!("no column {name}"));
        &self.row[at]
    }

    fn number(&self, name: &str) -> f64 {
        self.text(name).parse().unwrap_or_else(|error| panic!("{name} {}: {error}", self.text(name)))
    }

    fn count(&self, name: &str) -> u64 {
        self.number(name) as u64
    }
}

fn model(name: &str) -> Model {
    *Model::ALL.iter().find(|model| model.name() == name.to_lowercase()).expect("a model")
}

fn close(what: &str, found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{what}: expected {expected}, found {found}");
}

#[test]
fn elo_and_llr_as_other_programs_have_them() {
    let Some(golden) = Golden::read("golden/sprt.tsv") else { return };
    let mut rows = 0;
    for row in golden.rows() {
        rows += 1;
        let id = row.text("id");
        let results = if row.text("kind") == "penta" {
            Results::Pairs(Pentanomial {
                ll: row.count("LL"),
                ld: row.count("LD"),
                wl_dd: row.count("WL") + row.count("DD"),
                wd: row.count("WD"),
                ww: row.count("WW"),
            })
        } else {
            Results::Games(Trinomial { losses: row.count("L"), draws: row.count("D"), wins: row.count("W") })
        };
        let model = model(row.text("model"));
        let [elo0, elo1, alpha, beta] = ["elo0", "elo1", "alpha", "beta"].map(|name| row.number(name));
        let sprt = Sprt::new(model, elo0, elo1, alpha, beta).expect(id);
        let llr = sprt.llr(&results).expect(id);
        close(&format!("{id} llr_ft"), llr, row.number("llr_ft"), 1e-6);
        // For BayesElo bounds fastchess tests another pair of hypotheses.
        if model != Model::Bayesian {
            close(&format!("{id} llr_fc"), llr, row.number("llr_fc"), 1e-3);
        }
        close(&format!("{id} lower"), sprt.lower(), row.number("lower"), 1e-8);
        close(&format!("{id} upper"), sprt.upper(), row.number("upper"), 1e-8);
        assert_eq!(sprt.decide(llr).name(), row.text("decision_fc"), "{id}");

        let strength = Strength::of(&results);
        if results.counts().iter().all(|&count| count > 0) {
            close(&format!("{id} elo"), strength.elo, row.number("elo_ft"), 1e-6);
            let [elo_error, nelo, nelo_error, los] =
                [strength.elo_error, strength.nelo, strength.nelo_error, strength.los].map(|known| known.expect(id));
            close(&format!("{id} elo_error"), elo_error, row.number("elo_err95_ft"), 1e-6);
            close(&format!("{id} nelo"), nelo, row.number("nelo_ft"), 1e-6);
            close(&format!("{id} nelo_error"), nelo_error, row.number("nelo_err95_ft"), 1e-6);
            // With fewer than 100 decided results the normal distribution is too sure of itself.
            let decided = match results {
                Results::Pairs(pairs) => pairs.ll + pairs.ld + pairs.wd + pairs.ww,
                Results::Games(games) => games.wins + games.losses,
            };
            close(&format!("{id} los"), los, row.number("los_ft"), if decided < 100 { 0.02 } else { 1e-6 });
            close(&format!("{id} score"), strength.score, row.number("score_fc"), 1e-9);
        }
    }
    assert_eq!(rows, 59);
}

#[test]
fn plans_as_fishtest_has_them() {
    let Some(golden) = Golden::read("golden/sprt_plan.tsv") else { return };
    let mut rows = 0;
    for row in golden.rows() {
        rows += 1;
        let [alpha, beta, elo0, elo1] = ["alpha", "beta", "elo0", "elo1"].map(|name| row.number(name));
        let sprt = Sprt::new(model(row.text("model")), elo0, elo1, alpha, beta).expect("bounds that can be tested");
        let spread = Spread::of_draws(row.number("draw_ratio"), row.number("rms_bias_elo")).expect("a variance");
        let prospect = sprt.prospect(spread, row.number("true_lelo")).expect("no bayesian rows");
        close(&format!("row {rows} variance"), spread.sigma().powi(2), row.number("variance"), 1e-9);
        let pass = row.number("pass_prob");
        close(&format!("row {rows} pass"), prospect.pass, pass, 1e-6 * pass.min(1.0 - pass).max(1e-6));
        close(&format!("row {rows} games"), prospect.games, row.number("expected_games"), 1e-6 * prospect.games);
    }
    assert_eq!(rows, 75);
}

#[test]
fn equivalence_takes_games() {
    let results = |scale: u64| {
        Results::Pairs(Pentanomial { ll: 5 * scale, ld: 20 * scale, wl_dd: 51 * scale, wd: 20 * scale, ww: 5 * scale })
    };
    // The standard deviation of a game is 0.3146, so +-3 Elo at the 5 % level takes (1.645 * 694.9 * 0.3146 / 3)^2 = 14,370
    // games here, where the score is even; one unit of the scale is 202. What was not seen takes 2 % more.
    assert!(Equivalence::of(&results(71), 3.0).p() > 0.05);
    assert!(Equivalence::of(&results(74), 3.0).p() < 0.05);
    let spread = Spread::of_results(&results(60)).expect("results enough");
    let games = spread.games_for_equivalence(3.0, 0.05, 0.9);
    assert!((games - (3.29 * 694.9 * spread.sigma() / 3.0).powi(2)).abs() < 0.01 * games, "{games}");
    // Nothing but draws does not prove more than their number allows: ln 0.05 / ln(1 - 2 (1/2 - L(-3))) = 345.
    let draws = |draws| Results::Games(Trinomial { draws, ..Trinomial::default() });
    assert!(Equivalence::of(&draws(330), 3.0).p() > 0.05);
    assert!(Equivalence::of(&draws(380), 3.0).p() < 0.05);
}

/// So many games show what they were planned for, however many are drawn.
#[test]
fn planned_games_show_equivalence() {
    let mut random = ChaCha8Rng::seed_from_u64(16);
    for (draws, margin) in
        [(0.3, 40.0), (0.6, 20.0), (0.9, 10.0), (0.95, 15.0), (0.97, 8.0), (0.98, 8.0), (0.99, 5.0), (0.999, 3.0)]
    {
        let spread = Spread::of_draws(draws, 0.0).expect("a share");
        let pairs = (spread.games_for_equivalence(margin, 0.05, 0.9) / 2.0).ceil() as u64;
        let mut half_points = || match random.random::<f64>() {
            drawn if drawn < draws => 1,
            drawn => 2 * usize::from(drawn < 0.5 + draws / 2.0),
        };
        let shown = (0..2_000).filter(|_| {
            let mut counts = [0_u64; 5];
            (0..pairs).for_each(|_| counts[half_points() + half_points()] += 1);
            let [ll, ld, wl_dd, wd, ww] = counts;
            Equivalence::of(&Results::Pairs(Pentanomial { ll, ld, wl_dd, wd, ww }), margin).p() < 0.05
        });
        let shown = shown.count();
        // 90 % of 2,000 are 1,800, with a standard error of 13; of few decided games the normal law is not that near.
        assert!(shown >= if draws > 0.9 { 1_740 } else { 1_775 }, "{draws} {margin}: {pairs} pairs, {shown} of 2,000");
    }
}

/// The estimate after a stop is nearer to zero than the score, and its interval lies askew; without a stop it is the score.
#[test]
fn the_stop_is_taken_into_account() {
    let sprt = Sprt::new(Model::Logistic, 0.0, 12.0, 0.05, 0.05).expect("bounds");
    // A quick pass.
    let results = Results::Pairs(Pentanomial { ll: 4, ld: 30, wl_dd: 170, wd: 50, ww: 10 });
    assert_eq!(sprt.decide(sprt.llr(&results).expect("pairs")).name(), "H1");
    let (plain, stopped) = (Strength::of(&results), sprt.estimate(&results).expect("pairs").expect("it stopped here"));
    assert!(stopped.elo < plain.elo - 0.5 && stopped.low < plain.elo_low && stopped.low < stopped.elo, "{stopped:?}");
    // The same shares, a hundred times: this test would have stopped long before.
    let results = Results::Pairs(Pentanomial { ll: 400, ld: 3000, wl_dd: 17_000, wd: 5000, ww: 1000 });
    assert_eq!(sprt.estimate(&results).expect("pairs"), Err(NoFigure::FarBeyond));
    // Far from both bounds the stop was not of its making.
    let wide = Sprt::new(Model::Logistic, -1.0, 1.0, 0.001, 0.001).expect("bounds");
    let results = Results::Pairs(Pentanomial { ll: 40, ld: 300, wl_dd: 1700, wd: 330, ww: 45 });
    let (plain, open) = (Strength::of(&results), wide.estimate(&results).expect("pairs").expect("undecided"));
    assert!((open.elo - plain.elo).abs() < 0.01 && (open.high - plain.elo_high).abs() < 0.1, "{open:?} {plain:?}");
}

/// The estimate after a stop for results that say too little, or that this test did not stop: a reason instead of a figure.
#[test]
fn no_estimate_is_made_up() {
    let pairs = |counts: [u64; 5]| {
        let [ll, ld, wl_dd, wd, ww] = counts;
        Results::Pairs(Pentanomial { ll, ld, wl_dd, wd, ww })
    };
    let few = |differing, count| NoFigure::FewDiffer { differing, count, pairs: true };
    for (model, elo1, counts, why) in [
        (Model::Normalized, 5.0, [0; 5], NoFigure::NoResults),
        (Model::Normalized, 50.0, [0, 1, 99, 0, 0], few(1, 100)),
        (Model::Logistic, 50.0, [0, 0, 22, 0, 0], NoFigure::AllAlike { count: 22, pairs: true }),
        (Model::Logistic, 150.0, [0, 0, 1, 0, 0], NoFigure::AllAlike { count: 1, pairs: true }),
        (Model::Logistic, 150.0, [0, 0, 0, 0, 1], NoFigure::AllAlike { count: 1, pairs: true }),
        (Model::Logistic, 50.0, [0, 0, 2000, 0, 0], NoFigure::FarBeyond),
        // A match of equal arms, 14,260 games of which two pairs were decided, one for each side.
        (Model::Normalized, 5.0, [0, 1, 7128, 1, 0], few(2, 7130)),
        (Model::Logistic, 5.0, [0, 1, 7128, 1, 0], NoFigure::FarBeyond),
    ] {
        let sprt = Sprt::new(model, 0.0, elo1, 0.05, 0.05).expect("bounds");
        assert_eq!(sprt.estimate(&pairs(counts)).expect("pairs"), Err(why), "{model:?} {counts:?}");
    }
}

/// Little variance is no reason for a figure far from the score: before, the wrong root was found, at -269 and -732 Elo.
#[test]
fn estimates_stay_near_the_score_where_variance_is_small() {
    for (model, elo1, counts) in [
        (Model::Normalized, 50.0, [0, 3, 95, 2, 0]),
        (Model::Normalized, 5.0, [0, 4, 7122, 4, 0]),
        (Model::Logistic, 10.0, [0, 4, 120, 2, 0]),
        (Model::Normalized, 5.0, [0, 40, 7000, 38, 0]),
    ] {
        let [ll, ld, wl_dd, wd, ww] = counts;
        let results = Results::Pairs(Pentanomial { ll, ld, wl_dd, wd, ww });
        let sprt = Sprt::new(model, 0.0, elo1, 0.05, 0.05).expect("bounds");
        let plain = Strength::of(&results);
        let found = sprt.estimate(&results).expect("pairs").expect("results enough");
        let width = plain.elo_high - plain.elo_low;
        assert!((found.elo - plain.elo).abs() < width / 2.0, "{counts:?} {found:?} {plain:?}");
        assert!(found.low < found.elo && found.elo < found.high && found.high - found.low < 2.0 * width, "{found:?}");
    }
}

/// What divides by a variance, takes the logarithm of a share or fills in zeros, at the ends of what can be counted.
#[test]
fn the_ends_of_the_scale() {
    let most = u64::MAX / 8;
    for counts in [
        [0; 5],
        [1, 0, 0, 0, 0],
        [0, 0, 0, 0, 1],
        [0, 0, 1, 0, 0],
        [0, 0, most, 0, 0],
        [0, 0, 0, 0, most],
        [most, 0, 0, 0, most],
        [1, 0, most, 0, 0],
        [most; 5],
    ] {
        let [ll, ld, wl_dd, wd, ww] = counts;
        let results = Results::Pairs(Pentanomial { ll, ld, wl_dd, wd, ww });
        let strength = Strength::of(&results);
        assert!(strength.elo_low <= strength.elo && strength.elo <= strength.elo_high, "{counts:?} {strength:?}");
        assert!([strength.elo, strength.elo_low, strength.elo_high].iter().all(|elo| elo.is_finite()), "{strength:?}");
        let few = counts.iter().filter(|&&count| count > 1).count() < 2;
        assert_eq!(strength.elo_error.is_none(), few, "{counts:?}");
        assert_eq!(Spread::of_results(&results).is_err(), few, "{counts:?}");
        assert_eq!(Spread::of_results(&results).map_err(PlanError::from).is_err(), few);
        for p in [difference_p(&results), difference_p_at_any_time(&results)] {
            assert!((0.0..=1.0).contains(&p), "{counts:?} {p}");
        }
        for model in [Model::Normalized, Model::Logistic] {
            let sprt = Sprt::new(model, 0.0, 5.0, 0.05, 0.05).expect("bounds");
            let llr = sprt.llr(&results).expect("a number");
            assert!(llr.is_finite(), "{counts:?}");
            if llr.abs() > 1000.0 {
                assert_eq!(sprt.estimate(&results).expect("a number"), Err(NoFigure::FarBeyond), "{counts:?}");
                assert_ne!(sprt.decide(llr), Decision::Continue);
            }
        }
        let both = Pool::of(&[results, results]).expect("one kind").expect("runs");
        assert!(both.same_match.is_none_or(|p| (0.0..=1.0).contains(&p)), "{counts:?} {both:?}");
    }
}

fn count() -> impl Strategy<Value = u64> {
    prop_oneof![Just(0), 1..10u64, 10..1000u64, 1000..10_000_000u64]
}

/// Also more than was ever played, as far as the command line takes it.
fn any_count() -> impl Strategy<Value = u64> {
    prop_oneof![count(), 1..=1_000_000_000_000_000u64]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any counts and any bounds that are accepted give finite figures that fit together.
    #[test]
    fn all_figures_are_finite(
        counts in prop::array::uniform5(any_count()),
        pairs: bool,
        model in prop::sample::select(Model::ALL.to_vec()),
        elo0 in -199.9..199.0f64,
        width in prop_oneof![0.001..0.1f64, 0.1..400.0f64],
    ) {
        let [ll, ld, wl_dd, wd, ww] = counts;
        let results = if pairs {
            Results::Pairs(Pentanomial { ll, ld, wl_dd, wd, ww })
        } else {
            Results::Games(Trinomial { losses: ll, draws: ld, wins: wl_dd })
        };
        let strength = Strength::of(&results);
        let Strength { score, elo, elo_error, elo_low, elo_high, nelo, nelo_error, los, not_yet } = strength;
        for figure in [score, elo, elo_low, elo_high].into_iter().chain([elo_error, nelo, nelo_error, los].into_iter().flatten()) {
            prop_assert!(figure.is_finite(), "{strength:?}");
        }
        prop_assert!(elo_low <= elo && elo <= elo_high, "{strength:?}");
        prop_assert!(elo_error.is_none_or(|error| error >= 0.0) && nelo_error.is_none_or(|error| error >= 0.0), "{strength:?}");
        prop_assert_eq!((elo_error.is_none(), los.is_none()), (not_yet.is_some(), not_yet == Some(NoFigure::NoResults)));
        prop_assert!(los.is_none_or(|los| (0.0..=1.0).contains(&los)) && (0.0..=1.0).contains(&score));
        for equivalence in [Equivalence::of(&results, width), Equivalence::at_any_time(&results, width)] {
            prop_assert!((0.0..=1.0).contains(&equivalence.p()), "{equivalence:?}");
        }
        for p in [difference_p(&results), difference_p_at_any_time(&results)] {
            prop_assert!((0.0..=1.0).contains(&p), "{p}");
        }

        let sprt = Sprt::new(model, elo0, (elo0 + width).min(199.9), 0.05, 0.05).expect("bounds within the limit");
        if model == Model::Bayesian && pairs {
            prop_assert_eq!(sprt.llr(&results), Err(SprtError::Pairs));
            return Ok(());
        }
        prop_assert!(sprt.llr(&results).expect("a number").is_finite());
        if let Ok(SequentialEstimate { elo, low, high }) = sprt.estimate(&results).expect("a number") {
            prop_assert!(low.is_finite() && low <= elo && elo <= high && high.is_finite(), "{low} {elo} {high}");
        }
    }

    /// Who looks from the other side sees the same with the other sign.
    #[test]
    fn both_sides_see_the_same(counts in prop::array::uniform5(count())) {
        let [ll, ld, wl_dd, wd, ww] = counts;
        let one = Results::Pairs(Pentanomial { ll, ld, wl_dd, wd, ww });
        let other = Results::Pairs(Pentanomial { ll: ww, ld: wd, wl_dd, wd: ld, ww: ll });
        let (mine, theirs) = (Strength::of(&one), Strength::of(&other));
        prop_assert!((mine.elo + theirs.elo).abs() < 1e-6 && mine.los.zip(theirs.los).is_none_or(|(mine, theirs)| (mine + theirs - 1.0).abs() < 1e-6));
        for model in [Model::Normalized, Model::Logistic] {
            let llr = |elo0, elo1, results| Sprt::new(model, elo0, elo1, 0.05, 0.05).expect("bounds").llr(results).expect("pairs");
            let (mine, theirs) = (llr(-1.0, 4.0, &one), llr(-4.0, 1.0, &other));
            prop_assert!((mine + theirs).abs() < 1e-6 * (1.0 + mine.abs()), "{mine} {theirs}");
            let test = Sprt::new(model, -1.0, 4.0, 0.05, 0.1).expect("bounds");
            let back = test.reversed();
            prop_assert_eq!((back.bounds(), back.reversed()), ([-4.0, 1.0], test));
            prop_assert!((back.lower() + test.upper()).abs() < 1e-12 && (back.upper() + test.lower()).abs() < 1e-12);
        }
    }
}
