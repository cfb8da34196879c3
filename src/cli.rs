//! The command line: one file for each verb, with its arguments and what it does with them. The only room that
//! prints.

mod args;
mod bench;
mod collect;
mod completions;
mod demo;
#[cfg(feature = "frames")]
mod evaluate;
mod experiment;
mod fastchess;
mod form;
mod gauntlet;
mod heads;
mod inspect;
mod man;
mod matches;
mod merge;
mod output;
mod picture;
mod playing;
#[cfg(feature = "frames")]
mod positions;
mod problems;
mod progress;
mod relevance;
mod report;
#[cfg(feature = "frames")]
mod rows;
mod sprt;
mod spsa;
mod table;
mod target;
mod tournament;
#[cfg(feature = "frames")]
mod tune;
mod uci;
mod verify;
mod wdl;

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Result;
use clap::error::{ContextKind, ErrorKind};
use clap::{Command, CommandFactory, Parser, Subcommand};

/// Learn how drawish chess positions are, put it into an engine, and measure whether it gains Elo.
#[derive(Parser)]
#[command(
    name = "drawish",
    version = concat!(env!("CARGO_PKG_VERSION"), " (git ", env!("DRAWISH_GIT"), ")"),
    max_term_width = 100,
    after_help = "Begin with:  drawish collect games.pgn -o games.counts\n             \
                  drawish table games.counts -o pawns.table\n\n\
                  Exit codes: 0 done, 1 failed or an input was broken, 2 wrong usage. Verbs that play end with 130 \
                  when they are interrupted, match and fastchess with 3 or 4 by the verdict of a test."
)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Collect(Box<collect::Args>),
    Merge(merge::Args),
    Table(table::Args),
    Inspect(inspect::Args),
    Verify(verify::Args),
    #[cfg(feature = "frames")]
    Positions(Box<positions::Args>),
    Relevance(relevance::Args),
    #[cfg(feature = "frames")]
    Tune(tune::Args),
    #[cfg(feature = "frames")]
    Evaluate(evaluate::Args),
    Match(Box<matches::Args>),
    Fastchess(fastchess::Args),
    Tournament(Box<tournament::Args>),
    Gauntlet(Box<gauntlet::Args>),
    Sprt(Box<sprt::Args>),
    Spsa(Box<spsa::Args>),
    Form(form::Args),
    Experiment(Box<experiment::Args>),
    Report(Box<report::Args>),
    Demo(demo::Args),
    Uci(uci::Args),
    Bench(bench::Args),
    Wdl(wdl::Args),
    Completions(completions::Args),
    Man(man::Args),
}

/// The commit from which the program was built, or `unknown`: what [`set_commit`](drawish::provenance::set_commit) wants, so that
/// files say what made them.
pub const COMMIT: &str = env!("DRAWISH_GIT");

