//! Whose results a standing is.

/// The players of the standing that this line begins, also behind what mail, logs and terminals put in front of a line: `> `, the time, or a
/// colour.
pub(super) fn title_of(line: &str) -> Option<&str> {
    let of_scores = |line| Some(score_of(line)?.rsplit_once(": ")?.0);
    behind_prefix(line, "Results of ").or_else(|| of_scores(line).or_else(|| score_of(line)))
}

/// The line from `Score of ` on.
pub(super) fn score_of(line: &str) -> Option<&str> {
    behind_prefix(line, "Score of ")
}

/// The line from these words on, if they begin it or stand behind a prefix.
fn behind_prefix<'a>(line: &'a str, words: &str) -> Option<&'a str> {
    // Colours begin with this control character, and end in a letter.
    let mut parts = line.split('\u{1b}');
    parts.find_map(|part| {
        let colour = part.find(|letter: char| letter.is_ascii_alphabetic()).map_or(0, |end| end + 1);
        let part = if part.starts_with('[') && line.len() > part.len() { &part[colour..] } else { part };
        let at = part.find(words).filter(|at| !part[..*at].ends_with(char::is_alphanumeric))?;
        Some(part[at..].trim_end())
    })
}

/// The sides that a [title](title_of) names, if it is clear where either name begins and ends.
pub(super) fn sides_of(title: &str) -> Option<[String; 2]> {
    let names = match title.strip_prefix("Score of ") {
        Some(names) => names,
        // Behind the names stand the conditions of the match; who writes the line by hand may leave them out.
        None => {
            let names = title.strip_prefix("Results of ")?;
            let with_conditions = names.strip_suffix("):").and_then(|names| names.rsplit_once(" ("));
            let alone = || names.strip_suffix(':');
            with_conditions.map(|(names, _)| names).or_else(alone)?
        }
    };
    let mut names = names.split(" vs ").map(str::trim);
    let sides = [names.next()?.to_owned(), names.next()?.to_owned()];
    let are_clear = names.next().is_none() && sides.iter().all(|side| !side.is_empty()) && sides[0] != sides[1];
    are_clear.then_some(sides)
}
