//! Where a text stops being one of games: what was put behind it is text in UTF-16, as some shells append it, a packed file or an archive.

use std::io::{ErrorKind, Read};
use std::ops::Range;

use flate2::bufread::GzDecoder;
use memchr::{memchr3_iter, memmem};

use super::tag_pair::{begins_line, follows_result, tag_pair};

/// So many bytes before what was searched are searched again, with more behind them.
pub(super) const OVERLAP: usize = 4 << 10;

/// So much is given to a reader of packed data: nothing of a block of Zstandard comes out before it is there, and it has up to 128 KB.
pub(super) const PACKED: usize = 160 << 10;

/// So often that is tried in a text.
const MOST_TRIALS: u32 = 16;

/// So many places of a text are looked at where it may go on in UTF-16 or xz: a comment may be full of them.
const MOST_PLACES: u32 = 1000;

/// A comment that is open for longer is one of a game that was cut.
const LONGEST_COMMENT: usize = 64 << 10;

/// Bytes of which half are zeros in UTF-16; a few of them are damage.
const WINDOW: usize = 64;

/// So much is unpacked to see whether it is packed at all: text unpacks to a few bytes at most.
const UNPACKED: usize = 512;

/// What is found in a text of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Foreign {
    /// From this place on it is no text of games, but what is said.
    Begins(usize, &'static str),
    /// With more behind it, something may turn out to be packed.
    Perhaps,
}

/// The first place behind `begin` from which a text is no text of games, and what begins there.
pub(super) fn foreign_part(text: &[u8], begin: usize) -> Option<Foreign> {
    let mut searched = begin;
    let (mut trials, mut looked_at) = (0, 0);
    let mut tried = |at: usize, what, unpacked: &dyn Fn(&[u8]) -> Unpacked| {
        trials += 1;
        if trials > MOST_TRIALS {
            return None;
        }
        let part = &text[at..text.len().min(at + PACKED)];
        match unpacked(part) {
            Unpacked::Games => Some(Foreign::Begins(at, what)),
            Unpacked::Something => stands_apart(text, at).then_some(Foreign::Begins(at, what)),
            Unpacked::Unknown if part.len() < PACKED => Some(Foreign::Perhaps),
            Unpacked::Unknown | Unpacked::Nothing => None,
        }
    };
    // Nearly all texts have none of these bytes.
    memchr3_iter(0, 0x1f, 0xfd, &text[begin..]).map(|found| begin + found).find_map(|at| match text[at] {
        0x1f if is_gzip(&text[at..]) => {
            tried(at, "a file packed with gzip begins", &|part| unpacks(GzDecoder::new(part)))
        }
        0x1f => None,
        0xfd if is_xz(&text[at..]) => {
            looked_at += 1;
            (looked_at <= MOST_PLACES && stands_apart(text, at))
                .then_some(Foreign::Begins(at, "a file packed with xz begins"))
        }
        0xfd => {
            let start = at.checked_sub(3).filter(|&start| text[start..].starts_with(&[0x28, 0xb5, 0x2f]))?;
            let unpacked = |part: &[u8]| zstd::Decoder::with_buffer(part).map_or(Unpacked::Nothing, unpacks);
            tried(start, "a file packed with Zstandard begins", &unpacked)
        }
        _ => {
            // Packed data soon has a zero.
            let behind = searched.max(at.saturating_sub(OVERLAP));
            searched = at;
            let packed = bzip2(&text[behind..at]).map(|start| (behind + start, "a file packed with bzip2 begins"));
            let found = packed.or_else(|| otherwise_packed(text, at));
            let found = found.or_else(|| Some((utf16(text, at)?, "text in UTF-16 begins")));
            looked_at += u32::from(found.is_some());
            let found = found.filter(|_| looked_at <= MOST_PLACES);
            // Of bzip2 nothing comes out before a block of up to 900 KB is there; but its beginning is long.
            let stands = |start: usize| {
                if packed.is_some() { !is_in_comment(&text[..start]) } else { stands_apart(text, start) }
            };
            found.filter(|(start, _)| stands(*start)).map(|(start, what)| Foreign::Begins(start, what))
        }
    })
}

