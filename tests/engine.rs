//! `drawish uci` and `drawish bench` as a GUI, a match runner and a careless user meet them.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use drawish_core::{Board, Centipawns, Heads};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess};

use crate::run::Place;

/// Longer than any answer takes on a machine that is busy with much else: only an engine that hangs takes so long.
const LIMIT: Duration = Duration::from_secs(300);

/// The engine as a process, and what it says.
pub struct Engine {
    pub child: Child,
    pub input: Option<ChildStdin>,
    pub lines: Receiver<String>,
    _place: Place,
}

impl Engine {
    pub fn start() -> Engine {
        Engine::start_in(Place::new())
    }

    pub fn start_in(place: Place) -> Engine {
        let mut command = place.command(["uci"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program runs");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        let (sender, lines) = channel();
        thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Engine { input: child.stdin.take(), child, lines, _place: place }
    }

    pub fn say(&mut self, line: &str) -> &mut Engine {
        let input = self.input.as_mut().expect("not closed");
        input.write_all(format!("{line}\n").as_bytes()).expect("the engine listens");
        self
    }

    /// All lines up to the first that begins so, which is the last of them.
    #[track_caller]
    pub fn until(&mut self, beginning: &str) -> Vec<String> {
        let mut said = Vec::new();
        loop {
            match self.lines.recv_timeout(LIMIT) {
                Ok(line) => said.push(line),
                Err(error) => panic!("waiting for {beginning:?} ({error}) after {said:#?}"),
            }
            if said.last().is_some_and(|line| line.starts_with(beginning)) {
                return said;
            }
        }
    }

    /// What is said until the engine is ready again.
    #[track_caller]
    pub fn answer(&mut self, line: &str) -> String {
        let said = self.say(line).say("isready").until("readyok");
        said[..said.len() - 1].join("\n")
    }

    #[track_caller]
    pub fn best(&mut self, position: &str, go: &str) -> String {
        let said = self.say(position).say(go).until("bestmove");
        said.last().expect("a line").split(' ').nth(1).expect("a move").to_owned()
    }

    /// Ends the input, and the engine with it.
    #[track_caller]
    pub fn end(mut self) {
        drop(self.input.take());
        assert!(self.child.wait().expect("it ends").success());
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // An engine that a failed test leaves behind must not go on thinking.
        drop(self.input.take());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn legal(fen: &str, m: &str) -> bool {
    let position: Chess = fen.parse::<Fen>().expect("a FEN").into_position(CastlingMode::Standard).expect("legal");
    m.parse::<UciMove>().is_ok_and(|m| m.to_move(&position).is_ok())
}

#[test]
fn a_gui_is_greeted_and_a_game_begins() {
    let mut engine = Engine::start();
    let said = engine.say("uci").until("uciok").join("\n");
    for part in [
        "id name drawish",
        "id author",
        "option name Hash type spin default 16 min 1 max",
        "option name Threads type spin default 1 min 1 max 1",
        "option name UCI_Chess960 type check default false",
        "option name Arm type combo default none var none",
    ] {
        assert!(said.contains(part), "{part} in {said}");
    }
    assert_eq!(engine.answer("ucinewgame"), "");
    let said = engine.say("position startpos moves e2e4 e7e5").say("go depth 6").until("bestmove");
    let info = &said[said.len() - 2];
    for part in ["info depth 6 ", " seldepth ", " score cp ", " nodes ", " nps ", " hashfull ", " time ", " pv "] {
        assert!(info.contains(part), "{part} in {info}");
    }
    assert!(said.last().expect("a line").contains(" ponder "));
    engine.say("quit");
    assert!(engine.child.wait().expect("it ends").success());
}

#[test]
fn equal_searches_are_equal_and_keep_their_limit() {
    let search = || {
        let mut engine = Engine::start();
        let said = engine.say("position startpos moves d2d4 g8f6 c2c4").say("go nodes 30000").until("bestmove");
        engine.end();
        // Times differ, all else is the same.
        let plain = |line: &String| {
            let words: Vec<&str> = line.split(' ').collect();
            let time = |word: &str| words.iter().position(|found| *found == word).map_or(usize::MAX, |at| at + 1);
            let (nps, time) = (time("nps"), time("time"));
            let kept = words.iter().enumerate().filter(|(i, _)| *i != nps && *i != time);
            kept.map(|(_, word)| *word).collect::<Vec<_>>().join(" ")
        };
        said.iter().map(plain).collect::<Vec<_>>()
    };
    let first = search();
    assert_eq!(first, search());
    let nodes =
        |line: &String| line.split(" nodes ").nth(1).and_then(|rest| rest.split(' ').next()?.parse::<u64>().ok());
    let last = first.iter().rev().find_map(nodes).expect("nodes are told");
    assert!((29_000..=30_000).contains(&last), "{last} nodes");
}

#[test]
fn stop_ends_an_endless_search_and_ready_does_not_wait() {
    let mut engine = Engine::start();
    engine.say("position startpos").say("go infinite").say("isready").until("readyok");
    engine.say("stop").until("bestmove");
    engine.say("go ponder wtime 60000 btime 60000").say("isready").until("readyok");
    engine.say("ponderhit").say("stop").until("bestmove");
    // The next position waits for the end of the search before it.
    engine.say("go nodes 50000").say("position startpos moves e2e4").say("go depth 3").until("bestmove");
    let best = engine.until("bestmove").pop().expect("a line");
    let after = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    assert!(legal(after, best.split(' ').nth(1).expect("a move")), "{best}");
    engine.say("go infinite").say("quit").until("bestmove");
    assert!(engine.child.wait().expect("it ends").success());
    let mut counting = Engine::start();
    counting.say("go perft 9").say("stop").until("info string perft was stopped");
    counting.say("go perft 9").say("quit");
    assert!(counting.child.wait().expect("it ends").success());
}

#[test]
fn the_end_of_the_input_lets_a_limited_search_finish() {
    let mut engine = Engine::start();
    engine.say("position startpos").say("go nodes 20000");
    drop(engine.input.take());
    engine.until("bestmove");
    assert!(engine.child.wait().expect("it ends").success());

    let mut endless = Engine::start();
    endless.say("go infinite");
    drop(endless.input.take());
    endless.until("bestmove");
    assert!(endless.child.wait().expect("it ends").success());
}

#[test]
fn what_is_wrong_is_said_and_play_goes_on() {
    let place = Place::new();
    place.put("broken.table", b"DRAWTBL\0 and no more");
    let mut engine = Engine::start_in(place);
    engine.say("position startpos moves e2e4").say("isready").until("readyok");
    for (line, said) in [
        ("xyzzy", "unknown command \"xyzzy\""),
        ("\u{1}\u{2} \u{fffd}", "unknown command"),
        ("position", "expected startpos or fen"),
        ("position fen", "is not a legal position"),
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "is not a legal position"),
        ("position fen k7/8/8/8/8/8/8/9 w - - 0 1", "is not a legal position"),
        ("position fen 4k3/8/8/8/8/8/8/4KR1r w - - 0 1 and more", "is not a legal position"),
        ("position fen 4k3/8/8/8/4Q3/8/8/4K3 w - - 0 1", "is not a legal position"),
        ("setoption", "found no name"),
        ("setoption name Hash", "expected a whole number from 1 to"),
        ("setoption name Hash value 0", "it stays 16"),
        ("setoption name Hash value 99999999999999999999", "it stays 16"),
        ("setoption name Threads value 2", "from 1 to 1"),
        ("setoption name Nonsense value 2", "no option is called \"Nonsense\""),
        ("setoption name UCI_Chess960 value maybe", "expected true or false"),
        ("setoption name Arm value left", "expected one of none, "),
        ("setoption name Contempt value 1000", "from -420 to 420"),
        ("setoption name Table value nowhere.table", "nowhere.table: expected one of human, tcec, rival or the path"),
        ("setoption name Table value broken.table", "expected at least the 64 bytes"),
        ("go perft 99", "expected a depth from 1 to 9"),
    ] {
        let answer = engine.answer(line);
        assert!(answer.starts_with("info string ") && answer.contains(said), "{line:?} -> {answer:?}");
    }
    // None of them has moved a piece.
    let after = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    let said = engine.say("go nodes 1000").until("bestmove");
    assert!(legal(after, said.last().expect("a line").split(' ').nth(1).expect("a move")));

    let answer = engine.answer("position startpos moves e2e4 e7e5 e4e5 g1f3");
    assert!(
        answer.contains("move 3 of 4, \"e4e5\", is not legal; the position is that after the 2 before it"),
        "{answer}"
    );
    let best = engine.say("go depth 2").until("bestmove").pop().expect("a line");
    let white_again = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    assert!(legal(white_again, best.split(' ').nth(1).expect("a move")), "{best}");
    engine.end();
}

#[test]
fn odd_limits_still_bring_a_move() {
    let mut engine = Engine::start();
    let said = engine.say("go nodes 2000").until("bestmove").join("\n");
    assert!(said.contains("go without a position before it"), "{said}");
    for go in [
        "go nodes",
        "go nodes x",
        "go nodes 0",
        "go nodes 1",
        "go depth 0",
        "go depth -3",
        "go movetime 0",
        "go movetime -1",
        "go wtime -500 btime -500",
        "go wtime 0 btime 0 winc 0 binc 0 movestogo 0",
        "go btime 100",
        "go depth 2 searchmoves e2e4 e9e9",
        "go mate 1 nodes 3000",
        "go depth 3 nonsense 7",
    ] {
        let best = engine.best("position startpos", go);
        assert!(legal("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &best), "{go}: {best}");
    }
    assert_eq!(engine.best("position startpos", "go depth 3 searchmoves a2a3"), "a2a3");
    // Depths that no search reaches, in a position that is soon exhausted.
    let lone = "position fen 8/8/8/8/8/5k2/5p2/5K2 w - - 0 1";
    assert_eq!(engine.best(lone, "go depth 4294967296000"), "(none)");
    let best = engine.best("position fen 7k/8/8/8/8/p7/P7/K7 w - - 90 1", "go depth 100000 nodes 300000");
    assert_eq!(best, "a1b1");
    engine.end();
}

#[test]
fn games_that_are_over_have_no_best_move() {
    let mut engine = Engine::start();
    let mated =
        engine.say("position fen R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1").say("go depth 5").until("bestmove").join("\n");
    assert!(mated.contains("score mate 0") && mated.ends_with("bestmove (none)"), "{mated}");
    let stalemate =
        engine.say("position fen k7/2Q5/1K6/8/8/8/8/8 b - - 0 1").say("go movetime 100").until("bestmove").join("\n");
    assert!(stalemate.contains("score cp 0") && stalemate.ends_with("bestmove (none)"), "{stalemate}");
    engine.end();
}

#[test]
fn chances_are_shown_when_asked_for() {
    let mut engine = Engine::start();
    engine.say("setoption name UCI_ShowWDL value true").say("position startpos");
    let said = engine.say("go depth 6").until("bestmove");
    let wdl = |line: &String| {
        let after = line.split(" wdl ").nth(1)?;
        Some(after.split(' ').take(3).map(|n| n.parse::<u32>().expect("a number")).collect::<Vec<_>>())
    };
    let chances = wdl(&said[said.len() - 2]).expect("in every line");
    assert!(chances.iter().sum::<u32>() == 1000 && chances[0] >= chances[2] && chances[1] > 200, "{chances:?}");
    engine.say("position fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1");
    let mate = engine.say("go depth 4").until("bestmove");
    assert!(mate[mate.len() - 2].contains("score mate 1 wdl 1000 0 0"), "{mate:?}");
    // Neither side can mate, by whatever the chances are shown.
    for head in ["", "drawish"] {
        if !head.is_empty() {
            engine.say(&format!("setoption name WdlHead value {head}"));
        }
        engine.say("position fen k7/8/8/8/8/8/8/K1B5 w - - 0 1");
        let dead = engine.say("go depth 4").until("bestmove");
        let dead: Vec<_> = dead.iter().filter(|line| line.contains(" score ")).collect();
        assert!(!dead.is_empty() && dead.iter().all(|line| line.contains(" wdl 0 1000 0 ")), "{dead:?}");
    }
    engine.end();
}

/// By the WDL head that is part of the program, and by files of it: the chances of the head for the score that is shown beside them.
#[test]
fn chances_are_shown_by_a_head() {
    let place = Place::new();
    let shipped = include_bytes!("../tables/drawish.heads");
    place.put("mine.heads", shipped);
    place.put("mine.toml", include_str!("../tables/drawish.wdl.toml"));
    place.put("pooled.heads", include_bytes!("../tables/pooled.heads"));
    place.put("cut.heads", &shipped[..400]);
    let mut flipped = shipped.to_vec();
    // A weight of the first sum, which begins so many bytes behind the header.
    flipped[64 + 40] ^= 1;
    place.put("flipped.heads", flipped);
    let heads = Heads::from_bytes(shipped).expect("heads");
    let mut engine = Engine::start_in(place);
    engine.say("setoption name UCI_ShowWDL value true");
    let shown = |engine: &mut Engine, fen: &str| {
        let said = engine.say(&format!("position fen {fen}")).say("go depth 5").until("bestmove");
        let line = said.iter().rev().find(|line| line.contains(" wdl ")).expect("chances").clone();
        let of = |word: &str, many: usize| -> Vec<i32> {
            let after = line.split(&format!(" {word} ")).nth(1).unwrap_or_default().split_ascii_whitespace();
            after.take(many).map(|number| number.parse().expect("a number")).collect()
        };
        (of("cp", 1).first().copied(), of("wdl", 3))
    };
    let fen = "8/5k2/4bp2/3p4/1P1P4/3BKP2/8/8 b - - 0 48";
    let (score, by_arm) = shown(&mut engine, fen);
    for value in ["drawish", "mine.heads", "mine.toml"] {
        assert_eq!(engine.answer(&format!("setoption name WdlHead value {value}")), "");
        let (again, by_head) = shown(&mut engine, fen);
        let wdl =
            heads.wdl(&Board::from_fen(fen).expect("a FEN"), Centipawns(again.expect("a score"))).expect("a WDL head");
        assert_eq!(by_head, [wdl.win, wdl.draw, wdl.loss].map(i32::from), "{value}");
        assert_ne!(by_head, by_arm, "{value}");
        assert_eq!(again.is_some(), score.is_some());
    }
    assert_eq!(shown(&mut engine, "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1").1, [1000, 0, 0]);
    for (file, said) in [
        ("missing.heads", "expected drawish or the path"),
        ("pooled.heads", "there is none in the file"),
        ("cut.heads", "the file is cut"),
        ("flipped.heads", "the file was changed"),
    ] {
        let answer = engine.answer(&format!("setoption name WdlHead value {file}"));
        assert!(answer.contains(said) && answer.ends_with("it stays mine.toml"), "{answer}");
    }
    assert_eq!(engine.answer("setoption name WdlHead value <empty>"), "");
    assert_eq!(shown(&mut engine, fen).1.iter().sum::<i32>(), 1000);
    // The shipped heads by name, for the arms that play by them.
    for name in ["human", "tcec", "rival", "pooled"] {
        assert_eq!(engine.answer(&format!("setoption name Heads value {name}")), "");
        assert_eq!(engine.answer("setoption name Arm value draw-head"), "");
        assert!(engine.best("position startpos", "go nodes 300").len() == 4);
    }
    engine.end();
}

/// Positions and published counts: up to four plies here, five by the example `perft`.
#[test]
fn perft() {
    let mut engine = Engine::start();
    for line in include_str!("perft.epd").lines().filter(|line| !line.starts_with('#')) {
        let (fen, counts) = line.split_once(" ;").expect("counts after a FEN");
        let chess960 = fen.contains(" w H") || fen.contains(" w G") || fen.contains(" w h");
        engine.say(&format!("setoption name UCI_Chess960 value {chess960}")).say(&format!("position fen {fen}"));
        for count in counts.split(" ;").take(4) {
            let (depth, nodes) = count[1..].split_once(' ').expect("a depth and a count");
            let said = engine.say(&format!("go perft {depth}")).until("Nodes searched");
            assert_eq!(said.last(), Some(&format!("Nodes searched: {nodes}")), "{line}");
            let by_move = said.iter().filter_map(|line| line.split_once(": ")?.1.parse::<u64>().ok()).sum::<u64>();
            assert_eq!(by_move, 2 * nodes.parse::<u64>().expect("a number"), "{said:?}");
        }
    }
    engine.end();
}

#[test]
fn castling_is_written_as_the_option_says() {
    let fen = "position fen 4k3/8/8/8/8/8/5PPP/4K2R w K - 0 1";
    let mut engine = Engine::start();
    assert_eq!(engine.best(fen, "go depth 1 searchmoves e1g1"), "e1g1");
    engine.say("setoption name UCI_Chess960 value true");
    assert_eq!(engine.best(fen, "go depth 1 searchmoves e1h1"), "e1h1");
    // King and rook change places.
    assert_eq!(engine.best("position fen 4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "go depth 1 searchmoves f1g1"), "f1g1");
    let after = engine.answer("position fen 4k3/8/8/8/8/8/8/5KR1 w G - 0 1 moves f1g1 e8e7");
    assert_eq!(after, "");
    engine.end();
}

#[test]
fn bench_ends_in_the_line_that_runners_read() {
    let place = Place::new();
    let of = |arm: &str| {
        let done = place.say(&format!("bench --depth 5 --arm {arm}")).ok().out();
        let last = done.lines().last().expect("a line").to_owned();
        let words: Vec<&str> = last.split(' ').collect();
        assert!(
            matches!(words[..], [nodes, "nodes", nps, "nps"]
            if nodes.parse::<u64>().is_ok() && nps.parse::<u64>().is_ok()),
            "{last}"
        );
        words[0].to_owned()
    };
    assert_eq!(of("none"), of("none"));
    assert_eq!(of("none"), of("constant"));
    assert_ne!(of("none"), of("scale-table"));
    place.say("bench --depth 0").fails(2, &["0 is not in 1..=120"]);
    place.say("bench --arm left").fails(2, &["none"]);
}
