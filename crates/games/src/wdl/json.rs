//! The counts of scoreWDLstat: one flat JSON object with entries like `"('D', 1, 78, 35)": 668132`, read and written
//! without ever holding the text.

use std::io::{self, BufRead, Write};

use thiserror::Error;

use super::cell::{Cell, LAST_MOVE, MATE, MoverResult, SPEED_MASK, Speed};
use super::{Block, WdlCounts};

/// Why JSON cannot be read as counts.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum JsonError {
    #[error("{0}")]
    Read(#[from] io::Error),
    #[error("byte {at}: expected {expected}, found {found}; counts are entries like \"('D', 1, 78, 35)\": 668132")]
    Syntax { at: u64, expected: &'static str, found: String },
    #[error(
        "byte {at}: move {move_number}, material {material}, eval {eval} is out of range: moves go from 1 to 200, material from 0 to 255, evaluations from -1001 to 1001"
    )]
    Range { at: u64, move_number: i64, material: i64, eval: i64 },
    #[error(
        "the entry \"('{}', {}, {}, {})\" stands twice; which of its counts is right is not known, so write the file again",
        char::from(.0.result.letter()), .0.move_number, .0.material, .0.eval
    )]
    Twice(Cell),
    #[error("the entries hold more than 2^64 - 1 positions together, which nothing can have counted")]
    TooMany,
}

/// Reads counts; `null` is no counts at all. An entry stands once.
///
/// # Errors
///
/// Those of reading, the first byte that does not fit, and an entry that stands twice.
pub fn read_json(source: impl BufRead) -> Result<WdlCounts, JsonError> {
    let mut scanner = Scanner { source, at: 0 };
    let mut cells: Vec<(u32, u64)> = Vec::new();
    if scanner.after_blanks()? == Some(b'n') {
        scanner.expect_all(b"null", "null or {")?;
    } else {
        scanner.expect(b'{', "{")?;
        if scanner.after_blanks()? == Some(b'}') {
            scanner.bump();
        } else {
            loop {
                cells.push(scanner.entry()?);
                match scanner.after_blanks()? {
                    Some(b',') => scanner.bump(),
                    Some(b'}') => {
                        scanner.bump();
                        break;
                    }
                    _ => return scanner.fail(", or }"),
                }
            }
        }
    }
    if scanner.after_blanks()?.is_some() {
        return scanner.fail("the end");
    }
    if cells.iter().try_fold(0_u64, |sum, cell| sum.checked_add(cell.1)).is_none() {
        return Err(JsonError::TooMany);
    }
    cells.sort_unstable_by_key(|cell| cell.0);
    if let Some(cell) = cells.windows(2).find(|two| two[0].0 == two[1].0).and_then(|two| Cell::unpack(two[0].0)) {
        return Err(JsonError::Twice(cell));
    }
    let mut block = Block::default();
    for (word, count) in cells {
        block.push(word, count);
    }
    Ok(WdlCounts::without_blocks(block))
}

struct Scanner<R> {
    source: R,
    at: u64,
}

