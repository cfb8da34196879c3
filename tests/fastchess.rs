//! Command lines of fastchess and cutechess-cli, played with engines made for tests.

use crate::fake_engine::VARIABLE;
use crate::run::{Done, Place};

const BOOK: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n\
                    rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\n4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1\n";
const ENGINES: &str = "-engine cmd=FAKE args=plays name=new -engine cmd=FAKE args=plays_otherwise name=old";

fn fastchess(place: &Place, line: &str) -> Done {
    place.put("book.epd", BOOK);
    let line = line.replace("FAKE", env!("CARGO_BIN_EXE_fake-engine"));
    let words = std::iter::once("fastchess").chain(line.split_whitespace()).map(str::to_owned).collect::<Vec<_>>();
    Done(place.command(words).env(VARIABLE, "1").output().expect("the program runs"))
}

fn text(place: &Place, name: &str) -> String {
    String::from_utf8(place.read(name)).expect("text")
}

#[test]
fn a_command_line_is_the_match_that_match_plays() {
    let place = Place::new();
    let common =
        "-openings file=book.epd format=epd order=random -srand 7 -maxmoves 20 -recover -event Trial -variant standard";
    fastchess(&place, &format!("{ENGINES} -each proto=uci nodes=2000 timemargin=20 -rounds 4 -games 2 -repeat {common} \
                               -pgnout file=a.pgn nodes=true seldepth=true nps=true hashfull=true tbhits=true min=false pv=false -epdout file=a.epd -config outname=a.jsonl -draw movenumber=34 movecount=8 score=20 \
                               -resign movecount=3 score=600 twosided=true -concurrency 2 -ratinginterval 2 -report penta=true"))
        .ok();
    let same = "match --engine cmd=FAKE args=plays name=new --engine cmd=FAKE args=plays_otherwise name=old --nodes 2000 --openings book.epd \
                --seed 7 --max-moves 20 --event Trial --variant standard --pgn b.pgn --epdout b.epd --log b.jsonl --draw from=34 moves=8 score=20 \
                --resign moves=3 score=600 twosided=true --fault-limit 1000 --pgn-with nps,hashfull,tbhits";
    let same = same.replace("FAKE", env!("CARGO_BIN_EXE_fake-engine"));
    Done(place.command(same.split_whitespace()).env(VARIABLE, "1").output().expect("the program runs")).ok();
    // Begun just before and just after midnight they would differ in the date.
    assert_eq!(text(&place, "a.jsonl"), text(&place, "b.jsonl"));
    assert_eq!(text(&place, "a.pgn"), text(&place, "b.pgn"));
    assert_eq!((text(&place, "a.epd"), text(&place, "a.epd").lines().count()), (text(&place, "b.epd"), 8));
}

#[test]
fn logs_are_kept_without_being_asked_for() {
    let place = Place::new();
    let line = format!("{ENGINES} -each nodes=2000 -rounds 2 -openings file=book.epd -maxmoves 10");
    let done = fastchess(&place, &line).ok();
    assert!(done.out().contains("Ptnml(0-2): ["), "{}", done.out());
    let log = text(&place, "new-old.jsonl");
    assert_eq!(log.lines().count(), 3);
    fastchess(&place, &line).ok();
    let second = text(&place, "new-old-2.jsonl");
    place.put("new-old-2.jsonl", second.lines().next().expect("a line").to_owned() + "\n");
    let done = fastchess(&place, &format!("{line} -resume")).ok();
    assert!(text(&place, "new-old-2.jsonl") == second && !place.path("new-old-3.jsonl").exists(), "{}", done.out());
    assert_eq!(text(&place, "new-old.jsonl"), log);
    fastchess(&place, &format!("{line} -config file=new-old.jsonl")).ok();
    // More rounds than openings begin again with the first, as match runners have it.
    fastchess(&place, &line.replace("-rounds 2", "-rounds 6")).ok();
    assert_eq!(text(&place, "new-old-3.jsonl").lines().count(), 7);
}

