//! The features of `drawish-core` on boards of shakmaty: against their naive twin, and under exchange of colours.

mod naive;

use drawish_heads::features::{self, COUNT, Parity, View};
use proptest::prelude::*;
use shakmaty::{Bitboard, Board, Chess, Color, Piece, Position, Role, Setup};

fn values(view: &View) -> [i16; COUNT] {
    let mut values = [0; COUNT];
    features::fill(view, &mut values);
    values
}

/// Names of the features that differ, with both values.
fn differing(values: &[i16], naive: &[i16]) -> Vec<(&'static str, i16, i16)> {
    assert_eq!(values.len(), naive.len());
    let all = features::all().iter().zip(values.iter().zip(naive));
    all.filter(|(_, (a, b))| a != b).map(|(feature, (a, b))| (feature.name, *a, *b)).collect()
}

/// Positions of a game of random legal moves.
fn positions(choices: Vec<u16>) -> impl Iterator<Item = Chess> {
    let mut position = Chess::default();
    choices.into_iter().map_while(move |choice| {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return None;
        }
        position.play_unchecked(moves[usize::from(choice) % moves.len()]);
        Some(position.clone())
    })
}

proptest! {
    #[test]
    fn games_and_the_naive_twin(choices in prop::collection::vec(any::<u16>(), 0..160)) {
        for position in positions(choices) {
            prop_assert_eq!(differing(&values(&features::view(&position)), &naive::values(&position)), []);
        }
    }

    /// Boards with any men anywhere, few and many, with and without kings.
    #[test]
    fn any_board_and_the_naive_twin(
        men in prop::collection::vec((any::<bool>(), 0usize..6, 0u32..64), 0..24),
        black: bool,
        halfmoves in 0u32..400,
    ) {
        let mut board = Board::empty();
        for (white, role, square) in men {
            let piece = Piece { color: Color::from_white(white), role: Role::ALL[role] };
            board.set_piece_at(shakmaty::Square::new(square), piece);
        }
        let setup = Setup { board, halfmoves, turn: Color::from_black(black), ..Setup::empty() };
        prop_assert_eq!(differing(&values(&features::view_of_setup(&setup)), &naive::values_of_setup(&setup)), []);
    }

    /// Pawns alone, as few as there are on a board: structures that games of random moves seldom reach.
    #[test]
    fn pawns_and_the_naive_twin(white: u64, black: u64, thin: [u64; 4]) {
        let places = 0x00ff_ffff_ffff_ff00;
        let white = white & thin[0] & thin[2] & places;
        let black = black & thin[1] & thin[3] & places & !white;
        let mut board = Board::empty();
        for (color, pawns) in [(Color::White, white), (Color::Black, black)] {
            for square in Bitboard(pawns) {
                board.set_piece_at(square, color.pawn());
            }
        }
        let setup = Setup { board, ..Setup::empty() };
        prop_assert_eq!(differing(&values(&features::view_of_setup(&setup)), &naive::values_of_setup(&setup)), []);
    }

    #[test]
    fn exchanging_the_colours_keeps_or_negates(choices in prop::collection::vec(any::<u16>(), 0..160)) {
        for position in positions(choices) {
            let view = features::view(&position);
            let (values, flipped) = (values(&view), values(&View::new(&view.board().flip_colors())));
            for (feature, (value, flipped)) in features::all().iter().zip(values.iter().zip(&flipped)) {
                match feature.parity {
                    Parity::Even => prop_assert_eq!(value, flipped, "{}", feature.name),
                    Parity::Odd => prop_assert_eq!(*value, -flipped, "{}", feature.name),
                    Parity::Count => {}
                }
            }
        }
    }
}
