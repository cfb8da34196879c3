/* Win, draw and loss of a position with an evaluation, in C.
 *
 *   cc -O2 -I ../include wdl.c -o wdl
 *   ./wdl example.heads "8/5k2/5b2/3p4/3P4/4B3/4KP2/8 w - - 0 1" 120
 *
 * The evaluation is in centipawns, of the side to move.
 */
#define DRAWISH_IMPLEMENTATION
#include "drawish.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    static unsigned char bytes[1 << 17];
    enum drawish_status status;
    drawish_heads heads;
    drawish_board board;
    drawish_wdl wdl;
    size_t length;
    FILE *file;
    long eval;
    if (argc != 4) {
        fprintf(stderr, "expected a .heads file, a FEN in quotes and an evaluation in centipawns\n");
        return 2;
    }
    file = fopen(argv[1], "rb");
    if (file == NULL) {
        fprintf(stderr, "%s: cannot be read\n", argv[1]);
        return 1;
    }
    length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    status = drawish_heads_open(&heads, bytes, length);
    if (status == DRAWISH_OK)
        status = drawish_heads_verify(&heads);
    if (status != DRAWISH_OK) {
        fprintf(stderr, "%s: %s\n", argv[1], drawish_status_text(status));
        return 1;
    }
    status = drawish_board_from_fen(&board, argv[2]);
    if (status != DRAWISH_OK) {
        fprintf(stderr, "%s: %s\n", argv[2], drawish_status_text(status));
        return 1;
    }
    eval = strtol(argv[3], NULL, 10);
    eval = eval > 32767 ? 32767 : eval < -32767 ? -32767 : eval;
    if (heads.has_wdl) {
        wdl = drawish_heads_wdl(&heads, &board, (int32_t)eval);
        printf("wdl %d %d %d\n", wdl.win, wdl.draw, wdl.loss);
    }
    if (heads.has_draw) {
        printf("drawscore %d\n", (int)drawish_heads_draw_score(&heads, &board));
        printf("expected %.4f\n", drawish_heads_expected(&heads, &board, (int32_t)eval) / 4294967296.0);
    }
    return 0;
}
