//! The beginning of an answer, for messages.

/// The first characters in quotes.
pub(super) fn beginning(bytes: &[u8]) -> String {
    let text: String = String::from_utf8_lossy(bytes).chars().filter(|c| !c.is_control()).take(60).collect();
    if text.is_empty() { "nothing".to_owned() } else { format!("\"{text}\"") }
}
