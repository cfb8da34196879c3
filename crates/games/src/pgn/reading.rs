//! Reading inputs on several threads, with what they find delivered in the order of the input and accounted for input by
//! input.

use std::num::NonZero;
use std::ops::{AddAssign, ControlFlow};

use super::chunk::ChunkBuffer;
use super::coded::read_coded;
use super::feed::{Fed, Feed, InputEnd};
use super::games::read_signed;
use super::handler::{Anomalies, GameHandler};
use super::input::Input;
use super::odd_words::OddWords;
use crate::fan_out::in_order_ahead;
use crate::training::Damage;
use drawish_artefact::provenance::{Digest, InputRecord};

/// Chunks that may be read before their turn, for each thread.
const AHEAD: u64 = 4;

/// How far a run has come: called with the bytes of files read and the games found so far.
pub type Progress<'a> = dyn Fn(u64, u64) + Sync + 'a;

/// What is counted of the games of an input, chunk by chunk: every game stands in it once.
pub trait Account: Default + AddAssign {
    /// Games read, used or not.
    fn games(&self) -> u64;
}

/// Games that are only counted.
impl Account for u64 {
    fn games(&self) -> u64 {
        *self
    }
}

/// What was read, one step after another.
pub enum Step<'a, A, T> {
    /// The games of a chunk.
    Chunk {
        /// What was found in them.
        found: T,
        /// The input that they stand in.
        input: &'a Input,
        /// What is counted of this input so far, this chunk included.
        account: &'a mut A,
        /// Games of the input before this chunk.
        games_before: u64,
    },
    /// An input has ended.
    End(ReadInput<A>),
}

/// An input that was read to its end, or to where it breaks.
#[derive(Debug)]
pub struct ReadInput<A> {
    /// Which one.
    pub input: Input,
    /// XXH3-128 of the file.
    pub digest: Digest,
    /// XXH3-128 of what was unpacked, if the file is packed.
    pub unpacked: Option<Digest>,
    /// Length of the file.
    pub bytes: u64,
    /// What made reading end early, if something did.
    pub broken: Option<String>,
    /// The text ends with a result, or with tags: it is not cut in the middle of a game.
    pub ends_whole: bool,
    /// No other input comes after it.
    pub is_last: bool,
    /// All its games.
    pub account: A,
    /// What was odd in its text.
    pub anomalies: Anomalies,
    /// Words that look like moves and are none, in parts of its text.
    pub odd_words: Box<OddWords>,
}

impl<A: Account> ReadInput<A> {
    /// What a file that is made of it records, `counted` games of it being used.
    #[must_use]
    pub fn record(&self, counted: u64) -> InputRecord {
        InputRecord {
            name: self.input.name(),
            xxh3_128: self.digest,
            unpacked_xxh3_128: self.unpacked,
            bytes: Some(self.bytes),
            games: self.account.games(),
            counted,
            positions: None,
            broken: self.broken.clone(),
        }
    }
}

