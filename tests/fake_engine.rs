//! Engines that behave well or badly, each a test of this program that does nothing unless the variable is set: then it talks
//! UCI on standard input and output. `drawish match` starts them with this program as the command.

use std::io::{self, BufRead, Write};
use std::time::Duration;

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};

/// Set where a test is to be an engine.
pub const VARIABLE: &str = "DRAWISH_TEST_ENGINE";

/// `--engine` words for the engine that behaves like this.
pub fn engine(behaviour: &str, name: &str) -> Vec<String> {
    let program = std::env::current_exe().expect("this program");
    let args = format!("args=--exact fake_engine::{behaviour} --nocapture --test-threads=1");
    vec!["--engine".to_owned(), format!("cmd={}", program.display()), args, format!("name={name}")]
}

/// A legal move that depends on the position and the salt.
pub fn choose(position: &Chess, salt: u64) -> UciMove {
    let hash = position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0 ^ salt;
    let moves = position.legal_moves();
    let chosen = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    UciMove::from_move(moves[chosen as usize % moves.len()], position.castles().mode())
}

/// What an engine does when it is to move.
enum Act {
    Say(String),
    Die,
    Sleep(Duration),
    Nothing,
    /// Nothing until it is told to stop.
    WaitForStop,
}

/// Talks UCI; `act` gets the position and the number of the question, from 1.
fn talk(act: impl FnMut(&Chess, u32) -> Vec<Act>) {
    converse(false, act);
}

/// The same, perhaps with the option for Chess960. What is not told in the notation of the variant is not understood.
fn converse(knows_chess960: bool, mut act: impl FnMut(&Chess, u32) -> Vec<Act>) {
    if std::env::var_os(VARIABLE).is_none() {
        return;
    }
    let mut position = Chess::new();
    let mut asked = 0;
    let mut pending = None;
    let mut castling = CastlingMode::Standard;
    say("\nan engine for tests\n\u{fffd}\u{0}garbage");
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        match line.split_whitespace().next() {
            Some("uci") => {
                say(
                    "id name fake\noption name Hash type spin default 16 min 1 max 64\noption name Style type combo default a var a var b",
                );
                if knows_chess960 {
                    say("option name UCI_Chess960 type check default false");
                }
                say("uciok");
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
                        Act::Nothing => {}
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
    std::process::exit(0);
}

fn say(text: &str) {
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{text}").and_then(|()| out.flush());
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
            "info depth 3 score cp {} nodes 1,234 nps 45,000 pv a1a1",
            position.board().occupied().count()
        )),
        Act::Say(format!("bestmove {} ponder a1a1", choose(position, salt))),
    ]
}

#[test]
fn plays() {
    talk(|position, _| answer(position, 1));
}

/// Castles whenever it can.
fn castles_gladly(position: &Chess, salt: u64) -> Vec<Act> {
    match position.legal_moves().into_iter().find(|played| played.is_castle()) {
        Some(castle) => vec![Act::Say(format!("bestmove {}", UciMove::from_move(castle, position.castles().mode())))],
        None => answer(position, salt),
    }
}

#[test]
fn plays_chess960() {
    converse(true, |position, _| castles_gladly(position, 1));
}

#[test]
fn plays_chess960_otherwise() {
    converse(true, |position, _| castles_gladly(position, 2));
}

#[test]
fn plays_otherwise() {
    talk(|position, _| answer(position, 2));
}

#[test]
fn dies_in_its_fifth_move() {
    talk(|position, asked| if asked == 5 { vec![Act::Die] } else { answer(position, 1) });
}

#[test]
fn plays_an_illegal_move() {
    talk(|position, asked| if asked == 3 { vec![Act::Say("bestmove e1e8".to_owned())] } else { answer(position, 1) });
}

#[test]
fn gives_up() {
    talk(|position, asked| if asked == 4 { vec![Act::Say("bestmove (none)".to_owned())] } else { answer(position, 1) });
}

#[test]
fn falls_silent() {
    talk(|position, asked| if asked == 3 { vec![Act::Nothing] } else { answer(position, 1) });
}

#[test]
fn never_ends_its_line() {
    talk(|position, asked| {
        if asked < 3 {
            return answer(position, 1);
        }
        let garbage = [b'x'; 4096];
        while io::stdout().lock().write_all(&garbage).is_ok() {}
        vec![Act::Die]
    });
}

#[test]
fn waits_for_stop() {
    talk(|position, asked| if asked == 3 { vec![Act::WaitForStop] } else { answer(position, 1) });
}

#[test]
fn searches_a_million_nodes() {
    talk(|_, _| vec![Act::Say("info depth 9 score cp 5 nodes 1000000".to_owned()), Act::WaitForStop]);
}

#[test]
fn thinks_too_long() {
    talk(|position, asked| {
        let mut acts = answer(position, 1);
        if asked == 3 {
            acts.insert(0, Act::Sleep(Duration::from_millis(400)));
        }
        acts
    });
}

/// Says nothing to `uci`: not an engine at all.
#[test]
fn is_no_engine() {
    if std::env::var_os(VARIABLE).is_some() {
        say("hello");
        std::process::exit(0);
    }
}
