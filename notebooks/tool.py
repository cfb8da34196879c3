"""Runs `drawish` and shows the command, so that every figure of a notebook can be made again in a shell."""

import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

OUT = Path("out")
OUT.mkdir(exist_ok=True)


def _binary():
    named = os.environ.get("DRAWISH")
    built = Path("../target/release/drawish")
    found = named or (built if built.exists() else shutil.which("drawish"))
    if not found:
        raise SystemExit("no drawish found: run `cargo build --release`, or name the program in DRAWISH")
    return str(found)


def drawish(*words, show=True, codes=(0,)):
    """Runs `drawish WORDS` in this directory and returns what it prints; any exit code but CODES is an error."""
    words = [str(word) for word in words]
    if show:
        print("$ drawish", shlex.join(words))
    ran = subprocess.run([_binary(), *words], capture_output=True, text=True)
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
