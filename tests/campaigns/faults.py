#!/usr/bin/env python3
"""Kills and faults: what stays of a run that is killed, out of disk, not allowed to write, or whose calls are cut short.

    tests/campaigns/faults.py target/release/drawish [--times 50] [--only kill,full,short,readonly,twice]

Each verb works on the games that the project ships. Wanted after every fault: an output is absent, as it was before, or byte for
byte that of an undisturbed run; no other file is left but the state that the next run goes on from; the same command then gives
the undisturbed output; and one message on one line names the file. Counts are printed for each verb; the exit code is 1 if
anything else was found. Parts that need root (full disk, another user) or a C compiler are skipped with a line where they are absent.
"""

import argparse
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GAMES = ROOT / "src/cli/demo/sample.pgn.zst"
ARMS = "--openings random:8 --seed 1 -q"

# Verb, the command, its outputs, what may lie beside them after a kill, and what the next run adds to the command.
VERBS = [
    ("collect", "collect games.pgn more.pgn -o a.counts -q --min-moves 0 --at 20", ["a.counts"], ["a.counts.partial"], ""),
    ("wdl collect", "wdl collect games.pgn more.pgn -o a.wdl -o a.json -q", ["a.wdl", "a.json"], [], ""),
    ("positions", "positions games.pgn -o a.parquet -q --min-moves 0 --at 20", ["a.parquet"], [], ""),
    ("tune", "tune rows.parquet -o a.toml -o a.heads -q", ["a.toml", "a.heads"], [], ""),
    ("annotate", "relevance annotate games.pgn -o a.pgn -q", ["a.pgn"], [], ""),
    (
        "match",
        f"match --engine arm=none name=a nodes=300 --engine arm=scale-table name=b nodes=300 {ARMS} --pairs 40 --log a.jsonl --pgn a.pgn",
        ["a.jsonl", "a.pgn"],
        ["a.jsonl", "a.pgn"],
        "--resume",
    ),
    (
        "gauntlet",
        f"gauntlet --engine arm=none name=a nodes=200 --engine arm=scale-table name=b nodes=200 --opponent arm=none name=c nodes=100 "
        f"{ARMS} --pairs 20 --logs logs",
        ["logs"],
        ["logs"],
        "",
    ),
    ("experiment", "experiment run trial.toml -q -j 1", ["trial"], ["trial"], ""),
]


# In front of read and write: some calls answer EINTR, others do part of what was asked, by a generator that SEED starts.
CALLS = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static unsigned long long state;

/* How much of a call is done: all, part, or nothing (0: interrupted). */
static size_t part(size_t asked)
{
    if (state == 0) {
        const char *seed = getenv("SEED");
        state = seed ? strtoull(seed, 0, 10) * 0x9e3779b97f4a7c15ull : 1;
        const char *calls = getenv("CALLS");
        if (calls) close(open(calls, O_CREAT | O_WRONLY, 0600));
    }
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    unsigned chance = (unsigned)(state >> 33) % 8;
    return chance == 0 ? 0 : chance < 4 && asked > 1 ? 1 + (size_t)(state >> 40) % (asked - 1) : asked;
}

