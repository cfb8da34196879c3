//! Words between the moves that look like moves and are none by the standard: `a8Q`, `e2-e4`, `Nf3++`, `g8f6` of UCI, moves
//! without a blank behind a NAG, `$1e5`, moves in the letters of another language, `Sf3`, moves with other characters at them,
//! `e4,` or `e4±`, captures without a rank, `exd`, castling with another dash and null moves in other words, `null`. `pgn_reader` passes over them, and
//! the moves behind them are then those of another game.

use serde::{Deserialize, Serialize};
use shakmaty::Role;
use shakmaty::san::{San, SanPlus};

use super::promotions::is_promotion;
use super::tag_pair::begins_line;
use super::tags::is_dash;

/// What was found in parts of a text.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct OddWords {
    /// How many words.
    pub count: u64,
    /// The first of them.
    pub first: String,
    /// Bytes that were looked at.
    pub looked_at: u64,
}

/// So many bytes of a chunk are looked at: a program that writes such words does so throughout, and all of a text would take a third of
/// the time in which it is read.
const PART: usize = 4 << 10;
/// No move is longer: `Ng1xf3+!?` has nine letters.
const LONGEST: usize = 12;

impl OddWords {
    /// Looks through the beginning of a chunk, which is that of a game; whether promotions without signs were read as moves.
    pub(super) fn of_chunk(text: &[u8], reads_promotions: bool) -> OddWords {
        OddWords::but(&text[..text.len().min(PART)], |word| reads_promotions && is_promotion(word))
    }

    /// Looks through a text that begins with a game. Promotions without a sign are read where none has one.
    #[must_use]
    pub fn of(part: &[u8]) -> OddWords {
        let has_sign =
            memchr::memchr_iter(b'=', part).any(|at| matches!(part.get(at + 1), Some(b'Q' | b'R' | b'B' | b'N')));
        OddWords::but(part, |word| !has_sign && is_promotion(word))
    }

    fn but(part: &[u8], is_read: impl Fn(&[u8]) -> bool) -> OddWords {
        let mut found = OddWords { looked_at: part.len() as u64, ..OddWords::default() };
        let (mut at, mut depth) = (0, 0_u32);
        let mut follows_number = false;
        while let Some(&byte) = part.get(at) {
            let rest = &part[at..];
            at += match byte {
                b'{' => until(rest, |byte| byte == b'}'),
                b';' => until(rest, |byte| byte == b'\n'),
                b'[' | b'%' if begins_line(part, at) => until(rest, |byte| byte == b'\n'),
                b'(' | b')' => {
                    depth = if byte == b'(' { depth + 1 } else { depth.saturating_sub(1) };
                    1
                }
                _ => {
                    let sign = usize::from(byte == b'$');
                    let len = sign + rest[sign..].iter().position(|&byte| ends_word(byte)).unwrap_or(rest.len() - sign);
                    let word = behind_number(&rest[..len]);
                    // The last word may be cut off.
                    if depth == 0
                        && len < rest.len()
                        && !is_read(word)
                        && (is_odd(word)
                            || is_nag_with_a_move(word)
                            || is_in_other_letters(word)
                            || is_behind_sign(word)
                            || is_beside_others(word)
                            || is_short_capture(word, || {
                                follows_number || word.len() < len || stands_before_number(&rest[len..])
                            })
                            || is_null_move_or_castling(word))
                    {
                        found.count += 1;
                        if found.first.is_empty() {
                            found.first = String::from_utf8_lossy(word).into_owned();
                        }
                    }
                    if len > 0 {
                        follows_number = word.is_empty();
                    }
                    len.max(1)
                }
            };
        }
        found
    }

    /// Adds what was found behind it.
    pub(super) fn add(&mut self, other: OddWords) {
        self.count += other.count;
        self.looked_at += other.looked_at;
        if self.first.is_empty() {
            self.first = other.first;
        }
    }
}

/// Whether a line has a part in the moves of a game: a move, however it is spelled, the number of one, a result, a comment or a
/// variation.
pub(crate) fn holds_moves(line: &[u8]) -> bool {
    let mut words = line.split(|byte| ends_word(*byte)).filter(|word| !word.is_empty());
    line.iter().any(|byte| matches!(byte, b'{' | b'}' | b'(' | b')' | b';')) || words.any(is_of_moves)
}

