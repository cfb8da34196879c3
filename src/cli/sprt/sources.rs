//! What `drawish sprt` is given: files, results pasted as arguments, counts behind options.

use std::path::Path;

use anyhow::{Context, Error, Result};

use crate::cli::{Usage, output, usage};
use drawish::Kind;
use drawish::pgn::Input;
use drawish::report::text::sprt::choosing;
use drawish::results::{Against, Choice, GamesError, Remark, ResultsError, Run, Source, read_all};
use drawish::stats::{Counted, CountedWordsError};
use drawish::tournament::{LoggedTournament, Standing};

/// The results of a tournament, if the only argument is the log of one.
pub(super) fn tournament(arguments: &[String]) -> Result<Option<Standing>> {
    let [path] = arguments else { return Ok(None) };
    // What cannot be read is reported by whoever reads results, and what is read of a pipe is gone.
    if !Path::new(path).is_file() {
        return Ok(None);
    }
    let input = Input::File(path.into());
    if !matches!(input.open().and_then(Kind::of_beginning), Ok(Some(Kind::TournamentLog))) {
        return Ok(None);
    }
    let mut text = Vec::new();
    let read = |open| drawish::read_bounded_to(open, None, &mut text);
    input.open().and_then(read).with_context(|| path.clone())?;
    let logged = LoggedTournament::read(&text).with_context(|| path.clone())?;
    match logged.damage {
        Some((line, what)) => Err(ResultsError::Damaged { name: path.clone(), line, what }.into()),
        None => {
            if logged.is_cut {
                output::warn(format!("{path}: {}", Remark::Cut));
            }
            Ok(Some(logged.standing()))
        }
    }
}

/// The runs that arguments and options give.
pub(super) fn runs(arguments: &[String], choice: &Choice, penta: &[String], wdl: &[String]) -> Result<Vec<Run>> {
    let sources = if arguments.is_empty() {
        counted(penta, wdl)?.into_iter().map(Source::Counts).collect()
    } else {
        Source::of_words(arguments).map_err(usage)?
    };
    read_all(&sources, choice).map_err(|error| with_option(error, arguments, choice))
}

/// The error with the option that it is about, or with commands that choose.
fn with_option(error: ResultsError, arguments: &[String], choice: &Choice) -> Error {
    match error {
        ResultsError::Games { cause: GamesError::Engines { ref names, ref met }, .. } if names.len() > 1 => {
            Error::msg(format!("{error}:{}", choosing(arguments, choice.first.as_ref(), names, met)))
        }
        ResultsError::Games { cause: GamesError::NoSuchEngine { .. } | GamesError::NeverMet { .. }, .. } => {
            Usage(format!("--first, --against: {error}")).into()
        }
        ResultsError::NoSuchSide { .. } | ResultsError::NoSides { .. } => {
            let options = if choice.against == Against::Only { "--first" } else { "--first, --against" };
            Usage(format!("{options}: {error}")).into()
        }
        error => error.into(),
    }
}

/// The runs of `--penta` and `--wdl`.
pub(super) fn counted(penta: &[String], wdl: &[String]) -> Result<Vec<Counted>> {
    let of = |option: &str, words: &[String], read: fn(&str) -> Result<Vec<Counted>, CountedWordsError>| {
        let words = words.join(" ");
        read(&words).map_err(|error| match error {
            CountedWordsError::Number { .. } => Usage(format!("{option}: {error}")),
            CountedWordsError::Numbers { .. } => Usage(format!("{option} {words}: {error}")),
        })
    };
    Ok([of("--penta", penta, Counted::of_pairs)?, of("--wdl", wdl, Counted::of_games)?].concat())
}
