//! Cutting a stream of records into chunks of whole ones, by the bytes alone: the same file always gives the same chunks.

use std::io::{self, ErrorKind, Read};

use super::{Format, binpack, bullet, viri};

/// A chunk holds about this many bytes.
const CHUNK_LEN: usize = 512 << 10;
/// A chunk of boards holds about this many: what is found in them takes as much memory again, and stays in the cache so.
const BOARDS_LEN: usize = 64 << 10;
/// A chunk of blocks that may be cut holds about this many bytes, a move taking five bits at least: as many positions as a chunk
/// of text.
const PORTION_LEN: usize = 64 << 10;
/// No game is longer.
const LONGEST_GAME: usize = 32 << 20;

/// How many bytes the first games in the body of a block take that have at least so many bytes, or are all.
pub(crate) type Cut = fn(&[u8], usize) -> usize;

/// Reads a stream and hands it out in chunks of whole records.
pub(crate) struct Chunks<R> {
    source: R,
    format: Format,
    /// Bytes handed out.
    offset: u64,
    /// How blocks are cut, if they are; without it a chunk holds whole blocks.
    cut: Option<Cut>,
    /// The beginning of the next chunk; of blocks that are cut, the one whose rest it is.
    carry: Vec<u8>,
    /// Bytes of `carry` that were handed out.
    carried: usize,
    done: bool,
    error: Option<io::Error>,
}

impl<R: Read> Chunks<R> {
    /// Chunks of this source.
    pub fn new(source: R, format: Format, cut: Option<Cut>) -> Chunks<R> {
        Chunks { source, format, cut, offset: 0, carry: Vec::new(), carried: 0, done: false, error: None }
    }

    /// Puts the next chunk into `buffer` and returns how many bytes stand before it; `None` when there is none.
    ///
    /// After an error the whole records before it are handed out as the last chunk; see [`Chunks::take_error`].
    pub fn next(&mut self, buffer: &mut Vec<u8>) -> Option<u64> {
        buffer.clear();
        if self.done {
            return None;
        }
        let filled = match self.format {
            Format::Bullet => self.boards(buffer),
            Format::Binpack => self.blocks(buffer),
            Format::Viri => self.games(buffer),
        };
        self.done = match filled {
            Ok(more) => !more,
            Err(error) => {
                self.error = Some(error);
                true
            }
        };
        let begin = self.offset;
        self.offset += buffer.len() as u64;
        (!buffer.is_empty()).then_some(begin)
    }

    /// The error that ended the records, if one did; to be asked after [`Chunks::next`] has answered `None`.
    pub fn take_error(&mut self) -> Option<io::Error> {
        self.error.take()
    }

    /// What is read from.
    pub fn source(&self) -> &R {
        &self.source
    }

    /// Appends until `target` bytes are there; `false` at the end of the source. What was read before an error stays.
    fn fill(&mut self, buffer: &mut Vec<u8>, target: usize) -> io::Result<bool> {
        let mut len = buffer.len();
        buffer.resize(target.max(len), 0);
        let ended = loop {
            if len == target {
                break Ok(true);
            }
            match self.source.read(&mut buffer[len..target]) {
                Ok(0) => break Ok(false),
                Ok(count) => len += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => break Err(error),
            }
        };
        buffer.truncate(len);
        ended
    }

    /// The file ends within the record that begins `at` bytes into the chunk.
    fn cut(&self, at: usize) -> io::Error {
        let (name, at) = (self.format.name(), self.offset + at as u64);
        let cause = format!("the file is cut: the last {name} record begins at byte {at} and is not whole");
        io::Error::new(ErrorKind::UnexpectedEof, cause)
    }

    fn boards(&mut self, buffer: &mut Vec<u8>) -> io::Result<bool> {
        let filled = self.fill(buffer, BOARDS_LEN);
        let whole = buffer.len() / bullet::LEN * bullet::LEN;
        let is_cut = buffer.len() > whole;
        buffer.truncate(whole);
        if filled? {
            return Ok(true);
        }
        if is_cut { Err(self.cut(whole)) } else { Ok(false) }
    }

    fn blocks(&mut self, buffer: &mut Vec<u8>) -> io::Result<bool> {
        let enough = if self.cut.is_some() { PORTION_LEN } else { CHUNK_LEN };
        if let Some(cut) = self.cut
            && let rest = &self.carry[self.carried..]
            && !rest.is_empty()
        {
            let len = cut(rest, enough);
            // The rest of a block is one, too, with a header that is not in the file.
            self.offset -= binpack::HEADER_LEN as u64;
            buffer.extend_from_slice(&binpack::MAGIC);
            buffer.extend_from_slice(&length(len));
            buffer.extend_from_slice(&rest[..len]);
            self.carried += len;
        }
        while buffer.len() < enough {
            let begin = buffer.len();
            let filled = self.block(buffer);
            if !matches!(filled, Ok(true)) {
                buffer.truncate(begin);
                return filled;
            }
            if let Some(cut) = self.cut
                && buffer.len() > enough
            {
                let body = begin + binpack::HEADER_LEN;
                let len = cut(&buffer[body..], enough.saturating_sub(body));
                self.carry.clear();
                self.carry.extend_from_slice(&buffer[body + len..]);
                self.carried = 0;
                buffer.truncate(body + len);
                buffer[body - 4..body].copy_from_slice(&length(len));
            }
        }
        Ok(true)
    }

    /// Appends a block; `false` if there is none.
    fn block(&mut self, buffer: &mut Vec<u8>) -> io::Result<bool> {
        let begin = buffer.len();
        let body = begin + binpack::HEADER_LEN;
        if !self.fill(buffer, body)? {
            return if buffer.len() == begin { Ok(false) } else { Err(self.cut(begin)) };
        }
        let header = &buffer[begin..];
        let len = u32::from_le_bytes([header[4], header[5], header[6], header[7]]) as usize;
        if header[..4] != binpack::MAGIC || len > binpack::LONGEST_BLOCK {
            let at = self.offset + begin as u64;
            let cause = format!("no binpack block at byte {at}; the file is damaged, or of another format");
            return Err(io::Error::new(ErrorKind::InvalidData, cause));
        }
        // A length that is wrong costs no more memory than there are bytes.
        for end in (body..body + len).step_by(LONGEST_GAME).skip(1).chain([body + len]) {
            if !self.fill(buffer, end)? {
                return Err(self.cut(begin));
            }
        }
        Ok(true)
    }

    fn games(&mut self, buffer: &mut Vec<u8>) -> io::Result<bool> {
        buffer.append(&mut self.carry);
        let mut target = CHUNK_LEN.max(buffer.len() + 1);
        let (mut whole, mut scanned) = (0, viri::BOARD_LEN);
        loop {
            let filled = self.fill(buffer, target);
            while let Some(entry) = buffer.get(scanned..scanned + viri::MOVE_LEN) {
                scanned += viri::MOVE_LEN;
                if entry == viri::END {
                    whole = scanned;
                    scanned += viri::BOARD_LEN;
                }
            }
            let is_too_long = buffer.len() - whole > LONGEST_GAME;
            if whole > 0 || is_too_long || !matches!(filled, Ok(true)) {
                self.carry.extend_from_slice(&buffer[whole..]);
                buffer.truncate(whole);
                if filled? && !is_too_long {
                    return Ok(true);
                }
                return if self.carry.is_empty() { Ok(false) } else { Err(self.cut(whole)) };
            }
            target *= 2;
        }
    }
}

/// The length of a block as its header has it.
fn length(len: usize) -> [u8; 4] {
    let [a, b, c, d, ..] = len.to_le_bytes();
    [a, b, c, d]
}
