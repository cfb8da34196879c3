//! The test that the log of a match names: who goes on with the log, judges it or looks at it does so by this test.

use crate::run::{Done, Place};

const MATCH: &str = "match --engine arm=none name=new nodes=100 --engine arm=none name=old nodes=50 --each hash=1 --openings random:6 \
                     --pairs 12 -q";
const TEST: &str = "0 against 80 normalized Elo (alpha 0.1, beta 0.1)";

fn play(place: &Place, more: &str) -> Done {
    let seed = if more.contains("--seed") { "" } else { "--seed 1" };
    place.say(&format!("{MATCH} {seed} {more}"))
}

/// Plays a match that its test ends before the last pair.
fn tested(place: &Place) -> String {
    play(place, "--log m.jsonl --sprt elo0=0 elo1=80 alpha=0.1 beta=0.1").ok();
    log(place, "m.jsonl")
}

fn log(place: &Place, name: &str) -> String {
    String::from_utf8(place.read(name)).expect("text")
}

#[test]
fn only_the_log_of_a_tested_match_names_a_test() {
    let place = Place::new();
    let with = tested(&place);
    play(&place, "--log plain.jsonl").ok();
    let plain = log(&place, "plain.jsonl");
    let first = |log: &str| log.lines().next().expect("a first line").to_owned();
    let test = r#","test":{"model":"normalized","elo0":0.0,"elo1":80.0,"alpha":0.1,"beta":0.1}}"#;
    assert_eq!(first(&with).strip_suffix(test), first(&plain).strip_suffix('}'));
    assert!(!plain.contains("\"test\""), "{}", first(&plain));
    assert!(with.lines().count() < plain.lines().count(), "the test ends the match");
}

#[test]
fn a_resumed_match_is_ended_by_the_test_of_its_log() {
    let place = Place::new();
    let whole = tested(&place);
    let cut = whole.lines().take(3).map(|line| format!("{line}\n")).collect::<String>();
    let resumed = |log: &str, more: &str| {
        place.put("m.jsonl", log);
        play(&place, &format!("--log m.jsonl --resume {more}"))
    };
    let done = resumed(&cut, "").ok();
    assert_eq!(done.err(), format!("drawish: the test of the log applies: {TEST}; --sprt none leaves it out\n"));
    assert!(done.out().contains("H1 is accepted: rather 80.00 than 0.00 normalized Elo."), "{}", done.out());
    assert!(log(&place, "m.jsonl") == whole);
    place.put("m.jsonl", &whole);
    let done = place.say(&format!("{} --seed 1 --log m.jsonl --resume", MATCH.replace(" -q", ""))).ok();
    let pairs = whole.lines().count() - 1;
    let said = format!("nothing is left to play: the test is decided by {pairs} pairs of the log\n");
    assert!(done.out().contains(&said), "{}", done.out());
    // The usual way says nothing.
    let done = resumed(&cut, "--sprt elo0=0 elo1=80 alpha=0.1 beta=0.1").ok();
    assert!(done.err().is_empty() && log(&place, "m.jsonl") == whole, "{}", done.err());
    // A kill in the first line: whatever test is asked for then, the match begins.
    let first = cut.lines().next().expect("a first line");
    for length in [10, first.len() - 20, first.len() - 90, first.len() - 100] {
        resumed(&first[..length], "").ok();
        assert!(!log(&place, "m.jsonl").contains("\"test\""));
    }
}

