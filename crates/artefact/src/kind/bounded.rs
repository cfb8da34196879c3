//! Reading files that may be anything, no further than a file of drawish can be long.

use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::path::Path;

use super::{Kind, MAGIC, in_words};

/// So many bytes tell how long the rest may be.
const HEAD: u64 = 4096;
/// Logs of a million games with their moves are about so long; all other files are shorter.
const LONGEST: u64 = 1 << 30;
/// Text that is no JSON is written by hand or by a fit, and is much shorter than this.
const LONGEST_TEXT: u64 = 64 << 20;
/// What files packed with gzip, zstd and bzip2 begin with.
const PACKED: [&[u8]; 3] = [b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"BZh"];

/// The first line of a log says what is played; this is room for thousands of engines.
const LONGEST_FIRST_LINE: u64 = 1 << 24;

impl Kind {
    /// What a source is as far as its beginning says, unpacked: its first 4,096 bytes, and the rest of its first line.
    ///
    /// # Errors
    ///
    /// Those of reading.
    pub fn of_beginning(mut source: impl Read) -> io::Result<Option<Kind>> {
        let mut head = Vec::new();
        source.by_ref().take(HEAD).read_to_end(&mut head)?;
        let kind = Kind::of(&head);
        if kind.is_some() || head.contains(&b'\n') {
            return Ok(kind);
        }
        BufReader::new(source.take(LONGEST_FIRST_LINE)).read_until(b'\n', &mut head)?;
        Ok(Kind::of(&head))
    }

    /// What a source is, by the whole of it where it is a text of at most 64 MiB, by its beginning otherwise.
    ///
    /// # Errors
    ///
    /// Those of reading.
    pub fn of_source(mut source: impl Read) -> io::Result<Option<Kind>> {
        let mut content = Vec::new();
        source.by_ref().take(HEAD).read_to_end(&mut content)?;
        let kind = Kind::of(&content);
        let is_text = !content.iter().any(|&byte| byte < b' ' && !byte.is_ascii_whitespace());
        if kind.is_some() || !is_text {
            return Ok(kind);
        }
        source.take(LONGEST_TEXT).read_to_end(&mut content)?;
        Ok(Kind::of(&content))
    }

    /// What a file is, as far as its beginning says; a pipe is not looked into.
    ///
    /// # Errors
    ///
    /// If it cannot be opened or read.
    pub fn of_file(path: &Path) -> io::Result<Option<Kind>> {
        let file = File::open(path).map_err(in_words)?;
        // What is read of a pipe is gone.
        if file.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir()) {
            return Ok(None);
        }
        Kind::of_beginning(file).map_err(in_words)
    }
}

/// Reads a file that may be anything into memory: at most 1 GiB of what begins as a file of drawish, JSON or a packed file does,
/// at most 64 MiB of anything else.
///
/// # Errors
///
/// Those of reading; [`ErrorKind::FileTooLarge`] for what is longer, before more of it is read than its head if its length is known.
pub fn read_bounded(path: &Path) -> io::Result<Vec<u8>> {
    let file = File::open(path).map_err(in_words)?;
    let metadata = file.metadata()?;
    let mut content = Vec::new();
    read_bounded_to(file, metadata.is_file().then_some(metadata.len()), &mut content).map_err(in_words)?;
    Ok(content)
}

/// The same of a source whose length may be known; what was read before an error stays in `content`.
///
/// # Errors
///
/// As [`read_bounded`].
pub fn read_bounded_to(mut source: impl Read, len: Option<u64>, content: &mut Vec<u8>) -> io::Result<()> {
    source.by_ref().take(HEAD).read_to_end(content)?;
    let longest = longest(content);
    let too_long = || {
        let what = format!("longer than {} MiB, the most that is read of such a file", longest >> 20);
        Err(io::Error::new(ErrorKind::FileTooLarge, what))
    };
    if len.is_some_and(|len| len > longest) {
        return too_long();
    }
    source.take(longest + 1 - content.len() as u64).read_to_end(content)?;
    if content.len() as u64 > longest { too_long() } else { Ok(()) }
}

/// How long a file with this beginning can be.
fn longest(head: &[u8]) -> u64 {
    let begins = |magic: &[u8]| head.starts_with(magic);
    let is_json = || head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start().starts_with(b"{");
    let is_known = MAGIC.iter().any(|(_, magic)| begins(magic)) || PACKED.into_iter().any(begins) || is_json();
    if is_known { LONGEST } else { LONGEST_TEXT }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_known_by_the_whole_of_them() {
        let of = |text: &[u8]| Kind::of_source(text).expect("bytes in memory");
        let long = format!("{{\n \"a\": \"{}\",\n \"pawn_value\": 350.0\n}}\n", "x".repeat(5000));
        assert_eq!(of(long.as_bytes()), Some(Kind::WdlModel));
        assert_eq!(of(b"DRAWTBL\0rest"), Some(Kind::Table));
        assert_eq!(of(b"hello\n"), None);
        assert_eq!(of(b""), None);
        // What is no text is not read on.
        let endless = io::repeat(0).chain(&b""[..]);
        assert_eq!(Kind::of_source(endless).expect("zeros"), None);
    }

    #[test]
    fn a_beginning_is_a_first_line_however_long() {
        let of = |text: &str| Kind::of_beginning(text.as_bytes()).expect("bytes in memory");
        let log = |name: &str| format!("{{\"tournament\":1,\"sides\":[\"{name}\"]}}\n");
        let pgn = "\n[Event \"a\"]\n\n1. e4 *\n";
        assert_eq!([of(&log("a")), of(&log(&"a".repeat(100_000)))], [Some(Kind::TournamentLog); 2]);
        assert_eq!(
            [of(pgn), of("DRAWTBL\0rest"), of(""), of("a\nb")],
            [Some(Kind::Pgn), Some(Kind::Table), None, None]
        );
    }

    #[test]
    fn what_is_too_long_is_refused_by_its_head() {
        let place = tempfile::tempdir().expect("a directory");
        let path = place.path().join("a");
        // Nothing but the head is there on disk.
        for (head, longest) in [
            ("", LONGEST_TEXT),
            ("format = \"heads\"\n", LONGEST_TEXT),
            ("{\"format\"", LONGEST),
            ("DRAWCNT\0", LONGEST),
        ] {
            std::fs::write(&path, head).expect("a file");
            File::options().write(true).open(&path).and_then(|file| file.set_len(longest + 1)).expect("a sparse file");
            let error = read_bounded(&path).expect_err("too long");
            assert_eq!(error.kind(), ErrorKind::FileTooLarge, "{head}");
            assert!(error.to_string().contains(&format!("longer than {} MiB", longest >> 20)), "{error}");
        }
        let mut content = Vec::new();
        let error = read_bounded_to(io::repeat(b' '), None, &mut content).expect_err("too long");
        assert_eq!((error.kind(), content.len() as u64), (ErrorKind::FileTooLarge, LONGEST_TEXT + 1));
        std::fs::write(&path, "short").expect("a file");
        assert_eq!(read_bounded(&path).expect("a file"), b"short");
    }
}
