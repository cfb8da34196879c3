//! The search that runs beside the dialogue, and when its answer may be said.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::search::Signals;

/// A search that runs, or is over while its answer is held back.
#[derive(Debug)]
pub(super) struct Searching {
    signals: Arc<Signals>,
    held: Held,
    endless: Endless,
    /// What it has found, once it is over.
    last_words: Option<String>,
}

/// Until which order an answer is held back: who analyses or ponders is not ready for a best move before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Held {
    No,
    UntilPonderHit,
    UntilStop,
}

/// Whether nothing ends a search but an order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Endless {
    Never,
    WhilePondering,
    Always,
}

impl Searching {
    pub fn new(signals: &Arc<Signals>, held: Held, endless: Endless) -> Searching {
        Searching { signals: Arc::clone(signals), held, endless, last_words: None }
    }

    pub fn stop(&mut self) {
        self.held = Held::No;
        self.signals.pondering.store(false, Ordering::Relaxed);
        self.signals.stop.store(true, Ordering::Relaxed);
    }

    /// The move that was pondered on is played: limits of time hold from now on, and the time of pondering counts towards them.
    pub fn ponder_hit(&mut self) {
        if self.held == Held::UntilPonderHit {
            self.held = Held::No;
            self.signals.pondering.store(false, Ordering::Relaxed);
        }
        if self.endless == Endless::WhilePondering {
            self.endless = Endless::Never;
        }
    }

    pub fn is_over(&mut self, last_words: String) {
        self.last_words = Some(last_words);
    }

    /// What it has found, if that may be said now.
    pub fn answer(&mut self) -> Option<String> {
        if self.held == Held::No { self.last_words.take() } else { None }
    }

    /// Whether it would go on for ever without an order that has not come yet.
    pub fn waits_for_an_order(&self) -> bool {
        self.endless != Endless::Never && !self.signals.stop.load(Ordering::Relaxed)
    }
}