/// Of several logs of the same two names the one with the setup of the command line is resumed.
#[test]
fn the_log_of_the_same_setup_is_resumed() {
    let place = Place::new();
    let line = format!("{ENGINES} -each nodes=2000 -rounds 2 -openings file=book.epd -maxmoves 10");
    let other = line.replace("nodes=2000", "nodes=3000");
    let random = line.replace("book.epd", "random:4");
    [&line, &other, &random].into_iter().for_each(|line| drop(fastchess(&place, line).ok()));
    let second = text(&place, "new-old-2.jsonl");
    let header = |text: &str| text.lines().next().expect("a line").to_owned() + "\n";
    for (line, log) in [(&line, "new-old.jsonl"), (&other, "new-old-2.jsonl"), (&random, "new-old-3.jsonl")] {
        let whole = text(&place, log);
        place.put(log, header(&whole));
        let done = fastchess(&place, &format!("{line} -resume")).ok();
        assert_eq!(text(&place, log), whole);
        assert!(done.out().ends_with(&format!("log {log}\n")) && !done.err().contains("newest"), "{}", done.err());
    }
    fastchess(&place, &format!("{} -resume", line.replace("nodes=2000", "nodes=4000"))).fails(
        1,
        &[
            "no log here has this setup: new-old.jsonl: sides.1.limits was \"2000 nodes\", now it is \"4000 nodes\"; new-old-2.jsonl: ",
            "repeat the same arguments, or name the log to resume, by -config file=LOG",
        ],
    );
    fastchess(&place, &other).ok();
    let done = fastchess(&place, &format!("{other} -resume")).ok();
    let said = "resuming new-old-4.jsonl, the newest log with this setup; it is also that of new-old-2.jsonl; say -config file=LOG to choose";
    assert!(done.err().contains(said), "{}", done.err());
    assert_eq!(text(&place, "new-old-2.jsonl"), second);
    // The same of match and of tournaments.
    let fake = env!("CARGO_BIN_EXE_fake-engine");
    let engines = format!("--engine cmd={fake} args=plays name=new --engine cmd={fake} args=plays_otherwise name=old");
    let play = |verb: &str, more: &str| {
        let line = format!("{verb} {engines} --openings book.epd --seed 7 --max-moves 10 {more}");
        Done(place.command(line.split_whitespace()).env(VARIABLE, "1").output().expect("the program runs"))
    };
    play("match", "--nodes 4000 --pairs 1 --resume").fails(1, &["no log here has this setup", "resume, by --log"]);
    for nodes in ["200", "300"] {
        play("tournament", &format!("--nodes {nodes} --pairs 1")).ok();
    }
    play("tournament", "--nodes 400 --pairs 1 --resume")
        .fails(1, &["tournament.jsonl: sides.1.limits was", "by --log"]);
    play("tournament", "--nodes 200 --pairs 2 --resume").ok();
    assert_eq!(["tournament.jsonl", "tournament-2.jsonl"].map(|log| text(&place, log).lines().count()), [3, 2]);
}

/// An interrupt ends the match at once, which says where it stands and how it is resumed; the log is whole.
#[cfg(unix)]
#[test]
fn an_interrupted_match_says_how_to_go_on() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    let place = Place::new();
    place.put("book.epd", BOOK);
    let line =
        format!("fastchess {ENGINES} -each nodes=2000 -rounds 500 -openings file=book.epd -ratinginterval 1 -srand 1");
    let line = line.replace("FAKE", env!("CARGO_BIN_EXE_fake-engine"));
    let mut command = place.command(line.split_whitespace());
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the program runs");
    let mut said = BufReader::new(child.stderr.take().expect("a pipe")).lines().map(|line| line.expect("text"));
    assert!(said.any(|line| line.contains(" of 1000 games  Elo")));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("a signal");
    let rest: Vec<_> = said.collect();
    assert_eq!(child.wait().expect("its end").code(), Some(130), "{rest:?}");
    let at = rest.iter().position(|line| line == "drawish: interrupted").unwrap_or_else(|| panic!("{rest:?}"));
    assert!(rest[at + 1].starts_with("Elo: "), "{rest:?}");
    let go_on = "log new-old.jsonl: the same command with -resume plays what is missing";
    assert_eq!(rest.last().map(String::as_str), Some(go_on));
    let before = text(&place, "new-old.jsonl").lines().count();
    let more = line.replace("-rounds 500", &format!("-rounds {}", before + 1)) + " -resume";
    let done = place.say(&more).ok();
    assert!(done.out().contains("going on after ") && done.out().ends_with("log new-old.jsonl\n"), "{}", done.out());
}

