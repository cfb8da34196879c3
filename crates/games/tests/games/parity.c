/* Reads boards from a file and writes all that drawish.h says of them, for a comparison with drawish-core. */
#define DRAWISH_IMPLEMENTATION
#include "drawish.h"

#include <stdio.h>
#include <stdlib.h>

static unsigned char *content(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    unsigned char *bytes = (unsigned char *)malloc(1 << 22);
    if (file == NULL || bytes == NULL)
        exit(3);
    *length = fread(bytes, 1, 1 << 22, file);
    fclose(file);
    return bytes;
}

static void put(int32_t number)
{
    uint32_t bits = (uint32_t)number;
    putchar((int)(bits & 0xff));
    putchar((int)(bits >> 8 & 0xff));
    putchar((int)(bits >> 16 & 0xff));
    putchar((int)(bits >> 24 & 0xff));
}

static void put_unsigned(uint32_t number) { put(number < 0x80000000u ? (int32_t)number : (int32_t)(number - 0x80000000u) - 0x7fffffff - 1); }

int main(void)
{
    static const char *const names[2] = {"some.heads", "small.heads"};
    drawish_heads heads[2];
    drawish_table table;
    unsigned char *bytes[3], record[70];
    size_t length;
    FILE *boards = fopen("boards", "rb");
    int i, j;
    if (boards == NULL)
        return 3;
    for (i = 0; i < 2; i++) {
        bytes[i] = content(names[i], &length);
        if (drawish_heads_open(&heads[i], bytes[i], length) != DRAWISH_OK || drawish_heads_verify(&heads[i]) != DRAWISH_OK)
            return 4;
    }
    bytes[2] = content("human.table", &length);
    if (drawish_table_open(&table, bytes[2], length) != DRAWISH_OK || drawish_table_verify(&table) != DRAWISH_OK)
        return 5;
    while (fread(record, 1, sizeof record, boards) == sizeof record) {
        int16_t values[DRAWISH_FEATURES];
        uint64_t words[8], white, black;
        drawish_board board;
        drawish_cell cell;
        uint32_t bits = 0;
        int32_t eval;
        for (i = 0; i < 8; i++) {
            words[i] = 0;
            for (j = 0; j < 8; j++)
                words[i] |= (uint64_t)record[8 * i + j] << 8 * j;
        }
        for (i = 0; i < 6; i++)
            board.role[i] = words[i];
        board.white = words[6];
        board.black = words[7];
        board.black_to_move = record[64];
        board.halfmoves = record[65];
        for (j = 0; j < 4; j++)
            bits |= (uint32_t)record[66 + j] << 8 * j;
        eval = bits < 0x80000000u ? (int32_t)bits : (int32_t)(bits - 0x80000000u) - 0x7fffffff - 1;
        drawish_features(&board, values);
        for (i = 0; i < DRAWISH_FEATURES; i++)
            put(values[i]);
        for (i = 0; i < 2; i++) {
            drawish_gain gain = drawish_heads_gain(&heads[i], &board);
            drawish_wdl wdl = drawish_heads_wdl(&heads[i], &board, eval);
            put(drawish_heads_draw_score(&heads[i], &board));
            put(drawish_heads_win_score(&heads[i], &board));
            put_unsigned(drawish_heads_expected(&heads[i], &board, eval));
            put(gain.gain);
            put(gain.mean);
            put(heads[i].has_gain ? drawish_gain_apply(gain, eval) : eval);
            put(wdl.win);
            put(wdl.draw);
            put(wdl.loss);
        }
        white = board.role[0] & board.white;
        black = board.role[0] & board.black;
        cell = drawish_table_cell(&table, white, black);
        put((int32_t)cell.probability);
        put(cell.draw_score);
        put((int32_t)cell.scale);
        for (i = 1; i <= 4; i++)
            put((int32_t)drawish_structure((unsigned)i, white, black));
    }
    for (i = 0; i < 3; i++)
        free(bytes[i]);
    fclose(boards);
    return 0;
}
