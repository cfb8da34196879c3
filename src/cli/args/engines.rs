//! `--engine cmd=... name=...`: an option that takes several words and may be given several times.

use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use clap::{Arg, ArgAction, ArgMatches, Command};

use super::play::seconds;
use drawish::arena::{Limits, TimeControl};
use drawish::contest::{ArmSettings, Engine, Program};

/// What the user said of each engine, one list of `key=value` for each `--engine`; and of both, by `--each`.
#[derive(Clone, Debug, Default)]
pub(in crate::cli) struct EngineWords {
    engines: Vec<Vec<String>>,
    each: Vec<String>,
}

/// What the user said of the engines of a tournament, two or more.
#[derive(Clone, Debug, Default)]
pub(in crate::cli) struct EntrantWords(EngineWords);

impl EntrantWords {
    /// The engines.
    pub(in crate::cli) fn all(&self) -> Result<Vec<Engine>> {
        self.0.engines.iter().map(|words| self.0.engine(words)).collect()
    }
}

/// What the user said of the engine that is tuned.
#[derive(Clone, Debug, Default)]
pub(in crate::cli) struct TunedWords(Vec<String>);

impl TunedWords {
    /// The engine.
    pub(in crate::cli) fn engine(&self) -> Result<Engine> {
        EngineWords::default().engine(&self.0)
    }

    /// Its words, as they were given.
    pub(in crate::cli) fn words(&self) -> &[String] {
        &self.0
    }
}

/// What the user said of each opponent.
#[derive(Clone, Debug, Default)]
pub(in crate::cli) struct OpponentWords(Vec<Vec<String>>);

/// What the user said of each arm.
#[derive(Clone, Debug, Default)]
pub(in crate::cli) struct ArmWords(Vec<Vec<String>>);

/// An arm by its name, with the names and values of its settings.
pub(in crate::cli) type NamedArm = (String, Vec<(String, String)>);

impl ArmWords {
    /// The arms; one without a name has that of its evaluation.
    pub(in crate::cli) fn arms(&self) -> Result<Vec<NamedArm>> {
        let arm = |words: &Vec<String>| {
            let mut settings = Vec::new();
            let mut name = None;
            for word in words {
                let (key, value) = word.split_once('=').with_context(|| {
                    format!("{word:?} is not a setting of an arm: expected key=value, as in arm=draw-table")
                })?;
                if key == "name" {
                    name = Some(value.to_owned());
                } else {
                    settings.push((key.to_owned(), value.to_owned()));
                }
            }
            let arm = settings.iter().find(|(key, _)| key == "arm").map(|(_, value)| value.clone());
            Ok((name.or(arm).unwrap_or_default(), settings))
        };
        self.0.iter().map(arm).collect()
    }
}

impl EngineWords {
    /// The engine that plays itself.
    pub(in crate::cli) fn one(&self) -> Result<Engine> {
        match self.engines.as_slice() {
            [one] => self.engine(one),
            given => bail!("{} engines are given; --selfplay needs --engine once", given.len()),
        }
    }

    /// The two engines of a match.
    pub(in crate::cli) fn pair(&self) -> Result<[Engine; 2]> {
        match self.engines.as_slice() {
            [one, two] => Ok([self.engine(one)?, self.engine(two)?]),
            given => {
                let more = if given.len() > 2 { "; drawish tournament plays more" } else { "" };
                bail!("{} engines are given; a match needs --engine twice{more}", given.len())
            }
        }
    }

    /// Opponents of both, of whom the same is said by `--each`.
    pub(in crate::cli) fn opponents(&self, words: &OpponentWords) -> Result<Vec<Engine>> {
        words.0.iter().map(|words| self.engine(words)).collect()
    }

    fn engine(&self, words: &[String]) -> Result<Engine> {
        let mut program = Program::default();
        let (mut name, mut limits, mut arm) = (None, Limits::default(), Vec::new());
        // What an engine says of itself comes later and replaces what is said of both.
        for word in self.each.iter().chain(words) {
            let (key, value) = word.split_once('=').with_context(|| {
                format!("{word:?} is not a setting of an engine: expected key=value, as in cmd=./engine")
            })?;
            if ArmSettings::KEYS.contains(&key) {
                arm.push((key, value));
                continue;
            }
            let set = match key {
                "name" => {
                    name = Some(value);
                    Ok(())
                }
                "nodes" => positive(value).map(|nodes| limits.nodes = Some(nodes)),
                "depth" | "plies" => {
                    positive(value).and_then(|depth| Ok(u32::try_from(depth)?)).map(|depth| limits.depth = Some(depth))
                }
                "movetime" | "st" => seconds(value).map(|time| limits.movetime = Some(time)),
                "tc" => TimeControl::or_infinite(value).map(|tc| limits.tc = tc).map_err(Into::into),
                _ => set_program(&mut program, key, value),
            };
            set.with_context(|| format!("{word}: cannot be understood"))?;
        }
        let has_program = !program.command.as_os_str().is_empty();
        let engine = if arm.is_empty() {
            ensure!(has_program, "an engine without a program: expected cmd=, as in --engine cmd=./engine, or arm=");
            Engine::from(program)
        } else {
            ensure!(!has_program, "an engine is a program or an arm of this one: say cmd= or arm=, not both");
            let has_arm = arm.iter().any(|(key, _)| *key == "arm");
            ensure!(has_arm, "settings of an arm without arm=: expected --engine arm=gain-head heads=...");
            let known = ArmSettings::KEYS.join(", ");
            let ponders =
                "an arm does not think in its opponent's time: play it by cmd=drawish args=uci, or leave out ponder=";
            ensure!(!program.ponder, ponders);
            ensure!(program.options.is_empty(), "an arm has no UCI options; its settings are {known}");
            Engine::from(ArmSettings::from_pairs(arm)?)
        };
        let engine = engine.limits(limits);
        Ok(match name {
            Some(name) if !name.is_empty() => engine.named(name),
            _ => engine,
        })
    }
}

