//! A report as one page that needs nothing else: text, tables and pictures without scripts, more with them.

use std::fmt::Write;

use serde_json::{Map, Value, json};

use crate::assets::{OWN, SCRIPTS, STYLE, script_sources};
use crate::data::Structures;
use crate::document::{Block, Choice, Document, Figure, Height, Table};
use crate::pictures::palette::{DARK, LIGHT};
use crate::pictures::svg::{PAWN, escape};

/// A document as a page of HTML that needs no other file.
#[must_use]
pub fn html(document: &Document) -> String {
    let Document { title, sections, structures, made_by } = document;
    let mut body = String::new();
    for section in sections {
        let _ = write!(body, "<section id=\"{}\">\n<h2>{}</h2>\n", section.id, escape(&section.title));
        blocks(&mut body, &section.blocks);
        body.push_str("</section>\n");
    }
    let links: String = sections
        .iter()
        .map(|section| format!("<a href=\"#{}\">{}</a>\n", section.id, escape(&section.title)))
        .collect();
    let figures: Map<String, Value> =
        document.figures().filter_map(|figure| Some((figure.name.clone(), figure.spec.clone()?))).collect();
    let data = json!({ "structures": structures.iter().map(columns).collect::<Vec<_>>(), "figures": figures });
    let scripts: String =
        SCRIPTS.iter().map(|script| script.text).chain(OWN).map(|text| format!("<script>{text}</script>\n")).collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src {}; style-src 'unsafe-inline'; img-src \
         data:; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" content=\"{made_by}\">\n\
         <title>{title}</title>\n<style>{STYLE}\n{}</style>\n</head>\n<body>\n{}\
         <header>\n<h1>{title}</h1>\n<button type=\"button\" id=\"theme\" hidden>Theme: as the system</button>\n</header>\n\
         <nav aria-label=\"Sections\">\n{links}</nav>\n<main>\n{body}</main>\n\
         <footer>Made by {made_by}.</footer>\n\
         <script type=\"application/json\" id=\"data\">{}</script>\n{scripts}</body>\n</html>\n",
        script_sources(),
        pictures_style(),
        symbols(),
        in_script(&data),
        title = escape(title),
        made_by = escape(made_by),
    )
}

