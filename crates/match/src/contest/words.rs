//! Engines in the words of match runners: `cmd=./engine name=new nodes=5000`.

use std::path::PathBuf;

use thiserror::Error;

use super::{ArmError, ArmSettings, Engine, Program};
use crate::arena::{Limits, TimeControl};

/// Why words do not say what an engine is.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
#[non_exhaustive]
pub enum EngineError {
    #[error("{word:?} is not a setting of an engine: expected key=value, as in cmd=./engine")]
    NotASetting { word: String },
    #[error("{word:?} is not a setting of an arm: expected key=value, as in arm=draw-table")]
    NotOfAnArm { word: String },
    #[error(
        "no setting is called {key:?}; known are {PROGRAM}, and for an arm {}",
        ArmSettings::KEYS.join(", ")
    )]
    Unknown { key: String },
    #[error("{word}: expected {expected}")]
    Value { word: String, expected: String },
    #[error("{word}: {key}= is given before for the same engine; expected it once")]
    Twice { word: String, key: String },
    #[error("timemargin: the margin is the same for all engines, and no setting of one")]
    TimeMargin,
    #[error("an engine without a program: expected cmd= or arm=")]
    NoProgram,
    #[error("an engine is a program or an arm of this one: say cmd= or arm=, not both")]
    Both,
    #[error("{key}= is a setting of an arm, and this engine is a program: say option.NAME=VALUE for its UCI options")]
    ArmSetting { key: String },
    #[error("settings of an arm without arm=: expected arm= too, as in arm=gain-head heads=...")]
    NoArm,
    #[error("an arm does not think in its opponent's time: play it by cmd=drawish args=uci, or leave out ponder=")]
    ArmPonders,
    #[error("an arm has no UCI options; its settings are {}", ArmSettings::KEYS.join(", "))]
    ArmOptions,
    #[error(transparent)]
    Arm(#[from] ArmError),
}

/// Words between blanks, of which quotes may hold some together; `None` if they do not close. A backslash is one, as in places on Windows, but before
/// a quote between double quotes.
fn quoted(text: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, quote) {
            ('\\', Some('"')) if letters.peek() == Some(&'"') => word.get_or_insert_default().extend(letters.next()),
            (letter, Some(open)) if letter == open => quote = None,
            ('\'' | '"', None) => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (letter, None) if letter.is_whitespace() => words.extend(word.take()),
            (letter, _) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

/// The settings of an arm with its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedArm {
    /// What it is called.
    pub name: String,
    /// Names and values, as [`ArmSettings::from_pairs`] knows them.
    pub settings: Vec<(String, String)>,
}

impl NamedArm {
    /// An arm from `key=value` words, `name=` among them or called as its evaluation is.
    ///
    /// # Errors
    ///
    /// If a word has no key, or the key of another. Whether there is such an arm is not asked.
    pub fn from_words<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<NamedArm, EngineError> {
        let (mut name, mut settings) = (None, Vec::new());
        let words: Vec<&str> = words.into_iter().collect();
        each_once(&words)?;
        for word in words {
            let no_arm = || EngineError::NotOfAnArm { word: word.to_owned() };
            match word.split_once('=').ok_or_else(no_arm)? {
                ("name", value) => name = Some(value.to_owned()),
                (key, value) => settings.push((key.to_owned(), value.to_owned())),
            }
        }
        let arm = settings.iter().find(|(key, _)| key == "arm").map(|(_, value)| value.clone());
        Ok(NamedArm { name: name.or(arm).unwrap_or_default(), settings })
    }
}

/// The settings of programs and limits.
const PROGRAM: &str =
    "cmd, name, args (arg), dir, nodes, depth, movetime (st), tc, restart, ponder, proto=uci and option.NAME";

