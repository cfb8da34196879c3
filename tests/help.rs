//! What every verb says about itself. After a wanted change: `INSTA_UPDATE=always cargo test help`.

use crate::run::Place;

#[test]
fn of_every_verb() {
    let place = Place::new();
    let help = |verb: &str| place.run(verb.split_whitespace().chain(["--help"])).ok().out();
    // Without data frames some verbs are missing.
    insta::assert_snapshot!(if cfg!(feature = "frames") { "drawish" } else { "drawish_light" }, help(""));
    let light = [
        "collect",
        "merge",
        "table",
        "inspect",
        "verify",
        "relevance",
        "match",
        "gauntlet",
        "sprt",
        "report",
        "experiment",
        "uci",
        "bench",
        "wdl",
        "wdl collect",
        "wdl fit",
        "wdl show",
        "wdl update",
        "demo",
    ];
    let with_frames = ["positions", "tune", "evaluate"].into_iter().filter(|_| cfg!(feature = "frames"));
    let with_download = ["wdl download"].into_iter().filter(|_| cfg!(feature = "download"));
    for verb in light.into_iter().chain(with_frames).chain(with_download) {
        let text = help(verb);
        assert!(text.contains("Example"), "{verb} shows no example");
        // So is one task of this verb without its client.
        let light = if verb == "wdl" && !cfg!(feature = "download") { "_light" } else { "" };
        insta::assert_snapshot!(verb.replace(' ', "_") + light, text);
    }
    insta::assert_snapshot!("sprt_plan", place.say("sprt plan --help").ok().out());
}

#[test]
fn of_every_task_of_relevance() {
    let place = Place::new();
    for task in ["eval", "thresholds", "annotate", "estimate", "compare"] {
        let text = place.run(["relevance", task, "--help"]).ok().out();
        assert!(text.contains("Example"), "{task} shows no example");
        insta::assert_snapshot!(format!("relevance_{task}"), text);
    }
}

#[test]
fn a_wrong_word_is_usage() {
    let place = Place::new();
    place.say("colect games.pgn").fails(2, &["unrecognized subcommand", "collect"]);
    place.say("").fails(2, &["Usage: drawish"]);
    assert!(place.say("--version").ok().out().starts_with("drawish 0.1.0 (git "));
}