#[test]
fn crashes_and_verdicts() {
    let place = Place::new();
    let line = "-engine cmd=FAKE args=dies_in_its_fifth_move name=new restart=on -engine cmd=FAKE args=plays name=old -each nodes=2000 \
                -rounds 4 -openings file=book.epd order=random -maxmoves 20";
    fastchess(&place, line).fails(1, &["new: lost", "or say -recover"]);
    let done = fastchess(&place, &format!("{line} -recover -ratinginterval 1")).ok();
    assert!(done.err().contains("2 of 8 games  Elo") && done.err().contains(" left"), "{}", done.err());
    let sprt = "-sprt elo0=0 elo1=200 alpha=0.3 beta=0.3 model=logistic";
    let done = fastchess(&place, &format!("{} {sprt} -recover", line.replace("-rounds 4", "-rounds 60")));
    assert_eq!(done.code(), 3, "{}", done.out());
}

#[test]
fn what_cannot_be_done_is_refused_by_name() {
    let place = Place::new();
    let line = format!("{ENGINES} -each nodes=2000 -rounds 2 -openings file=book.epd");
    for (more, said) in [
        ("-noswap", "-noswap: drawish cannot do this: every opening is played with both colours"),
        ("-use-affinity 1,x", "-use-affinity 1,x: expected numbers of cores"),
        ("-tbignore50", "-tbignore50: drawish cannot do this"),
        ("-games 1", "-games 1: drawish cannot do this"),
        ("-engine cmd=third -sprt elo0=0 elo1=5", "-sprt: drawish cannot do this: a test judges two engines"),
        ("-output format=cutechess", "-output format=cutechess: drawish cannot do this"),
        ("-pgnout file=a.pgn notation=lan", "-pgnout notation=lan: drawish cannot do this"),
        ("-pgnout file=a.pgn pv=true", "-pgnout pv=true: drawish cannot do this: say -log file=FILE engine=true"),
        ("-pgnout file=a.pgn match_line=.*", "-pgnout match_line=.*: drawish cannot do this: say -log"),
        ("-epdout file=a.epd append=true", "-epdout append=true: drawish cannot do this"),
        ("-pgnout file=a.pgn nps=often", "-pgnout nps=often: expected file=, nodes=true"),
        ("-each ponder", "new is to think in its opponent's time, which needs a clock"),
        ("-each proto=xboard", "-each proto=xboard: expected proto=uci: only engines that speak UCI"),
        ("-each tc=5+x", "-each tc=5+x: expected seconds as in 8+0.08"),
        ("-each memory=5", "-each memory: expected one of cmd="),
        ("-each memory=5", "an arm of drawish, elsewhere arm=NAME, is cmd=drawish args=uci option.Arm=NAME"),
        ("-each arm=none", "-each arm: drawish cannot do this: an arm of drawish is a program here"),
        (
            "-sprt elo0=-200 elo1=0",
            "the bound -200 cannot be tested: bounds of a normalized test must lie between -200 and 200, both excluded; choose bounds \
             near the difference that you expect, such as 0 and 5, or take the logistic model (model=logistic), whose bounds reach 1000",
        ),
        (
            "-engine arm=none",
            "-engine arm: drawish cannot do this: an arm of drawish is a program here: say cmd=drawish args=uci option.Arm=NAME",
        ),
        ("-each heads=a", "-each heads: drawish cannot do this: an arm of drawish is a program here"),
        ("-tournament knockout", "-tournament knockout: drawish cannot do this"),
        ("-variant atomic", "-variant atomic: drawish cannot do this"),
        ("-foo", "-foo: no option of fastchess or cutechess-cli that drawish knows"),
        ("-resign score=600 movecount=many", "-resign movecount=many: expected whole numbers"),
        ("-resign movecount=3", "-resign movecount= score= is missing"),
        ("-sprt elo0=0", "-sprt elo0= elo1= is missing"),
        ("-config file=a.json stats=false", "-config stats=false: drawish cannot do this"),
        ("-rounds 3", "-rounds is given twice with different words: say it once"),
        ("-openings start=2", "-openings is given twice"),
    ] {
        fastchess(&place, &format!("{line} {more}")).fails(2, &[said]);
    }
    fastchess(&place, &line.replace("-each", "-engine name=third -each")).fails(2, &["-engine cmd= is missing"]);
    for (rounds, said) in
        [("0", "-rounds 0: expected a whole number above 0"), ("two", "-rounds two: expected a whole number")]
    {
        fastchess(&place, &line.replace("-rounds 2", &format!("-rounds {rounds}"))).fails(2, &[said]);
    }
    fastchess(&place, "cmd=a").fails(2, &["the command line cmd=a: expected an option first"]);
    fastchess(&place, &line.replace("-rounds 2", "")).fails(2, &["-rounds is missing"]);
    fastchess(&place, &line.replace("nodes=2000", "tc=inf"))
        .fails(2, &["nothing limits the thinking of new", "tc=, st="]);
    fastchess(&place, &line.replace("name=old", "name=new")).fails(2, &["two engines are called new", "by name="]);
    fastchess(&place, &line.replace("-openings file=book.epd", "")).fails(2, &["-openings file= is missing"]);
    assert!(std::fs::read_dir(place.path("")).expect("a directory").count() == 1, "nothing was written");
}