impl Engine {
    /// An engine from what is said of each engine and, in the place of that, of itself.
    ///
    /// # Errors
    ///
    /// As [`from_words`](Self::from_words), and if either says the same twice.
    pub fn of_words(each: &[String], own: &[String]) -> Result<Engine, EngineError> {
        each_once(each)?;
        each_once(own)?;
        let is_argument = |word: &&String| word.starts_with("arg=") || word.starts_with("args=");
        let has_arguments = own.iter().any(|word| is_argument(&word));
        let each = each.iter().filter(|word| !(has_arguments && is_argument(word)));
        Engine::from_words(each.chain(own).map(String::as_str))
    }

    /// An engine from `key=value` words; of two with the same key the later counts.
    ///
    /// ```
    /// use drawish_match::contest::Engine;
    ///
    /// let engine = Engine::from_words(["cmd=./engine", "name=new", "nodes=5000", "option.Hash=16"])?;
    /// assert_eq!((engine.name.as_str(), engine.limits.nodes), ("new", Some(5000)));
    /// # Ok::<(), drawish_match::contest::EngineError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a word is not understood, or they name no engine or two. No file is read.
    pub fn from_words<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<Engine, EngineError> {
        let mut said = Said::default();
        for word in words {
            let (key, value) =
                word.split_once('=').ok_or_else(|| EngineError::NotASetting { word: word.to_owned() })?;
            match key {
                "timemargin" => return Err(EngineError::TimeMargin),
                _ if ArmSettings::KEYS.contains(&key) => said.arm.push((key.to_owned(), value.to_owned())),
                _ => said.set(key, value)?,
            }
        }
        said.engine()
    }
}

/// Refuses a setting that is given twice: one of both would be passed over in silence.
pub(crate) fn each_once<W: AsRef<str>>(words: &[W]) -> Result<(), EngineError> {
    let (mut seen, mut has_one) = (Vec::new(), false);
    for word in words.iter().map(AsRef::as_ref) {
        let key = word.split_once('=').map_or(word, |(key, _)| key);
        let known = match key {
            "st" => "movetime".to_owned(),
            "plies" => "depth".to_owned(),
            // Several are added to each other, but `args` is all of them.
            "arg" if !seen.iter().any(|seen| seen == "args") => {
                has_one = true;
                continue;
            }
            "arg" | "args" if has_one || key == "arg" => "args".to_owned(),
            // Engines compare names of options without regard to case.
            key => key.to_ascii_lowercase(),
        };
        if seen.contains(&known) || (known == "args" && has_one) {
            return Err(EngineError::Twice { word: word.to_owned(), key: key.to_owned() });
        }
        seen.push(known);
    }
    Ok(())
}

/// What is said of an engine, setting after setting.
#[derive(Default)]
pub(crate) struct Said {
    pub(crate) program: Program,
    name: Option<String>,
    limits: Limits,
    arm: Vec<(String, String)>,
}

impl Said {
    /// Takes a setting of a program, or of any engine.
    pub(crate) fn set(&mut self, key: &str, value: &str) -> Result<(), EngineError> {
        let wrong =
            |expected: &str| EngineError::Value { word: format!("{key}={value}"), expected: expected.to_owned() };
        let positive = || value.parse().ok().filter(|&number: &u64| number > 0);
        let (program, limits) = (&mut self.program, &mut self.limits);
        match key {
            "cmd" => program.command = PathBuf::from(value),
            "name" => self.name = Some(value.to_owned()),
            "dir" => program.dir = Some(PathBuf::from(value)),
            // Quoted as in a shell, where there are quotes: an apostrophe or a backslash alone may stand in a name.
            "args" if value.contains(['\'', '"']) => {
                program.args = quoted(value).ok_or_else(|| {
                    wrong("quotes that close, as in --net 'my nets/a.nnue', or arg= for each argument")
                })?;
            }
            "args" => program.args = value.split_whitespace().map(str::to_owned).collect(),
            // One argument, whatever blanks it has; several are added to each other.
            "arg" => program.args.push(value.to_owned()),
            "tc" => {
                limits.tc = TimeControl::or_infinite(value).map_err(|error| {
                    let error = error.to_string();
                    let expected = error.split_once(": expected ").map_or(error.as_str(), |(_, expected)| expected);
                    wrong(&format!("{expected}, or inf"))
                })?;
            }
            "movetime" | "st" => {
                let time = TimeControl::seconds(value);
                limits.movetime = Some(time.ok_or_else(|| wrong("seconds above 0, and not more than a year"))?);
            }
            "nodes" => limits.nodes = Some(positive().ok_or_else(|| wrong("a whole number above 0"))?),
            "depth" | "plies" => {
                let depth = positive().and_then(|depth| u32::try_from(depth).ok());
                limits.depth = Some(depth.ok_or_else(|| wrong("half-moves above 0"))?);
            }
            "restart" => {
                program.restart = match value {
                    "on" | "true" => true,
                    "off" | "false" | "auto" => false,
                    _ => return Err(wrong("restart=on or restart=off")),
                };
            }
            "ponder" => {
                program.ponder = match value {
                    "on" | "true" => true,
                    "off" | "false" => false,
                    _ => return Err(wrong("ponder=on or ponder=off")),
                };
            }
            "proto" if value == "uci" => {}
            "proto" => return Err(wrong("proto=uci: only engines that speak UCI can play")),
            _ => {
                let unknown = || EngineError::Unknown { key: key.to_owned() };
                let option = key.strip_prefix("option.").ok_or_else(unknown)?;
                program.options.retain(|(own, _)| !own.eq_ignore_ascii_case(option));
                program.options.push((option.to_owned(), value.to_owned()));
            }
        }
        Ok(())
    }

