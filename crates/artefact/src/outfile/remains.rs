//! Files in the making that have a name, and what stays of them when their process is killed.

use std::fs::{self, Metadata};
use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;

/// What the names of all temporary files begin with.
const PREFIX: &str = ".drawish-";

/// How long nobody must have written to a temporary file that another machine may have made until it counts as left behind.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// What the names of temporary files of this process begin with: its number, and the machine where that number holds.
pub(super) fn prefix() -> String {
    let process = std::process::id();
    match machine() {
        Some(machine) => format!("{PREFIX}{process}-{machine}-"),
        None => format!("{PREFIX}{process}-"),
    }
}

/// What this start of the machine, and this container on it, have in common with no other: there a number means one process.
fn machine() -> Option<&'static str> {
    static MACHINE: OnceLock<Option<String>> = OnceLock::new();
    let found = MACHINE.get_or_init(|| {
        let start = fs::read("/proc/sys/kernel/random/boot_id").ok()?;
        let numbers = fs::read_link("/proc/self/ns/pid").ok()?;
        let bytes = start.iter().copied().chain(numbers.as_os_str().as_encoded_bytes().iter().copied());
        // FNV-1a.
        let hash =
            bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        Some(format!("{hash:016x}"))
    });
    found.as_deref()
}

/// Removes temporary files of processes that were killed; as far as possible, since they only take room.
pub(super) fn remove(directory: &Path) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(maker) = name.to_str().and_then(Maker::of) else { continue };
        if entry.metadata().is_ok_and(|metadata| maker.is_gone(&metadata)) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Who made a temporary file, by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Maker<'a> {
    process: &'a str,
    machine: Option<&'a str>,
}

impl<'a> Maker<'a> {
    fn of(name: &'a str) -> Option<Maker<'a>> {
        let (maker, random) = name.strip_prefix(PREFIX)?.rsplit_once('-')?;
        let (process, machine) =
            maker.split_once('-').map_or((maker, None), |(process, machine)| (process, Some(machine)));
        let is_ours = random.len() == 6
            && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && machine
                .is_none_or(|machine| machine.len() == 16 && machine.bytes().all(|byte| byte.is_ascii_hexdigit()))
            && !process.is_empty()
            && process.bytes().all(|byte| byte.is_ascii_digit());
        is_ours.then_some(Maker { process, machine })
    }

    /// Whether nobody writes to the file any more.
    fn is_gone(self, file: &Metadata) -> bool {
        let is_running = Path::new("/proc").join(self.process).exists();
        // The number may be that of a process on another machine with the same disk: hence the day.
        let is_old = || file.modified().is_ok_and(|time| time.elapsed().is_ok_and(|age| age > DAY));
        let is_of_here = self.machine.is_some() && self.machine == machine() && may_see_owner(file);
        file.is_file() && !is_running && (is_of_here || is_old())
    }
}

/// Whether `/proc` shows the processes of who owns a file: it may hide those of others, but not from root.
#[cfg(unix)]
fn may_see_owner(file: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0 || own.uid() == file.uid())
}

/// Elsewhere no machine is known.
#[cfg(not(unix))]
fn may_see_owner(_file: &Metadata) -> bool {
    false
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::super::{ScratchDirectory, check_writable, write_whole};
    use super::*;
    use std::time::SystemTime;

    // No process has a number beyond 2^22 on Linux.
    const DEAD: u32 = 99_999_999;

    fn left_of(files: &[(String, u64)]) -> Vec<String> {
        left_by(files, |path| check_writable(path).expect("writable"))
    }

    fn left_by(files: &[(String, u64)], run: impl FnOnce(&Path)) -> Vec<String> {
        let place = ScratchDirectory::new().expect("a directory");
        for (name, hours) in files {
            let file = fs::File::create(place.path().join(name)).expect("a file");
            file.set_modified(SystemTime::now() - Duration::from_secs(3600 * hours)).expect("a time");
        }
        run(&place.path().join("x.counts"));
        let entries = fs::read_dir(place.path()).expect("a directory").flatten();
        let mut names: Vec<_> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn remains_of_killed_processes_are_removed_after_a_day() {
        let own = std::process::id();
        let left = left_of(&[
            (format!("{PREFIX}{DEAD}-aB3xYz"), 25),
            (format!("{PREFIX}{DEAD}-aB3xY2"), 23),
            (format!("{PREFIX}{DEAD}-0123456789abcdef-aB3xYz"), 25),
            (format!("{PREFIX}{DEAD}-0123456789abcdef-aB3xY2"), 23),
            (format!("{PREFIX}{own}-aB3xYz"), 25),
            (".drawish-notes".to_owned(), 1000),
            (".drawish-12-mine.pgn".to_owned(), 1000),
            (".drawish-12-my-aB3xYz".to_owned(), 1000),
            ("x.counts".to_owned(), 1000),
        ]);
        let mut kept =
            [".drawish-12-mine.pgn", ".drawish-12-my-aB3xYz", ".drawish-notes", "x.counts"].map(str::to_owned).to_vec();
        kept.push(format!("{PREFIX}{DEAD}-aB3xY2"));
        kept.push(format!("{PREFIX}{DEAD}-0123456789abcdef-aB3xY2"));
        if cfg!(target_os = "linux") {
            kept.push(format!("{PREFIX}{own}-aB3xYz"));
        }
        kept.sort();
        assert_eq!(left, kept);
    }

    /// Killed between giving a file a name and replacing another by it, or where files without a name are unknown.
    #[cfg(target_os = "linux")]
    #[test]
    fn remains_of_this_machine_are_removed_by_the_next_run() {
        let machine = machine().expect("Linux tells its machines apart");
        let own = prefix();
        assert_eq!(own, format!("{PREFIX}{}-{machine}-", std::process::id()));
        let left = left_of(&[
            (format!("{PREFIX}{DEAD}-{machine}-000000"), 0),
            (format!("{PREFIX}{DEAD}-0123456789abcdef-000000"), 0),
            (format!("{own}000000"), 0),
        ]);
        let mut kept = vec![format!("{PREFIX}{DEAD}-0123456789abcdef-000000"), format!("{own}000000")];
        kept.sort();
        assert_eq!(left, kept);
    }

    /// Not all who write have looked at the place first.
    #[cfg(target_os = "linux")]
    #[test]
    fn who_replaces_a_file_removes_what_another_left() {
        let machine = machine().expect("Linux tells its machines apart");
        let left = left_by(&[(format!("{PREFIX}{DEAD}-{machine}-000000"), 0), ("x.counts".to_owned(), 0)], |path| {
            write_whole(path, b"new").expect("written")
        });
        assert_eq!(left, ["x.counts"]);
    }
}
