//! Hints name only options that the verb has.

use std::collections::BTreeSet;

use crate::run::Place;

/// Games that are skipped for many reasons, and one that counts and has a wrong `PlyCount`.
fn games() -> String {
    let moves = "1. e4 {0.30/10} e5 {0.20/10} 2. Nf3 {0.30/10} Nc6 {0.20/10} 3. Bb5 {0.30/10} a6 {0.20/10} 4. Ba4 {0.30/10} Nf6 {0.20/10}";
    let game = |tags: &str, result: &str| {
        format!("[Event \"e\"]\n[White \"a\"]\n[Black \"b\"]\n[Result \"{result}\"]\n{tags}\n{moves} {result}\n\n")
    };
    let fen = "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w Qkq - 0 1\"]\n[SetUp \"1\"]\n";
    [
        game("[Termination \"normal\"]\n[PlyCount \"90\"]\n", "1-0"),
        game("[Termination \"time forfeit\"]\n", "1-0"),
        game("[Termination \"abandoned\"]\n", "0-1"),
        game("[Variant \"Atomic\"]\n", "1/2-1/2"),
        game(fen, "1-0"),
        game("", "*"),
    ]
    .concat()
}

/// All options that a text names.
fn options(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| c != '-' && !c.is_ascii_alphanumeric());
    words.filter(|word| word.starts_with("--") && word.len() > 2).map(str::to_owned).collect()
}

#[test]
fn what_counting_verbs_say_names_their_own_options() {
    let place = Place::new();
    place.put("games.pgn", games());
    let skipped = games().split("[Event").skip(2).map(|game| format!("[Event{game}")).collect::<String>();
    for (name, one) in [("termination", 0), ("variant", 2), ("fen", 3), ("result", 4)] {
        let game = skipped.split("[Event").nth(one + 1).expect("a game");
        place.put(&format!("{name}.pgn"), format!("[Event{game}"));
    }
    place.say("collect games.pgn -o a.counts --sample every --from 1 --min-moves 0").ok();
    place.say("wdl collect games.pgn -o a.wdl").ok();
    let mut seen = BTreeSet::new();
    let counted = [
        "collect @ -o @.counts --sample every --from 1 --min-moves 0 --fresh",
        "collect @ -o @.counts --fresh",
        "positions @ -o @.parquet --sample every --from 1 --min-moves 0",
        "wdl collect @ -o @.wdl",
        "wdl collect @ -o @.wdl --match-engine c",
        "wdl head @ -o @.toml --from 1",
        "wdl head @ -o @.toml",
        "relevance estimate @",
        "wdl update . --match-rev .* --old-pawn-value 100 -o @",
    ];
    let whole = [
        "merge a.counts -o b.counts",
        "merge a.wdl -o b.wdl",
        "inspect a.counts",
        "inspect a.wdl",
        "wdl fit a.wdl -o @.json",
    ];
    let files = ["games", "termination", "variant", "fen", "result"].map(|name| format!("{name}.pgn"));
    let lines = counted.iter().flat_map(|line| files.iter().map(|file| line.replace('@', file)));
    let is_built = |line: &String| cfg!(feature = "frames") || !line.starts_with("positions");
    for line in lines.chain(whole.map(str::to_owned)).filter(is_built) {
        let verb: Vec<&str> = line.split(' ').take_while(|word| word.chars().all(char::is_alphabetic)).collect();
        let verb = if matches!(verb[0], "wdl" | "relevance") { &verb[..2] } else { &verb[..1] };
        let known = options(&place.say(&format!("{} --help", verb.join(" "))).ok().out());
        let done = place.say(&line);
        let said = done.out() + &done.err();
        // The rule is written as the options of who counted.
        let said: String =
            said.lines().filter(|line| !line.starts_with("rule ")).map(|line| format!("{line}\n")).collect();
        let named = options(&said);
        let foreign: Vec<_> = named.difference(&known).collect();
        assert!(foreign.is_empty(), "{line}: {foreign:?} in {said}");
        seen.extend(named.into_iter().map(|option| format!("{} {option}", verb.join(" "))));
    }
    // Where the verb has the option, the hint is given.
    for hint in [
        "collect --termination",
        "collect --variant",
        "collect --fen-starts",
        "positions --termination",
        "wdl head --variant",
        "wdl collect --match-engine",
    ] {
        let is_built = cfg!(feature = "frames") || !hint.starts_with("positions");
        assert!(!is_built || seen.contains(hint), "{hint}: {seen:?}");
    }
}