/// Whether a place is outside of a game's tags, moves and comments, which may hold anything: behind a result or at the beginning of a line, whatever mark of
/// UTF-16 stands before it.
fn stands_apart(text: &[u8], at: usize) -> bool {
    let before = &text[..at];
    let mark = [[0xff, 0xfe], [0xfe, 0xff]].into_iter().find_map(|mark| before.strip_suffix(&mark));
    let before = mark.unwrap_or(before);
    // A line that is longer is none of a tag.
    let near = &before[before.len().saturating_sub(LONGEST_COMMENT)..];
    let line = &near[memchr::memrchr(b'\n', near).map_or(0, |end| end + 1)..];
    let follows_result = || follows_result(before, before.len()) && !line.trim_ascii_start().starts_with(b"[");
    (begins_line(before, before.len()) || follows_result()) && !is_in_comment(before)
}

/// Whether a text ends within a comment.
fn is_in_comment(text: &[u8]) -> bool {
    let near = &text[text.len().saturating_sub(LONGEST_COMMENT)..];
    memchr::memrchr2(b'{', b'}', near).is_some_and(|brace| near[brace] == b'{')
}

/// Whether a member may begin here: its method is the only one there is, and no reserved flag is set.
fn is_gzip(rest: &[u8]) -> bool {
    matches!(rest, [0x1f, 0x8b, 8, flags, ..] if flags & 0xe0 == 0)
}

/// What comes out of what may be packed.
enum Unpacked {
    /// Text that begins as games do: no few bytes that may stand in any comment.
    Games,
    Something,
    Nothing,
    /// Its end is reached first.
    Unknown,
}

/// What comes out first.
fn unpacks(mut packed: impl Read) -> Unpacked {
    let mut found = [0; UNPACKED];
    let mut len = 0;
    while len < found.len() {
        match packed.read(&mut found[len..]) {
            Ok(0) => break,
            Ok(read) => len += read,
            Err(error) if error.kind() == ErrorKind::UnexpectedEof && len == 0 => return Unpacked::Unknown,
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => break,
            Err(_) => return Unpacked::Nothing,
        }
    }
    match len {
        0 => Unpacked::Nothing,
        UNPACKED if tag_pair(found.trim_ascii_start()).is_some() => Unpacked::Games,
        _ => Unpacked::Something,
    }
}

/// Where a stream begins.
fn bzip2(text: &[u8]) -> Option<usize> {
    let block = memmem::find(text, b"1AY&SY")?;
    let head = text.get(block.checked_sub(4)?..block)?;
    matches!(head, [b'B', b'Z', b'h', b'1'..=b'9']).then(|| block - 4)
}

/// What is not unpacked here.
struct Other {
    /// With what it begins.
    mark: &'static [u8],
    /// The byte so far behind is zero.
    zero: usize,
    /// What tells it from a name or a comment with these few bytes.
    is_one: fn(&[u8]) -> bool,
    what: &'static str,
}

const OTHERS: [Other; 3] = [
    // Behind the mark stands a version.
    Other { mark: b"PK\x03\x04", zero: 5, is_one: has_zip_name, what: "a zip archive begins" },
    Other {
        mark: b"7z\xbc\xaf\x27\x1c",
        zero: 6,
        is_one: |rest| has_crc(rest, 8, 12..32),
        what: "a 7z archive begins",
    },
    // Blocks have less than 16 MB.
    Other {
        mark: b"\x04\x22\x4d\x18",
        zero: 10,
        is_one: |rest| rest[4] & 0xc2 == 0x40 && matches!(rest[5], 0x40 | 0x50 | 0x60 | 0x70),
        what: "a file packed with lz4 begins",
    },
];

/// Where something else that is packed begins, if this zero belongs to it, and what it is.
fn otherwise_packed(text: &[u8], zero: usize) -> Option<(usize, &'static str)> {
    OTHERS.into_iter().find_map(|other| {
        let start = zero.checked_sub(other.zero)?;
        let rest = &text[start..];
        (rest.starts_with(other.mark) && (other.is_one)(rest)).then_some((start, other.what))
    })
}

/// Whether a member of an archive begins with a usual packing and a name.
fn has_zip_name(rest: &[u8]) -> bool {
    const NAME: usize = 30;
    let Some(head) = rest.get(..NAME) else { return false };
    let len = usize::from(u16::from_le_bytes([head[26], head[27]]));
    matches!(head[8..10], [0 | 8 | 9 | 12 | 14 | 93 | 95, 0])
        && rest.get(NAME..NAME + len).is_some_and(|name| !name.is_empty() && !name.iter().any(u8::is_ascii_control))
}

/// Whether a file of xz begins: its flags have a checksum.
fn is_xz(rest: &[u8]) -> bool {
    rest.starts_with(b"\xfd7zXZ\0") && has_crc(rest, 8, 6..8)
}

