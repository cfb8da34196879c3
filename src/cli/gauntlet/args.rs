//! The arguments of `drawish gauntlet`: those of a match, opponents, and a place for the logs.

use std::collections::HashSet;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches, value_parser};

use crate::cli::engines::EngineArg;
use crate::cli::{matches, output};

/// What the user said.
pub(in crate::cli) struct Args {
    /// Two engines, and all that holds for every match.
    pub(super) common: matches::Args,
    /// A list of `key=value` for each opponent.
    pub(super) opponents: Vec<Vec<String>>,
    /// Where the logs are.
    pub(super) logs: PathBuf,
}

impl Args {
    /// Both arms, and the names of the opponents.
    pub(super) fn players(&self) -> Result<([EngineArg; 2], Vec<String>)> {
        let arms = self.common.engines.pair()?;
        let mut opponents = Vec::new();
        for words in &self.opponents {
            let [_, opponent] = self.common.engines.against(0, words).pair()?;
            opponents.push(opponent.name);
        }
        let names: HashSet<&String> = arms.iter().map(|arm| &arm.name).chain(&opponents).collect();
        ensure!(
            names.len() == 2 + opponents.len(),
            "two engines or opponents have the same name: tell them apart by name=, as in --opponent cmd=... name=weak"
        );
        ensure!(
            !output::is_standard(&self.common.openings),
            "--openings - can be read once only, and a gauntlet reads it for every match: give a file"
        );
        Ok((arms, opponents))
    }
}

/// What a gauntlet has no use for: it ends when all is played, and its logs have names of their own.
const UNUSED: [&str; 7] = ["sprt", "log", "resume", "pgn", "report", "repeat_openings", "selfplay"];

impl clap::Args for Args {
    fn augment_args(command: Command) -> Command {
        let mut command = matches::Args::augment_args(command)
            .about("Play two engines against the same opponents from the same openings, and compare them opening by opening")
            .long_about(
                "Play two engines against the same opponents from the same openings, and compare them opening by opening\n\n\
                 Each of both plays a match against each opponent, always with the same openings in the same order. What an \
                 opening gives to both tells nothing about the difference between them, so it is taken away: the error of \
                 the comparison is that of the differences. Every match has its log in --logs, and the same command goes on \
                 after any interruption.",
            )
            .after_help(
                "Example:\n  drawish gauntlet --engine cmd=./new name=new --engine cmd=./old name=old \\\n      \
                 --opponent cmd=weaker --opponent cmd=stronger --openings book.epd --nodes 5000 --logs gauntlet\n\n\
                 Exit codes: 0 all was played, 1 failed, 2 wrong usage.",
            );
        for name in UNUSED {
            command = command.mut_arg(name, |arg| arg.hide(true));
        }
        let opponents = Arg::new("opponent").long("opponent").num_args(1..).action(ArgAction::Append);
        let logs = Arg::new("logs").long("logs").value_name("DIR").value_parser(value_parser!(PathBuf));
        command
            .arg(
                opponents
                    .required(true)
                    .value_name("KEY=VALUE")
                    .help("An opponent, in the words of --engine; any number of times"),
            )
            .arg(logs.required(true).help("Where the log of each match is, so that it can be gone on with"))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Args {
    fn from_arg_matches(found: &ArgMatches) -> Result<Self, clap::Error> {
        let given = |name: &str| found.value_source(name) == Some(clap::parser::ValueSource::CommandLine);
        if let Some(name) = UNUSED.into_iter().find(|name| given(name)) {
            let name = name.replace('_', "-");
            return Err(clap::Error::raw(
                clap::error::ErrorKind::ArgumentConflict,
                format!("a gauntlet has no --{name}: it plays every match to its end, and logs it in --logs\n"),
            ));
        }
        let opponents = found.get_occurrences::<String>("opponent").into_iter().flatten();
        Ok(Args {
            common: matches::Args::from_arg_matches(found)?,
            opponents: opponents.map(|words| words.cloned().collect()).collect(),
            logs: found.get_one::<PathBuf>("logs").cloned().unwrap_or_default(),
        })
    }

    fn update_from_arg_matches(&mut self, found: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(found)?;
        Ok(())
    }
}
