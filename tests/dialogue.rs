//! The dialogue with engines, written down: every line of every game, whole, and no match lost for it.

use std::collections::BTreeMap;

use drawish::arena::Logged;

use crate::fake_engine::{VARIABLE, engine};
use crate::run::{Done, Place};

/// A line of the file: seat, name, arrow, what was said.
type Line<'a> = (&'a str, &'a str, &'a str, &'a str);

/// Runs a verb with engines that behave like these.
fn run(place: &Place, verb: &str, behaviours: &[&str], more: &str) -> Done {
    let words = behaviours.iter().zip(["new", "old", "third"]).flat_map(|(behaviour, name)| engine(behaviour, name));
    let more = more.split_whitespace().map(str::to_owned);
    let all: Vec<String> = std::iter::once(verb.to_owned()).chain(words).chain(more).collect();
    Done(place.command(all).env(VARIABLE, "1").output().expect("the program runs"))
}

const TWO: [&str; 2] = ["plays", "plays_otherwise"];
const GAMES: &str = "--openings random:4 --seed 1 --nodes 2000 --max-moves 8 -q";

fn text(place: &Place, name: &str) -> String {
    String::from_utf8(place.read(name)).expect("text")
}

/// The lines of a file, each of which must be whole, and their times never less than before in each run.
#[track_caller]
fn lines(text: &str) -> Vec<Line<'_>> {
    assert!(text.ends_with('\n'), "{text}");
    let mut before = 0.0;
    let read = |line| {
        let (time, rest) = str::strip_prefix(line, "[")?.split_once("] <")?;
        let time: f64 = time.trim_start().parse().ok()?;
        let (seat, rest) = rest.split_once("> ")?;
        let (name, rest) = rest.split_once(' ')?;
        let (arrow, said) = rest.split_once(' ').unwrap_or((rest, ""));
        before = if name == "drawish" { 0.0 } else { before };
        assert!(time >= before && ["<---", "--->", "---"].contains(&arrow), "{line}");
        before = time;
        Some((seat, name, arrow, said))
    };
    text.lines().map(read).collect::<Option<_>>().unwrap_or_else(|| panic!("{text}"))
}

