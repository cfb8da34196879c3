//! Tuning by games: SPSA over numbers of an engine, as OpenBench and fishtest have it.
//!
//! In each step all parameters are changed at once, each by ±c at random. The engine with these values plays the engine with the
//! opposite ones, from the same opening with both colours, and the values move towards the side that won more games. The gains are
//! those of OpenBench, see [`Gains`]; values are clipped to their bounds after every step, and the average over the second half of the
//! steps (Polyak and Ruppert), which is less noisy than the last value, is reported beside it, and so is where the results of all steps
//! say that a parameter is best ([`Response`]).
//!
//! Every step has a line in the log, so that a run that was killed goes on as if nothing had happened. Step k is played from the
//! values after step k - [`lag`](Spsa::lag), whatever the number of workers: it changes nothing in the log.
//!
//! ```no_run
//! use std::ops::ControlFlow;
//!
//! use drawish_match::contest::Engine;
//! use drawish_match::spsa::{Parameter, Spsa, SpsaEvent};
//!
//! let parameters = Parameter::read("RazorMargin, int, 220, 50, 400, 20, 0.002\nNullBase, int, 4, 2, 6, 0.5, 0.002\n")?;
//! let mut spsa = Spsa::new(Engine::program("./engine"), parameters, "book.epd");
//! (spsa.terms.limits.nodes, spsa.terms.pairs) = (Some(5000), Some(20_000));
//! spsa.log = Some("spsa.jsonl".into());
//! let tuned = spsa.run(|event| {
//!     if let SpsaEvent::Step { record, .. } = event {
//!         println!("step {}: {:?}", record.step, record.values);
//!     }
//!     ControlFlow::Continue(())
//! })?;
//! for found in tuned.found() {
//!     println!("{}: {} was {}", found.parameter.name, found.average, found.parameter.value);
//! }
//! # Ok::<(), drawish_match::spsa::SpsaError>(())
//! ```

mod error;
mod found;
mod log;
mod logged;
mod parameter;
mod path;
mod players;
mod response;
mod sameness;
mod schedule;
mod steps;

use std::num::{NonZeroU64, NonZeroUsize};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

pub use self::error::SpsaError;
pub use self::found::Found;
use self::log::SpsaLog;
pub use self::log::{SpsaLogError, SpsaSetup, StepRecord};
pub use self::logged::{SpsaLogged, SpsaLoggedError};
pub use self::parameter::{Kind, Objection, Parameter, ParameterError};
pub use self::path::Path;
use self::players::TunedPlayer;
pub use self::response::{Best, Response};
pub use self::sameness::Sameness;
pub use self::schedule::{ALPHA, GAMMA, Gains, Perturbation, STABILITY};
use self::steps::Steps;
use crate::arena::{Book, Setup, Syzygy};
use crate::contest::{
    ArmError, ContestError, DefaultLog, Engine, Ground, Making, Openings, Plays, Terms, default_log,
    difference_in_words, file_name, new_seed, read_form, seed_of,
};

/// Tuning of an engine's numbers by games.
#[derive(Clone, Debug)]
#[must_use = "numbers are tuned by `run`"]
#[non_exhaustive]
pub struct Spsa {
    /// The engine, which plays itself.
    pub engine: Engine,
    /// Its numbers: UCI options of a program, or numbers of an arm.
    pub parameters: Vec<Parameter>,
    /// How games are played. `pairs` is their number in all, one for each opening if `None`.
    pub terms: Terms,
    /// Pairs in each step, from as many openings.
    pub pairs_per_step: NonZeroU64,
    /// Step k is played from the values after step k - lag: so many steps can be played at a time. 1 is SPSA as in the books.
    pub lag: NonZeroU64,
    /// Ends the run when every average has moved by less than this share of its `c_end` during the last quarter of the steps, after
    /// at least a quarter of all steps.
    pub stop: Option<f64>,
    /// Where every step is written down.
    pub log: Option<PathBuf>,
    /// Whether the log may hold steps of this run, which are not played again.
    pub resume: bool,
}

