#!/usr/bin/env bash
# Run every verb with threads or engines once, small, with a program that ThreadSanitizer was built into.
#
#   tests/campaigns/threads.sh target/sanitizer/HOST/debug/drawish target/sanitizer/HOST/debug/fake-engine
#
# `sanitizers.sh thread` builds both. Each run must end with the exit code before its name, and without a report. Without the
# sanitizer the exit codes are checked all the same.
set -uo pipefail
shopt -s failglob
program=$(realpath "$1") fake=$(realpath "$2")
sample=$(realpath "$(dirname "$0")/../../src/cli/demo/sample.pgn.zst")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir reports
export TSAN_OPTIONS="log_path=$work/reports/report ${TSAN_OPTIONS:-}"
zstd -dcq "$sample" >all.pgn
head -c 1500000 all.pgn >a.pgn
tail -c 1500000 all.pgn >b.pgn
head -c 60000 all.pgn >few.pgn
zstd -q -k b.pgn
printf 'per_pawn, float, 2, 0, 20, 2, 0.01\nsearch.razor, int, 20, 0, 400, 40, 0.01\n' >parameters.txt
cat >book.epd <<'EPD'
rnbqkbnr/ppp1p1pp/8/3p1p2/3P4/2N5/PPP1PPPP/R1BQKBNR w KQkq - 0 3
rnbqkb1r/pppp1ppp/8/4P3/4n3/8/PPP2PPP/RNBQKBNR w KQkq - 1 4
rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2
rnbqkbnr/pppp1ppp/4p3/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq - 0 2
EPD

runs=0 wrong=0
run() {
    local expected=$1 name=$2 code=0
    shift 2
    timeout 300 "$@" >out 2>err </dev/null || code=$?
    runs=$((runs + 1))
    if [ "$code" != "$expected" ]; then
        wrong=$((wrong + 1))
        echo "$name: exit code $code, expected $expected: $(tail -n 3 err)"
    fi
}
# The same, and after some seconds SIGINT.
interrupted() {
    local expected=$1 name=$2 seconds=$3
    shift 3
    # shellcheck disable=SC2016 # The inner shell expands it.
    run "$expected" "$name" bash -c 'set -m; seconds=$1; shift; "$@" & sleep "$seconds"; kill -INT $!; wait $!' interrupted "$seconds" "$@"
}
dialogue() {
    echo uci
    echo 'position startpos moves e2e4'
    echo 'go infinite'
    sleep 2
    printf '%s\n' isready stop 'go ponder wtime 2000 btime 2000'
    sleep 2
    echo ponderhit
    sleep 3
    printf '%s\n' 'setoption name Hash value 2' ucinewgame 'go nodes 5000' 'go perft 2'
    sleep 3
    echo 'go infinite'
    sleep 1
    echo quit
}

dialogue | "$program" uci >out || wrong=$((wrong + 1))
runs=$((runs + 1))
games=(a.pgn b.pgn.zst)
run 0 collect "$program" collect "${games[@]}" -j 2 -o x.counts -q
run 0 'collect with four threads' "$program" collect all.pgn a.pgn b.pgn -j 4 --dedupe -o y.counts -q
run 0 'wdl collect' "$program" wdl collect "${games[@]}" -j 2 -o x.wdl -q
run 0 'wdl head' "$program" wdl head few.pgn -j 2 -o head.toml
run 0 estimate "$program" relevance estimate a.pgn --bootstrap 20
run 0 annotate "$program" relevance annotate a.pgn -o annotated.pgn -q

common=(--openings book.epd --seed 3 -j 2 -q)
arms=(--engine arm=none name=a --engine arm=draw-table name=b)
uci=(--engine "cmd=$program" args=uci name=a option.Hash=1 --engine "cmd=$program" args=uci name=b option.Hash=2)
run 0 match "$program" match "${arms[@]}" "${common[@]}" --nodes 40 --pairs 3 --log m.jsonl --pgn m.pgn
run 0 resume "$program" match "${arms[@]}" "${common[@]}" --nodes 40 --pairs 4 --log m.jsonl --pgn m.pgn --resume
run 0 range "$program" match "${arms[@]}" "${common[@]}" --nodes 40 --pairs 4 --range 1..2 --log range.jsonl
run 0 processes "$program" match "${uci[@]}" "${common[@]}" --nodes 40 --pairs 2 --log p.jsonl
run 0 ponder "$program" match "${uci[@]}" --each ponder=on "${common[@]}" --tc 2+0.02 --time-margin 60000 --pairs 2 --engine-log e.log --log t.jsonl
interrupted 130 'interrupted arms' 5 "$program" match "${arms[@]}" "${common[@]}" --nodes 20000 --pairs 4 --log i.jsonl
interrupted 130 'interrupted engines' 8 "$program" match "${uci[@]}" "${common[@]}" --movetime 0.5 --pairs 4 --log j.jsonl

against() {
    local behaviour=$1
    shift
    run 0 "against $behaviour" "$program" match --engine "cmd=$fake" args=plays name=a --engine "cmd=$fake" args="$behaviour" name=b "$@" \
        "${common[@]}" --pairs 4 --log "$behaviour.jsonl" --engine-log "$behaviour.log"
}
for behaviour in plays_otherwise dies_once dies_in_its_fifth_move plays_an_illegal_move answers_twice shouts gives_up waits_for_stop \
    falls_silent never_ends_its_line thinks_too_long; do
    against "$behaviour" --each movetime=0.3
done
for behaviour in ponders ponders_nothing ponders_illegally ponders_early ponders_for_ever dies_in_ponder; do
    against "$behaviour" ponder=on --each tc=3+0.1
done
run 1 'no engine' "$program" match --engine "cmd=$fake" args=plays name=a --engine "cmd=$fake" args=is_no_engine name=b "${common[@]}" --movetime 1 --log n.jsonl
run 0 tournament "$program" tournament "${arms[@]}" --engine arm=constant name=c --allow-equal "${common[@]}" --nodes 50 --pairs 3 --log all.jsonl
run 1 'tournament with faults' "$program" tournament --engine "cmd=$fake" args=plays name=a --engine "cmd=$fake" args=plays_otherwise name=b \
    --engine "cmd=$fake" args=dies_in_its_fifth_move name=c "${common[@]}" --movetime 1 --pairs 3 --log faults.jsonl
run 0 gauntlet "$program" gauntlet --engine arm=none name=a --engine arm=constant name=b --allow-equal --opponent arm=draw-table name=o \
    "${common[@]}" --nodes 50 --pairs 2 --logs gauntlet
run 0 form "$program" form -o form.toml
run 0 spsa "$program" spsa --engine arm=form form=form.toml name=f --parameters parameters.txt "${common[@]}" --nodes 40 --pairs 4 \
    --pairs-per-step 1 --lag 2 --log s.jsonl
run 0 'experiment new' "$program" experiment new x.toml --book book.epd --arm arm=draw-table --nodes 40 --pairs 2
run 0 experiment "$program" experiment run x.toml -q -j 2
run 0 fastchess "$program" fastchess -engine "cmd=$fake" args=plays name=a -engine "cmd=$fake" args=plays_otherwise name=b -each st=1 \
    -openings file=book.epd format=epd -games 2 -rounds 2 -concurrency 2

found=$(find reports -type f | wc -l)
echo "$runs runs, $wrong with another exit code, $found reports"
[ "$found" = 0 ] || cat reports/*
[ "$wrong" = 0 ] && [ "$found" = 0 ]
