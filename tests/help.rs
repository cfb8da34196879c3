//! What every verb says about itself, found by asking: each help that lists commands leads to the help of these. After a wanted
//! change: `INSTA_UPDATE=always cargo test help`, and remove the snapshots that the test names.

use std::collections::BTreeSet;
use std::path::Path;

use crate::run::Place;

/// The commands that a help lists, but for `help`.
fn commands(help: &str) -> Vec<&str> {
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // What continues the line before is indented further.
    let names = list.filter_map(|line| line.strip_prefix("  ").filter(|rest| !rest.starts_with(' ')));
    names.filter_map(|line| line.split(' ').next()).filter(|name| *name != "help").collect()
}

/// All verbs with their helps, the program itself first: `["wdl", "fit"]` is `drawish wdl fit`.
fn verbs(place: &Place) -> Vec<(Vec<String>, String)> {
    let mut found = Vec::new();
    let mut open = vec![Vec::new()];
    while let Some(verb) = open.pop() {
        let help = place.run(verb.iter().map(String::as_str).chain(["--help"])).ok().out();
        for name in commands(&help) {
            open.push(verb.iter().cloned().chain([name.to_owned()]).collect());
        }
        found.push((verb, help));
    }
    found
}

/// The verbs whose list of commands is shorter without a feature, and the snapshots of that shorter list.
const LIGHT: [(&str, &str, bool); 2] =
    [("drawish", "drawish_light", cfg!(feature = "frames")), ("wdl", "wdl_light", cfg!(feature = "download"))];
/// The verbs that are not there without a feature.
const OPTIONAL: [(&str, bool); 4] = [
    ("positions", cfg!(feature = "frames")),
    ("tune", cfg!(feature = "frames")),
    ("evaluate", cfg!(feature = "frames")),
    ("wdl_download", cfg!(feature = "download")),
];

#[test]
fn of_every_verb() {
    let verbs = verbs(&Place::new());
    let mut expected: BTreeSet<String> =
        LIGHT.iter().flat_map(|(full, light, _)| [*full, *light]).map(str::to_owned).collect();
    expected.extend(OPTIONAL.iter().filter(|(_, is_there)| !is_there).map(|(name, _)| (*name).to_owned()));
    for (verb, help) in &verbs {
        let mut name = if verb.is_empty() { "drawish".to_owned() } else { verb.join("_") };
        if let Some((_, light, _)) = LIGHT.iter().find(|(full, _, is_full)| *full == name && !is_full) {
            name = (*light).to_owned();
        }
        insta::assert_snapshot!(name.clone(), help);
        expected.insert(name);
    }
    let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots");
    let kept: BTreeSet<String> = std::fs::read_dir(place)
        .expect("the snapshots")
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter_map(|file| Some(file.strip_prefix("tests__help__")?.strip_suffix(".snap")?.to_owned()))
        .collect();
    let orphans: Vec<_> = kept.difference(&expected).collect();
    assert!(orphans.is_empty(), "snapshots of no verb, to be removed from tests/snapshots: {orphans:?}");
}

