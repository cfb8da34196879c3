//! What match runners have taught people to type, and what games say of themselves.

use drawish::arena::Logged;
use drawish::pgn::{EvalValue, eval_in_comment};
use drawish::wdl::Speed;

use crate::fake_engine::{VARIABLE, engine};
use crate::run::{Done, Place};

const BOOK: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n\
                    rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\n4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1\n";

fn play(place: &Place, more: &str) -> Done {
    place.put("book.epd", BOOK);
    let words = engine("plays", "first").into_iter().chain(engine("plays_otherwise", "second"));
    let more = format!("-j 2 --max-moves 20 {more}");
    let more = more.split_whitespace().map(str::to_owned);
    let all: Vec<String> = std::iter::once("match".to_owned()).chain(words).chain(more).collect();
    Done(place.command(all).env(VARIABLE, "1").output().expect("the program runs"))
}

fn text(place: &Place, name: &str) -> String {
    String::from_utf8(place.read(name)).expect("text")
}

/// The values of a tag, in the order of the games.
fn values<'a>(pgn: &'a str, tag: &str) -> Vec<&'a str> {
    let begin = format!("[{tag} \"");
    pgn.lines().filter_map(|line| line.strip_prefix(&begin)?.strip_suffix("\"]")).collect()
}

#[test]
fn the_fields_spellings_are_those_of_match() {
    let place = Place::new();
    let usual = "--openings book.epd --seed 1 --movetime 0.5 --resign moves=3 score=600 --draw from=34 moves=8 score=20 --pairs 2 \
                 --date 2026.11.22 --log a.jsonl";
    let field = "--openings file=book.epd format=epd order=random --seed 1 --each st=0.5 proto=uci restart=off --resign movecount=3 \
                 score=600 twosided=false --draw movenumber=34 movecount=8 score=20 --rounds 2 --games 2 --repeat --date 2026.11.22 \
                 --log b.jsonl";
    play(&place, usual).ok();
    play(&place, field).ok();
    let first = |name| text(&place, name).lines().next().map(str::to_owned);
    assert_eq!(first("a.jsonl"), first("b.jsonl"));
    for (tc, limits) in
        [("0:10+0.1", "10+0.1"), ("40/1:00", "40/60"), ("inf", "2000 nodes"), ("infinite", "2000 nodes")]
    {
        play(&place, &format!("--openings book.epd --each tc={tc} --nodes 2000 --rounds 1 --pgn x.pgn")).ok();
        let pgn = text(&place, "x.pgn");
        std::fs::remove_file(place.path("x.pgn")).expect("games");
        assert_eq!(values(&pgn, "WhiteTimeControl"), [limits; 2], "{tc}");
    }
    for (wrong, said) in [
        (
            "--openings book.epd --nodes 9 --rounds 2 --games 4",
            "--games 4 with --rounds: every opening is played twice",
        ),
        (
            "--openings book.epd --nodes 9 --each proto=xboard",
            "proto=xboard: expected proto=uci: only engines that speak UCI",
        ),
        ("--openings book.epd --nodes 9 --each restart=maybe", "expected restart=on or restart=off"),
        ("--openings book.epd --nodes 9 --each timemargin=50", "--time-margin MS"),
        ("--openings file=book.epd order=shuffled --nodes 9", "--openings order=shuffled: expected one file"),
        ("--openings file=book.epd start=0 --nodes 9", "--openings start=0: expected"),
        ("--openings book.epd other.epd --nodes 9", "--openings other.epd: expected one file"),
        ("--openings order=random --nodes 9", "--openings names no file"),
        ("--openings book.epd --nodes 9 --resign twosided=perhaps", "twosided=perhaps: expected true or false"),
        ("--openings book.epd --tc inf", "nothing limits the thinking of first"),
        ("--openings book.epd --nodes 9 --date yesterday", "--date yesterday: expected a day"),
    ] {
        play(&place, wrong).fails(2, &[said]);
    }
}

