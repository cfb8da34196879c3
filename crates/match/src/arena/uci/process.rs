//! An engine's process. It is read by the thread that waits for its answer, without another thread between; a watchdog that is
//! shared by all engines ends the wait when an answer is overdue, by `stop` and then by killing the process.

use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use super::engine_log::Voice;

/// How often the watchdog looks. Time is measured by those who wait, so this only delays the end of a wait.
const TICK: Duration = Duration::from_millis(10);

/// A longer line is cut: nothing that matters is as long, and an engine gone mad must not fill the memory.
const LONGEST_LINE: usize = 1 << 20;

/// How long an engine that should read, and is not awaited for anything else, may leave its input full; and how long it may take
/// to quit.
const TO_READ: Duration = Duration::from_secs(10);
const TO_QUIT: Duration = Duration::from_millis(500);

const STOP: &[u8] = b"stop\n";

/// How long the output of a killed engine is waited for: what it has started may hold the pipe open, and write.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// A process with its pipes. Neither end blocks (on Unix), so that no engine can keep who waits for it longer than it may.
pub(super) struct Process {
    guarded: Arc<Guarded>,
    output: BufReader<ChildStdout>,
    /// What has been read of a line so far.
    line: Vec<u8>,
}

/// What the watchdog may touch.
struct Guarded {
    input: Mutex<ChildStdin>,
    child: Mutex<Child>,
    overdue: Mutex<Overdue>,
    /// Where what is said is written down.
    voice: Option<Voice>,
}

/// When patience ends.
#[derive(Clone, Copy, Default)]
struct Overdue {
    stop: Option<Instant>,
    kill: Option<Instant>,
    stopped: bool,
    killed: Option<Instant>,
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
        voice: Option<Voice>,
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
        if let Some(voice) = &voice {
            voice.notes(&format!("started as process {}", child.id()));
        }
        let missing = || io::Error::other("the process has no pipes");
        let input = child.stdin.take().ok_or_else(missing)?;
        let output = child.stdout.take().ok_or_else(missing)?;
        #[cfg(unix)]
        {
            rustix::io::ioctl_fionbio(&input, true)?;
            rustix::io::ioctl_fionbio(&output, true)?;
        }
        let guarded = Arc::new(Guarded {
            input: Mutex::new(input),
            child: Mutex::new(child),
            overdue: Mutex::new(Overdue::default()),
            voice,
        });
        watchdog.watch(&guarded);
        Ok(Process { guarded, output: BufReader::with_capacity(16 << 10, output), line: Vec::new() })
    }

    /// Writes a line or several. That the process is gone, or was killed because it did not read, shows when its answer is read.
    pub(super) fn write(&self, text: &[u8]) {
        let limit = lock(&self.guarded.overdue).kill.unwrap_or_else(|| Instant::now() + TO_READ);
        if !self.guarded.write(text, limit) {
            self.guarded.kill_overdue();
        }
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
            self.write(STOP);
        }
    }

    /// Whether it had to be told to stop since the last [`expect_within`](Self::expect_within).
    pub(super) fn was_stopped(&self) -> bool {
        lock(&self.guarded.overdue).stopped
    }

    /// The next line; bytes that are no UTF-8 are replaced, and of a line that is too long the end is passed over.
    pub(super) fn read_line(&mut self) -> Result<String, Ended> {
        loop {
            if let Some(line) = self.heard(true)? {
                return Ok(line);
            }
            self.await_output();
        }
    }

    /// A line that has been written already; `None` if there is none.
    pub(super) fn line_at_hand(&mut self) -> Result<Option<String>, Ended> {
        self.heard(false)
    }

    /// The next line, written down where the dialogue is.
    fn heard(&mut self, may_wait: bool) -> Result<Option<String>, Ended> {
        let line = self.next_line(may_wait);
        if let Some(voice) = &self.guarded.voice {
            match &line {
                Ok(Some(line)) => voice.received(line),
                Ok(None) => {}
                Err(Ended::Closed) => voice.notes("has ended"),
                Err(Ended::Killed) => voice.notes("was killed: no answer in time"),
            }
        }
        line
    }

    /// Where reads block, `may_wait` says whether this one may.
    fn next_line(&mut self, may_wait: bool) -> Result<Option<String>, Ended> {
        loop {
            let killed = lock(&self.guarded.overdue).killed;
            if killed.is_some_and(|killed| killed.elapsed() > LAST_WORDS) {
                return Err(Ended::Killed);
            }
            if cfg!(not(unix)) && !may_wait && self.output.buffer().is_empty() {
                return Ok(None);
            }
            let (used, is_whole) = match self.output.fill_buf() {
                Ok([]) if self.line.is_empty() => {
                    return Err(if killed.is_some() { Ended::Killed } else { Ended::Closed });
                }
                Ok([]) => (0, true),
                Ok(bytes) => {
                    let end = bytes.iter().position(|&byte| byte == b'\n');
                    let part = &bytes[..end.unwrap_or(bytes.len())];
                    let room = LONGEST_LINE - self.line.len();
                    self.line.extend_from_slice(&part[..part.len().min(room)]);
                    (part.len() + usize::from(end.is_some()), end.is_some())
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(None),
                Err(_) => return Err(if killed.is_some() { Ended::Killed } else { Ended::Closed }),
            };
            self.output.consume(used);
            if is_whole {
                let line = String::from_utf8_lossy(&self.line).trim().to_owned();
                self.line.clear();
                return Ok(Some(line));
            }
        }
    }

    /// Returns when there is something to read, and now and then without.
    fn await_output(&self) {
        #[cfg(unix)]
        {
            use rustix::event::{PollFd, PollFlags, Timespec, poll};
            let tenth = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };
            let _ = poll(&mut [PollFd::new(self.output.get_ref(), PollFlags::IN)], Some(&tenth));
        }
    }
}

