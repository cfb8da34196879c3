//! Who plays: a program, or an arm of the engine in this one.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use shakmaty::CastlingMode;

use crate::cli::arms::ReadArm;
use crate::cli::engines::EngineArg;
use drawish::arena::{EngineSpec, Limits, Player, PlayerLost, Side, UciPlayer, Watchdog};
use drawish::pgn::file_digest;

/// One side of a match, of which any number of players can be had.
pub(in crate::cli) struct Cast {
    engine: EngineArg,
    kind: Kind,
}

enum Kind {
    Program { spec: Arc<EngineSpec>, watchdog: Watchdog },
    Arm(ReadArm),
}

impl Cast {
    /// Both sides, with one watchdog for all processes.
    pub(in crate::cli) fn both(engines: &[EngineArg; 2], patience: u64, castling: CastlingMode) -> Result<[Cast; 2]> {
        let watchdog = Watchdog::start().context("no thread for the watchdog")?;
        let [one, two] = engines;
        Ok([Cast::new(one, patience, castling, &watchdog)?, Cast::new(two, patience, castling, &watchdog)?])
    }

    fn new(engine: &EngineArg, patience: u64, castling: CastlingMode, watchdog: &Watchdog) -> Result<Cast> {
        let kind = match &engine.arm {
            Some(arm) => Kind::Arm(arm.read().with_context(|| engine.name.clone())?),
            None => {
                let EngineArg { name, command, args, dir, options, .. } = engine.clone();
                let (patience, chess960) = (Duration::from_secs(patience), castling.is_chess960());
                let spec = EngineSpec { name, command, args, dir, options, patience, chess960 };
                Kind::Program { spec: Arc::new(spec), watchdog: watchdog.clone() }
            }
        };
        Ok(Cast { engine: engine.clone(), kind })
    }

    /// A player for a worker.
    pub(in crate::cli) fn player(&self) -> Result<Box<dyn Player>, PlayerLost> {
        match &self.kind {
            Kind::Program { spec, watchdog } => Ok(Box::new(UciPlayer::new(Arc::clone(spec), watchdog.clone()))),
            Kind::Arm(arm) => arm.player().map_err(|error| PlayerLost(format!("{error:#}"))),
        }
    }

    /// What it is called.
    pub(in crate::cli) fn name(&self) -> &str {
        &self.engine.name
    }

    /// Whether both are arms that search alike in every position of the bench.
    pub(in crate::cli) fn plays_like(&self, other: &Cast) -> bool {
        matches!((&self.kind, &other.kind), (Kind::Arm(one), Kind::Arm(other)) if one.checksum == other.checksum)
    }

    /// For the log.
    pub(in crate::cli) fn side(&self, limits: &Limits) -> Side {
        let EngineArg { name, command, args, options, arm, .. } = &self.engine;
        let (player, build, options) = match (&self.kind, arm) {
            (Kind::Arm(read), Some(arm)) => {
                (format!("arm {}", arm.arm), Some(format!("{:032x}", read.checksum)), arm.options())
            }
            _ => {
                let words = std::iter::once(command.display().to_string()).chain(args.iter().cloned());
                let build = file_digest(command).ok().map(|(digest, _)| format!("{digest:032x}"));
                (words.collect::<Vec<_>>().join(" "), build, options.clone())
            }
        };
        Side { name: name.clone(), player, build, options, limits: limits.to_string() }
    }
}
