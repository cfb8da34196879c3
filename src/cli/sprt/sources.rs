//! What `drawish sprt` is given: files, results pasted as arguments, counts behind options.

use std::fs::File;
use std::path::Path;

use anyhow::{Context, Error, Result};

use crate::cli::{Usage, output};
use drawish::Kind;
use drawish::pgn::Input;
use drawish::report::text::confirm::quoted;
use drawish::results::{Against, Choice, GamesError, ResultsError, Run, Source, read_all};
use drawish::stats::{Counted, MOST_RESULTS, Pentanomial, PrintedError, Trinomial, read_printed};
use drawish::tournament::{LoggedTournament, Standing};

/// The results of a tournament, if the only argument is the log of one.
pub(super) fn tournament(arguments: &[String]) -> Result<Option<Standing>> {
    let [path] = arguments else { return Ok(None) };
    // What cannot be read is reported by whoever reads results.
    let kind = File::open(path).and_then(Kind::of_beginning).ok().flatten();
    if kind != Some(Kind::TournamentLog) {
        return Ok(None);
    }
    let text = drawish::read_bounded(Path::new(path)).with_context(|| path.clone())?;
    let logged = LoggedTournament::read(&text).with_context(|| path.clone())?;
    if let Some((line, what)) = &logged.damage {
        output::warn(format!("{path}: line {line} is damaged: {what}; what is before it counts"));
    }
    Ok(Some(logged.standing()))
}

/// Every opponent, as `--against` takes it.
const ALL: &str = "all";

/// The runs that arguments and options give.
pub(super) fn runs(arguments: &[String], choice: &Choice, penta: &[String], wdl: &[String]) -> Result<Vec<Run>> {
    if !arguments.is_empty() {
        return read_all(&sources(arguments)?, choice).map_err(|error| with_option(error, arguments, choice));
    }
    if let Some(wanted) = &choice.first {
        return Err(with_option(ResultsError::NoSides { wanted: wanted.clone() }, arguments, choice));
    }
    let run = |counted| Run { name: "the arguments".to_owned(), sides: None, counted, remarks: Vec::new(), test: None };
    Ok(counted(penta, wdl)?.into_iter().map(run).collect())
}

/// The error with the option that it is about, or with commands that choose.
fn with_option(error: ResultsError, arguments: &[String], choice: &Choice) -> Error {
    match error {
        ResultsError::Games { cause: GamesError::Engines { ref names }, .. } if names.len() > 1 => {
            let first = choice.first.as_ref().filter(|first| names.contains(first)).unwrap_or(&names[0]);
            let other = names.iter().find(|name| *name != first).map_or(ALL, |other| other);
            let results: Vec<_> = arguments.iter().map(|argument| quoted(argument)).collect();
            let command = |against: &str| {
                format!("\n  drawish sprt {} --first {} --against {against}", results.join(" "), quoted(first))
            };
            Error::msg(format!("{error}:{}{}", command(&quoted(other)), command(ALL)))
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
    let pairs = counts::<5>("--penta", "pairs with 0, 1/2, 1, 3/2 and 2 points", penta)?;
    let pairs = pairs.into_iter().map(|[ll, ld, wl_dd, wd, ww]| Pentanomial { ll, ld, wl_dd, wd, ww });
    let games = counts::<3>("--wdl", "games won, drawn and lost", wdl)?;
    let games = games.into_iter().map(|[wins, draws, losses]| Trinomial { wins, draws, losses });
    let of_pairs = pairs.map(|pairs| Counted { pairs: Some(pairs), games: None });
    Ok(of_pairs.chain(games.map(|games| Counted { pairs: None, games: Some(games) })).collect())
}

/// Whole numbers with blanks, commas or brackets between, so many for each run.
fn counts<const N: usize>(option: &str, what: &str, given: &[String]) -> Result<Vec<[u64; N]>> {
    let given = given.join(" ");
    let words: Vec<_> = given.split([' ', ',', '[', ']']).filter(|word| !word.is_empty()).collect();
    let number = |word: &&str| {
        word.parse().ok().filter(|count| *count <= MOST_RESULTS).ok_or_else(|| {
            Usage(format!("{option}: {word} is not a number of {what}: expected 0 to 1,000,000,000,000,000"))
        })
    };
    let numbers = words.iter().map(number).collect::<Result<Vec<u64>, Usage>>()?;
    let (runs, rest) = numbers.as_chunks::<N>();
    if !rest.is_empty() {
        let error = format!("{option} {given}: expected {N} numbers for each run ({what}), found {}", numbers.len());
        return Err(Usage(error).into());
    }
    Ok(runs.to_vec())
}

/// Arguments that name files, and those that are results themselves: `[1, 2, 3, 4, 5]` or `W: 1 L: 2 D: 3`, in quotes or without.
fn sources(arguments: &[String]) -> Result<Vec<Source>> {
    let mut sources = Vec::new();
    let mut pasted: Vec<&str> = Vec::new();
    for argument in arguments {
        let input = if output::is_standard(Path::new(argument)) {
            Input::Stdin
        } else if Path::new(argument).exists() {
            Input::File(argument.into())
        } else {
            pasted.push(argument);
            continue;
        };
        take(&mut pasted, &mut sources)?;
        sources.push(Source::Input(input));
    }
    take(&mut pasted, &mut sources)?;
    Ok(sources)
}

/// Makes sources of words that name no files: one of each if each has results, else one of all.
fn take(pasted: &mut Vec<&str>, sources: &mut Vec<Source>) -> Result<()> {
    let words = std::mem::take(pasted);
    if words.is_empty() {
        return Ok(());
    }
    if words.iter().all(|word| read_printed(word).is_ok()) {
        sources.extend(words.into_iter().map(|word| Source::Text(word.to_owned())));
        return Ok(());
    }
    let text = words.join(" ");
    match read_printed(&text) {
        Ok(_) => sources.push(Source::Text(text)),
        Err(error @ PrintedError::Nothing) => {
            return Err(Usage(format!("{}: no such file; read as text: {error}", words[0])).into());
        }
        Err(error) => return Err(Usage(format!("{text}: {error}")).into()),
    }
    Ok(())
}
