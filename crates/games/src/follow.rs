//! A game followed from its moves as they are written: by the pieces alone, or by its twin, a full replay with every rule of chess.

mod board;

use shakmaty::san::San;
use shakmaty::{Chess, Color, Position, Role};

pub(crate) use board::Board;

/// Spells the moves of a game, which begins in the standard position or another one, as the PGN standard does: with no more of their
/// origins than tells them from other moves, so that a game is the same whoever has written it. Moves behind one that cannot be made
/// stay as they are.
///
/// ```
/// use drawish_games::follow::respell;
///
/// let mut moves = ["e2e4", "e6", "d4", "d5", "Nc3", "Bb4", "Nge2"].map(|san| san.parse().expect("a move"));
/// respell(None, &mut moves);
/// assert_eq!(moves.map(|san: shakmaty::san::San| san.to_string()), ["e4", "e6", "d4", "d5", "Nc3", "Bb4", "Ne2"]);
/// ```
pub fn respell(start: Option<&Chess>, moves: &mut [San]) {
    let has_origin = |san: &San| match san {
        San::Normal { role: Role::Pawn, file, rank, capture, .. } => rank.is_some() || (file.is_some() && !capture),
        San::Normal { file, rank, .. } => file.is_some() || rank.is_some(),
        _ => false,
    };
    // Most moves have none, and the spelling of the others needs no board behind the last of them.
    let Some(last) = moves.iter().rposition(has_origin) else { return };
    let mut board = start.map_or_else(|| Board::new(&Chess::default()), Board::new);
    for san in &mut moves[..=last] {
        *san = board.spelled(*san);
        if !board.play(*san) {
            return;
        }
    }
}

/// Follows a game in one of two ways.
pub(crate) enum Follower {
    /// From the moves as written.
    Track(Board),
    /// By every rule of chess.
    Replay(Chess),
}

impl Follower {
    pub(crate) fn new(start: &Chess, replay: bool) -> Follower {
        if replay { Follower::Replay(start.clone()) } else { Follower::Track(Board::new(start)) }
    }

    /// 9 Q + 5 R + 3 B + 3 N + P of both sides.
    #[inline]
    pub(crate) fn material(&self) -> u32 {
        match self {
            Follower::Track(board) => board.material(),
            Follower::Replay(position) => material_of(position),
        }
    }

    #[inline]
    pub(crate) fn turn(&self) -> Color {
        match self {
            Follower::Track(board) => board.turn(),
            Follower::Replay(position) => position.turn(),
        }
    }

    /// A move as the PGN standard spells it, so that a game is the same whoever has written it; as it is if it cannot be made.
    #[inline]
    pub(crate) fn spelled(&self, san: San) -> San {
        match self {
            Follower::Track(board) => board.spelled(san),
            Follower::Replay(position) => san.to_move(position).map_or(san, |legal| San::from_move(position, legal)),
        }
    }

    /// Makes a move; `false` if it cannot be made.
    #[inline]
    pub(crate) fn play(&mut self, san: San) -> bool {
        match self {
            Follower::Track(board) => board.play(san),
            Follower::Replay(position) => san.to_move(position).is_ok_and(|legal| {
                position.play_unchecked(legal);
                true
            }),
        }
    }
}

