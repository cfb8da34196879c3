//! The values of tags: where they end, also where they were wrapped, and what their escapes mean.

use std::borrow::Cow;

/// Where a value ends: at a quote that no backslash stands before, or with its line.
pub(super) fn value_end(text: &[u8]) -> usize {
    let mut end = 0;
    while let Some(byte) = text.get(end).filter(|byte| !matches!(byte, b'"' | b'\n' | b'\r')) {
        end += 1 + usize::from(*byte == b'\\' && text.get(end + 1).is_some_and(|next| matches!(next, b'"' | b'\\')));
    }
    end
}

/// So long is the line on which a wrapped value ends, and over so many lines it goes at most.
pub(super) const LONGEST_WRAPPED: usize = 256;
pub(super) const WRAPPED_LINES: usize = 3;

/// Where a value that ends with its line goes on to, as where a mail or a page of the web was wrapped: to a quote and a bracket on one of
/// the next lines, none of which is empty or begins like a tag.
pub(super) fn wrapped(text: &[u8], line_end: usize) -> Option<usize> {
    let mut end = line_end;
    for _ in 1..WRAPPED_LINES {
        let line = text[end..].strip_prefix(b"\r\n").or_else(|| text[end..].strip_prefix(b"\n"))?;
        let begin = text.len() - line.len();
        let line = &line[..line.len().min(LONGEST_WRAPPED)];
        let len = value_end(line);
        if matches!(line[..len].trim_ascii_start().first(), None | Some(b'[')) {
            return None;
        }
        end = begin + len;
        if let Some(behind) = line[len..].strip_prefix(b"\"") {
            return behind.trim_ascii_start().starts_with(b"]").then_some(end);
        }
    }
    None
}

/// A value on one line.
pub(crate) fn on_line(value: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'\n', value).is_none() {
        return Cow::Borrowed(value);
    }
    let lines: Vec<&[u8]> = value.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).collect();
    Cow::Owned(lines.join(&b' '))
}

/// A value with its escapes resolved: `\"` is a quote and `\\` a backslash; any other backslash is itself.
pub(super) fn unescaped(value: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'\\', value).is_none() {
        return Cow::Borrowed(value);
    }
    let mut out = Vec::with_capacity(value.len());
    let mut rest = value;
    while let [first, tail @ ..] = rest {
        rest = match (first, tail) {
            (b'\\', [next @ (b'"' | b'\\'), tail @ ..]) => {
                out.push(*next);
                tail
            }
            _ => {
                out.push(*first);
                tail
            }
        };
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_resolved_one_after_another() {
        for (value, expected) in [
            ("a", "a"),
            ("\\\"a\\\"", "\"a\""),
            ("\\\\", "\\"),
            ("\\\\\\\"", "\\\""),
            ("\\\\\\\\", "\\\\"),
            ("C:\\x\\", "C:\\x\\"),
        ] {
            assert_eq!(unescaped(value.as_bytes()), expected.as_bytes(), "{value}");
        }
    }
}
