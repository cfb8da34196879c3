//! Numbered tasks on several threads, with the results in the order of the tasks: so that the number of threads changes
//! nothing in what is made of them.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// One thread for each core, as far as the system tells how many there are.
#[must_use]
pub fn all_cores() -> NonZero<usize> {
    thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN)
}

/// Does tasks on as many of `threads` threads as the system gives, and hands every result to `take` in the order of the
/// tasks, until it breaks off. Returns what it broke off with, or `None` when all tasks are done.
///
/// - `worker` makes what a thread keeps from task to task, such as a buffer or a pair of engines;
/// - `next` gives the next task, or `None` when there is none; one thread at a time calls it;
/// - `work` does the task, on all threads at once. Its flag is set once `take` has broken off: work that takes long may
///   look at it and end early, for its result is not wanted any more;
/// - `take` is called by one thread at a time. Results that come before their turn wait in memory, all of them: see
///   [`in_order_ahead`] for results that are large.
///
/// A panic in one of them ends the work and goes on in the caller with its own payload, whichever thread it came from.
///
/// ```
/// use std::num::NonZero;
/// use std::ops::ControlFlow;
/// use drawish_games::fan_out::in_order;
///
/// let (mut numbers, mut squares) = (0..5, Vec::new());
/// let broke: Option<()> = in_order(
///     NonZero::new(2).unwrap(),
///     || (),
///     |_| numbers.next(),
///     |_, number, _stop| number * number,
///     |square| {
///         squares.push(square);
///         ControlFlow::Continue(())
///     },
/// );
/// assert_eq!((broke, squares), (None, vec![0, 1, 4, 9, 16]));
/// ```
pub fn in_order<W, J, T: Send, B: Send>(
    threads: NonZero<usize>,
    worker: impl Fn() -> W + Sync,
    next: impl FnMut(&mut W) -> Option<J> + Send,
    work: impl Fn(&mut W, J, &AtomicBool) -> T + Sync,
    take: impl FnMut(T) -> ControlFlow<B> + Send,
) -> Option<B> {
    in_order_ahead(threads, NonZero::<u64>::MAX, worker, next, work, take)
}

/// As [`in_order`], but no task is given out that stands `ahead` or more behind the first whose result is missing: behind a task that
/// takes long, at most `ahead` minus one results wait in memory.
pub fn in_order_ahead<W, J, T: Send, B: Send>(
    threads: NonZero<usize>,
    ahead: NonZero<u64>,
    worker: impl Fn() -> W + Sync,
    next: impl FnMut(&mut W) -> Option<J> + Send,
    work: impl Fn(&mut W, J, &AtomicBool) -> T + Sync,
    take: impl FnMut(T) -> ControlFlow<B> + Send,
) -> Option<B> {
    let stop = AtomicBool::new(false);
    let tasks = Mutex::new(Tasks { next, given: 0 });
    let next = AtomicU64::new(0);
    let results = Mutex::new(Results { early: BTreeMap::new(), next: &next, take, broken: None });
    let taken = Condvar::new();
    let run = || {
        let _stop = OnPanic(|| {
            stop.store(true, Ordering::Relaxed);
            // Whoever has looked at the flag before it was set waits by now, and hears this.
            drop(lock(&results));
            taken.notify_all();
        });
        let mut own = worker();
        loop {
            // Whoever waits here keeps the other threads from the tasks: their numbers would be higher still.
            let mut tasks = lock(&tasks);
            let is_early =
                || !stop.load(Ordering::Relaxed) && tasks.given - next.load(Ordering::Relaxed) >= ahead.get();
            // Results are locked while they are taken, which may take long: not without need.
            if is_early() {
                drop(taken.wait_while(lock(&results), |_| is_early()));
            }
            if stop.load(Ordering::Relaxed) {
                return;
            }
            let Some((number, task)) = tasks.take(&mut own) else { return };
            drop(tasks);
            let result = work(&mut own, task, &stop);
            let mut results = lock(&results);
            if results.add(number, result).is_break() {
                stop.store(true, Ordering::Relaxed);
            }
            drop(results);
            taken.notify_one();
        }
    };
    thread::scope(|scope| {
        let spawn = |_| thread::Builder::new().spawn_scoped(scope, run).ok();
        // Where the system gives no more threads, those that are there do the work.
        let others: Vec<_> = (1..threads.get()).map_while(spawn).collect();
        run();
        for other in others {
            // The panic of a thread goes on as what it was, so that who has unwound it knows it again.
            other.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
    });
    results.into_inner().unwrap_or_else(PoisonError::into_inner).broken
}

/// Is called when a thread has panicked, so that none begins another task: all would be done before anyone learns of it.
struct OnPanic<F: Fn()>(F);

impl<F: Fn()> Drop for OnPanic<F> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0();
        }
    }
}

struct Tasks<F> {
    next: F,
    given: u64,
}