impl<R: BufRead> Scanner<R> {
    #[inline]
    fn peek(&mut self) -> Result<Option<u8>, JsonError> {
        loop {
            match self.source.fill_buf() {
                Ok(bytes) => return Ok(bytes.first().copied()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    #[inline]
    fn bump(&mut self) {
        self.source.consume(1);
        self.at += 1;
    }

    /// The next byte that is no blank.
    fn after_blanks(&mut self) -> Result<Option<u8>, JsonError> {
        loop {
            match self.peek()? {
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.bump(),
                other => return Ok(other),
            }
        }
    }

    fn fail<T>(&mut self, expected: &'static str) -> Result<T, JsonError> {
        let found = match self.peek()? {
            Some(byte) => format!("{:?}", char::from(byte)),
            None => "the end of the file".to_owned(),
        };
        Err(JsonError::Syntax { at: self.at, expected, found })
    }

    fn expect(&mut self, byte: u8, name: &'static str) -> Result<(), JsonError> {
        if self.after_blanks()? == Some(byte) {
            self.bump();
            Ok(())
        } else {
            self.fail(name)
        }
    }

    fn expect_all(&mut self, word: &[u8], name: &'static str) -> Result<(), JsonError> {
        for &byte in word {
            if self.peek()? != Some(byte) {
                return self.fail(name);
            }
            self.bump();
        }
        Ok(())
    }

    fn integer(&mut self, name: &'static str) -> Result<i64, JsonError> {
        let negative = self.after_blanks()? == Some(b'-');
        if negative {
            self.bump();
        }
        let mut value: Option<i64> = None;
        while let Some(digit @ b'0'..=b'9') = self.peek()? {
            let sum = value.unwrap_or(0).checked_mul(10).and_then(|tens| tens.checked_add(i64::from(digit - b'0')));
            if sum.is_none() {
                return self.fail("a number below 2^63");
            }
            value = sum;
            self.bump();
        }
        match value {
            Some(value) => Ok(if negative { -value } else { value }),
            None => self.fail(name),
        }
    }

    fn entry(&mut self) -> Result<(u32, u64), JsonError> {
        let at = self.at;
        self.expect(b'"', "\"")?;
        self.expect(b'(', "(")?;
        self.expect(b'\'', "'")?;
        let letter = self.peek()?;
        let Some(result) = MoverResult::ALL.into_iter().find(|result| Some(result.letter()) == letter) else {
            return self.fail("W, D or L");
        };
        self.bump();
        self.expect(b'\'', "'")?;
        self.expect(b',', ",")?;
        let move_number = self.integer("a move number")?;
        self.expect(b',', ",")?;
        let material = self.integer("material")?;
        self.expect(b',', ",")?;
        let eval = self.integer("an evaluation")?;
        self.expect(b')', ")")?;
        self.expect(b'"', "\"")?;
        self.expect(b':', ":")?;
        let count = self.integer("a count")?;
        let Ok(count) = u64::try_from(count) else { return self.fail("a count of at least 0") };
        let range = JsonError::Range { at, move_number, material, eval };
        let move_number = u8::try_from(move_number).ok().filter(|number| (1..=LAST_MOVE).contains(&u32::from(*number)));
        let eval = i16::try_from(eval).ok().filter(|eval| (-MATE..=MATE).contains(eval));
        let (Some(move_number), Ok(material), Some(eval)) = (move_number, u8::try_from(material), eval) else {
            return Err(range);
        };
        let cell = Cell { result, move_number, material, eval, speed: Speed::UNKNOWN };
        Ok((cell.pack(), count))
    }
}

/// Writes counts as scoreWDLstat does: entries sorted as text, an indent of two, no line end behind the last line, and
/// `null` where there is nothing.
///
/// # Errors
///
/// Those of writing.
pub fn write_json(counts: &WdlCounts, out: &mut impl Write) -> io::Result<()> {
    // The classes of time controls are the highest bits of a word, and unknown here.
    let mut words: Vec<(u32, u64)> = counts.total().iter().map(|(word, count)| (word & !SPEED_MASK, count)).collect();
    if words.is_empty() {
        return out.write_all(b"null");
    }
    words.sort_unstable_by_key(|cell| cell.0);
    let ranks = [0..=255, -i32::from(MATE)..=i32::from(MATE)].map(TextRanks::new);
    let rank = |table: usize, number: i32| u64::from(ranks[table].of(number));
    let mut cells: Vec<(u64, Cell, u64)> = words
        .chunk_by(|a, b| a.0 == b.0)
        .filter_map(|same| Some((Cell::unpack(same[0].0)?, same.iter().map(|cell| cell.1).sum())))
        .map(|(cell, count)| {
            let order = u64::from(cell.result.letter()) << 48
                | rank(0, i32::from(cell.move_number)) << 32
                | rank(0, i32::from(cell.material)) << 16
                | rank(1, i32::from(cell.eval));
            (order, cell, count)
        })
        .collect();
    cells.sort_unstable_by_key(|cell| cell.0);
    out.write_all(b"{")?;
    let mut separator = "\n";
    let mut line = Vec::new();
    for (_, Cell { result, move_number, material, eval, .. }, count) in cells {
        line.clear();
        line.extend_from_slice(separator.as_bytes());
        line.extend_from_slice(b"  \"('");
        line.push(result.letter());
        line.extend_from_slice(b"'");
        for number in [i32::from(move_number), i32::from(material), i32::from(eval)] {
            line.extend_from_slice(b", ");
            if number < 0 {
                line.push(b'-');
            }
            put_digits(&mut line, u64::from(number.unsigned_abs()));
        }
        line.extend_from_slice(b")\": ");
        put_digits(&mut line, count);
        out.write_all(&line)?;
        separator = ",\n";
    }
    out.write_all(b"\n}")
}

/// Appends a number: formatting would take most of the time of writing.
fn put_digits(out: &mut Vec<u8>, number: u64) {
    let mut digits = [0; 20];
    let mut first = digits.len();
    let mut rest = number;
    loop {
        first -= 1;
        digits[first] = b'0' + u8::try_from(rest % 10).unwrap_or_default();
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[first..]);
}

/// The place of a number in a list that begins with `first`, which is no larger.
fn place(number: i32, first: i32) -> usize {
    usize::try_from(number - first).unwrap_or_default()
}

/// The places of numbers when they are sorted as text: -1, -10, 0, 1, 10, 2.
struct TextRanks {
    first: i32,
    ranks: Vec<u16>,
}

impl TextRanks {
    fn new(numbers: std::ops::RangeInclusive<i32>) -> TextRanks {
        let first = *numbers.start();
        let mut texts: Vec<(String, i32)> = numbers.map(|number| (number.to_string(), number)).collect();
        texts.sort_unstable();
        let mut ranks = vec![0; texts.len()];
        for (rank, (_, number)) in (0..).zip(texts) {
            ranks[place(number, first)] = rank;
        }
        TextRanks { first, ranks }
    }

    fn of(&self, number: i32) -> u16 {
        self.ranks[place(number, self.first)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<WdlCounts, JsonError> {
        read_json(text.as_bytes())
    }

    #[test]
    fn decimals_come_back_as_they_were() {
        // Without serde_json's `float_roundtrip` the first of them loses its last digit.
        for number in [229.615_049_089_507_35, 0.1, 1e-300, 5e-324, f64::MAX] {
            let text = serde_json::to_string(&number).expect("a number");
            assert_eq!(serde_json::from_str::<f64>(&text).expect("a number"), number, "{text}");
        }
    }

    #[test]
    fn counts_come_back_in_the_order_of_text() {
        let text = "{\n  \"('D', 1, 78, -10)\": 3,\n  \"('D', 1, 78, 35)\": 668132,\n  \"('D', 10, 7, 0)\": 1,\n  \"('D', 2, 78, 5)\": 2,\n  \"('L', 2, 78, -1001)\": 4,\n  \"('W', 200, 255, 1001)\": 5\n}";
        let counts = read(text).expect("counts");
        assert_eq!(counts.positions(), 668_147);
        let mut out = Vec::new();
        write_json(&counts, &mut out).expect("memory");
        assert_eq!(String::from_utf8(out).expect("text"), text);
        let unsorted = " { \"('W',2,3,4)\" : 1 , \"('D', 2, 3, 4)\":2}\n";
        assert_eq!(read(unsorted).expect("counts").positions(), 3);
    }

    #[test]
    fn an_entry_that_stands_twice_is_refused() {
        for text in [
            r#"{"('W', 2, 3, -4)": 1, "('W', 2, 3, -4)": 1}"#,
            r#"{"('W', 2, 3, -4)": 1, "('D', 1, 1, 0)": 9, "('W',2,3,-4)": 0}"#,
        ] {
            let error = read(text).expect_err("an entry twice").to_string();
            assert!(error.contains(r#""('W', 2, 3, -4)" stands twice"#), "{error}");
        }
    }

    #[test]
    fn nothing_is_null() {
        for text in ["null", "{}", " { } "] {
            assert_eq!(read(text).expect("no counts").positions(), 0, "{text}");
        }
        let mut out = Vec::new();
        write_json(&WdlCounts::default(), &mut out).expect("memory");
        assert_eq!(out, b"null");
    }

    #[test]
    fn what_does_not_fit_is_named_with_its_place() {
        for (text, message) in [
            ("", "byte 0: expected {, found the end of the file"),
            ("[]", "byte 0: expected {, found '['"),
            ("{\"('X', 1, 2, 3)\": 1}", "byte 4: expected W, D or L, found 'X'"),
            ("{\"('W', 1, 2)\": 1}", "expected ,, found ')'"),
            ("{\"('W', 1, 2, 3)\": -1}", "expected a count of at least 0"),
            ("{\"('W', 1, 2, 3)\": 1.5}", "expected , or }, found '.'"),
            ("{\"('W', 0, 2, 3)\": 1}", "move 0, material 2, eval 3 is out of range"),
            ("{\"('W', 1, 256, 3)\": 1}", "material 256"),
            ("{\"('W', 1, 2, 1002)\": 1}", "eval 1002 is out of range"),
            ("{\"('W', 1, 2, 3)\": 99999999999999999999}", "a number below 2^63"),
            ("{\"('W', 1, 2, 3)\": 1} x", "expected the end"),
        ] {
            let error = read(text).expect_err(text).to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
    }
}
