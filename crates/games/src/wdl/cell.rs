//! What is counted: the result of a game in a position with an evaluation, in one word.

/// Evaluations beyond ± this many centipawns are counted there.
pub const EVAL_LIMIT: i16 = 1000;
/// The evaluation that stands for giving mate; its negative for being mated.
pub const MATE: i16 = 1001;
/// Positions behind this move are not counted, as in scoreWDLstat.
pub(super) const LAST_MOVE: u32 = 200;

/// How the game ended for the side whose evaluation is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[expect(missing_docs, reason = "they say it")]
pub enum MoverResult {
    Win,
    Draw,
    Loss,
}

impl MoverResult {
    /// All, in the order of their codes.
    pub const ALL: [MoverResult; 3] = [MoverResult::Win, MoverResult::Draw, MoverResult::Loss];

    /// `W`, `D` or `L`.
    #[must_use]
    pub const fn letter(self) -> u8 {
        match self {
            MoverResult::Win => b'W',
            MoverResult::Draw => b'D',
            MoverResult::Loss => b'L',
        }
    }
}

/// Time per player in a game of 40 moves, in classes four times as long as the one before. What the TimeControl tag
/// tells, and the covariate of the model.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Speed(u8);

impl Speed {
    /// The tag is absent or tells no time.
    pub const UNKNOWN: Speed = Speed(0);
    /// Number of classes with the unknown one.
    pub const CLASSES: u8 = 8;

    /// The class with this number, if there is one.
    #[must_use]
    pub const fn new(class: u8) -> Option<Speed> {
        if class < Speed::CLASSES { Some(Speed(class)) } else { None }
    }

    /// Its number: 0 unknown, 1 up to 15 s, 2 up to 60 s, 3 up to 4 min, 4 up to 16 min, 5 up to 64 min, 6 up to
    /// 256 min, 7 longer.
    #[must_use]
    pub const fn class(self) -> u8 {
        self.0
    }

    /// The class of a time per player in seconds.
    #[must_use]
    pub fn of_seconds(seconds: f64) -> Speed {
        if !seconds.is_finite() || seconds <= 0.0 {
            return Speed::UNKNOWN;
        }
        let limits = [15.0, 60.0, 240.0, 960.0, 3840.0, 15360.0];
        Speed(1 + limits.iter().map(|limit| u8::from(seconds > *limit)).sum::<u8>())
    }

    /// The class that a TimeControl tag tells, by the time for 40 moves at the pace of the first period: `60+0.6` is 84 s, `300` is that,
    /// `40/7200:20/3600:900+30` two hours, `1/60` and `60/move` 40 minutes.
    #[must_use]
    pub fn of_tag(tag: &[u8]) -> Speed {
        let first = tag.split(|byte| *byte == b':').next().unwrap_or_default();
        // Where decimals have a comma, as programs write them in some languages, they are decimals.
        let number = |text: &[u8]| {
            let text = str::from_utf8(text).ok()?.trim().replace(',', ".");
            text.parse::<f64>().ok().filter(|value| *value >= 0.0)
        };
        // As cutechess writes a time for each move.
        if let Some(time) = first.trim_ascii().strip_suffix(b"/move").and_then(number) {
            return Speed::of_seconds(40.0 * time);
        }
        let slash = first.iter().position(|byte| *byte == b'/');
        let (moves, time) = slash.map_or((None, first), |at| (Some(&first[..at]), &first[at + 1..]));
        // Of no moves, or of a number that is none, the time is taken as that of the game.
        let periods = moves.and_then(number).filter(|moves| *moves > 0.0).map_or(1.0, |moves| 40.0 / moves);
        let mut parts = time.split(|byte| *byte == b'+');
        let base = parts.next().and_then(number);
        let increment = parts.next().map_or(Some(0.0), number);
        base.zip(increment)
            .map_or(Speed::UNKNOWN, |(base, increment)| Speed::of_seconds(base * periods + 40.0 * increment))
    }

    /// The middle of the class: the base-2 logarithm of its time over 4 minutes; `None` for the unknown one.
    #[must_use]
    pub fn log2_of_four_minutes(self) -> Option<f64> {
        (self.0 > 0).then(|| 2.0 * f64::from(self.0) - 7.0)
    }
}

/// One kind of position: what is counted together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Cell {
    /// How the game ended for the side to move.
    pub result: MoverResult,
    /// Full-move number, 1 to 200.
    pub move_number: u8,
    /// 9 Q + 5 R + 3 B + 3 N + P of both sides; 78 in the start position, at most 255.
    pub material: u8,
    /// Centipawns for the side to move within ±[`EVAL_LIMIT`], or ±[`MATE`].
    pub eval: i16,
    /// Time per player.
    pub speed: Speed,
}

