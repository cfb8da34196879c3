//! Whose results a standing is.

/// The players of the standing that this line begins.
pub(super) fn title_of(line: &str) -> Option<&str> {
    let line = line.trim();
    if line.starts_with("Results of ") {
        return Some(line);
    }
    line.starts_with("Score of ").then(|| line.rsplit_once(": ").map_or(line, |(title, _)| title))
}

/// The sides that a [title](title_of) names, if it is clear where either name begins and ends.
pub(super) fn sides_of(title: &str) -> Option<[String; 2]> {
    let names = match title.strip_prefix("Score of ") {
        Some(names) => names,
        // Behind the names stand the conditions of the match.
        None => title.strip_prefix("Results of ")?.strip_suffix("):")?.rsplit_once(" (")?.0,
    };
    let mut names = names.split(" vs ").map(str::trim);
    let sides = [names.next()?.to_owned(), names.next()?.to_owned()];
    let are_clear = names.next().is_none() && sides.iter().all(|side| !side.is_empty()) && sides[0] != sides[1];
    are_clear.then_some(sides)
}