/// The program `drawish`: does what the arguments say, of which the first is the name of the program, and reports a failure in
/// one line on standard error.
///
/// It prints on standard output, and may handle interrupts in its own way: meant for a process of its own, such as a script
/// that starts it.
#[must_use]
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    drawish::provenance::set_commit(COMMIT);
    let mut arguments: Vec<OsString> = arguments.into_iter().collect();
    let asks = |words: &[&str]| arguments.iter().skip(1).eq(words);
    if asks(&["version"]) || asks(&["fastchess", "-version"]) {
        arguments.splice(1.., ["--version".into()]);
    } else if asks(&["fastchess", "-help"]) {
        arguments[2] = "--help".into();
    }
    // OpenBench and some GUIs start engines without arguments.
    let bare = cfg!(feature = "engine") && arguments.len() == 1;
    let words = arguments.clone();
    let cli = if bare { Ok(Cli { verb: Verb::Uci(uci::Args {}) }) } else { Cli::try_parse_from(arguments) };
    let cli = match cli {
        Ok(cli) => cli,
        // Help and version are such errors, too. There is nowhere to tell that printing failed.
        Err(mut error) => {
            // All values are listed: one that looks alike, as zsh for csh, is no better guess.
            error.remove(ContextKind::SuggestedValue);
            let one_dash = error.kind() == ErrorKind::UnknownArgument && words.iter().any(has_one_dash);
            if one_dash {
                error.remove(ContextKind::Suggested);
            }
            let _ = error.print();
            let hint =
                "\nOptions have two dashes; `drawish fastchess` takes the lines of fastchess and cutechess-cli.\n";
            output::complain(if one_dash { hint.to_owned() } else { example(&error, &words) });
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    dispatch(cli).unwrap_or_else(|error| {
        output::warn(format!("{error:#}"));
        if error.is::<Usage>() { ExitCode::from(2) } else { ExitCode::FAILURE }
    })
}

/// `-engine`, as match runners have it.
fn has_one_dash(word: &OsString) -> bool {
    let letters = word.to_str().and_then(|word| word.strip_prefix('-')).unwrap_or_default();
    letters.len() > 1 && letters.starts_with(|first: char| first.is_ascii_alphabetic())
}

/// The examples in the help of a verb whose required arguments or task are missing, and which verbs beside it have an option that it lacks.
fn example(error: &clap::Error, words: &[OsString]) -> String {
    let mut verb = Cli::command();
    let (mut help, mut above) = (None, Cli::command());
    for word in words.iter().skip(1).map_while(|word| word.to_str()) {
        let Some(below) = verb.find_subcommand(word).cloned() else { break };
        let own = below.get_after_help().map(ToString::to_string).filter(|help| help.starts_with("Example"));
        (help, above, verb) = (own.or(help), verb, below);
    }
    if let (ErrorKind::UnknownArgument, Some(option)) = (error.kind(), error.get(ContextKind::InvalidArg)) {
        let (option, name) = (option.to_string(), above.get_name());
        let Some(long) = option.strip_prefix("--") else { return String::new() };
        let has = |verb: &&Command| verb.get_arguments().any(|arg| arg.get_long() == Some(long));
        let having = above.get_subcommands().filter(has).map(|verb| format!("`drawish {name} {}`", verb.get_name()));
        let having = having.collect::<Vec<_>>().join(", ");
        // Verbs of different tasks share names by chance.
        let is_of_others = name != "drawish" && !having.is_empty();
        return if is_of_others { format!("\n{option} is an option of {having}\n") } else { String::new() };
    }
    help = help.filter(|_| matches!(error.kind(), ErrorKind::MissingRequiredArgument | ErrorKind::InvalidSubcommand));
    let is_piped = verb.get_name() == "sprt" && !std::io::IsTerminal::is_terminal(&std::io::stdin());
    let more = if is_piped { "\nFor results from standard input say `drawish sprt -`\n" } else { "" };
    help.and_then(|help| Some(format!("\n{}\n{more}", help.split("\n\n").next()?))).unwrap_or_default()
}

fn dispatch(cli: Cli) -> Result<ExitCode> {
    match cli.verb {
        Verb::Collect(args) => collect::run(*args),
        Verb::Merge(args) => merge::run(args),
        Verb::Table(args) => table::run(args),
        Verb::Inspect(args) => inspect::run(args),
        Verb::Verify(args) => verify::run(args),
        #[cfg(feature = "frames")]
        Verb::Positions(args) => positions::run(*args),
        Verb::Relevance(args) => relevance::run(args),
        #[cfg(feature = "frames")]
        Verb::Tune(args) => tune::run(args),
        #[cfg(feature = "frames")]
        Verb::Evaluate(args) => evaluate::run(args),
        Verb::Match(args) => matches::run(*args),
        Verb::Fastchess(args) => fastchess::run(args),
        Verb::Tournament(args) => tournament::run(*args),
        Verb::Gauntlet(args) => gauntlet::run(*args),
        Verb::Sprt(args) => sprt::run(*args),
        Verb::Spsa(args) => spsa::run(*args),
        Verb::Form(args) => form::run(args),
        Verb::Experiment(args) => experiment::run(*args),
        Verb::Report(args) => report::run(*args),
        Verb::Demo(args) => demo::run(args),
        Verb::Uci(args) => uci::run(args),
        Verb::Bench(args) => bench::run(args),
        Verb::Wdl(args) => wdl::run(args),
        Verb::Completions(args) => completions::run(args),
        Verb::Man(args) => man::run(args),
    }
}

/// What is wrong with the arguments, where only their meaning shows it: the exit code is that of wrong usage.
#[derive(Debug)]
struct Usage(String);

impl std::fmt::Display for Usage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// An error of arguments, where only their meaning shows it. A file that the system does not let us read or write is no wrong usage.
fn usage(error: impl Into<anyhow::Error>) -> anyhow::Error {
    let error = error.into();
    if error.chain().any(|cause| cause.is::<std::io::Error>()) { error } else { Usage(format!("{error:#}")).into() }
}

/// The result of a verb that either fails or has done all it was asked.
fn done() -> Result<ExitCode> {
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::error::{ContextValue, Error};
    use clap::{Arg, ArgAction};

    use super::*;

    /// All commands with the names that call them.
    fn commands(command: &Command, name: &str) -> Vec<(String, Command)> {
        let inner =
            command.get_subcommands().flat_map(|inner| commands(inner, &format!("{name} {}", inner.get_name())));
        inner.chain([(name.to_owned(), command.clone())]).collect()
    }

    fn refused<'a>(command: &Command, words: impl IntoIterator<Item = &'a String>) -> Option<Error> {
        command.clone().no_binary_name(true).try_get_matches_from(words).err()
    }

    /// An option with a value that it takes.
    fn given(command: &Command, arg: &Arg) -> Option<Vec<String>> {
        let option = format!("--{}", arg.get_long()?);
        if !matches!(arg.get_action(), ArgAction::Set | ArgAction::Append) {
            return Some(vec![option]);
        }
        let named = arg.get_possible_values().into_iter().map(|value| value.get_name().to_owned());
        let others = ["1", "0.5", "elo0=0", "x.toml", "1..2", "1,1,1,1", "300"].map(str::to_owned);
        named.chain(others).map(|value| vec![option.clone(), value]).find(|words| {
            refused(command, words)
                .is_none_or(|error| !matches!(error.kind(), ErrorKind::ValueValidation | ErrorKind::InvalidValue))
        })
    }

    /// What an error says is missing.
    fn missing(error: Option<&Error>) -> BTreeSet<String> {
        let names = error
            .filter(|error| error.kind() == ErrorKind::MissingRequiredArgument)
            .and_then(|error| error.get(ContextKind::InvalidArg));
        if let Some(ContextValue::Strings(names)) = names { names.iter().cloned().collect() } else { BTreeSet::new() }
    }

    /// clap takes an option without the one that it requires where something is given that excludes that one.
    #[test]
    fn an_option_is_refused_beside_what_excludes_the_one_that_it_needs() {
        let (mut tried, mut taken) = (0, Vec::new());
        for (name, command) in commands(&Cli::command(), "drawish") {
            // Where something else is missing, too, the message names what is not asked for.
            let files = vec!["x".to_owned(); command.get_positionals().filter(|arg| !arg.is_last_set()).count().min(1)];
            let bare = missing(refused(&command, &files).as_ref());
            let options: Vec<_> = command.get_arguments().filter_map(|arg| given(&command, arg)).collect();
            for option in &options {
                let needs = missing(refused(&command, files.iter().chain(option)).as_ref());
                for needed in needs.difference(&bare) {
                    for other in options.iter().filter(|other| *other != option && !needed.starts_with(&other[0])) {
                        tried += 1;
                        let error = refused(&command, files.iter().chain(option).chain(other));
                        let conflicts = error.as_ref().is_some_and(|error| error.kind() == ErrorKind::ArgumentConflict);
                        if !conflicts && !missing(error.as_ref()).contains(needed) {
                            taken.push(format!("{name} {} {}", option.join(" "), other.join(" ")));
                        }
                    }
                }
            }
        }
        assert!(tried > 500, "only {tried} pairs were tried");
        assert!(taken.is_empty(), "taken without the option that it needs: {taken:#?}");
    }
}
