//! `drawish wdl update`: from a tree of downloads to new constants, compared with the old ones.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail, ensure};
use clap::Parser;

use super::{collect, fit};
use crate::cli::output;

/// The whole procedure for an engine's constants: games of its revisions to counts, counts to a model, the model against the old one
///
/// What updateWDL.sh does, from games that are there already: picks the games of the revisions asked for at 60+0.6 with one
/// thread and the UHO_Lichess book, tests within 5 normalized Elo, counts them, fits material at 58, and says whether the
/// pawn value should change.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    drawish wdl update pgns/ --stockfish ../Stockfish --firstrev 71f53b9 --lastrev HEAD\n  \
    drawish wdl update pgns/ --match-rev '.*' --old-pawn-value 377")]
pub(super) struct Args {
    /// The directory with the downloads, <day>/<test>/<test>.pgn.gz and .json
    #[arg(value_name = "DIRECTORY", default_value = "pgns")]
    directory: PathBuf,
    /// A git clone of Stockfish: revisions and the old normalization are read from it
    #[arg(long, value_name = "DIRECTORY", required_unless_present = "match_rev", requires = "firstrev")]
    stockfish: Option<PathBuf>,
    /// First revision, with --stockfish
    #[arg(long, value_name = "SHA", requires = "stockfish")]
    firstrev: Option<String>,
    /// Last revision, with --stockfish
    #[arg(long, value_name = "SHA", default_value = "HEAD")]
    lastrev: String,
    /// Instead of --stockfish: revisions by a regular expression
    #[arg(long, alias = "matchRev", value_name = "REGEX", conflicts_with = "stockfish")]
    match_rev: Option<String>,
    /// Instead of --stockfish: the old normalization as a pawn value
    #[arg(long, value_name = "N", conflicts_with_all = ["stockfish", "old_data"], value_parser = super::options::parse_positive)]
    old_pawn_value: Option<f64>,
    /// Instead of --stockfish: the old normalization as JSON, see `wdl fit --normalize-data`
    #[arg(long, value_name = "JSON", conflicts_with = "stockfish")]
    old_data: Option<String>,
    /// Least material of the fit
    #[arg(long, alias = "materialMin", default_value_t = 17, value_name = "N")]
    material_min: u32,
    /// Largest normalized Elo of a test, to both sides
    #[arg(long, aliases = ["EloDiffMax"], default_value_t = 5.0, value_name = "ELO")]
    elo_diff_max: f64,
    /// Opening book, a regular expression
    #[arg(long, alias = "matchBook", default_value = "UHO_Lichess_4852_v..epd", value_name = "REGEX")]
    match_book: String,
    /// Time control, a regular expression
    #[arg(long, alias = "matchTC", default_value = r"60\+0.6", value_name = "REGEX")]
    match_tc: String,
    /// Where the results go: NAME.wdl, NAME.svg and NAMEdistro.svg
    #[arg(short, long, default_value = "updateWDL", value_name = "NAME")]
    output: PathBuf,
}

/// The verbs that an update consists of, with their own defaults.
#[derive(Parser)]
#[command(name = "drawish wdl")]
enum Steps {
    Collect(Box<collect::Args>),
    Fit(Box<fit::Args>),
}

