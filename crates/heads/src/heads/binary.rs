//! Heads as the `.heads` file that [`drawish_core::head`] reads and documents.

use drawish_core::features;
use drawish_core::head::{CRC_OFFSET, GainHead, HEADER_LEN, MAGIC, checksum, values};
use drawish_core::{Board, Heads, HeadsError, Scheme};
use twox_hash::XxHash3_128;

use super::file::{HeadError, HeadsFile, Weighted, shift_for};
use super::terms::{Bands, Input, Term};
use super::wdl_binary::line_in_units;
use crate::normalisation;

/// Opens the bytes of a `.heads` file and compares their checksum.
///
/// # Errors
///
/// If they are something else, or differ from what was written.
pub fn open_binary(bytes: &[u8]) -> Result<Heads<'_>, HeadsError> {
    let heads = Heads::from_bytes(bytes)?;
    heads.verify()?;
    Ok(heads)
}

/// The kinds of sums in a `.heads` file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SumKind {
    /// The drawScore of the draw head.
    Draw = 1,
    /// The logarithm of the gain.
    Gain = 2,
    /// The draw head's own win/loss score.
    Win = 3,
    /// The threshold v of the WDL head.
    Threshold = 4,
    /// Its slope s.
    Slope = 5,
    /// Its shift o.
    Shift = 6,
}

/// Writes a `.heads` file, block by block.
#[derive(Clone, Debug, Default)]
pub struct BinaryHeads {
    blocks: Vec<u8>,
    count: u16,
}

impl BinaryHeads {
    /// A file without blocks.
    #[must_use]
    pub fn new() -> BinaryHeads {
        BinaryHeads::default()
    }

    /// Adds a sum whose weights are rounded to 1/2^shift logit.
    ///
    /// # Errors
    ///
    /// If a term is none or reads the game rather than the position, a weight does not fit 16 bits or the constant 32, the shift is not
    /// from 8 to 15, or there are more than 65,535 terms.
    pub fn sum(
        &mut self,
        kind: SumKind,
        shift: u32,
        constant: f64,
        terms: &[Weighted],
        parameters: [i32; 2],
    ) -> Result<(), HeadError> {
        let Some(scale @ 8..=15) = u16::try_from(shift).ok() else {
            return Err(HeadError::Range { name: "shift", value: shift.into(), expected: "8 to 15" });
        };
        let unit = f64::from(1_u32 << scale);
        let mut linear: [Vec<i64>; features::Family::ALL.len()] = Default::default();
        let mut banded = Vec::new();
        let mut count = 0_usize;
        for weighted in terms {
            let term: Term = weighted.term.parse()?;
            let whole = |weight: &f64| whole(weight * unit);
            match &term {
                Term::Linear(input) => {
                    let id = id(*input, weighted)?;
                    let family = &mut linear[usize::from(id >> 8)];
                    let place = usize::from(id & 0xff);
                    family.resize(family.len().max(place + 1), 0);
                    family[place] = weighted.weights.iter().map(whole).fold(family[place], i64::saturating_add);
                }
                Term::Bands(bands) => {
                    put_bands(&mut banded, bands, None, weighted)?;
                    put_weights(&mut banded, weighted.weights.iter().map(whole), weighted, unit)?;
                    count += 1;
                }
                Term::Pair(first, second) => {
                    put_bands(&mut banded, first, Some(second), weighted)?;
                    put_weights(&mut banded, weighted.weights.iter().map(whole), weighted, unit)?;
                    count += 1;
                }
            }
        }
        let beyond = |name, value, expected| HeadError::Range { name, value, expected };
        let wide = |_| beyond("the constant", constant, "a number that fits 32 bits");
        let many = |_| beyond("the number of terms", count as f64, "at most 65,535");
        let mut body = i32::try_from(whole(constant * unit)).map_err(wide)?.to_le_bytes().to_vec();
        parameters.iter().for_each(|parameter| body.extend(parameter.to_le_bytes()));
        // A family has 256 features at most.
        linear.iter().for_each(|family| body.extend(length(family).to_le_bytes()));
        body.extend(u16::try_from(count).map_err(many)?.to_le_bytes());
        body.extend([0; 2]);
        for (weights, family) in linear.iter().zip(features::Family::ALL) {
            let of_family = Weighted { term: family.name().to_owned(), weights: Vec::new(), errors: Vec::new() };
            put_weights(&mut body, weights.iter().copied(), &of_family, unit)?;
        }
        body.extend(banded);
        self.block(kind as u16, scale, body);
        Ok(())
    }

