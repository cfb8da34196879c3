//! Matches: openings, games between two players, pairs of games with reversed colours, the log of a match, its score.
//!
//! A match is played between two [`Player`]s. [`UciPlayer`] is an engine in a process of its own; a search within this process is
//! another. Pairs are handed out to workers and taken back in their order, so the score, the log and the end of the match
//! do not depend on how many workers there are. The log is the one truth about a match: the score and the PGN follow
//! from it.

// What a file holds must not wrap.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

mod chain;
mod comparison;
mod conduct;
mod cores;
mod course;
mod figures;
mod game;
mod held;
mod limits;
mod log;
mod logged;
mod made;
mod opening;
mod player;
mod record;
mod repeats;
mod repetition;
mod rules;
mod run;
mod score;
mod searcher;
mod selfplay;
mod setup;
mod tablebase;
mod tally;
mod uci;
mod workers;

pub(crate) use chain::{Chain, unlinked};
pub(crate) use comparison::Joined;
pub use comparison::{NotComparable, both};
pub use conduct::{Conduct, Conducts};
pub(crate) use cores::Cores;
pub use cores::{CoreList, CoresError};
pub use course::{Course, later_text};
pub(crate) use course::{add_game, add_pair};
pub use figures::{Figure, Figures, UnknownFigure};
pub(crate) use game::seat;
pub use game::{Game, play};
pub(crate) use held::{cut, held, is_special, open_to_append};
pub use limits::{Clock, Limits, LimitsError, TimeControl, TimeControlError};
pub(crate) use log::lock;
pub use log::{LogError, MatchLog};
pub(crate) use logged::{LineError, pair as logged_pair};
pub use logged::{Logged, LoggedError};
pub(crate) use made::Made;
pub use opening::{Book, BookError, BookRule, Opening, OpeningError, Order, Rejected};
pub use player::{EngineFailure, Fault, Player, PlayerLost, Reply, Score, Seat, Turn};
pub(crate) use record::tag;
pub use record::{GameRecord, Kept, LeftOut, PairRecord, PgnTags};
pub(crate) use repeats::{SeenPairs, distinct, game_print, moves_from_start, opening_print, seat_print};
pub use repeats::{repeats_text, same_games};
pub use rules::{DrawRule, End, Resign, RuleError, Rules, UnknownEnd};
pub use run::{Finished, Match, MatchError, PlayerMaker, Receiver};
pub(crate) use run::{Playing, Scoring, play_pair};
pub use score::{
    MatchScore, elo_lines, elo_lines_of_match, elo_lines_with, fixed, fixed_or_dash, games_line, llr_line,
};
pub use searcher::SearchPlayer;
pub(crate) use selfplay::Series;
pub use setup::{Difference, FORMAT, OLD_FORMATS, Origin, Setup, Side};
pub(crate) use setup::{difference, other_engine};
pub use tablebase::{ProbeError, Syzygy, SyzygyTables, TablebaseError, Tablebases, Verdict};
pub use tally::{CLASS_PLY, Share, Tally};
pub(crate) use uci::EngineFiles;
pub use uci::{EngineLog, EngineSpec, OnFailure, UciPlayer, Watchdog, line as engine_line};
pub(crate) use workers::{in_order, in_turn};
