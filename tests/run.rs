//! Running the program, and where its inputs lie.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{LazyLock, Mutex};

use serde_json::Value;
use tempfile::TempDir;

/// A directory of its own for each test, gone at its end, in which the program runs.
pub struct Place(TempDir);

impl Place {
    pub fn new() -> Place {
        notes();
        Place(TempDir::new().expect("a temporary directory"))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Makes a file.
    pub fn put(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        std::fs::write(&path, content).expect("a file");
        path
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn command<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_drawish"));
        command.args(args).current_dir(self.0.path());
        command
    }

    pub fn run<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Done {
        Done(self.command(args).output().expect("the program runs"))
    }

    /// Words apart by blanks.
    pub fn say(&self, line: &str) -> Done {
        self.run(line.split_whitespace())
    }
}

/// What a run of the program has printed, and its exit code.
pub struct Done(pub Output);

impl Done {
    #[track_caller]
    pub fn ok(self) -> Done {
        assert_eq!(self.code(), 0, "{}", self.err());
        self
    }

    /// The run ended with this exit code and said all of this on standard error.
    #[track_caller]
    pub fn fails(self, code: i32, said: &[&str]) -> Done {
        assert_eq!(self.code(), code, "out: {}\nerr: {}", self.out(), self.err());
        for part in said {
            assert!(self.err().contains(part), "expected {part:?} in {:?}", self.err());
        }
        self
    }

    pub fn code(&self) -> i32 {
        self.0.status.code().expect("the program was not killed")
    }

    pub fn out(&self) -> String {
        String::from_utf8_lossy(&self.0.stdout).into_owned()
    }

    pub fn err(&self) -> String {
        String::from_utf8_lossy(&self.0.stderr).into_owned()
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.0.stdout).unwrap_or_else(|error| panic!("{error}: {}", self.out()))
    }
}

/// A file or directory of ../shared, or `None` after noting that it is absent: `tests_skipped.rs` reports what was noted.
#[track_caller]
pub fn shared(path: &str) -> Option<PathBuf> {
    let full = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared").join(path);
    let notes = notes();
    if full.exists() {
        return Some(full);
    }
    // Tests that run in turns have no thread of their own to be known by.
    let caller = std::panic::Location::caller();
    let thread = std::thread::current();
    let test = thread.name().filter(|name| *name != "main").map_or_else(|| caller.to_string(), str::to_owned);
    let mut notes = notes.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    writeln!(notes, "{test}\t{path}").expect("the skipped test is noted");
    None
}

/// The notes of this run, which begins them anew.
fn notes() -> &'static Mutex<File> {
    static NOTES: LazyLock<Mutex<File>> = LazyLock::new(|| {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("skipped.txt");
        Mutex::new(File::create(path).expect("a file for notes"))
    });
    &NOTES
}

/// The games skipped for each reason for which any was.
pub fn skipped(summary: &Value) -> Vec<(String, u64)> {
    let all = summary["skipped"].as_object().expect("a map");
    all.iter()
        .map(|(reason, games)| (reason.clone(), games.as_u64().expect("a count")))
        .filter(|(_, games)| *games > 0)
        .collect()
}

/// What was noticed.
pub fn noticed(summary: &Value) -> Vec<(String, u64)> {
    let all = summary["noticed"].as_object().expect("a map");
    all.iter()
        .map(|(what, times)| (what.clone(), times.as_u64().expect("a count")))
        .filter(|(_, times)| *times > 0)
        .collect()
}

/// Every game read is counted or skipped, over all inputs and in each.
#[track_caller]
pub fn assert_adds_up(summary: &Value) {
    let sum = |value: &Value| {
        let skipped: u64 = value["skipped"].as_object().expect("a map").values().filter_map(Value::as_u64).sum();
        value["counted"].as_u64().expect("a count") + skipped
    };
    assert_eq!(summary["games"].as_u64(), Some(sum(summary)));
    for input in summary["inputs"].as_array().expect("a list") {
        assert_eq!(input["games"].as_u64(), Some(sum(input)), "{input}");
    }
    let games: u64 =
        summary["inputs"].as_array().expect("a list").iter().filter_map(|input| input["games"].as_u64()).sum();
    assert_eq!(summary["games"].as_u64(), Some(games));
}