/// The reference in the book is what the program prints; `DRAWISH_UPDATE=1 cargo test help` writes it anew.
#[cfg(all(feature = "frames", feature = "download"))]
#[test]
fn the_reference_holds_every_verb() {
    let mut verbs = verbs(&Place::new());
    verbs.sort();
    let mut page = "# Verbs\n\nWhat `drawish VERB --help` prints; a test holds this page to it.\n".to_owned();
    for (verb, help) in &verbs {
        let name: String = verb.iter().map(|word| format!(" {word}")).collect();
        let lines: Vec<_> = help.trim_end().lines().map(str::trim_end).collect();
        page += &format!("\n## drawish{name}\n\n```text\n{}\n```\n", lines.join("\n"));
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/verbs.md");
    if std::env::var_os("DRAWISH_UPDATE").is_some() {
        std::fs::write(&path, &page).expect("the page is written");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == page, "docs/verbs.md is not what the program prints; write it by DRAWISH_UPDATE=1 cargo test help");
}

/// In its own help, or in that of the verb above it.
#[test]
fn every_verb_shows_an_example() {
    let verbs = verbs(&Place::new());
    for (verb, help) in verbs.iter().filter(|(verb, _)| !verb.is_empty()) {
        let line = format!("drawish {}", verb.join(" "));
        let above =
            verbs.iter().find(|(other, _)| *other == verb[..verb.len() - 1]).map_or("", |(_, help)| help.as_str());
        let example = |help: &str| help.split_once("Example").is_some_and(|(_, examples)| examples.contains(&line));
        assert!(help.contains("Example") || example(above), "{line} is shown in no example");
    }
}

#[test]
fn the_verbs_that_features_bring() {
    let names: BTreeSet<String> = verbs(&Place::new()).iter().map(|(verb, _)| verb.join("_")).collect();
    assert!(names.len() > 25, "{names:?}");
    for (name, is_there) in OPTIONAL {
        assert_eq!(names.contains(name), is_there, "{name}");
    }
}

/// What stands behind the options of a help has sections of its own in a manual, and the synopsis names what options take.
#[test]
fn manual_pages_have_synopsis_and_sections() {
    let place = Place::new();
    place.say("man").fails(2, &["Usage: drawish man <DIRECTORY>"]);
    let said = place.say("man pages").ok().out();
    let pages = std::fs::read_dir(place.path("pages")).expect("a directory").count();
    assert_eq!(said, format!("pages: {pages} pages; read one by man -l pages/drawish.1\n"));
    let said = place.say("man share/man1").ok().out();
    assert!(said.contains(&format!("export MANPATH={}:\n", place.path("share").display())), "{said}");
    place.say("man -o same").ok();
    let page = |name: &str| String::from_utf8(place.read(&format!("pages/{name}.1"))).expect("text");
    let sprt = page("drawish-sprt");
    assert_eq!(sprt.as_bytes(), place.read("same/drawish-sprt.1"));
    let found = |what: &str| sprt.find(what).unwrap_or_else(|| panic!("{what} is missing in {sprt}"));
    assert!(found(".SH \"EXIT STATUS\"") < found(".SH EXAMPLES") && found(".SH EXAMPLES") < found(".SH \"SEE ALSO\""));
    assert!(found("0 judged, whatever the verdict") < found(".SH EXAMPLES"));
    assert!(found("\ndrawish sprt games.pgn.gz\n") < found(".fi"));
    assert!(sprt.contains("\\fBdrawish\\fR(1), ") && sprt.contains("\\fBdrawish\\-sprt\\-plan\\fR(1)"), "{sprt}");
    assert!(!sprt.contains("Examples:") && !sprt.contains("Exit codes: 0 judged\n"));
    // Those without exit codes of their own have the usual ones.
    assert!(page("drawish-man").contains("0 done, 1 failed, 2 wrong usage."));
    assert!(page("drawish").contains("\\fBdrawish\\-collect\\fR(1)"));
    let synopsis = |name: &str| {
        let page = page(name);
        page.split(".SH SYNOPSIS\n").nth(1).and_then(|rest| rest.lines().next()).expect("a synopsis").to_owned()
    };
    let table = synopsis("drawish-table");
    assert!(
        table.starts_with("\\fBdrawish table\\fR [\\-\\-estimate\\ <ESTIMATE>] [\\-\\-slim] [\\-\\-quiet]"),
        "{table}"
    );
    assert!(table.ends_with(" \\-\\-output\\ <FILE> <COUNTS>"), "{table}");
    assert!(
        synopsis("drawish").ends_with(" <COMMAND>")
            && sprt.starts_with(".ie")
            && found("[COMMAND]") < found(".SH DESCRIPTION")
    );
    assert!(found(".TH drawish-sprt 1 \"\" \"drawish 0.1.0\" drawish\n.nh\n.ad l\n") < found(".SH NAME"));
    let kept = page("drawish-table");
    assert!(kept.contains(":\n.PP\n.nf\n  .table ") && kept.contains("beside a .table\n.fi\n"), "{kept}");
    assert!(synopsis("drawish-wdl").starts_with("\\fBdrawish wdl\\fR"));
    // Every option that takes a value says so.
    for entry in std::fs::read_dir(place.path("pages")).expect("the pages").flatten() {
        let text = std::fs::read_to_string(entry.path()).expect("text");
        for option in text.lines().filter(|line| line.starts_with("\\fB\\-") && line.contains("\\fI<")) {
            let long =
                option.split("\\fB").find(|part| part.starts_with("\\-\\-")).and_then(|part| part.split("\\fR").next());
            let name = long.unwrap_or_else(|| panic!("{option} has no long name"));
            let shown = text.contains(&format!("{name}\\ <"))
                || text.contains(&format!("{name}\\ [<"))
                || text.contains(&format!("{name}="))
                || text.contains(&format!("{name}[=<"));
            assert!(shown, "{}: {name} without its value", entry.path().display());
        }
    }
}

#[test]
fn what_stands_behind_the_options_has_sections_in_the_manual() {
    let place = Place::new();
    place.say("man pages").ok();
    let page = |name: &str| String::from_utf8(place.read(&format!("pages/{name}.1"))).expect("text");
    let sprt = page("drawish-sprt");
    let at = |what: &str| sprt.find(what).unwrap_or_else(|| panic!("{what} is missing in {sprt}"));
    assert!(at(".SH \"EXIT STATUS\"") < at(".SH EXAMPLES") && at(".SH EXAMPLES") < at(".SH \"SEE ALSO\""));
    assert!(at("0 judged, whatever the verdict") < at(".SH EXAMPLES"));
    assert!(sprt[at("\ndrawish sprt games.pgn.gz\n")..].contains(".fi"));
    assert!(sprt.contains("\\fBdrawish\\fR(1), ") && sprt.contains("\\fBdrawish\\-sprt\\-plan\\fR(1)"), "{sprt}");
    assert!(!sprt.contains("Examples:") && !sprt.contains("Exit codes: 0 judged\n"));
    // Those without exit codes of their own have the usual ones.
    assert!(page("drawish-man").contains("0 done, 1 failed, 2 wrong usage."));
    assert!(page("drawish").contains("\\fBdrawish\\-collect\\fR(1)"));
}

#[test]
fn a_wrong_word_is_usage() {
    let place = Place::new();
    place.say("colect games.pgn").fails(2, &["unrecognized subcommand", "collect"]);
    place.say("").fails(2, &["Usage: drawish"]);
    assert!(place.say("--version").ok().out().starts_with("drawish 0.1.0 (git "));
    assert_eq!(place.say("version").ok().out(), place.say("--version").ok().out());
    let shells = "expected a shell: one of bash, elvish, fish, powershell, zsh";
    place.say("completions").fails(2, &[shells]);
    let wrong = place.say("completions csh").fails(2, &["[possible values: bash, elvish, fish, powershell, zsh]"]);
    assert!(!wrong.err().contains("similar"), "{}", wrong.err());
}