/// JSON within a script: no text in it can end the script.
fn in_script(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

/// The looks of pictures, dark where the reader or the system wants it.
fn pictures_style() -> String {
    let scoped = |scope: &str, rules: &str| -> String {
        rules
            .split_inclusive('}')
            .filter(|rule| rule.contains('{'))
            .map(|rule| {
                let (selectors, look) = rule.split_once('{').unwrap_or((rule, "}"));
                let selectors: Vec<_> = selectors.split(',').map(|one| format!("{scope} {}", one.trim())).collect();
                format!("{}{{{look}\n", selectors.join(", "))
            })
            .collect()
    };
    let system = scoped(":root:not([data-theme=light])", DARK);
    let chosen = scoped(":root[data-theme=dark]", DARK);
    format!(
        "{}@media screen and (prefers-color-scheme: dark) {{\n{system}}}\n@media screen {{\n{chosen}}}\n",
        scoped("svg", LIGHT)
    )
}

/// The board and the pawns that boards of the explorer use.
fn symbols() -> String {
    let dark: String = (0..4)
        .flat_map(|row| (0..6).filter(move |file| (row + file) % 2 == 1).map(move |file| (row, file)))
        .map(|(row, file)| format!("M{} {}h10v10h-10z", file * 10, row * 10))
        .collect();
    let names: String = (0..6)
        .zip('b'..)
        .map(|(file, name)| format!("<text class=\"file\" x=\"{}\" y=\"44.6\">{name}</text>", 10 * file + 5))
        .collect();
    format!(
        "<svg width=\"0\" height=\"0\" class=\"symbols\" aria-hidden=\"true\"><defs>\
         <g id=\"board\"><path class=\"lightsquare\" d=\"M0 0h60v40h-60z\"/><path class=\"darksquare\" d=\"{dark}\"/>{names}</g>\
         <path id=\"wp\" class=\"wp\" d=\"{PAWN}\"/><path id=\"bp\" class=\"bp\" d=\"{PAWN}\"/></defs></svg>\n"
    )
}

/// The cells of a source as columns: probabilities in thousandths, which is what is shown of them.
fn columns(source: &Structures) -> Value {
    let thousandths = |value: f64| (1000.0 * value).round() as i64;
    let cells = &source.cells;
    let whole = |of: fn(&crate::data::Cell) -> Option<u64>| -> Value {
        cells.iter().map(of).collect::<Option<Vec<_>>>().map_or(Value::Null, |all| json!(all))
    };
    let ends = |of: fn((f64, f64)) -> f64| -> Value {
        let all: Option<Vec<_>> = cells.iter().map(|cell| Some(thousandths(of(cell.interval?)))).collect();
        all.map_or(Value::Null, |all| json!(all))
    };
    json!({
        "name": source.name,
        "base": thousandths(source.base),
        "symmetric": source.is_symmetric(),
        "p": cells.iter().map(|cell| thousandths(cell.probability)).collect::<Vec<_>>(),
        "low": ends(|interval| interval.0),
        "high": ends(|interval| interval.1),
        "n": whole(|cell| cell.games),
        "draws": whole(|cell| cell.draws),
    })
}

/// Escaped text, with what stands between backticks as code.
fn with_code(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    // An odd backtick is one.
    if parts.len().is_multiple_of(2) {
        return escape(text);
    }
    let part = |(place, part): (usize, &&str)| {
        if place % 2 == 1 { format!("<code>{}</code>", escape(part)) } else { escape(part) }
    };
    parts.iter().enumerate().map(part).collect()
}

fn blocks(out: &mut String, list: &[Block]) {
    for block in list {
        match block {
            Block::Text(text) => {
                let _ = writeln!(out, "<p>{}</p>", with_code(text));
            }
            Block::List(lines) => {
                let items: String = lines.iter().map(|line| format!("<li>{}</li>\n", with_code(line))).collect();
                let _ = writeln!(out, "<ul>\n{items}</ul>");
            }
            Block::Table(one) => table(out, one),
            Block::Figure(one) => figure(out, one),
            Block::Grid(figures) => {
                out.push_str("<div class=\"grid-of-figures\">\n");
                figures.iter().for_each(|one| figure(out, one));
                out.push_str("</div>\n");
            }
            Block::Choice(one) => choice(out, one),
            Block::Explorer { source, figure: one, .. } => {
                let _ = writeln!(out, "<div class=\"explorer\" data-source=\"{source}\">");
                figure(out, one);
                out.push_str("</div>\n");
            }
        }
    }
}

fn choice(out: &mut String, one: &Choice) {
    let names: String = one
        .options
        .iter()
        .enumerate()
        .map(|(place, (name, _))| format!("<option value=\"{place}\">{}</option>", escape(name)))
        .collect();
    let _ = writeln!(
        out,
        "<div class=\"choice\" data-group=\"{}\">\n<label class=\"pick\" hidden>{} <select>{names}</select></label>",
        escape(&one.group),
        escape(&one.what)
    );
    for (name, list) in &one.options {
        let _ = writeln!(out, "<div class=\"option\">\n<h3>{}</h3>", escape(name));
        blocks(out, list);
        out.push_str("</div>\n");
    }
    out.push_str("</div>\n");
}

fn figure(out: &mut String, one: &Figure) {
    let height = match one.height {
        Height::Pixels(pixels) => format!("data-pixels=\"{pixels}\""),
        Height::Share(share) => format!("data-share=\"{share}\""),
    };
    let live = if one.spec.is_some() { "<div class=\"live\" hidden></div>\n" } else { "" };
    let _ = writeln!(
        out,
        "<figure id=\"f-{0}\" data-figure=\"{0}\" {height}>\n<figcaption>{1}</figcaption>\n<div class=\"still\">{2}</div>\n{live}<p \
         class=\"caption\">{3}</p>\n</figure>",
        escape(&one.name),
        escape(&one.title),
        one.picture.inline(&one.title),
        escape(&one.caption)
    );
}

fn table(out: &mut String, one: &Table) {
    /// What is longer in the place of a number is a sentence, which says why there is none. On one line it would push all others out of
    /// sight on a telephone.
    const LONGEST_NUMBER: usize = 40;
    let class = |place: usize, cell: &str| match place < one.words {
        true => "",
        false if cell.chars().count() > LONGEST_NUMBER => " class=\"number said\"",
        false => " class=\"number\"",
    };
    let cells = |tag: &str, cells: &[String]| -> String {
        let cell = |(place, cell): (usize, &String)| format!("<{tag}{}>{}</{tag}>", class(place, cell), escape(cell));
        cells.iter().enumerate().map(cell).collect()
    };
    let heads = cells("th", &one.head);
    let _ = writeln!(
        out,
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table\"><table>\n<thead><tr>{heads}</tr></thead>\n<tbody>"
    );
    for row in &one.rows {
        let _ = writeln!(out, "<tr>{}</tr>", cells("td", row));
    }
    out.push_str("</tbody>\n</table></div>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_in_the_place_of_a_number_may_break() {
        let mut rates = Table::new(1, &["figure", "value"]);
        rates.rows.push(vec!["Elo".to_owned(), "-190.27 (-749.01 to +318.03)".to_owned()]);
        rates.rows.push(vec!["nElo".to_owned(), "not yet: only 1 of 2 pairs differ, 5 are needed".to_owned()]);
        let mut out = String::new();
        table(&mut out, &rates);
        assert!(out.contains("<td>Elo</td><td class=\"number\">-190.27 (-749.01 to +318.03)</td>"), "{out}");
        assert!(out.contains("<td>nElo</td><td class=\"number said\">not yet:"), "{out}");
        assert!(out.contains("<th>figure</th><th class=\"number\">value</th>"), "{out}");
    }
}
