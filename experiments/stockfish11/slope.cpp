/* The mean slope of knowledge::expected, and the mean scale factor: reads lines of an evaluation in units of Stockfish 11 and a FEN. */
#include <cstdio>
#include <cstdlib>

#include "knowledge.h"

int main() {
    char line[256];
    double slopes = 0, scales = 0, squares = 0;
    long n = 0;
    while (std::fgets(line, sizeof line, stdin)) {
        char *fen;
        const double value = std::strtod(line, &fen);
        while (*fen == ' ')
            ++fen;
        drawish_board board;
        if (drawish_board_from_fen(&board, fen) != DRAWISH_OK || value >= knowledge::KNOWN || value <= -knowledge::KNOWN)
            continue;
        const uint64_t white = board.role[0] & board.white, black = board.role[0] & board.black;
        const double size = value < 0 ? -value : value;
        slopes += (knowledge::expected(white, black, size + 1) - knowledge::expected(white, black, size)) / 1.0;
        const double scale = knowledge::scale(white, black) / 128.0;
        scales += scale;
        squares += scale * scale;
        ++n;
    }
    if (n == 0) {
        std::fputs("no positions\n", stderr);
        return 1;
    }
    const double mean = scales / n;
    std::fprintf(stderr, "%ld positions: mean scale factor %.4f, standard deviation %.4f\n", n, mean, std::sqrt(squares / n - mean * mean));
    std::printf("%.6f\n", slopes / n);
    return 0;
}
