//! No panic can be reached from what an engine asks: in a release build of `no_panic/engine.rs`, linked into one, no symbol of
//! the panics of `core` is left.
//!
//! By hand: the calls of `rustc` below, then `nm libengine.a`.

#![expect(clippy::print_stderr, reason = "a skipped test says so")]

use std::path::Path;
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const PLACE: &str = env!("CARGO_TARGET_TMPDIR");

fn rustc(source: &str, options: &[&str]) {
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(compiler)
        .args(["--edition=2024", "-Copt-level=3", "-Cpanic=abort", "-Ccodegen-units=1"])
        .args(options)
        .args(["--out-dir", PLACE])
        .arg(Path::new(ROOT).join(source))
        .output()
        .expect("the compiler that has compiled this test");
    assert!(output.status.success(), "{source}: {}", String::from_utf8_lossy(&output.stderr));
}

/// The symbols of the engine's own object, into which all that it calls is linked; none without `nm`.
fn symbols(options: &[&str]) -> Option<Vec<String>> {
    let library = format!("drawish_core={PLACE}/libdrawish_core.rlib");
    // Without the optimisation at link time, functions of core that nothing calls would stay.
    let mut linked = vec!["--crate-name=engine", "--crate-type=staticlib", "-Clto=fat", "--extern", &library];
    linked.extend(options);
    rustc("tests/no_panic/engine.rs", &linked);
    let output = Command::new("nm").arg("--print-file-name").arg(Path::new(PLACE).join("libengine.a")).output().ok()?;
    let own = |line: &&str| line.contains(":engine.");
    Some(String::from_utf8_lossy(&output.stdout).lines().filter(own).map(str::to_owned).collect())
}

fn can_panic(symbols: &[String]) -> bool {
    symbols.iter().any(|line| line.contains("panicking") || line.contains("slice_index_fail"))
}

#[test]
fn nothing_that_an_engine_asks_can_panic() {
    rustc("src/lib.rs", &["--crate-name=drawish_core", "--crate-type=rlib"]);
    let Some(own) = symbols(&[]) else {
        eprintln!("skipped: there is no nm");
        return;
    };
    for entry in ["probe_features", "probe_check", "probe_wdl", "probe_scores", "probe_table", "probe_open"] {
        assert!(own.iter().any(|line| line.ends_with(&format!(" T {entry}"))), "{entry} is not in {own:#?}");
    }
    assert!(!can_panic(&own), "{own:#?}");
    // The same with one place that can: it is found.
    assert!(can_panic(&symbols(&["--cfg=control"]).expect("as before")));
}
