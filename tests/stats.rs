//! Elo and SPRT against what other programs print for the same results, and the laws that any counts obey.

use std::fs;

use drawish::stats::{
    Equivalence, Model, Pentanomial, Results, SequentialEstimate, Spread, Sprt, SprtError, Strength, Trinomial,
};
use proptest::prelude::*;

use crate::run::{Place, shared};

/// The rows of a golden table: a value by the name of its column.
pub struct Golden {
    names: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Golden {
    pub fn read(path: &str) -> Option<Golden> {
        let text = fs::read_to_string(shared(path)?).expect("text");
        let mut lines =
            text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').map(str::to_owned));
        let names = lines.next().expect("names of columns").collect();
        Some(Golden { names, rows: lines.map(Iterator::collect).collect() })
    }

    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.rows.iter().map(|row| Row { names: &self.names, row })
    }
}

pub struct Row<'a> {
    names: &'a [String],
    row: &'a [String],
}

impl Row<'_> {
    pub fn text(&self, name: &str) -> &str {
        let at = self.names.iter().position(|own| own == name).unwrap_or_else(|| panic!("no column {name}"));
        &self.row[at]
    }

    pub fn number(&self, name: &str) -> f64 {
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
            close(&format!("{id} elo_error"), strength.elo_error, row.number("elo_err95_ft"), 1e-6);
            close(&format!("{id} nelo"), strength.nelo, row.number("nelo_ft"), 1e-6);
            close(&format!("{id} nelo_error"), strength.nelo_error, row.number("nelo_err95_ft"), 1e-6);
            close(&format!("{id} los"), strength.los, row.number("los_ft"), 1e-6);
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

/// Bounds that no normalized test can decide between are refused, by the room and on the command line.
#[test]
fn impossible_bounds_are_refused_in_words() {
    let Some(golden) = Golden::read("golden/sprt_invalid.tsv") else { return };
    let place = Place::new();
    let mut rows = 0;
    for row in golden.rows() {
        rows += 1;
        let counts = ["LL", "LD", "WLDD", "WD", "WW"].map(|name| row.text(name));
        let [elo0, elo1] = ["elo0", "elo1"].map(|name| row.text(name));
        let line = format!("sprt --penta {} --elo0 {elo0} --elo1 {elo1}", counts.join(" "));
        place.say(&line).fails(2, &["cannot be tested: bounds of a normalized test must lie between -200 and 200"]);
    }
    assert_eq!(rows, 9);
}

#[test]
fn what_makes_no_test_is_refused_in_words() {
    let place = Place::new();
    for (line, said) in [
        ("--penta 1 2 3 4 5 --elo0 5 --elo1 5", "the bounds 5 and 5 leave nothing to decide: expected elo0 < elo1"),
        ("--penta 1 2 3 4 5 --elo0 nan --elo1 5", "the bound NaN cannot be tested"),
        ("--penta 1 2 3 4 5 --elo0 -1000 --elo1 5 --model logistic", "must lie between -1000 and 1000"),
        ("--penta 1 2 3 4 5 --elo0 0 --elo1 5 --alpha 0", "alpha = 0 is no probability of an error"),
        ("--penta 1 2 3 4 5 --elo0 0 --elo1 5 --beta 0.5", "beta = 0.5 is no probability of an error"),
        ("--penta 1 2 3 4 5 --elo0 0 --elo1 5 --model bayesian", "a bayesian test knows no pairs of games"),
        ("--penta 1 2 3 4 5 --elo0 0 --elo1 5 --equivalence -3", "--equivalence -3 is no margin"),
        ("--penta 1 2 3 4 --elo0 0 --elo1 5", "5 values required"),
        ("--elo0 0 --elo1 5", "--penta"),
        ("--wdl 1 2 3 --penta 1 2 3 4 5 --elo0 0 --elo1 5", "cannot be used with"),
        ("--wdl 1 2 3", "--elo0"),
        ("plan --elo0 0 --elo1 5 --draw-ratio 1", "a draw ratio of 1 is not possible"),
        ("plan --elo0 0 --elo1 5 --draw-ratio 0.97 --bias 90", "openings cannot be as unbalanced as 90 Elo"),
        ("plan --elo0 0 --elo1 5 --model bayesian", "not for the bayesian one"),
        ("plan --elo0 0 --elo1 5 --elo 2000", "2000 Elo is beyond what can be planned for"),
        ("plan --elo0 0 --elo1 5 --equivalence 0", "--equivalence 0 is no margin"),
    ] {
        place.say(&format!("sprt {line}")).fails(2, &[said]);
    }
}

/// A published result, in the lines that its author has pasted: LLR 2.97, 18.04 +- 8.23.
#[test]
fn the_block_that_people_paste() {
    let place = Place::new();
    let text = place.say("sprt --penta 50 287 610 387 73 --elo0 0 --elo1 5").ok().out();
    assert!(
        text.starts_with(
            "Elo: 18.04 +/- 8.23, nElo: 28.19 +/- 12.93\n\
             LOS: 100.00 %, DrawRatio: 43.35 %, PairsRatio: 1.36\n\
             Games: 2814, Points: 1480.0 (52.59 %)\n\
             Ptnml(0-2): [50, 287, 610, 387, 73]\n\
             LLR: 2.97 (100.7%) (-2.94, 2.94) [0.00, 5.00]\n\n\
             H1 is accepted: "
        ),
        "{text}"
    );
    let json = place.say("sprt --penta 50 287 610 387 73 --elo0 0 --elo1 5 --json").ok().json();
    close("llr", json["llr"].as_f64().expect("a number"), 2.965_941_903, 1e-6);
    assert_eq!(json["decision"], "H1");
    for name in ["lower", "upper", "elo", "elo_error", "nelo", "nelo_error", "los"] {
        assert!(json[name].is_f64(), "{name}");
    }
}

/// What the README shows of this verb is what it prints.
#[test]
fn the_readme_tells_the_truth() {
    let readme = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).expect("README.md");
    let place = Place::new();
    let mut shown = 0;
    for part in readme.split("$ drawish sprt").skip(1) {
        let (line, rest) = part.split_once('\n').expect("a line");
        let printed = rest.split("```").next().expect("the end of the block");
        assert_eq!(place.say(&format!("sprt {line}")).ok().out(), printed, "{line}");
        shown += 1;
    }
    assert_eq!(shown, 2);
}

