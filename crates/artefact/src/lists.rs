//! Lists that people write, an entry a line.

/// The lines of a list with their numbers, from 1: without blanks at their ends, without empty ones, and without what follows a `#`; a
/// byte order mark before them is left out.
///
/// ```
/// use drawish_artefact::entries;
///
/// let found: Vec<_> = entries("\u{feff}# numbers\r\n one # the first\r\n\r\ntwo").collect();
/// assert_eq!(found, [(2, "one"), (4, "two")]);
/// ```
pub fn entries(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = (1..).zip(text.trim_start_matches('\u{feff}').lines());
    lines
        .map(|(number, line)| (number, line.split('#').next().unwrap_or_default().trim()))
        .filter(|(_, line)| !line.is_empty())
}
