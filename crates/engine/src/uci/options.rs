//! The options: what a GUI may set, within which range.

use std::ops::RangeInclusive;
use std::str::FromStr;
use std::sync::Arc;

use thiserror::Error;

use super::command::short;
use super::wdl_head::{ShownHead, ShownHeadError};
use super::worker::Chances;
use crate::eval::{Arm, Cells, Config, ConfigError, Heads, MAX_CONTEMPT};
use crate::form::Form;

/// What the options stand at.
#[derive(Clone, Debug)]
pub(super) struct Options {
    pub hash_mb: usize,
    pub chess960: bool,
    show_wdl: bool,
    wdl_head: Option<Arc<ShownHead>>,
    pub overhead: u64,
    pub evaluation: Config,
    /// The arm that is asked for but lacks heads or a form: options come in any order.
    waiting: Option<Waiting>,
}

#[derive(Clone, Copy, Debug)]
struct Waiting {
    arm: Arm,
    reported: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            hash_mb: HASH_MB,
            chess960: false,
            show_wdl: false,
            wdl_head: None,
            overhead: OVERHEAD,
            evaluation: Config::default(),
            waiting: None,
        }
    }
}

pub(super) const HASH_MB: usize = 16;
const HASH_MAX: u16 = 4096;
const OVERHEAD: u64 = 20;
/// What stands for no file.
const EMPTY: &str = "<empty>";

/// What a changed option calls for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Change {
    Nothing,
    Hash,
    ClearHash,
    Evaluation,
}

