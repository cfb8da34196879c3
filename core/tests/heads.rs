//! Files of heads that are damaged, cut, of other versions, or of things to come: an error that says so, or an answer within its
//! range.

use drawish_core::features::{self, COUNT, Family, View};
use drawish_core::head::{CRC_OFFSET, Gain, HEADER_LEN, WdlHead, checksum};
use drawish_core::{Board, Centipawns, Heads, HeadsError, Scheme};

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
        assert!((128..=1408).contains(&gain) && (128..=1408).contains(&mean));
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
    let mut empty = with(12, &0_u16.to_le_bytes());
    empty.truncate(HEADER_LEN);
    empty[16..20].copy_from_slice(&64_u32.to_le_bytes());
    assert!(said(&empty).contains("blocks are missing"));
    let mut flipped = GOOD.to_vec();
    flipped[200] ^= 1;
    let error = Heads::from_bytes(&flipped).and_then(|heads| heads.verify()).expect_err("a checksum");
    assert!(error.to_string().contains("changed after it was written"), "{error}");
}

/// Where the block of a kind begins, and its length.
fn block(kind: u16) -> (usize, usize) {
    let u16_at = |at: usize| u16::from_le_bytes([GOOD[at], GOOD[at + 1]]);
    let len = |at: usize| usize::from(u16_at(at + 4)) + (usize::from(u16_at(at + 6)) << 16);
    let mut at = HEADER_LEN;
    while u16_at(at) != kind {
        at += len(at);
    }
    (at, len(at))
}

/// From 10,000 centipawns on an evaluation is a result.
#[test]
fn an_evaluation_of_10_000_is_certain() {
    let certain = |eval| WdlHead::certain(Centipawns(eval)).map(|wdl| [wdl.win, wdl.draw, wdl.loss]);
    assert_eq!([9_999, -9_999, 0].map(certain), [None; 3]);
    assert_eq!([10_000, i32::MAX].map(certain), [Some([1000, 0, 0]); 2]);
    assert_eq!([-10_000, i32::MIN].map(certain), [Some([0, 0, 1000]); 2]);
}

#[test]
fn every_number_of_a_block_is_held_to_its_range() {
    let opens = |at: usize, bytes: &[u8]| Heads::from_bytes(&with(at, bytes)).is_ok();
    let refused = |kind: u16, at: usize, bytes: &[u8]| {
        let error = Heads::from_bytes(&with(at, bytes)).map(|_| ());
        assert_eq!(error, Err(HeadsError::Block { kind }), "{at}: {bytes:?}");
    };
    for kind in 1..=6 {
        let (start, _) = block(kind);
        for (shift, fits) in [(7_u16, false), (8, true), (15, true), (16, false)] {
            if fits {
                assert!(opens(start + 2, &shift.to_le_bytes()), "block {kind}, shift {shift}");
            } else {
                refused(kind, start + 2, &shift.to_le_bytes());
            }
        }
    }
    // The kappa of the draw head.
    let (draw, _) = block(1);
    for number in [0_i32, 65_535] {
        assert!(opens(draw + 12, &number.to_le_bytes()), "kappa {number}");
    }
    refused(1, draw + 12, &65_536_i32.to_le_bytes());
    // The means of the gain head: of e^v, and of the gain.
    let (gain, _) = block(2);
    for (at, number, fits) in [
        (12, 0, false),
        (12, -1, false),
        (12, 1, true),
        (12, i32::MAX, true),
        (16, 0, false),
        // The mean of gains, which are from 128 to 1,408, is one of them.
        (16, 127, false),
        (16, 128, true),
        (16, 1408, true),
        (16, 1409, false),
        (16, 65_536, false),
    ] {
        let number: i32 = number;
        if fits {
            assert!(opens(gain + at, &number.to_le_bytes()), "{at}: {number}");
        } else {
            refused(2, gain + at, &number.to_le_bytes());
        }
    }
    // The line: 2 to 64 knots, ascending and symmetric, values that do not fall, and at x and -x not above 0 together.
    let (line, len) = block(7);
    let knots = usize::from(GOOD[line + 8]);
    assert_eq!(len, (12 + 4 * knots).next_multiple_of(4));
    for count in [0_u16, 1, 65] {
        refused(7, line + 8, &count.to_le_bytes());
    }
    let (first, last) = (line + 12, line + 12 + 2 * (knots - 1));
    let number = |at: usize| i16::from_le_bytes([GOOD[at], GOOD[at + 1]]);
    for (at, value) in [
        (first, number(first) - 1),
        (first, number(first + 2)),
        (last, number(last) + 1),
        (first + 2 * knots, number(first + 2 * knots + 2) + 1),
        (last + 2 * knots, 1 - number(first + 2 * knots)),
    ] {
        refused(7, at, &value.to_le_bytes());
    }
    assert!(opens(last + 2 * knots, &(-number(first + 2 * knots)).to_le_bytes()), "0 together");
}

