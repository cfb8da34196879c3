//! Cutting a stream of PGN text into chunks of whole games.

use std::io::{self, ErrorKind, Read};
use std::ops::Range;

use memchr::memmem;

use super::borders::{begins_with_event, follows_tags};
use super::foreign::{self, Foreign, foreign_part};
use super::tag_pair::tag_pair;

/// A chunk holds about this many bytes: small enough to stay in a core's cache from reading to parsing.
const CHUNK_LEN: usize = 512 << 10;
/// A chunk grows beyond this size only in search of an end for a single game.
const LONG_CHUNK: usize = 4 << 20;
/// A chunk never grows beyond this size: a longer game is cut.
const LONGEST_CHUNK: usize = 32 << 20;

/// Reads a stream and hands it out in chunks of whole games.
///
/// Where the cuts are depends on the text alone, not on how many threads take the chunks or how the source
/// fills its buffers: so the same input always gives the same chunks.
pub struct Chunks<R> {
    source: R,
    /// The beginning of the next chunk.
    carry: Vec<u8>,
    /// Bare carriage returns stay as they are.
    is_verbatim: bool,
    done: bool,
    error: Option<io::Error>,
}

/// Memory for one chunk, used again for the next.
#[derive(Debug, Default)]
pub struct ChunkBuffer {
    storage: Vec<u8>,
    len: usize,
}

