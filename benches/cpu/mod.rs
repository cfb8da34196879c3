//! Processor time.

use std::{fs, thread};

/// How long this thread has been on a processor, in seconds, so that other programs do not count; `None` if the system
/// does not say it the way Linux does.
pub fn cpu_time() -> Option<f64> {
    // The kernel brings the figure up to date when a thread offers to give way, else only a few hundred times a second.
    thread::yield_now();
    let figures = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    figures.split(' ').next()?.parse::<f64>().ok().map(|nanoseconds| nanoseconds / 1e9)
}