const EVAL_BITS: u32 = 11;
const MATERIAL_SHIFT: u32 = EVAL_BITS;
const MOVE_SHIFT: u32 = MATERIAL_SHIFT + 8;
const RESULT_SHIFT: u32 = MOVE_SHIFT + 8;
const SPEED_SHIFT: u32 = RESULT_SHIFT + 2;
/// The bits of a word that hold the class of the time control.
pub(super) const SPEED_MASK: u32 = 7 << SPEED_SHIFT;

impl Cell {
    /// The cell in one word, in the order in which files keep cells.
    #[must_use]
    pub fn pack(self) -> u32 {
        position_bits(self.move_number, self.material) | eval_bits(self.eval) | outcome_bits(self.result, self.speed)
    }

    /// The cell of a word; `None` if it is none.
    #[must_use]
    pub fn unpack(word: u32) -> Option<Cell> {
        let eval = i16::try_from(word & ((1 << EVAL_BITS) - 1)).ok()? - MATE;
        let result = *MoverResult::ALL.get((word >> RESULT_SHIFT & 3) as usize)?;
        let byte = |shift: u32| (word >> shift).to_le_bytes()[0];
        let move_number = byte(MOVE_SHIFT);
        let cell = Cell { result, move_number, material: byte(MATERIAL_SHIFT), eval, speed: Speed(byte(SPEED_SHIFT)) };
        (eval <= MATE && (1..=LAST_MOVE).contains(&u32::from(move_number))).then_some(cell)
    }
}

/// What is known of a cell when its move has been read.
#[inline]
pub(super) fn position_bits(move_number: u8, material: u8) -> u32 {
    u32::from(move_number) << MOVE_SHIFT | u32::from(material) << MATERIAL_SHIFT
}

/// What its evaluation adds.
#[inline]
pub(super) fn eval_bits(eval: i16) -> u32 {
    u32::from((eval + MATE).unsigned_abs())
}

/// What is known of all cells of a game and a side when it is over.
pub(super) fn outcome_bits(result: MoverResult, speed: Speed) -> u32 {
    (result as u32) << RESULT_SHIFT | u32::from(speed.0) << SPEED_SHIFT
}

/// In the words of a game that is being read: Black was to move. Its place is taken by the result later.
pub(super) const BLACK_TO_MOVE: u32 = 1 << RESULT_SHIFT;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_back_and_sort_by_their_parts() {
        let mut words = Vec::new();
        for speed in [0, 7] {
            for result in MoverResult::ALL {
                for move_number in [1, 200] {
                    for material in [0, 78, 255] {
                        for eval in [-MATE, -EVAL_LIMIT, 0, MATE] {
                            let cell = Cell { result, move_number, material, eval, speed: Speed(speed) };
                            assert_eq!(Cell::unpack(cell.pack()), Some(cell));
                            words.push(cell.pack());
                        }
                    }
                }
            }
        }
        assert!(words.is_sorted());
        assert_eq!(Cell::unpack(3 << RESULT_SHIFT | 1 << MOVE_SHIFT), None);
        assert_eq!(Cell::unpack(2047 | 1 << MOVE_SHIFT), None);
        assert_eq!(Cell::unpack(0), None, "there is no move 0");
    }

    #[test]
    fn speeds_of_time_controls() {
        for (tag, class) in [
            ("10+0.1", 1),
            ("60+0.6", 3),
            ("180+1.8", 4),
            ("7200+30", 6),
            ("40/7200:20/3600:900+30", 6),
            ("300", 4),
            ("?", 0),
            ("-", 0),
            ("", 0),
            ("NaN", 0),
            ("inf", 0),
            ("60+inf", 0),
            ("60+0,6", 3),
            ("60+0.6s", 0),
            ("60+", 0),
            ("1/1e308", 0),
            ("40/abc", 0),
            ("1/60", 5),
            ("20/600", 5),
            ("60/3600", 5),
            ("0/60", 2),
            ("0.25/move", 1),
            ("60/move", 5),
            ("/move", 0),
            ("0/move", 0),
        ] {
            assert_eq!(Speed::of_tag(tag.as_bytes()).class(), class, "{tag}");
        }
        assert_eq!(Speed::of_seconds(84.0).log2_of_four_minutes(), Some(-1.0));
        assert_eq!(Speed::UNKNOWN.log2_of_four_minutes(), None);
    }
}
