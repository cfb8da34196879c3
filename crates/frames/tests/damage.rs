//! Damaged Parquet files are refused or read, and never end the program.

use std::panic::catch_unwind;

use drawish_core::Scheme;
use drawish_frames::{Frame, from_parquet, table_frame, to_parquet};
use drawish_games::counts::CountsFile;
use drawish_games::export::Table;
use drawish_games::smooth::{Estimator, estimate};

/// The frame of a shipped table: numbers and text, thousands of rows.
fn frame() -> Frame {
    let counts = CountsFile::from_bytes(include_bytes!("../../../tables/human.counts")).expect("counts");
    assert_eq!(counts.counts.scheme(), Scheme::Bg);
    let estimates = estimate(&counts.counts, Estimator::Raw).expect("rates");
    table_frame(&Table::new(&estimates, &counts)).expect("a frame")
}

#[test]
fn what_is_written_is_read_again() {
    let frame = frame();
    assert!(frame.height() > 1_000);
    let again = from_parquet(&to_parquet(&frame).expect("Parquet")).expect("the same");
    assert!(again == frame);
    assert_eq!(again.names().collect::<Vec<_>>(), frame.names().collect::<Vec<_>>());
    assert!(frame.values::<u32>("low").is_err_and(|error| error.to_string().contains("column low: expected u32")));
    assert!(frame.values::<u64>("middle").is_err_and(|error| error.to_string().contains("middle")));
}

#[test]
fn damage_is_an_error_and_no_panic() {
    let frame = frame();
    let bytes = to_parquet(&frame).expect("Parquet");
    // The bytes of both ends, where the structure is, and some of the columns between.
    let places = (0..bytes.len()).filter(|&place| place < 20 || place + 1_500 > bytes.len() || place % 1_009 == 0);
    for place in places {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1 << (place % 8);
        let read = catch_unwind(|| from_parquet(&damaged).ok());
        let read = read.unwrap_or_else(|_| panic!("byte {place} of {} panics", bytes.len()));
        // The index of pages, which is not read, and the mark of a digest may be damaged: no value comes of it.
        assert!(read.is_none_or(|read| read == frame), "byte {place} of {} is damaged, and read", bytes.len());
    }
    for end in (0..bytes.len()).step_by(bytes.len() / 20) {
        let read = catch_unwind(|| from_parquet(&bytes[..end]).is_ok());
        assert!(!read.unwrap_or_else(|_| panic!("cut at {end} panics")), "cut at {end} is read");
    }
}
