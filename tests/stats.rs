//! `drawish sprt`: what it prints, adds up and refuses. What it computes is tested in `crates/stats/tests/results.rs`.

use std::fs;

use crate::run::{Place, shared};

/// Bounds that no normalized test can decide between are refused, by the room and on the command line.
#[test]
fn impossible_bounds_are_refused_in_words() {
    let Some(path) = shared("golden/sprt_invalid.tsv") else { return };
    let text = fs::read_to_string(path).expect("text");
    let mut lines = text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect::<Vec<_>>());
    let names = lines.next().expect("names of columns");
    let column = |name: &str| names.iter().position(|own| *own == name).expect(name);
    let place = Place::new();
    let mut rows = 0;
    for row in lines {
        rows += 1;
        let counts = ["LL", "LD", "WLDD", "WD", "WW"].map(|name| row[column(name)]);
        let [elo0, elo1] = ["elo0", "elo1"].map(|name| row[column(name)]);
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
        ("--penta 1 2 3 4 5 --elo0 5 --elo1 5.0001", "at least 0.001 apart"),
        ("--penta 1 2 3 4 9000000000000000 --elo0 0 --elo1 5", "9000000000000000 is not in 0..=1000000000000000"),
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
    assert!((json["llr"].as_f64().expect("a number") - 2.965_941_903).abs() < 1e-6, "{json}");
    assert_eq!(json["decision"], "H1");
    for name in ["lower", "upper", "elo", "elo_error", "nelo", "nelo_error", "los"] {
        assert!(json[name].is_f64(), "{name}");
    }
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