/// The moves of each game, by its seats: those that the engines have written.
fn played(lines: &[Line<'_>]) -> BTreeMap<String, String> {
    let mut games: BTreeMap<String, String> = BTreeMap::new();
    for (seat, _, arrow, said) in lines {
        if let ("--->", Some(answer)) = (*arrow, said.strip_prefix("bestmove ")) {
            let (round, _) = seat.split_once(' ').expect("a game and a colour");
            let moves = games.entry(round.to_owned()).or_default();
            *moves = format!("{moves} {}", answer.split(' ').next().expect("a move")).trim_start().to_owned();
        }
    }
    games
}

#[test]
fn every_line_of_every_game_is_there() {
    let place = Place::new();
    run(&place, "match", &TWO, &format!("{GAMES} --pairs 12 -j 4 --log a.jsonl --engine-log a.txt")).ok();
    let text = text(&place, "a.txt");
    let lines = lines(&text);
    assert!(lines[0].3.starts_with("the clock begins at 1"), "{:?}", lines[0]);
    let logged = Logged::read(&place.read("a.jsonl")).expect("a log");
    let games =
        logged.pairs.iter().flat_map(|pair| (1..).zip(&pair.games).map(move |(game, of)| (pair.pair, game, of)));
    let expected: BTreeMap<_, _> =
        games.map(|(pair, game, of): (_, u32, _)| (format!("{pair}.{game}"), of.moves.clone())).collect();
    assert_eq!((played(&lines), expected.len()), (expected, 24));
    // The first side has White in the first game of each pair, and its name stands at its lines.
    for seat in ["3.1 white", "3.2 black"] {
        let mut of_seat = lines.iter().filter(|line| line.0 == seat);
        assert!(of_seat.all(|line| line.1 == "new"), "{seat}");
    }
    for said in ["uci", "isready"] {
        assert!(lines.contains(&("start", "old", "<---", said)), "{said}: {:?}", &lines[..20]);
    }
    // What steers a terminal is shown and does not act.
    assert!(text.contains("---> \u{fffd}\\u{0}garbage\n") && !text.contains('\0'), "{:?}", &lines[..20]);
}

/// Engines that fail are seen to fail.
#[test]
fn what_becomes_of_an_engine_is_noted() {
    let place = Place::new();
    for (behaviour, note) in [
        ("dies_in_its_fifth_move", "has ended"),
        ("falls_silent", "was killed: no answer in time"),
        ("shouts", "bestmove \\u{1b}[2J}\\u{202e}xxx"),
    ] {
        let file = format!("{behaviour}.txt");
        let more = format!("{GAMES} --pairs 1 --patience 1 --no-log --engine-log {file}");
        run(&place, "match", &[behaviour, "plays"], &more).ok();
        let text = text(&place, &file);
        let lines = lines(&text);
        let at =
            lines.iter().position(|line| line.3.starts_with(note)).unwrap_or_else(|| panic!("{behaviour}: {text}"));
        assert_eq!((lines[at].0.split('.').next(), lines[at].1), (Some("1"), "new"), "{behaviour}");
        if behaviour == "falls_silent" {
            assert!(lines[..at].iter().any(|line| (line.1, line.2, line.3) == ("new", "<---", "stop")), "{text}");
        }
    }
}

#[test]
fn what_is_there_is_appended_to_or_left_alone() {
    let place = Place::new();
    place.put("book.epd", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1\n");
    let games = GAMES.replace("random:4", "book.epd");
    let more = format!("{games} --pairs 1 --log a.jsonl --engine-log a.txt");
    run(&place, "match", &TWO, &more).ok();
    let first = text(&place, "a.txt");
    let other = more.replace("a.jsonl", "b.jsonl");
    run(&place, "match", &TWO, &other)
        .fails(1, &["a.txt is not empty: choose another file for the dialogue", "by --engine-log-append"]);
    assert_eq!((text(&place, "a.txt"), place.path("b.jsonl").exists()), (first.clone(), false));
    run(&place, "match", &TWO, &format!("{other} --engine-log-append")).ok();
    let second = text(&place, "a.txt");
    assert!(second.starts_with(&first) && lines(&second).iter().filter(|line| line.1 == "drawish").count() == 2);
    // A run that was killed within a line takes nothing of the next one.
    place.put("a.txt", &first[..first.len() - 3]);
    run(&place, "match", &TWO, &format!("{} --resume", more.replace("--pairs 1", "--pairs 2"))).ok();
    let resumed = text(&place, "a.txt");
    assert_eq!(resumed.lines().filter(|line| line.contains("> drawish --- ")).count(), 2);
    assert_eq!(played(&lines(&resumed[first.len() - 2..])).keys().collect::<Vec<_>>(), ["2.1", "2.2"]);
    for (words, said) in [
        ("--engine-log a.jsonl", "--log and --engine-log both name a.jsonl"),
        ("--engine-log -", "--engine-log needs a file"),
        ("--engine-log-append", "--engine-log <FILE>"),
    ] {
        let more = format!("{GAMES} --pairs 1 --log a.jsonl {words}");
        run(&place, "match", &TWO, &more).fails(2, &[said]);
    }
    let arms = "match --engine arm=none name=a nodes=5 --engine arm=none name=b nodes=6 --openings random:4 --pairs 1";
    place.say(&format!("{arms} --engine-log c.txt")).fails(2, &["--engine-log c.txt: arms search within this program"]);
    assert!(!place.path("c.txt").exists());
}

/// The games are those of an undisturbed match, and the reason is said once.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_loses_no_match() {
    let place = Place::new();
    let more = format!("{GAMES} --pairs 4 -j 2 --date 2026.11.22");
    run(&place, "match", &TWO, &format!("{more} --log a.jsonl")).ok();
    let done = run(&place, "match", &TWO, &format!("{more} --log b.jsonl --engine-log /dev/full")).ok();
    let said = "drawish: /dev/full: No space left on device (os error 28); the games go on, but nothing more";
    assert_eq!(done.err().matches(said).count(), 1, "{}", done.err());
    assert_eq!(text(&place, "a.jsonl"), text(&place, "b.jsonl"));
}

#[test]
fn other_verbs_write_it_too() {
    let place = Place::new();
    let rounds = |file: &str| {
        let text = text(&place, file);
        played(&lines(&text)).into_keys().collect::<Vec<_>>()
    };
    run(&place, "tournament", &["plays", "plays_otherwise", "plays"], &format!("{GAMES} --pairs 1 --engine-log t.txt"))
        .ok();
    assert_eq!(rounds("t.txt"), ["1.1", "1.2", "2.1", "2.2", "3.1", "3.2"]);
    run(&place, "match", &["plays"], &format!("{GAMES} --selfplay --games 2 --pgn s.pgn --engine-log s.txt")).ok();
    assert_eq!(rounds("s.txt"), ["1.1", "2.1"]);
    let opponent = engine("plays", "rival")[1..].join(" ");
    let gauntlet = format!("{GAMES} --pairs 1 --opponent {opponent} --logs logs --engine-log g.txt");
    run(&place, "gauntlet", &TWO, &gauntlet).ok();
    assert_eq!(text(&place, "g.txt").matches("<1.2 black> ").count() % 2, 0);
    let before = text(&place, "g.txt");
    run(&place, "gauntlet", &TWO, &gauntlet).ok();
    assert!(text(&place, "g.txt").starts_with(&before));
    place.put("p.txt", "Hash, int, 16, 1, 64, 4, 0.002\n");
    run(&place, "spsa", &["plays_by_hash"], &format!("{GAMES} --pairs 2 --parameters p.txt --engine-log p.log")).ok();
    assert_eq!(rounds("p.log"), ["1.1", "1.2", "2.1", "2.2"]);
    run(&place, "spsa", &["plays_by_hash"], &format!("{GAMES} --pairs 2 --parameters p.txt --engine-log p.txt"))
        .fails(2, &["--parameters and --engine-log both name p.txt"]);
}

#[test]
fn the_log_of_fastchess_is_this_file() {
    let place = Place::new();
    place.put("book.epd", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n");
    let fake = env!("CARGO_BIN_EXE_fake-engine");
    let fastchess = |more: &str| {
        let line = format!(
            "fastchess -engine cmd={fake} args=plays name=new -engine cmd={fake} args=plays name=old -each nodes=2000 -rounds 1 \
             -openings file=book.epd -maxmoves 8 {more}"
        );
        Done(place.command(line.split_whitespace()).env(VARIABLE, "1").output().expect("the program runs"))
    };
    let log = "-log file=a.txt engine=true level=trace realtime=true";
    fastchess(log).ok();
    let first = text(&place, "a.txt");
    assert_eq!(played(&lines(&first)).len(), 2);
    // As in fastchess a file is appended to unless this is refused.
    fastchess(log).ok();
    let second = text(&place, "a.txt");
    assert!(second.starts_with(&first) && second.len() > first.len());
    fastchess(&format!("{log} append=false")).fails(1, &["a.txt is not empty", ", by append=true"]);
    for (words, said) in [
        (
            "-log file=b.txt",
            "-log file=b.txt: drawish cannot do this: the file holds the dialogue with engines and nothing else",
        ),
        ("-log engine=true", "-log file= is missing"),
        (
            "-log file=b.txt engine=true compress=true",
            "-log compress=true: drawish cannot do this: the file is plain text",
        ),
        ("-log file=b.txt level=loud", "-log level=loud: expected file=, engine=true"),
        ("-log file=book.epd engine=true", "-openings and -log both name book.epd"),
        (
            "-debug",
            "-debug: drawish cannot do this: the dialogue with engines is written to a file: say -log file=FILE engine=true",
        ),
    ] {
        fastchess(words).fails(2, &[said]);
    }
    assert!(!place.path("b.txt").exists());
}
