//! Every reader of bytes from outside, as a function that must not panic and that checks what it read.
//!
//! The targets in `fuzz_targets/` call them one by one; `tests/fuzz.rs` of the program runs them on the seeds in `corpus/`.

use std::fs;
use std::path::PathBuf;

use drawish_core::table::CRC_OFFSET;
use drawish_core::{DrawTable, StructureIndex};
use drawish_games::annotate::{Annotator, Options};
use drawish_games::counts::CountsFile;
use drawish_games::fit::export;
use drawish_games::pgn::{EvalValue, Input, VariantChoice, eval_in_comment, read_games};
use drawish_games::sample::{Batch, Filters, Rule, Sampler, Sampling, TerminationFilter};
use drawish_games::wdl::WdlFile;
use drawish_heads::heads::HeadsFile;
use drawish_match::arena::{Book, BookRule, TimeControl};
use drawish_match::experiment::Experiment;
use drawish_stats::model::relevance::{MoveScheme, PositionScheme, Relevance};

/// Takes bytes from outside.
pub type Reader = fn(&[u8]);

/// The names of the targets, which are those of the directories in `corpus/`, and what each does with its bytes.
pub const READERS: [(&str, Reader); 10] = [
    ("annotate", annotate),
    ("book", book),
    ("comments", comments),
    ("counts", counts),
    ("experiment", experiment),
    ("games", games),
    ("heads", heads),
    ("table", table),
    ("time_control", time_control),
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
        if data.len() < CRC_OFFSET + 4 {
            return;
        }
        data[CRC_OFFSET..CRC_OFFSET + 4].fill(0);
        let crc = drawish_core::table::checksum(&data);
        data[CRC_OFFSET..CRC_OFFSET + 4].copy_from_slice(&crc.to_le_bytes());
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
            drawish_core::Heads::from_bytes(&bytes).and_then(|heads| heads.verify()).expect("what was written");
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
