//! What a dialogue may do to the engine: orders at any time, numbers beyond all ranges, broken files, noise. Whatever it is,
//! every `go` has one answer, which is a legal move, and play goes on.

use std::io::Write;
use std::thread;
use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::engine::{Engine, legal};
use crate::run::Place;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const HEADS: &str = include_str!("../tables/pooled.heads.toml");
/// Longer than what is held back takes to come out by mistake.
const A_WHILE: Duration = Duration::from_millis(300);

fn count(said: &[String], beginning: &str) -> usize {
    said.iter().filter(|line| line.starts_with(beginning)).count()
}

/// Nothing beginning so is said for a while.
#[track_caller]
fn silent(engine: &Engine, beginning: &str) {
    thread::sleep(A_WHILE);
    let said: Vec<String> = engine.lines.try_iter().collect();
    assert_eq!(count(&said, beginning), 0, "{said:#?}");
}

/// The engine is well: it is ready, and finds a move in the position that it is given.
#[track_caller]
fn plays_on(engine: &mut Engine) {
    engine.say("isready").until("readyok");
    let best = engine.best("position startpos", "go nodes 500");
    assert!(legal(START, &best), "{best}");
}

#[test]
fn broken_heads_and_tables_leave_the_last_good_ones() {
    let place = Place::new();
    place.put("good.toml", HEADS);
    place.put("half.toml", &HEADS[..HEADS.len() / 2]);
    place.put("empty.toml", "");
    place.put("text.toml", "format = \"table\"\nversion = 1\n");
    place.put("bytes.toml", [0xff, 0xfe, 0, 1]);
    let table = include_bytes!("../tables/human.table");
    place.put("good.table", table);
    place.put("half.table", &table[..table.len() / 2]);
    let mut flipped = table.to_vec();
    flipped[table.len() - 1] ^= 4;
    place.put("flipped.table", flipped);
    place.put("empty.table", "");
    std::fs::create_dir(place.path("folder")).expect("a directory");

    let mut engine = Engine::start_in(place);
    let wrong = |engine: &mut Engine, line: &str, parts: [&str; 2]| {
        let answer = engine.answer(line);
        let one_line = answer.starts_with("info string ") && !answer.contains('\n');
        assert!(one_line && parts.iter().all(|part| answer.contains(part)), "{line:?} -> {answer:?}");
    };
    wrong(&mut engine, "setoption name Arm value gain-head", ["needs heads", "the arm stays none"]);
    wrong(&mut engine, "setoption name Heads value missing.toml", ["missing.toml", "they stay <empty>"]);
    // Said once; the arm that was asked for is taken when it can be.
    assert_eq!(engine.answer("setoption name Contempt value 0"), "");
    assert_eq!(engine.answer("setoption name Heads value good.toml"), "");
    wrong(&mut engine, "setoption name Heads value <empty>", ["needs heads", "stays gain-head"]);
    assert_eq!(engine.answer("setoption name Arm value draw-head"), "");
    wrong(&mut engine, "setoption name Arm value gain-head+table", ["residual", "the arm stays draw-head"]);
    for file in ["missing.toml", "half.toml", "empty.toml", "text.toml", "bytes.toml", "folder"] {
        wrong(&mut engine, &format!("setoption name Heads value {file}"), [file, "they stay good.toml"]);
    }
    wrong(&mut engine, "setoption name Heads value <empty>", ["needs heads", "stays draw-head"]);
    plays_on(&mut engine);

    assert_eq!(engine.answer("setoption name Arm value scale-table"), "");
    assert_eq!(engine.answer("setoption name Table value good.table"), "");
    let eval = |engine: &mut Engine| {
        engine.say("position fen 8/5pk1/4p1p1/7p/3P3P/4PKP1/5P2/8 w - - 0 1");
        engine.answer("eval")
    };
    let before = eval(&mut engine);
    for file in ["missing.table", "half.table", "flipped.table", "empty.table", "folder"] {
        wrong(&mut engine, &format!("setoption name Table value {file}"), [file, "it stays good.table"]);
    }
    assert_eq!(eval(&mut engine), before);
    plays_on(&mut engine);
    engine.end();
}

