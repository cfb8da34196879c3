#!/usr/bin/env bash
# Goes round the fuzz targets, SECONDS each (60 unless told), again and again with --forever. Needs nightly and cargo-fuzz:
#   rustup toolchain install nightly && cargo install cargo-fuzz
# The seeds in corpus/ stay as they are; what is found goes to found/ and artifacts/, which are not committed.
# Usage: fuzz/run.sh [--forever] [SECONDS] [TARGET...]
set -euo pipefail
cd "$(dirname "$0")"
forever=false
if [ "${1:-}" = --forever ]; then forever=true; shift; fi
seconds=${1:-60}
shift || true
targets=("$@")
if [ ${#targets[@]} = 0 ]; then for seeds in corpus/*/; do targets+=("$(basename "$seeds")"); done; fi
status=0
while true; do
    for target in "${targets[@]}"; do
        mkdir -p "found/$target"
        dictionary=()
        if [ -f "dictionaries/$target.dict" ]; then dictionary=(-dict="dictionaries/$target.dict"); fi
        echo "== $target"
        nice -n 19 cargo +nightly fuzz run --fuzz-dir . "$target" "found/$target" "corpus/$target" -- \
            -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 "${dictionary[@]}" 2>&1 |
            grep -E 'error|panicked|SUMMARY|Test unit|BINGO|cov: .*DONE|DONE|stat::(number_of_executed|new_units|peak)' ||
            true
        if compgen -G "artifacts/$target/*" > /dev/null; then
            echo "$target: findings in fuzz/artifacts/$target"
            status=1
        fi
    done
    $forever || break
done
exit $status
