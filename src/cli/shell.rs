//! Commands that are proposed, as a shell takes them.

/// A word as a shell takes it.
pub(super) fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=,:+%@".contains(c);
    if word.chars().all(is_plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_needs_it() {
        assert_eq!(
            [quoted("option.A=1"), quoted("option.My A=1"), quoted("it's")],
            ["option.A=1", "'option.My A=1'", r"'it'\''s'"]
        );
    }
}