/// A test that the first pairs decide says so whichever file has them: the log of the match, the logs of its ranges in any order, or
/// that of a tournament. Of a range alone nothing is known about a stop.
#[test]
fn the_verdict_does_not_depend_on_the_kind_of_log() {
    let place = Place::new();
    let sides = "--engine arm=none name=new nodes=60 --engine arm=none name=old nodes=55";
    let how = "--each hash=1 --openings random:6 --seed 7 -q";
    place.say(&format!("match {sides} {how} --pairs 16 --log m.jsonl")).ok();
    for (range, log) in [("1..6", "one.jsonl"), ("7..16", "two.jsonl")] {
        place.say(&format!("match {sides} {how} --pairs 16 --range {range} --log {log}")).ok();
    }
    place
        .say(&format!("tournament {sides} --engine arm=none name=third nodes=20 {how} --rounds 16 --log t.jsonl"))
        .ok();
    let test = "elo0=0 elo1=100 alpha=0.4 beta=0.4";
    let judged = |logs: &str| place.say(&format!("sprt {logs} --sprt {test} --json")).json();
    let whole = judged("m.jsonl");
    assert!(whole["pairs_after_decision"].as_u64() > Some(3), "{whole}");
    let figures = ["llr", "decision", "pairs_after_decision", "sequential", "sequential_absent", "counts"];
    for logs in ["two.jsonl one.jsonl", "t.jsonl --first new --against old"] {
        let found = judged(logs);
        for figure in figures {
            assert_eq!(found[figure], whole[figure], "{figure} of {logs}");
        }
    }
    let range = judged("two.jsonl");
    let said = range["sequential_absent"].as_str();
    assert!(said.is_some_and(|said| said.contains("not one match from its first pair")), "{range}");
    // The report of a range knows no more than that.
    let shown = place.say(&format!("report two.jsonl --sprt {test} -o - -q")).ok().out();
    let llr = format!("| {:.2} |", range["llr"].as_f64().expect("an LLR"));
    for expected in [&llr, "not known: these games are not one match from its first pair"] {
        assert!(shown.contains(expected), "{expected}: {shown}");
    }
    assert!(!shown.contains("pairs up to the decision"), "{shown}");
    place.say(&format!("match {} {how} --pairs 16 --log other.jsonl", sides.replace("55", "50"))).ok();
    let two = judged("m.jsonl other.jsonl");
    assert!(two["sequential"].is_null() && two["sequential_absent"].as_str() == said, "{two}");
}

#[test]
fn another_test_than_that_of_the_log_is_reported() {
    let place = Place::new();
    let whole = tested(&place);
    let said = "drawish: the log was begun with the test 0 against 80 normalized Elo (alpha 0.1, beta 0.1), now it is 0 against 5 \
                normalized Elo (alpha 0.05, beta 0.05); error rates do not hold for a test that is chosen after games were seen\n";
    let done = play(&place, "--log m.jsonl --resume --sprt elo0=0 elo1=5");
    assert_eq!((done.code(), done.err()), (4, said.to_owned()), "undecided by the other test");
    let caveat = "The log was begun with the test 0 against 80 normalized Elo (alpha 0.1, beta 0.1), now it is 0 against 5 normalized Elo \
                  (alpha 0.05, beta 0.05); error rates do not hold for a test that is chosen after games were seen.\n";
    assert!(done.out().contains(&format!("The test is undecided.\n{caveat}")), "{}", done.out());
    let played = play(&place, "--log m.jsonl --resume --sprt elo0=0 elo1=5 --json").json();
    assert_eq!(played["test_caveat"].as_str().map(str::len), Some(caveat.trim_end().len() - 1), "{played}");
    assert!(play(&place, "--log m.jsonl --resume --json").json()["test_caveat"].is_null(), "the test of the log");
    let longer = log(&place, "m.jsonl");
    assert!(longer.starts_with(&whole) && longer.lines().count() == 13, "the log keeps its test");
    place.put("m.jsonl", &whole);
    let done = play(&place, "--log m.jsonl --resume --sprt none").ok();
    assert!(done.err().is_empty() && !done.out().contains("LLR"), "{}", done.out());
    let stop = format!(
        "The test of the log, {TEST}, was decided after {} pairs: until a few times as",
        whole.lines().count() - 1
    );
    assert!(done.out().contains(&stop), "{}", done.out());
    assert!(log(&place, "m.jsonl") == longer, "all pairs are played");
    play(&place, "--log plain.jsonl").ok();
    let done = play(&place, "--log plain.jsonl --resume --sprt elo0=0 elo1=5");
    done.fails(4, &["the log names no test, now it is 0 against 5 normalized Elo"]);
}