/// Whether the checksum of these bytes stands at a place.
fn has_crc(rest: &[u8], place: usize, bytes: Range<usize>) -> bool {
    let (Some(sum), Some(bytes)) = (rest.get(place..place + 4), rest.get(bytes)) else { return false };
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum().to_le_bytes() == sum
}

/// Where text in UTF-16 begins whose first zero stands at `zero`, if most of what follows is in letters of ASCII.
fn utf16(text: &[u8], zero: usize) -> Option<usize> {
    let window = text.get(zero..zero + WINDOW)?;
    let are = |first: usize, zero: bool| window[first..].iter().step_by(2).filter(|byte| (**byte == 0) == zero).count();
    let is_wide = are(0, true).min(are(1, false)) >= WINDOW / 2 - 4;
    // Of a letter and a zero the letter is first, unless it ends the text before.
    let letter = zero.checked_sub(1).filter(|&letter| !text[letter].is_ascii_whitespace());
    let start = letter.unwrap_or(zero);
    // So games begin, which do not do so in a comment.
    let begins_games = text[start..].iter().take(2).any(|byte| *byte == b'[' || byte.is_ascii_whitespace());
    (is_wide && begins_games).then_some(start)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    const GAME: &str = "[Event \"a\"]\n[Site \"b\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n\n";

    const XZ: &[u8] = b"\xfd7zXZ\0\0\x04\xe6\xd6\xb4\x46";
    const ZIP: &[u8] = b"PK\x03\x04\x14\0\0\0\x08\0tidacrc1packsize\x09\0\0\0games.pgn";
    const LZ4: &[u8] = b"\x04\x22\x4d\x18\x60\x40\x82\x31\x01\0\0xyz";

    fn seven_zip() -> Vec<u8> {
        let header = [7; 20];
        let mut crc = flate2::Crc::new();
        crc.update(&header);
        [&b"7z\xbc\xaf\x27\x1c\0\x04"[..], &crc.sum().to_le_bytes(), &header].concat()
    }

    fn behind_a_game(foreign: &[u8]) -> Option<(usize, &'static str)> {
        let text = [GAME.as_bytes(), foreign, GAME.as_bytes()].concat();
        let found = (0..=GAME.len()).step_by(29).map(|begin| foreign_part(&text, begin)).reduce(|first, other| {
            assert_eq!(first, other);
            first
        })?;
        match found? {
            Foreign::Begins(at, what) => Some((at, what)),
            Foreign::Perhaps => None,
        }
    }

    #[test]
    fn what_is_put_behind_a_text_is_named() {
        let wide = |of: fn(u16) -> [u8; 2]| GAME.encode_utf16().flat_map(of).collect::<Vec<_>>();
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best());
        let games: String = (0..500).map(|game| GAME.replace("b\"", &format!("{}\"", game * 7919))).collect();
        gzip.write_all(games.as_bytes()).expect("packed");
        bzip2.write_all(games.as_bytes()).expect("packed");
        for (foreign, name) in [
            (wide(u16::to_le_bytes), "UTF-16"),
            (wide(u16::to_be_bytes), "UTF-16"),
            (gzip.finish().expect("packed"), "gzip"),
            (bzip2.finish().expect("packed"), "bzip2"),
            (zstd::encode_all(games.as_bytes(), 3).expect("packed"), "Zstandard"),
            (XZ.to_vec(), "packed with xz"),
            (ZIP.to_vec(), "zip"),
            (seven_zip(), "7z"),
            (LZ4.to_vec(), "lz4"),
        ] {
            let (at, said) = behind_a_game(&foreign).expect(name);
            assert!(said.contains(name) && at == GAME.len(), "{name}: {said} at {at} of {}", GAME.len());
        }
    }

    /// Comments and names may hold anything: no other game is given up for that.
    #[test]
    fn what_cannot_be_unpacked_is_text() {
        let comment = "[Event \"b\"]\n[Annotator \"(X\"]\n\n1. d4 {a long comment, 12.5 } d5 2. c4 e6 3. Nc3 Nf6 {+0.31/20} 1-0\n\n".repeat(40);
        for magic in [&b"\x1f\x8b\x08\x01"[..], b"\x1f\x8b\x08\0", b"\x1f\x8b\x08\x08", b"\x28\xb5\x2f\xfd"] {
            for skip in 0..200 {
                let text = [magic, &comment.as_bytes()[skip..]].concat();
                assert_eq!(behind_a_game(&text), None, "{magic:?} {skip}");
            }
        }
        let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
        assert_eq!(behind_a_game(&wide(&"letters".repeat(20))), None);
        for name in [ZIP, XZ, LZ4, &seven_zip()] {
            for begin in [&b"[White \""[..], b"[White \"x\"] 1-0 "] {
                assert_eq!(behind_a_game(&[begin, name].concat()), None, "{}", name.escape_ascii());
            }
        }
        // The mark of an engine's alone.
        for mark in [&ZIP[..8], &XZ[..8], &seven_zip()[..12], &LZ4[..4]] {
            assert_eq!(behind_a_game(&[mark, b"\0\0\0\0\0\0"].concat()), None, "{}", mark.escape_ascii());
        }
        // In a comment nothing is packed, whatever it is.
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        gzip.write_all(&[b'x'; 2000]).expect("packed");
        let games = zstd::encode_all(GAME.repeat(50).as_bytes(), 3).expect("packed");
        for foreign in [gzip.finish().expect("packed"), wide(&"[%eval 0.3] ".repeat(20)), b"BZh91AY&SY\0".to_vec()] {
            for begin in ["1. e4 {", "1. e4 {a\n", "[Annotator \"", "1. e4 "] {
                let is_of_bzip2 = foreign.starts_with(b"BZ") && !begin.contains('{');
                let found = behind_a_game(&[begin.as_bytes(), &foreign].concat());
                assert_eq!(found.is_some(), is_of_bzip2, "{begin}");
                // But for games: the one before may have been cut.
                assert!(behind_a_game(&[begin.as_bytes(), &games].concat()).is_some(), "{begin}");
            }
        }
    }

    #[test]
    fn marks_in_a_comment_are_not_all_looked_at() {
        let begun = std::time::Instant::now();
        let marks: [&[u8]; 6] = [b"[\0", b"\n\0", b" \0", XZ, ZIP, LZ4];
        for mark in marks {
            let text = [GAME.as_bytes(), b"1. e4 {", "x".repeat(60_000).as_bytes(), &mark.repeat(1 << 20)].concat();
            assert_eq!(foreign_part(&text, 0), None, "{}", mark.escape_ascii());
        }
        assert!(begun.elapsed().as_secs() < 15, "{:?}", begun.elapsed());
    }

    fn packed_games() -> Vec<u8> {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        gzip.write_all(GAME.repeat(50).as_bytes()).expect("packed");
        gzip.finish().expect("packed")
    }

    /// What is tried costs time, and a comment may be full of it; bytes with which nothing packed begins are not tried.
    #[test]
    fn so_many_are_tried() {
        let games = packed_games();
        let found = |before: &[u8]| behind_a_game(&[before, b"\n", &games].concat()).map(|(at, _)| at - GAME.len());
        for (before, is_tried) in
            [(&b"\x1f "[..], false), (b"\x1f\x8b\x08\xff ", false), (b"\x1f\x8b\x08\0\xff ", true)]
        {
            for tries in [MOST_TRIALS - 1, MOST_TRIALS] {
                let before = before.repeat(tries as usize);
                let expected = (!is_tried || tries < MOST_TRIALS).then_some(before.len() + 1);
                assert_eq!(found(&before), expected, "{tries} of {}", before.escape_ascii());
            }
        }
    }

    /// Nothing of a packed block comes out before it is there.
    #[test]
    fn more_is_read_of_what_may_be_packed() {
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            b' ' + (state >> 58) as u8
        };
        let packed = zstd::encode_all(&(0..PACKED).map(|_| random()).collect::<Vec<_>>()[..], 1).expect("packed");
        let text = [GAME.as_bytes(), &packed].concat();
        let begins = Some(Foreign::Begins(GAME.len(), "a file packed with Zstandard begins"));
        for (len, expected) in [(50_000, Some(Foreign::Perhaps)), (packed.len(), begins)] {
            assert_eq!(foreign_part(&text[..GAME.len() + len], 0), expected, "{len}");
        }
    }

    /// For damage no other game is given up.
    #[test]
    fn single_bytes_are_none() {
        for text in
            ["\0", &"\0".repeat(1000), &"1. e4 \0".repeat(100), "\0a\0b\0c", "(\u{b5}/\u{fd}", "BZh91AY&SY", "\x1f\x1f"]
        {
            assert_eq!(behind_a_game(text.as_bytes()), None, "{text:?}");
        }
        assert_eq!(behind_a_game(b"\x1f\x8b\x08"), None);
    }
}
