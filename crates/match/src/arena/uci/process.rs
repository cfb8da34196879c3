//! An engine's process. It is read by the thread that waits for its answer, without another thread between; a watchdog that is
//! shared by all engines ends the wait when an answer is overdue, by `stop` and then by killing the process.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

/// How often the watchdog looks. Time is measured by those who wait, so this only delays the end of a wait.
const TICK: Duration = Duration::from_millis(10);

/// A longer line is cut: nothing that matters is as long, and an engine gone mad must not fill the memory.
const LONGEST_LINE: u64 = 1 << 20;

/// A process with its pipes.
pub(super) struct Process {
    guarded: Arc<Guarded>,
    output: BufReader<ChildStdout>,
    line: Vec<u8>,
}

/// What the watchdog may touch.
struct Guarded {
    input: Mutex<ChildStdin>,
    child: Mutex<Child>,
    overdue: Mutex<Overdue>,
}

/// When patience ends.
#[derive(Clone, Copy, Default)]
struct Overdue {
    stop: Option<Instant>,
    kill: Option<Instant>,
    stopped: bool,
    killed: bool,
}

/// How a wait has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ended {
    /// The output has ended by itself.
    Closed,
    /// The watchdog had to kill the process.
    Killed,
}

impl Process {
    pub(super) fn start(
        command: &Path,
        args: &[String],
        dir: Option<&Path>,
        watchdog: &Watchdog,
    ) -> io::Result<Process> {
        let mut start = Command::new(command);
        start.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        if let Some(dir) = dir {
            start.current_dir(dir);
        }
        // A group of its own, so that what a start script has started can be ended with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut start, 0);
        let mut child = start.spawn()?;
        let missing = || io::Error::other("the process has no pipes");
        let input = child.stdin.take().ok_or_else(missing)?;
        let output = child.stdout.take().ok_or_else(missing)?;
        let guarded = Arc::new(Guarded {
            input: Mutex::new(input),
            child: Mutex::new(child),
            overdue: Mutex::new(Overdue::default()),
        });
        watchdog.watch(&guarded);
        Ok(Process { guarded, output: BufReader::with_capacity(16 << 10, output), line: Vec::new() })
    }

    /// Writes a line or several. That the process is gone shows when its answer is read.
    pub(super) fn write(&self, text: &[u8]) {
        let _ = lock(&self.guarded.input).write_all(text);
    }

    /// From now on the engine is told to stop after the first time, and killed after the second.
    pub(super) fn expect_within(&self, stop: Option<Duration>, kill: Duration) {
        let now = Instant::now();
        *lock(&self.guarded.overdue) =
            Overdue { stop: stop.map(|stop| now + stop), kill: Some(now + kill), ..Overdue::default() };
    }

    /// The answer is there.
    pub(super) fn expect_nothing(&self) {
        let mut overdue = lock(&self.guarded.overdue);
        (overdue.stop, overdue.kill) = (None, None);
    }

    /// Tells the engine to stop now. It has as long to answer as the watchdog would give it.
    pub(super) fn stop(&self, grace: Duration) {
        let mut overdue = lock(&self.guarded.overdue);
        if !overdue.stopped {
            overdue.stopped = true;
            overdue.kill = Some(Instant::now() + grace);
            drop(overdue);
            self.write(b"stop\n");
        }
    }

    /// Whether it had to be told to stop since the last [`expect_within`](Self::expect_within).
    pub(super) fn was_stopped(&self) -> bool {
        lock(&self.guarded.overdue).stopped
    }

    /// The next line; bytes that are no UTF-8 are replaced.
    pub(super) fn read_line(&mut self) -> Result<String, Ended> {
        self.line.clear();
        match self.output.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut self.line) {
            Ok(count) if count > 0 => Ok(String::from_utf8_lossy(&self.line).trim().to_owned()),
            _ if lock(&self.guarded.overdue).killed => Err(Ended::Killed),
            _ => Err(Ended::Closed),
        }
    }
}

/// Asks the engine to quit and makes sure that it does. Once its end has been seen its number may belong to another process, so
/// nothing is killed after that.
impl Drop for Process {
    fn drop(&mut self) {
        self.expect_nothing();
        self.write(b"stop\nquit\n");
        let deadline = Instant::now() + Duration::from_millis(500);
        while Instant::now() < deadline {
            if matches!(lock(&self.guarded.child).try_wait(), Ok(Some(_)) | Err(_)) {
                return;
            }
            thread::sleep(Duration::from_millis(2));
        }
        self.guarded.kill();
        let _ = lock(&self.guarded.child).wait();
    }
}

impl Guarded {
    fn kill(&self) {
        let mut child = lock(&self.child);
        #[cfg(unix)]
        if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = child.kill();
    }

    fn look(&self, now: Instant) {
        let mut overdue = lock(&self.overdue);
        if overdue.kill.is_some_and(|kill| now >= kill) {
            overdue.kill = None;
            overdue.killed = true;
            drop(overdue);
            self.kill();
        } else if !overdue.stopped && overdue.stop.is_some_and(|stop| now >= stop) {
            overdue.stopped = true;
            drop(overdue);
            // Whoever holds the input writes to an engine that does not read: it will be killed soon.
            if let Ok(mut input) = self.input.try_lock() {
                let _ = input.write_all(b"stop\n");
            }
        }
    }
}

/// Looks after all engines of a match.
#[derive(Clone, Default)]
pub struct Watchdog(Arc<Mutex<Vec<Weak<Guarded>>>>);

impl Watchdog {
    /// Starts the watch, which ends when this is dropped.
    ///
    /// # Errors
    ///
    /// If the system gives no thread.
    pub fn start() -> io::Result<Watchdog> {
        let watchdog = Watchdog::default();
        let watched = Arc::downgrade(&watchdog.0);
        thread::Builder::new().name("watchdog".to_owned()).spawn(move || {
            while let Some(watched) = watched.upgrade() {
                let now = Instant::now();
                lock(&watched).retain(|guarded| guarded.upgrade().inspect(|guarded| guarded.look(now)).is_some());
                drop(watched);
                thread::sleep(TICK);
            }
        })?;
        Ok(watchdog)
    }

    fn watch(&self, guarded: &Arc<Guarded>) {
        lock(&self.0).push(Arc::downgrade(guarded));
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