    /// Adds the line of the WDL head: knots in centipawns, and the line there in logits.
    ///
    /// Whether it is one that the WDL head can use is asked by [`finish`](Self::finish).
    pub fn line(&mut self, knots: &[i16], line: &[f64]) {
        let mut body = length(knots).to_le_bytes().to_vec();
        body.extend([0; 2]);
        knots.iter().for_each(|knot| body.extend(knot.to_le_bytes()));
        line_in_units(line).iter().for_each(|value| body.extend(value.to_le_bytes()));
        self.block(7, 0, body);
    }

    /// Adds what each cell of a scheme adds to the logarithm of the gain, in 1/64 logit.
    pub fn cells(&mut self, scheme: Scheme, shifts: &[i8]) {
        let mut body = scheme.id().to_le_bytes().to_vec();
        body.extend([0; 2]);
        body.extend(shifts.iter().flat_map(|shift| shift.to_le_bytes()));
        self.block(8, 0, body);
    }

    fn block(&mut self, kind: u16, shift: u16, mut body: Vec<u8>) {
        body.resize(body.len().next_multiple_of(4), 0);
        self.blocks.extend(kind.to_le_bytes());
        self.blocks.extend(shift.to_le_bytes());
        self.blocks.extend(bytes_of(body.len() + 8));
        self.blocks.extend(body);
        self.count += 1;
    }

    /// The file. `rows` are those of the fit, `source` is the text that it is made from.
    ///
    /// # Errors
    ///
    /// If the blocks do not make heads.
    pub fn finish(&self, rows: u64, source: &[u8]) -> Result<Vec<u8>, HeadError> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(drawish_core::head::VERSION.to_le_bytes());
        bytes.extend(length(&[0; HEADER_LEN]).to_le_bytes());
        bytes.extend(self.count.to_le_bytes());
        bytes.extend([0; 2]);
        bytes.extend(bytes_of(HEADER_LEN + self.blocks.len()));
        bytes.extend([0; 4]);
        bytes.extend(rows.to_le_bytes());
        bytes.extend(XxHash3_128::oneshot(source).to_le_bytes());
        bytes.resize(HEADER_LEN, 0);
        bytes.extend(&self.blocks);
        let crc = checksum(&bytes);
        bytes[CRC_OFFSET..CRC_OFFSET + 4].copy_from_slice(&crc.to_le_bytes());
        Heads::from_bytes(&bytes)?;
        Ok(bytes)
    }
}

/// A weight in whole units, or as near as 64 bits come.
#[cfg_attr(not(test), expect(clippy::cast_possible_truncation, reason = "`as` saturates"))]
fn whole(units: f64) -> i64 {
    units.round() as i64
}

/// How many there are, or, where there are more than the file can say, a number that reading the file refuses.
fn length<T>(list: &[T]) -> u16 {
    u16::try_from(list.len()).unwrap_or(u16::MAX)
}

/// The same for bytes of a block or of the file.
fn bytes_of(length: usize) -> [u8; 4] {
    u32::try_from(length).unwrap_or(u32::MAX).to_le_bytes()
}

/// The identifier of the feature that a term reads.
fn id(input: Input, weighted: &Weighted) -> Result<u16, HeadError> {
    match input {
        Input::Feature(place) => Ok(features::all()[place].id),
        _ => Err(HeadError::NotOnTheBoard(weighted.term.clone())),
    }
}

fn put_bands(out: &mut Vec<u8>, first: &Bands, second: Option<&Bands>, weighted: &Weighted) -> Result<(), HeadError> {
    let (m, n) = (first.starts.len(), second.map_or(0, |second| second.starts.len()));
    let length = 8 + 2 * (m.next_multiple_of(4) + n.next_multiple_of(4) + (m + 1) * (n + 1));
    let (Ok(length), Ok(first_count), Ok(second_count)) = (u16::try_from(length), u8::try_from(m), u8::try_from(n))
    else {
        return Err(HeadError::Starts(weighted.term.clone()));
    };
    out.extend(length.to_le_bytes());
    out.extend([first_count, second_count]);
    out.extend(id(first.input, weighted)?.to_le_bytes());
    out.extend(second.map_or(Ok(u16::MAX), |second| id(second.input, weighted))?.to_le_bytes());
    for bands in [Some(first), second].into_iter().flatten() {
        let mut starts = bands.starts.clone();
        // No feature of a game gets near the numbers that fill them up.
        if starts.iter().any(|start| start.unsigned_abs() >= 0x3fff) {
            return Err(HeadError::Starts(weighted.term.clone()));
        }
        starts.resize(starts.len().next_multiple_of(4), 0x3fff);
        starts.iter().for_each(|start| out.extend(start.to_le_bytes()));
    }
    Ok(())
}

