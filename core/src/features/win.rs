//! The win/loss score: tapered differences White minus Black.

use super::attacks;
use super::view::{Side, View, distance};
use super::{Row, put};
use crate::board::Color;

/// Names and meanings of a difference in its two weights.
macro_rules! tapered {
    ($(($name:literal, $meaning:literal, $fen:literal)),* $(,)?) => {
        [$((concat!($name, "_mg"), concat!($meaning, "; White minus Black, times the phase"), $fen),
            (concat!($name, "_eg"), concat!($meaning, "; White minus Black, times 24 minus the phase"), $fen)),*]
    };
}

pub(super) const ROWS: [Row; 64] = tapered![
    ("tempo", "1 for the side to move", "8/5k2/8/8/8/8/4K3/R7 w - - 0 1"),
    ("pawn", "pawns", "4k3/8/3n4/4P3/8/8/8/4K3 w - - 0 1"),
    ("knight", "knights", "4k3/8/8/8/8/8/8/2N1K3 b - - 0 1"),
    ("bishop", "bishops", "4k3/8/8/8/8/8/8/4KB2 w - - 0 1"),
    ("rook", "rooks", "8/5k2/8/8/8/8/4K3/R7 w - - 0 1"),
    ("queen", "queens", "8/8/8/3k4/8/8/8/Q3K3 w - - 0 1"),
    ("bishop_pair", "1 with two bishops or more", "4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1"),
    ("knight_pawns", "knights times the side's own pawns", "4k3/8/8/8/8/8/2N3P1/4K3 w - - 0 1"),
    ("rook_pawns", "rooks times the side's own pawns", "4k3/8/8/8/8/8/6P1/R3K3 w - - 0 1"),
    ("passer", "passed pawns", "4k3/8/3n4/4P3/8/8/8/4K3 w - - 0 1"),
    ("passer_rank", "ranks of passed pawns, 1 to 6 each", "4k3/8/3n4/4P3/8/8/8/4K3 w - - 0 1"),
    ("passer_square", "squares of these ranks", "4k3/8/3n4/4P3/8/8/8/4K3 w - - 0 1"),
    (
        "passer_free",
        "ranks of passed pawns with nothing on the square before them",
        "4k3/8/3n4/4P3/8/8/8/4K3 w - - 0 1"
    ),
    ("passer_protected", "ranks of passed pawns protected by a pawn", "4k3/8/4n3/3PP3/2P5/8/8/4K3 w - - 0 1"),
    (
        "passer_king",
        "ranks of passed pawns times how much nearer the own king is to the square before them: the enemy king's moves to it less the own \
         king's, each at most 5",
        "4k3/8/3n4/4P3/8/8/8/4K3 w - - 0 1"
    ),
    ("isolated", "isolated pawns", "4k3/8/3n4/4P3/8/8/8/4K3 w - - 0 1"),
    ("doubled", "doubled pawns", "4k3/8/3n4/8/8/2P5/2P5/4K3 w - - 0 1"),
    ("islands", "pawn islands", "4k3/8/3n4/4P3/8/8/8/4K3 w - - 0 1"),
    ("protected", "pawns protected by pawns", "4k3/8/4n3/3PP3/2P5/8/8/4K3 w - - 0 1"),
    ("advance", "ranks that the pawns have left behind them", "4k3/8/3n4/4P3/8/8/8/4K3 w - - 0 1"),
    (
        "mobility_knight",
        "squares that knights attack, neither occupied by a man of the same side nor attacked by an enemy pawn, summed over the knights",
        "4k3/8/8/8/8/8/8/2N1K3 b - - 0 1"
    ),
    ("mobility_bishop", "as `mobility_knight`, for bishops", "4k3/8/8/8/8/8/8/4KB2 w - - 0 1"),
    ("mobility_rook", "as `mobility_knight`, for rooks", "8/5k2/8/8/8/8/4K3/R7 w - - 0 1"),
    ("mobility_queen", "as `mobility_knight`, for queens", "8/8/8/3k4/8/8/8/Q3K3 w - - 0 1"),
    ("rook_open", "rooks on files without pawns", "8/5k2/8/8/8/8/4K3/R7 w - - 0 1"),
    ("rook_half_open", "rooks on files with enemy pawns and without own pawns", "4k3/r7/8/8/8/8/P7/R3K1R1 b - - 0 1"),
    ("rook_seventh", "rooks on the seventh rank", "4k3/2R5/8/8/8/8/8/4K3 w - - 0 1"),
    (
        "king_centre",
        "the king's distance from the edges: from the nearer side edge in files plus from the nearer end in ranks, 0 to 6",
        "8/5k2/8/8/8/8/4K3/R7 w - - 0 1"
    ),
    (
        "king_shield",
        "own pawns on the two ranks before the king, on its file and the next ones",
        "5b2/5k2/8/3p4/3P4/8/4KP2/5B2 w - - 0 1"
    ),
    (
        "king_attack",
        "attacks of knights, bishops, rooks and queens on the squares around the enemy king, counted for each attacker and square",
        "4k3/2R5/8/8/8/8/8/4K3 w - - 0 1"
    ),
    ("threat", "enemy pieces, kings left out, attacked by pawns", "4k3/8/3n4/4P3/8/8/8/4K3 w - - 0 1"),
    (
        "hanging",
        "enemy pieces, kings and pawns left out, attacked by any man and not protected by any",
        "4k3/8/3n4/4P3/8/8/8/4K3 w - - 0 1"
    ),
];

