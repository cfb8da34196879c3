//! `-engine` and `-each`: what plays.

use std::path::{Path, PathBuf, absolute};
use std::time::Duration;

use super::error::CommandLineError;
use super::options::Draft;
use super::words::Given;
use crate::arena::{Limits, TimeControl};
use crate::contest::{Engine, Program};

/// What is said of an engine.
#[derive(Default)]
struct Said {
    name: Option<String>,
    program: Program,
    limits: Limits,
    /// Milliseconds.
    time_margin: u64,
}

/// Settings of cutechess-cli that drawish does not have.
const REFUSED: [(&str, &str); 7] = [
    ("conf", "engine files are not supported: give cmd= and its settings"),
    ("initstr", "nothing is sent to an engine before uci: say option.NAME=VALUE"),
    ("stderr", "what engines write there is left where it goes: leave it out"),
    ("book", "engines have no books of their own here: say -openings"),
    ("bookdepth", "engines have no books of their own here: say -openings"),
    ("tscale", "time controls are taken as they are: say the time itself"),
    ("whitepov", "scores are read as UCI has them, for the side to move: leave it out"),
];

impl Draft {
    /// The engines, two at least, and the time margin that they share.
    pub(super) fn engines(&self) -> Result<(Vec<Engine>, Duration), CommandLineError> {
        if self.engines.len() < 2 {
            return Err(CommandLineError::Engines(self.engines.len()));
        }
        let said = self.engines.iter().map(|own| self.engine(own)).collect::<Result<Vec<_>, _>>()?;
        let margin = said[0].time_margin;
        if let Some(other) = said.iter().find(|other| other.time_margin != margin) {
            return Err(CommandLineError::Refused {
                word: format!("-engine timemargin={}", other.time_margin),
                advice: "all engines have the same margin: say -each timemargin=",
            });
        }
        Ok((said.into_iter().map(Said::engine).collect(), Duration::from_millis(margin)))
    }

    fn engine(&self, own: &Given) -> Result<Said, CommandLineError> {
        let mut said = Said::default();
        for given in self.each.iter().chain([own]) {
            for (key, value) in given.pairs() {
                said.set(given, key, value)?;
            }
        }
        if said.program.command.as_os_str().is_empty() {
            return Err(CommandLineError::Missing { option: "-engine cmd=", why: "name the program of each engine" });
        }
        said.find_program();
        Ok(said)
    }
}

impl Said {
    fn set(&mut self, given: &Given, key: &str, value: &str) -> Result<(), CommandLineError> {
        let word = || format!("{key}={value}");
        let wrong = |expected: &str| given.wrong(&word(), expected);
        let positive = || given.keyed::<u64>(key, value).ok().filter(|&n| n > 0);
        match key {
            "cmd" => self.program.command = PathBuf::from(value),
            "name" => self.name = Some(value.to_owned()),
            "dir" => self.program.dir = Some(PathBuf::from(value)),
            "args" => self.program.args = value.split_whitespace().map(str::to_owned).collect(),
            "arg" => self.program.args.push(value.to_owned()),
            "tc" => {
                self.limits.tc =
                    TimeControl::or_infinite(value).map_err(|error| wrong_tc(given, &word(), &error.to_string()))?
            }
            "st" => {
                let time = value.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
                let time = time.filter(|time| !time.is_zero() && *time <= TimeControl::LONGEST);
                self.limits.movetime = Some(time.ok_or_else(|| wrong("seconds above 0, and not more than a year"))?);
            }
            "nodes" => self.limits.nodes = Some(positive().ok_or_else(|| wrong("a whole number above 0"))?),
            "depth" | "plies" => {
                let depth = positive().and_then(|depth| u32::try_from(depth).ok());
                self.limits.depth = Some(depth.ok_or_else(|| wrong("half-moves above 0"))?);
            }
            "timemargin" => {
                let margin = given.keyed(key, value).ok().filter(|&margin| margin <= 3_600_000);
                self.time_margin = margin.ok_or_else(|| wrong("milliseconds, an hour at most"))?;
            }
            "restart" => {
                self.program.restart = match value {
                    "on" => true,
                    "off" | "auto" => false,
                    _ => return Err(wrong("restart=on or restart=off")),
                };
            }
            // A word alone, as cutechess-cli has it.
            "ponder" => {
                self.program.ponder = match value {
                    "" | "on" | "true" => true,
                    "off" | "false" => false,
                    _ => return Err(wrong("ponder alone, or ponder=off")),
                };
            }
            "proto" if value == "uci" => {}
            "proto" => return Err(given.refused(&word(), "only engines that speak UCI can play: say proto=uci")),
            _ => {
                if let Some(option) = key.strip_prefix("option.") {
                    self.program.options.retain(|(own, _)| !own.eq_ignore_ascii_case(option));
                    self.program.options.push((option.to_owned(), value.to_owned()));
                } else if let Some((_, advice)) = REFUSED.iter().find(|(name, _)| *name == key) {
                    return Err(given.refused(key, advice));
                } else {
                    let known = "cmd=, name=, dir=, args=, tc=, st=, nodes=, depth=, timemargin=, restart=, ponder, proto=uci, option.NAME=";
                    return Err(given.wrong(key, &format!("one of {known}")));
                }
            }
        }
        Ok(())
    }

    /// A program with a directory of its own is looked for there and then here, and started by its whole path: match runners
    /// differ in where they start from.
    fn find_program(&mut self) {
        let Program { command, dir: Some(dir), .. } = &self.program else { return };
        let candidates = [dir.join(command), command.clone()];
        if let Some(path) = candidates.iter().find(|path| Path::is_file(path)).and_then(|path| absolute(path).ok()) {
            self.program.command = path;
        }
    }

    fn engine(self) -> Engine {
        let engine = Engine::from(self.program).limits(self.limits);
        match self.name {
            Some(name) if !name.is_empty() => engine.named(name),
            _ => engine,
        }
    }
}

fn wrong_tc(given: &Given, word: &str, error: &str) -> CommandLineError {
    let expected = error.split_once(": expected ").map_or(error, |(_, expected)| expected);
    given.wrong(word, &format!("{expected}, or inf"))
}