/// The file with this block in the place of the one of its kind, or as a further one.
fn with_block(kind: u16, body: &[u8]) -> Vec<u8> {
    let mut file = GOOD.to_vec();
    if kind < 8 {
        let (at, len) = block(kind);
        file.drain(at..at + len);
    } else {
        file[12] += 1;
    }
    file.extend(kind.to_le_bytes());
    file.extend([0; 2]);
    file.extend((8 + body.len() as u32).to_le_bytes());
    file.extend(body);
    let len = file.len() as u32;
    file[16..20].copy_from_slice(&len.to_le_bytes());
    let crc = checksum(&file);
    file[CRC_OFFSET..CRC_OFFSET + 4].copy_from_slice(&crc.to_le_bytes());
    file
}

/// Lines of any number of knots that are whole otherwise.
#[test]
fn a_line_has_2_to_64_knots() {
    for (count, fits) in [(1_i16, false), (2, true), (3, true), (64, true), (65, false)] {
        let knots = (0..count).flat_map(|knot| (2 * knot - (count - 1)).to_le_bytes());
        let values = vec![0; 2 * usize::from(count.unsigned_abs())];
        let body: Vec<u8> = count.to_le_bytes().into_iter().chain([0; 2]).chain(knots).chain(values).collect();
        let file = with_block(7, &body);
        let found = Heads::from_bytes(&file).map(|heads| heads.wdl_head().map_or(0, |head| head.knots().count()));
        assert_eq!(
            found,
            if fits { Ok(usize::from(count.unsigned_abs())) } else { Err(HeadsError::Block { kind: 7 }) }
        );
    }
}

/// The mean of what the cell of the structure and the cell of its colour swap add, each in 1/64 logit; the exponent is in 1/256.
#[test]
fn cells_add_to_the_exponent_of_the_gain() {
    let board = board();
    let mut values = [0; COUNT];
    features::fill(&View::new(&board), &mut values);
    let plain =
        Heads::from_bytes(GOOD).expect("heads").gain_head().expect("a gain head").exponent(&values, board.pawns());
    // White has pawns on b e f g, Black on b d f g, of the files b to g.
    let (own, other) = (0b11_1001 | 0b11_0101 << 6, 0b11_0101 | 0b11_1001 << 6);
    for (own_adds, other_adds) in [(0, 0), (5, 0), (0, -7), (5, -7), (-128, 127)] {
        let mut body = vec![0; 4 + 4096];
        body[..2].copy_from_slice(&Scheme::Bg.id().to_le_bytes());
        body[4 + own] = i8::to_le_bytes(own_adds)[0];
        body[4 + other] = i8::to_le_bytes(other_adds)[0];
        let file = with_block(8, &body);
        let heads = Heads::from_bytes(&file).expect("heads with cells");
        let found = heads.gain_head().expect("a gain head").exponent(&values, board.pawns());
        assert_eq!(found - plain, 2 * (i64::from(own_adds) + i64::from(other_adds)), "{own_adds} {other_adds}");
    }
}

