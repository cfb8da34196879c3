//! Annotating whole files.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use thiserror::Error;
use twox_hash::XxHash3_128;

use super::{Annotator, Options, Summary};
use crate::pgn::{ChunkBuffer, Chunks, Input, Packing};
use drawish_artefact::outfile::WholeFile;

/// What came of an input.
#[derive(Debug)]
pub struct Annotated {
    /// What was read and added.
    pub summary: Summary,
    /// Why reading ended early, if it did; what stands before the break is annotated.
    pub broken: Option<io::Error>,
}

/// Why an input was not annotated.
#[derive(Debug, Error)]
pub enum AnnotateError {
    /// It cannot be opened.
    #[error(transparent)]
    Read(io::Error),
    /// The result cannot be written.
    #[error(transparent)]
    Write(io::Error),
}

/// Copies an input to `out` with symbols and expected results added, to its end or to where it breaks. `progress` is called
/// with the bytes of the file and the games read so far.
///
/// # Errors
///
/// If the input cannot be opened or the output cannot be written.
pub fn annotate(
    input: &Input,
    options: Options,
    out: &mut impl Write,
    progress: impl FnMut(u64, u64),
) -> Result<Annotated, AnnotateError> {
    annotate_if(input, options, out, progress, |_| Ok(()), |_| {}).map(|(annotated, _)| annotated)
}

/// The same after a look at the first text, with each text shown to `see`; and whether the last one ends in an open comment.
fn annotate_if(
    input: &Input,
    options: Options,
    out: &mut impl Write,
    mut progress: impl FnMut(u64, u64),
    look: impl FnOnce(&[u8]) -> Result<(), AnnotateError>,
    mut see: impl FnMut(&[u8]),
) -> Result<(Annotated, bool), AnnotateError> {
    let mut look = Some(look);
    let mut chunks = Chunks::new(input.open().map_err(AnnotateError::Read)?).verbatim();
    let mut annotator = Annotator::new(options);
    let (mut buffer, mut annotated) = (ChunkBuffer::default(), Vec::new());
    while chunks.next(&mut buffer) {
        look.take().map_or(Ok(()), |look| look(buffer.text()))?;
        see(buffer.text());
        annotated.clear();
        annotator.annotate(buffer.text(), &mut annotated);
        out.write_all(&annotated).map_err(AnnotateError::Write)?;
        progress(chunks.source().file_bytes(), annotator.summary().games);
    }
    out.flush().map_err(AnnotateError::Write)?;
    let is_open = annotator.scanner.ends_in_comment();
    Ok((Annotated { summary: annotator.judge.summary, broken: chunks.take_error() }, is_open))
}

/// As [`annotate`], to a file that is written whole or not at all. It replaces a file that is empty or, without what was added, the
/// whole text of the input; and nothing else.
///
/// # Errors
///
/// If the input cannot be opened, the file cannot be written, or it holds anything else; or if it holds something and the input
/// breaks off, ends in an open comment or has no game.
pub fn annotate_file(
    input: &Input,
    options: Options,
    path: &Path,
    progress: impl FnMut(u64, u64),
) -> Result<Annotated, AnnotateError> {
    if path.extension().is_some_and(|ending| Packing::of_ending(ending) != Packing::None) {
        let said = "the output is not compressed: name it .pgn and compress it afterwards";
        return Err(AnnotateError::Write(io::Error::new(io::ErrorKind::InvalidInput, said)));
    }
    let mut file = WholeFile::create(path).map_err(AnnotateError::Write)?;
    let (mut plain, mut hash) = (Plain::default(), XxHash3_128::new());
    let see = |text: &[u8]| hash.write(&plain.of(text));
    let (annotated, is_open) = annotate_if(input, options, &mut file, progress, |text| keep_others(path, text), see)?;
    hash.write(&plain.rest());
    // Less than a whole input takes the place of nothing.
    let is_less = annotated.summary.games == 0 || annotated.broken.is_some() || is_open;
    if is_less && holds_something(path) {
        return Err(kept(
            "it holds an earlier annotation, and the input is cut or has no game: choose another name, or remove it",
        ));
    }
    if holds_something(path) && digest_of(path).map_err(AnnotateError::Write)? != hash.finish_128() {
        return Err(kept(
            "it holds other games beside the first ones of the input, which are not replaced: choose another name, or remove it",
        ));
    }
    file.finish().map_err(AnnotateError::Write)?;
    Ok(annotated)
}