/// Why an option stays as it was.
#[derive(Debug, Error)]
pub(super) enum OptionError {
    #[error("no option is called {0:?}; \"uci\" lists them")]
    Unknown(String),
    #[error("option {name}: expected a whole number from {min} to {max}, found {found:?}; it stays {now}")]
    Range { name: &'static str, min: i64, max: i64, found: String, now: String },
    #[error("option {name}: expected true or false, found {found:?}; it stays {now}")]
    Check { name: &'static str, found: String, now: bool },
    #[error("option {name}: expected one of {expected}, found {found:?}; it stays {now}")]
    Combo { name: &'static str, expected: String, found: String, now: String },
    #[error("option Heads: {path}: {why}; they stay {now}")]
    Heads { path: String, why: String, now: String },
    #[error("option Form: {path}: {why}; it stays as it was")]
    Form { path: String, why: String },
    #[error("option {name}: {why}; set {} to a file that has it; the arm stays {now}", missing(.why))]
    Needs { name: &'static str, why: ConfigError, now: &'static str },
    #[error("option WdlHead: {path}: {why}; it stays {now}")]
    WdlHead { path: String, why: ShownHeadError, now: String },
    #[error("option Table: {path}: {why}; it stays {now}")]
    Table { path: String, why: String, now: String },
}

/// The option that an arm lacks.
fn missing(why: &ConfigError) -> &'static str {
    match why {
        ConfigError::NoForm(_) => "Form",
        ConfigError::NoHeads(_) | ConfigError::NoResidual(_) => "Heads",
    }
}

impl Options {
    /// The lines that `uci` is answered with.
    pub fn list() -> Vec<String> {
        let arms: Vec<String> = Arm::ALL.iter().map(|arm| format!("var {}", arm.name())).collect();
        vec![
            format!("option name Hash type spin default {HASH_MB} min 1 max {HASH_MAX}"),
            "option name Clear Hash type button".to_owned(),
            "option name Threads type spin default 1 min 1 max 1".to_owned(),
            "option name Ponder type check default false".to_owned(),
            format!("option name Move Overhead type spin default {OVERHEAD} min 0 max 5000"),
            "option name UCI_Chess960 type check default false".to_owned(),
            "option name UCI_ShowWDL type check default false".to_owned(),
            format!("option name WdlHead type string default {EMPTY}"),
            format!("option name Arm type combo default {} {}", Arm::default().name(), arms.join(" ")),
            format!("option name Table type string default {}", Cells::BUILT_IN[Cells::DEFAULT]),
            format!("option name Heads type string default {EMPTY}"),
            format!("option name Form type string default {EMPTY}"),
            "option name Taper Table type check default true".to_owned(),
            format!("option name Contempt type spin default 0 min -{MAX_CONTEMPT} max {MAX_CONTEMPT}"),
        ]
    }

    /// Sets an option; names are the same in capitals and small letters.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<Change, OptionError> {
        let value = value.unwrap_or_default();
        match name.to_ascii_lowercase().as_str() {
            "hash" => {
                self.hash_mb = spin("Hash", value, 1..=HASH_MAX, self.hash_mb)?.into();
                Ok(Change::Hash)
            }
            "clear hash" => Ok(Change::ClearHash),
            "threads" => spin("Threads", value, 1..=1_u8, 1).map(|_| Change::Nothing),
            "ponder" => check("Ponder", value, false).map(|_| Change::Nothing),
            "move overhead" => {
                self.overhead = spin("Move Overhead", value, 0..=5000_u16, self.overhead)?.into();
                Ok(Change::Nothing)
            }
            "uci_chess960" => {
                self.chess960 = check("UCI_Chess960", value, self.chess960)?;
                Ok(Change::Nothing)
            }
            "uci_showwdl" => {
                self.show_wdl = check("UCI_ShowWDL", value, self.show_wdl)?;
                Ok(Change::Nothing)
            }
            "wdlhead" => {
                self.wdl_head = self.read_wdl_head(value)?;
                Ok(Change::Nothing)
            }
            "arm" => {
                let arm = Arm::from_name(value).ok_or_else(|| OptionError::Combo {
                    name: "Arm",
                    expected: Arm::ALL.iter().map(|arm| arm.name()).collect::<Vec<_>>().join(", "),
                    found: short(value),
                    now: self.evaluation.arm.name().to_owned(),
                })?;
                let evaluation = Config { arm, ..self.evaluation.clone() };
                if evaluation.check().is_err() {
                    self.waiting = Some(Waiting { arm, reported: false });
                    return Ok(Change::Nothing);
                }
                (self.evaluation, self.waiting) = (evaluation, None);
                Ok(Change::Evaluation)
            }
            "table" => {
                self.evaluation.table = self.read_table(value)?;
                Ok(Change::Evaluation)
            }
            "heads" => {
                let heads = self.read_heads(value)?;
                self.take("Heads", Config { heads, ..self.evaluation.clone() })
            }
            "form" => {
                let form = read_form(value)?;
                self.take("Form", Config { form, ..self.evaluation.clone() })
            }
            "taper table" => {
                self.evaluation.taper = check("Taper Table", value, self.evaluation.taper)?;
                Ok(Change::Evaluation)
            }
            "contempt" => {
                let now = self.evaluation.contempt;
                self.evaluation.contempt = spin("Contempt", value, -MAX_CONTEMPT..=MAX_CONTEMPT, now)?;
                Ok(Change::Evaluation)
            }
            _ => Err(OptionError::Unknown(short(name))),
        }
    }

    /// Evaluates so from now on, by the arm that was waiting for it if there is one.
    fn take(&mut self, name: &'static str, mut evaluation: Config) -> Result<Change, OptionError> {
        if let Some(Waiting { arm, .. }) = self.waiting {
            let wanted = Config { arm, ..evaluation.clone() };
            if wanted.check().is_ok() {
                (evaluation, self.waiting) = (wanted, None);
            }
        }
        let now = self.evaluation.arm.name();
        evaluation.check().map_err(|why| OptionError::Needs { name, why, now })?;
        self.evaluation = evaluation;
        Ok(Change::Evaluation)
    }

    /// What is to be reported once, before a search or when the engine is asked whether it is ready: that the arm asked for is not
    /// the one that plays.
    pub fn reminder(&mut self) -> Option<OptionError> {
        let waiting = self.waiting.as_mut().filter(|waiting| !waiting.reported)?;
        waiting.reported = true;
        let now = self.evaluation.arm.name();
        let why = Config { arm: waiting.arm, ..self.evaluation.clone() }.check().err()?;
        Some(OptionError::Needs { name: "Arm", why, now })
    }

    /// By what win, draw and loss are shown.
    pub fn chances(&self) -> Chances {
        match &self.wdl_head {
            _ if !self.show_wdl => Chances::Hidden,
            Some(head) => Chances::ByHead(Arc::clone(head)),
            None => Chances::ByArm,
        }
    }

    /// Heads that are part of the program, by their name, or a file of heads, by its path; none for an empty one.
    fn read_heads(&self, value: &str) -> Result<Option<Arc<Heads>>, OptionError> {
        if value.is_empty() || value == EMPTY {
            return Ok(None);
        }
        if let Some(number) = Heads::BUILT_IN.iter().position(|name| *name == value) {
            return Ok(Some(Heads::built_in(number)));
        }
        let wrong = |why: String| OptionError::Heads {
            path: short(value),
            why,
            now: self.evaluation.heads.as_ref().map_or(EMPTY, |heads| heads.name()).to_owned(),
        };
        let names = Heads::BUILT_IN.join(", ");
        let text = std::fs::read_to_string(value).map_err(|error| {
            wrong(format!("expected one of {names} or the path of a .toml made by drawish tune: {error}"))
        })?;
        Heads::from_toml(value, &text).map(|heads| Some(Arc::new(heads))).map_err(|error| wrong(error.to_string()))
    }

    /// The same of a WDL head.
    fn read_wdl_head(&self, value: &str) -> Result<Option<Arc<ShownHead>>, OptionError> {
        if value.is_empty() || value == EMPTY {
            return Ok(None);
        }
        let now = self.wdl_head.as_ref().map_or(EMPTY, |head| head.name()).to_owned();
        let read = ShownHead::read(value).map_err(|why| OptionError::WdlHead { path: short(value), why, now });
        read.map(|head| Some(Arc::new(head)))
    }

    /// A table that is part of the program, by its name, or a `.table` file, by its path.
    fn read_table(&self, value: &str) -> Result<Arc<Cells>, OptionError> {
        if let Some(number) = Cells::BUILT_IN.iter().position(|name| *name == value) {
            return Ok(Cells::built_in(number));
        }
        let wrong =
            |why: String| OptionError::Table { path: short(value), why, now: self.evaluation.table.name().to_owned() };
        let names = Cells::BUILT_IN.join(", ");
        let bytes = std::fs::read(value)
            .map_err(|error| wrong(format!("expected one of {names} or the path of a .table file: {error}")))?;
        Cells::from_bytes(value, &bytes).map(Arc::new).map_err(|error| wrong(error.to_string()))
    }
}

/// A file of a form by its path; none for an empty one.
fn read_form(value: &str) -> Result<Option<Arc<Form>>, OptionError> {
    if value.is_empty() || value == "<empty>" {
        return Ok(None);
    }
    let wrong = |why: String| OptionError::Form { path: short(value), why };
    let text = std::fs::read_to_string(value)
        .map_err(|error| wrong(format!("expected the path of a file made by drawish form: {error}")))?;
    Form::from_toml(&text).map(|form| Some(Arc::new(form))).map_err(|error| wrong(error.to_string()))
}

fn spin<T>(name: &'static str, value: &str, range: RangeInclusive<T>, now: impl ToString) -> Result<T, OptionError>
where
    T: Copy + FromStr + Into<i64> + PartialOrd,
{
    let (min, max) = ((*range.start()).into(), (*range.end()).into());
    let number = value.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| OptionError::Range { name, min, max, found: short(value), now: now.to_string() })
}

fn check(name: &'static str, value: &str, now: bool) -> Result<bool, OptionError> {
    match value.to_ascii_lowercase().as_str() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(OptionError::Check { name, found: short(value), now }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each option that is listed can be set to its default, and changes nothing by that.
    #[test]
    fn what_is_listed_can_be_set() {
        for line in Options::list() {
            let words = line.strip_prefix("option name ").expect("a name");
            let (name, rest) = words.split_once(" type ").expect("a type");
            let default =
                rest.split_once(" default ").map(|(_, default)| default.split(' ').next().unwrap_or_default());
            let mut options = Options::default();
            let change = options.set(name, default);
            assert!(change.is_ok(), "{name}: {}", change.unwrap_err());
            assert_eq!(format!("{options:?}"), format!("{:?}", Options::default()), "{name}");
        }
        assert!(Options::default().set("No such option", None).is_err());
    }
}