/// Reads all inputs with a handler for each chunk, on as many of `threads` threads as the system gives, and hands
/// every step to `take` in the order of the input.
///
/// `condense` makes of a handler the account of its chunk and what was found in it, on the thread that has read it.
/// `take` is called by one thread at a time; chunks that are read before their turn wait in memory, a few for each thread.
///
/// # Errors
///
/// The first one of `take`; then the run ends.
pub fn read_in_order<H: GameHandler, A: Account + Send, T: Send, E: Send>(
    inputs: &[Input],
    threads: NonZero<usize>,
    progress: &Progress<'_>,
    new_handler: impl Fn() -> H + Sync,
    condense: impl Fn(H) -> (A, T) + Sync,
    mut take: impl FnMut(Step<'_, A, T>) -> Result<(), E> + Send,
) -> Result<(), E> {
    let mut feed = Feed::new(inputs, H::BOARDS, H::PORTIONS);
    let work = |buffer: &mut ChunkBuffer, fed| match fed {
        Fed::Chunk { cut_off, coded: None, file_bytes } => {
            let (handler, anomalies, is_signed) = read_signed(buffer.text(), cut_off, &new_handler);
            let (account, found) = condense(handler);
            let odd_words = OddWords::of_chunk(buffer.text(), is_signed);
            Read::Chunk { account, found, odd: (anomalies, odd_words), damage: None, file_bytes }
        }
        Fed::Chunk { coded: Some((format, offset)), file_bytes, .. } => {
            let (handler, damage) = read_coded(format, buffer.text(), offset, new_handler());
            let (account, found) = condense(handler);
            Read::Chunk { account, found, odd: Default::default(), damage, file_bytes }
        }
        Fed::End(end) => Read::End(end),
    };
    let mut current = (0, A::default(), Anomalies::default(), OddWords::default());
    // What stands behind damage is not used.
    let mut damaged: Option<Damage> = None;
    let (mut bytes_before, mut games_before) = (0, 0);
    let take = |read| {
        let (input, account, anomalies, odd_words) = &mut current;
        let taken = match read {
            Read::Chunk { .. } if damaged.is_some() => Ok(()),
            Read::Chunk { account: new, found, odd, damage, file_bytes } => {
                damaged = damage;
                let before = account.games();
                *account += new;
                *anomalies += odd.0;
                odd_words.add(odd.1);
                progress(bytes_before + file_bytes, games_before + account.games());
                take(Step::Chunk { found, input: &inputs[*input], account, games_before: before })
            }
            Read::End(InputEnd { input: ended, digest, unpacked, bytes, broken, ends_whole }) => {
                let next = (ended + 1, A::default(), Anomalies::default(), OddWords::default());
                let (_, account, anomalies, odd_words) = std::mem::replace(&mut current, next);
                bytes_before += bytes;
                games_before += account.games();
                progress(bytes_before, games_before);
                let is_last = ended + 1 == inputs.len();
                let broken = damaged.take().map(|damage| damage.to_string()).or(broken);
                let input = inputs[ended].clone();
                take(Step::End(ReadInput {
                    input,
                    digest,
                    unpacked,
                    bytes,
                    broken,
                    ends_whole,
                    is_last,
                    account,
                    anomalies,
                    odd_words: Box::new(odd_words),
                }))
            }
        };
        taken.map_or_else(ControlFlow::Break, ControlFlow::Continue)
    };
    let next = |buffer: &mut ChunkBuffer| feed.next(buffer);
    let ahead = NonZero::<u64>::MIN.saturating_add(AHEAD.saturating_mul(threads.get() as u64));
    in_order_ahead(threads, ahead, ChunkBuffer::default, next, |buffer, fed, _| work(buffer, fed), take)
        .map_or(Ok(()), Err)
}

/// What a thread has read.
enum Read<A, T> {
    Chunk { account: A, found: T, odd: (Anomalies, OddWords), damage: Option<Damage>, file_bytes: u64 },
    End(InputEnd),
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use shakmaty::san::San;

    use super::*;
    use crate::pgn::{Interest, ReadGame, Tags};

    /// Counts games.
    struct Games(u64);

    impl GameHandler for Games {
        fn begin(&mut self) {}
        fn moves(&mut self, _: &Tags) -> Interest {
            Interest::Nothing
        }
        fn san(&mut self, _: San) {}
        fn end(&mut self, _: ReadGame<'_>) {
            self.0 += 1;
        }
    }

    #[test]
    fn progress_adds_up_over_inputs() {
        let place = tempfile::tempdir().expect("a directory");
        let inputs = [("a.pgn", 2), ("b.pgn", 3)].map(|(name, games)| {
            let path = place.path().join(name);
            std::fs::write(&path, "[Event \"a\"]\n\n1. e4 *\n\n".repeat(games)).expect("a file");
            Input::File(path)
        });
        let len = 22;
        let seen = Mutex::new(Vec::new());
        let progress = |bytes: u64, games: u64| seen.lock().expect("no panic").push((bytes / len, games));
        let take = |_: Step<'_, u64, ()>| Ok::<(), ()>(());
        read_in_order(&inputs, NonZero::<usize>::MIN, &progress, || Games(0), |games| (games.0, ()), take)
            .expect("read");
        assert_eq!(seen.into_inner().expect("no panic"), [(2, 2), (2, 2), (5, 5), (5, 5)]);
    }
}