#[test]
fn openings_in_the_order_of_the_book() {
    let place = Place::new();
    let fens = |more: &str| {
        play(
            &place,
            &format!("--openings book.epd --seed 3 --nodes 2000 {more} --log {}.jsonl --pgn x.pgn", more.len()),
        )
        .ok();
        let pgn = text(&place, "x.pgn");
        std::fs::remove_file(place.path("x.pgn")).expect("games");
        values(&pgn, "FEN").into_iter().step_by(2).map(|fen| fen[..8].to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(fens("--order sequential"), ["4k3/8/8/", "rnbqkbnr", "rnbqkbnr", "4k3/4p3/"]);
    let from = ["4k3/4p3/", "4k3/8/8/", "rnbqkbnr", "rnbqkbnr"];
    assert_eq!(fens("--order sequential --start 4"), from);
    // The same in the words of match runners; a place beyond the book begins with it again.
    let more = "--openings file=book.epd order=sequential start=8 plies=4 format=epd --seed 3 --nodes 2000 --pgn y.pgn";
    let said = play(&place, more).ok().err();
    assert!(
        said.contains("number 8, and the book has 4 without duplicates: it begins again, here with number 4"),
        "{said}"
    );
    assert_eq!(values(&text(&place, "y.pgn"), "FEN")[0][..8], *from[0]);
    // Another order is another match.
    let log = format!("{}.jsonl", "--order sequential".len());
    play(&place, &format!("--openings book.epd --seed 3 --nodes 2000 --log {log} --resume"))
        .fails(1, &["order was \"sequential\", now it is null"]);
    play(
        &place,
        &format!("--openings book.epd --seed 3 --nodes 2000 --order sequential --start 2 --log {log} --resume"),
    )
    .fails(1, &["passed_over was null, now it is 1"]);
}

#[test]
fn games_say_what_was_played_and_are_found_again() {
    let place = Place::new();
    let more = "--openings book.epd --order sequential --seed 1 --tc 1:00+0.5 --event Trial --site here --log a.jsonl --pgn a.pgn";
    play(&place, more).ok();
    let pgn = text(&place, "a.pgn");
    for (tag, value) in [
        ("Event", "Trial"),
        ("Site", "here"),
        ("TimeControl", "60+0.5"),
        ("EngineWhiteName", "fake"),
        ("EngineBlackName", "fake"),
    ] {
        assert_eq!(values(&pgn, tag), [value; 8], "{tag}");
    }
    let dates = values(&pgn, "Date");
    assert!(dates.iter().all(|date| date.len() == 10 && date.starts_with("20") && date == &dates[0]), "{dates:?}");
    assert_eq!(values(&pgn, "Round")[..3], ["1.1", "1.2", "2.1"]);
    assert!(pgn.contains("/3 0.00") && pgn.contains("s, n=1234, sd=5}"), "{pgn}");
    // The filters of this program find these games by their tags.
    let collected = |pattern: &str| {
        let args = [
            "collect",
            "a.pgn",
            "-o",
            "a.counts",
            "--fen-starts",
            "--min-moves",
            "0",
            "--at",
            "3",
            "--json",
            "--time-control",
        ];
        place.run(args.into_iter().chain([pattern])).json()
    };
    let found = collected(r"60\+0\.5");
    assert_eq!((found["games"].as_u64(), found["skipped"]["time-control"].as_u64()), (Some(8), Some(0)), "{found}");
    assert_eq!(collected(r"8\+0\.08")["skipped"]["time-control"].as_u64(), Some(8));
    // Written as in the tag, it is no regular expression: `0+0` would be one or more zeros, and `60+0` a time with anything behind it.
    for (text, skipped) in [("60+0.5", 0), ("60+0", 8), ("0+0.5", 8)] {
        assert_eq!(collected(text)["skipped"]["time-control"].as_u64(), Some(skipped), "{text}");
    }
    // 60 + 40 * 0.5 seconds are of the third class, 40 * 0.5 of the second; limits that are no time are of none.
    assert_eq!(Speed::of_tag(values(&pgn, "TimeControl")[0].as_bytes()).class(), 3);
    for (limit, tag, class) in [("--st 0.5", "0.5/move", 2), ("--nodes 2000", "-", 0), ("--depth 3", "-", 0)] {
        play(&place, &format!("--openings book.epd --rounds 1 --pgn x.pgn {limit}")).ok();
        let pgn = text(&place, "x.pgn");
        std::fs::remove_file(place.path("x.pgn")).expect("games");
        assert_eq!(values(&pgn, "TimeControl"), [tag; 2]);
        assert_eq!(Speed::of_tag(tag.as_bytes()).class(), class, "{tag}");
    }
    let log = text(&place, "a.jsonl");
    assert!(
        log.starts_with(&format!("{{\"format\":3,\"date\":\"{}\",\"engines\":[\"fake\",\"fake\"],\"sides\"", dates[0])),
        "{log}"
    );
}

/// The opening of a book, and nodes per second where they are asked for, come back from log and PGN.
#[test]
fn games_name_their_opening_and_the_speed() {
    let place = Place::new();
    let book = "[ECO \"C60\"]\n[Opening \"Ruy \\\"Lopez\\\"\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n\n\
                [ECO \"?\"]\n[Opening \"\"]\n\n1. d4 d5 *\n";
    place.put("book.pgn", book);
    let with = |files: &str, more: &str| {
        play(&place, &format!("--openings book.pgn --order sequential --seed 1 --nodes 2000 {files} {more}")).ok();
    };
    with("--log a.jsonl --pgn a.pgn", "--pgn-with nps");
    let pgn = text(&place, "a.pgn");
    assert_eq!(values(&pgn, "ECO"), ["C60", "C60"], "{pgn}");
    assert_eq!(values(&pgn, "Opening"), [r#"Ruy \"Lopez\""#; 2]);
    assert!(pgn.contains("{+0.32/3, n=1234, sd=5, nps=45000}"), "{pgn}");
    let eval = eval_in_comment(b"+0.32/3, n=1234, sd=5, nps=45000").expect("an evaluation");
    assert_eq!((eval.value, eval.depth), (EvalValue::Centipawns(32), Some(3)));
    let counted = place.say("collect a.pgn -o a.counts --min-moves 0 --at 6 --replay --json").ok().json();
    assert_eq!((&counted["games"], &counted["skipped"]["illegal-move"]), (&4.into(), &0.into()));
    let logged = Logged::read(&place.read("a.jsonl")).expect("a log");
    let [first, second] = &logged.pairs[..] else { panic!("{} pairs", logged.pairs.len()) };
    assert_eq!((first.eco.as_deref(), first.opening.as_deref()), (Some("C60"), Some("Ruy \"Lopez\"")));
    assert_eq!((&second.eco, &second.opening), (&None, &None));
    // After a cut the name may be that of what was not played; and speeds stand only where they are asked for.
    with("--log b.jsonl --pgn b.pgn", "--plies 4");
    assert_eq!((values(&text(&place, "b.pgn"), "ECO").len(), text(&place, "b.pgn").contains("nps=")), (0, false));
    // Of our own arm, too; and games of self-play.
    place
        .say("match --selfplay --engine arm=none --openings book.pgn --nodes 3000 --max-moves 4 --pgn-with nps --pgn c.pgn")
        .ok();
    let own = text(&place, "c.pgn");
    assert_eq!((values(&own, "ECO").len(), own.contains(", nps=")), (1, true), "{own}");
}

/// All figures of a search, and the clock, come back from the log; games with them are read as others are.
#[test]
fn games_have_the_figures_that_are_asked_for() {
    let place = Place::new();
    let more = "--openings book.epd --order sequential --seed 1 --tc 1:00+0.5 --pgn-with nps,hashfull,tbhits --pgn-with timeleft,latency";
    play(&place, &format!("{more} --log a.jsonl --pgn a.pgn")).ok();
    let (log, pgn) = (text(&place, "a.jsonl"), text(&place, "a.pgn"));
    let comments: Vec<String> = pgn
        .replace('\n', " ")
        .split('{')
        .skip(1)
        .map(|rest| rest.split('}').next().expect("an end").to_owned())
        .collect();
    let number = |comment: &str, before: &str, after: &str| -> f64 {
        let found = comment.split_once(before).and_then(|(_, rest)| rest.split_once(after));
        found.and_then(|(number, _)| number.parse().ok()).unwrap_or_else(|| panic!("{before} in {comment}"))
    };
    for comment in &comments {
        assert!(comment.contains("s, n=1234, sd=5, nps=45000, hashfull=12, tbhits=3"), "{comment}");
        let eval = eval_in_comment(comment.as_bytes()).unwrap_or_else(|| panic!("{comment}"));
        assert_eq!(eval.depth, Some(3), "{comment}");
        // The engine says that it has searched for a millisecond.
        let (time, latency) = (number(comment, "/3 ", "s"), number(comment, "latency=", "s"));
        assert!((time - 0.001 - latency).abs() < 0.0015 || (time < 0.001 && latency == 0.0), "{comment}");
    }
    // What White has after its first move, its increment added.
    let first = &comments[0];
    assert!((60.5 - number(first, "/3 ", "s") - number(first, "tl=", "s")).abs() < 0.0015, "{first}");
    let lines: Vec<&str> = log.split_inclusive('\n').collect();
    place.put("a.jsonl", lines[..3].concat());
    place.put("a.pgn", pgn.split_inclusive("[Event ").take(6).collect::<String>());
    play(&place, &format!("{more} --log a.jsonl --pgn a.pgn --resume")).ok();
    let shared = lines[..3].concat();
    assert!(text(&place, "a.jsonl").starts_with(&shared));
    let kept = pgn.match_indices("[Event ").nth(4).expect("a fifth game").0;
    assert!(text(&place, "a.pgn").starts_with(&pgn[..kept]), "games of the log are those that were written");
    // Only what is asked for is written.
    play(&place, "--openings book.epd --seed 1 --nodes 2000 --pgn-with tbhits --log b.jsonl --pgn b.pgn").ok();
    assert!(text(&place, "b.pgn").contains("/3, n=1234, sd=5, tbhits=3}"), "{}", text(&place, "b.pgn"));
    play(&place, "--openings book.epd --nodes 9 --pgn c.pgn --pgn-with nps,speed")
        .fails(2, &["'speed'", "expected nps, hashfull, tbhits, timeleft or latency"]);
    // Every position has an evaluation for who counts them.
    for pgn in ["a.pgn", "b.pgn"] {
        let counted = place.run(["wdl", "collect", pgn, "-o", &format!("{pgn}.wdl"), "--json"]).ok().json();
        let (halves, positions) = (counted["half_moves"].as_u64(), counted["positions"].as_u64());
        assert!(halves == positions && positions > Some(100), "{counted}");
    }
}

/// Brief games have the same moves and results as whole ones, for those who read them and for who judges the match.
#[test]
fn brief_games_are_the_same_games() {
    let place = Place::new();
    let book = "[ECO \"C60\"]\n[Opening \"Ruy Lopez\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n\n\
                [FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 1\"]\n\n1... Kd7 *\n";
    place.put("book.pgn", book);
    let more = "--openings book.pgn --seed 1 --nodes 2000 --date 2026.11.22";
    play(&place, &format!("{more} --log a.jsonl --pgn whole.pgn")).ok();
    play(&place, &format!("{more} --log b.jsonl --pgn brief.pgn --pgn-min")).ok();
    assert_eq!(text(&place, "a.jsonl"), text(&place, "b.jsonl"));
    let brief = text(&place, "brief.pgn");
    let tags: std::collections::BTreeSet<&str> =
        brief.lines().filter_map(|line| line.strip_prefix('[')?.split(' ').next()).collect();
    let seven = ["Black", "Date", "Event", "FEN", "Result", "Round", "SetUp", "Site", "White"];
    assert_eq!((tags.into_iter().collect::<Vec<_>>(), brief.contains('{')), (seven.to_vec(), false), "{brief}");
    let judged = |pgn: &str| {
        let said = place.run(["sprt", pgn, "--json"]).ok().out();
        said.replace(pgn, "")
    };
    assert_eq!(judged("whole.pgn"), judged("brief.pgn"));
    let counted = |pgn: &str| {
        let args = ["collect", pgn, "-o", "x.counts", "--fen-starts", "--min-moves", "0", "--at", "6", "--json"];
        let said = place.run(args).ok().json();
        (said["games"].clone(), said["sampled"].clone(), said["skipped"].clone())
    };
    assert_eq!(counted("whole.pgn"), counted("brief.pgn"));
    // Killed anywhere, they become the same again.
    let log = text(&place, "b.jsonl");
    place.put("b.jsonl", log.split_inclusive('\n').take(2).collect::<String>());
    place.put("brief.pgn", &brief[..brief.len() / 2 + 9]);
    play(&place, &format!("{more} --log b.jsonl --pgn brief.pgn --pgn-min --resume")).ok();
    assert_eq!((text(&place, "b.jsonl"), text(&place, "brief.pgn")), (log, brief));
}

/// Games of other matches stay as they are, before and after an interruption at any place.
#[test]
fn games_are_appended_to_those_of_other_matches() {
    let place = Place::new();
    let more = |seed: u32, log: &str| {
        format!(
            "--openings book.epd --seed {seed} --nodes 2000 --event Trial --date 2026.11.22 --log {log} --pgn all.pgn --pgn-append"
        )
    };
    play(&place, &more(1, "a.jsonl")).ok();
    let first = text(&place, "all.pgn");
    play(&place, &more(2, "b.jsonl")).ok();
    let both = text(&place, "all.pgn");
    let log = text(&place, "b.jsonl");
    assert!(both.starts_with(&first) && values(&both, "Round").len() == 16, "{both}");
    let lines: Vec<&str> = log.split_inclusive('\n').collect();
    let games: Vec<usize> = both.match_indices("[Event ").map(|(at, _)| at).chain([both.len()]).collect();
    // (lines of the log, games of the file): a killed run has written a pair more than its log has, or a part of it; or the
    // system has lost a part of the file.
    for (whole, cut) in [
        (1, games[8]),
        (1, games[9]),
        (1, games[10]),
        (2, games[12]),
        (3, games[13] + 30),
        (3, games[10] + 5),
        (5, games[16]),
    ] {
        place.put("b.jsonl", lines[..whole].concat());
        place.put("all.pgn", &both[..cut]);
        play(&place, &format!("{} --resume", more(2, "b.jsonl"))).ok();
        assert!(text(&place, "b.jsonl") == log && text(&place, "all.pgn") == both, "{whole} {cut}");
    }
    // The same match again is behind its first games, and what is resumed is the second.
    play(&place, &more(2, "c.jsonl")).ok();
    let thrice = text(&place, "all.pgn");
    assert!(thrice.len() > both.len() && thrice.starts_with(&both) && thrice.ends_with(&both[first.len()..]));
    place.put("c.jsonl", lines[..2].concat());
    play(&place, &format!("{} --resume", more(2, "c.jsonl"))).fails(1, &["all.pgn holds other games already"]);
    place.put("all.pgn", &thrice[..both.len() + games[10] - games[8]]);
    play(&place, &format!("{} --resume", more(2, "c.jsonl"))).ok();
    assert_eq!(text(&place, "all.pgn"), thrice);
    // Games of other programs may lack the empty line at their end. What is no PGN is left alone.
    for (end, gap) in [("", "\n\n"), ("\n", "\n"), ("\n\n", "")] {
        let other = format!("[Event \"other\"]\n\n1. e4 *{end}");
        place.put("all.pgn", &other);
        let log = format!("d{}.jsonl", end.len());
        play(&place, &more(2, &log)).ok();
        assert!(text(&place, "all.pgn") == format!("{other}{gap}{}", &both[first.len()..]), "{end:?}");
    }
    place.put("all.pgn", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n");
    play(&place, &more(2, "e.jsonl")).fails(1, &["all.pgn: expected games as PGN to append to"]);
    play(&place, "--openings book.epd --nodes 9 --pgn-append").fails(2, &["--pgn <FILE>"]);
    place.put("there.pgn", "[Event \"x\"]\n\n1. e4 *\n");
    place
        .say(
            "match --selfplay --engine arm=none --openings random:4 --games 2 --nodes 20 --max-moves 4 --pgn there.pgn",
        )
        .fails(1, &["choose another file for the games, or append to it, by --pgn-append"]);
    place
        .say("match --selfplay --engine arm=none --openings random:4 --games 2 --nodes 20 --max-moves 4 --pgn s.pgn")
        .ok();
    let before = text(&place, "s.pgn");
    place
        .say("match --selfplay --engine arm=none --openings random:4 --games 2 --nodes 20 --max-moves 4 --pgn s.pgn --pgn-append")
        .ok();
    let after = text(&place, "s.pgn");
    assert!(after.starts_with(&before) && values(&after, "Round").len() == 4);
}

#[test]
fn the_date_is_that_of_the_log() {
    let place = Place::new();
    let more = "--openings book.epd --seed 1 --nodes 2000 --log a.jsonl --pgn a.pgn";
    play(&place, &format!("{more} --date 1999.12.31")).ok();
    let (log, pgn) = (text(&place, "a.jsonl"), text(&place, "a.pgn"));
    assert_eq!(values(&pgn, "Date"), ["1999.12.31"; 8]);
    // Cut off anywhere, log and games become the same again on another day, the first line apart, which is written anew.
    let lines: Vec<&str> = log.split_inclusive('\n').collect();
    for (whole, games) in [(1, pgn.len() / 5), (3, pgn.len() / 2)] {
        place.put("a.jsonl", lines[..whole].concat() + &lines[whole][..9]);
        place.put("a.pgn", &pgn[..games]);
        play(&place, &format!("{more} --resume")).ok();
        assert!(text(&place, "a.jsonl") == log && text(&place, "a.pgn") == pgn, "{whole}");
    }
    place.put("a.jsonl", &log[..40]);
    place.put("a.pgn", "");
    play(&place, &format!("{more} --resume --date 2000.01.01")).ok();
    assert_eq!(values(&text(&place, "a.pgn"), "Date"), ["2000.01.01"; 8]);
    // Arms play the same on any day.
    let arms = "match --engine arm=none name=a nodes=50 --engine arm=none name=b nodes=60 --openings random:4 --seed 1 --pairs 1";
    place.say(&format!("{arms} --max-moves 20 --log arms.jsonl --pgn arms.pgn")).ok();
    assert_eq!(values(&text(&place, "arms.pgn"), "Date"), ["????.??.??"; 2]);
    assert!(text(&place, "arms.jsonl").starts_with("{\"format\":3,\"sides\""));
}

/// Final positions are those of the games, and the same again after an interruption.
#[test]
fn final_positions_are_written() {
    let place = Place::new();
    let more = "--openings book.epd --seed 1 --nodes 2000 --log a.jsonl --epd a.epd --date 2026.11.22";
    play(&place, more).ok();
    let (log, positions) = (text(&place, "a.jsonl"), text(&place, "a.epd"));
    assert_eq!(positions.lines().count(), 8);
    for (line, pair) in
        positions.lines().zip(Logged::read(log.as_bytes()).expect("a log").pairs.iter().flat_map(|pair| [pair; 2]))
    {
        // Twenty moves of each side have been played, or the game was over.
        let moves: u32 = line.split(' ').nth(5).and_then(|number| number.parse().ok()).expect("a FEN");
        let most = pair.games.iter().map(|game| game.plies()).max().expect("games") as u32;
        assert!(moves <= 1 + most.div_ceil(2), "{line}");
    }
    let lines: Vec<&str> = log.split_inclusive('\n').collect();
    for whole in [1, 3] {
        place.put("a.jsonl", lines[..=whole].concat());
        // A killed run has written the positions of one pair more than its log has, if not more.
        place.put("a.epd", positions.split_inclusive('\n').take(2 * whole + 1).collect::<String>());
        play(&place, &format!("{more} --resume")).ok();
        assert!(text(&place, "a.jsonl") == log && text(&place, "a.epd") == positions, "{whole}");
    }
    // Before the first pair nothing says whose a line is.
    for (begun, held) in [(true, "a list\nof mine\n"), (false, "a list\nof mine\n"), (true, "mine")] {
        place.put("a.jsonl", if begun { lines[0] } else { "" });
        place.put("a.epd", held);
        play(&place, &format!("{more} --resume")).fails(1, &["a.epd holds other lines already"]);
        assert_eq!(text(&place, "a.epd"), held);
    }
    play(&place, &more.replace("a.jsonl", "b.jsonl"))
        .fails(1, &["a.epd holds positions of other games already", "by --resume"]);
    play(&place, &more.replace("a.epd", "a.jsonl")).fails(2, &["--log and --epd both name a.jsonl"]);
}

#[test]
fn a_resumed_match_does_not_write_over_the_games_of_another() {
    let place = Place::new();
    let more = "--openings book.epd --nodes 2000 --event Trial";
    play(&place, &format!("{more} --seed 1 --log a.jsonl --pgn a.pgn")).ok();
    play(&place, &format!("{more} --seed 2 --log b.jsonl")).ok();
    let games = text(&place, "a.pgn");
    for log in ["b.jsonl", "new.jsonl"] {
        play(&place, &format!("{more} --seed 2 --log {log} --resume --pgn a.pgn"))
            .fails(1, &["a.pgn holds other games already", "by --pgn"]);
        assert!(text(&place, "a.pgn") == games);
    }
    // A single game of other sides, from another opening or of another round.
    let first = games.split_inclusive("[Event ").take(2).collect::<String>();
    let first = first.strip_suffix("[Event ").expect("a game");
    let fen = first.lines().find(|line| line.starts_with("[FEN ")).expect("a FEN");
    let other = "[FEN \"4k3/8/8/8/8/8/3P4/4K3 w - - 0 1\"]";
    for game in
        [first.replace("[White \"", "[White \"x"), first.replace(fen, other), first.replace("\"1.1\"", "\"1.2\"")]
    {
        assert!(game != first);
        place.put("one.pgn", game.clone());
        play(&place, &format!("{more} --seed 1 --log one.jsonl --resume --pgn one.pgn"))
            .fails(1, &["one.pgn holds other games already", "by --pgn"]);
        assert!(text(&place, "one.pgn") == game);
    }
    place.put("one.pgn", first);
    play(&place, &format!("{more} --seed 1 --log one.jsonl --resume --pgn one.pgn")).ok();
    assert!(text(&place, "one.pgn") == games);
}

#[test]
fn ranges_are_merged_to_the_log_of_one_run() {
    let place = Place::new();
    let words = "match --engine arm=draw-table table=rival name=table --engine arm=none name=plain --each hash=1 --openings random:6 \
                 --seed 3 --nodes 50 --pairs 5 -q";
    let run = |more: &str| place.say(&format!("{words} {more}"));
    run("--log whole.jsonl").ok();
    run("--range 1..2 --log a.jsonl").ok();
    run("--range 3..5 --log b.jsonl").ok();
    assert!(text(&place, "b.jsonl").lines().next().is_some_and(|line| line.contains("\"first_pair\":3")));
    let said = place.say("merge b.jsonl a.jsonl -o merged.jsonl").ok().out();
    assert!(said.starts_with("table vs plain: 5 pairs\nElo: "), "{said}");
    assert_eq!(text(&place, "merged.jsonl"), text(&place, "whole.jsonl"));
    // Beside a test that is decided Elo and its relatives are too far from zero, which is said here as by the match itself.
    let as_if = "Elo, nElo and LOS above are as if the number of games had been fixed.";
    let own = run("--log stopped.jsonl --sprt elo0=0 elo1=190 alpha=0.4 beta=0.4").fails(3, &[]).out();
    let merged = place.say("merge stopped.jsonl -o again.jsonl").ok().out();
    for said in [own, merged] {
        assert!(said.contains(" is accepted: ") && said.contains("Elo, corrected for the stop: "), "{said}");
        assert!(said.contains(as_if), "{said}");
    }
    // What is there already is no harm, and what is missing is named.
    place.say("merge a.jsonl -o merged.jsonl").ok();
    assert_eq!(text(&place, "merged.jsonl"), text(&place, "whole.jsonl"));
    place.say("merge b.jsonl -o gap.jsonl").fails(1, &["expected pair 1, found pairs from 3"]);
    run("--range 4..6 --log c.jsonl").fails(1, &["pairs 4 to 6 are asked for, but the match has pairs 1 to 5"]);
    run("--range 4 --log c.jsonl").fails(2, &["expected the numbers of two pairs, as in 101..200"]);
    run("--range 4..5 --log c.jsonl --sprt elo0=0 elo1=5").fails(2, &["--sprt"]);
}

/// A match of the same engines from the same book and seed names the same event, but has games of its own.
#[test]
fn a_resumed_match_does_not_replace_more_games_than_a_killed_one_leaves() {
    let place = Place::new();
    let usual = "--openings book.epd --seed 1 --date 2026.11.22";
    play(&place, &format!("{usual} --nodes 2000 --log a.jsonl --pgn a.pgn")).ok();
    let (log, games) = (text(&place, "a.jsonl"), text(&place, "a.pgn"));
    // Another match, the same one without its log, and with a log of its first pair alone.
    place.put("one.jsonl", log.split_inclusive('\n').take(2).collect::<String>());
    for (more, others) in
        [("--nodes 3000 --log b.jsonl", 8), ("--nodes 2000 --log c.jsonl", 8), ("--nodes 2000 --log one.jsonl", 6)]
    {
        let said = format!("a.pgn holds {others} games more than the log has, which would be lost; move it away");
        play(&place, &format!("{usual} {more} --resume --pgn a.pgn")).fails(1, &[&said, "by --pgn"]);
        assert!(text(&place, "a.pgn") == games, "{more}");
    }
    // A killed run has written a pair more than its log has.
    place.put("three.jsonl", log.split_inclusive('\n').take(4).collect::<String>());
    play(&place, &format!("{usual} --nodes 2000 --log three.jsonl --resume --pgn a.pgn")).ok();
    assert!(text(&place, "a.pgn") == games && text(&place, "three.jsonl") == log);
}

/// Who looked what such a file holds already would wait for ever, or read until no memory is left.
#[cfg(target_os = "linux")]
#[test]
fn games_and_logs_go_into_pipes() {
    let place = Place::new();
    let usual = "--openings book.epd --nodes 2000 --pairs 2 --seed 1 -q --date 2026.11.22";
    play(&place, &format!("{usual} --log a.jsonl --pgn a.pgn --epd a.epd")).ok();
    for (option, file) in [("--pgn", "a.pgn"), ("--epd", "a.epd"), ("--log", "a.jsonl")] {
        let log = if option == "--log" { "" } else { "--no-log" };
        let out = play(&place, &format!("{usual} {log} {option} /dev/stdout")).ok().out();
        assert!(out.contains(&text(&place, file)), "{option}: {out}");
    }
    play(&place, &format!("{usual} --no-log --pgn /dev/full"))
        .fails(1, &["/dev/full cannot be written", "No space left"]);
    // As a whole again: a pipe holds no games of an earlier run.
    let again = play(&place, &format!("{usual} --log a.jsonl --resume --pgn /dev/stdout")).ok().out();
    assert!(again.contains(&text(&place, "a.pgn")), "{again}");
    let arms = "--engine arm=none name=a nodes=30 hash=1 --engine arm=none name=b nodes=20 hash=1";
    let out = place.say(&format!("tournament {arms} --openings random:4 --rounds 1 -q --log /dev/stdout")).ok().out();
    assert!(out.contains("{\"tournament\":1,") && out.contains("\"pair\":1,"), "{out}");
}
