/* The engine's side in C: includes the header that `drawish table games.counts -o pawns.h` writes.
 *
 *   cc -O2 probe.c -o probe
 *   ./probe                  prints every cell: number, probability, drawScore, scaling factor
 *   ./probe WHITE BLACK      prints the cell of two pawn bitboards in hexadecimal, a1 = bit 0
 */
#include <inttypes.h>
#include <stdio.h>

#include "pawns.h"

int main(int argc, char **argv) {
    if (argc == 3) {
        uint64_t white, black;
        if (sscanf(argv[1], "%" SCNx64, &white) != 1 || sscanf(argv[2], "%" SCNx64, &black) != 1) {
            fprintf(stderr, "expected two bitboards in hexadecimal\n");
            return 2;
        }
        printf("%u\n", drawish_index(white, black));
        return 0;
    }
    for (int cell = 0; cell < DRAWISH_CELLS; cell++) {
        printf("%d %d %d %d\n", cell, drawish_probability[cell], drawish_draw_score[cell], drawish_scale[cell]);
    }
    return 0;
}