/// The material of a position.
pub(crate) fn material_of(position: &Chess) -> u32 {
    let board = position.board();
    [(Role::Pawn, 1), (Role::Knight, 3), (Role::Bishop, 3), (Role::Rook, 5), (Role::Queen, 9)]
        .map(|(role, value)| value * u32::try_from(board.by_role(role).count()).unwrap_or_default())
        .iter()
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use shakmaty::fen::Fen;
    use shakmaty::{CastlingMode, EnPassantMode, Setup};

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>().expect("a FEN").into_position(CastlingMode::Chess960).expect("a position")
    }

    /// Plays random legal moves and compares both ways after each.
    fn walk(start: &Chess, choices: &[u16]) {
        let mut twin = start.clone();
        let mut board = Board::new(start);
        for &choice in choices {
            let moves = twin.legal_moves();
            let Some(&played) = moves.get(usize::from(choice) % moves.len().max(1)) else { break };
            let san = San::from_move(&twin, played);
            // Every move is known with its whole origin.
            for &legal in &moves {
                let (short, mut whole) = (San::from_move(&twin, legal), San::from_move(&twin, legal));
                if let (San::Normal { file, rank, .. }, Some(from)) = (&mut whole, legal.from()) {
                    (*file, *rank) = (Some(from.file()), Some(from.rank()));
                }
                assert_eq!(
                    board.spelled(whole),
                    short,
                    "{whole} in {}",
                    Fen::from_position(&twin, EnPassantMode::Legal)
                );
                assert_eq!(board.spelled(short), short);
                // And without any, if that is enough.
                let mut bare = short;
                if let San::Normal { file, rank, .. } = &mut bare {
                    (*file, *rank) = (None, None);
                }
                let expected = bare.to_move(&twin).map_or(bare, |legal| San::from_move(&twin, legal));
                assert_eq!(
                    board.spelled(bare),
                    expected,
                    "{bare} in {}",
                    Fen::from_position(&twin, EnPassantMode::Legal)
                );
            }
            assert!(board.play(san), "{san} in {}", Fen::from_position(&twin, EnPassantMode::Legal));
            twin.play_unchecked(played);
            assert_eq!(board.material(), material_of(&twin), "after {san}");
            assert_eq!(board.turn(), twin.turn());
            // The board is the same as one made from the position: nothing is left behind.
            let anew = Board::new(&twin);
            assert_eq!(format!("{:?}", Place(&board)), format!("{:?}", Place(&anew)), "after {san}");
        }
    }

    /// What of two boards must be equal: the pieces, not rooks that may have lost their right to castle.
    struct Place<'a>(&'a Board);
    impl std::fmt::Debug for Place<'_> {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str(&self.0.pieces_as_text())
        }
    }

    proptest! {
        #[test]
        fn the_board_and_the_replay_agree(choices in proptest::collection::vec(any::<u16>(), 0..200), start in 0..4_usize) {
            let starts = [
                Setup::initial().position::<Chess>(CastlingMode::Standard).expect("the start"),
                position("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"),
                position("6k1/PP6/8/2pP4/3nPp2/8/ppp2P2/6K1 w - c6 0 40"),
                position("r3k2r/8/2n1n3/8/1b2q3/2N1N3/8/R3K2R w KQkq - 0 1"),
            ];
            walk(&starts[start], &choices);
        }
    }

    #[test]
    fn moves_that_cannot_be_made_leave_the_board_as_it_was() {
        let start = Chess::default();
        let mut board = Board::new(&start);
        for text in ["e5", "exd3", "Nd2", "Nxf3", "Bb5", "O-O-O", "e8=Q", "Ke2", "Qh5", "Zz9", "e4=Q"] {
            let Ok(san) = text.parse::<San>() else { continue };
            assert!(!board.play(san), "{text}");
            assert_eq!(board.pieces_as_text(), Board::new(&start).pieces_as_text(), "{text}");
        }
        // Two knights can go to e2, but one is pinned.
        let pinned = position("4r1k1/8/8/8/8/4N3/8/4K1N1 w - - 0 1");
        let mut board = Board::new(&pinned);
        assert!(board.play("Nf5".parse().expect("a move")), "a lone candidate is not looked at");
        let both = position("4r1k1/8/8/8/8/2N5/4N3/4K3 w - - 0 1");
        let mut board = Board::new(&both);
        assert!(board.play("Nd5".parse().expect("a move")));
        let two = position("4r1k1/8/8/8/4N3/8/8/N3K3 w - - 0 1");
        let mut board = Board::new(&two);
        assert!(!board.play("Nxb3".parse().expect("a move")), "nothing to capture");
        let ambiguous = position("6k1/8/8/8/8/8/1N3N2/4K3 w - - 0 1");
        let mut board = Board::new(&ambiguous);
        assert!(!board.play("Nd3".parse().expect("a move")), "two can go there");
        assert!(board.play("Nbd3".parse().expect("a move")));
    }
}
