//! One side of a match, of which any number of players can be had.

use std::sync::Arc;
use std::time::Duration;

use shakmaty::CastlingMode;

use super::arm::{ArmSettings, LoadedArm, TunableArm};
use super::engine::{Engine, Plays, Program};
use super::error::ContestError;
use super::terms::Terms;
use crate::arena::{EngineFiles, EngineLog, EngineSpec, Limits, Player, PlayerLost, Side, UciPlayer, Watchdog};

/// One side of a match: its engine, and players of it for the workers.
#[derive(Clone)]
pub(crate) struct Players {
    name: String,
    source: Source,
}

#[derive(Clone)]
enum Source {
    Program { spec: Arc<EngineSpec>, files: Arc<EngineFiles>, watchdog: Watchdog, log: Option<EngineLog> },
    Arm { settings: ArmSettings, loaded: LoadedArm },
}

/// What plays, before its numbers are set.
pub(crate) enum Tunable {
    Program(Box<UciPlayer>),
    Arm(Box<TunableArm>),
}

/// What a side is made with.
pub(crate) struct Making {
    patience: Duration,
    castling: CastlingMode,
    /// One for all processes.
    watchdog: Watchdog,
    log: Option<EngineLog>,
}

impl Making {
    pub(crate) fn new(terms: &Terms, castling: CastlingMode) -> Result<Making, ContestError> {
        let watchdog = Watchdog::start().map_err(ContestError::Watchdog)?;
        Ok(Making { patience: terms.patience, castling, watchdog, log: terms.engine_log.clone() })
    }

    /// Loads an arm; a program is started by its players.
    pub(crate) fn players(&self, engine: &Engine) -> Result<Players, ContestError> {
        let name = engine.name.clone();
        let source = match &engine.plays {
            Plays::Arm(settings) => {
                let failed = |cause| ContestError::Arm { name: name.clone(), cause: Box::new(cause) };
                Source::Arm { settings: settings.clone(), loaded: settings.load().map_err(failed)? }
            }
            Plays::Program(program) => {
                let Program { command, args, dir, options, restart, ponder } = program.clone();
                let (patience, chess960) = (self.patience, self.castling.is_chess960());
                let name = name.clone();
                let spec = EngineSpec { name, command, args, dir, options, patience, chess960, restart, ponder };
                let files = Arc::new(EngineFiles::of(&spec));
                Source::Program { spec: Arc::new(spec), files, watchdog: self.watchdog.clone(), log: self.log.clone() }
            }
        };
        Ok(Players { name, source })
    }

    pub(crate) fn both(&self, engines: &[Engine; 2]) -> Result<[Players; 2], ContestError> {
        let [one, two] = engines;
        Ok([self.players(one)?, self.players(two)?])
    }
}

impl Players {
    /// A player for a worker.
    pub(crate) fn player(&self) -> Result<Box<dyn Player>, PlayerLost> {
        match &self.source {
            Source::Program { spec, files, watchdog, log } => {
                Ok(Box::new(process(spec, files, watchdog).logged(log.clone())))
            }
            Source::Arm { loaded, .. } => loaded.player().map_err(|error| PlayerLost::Other(Box::new(error))),
        }
    }

    /// A player whose numbers can be set, for a worker.
    pub(crate) fn tunable(&self) -> Result<Tunable, PlayerLost> {
        match &self.source {
            Source::Program { spec, files, watchdog, log } => {
                Ok(Tunable::Program(Box::new(process(spec, files, watchdog).logged(log.clone()))))
            }
            Source::Arm { loaded, .. } => {
                let arm = loaded.tunable().map_err(|error| PlayerLost::Other(Box::new(error)))?;
                Ok(Tunable::Arm(Box::new(arm)))
            }
        }
    }

    /// What it is called.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Whether both are arms that search alike in every position of the bench.
    fn plays_like(&self, other: &Players) -> bool {
        match (&self.source, &other.source) {
            (Source::Arm { loaded: one, .. }, Source::Arm { loaded: other, .. }) => one.checksum() == other.checksum(),
            _ => false,
        }
    }

    /// Whether both are arms that play the same games: searches that are alike, with as large a table. Forms must be the same, since some
    /// of their numbers are about endings that the bench does not have.
    pub(crate) fn is_same_as(&self, other: &Players) -> bool {
        match (&self.source, &other.source) {
            (Source::Arm { settings: own, loaded }, Source::Arm { settings: theirs, loaded: other_loaded }) => {
                self.plays_like(other) && own.hash == theirs.hash && loaded.form() == other_loaded.form()
            }
            _ => false,
        }
    }

    /// For the log.
    pub(crate) fn side(&self, limits: Limits) -> Side {
        let name = self.name.clone();
        let in_hex = |digest| format!("{digest:032x}");
        match &self.source {
            Source::Arm { settings, loaded } => {
                let (build, options) = (Some(in_hex(loaded.checksum())), settings.options());
                Side {
                    name,
                    player: settings.player(),
                    dir: None,
                    build,
                    files: None,
                    options,
                    limits,
                    ponder: false,
                    restart: false,
                }
            }
            Source::Program { spec, files, .. } => {
                let EngineSpec { command, args, dir, options, ponder, restart, .. } = &**spec;
                let words = std::iter::once(command.display().to_string()).chain(args.iter().cloned());
                let build = files.build().map(in_hex);
                let files = files.named().map(|(word, digest)| (word.to_owned(), in_hex(digest)));
                Side {
                    name,
                    player: words.collect::<Vec<_>>().join(" "),
                    dir: dir.as_ref().map(|dir| dir.display().to_string()),
                    build,
                    files: Some(files.collect()),
                    options: options.clone(),
                    limits,
                    ponder: *ponder,
                    restart: *restart,
                }
            }
        }
    }
}

/// An engine process that stays what it is.
fn process(spec: &Arc<EngineSpec>, files: &Arc<EngineFiles>, watchdog: &Watchdog) -> UciPlayer {
    UciPlayer::new(Arc::clone(spec), watchdog.clone()).playing_from(Arc::clone(files))
}

/// Refuses a comparison of what plays the same moves.
pub(crate) fn refuse_equal([one, two]: [&Players; 2], limits: [Limits; 2]) -> Result<(), ContestError> {
    if one.plays_like(two) && limits[0] == limits[1] {
        return Err(ContestError::Equal { one: one.name().to_owned(), two: two.name().to_owned() });
    }
    Ok(())
}