#[test]
fn heads_without_a_wdl_head_or_a_gain_head_are_heads() {
    let without = |kinds: &[u16]| {
        let mut file = GOOD.to_vec();
        for &kind in kinds.iter().rev() {
            let (at, len) = block(kind);
            file.drain(at..at + len);
        }
        file[12] = 7 - kinds.len() as u8;
        let len = file.len() as u32;
        file[16..20].copy_from_slice(&len.to_le_bytes());
        let crc = checksum(&file);
        file[CRC_OFFSET..CRC_OFFSET + 4].copy_from_slice(&crc.to_le_bytes());
        let heads = Heads::from_bytes(&file).map_err(|error| error.to_string())?;
        Ok::<_, String>((
            heads.draw_score(&board()).is_some(),
            heads.gain(&board()).is_some(),
            heads.wdl_head().is_some(),
        ))
    };
    assert_eq!(without(&[]), Ok((true, true, true)));
    assert_eq!(without(&[4, 5, 6, 7]), Ok((true, true, false)));
    assert_eq!(without(&[1, 2, 3]), Ok((false, false, true)));
    for part in [&[4][..], &[5], &[6], &[7], &[4, 5, 6], &[1]] {
        assert!(without(part).is_err(), "without {part:?}");
    }
}

/// What the file says of itself, by other programs: CRC-32 by zlib, of the bytes with four zeros in its place; the weights counted
/// from the bytes by the tables of the format, in Python.
#[test]
fn the_file_of_the_examples_says_what_is_in_it() {
    let heads = Heads::from_bytes(GOOD).expect("heads");
    assert_eq!((checksum(GOOD), heads.size()), (0x4bf5_5ecd, 2180));
    assert_eq!(GOOD[CRC_OFFSET..CRC_OFFSET + 4], 0x4bf5_5ecd_u32.to_le_bytes());
    assert_eq!(heads.source_digest(), 0xca40_7ea1_4a3d_f3f2_7c1f_efab_016c_587b);
    let draw = heads.draw().expect("a draw head").sum().weights();
    let gain = heads.gain_head().expect("a gain head").score().weights();
    assert_eq!((draw, gain), (387, 70));
    assert_eq!(heads.wdl_head().expect("a WDL head").sums().map(|sum| sum.weights()), [32, 12, 59]);
}

#[test]
fn gains_keep_evaluations_within_their_numbers() {
    let largest = Gain { gain: 1408, mean: 128 };
    for (eval, expected) in
        [(100, 1100), (-100, -1100), (i32::MAX, i32::MAX), (-i32::MAX, -i32::MAX), (i32::MAX / 11, i32::MAX / 11 * 11)]
    {
        assert_eq!(largest.apply(Centipawns(eval)), Centipawns(expected), "{eval}");
    }
    // 3 times 1 / 2 is 1.5, rounded away from 0.
    let half = Gain { gain: 512, mean: 1024 };
    assert_eq!([3, -3, 0].map(|eval| half.apply(Centipawns(eval)).0), [2, -2, 0]);
}

#[test]
fn sums_read_the_families_that_change_them() {
    let heads = Heads::from_bytes(GOOD).expect("heads");
    let gain = heads.gain_head().expect("a gain head");
    let mut values = [0; COUNT];
    features::fill(&View::new(&board()), &mut values);
    let (mut read, mut changed) = (0, 0);
    for family in Family::ALL {
        read += u32::from(gain.score().reads(family));
        for place in family.first()..family.first() + family.len() {
            for value in [-9, 0, 1, 5, 40] {
                let mut other = values;
                other[place] = value;
                if gain.score().raw(&other) != gain.score().raw(&values) {
                    assert!(gain.score().reads(family), "{family:?}");
                    changed += 1;
                }
            }
        }
    }
    assert!(changed > 0 && read > 0 && read < Family::ALL.len() as u32, "{read}");
    // e^v in 1/1,024, v being rounded down to 1/256 and kept within 4.
    for line in include_str!("../features.tsv").lines().skip(1) {
        let board = Board::from_fen(line.split('\t').next().unwrap_or_default()).expect("a FEN");
        features::fill(&View::new(&board), &mut values);
        let v = (gain.exponent(&values, board.pawns()) as f64 / 256.0).clamp(-4.0, 4.0);
        let power = gain.power(&values, board.pawns()) as f64;
        assert!((power - 1024.0 * v.exp()).abs() < 1.0 + power / 500.0, "{board:?}: {power} for {v}");
    }
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
