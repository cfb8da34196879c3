//! Readers of what matches are made of: openings, command lines, plans, logs, results in words, and UCI in both directions.

use std::cell::RefCell;
use std::io::Cursor;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use drawish_engine::eval::{Evaluate, Evaluator};
use drawish_engine::search::{Game, Limits as SearchLimits, Searcher};
use drawish_engine::uci::serve;
use drawish_games::pgn::read_games;
use drawish_games::sample::Sampler;
use drawish_match::arena::engine_line::{Info, Line, printable, read};
use drawish_match::arena::{
    Book, BookRule, DrawRule, Fault, Figure, Kept, Limits, Logged, Opening, PairRecord, PgnTags, Player, PlayerLost,
    Reply, Resign, Rules, Tally, TimeControl, Turn, play,
};
use drawish_match::experiment::Experiment;
use drawish_match::fastchess::{Asked, CommandLine};
use drawish_match::results::{Run, judge};
use drawish_match::spsa::{Parameter, SpsaLogged};
use drawish_match::tournament::LoggedTournament;
use drawish_stats::read_printed;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, EnPassantMode};

use super::games::all_positions;
use super::with_file;

/// Books of openings in EPD, FEN and PGN: what is kept can be played.
pub fn book(data: &[u8]) {
    with_file(data, "epd", |input| {
        if let Ok(mut book) = Book::read(input, &BookRule::default()) {
            book.shuffle(1);
            for opening in &book.openings {
                let _ = opening.start();
            }
        }
    });
}

/// Files of experiments.
pub fn experiment(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let _ = Experiment::from_toml(text);
}

/// Time controls: what is accepted comes back as it was written.
pub fn time_control(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    if let Ok(control) = text.parse::<TimeControl>() {
        assert_eq!(control.to_string().parse::<TimeControl>().expect("what was written"), control);
    }
}

/// A position by its FEN: what is accepted comes back as it was written, and can be evaluated and searched.
pub fn fen(data: &[u8]) {
    thread_local!(static SEARCHER: RefCell<Searcher<Evaluator>> = RefCell::new(Searcher::new(Evaluator::default(), 1)));
    let Ok(text) = str::from_utf8(data) else { return };
    for castling in [CastlingMode::Standard, CastlingMode::Chess960] {
        let Ok(opening) = Opening::from_fen(text, castling) else { continue };
        let written = Fen::from_position(opening.start(), EnPassantMode::Legal).to_string();
        let again = Opening::from_fen(&written, castling).expect("what was written");
        assert_eq!(again.start(), opening.start());
        let game = Game::new(opening.start().clone());
        SEARCHER.with_borrow_mut(|searcher| {
            let score = searcher.evaluator().centipawns(game.state());
            assert!(score.abs() <= drawish_engine::eval::LIMIT);
            let best = searcher.search(&game, &SearchLimits::nodes(30), &mut |_| {}).best;
            assert_eq!(best.is_some(), !shakmaty::Position::legal_moves(game.position()).is_empty());
        });
    }
}

/// What an engine writes, as a player of both sides: whatever it is, a game comes of it that the log and PGN can take.
pub fn engine_output(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut lines = text.lines();
    for line in text.lines() {
        assert!(printable(line).chars().count() <= 103 && !printable(line).contains(|c: char| c.is_control()));
        if let Line::Option(option) = read(line) {
            let _ = [option.kind.objection(""), option.kind.objection("1")];
        }
    }
    let mut scripted = Scripted(&mut lines);
    let score = 300;
    let rules = Rules {
        resign: Some(Resign { moves: 2, score, two_sided: false }),
        draw: Some(DrawRule { from_move: 1, moves: 2, score: 10 }),
        max_moves: Some(20),
        ..Rules::default()
    };
    let (opening, limits, stop) = (Opening::standard(), Limits::nodes(1), AtomicBool::new(false));
    let mut idle = "".lines();
    let played = play(&opening, [&mut scripted, &mut Scripted(&mut idle)], [&limits; 2], &rules, None, &stop);
    let game = played.expect("a player that is there").expect("a game to its end");
    let record =
        PairRecord::new(1, &opening, [&game, &game], Kept { times: true, figures: Figure::ALL.into_iter().collect() });
    let read: PairRecord = serde_json::from_str(&record.to_line()).expect("what was written");
    assert_eq!(read, record);
    check_record(&record);
}

struct Scripted<'a, 'b>(&'a mut std::str::Lines<'b>);

impl Player for Scripted<'_, '_> {
    fn new_game(&mut self) -> Result<(), PlayerLost> {
        Ok(())
    }