#[test]
fn results_are_judged_by_the_test_of_the_log() {
    let place = Place::new();
    let whole = tested(&place);
    let text = place.say("sprt m.jsonl").ok().out();
    assert!(text.contains("(-2.20, 2.20) [0.00, 80.00]") && text.contains("H1 is accepted"), "{text}");
    assert!(text.ends_with("\nThe test is the one that the log names; --elo0 and --elo1 give another.\n"), "{text}");
    let json = |more: &str| place.say(&format!("sprt {more} --json")).ok().json();
    let own = json("m.jsonl");
    assert_eq!((&own["test_from"], &own["decision"], &own["elo1"]), (&"log".into(), &"H1".into(), &80.0.into()));
    // From the other side it is the other way round.
    let other = json("m.jsonl --first old");
    assert_eq!((&other["decision"], &other["elo0"], &other["elo1"]), (&"H0".into(), &(-80.0).into(), &0.0.into()));
    assert_eq!(other["llr"].as_f64(), own["llr"].as_f64().map(|llr| -llr));
    let given = json("m.jsonl --elo0 0 --elo1 5");
    assert_eq!((&given["test_from"], &given["elo1"]), (&"arguments".into(), &5.0.into()));
    let none = json("m.jsonl --sprt none");
    assert!(none["llr"].is_null() && none["test_from"].is_null(), "{none}");
    // The sum of several matches has no test.
    play(&place, "--log n.jsonl --seed 2 --sprt elo0=0 elo1=80 alpha=0.1 beta=0.1");
    let sum = json("m.jsonl n.jsonl");
    assert!(sum["test_from"].is_null() && sum["llr"].is_null(), "{sum}");
    // Who asks for no test knows still that tests have stopped them.
    let said = |more: &str| place.say(&format!("sprt m.jsonl n.jsonl {more}")).ok().out().to_owned();
    assert!(said("").contains("tests have stopped all, each where"), "{}", said(""));
    assert_eq!(said("--sprt none"), said(""));
    let one = place.say("sprt m.jsonl --sprt none --equivalence 3").ok();
    assert!(one.out().contains("), as if the number of games had been fixed."), "{}", one.out());
    assert!(one.out().ends_with("corrected for the stop, is printed without --sprt none.\n"), "{}", one.out());
    place.say("report m.jsonl -o m.md --sprt none").fails(2, &["leave --sprt out"]);
    // A test that nobody can make is no test.
    place.put("wrong.jsonl", whole.replacen("\"elo1\":80.0", "\"elo1\":-80.0", 1));
    place.say("sprt wrong.jsonl").fails(1, &["the first line of the log cannot be read", "expected elo0 < elo1"]);
}

#[test]
fn single_games_are_judged_by_a_bayesian_test_of_the_log() {
    let place = Place::new();
    let played = play(&place, "--log b.jsonl --sprt elo0=0 elo1=80 model=bayesian --json");
    let last = played.out().lines().last().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
    let played = last.expect("figures");
    assert_eq!(played["test"]["model"], "bayesian");
    let judged = place.say("sprt b.jsonl --json").ok().json();
    assert_eq!((&judged["llr"], &judged["decision"]), (&played["llr"], &played["decision"]));
    assert_eq!(judged["model"], "bayesian");
    // Wherever its verdict stands, and in no other test.
    let caveat = judged["test_caveat"].as_str().expect("a caveat");
    assert!(caveat.starts_with("Bayesian Elo treats all games as independent."), "{caveat}");
    place.say("report b.jsonl -o b.md -o b.html").ok();
    for text in [place.say("sprt b.jsonl").out(), log(&place, "b.md"), log(&place, "b.html")] {
        assert!(text.contains(caveat), "{text}");
    }
    let other = place.say("sprt b.jsonl --elo0 0 --elo1 5 --json").ok().json();
    assert!(other["test_caveat"].is_null(), "{other}");
}

