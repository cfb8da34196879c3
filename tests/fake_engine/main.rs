//! An engine for tests: it talks UCI and behaves as its argument says, well or badly.

mod choose;
mod ponders;

use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use choose::choose;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position};

fn main() -> ExitCode {
    let behaviour = std::env::args().nth(1).unwrap_or_default();
    match behaviour.as_str() {
        "plays" => talk(|position, _| answer(position, 1)),
        "plays_otherwise" => talk(|position, _| answer(position, 2)),
        "plays_by_hash" => talk(|position, _| answer(position, HASH.load(Ordering::Relaxed))),
        // In its fifth move, if it finds no file that says that it has done so before.
        "dies_once" => talk(except(5, |position| {
            let is_first = std::fs::OpenOptions::new().write(true).create_new(true).open("died").is_ok();
            if is_first { vec![Act::Die] } else { answer(position, 1) }
        })),
        "plays_chess960" => converse(true, |position, _| castles_gladly(position, 1)),
        "plays_chess960_otherwise" => converse(true, |position, _| castles_gladly(position, 2)),
        "dies_in_its_fifth_move" => talk(except(5, |_| vec![Act::Die])),
        "plays_an_illegal_move" => talk(except(3, |_| vec![Act::Say("bestmove e1e8".to_owned())])),
        "answers_twice" => talk(|position, _| {
            let again = position.legal_moves().iter().last().map(|m| UciMove::from_move(*m, CastlingMode::Standard));
            let again = again.map(|again| Act::Say(format!("bestmove {again}")));
            // In one write, so that the next question cannot come between.
            let texts = answer(position, 1).into_iter().chain(again).filter_map(|act| match act {
                Act::Say(text) => Some(text),
                _ => None,
            });
            vec![Act::Say(texts.collect::<Vec<_>>().join("\n"))]
        }),
        "shouts" => talk(except(3, |_| vec![Act::Say(format!("bestmove \u{1b}[2J}}\u{202e}{}", "x".repeat(500_000)))])),
        "gives_up" => talk(except(4, |_| vec![Act::Say("bestmove (none)".to_owned())])),
        "falls_silent" => talk(except(3, |_| vec![])),
        "never_ends_its_line" => talk(except(3, |_| vec![Act::Babble])),
        "waits_for_stop" => talk(except(3, |_| vec![Act::WaitForStop])),
        "searches_a_million_nodes" => {
            talk(|_, _| vec![Act::Say("info depth 9 score cp 5 nodes 1000000".to_owned()), Act::WaitForStop]);
        }
        "thinks_too_long" => talk(except(3, |position| {
            let pause = Act::Sleep(Duration::from_millis(400));
            std::iter::once(pause).chain(answer(position, 1)).collect()
        })),
        "ponders" | "ponders_nothing" | "ponders_illegally" | "ponders_early" | "ponders_for_ever"
        | "dies_in_ponder" => {
            ponders::talk(&behaviour);
        }
        // Not an engine at all: nothing is said to `uci`.
        "is_no_engine" => say("hello"),
        _ => {
            say(&format!("no engine behaves like {behaviour:?}: see tests/fake_engine/main.rs"));
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// What the option stands at.
static HASH: AtomicU64 = AtomicU64::new(16);

/// How long it takes to start, as engines do: a match that a test kills again and again must not be over at once.
const START: Duration = Duration::from_millis(10);

/// Plays as `plays` does, but for its answer to one question, counted from 1.
fn except(question: u32, act: impl Fn(&Chess) -> Vec<Act>) -> impl FnMut(&Chess, u32) -> Vec<Act> {
    move |position, asked| if asked == question { act(position) } else { answer(position, 1) }
}

/// What an engine does when it is to move.
enum Act {
    Say(String),
    Die,
    Sleep(Duration),
    /// Goes on with a line that never ends, until nobody reads it.
    Babble,
    /// Nothing until it is told to stop.
    WaitForStop,
}

/// Talks UCI; `act` gets the position and the number of the question, from 1.
fn talk(act: impl FnMut(&Chess, u32) -> Vec<Act>) {
    converse(false, act);
}

/// The same, perhaps with the option for Chess960. What is not told in the notation of the variant is not understood.
fn converse(knows_chess960: bool, mut act: impl FnMut(&Chess, u32) -> Vec<Act>) {
    let mut position = Chess::new();
    let mut asked = 0;
    let mut pending = None;
    let mut castling = CastlingMode::Standard;
    std::thread::sleep(START);
    say("\nan engine for tests\n\u{fffd}\u{0}garbage");
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        match line.split_whitespace().next() {
            Some("uci") => {
                // Another version by the same command.
                let version = std::env::var("DRAWISH_TEST_VERSION").unwrap_or_default();
                say(&format!("id name fake{version}"));
                say(
                    "option name Hash type spin default 16 min 1 max 64\noption name Style type combo default a var a var b",
                );
                if knows_chess960 {
                    say("option name UCI_Chess960 type check default false");
                }
                say("uciok");
            }
            Some("setoption") if line.contains("name Hash value ") => {
                let value = line.rsplit(' ').next().and_then(|value| value.parse().ok());
                HASH.store(value.expect("a whole number"), Ordering::Relaxed);
            }
            Some("setoption") if line.contains("UCI_Chess960 value true") => castling = CastlingMode::Chess960,
            Some("isready") => say("readyok"),
            Some("position") => position = read_position(&line, castling),
            Some("go") => {
                asked += 1;
                for act in act(&position, asked) {
                    match act {
                        Act::Say(text) => say(&text),
                        Act::Die => std::process::exit(1),
                        Act::Sleep(time) => std::thread::sleep(time),
                        Act::Babble => {
                            let garbage = [b'x'; 4096];
                            while io::stdout().lock().write_all(&garbage).is_ok() {}
                            std::process::exit(1);
                        }
                        Act::WaitForStop => pending = Some(format!("bestmove {}", choose(&position, 1))),
                    }
                }
            }
            Some("stop") => {
                if let Some(answer) = pending.take() {
                    say(&answer);
                }
            }
            Some("quit") => break,
            _ => {}
        }
    }
}

fn say(text: &str) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(format!("{text}\n").as_bytes()).and_then(|()| out.flush());
}

fn read_position(line: &str, castling: CastlingMode) -> Chess {
    let (place, moves) = line.split_once(" moves ").unwrap_or((line, ""));
    let mut position = match place.split_once(" fen ") {
        Some((_, fen)) => {
            let rights = fen.split(' ').nth(2).expect("castling rights");
            assert!(!castling.is_chess960() || !rights.contains(['K', 'Q', 'k', 'q']), "{fen} does not name the rooks");
            fen.parse::<Fen>().expect("a FEN").into_position(castling).expect("a legal position")
        }
        None => Chess::new(),
    };
    for played in moves.split_whitespace() {
        let legal = played.parse::<UciMove>().expect("a move").to_move(&position).expect("a legal move");
        assert_eq!(UciMove::from_move(legal, castling).to_string(), played, "written as the variant has it");
        position.play_unchecked(legal);
    }
    position
}

fn answer(position: &Chess, salt: u64) -> Vec<Act> {
    vec![
        Act::Say(format!(
            "info depth 3 seldepth 5 score cp {} nodes 1,234 nps 45,000 hashfull 12 tbhits 3 time 1 pv a1a1",
            position.board().occupied().count()
        )),
        Act::Say(format!("bestmove {} ponder a1a1", choose(position, salt))),
    ]
}

/// Castles whenever it can.
fn castles_gladly(position: &Chess, salt: u64) -> Vec<Act> {
    match position.legal_moves().into_iter().find(|played| played.is_castle()) {
        Some(castle) => vec![Act::Say(format!("bestmove {}", UciMove::from_move(castle, position.castles().mode())))],
        None => answer(position, salt),
    }
}
