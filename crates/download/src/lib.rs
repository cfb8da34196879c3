//! Games of finished fishtest tests, downloaded with what fishtest knows about them.
//!
//! ```text
//! pages of finished tests -> those wanted and not there yet -> <test>.pgn.gz.partial -> checked -> <test>.pgn.gz
//!       listing                       listing, store                 client              store
//!       \____________________________________________ run _______________________________________________/
//! ```
//!
//! Files lie where `download_fishtest_pgns.py` of Stockfish's WDL_model puts them: `<directory>/YY-MM-DD/<test>/` with
//! `<test>.pgn.gz` and `<test>.json`. A partial file is completed by the next run; a file takes its name only after
//! its checksums were found right, and a test whose file is somewhere below the directory is never asked for again.

mod account;
mod client;
mod error;
mod excerpt;
mod listing;
mod patience;
mod run;
mod store;

pub use account::{Account, Event, Listener, Outcome, Retry};
pub use error::{DownloadError, FileError, RequestError, TestError};
pub use listing::{Refusal, Wanted};
pub use patience::Patience;
pub use run::{Config, download, download_metadata};
