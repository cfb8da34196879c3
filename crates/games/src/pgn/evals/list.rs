//! Evaluations in lists of keys with values, as TCEC writes them.

use super::number::{Number, depth};
use super::{Eval, EvalValue, Style, View, Writer};

/// `d=28, sd=53, wv=0.24,` with the keys in any order.
pub(super) fn list(comment: &[u8]) -> Option<Eval> {
    memchr::memchr(b'=', comment)?;
    let key = |name: &[u8]| {
        let found = memchr::memmem::find_iter(comment, name)
            .find(|&at| matches!(comment[..at].trim_ascii_end().last(), None | Some(b',' | b';')))?;
        Some(comment[found + name.len()..].trim_ascii_start())
    };
    let number = Number::read(key(b"wv=").or_else(|| key(b"ev="))?, false)?;
    let first = comment.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let is_list = match comment.get(first) {
        Some(b'=') => first > 0,
        Some(b',') => comment.starts_with(b"book,"),
        _ => false,
    };
    let ends = matches!(number.rest.trim_ascii_start().first(), None | Some(b',' | b';'));
    let depth = key(b"d=").and_then(depth).map(|(depth, _)| depth);
    let is_eval = is_list && ends && !number.is_whole() && number.value != EvalValue::Mate(0);
    let (style, writer) = (Style::Tcec, Writer::Players);
    is_eval.then_some(Eval { value: number.value, view: View::White, style, writer, depth, is_unsure: false })
}