#[test]
fn what_verbs_that_play_say_names_their_own_options() {
    let place = Place::new();
    place.put("book.epd", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n");
    let arms = "--engine arm=none name=a --engine arm=constant name=b";
    for (line, said) in [
        (format!("match {arms} --openings book.epd --nodes 9 --pairs 3"), ", or say --repeat-openings"),
        (format!("tournament {arms} --openings book.epd --nodes 9 --rounds 3"), ", or say --repeat-openings"),
        (
            format!(
                "gauntlet {arms} --opponent arm=none name=c --openings book.epd --nodes 9 --pairs 3 --logs l --allow-equal"
            ),
            "take a larger book, or fewer pairs\n",
        ),
        (format!("match {arms} --openings book.epd"), "; give --nodes, --depth, --movetime or --tc"),
    ] {
        let done = place.say(&line);
        assert!(done.code() > 0 && done.err().contains(said), "{line}: {}", done.err());
    }
}

/// The messages in the source of one verb alone name options of this verb, or those of a command that they write out.
#[test]
fn messages_in_the_source_of_a_verb_name_its_options() {
    let place = Place::new();
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cli");
    let mut seen = 0;
    for (files, verb) in [
        ("collect.rs", "collect"),
        ("positions.rs", "positions"),
        ("table.rs", "table"),
        ("evaluate.rs", "evaluate"),
        ("inspect.rs", "inspect"),
        ("report.rs", "report"),
        ("gauntlet.rs", "gauntlet"),
        ("tournament.rs", "tournament"),
        ("matches.rs", "match"),
        ("spsa.rs", "spsa"),
        ("tune.rs", "tune"),
        ("tune/within.rs", "tune"),
        ("sprt.rs", "sprt"),
        ("sprt/plan.rs", "sprt plan"),
        ("wdl/collect.rs", "wdl collect"),
        ("wdl/fit.rs", "wdl fit"),
        ("wdl/head.rs", "wdl head"),
        ("wdl/show.rs", "wdl show"),
        ("wdl/update.rs", "wdl update"),
        ("wdl/download.rs", "wdl download"),
        ("relevance/annotate.rs", "relevance annotate"),
        ("relevance/estimate.rs", "relevance estimate"),
        ("experiment.rs", "experiment run"),
    ] {
        let help = place.say(&format!("{verb} --help"));
        if help.code() != 0 {
            // Behind a feature.
            continue;
        }
        let known = options(&help.out());
        let source = std::fs::read_to_string(root.join(files)).expect(files);
        for line in source.lines().map(str::trim).filter(|line| !line.starts_with("//") && !line.contains("drawish ")) {
            let texts: String = line.split('"').skip(1).step_by(2).collect::<Vec<_>>().join(" ");
            let named = options(&texts);
            assert!(named.is_subset(&known), "{files}: {line}: {:?}", named.difference(&known).collect::<Vec<_>>());
            seen += named.len();
        }
    }
    assert!(seen > 40, "{seen} options");
}

/// Words without dashes are no options, and what is asked for in the words of match runners is answered.
#[test]
fn a_word_too_many_is_no_option() {
    let place = Place::new();
    for line in ["relevance annotate a.pgn b.pgn", "wdl show a.json b.json c.json"] {
        let said = place.say(line).err();
        assert!(said.contains("unexpected argument") && !said.contains("is an option of"), "{said}");
    }
    place.say("sprt").fails(2, &["For results from standard input say `drawish sprt -`"]);
    assert_eq!(place.say("fastchess -version").ok().out(), place.say("--version").ok().out());
    assert_eq!(place.say("fastchess -help").ok().out(), place.say("fastchess --help").ok().out());
    place.say("fastchess -help -version").fails(2, &["-help"]);
}
