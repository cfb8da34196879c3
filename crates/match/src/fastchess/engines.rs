//! `-engine` and `-each`: what plays.

use std::path::{Path, absolute};
use std::time::Duration;

use super::error::CommandLineError;
use super::options::Draft;
use super::words::Given;
use crate::contest::{ArmSettings, Engine, EngineError, Program, Said, each_once};

/// What is said of an engine here.
#[derive(Default)]
struct Entrant {
    said: Said,
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

/// What is said of the settings of arms, which match runners do not have.
const ARM: &str = "an arm of drawish is a program here: say cmd=drawish args=uci option.Arm=NAME, and its other settings as option.NAME=";

const KNOWN: &str = "one of cmd=, name=, dir=, args=, tc=, st=, nodes=, depth=, timemargin=, restart=, ponder, proto=uci, option.NAME=; \
     an arm of drawish, elsewhere arm=NAME, is cmd=drawish args=uci option.Arm=NAME";

impl Draft {
    /// The engines, two at least, and the time margin that they share.
    pub(super) fn engines(&self) -> Result<(Vec<Engine>, Duration), CommandLineError> {
        if self.engines.len() < 2 {
            return Err(CommandLineError::Engines(self.engines.len()));
        }
        let entrants = self.engines.iter().map(|own| self.entrant(own)).collect::<Result<Vec<_>, _>>()?;
        let margin = entrants[0].time_margin;
        if let Some(other) = entrants.iter().find(|other| other.time_margin != margin) {
            return Err(CommandLineError::Refused {
                word: format!("-engine timemargin={}", other.time_margin),
                advice: "all engines have the same margin: say -each timemargin=",
            });
        }
        let engines = entrants.into_iter().map(|entrant| match entrant.said.engine() {
            // There are no arms on these command lines.
            Err(EngineError::NoProgram) => {
                Err(CommandLineError::Missing { option: "-engine cmd=", why: "name the program of each engine" })
            }
            engine => Ok(engine?),
        });
        let engines = engines.collect::<Result<_, CommandLineError>>()?;
        Ok((engines, Duration::from_millis(margin)))
    }

    fn entrant(&self, own: &Given) -> Result<Entrant, CommandLineError> {
        let mut entrant = Entrant::default();
        // Runners set what -each says last, wherever it stands.
        for given in std::iter::once(own).chain(&self.each) {
            // Frameworks write options again to replace them.
            let settings = given.pairs().filter(|(key, _)| !key.starts_with("option."));
            let words: Vec<_> = settings.map(|(key, value)| format!("{key}={value}")).collect();
            each_once(&words)?;
            for (key, value) in given.pairs() {
                entrant.set(given, key, value)?;
            }
        }
        entrant.find_program();
        Ok(entrant)
    }
}

impl Entrant {
    fn set(&mut self, given: &Given, key: &str, value: &str) -> Result<(), CommandLineError> {
        match key {
            "timemargin" => {
                let margin = given.keyed(key, value).ok().filter(|&margin| margin <= 3_600_000);
                let wrong = || given.wrong(&format!("{key}={value}"), "milliseconds, an hour at most");
                self.time_margin = margin.ok_or_else(wrong)?;
            }
            // A word alone, as cutechess-cli has it.
            "ponder" if value.is_empty() => self.said.program.ponder = true,
            _ => self.said.set(key, value).map_err(|error| match error {
                EngineError::Value { word, expected } => given.wrong(&word, &expected),
                EngineError::Unknown { key } if ArmSettings::KEYS.contains(&key.as_str()) => given.refused(&key, ARM),
                EngineError::Unknown { key } => match REFUSED.iter().find(|(name, _)| *name == key) {
                    Some((_, advice)) => given.refused(&key, advice),
                    None => given.wrong(&key, KNOWN),
                },
                error => error.into(),
            })?,
        }
        Ok(())
    }

    /// A program with a directory of its own is looked for there and then here, and started by its whole path: match runners
    /// differ in where they start from.
    fn find_program(&mut self) {
        let Program { command, dir: Some(dir), .. } = &self.said.program else { return };
        let candidates = [dir.join(command), command.clone()];
        if let Some(path) = candidates.iter().find(|path| Path::is_file(path)).and_then(|path| absolute(path).ok()) {
            self.said.program.command = path;
        }
    }
}
