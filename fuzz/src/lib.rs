//! Every reader of bytes from outside, as a function that must not panic and that checks what it read.
//!
//! The targets in `fuzz_targets/` call them one by one; `tests/fuzz.rs` of the program runs them on the seeds in `corpus/`.

use std::cell::RefCell;
use std::fs;
use std::io::Cursor;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use drawish_core::table::{CRC_OFFSET, HEADER_LEN};
use drawish_core::{Board, Centipawns, Color, DrawTable, Heads, StructureIndex};
use drawish_engine::eval::{Evaluate, Evaluator};
use drawish_engine::search::{Game, Limits as SearchLimits, Searcher};
use drawish_engine::uci::serve;
use drawish_games::annotate::{Annotator, Options};
use drawish_games::collect::Collect;
use drawish_games::counts::CountsFile;
use drawish_games::fit::export;
use drawish_games::pgn::{EvalValue, Input, VariantChoice, eval_in_comment, read_games};
use drawish_games::rows::{Gather, MemoryRows};
use drawish_games::sample::{Batch, Filters, Rule, Sampler, Sampling, TerminationFilter};
use drawish_games::training::Format;
use drawish_games::wdl::WdlFile;
use drawish_heads::heads::HeadsFile;
use drawish_match::arena::engine_line::{Info, Line, printable, read};
use drawish_match::arena::{
    Book, BookRule, DrawRule, Fault, Figure, Kept, Limits, Logged, Opening, PairRecord, PgnTags, Player, PlayerLost,
    Reply, Resign, Rules, Tally, TimeControl, Turn, play,
};
use drawish_match::experiment::Experiment;
use drawish_stats::model::relevance::{MoveScheme, PositionScheme, Relevance};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, EnPassantMode};

/// Takes bytes from outside.
pub type Reader = fn(&[u8]);

/// The names of the targets, which are those of the directories in `corpus/`, and what each does with its bytes.
pub const READERS: [(&str, Reader); 16] = [
    ("annotate", annotate),
    ("book", book),
    ("comments", comments),
    ("counts", counts),
    ("engine_heads", engine_heads),
    ("engine_output", engine_output),
    ("experiment", experiment),
    ("fen", fen),
    ("games", games),
    ("gui_input", gui_input),
    ("heads", heads),
    ("match_log", match_log),
    ("table", table),
    ("time_control", time_control),
    ("training", training),
    ("wdl", wdl),
];

/// Comments: an evaluation is in range, and blanks around it change nothing.
pub fn comments(data: &[u8]) {
    let found = eval_in_comment(data);
    if let Some(eval) = found {
        assert!(eval.depth.is_none_or(|depth| depth <= 9_999));
        assert!(!matches!(eval.value, EvalValue::Centipawns(value) if value.abs() > 1_000_000));
        assert_eq!(eval.for_white(true), eval.for_mover(true));
    }
    assert_eq!(eval_in_comment(&[b" \n", data, b"\r\t"].concat()), found);
}

/// PGN on its way through `relevance annotate`: with nothing to add it stays as it is, and what is added takes nothing away.
pub fn annotate(data: &[u8]) {
    let curve = Relevance::new(2.0, 3.0, 0.85).expect("parameters in order");
    let nothing = Options { curve, moves: None, positions: None, results: false, writer: None };
    let mut same = Vec::new();
    Annotator::new(nothing).annotate(data, &mut same);
    assert_eq!(same, data);
    let moves = MoveScheme::ALL.first().copied();
    let all = Options { moves, positions: Some(PositionScheme::NineByResult), results: true, ..nothing };
    let mut annotated = Vec::new();
    Annotator::new(all).annotate(data, &mut annotated);
    let mut rest = annotated.iter();
    assert!(data.iter().all(|byte| rest.any(|other| other == byte)), "something was taken away");
}

/// PGN through `collect`: the pawn tracker and the replay agree on every game that both count.
pub fn games(data: &[u8]) {
    let rule = Rule {
        sampling: Sampling::Every { from: 1 },
        min_moves: 0,
        variant: VariantChoice::Any,
        fen_starts: true,
        dedupe: false,
        replay: false,
        filters: Filters { termination: TerminationFilter::Any, ..Filters::default() },
    };
    let read = |replay, cut_off| -> Batch {
        let rule = Rule { replay, ..rule.clone() };
        read_games(data, cut_off, || Sampler::new(&rule)).0.into_batch()
    };
    let (tracked, replayed) = (read(false, false), read(true, false));
    assert_eq!(tracked.tally.games(), replayed.tally.games());
    // The tracker does not see what only pieces do wrong.
    assert!(replayed.tally.counted() <= tracked.tally.counted());
    if replayed.tally == tracked.tally {
        assert_eq!(tracked.positions, replayed.positions);
        assert_eq!(tracked.games, replayed.games);
    }
    let _ = read(false, true);
}

