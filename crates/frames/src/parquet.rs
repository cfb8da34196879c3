//! Frames in Parquet files: the one place that knows the Parquet reader and writer of polars.
//!
//! That reader trusts what it finds in a file, and can end the program on a damaged one. So the files that are written here hold two
//! digests, and nothing that disagrees with them is read: one of the columns, under the key `drawish.data`, and one of the end of the
//! file, which describes the columns, under `drawish.end`.

use std::error::Error;
use std::hash::Hasher;
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use polars_arrow::array::{Array, new_empty_array};
use polars_arrow::compute::concatenate::concatenate;
use polars_arrow::datatypes::{ArrowDataType, ArrowSchema};
use polars_parquet::read::{
    BasicDecompressor, FileMetadata, PageReader, column_iter_to_arrays, infer_schema, read_metadata,
};
use polars_parquet::write::{
    CompressionOptions, Encoding, FileWriter, KeyValue, StatisticsOptions, Version, WriteOptions, get_dtype_encoding,
    row_group_iter,
};

use twox_hash::XxHash3_64;

use super::FrameError;
use super::frame::Frame;

/// A frame as a Parquet file, compressed by Zstandard.
///
/// # Errors
///
/// Those of writing.
pub fn to_parquet(frame: &Frame) -> Result<Vec<u8>, FrameError> {
    let mut file = ParquetWriter::new(Vec::new(), frame)?;
    file.write(frame)?;
    file.finish(&[])
}

/// The frame in a Parquet file.
///
/// # Errors
///
/// If the file is damaged, or holds columns that are no plain numbers or text.
pub fn from_parquet(bytes: &[u8]) -> Result<Frame, FrameError> {
    let mut file = ParquetReader::new(Cursor::new(bytes))?;
    let names: Vec<String> = file.names().map(str::to_owned).collect();
    let groups = (0..file.groups()).map(|group| file.read(group, &names)).collect::<Result<Vec<_>, _>>()?;
    let columns = names.into_iter().enumerate().map(|(place, name)| {
        let parts: Vec<_> = groups.iter().map(|group| group.batch().arrays()[place].clone()).collect();
        let kind = file.schema.get(&name).ok_or_else(|| FrameError::Missing(vec![name.clone()]))?.dtype();
        Ok((name, joined(parts, kind)?))
    });
    Frame::new(columns.collect::<Result<_, FrameError>>()?)
}

/// The key of the digest of the columns: the bytes before the end of the file, and their XXH3-64 in hexadecimal.
const DATA: &str = "drawish.data";

/// The key of the digest of the end.
const END: &str = "drawish.end";

/// What stands before the digest of the end, and is looked for there; the digest is taken with zeros in its place.
const MARK: &str = "drawish.end=";

/// Digits of a digest.
const DIGITS: usize = 16;

/// What was written so far.
#[derive(Default)]
struct Written {
    bytes: u64,
    digest: XxHash3_64,
    /// The end of the file, which is kept back until its digest stands in it.
    end: Option<Vec<u8>>,
    /// Why the file could not be written. The writer of what describes pages reports another error in its place.
    failure: Option<io::Error>,
}

impl Written {
    /// What a failure of the Parquet writer comes from.
    fn cause(&mut self, error: impl Error + Send + Sync + 'static) -> FrameError {
        self.failure.take().map_or_else(|| FrameError::of(error), FrameError::Write)
    }
}

fn held(written: &Mutex<Written>) -> MutexGuard<'_, Written> {
    written.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Passes on what is written, and takes its digest.
struct Digesting<W> {
    out: W,
    written: Arc<Mutex<Written>>,
}

impl<W: Write> Write for Digesting<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut written = held(&self.written);
        if let Some(end) = &mut written.end {
            return end.write(bytes);
        }
        // All of it: the writer of what describes pages takes a short write for a whole one, and an interrupted one for a failure.
        if let Err(error) = self.out.write_all(bytes) {
            let kind = error.kind();
            written.failure.get_or_insert(error);
            return Err(kind.into());
        }
        written.bytes += bytes.len() as u64;
        written.digest.write(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Takes the digest of what is written.
struct Hashing<'a>(&'a mut XxHash3_64);

