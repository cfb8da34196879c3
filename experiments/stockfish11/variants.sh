#!/usr/bin/env bash
# Variants of Stockfish 11 that differ in what they know about draws: made, built, and played against the original.
#
#   variants.sh build CHECKOUT DIR [VARIANT...]            CHECKOUT is a clean tree of the tag sf_11; DIR is made
#   variants.sh play  DIR BOOK PAIRS VARIANT...            VARIANT against original, 5,000 nodes a move; goes on where it was ended
#   variants.sh judge DIR                                  Elo of every variant so far
#   variants.sh tunable CHECKOUT DIR                       the original with two margins of its search as UCI options
#
# Variants: off no-initiative patch patch-instead table form original (README.md says what each is). The program is $DRAWISH, or
# `drawish`; `form` takes the numbers of $FORM, a file that `drawish tune --within` has written.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
drawish=${DRAWISH:-drawish}
# Of the release, as its commit message has it: a build that searches otherwise is not the engine that is asked about.
bench=5156767
seed=${SEED:-20261123}
nodes=${NODES:-5000}

fail() { echo "variants.sh: $*" >&2; exit 1; }

# Replaces text on the one line that matches, or fails: a tree in which the place is missing is not Stockfish 11.
change() { # FILE PATTERN COMMAND
    local found
    found=$(grep -c -- "$2" "$1" || true)
    [ "$found" = 1 ] || fail "$1: expected one line with \"$2\", found $found; is this the tag sf_11?"
    sed -i -e "/$2/$3" "$1"
}

# The searched nodes of its bench.
benched() { "$1" bench 2>&1 | sed -n 's/^Nodes searched *: *//p'; }

compile() { # TREE FLAGS
    make -C "$1/src" -j"${JOBS:-1}" "${TARGET:-profile-build}" ARCH="${ARCH:-x86-64-modern}" COMP="${COMP:-gcc}" EXTRACXXFLAGS="$2" \
        > "$1/build.log" 2>&1 || fail "no build: see $1/build.log"
}

knowledge() { # TREE
    cp "$here/knowledge.h" "$root/core/include/drawish.h" "$1/src/"
    od -An -v -t u1 "${TABLE:-$root/tables/human.table}" | sed 's/  */,/g; s/^,//; s/$/,/' > "$1/src/table.inc"
    change "$1/src/evaluate.cpp" '^#include "evaluate.h"' 'a #include "knowledge.h"'
}

# The original's own evaluations of the positions by which the arms of drawish are normalised, in its units.
evaluations() { # PROGRAM TREE
    local fens=$root/crates/heads/src/normalisation.fens
    sed 's/.*/position fen &\neval/' "$fens" | "$1" | tr -d '\r' \
        | sed -n 's/^Total evaluation: *\(-\{0,1\}[0-9.]*\).*/\1/p; s/^Total evaluation: none.*/in-check/p' > "$2/evaluations.txt"
    paste -d' ' "$2/evaluations.txt" "$fens" | grep -v '^in-check' \
        | awk '{ v = $1 * 213; sub(/^[^ ]* /, ""); print v, $0 }' > "$2/evaluated.txt"
}

# The slope of a variant's evaluations on the original's, by least squares without a constant.
slope() { # DIR VARIANT
    evaluations "$1/original/src/stockfish" "$1/original"
    evaluations "$1/$2/src/stockfish" "$1/$2"
    paste "$1/original/evaluations.txt" "$1/$2/evaluations.txt" \
        | awk '$1 != "in-check" { xy += $1 * $2; xx += $1 * $1 } END { printf "%.6f", xy / xx }'
}

vary() { # TREE VARIANT
    local eval=$1/src/evaluate.cpp own='pos.pieces(WHITE, PAWN), pos.pieces(BLACK, PAWN)'
    case $2 in
    original) ;;
    off) change "$eval" '(sf == SCALE_FACTOR_NORMAL)' 's/sf == SCALE_FACTOR_NORMAL/false/' ;;
    no-initiative) change "$eval" '+= initiative' 'd' ;;
    patch)
        knowledge "$1"
        change "$eval" 'return ScaleFactor(sf)' "s|(sf)|((sf * knowledge::scale($own) + 64) / 128)|"
        ;;
    patch-instead)
        knowledge "$1"
        change "$eval" '(sf == SCALE_FACTOR_NORMAL)' 's/sf == SCALE_FACTOR_NORMAL/false/'
        change "$eval" 'return ScaleFactor(sf)' \
            "s|(sf)|(sf == SCALE_FACTOR_NORMAL ? (knowledge::scale($own) + 1) / 2 : sf)|"
        ;;
    table)
        knowledge "$1"
        change "$eval" 'return Evaluation<NO_TRACE>' "s|return \(.*\);|return Value(knowledge::value($own, \1));|"
        ;;
    form)
        [ -s "${FORM:-}" ] || fail "form: expected \$FORM, the file of a form; drawish form writes one"
        cp "$here/form.h" "$1/src/"
        sed -n '/^\[values\]/,/^\[search\]/s/^\([a-z_]*\) = \([-0-9.]*\).*/constexpr double \1 = \2;/p' "$FORM" > "$1/src/form.inc"
        change "$eval" '^#include "thread.h"' 'a #include "form.h"'
        change "$eval" '(sf == SCALE_FACTOR_NORMAL)' 's/sf == SCALE_FACTOR_NORMAL/false/'
        change "$eval" 'int complexity =' 's|=.*|= form::sum_of_complexity(pos, pe->passed_count(), outflanking, infiltration, pawnsOnBothFlanks, almostUnwinnable);|'
        change "$eval" '- 100 ;' 'd'
        sed -i '/int complexity =/,/^$/{/^ *[+-] /d}' "$eval"
        change "$eval" 'complexity + 50' 's/50/form::added_to_middlegame()/'
        change "$eval" 'v =  mg_value(score)' \
            's/v = /v = sf == SCALE_FACTOR_NORMAL ? Value(form::blend(pos, mg_value(score), eg_value(score), me->game_phase(), pe->passed_count())) : /'
        # Pawnless endings have numbers in the form.
        change "$1/src/material.cpp" 'npm_w - npm_b <=' 's/(!/(false \&\& !/'
        change "$1/src/material.cpp" 'npm_b - npm_w <=' 's/(!/(false \&\& !/'
        ;;
    *) fail "no variant $2" ;;
    esac
}