#define FRONT(name, type)                                                      \
    ssize_t name(int file, type bytes, size_t count)                           \
    {                                                                          \
        static ssize_t (*real)(int, type, size_t);                             \
        if (!real) real = (ssize_t (*)(int, type, size_t))dlsym(RTLD_NEXT, #name); \
        size_t some = count ? part(count) : 0;                                 \
        if (count && some == 0) { errno = EINTR; return -1; }                  \
        return real(file, bytes, some);                                        \
    }
FRONT(read, void *)
FRONT(write, const void *)
"""

# A small experiment; DIGEST is that of its book.
EXPERIMENT = """\
title = "A trial"
question = "Is it worth anything?"
registered = "before its games"
match = { book = "book.epd", book-xxh3 = "DIGEST", seed = 7, nodes = 300, pairs = 4 }
judgement = { margin = 3.0, level = 0.05, elo0 = 0.0, elo1 = 5.0 }
baseline = { name = "none", what = "as it is", settings = { arm = "none", hash = 1 } }
[[arm]]
name = "constant"
role = "control"
what = "must be 0"
settings = { arm = "constant", hash = 1 }
[[arm]]
name = "table"
what = "a table"
settings = { arm = "draw-table", table = "rival", taper = false, hash = 1 }
"""
BOOK = """\
rnbqkbnr/ppp1p1pp/8/3p1p2/3P4/2N5/PPP1PPPP/R1BQKBNR w KQkq - 0 3
rnbqkb1r/pppp1ppp/8/4P3/4n3/8/PPP2PPP/RNBQKBNR w KQkq - 1 4
rnbqkbnr/pp1p1p1p/4p1p1/2p5/4P3/2N2N2/PPPP1PPP/R1BQKB1R w KQkq - 0 4
r1bqkbnr/pppp2pp/2n2p2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3
"""


class Finding(Exception):
    """What should not be."""


def contents(path):
    """A file, or all files of a directory by name; None if there is nothing."""
    if path.is_dir():
        return {str(file.relative_to(path)): file.read_bytes() for file in sorted(path.rglob("*")) if file.is_file()}
    return path.read_bytes() if path.exists() else None


class Campaign:
    def __init__(self, program, times):
        self.program, self.times = str(Path(program).resolve()), times
        self.place = Path(tempfile.mkdtemp(prefix="drawish-faults-"))
        self.findings = 0
        # A run takes long enough to be hit, and a campaign minutes: so many of the shipped games, plain, in two files.
        text = subprocess.run([self.program, "relevance", "annotate", GAMES, "-o", "-", "-q"], capture_output=True, check=True).stdout
        games = [b"[Event " + game for game in text.split(b"[Event ")[1:]]
        (self.place / "games.pgn").write_bytes(b"".join(games[:700]))
        (self.place / "more.pgn").write_bytes(b"".join(games[700:1000]))
        (self.place / "book.epd").write_text(BOOK)
        trial = self.place / "trial.toml"
        trial.write_text(EXPERIMENT.replace("DIGEST", "0" * 32))
        # The refusal of another book names the digest of this one.
        refused = self.run("experiment run trial.toml -q").stderr
        digest = next(word for word in re.findall(r"[0-9a-f]{32}", refused) if word != "0" * 32)
        trial.write_text(EXPERIMENT.replace("DIGEST", digest))
        subprocess.run(
            [self.program, *"positions games.pgn -o rows.parquet -q --min-moves 0 --at 20".split()], cwd=self.place, check=False
        )
        self.given = {entry.name for entry in self.place.iterdir()}

    def clear(self):
        for entry in self.place.iterdir():
            if entry.name not in self.given:
                shutil.rmtree(entry) if entry.is_dir() else entry.unlink()

    def run(self, command, **kind):
        return subprocess.run([self.program, *command.split()], cwd=self.place, capture_output=True, text=True, **kind)

    def undisturbed(self, command, outputs):
        self.clear()
        begun = time.monotonic()
        done = self.run(command)
        if done.returncode not in (0, 3, 4):
            return None, done.stderr
        return {name: contents(self.place / name) for name in outputs}, time.monotonic() - begun

    def check(self, outputs, wanted, state, resumed):
        for name in outputs:
            if name not in state and contents(self.place / name) not in (None, wanted[name]):
                raise Finding(f"{name} is neither absent nor whole")
        left = {entry.name for entry in self.place.iterdir()} - self.given - set(outputs) - set(state)
        left -= {f"{name}.lock" for name in state}
        if left:
            raise Finding(f"left behind: {', '.join(sorted(left))}")
        done = self.run(resumed)
        if done.returncode not in (0, 3, 4):
            raise Finding(f"cannot be run again: {done.stderr.strip()}")
        for name in outputs:
            if contents(self.place / name) != wanted[name]:
                raise Finding(f"{name} differs from that of an undisturbed run")

    def verb(self, part, name, command, disturb, outputs, wanted, state, more):
        """Disturbs a command so many times, and counts what was found."""
        found, hit = [], 0
        for turn in range(self.times):
            self.clear()
            try:
                hit += bool(disturb(turn))
                has_state = any((self.place / file).exists() for file in state)
                self.check(outputs, wanted, state, f"{command} {more}" if has_state else command)
            except Finding as finding:
                found.append(str(finding))
        self.findings += len(found)
        tail = f"; {len(found)} findings, such as: {found[0]}" if found else ""
        print(f"{part:9} {name:12} {self.times:4} runs, {hit} disturbed{tail}", flush=True)

    def kill(self):
        chance = random.Random(2013)
        for name, command, outputs, state, more in VERBS:
            wanted, seconds = self.undisturbed(command, outputs)
            if wanted is None:
                print(f"kill      {name:12} skipped: {seconds.strip().splitlines()[-1] if seconds else 'it fails'}")
                continue

            def disturb(_turn, command=command, seconds=seconds):
                run = subprocess.Popen([self.program, *command.split()], cwd=self.place, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                time.sleep(chance.random() * seconds)
                run.send_signal(signal.SIGKILL)
                return run.wait() == -signal.SIGKILL

            self.verb("kill", name, command, disturb, outputs, wanted, state, more)

    def short(self):
        """Every write is cut short or interrupted: by a library in front of the system's calls."""
        compiler = shutil.which("cc")
        if compiler is None or not sys.platform.startswith("linux"):
            print("short     skipped: it needs Linux and a C compiler")
            return
        source, library = self.place / "calls.c", self.place / "calls.so"
        source.write_text(CALLS)
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
        self.given |= {source.name, library.name}
        for name, command, outputs, state, more in VERBS:
            wanted, _ = self.undisturbed(command, outputs)
            if wanted is None:
                continue

            def disturb(turn, command=command):
                calls = self.place / "calls.count"
                done = self.run(command, env={**os.environ, "LD_PRELOAD": str(library), "SEED": str(turn + 1), "CALLS": str(calls)})
                disturbed = calls.exists()
                calls.unlink(missing_ok=True)
                if done.returncode not in (0, 3, 4):
                    raise Finding(f"short and interrupted calls end it: {done.stderr.strip()}")
                for output in outputs:
                    if contents(self.place / output) != wanted[output]:
                        raise Finding(f"{output} differs when calls are short and interrupted")
                self.clear()
                return disturbed

            self.verb("short", name, command, disturb, outputs, wanted, state, more)

    def full(self):
        disk = self.place / "disk"
        if os.geteuid() != 0:
            print("full      skipped: only root can make a small disk")
            return
        for name, command, outputs, _state, _more in VERBS[:5]:
            wanted, _ = self.undisturbed(command, outputs)
            if wanted is None:
                continue
            size = max(len(content) for content in wanted.values())
            found, hit = [], 0
            for turn in range(self.times):
                self.clear()
                disk.mkdir()
                room = 4096 + size * turn // self.times // 4096 * 4096
                if subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={room}", "tmpfs", disk], capture_output=True).returncode:
                    print("full      skipped: no disk can be mounted here")
                    return
                try:
                    moved = " ".join(f"disk/{word}" if word in outputs else word for word in command.split())
                    done = self.run(moved)
                    if done.returncode != 0:
                        hit += 1
                        lines = done.stderr.strip().splitlines()
                        if not any("disk/" in line and "space" in line for line in lines):
                            found.append(f"the message does not name the file and the disk: {lines[-1:]}")
                    for output in outputs:
                        if contents(disk / output) not in (None, wanted[output]):
                            found.append(f"{output} is neither absent nor whole")
                    left = {entry.name for entry in disk.iterdir()} - set(outputs) - {f"{output}.partial" for output in outputs}
                    if left:
                        found.append(f"left behind: {', '.join(sorted(left))}")
                finally:
                    subprocess.run(["umount", disk], check=True)
            self.findings += len(found)
            tail = f"; {len(found)} findings, such as: {found[0]}" if found else ""
            print(f"full      {name:12} {self.times:4} runs, {hit} disturbed{tail}", flush=True)

    def readonly(self):
        if os.geteuid() != 0 or shutil.which("setpriv") is None:
            print("readonly  skipped: it needs root and setpriv, to run as another user")
            return
        self.place.chmod(0o755)
        for name, command, outputs, _state, _more in VERBS:
            self.clear()
            done = subprocess.run(
                ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", self.program, *command.split()],
                cwd=self.place, capture_output=True, text=True,
            )
            left = {entry.name for entry in self.place.iterdir()} - self.given
            lines = done.stderr.strip().splitlines()
            said = any(output.split(".")[0] in line and "ermission" in line for line in lines for output in outputs)
            is_fine = done.returncode == 1 and not left and said
            self.findings += not is_fine
            print(f"readonly  {name:12}    1 run, exit code {done.returncode}{'' if is_fine else f'; finding: {lines[-1:]} {left}'}")

    def twice(self):
        name, command, outputs, _state, _more = VERBS[5]
        refused = 0
        for _ in range(self.times):
            self.clear()
            first = subprocess.Popen([self.program, *command.split()], cwd=self.place, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while not (self.place / outputs[0]).exists() and first.poll() is None:
                time.sleep(0.001)
            second = self.run(f"{command} --resume")
            refused += second.returncode == 1
            first.wait()
        self.findings += refused != self.times
        print(f"twice     {name:12} {self.times:4} runs, {refused} second ones refused")


def main():
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("program")
    reader.add_argument("--times", type=int, default=50)
    reader.add_argument("--only", default="kill,short,full,readonly,twice")
    asked = reader.parse_args()
    campaign = Campaign(asked.program, asked.times)
    try:
        for part in asked.only.split(","):
            getattr(campaign, part)()
    finally:
        shutil.rmtree(campaign.place, ignore_errors=True)
    sys.exit(1 if campaign.findings else 0)


if __name__ == "__main__":
    main()
