//! Work that takes long: on threads of its own, with the interpreter free, interrupts heeded and progress reported.

use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use drawish::fan_out::all_cores;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use serde_json::Value;

use crate::errors::refused;
use crate::figures::to_python;

/// How often signals are looked for and progress is reported.
const PAUSE: Duration = Duration::from_millis(50);

/// What work and the thread that called it share.
#[derive(Default)]
pub(crate) struct Watch {
    stop: AtomicBool,
    /// How far the work has come since that was last reported: the arguments of the callback.
    news: Mutex<Option<Vec<Value>>>,
}

/// Unwound by work that was interrupted. No code of the library catches it, and what it writes is whole or not there.
struct Interrupted;

impl Watch {
    /// Reports how far reading has come. Work that was interrupted ends here.
    pub(crate) fn read(&self, bytes: u64, games: u64) {
        self.tell(|| vec![bytes.into(), games.into()]);
        if self.is_stopped() {
            resume_unwind(Box::new(Interrupted));
        }
    }

    /// Leaves the arguments of the callback for the thread that called.
    pub(crate) fn tell(&self, news: impl FnOnce() -> Vec<Value>) {
        *self.news.lock().unwrap_or_else(PoisonError::into_inner) = Some(news());
    }

    /// Whether the work has been interrupted.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Calls back with what is new.
    fn report(&self, py: Python<'_>, progress: Option<&Py<PyAny>>) -> PyResult<()> {
        let news = self.news.lock().unwrap_or_else(PoisonError::into_inner).take();
        let (Some(progress), Some(news)) = (progress, news) else { return Ok(()) };
        let arguments = news.iter().map(|value| to_python(py, value)).collect::<PyResult<Vec<_>>>()?;
        progress.call1(py, PyTuple::new(py, arguments)?)?;
        Ok(())
    }
}

/// Does work on a thread of its own. Meanwhile the calling thread lets go of the interpreter, looks for signals and calls back,
/// some times a second; an exception of either interrupts the work and is raised.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce(&Watch) -> T + Send,
) -> PyResult<T> {
    let watch = Watch::default();
    let (outcome, raised) = py.detach(|| {
        thread::scope(|scope| {
            let (finished, end) = channel::<()>();
            let watch = &watch;
            let worker = scope.spawn(move || {
                let outcome = catch_unwind(AssertUnwindSafe(|| work(watch)));
                drop(finished);
                outcome
            });
            let mut raised = Ok(());
            while end.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
                if raised.is_ok() {
                    raised = Python::attach(|py| py.check_signals().and_then(|()| watch.report(py, progress)));
                    watch.stop.store(raised.is_err(), Ordering::Relaxed);
                }
            }
            (worker.join().unwrap_or_else(Err), raised)
        })
    });
    raised?;
    let outcome = outcome.unwrap_or_else(|panic| resume_unwind(panic));
    py.check_signals()?;
    watch.report(py, progress)?;
    Ok(outcome)
}

/// So many threads, or one for each core.
pub(crate) fn threads(number: Option<usize>) -> PyResult<NonZero<usize>> {
    match number {
        None => Ok(all_cores()),
        Some(number) => NonZero::new(number).ok_or_else(|| refused("threads=0: expected 1 or more")),
    }
}
