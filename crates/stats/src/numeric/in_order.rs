//! Work on the parts of a slice by several threads, whose results are taken in order.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Does `work` for each part on several threads and hands the results to `take` in the order of the parts.
///
/// So a sum over fixed parts has the same bits on any number of threads. `take` is called by one thread at a time, as soon
/// as all earlier results have been taken; only results that came too early are kept. `work` gets the place of its part, too.
///
/// ```
/// use std::num::NonZero;
/// use drawish_stats::numeric::in_order;
///
/// let parts = [[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]];
/// let mut sum = 0.0;
/// let threads = NonZero::new(2).expect("not 0");
/// in_order(&parts, threads, |_, part| part.iter().sum::<f64>(), |part| sum += part);
/// assert_eq!(sum, (0.1 + 0.2) + (0.3 + 0.4) + (0.5 + 0.6));
/// ```
///
/// # Panics
///
/// If `work` or `take` does.
pub fn in_order<T: Sync, R: Send>(
    parts: &[T],
    threads: NonZero<usize>,
    work: impl Fn(usize, &T) -> R + Sync,
    mut take: impl FnMut(R) + Send,
) {
    if threads.get() == 1 || parts.len() == 1 {
        parts.iter().enumerate().for_each(|(place, part)| take(work(place, part)));
        return;
    }
    let next = AtomicUsize::new(0);
    let waiting = Mutex::new(Waiting { early: parts.iter().map(|_| None).collect(), taken: 0, take });
    let run = || {
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(part) = parts.get(place) else { return };
            let result = work(place, part);
            // After a panic in `take` the scope below panics, whatever is done here.
            waiting.lock().unwrap_or_else(PoisonError::into_inner).put(place, result);
        }
    };
    thread::scope(|scope| {
        (1..threads.get().min(parts.len())).for_each(|_| drop(scope.spawn(run)));
        run();
    });
}

/// Results that came before their turn.
struct Waiting<R, F> {
    early: Vec<Option<R>>,
    taken: usize,
    take: F,
}

impl<R, F: FnMut(R)> Waiting<R, F> {
    fn put(&mut self, place: usize, result: R) {
        self.early[place] = Some(result);
        while let Some(result) = self.early.get_mut(self.taken).and_then(Option::take) {
            self.taken += 1;
            (self.take)(result);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_on_any_number_of_threads() {
        let parts: Vec<u64> = (0..200).collect();
        for threads in [1, 2, 3, 8, 300] {
            let mut taken = Vec::new();
            let work = |place: usize, part: &u64| {
                assert_eq!(place as u64, *part);
                // The first parts take longest.
                (0..(200 - part) * 50).fold(*part, |sum, _| std::hint::black_box(sum))
            };
            in_order(&parts, NonZero::new(threads).expect("not 0"), work, |part| taken.push(part));
            assert_eq!(taken, parts, "{threads}");
        }
        in_order(&[(); 0], NonZero::new(4).expect("not 0"), |_, ()| (), |()| panic!("there is no part"));
    }

    /// Each of two parts waits until the other has begun, which takes two threads; one thread is the caller's own.
    #[test]
    fn as_many_threads_work_as_are_asked_for() {
        let begun = AtomicUsize::new(0);
        let deadline = std::time::Instant::now() + std::time::Duration::from_secs(20);
        let both_work = |_: usize, (): &()| {
            begun.fetch_add(1, Ordering::SeqCst);
            while begun.load(Ordering::SeqCst) < 2 && std::time::Instant::now() < deadline {
                thread::yield_now();
            }
            begun.load(Ordering::SeqCst) == 2
        };
        let mut met = Vec::new();
        in_order(&[(), ()], NonZero::new(2).expect("not 0"), both_work, |met_there| met.push(met_there));
        assert_eq!(met, [true, true]);
        let own = thread::current().id();
        let is_own = |_: usize, (): &()| thread::current().id() == own;
        let mut alone = Vec::new();
        in_order(&[(); 3], NonZero::<usize>::MIN, is_own, |is_own| alone.push(is_own));
        assert_eq!(alone, [true; 3]);
    }
}