pub(super) fn fill(view: &View, values: &mut [i16; 64]) {
    let (white, black) = (&view.white, &view.black);
    let (of_white, of_black) = (Attacks::of(view, white, black), Attacks::of(view, black, white));
    let white_terms = terms(view, white, black, &of_white, &of_black);
    let black_terms = terms(view, black, white, &of_black, &of_white);
    for ((pair, white), black) in values.chunks_exact_mut(2).zip(white_terms).zip(black_terms) {
        if let [middlegame, endgame] = pair {
            put(core::array::from_mut(middlegame), [(white - black) * view.phase]);
            put(core::array::from_mut(endgame), [(white - black) * (24 - view.phase)]);
        }
    }
}

/// What the men of one side attack.
struct Attacks {
    /// Squares attacked by anything.
    any: u64,
    /// Squares open to knights, bishops, rooks, queens, by piece.
    mobility: [i32; 4],
    /// Attacks on squares around the enemy king.
    on_king: i32,
}

impl Attacks {
    fn of(view: &View, side: &Side, enemy: &Side) -> Attacks {
        let occupied = view.occupied();
        let open = !(side.men | enemy.pawn_attacks);
        let ring = enemy.king.map_or(0, attacks::king);
        let mut any = side.pawn_attacks | side.king.map_or(0, attacks::king);
        let mut on_king = 0;
        let mut of = |role: u64, reach: fn(u32, u64) -> u64| {
            let mut mobility = 0;
            for square in attacks::squares(role & side.men) {
                let reach = reach(square, occupied);
                any |= reach;
                mobility += (reach & open).count_ones() as i32;
                on_king += (reach & ring).count_ones() as i32;
            }
            mobility
        };
        let [_, knights, bishops, rooks, queens, _] = view.board.roles;
        let mobility = [
            of(knights, |square, _| attacks::knight(square)),
            of(bishops, attacks::bishop),
            of(rooks, attacks::rook),
            of(queens, |square, occupied| attacks::bishop(square, occupied) | attacks::rook(square, occupied)),
        ];
        Attacks { any, mobility, on_king }
    }
}

/// The terms of one side, in the order of the features.
fn terms(view: &View, side: &Side, enemy: &Side, own: &Attacks, theirs: &Attacks) -> [i32; 32] {
    let [pawns, knights, bishops, rooks, queens] = side.counts;
    let [_, _, _, rook_squares, _, kings] = view.board.roles;
    let rook_squares = rook_squares & side.men;
    let on = |files: u8| u64::from(files) * 0x0101_0101_0101_0101;
    let (own_files, all_files) = (on(side.files()), on(side.files() | enemy.files()));
    let seventh = if matches!(side.color, Color::White) { 0xff << 48 } else { 0xff << 8 };
    let count = |squares: u64| squares.count_ones() as i32;
    let mut passers = [0; 6];
    for pawn in attacks::squares(side.passers) {
        let (rank, bit) = (side.rank(pawn), 1_u64.wrapping_shl(pawn));
        passers[0] += 1;
        passers[1] += rank;
        passers[2] += rank * rank;
        passers[4] += rank * i32::from(side.pawn_attacks & bit != 0);
    }
    for (_, rank, before) in side.passed() {
        let nearer = |king: Option<u32>| king.map_or(0, |king| distance(king, before).min(5));
        passers[3] += rank * i32::from(view.occupied() & 1_u64.wrapping_shl(before) == 0);
        passers[5] += rank * (nearer(enemy.king) - nearer(side.king));
    }
    let enemy_pieces = enemy.men & !enemy.pawns & !kings;
    [
        i32::from(view.board.turn == side.color),
        pawns,
        knights,
        bishops,
        rooks,
        queens,
        i32::from(bishops >= 2),
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
        side.advance(),
        own.mobility[0],
        own.mobility[1],
        own.mobility[2],
        own.mobility[3],
        count(rook_squares & !all_files),
        count(rook_squares & all_files & !own_files),
        count(rook_squares & seventh),
        side.king.map_or(0, centrality),
        side.king.map_or(0, |king| shield(side, king)),
        own.on_king,
        count(side.pawn_attacks & enemy_pieces),
        count(own.any & enemy_pieces & !theirs.any),
    ]
}

/// Distance from the edge of the board in files and ranks together, 0 to 6.
fn centrality(king: u32) -> i32 {
    let from_edge = |line: u32| line.min(7 - line) as i32;
    from_edge(king % 8) + from_edge(king / 8)
}

/// Own pawns one or two ranks before the king on its own file and the next ones.
fn shield(side: &Side, king: u32) -> i32 {
    let king = 1_u64.wrapping_shl(king);
    let wide = king | (king & attacks::NOT_H) << 1 | (king & attacks::NOT_A) >> 1;
    let one = side.before(wide);
    (side.pawns & (one | side.before(one))).count_ones() as i32
}