/// Asks the engine to quit, makes sure that it does, and ends what it has started. Only after that its end is acknowledged: then its
/// number, which is also that of its group, may belong to another process.
impl Drop for Process {
    fn drop(&mut self) {
        self.expect_within(None, TO_QUIT);
        let deadline = Instant::now() + TO_QUIT;
        let _ = self.guarded.write(b"stop\nquit\n", deadline);
        while Instant::now() < deadline && !self.guarded.has_ended() {
            thread::sleep(Duration::from_millis(2));
        }
        self.guarded.kill();
        let _ = lock(&self.guarded.child).wait();
    }
}

impl Guarded {
    /// Writes all; false if the engine has left its input full until the limit.
    fn write(&self, text: &[u8], limit: Instant) -> bool {
        if let Some(voice) = &self.voice {
            voice.sent(text);
        }
        let mut input = lock(&self.input);
        let mut rest = text;
        while !rest.is_empty() {
            match input.write(rest) {
                Ok(0) => break,
                Ok(written) => rest = &rest[written..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    if Instant::now() >= limit {
                        return false;
                    }
                    thread::sleep(Duration::from_millis(1));
                }
                // It is gone, which shows when it is read.
                Err(_) => break,
            }
        }
        true
    }

    fn kill_overdue(&self) {
        let mut overdue = lock(&self.overdue);
        overdue.kill = None;
        overdue.killed.get_or_insert_with(Instant::now);
        drop(overdue);
        self.kill();
    }

