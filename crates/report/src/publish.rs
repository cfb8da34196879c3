//! From files of results to files that people read: the whole way in one call.

mod of_comparison;
mod of_experiment;

use std::path::{Path, PathBuf};
use std::{fs, io};

use drawish_artefact::outfile;
use drawish_games::smooth::Estimator;
use drawish_stats::Sprt;
use thiserror::Error;

use crate::data::{ReportData, Wanted};
use crate::document::Document;
use crate::pages::sections;
use crate::pictures::{PictureError, PictureFormat};
use crate::{html, markdown};

pub use self::of_comparison::write_comparison;
pub use self::of_experiment::ExperimentReportError;

/// What is read for a report, how it is shown, and where it is written.
///
/// The front page of this crate has an example.
#[derive(Clone, Debug)]
pub struct Report {
    inputs: Vec<PathBuf>,
    title: Option<String>,
    estimator: Estimator,
    wanted: Wanted,
    outputs: Outputs,
}

/// Files of a document: pages and Markdown by the endings of their names, and pictures in directories.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Outputs {
    texts: Vec<(PathBuf, Form)>,
    pictures: Vec<(PathBuf, PictureFormat)>,
}

/// The form of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    Html,
    Markdown,
}

/// Why a report is not written.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
#[non_exhaustive]
pub enum ReportError {
    #[error("{}: the ending of the name chooses the form, and this one is neither .html nor .md", path.display())]
    Form { path: PathBuf },
    #[error("{} is an input and would be overwritten; choose another place", path.display())]
    IsInput { path: PathBuf },
    #[error("{} cannot be written; choose another place", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("{} cannot be made; choose another place", path.display())]
    Directory { path: PathBuf, source: io::Error },
    #[error("{}", path.display())]
    Picture { path: PathBuf, source: PictureError },
    #[error("none of the inputs can be shown, so no report is made")]
    Nothing,
}

impl Report {
    /// A report on these files, in this order: counts, tables, heads, WDL fits, evaluations, match logs, rows.
    #[must_use]
    pub fn new(inputs: impl IntoIterator<Item = impl Into<PathBuf>>) -> Report {
        Report {
            inputs: inputs.into_iter().map(Into::into).collect(),
            title: None,
            estimator: Estimator::EmpiricalBayesSymmetric,
            wanted: Wanted::default(),
            outputs: Outputs::default(),
        }
    }

    /// The title instead of one by what is shown: "Games between engines" where that is all, else "Draws and structures".
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Report {
        self.title = Some(title.into());
        self
    }

    /// How draw probabilities are estimated from counts, instead of by the symmetric empirical Bayes estimate.
    #[must_use]
    pub fn estimator(mut self, estimator: Estimator) -> Report {
        self.estimator = estimator;
        self
    }

    /// What a reader wants to know of matches that their logs do not say: the test, and the margin of equivalence.
    #[must_use]
    pub fn matches(mut self, sprt: Option<Sprt>, margin: f64) -> Report {
        self.wanted = Wanted { sprt, margin, ..Wanted::default() };
        self
    }

    /// Where to write the report: a page for names that end in `.html`, Markdown for `.md`.
    ///
    /// # Errors
    ///
    /// For other names.
    pub fn output(mut self, path: impl Into<PathBuf>) -> Result<Report, ReportError> {
        self.outputs = self.outputs.text(path)?;
        Ok(self)
    }

    /// A directory for every picture as a file of its own; Markdown links to those that are SVG.
    #[must_use]
    pub fn pictures(mut self, directory: impl Into<PathBuf>, format: PictureFormat) -> Report {
        self.outputs = self.outputs.pictures(directory, format);
        self
    }

    /// All outputs at once, instead of those that were named before.
    #[must_use]
    pub fn outputs(mut self, outputs: Outputs) -> Report {
        self.outputs = outputs;
        self
    }

    /// Checks the outputs, reads the inputs and writes the report. What cannot be read is in the notes of what it returns.
    ///
    /// # Errors
    ///
    /// If an output cannot be written, or nothing can be shown.
    pub fn run(&self) -> Result<ReportData, ReportError> {
        self.outputs.check(&self.inputs)?;
        let data = self.read();
        self.outputs.write(&self.document(&data)?)?;
        Ok(data)
    }

    /// Makes sure, before the work, that the outputs can be written and replace no input.
    ///
    /// # Errors
    ///
    /// If one cannot.
    pub fn check(&self) -> Result<(), ReportError> {
        self.outputs.check(&self.inputs)
    }

    /// Reads all inputs, each once.
    #[must_use]
    pub fn read(&self) -> ReportData {
        let mut data = ReportData::default();
        data.read(&self.inputs, self.estimator, self.wanted);
        data
    }

    /// Everything that can be shown of the data, under the title.
    ///
    /// # Errors
    ///
    /// If that is nothing.
    pub fn document(&self, data: &ReportData) -> Result<Document, ReportError> {
        if data.is_empty() {
            return Err(ReportError::Nothing);
        }
        let own = if data.is_play_alone() { "Games between engines" } else { "Draws and structures" };
        Ok(Document::new(self.title.as_deref().unwrap_or(own), sections(data), data))
    }

