//! Readers of the project's own files.

use drawish_core::table::{CRC_OFFSET, HEADER_LEN};
use drawish_core::{Board, Centipawns, Color, DrawTable, Heads, StructureIndex};
use drawish_engine::form::Form;
use drawish_games::counts::CountsFile;
use drawish_games::fit::export;
use drawish_games::wdl::fit::Normalization;
use drawish_games::wdl::{Model, WdlFile, c_header, read_json, rust_module, write_json};
use drawish_heads::heads::HeadsFile;

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

/// `.heads` files, with a right length and checksum too: what is accepted answers within its ranges on every board. Whether
/// it answers the same for both colours is up to who wrote it: which feature is even the reader leaves to the writer.
pub fn engine_heads(given: &[u8]) {
    use drawish_core::head::{CRC_OFFSET, HEADER_LEN, checksum};
    let mut data = given.to_vec();
    for _ in 0..2 {
        if let Ok(heads) = Heads::from_bytes(&data) {
            let _ = (heads.rows(), heads.source_digest());
            let _ = heads.verify();
            BOARDS.iter().for_each(|fen| answers(&heads, &Board::from_fen(fen).expect("a FEN")));
            // What no game has: no answer means anything, and each is within its range.
            answers(&heads, &Board::from_roles([u64::MAX; 6], u64::MAX, u64::MAX, Color::Black, u32::MAX));
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

fn answers(heads: &Heads<'_>, board: &Board) {
    assert_eq!(heads.draw_score(board).is_some(), heads.draw().is_some());
    if let Some(gain) = heads.gain(board) {
        assert!((128..=1408).contains(&gain.gain) && (128..=1408).contains(&gain.mean));
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

/// WDL counts and WDL models in JSON, and Stockfish's sources: what is accepted comes back as it was written, and models can be exported.
pub fn wdl_json(data: &[u8]) {
    if let Ok(counts) = read_json(data) {
        let mut json = Vec::new();
        write_json(&counts, &mut json).expect("memory takes all");
        assert_eq!(read_json(&json[..]).expect("what was written").total(), counts.total());
    }
    let Ok(text) = str::from_utf8(data) else { return };
    if let Ok(model) = Model::from_json(text) {
        let written = model.to_json();
        // A number may change in its last place when it is written; once written, it stays.
        let again = Model::from_json(&written).expect("what was written").to_json();
        assert_eq!(again, written);
        let _ = (c_header(&model), rust_module(&model));
    }
    let _ = Normalization::of_sources(text, text);
}

/// The numbers of the engine's form.
pub fn form(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let _ = Form::from_toml(text);
}
