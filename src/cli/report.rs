//! `drawish report`: results of every kind as a page, as Markdown and as pictures.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};

use super::matches::sprt_of;
use super::{args, output, picture, wrong_usage};
use drawish::findings::{Findings, Wanted};
use drawish::provenance::made_by;
use drawish::report::{html, markdown, sections};
use drawish::smooth::Estimator;

/// Show results of every kind as one page that works offline, as Markdown, as pictures
///
/// Each input is recognised by its content:
///
///   counts, tables   structures as boards, all of them at once, how much is chance (.counts, .table)
///   heads            their terms with errors (`drawish tune`, .toml)
///   evaluations      gains of models and their calibration (`drawish evaluate --json`)
///   WDL fits         what an evaluation means (`drawish wdl fit --json`)
///   match logs       the course of the match, Elo, pairs, ends of games (.jsonl, also packed)
///   rows             draw rates by structure and evaluation (`drawish positions`, .parquet)
///
/// The ending of each output's name chooses its form: .html is one file with everything in it,
/// .md is Markdown. An input that is missing, old or still being written is said so, and the rest
/// is shown.
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "Examples:\n  \
        drawish report tables/human.counts tables/human.heads.toml -o report.html\n  \
        drawish report match.jsonl --sprt elo0=0 elo1=5 -o match.html -o match.md --svg pictures\n\n\
        Exit codes: 0 done, 1 failed, or an input was missing or broken (the rest is in the report), 2 wrong usage."
)]
pub(super) struct Args {
    /// Results, in the order in which they shall stand
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// Where to write, .html or .md; may be given several times; - writes Markdown to standard output
    #[arg(short, long, value_name = "FILE", required_unless_present_any = ["svg", "png"])]
    output: Vec<PathBuf>,
    /// Write every picture as SVG into this directory; Markdown then links to them
    #[arg(long, value_name = "DIRECTORY")]
    svg: Option<PathBuf>,
    /// Write every picture as PNG into this directory
    #[arg(long, value_name = "DIRECTORY")]
    png: Option<PathBuf>,
    /// The title
    #[arg(long, default_value = "Draws and structures", value_name = "TEXT")]
    title: String,
    /// How probabilities are estimated from counts
    #[arg(long, default_value = "eb-sym", value_parser = args::choice(&Estimator::ALL, Estimator::name, Estimator::meaning))]
    estimate: Estimator,
    /// The test of the matches, which a log does not know: elo0= elo1= [alpha=] [beta=] [model=normalized|logistic|bayesian]
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    sprt: Vec<String>,
    /// Differences below this many Elo count as none
    #[arg(long, default_value_t = 3.0, value_name = "ELO")]
    margin: f64,
}

/// The form of an output.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Html,
    Markdown,
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    let wanted = match wanted(&args) {
        Ok(wanted) => wanted,
        Err(error) => return wrong_usage(format!("{error:#}")),
    };
    let mut outputs = Vec::new();
    for path in &args.output {
        outputs.push((path, form(path)?));
        output::check(path, &args.inputs)?;
    }
    let directories: Vec<(&PathBuf, &str)> = [(&args.svg, "svg"), (&args.png, "png")]
        .into_iter()
        .filter_map(|(path, ending)| Some((path.as_ref()?, ending)))
        .collect();
    for (directory, ending) in &directories {
        picture::check_name(&directory.join("picture").with_extension(ending))?;
        std::fs::create_dir_all(directory)
            .with_context(|| format!("{} cannot be made; choose another place for --{ending}", directory.display()))?;
    }
    let mut findings = Findings::default();
    let mut seen = BTreeSet::new();
    for path in &args.inputs {
        if seen.insert(path) {
            read(&mut findings, path, args.estimate, wanted);
        } else {
            findings.remark(&path.display().to_string(), "named twice; it is shown once");
        }
    }
    for note in &findings.notes {
        output::complain(format!("drawish: {}: {}\n", note.input, note.what));
    }
    ensure!(!findings.is_empty(), "none of the inputs can be shown, so no report is made");
    let sections = sections(&findings);
    for (path, form) in outputs {
        let text = match form {
            Form::Html => html(&args.title, &sections, &findings.structures, &made_by()),
            Form::Markdown => {
                let before = args.svg.as_deref().map(|directory| link_to(directory, path));
                markdown(&args.title, &sections, &findings.structures, before.as_deref(), &made_by())
            }
        };
        output::write(path, text.as_bytes())?;
    }
    for (directory, ending) in directories {
        picture::write_all(directory, ending, &sections)?;
    }
    let faults = findings.notes.iter().any(|note| note.is_fault);
    Ok(if faults { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn wanted(args: &Args) -> Result<Wanted> {
    ensure!(
        args.margin > 0.0 && args.margin < 1000.0,
        "--margin {}: expected a number of Elo above 0 and below 1000",
        args.margin
    );
    Ok(Wanted { sprt: sprt_of(&args.sprt)?, margin: args.margin })
}

/// The form of an output, by the ending of its name.
pub(super) fn form(path: &Path) -> Result<Form> {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    match ending.as_str() {
        "html" | "htm" => Ok(Form::Html),
        "md" | "markdown" => Ok(Form::Markdown),
        _ if output::is_standard(path) => Ok(Form::Markdown),
        _ => bail!(
            "{}: the ending of the name chooses the form, and this one is neither .html nor .md; for pictures give --svg \
             and a directory",
            path.display()
        ),
    }
}

/// Reads an input; rows are read by data frames.
fn read(findings: &mut Findings, path: &Path, estimate: Estimator, wanted: Wanted) {
    #[cfg(feature = "frames")]
    if super::rows::is_rows(path) {
        return read_rows(findings, path);
    }
    findings.read(path, estimate, wanted);
}

#[cfg(feature = "frames")]
fn read_rows(findings: &mut Findings, path: &Path) {
    use drawish::findings::Bands;
    use drawish::rows::RowSource;

    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let cells = vec![drawish_core::Scheme::Bg];
    let wanted = drawish::rows::Wanted { features: Vec::new(), cells };
    let rows = super::rows::open(&[path.to_owned()])
        .and_then(|files| Ok((files.rows(&wanted).map_err(super::rows::unreadable)?, files)));
    match rows {
        Ok((rows, files)) => {
            let bands = Bands::of_rows(&name, &rows);
            if bands.rows == 0 {
                findings.remark(&name, "none of its positions has an evaluation, so there are no bands to show");
                return;
            }
            let made_by = files.sources()[0].provenance();
            if let Err(error) = findings.add_bands(path, bands, &made_by.made_by, &made_by.rule) {
                findings.fault(&name, error.to_string());
            }
        }
        Err(error) => findings.fault(&name, format!("{error:#}")),
    }
}

/// What stands before the names of pictures in a text at `path`: relative where that is plain.
fn link_to(directory: &Path, path: &Path) -> String {
    let beside = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let relative = match beside {
        Some(parent) => directory.strip_prefix(parent).unwrap_or(directory),
        None => directory,
    };
    let text = relative.to_string_lossy().replace('\\', "/");
    if text.is_empty() { text } else { format!("{}/", text.trim_end_matches('/')) }
}
