//! Numbered tasks on several threads, with the results in the order of the numbers.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

use super::player::PlayerLost;
use super::run::MatchError;

/// What a worker does with its players for a number; nothing if it was stopped meanwhile.
type Work<'a, P, T> = dyn Fn(&mut P, u64, &AtomicBool) -> Result<Option<T>, PlayerLost> + Sync + 'a;

/// What becomes of a result; a break ends the work.
type Take<'a, T, E> = dyn FnMut(T) -> Result<ControlFlow<()>, MatchError<E>> + 'a;

/// Does the work for each number, on so many threads that each have players of their own.
pub(super) fn in_order<P, T: Send, E>(
    concurrency: usize,
    numbers: Range<u64>,
    players: &(dyn Fn() -> Result<P, PlayerLost> + Sync),
    work: &Work<'_, P, T>,
    take: &mut Take<'_, T, E>,
) -> Result<(), MatchError<E>> {
    let next = AtomicU64::new(numbers.start);
    let stop = AtomicBool::new(false);
    let (sender, done) = mpsc::channel();
    let worker = |sender: mpsc::Sender<(u64, Result<T, PlayerLost>)>| {
        let mut own = players();
        while !stop.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= numbers.end {
                return;
            }
            let result = match &mut own {
                Ok(players) => work(players, number, &stop),
                Err(lost) => Err(lost.clone()),
            };
            let lost = result.is_err();
            let sent = result.transpose().is_some_and(|result| sender.send((number, result)).is_ok());
            // Nothing to send: the work is over. Nobody to send to: the same.
            if !sent || lost {
                return;
            }
        }
    };
    let workers = concurrency.min((numbers.end - numbers.start) as usize);
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

fn take_in_order<T, E>(
    numbers: Range<u64>,
    done: &mpsc::Receiver<(u64, Result<T, PlayerLost>)>,
    take: &mut Take<'_, T, E>,
) -> Result<(), MatchError<E>> {
    let mut waiting = BTreeMap::new();
    for wanted in numbers {
        let result = loop {
            if let Some(result) = waiting.remove(&wanted) {
                break result;
            }
            let (number, result) = done.recv().map_err(|_| MatchError::Workers)?;
            waiting.insert(number, result);
        };
        if take(result?)?.is_break() {
            break;
        }
    }
    Ok(())
}
