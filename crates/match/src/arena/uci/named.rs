//! Files that an engine's command line and options name.

use std::path::{Path, PathBuf};

use super::engine::EngineSpec;

/// Whether an engine itself writes a file while it plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Written {
    /// A program, script or network.
    Never,
    /// Neither its name nor the option says what it is.
    Hardly,
    /// A log or a book.
    Perhaps,
}

/// The file that is started by `command` in `dir` (where this program runs if `None`): a bare name is looked for in `PATH`, a relative
/// path begins in `dir`. `None` where there is no such program.
pub(super) fn program_file(command: &Path, dir: Option<&Path>) -> Option<PathBuf> {
    find(command, dir, &std::env::var_os("PATH").unwrap_or_default())
}

fn find(command: &Path, dir: Option<&Path>, path: &std::ffi::OsStr) -> Option<PathBuf> {
    // Windows begins relative paths where this program runs.
    let base = dir.filter(|_| !cfg!(windows)).unwrap_or(Path::new(""));
    let is_bare = command.parent().is_none_or(|parent| parent.as_os_str().is_empty());
    let places = if is_bare { std::env::split_paths(path).collect() } else { vec![PathBuf::new()] };
    let named = |file: PathBuf| {
        let mut ending = file.clone().into_os_string();
        ending.push(std::env::consts::EXE_SUFFIX);
        [file, ending.into()]
    };
    places.into_iter().flat_map(|place| named(base.join(place).join(command))).find(|file| is_program(file))
}

/// Parts of the names of networks, and of the options and arguments whose values they are.
const NETWORKS: [&str; 5] = ["eval", "net", "weights", "nn", "model"];
/// Words of which the names of options and arguments consist that ask for a network, whatever its ending.
const FOR_NETWORKS: [&str; 13] = [
    "eval",
    "evalfile",
    "net",
    "network",
    "nn",
    "nnue",
    "nnuefile",
    "weights",
    "weightsfile",
    "model",
    "file",
    "path",
    "w",
];

/// Whether an option or argument asks for a network: `EvalFile`, `--evalfile`, `WeightsFile`, `-w`; not `--model-cache`.
fn asks_for_network(name: &str) -> bool {
    let mut words = String::with_capacity(name.len());
    let mut before = ' ';
    for letter in name.chars() {
        words.extend((letter.is_ascii_uppercase() && before.is_ascii_lowercase()).then_some(' '));
        words.push(if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { ' ' });
        before = letter;
    }
    let are_known = words.split_whitespace().all(|word| FOR_NETWORKS.contains(&word));
    are_known && words.split_whitespace().any(|word| !matches!(word, "file" | "path"))
}

/// Endings of what an engine is or knows, and never writes itself: switches before these may have no value.
const ENDINGS: [&str; 19] = [
    "py", "pyz", "jar", "js", "mjs", "cjs", "ts", "rb", "lua", "pl", "sh", "exe", "dll", "nnue", "net", "nn", "onnx",
    "pb", "pt",
];
/// Parts of the names of options and arguments whose values engines write, or from which they learn while they play.
const WRITTEN: [&str; 9] = ["log", "debug", "learn", "experience", "book", "hash", "save", "record", "output"];

/// Programs that start the one that they are given.
const STARTERS: [&str; 12] =
    ["nice", "ionice", "taskset", "numactl", "chrt", "env", "nohup", "setsid", "stdbuf", "timeout", "time", "wine"];

/// Whether a file may be one that an engine writes while it plays: a log or, if it is no network, a book from which it learns.
fn may_be_written(file: &Path, is_network: bool) -> bool {
    match ending_of(file).as_deref() {
        Some("log") => true,
        // What a compiler writes is `a.out`.
        Some("out") => !is_network && !is_program(file),
        Some("txt" | "err" | "pgn" | "csv" | "bin" | "exp" | "json" | "dat" | "db") => !is_network,
        _ => false,
    }
}

fn ending_of(file: &Path) -> Option<String> {
    file.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase())
}

/// A file that an argument or option names.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Named {
    /// As it is written there.
    pub word: String,
    pub file: PathBuf,
    pub written: Written,
}

