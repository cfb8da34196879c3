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
                    for line in lines {
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

/// Text that stands as it is: what Markdown or HTML would take for something else is escaped.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let text = text.replace(['\n', '\r'], " ");
    for letter in harmless(&text).chars() {
        match letter {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' => {
                out.push('\\');
                out.push(letter);
            }
            '&' => out.push_str("&amp;"),
            _ => out.push(letter),
        }
    }
    out
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
