//! The integration tests of the program, in one program. Those of a crate by itself are in its folder `tests`. What stands where:
//!
//! - `architecture`: which room may import which, and which dependency has which door;
//! - `archives`: archives in the place of directories, cut and damaged ones; training data as inputs of the program;
//! - `collect`: the verb on small inputs made here: the rule, its options, broken files, resuming, threads;
//! - `hard_pgn`: the nasty files of ../shared/data/hard-pgn, each with its outcome;
//! - `corpora`: real games of ../shared/data, against figures counted by other programs;
//! - `engine`: the verbs `uci` and `bench` in a dialogue: orders, limits, garbage, perft, castling;
//! - `openbench`: the engine's file for OpenBench, and the options in it;
//! - `protocol`: what a dialogue may do to `uci`: orders at any time, numbers beyond all ranges, broken files, noise;
//! - `tables`: every export, a C compiler's and a data frame's view of it, `verify` on damaged files;
//! - `rows`: rows, heads and evaluations on the shipped sample, and inputs that say nothing;
//! - `without_games`: positions without their games and games that come again, in JSON, files and on pages;
//! - `heads`: WDL heads in every form, what `inspect`, `verify` and `wdl show` say of heads, and damaged ones;
//! - `relevance`: expected results and symbols, estimated and annotated: the figures of the article, real and broken games;
//! - `shipped`: the tables in `tables/`, the sample games and the README agree with the program;
//! - `arena`: matches: how games end, who is to blame, the log; `fake_engine`: engines for them, good and bad;
//! - `dialogue`: what engines are sent and write, in a file;
//! - `ponder`: engines that think in their opponent's time;
//! - `doors`: what match, tournament, sprt and report say alike of repeated games, decided tests, wrong files and missing arguments;
//! - `same_engine`: a log goes on with the engines that it was begun with;
//! - `logged_test`: the test that the log of a match names, for who resumes it, judges it or looks at it;
//! - `match_habits`: the spellings of match runners, dates, and what games say of themselves;
//! - `fastchess`: command lines of other match runners, played or refused;
//! - `tournament`: more than two engines: tables, kills, engines that fail, command lines of fastchess;
//! - `arms`: matches between arms of this engine: equal games whatever the workers, arms that search alike;
//! - `spsa`: tuning by games: resumed after kills, engines and parameters that are wrong, forms as arms;
//! - `verdicts`: what is not concluded from results;
//! - `experiment`: experiments: cut short and gone on with, told, played again;
//! - `ledger`: nothing is lost in silence: swallowed games, nothing counted, outputs that are inputs, readers that go away;
//! - `stats`: what `drawish sprt` prints, adds up and refuses;
//! - `wdl`: the WDL model's counts and fits against scoreWDLstat, scoreWDL.py and known truths;
//! - `wdl_code`: fitted models as C, C++ and Rust, compiled and compared with the model;
//! - `download`: fishtest's games from a server on loopback that cuts, fails, lies and is silent;
//! - `fuzz`: the seeds of `fuzz/corpus` through every reader, without nightly;
//! - `report`: every kind of input as a page and as Markdown, and what is said of broken ones;
//! - `guides`: the commands and links of README and docs; `help`: what every verb says about itself, as snapshots;
//! - `hints`: what is said of skipped games and the like names options of the verb that says it;
//! - `run`: running the program, and where its inputs lie; `twins`: random legal games, from the tests of `drawish-games`.
//!
//! Tests that need ../shared, which no user has, pass when it is absent; the program `tests_skipped` counts them at the end.

#![expect(clippy::print_stderr, reason = "a skipped test says so")]

mod architecture;
mod archives;
mod arena;
mod arms;
mod collect;
mod corpora;
mod dialogue;
mod doors;
#[cfg(feature = "download")]
mod download;
mod engine;
mod experiment;
mod fake_engine;
mod fastchess;
mod fuzz;
mod guides;
mod hard_pgn;
mod heads;
mod help;
mod hints;
mod ledger;
mod logged_test;
mod match_habits;
mod openbench;
mod ponder;
mod protocol;
mod relevance;
mod report;
#[cfg(feature = "frames")]
mod rows;
mod run;
#[cfg(unix)]
mod same_engine;
mod shipped;
mod spsa;
mod stats;
mod tables;
mod tournament;
#[path = "../crates/games/tests/games/random_games.rs"]
mod twins;
mod verdicts;
mod wdl;
mod wdl_code;
mod without_games;
