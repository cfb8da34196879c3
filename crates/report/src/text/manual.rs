//! Manual pages: what their sections hold, how terminals show them best, and how they are read.

use std::path::{Path, absolute};

/// What a manual page has behind the options, from what stands there in a help.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sections {
    /// Paragraphs.
    pub notes: Vec<String>,
    /// What exit codes mean; the usual ones if the help says nothing of them.
    pub status: Vec<String>,
    /// Commands, a line each.
    pub examples: Vec<String>,
}

impl Sections {
    /// Sorts the paragraphs of the text behind a help.
    #[must_use]
    pub fn of(after: &str) -> Sections {
        let mut found = Sections::default();
        let own = |line: &str| line.strip_prefix("  ").unwrap_or(line).to_owned();
        for paragraph in after.split("\n\n") {
            let mut lines = paragraph.lines();
            match lines.next().unwrap_or_default() {
                "Example:" | "Examples:" => found.examples.extend(lines.map(own)),
                first if first.starts_with("Begin with:") => {
                    let commands = paragraph.replacen("Begin with:", "", 1);
                    found.examples.extend(commands.lines().map(|line| line.trim().to_owned()));
                }
                first => {
                    let text = lines.fold(first.to_owned(), |text, line| format!("{text} {}", line.trim()));
                    let is_status = first.to_lowercase().replace("the ", "").starts_with("exit code");
                    let text = text.strip_prefix("Exit codes: ").map_or(text.clone(), str::to_owned);
                    if is_status { &mut found.status } else { &mut found.notes }.push(text);
                }
            }
        }
        found.notes.retain(|text| !text.is_empty());
        if found.status.is_empty() {
            found.status.push("0 done, 1 failed, 2 wrong usage.".to_owned());
        }
        found
    }
}

/// How many pages were written to a directory, and how they are read.
#[must_use]
pub fn where_to_read(directory: &Path, pages: usize) -> String {
    let shown = directory.display();
    let mut text = format!("{shown}: {pages} pages; read one by man -l {}\n", directory.join("drawish.1").display());
    let above = directory.parent().filter(|_| directory.file_name().is_some_and(|name| name == "man1"));
    if let Some(above) = above {
        // Manuals are looked for in whole paths.
        let above = absolute(above.join(".")).unwrap_or_else(|_| above.to_owned());
        text += &format!("If man drawish does not find them: export MANPATH={}:\n", above.display());
    }
    text
}

/// A page whose lines are not justified nor broken within words or between an option and its value, and whose tables stay as they are.
#[must_use]
pub fn laid_out(page: &str) -> String {
    let mut in_examples = false;
    let of_line = |line: &str| {
        in_examples = line == ".nf" || in_examples && line != ".fi";
        match line {
            _ if !in_examples && line.starts_with(' ') => format!(".nf\n{line}\n.fi\n"),
            _ if line.starts_with("\\- ") => format!(".br\n{line}\n"),
            // An argument that is empty, the date, is one all the same.
            _ if line.starts_with(".TH ") => line.replace(" 1  ", " 1 \"\" ") + "\n.nh\n.ad l\n",
            _ => line.replace('\u{a0}', "\\ ") + "\n",
        }
    };
    page.lines().map(of_line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_sorted() {
        let found = Sections::of(
            "Begin with: drawish a\n  drawish b\n\nExamples:\n  drawish c\n    x\n\nA note\n  of two lines.",
        );
        assert_eq!(found.examples, ["drawish a", "drawish b", "drawish c", "  x"]);
        assert_eq!(found.notes, ["A note of two lines."]);
        assert_eq!(found.status, ["0 done, 1 failed, 2 wrong usage."]);
        assert_eq!(Sections::of("Exit codes: 0 all well.").status, ["0 all well."]);
    }

    #[test]
    fn pages_are_found_by_the_directory_above() {
        let text = where_to_read(Path::new("/share/man/man1"), 7);
        assert_eq!(
            text,
            "/share/man/man1: 7 pages; read one by man -l /share/man/man1/drawish.1\n\
             If man drawish does not find them: export MANPATH=/share/man:\n"
        );
        let text = where_to_read(Path::new("man1"), 7);
        let here = std::env::current_dir().expect("a directory");
        assert!(text.ends_with(&format!("MANPATH={}:\n", here.display())), "{text}");
        assert_eq!(where_to_read(Path::new("pages"), 7).lines().count(), 1);
    }

    #[test]
    fn tables_stay_and_examples_are_left_alone() {
        let page = ".TH drawish 1  \"drawish\"\n  a   b\n.nf\n  drawish x\n.fi\n";
        let expected = ".TH drawish 1 \"\" \"drawish\"\n.nh\n.ad l\n.nf\n  a   b\n.fi\n.nf\n  drawish x\n.fi\n";
        assert_eq!(laid_out(page), expected);
    }
}