#[test]
fn noise_is_answered_and_passed_over() {
    let mut engine = Engine::start();
    let input = engine.input.as_mut().expect("open");
    input.write_all(b"\xff\xfe\x00\x80 go\nposition startpos\0\n\0\0\n \t \r\n\n").expect("the engine listens");
    // A line without an end in sight, and one with very many words.
    input.write_all(&vec![b'x'; 1 << 20]).expect("the engine listens");
    input.write_all(b"\nposition fen ").expect("the engine listens");
    input.write_all("8/".repeat(100_000).as_bytes()).expect("the engine listens");
    input.write_all(b"\n\tposition\t startpos  moves \t e2e4 \r\n").expect("the engine listens");
    let said = engine.say("isready").until("readyok").join("\n");
    for part in ["unknown command", "…", "is not a legal position"] {
        assert!(said.contains(part), "{part:?} in {said:?}");
    }
    assert!(said.lines().all(|line| line.starts_with("info string ") || line == "readyok"), "{said}");
    assert!(said.len() < 2000, "the noise is not repeated in full: {} bytes", said.len());
    let after = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    let best = engine.say("go nodes 500").until("bestmove").pop().expect("a line");
    assert!(legal(after, best.split(' ').nth(1).expect("a move")), "{best}");
    // The last line has no end; it counts.
    let input = engine.input.as_mut().expect("open");
    input.write_all(b"go depth 2").expect("the engine listens");
    drop(engine.input.take());
    engine.until("bestmove");
    assert!(engine.child.wait().expect("it ends").success());
}

#[test]
fn illegal_positions_leave_the_last_one() {
    let mut engine = Engine::start();
    let after = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    engine.say("position startpos moves e2e4");
    for fen in [
        "",
        "moves e2e4",
        "w - - 0 1",
        "8/8/8/8/8/8/8/K7 w - - 0 1",
        "kk6/8/8/8/8/8/8/K7 w - - 0 1",
        "8/8/8/8/8/8/8/Kk6 w - - 0 1",
        "P6k/8/8/8/8/8/8/K7 w - - 0 1",
        "7k/8/8/8/8/8/8/K6p w - - 0 1",
        "7k/8/8/8/8/8/8/K7/8 w - - 0 1",
        "7k/8/8/8/8/8/K7 w - - 0 1",
        "7k/8/8/8/8/8/8/K8 w - - 0 1",
        "7k/8/8/8/8/8/8/K7 x - - 0 1",
        "7k/8/8/8/8/8/8/K7 w KQkq - 0 1",
        "7k/8/8/8/8/8/8/K7 w - e3 0 1",
        "7k/8/8/8/8/8/8/K7 w - - zero 1",
        "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/8/7k/K7 w - - 0 1",
        "7k/pppppppp/pppppppp/8/8/8/8/K7 w - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 e2e4",
    ] {
        let answer = engine.answer(&format!("position fen {fen}"));
        let said = "is not a legal position";
        assert!(answer.starts_with("info string position: ") && answer.contains(said), "{fen:?} -> {answer:?}");
        assert!(engine.answer("d").starts_with(&format!("info string position {after}")), "{fen:?}");
    }
    // Counters as great as they may be are no harm.
    for counters in ["4294967295 4294967295", "99999999999999999999 1", "150 1", "99 0"] {
        let fen = format!("8/2k5/8/8/8/4K3/3P4/8 w - - {counters}");
        let best = engine.best(&format!("position fen {fen}"), "go depth 12");
        assert!(legal("8/2k5/8/8/8/4K3/3P4/8 w - - 0 1", &best), "{counters}: {best}");
    }
    engine.end();
}