impl Write for Hashing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn digest_of(bytes: &[u8]) -> String {
    format!("{:0DIGITS$x}", XxHash3_64::oneshot(bytes))
}

/// Where the digest stands in the end of a file.
fn place_of_digest(end: &[u8]) -> Option<Range<usize>> {
    let mark = end.windows(MARK.len()).rposition(|part| part == MARK.as_bytes())?;
    let place = mark + MARK.len()..mark + MARK.len() + DIGITS;
    (place.end <= end.len()).then_some(place)
}

/// Writes frames of the same columns, each as a row group.
pub(crate) struct ParquetWriter<W: Write> {
    file: FileWriter<Digesting<W>>,
    written: Arc<Mutex<Written>>,
    encodings: Vec<Vec<Encoding>>,
}

const OPTIONS: WriteOptions = WriteOptions {
    statistics: StatisticsOptions {
        min_value: true,
        max_value: true,
        distinct_count: false,
        null_count: true,
        binary_statistics_truncate_length: None,
    },
    version: Version::V1,
    compression: CompressionOptions::Zstd(None),
    data_page_size: None,
};

impl<W: Write> ParquetWriter<W> {
    /// Begins a file with the columns of `like`.
    pub(crate) fn new(out: W, like: &Frame) -> Result<Self, FrameError> {
        let schema = like.batch().schema().clone();
        let encodings = schema.iter_values().map(|field| get_dtype_encoding(&field.dtype)).collect();
        let written = Arc::<Mutex<Written>>::default();
        let out = Digesting { out, written: Arc::clone(&written) };
        let file = FileWriter::try_new(out, schema, OPTIONS).map_err(|error| held(&written).cause(error))?;
        Ok(ParquetWriter { file, written, encodings })
    }

    /// Appends a row group.
    pub(crate) fn write(&mut self, frame: &Frame) -> Result<(), FrameError> {
        if frame.height() == 0 {
            return Ok(());
        }
        let fields = self.file.parquet_schema().fields().to_vec();
        let columns = row_group_iter(frame.batch().clone(), self.encodings.clone().into(), fields, OPTIONS);
        self.file.write(frame.height() as u64, columns).map_err(|error| held(&self.written).cause(error))
    }

    /// Writes the end of the file with these keys and values, and gives back what was written to.
    pub(crate) fn finish(mut self, pairs: &[(&str, String)]) -> Result<W, FrameError> {
        let data = {
            let mut written = held(&self.written);
            written.end = Some(Vec::new());
            format!("{} {:0DIGITS$x}", written.bytes, written.digest.finish())
        };
        let digests = [(DATA, data), (END, format!("{MARK}{:0DIGITS$x}", 0))];
        let pairs = pairs.iter().map(|(key, text)| (*key, text.clone())).chain(digests);
        let pairs = pairs.map(|(key, text)| KeyValue { key: key.to_owned(), value: Some(text) });
        // Without Arrow's own schema, which names a type of text that older readers do not know: Parquet's types say the same.
        let described = self.file.end(Some(pairs.collect()));
        described.map_err(|error| held(&self.written).cause(error))?;
        let mut out = self.file.into_inner().out;
        let mut end = held(&self.written).end.take().unwrap_or_default();
        let described = end.len().saturating_sub(length_of_end(&end));
        if let Some(place) = place_of_digest(&end[described..]) {
            let digest = digest_of(&end[described..]);
            end[described..][place].copy_from_slice(digest.as_bytes());
        }
        out.write_all(&end).and_then(|()| out.flush()).map_err(FrameError::Write)?;
        Ok(out)
    }
}

/// Reads some columns of one row group after the other.
#[derive(Debug)]
pub(crate) struct ParquetReader<R> {
    file: R,
    bytes: u64,
    metadata: FileMetadata,
    schema: ArrowSchema,
}

impl<R: Read + Seek> ParquetReader<R> {
    pub(crate) fn new(mut file: R) -> Result<Self, FrameError> {
        let bytes = file.seek(SeekFrom::End(0)).map_err(FrameError::of)?;
        check_end(&mut file, bytes)?;
        file.rewind().map_err(FrameError::of)?;
        let metadata = read_metadata(&mut file).map_err(FrameError::of)?;
        let schema = infer_schema(&metadata).map_err(FrameError::of)?;
        let mut reader = ParquetReader { file, bytes, metadata, schema };
        reader.check_data()?;
        Ok(reader)
    }