build() { # CHECKOUT DIR [VARIANT...]
    local checkout=$1 dir=$2 variant flags found
    shift 2
    [ -f "$checkout/src/evaluate.cpp" ] || fail "$checkout: expected a tree of Stockfish 11 with src/evaluate.cpp"
    mkdir -p "$dir"
    [ $# -gt 0 ] || set -- off patch table patch-instead no-initiative
    for variant in original "$@"; do
        if [ -x "$dir/$variant/src/stockfish" ]; then continue; fi
        rm -rf "${dir:?}/$variant"
        mkdir -p "$dir/$variant"
        cp -R "$checkout/src" "$dir/$variant/"
        vary "$dir/$variant" "$variant"
        flags=
        if [ "$variant" = table ]; then
            evaluations "$dir/original/src/stockfish" "$dir/$variant"
            ${CXX:-g++} -O2 -I "$dir/$variant/src" "$here/slope.cpp" -o "$dir/$variant/slope"
            flags=-DKNOWLEDGE_MEAN=$("$dir/$variant/slope" < "$dir/$variant/evaluated.txt")
        fi
        if [ "$variant" = form ]; then
            TARGET=build compile "$dir/$variant" ""
            flags=-DFORM_NORMAL=$(slope "$dir" form)
            rm "$dir/$variant/src/"*.o
        fi
        compile "$dir/$variant" "$flags"
        found=$(benched "$dir/$variant/src/stockfish")
        if [ "$variant" = original ] && [ "$found" != "$bench" ]; then
            rm -f "$dir/$variant/src/stockfish"
            fail "$checkout: expected the bench of Stockfish 11, $bench, found $found"
        fi
        if [ "$variant" != original ] && [ "$found" = "$bench" ]; then
            rm -f "$dir/$variant/src/stockfish"
            fail "$variant: searches as the original does, so nothing was changed"
        fi
        echo "$variant: bench $found $flags"
    done
}

tunable() { # CHECKOUT DIR
    local dir=$2 search=$2/tunable/src/search.cpp options=$2/tunable/src/ucioption.cpp
    rm -rf "${dir:?}/tunable"
    mkdir -p "$dir/tunable"
    cp -R "$1/src" "$dir/tunable/"
    change "$search" 'constexpr int RazorMargin' 's/.*/  #define RazorMargin int(Options["RazorMargin"])/'
    change "$search" 'return Value(217 ' 's/217/int(Options["FutilityMargin"])/'
    change "$options" 'o\["Hash"\]' 'a o["RazorMargin"] << Option(531, 0, 2000);\n  o["FutilityMargin"] << Option(217, 0, 1000);'
    compile "$dir/tunable" ""
    local found
    found=$(benched "$dir/tunable/src/stockfish")
    [ "$found" = "$bench" ] || fail "tunable: expected the bench of Stockfish 11, $bench, found $found"
    echo "tunable: bench $found"
}

play() { # DIR BOOK PAIRS VARIANT...
    local dir=$1 book=$2 pairs=$3 variant resume
    shift 3
    for variant in "$@"; do
        resume=
        if [ -s "$dir/$variant.jsonl" ]; then resume=--resume; fi
        "$drawish" match --engine cmd="$dir/$variant/src/stockfish" name="$variant" --engine cmd="$dir/original/src/stockfish" name=original \
            --each option.Hash=16 option.Threads=1 --openings "$book" --nodes "$nodes" --pairs "$pairs" --seed "$seed" -j "${JOBS:-1}" \
            --log "$dir/$variant.jsonl" $resume --quiet
    done
}

judge() { # DIR
    local log
    for log in "$1"/*.jsonl; do
        [ -s "$log" ] || fail "$1: expected logs of matches, *.jsonl; see play"
        "$drawish" sprt "$log" | grep -v '^$'
    done
}

verb=${1:-}
[ $# -gt 0 ] && shift
case $verb in
build) [ $# -ge 2 ] || fail "build CHECKOUT DIR [VARIANT...]"; build "$@" ;;
tunable) [ $# -eq 2 ] || fail "tunable CHECKOUT DIR"; tunable "$@" ;;
play) [ $# -ge 4 ] || fail "play DIR BOOK PAIRS VARIANT..."; play "$@" ;;
judge) [ $# -eq 1 ] || fail "judge DIR"; judge "$1" ;;
*) sed -n '2,10s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 2 ;;
esac
