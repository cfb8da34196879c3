//! What every verb says about itself. After a wanted change: `INSTA_UPDATE=always cargo test help`.

use crate::run::Place;

#[test]
fn of_every_verb() {
    let place = Place::new();
    let help = |verb: &str| place.run(verb.split_whitespace().chain(["--help"])).ok().out();
    insta::assert_snapshot!("drawish", help(""));
    for verb in [
        "collect",
        "merge",
        "table",
        "inspect",
        "verify",
        "demo",
        "wdl",
        "wdl collect",
        "wdl fit",
        "wdl show",
        "wdl update",
        "wdl pawn-advantage",
    ] {
        let text = help(verb);
        assert!(text.contains("Example"), "{verb} shows no example");
        insta::assert_snapshot!(verb.replace(' ', "_"), text);
    }
}

#[test]
fn a_wrong_word_is_usage() {
    let place = Place::new();
    place.say("colect games.pgn").fails(2, &["unrecognized subcommand", "collect"]);
    place.say("").fails(2, &["Usage: drawish"]);
    assert!(place.say("--version").ok().out().starts_with("drawish 0.1.0 (git "));
}
