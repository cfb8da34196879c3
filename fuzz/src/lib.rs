//! Every reader of bytes from outside, as a function that must not panic and that checks what it read.
//!
//! The targets in `fuzz_targets/` call them one by one; `tests/fuzz.rs` of the program runs them on the seeds in `corpus/`.

pub mod files;
pub mod games;
pub mod kept;
pub mod matches;

use std::fs;
use std::path::PathBuf;

use drawish_games::pgn::Input;

/// Takes bytes from outside.
pub type Reader = fn(&[u8]);

/// The names of the targets, which are those of the directories in `corpus/`, and what each does with its bytes.
pub const READERS: [(&str, Reader); 26] = [
    ("annotate", games::annotate),
    ("archive", games::archive),
    ("book", matches::book),
    ("comments", games::comments),
    ("counts", files::counts),
    ("engine_heads", files::engine_heads),
    ("engine_output", matches::engine_output),
    ("experiment", matches::experiment),
    ("fastchess", matches::fastchess),
    ("fen", matches::fen),
    ("form", files::form),
    ("games", games::games),
    ("gui_input", matches::gui_input),
    ("heads", files::heads),
    ("kept", kept::kept),
    ("match_log", matches::match_log),
    ("printed", matches::printed),
    ("rows", games::rows),
    ("spsa", matches::spsa),
    ("table", files::table),
    ("time_control", matches::time_control),
    ("tournament_log", matches::tournament_log),
    ("training", games::training),
    ("wdl", files::wdl),
    ("wdl_games", games::wdl_games),
    ("wdl_json", files::wdl_json),
];

/// Calls what reads files with one that holds these bytes and has this ending. Packed bytes, which unpack to any size, are passed over.
fn with_file(data: &[u8], ending: &str, read: impl FnOnce(&Input)) {
    if [&b"\x1f\x8b"[..], b"\x28\xb5\x2f\xfd", b"BZh"].iter().any(|magic| data.starts_with(magic)) {
        return;
    }
    let path = temporary(ending);
    fs::write(&path, data).expect("a temporary file");
    read(&Input::File(path.clone()));
    let _ = fs::remove_file(path);
}

/// A file of this process with this ending, in memory where the system has such a directory.
fn temporary(ending: &str) -> PathBuf {
    let memory = std::path::Path::new("/dev/shm");
    let directory = if memory.is_dir() { memory.to_path_buf() } else { std::env::temp_dir() };
    directory.join(format!("drawish-fuzz-{}.{ending}", std::process::id()))
}
