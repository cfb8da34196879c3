//! Numbered tasks on several threads, with the results in the order of the numbers.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

/// Does `work` for each number, on so many threads, each with tools of its own, and hands the results to `take` in the order of
/// the numbers until it breaks off. Work that is stopped meanwhile returns nothing.
///
/// # Errors
///
/// The first error in the order of the numbers, of the tools, the work or of `take`.
pub(super) fn in_order<P, T: Send, F: Send, E: From<F>>(
    concurrency: NonZeroUsize,
    numbers: Range<u64>,
    tools: impl Fn() -> Result<P, F> + Sync,
    work: impl Fn(&mut P, u64, &AtomicBool) -> Result<Option<T>, F> + Sync,
    take: impl FnMut(T) -> Result<ControlFlow<()>, E>,
) -> Result<(), E> {
    let next = AtomicU64::new(numbers.start);
    let stop = AtomicBool::new(false);
    let (sender, done) = mpsc::channel();
    let worker = |sender: mpsc::Sender<(u64, Result<T, F>)>| {
        let mut own = tools();
        while !stop.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= numbers.end {
                return;
            }
            let result = match own {
                Ok(ref mut tools) => work(tools, number, &stop),
                Err(lost) => {
                    // Nobody to send to: the work is over.
                    let _ = sender.send((number, Err(lost)));
                    return;
                }
            };
            let is_lost = result.is_err();
            // Nothing to send: the work is over.
            let sent = result.transpose().is_some_and(|result| sender.send((number, result)).is_ok());
            if !sent || is_lost {
                return;
            }
        }
    };
    let workers = concurrency.get().min((numbers.end - numbers.start) as usize);
    thread::scope(|scope| {
        for _ in 0..workers {
            let (sender, worker) = (sender.clone(), &worker);
            scope.spawn(move || worker(sender));
        }
        drop(sender);
        let result = take_in_order(numbers.clone(), &done, take);
        stop.store(true, Ordering::Relaxed);
        result
    })
}

fn take_in_order<T, F, E: From<F>>(
    numbers: Range<u64>,
    done: &mpsc::Receiver<(u64, Result<T, F>)>,
    mut take: impl FnMut(T) -> Result<ControlFlow<()>, E>,
) -> Result<(), E> {
    let mut waiting = BTreeMap::new();
    for wanted in numbers {
        let result = loop {
            if let Some(result) = waiting.remove(&wanted) {
                break result;
            }
            // Every number is sent unless a worker panics, and that the scope passes on.
            let Ok((number, result)) = done.recv() else { return Ok(()) };
            waiting.insert(number, result);
        };
        if take(result?)?.is_break() {
            break;
        }
    }
    Ok(())
}
