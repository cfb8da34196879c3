/* What drawish knows of a pawn structure, in the units of Stockfish 11. variants.sh includes this file in evaluate.cpp of the
 * variants that need it.
 *
 * table.inc has the bytes of a .table file. KNOWLEDGE_MEAN is the mean slope of knowledge_value over positions of games, by which
 * it is divided so that the margins of the search keep their meaning; slope.cpp measures it.
 */
#ifndef KNOWLEDGE_H
#define KNOWLEDGE_H

#include <cmath>
#include <cstdint>

#define DRAWISH_IMPLEMENTATION
#include "drawish.h"

#ifndef KNOWLEDGE_MEAN
#define KNOWLEDGE_MEAN 1.0
#endif

namespace knowledge {

constexpr unsigned char BYTES[] = {
#include "table.inc"
};

inline drawish_table opened() {
    drawish_table table;
    if (drawish_table_open(&table, BYTES, sizeof BYTES) != DRAWISH_OK)
        std::abort();
    return table;
}

const drawish_table TABLE = opened();

/* The draw model has kappa = 1, as the engine's arm draw-table. */
const double PRIOR = std::log(TABLE.base / (65535.0 - TABLE.base)) + std::log(2.0);
/* Logits of a unit of the evaluation: a pawn is 213 units, and 100 centipawns are ln(10)/4 logits. */
const double LOGITS = std::log(10.0) / 400.0 * 100.0 / 213.0;
/* Beyond this the evaluation knows a win. */
constexpr int KNOWN = 10000;

/* (1 - p) / (1 - base) of the structure, in 1/128: the patch of 2013. */
inline int scale(uint64_t white_pawns, uint64_t black_pawns) {
    return int(drawish_table_cell(&TABLE, white_pawns, black_pawns).scale);
}

/* An evaluation as the logit of the expected score that the draw model gives for it, before any normalisation. */
inline double expected(uint64_t white_pawns, uint64_t black_pawns, double value) {
    const double w = std::abs(value) * LOGITS;
    const double cell = drawish_table_cell(&TABLE, white_pawns, black_pawns).draw_score / 256.0;
    const double drawn = 1.0 / (1.0 + std::exp(-(PRIOR + cell - std::log(2.0 * std::cosh(w / 2.0)))));
    /* P = (1 - D) s(w) + D/2, and what is missing to 1 without a difference of numbers that are nearly equal. */
    const double loss = 1.0 / (1.0 + std::exp(w));
    const double odds = ((1.0 - drawn) * (1.0 - loss) + drawn / 2.0) / ((1.0 - drawn) * loss + drawn / 2.0);
    return std::copysign(std::log(odds) / LOGITS, value);
}

/* The same divided by its mean slope, as an evaluation. */
inline int value(uint64_t white_pawns, uint64_t black_pawns, int value) {
    if (value == 0 || value >= KNOWN || value <= -KNOWN)
        return value;
    return int(std::lround(expected(white_pawns, black_pawns, value) / KNOWLEDGE_MEAN));
}

} // namespace knowledge

#endif