/// The files that the arguments and options of an engine name, from which it plays as much as from its program, be they scripts, networks or
/// programs that another one starts (`nice -n 5 ./engine`): as they are written, and where they are, which is where the engine runs, beside its
/// program or, if they are programs that it starts, in `PATH`. None are those that it may write, but for books given as arguments, which may be networks.
pub(super) fn named_files(spec: &EngineSpec, program: Option<&Path>) -> Vec<Named> {
    let has_part = |name: &str, parts: &[&str]| {
        let name = name.to_ascii_lowercase();
        parts.iter().any(|part| name.contains(part))
    };
    let is_network = |name: &str| name == "-w" || has_part(name, &NETWORKS);
    // Networks of Leela Chess Zero have numbers as names.
    let names_file = |name: &str| {
        let name = name.to_ascii_lowercase();
        name == "-w" || ["weights", "file"].iter().any(|end| name.ends_with(end))
    };
    // Where it runs, and where its program is.
    let places = || std::iter::once(spec.dir.as_deref().unwrap_or(Path::new(""))).chain(program.and_then(Path::parent));
    let starts_another =
        program.and_then(Path::file_stem).is_some_and(|stem| STARTERS.iter().any(|name| stem == *name));
    let found = |name: &str, word: &str, is_argument: bool| {
        // They are no files, wherever one has that name.
        let is_value =
            matches!(word, "true" | "false") || !names_file(name) && word.bytes().all(|byte| byte.is_ascii_digit());
        let here = |count: usize| places().take(count).map(|place| place.join(word)).find(|file| file.is_file());
        match is_value {
            true => None,
            false if word.contains(['.', '/', '\\']) || is_network(name) => here(2),
            false if !is_argument => None,
            false if starts_another => program_file(Path::new(word), spec.dir.as_deref()),
            // A script, and not what a switch says how to call a log.
            false => here(1).filter(|file| (name.is_empty() || is_program(file)) && !has_part(word, &WRITTEN)),
        }
    };
    let named = |name: &str, word: &str, is_argument: bool| {
        let file = found(name, word, is_argument)?;
        let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let is_network = is_network(name) || is_network(&stem);
        let may_be_written = may_be_written(&file, is_network);
        let ending = ending_of(&file).unwrap_or_default();
        let is_output = name == "-o" || has_part(name, &WRITTEN);
        let is_taken = match ending.as_str() {
            ending if ENDINGS.contains(&ending) => true,
            "bin" if is_argument => !is_output,
            _ => !is_output && !may_be_written,
        };
        let written = match () {
            () if may_be_written => Written::Perhaps,
            () if !is_output && (ENDINGS.contains(&&*ending) || asks_for_network(name)) => Written::Never,
            () => Written::Hardly,
        };
        is_taken.then(|| Named { word: word.to_owned(), file, written })
    };
    // `--weights=FILE`, `--weights FILE`, or a file alone.
    let switches = spec.args.iter().map(|word| if word.starts_with('-') && !word.contains('=') { word } else { "" });
    let arguments = std::iter::once("").chain(switches).zip(&spec.args).filter_map(|(before, word)| {
        let (name, value) = word.split_once('=').unwrap_or((before, word));
        named(name, value, true)
    });
    arguments.chain(spec.options.iter().filter_map(|(name, value)| named(name, value, false))).collect()
}

