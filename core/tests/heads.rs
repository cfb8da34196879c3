//! Files of heads that are damaged, cut, of other versions, or of things to come: an error that says so, or an answer within its
//! range.

use drawish_core::head::{CRC_OFFSET, Gain, HEADER_LEN, checksum};
use drawish_core::{Board, Centipawns, Heads, HeadsError};

static GOOD: &[u8] = include_bytes!("../examples/example.heads");

fn board() -> Board {
    Board::from_fen("r2q1rk1/pp2bppp/2n1b3/3p4/8/1P2PN2/PB2BPPP/R2Q1RK1 b - - 7 12").expect("a FEN")
}

/// The file with other bytes at some place, and a checksum that fits.
fn with(at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut file = GOOD.to_vec();
    file[at..at + bytes.len()].copy_from_slice(bytes);
    let crc = checksum(&file);
    file[CRC_OFFSET..CRC_OFFSET + 4].copy_from_slice(&crc.to_le_bytes());
    file
}

/// Everything that heads say, which must be within its range.
fn ask(heads: &Heads<'_>, board: &Board, eval: i32) {
    let eval = Centipawns(eval);
    if let Some(wdl) = heads.wdl(board, eval) {
        assert_eq!(wdl.win + wdl.draw + wdl.loss, 1000);
    }
    if let Some(Gain { gain, mean }) = heads.gain(board) {
        assert!((128..=1408).contains(&gain) && mean > 0);
    }
    let _ = (heads.draw_score(board), heads.expected(board, eval));
}

#[test]
fn one_flipped_bit_anywhere_is_found_and_does_no_harm() {
    let board = board();
    let mut opened = 0;
    for bit in 0..GOOD.len() * 8 {
        let mut bytes = GOOD.to_vec();
        bytes[bit / 8] ^= 1 << (bit % 8);
        if let Ok(heads) = Heads::from_bytes(&bytes) {
            assert!(matches!(heads.verify(), Err(HeadsError::Checksum { .. })), "bit {bit}");
            ask(&heads, &board, 120);
            opened += 1;
        }
    }
    assert!(opened > GOOD.len(), "most bits are weights: {opened}");
}

#[test]
fn files_that_are_cut_or_longer_are_refused() {
    for len in 0..GOOD.len() {
        let error = Heads::from_bytes(&GOOD[..len]).expect_err("cut");
        assert!(matches!(error, HeadsError::TooShort { .. } | HeadsError::Length { .. }), "{len}: {error}");
    }
    let longer = [GOOD, &[0; 4]].concat();
    assert!(matches!(Heads::from_bytes(&longer), Err(HeadsError::Length { .. })));
}

#[test]
fn what_is_wrong_is_said() {
    let said = |bytes: &[u8]| Heads::from_bytes(bytes).expect_err("wrong").to_string();
    assert!(said(&with(0, b"X")).contains("does not begin with DRAWHDS"));
    assert!(said(&with(8, &2_u16.to_le_bytes())).contains("expected heads of format version 1, found 2"));
    assert!(said(&with(10, &60_u16.to_le_bytes())).contains("header of 64 bytes, found 60"));
    assert!(said(&with(12, &9_u16.to_le_bytes())).contains("blocks are missing"));
    assert!(said(&with(12, &1_u16.to_le_bytes())).contains("blocks are missing"));
    // The first block is the draw head's.
    assert!(said(&with(HEADER_LEN, &99_u16.to_le_bytes())).contains("block kind 99 is not known"));
    assert!(said(&with(HEADER_LEN, &2_u16.to_le_bytes())).contains("blocks are missing, double"));
    assert!(said(&with(HEADER_LEN + 2, &16_u16.to_le_bytes())).contains("block kind 1 has numbers beyond"));
    assert!(said(&with(HEADER_LEN + 12, &(-1_i32).to_le_bytes())).contains("block kind 1 has numbers beyond"));
    // One more weight for the counts than they have features: a feature of a later release.
    assert!(said(&with(HEADER_LEN + 20, &11_u16.to_le_bytes())).contains("the feature 0x000a is not known"));
    let mut flipped = GOOD.to_vec();
    flipped[200] ^= 1;
    let error = Heads::from_bytes(&flipped).and_then(|heads| heads.verify()).expect_err("a checksum");
    assert!(error.to_string().contains("changed after it was written"), "{error}");
}

#[test]
fn random_blocks_do_no_harm() {
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random
    };
    let board = board();
    for _ in 0..20_000 {
        let mut bytes = GOOD.to_vec();
        for _ in 0..1 + next() % 3 {
            let at = HEADER_LEN + next() as usize % (bytes.len() - HEADER_LEN);
            bytes[at] = next() as u8;
        }
        if let Ok(heads) = Heads::from_bytes(&bytes) {
            ask(&heads, &board, next() as i32);
        }
    }
}

#[test]
fn evaluations_of_any_size_and_boards_of_no_game_have_answers() {
    let heads = Heads::from_bytes(GOOD).expect("heads");
    let roles = [u64::MAX, 0, u64::MAX, 1 << 63, 0xff, 0];
    let odd = [
        Board::from_roles([0; 6], 0, 0, drawish_core::Color::White, 0),
        Board::from_roles([u64::MAX; 6], u64::MAX, u64::MAX, drawish_core::Color::Black, u32::MAX),
        Board::from_roles(roles, u64::MAX, 0xff00, drawish_core::Color::White, 3),
    ];
    for board in odd.iter().chain([&board()]) {
        for eval in [i32::MIN, -32_000, -10_000, -9_999, -2_001, 0, 9_999, 10_000, 32_000, i32::MAX] {
            ask(&heads, board, eval);
        }
        let wdl = |eval| heads.wdl(board, Centipawns(eval)).map(|wdl| [wdl.win, wdl.draw, wdl.loss]);
        assert_eq!((wdl(i32::MAX), wdl(i32::MIN)), (Some([1000, 0, 0]), Some([0, 0, 1000])));
        // Beyond the last knot nothing changes until it is a mate.
        assert_eq!(wdl(2_000), wdl(9_999));
    }
}

#[test]
fn the_number_of_rows_is_that_of_the_file() {
    for rows in [0, 1, 0x89ab_cdef_u64, 0x0123_4567_89ab_cdef, u64::MAX] {
        let file = with(24, &rows.to_le_bytes());
        assert_eq!(Heads::from_bytes(&file).map(|heads| heads.rows()), Ok(rows));
    }
}

#[test]
fn win_draw_and_loss_follow_the_evaluation_and_the_colours() {
    let heads = Heads::from_bytes(GOOD).expect("heads");
    for line in include_str!("../features.tsv").lines().skip(1) {
        let board = Board::from_fen(line.split('\t').next().unwrap_or_default()).expect("a FEN");
        let wdl = |board: &Board, eval| heads.wdl(board, Centipawns(eval)).expect("a WDL head");
        let mut last = wdl(&board, -11_000);
        for eval in (-2_100..2_100).step_by(7) {
            let now = wdl(&board, eval);
            assert!(now.win >= last.win && now.loss <= last.loss, "{board:?} at {eval}");
            // Colours exchanged the side to move stays the one that is ahead.
            assert_eq!(wdl(&board.flip_colors(), eval), now, "{board:?} at {eval}");
            last = now;
        }
        assert_eq!(heads.draw_score(&board), heads.draw_score(&board.flip_colors()));
        assert_eq!(heads.gain(&board), heads.gain(&board.flip_colors()));
    }
}