    /// Writes a document to the outputs.
    ///
    /// # Errors
    ///
    /// If one cannot be written.
    pub fn write(&self, document: &Document) -> Result<(), ReportError> {
        self.outputs.write(document)
    }
}

impl Outputs {
    /// Adds a page (`.html`) or Markdown (`.md`).
    ///
    /// # Errors
    ///
    /// For names with other endings.
    pub fn text(mut self, path: impl Into<PathBuf>) -> Result<Outputs, ReportError> {
        let path = path.into();
        let ending = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let form = match ending.as_str() {
            "html" | "htm" => Form::Html,
            "md" | "markdown" => Form::Markdown,
            _ => return Err(ReportError::Form { path }),
        };
        self.texts.push((path, form));
        Ok(self)
    }

    /// Adds a directory for every picture; it is made where there is none.
    #[must_use]
    pub fn pictures(mut self, directory: impl Into<PathBuf>, format: PictureFormat) -> Outputs {
        self.pictures.push((directory.into(), format));
        self
    }

    /// Makes the directories, and makes sure that every file can be written and none is an input.
    ///
    /// # Errors
    ///
    /// If one cannot be written, or is an input.
    pub fn check(&self, inputs: &[PathBuf]) -> Result<(), ReportError> {
        for (path, _) in &self.texts {
            let is_path = |input: &PathBuf| {
                fs::canonicalize(input).is_ok_and(|input| fs::canonicalize(path).is_ok_and(|path| input == path))
            };
            if inputs.iter().any(is_path) {
                return Err(ReportError::IsInput { path: path.clone() });
            }
            outfile::check_writable(path).map_err(|source| ReportError::Write { path: path.clone(), source })?;
        }
        for (directory, format) in &self.pictures {
            format.check().map_err(|source| ReportError::Picture { path: directory.clone(), source })?;
            make(directory)?;
        }
        Ok(())
    }

    /// Writes a document to all of them.
    ///
    /// # Errors
    ///
    /// If one cannot be written.
    pub fn write(&self, document: &Document) -> Result<(), ReportError> {
        for (path, form) in &self.texts {
            let text = match form {
                Form::Html => html(document),
                Form::Markdown => markdown(document, self.links(path).as_deref()),
            };
            write_whole(path, text.as_bytes())?;
        }
        if self.pictures.is_empty() {
            return Ok(());
        }
        let drawn = document.pictures();
        for (directory, format) in &self.pictures {
            make(directory)?;
            for (name, svg) in &drawn {
                let path = directory.join(name).with_extension(format.ending());
                let content =
                    format.encode(svg).map_err(|source| ReportError::Picture { path: path.clone(), source })?;
                write_whole(&path, &content)?;
            }
        }
        Ok(())
    }

    /// What stands before the names of pictures in Markdown that is written to `path`, if there are SVG pictures to link to.
    #[must_use]
    pub fn links(&self, path: &Path) -> Option<String> {
        let (directory, _) = self.pictures.iter().find(|(_, format)| *format == PictureFormat::Svg)?;
        Some(link_to(directory, path))
    }
}

fn make(directory: &Path) -> Result<(), ReportError> {
    fs::create_dir_all(directory).map_err(|source| ReportError::Directory { path: directory.to_owned(), source })
}

fn write_whole(path: &Path, content: &[u8]) -> Result<(), ReportError> {
    outfile::write_whole(path, content).map_err(|source| ReportError::Write { path: path.to_owned(), source })
}

/// The way from a text at `path` to a directory: relative where that is plain.
fn link_to(directory: &Path, path: &Path) -> String {
    let beside = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let relative = match beside {
        Some(parent) => directory.strip_prefix(parent).unwrap_or(directory),
        None => directory,
    };
    let text = relative.to_string_lossy().replace('\\', "/");
    if text.is_empty() { text } else { format!("{}/", text.trim_end_matches('/')) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_relative_where_that_is_plain() {
        let link = |directory: &str, path: &str| link_to(Path::new(directory), Path::new(path));
        assert_eq!(link("out/pictures", "out/a.md"), "pictures/");
        assert_eq!(link("out", "out/a.md"), "");
        assert_eq!(link("pictures/", "a.md"), "pictures/");
        assert_eq!(link("elsewhere", "out/a.md"), "elsewhere/");
    }

    #[test]
    fn a_report_of_nothing_is_refused_before_it_is_written() {
        let place = outfile::ScratchDirectory::new().expect("a directory");
        let out = place.path().join("a.html");
        let report = Report::new([place.path().join("absent")]).output(&out).expect("a page");
        assert!(matches!(report.run(), Err(ReportError::Nothing)));
        assert!(!out.exists());
        assert!(matches!(report.output("a.pdf"), Err(ReportError::Form { .. })));
    }
}