    /// Whether the engine has ended, without acknowledging it.
    fn has_ended(&self) -> bool {
        let mut child = lock(&self.child);
        #[cfg(unix)]
        if let Some(own) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
            use rustix::process::{WaitId, WaitIdOptions, waitid};
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
            return !matches!(waitid(WaitId::Pid(own), options), Ok(None));
        }
        matches!(child.try_wait(), Ok(Some(_)) | Err(_))
    }

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
            drop(overdue);
            self.kill_overdue();
        } else if !overdue.stopped && overdue.stop.is_some_and(|stop| now >= stop) {
            overdue.stopped = true;
            drop(overdue);
            // Whoever holds the input writes to an engine that does not read, and a full pipe belongs to such an engine: it will be
            // killed soon, and others are waiting for this thread.
            if let Ok(mut input) = self.input.try_lock() {
                let _ = input.write(STOP);
                if let Some(voice) = &self.voice {
                    voice.sent(STOP);
                }
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

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    fn script(watchdog: &Watchdog, text: &str) -> Process {
        Process::start(Path::new("/bin/sh"), &["-c".to_owned(), text.to_owned()], None, watchdog, None)
            .expect("a shell")
    }

    const MORE_THAN_A_PIPE: &[u8] = &[b'x'; 1 << 20];

    #[test]
    fn an_engine_that_does_not_read_keeps_nobody() {
        let watchdog = Watchdog::start().expect("a thread");
        let begun = Instant::now();
        let mut deaf = script(&watchdog, "exec sleep 300");
        deaf.expect_within(Some(Duration::from_millis(50)), Duration::from_millis(300));
        deaf.write(MORE_THAN_A_PIPE);
        assert_eq!(deaf.read_line(), Err(Ended::Killed));
        // Nothing is expected of it, and it is asked to quit.
        let deaf = script(&watchdog, "exec sleep 300");
        let limit = Instant::now() + Duration::from_millis(50);
        assert!(!deaf.guarded.write(MORE_THAN_A_PIPE, limit));
        drop(deaf);
        assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
    }

    #[test]
    fn a_full_pipe_does_not_keep_the_watchdog_from_others() {
        let watchdog = Watchdog::start().expect("a thread");
        let deaf = script(&watchdog, "exec sleep 300");
        assert!(!deaf.guarded.write(MORE_THAN_A_PIPE, Instant::now()), "full from now on");
        deaf.expect_within(Some(Duration::ZERO), Duration::from_secs(300));
        let mut other = script(&watchdog, "read -r word; echo $word; exec sleep 300");
        other.expect_within(Some(Duration::from_millis(100)), Duration::from_secs(20));
        assert_eq!(other.read_line().as_deref(), Ok("stop"));
    }

    #[test]
    fn what_an_engine_has_started_ends_with_it() {
        let watchdog = Watchdog::start().expect("a thread");
        for end in ["exit", "exec sleep 300"] {
            let mut parent = script(&watchdog, &format!("sleep 300 >/dev/null 2>&1 </dev/null & echo $!; {end}"));
            parent.expect_within(None, Duration::from_secs(20));
            let child: i32 = parent.read_line().expect("a line").parse().expect("a number");
            drop(parent);
            // Who has lost its parent is given another one, which acknowledges its end.
            let child = rustix::process::Pid::from_raw(child).expect("a process");
            let limit = Instant::now() + Duration::from_secs(20);
            let is_there = || rustix::process::test_kill_process(child).is_ok() && !is_zombie(child);
            while is_there() && Instant::now() < limit {
                thread::sleep(Duration::from_millis(5));
            }
            assert!(!is_there(), "{end}");
        }
    }

    fn is_zombie(pid: rustix::process::Pid) -> bool {
        let status = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).unwrap_or_default();
        status.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z'))
    }

    #[test]
    fn the_end_of_a_long_line_is_no_line() {
        let watchdog = Watchdog::start().expect("a thread");
        let text = format!("head -c {} /dev/zero | tr '\\0' x; echo ' bestmove e2e4'; echo next", 2 * LONGEST_LINE);
        let mut talker = script(&watchdog, &text);
        talker.expect_within(None, Duration::from_secs(20));
        assert_eq!(talker.read_line().expect("a line").len(), LONGEST_LINE);
        assert_eq!(talker.read_line().as_deref(), Ok("next"));
        assert_eq!(talker.read_line(), Err(Ended::Closed));
    }
}