#[test]
fn runs_are_added_and_compared() {
    let place = Place::new();
    let once = place.say("sprt --wdl 500 600 450 --elo0 0 --elo1 5 --json").ok().json();
    let twice = place.say("sprt --wdl 200 350 190 --wdl 300 250 260 --elo0 0 --elo1 5 --json").ok().json();
    assert_eq!(once["llr"], twice["llr"]);
    assert_eq!(twice["runs"], 2);
    assert!(twice["same_match"].as_f64().expect("a probability") > 0.1);
    let text = place.say("sprt --wdl 300 250 190 --wdl 190 250 300 --elo0 0 --elo1 5").ok().out();
    assert!(text.contains("2 runs added: they do not look like the same match"), "{text}");
}

#[test]
fn equivalence_takes_games() {
    let results = |scale: u64| {
        Results::Pairs(Pentanomial { ll: 5 * scale, ld: 20 * scale, wl_dd: 51 * scale, wd: 20 * scale, ww: 5 * scale })
    };
    // The standard deviation of a game is 0.3146, so +-3 Elo at the 5 % level takes (1.645 * 694.9 * 0.3146 / 3)^2 = 14,370
    // games here, where the score is even; one unit of the scale is 202.
    assert!(Equivalence::of(&results(71), 3.0).p() > 0.05);
    assert!(Equivalence::of(&results(72), 3.0).p() < 0.05);
    let spread = Spread::of_results(&results(60));
    let games = spread.games_for_equivalence(3.0, 0.05, 0.9);
    assert!((games - (3.29 * 694.9 * spread.sigma() / 3.0).powi(2)).abs() < 0.01 * games, "{games}");
    // Nothing but draws does not prove more than their number allows.
    let draws = |draws| Results::Games(Trinomial { draws, ..Trinomial::default() });
    assert!(Equivalence::of(&draws(100), 3.0).p() > 0.05);
    assert!(Equivalence::of(&draws(1000), 3.0).p() < 0.05);
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
    assert_eq!(sprt.estimate(&results).expect("pairs"), None);
    // Far from both bounds the stop was not of its making.
    let wide = Sprt::new(Model::Logistic, -1.0, 1.0, 0.001, 0.001).expect("bounds");
    let results = Results::Pairs(Pentanomial { ll: 40, ld: 300, wl_dd: 1700, wd: 330, ww: 45 });
    let (plain, open) = (Strength::of(&results), wide.estimate(&results).expect("pairs").expect("undecided"));
    assert!((open.elo - plain.elo).abs() < 0.01 && (open.high - plain.elo_high).abs() < 0.1, "{open:?} {plain:?}");
}