fn set_program(program: &mut Program, key: &str, value: &str) -> Result<()> {
    match key {
        "cmd" => program.command = PathBuf::from(value),
        "args" => program.args = value.split_whitespace().map(str::to_owned).collect(),
        "dir" => program.dir = Some(PathBuf::from(value)),
        "restart" => {
            program.restart = match value {
                "on" | "true" => true,
                "off" | "false" | "auto" => false,
                _ => bail!("expected restart=on or restart=off"),
            };
        }
        "ponder" => {
            program.ponder = match value {
                "on" | "true" => true,
                "off" | "false" => false,
                _ => bail!("expected ponder=on or ponder=off"),
            };
        }
        "proto" => ensure!(value == "uci", "only engines that speak UCI can play: expected proto=uci"),
        "timemargin" => bail!("the margin is the same for all engines: say --time-margin MS"),
        _ => {
            let option = key.strip_prefix("option.").with_context(|| {
                format!(
                    "no setting is called {key:?}; known are cmd, name, args, dir, nodes, depth, movetime (st), tc, restart, \
                     ponder, proto=uci and option.NAME, \
                     and for an arm {}",
                    ArmSettings::KEYS.join(", ")
                )
            })?;
            program.options.retain(|(own, _)| !own.eq_ignore_ascii_case(option));
            program.options.push((option.to_owned(), value.to_owned()));
        }
    }
    Ok(())
}

fn positive(text: &str) -> Result<u64> {
    text.parse().ok().filter(|&number| number > 0).with_context(|| format!("expected a number above 0, found {text:?}"))
}

/// The words of each time that an option was given.
fn occurrences(matches: &ArgMatches, name: &str) -> Vec<Vec<String>> {
    let times = matches.get_occurrences::<String>(name).into_iter().flatten();
    times.map(|words| words.cloned().collect()).collect()
}

fn several(name: &'static str) -> Arg {
    Arg::new(name).long(name).num_args(1..).action(ArgAction::Append).value_name("KEY=VALUE")
}

impl clap::FromArgMatches for EngineWords {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let each = occurrences(matches, "each").concat();
        Ok(EngineWords { engines: occurrences(matches, "engine"), each })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl clap::Args for EngineWords {
    fn augment_args(command: Command) -> Command {
        command
            .arg(several("engine").required(true).help(
                "An engine; give two: cmd=PROGRAM [name=] [args=] [dir=] [option.NAME=VALUE ...] [nodes=] [depth=] \
                 [movetime=SECONDS] [tc=8+0.08] [restart=on] [ponder=on]. Or an arm of the engine in this program: arm=ARM [heads=NAME|FILE] [form=FILE] \
                 [table=NAME|FILE] \
                 [taper=false] [contempt=] [hash=MiB] in the place of cmd=. Elo is reported for the first engine",
            ))
            .arg(several("each").help("The same for both engines"))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl clap::FromArgMatches for ArmWords {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(ArmWords(occurrences(matches, "arm")))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl clap::Args for ArmWords {
    fn augment_args(command: Command) -> Command {
        command.arg(several("arm").help(
            "An arm, and once more for each other one: arm=ARM [name=] [heads=NAME|FILE] [form=FILE] [table=NAME|FILE] \
             [taper=false] [contempt=] [hash=MiB]; files are looked for beside the experiment's file",
        ))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl clap::FromArgMatches for EntrantWords {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        EngineWords::from_arg_matches(matches).map(EntrantWords)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0.update_from_arg_matches(matches)
    }
}

impl clap::Args for EntrantWords {
    fn augment_args(command: Command) -> Command {
        command
            .arg(several("engine").required(true).help(
                "An engine; give as many as take part: cmd=PROGRAM [name=] [args=] [dir=] [option.NAME=VALUE ...] [nodes=] [depth=] \
                 [movetime=SECONDS] [tc=8+0.08] [restart=on] [ponder=on]. Or an arm of the engine in this program: arm=ARM [heads=NAME|FILE] [form=FILE] \
                 [table=NAME|FILE] [taper=false] [contempt=] [hash=MiB] in the place of cmd=",
            ))
            .arg(several("each").help("The same for all engines"))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl clap::FromArgMatches for TunedWords {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(TunedWords(occurrences(matches, "engine").concat()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl clap::Args for TunedWords {
    fn augment_args(command: Command) -> Command {
        command.arg(several("engine").required(true).help(
            "The engine, whose parameters are UCI options: cmd=PROGRAM [name=] [args=] [dir=] [option.NAME=VALUE ...] [nodes=] \
             [depth=] [movetime=SECONDS] [tc=8+0.08] [restart=on] [ponder=on]. Or an arm of the engine in this program, whose parameters are \
             numbers of its form: arm=form form=FILE [hash=MiB]",
        ))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl clap::FromArgMatches for OpponentWords {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(OpponentWords(occurrences(matches, "opponent")))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl clap::Args for OpponentWords {
    fn augment_args(command: Command) -> Command {
        let help = "An opponent, in the words of --engine; any number of times";
        command.arg(several("opponent").required(true).help(help))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}
