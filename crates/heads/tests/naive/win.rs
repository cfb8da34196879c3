//! The win/loss score: tapered differences White minus Black.

use shakmaty::{Bitboard, Role, Square, attacks};

use super::Block;
use super::position::{PositionView, Side};

pub(super) const BLOCK: Block = Block { count: 64, fill };

fn fill(position: &PositionView, values: &mut [i16]) {
    let [white, black] = position.sides();
    let (of_white, of_black) = (Attacks::of(position, white), Attacks::of(position, black));
    let white_terms = terms(position, white, black, &of_white, &of_black);
    let black_terms = terms(position, black, white, &of_black, &of_white);
    for ((value, white), black) in values.chunks_exact_mut(2).zip(white_terms).zip(black_terms) {
        value[0] = (white - black) * position.phase;
        value[1] = (white - black) * (24 - position.phase);
    }
}

/// What the pieces of one side attack.
struct Attacks {
    /// Squares attacked by anything.
    any: Bitboard,
    /// Squares open to knights, bishops, rooks, queens, by piece.
    mobility: [i16; 4],
    /// Attacks on squares around the enemy king.
    on_king: i16,
}

impl Attacks {
    fn of(position: &PositionView, side: &Side) -> Attacks {
        let board = &position.board;
        let own = board.by_color(side.color);
        let enemy = if side.color.is_white() { &position.black } else { &position.white };
        let open = !(own | enemy.pawn_attacks);
        let ring = enemy.king.map_or(Bitboard::EMPTY, attacks::king_attacks);
        let mut all = side.pawn_attacks | side.king.map_or(Bitboard::EMPTY, attacks::king_attacks);
        let mut mobility = [0; 4];
        let mut on_king = 0;
        for (role, mobility) in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen].into_iter().zip(&mut mobility) {
            for square in board.by_role(role) & own {
                let reach = board.attacks_from(square);
                all |= reach;
                *mobility += (reach & open).count() as i16;
                on_king += (reach & ring).count() as i16;
            }
        }
        Attacks { any: all, mobility, on_king }
    }
}

/// The terms of one side, in the order of the features.
fn terms(position: &PositionView, side: &Side, enemy: &Side, own: &Attacks, theirs: &Attacks) -> [i16; 32] {
    let board = &position.board;
    let [pawns, knights, bishops, rooks, queens] = side.counts;
    let (own_files, all_files) = (side.files(), side.files() | enemy.files());
    let on = |files: u8, square: Square| files >> (square.file() as u8) & 1 == 1;
    let rook_squares = board.by_role(Role::Rook) & board.by_color(side.color);
    let rooks_where = |condition: &dyn Fn(Square) -> bool| {
        rook_squares.into_iter().filter(|&square| condition(square)).count() as i16
    };
    let mut passers = [0; 6];
    for pawn in side.passers {
        let rank = side.rank(pawn);
        passers[0] += 1;
        passers[1] += rank;
        passers[2] += rank * rank;
        if let Some(before) = pawn.offset(if side.color.is_white() { 8 } else { -8 }) {
            let nearer = |king: Option<Square>| king.map_or(0, |king| (king.distance(before) as i16).min(5));
            passers[3] += rank * i16::from(!board.occupied().contains(before));
            passers[5] += rank * (nearer(enemy.king) - nearer(side.king));
        }
        passers[4] += rank * i16::from(side.pawn_attacks.contains(pawn));
    }
    let enemy_pieces = board.by_color(!side.color) & !enemy.pawns & !board.by_role(Role::King);
    [
        i16::from(position.turn == side.color),
        pawns,
        knights,
        bishops,
        rooks,
        queens,
        i16::from(bishops >= 2),
        knights * pawns,
        rooks * pawns,
        passers[0],
        passers[1],
        passers[2],
        passers[3],
        passers[4],
        passers[5],
        side.isolated(),
        side.doubled(),
        side.islands(),
        side.protected(),
        side.pawns.into_iter().map(|pawn| side.rank(pawn) - 1).sum(),
        own.mobility[0],
        own.mobility[1],
        own.mobility[2],
        own.mobility[3],
        rooks_where(&|rook| !on(all_files, rook)),
        rooks_where(&|rook| on(all_files, rook) && !on(own_files, rook)),
        rooks_where(&|rook| side.rank(rook) == 6),
        side.king.map_or(0, centrality),
        side.king.map_or(0, |king| shield(side, king)),
        own.on_king,
        (side.pawn_attacks & enemy_pieces).count() as i16,
        (own.any & enemy_pieces & !theirs.any).count() as i16,
    ]
}

/// Distance from the edge of the board in files and ranks together, 0 to 6.
fn centrality(king: Square) -> i16 {
    let from_edge = |line: i16| line.min(7 - line);
    from_edge(i16::from(king.file() as u8)) + from_edge(i16::from(king.rank() as u8))
}

fn shield(side: &Side, king: Square) -> i16 {
    let near = |pawn: &Square| {
        let files = (i16::from(pawn.file() as u8) - i16::from(king.file() as u8)).abs();
        let ranks = side.rank(*pawn) - side.rank(king);
        files <= 1 && (1..=2).contains(&ranks)
    };
    side.pawns.into_iter().filter(near).count() as i16
}
