//! Whose move is next: by the FEN and by turns, and by the numbers of moves where a word between them may have been a move.

use crate::pgn::black_begins;

/// Whose move is next in the main line of a game.
///
/// Numbers are written in many ways: `1. e5 d4` where Black begins, `1. e4 1. e5`, `1. e4 2. e5`. So they do not count where they have said
/// something else than turns.
#[derive(Debug)]
pub(super) struct Turn {
    white_to_move: bool,
    /// Whether it is by a FEN or a move before.
    is_known: bool,
    /// What the number of a move says that has not come yet: whether it is White's.
    claim: Option<bool>,
    /// Whether numbers have said something else than turns.
    are_numbers_off: bool,
    /// Since the last number that counted there was a word that may have been a move.
    is_doubtful: bool,
}

impl Default for Turn {
    fn default() -> Turn {
        Turn { white_to_move: true, is_known: false, claim: None, are_numbers_off: false, is_doubtful: false }
    }
}

impl Turn {
    /// That of a game which begins from a FEN.
    pub fn of_fen(fen: &[u8]) -> Turn {
        Turn { white_to_move: !black_begins(fen), is_known: true, ..Turn::default() }
    }

    /// Takes the points behind the number of a move.
    pub fn number(&mut self, points: &[u8]) {
        self.claim = Some(points == b".");
    }

    /// Takes points by themselves: `1. ... e5` is `1... e5`. Elsewhere they may be those of a text.
    pub fn points(&mut self, points: &[u8]) {
        self.claim = match self.claim {
            Some(_) => Some(false),
            None => (!self.is_known).then_some(points == b"."),
        };
    }

    /// Takes a word that is no move. Behind a number it stands for one all the same.
    pub fn word(&mut self) {
        if self.settle() {
            self.white_to_move = !self.white_to_move;
        }
        self.is_doubtful = true;
    }

    /// Whether a null move fills the place of White's where Black begins: `1. -- e5`.
    pub fn is_filled(&mut self) -> bool {
        let is_usual = self.is_known && !self.is_doubtful && !self.are_numbers_off;
        let is_filled = is_usual && self.claim == Some(true) && !self.white_to_move;
        self.claim = self.claim.filter(|_| !is_filled);
        is_filled
    }

    /// A move was made: whether by White.
    pub fn take(&mut self) -> bool {
        self.settle();
        let is_white = self.white_to_move;
        (self.white_to_move, self.is_known) = (!is_white, true);
        is_white
    }

    /// Settles who is to move by the number in front of a move, if there is one that counts.
    fn settle(&mut self) -> bool {
        let Some(is_whites) = self.claim.take() else { return false };
        if !self.is_known || self.is_doubtful && !self.are_numbers_off {
            (self.white_to_move, self.is_known, self.is_doubtful) = (is_whites, true, false);
        } else if !self.is_doubtful {
            self.are_numbers_off |= is_whites != self.white_to_move;
        }
        !self.are_numbers_off
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
