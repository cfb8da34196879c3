//! What files that are no PGN begin with.

use std::borrow::Cow;

use crate::pgn::tag_pair::tag_pair;
use drawish_artefact::Kind;

/// Whether a file begins as games do; a zero in such text is damage, for which no other game is given up.
pub(super) fn begins_with_tag(head: &[u8]) -> bool {
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    tag_pair(text).is_some_and(|pair| pair.is_closed)
}

/// How [`other_kind`] begins for what no program can turn into games.
pub(super) const NOT_PGN: &str = "not PGN but ";

/// What a tar archive is called where it is not read as one.
pub(super) const TAR: &str = "a tar archive: unpack it, or name it .tar where directories are read";

/// Whether it is a tar archive, and no game of Kustarev.
pub(super) fn is_tar(head: &[u8]) -> bool {
    head.get(257..262) == Some(b"ustar") && !begins_with_tag(head)
}

/// What begins like this and is certainly no PGN, with what to do about it.
pub(super) fn other_kind(head: &[u8]) -> Option<Cow<'static, str>> {
    match Kind::of(head) {
        Some(
            kind @ (Kind::Counts
            | Kind::Table
            | Kind::WdlCounts
            | Kind::EngineHeads
            | Kind::TableCode
            | Kind::WdlModelCode
            | Kind::HeadsCode),
        ) => {
            return Some(format!("not PGN but {}", kind.uses()).into());
        }
        Some(Kind::Rows) => return Some("not PGN but a Parquet file".into()),
        _ => {}
    }
    let known = match head {
        [0x89, b'P', b'N', b'G', ..] => "not PGN but a PNG picture",
        [b'P', b'K', 3 | 5 | 7, _, ..] => "a zip archive: unpack it first",
        [b'7', b'z', 0xbc, 0xaf, ..] => "a 7z archive: unpack it first",
        [0xfd, b'7', b'z', b'X', b'Z', ..] => "compressed with xz: decompress it first",
        [0x04, 0x22, 0x4d, 0x18, ..] => "compressed with lz4: decompress it first",
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [b'[', 0, ..] | [0, b'[', ..] => {
            "UTF-16 or UTF-32 text: convert it to UTF-8 first"
        }
        [0x7f, b'E', b'L', b'F', ..] => "not PGN but a program",
        [b'B', b'I', b'N', b'P', ..] => "a binpack: give it a name that ends in .binpack",
        _ if is_tar(head) => TAR,
        _ => return None,
    };
    Some(known.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_pgn_is_named() {
        let mut archive = [b'x'; 300];
        archive[257..262].copy_from_slice(b"ustar");
        for (head, what) in [
            (&b"\x89PNG\r\n"[..], "a PNG picture"),
            (b"PK\x03\x04", "a zip archive"),
            (b"7z\xbc\xaf\x27", "a 7z archive"),
            (b"\xfd7zXZ\0", "compressed with xz"),
            (b"\x04\x22\x4d\x18\x60", "compressed with lz4"),
            (b"\xff\xfe[\0", "UTF-16"),
            (b"[\0E\0", "UTF-16"),
            (b"\x7fELF\x02", "a program"),
            (b"BINP\0", "a binpack"),
            (&archive, "a tar archive"),
        ] {
            let said = other_kind(head).unwrap_or_default();
            assert!(said.contains(what), "{}: {said}", head.escape_ascii());
        }
        assert_eq!(other_kind(b"[Event \"PNG\"]\n"), None);
    }
}