/// Whether a word is a result, a move, however it is spelled, or the number of one.
fn is_of_moves(word: &[u8]) -> bool {
    const RESULTS: [&[u8]; 5] = [b"1-0", b"0-1", b"1/2", b"*", "\u{bd}-".as_bytes()];
    let behind = behind_number(word);
    RESULTS.iter().any(|result| word.starts_with(result))
        || (behind.len() < word.len() && word[..word.len() - behind.len()].ends_with(b"."))
        || SanPlus::from_ascii(behind).is_ok()
        || is_odd(behind)
        || is_in_other_letters(behind)
}

/// Bytes up to the first that is wanted, and that one.
fn until(text: &[u8], is_end: impl Fn(u8) -> bool) -> usize {
    text.iter().position(|&byte| is_end(byte)).map_or(text.len(), |end| end + 1)
}

fn ends_word(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'{' | b'}' | b'(' | b')' | b';' | b'$' | b'!' | b'?' | b'[' | b']')
}

/// `12.e4` is a number and a move, and `12e4` is read in the same way; `0-0` has no number.
fn behind_number(word: &[u8]) -> &[u8] {
    if word.starts_with(b"0") {
        return word;
    }
    let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let dots = word[digits..].iter().take_while(|byte| **byte == b'.').count();
    &word[digits + dots..]
}

/// Whether a word begins as a move does and names a square or castles, but is no move.
fn is_odd(word: &[u8]) -> bool {
    // Points behind a move are passed over.
    let word = &word[..word.len() - word.iter().rev().take_while(|byte| **byte == b'.').count()];
    let begins = matches!(word.first(), Some(b'K' | b'Q' | b'R' | b'B' | b'N' | b'P' | b'a'..=b'h' | b'O' | b'o'));
    let is_of_moves = || word.iter().all(|byte| b"KQRBNPkqrbnpabcdefgh12345678xX=+#-:oO0.".contains(byte));
    let castles = || word.starts_with(b"O-O") || word.starts_with(b"o-o");
    let square = |pair: &[u8]| (b'a'..=b'h').contains(&pair[0]) && (b'1'..=b'8').contains(&pair[1]);
    // Nearly all are moves, so that is asked first.
    begins
        && word.len() <= LONGEST
        && match SanPlus::from_ascii(word) {
            Ok(found) => is_no_pawn(&found.san),
            Err(_) => is_of_moves() && (castles() || word.windows(2).any(square)),
        }
}

/// `g8f6` of UCI or `ed5`, of a pawn that would leave its file without a capture.
fn is_no_pawn(san: &San) -> bool {
    matches!(san, San::Normal { role: Role::Pawn, file: Some(file), capture: false, to, .. } if *file != to.file())
}

/// `$14Nf3`.
fn is_nag_with_a_move(word: &[u8]) -> bool {
    let Some(nag) = word.strip_prefix(b"$") else { return false };
    let digits = nag.iter().take_while(|byte| byte.is_ascii_digit()).count();
    digits > 0 && SanPlus::from_ascii(&nag[digits..]).is_ok()
}

/// `+Nf3` or `12:Nf3`: what programs put in front of lines that they have compared or found, but not of the other moves.
fn is_behind_sign(word: &[u8]) -> bool {
    matches!(word, [b'+' | b'-' | b'=' | b':' | b'#', rest @ ..] if rest.len() > 1 && SanPlus::from_ascii(rest).is_ok())
}

/// `e4,`, `**Nf3**`, `e4±` or `O–O`: a move at characters that no move has, or castling with another dash than a hyphen.
fn is_beside_others(word: &[u8]) -> bool {
    let is_of_moves = |byte: &u8| byte.is_ascii_alphanumeric() || b"+#=-.:".contains(byte);
    if word.iter().all(is_of_moves) {
        return false;
    }
    let mut parts = word.split(|byte| !is_of_moves(byte)).map(behind_number);
    // The reader knows zeros with a dash as wide as an n or an m.
    let is_known = |letter: char| matches!(letter, '\u{2013}' | '\u{2014}') && word.starts_with(b"0");
    let castles = || {
        let text = String::from_utf8_lossy(word).replace(|letter| is_dash(letter) && !is_known(letter), "-");
        ["O-O", "0-0", "o-o"].iter().any(|castling| text.contains(castling))
    };
    parts.any(|part| part.len() > 1 && SanPlus::from_ascii(part).is_ok()) || castles()
}

