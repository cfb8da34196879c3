//! What an engine asks of this crate, without the standard library: `no_panic.rs` compiles it and looks for panics.
//!
//! The panic handler is reached by nothing if no path can panic.
#![no_std]

use drawish_core::features::{COUNT, View, fill};
use drawish_core::{Board, Centipawns, Color, DrawTable, Heads, Pawns};

static HEADS: Heads<'static> = Heads::embed(include_bytes!("../../examples/example.heads"));
static TABLE: DrawTable<'static> = DrawTable::embed(include_bytes!("../../examples/pawns.table"));

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

fn board(roles: &[u64; 6], white: u64, black: u64, turn: bool, clock: u32) -> Board {
    Board::from_roles(*roles, white, black, if turn { Color::White } else { Color::Black }, clock)
}

/// All features of a board.
#[unsafe(no_mangle)]
pub extern "C" fn probe_features(roles: &[u64; 6], white: u64, black: u64, turn: bool, values: &mut [i16; COUNT]) {
    fill(&View::new(&board(roles, white, black, turn, 0)), values);
}

/// Whether a board is one of a game.
#[unsafe(no_mangle)]
pub extern "C" fn probe_check(roles: &[u64; 6], white: u64, black: u64) -> bool {
    board(roles, white, black, true, 0).check().is_ok()
}

/// Win, draw and loss.
#[unsafe(no_mangle)]
pub extern "C" fn probe_wdl(roles: &[u64; 6], white: u64, black: u64, turn: bool, clock: u32, eval: i32) -> u32 {
    let wdl = HEADS.wdl(&board(roles, white, black, turn, clock), Centipawns(eval));
    wdl.map_or(0, |wdl| u32::from(wdl.win) << 16 | u32::from(wdl.loss))
}

/// The draw score, the gain, the expected score.
#[unsafe(no_mangle)]
pub extern "C" fn probe_scores(roles: &[u64; 6], white: u64, black: u64, eval: i32, out: &mut [i32; 3]) {
    let board = board(roles, white, black, true, 0);
    let eval = Centipawns(eval);
    *out = [
        HEADS.draw_score(&board).map_or(0, |score| score.0.into()),
        HEADS.gain(&board).map_or(eval, |gain| gain.apply(eval)).0,
        HEADS.expected(&board, eval).map_or(0, |expected| expected.to_centipawns().0),
    ];
}

/// A cell of a table.
#[unsafe(no_mangle)]
pub extern "C" fn probe_table(white: u64, black: u64) -> i16 {
    TABLE.cell(Pawns { white, black }).draw_score.0
}

/// Heads that are read while the program runs: any bytes at all.
///
/// # Safety
///
/// `bytes` are `length` bytes that can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn probe_open(bytes: *const u8, length: usize, board: &Board, eval: i32) -> u32 {
    // SAFETY: the caller's word.
    let bytes = unsafe { core::slice::from_raw_parts(bytes, length) };
    match Heads::from_bytes(bytes) {
        Ok(heads) if heads.verify().is_ok() => {
            heads.wdl(board, Centipawns(eval)).map_or(0, |wdl| wdl.win.into())
                + heads.draw_score(board).map_or(0, |score| score.0 as u32)
                + heads.gain(board).map_or(0, |gain| gain.gain.into())
        }
        _ => u32::MAX,
    }
}

/// What can panic, so that the test knows what that looks like.
#[cfg(control)]
#[unsafe(no_mangle)]
pub extern "C" fn probe_control(values: &[i16; COUNT], place: usize) -> i16 {
    values[place]
}
