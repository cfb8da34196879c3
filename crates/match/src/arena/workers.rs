//! Numbered games on several threads, each with tools of its own that may be lost.

use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::AtomicBool;

use drawish_games::fan_out;

/// Does `work` for each number, on so many threads, each with tools of its own, and hands the results to `take` in the order of
/// the numbers until it breaks off. Work that is stopped meanwhile returns nothing.
///
/// # Errors
///
/// The first error in the order of the numbers, of the tools, the work or of `take`.
pub(crate) fn in_order<P, T: Send, F: Send, E: From<F> + Send>(
    concurrency: NonZeroUsize,
    mut numbers: Range<u64>,
    tools: impl Fn() -> Result<P, F> + Sync,
    work: impl Fn(&mut P, u64, &AtomicBool) -> Result<Option<T>, F> + Sync,
    mut take: impl FnMut(T) -> Result<ControlFlow<()>, E> + Send,
) -> Result<(), E> {
    let most = NonZeroUsize::new(usize::try_from(numbers.end - numbers.start).unwrap_or(usize::MAX));
    let Some(threads) = most.map(|most| most.min(concurrency)) else { return Ok(()) };
    // Tools are made when a thread begins. Who has lost them, or never had any, takes no further number.
    let broke = fan_out::in_order(
        threads,
        || Some(tools()),
        |own| own.as_ref().and_then(|_| numbers.next()),
        |own, number, stop| {
            let result = match own.take()? {
                Ok(mut tools) => {
                    let result = work(&mut tools, number, stop);
                    if result.is_ok() {
                        *own = Some(Ok(tools));
                    }
                    result
                }
                Err(lost) => Err(lost),
            };
            result.transpose()
        },
        |result| match result.map(|result| result.map_err(E::from).and_then(&mut take)) {
            Some(Ok(ControlFlow::Continue(()))) => ControlFlow::Continue(()),
            Some(Err(error)) => ControlFlow::Break(Err(error)),
            Some(Ok(ControlFlow::Break(()))) | None => ControlFlow::Break(Ok(())),
        },
    );
    broke.unwrap_or(Ok(()))
}

/// What numbered tasks take in turn, from 0 on, again and again.
///
/// # Panics
///
/// If there is nothing to take.
pub(crate) fn in_turn<T>(items: &[T], number: u64) -> &T {
    #[cfg_attr(not(test), expect(clippy::cast_possible_truncation, reason = "below the number of items"))]
    let place = (number % items.len() as u64) as usize;
    &items[place]
}
