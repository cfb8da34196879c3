//! Tuning by games: what is written down, that it can be gone on with, and what is refused.

use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::fake_engine::engine;
use crate::run::{Done, Place};

const HASH: &str = "# the option of the fake engine\nHash, int, 16, 1, 64, 4, 0.01\n";
const FORM: &str = "per_pawn, float, 2, 0, 20, 2, 0.01\nsearch.razor, int, 20, 0, 400, 40, 0.01\n";

fn tune(place: &Place, behaviour: &str, more: &str) -> Done {
    let words = engine(behaviour, "fake").into_iter();
    let fixed = "--parameters p.txt --openings random:4 --seed 3 --nodes 10".split(' ').map(str::to_owned);
    let all = std::iter::once("spsa".to_owned()).chain(words).chain(fixed);
    place.run(all.chain(more.split_whitespace().map(str::to_owned)))
}

fn lines(place: &Place, log: &str) -> Vec<Value> {
    let text = String::from_utf8(place.read(log)).expect("text");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn workers_change_nothing_and_options_reach_the_engine() {
    let place = Place::new();
    place.put("p.txt", HASH);
    for (workers, log) in [("1", "one"), ("3", "three")] {
        let more = format!("--pairs 12 --pairs-per-step 2 --lag 3 -j {workers} --log {log}.jsonl");
        tune(&place, "plays_by_hash", &more).ok();
    }
    assert!(place.read("one.jsonl") == place.read("three.jsonl"));
    let lines = lines(&place, "one.jsonl");
    assert_eq!((lines.len(), lines[0]["steps"].as_u64(), lines[0]["pairs_per_step"].as_u64()), (7, Some(6), Some(2)));
    // A match between engines with the values of a step has the results of that step.
    for step in [1, 4] {
        let [plus, minus] = ["plus", "minus"].map(|side| lines[step][side][0].as_i64().expect("a whole number"));
        assert_ne!(plus, minus);
        let [one, other] = [("one", plus), ("other", minus)].map(|(name, hash)| {
            let mut words = engine("plays_by_hash", name);
            words.push(format!("option.Hash={hash}"));
            words
        });
        let start = 2 * step - 1;
        let fixed =
            format!("--openings random:4 --seed 3 --nodes 10 --pairs 12 --start {start} --log match{step}.jsonl");
        let fixed = fixed.split(' ').map(str::to_owned).collect::<Vec<_>>();
        place.run([vec!["match".to_owned()], one, other, fixed].concat()).ok();
        let records = self::lines(&place, &format!("match{step}.jsonl"));
        let letter = |record: &Value, game: usize| match (record["games"][game]["result"].as_str(), game) {
            (Some("1-0"), 0) | (Some("0-1"), 1) => "W",
            (Some("1/2-1/2"), _) => "D",
            _ => "L",
        };
        let played: String = (1..=2).flat_map(|pair| [0, 1].map(|game| letter(&records[pair], game))).collect();
        assert_eq!(lines[step]["games"].as_str(), Some(played.as_str()), "step {step}");
    }
}

/// An engine that does not heed its option plays the same games with every value, which is said once, by the name of the option.
#[test]
fn parameters_without_effect_are_named() {
    let place = Place::new();
    place.put("p.txt", HASH);
    let warning =
        "Hash: no effect so far: in 20 of 20 pairs, among them the last twenty, both games had the same moves";
    let more = "--pairs 24 --max-moves 8 -j 2 --repeat-openings --log";
    let done = tune(&place, "plays", &format!("{more} deaf.jsonl")).ok();
    assert_eq!(done.err().matches("no effect so far").count(), 1, "{}", done.err());
    assert!(done.err().contains(warning) && done.err().contains("raise c_end, give more nodes"), "{}", done.err());
    assert!(done.out().contains("24 of 24 pairs had the same moves in both games"), "{}", done.out());
    // A run that is resumed, also one that is over, and the report count the pairs of the log.
    let said = "24 of 24 pairs had the same moves in both games: the values made no difference there";
    let text = String::from_utf8(place.read("deaf.jsonl")).expect("text");
    place.put("deaf.jsonl", text.lines().take(9).flat_map(|line| [line, "\n"]).collect::<String>());
    for _ in 0..2 {
        let done = tune(&place, "plays", &format!("{more} deaf.jsonl --resume")).ok();
        assert!(done.out().contains(said), "{}", done.out());
    }
    assert_eq!(String::from_utf8(place.read("deaf.jsonl")).expect("text"), text);
    let done = tune(&place, "plays", &format!("{more} deaf.jsonl --resume --json")).ok();
    let found: Value = serde_json::from_str(done.out().lines().last().expect("a line")).expect("JSON");
    assert_eq!(found["identical_pairs"], 24);
    place
        .say("sprt deaf.jsonl")
        .fails(1, &["expected results, found the log of tuning by games: `drawish report` shows it"]);
    let done = place.say("report deaf.jsonl -o -").ok();
    assert!(done.out().contains(said), "{}", done.out());
    let done = tune(&place, "plays_by_hash", &format!("{more} heeds.jsonl")).ok();
    assert!(!done.err().contains("no effect") && !done.out().contains("the same moves in both"), "{}", done.out());
}

#[test]
fn a_cut_log_is_resumed_to_the_byte_and_others_are_refused() {
    let place = Place::new();
    place.put("p.txt", HASH);
    tune(&place, "plays_by_hash", "--pairs 8 --log whole.jsonl").ok();
    let whole = place.read("whole.jsonl");
    let ends: Vec<usize> = (1..=whole.len()).filter(|end| whole[end - 1] == b'\n').collect();
    for cut in [0, 10, ends[0], ends[0] + 5, ends[3], ends[6] - 1, whole.len()] {
        place.put("cut.jsonl", &whole[..cut]);
        tune(&place, "plays_by_hash", "--pairs 8 --log cut.jsonl --resume").ok();
        assert!(place.read("cut.jsonl") == whole, "cut at {cut}");
    }
    tune(&place, "plays_by_hash", "--pairs 8 --log whole.jsonl").fails(1, &["holds tuning already", "by --resume"]);
    let resume = "--log whole.jsonl --resume";
    let another = "is the log of another tuning run";
    tune(&place, "plays_by_hash", &format!("--pairs 9 {resume}")).fails(1, &[another, "steps was 8, now it is 9"]);
    tune(&place, "plays", &format!("--pairs 8 {resume}")).fails(1, &[another, "sides.1.player"]);
    place.put("p.txt", HASH.replace("16", "20"));
    let said = "parameters.1.value was 16.0, now it is 20.0";
    tune(&place, "plays_by_hash", &format!("--pairs 8 {resume}")).fails(1, &[another, said]);
    place.put("p.txt", HASH);
    let text = String::from_utf8(whole.clone()).expect("text");
    let forged = text.replacen("\"values\":[1", "\"values\":[2", 1);
    assert_ne!(text, forged);
    place.put("whole.jsonl", forged);
    tune(&place, "plays_by_hash", &format!("--pairs 8 {resume}")).fails(1, &["is damaged: it was changed after"]);
    place.put("whole.jsonl", "{\"format\":3}\n");
    tune(&place, "plays_by_hash", &format!("--pairs 8 {resume}")).fails(1, &["is not the log of a tuning run"]);
}

#[test]
fn parameters_that_the_engine_does_not_have_are_named() {
    let place = Place::new();
    for (parameters, code, said) in [
        ("Hush, int, 16, 1, 64, 4, 0.01", 1, "has no option \"Hush\"; it has Hash, Style"),
        ("Hash, int, 16, 1, 65, 4, 0.01", 1, "option Hash cannot be \"65\""),
        ("Hash, float, 16, 0.5, 64, 4, 0.01", 1, "option Hash cannot be \"0.5\""),
        ("Hash, int, 16, 64, 1, 4, 0.01", 2, "p.txt: line 1: min 64 is not below max 1"),
        (
            "Hash, float, 16, 1, 64, 1e308, 0.01",
            2,
            "p.txt: line 1: c_end is 1e308, expected a number above 0, from 1e-9",
        ),
        ("Hash, int, 16, 1, 64, 0, 0.01", 2, "p.txt: line 1: c_end is 0.0, expected a number above 0"),
        (
            "Hash, float, 16, 1, 64, 4, 0.01",
            1,
            "option Hash cannot be \"21.053523\": expected a whole number from 1 to 64",
        ),
        ("Hash, int, 16, 1, 64, 32, 0.01", 2, "c_end 32 is more than half of the way from min 1 to max 64"),
        ("\n# nothing\n", 2, "p.txt: line 1: expected at least one parameter"),
    ] {
        place.put("p.txt", parameters);
        tune(&place, "plays", "--pairs 4 --log log.jsonl").fails(code, &[said]);
        assert!(!place.path("log.jsonl").exists(), "{parameters}");
    }
    let missing = Place::new();
    tune(&missing, "plays", "--pairs 4")
        .fails(1, &["--parameters p.txt: expected a file with a line for each parameter: no such file or directory"]);
}

#[test]
fn a_place_that_cannot_be_written_is_no_wrong_usage() {
    let place = Place::new();
    place.put("p.txt", HASH);
    for (output, name) in [("-o", "absent/tuned.txt"), ("--plot", "absent/path.svg")] {
        tune(&place, "plays", &format!("--pairs 4 --log log.jsonl {output} {name}"))
            .fails(1, &[name, "cannot be written"]);
        assert!(!place.path("log.jsonl").exists(), "{output}");
    }
}

/// The fake engine hears options only as it spells them, as some engines do.
#[test]
fn parameters_reach_the_engine_in_its_own_spelling_and_are_not_set_besides() {
    let place = Place::new();
    let games = |parameters: &str, log: &str| {
        place.put("p.txt", parameters);
        tune(&place, "plays_by_hash", &format!("--pairs 8 --log {log}")).ok();
        lines(&place, log)[1..].iter().map(|line| line["games"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(games(HASH, "one.jsonl"), games(&HASH.replace("Hash", "hash"), "other.jsonl"));
    let words = engine("plays_by_hash", "fake").join(" ");
    let fixed = "--parameters p.txt --openings random:4 --seed 3 --nodes 10 --pairs 4 --log set.jsonl";
    place
        .say(&format!("spsa {words} option.HASH=8 {fixed}"))
        .fails(1, &["the option hash is set for the engine and tuned as well"]);
    assert!(!place.path("set.jsonl").exists());
}

#[test]
fn books_that_are_too_small_are_refused_unless_repeated() {
    let place = Place::new();
    place.put("p.txt", HASH);
    place.put("book.epd", "rnbqkbnr/ppp1p1pp/8/3p1p2/3P4/2N5/PPP1PPPP/R1BQKBNR w KQkq - 0 3\n");
    let words = engine("plays_by_hash", "fake").join(" ");
    let run = |more: &str| place.say(&format!("spsa {words} --parameters p.txt --openings book.epd --nodes 9 {more}"));
    run("--pairs 3").fails(1, &["3 pairs are asked for, but book.epd has 1 different opening:", "--repeat-openings"]);
    run("--pairs-per-step 2").fails(1, &["1 pair asked for, and a step has 2 pairs", "--pairs-per-step"]);
    let said = run("--pairs 3 --repeat-openings").ok().out();
    assert!(said.contains("All values round to those they began with") && !said.contains("drawish match"), "{said}");
    // Numbers of an arm move with every game that is not drawn.
    place.say("form --set per_pawn=3 -o form.toml").ok();
    place.put("p.txt", FORM);
    let form = "--engine arm=form form=form.toml hash=1";
    let run = |more: &str| {
        place.say(&format!("spsa {form} --parameters p.txt --openings book.epd --nodes 50 --seed 1 {more}"))
    };
    let said = run("--pairs 6 --repeat-openings").ok().out();
    assert!(said.contains("Tuning has used all openings of its book") && said.contains("OTHER.epd"), "{said}");
    // What is left of a book is played from where tuning ended, in a circle, and no further.
    place.put(
        "book.epd",
        "rnbqkbnr/ppp1p1pp/8/3p1p2/3P4/2N5/PPP1PPPP/R1BQKBNR w KQkq - 0 3\n\
        rnbqkb1r/pppp1ppp/8/4P3/4n3/8/PPP2PPP/RNBQKBNR w KQkq - 1 4\n\
        rnbqkbnr/pp1p1p1p/4p1p1/2p5/4P3/2N2N2/PPPP1PPP/R1BQKB1R w KQkq - 0 4\n",
    );
    let said = run("--pairs 1 --start 3").ok().out();
    assert!(said.contains("--start 1 --pairs 2"), "{said}");
}

#[test]
fn faults_are_counted_and_their_pairs_played_again() {
    let place = Place::new();
    place.put("p.txt", HASH);
    let printed = tune(&place, "dies_once", "--pairs 4 -j 1 --log log.jsonl").ok().out();
    assert!(printed.contains("1 game ended by a fault and its pair was played again"), "{printed}");
    let lines = lines(&place, "log.jsonl");
    assert_eq!((lines[1]["faults"].as_u64(), lines[2].get("faults")), (Some(1), None));
    // The games are those of an engine that does not fail.
    tune(&place, "plays", "--pairs 4 -j 1 --log plain.jsonl").ok();
    let games = |lines: &[Value]| lines[1..].iter().map(|line| line["games"].clone()).collect::<Vec<_>>();
    assert_eq!(games(&lines), games(&self::lines(&place, "plain.jsonl")));
    let given_up = "mend the engine and resume by --resume, or allow more by --fault-limit";
    for (behaviour, more) in [
        ("dies_in_its_fifth_move", "--fault-limit 3"),
        ("falls_silent", "--fault-limit 1 --patience 1"),
        ("plays_an_illegal_move", "--fault-limit 0"),
    ] {
        let more = format!("--pairs 4 -j 2 --log {behaviour}.jsonl {more}");
        tune(&place, behaviour, &more).fails(1, &["games ended by a crash, a stall, an illegal move", given_up]);
        assert_eq!(self::lines(&place, &format!("{behaviour}.jsonl")).len(), 1);
    }
}

fn tune_form(place: &Place, more: &str) -> Done {
    place.put("p.txt", FORM);
    let words =
        "spsa --engine arm=form form=form.toml hash=1 --parameters p.txt --openings random:6 --seed 3 --nodes 100";
    place.say(&format!("{words} {more}"))
}

#[test]
fn numbers_of_an_arm_are_tuned_in_this_process() {
    let place = Place::new();
    place.say("form --set per_pawn=2 -o form.toml").ok();
    let out = "--pairs 12 --log log.jsonl -o tuned.toml --plot paths.svg --json";
    let found = tune_form(&place, out).ok().json();
    assert_eq!((found["steps"].as_u64(), found["games"].as_u64()), (Some(12), Some(24)));
    let average = found["parameters"][0]["average"].as_f64().expect("a number");
    let tuned = String::from_utf8(place.read("tuned.toml")).expect("text");
    let line = tuned.lines().find(|line| line.starts_with("per_pawn")).expect("the number");
    let written: f64 = line.split(' ').nth(2).expect("its value").parse().expect("a number");
    assert!((written - average).abs() < 1e-6, "{line}");
    let svg = String::from_utf8(place.read("paths.svg")).expect("text");
    assert!(svg.contains("per_pawn") && svg.contains("search.razor"));
    // Finished already: nothing is played, the table is printed, and the match that must confirm it.
    let printed = tune_form(&place, "--pairs 12 --log log.jsonl --resume").ok().out();
    for part in ["12 of 12 steps, 24 games, no faults", "drawish match", "form=tuned.toml", "--seed 4", "elo0=0 elo1=3"]
    {
        assert!(printed.contains(part), "{part} in {printed}");
    }
    place.put("p.txt", "per_pown, float, 7, 0, 20, 1, 0.01\n");
    let words = "spsa --engine arm=form form=form.toml --parameters p.txt --openings random:6 --pairs 4 --nodes 100";
    place.say(words).fails(1, &["a form has no number \"per_pown\"; there are endgame"]);
    place.say(&words.replace("arm=form form=form.toml", "arm=none")).fails(1, &["the arm none has no numbers to tune"]);
    place
        .say(&words.replace("form=form.toml", "hash=1"))
        .fails(1, &["the arm form needs a form, and none is given: make one by `drawish form -o form.toml`"]);
}

/// The match that is to confirm tuned values plays what tuning has played, on the openings behind, and what it needs is there.
#[test]
fn the_match_that_confirms_is_played_on_the_same_terms() {
    let place = Place::new();
    place.say("form --set per_pawn=3 -o form.toml").ok();
    let moves = ["e4", "d4", "c4", "Nf3", "b3", "g3"];
    let games = moves.map(|first| format!("[Event \"x\"]\n\n1. {first} {{+0.90/8}} e5 {{-0.10/8}} *\n\n"));
    place.put("book.pgn", games.concat());
    place.put("p.txt", FORM);
    let play = |more: &str| {
        let words = "spsa --engine arm=form form=form.toml hash=1 --parameters p.txt --openings book.pgn --seed 3 --nodes 20 -q";
        place.say(&format!("{words} {more}")).ok().out()
    };
    let terms = "--plies 1 --conversion 80..100 --variant standard --order sequential --time-margin 77 --patience 9";
    let said = play(&format!("{terms} --pairs 2"));
    for part in [
        "--openings book.pgn --plies 1 --conversion 80..100 --variant standard --order sequential --seed 3 --start 3 --pairs 4",
        "--nodes 20 --time-margin 77 --patience 9 --sprt ",
        "write tuned.toml first, by the same command with --resume -o tuned.toml",
        "Tuning began elsewhere than form.toml stands (per_pawn 2, not 3, search.razor 20, not ",
    ] {
        assert!(said.contains(part), "{part} in {said}");
    }
    // Told so, it is played from the openings behind.
    place.say(&format!("spsa --engine arm=form form=form.toml hash=1 --parameters p.txt --openings book.pgn --seed 3 --nodes 20 -q {terms} --pairs 2 --resume -o tuned.toml")).ok();
    let command = said
        .split("drawish match")
        .nth(1)
        .expect("a match")
        .split("--sprt")
        .next()
        .expect("its words")
        .replace('\\', "");
    place.say(&format!("match {command} -q --log confirm.jsonl --allow-equal")).ok();
    let log = String::from_utf8(place.read("confirm.jsonl")).expect("text");
    assert!(log.contains(r#""order":"sequential","passed_over":2"#) && log.contains(r#""book":"c2c4""#), "{log}");
    place.say("form --set per_pawn=2 --set search.razor=20 -o form.toml").ok();
    let said = play("--pairs 2 --log b.jsonl -o b.toml");
    assert!(said.contains("Confirm on openings that tuning did not use:\n") && !said.contains("elsewhere"), "{said}");
    assert!(!said.contains("--order") && !said.contains("--time-margin") && !said.contains("--patience"), "{said}");
}

#[test]
fn a_float_for_an_option_of_whole_numbers_is_named() {
    let place = Place::new();
    place.put("p.txt", HASH.replace("int", "float"));
    let said = ["option Hash cannot be ", "Hash is a float in its parameters: write int in its line of --parameters"];
    tune(&place, "plays", "--pairs 1").fails(1, &said);
}

#[test]
fn one_engine_is_tuned_and_said_once() {
    let place = Place::new();
    place.put("p.txt", HASH);
    tune(&place, "plays", "--pairs 1 --engine cmd=other")
        .fails(2, &["'--engine <KEY=VALUE>...' cannot be used multiple times"]);
    tune(&place, "plays", "--pairs 1").ok();
    let twice = "spsa --engine cmd=a cmd=b --parameters p.txt --openings random:4 --pairs 1 --nodes 9";
    place.say(twice).fails(2, &["cmd=b: cmd= is given before for the same engine"]);
}

#[test]
fn values_at_rest_end_a_run() {
    let place = Place::new();
    place.say("form -o form.toml").ok();
    let printed = tune_form(&place, "--pairs 16 --lag 2 --stop 1000").ok().out();
    assert!(printed.contains("4 of 16 steps, 8 games, stopped at rest"), "{printed}");
}

/// Killed again and again, a run leaves the log of one left alone.
#[test]
fn kills_change_nothing() {
    let place = Place::new();
    place.say("form -o form.toml").ok();
    place.put("p.txt", FORM);
    let run = |log: &str| {
        let line = format!(
            "spsa --engine arm=form form=form.toml hash=1 --parameters p.txt --openings random:6 --seed 3 --nodes 150 --pairs 60 -j 2 -q \
             --resume --log {log}.jsonl"
        );
        let mut command = place.command(line.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    let began = Instant::now();
    assert!(run("alone").status().expect("the program runs").success());
    let whole = began.elapsed();
    let mut kills = 0;
    for attempt in 1..=20_u32 {
        let mut child = run("killed").spawn().expect("the program runs");
        std::thread::sleep(whole.mul_f64(0.3) + Duration::from_millis(u64::from(attempt % 7) * 13));
        kills += u32::from(child.try_wait().expect("a status").is_none());
        let _ = child.kill();
        if child.wait().expect("a status").success() {
            break;
        }
    }
    assert!(run("killed").status().expect("the program runs").success());
    assert!(kills > 0);
    assert!(place.read("alone.jsonl") == place.read("killed.jsonl"));
}

#[test]
fn forms_are_arms_of_matches_and_controls_play_otherwise() {
    let place = Place::new();
    place.say("form -o form.toml").ok();
    place.say("form form.toml --control reversed -o reversed.toml").ok();
    place.say("form form.toml --control noise -o noise.toml").ok();
    place.put("none.toml", "form = \"none\"\n");
    let play = |one: &str, other: &str| {
        place.say(&format!(
            "match --engine arm=form form={one}.toml name=one --engine {other} name=other --openings random:6 --seed 1 --pairs 2 --nodes 200 \
             --json"
        ))
    };
    let builds = ["form", "reversed", "noise"].map(|form| {
        let out = play(form, "arm=none").ok().out();
        let end: Value = serde_json::from_str(out.lines().last().expect("a line")).expect("JSON");
        end["setup"]["sides"][0]["build"].as_str().expect("a checksum").to_owned()
    });
    assert!(builds[0] != builds[1] && builds[1] != builds[2] && builds[0] != builds[2]);
    // Without knowledge it is the plain engine.
    play("none", "arm=none").fails(1, &["one and other search alike"]);
    play("missing", "arm=none").fails(1, &["missing.toml: expected the file of a form"]);
    place.say("form --set per_pown=3").fails(2, &["--set per_pown=3: a form has no number \"per_pown\""]);
    place.say("bench --depth 3 --arm form").fails(1, &["the arm form needs a form"]);
    let nodes =
        |words: &str| place.say(words).ok().out().lines().last().expect("a line").split(' ').next().map(str::to_owned);
    assert_eq!(nodes("bench --depth 5 --arm form --form none.toml"), nodes("bench --depth 5"));
    assert_ne!(nodes("bench --depth 5 --arm form --form form.toml"), nodes("bench --depth 5"));
}

#[test]
fn a_report_shows_the_run_of_a_log() {
    let place = Place::new();
    place.put("p.txt", HASH);
    tune(&place, "plays_by_hash", "--pairs 12 --lag 3 --log log.jsonl").ok();
    let whole = place.read("log.jsonl");
    place.say("report log.jsonl -o page.html -o page.md --svg pictures").ok();
    let text = String::from_utf8(place.read("page.md")).expect("text");
    let last = lines(&place, "log.jsonl")[12]["values"][0].as_f64().expect("a number");
    let after = if last >= 10.0 { format!("{last:.2} ({last:.0})") } else { format!("{last:.4} ({last:.0})") };
    for said in ["## Tuning by games", "12 of 12 steps are played, 24 games.", &format!("| Hash | 16 | {after} | ")] {
        assert!(text.contains(said), "{said} is not in\n{text}");
    }
    assert!(String::from_utf8(place.read("page.html")).expect("text").contains("id=\"tuning\""));
    assert!(String::from_utf8(place.read("pictures/tuning-1.svg")).expect("text").contains("Hash"));

    // Broken off, it is shown up to there; a changed line and what stands behind it are not.
    place.put("log.jsonl", &whole[..whole.len() - 3]);
    place.say("report log.jsonl -o cut.md").ok();
    let cut = String::from_utf8(place.read("cut.md")).expect("text");
    assert!(cut.contains("shown: 11 finished steps") && cut.contains("11 of 12 steps"), "{cut}");
    let text = String::from_utf8(whole).expect("text");
    for (from, to) in [("\"step\":3,", "\"step\":4,"), ("\"step\":3,\"plus\":[", "\"step\":3,\"plus\":[9")] {
        let changed = text.replace(from, to);
        assert_ne!(changed, text);
        place.put("log.jsonl", changed);
        place
            .say("report log.jsonl -o damaged.md")
            .fails(1, &["line 4 of the log is damaged", "what stands before it is shown: 2 steps"]);
    }
    let [header, _] = text.split_once('\n').map(<[&str; 2]>::from).expect("lines");
    for (header, said) in [
        (header.replace("\"spsa\":1", "\"spsa\":2"), "of format 1, found 2"),
        (header.replace("\"c_end\":4.0", "\"c_end\":0.0"), "Hash: c_end is 0.0, expected a number above 0"),
        (
            header.replace("\"pairs_per_step\":1", "\"pairs_per_step\":9223372036854775808"),
            "more than anything can play",
        ),
        (header.replace("\"steps\":12", "\"steps\":0"), "expected at least one parameter, step and pair"),
    ] {
        place.put("log.jsonl", format!("{header}\n"));
        place.say("report log.jsonl -o none.md").fails(1, &[said]);
    }
}

/// A run has a log, called after the file of its parameters, as a match has one called after its engines.
#[test]
fn a_run_without_a_name_for_its_log_can_be_resumed() {
    let place = Place::new();
    place.put("p.txt", HASH);
    let done = tune(&place, "plays_by_hash", "--pairs 4").ok();
    assert!(done.err().starts_with("log p-spsa.jsonl\n"), "{}", done.err());
    let whole = place.read("p-spsa.jsonl");
    assert_eq!(lines(&place, "p-spsa.jsonl").len(), 5);
    tune(&place, "plays_by_hash", "--pairs 4 -q").ok();
    assert!(place.read("p-spsa-2.jsonl") == whole, "the first log stays");
    let end = whole.iter().rposition(|&byte| byte == b'{').expect("a line");
    place.put("p-spsa-2.jsonl", &whole[..end]);
    tune(&place, "plays_by_hash", "--pairs 4 --resume").ok();
    assert!(place.read("p-spsa-2.jsonl") == whole && !place.path("p-spsa-3.jsonl").exists());
    let none = tune(&place, "plays_by_hash", "--pairs 4 --no-log").ok();
    assert!(!none.err().contains("log ") && !place.path("p-spsa-3.jsonl").exists(), "{}", none.err());
}
