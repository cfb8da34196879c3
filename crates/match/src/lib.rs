//! Matches between chess engines, from a book of openings to a verdict: matches that a test ends, gauntlets, self-play, and
//! experiments that are written down before they are played.
//!
//! # A match with a verdict
//!
//! Engines are programs that speak UCI ([`Engine::program`](contest::Engine::program)), or arms of the engine of this workspace,
//! which play within the process. Here two arms play pairs of games until a test is decided or the pairs are over:
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use drawish_match::contest::{ArmSettings, Contest, Event, Openings};
//! use drawish_stats::{Model, Sprt};
//!
//! let table = ArmSettings::from_pairs([("arm", "draw-table"), ("table", "rival"), ("hash", "1")])?;
//! let plain = ArmSettings::from_pairs([("arm", "none"), ("hash", "1")])?;
//! let played = Contest::new(table, plain, Openings::Random(6))
//!     .pairs(2)
//!     .nodes(50)
//!     .seed(7)
//!     .sprt(Sprt::new(Model::Normalized, 0.0, 5.0, 0.05, 0.05)?)
//!     .run(|event| {
//!         if let Event::Pair { record, llr, .. } = event {
//!             println!("pair {}: LLR {:.2}", record.pair, llr.unwrap_or(0.0));
//!         }
//!         ControlFlow::Continue(())
//!     })?;
//! assert_eq!(played.score().games, 4);
//! println!("Elo {:.1}, 95 % within {:?} of it", played.score().elo, played.score().elo_error);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! With [`log`](contest::Contest::log) every finished pair is written down, and with [`resume`](contest::Contest::resume) an
//! interrupted match goes on where it stopped. The number of workers changes nothing in the games, in the log or in the verdict.
//!
//! # Two engines against the same opponents
//!
//! A [`Gauntlet`](contest::Gauntlet) compares two engines opening by opening, which takes away what an opening gives to both:
//!
//! ```no_run
//! use std::ops::ControlFlow;
//!
//! use drawish_match::arena::Limits;
//! use drawish_match::contest::{Engine, Gauntlet};
//!
//! let (new, old) = (Engine::program("./new"), Engine::program("./old"));
//! let opponents = vec![Engine::program("weaker"), Engine::program("stronger")];
//! let mut gauntlet = Gauntlet::new(new, old, opponents, "book.epd", "logs");
//! gauntlet.terms.limits = Limits::nodes(5000);
//! let played = gauntlet.run(|_| ControlFlow::Continue(()))?;
//! println!("{:?}", played.difference());
//! # Ok::<(), drawish_match::contest::ContestError>(())
//! ```
//!
//! # Games to count
//!
//! [`SelfPlay`](contest::SelfPlay) writes games of one engine against itself as PGN:
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use drawish_match::arena::{Limits, Rules};
//! use drawish_match::contest::{ArmSettings, Openings, SelfPlay};
//!
//! let arm = ArmSettings::from_pairs([("arm", "none"), ("hash", "1")])?;
//! # let file = std::env::temp_dir().join(format!("drawish-match-{}.pgn", std::process::id()));
//! let mut selfplay = SelfPlay::new(arm, Openings::Random(4), &file);
//! selfplay.games = Some(3);
//! selfplay.terms.limits = Limits::nodes(50);
//! selfplay.terms.rules = Rules { max_moves: Some(40), ..selfplay.terms.rules };
//! let played = selfplay.run(|_| ControlFlow::Continue(()))?;
//! assert_eq!(std::fs::read_to_string(&file)?.matches("[Event ").count(), 3);
//! # std::fs::remove_file(&file)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # An experiment
//!
//! An [`Experiment`](experiment::Experiment) is a file that names the arms, the games and the tests before anything is played.
//! [`Layout`](experiment::Layout) finds its logs, [`Runner`](experiment::Runner) plays what is missing or plays it again to check
//! the logs, and [`judge`](experiment::judge) says what the games mean:
//!
//! ```no_run
//! use std::path::Path;
//!
//! use drawish_match::experiment::{Layout, Runner, judge};
//!
//! let layout = Layout::open(Path::new("experiments/pilot.toml"))?;
//! Runner::new(&layout, Some(Path::new("books")), &[])?.run(Some(1000), |progress| println!("{progress:?}"))?;
//! let results: Vec<_> = layout.found()?.into_iter().map(|found| found.result).collect();
//! for arm in judge(layout.experiment(), &results)?.arms {
//!     println!("{}: {}", arm.name, arm.verdict.name());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # More than two engines
//!
//! A [`tournament::Tournament`] plays a round robin, or some engines against all others, and rates them by maximum likelihood.
//!
//! # Numbers tuned by games
//!
//! [`spsa::Spsa`] tunes UCI options of a program, or numbers of an arm, by SPSA.
//!
//! # Heads fitted to searches
//!
//! [`within::Within`] fits heads to what deeper searches say of the moves of one position.
//!
//! # A command line of another match runner
//!
//! [`fastchess::CommandLine`] reads the options of fastchess and cutechess-cli as a [`Contest`](contest::Contest).
//!
//! # Parts
//!
//! [`arena`] has what these are made of: a [`Player`](arena::Player) of your own, one [game](arena::play), a
//! [`Match`](arena::Match) of such players, the [log](arena::MatchLog), and reading one that is still being written
//! ([`Logged`](arena::Logged)). [`results`] reads what a match has given, from logs, PGN and what runners print.

pub mod arena;
pub mod contest;
pub mod experiment;
pub mod fastchess;
pub mod results;
pub mod spsa;
pub mod tournament;
pub mod within;