#[test]
fn illegal_moves_are_named_and_the_rest_is_not_played() {
    let mut engine = Engine::start();
    for (moves, number, fen) in [
        ("e2e5", 1, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq"),
        ("e7e5", 1, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq"),
        ("e2e4 e2e4", 2, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq"),
        ("e2e4 0000", 2, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq"),
        ("e2e4 e7e5 e1g1", 3, "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq"),
        ("e2e4 e7e5 Nf3 b8c6", 3, "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq"),
        ("e2e4q", 1, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq"),
        ("e2e4 e7e5 é2é4 \u{1F600}", 3, "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq"),
    ] {
        let answer = engine.answer(&format!("position startpos moves {moves}"));
        let said = format!("info string position: move {number} of {}, ", moves.split(' ').count());
        assert!(answer.starts_with(&said) && answer.contains("is not legal"), "{moves} -> {answer}");
        assert!(engine.answer("d").contains(fen), "{moves}");
    }
    engine.end();
}

#[test]
fn orders_during_a_search_wait_for_its_end_and_keep_their_order() {
    let mut engine = Engine::start();
    engine.say("setoption name UCI_ShowWDL value false").say("position startpos").say("go infinite");
    for order in ["ucinewgame", "setoption name UCI_ShowWDL value true", "setoption name Hash value 1"] {
        let said = engine.say(order).say("isready").until("readyok");
        assert_eq!(count(&said, "bestmove"), 0, "{order}");
    }
    engine.say("position startpos moves e2e4").say("go depth 4").say("position startpos moves d2d4 d7d5");
    engine.say("go nodes 800").say("setoption name Hash value 0").say("xyzzy").say("stop");
    assert!(legal(START, engine.until("bestmove").last().expect("a line").split(' ').nth(1).expect("a move")));
    let second = engine.until("bestmove");
    assert!(second.iter().any(|line| line.contains(" wdl ")), "the option is set before the search: {second:#?}");
    let after = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    assert!(legal(after, second.last().expect("a line").split(' ').nth(1).expect("a move")));
    let third = engine.until("bestmove");
    let after = "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2";
    assert!(legal(after, third.last().expect("a line").split(' ').nth(1).expect("a move")));
    assert!(engine.answer("d").contains("expected a whole number from 1 to"), "a bad option waits like a good one");
    plays_on(&mut engine);
    engine.end();
}

#[test]
fn a_new_game_forgets_even_when_it_was_ordered_during_a_search() {
    let fresh = Engine::start().say("position startpos").say("go nodes 20000").until("bestmove");
    let mut used = Engine::start();
    used.say("position startpos moves e2e4 c7c5").say("go nodes 30000").say("ucinewgame").say("position startpos");
    used.say("go nodes 20000").until("bestmove");
    let said = used.until("bestmove");
    let scores = |said: &[String]| {
        said.iter().map(|line| line.split(" nps ").next().expect("a part").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(scores(&said), scores(&fresh));
    used.end();
}

#[test]
fn a_storm_of_stops_brings_one_answer_to_each_search() {
    let mut engine = Engine::start();
    for _ in 0..200 {
        engine.say("stop").say("ponderhit");
    }
    engine.say("position startpos");
    for round in 0..60 {
        engine.say(["go infinite", "go ponder wtime 1000 btime 1000", "go depth 3", "go nodes 1"][round % 4]);
        for _ in 0..20 {
            engine.say("stop");
        }
    }
    for _ in 0..60 {
        engine.until("bestmove");
    }
    silent(&engine, "bestmove");
    plays_on(&mut engine);
    engine.end();
}

#[test]
fn an_answer_is_held_back_until_it_is_asked_for() {
    let mut engine = Engine::start();
    let one_move = "position fen k7/8/1K6/8/8/8/8/7R w - - 0 1";
    let stalemate = "position fen k7/2Q5/1K6/8/8/8/8/8 b - - 0 1";
    for position in [one_move, stalemate] {
        engine.say(position).say("go infinite").say("ponderhit");
        silent(&engine, "bestmove");
        engine.say("isready").until("readyok");
        engine.say("stop").until("bestmove");
    }
    for go in ["go ponder depth 2", "go ponder nodes 100", "go ponder movetime 1", "go ponder wtime 1 btime 1"] {
        engine.say(one_move).say(go);
        silent(&engine, "bestmove");
        engine.say("ponderhit").until("bestmove");
        engine.say(go).say("stop").until("bestmove");
    }
    // What was held back is said at the end of the input, and the order that waits for it is obeyed.
    engine.say(stalemate).say("go infinite").say("position startpos").say("go depth 2");
    silent(&engine, "bestmove");
    drop(engine.input.take());
    assert!(engine.until("bestmove").last().is_some_and(|line| line.contains("(none)")));
    assert!(engine.until("bestmove").last().is_some_and(|line| !line.contains("(none)")));
    assert!(engine.child.wait().expect("it ends").success());
}

#[test]
fn the_end_of_the_input_ends_every_search() {
    for last in ["go infinite", "go ponder movetime 5", "go nodes 18446744073709551615", "go depth 99999", "go perft 9"]
    {
        let mut engine = Engine::start();
        engine.say("position startpos").say(last).say("go infinite").say("go depth 1");
        drop(engine.input.take());
        assert!(engine.child.wait().expect("it ends").success(), "{last}");
        let said: Vec<String> = engine.lines.iter().collect();
        assert_eq!(count(&said, "bestmove"), if last.contains("perft") { 2 } else { 3 }, "{last}: {said:#?}");
    }
}

/// Each search after the end of the input has time of its own, and says what it has found.
#[test]
fn searches_that_wait_at_the_end_of_the_input_are_made() {
    let mut engine = Engine::start();
    engine.say("position startpos").say("go ponder movetime 600").say("ponderhit");
    for opening in ["e2e4", "d2d4"] {
        engine
            .say(&format!("position startpos moves {opening}"))
            .say("go movetime 1500")
            .say("go infinite")
            .say("stop");
    }
    drop(engine.input.take());
    let begun = Instant::now();
    assert!(engine.child.wait().expect("it ends").success());
    assert!(begun.elapsed() > Duration::from_millis(2500), "{:?}", begun.elapsed());
    let said: Vec<String> = engine.lines.iter().collect();
    for found in said.split(|line| line.starts_with("bestmove")).take(5) {
        assert!(found.iter().any(|line| line.starts_with("info depth 1 ")), "{found:#?} of {said:#?}");
    }
    assert_eq!(count(&said, "bestmove"), 5);
}

#[test]
fn numbers_beyond_all_ranges_are_cut_to_them() {
    let mut engine = Engine::start();
    let huge = "99999999999999999999999";
    for (i, limit) in ["nodes", "depth", "mate", "movetime", "wtime", "btime", "winc", "movestogo"].iter().enumerate() {
        for number in [huge, "18446744073709551615", "9223372036854775808", "4294967296", "-99999999999999999999"] {
            let others = ["", " wtime 50 btime 50", " winc 18446744073709551615 binc 1"][i % 3];
            engine.say("position startpos").say(&format!("go {limit} {number}{others}")).say("isready").say("stop");
            engine.until("readyok");
            // The answer comes before or after.
            engine.say("position startpos moves e2e4").say("go nodes 200");
            let after = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
            let best = engine.until("bestmove").pop().expect("a line");
            let best = best.split(' ').nth(1).expect("a move").to_owned();
            if legal(START, &best) {
                let next = engine.until("bestmove").pop().expect("a line");
                assert!(legal(after, next.split(' ').nth(1).expect("a move")), "{limit} {number}: {next}");
            } else {
                assert!(legal(after, &best), "{limit} {number}: {best}");
            }
        }
    }
    for option in ["Hash", "Threads", "Move Overhead", "Contempt"] {
        for value in [huge, "-1000000", "1e3", "0x10", "", " ", "١", "5 5"] {
            let answer = engine.answer(&format!("setoption name {option} value {value}"));
            assert!(answer.starts_with("info string option ") && answer.contains("it stays"), "{option}: {answer:?}");
        }
    }
    plays_on(&mut engine);
    engine.end();
}

#[test]
fn long_games_and_deep_lines_overflow_nothing() {
    let mut engine = Engine::start();
    // 2,000 plies in which nothing happens: the fifty moves were over long ago, but who is asked answers.
    let game = " g1f3 g8f6 f3g1 f6g8".repeat(500);
    for go in ["go nodes 3000", "go depth 8", "go depth 4294967295 nodes 20000"] {
        let best = engine.best(&format!("position startpos moves{game}"), go);
        assert!(legal(START, &best), "{go}: {best}");
    }
    // Blocked pawns and kings that wander: iterations are cheap and run to the greatest depth.
    let blocked = "7k/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/8/K7 w - - 0 1";
    let said = engine.say(&format!("position fen {blocked}")).say("go depth 1000000").until("bestmove");
    let depth = said.iter().rev().find_map(|line| line.strip_prefix("info depth ")?.split(' ').next()?.parse().ok());
    assert_eq!(depth, Some(drawish::search::MAX_DEPTH));
    plays_on(&mut engine);
    engine.end();
}

/// Orders, good and bad, at random and without waiting for answers.
#[test]
fn any_dialogue_leaves_an_engine_that_plays() {
    const ORDERS: &[&str] = &[
        "uci",
        "isready",
        "ucinewgame",
        "stop",
        "ponderhit",
        "d",
        "eval",
        "debug on",
        "register later",
        "",
        "position startpos",
        "position startpos moves e2e4 e7e5 g1f3",
        "position startpos moves e2e4 e2e4",
        "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "position fen 8/8/8/8/8/5k2/5p2/5K2 w - - 98 1",
        "position fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        "position fen nonsense",
        "position",
        "setoption name Hash value 2",
        "setoption name Hash value -2",
        "setoption name Clear Hash",
        "setoption name Arm value scale-table",
        "setoption name Arm value draw-table",
        "setoption name Arm value none",
        "setoption name Arm value gain-head",
        "setoption name Contempt value 20",
        "setoption name Contempt value 2000",
        "setoption name UCI_Chess960 value true",
        "setoption name UCI_Chess960 value false",
        "setoption name UCI_ShowWDL value true",
        "setoption name Table value tcec",
        "setoption name Table value nowhere",
        "setoption value",
        "go perft 2",
        "go perft x",
        "\u{1b}[A garbage",
        "go",
        "go nodes 500",
        "go nodes 0 depth 0",
        "go depth 3",
        "go depth 255 movetime 20",
        "go movetime 10",
        "go wtime 100 btime 100 winc 1 binc 1",
        "go wtime 0 btime 0 movestogo 1",
        "go infinite",
        "go ponder wtime 100 btime 100",
        "go mate 2 nodes 1000",
        "go searchmoves e2e4 a1a8 depth 2",
        "go nodes x",
    ];
    for seed in 0..8 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut engine = Engine::start();
        let mut searches = 0;
        for _ in 0..300 {
            let order = ORDERS[random.random_range(0..ORDERS.len())];
            searches += usize::from(order.starts_with("go") && !order.starts_with("go perft"));
            engine.say(order);
            if order.starts_with("go") {
                // Searches without a limit would let all that follows wait.
                thread::sleep(Duration::from_millis(random.random_range(0..3)));
                engine.say("stop");
            }
        }
        engine.say("setoption name UCI_Chess960 value false").say("position startpos").say("isready");
        // One of the orders was isready, too: its answers may still be on their way.
        let mut said = engine.until("readyok");
        while count(&said, "bestmove") < searches {
            said.extend(engine.until("bestmove"));
        }
        plays_on(&mut engine);
        engine.end();
    }
}
