//! Stamps the commit into the program, so that every file that it writes can say what made it.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rustc-env=DRAWISH_GIT={}", commit().unwrap_or_else(|| "unknown".to_owned()));
    println!("cargo::rerun-if-changed=build.rs");
    // Naming a file that is not there would run this at every build, so a source archive names none.
    let log = ".git/logs/HEAD";
    if Path::new(log).exists() {
        println!("cargo::rerun-if-changed={log}");
    }
}

fn commit() -> Option<String> {
    // Only this project's own repository counts, not one that it happens to lie in.
    if !Path::new(".git").exists() {
        return None;
    }
    let output = Command::new("git").args(["rev-parse", "--short=12", "HEAD"]).output().ok()?;
    let hash = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| hash.trim().to_owned())
}