#[test]
fn a_report_shows_the_test_of_the_log() {
    let place = Place::new();
    tested(&place);
    place.say("report m.jsonl -o m.md").ok();
    let page = log(&place, "m.md");
    for part in [
        "| log-likelihood ratio, normalized Elo 0 against 80, the test of the log | 2.",
        "| decision of the test | H1 is accepted |",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    place.say("report m.jsonl -o other.md --sprt elo0=0 elo1=5").ok();
    let page = log(&place, "other.md");
    assert!(page.contains("| decision of the test | undecided |") && !page.contains("the test of the log"), "{page}");
    // Beside others Elo is as if the number of games had been fixed, which the page says.
    play(&place, "--log n.jsonl --seed 2");
    for test in ["", "--sprt elo0=0 elo1=5"] {
        place.say(&format!("report m.jsonl n.jsonl -o both.md {test}")).ok();
        let page = log(&place, "both.md");
        assert!(page.contains("A test has stopped "), "{test}: {page}");
        // Nor does whether a difference is excluded, which is as if the number of games had been fixed, too.
        let row = page.lines().find(|line| line.contains("(m.jsonl) |")).expect("its row");
        assert!(row.ends_with(" | - |"), "{test}: {row}");
    }
    // The same match by a log that names no test, as older ones do: the test that is asked for has stopped it.
    let pairs = log(&place, "m.jsonl").lines().count() - 1;
    play(&place, "--log older.jsonl").ok();
    let older: String = log(&place, "older.jsonl").lines().take(1 + pairs).map(|line| format!("{line}\n")).collect();
    place.put("older.jsonl", &older);
    let says_stopped = |test: &str| {
        place.say(&format!("report older.jsonl n.jsonl -o both.md {test}")).ok();
        let page = log(&place, "both.md");
        let row = page.lines().find(|line| line.contains("(older.jsonl) |")).expect("its row");
        assert_eq!(page.contains("A test has stopped "), row.ends_with(" | - |"), "{test}: {page}");
        page.contains("A test has stopped new - old (older.jsonl)")
    };
    assert!(says_stopped("--sprt elo0=0 elo1=80 alpha=0.1 beta=0.1"));
    assert!(!says_stopped("--sprt elo0=0 elo1=5") && !says_stopped(""));
}

/// Gauntlets have no tests, and take logs of matches that have.
#[test]
fn a_gauntlet_tells_which_matches_a_test_has_stopped() {
    let place = Place::new();
    std::fs::create_dir(place.path("g")).expect("a directory");
    place.say("match --engine arm=none name=new nodes=100 --engine arm=none name=x nodes=50 --each hash=1 --openings random:6 --pairs 12 --seed 1 \
               -q --log g/new-x.jsonl --sprt elo0=0 elo1=80 alpha=0.1 beta=0.1").ok();
    let gauntlet = "gauntlet --engine arm=none name=new nodes=100 --engine arm=none name=old nodes=90 --opponent arm=none name=x nodes=50 \
                    --each hash=1 --openings random:6 --seed 1 -q --logs g";
    let stopped = log(&place, "g/new-x.jsonl").lines().count() - 1;
    let said = format!("new-x.jsonl: the test of the log, {TEST}, was decided after {stopped} pairs: until");
    let done = place.say(&format!("{gauntlet} --pairs 12")).ok();
    assert!(done.out().contains(&said), "{}", done.out());
    let json = place.say(&format!("{gauntlet} --pairs 12 --json")).ok().json();
    assert_eq!((&json["stopped"][0]["test"], &json["stopped"][0]["pairs"]), (&TEST.into(), &stopped.into()));
    assert_eq!(json["stopped"].as_array().map(Vec::len), Some(1));
    // Logs that name no test are those of the gauntlet.
    let done = place.say(&gauntlet.replace("--logs g", "--logs h --pairs 3")).ok();
    assert!(!done.out().contains("the test of the log"), "{}", done.out());
}