fn count() -> impl Strategy<Value = u64> {
    prop_oneof![Just(0), 1..10u64, 10..1000u64, 1000..10_000_000u64]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any counts and any bounds that are accepted give finite figures that fit together.
    #[test]
    fn all_figures_are_finite(
        counts in prop::array::uniform5(count()),
        pairs: bool,
        model in prop::sample::select(Model::ALL.to_vec()),
        elo0 in -199.9..199.0f64,
        width in 0.1..400.0f64,
    ) {
        let [ll, ld, wl_dd, wd, ww] = counts;
        let results = if pairs {
            Results::Pairs(Pentanomial { ll, ld, wl_dd, wd, ww })
        } else {
            Results::Games(Trinomial { losses: ll, draws: ld, wins: wl_dd })
        };
        let strength = Strength::of(&results);
        let Strength { score, elo, elo_error, elo_low, elo_high, nelo, nelo_error, los } = strength;
        for figure in [score, elo, elo_error, elo_low, elo_high, nelo, nelo_error, los] {
            prop_assert!(figure.is_finite(), "{strength:?}");
        }
        prop_assert!(elo_low <= elo && elo <= elo_high && elo_error >= 0.0 && nelo_error >= 0.0, "{strength:?}");
        prop_assert!((0.0..=1.0).contains(&los) && (0.0..=1.0).contains(&score));
        let equivalence = Equivalence::of(&results, width);
        prop_assert!((0.0..=1.0).contains(&equivalence.p()), "{equivalence:?}");

        let sprt = Sprt::new(model, elo0, (elo0 + width).min(199.9), 0.05, 0.05).expect("bounds within the limit");
        if model == Model::Bayesian && pairs {
            prop_assert_eq!(sprt.llr(&results), Err(SprtError::Pairs));
            return Ok(());
        }
        prop_assert!(sprt.llr(&results).expect("a number").is_finite());
        if let Some(SequentialEstimate { elo, low, high }) = sprt.estimate(&results).expect("a number") {
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
        prop_assert!((mine.elo + theirs.elo).abs() < 1e-6 && (mine.los + theirs.los - 1.0).abs() < 1e-6);
        for model in [Model::Normalized, Model::Logistic] {
            let llr = |elo0, elo1, results| Sprt::new(model, elo0, elo1, 0.05, 0.05).expect("bounds").llr(results).expect("pairs");
            let (mine, theirs) = (llr(-1.0, 4.0, &one), llr(-4.0, 1.0, &other));
            prop_assert!((mine + theirs).abs() < 1e-6 * (1.0 + mine.abs()), "{mine} {theirs}");
        }
    }
}
