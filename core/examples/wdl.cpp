// Win, draw and loss of a position with an evaluation, in C++.
//
//   c++ -O2 -std=c++11 -I ../include wdl.cpp -o wdl
//   ./wdl example.heads "8/5k2/5b2/3p4/3P4/4B3/4KP2/8 w - - 0 1" 120
//
// The evaluation is in centipawns, of the side to move.
#define DRAWISH_IMPLEMENTATION
#include "drawish.h"

#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <vector>

static int complain(const char *what, drawish_status status) {
    std::cerr << what << ": " << drawish_status_text(status) << '\n';
    return 1;
}

int main(int argc, char **argv) {
    int32_t eval = 0;
    if (argc != 4 || !(std::istringstream(argv[3]) >> eval)) {
        std::cerr << "expected a .heads file, a FEN in quotes and an evaluation in centipawns\n";
        return 2;
    }
    std::ifstream file(argv[1], std::ios::binary);
    const std::vector<char> bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());

    drawish_heads heads;
    drawish_status status = drawish_heads_open(&heads, bytes.data(), bytes.size());
    if (status == DRAWISH_OK)
        status = drawish_heads_verify(&heads);
    if (status != DRAWISH_OK)
        return complain(argv[1], status);

    drawish_board board;
    status = drawish_board_from_fen(&board, argv[2]);
    if (status != DRAWISH_OK)
        return complain(argv[2], status);

    if (heads.has_wdl) {
        const drawish_wdl wdl = drawish_heads_wdl(&heads, &board, eval);
        std::printf("wdl %d %d %d\n", wdl.win, wdl.draw, wdl.loss);
    }
    if (heads.has_draw) {
        std::printf("drawscore %d\n", static_cast<int>(drawish_heads_draw_score(&heads, &board)));
        std::printf("expected %.4f\n", drawish_heads_expected(&heads, &board, eval) / 4294967296.0);
    }
    return 0;
}
