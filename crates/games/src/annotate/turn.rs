//! Whose move is next: by the FEN, by the numbers of moves where they tell, and by turns.

/// Whose move is next in the main line of a game.
#[derive(Debug)]
pub(super) struct Turn {
    white_to_move: bool,
    numbers: Numbers,
    /// The number of a move that came last.
    last_number: Option<u32>,
}

/// What move numbers say of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Numbers {
    /// `1.` stands before a move of White's, `1...` before one of Black's.
    Tell,
    /// The same, unless the first one, before Black's first move, is `1.`.
    Open,
    /// Nothing: Black has the first move, and moves are counted by twos from there.
    OfPairs,
}

impl Default for Turn {
    fn default() -> Turn {
        Turn { white_to_move: true, numbers: Numbers::Tell, last_number: None }
    }
}

impl Turn {
    /// That of a game which begins from a FEN.
    pub fn of_fen(fen: &[u8]) -> Turn {
        let mut fields = fen.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty());
        let white_to_move = fields.nth(1) != Some(b"b");
        let numbers = if white_to_move { Numbers::Tell } else { Numbers::Open };
        Turn { white_to_move, numbers, last_number: None }
    }

    /// Takes the number of a move, with the points behind it.
    pub fn number(&mut self, number: &[u8], points: &[u8]) {
        let number = str::from_utf8(number).ok().and_then(|number| number.parse().ok());
        // Some number each move: `1. e4 1. e5`.
        let is_whites = points == b"." && (number.is_none() || self.last_number != number);
        self.last_number = number;
        if self.numbers == Numbers::Open {
            self.numbers = if is_whites { Numbers::OfPairs } else { Numbers::Tell };
        }
        if self.numbers == Numbers::Tell {
            self.white_to_move = is_whites;
        }
    }

    /// A move was made: whether by White.
    pub fn take(&mut self) -> bool {
        let is_white = self.white_to_move;
        self.white_to_move = !is_white;
        if self.numbers == Numbers::Open {
            self.numbers = Numbers::Tell;
        }
        is_white
    }
}

/// The points with which a text begins, also as word processors write three of them.
pub(super) fn points(text: &[u8]) -> &[u8] {
    const ELLIPSIS: &[u8] = "\u{2026}".as_bytes();
    let mut rest = text;
    while let Some(shorter) = rest.strip_prefix(b".").or_else(|| rest.strip_prefix(ELLIPSIS)) {
        rest = shorter;
    }
    &text[..text.len() - rest.len()]
}
