//! No panic can be reached from what an engine asks: in a release build of `no_panic/engine.rs`, linked into one, no symbol of
//! the panics of `core` is left.
//!
//! By hand: the two calls of `rustc` below, then `nm engine.a`.

#![expect(clippy::print_stderr, reason = "a skipped test says so")]

use std::path::Path;
use std::process::Command;

#[test]
fn nothing_that_an_engine_asks_can_panic() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let place = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let release = ["--edition=2024", "-Copt-level=3", "-Cpanic=abort", "-Ccodegen-units=1"];
    let rustc = |source: &str, more: &[&str]| {
        let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let output =
            Command::new(compiler).args(release).args(more).arg("--out-dir").arg(place).arg(root.join(source)).output();
        let output = output.expect("the compiler that has compiled this test");
        assert!(output.status.success(), "{source}: {}", String::from_utf8_lossy(&output.stderr));
    };
    rustc("src/lib.rs", &["--crate-name=drawish_core", "--crate-type=rlib"]);
    let library = format!("drawish_core={}", place.join("libdrawish_core.rlib").display());
    // Left to the linker alone, functions of core that nothing calls would stay.
    let linked = ["--crate-name=engine", "--crate-type=staticlib", "-Clto=fat", "--extern", &library];
    rustc("tests/no_panic/engine.rs", &linked);
    let archive = place.join("libengine.a");
    let Ok(symbols) = Command::new("nm").arg("--print-file-name").arg(&archive).output() else {
        eprintln!("skipped: there is no nm");
        return;
    };
    let symbols = String::from_utf8_lossy(&symbols.stdout);
    let own: Vec<_> = symbols.lines().filter(|line| line.contains(":engine.")).collect();
    for entry in ["probe_features", "probe_check", "probe_wdl", "probe_scores", "probe_table", "probe_open"] {
        assert!(own.iter().any(|line| line.ends_with(&format!(" T {entry}"))), "{entry} is not in {own:#?}");
    }
    let panics: Vec<_> =
        own.iter().filter(|line| line.contains("panicking") || line.contains("slice_index_fail")).collect();
    assert!(panics.is_empty(), "{panics:#?}");
}