/// What is said while numbers are tuned.
#[derive(Debug)]
#[non_exhaustive]
pub enum SpsaEvent<'a> {
    /// So many random openings are made before the first game, which takes a while.
    Making(u64),
    /// The openings have been read; some of them may have been left out.
    Openings(&'a Book),
    /// Endgame tables have been opened; some of them may be missing.
    Tables(&'a Syzygy),
    /// All is open, and the games begin.
    Begins {
        /// What is tuned and how.
        setup: &'a SpsaSetup,
        /// The openings, in their order.
        book: &'a Book,
        /// Games at a time.
        workers: NonZeroUsize,
        /// The path of the log, whose steps are not played again.
        path: &'a Path,
    },
    /// In twenty pairs in a row both games had the same moves: the values seem to change nothing. Said once, before the step.
    NoEffect {
        /// What is tuned and how.
        setup: &'a SpsaSetup,
        /// Pairs so far.
        sameness: Sameness,
    },
    /// A step is finished, and written down.
    Step {
        /// The step.
        record: &'a StepRecord,
        /// The values up to it.
        path: &'a Path,
    },
}

/// What came of tuning.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct SpsaPlayed {
    /// What was tuned and how.
    pub setup: SpsaSetup,
    /// The values after every step.
    pub path: Path,
    /// Where the results of all steps say that each parameter is best, if they say it clearly.
    pub best: Vec<Option<Best>>,
    /// Games that ended by a fault of the engine, whose pairs were played again.
    pub faults: u64,
    /// Pairs in which the values made no difference.
    pub sameness: Sameness,
    /// Whether the rule to stop has ended the run.
    pub at_rest: bool,
}

impl SpsaPlayed {
    /// What was found for each parameter.
    pub fn found(&self) -> impl Iterator<Item = Found<'_>> {
        let steps = self.path.steps();
        self.setup.parameters.iter().enumerate().map(move |(at, parameter)| Found {
            parameter,
            value: self.path.after(steps)[at],
            average: self.path.average(at, steps),
            by_chance: self.path.by_chance(at, steps),
            best: self.best[at],
        })
    }

    /// Games that count.
    #[must_use]
    pub fn games(&self) -> u64 {
        2 * self.pairs()
    }

    /// Pairs that count, so also openings used.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.path.steps() * self.setup.pairs_per_step
    }

    /// The averaged values as a file: of an arm with a form the form with them, of other engines a line each, `name, value`.
    ///
    /// # Errors
    ///
    /// If the form of the arm cannot be read, or does not take a value.
    pub fn averages(&self, engine: &Engine) -> Result<String, ArmError> {
        let form = match &engine.plays {
            Plays::Arm(arm) => arm.form.as_deref().map(read_form).transpose()?,
            Plays::Program(_) => None,
        };
        let averages = self.found().map(|found| (found.parameter, found.average));
        let Some(mut form) = form else {
            let line =
                |(parameter, mean): (&Parameter, f64)| format!("{}, {}\n", parameter.name, parameter.in_words(mean));
            return Ok(averages.map(line).collect());
        };
        for (parameter, mean) in averages {
            form.set(&parameter.name, parameter.in_words(mean).parse().unwrap_or(mean))?;
        }
        Ok(form.to_toml())
    }
}

impl Spsa {
    /// Tuning of numbers of this engine from these openings: a pair a step, 16 steps at a time at most, nothing written down.
    pub fn new(engine: impl Into<Engine>, parameters: Vec<Parameter>, openings: impl Into<Openings>) -> Spsa {
        Spsa::with_terms(engine.into(), parameters, Terms::new(openings))
    }

    /// Tuning on such terms.
    pub fn with_terms(engine: Engine, parameters: Vec<Parameter>, terms: Terms) -> Spsa {
        Spsa {
            engine,
            parameters,
            terms,
            pairs_per_step: NonZeroU64::MIN,
            lag: DEFAULT_LAG,
            stop: None,
            log: None,
            resume: false,
        }
    }

