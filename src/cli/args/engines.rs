//! `--engine cmd=... name=...`: an option that takes several words and may be given several times.

use anyhow::{Result, anyhow, bail};
use clap::{Arg, ArgAction, ArgMatches, Command};

use drawish::contest::{Engine, EngineError, NamedArm};
use drawish::stats::numbers::counted;

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

impl ArmWords {
    /// The arms; one without a name has that of its evaluation.
    pub(in crate::cli) fn arms(&self) -> Result<Vec<NamedArm>, EngineError> {
        self.0.iter().map(|words| NamedArm::from_words(words.iter().map(String::as_str))).collect()
    }
}

impl EngineWords {
    /// The engine that plays itself.
    pub(in crate::cli) fn one(&self) -> Result<Engine> {
        match self.engines.as_slice() {
            [one] => self.engine(one),
            given => bail!("{} given; --selfplay needs --engine once", counted(given.len() as u64, "engine")),
        }
    }

    /// The two engines of a match.
    pub(in crate::cli) fn pair(&self) -> Result<[Engine; 2]> {
        match self.engines.as_slice() {
            [one, two] => Ok([self.engine(one)?, self.engine(two)?]),
            given => {
                let more = if given.len() > 2 { "; drawish tournament plays more" } else { "" };
                bail!("{} given; a match needs --engine twice{more}", counted(given.len() as u64, "engine"))
            }
        }
    }

    /// Opponents of both, of whom the same is said by `--each`.
    pub(in crate::cli) fn opponents(&self, words: &OpponentWords) -> Result<Vec<Engine>> {
        words.0.iter().map(|words| self.engine(words)).collect()
    }

    fn engine(&self, words: &[String]) -> Result<Engine> {
        // What an engine says of itself comes later and replaces what is said of both.
        Engine::of_words(&self.each, words).map_err(|error| match error {
            EngineError::TimeMargin => anyhow!("{error}: say --time-margin MS"),
            EngineError::NoProgram => anyhow!("{error}, as in --engine cmd=./engine"),
            error => error.into(),
        })
    }
}

/// The words of each time that an option was given.
fn occurrences(matches: &ArgMatches, name: &str) -> Vec<Vec<String>> {
    let times = matches.get_occurrences::<String>(name).into_iter().flatten();
    times.map(|words| words.cloned().collect()).collect()
}

fn several(name: &'static str) -> Arg {
    Arg::new(name).long(name).num_args(1..).action(ArgAction::Append).value_name("KEY=VALUE")
}

/// Lets a type be the words behind some options, which derived arguments cannot tell apart by each time that they are given.
macro_rules! words {
    ($words:ty, $read:expr, [$($option:expr),+ $(,)?]) => {
        impl clap::FromArgMatches for $words {
            fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
                let read: fn(&ArgMatches) -> $words = $read;
                Ok(read(matches))
            }

            fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
                *self = Self::from_arg_matches(matches)?;
                Ok(())
            }
        }

        impl clap::Args for $words {
            fn augment_args(command: Command) -> Command {
                command$(.arg($option))+
            }

            fn augment_args_for_update(command: Command) -> Command {
                Self::augment_args(command)
            }
        }
    };
}

fn engines_and_each(matches: &ArgMatches) -> EngineWords {
    EngineWords { engines: occurrences(matches, "engine"), each: occurrences(matches, "each").concat() }
}

words!(
    EngineWords,
    engines_and_each,
    [
        several("engine").required(true).help(
            "An engine; give two: cmd=PROGRAM [name=] [args=] [dir=] [option.NAME=VALUE ...] [nodes=] [depth=] \
             [movetime=SECONDS] [tc=8+0.08] [restart=on] [ponder=on]. Or an arm of the engine in this program: arm=ARM [heads=NAME|FILE] [form=FILE] \
             [table=NAME|FILE] [taper=false] [contempt=] [hash=MiB] in the place of cmd=. Elo is reported for the first engine",
        ),
        several("each").help("The same for both engines"),
    ]
);
words!(
    EntrantWords,
    |matches| EntrantWords(engines_and_each(matches)),
    [
        several("engine").required(true).help(
            "An engine; give as many as take part: cmd=PROGRAM [name=] [args=] [dir=] [option.NAME=VALUE ...] [nodes=] [depth=] \
             [movetime=SECONDS] [tc=8+0.08] [restart=on] [ponder=on]. Or an arm of the engine in this program: arm=ARM [heads=NAME|FILE] [form=FILE] \
             [table=NAME|FILE] [taper=false] [contempt=] [hash=MiB] in the place of cmd=",
        ),
        several("each").help("The same for all engines"),
    ]
);
words!(
    OpponentWords,
    |matches| OpponentWords(occurrences(matches, "opponent")),
    [several("opponent").required(true).help("An opponent, in the words of --engine; any number of times")]
);
words!(
    TunedWords,
    |matches| TunedWords(occurrences(matches, "engine").concat()),
    [several("engine").action(ArgAction::Set).required(true).help(
        "The engine, whose parameters are UCI options: cmd=PROGRAM [name=] [args=] [dir=] [option.NAME=VALUE ...] [nodes=] \
         [depth=] [movetime=SECONDS] [tc=8+0.08] [restart=on] [ponder=on]. Or an arm of the engine in this program, whose parameters are \
         numbers of its form: arm=form form=FILE [hash=MiB]",
    )]
);
words!(
    ArmWords,
    |matches| ArmWords(occurrences(matches, "arm")),
    [several("arm").help(
        "An arm; give --arm once for each: arm=ARM [name=] [heads=NAME|FILE] [form=FILE] [table=NAME|FILE] \
         [taper=false] [contempt=] [hash=MiB]; files are looked for beside the experiment's file",
    )]
);
