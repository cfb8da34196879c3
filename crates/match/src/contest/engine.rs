//! Engines: a program that speaks UCI, or an arm of this program's engine.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::arm::ArmSettings;
use super::error::ContestError;
use crate::arena::Limits;

/// An engine of a match.
///
/// ```
/// use drawish_match::arena::Limits;
/// use drawish_match::contest::Engine;
///
/// let old = Engine::program("./engine-1.0").named("old").option("Hash", "16");
/// let fast = Engine::program("./engine-1.0").named("fast").limits(Limits::nodes(1000));
/// assert_eq!((old.name.as_str(), fast.limits.nodes), ("old", Some(1000)));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Engine {
    /// What it is called in logs, games and results.
    pub name: String,
    /// What plays.
    pub plays: Plays,
    /// What limits its thinking; those of the match where nothing is said.
    pub limits: Limits,
}

/// What plays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Plays {
    /// A program in a process of its own.
    Program(Program),
    /// The engine of this program, within this process.
    Arm(ArmSettings),
}

/// A program that speaks UCI.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Program {
    /// The program.
    pub command: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// Where it runs; where this program does if `None`.
    pub dir: Option<PathBuf>,
    /// UCI options with their values.
    pub options: Vec<(String, String)>,
    /// Whether it is started anew for every game.
    pub restart: bool,
    /// Whether it thinks in its opponent's time, which needs a clock.
    pub ponder: bool,
}

impl Engine {
    /// A program, called by the name of its file.
    #[must_use]
    pub fn program(command: impl Into<PathBuf>) -> Engine {
        Engine::from(Program { command: command.into(), ..Program::default() })
    }

    /// The same engine by another name.
    #[must_use]
    pub fn named(self, name: impl Into<String>) -> Engine {
        Engine { name: name.into(), ..self }
    }

    /// The same engine with limits of its own.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Engine {
        Engine { limits, ..self }
    }

    /// The same engine with a UCI option set. An arm has none, and stays as it is.
    #[must_use]
    pub fn option(mut self, name: &str, value: &str) -> Engine {
        if let Plays::Program(program) = &mut self.plays {
            program.options.push((name.to_owned(), value.to_owned()));
        }
        self
    }

    /// Whether it thinks in its opponent's time.
    #[must_use]
    pub fn ponders(&self) -> bool {
        matches!(&self.plays, Plays::Program(program) if program.ponder)
    }

    /// The files that it may be read from: the program, or the heads, form and table of an arm, of which names of what is built in are
    /// files only where there are such.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let (program, arm) = match &self.plays {
            Plays::Program(program) => (Some(program.command.as_path()), None),
            Plays::Arm(arm) => (None, Some(arm.files())),
        };
        program.into_iter().chain(arm.into_iter().flatten())
    }

    /// The UCI options of a program; an arm has none.
    #[must_use]
    pub fn options(&self) -> &[(String, String)] {
        match &self.plays {
            Plays::Program(program) => &program.options,
            Plays::Arm(_) => &[],
        }
    }
}

impl From<Program> for Engine {
    fn from(program: Program) -> Engine {
        let name = program.command.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Engine { name, plays: Plays::Program(program), limits: Limits::default() }
    }
}

impl From<ArmSettings> for Engine {
    fn from(arm: ArmSettings) -> Engine {
        Engine { name: arm.arm.name().to_owned(), plays: Plays::Arm(arm), limits: Limits::default() }
    }
}

/// Makes sure that engines have names of their own, which logs and games can have as they are.
pub(crate) fn check_names<'a>(engines: impl IntoIterator<Item = &'a Engine>) -> Result<(), ContestError> {
    let mut names = HashSet::new();
    for Engine { name, .. } in engines {
        if name.trim() != name || name.contains(char::is_control) {
            return Err(ContestError::NoName(name.clone()));
        }
        if !names.insert(name) {
            return Err(ContestError::SameName(name.clone()));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What logs and games would write otherwise is no name.
    #[test]
    fn names_are_the_same_in_logs_and_games() {
        let engine = |name: &str| Engine::program("./engine").named(name);
        let said = |names: [&str; 2]| check_names(&names.map(engine)).map_err(|error| error.to_string());
        for name in ["a\nb", "a\r\n[Result \"1-0\"]", "\u{1b}[2J", " a", "a\t", "a\u{85}b"] {
            assert!(said(["b", name]).expect_err(name).contains("is no name for an engine"), "{name:?}");
        }
        assert_eq!(said(["a \"b\" c]", "\u{e4}; {b}"]), Ok(()));
        assert!(said(["a", "a"]).expect_err("one name").contains("two engines are called a"));
    }
}