#[test]
fn openings_by_lot_are_those_of_match() {
    let place = Place::new();
    fastchess(
        &place,
        &format!("{ENGINES} -each nodes=2000 timemargin=20 -rounds 2 -openings file=random:6 -srand 7 -maxmoves 10 -config outname=a.jsonl"),
    )
    .ok();
    let log = text(&place, "a.jsonl");
    assert!(log.contains("\"book\":\"random:6\"") && log.lines().count() == 3, "{log}");
    for (openings, said) in [
        ("file=random:six", "-openings random:six: expected half-moves, as in random:8"),
        ("file=random:6 plies=4", "-openings random:6: expected a file of openings for a number of plies"),
        (
            "file=random:6 -variant fischerandom",
            "-openings random:6: expected a file of openings for a number of plies",
        ),
    ] {
        fastchess(&place, &format!("{ENGINES} -each nodes=2000 -rounds 2 -openings {openings}")).fails(2, &[said]);
    }
    let arms = "match --engine arm=none name=a --engine arm=constant name=b --nodes 9 --pairs 2";
    place
        .say(&format!("{arms} --openings random:6 --plies 4"))
        .fails(2, &["--openings random:6: expected a file of openings"]);
}

#[test]
fn clocks_that_nobody_has_are_not_written() {
    let place = Place::new();
    let line = format!("{ENGINES} -rounds 2 -openings file=book.epd -maxmoves 4 -pgnout file=a.pgn timeleft=true");
    fastchess(&place, &format!("{line} -each nodes=2000")).fails(
        2,
        &["timeleft is what clocks show after each move, and no engine has a clock", "leave out timeleft= of -pgnout"],
    );
    assert!(!place.path("a.pgn").exists());
    fastchess(&place, &format!("{line} -each tc=10+0.1")).ok();
    assert!(text(&place, "a.pgn").contains("tl="));
    let arms =
        "--engine arm=none name=a --engine arm=constant name=b --openings random:4 --pgn-with timeleft --nodes 9";
    let said = ["give --tc, or tc= with an engine, or leave out timeleft of --pgn-with"];
    place.say(&format!("match {arms} --pairs 1")).fails(2, &said);
    place.say(&format!("tournament {arms} --rounds 1")).fails(2, &said);
    place.say("match --selfplay --engine arm=none --openings random:4 --games 1 --nodes 9 --pgn s.pgn --pgn-with timeleft").fails(1, &said);
}

