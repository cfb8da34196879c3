//! `--engine cmd=... name=...`: an option that takes several words and may be given several times.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use clap::{Arg, ArgAction, ArgMatches, Command};

use super::arms::{self, ArmArg};
use drawish::arena::{Limits, TimeControl};

/// What the user said of each engine, one list of `key=value` for each `--engine`; and of both, by `--each`.
#[derive(Clone, Debug, Default)]
pub(super) struct EngineWords {
    engines: Vec<Vec<String>>,
    each: Vec<String>,
}

/// An engine as the words describe it.
#[derive(Clone, Debug, Default)]
pub(super) struct EngineArg {
    /// Its name; that of the program unless told.
    pub(super) name: String,
    /// The program.
    pub(super) command: PathBuf,
    /// Its arguments.
    pub(super) args: Vec<String>,
    /// Where it runs.
    pub(super) dir: Option<PathBuf>,
    /// UCI options.
    pub(super) options: Vec<(String, String)>,
    /// Its own limits.
    pub(super) limits: Limits,
    /// An evaluation of this program's engine, in the place of a program.
    pub(super) arm: Option<ArmArg>,
}

impl EngineWords {
    /// The engine that plays itself, on both sides.
    pub(super) fn with_itself(&self) -> Result<[EngineArg; 2]> {
        let [one] = self.engines.as_slice() else {
            bail!("{} engines are given; --selfplay needs --engine once", self.engines.len());
        };
        let engine = self.engine(one)?;
        Ok([engine.clone(), engine])
    }

    /// The two engines of a match.
    pub(super) fn pair(&self) -> Result<[EngineArg; 2]> {
        let [one, two] = self.engines.as_slice() else {
            bail!("{} engines are given; a match needs --engine twice", self.engines.len());
        };
        let engines = [self.engine(one)?, self.engine(two)?];
        ensure!(
            engines[0].name != engines[1].name,
            "both engines are called {}: tell them apart by name=, as in --engine cmd=... name=new",
            engines[0].name
        );
        Ok(engines)
    }

    /// One of the engines against another that these words describe.
    pub(super) fn against(&self, engine: usize, opponent: &[String]) -> EngineWords {
        let own = self.engines.get(engine).cloned().unwrap_or_default();
        EngineWords { engines: vec![own, opponent.to_vec()], each: self.each.clone() }
    }

    fn engine(&self, words: &[String]) -> Result<EngineArg> {
        let mut engine = EngineArg::default();
        // What an engine says of itself comes later and replaces what is said of both.
        for word in self.each.iter().chain(words) {
            let (key, value) = word.split_once('=').with_context(|| {
                format!("{word:?} is no setting of an engine: expected key=value, as in cmd=./engine")
            })?;
            engine.set(key, value).with_context(|| format!("{word}: cannot be understood"))?;
        }
        let has_program = !engine.command.as_os_str().is_empty();
        if let Some(arm) = &engine.arm {
            ensure!(!has_program, "an engine is a program or an arm of this one: say cmd= or arm=, not both");
            ensure!(!arm.arm.is_empty(), "settings of an arm without arm=: expected --engine arm=gain-head heads=...");
            ensure!(engine.options.is_empty(), "an arm has no UCI options; its settings are {}", arms::KEYS.join(", "));
            if engine.name.is_empty() {
                engine.name.clone_from(&arm.arm);
            }
        } else {
            ensure!(has_program, "an engine without a program: expected cmd=, as in --engine cmd=./engine, or arm=");
            if engine.name.is_empty() {
                engine.name = engine.command.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            }
        }
        Ok(engine)
    }
}

impl EngineArg {
    fn set(&mut self, key: &str, value: &str) -> Result<()> {
        match key {
            "cmd" => self.command = PathBuf::from(value),
            "name" => self.name = value.to_owned(),
            "args" => self.args = value.split_whitespace().map(str::to_owned).collect(),
            "dir" => self.dir = Some(PathBuf::from(value)),
            "nodes" => self.limits.nodes = Some(positive(value)?),
            "depth" => self.limits.depth = Some(u32::try_from(positive(value)?)?),
            "movetime" => self.limits.movetime = Some(seconds(value)?),
            "tc" => self.limits.tc = Some(value.parse()?),
            _ if arms::KEYS.contains(&key) => self.arm.get_or_insert_default().set(key, value)?,
            _ => {
                let option = key.strip_prefix("option.").with_context(|| {
                    format!("no setting is called {key:?}; known are cmd, name, args, dir, nodes, depth, movetime, tc and option.NAME, and for an arm {}", arms::KEYS.join(", "))
                })?;
                self.options.retain(|(own, _)| !own.eq_ignore_ascii_case(option));
                self.options.push((option.to_owned(), value.to_owned()));
            }
        }
        Ok(())
    }
}

fn positive(text: &str) -> Result<u64> {
    text.parse().ok().filter(|&number| number > 0).with_context(|| format!("expected a number above 0, found {text:?}"))
}

/// A time above 0.
pub(super) fn seconds(text: &str) -> Result<Duration> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds
        .filter(|time| !time.is_zero() && *time <= TimeControl::LONGEST)
        .with_context(|| format!("{text:?} is no time: expected seconds above 0, and not more than a year"))
}

impl clap::FromArgMatches for EngineWords {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let engines = matches.get_occurrences::<String>("engine").into_iter().flatten();
        let each = matches.get_many::<String>("each").into_iter().flatten();
        Ok(EngineWords {
            engines: engines.map(|words| words.cloned().collect()).collect(),
            each: each.cloned().collect(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl clap::Args for EngineWords {
    fn augment_args(command: Command) -> Command {
        let several = |name: &'static str| {
            Arg::new(name).long(name).num_args(1..).action(ArgAction::Append).value_name("KEY=VALUE")
        };
        command
            .arg(several("engine").required(true).help(
                "An engine; give two: cmd=PROGRAM [name=] [args=] [dir=] [option.NAME=VALUE ...] [nodes=] [depth=] \
                 [movetime=SECONDS] [tc=8+0.08]. Or an arm of the engine in this program: arm=ARM [heads=FILE] [table=NAME|FILE] \
                 [taper=false] [contempt=] [hash=MiB] in the place of cmd=. The first is the one whose Elo is told",
            ))
            .arg(several("each").help("The same for both engines"))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}