impl<F> Tasks<F> {
    /// The next task and its number.
    fn take<W, J>(&mut self, own: &mut W) -> Option<(u64, J)>
    where
        F: FnMut(&mut W) -> Option<J>,
    {
        let task = (self.next)(own)?;
        self.given += 1;
        Some((self.given - 1, task))
    }
}

struct Results<'a, T, F, B> {
    /// Those that came before their turn.
    early: BTreeMap<u64, T>,
    /// The first task whose result was not taken; written under the lock.
    next: &'a AtomicU64,
    take: F,
    broken: Option<B>,
}

impl<T, B, F: FnMut(T) -> ControlFlow<B>> Results<'_, T, F, B> {
    fn add(&mut self, number: u64, result: T) -> ControlFlow<()> {
        self.early.insert(number, result);
        while self.broken.is_none()
            && let Some(result) = self.early.remove(&self.next.load(Ordering::Relaxed))
        {
            self.broken = (self.take)(result).break_value();
            self.next.fetch_add(1, Ordering::Relaxed);
        }
        if self.broken.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Locks for a short and complete step; a thread that panicked has ended the run already.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_ends_the_work() {
        // As many as take a minute and a half: a panic may take seconds to print where programs are slowed down.
        const ALL: u64 = 100_000;
        let begun = std::sync::atomic::AtomicU64::new(0);
        let outcome = std::panic::catch_unwind(|| {
            let mut numbers = 0..ALL;
            in_order::<_, _, _, ()>(
                NonZero::new(2).expect("a number"),
                || (),
                |()| numbers.next(),
                |(), number, _| {
                    begun.fetch_add(1, Ordering::Relaxed);
                    assert_ne!(number, 3, "the panic of the test");
                    thread::sleep(std::time::Duration::from_millis(1));
                },
                |()| ControlFlow::Continue(()),
            )
        });
        assert!(outcome.is_err());
        assert!(begun.into_inner() < ALL);
    }

    /// While the first task waits until others have nothing left to do, these do as many as may wait, and no more; a panic in the
    /// first wakes them.
    #[test]
    fn nobody_works_further_ahead_than_asked() {
        const AHEAD: u64 = 5;
        for panics in [false, true] {
            let begun = AtomicU64::new(0);
            let outcome = std::panic::catch_unwind(|| {
                let (mut numbers, mut taken) = (0..100_u64, Vec::new());
                let broke = in_order_ahead::<_, _, _, ()>(
                    NonZero::new(3).expect("a number"),
                    NonZero::new(AHEAD).expect("a number"),
                    || (),
                    |()| numbers.next(),
                    |(), number, _| {
                        begun.fetch_add(1, Ordering::Relaxed);
                        if number == 0 {
                            while begun.load(Ordering::Relaxed) < AHEAD {
                                thread::yield_now();
                            }
                            // As long as one that does not wait would need for many more.
                            thread::sleep(std::time::Duration::from_millis(100));
                            assert!(begun.load(Ordering::Relaxed) == AHEAD && !panics, "as it should be");
                        }
                        number
                    },
                    |number| {
                        taken.push(number);
                        ControlFlow::Continue(())
                    },
                );
                assert!(broke.is_none() && taken.into_iter().eq(0..100));
            });
            assert_eq!(outcome.is_err(), panics);
            assert_eq!(begun.into_inner(), if panics { AHEAD } else { 100 });
        }
    }

    #[test]
    fn what_is_unwound_arrives_whichever_thread_it_came_from() {
        struct Unwound;
        for task in 0..20_u64 {
            let outcome = std::panic::catch_unwind(|| {
                let mut numbers = 0..20_u64;
                in_order::<_, _, _, ()>(
                    NonZero::new(4).expect("a number"),
                    || (),
                    |()| numbers.next(),
                    |(), number, _| thread::sleep(std::time::Duration::from_micros(number % 3)),
                    {
                        let mut taken = 0;
                        move |()| {
                            taken += 1;
                            if taken > task { resume_unwind(Box::new(Unwound)) } else { ControlFlow::Continue(()) }
                        }
                    },
                )
            });
            assert!(outcome.is_err_and(|payload| payload.is::<Unwound>()), "at task {task}");
        }
    }

    #[test]
    fn a_break_ends_the_work_and_nothing_is_taken_after_it() {
        for threads in [1, 2, 7] {
            let (mut numbers, mut taken) = (0_u64.., Vec::new());
            let broke = in_order(
                NonZero::new(threads).expect("a number"),
                || 0_u64,
                |_| numbers.next(),
                |done, number, _| {
                    *done += 1;
                    number
                },
                |number| {
                    taken.push(number);
                    if number == 100 { ControlFlow::Break("enough") } else { ControlFlow::Continue(()) }
                },
            );
            assert_eq!(broke, Some("enough"));
            assert!(taken.into_iter().eq(0..=100));
        }
    }
}
