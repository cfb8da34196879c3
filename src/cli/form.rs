//! `drawish form`: files of forms, the knowledge of the arm form.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};

use super::args::choice::{Choice, choice};
use super::{done, output, usage};
use drawish::contest::read_form;
use drawish::form::{Control, Form};

const CONTROLS: [Choice<Control>; 2] = [
    (
        &["reversed"],
        "Factors and complexity mirrored at their means: the opposite knowledge, with the same spread",
        Control::Reversed,
    ),
    (&["noise"], "Mirrored in a random half of the pawn structures: the same spread without knowledge", Control::Noise),
];

/// Write the file of a form: knowledge about endings with few numbers, for arm=form
///
/// Without FILE the numbers are those of Stockfish 11. The file says what each number means; drawish match, experiment and spsa
/// take it by arm=form form=FILE.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  drawish form -o form.toml\n  drawish form tuned.toml --control reversed -o reversed.toml\n  \
    drawish form --set per_pawn=5 --set search.razor=200 -o other.toml"
)]
pub(super) struct Args {
    /// A form to begin with
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Change a number; any number of times
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Make a control of it, which a match should not find better
    #[arg(long, value_name = "NAME", value_parser = choice(&CONTROLS))]
    control: Option<Control>,
    /// Where it is written
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    let mut form = args.file.as_deref().map(read_form).transpose()?.unwrap_or_default();
    for word in &args.set {
        set(&mut form, word).with_context(|| format!("--set {word}")).map_err(usage)?;
    }
    if let Some(control) = args.control {
        form = form.as_control(control);
    }
    output::write(&args.output, form.to_toml().as_bytes())?;
    done()
}

fn set(form: &mut Form, word: &str) -> Result<()> {
    let (name, value) = word.split_once('=').context("expected NAME=VALUE")?;
    Ok(form.set(name, value.parse().context("expected a number")?)?)
}
