//! Reading inputs on several threads, with what they find delivered in the order of the input.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use super::chunk::PortionBuffer;
use super::feed::{Feed, Portion};
use super::games::{Anomalies, GameHandler, read_games};
use super::input::Input;

/// What was read, one portion after another.
#[derive(Debug)]
pub enum Piece<T> {
    /// The games of some text.
    Games {
        /// What was found in them.
        found: T,
        /// What was odd in the text.
        anomalies: Anomalies,
        /// Bytes of the input's file read so far.
        file_bytes: u64,
    },
    /// An input has ended.
    End {
        /// Which of the inputs.
        input: usize,
        /// XXH3-128 of the file, packed as it is.
        digest: u128,
        /// Length of the file, packed as it is.
        file_bytes: u64,
        /// What made reading end early, if something did.
        broken: Option<String>,
        /// The text ends with a result, or with tags: it is not cut in the middle of a game.
        ends_whole: bool,
    },
}

/// Reads all inputs with a handler for each portion, on as many of `threads` threads as the system gives, and hands
/// every portion to `take` in the order of the input, until it breaks off.
///
/// `condense` makes of a handler what is found in its portion, on the thread that has read it.
/// `take` is called by one thread at a time; portions that are read before their turn wait in memory.
pub fn read_in_order<H: GameHandler, T: Send>(
    inputs: Vec<Input>,
    threads: NonZero<usize>,
    new_handler: impl Fn() -> H + Sync,
    condense: impl Fn(H) -> T + Sync,
    take: impl FnMut(Piece<T>) -> ControlFlow<()> + Send,
) {
    let feed = Mutex::new(Feed::new(inputs));
    let queue = Mutex::new(Queue { early: BTreeMap::new(), next: 0, take, over: false });
    let work = || {
        let mut buffer = PortionBuffer::default();
        loop {
            let Some((number, portion)) = lock(&feed).next(&mut buffer) else { return };
            let piece = match portion {
                Portion::Text { cut_off, file_bytes, .. } => {
                    let (handler, anomalies) = read_games(buffer.text(), cut_off, &new_handler);
                    Piece::Games { found: condense(handler), anomalies, file_bytes }
                }
                Portion::End { input, digest, file_bytes, error, ends_whole } => {
                    let broken = error.map(|error| error.to_string());
                    Piece::End { input, digest, file_bytes, broken, ends_whole }
                }
            };
            if lock(&queue).add(number, piece).is_break() {
                return;
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.get() {
            // Where the system gives no more threads, those that are there do the work.
            if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
}

struct Queue<T, F> {
    /// Pieces that came before their turn.
    early: BTreeMap<u64, Piece<T>>,
    next: u64,
    take: F,
    over: bool,
}

impl<T, F: FnMut(Piece<T>) -> ControlFlow<()>> Queue<T, F> {
    fn add(&mut self, number: u64, piece: Piece<T>) -> ControlFlow<()> {
        self.early.insert(number, piece);
        while !self.over
            && let Some(piece) = self.early.remove(&self.next)
        {
            self.next += 1;
            self.over = (self.take)(piece).is_break();
        }
        if self.over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Locks for a short and complete step; a thread that panicked has ended the run already.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