/// Training data, the first byte saying of which format: every game and every board is counted or skipped, and the replay sees
/// as many games as the boards do.
pub fn training(data: &[u8]) {
    let Some((kind, data)) = data.split_first() else { return };
    let format = Format::ALL[usize::from(*kind) % Format::ALL.len()];
    let name = format!("drawish-fuzz-{}.{}", std::process::id(), format.endings()[0]);
    let path: PathBuf = std::env::temp_dir().join(name);
    fs::write(&path, data).expect("a temporary file");
    let read = |replay, sampling| {
        let rule = Rule { replay, sampling, ..Rule::of_positions() };
        let run = Collect::new(vec![Input::File(path.clone())]).rule(rule).threads(NonZero::<usize>::MIN);
        run.run().expect("no state to be kept").file
    };
    let (all, replayed) = (read(false, Sampling::Positions), read(true, Sampling::Positions));
    assert_eq!(all.tally().games(), replayed.tally().games());
    assert!(replayed.tally().counted() <= all.tally().counted());
    assert_eq!(all.counts.total().total(), all.tally().positions);
    let rule = Rule { sampling: Sampling::OneRandomPly { from: 1 }, ..Rule::of_positions() };
    let (rows, gathered) = MemoryRows::gather(Gather::new(vec![Input::File(path.clone())]).rule(rule));
    assert_eq!(rows.rows().len() as u64, gathered.tally.positions);
    let _ = fs::remove_file(path);
}

/// Books of openings in EPD, FEN and PGN: what is kept can be played.
pub fn book(data: &[u8]) {
    // Packed data unpack to any size.
    if [&b"\x1f\x8b"[..], b"\x28\xb5\x2f\xfd", b"BZh"].iter().any(|magic| data.starts_with(magic)) {
        return;
    }
    let path: PathBuf = std::env::temp_dir().join(format!("drawish-fuzz-{}", std::process::id()));
    fs::write(&path, data).expect("a temporary file");
    if let Ok(mut book) = Book::read(&Input::File(path.clone()), &BookRule::default()) {
        book.shuffle(1);
        for opening in &book.openings {
            let _ = opening.start();
        }
    }
    let _ = fs::remove_file(path);
}

/// `.table` files, with a right checksum too: every cell of what is accepted can be read.
pub fn table(data: &[u8]) {
    let mut data = data.to_vec();
    for _ in 0..2 {
        if let Ok(table) = DrawTable::from_bytes(&data) {
            let _ = (table.verify(), table.base(), table.positions(), table.estimator(), table.source_digest());
            for index in (0..table.scheme().cells()).map(StructureIndex) {
                assert!(table.get(index).is_some());
                assert_eq!(table.evidence(index).is_some(), table.has_evidence());
            }
        }
        if data.len() < HEADER_LEN {
            return;
        }
        data[CRC_OFFSET..CRC_OFFSET + 4].fill(0);
        let crc = drawish_core::table::checksum(&data);
        data[CRC_OFFSET..CRC_OFFSET + 4].copy_from_slice(&crc.to_le_bytes());
    }
}

/// `.heads` files, with a right length and checksum too: what is accepted answers within its ranges on every board, and as it was
/// written the same for both colours.
pub fn engine_heads(given: &[u8]) {
    use drawish_core::head::{CRC_OFFSET, HEADER_LEN, checksum};
    let mut data = given.to_vec();
    for _ in 0..2 {
        if let Ok(heads) = Heads::from_bytes(&data) {
            let _ = (heads.rows(), heads.source_digest());
            // Which feature is even the reader leaves to the writer: a changed file with a right checksum may have others.
            let written = data == given && heads.verify().is_ok();
            BOARDS.iter().for_each(|fen| answers(&heads, &Board::from_fen(fen).expect("a FEN"), written));
            // What no game has: no answer means anything, and each is within its range.
            answers(&heads, &Board::from_roles([u64::MAX; 6], u64::MAX, u64::MAX, Color::Black, u32::MAX), false);
            if let Some(head) = heads.wdl_head() {
                assert!(head.knots().is_sorted() && head.sums().iter().all(|sum| sum.weights() <= data.len()));
            }
        }
        if data.len() < HEADER_LEN {
            return;
        }
        let length = (data.len() as u32).to_le_bytes();
        data[16..20].copy_from_slice(&length);
        let crc = checksum(&data);
        data[CRC_OFFSET..CRC_OFFSET + 4].copy_from_slice(&crc.to_le_bytes());
    }
}

