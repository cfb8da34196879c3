//! A report as Markdown: the same text and tables, with links to the pictures where they lie beside it.

use std::fmt::Write;

use drawish_artefact::provenance::harmless;

use crate::document::{Block, Document, Figure, Table};

/// A document as Markdown. `pictures` is what stands before the name of each picture in links, as in `pictures/`; without it
/// there are no links.
#[must_use]
pub fn markdown(document: &Document, pictures: Option<&str>) -> String {
    let mut text = Text { out: format!("# {}\n", escape(&document.title)), pictures };
    for section in &document.sections {
        text.under("##", &section.title, &section.blocks);
    }
    let _ = write!(text.out, "\n---\n\nMade by {}.\n", escape(&document.made_by));
    text.out
}

struct Text<'a> {
    out: String,
    pictures: Option<&'a str>,
}

impl Text<'_> {
    /// Blocks below a heading, which is left out where nothing stands below it.
    fn under(&mut self, level: &str, heading: &str, blocks: &[Block]) {
        let begin = self.out.len();
        let _ = write!(self.out, "\n{level} {}\n", escape(heading));
        let below = self.out.len();
        self.blocks(blocks);
        if self.out.len() == below && blocks.is_empty() {
            self.out.truncate(begin);
        } else if self.out.len() == below {
            self.out.push_str(
                "\nPictures only: they are in the report as a page, and beside a text that pictures are written for.\n",
            );
        }
    }

    fn blocks(&mut self, list: &[Block]) {
        for block in list {
            match block {
                Block::Text(text) => {
                    let _ = write!(self.out, "\n{}\n", escape(text));
                }
                Block::List(lines) => {
                    self.out.push('\n');
                    for line in lines.iter().filter(|line| !line.trim().is_empty()) {
                        let _ = writeln!(self.out, "- {}", escape(line));
                    }
                }
                Block::Table(table) => self.table(table),
                Block::Figure(figure) => self.figure(figure),
                Block::Grid(figures) => figures.iter().for_each(|figure| self.figure(figure)),
                Block::Choice(choice) => {
                    for (name, blocks) in &choice.options {
                        self.under("###", name, blocks);
                    }
                }
                Block::Explorer { figure, table, .. } => {
                    self.figure(figure);
                    self.table(table);
                }
            }
        }
    }

    fn figure(&mut self, figure: &Figure) {
        if let Some(before) = self.pictures {
            let (title, caption) = (escape(&figure.title), escape(&figure.caption));
            let _ = write!(self.out, "\n![{title}]({before}{}.svg)\n\n*{title}.* {caption}\n", figure.name);
        }
    }

    fn table(&mut self, table: &Table) {
        if table.rows.is_empty() {
            self.out.push_str("\nNone.\n");
            return;
        }
        let line = |cells: &[String]| -> String { cells.iter().map(|cell| format!(" {} |", escape(cell))).collect() };
        let rule: String =
            (0..table.head.len()).map(|place| if place < table.words { " --- |" } else { " ---: |" }).collect();
        let _ = write!(self.out, "\n|{}\n|{rule}\n", line(&table.head));
        for row in &table.rows {
            let _ = writeln!(self.out, "|{}", line(row));
        }
    }
}

/// Text that stands as it is: what Markdown or HTML would take for something else is escaped. Commands in backticks stay code.
fn escape(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ");
    let text = harmless(&text);
    let mut out = String::with_capacity(text.len());
    let mut rest = &*text;
    while let Some((before, behind)) = rest.split_once('`') {
        escape_letters(&mut out, before);
        rest = match behind.split_once('`').filter(|(code, _)| is_plain_code(code)) {
            Some((code, behind)) => {
                out.extend(["`", code, "`"]);
                behind
            }
            None => {
                out.push_str("\\`");
                behind
            }
        };
    }
    escape_letters(&mut out, rest);
    out
}

/// Whether it means the same within backticks of Markdown, also in a cell of a table.
fn is_plain_code(text: &str) -> bool {
    let is_plain = |letter: char| (letter.is_ascii_graphic() && !"|<>&\\".contains(letter)) || letter == ' ';
    text.starts_with(|first: char| first.is_ascii_graphic()) && !text.ends_with(' ') && text.chars().all(is_plain)
}

fn escape_letters(out: &mut String, text: &str) {
    for letter in text.chars() {
        match letter {
            '\\' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' => {
                out.push('\\');
                out.push(letter);
            }
            '&' => out.push_str("&amp;"),
            _ => out.push(letter),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_heading_stands_above_nothing() {
        let section =
            |title: &str, blocks| crate::document::Section { id: title.to_owned(), title: title.to_owned(), blocks };
        let sections = vec![
            section("nothing", Vec::new()),
            section("a table without rows", vec![Block::Table(Table::new(1, &["a"]))]),
            section("pictures", vec![Block::Grid(Vec::new())]),
        ];
        let document = Document { title: "T".to_owned(), sections, structures: Vec::new(), made_by: "me".to_owned() };
        assert_eq!(
            markdown(&document, None),
            "# T\n\n## a table without rows\n\nNone.\n\n## pictures\n\nPictures only: they are in the report as a page, and \
             beside a text that pictures are written for.\n\n---\n\nMade by me.\n"
        );
    }

    #[test]
    fn commands_are_code_and_nothing_else_is() {
        for (text, expected) in [
            (
                "games: `drawish collect a_b.pgn -o x.counts` counts_them",
                "games: `drawish collect a_b.pgn -o x.counts` counts\\_them",
            ),
            ("expected `]`_", "expected `]`\\_"),
            ("a ` b `<x>` c", "a \\` b \\`\\<x\\>\\` c"),
            ("`a|b` ``", "\\`a\\|b\\` \\`\\`"),
        ] {
            assert_eq!(escape(text), expected);
        }
    }

    #[test]
    fn no_item_of_a_list_is_empty() {
        let lines = ["a", "", " ", "b"].map(str::to_owned).to_vec();
        let mut text = Text { out: String::new(), pictures: None };
        text.blocks(&[Block::List(lines)]);
        assert_eq!(text.out, "\n- a\n- b\n");
    }

    #[test]
    fn text_stays_text() {
        let mut table = Table::new(1, &["a|b", "n"]);
        table.row(["<x> & *y*".to_owned(), "1\n2".to_owned()]);
        table.row(["\u{1b}]0;x\u{7}\u{202e}".to_owned(), "\r".to_owned()]);
        let section =
            crate::document::Section { id: "s".to_owned(), title: "t_1".to_owned(), blocks: vec![Block::Table(table)] };
        let document = Document {
            title: "T".to_owned(),
            sections: vec![section],
            structures: Vec::new(),
            made_by: "me".to_owned(),
        };
        assert_eq!(
            markdown(&document, None),
            "# T\n\n## t\\_1\n\n| a\\|b | n |\n| --- | ---: |\n| \\<x\\> &amp; \\*y\\* | 1 2 |\n| \\\\u{1b}\\]0;x\\\\u{7}\\\\u{202e} |   |\n\n---\n\nMade by me.\n"
        );
    }
}
