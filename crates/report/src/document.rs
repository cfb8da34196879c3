//! What a report is made of, whatever it is written as: sections of text, tables and figures.

use drawish_artefact::provenance::made_by;
use serde_json::Value;

use crate::data::{ReportData, Structures};
use crate::pictures::Svg;

/// A report that can be written in any form.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Document {
    /// Its title.
    pub title: String,
    /// Its parts, in order.
    pub sections: Vec<Section>,
    /// The structures that explorers and figures refer to by their place.
    pub structures: Vec<Structures>,
    /// The program that made it.
    pub made_by: String,
}

/// A part of a report with a title.
#[derive(Clone, PartialEq, Debug)]
pub struct Section {
    /// A short word for links, unlike all others.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What stands in it.
    pub blocks: Vec<Block>,
}

/// A part of a section.
#[derive(Clone, PartialEq, Debug)]
pub enum Block {
    /// A paragraph.
    Text(String),
    /// Sentences of their own.
    List(Vec<String>),
    /// A table.
    Table(Table),
    /// A picture.
    Figure(Figure),
    /// Small pictures side by side.
    Grid(Vec<Figure>),
    /// The same for several sources, of which a reader chooses one; those of one group change together.
    Choice(Choice),
    /// All structures of a source, to be sorted and searched.
    Explorer {
        /// The place of the source among [`Document::structures`].
        source: usize,
        /// A picture of the ends of the order, where no script runs.
        figure: Figure,
        /// The same ends, where there are neither scripts nor pictures.
        table: Table,
    },
}

/// Rows and columns.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Table {
    /// The heads of the columns.
    pub head: Vec<String>,
    /// So many columns from the left hold words; the others hold numbers, which are set to the right.
    pub words: usize,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

/// Blocks of which one is shown at a time, where a script runs.
#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    /// Choices with the same name change together.
    pub group: String,
    /// What is chosen, as in `Source`.
    pub what: String,
    /// The names and what stands there.
    pub options: Vec<(String, Vec<Block>)>,
}

/// A picture, and the same for Vega-Lite.
#[derive(Clone, PartialEq, Debug)]
pub struct Figure {
    /// The stem of its file, unlike all others.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// How to read it.
    pub caption: String,
    /// The picture.
    pub picture: Svg,
    /// The Vega-Lite specification without width and height; `None` where the picture is all.
    pub spec: Option<Value>,
    /// How high it is on a page.
    pub height: Height,
}

/// How high a figure is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Height {
    /// In pixels.
    Pixels(u32),
    /// As a multiple of the width.
    Share(f64),
}

impl Document {
    /// Sections under a title, made by this program. `data` is what the sections were made of.
    #[must_use]
    pub fn new(title: &str, sections: Vec<Section>, data: &ReportData) -> Document {
        Document { title: title.to_owned(), sections, structures: data.structures.clone(), made_by: made_by() }
    }

    /// All pictures as SVG: the stem of the name of each, and the content of its file.
    #[must_use]
    pub fn pictures(&self) -> Vec<(String, String)> {
        self.figures().map(|one| (one.name.clone(), one.picture.finish(&one.title))).collect()
    }

    /// All its figures.
    pub fn figures(&self) -> impl Iterator<Item = &Figure> {
        self.sections.iter().flat_map(Section::figures)
    }
}

impl Table {
    /// A table with these heads and no rows.
    #[must_use]
    pub fn new(words: usize, head: &[&str]) -> Table {
        Table { head: head.iter().map(|&name| name.to_owned()).collect(), words, rows: Vec::new() }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }
}

impl Section {
    /// An empty section.
    #[must_use]
    pub fn new(id: &str, title: &str) -> Section {
        Section { id: id.to_owned(), title: title.to_owned(), blocks: Vec::new() }
    }

    /// All its figures.
    #[must_use]
    pub fn figures(&self) -> Vec<&Figure> {
        let mut found = Vec::new();
        gather(&self.blocks, &mut found);
        found
    }
}

fn gather<'a>(blocks: &'a [Block], found: &mut Vec<&'a Figure>) {
    for block in blocks {
        match block {
            Block::Figure(figure) | Block::Explorer { figure, .. } => found.push(figure),
            Block::Grid(figures) => found.extend(figures),
            Block::Choice(choice) => choice.options.iter().for_each(|(_, blocks)| gather(blocks, found)),
            Block::Text(_) | Block::List(_) | Block::Table(_) => {}
        }
    }
}

/// The options of a choice; without a choice where there is one only.
pub(crate) fn choice(group: &str, what: &str, mut options: Vec<(String, Vec<Block>)>) -> Vec<Block> {
    match options.len() {
        0 => Vec::new(),
        1 => options.remove(0).1,
        _ => vec![Block::Choice(Choice { group: group.to_owned(), what: what.to_owned(), options })],
    }
}
