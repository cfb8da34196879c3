//! All inputs as one sequence of chunks, from which any number of threads help themselves.

use std::io::{self, Read};

use super::chunk::{ChunkBuffer, Chunks};
use super::input::{Input, OpenInput, file_digest};
use drawish_artefact::provenance::Digest;

/// What comes next.
pub(super) enum Fed {
    /// Games, in the buffer. `cut_off` if the file broke at the end of this text.
    Chunk {
        /// The last game is not whole.
        cut_off: bool,
        /// Bytes of the input's file read so far.
        file_bytes: u64,
    },
    /// An input has ended.
    End(InputEnd),
}

/// How an input has ended.
pub(super) struct InputEnd {
    /// Which of the inputs.
    pub input: usize,
    /// XXH3-128 of the file.
    pub digest: Digest,
    /// Length of the file.
    pub bytes: u64,
    /// What made reading end early, if something did.
    pub broken: Option<String>,
    /// The text ends with a result, or with tags: it is not cut in the middle of a game.
    pub ends_whole: bool,
}

/// Hands out the chunks of some inputs.
///
/// Taking a chunk reads and unpacks it, so threads that share a feed behind a lock unpack in turns and parse
/// at the same time.
pub(super) struct Feed<'a> {
    inputs: &'a [Input],
    current: usize,
    open: Option<Chunks<OpenInput>>,
    /// Whether the text of the open input so far could be all of it.
    ends_whole: bool,
}

impl<'a> Feed<'a> {
    /// The chunks of these inputs, in this order.
    pub fn new(inputs: &'a [Input]) -> Feed<'a> {
        Feed { inputs, current: 0, open: None, ends_whole: true }
    }

    /// The next chunk, or the end of an input; `None` when all inputs have ended.
    pub fn next(&mut self, buffer: &mut ChunkBuffer) -> Option<Fed> {
        let input = self.current;
        let Some(chunks) = &mut self.open else {
            match self.inputs.get(input)?.open() {
                Ok(open) => {
                    self.open = Some(Chunks::new(open));
                    return self.next(buffer);
                }
                Err(error) => {
                    self.current += 1;
                    let broken = Some(error.to_string());
                    return Some(Fed::End(InputEnd { input, digest: Digest(0), bytes: 0, broken, ends_whole: true }));
                }
            }
        };
        if chunks.next(buffer) {
            self.ends_whole = ends_whole(buffer.text());
            return Some(Fed::Chunk { cut_off: chunks.is_cut_off(), file_bytes: chunks.source().file_bytes() });
        }
        let error: Option<io::Error> = chunks.take_error();
        let mut whole = (chunks.source().digest(), chunks.source().file_bytes());
        // What stands behind the break is part of the file, too.
        if let (Some(_), Input::File(path)) = (&error, &self.inputs[input]) {
            whole = file_digest(path).unwrap_or(whole);
        }
        let (digest, bytes) = whole;
        self.open = None;
        self.current += 1;
        let ends_whole = std::mem::replace(&mut self.ends_whole, true);
        let broken = error.map(|error| error.to_string());
        Some(Fed::End(InputEnd { input, digest: Digest(digest), bytes, broken, ends_whole }))
    }
}

/// Whether the text of an input could be all of it, as a run finds it at its end; an input that cannot be read is not judged.
pub(crate) fn text_ends_whole(input: &Input) -> bool {
    /// Longer than any word that matters, and than the white space and zeros behind it.
    const TAIL: usize = 64 << 10;
    let Ok(mut text) = input.open() else { return true };
    let mut buffer = vec![0; 2 * TAIL];
    let mut len = 0;
    loop {
        match text.read(&mut buffer[len..]) {
            Ok(0) => return ends_whole(&buffer[..len]),
            Ok(count) => len += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return true,
        }
        if len == buffer.len() {
            buffer.copy_within(TAIL.., 0);
            len = TAIL;
        }
    }
}

/// Whether a text ends with the result of a game, or with a tag, or holds nothing.
fn ends_whole(text: &[u8]) -> bool {
    let end = text.iter().rposition(|byte| !byte.is_ascii_whitespace() && *byte != 0).map_or(0, |at| at + 1);
    let last = text[..end].rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
    last.is_empty() || [&b"1-0"[..], b"0-1", b"1/2-1/2", b"*", b"]"].iter().any(|whole| last.ends_with(whole))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_are_cut_are_told_from_whole_ones() {
        for whole in ["", "\n", "1. e4 1-0", "1. e4 e5 1/2-1/2\r\n\0\0", "[Event \"a\"]\n", "1. e4 {good} *\n"] {
            assert!(ends_whole(whole.as_bytes()), "{whole:?}");
        }
        for cut in ["1. e4 e", "1. e4 {goo", "[Event \"a", "1. e4 1-", "1. e4 e5 2."] {
            assert!(!ends_whole(cut.as_bytes()), "{cut:?}");
        }
    }
}