    /// The log of tuning for which none is named: it is called after the file of the parameters and lies where the program runs,
    /// with a number if a log of that name is there. A run that is resumed has the newest of these logs whose setup is its own.
    ///
    /// # Errors
    ///
    /// As [`Contest::default_log`](crate::contest::Contest::default_log).
    pub fn default_log(&self, parameters: &std::path::Path) -> Result<DefaultLog, ContestError> {
        let stem = parameters.file_stem().unwrap_or_default().to_string_lossy();
        default_log(&format!("{}-spsa", file_name(&stem)), self.resume, || {
            let games = self.terms.outline(|side| side(&self.engine).map(|side| [side.clone(), side]))?;
            Ok(move |line: &[u8]| match SpsaLogged::read(line) {
                Ok(SpsaLogged { played: SpsaPlayed { setup: logged, .. }, .. }) => {
                    let games = self.terms.begun_as(&games, &logged.games);
                    let pairs = self.terms.pairs.unwrap_or(games.openings);
                    difference_in_words(&logged, &self.setup(pairs, games))
                }
                Err(error) => Some(error.to_string()),
            })
        })
    }

    /// What is tuned and how, in so many pairs of such games.
    fn setup(&self, pairs: u64, games: Setup) -> SpsaSetup {
        let pairs_per_step = self.pairs_per_step.get();
        SpsaSetup {
            parameters: self.parameters.clone(),
            steps: pairs / pairs_per_step,
            pairs_per_step,
            lag: self.lag.get(),
            games,
        }
    }

