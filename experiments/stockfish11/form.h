/* A form of drawish in the place of what Stockfish 11 knows of scale and complexity. variants.sh includes this file in evaluate.cpp
 * of the variant `form`.
 *
 * form.inc has the numbers of the file that `drawish form` or `drawish tune --within` writes, each a constexpr double; what they
 * mean stands there. FORM_NORMAL is the slope of these evaluations on the original's over positions of games, by which they are
 * divided so that the margins of the search keep their meaning; variants.sh measures it.
 */
#ifndef FORM_H
#define FORM_H

#include <algorithm>
#include <cmath>

#ifndef FORM_NORMAL
#define FORM_NORMAL 1.0
#endif

namespace form {

#include "form.inc"

/* A pawn is 213 units, and the numbers of complexity are centipawns. */
constexpr double UNITS = 2.13;
constexpr double WHOLE = 64;

inline int added_to_middlegame() { return int(std::lround(UNITS * complexity_middlegame)); }

inline int sum_of_complexity(const Position& pos, int passed, int outflanking, bool infiltration, bool flanks, bool unwinnable) {
    return int(std::lround(UNITS * (complexity
        + complexity_passed * passed
        + complexity_pawn * pos.count<PAWN>()
        + complexity_outflanking * outflanking
        + complexity_infiltration * infiltration
        + complexity_both_flanks * flanks
        + complexity_pawn_ending * !pos.non_pawn_material()
        + complexity_unwinnable * unwinnable)));
}

/* In 64ths, without the clock. */
inline double factor(const Position& pos, int passed, Color strong) {
    const Value own = pos.non_pawn_material(strong), other = pos.non_pawn_material(~strong);
    const int pawns = pos.count<PAWN>(strong);
    double sum;
    if (!pawns && own - other <= BishopValueMg)
        sum = own < RookValueMg ? pawnless_light : other <= BishopValueMg ? pawnless_minor : pawnless_rook;
    else if (pos.opposite_bishops() && pos.non_pawn_material() == 2 * BishopValueMg)
        sum = opposite_pure + opposite_pure_passed * passed;
    else if (pos.opposite_bishops())
        sum = opposite_base + opposite_per_pawn * pawns;
    else
        sum = base + per_pawn * pawns;
    const Bitboard all = pos.pieces(PAWN);
    if (all && !((all & QueenSide) && (all & KingSide)))
        sum += one_flank;
    if (!pos.non_pawn_material())
        sum += pawn_ending;
    else if (pos.pieces(QUEEN) && pos.pieces() == (pos.pieces(PAWN, QUEEN) | pos.pieces(KING)))
        sum += queen_ending;
    return std::min(std::max(sum, 0.0), WHOLE);
}

/* The evaluation times PHASE_MIDGAME, the phase of the middlegame alone. */
inline int blend(const Position& pos, int middle, int end, int phase, int passed) {
    const double less = factor(pos, passed, end > 0 ? WHITE : BLACK) / WHOLE - 1;
    const double both = middlegame / WHOLE * phase + endgame / WHOLE * (PHASE_MIDGAME - phase);
    const double beyond = std::max(0.0, pos.rule50_count() - clock_from);
    const double left = 1 - beyond * clock / WHOLE * both / PHASE_MIDGAME;
    const double sum = middle * double(phase) * std::max(0.0, 1 + less * middlegame / WHOLE)
                     + end * double(PHASE_MIDGAME - phase) * std::max(0.0, 1 + less * endgame / WHOLE);
    return int(std::lround(sum * std::min(std::max(left, 0.0), 2.0) / FORM_NORMAL));
}

} // namespace form

#endif