fn put_weights(
    out: &mut Vec<u8>,
    weights: impl Iterator<Item = i64>,
    of: &Weighted,
    unit: f64,
) -> Result<(), HeadError> {
    for weight in weights {
        let narrow = i16::try_from(weight).map_err(|_| HeadError::Weight {
            term: of.term.clone(),
            weight: weight as f64 / unit,
            most: 32_767.0 / unit,
        })?;
        out.extend(narrow.to_le_bytes());
    }
    Ok(())
}

impl HeadsFile {
    /// The heads as a `.heads` file. The same heads give the same bytes.
    ///
    /// A [`residual`](super::Head::residual) of the draw head has no place there and is left out.
    /// The weights of the draw head's win/loss score are rounded here to the finest unit in which they fit 16 bits; of those the terms
    /// that read ratings are left out.
    ///
    /// # Errors
    ///
    /// If a term is none, the draw score or the gain reads the game rather than the position, a weight does not fit, or what structures
    /// add is for an unknown scheme.
    pub fn to_binary(&self) -> Result<Vec<u8>, HeadError> {
        let source = self.to_toml().map_err(|error| HeadError::Text(error.to_string()))?;
        self.blocks()?.finish(self.rows as u64, source.as_bytes())
    }

    /// The blocks of [`to_binary`](Self::to_binary), to which others can be added.
    ///
    /// # Errors
    ///
    /// Those of [`to_binary`](Self::to_binary).
    pub fn blocks(&self) -> Result<BinaryHeads, HeadError> {
        // The means are those of the gain without means.
        let (power, mean) = self.gain_means()?;
        self.blocks_with([power, mean])
    }

    fn blocks_with(&self, means: [i32; 2]) -> Result<BinaryHeads, HeadError> {
        let mut out = BinaryHeads::new();
        // What does not fit is none that reading the file takes.
        let kappa = i32::try_from(whole(self.draw.kappa.unwrap_or(0.0) * 256.0)).unwrap_or(-1);
        out.sum(SumKind::Draw, self.draw.shift, self.draw.constant.unwrap_or(0.0), &self.draw.score, [kappa, 0])?;
        out.sum(SumKind::Gain, self.gain.shift, self.gain.constant.unwrap_or(0.0), &self.gain.score, means)?;
        let on_the_board = |weighted: &&Weighted| {
            let features = |term: Term| term.inputs().all(|input| matches!(input, Input::Feature(_)));
            weighted.term.parse().is_ok_and(features)
        };
        let win: Vec<Weighted> = self.draw.win.iter().filter(on_the_board).cloned().collect();
        let weights: Vec<f64> = win.iter().flat_map(|weighted| weighted.weights.iter().copied()).collect();
        out.sum(SumKind::Win, shift_for(&weights), 0.0, &win, [0; 2])?;
        if let Some(cells) = &self.gain.residual {
            out.cells(cells.scheme()?, &cells.shifts);
        }
        Ok(out)
    }

