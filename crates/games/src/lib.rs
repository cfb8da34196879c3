//! From PGN files to counts, draw probabilities, tables, rows, heads and WDL models.
//!
//! A run is a configuration with defaults, a few changes to it, and `run()`:
//!
//! | question | room | run |
//! |---|---|---|
//! | How are results spread over pawn structures? | [`collect`] | [`collect::Collect`] |
//! | Which features have the positions of games? | [`rows`] | [`rows::Gather`] |
//! | How do evaluations and results go together? | [`wdl`] | [`wdl::Collect`] |
//!
//! All of them read games through [`pgn::read_in_order`], so every game is counted or skipped for a named reason, and neither the
//! number of threads nor the order of the arguments changes anything in a result. For text in memory there is
//! [`pgn::read_games`]:
//!
//! ```
//! use drawish_games::pgn::read_games;
//! use drawish_games::sample::{Rule, Sampler, Sampling};
//!
//! let pgn = b"[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n";
//! let rule = Rule { sampling: Sampling::At { at: 2 }, min_moves: 0, ..Rule::default() };
//! let (sampler, _anomalies) = read_games(pgn, false, || Sampler::new(&rule));
//! let batch = sampler.into_batch();
//! assert_eq!(batch.tally.counted(), 1);
//! // White's pawn stands on e4, square 28, Black's on e5, square 36.
//! assert!(batch.positions[0].white >> 28 & 1 == 1 && batch.positions[0].black >> 36 & 1 == 1);
//! ```

pub mod annotate;
pub mod collect;
pub mod counts;
pub mod estimate;
pub mod export;
pub mod fan_out;
pub mod fit;
pub mod follow;
pub mod kept;
pub mod pgn;
pub mod rows;
pub mod sample;
pub mod smooth;
pub mod training;
pub mod wdl;