#[cfg(unix)]
fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(file: &Path) -> bool {
    file.is_file()
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_program_is_found_where_it_is_started() {
        let root = std::env::temp_dir().join(format!("drawish-program-{}", std::process::id()));
        let (first, second) = (root.join("first"), root.join("second"));
        for (place, mode) in [(&first, 0o644), (&second, 0o755)] {
            fs::create_dir_all(place).expect("a directory");
            fs::write(place.join("eng"), "").expect("a file");
            fs::set_permissions(place.join("eng"), fs::Permissions::from_mode(mode)).expect("it is ours");
        }
        let path = std::env::join_paths([&first, &second]).expect("a path");
        let found = |command: &str, dir: Option<&Path>| find(Path::new(command), dir, &path);
        let own = Some(second.join("eng"));
        assert_eq!(found("eng", None), own, "a file that is no program is passed over");
        assert_eq!(found("eng", Some(&first)), own, "a bare name is not looked for where it runs");
        assert_eq!(found("second/eng", Some(&root)), own);
        assert_eq!(found("./eng", Some(&second)), Some(second.join("./eng")));
        assert_eq!(found("./eng", Some(&root)), None);
        assert_eq!(found(&second.join("eng").display().to_string(), Some(&first)), own);
        assert_eq!(find(Path::new("eng"), Some(&root), "first:second".as_ref()), own, "so are relative places");
        fs::remove_dir_all(&root).expect("it goes");
    }

    #[test]
    fn files_of_an_engine_are_found_where_it_runs_and_beside_its_program() {
        for name in ["EvalFile", "--evalfile", "WeightsFile", "--weights", "-w", "NNUE file", "--net"] {
            assert!(asks_for_network(name), "{name}");
        }
        for name in ["--model-cache", "--nn-stats", "--planner", "File", "--runner", "", "BookFile", "--eval-dump"] {
            assert!(!asks_for_network(name), "{name}");
        }
        assert!(!may_be_written(Path::new("learned.bin"), true) && may_be_written(Path::new("eval.log"), true));
        let root = std::env::temp_dir().join(format!("drawish-files-{}", std::process::id()));
        let (runs, lies) = (root.join("runs"), root.join("lies"));
        let names = [
            "a.py",
            "b.NNUE",
            "e.pb.gz",
            "latest",
            "Engine.dll",
            "nn.bin",
            "m.bin",
            "eng",
            "t.txt",
            "true",
            "Engine.js",
            "t.dat",
            "x.exe",
            "run",
            "7",
            "a.out",
        ];
        let beside = ["b.NNUE", "c", "d.log", "t.txt"].map(|name| (&lies, name));
        for (place, name) in beside.into_iter().chain(names.map(|name| (&runs, name))) {
            fs::create_dir_all(place).expect("a directory");
            fs::write(place.join(name), "").expect("a file");
        }
        fs::set_permissions(runs.join("a.out"), fs::Permissions::from_mode(0o755)).expect("it is ours");
        let option = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let spec = EngineSpec {
            args: "run -u a.py d.log --logfile c b.NNUE d.log gone.jar --weights=e.pb.gz t.txt --log=latest -w latest Engine.dll nn.bin m.bin -n ./eng --net t.txt --experimental-wasm Engine.js -o t.dat -l latest --debug x.exe ./a.out"
                .split(' ')
                .map(str::to_owned)
                .collect(),
            dir: Some(runs.clone()),
            options: vec![
                option("EvalFile", "b.NNUE"),
                option("WeightsFile", "c"),
                option("NNUE file", "m.bin"),
                option("Nnfile", "t.txt"),
                option("Parameters", "a.py"),
                option("Debug Log File", "d.log"),
                option("LogFile", "latest"),
                option("Own Book File", "m.bin"),
                option("Hash", "128"),
                option("Ponder", "true"),
                option("Own Eval", "true"),
                option("Eval Noise", "7"),
                option("WeightsFile", "7"),
            ],
            ..EngineSpec::default()
        };
        let bare = EngineSpec { args: vec!["sh".to_owned(), "5".to_owned()], ..EngineSpec::default() };
        let names = |starter: &str| {
            let named = named_files(&bare, Some(Path::new(starter))).into_iter();
            named.map(|named| named.word).collect::<Vec<_>>()
        };
        assert_eq!((names("/usr/bin/nice"), names("/usr/bin/engine")), (vec!["sh".to_owned()], Vec::new()));
        let found = named_files(&spec, Some(&lies.join("engine"))).into_iter();
        let found: Vec<_> = found.map(|named| (named.word, named.file, named.written == Written::Perhaps)).collect();
        let expected = [
            ("run", &runs, false),
            ("a.py", &runs, false),
            ("b.NNUE", &runs, false),
            ("e.pb.gz", &runs, false),
            ("latest", &runs, false),
            ("Engine.dll", &runs, false),
            ("nn.bin", &runs, false),
            ("m.bin", &runs, true),
            ("./eng", &runs, false),
            ("t.txt", &runs, false),
            ("Engine.js", &runs, false),
            ("x.exe", &runs, false),
            ("./a.out", &runs, false),
            ("b.NNUE", &runs, false),
            ("c", &lies, false),
            ("m.bin", &runs, false),
            ("t.txt", &runs, false),
            ("a.py", &runs, false),
            ("7", &runs, false),
        ];
        assert_eq!(found, expected.map(|(name, place, written)| (name.to_owned(), place.join(name), written)));
        fs::remove_dir_all(root).expect("what was made");
    }
}