    /// Plays the steps, or what is missing of them. Each finished step is written down before `observe` sees it; a break ends the run
    /// after it.
    ///
    /// # Errors
    ///
    /// If tuning cannot begin as it is described, if the engine fails too often, or if nothing more can be written; what was played
    /// before is in the log.
    pub fn run(
        &self,
        mut observe: impl FnMut(SpsaEvent<'_>) -> ControlFlow<()> + Send,
    ) -> Result<SpsaPlayed, SpsaError> {
        for parameter in &self.parameters {
            let name = parameter.name.clone();
            parameter.check().map_err(|what| SpsaError::Parameter { name, what })?;
        }
        if self.parameters.is_empty() {
            return Err(ParameterError { line: 1, what: Objection::None }.into());
        }
        if let Plays::Program(program) = &self.engine.plays {
            let is_set = |name: &str| program.options.iter().any(|(option, _)| option.eq_ignore_ascii_case(name));
            if let Some(parameter) = self.parameters.iter().find(|parameter| is_set(&parameter.name)) {
                return Err(SpsaError::SetToo { name: parameter.name.clone() });
            }
        }
        let limits = self.terms.limits_of(&self.engine)?;
        let logged = self.log.as_deref().filter(|_| self.resume).and_then(seed_of);
        let seed = self.terms.seed.or(logged).unwrap_or_else(new_seed);
        if let Some(openings) = self.terms.makes(self.terms.pairs) {
            let _ = observe(SpsaEvent::Making(openings));
        }
        let book = self.terms.book(seed, self.terms.pairs)?;
        let _ = observe(SpsaEvent::Openings(&book));
        let (pairs, per_step) = (self.terms.pairs_from(&book)?, self.pairs_per_step.get());
        if pairs < per_step {
            return Err(SpsaError::NoStep { pairs, per_step });
        }
        let players = Making::new(&self.terms, book.castling)?.players(&self.engine)?;
        let syzygy = self.terms.syzygy()?;
        if let Some(syzygy) = &syzygy {
            let _ = observe(SpsaEvent::Tables(syzygy));
        }
        let ground = Ground { book, seed, syzygy };
        let side = players.side(limits);
        let setup = self.setup(pairs, ground.setup_of([side.clone(), side], &self.terms));
        let parameters: Arc<[Parameter]> = self.parameters.clone().into();
        TunedPlayer::new(&players, &parameters)?.check().map_err(|lost| SpsaError::of_bounds(lost, &parameters))?;
        let (mut log, records) = match &self.log {
            Some(path) => SpsaLog::open(path, &setup, self.resume).map(|(log, records)| (Some(log), records))?,
            None => (None, Vec::new()),
        };
        let mut path = Path::new(&parameters);
        for record in &records {
            replay(&mut path, &setup, record).map_err(|what| {
                let (path, line) = (self.log.clone().unwrap_or_default(), record.step as usize + 1);
                SpsaLogError::Damaged { path, line, what }
            })?;
        }
        let mut response = Response::new(&parameters);
        records.iter().for_each(|record| response.add(&record.plus, &record.minus, record.score()));
        let mut faults = records.iter().map(|record| record.faults).sum();
        let (mut sameness, mut is_reported) = (Sameness::default(), false);
        records.iter().for_each(|record| sameness.recall(record, setup.pairs_per_step));
        let is_over = |path: &Path| {
            let share = self.stop.filter(|_| 4 * path.steps() >= setup.steps);
            share.is_some_and(|share| path.is_at_rest(&parameters, share))
        };
        let workers = self.terms.workers(std::slice::from_ref(&self.engine));
        let begins = SpsaEvent::Begins { setup: &setup, book: &ground.book, workers, path: &path };
        if observe(begins).is_continue() && !is_over(&path) {
            let steps = Steps {
                setup: &setup,
                parameters: Arc::clone(&parameters),
                players: &players,
                openings: &ground.book.openings,
                limits,
                rules: self.terms.rules,
                tablebases: ground.tablebases(),
                workers,
                fault_limit: self.terms.fault_limit,
                seed,
            };
            path = steps.run(path, faults, |record, same, path| {
                if let Some(log) = &mut log {
                    log.append(record)?;
                }
                faults += record.faults;
                response.add(&record.plus, &record.minus, record.score());
                if sameness.add(same) && !is_reported {
                    is_reported = true;
                    let _ = observe(SpsaEvent::NoEffect { setup: &setup, sameness });
                }
                let wish = observe(SpsaEvent::Step { record, path });
                Ok(if is_over(path) { ControlFlow::Break(()) } else { wish })
            })?;
        }
        let at_rest = is_over(&path);
        Ok(SpsaPlayed { best: response.best(), setup, path, faults, sameness, at_rest })
    }
}

/// Adds a step of the log to the path. Its values are reckoned anew: read from decimals they might be off in the last digit, and
/// the steps to come with them.
fn replay(path: &mut Path, setup: &SpsaSetup, record: &StepRecord) -> Result<(), String> {
    let (k, n) = (record.step, setup.steps);
    let from = path.after(k.saturating_sub(setup.lag));
    let step = Perturbation::at(&setup.parameters, from, setup.games.seed, k, n);
    let mut values = path.after(k - 1).to_vec();
    step.apply(&setup.parameters, &mut values, record.balance(), k, n);
    let agree = |reckoned: &[f64], logged: &[f64]| {
        reckoned.iter().zip(logged).all(|(one, other)| (one - other).abs() <= 1e-9 * (1.0 + one.abs()))
    };
    for (reckoned, logged) in [(&step.plus, &record.plus), (&step.minus, &record.minus)] {
        if !agree(reckoned, logged) {
            return Err(format!("its seed leads to games of {reckoned:?}, it has {logged:?}"));
        }
    }
    if !agree(&values, &record.values) {
        return Err(format!("its games lead to {values:?}, it has {:?}", record.values));
    }
    path.push(&values);
    Ok(())
}

/// As many steps at a time as most machines have cores.
const DEFAULT_LAG: NonZeroU64 = NonZeroU64::new(16).expect("16 is not 0");