    /// The engine that this describes.
    pub(crate) fn engine(self) -> Result<Engine, EngineError> {
        let has_program = !self.program.command.as_os_str().is_empty();
        let engine = match (has_program, self.arm.is_empty()) {
            (true, true) => Engine::from(self.program),
            (false, true) => return Err(EngineError::NoProgram),
            (true, false) => {
                let key = self.arm.iter().find(|_| self.arm.iter().all(|(key, _)| key != "arm"));
                return Err(key.map_or(EngineError::Both, |(key, _)| EngineError::ArmSetting { key: key.clone() }));
            }
            _ if !self.arm.iter().any(|(key, _)| key == "arm") => return Err(EngineError::NoArm),
            _ if self.program.ponder => return Err(EngineError::ArmPonders),
            _ if !self.program.options.is_empty() => return Err(EngineError::ArmOptions),
            _ => {
                let settings = self.arm.iter().map(|(key, value)| (key.as_str(), value.as_str()));
                Engine::from(ArmSettings::from_pairs(settings)?)
            }
        };
        let engine = engine.limits(self.limits);
        Ok(match self.name {
            Some(name) if !name.is_empty() => engine.named(name),
            _ => engine,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::Plays;

    fn engine(words: &str) -> Result<Engine, EngineError> {
        Engine::from_words(words.split_whitespace())
    }

    #[test]
    fn arguments_are_added_to_each_other_or_given_at_once() {
        let words = |text: &str| text.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect::<Vec<_>>();
        let args = |each: &str, own: &str| {
            Engine::of_words(&words(each), &words(own)).map(|engine| match engine.plays {
                Plays::Program(program) => program.args,
                other => panic!("{other:?}"),
            })
        };
        assert_eq!(args("arg=-a", "cmd=x arg=-b arg=-c").ok(), Some(words("-b -c")));
        assert_eq!(args("args=-a", "cmd=x").ok(), Some(words("-a")));
        let quoted = |args: &str| match Engine::from_words(["cmd=x", args]).expect(args).plays {
            Plays::Program(program) => program.args,
            other => panic!("{other:?}"),
        };
        assert_eq!(quoted("args=--net 'my nets/a.nnue' -q"), ["--net", "my nets/a.nnue", "-q"]);
        assert_eq!(quoted("args=-c \"x = 1\""), ["-c", "x = 1"]);
        assert_eq!(quoted("args=-n C:\\a.nnue"), ["-n", "C:\\a.nnue"]);
        assert_eq!(
            quoted(r#"args=-n C:\nets\a.nnue --name "my \"new\" net" #5 '' -x'y z'"#),
            ["-n", r"C:\nets\a.nnue", "--name", r#"my "new" net"#, "#5", "", "-xy z"]
        );
        assert_eq!(quoted("arg=O'Brien"), ["O'Brien"]);
        let open = Engine::from_words(["cmd=x", "args=-n O'Brien"]).expect_err("an open quote").to_string();
        assert!(open.contains("expected quotes that close"), "{open}");
        for own in ["cmd=x arg=-a args=-b", "cmd=x args=-b arg=-a", "cmd=x args=-a args=-b", "cmd=x cmd=y"] {
            assert!(matches!(args("", own), Err(EngineError::Twice { .. })), "{own}");
        }
    }

    #[test]
    fn the_later_word_counts() {
        let read =
            engine("st=2 cmd=./a name=one option.Hash=1 tc=8+0.1 restart=on option.hash=2 name=two st=0.5 tc=inf");
        let read = read.expect("an engine");
        let Plays::Program(program) = &read.plays else { panic!("a program") };
        assert_eq!((read.name.as_str(), read.limits.to_string().as_str()), ("two", "0.5 s a move"));
        assert_eq!((program.options.as_slice(), program.restart), ([("hash".into(), "2".into())].as_slice(), true));
        let arm = engine("arm=none hash=1 depth=3").expect("an arm");
        assert_eq!((arm.name.as_str(), arm.limits.depth), ("none", Some(3)));
    }

    #[test]
    fn a_setting_is_said_once() {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let read = |each: &str, own: &str| Engine::of_words(&words(each), &words(own));
        let both = read("nodes=5 option.Hash=1", "cmd=x nodes=7 option.hash=2 arg=-a arg=b").expect("an engine");
        assert_eq!((both.limits.nodes, both.options().len()), (Some(7), 1), "its own words replace those of each");
        let Plays::Program(program) = &both.plays else { panic!("a program") };
        assert_eq!(program.args, ["-a", "b"]);
        for (each, own) in [
            ("", "cmd=x cmd=y"),
            ("nodes=1 nodes=1", "cmd=x"),
            ("", "cmd=x option.Hash=1 option.hash=2"),
            ("", "cmd=x st=1 movetime=2"),
            ("", "arm=none arm=none"),
        ] {
            let error = read(each, own).expect_err(own).to_string();
            assert!(error.contains("is given before for the same engine"), "{own}: {error}");
        }
        assert!(NamedArm::from_words(["arm=none", "name=a", "name=b"]).is_err());
    }

    #[test]
    fn what_is_no_engine_is_refused() {
        for (words, said) in [
            ("", "without a program"),
            ("./engine", "\"./engine\" is not a setting"),
            ("cmd=x speed=1", "no setting is called \"speed\"; known are cmd"),
            ("cmd=x nodes=0", "nodes=0: expected a whole number above 0"),
            ("cmd=x depth=4294967296", "expected half-moves above 0"),
            ("cmd=x st=nan", "st=nan: expected seconds"),
            ("cmd=x movetime=1e9", "expected seconds"),
            ("cmd=x tc=0", "tc=0: expected seconds as in 8+0.08"),
            ("cmd=x restart=maybe", "expected restart=on or restart=off"),
            ("cmd=x proto=xboard", "only engines that speak UCI"),
            ("cmd=x timemargin=9", "the margin is the same"),
            ("cmd=x arm=none", "not both"),
            ("cmd=x arm=none hash=1", "not both"),
            ("cmd=x hash=1", "hash= is a setting of an arm, and this engine is a program: say option.NAME=VALUE"),
            ("cmd=x speed=1", "and for an arm arm, heads"),
            ("heads=x.toml", "without arm="),
            ("arm=none option.Hash=3", "has no UCI options"),
            ("arm=none ponder=on", "does not think in its opponent's time"),
            ("cmd=x ponder=perhaps", "expected ponder=on or ponder=off"),
            ("arm=none hash=0", "hash is from 1"),
        ] {
            let error = engine(words).expect_err(words).to_string();
            assert!(error.contains(said), "{words}: {error}");
        }
    }
}