    /// The mean of e^v over positions of games, and that of the gains which it gives.
    fn gain_means(&self) -> Result<(i32, i32), HeadError> {
        let mean = |means: [i32; 2], of: fn(&GainHead<'_>, &Board) -> i64| -> Result<i32, HeadError> {
            let bytes = self.blocks_with(means)?.finish(0, &[])?;
            let heads = Heads::from_bytes(&bytes)?;
            let boards = normalisation::boards();
            let sum: i64 = heads.gain_head().map_or(0, |head| boards.iter().map(|board| of(head, board)).sum());
            let count = i64::try_from(boards.len()).unwrap_or(i64::MAX);
            Ok(i32::try_from((sum / count).max(1)).unwrap_or(i32::MAX))
        };
        let power = mean([1024, 1024], |head, board| head.power(&values(board, [head.score()]), board.pawns()))?;
        let gain =
            mean([power, 1024], |head, board| head.gain(&values(board, [head.score()]), board.pawns()).gain.into())?;
        Ok((power, gain))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pooled() -> HeadsFile {
        HeadsFile::from_toml(drawish_tables::POOLED_HEADS_TEXT).expect("heads")
    }

    #[test]
    fn what_is_written_is_what_the_text_says() {
        let file = pooled();
        let bytes = file.to_binary().expect("a file");
        assert_eq!(bytes, file.to_binary().expect("the same file"));
        let heads = Heads::from_bytes(&bytes).expect("heads");
        assert_eq!(heads.verify(), Ok(()));
        assert_eq!(heads.rows(), file.rows as u64);
        let (draw, gain) = (file.draw.quantised(), file.gain.quantised());
        let head = heads.draw().expect("a draw head");
        for board in normalisation::boards() {
            let mut values = [0; features::COUNT];
            features::fill(&features::View::new(board), &mut values);
            let exact = |head: &super::super::Head| (256.0 * head.score_of(&values).expect("terms")).floor();
            assert_eq!(f64::from(head.score(&values).0), exact(&draw));
            assert_eq!(heads.draw_score(board), Some(head.score(&values)));
            let gain_head = heads.gain_head().expect("a gain head");
            assert_eq!(gain_head.exponent(&values, board.pawns()) as f64, exact(&gain));
            let win: f64 = file
                .draw
                .win
                .iter()
                .map(|weighted| {
                    let place = features::place(&weighted.term).expect("linear terms");
                    weighted.weights[0] * f64::from(values[place])
                })
                .sum();
            let found = head.win_score(&values).expect("a win/loss score").to_logit();
            assert!((win - found).abs() < 0.02, "{win} {found}");
        }
    }

    #[test]
    fn gains_have_the_mean_that_the_file_says() {
        let bytes = pooled().to_binary().expect("a file");
        let heads = Heads::from_bytes(&bytes).expect("heads");
        let gains: Vec<_> = normalisation::boards().iter().map(|board| heads.gain(board).expect("a gain")).collect();
        let mean = gains.iter().map(|gain| u64::from(gain.gain)).sum::<u64>() / gains.len() as u64;
        assert!(gains.iter().all(|gain| u64::from(gain.mean) == mean), "{mean}");
        let evals: i64 = gains.iter().map(|gain| i64::from(gain.apply(drawish_core::Centipawns(1000)).0)).sum();
        assert!((evals / gains.len() as i64 - 1000).abs() <= 1, "{evals}");
    }

    #[test]
    fn sums_that_do_not_fit_are_refused_instead_of_wrapped() {
        let term = Weighted { term: "npm".to_owned(), weights: vec![128.0], errors: Vec::new() };
        let written = |shift, constant, terms: &[Weighted]| {
            let result = BinaryHeads::new().sum(SumKind::Draw, shift, constant, terms, [0; 2]);
            result.map_err(|error| error.to_string())
        };
        // The sum of these is 2^32 units: 0, if 32 bits were all.
        let error = written(15, 0.0, &vec![term.clone(); 1024]).expect_err("a sum");
        assert!(error.contains("material") && error.contains("131072"), "{error}");
        let error = written(15, 0.0, &[Weighted { weights: vec![f64::MAX, f64::MAX], ..term }]).expect_err("a sum");
        assert!(error.contains("material"), "{error}");
        let error = written(15, 1e9, &[]).expect_err("a constant");
        assert!(error.starts_with("the constant is 1000000000, expected a number that fits 32 bits"), "{error}");
        for shift in [7, 32, 65_544] {
            let error = written(shift, 0.0, &[]).expect_err("a shift");
            assert!(error.starts_with(&format!("shift is {shift}, expected 8 to 15")), "{error}");
        }
        assert_eq!(written(15, 0.0, &[]), Ok(()));
    }

    #[test]
    fn terms_that_no_engine_can_read_are_refused() {
        let mut file = pooled();
        file.draw.score[0].term = "mean_elo".to_owned();
        let error = file.to_binary().expect_err("ratings").to_string();
        assert!(error.contains("mean_elo") && error.contains("does not have"), "{error}");
        file.draw.score[0].term = "rammed".to_owned();
        let error = file.to_binary().expect_err("no feature").to_string();
        assert!(error.contains("no feature is called \"rammed\""), "{error}");
        file.draw.score[0].term = "npm".to_owned();
        file.draw.score[0].weights[0] = 127.9;
        let error = file.to_binary().expect_err("a weight").to_string();
        assert!(error.contains("material"), "{error}");
    }
}
