#!/usr/bin/env python3
"""Kills and faults: what stays of a run that is killed, out of disk, not allowed to write, or interrupted in its calls.

    tests/campaigns/faults.py target/release/drawish [--times 50] [--only kill,full,short,readonly,twice]

Each verb works on the games that the project ships. Wanted after every fault: an output is absent, as it was before, or byte for
byte that of an undisturbed run; no other file is left but the state that the next run goes on from; the same command then gives
the undisturbed output; and one message on one line names the file. Counts are printed for each verb; the exit code is 1 if
anything else was found. Parts that need root (full disk, another user) or strace are skipped with a line where they are absent.
"""

import argparse
import os
import random
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
    ("collect", "collect games.pgn.zst more.pgn.zst -o a.counts -q --min-moves 0 --at 20", ["a.counts"], ["a.counts.partial"], ""),
    ("wdl collect", "wdl collect games.pgn.zst more.pgn.zst -o a.wdl -o a.json -q", ["a.wdl", "a.json"], [], ""),
    ("positions", "positions games.pgn.zst -o a.parquet -q --min-moves 0 --at 20", ["a.parquet"], [], ""),
    ("tune", "tune rows.parquet -o a.toml -o a.heads -q", ["a.toml", "a.heads"], [], ""),
    ("annotate", "relevance annotate games.pgn.zst -o a.pgn -q", ["a.pgn"], [], ""),
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
]


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
        shutil.copy(GAMES, self.place / "games.pgn.zst")
        # The same games under another name count twice; other bytes, so that they are no duplicate input.
        text = subprocess.run([self.program, "relevance", "annotate", "games.pgn.zst", "-o", "-", "-q"], cwd=self.place, capture_output=True)
        (self.place / "more.pgn.zst").write_bytes(text.stdout or b"\n")
        subprocess.run(
            [self.program, *"positions games.pgn.zst -o rows.parquet -q --min-moves 0 --at 20".split()], cwd=self.place, check=False
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
        if shutil.which("strace") is None:
            print("short     skipped: there is no strace")
            return
        for name, command, outputs, state, more in VERBS[:5]:
            wanted, _ = self.undisturbed(command, outputs)
            if wanted is None:
                continue

            def disturb(turn, command=command):
                fault = f"inject=write,pwrite64,read:error=EINTR:when={1 + turn % 7}+{5 + turn % 3}"
                words = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", fault, self.program, *command.split()]
                done = subprocess.run(words, cwd=self.place, capture_output=True, text=True)
                if done.returncode != 0:
                    raise Finding(f"interrupted calls end it: {done.stderr.strip()}")
                return True

            self.verb("EINTR", name, command, disturb, outputs, wanted, state, more)

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