/// Whether the number of a move is next, with its point, be it behind a comment.
fn stands_before_number(rest: &[u8]) -> bool {
    let mut rest = rest.trim_ascii_start();
    if rest.starts_with(b"{") {
        rest = rest[until(rest, |byte| byte == b'}')..].trim_ascii_start();
    }
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    digits > 0 && rest.get(digits) == Some(&b'.')
}

/// `exd`, `e:d`, `ed:` or `pxd5`: captures of pawns as older books have them, and people; `ed` only beside the number of a move, for `de` is a word.
fn is_short_capture(word: &[u8], is_beside_number: impl FnOnce() -> bool) -> bool {
    let signs = word.iter().rev().take_while(|byte| matches!(byte, b'+' | b'#' | b'.')).count();
    let files = |[one, other]: [u8; 2]| {
        (b'a'..=b'h').contains(&one) && (b'a'..=b'h').contains(&other) && one.abs_diff(other) == 1
    };
    match word[..word.len() - signs] {
        [one, other] => files([one, other]) && is_beside_number(),
        [one, b'x' | b'X' | b':', other] | [one, other, b':'] => files([one, other]),
        [b'p', b'x' | b'X' | b':', file, rank] => (b'a'..=b'h').contains(&file) && (b'1'..=b'8').contains(&rank),
        _ => false,
    }
}

/// What programs write in the place of `--` and `Z0`, and castling without its dash.
fn is_null_move_or_castling(word: &[u8]) -> bool {
    [&b"OO"[..], b"OOO"].contains(&word)
        || [&b"null"[..], b"pass", b"0000", b"@@@@", b"<>"].iter().any(|null| word.eq_ignore_ascii_case(null))
}