/// Positions with many and few men, of each kind, with the clock run out.
const BOARDS: [&str; 4] = [
    "r2q1rk1/pp2bppp/2n1b3/3p4/8/1P2PN2/PB2BPPP/R2Q1RK1 w - - 0 12",
    "5b2/5k2/8/3p4/3P4/8/4KP2/5B2 b - - 100 90",
    "4k3/8/8/8/8/8/8/4K3 w - - 7 1",
    "QQQQQQQQ/QNNBBRR1/8/1k4K1/8/8/pppppppp/8 b - - 0 1",
];

fn answers(heads: &Heads<'_>, board: &Board, written: bool) {
    let flipped = board.flip_colors();
    assert_eq!(heads.draw_score(board).is_some(), heads.draw().is_some());
    if let Some(gain) = heads.gain(board) {
        assert!((128..=1408).contains(&gain.gain) && gain.mean > 0);
    }
    let mut last = None;
    for eval in [i32::MIN, -10_000, -9_999, -300, -1, 0, 1, 45, 300, 9_999, 10_000, i32::MAX].map(Centipawns) {
        if let Some(expected) = heads.expected(board, eval) {
            assert!((0.0..=1.0).contains(&expected.to_f64()));
        }
        let Some(wdl) = heads.wdl(board, eval) else { continue };
        assert_eq!(wdl.win + wdl.draw + wdl.loss, 1000);
        assert!(last.is_none_or(|last| last <= wdl.win), "wins fall with the evaluation");
        last = Some(wdl.win);
        if written {
            assert_eq!(heads.wdl(&flipped, eval), Some(wdl), "colours exchanged");
        }
    }
}

/// `.counts` files, with a right length and checksum too: what is accepted comes back as it was written.
pub fn counts(data: &[u8]) {
    let _ = CountsFile::from_bytes(data);
    if data.len() < 24 {
        return;
    }
    let mut data = data.to_vec();
    let (length, crc) = ((data.len() - 24) as u64, crc32fast::hash(&data[24..]));
    data[12..16].copy_from_slice(&crc.to_le_bytes());
    data[16..24].copy_from_slice(&length.to_le_bytes());
    if let Ok(file) = CountsFile::from_bytes(&data) {
        let _ = (file.tally(), file.anomalies(), file.counts.total(), file.digest());
        assert_eq!(CountsFile::from_bytes(&file.to_bytes()).expect("what was written"), file);
    }
}

/// `.wdl` files, with a right checksum: what is accepted comes back as it was written.
pub fn wdl(data: &[u8]) {
    let _ = WdlFile::from_bytes(data);
    let mut data = data.to_vec();
    if data.len() >= 16 {
        let crc = crc32fast::hash(&data[16..]);
        data[12..16].copy_from_slice(&crc.to_le_bytes());
    }
    if let Ok(file) = WdlFile::from_bytes(&data) {
        assert_eq!(WdlFile::from_bytes(&file.to_bytes()).expect("what was written"), file);
    }
}

/// Files of heads: what is accepted can be written, and what engines can read is exported as bytes, Rust and C.
pub fn heads(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    if let Ok(file) = HeadsFile::from_toml(text) {
        let written = file.to_toml().expect("TOML");
        HeadsFile::from_toml(&written).expect("what was written");
        // Heads that read ratings, or have weights beyond 16 bits, are for no engine.
        if let Ok(bytes) = file.to_binary() {
            Heads::from_bytes(&bytes).and_then(|heads| heads.verify()).expect("what was written");
            export::to_rust(&file, "heads").expect("the same as a module");
            export::to_c(&file, "heads").expect("the same as a header");
        }
    }
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
        let rule = Rule {
            sampling: Sampling::Every { from: 1 },
            min_moves: 0,
            variant: VariantChoice::Any,
            fen_starts: true,
            dedupe: false,
            replay: true,
            filters: Filters { termination: TerminationFilter::Any, ..Filters::default() },
        };
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
