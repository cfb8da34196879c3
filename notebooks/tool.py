"""Runs `drawish` and shows the command, so that every figure of a notebook can be made again in a shell."""

import importlib.util
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

OUT = Path("out")
OUT.mkdir(exist_ok=True)


def _program():
    """The program named in DRAWISH, that of this checkout, that of the Python package, or one in the path."""
    named = os.environ.get("DRAWISH")
    built = Path("../target/release/drawish")
    if named or built.exists():
        return [named or str(built)]
    if importlib.util.find_spec("drawish"):
        return [sys.executable, "-m", "drawish"]
    found = shutil.which("drawish")
    if not found:
        raise SystemExit("no drawish found: run `cargo build --release` or `pip install ../python`, or name the program in DRAWISH")
    return [found]


def drawish(*words, show=True, codes=(0,)):
    """Runs `drawish WORDS` in this directory and returns what it prints; any exit code but CODES is an error."""
    words = [str(word) for word in words]
    if show:
        print("$ drawish", shlex.join(words))
    ran = subprocess.run([*_program(), *words], capture_output=True, text=True)
    if ran.returncode not in codes:
        raise RuntimeError(f"drawish {shlex.join(words)}: exit code {ran.returncode}\n{ran.stdout}{ran.stderr}")
    # How long it took is left out, so that the same outputs come out on every machine.
    return re.sub(r" in \d+\.\d s$", "", ran.stdout, flags=re.MULTILINE)


def read_json(*words, show=True, codes=(0,)):
    """The same with --json, as Python objects."""
    return json.loads(drawish(*words, "--json", show=show, codes=codes))


def sample(default="../src/cli/demo/sample.pgn.zst"):
    """The games to read: those of GAMES in the environment, or the sample, which `drawish demo` writes out, too."""
    return os.environ.get("GAMES", default)


def fresh(*names):
    """Paths in `out`, without what an earlier run left there."""
    paths = [OUT / name for name in names]
    for path in paths:
        path.unlink(missing_ok=True)
    return paths
