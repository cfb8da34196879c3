//! Several inputs at once: each file once, under a name that no other has, and a directory in the place of its files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{fs, io};

use super::ReportData;
use super::input::ReadError;
use super::matches::Wanted;
use drawish_artefact::in_words;
use drawish_games::pgn::Input;
use drawish_games::smooth::Estimator;
use drawish_stats::numbers::counted;

/// An input as it was named.
enum Named {
    File(PathBuf),
    /// With the files in it, in the order of their names.
    Directory(PathBuf, io::Result<Vec<PathBuf>>),
}

/// Inputs with what each of their files is called.
struct Inputs {
    named: Vec<Named>,
    /// Where they lie.
    places: BTreeSet<PathBuf>,
    /// How many different files have each name.
    names: BTreeMap<String, usize>,
    /// What was named a second time.
    again: Vec<PathBuf>,
}

impl ReportData {
    /// Reads inputs in their order, each recognised by its content, and adds what they hold; or a note that says why there is
    /// nothing to show. A directory stands for the files in it that can be shown, without those that are named themselves. A file
    /// is called by its name; where several have the same, by its path.
    pub fn read(&mut self, paths: &[PathBuf], estimator: Estimator, wanted: Wanted) {
        let inputs = Inputs::of(paths);
        for path in &inputs.again {
            self.remark(&path.display().to_string(), "named twice; it is shown once");
        }
        for named in &inputs.named {
            match named {
                Named::File(path) => {
                    let name = inputs.name(path);
                    let found = self.read_one(path, &name, estimator, wanted);
                    if found.is_err() {
                        self.left_out.push(name.clone());
                    }
                    match found {
                        Ok(input) => self.inputs.extend(input),
                        Err(error @ (ReadError::Step { .. } | ReadError::Elsewhere(_))) => {
                            self.remark(&name, error.to_string());
                        }
                        Err(error) => self.fault(&name, error.to_string()),
                    }
                }
                Named::Directory(path, files) => {
                    let shown = path.display().to_string();
                    match files {
                        Ok(files) => self.read_directory(&shown, files, &inputs, estimator, wanted),
                        Err(error) => self.fault(&shown, format!("the directory cannot be read: {error}")),
                    }
                }
            }
        }
    }

    /// Reads what can be shown of the files in a directory; the others are named in one note.
    fn read_directory(
        &mut self,
        shown: &str,
        files: &[PathBuf],
        inputs: &Inputs,
        estimator: Estimator,
        wanted: Wanted,
    ) {
        let mut others = Vec::new();
        for path in files.iter().filter(|path| !inputs.is_named(path)) {
            let name = inputs.name(path);
            let found = self.read_one(path, &name, estimator, wanted);
            if found.is_err() {
                self.left_out.push(name.clone());
            }
            match found {
                Ok(input) => self.inputs.extend(input),
                Err(ReadError::Step { .. } | ReadError::Elsewhere(_) | ReadError::Unknown | ReadError::Empty) => {
                    others.push(path.file_name().unwrap_or_default().to_string_lossy().into_owned());
                }
                Err(error) => self.fault(&name, error.to_string()),
            }
        }
        if files.is_empty() {
            self.fault(shown, "a directory without files; name results, or the directory that holds them");
        } else if others.len() == files.len() {
            self.fault(
                shown,
                "none of the files in this directory can be shown; name results, such as counts or a match log",
            );
        } else if !others.is_empty() {
            let listed = others.iter().take(5).map(String::as_str).collect::<Vec<_>>().join(", ");
            let more = if others.len() > 5 { ", ..." } else { "" };
            let count = counted(others.len() as u64, "file");
            self.remark(shown, format!("left out, as no page shows them: {count} ({listed}{more})"));
        }
    }
}

impl Inputs {
    /// Each path once, by whatever name it is given.
    fn of(paths: &[PathBuf]) -> Inputs {
        let (mut named, mut again, mut places) = (Vec::new(), Vec::new(), BTreeSet::new());
        for path in paths {
            if !places.insert(place(path)) {
                again.push(path.clone());
            } else if path.is_dir() {
                named.push(Named::Directory(path.clone(), files_in(path).map_err(in_words)));
            } else {
                named.push(Named::File(path.clone()));
            }
        }
        let mut names = BTreeMap::new();
        let mut count = |path: &Path| *names.entry(name_of(path)).or_insert(0) += 1;
        for one in &named {
            match one {
                Named::File(path) => count(path),
                Named::Directory(_, files) => {
                    let files = files.iter().flatten().filter(|path| !places.contains(&place(path)));
                    files.for_each(|path| count(path));
                }
            }
        }
        Inputs { named, places, names, again }
    }

    /// Whether this file of a directory is an input by itself.
    fn is_named(&self, path: &Path) -> bool {
        self.places.contains(&place(path))
    }

    fn name(&self, path: &Path) -> String {
        let name = name_of(path);
        if self.names.get(&name).is_some_and(|&files| files > 1) { path.display().to_string() } else { name }
    }
}

fn files_in(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let paths = directory.read_dir()?.map(|entry| entry.map(|entry| entry.path()));
    let mut files = paths.collect::<io::Result<Vec<_>>>()?;
    files.retain(|path| path.is_file());
    files.sort();
    Ok(files)
}

fn name_of(path: &Path) -> String {
    Input::File(path.to_owned()).name()
}

/// Where a file lies; of one that is not there, its path.
fn place(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}
