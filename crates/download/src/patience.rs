//! How long to bear with a server.

use std::time::Duration;

/// How long to bear with a server.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// Attempts after the first that may fail one after another without bringing a byte.
    pub retries: u32,
    /// The wait before the first of them; each further one is twice as long, up to a minute, or as long as the server says.
    pub first_wait: Duration,
    /// How long the server may be silent.
    pub silence: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Patience { retries: 5, first_wait: Duration::from_secs(1), silence: Duration::from_secs(60) }
    }
}
