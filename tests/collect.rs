//! `drawish collect` and `drawish merge` on small inputs made here.

use std::io::Write;
use std::process::Stdio;

use drawish::counts::CountsFile;
use drawish::pgn::OddWords;
use drawish::sample::GamesAgain;
use drawish_artefact::provenance::Digest;
use serde_json::{Map, json};

use crate::run::{Place, assert_adds_up, noticed, skipped};

/// A game of this many half-moves in which after 1.e4 c5 2.d4 cxd4 the pieces only shuffle: the open Sicilian
/// with White's d-pawn gone and Black's c-pawn on d4.
fn game(plies: usize, tags: &[(&str, &str)]) -> String {
    let opening = ["e4", "c5", "d4", "cxd4"];
    let shuffle = ["Nf3", "Nf6", "Ng1", "Ng8"];
    let mut pgn: String = std::iter::once(&("Event", "test"))
        .chain(tags)
        .map(|(name, value)| format!("[{name} \"{value}\"]\n"))
        .collect();
    pgn.push('\n');
    for ply in 0..plies {
        let san = opening.get(ply).unwrap_or(&shuffle[ply % 4]);
        pgn += &format!("{san}{}", if ply % 16 == 15 { '\n' } else { ' ' });
    }
    let result = tags.iter().find(|(name, _)| *name == "Result").map_or("*", |(_, value)| value);
    pgn + result + "\n\n"
}