pub(super) fn run(args: &Args) -> Result<ExitCode> {
    let (revisions, old) = match &args.stockfish {
        Some(clone) => from_clone(clone, args.firstrev.as_deref().unwrap_or_default(), &args.lastrev)?,
        None => {
            let old = match (&args.old_data, args.old_pawn_value) {
                (Some(data), _) => vec!["--normalize-data".to_owned(), data.clone()],
                (None, Some(value)) => vec!["--normalize-to-pawn-value".to_owned(), value.to_string()],
                (None, None) => Vec::new(),
            };
            (args.match_rev.clone().unwrap_or_default(), old)
        }
    };
    let file = |ending: &str| format!("{}{ending}", args.output.display());
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let mut collecting =
        words(&["wdl", "collect", "--dir", &args.directory.to_string_lossy(), "-r", "-o", &file(".wdl")]);
    collecting.extend(words(&["--match-threads", "1", "--match-tc", &args.match_tc, "--match-book", &args.match_book]));
    collecting.extend(words(&["--elo-diff-max", &args.elo_diff_max.to_string(), "--match-rev", &revisions]));
    let Steps::Collect(collecting) = Steps::try_parse_from(collecting)? else { bail!("not the step asked for") };
    let counted = collect::run(*collecting)?;
    if counted != ExitCode::SUCCESS {
        output::complain(
            "drawish: the games were not all counted, see above; no constants are derived from a part of them\n",
        );
        return Ok(counted);
    }
    let mut fitting = words(&["wdl", "fit", &file(".wdl"), "--material-min", &args.material_min.to_string()]);
    fitting.extend(words(&["--png-name", &file(".svg"), "--png-name-distro", &file("distro.svg")]));
    fitting.extend(old);
    let Steps::Fit(fitting) = Steps::try_parse_from(fitting)? else { bail!("not the step asked for") };
    let (fit, games) = fit::fit_and_report(&fitting)?;
    let positions = fit.retained.total();
    let Some(estimate) = &fit.estimate else { bail!("nothing was fitted") };
    let (old, new) = (fit.options.normalization.pawn_value(), estimate.pawn_value);
    let error = fit.errors.as_ref().map_or(String::new(), |errors| format!(" ({new:.2} +- {:.2})", errors.pawn_value));
    let rounded = (new + 0.5).trunc();
    let verdict = if rounded == old { format!("stay at {old}") } else { format!("change from {old} to {rounded}") };
    output::print(format!(
        "\nBased on {positions} positions from {games} games, NormalizeToPawnValue should {verdict}{error}.\n"
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// The pattern of the revisions between two, and the options for the normalization that all of them have.
fn from_clone(clone: &Path, first: &str, last: &str) -> Result<(String, Vec<String>)> {
    let revisions = git(clone, &["rev-list", &format!("{first}^..{last}")])?;
    let revisions: Vec<&str> = revisions.split_whitespace().collect();
    ensure!(!revisions.is_empty(), "{}: no revisions from {first} to {last}", clone.display());
    let old = normalization_of(clone, first)?;
    for revision in &revisions {
        let other = normalization_of(clone, revision)?;
        ensure!(
            other == old,
            "revision {revision} has another normalization than {first}: {} instead of {}; choose a range in which it does not change",
            other.join(" "),
            old.join(" ")
        );
    }
    let pattern: Vec<_> = revisions.iter().map(|revision| format!(".*{revision}")).collect();
    Ok((pattern.join("|"), old))
}

/// The normalization in Stockfish's sources at a revision, as options of `wdl fit`.
fn normalization_of(clone: &Path, revision: &str) -> Result<Vec<String>> {
    let header = git(clone, &["show", &format!("{revision}:src/uci.h")]).unwrap_or_default();
    let source = git(clone, &["show", &format!("{revision}:src/uci.cpp")])?;
    read_normalization(&header, &source).with_context(|| {
        format!("{} at {revision}: no NormalizeToPawnValue in src/uci.h or src/uci.cpp and no as[] with its clamp in src/uci.cpp", clone.display())
    })
}

/// What Stockfish's `uci.h` and `uci.cpp` say: a constant pawn value, or the limits and coefficients of p_a.
fn read_normalization(header: &str, source: &str) -> Option<Vec<String>> {
    let after = |text: &str, mark: &str| text.split_once(mark).map(|(_, rest)| rest.to_owned());
    for text in [header, source] {
        if let Some(rest) = after(text, "NormalizeToPawnValue =") {
            let digits: String = rest.trim_start().chars().take_while(char::is_ascii_digit).collect();
            if !digits.is_empty() {
                return Some(vec!["--normalize-to-pawn-value".to_owned(), digits]);
            }
        }
    }
    // double m = std::clamp(material, 17, 78) / 58.0;
    let clamp = after(source, "std::clamp(material,")?;
    let (limits, rest) = clamp.split_once(')')?;
    let (min, max) = limits.split_once(',')?;
    let target: String =
        after(rest, "/")?.trim_start().chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
    let list = after(source, "as[] = {")?;
    let (list, _) = list.split_once('}')?;
    let number = |text: &str| text.trim().parse::<f64>().ok();
    let coefficients: Vec<f64> = list.split(',').map(number).collect::<Option<_>>()?;
    let data = serde_json::json!({
        "momType": "material", "momMin": number(min)?, "momMax": number(max)?, "momTarget": number(&target)?, "as": coefficients,
    });
    (coefficients.len() == 4).then(|| vec!["--normalize-data".to_owned(), data.to_string()])
}

fn git(clone: &Path, words: &[&str]) -> Result<String> {
    let run = Command::new("git").arg("-C").arg(clone).args(words).output();
    let run = run.context(
        "git cannot be run; install it, or give --match-rev and the old normalization instead of --stockfish",
    )?;
    ensure!(
        run.status.success(),
        "git {} in {}: {}",
        words.join(" "),
        clone.display(),
        String::from_utf8_lossy(&run.stderr).trim()
    );
    Ok(String::from_utf8_lossy(&run.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normalizations_of_each_time() {
        let header = "const int NormalizeToPawnValue = 328;\n";
        assert_eq!(
            read_normalization(header, ""),
            Some(vec!["--normalize-to-pawn-value".to_owned(), "328".to_owned()])
        );
        let source = "constexpr int  NormalizeToPawnValue = 345;";
        assert_eq!(read_normalization("", source).expect("a value")[1], "345");
        let dynamic = "double m = std::clamp(material, 17, 78) / 58.0;\n\n    constexpr double as[] = {-72.32565836, 185.93832038, -144.58862193, 416.44950446};\n";
        let options = read_normalization("", dynamic).expect("data");
        let expected = drawish::wdl::fit::Normalization::DEFAULT;
        assert_eq!(super::super::options::parse_normalization(&options[1]).expect("JSON"), expected);
        assert_eq!(read_normalization("", "nothing of it"), None);
    }
}
