//! Engines that think in their opponent's time, well or badly. What no runner may say to an engine that ponders ends them.

use std::io::{self, BufRead};
use std::process::exit;

use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position};

use crate::choose::choose;
use crate::{read_position, say};

/// Plays the moves of `plays`. Its comments say which way they came: depth 3 by `go`, 7 by `ponderhit`; what it has found when it is
/// told to `stop` has depth 9, and is no matter to anybody.
pub fn talk(behaviour: &str) {
    let mut position = Chess::new();
    // The position that is pondered on, whose answer has not been given.
    let mut pondering: Option<Chess> = None;
    let mut answers = 0;
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        let word = line.split_whitespace().next().unwrap_or_default();
        let may_be_said = matches!(word, "ponderhit" | "stop" | "isready" | "quit");
        if pondering.is_some() && !may_be_said && behaviour != "ponders_early" {
            exit(1);
        }
        match word {
            "uci" => say("id name fake\noption name ponder type check default false\nuciok"),
            "setoption" if line != "setoption name ponder value true" => exit(1),
            "isready" => say("readyok"),
            "position" => position = read_position(&line, CastlingMode::Standard),
            "go" if line.starts_with("go ponder ") => {
                assert!(line.contains(" wtime ") && line.contains(" btime "), "a clock");
                match behaviour {
                    "ponders_nothing" | "ponders_illegally" | "dies_in_ponder" => exit(1),
                    "ponders_early" => say(&format!("info depth 5 score cp 5\nbestmove {}", choose(&position, 1))),
                    _ => pondering = Some(position.clone()),
                }
            }
            "go" => {
                answers += 1;
                answer(behaviour, &position, 3, answers);
            }
            "ponderhit" | "stop" if behaviour == "ponders_for_ever" => {}
            "ponderhit" => {
                if let Some(position) = pondering.take() {
                    answers += 1;
                    answer(behaviour, &position, 7, answers);
                }
            }
            "stop" => {
                if let Some(position) = pondering.take() {
                    answer(behaviour, &position, 9, answers);
                }
            }
            "quit" => break,
            _ => {}
        }
    }
}

/// Expects what `plays_otherwise` plays, but for every second answer.
fn answer(behaviour: &str, position: &Chess, depth: u32, answers: u32) {
    let played = choose(position, 1);
    let legal = played.to_move(position).expect("a legal move");
    let mut after = position.clone();
    after.play_unchecked(legal);
    let moves = after.legal_moves();
    let other = |expected: &UciMove| {
        let another = moves.iter().map(|played| UciMove::from_move(*played, CastlingMode::Standard));
        another.clone().find(|another| another != expected)
    };
    let expected = (!moves.is_empty()).then(|| choose(&after, 2));
    let expected = if answers.is_multiple_of(2) { expected.as_ref().and_then(other) } else { expected };
    let ponder = match (behaviour, expected) {
        ("ponders_nothing", _) | (_, None) => String::new(),
        ("ponders_illegally", _) => " ponder a1a1".to_owned(),
        (_, Some(expected)) => format!(" ponder {expected}"),
    };
    say(&format!("info depth {depth} score cp {depth} nodes 77\nbestmove {played}{ponder}"));
}