fn draw(plies: usize) -> String {
    game(plies, &[("Result", "1/2-1/2")])
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// White b c e f g; black b d (the c-pawn), d, e, f, g.
const CELL: u32 = 0b111_101_111_011;

fn cells(place: &Place, counts: &str) -> String {
    place.run(["inspect", counts, "--csv"]).ok().out()
}

#[test]
fn the_standard_rule_to_the_half_move() {
    let place = Place::new();
    let won = |plies| game(plies, &[("Result", "1-0")]);
    place.put("games.pgn", [won(119), won(118), draw(119), draw(200), game(119, &[("Result", "0-1")])].concat());
    let summary = place.say("collect games.pgn -o games.counts --json").ok().json();
    assert_adds_up(&summary);
    assert_eq!((summary["games"].as_u64(), summary["counted"].as_u64()), (Some(5), Some(4)));
    assert_eq!(skipped(&summary), [("too-short".to_owned(), 1)]);
    assert_eq!(cells(&place, "games.counts"), format!("cell,white_wins,draws,black_wins\n{CELL},1,2,1\n"));
}

#[test]
fn every_reason_has_its_game() {
    let place = Place::new();
    let with = |tags: &[(&str, &str)]| game(119, &[tags, &[("Result", "1-0")]].concat());
    let odd_start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1";
    let games = [
        with(&[("Variant", "atomic")]),
        with(&[("Variant", "Chess960")]),
        with(&[("FEN", "rubbish")]),
        with(&[("FEN", odd_start)]),
        game(119, &[("Result", "*")]),
        game(119, &[]),
        game(119, &[("Result", "1-1")]),
        with(&[("Termination", "Time forfeit")]),
        with(&[("Termination", "unterminated")]),
        game(0, &[("Result", "1-0")]),
        game(20, &[("Result", "1-0")]),
        with(&[("Site", "x")]).replacen("Nf3", "Nf3 Nf6 exd6", 1),
        // These count.
        with(&[("Variant", "Standard")]),
        with(&[("Variant", "CHESS")]),
        with(&[("Variant", "normal"), ("Termination", "adjudication")]),
        with(&[("FEN", START), ("SetUp", "1")]),
        with(&[("FEN", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1")]),
    ];
    place.put("games.pgn", games.concat());
    let summary = place.say("collect games.pgn -o games.counts --json").ok().json();
    assert_adds_up(&summary);
    let expected = [
        ("variant", 2),
        ("bad-fen", 1),
        ("start-position", 1),
        ("no-result", 3),
        ("termination", 2),
        ("no-moves", 1),
        ("too-short", 1),
        ("illegal-move", 1),
    ];
    assert_eq!(skipped(&summary), expected.map(|(reason, games)| (reason.to_owned(), games)));
    assert_eq!(summary["counted"], 5);
    let text = place.say("collect games.pgn -o games.counts").ok().out();
    for (reason, _) in expected {
        assert!(text.contains(&format!("skipped: {reason}")), "{text}");
    }
}

/// Games that come again are counted by file and across files, and not where only the beginning is the same.
#[test]
fn games_that_come_again_are_named() {
    let place = Place::new();
    let all = [draw(119), draw(121), game(121, &[("Result", "1-0")]).replacen("e4", "d4", 1), draw(60)];
    place.put("a.pgn", all.concat());
    // Comments, tags and line breaks are not the game.
    let again = draw(119).replacen("e4", "e4 {+0.30/9 1s}", 1).replace('\n', "\r\n");
    place.put("b.pgn", [again, all[1].clone(), all[1].clone()].concat());
    let repeated = |line: &str| place.say(line).ok().json()["repeated_games"].clone();
    let expected = |games: u64| serde_json::json!({ "games": games, "exact": true });
    assert_eq!(repeated("collect a.pgn -o x.counts --json"), expected(0));
    for options in ["", " --at 1", " --sample every", " --sample one-random-ply", " --replay"] {
        assert_eq!(repeated(&format!("collect a.pgn b.pgn -o x.counts --json{options}")), expected(3), "{options}");
    }
    assert_eq!(repeated("collect a.pgn b.pgn -o x.counts --dedupe --json"), expected(0), "skipped");
    // A file that is left out as a copy repeats nothing.
    place.put("copy.pgn", all.concat());
    assert_eq!(repeated("collect a.pgn copy.pgn -o x.counts --json"), expected(0));
    // What is made of the counts knows it, whether one run has read all or their files were merged.
    let known = "3 of 6 games come again: the intervals take positions for independent";
    place.put("w.pgn", draw(123).replace("1/2-1/2", "1-0"));
    for name in ["a", "b", "w"] {
        place.say(&format!("collect {name}.pgn -o {name}.counts -q")).ok();
    }
    assert_eq!(repeated("inspect a.counts --json"), expected(0));
    let merged = place.say("merge a.counts w.counts b.counts -o all.counts").ok().err();
    assert!(merged.contains(&format!("drawish: {known}")), "{merged}");
    place.say("collect a.pgn b.pgn w.pgn -o all-2.counts -q").ok();
    for counts in ["all", "all-2"] {
        assert_eq!(repeated(&format!("inspect {counts}.counts --json")), expected(3));
        assert!(place.say(&format!("inspect {counts}.counts")).ok().out().contains(known));
        let said = place.say(&format!("table {counts}.counts -o {counts}.table --estimate raw")).ok().err();
        assert!(said.contains(known) && said.contains("`drawish collect --dedupe`"), "{said}");
        assert!(place.say(&format!("inspect {counts}.table")).ok().out().contains("and each game once"));
    }
    let said = place.say("collect a.pgn b.pgn -o x.counts").ok().out();
    assert!(said.contains(" 3  counted games with the same moves as an earlier one (see --dedupe)\n"), "{said}");
    // Cut behind move 50, and going on otherwise.
    place.put("c.pgn", [draw(121), draw(119), game(123, &[("Result", "1-0")])].concat());
    let lines = |line: &str| place.say(line).ok().json()["repeated_lines"].clone();
    let same = "begin as an earlier one does, by 60 half-moves or more, and go on otherwise (see --dedupe=lines)";
    for line in ["collect c.pgn -o x.counts", "positions c.pgn -o x.csv"] {
        if line.starts_with("positions") && !cfg!(feature = "frames") {
            continue;
        }
        assert_eq!(repeated(&format!("{line} --json")), expected(0), "{line}");
        assert_eq!(lines(&format!("{line} --json")), expected(2), "{line}");
        assert_eq!(lines(&format!("{line} --dedupe --json")), expected(2), "{line}");
        let once = place.say(&format!("{line} --dedupe=lines --json")).ok().json();
        assert_eq!((&once["counted"], &once["repeated_lines"]), (&1.into(), &expected(0)), "{line}");
        let said = [place.say(line).ok().out(), place.say(line).ok().err()].concat();
        assert!(said.contains(&format!(" 2  counted games that {same}")), "{said}");
    }
    place.say("collect c.pgn -o x.counts --dedupe=odd").fails(2, &["invalid value 'odd'", "games, lines"]);
    if cfg!(feature = "frames") {
        assert_eq!(repeated("positions a.pgn b.pgn -o x.csv --json"), expected(3));
    }
    assert_eq!(repeated("wdl collect b.pgn -o x.wdl --keep-empty --json"), expected(1));
    // What the files ask for next.
    for (file, command) in [("x.counts", "table x.counts -o x.table"), ("x.wdl", "wdl fit x.wdl -o x.json")] {
        let shown = place.say(&format!("inspect {file}")).ok().out();
        assert!(shown.ends_with(&format!("\n\nnext: drawish {command}\n")), "{shown}");
        let json = place.say(&format!("inspect {file} --json")).ok().out();
        assert!(!json.contains("next:"), "{json}");
    }
}

#[test]
fn the_options_of_the_rule() {
    let place = Place::new();
    place.put("games.pgn", [draw(30), draw(60)].concat());
    let counted = |options: &str| {
        let summary = place.run(format!("collect games.pgn -o x.counts --json {options}").split(' ')).ok().json();
        assert_adds_up(&summary);
        (summary["counted"].as_u64().expect("a count"), summary["positions"].as_u64().expect("a count"))
    };
    assert_eq!(counted("--min-moves 15 --at 3"), (2, 2));
    assert_eq!(counted("--min-moves 16 --at 3"), (1, 1));
    assert_eq!(counted("--min-moves 0 --at 16"), (2, 2), "the position after the last move of the first game");
    assert_eq!(counted("--min-moves 0 --at 17"), (1, 1));
    assert_eq!(counted("--min-moves 0 --min-plies 31 --at 1"), (1, 1));
    assert_eq!(counted("--min-moves 0 --sample every --from 1"), (2, 90));
    assert_eq!(counted("--min-moves 0 --sample every --from 15"), (2, 2 + 32));
    assert_eq!(counted("--min-moves 0 --sample every --from 16"), (1, 30));
    assert_eq!(counted("--min-moves 0 --sample one-random-ply --from 1"), (2, 2));
    assert_eq!(counted("--min-moves 0 --sample one-random-ply --from 16"), (1, 1));
    assert_eq!(counted("--min-moves 0 --at 1 --dedupe"), (2, 2));
}

#[test]
fn starts_from_a_fen_have_their_own_move_numbers() {
    let place = Place::new();
    // After 1.e4 c5, so that White's next move is number 48; and as a Chess960 game.
    let late = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 48";
    let moves = "d4 cxd4 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 1/2-1/2\n\n";
    let game = |variant: &str| format!("[Event \"x\"]\n[Result \"1/2-1/2\"]\n{variant}[FEN \"{late}\"]\n\n{moves}");
    place.put("games.pgn", [game(""), game("[Variant \"chess 960\"]\n")].concat());
    let run = |options: &str| place.run(format!("collect games.pgn -o x.counts --json {options}").split(' ')).json();
    let reasons = |options: &str| skipped(&run(options));
    assert_eq!(reasons("--min-moves 52"), [("variant".to_owned(), 1), ("start-position".to_owned(), 1)]);
    assert_eq!(reasons("--min-moves 52 --fen-starts"), [("variant".to_owned(), 1)]);
    assert_eq!(cells(&place, "x.counts"), format!("cell,white_wins,draws,black_wins\n{CELL},0,1,0\n"));
    assert_eq!(reasons("--min-moves 53 --fen-starts"), [("variant".to_owned(), 1), ("too-short".to_owned(), 1)]);
    assert_eq!(reasons("--min-moves 52 --variant chess960"), [("variant".to_owned(), 1)]);
    assert_eq!(reasons("--min-moves 52 --variant any"), []);
    assert_eq!(reasons("--min-moves 52 --variant any --at 47"), [("not-reached".to_owned(), 2)]);
    assert_eq!(reasons("--min-moves 52 --variant any --at 54"), [("not-reached".to_owned(), 2)]);
}

#[test]
fn one_random_ply_is_drawn_by_the_game_and_not_by_its_place() {
    let place = Place::new();
    let games: Vec<_> = (0..200).map(|i| crate::twins::random_game(i, None).0).collect();
    let mut backwards = games.clone();
    backwards.reverse();
    place.put("a.pgn", games.concat());
    place.put("b.pgn", format!("[Event \"first\"]\n\n*\n\n{}", backwards.concat()));
    for file in ["a", "b"] {
        place
            .say(&format!("collect {file}.pgn -o {file}.counts --sample one-random-ply --from 1 --min-moves 0 -q"))
            .ok();
    }
    assert_eq!(cells(&place, "a.counts"), cells(&place, "b.counts"));
}

#[test]
fn neither_threads_nor_order_nor_packing_change_the_bytes() {
    let place = Place::new();
    let games = |from: u64| -> String { (from..from + 700).map(|i| crate::twins::random_game(i, None).0).collect() };
    let (one, two) = (games(0), games(1000));
    place.put("1.pgn", &one);
    place.put("2.pgn", two.repeat(4));
    let options = "--min-moves 0 --sample every --from 1 --dedupe -q";
    place.say(&format!("collect 1.pgn 2.pgn -o a.counts -j 1 {options}")).ok();
    place.say(&format!("collect 2.pgn 1.pgn -o b.counts -j 4 {options}")).ok();
    place.say(&format!("collect . -o c.counts -j 3 {options}")).ok();
    place.run(["collect", "*.pgn", "-o", "d.counts"].into_iter().chain(options.split(' '))).ok();
    for other in ["b.counts", "c.counts", "d.counts"] {
        assert!(place.read("a.counts") == place.read(other), "{other}");
    }
    let summary = place.say("inspect a.counts --json").ok().json();
    // The three copies of the second file, and very short games that happen to be alike.
    let duplicates = summary["skipped"]["duplicate"].as_u64().expect("a count");
    assert!((2100..2120).contains(&duplicates), "{duplicates}");
    assert_adds_up(&summary);

    place.put("packed/1.pgn.gz", gzip(one.as_bytes()));
    place.put("packed/2.pgn.zst", zstd::encode_all(two.as_bytes(), 3).expect("zstd"));
    // Packed in two members each, as parallel packers do.
    let (head, tail) = two.as_bytes().split_at(5000);
    place.put("split/1.pgn.gz", [gzip(&one.as_bytes()[..777]), gzip(&one.as_bytes()[777..])].concat());
    place.put("split/2.pgn.bz2", [bzip2(head), bzip2(tail)].concat());
    place.put("plain/1.pgn", &one);
    place.put("plain/2.pgn", &two);
    for directory in ["plain", "packed", "split"] {
        place.say(&format!("collect {directory} -o {directory}.counts {options}")).ok();
        assert_eq!(cells(&place, "plain.counts"), cells(&place, &format!("{directory}.counts")), "{directory}");
    }
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("gzip")
}

pub fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("bzip2")
}

#[test]
fn standard_input_and_output() {
    let place = Place::new();
    place.put("games.pgn", draw(119));
    let through = |content: Vec<u8>| {
        let mut child = place
            .command(["collect", "-", "-o", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        child.stdin.take().expect("a pipe").write_all(&content).expect("it reads");
        crate::run::Done(child.wait_with_output().expect("it ends")).ok()
    };
    for content in [draw(119).into_bytes(), gzip(draw(119).as_bytes())] {
        let done = through(content);
        assert!(done.err().contains("games read"), "{}", done.err());
        place.put("out.counts", &done.0.stdout);
        assert_eq!(cells(&place, "out.counts"), format!("cell,white_wins,draws,black_wins\n{CELL},0,1,0\n"));
    }
}

#[test]
fn broken_files_are_counted_up_to_the_break() {
    let place = Place::new();
    let text = (0..300).map(|i| draw(119 + i)).collect::<String>();
    for (name, packed) in [
        ("cut.pgn.gz", gzip(text.as_bytes())),
        ("cut.pgn.zst", zstd::encode_all(text.as_bytes(), 1).expect("zstd")),
        ("cut.pgn.bz2", bzip2(text.as_bytes())),
    ] {
        place.put(name, &packed[..packed.len() * 2 / 3]);
        place.put("whole.pgn", draw(119));
        let done = place.run(["collect", name, "whole.pgn", "-o", "x.counts", "--json"]);
        let done = done.fails(1, &[name, "counted"]);
        let summary = done.json();
        assert_adds_up(&summary);
        let inputs = summary["inputs"].as_array().expect("a list");
        let whole = inputs.iter().find(|input| input["name"] == "whole.pgn").expect("the other file");
        assert_eq!(whole["counted"], 1, "the other file is counted all the same");
        assert_eq!(summary["broken"].as_array().map(Vec::len), Some(1));
        place.say("verify x.counts").ok();
        assert!(place.say("inspect x.counts").ok().out().contains("(broken: "));
    }
    let noise: Vec<_> = (0..40_000u32).flat_map(|i| i.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
    place.put("noise.pgn.gz", [&[0x1f, 0x8b, 8, 0][..], &noise].concat());
    place.say("collect noise.pgn.gz -o x.counts").fails(1, &["noise.pgn.gz"]);
}

#[test]
fn what_is_not_there_or_not_pgn_is_said_before_or_after() {
    let place = Place::new();
    place.put("games.pgn", draw(119));
    place.say("collect nowhere.pgn -o x.counts").fails(1, &["nowhere.pgn: no such file", "check the name"]);
    place.say("collect games.pgn nowhere.pgn -o x.counts").fails(1, &["nowhere.pgn"]);
    place.run(["collect", "no*.pgn", "-o", "x.counts"]).fails(1, &["no*.pgn: no file fits this pattern"]);
    place.put("empty/readme.txt", "no games here");
    place.say("collect empty -o x.counts").fails(1, &["empty: no .pgn"]);
    place.say("collect games.pgn ./games.pgn -o x.counts").fails(1, &["games.pgn is named twice"]);
    place
        .say("collect games.pgn -o nowhere/x.counts")
        .fails(1, &["nowhere/x.counts cannot be written", "choose another place"]);
    place.say("collect games.pgn -o empty").fails(1, &["it is a directory"]);
    assert!(!place.path("x.counts").exists());
    place.say("collect games.pgn").fails(2, &["--output"]);
    place.say("collect games.pgn -o x.counts --at 0").fails(2, &["--at"]);
    place.say("collect games.pgn -o x.counts --scheme cg").fails(2, &["--scheme", "bg, bg-blocked, ah, bg-sym"]);
    place.say("collect games.pgn -o x.counts --date-from 99").fails(2, &["YYYY.MM.DD"]);
    place.say("collect games.pgn -o x.counts --player (").fails(2, &["--player"]);

    place.put("picture.pgn", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x02\0\0\0\x02\0\x08\x06\0\0\0");
    let done = place.say("collect picture.pgn games.pgn -o x.counts --json");
    let summary = done.fails(1, &["picture.pgn: not PGN but a PNG picture; none of it is counted"]).json();
    assert_eq!((summary["games"].as_u64(), summary["counted"].as_u64()), (Some(1), Some(1)));
    // A Parquet file, noise, and a program under names of PGN files.
    for (name, begins) in
        [("rows.pgn", &b"PAR1\x15\x04"[..]), ("noise.pgn", b"\x01\x02\0\x7f[Event"), ("a.pgn.zst", b"\x7fELF\x02")]
    {
        place.put(name, begins);
        place.run(["collect", name, "-o", "x.counts"]).fails(1, &[name, "not PGN but", "none of it is counted"]);
    }
    for name in ["other.pgn.gz", "games.csv", "games.JSON", "games.parquet", "games.table", "games.csv.zst", "engine.h"]
    {
        place
            .run(["collect", "games.pgn", "-o", name])
            .fails(1, &["a form of their own", "drawish inspect", ".counts"]);
        assert!(!place.path(name).exists(), "{name}");
    }
    for (wrong, said) in [
        ("--from 3", "--from goes with --sample every"),
        ("--sample every --at 3", "--at is the move of --sample at"),
        ("--min-elo 3000 --max-elo 1000", "no game could count"),
        ("--date-from 2021 --date-to 2020.12", "no game could count"),
        ("--date-from 2020.13", "YYYY.MM.DD"),
    ] {
        place.say(&format!("collect games.pgn -o x.counts {wrong}")).fails(2, &[said]);
    }
    let none = place.say("collect games.pgn -o x.counts --date-from 2021.05 --date-to 2021");
    none.fails(1, &["nothing was counted: 1 game read, skipped: date 1. Loosen --date-from or --date-to."]);
    place.put("empty.pgn", "");
    let summary = place.say("collect empty.pgn -o x.counts --json").fails(1, &["no game was read"]).json();
    assert_eq!(summary["games"], 0);
}

/// What is not packed has no end of its own: a cut is seen by the result that is missing.
#[test]
fn plain_text_that_is_cut_is_told() {
    let place = Place::new();
    let text = draw(119).repeat(2);
    place.put("whole.pgn", &text);
    let whole = place.say("collect whole.pgn -o x.counts --json").ok();
    assert_eq!((whole.err(), whole.json()["unfinished"].as_array().map(Vec::len)), (String::new(), Some(0)));
    let cut = &text[..text.trim_end().len() - "1/2-1/2".len() - 9];
    place.put("cut.pgn", cut);
    let done = place.say("collect cut.pgn -o x.counts --json").ok();
    assert!(done.err().contains("cut.pgn: the text ends in the middle of a game"), "{}", done.err());
    assert_eq!(done.json()["unfinished"][0], "cut.pgn");
}

#[cfg(unix)]
#[test]
fn what_a_directory_holds_beside_files() {
    let place = Place::new();
    place.put("games/a.pgn", draw(119));
    std::os::unix::fs::symlink("nowhere", place.path("games/dangling.pgn")).expect("a link");
    let made = std::process::Command::new("mkfifo").arg(place.path("games/pipe.pgn")).status();
    assert!(made.is_ok_and(|status| status.success()), "a pipe, at which nobody may wait");
    let done = place.say("collect games -o x.counts --json").fails(1, &["dangling.pgn: no such file", "none of it"]);
    assert_eq!(done.json()["counted"], 1);
}

#[cfg(unix)]
#[test]
fn files_without_permission() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    let secret = place.put("secret.pgn", draw(119));
    std::fs::set_permissions(&secret, std::fs::Permissions::from_mode(0o000)).expect("a change of mode");
    if std::fs::File::open(&secret).is_ok() {
        eprintln!("skipped: whoever runs this may read everything");
        return;
    }
    place.say("collect secret.pgn -o x.counts").fails(1, &["secret.pgn", "permissions"]);
}

#[test]
fn the_same_games_are_not_counted_twice() {
    let place = Place::new();
    place.put("a.pgn", draw(119));
    place.put("copy.pgn", draw(119));
    let done = place.say("collect a.pgn copy.pgn -o both.counts --json").ok();
    assert!(done.err().contains("copy.pgn: the same content as a.pgn, not counted again"), "{}", done.err());
    assert_eq!(done.json()["games"], 1);
    assert_eq!(done.json()["repeated"][0]["same_as"], "a.pgn");

    place.put("a.pgn.zst", zstd::encode_all(draw(119).as_bytes(), 3).expect("packed"));
    let done = place.say("collect a.pgn a.pgn.zst -o both.counts --json").ok();
    assert!(done.err().contains("a.pgn.zst: the same content as a.pgn, not counted again"), "{}", done.err());
    assert_eq!(done.json()["games"], 1);

    place.put("b.pgn", draw(120));
    place.say("collect a.pgn -o a.counts -q").ok();
    place.say("collect a.pgn.zst -o packed.counts -q").ok();
    place.say("merge a.counts packed.counts -o x.counts").fails(1, &["a.pgn.zst", "already in it as a.pgn"]);
    place.say("merge packed.counts a.counts -o x.counts").fails(1, &["a.pgn", "already in it as a.pgn.zst"]);
    place.say("collect b.pgn -o b.counts -q").ok();
    place.say("collect b.pgn -o ah.counts -q --scheme ah").ok();
    place.say("collect b.pgn -o at40.counts -q --at 40").ok();
    place.say("merge a.counts b.counts -o ab.counts").ok();
    place.say("merge b.counts a.counts -o ba.counts").ok();
    assert!(place.read("ab.counts") == place.read("ba.counts"));
    place.say("collect a.pgn b.pgn -o direct.counts -q").ok();
    assert!(place.read("ab.counts") == place.read("direct.counts"));
    place.say("merge ab.counts a.counts -o x.counts").fails(1, &["a.counts: a.pgn", "counted twice"]);
    place.say("merge a.counts ah.counts -o x.counts").fails(1, &["ah.counts: index scheme ah", "--scheme"]);
    place
        .say("merge a.counts at40.counts -o x.counts")
        .fails(1, &["at40.counts: counted by another rule", "at: expected 50, found 40", "the same options"]);
    assert!(!place.path("x.counts").exists());
    // All starts are taken of any variant, with the option and without it.
    place.say("collect a.pgn -o any-a.counts -q --variant any").ok();
    place.say("collect b.pgn -o any-b.counts -q --variant any --fen-starts").ok();
    place.say("merge any-a.counts any-b.counts -o any.counts").ok();
}

/// Leaves what a run to `x.counts` leaves that is killed when it has counted the inputs of these counts.
pub fn leave_state(place: &Place, counts: &str, ends_whole: bool) {
    let counts = place.read(counts);
    let file = CountsFile::from_bytes(&counts).expect("counts");
    let of_input = json!({ "ends_whole": ends_whole, "odd_words": OddWords::default() });
    let inputs: Map<_, _> =
        file.shards.iter().map(|shard| (Digest(shard.digest).to_string(), of_input.clone())).collect();
    let account = json!({ "inputs": inputs, "repeats": GamesAgain::default() }).to_string();
    let length = u32::try_from(account.len()).expect("a short account").to_le_bytes();
    let crc = crc32fast::hash(account.as_bytes()).to_le_bytes();
    place.put("x.counts.partial", [b"DRAWCNP\0", &length[..], &crc, account.as_bytes(), &counts].concat());
}

#[test]
fn an_interrupted_run_goes_on() {
    let place = Place::new();
    for name in ["a", "b", "c"] {
        place.put(
            &format!("{name}.pgn"),
            (0..20)
                .map(|i| crate::twins::random_game(name.len() as u64 * 50 + i + u64::from(name.as_bytes()[0]), None).0)
                .collect::<String>(),
        );
    }
    let options = "--min-moves 0 --at 5";
    place.say(&format!("collect a.pgn b.pgn c.pgn -o whole.counts -q {options}")).ok();
    // What a run leaves that was killed after its first file is the state after that file.
    place.say(&format!("collect a.pgn -o a.counts -q {options}")).ok();
    leave_state(&place, "a.counts", true);
    let done = place.run(format!("collect a.pgn b.pgn c.pgn -o x.counts --json {options}").split(' ')).ok();
    assert_eq!(done.json()["resumed_inputs"], 1);
    assert!(place.read("x.counts") == place.read("whole.counts"));
    assert!(!place.path("x.counts.partial").exists());
    leave_state(&place, "a.counts", true);
    place
        .say("collect a.pgn b.pgn -o x.counts --min-moves 0 --at 6")
        .fails(1, &["x.counts.partial", "another rule", "at: expected", "--fresh"]);
    place.say(&format!("collect b.pgn -o x.counts {options}")).fails(
        1,
        &["x.counts.partial is the state of a run, interrupted or still going on, that had read a.pgn", "--fresh"],
    );
    // Earlier builds kept counts alone.
    for begins in ["DRAWCNT\0", "DRAWCNP\0"] {
        place.put("x.counts.partial", format!("{begins} but then nonsense"));
        place
            .say(&format!("collect b.pgn -o x.counts {options}"))
            .fails(1, &["x.counts.partial is in the way", "remove it"]);
        place.say(&format!("collect b.pgn -o x.counts --fresh -q {options}")).ok();
    }
}

/// Killed for real, in the middle of its work, and started again.
#[cfg(unix)]
#[test]
fn a_killed_run_goes_on() {
    use std::os::unix::process::ExitStatusExt;
    let place = Place::new();
    for file in 0..8u64 {
        place.put(
            &format!("{file}.pgn"),
            (0..400 + file).map(|i| crate::twins::random_game(file % 4 * 1000 + i, None).0).collect::<String>(),
        );
    }
    let line = "collect . --min-moves 0 --sample every --from 1 --dedupe --replay -j 1 -q -o";
    let args = |output: &str| line.split(' ').chain([output]).map(str::to_owned).collect::<Vec<_>>();
    place.run(args("whole.counts")).ok();
    // Each run is killed when it has written down one more file than the run before it.
    for read in 1..4 {
        let mut child = place.command(args("x.counts")).spawn().expect("the program runs");
        let has_read = |files: usize| {
            let bytes = std::fs::read(place.path("x.counts.partial")).unwrap_or_default();
            let account =
                bytes.get(8..12).map_or(0, |length| u32::from_le_bytes(length.try_into().expect("four bytes")));
            let counts = bytes.get(16 + account as usize..).unwrap_or_default();
            CountsFile::from_bytes(counts).is_ok_and(|counts| counts.shards.len() >= files)
        };
        while !has_read(read) {
            assert!(child.try_wait().expect("a child").is_none(), "over before {read} files were written down");
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        child.kill().expect("it is killed");
        let status = child.wait().expect("it ends");
        assert_eq!(status.signal(), Some(9), "not killed in the middle of its work: {status}");
        assert!(!place.path("x.counts").exists());
    }
    let done = place.run(args("x.counts").into_iter().filter(|arg| arg != "-q").chain(["--json".to_owned()])).ok();
    assert!(done.json()["resumed_inputs"].as_u64() >= Some(3), "{}", done.out());
    assert!(place.read("x.counts") == place.read("whole.counts"));
    let left: Vec<_> =
        std::fs::read_dir(place.path(".")).expect("a directory").flatten().map(|entry| entry.file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().ends_with(".partial")), "{left:?}");
}

#[test]
fn what_does_not_fit_together_is_noticed() {
    let place = Place::new();
    let mut contradicting = game(119, &[("Result", "1-0"), ("PlyCount", "119")]);
    contradicting = contradicting.replace("1-0\n\n", "0-1\n\n");
    place.put("games.pgn", contradicting + &game(119, &[("Result", "1-0"), ("PlyCount", "121")]));
    let done = place.say("collect games.pgn -o x.counts --json").ok();
    assert_eq!(noticed(&done.json()), [("result-token-differs".to_owned(), 1), ("ply-count-differs".to_owned(), 1)]);
    assert!(cells(&place, "x.counts").ends_with(&format!("{CELL},2,0,0\n")), "the tag counts");
    assert!(place.say("inspect x.counts").ok().out().contains("Noticed"));
}

#[test]
fn an_input_is_never_overwritten() {
    let place = Place::new();
    let games = draw(119);
    place.put("games.pgn", &games);
    place.put("x.counts.partial", &games);
    place.say("collect games.pgn -o games.pgn").fails(1, &["games.pgn is an input and would be overwritten", "-o"]);
    place.say("collect x.counts.partial -o x.counts --fresh").fails(1, &["x.counts.partial is an input"]);
    place.say("collect games.pgn -o x.counts --fresh").fails(1, &["x.counts.partial is in the way"]);
    for name in ["games.pgn", "x.counts.partial"] {
        assert!(place.read(name) == games.as_bytes(), "{name}");
    }
    place.say("collect games.pgn -o y.counts -q").ok();
    let counts = place.read("y.counts");
    place.run(["table", "y.counts", "-o", "./y.counts"]).fails(1, &["y.counts: the ending of the name"]);
    place.say("merge y.counts -o y.counts").fails(1, &["y.counts is an input and would be overwritten"]);
    assert!(place.read("y.counts") == counts);
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_lead_nowhere_twice() {
    use std::os::unix::fs::symlink;
    let place = Place::new();
    place.put("games/2024.pgn", draw(119));
    symlink("2024.pgn", place.path("games/latest.pgn")).expect("a link");
    symlink(".", place.path("games/loop")).expect("a link");
    symlink("..", place.path("games/up")).expect("a link");
    let summary = place.say("collect games -o x.counts --json").ok().json();
    assert_eq!(summary["games"], 1);
    place.put("real.counts", "old");
    symlink("real.counts", place.path("link.counts")).expect("a link");
    place.say("collect games -o link.counts -q").ok();
    assert!(place.read("real.counts") == place.read("x.counts"));
    assert!(place.path("link.counts").is_symlink());
}

#[test]
fn files_of_other_kinds_are_refused_by_name() {
    let place = Place::new();
    place.put("games.pgn", draw(119));
    let utf16: Vec<u8> = draw(119).encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (name, head, said) in [
        ("a.pgn", b"PK\x03\x04 and e4 e5 Nf3".to_vec(), "a zip archive: unpack it first"),
        ("a.pgn", b"\xfd7zXZ\0 e4".to_vec(), "compressed with xz: decompress it first"),
        ("a.pgn", utf16, "UTF-16 or UTF-32 text: convert it to UTF-8 first"),
    ] {
        place.put(name, head);
        let summary = place.say("collect a.pgn games.pgn -o x.counts --json").fails(1, &["a.pgn", said]).json();
        assert_eq!(summary["games"], 1);
        assert_adds_up(&summary);
    }
    // Parallel packers begin with a frame to be skipped.
    let mut skippable = vec![0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4];
    skippable.extend(zstd::encode_all(draw(119).as_bytes(), 1).expect("zstd"));
    place.put("b.pgn.zst", skippable);
    assert_eq!(place.say("collect b.pgn.zst -o x.counts --json").ok().json()["counted"], 1);
}

#[test]
fn a_resumed_run_remembers_what_was_broken() {
    let place = Place::new();
    let whole = gzip((0..300).map(|i| draw(119 + i)).collect::<String>().as_bytes());
    place.put("cut.pgn.gz", &whole[..whole.len() / 2]);
    place.put("b.pgn", draw(120));
    place.say("collect cut.pgn.gz -o cut.counts -q").fails(1, &["cut.pgn.gz"]);
    leave_state(&place, "cut.counts", true);
    let done = place.say("collect cut.pgn.gz b.pgn -o x.counts --json").fails(1, &["cut.pgn.gz"]);
    assert_eq!(done.json()["resumed_inputs"], 1);
    assert_eq!(done.json()["broken"].as_array().map(Vec::len), Some(1));
}

#[test]
fn games_longer_than_a_chunk_stay_whole() {
    let place = Place::new();
    let long =
        format!("[Event \"long\"]\n[Result \"1-0\"]\n\n1. e4 {{{}}} e5 1-0\n\n", "word [%csl Ga1]\n".repeat(600_000));
    place.put("games.pgn", [draw(119), long, draw(119)].concat());
    let summary = place.say("collect games.pgn -o x.counts --json").ok().json();
    assert_eq!((summary["games"].as_u64(), summary["counted"].as_u64()), (Some(3), Some(2)));
    assert_eq!(skipped(&summary), [("too-short".to_owned(), 1)]);
    assert_eq!(noticed(&summary), []);
}

#[test]
fn more_threads_than_there_can_be() {
    let place = Place::new();
    place.put("games.pgn", draw(119));
    place.say("collect games.pgn -o x.counts -q -j 5000").fails(2, &["--threads"]);
    place.say("collect games.pgn -o x.counts -q -j 200").ok();
}