    /// Compares the columns with their digest; a file of another program has none.
    fn check_data(&mut self) -> Result<(), FrameError> {
        let Some(text) = self.text(DATA).map(str::to_owned) else { return Ok(()) };
        let (bytes, digest) = text.split_once(' ').ok_or(FrameError::Damaged)?;
        let bytes: u64 = bytes.parse().map_err(|_| FrameError::Damaged)?;
        let mut found = XxHash3_64::default();
        self.file.rewind().map_err(FrameError::of)?;
        // It tries again where a call was interrupted.
        let read = io::copy(&mut self.file.by_ref().take(bytes), &mut Hashing(&mut found)).map_err(FrameError::of)?;
        if read < bytes || format!("{:0DIGITS$x}", found.finish()) != digest {
            Err(FrameError::Damaged)
        } else {
            Ok(())
        }
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.schema.iter_names().map(|name| name.as_str())
    }

    /// Rows of all groups.
    pub(crate) fn rows(&self) -> usize {
        self.metadata.row_groups.iter().map(|group| group.num_rows()).sum()
    }

    pub(crate) fn groups(&self) -> usize {
        self.metadata.row_groups.len()
    }

    /// The text that the file holds under a key.
    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        let pairs = self.metadata.key_value_metadata().as_ref()?;
        pairs.iter().find(|pair| pair.key == key)?.value.as_deref()
    }

    /// These columns of a row group.
    pub(crate) fn read(&mut self, group: usize, names: &[String]) -> Result<Frame, FrameError> {
        let missing: Vec<_> = names.iter().filter(|name| self.schema.get(name).is_none()).cloned().collect();
        if !missing.is_empty() {
            return Err(FrameError::Missing(missing));
        }
        let columns = names.iter().map(|name| Ok((name.clone(), self.column(group, name)?)));
        Frame::new(columns.collect::<Result<_, FrameError>>()?)
    }

    fn column(&mut self, group: usize, name: &str) -> Result<Box<dyn Array>, FrameError> {
        let field = self.schema.get(name).ok_or_else(|| FrameError::Missing(vec![name.to_owned()]))?;
        let mut chunks = self.metadata.row_groups[group].columns_under_root_iter(name).into_iter().flatten();
        let (Some(chunk), None) = (chunks.next(), chunks.next()) else {
            return Err(FrameError::Nested(name.to_owned()));
        };
        let range = chunk.byte_range();
        if range.end > self.bytes || range.start > range.end {
            return Err(FrameError::Cut);
        }
        // Fits: no more than the file has.
        let mut bytes = vec![0; (range.end - range.start) as usize];
        self.file.seek(SeekFrom::Start(range.start)).map_err(FrameError::of)?;
        self.file.read_exact(&mut bytes).map_err(FrameError::of)?;
        let pages = PageReader::new(Cursor::new(bytes.into()), chunk, Vec::new(), usize::MAX);
        let columns = vec![BasicDecompressor::new(pages, Vec::new())];
        let types = vec![&chunk.descriptor().descriptor.primitive_type];
        let (arrays, _) = column_iter_to_arrays(columns, types, field.clone(), None).map_err(FrameError::of)?;
        joined(arrays, field.dtype())
    }
}

/// The length of the end of a file: what describes the columns, its length in four bytes, and the magic number. 0 if there is none.
fn length_of_end(file: &[u8]) -> usize {
    let tail = file.last_chunk::<8>().filter(|tail| tail.ends_with(b"PAR1"));
    tail.map_or(0, |tail| u32::from_le_bytes([tail[0], tail[1], tail[2], tail[3]]) as usize + tail.len())
}