impl ChunkBuffer {
    /// The text of the chunk.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        &self.storage[..self.len]
    }

    /// Has the chunk made by `fill`, in memory that may hold an old one.
    pub(super) fn fill_with<T>(&mut self, fill: impl FnOnce(&mut Vec<u8>) -> T) -> T {
        let filled = fill(&mut self.storage);
        self.len = self.storage.len();
        filled
    }

    /// Appends from `source` until `target` bytes are there; `false` at its end.
    fn fill(&mut self, source: &mut impl Read, target: usize) -> io::Result<bool> {
        if self.storage.len() < target {
            self.storage.resize(target, 0);
        }
        while self.len < target {
            match source.read(&mut self.storage[self.len..target]) {
                Ok(0) => return Ok(false),
                Ok(count) => self.len += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(true)
    }
}

impl<R: Read> Chunks<R> {
    /// Chunks of this source.
    pub fn new(source: R) -> Self {
        Chunks { source, carry: Vec::new(), is_verbatim: false, done: false, error: None }
    }

    /// Leaves bare carriage returns as they are. Text that has no other line ends is then cut as text without games is.
    #[must_use]
    pub fn verbatim(self) -> Self {
        Chunks { is_verbatim: true, ..self }
    }

    /// Puts the next chunk into `buffer`; `false` when there is none.
    ///
    /// After a read error the text before it is handed out as the last chunk; see [`Chunks::take_error`].
    pub fn next(&mut self, buffer: &mut ChunkBuffer) -> bool {
        buffer.len = 0;
        if self.done {
            return false;
        }
        let carried = std::mem::take(&mut self.carry);
        buffer.storage.resize(buffer.storage.len().max(carried.len()), 0);
        buffer.storage[..carried.len()].copy_from_slice(&carried);
        buffer.len = carried.len();
        let mut target = CHUNK_LEN.max(buffer.len + 1);
        let mut fresh = buffer.len;
        loop {
            let more = buffer.fill(&mut self.source, target).unwrap_or_else(|error| {
                self.error = Some(error);
                false
            });
            let mut ends = !more;
            match foreign_part(buffer.text(), fresh.saturating_sub(foreign::OVERLAP)) {
                // White space is mended in text only.
                Some(Foreign::Perhaps) if more => {
                    target = buffer.len + foreign::PACKED;
                    continue;
                }
                Some(Foreign::Begins(at, what)) => {
                    buffer.len = at;
                    self.error = Some(io::Error::new(ErrorKind::InvalidData, what));
                    ends = true;
                }
                _ => {}
            }
            self.mend_white_space(buffer, fresh);
            fresh = buffer.len;
            if ends {
                self.done = true;
                return buffer.len > 0;
            }
            // What is carried over is searched again, so that a text whose boundaries all stand near its beginning would be searched
            // to its end for each of them.
            let is_far = |cut: &usize| 2 * cut >= buffer.len;
            let cut = game_boundary(buffer.text())
                .filter(is_far)
                .or_else(|| (target >= LONG_CHUNK).then(|| tag_boundary(buffer.text()).filter(is_far)).flatten())
                .or_else(|| (target >= LONGEST_CHUNK).then(|| lesser_boundary(buffer.text())));
            if let Some(cut) = cut {
                self.carry = carried;
                self.carry.clear();
                self.carry.extend_from_slice(&buffer.text()[cut..]);
                buffer.len = cut;
                return true;
            }
            target *= 2;
        }
    }

    /// The error that ended the text, if one did; to be asked after [`Chunks::next`] has answered `false` or
    /// to learn whether the chunk just handed out is cut off.
    pub fn take_error(&mut self) -> Option<io::Error> {
        self.error.take()
    }

    /// Whether the source broke off with an error that has not been taken yet.
    pub fn is_cut_off(&self) -> bool {
        self.error.is_some()
    }

    /// What is read from.
    pub fn source(&self) -> &R {
        &self.source
    }

    /// Makes line feeds of bare carriage returns, the line ends of old Macs, in what was read behind `fresh` bytes. A file may be put
    /// together of some with such line ends and others without. Makes blanks of other white space, which would hide the tag or the
    /// move beside it: vertical tabs, form feeds, and the unbreakable blanks of pages from which games are copied.
    fn mend_white_space(&self, buffer: &mut ChunkBuffer, fresh: usize) {
        let text = &mut buffer.storage[..buffer.len];
        // Whether the last one read before is bare was not known then.
        let begin = fresh.saturating_sub(1);
        if self.is_verbatim {
            return;
        }
        let mut at = begin;
        while let Some(found) = text.get(at..).and_then(|rest| memchr::memchr3(0x0b, 0x0c, 0xc2, rest)) {
            at += found;
            let is_unbreakable = text[at..].starts_with("\u{a0}".as_bytes());
            let len = if is_unbreakable { 2 } else { usize::from(text[at] != 0xc2) };
            text[at..at + len].fill(b' ');
            at += len.max(1);
        }
        if !has_bare_return(&text[begin.min(text.len())..]) {
            return;
        }
        let bare: Vec<_> = bare_returns(text, begin..text.len()).collect();
        bare.into_iter().for_each(|run| text[run].fill(b'\n'));
    }
}

/// Whether a carriage return stands in a text that is followed by something else than another or a line feed. Without a branch in a
/// block of the text it is looked for many bytes at a time.
fn has_bare_return(text: &[u8]) -> bool {
    const BLOCK: usize = 4 << 10;
    (0..text.len()).step_by(BLOCK).any(|begin| {
        let block = &text[begin..text.len().min(begin + BLOCK + 1)];
        let pairs = block.iter().zip(&block[1..]);
        memchr::memchr(b'\r', block).is_some()
            && pairs.fold(false, |found, (byte, next)| found | ((*byte == b'\r') & (*next != b'\n') & (*next != b'\r')))
    })
}

/// Runs of carriage returns, which begin in a range, that no line feed follows. Of the one that ends a text that cannot be said.
fn bare_returns(text: &[u8], range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut at = range.start;
    std::iter::from_fn(move || {
        while at < range.end {
            let begin = at + memchr::memchr(b'\r', &text[at..range.end])?;
            let len = text[begin..].iter().take_while(|byte| **byte == b'\r').count();
            at = begin + len;
            if text.get(at).is_some_and(|next| *next != b'\n') {
                return Some(begin..at);
            }
        }
        None
    })
}

/// The beginning of the last game of the text that is not the first one: a line with an `Event` tag and no tags of the same game in
/// front of it.
///
/// Searching forwards is many times faster than backwards, so ever larger ends of the text are searched forwards.
fn game_boundary(text: &[u8]) -> Option<usize> {
    const PATTERN: &[u8] = b"\n[Event";
    let mut searched = 0;
    let mut window = 8 << 10;
    while searched < text.len() {
        let begin = text.len().saturating_sub(window);
        let end = (text.len() - searched + PATTERN.len()).min(text.len());
        let lines = memmem::find_iter(&text[begin..end], PATTERN).map(|newline| begin + newline + 1);
        // Without a pair behind the name it would not end the search for tags in front of the next one.
        let is_event = |line: usize| tag_pair(&text[line..]).is_some_and(|pair| pair.name == b"Event");
        if let Some(line) = lines.filter(|&line| is_event(line) && begins_with_event(text, line)).last() {
            return Some(line);
        }
        searched = text.len() - begin;
        window *= 4;
    }
    None
}

/// Where to cut text in which no game begins with an `Event` tag: before a tag after a blank line that no tag stands above.
fn tag_boundary(text: &[u8]) -> Option<usize> {
    let last = |pattern: &[u8]| {
        let places = memmem::rfind_iter(text, pattern).map(|at| at + pattern.len() - 1);
        places.into_iter().find(|&bracket| !follows_tags(text, bracket))
    };
    last(b"\n\n[").or_else(|| last(b"\n\r\n["))
}

/// Where to cut text whose tags begin no line: before one after a blank line, after a blank line, after a line, anywhere.
fn lesser_boundary(text: &[u8]) -> usize {
    let after = |pattern: &[u8]| memmem::rfind(text, pattern).map(|at| at + pattern.len());
    // The blanks in front of each bracket are looked at once, however many there are.
    let before_tag = memchr::memrchr_iter(b'[', text).find_map(|bracket| {
        let words = text[..bracket].trim_ascii_end().len();
        memmem::rfind(&text[words..bracket], b"\n\n").map(|at| words + at + 2)
    });
    before_tag.or_else(|| after(b"\n\n")).or_else(|| after(b"\n")).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunks_of(source: impl Read) -> Vec<Vec<u8>> {
        let mut chunks = Chunks::new(source);
        let mut buffer = ChunkBuffer::default();
        let mut found = Vec::new();
        while chunks.next(&mut buffer) {
            found.push(buffer.text().to_vec());
        }
        found
    }

    fn games(count: usize, separator: &str) -> String {
        (0..count)
            .map(|i| format!("[Event \"{i}\"]\n[Result \"*\"]\n\n1. e4 e5 {{{}}} *{separator}", "x".repeat(i % 900)))
            .collect()
    }

    /// Gives out one byte more at each read than at the one before.
    struct Dribble<'a>(&'a [u8], usize);

    impl Read for Dribble<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1 = self.1 % 5000 + 1;
            let len = self.1.min(buffer.len());
            self.0.read(&mut buffer[..len])
        }
    }

    /// A single one has neither another beside it nor a line feed, wherever blocks meet.
    #[test]
    fn a_single_bare_return_is_seen() {
        for before in [0, 1, 4094, 4095, 4096, 4097, 8192] {
            let text = |signs: &str| "a".repeat(before) + signs;
            let seen = |signs: &str| has_bare_return(text(signs).as_bytes());
            assert!(seen("\rb") && seen("\r\rb\rc") && !seen("\r\nb") && !seen("\nb"), "{before}");
        }
    }

    /// Wherever a read ends; `½` begins with the byte of an unbreakable blank.
    #[test]
    fn white_space_of_any_kind_is_blank() {
        let odd =
            "[Event \"½\"]\n\u{b}[Variant \"Atomic\"]\n\n1.\u{a0}e4\u{c}e5\u{a0}\u{a0}Nf3 \u{c2}\u{a0} *\u{a0}\n\n";
        let plain = odd.replace(['\u{b}', '\u{c}'], " ").replace('\u{a0}', "  ");
        assert_eq!(chunks_of(Dribble(odd.repeat(900).as_bytes(), 0)).concat(), plain.repeat(900).into_bytes());
        let mut buffer = ChunkBuffer::default();
        assert!(Chunks::new(odd.as_bytes()).verbatim().next(&mut buffer) && buffer.text() == odd.as_bytes());
    }

    #[test]
    fn nothing_is_lost_and_every_chunk_begins_with_a_game() {
        for separator in ["\n\n", "\n", "\r\n\r\n"] {
            let text = games(6000, separator);
            let chunks = chunks_of(text.as_bytes());
            assert!(chunks.len() > 3, "{}", chunks.len());
            assert!(chunks.iter().all(|chunk| chunk.starts_with(b"[Event ")));
            assert_eq!(chunks.concat(), text.as_bytes());
        }
    }

    /// Each of many small chunks would take a search of all that is carried over.
    #[test]
    fn chunks_are_large_whatever_the_text() {
        let game = "[Event \"a\"]\n\n1. e4 *\n\n";
        for line in ["[Event\n\"x\n", "x\n", "[Event \"x\n%\n", "{\n", "\n[\n", "[Event \"a\"]\n"] {
            let text = game.repeat(9) + &line.repeat(5 * CHUNK_LEN / line.len());
            let chunks = chunks_of(text.as_bytes());
            assert_eq!(chunks.concat(), text.as_bytes());
            assert!(chunks.len() <= 10, "{line:?}: {}", chunks.len());
        }
    }

    #[test]
    fn no_game_is_cut_behind_some_of_its_tags() {
        for between in ["\n", "\n; c\n", "\n{c}\n", "\n{c\nd}\n", " {c\n\nd} {e}\n", "\n%c\n", "\n\n", "\r\n"] {
            for (moves, fen) in [
                ("1. e4 e5 *", "[FEN\n\"x\"]"),
                ("{forfeit} 1-0 {late}", "[FEN\n\"x\"\n]"),
                ("*", "[FEN\n\"x\"\n ] [White\n\"y\"\t]"),
            ] {
                let game = |number| format!("{fen}{between}[Event \"{number}\"]{between}[Site \"s\"]\n\n{moves}\n\n");
                let text: String = (0..150_000).map(game).collect();
                let chunks = chunks_of(text.as_bytes());
                let is_whole = chunks.iter().all(|chunk| chunk.starts_with(b"[FEN\n"));
                assert!(chunks.len() > 1 && is_whole, "{between:?} {moves}");
                assert!(chunks.concat() == text.as_bytes());
            }
        }
        let indented = "  [Event \"a\"]\n  [FEN \"x\"]\n\n1. e4 e5 *\n\n".repeat(1_000_000);
        let chunks = chunks_of(indented.as_bytes());
        assert!(chunks.len() > 1 && chunks.iter().all(|chunk| chunk.starts_with(b"  [Event")));
    }

    /// Each line was once looked at again from every line behind it: more than a minute for a megabyte.
    #[test]
    fn blanks_and_events_that_are_none_are_gone_through_once() {
        let begun = std::time::Instant::now();
        let repeated = |part: &str| part.repeat((2 << 20) / part.len()).into_bytes();
        assert_eq!(lesser_boundary(&repeated("\n")), 2 << 20);
        for line in [";\n[Event x\"\n", "\n[Event x\"\n", "{c\n}\n[Event x\"\n", "}\n[Event \"\n"] {
            game_boundary(&repeated(line));
        }
        game_boundary(&[&repeated("{}")[..], b"\n[Event \"a\"]\n"].concat());
        assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
    }

    #[test]
    fn cuts_do_not_depend_on_how_the_source_is_read() {
        let text = games(4000, "\n\n");
        assert_eq!(chunks_of(text.as_bytes()), chunks_of(Dribble(text.as_bytes(), 0)));
    }

    #[test]
    fn text_without_games_is_cut_too() {
        let no_line_ends = vec![b'x'; 65 << 20];
        let no_events = "[White \"A\"]\n\n1. e4 *\n\n".repeat(400_000);
        for text in [&no_line_ends[..], no_events.as_bytes()] {
            let chunks = chunks_of(text);
            assert!(chunks.len() > 1 && chunks.iter().all(|chunk| chunk.len() <= LONGEST_CHUNK));
            assert_eq!(chunks.concat(), text);
        }
        assert!(chunks_of(no_events.as_bytes()).iter().all(|chunk| chunk.starts_with(b"[White ")));
    }

    /// 512 KB hold 21,845 of the first games and 8 bytes more, 4 MB 174,762 of the second and 16 bytes more, of 24 bytes each.
    #[test]
    fn chunks_have_their_lengths() {
        let lengths = |text: &[u8], count| chunks_of(text).iter().map(Vec::len).take(count).collect::<Vec<_>>();
        let events = "[Event \"aa\"]\n\n1. e4 *\n\n\n".repeat(50_000);
        assert_eq!(lengths(events.as_bytes(), 1), [24 * 21_845]);
        let others = "[White \"aa\"]\n\n1. e4 *\n\n\n".repeat(200_000);
        assert_eq!(lengths(others.as_bytes(), 1), [24 * 174_762]);
        assert_eq!(lengths(&vec![b'x'; 33 << 20], 3), [32 << 20, 1 << 20]);
    }

    /// The end of a text is searched in windows of 8 KB, 32 KB and so on.
    #[test]
    fn no_game_is_missed_where_windows_meet() {
        for window in [8 << 10, 32 << 10] {
            for before in window - 20..window + 20 {
                let text = format!("1. e4 *\n[Event \"a\"]{}", " ".repeat(before));
                assert_eq!(game_boundary(text.as_bytes()), Some(8), "{before}");
            }
        }
    }

    #[test]
    fn bare_carriage_returns_become_line_ends() {
        assert_eq!(chunks_of(&b"[Event \"a\"]\r\r1. e4 *\r"[..]), [b"[Event \"a\"]\n\n1. e4 *\r"]);
        let mixed: [(&[u8], &[u8]); 3] = [
            (b"[Event \"a\"]\r\r1. e4 *\r\n", b"[Event \"a\"]\n\n1. e4 *\r\n"),
            (
                b"[Event \"a\"]\n\n1. e4 *\n[Event \"b\"]\r\r1. d4 *\r",
                b"[Event \"a\"]\n\n1. e4 *\n[Event \"b\"]\n\n1. d4 *\r",
            ),
            (b"[Event \"a\"]\r\r\n\r1. e4\r\r*", b"[Event \"a\"]\r\r\n\n1. e4\n\n*"),
        ];
        for (text, mended) in mixed {
            assert_eq!(chunks_of(text).concat(), mended, "{}", text.escape_ascii());
        }
        let text = (games(4000, "\n").replace('\n', "\r") + &games(4000, "\n")).repeat(2);
        assert!(chunks_of(Dribble(text.as_bytes(), 0)).concat() == text.replace('\r', "\n").as_bytes());
        assert_eq!(chunks_of(&b"[Event \"a\"]\r\n\r\n1. e4 *\r\n"[..]), [b"[Event \"a\"]\r\n\r\n1. e4 *\r\n"]);
        // In the middle of a chunk, too.
        let text = games(400, "\n") + &games(4, "\n").replace('\n', "\r") + &games(400, "\n");
        assert!(chunks_of(text.as_bytes()).concat() == text.replace('\r', "\n").as_bytes());
        assert_eq!(chunks_of(&b""[..]), Vec::<Vec<u8>>::new());
        let text = b"[Event \"a\"]\r\r1. e4 *\r";
        let mut buffer = ChunkBuffer::default();
        assert!(Chunks::new(&text[..]).verbatim().next(&mut buffer));
        assert_eq!(buffer.text(), text);
    }

    /// What was put behind it took more than a thousand games with it in silence.
    #[test]
    fn text_before_what_is_none_is_handed_out() {
        let game = "[Event \"a\"]\n[Result \"*\"]\n\n1. e4 *\n\n";
        for games in [1, 20_000, 200_000] {
            let text = game.repeat(games);
            let wide = game.repeat(100).encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
            let mut chunks = Chunks::new(io::Cursor::new([text.as_bytes(), &wide, text.as_bytes()].concat()));
            let (mut buffer, mut read) = (ChunkBuffer::default(), Vec::new());
            while chunks.next(&mut buffer) {
                read.extend_from_slice(buffer.text());
            }
            assert!(read == text.as_bytes(), "{games}: {} of {} bytes", read.len(), text.len());
            assert_eq!(chunks.take_error().map(|error| error.kind()), Some(ErrorKind::InvalidData));
        }
    }

    #[test]
    fn text_before_an_error_is_handed_out() {
        struct Fails;
        impl Read for Fails {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("disk on fire"))
            }
        }
        let mut chunks = Chunks::new(b"[Event \"a\"]\n".chain(Fails));
        let mut buffer = ChunkBuffer::default();
        assert!(chunks.next(&mut buffer) && chunks.is_cut_off());
        assert_eq!(buffer.text(), b"[Event \"a\"]\n");
        assert!(!chunks.next(&mut buffer));
        assert_eq!(chunks.take_error().map(|error| error.to_string()).as_deref(), Some("disk on fire"));
    }
}
