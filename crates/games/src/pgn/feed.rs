//! All inputs as one sequence of chunks, from which any number of threads help themselves.

use std::io;

use super::chunk::{ChunkBuffer, Chunks};
use super::coded::first_games;
use super::input::{Input, OpenInput};
use crate::training::{self, Format};
use drawish_artefact::provenance::Digest;

/// What comes next.
pub(super) enum Fed {
    /// Games, in the buffer. `cut_off` if the file broke at the end of this text.
    Chunk {
        /// The last game is not whole.
        cut_off: bool,
        /// Not text but training data, of this format and with so many bytes before it.
        coded: Option<(Format, u64)>,
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
    /// XXH3-128 of what was unpacked, if the file is packed.
    pub unpacked: Option<Digest>,
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
    /// Positions without games are of use.
    boards: bool,
    /// Long blocks of training data are cut between two games.
    portions: bool,
    current: usize,
    open: Option<Open>,
    /// Whether the text of the open input so far could be all of it.
    ends_whole: bool,
}

/// An input that is being read.
enum Open {
    Text(Chunks<OpenInput>),
    Coded(Format, training::Chunks<OpenInput>),
}

impl Open {
    fn new(input: &Input, boards: bool, portions: bool) -> io::Result<Open> {
        match input.format() {
            None => Ok(Open::Text(Chunks::new(input.open()?))),
            Some(format) if format.has_games() || boards => {
                let cut = portions.then_some(first_games as training::Cut);
                Ok(Open::Coded(format, training::Chunks::new(input.open_coded()?, format, cut)))
            }
            Some(_) => {
                let cause = "positions without games or move numbers, which are needed here";
                Err(io::Error::new(io::ErrorKind::Unsupported, cause))
            }
        }
    }

    fn source(&self) -> &OpenInput {
        match self {
            Open::Text(chunks) => chunks.source(),
            Open::Coded(_, chunks) => chunks.source(),
        }
    }

    fn take_error(&mut self) -> Option<io::Error> {
        match self {
            Open::Text(chunks) => chunks.take_error(),
            Open::Coded(_, chunks) => chunks.take_error(),
        }
    }
}

impl<'a> Feed<'a> {
    /// The chunks of these inputs, in this order. Files of positions without games are read only with `boards`, and long blocks of
    /// training data are cut with `portions`.
    pub fn new(inputs: &'a [Input], boards: bool, portions: bool) -> Feed<'a> {
        Feed { inputs, boards, portions, current: 0, open: None, ends_whole: true }
    }

    /// The next chunk, or the end of an input; `None` when all inputs have ended.
    pub fn next(&mut self, buffer: &mut ChunkBuffer) -> Option<Fed> {
        let input = self.current;
        let Some(open) = &mut self.open else {
            match Open::new(self.inputs.get(input)?, self.boards, self.portions) {
                Ok(open) => {
                    self.open = Some(open);
                    return self.next(buffer);
                }
                Err(error) => {
                    self.current += 1;
                    let broken = Some(error.to_string());
                    let (digest, unpacked) = (Digest(0), None);
                    return Some(Fed::End(InputEnd { input, digest, unpacked, bytes: 0, broken, ends_whole: true }));
                }
            }
        };
        match open {
            Open::Text(chunks) => {
                if chunks.next(buffer) {
                    self.ends_whole = ends_whole(buffer.text());
                    let file_bytes = chunks.source().file_bytes();
                    return Some(Fed::Chunk { cut_off: chunks.is_cut_off(), coded: None, file_bytes });
                }
            }
            Open::Coded(format, chunks) => {
                if let Some(offset) = buffer.fill_with(|storage| chunks.next(storage)) {
                    let file_bytes = chunks.source().file_bytes();
                    return Some(Fed::Chunk { cut_off: false, coded: Some((*format, offset)), file_bytes });
                }
            }
        }
        let error = open.take_error();
        let mut whole = (open.source().digest(), open.source().file_bytes());
        // What stands behind the break is part of the file, too.
        if error.is_some() {
            whole = self.inputs[input].digest().unwrap_or(whole);
        }
        let (digest, bytes) = (Digest(whole.0), whole.1);
        let unpacked = open.source().unpacked_digest().map(Digest);
        self.open = None;
        self.current += 1;
        let ends_whole = std::mem::replace(&mut self.ends_whole, true);
        let broken = error.map(|error| error.to_string());
        Some(Fed::End(InputEnd { input, digest, unpacked, bytes, broken, ends_whole }))
    }
}

/// Whether a text ends with the result of a game, or with a tag, or holds nothing. Comments behind it do not count.
fn ends_whole(text: &[u8]) -> bool {
    // Zeros, and the sign with which DOS ended texts.
    let is_filling = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, 0 | 0x1a);
    let (mut text, mut line) = (text, text.len());
    loop {
        text = &text[..text.iter().rposition(|byte| !is_filling(byte)).map_or(0, |at| at + 1)];
        let ends = [&b"1-0"[..], b"0-1", b"1/2-1/2", b"*", b"]"];
        if text.is_empty() || ends.iter().any(|whole| text.ends_with(whole)) {
            return true;
        }
        // Thousands of comments may stand on one line.
        if line >= text.len() {
            line = memchr::memrchr(b'\n', text).map_or(0, |newline| newline + 1);
        }
        let end = if text.ends_with(b"}") {
            memchr::memrchr(b'{', text)
        } else if text[line..].starts_with(b"%") {
            Some(line)
        } else {
            // Behind the comments in braces, which may hold a semicolon.
            let free = memchr::memrchr(b'}', &text[line..]).map_or(line, |brace| line + brace + 1);
            memchr::memchr(b';', &text[free..]).map(|comment| free + comment)
        };
        match end {
            Some(end) => text = &text[..end],
            None => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_are_cut_are_told_from_whole_ones() {
        for whole in ["", "\n", "1. e4 1-0", "1. e4 e5 1/2-1/2\r\n\0\0", "[Event \"a\"]\n", "1. e4 {good} *\n"] {
            assert!(ends_whole(whole.as_bytes()), "{whole:?}");
        }
        for behind in
            ["\x1a", " {White resigns}", " {a} {b}\n", " ; White resigns", "\n% end {\n", "\n\n{a\nb}\n; c; d\n\x1a"]
        {
            let whole = format!("1. e4 {{good}} 1-0{behind}");
            assert!(ends_whole(whole.as_bytes()), "{whole:?}");
            let cut = format!("1. e4 {{good}} e5{behind}");
            assert!(!ends_whole(cut.as_bytes()), "{cut:?}");
        }
        for whole in ["1. e4 {a; b} *", "1. e4 {a; b} 1-0 {c; d}", "1. e4 *\n; 1-0 {x"] {
            assert!(ends_whole(whole.as_bytes()), "{whole:?}");
        }
        for cut in
            ["1. e4 {a; b} e5", "1. e4 e5 {a; 1-0}", "1. e4 e", "1. e4 {goo", "[Event \"a", "1. e4 1-", "1. e4 e5 2."]
        {
            assert!(!ends_whole(cut.as_bytes()), "{cut:?}");
        }
    }
}