/// Compares the end of a file with its digest; a file of another program has none.
fn check_end(file: &mut (impl Read + Seek), bytes: u64) -> Result<(), FrameError> {
    let mut tail = [0; 8];
    file.seek(SeekFrom::Start(bytes.saturating_sub(8))).map_err(FrameError::of)?;
    file.read_exact(&mut tail).map_err(|_| FrameError::Cut)?;
    let length = length_of_end(&tail) as u64;
    if length == 0 || length > bytes {
        return Err(FrameError::Cut);
    }
    let mut end = Vec::new();
    file.seek(SeekFrom::Start(bytes - length)).and_then(|_| file.read_to_end(&mut end)).map_err(FrameError::of)?;
    let Some(place) = place_of_digest(&end) else { return Ok(()) };
    let digest = end[place.clone()].to_owned();
    end[place].fill(b'0');
    if digest_of(&end).as_bytes() == digest { Ok(()) } else { Err(FrameError::Damaged) }
}

fn joined(mut arrays: Vec<Box<dyn Array>>, kind: &ArrowDataType) -> Result<Box<dyn Array>, FrameError> {
    match arrays.len() {
        0 => Ok(new_empty_array(kind.clone())),
        1 => Ok(arrays.swap_remove(0)),
        _ => concatenate(&arrays.iter().map(|array| &**array).collect::<Vec<_>>()).map_err(FrameError::of),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::IntoArray as _;

    /// Writes at most five bytes at once, and is interrupted each third time.
    #[derive(Default)]
    struct Slow {
        bytes: Vec<u8>,
        calls: usize,
    }

    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.calls += 1;
            if self.calls.is_multiple_of(3) {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let count = bytes.len().min(5);
            self.bytes.extend(&bytes[..count]);
            Ok(count)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Reads at most seven bytes at once, and is interrupted each third time.
    struct SlowFile(Cursor<Vec<u8>>, usize);

    impl Read for SlowFile {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            self.1 += 1;
            if self.1.is_multiple_of(3) {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let count = bytes.len().min(7);
            self.0.read(&mut bytes[..count])
        }
    }

    impl Seek for SlowFile {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            self.0.seek(to)
        }
    }

    #[test]
    fn short_and_interrupted_reads_change_nothing() {
        let numbers: Vec<u64> = (0..5_000).collect();
        let frame = Frame::new(vec![("numbers".to_owned(), numbers.into_array())]).expect("a frame");
        let bytes = to_parquet(&frame).expect("Parquet");
        let mut file = ParquetReader::new(SlowFile(Cursor::new(bytes), 0)).expect("a file");
        assert!(file.read(0, &["numbers".to_owned()]).expect("a row group") == frame);
        assert!(file.file.1 > 100);
    }

    /// Has room for so many bytes.
    struct Full(usize);

    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.0 == 0 {
                return Err(io::Error::new(io::ErrorKind::StorageFull, "the disk is full"));
            }
            let count = bytes.len().min(self.0);
            self.0 -= count;
            Ok(count)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Wherever it ends: within the magic number, a page, what describes it, or the end of the file.
    #[test]
    fn a_full_disk_is_said_to_be_full() {
        let numbers: Vec<u64> = (0..50).collect();
        let frame = Frame::new(vec![("numbers".to_owned(), numbers.into_array())]).expect("a frame");
        let write = |room: usize| {
            let mut file = ParquetWriter::new(Full(room), &frame)?;
            file.write(&frame)?;
            file.finish(&[]).map(drop)
        };
        let whole = to_parquet(&frame).expect("Parquet").len();
        for room in 0..whole {
            let error = write(room).expect_err("no room");
            assert!(matches!(error, FrameError::Write(_)), "{room}: {error:?}");
            assert_eq!(error.to_string(), "cannot be written: the disk is full; choose a place with room on the disk");
        }
        assert!(write(whole).is_ok());
    }

    #[test]
    fn short_and_interrupted_writes_change_nothing() {
        let numbers: Vec<u64> = (0..5_000).map(|number| number * number % 977).collect();
        let frame = Frame::new(vec![("numbers".to_owned(), numbers.into_array())]).expect("a frame");
        let mut file = ParquetWriter::new(Slow::default(), &frame).expect("a file");
        file.write(&frame).expect("written");
        let slow = file.finish(&[]).expect("whole");
        assert!(slow.calls > 1_000);
        assert!(slow.bytes == to_parquet(&frame).expect("the same"));
    }
}
