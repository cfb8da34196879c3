//! From PGN files to what a chess engine uses: draw tables, draw heads, WDL models, and matches that measure their Elo.
//!
//! The program `drawish` is this library behind a command line. Most tasks have the same form: build a configuration with `new`,
//! change what you need, call `run`.
//!
//! | I want to | start with | complete program |
//! |---|---|---|
//! | turn games into a draw table | [`collect::Collect`], [`smooth::estimate`], [`export::Table`] | `examples/collect_table.rs` |
//! | fit draw and gain heads | [`rows::Gather`], [`fit::Tune`] | `examples/fit_heads.rs` |
//! | fit a WDL model | [`wdl::Collect`], [`wdl::fit::fit`], [`wdl::Model`] | `examples/fit_wdl.rs` |
//! | play a match, a gauntlet or self-play | [`contest::Contest`], [`contest::Gauntlet`], [`contest::SelfPlay`] | `examples/play_match.rs` |
//! | run a pre-registered experiment | [`experiment::Runner`], [`experiment::judge`] | |
//! | play a tournament of several engines | [`tournament::Tournament`] | |
//! | tune numbers of an engine by games | [`spsa::Spsa`] | |
//! | fit heads to searches of sibling moves | [`within::Within`] | |
//! | judge or plan a match | [`results::read_all`], [`stats::Analysis`], [`stats::Forecast`] | `examples/judge_pairs.rs` |
//! | annotate games | [`annotate::annotate_file`] | `examples/annotate.rs` |
//! | write a report | [`report::Report`] | `examples/report_page.rs` |
//! | use a table inside a search | the crate [`drawish_core`], `no_std` and without dependencies | `core/examples` |
//!
//! # Games to a draw table
//!
//! By default one position a game counts: the one before White's 50th move, in games of at least 60 moves.
//!
//! ```
//! use drawish::collect::Collect;
//! use drawish::core::{DrawTable, Pawns};
//! use drawish::export::{Evidence, Format, Table};
//! use drawish::pgn::expand_inputs;
//! use drawish::smooth::{Estimator, estimate};
//!
//! # let games = concat!(env!("CARGO_MANIFEST_DIR"), "/src/cli/demo/sample.pgn.zst");
//! let collected = Collect::new(expand_inputs(&[games.into()])?).run()?;
//! assert!(collected.problems.broken.is_empty()); // inputs that could not be read to the end
//! let estimates = estimate(&collected.file.counts, Estimator::EmpiricalBayesSymmetric)?;
//! let table = Table::new(&estimates, &collected.file).to_bytes(Format::Table, Evidence::Kept);
//! let no_e_pawns = Pawns { white: 0x0000_0000_0000_ef00, black: 0x00ef_0000_0000_0000 }; // a1 = bit 0
//! println!("{:.1} % draws", 100.0 * DrawTable::from_bytes(&table)?.cell(no_e_pawns).probability.to_f64());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Games with evaluations to a WDL model
//!
//! ```
//! use drawish::pgn::expand_inputs;
//! use drawish::wdl::fit::{Normalization, Options, fit};
//! use drawish::wdl::{Collect, Model};
//!
//! # let games = concat!(env!("CARGO_MANIFEST_DIR"), "/src/cli/demo/sample.pgn.zst");
//! let counted = Collect::new(expand_inputs(&[games.into()])?).run()?.file;
//! // 100 centipawns in these games are 100 internal units; the default is Stockfish's conversion.
//! let options = Options { normalization: Normalization::Static(100.0), ..Options::default() };
//! let model = Model::new(&fit(&counted.counts, &options)?, &counted.provenance)?;
//! let rates = model.wdl(58.0, 150.0); // material 58, evaluation 150
//! assert!(rates.win > rates.loss);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A match with an SPRT
//!
//! Every opening is played with both colours. [`contest::Engine::program`] adds an engine that speaks UCI.
//!
//! ```
//! use drawish::contest::{ArmSettings, Contest, Openings};
//! use drawish::stats::{Model, Sprt};
//!
//! let table = ArmSettings::from_pairs([("arm", "draw-table"), ("table", "rival"), ("hash", "1")])?;
//! let plain = ArmSettings::from_pairs([("arm", "none"), ("hash", "1")])?;
//! let sprt = Sprt::new(Model::Normalized, 0.0, 5.0, 0.05, 0.05)?; // H0: 0 nElo, H1: 5 nElo
//! let contest = Contest::new(table, plain, Openings::Random(6)).pairs(2).nodes(50).seed(7).sprt(sprt);
//! let played = contest.run(|_event| std::ops::ControlFlow::Continue(()))?;
//! println!("{:.1} Elo: {}", played.score().elo, played.finished.decision.name());
//! # assert_eq!(played.score().games, 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Game pairs to a verdict
//!
//! ```
//! use drawish::stats::{Analysis, Decision, Model, Pentanomial, Results, Sprt};
//!
//! let pairs = Results::Pairs(Pentanomial { ll: 50, ld: 287, wl_dd: 610, wd: 387, ww: 73 });
//! let found = Analysis::of(&[pairs], Some(Sprt::new(Model::Normalized, 0.0, 5.0, 0.05, 0.05)?), None)?;
//! assert_eq!(format!("{:.1}", found.strength.elo), "18.0");
//! assert!(found.test.is_some_and(|test| test.decision == Decision::H1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! A library needs none of them: depend with `default-features = false`. All but `engine` are on by default. `cli`: the program;
//! `frames`: Parquet, most of the build time; `download`: games from fishtest; `png`: PNG beside SVG; `engine`: without
//! arguments the program speaks UCI.

// The command line names the library as any other user does.
#[cfg(feature = "cli")]
extern crate self as drawish;

#[cfg(feature = "cli")]
mod cli;

#[cfg(feature = "cli")]
pub use cli::{COMMIT, main as program};
pub use drawish_artefact::{Kind, identity, in_words, outfile, provenance, read_bounded, read_bounded_to};
pub use drawish_core as core;
#[cfg(feature = "download")]
pub use drawish_download as download;
pub use drawish_engine::{eval, form, search, uci};
#[cfg(feature = "frames")]
pub use drawish_frames as frames;
pub use drawish_games::{
    annotate, collect, counts, estimate, export, fan_out, fit, kept, pgn, rows, sample, smooth, training, wdl,
};
pub use drawish_heads::{features, heads};
pub use drawish_match::{arena, contest, experiment, fastchess, results, spsa, tournament, within};
pub use drawish_report as report;
pub use drawish_stats as stats;
pub use drawish_stats::model;
