//! Matches: openings, games between two players, pairs of games with reversed colours, the log of a match, its standing.
//!
//! A match is played between two [`Player`]s. [`UciPlayer`] is an engine in a process of its own; a search within this process is
//! another. Pairs are handed out to workers and taken back in their order, so the standing, the log and the end of the match
//! do not depend on how many workers there are. The log is the one truth about a match: the standing and the PGN follow
//! from it.

mod game;
mod gauntlet;
mod limits;
mod log;
mod logged;
mod opening;
mod player;
mod record;
mod run;
mod searcher;
mod selfplay;
mod tablebase;
mod tally;
mod uci;
mod workers;

pub use game::{DrawRule, End, Game, Resign, Rules, play};
pub use gauntlet::{NotComparable, both};
pub use limits::{Clock, Limits, TimeControl, TimeControlError};
pub use log::{FORMAT, LogError, MatchLog, Setup, Side};
pub use logged::{Logged, LoggedError};
pub use opening::{Book, BookError, BookRule, Opening, Rejected};
pub use player::{Fault, Player, PlayerLost, Reply, Score, Turn};
pub use record::{GameRecord, PairRecord};
pub use run::{Finished, Match, MatchError, PlayerMaker, Receiver};
pub use searcher::SearchPlayer;
pub use selfplay::SelfPlay;
pub use tablebase::{Syzygy, TablebaseError, Tablebases, Verdict};
pub use tally::{CLASS_PLY, Share, Tally};
pub use uci::{EngineSpec, UciPlayer, Watchdog};