    fn go(&mut self, turn: &Turn<'_>) -> Result<Reply, Fault> {
        let mut said = Info::default();
        for line in &mut *self.0 {
            match read(line) {
                Line::Info(info) => said.update(info),
                Line::BestMove { played: answer, .. } => {
                    let text = answer.unwrap_or("(none)");
                    let legal = text.parse::<UciMove>().ok().and_then(|parsed| parsed.to_move(turn.position).ok());
                    let chosen = legal.ok_or_else(|| Fault::Illegal(printable(text)))?;
                    let Info { score, certainty: _, depth, seldepth, nodes, nps, hashfull, tbhits, time } = said;
                    let own_time = time.map(Duration::from_millis);
                    let heard = Reply::new(chosen, Duration::ZERO);
                    return Ok(Reply { score, depth, seldepth, nodes, nps, hashfull, tbhits, own_time, ..heard });
                }
                _ => {}
            }
        }
        Err(Fault::Crash)
    }
}

/// A pair comes back as it was written, and its PGN has two games if its moves are legal.
fn check_record(record: &PairRecord) {
    let again: PairRecord = serde_json::from_str(&record.to_line()).expect("what was written");
    assert_eq!(&again, record);
    Tally::default().add(record);
    let limits = Limits::nodes(1);
    let pgn =
        record.to_pgn(&PgnTags { event: "a fuzzer", names: ["one", "two"], limits: [limits; 2], ..PgnTags::default() });
    assert!(!pgn.contains(|c: char| c.is_control() && c != '\n'));
    if record.is_legal() {
        let rule = all_positions(true);
        let batch = read_games(pgn.as_bytes(), false, || Sampler::new(&rule)).0.into_batch();
        assert_eq!(batch.tally.games(), 2, "{pgn}");
    }
}

/// The log of a match: what is read of it is sound.
pub fn match_log(data: &[u8]) {
    if let Ok(logged) = Logged::read(data) {
        logged.pairs.iter().for_each(check_record);
        let _ = logged.setup.rules_text();
    }
}

/// The log of a tournament: what is read of it is sound, and has a standing.
pub fn tournament_log(data: &[u8]) {
    if let Ok(logged) = LoggedTournament::read(data) {
        logged.pairs.iter().for_each(check_record);
        let standing = logged.standing();
        assert!(standing.names().len() == logged.setup.games.sides.len());
    }
}

/// Parameters of a tuning and its log.
pub fn spsa(data: &[u8]) {
    let _ = SpsaLogged::read(data);
    let Ok(text) = str::from_utf8(data) else { return };
    if let Ok(parameters) = Parameter::read(text) {
        assert!(parameters.iter().all(|parameter| parameter.check().is_ok()));
    }
}

/// A command line of fastchess, a word on a line: what is accepted has engines and a log.
pub fn fastchess(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    if let Ok(read) = CommandLine::read(text.lines().map(str::to_owned)) {
        match read.asked {
            Asked::Match(contest) => assert_ne!(contest.engines[0].name, contest.engines[1].name),
            Asked::Tournament(tournament) => assert!(tournament.engines.len() > 2),
        }
    }
}

/// Results as match runners print them: what is accepted can be judged.
pub fn printed(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    if let Ok(found) = read_printed(text) {
        let runs = [Run::of_counts("printed", found.counted)];
        if let Ok(analysis) = judge(&runs, None, Some(3.0)) {
            let strength = analysis.strength;
            assert!(strength.los.is_none_or(|los| (0.0..=1.0).contains(&los)));
        }
    }
}

/// A dialogue with the engine: it ends, says no more best moves than it was asked for, and each is one.
pub fn gui_input(data: &[u8]) {
    let mut dialogue = String::new();
    let mut asked = 0;
    for line in String::from_utf8_lossy(data).lines().take(60) {
        let lower = line.to_ascii_lowercase();
        // What takes memory, files or time by order.
        let is_costly = lower.contains("hash") || lower.contains('/') || lower.contains("perft");
        if is_costly || lower.contains("heads") || lower.contains("table") {
            continue;
        }
        dialogue.push_str(line);
        if lower.split_whitespace().next() == Some("go") {
            asked += 1;
            dialogue.push_str(" nodes 40");
        }
        dialogue.push('\n');
    }
    let mut said = Vec::new();
    serve(Cursor::new(dialogue.clone().into_bytes()), &mut said, "fuzzed").expect("an output that takes all");
    let said = String::from_utf8(said).expect("text");
    let answers: Vec<&str> = said.lines().filter_map(|line| line.strip_prefix("bestmove ")).collect();
    assert!(answers.len() <= asked, "{dialogue}\n{said}");
    for answer in answers {
        let best = answer.split(' ').next().unwrap_or_default();
        assert!(best == "(none)" || best == "0000" || best.parse::<UciMove>().is_ok(), "{said}");
    }
}
