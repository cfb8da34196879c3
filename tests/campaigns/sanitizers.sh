#!/usr/bin/env bash
# Run the tests under ThreadSanitizer or AddressSanitizer.
#
#   tests/campaigns/sanitizers.sh thread
#   tests/campaigns/sanitizers.sh address -p drawish-games --lib
#
# Further arguments go to `cargo test`; without any, the light feature set is tested. CARGO and RUSTC select another toolchain.
#
# `thread` builds the standard library instrumented, because a precompiled one makes correct locks and channels look like races. It needs
# the library's sources (`rustup component add rust-src`, or the package with them that belongs to the compiler of a distribution) and the
# sanitizer's runtime. A compiler packaged without runtimes takes librustc-stable_rt.tsan.a of a rustup toolchain with the same LLVM,
# copied into its lib/rustlib/TARGET/lib.
#
# `address` works with a nightly or any compiler that has the runtime. In C, use-after-scope is not checked: GCC 12 moves constant local
# tables to read-only data and still poisons them when their scope ends, so that the next use is reported although the table is there.
#
# Reports are written to target/sanitizer/reports. Any report fails the run, even if no test noticed it.
set -euo pipefail
cd "$(dirname "$0")/../.."

net=${1:-}
case $net in
thread)
    flags='-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer'
    build=(-Zbuild-std)
    ;;
address)
    flags='-Zsanitizer=address'
    build=()
    export CFLAGS="${CFLAGS:--fno-sanitize-address-use-after-scope}"
    ;;
*)
    echo "expected thread or address; found '$net'" >&2
    exit 2
    ;;
esac
shift
if [ $# = 0 ]; then
    set -- --no-default-features --features cli --lib --bins --tests --no-fail-fast
fi

reports=$PWD/target/sanitizer/reports
rm -rf "$reports"
mkdir -p "$reports"
host=$("${RUSTC:-rustc}" -vV | sed -n 's/^host: //p')
# The flags are not stable, and are taken all the same.
export RUSTC_BOOTSTRAP=1 CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=line-tables-only
export RUSTFLAGS="${RUSTFLAGS:-} $flags"
export TSAN_OPTIONS="log_path=$reports/thread" ASAN_OPTIONS="log_path=$reports/address:detect_leaks=1"

status=0
"${CARGO:-cargo}" test "${build[@]}" --target "$host" --target-dir target/sanitizer "$@" || status=$?
found=$(find "$reports" -type f | wc -l)
echo "$found reports in target/sanitizer/reports"
[ "$found" = 0 ] && exit "$status"
exit 1
