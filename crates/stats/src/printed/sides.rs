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

/// What stands before the parenthesis that ends a text and has others within it, such as the book of `(8+0.08, book (v2).epd)`.
fn before_parenthesis(text: &str) -> Option<&str> {
    let mut open = 0_usize;
    let begin = text.char_indices().rev().find_map(|(at, letter)| {
        match letter {
            ')' => open += 1,
            '(' => open = open.saturating_sub(1),
            _ => {}
        }
        (open == 0).then_some(at)
    })?;
    text[..begin].strip_suffix(' ').filter(|_| text.ends_with(')'))
}

/// The sides that a [title](title_of) names, if it is clear where either name begins and ends.
pub(super) fn sides_of(title: &str) -> Option<[String; 2]> {
    let names = match title.strip_prefix("Score of ") {
        Some(names) => names,
        // Behind the names stand the conditions of the match; who writes the line by hand may leave them out.
        None => {
            let names = title.strip_prefix("Results of ")?;
            let alone = || names.strip_suffix(':');
            // Of a book with half a pair of parentheses in its name the last one that opens is as good.
            let last = || names.strip_suffix("):").and_then(|names| Some(names.rsplit_once(" (")?.0));
            names.strip_suffix(':').and_then(before_parenthesis).or_else(last).or_else(alone)?
        }
    };
    let mut names = names.split(" vs ").map(str::trim);
    let sides = [names.next()?.to_owned(), names.next()?.to_owned()];
    let are_clear = names.next().is_none() && sides.iter().all(|side| !side.is_empty()) && sides[0] != sides[1];
    are_clear.then_some(sides)
}
