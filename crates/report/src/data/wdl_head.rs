//! WDL heads, read from their file, and what they say of a few boards.

use drawish_artefact::Kind;
use drawish_core::{Board, Centipawns, Heads};
use drawish_heads::heads::{HeadError, WdlHead, open_binary};
use drawish_stats::model::WinDrawLoss;

use super::ReportData;
use super::input::{InputFile, ReadError};

/// Boards on which WDL heads are shown: each the same for both sides, with White to move, and fewer men from one to the next.
pub const BOARDS: [(&str, &str); 6] = [
    ("all men", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("without queens", "r1b2rk1/pp3ppp/2n1pn2/8/8/2N1PN2/PP3PPP/R1B2RK1 w - - 0 15"),
    ("rook and 4 pawns each", "3r2k1/5ppp/4p3/8/8/4P3/5PPP/3R2K1 w - - 0 30"),
    ("knight and 4 pawns each", "6k1/5ppp/3np3/8/8/3NP3/5PPP/6K1 w - - 0 30"),
    ("opposite-coloured bishops, 4 pawns each", "6k1/5ppp/3bp3/8/8/3BP3/5PPP/6K1 w - - 0 30"),
    ("4 pawns each", "6k1/5ppp/4p3/8/8/4P3/5PPP/6K1 w - - 0 30"),
];

/// Evaluations go so far to both sides, in centipawns.
pub const REACH: i32 = 600;
/// From one evaluation to the next.
const STEP: usize = 25;

/// A WDL head with the name of its file.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct WdlHeadData {
    /// The name of the file.
    pub name: String,
    /// What the text of a head records of its fit; a file for engines does not.
    pub fit: Option<WdlHead>,
    /// Positions that it was fitted to.
    pub rows: u64,
    /// For each of [`BOARDS`], rates of the side to move at evaluations in centipawns from `-REACH` to [`REACH`].
    pub boards: Vec<Vec<(i32, WinDrawLoss)>>,
}

impl WdlHeadData {
    /// What the head in a file for engines says of the boards; `None` if there is none in it.
    fn of(name: &str, heads: &Heads<'_>, fit: Option<WdlHead>) -> Option<WdlHeadData> {
        let rates = |board: &Board, eval: i32| {
            let wdl = heads.wdl(board, Centipawns(eval))?;
            let [win, draw, loss] = [wdl.win, wdl.draw, wdl.loss].map(|permille| f64::from(permille) / 1000.0);
            Some((eval, WinDrawLoss { win, draw, loss }))
        };
        let of_board = |(_, fen): &(&str, &str)| -> Option<Vec<_>> {
            let board = Board::from_fen(fen).ok()?;
            (-REACH..=REACH).step_by(STEP).map(|eval| rates(&board, eval)).collect()
        };
        let boards: Option<Vec<_>> = BOARDS.iter().map(of_board).collect();
        Some(WdlHeadData { name: name.to_owned(), fit, rows: heads.rows(), boards: boards? })
    }

    /// The rates on a board at an evaluation in centipawns, if it is one of those that are kept.
    #[must_use]
    pub fn rates(&self, board: usize, eval: i32) -> Option<WinDrawLoss> {
        self.boards.get(board)?.iter().find(|(at, _)| *at == eval).map(|(_, rates)| *rates)
    }
}

impl ReportData {
    /// Adds a WDL head from its text.
    pub(super) fn wdl_head(&mut self, input: &mut InputFile, text: &str) -> Result<(), ReadError> {
        let head = WdlHead::from_toml(text)?;
        input.kind = Kind::WdlHead.name();
        input.made_by.clone_from(&head.made_by);
        input.take_origin(&head.rules, &head.inputs);
        self.warnings(&input.name, &head.warnings, &head.rules);
        let bytes = head.to_binary()?;
        let heads = Heads::from_bytes(&bytes).map_err(HeadError::from)?;
        self.wdl_head_files.extend(WdlHeadData::of(&input.name, &heads, Some(head)));
        Ok(())
    }

    /// Adds the WDL head of a file for engines.
    pub(super) fn engine_heads(&mut self, input: &mut InputFile, bytes: &[u8]) -> Result<(), ReadError> {
        let heads = open_binary(bytes).map_err(HeadError::from)?;
        let found = WdlHeadData::of(&input.name, &heads, None).ok_or(ReadError::Step {
            what: "heads for engines without a WDL head",
            remedy: "give the .toml that they were made of, or look at them by `drawish inspect`",
        })?;
        input.kind = Kind::EngineHeads.name();
        input.origin.push(format!("text of the heads with the XXH3-128 {:032x}", heads.source_digest()));
        if heads.draw().is_some() || heads.gain_head().is_some() {
            self.remark(&input.name, "of heads for engines only the WDL head is shown; the .toml shows the others");
        }
        self.wdl_head_files.push(found);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sides are alike, so that the curves of a board are those of its material and not of who stands better.
    #[test]
    fn boards_are_the_same_for_both_sides() {
        let mut men = u32::MAX;
        for (name, fen) in BOARDS {
            let placement = fen.split(' ').next().unwrap_or_default();
            let swapped = |piece: char| {
                if piece.is_uppercase() { piece.to_ascii_lowercase() } else { piece.to_ascii_uppercase() }
            };
            let mirrored: Vec<String> =
                placement.split('/').rev().map(|rank| rank.chars().map(swapped).collect()).collect();
            assert_eq!(mirrored.join("/"), placement, "{name}");
            assert!(Board::from_fen(fen).is_ok(), "{name}");
            let count = placement.chars().filter(char::is_ascii_alphabetic).count() as u32;
            assert!(count <= men, "{name}");
            men = count;
        }
    }
}