/// What is refused after its outputs were looked at leaves none of them behind.
#[test]
fn a_refused_match_leaves_no_empty_files() {
    let place = Place::new();
    let line = format!(
        "{ENGINES} -each nodes=2000 -rounds 2 -log file=dialogue.log engine=true -pgnout file=a.pgn -epdout file=a.epd"
    );
    fastchess(&place, &format!("{line} -openings file=absent.epd")).fails(1, &["absent.epd"]);
    assert!(!place.path("dialogue.log").exists());
    place.put("a.epd", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n");
    fastchess(&place, &format!("{line} -openings file=book.epd")).fails(
        1,
        &["a.epd holds positions of other games already", "resume the match that has written them, by -resume or"],
    );
    assert!(!place.path("a.pgn").exists(), "the games of no match");
    place.put("b.pgn", "[Event \"x\"]\n\n1. e4 *\n");
    let append = "by -resume or -config file=LOG, or append by -pgnout append=true";
    fastchess(&place, &format!("{} -openings file=book.epd", line.replace("a.pgn", "b.pgn"))).fails(1, &[append]);
    place.put("b.log", "a line");
    let log = line.replace("dialogue.log engine=true", "b.log engine=true append=false");
    fastchess(&place, &format!("{log} -openings file=book.epd")).fails(1, &["append to it, by append=true"]);
    // What was there before stays.
    place.put("dialogue.log", "");
    fastchess(&place, &format!("{line} -openings file=absent.epd")).fails(1, &["absent.epd"]);
    assert!(place.path("dialogue.log").exists());
}

/// The help names options that are known.
#[test]
fn the_help_names_what_is_read() {
    use drawish::fastchess::{CommandLine, CommandLineError};

    let help = Place::new().say("fastchess --help").ok().out();
    let after = help.split_once("Example:").expect("an example").1;
    let is_option =
        |word: &&str| word.strip_prefix('-').is_some_and(|name| name.starts_with(|c: char| c.is_ascii_lowercase()));
    let words = after.split([' ', '\n', ',', '.']).filter(is_option);
    let named: std::collections::BTreeSet<_> = words.collect();
    assert!(named.len() > 25, "{named:?}");
    for option in named {
        let read = CommandLine::read([option.to_owned()]);
        assert!(!matches!(read, Err(CommandLineError::Unknown { .. })), "{option}");
    }
    assert!(matches!(CommandLine::read(["-unheard".to_owned()]), Err(CommandLineError::Unknown { .. })));
}

/// With or without a file for the dialogue with engines.
#[test]
fn each_file_is_one_of_its_own() {
    let place = Place::new();
    let book = "[Event \"book\"]\n[Result \"*\"]\n\n1. e4 e5 *\n\n";
    place.put("book.pgn", book);
    for (openings, more, said) in [
        ("book.pgn", "-pgnout file=book.pgn append=true", "-openings and -pgnout both name book.pgn"),
        ("book.pgn", "-config outname=a.txt -pgnout file=a.txt", "-config and -pgnout both name a.txt"),
        ("book.pgn", "-pgnout file=a.txt -epdout file=./a.txt", "-pgnout and -epdout both name ./a.txt"),
        ("book.pgn", "-pgnout file=a.txt -log file=a.txt engine=true", "-pgnout and -log both name a.txt"),
        // The log has that name where none is named.
        ("book.epd", "-pgnout file=new-old.jsonl", "-config and -pgnout both name new-old.jsonl"),
    ] {
        let line = format!("{ENGINES} -each nodes=2000 -rounds 1 -maxmoves 10 -openings file={openings} {more}");
        fastchess(&place, &line).fails(2, &[said, "each needs a file of its own"]);
        assert_eq!(text(&place, "book.pgn"), book);
        assert!(!place.path("a.txt").exists() && !place.path("new-old.jsonl").exists(), "{more}");
    }
}
