#!/usr/bin/env bash
# Executes every notebook and checks what is committed. `check.sh --write` also puts the fresh outputs into the notebooks.
#
# Needs Python 3.11 or later, and `drawish` with the default features: the program named in DRAWISH, or target/release/drawish, which is built
# if it is not there. Notebook 5 also needs the package for Python: the wheel that python/check.sh leaves in target/wheels, or in the
# directory of WHEELS. PYTHON names another Python, VENV another place than target/notebooks for the packages of requirements.txt.
set -euo pipefail
if [[ -n ${DRAWISH:-} ]]; then
    DRAWISH=$(realpath "$DRAWISH")
fi
cd "$(dirname "$0")"

write=${1:-}
if [[ -n $write && $write != --write ]]; then
    echo 'usage: notebooks/check.sh [--write]' >&2
    exit 2
fi
# The outputs in the repository are those of the shipped sample.
unset GAMES LOG

python=${PYTHON:-python3}
if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    echo "the notebooks need Python 3.11 or later, with venv: install it, or name one in PYTHON" >&2
    exit 1
fi

if [[ -z ${DRAWISH:-} && ! -x ../target/release/drawish ]]; then
    (cd .. && cargo build --release)
fi

venv=${VENV:-../target/notebooks}
if ! cmp -s requirements.txt "$venv/installed"; then
    mkdir -p "$venv"
    "$python" -m venv --clear "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check --requirement requirements.txt
    cp requirements.txt "$venv/installed"
fi

wheel=$(ls -t "${WHEELS:-${CARGO_TARGET_DIR:-../target}/wheels}"/*.whl 2> /dev/null | head -n 1)
if [[ -n $wheel ]]; then
    "$venv/bin/pip" install --quiet --disable-pip-version-check --force-reinstall --no-deps "$wheel"
fi
notebooks=()
for notebook in ./*.ipynb; do
    if [[ -z $wheel ]] && grep -q '"import drawish' "$notebook"; then
        echo "skipped: $notebook: it needs the package for Python, which python/check.sh builds"
    else
        notebooks+=("$notebook")
    fi
done

if [[ $write != --write ]]; then
    "$venv/bin/python" check.py committed ./*.ipynb
fi

fresh=$(mktemp -d)
trap 'rm -r "$fresh"' EXIT
"$venv/bin/python" check.py execute "$fresh" "${notebooks[@]}"
"$venv/bin/python" check.py committed "$fresh"/*.ipynb
if [[ $write == --write ]]; then
    cp "$fresh"/*.ipynb .
fi
