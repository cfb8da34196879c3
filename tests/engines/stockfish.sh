#!/usr/bin/env bash
# Puts a WDL head into Stockfish and shows what changes: builds the sources as they are and with the head, and prints the W, D and L of
# both for three positions. The sources themselves stay as they are.
#
#   git clone https://github.com/official-stockfish/Stockfish && git -C Stockfish checkout sf_17
#   drawish wdl head games-of-stockfish.pgn.zst -o head.h
#   tests/engines/stockfish.sh Stockfish head.h [directory for the work]
#
# Stockfish 12 to 18. ARCH, COMP and JOBS are handed to its Makefile (default: x86-64, gcc, 2), DEPTH is the depth of the searches
# (14). Without the network's file, which Stockfish's Makefile loads, versions up to 15.1 are built for their classical
# evaluation.
set -euo pipefail

[ $# -ge 2 ] || { echo "usage: $0 STOCKFISH HEAD.h [DIRECTORY]" >&2; exit 2; }
source=$1 head=$2 work=${3:-$(mktemp -d)}
arch=${ARCH:-x86-64} comp=${COMP:-gcc} jobs=${JOBS:-2} depth=${DEPTH:-14}
[ -f "$source/src/uci.cpp" ] || { echo "$source: expected the sources of Stockfish, found no src/uci.cpp" >&2; exit 1; }
name=$(sed -n 's/^extern const unsigned char drawish_data_\([A-Za-z0-9_]*\)\[.*/\1/p' "$head" 2>/dev/null | head -n 1 || true)
[ -n "$name" ] || { echo "$head: expected a C header by \`drawish wdl head -o head.h\`" >&2; exit 1; }

fail() { echo "$0: $*" >&2; exit 1; }

# $1: replaces by an expression of sed in the file $2, and makes sure that something was replaced.
edit() {
    cp "$2" "$2.before"
    sed -i.sed -e "$1" "$2"
    ! cmp -s "$2" "$2.before" || fail "$2: found nothing to replace by $1; is this Stockfish 12 to 18?"
    rm -f "$2.before" "$2.sed"
}

mkdir -p "$work"
rm -rf "$work/before" "$work/after"
cp -R "$source/src" "$work/before"
cp -R "$source/src" "$work/after"

# ---- The head goes in: a file beside the sources, and three lines of them. ----
after=$work/after
cp "$head" "$after/drawish_head.h"
if grep -q 'to_cp(Value v, const Position' "$after/uci.h"; then
    # From version 17 on.
    uci=UCIEngine
    centipawns='UCIEngine::to_cp(v, pos)'
    decided='v >= VALUE_TB_WIN_IN_MAX_PLY ? 10000 : v <= VALUE_TB_LOSS_IN_MAX_PLY ? -10000 :'
else
    uci=UCI
    centipawns='std::atoi(UCI::value(v).c_str() + 3)'   # "cp 35"
    decided='v >= VALUE_MATE_IN_MAX_PLY ? 10000 : v <= VALUE_MATED_IN_MAX_PLY ? -10000 :'
fi
cat > "$after/drawish_wdl.h" <<HEADER
// W, D and L by a WDL head of drawish: https://github.com/official-stockfish/Stockfish is GPL-3.0-or-later, drawish.h is
// MIT OR Apache-2.0.
#include <cstdlib>
#define DRAWISH_IMPLEMENTATION
#include "drawish_head.h"

// The chances of the side to move. The head was fitted to evaluations as Stockfish shows them; mates are certain.
static drawish_wdl drawish_chances(Stockfish::Value v, const Stockfish::Position& pos) {
    using namespace Stockfish;
    static const drawish_heads heads = [] {
        drawish_heads opened;
        if (drawish_heads_open(&opened, drawish_data_$name, sizeof drawish_data_$name) != DRAWISH_OK
            || drawish_heads_verify(&opened) != DRAWISH_OK || !opened.has_wdl)
            std::abort();  // not the file that was built in
        return opened;
    }();
    const drawish_board board = {{pos.pieces(PAWN), pos.pieces(KNIGHT), pos.pieces(BISHOP), pos.pieces(ROOK),
                                  pos.pieces(QUEEN), pos.pieces(KING)},
                                 pos.pieces(WHITE), pos.pieces(BLACK), pos.side_to_move() == BLACK, pos.rule50_count()};
    return drawish_heads_wdl(&heads, &board, $decided $centipawns);
}
HEADER
# Stockfish 12 and 13 have no namespace of their own.
if ! grep -q 'namespace Stockfish' "$after/uci.cpp"; then
    edit 's/Stockfish::Value/Value/; s/Stockfish::Position/Position/; s/^    using namespace Stockfish;$//' "$after/drawish_wdl.h"
fi
if [ $uci = UCI ]; then
    # Up to version 16.1 it knows the ply, and now the position.
    edit 's/wdl(Value v, int ply)/wdl(Value v, const Position\& pos)/' "$after/uci.h"
    edit 's/UCI::wdl(Value v, int ply)/UCI::wdl(Value v, const Position\& pos)/' "$after/uci.cpp"
    edit 's/UCI::wdl(v, pos\.game_ply())/UCI::wdl(v, pos)/' "$after/search.cpp"
fi
edit 's/int wdl_w = win_rate_model( *v, *[a-z]*);/const drawish_wdl chances = drawish_chances(v, pos); int wdl_w = chances.win;/' "$after/uci.cpp"
edit 's/int wdl_l = win_rate_model(-v, *[a-z]*);/int wdl_l = chances.loss;/' "$after/uci.cpp"
# Behind the last line that includes something.
last=$(grep -n '^#include' "$after/uci.cpp" | tail -n 1 | cut -d: -f1)
edit "${last}a\\
#include \"drawish_wdl.h\"" "$after/uci.cpp"

# ---- Both are built. ----
target=build flags=
if grep -q '"Use NNUE"' "$source/src/"*.cpp && ! ls "$source"/src/nn-*.nnue >/dev/null 2>&1; then
    echo "no network beside the sources: built for the classical evaluation" >&2
    target=all flags=-DNNUE_EMBEDDING_OFF
fi
for which in before after; do
    make -C "$work/$which" -j "$jobs" $target ARCH="$arch" COMP="$comp" EXTRACXXFLAGS="$flags" > "$work/$which.log" 2>&1 \
        || { tail -n 20 "$work/$which.log" >&2; fail "the build failed; all of it said: $work/$which.log"; }
done

# ---- And asked. ----
ask() { # program, FEN
    {
        printf 'uci\nsetoption name UCI_ShowWDL value true\n'
        [ -z "$flags" ] || printf 'setoption name Use NNUE value false\n'
        printf 'position fen %s\ngo depth %s\n' "$2" "$depth"
        # The end of the input would end the search.
        for _ in $(seq 600); do
            sleep 0.1
            ! grep -q '^bestmove' "$work/said" 2>/dev/null || break
        done
        printf 'quit\n'
    } | "$1" > "$work/said"
    grep ' wdl ' "$work/said" | tail -n 1 | sed 's/.* score \(.*\) nodes.*/\1/'
    rm -f "$work/said"
}
while read -r fen; do
    [ -n "$fen" ] || continue
    echo "$fen"
    for which in before after; do
        printf '  %-7s %s\n' "$which" "$(ask "$work/$which/stockfish" "$fen")"
    done
done <<'POSITIONS'
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
8/5k2/4bp2/3p4/1P1P4/3BKP2/8/8 w - - 0 48
8/3k1p2/4b3/2B5/4KP2/6P1/8/8 w - - 0 48
POSITIONS