/// `Sf3`, `Dd1xh5+`, `bxa8=D`: a move with the letters of another language, or with a figure.
fn is_in_other_letters(word: &[u8]) -> bool {
    if let Some(sign) = memchr::memchr(b'=', word)
        && let [b'a'..=b'h', b'1' | b'8'] | [b'a'..=b'h', b'x', b'a'..=b'h', b'1' | b'8'] = word[..sign]
    {
        let letters = word[sign + 1..].iter().take_while(|byte| !matches!(byte, b'+' | b'#' | b'!' | b'?')).count();
        let letter = &word[sign + 1..][..letters];
        return match letter {
            [letter] => letter.is_ascii_uppercase() && !b"QRBN".contains(letter),
            more => !more.is_empty() && more.len() <= 4 && !more.is_ascii(),
        };
    }
    let piece = match word {
        [letter, ..] if letter.is_ascii_uppercase() && !b"KQRBNPO".contains(letter) => 1,
        _ => word.iter().take_while(|byte| !byte.is_ascii()).count(),
    };
    if piece == 0 {
        return false;
    }
    let rest = &word[piece..];
    let square = |pair: &[u8]| (b'a'..=b'h').contains(&pair[0]) && (b'1'..=b'8').contains(&pair[1]);
    rest.len() <= LONGEST
        && rest.iter().all(|byte| b"abcdefgh12345678xX:-+#".contains(byte))
        && rest.windows(2).any(square)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> OddWords {
        OddWords::of_chunk(text.as_bytes(), false)
    }

    #[test]
    fn words_that_look_like_moves_are_found() {
        for word in [
            "a8Q",
            "a8=Q++",
            "Nf3++",
            "Nf3=",
            "Nf3+-",
            "exd6ep",
            "e2-e4",
            "Ng1-f3",
            "o-o",
            "a7a8q",
            "g8f6",
            "e1g1",
            "ed5",
            "$1e5",
            "$14Nxf3+",
            "Sf3",
            "bxa8=D",
            "b8=\u{2655}",
            "b8=D+",
            "Dd1xh5+",
            "Tad1",
            "\u{2658}f3",
            "\u{41a}\u{440}e1",
            "e4,",
            "\"Nf3\"",
            "**Nf3**",
            "e4\u{b1}",
            "O\u{2013}O",
            "0\u{2011}0\u{2011}0",
            "0\u{2212}0",
            "e4\u{2009}e5",
            "N\u{ad}f3",
            "exd",
            "e:d+",
            "ed:",
            "pxd5",
            "null",
            "0000",
            "OO",
            "OOO",
            "+Nf3",
            "-O-O",
            ":exd5",
            "#e4",
        ] {
            for text in [format!("1. e4 {word} 1-0\n"), format!("1. e4 e5 2.{word} {{a comment}}\n")] {
                let found = found(&text);
                assert_eq!((found.count, found.first.as_str()), (1, word), "{text}");
            }
        }
    }

    #[test]
    fn moves_and_what_is_no_move_are_not() {
        let text = "[Event \"a8Q Sf3 e2-e4\"]\n [Site \"Nf3++\"]\n\n1. e4 e5 2.Nf3 Nc6 3... Bb5!? a6 $14 $ $15) 4. Ba4 (4. a8Q Nf3++ (e2-e4)) Nf6 \
            {a8Q} 5. O-O ; e2-e4\nBe7 6. Re1+ b5 exd6 e.p. = +- N a8=Q# Ngf3 R1xe2+ Q4e1 -- D TN Diagram1 Sehr \u{b1} \u{2013} 0\u{2013}1 0\u{2013}0 e4... \"Wien\", 1/2-1/2\n% e2-e4\nbecause game6 e4e5e6e7e8f1g1h1 * a8Q";
        assert_eq!(found(text), OddWords { looked_at: text.len() as u64, ..OddWords::default() });
    }

    #[test]
    fn no_more_than_a_part_of_a_chunk_is_looked_at() {
        let text = "1. e4 e5 2. Nf3 Nc6 1-0\n".repeat(1000) + "1. a8Q 1-0\n";
        assert_eq!(found(&text).count, 0);
        assert_eq!(found(&text).looked_at, PART as u64);
    }

    /// The longest move with what may follow it has 12 letters; and the last word must end within the part that is looked at.
    #[test]
    fn words_have_a_longest_and_a_last_place() {
        for (word, count) in [("a8=Q++++++++", 1), ("a8=Q+++++++++", 0), ("Sf3+++++++++", 1), ("Sf3+++++++++++", 0)] {
            assert_eq!(found(&format!("1. e4 {word} 1-0\n")).count, count, "{word}");
        }
        for (place, count) in [(4092, 1), (4093, 0)] {
            assert_eq!(found(&format!("{}a8Q {}", " ".repeat(place), " ".repeat(9))).count, count, "{place}");
        }
    }

    #[test]
    fn lines_of_moves_are_known() {
        for (line, expected) in [
            ("", false),
            ("some words", false),
            ("12 May 2001", false),
            ("[Foo]", false),
            ("12. Sf3", true),
            ("12...", true),
            ("e4", true),
            ("Sf3", true),
            ("e2-e4", true),
            ("O-O", true),
            ("1-0", true),
            ("*", true),
            ("\u{bd}-\u{bd}", true),
            ("word (", true),
            ("; word", true),
            ("word }", true),
        ] {
            assert_eq!(holds_moves(line.as_bytes()), expected, "{line}");
        }
    }

    #[test]
    fn numbers_without_a_point_hide_no_word_and_a_word_that_is_cut_off_is_none() {
        for (text, count) in [
            ("1. ed de 2.ed 3. 1-0\n", 3),
            ("1. e4 de\n2. d4 cb 3 d5 1-0\n", 1),
            ("1. e4 de {-0.3/9} 2. d4 cb {a} d5 1-0\n", 1),
            ("1. e4 de ed ce la Torre 1-0\n", 0),
            ("1 e4 e5 12a8Q 13e2-e4 1-0\n", 2),
            ("1 e4 12Nf3 1/2-1/2\n", 0),
            ("1. e4 $1e5", 0),
            ("1. e4 a8Q", 0),
        ] {
            assert_eq!(found(text).count, count, "{text}");
        }
    }
}