fn holds_something(path: &Path) -> bool {
    path.metadata().is_ok_and(|there| there.is_file() && there.len() > 0)
}

fn kept(why: &str) -> AnnotateError {
    AnnotateError::Write(io::Error::new(io::ErrorKind::AlreadyExists, why))
}

/// Makes sure that a file that is there was made of this text before, as far as its first games show: no need to annotate the rest.
fn keep_others(path: &Path, text: &[u8]) -> Result<(), AnnotateError> {
    if !holds_something(path) {
        return Ok(());
    }
    let mut begin = Vec::new();
    File::open(path)
        .and_then(|file| file.take(LOOKED_AT as u64).read_to_end(&mut begin))
        .map_err(AnnotateError::Write)?;
    let (there, own) = (plain(&begin), plain(&text[..text.len().min(LOOKED_AT)]));
    if there.starts_with(&own) || own.starts_with(&there) {
        return Ok(());
    }
    Err(kept("it holds something else, which is not replaced: choose another name, or remove it"))
}

/// So much of both files is compared before the input is annotated.
const LOOKED_AT: usize = 16 << 10;

/// The digest of what is in a file without what was added to it.
fn digest_of(path: &Path) -> io::Result<u128> {
    let (mut file, mut plain, mut part) = (File::open(path)?, Plain::default(), vec![0; 256 << 10]);
    let mut hash = XxHash3_128::new();
    loop {
        match file.read(&mut part) {
            Ok(0) => break,
            Ok(len) => hash.write(&plain.of(&part[..len])),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    hash.write(&plain.rest());
    Ok(hash.finish_128())
}

/// A text without blanks and without what is added to it.
fn plain(text: &[u8]) -> Vec<u8> {
    Plain::default().of(text)
}

/// More digits than a symbol has.
const LONGEST_SYMBOL: usize = 8;

/// What an added comment begins with.
const ADDED: &[u8] = b"{[%expected";

/// The symbols that are added, by their digits: those of moves, and of positions. All others are somebody's own.
fn is_added(symbol: &[u8]) -> bool {
    let number = str::from_utf8(symbol).ok().and_then(|digits| digits.parse::<u8>().ok());
    number.is_some_and(|number| matches!(number, 1..=6 | 10..=21))
}

/// A text that comes in parts, without blanks and without what is added to it: symbols of moves and positions, and comments with an
/// expected result.
#[derive(Default)]
struct Plain {
    /// The digits behind a `$`.
    symbol: Vec<u8>,
    /// How much of [`ADDED`] was just read and is held back.
    held: usize,
    /// Where it stands.
    state: State,
    /// Bytes before, up to those of a byte order mark.
    begin: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum State {
    #[default]
    Text,
    /// Behind a `$`.
    Symbol,
    /// In an added comment.
    Comment,
}

impl Plain {
    /// What a part gives.
    fn of(&mut self, part: &[u8]) -> Vec<u8> {
        const MARK: &[u8] = b"\xef\xbb\xbf";
        let mut plain = Vec::with_capacity(part.len() + ADDED.len());
        for &byte in part {
            if self.begin < MARK.len() {
                let is_mark = byte == MARK[self.begin];
                self.begin = if is_mark { self.begin + 1 } else { MARK.len() };
                if is_mark {
                    continue;
                }
            }
            match self.state {
                State::Comment => {
                    if byte == b'}' {
                        self.state = State::Text;
                    }
                    continue;
                }
                State::Symbol if byte.is_ascii_digit() && self.symbol.len() < LONGEST_SYMBOL => {
                    self.symbol.push(byte);
                    continue;
                }
                State::Symbol => plain.extend(self.end_of_symbol()),
                State::Text => {}
            }
            if byte == ADDED[self.held] {
                self.held += 1;
                if self.held == ADDED.len() {
                    (self.held, self.state) = (0, State::Comment);
                }
                continue;
            }
            // Only its first byte begins it anew.
            plain.extend_from_slice(&ADDED[..self.held]);
            self.held = usize::from(byte == ADDED[0]);
            if self.held > 0 {
                continue;
            }
            if byte == b'$' {
                self.state = State::Symbol;
            } else if !byte.is_ascii_whitespace() {
                plain.push(byte);
            }
        }
        plain
    }

    /// The symbol that ends here, if it is none of those that are added.
    fn end_of_symbol(&mut self) -> Vec<u8> {
        self.state = State::Text;
        let symbol = std::mem::take(&mut self.symbol);
        if is_added(&symbol) { Vec::new() } else { [b"$", &*symbol].concat() }
    }

    /// What was held back.
    fn rest(mut self) -> Vec<u8> {
        let symbol = if self.state == State::Symbol { self.end_of_symbol() } else { Vec::new() };
        [&ADDED[..self.held], &symbol].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drawish_stats::model::relevance::{MoveScheme, Relevance};

    fn options() -> Options {
        Options {
            curve: Relevance::new(1.5, 3.0, 0.875).expect("a curve"),
            moves: Some(MoveScheme::Sevenths),
            positions: None,
            results: true,
            writer: None,
            view: None,
        }
    }

    fn game(number: usize) -> String {
        format!("[Event \"{number}\"]\n\n1. e4 {{+0.30/9}} f6 {{-1.00/9}} 2. d4 {{+2.00/9}} *\n\n")
    }

    #[test]
    fn parts_of_a_text_are_as_plain_as_the_whole() {
        let text = "\u{feff}[A \"$7 {[%ex\"]\n1. e4 $14 $2{{[%expected 0.5]}}{[%expectedly 1.0]} {[%e {[%expected 0.9]} e5{[%expect";
        let expected = "[A\"$7{[%ex\"]1.e4{}{[%ee5{[%expect";
        for len in 1..text.len() {
            let mut reader = Plain::default();
            let mut found: Vec<u8> = text.as_bytes().chunks(len).flat_map(|part| reader.of(part)).collect();
            found.extend(reader.rest());
            assert_eq!(String::from_utf8_lossy(&found), expected, "parts of {len} bytes");
        }
    }

    /// A file is replaced by what holds all that is in it, and by nothing less, however far behind its beginning it differs.
    #[test]
    fn only_an_annotation_of_the_same_text_is_replaced() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = |name: &str| directory.path().join(name);
        let write = |name: &str, text: &str| std::fs::write(path(name), text).expect("a file");
        let run = |from: &str, to: &str| annotate_file(&Input::File(path(from)), options(), &path(to), |_, _| {});
        let games: String = (0..2000).map(game).collect();
        let fewer: String = (0..1900).map(game).collect();
        let cut = &games[..games.len() - 8];
        assert!(cut.rfind('{') > cut.rfind('}'), "cut in a comment");
        write("in.pgn", &games);
        for (name, text) in [("fewer.pgn", &*fewer), ("cut.pgn", cut), ("open.pgn", &(fewer.clone() + "1. e4 {+0.3"))] {
            write(name, text);
            // Of original games and of an annotation of them.
            write("there.pgn", &games);
            let refused = run(name, "there.pgn").expect_err(name);
            assert!(matches!(refused, AnnotateError::Write(_)), "{name}: {refused}");
            assert_eq!(std::fs::read_to_string(path("there.pgn")).expect("a file"), games, "{name}");
        }
        // What cannot be told from a whole one by its text alone.
        write("there.pgn", &(fewer.clone() + "1. e4 {+0.3"));
        assert!(run("open.pgn", "there.pgn").is_err());
        write("there.pgn", "");
        for _ in 0..2 {
            run("in.pgn", "there.pgn").expect("an annotation");
        }
        let done = std::fs::read_to_string(path("there.pgn")).expect("a file");
        assert!(done.len() > games.len() && done.matches("[%expected").count() == 6000);
        assert!(run("fewer.pgn", "there.pgn").is_err());
        assert_eq!(std::fs::read_to_string(path("there.pgn")).expect("a file"), done);
    }
}
