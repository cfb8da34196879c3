//! What an experiment has found so far.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;

use crate::cli::picture::Pages;
use crate::cli::report::{complain, exit_code};
use crate::cli::{done, output};
use drawish::experiment::Layout;
use drawish::report::Document;
use drawish::report::text::experiment as text;

pub(super) fn status(file: &Path, as_json: bool) -> Result<ExitCode> {
    let layout = Layout::open(file)?;
    output::print_as(as_json, || text::status_json(&layout), || text::status(&layout))?;
    done()
}

pub(super) fn report(file: &Path, outputs: &[PathBuf]) -> Result<ExitCode> {
    let layout = Layout::open(file)?;
    let outputs = Pages::of(outputs)?;
    outputs.check(&[file.to_owned()])?;
    let not_begun = "no game has been played; `drawish experiment run` plays them";
    let (document, data) = Document::of_experiment(&layout, not_begun)?;
    complain(&data, false);
    outputs.write(&document)?;
    Ok(exit_code(&data))
}
