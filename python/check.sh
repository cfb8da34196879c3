#!/usr/bin/env bash
# Builds the wheel from the sources with the tools that pyproject.toml names, installs it into a fresh environment, and runs its
# tests and the examples of its docstrings there.
#
# Needs Python 3.10 or later with pip and venv, and a Rust toolchain. PYTHON names another Python, WHEELS another place than
# target/wheels for the wheel, PROFILE another profile than release. What a build of the program has compiled is used again.
set -euo pipefail
cd "$(dirname "$0")"

python=${PYTHON:-python3}
if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))'; then
    echo 'the wheel needs Python 3.10 or later: install it, or name one in PYTHON' >&2
    exit 1
fi

fresh=$(mktemp -d)
trap 'rm -r "$fresh"' EXIT
"$python" -m venv "$fresh/venv"
pip=("$fresh/venv/bin/pip" --disable-pip-version-check --quiet)

export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/../target}
wheels=${WHEELS:-$CARGO_TARGET_DIR/wheels}
profile=${PROFILE:-release}
export MATURIN_PEP517_ARGS="--profile $profile"
"${pip[@]}" wheel . --no-deps --wheel-dir "$fresh/wheels"
wheel=$(ls "$fresh"/wheels/*.whl)
mkdir -p "$wheels"
cp "$wheel" "$wheels"

bytes=$(wc -c < "$wheel")
echo "$(basename "$wheel"): $bytes bytes"
if [ "$profile" = release ] && [ "$bytes" -gt 25000000 ]; then
    echo "the wheel has $bytes bytes, expected at most 25,000,000" >&2
    exit 1
fi

"${pip[@]}" install "$wheel[test,cluster]"
"$fresh/venv/bin/python" -m pytest --quiet --import-mode=append -p no:cacheprovider tests
